"""Every consistent resolution of a phase: how many, which, and the knots that make them several or none.

These are the models of the equations before any backup rule, and without the clauses that make rotations turn: units
in a ring may all move or all stay. Exemptions that belong to the equations (the 1971, 1982 and 2000 paradox rules)
hold; the Szykman rule and its like do not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from itertools import islice
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from satdip.base.budget import UNLIMITED, Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.base.messages import english
from satdip.drawing import draw_core
from satdip.encodings.clauses import ClauseReading, assert_equations
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.movement import equation, tag
from satdip.encodings.reading import TRUE, UNKNOWN, ThreeValued
from satdip.encodings.rotations import Cycle, cycles
from satdip.encodings.situation import ConvoyNode, MoveNode, Node, Situation
from satdip.lab.naming import order_name
from satdip.lab.phase import Movement, require_movement, without_backup
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.rulebook import RulebookLike, rulebook_of
from satdip.solving import components
from satdip.solving.closure import asked, sweep
from satdip.solving.formula_of_phase import clause_reading, completed, nothing_known
from satdip.solving.solver import Solver
from satdip.solving.verdict import Verdict
from satdip.telling.tables import frame

if TYPE_CHECKING:
    pass

__all__ = ["Kind", "LabCore", "LabResolution", "Resolutions", "resolutions"]

F = TypeVar("F")

MOST_COUNTED = 1 << 16
"""Resolutions of one knot that are counted one by one."""


class Kind(StrEnum):
    """What the number of consistent resolutions comes from."""

    UNIQUE = "unique"
    ROTATION = "rotation"
    PARADOX_NONE = "paradox-none"
    PARADOX_SEVERAL = "paradox-several"
    MIXED = "mixed"


@dataclass(frozen=True)
class LabCore:
    """A knot: decisions that depend on each other in a cycle, and on nothing undecided outside.

    Args:
        nodes: the orders whose decisions they are.
        arcs: (order, order that its decision depends on), both in the core.
        count: how many consistent resolutions the core has by itself.
        exact: whether `count` is exact; else there are at least so many.
        rings: the rings of moves in it that may turn or stay.
    """

    nodes: tuple[Node, ...]
    arcs: tuple[tuple[Node, Node], ...]
    count: int
    exact: bool
    rings: tuple[Cycle, ...]

    @property
    def is_rotation(self) -> bool:
        """Whether it is a circular movement: no convoy order takes part."""
        return not any(isinstance(node, ConvoyNode) for node in self.nodes)


@dataclass(frozen=True)
class LabResolution:
    """One consistent resolution.

    Args:
        values: order index -> TRUE or FALSE.
        moves: the units that move, with their destinations.
        dislodged: the units that are dislodged.
    """

    values: Sequence[int]
    moves: Mapping[Unit, str]
    dislodged: tuple[Unit, ...]


@dataclass(frozen=True)
class Resolutions:
    """The consistent resolutions of a phase.

    Args:
        turn: the phase.
        rules: name of the rulebook.
        situation: its orders.
        count: how many consistent resolutions there are.
        exact: whether `count` is exact; else there are at least so many.
        listed: the first of them, at most as many as were asked for.
        decided: the decisions that all share because the orders decide them: order -> TRUE or FALSE.
        backbone: further decisions that all resolutions share.
        disputed: the decisions in which resolutions differ.
        cores: the knots.
        complete: whether the search came to its end; else its time was up, or it was interrupted.
    """

    turn: Turn
    rules: str
    situation: Situation
    count: int
    exact: bool
    listed: tuple[LabResolution, ...]
    decided: Mapping[Node, int]
    backbone: Mapping[Node, int]
    disputed: tuple[Node, ...]
    cores: tuple[LabCore, ...]
    complete: bool = True

    @property
    def kind(self) -> Kind | None:
        """What the number comes from; None when the search ended before that was known."""
        paradoxes = [core for core in self.cores if not core.is_rotation]
        rotations = [core for core in self.cores if core.is_rotation]
        if any(core.count == 0 and core.exact for core in self.cores):
            return Kind.PARADOX_NONE
        if any(core.count == 0 for core in self.cores):
            return None
        if paradoxes and rotations:
            return Kind.MIXED
        if paradoxes:
            return Kind.PARADOX_SEVERAL
        return Kind.ROTATION if rotations else Kind.UNIQUE

    @property
    def as_theory_says(self) -> bool:
        """Whether the number is none or a power of two, as it must be under standard rules."""
        return not self.exact or self.count & (self.count - 1) == 0

    def name(self, node: Node) -> str:
        """Return an order as the ``diplomacy`` package writes it."""
        return order_name(node.order, self.situation.board)

    def to_json(self) -> dict[str, object]:
        """Return everything as plain JSON values (keys: docs/json.md)."""
        return {
            "rules": self.rules,
            "count": self.count,
            "exact": self.exact,
            "kind": None if self.kind is None else str(self.kind),
            "as_theory_says": self.as_theory_says,
            "resolutions": [
                {
                    "moves": {str(unit): to for unit, to in resolution.moves.items()},
                    "dislodged": [str(unit) for unit in resolution.dislodged],
                    "decisions": {self.name(n): resolution.values[n.index] == TRUE for n in self.situation.decisions()},
                }
                for resolution in self.listed
            ],
            "decided": {self.name(node): value == TRUE for node, value in self.decided.items()},
            "backbone": {self.name(node): value == TRUE for node, value in self.backbone.items()},
            "disputed": [self.name(node) for node in self.disputed],
            "complete": self.complete,
            "cores": [
                {
                    "orders": [self.name(node) for node in core.nodes],
                    "depends": [[self.name(node), self.name(other)] for node, other in core.arcs],
                    "count": core.count,
                    "exact": core.exact,
                    "rotation": core.is_rotation,
                    "rings": [[self.name(m) for m in ring] for ring in core.rings],
                }
                for core in self.cores
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        kind = "" if self.kind is None else f" ({self.kind})"
        yield english(f"{_many(self.exact)} consistent {{many:resolution|resolutions}}{kind}", many=self.count)
        for number, core in enumerate(self.cores, start=1):
            what = "circular movement" if core.is_rotation else "convoy paradox"
            by_itself = english(f"{_many(core.exact)} {{many:resolution|resolutions}} by itself", many=core.count)
            yield f"knot {number}: {what} with {by_itself}"
            for node in core.nodes:
                needed = [self.name(other) for asking, other in core.arcs if asking is node]
                yield f"  {self.name(node)}  depends on  {', '.join(needed)}"
        for number, resolution in enumerate(self.listed, start=1):
            moves = ", ".join(f"{unit} - {to}" for unit, to in resolution.moves.items()) or "none"
            driven = ", ".join(map(str, resolution.dislodged))
            yield f"{number}. moves: {moves}" + (f"; dislodged: {driven}" if driven else "")
        if self.count > len(self.listed):
            yield "..."
        if self.disputed and self.listed:
            yield f"in dispute: {', '.join(map(self.name, self.disputed))}"
        if not self.complete:
            yield "The search was not finished."
        if not self.as_theory_says:
            yield "The theory of these rules excludes this number: please report the orders."

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield one row per decision: its order, what decides it, and whether it works in each listed resolution."""
        for node in self.situation.decisions():
            known = "decided" if node in self.decided else "backbone" if node in self.backbone else None
            kind = known or ("disputed" if node in self.disputed else "undecided")
            works: dict[str, object] = {
                str(number): r.values[node.index] == TRUE for number, r in enumerate(self.listed, start=1)
            }
            yield {"power": node.power, "order": self.name(node), "decision": kind, **works}

    def to_frame(self) -> Any:
        """Return the decisions as a ``pandas.DataFrame`` (see `rows`).

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(self.rows())

    def draw(self, core: LabCore) -> str:
        """Draw a knot as a graph: which order depends on which.

        Returns:
            An SVG document.

        Raises:
            InputError: the knot is too large for a picture, or drawsvg is not installed.
        """
        number = {node: index for index, node in enumerate(core.nodes)}
        arcs = [(number[node], number[other]) for node, other in core.arcs]
        return draw_core([self.name(node) for node in core.nodes], arcs)

    def _repr_html_(self) -> str:
        pictures = []
        for core in self.cores:
            with suppress(InputError):
                pictures.append(self.draw(core))
        return f"<pre>{escape(str(self))}</pre>" + "".join(pictures)


def resolutions(turn: Turn, rules: RulebookLike, limit: int = 16, budget: Budget = UNLIMITED) -> Resolutions:
    """Find the consistent resolutions of a movement phase.

    Args:
        turn: the phase.
        rules: the rulebook, or its name; a backup rule that it has is left out.
        limit: how many to list, at most. The count is exact above it where the knots are independent.
        budget: how long it may take; then, or when interrupted, the result is what was found, marked incomplete.

    Raises:
        InputError: the phase is no movement phase.
    """
    rules = rulebook_of(rules)
    require_movement(turn, "only movement can have several resolutions")
    situation = Movement.of(turn, without_backup(rules)).situation
    values = nothing_known(situation)
    reading = ThreeValued(values, situation.rules)
    sweep(values, situation.decisions(), reading)
    undecided = [node for node in situation.decisions() if values[node.index] == UNKNOWN]
    asks = asked(reading, undecided)
    patience = _Patience(budget)
    cores = tuple(_core(situation, values, asks, indices, patience) for indices in components.cores(asks))
    found = patience.take(_models(situation, undecided, values, budget), limit + 1)
    count, exact = len(found), patience.complete and len(found) <= limit
    if not exact and _only_cores_choose(asks, cores) and all(core.exact for core in cores):
        count, exact = prod(core.count for core in cores), True
    disputed = patience.take(_disputed(situation, undecided, values, budget), len(undecided))
    return Resolutions(
        turn=turn,
        rules=rules.name,
        situation=situation,
        count=count,
        exact=exact,
        listed=tuple(_listed(situation, found[:limit])),
        decided={node: values[node.index] for node in situation.decisions() if values[node.index] != UNKNOWN},
        backbone={n: found[0][n.index] for n in undecided if found and patience.complete and n not in disputed},
        disputed=tuple(disputed),
        cores=cores,
        complete=patience.complete,
    )


class _Patience:
    """Takes what a search finds until its time is up, or somebody interrupts it.

    Args:
        budget: how long it may take.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.complete = True

    def take(self, search: Iterator[F], limit: int) -> list[F]:
        """Return at most so many finds; `complete` tells afterwards whether more time would have given more."""
        found: list[F] = []
        try:
            found.extend(islice(self._checked(search), limit))
        except (OutOfTime, KeyboardInterrupt):
            self.complete = False
        return found

    def _checked(self, search: Iterator[F]) -> Iterator[F]:
        for one in search:
            self.budget.check()
            yield one


