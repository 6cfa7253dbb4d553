"""From a listed data set to its outcome table and training data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from finegrain.alignment.task_options import fitting, require_own
from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.label_rules import LabelRules
from finegrain.files_read import called
from finegrain.formats import by_name, read_source, recognise
from finegrain.formats.source import open_source
from finegrain.suites.layout import ListedSet
from finegrain.table import OutcomeTable
from finegrain.tasks import align, guess
from finegrain.tasks import by_name as by_task_name


class Loaded(NamedTuple):
    """A data set in memory; ``runs`` are the table's systems by the name of the suite's.

    ``learning``: how training data are read, as in ``buckets``
    """

    table: OutcomeTable
    train: Corpus | None
    runs: Mapping[str, Sequence[str]]
    learning: Mapping[str, Any]


def load(listed: ListedSet, *, strict: bool = False) -> Loaded:
    """Read and align the files of a data set; only one system is in memory at a time."""
    reading = {**listed.reading, "strict": strict}
    _call(listed)
    gold = _read(listed.gold, reading, reading.get("gold_columns") or reading.get("columns"))
    runs = {name: run_names(name, len(files)) for name, files in listed.systems.items()}
    layer = reading.get("layer", LAYER)
    task = reading.get("task") or guess(gold, layer=layer).name
    rules = LabelRules(
        reading.get("map", {}), _listed(reading.get("labels")), _listed(reading.get("exclude"))
    )
    learning: dict[str, Any] = {"layer": layer, "rules": rules}
    learning |= {name: reading[name] for name in ("scheme", "policy") if name in reading}
    own = reading.get("set", {})
    for name in own:
        require_own(by_task_name(task), name)
    options = {**fitting(by_task_name(task), learning), **own}
    table = align(gold, _systems(listed, runs, reading), task=task, strict=strict, **options)
    train = None
    if listed.train is not None:
        columns = reading.get("gold_columns") or reading.get("columns")
        train = _read(listed.train, reading, columns)
    return Loaded(table, train, runs, learning)


def _call(listed: ListedSet) -> None:
    """Say what the files of a data set are."""
    called(listed.gold, f"{listed.name}: gold")
    for name, files in listed.systems.items():
        for run, path in zip(run_names(name, len(files)), files, strict=True):
            called(path, f"{listed.name}: {run}")
    if listed.train is not None:
        called(listed.train, f"{listed.name}: train")


def run_names(system: str, size: int) -> tuple[str, ...]:
    """What the runs of a system are called.

    >>> run_names("crf", 1), run_names("neural", 2)
    (('crf',), ('neural #1', 'neural #2'))
    """
    if size == 1:
        return (system,)
    return tuple(f"{system} #{number}" for number in range(1, size + 1))


def _systems(
    listed: ListedSet, runs: Mapping[str, Sequence[str]], reading: Mapping[str, Any]
) -> Iterator[tuple[str, Corpus]]:
    for name, files in listed.systems.items():
        for run, path in zip(runs[name], files, strict=True):
            yield run, _read(path, reading, reading.get("columns"))


def _read(path: str, reading: Mapping[str, Any], columns: Mapping[str, int | str] | None) -> Corpus:
    source = open_source(path)
    format_ = by_name(reading["input"]) if "input" in reading else recognise(source)
    if columns and "input" not in reading and format_.name in ("conllu", "matrix"):
        format_ = by_name("conll")  # whoever names columns wants those
    options: dict[str, Any] = {}
    if format_.name == "conll":
        options = {name: reading[name] for name in ("header", "comment") if name in reading}
        options["columns"] = dict(columns) if columns else None
    return read_source(source, format_, strict=reading["strict"], **options)


def _listed(given: str | list[str] | None) -> frozenset[str]:
    return frozenset([given] if isinstance(given, str) else given or ())
