"""Movement orders: legal, void or illegal (DATC 4.B, 4.C, 4.D.3, 4.E.1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final

from satdip.base.memory import kept, remember
from satdip.board import Board, UnitKind, province_of
from satdip.board.seas import AskedSeas, Question, Seas
from satdip.board.waters import Waters
from satdip.check.implicit import implicit_orders
from satdip.check.result import Checked, CheckedOrders, Illegal, Reason, Status, one_order_a_unit, reference
from satdip.check.sets import check_counted, counted_orders, is_plain, taking_part
from satdip.check.units import find_ordered, find_target, place_without_coast
from satdip.phase.orders import Convoy, Hold, Move, Order, Support, Unclear
from satdip.phase.position import Position, Unit
from satdip.phase.turn import Given, Turn
from satdip.rulebook import (
    AdjacentConvoy,
    Allowance,
    DisorderSupport,
    IllegalOrders,
    ImpossibleCoast,
    MissingCoast,
    NamedRoute,
    Rulebook,
    SupportCoast,
)

__all__ = ["MovementCheck", "check_movement", "legal_orders"]

MovementOrder = Hold | Move | Support | Convoy
"""The orders of a movement phase."""

TAGLESS: Final = (AdjacentConvoy.LAND_UNLESS_OPPOSITE, AdjacentConvoy.INTENT)
"""The rules that know no "via convoy": the words are ignored."""

# Python finds members of enumerations slowly, and these are asked for at every order.
ARMY: Final = UnitKind.ARMY
FLEET: Final = UnitKind.FLEET
NO_MATTER: Final = SupportCoast.NO_MATTER


def check_movement(turn: Turn, rules: Rulebook) -> CheckedOrders:
    """Compare the orders of a movement phase with its position.

    Returns:
        Each order with its status and reason, and what every unit does: a unit without a legal order holds.
    """
    check = MovementCheck(turn.position, rules)
    if is_plain(turn):
        entries = one_order_a_unit([check.examine(given) for given in turn.orders], rules)
        heard, powers = tuple(entries), frozenset([given.power for given in turn.orders])
    else:
        counted = counted_orders(turn, rules)
        entries = one_order_a_unit(check_counted(counted, turn.position, check.examine), rules)
        heard = tuple(entry for one, entry in zip(counted, entries, strict=True) if one.counts)
        powers = taking_part(turn, counted, rules)
    entries += _without_orders(heard, entries, check)
    actions: dict[str, Order] = {
        entry.unit.province: entry.action for entry in entries if entry.action is not None and entry.unit is not None
    }
    disorder = frozenset([unit.power for unit in turn.position.units if unit.power not in powers])
    unsupportable = _unsupportable(heard, actions, turn.position, disorder, rules)
    for at, unit in check.units.items():
        if at not in actions:
            actions[at] = _holding(unit)
    matching = _Matching(actions, check, unsupportable)
    entries = [entry if entry.action is None else matching.mark(entry, entry.action) for entry in entries]
    acting = tuple([(unit, actions[at]) for at, unit in check.units.items()])
    return CheckedOrders(tuple(entries), acting, unsupportable, disorder)


@lru_cache(maxsize=1 << 14)
def _holding(unit: Unit) -> Hold:
    return Hold(reference(unit))


@lru_cache(maxsize=1 << 14)
def _silent(unit: Unit) -> Checked:
    return Checked(None, unit, None)


def _without_orders(heard: Sequence[Checked], entries: Sequence[Checked], check: MovementCheck) -> list[Checked]:
    """Return an entry for each unit without an order: with an implied one where the rules allow that (DATC 4.E.3).

    Args:
        heard: the orders that count.
        entries: all orders; a unit whose orders do not count has its entry among them.
        check: the check of the position.
    """
    implied: dict[Unit | None, Checked] = {}
    if check.rules.implicit_orders == Allowance.ALLOWED:
        ordered = {entry.unit for entry in heard if entry.is_of_unit}
        silent = [unit for unit in check.units.values() if unit not in ordered]
        implied = {entry.unit: entry for entry in implicit_orders(heard, silent, check.examine)}
    own = {entry.unit.province for entry in entries if entry.unit is not None and entry.is_of_unit}
    units = [unit for at, unit in check.units.items() if at not in own or unit in implied]
    return [implied.get(unit) or _silent(unit) for unit in units] if implied else list(map(_silent, units))


def _unsupportable(
    entries: Sequence[Checked],
    ordered: Collection[str],
    position: Position,
    disorder: Collection[str],
    rules: Rulebook,
) -> frozenset[str]:
    """Return where supports in place do not count: civil disorder (DATC 4.D.9), impossible moves (4.E.1)."""
    found: list[str] = []
    if rules.disorder_support == DisorderSupport.FAILS:
        found += [unit.province for unit in position.units if unit.power in disorder]
    if rules.illegal_orders == IllegalOrders.STILL_MOVES:
        for entry in entries:
            tried = entry.given is not None and isinstance(entry.given.order, Move) and entry.action is None
            if tried and entry.unit is not None and entry.is_of_unit and entry.unit.province not in ordered:
                found.append(entry.unit.province)
    return frozenset(found)


class MovementCheck:
    """The check of single orders against one position.

    Args:
        position: where everything stands.
        rules: the choices of DATC 4.B, 4.C and 4.E.
    """

    def __init__(self, position: Position, rules: Rulebook) -> None:
        self.board: Board = position.board
        self.rules = rules
        self.units: Mapping[str, Unit] = position.by_province
        self._findings = _findings(position.board, rules)
        self._waters: Seas | None = None

    @property
    def waters(self) -> Seas:
        """The fleets at sea."""
        if self._waters is None:
            seas = self.board.sea_neighbours
            self._waters = Waters(
                self.board, [at for at, unit in self.units.items() if at in seas and unit.kind == FLEET]
            )
        return self._waters

    def examine(self, given: Given) -> Checked:
        """Return the order with exact references, or with the reason why it is illegal."""
        order, other = given.order, None
        if isinstance(order, Support):
            other = self.units.get(order.target.province)
        elif isinstance(order, Convoy):
            other = self.units.get(order.army.province)
        elif not isinstance(order, Move | Hold):
            return self._examined(given)
        unit = self.units.get(order.unit.province)
        key = (given, unit, other)
        known = self._findings.get(key)
        if known is None:
            known = _Finding()
            remember(self._findings, key, known)
        found = known
        while (checked := found.checked) is None:
            if (question := found.question) is None:
                checked = self._learn(known, given, [named for named in (unit, other) if named is not None])
                break
            found = found.after(question.answer(self.waters))
        return checked if checked.given is given else checked.of(given)

    def _learn(self, known: _Finding, given: Given, units: Collection[Unit]) -> Checked:
        """Check an order against the units that it names, and note what that depends on."""
        asked = AskedSeas(lambda: self.waters)
        checked = _UnitsNamed(self.board, self.rules, units, asked).found(given)
        for question, answer in asked.answered:
            known.question = question
            known = known.after(answer)
        known.checked = checked
        return checked

    def _examined(self, given: Given) -> Checked:
        order, unit = given.order, None
        try:
            if isinstance(order, Unclear):
                unit = self.units.get(order.unit.province) if order.unit is not None else None
                raise Illegal("unclear", why=order.why, meanings=order.meanings)
            if not isinstance(order, MovementOrder):
                raise Illegal("wrong-phase", phase="movement")
            unit = self.units.get(order.unit.province)
            unit = find_ordered(order.unit, given.power, self.units, self.rules)
            return Checked(given, unit, self.exact(unit, order))
        except Illegal as found:
            return Checked(given, unit, None, Status.ILLEGAL, found.reason)

    def exact(self, unit: Unit, order: MovementOrder) -> Order:
        """Return a unit's order with exact references; a move by sea alone has `via` set.

        Raises:
            Illegal: the order is not possible on this board.
        """
        match order:
            case Hold():
                return Hold(reference(unit))
            case Move():
                return self._move(unit, order)
            case Support():
                return self._support(unit, order)
            case Convoy():
                return self._convoy(unit, order)

    # ------------------------------------------------------------------ moves

    def _move(self, unit: Unit, order: Move) -> Move:
        goal = place_without_coast(order.destination, self.board, unit.kind, self.rules)
        if province_of(goal) == unit.province:
            raise Illegal("same-place", unit=unit)
        if unit.kind == FLEET:
            if order.via:
                raise Illegal("fleet-by-convoy", unit=unit)
            return Move(reference(unit), self._sail(unit, goal))
        by_land = goal in self.board.reach(unit.kind, unit.location)
        way = self.rules.adjacent_convoy
        if by_land and (not order.via or way in TAGLESS):
            return Move(reference(unit), goal, route=self._route(unit, order, needed=False))
        try:
            self._need_convoy(unit, goal)
        except Illegal:
            if by_land and way == AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND:
                return Move(reference(unit), goal)
            raise
        return Move(reference(unit), goal, via=True, route=self._route(unit, order, needed=True))

    def _route(self, unit: Unit, order: Move, *, needed: bool) -> tuple[str, ...]:
        """Return the named convoy route, as far as the rulebook knows such a thing (DATC 4.A.6)."""
        if needed and not order.route and self.rules.named_route == NamedRoute.REQUIRED:
            raise Illegal("route-missing", issue="4.A.6", unit=unit)
        return () if self.rules.named_route == NamedRoute.IGNORED else order.route

    def _sail(self, unit: Unit, goal: str) -> str:
        """Return the exact place to which a fleet moves (DATC 4.B.1 to 4.B.3)."""
        if goal in self.board.reach(unit.kind, unit.location):
            return goal
        province = province_of(goal)
        coasts = self.board.coasts_reached(unit.location, province)
        if not coasts:
            raise Illegal("out-of-reach", unit=unit, place=goal)
        if goal != province:
            if self.rules.impossible_coast == ImpossibleCoast.ILLEGAL:
                raise Illegal("impossible-coast", issue="4.B.3", unit=unit, place=goal)
        elif len(coasts) > 1:
            raise Illegal("coast-missing", issue="4.B.1", unit=unit, place=goal)
        elif self.rules.missing_coast == MissingCoast.FAILS:
            raise Illegal("coast-missing", issue="4.B.2", unit=unit, place=goal)
        return coasts[0]

    def _need_convoy(self, army: Unit, goal: str, without: str | None = None) -> None:
        """Refuse an army's move by sea for which this board has no possible route (DATC 4.E.1)."""
        ashore = goal in self.board.army and self.board.is_coast(army.province) and self.board.is_coast(goal)
        if not ashore:
            by_land = goal in self.board.reach(army.kind, army.location)
            raise Illegal("convoy-impossible" if by_land else "out-of-reach", unit=army, place=goal)
        if not self.waters.has_route(army.province, goal):
            raise Illegal("no-route", issue="4.E.1", unit=army, place=goal)
        if without is not None and not self.waters.has_route(army.province, goal, without):
            raise Illegal("needed-for-convoy", issue="4.E.1", unit=army, place=goal)

    # ------------------------------------------------------------------ supports

    def _support(self, unit: Unit, order: Support) -> Support:
        target = find_target(order.target, unit.power, self.units, self.rules)
        if target == unit:
            raise Illegal("self-support", unit=unit)
        if order.destination is None:
            self._check_reach(unit, target.province)
            return Support(reference(unit), reference(target))
        goal = place_without_coast(order.destination, self.board, target.kind, self.rules)
        if province_of(goal) == target.province:
            raise Illegal("same-place", unit=target)
        self._check_reach(unit, province_of(goal))
        return Support(reference(unit), reference(target), self._supported_goal(unit, target, goal))

    def _check_reach(self, unit: Unit, zone: str) -> None:
        """Refuse a support of what the unit could not reach itself without a convoy (rulebook; DATC 6.B.4)."""
        if zone not in self.board.reach_provinces(unit.kind, unit.location):
            raise Illegal("support-out-of-reach", unit=unit, place=zone)

    def _supported_goal(self, unit: Unit, target: Unit, goal: str) -> str:
        """Return where the supported move goes, as exactly as the support says."""
        if target.kind == ARMY:
            if goal not in self.board.reach(target.kind, target.location):
                self._need_convoy(target, goal, without=unit.province)
            return goal
        if goal in self.board.reach(target.kind, target.location):
            return goal
        if self.rules.support_coast == SupportCoast.NO_MATTER:
            if self.board.coasts_reached(target.location, province_of(goal)):
                return province_of(goal)
            raise Illegal("out-of-reach", unit=target, place=goal)
        coasts = self.board.coasts_reached(target.location, goal)
        if len(coasts) > 1:
            own_only = self.rules.support_coast == SupportCoast.OWN_ONLY and target.power != unit.power
            if own_only or self.rules.support_coast == SupportCoast.REQUIRED:
                raise Illegal("support-coast-missing", issue="4.B.4", unit=target, place=goal)
            return goal
        return self._sail(target, goal)

    # ------------------------------------------------------------------ convoys

    def _convoy(self, unit: Unit, order: Convoy) -> Convoy:
        if unit.kind != FLEET or not self.board.is_sea(unit.province):
            raise Illegal("no-fleet-at-sea", unit=unit)
        army = find_target(order.army, unit.power, self.units, self.rules)
        if army.kind != ARMY:
            raise Illegal("convoyed-fleet", unit=army)
        goal = place_without_coast(order.destination, self.board, army.kind, self.rules)
        if goal == army.province:
            raise Illegal("same-place", unit=army)
        self._need_convoy(army, goal)
        if not self.waters.is_useful(unit.province, army.province, goal):
            raise Illegal("useless-fleet", issue="4.E.1", unit=unit, army=army, place=goal)
        return Convoy(reference(unit), reference(army), goal)


