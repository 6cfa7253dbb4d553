"""Method: the signature, what was read and repaired, what every number means, how to cite."""

from __future__ import annotations

from finegrain.analyses.reports.facts import unit_word
from finegrain.analyses.reports.report import Report
from finegrain.sizes import sized
from finegrain.version import __version__
from finegrain.views.html.definitions import definitions
from finegrain.views.html.sections.section import Context


def context(report: Report) -> Context | None:
    """Definitions of what the page has."""
    table = report.table
    corpus = table.corpus
    counts: list[tuple[str, int, str]] = [_counted(corpus.n_sentences, "sentence")]
    if corpus.tokens is not None:
        counts.append(_counted(corpus.n_tokens, "token"))
    if corpus.n_documents:
        counts.append(_counted(corpus.n_documents, "document"))
    counts.append(_counted(table.n_gold, f"gold {unit_word(table.task).removesuffix('s')}"))
    if table.gold_repairs:
        counts.append(("gold tags repaired", table.gold_repairs, ""))
    repaired = sum(table.repairs.values())
    if repaired:
        counts.append(
            ("system tags repaired", repaired, f"in {sized(len(table.systems), 'system')}")
        )
    told = f"of {report.units.found:,}" if report.units.found > len(report.units.chosen) else ""
    name, shown, _ = _counted(len(report.units.chosen), "unit", "in this page")
    counts.append((name, shown, told))
    return {
        "signature": report.signature,
        "definitions": definitions(report.task, report.results),
        "counts": counts,
        "notes": report.notes,
        "version": __version__,
        "results": {name: result.signature for name, result in report.results.items()},
    }


def _counted(count: int, noun: str, which: str = "") -> tuple[str, int, str]:
    """What is counted, in the number that there are of it, and how many."""
    return sized(count, noun, which).split(" ", 1)[1], count, ""
