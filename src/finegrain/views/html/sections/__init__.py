"""The sections of the page in their order, one file each; one without its result is left out."""

from __future__ import annotations

from finegrain.analyses.reports.report import Report
from finegrain.views.html.sections import (
    attributes,
    differences,
    difficulty,
    errors,
    findings,
    graded,
    instances,
    method,
    oracle,
    scores,
    studies,
)
from finegrain.views.html.sections.section import Filled, Section, filled

SECTIONS = (
    Section("findings", "Findings", "What matters", findings.context),
    Section("scores", "Scores", "Who is best, and is that certain?", scores.context),
    Section("errors", "Errors", "What kind of mistakes?", errors.context),
    Section("differences", "Differences", "Who is right when they disagree?", differences.context),
    Section("difficulty", "Difficulty", "What is hard, and for whom?", difficulty.context),
    Section("difficulty", "Difficulty", "What is hard, and for whom?", graded.difficulty_context,
            graded.TEMPLATE),
    Section("oracle", "Oracle", "What could they reach together?", oracle.context),
    Section("oracle", "Oracle", "What could they reach together?", graded.oracle_context,
            graded.TEMPLATE),
    Section("attributes", "Attributes", "Which properties make it hard?", attributes.context),
    Section("instances", "Instances", "The units behind the numbers", instances.context),
    Section("method", "Method", "How every number was made", method.context),
)  # fmt: skip


def sections_of(report: Report) -> list[Filled]:
    """The sections that a report has something for; studies stand before the instances."""
    sections = filled(SECTIONS, report)
    before = [section.name for section in sections].index("instances")
    return [*sections[:before], *studies.studies_of(report), *sections[before:]]
