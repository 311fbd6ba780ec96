"""Delta debugging of phases: what is left is interesting, and no single step makes it smaller."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.positions import draw, reference_map, turn_of

from satdip.adjudication import adjudicate_turn
from satdip.base.budget import Budget
from satdip.base.errors import InputError
from satdip.board.mapfile import load_board
from satdip.notation import read_turn, write_record
from satdip.phase.minimise import Minimised, minimise, restricted_to, size
from satdip.phase.orders import Disband, Hold, Move, UnitRef, ordered_unit
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, rulebook_named

BOARD = load_board("standard")
BACKUPLESS = rulebook_named("datc+4.A.2=none")
Predicate = Callable[[Turn], bool]


def drawn(seed: int, generator: str = "dense") -> Turn:
    return turn_of(*draw(generator, seed, reference_map()), BOARD)


# ---------------------------------------------------------------------- single steps, found in another way


def without(turn: Turn, province: str) -> Turn:
    """Leave a unit out, by its record."""
    units = tuple(unit for unit in turn.position.units if unit.province != province)
    orders = tuple(one for one in turn.orders if (ref := ordered_unit(one.order)) is None or ref.province != province)
    return replace(turn, position=replace(turn.position, units=units), orders=orders)


def single_steps(turn: Turn) -> Iterator[Turn]:
    """Every phase that is one step smaller: a unit fewer, a unit that holds, a move without "via convoy"."""
    for unit in turn.position.units:
        yield without(turn, unit.province)
    for index, one in enumerate(turn.orders):
        ref = ordered_unit(one.order)
        assert ref is not None
        simpler = [] if isinstance(one.order, Hold) else [Hold(UnitRef(ref.location, ref.kind))]
        if isinstance(one.order, Move) and one.order.via:
            simpler.append(replace(one.order, via=False))
        for order in simpler:
            yield replace(turn, orders=(*turn.orders[:index], replace(one, order=order), *turn.orders[index + 1 :]))


def somebody_is_dislodged(turn: Turn) -> bool:
    return bool(adjudicate_turn(turn, DATC).dislodged)


def a_support_is_cut(turn: Turn) -> bool:
    return any(str(result.outcome) == "cut" for result in adjudicate_turn(turn, DATC).orders)


def the_way_of_the_convoy_matters(turn: Turn) -> bool:
    one, other = (adjudicate_turn(turn, rulebook_named(name)) for name in ("datc+4.A.3=c", "datc+4.A.3=d"))
    return [result.success for result in one.orders] != [result.success for result in other.orders]


def showing(interesting: Predicate, number: int) -> list[Turn]:
    """Return the first drawn positions that show something."""
    found = (turn for seed in range(2000) for kind in ("dense", "uniform") if interesting(turn := drawn(seed, kind)))
    return list(islice(found, number))


@pytest.mark.parametrize("interesting", [somebody_is_dislodged, a_support_is_cut, the_way_of_the_convoy_matters])
def test_no_single_step_makes_it_smaller(interesting: Predicate) -> None:
    turns = showing(interesting, 8)
    assert len(turns) == 8
    for turn in turns:
        found = minimise(turn, interesting)
        assert found.finished
        assert interesting(found.turn)
        assert not any(map(interesting, single_steps(found.turn)))
        assert minimise(turn, interesting) == found, "it is not the same twice"


def test_a_dislodgement_needs_three_units() -> None:
    """Attacker, support, victim: strength 2 against 1, and the victim does not move."""
    (turn,) = showing(somebody_is_dislodged, 1)
    found = minimise(turn, somebody_is_dislodged).turn
    assert size(found) == 3
    assert sorted(type(one.order).__name__ for one in found.orders) == ["Hold", "Move", "Support"]


@given(st.integers(0, 50), st.data())
@settings(max_examples=60)
def test_a_set_of_units_that_is_needed_is_what_is_left(seed: int, data: st.DataObject) -> None:
    """Where exactly some units are needed, the smallest phase has them and no other, and all of them hold."""
    turn = drawn(seed)
    provinces = sorted(unit.province for unit in turn.position.units)
    needed = data.draw(st.sets(st.sampled_from(provinces)))
    found = minimise(turn, lambda smaller: needed <= {unit.province for unit in smaller.position.units})
    assert {unit.province for unit in found.turn.position.units} == needed
    assert all(isinstance(one.order, Hold) for one in found.turn.orders)


@given(st.integers(0, 50), st.data())
@settings(max_examples=40)
def test_any_predicate_at_all(seed: int, data: st.DataObject) -> None:
    """A predicate without any law, as a table of which sets of five units are interesting."""
    turn = restricted_to(drawn(seed), [unit.province for unit in drawn(seed).position.units[:5]])
    provinces = [unit.province for unit in turn.position.units]
    table = data.draw(st.lists(st.booleans(), min_size=32, max_size=32))
    table[(1 << len(provinces)) - 1] = True  # the whole

    def interesting(smaller: Turn) -> bool:
        present = {unit.province for unit in smaller.position.units}
        return table[sum(1 << number for number, at in enumerate(provinces) if at in present)]

    found = minimise(turn, interesting).turn
    assert interesting(found)
    assert not any(interesting(without(found, unit.province)) for unit in found.position.units)


# ---------------------------------------------------------------------- paradoxes


def test_a_paradox_is_found_inside_a_whole_board() -> None:
    """No paradox has fewer than four units; the one put among the others is 6.F.14, which has four."""
    turn = read_turn(
        """
        England: F London S F Wales - English Channel, F Wales - English Channel, A Edinburgh - Yorkshire
        France: A Brest - London, F English Channel C A Brest - London, A Paris - Burgundy, A Marseilles S A Paris - Burgundy
        Germany: A Munich - Burgundy, F Kiel - Denmark, A Berlin - Kiel
        Russia: A Warsaw - Galicia, A Moscow - Ukraine, F Sevastopol - Black Sea
        Turkey: F Ankara - Black Sea, A Constantinople - Bulgaria
        """  # noqa: E501
    )
    found = minimise(turn, lambda smaller: adjudicate_turn(smaller, BACKUPLESS).is_open)
    assert found.finished
    assert write_record(found.turn)["orders"] == {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }


# ---------------------------------------------------------------------- orders


def shown(found: Minimised) -> object:
    return write_record(found.turn)["orders"]


def test_words_that_do_not_matter_go() -> None:
    """Two moves to Gascony bounce; the rules of 1982 know no "via convoy". The ordered unit keeps its coast."""
    turn = read_turn("France: F Spain(nc) - Gascony, A Brest - Gascony via convoy, A Marseilles - Piedmont")
    rules = rulebook_named("1982")
    found = minimise(turn, lambda smaller: "GAS" in adjudicate_turn(smaller, rules).contested)
    assert shown(found) == {"FRANCE": ["F SPA/NC - GAS", "A BRE - GAS"]}


def test_of_several_orders_to_a_unit_one_is_left() -> None:
    turn = read_turn("France: A Paris - Burgundy, A Paris - Gascony, A Paris H")
    found = minimise(turn, lambda smaller: any(unit.location == "BUR" for unit in after(smaller)))
    assert shown(found) == {"FRANCE": ["A PAR - BUR"]}


def after(turn: Turn) -> tuple[object, ...]:
    return adjudicate_turn(turn, DATC).following.units


def test_orders_of_other_powers_go() -> None:
    turn = read_turn("phase: S1901M\nunits: France A Paris\nFrance: A Paris - Burgundy\nGermany: A Paris - Gascony")
    found = minimise(turn, lambda smaller: any(unit.location == "BUR" for unit in after(smaller)))
    assert [one.power for one in found.turn.orders] == ["FRANCE"]


# ---------------------------------------------------------------------- other phases


def test_a_retreat_phase() -> None:
    """Two units that retreat to one place leave the board; nobody else is needed, and each needs its order."""
    turn = read_turn(
        """
        phase: S1901R
        units: Germany A Burgundy, A Munich; Italy A Piedmont
        dislodged: France A Paris; retreats Gascony, Brest
        dislodged: France A Marseilles; retreats Gascony, Spain
        dislodged: Austria A Tyrolia; retreats Vienna
        France: A Paris R Gascony, A Marseilles R Gascony
        Austria: A Tyrolia R Vienna
        """
    )
    found = minimise(turn, lambda smaller: "GAS" in adjudicate_turn(smaller, DATC).contested).turn
    assert found.position.units == ()
    assert sorted(item.unit.province for item in found.position.dislodged) == ["MAR", "PAR"]
    assert len(found.orders) == 2
    one_gone = minimise(
        turn, lambda smaller: "PAR" in {u.province for u in adjudicate_turn(smaller, DATC).removed}
    ).turn
    assert [one.order for one in one_gone.orders] == [Disband(UnitRef("PAR", one_gone.position.dislodged[0].unit.kind))]


def test_a_winter() -> None:
    """A removal by civil disorder needs one centre less than units. A winter without any centre cannot be."""
    turn = read_turn(
        """
        phase: W1901A
        centres: France Paris, Brest; Germany Munich, Berlin
        units: France A Paris, A Gascony, A Ruhr; Germany A Munich
        Germany: Build A Berlin
        """
    )
    found = minimise(turn, lambda smaller: bool(adjudicate_turn(smaller, DATC).automatic)).turn
    assert found.orders == ()
    assert len(found.position.units) == 1
    assert sum(map(len, found.position.centres.values())) == 1
    with pytest.raises(InputError):
        replace(found.position, centres={})


def test_a_winter_becomes_smaller_by_a_unit_and_a_centre_at_once() -> None:
    """Picardy and Wales are a step from a centre each, and the alphabet decides; a centre less alone ends the tie."""
    turn = read_turn(
        """
        phase: W1901A
        centres: France Paris, London, Brest, Spain
        units: France A Picardy, A Wales, A Paris, A Brest, A Spain
        """
    )

    def the_alphabet_decides(smaller: Turn) -> bool:
        removed = [
            adjudicate_turn(smaller, rulebook_named(name)).automatic for name in ("datc", "datc+alphabet=french")
        ]
        return [unit.location for units in removed for unit in units] == ["PIC", "WAL"]

    assert the_alphabet_decides(turn)
    found = minimise(turn, the_alphabet_decides).turn.position
    assert (len(found.units), sum(map(len, found.centres.values()))) == (3, 2)


# ---------------------------------------------------------------------- calls and time


def test_no_phase_is_tried_twice() -> None:
    turn, tried = drawn(3), []

    def interesting(smaller: Turn) -> bool:
        tried.append((smaller.position.units, smaller.orders))
        return len(smaller.position.units) >= 4

    found = minimise(turn, interesting)
    assert found.calls == len(tried)
    assert len(set(tried)) == len(tried)


def test_when_the_time_is_up_it_gives_the_best_so_far() -> None:
    turn = drawn(1)
    found = minimise(turn, lambda _: True, Budget(deadline=time.monotonic()))
    assert found == Minimised(turn, 1, finished=False)
    calls = 0

    def slow(smaller: Turn) -> bool:
        nonlocal calls
        calls += 1
        if calls == 10:
            object.__setattr__(budget, "deadline", 0.0)  # the time passes
        return len(smaller.position.units) >= 3

    budget = Budget.of(1e6)
    cut_short = minimise(turn, slow, budget)
    assert not cut_short.finished
    assert cut_short.calls == 10
    assert 3 <= size(cut_short.turn) < size(turn)


def test_a_phase_that_is_not_interesting() -> None:
    with pytest.raises(ValueError, match="not interesting to begin with"):
        minimise(drawn(1), lambda _: False)


def test_a_part_of_the_board() -> None:
    turn = drawn(2)
    provinces = {unit.province for unit in turn.position.units[:3]}
    part = restricted_to(turn, provinces)
    assert part.position.units == turn.position.units[:3]
    assert part.position.phase.kind == PhaseKind.MOVEMENT
    assert {ref.province for one in part.orders if (ref := ordered_unit(one.order))} == provinces
