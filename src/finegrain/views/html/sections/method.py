"""Method: the signature, what was read and repaired, what every number means, how to cite."""

from __future__ import annotations

from finegrain.analyses.reports.facts import unit_word
from finegrain.analyses.reports.report import Report
from finegrain.sizes import sized
from finegrain.version import __version__
from finegrain.views.html.definitions import definitions
from finegrain.views.html.sections.section import Context, counted
from finegrain.views.literature import cited


def context(report: Report) -> Context | None:
    """Definitions of what the page has."""
    table = report.table
    corpus = table.corpus
    facts = [counted(corpus.n_sentences, "sentence")]
    if corpus.tokens is not None:
        facts.append(counted(corpus.n_tokens, "token"))
    if corpus.n_documents:
        facts.append(counted(corpus.n_documents, "document"))
    facts.append(counted(table.n_gold, f"gold {unit_word(table.task).removesuffix('s')}"))
    counts = [(name, number, "") for number, name in facts]
    if table.gold_repairs:
        counts.append(("gold tags repaired", table.gold_repairs, ""))
    repaired = sum(table.repairs.values())
    if repaired:
        counts.append(
            ("system tags repaired", repaired, f"in {sized(len(table.systems), 'system')}")
        )
    left_out = f"of {report.units.found:,}" if report.units.found > len(report.units.chosen) else ""
    shown, name = counted(len(report.units.chosen), "unit", "in this page")
    counts.append((name, shown, left_out))
    told = definitions(report.task, report.results)
    return {
        "signature": report.signature,
        "definitions": told,
        "sources": cited(one.source for one in told),
        "facts": facts,
        "counts": counts,
        "notes": report.notes,
        "version": __version__,
        "results": {name: result.signature for name, result in report.results.items()},
    }
