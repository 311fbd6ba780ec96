"""Cases for every verb: a value for each of its parameters, and the files that they name.

What a parameter may be is told by its type (a flag, a choice, a number), or by the table `TEXTS` where it is a text.
A verb that `VERBS` does not name, or a text that `TEXTS` does not, is an error: nothing gets in untried.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from random import Random

import click

from satdip.cli import cli

from .case import Case
from .corpus import CROSSCHECK, FUZZ, corpus
from .mutations import ODD_TEXTS, mutated

__all__ = ["VERBS", "case", "commands", "missing"]


def commands() -> dict[str, click.Command]:
    """Return every command of the tree, groups too, by what is written after ``satdip``."""
    found: dict[str, click.Command] = {}

    def walk(command: click.Command, words: tuple[str, ...]) -> None:
        found[" ".join(words)] = command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                if inner is not None:
                    walk(inner, (*words, name))

    walk(cli, ())
    return found


class Drawing:
    """A case that is being made.

    Args:
        rng: where chance comes from.
        alone: whether it will run as a process of its own, and may start others.
    """

    def __init__(self, rng: Random, *, alone: bool) -> None:
        self.rng, self.alone = rng, alone
        self.wild = not rng.randrange(3)
        """Whether the options are spoilt too; else only what is in the files."""
        self.files: dict[str, bytes] = {}
        self.stdin = b""

    def one_in(self, number: int) -> bool:
        """Return True now and then."""
        return not self.rng.randrange(number)

    def odd_in(self, number: int) -> bool:
        """Return True now and then, where options may be odd."""
        return self.wild and self.one_in(number)

    def spoilt(self, kind: str) -> bytes:
        """Return an input of a kind, changed."""
        found = corpus()[kind]
        return mutated(self.rng.choice(found.samples), self.rng, found.form, found.samples)

    def file(self, *kinds: str, name: str | None = None) -> str:
        """Put an input of one of the kinds into a file, and return its name."""
        kind = self.rng.choice(kinds)
        name = f"{name or f'in{len(self.files)}'}{corpus()[kind].suffix}"
        data = self.spoilt(kind)
        if kind == "streams" and self.one_in(8):
            name, data = f"{name}.gz", self.packed(data)
        self.files[name] = data
        return name

    def packed(self, data: bytes) -> bytes:
        """Return data packed by gzip, now and then spoilt after that, or very much of it."""
        if self.one_in(10):
            data = self.rng.choice((b"\n", b" ", b"[", b"{}\n")) * (MUCH // 3)
        packed = gzip.compress(data, 9, mtime=0)
        return mutated(packed, self.rng, "text") if self.one_in(3) else packed

    def input(self, *kinds: str) -> str:
        """Put an input into a file or on standard input, and return how it is named; now and then it is not there."""
        if self.odd_in(8):
            return self.rng.choice(("absent", "", ".", "..", "/", "a/b", "absent.toml", "x" * 300, "\udcff"))
        if self.one_in(5):
            self.stdin = self.spoilt(self.rng.choice(kinds))
            return "-"
        return self.file(*kinds)


MUCH = 20 << 20
"""Bytes in a small file that is packed."""

# ---------------------------------------------------------------------- texts

Maker = Callable[[Drawing], str]


def of(*texts: str) -> Maker:
    """Return what draws one of these texts, now and then an odd one."""
    return lambda drawing: drawing.rng.choice(ODD_ARGUMENTS if drawing.odd_in(6) else texts)


def rulebook(drawing: Drawing) -> str:
    """Return a rulebook, by its name or in a file."""
    if drawing.odd_in(6):
        return _no_rulebook(drawing)
    return drawing.file("rules", name="house") if drawing.one_in(5) else _rulebook(drawing)


def _fits(text: str) -> bool:
    return "\x00" not in text and "outside" not in text and not any("\ud7ff" < sign < "\ue000" for sign in text)


ODD_ARGUMENTS = (*filter(_fits, ODD_TEXTS), "\udcff")
"""Odd texts that a command line can hold, without the names of files that nothing may open."""

_rulebook = of(
    *("datc", "1971", "1976", "1982", "2000", "2023", "2025ee", "dptg", "seed", "2023+4.A.2=f", "datc+4.A.3=tag"),
    *("datc+4.D.1=combined", "1971+fallback=szykman"),
)
_no_rulebook = of("datc+4.A.2=zz", "datc+", "+", "=", "absent.toml", "Datc", "datc+4.A.2=d=d")
_unit = of(
    "A Bre", "F ENG", "A PAR", "F Bel - Eng", "A BUR R PAR", "F STP/NC", "Bre", "Build F Bre", "A Vienna", "units"
)


def _some_unit(drawing: Drawing) -> str:
    """Return a unit that the input names, or any."""
    text = drawing.stdin + b"".join(drawing.files.values())
    found = UNITS.findall(text[:10_000].decode("utf-8", "replace"))
    return drawing.rng.choice(found) if found and not drawing.one_in(5) else _unit(drawing)


UNITS = re.compile(r"\b[AF] [A-Z]\w\w+")
_power = of("England", "FRANCE", "Russia", "Atlantis", "fra")
_map = of("standard", "hex", "hex-3", "line-4", "mosaic", "tree", "isles")
_made_up = of("uniform", "coherent", "dense", "two-model-core", "exchange", "paradoxes", "pandin", "routes", "cycle")
_engine = of(
    *(
        "satdip",
        "satdip:1971",
        "satdip:datc+4.A.3=tag",
        "recorded:peer",
        "recorded:expected",
        "recorded",
        "recorded:x/y",
    ),
    *("mine=satdip:seed", "recorded:parlance/szykman", "command:", "command:absent", "command:'", "=", ":", "satdip:"),
)
_source = of(
    "datc:6.A", "random:dense:1", "random:coherent:1:7", "random:uniform:0", "random::", "random:x:1", "random:dense:-1"
)


def _map_file(drawing: Drawing) -> str:
    return drawing.file("maps", name="own") if drawing.rng.randrange(6) else _map(drawing)


def _engine_text(drawing: Drawing) -> str:
    if drawing.one_in(12):
        drawing.file("answers", name="answers")
        return "command:cat answers.jsonl"
    if drawing.one_in(12):
        return f"recorded:peer:{drawing.file('streams')}"
    return _engine(drawing)


def _corpus_file(drawing: Drawing) -> str:
    return drawing.input("streams", "games", "logs", "records", "sheets")


TEXTS: dict[str, Maker] = {
    "adjudicate file": lambda drawing: drawing.input("sheets", "records"),
    "certify file": lambda drawing: drawing.input("sheets", "records"),
    "explain file": lambda drawing: drawing.input("sheets", "records"),
    "resolutions file": lambda drawing: drawing.input("sheets", "records"),
    "verify file": lambda drawing: drawing.input("certificates"),
    "compare files": lambda drawing: drawing.input("sheets", "records", "streams"),
    "replay files": lambda drawing: drawing.input("streams", "records"),
    "crosscheck sources": lambda drawing: _source(drawing) if drawing.one_in(6) else _corpus_file(drawing),
    "crosscheck engines": _engine_text,
    "crosscheck dask": of("nonsense", "tcp://"),
    "datc only": of("6.A.1", "6.F.14", "6.J.1", "6.C.1", "7", "6.Z", "6.A.1."),
    "explain what": _some_unit,
    "explain powers": _power,
    "certify forced": _some_unit,
    "generate name": _made_up,
    "map_name": _map_file,
    "map show name": _map_file,
    "map show province": of("PAR", "ONE", "spa", "STP/NC"),
    "map check file": _map_file,
    "rules show name": rulebook,
    "rules diff first": rulebook,
    "rules diff second": rulebook,
    "fuzz kinds": of("uniform", "coherent", "dense", "wanted", "slips", "retreats", "winter", "all"),
    "fuzz names": of("folding", "certificate", "verifier", "laws", "resolutions"),
    "rules": rulebook,
    "names": rulebook,
}
"""What a text may be: the verb and the parameter, or a parameter that means the same everywhere."""

_output = of("absent/out.json", "in0.txt", "in0.json", ".", "/dev/full", "/dev/null", "out.json")


def output(drawing: Drawing) -> str:
    """Return where to write."""
    return _output(drawing) if drawing.wild else f"out{drawing.rng.randrange(3)}.json"


def number(parameter: click.Parameter, drawing: Drawing) -> str:
    """Return a number for an option: one that means little work, or one that is none or absurd."""
    if not drawing.odd_in(4):
        return drawing.rng.choice(SMALL.get(parameter.name or "", ("1", "2", "3", "0.5")))
    return drawing.rng.choice(
        ("0", "-1", "", "x", "1e3", "nan", "inf", "-inf", "1.5", "\u0663", "0x10", " 1", "1_0", "9" * 30)
    )


SMALL = {
    "timeout": ("1", "1", "0.5", "0.05", "0.000001"),
    "timeout_per_phase": ("0.2", "0.3", "0.01"),
    "minimise": ("0", "0.1", "0.3"),
    "jobs": ("1",),
    "workers": ("1",),
    "seed": ("0", "1", "7", "12345678901234567890"),
}
"""Numbers for options by name: none may ask for much work."""

ABSURD_IS_MUCH = {"generate count", "generate size", "fuzz count", "fuzz jobs", "crosscheck jobs", "compare jobs"}
"""Options of which a huge number is no mistake, but a wish for much work."""


def value(verb: str, parameter: click.Parameter, drawing: Drawing) -> str:
    """Return a text for a parameter.

    Raises:
        LookupError: nothing is known about it.
    """
    kind = parameter.type
    if isinstance(kind, click.Choice):
        return of(*map(str, kind.choices))(drawing)
    if isinstance(kind, click.IntRange | click.FloatRange) or kind in (click.INT, click.FLOAT):
        found = number(parameter, drawing)
        much = f"{verb} {parameter.name}" in ABSURD_IS_MUCH or parameter.name in ("jobs", "workers")
        return "1" if much and len(found) > 20 else found
    if isinstance(kind, click.Path):
        return output(drawing)
    maker = TEXTS.get(f"{verb} {parameter.name}") or TEXTS.get(parameter.name or "")
    if maker is None:
        raise LookupError(f"no generator makes a text for the parameter {parameter.name!r} of {verb!r}; see TEXTS")
    return maker(drawing)


# ---------------------------------------------------------------------- verbs

Words = list[str]


def usual(verb: str, drawing: Drawing, *, always: tuple[str, ...] = ()) -> Words:
    """Return arguments for a verb: each option now and then, each argument nearly always.

    Args:
        verb: the verb.
        drawing: the case.
        always: names of options without which the verb would do too much, or nothing.
    """
    command, rng = commands_once()[verb], drawing.rng
    words: Words = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            many = rng.choice((1, 1, 1, 2)) if parameter.nargs == -1 else 1
            optional_here = not parameter.required and parameter.name not in always
            given = 0 if (drawing.one_in(2) if optional_here else drawing.odd_in(10)) else many
            words += [value(verb, parameter, drawing) for _ in range(given)]
        elif isinstance(parameter, click.Option):
            name = parameter.opts[-1] if parameter.opts[-1].startswith("--") else parameter.opts[0]
            if parameter.is_flag:
                words += [name] if name != "--help" and drawing.one_in(3) else []
            elif parameter.name in always and not drawing.odd_in(4):
                words += [name, value(verb, parameter, drawing)]
            elif drawing.one_in(6):
                times = rng.choice((1, 1, 1, 2)) if parameter.multiple else 1
                for _ in range(times):
                    words += [name, value(verb, parameter, drawing)]
    if drawing.odd_in(6):
        words.insert(rng.randrange(len(words) + 1), rng.choice((*ODD_ARGUMENTS, "--nonsense", "-x", "--jso", "--help")))
    if len(words) > 1 and drawing.odd_in(8):
        del words[rng.randrange(len(words))]
    return words


_KEPT: dict[str, click.Command] = {}


def commands_once() -> dict[str, click.Command]:
    """Return `commands`, found once."""
    if not _KEPT:
        _KEPT.update(commands())
    return _KEPT


def plainly(verb: str) -> Callable[[Drawing], Words]:
    """Return a generator that knows no more of a verb than its parameters."""
    return lambda drawing: usual(verb, drawing)


def bounded(verb: str) -> Callable[[Drawing], Words]:
    """Return a generator for a verb that may take long: nearly always with a time limit."""
    return lambda drawing: usual(verb, drawing, always=("timeout",))


def adjudicate(drawing: Drawing) -> Words:
    """Return arguments for one phase, or for a stream of them."""
    words = usual("adjudicate", drawing)
    if not drawing.one_in(5):
        return [word for word in words if word != "--stream"]
    words = [drawing.input("streams"), "--stream", *words[1:]]
    return [word for word in words if word != "--next" or drawing.wild]


def compare(drawing: Drawing) -> Words:
    """Return arguments with two rulebooks at least."""
    words = usual("compare", drawing, always=("timeout",))
    return [*words, "--rules", rulebook(drawing), *([] if drawing.odd_in(4) else ["--rules", "1971"])]


def explain(drawing: Drawing) -> Words:
    """Return arguments for one of the questions that the verb answers."""
    words = usual("explain", drawing, always=("timeout", "what"))
    if drawing.wild:
        return words
    asked = [word for word in ("--robust", "--if", "--irrelevant") if word in words]
    return [word for word in words if word not in asked[1:] or word == "--if"]


def crosscheck(drawing: Drawing) -> Words:
    """Return arguments for a run, or for one that goes on with spoilt results."""
    if drawing.one_in(3):
        drawing.files["phases.jsonl"] = corpus()["streams"].samples[0]
        drawing.files["results.jsonl"] = drawing.spoilt("crosschecks")
        return [*CROSSCHECK, "--output", "results.jsonl", "--resume", *(["--json"] if drawing.one_in(2) else [])][1:]
    words = usual("crosscheck", drawing, always=("engines", "minimise", "timeout_per_phase"))
    return [*words, "--limit", "3"] if "--limit" not in words else words


def fuzz(drawing: Drawing) -> Words:
    """Return arguments for a short run, or for one that goes on with spoilt results."""
    if drawing.one_in(2):
        drawing.files["results.jsonl"] = drawing.spoilt("fuzz runs")
        return [*FUZZ, "--output", "results.jsonl", "--resume", *(["--json"] if drawing.one_in(2) else [])][1:]
    words = usual("fuzz", drawing, always=("count",))
    if "--count" not in words:
        words += ["--count", "1"]
    return [*words, "--timeout", "1"] if "--timeout" not in words else words


def datc(drawing: Drawing) -> Words:
    """Return arguments for one or two cases: all of them are much."""
    words = usual("datc", drawing)
    return [*words, "--case", "6.A.1"] if "--case" not in words else words


def program(drawing: Drawing) -> Words:
    """Return arguments without a verb."""
    return [
        drawing.rng.choice((*ODD_ARGUMENTS, "--version", "--help", "-h", "adjudicat", "--json"))
        for _ in range(drawing.rng.randrange(3))
    ]


def map_group(drawing: Drawing) -> Words:
    """Return arguments without a verb of the group."""
    return [drawing.rng.choice((*ODD_ARGUMENTS, "--help", "sho"))] if drawing.one_in(2) else []


def rules_group(drawing: Drawing) -> Words:
    """Return arguments for the list of choices."""
    return usual("rules", drawing)


VERBS: dict[str, Callable[[Drawing], Words]] = {
    "": program,
    "adjudicate": adjudicate,
    "certify": bounded("certify"),
    "compare": compare,
    "crosscheck": crosscheck,
    "datc": datc,
    "explain": explain,
    "fuzz": fuzz,
    "generate": plainly("generate"),
    "map": map_group,
    "map check": plainly("map check"),
    "map show": plainly("map show"),
    "replay": plainly("replay"),
    "resolutions": bounded("resolutions"),
    "rules": rules_group,
    "rules diff": plainly("rules diff"),
    "rules show": plainly("rules show"),
    "verify": plainly("verify"),
}
"""The generators, one for each command of the tree."""

WEIGHTS = {
    "adjudicate": 6,
    "verify": 5,
    "certify": 2,
    "explain": 2,
    "replay": 3,
    "crosscheck": 3,
    "map check": 3,
    "compare": 2,
}
"""How often a verb comes, where it is not once: the doors through which most comes are tried most."""
DRAWN = [verb for verb in VERBS for _ in range(WEIGHTS.get(verb, 1))]


def missing() -> set[str]:
    """Return the commands of the tree that have no generator, and the generators that have no command."""
    return set(commands()) ^ set(VERBS)


def case(rng: Random, verb: str | None = None, *, alone: bool = False) -> Case:
    """Return a case.

    Args:
        rng: where chance comes from.
        verb: which verb; by default any.
        alone: whether it will run as a process of its own.
    """
    drawing = Drawing(rng, alone=alone)
    chosen = rng.choice(DRAWN) if verb is None else verb
    words = VERBS[chosen](drawing)
    return Case(chosen, (*chosen.split(), *words), drawing.files, drawing.stdin)
