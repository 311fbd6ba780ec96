"""What would be if others gave other orders, tested by trying every order set of small positions."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

import pytest
from reference import RefMap
from support.commands import satdip
from support.positions import draw, turn_of
from support.promises import order_matches

from satdip.base.budget import Budget, OutOfTime
from satdip.base.errors import InputError
from satdip.board import Board
from satdip.check.legal_orders import legal_orders
from satdip.check.remembered import MovementCheck
from satdip.encodings.reading import TRUE
from satdip.encodings.situation import HoldNode, Situation
from satdip.lab.explain import find_unit
from satdip.lab.naming import order_name
from satdip.lab.phase import Movement
from satdip.lab.what_if import find_power, force, turn_outcome
from satdip.notation import read_turn
from satdip.phase.orders import Convoy, Move, Order, Support
from satdip.phase.turn import Turn
from satdip.rulebook import DATC, rulebook_named
from satdip.solving.decide import decide
from satdip.solving.verdict import Verdict

POSITIONS = {
    "6.F.14": "England: F Lon S F Wal-Eng, F Wal-Eng\nFrance: A Bre-Lon, F Eng C A Bre-Lon",
    "head to head": "Germany: A Ber-Pru, F Kie S A Ber-Pru\nRussia: A Pru-Ber, A Sil S A Pru-Ber",
    "ring": "Turkey: A Ank-Con, A Con-Smy, A Smy-Ank\nRussia: F Bla H",
    "garrison": "Germany: A Bur H\nFrance: A Par-Bur, A Mar S A Par-Bur\nItaly: A Pie-Mar",
    "swap by convoy": "England: A Nwy-Swe, F Ska C A Nwy-Swe\nRussia: A Swe-Nwy",
    "void": "France: A Par S A Mun-Bur\nGermany: A Mun-Tyr, A Ruh S A Mun",
}


class Everything:
    """A position in which every order set can be tried."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.movement = Movement.of(turn, DATC)
        self.actual = {unit.province: order for unit, order in self.movement.checked.actions}
        check = MovementCheck(turn.position, DATC)
        self.options = {unit.province: legal_orders(check, unit) for unit in turn.position.units}

    def outcome(self, orders: Mapping[str, Order], at: str) -> bool | None:
        """Adjudicate an order set: whether an order works, or for a hold whether its unit is dislodged.

        None for an order that matches none of the others.
        """
        units = self.turn.position.units
        given = {unit: orders[unit.province] for unit in units}
        unit = next(unit for unit in units if unit.province == at)
        verdict = decide(Situation(self.turn.position.board, units, given.items(), DATC))
        return outcome_in(verdict, at) if order_matches(given, unit, DATC) else None

    def sets(self, kept: Iterable[str]) -> Iterator[dict[str, Order]]:
        """Yield every order set in which some units keep their orders."""
        kept = set(kept)
        choices = [[self.actual[at]] if at in kept else options for at, options in self.options.items()]
        for orders in product(*choices):
            yield dict(zip(self.options, orders, strict=True))


def outcome_in(verdict: Verdict, at: str) -> bool:
    node = next(node for node in verdict.situation.nodes if node.at == at)
    return at in verdict.dislodged if isinstance(node, HoldNode) else verdict.values[node.index] == TRUE


def questions() -> list[tuple[str, str]]:
    return [(name, str(unit)) for name, text in POSITIONS.items() for unit in read_turn(text).position.units]


@pytest.mark.parametrize(("name", "unit"), questions())
def test_the_orders_force_the_outcome_and_no_fewer_do(name: str, unit: str) -> None:
    turn = read_turn(POSITIONS[name])
    at = find_unit(turn, unit).province
    every = Everything(turn)
    found = force(turn, DATC, find_unit(turn, unit))
    assert found.smallest
    assert found.proven
    kept = {other.province for other in found.orders}
    actual = every.outcome(every.actual, at)
    assert all(every.outcome(orders, at) == actual for orders in every.sets(kept))
    for fewer in combinations(sorted(kept - {at}), max(len(kept) - 2, 0)):
        if len(kept) > 1:
            assert any(every.outcome(orders, at) != actual for orders in every.sets({at, *fewer}))


@pytest.mark.parametrize(("name", "unit"), questions())
def test_the_fewest_changes_that_turn_the_outcome(name: str, unit: str) -> None:
    turn = read_turn(POSITIONS[name])
    asked = find_unit(turn, unit)
    every = Everything(turn)
    actual = every.outcome(every.actual, asked.province)
    for power in dict.fromkeys(u.power for u in turn.position.units):
        found = turn_outcome(turn, DATC, asked, [power], limit=3)
        assert found.complete
        others = [u.province for u in turn.position.units if u.power == power and u != asked]
        fewest = fewest_changes(every, others, asked.province, actual)
        assert found.fewest == fewest
        for change in found.changes:
            orders = {**every.actual, **{u.province: order for u, order in change.items()}}
            assert every.outcome(orders, asked.province) != actual
            assert len(change) == fewest
            assert {u.power for u in change} == {power}


def fewest_changes(every: Everything, others: Sequence[str], at: str, actual: bool | None) -> int | None:
    """Try all changes of one unit, of two, and so on."""
    for number in range(1, len(others) + 1):
        for changed in combinations(others, number):
            kept = every.options.keys() - changed
            if any(every.outcome(orders, at) != actual for orders in every.sets(kept)):
                return number
    return None


def test_nobody_else_can_stop_a_supported_attack_that_cannot_be_cut() -> None:
    turn = read_turn("France: A Par-Bur, A Gas S A Par-Bur\nGermany: A Bur H")
    found = force(turn, DATC, find_unit(turn, "A Par"))
    # An attack from Burgundy itself would not cut the support that is directed there.
    assert [order_name(o, turn.position.board) for o in found.orders.values()] == ["A PAR - BUR", "A GAS S A PAR - BUR"]


