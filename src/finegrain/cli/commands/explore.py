"""``finegrain explore``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, SEED, TITLE

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    TITLE,
    Option("--port N", "Of this computer; 0: one that is free.", default=0, least=0, most=65_535),
    Option("--browser/--no-browser", "On a terminal, open the web browser.", default=True),
    SEED,
    *without(ANALYSIS, "format", "output"),
    records=True,
)
def explore(table: OutcomeTable, inputs: Inputs, port: int, *, browser: bool, **how: Any) -> None:
    """Look at everything in the web browser, however much it is.

    The page of the report, with all units: a server on this computer answers it, at an address that
    is printed and that nobody else can know. Ctrl-C ends it. Nothing is written.

    \b
    Example:
      finegrain explore table.parquet
      finegrain explore gold.conll crf.conll neural.conll --train train.conll --no-browser
    """
    from finegrain.cli.standard_streams import say
    from finegrain.errors import MissingExtra

    try:
        from finegrain.explorer.server import listening, serve
    except ImportError:
        raise MissingExtra("the explorer", "explore") from None
    with listening(port) as own:  # what cannot be served is told before it is computed
        if not inputs.quiet:
            say(f"running all analyses on {len(table):,} units")
        paths = _paths(table, inputs, how)
        serve(paths, own, lambda address: _announce(address, inputs, browser=browser))


def _paths(table: OutcomeTable, inputs: Inputs, how: dict[str, Any]) -> Any:
    """What the server answers: a report of all units."""
    from finegrain.analyses.reports.report import report
    from finegrain.cli.learning import learning, train_of, with_novelty
    from finegrain.cli.output import command_line
    from finegrain.explorer.answers import Answers

    how |= {"train": train_of(inputs), "instances": max(1, len(table))}
    found = report(table, **how, **learning(table, inputs))
    scores: Any = found.results["score"]
    instead: Any = {"score": with_novelty(scores, table, inputs)}
    whole = _with_learnt(table, inputs)
    return Answers.of(found, command=command_line(), table=whole, instead=instead).paths()


def _announce(address: str, inputs: Inputs, *, browser: bool) -> None:
    import webbrowser

    from finegrain.cli.standard_streams import say, tell

    tell(address)
    sys.stdout.flush()
    if not inputs.quiet:
        say("Ctrl-C ends it")
    if browser and sys.stdout.isatty():
        webbrowser.open(address)


def _with_learnt(table: OutcomeTable, inputs: Inputs) -> OutcomeTable:
    """The table with all attributes that --train tells, which selections may name."""
    from finegrain.attributes import ATTRIBUTES
    from finegrain.attributes.annotate import annotate
    from finegrain.attributes.units import Units
    from finegrain.cli.learning import learning, train_of

    train = train_of(inputs)
    if train is None:
        return table
    learnt = [
        one.name
        for one in ATTRIBUTES.values()
        if one.needs_training and one.applies_to(table.task) and one.name not in table.columns
        if one.level == "unit" or Units(table).are_tokens
    ]
    return annotate(table, learnt, train=train, **learning(table, inputs)) if learnt else table
