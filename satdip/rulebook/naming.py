"""How people name a rulebook: ``2023``, ``2023+4.A.2=d``, a TOML file.

A file is read only where the caller names it, on the command line or in Python; a name that stands within a phase is
a name and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message, joined
from satdip.base.printable import LONGEST_QUOTE, short, shown
from satdip.rulebook.profiles import PROFILES
from satdip.rulebook.rulebook import DATC, Issue, Rulebook, issue_named, issues

if TYPE_CHECKING:
    from satdip.base.toml_text import TomlText

__all__ = ["RulebookLike", "differing", "rulebook_named", "rulebook_of", "spelled"]

RulebookLike = Rulebook | str | PathLike[str]
"""What a caller may give for a rulebook: the value, its name (see `rulebook_named`), or the path of a TOML file."""

LARGEST_FILE = 1 << 16  # bytes of a file with a rulebook; one that answers every issue has two thousand
LONGEST_NAME = 4000  # characters; one that answers every issue has fifteen hundred

_FILE_KEYS = ("base", "name", "choices")
_NOWHERE = Where()


def rulebook_of(given: RulebookLike | None, named: str | None = None) -> Rulebook:
    """Return the rulebook that a caller means; every public function that takes one asks here.

    Args:
        given: a rulebook, its name, or the path of a TOML file with ``base = "2023"`` and a table ``[choices]`` of
            overrides; None for the one that the phase names.
        named: the name that stands in the phase; None for the preferences of the DATC.

    Raises:
        InputError: there is no such rulebook or file, or something else was given.
    """
    match given:
        case Rulebook():
            return given
        case None:
            return DATC if named is None else rulebook_named(named)
        case str() if not given.endswith(".toml"):
            return rulebook_named(given)
        case str() | PathLike():
            return _from_file(fspath(given))
    what = Message(  # type: ignore[unreachable]
        "a rulebook is a Rulebook, the name of one as in '2023', or the path of a .toml file; {given!r} is none",
        given=given,
    )
    raise InputError(what)


@lru_cache(maxsize=256)  # phases name the same ones over and over
def rulebook_named(text: str) -> Rulebook:
    """Return the rulebook of a name; no file is looked at.

    Args:
        text: a profile (``2023``), or a profile with overrides (``2023+4.A.2=d+removal=country``).

    Raises:
        InputError: there is no such profile, issue or choice, or an issue has two answers; the sentence suggests the
            nearest.
    """
    if len(text) > LONGEST_NAME:
        raise InputError(Message("the name of a rulebook has at most {most} characters", most=LONGEST_NAME))
    base, *overrides = text.split("+")
    answers: list[_Answer] = []
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            what = Message(
                "{text!r} is no choice; write the issue, = and the answer, as in {base}+4.A.2=d",
                text=short(override),
                base=short(base),
            )
            raise InputError(what)
        answers.append(_Answer(key.strip(), value.strip()))
    return _overridden(_profile(base.strip()), answers)


def _profile(name: str) -> Rulebook:
    book = PROFILES.get(name.lower())
    if book is not None:
        return book
    from difflib import get_close_matches

    near = get_close_matches(short(name.lower()), PROFILES, n=1)
    if near:
        what = Message("no rulebook is called {name!r}; did you mean {near!r}?", name=short(name), near=near[0])
        raise InputError(what)
    what = Message("no rulebook is called {name!r}; there is {known}", name=short(name), known=joined(PROFILES))
    if name.endswith(".toml"):
        what = Message("{what}; a file is named by --rules or in Python, never within a phase", what=what)
    raise InputError(what)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An answer to an issue as somebody wrote it, and where."""

    key: str
    text: str
    where: Where = _NOWHERE