# ---------------------------------------------------------------------- what is known of single orders


class _Finding:
    """What the check finds of an order and the units that it names, or what it asks about the fleets at sea first."""

    __slots__ = ("_if_no", "_if_yes", "checked", "question")

    def __init__(self) -> None:
        self.checked: Checked | None = None
        self.question: Question | None = None
        self._if_yes: _Finding | None = None
        self._if_no: _Finding | None = None

    def after(self, answer: bool) -> _Finding:
        """Return what is found when the question has been answered."""
        found = self._if_yes if answer else self._if_no
        if found is None:
            found = _Finding()
            if answer:
                self._if_yes = found
            else:
                self._if_no = found
        return found


Named = tuple[Given, Unit | None, Unit | None]
"""An order and the units where it names some: the one that it is given to, and another."""


@kept(64)
def _findings(board: Board, rules: Rulebook) -> dict[Named, _Finding]:  # noqa: ARG001 -- the key
    """Return the table of single orders."""
    return {}


class _UnitsNamed(MovementCheck):
    """The check of an order that knows only the units that it names, and has its questions about the fleets noted."""

    def __init__(self, board: Board, rules: Rulebook, units: Collection[Unit], asked: AskedSeas) -> None:
        self.board, self.rules = board, rules
        self.units = {unit.province: unit for unit in units}
        self._waters = asked

    def found(self, given: Given) -> Checked:
        return self._examined(given)


