"""Reading an engine's answer: what does not fit the phase is refused, so that nonsense is seen as such."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from satdip.base.errors import InputError
from satdip.board import UnitKind, province_of
from satdip.crosschecking.engines.answer import Answer, Failure, FailureKind
from satdip.notation.prose import quoted
from satdip.phase.position import Position

__all__ = ["read_answer"]

TOLD = tuple(kind for kind in FailureKind if kind not in (FailureKind.TIMEOUT, FailureKind.GIVEN_UP))
"""The failures that an engine may tell of."""
MOST_TOLD = 300  # characters of what it says of them
KEYS = frozenset({"moves", "dislodged", "retreats", "disbanded", "units", "centers"})


def read_answer(value: Mapping[str, Any], position: Position) -> Answer:
    """Read the JSON object of an answer (docs/engines.md); keys that are not known are passed over.

    Args:
        value: the object.
        position: the phase that was asked for.

    Raises:
        InputError: it is no answer to this phase; the sentence says why.
    """
    if (error := value.get("error")) is not None:
        kind = value.get("kind", str(FailureKind.NO_ANSWER))
        if not isinstance(error, str) or kind not in TOLD:
            raise InputError(f"'error' is a text, and 'kind' one of {', '.join(TOLD)}")
        return Answer(
            failure=Failure(FailureKind(kind), error if len(error) <= MOST_TOLD else f"{error[:MOST_TOLD]}...")
        )
    return _Reader(position, value).answer()


@dataclass(frozen=True)
class _Reader:
    position: Position
    value: Mapping[str, Any]

    def answer(self) -> Answer:
        board = self.position.board
        if not any(self.value.get(key) is not None for key in KEYS):
            raise InputError(f"the answer has none of the keys {', '.join(sorted(KEYS))}")
        moves, retreats = self.table("moves"), self.table("retreats")
        acting = self.acting
        standing = acting if self.position.phase.traits.may_dislodge else frozenset()
        return Answer(
            moves=None
            if moves is None
            else {self.acting_at(at, acting): self.location(to) for at, to in moves.items()},
            dislodged=self.places("dislodged", standing),
            retreats=None
            if retreats is None
            else {self.acting_at(at, standing): frozenset(self.locations(to)) for at, to in retreats.items()},
            disbanded=self.places("disbanded", acting),
            units=self.by_power("units", self.is_unit),
            centers=self.by_power("centers", board.centres.__contains__),
        )

    @property
    def acting(self) -> frozenset[str]:
        """The provinces whose units have orders in this phase."""
        return frozenset(self.position.acting)

    def table(self, key: str) -> Mapping[str, Any] | None:
        value = self.value.get(key)
        if value is not None and not isinstance(value, Mapping):
            raise InputError(f"{key!r} is an object")
        return value

    def places(self, key: str, acting: frozenset[str]) -> frozenset[str] | None:
        value = self.value.get(key)
        if value is None:
            return None
        if not isinstance(value, list):
            raise InputError(f"{key!r} is a list")
        return frozenset(self.acting_at(place, acting) for place in value)

    def acting_at(self, text: object, acting: frozenset[str]) -> str:
        """Return the province of a unit that the phase is about, named as ``PAR``, ``STP/NC`` or ``A PAR``."""
        if isinstance(text, str) and (at := province_of(text[2:] if text[:2] in ("A ", "F ") else text)) in acting:
            return at
        raise InputError(f"{_told(text)} is no place of a unit that this phase is about")

    def location(self, text: object) -> str:
        board = self.position.board
        if isinstance(text, str) and (text in board.provinces or text in board.fleet):
            return text
        raise InputError(f"{_told(text)} is no place of the map {board.name!r}")

    def locations(self, value: object) -> Iterator[str]:
        if not isinstance(value, list):
            raise InputError("'retreats' has a list of places for each unit")
        yield from map(self.location, value)

    def is_unit(self, text: str) -> bool:
        kind, _, at = text.partition(" ")
        return kind in ("A", "F") and self.position.board.stands(UnitKind(kind), at)

    def by_power(self, key: str, fits: Any) -> Mapping[str, frozenset[str]] | None:
        table = self.table(key)
        if table is None:
            return None
        for power, texts in table.items():
            if power not in self.position.board.powers:
                raise InputError(f"{_told(power)} is no power")
            if not isinstance(texts, list):
                raise InputError(f"{key!r} has a list of texts for each power")
            for text in texts:
                if not isinstance(text, str) or not fits(text):
                    raise InputError(f"{_told(text)} does not fit among {key!r}")
        return {power: frozenset(texts) for power, texts in table.items() if texts}


def _told(text: object) -> str:
    return quoted(text if isinstance(text, str) else repr(text))
