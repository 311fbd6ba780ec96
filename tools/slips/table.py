"""What is known about slips: the areas and their tests, those that live for good reasons, what became of each."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tools.slips.hunting import ROOT, Verdict
from tools.slips.planting import Slip, slips_of

__all__ = ["AREAS", "Area", "all_slips", "equivalents", "kills", "known", "note"]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Area:
    """A part of the code, and the tests that should see a slip in it.

    Args:
        name: what it is called.
        files: patterns of its source files.
        quick: test files that take seconds, the likeliest to fail first.
        thorough: the others.
    """

    name: str
    files: tuple[str, ...]
    quick: tuple[str, ...]
    thorough: tuple[str, ...]

    def sources(self) -> list[str]:
        """Return its source files."""
        return list(dict.fromkeys(_relative(path) for pattern in self.files for path in sorted(ROOT.glob(pattern))))


def _relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _areas() -> Mapping[str, Area]:
    table = tomllib.loads((HERE / "areas.toml").read_text(encoding="utf-8"))
    return {
        name: Area(name, *(tuple(area[key]) for key in ("files", "quick", "thorough"))) for name, area in table.items()
    }


AREAS = _areas()


def all_slips(area: Area) -> list[Slip]:
    """Return every slip that the sources of an area may have."""
    return [slip for file in area.sources() for slip in slips_of(file, (ROOT / file).read_text(encoding="utf-8"))]


def equivalents() -> dict[Slip, str]:
    """Return the slips that change nothing anybody could see, each with the reason."""
    table = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {
        Slip(row["file"], row["function"], row["line"], row["change"], row.get("number", 1)): row["why"]
        for row in table.get("slip", ())
    }


# ---------------------------------------------------------------------- results


def known(path: Path) -> dict[Slip, Verdict]:
    """Return what became of the slips of a results file; the last word counts."""
    return {verdict.slip: verdict for verdict in _lines(path)}


def _lines(path: Path) -> Iterator[Verdict]:
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue  # an interrupt has torn it
        yield Verdict(Slip(**value["slip"]), value["killer"], value["thorough"])


def note(path: Path, verdict: Verdict) -> None:
    """Add what became of a slip to a results file."""
    line = json.dumps(asdict(verdict))
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def kills(verdicts: Mapping[Slip, Verdict]) -> dict[str, Counter[str]]:
    """Count, for each source file, the test files that saw its slips."""
    counted: dict[str, Counter[str]] = {}
    for verdict in verdicts.values():
        if not verdict.lived:
            counted.setdefault(verdict.slip.file, Counter())[verdict.killer.split("::")[0]] += 1
    return counted
