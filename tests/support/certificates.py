"""Helpers of the tests of certificates: corrupting one, and judging by other means what a corrupted one claims."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from satdip.adjudication import adjudicate_turn
from satdip.base.errors import InputError
from satdip.lab import resolutions
from satdip.notation import read_record
from satdip.phase.turn import Turn
from satdip.resolve.resolution import Resolution
from satdip.rulebook import DATC, Rulebook, issues
from satdip.telling.serialise import units_by_power

__all__ = ["claim", "corrupted", "is_implied", "is_refuted", "paths", "problem_of", "says_the_same"]

Json = dict[str, Any]
Path = tuple[str | int, ...]
ANSWERS = {issue.field: [choice.slug for choice in issue.choices] for issue in issues()}


def claim(data: Mapping[str, Any], kind: str) -> Json:
    """Return the claim of that kind."""
    (found,) = (one for one in data["claims"] if one["claim"] == kind)
    return dict(found)


# ---------------------------------------------------------------------- corruption


def paths(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the path of everything in a JSON value but itself."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        yield (*path, key)
        yield from paths(item, (*path, key))


def corrupted(data: Json, rng: random.Random) -> tuple[Json, Path]:
    """Return a certificate with one thing changed, and where that is. Every part of it has the same chance."""
    while True:
        changed = copy.deepcopy(data)
        part = rng.choice(list(data))
        path = rng.choice([path for path in paths(data) if path[0] == part])
        holder: Any = changed
        for key in path[:-1]:
            holder = holder[key]
        _change(holder, path[-1], changed, rng)
        if json.dumps(changed) != json.dumps(data):
            return changed, path


def _change(holder: Any, key: Any, whole: Json, rng: random.Random) -> None:
    value = holder[key]
    if isinstance(holder, list) and rng.random() < 0.15:
        del holder[key]
    elif isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = rng.choice([-value, -value, value + 1, value - 1, None])
    elif isinstance(value, str):
        holder[key] = _other_text(key, value, whole, rng)
    elif isinstance(value, list) and value:
        _change_list(value, rng)
    elif isinstance(value, dict) and value and rng.random() < 0.5:
        del value[rng.choice(list(value))]
    else:
        holder[key] = rng.choice([None, [], {}, [1], True])


def _other_text(key: Any, value: str, whole: Json, rng: random.Random) -> str:
    if key in ANSWERS and rng.random() < 0.8:
        return rng.choice(ANSWERS[key])
    texts = [text for path in paths(whole) if isinstance(text := _at(whole, path), str)]
    other = rng.choice(texts)
    if rng.random() < 0.4:
        return other
    words = value.split(" ")
    words[rng.randrange(len(words))] = rng.choice(other.split(" "))
    return " ".join(words)


def _change_list(value: list[Any], rng: random.Random) -> None:
    place = rng.randrange(len(value))
    match rng.choice(["drop", "double", "swap"]):
        case "drop":
            del value[place]
        case "double":
            value.insert(place, copy.deepcopy(rng.choice(value)))
        case "swap":
            other = rng.randrange(len(value))
            value[place], value[other] = value[other], value[place]


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


# ---------------------------------------------------------------------- judging a claim by other means


def problem_of(data: Mapping[str, Any]) -> tuple[Turn, Rulebook]:
    """Return the phase and the rulebook that a certificate is about, without order sets and the like."""
    record: Json = {key: data[key] for key in ("map", "phase", "units", "orders")}
    if "centers" in data:
        record["centers"] = data["centers"]
    driven = data.get("dislodged", [])
    if data["phase"].endswith("R"):
        record["dislodged"] = {power: [] for power in sorted({item["power"] for item in driven})}
        for item in driven:
            record["dislodged"][item["power"]].append(item["unit"])
        record["retreats"] = {item["unit"]: item["retreats"] for item in driven if item["retreats"] is not None}
        record["attackers"] = {item["unit"]: item["attacker_from"] for item in driven if item["attacker_from"]}
    return read_record(record), DATC.override(data["rules"])


def says_the_same(data: Mapping[str, Any]) -> bool:
    """Return whether satdip's adjudicator and its solver, asked anew, come to what a certificate claims."""
    try:
        turn, rules = problem_of(data)
    except InputError:
        return False
    resolution = adjudicate_turn(turn, rules)
    if not data["phase"].endswith("M"):
        return _result(resolution) == {key: data["result"][key] for key in ("units", "removed")}
    return all(_CLAIMS[one["claim"]](one, turn, rules, resolution) for one in data["claims"])


def _result(resolution: Resolution) -> Json:
    units = resolution.following.units
    return {"units": units_by_power(units), "removed": units_by_power(resolution.removed)}


def _resolutions_agree(stated: Json, turn: Turn, rules: Rulebook, _: Resolution) -> bool:
    found = resolutions(turn, rules, limit=100)
    signed = sorted(
        [n if one.values[node.index] > 0 else -n for n, node in enumerate(found.situation.decisions(), 1)]
        for one in found.listed
    )
    return signed == sorted(stated["resolutions"]) and found.exact == stated["complete"]


def _answer_agrees(stated: Json, _turn: Turn, _rules: Rulebook, resolution: Resolution) -> bool:
    if resolution.is_open or stated["result"] is None:
        return resolution.is_open and stated["result"] is None
    dislodged = {(str(item.unit), tuple(sorted(item.retreats or ()))) for item in resolution.dislodged}
    told = {(item["unit"], tuple(item["retreats"])) for item in stated["result"]["dislodged"]}
    return (
        units_by_power(resolution.following.units) == stated["result"]["units"]
        and dislodged == told
        and sorted(resolution.contested) == stated["result"]["contested"]
    )


_CLAIMS = {"resolutions": _resolutions_agree, "answer": _answer_agrees}


def is_refuted(clauses: Iterable[Sequence[int]], steps: Sequence[Sequence[int]]) -> bool:
    """Replay a refutation: a second checker, as plain as can be, with no watched literals, no hints, nothing kept."""
    known = list(clauses)
    for step in steps:
        if not is_implied(known, step):
            return False
        known.append(step)
    return bool(steps) and not steps[-1]


def is_implied(clauses: Iterable[Sequence[int]], step: Sequence[int]) -> bool:
    """Return whether assuming the opposite of a clause makes unit propagation run into a contradiction."""
    true = {-literal for literal in step}
    while True:
        left = [{n for n in clause if -n not in true} for clause in clauses if true.isdisjoint(clause)]
        units = {literal for clause in left if len(clause) == 1 for literal in clause}
        if not all(left) or any(-literal in units for literal in units):
            return True
        if not units:
            return False
        true |= units
