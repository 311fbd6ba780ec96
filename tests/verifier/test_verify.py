"""The verifier: it accepts nothing that does not hold, whatever it is given."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.certificates import claim, corrupted, is_refuted, paths, says_the_same
from support.commands import satdip
from support.datc_turns import DATC_COUNTS, case_turn

from satdip.base.errors import InputError
from satdip.board import UnitKind
from satdip.board.mapfile import load_board
from satdip.check import check_movement
from satdip.check.legal_orders import legal_orders
from satdip.check.remembered import MovementCheck
from satdip.datc import cases, run_case
from satdip.lab.certify.certificate import certify
from satdip.notation import Notation, read_record, write_order
from satdip.rulebook import DATC, PROFILES, issues, rulebook_named
from satdip.verifier import FORMAT, Verdict, verify
from satdip.verifier.atlas import Atlas
from satdip.verifier.rules import CHOICES

Json = dict[str, Any]
PARADOXES = ("6.F.14", "6.F.16", "6.F.17", "6.F.18", "6.F.22", "6.F.24", "6.C.1")


@cache
def paradox_certificate(case_id: str, rules: str = "datc") -> str:
    """Return the certificate of a test case."""
    return json.dumps(certify(case_turn(case_id, load_board("standard")), rulebook_named(rules)).data)


def fresh(case_id: str = "6.F.14", rules: str = "datc") -> Json:
    """Return a certificate to spoil."""
    data: Json = json.loads(paradox_certificate(case_id, rules))
    return data


@cache
def corpus() -> tuple[Json, ...]:
    """Certificates of all kinds of phase: paradoxes under many rules, and every fourth phase of the test cases."""
    found = [fresh(case_id, rules) for case_id in DATC_COUNTS for rules in ("datc", "1971", "dptg")]
    found += [fresh(case_id, rules) for case_id in PARADOXES for rules in (*PROFILES, "datc+4.A.2=bille")]
    phases = [resolution for case in cases() for resolution in run_case(case).resolutions]
    found += [dict(certify(one.turn, DATC).data) for one in phases[::4]]
    found += [dict(certify(one.turn, DATC).data) for one in phases if str(one.position.phase)[-1] != "M"]
    return tuple(json.loads(json.dumps(found)))


# ---------------------------------------------------------------------- one thing changed


def mutations(seed: int, number: int) -> Iterator[tuple[Json, Json, tuple[str | int, ...]]]:
    rng = random.Random(seed)
    for _ in range(number):
        data = rng.choice(corpus())
        yield (data, *corrupted(data, rng))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 11))])
def test_no_corruption_is_accepted_unless_it_is_true(seed: int) -> None:
    """Of 2,000 corrupted certificates those that are accepted are about another problem with the same answer.

    That is shown by adjudicating that problem anew, by satdip's own adjudicator and solver: another rulebook, an order
    that is not followed, another sequence of orders, and so on. What they rest on is as it was; where only hints are in
    another sequence, a second checker replays the proof without any.
    """
    rejected = accepted = 0
    for data, changed, path in mutations(seed, 2000):
        try:
            verdict = verify(json.dumps(changed))
        except InputError:
            rejected += 1
            continue
        if not verdict.valid:
            assert verdict.problem
            rejected += 1
        elif path[0] != "about":  # nothing depends on the name of the program
            accepted += 1
            assert path[0] in ("rules", "orders", "phase", "units", "dislodged", "centers", "claims", "apart"), path
            assert says_the_same(changed), (path, changed)
            untouched = all(one in data.get("claims", []) for one in changed.get("claims", []))
            assert untouched or ("hints" in path and refutations_hold(changed)), path
    assert rejected > 1500
    assert accepted > 0


def refutations_hold(data: Json) -> bool:
    """Replay all refutations of a certificate without their hints."""

    def within(value: Any) -> Iterator[Json]:
        if isinstance(value, dict) and value.get("refutation") is not None:
            yield value
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from within(item)

    for part in within(data["claims"]):
        models = part["resolutions"] if "resolutions" in part else [part["values"]]
        clauses = [clause["literals"] for clause in part["refutation"]["clauses"]]
        clauses += [[-literal for literal in model] for model in models]
        if not is_refuted(clauses, [step["literals"] for step in part["refutation"]["proof"]]):
            return False
    return True


def spoiled_numbers(data: Json) -> Iterator[tuple[str, Json]]:
    """Yield certificates with one literal flipped, one clause or step dropped: all there are."""

    def lists(value: Any) -> Iterator[list[Any]]:
        if isinstance(value, list):
            yield value
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from lists(item)

    for number, place in enumerate(lists(data["claims"])):
        for index, item in enumerate(place):
            changed = copy.deepcopy(data)
            target = next(one for n, one in enumerate(lists(changed["claims"])) if n == number)
            if isinstance(item, int):
                target[index] = -item
                yield "flipped", changed
            dropped = copy.deepcopy(data)
            del next(one for n, one in enumerate(lists(dropped["claims"])) if n == number)[index]
            yield "dropped", dropped


@pytest.mark.parametrize("case_id", PARADOXES)
def test_every_flipped_literal_and_every_dropped_clause_is_caught(case_id: str) -> None:
    data = fresh(case_id)
    spoiled = list(spoiled_numbers(data))
    assert len(spoiled) > 50
    for what, changed in spoiled:
        whole = len(changed["claims"]) == len(data["claims"])
        assert not (whole and verify(changed).valid), (what, changed["claims"])


@pytest.mark.parametrize("case_id", PARADOXES)
def test_every_changed_order_is_caught(case_id: str) -> None:
    """Each unit gets every other legal order, the rest of the certificate staying as it is."""
    board = load_board("standard")
    turn = case_turn(case_id, board)
    check = MovementCheck(turn.position, DATC)
    data = fresh(case_id)
    for unit, action in check_movement(turn, DATC).actions:
        (index,) = (n for n, order in enumerate(data["orders"][unit.power]) if order.startswith(f"{unit} "))
        others = [order for order in legal_orders(check, unit) if order != action]
        assert others
        for order in others:
            changed = copy.deepcopy(data)
            changed["orders"][unit.power][index] = write_order(order, Notation.PACKAGE, board)
            assert not verify(changed).valid, order


# ---------------------------------------------------------------------- what it says


def spoil(change: Callable[[Json], object], case_id: str = "6.F.14") -> str:
    """Return what the verifier says about a certificate after a change."""
    data = fresh(case_id)
    change(data)
    verdict = verify(json.dumps(data))
    assert not verdict.valid
    assert not verdict.claims
    return verdict.problem


def test_what_is_wrong_is_told_in_one_sentence() -> None:
    def step(data: Json) -> Json:
        return dict(claim(data, "answer")["steps"][0])

    told = {
        "refused": lambda data: data["orders"]["ENGLAND"].__setitem__(1, "F WAL - MUN"),
        "decisions": lambda data: data["orders"]["ENGLAND"].__setitem__(1, "F WAL - IRI"),
        "map_sha256": lambda data: data.update(map_sha256="0" * 64),
        "breaks the equation of SUPPORT F LON": lambda data: claim(data, "resolutions")["resolutions"][0].__setitem__(
            0, -1
        ),
        "does not follow from the equation": lambda data: claim(data, "resolutions")["refutation"]["clauses"][0][
            "literals"
        ].__setitem__(0, 1),
        "of the proof does not follow": lambda data: claim(data, "resolutions")["refutation"]["clauses"].pop(),
        "must be the knot": lambda data: claim(data, "answer")["steps"].clear(),
        "the rule forbids": lambda data: step(data)["vetoes"].clear(),
        "result": lambda data: claim(data, "answer")["result"]["contested"].append("BEL"),
        "rules.paradox must be one of": lambda data: data["rules"].update(paradox="best"),
        "has the key 'more'": lambda data: data.update(more=1),
        "lacks the key 'orders'": lambda data: data.pop("orders"),
        "alphabetical": lambda data: data["units"]["ENGLAND"].reverse(),
        "no unit that can stand": lambda data: data["units"]["ENGLAND"].__setitem__(0, "A NTH"),
        "no power": lambda data: data["units"].update(ZULU=["A PAR"]),
        "no order of a phase record": lambda data: data["orders"]["ENGLAND"].__setitem__(0, "F LON dances"),
        "no place of the map": lambda data: data["orders"]["ENGLAND"].__setitem__(0, "F LON - XYZ"),
        "claims must": lambda data: data["claims"].reverse(),
    }
    for words, change in told.items():
        problem = spoil(change)
        assert words in problem
        assert "\n" not in problem


def test_a_clause_must_say_as_much_as_it_can() -> None:
    def weaken(data: Json) -> None:
        claim(data, "resolutions")["refutation"]["clauses"][2]["literals"] = [-3, 4]

    assert "it holds without" in spoil(weaken)


def test_a_second_resolution_cannot_be_hidden() -> None:
    """6.F.14 has two; a certificate of one of them fails, whatever its proof says."""

    def hide(data: Json) -> None:
        claim(data, "resolutions")["resolutions"].pop()

    assert "of the proof does not follow" in spoil(hide)


def test_a_ring_that_stays_is_no_answer() -> None:
    def stay(data: Json) -> None:
        answer = claim(data, "answer")
        answer["values"] = [-1, -2, -3]
        answer["steps"][0]["resolutions"] = [[-1, -2, -3]]

    assert "breaks the law of circular movement" in spoil(stay, "6.C.1")


def test_a_fallback_is_no_answer_of_an_edition() -> None:
    """Under 1971 6.F.18 stays open; vetoes as Szykman would lay them down are refused."""
    data = fresh("6.F.18", "1971")
    step = claim(data, "answer")["steps"][0]
    step["vetoes"] = [step["core"][0]]
    assert "forbids the orders of the units in no province" in verify(data).problem


# ---------------------------------------------------------------------- anything at all


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_anything_in_the_place_of_a_part(data: st.DataObject) -> None:
    certificate = fresh(data.draw(st.sampled_from(("6.F.14", "6.C.1"))))
    part = data.draw(st.sampled_from(sorted(certificate)))
    old, certificate[part] = certificate[part], data.draw(JSON)
    if part == "format":
        with pytest.raises(InputError):
            verify(certificate)
    else:
        assert verify(certificate).valid == (certificate[part] == old)


@given(st.binary(max_size=60) | st.text(max_size=60) | JSON.map(json.dumps))
def test_what_is_no_certificate_is_bad_input(text: str | bytes) -> None:
    with pytest.raises(InputError, match="no certificate"):
        verify(text)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        f'{{"format": "{FORMAT}", "format": "{FORMAT}"}}',
        '{"format": NaN}',
        "9" * 5000,
        "\ud800",
        b"\xff\xfe",
        "",
    ],
    ids=["deep", "twice", "nan", "long number", "surrogate", "bytes", "empty"],
)
def test_odd_texts_are_bad_input(text: str | bytes) -> None:
    with pytest.raises(InputError, match="no certificate"):
        verify(text)


@pytest.mark.parametrize("depth", [500, 2_000, 100_000])
def test_a_deep_value_is_no_crash(depth: int) -> None:
    text = json.dumps({**fresh(), "holding": 0}).replace('"holding": 0', f'"holding": {"[" * depth}{"]" * depth}')
    with suppress(InputError):  # too deep for the reader of JSON
        assert not verify(text).valid


def test_values_that_json_does_not_have() -> None:
    for odd in ({1: 2, "x": 3}, {"a", "b"}, object(), float("nan")):
        with pytest.raises(InputError):
            verify({**fresh(), "format": odd})


def test_too_large_is_bad_input() -> None:
    with pytest.raises(InputError, match="too large"):
        verify(b" " * (1 << 25))


# ---------------------------------------------------------------------- the rules as the verifier knows them


def test_the_verifier_knows_every_answer_of_the_issues_that_it_reads() -> None:
    known = {issue.field: {choice.slug for choice in issue.choices} for issue in issues()}
    for choices in CHOICES.values():
        for field, answers in choices.items():
            assert set(answers) == known[field]


def test_the_issues_that_it_does_not_read() -> None:
    """One answer only; or about whole order sets, which it takes as they were counted."""
    read = {field for choices in CHOICES.values() for field in choices}
    single = {issue.field for issue in issues() if len(issue.choices) == 1}
    sets = {"order_sets", "undated_sets", "implicit_orders", "perpetual_orders", "proxy_orders"}
    assert {issue.field for issue in issues()} - read == single | sets | {"build_kind"} - read


def test_the_second_checker_is_no_yes_man() -> None:
    assert is_refuted([[1], [-1]], [[]])
    assert not is_refuted([[1, 2], [-1]], [[]])
    assert not is_refuted([[1], [-1]], [])


# ---------------------------------------------------------------------- the command line


def test_certify_and_verify(tmp_path: Path) -> None:
    sheet, certificate = "examples/pandin.txt", tmp_path / "pandin.json"
    cnf, proof = tmp_path / "pandin.cnf", tmp_path / "pandin.drat"
    made = satdip("certify", sheet, "-o", certificate, "--claim", "resolutions", "--dimacs", cnf, "--proof", proof)
    assert (made.code, made.err) == (0, "")
    assert "exactly 0 consistent resolutions" in made.out
    assert cnf.read_text(encoding="ascii").startswith("c satdip: ")
    assert proof.read_text(encoding="ascii").endswith("\n0\n")
    assert satdip("verify", certificate).out == "valid\n  exactly 0 consistent resolutions\n"
    told = satdip("verify", certificate, "--json")
    assert told.json == {"valid": True, "problem": None, "claims": ["exactly 0 consistent resolutions"], "assumed": []}
    spoiled = certificate.read_bytes().replace(b"F BEL - ENG", b"F BEL - NTH")
    found = satdip("verify", "-", "--json", stdin=spoiled)
    assert (found.code, found.json["valid"], found.json["claims"]) == (1, False, [])
    assert found.json["problem"]


def test_the_certificate_on_standard_output() -> None:
    made = satdip("certify", "examples/paradox.txt", "--json")
    assert satdip("verify", "-", stdin=made.out.encode()).code == 0


def test_retreats_and_winters_are_certified() -> None:
    for sheet in ("examples/retreats.txt", "examples/winter.txt"):
        made = satdip("certify", sheet, "--json")
        assert made.code == 0
        assert satdip("verify", "-", stdin=made.out.encode()).code == 0


def test_errors_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    assert satdip("verify", tmp_path / "none.json").code == 2
    assert satdip("verify", tmp_path / "missing.json").code == 2
    unforced = satdip("certify", "examples/paradox.txt", "--forced", "F Wal")
    assert (unforced.code, unforced.out) == (2, "")
    assert "differs between resolutions" in unforced.err
    assert satdip("certify", "examples/paradox.txt", "--timeout", "0.000001").code == 4
    nowhere = satdip("certify", "examples/paradox.txt", "-o", tmp_path / "no" / "folder.json")
    assert (nowhere.code, nowhere.out) == (2, "")


# ---------------------------------------------------------------------- premises


def retreats(**changes: object) -> Json:
    """Return a certificate of a retreat from Burgundy, where Germany came from Munich, with other premises."""
    turn = read_record(
        {
            "phase": "S1901R",
            "units": {"GERMANY": ["A BUR"]},
            "dislodged": {"FRANCE": ["A BUR"]},
            "retreats": {"A BUR": ["GAS", "PAR"]},
            "attackers": {"A BUR": "MUN"},
            "orders": {"FRANCE": ["A BUR R PAR"]},
        }
    )
    data: Json = json.loads(json.dumps(certify(turn, DATC).data))
    for key, value in changes.items():
        if key in data["dislodged"][0]:
            data["dislodged"][0][key] = value
        else:
            data[key] = value
    return data


def test_what_only_the_phase_before_could_tell_is_assumed() -> None:
    assert verify(retreats()).assumed == (
        "FRANCE A BUR was attacked from MUN",
        "FRANCE A BUR may retreat to GAS, PAR",
    )
    assert verify(retreats(attacker_from=None, retreats=None)).assumed == (
        "neither a stand-off nor its attacker closes a province to FRANCE A BUR",
    )
    alone = retreats(units={}, result={"units": {"FRANCE": ["A PAR"]}, "removed": {}, "contested": []})
    assert verify(alone).assumed[0] == "FRANCE A BUR was dislodged by a unit that is not stated"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"attacker_from": "BUR"}, "GERMANY A BUR cannot have come from BUR to dislodge FRANCE A BUR"),
        ({"attacker_from": "BOH"}, "GERMANY A BUR cannot have come from BOH"),
        ({"attacker_from": "NTH"}, "GERMANY A BUR cannot have come from NTH"),
        ({"attacker_from": "HOL"}, "GERMANY A BUR cannot have come from HOL"),
        ({"attacker_from": "MAO/QQ"}, "attacker_from must be a province"),
        ({"attacker_from": "GAS"}, "FRANCE A BUR cannot retreat to GAS, from where its attacker came"),
        ({"units": {"FRANCE": ["A BUR"]}}, "a unit of its own power stands in its place"),
        ({"units": {}, "attacker_from": "BOH"}, "no unit can have come from BOH"),
        ({"retreats": ["MUN", "PAR"]}, "FRANCE A BUR cannot retreat to MUN"),
    ],
)
def test_premises_that_cannot_be_are_refused(changes: Json, says: str) -> None:
    verdict = verify(retreats(**changes))
    assert not verdict.valid
    assert says in verdict.problem


@pytest.mark.parametrize(
    ("kind", "place", "origin", "comes"),
    [
        ("A", "NWY", "YOR", True),  # by convoy
        ("A", "NWY", "MOS", False),
        ("A", "NWY", "NTH", False),
        ("F", "NWY", "NTH", True),
        ("F", "STP/SC", "BOT", True),
        ("F", "STP/SC", "BAR", False),
        ("F", "NWY", "STP", True),
        ("F", "SWE", "STP", False),
        ("A", "SWE", "SWE", False),
        ("A", "SWE", "NOWHERE", False),
    ],
)
def test_where_a_unit_can_have_come_from(kind: str, place: str, origin: str, comes: bool) -> None:
    """The verifier and the board have each their own answer."""
    atlas = Atlas.named("standard")
    assert load_board("standard").can_come(UnitKind(kind), place, origin) is comes
    if origin in atlas.terrain:
        assert atlas.can_come(kind, place, origin) is comes


def test_verifier_and_board_agree_on_where_units_come_from() -> None:
    atlas, board = Atlas.named("standard"), load_board("standard")
    for kind in UnitKind:
        for place in board.army if kind == UnitKind.ARMY else board.fleet:
            for origin in board.provinces:
                assert board.can_come(kind, place, origin) == atlas.can_come(str(kind), place, origin)


def test_two_units_of_one_origin_are_refused() -> None:
    both = {
        "phase": "S1901R",
        "units": {"GERMANY": ["A BUR", "A TYR"]},
        "dislodged": {"AUSTRIA": ["A TYR"], "FRANCE": ["A BUR"]},
    }
    assert read_record({**both, "attackers": {"A BUR": "RUH", "A TYR": "MUN"}}).position
    with pytest.raises(InputError, match="another unit is dislodged there, or from there"):
        read_record({**both, "attackers": {"A BUR": "MUN", "A TYR": "MUN"}})
    data: Json = json.loads(
        json.dumps(certify(read_record({**both, "attackers": {"A BUR": "RUH", "A TYR": "MUN"}}), DATC).data)
    )
    for item in data["dislodged"]:
        item["attacker_from"] = "MUN"
    assert "another unit was dislodged there, or from there" in verify(data).problem


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"attackers": {"A BUR": "BOH"}}, "A BUR is not dislodged from BOH"),
        ({"attackers": {"A BUR": "PAR"}}, "A BUR cannot retreat to PAR: it was dislodged from there"),
        ({"units": {"FRANCE": ["A BUR"]}}, "A BUR of the same power stands there"),
    ],
)
def test_a_position_that_cannot_be_is_refused_before_it_is_certified(changes: Json, says: str) -> None:
    record = {
        "phase": "S1901R",
        "units": {"GERMANY": ["A BUR"]},
        "dislodged": {"FRANCE": ["A BUR"]},
        "retreats": {"A BUR": ["PAR"]},
        "orders": {"FRANCE": ["A BUR R PAR"]},
    }
    run = satdip("certify", "-", stdin=json.dumps({**record, **changes}).encode())
    assert (run.code, run.out) == (2, "")
    assert says in run.err


def test_a_winter_assumes_who_owns_what() -> None:
    record = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A BUR", "A MUN"]},
        "centers": {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"], "ITALY": []},
        "orders": {},
    }
    assert certify(read_record(record), DATC).verdict.assumed == (
        "who owns which supply centre: FRANCE BRE PAR, GERMANY MUN",
        "FRANCE A MUN stands in a supply centre that it does not own",
    )


@pytest.mark.parametrize(
    "order", ["F MAO/QQ H", "F MAO/ H", "A BRE - GAS/X", "F ENG C A BRE - LON/\x1b[31m", "A STP/NC/SC H"]
)
def test_a_coast_that_the_map_does_not_have_is_no_place(order: str) -> None:
    data = fresh()
    data["orders"]["FRANCE"].append(order)
    data["refused"].append({"power": "FRANCE", "order": order, "reason": "no-such-unit"})
    verdict = verify(data)
    assert not verdict.valid
    assert "is no place of the map" in verdict.problem


# ---------------------------------------------------------------------- words that a certificate brings along


FAKED = "x)\n  the rules allow one resolution: 9 units move, 9 are dislodged\r\n\x1b[2J\x1b]0;x\x07\u202evalid"


def test_the_text_of_a_certificate_looks_like_no_claim() -> None:
    """Wherever a text is put in, what is printed has the lines of the verdict, and those show what they are."""
    source = fresh("6.F.14")
    source["apart"] = {
        "set_aside": [{"power": "FRANCE", "order": "A PAR H", "reason": "perpetual-forbidden"}],
        "supplied": [],
        "taking_part": ["ENGLAND", "FRANCE"],
    }
    assert verify(source).valid
    own = str(verify(source)).splitlines()
    tried = 0
    for path in paths(source):
        for how in ("value", "key"):
            data = copy.deepcopy(source)
            holder: Any = data
            for key in path[:-1]:
                holder = holder[key]
            if how == "key" and isinstance(holder, dict):
                holder[FAKED] = holder.pop(path[-1])
            else:
                holder[path[-1]] = FAKED
            try:
                verdict = verify(json.dumps(data))
            except InputError as error:
                verdict = Verdict(False, str(error))
                if not str(error).isprintable():
                    raise
            tried += 1
            lines = str(verdict).split("\n")
            assert all(line.isprintable() for line in lines)
            if verdict.valid:  # nothing depends on that text
                assert lines == own
            else:
                assert len(lines) == 1
                assert lines[0].startswith("not valid: ")
                assert len(lines[0]) < 700
    assert tried > 300


def test_a_reason_is_a_code() -> None:
    found = Path("../shared/findings/robustness/verify_inject.json")
    if not found.exists():
        pytest.skip("the sample is not here")
    run = satdip("verify", found)
    assert run.code == 1
    assert run.out.startswith("not valid: apart.set_aside[0].reason must be the code of a reason")
    assert run.out.count("\n") == 1
