"""What every certificate begins with: the map, the rulebook, the position, the orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satdip.verifier.atlas import Atlas, Unit
from satdip.verifier.legality import Given
from satdip.verifier.notation import read_order
from satdip.verifier.rules import read_choices
from satdip.verifier.shape import Wrong, fields, quoted, tables, text, texts, texts_by_power

__all__ = ["FORMAT", "HEADER", "Header", "read_header", "read_units", "refused_to_json"]

FORMAT = "satdip certificate 1"
HEADER = ("format", "about", "map", "map_sha256", "phase", "rules", "units", "orders", "apart", "refused")
"""The keys of every certificate."""

Json = dict[str, object]


@dataclass(frozen=True)
class Header:
    """What every certificate begins with.

    Args:
        atlas: the map.
        choices: the rulebook: field -> answer.
        units: the units on the board, by power and name.
        given: the orders that count.
        taking_part: the powers that are not in civil disorder.
        assumed: what the verifier took from the certificate without deriving it, a sentence each.
    """

    atlas: Atlas
    choices: Mapping[str, str]
    units: tuple[Unit, ...]
    given: tuple[Given, ...]
    taking_part: frozenset[str]
    assumed: tuple[str, ...]


def read_header(certificate: Mapping[str, Any]) -> Header:
    """Read and check the parts that all certificates have, but for what the orders come to.

    Raises:
        Wrong: something in them cannot be.
    """
    _read_about(certificate["about"])
    atlas = Atlas.named(text(certificate["map"], "map"))
    if certificate["map_sha256"] != atlas.digest:
        raise Wrong(f"map_sha256 is not that of the map {atlas.name} as it is here, {atlas.digest}")
    phase = text(certificate["phase"], "phase")
    if not re.fullmatch("[SF][0-9]{1,4}[MR]|W[0-9]{1,4}A", phase):
        raise Wrong("phase must be season, year and kind, as in S1901M or W1901A")
    choices = read_choices(certificate["rules"], phase[-1])
    units = tuple(read_units(certificate["units"], "units", atlas))
    by_power = texts_by_power(certificate["orders"], "orders")
    for power in by_power:
        if power not in atlas.powers:
            raise Wrong(f"{quoted(power)} is no power of the map {atlas.name}")
    given = [Given(power, order, read_order(order, atlas)) for power, orders in by_power.items() for order in orders]
    taking_part, assumed = _apart(certificate["apart"], by_power, atlas)
    unread = sum(one.order.verb == "UNCLEAR" for one in given)
    if unread:
        assumed.append(f"lines handed in that cannot be read as orders: {unread}")
    return Header(atlas, choices, units, tuple(given), taking_part, tuple(assumed))


def _read_about(value: object) -> None:
    """Read what nothing depends on: the program and the name of the rulebook, for people."""
    about = fields(value, "about", ("program", "rules"))
    text(about["program"], "about.program")
    text(about["rules"], "about.rules")


def read_units(value: object, where: str, atlas: Atlas) -> Iterable[Unit]:
    """Read units by power, both in alphabetical order.

    Raises:
        Wrong: a unit cannot be, or two stand in one province.
    """
    by_power = texts_by_power(value, where)
    units = [atlas.unit(power, written) for power, listed in by_power.items() for written in listed]
    if [(unit.power, str(unit)) for unit in units] != sorted((unit.power, str(unit)) for unit in units):
        raise Wrong(f"the units in {where} must be in alphabetical order")
    if len({unit.province for unit in units}) < len(units):
        raise Wrong(f"two units in {where} stand in one province")
    return units


def _apart(value: object, orders: Mapping[str, Sequence[str]], atlas: Atlas) -> tuple[frozenset[str], list[str]]:
    """Read what was decided about whole order sets; null where every order simply counts.

    Returns:
        The powers that take part, and what has to be assumed.
    """
    if value is None:
        return frozenset(power for power, given in orders.items() if given), []
    parts = fields(value, "apart", ("set_aside", "supplied", "taking_part"))
    aside = tables(parts["set_aside"], "apart.set_aside", _refused)
    supplied = tables(parts["supplied"], "apart.supplied", _supplied)
    taking_part = texts(parts["taking_part"], "apart.taking_part")
    listed = {(power, order) for power, given in orders.items() for order in given}
    for power, order in supplied:
        if (power, order) not in listed:
            raise Wrong(f"apart.supplied has an order of {quoted(power)} that is not among the orders")
    for power, _, _ in aside:
        if power not in atlas.powers:
            raise Wrong(f"{quoted(power)} is no power of the map {atlas.name}")
    if not {power for power, given in orders.items() if given} <= set(taking_part) <= set(atlas.powers):
        raise Wrong("apart.taking_part must hold powers of the map, among them all that gave orders")
    assumed = []
    if aside:
        codes = ", ".join(sorted({reason for _, _, reason in aside}))
        assumed.append(f"orders handed in that do not count: {len(aside)} ({codes})")
    if supplied:
        assumed.append(f"orders by proxy, or implied by others: {len(supplied)}")
    assumed.append(f"not in civil disorder: {', '.join(taking_part) or 'nobody'}")
    return frozenset(taking_part), assumed


def _refused(value: object, where: str) -> tuple[str, str, str]:
    parts = fields(value, where, ("power", "order", "reason"))
    power, order, reason = (text(parts[name], f"{where}.{name}") for name in ("power", "order", "reason"))
    if not re.fullmatch(r"([a-z]{1,20}(-[a-z]{1,20}){0,4})?", reason):
        raise Wrong(f"{where}.reason must be the code of a reason, as in perpetual-forbidden, not {quoted(reason)}")
    return power, order, reason


def _supplied(value: object, where: str) -> tuple[str, str]:
    parts = fields(value, where, ("power", "order"))
    return text(parts["power"], f"{where}.power"), text(parts["order"], f"{where}.order")


def refused_to_json(refused: Iterable[tuple[Given, str]]) -> list[Json]:
    """Return orders that are not followed as a certificate has them."""
    return [{"power": given.power, "order": given.text, "reason": reason} for given, reason in refused]
