"""``finegrain score``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, CASE, FOCUS, INTERVALS, WHERE
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs, Output
    from finegrain.table import OutcomeTable


@command(
    Option("-m, --metric METRIC", "Only these, separated by commas.", names=True),
    Option(
        "--weights WEIGHTS",
        "Weights of the weighted scores: ortmann-weighted, fair, or a formula such as "
        "'LE = 0.5 FP + 0.5 FN, BE = 0.5 TP + 0.5 FN'.",
        default="ortmann-weighted",
    ),
    FOCUS,
    Option("--beta NUMBER", "Add F-beta: 0.5 favours precision, 2 recall.", takes=float),
    Option(
        "--schemes",
        "Add the match schemes strict, exact, partial, type (SemEval, MUC) and overlap; JSON "
        "always has them.",
    ),
    Option(
        "--overlap SHARE",
        "Common tokens / all tokens, at least, in the scheme overlap.",
        default=0.5,
    ),
    Option(
        "--by document|COLUMN",
        "Scores for each document, or for each value of a column named in --columns.",
    ),
    WHERE,
    Option(
        "--also-gold GOLD2",
        "Another version of the gold: how scores move and which units moved.",
        file="read",
    ),
    Option(
        "--given TABLE",
        "Saved table of an upstream task (finegrain align): scores where it was right, wrong.",
        file="read",
    ),
    CASE,
    INTERVALS,
    *ANALYSIS,
)
def score(
    table: OutcomeTable,
    inputs: Inputs,
    destination: Output,
    *,
    metric: list[str] | None,
    schemes: bool,
    also_gold: str | None,
    given: str | None,
    fold_case: bool,
    **how: Any,
) -> Any:
    """Score systems, overall and per label.

    Spans get traditional, fair and weighted precision, recall and F1; tags get accuracy,
    sentence accuracy and label scores; items (labels, numbers, answers, rankings ...) the scores
    of their task. Intervals come from resampling documents, else sentences, or items.

    \b
    Example:
      finegrain score gold.conll crf.conll neural=run7.conll
      finegrain score gold.csv svm=svm.csv bert=bert.csv
      finegrain score qrels bm25=run.bm25 --task ranking --metric nDCG@10,AP
      finegrain score gold.conll crf.conll --format json --output scores.json
      finegrain score --columns token=1,gold=2,answer=3 crf.tsv neural.tsv
      finegrain score gold.conll crf.conll --schemes --overlap 0.7 --beta 0.5
      finegrain score gold.conll crf.conll --columns token=1,pos=2,tags=3 --by pos
      finegrain score gold.conll crf.conll --where "label=PER and length>1"
      finegrain score gold.conll crf.conll --train train.conll --baseline gazetteer
    """
    from finegrain.analyses.scores.score import score as scores_of
    from finegrain.cli.output import chosen_format

    refused = {"--by": how["by"], "--schemes": schemes, "--where": how["where"]}
    if given is not None:
        _require_none({**refused, "--also-gold": also_gold}, inputs, "--given")
        return _downstream(table, given, metric, how)
    if also_gold is not None:
        _require_none(refused, inputs, "--also-gold")
        return _against_both(table, inputs, also_gold, metric, how)
    if "schemes" in table.task.choices and not metric and chosen_format(destination) == "json":
        schemes = True
    scores = scores_of(table, metric, schemes=("all",) if schemes else (), **how)
    if inputs.train is None:
        return scores
    from finegrain.analyses.restricting import restrict
    from finegrain.cli.learning import with_novelty

    return with_novelty(scores, restrict(table, how["where"]), inputs, fold_case=fold_case)


def _require_none(given: dict[str, Any], inputs: Inputs, shown: str) -> None:
    """What is not shown with ``--also-gold`` and ``--given``."""
    learns = bool(inputs.baseline)  # which is what training data are good for here
    for option, value in {**given, "--train": None if learns else inputs.train}.items():
        if value:
            raise UsageError(f"{option} is not shown with {shown}: ask for it by itself")


def _downstream(
    table: OutcomeTable, given: str, metrics: list[str] | None, how: dict[str, Any]
) -> Any:
    """Scores where an upstream output, which is a saved table, was right and where it was wrong."""
    from finegrain.analyses.explain.extrinsic import extrinsic
    from finegrain.files_read import called, record
    from finegrain.table.storage import load as load_table

    if metrics and len(metrics) > 1:
        raise UsageError("--given takes one metric: name it with --metric")
    upstream = load_table(given)
    called(given, "given")
    record(given)
    drawn = {name: how[name] for name in ("intervals", "confidence", "seed")}
    return extrinsic(table, upstream, metrics[0] if metrics else None, **drawn)


def _against_both(
    table: OutcomeTable,
    inputs: Inputs,
    also_gold: str,
    metrics: list[str] | None,
    how: dict[str, Any],
) -> Any:
    """Scores against two versions of the gold."""
    from finegrain.analyses.scores.gold_change import gold_change
    from finegrain.analyses.scores.score import score as scores_of
    from finegrain.cli.inputs import align_as, load, parse_columns, parse_system, read_one
    from finegrain.metrics.options import DEFAULT_WEIGHTS

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
    wanted = {name: how[name] for name in ("weights", "focus", "beta")}
    one, two = (scores_of(which, metrics, **wanted) for which in (table, second))
    also = ("weighted_f1",) if how["weights"] != DEFAULT_WEIGHTS and metrics is None else ()
    return gold_change(table, second, between, (one, two), also=also)
