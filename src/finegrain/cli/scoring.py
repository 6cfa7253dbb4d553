"""What ``finegrain score`` computes, from the options it was given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from finegrain.analyses.restricting import restrict
from finegrain.analyses.result import Result
from finegrain.analyses.scores.score import Scores, score
from finegrain.cli.inputs import align_as, load, parse_columns, parse_system, read_one, read_train
from finegrain.cli.options import Inputs
from finegrain.errors import UsageError
from finegrain.metrics.options import DEFAULT_WEIGHTS
from finegrain.table import OutcomeTable


def scored(
    table: OutcomeTable,
    inputs: Inputs,
    metrics: list[str] | None,
    *,
    fold_case: bool = True,
    **wanted: Any,
) -> Result:
    """Scores; with training data also what of the gold was seen there."""
    scores = score(table, metrics, **wanted)
    part = restrict(table, wanted.get("where", ""))
    return with_novelty(scores, part, inputs, fold_case=fold_case)


def with_novelty(
    scores: Scores, table: OutcomeTable, inputs: Inputs, *, fold_case: bool = True
) -> Result:
    """The same scores, with training data also those of what was seen there and what was not."""
    if inputs.train is None:
        return scores
    from finegrain.analyses.explain.novelty import novelty
    from finegrain.analyses.explain.seen_and_unseen import SeenAndUnseen
    from finegrain.cli.learning import learning

    how = learning(table, inputs)
    return SeenAndUnseen(scores, novelty(table, read_train(inputs), fold_case=fold_case, **how))


def downstream(table: OutcomeTable, given: str, metrics: list[str], **wanted: Any) -> Result:
    """Scores where an upstream output, which is a saved table, was right and where it was wrong."""
    from finegrain.analyses.explain.extrinsic import extrinsic
    from finegrain.files_read import called, record
    from finegrain.table.storage import load as load_table

    if len(metrics) > 1:
        raise UsageError("--given takes one metric: name it with --metric")
    upstream = load_table(given)
    called(given, "given")
    record(given)
    return extrinsic(table, upstream, metrics[0] if metrics else None, **wanted)


def require_no_others(inputs: Inputs, given: dict[str, Any], shown: str = "--also-gold") -> None:
    """What ``--also-gold`` and ``--given`` do not show."""
    learns = bool(inputs.baseline)  # which is what training data are good for here
    for option, value in {**given, "--train": None if learns else inputs.train}.items():
        if value:
            raise UsageError(f"{option} is not shown with {shown}: ask for it by itself")


def against_both(
    table: OutcomeTable, inputs: Inputs, also_gold: str, metrics: list[str] | None, **wanted: Any
) -> Result:
    """Scores against two versions of the gold."""
    from finegrain.analyses.scores.gold_change import gold_change

    if "-" in (also_gold, *(parse_system(argument).path for argument in inputs.files)):
        raise UsageError("--also-gold reads files twice: standard input (-) cannot be")
    columns = parse_columns(inputs.columns)
    if len(inputs.files) < 2 or (columns is not None and "answer" in columns):
        raise UsageError("--also-gold needs a gold file and system files of their own")
    quiet = replace(inputs, quiet=True)
    gold = parse_columns(inputs.gold_columns) or columns
    first, other = (read_one(path, inputs, gold) for path in (inputs.files[0], also_gold))
    between = align_as(first, iter([("second", other)]), replace(quiet, baseline=None), table.task)
    second = load(replace(quiet, files=[also_gold, *inputs.files[1:]]))
    one, two = (score(which, metrics, **wanted) for which in (table, second))
    also = ("weighted_f1",) if wanted["weights"] != DEFAULT_WEIGHTS and metrics is None else ()
    return gold_change(table, second, between, (one, two), also=also)
