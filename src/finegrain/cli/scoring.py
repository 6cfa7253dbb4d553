"""What ``finegrain score`` computes, from the options it was given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from finegrain import api
from finegrain.analyses.gold_change import gold_change
from finegrain.analyses.novelty import novelty
from finegrain.analyses.result import Result
from finegrain.analyses.seen_and_unseen import SeenAndUnseen
from finegrain.cli.inputs import align_as, load, parse_columns, read_one, read_train
from finegrain.cli.learning import learning
from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.recipes import metrics_for
from finegrain.table import OutcomeTable


def scored(table: OutcomeTable, inputs: Inputs, metrics: list[str] | None, **wanted: Any) -> Result:
    """Scores; with training data also what of the gold was seen there."""
    scores = api.score(table, metrics, **wanted)
    if inputs.train is None:
        return scores
    how = learning(table, inputs)
    return SeenAndUnseen(scores, novelty(table, read_train(inputs), **how))


def against_both(table: OutcomeTable, inputs: Inputs, also_gold: str) -> Result:
    """Scores against two versions of the gold."""
    columns = parse_columns(inputs.columns)
    if len(inputs.files) < 2 or (columns is not None and "answer" in columns):
        raise UsageError("--also-gold needs a gold file and system files of their own")
    quiet = replace(inputs, quiet=True)
    second = load(replace(quiet, files=[also_gold, *inputs.files[1:]]))
    gold = parse_columns(inputs.gold_columns) or columns
    first, other = (read_one(path, inputs, gold) for path in (inputs.files[0], also_gold))
    between = align_as(first, iter([("second", other)]), replace(quiet, baseline=None), table.task)
    return gold_change(table, second, between, metrics_for(table.task))
