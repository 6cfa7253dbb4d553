"""``finegrain report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, FIGURE_FORMAT, FIGURES, SEED, TITLE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    TITLE,
    Option(
        "--instances N",
        "Units that the page holds at most; they cover every number.",
        default=5_000,
        least=1,
    ),
    FIGURES,
    FIGURE_FORMAT,
    SEED,
    *ANALYSIS,
)
def report(
    table: OutcomeTable, inputs: Inputs, figures: str | None, figure_format: str, **how: Any
) -> Any:
    """Run all analyses and write one page with everything.

    With -o report.html, one file that opens from disk and loads nothing from anywhere: findings,
    scores, errors, differences, difficulty, oracle, attributes, and the units behind every number.
    Without it, or with another suffix, what was found as text.

    \b
    Example:
      finegrain report gold.conll crf.conll neural.conll --train train.conll -o report.html
      finegrain report gold.conll crf.conll neural.conll -o report.html --figures figures
    """
    from finegrain.analyses.reports.report import report as report_of
    from finegrain.cli.learning import learning, train_of

    found = report_of(table, train=train_of(inputs), **how, **learning(table, inputs))
    if figures is not None:
        from finegrain.cli.figures import write_figures
        from finegrain.views.charts import charts_of

        write_figures(charts_of(found), figures, figure_format)
    return found
