"""The command line: verbs and options, what is printed where, exit codes, pipes and interrupts."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import satdip
from support.verbs import OPEN, SHEET, VERBS, has_json

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = (sys.executable, "-m", "satdip")

ALL_KINDS = b"""map: standard
rules: datc
England: F North Sea Convoys A Yorkshire - Norway; A Yorkshire - Norway via convoy
France: A Paris Supports A Burgundy; A Burgundy Holds; F St Petersburg(nc) - Norway
"""


def process(*arguments: object, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a process of its own."""
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin.decode(),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | environment,
        timeout=60,
        check=False,
    )


# ---------------------------------------------------------------------- help


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_verb_has_help(verb: str, option: str) -> None:
    run = satdip(*verb.split(), option)
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"Usage: satdip {verb} ")
    assert ("--json" in run.out) == has_json(verb)


def test_an_example_in_the_help_keeps_its_lines() -> None:
    text = satdip("adjudicate", "--help").out
    assert "\n      F London Supports F Wales - English Channel\n" in text
    assert "\\b" not in text


def test_help_names_the_verbs_and_the_exit_codes() -> None:
    run = satdip("--help")
    assert run.code == 0
    for verb in VERBS:
        assert re.search(rf"^  {verb.split()[0]} ", run.out, re.MULTILINE)
    text = " ".join(run.out.split())
    assert "0 done, 1 differences or failures found, 2 bad input, 3 the rules give no answer, 4 incomplete" in text


@pytest.mark.parametrize("arguments", [(), ("map",)])
def test_without_a_verb_the_help_is_shown(arguments: tuple[str, ...]) -> None:
    run = satdip(*arguments)
    assert (run.code, run.out) == (2, "")
    assert run.err.startswith("Usage: satdip")


def test_the_version() -> None:
    assert re.fullmatch(r"satdip, version \d+\.\d+\.\d+(, compiled)?\n", satdip("--version").out)


def test_help_does_not_load_the_solver() -> None:
    """Help comes at once: what only adjudication needs is imported late."""
    code = "import sys; sys.argv = ['satdip', '--help']\nfrom satdip.cli import main\n"
    code += "try: main()\nexcept SystemExit: print(sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert not {"pysat", "networkx", "lark", "rapidfuzz", "rich"}.intersection(re.findall(r"'(\w+)'", loaded))


# ---------------------------------------------------------------------- adjudicate


def test_a_file_and_standard_input_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "orders.txt"
    path.write_bytes(SHEET)
    from_file, from_stdin = satdip("adjudicate", path, "--json"), satdip("adjudicate", "-", "--json", stdin=SHEET)
    assert from_file == from_stdin
    assert [(order["unit"], order["outcome"]) for order in from_file.json["orders"]] == [
        ("A PAR", "succeeds"),
        ("A MAR", "given"),
        ("A MUN", "fails"),
    ]


def test_standard_input_is_named_in_errors() -> None:
    assert satdip("adjudicate", "-", stdin=b"France: A Paris goes").err.startswith("satdip: standard input, line 1")


def test_a_table_for_people() -> None:
    run = satdip("adjudicate", "-", stdin=SHEET)
    assert (run.code, run.err) == (0, "")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in run.out.splitlines() if line.startswith("│")]
    assert [row[:3] for row in rows if row[2]] == [
        ["France", "A Paris - Burgundy", "succeeds"],
        ["", "A Marseilles Supports A Paris - Burgundy", "given"],
        ["Germany", "A Munich - Burgundy", "fails"],
    ]
    assert run.out.splitlines()[0].strip() == "S1901M, map standard, rules datc"
    assert run.out.splitlines()[-1] == "Next: F1901M."


