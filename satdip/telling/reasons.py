"""Telling reasons: from `Reason` values to sentences.

A sentence is a template; units and places are put in by their names on the map, and "(supported by ...)" appears
where supports counted. The catalogues of other languages have every sentence of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from satdip.board import Board
from satdip.check.result import Reason
from satdip.phase.position import Unit
from satdip.telling.speech import ENGLISH, Speech

__all__ = ["LIMITS", "SENTENCES", "Limit", "tell"]


@dataclass(frozen=True)
class Limit:
    """A number that is known from one side only.

    Args:
        number: the number.
        least: whether it is the least that it can be; else the greatest.
    """

    number: int
    least: bool


LIMITS = {True: "at least {number}", False: "at most {number}"}

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        # which orders count
        "sets-combined": "all order sets of {power} count together",
        "sets-unordered": "{power} handed in several order sets, and it is not known in which sequence",
        "sets-contradict": "{unit} has different orders in order sets whose sequence is not known",
        "set-latest": "order set {set} is the latest of {power}",
        "set-first": "order set {set} is the first of {power}",
        "set-complete": "order set {set} of {power} is complete",
        "sets-since-complete": "order set {set} of {power} is complete, and the later ones count with it",
        "set-remains": "the order sets of {power} after set {set} leave this open",
        "set-overtaken": "a later order set of {power} replaces it",
        "set-passed-over": "only order set {set} of {power} counts",
        "set-replaced": "order set {set} of {power} is complete and replaces the earlier ones",
        "perpetual": "it is a perpetual order, and no other was given",
        "perpetual-superseded": "it is a perpetual order, and another order was given",
        "perpetual-forbidden": "perpetual orders are not allowed",
        "proxy": "it is ordered by proxy of {power}",
        "proxy-forbidden": "{power} gave a proxy for {unit}, but proxy orders are not allowed",
        "proxy-not-notified": "{power} did not tell the game master before of the proxy for {unit}",
        "proxy-set-passed-over": "the order set of {power} that gives the proxy for {unit} does not count",
        "ordered-by-proxy": "{power} orders {unit} by proxy",
        "implicit": "it follows from the {units:order|orders} of {units}",
        "implicit-contradictory": "different orders for it follow from those of {units}",
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
        "convoy-impossible": "{unit} cannot be convoyed to {place}",
        "no-route": "no chain of fleets on the board joins {unit} to {place}",
        "route-missing": "the order does not name the convoy route of {unit}",
        "coast-missing": "the order does not say to which coast of {place} the fleet goes",
        "impossible-coast": "{unit} cannot get to {place}",
        # the check: supports and convoys
        "self-support": "{unit} cannot support itself",
        "support-out-of-reach": "{unit} could not move to {place} itself",
        "support-coast-missing": "the order does not say to which coast of {place} the supported fleet goes",
        "needed-for-convoy": "every convoy route of {unit} to {place} needs the supporting fleet",
        "supported-unit-moves": "{unit} follows an order to move: it cannot be supported in place",
        "unsupportable": "{unit} cannot be supported in place",
        "support-mismatch": "{unit} follows no order to move to {place}",
        "no-fleet-at-sea": "{unit} is no fleet at sea",
        "convoyed-fleet": "{unit} is no army",
        "useless-fleet": "{unit} is on no convoy route of {army} to {place}",
        "convoy-mismatch": "{unit} follows no order to move to {place}",
        "no-convoy-ordered": "no fleet follows an order to convoy it to {place}",
        "convoy-incomplete": "{fleets} {fleets:makes|make} no complete convoy route to {place}",
        "off-named-route": "{fleets} {fleets:makes|make} no complete convoy route to {place} as its order names it",
        # movement
        "rotates": "the units move round in a circle",
        "dislodges": "it dislodges {unit} with attack strength {attack}{helped} against hold strength {hold}{guarded}",
        "dislodges-opposite": (
            "it dislodges {unit} with attack strength {attack}{helped} against {defend}{guarded}, head to head"
        ),
        "beats": "attack strength {attack}{helped} beats {prevent} of {unit}{guarded}",
        "head-to-head": "attack strength {attack}{helped} against {defend} of {unit}{guarded}, head to head",
        "held": "attack strength {attack}{helped} against hold strength {hold} of {unit}{guarded}",
        "own-unit": "it cannot dislodge {unit} of the same power",
        "own-support": (
            "the {supporters:support|supports} of {supporters} {supporters:does|do} not help to dislodge {unit}, "
            "a unit of {supporters:its|their} own power"
        ),
        "bounced": "attack strength {attack}{helped} against {prevent} of {unit}{guarded}, which moves there too",
        "convoy-broken": "the convoy by {fleets} is disrupted",
        "convoy-settled": "the rule settles attacked convoys first, and finds this one disrupted",
        "sea-by-order": "it does not go by land, because its order says by convoy",
        "sea-by-own-fleet": "it does not go by land, because {fleets} of the same power {fleets:is|are} to convoy it",
        "cut": "it is cut by {unit}",
        "cut-by-dislodging": "it is cut because {unit} dislodges the supporting unit",
        "paradox-disrupts": "its convoy is part of a paradox, and the rule disrupts it",
        "dislodged-by": (
            "dislodged by {unit} with attack strength {attack}{helped} against hold strength {hold}{guarded}"
        ),
        "dislodged-by-opposite": (
            "dislodged by {unit} with attack strength {attack}{helped} against {defend}{guarded}, head to head"
        ),
        "open": "the rules give no answer: the order is part of a convoy paradox, or depends on one",
        # explanations: what else counts
        "vacated": "{unit} moves away",
        "moves-away": "{unit} moves away",
        "unopposed": "nothing stands in its way",
        "beats-opposite": "attack strength {attack}{helped} beats {defend} of {unit}, which comes the other way",
        "beats-hold": "attack strength {attack}{helped} beats hold strength {hold} of {unit}, should it stay",
        "no-effect": "{unit} has no effect on {place}",
        "convoyed": "{fleets} {fleets:convoys|convoy} it",
        "unattacked": "no unit attacks {place}",
        "attacks-fail": "no attack on it succeeds",
        "enters": "{unit} dislodges it",
        "own-attack": "{unit}, of the same power, does not cut it",
        "exempted": "{unit} comes by a convoy that the rule does not let cut it",
        "attack-from-zone": "{unit} comes from where the support is directed and does not dislodge it",
        "cut-somehow": "an attack cuts it",
        "too-weak": "it is too weak for what stands in its way",
        "head-to-head-at-most": (
            "attack strength at most {attack}{even} against {defend} of {unit}{guarded}, head to head"
        ),
        "held-at-most": "attack strength at most {attack}{even} against hold strength {hold} of {unit}{guarded}",
        "bounced-at-most": (
            "attack strength at most {attack}{even} against {prevent} of {unit}{guarded}, which moves there too"
        ),
        "cases": "they depend on one another, and only this is consistent",
        "cases-ruled": "every way that is left open leads to this",
        "routes-settled": "whether the {units:convoy|convoys} of {units} {units:holds|hold} is settled first",
        "paradox-fails": "the rule for convoy paradoxes lets it fail",
        "paradox-none": "the orders of {units} depend on one another in a circle, and no outcome fits",
        "paradox-several": "the orders of {units} depend on one another in a circle, and several outcomes fit",
        "rule-disrupts": "the rule disrupts the {units:convoy|convoys} of {units}",
        "rule-fails": "the rule lets the {units:move|moves} of {units} fail",
        "rule-silent": "the rulebook has no answer",
        "retreat-alone": "no other unit retreats to {place}",
        "may-build": "{power} may build {number} (supply centres: {centres}, units: {many})",
        "must-remove": "{power} must remove {number} (supply centres: {centres}, units: {many})",
        "balanced": "{power} has nothing to adjust (supply centres: {centres}, units: {many})",
        "disorder-takes": "not enough removals were ordered, and {unit} is next in civil disorder",
        # retreats
        "not-dislodged": "no unit in {place} was dislodged",
        "retreat-by-convoy": "a retreat cannot be convoyed",
        "retreat-occupied": "{occupant} stands in {place}",
        "retreat-to-attacker": "the attacker came from {place}",
        "retreat-contested": "a stand-off closed {place}",
        "retreat-clash": "{units} {units:retreats|retreat} there too",
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
        "none-of-too-many-builds": "{power} ordered more builds than it has, and none of them counts",
        "none-of-too-many-removals": "{power} ordered more removals than it must make, and none of them counts",
        "not-the-build-there": "another build of {power} in {place} takes precedence",
        "no-build-there": "{power} ordered several builds in {place}, and none of them counts",
    }
)


def tell(reason: Reason, board: Board, speech: Speech = ENGLISH) -> str:
    """Return the sentence for a reason, without a full stop; the DATC section follows where a choice decided.

    Args:
        reason: the reason.
        board: the map, for the names on it.
        speech: the language.
    """
    words = {key: _word(key, value, board, speech) for key, value in reason.details.items()}
    words["helped"] = _supported(reason.details.get("supporters"), board, speech)
    words["even"] = _even(reason.details.get("supporters"), board, speech)
    words["guarded"] = _supported(reason.details.get("against"), board, speech)
    sentence = speech.say(SENTENCES[reason.code], **words)
    return speech.say("{sentence} (DATC {issue})", sentence=sentence, issue=reason.issue) if reason.issue else sentence


def _word(key: str, value: object, board: Board, speech: Speech) -> str:
    match value:
        case Unit():
            return speech.unit(value, board)
        case Limit():
            return speech.say(LIMITS[value.least], number=value.number)
        case tuple() | list():
            return speech.listed([_word(key, item, board, speech) for item in value], last="and")
        case str() if key == "phase":
            return speech.term("phase", value)
        case str() if key == "why":
            return speech.tell(value)
        case str():
            return speech.name(value, board)
        case _:
            return str(value)


def _supported(units: object, board: Board, speech: Speech) -> str:
    return speech.say(" (supported by {units})", units=_word("units", units, board, speech)) if units else ""


def _even(units: object, board: Board, speech: Speech) -> str:
    if not units:
        return ""
    return speech.say(", even with the support of {units},", units=_word("units", units, board, speech))
