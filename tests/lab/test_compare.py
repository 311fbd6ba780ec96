"""Rulebooks side by side: whether they differ, in what, and by which choice."""

from __future__ import annotations

import gzip
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest
from support.commands import satdip
from support.paradoxes import CELLS, SPECIFIED, TABLE
from support.paradoxes import turn_of as paradox

from satdip.base.errors import InputError
from satdip.board import Board, UnitKind
from satdip.lab.compare import choices as compare_choices
from satdip.lab.compare.choices import PairDifference, Trials, compare_pair, differ_so
from satdip.lab.compare.corpus import compare_corpus
from satdip.lab.compare.effects import Difference, differences
from satdip.lab.compare.phase import Comparison, compare
from satdip.notation import read_lines, read_record, read_turn
from satdip.phase.minimise import minimise, size
from satdip.phase.orders import Convoy, Move, Unclear
from satdip.phase.position import PhaseKind
from satdip.phase.turn import Given, Turn
from satdip.rulebook import DATC, Rulebook, issues, rulebook_named

DATA = Path(__file__).parents[1] / "data"
CASES = tomllib.loads((DATA / "choices_matter.toml").read_text(encoding="utf-8"))["case"]
UNSEEN = {Difference.SUPPORT, Difference.CONVOY}
"""Differences that move nobody."""

SIMPLE_PARADOX = """
England: F London S F Wales - English Channel, F Wales - English Channel
France: A Brest - London, F English Channel C A Brest - London
"""
NOBODY_CONVOYS = "France: A Marseilles - Piedmont via convoy"


def pair(turn: Turn, first: Rulebook | str, second: Rulebook | str) -> PairDifference | None:
    books = [rulebook_named(book) if isinstance(book, str) else book for book in (first, second)]
    return compare_pair(Trials(turn), *books)


def sections(found: PairDifference | None) -> list[list[str]]:
    return [] if found is None else [[change.issue.section for change in cause] for cause in found.causes]


# ---------------------------------------------------------------------- which choice

STATED = [
    pytest.param(case, one, other, id=f"{case['field']}-{case['about']}-{one}-{other}")
    for case in CASES
    for one, other in combinations(case["results"], 2)
    if any(case["results"][one].get(key) != case["results"][other].get(key) for key in case["results"][one])
]
"""Pairs of choices of which a table says, with reasons, that they give different results."""


@pytest.mark.parametrize(("case", "one", "other"), STATED)
def test_the_choice_that_makes_the_difference_is_named(case: dict[str, Any], one: str, other: str) -> None:
    """The second rulebook also has a choice that cannot matter in a phase of this kind."""
    turn = read_turn(case["sheet"])
    movement = turn.position.phase.kind == PhaseKind.MOVEMENT
    idle = {"removal": "own-way"} if movement else {"convoy_routes": "any"}
    base = rulebook_named(case.get("base", "datc")).override({case["field"]: one})
    found = pair(turn, base, base.override({case["field"]: other} | idle))
    assert found is not None
    ((change,),) = found.causes
    assert (change.issue.field, change.first.slug, change.second.slug) == (case["field"], one, other)


def test_two_choices_that_make_a_difference_only_together() -> None:
    """Two things happen far from each other: an army goes by land (4.A.3), and a support counts (4.B.4, 6.B.9)."""
    coast = "Italy: F Western S F Mid-Atlantic - Spain(nc), F Mid-Atlantic - Spain(sc)\nGermany: A Gascony - Spain\n"
    turn = read_turn(f"{NOBODY_CONVOYS}\n{coast}")
    assert sections(pair(turn, "datc", "datc+4.A.3=a+4.B.4=no-matter")) == [["4.A.3", "4.B.4"]]
    assert sections(pair(read_turn(coast), "datc", "datc+4.A.3=a+4.B.4=no-matter")) == [["4.B.4"]]


def test_two_choices_of_which_each_is_enough() -> None:
    """The army takes Tuscany by its own fleet: Rome is open to the unit it dislodges.

    It is closed when the army walks, as in 1971 (4.A.3 a), and when a convoy makes no difference (4.A.5 a).
    """
    turn = read_turn(
        "Italy: A Rome - Tuscany, F Tyrrhenian C A Rome - Tuscany, A Venice S A Rome - Tuscany\nRussia: A Tus"
    )
    found = pair(turn, "datc", "1971")
    assert found is not None
    assert found.kinds == (Difference.RETREAT,)
    assert sections(found) == [["4.A.3"], ["4.A.5"]]


