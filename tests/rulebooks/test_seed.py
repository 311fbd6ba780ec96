"""The seed rulebook, paragraph by paragraph: three French texts, the third of them the rules of 1971/76, VII to XIII.

A test is named after its paragraph (``test_IX_3_...``; the first two texts are 000 and 001, their paragraphs counted).
``docs/seed.md`` lists paragraph, tests, the DATC's section and what is different under the DATC's preferences; the last
tests here compare that table with this file.

`so` states what follows from orders under the profile ``seed``, and that the DATC's preferences give the same, unless
``datc`` says what they give instead.
"""
# ruff: noqa: N802 -- the paragraphs have Roman numbers

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.expected import facts, wrong

from satdip import InputError, adjudicate
from satdip.board import Board
from satdip.phase.position import Phase, Position
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, OrderSets, Rulebook, rulebook_named

SEED = rulebook_named("seed")
LITERAL = rulebook_named("seed+VIII-rotation=forbidden+VIII-exchange=forbidden")
"""The seed with VIII read literally: no two units ever exchange places, and no ring turns."""

Orders = Mapping[str, Iterable[str]]


def so(sheet: str, *, datc: Mapping[str, Any] | None = None, rules: Rulebook = SEED, **stated: Any) -> Resolution:
    """Assert what follows from a sheet under the seed, and under the DATC's preferences (the same, or `datc`)."""
    resolution = adjudicate(sheet, rules=rules)
    assert wrong(resolution, stated) == []
    assert wrong(adjudicate(sheet, rules=DATC), stated if datc is None else datc) == [], "under the DATC's preferences"
    return resolution


def then(resolution: Resolution, orders: Orders, **stated: Any) -> Resolution:
    """Give orders for the phase that follows, and assert what follows from them."""
    after = adjudicate(resolution.following, orders, rules=SEED)
    assert wrong(after, stated) == []
    return after


def codes(resolution: Resolution) -> list[str]:
    return [reason.code for result in resolution.orders for reason in result.reasons]


# ====================================================================== VII the orders


def test_VII_1_a_power_orders_all_some_or_none_of_its_units() -> None:
    so(
        "France: A Par-Bur; A Mar\nItaly: A Ven",
        moves="PAR - BUR",
        outcomes={"A PAR": "succeeds", "A MAR": "stands", "A VEN": "stands"},
    )


def test_VII_1_a_unit_has_one_order() -> None:
    """Which of two is not said here: the first sent counts (VII.4)."""
    resolution = so("France: A Par-Bur; A Par-Pic", moves="PAR - BUR")
    assert codes(resolution) == ["second-order"]


@pytest.mark.parametrize(
    ("order", "goes"),
    [
        ("A Rom-Ven", "ROM - VEN"),  # inland, where a fleet cannot follow
        ("A Rom-Tus", "ROM - TUS"),
        ("A Rom-Tys", ""),
        ("A Rom-Tri", ""),
        ("F Rom-Tys", "ROM - TYS"),
        ("F Rom-Tus", "ROM - TUS"),
        ("F Rom-Nap", "ROM - NAP"),
        ("F Rom-Ven", ""),  # the text's own example: they touch, but not along a coast
        ("F Rom-Apu", ""),
    ],
)
def test_VII_1_armies_walk_and_fleets_follow_the_coast(order: str, goes: str) -> None:
    so(f"Italy: {order}", moves=goes)


@pytest.mark.parametrize("place", ["Switzerland", "Ireland", "Iceland", "Sicily", "Sardinia", "Corsica", "Crete"])
def test_VII_1_nobody_enters_islands_or_unnamed_places(place: str, board: Board) -> None:
    """They are no places of the map; an order to go there is no order."""
    names = {name.casefold() for p in board.provinces.values() for name in (p.name, *p.aliases)}
    assert place.casefold() not in names
    with pytest.raises(InputError, match=f"{place!r} is not understood"):
        adjudicate(f"Italy: A Rom-{place}", rules=SEED)


def test_VII_2_a_move_is_an_attack_whether_it_succeeds_or_not() -> None:
    so(
        "France: A Bur (S) A Par-Pic; A Par-Pic\nEngland: A Bel-Pic\nGermany: A Mun-Bur",
        moves="",
        outcomes={"A BUR": "cut"},
    )


def test_VII_2_only_if_it_is_rightly_given() -> None:
    so(
        "France: A Bur (S) A Par-Pic; A Par-Pic\nEngland: A Bel-Pic\nGermany: A Ber-Bur",
        moves="PAR - PIC",
        outcomes={"A BUR": "given", "A BER": "illegal"},
    )


@pytest.mark.parametrize(
    ("order", "goes"),
    [
        ("F Hel-Kie", "HEL - KIE"),
        ("F Kie-Bal", "KIE - BAL"),
        ("F Kie-Hel", "KIE - HEL"),
        ("F Kie-Ber", "KIE - BER"),
        ("F Hel-Bal", ""),  # the canal is no way past the province
        ("A Hol-Kie", "HOL - KIE"),
        ("A Kie-Ber", "KIE - BER"),
        ("A Hol-Ber", ""),
        ("F Bla-Con", "BLA - CON"),
        ("F Con-Aeg", "CON - AEG"),
        ("F Bla-Aeg", ""),
        ("A Bul-Con", "BUL - CON"),
        ("A Con-Smy", "CON - SMY"),
        ("A Bul-Smy", ""),
    ],
)
def test_VII_3a_kiel_and_constantinople_let_both_kinds_through(order: str, goes: str) -> None:
    so(f"Turkey: {order}", moves=goes)


def test_VII_3b_a_coast_must_be_named_where_both_can_be_reached() -> None:
    so("France: F Mao-Spa", moves="")
    so("France: F Mao-Spa(nc)", moves="MAO - SPA/NC")
    so("Turkey: F Con-Bul", moves="")


def test_VII_3b_and_only_there() -> None:
    """By inference: the text asks for the coast only where both can be reached, and VII.4 follows one meaning."""
    so("France: F Gas-Spa; F Mar (H)", moves="GAS - SPA/NC")
    so("Italy: F Lyo-Spa", moves="LYO - SPA/SC")


@pytest.mark.parametrize(
    ("order", "goes"),
    [
        ("F Spa(nc)-Gas", "SPA - GAS"),
        ("F Spa(nc)-Mar", ""),
        ("F Spa(sc)-Mar", "SPA - MAR"),
        ("F Spa(sc)-Gas", ""),
        ("F StP(nc)-Bar", "STP - BAR"),
        ("F StP(nc)-Bot", ""),
        ("F Bul(ec)-Bla", "BUL - BLA"),
        ("F Bul(ec)-Aeg", ""),
    ],
)
def test_VII_3b_a_fleet_leaves_from_the_coast_that_it_is_on(order: str, goes: str) -> None:
    so(f"Russia: {order}", moves=goes)


def test_VII_3b_but_it_holds_the_whole_province() -> None:
    so("Italy: F Spa(nc) (H)\nFrance: A Mar-Spa; F Mao-Spa(sc)", moves="", dislodged="")


