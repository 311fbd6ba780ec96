"""Builds and removals (rulebook of 1971, XIII; DATC 6.I and 6.J), and the order in which civil disorder takes units."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdip import Resolution, adjudicate
from satdip.base.budget import UNLIMITED
from satdip.base.errors import InputError
from satdip.check import check_adjustments
from satdip.encodings.adjustments import adjustment_tag
from satdip.encodings.reading import TRUE
from satdip.lab import certify, explain_all
from satdip.lab.explain.orderly import _smallest
from satdip.notation import read_record
from satdip.resolve.adjustments import Plan
from satdip.rulebook import DATC, CountedOrders, Rulebook
from satdip.solving.in_order import decide_in_order

BOTH_WAYS = pytest.mark.parametrize("fold", [True, False], ids=["folded", "solved"])


@dataclass(frozen=True)
class Winter:
    """An adjustment phase.

    Args:
        sheet: its order sheet without the line that names the phase.
        built: new units, without their power.
        removed: units that leave the board by order.
        automatic: units that civil disorder takes, in its order.
        why: the reasons that are told, by their codes, in the order of the orders.
        rules: the rulebook.
    """

    sheet: str
    built: str = ""
    removed: str = ""
    automatic: str = ""
    why: list[str] = field(default_factory=list)
    rules: Rulebook = DATC


FRANCE = """
centres: France Brest, Marseilles, Paris, Spain, Portugal; Germany Munich, Berlin, Kiel
units: France A Spain, F Portugal, A Paris; Germany A Munich, A Berlin, F Kiel
"""
"""Two builds, in Brest and Marseilles."""

RUSSIA = """
centres: Russia Moscow, Sevastopol, St Petersburg, Warsaw, Rumania
units: Russia F Rumania
"""
"""Four builds in the four home centres."""

TWO_BUILDS = RUSSIA.replace("F Rumania", "F Rumania, A Galicia, A Livonia")

BUILDS = {
    "in a vacant home centre that is still owned": Winter(
        FRANCE + "France: Build A Marseilles; Build F Brest", built="A MAR, F BRE"
    ),
    "fewer than there could be": Winter(FRANCE + "France: Build A Marseilles", built="A MAR"),
    "none at all": Winter(FRANCE),
    "declined": Winter(FRANCE + "France: Waive; Waive"),
    "one, and one declined": Winter(FRANCE + "France: Build F Marseilles; Waive", built="F MAR"),
    "an army in a coastal or in an inland centre": Winter(
        RUSSIA + "Russia: Build A Moscow; Build A Sevastopol; Build A St Petersburg", built="A MOS, A SEV, A STP"
    ),
    # -------------------------------------------------------------- where not
    "not outside the home country": Winter(FRANCE + "France: Build A Spain", why=["build-not-home"]),
    "not in a province that is no centre": Winter(FRANCE + "France: Build A Burgundy", why=["build-not-home"]),
    "not in the home of another power": Winter(FRANCE + "France: Build A Kiel", why=["build-not-home"]),
    "not in a home centre that is lost": Winter(
        "centres: France Paris, Spain, Portugal, Belgium; England Brest, London\n"
        "units: France A Spain; England F Wales, F London\nFrance: Build F Brest; Build A Paris",
        built="A PAR",
        why=["build-not-owned"],
    ),
    "not in a home centre that nobody owns": Winter(
        "centres: France Paris, Spain\nunits: France A Spain\nFrance: Build F Brest", why=["build-not-owned"]
    ),
    "not in an occupied home centre": Winter(FRANCE + "France: Build A Paris", why=["build-occupied"]),
    "not where a foreign unit stands": Winter(
        "centres: France Paris, Brest, Spain\nunits: France A Spain; England F Brest\nEngland: Disband F Brest\n"
        "France: Build A Brest; Build A Paris",
        built="A PAR",
        removed="F BRE",
        why=["build-occupied"],
    ),
    "not where an own unit stands that nobody may remove": Winter(
        FRANCE + "France: Disband A Paris; Build A Paris; Build A Marseilles",
        built="A MAR",
        why=["no-removals", "build-occupied"],
    ),
    # -------------------------------------------------------------- what
    "kind to be named on a coast (4.C.3)": Winter(
        FRANCE + "France: Build Brest; Build A Marseilles", built="A MAR", why=["build-kind-missing"]
    ),
    "kind to be guessed inland (4.C.3)": Winter(RUSSIA + "Russia: Build Warsaw", built="A WAR"),
    "no fleet inland (4.C.4 a)": Winter(
        RUSSIA + "Russia: Build F Moscow; Build F Warsaw; Build F Sevastopol",
        built="F SEV",
        why=["build-impossible", "build-impossible"],
    ),
    "coast to be named for a fleet (4.B.7)": Winter(
        RUSSIA + "Russia: Build F St Petersburg; Build A Moscow", built="A MOS", why=["build-coast-missing"]
    ),
    "on one coast": Winter(RUSSIA + "Russia: Build F St Petersburg(nc)", built="F STP/NC"),
    "on the other coast": Winter(RUSSIA + "Russia: Build F St Petersburg(sc)", built="F STP/SC"),
    "on a coast that does not exist": Winter(RUSSIA + "Russia: Build F St Petersburg(ec)", why=["build-coast-missing"]),
    "an army on a coast, which means nothing": Winter(RUSSIA + "Russia: Build A St Petersburg(nc)", built="A STP"),
    # -------------------------------------------------------------- how many
    "the first ones (4.D.4 b)": Winter(
        TWO_BUILDS + "Russia: Build A Moscow; Build A Warsaw; Build F Sevastopol",
        built="A MOS, A WAR",
        why=["too-many-builds"],
    ),
    "the last ones (4.D.4 c)": Winter(
        TWO_BUILDS + "Russia: Build A Moscow; Build A Warsaw; Build F Sevastopol",
        built="A WAR, F SEV",
        why=["too-many-builds"],
        rules=replace(DATC, too_many_builds=CountedOrders.LAST),
    ),
    "none of too many (4.D.4 a)": Winter(
        TWO_BUILDS + "Russia: Build A Moscow; Build A Warsaw; Build F Sevastopol",
        why=["none-of-too-many-builds"] * 3,
        rules=replace(DATC, too_many_builds=CountedOrders.NONE),
    ),
    "an illegal build takes no place": Winter(
        TWO_BUILDS + "Russia: Build F Moscow; Build A Rumania; Build A Warsaw; Build F Sevastopol",
        built="A WAR, F SEV",
        why=["build-impossible", "build-not-home"],
    ),
    "a waived build takes its place": Winter(
        TWO_BUILDS + "Russia: Waive; Build A Warsaw; Build F Sevastopol",
        built="A WAR",
        why=["too-many-builds"],
    ),
    "one unit in a province, the first (4.D.5 b)": Winter(
        FRANCE + "France: Build A Brest; Build F Brest; Build A Marseilles",
        built="A BRE, A MAR",
        why=["not-the-build-there"],
    ),
    "one unit in a province, the first, though it is too many": Winter(
        TWO_BUILDS + "Russia: Build A Moscow; Build A Warsaw; Build F Sevastopol; Build A Sevastopol",
        built="A MOS, A WAR",
        why=["too-many-builds", "not-the-build-there"],
    ),
    "one unit in a province, the last (4.D.5 c)": Winter(
        FRANCE + "France: Build A Brest; Build F Brest; Build A Marseilles",
        built="F BRE, A MAR",
        why=["not-the-build-there"],
        rules=replace(DATC, builds_in_one_place=CountedOrders.LAST),
    ),
    "one unit in a province, neither (4.D.5 a)": Winter(
        FRANCE + "France: Build A Brest; Build F Brest; Build A Marseilles",
        built="A MAR",
        why=["no-build-there", "no-build-there"],
        rules=replace(DATC, builds_in_one_place=CountedOrders.NONE),
    ),
    "none where all units are kept": Winter(
        "centres: Germany Munich, Berlin, Kiel\nunits: Germany A Munich, A Ruhr, F Holland\n"
        "Germany: Build F Kiel; Waive",
        why=["no-builds", "no-builds"],
    ),
    "by each power for itself": Winter(
        RUSSIA + FRANCE + "France: Build A Moscow; Build A Brest\nRussia: Build A Moscow; Build A Brest",
        built="A BRE, A MOS",
        why=["build-not-home", "build-not-home"],
    ),
    # -------------------------------------------------------------- other orders
    "no removal where there is something to build": Winter(FRANCE + "France: Disband A Spain", why=["no-removals"]),
    "no move": Winter(FRANCE + "France: A Spain - Gascony; Build A Brest", built="A BRE", why=["wrong-phase"]),
}

ENGLAND = """
centres: England London, Edinburgh
units: England F North Sea, A Wales, F Skagerrak, A London
"""
"""Two removals."""

REMOVALS = {
    "by order": Winter(ENGLAND + "England: Disband F North Sea; Disband A London", removed="F NTH, A LON"),
    "written as a removal": Winter(ENGLAND + "England: Remove F North Sea; Remove A London", removed="F NTH, A LON"),
    "the first of too many (4.D.6 b)": Winter(
        ENGLAND + "England: Disband F North Sea; Disband A London; Disband A Wales",
        removed="F NTH, A LON",
        why=["too-many-removals"],
    ),
    "the last of too many (4.D.6 c)": Winter(
        ENGLAND + "England: Disband F North Sea; Disband A London; Disband A Wales",
        removed="A LON, A WAL",
        why=["too-many-removals"],
        rules=replace(DATC, too_many_removals=CountedOrders.LAST),
    ),
    "none of too many: civil disorder (4.D.6 a)": Winter(
        ENGLAND + "England: Disband F North Sea; Disband A London; Disband A Wales",
        automatic="F SKA, F NTH",
        why=["none-of-too-many-removals"] * 3,
        rules=replace(DATC, too_many_removals=CountedOrders.NONE),
    ),
    "too few: civil disorder takes the rest": Winter(
        ENGLAND + "England: Disband A London", removed="A LON", automatic="F SKA"
    ),
    "the unit that civil disorder would take": Winter(
        ENGLAND + "England: Disband F Skagerrak", removed="F SKA", automatic="F NTH"
    ),
    "one unit twice counts once": Winter(
        ENGLAND + "England: Disband F North Sea; Disband F North Sea",
        removed="F NTH",
        automatic="F SKA",
        why=["second-order"],
    ),
    "no order at all": Winter(ENGLAND, automatic="F SKA, F NTH"),
    "not a unit that is not there": Winter(
        ENGLAND + "England: Disband F Norway; Disband A Wales",
        removed="A WAL",
        automatic="F SKA",
        why=["no-such-unit"],
    ),
    "not a foreign unit": Winter(
        ENGLAND
        + "units: France A Brest\ncentres: France Brest\nEngland: Disband A Brest; Disband A Wales; Disband A London",
        removed="A WAL, A LON",
        why=["foreign-unit"],
    ),
    "not by another power": Winter(
        ENGLAND
        + "units: France A Brest, A Gascony\ncentres: France Brest\n"
        + "France: Disband A London; Disband A Gascony",
        removed="A GAS",
        automatic="F SKA, F NTH",
        why=["foreign-unit"],
    ),
    "no build meanwhile": Winter(
        ENGLAND + "England: Build F Edinburgh; Waive; Disband A Wales; Disband A London",
        removed="A WAL, A LON",
        why=["no-builds", "no-builds"],
    ),
    "of all units of a power without centres": Winter(
        "centres: Turkey Ankara\nunits: Austria A Serbia, F Greece; Turkey A Ankara\nAustria: Disband A Serbia",
        removed="A SER",
        automatic="F GRE",
    ),
}

DISORDER = {
    "the farthest from an owned centre": Winter(
        "centres: France Paris\nunits: France A Burgundy, A Ruhr, A Silesia", automatic="A SIL, A RUH"
    ),
    "over the sea, for an army too": Winter(
        # Apulia is two steps from Tunis, over the Ionian Sea; the Black Sea is four.
        "centres: Italy Tunis\nunits: Italy A Apulia, F Black Sea",
        automatic="F BLA",
    ),
    "over land, for a fleet too": Winter(
        # The Gulf of Bothnia is two steps from Moscow, over Livonia; Bohemia is three.
        "centres: Russia Moscow\nunits: Russia F Gulf of Bothnia, A Bohemia",
        automatic="A BOH",
    ),
    "to the nearest of the owned centres, at home or not": Winter(
        "centres: Russia Moscow, Ankara\nunits: Russia A Armenia, A Livonia, F Gulf of Bothnia",
        automatic="F BOT",
    ),
    "fleets before armies at the same distance": Winter(
        "centres: Italy Venice\nunits: Italy A Apulia, F Adriatic Sea", automatic="F ADR"
    ),
    "then by the alphabet of the names on the map": Winter(
        "centres: Germany Munich\nunits: Germany A Tyrolia, A Bohemia, A Burgundy", automatic="A BOH, A BUR"
    ),
    "by names, not by abbreviations": Winter(
        # LYO is the Gulf of Lyon, ION the Ionian Sea; both are two steps from Rome.
        "centres: Italy Rome\nunits: Italy F Gulf of Lyon, F Ionian Sea",
        automatic="F LYO",
    ),
    "units on centres last, even on centres of others": Winter(
        "centres: France Paris; Germany Munich, Berlin, Kiel\nunits: France A Munich, A Picardy, A Gascony",
        automatic="A GAS, A PIC",
    ),
    "units on centres when no others are left": Winter(
        "centres: France Paris\nunits: France A Munich, F Brest, A Picardy", automatic="A PIC, F BRE"
    ),
    "fleets first without any centre": Winter(
        "centres: Turkey Ankara\nunits: Turkey A Ankara; Austria A Vienna, F Ionian Sea, A Albania",
        automatic="F ION, A ALB, A VIE",
    ),
    "each power by itself": Winter(
        "centres: France Paris; Germany Munich\nunits: France A Burgundy, A Gascony; Germany A Ruhr, A Silesia",
        automatic="A BUR, A RUH",
    ),
}


def listed(text: str) -> list[str]:
    return [unit for unit in text.split(", ") if unit]


def codes(resolution: Resolution) -> list[str]:
    return [reason.code for result in resolution.orders for reason in result.reasons]


@pytest.mark.parametrize(
    "case", [*BUILDS.values(), *REMOVALS.values(), *DISORDER.values()], ids=[*BUILDS, *REMOVALS, *DISORDER]
)
@BOTH_WAYS
def test_adjustments(case: Winter, fold: bool) -> None:
    resolution = adjudicate(f"phase: W1901A\n{case.sheet}", rules=case.rules, fold=fold)
    assert sorted(map(str, resolution.built)) == sorted(listed(case.built))
    assert list(map(str, resolution.automatic)) == listed(case.automatic)
    assert sorted(map(str, resolution.removed)) == sorted(listed(case.removed) + listed(case.automatic))
    assert codes(resolution) == case.why
    assert set(resolution.following.units) == ({*resolution.position.units} - {*resolution.removed}) | {
        *resolution.built
    }
    assert str(resolution.following.phase) == "S1902M"
    assert resolution.following.centres == resolution.position.centres
    for result in resolution.orders:
        assert result.success == (not result.reasons)
        assert result.disbanded == (result.unit in resolution.removed and result.success)


# ---------------------------------------------------------------------- which orders matter


@given(
    st.lists(st.sampled_from(["A PAR B", "F BRE B", "A BRE B", "F MAR B", "WAIVE"]), min_size=1, max_size=9),
    st.sampled_from(CountedOrders),
    st.sampled_from([CountedOrders.FIRST, CountedOrders.LAST]),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
)
def test_a_few_builds_stand_for_all_that_matter(
    texts: list[str], in_one_place: CountedOrders, counted: CountedOrders, spare: int, rng: Random
) -> None:
    """As few orders force what becomes of a build, whether all others are looked at or those of `Plan.about`."""
    centres = ["PAR", "BRE", "MAR", "SPA", "POR"]
    record = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A SPA", "A POR", "A BEL", "A MUN"][: 5 - spare]},
        "centers": {"FRANCE": centres},
        "orders": {"FRANCE": texts},
    }
    rules = replace(DATC, builds_in_one_place=in_one_place, too_many_builds=counted)
    turn = read_record(record)
    plan = Plan.of(turn.position, "FRANCE", check_adjustments(turn, rules), rules)
    own = rng.randrange(len(plan.entries))
    fewer = plan.about(own)
    again = next(number for number, entry in enumerate(fewer.entries) if entry is plan.entries[own])
    values = decide_in_order(plan.nodes, plan.equations, adjustment_tag)
    works = values[own] == TRUE
    assert decide_in_order(fewer.nodes, fewer.equations, adjustment_tag)[again] == values[own]
    among_all, _ = _smallest(plan.nodes, plan.equations, plan.nodes[own], works, frozenset(), UNLIMITED)
    among_fewer, _ = _smallest(fewer.nodes, fewer.equations, fewer.nodes[again], works, frozenset(), UNLIMITED)
    assert len(among_fewer) == len(among_all)


def test_a_thousand_builds_are_left_to_the_solver_and_no_more() -> None:
    record = {"phase": "W1901A", "units": {"ITALY": ["A ROM"]}, "centers": {"FRANCE": ["PAR"]}}
    with pytest.raises(InputError, match="FRANCE has 1001 builds or removals; the solver alone takes at most 1000"):
        adjudicate(record | {"orders": {"FRANCE": ["WAIVE"] * 1001}}, fold=False)
    assert adjudicate(record | {"orders": {"FRANCE": ["WAIVE"] * 1001}}).built == ()


def test_far_more_orders_than_units_are_not_explained_at_once() -> None:
    record = {"phase": "W1901A", "units": {"ITALY": ["A ROM"]}, "centers": {"FRANCE": ["PAR"]}}
    turn = read_record(record | {"orders": {"FRANCE": ["WAIVE"] * 300}})
    with pytest.raises(InputError, match="these are 300 orders, and at most 275 are explained at once here"):
        next(explain_all(turn, DATC))


def test_a_certificate_has_not_more_orders_than_can_be_checked() -> None:
    record = {"phase": "W1901A", "units": {"ITALY": ["A ROM"]}, "centers": {"FRANCE": ["PAR"]}}
    turn = read_record(record | {"orders": {"FRANCE": ["WAIVE"] * 20_001}})
    with pytest.raises(InputError, match="at most 20000 orders of a power; FRANCE has 20001"):
        certify(turn, DATC)
