"""Reading and writing orders as phase records have them: ``F LON S F WAL - ENG``, ``A BRE - LON VIA``."""

from __future__ import annotations

from dataclasses import dataclass

from satdip.verifier.atlas import Atlas, Unit, province
from satdip.verifier.shape import Wrong, quoted

__all__ = ["Action", "Named", "Written", "read_order"]

UNREADABLE = "? "
"""What an order begins with that nobody could read."""

_ALONE = {"HOLD": "H", "DISBAND": "D", "BUILD": "B"}


@dataclass(frozen=True)
class Named:
    """A unit as an order names it; kind and power are empty where they were left out."""

    place: str
    kind: str = ""
    power: str = ""

    @property
    def province(self) -> str:
        """The province named."""
        return province(self.place)


@dataclass(frozen=True)
class Written:
    """An order as it was written.

    Args:
        verb: HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND, BUILD, WAIVE or UNCLEAR.
        unit: the unit that gets it; None for a waived build and an unclear line.
        about: the unit that is supported or convoyed.
        goal: where the move, retreat, supported move or convoyed army goes; empty for none.
        via: "via convoy" was written.
        route: the seas of a convoy route, where it was named.
    """

    verb: str
    unit: Named | None = None
    about: Named | None = None
    goal: str = ""
    via: bool = False
    route: tuple[str, ...] = ()


@dataclass(frozen=True)
class Action:
    """What a unit on the board does: an order that is possible, exactly said.

    Args:
        unit: the unit.
        verb: HOLD, MOVE, SUPPORT, CONVOY, RETREAT, DISBAND or BUILD.
        about: the unit that is supported or convoyed.
        goal: as in `Written`.
        via: the army needs a convoy, or asks for one.
        route: as in `Written`.
    """

    unit: Unit
    verb: str = "HOLD"
    about: Unit | None = None
    goal: str = ""
    via: bool = False
    route: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """The unit's province."""
        return self.unit.province

    @property
    def to(self) -> str:
        """The province of the goal."""
        return province(self.goal)

    @property
    def zone(self) -> str:
        """The province that a support is directed to."""
        return self.to or (self.about.province if self.about is not None else "")

    def __str__(self) -> str:
        if self.verb in _ALONE:
            return f"{self.unit} {_ALONE[self.verb]}"
        if self.verb == "RETREAT":
            return f"{self.unit} R {self.goal}"
        if self.verb == "MOVE":
            return " - ".join((str(self.unit), *self.route, self.goal)) + (" VIA" if self.via else "")
        return f"{self.unit} {self.verb[0]} {self.about}" + (f" - {self.goal}" if self.goal else "")


class _Words:
    """The words of an order, taken one by one."""

    def __init__(self, text: str, atlas: Atlas) -> None:
        self.text, self.atlas = text, atlas
        self.left = text.split(" ")

    def next(self) -> str:
        return self.left[0] if self.left else ""

    def take(self, *wanted: str) -> bool:
        """Take one of these words, if it comes next."""
        if self.next() in wanted and self.left:
            del self.left[0]
            return True
        return False

    def place(self) -> str:
        word = self.next()
        if not self.atlas.is_place(word):
            raise Wrong(f"{quoted(self.text)} is no order of a phase record: {quoted(word)} is no place of the map")
        del self.left[0]
        return word

    def unit(self) -> Named:
        power = kind = ""
        if self.next() in self.atlas.powers:
            power = self.left.pop(0)
        if self.next() in ("A", "F"):
            kind = self.left.pop(0)
        return Named(self.place(), kind, power)

    def path(self) -> list[str]:
        """Take ``- PLACE``, any number of times."""
        places = []
        while self.take("-"):
            places.append(self.place())
        return places


def read_order(text: str, atlas: Atlas) -> Written:
    """Read an order.

    Raises:
        Wrong: it is not written as orders of phase records are.
    """
    if text.startswith(UNREADABLE):
        return Written("UNCLEAR")
    words = _Words(text, atlas)
    order = Written("WAIVE") if words.take("WAIVE") else _of_unit(words)
    if order is None or words.left:
        raise Wrong(f"{quoted(text)} is no order of a phase record")
    return order


def _of_unit(words: _Words) -> Written | None:
    unit = words.unit()
    for verb, sign in _ALONE.items():
        if words.take(sign):
            return Written(verb, unit)
    if words.take("R"):
        return Written("RETREAT", unit, goal=words.place())
    if words.next() in ("S", "C"):
        verb = "SUPPORT" if words.left.pop(0) == "S" else "CONVOY"
        about, path = words.unit(), words.path()
        if len(path) > 1 or (verb == "CONVOY" and not path):
            return None
        return Written(verb, unit, about, path[0] if path else "")
    path = words.path()
    if not path:
        return None
    return Written("MOVE", unit, goal=path[-1], via=words.take("VIA"), route=tuple(path[:-1]))
