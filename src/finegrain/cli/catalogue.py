"""What ``finegrain list`` prints: derived from the registries, never kept by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from finegrain import attributes, formats, metrics, perturbations, tasks
from finegrain.alignment.task_options import own_options
from finegrain.analyses.studies import OF_GRADED, OF_MEASURED
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import in_words
from finegrain.behaviour.suite import STARTERS, read_suite
from finegrain.corpus.tag_schemes import POLICIES, SCHEMES
from finegrain.errors import UsageError
from finegrain.formats import FORMATS
from finegrain.metrics import METRICS
from finegrain.metrics.label_counts import documented
from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import WEIGHTS
from finegrain.plugins import everything
from finegrain.simulation import (
    ASPECT_WEAKNESSES,
    CHAIN_WEAKNESSES,
    GRADE_WEAKNESSES,
    GROUP_WEAKNESSES,
    LANGUAGE_MODEL_WEAKNESSES,
    MINIMAL_PAIR_WEAKNESSES,
    QUESTION_WEAKNESSES,
    RATING_WEAKNESSES,
    REVIEW_WEAKNESSES,
    SEARCH_WEAKNESSES,
    SPLITTER_WEAKNESSES,
    TRANSLATION_WEAKNESSES,
    TREE_WEAKNESSES,
    VECTOR_WEAKNESSES,
    WEAKNESSES,
)


def kinds() -> dict[str, dict[str, str]]:
    """Kind of thing -> name -> summary."""
    outcomes: dict[str, str] = {}
    for task in tasks.known().values():
        for one in task.outcomes:
            outcomes[one.name] = "; ".join(
                dict.fromkeys(filter(None, (outcomes.get(one.name), f"{task}: {one.meaning}")))
            )
    return {
        "formats": {name: one.summary for name, one in everything("formats", FORMATS).items()},
        "tasks": {name: one.summary for name, one in tasks.known().items()},
        "metrics": {name: one.summary for name, one in everything("metrics", METRICS).items()},
        "attributes": {
            name: one.summary for name, one in everything("attributes", ATTRIBUTES).items()
        },
        "schemes": {name: one.summary for name, one in SCHEMES.items()},
        "policies": {str(name): summary for name, summary in POLICIES.items()},
        "weights": {name: one.formula for name, one in WEIGHTS.items()},
        "outcomes": outcomes,
        "perturbations": {name: one.summary for name, one in perturbations.known().items()},
        "suites": {name: read_suite(name).summary for name in STARTERS},
        "studies": _studies(),
        "weaknesses": {name: one.summary for name, one in WEAKNESSES.items()},
        "question-weaknesses": dict(QUESTION_WEAKNESSES),
        "review-weaknesses": dict(REVIEW_WEAKNESSES),
        "rating-weaknesses": dict(RATING_WEAKNESSES),
        "grade-weaknesses": dict(GRADE_WEAKNESSES),
        "aspect-weaknesses": dict(ASPECT_WEAKNESSES),
        "group-weaknesses": dict(GROUP_WEAKNESSES),
        "language-model-weaknesses": dict(LANGUAGE_MODEL_WEAKNESSES),
        "minimal-pair-weaknesses": dict(MINIMAL_PAIR_WEAKNESSES),
        "splitter-weaknesses": dict(SPLITTER_WEAKNESSES),
        "search-weaknesses": dict(SEARCH_WEAKNESSES),
        "translation-weaknesses": dict(TRANSLATION_WEAKNESSES),
        "tree-weaknesses": {name: one.summary for name, one in TREE_WEAKNESSES.items()},
        "vector-weaknesses": dict(VECTOR_WEAKNESSES),
        "chain-weaknesses": {name: one.summary for name, one in CHAIN_WEAKNESSES.items()},
    }


def _studies() -> dict[str, str]:
    """Studies by name, with the question that their module asks and the tasks that have them."""
    tasks_of: dict[str, list[str]] = {}
    functions: dict[str, Callable[..., Any]] = {}
    for task in tasks.known().values():
        own: dict[str, Callable[..., Any]] = {**(OF_GRADED if task.value else {}), **task.studies}
        functions |= own
        for name in own:
            tasks_of.setdefault(name, []).append(task.name)
    functions |= OF_MEASURED
    tasks_of |= {name: ["answers that say what they took"] for name in OF_MEASURED}
    return {
        name: f"{_opening(functions[name])} ({', '.join(having)})"
        for name, having in tasks_of.items()
    }


def _opening(function: Callable[..., object]) -> str:
    """The first sentence of the module that a function stands in."""
    text = inspect.getdoc(inspect.getmodule(inspect.unwrap(function))) or ""
    return text.split("\n")[0].rstrip(".")


def _entries(kind: str) -> dict[str, str]:
    known = kinds()
    if kind not in known:
        raise UsageError.unknown("kind", kind, known)
    return known[kind]


def catalogue(kind: str) -> str:
    """All names of a kind with their summaries."""
    entries = _entries(kind)
    width = max(map(len, entries))
    return "\n".join(f"{name:<{width}}  {summary}" for name, summary in entries.items())


def explain(kind: str, name: str) -> str:
    """One thing in full: its summary, and what its code says about it."""
    entries = _entries(kind)
    if name not in entries:
        raise UsageError.unknown(kind.rstrip("s"), name, entries)
    parts = [f"{name}: {entries[name]}"]
    if kind == "metrics":
        metric = metrics.by_name(name)
        of_tasks = [task for task in tasks.known().values() if name in task.all_metrics()]
        used = f"tasks: {', '.join(map(str, of_tasks))}" if of_tasks else _needs(metric)
        parts += [used, f"reference: {metric.reference}"]
        parts.append(
            inspect.getdoc(metric.definition or documented(metric.label_score or metric.score))
            or ""
        )
    elif kind == "attributes":
        parts += _attribute(attributes.by_name(name))
    elif kind == "formats":
        parts.append(
            inspect.getdoc(inspect.getmodule(inspect.unwrap(formats.by_name(name).read))) or ""
        )
    elif kind == "tasks":
        task = tasks.by_name(name)
        parts.append(f"unit: {task.unit}")
        align = inspect.unwrap(task.aligner or task.align)
        parts.append(inspect.getdoc(inspect.getmodule(align)) or "")
        if own := own_options(task):
            parts.append(f"Options (--set NAME=VALUE): {', '.join(own)}")
            parts.append(inspect.getdoc(align) or "")
    return "\n\n".join(part for part in parts if part)


def _needs(metric: Metric) -> str:
    return f"needs: {', '.join(metric.needs) or 'nothing'}"


def _attribute(one: Attribute) -> list[str]:
    every = tasks.TASKS.values()
    for_tasks = ", ".join(task.name for task in every if one.applies_to(task))
    kind = f"{one.kind}, in {one.unit}" if one.unit else one.kind
    needs = "needs training data" if one.needs_training else ""
    equation = f"{one.name}(x) = {one.equation}"
    return [
        f"tasks: {for_tasks if one.needs else 'all'}",
        f"kind: {kind}",
        needs,
        equation,
        f"buckets: {in_words(one.default_bucketing)}",
        inspect.getdoc(one.compute) or "",
    ]
