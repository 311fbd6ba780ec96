"""What comes from outside is bounded before anything is made of it."""

from __future__ import annotations

import ast
import gzip
import json
import os
import random
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

import satdip
from satdip.base import files, intake
from satdip.base.errors import InputError
from satdip.base.intake import DEEPEST, decode_json, decode_text, decode_toml, open_file, read_file, unpacked

# ---------------------------------------------------------------------- JSON

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
)


@given(JSON)
def test_what_is_within_the_bounds_is_read_as_json_reads_it(value: object) -> None:
    assert decode_json(json.dumps(value)) == value
    assert decode_json(json.dumps(value, ensure_ascii=False)) == value


def nested(depth: int, opening: str, closing: str) -> str:
    return opening * depth + "1" + closing * depth


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), (' [\n1, "[" ,', "]")])
def test_values_lie_within_values_up_to_a_bound(opening: str, closing: str) -> None:
    depth = DEEPEST // (opening.count("[ ") + opening.strip().startswith("[{") + 1)
    assert decode_json(nested(depth, opening, closing)) is not None
    for deeper in (depth + 1, 500, 5_000, 100_000):
        with pytest.raises(InputError, match="nested too deeply"):
            decode_json(nested(deeper, opening, closing))


def test_width_is_no_depth() -> None:
    assert decode_json(json.dumps([[]] * 1000 + [{}] * 1000))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1' + "0" * 40 + "}", "line 1, column 7: the number 1000.* has more than 40 digits"),
        ('{"a": [2, -1' + "0" * 5000 + "]}", "line 1, column 11: the number -1000.* has more than 40 digits"),
        ('{"b": "1e999",\n "a": 1e999}', "line 2, column 7: the number 1e999 is too large"),
        ('{"a": -1E+400}', "line 1, column 7: the number -1E"),
        ('{"a": 0.' + "3" * 100_000 + "}", "line 1, column 7: the number 0.333"),
        ('{"b": 1, "' + "k" * 201 + '": 1}', "line 1, column 10: the key 'kkkk.* is longer than 200 characters"),
        ('{"x": ["\\ud800"]}', r"at \$.x\[0\]: a text in the record has half of a character"),
        ('{"x": {"\\uDC00": 1}}', r"at \$.x: a text in the record has half of a character"),
        ("{}" + " " * intake.LARGEST, "too large for a record"),
    ],
)
def test_what_is_beyond_a_bound_is_refused_where_it_stands(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        decode_json(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_whole_characters_that_json_writes_as_two_are_taken() -> None:
    assert decode_json('{"a": "\\ud83d\\ude00 \\\\ud800"}') == {"a": "\U0001f600 \\ud800"}


# ---------------------------------------------------------------------- TOML


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".".join("a" * 50_000) + " = 1", "line 1, column 16: a key has at most 8 parts"),
        ("x = 1\n[" + " . ".join(['"b"'] * 50_000) + "]", "line 2, column 48: a key has at most 8 parts"),
        ("[[" + ".".join(["'b'"] * 9) + "]]", "a key has at most 8 parts"),
        ("a = {" + ".".join("abcdefghi") + " = 1}", "a key has at most 8 parts"),
        ("a = " + "[" * 65 + "]" * 65, "line 1, column 69: the values are nested too deeply"),
        ("a = " + "{b=[" * 33 + "]}" * 33, "the values are nested too deeply"),
        ("a = " + "9" * 41, "line 1, column 5: the number 999.* has more than 40 digits"),
        ("a = -0x" + "f" * 50_000, "has more than 40 digits"),
        ("b" * 201 + " = 1", "longer than 200 characters"),
        ("a = ", "this is not TOML"),
        ("a = '''", "this is not TOML"),
    ],
)
def test_toml_is_bounded_before_it_is_read(text: str, says: str) -> None:
    start = time.process_time()
    with pytest.raises(InputError, match=says) as caught:
        decode_toml(text, "own.toml")
    assert time.process_time() - start < 1
    assert str(caught.value).startswith("own.toml, line ")
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text",
    [
        'a = "b.b.b.b.b.b.b.b.b.b.b.b [[[["',
        "a = 'b.b.b.b.b.b.b.b.b.b.b.b [[[['  # c.c.c.c.c.c.c.c.c.c.c [[[[",
        'a = """x " "" \\""" b.b.b.b.b.b.b.b.b.b.b\n[[[""""',
        "a = '''b.b.b.b.b.b.b.b.b.b.b\n[[[ '' '''",
        "a = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]\nb.c.d.e.f.g.h.i = 1979-05-27T07:32:00.999999",
        "\n".join(f"[a.b{number}]" for number in range(300)),
    ],
)
def test_what_toml_writes_in_texts_and_comments_counts_for_nothing(text: str) -> None:
    assert "a" in decode_toml(text)


@pytest.mark.parametrize("piece", ['"""\\"', '"""', "'''", '"', "'", '\\"', "[", "#", "a.", '"" . ', "x", "\\"])
def test_the_bounds_of_toml_cost_no_more_than_its_size(piece: str) -> None:
    start = time.process_time()
    with pytest.raises(InputError):
        decode_toml(f"a = {piece * (200_000 // len(piece))}\n\0")
    assert time.process_time() - start < 2


# ---------------------------------------------------------------------- files


