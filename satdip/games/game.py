"""A game: phases one after the other, saved and loaded as phase records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from satdip.adjudication import Orders, adjudicate
from satdip.base.errors import InputError, Where
from satdip.base.files import write_files
from satdip.base.printable import short
from satdip.board import Board
from satdip.board.mapfile import load_board
from satdip.notation import read_lines, read_record
from satdip.notation.record.fields import table_of
from satdip.phase.position import Phase, PhaseKind, Position, Season, Unit
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, Rulebook, RulebookLike, differing, issues, rulebook_of, spelled
from satdip.telling.serialise import position_to_json, result_record

__all__ = ["Game", "opening"]


def opening(board: Board | str | None = None, year: int = 1901) -> Position:
    """Return the first position of a game: the units and centres of the map, in spring.

    Args:
        board: the map, or its name; the standard map by default.
        year: the year of the first spring.

    Raises:
        InputError: there is no such year.
    """
    if not isinstance(board, Board):
        board = load_board("standard" if board is None else board)
    units = tuple(Unit(power.id, kind, at) for power in board.powers.values() for kind, at in power.start)
    centres = {power.id: frozenset(power.home) for power in board.powers.values()}
    return Position(board, Phase(Season.SPRING, year, PhaseKind.MOVEMENT), units, (), centres)


@dataclass(frozen=True)
class Game:
    """A game so far. Playing a phase gives a new value; this one stays as it is.

    Args:
        position: the position to give orders for.
        rules: the rulebook; one that is given by name is looked up.
        played: the resolutions of the phases played, the first one first.
    """

    position: Position
    rules: Rulebook = DATC
    played: tuple[Resolution, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", rulebook_of(self.rules))

    @classmethod
    def start(cls, board: Board | str | None = None, rules: RulebookLike = DATC) -> Game:
        """Return a game at its first phase (arguments as `opening`)."""
        return cls(opening(board), rulebook_of(rules))

    @property
    def winner(self) -> str | None:
        """The power that has won, if any: after an autumn it owns `Board.victory` centres, and the most."""
        return self.played[-1].winner if self.played else None

    def play(self, orders: Orders) -> Game:
        """Adjudicate the current phase and go on to the next one in which anybody has something to do.

        Args:
            orders: power id -> its orders, as text in any notation or as values.

        Raises:
            InputError: the game is over, an order cannot be read, or no year follows.
            NoAnswer: the rules leave the phase open.
        """
        return self._adjudicated(self.position, orders)

    def save(self, path: str | Path) -> None:
        """Write one phase record a line, the shape that ``satdip replay`` reads; the last one has no orders yet.

        The first line has under ``choices`` every choice of the rulebook, so that the game goes on by the same rules
        whatever becomes of a file or profile of that name. The file appears whole or not at all.

        Raises:
            InputError: the map is one of the user's own, which no save can name, or the file cannot be written.
        """
        records = [result_record(resolution) for resolution in self.played]
        records.append({**position_to_json(self.position), "rules": spelled(self.rules)})
        records[0]["choices"] = {issue.section: self.rules.choice(issue).slug for issue in issues()}
        write_files([(path, "".join(f"{json.dumps(record)}\n" for record in records))])

    @classmethod
    def load(cls, path: str | Path) -> Game:
        """Read a saved game and play it again.

        Raises:
            InputError: a record cannot be read, or does not follow from the one before, or the rules are not those by
                which the game was saved.
            NoAnswer: the rules leave a phase open.
        """
        game: Game | None = None
        for line, record in read_lines(path):
            try:
                choices = table_of(record, "choices")
                turn = read_record({key: value for key, value in record.items() if key != "choices"})
                rules = _rules(turn, choices)
                game = cls(turn.position, rules) if game is None else game
                game._check_follows(turn, rules)
                if "orders" in record or "order_sets" in record:
                    game = game._adjudicated(turn)
            except InputError as error:
                raise error.at(source=str(path), line=line) from None
        if game is None:
            raise InputError("the file holds no phase record", Where(str(path)))
        return game

    def _check_follows(self, turn: Turn, rules: Rulebook) -> None:
        """Refuse a record that is not the next one of this game."""
        if differing(rules, self.rules):
            raise InputError(f"the game is played by the rules {self.rules.name!r}, this record by {rules.name!r}")
        if _state(turn.position) != _state(self.position):
            raise InputError(
                f"the phase before leads to another position of {self.position.phase} than this record has"
            )

    def _adjudicated(self, what: Position | Turn, orders: Orders | None = None) -> Game:
        """Return the game after a phase (arguments as `satdip.adjudicate`)."""
        if self.winner is not None:
            raise InputError(f"the game is over: {self.winner} has won")
        resolution = adjudicate(what, orders, rules=self.rules)
        return replace(self, position=resolution.following, played=(*self.played, resolution))


def _state(position: Position) -> object:
    """Return what makes two positions the same, in whatever order their units are listed."""
    return position.phase, frozenset(position.units), frozenset(position.dislodged), dict(position.centres)


def _rules(turn: Turn, choices: Mapping[str, object]) -> Rulebook:
    """Return the rulebook of a saved record, which is that of its choices, where it has them.

    Raises:
        InputError: there is no such rulebook, or its choices are others than when the game was saved.
    """
    rules = rulebook_of(None, turn.rules)
    for issue in issues() if choices else ():
        saved, now = choices.get(issue.section), rules.choice(issue).slug
        if saved != now:
            told = "not answered" if saved is None else f"answered {short(str(saved))!r}"
            what = f"the game was saved with {issue.section} {told}, and the rules {rules.name!r} answer {now!r} now"
            raise InputError(what, Where(path="$.choices"))
    if unknown := sorted(choices.keys() - {issue.section for issue in issues()}):
        raise InputError(f"no issue is called {short(unknown[0])!r}", Where(path="$.choices"))
    return rules
