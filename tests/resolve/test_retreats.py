"""Retreats (rulebook of 1971, XI; DATC 6.H): where dislodged units may go, and what becomes of their orders."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from satdip import Resolution, adjudicate
from satdip.rulebook import DATC, ConvoyedOrigin, ImpossibleCoast, MissingCoast, Rulebook, SeveralOrders

BOTH_WAYS = pytest.mark.parametrize("fold", [True, False], ids=["folded", "solved"])

# ---------------------------------------------------------------------- where a dislodged unit may go

BURGUNDY_FALLS = """
Germany: A Munich - Burgundy; A Ruhr Supports A Munich - Burgundy
France: A Burgundy Holds
"""
"""Burgundy touches Belgium, Gascony, Marseilles, Munich, Paris, Picardy and Ruhr."""

BROKEN_CONVOY = """
England: A London - Belgium; F North Sea Convoys A London - Belgium
Russia: F Skagerrak - North Sea; F Norway Supports F Skagerrak - North Sea
"""

OPEN = {
    "to an adjacent province; not to an occupied one, nor to the attacker's origin": (
        BURGUNDY_FALLS,
        {"A BUR": "BEL GAS MAR PAR PIC"},
    ),
    "not to a province of any unit of any power": (
        BURGUNDY_FALLS + "France: A Paris Holds\nItaly: A Marseilles Holds\nEngland: F Picardy Holds",
        {"A BUR": "BEL GAS"},
    ),
    "not to a province that a unit has just entered": (
        BURGUNDY_FALLS + "England: A Wales - Picardy; F English Channel Convoys A Wales - Picardy",
        {"A BUR": "BEL GAS MAR PAR"},
    ),
    "to a province that a unit has just left": (
        BURGUNDY_FALLS + "France: A Paris - Brest; A Marseilles - Piedmont",
        {"A BUR": "BEL GAS MAR PAR PIC"},
    ),
    "not to a province that a stand-off left empty": (
        BURGUNDY_FALLS + "France: A Marseilles - Gascony; F Brest - Gascony",
        {"A BUR": "BEL PAR PIC"},
    ),
    "not to a province that a stand-off of supported units left empty": (
        BURGUNDY_FALLS
        + "France: A Marseilles - Gascony; A Paris Supports A Marseilles - Gascony\n"
        + "Italy: F Mid-Atlantic Ocean - Gascony; A Spain Supports F Mid-Atlantic Ocean - Gascony",
        {"A BUR": "BEL PIC"},
    ),
    "to a province that only a disrupted convoy was to reach": (
        BURGUNDY_FALLS + BROKEN_CONVOY,
        {"A BUR": "BEL GAS MAR PAR PIC", "F NTH": "BEL DEN EDI ENG HEL HOL NWG YOR"},
    ),
    "to where the loser of a head-to-head battle was to go": (
        (
            "Germany: A Munich - Burgundy; A Ruhr Supports A Munich - Burgundy\n"
            "France: A Burgundy - Munich\n"
            "Italy: A Venice - Tyrolia; A Trieste Supports A Venice - Tyrolia\n"
            "Austria: A Tyrolia Holds"
        ),
        {"A BUR": "BEL GAS MAR PAR PIC", "A TYR": "BOH MUN PIE VIE"},
    ),
    "an army not to the sea": (
        "England: F Yorkshire - London; F English Channel Supports F Yorkshire - London\nFrance: A London Holds",
        {"A LON": "WAL"},
    ),
    "a fleet only along its coast": (
        "Italy: F Tyrrhenian Sea - Rome; F Naples Supports F Tyrrhenian Sea - Rome\nFrance: F Rome Holds",
        {"F ROM": "TUS"},
    ),
    "a fleet to each coast that it can reach": (
        (
            "England: F North Atlantic Ocean - Mid-Atlantic Ocean\n"
            "England: F Irish Sea Supports F North Atlantic Ocean - Mid-Atlantic Ocean\n"
            "France: F Mid-Atlantic Ocean Holds"
        ),
        {"F MAO": "BRE ENG GAS NAF POR SPA/NC SPA/SC WES"},
    ),
    "a fleet not to the coast that it cannot reach": (
        (
            "Italy: F Tuscany - Gulf of Lyon; F Tyrrhenian Sea Supports F Tuscany - Gulf of Lyon\n"
            "France: F Gulf of Lyon Holds"
        ),
        {"F LYO": "MAR PIE SPA/SC WES"},
    ),
    "a fleet on a coast only to what touches that coast": (
        "France: F Gascony - Spain(nc); F Portugal Supports F Gascony - Spain(nc)\nItaly: F Spain(sc) Holds",
        {"F SPA/SC": "LYO MAO MAR WES"},
    ),
    "to no coast of the province that the attacker came from": (
        (
            "France: F Spain(nc) - Mid-Atlantic Ocean; F Gascony Supports F Spain(nc) - Mid-Atlantic Ocean\n"
            "England: F Mid-Atlantic Ocean Holds"
        ),
        {"F MAO": "BRE ENG IRI NAF NAO POR WES"},
    ),
    "to no coast of a province where fleets bound for different coasts met": (
        (
            "Italy: F Gulf of Lyon - Marseilles; A Piedmont Supports F Gulf of Lyon - Marseilles\n"
            "France: F Marseilles Holds; F Gascony - Spain(nc)\n"
            "England: F Western Mediterranean - Spain(sc)"
        ),
        {"F MAR": ""},
    ),
    "nowhere: the unit is destroyed": (
        "France: A Spain - Portugal; F Mid-Atlantic Ocean Supports A Spain - Portugal\nEngland: A Portugal Holds",
        {"A POR": ""},
    ),
}


@pytest.mark.parametrize("name", OPEN)
@BOTH_WAYS
def test_where_a_dislodged_unit_may_go(name: str, fold: bool) -> None:
    sheet, expected = OPEN[name]
    resolution = adjudicate(sheet, fold=fold)
    assert {str(item.unit): " ".join(sorted(item.retreats or ())) for item in resolution.dislodged} == expected
    assert sorted(map(str, resolution.removed)) == sorted(unit for unit, places in expected.items() if not places)
    assert str(resolution.following.phase) == ("S1901R" if any(expected.values()) else "F1901M")
    for item in resolution.dislodged:
        result = resolution.result_of(item.unit)
        assert result is not None
        assert (result.dislodged, result.destroyed) == (True, not item.retreats)


@pytest.mark.parametrize(
    ("rules", "places"),
    [
        pytest.param(DATC, "FIN STP SWE", id="2023 and the DATC: open"),
        pytest.param(
            replace(DATC, convoyed_origin=ConvoyedOrigin.CLOSED), "FIN STP", id="1971, read literally: closed"
        ),
    ],
)
@BOTH_WAYS
def test_to_where_a_convoyed_attacker_came_from(rules: Rulebook, places: str, fold: bool) -> None:
    """DATC 4.A.5."""
    sheet = """
    Russia: A Sweden - Norway via convoy; F Skagerrak Convoys A Sweden - Norway
    Russia: F Norwegian Sea Supports A Sweden - Norway
    England: A Norway Holds
    """
    resolution = adjudicate(sheet, rules=rules, fold=fold)
    [item] = resolution.dislodged
    assert " ".join(sorted(item.retreats or ())) == places


# ---------------------------------------------------------------------- what becomes of retreat orders


@dataclass(frozen=True)
class Ordered:
    """A retreat phase.

    Args:
        sheet: its order sheet without the line that names the phase.
        to: dislodged unit -> where it is afterwards; empty for a unit that left the board.
        why: the reasons that are told, by their codes, in the order of the orders.
        rules: the rulebook.
    """

    sheet: str
    to: dict[str, str]
    why: list[str] = field(default_factory=list)
    rules: Rulebook = DATC


BURGUNDY = """
units: Germany A Burgundy, A Ruhr; France A Paris
dislodged: France A Burgundy from Munich; retreats Belgium, Gascony, Picardy
"""
"""Marseilles was left empty by a stand-off."""

TWO = """
units: Germany A Burgundy, A Kiel
dislodged: France A Burgundy from Munich; retreats Belgium, Gascony
dislodged: England A Holland; retreats Belgium, Ruhr
"""

SPAIN = """
units: Italy F Mid-Atlantic Ocean, F Gulf of Lyon
dislodged: France F Mid-Atlantic Ocean; retreats Spain(nc), Spain(sc), Portugal
dislodged: France F Gulf of Lyon; retreats Spain(sc), Piedmont
"""

ORDERED = {
    "a retreat": Ordered(BURGUNDY + "France: A Burgundy - Gascony", {"A BUR": "GAS"}),
    "written as a retreat": Ordered(BURGUNDY + "France: A BUR R GAS", {"A BUR": "GAS"}),
    "disbanded at will, though it could retreat": Ordered(BURGUNDY + "France: Disband A Burgundy", {"A BUR": ""}),
    "no order": Ordered(BURGUNDY, {"A BUR": ""}, ["no-retreat-order"]),
    # -------------------------------------------------------------- places that are closed
    "to an occupied province": Ordered(BURGUNDY + "France: A Burgundy - Paris", {"A BUR": ""}, ["retreat-occupied"]),
    "to where it was dislodged": Ordered(BURGUNDY + "France: A Burgundy - Burgundy", {"A BUR": ""}, ["out-of-reach"]),
    "to the attacker's origin": Ordered(
        BURGUNDY + "France: A Burgundy - Munich", {"A BUR": ""}, ["retreat-to-attacker"]
    ),
    "to a contested province": Ordered(
        BURGUNDY + "France: A Burgundy - Marseilles", {"A BUR": ""}, ["retreat-contested"]
    ),
    "out of reach": Ordered(BURGUNDY + "France: A Burgundy - Brest", {"A BUR": ""}, ["out-of-reach"]),
    "an army to the sea": Ordered(
        "units: France F London\ndislodged: England A London; retreats Wales, Yorkshire\nEngland: A London - North Sea",
        {"A LON": ""},
        ["out-of-reach"],
    ),
    "by convoy": Ordered(BURGUNDY + "France: A Burgundy - Gascony via convoy", {"A BUR": ""}, ["retreat-by-convoy"]),
    # -------------------------------------------------------------- conflicts
    "two units to one province leave the board": Ordered(
        TWO + "France: A Burgundy - Belgium\nEngland: A Holland - Belgium",
        {"A BUR": "", "A HOL": ""},
        ["retreat-clash", "retreat-clash"],
    ),
    "two units of one power too": Ordered(
        TWO.replace("England", "France") + "France: A Burgundy - Belgium; A Holland - Belgium",
        {"A BUR": "", "A HOL": ""},
        ["retreat-clash", "retreat-clash"],
    ),
    "three units to one province, and a fourth elsewhere": Ordered(
        TWO
        + "units: England F North Sea; Russia A Picardy\n"
        + "dislodged: Russia F North Sea; retreats Belgium\n"
        + "dislodged: Italy A Picardy; retreats Brest, Belgium\n"
        + "Italy: A Picardy - Brest\nFrance: A Burgundy - Belgium\n"
        + "England: A Holland - Belgium\nRussia: F North Sea - Belgium",
        {"A BUR": "", "A HOL": "", "F NTH": "", "A PIC": "BRE"},
        ["retreat-clash"] * 3,
    ),
    "one may go where the other could have gone": Ordered(
        TWO + "France: A Burgundy - Belgium\nEngland: A Holland - Ruhr", {"A BUR": "BEL", "A HOL": "RUH"}
    ),
    "one may go when the other is disbanded": Ordered(
        TWO + "France: A Burgundy - Belgium\nEngland: Disband A Holland", {"A BUR": "BEL", "A HOL": ""}
    ),
    "one may go when the other has no order": Ordered(
        TWO + "France: A Burgundy - Belgium", {"A BUR": "BEL", "A HOL": ""}, ["no-retreat-order"]
    ),
    "an illegal retreat stands in nobody's way": Ordered(
        TWO.replace("retreats Belgium, Ruhr", "retreats Ruhr")
        + "France: A Burgundy - Belgium\nEngland: A Holland - Belgium",
        {"A BUR": "BEL", "A HOL": ""},
        ["retreat-contested"],
    ),
    "where another unit is driven out stands its attacker": Ordered(
        TWO + "France: A Burgundy - Holland", {"A BUR": "", "A HOL": ""}, ["out-of-reach", "no-retreat-order"]
    ),
    # -------------------------------------------------------------- coasts
    "to a coast": Ordered(
        SPAIN + "France: F Mid-Atlantic Ocean - Spain(nc); F Gulf of Lyon - Piedmont",
        {"F MAO": "SPA/NC", "F LYO": "PIE"},
    ),
    "two fleets to different coasts of a province": Ordered(
        SPAIN + "France: F Mid-Atlantic Ocean - Spain(nc); F Gulf of Lyon - Spain(sc)",
        {"F MAO": "", "F LYO": ""},
        ["retreat-clash", "retreat-clash"],
    ),
    "one of two coasts, none named": Ordered(
        SPAIN + "France: F Mid-Atlantic Ocean - Spain; F Gulf of Lyon - Piedmont",
        {"F MAO": "", "F LYO": "PIE"},
        ["coast-missing"],
    ),
    "the only coast, none named (4.B.2 a)": Ordered(
        SPAIN + "France: F Gulf of Lyon - Spain; F Mid-Atlantic Ocean - Portugal", {"F MAO": "POR", "F LYO": "SPA/SC"}
    ),
    "the only coast, none named (4.B.2 b)": Ordered(
        SPAIN + "France: F Gulf of Lyon - Spain; F Mid-Atlantic Ocean - Portugal",
        {"F MAO": "POR", "F LYO": ""},
        ["coast-missing"],
        replace(DATC, missing_coast=MissingCoast.FAILS),
    ),
    "a coast that it cannot reach (4.B.3 b)": Ordered(
        SPAIN + "France: F Gulf of Lyon - Spain(nc); F Mid-Atlantic Ocean - Portugal",
        {"F MAO": "POR", "F LYO": ""},
        ["impossible-coast"],
    ),
    "a coast that it cannot reach (4.B.3 a)": Ordered(
        SPAIN + "France: F Gulf of Lyon - Spain(nc); F Mid-Atlantic Ocean - Portugal",
        {"F MAO": "POR", "F LYO": "SPA/SC"},
        [],
        replace(DATC, impossible_coast=ImpossibleCoast.CORRECTED),
    ),
    "an army to a coast, which means nothing": Ordered(
        "units: Germany A Gascony\ndislodged: France A Gascony; retreats Spain\nFrance: A Gascony - Spain(nc)",
        {"A GAS": "SPA"},
    ),
    # -------------------------------------------------------------- other orders
    "a hold": Ordered(BURGUNDY + "France: A Burgundy Holds", {"A BUR": ""}, ["wrong-phase"]),
    "a support by a unit that stands": Ordered(
        BURGUNDY + "Germany: A Ruhr Supports A Burgundy - Belgium\nFrance: A Burgundy - Belgium",
        {"A BUR": "BEL"},
        ["wrong-phase"],
    ),
    "a unit that was not dislodged stays": Ordered(
        BURGUNDY + "France: A Paris - Brest; A Burgundy - Gascony", {"A BUR": "GAS"}, ["not-dislodged"]
    ),
    "the attacker's order is not the dislodged unit's": Ordered(
        BURGUNDY + "Germany: A Burgundy - Gascony", {"A BUR": ""}, ["foreign-unit", "no-retreat-order"]
    ),
    "another power's order does not count beside the own": Ordered(
        BURGUNDY + "Germany: Disband A Burgundy\nFrance: A Burgundy - Gascony", {"A BUR": "GAS"}, ["foreign-unit"]
    ),
    "the first of two legal orders (4.D.3 a)": Ordered(
        BURGUNDY + "France: A Burgundy - Gascony; A Burgundy - Picardy", {"A BUR": "GAS"}, ["second-order"]
    ),
    "the last of two legal orders (4.D.3 b)": Ordered(
        BURGUNDY + "France: A Burgundy - Gascony; A Burgundy - Picardy",
        {"A BUR": "PIC"},
        ["second-order"],
        replace(DATC, several_orders=SeveralOrders.LAST),
    ),
    "neither of two legal orders (4.D.3 c)": Ordered(
        BURGUNDY + "France: A Burgundy - Gascony; A Burgundy - Picardy",
        {"A BUR": ""},
        ["second-order", "second-order"],
        replace(DATC, several_orders=SeveralOrders.NONE),
    ),
    "a legal order after an illegal one": Ordered(
        BURGUNDY + "France: A Burgundy - Paris; A Burgundy - Picardy", {"A BUR": "PIC"}, ["retreat-occupied"]
    ),
    # -------------------------------------------------------------- retreats that nobody stated
    "where it is not stated, to an empty neighbour": Ordered(
        "units: Germany A Burgundy, A Ruhr\ndislodged: France A Burgundy from Munich\nFrance: A Burgundy - Marseilles",
        {"A BUR": "MAR"},
    ),
    "where it is not stated, not to the attacker's origin": Ordered(
        "units: Germany A Burgundy, A Ruhr\ndislodged: France A Burgundy from Munich\nFrance: A Burgundy - Munich",
        {"A BUR": ""},
        ["retreat-to-attacker"],
    ),
    "where it is not stated, not to a unit's place": Ordered(
        "units: Germany A Burgundy, A Ruhr\ndislodged: France A Burgundy from Munich\nFrance: A Burgundy - Ruhr",
        {"A BUR": ""},
        ["retreat-occupied"],
    ),
}


def codes(resolution: Resolution) -> list[str]:
    return [reason.code for result in resolution.orders for reason in result.reasons]


@pytest.mark.parametrize("name", ORDERED)
@BOTH_WAYS
def test_retreat_orders(name: str, fold: bool) -> None:
    case = ORDERED[name]
    resolution = adjudicate(f"phase: S1901R\n{case.sheet}", rules=case.rules, fold=fold)
    assert codes(resolution) == case.why
    position = resolution.position
    driven = {str(item.unit): item.unit for item in position.dislodged}
    arrived = {replace(driven[unit], location=place) for unit, place in case.to.items() if place}
    assert set(resolution.following.units) == {*position.units, *arrived}
    assert set(resolution.removed) == {driven[unit] for unit, place in case.to.items() if not place}
    for unit, place in case.to.items():
        result = resolution.result_of(driven[unit])
        assert result is not None
        assert result.disbanded == (not place)
    assert (str(resolution.following.phase), resolution.following.dislodged) == ("F1901M", ())


def test_the_table_names_every_dislodged_unit() -> None:
    for name, case in ORDERED.items():
        position = adjudicate(f"phase: S1901R\n{case.sheet}").position
        assert {str(item.unit) for item in position.dislodged} == set(case.to), name
