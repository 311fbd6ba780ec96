"""Broken map files: each mistake is told in one sentence, with the line where it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from satdip.base.errors import InputError
from satdip.base.printable import shown
from satdip.board import UnitKind, province_of
from satdip.board.mapfile import load_board, problems

STANDARD = (Path(__file__).parents[2] / "maps" / "standard.toml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Broken:
    """A mistake in the standard map.

    Args:
        change: what stands in the good file (once), and what stands there in the broken one.
        says: the sentences about it, in the order of their lines.
        at: what the lines that are blamed begin with, each once in the broken file; one for each sentence.
    """

    change: tuple[str, str]
    says: tuple[str, ...]
    at: tuple[str, ...]


def entry(table: str, key: str) -> str:
    """Return the line of an entry of the good file."""
    found = re.search(rf"^\[{re.escape(table)}\]\n(?:.+\n)*?({key} = .*)$", STANDARD, re.MULTILINE)
    assert found, f"the good file has no {key} in {table}"
    return found[1]


def table(name: str) -> str:
    """Return a whole table of the good file."""
    return STANDARD[STANDARD.index(f"[{name}]") :].partition("\n\n")[0]


BROKEN = {
    # -------------------------------------------------------------- entries
    "TOML syntax": Broken(
        ('name = "Clyde"', "name = Clyde"),
        ("this is not TOML: Invalid value",),
        ("name = Clyde",),
    ),
    "table written twice": Broken(
        ("[provinces.WAR]", "[provinces.WAL]"),
        ("this is not TOML: Cannot declare ('provinces', 'WAL') twice",),
        ('[provinces.WAL]\nname = "Warsaw"',),
    ),
    "unknown entry": Broken(
        ('name = "Clyde"', 'name = "Clyde"\ncenter = true'),
        (
            (
                "CLY has no entry 'center' (did you mean 'centre'?); "
                "its entries are name, aliases, terrain, centre, coasts, army, fleet"
            ),
        ),
        ("center = true",),
    ),
    "unknown entry of the map": Broken(
        ("victory = 18", 'author = "Calhamer"\nvictory = 18'),
        ("the map has no entry 'author'; its entries are name, victory, powers, provinces",),
        ("author = ",),
    ),
    "missing name": Broken(
        ('name = "Clyde"\n', ""),
        ("CLY lacks the entry 'name': a text in quotes, on one line",),
        ("[provinces.CLY]",),
    ),
    "missing victory": Broken(
        ("victory = 18  # supply centres\n", ""),
        ("the map lacks the entry 'victory': a whole number above 0",),
        ("# The standard Diplomacy map",),
    ),
    "missing home": Broken(
        ('home = ["BRE", "MAR", "PAR"]\n', ""),
        ("""FRANCE lacks the entry 'home': a list of texts, as in ["BRE", "PAR"]""",),
        ("[powers.FRANCE]",),
    ),
    "number for a name": Broken(
        ('name = "Clyde"', "name = 4"),
        ("name of CLY must be a text in quotes, on one line",),
        ("name = 4",),
    ),
    "empty name": Broken(
        ('name = "Clyde"', 'name = " "'),
        ("name of CLY must be a text in quotes, on one line",),
        ('name = " "',),
    ),
    "text for a number": Broken(
        ("victory = 18", 'victory = "18"'),
        ("victory of the map must be a whole number above 0",),
        ("victory = ",),
    ),
    "yes for a number": Broken(
        ("victory = 18", "victory = true"),
        ("victory of the map must be a whole number above 0",),
        ("victory = ",),
    ),
    "text for a list": Broken(
        (entry("provinces.CLY", "fleet"), 'fleet = "EDI"'),
        ("fleet of CLY must be a list of texts, or a table with such a list for each coast",),
        ('fleet = "EDI"',),
    ),
    "list of numbers": Broken(
        ('home = ["BRE", "MAR", "PAR"]', "home = [1, 2, 3]"),
        ("""home of FRANCE must be a list of texts, as in ["BRE", "PAR"]""",),
        ("home = [1",),
    ),
    "province that is no table": Broken(
        (table("provinces.CLY"), "[provinces]\nCLY = 4"),
        ("provinces.CLY must be a table, headed [provinces.CLY]",),
        ("CLY = 4",),
    ),
    "unknown terrain": Broken(
        (table("provinces.PAR"), table("provinces.PAR").replace('"inland"', '"land"')),
        ('terrain of PAR must be "sea", "coast" or "inland"',),
        ('terrain = "land"',),
    ),
    "impossible victory": Broken(
        ("victory = 18", "victory = 35"),
        ("victory takes 35 supply centres, but the map has 34",),
        ("victory = 35",),
    ),
    "identifier of a power": Broken(
        ("[powers.FRANCE]", '[powers."La France"]'),
        ("'La France' is no identifier; write capital letters, as in 'STP'",),
        ('[powers."La France"]',),
    ),
    # -------------------------------------------------------------- terrain and coasts
    "army table of a sea": Broken(
        ('name = "Adriatic Sea"', 'name = "Adriatic Sea"\narmy = []'),
        ("ADR has terrain \"sea\", so it cannot have 'army'",),
        ("army = []",),
    ),
    "fleet table of an inland province": Broken(
        ('name = "Paris"', 'name = "Paris"\nfleet = []'),
        ("PAR has terrain \"inland\", so it cannot have 'fleet'",),
        ("fleet = []",),
    ),
    "coast without a fleet table": Broken(
        (table("provinces.CLY"), table("provinces.CLY").replace(entry("provinces.CLY", "fleet"), "")),
        ("CLY has terrain \"coast\", so it lacks the entry 'fleet'",),
        ("[provinces.CLY]",),
    ),
    "army that walks into a sea": Broken(
        (entry("provinces.PAR", "army"), 'army = ["BRE", "BUR", "ENG", "GAS", "PIC"]'),
        ("an army cannot be at sea, in ENG",),
        ('army = ["BRE", "BUR", "ENG"',),
    ),
    "fleet that sails inland": Broken(
        (entry("provinces.TYS", "fleet"), entry("provinces.TYS", "fleet").replace("[", '["MUN", ')),
        ("a fleet cannot be inland, in MUN",),
        ('fleet = ["MUN", ',),
    ),
    "coasts of a sea": Broken(
        ('name = "Adriatic Sea"', 'name = "Adriatic Sea"\ncoasts = ["NC", "WC"]'),
        ("ADR has terrain \"sea\", so it cannot have 'coasts'",),
        ('coasts = ["NC", "WC"]',),
    ),
    "one coast": Broken(
        (
            table("provinces.STP"),
            table("provinces.STP")
            .replace('coasts = ["NC", "SC"]', 'coasts = ["NC"]')
            .replace(', SC = ["BOT", "FIN", "LVN"]', ""),
        ),
        (
            "a fleet cannot be at 'STP/SC'; write 'STP/NC'",  # the Russian fleet starts there
            "a fleet cannot be at 'STP/SC'; write 'STP/NC'",
            "a fleet cannot be at 'STP/SC'; write 'STP/NC'",
            "a fleet cannot be at 'STP/SC'; write 'STP/NC'",
            "STP has one coast, which needs no name; name several coasts or none",
        ),
        (
            entry("powers.RUSSIA", "start"),
            entry("provinces.BOT", "fleet"),
            entry("provinces.FIN", "fleet"),
            entry("provinces.LVN", "fleet"),
            'coasts = ["NC"]',
        ),
    ),
    "lower-case coast": Broken(
        (
            table("provinces.CLY"),
            table("provinces.CLY").replace('terrain = "coast"', 'terrain = "coast"\ncoasts = ["nc", "SC"]'),
        ),
        (
            "'nc' is no identifier; write capital letters, as in 'STP'",
            "fleet of CLY must be a table with a list for each of its coasts: { nc = [...], SC = [...] }",
            "a fleet cannot be at 'CLY'; write 'CLY/nc' or 'CLY/SC'",
            "a fleet cannot be at 'CLY'; write 'CLY/nc' or 'CLY/SC'",
            "a fleet cannot be at 'CLY'; write 'CLY/nc' or 'CLY/SC'",
            "a fleet cannot be at 'CLY'; write 'CLY/nc' or 'CLY/SC'",
        ),
        (
            'coasts = ["nc", "SC"]',
            entry("provinces.CLY", "fleet"),
            entry("provinces.EDI", "fleet"),
            entry("provinces.LVP", "fleet"),
            entry("provinces.NAO", "fleet"),
            entry("provinces.NWG", "fleet"),
        ),
    ),
    "coast listed twice": Broken(
        (
            table("provinces.STP"),
            table("provinces.STP").replace('coasts = ["NC", "SC"]', 'coasts = ["NC", "SC", "SC"]'),
        ),
        ("'SC' is listed twice",),
        ('coasts = ["NC", "SC", "SC"]',),
    ),
    "coast without its list": Broken(
        (entry("provinces.STP", "fleet"), 'fleet = { NC = ["BAR", "NWY"] }'),
        ("fleet of STP must be a table with a list for each of its coasts: { NC = [...], SC = [...] }",),
        ('fleet = { NC = ["BAR", "NWY"] }',),
    ),
    "one list for two coasts": Broken(
        (entry("provinces.STP", "fleet"), 'fleet = ["BAR", "BOT", "FIN", "LVN", "NWY"]'),
        ("fleet of STP must be a table with a list for each of its coasts: { NC = [...], SC = [...] }",),
        ('fleet = ["BAR", "BOT"',),
    ),
    "list for a coast that is none": Broken(
        (entry("provinces.CLY", "fleet"), 'fleet = { NC = ["EDI", "LVP", "NAO", "NWG"] }'),
        ("fleet of CLY must be one list: it has no coasts",),
        ('fleet = { NC = ["EDI"',),
    ),
    # -------------------------------------------------------------- neighbours
    "unknown neighbour": Broken(
        (entry("provinces.PAR", "army"), 'army = ["BRR", "BUR", "GAS", "PIC"]'),
        ("there is no province 'BRR' (did you mean 'BRE'?)",),
        ('army = ["BRR"',),
    ),
    "neighbour by its name": Broken(
        (entry("provinces.PAR", "army"), 'army = ["Burgundy", "BRE", "GAS", "PIC"]'),
        ("there is no province 'Burgundy' (did you mean 'BUR'?)",),
        ('army = ["Burgundy"',),
    ),
    "coast not named": Broken(
        (entry("provinces.GAS", "fleet"), 'fleet = ["BRE", "MAO", "SPA"]'),
        ("a fleet cannot be at 'SPA'; write 'SPA/NC' or 'SPA/SC'",),
        ('fleet = ["BRE", "MAO", "SPA"]',),
    ),
    "coast that is none": Broken(
        (entry("provinces.GAS", "fleet"), 'fleet = ["BRE", "MAO", "SPA/EC"]'),
        ("a fleet cannot be at 'SPA/EC'; write 'SPA/NC' or 'SPA/SC'",),
        ('fleet = ["BRE", "MAO", "SPA/EC"]',),
    ),
    "coast of a province without coasts": Broken(
        (entry("provinces.GAS", "fleet"), 'fleet = ["BRE/WC", "MAO", "SPA/NC"]'),
        ("a fleet cannot be at 'BRE/WC'; write 'BRE'",),
        ('fleet = ["BRE/WC"',),
    ),
    "army on a coast": Broken(
        (entry("provinces.GAS", "army"), entry("provinces.GAS", "army").replace("SPA", "SPA/NC")),
        ("an army stands on no coast; write 'SPA'",),
        ('army = ["BRE", "BUR", "MAR", "PAR", "SPA/NC"]',),
    ),
    "own neighbour": Broken(
        (entry("provinces.PAR", "army"), 'army = ["PAR", "BRE", "BUR", "GAS", "PIC"]'),
        ("PAR cannot be its own neighbour",),
        ('army = ["PAR", "BRE"',),
    ),
    "from coast to coast": Broken(
        (entry("provinces.STP", "fleet"), 'fleet = { NC = ["BAR", "NWY"], SC = ["BOT", "FIN", "LVN", "STP/NC"] }'),
        ("STP/SC cannot be its own neighbour",),
        ("fleet = { NC = [" + '"BAR", "NWY"], SC = ["BOT", "FIN", "LVN", "STP/NC"',),
    ),
    "neighbour listed twice": Broken(
        (entry("provinces.PAR", "army"), 'army = ["BRE", "BRE", "BUR", "GAS", "PIC"]'),
        ("'BRE' is listed twice",),
        ('army = ["BRE", "BRE"',),
    ),
    "army border known to one side": Broken(
        (entry("provinces.PAR", "army"), 'army = ["BRE", "BUR", "GAS"]'),
        ("an army can walk from PIC to PAR but not back; add 'PIC' to the army table of PAR, or leave 'PAR' out here",),
        (entry("provinces.PIC", "army"),),
    ),
    "fleet border known to one side": Broken(
        (entry("provinces.STP", "fleet"), 'fleet = { NC = ["BAR"], SC = ["BOT", "FIN", "LVN"] }'),
        (
            (
                "a fleet can sail from NWY to STP/NC but not back; "
                "add 'NWY' to the fleet table of STP/NC, or leave 'STP/NC' out here"
            ),
        ),
        (entry("provinces.NWY", "fleet"),),
    ),
    # -------------------------------------------------------------- names
    "alias with two meanings": Broken(
        (entry("provinces.LVP", "aliases"), 'aliases = ["LPL", "LIVONIA"]'),
        ("'LIVONIA' of LVP already means LVN",),
        ('aliases = ["LPL", "LIVONIA"]',),
    ),
    "alias with an accent": Broken(
        (entry("provinces.LVP", "aliases"), 'aliases = ["GÖB"]'),
        ("'GÖB' of LVP already means BOT",),
        ('aliases = ["GÖB"]',),
    ),
    "alias that is an identifier": Broken(
        (entry("provinces.LVP", "aliases"), 'aliases = ["War"]'),
        ("'War' of LVP already means WAR",),
        ('aliases = ["War"]',),
    ),
    "alias of its own name": Broken(
        (entry("provinces.LVP", "aliases"), 'aliases = ["liverpool"]'),
        ("'liverpool' is already a name of LVP",),
        ('aliases = ["liverpool"]',),
    ),
    "two provinces of one name": Broken(
        ('name = "Ruhr"', 'name = "Rome"'),
        ("'Rome' of RUH already means ROM",),
        ('name = "Rome"\nterrain = "inland"',),
    ),
    "two powers of one name": Broken(
        (entry("powers.ITALY", "aliases"), 'aliases = ["ottoman empire"]'),
        ("'Ottoman Empire' of TURKEY already means ITALY",),
        (entry("powers.TURKEY", "aliases"),),
    ),
    # -------------------------------------------------------------- powers
    "home that is nowhere": Broken(
        (entry("powers.FRANCE", "home"), 'home = ["BST", "MAR", "PAR"]'),
        ("there is no province 'BST' (did you mean 'BOT'?)",),
        ('home = ["BST"',),
    ),
    "home that is no centre": Broken(
        (entry("powers.FRANCE", "home"), 'home = ["BRE", "BUR", "PAR"]'),
        ("BUR is no supply centre, so it cannot be a home of FRANCE",),
        ('home = ["BRE", "BUR"',),
    ),
    "home whose flag cannot be read": Broken(
        (table("provinces.BRE"), table("provinces.BRE").replace("centre = true", 'centre = "yes"')),
        ("centre of BRE must be true or false",),
        ('centre = "yes"',),
    ),
    "home listed twice": Broken(
        (entry("powers.FRANCE", "home"), 'home = ["BRE", "BRE", "PAR"]'),
        ("'BRE' is listed twice",),
        ('home = ["BRE", "BRE"',),
    ),
    "home of two powers": Broken(
        (entry("powers.GERMANY", "home"), 'home = ["BER", "KIE", "PAR"]'),
        ("PAR cannot be a home of both FRANCE and GERMANY",),
        ('home = ["BER", "KIE", "PAR"]',),
    ),
    "first unit that cannot be read": Broken(
        (entry("powers.FRANCE", "start"), 'start = ["F BRE", "Army MAR", "A PAR"]'),
        ("'Army MAR' is no unit; write A or F and a place, as in 'F BRE'",),
        ('start = ["F BRE", "Army MAR"',),
    ),
    "fleet that starts inland": Broken(
        (entry("powers.FRANCE", "start"), 'start = ["F BRE", "A MAR", "F PAR"]'),
        ("a fleet cannot be inland, in PAR",),
        ('start = ["F BRE", "A MAR", "F PAR"]',),
    ),
    "fleet that starts on no coast": Broken(
        (entry("powers.RUSSIA", "start"), 'start = ["F STP"]'),
        ("a fleet cannot be at 'STP'; write 'STP/NC' or 'STP/SC'",),
        ('start = ["F STP"]',),
    ),
    "two units in one province": Broken(
        (entry("powers.TURKEY", "start"), 'start = ["A STP"]'),
        ("two units cannot start in STP: RUSSIA F STP/SC and TURKEY A STP",),
        ('start = ["A STP"]',),
    ),
    "the same unit twice": Broken(
        (entry("powers.TURKEY", "start"), 'start = ["A CON", "A CON"]'),
        ("two units cannot start in CON: TURKEY A CON and TURKEY A CON",),
        ('start = ["A CON", "A CON"]',),
    ),
}


def line_of(text: str, snippet: str) -> int:
    """Return the line on which a snippet starts; it must occur once."""
    assert text.count(f"\n{snippet}") + text.startswith(snippet) == 1, snippet
    return 1 if text.startswith(snippet) else text.count("\n", 0, text.index(f"\n{snippet}")) + 2


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN.keys())
def test_a_mistake_is_told_once_and_at_its_line(broken: Broken, tmp_path: Path) -> None:
    good, bad = broken.change
    assert STANDARD.count(good) == 1
    text = STANDARD.replace(good, bad)
    file = tmp_path / "broken.toml"
    file.write_text(text, encoding="utf-8")

    found = problems(file)

    assert [problem.message for problem in found] == list(broken.says)
    assert [problem.where.line for problem in found] == [line_of(text, snippet) for snippet in broken.at]
    assert {problem.where.source for problem in found} == {str(file)}
    with pytest.raises(InputError) as raised:
        load_board(file)
    assert str(raised.value) == str(found[0])
    assert f"line {found[0].where.line}" in str(raised.value)


def test_all_mistakes_are_listed_in_the_order_of_their_lines(tmp_path: Path) -> None:
    text = STANDARD
    names = ("missing victory", "home that is no centre", "unknown neighbour", "army table of a sea", "empty name")
    for name in names:
        text = text.replace(*BROKEN[name].change)
    file = tmp_path / "broken.toml"
    file.write_text(text, encoding="utf-8")
    told = [problem.message for problem in problems(file)]
    assert sorted(told) == sorted(BROKEN[name].says[0] for name in names)
    lines = [problem.where.line or 0 for problem in problems(file)]
    assert lines == sorted(set(lines))


# ---------------------------------------------------------------------- other ways to write the same file


def write(tmp_path: Path, text: str, newline: str = "\n", encoding: str = "utf-8") -> Path:
    file = tmp_path / "map.toml"
    file.write_text(text, encoding=encoding, newline=newline)
    return file


@pytest.mark.parametrize(("newline", "encoding"), [("\r\n", "utf-8"), ("\n", "utf-8-sig")])
def test_files_from_other_editors_are_read(tmp_path: Path, newline: str, encoding: str) -> None:
    board = load_board(write(tmp_path, STANDARD, newline, encoding))
    assert board.provinces == load_board().provinces
    bad = STANDARD.replace('name = "Clyde"', "name = 4")
    (problem,) = problems(write(tmp_path, bad, newline, encoding))
    assert problem.where.line == line_of(bad, "name = 4")


@pytest.mark.parametrize(
    ("layout", "at"),
    [
        ('fleet = { NC = ["BAR", "NWY"], SC = ["BOT", "FIN", "LVM"] }', "fleet = {"),
        ('[provinces.STP.fleet]\nNC = ["BAR", "NWY"]\nSC = ["BOT", "FIN", "LVM"]', "SC = ["),
        ('fleet.NC = ["BAR", "NWY"]\nfleet.SC = ["BOT", "FIN", "LVM"]', "fleet.SC"),
        ('fleet.NC = ["BAR", "NWY"]\n[ provinces . "STP" . fleet ]  # south\nSC = ["LVM"]', None),
        ("fleet.NC = ['BAR', 'NWY']\nfleet.SC = [\n'BOT',\n'FIN',\n'LVM',\n]", "'LVM'"),
    ],
)
def test_lines_are_found_however_a_table_is_written(tmp_path: Path, layout: str, at: str | None) -> None:
    text = STANDARD.replace(entry("provinces.STP", "fleet"), layout)
    found = problems(write(tmp_path, text))
    if at is None:
        assert found[0].message.startswith("this is not TOML")
    else:
        assert [problem.message for problem in found] == ["there is no province 'LVM' (did you mean 'LVN'?)"]
        assert found[0].where.line == line_of(text[text.index("[provinces.STP]") :], at) + text[
            : text.index("[provinces.STP]")
        ].count("\n")


@pytest.mark.parametrize(
    ("mistake", "item"),
    [
        ("unknown neighbour", "BRR"),
        ("neighbour listed twice", "BRE"),
        ("army that walks into a sea", "ENG"),
        ("army border known to one side", "PAR"),
        ("alias with two meanings", "LIVONIA"),
        ("alias of its own name", "liverpool"),
        ("home that is nowhere", "BST"),
        ("home that is no centre", "BUR"),
        ("home of two powers", "PAR"),
        ("first unit that cannot be read", "Army MAR"),
        ("two units in one province", "A STP"),
    ],
)
def test_in_a_long_list_the_line_of_the_item_is_told(tmp_path: Path, mistake: str, item: str) -> None:
    broken = BROKEN[mistake]
    text = STANDARD.replace(*broken.change)
    blamed = text.split("\n")[line_of(text, broken.at[0]) - 1]
    upright = blamed.replace("[", "[\n  ").replace(", ", ",\n  ").replace("]", ",\n]")
    text = text.replace(f"\n{blamed}\n", f"\n{upright}\n")
    (problem,) = problems(write(tmp_path, text))
    assert problem.message == broken.says[0]
    assert text.split("\n")[(problem.where.line or 0) - 1] == f'  "{item}",'
    assert (problem.where.line or 0) > line_of(text, upright)


# ---------------------------------------------------------------------- files that cannot be read, maps that are none


def test_an_unknown_map_names_the_known_ones() -> None:
    with pytest.raises(InputError) as raised:
        load_board("standart")
    assert str(raised.value).startswith("no map is called 'standart' (did you mean 'standard'?); the maps are ")
    assert "standard" in str(raised.value).partition("the maps are ")[2]
    assert [str(problem) for problem in problems("standart")] == [str(raised.value)]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("missing.toml", None, "the map file cannot be read: No such file or directory"),
        ("a\0.toml", None, "the map file cannot be read: embedded null byte"),
        ("latin.toml", 'name = "x"\n# Bohême'.encode("latin-1"), "line 2: a map file is UTF-8 text; this is not"),
        ("empty.toml", b"", "line 1: the map lacks the entry 'name': a text in quotes, on one line"),
        ("deep.toml", b"a = " + b"[" * 100_000, "line 1, column 69: the values are nested too deeply"),
        ("long.toml", b"victory = " + b"9" * 5_000, "line 1, column 11: the number 999"),
    ],
)
def test_files_that_are_no_maps(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InputError) as raised:
        load_board(str(file))
    assert str(raised.value).startswith(shown(str(file)))
    assert says in str(raised.value)


def test_a_folder_is_no_map(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the map file cannot be read: Is a directory"):
        load_board(tmp_path)


# ---------------------------------------------------------------------- laws

BORDERS = sorted(
    (kind, at, other)
    for kind in UnitKind
    for at, there in (load_board().army if kind == UnitKind.ARMY else load_board().fleet).items()
    for other in there
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(st.sampled_from(BORDERS))
def test_a_border_that_one_side_forgets_is_told_at_the_other(tmp_path: Path, border: tuple[UnitKind, str, str]) -> None:
    kind, at, other = border
    word = "army" if kind == UnitKind.ARMY else "fleet"
    province, _, coast = at.partition("/")
    line = entry(f"provinces.{province}", word)
    start = line.index(f"{coast} = [" if coast else "[")
    end = line.index("]", start)
    kept = [name for name in re.findall(r'"([^"]+)"', line[start:end]) if name != other]
    left = line[: line.index("[", start) + 1] + ", ".join(f'"{name}"' for name in kept) + line[end:]
    whole = table(f"provinces.{province}")
    text = STANDARD.replace(whole, whole.replace(line, left))

    (problem,) = problems(write(tmp_path, text))

    assert f" from {other} to {at} but not back; add {other!r} to the {word} table of {at}" in problem.message
    blamed = text.split("\n")[: problem.where.line]
    assert blamed[-1] == entry(f"provinces.{province_of(other)}", word)
    assert next(row for row in reversed(blamed) if row.startswith("[")) == f"[provinces.{province_of(other)}]"


@quick
@given(
    st.integers(0, len(STANDARD) - 1),
    st.integers(0, 200),
    st.sampled_from(["", '"', "[", "]", "{}", "\n", "= ", "\0", '""', "true", "[provinces.STP]\n", "NC", "5", "é"]),
)
def test_no_damage_makes_a_traceback(tmp_path: Path, start: int, length: int, instead: str) -> None:
    text = STANDARD[:start] + instead + STANDARD[start + length :]
    file = write(tmp_path, text)
    found = problems(file)
    if found:
        with pytest.raises(InputError, match=re.escape(str(found[0]))):
            load_board(file)
        assert all(1 <= (problem.where.line or 0) <= text.count("\n") + 1 for problem in found)
    else:
        assert load_board(file).provinces.keys() <= load_board().provinces.keys() | {"STP"}
