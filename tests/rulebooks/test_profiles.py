"""Every edition is what `issues.json` says of it, and every rulebook gives sound results on random positions.

The laws: without convoys the choices about convoys do not matter; folding and the solver alone agree under every
rulebook; and what a rulebook leaves open is what its equations leave open, as plain numbers tell (`edition_evaluator`).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import RefMap
from support.edition_evaluator import BY_THEMSELVES, EditionEquations
from support.plain_evaluator import Decisions
from support.positions import Drawn, Powers, describe, draw, reference_map, turn_of

from satdip.adjudication import adjudicate_turn
from satdip.board import Board, province_of
from satdip.board.mapfile import load_board
from satdip.check import check_movement
from satdip.phase.orders import Convoy, Move
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, PROFILES, AdjacentConvoy, Paradox, Rulebook, issues

BOARD = load_board("standard")
ISSUES = {issue.section: issue for issue in issues()}

PARADOX_RULES = {rule.slug: DATC.override({"4.A.2": rule.slug}) for rule in Paradox}
RULEBOOKS = {**PROFILES, **{f"datc+{slug}": book for slug, book in PARADOX_RULES.items()}}
"""Every profile, and the preferences of the DATC with every paradox rule."""


# ---------------------------------------------------------------------- the editions, statement by statement

IN_WORDS: dict[tuple[str, str], tuple[str, bool]] = {
    # What is stated without a letter: the choice that we make of it, and whether the edition settles the issue.
    ("4.A.3", "DPTG"): ("tag", True),
    ("4.A.4", "1971"): ("start", False),  # Brannan's rule is neither there nor forbidden
    ("4.A.4", "2000"): ("start", True),
    ("4.A.4", "2023"): ("start", True),  # which is why retreats (point 3) need a rule of their own
    ("4.A.4", "2025EE"): ("start", True),
    ("4.A.5", "1971"): ("closed", False),  # "a if taken literally"
    ("4.A.5", "1982"): ("closed", False),
    ("4.A.5", "2000"): ("closed", False),
    ("4.B.4", "1971"): ("either", False),
    ("4.B.4", "1982"): ("either", False),
    ("4.B.4", "2000"): ("either", False),
    ("4.B.4", "2023"): ("either", False),  # a coast that is given must match; a missing one is not settled
    ("4.B.7", "1971"): ("required", True),
    ("4.B.7", "1976"): ("required", True),
    ("4.B.7", "1982"): ("required", True),
    ("4.B.7", "2000"): ("required", True),
    ("4.B.7", "2023"): ("required", True),
    ("4.C.3", "1971"): ("required-on-coasts", True),
    ("4.C.3", "1982"): ("required-on-coasts", True),
    ("4.C.3", "2000"): ("required-on-coasts", True),
    ("4.C.3", "2023"): ("required-on-coasts", True),
    ("4.D.7", "1971"): ("allowed", False),
    ("4.D.7", "1982"): ("allowed", False),
    ("4.D.8", "DPTG"): ("own-way", True),  # a, with fleets counted as fleets move
    ("4.E.1", "1971"): ("ignored", False),
    ("4.E.1", "1982"): ("ignored", False),
    ("4.E.1", "2000"): ("ignored", False),
    ("4.E.1", "2023"): ("ignored", True),
    ("4.E.1", "2025EE"): ("ignored", True),
}

NO_FALLBACK_STATED = {("4.A.3", "2000"), ("4.A.3", "2023")}
"""c, "unclear whether a missing or broken convoy falls back to the land route": we use d, and mark it as ours."""


@pytest.fixture(scope="module")
def documented(shared: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared / "datc" / "issues.json").read_text(encoding="utf-8"))
    return found


def statements(documented: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    for issue in documented:
        for edition, statement in issue["rulebooks"].items():
            yield issue["id"], edition, statement


def test_an_edition_has_the_letters_that_are_stated_of_it(documented: list[dict[str, Any]]) -> None:
    checked = 0
    for section, edition, statement in statements(documented):
        if len(statement) > 1 or (section, edition) in NO_FALLBACK_STATED:
            continue
        book, issue = PROFILES[edition.lower()], ISSUES[section]
        assert book.choice(issue).letter == statement, f"{edition} prescribes {section} {statement}"
        assert book.settles(issue), f"{edition} settles {section}"
        checked += 1
    assert checked == 30


def test_an_edition_has_what_is_stated_of_it_in_words(documented: list[dict[str, Any]]) -> None:
    in_words = {(section, edition) for section, edition, text in statements(documented) if len(text) > 1}
    assert in_words == IN_WORDS.keys(), "a statement that nobody has read"
    for (section, edition), (slug, settled) in IN_WORDS.items():
        book, issue = PROFILES[edition.lower()], ISSUES[section]
        assert (book.choice(issue).slug, book.settles(issue)) == (slug, settled), (section, edition)


def test_an_edition_that_is_said_to_be_unclear_settles_nothing(documented: list[dict[str, Any]]) -> None:
    for section, edition, statement in statements(documented):
        unclear = any(word in statement for word in ("not explicit", "not clarified", "not settled", "ambiguous"))
        if unclear or (section, edition) in NO_FALLBACK_STATED:
            assert not PROFILES[edition.lower()].settles(ISSUES[section]), (section, edition)


@pytest.mark.parametrize(("section", "edition"), sorted(NO_FALLBACK_STATED))
def test_convoys_to_a_neighbour_by_tag_or_own_fleet(section: str, edition: str) -> None:
    assert PROFILES[edition].choice(ISSUES[section]) in (
        AdjacentConvoy.TAG_OR_OWN_FLEET,
        AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND,
    )


def test_the_default_is_what_the_datc_prefers(documented: list[dict[str, Any]]) -> None:
    preferred = {issue["id"]: issue["preferred"] for issue in documented if len(issue["preferred"]) == 1}
    assert {section: DATC.choice(ISSUES[section]).letter for section in preferred} == preferred
    assert DATC.unsettled == frozenset()


def test_every_letter_of_the_datc_is_a_choice(documented: list[dict[str, Any]]) -> None:
    for issue in documented:
        letters = {choice["letter"] for choice in issue["choices"]} - {None}
        known = {choice.letter for choice in ISSUES[issue["id"]].choices} if issue["id"] in ISSUES else set()
        assert letters <= known, issue["id"]


SEED = {
    "4.A.1": "any",  # XII.4
    "4.A.2": "1971",  # XII.5
    "4.A.3": "land-unless-opposite",
    "4.A.4": "start",
    "4.A.5": "closed",  # XI
    "4.A.7": "never",  # IX.7
    "4.B.1": "fails",  # VII.3b
    "4.B.2": "taken",  # VII.3b with VII.4
    "4.B.4": "no-matter",  # VII.3b
    "4.D.1": "first",  # VII.4
    "4.D.7": "allowed",  # XIII.2
    "4.D.8": "country",  # civil disorder
    "4.E.1": "ignored",  # VII.4
    "VIII-rotation": "allowed",
    "VIII-exchange": "allowed",
    "alphabet": "french",
    "disorder": "removed",
    "fallback": "none",
}
"""The profile of the seed texts, as specified; the tests of its paragraphs are in test_seed.py."""


def test_the_seed() -> None:
    book = PROFILES["seed"]
    assert {section: book.choice(ISSUES[section]).slug for section in SEED} == SEED


# ---------------------------------------------------------------------- without convoys

CONVOYS = ("4.A", "fallback", "VIII-exchange")
"""The sections that speak of convoys only."""


def only_convoys(book: Rulebook) -> Rulebook:
    """Return the preferences of the DATC with a rulebook's choices about convoys."""
    return DATC.override(
        {i.section: book.choice(i).slug for i in issues() if i.section.startswith(CONVOYS) and book.choice(i).slug}
    )


