"""What a run is made of: phases with names, and a function that makes a result of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

__all__ = ["LONGEST_RESULT", "Executor", "Opens", "Phase", "Result", "RunFailed", "Session", "Work"]

Result = Mapping[str, Any]
"""Plain JSON values, without the keys ``id`` and ``error``."""

LONGEST_RESULT = 1 << 22
"""Bytes of a line; one with a dense phase and the answers of several engines has some ten thousand."""


@dataclass(frozen=True)
class Phase:
    """One phase of a run.

    Args:
        id: its name, the same in every run over the same source, and no other phase's.
        record: the phase record.
    """

    id: str
    record: Mapping[str, Any]


Session = Callable[[Phase], Result]
"""Makes the result of a phase, always the same one. Where it has a method ``close``, that is called last."""


@runtime_checkable
class Opens(Protocol):
    """Work that needs something to be open, engines for instance: it is opened once in each worker."""

    def open(self) -> Session:
        """Return what works on the phases of one worker."""
        ...


Work = Session | Opens
"""What is done with each phase. It is sent to the workers: it can be pickled, and ``==`` tells it from other work."""


class RunFailed(Exception):  # noqa: N818 -- its sentence is for the user
    """The run cannot go on now; what is done is kept, and it can be resumed.

    Args:
        sentence: why.
    """

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class Executor(Protocol):
    """Where the work is done."""

    def lines(self, work: Work, phases: Iterator[Phase]) -> Iterator[list[str]]:
        """Work on phases.

        Args:
            work: what to do with each.
            phases: they are taken as they are needed, never all at once.

        Yields:
            Lines of JSON, each the result of a phase with its ``id``, in the order of the phases.

        Raises:
            RunFailed: workers keep dying, or the cluster is gone.
        """
        ...
