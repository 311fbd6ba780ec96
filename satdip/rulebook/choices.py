"""The choices of DATC chapter 4, one enumeration per issue.

A member is one answer: the slug that people write, the DATC's letter where it gives one, and what the answer means.
Answers without a letter are named in the issue's text, or come from an edition that the DATC gives no letter to.
"""

from __future__ import annotations

from enum import Enum

__all__ = [
    "AdjacentConvoy",
    "Allowance",
    "Alphabet",
    "BuildCoast",
    "BuildKind",
    "Choice",
    "ConvoyRoutes",
    "ConvoyedAttack",
    "ConvoyedOrigin",
    "CountedOrders",
    "DislodgedEffect",
    "DisorderDislodged",
    "DisorderSupport",
    "Fallback",
    "FlyingDutchman",
    "IllegalOrders",
    "ImpossibleCoast",
    "InlandFleet",
    "IrrelevantCoast",
    "LeftOut",
    "MissingCoast",
    "NamedRoute",
    "OrderSets",
    "Paradox",
    "Proxy",
    "Removal",
    "SeveralOrders",
    "SupportCoast",
    "TwoCoasts",
    "UndatedSets",
    "Wrong",
    "WrongCoast",
]


class Choice(Enum):
    """One answer to an issue; the value is (slug, DATC letter or None, what it means)."""

    @property
    def slug(self) -> str:
        """The name that people write."""
        return str(self.value[0])

    @property
    def letter(self) -> str | None:
        """The letter in the DATC, None where it gives none."""
        return None if self.value[1] is None else str(self.value[1])

    @property
    def meaning(self) -> str:
        """One sentence."""
        return str(self.value[2])


# ---------------------------------------------------------------------- 4.A convoys


class ConvoyRoutes(Choice):
    """4.A.1: several convoy routes."""

    ANY = ("any", "a", "A convoy fails as soon as one of its ordered routes is broken.")
    ALL = ("all", "b", "A convoy fails only when every ordered route is broken.")


class Paradox(Choice):
    """4.A.2: convoy paradoxes."""

    NONE = ("none", None, "No rule: a paradox is left open.")
    FLEETS_1971 = ("1971", "a", "A convoyed army does not cut a fleet's support of a fleet's attack on its convoy.")
    WATERS_1982 = (
        "1982",
        "b",
        "A convoyed army does not cut a fleet's support into a sea that holds a convoying fleet.",
    )
    NECESSARY_2000 = ("2000", "c", "A convoyed army does not cut a support of an attack on a fleet that it needs.")
    ALL_HOLD = ("all-hold", "d", "All moves of a paradox fail, and so do the armies that it convoys.")
    AFFECT_CAUSE = ("affect-cause", "e", "An army whose attack would affect an attack on its own convoy does not move.")
    SZYKMAN = ("szykman", "f", "The convoys of a paradox are disrupted; everything else is adjudicated as usual.")
    LITERAL_2000 = ("2000-literal", None, "A convoyed army cuts support even when its convoy is disrupted.")
    DPTG = ("dptg", None, "Of two resolutions, the one that disrupts all convoys of the paradox; else All Hold.")
    HAND = ("hand", None, "As 1982, whether or not the army dislodges the supporting fleet.")
    BILLE = ("bille", None, "Attacked convoys are decided first, without the armies that attacked fleets carry.")


class Fallback(Choice):
    """What decides a paradox that the rule of 4.A.2 leaves open; the user's own choice, no edition has one."""

    NONE = ("none", None, "Nothing: the rules give no answer.")
    SZYKMAN = ("szykman", None, "The Szykman rule.")
    ALL_HOLD = ("all-hold", None, "The All Hold rule.")


