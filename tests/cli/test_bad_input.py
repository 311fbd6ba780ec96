"""Bad input: exit code 2 and one sentence that says where, what is wrong and what would be right. Bad orders: no error.

The tables hold the input, the place that the sentence names after the file, and parts of what it says.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import Run, satdip

if TYPE_CHECKING:
    from typing_extensions import Buffer

STANDARD = (Path(__file__).parents[2] / "maps" / "standard.toml").read_text(encoding="utf-8")
NOISE = random.Random(0)


@dataclass(frozen=True)
class Bad:
    """An input that cannot be.

    Args:
        text: what the file holds.
        at: the place that the sentence names after the file; empty where there is none to name.
        says: parts of the sentence.
    """

    text: str | bytes
    at: str
    says: tuple[str, ...]

    def write(self, path: Path) -> Path:
        """Write the input to a file."""
        path.write_bytes(self.text if isinstance(self.text, bytes) else self.text.encode())
        return path


def record(**changes: object) -> str:
    """Return a sound phase record with some fields changed."""
    sound = {
        "phase": "S1901R",
        "units": {"GERMANY": ["A BUR", "A MUN"]},
        "dislodged": {"FRANCE": ["A BUR"]},
        "retreats": {"A BUR": ["PAR", "GAS"]},
        "attackers": {"A BUR": "RUH"},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "orders": {"FRANCE": ["A BUR R PAR"]},
    }
    return json.dumps(sound | changes)


def movement(**changes: object) -> str:
    """Return a sound movement record with some fields changed."""
    return json.dumps({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}} | changes)


def bad_once(record_or_sheet: str, path: str, *says: str) -> Bad:
    return Bad(record_or_sheet, f"at {path}" if path else "", says)


SHEETS = {
    # -------------------------------------------------------------- map, rules, phase
    "unknown map": Bad("map: standart\nFrance:\n A Par H", "line 1, column 6", ("'standart'", "'standard'")),
    "map file that is not there": Bad(
        "map: no.toml\nFrance: A Par H", "line 1, column 6", ("'no.toml' is a file", "comes with satdip")
    ),
    "no centres in winter": Bad("phase: W1901A\nunits: France A Gas", "", ("W1901A", "needs the supply centres")),
    "no map": Bad("map:\nFrance: A Par H", "line 1", ("'map:' is not followed",)),
    "second map": Bad("map: standard\nmap: standard\n", "line 2, column 1", ("second 'map:'", "line 1")),
    "unknown rules": Bad("rules: dact\nFrance: A Par H", "", ("'dact'", "'datc'")),
    "no rules": Bad("rules:  # which?\nFrance: A Par H", "line 1", ("'rules:' is not followed",)),
    "second rules": Bad("rules: datc\n\nrules: datc\n", "line 3, column 1", ("second 'rules:'", "line 1")),
    "second phase": Bad("phase: S1901M\nphase: S1901M\n", "line 2, column 1", ("second 'phase:'", "line 1")),
    **{
        f"phase {text}": Bad(f"phase: {text}\nFrance:\n A Par H", "line 1, column 8", (text.upper()[:9], "S1901M"))
        for text in (
            "X1901M",
            "W1901M",
            "S1901A",
            "S19O1M",
            "S-1901M",
            "1901",
            "S1901",
            "S M",
            "S\u0661\u0669\u0660\u0661M",
            "S" + "9" * 5000 + "M",
        )
    },
    # -------------------------------------------------------------- headings
    "order above the headings": Bad("A Paris - Burgundy\n", "line 1, column 1", ("under no power", ":")),
    "nonsense above the headings": Bad("Dear moderator\n", "line 1, column 1", ("Dear",)),
    "unknown header": Bad("weather: fine\nFrance: A Par H", "line 1, column 1", ("'weather'", "phase", "France")),
    "header nearly a power": Bad("map: standard\nPrussia:\n A Ber H", "line 2, column 1", ("Prussia", "Russia")),
    "unknown power": Bad("Atlantis:\n A Par H", "line 1, column 1", ("'Atlantis'", "England")),
    # -------------------------------------------------------------- orders
    "nonsense": Bad("France:\n  A Paris goes fishing", "line 2, column 11", ("goes", "'-'")),
    "unknown place": Bad("France:\n  A Paris - Atlantis", "line 2, column 13", ("Atlantis", "place")),
    "half an order": Bad("France:\n  A Paris -", "line 2, column 12", ("ends too early", "place")),
    "two destinations": Bad("France: A Par - Bur Gas", "line 1, column 21", ("Gas", "does not belong here")),
    "second order of a line": Bad("France: A Par - Bur, perhaps", "line 1, column 22", ("perhaps",)),
    "bracket not closed": Bad("Russia:\n F Stp(nc - Bar", "line 2, column 7", ("'('", "never closed")),
    "bracket not opened": Bad("Russia:\n F Stp nc) - Bar", "line 2, column 10", ("')'", "open")),
    "only signs": Bad("France:\n  !!", "line 2, column 3", ("'!'", "an order, as in 'A Paris - Burgundy'")),
    "very long line": Bad("France:\n  A Par - Bur " + "und " * 10_000, "line 2", ("300 characters",)),
    # -------------------------------------------------------------- units
    "army at sea": Bad("England:\n A North Sea - London", "line 2, column 2", ("army", "at sea", "North Sea")),
    "fleet inland": Bad("units: France F Paris\n", "line 1, column 17", ("fleet", "inland", "Paris")),
    "fleet without its coast": Bad("Russia:\n F St Petersburg - Barents Sea", "line 2", ("St Petersburg(nc)", "(sc)")),
    "fleet without its coast, stated": Bad("units: Russia F Stp", "line 1, column 17", ("St Petersburg(nc)",)),
    "unit of no kind": Bad("units: France Brest", "line 1, column 15", ("Brest", "army or a fleet", "write A or F")),
    "unit ordered without a kind": Bad("France:\n Brest - Picardy", "line 2, column 2", ("Brest", "A or F")),
    "unit stated twice": Bad("units: France A Paris, A Paris", "line 1, column 26", ("two units", "Paris")),
    "two units stated": Bad(
        "units: France A Brest\nunits: England F Brest", "line 2, column 18", ("two units", "Brest")
    ),
    "two units ordered": Bad(
        "France:\n A Bur H\nGermany:\n A Bur H", "line 4, column 2", ("FRANCE A Burgundy", "GERMANY")
    ),
    "two kinds ordered": Bad("France:\n A Bre H\n F Bre H", "line 3, column 2", ("two units", "Brest")),
    "units of nobody": Bad("units: A Paris\n", "line 1, column 8", ("a power",)),
    "units nowhere": Bad("units: France A Atlantis\n", "line 1, column 17", ("Atlantis", "place")),
    "misspelt unit stated": Bad("units: France A Pariss\n", "line 1, column 17", ("'Pariss'", "Paris")),
    "unit beside those stated": Bad("units: France A Par\nFrance:\n A Bur", "line 3, column 2", ("FRANCE", "Burgundy")),
    # -------------------------------------------------------------- dislodged units
    "retreats without dislodged": Bad("phase: S1901R\nunits: Germany A Bur\n", "line 1", ("'dislodged: France A Bur",)),
    "dislodged in a movement": Bad("dislodged: France A Bur from Mun", "line 1", ("S1901M", "no retreat phase")),
    "dislodged of nobody": Bad("phase: S1901R\ndislodged: A Bur", "line 2, column 14", ("whose", "power before it")),
    "dislodged nowhere": Bad("phase: S1901R\ndislodged: France A Atlantis", "line 2, column 21", ("Atlantis",)),
    "dislodged at sea": Bad("phase: S1901R\ndislodged: France A Eng", "line 2, column 21", ("army", "at sea")),
    "dislodged twice": Bad(
        "phase: S1901R\ndislodged: France A Bur; A Bur", "line 2, column 28", ("two dislodged", "Bur")
    ),
    "dislodged of no kind": Bad("phase: S1901R\ndislodged: France Bur", "line 2, column 19", ("army", "fleet")),
    "retreat out of reach": Bad(
        "phase: S1901R\nunits: Germany A Bur\ndislodged: France A Bur; retreats Spa", "", ("A BUR", "SPA")
    ),
    "retreat to an occupied place": Bad(
        "phase: S1901R\nunits: Germany A Bur, A Mun\ndislodged: France A Bur; retreats Mun", "", ("A BUR", "MUN")
    ),
    # -------------------------------------------------------------- centres
    "no centre": Bad("phase: W1901A\ncentres: France Paris Ruhr", "line 2, column 23", ("Ruhr", "no supply centre")),
    "centre owned twice": Bad(
        "phase: W1901A\ncentres: France Paris; Germany Paris", "line 2, column 32", ("FRANCE", "GERMANY")
    ),
    "centre of nobody": Bad("phase: W1901A\ncentres: Paris", "line 2, column 10", ("a power",)),
    # -------------------------------------------------------------- no text
    "empty": Bad("", "", ("nothing to read", "order sheet")),
    "only spaces": Bad(" \n\t\r\n", "", ("nothing to read",)),
    "only comments": Bad("# England: A London\n# to be written\n", "", ("nothing to read",)),
    "binary": Bad(b"\x89PNG\r\n\x1a\n" + NOISE.randbytes(2000), "line 1, column 1", ("0x89", "UTF-8")),
    "latin-1": Bad("France:\n A Paris - Bourgogne # début\n".encode("latin-1"), "line 2, column 25", ("0xe9", "UTF-8")),
    "UTF-16": Bad("France: A Par H".encode("utf-16"), "line 1, column 1", ("UTF-8",)),
    "UTF-16 without a mark": Bad("France: A Par H".encode("utf-16-le"), "line 1, column 2", ("0x00", "no text")),
    "NUL": Bad("France:\n A Par\0is H", "line 2, column 7", ("0x00", "no text")),
    "gzip": Bad(gzip.compress(b"France: A Par H"), "line 1", ("text",)),
}

RECORDS = {
    # -------------------------------------------------------------- JSON
    "truncated": Bad(movement()[:-10], "line 1", ("not JSON",)),
    "truncated on its second line": Bad('{\n "units": {"FRANCE": [', "line 2, column 23", ("not JSON",)),
    "no comma": Bad('{"phase": "S1901M" "units": {}}', "line 1, column 20", ("not JSON", "','")),
    "key twice": Bad('{"phase": "S1901M",\n "phase": "F1901M"}', "line 2, column 2", ("'phase'", "twice")),
    "key twice within": Bad(
        '{"units": {"FRANCE": ["A PAR"], "FRANCE": []}}', "line 1, column 33", ("'FRANCE'", "twice")
    ),
    "power twice": bad_once(
        movement(units={"FRANCE": ["A PAR"], "France": ["A BUR"]}), "$.units.France", "FRANCE", "twice"
    ),
    "owner twice": bad_once(
        movement(centers={"FRANCE": ["PAR"], "France": ["BRE"]}), "$.centers.France", "FRANCE", "twice"
    ),
    "two records": Bad(movement() + "\n" + movement(), "line 2, column 1", ("one a line",)),
    "not a number": Bad('{"units": {}, "x": NaN}', "line 1, column 20", ("NaN",)),
    "infinite": Bad('{"units": {}, "x": -Infinity}', "line 1, column 20", ("Infinity",)),
    "huge number": Bad('{"units": {}, "x": ' + "9" * 10_000 + "}", "line 1", ("digits",)),
    "deep nesting": Bad('{"x": ' + "[" * 100_000, "line 1", ("too deeply",)),
    "deep objects": Bad('{"x": ' * 100_000, "line 1", ("too deeply",)),
    # -------------------------------------------------------------- fields of the wrong type
    **{
        f"type of {field} {value!r}": bad_once(record(**{field: value}), path, f"{wanted} is expected")
        for field, value, path, wanted in [
            ("map", 7, "$.map", "a text"),
            ("rules", ["datc"], "$.rules", "a text"),
            ("phase", 1901, "$.phase", "a text"),
            ("phase", {"season": "S"}, "$.phase", "a text"),
            *(
                row
                for field in ("units", "dislodged", "centers", "orders")
                for row in [
                    (field, ["A BUR"], f"$.{field}", "an object"),
                    (field, "A BUR", f"$.{field}", "an object"),
                    (field, 3.5, f"$.{field}", "an object"),
                    (field, {"FRANCE": "A BUR"}, f"$.{field}.FRANCE", "a list"),
                    (field, {"FRANCE": None}, f"$.{field}.FRANCE", "a list"),
                    (field, {"FRANCE": {"A": "BUR"}}, f"$.{field}.FRANCE", "a list"),
                    (field, {"FRANCE": [True]}, f"$.{field}.FRANCE[0]", "a text"),
                    (field, {"FRANCE": [["A BUR"]]}, f"$.{field}.FRANCE[0]", "a text"),
                ]
            ),
            ("retreats", ["PAR"], "$.retreats", "an object"),
            ("retreats", {"A BUR": "PAR"}, '$.retreats["A BUR"]', "a list"),
            ("retreats", {"A BUR": [1]}, '$.retreats["A BUR"][0]', "a text"),
            ("attackers", "RUH", "$.attackers", "an object"),
        ]
    },
    # -------------------------------------------------------------- fields of the wrong value
    "unknown map": bad_once(movement(map="standart"), "$.map", "'standart'", "'standard'"),
    "unknown rules": Bad(movement(rules="dact"), "", ("'dact'", "'datc'")),
    "unknown power": bad_once(movement(units={"ATLANTIS": ["A PAR"]}), "$.units.ATLANTIS", "'ATLANTIS'", "FRANCE"),
    "orders of an unknown power": bad_once(movement(orders={"": ["A PAR H"]}), "$.orders.", "''", "FRANCE"),
    **{
        f"phase {text}": bad_once(movement(phase=text), "$.phase", text[:9], "S1901M")
        for text in ("X1901M", "W1901M", "S1901A", "S19O1M", "S-1901M", "S01.5M", "SM", "", "S" + "9" * 5000 + "M")
    },
    "unit of no kind": bad_once(movement(units={"FRANCE": ["BRE"]}), "$.units.FRANCE[0]", "Brest", "write A or F"),
    "unit nowhere": bad_once(movement(units={"FRANCE": ["A PAR", "A XXX"]}), "$.units.FRANCE[1]", "XXX"),
    "empty unit": bad_once(movement(units={"FRANCE": [""]}), "$.units.FRANCE[0]", "expected"),
    "unit that is an order": bad_once(
        movement(units={"FRANCE": ["A PAR H"]}), "$.units.FRANCE[0]", "no unit", "'A Paris'"
    ),
    "misspelt unit": bad_once(movement(units={"FRANCE": ["A PARIZ"]}), "$.units.FRANCE[0]", "PARIZ", "Paris"),
    "unit twice": bad_once(movement(units={"FRANCE": ["A PAR", "A PAR"]}), "$.units.FRANCE[1]", "'A PAR'", "twice"),
    "two units": bad_once(movement(units={"FRANCE": ["A BRE"], "ENGLAND": ["F BRE"]}), "$.units", "two units", "BRE"),
    "two units on two coasts": bad_once(movement(units={"FRANCE": ["F SPA/NC", "F SPA/SC"]}), "$.units", "two units"),
    "army at sea": bad_once(movement(units={"FRANCE": ["A ENG"]}), "$.units.FRANCE[0]", "army", "at sea"),
    "army ordered at sea": bad_once(
        json.dumps({"orders": {"FRANCE": ["A ENG H"]}}), "$.orders.FRANCE[0]", "army", "sea"
    ),
    "fleet inland": bad_once(movement(units={"FRANCE": ["F PAR"]}), "$.units.FRANCE[0]", "fleet", "inland"),
    "fleet without its coast": bad_once(movement(units={"RUSSIA": ["F STP"]}), "$.units.RUSSIA[0]", "(nc)", "(sc)"),
    "nonsense order": bad_once(movement(orders={"FRANCE": ["A PAR - BUR", "go"]}), "$.orders.FRANCE[1]", "'go'"),
    "unit as an order": bad_once(movement(orders={"FRANCE": ["A PAR"]}), "$.orders.FRANCE[0]", "without an order", "H"),
    "surrogate in an order": bad_once(
        movement(orders={"FRANCE": ["A PAR \ud800"]}), "$.orders.FRANCE[0]", "half of a character"
    ),
    "retreats without dislodged": bad_once(movement(phase="S1901R"), "$", "S1901R", "'dislodged'"),
    "dislodged in a movement": bad_once(record(phase="F1901M"), "$.dislodged", "F1901M", "not a retreat phase"),
    "dislodged twice": bad_once(
        record(dislodged={"FRANCE": ["A BUR"], "ITALY": ["A BUR"]}), "$.dislodged", "two", "BUR"
    ),
    "dislodged nowhere": bad_once(record(dislodged={"FRANCE": ["A XXX"]}), "$.dislodged.FRANCE[0]", "XXX"),
    "dislodged at sea": bad_once(record(dislodged={"FRANCE": ["A ENG"]}), "$.dislodged.FRANCE[0]", "army"),
    "retreats of nobody": bad_once(movement(retreats={"A MUN": ["BOH"]}), '$.retreats["A MUN"]', "A MUN"),
    "attackers of nobody": bad_once(movement(attackers={"A MUN": "BOH"}), '$.attackers["A MUN"]', "A MUN"),
    "retreats of another unit": bad_once(record(retreats={"A MUN": ["BOH"]}), '$.retreats["A MUN"]', "A MUN"),
    "retreat nowhere": bad_once(record(retreats={"A BUR": ["XXX"]}), '$.retreats["A BUR"][0]', "XXX"),
    "retreat out of reach": bad_once(record(retreats={"A BUR": ["SPA"]}), "$.dislodged", "A BUR", "SPA"),
    "retreat to an occupied place": bad_once(record(retreats={"A BUR": ["MUN"]}), "$.dislodged", "A BUR", "MUN"),
    "attacker of another unit": bad_once(record(attackers={"A MUN": "BUR"}), '$.attackers["A MUN"]', "A MUN"),
    "attacker from nowhere": bad_once(record(attackers={"A BUR": "XXX"}), '$.attackers["A BUR"]', "XXX"),
    "attacker a number": bad_once(record(attackers={"A BUR": 5}), '$.attackers["A BUR"]', "5"),
    "no centre": bad_once(
        movement(centers={"FRANCE": ["PAR", "RUH"]}), "$.centers.FRANCE[1]", "RUH", "no supply centre"
    ),
    "centre nowhere": bad_once(movement(centers={"FRANCE": ["XXX"]}), "$.centers.FRANCE[0]", "XXX"),
    "centre owned twice": bad_once(
        movement(centers={"FRANCE": ["PAR"], "ITALY": ["PAR"]}), "$.centers", "PAR", "FRANCE", "ITALY"
    ),
}

NEXT = {"next_units": {"FRANCE": ["A BUR"]}}
GAMES = {
    "empty": Bad("", "", ("no phase record", "one JSON object a line")),
    "only empty lines": Bad("\n\n\n", "", ("no phase record",)),
    "no JSON": Bad("S1901M: A PAR - BUR\n", "line 1, column 1", ("not JSON",)),
    "broken second line": Bad(movement() + '\n{"phase":\n', "line 2", ("not JSON",)),
    "record over several lines": Bad(json.dumps(json.loads(movement()), indent=1), "line 1", ("not JSON",)),
    "array": Bad(f"[{movement()}]\n", "line 1, column 1", ("object", "{...}")),
    "null": Bad("null\n", "line 1, column 1", ("object",)),
    "text": Bad('"S1901M"\n', "line 1, column 1", ("object",)),
    "latin-1": Bad(movement().encode() + '\n{"game": "é"}'.encode("latin-1"), "line 2, column 11", ("0xe9", "UTF-8")),
    "binary": Bad(NOISE.randbytes(5000), "line 1", ("UTF-8",)),
    "gzip truncated": Bad(gzip.compress(f"{movement()}\n".encode() * 500)[:-20], "", ("cannot be read",)),
    "gzip of noise": Bad(gzip.compress(NOISE.randbytes(5000)), "line 1", ("UTF-8",)),
    "gzip in name only": Bad(b"\x1f\x8b" + NOISE.randbytes(500), "", ("cannot be read",)),
    "gzip damaged": Bad(gzip.compress(movement().encode())[:12] + NOISE.randbytes(60), "", ("cannot be read",)),
    "key twice": Bad(movement() + '\n\n{"game": 1, "game": 2}', "line 3, column 13", ("'game'", "twice")),
    "field": Bad(movement() + "\n" + movement(units=[]), "line 2, at $.units", ("an object is expected",)),
    "map of no name": Bad(movement(map=["standard"]), "line 1, at $.map", ("a text is expected",)),
    "phase of no kind": Bad(movement(phase="S1901A"), "line 1, at $.phase", ("S1901M",)),
    "unknown rules": Bad(movement() + "\n" + movement(rules="dact"), "line 2, at $.rules", ("'dact'", "'datc'")),
    "two units": Bad(movement(units={"FRANCE": ["A BRE", "F BRE"]}), "line 1, at $.units", ("two units", "BRE")),
    **{
        f"type of {field} {value!r}": Bad(movement(**(NEXT | {field: value})), f"line 1, at $.{path}", (wanted,))
        for field, value, path, wanted in [
            ("next_units", ["A BUR"], "next_units", "an object is expected"),
            ("next_units", {"FRANCE": "A BUR"}, "next_units.FRANCE", "a list"),
            ("next_units", {"FRANCE": [5]}, "next_units.FRANCE", "a list of texts"),
            ("next_dislodged", "A BUR", "next_dislodged", "an object is expected"),
            ("next_dislodged", {"FRANCE": {}}, "next_dislodged.FRANCE", "a list"),
            ("removed", 0.5, "removed", "an object is expected"),
            ("removed", {"FRANCE": [None]}, "removed.FRANCE", "a list of texts"),
            ("next_centers", ["PAR"], "next_centers", "an object is expected"),
            ("next_centers", {"FRANCE": "PAR"}, "next_centers.FRANCE", "a list"),
            ("expected", [], "expected", "an object is expected"),
            ("expected", {"moves": ["PAR"]}, "expected.moves", "an object is expected"),
            ("expected", {"moves": {"PAR": 5}}, "expected.moves.PAR", "a place is expected"),
            ("expected", {"dislodged": "PAR"}, "expected.dislodged", "a list of texts"),
        ]
    },
}

MAPS = {
    "no TOML": Bad("name = standard", "line 1", ("not TOML",)),
    "empty": Bad("", "line 1", ("name",)),
    "truncated": Bad(STANDARD[: len(STANDARD) // 2], "line", ()),
    "latin-1": Bad('name = "Éire"'.encode("latin-1"), "line 1", ("UTF-8",)),
    "unknown terrain": Bad(
        STANDARD.replace('terrain = "sea"', 'terrain = "lake"', 1),
        "line",
        ("terrain of ADR", '"sea", "coast" or "inland"'),
    ),
}

OPTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "unknown verb": (("adjudicte",), ("'adjudicte'", "'adjudicate'", "satdip --help")),
    "verb like none": (("serve",), ("'serve'", "adjudicate, certify")),
    "unknown option": (("datc", "--cases"), ("'--cases'", "'--case'", "satdip datc --help")),
    "option like none": (("adjudicate", "-", "--french"), ("'--french'", "satdip adjudicate --help")),
    "no file": (("adjudicate",), ("FILE", "satdip adjudicate --help")),
    "no files": (("replay",), ("FILE", "satdip replay --help")),
    "two files": (("adjudicate", "a.txt", "b.txt"), ("b.txt", "satdip adjudicate --help")),
    "unknown notation": (("adjudicate", "-", "--notation", "latin"), ("'latin'", "'datc', 'short', 'package', 'seed'")),
    "option without its value": (("adjudicate", "-", "--rules"), ("'--rules'", "argument")),
    "unknown rules": (("adjudicate", "-", "--rules", "dact"), ("--rules: ", "'dact'", "'datc'")),
    "unknown rules for a replay": (("replay", "x", "--rules", "1066"), ("--rules: ", "'1066'", "datc")),
    "negative limit": (("replay", "x", "--limit", "-1"), ("'--limit'", "-1", "0<=x")),
    "limit in words": (("replay", "x", "--limit", "many"), ("'--limit'", "'many'", "integer")),
    "unknown case": (("datc", "--case", "6.Z.1"), ("'6.Z.1'", "6.F.14")),
    "one known case, one not": (("datc", "--case", "6.A.1", "--case", "7"), ("'7'", "6.F")),
    "argument too many": (("datc", "6.A.1"), ("6.A.1", "satdip datc --help")),
    "unknown verb of map": (("map", "shw"), ("'shw'", "'show'")),
    "unknown map": (("map", "show", "standart"), ("'standart'", "'standard'")),
    "unknown province": (("map", "show", "standard", "Atlantis"), ("'Atlantis'", "PAR")),
    "unknown map to check": (("map", "check", "standart"), ("'standart'", "'standard'")),
    "map file to check that is not there": (("map", "check", "no.toml"), ("no.toml", "No such file")),
}


def refused(run: Run) -> str:
    """Return the one sentence of a command that refused its input."""
    assert run.code == 2, run
    assert run.out == ""
    assert run.err.startswith("satdip: ")
    assert run.err.endswith("\n")
    assert run.err.count("\n") == 1, run.err
    assert "Traceback" not in run.err
    return run.err[len("satdip: ") : -1]


def check(bad: Bad, path: Path, *verb: str) -> None:
    sentence = refused(satdip(*verb, bad.write(path)))
    assert sentence.startswith(f"{path}, {bad.at}" if bad.at else f"{path}: ")
    for part in bad.says:
        assert part in sentence


@pytest.mark.parametrize("name", SHEETS)
def test_a_bad_sheet_is_refused(name: str, tmp_path: Path) -> None:
    check(SHEETS[name], tmp_path / "orders.txt", "adjudicate")


@pytest.mark.parametrize("name", RECORDS)
def test_a_bad_record_is_refused(name: str, tmp_path: Path) -> None:
    check(RECORDS[name], tmp_path / "phase.json", "adjudicate")


@pytest.mark.parametrize("name", GAMES)
def test_a_bad_file_of_games_is_refused(name: str, tmp_path: Path) -> None:
    check(GAMES[name], tmp_path / "games.jsonl", "replay", "--json")


@pytest.mark.parametrize("name", MAPS)
def test_a_bad_map_is_refused(name: str, tmp_path: Path) -> None:
    check(MAPS[name], tmp_path / "own.toml", "map", "show")


@pytest.mark.parametrize("name", OPTIONS)
def test_bad_options_are_refused(name: str) -> None:
    arguments, says = OPTIONS[name]
    sentence = refused(satdip(*arguments))
    for part in says:
        assert part in sentence


# ---------------------------------------------------------------------- files


@pytest.mark.parametrize("verb", [("adjudicate",), ("replay",), ("map", "show"), ("map", "check")])
def test_a_file_that_is_not_there_is_refused(verb: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "no.toml"
    assert refused(satdip(*verb, path)) in (
        f"{path}: the file cannot be read: No such file or directory",
        f"{path}: the map file cannot be read: No such file or directory",
    )


@pytest.mark.parametrize("verb", [("adjudicate",), ("replay",), ("map", "show"), ("map", "check")])
def test_a_folder_is_refused(verb: tuple[str, ...], tmp_path: Path) -> None:
    sentence = refused(satdip(*verb, tmp_path))
    assert sentence.startswith(f"{tmp_path}: ")
    assert sentence.endswith("cannot be read: Is a directory")


@pytest.mark.parametrize("verb", [("adjudicate",), ("replay",), ("map", "show"), ("map", "check")])
def test_a_file_that_may_not_be_read_is_refused(
    verb: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret.toml"
    path.write_text("", encoding="utf-8")

    usual = open

    def closed(file: Path | str, *others: Any, **options: Any) -> Any:
        if str(file) != str(path):
            return usual(file, *others, **options)
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", closed)
        patched.setattr("builtins.open", closed)
        run = satdip(*verb, path)
    sentence = refused(run)
    assert sentence.startswith(f"{path}: ")
    assert sentence.endswith("cannot be read: Permission denied")


def test_the_second_of_two_files_is_named(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text(movement(), encoding="utf-8")
    bad.write_text("{", encoding="utf-8")
    assert refused(satdip("replay", good, bad)).startswith(f"{bad}, line 1")


# ---------------------------------------------------------------------- much of it

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEF \n-:;,"
MUCH: dict[str, Callable[[int], bytes]] = {
    "letters": lambda size: "".join(NOISE.choices(LETTERS, k=size)).encode(),
    "bytes": NOISE.randbytes,
    "zeros": bytes,
    "spaces": lambda size: b" " * size,
    "one long text": lambda size: b'{"phase": "' + b"x" * size,
    "brackets": lambda size: b"[" * size,
    "objects": lambda size: b'{"a":' * (size // 5),
    "comments": lambda size: b"# nothing\n" * (size // 10),
    "packed": lambda size: gzip.compress(b"x" * size),
}
"""Ways to make a file of some size that means nothing."""


@pytest.mark.parametrize("verb", [("adjudicate",), ("adjudicate", "--lenient"), ("replay",), ("map", "show")])
@pytest.mark.parametrize("kind", MUCH)
def test_ten_megabytes_of_noise_are_refused_at_once(verb: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(MUCH[kind](10_000_000))
    start = time.process_time()
    sentence = refused(satdip(*verb, path))
    assert time.process_time() - start < 2
    assert sentence.startswith(str(path))


@pytest.mark.parametrize("options", [(), ("--lenient",)])
@pytest.mark.parametrize("kind", ["letters", "brackets", "comments"])
def test_as_much_noise_as_a_turn_may_have_is_refused_soon(options: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    path = tmp_path / "noise.txt"
    path.write_bytes(MUCH[kind](1_000_000))
    start = time.process_time()
    refused(satdip("adjudicate", *options, path))
    assert time.process_time() - start < 5


def test_no_more_is_read_of_an_endless_stream_than_a_turn_may_have() -> None:
    class Endless(io.RawIOBase):
        given = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Buffer) -> int:
            view = memoryview(buffer)
            assert self.given < 10_000_000
            view[:] = b"A" * len(view)
            self.given += len(view)
            return len(view)

    sentence = refused(satdip("adjudicate", "-", stdin=Endless()))
    assert sentence.startswith("standard input: this is too large for one turn")


# ---------------------------------------------------------------------- processes


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (("adjudicate", "-"), "France:\n  A Paris goes fishing\n"),
        (("adjudicate", "-"), '{"units": {"FRANCE": ["A PAR"]}'),
        (("adjudicate", "-", "--rules", "dact"), ""),
        (("adjudicate", "no.txt"), ""),
        (("replay", "no.jsonl"), ""),
        (("map", "show", "no.toml"), ""),
        (("datc", "--case", "9.Z"), ""),
        (("serve",), ""),
    ],
)
def test_a_process_refuses_bad_input_too(arguments: tuple[str, ...], stdin: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "satdip", *arguments]
    run = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=tmp_path, check=False)
    refused(Run(run.returncode, run.stdout, run.stderr))


# ---------------------------------------------------------------------- whatever it is


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_adjudicated_or_refused(data: bytes) -> None:
    run = satdip("adjudicate", "-", "--json", stdin=data)
    if run.code:
        refused(run)


WORDS = (
    "A F Paris Burgundy Spain(nc) STP/SC ENG - Supports Convoys via convoy H D B R Build Disband Waive France: units: "
    "phase: S1901M S1901R W1901A dislodged: centres: retreats from map: standard rules: 2023 ; , # ( )"
)


@given(st.lists(st.sampled_from([*WORDS.split(), "\n"]), max_size=40).map(" ".join))
def test_any_words_are_adjudicated_or_refused(text: str) -> None:
    for options in ((), ("--lenient",)):
        run = satdip("adjudicate", "-", "--json", *options, stdin=text.encode())
        if run.code:
            refused(run)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        ["FRANCE", "A PAR", "A PAR - BUR", "F SPA/NC", "S1901M", "S1901R", "W1901A", "PAR", "", "standard"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["FRANCE", "ITALY", "A PAR", "moves", "dislodged"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    "map rules phase units dislodged retreats attackers centers orders game expected "
    "next_units next_dislodged next_centers next_phase removed"
)


@given(st.dictionaries(st.sampled_from(FIELDS.split()), VALUES, max_size=4))
def test_any_record_is_adjudicated_or_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, object]
) -> None:
    for text in (json.dumps(changes), movement(**changes), record(**changes)):
        run = satdip("adjudicate", "-", "--json", stdin=text.encode())
        if run.code:
            refused(run)
        path = tmp_path_factory.getbasetemp() / "any.jsonl"
        path.write_text(text, encoding="utf-8")
        run = satdip("replay", path)
        if run.code != 1:
            assert run.code == 0 or refused(run)


# ---------------------------------------------------------------------- orders that make no sense are no bad input

NO_ERRORS: dict[str, tuple[str, list[str]]] = {
    "an army to the sea": ("France: A Brest - English Channel", ["illegal"]),
    "a fleet inland": ("France: F Brest - Paris", ["illegal"]),
    "out of reach": ("France: A Paris - Moscow", ["illegal"]),
    "to its own place": ("France: A Paris - Paris", ["illegal"]),
    "to one of two coasts, none named": ("France: F Portugal - Spain", ["illegal"]),
    "to a coast that does not exist": ("France: A Paris - Burgundy(nc)", ["succeeds"]),
    "of a unit that is not there": (
        "units: France A Paris\nFrance: A Brest - Picardy; A Paris H",
        ["illegal", "stands"],
    ),
    "of a foreign unit": ("units: Italy A Rome\nFrance: A Rome H", ["illegal", "stands"]),
    "of the wrong kind": ("units: France A Paris\nFrance: F Paris - Burgundy", ["succeeds"]),
    "twice to one unit": ("France: A Paris - Burgundy; A Paris - Picardy", ["succeeds", "illegal"]),
    "a support of a move that was not ordered": (
        "France: A Paris S A Burgundy - Picardy; A Burgundy H",
        ["invalid", "stands"],
    ),
    "a support of a unit that is not there": ("France: A Paris S A Burgundy", ["illegal"]),
    "a support of itself": ("France: A Paris S A Paris", ["illegal"]),
    "a convoy by a fleet in port": ("England: F London C A Yorkshire - Norway; A Yorkshire H", ["illegal", "stands"]),
    "a convoy to nowhere": ("England: F North Sea C A Yorkshire", ["illegal"]),
    "a convoy inland": ("England: F North Sea C A Yorkshire - Moscow; A Yorkshire H", ["illegal", "stands"]),
    "an order of several meanings": ("units: England F Yorkshire\nEngland: F Yor - Nor", ["illegal"]),
    "a build in spring": ("France: A Paris H; Build F Brest", ["stands", "illegal"]),
    "a retreat in spring": ("France: A Paris R Burgundy", ["illegal", "stands"]),
    "no order": ("France: A Paris", ["stands"]),
    "no order for a power": ("units: France A Paris\nFrance:", ["stands"]),
    "misspelt": ("Frence:\n  A Pariz - Burgandy", ["succeeds"]),
    "a retreat that is closed": (
        "phase: S1901R\nunits: Germany A Bur\ndislodged: France A Bur; retreats Par\nFrance: A Bur - Gas",
        ["illegal"],
    ),
    "a move in a retreat phase": (
        "phase: S1901R\nunits: Germany A Bur, A Mun\ndislodged: France A Bur; retreats Par\nGermany: A Mun - Boh",
        ["illegal", "fails"],
    ),
    "no retreats stated": ("phase: S1901R\ndislodged: France A Bur\nFrance: A Bur - Par", ["succeeds"]),
    "nobody dislodged in a retreat phase": ("phase: S1901R\ndislodged: none\nunits: France A Par", []),
    "a build without a centre": (
        "phase: W1901A\ncentres: France Paris\nunits: France A Gas\nFrance: Build F Brest",
        ["illegal"],
    ),
    "a fleet without its coast to build": (
        "phase: W1901A\ncentres: Russia StP, Moscow\nunits: Russia A Ukr\nRussia: Build F StP",
        ["illegal"],
    ),
    "a removal too many": (
        "phase: W1901A\ncentres: France Paris\nunits: France A Gas\nFrance: Disband A Gas",
        ["illegal"],
    ),
    "no order in winter": ("phase: W1901A\ncentres: France Paris, Brest\nunits: France A Gas", []),
    "comments and empty lines": ("# by post\n\nFrance: # Anna\n\n  A Paris H  # stays\n", ["stands"]),
    "a mark of its encoding": ("\ufeffFrance: A Paris H", ["stands"]),
    "lines that end as on other systems": ("France:\r\n  A Paris H\r\n  A Brest H\r", ["stands", "stands"]),
    "a record of nothing but orders": ('{"orders": {"FRANCE": ["A PAR - BUR"]}}', ["succeeds"]),
    "a record with unknown keys": ('{"orders": {"FRANCE": ["A PAR H"]}, "players": [{"x": null}]}', ["stands"]),
    "a record with empty fields": ('{"units": {"FRANCE": []}, "orders": {"ITALY": []}, "centers": {}}', []),
    "a record that leaves fields out by null": (
        '{"phase": null, "units": null, "orders": {"FRANCE": ["A PAR H"]}}',
        ["stands"],
    ),
}
"""Sound input with orders that fail or mean little, and the outcomes of its orders."""


@pytest.mark.parametrize("name", NO_ERRORS)
def test_orders_that_make_no_sense_are_adjudicated(name: str) -> None:
    text, outcomes = NO_ERRORS[name]
    run = satdip("adjudicate", "-", "--json", stdin=text.encode())
    assert (run.code, run.err) == (0, "")
    assert [order["outcome"] for order in run.json["orders"]] == outcomes


@pytest.mark.parametrize(
    ("text", "outcomes"),
    [
        ("units: France A Paris\nFrance:\n  A Paris to the beach", ["illegal", "stands"]),
        (
            "France:\n  A Paris - Atlantis\n  A Brest H",
            ["illegal", "stands", "stands"],
        ),
        ("Dear Anna,\nFrance:\n  A Paris H", ["stands"]),
        ('{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["go", "A PAR H"]}}', ["illegal", "stands"]),
    ],
)
def test_lines_that_are_no_orders_count_as_none_when_the_reading_is_lenient(text: str, outcomes: list[str]) -> None:
    refused(satdip("adjudicate", "-", stdin=text.encode()))
    run = satdip("adjudicate", "-", "--lenient", "--json", stdin=text.encode())
    assert (run.code, run.err) == (0, "")
    assert [order["outcome"] for order in run.json["orders"]] == outcomes


@pytest.mark.parametrize("table", [SHEETS, RECORDS], ids=["sheets", "records"])
def test_a_position_that_cannot_be_is_refused_by_a_lenient_reading_too(table: dict[str, Bad]) -> None:
    about_orders = {
        "nonsense",
        "order",
        "place",
        "headings",
        "line",
        "bracket",
        "signs",
        "destinations",
        "header",
        "power",
    }
    about_orders |= {"surrogate", "fishing"}
    for name, bad in table.items():
        if about_orders.isdisjoint(name.split()):
            text = bad.text if isinstance(bad.text, bytes) else bad.text.encode()
            refused(satdip("adjudicate", "-", "--lenient", stdin=text))


# ---------------------------------------------------------------------- rules and maps that an input names


SECRET = "base = 'datc'\nsecret_word = 'opensesame'\n"


@pytest.mark.parametrize("key", ["rules", "map"])
@pytest.mark.parametrize("spelling", ["{}", "  {}", "{}/../x.toml", "{}#", "datc+4.A.2={}", "{}+4.A.2=d"])
def test_a_record_or_sheet_opens_no_file(key: str, spelling: str, tmp_path: Path) -> None:
    """Neither a file, whose contents would be told, nor a pipe, at which the reading would wait."""
    (tmp_path / "x.toml").write_text(SECRET, encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.toml")
    for name in ("x.toml", "pipe.toml"):
        stated = spelling.format(tmp_path / name)
        record = movement(**{key: stated})
        lines = tmp_path / "lines.jsonl"
        lines.write_text(f"{record}\n{record}\n", encoding="utf-8")
        sheet = f"{key}: {stated}\nFrance:\n  A Paris - Burgundy\n"
        start = time.monotonic()
        outs = [refused(satdip("adjudicate", "-", stdin=text.encode())) for text in (record, sheet)]
        outs.append(satdip("adjudicate", "--stream", lines).out)
        for verb in ("replay", "explain", "resolutions", "certify", "compare"):
            run = satdip(verb, lines if verb in ("replay", "compare") else "-", stdin=record.encode())
            assert run.code in (0, 2), "a record on an unknown map is skipped"
            outs.append(run.out + run.err)
        assert time.monotonic() - start < 20, "nothing waits at the pipe"
        assert "opensesame" not in "".join(outs)
        assert "secret_word" not in "".join(outs)


def test_a_file_of_rules_is_named_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("base = '1971'", encoding="utf-8")
    run = satdip("adjudicate", "-", "--rules", path, "--json", stdin=movement().encode())
    assert (run.code, run.json["rules"]) == (0, "x")


ODD_NAMES = ["\0.toml", "\x1b[31m", "a\nb", "\u202e", "\ufffe", "x" * 100_000, "+" * 5000, "datc+4.A.2=\0", "datc+\0=a"]


@pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
@pytest.mark.parametrize("key", ["rules", "map"])
def test_an_odd_name_of_rules_or_a_map_is_one_sentence(key: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(f"{movement()}\n{movement(**{key: name})}\n", encoding="utf-8")
    run = satdip("adjudicate", "--stream", path)
    answers = [json.loads(line) for line in run.out.splitlines()]
    assert run.code == 2
    assert (answers[0].get("error"), answers[1]["line"]) == (None, 2)
    assert len(answers[1]["error"]) < 300
    for verb in ("adjudicate", "resolutions", "explain", "certify"):
        sentence = refused(satdip(verb, "-", stdin=movement(**{key: name}).encode()))
        assert sentence.isprintable()
        assert len(sentence) < 300