def _formula(
    situation: Situation, nodes: Sequence[Node], values: Sequence[int]
) -> tuple[list[Clause], ClauseReading, list[int]]:
    """Return the clauses of some decisions, the others known, and their variables; rings may turn or stay."""
    formula = Formula()
    x = clause_reading(formula, situation, values)
    assert_equations(x, nodes, equation, tag)
    return formula.clauses, x, [x.decision(node) for node in nodes]


def _models(situation: Situation, nodes: Sequence[Node], values: Sequence[int], budget: Budget) -> Iterator[list[int]]:
    """Yield complete values for the models of some decisions."""
    if not nodes:
        yield list(values)
        return
    clauses, x, variables = _formula(situation, nodes, values)
    with Solver(clauses, budget=budget) as solver:
        for model in solver.models(variables):
            yield completed(values, nodes, x, model)


def _disputed(situation: Situation, nodes: Sequence[Node], values: Sequence[int], budget: Budget) -> Iterator[Node]:
    """Yield the decisions in which models differ."""
    clauses, _, variables = _formula(situation, nodes, values)
    with Solver(clauses, budget=budget) as solver:
        if not solver.solve():
            return
        first = solver.model()
        for node, variable in zip(nodes, variables, strict=True):
            if solver.solve([-variable if variable in first else variable]):
                yield node


