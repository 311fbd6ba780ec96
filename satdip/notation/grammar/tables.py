"""From the grammar to LALR tables, by lark.

The tables are plain values, as of JSON, and the same grammar always has the same: states are numbered in the order in
which they are met, and rules are sorted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

__all__ = ["STARTS", "plain_tables"]

STARTS = ("line", "units", "centres", "dislodged", "proxies")
"""The rules that a text may be read by."""

_REDUCE = 1  # how lark writes the kind of an action

_Rule = tuple[str, int, str, bool, tuple[int, ...]]  # the fields of `satdip.notation.grammar.lalr.Rule`


def plain_tables(text: bytes) -> dict[str, Any]:
    """Return the tables of a grammar, for `satdip.notation.grammar.lalr.Tables.of`.

    Args:
        text: the grammar, in lark's language.
    """
    built = Lark(text.decode("utf-8"), parser="lalr", lexer="basic", start=list(STARTS), maybe_placeholders=True)
    data, memo = built.memo_serialize([TerminalDef, Rule])
    automaton = data["parser"]["parser"]
    symbols, starts, ends = automaton["tokens"], automaton["start_states"], automaton["end_states"]
    rows = {
        state: {symbols[symbol]: (kind, target["@"] if kind == _REDUCE else target) for symbol, (kind, target) in row}
        for state, row in ((state, row.items()) for state, row in automaton["states"].items())
    }
    numbers = _numbered(rows, (starts[start] for start in STARTS))
    used = {target for state in numbers for kind, target in rows[state].values() if kind == _REDUCE}
    rule_of = {key: _rule(memo[key]) for key in used}
    rules = sorted(set(rule_of.values()))  # "BUILD unit" and "unit BUILD" are made in the same way
    rule_numbers = {key: rules.index(rule) for key, rule in rule_of.items()}
    return {
        "rules": [[*fields, list(parts)] for *fields, parts in rules],
        "starts": {start: numbers[starts[start]] for start in STARTS},
        "ends": {start: numbers[ends[start]] for start in STARTS},
        "states": [
            {
                symbol: -1 - rule_numbers[target] if kind == _REDUCE else numbers[target]
                for symbol, (kind, target) in sorted(rows[state].items())
            }
            for state in numbers
        ],
    }


def _numbered(rows: Mapping[int, Mapping[str, tuple[int, int]]], starts: Iterable[int]) -> dict[int, int]:
    """Return new numbers for the states, in the order in which they are met from the first ones on."""
    numbers: dict[int, int] = {}
    waiting = list(starts)
    for state in waiting:
        if state not in numbers:
            numbers[state] = len(numbers)
            waiting += [target for _, (kind, target) in sorted(rows[state].items()) if kind != _REDUCE]
    return numbers


def _rule(plain: Mapping[str, Any]) -> _Rule:
    """Return a rule as lark wrote it down with what its value is made of."""
    origin, expansion, options = plain["origin"]["name"], plain["expansion"], plain["options"]
    symbols = iter(enumerate(expansion))
    parts: list[int] = []
    for is_missing in options["empty_indices"] or (False,) * len(expansion):
        if is_missing:
            parts.append(-1)
            continue
        number, symbol = next(symbols)
        if symbol["name"].startswith("_"):  # what lark calls the rule of a repeated group
            parts.append(-2 - number)
        elif not symbol.get("filter_out"):
            parts.append(number)
    single = options["expand1"] and not plain["alias"]
    if single and (len(parts) != 1 or parts[0] < 0):
        raise ValueError(f"{origin} is a rule of one part, but not always")
    method = "" if single or origin.startswith("_") else plain["alias"] or origin
    return origin, len(expansion), method, single, tuple(parts)
