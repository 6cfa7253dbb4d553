"""What ``finegrain explore`` does with the table: a report, and a server for its page."""

from __future__ import annotations

import sys
import webbrowser
from typing import Literal

from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.annotate import annotate
from finegrain.attributes.units import Units
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.options import Inputs
from finegrain.cli.output import command_line
from finegrain.cli.reporting import made_report
from finegrain.cli.scoring import with_novelty
from finegrain.cli.standard_streams import say, tell
from finegrain.errors import MissingExtra
from finegrain.explorer.answers import Answers
from finegrain.table import OutcomeTable


def explored(
    table: OutcomeTable,
    inputs: Inputs,
    *,
    title: str | None,
    port: int,
    browser: Literal["open", "leave"],
    seed: int,
) -> None:
    """Serve the page until Ctrl-C."""
    try:
        from finegrain.explorer.server import listening, serve
    except ImportError:
        raise MissingExtra("the explorer", "explore") from None
    with listening(port) as own:  # what cannot be served is told before it is computed
        if not inputs.quiet:
            say(f"running all analyses on {len(table):,} units")
        found = made_report(table, inputs, title=title, instances=max(1, len(table)), seed=seed)
        scores = found.results["score"]
        answers = Answers.of(
            found,
            command=command_line(),
            table=_with_learnt(table, inputs),
            instead={"score": with_novelty(scores, table, inputs)},  # type: ignore[arg-type]  # it is Scores
        )

        def announce(address: str) -> None:
            tell(address)
            sys.stdout.flush()
            if not inputs.quiet:
                say("Ctrl-C ends it")
            if browser == "open" and sys.stdout.isatty():
                webbrowser.open(address)

        serve(answers.paths(), own, announce)


def _with_learnt(table: OutcomeTable, inputs: Inputs) -> OutcomeTable:
    """The table with all attributes that --train tells, which selections may name."""
    if inputs.train is None:
        return table
    learnt = [
        one.name
        for one in ATTRIBUTES.values()
        if one.needs_training and one.applies_to(table.task) and one.name not in table.columns
        if one.level == "unit" or Units(table).are_tokens
    ]
    if not learnt:
        return table
    return annotate(table, learnt, train=read_train(inputs), **learning(table, inputs))
