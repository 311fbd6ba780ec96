"""What would be if others gave other orders.

The fewest orders that force an outcome whatever the others do, and the fewest changed orders that turn it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import islice
from typing import Any

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.encodings.formula import Clause
from satdip.lab.explain import Statement
from satdip.lab.naming import order_name
from satdip.lab.open_orders import OpenPhase, Outcome
from satdip.lab.phase import Movement, require_movement
from satdip.notation import Notation
from satdip.phase.orders import Order
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.rulebook import RulebookLike
from satdip.solving.solver import Solver, smallest_core
from satdip.telling.speech import ENGLISH, Speech, speech_languages
from satdip.telling.tables import frame

__all__ = ["Robust", "Turnings", "find_power", "force", "turn_outcome"]


@dataclass(frozen=True)
class Robust:
    """The fewest orders that force an outcome whatever legal orders the other units get.

    Args:
        turn: the phase.
        claim: the outcome.
        orders: the orders; that of the unit in question is always one of them.
        of: how many units there are.
        smallest: whether certainly no fewer orders do.
        proven: whether they certainly force it: under rulebooks that leave paradoxes open, or settle them by more than
            disrupting convoys, only order sets without a paradox are covered.
    """

    turn: Turn
    claim: Statement
    orders: Mapping[Unit, Order]
    of: int
    smallest: bool
    proven: bool

    def to_json(self, speech: Speech = ENGLISH) -> dict[str, object]:
        """Return everything as plain JSON values (keys: docs/json.md)."""
        return {
            "claim": self.claim.tell(self.turn, speech),
            "orders": _names(self.turn, self.orders.values()),
            "units": self.of,
            "smallest": self.smallest,
            "proven": self.proven,
        }

    def tell(self, speech: Speech = ENGLISH) -> str:
        """Return the result as lines of text."""
        say = speech.say
        lines = [f"{self.claim.tell(self.turn, speech)}."]
        if len(self.orders) == 1:
            lines.append(say("So it is whatever legal orders the other units get."))
        else:
            orders = "; ".join(_names(self.turn, self.orders.values(), Notation.DATC, speech.language))
            told = say(
                "{number:This order forces|These {number} orders force} it "
                "whatever legal orders the other units get: {orders}.",
                number=len(self.orders),
                orders=orders,
            )
            lines.append(told)
        if not self.smallest:
            lines.append(say("Fewer may do: the search was not finished."))
        if not self.proven:
            lines.append(say("Orders that make a convoy paradox are not covered under these rules."))
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return one row per order as a ``pandas.DataFrame``.

        Raises:
            ImportError: pandas is not installed.
        """
        named = zip(self.orders, _names(self.turn, self.orders.values()), strict=True)
        return frame({"power": unit.power, "order": name} for unit, name in named)

    def __str__(self) -> str:
        return self.tell()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.tell())}</pre>"


