"""Rulebooks: how people name one, what each choice is called, and how the command line shows them."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import satdip

from satdip import InputError, adjudicate
from satdip.rulebook import (
    DATC,
    PROFILES,
    AdjacentConvoy,
    Allowance,
    Choice,
    DislodgedEffect,
    DisorderDislodged,
    Issue,
    Paradox,
    Removal,
    Rulebook,
    SupportCoast,
    issues,
    rulebook_named,
    rulebook_of,
)
from tools.rules_page import PAGE, written_anew

ISSUES = {issue.field: issue for issue in issues()}
EVERY_CHOICE = [
    pytest.param(issue, choice, id=f"{issue.field}-{choice.slug}") for issue in issues() for choice in issue.choices
]


def error_of(name: str) -> InputError:
    with pytest.raises(InputError) as caught:
        rulebook_of(name)
    return caught.value


def changed(book: Rulebook, base: Rulebook = DATC) -> set[str]:
    """The fields in which two rulebooks differ."""
    return {field for field, issue in ISSUES.items() if book.choice(issue) != base.choice(issue)}


# ---------------------------------------------------------------------- issues and choices


def test_there_is_one_issue_for_each_field() -> None:
    others = ("name", "unsettled", "ruled_out")
    assert list(ISSUES) == [item.name for item in fields(Rulebook) if item.name not in others]


def test_sections_are_those_of_the_datc() -> None:
    sections = [issue.section for issue in issues()]
    assert len(set(sections)) == len(sections)
    numbered = {section for section in sections if section[0] == "4"}
    assert numbered == {
        *(f"4.A.{number}" for number in range(1, 8)),
        *(f"4.B.{number}" for number in range(1, 8)),
        *(f"4.C.{number}" for number in range(1, 7)),
        *(f"4.D.{number}" for number in range(1, 10)),
        *(f"4.E.{number}" for number in (1, 3, 4, 5, 6)),  # 4.E.2 is about words
    }


@pytest.mark.parametrize("issue", ISSUES.values(), ids=ISSUES)
def test_the_choices_of_an_issue_can_be_told_apart(issue: Issue) -> None:
    names = [name for choice in issue.choices for name in (choice.slug, choice.letter) if name is not None]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and " " not in name and "+" not in name for name in names)
    assert len({choice.meaning for choice in issue.choices}) == len(issue.choices)


@pytest.mark.parametrize(("issue", "choice"), EVERY_CHOICE)
def test_a_choice_is_named_by_its_slug_and_by_its_letter(issue: Issue, choice: Choice) -> None:
    assert choice.meaning.endswith(".")
    assert issue.choice(choice.slug) is choice
    assert issue.choice(choice.slug.upper()) is choice
    if choice.letter is not None:
        assert issue.choice(choice.letter.upper()) is choice


def test_a_choice_that_is_none() -> None:
    with pytest.raises(InputError) as caught:
        ISSUES["convoy_routes"].choice("some")
    assert str(caught.value) == ("'some' is no choice of 4.A.1, several convoy routes; there is any (a), all (b)")


def test_letters_of_the_two_issues_in_which_versions_of_the_datc_differ() -> None:
    """Version 3 calls All Hold d and Szykman f (2.x: e and d), and has a letter for 2025 in 4.A.3."""
    paradox, neighbour = ISSUES["paradox"], ISSUES["adjacent_convoy"]
    assert [paradox.choice(letter) for letter in "abcdef"] == [
        Paradox.FLEETS_1971,
        Paradox.WATERS_1982,
        Paradox.NECESSARY_2000,
        Paradox.ALL_HOLD,
        Paradox.AFFECT_CAUSE,
        Paradox.SZYKMAN,
    ]
    assert [neighbour.choice(letter) for letter in "abcd"] == [
        AdjacentConvoy.LAND_UNLESS_OPPOSITE,
        AdjacentConvoy.INTENT,
        AdjacentConvoy.TAG_OR_OWN_FLEET_ELSE_LAND,
        AdjacentConvoy.TAG_OR_OWN_FLEET,
    ]


# ---------------------------------------------------------------------- names


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_by_its_name(name: str) -> None:
    assert rulebook_named(name) is PROFILES[name]
    assert rulebook_named(f" {name.upper()} ") is PROFILES[name]
    assert PROFILES[name].name == name


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("2023+4.A.2=d", "paradox", Paradox.ALL_HOLD),
        ("2023+4.a.2=D", "paradox", Paradox.ALL_HOLD),
        ("2023 + 4.A.2 = szykman", "paradox", Paradox.SZYKMAN),
        ("2023+paradox=hand", "paradox", Paradox.HAND),
        ("datc+support_coast=no-matter", "support_coast", SupportCoast.NO_MATTER),
        ("datc+support-coast=no-matter", "support_coast", SupportCoast.NO_MATTER),
        ("datc+VIII-rotation=forbidden", "rotation", Allowance.FORBIDDEN),
        ("datc+disorder=removed", "disorder_dislodged", DisorderDislodged.REMOVED),
    ],
)
def test_a_profile_with_one_other_choice(name: str, field: str, value: object) -> None:
    book, base = rulebook_named(name), PROFILES[name[:4]]
    assert getattr(book, field) is value
    assert changed(book, base) == {field}


def test_several_overrides() -> None:
    book = rulebook_named("1971+4.A.1=all+removal=country")
    assert changed(book, PROFILES["1971"]) == {"convoy_routes", "removal"}
    assert book.removal is Removal.COUNTRY
    assert book.name == "1971+4.A.1=all+removal=country"


@given(st.sampled_from(sorted(PROFILES)), st.dictionaries(st.sampled_from(sorted(ISSUES)), st.integers(0, 10)))
def test_whatever_can_be_chosen_can_be_written(base: str, picks: dict[str, int]) -> None:
    """A rulebook's own name, written with fields or with sections, names the same choices."""
    choices = {field: ISSUES[field].choices[pick % len(ISSUES[field].choices)] for field, pick in picks.items()}
    by_field = "+".join([base, *(f"{field}={choice.slug}" for field, choice in choices.items())])
    by_section = "+".join([base, *(f"{ISSUES[field].section}={c.letter or c.slug}" for field, c in choices.items())])
    one, other = rulebook_named(by_field), rulebook_named(by_section)
    assert {field: getattr(one, field) for field in choices} == choices
    assert changed(one, other) == set()
    assert changed(one, PROFILES[base]) <= set(choices)
    assert changed(rulebook_named(one.name), one) == set()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("20223", "no rulebook is called '20223'; did you mean '2023'?"),
        ("datk", "no rulebook is called 'datk'; did you mean 'datc'?"),
        ("x", "no rulebook is called 'x'; there is datc, 1971, 1976, 1982, 2000, 2023, 2025ee, dptg, seed"),
        ("2023+4.A.22=d", "no issue is called '4.A.22'; did you mean 4.A.2?"),
        ("2023+remuval=a", "no issue is called 'remuval'; did you mean removal?"),
        ("2023+foo=a", "no issue is called 'foo'; write one as in 4.A.2"),
        ("2023+4.A.1=c", "'c' is no choice of 4.A.1, several convoy routes; there is any (a), all (b)"),
        ("2023+4.A.1", "'4.A.1' is no choice; write the issue, = and the answer, as in 2023+4.A.2=d"),
        ("2023+", "'' is no choice; write the issue, = and the answer, as in 2023+4.A.2=d"),
    ],
)
def test_a_name_that_names_nothing(name: str, message: str) -> None:
    assert str(error_of(name)) == message


