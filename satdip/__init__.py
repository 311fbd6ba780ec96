"""satdip: a Diplomacy adjudicator that thinks in clauses.

>>> import satdip
>>> sheet = '''
... England:
...   F London Supports F Wales - English Channel
...   F Wales - English Channel
... France:
...   A Brest - London
...   F English Channel Convoys A Brest - London
... '''
>>> resolution = satdip.adjudicate(sheet)
>>> [str(result.outcome) for result in resolution.orders]
['given', 'succeeds', 'fails', 'disrupted']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from satdip.base.version import __version__

if TYPE_CHECKING:
    from satdip.adjudication import adjudicate
    from satdip.base.errors import InputError
    from satdip.board import Board
    from satdip.board.mapfile import load_board
    from satdip.games.game import Game, opening
    from satdip.games.stream import adjudicate_many
    from satdip.phase.position import Phase, Position, Unit
    from satdip.phase.turn import Given, Turn
    from satdip.resolve.resolution import Outcome, Resolution
    from satdip.rulebook import Rulebook

_HOMES = {
    "Board": "board",
    "Game": "games.game",
    "Given": "phase.turn",
    "InputError": "base.errors",
    "Outcome": "resolve.resolution",
    "Phase": "phase.position",
    "Position": "phase.position",
    "Resolution": "resolve.resolution",
    "Rulebook": "rulebook",
    "Turn": "phase.turn",
    "Unit": "phase.position",
    "adjudicate": "adjudication",
    "adjudicate_many": "games.stream",
    "load_board": "board.mapfile",
    "opening": "games.game",
}

__all__ = [
    "Board",
    "Game",
    "Given",
    "InputError",
    "Outcome",
    "Phase",
    "Position",
    "Resolution",
    "Rulebook",
    "Turn",
    "Unit",
    "__version__",
    "adjudicate",
    "adjudicate_many",
    "load_board",
    "opening",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: importing satdip stays cheap."""
    if name not in _HOMES:
        raise AttributeError(f"module 'satdip' has no attribute {name!r}")
    value: object = getattr(import_module(f"satdip.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, also those that nobody has used so far."""
    return sorted({*globals(), *__all__})
