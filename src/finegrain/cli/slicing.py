"""What ``finegrain slices`` searches, from the options it was given."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from finegrain.analyses.trust.slices import Slices, slices
from finegrain.cli.inputs import read_train
from finegrain.cli.learning import learning
from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import progress_console
from finegrain.errors import UsageError
from finegrain.resampling.against_rest import Progress
from finegrain.resampling.max_t import Drawn
from finegrain.table import OutcomeTable


def searched(
    table: OutcomeTable,
    inputs: Inputs,
    pair: str | None,
    system: str | None,
    by: list[str],
    **choices: Any,
) -> Slices:
    """Slices of what --pair or --system name, or of all."""
    if pair is not None and system is not None:
        raise UsageError("--pair compares two systems and --system looks at one: give one of them")
    of = system if pair is None else _two(pair)
    names = names_in(*by)
    train = None if inputs.train is None else read_train(inputs)
    how = learning(table, inputs)
    shown = None if inputs.quiet else _progress(int(choices["resamples"]))
    return slices(table, of, by=names or None, train=train, progress=shown, **choices, **how)


def _two(pair: str) -> tuple[str, str]:
    """``A,B``."""
    names = names_in(pair)
    if len(names) != 2:
        raise UsageError(f"--pair: {pair!r} is not A,B")
    return names[0], names[1]


def _progress(resamples: int) -> Progress | None:
    """A bar on a terminal."""
    if not sys.stderr.isatty():
        return None
    from rich.progress import track

    def shown(drawn: Iterator[Drawn]) -> Iterable[Drawn]:
        return track(
            drawn, "shuffling", total=resamples, console=progress_console(), transient=True
        )

    return shown