# ---------------------------------------------------------------------- what an edition does not settle


def test_the_preferences_of_the_datc_settle_everything() -> None:
    assert all(DATC.settles(issue) for issue in issues())


def test_who_chooses_himself_has_settled_it() -> None:
    """An override is the user's own word, even when it is what we would have used."""
    silent = PROFILES["1971"]
    assert not silent.settles(ISSUES["missing_coast"])
    assert rulebook_named("1971+4.B.2=a").settles(ISSUES["missing_coast"])
    assert rulebook_named("1971+4.B.2=a").missing_coast == silent.missing_coast
    assert not rulebook_named("1971+4.A.1=b").settles(ISSUES["missing_coast"])


@pytest.mark.parametrize("name", PROFILES)
def test_what_is_not_settled_are_issues(name: str) -> None:
    assert PROFILES[name].unsettled <= ISSUES.keys()


# ---------------------------------------------------------------------- rulebooks in files


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "house.toml"


def test_a_file(written: Path) -> None:
    written.write_text('base = "1971"\n[choices]\n"4.A.1" = "b"\nremoval = "country"\n', encoding="utf-8")
    book = rulebook_of(str(written))
    assert book.name == "house"
    assert changed(book, PROFILES["1971"]) == {"convoy_routes", "removal"}
    assert book.unsettled == PROFILES["1971"].unsettled