def test_VII_3b_a_support_needs_one_coast_only() -> None:
    """The example of Marseilles: it supports anywhere in Spain, even a fleet's move to the north coast."""
    so("France: F Mar (S) F Mao-Spa(nc); F Mao-Spa(nc)\nItaly: A Spa (H)", moves="MAO - SPA/NC", dislodged="A SPA")
    so("France: F Mar (S) F Spa(nc)\nItaly: F Lyo-Spa(sc); F Wes (S) F Lyo-Spa(sc)\nFrance: F Spa(nc) (H)", moves="")


def test_VII_3b_and_does_not_name_it() -> None:
    so("France: F Mar (S) F Mao-Spa; F Mao-Spa(nc)\nItaly: A Spa (H)", moves="MAO - SPA/NC")


def test_VII_3b_a_wrong_coast_in_a_support_does_no_harm() -> None:
    """By inference: the text says that the coasts do not matter to a support, not what a wrong one means."""
    so(
        "France: F Mar (S) F Mao-Spa(sc); F Mao-Spa(nc)\nItaly: A Spa (H)",
        moves="MAO - SPA/NC",
        datc={"moves": ""},
    )


def test_VII_3b_the_converse_is_not_so() -> None:
    resolution = so("France: F Spa(nc) (S) A Gas-Mar; A Gas-Mar\nItaly: A Mar (H)", moves="")
    assert codes(resolution)[0] == "support-out-of-reach"


@pytest.mark.parametrize(
    ("order", "goes"),
    [
        ("A Swe-Den", "SWE - DEN"),
        ("A Den-Swe", "DEN - SWE"),
        ("F Swe-Den", "SWE - DEN"),
        ("F Den-Swe", "DEN - SWE"),
        ("F Bal-Swe", "BAL - SWE"),
        ("F Bal-Den", "BAL - DEN"),
        ("F Swe-Ska", "SWE - SKA"),  # the frontier does not divide the Swedish coast
        ("F Swe-Bot", "SWE - BOT"),
        ("F Den-Ska", "DEN - SKA"),
        ("F Bal-Ska", ""),
        ("F Ska-Bal", ""),
        ("F Den-Ber", ""),
        ("A Den-Ber", ""),
    ],
)
def test_VII_3c_sweden_and_denmark(order: str, goes: str) -> None:
    so(f"Russia: {order}", moves=goes)


def test_VII_4_an_illegal_order_is_not_followed_and_the_unit_stays() -> None:
    so("Germany: A Ber-Rom", moves="", outcomes={"A BER": "illegal"})


def test_VII_4_a_unit_that_stays_can_be_supported_in_place() -> None:
    """By inference: a unit whose order is not followed is one that got none (IX.6)."""
    so("Germany: A Ber-Rom; A Kie (S) A Ber\nRussia: A Pru-Ber; A Sil (S) A Pru-Ber", moves="")


def test_VII_4_a_mistaken_but_legal_order_is_followed() -> None:
    """Nobody asks what the power meant: here it helps the German army past its own."""
    so("France: A Par-Bur; A Mar (S) German A Mun-Bur\nGermany: A Mun-Bur", moves="MUN - BUR")


def test_VII_4_an_order_of_several_meanings_is_not_followed() -> None:
    resolution = so("England: F Edi-Nor", moves="", outcomes={"F EDI": "illegal"})
    [reason] = resolution.orders[0].reasons
    assert reason.code == "unclear"
    assert {"F Edinburgh - Norwegian Sea", "F Edinburgh - Norway"} <= set(reason.details["meanings"])  # type: ignore[call-overload]


def test_VII_4_a_badly_written_order_of_one_meaning_is_followed() -> None:
    resolution = so("France: A Pariss- Burgndy", moves="PAR - BUR")
    given = resolution.orders[0].checked.given
    assert given is not None
    assert [str(note) for note in given.notes] == ["Pariss read as Paris", "Burgndy read as Burgundy"]


def test_VII_4_all_orders_are_made_public_at_the_same_time() -> None:
    """Whose sheet is read first makes no difference."""
    powers = ["France: A Par-Bur; A Mar (S) A Par-Bur", "Germany: A Mun-Bur", "Italy: A Pie-Mar"]
    one = adjudicate("\n".join(powers), rules=SEED)
    other = adjudicate("\n".join(reversed(powers)), rules=SEED)
    assert facts(one) == facts(other)
    assert facts(one)["moves"] == set()


TWO_SETS = "France (set 1): A Par-Bur\nFrance (set 2): A Par-Pic; A Mar-Pie\n"


def test_VII_4_the_set_that_was_sent_first_counts() -> None:
    """No correction is allowed: "le premier envoie c'est le bon"."""
    so(f"{TWO_SETS}Italy: A Ven (H)", moves="PAR - BUR", datc={"moves": "PAR - PIC, MAR - PIE"})


def test_VII_5_refers_to_VII_4() -> None:
    """It is about the game master, and says "see 4": what he got first is what he goes by."""
    assert SEED.order_sets is OrderSets.FIRST
    assert "order_sets" not in SEED.unsettled


def test_VII_6_spring_then_autumn_then_the_next_spring(board: Board) -> None:
    position = Position(board, Phase.parse("S1901M"), adjudicate("France: A Par (H)", rules=SEED).position.units)
    phases = []
    for _ in range(3):
        phases.append(str(position.phase))
        position = adjudicate(position, {}, rules=SEED).following
    assert phases == ["S1901M", "F1901M", "S1902M"]


def test_VII_7_unit_and_place_first_and_then_the_order() -> None:
    so(
        "Germany: A Ber (H); A Mun-Sil; F Kie (C) A Ber-Lvn; A Ruh (S) A Mun",
        outcomes={"A BER": "stands", "A MUN": "succeeds", "F KIE": "illegal", "A RUH": "invalid"},
    )


def test_VII_7_a_list_of_units_without_orders() -> None:
    so("Germany:\n  A Ber\n  A Mun-Sil\n  F Kie", moves="MUN - SIL", outcomes={"A BER": "stands", "F KIE": "stands"})


# ====================================================================== VIII conflicts


@pytest.mark.parametrize(
    "orders",
    [
        "Germany: A Ber-Sil\nRussia: A War-Sil",
        "Germany: A Ber-Sil\nRussia: A War-Sil\nAustria: A Gal-Sil",
        "Germany: A Ber-Sil; A Mun-Sil",  # also units of one power
        "Germany: F Kie-Den\nRussia: A Swe-Den",  # armies and fleets alike
    ],
)
def test_VIII_of_units_ordered_to_one_space_none_moves(orders: str) -> None:
    so(orders, moves="", dislodged="")


def test_VIII_nor_do_units_move_to_where_another_one_stays() -> None:
    so("Germany: A Ber-Sil\nRussia: A Sil (H)", moves="", dislodged="")
    so("Germany: A Ber-Sil; A Sil", moves="")


def test_VIII_or_tries_in_vain_to_leave() -> None:
    so("Germany: A Ber-Sil\nRussia: A Sil-Boh\nAustria: A Vie-Boh", moves="")
    so("Germany: A Ber-Sil\nRussia: A Sil-Boh", moves="BER - SIL, SIL - BOH")


