"""A movement phase, order by order.

Every order works or does not work: a move arrives, a support is given, a convoy is available. At first nothing is
known. An order is judged by the least and the greatest force that each side can still turn out to have; what the
decided orders leave open stays open until more is known. Orders that wait for each other in a ring are the only ones
that are never decided so: a ring of moves is a circular movement and succeeds, a ring through convoys is a convoy
paradox and its convoys are disrupted (the Szykman rule, DATC 4.A.2 f).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .map import RefMap
from .orders import Board, Intent

Bounds = tuple[int, int]


@dataclass(frozen=True)
class RefResult:
    """The outcome of a movement phase; units are named by their location, as in ``STP/SC``.

    Attributes:
        moves: from -> to, the moves that succeed.
        dislodged: the units that are driven out, with the locations that they may retreat to.
        supports: for each unit whose order is a legal support, whether it is given (False when it matches nothing).
        convoys: for each unit whose order is a legal convoy, whether it is available (False when it matches nothing).
        legal: for each unit, False when it had orders but no legal one.
        contested: provinces left empty by a stand-off.
        rotations: the circular movements, each as the set of its units.
        paradoxes: the convoy paradoxes, each as the set of the units in the ring.
    """

    moves: dict[str, str]
    dislodged: dict[str, frozenset[str]]
    supports: dict[str, bool]
    convoys: dict[str, bool]
    legal: dict[str, bool]
    contested: frozenset[str]
    rotations: tuple[frozenset[str], ...]
    paradoxes: tuple[frozenset[str], ...]


def adjudicate(map_: RefMap, units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]]) -> RefResult:
    """Adjudicate a movement phase by the rules that the DATC prefers.

    Args:
        map_: the borders.
        units: ``{"FRANCE": ["A PAR", "F STP/SC"]}``.
        orders: ``{"FRANCE": ["A PAR - BUR", "F STP/SC S A FIN"]}``; the first legal order of a unit counts, orders to
            units of another power are ignored.
    """
    board = Board(map_, units)
    phase = _Phase(board, board.intents(orders))
    phase.settle(range(len(board.units)))
    while phase.waiting:
        phase.break_ring()
    return phase.result()


@dataclass(frozen=True)
class RefFate:
    """What becomes of a phase some of whose orders come out in a given way, whatever would have become of them.

    Attributes:
        works: for each unit, whether its order works; a hold does.
        dislodged: the units that are driven out.
        possible: whether no move was made to work that cannot: without a way, or against a unit of its own power.
    """

    works: dict[str, bool]
    dislodged: frozenset[str]
    possible: bool


def adjudicate_fixed(
    map_: RefMap, units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]], fixed: Mapping[str, bool]
) -> RefFate:
    """Adjudicate a movement phase as `adjudicate` does; `fixed` says which orders come out in a given way."""
    board = Board(map_, units)
    phase = _Phase(board, board.intents(orders))
    for index, unit in enumerate(board.units):
        phase.works[index] = fixed.get(unit.location)
    phase.settle(range(len(board.units)))
    while phase.waiting:
        phase.break_ring()
    return phase.fate([index for index, unit in enumerate(board.units) if fixed.get(unit.location)])


class _Phase:
    """The orders of all units, who stands against whom, and what has been decided."""

    def __init__(self, board: Board, intents: list[Intent]) -> None:
        self.board = board
        self.units = board.units
        self.intents = intents
        self.works: list[bool | None] = [None] * len(intents)
        self.waiting: dict[int, frozenset[int]] = {}
        self.rotations: list[frozenset[int]] = []
        self.paradoxes: list[frozenset[int]] = []
        self._asked: set[int] = set()

        self.attackers: dict[str, list[int]] = defaultdict(list)
        self.backers: dict[int, list[int]] = defaultdict(list)
        self.void: set[int] = set()
        carriers: dict[int, list[int]] = defaultdict(list)
        for index, intent in enumerate(intents):
            if intent.kind == "move":
                self.attackers[intent.zone].append(index)
            elif intent.kind != "hold" and not self._matches(intent):
                self.void.add(index)
            elif intent.kind == "support":
                self.backers[intent.subject].append(index)
            elif intent.kind == "convoy":
                carriers[intent.subject].append(index)
        self.at_sea = {
            index: self._ordered_routes(index, carriers[index])
            for index, intent in enumerate(intents)
            if intent.kind == "move" and self._goes_by_sea(index, carriers[index])
        }

    # Who does what: this is known from the orders alone.

    def _matches(self, intent: Intent) -> bool:
        """Return whether the supported or convoyed unit does what the order says."""
        other = self.intents[intent.subject]
        if intent.in_place:
            return other.kind != "move"
        # A coast in a support must be the coast of the move (6.B.9); none stands for any.
        return other.kind == "move" and intent.target in (other.target, other.zone)

    def _goes_by_sea(self, index: int, carriers: list[int]) -> bool:
        """Return whether a move is by convoy: to a neighbour if it, or a fleet of its own power, says so (4.A.3 d)."""
        unit, intent = self.units[index], self.intents[index]
        if not unit.is_army:
            return False
        on_foot = intent.zone in self.board.map.army[unit.home]
        return not on_foot or intent.via or any(self.units[fleet].power == unit.power for fleet in carriers)

    def _ordered_routes(self, index: int, carriers: list[int]) -> list[frozenset[int]]:
        ready = frozenset(carriers)
        return [
            route for route in self.board.routes(self.units[index].home, self.intents[index].zone) if route <= ready
        ]

    def _occupant(self, province: str) -> int | None:
        return self.board.at.get(province)

    def _moves(self, index: int) -> bool:
        return self.intents[index].kind == "move"

    def _head_to_head(self, one: int, other: int) -> bool:
        """Return whether two units move against each other over the same border; a convoy goes round it."""
        return (
            self._moves(one)
            and self._moves(other)
            and self.intents[one].zone == self.units[other].home
            and self.intents[other].zone == self.units[one].home
            and one not in self.at_sea
            and other not in self.at_sea
        )

    # What is known so far. None: not yet.

    def _ask(self, index: int) -> bool | None:
        """Return whether an order works, if that is known; remember that somebody wanted to know."""
        answer = self.works[index]
        if answer is None:
            self._asked.add(index)
        return answer

    def _under_way(self, index: int) -> bool | None:
        """Whether an attack gets to its destination at all: on foot always, by sea if one route is whole (4.A.1 b)."""
        if index not in self.at_sea:
            return True
        unbroken = [route for route in self.at_sea[index] if all(self.works[fleet] is not False for fleet in route)]
        if any(all(self.works[fleet] for fleet in route) for route in unbroken):
            return True
        for fleet in frozenset().union(*unbroken):
            self._ask(fleet)
        return None if unbroken else False

    def _force(self, index: int, without: str | None = None) -> Bounds:
        """Return the least and the greatest force of a unit with its supports, leaving out those of one power."""
        least = most = 1
        for backer in self.backers[index]:
            if self.units[backer].power != without:
                given = self._ask(backer)
                least += given is True
                most += given is not False
        return least, most

    # The judgements.

    def _judge(self, index: int) -> bool | None:
        kind = self.intents[index].kind
        if index in self.void:
            return False
        if kind == "move":
            return self._judge_move(index)
        if kind == "support":
            return self._judge_support(index)
        if kind == "convoy":
            return self._judge_convoy(index)
        return True

    def _judge_convoy(self, fleet: int) -> bool | None:
        """Judge a convoy: the fleet carries unless it is driven out, being attacked is not enough (6.F.4)."""
        arrivals = [self._ask(attacker) for attacker in self.attackers[self.units[fleet].home]]
        if True in arrivals:
            return False
        return None if None in arrivals else True

    def _judge_support(self, index: int) -> bool | None:
        """Judge a support: any foreign attack cuts it, but one from where it is aimed at must drive the unit out."""
        unit, aim = self.units[index], self.intents[index].zone
        cuts = [
            self._ask(attacker) if self.units[attacker].home == aim else self._under_way(attacker)
            for attacker in self.attackers[unit.home]
            if self.units[attacker].power != unit.power
        ]
        if True in cuts:
            return False
        return None if None in cuts else True

    def _judge_move(self, index: int) -> bool | None:
        """Judge a move: it must be under way, and beat the unit in the province and everyone else who goes there."""
        under_way = self._under_way(index)
        if under_way is False:
            return False
        occupant = self._occupant(self.intents[index].zone)
        if occupant is None:
            wins = self._wins(index, None, leaves=False)
        elif not self._moves(occupant) or self._head_to_head(index, occupant):
            wins = self._wins(index, occupant, leaves=False)
        else:
            leaves = self._ask(occupant)
            if leaves is None:
                empty, held = (self._wins(index, occupant, leaves=choice) for choice in (True, False))
                wins = empty if empty == held else None
            else:
                wins = self._wins(index, occupant, leaves=leaves)
        return None if wins and under_way is None else wins

    def _wins(self, index: int, occupant: int | None, *, leaves: bool) -> bool | None:
        """Whether an attack that is under way beats all who stand against it, if the occupant leaves or does not."""
        spared = None
        against: list[Bounds] = []
        if occupant is not None and not leaves:
            spared = self.units[occupant].power
            if spared == self.units[index].power:
                return False
            against.append(self._resistance(index, occupant))
        for rival in self.attackers[self.intents[index].zone]:
            # Who loses a head-to-head battle has no effect on the province that the winner came from (6.E.1).
            beaten = leaves and occupant is not None and self._head_to_head(rival, occupant)
            if rival != index and not beaten:
                against.append(self._rivalry(rival))
        # Nobody helps to drive out a unit of his own power (6.D.12), but his support counts against others (6.E.12).
        least, most = self._force(index, without=spared)
        if any(low >= most for low, _ in against):
            return False
        return True if all(high < least for _, high in against) else None

    def _resistance(self, attacker: int, occupant: int) -> Bounds:
        """Return the force with which a unit that does not leave resists.

        Head-to-head that is its whole attack. When it tried to go elsewhere it is alone, for it cannot be supported in
        place then. Otherwise it has the supports that it gets in place.
        """
        if self._moves(occupant) and not self._head_to_head(attacker, occupant):
            return 1, 1
        return self._force(occupant)

    def _rivalry(self, rival: int) -> Bounds:
        """Return the force with which an attack keeps others out of the same province: none without its convoy."""
        under_way = self._under_way(rival)
        if under_way is False:
            return 0, 0
        least, most = self._force(rival)
        return (least if under_way else 0), most

    # Deciding, until nothing changes.

    def settle(self, open_orders: Sequence[int]) -> None:
        """Judge the given orders, and again whatever waited for one that is decided."""
        todo = list(open_orders)
        while todo:
            index = todo.pop()
            if self.works[index] is not None:
                continue
            self._asked = set()
            verdict = self._judge(index)
            if verdict is None:
                self.waiting[index] = frozenset(self._asked)
            else:
                todo += self._decide(index, verdict=verdict)

    def _decide(self, index: int, *, verdict: bool) -> list[int]:
        """Record a decision; return the orders that waited for it."""
        self.works[index] = verdict
        self.waiting.pop(index, None)
        return [waiter for waiter, wanted in self.waiting.items() if index in wanted]

    def break_ring(self) -> None:
        """Decide one ring of orders that wait only for each other."""
        ring = self._ring()
        freed: list[int] = []
        if all(self._moves(index) for index in ring):
            self.rotations.append(ring)
            for index in ring:
                freed += self._decide(index, verdict=True)
        else:
            self.paradoxes.append(ring)
            convoys = [index for index in ring if self.intents[index].kind == "convoy"]
            if not convoys:
                raise RuntimeError(f"a ring of orders without a convoy: {sorted(self._names(ring))}")
            for index in convoys:
                freed += self._decide(index, verdict=False)
        self.settle(freed)

    def _ring(self) -> frozenset[int]:
        """Find undecided orders that all wait for each other and for nothing else."""
        awaited = self._awaited(next(iter(self.waiting)))
        while True:
            deeper = next((there for there in map(self._awaited, awaited) if there < awaited), None)
            if deeper is None:
                return awaited
            awaited = deeper

    def _awaited(self, index: int) -> frozenset[int]:
        """Everything that an undecided order waits for, directly or through others."""
        seen: set[int] = set()
        todo = [index]
        while todo:
            fresh = self.waiting[todo.pop()] - seen
            seen |= fresh
            todo += fresh
        return frozenset(seen)

    # The outcome on the board.

    def result(self) -> RefResult:
        """Describe the outcome when all is decided."""
        names = [unit.location for unit in self.units]
        arrived = {self.intents[index].zone: index for index in range(len(names)) if self._arrives(index)}
        driven_out = {
            loser: winner
            for province, winner in arrived.items()
            if (loser := self._occupant(province)) is not None and not self._arrives(loser)
        }
        left = {unit.home for index, unit in enumerate(self.units) if self._arrives(index)}
        occupied = (self.board.at.keys() - left) | arrived.keys()
        contested = frozenset(
            province for province in self.attackers if province not in occupied and self._stand_off(province)
        )
        return RefResult(
            moves={names[index]: self.intents[index].target for index in arrived.values()},
            dislodged={
                names[loser]: self._retreats(loser, winner, occupied | contested)
                for loser, winner in driven_out.items()
            },
            supports=self._outcomes("support"),
            convoys=self._outcomes("convoy"),
            legal={name: intent.legal for name, intent in zip(names, self.intents, strict=True)},
            contested=contested,
            rotations=tuple(self._names(ring) for ring in self.rotations),
            paradoxes=tuple(self._names(ring) for ring in self.paradoxes),
        )

    def fate(self, forced: Sequence[int]) -> RefFate:
        """Describe the outcome when all is decided, some orders having been made to work."""
        winners = [index for index in range(len(self.units)) if self._arrives(index)]
        losers = {index: self._occupant(self.intents[index].zone) for index in winners}
        driven = {index: loser for index, loser in losers.items() if loser is not None and not self._arrives(loser)}
        own = [index for index, loser in driven.items() if self.units[loser].power == self.units[index].power]
        stuck = [index for index in forced if self._moves(index) and not self._under_way(index)]
        return RefFate(
            works={unit.location: self.works[index] is True for index, unit in enumerate(self.units)},
            dislodged=frozenset(self.units[loser].location for loser in driven.values()),
            possible=not stuck and not set(own).intersection(forced),
        )

    def _arrives(self, index: int) -> bool:
        return self._moves(index) and self.works[index] is True

    def _names(self, ring: frozenset[int]) -> frozenset[str]:
        return frozenset(self.units[index].location for index in ring)

    def _outcomes(self, kind: str) -> dict[str, bool]:
        return {
            unit.location: self.works[index] is True
            for index, unit in enumerate(self.units)
            if self.intents[index].kind == kind
        }

    def _stand_off(self, province: str) -> bool:
        """Whether an attack on a province that stays empty was real: under way, and not beaten head-to-head."""
        occupant = self._occupant(province)
        return any(
            self._under_way(index) and not (occupant is not None and self._head_to_head(index, occupant))
            for index in self.attackers[province]
        )

    def _retreats(self, loser: int, winner: int, closed: set[str] | frozenset[str]) -> frozenset[str]:
        """Where a dislodged unit may go: not where the attacker came from, unless it came by sea (4.A.5 b)."""
        unit, map_ = self.units[loser], self.board.map
        if winner not in self.at_sea:
            closed = closed | {self.units[winner].home}
        if unit.is_army:
            return map_.army[unit.home] - closed
        return frozenset(place for place in map_.fleet[unit.location] if place.partition("/")[0] not in closed)