@pytest.mark.parametrize(
    ("notation", "orders"),
    [
        (
            "datc",
            [
                "F North Sea Convoys A Yorkshire - Norway",
                "A Yorkshire - Norway via convoy",
                "A Paris Supports A Burgundy",
                "F St Petersburg(nc) - Norway",
            ],
        ),
        ("short", ["F nth C A yor - nwy", "A yor - nwy via convoy", "A par S A bur", "F stp/nc - nwy"]),
        ("package", ["F NTH C A YOR - NWY", "A YOR - NWY VIA", "A PAR S A BUR", "F STP/NC - NWY"]),
        ("seed", ["F Nth (C) A Yor-Nwy", "A Yor-Nwy via convoy", "A Par (S) A Bur", "F Stp(nc)-Nwy"]),
    ],
)
def test_orders_are_written_in_every_notation(notation: str, orders: list[str]) -> None:
    out = satdip("adjudicate", "-", "--notation", notation, stdin=ALL_KINDS).out
    cells = [line.split("│")[2].strip() for line in out.splitlines() if line.startswith("│")]
    for order in orders:
        assert order in cells


@pytest.mark.parametrize("notation", ["datc", "short", "package", "seed"])
@pytest.mark.parametrize("name", ["paradox.txt", "retreats.txt", "winter.txt", "opening.json"])
def test_the_next_position_can_be_fed_back(notation: str, name: str) -> None:
    after = satdip("adjudicate", EXAMPLES / name, "--next", "--notation", notation)
    again = satdip("adjudicate", "-", "--json", stdin=after.out.encode())
    expected = satdip("adjudicate", EXAMPLES / name, "--json").json["next"]
    assert (after.code, again.code) == (0, 0)
    assert again.json["phase"] == expected["phase"]
    there = {f"{order['power']} {order['unit']}" for order in again.json["orders"]}
    waiting = expected.get("dislodged", expected["units"])
    assert there == {f"{power} {unit}" for power, units in waiting.items() for unit in units}


def test_the_next_position_takes_orders(tmp_path: Path) -> None:
    """A spring with a dislodgement, its retreats and the autumn after them, each from the output of the one before."""
    orders = b"England: F Wales - Irish Sea\nFrance: F English Channel - Belgium\n"
    spring = satdip("adjudicate", EXAMPLES / "paradox.txt", "--next").out.encode()
    assert b"phase: S1901R" in spring
    retreats = satdip("adjudicate", "-", "--next", stdin=spring + orders).out.encode()
    assert b"phase: F1901M" in retreats
    autumn = satdip("adjudicate", "-", "--json", stdin=retreats + b"France: F Belgium - North Sea\n").json
    assert autumn["phase"] == "F1901M"
    assert {"power": "FRANCE", "unit": "F BEL", "outcome": "succeeds"}.items() <= autumn["orders"][0].items()


def test_the_next_position_as_json_takes_orders() -> None:
    spring = satdip("adjudicate", EXAMPLES / "paradox.txt", "--next", "--json").json
    assert spring["dislodged"] == {"FRANCE": ["F ENG"]}
    assert spring["attackers"] == {"F ENG": "WAL"}
    record = json.dumps(spring | {"orders": {"FRANCE": ["F ENG R BEL"]}}).encode()
    autumn = satdip("adjudicate", "-", "--next", "--json", stdin=record).json
    assert autumn["phase"] == "F1901M"
    assert "F BEL" in autumn["units"]["FRANCE"]


@pytest.mark.parametrize("options", [("--next",), ("--next", "--json")])
def test_the_next_position_keeps_the_rules_that_were_named(options: tuple[str, ...]) -> None:
    out = satdip("adjudicate", "-", *options, stdin=b"rules: 2023\nFrance: A Paris Holds").out
    assert satdip("adjudicate", "-", "--json", stdin=out.encode()).json["rules"] == "2023"


def test_the_same_without_folding() -> None:
    for name in ("paradox.txt", "pandin.txt", "retreats.txt", "winter.txt", "opening.json"):
        folded = satdip("adjudicate", EXAMPLES / name, "--json").json
        solved = satdip("adjudicate", EXAMPLES / name, "--json", "--no-fold").json
        ways = {order.pop("decided_by") for order in solved["orders"]}
        assert "folding" not in ways
        assert "solver" in ways
        for order in folded["orders"]:
            order.pop("decided_by")
        assert solved == folded


