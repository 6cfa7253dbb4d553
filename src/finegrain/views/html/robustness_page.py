"""Robustness as one HTML file that opens from disk and loads nothing.

>>> import finegrain as fg
>>> gold = fg.Corpus.of([["Ada", "slept"]] * 8, tags=[["B-PER", "O"]] * 8)
>>> copy = fg.perturb(gold, "upper")
>>> lost = fg.Corpus.of([["ADA", "SLEPT"]] * 8, tags=[["O", "O"]] * 8)
>>> table = fg.align_perturbed(gold, {"crf": gold}, {"upper": (copy, {"crf": lost})})
>>> page = robustness_as_html(fg.robustness(table, resamples=200, intervals=100))
>>> "<h1>1 system under 1 perturbation</h1>" in page, "<del>Ada slept</del>" in page
(True, True)
"""

from __future__ import annotations

from finegrain.analyses.trust.robustness import Robustness
from finegrain.sizes import sized
from finegrain.views.html.result_page import About, page_of_result
from finegrain.views.html.robustness_sections import sections_of_robustness
from finegrain.views.html.sections.section import counted


def robustness_as_html(found: Robustness) -> str:
    """The whole page."""
    conditions = sized(len(found.conditions), "perturbation")
    title = f"{sized(len(found.systems), 'system')} under {conditions}"
    units = max((drop.n for drop in found.drops), default=0)
    facts = [counted(units, found.task.words.gold_of(1)), counted(*found.sampling[::-1])]
    sections = sections_of_robustness(found)
    about = About(title, facts, target="drops")
    return page_of_result(found, about, sections, name="robustness", command="robustness")
