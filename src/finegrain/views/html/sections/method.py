"""Method: the signature, what was read and repaired, what every number means, how to cite."""

from __future__ import annotations

from typing import NamedTuple

from finegrain.analyses.report import Report
from finegrain.version import __version__
from finegrain.views.html.payload import unit_word
from finegrain.views.html.sections.section import Context


class Definition(NamedTuple):
    """What a number means, and who defined it."""

    name: str
    meaning: str
    source: str


_DEFINITIONS: dict[str, tuple[Definition, ...]] = {
    "score": (
        Definition(
            "Precision, recall, F1",
            "TP / predicted, TP / gold, 2TP / (2TP + FP + FN); a dash where there is nothing to "
            "divide by.",
            "van Rijsbergen 1979",
        ),
    ),
    "errors": (
        Definition(
            "Fair counting",
            "Every error is counted once and by its type: a span with a wrong boundary or label is "
            "not a missed and an invented one.",
            "Ortmann 2022",
        ),
    ),
    "significance": (
        Definition(
            "Interval",
            "Percentile interval of resampled documents (sentences where there are no documents), "
            "widened for few of them.",
            "Hesterberg 2015",
        ),
        Definition(
            "Group",
            "Systems that share a letter do not differ: paired randomisation test, Holm's "
            "correction over all pairs.",
            "Yeh 2000; Holm 1979",
        ),
    ),
    "differences": (
        Definition(
            "Correction, new error, changed error",
            "A wrong and B right; A right and B wrong; both wrong, in different ways.",
            "Tuggener 2017",
        ),
    ),
    "difficulty": (
        Definition(
            "Bin",
            "The number of systems that are right about a gold unit; bin 0 is hardest.",
            "Gianola et al. 2021",
        ),
    ),
    "oracle": (
        Definition("Oracle", "A unit counts as solved if some system solves it.", "Tuggener 2017"),
    ),
    "buckets": (
        Definition(
            "Trend, spread",
            "Spearman's correlation of score and bucket; standard deviation of the scores of "
            "buckets.",
            "Fu, Liu and Neubig 2020",
        ),
    ),
}


def context(report: Report) -> Context | None:
    """Definitions of what the page has."""
    table = report.table
    corpus = table.corpus
    counts: list[tuple[str, int, str]] = [("sentences", corpus.n_sentences, "")]
    if corpus.tokens is not None:
        counts.append(("tokens", corpus.n_tokens, ""))
    if corpus.n_documents:
        counts.append(("documents", corpus.n_documents, ""))
    counts.append((f"gold {unit_word(table)}", table.n_gold, ""))
    if table.gold_repairs:
        counts.append(("gold tags repaired", table.gold_repairs, ""))
    repaired = sum(table.repairs.values())
    if repaired:
        counts.append(("system tags repaired", repaired, f"in {len(table.systems)} systems"))
    told = f"of {report.units.found:,}" if report.units.found > len(report.units.chosen) else ""
    counts.append(("units in this page", len(report.units.chosen), told))
    return {
        "signature": report.signature,
        "definitions": [
            definition
            for name, definitions in _DEFINITIONS.items()
            if name in report.results and not (name == "errors" and table.inventory.always_answered)
            for definition in definitions
        ],
        "counts": counts,
        "notes": report.notes,
        "version": __version__,
        "results": {name: result.signature for name, result in report.results.items()},
    }
