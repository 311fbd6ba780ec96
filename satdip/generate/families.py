"""Hard families: phases of any size whose answer is known from how they are made.

Each function lays a phase of a given size out and states the answer: how many consistent resolutions there are, and
which units move under the rules that the DATC prefers (a convoy paradox is settled by disrupting its convoys, a ring
turns). ``docs/families.md`` tells what makes each hard and why its answer is what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt
from random import Random

from satdip.base.errors import InputError
from satdip.board.seamaps import named
from satdip.generate.draft import Draft
from satdip.phase.turn import Turn

__all__ = ["FAMILIES", "Answer", "Family", "Instance"]

ATTACKER, DEFENDER, CARRIER, THIRD = "RED", "BLUE", "GREEN", "WHITE"
"""Who attacks fleets, who is attacked, who owns the convoyed army, who attacks besides."""


@dataclass(frozen=True)
class Answer:
    """The known answer of a phase.

    Args:
        exponent: the number of consistent resolutions, rings free to turn or stay, is 2 to this power; None for no
            resolution at all.
        moves: provinces of the units that move under the rules that the DATC prefers.
        dislodged: provinces of the units that are dislodged then.
    """

    exponent: int | None
    moves: frozenset[str] = frozenset()
    dislodged: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, object]:
        """Return it as plain values (keys: docs/json.md)."""
        return {"exponent": self.exponent, "moves": sorted(self.moves), "dislodged": sorted(self.dislodged)}


@dataclass(frozen=True)
class Instance:
    """A phase of a family.

    Args:
        turn: the phase; its `Turn.extra` names the family, the size and the answer.
        answer: the known answer.
    """

    turn: Turn
    answer: Answer


@dataclass(frozen=True)
class Family:
    """A family of phases.

    Args:
        name: what it is called.
        about: one line on it; it says what the size counts.
        lay: puts units and orders of a size on a map, and returns the answer.
        maps: kind of map -> its name for a size; the first is the usual one.
        least: the smallest size.
    """

    name: str
    about: str
    lay: Callable[[Draft, int], Answer]
    maps: Mapping[str, Callable[[int], str]]
    least: int = 1

    def make(self, size: int, shape: str | None = None, rng: Random | None = None) -> Instance:
        """Make the phase of a size.

        Args:
            size: how large it is.
            shape: kind of map; by default the usual one.
            rng: shuffles the units and their orders, so that no luck is in their sequence; by default the sequence is
                the one that makes the family hard.

        Raises:
            InputError: the size is too small or too large, or the family is not laid on such a map.
        """
        kind = shape or next(iter(self.maps))
        if kind not in self.maps:
            known = ", ".join(self.maps)
            raise InputError(f"the family {self.name} is not laid on a map {kind!r}; its maps are {known}")
        if size < self.least:
            raise InputError(f"the family {self.name} has sizes from {self.least}, not {size}")
        draft = Draft(named(self.maps[kind](size)).board)
        answer = self.lay(draft, size)
        if rng is not None:
            draft.shuffle(rng)
        return Instance(draft.turn({"family": self.name, "size": size, "answer": answer.to_json()}), answer)


# ---------------------------------------------------------------------- maps


def _side(cells: int) -> int:
    """Return the side of the smallest square of at least so many cells."""
    return isqrt(cells - 1) + 1


def _apart(shape: str) -> Callable[[int], str]:
    """A map with `size` seas two apart, of which no two share an island."""
    return lambda size: "{0}-{1}x{1}".format(shape, 2 * _side(size) - 1)


def _rows(shape: str) -> Callable[[int], str]:
    """A map with one sea more than `size`."""
    return lambda size: "{0}-{1}x{1}".format(shape, _side(size + 1))


def _sites(draft: Draft, size: int) -> Iterator[tuple[str, list[str]]]:
    """Return seas with four islands each that belong to no other of them."""
    kind, width = _kind_and_width(draft)
    if kind == "ring":
        for i in range(size):
            yield f"S_{i}", [f"{letter}_{i}" for letter in "ABCD"]
        return
    spots = ((x, y) for y in range(0, width, 2) for x in range(0, width, 2))
    for (x, y), _ in zip(spots, range(size), strict=False):
        corners = [f"I_{x + dx}_{y + dy}" for dx in (0, 1) for dy in (0, 1)]
        yield f"S_{x}_{y}", corners if kind == "grid" else [f"I_{x}_{y}_{k}" for k in range(4)]


def _path(draft: Draft, length: int) -> list[str]:
    """Return a path of seas: along the ring, or row by row, every other row backwards."""
    kind, width = _kind_and_width(draft)
    if kind == "ring":
        return [f"S_{i}" for i in range(length)]
    rows = ([f"S_{x}_{y}" for x in range(width)] for y in range(width))
    return [sea for y, row in enumerate(rows) for sea in (reversed(row) if y % 2 else row)][:length]


def _kind_and_width(draft: Draft) -> tuple[str, int]:
    kind, _, numbers = draft.board.name.partition("-")
    return kind, int(numbers.partition("x")[0])


# ---------------------------------------------------------------------- pieces that families are made of


def _carried(draft: Draft, sea: str, start: str, goal: str, supporter: str) -> None:
    """Let a fleet carry an army from one island to another, on which somebody's fleet stands."""
    draft.fleet(CARRIER, sea)
    draft.army(CARRIER, start)
    draft.fleet(supporter, goal)
    draft.move(start, goal)
    draft.convoy((sea,), start)


