"""A package as a program that speaks the line protocol: ``python -m satdip.crosschecking.engines.serve diplomacy``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from threading import Thread
from typing import IO, Any

from satdip.base.errors import InputError
from satdip.crosschecking.engines.answer import FailureKind, failed
from satdip.crosschecking.engines.base import Engine
from satdip.crosschecking.engines.naming import package_engine
from satdip.notation import decode_record, decode_text

__all__ = ["main", "serve"]


def serve(engine: Engine, questions: Iterable[bytes], answers: IO[bytes]) -> None:
    """Answer every line of one stream with a line on another.

    Args:
        engine: who answers.
        questions: lines of JSON phase records, each with an ``id``.
        answers: gets the answers.
    """
    for data in questions:
        name: Any = None
        try:
            record = decode_record(decode_text(data.rstrip(b"\r\n")))
            name = record.pop("id", None)
            answer = engine.adjudicate(record)
        except InputError as error:
            answer = failed(FailureKind.UNSUPPORTED, str(error))
        answers.write(json.dumps({"id": name, **answer.to_json()}, separators=(",", ":")).encode() + b"\n")
        answers.flush()


def main() -> None:
    """Serve the package that the first argument names; what it prints goes to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        engine = package_engine(sys.argv[1] if len(sys.argv) > 1 else "")
    except InputError as error:
        sys.exit(f"satdip: {error}")
    Thread(target=_end_with_parent, args=(os.getppid(),), daemon=True).start()
    serve(engine, sys.stdin.buffer, answers)


def _end_with_parent(parent: int) -> None:
    """End when the program that asked is gone, even in the middle of a phase that never ends."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    main()
