"""Resolutions for people: a table for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satdip.board import province_of
from satdip.notation import Notation, write_order
from satdip.phase.orders import Hold, Retreat
from satdip.phase.position import Unit
from satdip.resolve.resolution import OrderResult, Outcome, ParadoxCore, Resolution
from satdip.telling.reasons import tell
from satdip.telling.speech import ENGLISH, Speech, Spoken

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["OUTCOME_WORDS", "Report", "render", "report", "summary"]

OUTCOME_WORDS = (*map(str, Outcome), "destroyed", "disbanded")
"""The words that the outcome column is made of."""


@dataclass(frozen=True, slots=True)
class Report:
    """A resolution as texts: a table of the orders and, below it, what else happened.

    Args:
        title: the title of the table.
        headings: the headings of its columns.
        rows: its cells, a power only where it changes.
        good: for each row, whether the outcome is a success.
        sentences: what stands below.
    """

    title: str
    headings: tuple[str, str, str, str]
    rows: tuple[tuple[str, str, str, str], ...]
    good: tuple[bool, ...]
    sentences: tuple[str, ...]

    def renderable(self) -> RenderableType:
        """Return it for rich, with colours."""
        from rich.console import Group  # loaded late: rich is slow to import, and a pipe does without it
        from rich.table import Table
        from rich.text import Text

        table = Table(title=self.title, title_justify="left")
        for column in self.headings:
            table.add_column(column, overflow="fold")
        for (power, order, outcome, why), good in zip(self.rows, self.good, strict=True):
            table.add_row(power, Text(order), Text(outcome, style="green" if good else "red"), Text(why))
        return Group(table, *map(Text, self.sentences))


def render(resolution: Resolution, notation: Notation = Notation.DATC, speech: Speech = ENGLISH) -> RenderableType:
    """Return a table of the orders and, below it, what else happened, for rich; arguments as for `report`."""
    return report(resolution, notation, speech).renderable()


def report(resolution: Resolution, notation: Notation = Notation.DATC, speech: Speech = ENGLISH) -> Report:
    """Return a table of the orders and, below it, what else happened, as texts.

    Args:
        resolution: the outcome of a phase.
        notation: how orders are written.
        speech: the language.
    """
    return _Teller(resolution, speech).report(notation)


def summary(resolution: Resolution, speech: Speech = ENGLISH) -> Iterator[str]:
    """Return sentences on what the phase leaves behind."""
    for sentence in _Teller(resolution, speech).summary():
        yield sentence[:1].upper() + sentence[1:]


def _retreats_to(orders: Iterable[OrderResult], province: str) -> Iterator[Unit]:
    """Yield the units that follow an order to retreat to a province."""
    for result in orders:
        action = result.checked.action
        if isinstance(action, Retreat) and province_of(action.destination) == province and result.unit is not None:
            yield result.unit


@dataclass(frozen=True, slots=True)
class _Teller:
    """A resolution told in a language."""

    resolution: Resolution
    speech: Speech

    # ------------------------------------------------------------------ the table

    def report(self, notation: Notation) -> Report:
        say, position = self.speech.say, self.resolution.position
        title = say(
            "{phase}, map {map}, rules {rules}",
            phase=self.speech.phase(position.phase),
            map=position.board.name,
            rules=self.resolution.rules,
        )
        rows: list[tuple[str, str, str, str]] = []
        power = None
        for result in self.resolution.orders:
            name = "" if result.power == power else self.name(result.power)
            power = result.power
            rows.append((name, self.order(result, notation), self.outcome(result), self.why(result)))
        return Report(
            title=title[:1].upper() + title[1:],
            headings=(say("Power"), say("Order"), say("Outcome"), say("Why")),
            rows=tuple(rows),
            good=tuple(result.success for result in self.resolution.orders),
            sentences=tuple(summary(self.resolution, self.speech)),
        )

    def order(self, result: OrderResult, notation: Notation) -> str:
        checked, given = result.checked, result.checked.given
        if given is None:
            return self.speech.say("{unit} (no order)", unit=self.unit(result.unit)) if result.unit else ""
        followed = checked.action is not None and not (isinstance(checked.action, Hold) and given.text)
        text = "" if followed else given.text
        notes = [f"\n({self.speech.tell(note.sentence)})" for note in given.notes]
        board, language = self.resolution.position.board, self.speech.language
        return (text or write_order(given.order, notation, board, language)) + "".join(notes)

    def outcome(self, result: OrderResult) -> str:
        words = [str(result.outcome)]
        if result.destroyed:
            words.append("destroyed")
        elif result.dislodged and result.outcome != Outcome.DISLODGED:
            words.append("dislodged")
        if result.disbanded:
            words.append("disbanded")
        return ", ".join(self.speech.term("outcome", word) for word in words)

    def why(self, result: OrderResult) -> str:
        board = self.resolution.position.board
        return self.speech.say("; ").join(tell(reason, board, self.speech) for reason in result.reasons)

    # ------------------------------------------------------------------ the summary

    def summary(self) -> Iterator[str]:
        say, resolution = self.speech.say, self.resolution
        for item in resolution.dislodged:
            driven = self.unit(item.unit)
            if item.retreats is None:
                yield say("{unit:owned} is dislodged.", unit=driven)
            elif item.retreats:
                yield say("{unit:owned} may retreat to {places}.", unit=driven, places=self.names(item.retreats))
            elif item.unit not in resolution.automatic:
                yield say("{unit:owned} has no retreat and is destroyed.", unit=driven)
        yield from self.contested()
        for core in resolution.paradoxes:
            yield self.paradox(core)
        for ring in resolution.rotations:
            yield say("Circular movement: {units}.", units=self.units(ring))
        for unit in resolution.automatic:
            yield say("Removed by civil disorder: {unit:owned}.", unit=self.unit(unit))
        if resolution.winner is not None:
            yield say("{power} has won.", power=self.name(resolution.winner))
        yield from self.next()
        for remark in resolution.remarks:
            yield say("Note: {remark}.", remark=self.speech.tell(remark.sentence))

    def contested(self) -> Iterator[str]:
        say, resolution = self.speech.say, self.resolution
        if not resolution.position.phase.traits.dislodged_act:
            if resolution.contested:
                places = self.names(resolution.contested)
                yield say("Closed by {places:a stand-off|stand-offs}: {places}.", places=places)
            return
        for province in sorted(resolution.contested):
            units = self.speech.listed(map(self.unit, _retreats_to(resolution.orders, province)), last="and")
            yield say(
                "{units} retreat to the same place, {place}, and are disbanded.",
                units=units,
                place=self.name(province),
            )

    def next(self) -> Iterator[str]:
        say, resolution = self.speech.say, self.resolution
        if resolution.next is not None:
            yield say("Next: {phase}.", phase=self.speech.phase(resolution.next.phase))
            return
        number = len(resolution.consistent)
        count = say("{number} consistent {number:resolution|resolutions}", number=number)
        yield say(
            "The rules {rules} leave this open: {count}.",
            rules=resolution.rules,
            count=count if number else say("no consistent resolutions"),
        )
        for index, consistent in enumerate(resolution.consistent, start=1):
            moves = [f"{self.unit(unit)} - {self.name(to)}" for unit, to in consistent.moves.items()]
            told = say("{number}. moves: {moves}", number=index, moves=", ".join(moves) or say("none"))
            if consistent.dislodged:
                told = say("{moves}; dislodged: {units}", moves=told, units=self.units(consistent.dislodged))
            yield f"  {told}"

    def paradox(self, core: ParadoxCore) -> str:
        say = self.speech.say
        many = say("no consistent resolution") if core.resolutions == 0 else say("several consistent resolutions")
        ring = say("Convoy paradox of {units}, with {many}", units=self.units(core.units), many=many)
        if core.left_open:
            return say("{paradox}: the rulebook has no answer.", paradox=ring)
        effects = []
        if core.disrupted:
            effects.append(say("disrupts the {units:convoy|convoys} of {units}", units=self.units(core.disrupted)))
        if core.failed:
            effects.append(say("lets the {units:move|moves} of {units} fail", units=self.units(core.failed)))
        told = self.speech.listed(effects, last="and")
        return say("{paradox}: the rule {effects}.", paradox=ring, effects=told)

    # ------------------------------------------------------------------ names

    def name(self, location: str) -> str:
        return self.speech.name(location, self.resolution.position.board)

    def names(self, locations: Iterable[str]) -> Spoken:
        return self.speech.listed(map(self.name, sorted(locations)))

    def unit(self, unit: Unit) -> str:
        return self.speech.unit(unit, self.resolution.position.board)

    def units(self, units: Iterable[Unit]) -> Spoken:
        return self.speech.listed(map(self.unit, units))
