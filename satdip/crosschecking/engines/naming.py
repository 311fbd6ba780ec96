"""From the text of an option to an engine."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping

from satdip.base.errors import InputError
from satdip.base.printable import short
from satdip.crosschecking.engines.base import Engine, LocalEngine
from satdip.crosschecking.engines.command import CommandEngine, Limits, command_words
from satdip.crosschecking.engines.diplomacy_package import DiplomacyPackage
from satdip.crosschecking.engines.own import SatdipEngine
from satdip.crosschecking.engines.pydip_package import Pydip
from satdip.crosschecking.engines.recorded import RecordedAnswers
from satdip.notation.prose import quoted

__all__ = ["PACKAGES", "engine_named", "package_engine"]

PACKAGES: Mapping[str, Callable[[], LocalEngine]] = {"diplomacy": DiplomacyPackage, "pydip": Pydip}
"""The packages of PyPI that are engines."""
LONGEST_NAME = 150  # characters of an engine's name, which is a key of results; a longer one is cut off
KNOWN = "satdip, satdip:RULES, diplomacy, pydip, recorded:NAME, recorded:NAME:FILE and command:PROGRAM"


def engine_named(text: str, limits: Limits | None = None, *, isolated: bool = True) -> Engine:
    """Return the engine that a text names.

    Args:
        text: ``satdip``, ``satdip:1971``, ``diplomacy``, ``pydip``, ``recorded:godip`` (the answers that the records
            hold), ``recorded:godip:peers.jsonl`` (those of a file), ``command:java -jar engine.jar``; with a name of
            your own before it, as in ``jdip=command:java -jar engine.jar``.
        limits: what an engine in a process of its own may take.
        isolated: whether the packages run in processes of their own, where they can hang and crash alone; else they
            run here.

    Raises:
        InputError: there is no such engine, or what it needs is not there.
    """
    named = re.match(rf"(?P<name>[\w.-]{{1,{LONGEST_NAME}}})=(?=\w+)", text)
    name, spec = (named["name"], text[named.end() :]) if named else (None, text)
    engine = _engine(spec, limits, isolated)
    engine.name = short(engine.name, LONGEST_NAME) if name is None else name
    return engine


def _engine(
    spec: str, limits: Limits | None, isolated: bool
) -> SatdipEngine | LocalEngine | CommandEngine | RecordedAnswers:
    kind, _, rest = spec.partition(":")
    match kind, rest:
        case "satdip", _:
            return SatdipEngine(rest or None)
        case (("diplomacy" | "pydip"), ""):
            local = package_engine(kind)
            if not isolated:
                return local
            words = (sys.executable, "-m", "satdip.crosschecking.engines.serve", kind)
            return CommandEngine(local.name, words, local.version, limits)
        case "recorded", _:
            program, _, file = rest.partition(":")
            return RecordedAnswers(program, (file,) if file else ())
        case "command", _:
            return CommandEngine(spec, command_words(rest), limits=limits)
    raise InputError(f"no engine is called {quoted(spec)}; there is {KNOWN}")


def package_engine(name: str) -> LocalEngine:
    """Return a package as an engine of this process.

    Args:
        name: one of `PACKAGES`.

    Raises:
        InputError: it is not known, or not installed.
    """
    if name not in PACKAGES:
        raise InputError(f"no package engine is called {quoted(name)}; there is {' and '.join(PACKAGES)}")
    return PACKAGES[name]()