def without_convoys(drawn: Drawn) -> Drawn:
    """Leave out what has to do with convoys: orders to convoy, and moves that ask for one or need one."""
    units, orders = drawn

    def plain(text: str) -> bool:
        words = text.split()
        if words[2] == "C" or words[-1] == "VIA":
            return False
        if words[2] != "-":
            return True
        start, goal = map(province_of, (words[1], words[3]))
        army = any(f"A {start}" in texts for texts in units.values())
        return not army or goal in BOARD.army.get(start, ())

    return units, {power: [text for text in texts if plain(text)] for power, texts in orders.items()}


def whole(resolution: Resolution) -> tuple[object, ...]:
    """Everything that counts of a resolution, whatever order it is listed in, and how it was found left out."""
    after = resolution.next
    return (
        [(r.unit, r.outcome, r.dislodged, r.destroyed, r.reasons) for r in resolution.orders],
        None if after is None else (after.phase, frozenset(after.units)),
        {(item.unit, item.retreats) for item in resolution.dislodged},
        resolution.contested,
        {(frozenset(c.units), frozenset(c.disrupted), frozenset(c.failed)) for c in resolution.paradoxes},
        {frozenset(ring) for ring in resolution.rotations},
        {(frozenset(c.moves.items()), frozenset(c.dislodged)) for c in resolution.consistent},
    )


