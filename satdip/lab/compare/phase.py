"""One phase under several rulebooks, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from satdip.base.errors import InputError
from satdip.lab.compare.choices import PairDifference, Trials, compare_pair, tell_causes
from satdip.lab.compare.effects import effect, facts, results_by_key
from satdip.notation import Notation, write_order
from satdip.phase.turn import Turn
from satdip.resolve.resolution import OrderResult, Outcome, Resolution
from satdip.rulebook import Rulebook, RulebookLike, rulebook_of
from satdip.telling.reasons import tell
from satdip.telling.tables import as_text, frame, html_table, rich_table

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["ComparedFact", "ComparedOrder", "Comparison", "chosen_rulebooks", "compare"]

NOTHING = "-"
"""What stands where a rulebook has no such order or fact."""


@dataclass(frozen=True)
class ComparedOrder:
    """An order, or a unit without one, under several rulebooks.

    Args:
        power: who gave it, or whose unit got none.
        unit: the unit on the board that it is about; None when there is none.
        order: the order as it was written; None when none was given.
        results: its result under each rulebook; None where that has no such entry.
        differs: whether other things happen.
    """

    power: str
    unit: str | None
    order: str | None
    results: tuple[OrderResult | None, ...]
    differs: bool


@dataclass(frozen=True)
class ComparedFact:
    """Something that the phase leaves behind and that is not the same under all rulebooks.

    Args:
        what: as in ``retreats of F ENG``.
        values: what is so under each rulebook; None where there is no such thing, or no answer.
    """

    what: str
    values: tuple[str | None, ...]


@dataclass(frozen=True)
class Comparison:
    """A phase under several rulebooks.

    Args:
        turn: the phase.
        rules: the names of the rulebooks.
        resolutions: the resolution under each of them.
        orders: the orders, then the units that got none.
        facts: what differs after the phase.
        pairs: the pairs of rulebooks that differ, and by which choices.
    """

    turn: Turn
    rules: tuple[str, ...]
    resolutions: tuple[Resolution, ...]
    orders: tuple[ComparedOrder, ...]
    facts: tuple[ComparedFact, ...]
    pairs: tuple[PairDifference, ...]

    @property
    def differ(self) -> bool:
        """Whether any two of the rulebooks differ on the phase."""
        return bool(self.pairs)

    def to_json(self) -> dict[str, object]:
        """Return everything as plain values; the keys are documented in ``docs/json.md``."""
        open_phases = [resolution for resolution in self.resolutions if resolution.is_open]
        return {
            "map": self.turn.position.board.name,
            "phase": str(self.turn.position.phase),
            "rules": list(self.rules),
            "differ": self.differ,
            "orders": [
                {
                    "power": row.power,
                    "unit": row.unit,
                    "order": row.order,
                    "differs": row.differs,
                    "results": self._by_rules([self._result_json(result) for result in row.results]),
                }
                for row in self.orders
            ],
            "facts": [{"what": fact.what, "values": self._by_rules(fact.values)} for fact in self.facts],
            "open": {
                resolution.rules: [
                    {
                        "moves": {str(unit): to for unit, to in consistent.moves.items()},
                        "dislodged": [str(unit) for unit in consistent.dislodged],
                    }
                    for consistent in resolution.consistent
                ]
                for resolution in open_phases
            },
            "pairs": [pair.to_json() for pair in self.pairs],
        }

    def to_frame(self) -> Any:
        """Return the orders as a ``pandas.DataFrame``, with a column of outcomes for each rulebook.

        Raises:
            ImportError: pandas is not installed.
        """
        return frame(
            {"power": row.power, "unit": row.unit, "order": row.order, "differs": row.differs}
            | self._by_rules([None if result is None else str(result.outcome) for result in row.results])
            for row in self.orders
        )

    def show(self, *, all_orders: bool = False) -> RenderableType:
        """Return the comparison as rich prints it: the verdict, a table, and the choices that make the difference.

        Args:
            all_orders: whether to show the orders that come out alike as well, and every rulebook in a column of its
                own; else rulebooks that do not differ share one, with the reasons of the first.
        """
        from rich.console import Group
        from rich.text import Text

        headings, rows = self._table(all_orders=all_orders)
        table = [rich_table(headings, rows)] if rows else []
        return Group(Text(f"{self._verdict}\n"), *table, *map(Text, self._sentences()))

    def __rich__(self) -> RenderableType:
        return self.show()

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        from html import escape

        told = "".join(f"<p>{escape(sentence)}</p>" for sentence in self._sentences())
        return html_table(*self._table(all_orders=False), self._verdict) + told

    # ------------------------------------------------------------------ words

    @property
    def _verdict(self) -> str:
        position = self.turn.position
        return f"{'differ' if self.differ else 'agree'}: {position.phase}, map {position.board.name}"

    def _by_rules(self, values: Iterable[Any]) -> dict[str, Any]:
        return dict(zip(self.rules, values, strict=True))

    def _table(self, *, all_orders: bool) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the headings and rows of the table."""
        columns = [[name] for name in self.rules] if all_orders else self._alike()
        headings = ("Power", "Order", *(", ".join(names) for names in columns))
        shown = [self.rules.index(names[0]) for names in columns]
        return headings, list(self._rows(shown, all_orders=all_orders))

    def _alike(self) -> list[list[str]]:
        """Return the rulebooks in groups that do not differ."""
        different = {(pair.first, pair.second) for pair in self.pairs}
        groups: list[list[str]] = []
        for name in self.rules:
            group = next((group for group in groups if (group[0], name) not in different), None)
            if group is None:
                groups.append([name])
            else:
                group.append(name)
        return groups

    def _rows(self, shown: Sequence[int], *, all_orders: bool) -> Iterator[tuple[str, ...]]:
        for row in self.orders:
            if row.differs or all_orders:
                results = [row.results[index] for index in shown]
                reasons = [self._reasons(result) for result in results]
                alike = len(set(reasons)) == 1
                cells = (_cell(result, "" if alike else why) for result, why in zip(results, reasons, strict=True))
                yield row.power, row.order or f"{row.unit} (no order)", *cells
        for fact in self.facts:
            yield "", fact.what, *(fact.values[index] or NOTHING for index in shown)

    def _sentences(self) -> Iterator[str]:
        for pair in self.pairs:
            what = ", ".join(map(str, pair.kinds))
            yield f"{pair.first} and {pair.second} differ ({what}) by {tell_causes(pair.causes)}."
        for resolution in self.resolutions:
            for number, consistent in enumerate(resolution.consistent, start=1):
                moves = ", ".join(f"{unit} - {to}" for unit, to in consistent.moves.items()) or "none"
                driven = ", ".join(map(str, consistent.dislodged))
                dislodged = f"; dislodged: {driven}" if driven else ""
                yield f"{resolution.rules} leaves open, {number}. moves: {moves}{dislodged}"

    def _reasons(self, result: OrderResult | None) -> str:
        if result is None or result.outcome == Outcome.OPEN:  # the word says it all
            return ""
        return "; ".join(tell(reason, self.turn.position.board) for reason in result.reasons)

    def _result_json(self, result: OrderResult | None) -> dict[str, object] | None:
        if result is None:
            return None
        return {
            "outcome": str(result.outcome),
            "success": result.success,
            "dislodged": result.dislodged,
            "disbanded": result.disbanded,
            "reasons": [tell(reason, self.turn.position.board) for reason in result.reasons],
        }


