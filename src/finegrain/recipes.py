"""Which metrics and attributes belong to which task: the only module that knows.

>>> [metric.name for metric in metrics_for("tags")][:2]
['accuracy', 'sentence_accuracy']
"""

from __future__ import annotations

from finegrain.metrics.match_schemes import OVERLAP, scheme_metrics
from finegrain.metrics.metric import Metric
from finegrain.metrics.span_scores import WEIGHTS, Focus, Weights, span_metrics
from finegrain.metrics.tag_scores import ITEM_METRICS, tag_metrics

DEFAULT_WEIGHTS = WEIGHTS["ortmann-weighted"]
_MAIN = {"spans": "traditional_f1", "coreference": "conll_f1"}
_ATTRIBUTES = {
    "spans": (  # the eight of Fu, Liu and Neubig (2020)
        "entity_length", "sentence_length", "entity_density", "oov_density",
        "entity_frequency", "token_frequency", "entity_consistency", "token_consistency",
    ),
    "dependencies": (  # after McDonald and Nivre (2007)
        "arc_length", "arc_direction", "root_distance", "siblings", "projectivity", "tree_depth",
        "sentence_length", "head_upos",
    ),
    "tags": (
        "word_frequency", "tag_consistency", "training_ambiguity", "unknown_word", "characters",
        "position", "sentence_length",
    ),
    "coreference": (
        "label", "entity_length", "antecedent_sentences", "antecedent_mentions",
        "antecedent_match", "chain_length", "chain_position", "document_length",
    ),
}  # fmt: skip
_SLICED = {
    "spans": (
        "entity_length", "sentence_length", "entity_density", "novelty", "oov_density",
        "entity_consistency",
    ),
}  # fmt: skip


def metrics_for(
    task: str,
    *,
    weights: Weights = DEFAULT_WEIGHTS,
    focus: Focus = "target",
    beta: float | None = None,
) -> tuple[Metric, ...]:
    """The metrics that ``score`` computes by default; with ``beta`` F-beta too."""
    if task == "items":
        return ITEM_METRICS
    if task == "dependencies":
        from finegrain.metrics.dependency_scores import DEPENDENCY_METRICS  # noqa: PLC0415

        return DEPENDENCY_METRICS
    if task == "coreference":
        from finegrain.metrics.coreference import COREFERENCE_METRICS  # noqa: PLC0415

        return COREFERENCE_METRICS
    return span_metrics(weights, focus, beta=beta) if task == "spans" else tag_metrics(beta=beta)


def main_metric(task: str) -> Metric | None:
    """The score that a comparison tells beside accuracy; ``None`` where accuracy is that score."""
    return {metric.name: metric for metric in metrics_for(task)}.get(_MAIN.get(task, ""))


def unit_metric(task: str) -> Metric:
    """The score of a part of the units: the main one, unless that is about whole documents."""
    main = main_metric(task) or metrics_for(task)[0]
    if not main.whole_documents:
        return main
    return next(one for one in metrics_for(task) if one.short == "f1" and not one.whole_documents)


def attributes_for(task: str) -> tuple[str, ...]:
    """The attributes that ``buckets`` goes by if none is named; empty where there is no answer."""
    return _ATTRIBUTES.get(task, ())


def slice_attributes_for(task: str) -> tuple[str, ...]:
    """The attributes that ``slices`` searches if none is named: the label and what may tell more.

    Fewer than ``buckets`` has, as every further one makes the others harder to find.
    """
    return tuple(dict.fromkeys(("label", *_SLICED.get(task, attributes_for(task)))))


def further_metrics(task: str, *, overlap: float = OVERLAP) -> tuple[Metric, ...]:
    """Metrics that ``score`` computes only if they are named."""
    if task == "dependencies":
        from finegrain.metrics.enhanced_scores import ENHANCED_METRICS  # noqa: PLC0415

        return ENHANCED_METRICS
    if task == "coreference":
        from finegrain.metrics.coreference import FURTHER_COREFERENCE_METRICS  # noqa: PLC0415

        return FURTHER_COREFERENCE_METRICS
    return scheme_metrics(overlap=overlap) if task == "spans" else ()
