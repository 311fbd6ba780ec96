"""What a short command costs: processor time beside ``python -c pass``, and memory.

Usage: ``python benchmarks/startup.py [--rounds N] [--write]``; ``--write`` puts the table into benchmarks/README.md.
The ``satdip`` of the same environment is measured (POSIX only).

Every command runs in a fresh process in each round, one after the other, so that what disturbs one disturbs all. The
bytecode of all modules is there already, as in an installation: a first round that does not count writes it. The time
is that of the processor, user and system.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pages import README, machine, markdown, write

ROOT = Path(__file__).resolve().parents[1]

PLAIN_SHEET = """\
England:
  F North Sea Convoys A Yorkshire - Norway     # as the DATC prints them
  A yor - nwy via convoy                       # ids
France: A PAR - BUR; F STP/SC H                # as the `diplomacy` package writes them
Germany: A Ber (H), F Kie (C) England A Lon-Bel
"""
"""The order sheet of the project's README that has several notations, and no paradox."""

BASE = "`python -c pass`"


@dataclass
class Runs:
    """The runs of a command: seconds of the processor, and bytes that were resident at most."""

    seconds: list[float] = field(default_factory=list)
    resident: list[int] = field(default_factory=list)


def commands(folder: Path) -> dict[str, list[str]]:
    """Return name -> command line; `folder` is for the files that they read."""
    sheet = folder / "sheet.txt"
    sheet.write_text(PLAIN_SHEET, encoding="utf-8")
    satdip = str(Path(sysconfig.get_path("scripts"), "satdip"))
    adjudicate = [satdip, "adjudicate"]
    paradox, french = str(ROOT / "examples" / "paradox.txt"), str(ROOT / "examples" / "exemple-10.txt")
    return {
        BASE: [sys.executable, "-c", "pass"],
        "`import satdip`": [sys.executable, "-c", "import satdip"],
        "`satdip --help`": [satdip, "--help"],
        "one sheet": [*adjudicate, str(sheet)],
        "one sheet with a paradox": [*adjudicate, paradox],
        "the same, `--json`": [*adjudicate, paradox, "--json"],
        "one record": [*adjudicate, str(ROOT / "examples" / "opening.json")],
        "one French sheet, `--lang fr`": [*adjudicate, french, "--lang", "fr"],
    }


def run(command: Sequence[str], environment: Mapping[str, str]) -> tuple[float, int]:
    """Run a command, its output thrown away; return the seconds and the bytes that it took.

    Raises:
        RuntimeError: it failed.
    """
    nowhere = (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)
    process = os.posix_spawn(command[0], command, environment, file_actions=[nowhere])
    _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)} ended with status {status}")
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit


def measure(rounds: int) -> dict[str, Runs]:
    """Run every command in each round, after one round that only fills the caches."""
    found: dict[str, Runs] = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = str(Path(folder, "bytecode"))
        wanted = commands(Path(folder))
        for number in range(rounds + 1):
            for name, command in wanted.items():
                seconds, resident = run(command, environment)
                runs = found.setdefault(name, Runs())
                if number:
                    runs.seconds.append(seconds)
                    runs.resident.append(resident)
    return found


def table(found: Mapping[str, Runs], rounds: int) -> str:
    """Return the results as Markdown."""
    rows = []
    base = found[BASE].seconds
    for name, runs in found.items():
        median, best = statistics.median(runs.seconds), min(runs.seconds)
        ratios = f"{median / statistics.median(base):.1f}x", f"{best / min(base):.1f}x"
        rows.append([name, f"{1000 * median:.0f}", *ratios, f"{max(runs.resident) / 2**20:.0f}"])
    columns = ["command", "milliseconds, median", "ratio of medians", "ratio of the best", "MB resident"]
    return f"{markdown(columns, rows)}\n\n{rounds} rounds; {machine()}."


def main() -> None:
    """Print the table, or write it into the README."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    options = parser.parse_args()
    found = table(measure(options.rounds), options.rounds)
    print(found)
    if options.write:
        write(README, "startup", found)


if __name__ == "__main__":
    main()
