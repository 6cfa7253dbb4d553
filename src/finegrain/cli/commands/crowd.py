"""``finegrain crowd``."""

from __future__ import annotations

from typing import Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import INTERVALS, OUTPUT, STRICT


@command(
    Argument("LABELS", "One label per row: annotator, item, label, and gold where it is known."),
    Option(
        "--method METHOD",
        "By which labels are aggregated: dawid-skene or vote.",
        default="dawid-skene",
    ),
    Option(
        "--columns COLUMNS", "Columns from 1, or by header name: annotator=1,item=2,label=3,gold=4."
    ),
    STRICT,
    INTERVALS,
    OUTPUT,
)
def crowd(labels: str, columns: str | None, *, strict: bool, quiet: bool, **how: Any) -> Any:
    """Judge the workers of a crowd, and aggregate their labels.

    Each worker against the vote of the others and against gold; one label per item by majority vote
    or by Dawid and Skene's model, with its probability and how far workers disagree. A file that
    ends in .csv holds the aggregated labels, which classification reads as gold.

    \b
    Example:
      finegrain crowd crowd.tsv
      finegrain crowd crowd.tsv -o aggregated.csv
      finegrain score aggregated.csv guess.csv --task classification
    """
    from finegrain.analyses.trust.crowd import crowd as crowd_of
    from finegrain.cli.inputs import parse_columns
    from finegrain.cli.standard_streams import say
    from finegrain.files_read import called
    from finegrain.formats.crowd_labels import read_crowd
    from finegrain.sizes import sized

    called(labels, "labels")
    given = read_crowd(labels, columns=parse_columns(columns), strict=strict)
    if not quiet:
        items, workers = sized(len(given.items), "item"), sized(len(given.workers), "worker")
        say(f"{sized(len(given.label), 'label')}; {items}; {workers}")
    return crowd_of(given, **how)
