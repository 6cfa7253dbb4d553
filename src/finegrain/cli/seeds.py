"""``finegrain seeds``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from finegrain.cli.analysis import analysis
from finegrain.cli.options import WhereOption

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs


def seeds(
    inputs: Inputs,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", "-m", metavar="METRIC", help="traditional_f1 (spans), accuracy (tags), ..."
        ),
    ] = None,
    correction: Annotated[
        str, typer.Option(metavar="CORRECTION", help="holm, benjamini-hochberg or none.")
    ] = "holm",
    resamples: Annotated[int, typer.Option(min=1, metavar="N", help="Of the items.")] = 1000,
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of the intervals.")] = 0.95,
    seed: Annotated[
        int, typer.Option(min=0, help="Of the resampling: the same seed gives the same digits.")
    ] = 1,
    where: WhereOption = "",
) -> Any:
    """Compare systems that were trained several times, over seeds and items.

    Files named name@seed=path are runs of one system; so are the files of a folder that is given in
    place of a file. Mean, standard deviation and an interval that holds for other seeds and other
    items alike; differences of systems; the expected best run by the number of runs.

    \b
    Example:
      finegrain seeds gold.conll bert@1=crf.conll bert@2=run7.conll crf.conll
      finegrain seeds gold.conll bert@1=crf.conll bert@2=neural.conll --metric fair_f1
    """
    import finegrain as fg
    from finegrain.cli.inputs import load
    from finegrain.cli.learnt_fields import with_learnt
    from finegrain.cli.runs import with_runs

    table = with_learnt(load(with_runs(inputs)), where, inputs)
    return fg.seeds(
        table, metric, where=where,
        correction=correction, resamples=resamples, confidence=confidence, seed=seed,
    )  # fmt: skip


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(analysis(seeds))
