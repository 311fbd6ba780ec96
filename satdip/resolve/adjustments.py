"""An adjustment phase: from checked orders to the resolution, civil disorder included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import TypeVar

from satdip.base.errors import InputError
from satdip.base.messages import Message
from satdip.check import Checked, CheckedOrders, Reason, Status
from satdip.check.adjustments import allowance
from satdip.encodings.adjustments import AdjustmentNode, Taken, adjustment_tag, automatic, build, remove
from satdip.encodings.reading import TRUE, Reading
from satdip.phase.orders import Build, Disband
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Turn
from satdip.resolve.aftermath import following, winner
from satdip.resolve.disorder import removal_order
from satdip.resolve.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import CountedOrders, Rulebook, spelled
from satdip.solving.in_order import decide_in_order
from satdip.solving.solver import DEFAULT_SOLVER
from satdip.solving.verdict import DecidedBy

__all__ = ["Plan", "resolve_adjustments"]

S = TypeVar("S")

MOST_AS_CLAUSES = 1000
"""Builds or removals of a power that are written as clauses: each looks at all others in its place."""


def resolve_adjustments(
    turn: Turn, checked: CheckedOrders, rules: Rulebook, *, fold: bool = True, solver: str = DEFAULT_SOLVER
) -> Resolution:
    """Decide builds and removals, each power limited by its count (arguments as `resolve_retreats`).

    Raises:
        InputError: there are too many for the solver, without folding.
    """
    position = turn.position
    by = DecidedBy.FOLDING if fold else DecidedBy.SOLVER
    done: set[int] = set()
    refused: dict[int, Reason] = {}
    automatic_units: list[Unit] = []
    for power in position.board.powers:
        plan = Plan.of(position, power, checked, rules)
        if not fold and len(plan.nodes) > MOST_AS_CLAUSES:
            told = {"power": power, "number": len(plan.nodes), "most": MOST_AS_CLAUSES}
            raise InputError(
                Message("{power} has {number} builds or removals; the solver alone takes at most {most}", **told)
            )
        values = decide_in_order(plan.nodes, plan.equations, adjustment_tag, fold=fold, solver=solver)
        refused |= {id(entry): plan.none_counts(power) for entry in plan.too_many}
        for node, value in zip(plan.nodes, values, strict=True):
            if node.index >= len(plan.entries):
                automatic_units += [plan.units[node.index - len(plan.entries)]] if value == TRUE else []
            elif value == TRUE:
                done.add(id(plan.entries[node.index]))
            else:
                refused[id(plan.entries[node.index])] = plan.does_not_count(power, node)
    results = tuple(_result(entry, id(entry) in done, refused.get(id(entry)), by) for entry in checked.entries)
    carried = [r.checked for r in results if r.success]
    built = tuple(
        Unit(action.unit.power, action.unit.kind, action.unit.location)
        for entry in carried
        if isinstance(action := entry.action, Build) and action.unit.kind and action.unit.power
    )
    ordered_off = [entry.unit for entry in carried if isinstance(entry.action, Disband) and entry.unit is not None]
    removed = (*ordered_off, *automatic_units)
    gone = frozenset(removed)
    after = following(position, [unit for unit in position.units if unit not in gone] + list(built))
    return Resolution(
        turn=turn,
        rules=rules.name,
        stated_rules=spelled(rules),
        orders=results,
        next=after,
        removed=removed,
        automatic=tuple(automatic_units),
        built=built,
        winner=winner(after),
    )


@dataclass(frozen=True)
class Plan:
    """The equations of one power: its orders in the order they are considered, then its units as ranked.

    Args:
        entries: the orders that are considered.
        units: the units that civil disorder may take, the first one first.
        nodes: the nodes of both.
        limit: how many builds or removals there are.
        one_place: which of several builds in one province counts, as seen in the sequence of `entries`.
        too_many: the orders none of which counts, because they are too many (DATC 4.D.4, 4.D.6).
    """

    entries: Sequence[Checked]
    units: Sequence[Unit]
    nodes: Sequence[AdjustmentNode]
    limit: int
    one_place: CountedOrders
    too_many: Sequence[Checked] = ()

    @classmethod
    def of(cls, position: Position, power: str, checked: CheckedOrders, rules: Rulebook) -> Plan:
        """Return the equations of a power's legal orders."""
        entries: Sequence[Checked] = [e for e in checked.entries if e.action and e.decides_for == power]
        spare = allowance(position, power)
        choice = rules.too_many_builds if spare > 0 else rules.too_many_removals
        too_many: Sequence[Checked] = ()
        if choice == CountedOrders.LAST:
            entries = entries[::-1]
        elif choice == CountedOrders.NONE and len(entries) > abs(spare):
            too_many, entries = entries, ()
        units = removal_order(position, power, rules) if spare < 0 else ()
        rule = "BUILD" if spare > 0 else "REMOVE"
        ordered = [AdjustmentNode(i, rule, str(e.action), _province(e)) for i, e in enumerate(entries)]
        ranked = [AdjustmentNode(len(entries) + i, "AUTO", str(u), u.province) for i, u in enumerate(units)]
        return cls(entries, units, (*ordered, *ranked), abs(spare), _one_place(rules), too_many)

    def about(self, own: int) -> Plan:
        """Return the plan without the builds that cannot matter to one of them, since others stand for them.

        Before a build count the provinces in which there is one, and the waived builds. So two builds in a province
        before it and two after it show all that can become of any number, and one waived build more than there may be.

        Args:
            own: the number of the build among the entries.
        """
        seen: Counter[tuple[str | None, bool]] = Counter()
        kept: list[int] = []
        for node in self.nodes[: len(self.entries)]:
            kind = node.province, node.index > own
            if node.index == own or seen[kind] < (self.limit + 1 if node.province is None else 2):
                kept.append(node.index)
                seen[kind] += 1
        nodes = [
            AdjustmentNode(number, node.rule, node.name, node.province)
            for number, node in enumerate(self.nodes[index] for index in kept)
        ]
        return replace(self, entries=[self.entries[index] for index in kept], nodes=nodes)

    def equations(self, x: Reading[S]) -> Callable[[AdjustmentNode], int]:
        """Return what gives the right-hand side of a node's equation in a reading."""
        taken = Taken(x, self.nodes, self.limit)

        def right(node: AdjustmentNode) -> int:
            here = self.in_place.get(node.province or "", [])
            if node.rule == "AUTO":
                return automatic(x, node, taken, here)
            return build(x, node, taken, self._stronger(node, here)) if node.rule == "BUILD" else remove(x, node, taken)

        return right

    @cached_property
    def in_place(self) -> Mapping[str, Sequence[AdjustmentNode]]:
        """Province -> the orders there."""
        found: dict[str, list[AdjustmentNode]] = {}
        for node in self.nodes[: len(self.entries)]:
            if node.province is not None:
                found.setdefault(node.province, []).append(node)
        return found

    def none_counts(self, power: str) -> Reason:
        """Return why none of too many orders counts."""
        if any(isinstance(entry.action, Disband) for entry in self.too_many[:1]):
            return Reason("none-of-too-many-removals", {"power": power}, "4.D.6")
        return Reason("none-of-too-many-builds", {"power": power}, "4.D.4")

    def does_not_count(self, power: str, node: AdjustmentNode) -> Reason:
        """Return why a legal order does not count: for another build in its province, or for those before it."""
        if node.rule == "REMOVE":
            return Reason("too-many-removals", {"power": power}, "4.D.6")
        if not any(True for _ in self._stronger(node, self.in_place.get(node.province or "", ()))):
            return Reason("too-many-builds", {"power": power}, "4.D.4")
        code = "no-build-there" if self.one_place == CountedOrders.NONE else "not-the-build-there"
        return Reason(code, {"power": power, "place": node.province}, "4.D.5")

    def _stronger(self, node: AdjustmentNode, here: Sequence[AdjustmentNode]) -> Iterable[AdjustmentNode]:
        """Return the builds in the same province that come before this one, whatever becomes of them (DATC 4.D.5)."""
        match self.one_place:
            case CountedOrders.NONE:
                return (o for o in here if o is not node)
            case CountedOrders.FIRST:
                return takewhile(lambda o: o is not node, here)
            case CountedOrders.LAST:
                return takewhile(lambda o: o is not node, reversed(here))


