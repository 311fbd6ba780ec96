"""Retreats and adjustments in certificates: each decision depends on earlier ones only, so that values are enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from satdip.check import CheckedOrders
from satdip.encodings.adjustments import AdjustmentNode, adjustment_tag
from satdip.lab.naming import order_name
from satdip.phase.orders import Waive
from satdip.phase.position import PhaseKind, Unit
from satdip.phase.turn import Turn
from satdip.resolve.adjustments import Plan, resolve_adjustments
from satdip.resolve.retreats import resolve_retreats, retreat_nodes
from satdip.rulebook import Rulebook
from satdip.solving.in_order import decide_in_order
from satdip.telling.serialise import units_by_power

__all__ = ["PARTS"]

Json = dict[str, object]


def _retreat_parts(turn: Turn, rules: Rulebook, checked: CheckedOrders) -> Json:
    """Return what a certificate says about the retreats of a phase.

    Args:
        turn: the phase, in the sequence of certificates.
        rules: the rulebook.
        checked: its orders after the check.
    """
    position = turn.position
    resolution = resolve_retreats(turn, checked, rules)
    gone = frozenset(resolution.removed)
    going, _ = retreat_nodes(checked)
    arrived = [(unit, action) for unit, action in going if unit not in gone]
    after = [*position.units, *(Unit(unit.power, unit.kind, action.destination) for unit, action in arrived)]
    return {
        "dislodged": [
            {
                "power": item.unit.power,
                "unit": str(item.unit),
                "retreats": None if item.retreats is None else sorted(item.retreats),
                "attacker_from": item.attacker_from,
            }
            for item in position.dislodged
        ],
        "decisions": [f"RETREAT {unit.power} {order_name(action, position.board)}" for unit, action in going],
        "values": [-n if unit in gone else n for n, (unit, _) in enumerate(going, 1)],
        "result": {
            "units": units_by_power(after),
            "removed": units_by_power(resolution.removed),
            "contested": sorted(resolution.contested),
        },
    }


def _adjustment_parts(turn: Turn, rules: Rulebook, checked: CheckedOrders) -> Json:
    """Return what a certificate says about the builds and removals of a phase (arguments as `_retreat_parts`)."""
    position = turn.position
    decisions: list[str] = []
    values: list[int] = []
    for power in sorted(position.board.powers):
        plan = Plan.of(position, power, checked, rules)
        decisions += [_name(node, plan, power, turn) for node in plan.nodes]
        values += decide_in_order(plan.nodes, plan.equations, adjustment_tag)
    resolution = resolve_adjustments(turn, checked, rules)
    gone = frozenset(resolution.removed)
    after = [unit for unit in position.units if unit not in gone]
    return {
        "centers": {power: sorted(owned) for power, owned in sorted(position.centres.items())},
        "decisions": decisions,
        "values": [number * value for number, value in enumerate(values, 1)],
        "result": {
            "units": units_by_power([*after, *resolution.built]),
            "built": units_by_power(resolution.built),
            "removed": units_by_power(resolution.removed),
            "automatic": units_by_power(resolution.automatic),
        },
    }


def _name(node: AdjustmentNode, plan: Plan, power: str, turn: Turn) -> str:
    if node.rule == "AUTO":
        return f"AUTO {power} {plan.units[node.index - len(plan.entries)]}"
    action = plan.entries[node.index].action
    if isinstance(action, Waive):
        return f"WAIVE {power}"
    return f"{node.rule} {power} {order_name(action, turn.position.board)}"


PARTS: Final[Mapping[PhaseKind, Callable[[Turn, Rulebook, CheckedOrders], Json]]] = {
    PhaseKind.RETREATS: _retreat_parts,
    PhaseKind.ADJUSTMENTS: _adjustment_parts,
}
"""Kind of phase -> what a certificate says about such a phase, for those whose decisions come in order."""