def test_VIII_two_units_do_not_exchange_places() -> None:
    so("Germany: A Ber-Pru\nRussia: A Pru-Ber", moves="")
    so("Germany: A Ber-Pru; F Pru-Ber", moves="")


EXCHANGE = "England: A Nwy-Swe; F Ska (C) A Nwy-Swe\nRussia: A Swe-Nwy"


def test_VIII_an_exchange_by_convoy_is_left_open() -> None:
    """The text has no word on convoys: by default they may exchange, and read literally they may not."""
    so(EXCHANGE, moves="NWY - SWE, SWE - NWY")
    so(EXCHANGE, rules=LITERAL, moves="", datc={"moves": "NWY - SWE, SWE - NWY"})
    assert "exchange" in SEED.unsettled


RING = "Turkey: A Ank-Con; A Con-Smy; A Smy-Ank"


def test_VIII_a_ring_is_left_open_as_well() -> None:
    """Three units each of which moves to where the next one was: no two of them exchange places."""
    so(RING, moves="ANK - CON, CON - SMY, SMY - ANK")
    so(RING, rules=LITERAL, moves="", datc={"moves": "ANK - CON, CON - SMY, SMY - ANK"})
    assert "rotation" in SEED.unsettled


# ====================================================================== IX support


@pytest.mark.parametrize(
    ("supporter", "counts"),
    [
        ("A Tri (S) A Tyr-Ven", True),
        ("A Rom (S) A Tyr-Ven", True),
        ("F Adr (S) A Tyr-Ven", True),  # fleets support armies
        ("F Rom (S) A Tyr-Ven", False),  # they touch, but not along a coast
        ("A Mun (S) A Tyr-Ven", False),  # not next to Venice
        ("F Nap (S) A Tyr-Ven", False),
    ],
)
def test_IX_1_who_supports_could_have_gone_there(supporter: str, counts: bool) -> None:
    so(f"Austria: A Tyr-Ven; {supporter}\nItaly: A Ven (H)", moves="TYR - VEN" if counts else "")


def test_IX_1_an_army_supports_nothing_at_sea_and_a_fleet_nothing_inland() -> None:
    so("France: F Bre-Eng; A Pic (S) F Bre-Eng\nEngland: F Eng (H)", moves="")
    so("France: A Par-Bur; F Bel (S) A Par-Bur\nGermany: A Bur (H)", moves="")


def test_IX_1_armies_support_fleets() -> None:
    so("Italy: F Adr-Tri; A Tyr (S) F Adr-Tri\nAustria: A Tri (H)", moves="ADR - TRI", dislodged="A TRI")


def test_IX_1_conflicts_do_not_stand_in_the_way_of_a_support() -> None:
    """Burgundy could not move to Munich alone, for a unit stands there; it supports there all the same."""
    so("France: A Ruh-Mun; A Bur (S) A Ruh-Mun\nGermany: A Mun (H)", moves="RUH - MUN")


def test_IX_2_the_better_supported_unit_moves() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Par-Bur", moves="MUN - BUR")
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur-Mun", moves="MUN - BUR", dislodged="A BUR")


def test_IX_2_equally_supported_units_stand_off() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Par-Bur; A Gas (S) A Par-Bur", moves="")
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H); A Gas (S) A Bur", moves="")


BEATEN = "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H)"


def test_IX_2_the_dislodged_unit_retreats_or_leaves_the_game() -> None:
    resolution = so(BEATEN, moves="MUN - BUR", retreats={"A BUR": "BEL, GAS, MAR, PAR, PIC"})
    then(resolution, {"FRANCE": ["A Bur - Par"]}, moves="BUR - PAR", removed="")


def test_IX_2_even_where_a_retreat_is_free_the_player_may_remove_it() -> None:
    then(adjudicate(BEATEN, rules=SEED), {"FRANCE": ["A Bur D"]}, moves="", removed="A BUR")


OWN_ARMY = "France: A Par-Bur; A Mar (S) A Par-Bur; A Bur (H)"


def test_IX_3_no_power_dislodges_its_own_unit() -> None:
    so(OWN_ARMY, moves="", dislodged="")
    so("France: A Par-Bur; A Mar (S) A Par-Bur; A Bur-Mun", moves="PAR - BUR, BUR - MUN")


def test_IX_3_but_its_order_has_its_other_effects() -> None:
    """With its support it bounces the attack that would have dislodged Burgundy."""
    so(f"{OWN_ARMY}\nGermany: A Mun-Bur; A Ruh (S) A Mun-Bur", moves="", dislodged="")


def test_IX_3_nor_does_it_help_others_to() -> None:
    so("Germany: A Mun-Bur\nFrance: A Mar (S) German A Mun-Bur; A Bur (H)", moves="", outcomes={"A MAR": "given"})


def test_IX_3_but_such_a_support_has_its_other_effects() -> None:
    """It makes the German attack strong enough to bounce the English one."""
    english = "England: A Bel-Bur; A Pic (S) A Bel-Bur"
    so(f"{english}\nGermany: A Mun-Bur\nFrance: A Mar (S) German A Mun-Bur; A Bur (H)", moves="", dislodged="")
    so(f"{english}\nGermany: A Mun-Bur\nFrance: A Mar (H); A Bur (H)", moves="BEL - BUR", dislodged="A BUR")


def test_IX_4_a_power_bounces_itself() -> None:
    so("France: A Par-Bur; A Mar-Bur", moves="")
    so("France: A Par-Bur; A Mar-Bur; A Gas (S) A Par-Bur; A Bel (S) A Mar-Bur", moves="")


def test_IX_4_unless_one_of_the_two_is_better_supported() -> None:
    so("France: A Par-Bur; A Mar-Bur; A Gas (S) A Par-Bur", moves="PAR - BUR")


def test_IX_5_a_besieged_garrison_stays() -> None:
    so(
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nItaly: A Mar-Bur; A Gas (S) A Mar-Bur\nFrance: A Bur (H)",
        moves="",
        dislodged="",
    )


@pytest.mark.parametrize(
    "order",
    ["F Nth (H)", "F Nth (S) F Nwg", "F Nth (C) A Lon-Bel", "F Nth"],
    ids=["holds", "supports", "convoys", "has none"],
)
def test_IX_6_a_unit_without_an_order_to_move_is_supported_in_place(order: str) -> None:
    so(
        f"England: {order}; F Nwg (S) F Nth; A Lon-Bel\nGermany: F Den-Nth; F Hel (S) F Den-Nth",
        dislodged="",
        moves="LON - BEL" if "(C)" in order else "",
    )


def test_IX_6_a_unit_ordered_to_move_is_not() -> None:
    so(
        "France: A Bur-Mun; A Gas (S) A Bur; A Par (S) A Bur\nGermany: A Mun (H); A Ruh-Bur; A Bel (S) A Ruh-Bur",
        moves="RUH - BUR",
        dislodged="A BUR",
        outcomes={"A GAS": "invalid"},
    )


def test_IX_6_who_supports_stands_next_to_where_not_to_whom() -> None:
    so("France: A Mar (S) German A Mun-Bur\nGermany: A Mun-Bur\nItaly: A Bur (H)", moves="MUN - BUR")


