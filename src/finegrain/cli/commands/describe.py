"""``finegrain describe``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Group, Option
from finegrain.cli.options import ATTRIBUTE, BY, CASE, LABELS, OUTPUT, READING, TRAIN
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.attributes.training import Reading
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable


@command(
    Argument("GOLD", "The gold file, or a table saved by align."),
    BY,
    ATTRIBUTE,
    Option(
        "--context N",
        "Words on either side that must be the same where labels are compared.",
        default=1,
        least=0,
    ),
    Option("--examples N", "Inconsistent contexts shown.", default=10, least=0),
    CASE,
    READING.only(
        "task", "input", "columns", "header", "comment", "scheme", "policy", "layer", "strict"
    ),
    LABELS.only("map", "labels", "exclude"),
    Group("Training data", (TRAIN,)),
    OUTPUT,
)
def describe(inputs: Inputs, by: list[str] | None, own: list[str] | None, **how: Any) -> Any:
    """Describe a data set without any system: sizes, attributes, labels, lengths, overlap.

    With --train also what of it the training data show: sentences that stand in both, surfaces
    seen and unseen, unknown words. Labels are inconsistent where the same words in the same context
    have different labels.

    \b
    Example:
      finegrain describe gold.conll --train train.conll
      finegrain describe gold.conll --by entity_length,label --context 2
    """
    from finegrain.analyses.explain.description import describe as description_of
    from finegrain.cli.attribute_files import named
    from finegrain.cli.learning import train_of
    from finegrain.table.doubts import require_no_doubt

    table, reading = _table(inputs)
    if inputs.strict:
        require_no_doubt(table)
    table, names = named(table, by, own)
    return description_of(table, names, train=train_of(inputs), **how, **reading)


def _table(inputs: Inputs) -> tuple[OutcomeTable, Reading]:
    """The table of the only file, and how training data are read beside it.

    A gold file is opened once: only its name, or what is in it, leads to a saved table.
    """
    from finegrain.cli.learning import as_chosen, as_decided
    from finegrain.cli.saved_table import is_called_like_one, saved_table
    from finegrain.formats.source import TableGiven

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
    from finegrain.cli.inputs import align_as, parse_columns, read_one, task_of
    from finegrain.cli.standard_streams import say
    from finegrain.corpus.tag_schemes import POLICIES
    from finegrain.files_read import called
    from finegrain.sizes import sized

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
