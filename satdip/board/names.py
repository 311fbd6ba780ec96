"""What a map's places and powers are called: in the language of the map itself, and in others.

The names in another language are in ``maps/MAP.LANGUAGE.toml``; `maps/standard.fr.toml` explains its entries. A map
without such a file has only its own names.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from satdip.base.memory import kept
from satdip.base.shipped import toml
from satdip.board import Board, province_of

__all__ = ["LocalNames", "Name", "collation_key", "local_names", "province_names"]


@dataclass(frozen=True, eq=False)
class LocalNames:
    """The names on a map in one language.

    Args:
        names: id of a province or power -> the name to print.
        aliases: id -> what else is written, besides the names and aliases of the map itself.
        forms: form -> id -> how the name stands in a sentence: ``in`` (``en Silésie``), ``from`` (``de Silésie``);
            for powers ``the``, ``adjective`` and ``feminine``.
        collisions: short form -> ids of the places and powers that it may mean; it is not followed.
        coasts: coast -> how it is written; by default in small letters.
        on_coast: how a place and a coast are joined.
    """

    names: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    collisions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    coasts: Mapping[str, str] = field(default_factory=dict)
    on_coast: str = "{place}({coast})"

    def name(self, location: str, form: str = "") -> str:
        """Return the name of a location or power: ``Espagne``, ``Espagne (cn)``, ``en Espagne (cn)``.

        Args:
            location: province, coast or power; any other text is returned unchanged.
            form: a key of `forms`; where it has no entry, the plain name is taken.
        """
        key = province_of(location)
        name = self.forms.get(form, {}).get(key) or self.names.get(key)
        if name is None:
            return location
        coast = location[len(key) + 1 :]
        return self.on_coast.format(place=name, coast=self.coasts.get(coast, coast.lower())) if coast else name

    def written(self, key: str) -> tuple[str, ...]:
        """Return everything that is written for a province or power: its name, its adjectives, its aliases."""
        adjectives = (self.forms.get(form, {}).get(key, "") for form in ("adjective", "feminine"))
        return (self.names[key], *filter(None, adjectives), *self.aliases.get(key, ()))


class Name(str):
    """The name of a place or power that knows its names in other languages.

    Args:
        location: province, coast or power.
        board: the map.
        language: the language of the text that it stands in.
        coded: whether an English text has the id of it in place of a name.
    """

    location: str
    board: Board
    language: str
    coded: bool

    def __new__(cls, location: str, board: Board, language: str = "en", *, coded: bool = False) -> Self:
        """Return the name of a location or power."""
        self = super().__new__(cls, location if coded else local_names(board, language).name(location))
        self.location, self.board, self.language, self.coded = location, board, language, coded
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[str, Board, str], dict[str, bool]]:  # a copy is made as it was
        return (self.location, self.board, self.language), {"coded": self.coded}


@kept(16)
def local_names(board: Board, language: str) -> LocalNames:
    """Return the names on a map in a language; where the map has none, its own.

    Args:
        board: the map.
        language: ``en``, ``fr``.
    """
    own = {key: province.name for key, province in board.provinces.items()}
    own |= {key: power.name for key, power in board.powers.items()}
    try:
        table = toml(f"maps/{board.name}.{language}.toml")
    except OSError:
        table = None
    if table is None or not table["names"].keys() <= own.keys():  # a map of one's own may have any name
        return LocalNames(own, forms={"adjective": {power.id: power.adjective for power in board.powers.values()}})
    powers: dict[str, dict[str, Any]] = table["powers"]
    forms = {form: {key: power[form] for key, power in powers.items()} for form in ("the", "adjective", "feminine")}
    aliases = table["aliases"] | {key: power["aliases"] for key, power in powers.items()}
    return LocalNames(
        names=own | table["names"] | {key: power["name"] for key, power in powers.items()},
        aliases={key: tuple(names) for key, names in aliases.items()},
        forms=forms | {"in": table["in"], "from": table["from"]},
        collisions={short: tuple(ids) for short, ids in table["collisions"].items()},
        coasts=table["coasts"],
        on_coast=table["on_coast"],
    )


def province_names(board: Board, language: str) -> Mapping[str, str]:
    """Return province id -> name in a language; where the map has none, its own name (arguments as `local_names`)."""
    names = local_names(board, language).names
    return {province: names[province] for province in board.provinces}


def collation_key(name: str) -> str:
    """Return what a dictionary sorts a name by: without accents and capitals."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
