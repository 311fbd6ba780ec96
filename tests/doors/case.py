"""A case: one command, with the files beside it and what it reads on standard input."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Case"]

SHOWN = 600


@dataclass(frozen=True)
class Case:
    """A command line to try.

    Args:
        verb: the verb, as in ``map show``; empty for the program itself.
        arguments: what follows the program's name, the verb included.
        files: the files of the folder in which it runs.
        stdin: what it reads there.
    """

    verb: str
    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    stdin: bytes = b""

    def write(self, folder: Path) -> None:
        """Write the files to a folder."""
        for name, data in self.files.items():
            (folder / name).write_bytes(data)

    def keep(self, folder: Path, faults: list[str]) -> None:
        """Keep the case in a folder of its own, with a script that runs it again."""
        folder.mkdir(parents=True, exist_ok=True)
        self.write(folder)
        (folder / "standard-input").write_bytes(self.stdin)
        command = shlex.join(["satdip", *self.arguments])
        script = f"#!/bin/sh\n# {'; '.join(faults)}\n{command} < standard-input\n"
        (folder / "run.sh").write_text(script, encoding="utf-8", errors="surrogateescape")

    def __str__(self) -> str:
        lines = [" ".join(["satdip", *map(_shown, self.arguments)])]
        lines += [f"  {name}: {_excerpt(data)}" for name, data in self.files.items()]
        if self.stdin:
            lines.append(f"  standard input: {_excerpt(self.stdin)}")
        return "\n".join(lines)


def _shown(argument: str) -> str:
    return (
        argument
        if argument and argument.isascii() and argument.isprintable() and " " not in argument
        else repr(argument)
    )


def _excerpt(data: bytes) -> str:
    more = f" ... ({len(data):,} bytes)" if len(data) > SHOWN else ""
    return f"{data[:SHOWN]!r}{more}"
