"""Findings: sentences over all data sets, with small figures beside them."""

from __future__ import annotations

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.reports.suite_findings import brackets, suite_findings
from finegrain.views.html.sections.section import Context


def context(found: ManyDataSets) -> Context | None:
    """Nothing without findings; all small figures are bars."""
    findings = suite_findings(found)
    if not findings:
        return None
    return {
        "findings": findings,
        "brackets": brackets(found),
        "axes": dict.fromkeys(range(len(findings))),
    }