def _overridden(profile: Rulebook, answers: Iterable[_Answer]) -> Rulebook:
    """Return a profile with other answers.

    Raises:
        InputError: there is no such issue or answer, or an issue has two.
    """
    changes: dict[str, str] = {}
    seen: dict[str, str] = {}
    for answer in answers:
        try:
            issue = issue_named(answer.key)
            issue.choice(answer.text)
        except InputError as error:
            raise InputError(error.message, answer.where) from None
        if issue.field in seen:
            told = {"first": seen[issue.field], "second": answer.key, "section": issue.section}
            what = Message("{section} is answered twice, as {first!r} and as {second!r}; write one answer", **told)
            raise InputError(what, answer.where)
        seen[issue.field] = answer.key
        changes[answer.key] = answer.text
    return profile.override(changes) if changes else profile


# ---------------------------------------------------------------------- files


def _from_file(name: str) -> Rulebook:
    from pathlib import Path  # loaded late, as all that only files and errors need

    from satdip.base.intake import decode_text, decode_toml, read_file
    from satdip.base.toml_text import TomlText

    data, where = read_file(name, LARGEST_FILE), Where(name)
    if len(data) > LARGEST_FILE:
        raise InputError(f"this is too large for a rulebook, which has at most {LARGEST_FILE} bytes", where)
    text = decode_text(data, name)
    table = decode_toml(text, name)
    source = TomlText(name, text)
    if unknown := [key for key in table if key not in _FILE_KEYS]:
        what = f"unknown key {short(unknown[0])!r}; a rulebook has base, name and a table [choices]"
        raise InputError(what, source.where((unknown[0],)))
    base, title, choices = (
        table.get("base", DATC.name),
        table.get("name", shown(Path(name).stem[:40])),
        table.get("choices", {}),
    )
    if not (isinstance(base, str) and isinstance(title, str) and isinstance(choices, dict)):
        raise InputError("base and name are texts and choices is a table of texts", where)
    if not title.isprintable() or not 0 < len(title) <= LONGEST_QUOTE:
        what = f"the name of a rulebook is a line of at most {LONGEST_QUOTE} characters"
        raise InputError(what, source.where(("name",)))
    try:
        profile = _profile(base)
    except InputError as error:
        raise InputError(error.message, source.where(("base",))) from None
    book = replace(_overridden(profile, _flatten(choices, source)), name=title)
    if PROFILES.get(title.lower(), book) != book:
        what = f"{title!r} is the name of another rulebook; give this one its own, as in name = 'house rules'"
        raise InputError(what, source.where(("name",)))
    return book


def _flatten(choices: Mapping[str, Any], source: TomlText, path: tuple[str, ...] = ()) -> Iterator[_Answer]:
    """Yield the answers: TOML reads an unquoted ``4.A.2 = "d"`` as tables in tables."""
    for key, value in choices.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, source, (*path, key))
        else:
            whole = ".".join((*path, key))
            where = source.where(("choices", *whole.split(".")))
            if not isinstance(value, str) and type(value) is not int:
                raise InputError(f"the answer to {short(whole)!r} is no text", where)
            yield _Answer(whole, str(value), where)


# ---------------------------------------------------------------------- writing one down


def differing(one: Rulebook, other: Rulebook) -> tuple[Issue, ...]:
    """Return the issues that two rulebooks answer differently, whatever they are called."""
    return tuple(issue for issue in issues() if one.choice(issue) != other.choice(issue))


@lru_cache(maxsize=256)
def spelled(rules: Rulebook) -> str:
    """Return a name by which `rulebook_named` finds the same choices again.

    A rulebook of a file, or one that was made in Python, may call itself anything. Where its name does not tell its
    choices, it is the profile with the fewest differences and these.
    """
    try:
        if not differing(rulebook_named(rules.name), rules):
            return rules.name
    except InputError:
        pass
    nearest = min(PROFILES.values(), key=lambda profile: len(differing(profile, rules)))
    told = (f"{issue.section}={rules.choice(issue).slug}" for issue in differing(nearest, rules))
    return "+".join([nearest.name, *told])
