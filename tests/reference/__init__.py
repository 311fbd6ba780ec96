"""An independent adjudicator, written from the prose of the rules, against which satdip is tested.

It shares no code with satdip and solves nothing: it asks of every order what the decided orders already imply, and
goes on until nothing changes. Only the standard library is used; the map comes in as plain dictionaries.
"""

from .map import RefMap
from .movement import RefFate, RefResult, adjudicate, adjudicate_fixed
from .retreats import RefRetreats, adjudicate_retreats

__all__ = [
    "RefFate",
    "RefMap",
    "RefResult",
    "RefRetreats",
    "adjudicate",
    "adjudicate_fixed",
    "adjudicate_retreats",
]
