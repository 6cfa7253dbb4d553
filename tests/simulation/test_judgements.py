"""Simulated ratings: the planted qualities and raters are found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.simulation import RATING_WEAKNESSES, simulate_ratings
from finegrain.simulation.judgements import RATERS
from tests.conftest import Run

MADE = simulate_ratings(tokens=3_000, systems={"good": ["quality=4"], "poor": ["quality=2"]})
TABLE = fg.align(MADE.gold, {}, task="ratings")


def test_the_planted_qualities_are_found() -> None:
    found = fg.score(TABLE)
    assert found.value("rating", "good") - found.value("rating", "poor") > 1.2
    pair = fg.significance(TABLE, resamples=500).pair("good", "poor")
    assert pair.p < 0.01


def test_severe_generous_and_careless_raters_are_found() -> None:
    rows = fg.study(TABLE, "raters").data["raters"]
    severity = {name: row["severity"] for name, row in rows.items()}
    ordered = sorted(severity, key=severity.__getitem__)
    assert ordered[-1] == "rater-2"
    assert ordered[0] == "rater-5"
    assert severity["rater-2"] == pytest.approx(1.0, abs=0.35)
    assert MADE.planted["rater-7"] == (RATERS["rater-7"],)


@pytest.mark.parametrize(
    "name", [one for one in RATING_WEAKNESSES if not one.startswith("quality=")]
)
def test_a_weakness_lowers_what_it_says_and_nothing_else(name: str) -> None:
    made = simulate_ratings(tokens=4_000, systems={"weak": [name], "even": []}, noise=0.0)
    table = fg.align(made.gold, {}, task="ratings")
    where = "text_length >= 14" if name == "long-texts" else name.replace("=", " = ")
    inside, outside = (fg.score(table, where=one) for one in (where, f"not ({where})"))
    assert inside.value("rating", "even") - inside.value("rating", "weak") > 0.5
    assert outside.value("rating", "even") == pytest.approx(
        outside.value("rating", "weak"), abs=0.25
    )


def test_the_same_seed_gives_the_same_ratings() -> None:
    one, two, other = (
        simulate_ratings(tokens=300, seed=seed).gold.fields["score"] for seed in (1, 1, 2)
    )
    assert list(one) == list(two)
    assert list(one) != list(other)


def test_the_careless_worker_is_found_in_the_labels(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(MADE.further["labels.csv"])
    found = fg.crowd(fg.read_crowd(str(tmp_path / "labels.csv")), intervals=0)
    rest = {one.name: one.rest.value for one in found.workers}
    order = sorted(rest, key=rest.__getitem__)
    assert order[:2] == ["rater-7", "rater-2"]
    assert rest["rater-7"] < 0.5
    assert rest["rater-1"] > 0.8
    assert found.accuracy["dawid-skene"].value > 0.95


@pytest.mark.parametrize(
    ("systems", "told"),
    [
        ({}, "ratings are of systems"),
        ({"rater-1": []}, "a rater is"),
        ({"a": ["quality=9"]}, "unknown weakness 'quality=9'"),
    ],
)
def test_what_cannot_be_simulated_is_said(systems: dict[str, list[str]], told: str) -> None:
    with pytest.raises(fg.UsageError, match=told):
        simulate_ratings(tokens=300, systems=systems)


def test_the_written_file_is_scored_alone(run: Run, tmp_path: Path) -> None:
    made = run("simulate", "judged", "--task", "ratings", "--tokens", "500",
               "--system", "large=quality=4", "--system", "small=", cwd=tmp_path)  # fmt: skip
    assert made.returncode == 0
    written = sorted(one.name for one in (tmp_path / "judged").iterdir())
    assert written == ["gold.csv", "labels.csv", "train.csv"]
    assert run("crowd", "judged/labels.csv", cwd=tmp_path).returncode == 0
    assert run("score", "judged/gold.csv", cwd=tmp_path).stderr.startswith(
        "format csv; task ratings (recognised)"
    )
