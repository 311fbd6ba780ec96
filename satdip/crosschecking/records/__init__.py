"""Games as other programs save them, read as phase records (docs/game-records.md)."""

from __future__ import annotations

from satdip.crosschecking.records.daide import is_daide, read_daide
from satdip.crosschecking.records.games import game_phases, game_records, is_game, read_games

__all__ = ["game_phases", "game_records", "is_daide", "is_game", "read_daide", "read_games"]
