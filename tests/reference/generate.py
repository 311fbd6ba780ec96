"""Random positions with orders, the same for the same seed: uniform, coherent, and dense fights round the seas."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from .map import RefMap, province_of

Position = tuple[dict[str, list[str]], dict[str, list[str]]]

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def uniform(rng: random.Random, map_: RefMap) -> Position:
    """5 to 34 units of several powers; orders of every kind, most of them legal, few of them matching others."""
    draft = _random_board(rng, map_)
    for home in list(draft.units):
        if rng.random() < 0.95:
            draft.order(home, draft.any_order(home))
        if rng.random() < 0.05:
            draft.order(home, draft.any_order(home))
        if rng.random() < 0.03:
            draft.order(home, draft.any_order(home), power=rng.choice(draft.powers))
    return draft.position()


def coherent(rng: random.Random, map_: RefMap) -> Position:
    """5 to 34 units of several powers; supports and convoys are for what the other units do."""
    draft = _random_board(rng, map_)
    draft.fill_in(move_share=0.5)
    return draft.position()


def dense(rng: random.Random, map_: RefMap) -> Position:
    """Convoy fights of few powers: fleets convoy armies onto the supporters of attacks on those very fleets.

    Rings of one to three such convoys, circular movements and exchanges are laid on the board, some with a flaw; other
    units join in. A good share of the positions is undecided without a rule for paradoxes or circular movements.
    """
    draft = _Draft(rng, map_, rng.sample(POWERS, rng.randint(2, 4)))
    themes: Sequence[Callable[[_Draft], None]] = (_paradox, _paradox, _paradox, _circle, _exchange)
    for _ in range(rng.randint(1, 3)):
        rng.choice(themes)(draft)
    near_sea = [province for province, terrain in map_.terrain.items() if terrain != "inland"]
    for province in rng.sample(near_sea, rng.randint(0, 14)):
        if province not in draft.units and len(draft.units) < 34:
            draft.place(province)
    draft.fill_in(move_share=0.35)
    if rng.random() < 0.3:
        for home in rng.sample(sorted(draft.units), min(2, len(draft.units))):
            draft.texts[home] = []
            draft.order(home, draft.any_order(home))
    return draft.position()


def _random_board(rng: random.Random, map_: RefMap) -> "_Draft":
    draft = _Draft(rng, map_, rng.sample(POWERS, rng.randint(2, 7)))
    for province in rng.sample(sorted(map_.terrain), rng.randint(5, 34)):
        draft.place(province)
    return draft


@dataclass(frozen=True)
class _Unit:
    power: str
    kind: str
    location: str

    @property
    def home(self) -> str:
        return province_of(self.location)

    @property
    def name(self) -> str:
        return f"{self.kind} {self.location}"


@dataclass
class _Draft:
    """A board that is being filled: units by province, and the orders written so far."""

    rng: random.Random
    map: RefMap
    powers: list[str]
    units: dict[str, _Unit] = field(default_factory=dict)
    texts: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    goals: dict[str, str] = field(default_factory=dict)

    # Units.

    def place(self, province: str, kind: str = "", location: str = "", power: str = "") -> _Unit:
        """Put a unit into a free province; what is not given is chosen at random."""
        coasts = self.map.coasts[province]
        if not kind:
            kinds = {"sea": "F", "inland": "A", "coast": "AF"}[self.map.terrain[province]]
            kind = self.rng.choice(kinds)
        if not location:
            location = self.rng.choice(coasts) if kind == "F" else province
        unit = _Unit(power or self.rng.choice(self.powers), kind, location)
        self.units[province] = unit
        self.texts[province] = []
        return unit

    def other_power(self, *powers: str) -> str:
        """Return a power that is none of these, if there is one."""
        return self.rng.choice([power for power in self.powers if power not in powers] or self.powers)

    def free(self, places: Iterable[str]) -> list[str]:
        """Those of some locations or provinces that lie in a province without a unit, in a fixed order."""
        return sorted(place for place in places if province_of(place) not in self.units)

    # What is possible.

    def steps(self, unit: _Unit) -> list[str]:
        """Where a unit can go without a convoy."""
        reach = self.map.army[unit.home] if unit.kind == "A" else self.map.fleet[unit.location]
        return sorted(reach)

    def reaches(self, unit: _Unit, province: str) -> bool:
        return self.map.reaches(unit.kind == "A", unit.location, province)

    def is_convoyer(self, province: str) -> bool:
        return province in self.units and self.map.terrain[province] == "sea"

    def ferries(self, start: str) -> dict[str, tuple[str, ...]]:
        """Return the shores to which fleets on the board could bring an army, each with one chain of seas."""
        found: dict[str, tuple[str, ...]] = {}
        if self.map.terrain[start] != "coast":
            return found
        chains: list[tuple[str, ...]] = [(sea,) for sea in sorted(self.map.shores[start]) if self.is_convoyer(sea)]
        self.rng.shuffle(chains)
        seen = {chain[0] for chain in chains}
        for chain in chains:
            for place in sorted(self.map.fleet[chain[-1]]):
                province = province_of(place)
                if self.map.terrain[province] == "coast" and province != start:
                    found.setdefault(province, chain)
                elif self.is_convoyer(province) and province not in seen:
                    seen.add(province)
                    chains.append((*chain, province))
        return found

    # Orders.

    def order(self, home: str, text: str, power: str = "") -> None:
        self.texts[home].append((power or self.units[home].power, text))

    def move(self, home: str, goal: str, *, via: bool = False) -> None:
        self.goals[home] = goal
        self.order(home, f"{self.units[home].name} - {goal}{' VIA' if via else ''}")

    def support(self, home: str, subject: str) -> None:
        """Support what another unit does."""
        action = f" - {self.goals[subject]}" if subject in self.goals else ""
        self.order(home, f"{self.units[home].name} S {self.units[subject].name}{action}")

    def convoy(self, seas: Iterable[str], army: str) -> None:
        """Let fleets convoy an army to its goal."""
        for sea in seas:
            self.order(sea, f"{self.units[sea].name} C {self.units[army].name} - {self.goals[army]}")

    def ordered(self, home: str) -> bool:
        return bool(self.texts[home])

    def position(self) -> Position:
        """Return the finished position: units and orders by power."""
        units: dict[str, list[str]] = {}
        orders: dict[str, list[str]] = {}
        for home, unit in self.units.items():
            units.setdefault(unit.power, []).append(unit.name)
            for power, text in self.texts[home]:
                orders.setdefault(power, []).append(text)
        for texts in orders.values():
            self.rng.shuffle(texts)
        return units, orders

    def any_order(self, home: str) -> str:
        """Any order at all: mostly one that is legal, whatever the others do; sometimes nonsense."""
        unit = self.units[home]
        if self.rng.random() < 0.08:
            return self._nonsense(unit)
        kinds = [self._step, self._step, self._hold_support, self._move_support, self._move_support]
        if unit.kind == "A" and self.map.terrain[home] == "coast":
            kinds += [self._voyage, self._voyage]
        if self.is_convoyer(home):
            kinds += [self._carriage, self._carriage]
        return f"{unit.name} {self.rng.choice(kinds)(unit) or 'H'}"

    def _step(self, unit: _Unit) -> str:
        return f"- {self.rng.choice(self.steps(unit))}" if self.rng.random() < 0.9 else ""

    def _voyage(self, unit: _Unit) -> str:
        ferries = self.ferries(unit.home)
        return f"- {self.rng.choice(sorted(ferries))}{self.rng.choice(['', ' VIA'])}" if ferries else ""

    def _hold_support(self, unit: _Unit) -> str:
        held = [other for other in self.units.values() if other != unit and self.reaches(unit, other.home)]
        return f"S {self.rng.choice(held).name}" if held else ""

    def _move_support(self, unit: _Unit) -> str:
        """Support a move from a random province where the two units' reaches meet."""
        zones = [province_of(place) for place in self.steps(unit)]
        moves = [
            f"S {other.name} - {place}"
            for other in self.rng.sample(sorted(self.units.values(), key=lambda other: other.home), len(self.units))[
                :12
            ]
            if other != unit
            for place in self.steps(other)
            if province_of(place) in zones
        ]
        return self.rng.choice(moves) if moves else ""

    def _carriage(self, unit: _Unit) -> str:
        armies = [other for other in self.units.values() if other.kind == "A"]
        self.rng.shuffle(armies)
        for army in armies:
            landings = sorted(place for place, chain in self.ferries(army.home).items() if unit.home in chain)
            if landings:
                return f"C {army.name} - {self.rng.choice(landings)}"
        return ""

    def _nonsense(self, unit: _Unit) -> str:
        rng = self.rng
        somewhere, elsewhere = rng.choices(sorted(self.map.terrain), k=2)
        other = rng.choice([unit, *self.units.values()])
        coast = rng.choice(["", "", "/NC", "/SC", "/EC"])
        return rng.choice(
            [
                f"{unit.name} - {somewhere}{coast}",
                f"{unit.name} - {somewhere} VIA",
                f"{unit.name} S {other.name}",
                f"{unit.name} S {other.name} - {somewhere}{coast}",
                f"{unit.name} S A {elsewhere} - {somewhere}",
                f"{unit.name} C {other.name} - {somewhere}",
                f"{unit.name} C A {elsewhere} - {somewhere}",
                f"{rng.choice('AF')} {unit.home}{coast} - {somewhere}",
            ]
        )

    def fill_in(self, move_share: float) -> None:
        """Give the units that have no order yet orders that match: convoys and moves first, then supports of them."""
        rng = self.rng
        homes = [home for home in self.units if not self.ordered(home)]
        rng.shuffle(homes)
        for home in homes:
            if self.units[home].kind == "A" and rng.random() < 0.5 and not self.ordered(home):
                self._sail(home)
        for home in homes:
            if not self.ordered(home) and rng.random() < move_share:
                # An attack on somebody is worth more than a walk.
                steps = self.steps(self.units[home])
                steps += [place for place in steps if province_of(place) in self.units] * 2
                self.move(home, rng.choice(steps))
        for home in homes:
            if not self.ordered(home):
                unit = self.units[home]
                subjects = [
                    other
                    for other in self.units
                    if other != home
                    and (zone := province_of(self.goals.get(other, other))) != home
                    and self.reaches(unit, zone)
                ]
                if subjects:
                    self.support(home, rng.choice(subjects + [other for other in subjects if other in self.goals] * 3))
                else:
                    self.order(home, f"{unit.name} H")

    def _sail(self, home: str) -> None:
        """Convoy an army by fleets that have no orders yet, if there are any."""
        chains = {landing: chain for landing, chain in self.ferries(home).items() if not any(map(self.ordered, chain))}
        if chains:
            landing = self.rng.choice(sorted(chains))
            self.move(home, landing, via=self.rng.random() < 0.3)
            self.convoy(chains[landing], home)


