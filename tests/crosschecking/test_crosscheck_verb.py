"""``satdip crosscheck`` as a user meets it: counts, exit codes, engines that go wrong, resuming, the report."""

from __future__ import annotations

import base64
import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.commands import satdip

from satdip.crosschecking import checking, work
from satdip.crosschecking.runs import Serial
from satdip.notation import read_record

FAULTY = Path(__file__).parent / "engines" / "faulty.py"
HOLDS = f"command:{sys.executable} {FAULTY} none"
"""An engine in which nothing ever moves."""


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


VIA = {"phase": "S1901M", "orders": {"ENGLAND": ["A YOR - EDI VIA", "F NTH H"], "FRANCE": ["A PAR H"]}}
PLAIN = {"phase": "S1901M", "orders": {"FRANCE": ["A PAR - BUR", "F BRE - MAO"]}}
STAYS = {"phase": "S1901M", "orders": {"FRANCE": ["A PAR H"]}}


@pytest.fixture
def phases(tmp_path: Path) -> Path:
    return write(tmp_path / "phases.jsonl", PLAIN, VIA, STAYS, VIA)


def check(*arguments: object) -> Any:
    return satdip("crosscheck", "--quiet", *arguments)


# ---------------------------------------------------------------------- counts and exit codes


def test_engines_that_agree(phases: Path) -> None:
    run = check("--engine", "satdip", phases)
    assert run.code == 0
    assert run.out.startswith("agree: of 4 phases 4 agree, 0 disagree; 0 engine failures, 0 phases skipped\n")


def test_an_engine_that_disagrees(phases: Path) -> None:
    run = check("--engine", "satdip:datc+4.A.3=tag-or-own-fleet-else-land", phases)
    assert run.code == 1
    assert "disagree: of 4 phases 2 agree, 2 disagree" in run.out
    assert "ENGLAND: A YOR - EDI VIA\n" in run.out, "the example, without the fleet and without France"


KEYS = {
    "": {
        *("sources", "rules", "phases", "agree", "disagree", "engine_failures", "skipped", "complete"),
        *("engines", "failures", "groups", "own_errors", "errors", "grouped"),
    },
    "engines": {"name", "version", "agree", "disagree", "failures", "unsupported", "given_up"},
    "groups": {
        *("engine", "class", "parts", "title", "datc", "why", "kind", "rules", "count", "together", "sources"),
        "example",
    },
    "example": {
        *("record", "line", "size", "source", "minimised", "minimal", "satdip", "engine", "differences"),
        *("consistent", "right_under", "explanation"),
    },
}


def test_json(phases: Path) -> None:
    run = check("--json", "--engine", "x=satdip:datc+4.A.3=tag-or-own-fleet-else-land", phases)
    value = run.json
    assert run.code == 1
    assert value.keys() == KEYS[""]
    assert (value["phases"], value["agree"], value["disagree"], value["engine_failures"]) == (4, 2, 2, 0)
    [engine], [group] = value["engines"], value["groups"]
    assert engine.keys() == KEYS["engines"]
    assert (engine["name"], engine["agree"], engine["disagree"]) == ("x", 2, 2)
    assert group.keys() == KEYS["groups"]
    assert (group["class"], group["datc"], group["kind"]) == ("4.A.3=tag-or-own-fleet-else-land", ["4.A.3"], "moves")
    assert (group["count"], group["sources"]) == (2, [f"{phases}:2", f"{phases}:4"])
    example = group["example"]
    assert example.keys() == KEYS["example"]
    assert (example["size"], example["minimised"], example["minimal"]) == (1, "engine", True)
    assert (example["satdip"]["moves"], example["engine"]["moves"]) == ({}, {"YOR": "EDI"})
    assert example["right_under"] == [f"4.A.3={slug}" for slug in ("land-unless-opposite", "intent")] + [
        "4.A.3=tag-or-own-fleet-else-land"
    ]
    assert example["consistent"] is False
    assert [text.splitlines()[0] for text in example["explanation"]] == ["A YOR - EDI VIA is not followed."]
    assert len(read_record(example["record"]).orders) == 1