def _one_place(rules: Rulebook) -> CountedOrders:
    """Return the choice of 4.D.5 as seen in the sequence in which the builds are considered (4.D.4)."""
    turned = {CountedOrders.FIRST: CountedOrders.LAST, CountedOrders.LAST: CountedOrders.FIRST}
    choice = rules.builds_in_one_place
    return turned.get(choice, choice) if rules.too_many_builds == CountedOrders.LAST else choice


def _province(entry: Checked) -> str | None:
    action = entry.action
    return action.unit.province if isinstance(action, Build | Disband) else None


def _result(entry: Checked, done: bool, refused: Reason | None, by: DecidedBy) -> OrderResult:
    power = entry.given.power if entry.given is not None else ""
    if entry.status == Status.ILLEGAL:
        return OrderResult(entry, power, Outcome.ILLEGAL, lambda _: _reasons(entry.reason, *entry.basis), by)
    if done:
        gone = isinstance(entry.action, Disband)
        return OrderResult(entry, power, Outcome.SUCCEEDS, lambda _: entry.basis, by, disbanded=gone)
    return OrderResult(entry, power, Outcome.ILLEGAL, lambda _: _reasons(refused, *entry.basis), by)


def _reasons(*reasons: Reason | None) -> tuple[Reason, ...]:
    return tuple(reason for reason in reasons if reason is not None)