def test_where_there_are_too_many_sets_one_that_needs_all_its_choices_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_choices, "MOST_TRIALS", 0)
    assert sections(pair(read_turn(SIMPLE_PARADOX), "datc+4.A.2=none", "1971")) == [["4.A.2"]]


# ---------------------------------------------------------------------- what differs


@pytest.mark.parametrize("case_id", SPECIFIED[0])
def test_the_paradoxes_differ_as_their_table_says(case_id: str) -> None:
    """Where other moves succeed, or one rule has no answer, that is the difference; else at most what moves nobody."""
    for one, other in combinations(SPECIFIED[1], 2):
        left, right = CELLS[case_id, one], CELLS[case_id, other]
        found = pair(paradox(case_id), *(DATC.override(TABLE["rules"][rules]) for rules in (one, other)))
        kinds = set() if found is None else set(found.kinds)
        if ("open" in left) != ("open" in right):
            assert Difference.OPEN in kinds, (one, other)
        elif "open" in left or left["moves"] == right["moves"]:
            assert kinds <= UNSEEN, (one, other)
        else:
            assert Difference.MOVE in kinds, (one, other)
        assert {section for cause in sections(found) for section in cause} <= {"4.A.1", "4.A.2"}


@pytest.mark.parametrize(
    ("sheet", "first", "second", "kinds"),
    [
        pytest.param(NOBODY_CONVOYS, "datc", "datc+4.A.3=c", ["move"], id="6.G.8"),
        pytest.param(SIMPLE_PARADOX, "datc", "datc+4.A.2=d", ["move", "dislodgement"], id="6.F.14"),
        pytest.param(SIMPLE_PARADOX, "datc", "datc+4.A.2=none", ["open"], id="6.F.14 without a rule"),
        pytest.param(SIMPLE_PARADOX, "datc", "1971", [], id="6.F.14: Szykman and 1971 dislodge the Channel"),
        pytest.param(
            "phase: F1901M\ncentres: Italy Rome\nFrance: A Marseilles - Spain via convoy",
            "datc",
            "datc+4.A.3=c",
            ["move", "centre"],
            id="an autumn move into a centre",
        ),
        pytest.param(
            "phase: F1901M\ncentres: Italy Rome\nFrance: A Piedmont - Tuscany via convoy",
            "datc",
            "datc+4.A.3=c",
            ["move"],
            id="an autumn move between provinces without a centre",
        ),
        pytest.param(
            "phase: W1901A\ncentres: France Paris\nunits: none\nFrance: Waive",
            "datc",
            "datc+4.D.7=b",
            ["build"],
            id="a declined build",
        ),
        pytest.param(
            "phase: W1901A\ncentres: France Paris, Brest\nunits: France A Paris, A Brest, A Picardy\n"
            "France: Disband A Paris, Disband A Brest",
            "datc",
            "datc+4.D.6=c",
            ["removal"],
            id="too many removals",
        ),
        pytest.param(
            "phase: S1901R\ndislodged: France F Gascony; retreats Brest, Spain(nc)\nFrance: F Gascony R Spain(sc)",
            "datc",
            "datc+4.B.3=a",
            ["retreat"],
            id="a retreat to a coast out of reach",
        ),
        pytest.param("France: A Paris H, A Paris H, A Brest H", "datc", "datc+4.D.3=b", [], id="the same order twice"),
        pytest.param("France: A Paris - Rome", "datc", "datc+4.E.1=still-moves", [], id="no support, no difference"),
    ],
)
def test_the_kinds_of_difference(sheet: str, first: str, second: str, kinds: list[str]) -> None:
    found = pair(read_turn(sheet), first, second)
    assert list(map(str, found.kinds if found is not None else ())) == kinds


@pytest.mark.parametrize(
    ("sheet", "section", "kind"),
    [
        pytest.param(  # VII.3b: a support ignores coasts
            "Italy: F Western S F Mid - Spain(nc)\nFrance: F Mid - Spain(sc)\nGermany: A Gascony - Spain",
            "4.B.4",
            "support",
            id="coasts",
        ),
        pytest.param(  # civil disorder: the dislodged units are removed
            "France: A Burgundy - Munich, A Ruhr S A Burgundy - Munich\nGermany: A Munich",
            "disorder",
            "retreat",
            id="disorder",
        ),
        pytest.param(  # X: a convoy fails when one of its routes is broken
            "England: A London - Belgium, F English Channel C A London - Belgium, F North Sea C A London - Belgium\n"
            "France: F Brest - English Channel, F Irish Sea S F Brest - English Channel",
            "4.A.1",
            "move",
            id="routes",
        ),
    ],
)
def test_what_the_seed_reads_otherwise(sheet: str, section: str, kind: str) -> None:
    found = pair(read_turn(sheet), "datc", "seed")
    assert found is not None
    assert sections(found) == [[section]]
    assert kind in found.kinds


