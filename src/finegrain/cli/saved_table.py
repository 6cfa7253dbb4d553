"""A saved table where GOLD SYSTEM... is expected."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from finegrain.cli.label_options import label_rules
from finegrain.cli.level import task_at
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import say
from finegrain.corpus import LAYER
from finegrain.errors import UsageError
from finegrain.files_read import called, record, remember
from finegrain.formats.source import PARQUET, is_a_table
from finegrain.formats.standard_input import STANDARD_INPUT, stdin
from finegrain.sizes import sized
from finegrain.table import OutcomeTable

# these say nothing of gold and systems
_ANY_TIME = ("files", "quiet", "strict", "train", "vote", "level")
_OF_FILES = ("input", "columns", "gold_columns", "header", "comment")  # also of --train


def saved_table(inputs: Inputs) -> OutcomeTable | None:
    """The table, if the user gave one, alone."""
    if not is_given(inputs):
        return None
    from finegrain.table.storage import load

    path = inputs.files[0]
    table = load(path)
    called(path, "table")
    record(path)
    remember(table.inputs)
    _require_no_contradiction(table, inputs)
    if not inputs.quiet:
        size = f"{sized(table.corpus.n_sentences, 'sentence')}; {sized(len(table), 'unit')}"
        systems = ", ".join(table.systems)
        say(f"saved table; task {table.task}; {size}; systems {systems}")
    return table


def is_given(inputs: Inputs) -> bool:
    """Whether the only file is a saved table, or called like one: reading it says why it is none.

    Who reads several files meets a table among them, so that no file is opened for this alone.
    """
    if len(inputs.files) > 1 or "answer=" in (inputs.columns or ""):
        return False
    path = inputs.files[0]
    if path == "-" and stdin().peek(1).startswith(PARQUET):
        raise is_a_table(STANDARD_INPUT)
    return is_saved_table(path) or is_called_like_one(path)


def is_called_like_one(path: str) -> bool:
    """Whether the name alone says that a file is a saved table."""
    return Path(path).suffix.lower() == ".parquet"


def is_saved_table(path: str) -> bool:
    """Whether a path leads to a Parquet file; pipes are not touched."""
    if not Path(path).is_file():
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(PARQUET)) == PARQUET
    except OSError:
        return False  # whoever reads it says why it cannot be read


def _require_no_contradiction(table: OutcomeTable, inputs: Inputs) -> None:
    """What was decided in alignment cannot be chosen now; saying the same again is fine."""
    wanted = task_at(table.task, inputs.level)
    if wanted.name != table.task.name:
        raise UsageError(
            f"--level {inputs.level} needs a table of {wanted}, and this is one of {table.task}: "
            f"finegrain align GOLD SYSTEM... --task {wanted}"
        )
    decided: dict[str, str | bool] = {"task": table.task.name, "layer": LAYER, **table.settings}
    decided["by_characters"] = table.settings.get("text") == "characters"
    again = label_rules(inputs).signature()
    for one in fields(inputs):
        given = again.get(one.name, getattr(inputs, one.name))
        if one.name in _ANY_TIME or given in (one.default, decided.get(one.name)):
            continue
        if inputs.train is None or one.name not in _OF_FILES:
            option = one.name.replace("_", "-")
            was = f" ({decided[one.name]})" if one.name in decided else ""
            raise UsageError(
                f"--{option}: decided when the table was made{was}. Give it to finegrain align."
            )