def test_IX_6_a_support_is_not_convoyed() -> None:
    so("England: A Lon (S) A Pic-Bel; F Nth (C) A Lon-Bel; A Pic-Bel\nGermany: A Bel (H)", moves="")


def test_IX_6_a_power_does_not_cut_its_own_support() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur; A Kie-Ruh\nFrance: A Bur (H)", moves="MUN - BUR", dislodged="A BUR")


def test_IX_7_a_unit_dislodged_from_elsewhere_still_bounces() -> None:
    """Venice is dislodged from Piedmont; its move to Tyrolia stands off with Vienna's all the same."""
    so(
        "Italy: A Ven-Tyr\nAustria: A Vie-Tyr\nFrance: A Pie-Ven; A Tus (S) A Pie-Ven",
        moves="PIE - VEN",
        dislodged="A VEN",
    )


def test_IX_7_a_unit_dislodged_from_the_space_itself_does_not() -> None:
    so(
        "Italy: A Ven-Tyr\nGermany: A Mun-Tyr\nAustria: A Tyr-Ven; A Tri (S) A Tyr-Ven",
        moves="TYR - VEN, MUN - TYR",
        dislodged="A VEN",
    )


def test_IX_7_not_even_when_the_attacker_came_by_sea() -> None:
    """The letter of the text, where the DATC thinks of a head-to-head battle (4.A.7)."""
    so(
        "England: A Bel-Hol; F Nth (C) A Bel-Hol; A Ruh (S) A Bel-Hol\nGermany: A Hol-Bel\nFrance: A Pic-Bel",
        moves="BEL - HOL, PIC - BEL",
        dislodged="A HOL",
        datc={"moves": "BEL - HOL", "dislodged": "A HOL"},
    )


# ====================================================================== X cutting support


def test_X_an_attack_from_elsewhere_cuts() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H)\nEngland: A Bel-Ruh", moves="")
    so(
        "Germany: A Mun (H); A Ruh (S) A Mun\nFrance: A Bur-Mun; A Tyr (S) A Bur-Mun\nEngland: A Bel-Ruh",
        moves="BUR - MUN",
    )


def test_X_an_attack_from_where_the_support_is_directed_does_not() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur-Ruh", moves="MUN - BUR", dislodged="A BUR")


def test_X_unless_it_dislodges_the_supporter() -> None:
    so(
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur-Ruh; A Bel (S) A Bur-Ruh",
        moves="BUR - RUH, MUN - BUR",
        dislodged="A RUH",
        outcomes={"A RUH": "cut"},
    )


def test_X_example_10() -> None:
    """Munich is dislodged, and cuts Silesia's support all the same: Prussia does not get to Berlin."""
    so(
        """
        Germany: A Ber (H), A Mun-Sil
        Russia: A Pru-Ber, A Sil (S) A Pru-Ber; A Boh-Mun; A Tyr (S) A Boh-Mun.
        """,
        moves="BOH - MUN",
        dislodged="A MUN",
        outcomes={"A BER": "stands", "A SIL": "cut", "A PRU": "fails", "A TYR": "given"},
    )


# ====================================================================== XI retreats


def test_XI_to_a_neighbour_that_suits_the_unit() -> None:
    so(BEATEN, moves="MUN - BUR", retreats={"A BUR": "BEL, GAS, MAR, PAR, PIC"})
    so(
        "Italy: F Tys-Rom; A Ven (S) F Tys-Rom\nAustria: F Rom (H)",
        moves="TYS - ROM",
        retreats={"F ROM": "NAP, TUS"},
    )


def test_XI_not_to_where_a_unit_stands() -> None:
    so(f"{BEATEN}; A Par (H); A Mar-Gas", moves="MUN - BUR, MAR - GAS", retreats={"A BUR": "BEL, MAR, PIC"})


def test_XI_not_to_where_the_attacker_came_from() -> None:
    resolution = so(BEATEN, moves="MUN - BUR", retreats={"A BUR": "BEL, GAS, MAR, PAR, PIC"})
    assert codes(then(resolution, {"FRANCE": ["A Bur - Mun"]}, moves="", removed="A BUR")) == ["retreat-to-attacker"]


def test_XI_not_even_if_he_came_by_sea() -> None:
    """The text knows no exception (DATC 4.A.5 a)."""
    so(
        "England: A Lon-Bel; F Nth (C) A Lon-Bel; A Hol (S) A Lon-Bel\nFrance: A Bel (H)",
        moves="LON - BEL",
        retreats={"A BEL": "BUR, PIC, RUH"},
    )
    assert SEED.convoyed_origin.slug == "closed"


def test_XI_not_to_what_a_stand_off_left_empty() -> None:
    so(
        f"{BEATEN}\nEngland: A Pic-Par\nItaly: A Gas-Par",
        moves="MUN - BUR",
        retreats={"A BUR": "BEL, MAR"},
    )


def test_XI_without_a_free_space_it_leaves_the_game() -> None:
    so(
        f"{BEATEN}; A Par (H); A Gas (H); A Mar (H); A Pic (H); A Bel (H)",
        moves="MUN - BUR",
        retreats={"A BUR": ""},
        removed="A BUR",
    )


def test_XI_the_player_may_remove_it_all_the_same() -> None:
    then(adjudicate(BEATEN, rules=SEED), {"FRANCE": ["A Bur D"]}, removed="A BUR")


TWO_BEATEN = """
Germany: A Mun-Bur; A Ruh (S) A Mun-Bur
Italy: A Pie-Mar; F Lyo (S) A Pie-Mar
France: A Bur (H); A Spa-Por; A Par-Pic
England: A Mar (H)
"""


def test_XI_1_retreats_are_read_all_at_once() -> None:
    """Who writes first gains nothing by it."""
    resolution = adjudicate(TWO_BEATEN, rules=SEED)
    one = then(resolution, {"FRANCE": ["A Bur - Gas"], "ENGLAND": ["A Mar - Gas"]})
    other = then(resolution, {"ENGLAND": ["A Mar - Gas"], "FRANCE": ["A Bur - Gas"]})
    assert set(one.removed) == set(other.removed)
    assert len(one.removed) == 2


def test_XI_2_units_that_retreat_to_one_space_all_leave_the_game() -> None:
    resolution = so(TWO_BEATEN, dislodged="A BUR, A MAR", moves="MUN - BUR, PIE - MAR, SPA - POR, PAR - PIC")
    then(resolution, {"FRANCE": ["A Bur - Gas"], "ENGLAND": ["A Mar - Gas"]}, moves="", removed="A BUR, A MAR")


def test_XI_2_unless_all_but_one_are_ordered_off() -> None:
    resolution = adjudicate(TWO_BEATEN, rules=SEED)
    then(resolution, {"FRANCE": ["A Bur - Gas"], "ENGLAND": ["A Mar D"]}, moves="BUR - GAS", removed="A MAR")


def test_XI_2_a_unit_without_a_retreat_order_leaves_the_game() -> None:
    resolution = adjudicate(TWO_BEATEN, rules=SEED)
    then(resolution, {"ENGLAND": ["A Mar - Gas"]}, moves="MAR - GAS", removed="A BUR")


