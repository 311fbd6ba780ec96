"""Helpers of the tests: a game as DAIDE logs it and one as webDiplomacy saves it, each with its phase records."""

from __future__ import annotations

from typing import Any

__all__ = ["BURGUNDY", "FRANCE", "GAME", "LOG", "PARIS", "RECORDS", "WEB_RECORDS", "YORKSHIRE"]

# ---------------------------------------------------------------------- DAIDE

LOG = """
MAP ( 'standard' )
SCO ( AUS VIE ) ( ITA VEN ROM ) ( UNO BUL )
NOW ( FAL 1901 ) ( AUS AMY TRI ) ( AUS AMY TYR ) ( ITA AMY VEN ) ( ITA FLT ( BUL SCS ) )
12:00 SUB ( ( AUS AMY TRI ) HLD )
TME ( 30 )
ORD ( FAL 1901 ) ( ( AUS AMY TRI ) MTO VEN ) ( SUC )
ORD ( FAL 1901 ) ( ( AUS AMY TYR ) SUP ( AUS AMY TRI ) MTO VEN ) ( SUC )
ORD ( FAL 1901 ) ( ( ITA AMY VEN ) HLD ) ( SUC RET ) ORD ( FAL 1901 ) ( ( ITA FLT ( BUL SCS ) ) MTO AEG ) ( SUC )
NOW ( AUT 1901 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY VEN MRT ( APU PIE ROM TUS ) ) ( ITA FLT AEG )
ORD ( AUT #1901 ) ( ( ITA AMY VEN ) RTO ROM ) ( SUC )
SCO ( AUS VIE VEN ) ( ITA ROM ) ( UNO BUL )
NOW ( WIN 1901 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY ROM ) ( ITA FLT AEG )
ORD ( WIN 1901 ) ( ( ITA FLT AEG ) REM ) ( SUC )
NOW ( SPR 1902 ) ( AUS AMY VEN ) ( AUS AMY TYR ) ( ITA AMY ROM )
OFF
"""
"""A made-up game, as a server tells it."""

OWNED = {"AUSTRIA": ["VIE"], "ITALY": ["VEN", "ROM"]}
OWNED_THEN = {"AUSTRIA": ["VIE", "VEN"], "ITALY": ["ROM"]}
RECORDS = [
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "F1901M",
        "units": {"AUSTRIA": ["A TRI", "A TYR"], "ITALY": ["A VEN", "F BUL/SC"]},
        "centers": OWNED,
        "orders": {"AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"], "ITALY": ["A VEN H", "F BUL/SC - AEG"]},
        "results": {"A TRI": ["SUC"], "A TYR": ["SUC"], "A VEN": ["SUC", "RET"], "F BUL/SC": ["SUC"]},
        "next_phase": "F1901R",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["F AEG"]},
        "next_dislodged": {"ITALY": ["A VEN"]},
    },
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "F1901R",
        "units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["F AEG"]},
        "dislodged": {"ITALY": ["A VEN"]},
        "retreats": {"A VEN": ["APU", "PIE", "ROM", "TUS"]},
        "centers": OWNED,
        "orders": {"ITALY": ["A VEN R ROM"]},
        "results": {"A VEN": ["SUC"]},
        "next_phase": "W1901A",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM", "F AEG"]},
        "next_centers": OWNED_THEN,
    },
    {
        "game": "1",
        "map": "standard",
        "engine": "DAIDE",
        "phase": "W1901A",
        "units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM", "F AEG"]},
        "centers": OWNED_THEN,
        "orders": {"ITALY": ["F AEG D"]},
        "results": {"F AEG": ["SUC"]},
        "next_phase": "S1902M",
        "next_units": {"AUSTRIA": ["A VEN", "A TYR"], "ITALY": ["A ROM"]},
    },
]
"""The phases of `LOG`."""

# ---------------------------------------------------------------------- webDiplomacy

ENGLAND, FRANCE, GERMANY = 1, 2, 4
YORKSHIRE, SPAIN, PARIS, BURGUNDY, MUNICH, MARSEILLES, GASCONY, RUHR, SPAIN_NC = 4, 8, 47, 48, 41, 49, 50, 42, 76


def standing(country: int, kind: str, at: int, retreating: str = "No") -> dict[str, Any]:
    return {"unitType": kind, "retreating": retreating, "terrID": at, "countryID": country}


