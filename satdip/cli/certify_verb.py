"""``satdip certify``: a certificate that anybody can check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satdip.base.errors import InputError
from satdip.base.files import write_files
from satdip.cli.common import COUNT, echo_json, json_option, one_phase, refuse_unused, rules_option, timeout_option
from satdip.cli.door import put
from satdip.cli.exits import DONE, INCOMPLETE

if TYPE_CHECKING:
    from satdip.base.budget import Budget
    from satdip.lab.certify.certificate import Certificate

CLAIMS = ("resolutions", "answer")
ENCODINGS = ("orders", "gates")
FILE = click.Path(dir_okay=False)


@click.command(name="certify")
@click.argument("file", metavar="FILE|-")
@click.option("-o", "--output", type=FILE, metavar="CERT", help="Write the certificate to this file.")
@click.option(
    "--claim",
    "claims",
    type=click.Choice(CLAIMS),
    multiple=True,
    help="Only this: all consistent resolutions, or what the rulebook makes of the phase; by default both.",
)
@click.option("--forced", metavar="ORDER", help="Also that this order, named by its unit, always comes out the same.")
@click.option("--limit", type=COUNT, default=64, show_default=True, help="How many resolutions to list.")
@click.option("--dimacs", type=FILE, metavar="CNF", help="Write the refuted formula of a claim, for other checkers.")
@click.option("--proof", type=FILE, metavar="DRAT", help="Write the refutation of that formula.")
@click.option("--lrat", type=FILE, metavar="LRAT", help="Write it with hints.")
@click.option(
    "--encoding",
    type=click.Choice(ENCODINGS),
    default="orders",
    show_default=True,
    help="Formula and proof: clauses about orders, or the equations with all their gates.",
)
@rules_option
@timeout_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    output: str | None,
    claims: tuple[str, ...],
    forced: str | None,
    limit: int,
    dimacs: str | None,
    proof: str | None,
    lrat: str | None,
    encoding: str,
    rules: str | None,
    budget: Budget,
    as_json: bool,
) -> None:
    """Certify what becomes of the orders in FILE; `satdip verify` checks the certificate.

    It claims how many consistent resolutions the orders have before any backup rule for paradoxes, with a refutation of
    any further one, and what the rulebook makes of the phase, knot by knot. --dimacs, --proof and --lrat are about the
    last of the claims that rest on a refutation.

    \b
    Examples:
      satdip certify examples/pandin.txt -o pandin.json
      satdip certify examples/pandin.txt --claim resolutions --dimacs pandin.cnf --proof pandin.drat
      satdip certify examples/paradox.txt --forced "A Bre"
    """
    from satdip.base.budget import OutOfTime
    from satdip.lab.certify.certificate import certify

    if not any((dimacs, proof, lrat)):
        refuse_unused(ctx, "is for --dimacs, --proof and --lrat", "encoding")
    if claims and "resolutions" not in claims:
        refuse_unused(ctx, "is for --claim resolutions", "limit")
    turn, rulebook, source = one_phase(file, rules)
    try:
        found = certify(turn, rulebook, claims or None, forced, limit, budget)
        texts = _texts(found, output, (dimacs, proof, lrat), encoding, budget)
    except InputError as error:
        raise error.at(source=source) from None
    except OutOfTime:
        put("satdip: the time is used up, and nothing is shown yet", err=True)
        ctx.exit(INCOMPLETE)
    write_files(texts)
    if as_json:
        echo_json(found.to_json())
    else:
        put(str(found))
    ctx.exit(DONE if found.complete else INCOMPLETE)


def _texts(
    found: Certificate, output: str | None, others: tuple[str | None, ...], encoding: str, budget: Budget
) -> list[tuple[str | Path, str]]:
    """Return the files to write, with their texts."""
    texts: list[tuple[str | Path, str]] = [(output, json.dumps(found.to_json(), indent=1) + "\n")] if output else []
    if not any(others):
        return texts
    from satdip.lab.certify.dimacs import exported

    if not found.rests:
        raise InputError("no claim about this phase rests on a refutation, so there is no formula to write")
    claim, rests = list(found.rests.items())[-1]
    written = exported(rests, f"satdip: the claim {claim!r} about {found.to_json()['phase']}", encoding, budget)
    formats = zip(others, (written.cnf, written.proof, written.lrat), strict=True)
    return texts + [(path, text) for path, text in formats if path]
