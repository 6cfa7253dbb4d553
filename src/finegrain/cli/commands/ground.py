"""``finegrain ground``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import FORMAT, INPUT, QUIET, STRICT, Output
from finegrain.errors import UsageError

if TYPE_CHECKING:
    from finegrain.analyses.units.grounding import Grounded


@command(
    Argument(
        "ANSWERS",
        "What the model returned: JSON lines, batch files of APIs, logs of Inspect (.eval) and "
        "lm-evaluation-harness, langextract, a folder with one file per text; - is stdin.",
    ),
    Option(
        "--text DOCS", "The texts that the model was given, with ids.", required=True, file="read"
    ),
    Option(
        "-o, --output OUT",
        "The corpus to write (.jsonl); of runs, OUT@1 and on.",
        required=True,
        file="written",
    ),
    Option(
        "--schema A,B|FILE",
        "The labels there are, or a file with one per line; PERSON=PER is a further name of PER. "
        "Without it, every label counts as one.",
    ),
    Option(
        "--kind mentions|label|option|text",
        "What was asked for: mentions in a text, one label, the letter of one option, or a short "
        "text.",
        default="mentions",
    ),
    Option(
        "--policy order|first|all|unique|nearest",
        "Where words stand that the text has several times: in the order of the whole answer, at "
        "their first place, at all, nowhere, or nearest to what the answer says.",
        default="order",
    ),
    Option(
        "--fuzzy SHARE|off",
        "Least similarity of words that the text does not have; numbers and negations must be the "
        "same.",
        default="0.85",
    ),
    Option("--repair", "Read broken JSON as far as it is beyond doubt; counted."),
    Option(
        "--missing error|count",
        "Texts without an answer: refuse, or count as unparseable.",
        default="error",
    ),
    Option("--repeats yes", "A text that is answered again starts a further run."),
    Option("--prices IN,OUT", "Price of a million input and output tokens, for the cost."),
    INPUT,
    STRICT,
    FORMAT,
    QUIET,
)
def ground(
    answers: str,
    text: str,
    output: str,
    *,
    schema: str | None,
    fuzzy: str,
    repeats: str | None,
    prices: str | None,
    input: str | None,
    strict: bool,
    format: str | None,
    quiet: bool,
    **how: Any,
) -> None:
    """Turn answers of language models into a corpus: every item in its text, or a class that says why not.

    Nothing is called over a network, and nothing in an answer is evaluated.

    \b
    Example:
      finegrain ground answers.jsonl --text texts.jsonl --schema PER,LOC -o model.jsonl
      finegrain ground batch.jsonl --text texts.jsonl --kind label --schema pos,neg -o labels.jsonl
      finegrain ground batch.jsonl --text texts.jsonl --repair --policy all -o model.jsonl
    """  # noqa: E501
    from finegrain.analyses.units.grounding import ground as grounding_of
    from finegrain.cli.label_options import labels_in
    from finegrain.cli.output import emit
    from finegrain.corpus.notes import refuse
    from finegrain.files_read import called

    if repeats not in (None, "yes"):
        raise UsageError(f"--repeats: {repeats!r} is not yes")
    _require_jsonl(output)
    called(answers, "answers")
    called(text, "text")
    how |= {"repeats": repeats == "yes", "fuzzy": _similarity(fuzzy), "prices": _prices(prices)}
    names = None if schema is None else _labels_by_name(labels_in("schema", schema))
    made = grounding_of(answers, text, schema=names, format=input, **how)
    if strict:
        refuse(answers, made.notes)
    _write(made, output, quiet=quiet)
    emit(made, Output(format, None))


def _write(made: Grounded, output: str, *, quiet: bool) -> None:
    """Write the corpus of every run."""
    from finegrain.cli.standard_streams import say
    from finegrain.complete_file import complete_file
    from finegrain.formats.archives import compressed

    for run in made.systems:
        path = _path(output, run)
        lines = "".join(f"{line}\n" for line in made.lines(run))
        with complete_file(path) as temporary:
            Path(temporary).write_bytes(compressed(lines.encode(), Path(path).suffix))
        if not quiet:
            say(f"wrote {path}")


def _require_jsonl(output: str) -> None:
    from finegrain.formats.archives import SUFFIXES

    suffixes = [one for one in Path(output).suffixes[-2:] if one not in SUFFIXES]
    if suffixes[-1:] != [".jsonl"]:
        raise UsageError(
            f"--output: {output!r} does not end in .jsonl; finegrain convert writes others"
        )


def _path(output: str, run: str) -> str:
    """Where a run goes: ``model@1.jsonl``, as analyses of runs read it."""
    if not run:
        return output
    safe = "".join(
        character if character.isalnum() or character in "._-" else "_" for character in run
    )
    path = Path(output)
    first = path.name.index(".jsonl")
    return str(path.with_name(f"{path.name[:first]}@{safe}{path.name[first:]}"))


def _labels_by_name(listed: list[str]) -> dict[str, str]:
    """Names of labels and the labels."""
    found: dict[str, str] = {}
    for one in listed:
        name, equals, label = (part.strip() for part in one.partition("="))
        if not name or (equals and not label):
            raise UsageError(f"--schema: {one!r} is not LABEL or NAME=LABEL")
        found[name] = label or name
    return found


def _similarity(given: str) -> float | None:
    if given == "off":
        return None
    try:
        return float(given)
    except ValueError:
        raise UsageError(f"--fuzzy: {given!r} is not a share, as 0.85, or off") from None


def _prices(given: str | None) -> tuple[float, float] | None:
    if given is None:
        return None
    try:
        one, two = map(float, given.split(","))
    except ValueError:
        raise UsageError(f"--prices: {given!r} is not IN,OUT, as 0.15,0.6") from None
    if not (0 <= one < 1e9 and 0 <= two < 1e9):
        raise UsageError(f"--prices: {given!r}: a price is from 0 on")
    return one, two
