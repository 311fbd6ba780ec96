"""What is printed as JSON: the keys and words are those that ``docs/json.md`` lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.commands import Run, satdip
from support.verbs import OPEN, SHEET, VERBS, has_json

from satdip.encodings.situation import Situation
from satdip.resolve.resolution import Outcome
from satdip.solving.decide import decide
from satdip.solving.verdict import DecidedBy, Verdict

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

EXCHANGE = b"""
France: A Spain - Portugal via convoy; F Mid-Atlantic Ocean Convoys A Spain - Portugal
France: F Gulf of Lyon Supports F Portugal - Spain(nc)
Germany: A Marseilles Supports A Gascony - Spain; A Gascony - Spain
Italy: F Portugal - Spain(nc); F Western Mediterranean Supports F Portugal - Spain(nc)
"""
"""An exchange by convoy (6.E.11). By the rules of 1971 it happens or not, and Gascony has no success either way."""


def documented() -> dict[str, set[str]]:
    """Command -> the key paths that ``docs/json.md`` lists."""
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    sections = re.split(r"^## (satdip .*)\n", text, flags=re.MULTILINE)[1:]
    return {
        command: set(re.findall(r"^- `([^`]+)`", body, re.MULTILINE))
        for command, body in zip(sections[::2], sections[1::2], strict=True)
    }


KEYS = documented()


def printed(value: object, known: Iterable[str], path: str = "") -> Iterator[str]:
    """Yield the key paths of a JSON value; an object with one key for each power or unit has a placeholder."""
    if isinstance(value, list):
        for item in value:
            yield from printed(item, known, f"{path}[]")
    elif isinstance(value, dict):
        prefix = f"{path}." if path else ""
        named = next((k for k in known if re.fullmatch(rf"{re.escape(prefix)}<\w+>(\..*)?", k)), None)
        for key, item in value.items():
            within = f"{prefix}{named[len(prefix) :].partition('.')[0]}" if named else f"{prefix}{key}"
            if within in known or not any(k.startswith(f"{within}.<") for k in known):
                yield within
            yield from printed(item, known, within)


def runs(command: str, folder: Path) -> Iterator[Run]:
    """Yield runs of a command that together print every key that it has."""
    verb = command.split()[1:]
    match " ".join(verb):
        case "adjudicate --json":
            yield satdip(*verb, EXAMPLES / "paradox.txt")
            yield satdip(*verb, EXAMPLES / "retreats.txt")
            yield satdip(*verb, EXAMPLES / "winter.txt")
            yield satdip(*verb, "-", stdin=b"phase: W1901A\ncentres: Italy Rome\nunits: Italy A Tuscany, A Piedmont")
            yield satdip(*verb, "-", "--rules", "2023", stdin=OPEN)
            yield satdip(*verb, "-", "--rules", "1971", stdin=b"France: F Gascony - Spain")
            yield satdip(*verb, "-", stdin=SHEET + b"centres: France Paris")
            yield satdip(*verb, "-", stdin=b'{"units": {"FRANCE": ["A PAR"]}, "note": "a key of my own"}')
        case "adjudicate --next --json":
            yield satdip(*verb, EXAMPLES / "paradox.txt")
            yield satdip(*verb, "-", stdin=b"rules: 2023\ncentres: France Paris\nFrance: A Paris Holds")
        case "replay --json":
            spring = {"units": {"FRANCE": ["A BUR"]}, "orders": {"FRANCE": ["A BUR - MUN"]}}
            beaten = {"units": {"FRANCE": ["A BUR"], "ITALY": ["A MUN", "A RUH"]}}
            beaten |= {"orders": {"ITALY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}}
            records = [
                spring | {"next_units": {"FRANCE": ["A BUR"]}, "next_dislodged": {"FRANCE": ["A PAR"]}},
                spring | {"phase": "F1901M", "next_units": {"FRANCE": ["A MUN"]}, "next_centers": {"FRANCE": ["PAR"]}},
                spring
                | {"phase": "F1901M", "centers": {"FRANCE": ["PAR"]}, "next_units": {"FRANCE": ["A MUN"]}}
                | {"next_centers": {"FRANCE": ["PAR"]}},
                beaten | {"next_units": {"FRANCE": ["A BUR"]}},
                spring | {"expected": {"moves": {"BUR": "PAR"}, "dislodged": ["PAR"]}},
                {"rules": "2023", "orders": orders_of(OPEN), "next_units": {}},
            ]
            games = folder / "games.jsonl"
            games.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
            yield satdip(*verb, games)
        case "datc --json":
            yield satdip(*verb)
            yield satdip(*verb, "--rules", "1971")
        case "datc --all-choices --json":
            yield satdip(*verb)
        case "resolutions --json":
            yield satdip(*verb, "-", "--rules", "1971", stdin=EXCHANGE)
            yield satdip(*verb, EXAMPLES / "paradox.txt")
        case "rules show --json":
            yield satdip("rules", "show", "1971", "--json")
        case "rules diff --json":
            yield satdip("rules", "diff", "1971", "2023", "--json")
        case lab if lab.split()[0] in ("certify", "verify", "compare", "crosscheck", "explain", "fuzz"):
            yield from lab_runs(verb, folder)
        case _ if any(argument.name == "file" and argument.required for argument in VERBS[verb[0]].params):
            for name in ("paradox.txt", "pandin.txt", "opening.json"):
                yield satdip(*verb, EXAMPLES / name)
        case _:
            yield satdip(*verb)


def lab_runs(verb: list[str], folder: Path) -> Iterator[Run]:
    """Yield runs of a command of the lab, or one that checks, that together print every key that it has."""
    match " ".join(verb):
        case "certify --json":
            yield satdip(*verb, EXAMPLES / "paradox.txt", "--forced", "A Bre")
            yield satdip(*verb, EXAMPLES / "retreats.txt")
            yield satdip(*verb, EXAMPLES / "winter.txt")
            yield satdip(*verb, "-", stdin=b"France: A Par - Mun")
            yield satdip(*verb, "-", stdin=b"phase: W1901A\ncentres: Italy Rome\nunits: Italy A Tuscany, A Piedmont")
            winter = b"phase: W1901A\ncentres: Italy Rome\nunits: Italy A Tuscany, A Piedmont\nItaly: Remove A Tuscany"
            yield satdip(*verb, "-", stdin=winter)
            yield satdip(
                *verb, "-", stdin=b"France (set 1):\n  A Paris - Burgundy\nFrance (set 2):\n  A Paris - Picardy"
            )
            proxy = b"proxies: England A London to France\nunits: England A London, France A Paris\n"
            proxy += b"France:\n  England A London - Wales\n  A Paris H"
            yield satdip(*verb, "-", "--rules", "datc+4.E.5=notified", stdin=proxy)
        case "verify --json":
            certificate = folder / "certificate.json"
            assert satdip("certify", EXAMPLES / "pandin.txt", "-o", certificate).code == 0
            yield satdip(*verb, certificate)
        case "compare --json":
            rules = ("--rules", "1971", "--rules", "datc+4.A.2=none")
            lines = folder / "phases.jsonl"
            lines.write_text('{"orders": {"FRANCE": ["A MAR - PIE VIA"]}}\n', encoding="utf-8")
            yield satdip(*verb, EXAMPLES / "paradox.txt", *rules)
            yield satdip(*verb, lines, *rules)
        case "crosscheck --json":
            phases = folder / "phases.jsonl"
            orders = '{"orders":{"ENGLAND":["A YOR - EDI VIA","F NTH S A YOR - EDI"],"FRANCE":["A EDI H"]}}'
            phases.write_text(f'{{"map": "moon"}}\n{orders}\n', encoding="utf-8")
            mine = ("--quiet", "--minimise", 0, "--engine", "satdip:datc+4.A.3=intent")
            yield satdip(*verb, phases, *mine)
            one = folder / "one.jsonl"
            one.write_text(f"{orders}\n", encoding="utf-8")
            yield satdip(*verb, one, "--quiet", "--engine", "command:false")
            yield satdip(*verb, EXAMPLES / "paradox.txt", "--quiet", "--engine", "satdip:datc+4.A.2=all-hold")
            with mock.patch("satdip.crosschecking.work.differences", failing):
                yield satdip(*verb, one, *mine)
        case "explain --json":
            yield satdip(*verb, EXAMPLES / "pandin.txt")
            yield satdip(*verb, EXAMPLES / "pandin.txt", "F Bel")
        case "explain --robust --json":
            yield satdip(*verb, EXAMPLES / "paradox.txt", "F Wal")
        case "explain --if --json":
            yield satdip("explain", EXAMPLES / "paradox.txt", "F Wal", "--if", "England", "--json")
        case "fuzz --json":

            def planted(situation: Situation, **options: Any) -> Verdict:
                if situation.moves:
                    raise RuntimeError("planted")
                return decide(situation, **options)

            with mock.patch("satdip.resolve.movement.decide", planted):
                yield satdip(*verb, "--count", 1, "--kind", "dense", "--check", "again", "--quiet")
            with mock.patch("satdip.crosschecking.fuzz.run.Case", failing):
                yield satdip(*verb, "--count", 1, "--kind", "dense", "--check", "again", "--quiet")
        case _:
            yield satdip(*verb, EXAMPLES / "pandin.txt")


def failing(*_: object) -> None:
    raise RuntimeError("planted")


def orders_of(sheet: bytes) -> dict[str, list[str]]:
    """Return the orders of a sheet of one line for each power, as a phase record has them."""
    lines = [line.partition(":") for line in sheet.decode().splitlines() if line]
    return {power.upper(): [order.strip() for order in orders.split(";")] for power, _, orders in lines}


NEVER = {
    "satdip datc --all-choices --json": {"failures[].case", "failures[].choice", "failures[].differences"},
}
"""Keys that are printed only when a check fails."""


@pytest.mark.parametrize("command", KEYS)
def test_the_printed_keys_are_those_documented(command: str, tmp_path: Path) -> None:
    found: set[str] = set()
    for run in runs(command, tmp_path):
        assert run.code in (0, 1, 3), run.err
        found.update(printed(run.json, KEYS[command]))
    assert found == KEYS[command] - NEVER.get(command, set())


def test_every_verb_with_json_is_documented() -> None:
    commands = {" ".join(word for word in command.split()[1:] if not word.startswith("--")) for command in KEYS}
    assert commands == {verb for verb in VERBS if has_json(verb)}
    assert {verb for verb in VERBS if not has_json(verb)} <= {"map"}, "only a verb that just holds others has none"


def test_the_documented_words_are_those_of_the_program() -> None:
    text = " ".join((ROOT / "docs" / "json.md").read_text(encoding="utf-8").split())
    for key, words in (("outcome", Outcome), ("decided_by", DecidedBy)):
        [line] = re.findall(rf"- `orders\[\]\.{key}`:(.*?) - `", text)
        assert set(re.findall(r"`([\w-]+)`", line)) == {str(word) for word in words}


def test_json_is_plain_ascii_and_errors_go_elsewhere() -> None:
    run = satdip("adjudicate", "-", "--json", stdin="France: A Paris - Burgundy # é\n".encode())
    assert run.out.isascii()
    assert run.err == ""