# ---------------------------------------------------------------------- other engines


def answer(record: Mapping[str, Any], engine: str) -> tuple[object, object]:
    found = record["answers"][record["expected_by"][engine]]
    return found["moves"], sorted(found["dislodged"])


def moves_somebody(found: PairDifference | None) -> bool:
    return found is not None and bool({Difference.MOVE, Difference.DISLODGEMENT, Difference.OPEN} & set(found.kinds))


def test_the_paradox_rules_differ_where_those_of_another_engine_do(shared: Path) -> None:
    """Parlance's own rule of 1982 is left out: there no attack at all cuts such a support, even by land."""
    rules = {"szykman": "datc", "all_moves_fail": "datc+4.A.2=all-hold", "dptg": "datc+4.A.2=dptg"}
    books, differing = {name: rulebook_named(rule) for name, rule in rules.items()}, Counter[tuple[str, str]]()
    for line, record in read_lines(shared / "peers" / "paradox_phases.jsonl.gz"):
        theirs: Any = record["parlance_by_rule"]
        trials = Trials(read_record(record))
        for one, other in combinations(rules, 2):
            found = compare_pair(trials, books[one], books[other])
            assert moves_somebody(found) == (theirs[one] != theirs[other]), (line, one, other)
            differing[one, other] += moves_somebody(found)
    assert differing["szykman", "all_moves_fail"] == 273


def convoys_a_neighbour(turn: Turn) -> bool:
    orders = [one.order for one in turn.orders]
    moves = {(order.unit.province, order.destination) for order in orders if isinstance(order, Move)}
    return any(
        isinstance(order, Convoy)
        and (order.army.province, order.destination) in moves
        and order.destination in turn.position.board.reach_provinces(UnitKind.ARMY, order.army.province)
        for order in orders
    )


def test_a_quarter_of_the_random_phases_differ_by_the_way_to_a_neighbour(shared: Path) -> None:
    """An army with "via convoy" and without a convoy stays (teddriggs, 4.A.3 d) or walks (webdiplomacy, 4.A.3 c)."""
    stay, walk = DATC, rulebook_named("datc+4.A.3=c")
    differing, checked = 0, 0
    for line, record in islice(read_lines(shared / "peers" / "random_phases.jsonl.gz"), 0, None, 5):
        turn = read_record(record)
        found = pair(turn, stay, walk)
        differing += found is not None
        if not convoys_a_neighbour(turn):
            assert moves_somebody(found) == (answer(record, "teddriggs") != answer(record, "webdiplomacy")), line
            checked += 1
    assert checked > 200
    assert 0.2 < differing / 312 < 0.3


# ---------------------------------------------------------------------- one phase: the value


@pytest.fixture
def side_by_side() -> Comparison:
    return compare(read_turn(SIMPLE_PARADOX), ["datc", "1971", "datc+4.A.2=none"])


def test_only_what_differs_is_shown_unless_all_is_wanted(side_by_side: Comparison) -> None:
    from satdip.telling.tables import as_text

    text = str(side_by_side)
    assert text.startswith("differ: S1901M")
    assert "datc, 1971" in text  # they do not differ, and share a column
    assert "A Brest - London" not in text.replace("C A Brest - London", "")  # it fails under all three
    assert "2. moves: none" in text
    everything = as_text(side_by_side.show(all_orders=True))
    assert "A Brest - London" in everything.replace("C A Brest - London", "")
    assert "datc, 1971" not in everything


def test_rulebooks_that_agree() -> None:
    found = compare(read_turn("France: A Paris - Burgundy"), ["1971", "2023"])
    assert not found.differ
    assert str(found).strip() == "agree: S1901M, map standard"


