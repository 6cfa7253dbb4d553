"""Agreement on published examples: values of nltk, scikit-learn, statsmodels and krippendorff."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.trust.agreement import Agreement, Scale

# Krippendorff's example as it is often printed: 3 annotators, 15 units, * is missing
KRIPPENDORFF = """
    *    *    *    *    *    3    4    1    2    1    1    3    3    *    3
    1    *    2    1    3    3    4    3    *    *    *    *    *    *    *
    *    *    2    1    3    4    4    *    2    1    1    3    3    *    4
"""
# Artstein and Poesio (2008), section 2: stat, ireq, chck of two annotators
ARTSTEIN_POESIO = {("stat", "stat"): 46, ("ireq", "stat"): 6, ("ireq", "ireq"): 32}
ARTSTEIN_POESIO |= {("ireq", "chck"): 6, ("chck", "chck"): 10}


def _value(found: Agreement, measure: str) -> float:
    return float(found.view("units").together[measure].value)


@pytest.mark.parametrize(
    ("scale", "value"),
    [("nominal", 0.691358), ("ordinal", 0.806721), ("interval", 0.810845), ("ratio", 0.808944)],
)
def test_alpha_of_the_usual_example(scale: Scale, value: float) -> None:
    lines = [line.split() for line in KRIPPENDORFF.strip().splitlines()]
    rows = [[None if cell == "*" else cell for cell in unit] for unit in zip(*lines, strict=True)]
    found = fg.agreement(fg.ratings(rows), scale=scale, intervals=0)
    name = "alpha" if scale == "nominal" else f"{scale}_alpha"
    assert _value(found, name) == pytest.approx(value, abs=1e-6)


def test_artstein_and_poesio() -> None:
    rows = [list(pair) for pair, times in ARTSTEIN_POESIO.items() for _ in range(times)]
    found = fg.agreement(fg.ratings(rows), intervals=0)
    assert _value(found, "percent") == pytest.approx(0.88)
    assert _value(found, "pooled_kappa") == pytest.approx(0.7995322)
    assert _value(found, "cohen_kappa") == pytest.approx(0.8013245)
    assert _value(found, "alpha") == pytest.approx(0.8005346)


def test_artstein_and_poesio_from_the_file(shared: Path) -> None:
    folder = shared / "data" / "agreement" / "artstein-poesio"
    columns = {"annotator": 1, "item": 2, "label": 3}
    path = str(folder / "artstein_poesio_example.txt")
    found = fg.agreement(fg.read_ratings(path, columns=columns), intervals=0)
    nltk = json.loads((folder / "reference.json").read_text())[
        "nltk.metrics.agreement.AnnotationTask"
    ]
    for ours, theirs in (("percent", "avg_Ao"), ("pooled_kappa", "pi"), ("cohen_kappa", "kappa")):
        assert _value(found, ours) == pytest.approx(nltk[theirs])
    assert _value(found, "alpha") == pytest.approx(nltk["alpha"])


def _snow(shared: Path, name: str) -> tuple[str, dict[str, Any]]:
    folder = shared / "data" / "agreement" / "snow2008"
    reference = json.loads((folder / "reference.json").read_text())["sets"][name]
    return str(folder / f"{name}.tsv"), reference


@pytest.mark.parametrize("name", ["rte", "temp"])
def test_crowd_labels_with_many_annotators_and_missing_values(shared: Path, name: str) -> None:
    path, reference = _snow(shared, name)
    ratings = fg.read_ratings(path)
    assert len(ratings.annotators) == reference["annotators"]
    found = fg.agreement(ratings, intervals=0)
    alpha = reference["krippendorff_alpha_nominal (krippendorff)"]
    assert _value(found, "alpha") == pytest.approx(alpha)
    assert _value(found, "fleiss_kappa") == pytest.approx(reference["fleiss_kappa (statsmodels)"])
    one, two = (ratings.annotators.index(who) for who in reference["pair"]["annotators"])
    pairs = {frozenset((pair.first, pair.second)): pair for pair in found.view("units").pairs}
    pair = pairs[frozenset((one, two))]
    assert pair.units == reference["pair"]["common_items"]
    nltk = reference["pair"]["nltk"]
    for ours, theirs in (("percent", "avg_Ao"), ("pooled_kappa", "pi"), ("cohen_kappa", "kappa")):
        assert float(pair.measures[ours].value) == pytest.approx(nltk[theirs])


def test_word_similarity_on_ordered_scales(shared: Path) -> None:
    path, reference = _snow(shared, "wordsim")
    for scale in ("interval", "ordinal"):
        found = fg.agreement(fg.read_ratings(path), scale=scale, intervals=0)  # type: ignore[arg-type]
        theirs = reference[f"krippendorff_alpha_{scale} (krippendorff)"]
        assert _value(found, f"{scale}_alpha") == pytest.approx(theirs)
