"""Method: the signature, what was read and repaired, what every number means, how to cite."""

from __future__ import annotations

from finegrain.analyses.reports.facts import unit_word
from finegrain.analyses.reports.report import Report
from finegrain.version import __version__
from finegrain.views.html.definitions import definitions
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """Definitions of what the page has."""
    table = report.table
    corpus = table.corpus
    counts: list[tuple[str, int, str]] = [("sentences", corpus.n_sentences, "")]
    if corpus.tokens is not None:
        counts.append(("tokens", corpus.n_tokens, ""))
    if corpus.n_documents:
        counts.append(("documents", corpus.n_documents, ""))
    counts.append((f"gold {unit_word(table.task)}", table.n_gold, ""))
    if table.gold_repairs:
        counts.append(("gold tags repaired", table.gold_repairs, ""))
    repaired = sum(table.repairs.values())
    if repaired:
        counts.append(("system tags repaired", repaired, f"in {len(table.systems)} systems"))
    told = f"of {report.units.found:,}" if report.units.found > len(report.units.chosen) else ""
    counts.append(("units in this page", len(report.units.chosen), told))
    return {
        "signature": report.signature,
        "definitions": definitions(report.task, report.results),
        "counts": counts,
        "notes": report.notes,
        "version": __version__,
        "results": {name: result.signature for name, result in report.results.items()},
    }
