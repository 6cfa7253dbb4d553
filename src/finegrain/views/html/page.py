"""A report as one HTML file that opens from disk and loads nothing.

The scripts of ``assets`` find data in ``data.js`` only and units through ``source.js``, which asks
a server for them where the page names its address (``units_at``).
"""

from __future__ import annotations

from finegrain.analyses.reports.report import Report
from finegrain.table.verdicts import labels_in_use
from finegrain.views.html import shell
from finegrain.views.html.payload import payload
from finegrain.views.html.sections import sections_of
from finegrain.views.html.sections.section import counted

_START = "main.js"


def as_html(report: Report, *, units_at: str | None = None) -> str:
    """The whole page; with the address of a server that has the units, without units."""
    sections = sections_of(report)
    return shell.written(
        shell.Page(
            report.title,
            [*sections[-1].context["facts"], *_facts(report)],
            sections,
            target="instances",
            start=_START,
            data=payload(report, units_at=units_at),
            asking=_asking(units_at),
            given={"report": report, "units_at": units_at},
        )
    )


def page_policy(*, units_at: str | None = None) -> str:
    """What the page may do: run its own scripts; with ``units_at``, also ask its own server."""
    return shell.page_policy(_START, *_asking(units_at))


def _asking(units_at: str | None) -> tuple[str, ...]:
    return () if units_at is None else ("connect-src 'self'",)


def _facts(report: Report) -> list[tuple[int, str]]:
    found = [counted(len(report.systems), "system")]
    labels = len(labels_in_use(report.table))
    return [*found, counted(labels, report.task.words.label)] if labels > 1 else found
