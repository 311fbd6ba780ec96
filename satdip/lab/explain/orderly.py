"""Why retreats and adjustments came out as they did: their equations look only at orders, and at counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import UNLIMITED, Budget
from satdip.check import Checked, CheckedOrders, Reason, Status, check_orders
from satdip.check.adjustments import allowance
from satdip.encodings.adjustments import AdjustmentNode
from satdip.encodings.clauses import ClauseReading
from satdip.encodings.formula import Clause, Formula
from satdip.encodings.reading import UNKNOWN, Indexed
from satdip.lab.explain.explanation import Explanation, Statement, Step, StepKind
from satdip.lab.explain.unfollowed import deciding
from satdip.phase.orders import Retreat
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.resolve.adjustments import Plan
from satdip.resolve.resolution import OrderResult, Resolution
from satdip.resolve.retreats import retreat_equations, retreat_nodes
from satdip.rulebook import Rulebook
from satdip.solving.in_order import Equations
from satdip.solving.solver import smallest_core

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
        self.checked: CheckedOrders = check_orders(turn, rules)
        self.resolution: Resolution = adjudicate_turn(turn, rules)

    def entries(self) -> Sequence[Checked]:
        """Return the orders, and the units without one."""
        return self.checked.entries

    def explain(self, entry: Checked, budget: Budget = UNLIMITED) -> Explanation:
        """Explain what became of one order (see `satdip.lab.explain.movement.MovementReasons.explain`)."""
        result = self.resolution.orders[_index(entry, self.checked.entries)]
        if entry.action is None or entry.status == Status.ILLEGAL:
            reasons = (*([entry.reason] if entry.reason else []), *entry.basis) or result.reasons
            orders, minimal = deciding(entry, self.checked.entries)
            return self._explanation(entry, orders, StepKind.CHECK, reasons, minimal=minimal, smallest=minimal)
        if isinstance(entry.action, Retreat):
            return self._retreat(entry, result, budget)
        if self.turn.position.phase.traits.by_count:
            return self._adjustment(entry, result, budget)
        return self._explanation(entry, (entry,), StepKind.ORDER, result.reasons, works=True)

    def automatic(self, unit: Unit, budget: Budget = UNLIMITED) -> Explanation:
        """Explain why civil disorder removed a unit."""
        power = unit.power
        plan = Plan.of(self.turn.position, power, self.checked, self.rules)
        own = plan.nodes[len(plan.entries) + list(plan.units).index(unit)]
        orders, minimal, smallest = self._surplus(plan, None, power), True, False
        if orders is None:
            kept, smallest = self._forcing(plan, own, True, budget)
            orders = tuple(e for index, e in enumerate(plan.entries) if index in kept)
        else:
            minimal = False
        reasons = (self._count(power), Reason("disorder-takes", {"unit": unit}, "4.D.8"))
        step = Step(StepKind.COUNT, (Statement.of_removed(unit),), (), (), reasons)
        return Explanation(
            self.turn,
            self.rules.name,
            unit,
            None,
            step.statements,
            None,
            orders,
            self._followed(),
            minimal,
            smallest,
            (step,),
        )

    # ------------------------------------------------------------------ one order

    def _retreat(self, entry: Checked, result: OrderResult, budget: Budget) -> Explanation:
        going, nodes = retreat_nodes(self.checked)
        units = [unit for unit, _ in going]
        own = units.index(entry.unit) if entry.unit in units else None
        if own is None:
            return self._explanation(entry, (entry,), StepKind.ORDER, result.reasons)

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
        surplus = self._surplus(plan, entry, power)
        if surplus is not None:
            return self._explanation(entry, surplus, StepKind.COUNT, reasons)
        number = _index(entry, plan.entries)
        if plan.nodes[number].rule == "BUILD":
            plan = plan.about(number)
            number = _index(entry, plan.entries)
        kept, smallest = self._forcing(plan, plan.nodes[number], result.success, budget)
        orders = tuple(e for index, e in enumerate(plan.entries) if index in kept)
        return self._explanation(entry, orders, StepKind.COUNT, reasons, smallest=smallest, works=result.success)

    def _surplus(self, plan: Plan, entry: Checked | None, power: str) -> tuple[Checked, ...] | None:
        """Return orders that are one too many where none counts then; None where the plan considers them one by one."""
        legal = [e for e in self.checked.entries if e.action is not None and e.decides_for == power]
        if plan.entries or not legal:
            return None
        others = [e for e in legal if e is not entry]
        chosen = others[: plan.limit] if entry is not None else others[: plan.limit + 1]
        wanted = [*chosen, *([entry] if entry is not None else [])]
        return tuple(e for e in legal if any(e is one for one in wanted))

    def _forcing(self, plan: Plan, own: AdjustmentNode, works: bool, budget: Budget) -> tuple[frozenset[int], bool]:
        laws = frozenset(node.index for node in plan.nodes[len(plan.entries) :])
        return _smallest(plan.nodes, plan.equations, own, works, laws, budget)

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
        minimal: bool = True,
        smallest: bool = True,
        works: bool = False,
    ) -> Explanation:
        statements = tuple(self._stated(entry, works))
        step = Step(kind, statements, (), tuple(other for other in orders if other is not entry), reasons)
        number = self._followed() + sum(1 for one in orders if one.action is None)
        turn, rules = self.turn, self.rules.name
        asked = (entry.unit, entry.given)
        return Explanation(turn, rules, *asked, statements, None, orders, number, minimal, smallest, (step,))

    def _stated(self, entry: Checked, works: bool) -> Iterator[Statement]:
        if entry.action is None and entry.given is None and entry.unit is not None:
            yield Statement.of_removed(entry.unit)
        elif entry.action is None:
            yield Statement.of_entry(entry)
        else:
            yield Statement.of_order(entry.unit, entry.action, works)

    def _followed(self) -> int:
        return sum(1 for entry in self.checked.entries if entry.action is not None)


def _index(entry: Checked, entries: Sequence[Checked]) -> int:
    """Return which of some entries this is: orders of the same words are equal."""
    return next(number for number, other in enumerate(entries) if other is entry)


def _smallest(
    nodes: Sequence[N],
    equations: Equations[N],
    claimed: N,
    works: bool,
    laws: frozenset[int],
    budget: Budget,
) -> tuple[frozenset[int], bool]:
    """Return the fewest orders that force a decision, whichever of the others were given.

    Here nothing but orders decides: one that is left out may not have been given, but cannot come out otherwise.

    Args:
        nodes: ``nodes[i].index == i``.
        equations: gives the right-hand side of a node's equation in a reading.
        claimed: whose decision is claimed.
        works: its value.
        laws: the nodes that are no orders.
        budget: how long it may take.
    """
    formula = Formula()
    ordered = {node.index: formula.variable() for node in nodes if node.index not in laws}
    x = ClauseReading.of(formula, [UNKNOWN] * len(nodes), ordered=ordered)
    groups: dict[int, list[Clause]] = {index: [(literal,)] for index, literal in ordered.items()}
    right_side = equations(x)
    for node in nodes:
        formula.define(x.decision(node), right_side(node))
    claim = x.all_of((x.ordered(claimed), x.decision(claimed) if works else -x.decision(claimed)))
    found = smallest_core(groups, [*formula.clauses, (-claim,)], budget)
    if found is None:
        raise RuntimeError("the orders do not force their own resolution")
    return found
