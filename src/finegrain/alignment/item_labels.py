"""The labels of items as files have them: lists, cells with a separator, 0/1 columns, long tables.

>>> from finegrain.formats.delimited import read
>>> from finegrain.formats.source import source_of
>>> found = label_sets(read(source_of("gold", b"id,labels\\na,joy|love\\nb,\\n")), GOLD_NAMES)
>>> found.item.tolist(), [found.names[code] for code in found.label]
([0, 0], ['joy', 'love'])
>>> long = label_sets(read(source_of("gold", b"id,code\\nd1,I10\\nd1,E11\\nd2,I10\\n")), GOLD_NAMES)
>>> long.corpus.n_sentences, long.item.tolist()
(2, [0, 0, 1])
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Coded, Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, cell, chosen
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import LINE, TEXT, WITHOUT, coded, line_of, numbers, of_fields
from finegrain.errors import InputError, Problem, UsageError
from finegrain.sizes import sized

_SHARED = (
    "labels", "label", "codes", "code", "classes", "categories", "topics", "emotions", "class",
    "category",
)  # fmt: skip
GOLD_NAMES = (
    "gold", "gold_labels", "gold_label", "true_labels", "true_label", *_SHARED, "target",
    "targets", "y_true", "truth", "answer",
)  # fmt: skip
"""Keys and columns that hold gold labels, the first that there is."""
ANSWER_NAMES = (
    "answer", "answers", "prediction", "predictions", "predicted", "predicted_labels",
    "predicted_label", "pred", "y_pred", "output", *_SHARED,
)  # fmt: skip
"""Keys and columns that hold a system's labels."""
SEPARATORS = {"|": "|", ";": ";", ",": ",", "bar": "|", "semicolon": ";", "comma": ",",
              "space": " ", "none": ""}  # fmt: skip
