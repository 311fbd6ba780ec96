"""The interface that all engines have, and what those in this process share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from satdip.base.errors import InputError
from satdip.crosschecking.engines.answer import Answer, FailureKind, failed
from satdip.crosschecking.engines.question import Question, Record, question

__all__ = ["Engine", "LocalEngine"]


class Engine(Protocol):
    """An adjudicator."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def version(self) -> str:
        """Its version; empty when it is not known."""
        ...

    def adjudicate(self, record: Record) -> Answer:
        """Adjudicate one phase record.

        It raises nothing for whatever a record holds: what goes wrong is the answer's `Failure`.
        """
        ...

    def close(self) -> None:
        """End what the engine has started."""
        ...


class LocalEngine(ABC):
    """An engine that runs in this process: its exceptions become failures.

    Args:
        name: what reports call it.
        version: its version.
    """

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version

    def adjudicate(self, record: Record) -> Answer:
        """Adjudicate one phase record (see `Engine.adjudicate`)."""
        try:
            asked = question(record)
        except InputError as error:
            return failed(FailureKind.UNSUPPORTED, str(error))
        try:
            return self.answer(asked)
        except Exception as error:  # noqa: BLE001 -- whatever a foreign package raises
            return failed(FailureKind.CRASH, f"{type(error).__name__}: {error}")

    @abstractmethod
    def answer(self, asked: Question) -> Answer:
        """Answer a question; it may raise anything."""

    def close(self) -> None:  # noqa: B027 -- most have nothing to end
        """End what the engine has started."""