def test_json_of_a_phase_is_plain(side_by_side: Comparison) -> None:
    value: Any = side_by_side.to_json()
    assert json.loads(json.dumps(value)) == value
    assert [row["differs"] for row in value["orders"]] == [True, True, False, True]
    assert value["orders"][1]["results"]["1971"]["outcome"] == "succeeds"
    assert value["orders"][1]["results"]["datc+4.A.2=none"]["outcome"] == "open"
    assert [len(found) for found in value["open"].values()] == [2]
    assert {tuple(change["section"] for cause in one["choices"] for change in cause) for one in value["pairs"]} == {
        ("4.A.2",)
    }


def test_the_frame_has_a_column_for_each_rulebook(side_by_side: Comparison) -> None:
    pytest.importorskip("pandas")
    table = side_by_side.to_frame()
    assert list(table.columns) == ["power", "unit", "order", "differs", "datc", "1971", "datc+4.A.2=none"]
    assert list(table["1971"]) == ["given", "succeeds", "fails", "disrupted"]


def test_without_pandas_a_sentence_says_so(side_by_side: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="a data frame needs pandas, which is not installed"):
        side_by_side.to_frame()


def test_html_is_escaped(board: Board) -> None:
    turn = read_turn(NOBODY_CONVOYS)
    unclear = Given("FRANCE", Unclear("<script>", "<b>"), "<script>")
    found = compare(
        replace(turn, orders=(*turn.orders, unclear)), [DATC, replace(DATC.override({"4.A.3": "a"}), name="<i>")]
    )
    html = found._repr_html_()
    assert "&lt;i&gt;" in html
    assert "<i>" not in html
    assert "<script>" not in html


