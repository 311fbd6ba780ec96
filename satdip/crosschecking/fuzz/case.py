"""A phase under a rulebook, as checks get it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from satdip.crosschecking.engines import Difference
from satdip.crosschecking.fuzz.facts import Facts, facts
from satdip.crosschecking.ruled import Ruled
from satdip.phase.kinds import Traits
from satdip.phase.orders import ordered_unit

__all__ = ["Case", "compared_values"]


@dataclass(frozen=True)
class Case(Ruled):
    """A phase under a rulebook, and what is asked about it."""

    @cached_property
    def facts(self) -> Facts:
        """The same as facts."""
        return facts(self.resolution)

    @property
    def traits(self) -> Traits:
        """What is so of all phases of its kind."""
        return self.turn.position.phase.traits

    @cached_property
    def orders_of_units(self) -> Counter[str]:
        """Province -> how many orders its unit got from its own power."""
        owner = {at: unit.power for at, unit in self.turn.position.acting.items()}
        ordered = ((given.power, ordered_unit(given.order)) for given in self.turn.orders)
        return Counter(ref.province for power, ref in ordered if ref is not None and owner.get(ref.province) == power)


def compared_values(ours: Mapping[str, object], stated: Mapping[str, object]) -> tuple[Difference, ...]:
    """Compare JSON values, as far as the second table states them."""
    return tuple(
        Difference(key, "", (json.dumps(ours[key]),), (json.dumps(value),))
        for key, value in stated.items()
        if ours[key] != value
    )