# Themes of dense positions. A theme that finds no room leaves the board half-made, which does no harm.


def _paradox(draft: _Draft) -> None:
    """Lay a ring of convoys: each lands on a unit that supports for or against the next convoying fleet."""
    rng = draft.rng
    seas = _ring_of_seas(draft, rng.choice((1, 1, 2, 2, 3)))
    for sea in seas:
        draft.place(sea, "F")
    links: list[tuple[str, str, _Unit, bool]] = []
    for sea, victim in zip(seas, seas[1:] + seas[:1], strict=True):
        guards = [
            coast
            for province in draft.free(_shores(draft.map, sea))
            for coast in draft.map.coasts[province]
            if victim in draft.map.fleet[coast]
        ]
        if guards:
            guard, for_attack = rng.choice(guards), rng.random() < 0.6
            power = draft.other_power(draft.units[victim].power) if for_attack else ""
            links.append((sea, victim, draft.place(province_of(guard), "F", guard, power), for_attack))
    for sea, victim, guard_unit, for_attack in links:
        _land_on(draft, sea, guard_unit)
        _attack(draft, victim, guard_unit, for_attack=for_attack)


def _ring_of_seas(draft: _Draft, length: int) -> list[str]:
    """Free seas in a ring, a shore of each within reach of the next; only one when no such ring is found."""
    seas = draft.free(sea for sea, terrain in draft.map.terrain.items() if terrain == "sea")
    for _ in range(20):
        ring = draft.rng.sample(seas, min(length, len(seas)))
        if all(_neighbourly(draft.map, sea, ring[number - 1]) for number, sea in enumerate(ring)):
            return ring
    return ring[:1]


