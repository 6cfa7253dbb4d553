"""From files to the outcome table in one call.

>>> import tempfile
>>> from pathlib import Path
>>> import finegrain as fg
>>> with tempfile.TemporaryDirectory() as folder:
...     gold, crf = Path(folder, "gold.conll"), Path(folder, "crf.conll")
...     _ = gold.write_text("Ada B-PER\\nin O\\nBern B-LOC\\n")
...     _ = crf.write_text("Ada B-PER\\nin O\\nBern O\\n")
...     table = fg.evaluate(gold, {"crf": crf})
>>> fg.score(table)["crf"].recall
0.5
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from finegrain.corpus import LAYER, Corpus
from finegrain.errors import UsageError
from finegrain.files_read import FilePath
from finegrain.formats import Format, by_name, read_source, recognise
from finegrain.formats.source import open_source, stem
from finegrain.table import OutcomeTable
from finegrain.tasks import Task, align, guess
from finegrain.tasks import by_name as task_by_name


def evaluate(
    gold: FilePath | Corpus,
    systems: Mapping[str, FilePath | Corpus] | Iterable[FilePath] = (),
    *,
    task: str | Task | None = None,
    format: str | Format | None = None,  # noqa: A002 - the thing's name
    columns: Mapping[str, int | str] | None = None,
    gold_columns: Mapping[str, int | str] | None = None,
    keys: Mapping[str, str] | None = None,
    tag_names: Sequence[str] | None = None,
    strict: bool = False,
    **options: Any,
) -> OutcomeTable:
    """Read gold and systems and align them into one outcome table.

    Parameters
    ----------
    gold: the file (plain or compressed) or a corpus
    systems: name -> file or corpus, or files alone, which are named by their stems; nothing for
        tasks whose files hold the systems, such as ratings
    task: its name or value; by default that of the gold annotation
    format: the format of all files or its name; by default recognised by content
    columns: what the columns of the files hold, ``{"token": 1, "tags": 4}``
    gold_columns: the same of the gold file, where it differs
    keys: where records of JSON have their ``text``, ``spans`` and ``label``, if elsewhere
    tag_names: what tags that are numbers stand for, in order
    strict: refuse data that had to be repaired, skipped or guessed
    options: of the task, e.g. ``scheme="iob2"``; ``cluster="passage"``
    """
    chosen = task_by_name(task) if isinstance(task, str) else task
    formats = () if chosen is None else chosen.formats
    how: dict[str, Any] = {
        "format": format, "columns": columns, "keys": keys, "tag_names": tag_names, "strict": strict
    }  # fmt: skip
    of_gold = {**how, "columns": gold_columns or columns}
    read = gold if isinstance(gold, Corpus) else _read(gold, formats, of_gold)
    chosen = chosen or guess(read, layer=options.get("layer", LAYER))
    pairs = _pairs(_named(systems), chosen.formats, {**how, "gold": read})
    return align(read, pairs, task=chosen, strict=strict, **options)


def _named(
    systems: Mapping[str, FilePath | Corpus] | Iterable[FilePath],
) -> Mapping[str, FilePath | Corpus]:
    if isinstance(systems, Mapping):
        return systems
    paths = [os.fspath(path) for path in systems]
    names = [stem(path) for path in paths]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two files are called {twice!r}: name systems as {{name: path}}")
    return dict(zip(names, paths, strict=True))


def _pairs(
    systems: Mapping[str, FilePath | Corpus], formats: tuple[str, ...], how: Mapping[str, Any]
) -> Iterator[tuple[str, Corpus]]:
    """One system at a time, so that only one file is in memory."""
    for name, system in systems.items():
        yield name, system if isinstance(system, Corpus) else _read(system, formats, how)


def _read(path: FilePath, formats: tuple[str, ...], how: Mapping[str, Any]) -> Corpus:
    source = open_source(path)
    wanted = how["format"] or ("jsonl" if how["keys"] else None)
    format_ = by_name(wanted) if isinstance(wanted, str) else wanted or recognise(source, formats)
    given = {name: value for name, value in how.items() if name in format_.options and value}
    if how["columns"]:  # refused by a format without columns
        given["columns"] = how["columns"]
    return read_source(source, format_, strict=how["strict"], **given)
