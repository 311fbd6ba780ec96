"""BUILD, REMOVE and AUTO: builds and removals, limited by the count (DATC 6.I, 6.J; 4.D.4 to 4.D.8).

The orders of one power come in the order in which they are considered; each equation looks only at those before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, Generic, TypeVar

from satdip.encodings.formula import Tag
from satdip.encodings.reading import Indexed, Reading

__all__ = ["AdjustmentNode", "Taken", "adjustment_tag", "automatic", "build", "remove"]

S = TypeVar("S")


class AdjustmentNode(Indexed):
    """A legal build or waive, a legal removal, or a unit that civil disorder may remove.

    Args:
        index: its number.
        rule: BUILD, REMOVE or AUTO.
        name: the order or unit, for people.
        province: where; None for a waived build.
    """

    __slots__ = ("name", "province", "rule")

    def __init__(self, index: int, rule: str, name: str, province: str | None) -> None:
        super().__init__(index)
        self.rule: Final = rule
        self.name: Final = name
        self.province: Final = province


class Taken(Generic[S]):
    """How many of the decisions before another one come true, in one reading; each is counted once.

    Args:
        x: the reading.
        nodes: the decisions of one power, ``nodes[i].index == i``.
        limit: how many of them can come true.
    """

    def __init__(self, x: Reading[S], nodes: Sequence[AdjustmentNode], limit: int) -> None:
        self.x: Final = x
        self.nodes: Final = nodes
        self.limit: Final = limit
        self._sums: Final = [x.strength(0)]

    def left(self, node: AdjustmentNode) -> int:
        """Return whether fewer than the limit of the decisions before a node are true."""
        while len(self._sums) <= node.index:
            last = self.nodes[len(self._sums) - 1]
            self._sums.append(self.x.one_more(self._sums[-1], self.x.decision(last), self.limit))
        return self.x.greater(self.x.strength(self.limit), self._sums[node.index])


def build(x: Reading[S], b: AdjustmentNode, taken: Taken[S], stronger: Iterable[AdjustmentNode]) -> int:
    """BUILD(b) <=> it was ordered, no build in its province comes first, and builds are left (DATC 4.D.4, 4.D.5)."""
    return x.all_of(chain((x.ordered(b), taken.left(b)), (-x.ordered(o) for o in stronger)))


def remove(x: Reading[S], d: AdjustmentNode, taken: Taken[S]) -> int:
    """REMOVE(d) <=> it was ordered, and removals are left (DATC 4.D.6)."""
    return x.all_of((x.ordered(d), taken.left(d)))


def automatic(x: Reading[S], u: AdjustmentNode, taken: Taken[S], removals: Iterable[AdjustmentNode]) -> int:
    """AUTO(u) <=> u was not removed by order, and units are still missing when its turn comes (DATC 4.D.8).

    Args:
        x: the reading.
        u: the unit.
        taken: how many removals and automatic removals come true before it.
        removals: the removals of this unit that its power ordered.
    """
    ordered = x.any_of([x.decision(d) for d in removals])
    return x.all_of((-ordered, taken.left(u)))


def adjustment_tag(node: AdjustmentNode) -> Tag:
    """Return the tag of an adjustment's equation."""
    return Tag(node.rule, node.name, {"BUILD": "DATC 6.I", "REMOVE": "DATC 6.J", "AUTO": "DATC 4.D.8"}[node.rule])