def test_phases_that_are_not_compared_are_counted(tmp_path: Path) -> None:
    driven_out = {"phase": "S1901R", "units": {}, "dislodged": {"FRANCE": ["A PAR"]}}
    records = [STAYS, {"map": "moon"}, {"units": 3}, driven_out]
    value = check("--json", "--engine", "satdip", write(tmp_path / "p.jsonl", *records)).json
    assert value["phases"] == 1
    reasons = list(value["skipped"])
    assert reasons[0] == "the map 'moon' is not known"
    assert "units" in reasons[1]
    assert reasons[2] == "nothing says where the dislodged units may go"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--engine", "nonsense", "datc"], "no engine is called 'nonsense'"),
        (["--engine", "satdip", "nonsense"], "no source is called 'nonsense'"),
        (["--engine", "satdip", "x" * 5000], f"no source is called '{'x' * 60}...'"),
        (["--engine", "satdip", "--rules", "nonsense", "datc"], "--rules"),
        (["--engine", "satdip", "--resume", "datc"], "--resume goes on with the results of --output"),
        (["--engine", "satdip", "--engine", "satdip", "datc"], "two of the engines are called 'satdip'"),
        (["--engine", "satdip", "datc", "datc"], "the source 'datc' is there twice"),
        (["--engine", "satdip", "--report", "/nowhere/x.html", "datc"], "--report"),
        (["datc"], "missing option '--engine'"),
        (["--engine", "satdip"], "missing argument 'SOURCE...'"),
    ],
)
def test_what_is_refused(arguments: list[str], sentence: str) -> None:
    run = check(*arguments)
    assert (run.code, run.out) == (2, "")
    assert sentence in run.err
    assert run.err.count("\n") == 1


def test_nothing_to_compare_is_bad_input(tmp_path: Path) -> None:
    run = check("--engine", "satdip", write(tmp_path / "p.jsonl", {"map": "moon"}))
    assert run.code == 2
    assert "no phase could be compared: the map 'moon' is not known" in run.err


# ---------------------------------------------------------------------- engines that go wrong

LATER = {"phase": "S1902M", "orders": {"FRANCE": ["A PAR H"]}}


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("sleep", "timeout"),
        ("exit", "crash"),
        ("kill", "crash"),
        ("close", "crash"),
        ("garbage", "nonsense"),
        ("bytes", "nonsense"),
        ("half", "crash"),
        ("deep", "nonsense"),
        ("other-id", "nonsense"),
        ("places", "nonsense"),
        ("gives-up", "no-answer"),
    ],
)
def test_engines_that_go_wrong_are_recorded_and_the_run_goes_on(way: str, kind: str, tmp_path: Path) -> None:
    source = write(tmp_path / "p.jsonl", STAYS, LATER, STAYS)
    engine = f"x=command:{sys.executable} {FAULTY} {way}"
    run = check("--json", "--engine", engine, "--timeout-per-phase", 1, source)
    value = run.json
    assert run.code == 1
    assert (value["phases"], value["agree"], value["disagree"], value["engine_failures"]) == (3, 2, 0, 1)
    [failed] = value["failures"]
    assert (failed["engine"], failed["kind"], failed["count"]) == ("x", kind, 1)
    assert failed["sources"] == [f"{source}:2"]


def test_what_an_engine_does_not_do_is_no_failure(tmp_path: Path) -> None:
    source = write(tmp_path / "p.jsonl", STAYS, LATER)
    run = check("--json", "--engine", f"command:{sys.executable} {FAULTY} unsupported", source)
    assert run.code == 0
    assert (run.json["engine_failures"], run.json["engines"][0]["unsupported"]) == (0, 1)


# ---------------------------------------------------------------------- long runs


def test_results_are_the_same_in_several_processes(tmp_path: Path) -> None:
    arguments = ["--engine", "satdip:1971", "random:dense:12", "--minimise", "0"]
    runs = [check(*arguments, "--output", tmp_path / f"{jobs}.jsonl", "--jobs", jobs) for jobs in (1, 2)]
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert runs[0] == runs[1]


class Interrupted(Serial):
    """As if the user had pressed Ctrl-C after two phases."""

    def lines(self, work: Any, phases: Any) -> Iterator[list[str]]:
        for number, lines in enumerate(super().lines(work, phases)):
            if number == 2:
                raise KeyboardInterrupt
            yield lines


