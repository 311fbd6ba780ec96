"""Chains of fleets from shore to shore without a shortcut: from which no fleet can be left out (DATC 6.F.12, 6.G.19).

With the two shores such a chain is a chordless path, and whether one passes a given place is NP-complete in general
(Bienstock, Discrete Mathematics 90, 1991). The search here is exact. It ends at once where a shortest way to one shore
leaves a way to the other, as it does on most maps, and never looks where no chain leads at all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

__all__ = ["chain_through", "narrowed", "on_chains"]

Touches = Mapping[str, frozenset[str]]
"""Sea with a fleet -> the seas and coasts next to it."""


def on_chains(touches: Touches, start: str, end: str) -> set[str]:
    """Return the fleets on chains from shore to shore that pass no fleet twice, with or without shortcuts.

    They and the shores are the biconnected component of the line from `start` to `end`, were the two joined (Hopcroft
    and Tarjan, CACM 16, 1973): the walk begins at `end`, and what hangs on a single fleet is dropped.

    Args:
        touches: the fleets.
        start: a coastal province.
        end: another.
    """
    number: dict[str, int] = {start: 0, end: 1}
    lowest: dict[str, int] = {end: 0}
    stack: list[str] = []
    walk = [(end, iter([sea for sea, near in touches.items() if end in near]))]
    while walk:
        node, ahead = walk[-1]
        for other in ahead:
            if other not in number:
                if other in touches:
                    number[other] = lowest[other] = len(number)
                    stack.append(other)
                    walk.append((other, iter(touches[other])))
                    break
            elif number[other] < lowest[node]:
                lowest[node] = number[other]
        else:
            walk.pop()
            if walk:
                parent = walk[-1][0]
                if lowest[node] >= number[parent]:
                    while stack.pop() != node:
                        pass
                elif lowest[node] < lowest[parent]:
                    lowest[parent] = lowest[node]
    return set(stack)


def narrowed(touches: Touches, start: str, end: str) -> tuple[set[str], Touches, str, str]:
    """Narrow the search for chains without a shortcut.

    A fleet that touches both shores is a chain, and makes a shortcut in any other. Where only one fleet of those that
    are left touches a shore all other chains pass it, and its sea is as good as that shore.

    Args:
        touches: the fleets.
        start: a coastal province.
        end: another.

    Returns:
        Fleets found on such chains; those that still may be on one, and the two places that it has to join.
    """
    found: set[str] = set()
    size = len(touches) + 1
    while len(touches) < size:
        size = len(touches)
        shores = frozenset((start, end))
        found.update(sea for sea, near in touches.items() if shores <= near)
        touches = {sea: near for sea, near in touches.items() if not shores <= near}
        places = shores.union(touches)
        touches = _crossable({sea: touches[sea] & places for sea in on_chains(touches, start, end)})
        for shore in (start, end):
            gates = [sea for sea, near in touches.items() if shore in near]
            if len(gates) == 1:
                found.update(gates)
                near = touches.pop(gates[0])
                start, end = (gates[0] if place == shore else place for place in (start, end))
                if start in near or end in near:  # the two places meet: no chain is longer
                    return found, {}, start, end
    return found, touches, start, end


def _crossable(touches: Touches) -> dict[str, frozenset[str]]:
    """Return the fleets without those where all that is next to them touches each other: they make a detour.

    What is left without such a fleet is looked at in the same way.

    Args:
        touches: the fleets; of the coasts next to them only the two shores.
    """
    left = dict(touches)
    work = list(left)
    while work:
        sea = work.pop()
        if sea in left:
            near = [other for other in left[sea] if other in left]
            shores = [other for other in left[sea] if other not in touches]
            if all(other in left[one] for one in near for other in (*near, *shores) if other != one):
                del left[sea]
                work += near
    return left


def chain_through(touches: Touches, sea: str, start: str, end: str) -> list[str] | None:
    """Return a chain without a shortcut that passes a fleet, None where there is none.

    Grows the part from the fleet to `start`, shortest parts first, as long as both shores stay within reach. A shortest
    way to one shore that leaves a way to the other ends the search.

    Args:
        touches: the fleets.
        sea: where the fleet is.
        start: province of the army.
        end: province that it is to reach.
    """
    walk = deque([[sea]])
    while walk:
        part = walk.popleft()
        last, closed = part[-1], _beside(touches, part[:-1]).union(part)
        home = _way(touches, last, start, closed, end)
        if home is None:
            continue
        whole = [*part, *home[1:]]
        away = _way(touches, sea, end, _beside(touches, whole[1:]).union(whole), start)
        if away is not None:
            return [*reversed(whole), *away[1:]]
        away = _way(touches, sea, end, _beside(touches, part[1:]).union(part), start)
        if away is None:
            continue
        home = _way(touches, last, start, closed.union(away, _beside(touches, away[1:])), end)
        if home is not None:
            return [*reversed([*part, *home[1:]]), *away[1:]]
        if start not in touches[last]:
            ahead = sorted(other for other in touches[last] if other in touches and other not in closed)
            walk += [[*part, other] for other in ahead if end not in touches[other]]
    return None


def _beside(touches: Touches, fleets: Iterable[str]) -> set[str]:
    """Return what is next to any of some fleets."""
    return set().union(*(touches[sea] for sea in fleets))


def _way(touches: Touches, sea: str, shore: str, closed: set[str], other_shore: str) -> list[str] | None:
    """Return a shortest chain from a fleet to a shore, over no closed sea and none that touches the other shore."""
    before: dict[str, str] = {sea: sea}
    reached = [sea]
    for at in reached:  # grows while it is walked
        if shore in touches[at]:
            chain = [at]
            while at != sea:
                at = before[at]
                chain.append(at)
            return chain[::-1]
        for other in touches[at]:
            if other in touches and other not in before and other not in closed and other_shore not in touches[other]:
                before[other] = at
                reached.append(other)
    return None
