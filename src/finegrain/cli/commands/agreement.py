"""``finegrain agreement``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command, without
from finegrain.cli.option import Option
from finegrain.cli.options import ANALYSIS, INTERVALS
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.table import OutcomeTable
    from finegrain.table.ratings import Ratings

_FITS = ("files", "columns", "quiet", "strict")  # what may be said of a table of labels


@command(
    Option(
        "--system NAME",
        "This annotator is a system, the others are people; may be repeated, or A,B.",
        names=True,
    ),
    Option(
        "--counts/--no-counts",
        "The file is a square table of counts: how often one annotator says i (lines) where the "
        "other says j (columns); or it is none, though it looks like one.",
    ),
    Option(
        "--scale SCALE",
        "Of labels: nominal, ordinal, interval or ratio; adds weighted kappas and alpha.",
        default="nominal",
    ),
    Option("--order LOW,...,HIGH", "Labels of the ordinal scale, low to high.", names=True),
    INTERVALS,
    *without(ANALYSIS, "names", "train", "baseline", "vote"),
)
def agreement(inputs: Inputs, system: list[str] | None, counts: bool | None, **how: Any) -> Any:
    """Measure how far annotators agree: one file each, or one table of labels.

    Percent, kappas and Krippendorff's alpha of labels; pairwise F1 and token-level kappas of spans;
    all together, two by two and by label. Systems can stand beside people, whose agreement is
    their ceiling. No file is the gold standard here. One file alone is a table: a column per
    annotator, or the columns annotator, item and label, or a square of counts.

    \b
    Example:
      finegrain agreement crf.conll neural.conll
      finegrain agreement ann=gold.conll ben=neural.conll crf.conll --system crf
      finegrain agreement labels.tsv --scale ordinal
      finegrain agreement judges.tsv --counts
    """
    from finegrain.analyses.trust.agreement import agreement as agreement_of

    given, first = _annotated(inputs, counts)
    return agreement_of(given, first=first, systems=system or [], **how)


def _annotated(inputs: Inputs, counts: bool | None) -> tuple[OutcomeTable | Ratings, str]:
    """What annotators did, and the name of the first one."""
    from finegrain.cli.inputs import load, parse_system
    from finegrain.cli.saved_table import is_saved_table

    first = parse_system(inputs.files[0])
    side_by_side = "answer=" in (inputs.columns or "").replace(" ", "")
    if len(inputs.files) > 1 or side_by_side or is_saved_table(first.path):
        if counts is not None:
            raise UsageError("--counts is about a table of labels, which is given alone")
        paths = inputs.files if side_by_side else [first.path, *inputs.files[1:]]
        name = "gold" if side_by_side or is_saved_table(first.path) else first.name
        return load(replace(inputs, files=paths), first=name), name
    return _labels(inputs, first.path, counts), first.name


def _labels(inputs: Inputs, path: str, counts: bool | None) -> Ratings:
    """A table of labels."""
    from finegrain.cli.standard_streams import say
    from finegrain.formats.label_table import read_ratings
    from finegrain.sizes import sized

    for one in fields(inputs):
        if one.name not in _FITS and getattr(inputs, one.name) != one.default:
            raise UsageError(
                f"--{one.name.replace('_', '-')} does not apply to a table of labels; to compare "
                "annotators who have a file each, give two files or more"
            )
    found = read_ratings(path, columns=_columns(inputs.columns), counts=counts)
    if not inputs.quiet:
        annotators = sized(len(found.annotators), "annotator")
        what = "counts" if counts else "labels"
        said = f"table of {what}; {sized(len(found), 'item')}; {annotators}"
        missing = int((found.codes < 0).sum())
        say(said + (f"; {sized(missing, 'label')} missing" if missing else ""))
    return found


def _columns(text: str | None) -> dict[str, int | str] | None:
    """``annotator=1,item=2,label=3``; numbers count from 1, other values are names.

    >>> _columns("annotator=worker,item=2,label=3")
    {'annotator': 'worker', 'item': 2, 'label': 3}
    """
    from finegrain.formats.label_table import LONG

    if text is None:
        return None
    pairs = [[piece.strip() for piece in part.partition("=")] for part in text.split(",")]
    if sorted(name for name, _, _ in pairs) != sorted(LONG) or not all(one[2] for one in pairs):
        raise UsageError("--columns of a table of labels: as in annotator=1,item=2,label=3")
    return {name: int(value) if value.isdecimal() else value for name, _, value in pairs}