def test_a_file_may_leave_the_quotes_out(written: Path) -> None:
    """TOML reads an unquoted 4.A.1 as tables in tables."""
    written.write_text('[choices]\n4.A.1 = "a"\n4.A.7 = "never"\n', encoding="utf-8")
    book = rulebook_of(str(written))
    assert changed(book) == {"convoy_routes", "dislodged_effect"}
    assert book.dislodged_effect is DislodgedEffect.NEVER


def test_a_file_may_have_a_name_and_nothing_else(written: Path) -> None:
    written.write_text('name = "club rules"', encoding="utf-8")
    book = rulebook_of(str(written))
    assert (book.name, changed(book)) == ("club rules", set())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("base = ", "this is not TOML: Invalid value (at end of document)"),
        ("bose = 'datc'", "unknown key 'bose'; a rulebook has base, name and a table [choices]"),
        ("base = 1971", "base and name are texts and choices is a table of texts"),
        ("choices = 'all'", "base and name are texts and choices is a table of texts"),
        ("base = '1791'", "no rulebook is called '1791'; did you mean '1971'?"),
        ("[choices]\n4.A.2 = 'z'", "'z' is no choice of 4.A.2"),
        ("[choices]\n4.A.9 = 'a'", "no issue is called '4.A.9'; did you mean 4.A.7?"),
        ("[choices]\n4.A.1 = 1", "'1' is no choice of 4.A.1"),
    ],
)
def test_a_file_that_is_none(written: Path, text: str, message: str) -> None:
    written.write_text(text, encoding="utf-8")
    found = str(error_of(str(written)))
    assert found.startswith((f"{written}: ", f"{written}, line "))
    assert message.partition("; did you mean")[0] in found


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("base = '1971'\n\nchoises = {}", 3, "unknown key 'choises'"),
        ("name = 'x'\nbase = '1791'", 2, "no rulebook is called '1791'"),
        ("base = '2023'\n[choices]\n4.A.1 = 'a'\n'4.A.2' = 'z'", 4, "'z' is no choice of 4.A.2"),
        ("[choices]\nparadox = 'szykman'\n'4.A.2' = 'f'", 3, "4.A.2 is answered twice, as 'paradox' and as '4.A.2'"),
        ("\nname = '1971'\nchoices = {'4.A.1' = 'a'}", 2, "'1971' is the name of another rulebook"),
    ],
)
def test_what_is_wrong_with_a_file_has_its_line(written: Path, text: str, line: int, message: str) -> None:
    written.write_text(text, encoding="utf-8")
    assert str(error_of(str(written))).startswith(f"{written}, line {line}: {message}")


@pytest.mark.parametrize(
    "name", ["2023+4.A.2=d+4.A.2=f", "2023+4.A.2=d+paradox=szykman", "datc+removal=country+4.D.8=country"]
)
def test_an_issue_has_one_answer(name: str) -> None:
    assert "is answered twice" in str(error_of(name))


