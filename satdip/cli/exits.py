"""The exit codes, the same for every verb."""

from __future__ import annotations

__all__ = ["BAD_INPUT", "DIFFERENT", "DONE", "INCOMPLETE", "NO_ANSWER"]

DONE, DIFFERENT, BAD_INPUT, NO_ANSWER, INCOMPLETE = 0, 1, 2, 3, 4
