"""Generated answers whose truth is known get their classes; damaged ones never raise."""

from __future__ import annotations

import pytest

pytest.importorskip("rapidfuzz", reason="needs the extra ground")
grounding = pytest.importorskip("benchmarks.grounding", reason="needs the benchmarks")


def test_items_get_their_class_and_place() -> None:
    outcome = grounding.measured(160, size=1_000)
    assert outcome.items > 3_000
    assert len(outcome.confusion) >= 10  # all classes occur
    assert outcome.right >= 0.99 * outcome.items
    assert outcome.wrong <= 0.001 * outcome.placed


def test_damaged_answers_end_in_classes_too() -> None:
    counts = grounding.damaged(250)
    assert sum(counts.values()) > 250
    assert counts["unparseable"] > 10
