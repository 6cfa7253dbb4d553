"""Options that commands share, declared once, and what the user said with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

LAYER = "tags"  # as in finegrain.corpus, which takes time to import
GoldArgument = Annotated[
    str,
    typer.Argument(
        metavar="GOLD",
        help="The gold file, a table saved by align, or a 0/1 table of units and systems; - is "
        "standard input. With gold and answer in --columns every file is a system and there is no "
        "gold file.",
        show_default=False,
    ),
]
SystemsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SYSTEM",
        help="One file per system; name=path names it, otherwise the file does.",
        show_default=False,
    ),
]
TaskOption = Annotated[
    str | None,
    typer.Option(
        "--task",
        "-t",
        metavar="TASK",
        help="spans, tags, classification ...: finegrain list tasks has all; found out if certain.",
    ),
]
InputOption = Annotated[
    str | None,
    typer.Option("--input", metavar="FORMAT", help="Format of the files; found out by content."),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Columns from 1, or by header name: token=1,tags=4; or gold and answer side by side "
        "in each file: token=1,gold=2,answer=3; or trees: token=2,head=7,deprel=8; of items: "
        "id=1,label=3. Default: token first, tags last.",
    ),
]
GoldColumnsOption = Annotated[
    str | None,
    typer.Option(metavar="COLUMNS", help="Columns of the gold file, if others than --columns."),
]
HeaderOption = Annotated[
    str,
    typer.Option(metavar="auto|yes|no", help="Whether the first line names the columns."),
]
NamesOption = Annotated[
    str | None,
    typer.Option("--names", metavar="A,B", help="Systems of a 0/1 table without a header."),
]
CommentOption = Annotated[
    str | None, typer.Option(metavar="PREFIX", help="Lines that begin so are comments.")
]
SchemeOption = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEME",
        help="iob1, iob2, ioe1, ioe2, bioes, bilou, bmes, bmewo or io; detected from the gold "
        "tags.",
    ),
]
PolicyOption = Annotated[
    str,
    typer.Option(
        metavar="POLICY", help="What to do with ill-formed tags: conlleval, discard or error."
    ),
]
LayerOption = Annotated[
    str,
    typer.Option(metavar="LAYER", help="Annotation to score, e.g. upos, xpos, feats (CoNLL-U)."),
]
MapOption = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="OLD=NEW", help="Rename a label everywhere; may be repeated."),
]
LabelsOption = Annotated[
    str | None,
    typer.Option(
        "--labels", metavar="A,B", help="Score only these labels; quotes around one with a comma."
    ),
]
SchemaOption = Annotated[
    str | None,
    typer.Option(
        "--label-schema",
        metavar="A,B|FILE",
        help="All labels that items can have, or a file with one per line: any other label is an "
        "error.",
    ),
]
ExcludeOption = Annotated[
    str | None, typer.Option("--exclude", metavar="A,B", help="Leave out these labels.")
]
CharactersOption = Annotated[
    bool,
    typer.Option(
        "--by-characters",
        help="Systems may be tokenised differently: put their spans on the gold tokens "
        "character by character (always done for running text).",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="An option of the task: match=head (coreference), subtypes=keep (dependencies); "
        "finegrain list tasks NAME has all. May be repeated.",
    ),
]
MissingOption = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="wrong|skip",
        help="Items that a system does not answer: count them as wrong, or leave them out for all "
        "systems; without this, they are an error.",
    ),
]
RepeatsOption = Annotated[
    str | None,
    typer.Option(
        "--repeats",
        metavar="auto|yes|no",
        help="Several answers to one item: where a column run, epoch, sample or seed numbers them "
        "(default: auto), wherever an id is repeated, or never. The item stays one unit.",
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="COLUMN",
        help="Items with one value in this column of the gold file (a passage, a scenario) are "
        "resampled together; by default those of one document.",
    ),
]
TrainOption = Annotated[
    str | None, typer.Option("--train", metavar="FILE", help="Training data, with gold annotation.")
]
BaselineOption = Annotated[
    list[str] | None,
    typer.Option(
        "--baseline",
        metavar="KIND",
        help="Add a system learnt from --train: most-frequent or gazetteer; of items majority, "
        "random, bag-of-words (scikit-learn), of numbers mean; may be repeated.",
    ),
]
VoteOption = Annotated[
    bool,
    typer.Option(
        "--vote",
        help="Add the majority vote of all systems as a system (of numbers, the median); where "
        "all have probabilities, that of their mean, too.",
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help="table, json, csv, latex or markdown; by default what --output ends in, or table.",
    ),
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write there, not to standard output."),
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say on stderr what was recognised.")
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Stop (exit code 3) if data had to be repaired, skipped or guessed; otherwise notes "
        "tell it.",
    ),
]
WhereOption = Annotated[
    str,
    typer.Option(
        "--where",
        "-w",
        metavar="SELECTION",
        help="Only the units that this holds for, as in 'label=PER and length>1'; they keep what "
        "they were matched with (fields: finegrain show --help).",
        show_default=False,
    ),
]
FocusOption = Annotated[
    str,
    typer.Option(
        metavar="target|system", help="Which label a wrong label is charged to: gold or answer."
    ),
]


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the user said about files."""

    files: list[str]
    task: str | None = None
    input: str | None = None
    columns: str | None = None
    gold_columns: str | None = None
    header: str = "auto"
    comment: str | None = None
    names: str | None = None
    scheme: str | None = None
    policy: str = "conlleval"
    layer: str = LAYER
    map: list[str] | None = None
    labels: str | None = None
    exclude: str | None = None
    label_schema: str | None = None
    by_characters: bool = False
    set: list[str] | None = None
    missing: str | None = None
    repeats: str | None = None
    cluster: str | None = None
    train: str | None = None
    baseline: list[str] | None = None
    vote: bool = False
    strict: bool = False
    quiet: bool = False
    level: str = "unit"


@dataclass(frozen=True, slots=True)
class Output:
    """Where a result goes."""

    format: str | None
    output: str | None