def test_the_rules_of_the_option_count_more_than_those_of_the_sheet() -> None:
    assert satdip("adjudicate", "-", "--json", stdin=b"rules: 1982\nFrance: A Par H").json["rules"] == "1982"
    run = satdip("adjudicate", "-", "--json", "--rules", "2023", stdin=b"rules: 1982\nFrance: A Par H")
    assert run.json["rules"] == "2023"


def test_misspelt_orders_are_reported_as_they_were_read() -> None:
    sheet = b"Itly:\n  A Piedmnot - Marseiles\n"
    [order] = satdip("adjudicate", "-", "--json", stdin=sheet).json["orders"]
    assert order["power"] == "ITALY"
    assert order["order"] == "A Piedmnot - Marseiles"
    assert order["read_as"] == ["Itly read as Italy", "Piedmnot read as Piedmont", "Marseiles read as Marseilles"]
    table = satdip("adjudicate", "-", stdin=sheet).out
    for note in order["read_as"]:
        assert f"({note})" in table


def test_an_order_of_several_meanings_is_not_followed() -> None:
    [order] = satdip("adjudicate", "-", "--json", stdin=b"units: England F Yorkshire\nEngland: F Yor - Nor").json[
        "orders"
    ]
    assert (order["outcome"], order["reasons"][0]["code"]) == ("illegal", "unclear")
    for name in ("North Sea", "Norway", "Norwegian Sea"):
        assert name in order["reasons"][0]["text"]


def test_a_lenient_reading_counts_a_line_that_is_none_as_no_order() -> None:
    sheet = b"units: France A Paris\nFrance:\n  A Paris to the beach\n"
    assert satdip("adjudicate", "-", stdin=sheet).code == 2
    run = satdip("adjudicate", "-", "--lenient", "--json", stdin=sheet)
    assert run.code == 0
    assert [order["outcome"] for order in run.json["orders"]] == ["illegal", "stands"]


# ---------------------------------------------------------------------- paradoxes


def test_a_paradox_is_told() -> None:
    run = satdip("adjudicate", EXAMPLES / "paradox.txt")
    assert run.code == 0
    text = " ".join(run.out.split())
    assert "Convoy paradox of F London, F Wales, F English Channel, with several consistent resolutions" in text
    assert "the rule disrupts the convoy of F English Channel" in text
    assert (
        "France's F English Channel may retreat to Belgium, Irish Sea, Mid-Atlantic Ocean, North Sea, Picardy." in text
    )


def test_a_paradox_without_any_consistent_resolution_is_told() -> None:
    text = " ".join(satdip("adjudicate", EXAMPLES / "pandin.txt").out.split())
    assert "F London, F English Channel, F Belgium, with no consistent resolution" in text
    [core] = satdip("adjudicate", EXAMPLES / "pandin.txt", "--json").json["paradoxes"]
    assert (core["resolutions"], core["disrupted"], core["left_open"]) == (0, ["F ENG"], False)


def test_a_paradox_that_the_rules_leave_open_gives_exit_code_3() -> None:
    run = satdip("adjudicate", "-", "--rules", "2023", "--json", stdin=OPEN)
    assert (run.code, run.json["open"], run.json["next"]) == (3, True, None)
    assert sorted(list(consistent["moves"]) for consistent in run.json["consistent"]) == [[], ["F EDI", "F PIC"]]
    assert satdip("adjudicate", "-", "--rules", "2023", stdin=OPEN).code == 3
    nothing_next = satdip("adjudicate", "-", "--rules", "2023", "--next", stdin=OPEN)
    assert (nothing_next.code, nothing_next.out) == (3, "")
    assert nothing_next.err.startswith("satdip: ")
    assert nothing_next.err.count("\n") == 1


@pytest.mark.parametrize(("fallback", "moves"), [("szykman", ["F EDI", "F PIC"]), ("all-hold", [])])
def test_a_fallback_answers_what_the_rules_leave_open(fallback: str, moves: list[str]) -> None:
    run = satdip("adjudicate", "-", "--rules", "2023", "--fallback", fallback, "--json", stdin=OPEN)
    assert (run.code, run.json["open"]) == (0, False)
    done = [order["unit"] for order in run.json["orders"] if " - " in order["order"] and order["outcome"] == "succeeds"]
    assert done == moves


