"""The grammar of orders as LALR tables, and the parser that runs them.

``order.lark`` is the grammar, and lark makes the tables of it (`satdip.notation.grammar.tables`). Loading lark would
take a good part of the time of a short command, so the tables are shipped ready-made (`satdip.base.shipped`), and are
run here without lark: shift a word, or reduce the last values by a rule. What a rule makes of its parts is as with
lark: ``?rule`` with one part is that part, a part in square brackets that is not there is None, and what a repeated
group holds stands among the parts of the rule around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from satdip.base.shipped import prepared
from satdip.notation.words.lexer import Word

__all__ = ["END", "GRAMMAR", "Misfit", "Rule", "Tables", "parse", "tables"]

GRAMMAR = "notation/grammar/order.lark"
END = "$END"
"""The terminal of the end of a text."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How values become one value.

    Args:
        origin: the symbol that the value is of.
        length: how many values it takes.
        method: the method that makes the value; empty where the parts are handed on as a list, or where `single`.
        single: whether the value is that of the only part.
        parts: what the method gets, in that order: the index of a value, -1 for None, or -2 - index for a list whose
            items are the parts.
    """

    origin: str
    length: int
    method: str
    single: bool
    parts: tuple[int, ...]

    def gather(self, values: Sequence[Any]) -> list[Any]:
        """Return the parts of the rule."""
        parts: list[Any] = []
        for at in self.parts:
            if at >= 0:
                parts.append(values[at])
            elif at == -1:
                parts.append(None)
            else:
                parts += values[-2 - at]
        return parts


@dataclass(frozen=True, slots=True)
class Tables:
    """An LALR automaton.

    Args:
        rules: its rules.
        states: symbol -> the state to go to, or -1 - the number of the rule to reduce by, for each state.
        starts: rule that a text is read by -> the state before it.
        ends: the same -> the state after it.
    """

    rules: tuple[Rule, ...]
    states: tuple[Mapping[str, int], ...]
    starts: Mapping[str, int]
    ends: Mapping[str, int]

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Tables:
        """Return the tables that `satdip.notation.grammar.tables.plain_tables` made."""
        rules = tuple(
            Rule(origin, length, method, single, tuple(parts))
            for origin, length, method, single, parts in plain["rules"]
        )
        return cls(rules, tuple(plain["states"]), plain["starts"], plain["ends"])


class Misfit(Exception):  # noqa: N818 -- a step of the parser; `satdip.notation.grammar.parser` makes an error of it
    """A word that does not fit.

    Args:
        word: the word; None for the end of the text.
        expected: the terminals that could stand in its place.
    """

    def __init__(self, word: Word | None, expected: frozenset[str]) -> None:
        super().__init__(word, expected)
        self.word, self.expected = word, expected


def parse(known: Tables, start: str, words: Sequence[Word], make: Mapping[str, Callable[[list[Any]], Any]]) -> Any:
    """Return the value of a text.

    Args:
        known: the grammar.
        start: the rule to read it by.
        words: the words of the text.
        make: method of a rule -> what makes a value of its parts: words, and values of the rules within.

    Raises:
        Misfit: a word does not fit.
    """
    rules, states, end = known.rules, known.states, known.ends[start]
    stack, values = [known.starts[start]], list[Any]()
    for word in (*words, None):
        terminal = END if word is None else word.terminal
        while True:
            action = states[stack[-1]].get(terminal)
            if action is None:
                raise Misfit(word, _accepted(known, stack, end))
            if action >= 0:
                stack.append(action)
                values.append(word)
                break
            rule = rules[-1 - action]
            cut = len(values) - rule.length
            taken = values[cut:]
            del values[cut:], stack[cut + 1 :]
            parts = rule.gather(taken)
            values.append(parts[0] if rule.single else make[rule.method](parts) if rule.method else parts)
            stack.append(states[stack[-1]][rule.origin])
            if word is None and stack[-1] == end:
                return values[-1]
    raise AssertionError("the end of a text is never shifted")


def _accepted(known: Tables, stack: Sequence[int], end: int) -> frozenset[str]:
    """Return the terminals that can come next; looking ahead by one word, a state lists some that cannot."""
    listed = frozenset(symbol for symbol in known.states[stack[-1]] if symbol.isupper())
    return frozenset(terminal for terminal in listed if _accepts(known, list(stack), terminal, end)) or listed


def _accepts(known: Tables, stack: list[int], terminal: str, end: int) -> bool:
    """Return whether a terminal can be shifted, after what it lets be reduced."""
    while (action := known.states[stack[-1]].get(terminal)) is not None:
        if action >= 0:
            return True
        rule = known.rules[-1 - action]
        del stack[len(stack) - rule.length :]
        stack.append(known.states[stack[-1]][rule.origin])
        if terminal == END and stack[-1] == end:
            return True
    return False


@cache
def tables() -> Tables:
    """Return the tables of ``order.lark``."""
    return Tables.of(prepared(GRAMMAR, _build))


def _build(text: bytes) -> Any:
    from satdip.notation.grammar.tables import plain_tables  # loaded late: lark is slow to import

    return plain_tables(text)
