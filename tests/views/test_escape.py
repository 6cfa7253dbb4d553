"""Hostile text is harmless in every kind of output."""

from __future__ import annotations

import csv
import io
import json

import hypothesis.strategies as st
import pytest
from hypothesis import given

from finegrain.views.escape import csv_cell, json_text, latex, markdown, visible


@pytest.mark.parametrize(
    "char",
    ["\x1b", "\x07", "\x00", "\x9b", "\u202e", "\u2066", "\u2028", "\ufeff", "\r", "\n", "\t"],
)
def test_control_and_direction_characters_are_written_out(char: str) -> None:
    shown = visible(f"a{char}b")
    assert char not in shown
    assert shown.startswith("a\\")


@pytest.mark.parametrize(
    "text",
    ["naïve", "東京", "سلام", "e\u0301", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "a b"],
)
def test_ordinary_text_in_any_script_stays(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_nothing_a_terminal_acts_on_is_left(text: str) -> None:
    assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for char in visible(text))


def test_latex_specials() -> None:
    assert latex(r"\a{b}$%&#_^~") == (
        r"\textbackslash{}a\{b\}\$\%\&\#\_\textasciicircum{}\textasciitilde{}"
    )


def test_markdown_table_cells_cannot_break_out() -> None:
    assert markdown("a|b*c*<b>") == r"a\|b\*c\*\<b\>"


def test_markdown_does_not_read_entities() -> None:
    assert markdown("&lt;b&gt;") == "&amp;lt;b&amp;gt;"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_csv_cells_are_no_formulas(text: str) -> None:
    assert csv_cell(text) == "'" + text


@pytest.mark.parametrize("char", ["\x1b", "\x07", "\x0b", "\x0c", "\t", "\r", "\u202e"])
def test_csv_cells_have_no_control_characters(char: str) -> None:
    assert char not in csv_cell(f"a{char}b")
    assert char not in csv_cell(f"{char}b")


def test_json_is_utf8_whatever_a_file_is_called() -> None:
    name = b"b\xff.conll".decode("utf-8", "surrogateescape")
    text = json_text(json.dumps([name, "é"], ensure_ascii=False))
    assert json.loads(text.encode()) == ["b\\udcff.conll", "é"]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\x00")))
def test_csv_round_trip(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([csv_cell(text), "end"])
    assert next(csv.reader(io.StringIO(out.getvalue()))) == [csv_cell(text), "end"]