def _attacked(draft: Draft, sea: str, base: str, helper: str, power: str = ATTACKER) -> None:
    """Let a fleet attack a sea with one support."""
    draft.fleet(power, base)
    draft.fleet(power, helper)
    draft.move(base, sea)
    draft.support(helper, base)


# ---------------------------------------------------------------------- convoy paradoxes


def _paradoxes(draft: Draft, size: int) -> Answer:
    bases, seas = [], []
    for sea, (start, goal, base, _) in _sites(draft, size):
        _carried(draft, sea, start, goal, ATTACKER)
        draft.fleet(ATTACKER, base)
        draft.move(base, sea)
        draft.support(goal, base)
        bases.append(base)
        seas.append(sea)
    return Answer(size, frozenset(bases), frozenset(seas))


def _cycle(draft: Draft, size: int) -> Answer:
    for i in range(size):
        _carried(draft, f"S_{i}", f"A_{i}", f"B_{i}", DEFENDER)
        _attacked(draft, f"S_{i}", f"C_{i}", f"D_{i}")
    for i in range(size):
        draft.support(f"B_{i}", f"S_{(i + 1) % size}")
    return Answer(1 if size % 2 == 0 else None)


def _interlocked(draft: Draft, size: int) -> Answer:
    seas = range(3 * size)
    for i in seas:
        _carried(draft, f"S_{i}", f"A_{i}", f"B_{i}", ATTACKER)
        draft.fleet(ATTACKER, f"C_{i}")
        draft.move(f"C_{i}", f"S_{i}")
    for i in seas:
        draft.support(f"B_{i}", f"C_{(i + size) % len(seas)}")
    return Answer(size, frozenset(f"C_{i}" for i in seas), frozenset(f"S_{i}" for i in seas))


def _pandin(draft: Draft, size: int) -> Answer:
    start, goal, base, rival, *helpers = (f"I_{i}" for i in range(2 * size + 3))
    _carried(draft, "HUB", start, goal, ATTACKER)
    for power, at in ((ATTACKER, base), (THIRD, rival)):
        draft.fleet(power, at)
        draft.move(at, "HUB")
    draft.support(goal, base)
    for number, at in enumerate(helpers):  # one support more for the rival, since the landing may cut one
        power, subject = (ATTACKER, base) if number % 2 else (THIRD, rival)
        draft.fleet(power, at)
        draft.support(at, subject)
    return Answer(None)


def _cut_chain(draft: Draft, size: int) -> Answer:
    for i in reversed(range(size)):  # the one that everything follows from comes last
        _carried(draft, f"S_{i}", f"A_{i}", f"B_{i}", DEFENDER)
        if i:
            _attacked(draft, f"S_{i}", f"C_{i}", f"D_{i}")
    for i in range(size - 1):
        draft.support(f"B_{i}", f"S_{i + 1}")
    broken = range(1, size, 2)
    return Answer(0, frozenset(f"C_{i}" for i in broken), frozenset(f"S_{i}" for i in broken))


# ---------------------------------------------------------------------- convoys over many routes


def _routes(draft: Draft, size: int) -> Answer:
    _armada(draft, size)
    return Answer(0, frozenset({"I_0_0"}))


def _armada(draft: Draft, side: int) -> None:
    """Let a square of fleets carry an army from corner to corner; every fleet is on a shortest route."""
    seas = [f"S_{x}_{y}" for y in range(side) for x in range(side)]
    for sea in seas:
        draft.fleet(CARRIER, sea)
    draft.army(CARRIER, "I_0_0")
    draft.move("I_0_0", f"I_{side}_{side}")
    draft.convoy(seas, "I_0_0")


def _cut_routes(draft: Draft, size: int) -> Answer:
    _armada(draft, size + 1)
    front = [(x, size - x) for x in range(size + 1)]
    for x, y in front:
        _attacked(draft, f"S_{x}_{y}", f"I_{x}_{y}", f"I_{x + 1}_{y + 1}")
    return Answer(0, frozenset(f"I_{x}_{y}" for x, y in front), frozenset(f"S_{x}_{y}" for x, y in front))


# ---------------------------------------------------------------------- moves


def _chain(draft: Draft, size: int) -> Answer:
    *starts, _ = _queue(draft, size)
    return Answer(0, frozenset(starts))


def _blocked_chain(draft: Draft, size: int) -> Answer:
    *_, end = _queue(draft, size)
    draft.fleet(THIRD, end)
    return Answer(0)


