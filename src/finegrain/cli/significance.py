"""``finegrain significance``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


def significance(
    table: OutcomeTable,
    inputs: Inputs,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", "-m", metavar="METRIC", help="traditional_f1 (spans), accuracy (tags), ..."
        ),
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            metavar="TEST", help="randomisation, bootstrap, mcnemar, sign, wilcoxon or t."
        ),
    ] = "randomisation",
    correction: Annotated[
        str, typer.Option(metavar="CORRECTION", help="holm, benjamini-hochberg or none.")
    ] = "holm",
    assume_independent: Annotated[
        bool,
        typer.Option(
            "--assume-independent",
            help="Sentences and units of a document do not depend on each other.",
        ),
    ] = False,
    detect: Annotated[
        float, typer.Option(metavar="POINTS", help="The difference to tell power for.")
    ] = 0.5,
    resamples: Annotated[int, typer.Option(min=1, metavar="N", help="Of the test.")] = 10_000,
    confidence: Annotated[
        float, typer.Option(metavar="SHARE", help="Of intervals and tests.")
    ] = 0.95,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same digits.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Pairs compared at a time.")] = 1,
    where: WhereOption = "",
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
      finegrain significance gold.conll crf.conll neural.conll --test bootstrap --seed 7
    """
    import finegrain as fg

    return fg.significance(
        table, metric, test=test,  # type: ignore[arg-type]  # checked there
        correction=correction, assume_independent=assume_independent,
        detect=detect / 100, resamples=resamples, confidence=confidence, seed=seed, jobs=jobs,
        where=where,
        progress=None if inputs.quiet else _progress(table.n_systems),
    )  # fmt: skip


def _progress(n_systems: int) -> Callable[[Iterator[Any]], Iterable[Any]] | None:
    """A bar on a terminal when there are many pairs."""
    pairs = n_systems * (n_systems - 1) // 2
    if pairs < 10 or not sys.stderr.isatty():
        return None
    from rich.progress import track

    from finegrain.cli.standard_streams import progress_console

    def shown(compared: Iterator[Any]) -> Iterable[Any]:
        return track(compared, "comparing", total=pairs, console=progress_console(), transient=True)

    return shown


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(significance))
