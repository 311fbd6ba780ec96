"""What becomes of a phase when some of its orders come out in another way.

A *world* gives every order a fate: it stands and obeys its equation, its unit holds instead, or it works or fails for
whatever reason. The phase is adjudicated with these fates, paradox rule included. What was found can be asked which
fates it needs: the decisions are made once more, each with what its equation asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from satdip.check.result import reference
from satdip.encodings.movement import equation
from satdip.encodings.reading import FALSE, NO_RULING, TRUE, UNKNOWN, Indexed, Ruling, ThreeValued
from satdip.encodings.rotations import cycles, turns
from satdip.encodings.situation import HoldNode, MoveNode, Node, Situation
from satdip.phase.orders import Hold
from satdip.rulebook import Paradox
from satdip.solving.decide import decide
from satdip.solving.verdict import Core, Verdict

__all__ = ["Fate", "Fates", "FatesReading", "World", "threat"]


class Fate(StrEnum):
    """What is laid down about an order."""

    KEPT = "kept"
    """It was given, and its equation holds."""
    GIVEN = "given"
    """It was given: all that a reason needs to know of some orders."""
    ABSENT = "absent"
    """Its unit holds instead."""
    WORKS = "works"
    """It was given and works, whatever its equation says."""
    FAILS = "fails"
    """It was given and fails, whatever its equation says."""


Fates = Mapping[int, Fate]
"""Order index -> fate; an order that is not named is kept."""

FIXED: Mapping[Fate, int] = {Fate.ABSENT: FALSE, Fate.WORKS: TRUE, Fate.FAILS: FALSE}


class FatesReading(ThreeValued):
    """The three-valued reading of a phase in which some units hold instead; it notes what is asked.

    Args:
        values: order index -> value.
        absent: the orders that were not given.
        situation: the orders.
        ruling: what a paradox rule has laid down.
    """

    __slots__ = ("absent", "asked_decisions", "asked_orders")

    def __init__(
        self, values: list[int], absent: Collection[int], situation: Situation, ruling: Ruling = NO_RULING
    ) -> None:
        super().__init__(values, situation.rules, ruling)
        self.absent = absent
        self.asked_orders: set[int] = set()
        self.asked_decisions: set[int] = set()

    def ordered(self, node: Indexed) -> int:
        """Return FALSE for an order that was not given."""
        self.asked_orders.add(node.index)
        return FALSE if node.index in self.absent else TRUE

    def decision(self, node: Indexed) -> int:
        """Return the value decided so far."""
        self.asked_decisions.add(node.index)
        return self.values[node.index]


Question = Callable[[FatesReading], int]
"""What is asked about a world: a literal of a reading."""


class World:
    """A movement phase with its fates, adjudicated.

    Args:
        situation: the orders, one per unit.
        fates: what is laid down about some of them.
    """

    def __init__(self, situation: Situation, fates: Fates) -> None:
        self.situation, self.fates = situation, fates
        self.absent = frozenset(index for index, fate in fates.items() if fate == Fate.ABSENT)
        self.fixed = {index: FIXED[fate] for index, fate in fates.items() if fate in FIXED}
        self.verdict = self._decide()
        self.reading = self._read(self._values(self.verdict.values), self.verdict.ruling)

    def _decide(self) -> Verdict:
        situation = self.situation
        orders = [
            (node.piece.unit, Hold(reference(node.piece.unit)) if node.index in self.absent else node.order)
            for node in situation.nodes
        ]
        pieces = situation.pieces.items()
        unsupportable = [at for at, piece in pieces if not piece.supportable]
        units = [piece.unit for _, piece in pieces]
        laid_down = {index: value for index, value in self.fixed.items() if index not in self.absent}
        return decide(Situation(situation.board, units, orders, situation.rules, unsupportable), fixed=laid_down)

    def _values(self, decided: Iterable[int]) -> list[int]:
        """Return the decisions as the situation of all orders has them: one that was not given does not work."""
        return [FALSE if index in self.absent else value for index, value in enumerate(decided)]

    def _read(self, values: list[int], ruling: Ruling) -> FatesReading:
        return FatesReading(values, self.absent, self.situation, ruling)

    def answer(self, question: Question) -> int:
        """Return the answer to a question; UNKNOWN where the rules give none."""
        return question(self.reading)

    def needed(self, question: Question) -> Fates:
        """Return fates that alone lead to the answer of a question, whatever those of the others are."""
        ruling = self.verdict.ruling
        first = _Remade(self, Ruling(vetoes=frozenset(ruling.routes)), ()) if ruling.routes else None
        cores = [core for core in self.verdict.cores if not core.left_open]
        remade = _Remade(self, Ruling(routes=ruling.routes), cores)
        if not remade.answers(question, self.answer(question)):
            return self.fates
        found = remade.fates_behind(question)
        return found if self.situation.rules.paradox != Paradox.BILLE else self._with_routes(found, first)

    def _with_routes(self, found: dict[int, Fate], first: _Remade | None) -> Fates:
        """Return the fates together with those that lead to Bille's routes; his first stage is made once more."""
        if first is not None:
            first.close()
        waiting, seen = list(found), set(found)
        while waiting:
            node = self.situation.nodes[waiting.pop()]
            if not isinstance(node, MoveNode) or node.sea == FALSE:
                continue
            more: dict[int, Fate] = {}
            if first is not None and node.index in self.verdict.ruling.routes:
                fleets = {fleet.index for fleet in node.fleets}
                if any(first.known[index] == UNKNOWN for index in fleets):
                    return self.fates
                more = first.fates_of(_Basis(fleets, fleets))
            for index in threat(node):
                more.setdefault(index, self.given(index))
            for index, fate in more.items():
                if found.get(index, Fate.GIVEN) == Fate.GIVEN:
                    found[index] = fate
            waiting += more.keys() - seen
            seen |= more.keys()
        return found

    def given(self, index: int) -> Fate:
        """Return whether an order was given."""
        return Fate.ABSENT if index in self.absent else Fate.GIVEN