class AdjacentConvoy(Choice):
    """4.A.3: convoying to an adjacent province."""

    LAND_UNLESS_OPPOSITE = (
        "land-unless-opposite",
        "a",
        "By land, unless the unit there moves the opposite way and a convoy is intact.",
    )
    INTENT = ("intent", "b", "By an intact convoy when a fleet of the same power convoys, else by land; no tag exists.")
    TAG_OR_OWN_FLEET_ELSE_LAND = (
        "tag-or-own-fleet-else-land",
        "c",
        'By convoy when "via convoy" is written or a fleet of the same power convoys; by land when that is broken.',
    )
    TAG_OR_OWN_FLEET = (
        "tag-or-own-fleet",
        "d",
        'By convoy when "via convoy" is written or a fleet of the same power convoys; then never by land.',
    )
    TAG = ("tag", None, 'By convoy only when "via convoy" is written; then never by land (DPTG).')


class ConvoyedAttack(Choice):
    """4.A.4: where a convoyed attack comes from."""

    START = ("start", None, "From the province in which the army started.")
    LAST_FLEET = ("last-fleet", None, "From the sea of the last convoying fleet (Brannan's rule).")


class ConvoyedOrigin(Choice):
    """4.A.5: retreat to where a convoyed attacker came from."""

    CLOSED = ("closed", "a", "A unit may not retreat to where its attacker came from, even if that came by convoy.")
    OPEN = ("open", "b", "A unit dislodged by a convoyed army may retreat to where that army came from.")


class NamedRoute(Choice):
    """4.A.6: naming the convoy route."""

    IGNORED = ("ignored", "a", "A route that is named is ignored.")
    ALLOWED = ("allowed", "b", "A route may be named; then the army takes no other.")
    REQUIRED = ("required", "c", "A route must be named, or the convoy fails.")


class DislodgedEffect(Choice):
    """4.A.7: a dislodged unit's effect on where its attacker came from."""

    NEVER = ("never", "a", "A dislodged unit has no effect on the province that its attacker came from.")
    UNLESS_HEAD_TO_HEAD = ("unless-head-to-head", "b", "It has no effect there only after a head-to-head battle.")


# ---------------------------------------------------------------------- 4.B coasts


class TwoCoasts(Choice):
    """4.B.1: no coast named, two possible."""

    FAILS = ("fails", None, "The move fails.")


class MissingCoast(Choice):
    """4.B.2: no coast named, one possible."""

    TAKEN = ("taken", "a", "The fleet moves to the only coast that it can reach.")
    FAILS = ("fails", "b", "The move fails.")


class ImpossibleCoast(Choice):
    """4.B.3: a coast named that cannot be reached while another can."""

    CORRECTED = ("corrected", "a", "The coast is ignored; the fleet moves to the coast that it can reach.")
    ILLEGAL = ("illegal", "b", "The order is illegal.")


class SupportCoast(Choice):
    """4.B.4: the coast in a support."""

    REQUIRED = ("required", "a", "A support without the coast is illegal when the fleet could go to either.")
    OWN_ONLY = ("own-only", "b", "A support without the coast is legal only for a unit of the same power.")
    EITHER = ("either", "c", "A support without a coast counts for both; a coast that is named must match.")
    NO_MATTER = ("no-matter", None, "The coast in a support does not matter, named or not.")


class WrongCoast(Choice):
    """4.B.5: a wrong coast where none is needed (the place of a unit)."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "The coast is ignored.")


class IrrelevantCoast(Choice):
    """4.B.6: a coast that does not exist or cannot matter."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "The coast is ignored.")


class BuildCoast(Choice):
    """4.B.7: the coast in a build."""

    REQUIRED = ("required", None, "A fleet built in a province with two coasts needs the coast named.")


# ---------------------------------------------------------------------- 4.C unit kinds and nationalities


