"""The standard streams as processes see them: closed, full, without a reader, slow."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, CompletedProcess
from typing import Any

import pytest
from support.verbs import OPEN, SHEET

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="descriptors and shells of POSIX")

ROOT = Path(__file__).parents[2]
SATDIP = [sys.executable, "-m", "satdip"]
FULL = Path("/dev/full")

RECORD = json.dumps({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}).encode()

PRINTS = [
    "--help",
    "--version",
    "adjudicate --help",
    "adjudicate -",
    "adjudicate - --json",
    "adjudicate - --next",
    "adjudicate --stream examples/opening.json",
    "certify -",
    "compare - --rules datc --rules 1971",
    "crosscheck --quiet --engine satdip:1971 examples/opening.json",
    "datc --case 6.A.1",
    "explain -",
    "explain - --irrelevant",
    "fuzz --quiet --count 2",
    "generate",
    "generate dense --json",
    "map check",
    "map show",
    "replay --quiet /dev/stdin",
    "resolutions -",
    "rules",
    "rules diff 1971 2023",
    "rules show 1971",
]
"""Commands of every verb that print something; those that read standard input get a record there."""

READS = [
    "adjudicate -",
    "adjudicate --stream -",
    "certify -",
    "compare - --rules datc --rules 1971",
    "explain -",
    "resolutions -",
    "verify -",
]
"""Commands of every verb that reads standard input."""


def run(command: str, redirected: str = "", stdin: bytes = RECORD, **options: Any) -> CompletedProcess[bytes]:
    """Run a command of satdip in a shell, with redirections."""
    line = f"exec {shlex.join(SATDIP)} {command} {redirected}"
    return subprocess.run(["/bin/sh", "-c", line], input=stdin, capture_output=True, cwd=ROOT, check=False, **options)


def refused(done: CompletedProcess[bytes]) -> str:
    """Return the one sentence of a command that was refused."""
    assert done.returncode == 2, done
    [sentence] = done.stderr.decode().splitlines()
    return sentence


@pytest.mark.parametrize("command", PRINTS)
def test_closed_output_is_one_sentence(command: str) -> None:
    assert refused(run(command, ">&-")) == "satdip: standard output is closed"


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
@pytest.mark.parametrize("command", PRINTS)
def test_a_full_disk_is_one_sentence(command: str) -> None:
    assert refused(run(command, f">{FULL}")) == "satdip: standard output cannot be written: No space left on device"


@pytest.mark.skipif(not FULL.exists(), reason="no full device here")
def test_a_full_disk_is_one_sentence_also_without_a_buffer() -> None:
    done = run("adjudicate -", f">{FULL}", env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert refused(done) == "satdip: standard output cannot be written: No space left on device"


@pytest.mark.parametrize("command", PRINTS)
def test_a_reader_that_leaves_ends_it_quietly(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [*SATDIP, *command.split()], input=RECORD, stdout=gone, stderr=PIPE, cwd=ROOT, check=False
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("redirected", ["2>&-", f"2>{FULL}"])
def test_nobody_need_listen_to_what_goes_wrong(redirected: str) -> None:
    if "full" in redirected and not FULL.exists():
        pytest.skip("no full device here")
    assert run("adjudicate -", redirected).returncode == 0
    assert run("adjudicate -", redirected, stdin=b"France: A Paris - Nowhere\n").returncode == 2
    assert run("adjudicate -", f"{redirected} >&-").returncode == 2


@pytest.mark.parametrize("command", READS)
def test_closed_input_is_one_sentence(command: str) -> None:
    assert refused(run(command, "<&-")) == "satdip: standard input is closed"


@pytest.mark.parametrize("command", READS)
def test_input_that_cannot_be_read_is_one_sentence(command: str, tmp_path: Path) -> None:
    done = run(command, f"0>{tmp_path / 'written'}")
    assert refused(done) == "satdip: standard input cannot be read: Bad file descriptor"


def test_a_verb_that_reads_files_needs_no_input() -> None:
    assert run("adjudicate examples/opening.json", "<&-").returncode == 0


def test_all_three_may_be_closed() -> None:
    assert run("adjudicate -", "<&- >&- 2>&-").returncode == 2


def test_a_pipe_that_does_not_block_is_waited_for() -> None:
    """Others that share a pipe may have set it so."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    command = [*SATDIP, "generate", "dense", "--count", "100", "--json"]  # more than a pipe holds
    with subprocess.Popen(command, stdout=writer, stderr=PIPE, cwd=ROOT) as running, os.fdopen(reader, "rb") as file:
        os.close(writer)
        assert len(file.read().splitlines()) == 100
        assert running.wait(60) == 0

    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    with subprocess.Popen([*SATDIP, "adjudicate", "-"], stdin=reader, stdout=PIPE, stderr=PIPE, cwd=ROOT) as running:
        os.close(reader)
        with os.fdopen(writer, "wb") as file:
            file.write(SHEET[:20])
            file.flush()
            file.write(SHEET[20:])
        out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, b"")
    assert b"Marseilles Supports" in out


def test_an_open_paradox_is_no_fault_of_the_output() -> None:
    """The exit code is that of the work when all of it was written."""
    assert run("adjudicate - --rules datc+4.A.2=none", stdin=OPEN).returncode == 3


def test_what_was_answered_before_the_disk_was_full_does_not_hide_that(tmp_path: Path) -> None:
    if not FULL.exists():
        pytest.skip("no full device here")
    lines = tmp_path / "lines.jsonl"
    lines.write_bytes((RECORD + b"\n") * 2000)
    assert "No space left" in refused(run(f"adjudicate --stream {lines}", f">{FULL}"))
    assert "No space left" in refused(run(f"adjudicate --stream --workers 2 {lines}", f">{FULL}"))