def test_an_interrupted_run_tells_what_is_known_and_goes_on(
    phases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, output = tmp_path / "whole.jsonl", tmp_path / "out.jsonl"
    arguments = ["--json", "--engine", "satdip:datc+4.A.3=intent", phases, "--output"]
    expected = check(*arguments, whole)
    monkeypatch.setattr("satdip.crosschecking.runs.Serial", Interrupted)
    run = check(*arguments, output)
    monkeypatch.undo()
    assert run.code == 4
    assert (run.json["phases"], run.json["disagree"], run.json["complete"]) == (2, 1, False)
    assert run.json["groups"][0]["example"]["minimised"] == "nobody"
    assert check(*arguments, output).code == 2, "without --resume the file is left alone"
    resumed = check(*arguments, output, "--resume")
    assert (resumed.code, resumed.json) == (expected.code, expected.json)
    assert output.read_bytes() == whole.read_bytes()


def test_an_interrupt_while_minimising(phases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found_in = checking.found_in

    def interrupted(group: Any, engines: Any, rules: Any, seconds: float | None) -> Any:
        if seconds != 0:
            raise KeyboardInterrupt
        return found_in(group, engines, rules, seconds)

    monkeypatch.setattr(checking, "found_in", interrupted)
    run = check("--json", "--engine", "satdip:datc+4.A.3=intent", phases)
    assert (run.code, run.json["complete"], run.json["groups"][0]["count"]) == (4, False, 2)


def test_a_limit_is_for_each_source(phases: Path) -> None:
    assert check("--json", "--engine", "satdip", "--limit", "2", phases, "datc").json["phases"] == 4


def test_a_run_over_a_cluster(phases: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    arguments = ["--json", "--engine", "satdip:datc+4.A.3=intent", phases, "--output"]
    alone = check(*arguments, tmp_path / "1.jsonl")
    together = check(*arguments, tmp_path / "2.jsonl", "--dask", "local", "--jobs", "2")
    assert alone == together
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


# ---------------------------------------------------------------------- the report


class Tags(HTMLParser):
    """Collects tags, and addresses that a browser would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("src", "href", "action", "data", "srcset"):
                self.addresses.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)


def report_of(tmp_path: Path, *arguments: object) -> tuple[str, Tags]:
    path = tmp_path / "report.html"
    check(*arguments, "--report", path)
    text = path.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    return text, tags


def test_the_report_needs_nothing_else(phases: Path, tmp_path: Path) -> None:
    text, tags = report_of(tmp_path, "--engine", "satdip:datc+4.A.3=intent", phases)
    assert all(address.startswith(("data:image/svg+xml;base64,", "#f")) for address in tags.addresses)
    assert not tags.tags & {"script", "link", "iframe", "object", "embed", "svg"}
    [picture] = re.findall(r"base64,([^\"]+)", text)
    assert base64.b64decode(picture).startswith(b"<svg")
    assert "A YOR - EDI VIA" in text
    assert "4.A.3" in text
    assert "prefers-color-scheme: dark" in text


MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{ 7*7 }}"
CONTROL = "\x1b[31mred\x07\u202eevil\u0085"

EVIL = """
import json, sys
for line in sys.stdin:
    record = json.loads(line)
    if record["phase"] == "S1902M":
        print(json.dumps({"id": record["id"], "error": TEXT}), flush=True)
    else:
        print(json.dumps({"id": record["id"], "moves": {}, TEXT: 1}), flush=True)
"""


def test_markup_and_control_characters_are_shown_as_they_are(tmp_path: Path) -> None:
    """In order texts, names of games and files, engines' words and engines' names."""
    folder = tmp_path / "a<b>&\u202e"
    folder.mkdir()
    script = folder / "evil.py"
    script.write_text(EVIL.replace("TEXT", ascii(MARKUP + CONTROL)), encoding="utf-8")
    orders = {"FRANCE": ["A PAR - BUR", f"A BUR {MARKUP}", "A MAR - <b>BUR</b>", "F \u202eBRE - MAO"]}
    records = [
        {"game": MARKUP, "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}, MARKUP: CONTROL},
        {"units": {"FRANCE": ["A PAR", "A MAR", "F BRE"]}, "orders": orders},
        {"phase": "S1902M", "units": {"FRANCE": ["A PAR"]}, "orders": {}},
        {"map": MARKUP + CONTROL},
    ]
    source = write(folder / "p.jsonl", *records)
    engine = f"command:{sys.executable} '{script}'"
    path = tmp_path / "report.html"
    run = check("--engine", engine, source, "--report", path, "--minimise", "0")
    assert run.code == 1
    text = path.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert not tags.tags & {"script", "b"}
    assert tags.handlers == []
    assert all(address.startswith(("data:image/svg+xml;base64,", "#f")) for address in tags.addresses)
    assert "&lt;script&gt;alert(1)" in text, "the engine's words are shown"
    assert "{{ 7*7 }}" in text, "nothing in them is a template"
    for shown in (text, run.out):
        assert not set("\x1b\x07\u202e\u0085") & set(shown)
    for picture in re.findall(r"base64,([^\"]+)", text):
        assert b"<script" not in base64.b64decode(picture)


def test_a_report_without_disagreements(phases: Path, tmp_path: Path) -> None:
    text, _ = report_of(tmp_path, "--engine", "satdip", phases)
    assert "No engine disagrees." in text


# ---------------------------------------------------------------------- recorded answers


def test_recorded_answers_are_no_engine_to_ask(shared: Path) -> None:
    corpus = shared / "peers" / "paradox_phases.jsonl.gz"
    run = check("--json", "--engine", "recorded:dreact", "--limit", "60", corpus)
    assert run.json["phases"] == 60
    for group in run.json["groups"]:
        assert group["class"] != "unexplained"
        assert group["example"]["minimised"] in ("reading", "nobody")


# ---------------------------------------------------------------------- what is said is true


def test_without_an_output_nothing_is_said_to_be_kept(
    phases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdip.crosschecking.runs.Serial", Interrupted)
    arguments = ("crosscheck", "--engine", "satdip", phases)
    lost = satdip(*arguments)
    assert lost.code == 4
    assert "interrupted; 2 phases are done and not kept: a run with --output can be resumed" in lost.err
    kept = satdip(*arguments, "--output", tmp_path / "out")
    assert "2 phases are done and kept, the same command with --resume goes on" in kept.err


def test_an_error_of_our_own_is_no_agreement(phases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The phase is named, the run goes on, and neither summary nor exit code hide it."""
    right = work.differences

    def fails(resolution: Any, answer: Any) -> Any:
        if "YOR" in str(resolution.turn.orders):
            raise ZeroDivisionError("planted")
        return right(resolution, answer)

    monkeypatch.setattr(work, "differences", fails)
    report = tmp_path / "report.html"
    run = check("--engine", "satdip", phases, "--report", report)
    told = "satdip itself failed on 2 phases: ZeroDivisionError: planted, in test_crosscheck_verb:fails:"
    assert run.code == 1
    assert run.out.startswith("satdip itself failed: of 2 phases 2 agree, 0 disagree; 0 engine failures, 0 phases skip")
    assert told in " ".join(run.out.split())
    assert f"({phases}:2, {phases}:4)" in "".join(run.out.split("\n"))
    assert told in report.read_text(encoding="utf-8")
    value = check("--json", "--engine", "satdip", phases).json
    assert (value["phases"], value["agree"], value["own_errors"]) == (2, 2, 2)
    assert value["errors"][0]["sources"] == [f"{phases}:2", f"{phases}:4"]


def test_a_run_in_which_satdip_always_fails_is_no_bad_input(phases: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "differences", lambda *_: 1 / 0)
    run = check("--engine", "satdip", phases)
    assert (run.code, run.err) == (1, "")
    assert run.out.startswith("satdip itself failed: of 0 phases 0 agree, 0 disagree")


def test_an_error_of_our_own_in_an_example_leaves_the_finding(
    phases: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "found_in", lambda *_: 1 / 0)
    report = tmp_path / "report.html"
    arguments = ("--engine", "satdip:datc+4.A.3=intent", phases)
    run = check(*arguments, "--report", report)
    assert run.code == 1
    assert run.out.startswith("disagree: of 4 phases 2 agree, 2 disagree")
    assert "satdip itself failed on 1 phase: ZeroDivisionError: division by zero" in " ".join(run.out.split())
    assert "(not minimised) ENGLAND: A YOR - EDI VIA, F NTH H" in " ".join(run.out.split())
    assert "A YOR - EDI VIA" in report.read_text(encoding="utf-8")
    value = check("--json", *arguments).json
    assert (value["disagree"], value["own_errors"], value["groups"][0]["count"]) == (2, 1, 2)


DISLODGED = {
    "orders": {"ITALY": ["F ADR C A TRI - APU", "A VEN S A TRI - APU", "A TRI - APU"], "FRANCE": ["A APU H"]},
    "expected": {"moves": {"TRI": "APU"}, "dislodged": ["APU"], "retreats": {"APU": ["NAP", "ROM", "TRI"]}},
}
"""An engine that opens a further retreat, and says what satdip says about the moves."""


def test_of_retreats_alone_no_consistent_resolution_is_spoken(tmp_path: Path) -> None:
    source, report = write(tmp_path / "p.jsonl", DISLODGED), tmp_path / "report.html"
    arguments = ("--engine", "recorded:expected", source)
    [group] = check("--json", *arguments).json["groups"]
    assert (group["kind"], group["example"]["consistent"]) == ("retreats", None)
    run = check(*arguments, "--report", report)
    text = report.read_text(encoding="utf-8")
    assert "retreats APU" in text
    assert "consistent resolution" not in text
    assert not re.search(r"\b(yes|no) *│$", run.out, re.MULTILINE), "the column is empty"


def test_of_moves_consistent_resolutions_are_spoken(phases: Path, tmp_path: Path) -> None:
    text, _ = report_of(tmp_path, "--engine", "satdip:datc+4.A.3=intent", phases)
    assert "no consistent resolution of the equations" in text


STOPPED = {
    "orders": {
        "ENGLAND": ["F SEV - BLA"],
        "FRANCE": ["F BLA C A ANK - BUL", "F CON S F SEV - BLA", "A ANK - BUL"],
    },
    "expected": {"moves": {}, "dislodged": []},
}
"""An engine that stops a convoy: as if routes had to be named. No order could name one."""


def right_under(tmp_path: Path, engine: str, *records: dict[str, Any]) -> list[str]:
    source = write(tmp_path / "p.jsonl", *records)
    [group] = check("--json", "--minimise", 0, "--engine", engine, source).json["groups"]
    found: list[str] = group["example"]["right_under"]
    return found


def test_a_choice_about_words_that_no_order_has_is_no_cause(tmp_path: Path) -> None:
    assert right_under(tmp_path, "recorded:expected", STOPPED) == []


def test_a_choice_about_words_that_are_written_is_one(tmp_path: Path) -> None:
    """Satdip itself makes any choice that it is asked to, and then it is named."""
    orders = {"FRANCE": ["F BLA C A ANK - BUL", "A ANK - BUL"]}
    assert right_under(tmp_path, "satdip:datc+4.A.6=required", {"orders": orders}) == ["4.A.6=required"]


def test_a_choice_that_explains_one_phase_of_a_group_alone_is_a_coincidence(tmp_path: Path) -> None:
    """Both retreats are opened by one habit; the first alone would also follow from a choice."""
    first = {
        "orders": {"AUSTRIA": ["F MAO - SPA/SC", "F POR S F MAO - SPA/NC"], "ITALY": ["F WES - SPA"]},
        "expected": {"moves": {"MAO": "SPA/SC"}, "dislodged": []},
    }
    second = {
        "orders": {"AUSTRIA": ["F MAO - SPA/SC", "F POR S F MAO - SPA/NC"], "ITALY": ["F WES - SPA/SC"]},
        "expected": {"moves": {"MAO": "SPA/SC"}, "dislodged": []},
    }
    assert right_under(tmp_path, "recorded:expected", first) == ["4.B.2=fails", "4.B.4=no-matter"]
    assert right_under(tmp_path, "recorded:expected", first, second) == ["4.B.4=no-matter"]


def test_numbers_that_add_up_to_more_than_the_phases_say_so(phases: Path, tmp_path: Path) -> None:
    choice = "satdip:datc+4.A.3=tag-or-own-fleet-else-land"
    once, twice = ("--engine", f"a={choice}"), ("--engine", f"a={choice}", "--engine", f"b={choice}")
    told = "The numbers of phases add up to 4, although 2 disagree"
    assert "add up to" not in check(*once, phases).out
    assert told in " ".join(check(*twice, phases).out.split())
    assert told in report_of(tmp_path, *twice, phases)[0]
    value = check("--json", *twice, phases).json
    assert (value["grouped"], value["disagree"]) == (4, 2)


@pytest.mark.parametrize("engine", ["satdip:datc+4.A.3=intent", "command:false"])
def test_one_phase_is_one_phase(engine: str, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    source = write(tmp_path / "p.jsonl", VIA, {"map": "moon"})
    run = satdip("crosscheck", "--engine", engine, source, "--report", report)
    text = re.sub("<style>.*</style>|<[^>]*>", " ", report.read_text(encoding="utf-8"), flags=re.DOTALL)
    for told in (run.out, run.err, text):
        assert "1 phase" in told or not told.strip()
        assert not re.search(r"\b1 (\w+ )?(phases|failures|units|agree|disagree)\b", told)
        assert not re.search(r"\b0 (\w+ )?(phase|failure|agrees|disagrees)\b", told)
