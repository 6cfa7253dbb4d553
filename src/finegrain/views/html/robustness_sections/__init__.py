"""The sections of the page of robustness in their order."""

from __future__ import annotations

from finegrain.analyses.trust.robustness import Robustness
from finegrain.views.html.robustness_sections import drops, method, units, weak
from finegrain.views.html.sections.section import Filled, Section, filled

SECTIONS = (
    Section("drops", "Drops", "What does each perturbation cost?", drops.context),
    Section("weak", "Where it hurts", "Which labels and buckets lose?", weak.context),
    Section("units", "Units", "What broke, and what was changed", units.context),
    Section("method", "Method", "How every number was made", method.context,
            "defined_alone.html"),
)  # fmt: skip


def sections_of_robustness(found: Robustness) -> list[Filled]:
    """The sections that there is something for."""
    return filled(SECTIONS, found, "robustness/")
