"""What every certificate begins with: the map, the rulebook, the position and the orders, in one fixed sequence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from satdip.base.errors import InputError
from satdip.base.version import __version__
from satdip.board.mapfile import map_names, stated_name
from satdip.check import Checked, CheckedOrders
from satdip.check.sets import counted_orders, taking_part
from satdip.notation import Notation, write_order
from satdip.phase.orders import Unclear
from satdip.phase.position import Unit
from satdip.phase.turn import Given, Turn
from satdip.rulebook import Rulebook, issues
from satdip.telling.serialise import units_by_power
from satdip.verifier import FORMAT, map_digest
from satdip.verifier.rules import CHOICES
from satdip.verifier.shape import LONGEST

__all__ = ["header_of", "in_sequence"]

Json = dict[str, object]
LONGEST_LINE = 400  # characters of a line that nobody could read, or of the name of a rulebook


def in_sequence(turn: Turn) -> Turn:
    """Return a turn with units and orders in the sequence of certificates: by power; units by name, too."""
    position = turn.position
    units = tuple(sorted(position.units, key=_by_name))
    dislodged = tuple(sorted(position.dislodged, key=lambda item: _by_name(item.unit)))
    orders = tuple(sorted(turn.orders, key=lambda given: given.power))
    return replace(turn, position=replace(position, units=units, dislodged=dislodged), orders=orders)


def _by_name(unit: Unit) -> tuple[str, str]:
    return unit.power, str(unit)


@dataclass(frozen=True)
class _Entry:
    """An order that counts: for whose units, its text, and what the check found."""

    power: str
    text: str
    checked: Checked
    supplied: bool


def header_of(turn: Turn, rules: Rulebook, checked: CheckedOrders) -> Json:
    """Return the first part of a certificate.

    Args:
        turn: the phase, in sequence.
        rules: the rulebook.
        checked: its orders after the check.

    Raises:
        InputError: the map is none of those that come with the program, or no line can be written down.
    """
    board = turn.position.board
    if stated_name(board) not in map_names():
        raise InputError(f"a certificate names one of the maps {', '.join(map_names())}; {board.name} is another one")
    entries, aside = _entries(turn, rules, checked)
    orders: dict[str, list[str]] = {}
    for entry in entries:
        orders.setdefault(entry.power, []).append(entry.text)
    for power, listed in orders.items():
        if len(listed) > LONGEST:
            raise InputError(f"a certificate has at most {LONGEST} orders of a power; {power} has {len(listed)}")
    kind = str(turn.position.phase.kind)
    return {
        "format": FORMAT,
        "about": {"program": f"satdip {__version__}", "rules": rules.name[:LONGEST_LINE]},
        "map": board.name,
        "map_sha256": map_digest(board.name),
        "phase": str(turn.position.phase),
        "rules": {issue.field: rules.choice(issue).slug for issue in issues() if issue.field in CHOICES[kind]},
        "units": units_by_power(turn.position.units),
        "orders": dict(sorted(orders.items())),
        "apart": _apart(turn, rules, entries, aside),
        "refused": [
            {"power": entry.power, "order": entry.text, "reason": entry.checked.reason.code}
            for entry in entries
            if entry.checked.action is None and entry.checked.reason is not None
        ],
    }


def _entries(turn: Turn, rules: Rulebook, checked: CheckedOrders) -> tuple[list[_Entry], list[Json]]:
    """Return the orders that count, by power, and those that were set aside."""
    counted = counted_orders(turn, rules)
    found: list[_Entry] = []
    aside: list[Json] = []
    for one, entry in zip(counted, checked.entries, strict=False):
        reason = entry.reason
        text = _text(one.given, turn)
        if not one.counts or (reason is not None and reason.code == "sets-contradict"):
            aside.append({"power": one.given.power, "order": text, "reason": reason.code if reason is not None else ""})
        else:
            found.append(_Entry(one.owner or one.given.power, text, entry, one.owner is not None))
    found += [
        _Entry(entry.unit.power, _text(entry.given, turn), entry, True)
        for entry in checked.entries[len(counted) :]
        if entry.given is not None and entry.unit is not None
    ]
    return sorted(found, key=lambda entry: entry.power), aside


def _text(given: Given, turn: Turn) -> str:
    """Return an order as phase records have it; a line that nobody could read is marked."""
    if isinstance(given.order, Unclear):
        return f"? {given.order.text[:LONGEST_LINE]}"
    return write_order(given.order, Notation.PACKAGE, turn.position.board)


def _apart(turn: Turn, rules: Rulebook, entries: Iterable[_Entry], aside: list[Json]) -> Json | None:
    """Return what the verifier cannot tell about whole order sets, proxies and implied orders; None for nothing."""
    part = sorted(taking_part(turn, counted_orders(turn, rules), rules))
    supplied: list[Json] = [{"power": entry.power, "order": entry.text} for entry in entries if entry.supplied]
    if not aside and not supplied and part == sorted({entry.power for entry in entries}):
        return None
    return {"set_aside": aside, "supplied": supplied, "taking_part": part}
