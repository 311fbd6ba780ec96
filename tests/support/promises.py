"""What an explanation promises, put to the test: the orders that it leaves out are changed, and its claim must hold.

An order that is left out may not be given (its unit holds), or come out the other way, as far as it ever can. The
changed phase is adjudicated from its orders as a user would; where an order is made to work or to fail, by the
reference adjudicator under the rules that the DATC prefers, and by `satdip.solving.decide` under the others.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from reference import RefFate, RefMap, adjudicate_fixed

from satdip.adjudication import adjudicate_turn
from satdip.check.result import Status, reference
from satdip.encodings.reading import FALSE, TRUE
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation
from satdip.lab.explain import Explanation, Statement
from satdip.lab.naming import order_name
from satdip.lab.phase import Movement
from satdip.phase.orders import Convoy, Hold, Move, Order, Support
from satdip.phase.position import PhaseKind, Unit
from satdip.phase.turn import Given, Turn
from satdip.resolve.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import DATC, Rulebook, SupportCoast
from satdip.solving.decide import decide

__all__ = [
    "Fate",
    "Tried",
    "adjudicated_by_reference",
    "broken_promises",
    "is_claimed_when_fixed",
    "order_matches",
]

Fate = bool | None
"""What is made of an order: it works, it fails, or (None) it is not given and its unit holds."""


@dataclass
class Tried:
    """How much was tried."""

    explanations: int = 0
    changes: int = 0
    orders: int = 0
    """Orders that were left out or made to come out otherwise, over all changes."""
    by_kind: Counter[str] = field(default_factory=Counter)


# ---------------------------------------------------------------------- what is claimed


def holds_in(resolution: Resolution, explanation: Explanation) -> bool:
    """Return whether what an explanation claims is so in another resolution of the same units."""
    unit, given = explanation.unit, explanation.given
    if given is None:
        results = [] if unit is None else [resolution.result_of(unit)]
    else:
        results = [result for result in resolution.orders if result.checked.given == given]
    return any(
        result is not None and all(_is_so(statement, result) for statement in explanation.claims) for result in results
    )


def _is_so(statement: Statement, result: OrderResult) -> bool:
    if statement.works is None:
        return result.outcome == Outcome.OPEN
    if statement.status != Status.LEGAL:
        return result.checked.status == statement.status
    if result.outcome == Outcome.OPEN:
        return False
    if statement.order is None or isinstance(statement.order, Hold):
        return result.dislodged == statement.works
    if isinstance(statement.order, Move):
        return result.success == statement.works
    return result.checked.status == Status.LEGAL and result.success == statement.works


# ---------------------------------------------------------------------- leaving orders out


def without(turn: Turn, units: Collection[Unit]) -> Turn:
    """Return a movement phase in which some units hold instead."""
    rest = [given for given in turn.orders if not any(_is_for(given, unit) for unit in units)]
    holds = [Given(unit.power, Hold(reference(unit)), f"{unit} H") for unit in units]
    return Turn(turn.position, (*rest, *holds), rules=turn.rules)


def _is_for(given: Given, unit: Unit) -> bool:
    ordered = getattr(given.order, "unit", None)
    return ordered is not None and ordered.province == unit.province


# ---------------------------------------------------------------------- making orders work or fail


def is_claimed_when_fixed(
    explanation: Explanation, rules: Rulebook, ref_map: RefMap, fates: Mapping[Unit, Fate]
) -> bool | None:
    """Return whether what is claimed is so when some orders have a fate; None for fates that no order can have."""
    movement = Movement.of(explanation.turn, rules)
    if rules == DATC:
        return _by_reference(explanation, movement, ref_map, fates)
    return _by_satdip(explanation, movement, fates)


def adjudicated_by_reference(
    movement: Movement, ref_map: RefMap, fates: Mapping[Unit, Fate]
) -> tuple[Mapping[Unit, Order], RefFate]:
    """Return what every unit does when some orders have a fate, and what the reference adjudicator makes of it."""
    board = movement.turn.position.board
    actions = {u: Hold(reference(u)) if u in fates and fates[u] is None else o for u, o in movement.checked.actions}
    units: dict[str, list[str]] = {}
    orders: dict[str, list[str]] = {}
    for unit, order in actions.items():
        units.setdefault(unit.power, []).append(str(unit))
        orders.setdefault(unit.power, []).append(order_name(order, board))
    fixed = {unit.location: fate for unit, fate in fates.items() if fate is not None}
    return actions, adjudicate_fixed(ref_map, units, orders, fixed)


def _by_reference(
    explanation: Explanation, movement: Movement, ref_map: RefMap, fates: Mapping[Unit, Fate]
) -> bool | None:
    actions, found = adjudicated_by_reference(movement, ref_map, fates)
    if not found.possible:
        return None
    unit = explanation.unit
    assert unit is not None
    matched = order_matches(actions, unit, movement.rules)
    return all(
        _is_so_of(statement, matched, found.works[unit.location], unit.location in found.dislodged)
        for statement in explanation.claims
    )


def _by_satdip(explanation: Explanation, movement: Movement, fates: Mapping[Unit, Fate]) -> bool | None:
    actions = {u: Hold(reference(u)) if u in fates and fates[u] is None else o for u, o in movement.checked.actions}
    turn, rules = movement.turn, movement.rules
    situation = Situation(
        turn.position.board, turn.position.units, actions.items(), rules, movement.checked.unsupportable
    )
    nodes = {node.piece.unit: node for node in situation.nodes}
    fixed = {nodes[unit].index: TRUE if fate else FALSE for unit, fate in fates.items() if fate is not None}
    verdict = decide(situation, fixed=fixed)
    for unit, fate in fates.items():
        if fate and isinstance(node := nodes[unit], MoveNode) and not _can(node, verdict.values, verdict.reading):
            return None
    unit = explanation.unit
    assert unit is not None
    node = nodes[unit]
    if verdict.leaves_open(node) or (verdict.is_open and any(not verdict.values[m.index] for m in _attackers(node))):
        return False
    works, driven = verdict.values[node.index] == TRUE, node.at in verdict.dislodged
    return all(_is_so_of(s, order_matches(actions, unit, movement.rules), works, driven) for s in explanation.claims)


def _attackers(node: Node) -> tuple[MoveNode, ...]:
    return node.piece.attackers if isinstance(node, HoldNode) else ()


def _can(move: MoveNode, values: list[int], reading: object) -> bool:
    from satdip.encodings.convoys import path

    own = move.target is not None and move.target.unit.power == move.power
    leaves = move.target is not None and any(values[o.index] != FALSE for o in move.target.moves)
    return path(reading, move) != FALSE and (not own or leaves)  # type: ignore[arg-type]


def _is_so_of(statement: Statement, matched: bool, works: bool, driven: bool) -> bool:
    match statement:
        case Statement(status=Status.ILLEGAL):
            return True  # it rests on the board alone
        case Statement(status=Status.VOID):
            return not matched
        case Statement(order=None) | Statement(order=Hold()):
            return driven == statement.works
        case Statement(order=Move()):
            return works == statement.works
        case _:
            return matched and works == statement.works


def order_matches(actions: Mapping[Unit, Order], unit: Unit, rules: Rulebook) -> bool:
    """Return whether a support or convoy is for what the other unit does (coasts: DATC 4.B.4)."""
    order, place = actions[unit], {u.province: o for u, o in actions.items()}
    if isinstance(order, Support):
        other = place[order.target.province]
        if order.destination is None or not isinstance(other, Move):
            return order.destination is None and not isinstance(other, Move)
        no_matter = rules.support_coast == SupportCoast.NO_MATTER
        return other.dst == order.zone if no_matter else order.destination in (other.destination, other.dst)
    if isinstance(order, Convoy):
        other = place[order.army.province]
        return isinstance(other, Move) and other.dst == order.dst
    return True


# ---------------------------------------------------------------------- trying


def broken_promises(
    explanation: Explanation, rules: Rulebook, ref_map: RefMap, rng: random.Random, changes: int, tried: Tried
) -> Iterator[str]:
    """Change the orders that an explanation leaves out, and yield every change after which its claim is not so."""
    if any(statement.works is None for statement in explanation.claims):
        return  # no orders are said to force that there is no answer
    tried.explanations += 1
    if explanation.turn.position.phase.kind != PhaseKind.MOVEMENT:
        yield from _changed_lists(explanation, rules, rng, changes, tried)
        return
    turn = explanation.turn
    listed = {entry.unit for entry in explanation.orders}
    ordered = {entry.unit for entry in Movement.of(turn, rules).checked.entries if entry.given is not None}
    others = [unit for unit in turn.position.units if unit not in listed and unit != explanation.unit]
    others = [unit for unit in others if unit in ordered]
    for _ in range(changes if others else 0):
        changed = [unit for unit in others if rng.random() < rng.choice((0.2, 0.5, 0.9))]
        tried.changes += 1
        tried.orders += len(changed)
        if rng.random() < 0.4:
            tried.by_kind["left out"] += 1
            if not holds_in(adjudicate_turn(without(turn, changed), rules), explanation):
                yield f"without the orders of {', '.join(map(str, changed))}"
            continue
        acting = {unit for unit, order in Movement.of(turn, rules).checked.actions if not isinstance(order, Hold)}
        fates = {unit: rng.choice((True, False, None)) for unit in changed if unit in acting}
        so = is_claimed_when_fixed(explanation, rules, ref_map, fates)
        tried.by_kind["impossible" if so is None else "fixed"] += 1
        if so is False:
            yield f"when {fates}"


def _changed_lists(
    explanation: Explanation, rules: Rulebook, rng: random.Random, changes: int, tried: Tried
) -> Iterator[str]:
    """Leave orders of a retreat or adjustment phase out."""
    turn = explanation.turn
    listed = [entry.given for entry in explanation.orders]
    others = [given for given in turn.orders if not any(given is one for one in listed)]
    sizes = range(1, len(others) + 1)
    every = [gone for size in sizes for gone in combinations(others, size)] if len(others) < 6 else []
    for _ in range(changes if others else 0):
        gone = every.pop() if every else rng.sample(others, rng.randint(1, len(others)))
        tried.changes += 1
        tried.orders += len(gone)
        tried.by_kind["left out"] += 1
        rest = tuple(given for given in turn.orders if not any(given is one for one in gone))
        if not _listed_claim(adjudicate_turn(Turn(turn.position, rest, rules=turn.rules), rules), explanation):
            yield f"without {', '.join(given.text for given in gone)}"


def _listed_claim(resolution: Resolution, explanation: Explanation) -> bool:
    """Return whether the claim about an order of a list of orders is so; the order is the first that is listed."""
    (statement,) = explanation.claims
    if statement.text == "removed":
        return explanation.unit in resolution.removed
    asked = explanation.given
    results = [r for r in resolution.orders if asked is not None and r.checked.given is asked]
    if not results:
        return False
    if statement.status != Status.LEGAL:
        return results[0].checked.status == statement.status
    return results[0].success == statement.works
