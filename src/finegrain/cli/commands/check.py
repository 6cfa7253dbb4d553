"""``finegrain check``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from finegrain.cli.command import command, without
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import LABELS, READING
from finegrain.errors import TOO_MANY, InputError, UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.corpus import Corpus
    from finegrain.table import Task


@command(
    Argument("FILE...", "Files to check.", to="files"),
    Option(
        "--against GOLD",
        "Gold file beside which every file is read and aligned as score does it.",
        file="read",
    ),
    *without((READING, LABELS), "names", "cluster"),
)
def check(inputs: Inputs, against: str | None) -> None:
    """Validate files: every problem with its line.

    The exit code is 3 if there is a problem. What passes --against GOLD is scored by the other
    commands with the same options.

    Ill-formed tags are warnings, or problems with --policy error; so are bad trees and mentions
    that occur twice. With --strict all warnings are problems.

    \b
    Example:
      finegrain check submission.conll --against gold.conll
    """
    from finegrain.cli.inputs import parse_columns, read_side
    from finegrain.cli.standard_streams import lines_of, say, tell
    from finegrain.corpus import tag_schemes

    if inputs.policy not in tag_schemes.POLICIES:
        raise UsageError.unknown("policy", inputs.policy, tag_schemes.POLICIES)
    if [*inputs.files, against].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    if inputs.scheme:
        tag_schemes.by_name(inputs.scheme)
    columns = parse_columns(inputs.gold_columns) or parse_columns(inputs.columns)
    gold = None if against is None else read_side(against, inputs, columns)
    total, more = 0, ""
    for path in inputs.files:
        try:
            said = _checked(path, inputs, gold)
        except InputError as error:
            total += len(error.problems) + error.unlisted
            more = " or more" if error.stopped else more
            tell(*lines_of(error))
        else:
            tell(*said)
    if total:
        say(f"{total}{more} problem{'s' if total > 1 else ''}")
        sys.exit(3)


def _checked(path: str, inputs: Inputs, gold: Corpus | None) -> list[str]:
    """What is said of a file without problems: what it holds, and notes."""
    corpus = _read(path, inputs, gold)
    holds = "; ".join(_annotation(layer, inputs, gold) for layer in _annotated(corpus))
    notes = corpus.notes if gold is None else _notes_beside(gold, corpus, path, inputs)
    return [f"{path}: ok, {_size(corpus)}, {holds}", *(f"note: {note}" for note in notes)]


def _notes_beside(gold: Corpus, corpus: Corpus, path: str, inputs: Inputs) -> list[str]:
    """Align a file with the gold file as every analysis does it; what is said of it."""
    from finegrain.cli.gold_beside import require_same_side
    from finegrain.cli.inputs import align_as, parse_columns, parse_system
    from finegrain.table.doubts import require_no_doubt

    expected = gold
    if "answer" in (parse_columns(inputs.columns) or {}):
        require_same_side(gold, corpus)
        expected, corpus = _annotated(gold)[0], _annotated(corpus)[-1]
    name = parse_system(path).name
    table = align_as(expected, iter([(name, corpus)]), inputs, _task(expected, inputs))
    if inputs.strict:
        require_no_doubt(table)
    return [note for note in table.notes if note not in gold.notes]


def _read(path: str, inputs: Inputs, gold: Corpus | None) -> Corpus:
    """A file, as the options say or as it is meant."""
    from finegrain.cli.inputs import format_of, parse_columns, read_as
    from finegrain.cli.matrix_table import FORMAT, has_systems, is_faulty, say_read_as_table
    from finegrain.formats.source import open_source

    source, columns = open_source(path), parse_columns(inputs.columns)
    if inputs.input is None and columns is None and is_faulty(source):
        say_read_as_table(path)
        inputs = replace(inputs, input=FORMAT)
    formats = () if gold is None else _task(_annotated(gold)[0], inputs).formats
    format_ = format_of(source, inputs, columns, formats)
    if gold is not None and format_.name == FORMAT:
        raise has_systems(path)
    return read_as(source, format_, inputs, columns, gold=gold, limit=TOO_MANY)


def _task(model: Corpus, inputs: Inputs) -> Task:
    from finegrain.cli.inputs import task_of

    return task_of(model, inputs)


def _annotated(corpus: Corpus) -> list[Corpus]:
    """The corpus with its tags; for gold and answer side by side, one with each of them."""
    from finegrain.cli.inputs import layer_as_tags

    if "answer" in corpus.layers:
        return [layer_as_tags(corpus, "gold"), layer_as_tags(corpus, "answer")]
    return [corpus]


def _size(corpus: Corpus) -> str:
    from finegrain.sizes import sized

    items = corpus.holds_items or bool(corpus.fields and not corpus.layers and not corpus.spans)
    told = f"format {corpus.format}, {sized(corpus.n_sentences, 'item' if items else 'sentence')}"
    words = corpus.tokens is not None and not corpus.holds_items and (corpus.n_tokens or not items)
    return f"{told}, {sized(corpus.n_tokens, 'token')}" if words else told


def _annotation(corpus: Corpus, inputs: Inputs, gold: Corpus | None) -> str:
    """What the file holds; what is odd is told as warnings or, where one is strict, an error."""
    from finegrain.alignment.task_options import fitting
    from finegrain.cli.label_options import label_rules
    from finegrain.cli.standard_streams import tell
    from finegrain.corpus import LAYER
    from finegrain.corpus.tag_schemes import by_name

    model = corpus if gold is None else _annotated(gold)[0]
    task = _task(model, inputs)
    scheme = by_name(inputs.scheme) if inputs.scheme else None
    given = {"scheme": scheme, "policy": inputs.policy, "rules": label_rules(inputs)}
    options = fitting(task, given if inputs.layer == LAYER else given | {"layer": inputs.layer})
    found = task.contents_of(corpus, model, **options)
    if found.oddities and inputs.strict:
        raise InputError(list(found.oddities), unlisted=found.unlisted)
    told = [f"warning: {one}" for one in found.oddities]
    if found.unlisted:
        told.append(f"... and {found.unlisted} more warnings of this kind")
    if told:
        tell(*told)
    return found.summary
