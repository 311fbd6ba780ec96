"""A small engine for `satdip`'s line protocol (docs/engines.md), in plain Python, without satdip.

It knows units that hold and units that move, all of strength one, and says so when a phase has anything else. Moves
are taken to be legal: it has no map. Try it by hand::

    echo '{"id": 1, "phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}' |
        python3 examples/engines/moves_and_holds.py
"""

import json
import sys


def province(location):
    """Return the province of a location: SPA of SPA/NC."""
    return location.split("/")[0]


def adjudicate(record):
    """Return the answer to a phase record, without its id."""
    if not record["phase"].endswith("M"):
        return {"error": "only movement phases", "kind": "unsupported"}
    units = {province(unit[2:]): (power, unit[0]) for power, many in record["units"].items() for unit in many}
    goals, seen = {}, set()
    for power, orders in record["orders"].items():
        for order in orders:
            words = order.split()
            start = province(words[1])
            if units.get(start) != (power, words[0]) or start in seen:
                return {"error": "an order without a unit, or a second one", "kind": "unsupported"}
            seen.add(start)
            if len(words) == 4 and words[2] == "-":
                goals[start] = words[3]
            elif words[2:] != ["H"]:
                return {"error": "only holds and moves by land or by fleet", "kind": "unsupported"}
    moves = dict(goals)
    while failing := [at for at in moves if fails(at, moves, goals, units)]:
        for at in failing:
            del moves[at]
    return {"moves": moves, "dislodged": []}


def fails(at, moves, goals, units):
    """Return whether a move fails, if those in `moves` succeed: strength one against whatever is there."""
    target = province(goals[at])
    others = [other for other in goals if other != at and province(goals[other]) == target]
    exchange = target in goals and province(goals[target]) == at
    occupied = target in units and target not in moves
    return bool(others) or exchange or occupied


def main():
    """Answer each line with a line, until the input ends."""
    for line in sys.stdin:
        record = json.loads(line)
        sys.stdout.write(json.dumps({"id": record["id"], **adjudicate(record)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
