"""The sections of the page of behavioural tests in their order."""

from __future__ import annotations

from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.views.html.behaviour_sections import biased, failures, method, rates
from finegrain.views.html.sections.section import Filled, Section, filled

SECTIONS = (
    Section("rates", "Failures", "Which capabilities are lacking?", rates.context),
    Section("biased", "Fill-ins", "Do some names or words fail more often?", biased.context),
    Section("cases", "Cases", "What fails", failures.context),
    Section("method", "Method", "How every number was made", method.context,
            "defined_alone.html"),
)  # fmt: skip


def sections_of_behaviour(found: Behaviour) -> list[Filled]:
    """The sections that there is something for."""
    return filled(SECTIONS, found, "behaviour/")
