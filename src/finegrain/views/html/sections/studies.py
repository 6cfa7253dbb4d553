"""Studies: a section each, with the plots and tables that a task has beyond those of all tasks."""

from __future__ import annotations

from collections.abc import Iterator

from finegrain.analyses.reports.report import Report
from finegrain.analyses.studies.content import Study
from finegrain.views.html.listing_table import table_of
from finegrain.views.html.sections.section import Filled

TEMPLATE = "study.html"
_ROOM = 15  # rows of a further table that are shown at once


def studies_of(report: Report) -> Iterator[Filled]:
    """The sections of all studies of a report, in their order; notes of the table are in Method."""
    for name, found in report.results.items():
        if not isinstance(found, Study):
            continue
        context = {
            "name": name,
            "plots": [
                (f"{name}-{place}", plot)
                for place, plot in enumerate(found.plots, 1)
                if plot.series
            ],
            "tables": [
                table_of(f"{name}-{place}", listing)
                for place, listing in enumerate(found.tables, 1)
            ],
            "room": _ROOM,
            "notes": [note for note in found.notes if note not in report.table.notes],
        }
        yield Filled(name, found.title, found.question, context, TEMPLATE)
