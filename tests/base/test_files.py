"""Files that are written: whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import satdip

from satdip.base.errors import InputError
from satdip.base.files import write_files
from satdip.games.game import Game

EXAMPLES = Path(__file__).parents[2] / "examples"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_files_are_written(tmp_path: Path) -> None:
    write_files([(tmp_path / "one", "un\n"), (str(tmp_path / "deux"), "é\ud800")])
    assert (tmp_path / "one").read_bytes() == b"un\n"
    assert (tmp_path / "deux").read_bytes() == "é\\ud800".encode()
    assert names(tmp_path) == ["deux", "one"]


def full(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("before", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=f"^{old}: the file cannot be written: No space left on device$"):
        write_files([(old, "after"), (new, "after")])
    assert names(tmp_path) == ["old"]
    assert old.read_text(encoding="utf-8") == "before"


def test_none_of_several_is_written_where_one_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file or directory"):
        write_files([(tmp_path / "one", "1"), (tmp_path / "no folder" / "two", "2")])
    with pytest.raises(InputError, match=f"^{tmp_path}/./one: two different things"):
        write_files([(tmp_path / "one", "1"), (f"{tmp_path}/./one", "2")])
    with pytest.raises(InputError, match="cannot be written"):
        write_files([(tmp_path / "one", "1"), ("\0", "2")])
    with pytest.raises(InputError, match="Is a directory"):
        write_files([(tmp_path / "one", "1"), (tmp_path, "2")])
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links, permissions and devices of POSIX")
def test_links_permissions_and_devices_are_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("before", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    write_files([(link, "after"), (os.devnull, "nothing")])
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8") == "after"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write to anything")
def test_a_file_that_must_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("before", encoding="utf-8")
    kept.chmod(0o400)
    with pytest.raises(InputError, match="Permission denied"):
        write_files([(kept, "after")])
    assert kept.read_text(encoding="utf-8") == "before"


def test_certify_writes_all_its_files_or_none(tmp_path: Path) -> None:
    certificate, proof = tmp_path / "c.json", tmp_path / "no folder" / "p.drat"
    run = satdip("certify", EXAMPLES / "pandin.txt", "-o", certificate, "--proof", proof)
    assert run.code == 2
    assert run.err == f"satdip: {proof}: the file cannot be written: No such file or directory\n"
    assert run.out == ""
    assert names(tmp_path) == []
    run = satdip("certify", EXAMPLES / "pandin.txt", "-o", certificate, "--dimacs", certificate)
    assert (run.code, names(tmp_path)) == (2, [])


def test_a_game_that_cannot_be_saved_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    Game.start().save(path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left"):
        Game.start().play({"FRANCE": ["A PAR - BUR"]}).save(path)
    assert (path.read_bytes(), names(tmp_path)) == (before, ["game.jsonl"])
