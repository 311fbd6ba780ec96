"""Where things go in a picture: positions from distances, and positions pushed apart."""

from __future__ import annotations

from cmath import exp, pi
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations, pairwise

from satdip.drawing.lines import direction

__all__ = ["by_distances", "gathered", "scaled", "spread"]

Places = Mapping[str, complex]


def by_distances(nodes: Sequence[str], neighbours: Mapping[str, Collection[str]], rounds: int = 60) -> Places:
    """Place the nodes of a graph so that the more steps lie between two, the farther apart they are.

    Stress majorisation (Gansner, Koren and North, "Graph Drawing by Stress Majorization", 2004), without randomness.

    Args:
        nodes: the nodes to place.
        neighbours: node -> the nodes one step away; paths may lead over nodes that are not placed.
        rounds: how often every node is moved.
    """
    steps = {node: _steps(node, nodes, neighbours) for node in nodes}
    # A start on a spiral: no three points in a line, none in the same place.
    places = {node: (1 + 0.1 * i) * exp(2.4j * i) for i, node in enumerate(nodes)}
    for _ in range(rounds):
        for node in nodes:
            pull, weight = 0j, 0.0
            for other, ideal in steps[node].items():
                share = ideal**-2
                pull += share * (places[other] + ideal * direction(places[other], places[node]))
                weight += share
            if weight:
                places[node] = pull / weight
    return places


def _steps(start: str, wanted: Sequence[str], neighbours: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Count the steps from a node to the others that are wanted; what cannot be reached counts as far away."""
    missing, seen, frontier, steps, found = set(wanted) - {start}, {start}, [start], 0, {}
    while frontier and missing:
        steps += 1
        frontier = sorted({other for node in frontier for other in neighbours[node]} - seen)
        seen.update(frontier)
        found.update(dict.fromkeys(missing.intersection(frontier), steps))
        missing.difference_update(frontier)
    return {node: found.get(node, steps + 2) for node in wanted if node != start}


def scaled(places: Places, gap: float) -> Places:
    """Enlarge or shrink a picture until three of four nodes are at least `gap` from the next."""
    others = ((point, [other for key, other in places.items() if key != node]) for node, point in places.items())
    nearest = sorted(min((abs(point - other) for other in rest), default=0) for point, rest in others)
    usual = nearest[len(nearest) // 4] if nearest else 0
    return {node: point * gap / usual for node, point in places.items()} if usual else dict(places)


def gathered(places: Places, gap: float, kept: float = 0.3) -> Places:
    """Draw distant parts together: of an empty strip across or down the picture, little more than `gap` remains."""
    across = _strips({point.real for point in places.values()}, gap, kept)
    down = _strips({point.imag for point in places.values()}, gap, kept)
    return {node: complex(across[point.real], down[point.imag]) for node, point in places.items()}


def _strips(values: Iterable[float], gap: float, kept: float) -> dict[float, float]:
    """Return coordinate -> new coordinate."""
    ordered = sorted(values)
    moved = dict(zip(ordered[:1], ordered[:1], strict=True))
    for before, value in pairwise(ordered):
        strip = value - before
        moved[value] = moved[before] + min(strip, gap + kept * max(0, strip - gap))
    return moved


def spread(places: Places, gap: float, rounds: int = 200) -> Places:
    """Push nodes apart that are nearer to each other than `gap`, the others as little as possible."""
    moved = dict(places)
    for turn in range(rounds):
        pairs = [(a, b) for a, b in combinations(moved, 2) if abs(moved[a] - moved[b]) < gap - 1]
        if not pairs:
            break
        for a, b in pairs:
            apart = moved[b] - moved[a]
            # Two in the same place part along a direction of their own.
            way = apart / abs(apart) if apart else exp(2j * pi * (turn + 1) / 7)
            push = 0.3 * max(0, gap - abs(apart)) * way
            moved[a] -= push
            moved[b] += push
    return moved