def threat(army: MoveNode) -> set[int]:
    """Return the orders by which Bille sees whether the fleets of an army are attacked."""
    attackers = [m for fleet in army.fleets for m in fleet.piece.attackers]
    orders = [army, *army.fleets, *attackers, *(fleet for m in attackers for fleet in m.fleets)]
    return {node.index for node in orders}


class _PartReading(FatesReading):
    """The reading of a world in which only some decisions and orders are known."""

    __slots__ = ("decisions", "orders")

    def __init__(self, whole: FatesReading, situation: Situation, basis: _Basis) -> None:
        super().__init__(whole.values, whole.absent, situation, basis.ruling)
        self.decisions, self.orders = set(basis.decisions), set(basis.orders)

    def ordered(self, node: Indexed) -> int:
        """Return whether the order was given, where that is known."""
        return super().ordered(node) if node.index in self.orders else UNKNOWN

    def decision(self, node: Indexed) -> int:
        """Return the decision where it is known."""
        return self.values[node.index] if node.index in self.decisions else UNKNOWN


@dataclass
class _Basis:
    """What an answer rests on.

    Args:
        decisions: the decisions.
        orders: the orders that were given, or were not.
        question: what was answered by these; None where they settled a knot.
        ruling: what the paradox rule had laid down by then.
    """

    decisions: set[int]
    orders: set[int]
    question: Question | None = None
    ruling: Ruling = NO_RULING


