"""RETREAT: one equation per legal retreat (rulebook "Retreats"; DATC 6.H)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from satdip.encodings.formula import Tag
from satdip.encodings.reading import Reading

__all__ = ["RetreatNode", "retreat", "retreat_tag"]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class RetreatNode:
    """A legal retreat.

    Args:
        index: its number.
        name: the order, for people.
        dst: the province that it goes to.
    """

    index: int
    name: str
    dst: str


def retreat(x: Reading[S], r: RetreatNode, retreats: Sequence[RetreatNode]) -> int:
    """RETREAT(r) <=> it was ordered, and no other unit was ordered to retreat to the same province."""
    return x.all_of((x.ordered(r), *(-x.ordered(o) for o in retreats if o.dst == r.dst and o is not r)))


def retreat_tag(r: RetreatNode) -> Tag:
    """Return the tag of a retreat's equation."""
    return Tag("RETREAT", r.name, "DATC 6.H")
