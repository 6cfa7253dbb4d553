r"""Labels of a crowd: one row for each, with the worker, the item, and gold where it is known.

>>> from finegrain.formats.source import source_of
>>> lines = b"annotator\titem\tlabel\tgold\nann\tq1\tyes\tyes\nben\tq1\tno\tyes\n"
>>> found = read_labels(source_of("labels.tsv", lines))
>>> found.workers, found.items, found.labels, found.gold.tolist()
(('ann', 'ben'), ('q1',), ('no', 'yes'), [1])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus
from finegrain.corpus.items import coded, line_of
from finegrain.errors import Collector, InputError
from finegrain.files_read import FilePath
from finegrain.formats import by_name, items, read_source
from finegrain.formats.label_table import MISSING
from finegrain.formats.source import Source, open_source
from finegrain.table.ratings import in_order

WORKER = ("annotator", "worker", "rater", "judge")
ITEM = ("item", "id", "unit", "question", "task")
LABEL = ("label", "response", "answer", "rating")
GOLD = ("gold", "gold_label", "truth", "expert")
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrowdLabels:
    """``[row]`` codes of the item, the worker and the label; ``gold`` ``[item]``, -1 for none.

    ``labels`` are those of workers and gold, in order.
    """

    source: str
    items: tuple[str, ...]
    workers: tuple[str, ...]
    labels: tuple[str, ...]
    item: Codes
    worker: Codes
    label: Codes
    gold: Codes
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        sizes = (
            f"{len(self.label)} labels of {len(self.items)} items by {len(self.workers)} workers"
        )
        return f"<CrowdLabels: {sizes}>"


def read_crowd(
    path: FilePath, *, columns: Mapping[str, int | str] | None = None, strict: bool = False
) -> CrowdLabels:
    """Read labels of workers, one per row, for ``fg.crowd``.

    columns: which columns are ``annotator``, ``item``, ``label`` and ``gold``, counted from 1 or by
        the names of the header, where that does not say so itself
    strict: refuse data that had to be repaired, skipped or guessed
    """
    return read_labels(open_source(path), columns=columns, strict=strict)


def read_labels(
    source: Source, *, columns: Mapping[str, int | str] | None = None, strict: bool = False
) -> CrowdLabels:
    """Read labels from an open file: CSV, TSV or JSON lines."""
    format_ = by_name("items" if items.looks_like(source) else "csv")
    corpus = read_source(source, format_, strict=strict, columns=columns)
    problems = Collector(source.name)
    worker = _column(corpus, WORKER, "annotator", problems)
    item = _column(corpus, ITEM, "item", problems)
    given = coded(_field(corpus, LABEL, "label"), missing="")
    known = ~np.isin(given.codes, [at for at, name in enumerate(given.names) if name in MISSING])
    cell = item.codes.astype(np.int64) * len(worker.names) + worker.codes
    _, first, back = np.unique(cell, return_index=True, return_inverse=True)
    for row in np.flatnonzero(first[back.ravel()] != np.arange(len(cell))).tolist():
        what = f"{worker[row][:40]!r} labels {item[row][:40]!r} a second time"
        problems.add(line_of(corpus, row), what, "Keep one label for each annotator and item.")
    gold = _gold(corpus, item, problems)
    problems.raise_any()
    if not known.any():
        raise InputError.at(source.name, 0, "no row has a label")
    used = {given.names[code] for code in np.unique(given.codes[known]).tolist()}
    labels = in_order(used | {name for name in gold if name is not None})
    place = {name: code for code, name in enumerate(labels)}
    label = np.array([place.get(name, -1) for name in given.names])[given.codes]
    missing = int((~known).sum())
    notes = (
        (f"{missing:,} of {len(known):,} rows have no label and are left out",) if missing else ()
    )
    return CrowdLabels(
        source.name, item.names, worker.names, labels, item.codes[known].astype(np.int64),
        worker.codes[known].astype(np.int64), label[known],
        np.array([-1 if name is None else place[name] for name in gold], np.int64),
        (*corpus.notes, *notes),
    )  # fmt: skip


def _field(corpus: Corpus, names: Sequence[str], what: str) -> Any:
    name = next((one for one in names if one in corpus.fields), None)
    if name is None:
        have = ", ".join(one for one in corpus.fields if not one.startswith("@"))
        raise InputError.at(
            corpus.source, 1, f"no column names the {what} (columns: {have})",
            "One label per row: annotator, item, label; or --columns annotator=1,item=2,label=3.",
        )  # fmt: skip
    return corpus.fields[name]


def _column(corpus: Corpus, names: Sequence[str], what: str, problems: Collector) -> Coded:
    """Names in the order in which they occur first; every row has one."""
    column = coded(_field(corpus, names, what), missing="")
    if "" in column.names:
        for row in np.flatnonzero(column.codes == column.names.index("")).tolist():
            problems.add(line_of(corpus, row), f"no {what}", "Name it in every row.")
        problems.raise_any()
    used, first = np.unique(column.codes, return_index=True)
    order = used[np.argsort(first, kind="stable")]
    place = np.zeros(len(column.names), np.int64)
    place[order] = np.arange(len(order))
    return Coded(place[column.codes], tuple(column.names[code] for code in order.tolist()))


def _gold(corpus: Corpus, item: Coded, problems: Collector) -> list[str | None]:
    """``[item]`` the gold label, which is the same in all rows of an item."""
    found: list[str | None] = [None] * len(item.names)
    name = next((one for one in GOLD if one in corpus.fields), None)
    if name is None:
        return found
    given = coded(corpus.fields[name], missing="")
    pairs = np.unique(
        item.codes.astype(np.int64) * len(given.names) + given.codes, return_index=True
    )
    for pair, row in zip(*(one.tolist() for one in pairs), strict=True):
        at, code = divmod(pair, len(given.names))
        label = given.names[code]
        if label in MISSING:
            continue
        if found[at] is not None:
            what = f"the gold label of {item.names[at][:40]!r} is {label[:40]!r} here and "
            problems.add(line_of(corpus, row), f"{what}{found[at]!r} elsewhere", "An item has one.")
        found[at] = label
    return found