class _Remade:
    """The decisions of a world made once more, with what each of them needs.

    Args:
        world: the world.
        ruling: what is laid down before.
        cores: the knots that were settled, in that sequence.
    """

    def __init__(self, world: World, ruling: Ruling, cores: Sequence[Core]) -> None:
        self.world, self.situation, self.cores = world, world.situation, cores
        self.nodes = world.situation.nodes
        self.known = [TRUE if isinstance(node, HoldNode) else UNKNOWN for node in self.situation.nodes]
        for index, value in world.fixed.items():
            self.known[index] = value
        self.reading = FatesReading(self.known, world.absent, self.situation, ruling)
        self.open = [node for node in self.situation.decisions() if self.known[node.index] == UNKNOWN]
        self.basis: dict[int, _Basis] = {}

    def answers(self, question: Question, answer: int) -> bool:
        """Decide until a question is answered as it was; return whether it comes to that."""
        while self._ask(question) != answer:
            if not (self._evaluate() or self._settle()):
                return False
        return True

    def close(self) -> None:
        """Decide what the equations decide."""
        while self._evaluate():
            pass

    def fates_behind(self, question: Question) -> dict[int, Fate]:
        """Return the fates that the answer to a question rests on."""
        self._ask(question)
        return self.fates_of(self._lean(self._asked(question)))

    def _ask(self, question: Question) -> int:
        self.reading.asked_orders.clear()
        self.reading.asked_decisions.clear()
        return question(self.reading)

    def _asked(self, question: Question | None = None) -> _Basis:
        """Return the known decisions and the orders that were asked for; a veto is asked for with its order."""
        asked, ruling = self.reading, self.reading.ruling
        vetoed = (asked.asked_orders | asked.asked_decisions) & ruling.vetoes
        decisions = {index for index in asked.asked_decisions if self.known[index] != UNKNOWN}
        return _Basis(decisions | vetoed, set(asked.asked_orders), question, ruling)

    def _lean(self, basis: _Basis) -> _Basis:
        """Return a basis without what its answer does not need."""
        question = basis.question
        if question is None:
            return basis
        part = _PartReading(self.reading, self.situation, basis)
        answer = question(part)
        ruled = basis.ruling.vetoes.union(basis.ruling.routes)  # asked for without a word
        for known in (part.decisions, part.orders):
            for index in sorted(known - ruled):
                known.discard(index)
                if question(part) != answer:
                    known.add(index)
        return _Basis(part.decisions, part.orders)

    def _evaluate(self) -> bool:
        """Decide what the equations decide."""
        before = len(self.open)
        for node in self.open:
            question = partial(_equation, node=node)
            value = self._ask(question)
            if value != UNKNOWN:
                self.known[node.index] = value
                self.basis[node.index] = self._asked(question)
        self.open = [node for node in self.open if self.known[node.index] == UNKNOWN]
        return len(self.open) < before

    def _settle(self) -> bool:
        """Decide the next core, as it was decided."""
        for core in self.cores:
            if all(self.known[node.index] == UNKNOWN for node in core.nodes):
                self._settle_core(core)
                self.open = [node for node in self.open if self.known[node.index] == UNKNOWN]
                return True
        return False

    def _settle_core(self, core: Core) -> None:
        nodes = self._of_all_orders(core.nodes)
        self._ask(lambda x: self._looked_at(x, nodes))
        basis = self._asked()
        basis.decisions |= {node.index for node in nodes}  # the core is one because they are kept
        for node in self._of_all_orders(core.vetoed) or nodes:
            before = self.basis.get(node.index, _Basis(set(), set()))
            self.basis[node.index] = _Basis(before.decisions | basis.decisions, before.orders | basis.orders)
            self.known[node.index] = self.world.reading.values[node.index]
        if core.vetoed:
            vetoes = self.reading.ruling.vetoes.union(node.index for node in core.vetoed)
            self.reading.ruling = replace(self.reading.ruling, vetoes=vetoes)

    def _of_all_orders(self, nodes: Iterable[Node]) -> list[Node]:
        """Return orders of the world as they stand among all: there they see those that were not given, too."""
        return [self.nodes[node.index] for node in nodes]

    def _looked_at(self, x: FatesReading, nodes: Sequence[Node]) -> int:
        """Evaluate everything that the formula of a core has, for what it asks."""
        for node in nodes:
            equation(x, node)
        for ring in cycles(self.situation, [node for node in nodes if isinstance(node, MoveNode)]):
            turns(x, ring)
        return TRUE

    def fates_of(self, basis: _Basis) -> dict[int, Fate]:
        """Return the fates that a basis rests on."""
        found: dict[int, Fate] = {}
        waiting, seen, given = list(basis.decisions), set(basis.decisions), set(basis.orders)
        while waiting:
            index = waiting.pop()
            if isinstance(self.situation.nodes[index], HoldNode):
                continue
            found[index] = self.world.fates.get(index, Fate.KEPT)
            if found[index] == Fate.KEPT and index in self.basis:
                own = self._lean(self.basis[index])
                given |= own.orders
                waiting += own.decisions - seen
                seen |= own.decisions
        for index in given - found.keys():
            if not isinstance(self.situation.nodes[index], HoldNode):
                found[index] = self.world.given(index)
        return found


def _equation(x: FatesReading, node: Node) -> int:
    return equation(x, node)
