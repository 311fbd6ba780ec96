"""A retreat phase: from checked orders to the resolution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from satdip.board import province_of
from satdip.check import Checked, CheckedOrders, Reason, Status
from satdip.encodings.reading import TRUE, Reading
from satdip.encodings.retreats import RetreatNode, retreat, retreat_tag
from satdip.phase.orders import Disband, Retreat
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.resolve.aftermath import following, winner
from satdip.resolve.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import Rulebook, spelled
from satdip.solving.in_order import Equations, decide_in_order
from satdip.solving.solver import DEFAULT_SOLVER
from satdip.solving.verdict import DecidedBy

__all__ = ["resolve_retreats", "retreat_equations", "retreat_nodes"]

S = TypeVar("S")


def resolve_retreats(
    turn: Turn, checked: CheckedOrders, rules: Rulebook, *, fold: bool = True, solver: str = DEFAULT_SOLVER
) -> Resolution:
    """Decide the retreats of a phase: units that retreat to one province all leave the board.

    Args:
        turn: the phase.
        checked: its orders after `satdip.check.check_retreats`.
        rules: the rulebook, for its name.
        fold: evaluate; else leave the equations to the solver.
        solver: name of a PySAT solver.
    """
    going, nodes = retreat_nodes(checked)
    values = decide_in_order(nodes, retreat_equations(nodes), retreat_tag, fold=fold, solver=solver)
    arrived = {unit: action.destination for (unit, action), value in zip(going, values, strict=True) if value == TRUE}
    by = DecidedBy.FOLDING if fold else DecidedBy.SOLVER
    clashes: dict[str, list[Unit]] = {}
    for (unit, _), node in zip(going, nodes, strict=True):
        clashes.setdefault(node.dst, []).append(unit)
    driven = {item.unit: None for item in turn.position.dislodged}
    after = [*turn.position.units, *(replace(unit, location=at) for unit, at in arrived.items())]
    position = following(turn.position, after)
    return Resolution(
        turn=turn,
        rules=rules.name,
        stated_rules=spelled(rules),
        orders=tuple(_result(entry, arrived, driven, clashes, by) for entry in checked.entries),
        next=position,
        contested=frozenset(at for at, units in clashes.items() if len(units) > 1),
        removed=tuple(unit for unit in driven if unit not in arrived),
        winner=winner(position),
    )


def retreat_nodes(checked: CheckedOrders) -> tuple[list[tuple[Unit, Retreat]], list[RetreatNode]]:
    """Return the legal retreats, and the node of each of them."""
    going = [(unit, action) for unit, action in checked.actions if isinstance(action, Retreat)]
    nodes = [
        RetreatNode(index, f"{unit} R {action.destination}", province_of(action.destination))
        for index, (unit, action) in enumerate(going)
    ]
    return going, nodes


def retreat_equations(nodes: Sequence[RetreatNode]) -> Equations[RetreatNode]:
    """Return the equations of all retreats of a phase."""
    to: dict[str, list[RetreatNode]] = {}
    for node in nodes:
        to.setdefault(node.dst, []).append(node)

    def equations(x: Reading[S]) -> Callable[[RetreatNode], int]:
        return lambda node: retreat(x, node, to[node.dst])

    return equations


def _result(
    entry: Checked, arrived: dict[Unit, str], driven: Collection[Unit], clashes: dict[str, list[Unit]], by: DecidedBy
) -> OrderResult:
    unit = entry.unit
    power = entry.given.power if entry.given is not None else unit.power if unit is not None else ""
    gone = unit in driven and unit not in arrived and entry.is_of_unit
    outcome, reasons = Outcome.SUCCEEDS, () if entry.reason is None else (entry.reason,)
    if entry.status == Status.ILLEGAL:
        outcome = Outcome.ILLEGAL
    elif entry.given is None:
        outcome, reasons = Outcome.FAILS, (Reason("no-retreat-order", {"unit": unit}),)
    elif isinstance(entry.action, Retreat) and unit not in arrived:
        others = [other for other in clashes[province_of(entry.action.destination)] if other != unit]
        outcome, reasons = Outcome.FAILS, (Reason("retreat-clash", {"units": tuple(others)}),)
    elif isinstance(entry.action, Disband):
        reasons = ()
    return OrderResult(entry, power, outcome, lambda _: (*reasons, *entry.basis), by, disbanded=gone)