def test_a_file_is_never_named_within_a_phase(written: Path) -> None:
    written.write_text("name = 'secret'", encoding="utf-8")
    with pytest.raises(InputError, match="never within a phase"):
        adjudicate({"orders": {"FRANCE": ["A PAR H"]}, "rules": str(written)})
    with pytest.raises(InputError, match="never within a phase"):
        adjudicate(f"rules: {written}\nFrance: A PAR H")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert "No such file" in str(error_of(str(tmp_path / "missing.toml")))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    assert "byte 0xff at offset 0 is not UTF-8" in str(error_of(str(tmp_path / "binary.toml")))
    (tmp_path / "folder.toml").mkdir()
    assert "cannot be read" in str(error_of(str(tmp_path / "folder.toml")))


# ---------------------------------------------------------------------- satdip rules


def cells(text: str, key: int = 0) -> list[list[str]]:
    """The rows of a printed table, long cells put together again; a row begins where the key column says something."""
    rows: list[list[str]] = []
    for line in text.splitlines():
        row = [cell.strip() for cell in line.split("│")[1:-1]]
        if row and row[key]:
            rows.append(row)
        elif row:
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], row, strict=True)]
    return rows


def test_the_list_of_choices() -> None:
    run = satdip("rules")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[-1] == f"Profiles: {', '.join(PROFILES)}"
    words = " ".join(run.out.replace("│", " ").split())
    for issue in issues():
        assert issue.section in words
    assert [row[2] for row in cells(run.out, key=2)] == [c.slug for issue in issues() for c in issue.choices]


def test_the_list_of_choices_in_json() -> None:
    found = satdip("rules", "--json").json
    assert found["profiles"] == list(PROFILES)
    assert found["issues"] == [
        {
            "section": issue.section,
            "field": issue.field,
            "title": issue.title,
            "choices": [{"slug": c.slug, "letter": c.letter, "meaning": c.meaning} for c in issue.choices],
        }
        for issue in issues()
    ]


@pytest.mark.parametrize("name", [*PROFILES, "2023+4.A.2=d"])
def test_a_rulebook_is_shown(name: str) -> None:
    book, found = rulebook_named(name), satdip("rules", "show", name, "--json").json
    assert found["name"] == name
    assert {row["field"]: (row["slug"], row["settled"]) for row in found["choices"]} == {
        field: (book.choice(issue).slug, field not in book.unsettled) for field, issue in ISSUES.items()
    }


def test_what_an_edition_does_not_settle_is_marked() -> None:
    rows = {row[0]: row for row in cells(satdip("rules", "show", "1971").out)}
    assert rows["4.B.2"][2:] == [
        "taken (a)",
        "not settled by this edition, we use: The fleet moves to the only coast that it can reach.",
    ]
    assert rows["4.A.1"][2:] == ["any (a)", "A convoy fails as soon as one of its ordered routes is broken."]
    assert "not settled" not in satdip("rules", "show", "datc").out


def test_two_rulebooks_are_compared() -> None:
    """1982 changed three things of 1971: several routes, paradoxes, convoys to a neighbour."""
    found = satdip("rules", "diff", "1971", "1982", "--json").json
    assert (found["first"], found["second"]) == ("1971", "1982")
    assert [(row["section"], row["first"], row["second"]) for row in found["differences"]] == [
        ("4.A.1", "any", "all"),
        ("4.A.2", "1971", "1982"),
        ("4.A.3", "land-unless-opposite", "intent"),
    ]
    assert [row[0] for row in cells(satdip("rules", "diff", "1971", "1982").out)] == ["4.A.1", "4.A.2", "4.A.3"]


def test_a_comparison_marks_what_is_not_settled() -> None:
    rows = {row[0]: row for row in cells(satdip("rules", "diff", "1971", "2023").out)}
    assert rows["4.A.5"][2].endswith("(not settled by this edition)")
    assert "not settled" not in rows["4.A.5"][3]


