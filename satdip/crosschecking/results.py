"""What the results of a cross-check look like: a file of them may be damaged, or come from anyone."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from satdip.base.errors import InputError, Where
from satdip.crosschecking.classify import KINDS
from satdip.crosschecking.engines import FailureKind, read_answer
from satdip.crosschecking.habits import choices, habits
from satdip.crosschecking.shapes import DIFFERENCES, Shape, each, every, fields, mapping, one_of, text, whole
from satdip.crosschecking.work import Verdict
from satdip.notation import read_record

__all__ = ["check_result"]

FAILURE = fields({"kind": one_of(list(FailureKind)), "text": text}, {"printed": text, "stderr": text})
SKIPPED = fields({"id": text, "skipped": text})


def check_result(value: Mapping[str, Any], engines: Collection[str]) -> None:
    """Refuse what is no result of a cross-check with some engines.

    Args:
        value: the JSON object of a line.
        engines: the names of the engines.

    Raises:
        InputError: it is none; the sentence says what is expected where.
    """
    if "error" in value:  # the store looks at these
        return
    if "skipped" in value:
        SKIPPED(value, "$")
        return
    COMPARED(value, "$")
    if set(value["engines"]) != set(engines):
        raise InputError(f"the answers of {', '.join(engines)} are expected here", Where(path="$.engines"))
    if not any(verdict["verdict"] == Verdict.DISAGREE for verdict in value["engines"].values()):
        return
    for key in ("record", "size"):
        if key not in value:
            raise InputError(f"the key {key!r} is missing", Where(path="$"))
    try:
        position = read_record(value["record"]).position
    except InputError as error:
        raise InputError(error.sentence, Where(path="$.record")) from None
    for name, verdict in value["engines"].items():
        if verdict["verdict"] == Verdict.DISAGREE:
            try:
                answer = read_answer(verdict["answer"], position)
            except InputError as error:
                raise InputError(error.sentence, Where(path=f"$.engines.{name}.answer")) from None
            if answer.failure is not None:
                raise InputError("an answer that disagrees is expected here", Where(path=f"$.engines.{name}.answer"))


def _part(value: object, path: str) -> None:
    one_of([*choices(), *habits()])(value, path)


VERDICTS: Mapping[str, Shape] = {
    Verdict.AGREE: fields({"verdict": text}),
    Verdict.FAILURE: fields({"verdict": text, "failure": FAILURE}),
    Verdict.UNSUPPORTED: fields({"verdict": text, "failure": FAILURE}),
    Verdict.DISAGREE: fields(
        {
            "verdict": text,
            "kind": one_of(KINDS),
            "differences": DIFFERENCES,
            "causes": each(each(_part, least=1)),
            "answer": mapping,
        }
    ),
}


def _verdict(value: object, path: str) -> None:
    mapping(value, path)
    verdict = value.get("verdict") if isinstance(value, Mapping) else None
    one_of(VERDICTS)(verdict, f"{path}.verdict")
    VERDICTS[str(verdict)](value, path)


COMPARED = fields(
    {"id": text, "phase": text, "rules": text, "engines": every(_verdict)}, {"record": mapping, "size": whole}
)