# ---------------------------------------------------------------------- maps


def test_a_map_is_shown() -> None:
    shown = satdip("map", "show", "--json").json
    assert (shown["map"], shown["victory"], len(shown["provinces"])) == ("standard", 18, 75)
    assert sum(province["centre"] for province in shown["provinces"]) == 34
    assert shown["powers"]["FRANCE"] == {"name": "France", "home": ["BRE", "MAR", "PAR"]}


def test_one_province_is_shown() -> None:
    [spain] = satdip("map", "show", "standard", "spa", "--json").json["provinces"]
    assert spain["army"] == ["GAS", "MAR", "POR"]
    assert spain["fleet"] == {"SPA/NC": ["GAS", "MAO", "POR"], "SPA/SC": ["LYO", "MAO", "MAR", "POR", "WES"]}
    assert "SPA/SC: LYO MAO MAR POR WES" in satdip("map", "show", "standard", "SPA").out


def test_a_sound_map_has_no_problems() -> None:
    assert satdip("map", "check").out == "standard: no problems\n"
    assert satdip("map", "check", ROOT / "maps" / "standard.toml", "--json").json["problems"] == []


def test_the_problems_of_a_map_are_listed(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (ROOT / "maps" / "standard.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('army = ["GAS", "MAR", "POR"]', 'army = ["GAS", "MAR"]'), encoding="utf-8")
    run = satdip("map", "check", own)
    assert run.code == 1
    assert run.err == ""
    assert f"{own}, line " in run.out
    assert "POR" in run.out
    assert run.out.splitlines()[-1] == f"{own}: 1 problem"


# ---------------------------------------------------------------------- processes


def test_python_m_satdip_is_the_command() -> None:
    run = process("adjudicate", "-", "--json", stdin=SHEET)
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == satdip("adjudicate", "-", "--json", stdin=SHEET).json


def test_bad_input_to_a_process() -> None:
    run = process("adjudicate", "-", stdin=b"France: A Paris goes fishing")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("satdip: standard input, line 1, column 17: ")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_output_whatever_the_encoding_of_the_terminal(encoding: str) -> None:
    """A letter that the terminal does not have is no reason to fail."""
    sheet = "units: France A Paris\nFrance:\n  Ça m'est égal \u2603\n".encode()
    for options in ((), ("--json",), ("--next",)):
        run = subprocess.run(
            [*COMMAND, "adjudicate", "-", "--lenient", *options],
            input=sheet,
            capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": encoding},
            cwd=ROOT,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, b"")
        assert ("m'est" in run.stdout.decode(encoding)) == (options != ("--next",))


@pytest.mark.parametrize("arguments", [("map", "show", "--json"), ("map", "show"), ("datc",)])
def test_a_reader_that_goes_away_is_no_error(arguments: tuple[str, ...]) -> None:
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=60) == 0


GAME = json.dumps(
    {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}, "next_units": {"FRANCE": ["A BUR"]}}
)


def test_progress_is_not_on_standard_output(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text(f"{GAME}\n" * 50, encoding="utf-8")
    run = process("replay", games)
    assert run.stdout == "phases: 50, agree: 50, differ: 0, skipped: 0, unchecked: 0\n"
    assert run.stderr == "", "no progress where there is no terminal"
    shown = process("replay", games, TTY_COMPATIBLE="1", FORCE_COLOR="1")
    assert shown.stdout == run.stdout, "progress goes to standard error"
    assert "phases" in shown.stderr
    assert process("replay", "--quiet", games, TTY_COMPATIBLE="1", FORCE_COLOR="1").stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_an_interrupt_gives_what_is_known_so_far(tmp_path: Path) -> None:
    games = tmp_path / "games.fifo"
    os.mkfifo(games)
    command = [*COMMAND, "replay", "--json", str(games)]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, text=True) as running,
        games.open("w", encoding="utf-8") as writer,
    ):
        writer.write(f"{GAME}\n" * 2000)  # more than a pipe holds: most of it is read when this is done
        writer.flush()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (4, "")
    known = json.loads(out)
    assert 0 < known["phases"] <= 2000
    assert known["agree"] == known["phases"]
    assert (known["complete"], known["differences"]) == (False, [])