def _core(
    situation: Situation,
    values: Sequence[int],
    asks: Mapping[int, Collection[int]],
    indices: tuple[int, ...],
    patience: _Patience,
) -> LabCore:
    nodes = tuple(situation.nodes[index] for index in indices)
    arcs = tuple((situation.nodes[index], situation.nodes[other]) for index in indices for other in sorted(asks[index]))
    before, patience.complete = patience.complete, True
    count = len(patience.take(_models(situation, nodes, values, patience.budget), MOST_COUNTED + 1))
    exact, patience.complete = patience.complete and count <= MOST_COUNTED, patience.complete and before
    moves = [node for node in nodes if isinstance(node, MoveNode)]
    return LabCore(nodes, arcs, count, exact, tuple(cycles(situation, moves)))


def _only_cores_choose(asks: Mapping[int, Collection[int]], cores: Sequence[LabCore]) -> bool:
    """Return whether everything outside the cores follows from them: it holds no cycle of its own."""
    import networkx as nx

    inside = {node.index for core in cores for node in core.nodes}
    outside = [(index, other) for index in asks.keys() - inside for other in asks[index] if other not in inside]
    return nx.is_directed_acyclic_graph(nx.DiGraph(outside))


def _listed(situation: Situation, found: Sequence[list[int]]) -> Iterator[LabResolution]:
    for values in found:
        verdict = Verdict(situation, values, ())
        moves = {m.piece.unit: m.location for m in verdict.arrivals.values()}
        yield LabResolution(values, moves, tuple(situation.pieces[at].unit for at in verdict.dislodged))


def _many(exact: bool) -> str:
    """Return a template for a number that may be a lower bound."""
    return "{many:or no}" if exact else "at least {many}"
