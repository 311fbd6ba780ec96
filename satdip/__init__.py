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

if TYPE_CHECKING:
    from satdip.adjudication import adjudicate
    from satdip.board import Board
    from satdip.errors import InputError
    from satdip.game import Game, opening
    from satdip.mapfile import load_board
    from satdip.position import Phase, Position, Unit
    from satdip.resolution import Outcome, Resolution
    from satdip.rulebook import Rulebook
    from satdip.stream import adjudicate_many
    from satdip.turn import Given, Turn

__version__ = "0.1.0"

_HOMES = {
    "Board": "board",
    "Game": "game",
    "Given": "turn",
    "InputError": "errors",
    "Outcome": "resolution",
    "Phase": "position",
    "Position": "position",
    "Resolution": "resolution",
    "Rulebook": "rulebook",
    "Turn": "turn",
    "Unit": "position",
    "adjudicate": "adjudication",
    "adjudicate_many": "stream",
    "load_board": "mapfile",
    "opening": "game",
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
