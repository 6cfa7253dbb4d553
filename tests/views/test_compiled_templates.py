"""Templates are compiled once, and again when their text changes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

jinja2 = pytest.importorskip("jinja2")

from finegrain.views.html.compiled_templates import CompiledTemplates  # noqa: E402


def _filled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, int]:
    """What a template gives in an environment of its own, and how many were compiled for it."""
    compiled = []
    compile_ = jinja2.Environment.compile

    def counting(self: object, source: str, *rest: object, **more: object) -> object:
        compiled.append(source)
        return compile_(self, source, *rest, **more)

    with monkeypatch.context() as patched:
        patched.setattr(jinja2.Environment, "compile", counting)
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folder),
            autoescape=True,
            bytecode_cache=CompiledTemplates(folder),
        )
        return environment.get_template("a.html").render(name="<b>"), len(compiled)


@pytest.fixture(autouse=True)
def _compiled_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def test_a_template_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_text("I am {{ name }}")
    assert _filled(tmp_path, monkeypatch) == ("I am &lt;b&gt;", 1)
    assert _filled(tmp_path, monkeypatch) == ("I am &lt;b&gt;", 0)
    assert [one.name for one in (tmp_path / "__pycache__").iterdir()]


def test_a_changed_template_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.html").write_text("I am {{ name }}")
    _filled(tmp_path, monkeypatch)
    (tmp_path / "a.html").write_text("You are {{ name }}")
    assert _filled(tmp_path, monkeypatch) == ("You are &lt;b&gt;", 1)
    assert _filled(tmp_path, monkeypatch) == ("You are &lt;b&gt;", 0)


def test_what_was_cut_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.html").write_text("I am {{ name }}")
    _filled(tmp_path, monkeypatch)
    (kept,) = (tmp_path / "__pycache__").iterdir()
    kept.write_bytes(kept.read_bytes()[:80])
    assert _filled(tmp_path, monkeypatch) == ("I am &lt;b&gt;", 1)


def test_nothing_is_written_where_python_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.html").write_text("I am {{ name }}")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert _filled(tmp_path, monkeypatch) == ("I am &lt;b&gt;", 1)
    assert _filled(tmp_path, monkeypatch) == ("I am &lt;b&gt;", 1)
    assert not (tmp_path / "__pycache__").exists()