@pytest.mark.parametrize(
    ("books", "sentence"),
    [
        (["1971"], "needs two rulebooks or more"),
        (["1971", "datc", "1971"], "two of the rulebooks are called '1971'"),
        (["1971", "2032"], "no rulebook is called '2032'"),
    ],
)
def test_rulebooks_that_cannot_be_compared(books: list[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        compare(read_turn(NOBODY_CONVOYS), books)
    run = satdip("compare", "examples/paradox.txt", *(word for book in books for word in ("--rules", book)))
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err


# ---------------------------------------------------------------------- a corpus

RULES = ("--rules", "datc", "--rules", "1971")


def records() -> Iterator[dict[str, Any]]:
    """Five phases: one without a difference, two that differ by 4.A.3, one by 4.A.2, one on an unknown map."""
    yield {"orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}}
    yield {"orders": {"FRANCE": ["A PAR - BUR", "A MAR - PIE VIA"], "GERMANY": ["A MUN - BUR"]}}
    yield {"orders": {"FRANCE": ["A MAR - SPA VIA", "F BRE H", "A PAR H"]}}
    yield {
        "orders": {
            "ENGLAND": ["F NTH C A LON - BEL", "A LON - BEL", "F ENG S A LON - BEL"],
            "FRANCE": ["F BEL S F NTH", "A PAR - PIC"],
            "GERMANY": ["F HEL S F SKA - NTH", "F SKA - NTH"],
        }
    }
    yield {"map": "youngstown", "orders": {"FRANCE": ["A XYZ H"]}}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "phases.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records())
    return path


def test_a_corpus_is_counted_by_choice_and_kind(corpus: Path) -> None:
    found = compare_corpus([corpus], ["datc", "1971", "1976"])
    assert (found.phases, found.skipped, found.differ, found.complete) == (5, 1, 3, True)
    assert found.pairs == {("datc", "1971"): 3, ("datc", "1976"): 3, ("1971", "1976"): 0}
    by_land, betrayal = found.differences[:2]
    assert (sections(by_land.pair), by_land.pair.kinds, by_land.phases) == ([["4.A.3"]], ("move",), 2)
    assert by_land.sources == (f"{corpus}:2", f"{corpus}:3")
    assert (sections(betrayal.pair), betrayal.pair.kinds) == ([["4.A.2"]], ("open",))
    assert betrayal.smallest.source == f"{corpus}:4"
    assert [one.pair.second for one in found.differences] == ["1971", "1971", "1976", "1976"]


def test_the_smallest_positions(corpus: Path) -> None:
    """One army with "via convoy" is enough.

    Betrayal (6.F.18) is about whether Belgium's support is cut: the army cuts it without the support of the Channel.
    """
    by_land, betrayal = compare_corpus([corpus], ["datc", "1971"]).differences
    assert len(by_land.smallest.turn.orders) == by_land.smallest.size == 1
    assert {unit.province for unit in betrayal.smallest.turn.position.units} == {"NTH", "LON", "BEL", "HEL", "SKA"}
    for one in (by_land, betrayal):
        assert one.smallest.minimal
        assert pair(one.smallest.turn, "datc", "1971") == one.pair
        assert pair(read_record(one.smallest.to_json()["record"]), "datc", "1971") == one.pair  # type: ignore[arg-type]


def test_turns_and_sheets_are_a_corpus_too(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_text(SIMPLE_PARADOX, encoding="utf-8")
    found = compare_corpus([read_turn(NOBODY_CONVOYS), sheet], ["datc", "datc+4.A.2=d+4.A.3=c"])
    assert [(sections(one.pair), one.sources) for one in found.differences] == [
        ([["4.A.3"]], ("phase 1",)),
        ([["4.A.2"]], (str(sheet),)),
    ]


def test_several_processes_find_the_same(corpus: Path) -> None:
    assert compare_corpus([corpus], ["datc", "1971"], jobs=2) == compare_corpus([corpus], ["datc", "1971"])


def test_interrupted_it_says_what_is_known(corpus: Path) -> None:
    def interrupt(what: str, done: int, of: int | None) -> None:
        if (what, done) == ("phases", 3):
            raise KeyboardInterrupt

    found = compare_corpus([corpus], ["datc", "1971"], progress=interrupt)
    assert (found.phases, found.differ, found.complete) == (3, 2, False)
    assert not found.differences[0].smallest.minimal
    assert "incomplete" in str(found)

    def interrupt_later(what: str, done: int, of: int | None) -> None:
        if what == "positions":
            raise KeyboardInterrupt

    later = compare_corpus([corpus], ["datc", "1971"], progress=interrupt_later)
    assert (later.phases, later.complete) == (5, False)
    assert [one.smallest.minimal for one in later.differences] == [True, False]


def test_out_of_time(corpus: Path) -> None:
    run = satdip("compare", corpus, *RULES, "--timeout", "0.0001", "--json")
    assert run.code == 4
    assert (run.json["phases"], run.json["complete"]) == (0, False)


def test_json_frame_and_html_of_a_corpus(corpus: Path) -> None:
    found = compare_corpus([corpus], ["datc", "1971"])
    value: Any = found.to_json()
    assert json.loads(json.dumps(value)) == value
    assert [one["smallest"]["size"] for one in value["differences"]] == [1, 5]
    assert "<table>" in found._repr_html_()
    pytest.importorskip("pandas")
    assert list(found.to_frame()["phases"]) == [2, 1]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_record_that_is_not_sound_is_refused_with_its_line(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"orders": {"FRANCE": ["A PAR H"]}}\n{"orders": {"FRANCE": ["A XYZZY H"]}}\n', encoding="utf-8")
    run = satdip("compare", path, *RULES, "--jobs", jobs)
    assert (run.code, run.out) == (2, "")
    assert f"{path}, line 2, at $.orders.FRANCE[0]" in run.err


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("\n", encoding="utf-8")
    run = satdip("compare", path, *RULES)
    assert run.code == 2
    assert "there is no phase record in this file" in run.err
    assert satdip("compare", tmp_path / "missing", *RULES).code == 2


# ---------------------------------------------------------------------- the command line


def test_exit_codes(corpus: Path, tmp_path: Path) -> None:
    assert satdip("compare", "examples/paradox.txt", *RULES).code == 0
    assert satdip("compare", "examples/paradox.txt", "--rules", "datc", "--rules", "datc+4.A.2=d").code == 1
    assert satdip("compare", corpus, *RULES).code == 1
    assert satdip("compare", corpus, "--rules", "1971", "--rules", "1976").code == 0


def test_one_phase_or_many(tmp_path: Path) -> None:
    """JSON lines are told by their name or by their lines; a record that is spread over lines is one phase."""
    one, several = list(records())[1:3]
    spread, lines = tmp_path / "spread.json", tmp_path / "lines.json"
    spread.write_text(json.dumps(one, indent=1), encoding="utf-8")
    lines.write_text(f"{json.dumps(one)}\n{json.dumps(several)}\n", encoding="utf-8")
    assert satdip("compare", spread, *RULES, "--json").json["phase"] == "S1901M"
    assert satdip("compare", lines, *RULES, "--json").json["phases"] == 2
    assert satdip("compare", spread, lines, *RULES, "--json").json["phases"] == 3
    piped = satdip("compare", "-", *RULES, "--json", stdin=json.dumps(one).encode())
    assert piped.json["differ"] is True


def test_all_counts_the_pairs_that_agree(corpus: Path) -> None:
    arguments = ("compare", corpus, *RULES, "--rules", "1976")
    assert "1971 and 1976" not in satdip(*arguments).out
    assert "1971 and 1976: 0" in satdip(*arguments, "--all").out


def test_a_file_of_another_map_holds_nothing_to_compare(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere.jsonl"
    path.write_text(json.dumps(list(records())[-1]), encoding="utf-8")
    run = satdip("compare", path, *RULES)
    assert (run.code, run.out.splitlines()[0]) == (0, "nothing to compare: 0 of 1 phase differ, 1 skipped")


# ---------------------------------------------------------------------- the whole of a corpus


@pytest.mark.long
@pytest.mark.parametrize("name", ["random_phases", "paradox_phases"])
def test_every_smallest_position_shows_its_difference(name: str, shared: Path) -> None:
    found = compare_corpus([shared / "peers" / f"{name}.jsonl.gz"], ["datc", "1971", "1982", "2023"], jobs=2)
    assert found.complete
    for one in found.differences:
        assert pair(one.smallest.turn, one.pair.first, one.pair.second) == one.pair
        assert size(one.smallest.turn) == len(one.smallest.turn.position.units)


def test_the_sections_named_are_those_of_the_rulebook() -> None:
    known = {issue.section for issue in issues()}
    found = compare(read_turn(SIMPLE_PARADOX), ["datc", "datc+4.A.2=d"])
    assert {section for one in found.pairs for cause in sections(one) for section in cause} <= known


# ---------------------------------------------------------------------- the page

PAGE = (Path(__file__).parents[2] / "docs" / "compare.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\S+)` `(\S+)` \| (.*) \| (.*) \| (\d+) \| `(.*)` \|$", PAGE, re.MULTILINE)


def told(text: str) -> Turn:
    """Read a position as the table of small positions tells it."""
    if winter := re.fullmatch(r"(W\d+A): (.*) \(centres: (.*)\)", text):
        phase, units, centres = winter.groups()
        return read_turn(f"phase: {phase}\nunits: {units.replace(':', '')}\ncentres: {centres.replace(':', '')}\n")
    return read_turn(text.replace("; ", "\n"))


@pytest.mark.parametrize(("first", "second", "choices", "kinds", "orders", "position"), ROWS)
def test_the_small_positions_of_the_page(
    first: str, second: str, choices: str, kinds: str, orders: str, position: str
) -> None:
    turn, books = told(position), (rulebook_named(first), rulebook_named(second))
    found = compare_pair(Trials(turn), *books)
    assert found is not None
    assert "; or ".join(" and ".join(cause) for cause in sections(found)) == choices
    assert ", ".join(found.kinds) == kinds
    assert minimise(turn, lambda smaller: differ_so(Trials(smaller), *books, found)).turn == turn
    assert size(turn) == int(orders)


def matrix(name: str) -> dict[tuple[str, str], int]:
    """Return names of two rulebooks -> the number that the page has for them on a corpus."""
    table = PAGE.split(f"**{name}**", 1)[1].split("\n\n", 2)[1]
    heading, _, *lines = [[cell.strip(" `") for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    cells = {(line[0], other): cell for line in lines for other, cell in zip(heading[1:], line[1:], strict=True)}
    return {names: int(cell.replace(",", "")) for names, cell in cells.items() if cell}


@pytest.mark.long
@pytest.mark.parametrize("name", re.findall(r"^\*\*(\w+)\*\*", PAGE, re.MULTILINE))
def test_the_numbers_of_the_page(name: str, shared: Path) -> None:
    stated = matrix(name)
    books = {name: rulebook_named(name) for names in stated for name in names}
    counted = dict.fromkeys(stated, 0)
    (path,) = shared.glob(f"*/{name}.jsonl.gz")
    for _, record in read_lines(path):
        trials = Trials(read_record(record))
        for one, other in stated:
            counted[one, other] += bool(differences(trials.under(books[one]), trials.under(books[other])))
    assert counted == stated


def test_a_phase_that_nothing_can_follow_is_told_with_its_place(tmp_path: Path) -> None:
    record = {"phase": "W9999A", "units": {}, "centers": {"FRANCE": ["PAR"]}, "orders": {}}
    corpus = tmp_path / "last.jsonl"
    corpus.write_text(f"{json.dumps(record)}\n{json.dumps(record)}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"last\.jsonl, line 1: there is no phase"):
        compare_corpus([corpus], [rulebook_named("1971"), rulebook_named("1982")])
