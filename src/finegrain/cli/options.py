"""Options that commands share, each declared once, and in groups as help shows them."""

from __future__ import annotations

from dataclasses import dataclass

from finegrain.cli.option import Argument, Group, Option

LAYER = "tags"  # as in finegrain.corpus, which takes time to import


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
    text_key: str | None = None
    spans_key: str | None = None
    label_key: str | None = None
    tag_names: list[str] | None = None
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
    skip_invalid: bool = False
    strict: bool = False
    quiet: bool = False
    level: str = "unit"


@dataclass(frozen=True, slots=True)
class Output:
    """Where a result goes."""

    format: str | None
    output: str | None


GOLD = Argument(
    "GOLD",
    "The gold file, a table saved by align, or a 0/1 table of units and systems; - is standard "
    "input. With gold and answer in --columns every file is a system and there is no gold file.",
)
SYSTEMS = Argument(
    "SYSTEM...",
    "One file per system; name=path names it, otherwise the file does.",
    to="systems",
    required=False,
)

TASK = Option(
    "-t, --task TASK",
    "spans, tags, classification ...: finegrain list tasks has all; found out if certain.",
)
INPUT = Option("--input FORMAT", "Format of the files; found out by content.")
COLUMNS = Option(
    "--columns COLUMNS",
    "Columns from 1, or by header name: token=1,tags=4; or gold and answer side by side in each "
    "file: token=1,gold=2,answer=3; or trees: token=2,head=7,deprel=8; of items: id=1,label=3. "
    "Default: token first, tags last.",
)
SCHEME = Option(
    "--scheme SCHEME",
    "iob1, iob2, ioe1, ioe2, bioes, bilou, bmes, bmewo or io; detected from the gold tags.",
)
POLICY = Option(
    "--policy POLICY",
    "What to do with ill-formed tags: conlleval, discard or error.",
    default="conlleval",
)
STRICT = Option(
    "--strict",
    "Stop (exit code 3) if data had to be repaired, skipped or guessed; otherwise notes tell it.",
)
READING = Group(
    "Reading files",
    (
        TASK,
        INPUT,
        COLUMNS,
        Option("--gold-columns COLUMNS", "Columns of the gold file, if others than --columns."),
        Option("--header auto|yes|no", "Whether the first line names the columns.", default="auto"),
        Option("--comment PREFIX", "Lines that begin so are comments."),
        Option("--text-key KEY", "Where records of JSON have their text: data.body."),
        Option(
            "--spans-key KEY", "Where they have their spans: entities; or which group of spans."
        ),
        Option("--label-key KEY", "Where a span has its label: kind."),
        Option(
            "--tag-names A,B",
            "What tags that are numbers stand for, from 0: O,B-PER,I-PER.",
            names=True,
        ),
        Option("--names A,B", "Systems of a 0/1 table without a header."),
        SCHEME,
        POLICY,
        Option(
            "--layer LAYER", "Annotation to score, e.g. upos, xpos, feats (CoNLL-U).", default=LAYER
        ),
        Option(
            "--by-characters",
            "Systems may be tokenised differently: put their spans on the gold tokens character by "
            "character (always done for running text).",
        ),
        Option(
            "--set NAME=VALUE",
            "An option of the task: match=head (coreference), subtypes=keep (dependencies); "
            "finegrain list tasks NAME has all. May be repeated.",
            repeated=True,
        ),
        Option(
            "--missing error|wrong|skip",
            "Items that a system does not answer: refuse them, count them as wrong, or leave them "
            "out for all systems. Default: error; in ranking wrong, as in trec_eval.",
        ),
        Option(
            "--repeats auto|yes|no",
            "Several answers to one item: where a column run, epoch, sample or seed numbers them "
            "(default: auto), wherever an id is repeated, or never. The item stays one unit.",
        ),
        Option(
            "--cluster COLUMN",
            "Items with one value in this column of the gold file (a passage, a scenario) are "
            "resampled together; by default those of one document.",
        ),
        Option(
            "--skip-invalid",
            "Leave out systems whose files cannot be used, and say which and why; without this, "
            "all of those are named and nothing is scored.",
        ),
        STRICT,
    ),
)
LABELS = Group(
    "Labels",
    (
        Option("--map OLD=NEW", "Rename a label everywhere; may be repeated.", repeated=True),
        Option("--labels A,B", "Score only these labels; quotes around one with a comma."),
        Option("--exclude A,B", "Leave out these labels."),
        Option(
            "--label-schema A,B|FILE",
            "All labels that items can have, or a file with one per line: any other label is an "
            "error.",
        ),
    ),
)
TRAIN = Option("--train FILE", "Training data, with gold annotation.", file="read")
TRAINING = Group(
    "Training data and systems made from others",
    (
        TRAIN,
        Option(
            "--baseline KIND",
            "Add a system learnt from --train: most-frequent or gazetteer; of items majority, "
            "random, bag-of-words (scikit-learn), of numbers mean; may be repeated.",
            repeated=True,
        ),
        Option(
            "--vote",
            "Add the majority vote of all systems as a system (of numbers, the median); where all "
            "have probabilities, that of their mean, too.",
        ),
    ),
)
FORMAT = Option(
    "--format FORMAT",
    "table, json, csv, latex or markdown; by default what --output ends in, or table.",
)
OUTPUT_FILE = Option("-o, --output FILE", "Write there, not to standard output.", file="written")
QUIET = Option("-q, --quiet", "Do not say on stderr what was recognised.")
OUTPUT = Group("Output", (FORMAT, OUTPUT_FILE, QUIET))
ANALYSIS = (GOLD, SYSTEMS, READING, LABELS, TRAINING, OUTPUT)  # what every analysis takes