def _neighbourly(map_: RefMap, one: str, other: str) -> bool:
    """Return whether two seas have two shores in common, or are one and the same."""
    return one == other or sum(one in shores and other in shores for shores in map_.shores.values()) > 1


def _land_on(draft: _Draft, sea: str, guard: _Unit) -> None:
    """Convoy an army across a sea, or two, onto a unit."""
    rng, map_ = draft.rng, draft.map
    chain = [sea]
    more = [place for place in draft.free(map_.fleet[sea]) if map_.terrain[province_of(place)] == "sea"]
    if more and rng.random() < 0.3:
        chain.append(rng.choice(more))
        draft.place(chain[1], "F")
    starts = draft.free(_shores(map_, chain[-1]))
    if not starts or any(map(draft.ordered, chain)):
        return
    start = rng.choice(starts)
    draft.place(start, "A", power=draft.other_power(guard.power))
    draft.move(start, guard.home, via=rng.random() < 0.8)
    draft.convoy(chain, start)
    detours = draft.free(map_.shores[start] & map_.shores[guard.home])
    if detours and rng.random() < 0.2:
        detour = rng.choice(detours)
        draft.place(detour, "F")
        draft.convoy([detour], start)


def _shores(map_: RefMap, sea: str) -> list[str]:
    """Return the coastal provinces at a sea."""
    return [place for place, seas in map_.shores.items() if sea in seas and map_.terrain[place] == "coast"]


