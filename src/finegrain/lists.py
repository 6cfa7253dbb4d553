"""From a training loop: nested lists of tags, as for seqeval, to tables and reports.

>>> import finegrain as fg
>>> gold = [["O", "B-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
>>> answers = [["B-MISC", "I-MISC", "I-MISC", "O"], ["B-PER", "I-PER", "O"]]
>>> print(fg.classification_report(gold, answers))
              precision    recall  f1-score   support
<BLANKLINE>
        MISC       0.00      0.00      0.00         1
         PER       1.00      1.00      1.00         1
<BLANKLINE>
   micro avg       0.50      0.50      0.50         2
   macro avg       0.50      0.50      0.50         2
weighted avg       0.50      0.50      0.50         2
<BLANKLINE>

Numbers need the names that they stand for; positions whose gold tag is to be ignored are dropped:

>>> names = ["O", "B-PER", "I-PER"]
>>> table = fg.from_lists([[-100, 1, 2, -100]], {"run1": [[0, 1, 2, 2]]}, names=names)
>>> table.systems, len(table), table.notes
(('run1',), 1, ('2 of 4 positions ignored: -100',))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from finegrain.alignment.task_options import fitting
from finegrain.corpus import LAYER, Coded, Corpus, Texts
from finegrain.corpus.notes import Information
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable
from finegrain.tasks import Task, align, by_name, guess
from finegrain.views.classification_report import as_classification_report
from finegrain.views.escape import visible

Names = Sequence[str] | Mapping[int, str] | Mapping[str, int]
GOLD = "gold"
SYSTEM = "system"
_SAME = "Gold and system must have one tag for every token."


def from_lists(
    y_true: Any,
    y_pred: Any,
    *,
    tokens: Any = None,
    names: Sequence[str] | Mapping[int, str] | Mapping[str, int] | None = None,
    ignore: Iterable[int | str] = (-100,),
    task: str | Task | None = None,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    strict: bool = False,
) -> OutcomeTable:
    """Align nested lists of tags, one list per sentence, into an outcome table.

    Parameters
    ----------
    y_true: gold tags as strings or numbers; anything with ``tolist`` (arrays, tensors) will do
    y_pred: answers of the same shape, or a dictionary of them: name -> answers
    tokens: the words, of the same shape; without them there is no text to show
    names: what the numbers stand for: a list of names, or a dictionary of a model's configuration,
        ``id2label`` (number -> name) or ``label2id`` (name -> number)
    ignore: gold tags whose positions are dropped on both sides, and counted in the notes
    task: ``spans`` or ``tags``; found out from the gold tags if not given
    scheme, policy: for spans, see ``align``
    strict: refuse tags that had to be repaired
    """
    gold = _sentences(y_true, GOLD)
    shape = _shape(gold, frozenset(ignore), names)
    texts = None if tokens is None else Texts.of(_words(tokens, shape))
    corpus = replace(_corpus(gold, GOLD, shape, texts=texts), notes=_ignored(gold, shape))
    chosen = by_name(task) if isinstance(task, str) else task or guess(corpus)
    if scheme is not None and "scheme" not in chosen.options:
        raise UsageError("a scheme is for spans; these are plain tags")
    answers = y_pred if isinstance(y_pred, Mapping) else {SYSTEM: y_pred}
    systems = (
        (str(name), _corpus(_sentences(rows, str(name)), str(name), shape, texts=texts))
        for name, rows in answers.items()
    )
    options = fitting(chosen, {"scheme": scheme, "policy": policy})
    return align(corpus, systems, task=chosen, strict=strict, **options)


def classification_report(
    y_true: Any,
    y_pred: Any,
    *,
    digits: int = 2,
    names: Sequence[str] | Mapping[int, str] | Mapping[str, int] | None = None,
    ignore: Iterable[int | str] = (-100,),
    task: str | Task | None = None,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
) -> str:
    """Precision, recall and F1 as text, in the layout of seqeval and scikit-learn.

    For spans the text is that of ``seqeval.metrics.classification_report`` in its default mode
    (with ``policy="discard"`` and a scheme: of its strict mode), for tags that of
    ``sklearn.metrics.classification_report``. As there, what is undefined is printed as 0. Several
    systems, given as a dictionary, get one report each, headed by their names.
    """
    table = from_lists(
        y_true, y_pred, names=names, ignore=ignore, task=task, scheme=scheme, policy=policy
    )
    reports = [as_classification_report(table, name, digits=digits) for name in table.systems]
    if not isinstance(y_pred, Mapping):
        return reports[0]
    return "\n".join(
        f"{visible(name)}\n\n{text}" for name, text in zip(table.systems, reports, strict=True)
    )


Rows = list[list[Any]]


class _Shape(NamedTuple):
    """What all sides share: lengths of sentences, which positions are kept, names of numbers."""

    lengths: list[int]
    kept: list[list[bool]] | None
    ignored: frozenset[int | str]
    names: dict[int, str] | None


def _shape(gold: Rows, ignored: frozenset[int | str], names: Names | None) -> _Shape:
    try:
        kept = [[tag not in ignored for tag in row] for row in gold]
    except TypeError:  # a list or the like where a tag should be
        raise _not_a_tag(gold, GOLD, _is_wrong) from None
    some = not all(all(row) for row in kept)
    lengths = [len(row) for row in gold]
    return _Shape(
        lengths, kept if some else None, ignored, None if names is None else _named(names)
    )


def _named(names: Names) -> dict[int, str]:
    """Number -> name, from a list, ``id2label`` or ``label2id``.

    >>> _named(["O", "B-PER"]) == _named({0: "O", 1: "B-PER"}) == _named({"O": 0, "B-PER": 1})
    True
    """
    if isinstance(names, str) or not isinstance(names, Mapping | Iterable):
        raise UsageError(f"names: expected a list or a dictionary of names, found {_shown(names)}")
    pairs = list(names.items()) if isinstance(names, Mapping) else list(enumerate(names))
    if isinstance(names, Mapping) and all(isinstance(number, Integral) for _, number in pairs):
        pairs = [(number, name) for name, number in pairs]
    found: dict[int, str] = {}
    for number, name in pairs:
        # JSON has no keys but strings: id2label of a configuration file
        at = int(number) if isinstance(number, str) and number.isdecimal() else number
        if not isinstance(at, Integral) or not isinstance(name, str):
            raise UsageError(
                f"names: {_shown(number)}: {_shown(name)} does not say what a number stands for. "
                "Give a list of names, {number: name} or {name: number}"
            )
        if int(at) in found:
            raise UsageError(f"names: {int(at)} has two names, {found[int(at)]!r} and {name!r}")
        found[int(at)] = name
    return found


def _sentences(rows: Any, name: str) -> Rows:
    """Nested lists from lists, arrays and tensors."""
    listed = rows.tolist() if hasattr(rows, "tolist") else rows
    found = []
    for row in _each(listed, f"{name}: expected a list of sentences"):
        plain = row.tolist() if hasattr(row, "tolist") else row
        found.append(list(_each(plain, f"{name}: expected a list of tags for each sentence")))
    return found


def _each(rows: Any, what: str) -> Iterable[Any]:
    if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
        raise UsageError(f"{what}, found {_shown(rows)}. Give nested lists: [['B-PER', 'O'], ...]")
    return rows


def _corpus(rows: Rows, name: str, shape: _Shape, *, texts: Texts | None) -> Corpus:
    """The tags of one side, without the ignored positions."""
    flat = _flat(rows, name, shape)
    try:
        distinct = set(flat)
    except TypeError:
        raise _not_a_tag(rows, name, _is_wrong) from None
    called = {tag: _name(tag, shape.names) for tag in distinct}
    if None in called.values():
        raise _not_a_tag(rows, name, lambda tag: tag in called and called[tag] is None)
    tags = Coded.of(str(called[tag]) for tag in flat)
    kept = shape.lengths if shape.kept is None else [sum(row) for row in shape.kept]
    offsets = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)]).astype(np.int64)
    return Corpus(name, offsets, texts, {LAYER: tags}, format="lists")


def _words(tokens: Any, shape: _Shape) -> list[str]:
    return [str(word) for word in _flat(_sentences(tokens, "tokens"), "tokens", shape)]


def _flat(rows: Rows, name: str, shape: _Shape) -> list[Any]:
    """All that is kept, one after the other; a shape that differs from the gold is an error."""
    lengths = [len(row) for row in rows]
    if lengths != shape.lengths:
        raise AlignmentError([Problem(name, 0, _difference(lengths, shape.lengths), _SAME)])
    if shape.kept is None:
        return list(chain.from_iterable(rows))
    return list(compress(chain.from_iterable(rows), chain.from_iterable(shape.kept)))


def _difference(lengths: list[int], expected: list[int]) -> str:
    for sentence, (here, there) in enumerate(zip(lengths, expected, strict=False), 1):
        if here != there:
            return f"sentence {sentence} has {here} positions, but the gold has {there} there"
    return f"{sized(len(lengths), 'sentence')}, but the gold has {len(expected):,}"


def _name(tag: Any, names: dict[int, str] | None) -> str | None:
    """The tag as a string; ``None`` if it is neither a string nor a number that has a name."""
    if isinstance(tag, str):
        return str(tag)
    return names.get(int(tag)) if isinstance(tag, Integral) and names is not None else None


def _is_wrong(tag: Any) -> bool:
    return not isinstance(tag, str | Integral)


def _not_a_tag(rows: Rows, name: str, wrong: Callable[[Any], bool]) -> InputError:
    """The complaint about the first tag that is wrong."""
    places = ((one, two, tag) for one, row in enumerate(rows) for two, tag in enumerate(row))
    sentence, at, tag = next(place for place in places if wrong(place[2]))
    what = f"sentence {sentence + 1}, position {at + 1}: {_shown(tag)} is not a tag"
    if isinstance(tag, Integral):
        mend = "Give names=[...] with a name for every number from 0 on, or a dictionary of names."
    elif isinstance(tag, Iterable):
        mend = "If these are scores of all tags, take the best one first: scores.argmax(-1)."
    else:
        mend = "Tags are strings, or whole numbers that names=[...] explains."
    return InputError.at(name, 0, what, mend)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "..."


def _ignored(gold: Rows, shape: _Shape) -> tuple[str, ...]:
    if shape.kept is None:
        return ()
    dropped = [tag for tag in chain.from_iterable(gold) if tag in shape.ignored]
    values = ", ".join(sorted({str(tag) for tag in dropped}))
    return (Information(f"{len(dropped)} of {sum(shape.lengths)} positions ignored: {values}"),)