@pytest.mark.parametrize("name", PROFILES)
def test_a_rulebook_differs_from_itself_in_nothing(name: str) -> None:
    assert satdip("rules", "diff", name, name, "--json").json["differences"] == []


def test_the_editions_of_1971_and_1976_are_one() -> None:
    assert satdip("rules", "diff", "1971", "1976", "--json").json["differences"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rules", "show", "1791"), "satdip: no rulebook is called '1791'; did you mean '1971'?"),
        (("rules", "diff", "1971", "2023+4.A.8=a"), "satdip: no issue is called '4.A.8'"),
        (("rules", "show"), "satdip: missing argument"),
        (("adjudicate", "-", "--rules", "1791"), "satdip: --rules: no rulebook is called '1791'"),
        (("datc", "--rules", "1791"), "satdip: --rules: no rulebook is called '1791'"),
    ],
)
def test_bad_names_on_the_command_line(arguments: tuple[str, ...], message: str) -> None:
    run = satdip(*arguments)
    assert run.code == 2
    assert run.err.startswith(message)
    assert run.out == ""


# ---------------------------------------------------------------------- where a rulebook is named

BETWEEN_COASTS = "France: F Gascony - Spain(sc)"


def test_a_sheet_names_its_rulebook_and_an_option_overrules_it(written: Path) -> None:
    written.write_text('[choices]\n4.B.3 = "a"\n', encoding="utf-8")
    sheet = f"rules: datc+4.B.3=corrected\n{BETWEEN_COASTS}".encode()
    outcomes = {
        "the sheet's": satdip("adjudicate", "-", "--json", stdin=sheet).json,
        "the option's": satdip("adjudicate", "-", "--json", "--rules", "datc", stdin=sheet).json,
        "a file": satdip("adjudicate", "-", "--json", "--rules", written, stdin=BETWEEN_COASTS.encode()).json,
    }
    assert {name: (found["rules"], found["orders"][0]["success"]) for name, found in outcomes.items()} == {
        "the sheet's": ("datc+4.B.3=corrected", True),
        "the option's": ("datc", False),
        "a file": ("house", True),
    }


PARADOX = """
England: F London S F Wales - English Channel, F Wales - English Channel
France: A Brest - London, F English Channel C A Brest - London
Germany: F North Sea S F Belgium - English Channel, F Belgium - English Channel
"""


@pytest.mark.parametrize(("fallback", "code"), [((), 3), (("szykman",), 0), (("all-hold",), 0)])
def test_a_fallback_is_the_choice_of_who_asks(fallback: tuple[str, ...], code: int) -> None:
    options = [option for name in fallback for option in ("--fallback", name)]
    run = satdip("adjudicate", "-", "--rules", "datc+4.A.2=none", "--json", *options, stdin=PARADOX.encode())
    assert run.code == code
    assert run.json["open"] == (code == 3)
    assert run.json["rules"] == "+".join(["datc+4.A.2=none", *(f"fallback={name}" for name in fallback)])


@pytest.mark.parametrize("name", PROFILES)
def test_no_edition_has_a_fallback(name: str) -> None:
    assert PROFILES[name].fallback.slug == "none"


# ---------------------------------------------------------------------- docs/rules.md


def test_the_page_lists_what_the_program_has() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert written_anew(page) == page, "run python -m tools rules-page"


def test_the_page_tells_of_every_profile_and_paradox_rule() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = page.partition("## Profiles")[2].partition("<!-- profiles")[0]
    assert [name for name in PROFILES if f"`{name}`" not in told] == []
    rules = page.partition("## The paradox rules")[2].partition("## What we found")[0]
    assert [rule.slug for rule in Paradox if f"\n- **{rule.slug}**" not in rules] == []


def test_the_file_on_the_page_is_a_rulebook(written: Path) -> None:
    [example] = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    written.write_text(example, encoding="utf-8")
    assert changed(rulebook_of(str(written)), PROFILES["1971"]) == {"convoy_routes", "fallback"}