def test_XI_2_no_retreat_by_convoy() -> None:
    resolution = adjudicate(
        "England: A Hol-Bel; A Ruh (S) A Hol-Bel; F Nth (H)\nFrance: A Bel (H); F Eng (H)", rules=SEED
    )
    then(resolution, {"FRANCE": ["A Bel - Lon via convoy"]}, moves="", removed="A BEL")
    then(resolution, {"FRANCE": ["A Bel - Lon", "F Eng (C) A Bel - Lon"]}, moves="", removed="A BEL")


def test_XI_2_no_support_for_a_retreat() -> None:
    resolution = adjudicate(TWO_BEATEN, rules=SEED)
    orders = {"FRANCE": ["A Bur - Gas", "A Par (S) A Bur - Gas"], "ENGLAND": ["A Mar - Gas"]}
    then(resolution, orders, moves="", removed="A BUR, A MAR")


# ====================================================================== XII convoys


def test_XII_1_a_fleet_carries_an_army_over_its_sea() -> None:
    """The text's own example."""
    so("England: A Lon-Bel, F Nth (C) A Lon-Bel", moves="LON - BEL")


def test_XII_1_both_orders_name_the_same_destination() -> None:
    so("England: A Lon-Nwy; F Nth (C) A Lon-Bel", moves="")


def test_XII_1_a_foreign_army_with_its_nationality() -> None:
    """The text's own example."""
    so("England: A Lon-Bel\nFrance: F Nth (C) English A Lon-Bel", moves="LON - BEL")


def test_XII_1_only_a_fleet_at_sea() -> None:
    so("England: A Yor-Nwy; F Edi (C) A Yor-Nwy", moves="", outcomes={"F EDI": "illegal"})


def test_XII_1_only_one_army_in_a_movement() -> None:
    so("England: A Lon-Bel; A Edi-Nwy; F Nth (C) A Lon-Bel; F Nth (C) A Edi-Nwy", moves="LON - BEL")


def test_XII_2_over_several_seas() -> None:
    """The text's own example, with fleets of two powers."""
    so(
        "England: A Lon-Tun; F Eng (C) A Lon-Tun; F Mao (C) A Lon-Tun\nFrance: F Wme (C) English A Lon-Tun",
        moves="LON - TUN",
    )


def test_XII_2_the_seas_touch_each_other() -> None:
    so("England: A Lon-Tun; F Eng (C) A Lon-Tun; F Wes (C) A Lon-Tun", moves="")


def test_XII_3_a_dislodged_fleet_carries_nobody() -> None:
    """The army stays, and has no effect where it wanted to go: Ruhr gets there."""
    so(
        "England: A Lon-Bel; F Nth (C) A Lon-Bel\nRussia: F Nwg-Nth; F Ska (S) F Nwg-Nth\nGermany: A Ruh-Bel",
        moves="NWG - NTH, RUH - BEL",
        dislodged="F NTH",
        outcomes={"A LON": "fails"},
    )


def test_XII_3_nor_does_its_army_cut_a_support() -> None:
    so(
        "England: A Lon-Bel; F Nth (C) A Lon-Bel\nRussia: F Nwg-Nth; F Ska (S) F Nwg-Nth\n"
        "Germany: A Bel (S) A Ruh-Bur; A Ruh-Bur\nFrance: A Par-Bur",
        moves="NWG - NTH, RUH - BUR",
    )


def test_XII_3_an_attack_that_does_not_dislodge_changes_nothing() -> None:
    so("England: A Lon-Bel; F Nth (C) A Lon-Bel\nRussia: F Nwg-Nth", moves="LON - BEL")


TWO_ROUTES = "England: A Lon-Bel; F Nth (C) A Lon-Bel; F Eng (C) A Lon-Bel"


def test_XII_4_several_routes_are_no_fault() -> None:
    so(TWO_ROUTES, moves="LON - BEL")


def test_XII_4_but_one_broken_route_is_enough() -> None:
    so(
        f"{TWO_ROUTES}\nRussia: F Nwg-Nth; F Ska (S) F Nwg-Nth",
        moves="NWG - NTH",
        datc={"moves": "NWG - NTH, LON - BEL"},
    )


SIMPLE = """
England: F Lon (S) F Wal-Eng; F Wal-Eng
France: A Bre-Lon; F Eng (C) A Bre-Lon
"""


def test_XII_5_the_convoyed_army_does_not_protect_its_convoy() -> None:
    resolution = so(SIMPLE, moves="WAL - ENG", dislodged="F ENG", outcomes={"F LON": "given"})
    assert resolution.paradoxes == (), "under the seed it is no paradox: the rule is part of the equations"


def test_XII_5_not_even_by_dislodging() -> None:
    """6.F.17: XII.5 is more specific than X (Calhamer)."""
    so(
        f"{SIMPLE}; A Yor (S) A Bre-Lon\nGermany: F Bel-Eng; F Nth (S) F Bel-Eng",
        moves="BRE - LON",
        dislodged="F LON",
        datc={"moves": "", "dislodged": ""},
    )


def test_XII_5_speaks_of_supports_of_an_attack() -> None:
    """Of the others it says nothing: the betrayal of 6.F.18 has no resolution, and the seed none for it."""
    so(
        """
        England: F Nth (C) A Lon-Bel; A Lon-Bel; F Eng (S) A Lon-Bel
        France: F Bel (S) English F Nth
        Germany: F Hel (S) F Ska-Nth; F Ska-Nth
        """,
        open=0,
        datc={"moves": ""},
    )


def test_XII_5_speaks_of_the_armys_own_convoy() -> None:
    """6.F.22: two armies each protect the other's convoy; both outcomes are consistent."""
    so(
        """
        England: F Edi-Nth; F Lon (S) F Edi-Nth
        France: A Bre-Lon; F Eng (C) A Bre-Lon
        Germany: F Bel (S) F Pic-Eng; F Pic-Eng
        Russia: A Nwy-Bel; F Nth (C) A Nwy-Bel
        """,
        open=2,
        datc={"moves": "EDI - NTH, PIC - ENG"},
    )


# ====================================================================== XIII gains and losses


def owners(resolution: Resolution) -> dict[str, set[str]]:
    return {power: set(owned) for power, owned in resolution.following.centres.items()}


def test_XIII_1_a_centre_is_taken_at_the_end_of_an_autumn_movement() -> None:
    resolution = so("phase: F1901M\ncentres: France Paris\nFrance: A Par (H); A Gas-Spa", moves="GAS - SPA")
    assert owners(resolution) == {"FRANCE": {"PAR", "SPA"}}


def test_XIII_1_passing_through_in_spring_takes_nothing() -> None:
    spring = so("centres: France Paris\nFrance: A Par (H); A Gas-Spa", moves="GAS - SPA")
    assert owners(spring) == {"FRANCE": {"PAR"}}
    autumn = then(spring, {"FRANCE": ["A Spa-Gas"]}, moves="SPA - GAS")
    assert owners(autumn) == {"FRANCE": {"PAR"}}


