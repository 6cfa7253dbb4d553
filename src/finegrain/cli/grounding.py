"""How ``finegrain ground`` reads its options and writes corpora."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from finegrain.analyses.units.grounding import Grounded, ground
from finegrain.cli.name_lists import names_in
from finegrain.cli.standard_streams import say
from finegrain.complete_file import complete_file
from finegrain.corpus.notes import refuse
from finegrain.errors import UsageError
from finegrain.files_read import called
from finegrain.formats.archives import SUFFIXES, compressed
from finegrain.formats.source import open_source


class Wanted(NamedTuple):
    """What the user said about grounding, as it was said."""

    schema: str | None
    kind: str
    policy: str
    fuzzy: str
    repair: bool
    missing: str
    repeats: str | None
    prices: str | None
    input: str | None
    strict: bool
    quiet: bool


def grounded(answers: str, text: str, output: str, wanted: Wanted) -> Grounded:
    """Ground the answers of a file and write the corpus of every run."""
    if wanted.repeats not in (None, "yes"):
        raise UsageError(f"--repeats: {wanted.repeats!r} is not yes")
    _require_jsonl(output)
    called(answers, "answers")
    called(text, "text")
    made = ground(
        answers, text,
        schema=_schema(wanted.schema),
        kind=wanted.kind,  # type: ignore[arg-type]  # checked there
        policy=wanted.policy,  # type: ignore[arg-type]  # checked there
        fuzzy=_similarity(wanted.fuzzy),
        repair=wanted.repair,
        missing=wanted.missing,  # type: ignore[arg-type]  # checked there
        repeats=wanted.repeats == "yes",
        prices=_prices(wanted.prices),
        input=wanted.input,
    )  # fmt: skip
    if wanted.strict:
        refuse(answers, made.notes)
    for run in made.systems:
        path = _path(output, run)
        lines = "".join(f"{line}\n" for line in made.lines(run))
        with complete_file(path) as temporary:
            Path(temporary).write_bytes(compressed(lines.encode(), Path(path).suffix))
        if not wanted.quiet:
            say(f"wrote {path}")
    return made


def _require_jsonl(output: str) -> None:
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


def _schema(given: str | None) -> dict[str, str] | None:
    """Names of labels and the labels; from a file if there is one of this name."""
    if given is None:
        return None
    if Path(given).is_file():
        listed = [line.strip() for line in open_source(given).lines() if line.strip()]
    else:
        listed = names_in(given)
    if not listed:
        raise UsageError(f"--schema: {given!r} names no label")
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
