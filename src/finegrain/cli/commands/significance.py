"""``finegrain significance``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, CONFIDENCE, CORRECTION, METRIC, RESAMPLES, SEED, WHERE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    METRIC,
    Option(
        "--test TEST",
        "randomisation, bootstrap, mcnemar, sign, wilcoxon or t.",
        default="randomisation",
    ),
    CORRECTION,
    Option(
        "--assume-independent", "Sentences and units of a document do not depend on each other."
    ),
    Option("--detect POINTS", "The difference to tell power for.", default=0.5),
    Option(
        "--margin POINTS",
        "Differences below it do not matter: says which pairs are equivalent.",
        takes=float,
    ),
    RESAMPLES,
    CONFIDENCE,
    SEED,
    Option("--jobs N", "Pairs compared at a time.", default=1, least=1),
    WHERE,
    *ANALYSIS,
)
def significance(
    table: OutcomeTable, inputs: Inputs, detect: float, margin: float | None, **how: Any
) -> Any:
    """Test which systems differ by more than chance.

    All pairs with corrected p, intervals and effect sizes; groups of systems that cannot be told
    apart; the ranks each may have; the difference that this test set can show. Documents are
    exchanged or drawn, sentences where there are no documents.

    \b
    Example:
      finegrain significance gold.conll crf.conll neural.conll
      finegrain significance gold.conll crf.conll neural.conll --metric fair_f1 --format latex
      finegrain significance gold.conll crf.conll neural.conll --where "label=PER"
      finegrain significance gold.conll crf.conll neural.conll --margin 1
      finegrain significance gold.conll crf.conll neural.conll --test bootstrap --seed 7
    """
    import finegrain as fg
    from finegrain.cli.standard_streams import progress_bar

    pairs = table.n_systems * (table.n_systems - 1) // 2
    shown = progress_bar("comparing", pairs) if pairs >= 10 and not inputs.quiet else None
    margin = None if margin is None else margin / 100
    return fg.significance(table, detect=detect / 100, margin=margin, progress=shown, **how)
