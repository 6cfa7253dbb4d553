"""finegrain: where, how and why NLP systems differ.

>>> import finegrain as fg
>>> "score" in fg.__all__
True

Names are loaded when they are first used, so that the command line starts without numpy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.version import __version__

if TYPE_CHECKING:
    from finegrain.alignment.majority_vote import majority_vote
    from finegrain.analyses.compare.bin_features import features
    from finegrain.analyses.compare.difference import difference
    from finegrain.analyses.compare.difference_matrix import differences
    from finegrain.analyses.compare.difficulty import difficulty
    from finegrain.analyses.compare.invented import invented
    from finegrain.analyses.compare.oracle import oracle
    from finegrain.analyses.compare.triage import triage
    from finegrain.analyses.compare.word_bins import words
    from finegrain.analyses.explain.buckets import buckets
    from finegrain.analyses.explain.description import describe
    from finegrain.analyses.explain.diagnosis import diagnose
    from finegrain.analyses.explain.extrinsic import extrinsic
    from finegrain.analyses.explain.overlap import overlap
    from finegrain.analyses.reports.report import report
    from finegrain.analyses.scores.confusion import confusion
    from finegrain.analyses.scores.distribution import distribution
    from finegrain.analyses.scores.error_types import error_types
    from finegrain.analyses.scores.score import score
    from finegrain.analyses.selection.selecting import select
    from finegrain.analyses.studies import study
    from finegrain.analyses.studies.probing import probe
    from finegrain.analyses.studies.similarity import rsa
    from finegrain.analyses.studies.word_benchmarks import word_benchmark
    from finegrain.analyses.trust.agreement import agreement
    from finegrain.analyses.trust.crowd import crowd
    from finegrain.analyses.trust.gate import gate
    from finegrain.analyses.trust.repeats import repeats
    from finegrain.analyses.trust.robustness import robustness
    from finegrain.analyses.trust.seeds import seeds
    from finegrain.analyses.trust.significance import significance
    from finegrain.analyses.trust.slices import slices
    from finegrain.analyses.trust.split import split
    from finegrain.analyses.trust.validation import validate
    from finegrain.analyses.units.grounding import ground
    from finegrain.analyses.units.show import show
    from finegrain.attributes.annotate import annotate
    from finegrain.attributes.attribute import Attribute
    from finegrain.behaviour.suite import BehaviourSuite
    from finegrain.behavioural_tests import behave
    from finegrain.conditions import align_perturbed
    from finegrain.corpus import Corpus
    from finegrain.data_frames import from_pandas
    from finegrain.errors import AlignmentError, FinegrainError, InputError, UsageError
    from finegrain.evaluating import evaluate
    from finegrain.formats import Format, read
    from finegrain.formats.crowd_labels import read_crowd
    from finegrain.formats.label_table import read_ratings
    from finegrain.item_lists import from_items
    from finegrain.lists import classification_report, from_lists
    from finegrain.metrics.metric import Metric
    from finegrain.perturbations.perturbation import Perturbation
    from finegrain.perturbations.perturbing import perturb
    from finegrain.simulation import (
        simulate,
        simulate_chains,
        simulate_grades,
        simulate_questions,
        simulate_ratings,
        simulate_reviews,
        simulate_searches,
        simulate_trees,
        simulate_vectors,
    )
    from finegrain.span_lists import SpacyScorer, from_docs, from_spans
    from finegrain.suites import Suite
    from finegrain.table import OutcomeTable, Task
    from finegrain.table.ratings import ratings
    from finegrain.table.storage import load
    from finegrain.tasks import align
    from finegrain.tasks.items import from_matrix
    from finegrain.trainer_metrics import compute_metrics
    from finegrain.writing import write

_HOMES = {
    "AlignmentError": "finegrain.errors",
    "Attribute": "finegrain.attributes.attribute",
    "BehaviourSuite": "finegrain.behaviour.suite",
    "Corpus": "finegrain.corpus",
    "FinegrainError": "finegrain.errors",
    "Format": "finegrain.formats",
    "InputError": "finegrain.errors",
    "Metric": "finegrain.metrics.metric",
    "OutcomeTable": "finegrain.table",
    "Perturbation": "finegrain.perturbations.perturbation",
    "SpacyScorer": "finegrain.span_lists",
    "Suite": "finegrain.suites",
    "Task": "finegrain.table",
    "UsageError": "finegrain.errors",
    "agreement": "finegrain.analyses.trust.agreement",
    "align": "finegrain.tasks",
    "align_perturbed": "finegrain.conditions",
    "annotate": "finegrain.attributes.annotate",
    "behave": "finegrain.behavioural_tests",
    "buckets": "finegrain.analyses.explain.buckets",
    "classification_report": "finegrain.lists",
    "compute_metrics": "finegrain.trainer_metrics",
    "confusion": "finegrain.analyses.scores.confusion",
    "crowd": "finegrain.analyses.trust.crowd",
    "describe": "finegrain.analyses.explain.description",
    "diagnose": "finegrain.analyses.explain.diagnosis",
    "difference": "finegrain.analyses.compare.difference",
    "differences": "finegrain.analyses.compare.difference_matrix",
    "difficulty": "finegrain.analyses.compare.difficulty",
    "distribution": "finegrain.analyses.scores.distribution",
    "error_types": "finegrain.analyses.scores.error_types",
    "evaluate": "finegrain.evaluating",
    "extrinsic": "finegrain.analyses.explain.extrinsic",
    "features": "finegrain.analyses.compare.bin_features",
    "from_docs": "finegrain.span_lists",
    "from_items": "finegrain.item_lists",
    "from_lists": "finegrain.lists",
    "from_matrix": "finegrain.tasks.items",
    "from_pandas": "finegrain.data_frames",
    "from_spans": "finegrain.span_lists",
    "gate": "finegrain.analyses.trust.gate",
    "ground": "finegrain.analyses.units.grounding",
    "invented": "finegrain.analyses.compare.invented",
    "load": "finegrain.table.storage",
    "majority_vote": "finegrain.alignment.majority_vote",
    "oracle": "finegrain.analyses.compare.oracle",
    "overlap": "finegrain.analyses.explain.overlap",
    "perturb": "finegrain.perturbations.perturbing",
    "probe": "finegrain.analyses.studies.probing",
    "ratings": "finegrain.table.ratings",
    "read": "finegrain.formats",
    "read_crowd": "finegrain.formats.crowd_labels",
    "read_ratings": "finegrain.formats.label_table",
    "repeats": "finegrain.analyses.trust.repeats",
    "report": "finegrain.analyses.reports.report",
    "robustness": "finegrain.analyses.trust.robustness",
    "rsa": "finegrain.analyses.studies.similarity",
    "score": "finegrain.analyses.scores.score",
    "seeds": "finegrain.analyses.trust.seeds",
    "select": "finegrain.analyses.selection.selecting",
    "show": "finegrain.analyses.units.show",
    "significance": "finegrain.analyses.trust.significance",
    "simulate": "finegrain.simulation",
    "simulate_chains": "finegrain.simulation",
    "simulate_grades": "finegrain.simulation",
    "simulate_questions": "finegrain.simulation",
    "simulate_ratings": "finegrain.simulation",
    "simulate_reviews": "finegrain.simulation",
    "simulate_searches": "finegrain.simulation",
    "simulate_trees": "finegrain.simulation",
    "simulate_vectors": "finegrain.simulation",
    "slices": "finegrain.analyses.trust.slices",
    "split": "finegrain.analyses.trust.split",
    "study": "finegrain.analyses.studies",
    "triage": "finegrain.analyses.compare.triage",
    "validate": "finegrain.analyses.trust.validation",
    "word_benchmark": "finegrain.analyses.studies.word_benchmarks",
    "words": "finegrain.analyses.compare.word_bins",
    "write": "finegrain.writing",
}

__all__ = [
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


_RENAMED = {"bin_features": "features", "word_bins": "words"}


def __getattr__(name: str) -> Any:
    from importlib import import_module
    from types import FunctionType

    if name not in _HOMES:
        now = f"; it is called {_RENAMED[name]} now" if name in _RENAMED else ""
        raise AttributeError(f"module 'finegrain' has no attribute {name!r}{now}")
    home = import_module(_HOMES[name])
    value = getattr(home, name)
    if isinstance(value, FunctionType):
        from finegrain.arguments import checked

        value = checked(value)
        setattr(home, name, value)  # pickle finds a function in its module, and it must be this one
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
