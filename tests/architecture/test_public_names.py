"""The public surface is decided, not leaked."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import finegrain as fg


def test_exported_names_are_sorted_and_there() -> None:
    assert fg.__all__ == sorted(fg.__all__)
    assert [name for name in fg.__all__ if not hasattr(fg, name)] == []


def test_exported_names() -> None:
    """Adding or removing a public name is a decision: make it here too."""
    assert fg.__all__ == [
        "AlignmentError",
        "Attribute",
        "BehaviourSuite",
        "Corpus",
        "FinegrainError",
        "Format",
        "InputError",
        "Metric",
        "OutcomeTable",
        "Perturbation",
        "SpacyScorer",
        "Suite",
        "Task",
        "UsageError",
        "__version__",
        "agreement",
        "align",
        "align_perturbed",
        "annotate",
        "behave",
        "buckets",
        "classification_report",
        "compute_metrics",
        "confusion",
        "crowd",
        "describe",
        "diagnose",
        "difference",
        "differences",
        "difficulty",
        "distribution",
        "error_types",
        "evaluate",
        "extrinsic",
        "features",
        "from_docs",
        "from_items",
        "from_lists",
        "from_matrix",
        "from_pandas",
        "from_spans",
        "gate",
        "ground",
        "invented",
        "load",
        "majority_vote",
        "oracle",
        "overlap",
        "perturb",
        "probe",
        "ratings",
        "read",
        "read_crowd",
        "read_ratings",
        "repeats",
        "report",
        "robustness",
        "rsa",
        "score",
        "seeds",
        "select",
        "show",
        "significance",
        "simulate",
        "simulate_chains",
        "simulate_grades",
        "simulate_questions",
        "simulate_ratings",
        "simulate_reviews",
        "simulate_searches",
        "simulate_trees",
        "simulate_vectors",
        "slices",
        "split",
        "study",
        "triage",
        "validate",
        "word_benchmark",
        "words",
        "write",
    ]


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scroe'"):
        fg.scroe  # noqa: B018


@pytest.mark.parametrize("name", [name for name in fg.__all__ if not name.startswith("_")])
def test_public_things_are_documented(name: str) -> None:
    assert inspect.getdoc(getattr(fg, name))


@pytest.mark.parametrize("name", [name for name in fg.__all__ if name.islower() and name[0] != "_"])
def test_functions_have_few_positional_arguments_and_no_positional_flags(name: str) -> None:
    parameters = inspect.signature(getattr(fg, name)).parameters.values()
    positional = [one for one in parameters if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 3
    assert not any(isinstance(one.default, bool) for one in positional)


ANALYSES = {
    name: home for name, home in fg._HOMES.items() if home.startswith("finegrain.analyses.")
}


@pytest.mark.parametrize("name", ANALYSES)
def test_an_analysis_is_one_function(name: str) -> None:
    """Nothing above analyses repeats its options but the command, which says them in words."""
    assert getattr(fg, name).__module__ == ANALYSES[name]
    root = Path(fg.__file__).parent
    above = [*root.glob("*.py"), *(root / "views").rglob("*.py"), *(root / "suites").glob("*.py")]
    twin = re.compile(rf"^def {name}\(", re.MULTILINE)
    assert [path for path in above if twin.search(path.read_text())] == []


def test_old_names_say_what_they_are_called_now() -> None:
    with pytest.raises(AttributeError, match="it is called features now"):
        _ = fg.bin_features
