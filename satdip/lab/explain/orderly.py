"""Why retreats and adjustments came out as they did: their equations look only at orders, and at counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from satdip.acyclic import Equations
from satdip.adjudication import adjudicate_turn
from satdip.adjustments import Plan
from satdip.budget import UNLIMITED, Budget
from satdip.check import Checked, CheckedOrders, Reason, Status, check_adjustments, check_retreats
from satdip.check.adjustments import allowance
from satdip.encodings.clauses import ClauseReading
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.reading import UNKNOWN, Indexed
from satdip.lab.explain.explanation import Explanation, Statement, Step, StepKind
from satdip.orders import Build, Disband, Retreat, Waive
from satdip.position import PhaseKind, Unit
from satdip.resolution import OrderResult, Resolution
from satdip.retreats import retreat_equations, retreat_nodes
from satdip.rulebook import Rulebook
from satdip.solver import smallest_core
from satdip.turn import Turn

__all__ = ["OrderlyReasons"]

N = TypeVar("N", bound=Indexed)


class OrderlyReasons:
    """A retreat or adjustment phase whose outcomes are to be explained.

    Args:
        turn: the phase.
        rules: the rulebook.
    """

    def __init__(self, turn: Turn, rules: Rulebook) -> None:
        self.turn, self.rules = turn, rules
        self.is_retreat = turn.position.phase.kind == PhaseKind.RETREATS
        self.checked: CheckedOrders = (check_retreats if self.is_retreat else check_adjustments)(turn, rules)
        self.resolution: Resolution = adjudicate_turn(turn, rules)

    def entries(self) -> Sequence[Checked]:
        """Return the orders, and the units without one."""
        return self.checked.entries

    def explain(self, entry: Checked, budget: Budget = UNLIMITED) -> Explanation:
        """Explain what became of one order (see `satdip.lab.explain.movement.MovementReasons.explain`)."""
        result = self.resolution.orders[self.checked.entries.index(entry)]
        if entry.action is None or entry.status == Status.ILLEGAL:
            reasons = (*([entry.reason] if entry.reason else []), *entry.basis) or result.reasons
            return self._explanation(entry, (entry,), StepKind.CHECK, reasons, smallest=True)
        if isinstance(entry.action, Retreat):
            return self._retreat(entry, result, budget)
        if isinstance(entry.action, Build | Disband | Waive) and not self.is_retreat:
            return self._adjustment(entry, result, budget)
        return self._explanation(entry, (entry,), StepKind.ORDER, result.reasons, smallest=True, works=True)

    def automatic(self, unit: Unit) -> Explanation:
        """Explain why civil disorder removed a unit."""
        power = unit.power
        orders = tuple(e for e in self.checked.entries if e.action is not None and e.decides_for == power)
        reasons = (self._count(power), Reason("disorder-takes", {"unit": unit}, "4.D.8"))
        step = Step(StepKind.COUNT, (Statement.of_removed(unit),), (), (), reasons)
        return Explanation(
            self.turn, self.rules.name, unit, step.statements, None, orders, self._followed(), False, (step,)
        )

    # ------------------------------------------------------------------ one order

    def _retreat(self, entry: Checked, result: OrderResult, budget: Budget) -> Explanation:
        going, nodes = retreat_nodes(self.checked)
        units = [unit for unit, _ in going]
        own = units.index(entry.unit) if entry.unit in units else None
        if own is None:
            return self._explanation(entry, (entry,), StepKind.ORDER, result.reasons, smallest=True)

        equations = retreat_equations(nodes)
        kept, smallest = _smallest(nodes, equations, nodes[own], result.success, frozenset(), budget)
        needed = {units[i] for i in kept}
        orders = tuple(e for e in self.checked.entries if e.action is not None and e.unit in needed)
        reasons = result.reasons or (Reason("retreat-alone", {"place": nodes[own].dst}),)
        return self._explanation(entry, orders, StepKind.ORDER, reasons, smallest=smallest, works=result.success)

    def _adjustment(self, entry: Checked, result: OrderResult, budget: Budget) -> Explanation:
        power = entry.decides_for
        plan = Plan.of(self.turn.position, power, self.checked, self.rules)
        reasons = (*result.reasons, self._count(power))
        if entry not in plan.entries:
            return self._explanation(entry, (entry,), StepKind.COUNT, reasons, smallest=False)
        own = plan.nodes[plan.entries.index(entry)]
        laws = frozenset(node.index for node in plan.nodes[len(plan.entries) :])
        kept, smallest = _smallest(plan.nodes, plan.equations, own, result.success, laws, budget)
        orders = tuple(e for index, e in enumerate(plan.entries) if index in kept)
        return self._explanation(entry, orders, StepKind.COUNT, reasons, smallest=smallest, works=result.success)

    def _count(self, power: str) -> Reason:
        position = self.turn.position
        spare = allowance(position, power)
        owned, units = len(position.centres.get(power, ())), sum(1 for u in position.units if u.power == power)
        code = "may-build" if spare > 0 else "must-remove" if spare < 0 else "balanced"
        return Reason(code, {"power": power, "centres": owned, "number": abs(spare), "many": units})

    def _explanation(
        self,
        entry: Checked,
        orders: tuple[Checked, ...],
        kind: StepKind,
        reasons: tuple[Reason, ...],
        *,
        smallest: bool,
        works: bool = False,
    ) -> Explanation:
        statements = tuple(self._stated(entry, works))
        step = Step(kind, statements, (), tuple(other for other in orders if other is not entry), reasons)
        return Explanation(
            self.turn, self.rules.name, entry.unit, statements, None, orders, self._followed(), smallest, (step,)
        )

    def _stated(self, entry: Checked, works: bool) -> Iterator[Statement]:
        if entry.action is None and entry.given is None and entry.unit is not None:
            yield Statement.of_removed(entry.unit)
        elif entry.action is None:
            yield Statement.of_entry(entry)
        else:
            yield Statement.of_order(entry.unit, entry.action, works)

    def _followed(self) -> int:
        return sum(1 for entry in self.checked.entries if entry.action is not None)


def _smallest(
    nodes: Sequence[N],
    equations: Equations[N],
    claimed: N,
    works: bool,
    laws: frozenset[int],
    budget: Budget,
) -> tuple[frozenset[int], bool]:
    """Return the fewest orders that force a decision, the others being free (see `satdip.lab.explain.freeing`).

    Args:
        nodes: ``nodes[i].index == i``.
        equations: gives the right-hand side of a node's equation in a reading.
        claimed: whose decision is claimed.
        works: its value.
        laws: the nodes that are no orders: their equations always hold.
        budget: how long it may take.
    """
    formula = Formula()
    ordered = {node.index: formula.variable() for node in nodes if node.index not in laws}
    x = ClauseReading.of(formula, [UNKNOWN] * len(nodes), ordered=ordered)
    groups: dict[int, list[Clause]] = {}
    hard: list[Clause] = []
    right_side = equations(x)
    for node in nodes:
        decision, right = x.decision(node), right_side(node)
        equal = [(-decision, right), (decision, -right)]
        if node.index in laws:
            hard += equal
        else:
            groups[node.index] = [(ordered[node.index],), *equal]
            hard.append((-decision, ordered[node.index]))
    claim = x.decision(claimed) if works else -x.decision(claimed)
    found = smallest_core(groups, [*formula.clauses, *hard, (-claim,)], budget)
    if found is None:
        raise RuntimeError("the orders do not force their own resolution")
    return found
