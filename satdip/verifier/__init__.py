"""Checking certificates, with nothing of the encoder or the solver: an own reader of the map, the orders and the rules.

Everything that a certificate says is derived again from its position, orders and rulebook, and its refutations are
replayed by reverse unit propagation. The format is described in ``docs/certificates.md``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from satdip.base.errors import InputError
from satdip.base.intake import decode_json, decode_text
from satdip.base.printable import shown
from satdip.verifier import movement, retreats, winter
from satdip.verifier.atlas import Atlas
from satdip.verifier.header import FORMAT, HEADER, Header, read_header
from satdip.verifier.shape import Checked, Wrong, fields

__all__ = ["FORMAT", "LARGEST", "Verdict", "map_digest", "verify"]

LARGEST = 1 << 22  # bytes; a certificate of a whole board has some ten thousand


@dataclass(frozen=True)
class Verdict:
    """What the verifier found.

    Args:
        valid: whether everything in the certificate holds.
        problem: the first thing that is wrong, one sentence; empty for a valid one.
        claims: what a valid certificate shows, a sentence each.
        assumed: what had to be taken from it without being derived, a sentence each.
    """

    valid: bool
    problem: str = ""
    claims: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Keep each sentence on a line of its own: none can look like another one."""
        object.__setattr__(self, "problem", shown(self.problem))
        object.__setattr__(self, "claims", tuple(map(shown, self.claims)))
        object.__setattr__(self, "assumed", tuple(map(shown, self.assumed)))

    def to_json(self) -> dict[str, object]:
        """Return it as plain JSON values (keys: docs/json.md)."""
        return {
            "valid": self.valid,
            "problem": self.problem or None,
            "claims": list(self.claims),
            "assumed": list(self.assumed),
        }

    def __str__(self) -> str:
        if not self.valid:
            return f"not valid: {self.problem}"
        lines = ["valid", *(f"  {claim}" for claim in self.claims), *(f"  assumed: {one}" for one in self.assumed)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def verify(data: str | bytes | Mapping[str, object]) -> Verdict:
    """Check a certificate.

    Args:
        data: its text, or the decoded JSON object.

    Raises:
        InputError: it is no certificate at all.
    """
    if isinstance(data, (str, bytes)) and len(data) > LARGEST:
        raise InputError(f"this is too large for a certificate, which has at most {LARGEST} bytes")
    try:
        text = decode_text(data) if isinstance(data, bytes) else data if isinstance(data, str) else json.dumps(data)
        value = decode_json(text, noun="certificate")
    except InputError as error:
        raise InputError(f"this is no certificate: {error.message}", error.where) from None
    except (TypeError, ValueError, RecursionError) as error:  # a value of Python that JSON does not have
        raise InputError(f"this is no certificate: {error}") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f"this is no certificate: it is no JSON object with the format {FORMAT!r}")
    try:
        return _checked(value)
    except Wrong as wrong:
        return Verdict(False, str(wrong))


def map_digest(name: str) -> str:
    """Return the hash by which a certificate knows a map that comes with satdip."""
    return Atlas.named(name).digest


def _checked(certificate: dict[str, object]) -> Verdict:
    parts, check = _KINDS.get(str(certificate.get("phase"))[-1:], _KINDS["M"])
    fields(certificate, "the certificate", (*HEADER, *parts))
    header = read_header(certificate)
    checked = check(header, certificate)
    return Verdict(True, "", tuple(checked.claims), (*header.assumed, *checked.assumed))


_KINDS: Mapping[str, tuple[tuple[str, ...], Callable[[Header, Mapping[str, Any]], Checked]]] = {
    "M": (movement.PARTS, movement.check_movement),
    "R": (retreats.PARTS, retreats.check_retreats),
    "A": (winter.PARTS, winter.check_adjustments),
}