def test_XIII_1_a_centre_that_is_left_is_kept() -> None:
    resolution = so("phase: F1901M\ncentres: France Paris, Spain\nFrance: A Spa-Gas; A Par (H)", moves="SPA - GAS")
    assert owners(resolution) == {"FRANCE": {"PAR", "SPA"}}


def test_XIII_1_until_another_power_stands_there_after_autumn() -> None:
    resolution = so(
        "phase: F1901M\ncentres: France Paris, Spain; Italy Rome\nItaly: F Wes-Spa; A Rom\nFrance: A Par (H)"
    )
    assert owners(resolution) == {"FRANCE": {"PAR"}, "ITALY": {"ROM", "SPA"}}


def test_XIII_1_after_the_retreats() -> None:
    """The army that is dislodged from Burgundy in autumn retreats to Belgium and takes it."""
    resolution = so(
        "phase: F1901M\ncentres: France Paris; Germany Munich, Kiel\n"
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H)",
        moves="MUN - BUR",
    )
    assert str(resolution.following.phase) == "F1901R"
    assert owners(resolution) == {"FRANCE": {"PAR"}, "GERMANY": {"MUN", "KIE"}}
    after = then(resolution, {"FRANCE": ["A Bur - Bel"]}, moves="BUR - BEL")
    assert owners(after) == {"FRANCE": {"PAR", "BEL"}, "GERMANY": {"MUN", "KIE"}}


FRENCH_WINTER = """
phase: W1901A
centres: France Brest, Marseilles, Paris, Spain, Portugal
units: France A Spain, F Portugal, A Paris
"""


def test_XIII_2_units_are_made_as_many_as_centres() -> None:
    so(f"{FRENCH_WINTER}France: Build F Brest; Build A Marseilles", built="F BRE, A MAR")
    so("phase: W1901A\ncentres: France Paris\nunits: France A Par, A Spa\nFrance: Remove A Par", removed="A PAR")


def test_XIII_2_which_units_go_is_the_players_choice() -> None:
    for unit in ("A Par", "A Spa", "F Por"):
        sheet = f"phase: W1901A\ncentres: France Paris, Spain\nunits: France A Par, A Spa, F Por\nFrance: Remove {unit}"
        so(sheet, removed=unit.upper(), automatic="")


@pytest.mark.parametrize(
    ("build", "reason"),
    [
        ("Build A Spain", "build-not-home"),  # a centre, but not within its borders
        ("Build A Burgundy", "build-not-home"),  # within them, but no centre
        ("Build A Paris", "build-occupied"),
        ("Build Brest", "build-kind-missing"),
    ],
)
def test_XIII_2_builds_are_made_in_vacant_own_centres_with_their_kind(build: str, reason: str) -> None:
    assert codes(so(f"{FRENCH_WINTER}France: {build}", built="")) == [reason]


def test_XIII_2_that_are_still_owned() -> None:
    resolution = so(
        "phase: W1901A\ncentres: France Paris, Spain, Portugal; England Brest\nunits: France A Spain\n"
        "France: Build F Brest; Build A Paris",
        built="A PAR",
    )
    assert codes(resolution) == ["build-not-owned"]


RUSSIAN_WINTER = "phase: W1901A\ncentres: Russia Moscow, St Petersburg\nunits: Russia A Moscow\n"


def test_XIII_2_the_coast_of_st_petersburg_is_named() -> None:
    assert codes(so(f"{RUSSIAN_WINTER}Russia: Build F St Petersburg", built="")) == ["build-coast-missing"]
    so(f"{RUSSIAN_WINTER}Russia: Build F St Petersburg(nc)", built="F STP/NC")
    so(f"{RUSSIAN_WINTER}Russia: Build F St Petersburg(sc)", built="F STP/SC")
    so(f"{RUSSIAN_WINTER}Russia: Build A St Petersburg", built="A STP")


def test_XIII_2_a_build_may_be_left_for_later() -> None:
    """The power "can" build; what it does not build it may build in another year."""
    so(FRENCH_WINTER, built="")
    so(f"{FRENCH_WINTER}France: Waive; Build A Marseilles", built="A MAR")


def test_XIII_2_without_a_vacant_own_centre_the_power_waits() -> None:
    so(
        "phase: W1901A\ncentres: France Spain, Portugal, Belgium; England Brest, Paris, Marseilles\n"
        "units: France A Spain; England A Par, A Mar, F Bre\nFrance: Build A Spain; Build A Paris",
        built="",
    )


def test_XIII_2_a_power_without_own_centres_fights_on() -> None:
    resolution = so(
        "phase: F1901M\ncentres: France Spain; England Brest, Paris, Marseilles\n"
        "France: A Gas-Par; A Spa (H)\nEngland: F Bre (H); A Pic (H); F Mar (H)",
        moves="GAS - PAR",
    )
    assert owners(resolution)["FRANCE"] == {"SPA", "PAR"}


def test_XIII_2_builds_and_removals_are_read_all_at_once() -> None:
    """England removes the army in Brest, but France cannot build there in the same winter."""
    so(
        "phase: W1901A\ncentres: France Brest, Paris; England London\n"
        "units: France A Paris; England A Brest, F London\n"
        "England: Remove A Brest\nFrance: Build F Brest",
        built="",
        removed="A BRE",
    )


# ====================================================================== civil disorder

ATTACKED = """
France: A Bur-Mun; A Ruh (S) A Bur-Mun
Germany: A Mun; A Ber; F Kie
"""
"""Germany gives no order at all."""


def test_civil_disorder_its_units_hold_and_do_not_support_each_other() -> None:
    so(
        ATTACKED,
        moves="BUR - MUN",
        dislodged="A MUN",
        outcomes={"A BER": "stands", "F KIE": "stands", "A MUN": "dislodged"},
    )


def test_civil_disorder_a_dislodged_unit_is_removed() -> None:
    so(ATTACKED, moves="BUR - MUN", removed="A MUN", retreats={"A MUN": ""}, datc={"moves": "BUR - MUN", "removed": ""})


def test_civil_disorder_one_order_is_enough_to_avoid_it() -> None:
    so(ATTACKED.replace("F Kie", "F Kie (H)"), moves="BUR - MUN", removed="", retreats={"A MUN": "BOH, SIL, TYR"})


def test_civil_disorder_others_may_support_its_units() -> None:
    """By inference (DATC 4.D.9): the text forbids only that they support each other."""
    so(f"{ATTACKED}Austria: A Boh (S) A Mun", moves="", dislodged="")
    assert "disorder_support" in SEED.unsettled


def test_civil_disorder_it_builds_nothing() -> None:
    so(FRENCH_WINTER, built="", automatic="")


def test_civil_disorder_who_comes_back_plays_on() -> None:
    """A power that has units left gives orders again in another season."""
    lost = adjudicate(ATTACKED, rules=SEED)
    then(lost, {"GERMANY": ["A Ber - Sil"], "FRANCE": ["A Mun (H)"]}, moves="BER - SIL")


def test_civil_disorder_removals_begin_with_the_unit_farthest_from_the_country() -> None:
    """Counted by land and sea alike to the nearest province of the country, by inference: the text does not say how.

    Prussia is German, Tyrolia is one step away. Under the DATC's preferences the centre that is left counts.
    """
    so(
        "phase: W1901A\ncentres: Germany Trieste\nunits: Germany A Prussia, A Tyrolia",
        automatic="A TYR",
        datc={"automatic": "A PRU"},
    )


