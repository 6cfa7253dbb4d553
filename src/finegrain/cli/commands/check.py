"""``finegrain check``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from finegrain.cli.command import command
from finegrain.cli.option import Argument, Option
from finegrain.cli.options import READING
from finegrain.errors import TOO_MANY, InputError, UsageError

if TYPE_CHECKING:
    from finegrain.cli.options import Inputs
    from finegrain.corpus import Corpus
    from finegrain.table import Task


@command(
    Argument("FILE...", "Files to check.", to="files"),
    Option("--against GOLD", "Gold file that every file must match token by token.", file="read"),
    READING.only("task", "input", "columns", "header", "comment", "scheme", "policy", "strict"),
)
def check(inputs: Inputs, against: str | None) -> None:
    """Validate files: every problem with its line.

    The exit code is 3 if there is a problem.

    Ill-formed tags are warnings, or problems with --policy error; so are bad trees and mentions
    that occur twice. With --strict all warnings are problems.

    \b
    Example:
      finegrain check submission.conll --against gold.conll
    """
    from finegrain.cli.inputs import parse_columns, read_one
    from finegrain.cli.standard_streams import lines_of, say, tell
    from finegrain.corpus import tag_schemes

    if inputs.policy not in tag_schemes.POLICIES:
        raise UsageError.unknown("policy", inputs.policy, tag_schemes.POLICIES)
    if [*inputs.files, against].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    if inputs.scheme:
        tag_schemes.by_name(inputs.scheme)
    gold = None if against is None else read_one(against, inputs, parse_columns(inputs.columns))
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
    corpus = _read(path, inputs)
    if gold is not None:
        _task(_annotated(gold)[0], inputs).require_same_text(gold, corpus)
    holds = "; ".join(_annotation(layer, inputs, gold) for layer in _annotated(corpus))
    return [f"{path}: ok, {_size(corpus)}, {holds}", *(f"note: {note}" for note in corpus.notes)]


def _read(path: str, inputs: Inputs) -> Corpus:
    """A file, as the options say or as it is meant."""
    from finegrain.cli.inputs import format_of, parse_columns, read_as
    from finegrain.cli.matrix_table import FORMAT, is_faulty, say_read_as_table
    from finegrain.formats.source import open_source

    source, columns = open_source(path), parse_columns(inputs.columns)
    if inputs.input is None and columns is None and is_faulty(source):
        say_read_as_table(path)
        inputs = replace(inputs, input=FORMAT)
    format_ = format_of(source, inputs, columns)
    return read_as(source, format_, inputs, columns, limit=TOO_MANY)


def _task(model: Corpus, inputs: Inputs) -> Task:
    from finegrain import tasks

    return tasks.by_name(inputs.task) if inputs.task else tasks.guess(model)


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
    from finegrain.cli.standard_streams import tell
    from finegrain.corpus.tag_schemes import by_name

    model = corpus if gold is None else _annotated(gold)[0]
    task = _task(model, inputs)
    scheme = by_name(inputs.scheme) if inputs.scheme else None
    options = fitting(task, {"scheme": scheme, "policy": inputs.policy})
    found = task.contents_of(corpus, model, **options)
    if found.oddities and inputs.strict:
        raise InputError(list(found.oddities), unlisted=found.unlisted)
    told = [f"warning: {one}" for one in found.oddities]
    if found.unlisted:
        told.append(f"... and {found.unlisted} more warnings of this kind")
    if told:
        tell(*told)
    return found.summary
