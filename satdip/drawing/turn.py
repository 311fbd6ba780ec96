"""A phase as a picture: provinces, units, and orders as arrows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from satdip.base.errors import InputError
from satdip.board import UnitKind, province_of
from satdip.drawing import lines
from satdip.drawing.legend import legend_below
from satdip.drawing.lines import Line
from satdip.drawing.paint import (
    add,
    area,
    burst,
    canvas,
    cross,
    disc,
    dot,
    group,
    head,
    path,
    power_colours,
    ring,
    stroke,
    text,
    unit_shape,
    waves,
)
from satdip.drawing.plan import DISC, Plan
from satdip.drawing.scene import Fate, Scene, Told, is_drawn, scene_of
from satdip.phase.orders import Build, Convoy, Disband, Move, Order, Retreat, Support
from satdip.phase.position import Unit
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution

if TYPE_CHECKING:
    from drawsvg import DrawingElement, Group

__all__ = ["MOST_PROVINCES", "draw_turn", "labels"]

MARGIN = 50
TITLE = 24
DRIVEN = 18 - 14j
"""Where a dislodged unit stands in a phase of retreats; the one that drove it out gives way."""
MIDDLES = (0.5, 0.38, 0.6, 0.44, 0.54, 0.32)
"""Where supports of one move end on its arrow."""
MOST_PROVINCES = 150
"""Provinces in one picture; with more nobody sees anything."""
FAINT = 0.55


def draw_turn(
    what: Turn | Resolution,
    provinces: Iterable[str] | None = None,
    *,
    places: Mapping[str, tuple[float, float]] | None = None,
    title: str = "",
    legend: bool = True,
) -> str:
    """Draw a phase: the provinces that take part, its units, and its orders as arrows.

    Armies are blocks, fleets are ships. A move is an arrow: whole when it succeeds, broken and crossed when it fails.
    A support is a dashed line to the middle of the arrow that it supports, or to the unit; crossed when it is cut. A
    convoyed army goes on a wavy line over its fleets. A burst marks a dislodged unit. Every unit and order has its
    words as a title, for screen readers and for whoever points at it.

    Args:
        what: a phase, or its outcome; without an outcome nothing is crossed.
        provinces: ids of the provinces to draw; by default those of the units and of their orders. Units and orders
            elsewhere are left out.
        places: province -> (x, y), y growing to the south; by default those of the map, if it has any, else the
            provinces are laid out by their borders.
        title: the title; by default phase, map and rules.
        legend: whether to explain the signs.

    Returns:
        An SVG document, the same one for the same arguments.

    Raises:
        InputError: a province is not on the map, or there are too many; drawsvg is not installed.
    """
    wanted = None if provinces is None else list(provinces)
    position = what.position
    for province in wanted or ():
        if province not in position.board.provinces:
            raise InputError(f"there is no province {province!r} to draw on this map")
    scene = scene_of(what, wanted)
    if len(scene.provinces) > MOST_PROVINCES:
        would = f"this would be {len(scene.provinces)}; name those to draw"
        raise InputError(f"a picture shows at most {MOST_PROVINCES} provinces, and {would}")
    return _Picture(scene, places).svg(title or scene.title, legend=legend)


def labels(powers: Iterable[str]) -> dict[str, str]:
    """Return the shortest beginnings, from two letters, that tell powers apart: ``Fr`` of ``FRANCE``."""
    names = sorted(set(powers))
    size = 2
    while len({name[:size] for name in names}) < len(names) and size < max(map(len, names)):
        size += 1
    return {name: name[:size].capitalize() for name in names}


class _Picture:
    """A scene being painted."""

    def __init__(self, scene: Scene, places: Mapping[str, tuple[float, float]] | None) -> None:
        self.scene = scene
        self.plan = Plan(scene, places)
        self.colours = power_colours(list(scene.board.powers))
        shown = {unit.power for unit in scene.units} | {told.power for told in self.shown_orders()}
        self.labels = labels(shown)
        self.powers = [power for power in scene.board.powers if power in shown]
        self.signs: dict[str, None] = {}
        """The signs in the picture, for the legend."""
        self.undrawn: list[str] = []

    def colour(self, power: str) -> str:
        return self.colours.get(power, "#7f8389")

    # ------------------------------------------------------------------ the whole

    def svg(self, title: str, *, legend: bool) -> str:
        convoys, moves, supports = self.order_layers()
        layers = [self.borders(), convoys, self.provinces(), moves, supports, self.unit_layer(), self.names()]
        bends = (point for arrow in self.plan.arrows.values() for leg in arrow for point in leg)
        ends = [*self.plan.centres.values(), *bends] or [0j]
        low = complex(min(p.real for p in ends), min(p.imag for p in ends)) - complex(MARGIN, MARGIN + TITLE)
        high = complex(max(p.real for p in ends), max(p.imag for p in ends)) + MARGIN * (1 + 1j)
        high = complex(max(high.real, low.real + 420), high.imag)
        named = {self.labels[p]: (self.scene.board.powers[p].name, self.colour(p)) for p in self.powers}
        below = legend_below(complex(low.real + 14, high.imag), high.real - 14, named, self.signs, self.undrawn)
        told = "; ".join(told.words for told in self.shown_orders())
        drawing = canvas(low, complex(high.real, below.bottom) if legend else high, title, told)
        add(drawing, *layers, *([below.element] if legend else []))
        add(drawing, text(title, low + 14 + 18j, 14, anchor="start", bold=True))
        svg: str = drawing.as_svg(header="")
        return svg

    def shown_orders(self) -> list[Told]:
        """Return the orders that are drawn or told: not those of units elsewhere."""
        scene = self.scene
        return [told for told in scene.orders if told.unit is None or scene.shows(told.unit.province)]

    # ------------------------------------------------------------------ provinces

    def borders(self) -> Group:
        whole = group("borders")
        for one, other in self.scene.borders():
            line = self.plan.centres[one], self.plan.centres[other]
            add(whole, path(line, class_="satdip-edge-line", stroke_width=1.5))
        return whole

    def provinces(self) -> Group:
        whole = group("provinces")
        for province, centre in self.plan.centres.items():
            facts = self.scene.board.provinces[province]
            made = group("province", f"{facts.name} ({facts.terrain}{', supply centre' if facts.centre else ''})")
            add(made, disc(centre, DISC, facts.terrain), ring(centre, DISC, 1.5))
            if facts.centre:
                add(made, ring(centre, DISC - 4, 1.5))
            add(whole, made)
        return whole

    def names(self) -> Group:
        """The ids of the provinces; of a fleet on one of several coasts its place."""
        built = (told.order.unit.location for told in self.scene.orders if isinstance(told.order, Build))
        taken = {province_of(at): at for at in (*built, *(unit.location for unit in self.scene.units))}
        whole = group("names")
        for province, centre in self.plan.centres.items():
            if province in taken:
                add(whole, text(taken[province], centre + 23j, 12, bold=True))
            else:
                add(whole, text(province, centre, 14, bold=True))
        return whole

    # ------------------------------------------------------------------ orders

    def order_layers(self) -> tuple[Group, Group, Group]:
        """Return the orders: moves by sea, which pass beneath their fleets, other moves, supports."""
        convoys, moves, supports = group("convoyed-moves"), group("moves"), group("supports")
        support_numbers: dict[str, int] = {}
        for told in self.shown_orders():
            match told.order:
                case Move(unit=ref) | Retreat(unit=ref) if self.fits(told):
                    by_sea = ref.province in self.plan.routes and self.is_followed(told)
                    add(convoys if by_sea else moves, self.move(told, told.order))
                case Support(target=target) if self.fits(told):
                    number = support_numbers.setdefault(target.province, 0)
                    support_numbers[target.province] += 1
                    add(supports, self.support(told, told.order, number))
                case Convoy() if self.fits(told):
                    add(supports, self.convoy(told, told.order))
                case order if not is_drawn(order) or not self.on_map(told):
                    self.undrawn.append(told.words)
        return convoys, moves, supports

    def on_map(self, told: Told) -> bool:
        """Return whether an order is about a unit that stands there."""
        return told.unit is not None or isinstance(told.order, Build)

    def fits(self, told: Told) -> bool:
        """Return whether all places of an order are in the picture, and its unit is on the board."""
        return told.unit is not None and self.scene.shows(*_locations(told.order))

    def is_followed(self, told: Told) -> bool:
        return told.unit is not None and self.scene.followed.get(told.unit.province) is told

    def move(self, told: Told, order: Move | Retreat) -> Group:
        made = group(f"move {told.fate}", told.words)
        colour, at = self.colour(told.power), order.unit.province
        followed = self.is_followed(told)
        legs = self.plan.arrows[at] if followed else (self.plan.line_to(order.unit.location, order.destination),)
        fails, ignored = told.fate == Fate.FAILURE, told.fate == Fate.IGNORED
        width, opacity = (2.5, FAINT) if ignored else (4.0, 1.0)
        if followed and at in self.plan.routes:
            self.signs["convoyed"] = None
            for leg in self.plan.other_legs(at, order.destination):
                add(made, stroke(lines.wavy(leg, straight=0), colour, 2, "3 4", FAINT))
            for leg in legs[:-1]:
                add(made, stroke(lines.wavy(leg, straight=0), colour, 3, "19 6" if fails else None))
            add(made, stroke(_shortened(lines.wavy(legs[-1])), colour, 3, "19 6" if fails else None))
        else:
            add(made, stroke(_shortened(legs[-1]), colour, width, "11 7" if fails or ignored else None, opacity))
        self.signs["fails" if fails else "ignored" if ignored else "moves"] = None
        add(made, head(legs[-1], colour, hollow=fails or ignored, opacity=opacity))
        if fails:
            add(made, cross(lines.along(legs[-1], 0.7)))
        if "/" in order.destination:
            side = 15j * lines.direction(*legs[-1][-2:])
            add(made, text(order.destination.partition("/")[2], legs[-1][-1] + side, 10))
        return made

    def support(self, told: Told, order: Support, number: int) -> Group:
        made = group(f"support {told.fate}", told.words)
        colour, ignored = self.colour(told.power), told.fate == Fate.IGNORED
        opacity = FAINT if ignored else 1
        start, home = self.plan.point(order.unit.location), order.unit.province
        if order.destination is None:
            line = self.plan.best(
                start, self.plan.point(order.target.location), (home, order.target.province), DISC + 3
            )
            add(made, stroke(line, colour, 2.5, "6 4", opacity), _stop(line, colour))
        else:
            arrow = self.supported_arrow(order)
            if arrow is None:
                arrow = self.plan.line_to(order.target.location, order.destination)
                add(made, stroke(arrow, colour, 1.5, "2 5", opacity))
            line = self.plan.best(start, lines.along(arrow, MIDDLES[number % len(MIDDLES)]), (home,), 0)
            add(made, stroke(line, colour, 2.5, "6 4", opacity), dot(line[-1], colour))
        self.plan.supports.append(line)
        self.signs["ignored" if ignored else "support"] = None
        if told.fate == Fate.FAILURE:
            self.signs["cut"] = None
            add(made, cross(lines.along(line, 0.5), 6))
        return made

    def supported_arrow(self, order: Support) -> Line | None:
        """Return the last leg of the arrow that is supported; None when nobody goes that way."""
        at, goal = order.target.province, province_of(order.destination or "")
        other = self.scene.followed.get(at)
        move = other.order if other is not None else None
        fits = at in self.plan.arrows and isinstance(move, Move) and province_of(move.destination) == goal
        return self.plan.arrows[at][-1] if fits else None

    def convoy(self, told: Told, order: Convoy) -> Group:
        """Return waves beside a convoying fleet; a line for its army when that does not go that way."""
        made = group(f"convoy {told.fate}", told.words)
        colour, at = self.colour(told.power), self.plan.point(order.unit.location)
        if not any(order.unit.province in chain for chain in self.plan.routes.get(order.army.province, ())):
            for leg in self.plan.over_sea(order.army.location, (order.unit.location,), order.destination):
                add(made, stroke(leg, colour, 2, "2 6", FAINT))
            self.signs["ignored"] = None
        add(made, waves(at - 15 - 21j))
        self.signs["convoy"] = None
        if told.fate == Fate.FAILURE:
            self.signs["disrupted"] = None
            add(made, cross(at - 15 - 21j, 6))
        return made

    # ------------------------------------------------------------------ units

    def unit_layer(self) -> Group:
        whole = group("units")
        for unit in self.scene.units:
            add(whole, self.unit(unit))
        for told in self.scene.orders:
            match told.order:
                case Build(unit=ref) if told.fate != Fate.IGNORED and self.scene.shows(ref.province):
                    built = Unit(told.power, ref.kind or UnitKind.ARMY, ref.location)
                    add(whole, self.token(built, self.plan.centres[ref.province] - 5j, told.words, "built"))
                case Build():
                    self.undrawn.append(told.words)
        return whole

    def unit(self, unit: Unit) -> Group:
        driven = any(item.unit == unit for item in self.scene.position.dislodged)
        own = self.scene.orders_of(unit)
        words = "; ".join([f"{unit} ({unit.power})", *(told.words for told in own)])
        state = ""
        if driven or any(told.dislodged for told in own):
            state = "destroyed" if any(told.destroyed for told in own) else "dislodged"
            state = "removed" if any(told.removed for told in own) else state
        if any(isinstance(told.order, Disband) and told.fate != Fate.IGNORED for told in own):
            state = "disbanded"
        shared = sum(other.province == unit.province for other in self.scene.units) > 1
        at = self.plan.centres[unit.province] - 5j + (DRIVEN if driven else -12 if shared else 0)
        return self.token(unit, at, words, state)

    def token(self, unit: Unit, at: complex, words: str, state: str) -> Group:
        made = group(f"unit {state}".strip(), words)
        if state in ("dislodged", "destroyed", "removed"):
            add(made, area(burst(at), class_="satdip-cross", opacity=0.9))
        add(made, unit_shape(unit.kind, at, self.colour(unit.power), self.labels[unit.power]))
        if state in ("destroyed", "removed", "disbanded"):
            add(made, cross(at + 19 - 15j, 8))
        if state == "built":
            for half in (9, 9j):
                add(made, path((at + 20 - 14j - half, at + 20 - 14j + half), class_="satdip-ink-line", stroke_width=4))
        if state:
            self.signs[state] = None
        return made


def _locations(order: Order | None) -> Iterator[str]:
    match order:
        case Move() | Retreat():
            yield from (order.unit.location, order.destination)
        case Support():
            yield from (order.unit.location, order.target.location, order.destination or order.target.location)
        case Convoy():
            yield from (order.unit.location, order.army.location, order.destination)


def _shortened(line: Line) -> Line:
    """Leave room for the head of an arrow."""
    return lines.clipped(line, 0, 9)


def _stop(line: Line, colour: str) -> DrawingElement:
    """Return a bar across the end of a line: it supports a unit in place."""
    side = 8j * lines.direction(*list(pairwise(line))[-1])
    return path((line[-1] - side, line[-1] + side), stroke=colour, stroke_width=4, stroke_linecap="round")