def test_what_is_not_covered_is_said() -> None:
    turn = read_turn("France: A Par-Bur, A Gas S A Par-Bur\nGermany: A Bur H")
    found = force(turn, rulebook_named("1971"), find_unit(turn, "A Par"))
    assert not found.proven
    assert "not covered" in str(found)


def test_questions_that_cannot_be_answered() -> None:
    open_turn = read_turn(POSITIONS["6.F.14"])
    with pytest.raises(InputError, match="give no answer"):
        force(open_turn, rulebook_named("datc+4.A.2=none"), find_unit(open_turn, "F Wal"))
    with pytest.raises(InputError, match="no power with units here"):
        find_power(open_turn, "Italy")
    winter = read_turn("phase: W1901A\ncentres: France Paris\nunits: France A Paris\nFrance: Waive")
    with pytest.raises(InputError, match="is no movement phase"):
        force(winter, DATC, winter.position.units[0])


def test_powers_by_any_name() -> None:
    turn = read_turn(POSITIONS["6.F.14"])
    assert {find_power(turn, name) for name in ("ENGLAND", "england", "Angleterre")} == {"ENGLAND"}


def test_no_time() -> None:
    turn = read_turn(POSITIONS["6.F.14"])
    with pytest.raises(OutOfTime):
        force(turn, DATC, find_unit(turn, "F Wal"), Budget(deadline=0.0))
    assert not turn_outcome(turn, DATC, find_unit(turn, "F Wal"), ["FRANCE"], budget=Budget(deadline=0.0)).complete


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        (("F Wal", "--robust"), {"claim", "orders", "units", "smallest", "proven"}),
        (("F Wal", "--if", "England"), {"claim", "powers", "fewest", "changes", "complete"}),
        (("--irrelevant",), {"irrelevant"}),
    ],
)
def test_the_command(arguments: tuple[str, ...], keys: set[str]) -> None:
    run = satdip("explain", "-", *arguments, "--json", stdin=POSITIONS["6.F.14"].encode())
    assert run.code == 0
    assert run.json.keys() == keys


# ---------------------------------------------------------------------- what --robust promises, on larger positions


def other_orders(every: Everything, kept: Iterable[str], rng: random.Random) -> dict[str, Order]:
    """Draw orders for the units that may get any: their own, or others, most of which go together."""
    orders = {at: every.actual[at] for at in kept}
    moves: list[tuple[str, str]] = []
    for at in rng.sample(sorted(every.options), len(every.options)):
        if at not in orders:
            fitting = [o for o in every.options[at] if _goes_with(o, moves)]
            own = [every.actual[at]] if every.actual[at] in every.options[at] else []
            orders[at] = rng.choice(rng.choice([bag for bag in (fitting, own, own, every.options[at]) if bag]))
        if isinstance(orders[at], Move):
            moves.append((at, orders[at].dst))  # type: ignore[union-attr]
    return orders


def _goes_with(order: Order, moves: Sequence[tuple[str, str]]) -> bool:
    if isinstance(order, Support) and order.destination is not None:
        return (order.target.province, order.zone) in moves
    return isinstance(order, Convoy) and (order.army.province, order.dst) in moves


def assert_robust(seed: int, changes: int, board: Board, ref_map: RefMap) -> Counter[str]:
    turn = turn_of(*draw("dense", seed, ref_map), board)
    every, rng, done = Everything(turn), random.Random(seed), Counter[str]()
    for unit in rng.sample(turn.position.units, 2):
        try:
            found = force(turn, DATC, unit, Budget.of(60))
        except OutOfTime:
            done["unfinished"] += 1
            continue
        assert found.proven
        kept = {other.province for other in found.orders}
        actual = every.outcome(every.actual, unit.province)
        done["questions"] += 1
        for _ in range(changes):
            orders = other_orders(every, kept, rng)
            done["changes"] += 1
            assert every.outcome(orders, unit.province) == actual, f"{seed} {found}\nbut not when {orders}"
    return done


@pytest.mark.parametrize("seed", range(4))
def test_no_other_legal_orders_change_what_is_robust(seed: int, board: Board, ref_map: RefMap) -> None:
    assert assert_robust(seed, 30, board, ref_map)["changes"] == 60


@pytest.mark.long
def test_no_other_legal_orders_change_what_is_robust_in_many_positions(board: Board, ref_map: RefMap) -> None:
    done: Counter[str] = Counter()
    for seed in range(100, 230):
        done += assert_robust(seed, 40, board, ref_map)
    sys.stdout.write(f"{done}, none false\n")
    assert done["unfinished"] <= 5
    assert done["changes"] >= 10_000


def test_a_support_is_robust_only_with_what_it_supports() -> None:
    turn = read_turn("Germany: A Mun - Bur, A Ruh S A Mun - Bur\nAustria: A Bud H")
    found = force(turn, DATC, find_unit(turn, "A Ruh"))
    assert [order_name(o, turn.position.board) for o in found.orders.values()] == ["A MUN - BUR", "A RUH S A MUN - BUR"]


def test_a_void_support_is_said_not_to_count() -> None:
    turn = read_turn(POSITIONS["void"])
    found = force(turn, DATC, find_unit(turn, "A Par"))
    assert "A Paris Supports A Munich - Burgundy does not count" in str(found)
    assert [order_name(o, turn.position.board) for o in found.orders.values()] == ["A PAR S A MUN - BUR", "A MUN - TYR"]
