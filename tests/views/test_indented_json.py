"""Indented JSON is that of the standard library."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.views.indented_json import in_parts, indented

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(VALUES)
def test_it_is_what_the_standard_library_writes(value: Any) -> None:
    expected = json.dumps(value, ensure_ascii=False, indent=1)
    assert indented(value) == expected
    for levels in range(4):
        assert "".join(in_parts(value, levels=levels)) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [-float("inf")]])
def test_undefined_numbers_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="Out of range float values"):
        indented(value)


@pytest.mark.parametrize("value", [{1: "a"}, {"a": {1}}, object()])
def test_what_is_no_json_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        indented(value)