@dataclass(frozen=True)
class Turnings:
    """The fewest changed orders that turn an outcome.

    Args:
        turn: the phase.
        claim: the outcome that is turned.
        powers: whose orders may change.
        changes: the ways to do it, each as unit -> its new order; empty when there is none.
        fewest: how many orders each of them changes; None when there is none.
        complete: whether the search came to its end: there is certainly no way with fewer changes.
    """

    turn: Turn
    claim: Statement
    powers: tuple[str, ...]
    changes: tuple[Mapping[Unit, Order], ...]
    fewest: int | None
    complete: bool

    def to_json(self, speech: Speech = ENGLISH) -> dict[str, object]:
        """Return everything as plain JSON values (keys: docs/json.md)."""
        return {
            "claim": self.claim.tell(self.turn, speech),
            "powers": list(self.powers),
            "fewest": self.fewest,
            "changes": [_names(self.turn, change.values()) for change in self.changes],
            "complete": self.complete,
        }

    def tell(self, speech: Speech = ENGLISH) -> str:
        """Return the result as lines of text."""
        say, board = speech.say, self.turn.position.board
        powers = speech.listed([speech.name(power, board) for power in self.powers], last="and")
        lines = [f"{self.claim.tell(self.turn, speech)}."]
        if self.fewest is None and self.complete:
            lines.append(say("No orders of {powers} would change that.", powers=powers))
        elif self.fewest is not None:
            lines.append(say("Other orders of {powers} that would change it:", powers=powers))
            told = (_names(self.turn, change.values(), Notation.DATC, speech.language) for change in self.changes)
            lines += ["  " + "; ".join(names) for names in told]
        if not self.complete:
            lines.append(say("The search was not finished."))
        return "\n".join(lines)

    def to_frame(self) -> Any:
        """Return one row per changed order as a ``pandas.DataFrame``; the ways are numbered from 1.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(
            {"way": number, "power": unit.power, "order": name}
            for number, change in enumerate(self.changes, start=1)
            for unit, name in zip(change, _names(self.turn, change.values()), strict=True)
        )

    def __str__(self) -> str:
        return self.tell()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.tell())}</pre>"


def _names(
    turn: Turn, orders: Iterable[Order], notation: Notation = Notation.PACKAGE, language: str = "en"
) -> list[str]:
    return [order_name(order, turn.position.board, notation, language) for order in orders]


def find_power(turn: Turn, text: str) -> str:
    """Return the power that a text names, by its id or its name in any language.

    Raises:
        InputError: no power with units in this phase is called so.
    """
    board = turn.position.board
    known = dict.fromkeys(unit.power for unit in turn.position.units)
    for power in known:
        names = {power, *(str(Speech(language).name(power, board)) for language in speech_languages())}
        if text.casefold() in {name.casefold() for name in names}:
            return power
    raise InputError(f"no power with units here is called {text!r}; the powers are {', '.join(known)}")


def force(turn: Turn, rules: RulebookLike, unit: Unit, budget: Budget = UNLIMITED) -> Robust:
    """Find the fewest orders that force the outcome of a unit's order, whatever legal orders the others get.

    Args:
        turn: a movement phase.
        rules: the rulebook, or its name.
        unit: the unit.
        budget: how long it may take; then the set may not be the smallest.

    Raises:
        InputError: no movement phase, or the rules give no answer.
        OutOfTime: nothing was found in time.
    """
    movement, outcome = _asked(turn, rules, unit)
    opened = [other.province for other in turn.position.units if other != unit]
    phase = OpenPhase(movement, opened)
    proposals = _Proposals(phase, outcome.turned(), budget)
    groups = {at: [(phase.keeps(at),)] for at in opened}
    found = smallest_core(groups, phase.clauses(outcome.turned()), budget, proposals.refine)
    if found is None:
        raise RuntimeError("the orders do not force their own resolution")
    kept, smallest = found
    units = {other.province: other for other in turn.position.units}
    orders = {units[at]: phase.actual[at] for at in units if at in kept or at == unit.province}
    return Robust(
        turn=turn,
        claim=_claim(movement, outcome),
        orders=orders,
        of=len(units),
        smallest=smallest,
        proven=phase.excludes_truly,
    )


def turn_outcome(
    turn: Turn, rules: RulebookLike, unit: Unit, powers: Iterable[str], limit: int = 5, budget: Budget = UNLIMITED
) -> Turnings:
    """Find the fewest orders of some powers that would have to be others for a unit's outcome to be the opposite.

    Args:
        turn: a movement phase.
        rules: the rulebook, or its name.
        unit: the unit; it keeps its order.
        powers: whose orders may change, by their ids or names.
        limit: how many ways to list, at most.
        budget: how long it may take; then the result is marked incomplete.

    Raises:
        InputError: no movement phase, a power is none that has units, or the rules give no answer.
    """
    movement, outcome = _asked(turn, rules, unit)
    if isinstance(powers, str):
        raise InputError(f"several powers are a list, as in [{powers!r}]")
    wanted = tuple(dict.fromkeys(find_power(turn, power) for power in powers))
    opened = [u.province for u in turn.position.units if u.power in wanted and u != unit]
    phase = OpenPhase(movement, opened)
    proposals = _Proposals(phase, outcome.turned(), budget)
    changes: list[Mapping[Unit, Order]] = []
    complete = True
    try:
        changes += islice(_turnings(phase, proposals, outcome, budget), limit)
    except (OutOfTime, KeyboardInterrupt):
        complete = False
    fewest = len(changes[0]) if changes else None
    claim = _claim(movement, outcome)
    return Turnings(turn, claim, wanted, tuple(changes), fewest, complete)


def _claim(movement: Movement, outcome: Outcome) -> Statement:
    """Return an outcome as a statement."""
    unit = movement.situation.pieces[outcome.at].unit
    if outcome.driven is not None:
        return Statement.of_unit(unit, dislodged=outcome.driven)
    followed = (e for e in movement.checked.entries if e.is_of_unit and e.unit == unit and e.action is not None)
    entry = next(followed)
    if outcome.works is None or entry.action is None:
        return Statement.of_entry(entry)
    return Statement.of_order(unit, entry.action, outcome.works)


def _turnings(
    phase: OpenPhase, proposals: _Proposals, outcome: Outcome, budget: Budget
) -> Iterator[Mapping[Unit, Order]]:
    """Yield the ways to turn an outcome with the fewest changes."""
    bound = phase.count_changes()
    with Solver(phase.clauses(outcome.turned()), budget=budget) as solver:
        for most in range(1, len(phase.opened) + 1):
            found = False
            assumed = [-bound[most]] if most < len(bound) else []
            while solver.solve(assumed):
                model = solver.model()
                missing = list(proposals.refine(model))
                for clause in missing:
                    solver.add(clause)
                if not missing:
                    found = True
                    chosen = phase.chosen(model)
                    yield phase.changes(chosen)
                    solver.add(phase.other_orders(chosen))
            if found:
                return


class _Proposals:
    """Adjudicates what the formula proposes.

    Args:
        phase: the open phase.
        wanted: the outcome that a proposal must have.
        budget: how long it may take.
    """

    def __init__(self, phase: OpenPhase, wanted: Outcome, budget: Budget) -> None:
        self.phase, self.wanted, self.budget = phase, wanted, budget

    def refine(self, model: Collection[int]) -> Iterable[Clause]:
        """Return nothing when the orders of a model have the wanted outcome, else clauses that exclude the model."""
        self.budget.check()
        chosen = self.phase.chosen(model)
        verdict = self.phase.adjudicated(chosen)
        if self.wanted.holds(verdict):
            return ()
        missing = list(self.phase.missing(model, chosen))
        return missing or (self.phase.orders_that_exclude(self.wanted, chosen, verdict, self.budget),)


def _asked(turn: Turn, rules: RulebookLike, unit: Unit) -> tuple[Movement, Outcome]:
    """Return the phase, and what became of a unit in it."""
    require_movement(turn, "other orders than those given are tried for movement only")
    movement = Movement.of(turn, rules)
    verdict = movement.decide()
    node = next((node for node in verdict.situation.nodes if node.piece.unit == unit), None)
    if node is None:
        raise InputError(f"there is no {unit} in this position")
    if verdict.is_open:
        raise InputError(f"the rules {movement.rules.name} give no answer to these orders")
    return movement, Outcome.of(verdict, node)