def test_civil_disorder_removals_take_fleets_before_armies() -> None:
    so("phase: W1901A\ncentres: Germany Munich\nunits: Germany A Tyrolia, F Baltic Sea", automatic="F BAL")


def test_civil_disorder_removals_then_follow_the_alphabet_of_the_spaces() -> None:
    """Of the French names: Espagne before Piémont, while Piedmont comes before Spain; both touch France.

    Under the DATC's preferences Spain, a centre, would go last, whatever the alphabet.
    """
    sheet = "phase: W1901A\ncentres: France Paris\nunits: France A Piedmont, A Spain"
    so(sheet, automatic="A SPA", datc={"automatic": "A PIE"})
    so(sheet, rules=rulebook_named("seed+alphabet=english"), automatic="A PIE")


def test_civil_disorder_only_what_is_missing_is_removed() -> None:
    """A power may order some of its removals; the rest follows the rule."""
    so(
        "phase: W1901A\ncentres: Germany Munich\nunits: Germany A Munich, A Tyrolia, F Baltic Sea\n"
        "Germany: Remove A Tyrolia",
        removed="A TYR, F BAL",
        automatic="F BAL",
    )


# ====================================================================== text 000


def test_000_1_without_help_nobody_is_driven_out() -> None:
    so("Germany: A Mun-Bur\nFrance: A Bur (H)", moves="")


def test_000_1_the_successful_attacker_moves_in_and_the_beaten_unit_retreats() -> None:
    resolution = so(BEATEN, moves="MUN - BUR", dislodged="A BUR")
    then(resolution, {"FRANCE": ["A Bur - Gas"]}, moves="BUR - GAS")


def test_000_2_support_adds_to_the_strength_of_who_holds() -> None:
    """Three in defence against three in attack."""
    so(
        "France: A Bur (H); A Par (S) A Bur; A Gas (S) A Bur\n"
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur; A Bel (S) A Mun-Bur",
        moves="",
    )


def test_000_2_a_support_is_given_without_consent_and_cannot_be_refused() -> None:
    """A support by an enemy keeps two of France's own units from bouncing, as France had planned."""
    plan = "France: A Par-Bur; A Mar-Bur"
    so(plan, moves="")
    so(f"{plan}\nGermany: A Mun (S) French A Par-Bur", moves="PAR - BUR")


def test_000_3_two_beats_one_and_three_beats_two() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H)", moves="MUN - BUR")
    so(
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur; A Bel (S) A Mun-Bur\nFrance: A Bur (H); A Gas (S) A Bur",
        moves="MUN - BUR",
    )
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H); A Gas (S) A Bur", moves="")


@pytest.mark.parametrize(
    "orders",
    [
        "A Bre (S) F Iri-Eng; F Iri-Eng\nEngland: F Eng (H)",
        "A Bre (S) F Eng; F Eng (H)\nEngland: F Iri-Eng; F Wal (S) F Iri-Eng",
        "F Rom (S) A Tyr-Ven; A Tyr-Ven\nItaly: A Ven (H)",
    ],
)
def test_000_4_who_supports_must_be_able_to_go_there(orders: str) -> None:
    """The text's own examples, an army in Brest for the Channel and a fleet in Rome for Venice.

    Its words ask that the supported unit can get to where the support comes from; that is a slip of the translation,
    for the examples and IX.1 say the opposite.
    """
    assert codes(adjudicate(f"France: {orders}", rules=SEED))[0] == "support-out-of-reach"
    so(f"France: {orders}", outcomes={"A BRE" if "A Bre" in orders else "F ROM": "illegal"})


def test_000_4_the_supported_unit_need_not_reach_the_supporter() -> None:
    """The slip taken by its word would forbid this: Munich cannot go to Marseilles."""
    so("France: A Mar (S) German A Mun-Bur\nGermany: A Mun-Bur\nItaly: A Bur (H)", moves="MUN - BUR")


def test_000_5_a_fleet_supports_into_spain_whatever_the_coast() -> None:
    so("France: F Mao (S) A Gas-Spa; A Gas-Spa\nItaly: A Spa (H)", moves="GAS - SPA")
    so("France: F Mao (S) F Mar-Spa(sc); F Mar-Spa(sc)\nItaly: A Spa (H)", moves="MAR - SPA/SC")
    so("France: F Mao (S) F Gas-Spa(nc); F Gas-Spa(nc)\nItaly: A Spa (H)", moves="GAS - SPA/NC")


@pytest.mark.parametrize("order", ["A Bur (H)", "A Bur (S) A Par-Pic", "A Bur"])
def test_000_6_a_unit_that_does_not_move_is_supported_by_naming_its_province(order: str) -> None:
    so(
        f"France: {order}; A Gas (S) Bur; A Par-Pic\nGermany: A Mun-Bur; A Ruh (S) A Mun-Bur",
        moves="PAR - PIC",
        dislodged="",
    )


def test_000_7_a_mover_only_by_a_support_of_exactly_its_move() -> None:
    so(
        "France: A Par-Bur; A Mar (S) A Par-Gas\nGermany: A Mun-Bur",
        moves="",
        outcomes={"A MAR": "invalid"},
    )


def test_000_7_a_support_of_a_move_never_becomes_one_in_place() -> None:
    """Burgundy's supported move fails, and then it stands alone."""
    so(
        "France: A Bur-Mun; A Tyr (S) A Bur-Mun\nGermany: A Mun (H); A Ber (S) A Mun\n"
        "England: A Bel-Bur; A Ruh (S) A Bel-Bur",
        moves="BEL - BUR",
        dislodged="A BUR",
    )


# ====================================================================== text 001


def test_001_1_the_region_is_one_that_the_supporter_could_attack_without_a_convoy() -> None:
    so("England: A Lon (S) A Pic-Bel; F Nth (C) A Lon-Bel; A Pic-Bel\nGermany: A Bel (H)", moves="")
    so("England: A Hol (S) A Pic-Bel; A Pic-Bel\nGermany: A Bel (H)", moves="PIC - BEL")


def test_001_1_a_unit_that_attacks_or_convoys_does_not_support() -> None:
    """It has one order."""
    so("France: A Mar-Gas; A Mar (S) A Par-Bur; A Par-Bur\nGermany: A Bur (H)", moves="MAR - GAS")


def test_001_2_a_fleet_does_not_support_inland() -> None:
    so("Austria: A Vie-Bud; F Tri (S) A Vie-Bud\nRussia: A Bud (H)", moves="", outcomes={"F TRI": "illegal"})
    so("Austria: A Bud (H); F Tri (S) A Bud\nRussia: A Gal-Bud; A Rum (S) A Gal-Bud", moves="GAL - BUD")


def test_001_3_an_army_does_not_support_at_sea() -> None:
    so("Turkey: F Sev-Bla; A Ank (S) F Sev-Bla\nRussia: F Bla (H)", moves="", outcomes={"A ANK": "illegal"})