def compare(turn: Turn, rulebooks: Iterable[RulebookLike]) -> Comparison:
    """Adjudicate a phase under several rulebooks and say where they differ, and by which choices.

    Args:
        turn: the phase.
        rulebooks: two or more, or their names (see `satdip.rulebook.rulebook_of`).

    Raises:
        InputError: they are fewer than two, or two have one name, or a name is none.
    """
    books, trials = chosen_rulebooks(rulebooks), Trials(turn)
    found = (compare_pair(trials, one, other) for one, other in combinations(books, 2))
    pairs = tuple(pair for pair in found if pair is not None)
    resolutions = tuple(replace(trials.under(book), rules=book.name) for book in books)
    return Comparison(
        turn=turn,
        rules=tuple(book.name for book in books),
        resolutions=resolutions,
        orders=tuple(_orders(turn, resolutions)),
        facts=tuple(_facts(resolutions)),
        pairs=pairs,
    )


def chosen_rulebooks(rulebooks: Iterable[RulebookLike]) -> tuple[Rulebook, ...]:
    """Return the rulebooks to compare.

    Raises:
        InputError: they are fewer than two, or two have one name, or a name is none.
    """
    if isinstance(rulebooks, str | Rulebook):
        raise InputError("several rulebooks are a list, as in ['1971', '2023']")
    books = tuple(map(rulebook_of, rulebooks))
    names = [book.name for book in books]
    if len(names) < 2:
        raise InputError("a comparison needs two rulebooks or more, as in '--rules 1971 --rules 2023'")
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two of the rulebooks are called {name!r}")
    return books


def _orders(turn: Turn, resolutions: Sequence[Resolution]) -> Iterator[ComparedOrder]:
    tables = [results_by_key(resolution) for resolution in resolutions]
    for key in dict.fromkeys(key for table in tables for key in table):
        results = tuple(table.get(key) for table in tables)
        told = next(result for result in results if result is not None)
        yield ComparedOrder(
            power=told.power,
            unit=None if told.unit is None else str(told.unit),
            order=_written(told, turn),
            results=results,
            differs=len({effect(result) for result in results}) > 1,
        )


def _written(result: OrderResult, turn: Turn) -> str | None:
    given = result.checked.given
    return None if given is None else given.text or write_order(given.order, Notation.PACKAGE, turn.position.board)


def _facts(resolutions: Sequence[Resolution]) -> Iterator[ComparedFact]:
    tables: list[Mapping[str, str]] = [facts(resolution) for resolution in resolutions]
    for what in dict.fromkeys(label for table in tables for label in table):
        answered = {table.get(what) for table, resolution in zip(tables, resolutions, strict=True) if resolution.next}
        if len(answered) > 1 or (what == "next phase" and len({table[what] for table in tables}) > 1):
            yield ComparedFact(what, tuple(table.get(what) for table in tables))


def _cell(result: OrderResult | None, reasons: str) -> str:
    if result is None:
        return NOTHING
    words = [str(result.outcome)]
    if result.dislodged and words != ["dislodged"]:
        words.append("dislodged")
    if result.disbanded:
        words.append("disbanded")
    return ", ".join(words) + (f": {reasons}" if reasons else "")
