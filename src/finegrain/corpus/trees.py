"""Dependency trees: the head and the relation of every word, as columns.

Heads and relations are two layers of a corpus, ``head`` and ``deprel``. A head is written as in the
files: the number of a word of the sentence, from 1, or 0 for the root.

>>> corpus = Corpus.of([["dogs", "bark"]], head=[["2", "0"]], deprel=[["nsubj", "root"]])
>>> heads(corpus).tolist()                    # tokens of the corpus, from 0
[1, -1]
>>> faults(corpus)
()
>>> loop = Corpus.of([["dogs", "bark"]], head=[["2", "1"]], deprel=[["nsubj", "root"]])
>>> for fault in faults(loop):
...     print(fault)
1 sentence without a root, the first: sentence 1
1 sentence with a cycle, the first: sentence 1

A CoNLL-U file is read without them; ``with_trees`` decodes them from the rest of the lines that the
corpus has kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.document import Corpus
from finegrain.corpus.texts import Coded, IntArray, Texts
from finegrain.errors import InputError

HEAD, RELATION = "head", "deprel"
ROOT, NOWHERE = -1, -2  # heads that are no word: the root, and none or one outside of the sentence
_TAB = 9
_NOTHING = "_"


def with_trees(corpus: Corpus) -> Corpus:
    """The corpus with the layers ``head`` and ``deprel``; an error if it has none."""
    if HEAD in corpus.layers and RELATION in corpus.layers:
        return corpus
    if corpus.further is None:
        have = ", ".join(corpus.layers) or "none"
        raise InputError.at(
            corpus.source, 0, f"there are no heads and relations (layers: {have})",
            "Use CoNLL-U, or name the columns: --columns token=2,head=7,deprel=8.",
        )  # fmt: skip
    head, rest = _cut(corpus.further)
    relation, _ = _cut(rest)
    layers = {**corpus.layers, HEAD: head.coded(), RELATION: relation.coded()}
    return replace(corpus, layers=layers, further=None)


def _cut(texts: Texts) -> tuple[Texts, Texts]:
    """The texts before their first tab, and what follows it."""
    data = np.frombuffer(texts.buffer, np.uint8)
    lengths = np.zeros(len(texts), np.int32)
    rows: IntArray = np.arange(len(texts))
    at = texts.starts.astype(np.int64)
    while len(rows):
        going = data[at] != _TAB
        rows, at = rows[going], at[going]
        lengths[rows] += 1
        at += 1
    first = Texts(texts.buffer, texts.starts, lengths)
    return first, Texts(texts.buffer, texts.starts + lengths + 1, texts.lengths - lengths - 1)


def heads(corpus: Corpus) -> NDArray[np.int32]:
    """``[token]`` the head of each word as a token of the corpus; ``ROOT``, or ``NOWHERE``."""
    column = corpus.layers[HEAD]
    numbers = np.array([_number(name) for name in column.names] or [0], np.int64)
    if (numbers < -1).any():
        code = int(np.argmax(numbers < -1))
        token = int(np.argmax(column.codes == code))
        raise InputError.at(
            corpus.source, corpus.line(token), f"{column.names[code]!r} is no head",
            "A head is the number of a word, 0 for the root, or _ for none.",
        )  # fmt: skip
    number = numbers[column.codes]
    lengths = np.diff(corpus.offsets)
    inside = (number > 0) & (number <= np.repeat(lengths, lengths))
    place = np.repeat(corpus.offsets[:-1], lengths) + number - 1
    found = np.where(inside, place, np.where(number == 0, ROOT, NOWHERE))
    return found.astype(np.int32)


def _number(name: str) -> int:
    """A head as a number; -1 for none, -2 for what is no head."""
    if name == _NOTHING:
        return -1
    return int(name) if name.isdecimal() and name.isascii() and len(name) < 10 else -2


def require_heads(corpus: Corpus, head: NDArray[np.int32]) -> None:
    """Raise unless every word of a gold standard has a head in its sentence."""
    missing = head == NOWHERE
    if not missing.any():
        return
    if missing.all():
        what = "no word has a head"
        raise InputError.at(corpus.source, 0, what, "For parts of speech say --task tags.")
    token = int(np.argmax(missing))
    given = corpus.layers[HEAD][token]
    length = int(np.diff(corpus.offsets)[corpus.sentence_of(token)])
    what = "the word has no head" if given == _NOTHING else (
        f"the head {given} lies outside of the sentence, which has {length} words"
    )  # fmt: skip
    raise InputError.at(corpus.source, corpus.line(token), what, "The gold trees must be complete.")


def faults(corpus: Corpus) -> tuple[str, ...]:
    """What is wrong with trees, as sentences for people: roots, cycles, heads that lead nowhere."""
    return tuple(_faults(corpus, heads(corpus)))


def _faults(corpus: Corpus, head: NDArray[np.int32]) -> Iterator[str]:
    sentence = corpus.sentence_of_tokens()
    missing = np.flatnonzero(head == NOWHERE)
    if len(missing):
        first = corpus.line(int(missing[0])) or int(sentence[missing[0]]) + 1
        where = f"line {first}" if corpus.line(int(missing[0])) else f"sentence {first}"
        few = f"{len(missing):,} words have" if len(missing) > 1 else "1 word has"
        yield f"{few} no head in the sentence, the first: {where}"
    roots = np.bincount(sentence[head == ROOT], minlength=corpus.n_sentences)
    yield from _told(roots > 1, "with several roots")
    yield from _told(roots == 0, "without a root")
    in_cycle = np.zeros(corpus.n_sentences, bool)
    in_cycle[sentence[~reach_root(head)]] = True
    yield from _told(in_cycle, "with a cycle")


def _told(sentences: NDArray[np.bool_], how: str) -> Iterator[str]:
    count = int(np.count_nonzero(sentences))
    if count:
        first = int(np.argmax(sentences)) + 1
        noun = "sentence" if count == 1 else "sentences"
        yield f"{count:,} {noun} {how}, the first: sentence {first}"


def reach_root(head: NDArray[np.int32]) -> NDArray[np.bool_]:
    """``[token]`` whether going from head to head comes to an end; it does not in a cycle.

    >>> reach_root(np.array([1, -1, 3, 2, 3], np.int32)).tolist()
    [True, True, False, False, False]
    """
    size = len(head)
    up = np.append(np.where(head < 0, size, head), size).astype(np.int32)
    while True:  # twice as far in every round
        further = up[up]
        done = further == size
        if done.all() or (further == up).all():
            break
        if (done == (up == size)).all():  # nobody new has arrived: the others never will
            break
        up = further
    arrived: NDArray[np.bool_] = up[up][:-1] == size
    return arrived


def depths(head: NDArray[np.int32]) -> NDArray[np.int32]:
    """``[token]`` how many arcs lead from the root to a word; 0 below a cycle.

    >>> depths(np.array([1, -1, 1, 2], np.int32)).tolist()
    [2, 1, 2, 3]
    """
    depth = np.zeros(len(head), np.int32)
    level = 0
    above = head < 0
    while above.any():
        level += 1
        depth[above] = level
        known = np.append(above, False)
        above = known[head] & (depth == 0) & (head >= 0)
    return depth


def relations(corpus: Corpus, *, subtypes: bool, fold_case: bool) -> Coded:
    """The relation of each word under the name that counts.

    >>> trees = Corpus.of([["a", "b"]], head=[["2", "0"]], deprel=[["nmod:poss", "ROOT"]])
    >>> list(relations(trees, subtypes=False, fold_case=True))
    ['nmod', 'root']
    """
    column = corpus.layers[RELATION]
    names = column.names if subtypes else tuple(base(name) for name in column.names)
    renamed = Coded.of(name.lower() if fold_case else name for name in names)
    return Coded(renamed.codes[column.codes], renamed.names)


def base(relation: str) -> str:
    """A relation without its subtype.

    >>> base("acl:relcl")
    'acl'
    """
    return relation.partition(":")[0]
