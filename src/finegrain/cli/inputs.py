"""From file names on the command line to an outcome table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from finegrain.alignment.label_sets import NOTHING_IN_COMMON
from finegrain.alignment.majority_vote import with_votes
from finegrain.alignment.task_options import fitting, require_own
from finegrain.cli.gold_beside import require_same_side
from finegrain.cli.invalid_files import Named, aligned_if_valid
from finegrain.cli.label_options import label_rules, label_schema
from finegrain.cli.level import task_at
from finegrain.cli.matrix_table import FORMAT, has_systems, matrix_table, require_no_intention
from finegrain.cli.options import Inputs
from finegrain.cli.reading_progress import with_progress
from finegrain.cli.record_keys import RECORDS, keys_of, of_records
from finegrain.cli.saved_table import saved_table
from finegrain.cli.standard_streams import say
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.tag_schemes import POLICIES
from finegrain.corpus.trees import HEAD
from finegrain.errors import InputError, UsageError
from finegrain.files_read import called
from finegrain.formats import Format, by_name, read_source, recognise
from finegrain.formats.source import Source, TableGiven, open_source, stem
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.doubts import require_no_doubt
from finegrain.tasks import align, guess
from finegrain.tasks import by_name as task_by_name
from finegrain.tasks import known as tasks

Columns = dict[str, int | str]  # what a column holds -> its number or its name
# columns that annotated tokens do not have
_OF_ITEMS = frozenset(["id", "label", "text", "item", "system", "rater", "annotator", "winner"])


def load(inputs: Inputs, *, first: str = "") -> OutcomeTable:
    """Read gold and systems and align them; says on stderr what was recognised.

    ``first``: who made the first file, where none of them is the gold standard
    """
    ready = saved_table(inputs)
    if ready is None:
        ready = matrix_table(inputs)
    if ready is None:
        ready = _with_systems(inputs)
    table = _aligned(inputs, first) if ready is None else ready
    if inputs.strict:
        require_no_doubt(table)
    return with_votes(table) if inputs.vote else table


def _aligned(inputs: Inputs, first: str) -> OutcomeTable:
    if inputs.policy not in POLICIES:
        raise UsageError.unknown("policy", inputs.policy, POLICIES)
    if inputs.names is not None:
        raise UsageError("--names is for a 0/1 table; otherwise name=path names a system")
    if [parse_system(argument).path for argument in inputs.files].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    columns = parse_columns(inputs.columns)
    if columns is not None and "answer" in columns:
        systems = _called([parse_system(argument) for argument in inputs.files])
        both = read_side(systems[0].path, inputs, columns)
        gold = layer_as_tags(both, "gold") if both.layers else both

        def pairs(chosen: Sequence[Named]) -> Iterator[tuple[str, Corpus]]:
            return _side_by_side(both, systems[0].path, chosen, inputs, columns)

    else:
        if len(inputs.files) < 2:
            if inputs.input is None and columns is None:
                require_no_intention(inputs.files[0])
            raise _alone(inputs.files[0])
        called(inputs.files[0], first or "gold")
        systems = _called([parse_system(argument) for argument in inputs.files[1:]])
        gold = read_side(inputs.files[0], inputs, parse_columns(inputs.gold_columns) or columns)
        formats = task_of(gold, inputs).formats

        def pairs(chosen: Sequence[Named]) -> Iterator[tuple[str, Corpus]]:
            for name, path in chosen:
                yield name, read_side(path, inputs, columns, formats, gold=gold)

    task = task_of(gold, inputs)

    def aligned(chosen: Sequence[Named]) -> OutcomeTable:
        read = with_progress(pairs(chosen), [system.path for system in chosen])
        return align_as(gold, read, inputs, task, first=first)

    table = aligned_if_valid(aligned, systems, skip=inputs.skip_invalid)
    table = replace(table, notes=(*table.notes, *_same_file_notes(systems)))
    if not inputs.quiet:
        _say(table, gold, inputs)
    return table


def _with_systems(inputs: Inputs) -> OutcomeTable | None:
    """The table of a file that holds its systems, such as ratings; ``None`` for any other."""
    columns = parse_columns(inputs.columns)
    asked = inputs.task is not None and task_by_name(inputs.task).holds_systems
    open_question = inputs.task is None and "answer" not in (columns or {})
    if len(inputs.files) > 1 or inputs.files == ["-"] or not (asked or open_question):
        return None
    source = open_source(inputs.files[0])
    try:
        format_ = format_of(source, inputs, columns)
        having = (one for one in tasks().values() if one.holds_systems)
        known = asked or any(format_.name in one.formats for one in having)
        corpus = read_as(source, format_, inputs, columns) if known else None
        task = None if corpus is None else task_of(corpus, inputs)
    except InputError:
        if not asked:  # what it is meant for is not known
            return None
        raise
    if corpus is None or task is None or not task.holds_systems:
        return None
    called(inputs.files[0], "table")
    table = align_as(corpus, iter(()), inputs, task)
    if not inputs.quiet:
        how = "given" if asked else "recognised"
        size = sized(len(table), task.words.unit)
        systems = sized(table.n_systems, "system")
        say(f"format {corpus.format}; task {task} ({how}); {size}; {systems}")
    return table


def _alone(path: str) -> UsageError:
    """What is said of one file where two are needed, unless the file itself is damaged."""
    if path != "-":
        open_source(path)
    return UsageError(
        f"{path} is the only file: give the gold file and at least one system: GOLD SYSTEM... (for "
        "files that hold gold and answer side by side: --columns token=1,gold=2,answer=3 FILE...; "
        "for a 0/1 table that is not recognised: --input matrix FILE)"
    )


def task_of(gold: Corpus, inputs: Inputs) -> Task:
    """The task that is asked for, or that of the gold corpus."""
    task = task_by_name(inputs.task) if inputs.task else guess(gold, layer=inputs.layer)
    return task_at(task, inputs.level)


def align_as(
    gold: Corpus,
    pairs: Iterator[tuple[str, Corpus]],
    inputs: Inputs,
    task: Task,
    *,
    first: str = "",
) -> OutcomeTable:
    """Align with the options that the task has; ``first``: who made the first file, if no gold."""
    given: dict[str, Any] = {
        "layer": inputs.layer,
        "rules": label_rules(inputs),
        "scheme": inputs.scheme,
        "policy": inputs.policy,
        "text": "characters" if inputs.by_characters else "tokens",
        "first": first,
        **({} if inputs.missing is None else {"missing": inputs.missing}),
        **({} if inputs.repeats is None else {"repeats": inputs.repeats}),
    }
    if schema := label_schema(inputs):
        if "label_schema" not in task.options:
            raise UsageError(f"--label-schema is for items with labels, not for the task {task}")
        given["label_schema"] = schema
    options = {**fitting(task, given), **_set(inputs, task)}
    if inputs.cluster is not None:
        options["cluster"] = inputs.cluster
    return align(gold, chain(pairs, _floors(gold, task, inputs)), task=task, **options)


def _set(inputs: Inputs, task: Task) -> dict[str, str]:
    """The options of the task that were given by --set."""
    found = {}
    for one in inputs.set or []:
        name, equals, value = (part.strip() for part in one.partition("="))
        if not (equals and value):
            raise UsageError(f"--set: {one!r} is not NAME=VALUE")
        require_own(task, name)
        found[name] = value
    return found


def _floors(gold: Corpus, task: Task, inputs: Inputs) -> Iterator[tuple[str, Corpus]]:
    """Systems learnt from the training file."""
    if not inputs.baseline:
        return
    if inputs.train is None:
        raise UsageError("--baseline learns from training data: give --train FILE")
    train = read_train(inputs)
    for kind in inputs.baseline:
        learnt = {"scheme": inputs.scheme, "policy": inputs.policy, "layer": inputs.layer}
        yield kind, task.baseline(kind, train, gold, task=task.name, **learnt)


def read_train(inputs: Inputs) -> Corpus:
    """The training file, which is laid out like the gold file."""
    if inputs.train is None:
        raise UsageError("give --train FILE")
    called(inputs.train, "train")
    columns = parse_columns(inputs.gold_columns) or parse_columns(inputs.columns)
    if columns is not None and "gold" in columns:
        return layer_as_tags(read_one(inputs.train, inputs, columns), "gold")
    return read_one(inputs.train, inputs, columns)


def _called(systems: list[Named]) -> list[Named]:
    """The same systems, by whose names their files are told."""
    for name, path in systems:
        called(path, name)
    return systems


def _say(table: OutcomeTable, gold: Corpus, inputs: Inputs) -> None:
    how = "given" if inputs.task or inputs.level == "token" else "recognised"
    said = [
        f"format {gold.format}",
        f"task {table.task} ({how})",
        sized(gold.n_sentences, table.task.words.member or table.task.words.place),
    ]
    if gold.n_tokens and gold.tokens is not None:
        said.append(sized(gold.n_tokens, "token"))
    if "scheme" in table.settings:
        found = "given" if inputs.scheme else "detected"
        said.append(f"scheme {table.settings['scheme']} ({found})")
        verb = "dropped" if table.settings["policy"] == "discard" else "repaired"
        counts = [("gold", table.gold_repairs), *table.repairs.items()]
        broken = ", ".join(f"{name} {count}" for name, count in counts if count)
        said.append(f"ill-formed tags {verb}: {broken}" if broken else "all tags well-formed")
    say("; ".join(said))
    for note in table.notes:
        if NOTHING_IN_COMMON in note:  # not to be overlooked among the others
            say(f"warning: {note}")


def parse_columns(text: str | None) -> Columns | None:
    """``token=1,gold=2,answer=3`` as a mapping; numbers count from 1, other values are names.

    >>> parse_columns("token=1,tags=True Label")
    {'token': 1, 'tags': 'True Label'}
    """
    if text is None:
        return None
    columns: Columns = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (equals and name and value):
            raise UsageError(f"--columns: {part!r} is not name=column, as in token=1,tags=4")
        if name in columns:
            raise UsageError(f"--columns: {name} is given twice")
        columns[name] = int(value) if value.isdecimal() else value
    if _OF_ITEMS.intersection(columns):
        return columns
    if not set(columns) - {"token"}:
        raise UsageError("--columns: name the annotation too, as in token=1,tags=4")
    if ("answer" in columns) != ("gold" in columns):
        raise UsageError("--columns: gold and answer go together, as in token=1,gold=2,answer=3")
    if ("head" in columns) != ("deprel" in columns):
        raise UsageError("--columns: head and deprel go together, as in token=2,head=7,deprel=8")
    if not {"answer", LAYER, HEAD}.intersection(columns):
        raise UsageError(
            "--columns: say which column is tags, which are gold and answer, or head and deprel"
        )
    return columns


def parse_system(argument: str) -> Named:
    """``name=path`` or a path, whose name without its suffixes is the system's.

    >>> parse_system("crf=out/run7.tsv"), parse_system("out/run7.tsv.gz")
    (Named(name='crf', path='out/run7.tsv'), Named(name='run7', path='out/run7.tsv.gz'))
    """
    name, equals, path = argument.partition("=")
    if equals and name and path and "/" not in name and not Path(argument).exists():
        return Named(name, path)
    if argument == "-":
        return Named("stdin", argument)
    return Named(stem(argument), argument)


def read_one(path: str, inputs: Inputs, columns: Columns | None, *, limit: int = 20) -> Corpus:
    """Read one file as the options say, gathering up to ``limit`` problems."""
    source = open_source(path)
    return read_as(source, format_of(source, inputs, columns), inputs, columns, limit=limit)


def read_side(
    path: str,
    inputs: Inputs,
    columns: Columns | None,
    formats: Sequence[str] = (),
    *,
    gold: Corpus | None = None,
) -> Corpus:
    """Read gold or a system, which is no table of several systems.

    formats: those that the task has, if not any
    gold: what a system is read beside, whose texts its file may lack
    """
    try:
        source = open_source(path)
    except TableGiven:
        if path == "-":
            raise
        raise UsageError(
            f"{path} is a saved table with its gold and systems: give it alone"
        ) from None
    format_ = format_of(source, inputs, columns, formats)
    if format_.name == FORMAT:
        raise has_systems(path)
    return read_as(source, format_, inputs, columns, gold=gold)


def format_of(
    source: Source, inputs: Inputs, columns: Columns | None, formats: Sequence[str] = ()
) -> Format:
    """The format of a file, as the options say or by its content."""
    if wanted := inputs.input or (RECORDS if keys_of(inputs) else None):
        return by_name(wanted)
    if inputs.task and not formats:
        formats = task_by_name(inputs.task).formats
    format_ = recognise(source, formats)
    if formats:
        return format_
    tokens = columns is not None and not _OF_ITEMS.intersection(columns)
    if tokens and format_.name in ("conllu", FORMAT):
        return by_name("conll")  # whoever names columns wants those
    if format_.name == "csv" and (inputs.task or (tokens and "answer" not in (columns or {}))):
        return by_name("conll")  # and whoever names a task of tokens, tokens
    return format_


def read_as(
    source: Source,
    format_: Format,
    inputs: Inputs,
    columns: Columns | None,
    *,
    gold: Corpus | None = None,
    limit: int = 20,
) -> Corpus:
    """Read an open file in a format, gathering up to ``limit`` problems."""
    options: dict[str, Any] = {"limit": limit, "strict": inputs.strict}
    given = {
        "columns": columns, "header": inputs.header, "comment": inputs.comment, "gold": gold
    }  # fmt: skip
    options |= {name: value for name, value in given.items() if name in format_.options}
    options |= of_records(inputs, source, format_)
    if columns and "answer" in columns and "columns" not in format_.options:
        what = f"{source.name} is in the format {format_.name}, which has no columns"
        raise UsageError(f"--columns: {what}")
    corpus = read_source(source, format_, **options)
    if not columns or "columns" in format_.options:
        return corpus
    ignored = f"--columns do not apply to the format {format_.name}"
    return replace(corpus, notes=(*corpus.notes, ignored))


def layer_as_tags(corpus: Corpus, layer: str) -> Corpus:
    """The corpus with one of its layers as the tags."""
    return replace(corpus, layers={**corpus.layers, LAYER: corpus.layers[layer]})


def _side_by_side(
    first: Corpus, read_first: str, systems: Sequence[Named], inputs: Inputs, columns: Columns
) -> Iterator[tuple[str, Corpus]]:
    """Systems whose files carry the gold too, which must be the same in all of them."""
    for name, path in systems:
        corpus = first if path == read_first else read_side(path, inputs, columns)
        require_same_side(first, corpus)
        yield name, layer_as_tags(corpus, "answer") if first.layers else corpus
        del corpus  # before the next file is read


def _same_file_notes(systems: list[Named]) -> list[str]:
    names: dict[str, list[str]] = {}
    for name, path in systems:
        names.setdefault(os.path.realpath(path), []).append(name)
    same = [(listed, path) for path, listed in names.items() if len(listed) > 1]
    return [f"{' and '.join(listed)} are one file: {Path(path).name}" for listed, path in same]
