"""The keys of phase records: which are read, which say what came of a phase, and which are not looked at."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from satdip.base.errors import InputError, Where
from satdip.base.messages import Message, joined
from satdip.notation.prose import quoted
from satdip.notation.record.record_orders import ORDER_KEYS
from satdip.notation.words.lexicon import squash
from satdip.notation.words.vocabulary import slips, tolerance
from satdip.phase.turn import Remark

__all__ = ["DRIVEN_KEYS", "KEYS", "remarks_on_keys"]

DRIVEN_KEYS: Final = ("dislodged", "retreats", "attackers")
KEYS: Final = frozenset({"map", "rules", "phase", "units", "centers", *DRIVEN_KEYS, *ORDER_KEYS})
"""The keys of a phase."""

_OUTCOME_KEYS: Final = frozenset(
    {"results", "next_phase", "next_units", "next_dislodged", "next_centers", "removed", "expected", "open", "remarks"}
)
"""The keys of what came of a phase: `satdip.telling.serialise.result_record` writes them, a replay compares them."""

_NAMING_KEYS: Final = frozenset({"game", "id", "choices"})
"""The keys that name a phase, and the one under which `satdip.games.game` saves what the rules are."""

_OTHER_WORDS: Final = {
    "board": "map",
    "variant": "map",
    "rulebook": "rules",
    "ruleset": "rules",
    "supplycenters": "centers",
    "supplycentres": "centers",
    "scs": "centers",
    "sets": "order_sets",
    "ordersets": "order_sets",
    "proxy": "proxies",
    "dislodgedunits": "dislodged",
}
"""Squashed words that say the same as a key."""

_SHORTEST: Final = 4  # letters of the shortest key that may be misspelt: three letters are near to anything


def remarks_on_keys(record: Mapping[str, object]) -> tuple[Remark, ...]:
    """Return a remark on the keys of a record that nothing looks at.

    Raises:
        InputError: a key is close to one that is known; the sentence names that one.
    """
    unknown = tuple(key for key in record if key not in KEYS)
    return _remarks(unknown) if unknown else ()


@lru_cache(maxsize=256)  # the records of a file have the same ones
def _remarks(unknown: tuple[str, ...]) -> tuple[Remark, ...]:
    strange = [key for key in unknown if key not in _OUTCOME_KEYS | _NAMING_KEYS]
    if not strange:
        return ()
    where = Where(path="$")
    for key in strange:
        if near := _near(key):
            told = {"key": quoted(key), "near": quoted(near)}
            raise InputError(Message("{key} is no key of a phase record (did you mean {near}?)", **told), where)
    what = Message(
        "the {number:key|keys} {keys} {number:is|are} not looked at",
        number=len(strange),
        keys=joined(map(quoted, strange)),
    )
    return (Remark(what, where),)


def _near(key: str) -> str | None:
    """Return the known key that a key is close to, or None."""
    word = squash(key)
    known = {squash(name): name for name in sorted(KEYS | _OUTCOME_KEYS)}
    if word in known or word in _OTHER_WORDS:
        return known.get(word) or _OTHER_WORDS[word]
    plural = known.get(f"{word}s") or known.get(word.removesuffix("s"))
    if plural is not None or len(word) < _SHORTEST:
        return plural
    for keys, most in ((KEYS, min(tolerance(word), 2)), (_OUTCOME_KEYS, 1)):
        if found := slips(word, [name for name in map(squash, sorted(keys)) if len(name) >= _SHORTEST], most):
            return known[found[0][0]]
    return None