# ---------------------------------------------------------------------- orders that match each other


class _Matching:
    """Which legal orders match what the others were ordered.

    Args:
        actions: province -> what its unit does.
        check: the check of the position.
        unsupportable: provinces whose unit cannot be supported in place.
    """

    def __init__(self, actions: Mapping[str, Order], check: MovementCheck, unsupportable: Collection[str] = ()) -> None:
        self.actions, self.check, self.unsupportable = actions, check, unsupportable
        self.convoys: dict[tuple[str, str], list[Convoy]] = {}
        for action in actions.values():
            if isinstance(action, Convoy):
                self.convoys.setdefault((action.army.province, action.destination), []).append(action)

    def mark(self, entry: Checked, action: Order) -> Checked:
        """Return the order, void when what it says does not match."""
        reason = self._uncarried(action) if isinstance(action, Move) else self._mismatch(action)
        if reason is None:
            return entry
        return Checked(entry.given, entry.unit, action, Status.VOID, reason, entry.basis)

    def _mismatch(self, action: Order) -> Reason | None:
        """Return why a support or convoy does not match what the other unit does."""
        if isinstance(action, Support):
            target, goal = action.target.province, action.destination
            if goal is not None:
                return None if self._supported_goes(target, goal) else self._reason("support-mismatch", target, goal)
            if target in self.unsupportable:
                return self._reason("unsupportable", target)
            return self._reason("supported-unit-moves", target) if isinstance(self.actions[target], Move) else None
        if isinstance(action, Convoy):
            army, goal = action.army.province, action.destination
            return None if self._goes(army, goal) else self._reason("convoy-mismatch", army, goal)
        return None

    def _reason(self, code: str, province: str, goal: str | None = None) -> Reason:
        return _mismatched(code, self.check.units[province], goal)

    def _supported_goes(self, province: str, goal: str) -> bool:
        """Tell whether a unit makes the move that a support names (DATC 4.B.4)."""
        action = self.actions[province]
        if self.check.rules.support_coast is NO_MATTER and isinstance(action, Move):
            return action.dst == province_of(goal)
        return self._goes(province, goal)

    def _goes(self, province: str, goal: str) -> bool:
        """Tell whether a unit moves to `goal`; a goal without a coast fits every coast."""
        action = self.actions[province]
        return isinstance(action, Move) and goal in (action.destination, action.dst)

    def _uncarried(self, move: Move) -> Reason | None:
        """Return why no convoy orders carry a move that goes by convoy; None where they do, or it goes by land."""
        start, goal = move.unit.province, move.destination
        convoys = self.convoys.get((start, goal), ()) if self.convoys else ()
        if not ((move.via or convoys) and self._bound_to_convoy(move, convoys)):
            return None
        if not convoys:
            return self._reason("no-convoy-ordered", start, goal)
        named = set(move.route)
        seas = [convoy.unit.province for convoy in convoys if not named or convoy.unit.province in named]
        if Waters(self.check.board, seas).has_route(start, goal):
            return None
        units = self.check.units
        fleets = tuple([units[convoy.unit.province] for convoy in convoys])
        code, issue = ("off-named-route", "4.A.6") if named else ("convoy-incomplete", None)
        return Reason(code, {"unit": units[start], "place": goal, "fleets": fleets}, issue)

    def _bound_to_convoy(self, move: Move, convoys: Sequence[Convoy]) -> bool:
        """Tell whether the army has no way by land, or the rules close it."""
        kind = move.unit.kind
        if kind != ARMY or move.destination not in self.check.board.army[move.unit.location]:
            return kind == ARMY
        own_fleet = any(convoy.unit.power == move.unit.power for convoy in convoys)
        match self.check.rules.adjacent_convoy:
            case AdjacentConvoy.TAG_OR_OWN_FLEET:
                return move.via or own_fleet
            case AdjacentConvoy.TAG:
                return move.via
            case _:
                return False