def ordered(country: int, kind: str, at: int, what: str, success: str = "Yes", **more: Any) -> dict[str, Any]:
    """An order as ``game/status`` has it: 0 for what it does not name."""
    order = {"countryID": country, "unitType": kind, "terrID": at, "type": what, "toTerrID": 0, "fromTerrID": 0}
    return order | {"viaConvoy": "No", "success": success, "dislodged": "No"} | more


GAME: dict[str, Any] = {
    "gameID": 17,
    "variantID": 1,
    "phases": [
        {
            "turn": 1,
            "phase": "Diplomacy",
            "units": [
                standing(FRANCE, "Army", PARIS),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", BURGUNDY),
            ],
            "centers": [
                {"terrID": PARIS, "countryID": FRANCE},
                {"terrID": MUNICH, "countryID": GERMANY},
                {"terrID": SPAIN, "countryID": 0},
                {"terrID": YORKSHIRE, "countryID": ENGLAND},
            ],
            "orders": [
                ordered(FRANCE, "Army", PARIS, "Move", toTerrID=BURGUNDY),
                ordered(FRANCE, "Army", MARSEILLES, "Support move", toTerrID=BURGUNDY, fromTerrID=PARIS),
                ordered(FRANCE, "Fleet", SPAIN_NC, "Hold", "No"),
                ordered(GERMANY, "Army", BURGUNDY, "Support hold", "No", toTerrID=MARSEILLES, dislodged="Yes"),
            ],
        },
        {
            "turn": 1,
            "phase": "Retreats",
            "units": [
                standing(FRANCE, "Army", BURGUNDY),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", BURGUNDY, "Yes"),
            ],
            "centers": [{"terrID": PARIS, "countryID": FRANCE}, {"terrID": MUNICH, "countryID": GERMANY}],
            "orders": [ordered(GERMANY, "Army", BURGUNDY, "Retreat", toTerrID=RUHR)],
        },
        {
            "turn": 1,
            "phase": "Builds",
            "units": [
                standing(FRANCE, "Army", BURGUNDY),
                standing(FRANCE, "Army", MARSEILLES),
                standing(FRANCE, "Fleet", SPAIN_NC),
                standing(GERMANY, "Army", RUHR),
            ],
            "centers": [{"terrID": SPAIN, "countryID": FRANCE}, {"terrID": PARIS, "countryID": FRANCE}],
            "orders": [
                ordered(FRANCE, "Army", MARSEILLES, "Destroy", toTerrID=MARSEILLES),
                ordered(GERMANY, "", RUHR, "Wait"),
            ],
        },
        {
            "turn": 1,
            "phase": "Finished",
            "units": [standing(FRANCE, "Army", BURGUNDY), standing(FRANCE, "Fleet", SPAIN_NC)],
            "centers": [],
            "orders": [],
        },
    ],
}
"""A made-up game, as ``game/status`` has it."""

WEB = {"game": "17", "map": "standard", "engine": "webDiplomacy"}
WEB_RECORDS = [
    WEB
    | {
        "phase": "F1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "F SPA/NC"], "GERMANY": ["A BUR"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "orders": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F SPA/NC H"], "GERMANY": ["A BUR S A MAR"]},
        "results": {"A PAR": ["ok"], "A MAR": ["ok"], "F SPA/NC": ["fail"], "A BUR": ["fail", "dislodged"]},
        "next_phase": "F1901R",
        "next_units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"]},
        "next_dislodged": {"GERMANY": ["A BUR"]},
        "next_centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    },
    WEB
    | {
        "phase": "F1901R",
        "units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "dislodged": {"GERMANY": ["A BUR"]},
        "orders": {"GERMANY": ["A BUR R RUH"]},
        "results": {"A BUR": ["ok"]},
        "next_phase": "W1901A",
        "next_units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"], "GERMANY": ["A RUH"]},
        "next_centers": {"FRANCE": ["SPA", "PAR"]},
    },
    WEB
    | {
        "phase": "W1901A",
        "units": {"FRANCE": ["A BUR", "A MAR", "F SPA/NC"], "GERMANY": ["A RUH"]},
        "centers": {"FRANCE": ["SPA", "PAR"]},
        "orders": {"FRANCE": ["A MAR D"], "GERMANY": ["WAIVE"]},
        "results": {"A MAR": ["ok"]},
        "next_phase": "COMPLETED",
        "next_units": {"FRANCE": ["A BUR", "F SPA/NC"]},
    },
]
"""The phases of `GAME`."""
