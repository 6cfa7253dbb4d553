"""JSON on which readers disagree is refused; all other JSON is read as Python reads it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.strict_json import BadJson, parse

SRC = Path(__file__).parents[1] / "src" / "finegrain"
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=10,
)


@given(VALUES)
def test_what_is_written_is_read(value: object) -> None:
    for ascii_only in (True, False):
        assert parse(json.dumps(value, ensure_ascii=ascii_only)) == value


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"a": 1, "a": 1}', 'the key "a" occurs twice in one object'),
        ('[{"b": {"a": 1, "c": 2, "a": 3}}]', 'the key "a" occurs twice in one object'),
        ('{"a": 1, "\\u0061": 2}', 'the key "a" occurs twice in one object'),
        ("[NaN]", "not JSON: NaN is not a number"),
        ('{"a": Infinity}', "not JSON: Infinity is not a number"),
        ("-Infinity", "not JSON: -Infinity is not a number"),
        ("[1e400]", "the number 1e400 is too large"),
        ("-1e400", "the number -1e400 is too large"),
        ("[1", "not JSON: Expecting ',' delimiter (column 3)"),
        ("", "not JSON: Expecting value (column 1)"),
        ("1 2", "not JSON: Extra data (column 3)"),
        ("[" * 10_000, "JSON that is too large or too deep"),
        ("1" * 10_000, "JSON that is too large or too deep"),
        ('"\\ud800"', "half of a surrogate pair, which is no character"),
        ('{"\\udc00": 1}', "half of a surrogate pair, which is no character"),
        ('["\\uDC00\\uD800"]', "half of a surrogate pair, which is no character"),
    ],
)
def test_what_is_refused(text: str, what: str) -> None:
    with pytest.raises(BadJson) as caught:
        parse(text)
    assert str(caught.value) == what


def test_a_whole_pair_is_a_character() -> None:
    assert parse('"\\ud83d\\ude00"') == "😀"


def test_a_key_may_stand_in_several_objects() -> None:
    assert parse('[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]


def test_all_json_is_read_so() -> None:
    """``json.loads`` is for recognising a format, where doubt is not an error."""
    lenient = [
        f"{path.relative_to(SRC)}"
        for path in SRC.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and (node.value.id, node.attr) in {("json", "loads"), ("json", "load")}
    ]
    assert lenient == ["formats/cluster_lines.py"]