_IN_OBJECTS = ("value", "label", "code", "name", "id")
_SCORE = re.compile(
    r"(?:scores?|probabilit(?:y|ies)|probs?|logits?)[._ ](?P<label>.+)\Z", re.DOTALL
)
_LIST = re.compile(r"\[.*\]\Z", re.DOTALL)
_PIECE = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)"|([^\s,'"\[\]]+))\s*(?:,|\Z)""")
_MOSTLY = 0.9  # of a column of 0 and 1
_SHOWN = 20  # problems that are told at once


class LabelSets(NamedTuple):
    """The labels of every item: label ``names[label[i]]`` of item ``item[i]``, in no order.

    ``known`` ``[item]``: whether its labels are given, be they none; ``schema``: the labels that
    the layout of the file names, used or not; ``scores``: label -> ``[item]``, nan for none.
    """

    corpus: Corpus
    item: NDArray[np.int64]
    label: NDArray[np.int64]
    names: tuple[str, ...]
    known: NDArray[np.bool_]
    used: tuple[str, ...]
    schema: tuple[str, ...] = ()
    scores: dict[str, NDArray[np.float64]] = {}  # noqa: RUF012 - never changed
    notes: tuple[str, ...] = ()


def label_sets(
    corpus: Corpus,
    keys: Sequence[str],
    *,
    separator: str = "",
    columns: Collection[str] = (),
    known: Collection[str] = (),
    threshold: float | None = None,
) -> LabelSets:
    """The labels of the items of a file, whatever its layout.

    Parameters
    ----------
    keys: names of the column or list of labels, the first that there is
    separator: between the labels of a cell; found out if nothing is left in doubt
    columns: of 0/1 columns, those that are labels; all of them if none is named
    known: labels that there are, which leave less in doubt
    threshold: of a file with scores and no labels, from where on a label is predicted
    """
    scores = _scores(corpus)
    for key in keys:
        if key in corpus.parts:
            return _of_lists(corpus, key)._replace(scores=scores)
        if key in corpus.fields:
            return _of_cells(corpus, key, separator, known)._replace(scores=scores)
        inside = {
            name[len(key) + 1 :]: name for name in corpus.fields if name.startswith(f"{key}.")
        }
        if inside:
            return _of_columns(corpus, inside)._replace(scores=scores)
    flags = {name: name for name in _flags(corpus) if not columns or name in columns}
    if flags:
        return _of_columns(corpus, flags)._replace(scores=scores)
    if scores and threshold is not None:
        return _of_scores(corpus, scores, threshold)
    raise _no_labels(corpus, keys, scores=bool(scores))


def _no_labels(corpus: Corpus, keys: Sequence[str], *, scores: bool) -> InputError:
    have = ", ".join(one for one in (*corpus.fields, *corpus.parts) if not one.startswith("@"))
    mend = "Say which column it is: --columns labels=NAME (--gold-columns for the gold file)."
    if scores:
        mend = "Say from which score on a label is predicted: --set threshold=0.5."
    what = f"items have no labels: no column {' or '.join(map(repr, keys[:3]))} (columns: {have})"
    return InputError.at(corpus.source, 1, what, mend)


def _scores(corpus: Corpus) -> dict[str, NDArray[np.float64]]:
    return {
        match["label"]: values
        for name in corpus.fields
        if (match := _SCORE.match(name)) and (values := numbers(corpus.fields[name])) is not None
    }


def _of_lists(corpus: Corpus, key: str) -> LabelSets:
    part = corpus.parts[key]
    known = np.ones(corpus.n_sentences, bool)
    if WITHOUT + key in corpus.fields:
        known = np.asarray(corpus.fields[WITHOUT + key]) == 0
    if not part.size:
        none = np.empty(0, np.int64)
        return LabelSets(corpus, none, none, (), known, (key,))
    column = next((part.fields[name] for name in _IN_OBJECTS if name in part.fields), None)
    if column is None:
        what = f"objects in {key!r} have no 'label' (keys: {', '.join(part.fields)})"
        raise InputError.at(corpus.source, 1, what, 'Write ["joy", "love"].')
    labels = coded(column, missing="")
    _require_named(corpus, part.parent, labels)
    return _once(LabelSets(
        corpus, part.parent.astype(np.int64), labels.codes.astype(np.int64), labels.names, known,
        (key,),
    ))  # fmt: skip


def _require_named(corpus: Corpus, parent: IntArray, labels: Coded) -> None:
    if "" not in labels.names:
        return
    empty = np.flatnonzero(labels.codes == labels.names.index(""))
    mend = "Write [] for no label."
    raise item_faults(corpus, parent[empty], "a label in the list is empty", mend)


def _once(sets: LabelSets) -> LabelSets:
    """Every label of an item once; a note counts those that are listed again."""
    size = len(sets.names)
    pairs = np.unique(sets.item * size + sets.label)
    again = len(sets.item) - len(pairs)
    notes = sets.notes
    if again:
        notes += (f"labels listed twice for an item: {again:,}; each counts once",)
    return sets._replace(item=pairs // max(1, size), label=pairs % max(1, size), notes=notes)


def _of_columns(corpus: Corpus, named: dict[str, str]) -> LabelSets:
    """0/1 columns: label -> name of its column."""
    columns = [numbers(corpus.fields[name]) for name in named.values()]
    stacked = np.zeros((corpus.n_sentences, len(named)))
    for place, (label, column) in enumerate(zip(named, columns, strict=True)):
        if column is None:
            what = f"the column {label!r} of a label holds something else than 0 and 1"
            raise InputError.at(corpus.source, 1, what, "Write 1 for a label, 0 for none.")
        stacked[:, place] = column
        odd = np.flatnonzero((column != 0) & (column != 1))
        if len(odd):
            raise item_faults(corpus, odd, partial(_told, column, label), "Write 0 or 1.")
    item, code = np.nonzero(stacked == 1)
    known = np.ones(corpus.n_sentences, bool)
    names = tuple(named)
    return LabelSets(corpus, item, code, names, known, tuple(named.values()), schema=names)


def _told(column: NDArray[np.float64], label: str, item: int) -> str:
    found = "nothing" if np.isnan(column[item]) else f"{column[item]:g}"
    return f"{found} in the column of the label {label[:40]!r}"


def _flags(corpus: Corpus) -> list[str]:
    """Columns of 0 and 1 that are none of the usual ones; a few other numbers are mistakes."""
    found = []
    for name, column in corpus.fields.items():
        if name.startswith("@") or name in ("id", "document", *TEXT) or _SCORE.match(name):
            continue
        values = numbers(column)
        if values is not None and np.isin(values, (0, 1)).mean() >= _MOSTLY:
            found.append(name)
    return found


def _of_scores(
    corpus: Corpus, scores: dict[str, NDArray[np.float64]], threshold: float
) -> LabelSets:
    stacked = np.stack(list(scores.values()), axis=1)
    item, label = np.nonzero(np.nan_to_num(stacked, nan=-np.inf) >= threshold)
    known = np.ones(corpus.n_sentences, bool)
    note = f"{corpus.source}: labels are those with a score of at least {threshold:g}"
    return LabelSets(
        corpus, item, label, tuple(scores), known, (), scores=scores, notes=(note,)
    )  # fmt: skip


def _of_cells(corpus: Corpus, key: str, separator: str, known: Collection[str]) -> LabelSets:
    cells = coded(corpus.fields[key], missing="")
    split = _split_cells(corpus, cells, separator, known)
    names = tuple(sorted({label for labels in split for label in labels}))
    number = {name: code for code, name in enumerate(names)}
    flat = np.array([number[label] for labels in split for label in labels], np.int64)
    lengths = np.array([len(labels) for labels in split], np.int64)
    begin = np.cumsum(lengths) - lengths
    own = lengths[cells.codes]
    item = np.repeat(np.arange(len(cells)), own)
    first = np.repeat(begin[cells.codes] - (np.cumsum(own) - own), own)
    label = flat[first + np.arange(len(item))] if len(item) else np.empty(0, np.int64)
    sets = LabelSets(corpus, item, label, names, np.ones(len(cells), bool), (key,))
    return _once(_grouped(sets))


def _split_cells(
    corpus: Corpus, cells: Coded, separator: str, known: Collection[str]
) -> list[list[str]]:
    """The labels of every distinct cell."""
    if separator:
        if separator not in SEPARATORS and len(separator) > 1:
            raise UsageError.unknown("separator", separator, [*SEPARATORS, "any one character"])
        mark = SEPARATORS.get(separator, separator)
        return [_pieces(text, mark) for text in cells.names]
    lists = [bool(_LIST.match(text)) for text in cells.names]
    if any(lists) and all(one or not text for one, text in zip(lists, cells.names, strict=True)):
        return [_listed(corpus, cells, code) for code in range(len(cells.names))]
    return [_pieces(text, _certain(corpus, cells, known)) for text in cells.names]


def _pieces(text: str, mark: str) -> list[str]:
    pieces = text.split(mark) if mark else [text]
    return [piece.strip() for piece in pieces if piece.strip()]


def _certain(corpus: Corpus, cells: Coded, known: Collection[str]) -> str:
    """The separator of labels, if there is no doubt about it; empty if every cell is one label."""
    there = [mark for mark in "|;," if any(mark in text for text in cells.names)]
    if not there:
        single = not any(" " in text.strip() for text in cells.names)
        if single or set(known).issuperset(filter(None, cells.names)):
            return ""
        there = [" "]
    if len(there) == 1 and (there[0] in "|;" or _recur(cells.names, there[0], known)):
        return there[0]
    name = {"|": "bar", ";": "semicolon", ",": "comma", " ": "space"}[there[0]]
    code = next(at for at, text in enumerate(cells.names) if there[0] in text)
    item = int(np.flatnonzero(cells.codes == code)[0])
    raise InputError.at(
        corpus.source, line_of(corpus, item),
        f"what separates labels in {cells.names[code][:60]!r} is not certain",
        f"Say it: --set separator={name} (bar, semicolon, comma, space; none: each cell is one "
        "label).",
    )  # fmt: skip


def _recur(cells: Sequence[str], mark: str, known: Collection[str]) -> bool:
    """Whether what stands on either side of a mark occurs elsewhere, too, as labels do."""
    homes: dict[str, int] = {}
    for text in cells:
        for piece in set(_pieces(text, mark)):
            homes[piece] = homes.get(piece, 0) + 1
    several = [_pieces(text, mark) for text in cells if mark in text]
    return all(any(homes[one] > 1 or one in known for one in pieces) for pieces in several)


def _listed(corpus: Corpus, cells: Coded, code: int) -> list[str]:
    """A cell that holds a list as Python or JSON writes it: ``['joy', 'love']``, ``[27]``."""
    inner, found, at = cells.names[code].strip()[1:-1], [], 0
    while inner[at:].strip():
        match = _PIECE.match(inner, at)
        if match is None:
            item = int(np.flatnonzero(cells.codes == code)[0])
            what = f"{cells.names[code][:60]!r} is not a list of labels"
            raise InputError.at(
                corpus.source, line_of(corpus, item), what, """Write ['joy', 'love'] or joy|love."""
            )
        found.append(next(group for group in match.groups() if group is not None).strip())
        at = match.end()
    return [label for label in found if label]


def _grouped(sets: LabelSets) -> LabelSets:
    """One row per item where a file has a line for each of its labels, with the id repeated."""
    corpus = sets.corpus
    if "id" not in corpus.fields:
        return sets
    ids = coded(corpus.fields["id"], missing="")
    if len(np.unique(ids.codes)) == len(ids):
        return sets
    _, first, inverse = np.unique(ids.codes, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    item, rows = place[inverse.ravel()], first[order]
    fields: dict[str, Column] = {}
    varied = []
    for name, column in corpus.fields.items():
        if name in (*sets.used, LINE):
            continue
        if name == "id" or _same(column, item, rows):
            fields[name] = chosen(column, rows)
        else:
            varied.append(name)
    notes = list(corpus.notes)
    if varied:
        notes.append(
            f"{corpus.source}: columns that differ within an item are left out: {', '.join(varied)}"
        )
    lines = np.array([line_of(corpus, row) for row in rows.tolist()], np.int64)
    grouped = of_fields(
        corpus.source, fields, lines=lines, notes=tuple(notes), format=corpus.format
    )
    return sets._replace(
        corpus=grouped, item=item[sets.item], known=np.ones(len(rows), bool), used=()
    )


def _same(column: Column, item: NDArray[np.int64], rows: IntArray) -> bool:
    """Whether all lines of an item have the same value."""
    if isinstance(column, Texts):
        return not column.differ(column.take(rows[item])).any()
    values = np.array([str(cell(column, row)) for row in range(len(item))], object)
    return bool((values == values[rows[item]]).all())


def outside(sets: LabelSets, schema: Collection[str]) -> list[Problem]:
    """Labels that are none of the schema, each with the line where it stands first."""
    found = []
    for code, name in enumerate(sets.names):
        items = sets.item[sets.label == code]
        if name not in schema and len(items):
            what = f"the label {name[:40]!r} is not in the schema"
            mend = f"The schema has {sized(len(schema), 'label')}; rename it: --map OLD=NEW."
            found.append(
                Problem(sets.corpus.source, line_of(sets.corpus, int(items.min())), what, mend)
            )
    return found[:_SHOWN]
