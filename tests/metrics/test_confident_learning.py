"""Gold labels that confident systems contradict, worked by hand, and found where planted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats.delimited import read
from finegrain.formats.source import source_of
from finegrain.metrics.confident_learning import confident, margins
from tests.conftest import Run
from tests.schema import require_schema

GOLD = "id,label\nq1,neg\nq2,neg\nq3,neg\nq4,pos\nq5,pos\n"
SYSTEM = (
    "id,label,prob_neg,prob_pos\n"
    "q1,neg,0.9,0.1\nq2,neg,0.8,0.2\nq3,pos,0.1,0.9\nq4,pos,0.2,0.8\nq5,neg,0.55,0.45\n"
)


def _table() -> fg.OutcomeTable:
    corpora = [read(source_of(name, text.encode())) for name, text in (("g", GOLD), ("s", SYSTEM))]
    return fg.align(corpora[0], {"s": corpora[1]})


def test_thresholds_are_the_mean_self_confidence_of_each_label() -> None:
    chances = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.9], [0.2, 0.8], [0.55, 0.45]])
    gold = np.array([0, 0, 0, 1, 1])
    # t_neg = (0.9 + 0.8 + 0.1) / 3 = 0.6; t_pos = (0.8 + 0.45) / 2 = 0.625
    # q3: pos 0.9 reaches it; q5: neg 0.55 does not reach 0.6, pos 0.45 not 0.625: counted nowhere
    assert confident(chances, gold).tolist() == [0, 0, 1, 1, -1]
    assert margins(chances, gold) == pytest.approx([0.8, 0.6, -0.8, 0.6, -0.1])


def test_a_wrong_answer_without_confidence_is_no_doubt_about_gold() -> None:
    table = _table()
    assert fg.triage(table).found == 2  # q3 and q5 are wrong
    found = fg.triage(table, by="confidence")
    assert found.rows.tolist() == [2]
    assert found.margins == pytest.approx([-0.8])
    assert found.to_json()["units"][0]["margin"] == pytest.approx(-0.8)


def test_labels_that_were_made_wrong_are_found_first() -> None:
    made = fg.simulate_reviews(
        tokens=8_000, seed=3, systems={"s": ["long-texts"]}, noise=0.02, label_noise=0.05
    )
    clean = fg.simulate_reviews(tokens=8_000, seed=3, systems={"s": []}, noise=0.02)
    wrong = {
        row
        for row, (one, two) in enumerate(
            zip(made.gold.fields["label"], clean.gold.fields["label"], strict=True)
        )
        if one != two
    }
    found = fg.triage(fg.align(made.gold, made.systems), by="confidence")
    first = [int(row) in wrong for row in found.rows[: len(wrong) // 2]]
    assert np.mean(first) > 0.6  # 5 % of all labels are wrong


def test_without_probabilities_there_is_no_confidence() -> None:
    gold = read(source_of("g", GOLD.encode()))
    with pytest.raises(UsageError, match="needs probabilities"):
        fg.triage(fg.align(gold, {"s": gold}), by="confidence")
    with pytest.raises(UsageError, match="unknown way of triage 'luck'"):
        fg.triage(_table(), by="luck")  # type: ignore[arg-type]  # on purpose


def test_confidence_from_the_command_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text(GOLD)
    (tmp_path / "s.csv").write_text(SYSTEM)
    shown = run("triage", "gold.csv", "s.csv", "--by", "confidence")
    assert "-0.800" in shown.stdout, shown.stderr
    found = run("triage", "gold.csv", "s.csv", "--by", "confidence", "--format", "json")
    require_schema(json.loads(found.stdout), "triage")
    assert "margin" in run("triage", "gold.csv", "s.csv", "--by", "confidence", "--format",
                           "csv").stdout  # fmt: skip