@lru_cache(maxsize=1 << 14)
def _mismatched(code: str, unit: Unit, goal: str | None) -> Reason:
    return Reason(code, {"unit": unit} if goal is None else {"unit": unit, "place": goal})


# ---------------------------------------------------------------------- every legal order


def legal_orders(check: MovementCheck, unit: Unit) -> list[Order]:
    """List every legal order of a unit in a position, each once, with exact references.

    "Via convoy" is listed beside the plain order where an army could go either way.
    """
    ref, board = reference(unit), check.board
    provinces = [p for p in board.provinces if p != unit.province]
    wanted: list[MovementOrder] = [Hold(ref)]
    goals = board.reach(FLEET, unit.location) if unit.kind == FLEET else provinces
    wanted += [Move(ref, goal) for goal in sorted(goals)]
    if unit.kind == ARMY:
        wanted += [Move(ref, goal, via=True) for goal in provinces]
    for other in check.units.values():
        target = reference(other)
        places = [place for p in provinces for place in (p, *board.locations(FLEET, p))]
        wanted += [Support(ref, target), *(Support(ref, target, goal) for goal in dict.fromkeys(places))]
        wanted += [Convoy(ref, target, goal) for goal in provinces]
    found: dict[Order, None] = {}
    for order in wanted:
        try:
            found[check.exact(unit, order)] = None
        except Illegal:
            continue
    return list(found)