def _queue(draft: Draft, size: int) -> list[str]:
    """Let fleets follow each other along a path of seas; the first one depends on all others."""
    path = _path(draft, size + 1)
    for number, (at, goal) in enumerate(pairwise(path)):
        draft.fleet((ATTACKER, DEFENDER)[number % 2], at)
        draft.move(at, goal)
    return path


def _rotation(draft: Draft, size: int) -> Answer:
    return Answer(1, frozenset(_round(draft, size)))


def _attacked_rotation(draft: Draft, size: int) -> Answer:
    _round(draft, size)
    draft.fleet(THIRD, "A_0")
    draft.move("A_0", "S_0")
    return Answer(0)


def _round(draft: Draft, size: int) -> list[str]:
    """Let fleets chase each other round a ring of seas."""
    seas = [f"S_{i}" for i in range(size)]
    for number, (at, goal) in enumerate(zip(seas, (*seas[1:], seas[0]), strict=True)):
        draft.fleet((ATTACKER, DEFENDER)[number % 2], at)
        draft.move(at, goal)
    return seas


def _convoyed_rotation(draft: Draft, size: int) -> Answer:
    return Answer(1, frozenset(_ferried_round(draft, size)))


def _attacked_convoyed_rotation(draft: Draft, size: int) -> Answer:
    _ferried_round(draft, size)
    _attacked(draft, "S_0", "C_0", "D_0")
    return Answer(0, frozenset({"C_0"}), frozenset({"S_0"}))


def _ferried_round(draft: Draft, size: int) -> list[str]:
    """Let armies go round a ring of islands, each over the sea between two of them."""
    islands = [f"B_{i}" for i in range(size)]
    for i, at in enumerate(islands):
        draft.army((THIRD, DEFENDER)[i % 2], at)
        draft.fleet(CARRIER, f"S_{i}")
        draft.move(at, islands[(i + 1) % size])
    for i, at in enumerate(islands):
        draft.convoy((f"S_{(i + 1) % size}",), at)
    return islands


def _beleaguered(draft: Draft, size: int) -> Answer:
    draft.fleet(DEFENDER, "HUB")
    draft.hold("HUB")
    for i in range(size):
        power = (ATTACKER, THIRD, CARRIER)[i % 3]
        _attacked(draft, "HUB", f"I_{2 * i}", f"I_{2 * i + 1}", power)
    return Answer(0) if size > 1 else Answer(0, frozenset({"I_0"}), frozenset({"HUB"}))


# ---------------------------------------------------------------------- the table

_RING = {"ring": lambda size: f"ring-{size}"}
_SPREAD = {kind: _apart(kind) for kind in ("grid", "hex")} | _RING
_LONG = {kind: _rows(kind) for kind in ("grid", "hex")} | {"ring": lambda size: f"ring-{size + 1}"}

FAMILIES: Mapping[str, Family] = {
    family.name: family
    for family in (
        Family("paradoxes", "SIZE independent convoy paradoxes with two resolutions each", _paradoxes, _SPREAD),
        Family("cycle", "one cycle of SIZE convoys, each of which breaks the next", _cycle, _RING),
        Family(
            "interlocked",
            "SIZE cycles of three convoys each, woven into each other",
            _interlocked,
            {"ring": lambda size: f"ring-{3 * size}x{size}"},
        ),
        Family(
            "pandin",
            "a convoy paradox without a resolution, SIZE supports on either side",
            _pandin,
            {"hub": lambda size: f"hub-{2 * size + 3}"},
        ),
        Family("cut-chain", "SIZE convoys in a row, each of which breaks the next", _cut_chain, _RING),
        Family("routes", "an army over SIZE x SIZE fleets", _routes, {"grid": lambda size: f"grid-{size}x{size}"}),
        Family(
            "cut-routes",
            "the same with a line of SIZE + 1 fleets dislodged",
            _cut_routes,
            {"grid": lambda size: f"grid-{size + 1}x{size + 1}"},
        ),
        Family("chain", "SIZE fleets that follow each other into an empty sea", _chain, _LONG),
        Family("blocked-chain", "SIZE fleets that follow each other up to one that stays", _blocked_chain, _LONG),
        Family("rotation", "SIZE fleets that move round in a ring", _rotation, _RING, least=3),
        Family("attacked-rotation", "the same with an attack from outside", _attacked_rotation, _RING, least=3),
        Family("convoyed-rotation", "SIZE armies that move round by convoy", _convoyed_rotation, _RING, least=2),
        Family(
            "broken-rotation",
            "the same with one of the convoying fleets dislodged",
            _attacked_convoyed_rotation,
            _RING,
            least=2,
        ),
        Family(
            "beleaguered",
            "a garrison with SIZE equally strong attackers",
            _beleaguered,
            {"hub": lambda size: f"hub-{2 * size}"},
        ),
    )
}
"""The families by name."""
