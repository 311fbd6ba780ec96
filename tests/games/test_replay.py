"""Recorded phases: satdip beside the recorded results of other engines, and the verdicts of the comparison."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from support.commands import satdip

from satdip.base.errors import InputError
from satdip.games.replay import Comparison, Verdict, replay, replay_file
from satdip.notation import read_lines
from satdip.rulebook import rulebook_named

Record = dict[str, Any]


def verdicts(*records: Record) -> list[Verdict]:
    return [comparison.verdict for comparison in replay(enumerate(records, 1), "games")]


# ---------------------------------------------------------------------- verdicts

SPRING: Record = {
    "game": "g",
    "phase": "S1901M",
    "units": {"FRANCE": ["A BUR", "A MAR"], "GERMANY": ["A MUN", "A RUH"]},
    "orders": {"FRANCE": ["A MAR - GAS"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
    "next_phase": "S1901R",
    "next_units": {"FRANCE": ["A GAS"], "GERMANY": ["A BUR", "A RUH"]},
    "next_dislodged": {"FRANCE": ["A BUR"]},
}
RETREAT: Record = {
    "game": "g",
    "phase": "S1901R",
    "units": {"FRANCE": ["A GAS"], "GERMANY": ["A RUH", "A BUR"]},
    "dislodged": {"FRANCE": ["A BUR"]},
    "orders": {"FRANCE": ["A BUR R PAR"]},
    "next_units": {"GERMANY": ["A BUR", "A RUH"], "FRANCE": ["A PAR", "A GAS"], "ITALY": []},
}
AUTUMN: Record = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A BEL"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["BEL", "MUN"]},
    "orders": {"FRANCE": ["A BEL H"]},
    "next_phase": "W1901A",
    "next_units": {"FRANCE": ["A BEL"], "GERMANY": ["A MUN"]},
    "next_centers": {"FRANCE": ["PAR", "BEL"], "GERMANY": ["MUN"]},
}
WINTER: Record = {
    "phase": "W1901A",
    "units": {"FRANCE": ["A PAR", "A GAS"]},
    "centers": {"FRANCE": ["PAR"]},
    "orders": {"FRANCE": ["A GAS D"]},
    "next_units": {"FRANCE": ["A PAR"]},
}
ANSWERED: Record = {
    "units": SPRING["units"],
    "orders": SPRING["orders"],
    "expected": {"moves": {"MAR": "GAS", "MUN": "BUR"}, "dislodged": ["BUR"]},
}


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        pytest.param(SPRING, Verdict.AGREE, id="a movement"),
        pytest.param(AUTUMN, Verdict.AGREE, id="an autumn with its centres"),
        pytest.param(WINTER, Verdict.AGREE, id="an adjustment"),
        pytest.param(ANSWERED, Verdict.AGREE, id="an answer"),
        pytest.param(RETREAT | {"retreats": {"A BUR": ["PAR"]}}, Verdict.AGREE, id="a retreat of stated places"),
        pytest.param(SPRING | {"next_units": SPRING["units"]}, Verdict.DIFFER, id="other units"),
        pytest.param(SPRING | {"next_dislodged": {}}, Verdict.DIFFER, id="nobody dislodged"),
        pytest.param(
            SPRING | {"next_dislodged": {}, "removed": {"FRANCE": ["A BUR"]}}, Verdict.AGREE, id="removed at once"
        ),
        pytest.param(AUTUMN | {"next_centers": AUTUMN["centers"]}, Verdict.DIFFER, id="other centres"),
        pytest.param(
            AUTUMN | {"phase": "S1901M", "next_phase": "F1901M", "next_centers": AUTUMN["centers"]},
            Verdict.AGREE,
            id="no capture in spring",
        ),
        pytest.param(
            AUTUMN | {"next_phase": "F1901R", "next_centers": AUTUMN["centers"]},
            Verdict.AGREE,
            id="no capture before the retreats",
        ),
        pytest.param(WINTER | {"next_units": {"FRANCE": ["A GAS"]}}, Verdict.DIFFER, id="another unit removed"),
        pytest.param(
            ANSWERED | {"expected": {"moves": {"MUN": "BUR"}, "dislodged": ["BUR"]}}, Verdict.DIFFER, id="a move less"
        ),
        pytest.param(
            ANSWERED | {"expected": {"moves": ANSWERED["expected"]["moves"], "dislodged": []}},
            Verdict.DIFFER,
            id="a dislodgement less",
        ),
        pytest.param(RETREAT, Verdict.UNCHECKED, id="a retreat that nobody knows the places of"),
        pytest.param(SPRING | {"map": "ancmed"}, Verdict.SKIPPED, id="a map that satdip does not have"),
        pytest.param({"phase": "S1901M", "units": SPRING["units"]}, Verdict.SKIPPED, id="nothing to compare with"),
    ],
)
def test_the_verdict_on_a_record(record: Record, verdict: Verdict) -> None:
    assert verdicts(record) == [verdict]


def test_a_retreat_takes_its_places_from_the_movement_before() -> None:
    assert verdicts(SPRING, RETREAT) == [Verdict.AGREE, Verdict.AGREE]
    to_munich = RETREAT | {"orders": {"FRANCE": ["A BUR R MUN"]}}
    assert verdicts(SPRING, to_munich) == [Verdict.AGREE, Verdict.DIFFER], "the attacker came from Munich"


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(SPRING | {"game": "other"}, id="of another game"),
        pytest.param(WINTER | {"game": "g"}, id="of another kind"),
        pytest.param(SPRING | {"orders": {}}, id="in which nobody was dislodged"),
    ],
)
def test_a_retreat_after_another_record_is_unchecked(before: Record) -> None:
    assert verdicts(before, RETREAT)[1] == Verdict.UNCHECKED


def test_a_comparison_says_what_differs() -> None:
    record = AUTUMN | {"game": "x", "next_units": {"FRANCE": ["A PAR"]}, "next_centers": {"FRANCE": ["PAR"]}}
    [comparison] = replay([(7, record)], "games.jsonl")
    assert comparison == Comparison(
        "games.jsonl",
        7,
        "x",
        "F1901M",
        Verdict.DIFFER,
        {
            "next_units": {
                "recorded": {"FRANCE": ["A PAR"]},
                "satdip": {"FRANCE": ["A BEL"], "GERMANY": ["A MUN"]},
            },
            "next_centers": {
                "recorded": {"FRANCE": ["PAR"]},
                "satdip": {"FRANCE": ["BEL", "PAR"], "GERMANY": ["MUN"]},
            },
        },
    )


def test_the_rules_of_a_record_count_unless_others_are_asked_for() -> None:
    with pytest.raises(InputError, match=r"line 1, at \$\.rules: .*'1066'"):
        verdicts(SPRING | {"rules": "1066"})
    [comparison] = replay([(1, SPRING | {"rules": "1066"})], "games", rulebook_named("datc"))
    assert comparison.verdict == Verdict.AGREE


# ---------------------------------------------------------------------- the command


def write(path: Path, *records: Record) -> Path:
    text = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_the_command_counts_verdicts(name: str, tmp_path: Path) -> None:
    run = satdip("replay", "--json", write(tmp_path / name, SPRING, RETREAT, AUTUMN, RETREAT, SPRING | {"map": "x"}))
    assert run.code == 0
    assert run.json == {
        "phases": 5,
        "agree": 3,
        "differ": 0,
        "skipped": 1,
        "unchecked": 1,
        "complete": True,
        "differences": [],
    }


def test_a_difference_gives_exit_code_1_and_is_shown(tmp_path: Path) -> None:
    wrong = SPRING | {"next_units": {"FRANCE": ["A GAS"]}}
    good, bad = write(tmp_path / "good.jsonl", SPRING), write(tmp_path / "bad.jsonl", SPRING, wrong, wrong)
    run = satdip("replay", "--json", good, bad)
    assert (run.code, run.json["agree"], run.json["differ"]) == (1, 2, 2)
    assert [(d["source"], d["line"], d["game"], d["phase"]) for d in run.json["differences"]] == [
        (str(bad), 2, "g", "S1901M"),
        (str(bad), 3, "g", "S1901M"),
    ]
    limited = satdip("replay", "--json", "--limit", 1, good, bad)
    assert (limited.code, limited.json["differ"], len(limited.json["differences"])) == (1, 2, 1)
    told = satdip("replay", good, bad)
    assert told.code == 1
    assert f"{bad}, line 2: g S1901M differs" in told.out
    assert "GERMANY A BUR, A RUH" in told.out


# ---------------------------------------------------------------------- what other engines recorded


def expected(record: Record, engine: str) -> Record:
    """Return a record of several engines with the answer of one as the expected one."""
    return record | {"expected": record["answers"][record["expected_by"][engine]]}


def tally(comparisons: Iterator[Comparison]) -> Counter[Verdict]:
    return Counter(comparison.verdict for comparison in comparisons)


def test_random_phases_on_which_four_engines_agree(shared: Path) -> None:
    assert tally(replay_file(shared / "peers" / "random_phases_noadjvia.jsonl.gz")) == {Verdict.AGREE: 1560}


def test_paradoxes_as_parlance_settles_them_by_the_rule_of_szykman(shared: Path) -> None:
    records = read_lines(shared / "peers" / "paradox_phases.jsonl.gz")
    answered = ((line, expected(record, "parlance_d")) for line, record in records)
    assert tally(replay(answered, "paradox_phases")) == {Verdict.AGREE: 411}


def test_random_phases_as_parlance_settles_them(shared: Path) -> None:
    """An adjacent move "via convoy" without a convoy fails (DATC 4.A.3 d), in both.

    In the two exceptions a fleet of the army's own power convoys on a route that has a gap. Its intent makes the move a
    convoyed one here, as in 6.G.6, which fails; parlance lets the army go by land.
    """
    records = read_lines(shared / "peers" / "random_phases.jsonl.gz")
    comparisons = list(replay(((line, expected(record, "parlance")) for line, record in records), "random_phases"))
    assert len(comparisons) == 1560
    assert [c.line for c in comparisons if c.verdict != Verdict.AGREE] == [131, 1056]


BY_HAND = {
    ("backstabbr-1", "F1908R"): "the recorded centres are those of a later year",
    ("backstabbr-1", "W1908A"): "the recorded removals follow from those centres",
    ("cicero-game_443777_ENGLAND_AIT", "F1907M"): "a convoy of the own fleet is used without 'via' (DATC 4.A.3 d)",
    ("droidippy-10144", "F1907R"): "in F1907M an army went by land that was ordered by convoy",
    ("droidippy-10879", "S1903R"): "in S1903M an army went by land that was ordered by convoy",
    ("searchbot-game_RUS.1167", "S1906R"): "a retreat to a province that a stand-off left empty",
    ("searchbot-game_RUS.1465", "F1925R"): "a retreat to a province that a stand-off left empty",
}
"""Records that differ for a reason of their own."""


def why_it_differs(record: Record, comparison: Comparison) -> str | None:
    """Return the known reason why a record differs from satdip, or None: each is a choice of the other engine."""
    if {"auto_removal", "build_not_carried_out", "disband_not_carried_out"}.intersection(record.get("tags", ())):
        return "other units are removed or built when the orders are too few or too many (4.D.4 to 4.D.8)"
    orders = [order for texts in record["orders"].values() for order in texts]
    convoyed = {order.partition(" C ")[2] for order in orders if " C A " in order}
    if any(order.endswith(" VIA") and order.removesuffix(" VIA") not in convoyed for order in orders):
        return "an army ordered by convoy, without one, goes by land there (4.A.3 d)"
    if set(comparison.details) == {"dislodged_or_removed"} and _one_for_another(
        comparison.details["dislodged_or_removed"]
    ):
        return "'removed' was derived from the units that are missing, and names the wrong one"
    return BY_HAND.get((comparison.game, comparison.phase))


def _one_for_another(both: Mapping[str, Mapping[str, list[str]]]) -> bool:
    """Return whether two lists of units by power differ only in where the units stood."""
    kinds = [{power: Counter(u[0] for u in units) for power, units in side.items()} for side in both.values()]
    return kinds[0] == kinds[1]


def check_corpus(path: Path) -> Counter[Verdict]:
    """Replay a corpus; every difference has a known reason."""
    counts: Counter[Verdict] = Counter()
    records, again = itertools.tee(read_lines(path))
    for (_, record), comparison in zip(again, replay(records, path.name), strict=True):
        counts[comparison.verdict] += 1
        if comparison.verdict == Verdict.DIFFER:
            assert why_it_differs(record, comparison), comparison
    return counts


def test_a_game_of_webdiplomacy(shared: Path) -> None:
    assert check_corpus(shared / "games" / "webdiplomacy.jsonl.gz") == {Verdict.AGREE: 31}


def test_games_of_backstabbr(shared: Path) -> None:
    counts = check_corpus(shared / "games" / "backstabbr.jsonl.gz")
    assert counts == {Verdict.AGREE: 274, Verdict.DIFFER: 2}


def test_games_on_other_maps_are_skipped(shared: Path) -> None:
    assert check_corpus(shared / "games" / "variants_godip.jsonl.gz") == {Verdict.SKIPPED: 574}


@pytest.mark.long
@pytest.mark.parametrize(
    ("corpus", "phases", "agree"),
    [
        ("dipcc", 1105, 0.98),
        ("droidippy_1", 21688, 0.97),
        ("droidippy_2", 21029, 0.97),
        ("droidippy_3", 21805, 0.97),
        ("droidippy_4", 13930, 0.97),
        ("droidippy_hard", 1436, 0.99),
        ("package_agpl", 397, 0.8),
        ("package_dipnet_press", 10770, 0.97),
        ("package_mit", 1351, 0.99),
    ],
)
def test_a_whole_corpus(corpus: str, phases: int, agree: float, shared: Path) -> None:
    counts = check_corpus(shared / "games" / f"{corpus}.jsonl.gz")
    assert counts.total() == phases
    assert counts[Verdict.AGREE] >= agree * phases
    assert counts[Verdict.SKIPPED] == 0
    assert counts[Verdict.UNCHECKED] <= 5, "the movement record before a retreat record is missing a few times"
