"""Phases in a row: games, streams of records, replays."""
