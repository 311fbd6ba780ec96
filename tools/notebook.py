"""Writes and runs the notebook: ``python -m tools notebook``, with nbformat, nbclient and ipykernel installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

__all__ = ["CELLS", "is_code"]

HERE = Path(__file__).parents[1] / "docs" / "notebooks"

CELLS = [
    """# Pandin's paradox, from orders to certificate

Six orders that have no consistent resolution at all. This page takes them through everything that satdip can say: the
knot, the rule that cuts it, why each order comes out as it does, what would have to be different, where the rulebooks
part, and a certificate that anybody can check.""",
    '''import satdip
from satdip.notation import read_turn
from satdip.rulebook import DATC, rulebook_named

turn = read_turn("""
England:
  F London Supports F Wales - English Channel
  F Wales - English Channel
France:
  A Brest - London
  F English Channel Convoys A Brest - London
Germany:
  F North Sea Supports F Belgium - English Channel
  F Belgium - English Channel
""")
print(*turn.position.units, sep=", ")''',
    """## The position

If the French convoy works, the army cuts the support of London; then Belgium, with its own support, beats Wales and
dislodges the convoying fleet, so that the convoy does not work. If it does not work, London's support stands, the two
attacks on the Channel are equal, and the fleet stays: the convoy works. Either way the orders contradict
themselves.""",
    """from IPython.display import SVG

from satdip.drawing import draw_turn

SVG(draw_turn(turn))""",
    """## How many resolutions fit the equations?

None. What is left when everything else has been decided is a knot of three orders, each of which depends on the
next.""",
    """from satdip.lab import resolutions

found = resolutions(turn, DATC)
found""",
    """found.to_frame()""",
    """## What the rules make of it

The preferences of the DATC settle a paradox by Szykman's rule: the convoys of the knot are disrupted, and everything
else is adjudicated as usual.""",
    """resolution = satdip.adjudicate(turn)
for result in resolution.orders:
    print(f"{result.checked.given.text:50} {result.outcome}")""",
    """SVG(draw_turn(resolution))""",
    """## Why did Belgium not get in?

The reason is the smallest set of orders that forces the outcome: whatever the other orders had been or done, it would
have come out like this.""",
    """from satdip.lab import explain, find_unit

explain(turn, DATC, find_unit(turn, "F Bel"))""",
    """## What would have to be different?

Wales is kept out whatever any other unit is ordered to do, as long as three orders stand:""",
    """from satdip.lab import force, turn_outcome

force(turn, DATC, find_unit(turn, "F Wal"))""",
    """and one changed order of England would let Belgium in:""",
    """turn_outcome(turn, DATC, find_unit(turn, "F Bel"), ["ENGLAND"])""",
    """## Other rulebooks

The rulebook of 2000 lets no convoyed army cut the support of an attack on a fleet that it needs. That leaves no knot.
Only the reason differs here: nothing moves either way. In the simple paradox of two powers the rulebooks part.""",
    '''from satdip.lab import compare

simple = read_turn("""
England: F London Supports F Wales - English Channel; F Wales - English Channel
France: A Brest - London; F English Channel Convoys A Brest - London
""")
compare(simple, [DATC, rulebook_named("datc+4.A.2=all-hold"), rulebook_named("2000")])''',
    """## The formula

The equations as clauses, each under the order that it comes from. With known decisions put in, three are left.""",
    """from satdip.solving.formula_of_phase import part_formula

situation = found.situation
knot = found.cores[0].nodes
values = [found.decided.get(node, 1) for node in situation.nodes]
for node in knot:
    values[node.index] = 0
formula, reading, _ = part_formula(situation, knot, values)
for node in knot:
    print(reading.decision(node), "=", found.name(node))
for clause, tag in zip(formula.clauses, formula.tags, strict=True):
    print(clause, tag)""",
    """## A certificate

It holds the orders, the rulebook, the values of all decisions, and a refutation for "no resolution". The verifier
shares no code with the encoder or the solver: it reads the orders and the rules by itself and replays every
refutation.""",
    """from satdip.lab import certify

certificate = certify(turn, DATC)
certificate""",
    """import json

from satdip.verifier import verify

verify(json.dumps(certificate.to_json()))""",
    """One order changed, and it is no certificate any more:""",
    """forged = json.loads(json.dumps(certificate.to_json()).replace("F NTH S F BEL - ENG", "F NTH H"))
verify(json.dumps(forged))""",
]


def notebook() -> NotebookNode:
    """Return the notebook, not yet run."""
    import nbformat

    made = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    for number, text in enumerate(CELLS):
        kind = nbformat.v4.new_code_cell if is_code(text) else nbformat.v4.new_markdown_cell
        made.cells.append(kind(text, id=f"cell-{number}"))
    return made


def is_code(text: str) -> bool:
    """Tell code from prose: prose is no Python."""
    try:
        compile(text, "cell", "exec")
    except SyntaxError:
        return False
    return True


def write() -> None:
    """Run the notebook and write it, without times and paths of the machine that ran it."""
    import nbformat
    from nbclient import NotebookClient

    made = notebook()
    NotebookClient(made, timeout=120, kernel_name="python3").execute()
    for cell in made.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if len(output.get("data", {})) > 1:  # what is shown has a better form than the value's plain one
                output.data.pop("text/plain", None)
    made.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    (HERE / "pandin.ipynb").write_text(nbformat.writes(made) + "\n", encoding="utf-8")