WHERE = Option(
    "-w, --where SELECTION",
    "Only the units that this holds for, as in 'label=PER and length>1'; they keep what they were "
    "matched with (fields: finegrain show --help).",
    default="",
)
LEVEL = Option(
    "--level unit|token",
    "Whole units, or the tokens of gold spans, right if the tag is the same (for spans that are "
    "given as tags).",
    default="unit",
)
FOCUS = Option(
    "--focus target|system",
    "Which label a wrong label is charged to: gold or answer.",
    default="target",
)
CASE = Option(
    "--case-sensitive",
    "Words that differ in case are different in --train.",
    default=True,
    to="fold_case",
    value=False,
)
METRIC = Option(
    "-m, --metric METRIC", "The score to look at; by default the first metric of the task."
)
SELECTED = Option("--systems A,B", "Only these systems.", repeated=True, to="chosen")
AGAINST_BASELINE = Option("--baseline SYSTEM", "Compare every other system with this one.")
TITLE = Option("--title TEXT", "Title of the page.")
FIGURES = Option("--figures DIR", "Write the figures there too, as --figure-format says.")
FIGURE_FORMAT = Option(
    "--figure-format FORMAT", "Of --figures: svg, png or pdf; several with commas.", default="svg"
)

BY = Option(
    "--by ATTRIBUTE",
    "Attributes, separated by commas or repeated; one+other crosses two. A column of the gold file "
    "named in --columns, and document, are attributes too. Default: those of the task.",
    names=True,
)
ATTRIBUTE = Option(
    "--attribute NAME=FILE",
    "An attribute of your own from a TSV, CSV or Parquet file with a column unit, sentence or "
    "document and a column NAME; may be repeated.",
    repeated=True,
    to="own",
    file="read",
)
BUCKETS = Group(
    "Buckets",
    (
        Option(
            "--buckets N", "Number of buckets of an attribute (default: 4).", takes=int, least=1
        ),
        Option(
            "--strategy frequency|width",
            "Buckets of equal size or of equal width, for all numbers.",
        ),
        Option(
            "--edges NAME=1,2,5",
            "Upper borders of the buckets of an attribute; may be repeated.",
            repeated=True,
        ),
        Option("--preset interpreteval", "Buckets as in the program of Fu, Liu and Neubig (2020)."),
    ),
)

SEED = Option("--seed N", "The same seed gives the same result.", default=1, least=0)
CONFIDENCE = Option("--confidence SHARE", "Confidence level of the intervals.", default=0.95)
RESAMPLES = Option("--resamples N", "Number of resamples.", default=10_000, least=1)
CORRECTION = Option("--correction CORRECTION", "holm, benjamini-hochberg or none.", default="holm")
INDEPENDENT = Option("--assume-independent", "Sentences of a document do not depend on each other.")
INTERVALS = Group(
    "Intervals",
    (
        Option("--intervals N", "Resamples for intervals; 0 for none.", default=1000, least=0),
        Option("--no-intervals", "No intervals: to be quick.", to="intervals", value=0),
        CONFIDENCE,
        SEED,
    ),
)
