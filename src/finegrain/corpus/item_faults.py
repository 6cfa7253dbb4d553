"""One fault of several items, each with its line: the first are listed, and all are counted.

>>> from finegrain.corpus.items import of_fields
>>> import numpy as np
>>> corpus = of_fields("answers.csv", {"label": np.zeros(30)}, format="csv")
>>> error = item_faults(corpus, np.arange(25), "no answer", "Write a label.")
>>> len(error.problems), error.unlisted
(20, 5)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from finegrain.corpus.document import Corpus
from finegrain.corpus.items import line_of
from finegrain.corpus.texts import IntArray
from finegrain.errors import InputError, Problem

LISTED = 20  # problems that are told one by one


def item_faults(
    corpus: Corpus,
    items: Sequence[int] | IntArray,
    what: str | Callable[[int], str],
    mend: str,
    *,
    kind: type[InputError] = InputError,
) -> InputError:
    """The error to raise; ``what``: the fault, or what it is of an item.

    Items that are in no file, but in lists, have no lines: they are numbered.
    """
    told = [int(item) for item in items[:LISTED]]
    problems = []
    for item in told:
        line, fault = line_of(corpus, item), what if isinstance(what, str) else what(item)
        problems.append(Problem(corpus.source, line, fault if line else f"item {item + 1}: {fault}",
                                mend))  # fmt: skip
    return kind(problems, unlisted=len(items) - len(told))