def test_001_4_either_kind_supports_the_other() -> None:
    so("Turkey: A Bul-Rum; F Bla (S) A Bul-Rum\nRussia: A Rum (H)", moves="BUL - RUM")
    so("Turkey: F Bla-Rum; A Bul (S) F Bla-Rum\nRussia: A Rum (H)", moves="BLA - RUM")


def test_001_5_a_support_is_not_convoyed() -> None:
    so("Italy: A Tun (S) A Rom-Nap; F Tys (C) A Tun-Nap; A Rom-Nap\nAustria: A Nap (H)", moves="")


def test_001_6_a_unit_supports_its_own_or_another_nationality() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Bur (H)", moves="MUN - BUR")
    so("Germany: A Mun-Bur\nItaly: A Mar (S) German A Mun-Bur\nFrance: A Bur (H)", moves="MUN - BUR")


def test_001_7_a_support_cannot_be_refused() -> None:
    so("France: A Par-Bur; A Mar-Bur\nGermany: A Mun (S) French A Mar-Bur", moves="MAR - BUR")


def test_001_8_a_unit_that_supports_can_be_supported() -> None:
    so(
        "France: A Gas (S) A Mar; A Mar (S) A Bur; A Bur (H)\nItaly: A Pie-Mar; A Spa (S) A Pie-Mar\n"
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur",
        moves="MUN - BUR",
        dislodged="A BUR",
        outcomes={"A MAR": "cut"},
    )


def test_001_9_an_attack_succeeds_unless_a_unit_as_strong_stands_in_its_way() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur", moves="MUN - BUR")
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Par-Bur", moves="MUN - BUR")
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Par-Bur; A Gas (S) A Par-Bur", moves="")


def test_001_10_the_weaker_unit_must_retreat_or_leave() -> None:
    resolution = so(BEATEN, dislodged="A BUR", moves="MUN - BUR")
    then(resolution, {"FRANCE": ["A Bur - Par"]}, moves="BUR - PAR")
    then(resolution, {"FRANCE": ["A Bur D"]}, removed="A BUR")


def test_001_11_no_attack_on_an_own_unit_that_stays() -> None:
    so(OWN_ARMY, moves="", dislodged="")
    so("France: A Par-Bur; A Mar (S) A Par-Bur; A Bur-Mun\nGermany: A Mun (H)", moves="", dislodged="")


def test_001_11_nor_by_the_own_supports_of_a_foreign_attack() -> None:
    so("Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nFrance: A Mar (S) German A Mun-Bur; A Bur (H)", moves="MUN - BUR")
    so("Germany: A Mun-Bur\nFrance: A Mar (S) German A Mun-Bur; A Bur (H)", moves="")


def test_001_12_a_power_blocks_a_region_itself_unless_one_attack_is_stronger() -> None:
    plan = "France: A Par-Bur; A Mar-Bur"
    so(plan, moves="")
    so(f"{plan}\nItaly: A Gas (S) French A Mar-Bur", moves="MAR - BUR")


def test_001_13_two_equal_attacks_do_not_drive_a_garrison_out() -> None:
    so(
        "Germany: A Mun-Bur; A Ruh (S) A Mun-Bur\nItaly: A Mar-Bur; A Gas (S) A Mar-Bur\nFrance: A Bur (H)",
        moves="",
        dislodged="",
    )


def test_001_14_a_unit_that_is_driven_out_still_blocks() -> None:
    so(
        "Italy: A Ven-Tyr\nAustria: A Vie-Tyr\nFrance: A Pie-Ven; A Tus (S) A Pie-Ven",
        moves="PIE - VEN",
        dislodged="A VEN",
    )


def test_001_14_but_not_the_region_that_its_attacker_came_from() -> None:
    so(
        "Italy: A Ven-Tyr\nGermany: A Mun-Tyr\nAustria: A Tyr-Ven; A Tri (S) A Tyr-Ven",
        moves="TYR - VEN, MUN - TYR",
        dislodged="A VEN",
    )


@pytest.mark.parametrize("order", ["F Eng (H)", "F Eng (C) A Lon-Bel", "F Eng (S) F Mao", "F Eng"])
def test_001_15_a_unit_that_does_not_attack_is_supported_in_place(order: str) -> None:
    so(f"France: {order}; F Mao (S) F Eng\nEngland: F Nth-Eng; F Wal (S) F Nth-Eng; A Lon (H)", moves="", dislodged="")


def test_001_15_a_unit_that_attacks_is_not() -> None:
    so(
        "France: F Eng-Iri; F Mao (S) F Eng\nEngland: F Nth-Eng; F Wal (S) F Nth-Eng; F Iri (H)",
        moves="NTH - ENG",
        dislodged="F ENG",
    )


# ====================================================================== the table in docs/seed.md

PARAGRAPHS = [
    *("VII.1", "VII.2", "VII.3a", "VII.3b", "VII.3c", "VII.4", "VII.5", "VII.6", "VII.7", "VIII"),
    *(f"IX.{number}" for number in range(1, 8)),
    *("X", "X, example 10", "XI", "XI.1", "XI.2"),
    *(f"XII.{number}" for number in range(1, 6)),
    *("XIII.1", "XIII.2", "civil disorder", "civil disorder, removals"),
    *(f"000.{number}" for number in range(1, 8)),
    *(f"001.{number}" for number in range(1, 16)),
]
"""Every paragraph of the three texts that rules something."""

BEGINNINGS = ("VII", "IX", "X", "civil_disorder", "000", "001")
TESTS = {
    name: value
    for name, value in list(globals().items())
    if name.startswith(tuple(f"test_{beginning}" for beginning in BEGINNINGS))
}


def rows() -> list[list[str]]:
    """The rows of the tables in docs/seed.md whose second cell names tests."""
    text = (Path(__file__).parents[2] / "docs" / "seed.md").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.startswith("|") and "`test_" in line)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named_in(row: list[str]) -> list[str]:
    return re.findall(r"`(test_\w+)`", row[1])


def test_the_table_has_every_paragraph_once() -> None:
    assert [row[0] for row in rows()] == PARAGRAPHS


@pytest.mark.parametrize("paragraph", PARAGRAPHS)
def test_the_tests_in_the_table_exist_and_are_named_after_their_paragraph(paragraph: str) -> None:
    [row] = [row for row in rows() if row[0] == paragraph]
    prefix = "test_" + re.sub(r"\W+", "_", paragraph)
    assert named_in(row)
    assert set(named_in(row)) <= TESTS.keys()
    assert all(name.startswith(prefix) for name in named_in(row))


def test_every_test_of_a_paragraph_is_in_the_table() -> None:
    assert {name for row in rows() for name in named_in(row)} == TESTS.keys()


@pytest.mark.parametrize("paragraph", PARAGRAPHS)
def test_the_table_says_where_the_preferences_of_the_datc_are_others(paragraph: str) -> None:
    """A test that states another result for them belongs to a paragraph that is not "the same"."""
    [row] = [row for row in rows() if row[0] == paragraph]
    differs = any("datc={" in inspect.getsource(TESTS[name]) for name in named_in(row))
    assert differs == (not row[3].startswith("the same"))