def standard(generator: str, seed: int) -> Drawn:
    """Return a random position on the standard map; hypothesis shows a failing one as this call."""
    return draw(generator, seed, reference_map())


drawings = st.builds(standard, st.sampled_from(["dense", "dense", "coherent", "uniform"]), st.integers(0, 2**32 - 1))


@pytest.mark.parametrize("name", PROFILES)
@given(drawn=drawings)
def test_without_convoys_the_choices_about_convoys_do_not_matter(name: str, drawn: Drawn) -> None:
    """Nor does 4.A.7: a unit and its attacker that came the opposite way then met head to head."""
    turn = turn_of(*without_convoys(drawn), BOARD)
    found, expected = adjudicate_turn(turn, only_convoys(PROFILES[name])), adjudicate_turn(turn, DATC)
    differences = [pair for pair in zip(attackers(found), attackers(expected), strict=True) if pair[0] != pair[1]]
    assert whole(found) == whole(expected), describe(*without_convoys(drawn))
    assert not differences


def attackers(resolution: Resolution) -> list[tuple[str, str | None]]:
    return [(str(item.unit), item.attacker_from) for item in resolution.dislodged]


def test_with_convoys_they_do_matter(board: Board, ref_map: RefMap) -> None:
    """A law about positions without convoys shows something only when those with convoys are different."""
    differ: Counter[str] = Counter()
    for seed in range(30):
        turn = turn_of(*draw("dense", seed, ref_map), board)
        for name, book in PROFILES.items():
            one, other = adjudicate_turn(turn, only_convoys(book)), adjudicate_turn(turn, DATC)
            differ[name] += whole(one) != whole(other)
    assert {name for name in PROFILES if not differ[name]} == {"datc"}


# ---------------------------------------------------------------------- no rulebook fails; folding changes nothing

CHUNK = 250
CHUNKS = range(2_000_000, 2_000_000 + 6 * CHUNK, CHUNK)
LONG_CHUNKS = range(3_000_000, 3_050_000, 1000)