# ---------------------------------------------------------------------- the README

README = (ROOT / "README.md").read_text(encoding="utf-8")


EXAMPLES_SHOWN = re.findall(
    r"```sh\n[^`]*?(satdip (?:adjudicate|explain) [^`]*?)\n```\n\n```text\n(.*?)```", README, re.DOTALL
)


def test_the_readme_shows_what_its_commands_print() -> None:
    """Of each example the command, from ``satdip`` on, prints the text below it."""
    assert len(EXAMPLES_SHOWN) == 2
    for command, shown in EXAMPLES_SHOWN:
        run = satdip(*shlex.split(command)[1:])
        assert [line.rstrip() for line in run.out.splitlines()] == [line.rstrip() for line in shown.splitlines()]


def test_every_verb_that_the_readme_names_is_there() -> None:
    named = set(re.findall(r"`satdip (\w+)", README))
    assert {"adjudicate", "datc", "replay", "map"} <= named <= {verb.split()[0] for verb in VERBS}


# ---------------------------------------------------------------------- what is not looked at

AUTUMN = b"phase: F1901M\nFrance: A Paris - Burgundy\n"
STRANGE = b'{"units": {"FRANCE": ["A PAR"]}, "note": 1, "colour": "blue"}'


def test_a_winter_without_centres_is_passed_over_with_a_word() -> None:
    sentence = "no supply centres are stated, so the winter of 1901 is passed over"
    assert f"Note: {sentence}." in satdip("adjudicate", "-", stdin=AUTUMN).out
    found = satdip("adjudicate", "-", "--json", stdin=AUTUMN).json
    assert found["next"]["phase"] == "S1902M"
    assert found["remarks"] == [{"text": sentence, "line": None, "column": None, "path": None}]
    for options in ((), ("--json",)):
        assert satdip("adjudicate", "-", "--next", *options, stdin=AUTUMN).err == f"satdip: {sentence}\n"
    record = {"phase": "F1901M", "orders": {"FRANCE": ["A PAR - BUR"]}}
    streamed = satdip("adjudicate", "--stream", "-", stdin=json.dumps(record).encode())
    assert json.loads(streamed.out)["remarks"] == [sentence]
    french = satdip("adjudicate", "-", "--lang", "fr", stdin=AUTUMN).out
    assert "Note : aucun centre n'est indiqué, donc l'hiver 1901 est sauté." in french


@pytest.mark.parametrize(
    "sheet",
    [
        b"phase: S1901M\nFrance: A Paris - Burgundy\n",
        b"phase: F1901M\ncentres: France Paris\nFrance: A Paris - Burgundy\n",
        b"phase: F1901M\ncentres: France Paris, Brest\nFrance: A Paris - Burgundy\n",
        b"phase: F1901M\nFrance: A Burgundy H\nGermany: A Munich - Burgundy, A Ruhr S A Munich - Burgundy\n",
    ],
)
def test_no_winter_is_said_to_be_passed_over_where_none_is(sheet: bytes) -> None:
    assert satdip("adjudicate", "-", "--json", stdin=sheet).json["remarks"] == []


def test_a_winter_before_which_units_retreat_is_passed_over_after_the_retreats() -> None:
    sheet = b"phase: F1901R\nunits: Germany A Paris\ndislodged: France A Burgundy; retreats Gascony\n"
    sheet += b"France: A Burgundy - Gascony"
    [remark] = satdip("adjudicate", "-", "--json", stdin=sheet).json["remarks"]
    assert "winter of 1901" in remark["text"]


