"""Ways to spoil an input: its bytes, lines, tokens, and the values that it holds as JSON or TOML.

Every one takes a source of chance and draws little from it, so that hypothesis can make a failing case smaller.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

__all__ = ["ODD_TEXTS", "OUTSIDE", "mutated", "toml_text"]

OUTSIDE = ("../outside/secret.toml", "../outside/secret.json", "../outside/pipe.toml", "../outside/pipe")
"""Files that no case names on its command line: nothing may open them, whatever an input says."""

ODD_TEXTS = (
    *OUTSIDE,
    "",
    " ",
    "-",
    "--",
    "*",
    "\x00",
    "datc\x00",
    "\x1b[2J\x1b]0;owned\x07",
    "\x1b[31mvalid",
    "\x9b31m",
    "\r",
    "a\nvalid: every claim holds",
    "\u202egnorw",
    "\u2028",
    "\ufeff",
    "\ud800",
    "x\udfff",
    "e\u0301" * 9,
    "\u0661\u0669\u0660\u0661",
    "ﬁ",
    "İ",
    "ß",
    "0",
    "-1",
    "1e999",
    "9" * 400,
    "NaN",
    "null",
    "true",
    "[]",
    "{}",
    "{name}",
    "{0}",
    "{",
    "%s",
    "%(x)s",
    "[red]x[/red]",
    "[/]",
    ":smile:",
    "<script>alert(1)</script>",
    "&amp;",
    "__class__",
    "../..",
    "/",
    "/dev/zero",
    "/dev/stdin",
    "standard",
    "standard.toml",
    "own.toml",
    "house.toml",
    "datc",
    "DATC",
    "datc+4.A.2=d",
    "datc+" + "+".join(["4.A.2=d"] * 200),
    "1971",
    "seed",
    "hex-3",
    "line-99999999",
    "FRANCE",
    "france",
    "A PAR",
    "F SPA/NC",
    "F SPA/XX",
    "A PAR - BUR",
    "A PAR S A MAR - BUR",
    "F NTH C A YOR - NWY",
    "A YOR - NWY VIA",
    "A PAR R GAS",
    "A PAR D",
    "A PAR B",
    "WAIVE",
    "S1901M",
    "S1901R",
    "F1901M",
    "W1901A",
    "S0M",
    "S99999999999999999999M",
    "PAR",
    "STP/NC",
    "SWI",
    "x" * 3000,
)
"""Texts that mean something somewhere, or should mean nothing anywhere."""

ODD_BYTES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\x1b[2J",
    b"\x1f\x8b",
    b"\x1f\x8b\x08\x00",
    b"\r",
    b"\r\n",
    b"\n\n",
    b"\t",
    b"\x0c",
    b"\x85",
    b"\xe2\x80\xa8",
    b"\\ud800",
    b"\\u0000",
    b"'",
    b'"',
    b'"""',
    b"#",
    b":",
    b";",
    b",",
    b"(",
    b")",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b"\\",
    b"/",
    b"-",
    b"9" * 30,
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "17",
    "65536",
    "2147483648",
    "-9223372036854775809",
    "1e400",
    "1e-400",
    "9" * 60,
    "0x1f",
    "1_000",
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.5, -0.0, 1e308, 10**30, -(2**63)),
    *([], {}, [[]], [{}], [None], {"": None}, {"FRANCE": []}, {"FRANCE": ["A PAR"]}, [["A PAR"]], ["A PAR", "A PAR"]),
)

TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
WORD = re.compile(rb"\w+")
HOW_MANY = (0, 1, 1, 1, 2, 2, 3, 6)
"""How many steps an input is changed by."""
ONE_BOMB_IN = 60


def mutated(data: bytes, rng: Random, form: str, others: Sequence[bytes] = ()) -> bytes:
    """Return an input with some of it changed; now and then with nothing changed, or something far too large.

    Args:
        data: a sound input.
        rng: where chance comes from.
        form: ``text``, ``json``, ``lines`` (of JSON) or ``toml``.
        others: inputs of the same kind, from which parts may be taken.
    """
    if not rng.randrange(ONE_BOMB_IN):
        return rng.choice(BOMBS[form])(rng)
    for _ in range(rng.choice(HOW_MANY)):
        data = rng.choice(STEPS[form])(data, rng, others)
    return data


# ---------------------------------------------------------------------- bytes, lines, tokens


def _place(size: int, rng: Random) -> tuple[int, int]:
    """Return the ends of a part of something of this size."""
    start = rng.randrange(size + 1)
    return start, min(size, start + rng.choice((0, 1, 1, 2, 5, 20, 1000)))


