"""The sections of the page of a suite in their order, one file each."""

from __future__ import annotations

from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.views.html.sections.section import Filled, Section, filled
from finegrain.views.html.suite_sections import (
    attributes,
    costs,
    findings,
    improvement,
    method,
    scores,
)

SECTIONS = (
    Section("findings", "Findings", "What matters", findings.context),
    Section("scores", "Scores", "Who is best over all data sets?", scores.context),
    Section("costs", "Score and cost", "Which systems are worth what they cost?", costs.context),
    Section("attributes", "Attributes", "Which properties matter, and where?", attributes.context),
    Section("improvement", "Improvement", "Where does a system gain?", improvement.context),
    Section("method", "Method", "How every number was made", method.context),
)


def sections_of_suite(found: ManyDataSets) -> list[Filled]:
    """The sections that a suite has something for."""
    return filled(SECTIONS, found, "suite/")
