"""What ``finegrain describe`` reads and computes."""

from __future__ import annotations

from typing import NamedTuple

from finegrain.analyses.explain.description import Description, describe
from finegrain.attributes.training import Reading
from finegrain.cli.attribute_files import joined
from finegrain.cli.inputs import align_as, parse_columns, read_one, read_train, task_of
from finegrain.cli.learning import as_chosen, as_decided
from finegrain.cli.name_lists import names_in
from finegrain.cli.options import Inputs
from finegrain.cli.output import emit
from finegrain.cli.saved_table import is_called_like_one, saved_table
from finegrain.cli.standard_streams import say
from finegrain.corpus.tag_schemes import POLICIES
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.formats.source import TableGiven
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.doubts import require_no_doubt

__all__ = ["Wanted", "described", "emit"]


class Wanted(NamedTuple):
    """What --by, --attribute, --context and --examples say."""

    by: list[str]
    files: list[str]
    context: int
    examples: int


def described(inputs: Inputs, wanted: Wanted, *, fold_case: bool) -> Description:
    """Read the gold file and describe it."""
    table, reading = _table(inputs)
    if inputs.strict:
        require_no_doubt(table)
    names = names_in(*wanted.by)
    table, own = joined(table, wanted.files)
    names += [name for name in own if name not in names]
    return describe(
        table,
        names or None,
        train=None if inputs.train is None else read_train(inputs),
        fold_case=fold_case,
        context=wanted.context,
        examples=wanted.examples,
        **reading,
    )


def _table(inputs: Inputs) -> tuple[OutcomeTable, Reading]:
    """The table of the only file, and how training data are read beside it.

    A gold file is opened once: only its name, or what is in it, leads to a saved table.
    """
    table = saved_table(inputs) if is_called_like_one(inputs.files[0]) else None
    if table is None:
        try:
            return _gold(inputs), as_chosen(inputs)
        except TableGiven:
            table = saved_table(inputs)
            if table is None:  # options say that it is none
                raise
    return table, as_decided(table, inputs)


def _gold(inputs: Inputs) -> OutcomeTable:
    if inputs.policy not in POLICIES:
        raise UsageError.unknown("policy", inputs.policy, POLICIES)
    gold = read_one(inputs.files[0], inputs, parse_columns(inputs.columns))
    called(inputs.files[0], "gold")
    task = task_of(gold, inputs)
    if not inputs.quiet:
        how = "given" if inputs.task else "recognised"
        size = sized(gold.n_sentences, task.words.place)
        say(f"format {gold.format}; task {task} ({how}); {size}")
    return align_as(gold, iter(()), inputs, task)
