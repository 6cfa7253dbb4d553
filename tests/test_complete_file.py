"""Files are replaced when they are complete; what is no file of its own is not replaced."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from finegrain.complete_file import write_complete
from finegrain.errors import FinegrainError


def test_a_symbolic_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    write_complete(str(link), "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_link_to_nothing_makes_its_file(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("real.json")
    write_complete(str(tmp_path / "link.json"), "new")
    assert (tmp_path / "real.json").read_text() == "new"


def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(0o640)
    write_complete(str(path), "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_pipe_is_written_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = list[str]()
    reader = threading.Thread(target=lambda: got.append(path.read_text()))
    reader.start()
    write_complete(str(path), "new")
    reader.join(timeout=10)
    assert got == ["new"]
    assert path.is_fifo()


def test_a_full_device_is_told() -> None:
    with pytest.raises(FinegrainError, match="/dev/full: cannot be written"):
        write_complete("/dev/full", "new")
    assert not Path("/dev/full").is_file()


def test_the_longest_names_will_do(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250 + ".json")
    write_complete(str(path), "new")
    assert path.read_text() == "new"


def test_what_is_not_utf8_is_written_out(tmp_path: Path) -> None:
    write_complete(str(tmp_path / "a"), "b\udcff")
    assert (tmp_path / "a").read_bytes() == b"b\\udcff"


def test_bytes_are_on_disk_before_the_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, done = tmp_path / "a.json", list[str]()
    path.write_text("old")
    sync, replace = os.fsync, Path.replace

    def synced(handle: int) -> None:
        done.append(f"sync {os.read(os.dup(handle), 9).decode()}")
        sync(handle)

    def replaced(self: Path, target: Path) -> Path:
        done.append("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_complete(str(path), "new")
    assert done == ["sync new", "replace"]


def test_a_disk_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def failing(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(FinegrainError, match=r"a\.json: cannot be written \(Input/output error\)"):
        write_complete(str(path), "new")
    assert [one.name for one in tmp_path.iterdir()] == ["a.json"]
    assert path.read_text() == "old"
