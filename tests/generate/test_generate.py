"""Random phases and phases with a wanted feature: legal, repeatable, and with what they were asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import combinations, permutations
from random import Random

import pytest
from support.plain_evaluator import Decisions, Equations

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.board import Board, UnitKind
from satdip.board.mapfile import load_board
from satdip.check import Status, check_movement
from satdip.check.legal_orders import legal_orders
from satdip.check.remembered import MovementCheck
from satdip.encodings.reading import TRUE
from satdip.generate import FEATURES, GENERATORS, wanted
from satdip.generate.draft import PHASE, Draft
from satdip.generate.options import Options
from satdip.generate.wanted import verdict_on
from satdip.lab import resolutions
from satdip.notation import read_record, write_record
from satdip.phase.orders import Convoy, Order, Support, UnitRef
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Turn
from satdip.rulebook import DATC

MAPS = ["standard", "grid-4x4", "hex-3x3", "ring-6", "hub-6"]


def plain(order: Order) -> Order:
    """Return an order whose references name no powers."""
    refs = {f.name: getattr(order, f.name) for f in fields(order)}
    return replace(order, **{name: replace(ref, power=None) for name, ref in refs.items() if isinstance(ref, UnitRef)})


def scattered(board: Board, rng: Random, number: int) -> dict[str, Unit]:
    units = {}
    for province in rng.sample(sorted(board.provinces), min(number, len(board.provinces))):
        kind = rng.choice([kind for kind in UnitKind if board.locations(kind, province)])
        units[province] = Unit(rng.choice(sorted(board.powers)), kind, rng.choice(board.locations(kind, province)))
    return units


# ---------------------------------------------------------------------- random phases


@pytest.mark.parametrize("name", MAPS)
def test_the_options_are_the_legal_orders(name: str) -> None:
    """The check finds them by trying everything that could be written."""
    board = load_board(name)
    for seed in range(2):
        units = scattered(board, Random(seed), 14)
        options, check = Options(board, units), MovementCheck(Position(board, PHASE, tuple(units.values())), DATC)
        for unit in units.values():
            found = options.orders(unit)
            assert len(set(found)) == len(found)
            assert set(found) == set(map(plain, legal_orders(check, unit))), (seed, str(unit))


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("generator", GENERATORS)
def test_a_seed_gives_one_phase_that_can_be_written_and_read(generator: str, name: str) -> None:
    board, made = load_board(name), GENERATORS[generator]
    for seed in range(5):
        record = write_record(made(board, Random(seed)))
        assert record == write_record(made(board, Random(seed)))
        assert write_record(read_record(record)) == record
    assert write_record(made(board, Random(1))) != write_record(made(board, Random(2)))


@pytest.mark.parametrize("generator", GENERATORS)
def test_every_order_is_legal(generator: str, board: Board) -> None:
    for seed in range(20):
        turn = GENERATORS[generator](board, Random(seed))
        entries = check_movement(turn, DATC).entries
        assert all(entry.given is not None for entry in entries), "a unit without an order"
        assert all(entry.status != Status.ILLEGAL for entry in entries), seed


def test_uniform_orders_are_drawn_from_all_kinds(board: Board) -> None:
    turn = GENERATORS["uniform"](board, Random(0))
    assert len(turn.position.units) == 34
    assert len({type(given.order) for given in turn.orders}) >= 4


def test_coherent_supports_and_convoys_match(board: Board) -> None:
    for seed in range(20):
        turn = GENERATORS["coherent"](board, Random(seed))
        for entry in check_movement(turn, DATC).entries:
            if isinstance(entry.action, Support | Convoy):
                assert entry.status == Status.LEGAL, (seed, str(entry.unit))


def test_dense_positions_are_often_knotted(board: Board) -> None:
    found = [adjudicate_turn(GENERATORS["dense"](board, Random(seed)), DATC) for seed in range(60)]
    assert sum(bool(resolution.paradoxes) for resolution in found) > 12
    assert sum(bool(resolution.rotations) for resolution in found) > 6
    assert {len(core.units) > 3 for r in found for core in r.paradoxes} == {True, False}, (
        "one convoy, and rings of them"
    )


# ---------------------------------------------------------------------- wanted features, told by plain numbers


class Outcome:
    """A phase that is adjudicated, seen by the plain evaluator."""

    def __init__(self, turn: Turn) -> None:
        verdict = verdict_on(turn)
        self.eq = Equations(turn.position.board, check_movement(turn, DATC).actions)
        self.works: Decisions = {node.at: verdict.values[node.index] == TRUE for node in verdict.situation.nodes}
        self.disrupted = [verdict.situation.nodes[index].at for index in verdict.ruling.vetoes]

    def moves_to(self, one: str, other: str) -> bool:
        return one in self.eq.moves and self.eq.target(one) == other

    def supported_moves(self) -> Iterator[tuple[str, str]]:
        """(supporter, mover) for each support that matches a move."""
        for at in self.eq.moves:
            for supporter in self.eq.backers(at):
                yield supporter, at

    def sieges(self) -> Iterator[tuple[str, str, str]]:
        """(garrison, attacker, attacker): both strong enough, and nobody gets in."""
        eq, works = self.eq, self.works
        for at in eq.units:
            for one, other in combinations(eq.attackers(at), 2):
                strong = min(eq.attack(works, one), eq.attack(works, other)) > eq.hold(works, at)
                if at not in eq.moves and strong and not any(works[m] for m in eq.attackers(at)):
                    yield at, one, other


def beleaguered(o: Outcome) -> bool:
    return any(o.sieges())


def self_support(o: Outcome) -> bool:
    return any(
        o.works[s] and o.eq.power(s) == o.eq.power(at) and s != at
        for at, *attackers in o.sieges()
        for attacker in attackers
        for s in o.eq.backers(attacker)
    )


def third_party(o: Outcome) -> bool:
    eq, works = o.eq, o.works
    return any(
        eq.attack(works, m) > eq.defend(works, opponent)
        and not works[m]
        and any(eq.prevent(works, c) >= eq.attack(works, m) for c in eq.attackers(eq.target(m)) if c != m)
        for m in eq.moves
        if (opponent := eq.head_to_head(m)) is not None
    )


def own_unit(o: Outcome) -> bool:
    eq, works = o.eq, o.works
    return any(
        1 + eq.supports_of(works, m) > eq.hold(works, goal) and eq.path(works, m) and not works[m]
        for m in eq.moves
        if (goal := eq.target(m)) in eq.units and goal not in eq.moves and eq.power(goal) == eq.power(m)
    )


def front(o: Outcome) -> bool:
    eq, works = o.eq, o.works
    return any(
        works[zone] and not works[s] and not any(eq.path(works, m) for m in eq.attackers(s) if m != zone)
        for s, _ in o.supported_moves()
        if o.moves_to(zone := eq.zone(s), s) and eq.power(zone) != eq.power(s)
    )


def ring(o: Outcome, *, by_sea: bool = False) -> bool:
    rings = (r for r in o.eq.rings() if len(r) > 2 and all(o.works[at] for at in r))
    return any(not by_sea or any(o.eq.by_sea(at) for at in r) for r in rings)


def exchange(o: Outcome) -> bool:
    return any(
        o.moves_to(one, other) and o.moves_to(other, one) and o.works[one] and o.works[other]
        for one, other in permutations(o.eq.moves, 2)
    )


def harmless(o: Outcome) -> bool:
    eq, works = o.eq, o.works
    return any(
        works[s] and eq.by_sea(m) and not eq.path(works, m) and eq.path(dict.fromkeys(works, True), m)
        for s, _ in o.supported_moves()
        for m in eq.attackers(s)
        if eq.power(m) != eq.power(s) and m != eq.zone(s)
    )


TOLD: Mapping[str, Callable[[Outcome], bool]] = {
    "beleaguered-garrison": beleaguered,
    "beleaguered-self-support": self_support,
    "head-to-head-third-party": third_party,
    "self-dislodgement": own_unit,
    "cut-from-the-front": front,
    "circular-movement": ring,
    "circular-convoy": lambda o: ring(o, by_sea=True),
    "exchange": exchange,
    "harmless-landing": harmless,
    "two-model-core": lambda o: len(list(o.eq.resolutions())) > 1,
    "core-without-models": lambda o: not list(o.eq.resolutions()),
}
"""Feature -> whether an outcome has it, by the plain evaluator."""


def test_every_feature_is_told_in_another_way() -> None:
    assert TOLD.keys() == FEATURES.keys()


@pytest.mark.parametrize("feature", FEATURES)
def test_every_hit_has_the_feature(feature: str, board: Board) -> None:
    seen = set()
    for seed in range(2):
        turn = wanted(feature)(board, Random(seed))
        outcome = Outcome(turn)
        assert not outcome.eq.broken(outcome.works, outcome.disrupted)
        assert TOLD[feature](outcome), (feature, seed)
        assert turn.extra["feature"] == feature
        seen.add(str(write_record(turn)))
    assert len(seen) == 2, "seeds give different phases"


@pytest.mark.long
@pytest.mark.parametrize("name", ["standard", "grid-4x4", "hex-3x3"])
@pytest.mark.parametrize("feature", FEATURES)
def test_many_hits_have_the_feature(feature: str, name: str) -> None:
    for seed in range(100, 140):
        outcome = Outcome(wanted(feature)(load_board(name), Random(seed)))
        assert not outcome.eq.broken(outcome.works, outcome.disrupted)
        assert TOLD[feature](outcome), (feature, seed)


@pytest.mark.parametrize("feature", ["two-model-core", "core-without-models"])
def test_the_lab_sees_the_paradox_too(feature: str, board: Board) -> None:
    for seed in range(20, 22):
        found = resolutions(wanted(feature)(board, Random(seed)), DATC)
        counts = [core.count for core in found.cores if not core.is_rotation]
        assert any(count == 0 for count in counts) if feature == "core-without-models" else max(counts) > 1


def test_features_are_not_everywhere(board: Board) -> None:
    """A test that is true of every phase would be of no use."""
    turn = GENERATORS["coherent"](board, Random(3))
    assert not any(FEATURES[name].holds(verdict_on(turn)) for name in ("two-model-core", "circular-convoy"))


def test_what_cannot_be_found_is_said() -> None:
    with pytest.raises(InputError, match="no feature is called 'luck'; the features are beleaguered-garrison, "):
        wanted("luck")
    # Two armies that change places need two fleets, or land between them; here is one sea, and no land.
    with pytest.raises(InputError, match="no position with exchange was found on ring-1"):
        wanted("exchange")(load_board("ring-1"), Random(0))


def test_hash_seeds_do_not_matter() -> None:
    """Sets are walked in another order in every process; nothing that is generated may depend on it."""
    code = (
        "from random import Random\n"
        "from satdip.generate import GENERATORS, wanted\n"
        "from satdip.board.mapfile import load_board\n"
        "from satdip.notation import write_record\n"
        "board = load_board('standard')\n"
        "makers = [*GENERATORS.values(), wanted('circular-convoy'), wanted('two-model-core')]\n"
        "print([write_record(maker(board, Random(5))) for maker in makers])\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


def test_a_draft_gives_the_orders_that_it_was_told() -> None:
    board = load_board("standard")
    draft = Draft(board)
    draft.army("FRANCE", "BRE")
    draft.fleet("ENGLAND", "ENG")
    draft.fleet("FRANCE", "SPA/NC")
    draft.move("BRE", "LON", via=True)
    draft.convoy(["ENG"], "BRE")
    draft.hold("SPA")
    assert write_record(draft.turn())["orders"] == {
        "ENGLAND": ["F ENG C A BRE - LON"],
        "FRANCE": ["A BRE - LON VIA", "F SPA/NC H"],
    }
    assert draft.free(["SPA/SC", "POR", "ENG"]) == ["POR"]
