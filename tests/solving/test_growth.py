"""How cost grows with size, for every hard family: counted in calls of functions, which no machine makes noisy."""

from __future__ import annotations

import gc
import math
import sys
from itertools import count

import pytest

import satdip.solving.closure
from satdip.adjudication import adjudicate_turn
from satdip.board.seamaps import named
from satdip.generate import FAMILIES, Instance
from satdip.rulebook import DATC

STEEPEST = 1.3
"""The largest exponent of the number of calls over the number of orders."""

pytestmark = pytest.mark.skipif(
    not str(satdip.solving.closure.__file__).endswith(".py"), reason="compiled modules tell nobody whom they call"
)


def instance(name: str, orders: int) -> Instance:
    """Return the smallest phase of a family with so many orders, on a board of which nothing has been looked up."""
    for doubled in count():
        named.cache_clear()
        made = FAMILIES[name].make(FAMILIES[name].least << doubled)
        if len(made.turn.orders) >= orders:
            return made
    raise AssertionError


def calls(made: Instance) -> int:
    """Adjudicate, and count the calls."""
    counted = 0

    def notice(frame: object, event: str, what: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    gc.collect()
    sys.setprofile(notice)
    adjudicate_turn(made.turn, DATC)
    sys.setprofile(None)
    return counted


@pytest.mark.parametrize("name", FAMILIES)
def test_calls_grow_nearly_as_orders_do(name: str) -> None:
    calls(instance(name, 20))  # loads what is loaded late
    small, large = instance(name, 150), instance(name, 1200)
    taken, orders = calls(large) / calls(small), len(large.turn.orders) / len(small.turn.orders)
    assert math.log(taken) / math.log(orders) < STEEPEST
