"""Method: the signature, what every number means, notes."""

from __future__ import annotations

from finegrain.analyses.reports.facts import metric_words
from finegrain.analyses.trust.robustness import Robustness
from finegrain.table.task import Definition
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import first_upper
from finegrain.views.literature import cited


def context(found: Robustness) -> Context:
    metric = found.metric
    told = (
        Definition(first_upper(metric_words(metric)), f"{first_upper(metric.summary)}.", ""),
        Definition(
            "Change", "Score on the perturbed copy less that on the original, of the same system "
            "on the same units; the interval is the percentile interval of paired resamples, "
            "widened for few of them.", "Hesterberg 2015",
        ),
        Definition(
            "p", "Paired randomisation test of no change, corrected for all systems and copies.",
            "Yeh 2000; Holm 1979",
        ),
        Definition(
            "Broken, fixed", "Gold units that were right and are not any more; that were wrong and "
            "are right.", "",
        ),
        Definition(
            "Consistent", "The share of gold units that are answered in the same way; where the "
            "right answer changes, that are right both times.", "Gardner et al. 2020",
        ),
        Definition(
            "Where it hurts", "Slices of the gold units that lose, tested all at once, only for "
            "copies that hurt, at a level that is divided by all systems and copies.", "",
        ),
    )  # fmt: skip
    return {
        "signature": found.signature,
        "definitions": told,
        "sources": cited(one.source for one in told),
        "notes": found.notes,
    }
