"""What ``finegrain check`` looks at, and what it says."""

from __future__ import annotations

from dataclasses import replace

from finegrain import tasks
from finegrain.alignment.task_options import fitting
from finegrain.cli.inputs import format_of, layer_as_tags, parse_columns, read_as, read_one
from finegrain.cli.matrix_table import FORMAT, is_faulty, say_read_as_table
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import lines_of, say, tell
from finegrain.corpus import Corpus
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.tag_schemes import by_name
from finegrain.errors import TOO_MANY, InputError, UsageError
from finegrain.formats.source import open_source
from finegrain.sizes import sized
from finegrain.table import Task


def check_files(inputs: Inputs, against: str | None) -> int:
    """Check every file, alone and against the gold file; return the number of problems."""
    if inputs.policy not in schemes.POLICIES:
        raise UsageError.unknown("policy", inputs.policy, schemes.POLICIES)
    if [*inputs.files, against].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    if inputs.scheme:
        by_name(inputs.scheme)
    columns = parse_columns(inputs.columns)
    gold = read_one(against, inputs, columns) if against is not None else None
    total, more = 0, ""
    for path in inputs.files:
        try:
            corpus = _read(path, inputs, columns)
            if gold is not None:
                _task(_annotated(gold)[0], inputs).require_same_text(gold, corpus)
            said = "; ".join(_annotation(layer, inputs, gold) for layer in _annotated(corpus))
        except InputError as error:
            total += len(error.problems) + error.unlisted
            more = " or more" if error.stopped else more
            tell(*lines_of(error))
        else:
            tell(
                f"{path}: ok, {_size(corpus)}, {said}", *(f"note: {note}" for note in corpus.notes)
            )
    if total:
        say(f"{total}{more} problem{'s' if total > 1 else ''}")
    return total


def _read(path: str, inputs: Inputs, columns: dict[str, int | str] | None) -> Corpus:
    """A file, as the options say or as it is meant."""
    source = open_source(path)
    if inputs.input is None and columns is None and is_faulty(source):
        say_read_as_table(path)
        inputs = replace(inputs, input=FORMAT)
    format_ = format_of(source, inputs, columns)
    return read_as(source, format_, inputs, columns, limit=TOO_MANY)


def _task(model: Corpus, inputs: Inputs) -> Task:
    return tasks.by_name(inputs.task) if inputs.task else tasks.guess(model)


def _annotated(corpus: Corpus) -> list[Corpus]:
    """The corpus with its tags; for gold and answer side by side, one with each of them."""
    if "answer" in corpus.layers:
        return [layer_as_tags(corpus, "gold"), layer_as_tags(corpus, "answer")]
    return [corpus]


def _size(corpus: Corpus) -> str:
    items = corpus.holds_items or bool(corpus.fields and not corpus.layers and not corpus.spans)
    told = f"format {corpus.format}, {sized(corpus.n_sentences, 'item' if items else 'sentence')}"
    words = corpus.tokens is not None and not corpus.holds_items and (corpus.n_tokens or not items)
    return f"{told}, {sized(corpus.n_tokens, 'token')}" if words else told


def _annotation(corpus: Corpus, inputs: Inputs, gold: Corpus | None) -> str:
    """What the file holds; what is odd is told as warnings or, where one is strict, an error."""
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
