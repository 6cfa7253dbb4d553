"""From file names to what annotators did: corpora of one text, or a table of labels."""

from __future__ import annotations

from dataclasses import fields, replace

from finegrain.cli.inputs import load, parse_system
from finegrain.cli.options import Inputs
from finegrain.cli.saved_table import is_saved_table
from finegrain.cli.standard_streams import say
from finegrain.errors import UsageError
from finegrain.formats.label_table import LONG, read_ratings
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.table.ratings import Ratings

_FITS = ("files", "columns", "quiet", "strict")  # what may be said of a table of labels


def annotated(inputs: Inputs, *, counts: bool | None = None) -> tuple[OutcomeTable | Ratings, str]:
    """What annotators did, and the name of the first one."""
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
    for one in fields(inputs):
        if one.name not in _FITS and getattr(inputs, one.name) != one.default:
            raise UsageError(
                f"--{one.name.replace('_', '-')} does not apply to a table of labels; to compare "
                "annotators who have a file each, give two files or more"
            )
    found = read_ratings(path, columns=parse_label_columns(inputs.columns), counts=counts)
    if not inputs.quiet:
        annotators = sized(len(found.annotators), "annotator")
        what = "counts" if counts else "labels"
        said = f"table of {what}; {sized(len(found), 'item')}; {annotators}"
        missing = int((found.codes < 0).sum())
        say(said + (f"; {sized(missing, 'label')} missing" if missing else ""))
    return found


def parse_label_columns(text: str | None) -> dict[str, int | str] | None:
    """``annotator=1,item=2,label=3``; numbers count from 1, other values are names.

    >>> parse_label_columns("annotator=worker,item=2,label=3")
    {'annotator': 'worker', 'item': 2, 'label': 3}
    """
    if text is None:
        return None
    pairs = [[piece.strip() for piece in part.partition("=")] for part in text.split(",")]
    if sorted(name for name, _, _ in pairs) != sorted(LONG) or not all(one[2] for one in pairs):
        raise UsageError("--columns of a table of labels: as in annotator=1,item=2,label=3")
    return {name: int(value) if value.isdecimal() else value for name, _, value in pairs}
