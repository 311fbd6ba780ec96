"""The test cases as turns, and how many consistent resolutions they have."""

from __future__ import annotations

from support.positions import turn_of

from satdip.board import Board
from satdip.datc import cases
from satdip.lab import Kind
from satdip.notation import read_order
from satdip.phase.turn import Given, Turn

__all__ = ["DATC_COUNTS", "case_turn"]

DATC_COUNTS = {
    "6.C.1": (2, Kind.ROTATION),
    "6.C.3": (1, Kind.UNIQUE),
    "6.C.4": (2, Kind.ROTATION),
    "6.C.5": (1, Kind.UNIQUE),
    "6.C.6": (2, Kind.ROTATION),
    "6.C.7": (1, Kind.UNIQUE),
    "6.C.8": (1, Kind.UNIQUE),
    "6.C.9": (1, Kind.UNIQUE),
    "6.E.10": (1, Kind.UNIQUE),
    "6.E.11": (2, Kind.ROTATION),
    "6.F.14": (2, Kind.PARADOX_SEVERAL),
    "6.F.15": (2, Kind.PARADOX_SEVERAL),
    "6.F.16": (0, Kind.PARADOX_NONE),
    "6.F.17": (0, Kind.PARADOX_NONE),
    "6.F.18": (0, Kind.PARADOX_NONE),
    "6.F.19": (1, Kind.UNIQUE),
    "6.F.20": (1, Kind.UNIQUE),
    "6.F.21": (1, Kind.UNIQUE),
    "6.F.22": (2, Kind.PARADOX_SEVERAL),
    "6.F.23": (2, Kind.PARADOX_SEVERAL),
    "6.F.24": (0, Kind.PARADOX_NONE),
    "6.F.25": (1, Kind.UNIQUE),
    "6.F.26": (2, Kind.PARADOX_SEVERAL),
    "6.F.27": (0, Kind.PARADOX_NONE),
    # In 3.2 the army in Constantinople is Italian: the supported Turkish fleet dislodges it or follows it, so the
    # ring has to turn. With the Turkish army of older versions the ring may stay as well.
    "6.C.2": (1, Kind.UNIQUE),
}


def case_turn(case_id: str, board: Board) -> Turn:
    facts = next(case.facts for case in cases() if case.id == case_id)
    units: dict[str, list[str]] = {p.upper(): [u.upper() for u in us] for p, us in facts["units"].items()}
    turn = turn_of(units, {}, board)
    orders = facts["phases"][0]["orders"]
    given = tuple(Given(o["power"].upper(), read_order(o["order"], board).order, o["order"]) for o in orders)
    return Turn(turn.position, given)
