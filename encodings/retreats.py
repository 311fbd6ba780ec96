"""RETREAT: one equation per legal retreat (rulebook "Retreats"; DATC 6.H)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final, TypeVar

from satdip.encodings.formula import Tag
from satdip.encodings.reading import Indexed, Reading

__all__ = ["RetreatNode", "retreat", "retreat_tag"]

S = TypeVar("S")


class RetreatNode(Indexed):
    """A legal retreat.

    Args:
        index: its number.
        name: the order, for people.
        dst: the province that it goes to.
    """

    __slots__ = ("dst", "name")

    def __init__(self, index: int, name: str, dst: str) -> None:
        super().__init__(index)
        self.name: Final = name
        self.dst: Final = dst


def retreat(x: Reading[S], r: RetreatNode, retreats: Sequence[RetreatNode]) -> int:
    """RETREAT(r) <=> it was ordered, and no other unit was ordered to retreat to the same province."""
    rivals = (o for o in retreats if o.dst == r.dst and o is not r)
    return x.all_of(chain((x.ordered(r),), (-x.ordered(o) for o in rivals)))


def retreat_tag(r: RetreatNode) -> Tag:
    """Return the tag of a retreat's equation."""
    return Tag("RETREAT", r.name, "DATC 6.H")