def test_a_file_is_read_no_farther_than_wanted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    assert read_file(tmp_path / "file", 10) == b"x" * 11


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such devices here")
def test_devices_are_refused() -> None:
    for name in ("/dev/zero", "/dev/random", "/dev/full"):
        with pytest.raises(InputError, match=f"{name}: the file cannot be read: it is a device"):
            read_file(name, 10)
    assert read_file("/dev/null", 10) == b""


def test_names_that_are_none_are_refused() -> None:
    for name in ("a\0b", "\ud800", "x" * 5000, ""):
        with pytest.raises(InputError, match="cannot be read"):
            read_file(name, 10)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")
def test_a_pipe_into_which_nobody_writes_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe")
    threads = threading.active_count()
    with pytest.raises(InputError, match="it is a pipe into which nobody writes"):
        read_file(tmp_path / "pipe", 10)
    assert threading.active_count() == threads, "nobody waits for it any more"


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")
def test_a_pipe_is_read_once_somebody_writes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    packed = gzip.compress(b"some words")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(packed,))
    writer.start()
    with unpacked(tmp_path / "pipe") as file:
        assert file.read() == b"some words"
    writer.join()


def test_a_descriptor_that_was_handed_down_is_a_file(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, b"abc")
    os.close(writer)
    if Path(f"/dev/fd/{reader}").exists():
        with open_file(f"/dev/fd/{reader}") as file:
            assert file.read() == b"abc"
    os.close(reader)


def test_text_is_utf_8_without_control_characters() -> None:
    assert decode_text(b"\xef\xbb\xbfa\tb\r\n") == "a\tb\r\n"
    for data in (b"a\x00", b"\x1b[31m", b"\xff", b"\xed\xa0\x80"):
        with pytest.raises(InputError):
            decode_text(data)


# ---------------------------------------------------------------------- one way in

SHIPPED = {
    "base/shipped.py",
    "crosschecking/habits/table.py",
    "crosschecking/records/tables.py",
    "crosschecking/report.py",
    "datc/table.py",
    "drawing/geometry.py",
    "drawing/places.py",
    "verifier/atlas.py",
    "verifier/winter.py",
}
"""Modules that read files which are shipped with satdip."""

RESULTS = {"crosschecking/runs/store.py"}
"""Opens the file that a run itself writes, and reads its lines by `satdip.base.intake`."""

DECODERS = {"json.load", "json.loads", "tomllib.load", "tomllib.loads", "pickle.load", "pickle.loads", "eval", "exec"}


def test_nothing_else_reads_what_comes_from_outside() -> None:
    root = Path(satdip.__file__).parent
    found = {path.relative_to(root).as_posix() for path in root.rglob("*.py")}
    assert {*SHIPPED, *RESULTS, "base/intake.py"} <= found, "these names are those of modules"
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if name == "base/intake.py" or name.startswith(("encodings/", "maps/")):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = ast.unparse(node.func)
            if called in DECODERS:
                assert name in SHIPPED, f"{name}: {called} is for shipped files; use satdip.base.intake"
            if called == "open" or called.endswith((".read_text", ".read_bytes", "Path.open", "path.open")):
                assert name in SHIPPED | RESULTS | {"notation/record/decoding.py"}, (
                    f"{name}: {called}; use satdip.base.intake"
                )


# ---------------------------------------------------------------------- what is packed


@pytest.mark.parametrize("unit", [b"\n", b" ", b"{}\n", b'{"units": {"FRANCE": ["A PAR"]}}\n'])
def test_a_file_that_unpacks_to_far_more_than_records_do_is_not_read_to_its_end(unit: bytes, tmp_path: Path) -> None:
    size = 50 << 20
    (tmp_path / "packed").write_bytes(gzip.compress(unit * (size // len(unit)), 9))
    read = []

    def read_lines(file: IO[bytes]) -> None:
        read.extend(len(line) for line in iter(partial(file.readline, 1 << 20), b""))

    with (
        unpacked(tmp_path / "packed") as file,
        pytest.raises(OSError, match="it unpacks to more than 100 times its size"),
    ):
        read_lines(file)
    assert sum(read) < size / 4


@pytest.mark.parametrize("size", [0, 1, 1_000_000])
def test_a_small_file_may_unpack_to_much(size: int, tmp_path: Path) -> None:
    (tmp_path / "packed").write_bytes(gzip.compress(b"\n" * size))
    with unpacked(tmp_path / "packed") as file:
        assert file.read() == b"\n" * size


def test_what_is_packed_as_records_are_is_read_whole(tmp_path: Path) -> None:
    data = b"".join(
        b'{"phase": "S%dM", "units": {"FRANCE": ["A PAR"]}}\n' % random.Random(n).randrange(10**6)
        for n in range(50_000)
    )
    (tmp_path / "packed").write_bytes(gzip.compress(data))
    with unpacked(tmp_path / "packed") as file:
        assert file.read() == data


# ---------------------------------------------------------------------- pipes on the way out


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")
def test_a_pipe_from_which_nobody_reads_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: the file cannot be written: it is a pipe from which nobody reads"):
        files.write_files([(tmp_path / "pipe", "text")])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names")
def test_a_pipe_is_written_once_somebody_reads(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    files.write_files([(tmp_path / "pipe", "text" * 100_000)])
    reader.join()
    assert read == [b"text" * 100_000]
