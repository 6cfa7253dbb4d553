"""Method: the signature, what every number means, notes."""

from __future__ import annotations

from finegrain.analyses.trust.behaviour import Behaviour
from finegrain.table.task import Definition
from finegrain.views.html.sections.section import Context
from finegrain.views.literature import cited

_DEFINITIONS = (
    Definition(
        "MFT, INV, DIR", "Minimum functionality: the answer is given. Invariance: versions of a "
        "text are answered in the same way. Directional expectation: the answer moves as stated "
        "when the text changes.", "Ribeiro et al. 2020",
    ),
    Definition(
        "Failing case", "A text, or a text with its versions, to one of which the answer is not as "
        "it should be.", "",
    ),
    Definition(
        "Interval", "Exact interval of a proportion: cases are drawn one by one from the "
        "combinations of their templates, and it holds for all of these.",
        "Clopper and Pearson 1934",
    ),
    Definition(
        "Biased fill-in", "A value of a slot, or a group of values, whose inputs fail more often "
        "than the others of the test: Fisher's exact test, Holm-corrected for all values and "
        "systems.", "Holm 1979",
    ),
)  # fmt: skip


def context(found: Behaviour) -> Context:
    return {
        "signature": found.signature,
        "definitions": _DEFINITIONS,
        "sources": cited(one.source for one in _DEFINITIONS),
        "notes": found.notes,
    }