def check_everywhere(seeds: range, board: Board, ref_map: RefMap, share: int = 1) -> Counter[str]:
    """Adjudicate random positions under many rulebooks; count those that each rulebook leaves open.

    Args:
        seeds: of the positions.
        board: the map.
        ref_map: the map.
        share: each position is adjudicated under one in so many rulebooks, and under one in five of those by the
            solver alone as well.
    """
    left_open: Counter[str] = Counter()
    for seed in seeds:
        drawn = draw("dense", seed, ref_map)
        turn = turn_of(*drawn, board)
        for number, (name, book) in enumerate(list(RULEBOOKS.items())[seed % share :: share]):
            resolution = adjudicate_turn(turn, book)
            left_open[name] += resolution.is_open
            if (seed // share + number) % 5 == 0:
                solved = adjudicate_turn(turn, book, fold=False)
                assert whole(solved) == whole(resolution), f"{name}, by the solver alone{describe(*drawn)}"
            if resolution.is_open and book.paradox in BY_THEMSELVES:
                check_consistent(turn, book, resolution, drawn)
    return left_open


ANSWER_ALL = {
    *("datc", "dptg"),
    *(
        f"datc+{rule}"
        for rule in ("1982", "hand", "2000-literal", "szykman", "all-hold", "affect-cause", "dptg", "bille")
    ),
}
"""The rulebooks that leave nothing open. The edition of 1982 is not among them: see `test_6_g_11`."""


@pytest.mark.parametrize("first", CHUNKS)
def test_every_rulebook_on_random_positions(first: int, board: Board, ref_map: RefMap) -> None:
    left_open = check_everywhere(range(first, first + CHUNK), board, ref_map, share=5)
    assert {name for name in RULEBOOKS if not left_open[name]} == ANSWER_ALL


@pytest.mark.long
@pytest.mark.parametrize("first", LONG_CHUNKS)
def test_every_rulebook_on_fifty_thousand_positions(
    first: int, board: Board, ref_map: RefMap, capsys: pytest.CaptureFixture[str]
) -> None:
    left_open = check_everywhere(range(first, first + 1000), board, ref_map)
    with capsys.disabled():
        sys.stdout.write(f"seeds {first} to {first + 999}: left open {dict(left_open)}\n")
    assert {name for name in RULEBOOKS if not left_open[name]} == ANSWER_ALL


rulebooks = st.fixed_dictionaries({i.section: st.sampled_from([c.slug for c in i.choices]) for i in issues()})
"""Any combination of choices, whether an edition has it or not."""


@settings(max_examples=150)
@given(drawn=st.builds(standard, st.sampled_from(["dense", "uniform"]), st.integers(0, 2**32 - 1)), choices=rulebooks)
def test_any_combination_of_choices(drawn: Drawn, choices: dict[str, str]) -> None:
    turn, book = turn_of(*drawn, BOARD), DATC.override(choices)
    resolution, solved = adjudicate_turn(turn, book), adjudicate_turn(turn, book, fold=False)
    assert whole(resolution) == whole(solved), f"{book.name}{describe(*drawn)}"


def test_6_g_11() -> None:
    """With a way back to the land route the edition's own paradox rule makes a paradox, in 1982 too.

    By sea the army does not cut (4.A.2), so its convoy breaks; by land it cuts, so its convoy holds. The DATC settles
    it by Szykman's rule: the fleet does not convoy, the army walks and dislodges Norway.
    """
    units: Powers = {"ENGLAND": ["F NWY", "F NTH"], "RUSSIA": ["A SWE", "F SKA", "F BAR"]}
    orders: Powers = {
        "ENGLAND": ["F NWY S F NTH - SKA", "F NTH - SKA"],
        "RUSSIA": ["A SWE - NWY", "F SKA C A SWE - NWY", "F BAR S A SWE - NWY"],
    }
    turn = turn_of(units, orders, BOARD)
    open_under = {name for name, book in RULEBOOKS.items() if adjudicate_turn(turn, book).is_open}
    assert open_under == {"1982", "datc+none"}, "elsewhere there is no way back, or no convoy (1971: nobody comes back)"
    settled = adjudicate_turn(turn, PROFILES["1982"].override({"fallback": "szykman"}))
    assert {str(unit) for unit in settled.following.units} == {"F NTH", "A NWY", "F SKA", "F BAR"}
    # Without such a rule the army cuts by either way, and there is no paradox at all.
    plain = adjudicate_turn(turn, DATC.override({"4.A.3": "b", "4.A.2": "none"}))
    assert plain.paradoxes == ()
    assert not plain.is_open


@given(drawn=st.builds(standard, st.just("dense"), st.integers(0, 2**32 - 1)))
def test_affect_cause_leaves_the_board_as_szykman_does(drawn: Drawn) -> None:
    """It stops the army where Szykman stops the fleet, and a fleet carries one army; only the words differ."""
    turn = turn_of(*drawn, BOARD)
    one, other = (adjudicate_turn(turn, PARADOX_RULES[rule]) for rule in ("affect-cause", "szykman"))
    assert one.following == other.following, describe(*drawn)
    assert [r.outcome for r in one.orders if isinstance(r.checked.action, Move)] == [
        r.outcome for r in other.orders if isinstance(r.checked.action, Move)
    ], describe(*drawn)


# ---------------------------------------------------------------------- what is left open, by plain numbers

Outcome = tuple[frozenset[tuple[str, str]], frozenset[str]]
"""The moves that succeed, from where to where, and the provinces of the dislodged units."""


def equations_of(turn: Turn, book: Rulebook) -> EditionEquations:
    return EditionEquations(turn.position.board, check_movement(turn, book).actions, book)


def outcome(equations: EditionEquations, works: Decisions) -> Outcome:
    moves = {(at, move.destination) for at, move in equations.moves.items() if works[at]}
    return frozenset(moves), frozenset(equations.dislodged(works))


def listed_outcomes(resolution: Resolution) -> list[Outcome]:
    """The consistent resolutions that an open one lists; the one outcome of another."""
    if resolution.is_open:
        return [
            (frozenset((u.province, to) for u, to in c.moves.items()), frozenset(u.province for u in c.dislodged))
            for c in resolution.consistent
        ]
    moves = {
        (r.unit.province, r.checked.action.destination)
        for r in resolution.orders
        if r.success and r.unit is not None and isinstance(r.checked.action, Move)
    }
    return [(frozenset(moves), frozenset(item.unit.province for item in resolution.dislodged))]


def complete(equations: EditionEquations, moves: frozenset[tuple[str, str]]) -> dict[str, bool]:
    """Work out, from which moves succeed, what becomes of the convoys and then of the supports."""
    arrived = {at for at, _ in moves}
    works = {at: at in arrived or at not in equations.moves for at in equations.units}
    for kind in (equations.convoys, equations.supports):
        works |= {at: equations.holds(works, at) for at in kind}
    return works


def check_consistent(turn: Turn, book: Rulebook, resolution: Resolution, drawn: Drawn) -> None:
    """Assert that each listed resolution satisfies the equations, and that there are as many as there can be."""
    equations = equations_of(turn, book)
    listed = listed_outcomes(resolution)
    for moves, dislodged in listed:
        works = complete(equations, moves)
        assert equations.broken(works) == [], f"{book.name}: {sorted(moves)}{describe(*drawn)}"
        assert equations.stuck_ring(works) is None, describe(*drawn)
        assert set(equations.dislodged(works)) == dislodged, describe(*drawn)
    assert len(set(listed)) == len(listed), describe(*drawn)
    if book.paradox == Paradox.NONE:
        assert len(listed) in (0, *(2**k for k in range(1, 7))), f"{len(listed)} resolutions{describe(*drawn)}"


SMALL = {
    **{name: book for name, book in RULEBOOKS.items() if book.paradox in BY_THEMSELVES},
    **{f"no rule, {way.slug}": DATC.override({"4.A.2": "none", "4.A.3": way.slug}) for way in AdjacentConvoy},
}


@pytest.mark.parametrize("first", range(0, 800, 400))
def test_small_positions_have_the_resolutions_that_trying_all_decisions_finds(
    first: int, board: Board, ref_map: RefMap
) -> None:
    """The editions against plain numbers: one resolution and it is the answer, or none or several and it is open."""
    check_small(first, 400, board, ref_map)


@pytest.mark.long
@pytest.mark.parametrize("first", range(2000, 22_000, 2000))
def test_more_small_positions(first: int, board: Board, ref_map: RefMap, capsys: pytest.CaptureFixture[str]) -> None:
    found = check_small(first, 2000, board, ref_map)
    with capsys.disabled():
        sys.stdout.write(f"seeds {first} to {first + 1999}: resolutions {dict(found)}\n")


def check_small(first: int, size: int, board: Board, ref_map: RefMap) -> Counter[int]:
    counts: Counter[int] = Counter()
    for seed in range(first, first + size):
        drawn = draw("dense", seed, ref_map)
        if sum(map(len, drawn[0].values())) > 8:
            continue
        turn = turn_of(*drawn, board)
        for name, book in SMALL.items():
            equations = equations_of(turn, book)
            expected = [outcome(equations, works) for works in equations.resolutions()]
            resolution = adjudicate_turn(turn, book)
            message = f"{name}: {len(expected)} resolutions{describe(*drawn)}"
            assert resolution.is_open == (len(expected) != 1), message
            assert Counter(listed_outcomes(resolution)) == Counter(expected), message
            counts[len(expected)] += 1
    return counts


def orders_of(kind: Callable[..., object], turn: Turn) -> int:
    return sum(isinstance(given.order, kind) for given in turn.orders)  # type: ignore[arg-type]


def test_the_positions_without_convoys_have_none() -> None:
    """And the others have many."""
    before = after = 0
    for seed in range(50):
        drawn = standard("dense", seed)
        before += orders_of(Convoy, turn_of(*drawn, BOARD))
        after += orders_of(Convoy, turn_of(*without_convoys(drawn), BOARD))
    assert before > 50
    assert after == 0
