"""A report of graded units finds slices by attributes that training data tell."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.simulation import simulate_language_models
from finegrain.tasks import TASKS


def test_findings_ask_for_the_units_of_a_learnt_attribute() -> None:
    made = simulate_language_models(tokens=3000, systems={"narrow": ["rare-words"], "even": []})
    table = TASKS["perplexity"].align(made.gold, made.systems)
    found = fg.report(table, train=made.train)
    assert "word_frequency" in found.table.columns
    assert "word_frequency" not in table.columns
    assert any("word frequency" in str(one) for one in found.findings)
    pytest.importorskip("jinja2", reason="needs the extra report")
    pytest.importorskip("vl_convert", reason="needs the extra report")
    from finegrain.views.html.page import as_html

    assert "word frequency" in as_html(found)