def _bytes(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    start, end = _place(len(data), rng)
    match rng.randrange(7):
        case 0:
            return data[:start] + data[end:]
        case 1:
            return data[:end] + data[start:]
        case 2:
            return data[:start]
        case 3:
            other = rng.choice(others) if others else data
            return data[:start] + other[_place(len(other), rng)[0] :]
        case 4:
            return data[:start] + bytes([rng.randrange(256)]) + data[end:]
        case 5:
            return data[:end] + data[start:end] * rng.choice((2, 10, 300)) + data[end:]
        case _:
            return data[:start] + rng.choice(ODD_BYTES) + data[end:]


def _lines(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    start = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            del lines[start]
        case 1:
            lines.insert(rng.randrange(len(lines) + 1), lines[start])
        case 2:
            lines[start : start + 1] *= rng.choice((2, 3, 40, 400))
        case 3:
            other = (rng.choice(others) if others else data).split(b"\n")
            lines.insert(start, rng.choice(other))
        case _:
            end = rng.randrange(len(lines))
            lines[start], lines[end] = lines[end], lines[start]
    return rng.choice((b"\n", b"\n", b"\n", b"\r\n", b"\r", b"")).join(lines)


def _tokens(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    tokens = TOKEN.findall(data.decode("utf-8", "surrogateescape"))
    if not tokens:
        return data
    at = rng.randrange(len(tokens))
    match rng.randrange(8):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(rng.randrange(len(tokens)), tokens[at])
        case 2:
            other = TOKEN.findall((rng.choice(others) if others else data).decode("utf-8", "replace"))
            tokens[at] = rng.choice(other or [""])
        case 3:
            tokens[at] = rng.choice(ODD_TEXTS)
        case 4:
            tokens[at] = rng.choice(NUMBERS)
        case 5:
            tokens[at] = rng.choice((str.upper, str.lower, str.title, str.swapcase))(tokens[at])
        case 6:
            tokens[at] = _misspelt(tokens[at], rng)
        case _:
            end = rng.randrange(len(tokens))
            tokens[at], tokens[end] = tokens[end], tokens[at]
    return "".join(tokens).encode("utf-8", "surrogatepass" if any(map(_is_half, tokens)) else "surrogateescape")


def _words(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """Put one word in the place of another: what comes out is often sound, and means something else."""
    places = list(WORD.finditer(data))
    found = WORD.findall(rng.choice(others) if others and rng.randrange(3) else data)
    if not places or not found:
        return data
    at = rng.choice(places)
    return data[: at.start()] + rng.choice(found) + data[at.end() :]


def _is_half(text: str) -> bool:
    return any("\ud800" <= sign <= "\udc7f" or "\udd00" <= sign <= "\udfff" for sign in text)


def _misspelt(word: str, rng: Random) -> str:
    at = rng.randrange(len(word))
    match rng.randrange(3):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + word[at : at + 1] + word[at:]
        case _:
            return word[:at] + rng.choice("aeixzAZ09 _-") + word[at + 1 :]


# ---------------------------------------------------------------------- values


def _value(rng: Random) -> Any:
    return rng.choice(ODD_TEXTS) if rng.randrange(2) else rng.choice(VALUES)


def _changed(value: Any, rng: Random) -> Any:
    """Return a JSON value with one change somewhere in it."""
    if isinstance(value, dict) and value and rng.randrange(5):
        return _changed_table(value, rng)
    if isinstance(value, list) and value and rng.randrange(5):
        return _changed_list(value, rng)
    match rng.randrange(8):
        case 0:
            return [value]
        case 1:
            return {"FRANCE": value}
        case 2:
            return _nested(value, rng.choice((3, 30, 120)))
        case 3 if isinstance(value, str) and value:
            return _misspelt(value, rng)
        case 4 if isinstance(value, int | float):
            return rng.choice((-value, value + 1, value - 1, str(value), 10**18))
        case _:
            return _value(rng)


def _changed_table(table: dict[str, Any], rng: Random) -> dict[str, Any]:
    key = rng.choice(list(table))
    match rng.randrange(9):
        case 0:
            return {name: item for name, item in table.items() if name != key}
        case 1:
            return {(_misspelt(key, rng) if key else "x") if name == key else name: table[name] for name in table}
        case 2:
            return table | {rng.choice(ODD_TEXTS): table[key]}
        case 3:
            return table | {key: table[rng.choice(list(table))]}
        case _:
            return table | {key: _changed(table[key], rng)}


def _changed_list(items: list[Any], rng: Random) -> list[Any]:
    at = rng.randrange(len(items))
    match rng.randrange(6):
        case 0:
            return items[:at] + items[at + 1 :]
        case 1:
            return items + [items[at]] * rng.choice((1, 2, 50))
        case 2:
            return [*items, _value(rng)]
        case _:
            return [*items[:at], _changed(items[at], rng), *items[at + 1 :]]


def _nested(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def _json(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _tokens(data, rng, others)
    text = json.dumps(_changed(value, rng), ensure_ascii=bool(rng.randrange(4)))
    return text.encode("utf-8", "surrogatepass")


def _json_lines(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = _json(lines[at], rng, others)
    return b"\n".join(lines)


def _toml(data: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    try:
        value = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return _tokens(data, rng, others)
    changed = _changed(value, rng)
    return toml_text(changed).encode("utf-8", "surrogatepass") if isinstance(changed, dict) else b""


def toml_text(table: dict[str, Any]) -> str:
    """Return a table as TOML: simple keys first, tables of the first two levels under headers, others in line."""
    lines = [f"{_key(name)} = {_toml_value(item)}" for name, item in table.items() if not isinstance(item, dict)]
    for name, item in table.items():
        if isinstance(item, dict):
            lines.append(f"[{_key(name)}]")
            lines += [
                f"{_key(key)} = {_toml_value(inner)}" for key, inner in item.items() if not isinstance(inner, dict)
            ]
            for key, inner in item.items():
                if isinstance(inner, dict):
                    lines.append(f"[{_key(name)}.{_key(key)}]")
                    lines += [f"{_key(last)} = {_toml_value(held)}" for last, held in inner.items()]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)


def _toml_value(value: Any) -> str:
    match value:
        case None:
            return '"null"'
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_toml_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{_key(name)} = {_toml_value(item)}' for name, item in value.items())}}}"
        case str():
            return json.dumps(value)
        case _:
            return str(value)


Step = Callable[[bytes, Random, Sequence[bytes]], bytes]
STEPS: dict[str, tuple[Step, ...]] = {
    "text": (*[_words] * 5, _tokens, _tokens, _lines, _lines, _bytes),
    "json": (*[_words] * 4, *[_json] * 6, _tokens, _bytes),
    "lines": (*[_words] * 3, *[_json_lines] * 6, _lines, _tokens, _bytes),
    "toml": (*[_words] * 4, *[_toml] * 4, _tokens, _lines, _bytes),
}

# ---------------------------------------------------------------------- far too much

Bomb = Callable[[Random], bytes]
SIZES = (2_000, 50_000, 900_000)
SOUND = (2_000, 50_000, 200_000)
"""Bytes of what means nothing, and of what is sound and takes its time: ten thousand orders."""


def _much(unit: bytes, before: bytes = b"", after: bytes = b"", sizes: Sequence[int] = SIZES) -> Bomb:
    """Return what makes a text in which something comes again and again."""
    return lambda rng: before + unit * (rng.choice(sizes) // len(unit)) + after


TEXT_BOMBS = (
    _much(b"\x00"),
    _much(b" "),
    _much(b"\n"),
    _much(b"# nothing\n"),
    _much(b"x"),
    _much(b"x:"),
    _much(b"("),
    _much(b"A Paris - Burgundy; ", b"France: ", sizes=SOUND),
    _much(b"A Paris - Burgundy\n", b"France:\n", sizes=SOUND),
    _much(b"F Piedmnot - Gulf of Lyn\n", b"Italy:\n", sizes=SOUND),
    _much(b"France: A Paris - Burgundy\nItaly:\n", sizes=SOUND),
    _much(b"A Paris, ", b"units: France "),
    _much(b"map: standard\n"),
    _much(b"Build A Paris\n", b"phase: W1901A\ncentres: France Paris\nunits: France A Gas\nFrance:\n", sizes=SOUND),
    _much(b"Disband A Gas\n", b"phase: W1901A\ncentres: France Paris\nunits: France A Gas\nFrance:\n", sizes=SOUND),
    _much(b"A Burgundy - Paris\n", b"phase: S1901R\ndislodged: France A Burgundy\nFrance:\n", sizes=SOUND),
)
JSON_BOMBS = (
    _much(b"["),
    _much(b'{"a":'),
    _much(b"[", b'{"orders":'),
    _much(b"9", b'{"phase":', b"}"),
    _much(b"9", b'{"phase":"S', b'M","units":{"FRANCE":["A PAR"]}}'),
    _much(b"x", b'{"rules":"', b'","units":{"FRANCE":["A PAR"]}}'),
    _much(b"\\u0000", b'{"map":"', b'","units":{"FRANCE":["A PAR"]}}'),
    _much(b'"A PAR",', b'{"units":{"FRANCE":[', b'"A PAR"]}}'),
    _much(b'"A PAR - BUR",', b'{"units":{"FRANCE":["A PAR"]},"orders":{"FRANCE":[', b'"A PAR H"]}}', sizes=SOUND),
    _much(
        b'"A PAR B",',
        b'{"phase":"W1901A","centers":{"FRANCE":["PAR"]},"orders":{"FRANCE":[',
        b'"WAIVE"]}}',
        sizes=SOUND,
    ),
    _much(b'"a":1,', b"{", b'"b":2}'),
)
TOML_BOMBS = (
    _much(b"a."),
    _much(b"a.", b"", b"a = 1\n"),
    _much(b"a.", b"[", b"a]\n"),
    _much(b"["),
    _much(b"[", b"a = "),
    _much(b"{a=", b"a = "),
    _much(b"9", b"a = "),
    _much(b"[[a]]\n"),
    _much(b'"', b"a = "),
    _much(b"# nothing\n"),
    _much(b"a = 1\n"),
)
BOMBS: dict[str, tuple[Bomb, ...]] = {
    "text": TEXT_BOMBS,
    "json": JSON_BOMBS,
    "lines": (*JSON_BOMBS, _much(b"{}\n"), _much(b"\n"), _much(b'{"units":{"FRANCE":["A PAR"]}}\n', sizes=SOUND)),
    "toml": TOML_BOMBS,
}
