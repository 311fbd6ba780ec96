"""An adjustment phase: from checked orders to the resolution, civil disorder included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeVar

from satdip.acyclic import decide_in_order
from satdip.aftermath import following, winner
from satdip.check import Checked, CheckedOrders, Reason, Status
from satdip.check.adjustments import allowance
from satdip.disorder import removal_order
from satdip.encodings.adjustments import AdjustmentNode, Taken, adjustment_tag, automatic, build, remove
from satdip.encodings.reading import TRUE, Reading
from satdip.movement import DecidedBy
from satdip.orders import Build, Disband
from satdip.position import Position, Unit
from satdip.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import CountedOrders, Rulebook
from satdip.solver import DEFAULT_SOLVER
from satdip.turn import Turn

__all__ = ["Plan", "resolve_adjustments"]

S = TypeVar("S")


def resolve_adjustments(
    turn: Turn, checked: CheckedOrders, rules: Rulebook, *, fold: bool = True, solver: str = DEFAULT_SOLVER
) -> Resolution:
    """Decide builds and removals, each power limited by its count (arguments as `resolve_retreats`)."""
    position = turn.position
    by = DecidedBy.FOLDING if fold else DecidedBy.SOLVER
    done: dict[int, bool] = {}
    automatic_units: list[Unit] = []
    for power in position.board.powers:
        plan = Plan.of(position, power, checked, rules)
        values = decide_in_order(plan.nodes, plan.equations, adjustment_tag, fold=fold, solver=solver)
        for node, value in zip(plan.nodes, values, strict=True):
            if node.index < len(plan.entries):
                done[id(plan.entries[node.index])] = value == TRUE
            elif value == TRUE:
                automatic_units.append(plan.units[node.index - len(plan.entries)])
    results = tuple(_result(entry, done.get(id(entry), False), by) for entry in checked.entries)
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
        orders=results,
        next=after,
        removed=removed,
        automatic=tuple(automatic_units),
        built=built,
        winner=winner(after),
    )


@dataclass(frozen=True)
class Plan:
    """The equations of one power: its orders in the order they are considered, then its units as ranked."""

    entries: Sequence[Checked]
    units: Sequence[Unit]
    nodes: Sequence[AdjustmentNode]
    limit: int
    one_place: CountedOrders

    @classmethod
    def of(cls, position: Position, power: str, checked: CheckedOrders, rules: Rulebook) -> Plan:
        """Return the equations of a power's legal orders."""
        entries: Sequence[Checked] = [e for e in checked.entries if e.action and e.decides_for == power]
        spare = allowance(position, power)
        choice = rules.too_many_builds if spare > 0 else rules.too_many_removals
        if choice == CountedOrders.LAST:
            entries = entries[::-1]
        elif choice == CountedOrders.NONE and len(entries) > abs(spare):
            entries = ()
        units = removal_order(position, power, rules) if spare < 0 else ()
        rule = "BUILD" if spare > 0 else "REMOVE"
        ordered = [AdjustmentNode(i, rule, str(e.action), _province(e)) for i, e in enumerate(entries)]
        ranked = [AdjustmentNode(len(entries) + i, "AUTO", str(u), u.province) for i, u in enumerate(units)]
        return cls(entries, units, (*ordered, *ranked), abs(spare), _one_place(rules))

    def equations(self, x: Reading[S]) -> Callable[[AdjustmentNode], int]:
        """Return what gives the right-hand side of a node's equation in a reading."""
        taken = Taken(x, self.nodes, self.limit)
        in_place: dict[str, list[AdjustmentNode]] = {}
        for node in self.nodes[: len(self.entries)]:
            if node.province is not None:
                in_place.setdefault(node.province, []).append(node)

        def right(node: AdjustmentNode) -> int:
            here = in_place.get(node.province or "", [])
            if node.rule == "AUTO":
                return automatic(x, node, taken, here)
            return build(x, node, taken, self._stronger(node, here)) if node.rule == "BUILD" else remove(x, node, taken)

        return right

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


def _result(entry: Checked, done: bool, by: DecidedBy) -> OrderResult:
    power = entry.given.power if entry.given is not None else ""
    if entry.status == Status.ILLEGAL:
        return OrderResult(entry, power, Outcome.ILLEGAL, lambda _: _reasons(entry.reason, *entry.basis), by)
    if done:
        gone = isinstance(entry.action, Disband)
        return OrderResult(entry, power, Outcome.SUCCEEDS, lambda _: entry.basis, by, disbanded=gone)
    code, issue = ("too-many-removals", "4.D.6") if isinstance(entry.action, Disband) else ("too-many-builds", "4.D.4")
    surplus = Reason(code, {"power": entry.decides_for}, issue)
    return OrderResult(entry, power, Outcome.ILLEGAL, lambda _: (surplus, *entry.basis), by)


def _reasons(*reasons: Reason | None) -> tuple[Reason, ...]:
    return tuple(reason for reason in reasons if reason is not None)