class LeftOut(Choice):
    """4.C.1, 4.C.5: something left out that the position tells."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    LEGAL = ("legal", "b", "The order is still legal.")


class Wrong(Choice):
    """4.C.2, 4.C.6: something stated wrongly that the position corrects."""

    ILLEGAL = ("illegal", "a", "The order is illegal.")
    IGNORED = ("ignored", "b", "What the order says there is ignored; it is still legal.")


class BuildKind(Choice):
    """4.C.3: the kind of unit in a build."""

    REQUIRED_ON_COASTS = ("required-on-coasts", None, "The kind must be named in a coastal province only.")


class InlandFleet(Choice):
    """4.C.4: a fleet built inland."""

    FAILS = ("fails", "a", "The build fails.")
    ARMY = ("army", "b", "An army is built instead.")


# ---------------------------------------------------------------------- 4.D several orders, builds, disorder


class OrderSets(Choice):
    """4.D.1: several order sets of one power whose sequence is known."""

    COMBINED = ("combined", "a", "All order sets are combined.")
    COMBINED_UNLESS_REPLACED = ("combined-unless-replaced", "b", "All are combined, unless a later set is complete.")
    LATEST_UNLESS_PARTIAL = ("latest-unless-partial", "c", "Only the latest counts, unless it leaves units out.")
    LATEST = ("latest", "d", "Only the latest set counts.")
    FIRST = ("first", None, "Only the first set sent counts.")


class UndatedSets(Choice):
    """4.D.2: several order sets of one power whose sequence is not known."""

    HOLD = ("hold", "a", "All units of the power hold.")
    COMBINED = ("combined", "b", "All order sets are combined.")


class SeveralOrders(Choice):
    """4.D.3: several legal orders to one unit."""

    FIRST = ("first", "a", "The first legal order counts.")
    LAST = ("last", "b", "The last legal order counts.")
    NONE = ("none", "c", "None of them counts.")


class CountedOrders(Choice):
    """4.D.4 to 4.D.6: more builds or removals than there may be."""

    NONE = ("none", "a", "None of them counts.")
    FIRST = ("first", "b", "The first legal ones count.")
    LAST = ("last", "c", "The last legal ones count.")


class Allowance(Choice):
    """4.D.7, 4.E.3, 4.E.4: something that a rulebook allows or not."""

    ALLOWED = ("allowed", "a", "Allowed.")
    FORBIDDEN = ("forbidden", "b", "Not allowed.")


class Removal(Choice):
    """4.D.8: which unit civil disorder removes first; then fleets before armies, then the alphabet."""

    HOME_CENTRE = (
        "home-centre",
        "a",
        "The unit farthest from its home centres, by the shortest route, convoys included.",
    )
    COUNTRY = ("country", "b", "The unit farthest from its country.")
    OWNED_CENTRE = ("owned-centre", "c", "The unit farthest from an owned centre, land and sea alike.")
    OWN_WAY = (
        "own-way",
        None,
        "The unit farthest from its home centres, fleets by sea, armies by land and sea (DPTG).",
    )


class Alphabet(Choice):
    """4.D.8: whose alphabet breaks the last tie."""

    ENGLISH = ("english", None, "The English names of the provinces.")
    FRENCH = ("french", None, "The French names of the provinces.")


class DisorderSupport(Choice):
    """4.D.9: supports in place for a power in civil disorder."""

    FAILS = ("fails", "a", "The support fails.")
    SUCCEEDS = ("succeeds", "b", "The support succeeds.")


class DisorderDislodged(Choice):
    """A dislodged unit of a power in civil disorder (seed 002, civil disorder)."""

    RETREATS = ("retreats", None, "It may retreat as any other.")
    REMOVED = ("removed", None, "It is removed.")


# ---------------------------------------------------------------------- 4.E orders


class IllegalOrders(Choice):
    """4.E.1: a move that is impossible."""

    IGNORED = ("ignored", None, "It is ignored: the unit holds, and can be supported in place.")
    STILL_MOVES = ("still-moves", None, "It is still a move: the unit cannot be supported in place.")


class Proxy(Choice):
    """4.E.5: orders for another power's units by its permission."""

    NOTIFIED = ("notified", "a", "Allowed when the game master was told before.")
    IN_ORDERS = ("in-orders", "b", "Allowed as part of the orders.")
    FORBIDDEN = ("forbidden", "c", "Not allowed.")


class FlyingDutchman(Choice):
    """4.E.6: a unit that should not be on the board."""

    REMOVED = ("removed", None, "It is removed as soon as it is discovered.")
