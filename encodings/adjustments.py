"""BUILD, REMOVE and AUTO: builds and removals, limited by the count (DATC 6.I, 6.J; 4.D.4 to 4.D.8).

The orders of one power come in the order in which they are considered; each equation looks only at those before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from satdip.encodings.formula import Tag
from satdip.encodings.reading import Indexed, Reading

__all__ = ["AdjustmentNode", "adjustment_tag", "automatic", "build", "remove"]

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


def _fewer(x: Reading[S], nodes: Iterable[AdjustmentNode], limit: int) -> int:
    """Say whether fewer than `limit` of the decisions are true."""
    return x.greater(x.strength(limit), x.count(0, [x.decision(node) for node in nodes]))


def build(
    x: Reading[S], b: AdjustmentNode, before: Sequence[AdjustmentNode], limit: int, stronger: Sequence[AdjustmentNode]
) -> int:
    """BUILD(b) <=> it was ordered, no build in its province comes first, and builds are left (DATC 4.D.4, 4.D.5)."""
    return x.all_of((x.ordered(b), *(-x.ordered(o) for o in stronger), _fewer(x, before, limit)))


def remove(x: Reading[S], d: AdjustmentNode, before: Sequence[AdjustmentNode], limit: int) -> int:
    """REMOVE(d) <=> it was ordered, and removals are left (DATC 4.D.6)."""
    return x.all_of((x.ordered(d), _fewer(x, before, limit)))


def automatic(
    x: Reading[S],
    u: AdjustmentNode,
    removals: Sequence[AdjustmentNode],
    ranked_before: Sequence[AdjustmentNode],
    limit: int,
) -> int:
    """AUTO(u) <=> u was not removed by order, and units are still missing when its turn comes (DATC 4.D.8).

    Args:
        x: the reading.
        u: the unit.
        removals: the removals ordered by its power.
        ranked_before: the units that civil disorder takes before it.
        limit: how many units the power must lose.
    """
    ordered = x.any_of([x.decision(d) for d in removals if d.province == u.province])
    return x.all_of((-ordered, _fewer(x, (*removals, *ranked_before), limit)))


def adjustment_tag(node: AdjustmentNode) -> Tag:
    """Return the tag of an adjustment's equation."""
    return Tag(node.rule, node.name, {"BUILD": "DATC 6.I", "REMOVE": "DATC 6.J", "AUTO": "DATC 4.D.8"}[node.rule])