def _attack(draft: _Draft, victim: str, guard: _Unit, *, for_attack: bool) -> None:
    """Attack a fleet so that the support of one unit decides: for the attack, or for the fleet."""
    rng, map_ = draft.rng, draft.map
    bases = draft.free(map_.fleet[victim])
    if not bases:
        return
    rng.shuffle(bases)
    base = bases[0]
    draft.place(province_of(base), "F", base, draft.other_power(draft.units[victim].power))
    draft.move(province_of(base), victim)
    if for_attack:
        draft.support(guard.home, province_of(base))
        return
    draft.support(guard.home, victim)
    for second in draft.free(bases)[:1]:
        draft.place(province_of(second), "F", second, draft.other_power(draft.units[victim].power))
        draft.support(province_of(second), province_of(base))


def _circle(draft: _Draft) -> None:
    """Lay a circular movement of three to five units, on foot or by fleet."""
    rng = draft.rng
    for _ in range(20):
        walk = [rng.choice(draft.free(draft.map.terrain))]
        kinds = rng.choice(("A", "F"))
        for _ in range(rng.randint(2, 4)):
            reach = draft.map.army[walk[-1]] if kinds == "A" else draft.map.fleet.get(walk[-1], frozenset())
            onward = [place for place in draft.free(reach) if place not in walk and "/" not in place]
            if not onward:
                break
            walk.append(rng.choice(onward))
        reach = draft.map.army[walk[-1]] if kinds == "A" else draft.map.fleet.get(walk[-1], frozenset())
        if len(walk) > 2 and walk[0] in reach:
            for home, goal in zip(walk, walk[1:] + walk[:1], strict=True):
                draft.place(home, kinds)
                draft.move(home, goal)
            return


def _exchange(draft: _Draft) -> None:
    """Let two armies change places, at least one of them by convoy."""
    rng, map_ = draft.rng, draft.map
    seas = draft.free(sea for sea, terrain in map_.terrain.items() if terrain == "sea")
    if not seas:
        return
    sea = rng.choice(seas)
    shores = draft.free(_shores(map_, sea))
    if len(shores) < 2:
        return
    one, other = rng.sample(shores, 2)
    for home in (one, other):
        draft.place(home, "A")
    draft.place(sea, "F")
    draft.move(one, other, via=True)
    draft.convoy([sea], one)
    if other in map_.army[one]:
        draft.move(other, one)
        return
    draft.move(other, one, via=True)
    back = [place for place in draft.free(map_.shores[one] & map_.shores[other]) if place != sea]
    if back:
        second = rng.choice(back)
        draft.place(second, "F")
        draft.convoy([second], other)
