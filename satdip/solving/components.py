"""Cores: the strongly connected components of the undecided decisions that ask for no other undecided one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

__all__ = ["components", "cores"]


def cores(asks: Mapping[int, Iterable[int]]) -> Iterator[tuple[int, ...]]:
    """Find the cores: the strongly connected components that ask for nothing outside, each as sorted order indices.

    Args:
        asks: order -> those that it asks for, each of which is there too (`satdip.solving.closure.asked`).
    """
    found = [c for c in components(asks) if all(other in c for index in c for other in asks[index])]
    for component in sorted(found, key=min):
        yield tuple(sorted(component))


def components(asks: Mapping[int, Iterable[int]]) -> Iterator[set[int]]:
    """Find the strongly connected components of a graph (Tarjan, SIAM J. Comput. 1, 1972), without recursion."""
    number: dict[int, int] = {}
    lowest: dict[int, int] = {}
    stack: list[int] = []
    finished: set[int] = set()
    for root in asks:
        walk = [] if root in number else [(root, iter(asks[root]))]
        while walk:
            node, others = walk[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                stack.append(node)
            for other in others:
                if other not in number:
                    walk.append((other, iter(asks[other])))
                    break
                if other not in finished:
                    lowest[node] = min(lowest[node], number[other])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    component = {stack.pop()}
                    while node not in component:
                        component.add(stack.pop())
                    finished |= component
                    yield component
