"""Telling reasons: from `Reason` values to sentences.

A sentence is a template; units and places are put in by their names on the map, and "(supported by ...)" appears
where supports counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from satdip.board import Board, province_of
from satdip.check.result import Reason
from satdip.position import Unit

__all__ = ["SENTENCES", "name_of", "tell", "unit_name"]

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        # the check: which unit
        "unclear": "{why}",
        "wrong-phase": "this order does not belong to the {phase} phase",
        "no-such-unit": "there is no unit in {place}",
        "foreign-unit": "{unit} belongs to {power}",
        "wrong-kind": "the unit there is {unit}",
        "kind-missing": "the order does not say whether {unit} is an army or a fleet",
        "wrong-coast": "the fleet stands at {unit}",
        "irrelevant-coast": "{place} has no coast to choose in this order",
        "nationality-missing": "the order does not say whose unit {unit} is",
        "wrong-nationality": "{unit} belongs to {power}",
        "second-order": "{unit} has several orders, and this one does not count",
        # the check: where to
        "same-place": "{unit} is there already",
        "fleet-by-convoy": "a fleet cannot be convoyed",
        "out-of-reach": "{unit} cannot get to {place}",
        "no-route": "no chain of fleets on the board joins {unit} to {place}",
        "route-missing": "the order does not name the convoy route of {unit}",
        "coast-missing": "the order does not say to which coast of {place} the fleet goes",
        "impossible-coast": "{unit} cannot get to {place}",
        # the check: supports and convoys
        "self-support": "{unit} cannot support itself",
        "support-out-of-reach": "{unit} could not move to {place} itself",
        "support-coast-missing": "the order does not say to which coast of {place} the supported fleet goes",
        "needed-for-convoy": "every convoy route of {unit} to {place} needs the supporting fleet",
        "supported-unit-moves": "{unit} was ordered to move: it cannot be supported in place",
        "unsupportable": "{unit} cannot be supported in place",
        "support-mismatch": "{unit} was not ordered to move to {place}",
        "no-fleet-at-sea": "{unit} is no fleet at sea",
        "convoyed-fleet": "{unit} is no army",
        "useless-fleet": "{unit} is on no convoy route of {army} to {place}",
        "convoy-mismatch": "{unit} was not ordered to move to {place}",
        "no-convoy-ordered": "no convoy to {place} was ordered",
        # movement
        "rotates": "the units move round in a circle",
        "dislodges": "it dislodges {unit} with attack strength {attack}{helped} against hold strength {hold}",
        "beats": "attack strength {attack}{helped} beats {prevent} of {unit}",
        "head-to-head": "attack strength {attack}{helped} against {defend} of {unit}{guarded}, head to head",
        "held": "attack strength {attack}{helped} against hold strength {hold} of {unit}{guarded}",
        "own-unit": "{unit} of the same power stays there",
        "own-support": "the support of {supporters} does not help to dislodge {unit}, a unit of its own power",
        "bounced": "attack strength {attack}{helped} against {prevent} of {unit}{guarded}, which moves there too",
        "convoy-broken": "the convoy by {fleets} is disrupted",
        "cut": "it is cut by {unit}",
        "cut-by-dislodging": "it is cut because {unit} dislodges the supporting unit",
        "paradox-disrupts": "its convoy is part of a paradox, and the rule disrupts it",
        "dislodged-by": "dislodged by {unit} with attack strength {attack}{helped} against hold strength {hold}",
        "open": "the rules give no answer: the order is part of a convoy paradox, or depends on one",
        # retreats
        "not-dislodged": "no unit in {place} was dislodged",
        "retreat-by-convoy": "a retreat cannot be convoyed",
        "retreat-occupied": "{occupant} stands in {place}",
        "retreat-to-attacker": "the attacker came from {place}",
        "retreat-contested": "a stand-off closed {place}",
        "retreat-clash": "{units} retreats there too",
        "disorder-removed": "{unit} belongs to a power in civil disorder and is removed",
        "no-retreat-order": "{unit} got no legal retreat order",
        # adjustments
        "no-builds": "{power} has nothing to build",
        "no-removals": "{power} has nothing to remove",
        "build-not-home": "{place} is no home centre of {power}",
        "build-not-owned": "{place} does not belong to {power}",
        "build-occupied": "{occupant} stands in {place}",
        "build-kind-missing": "the order does not say whether to build an army or a fleet in {place}",
        "build-impossible": "such a unit cannot stand in {place}",
        "build-coast-missing": "the order does not say on which coast of {place} to build",
        "no-waives": "builds may not be declined",
        "too-many-builds": "{power} has no build left for it",
        "too-many-removals": "{power} has no removal left for it",
    }
)


def tell(reason: Reason, board: Board) -> str:
    """Return the sentence for a reason, without a full stop; the DATC section follows where a choice decided."""
    words = {key: _words(value, board) for key, value in reason.details.items()}
    words["helped"] = _supported(reason.details.get("supporters"), board)
    words["guarded"] = _supported(reason.details.get("against"), board)
    sentence = SENTENCES[reason.code].format_map(words)
    return f"{sentence} (DATC {reason.issue})" if reason.issue else sentence


def unit_name(unit: Unit, board: Board) -> str:
    """Return ``A Munich``, ``F St Petersburg(nc)``."""
    return f"{unit.kind} {name_of(unit.location, board)}"


def name_of(location: str, board: Board) -> str:
    """Return the name of a location, or of a power, as the map prints it."""
    if location in board.powers:
        return board.powers[location].name
    province = board.provinces.get(province_of(location))
    if province is None:
        return location
    coast = location.partition("/")[2].lower()
    return f"{province.name}({coast})" if coast else province.name


def _words(value: object, board: Board) -> str:
    match value:
        case Unit():
            return unit_name(value, board)
        case tuple() | list():
            return _listed([_words(item, board) for item in value])
        case str():
            return name_of(value, board)
        case _:
            return str(value)


def _listed(items: Sequence[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _supported(units: object, board: Board) -> str:
    return f" (supported by {_words(units, board)})" if units else ""