@pytest.mark.parametrize("verb", ["adjudicate", "explain", "resolutions", "certify", "compare"])
def test_keys_that_nothing_looks_at_are_listed_by_every_verb(verb: str) -> None:
    run = satdip(verb, "-", *(("--rules", "1971", "--rules", "2023") if verb == "compare" else ()), stdin=STRANGE)
    assert "at $: the keys 'note', 'colour' are not looked at" in " ".join((run.out + run.err).split())
    assert run.code == 0


@pytest.mark.parametrize("verb", ["adjudicate", "explain", "resolutions", "certify"])
def test_a_misspelt_key_is_refused_by_every_verb(verb: str) -> None:
    run = satdip(verb, "-", stdin=b'{"units": {"FRANCE": ["A PAR"]}, "order": {"FRANCE": ["A PAR - BUR"]}}')
    assert (run.code, run.out) == (2, "")
    assert run.err == "satdip: standard input, at $: 'order' is no key of a phase record (did you mean 'orders'?)\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["adjudicate", EXAMPLES / "paradox.txt", "--rules", "1971", "--rules", "2023"], "--rules is given twice"),
        (["adjudicate", EXAMPLES / "paradox.txt", "--workers", 2], "--workers is for --stream"),
        (["adjudicate", EXAMPLES / "paradox.txt", "--json", "--notation", "short"], "--notation has no effect"),
        (["adjudicate", EXAMPLES / "opening.json", "--stream", "--notation", "short"], "--notation has no effect"),
        (["adjudicate", EXAMPLES / "opening.json", "--stream", "--lang", "fr"], "--lang has no effect"),
        (["adjudicate", EXAMPLES / "opening.json", "--stream", "--input-lang", "en"], "--input-lang has no effect"),
        (["adjudicate", EXAMPLES / "opening.json", "--input-lang", "fr"], "the orders of a record are in English"),
        (["explain", EXAMPLES / "paradox.txt", "F Lon", "--irrelevant"], "--irrelevant is about all orders"),
        (["explain", EXAMPLES / "paradox.txt", "F Lon", "--limit", 3], "--limit is for --if"),
        (["certify", EXAMPLES / "paradox.txt", "--encoding", "gates"], "--encoding is for --dimacs"),
        (["certify", EXAMPLES / "paradox.txt", "--claim", "answer", "--limit", 3], "--limit is for --claim"),
        (["certify", EXAMPLES / "retreats.txt", "--claim", "answer"], "S1901R is no movement phase"),
        (["compare", EXAMPLES / "paradox.txt", "--jobs", 1, "--jobs", 2], "--jobs is given twice"),
        (["generate", "--size", 3], "--size needs the NAME"),
        (["generate", "--map", "hex"], "--map needs the NAME"),
        (["generate", "dense", "--seed", 1, "--seed", 2], "--seed is given twice"),
        (["rules", "--json", "show", "1971"], "--json belongs behind 'show'"),
        (["rules", "--lang", "fr", "diff", "1971", "2023"], "--lang belongs behind 'diff'"),
        (["rules", "show", "1971", "--lang", "fr", "--lang", "en"], "--lang is given twice"),
    ],
)
def test_an_option_that_nothing_would_look_at_is_refused(arguments: list[Any], says: str) -> None:
    run = satdip(*arguments)
    assert (run.code, run.out) == (2, "")
    assert says in run.err
    assert run.err.count("\n") == 1


def test_options_that_may_be_repeated_are() -> None:
    assert satdip("datc", "--case", "6.A.1", "--case", "6.A.2", "--json", "--json").json["cases"] == 2


def test_corrections_are_told_by_every_verb() -> None:
    sheet = b"France: A Prais - Burgundy"
    for verb in ("explain", "resolutions", "certify"):
        assert satdip(verb, "-", stdin=sheet).err == "satdip: standard input, line 1, column 9: Prais read as Paris\n"
    record = b'{"orders": {"FRANCE": ["A Prais - BUR"]}}'
    assert json.loads(satdip("adjudicate", "--stream", "-", stdin=record).out)["remarks"] == [
        "at $.orders.FRANCE[0]: Prais read as Paris"
    ]
