"""What is slow to make is kept as a file, and a file that is not what was kept is never used."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from finegrain.views.charts import engine
from finegrain.views.html import shell
from finegrain.views.html.kept_text import cache_folder, kept

TEXT = "run('é');\n\nmore();"


class Maker:
    """Makes the text, and counts how often."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        return TEXT


def test_a_text_is_made_once(tmp_path: Path) -> None:
    make = Maker()
    folder = tmp_path / "not" / "there"
    assert [kept("a.js", make, folder=folder) for _ in range(3)] == [TEXT] * 3
    assert make.calls == 1
    assert [one.name for one in folder.iterdir()] == ["a.js"]  # and nothing half-written


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def _changed(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"more", b"evil"))


def _lengthened(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"evil();")


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _not_text(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\n\xff")


def _open_to_others(path: Path) -> None:
    path.chmod(0o666)


def _a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "spoil", [_cut, _changed, _lengthened, _empty, _not_text, _open_to_others, _a_folder]
)
def test_what_is_not_what_was_kept_is_made_anew(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    kept("a.js", Maker(), folder=tmp_path)
    spoil(tmp_path / "a.js")
    make = Maker()
    assert kept("a.js", make, folder=tmp_path) == TEXT
    assert make.calls == 1
    if spoil is not _a_folder:  # which stays, and nothing is kept
        assert kept("a.js", make, folder=tmp_path) == TEXT
        assert make.calls == 1


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
def test_a_file_of_somebody_else_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept("a.js", Maker(), folder=tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    make = Maker()
    kept("a.js", make, folder=tmp_path)
    assert make.calls == 1


def test_where_nothing_can_be_kept_it_is_made_every_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    make = Maker()
    for _ in range(2):
        assert kept("a.js", make, folder=tmp_path / "file") == TEXT
    assert make.calls == 2


def test_without_a_home_it_is_made_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    assert kept("a.js", Maker()) == TEXT


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "finegrain"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert not str(cache_folder()).startswith("not")


class Converter:
    """Has the scripts, and says how often it was asked."""

    __version__, __file__ = "1.0", __file__
    asked = 0

    @classmethod
    def javascript_bundle(cls) -> str:
        cls.asked += 1
        return "draw('</script>');"


def test_the_script_of_figures_is_asked_for_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first page of an installation has it made, further ones find it kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(engine, "_package", Converter)
    monkeypatch.setattr(engine, "_is_limited", lambda: False)
    found = []
    for _ in range(2):  # as in two processes
        shell.vega_script.cache_clear()
        found.append(shell.vega_script())
    shell.vega_script.cache_clear()
    assert found == ["draw('<\\/script>');"] * 2
    assert Converter.asked == 1
    monkeypatch.setattr(Converter, "__version__", "1.1")
    shell.vega_script()
    shell.vega_script.cache_clear()
    assert Converter.asked == 2
