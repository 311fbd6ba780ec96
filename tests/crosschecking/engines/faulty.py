"""An engine that goes wrong in the way its argument names, on phases of 1902; on others nothing moves.

Usage: ``python faulty.py WAY [FILE]``; FILE gets a line for each question.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LEAKED: list[bytearray] = []


def answer(record: dict[str, Any], **more: Any) -> str:
    return json.dumps({"id": record["id"], "moves": {}, "dislodged": [], **more}) + "\n"


def misbehave(way: str, record: dict[str, Any]) -> str:  # noqa: C901 -- one case for each way
    match way:
        case "sleep":
            time.sleep(3600)
        case "sleeping-child":
            subprocess.run(["sleep", "3600"], check=False)
        case "exit":
            sys.stderr.write("I am leaving\n")
            sys.exit(3)
        case "kill":
            os.kill(os.getpid(), 9)
        case "close":
            os.close(1)
            time.sleep(3600)
        case "garbage":
            return "Segmentation fault? Not quite.\n"
        case "bytes":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            return ""
        case "half":
            sys.stdout.write('{"id": 1, "mov')
            sys.stdout.flush()
            sys.exit(0)
        case "long":
            return "x" * (3 << 20) + "\n"
        case "deep":
            return "[" * 100_000 + "\n"
        case "number":
            return "17\n"
        case "no-id":
            return json.dumps({"moves": {}}) + "\n"
        case "other-id":
            return answer(record | {"id": record["id"] + 1})
        case "twice":
            return answer(record) * 2
        case "nothing":
            return json.dumps({"id": record["id"]}) + "\n"
        case "places":
            return answer(record, moves={"PAR": "ATLANTIS"})
        case "units":
            return answer(record, units={"FRANCE": ["A NTH"]})
        case "powers":
            return answer(record, centers={"ATLANTIS": ["PAR"]})
        case "types":
            return answer(record, dislodged={"PAR": 1})
        case "chatty":
            sys.stderr.write("x" * (1 << 20))
        case "leak":
            LEAKED.append(bytearray(os.urandom(1) * (20 << 20)))
        case "unsupported":
            return json.dumps({"id": record["id"], "error": "not today", "kind": "unsupported"}) + "\n"
        case "gives-up":
            return json.dumps({"id": record["id"], "error": "a paradox"}) + "\n"
    return answer(record)


def main() -> None:
    way, log = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if way == "never-reads":
        time.sleep(3600)
    for line in sys.stdin:
        record = json.loads(line)
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.write(f"{os.getpid()} {record['phase']}\n")
        sys.stdout.write(misbehave(way, record) if "1902" in record["phase"] else answer(record))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
