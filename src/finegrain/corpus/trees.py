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

A CoNLL-U file is read without them; ``with_trees`` makes layers of the columns that the corpus has
kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.cells import Layers
from finegrain.corpus.document import Corpus
from finegrain.corpus.texts import Coded, Texts
from finegrain.errors import InputError

HEAD, RELATION = "head", "deprel"
ROOT, NOWHERE = -1, -2  # heads that are no word: the root, and none or one outside of the sentence
NO_HEADS = "no word has a head"
_NOTHING = "_"
_DIGITS = 9  # no sentence is longer


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
    layers = corpus.layers
    if isinstance(layers, Layers) and layers.cells is corpus.further:
        return replace(corpus, layers=layers.also(HEAD, RELATION))
    decoded = {name: corpus.further.texts(name).coded() for name in (HEAD, RELATION)}
    return replace(corpus, layers={**layers, **decoded})


def heads(corpus: Corpus) -> NDArray[np.int32]:
    """``[token]`` the head of each word as a token of the corpus; ``ROOT``, or ``NOWHERE``."""
    number = _numbers(corpus.layers)
    if (number < -1).any():
        token = int(np.argmax(number < -1))
        raise InputError.at(
            corpus.source, corpus.line(token), f"{corpus.layers[HEAD][token]!r} is not a head",
            "A head is the number of a word, 0 for the root, or _ for none.",
        )  # fmt: skip
    bounds = corpus.offsets.astype(np.int32)
    lengths = np.diff(bounds)
    head: NDArray[np.int32] = number + np.repeat(bounds[:-1] - 1, lengths)
    no_word = np.flatnonzero((number < 1) | (head >= np.repeat(bounds[1:], lengths)))
    head[no_word] = np.where(number[no_word] == 0, ROOT, NOWHERE)
    return head


def _numbers(layers: Mapping[str, Coded]) -> NDArray[np.int32]:
    """``[token]`` heads as they are written; -1 for none, -2 for what is not a head."""
    if isinstance(layers, Layers):
        return _head_numbers(layers.texts(HEAD))
    column = layers[HEAD]
    return _head_numbers(Texts.of(column.names or [_NOTHING]))[column.codes]


def _head_numbers(texts: Texts) -> NDArray[np.int32]:
    numbers = texts.numbers(digits=_DIGITS)
    if len(numbers) and numbers.min() < 0:
        numbers[(numbers < 0) & ~texts.are(_NOTHING)] = -2
    return numbers


def require_heads(corpus: Corpus, head: NDArray[np.int32]) -> None:
    """Raise unless every word of a gold standard has a head in its sentence."""
    require_some_head(corpus, head)
    missing = head == NOWHERE
    if not missing.any():
        return
    token = int(np.argmax(missing))
    what = _no_head(corpus, token)
    raise InputError.at(corpus.source, corpus.line(token), what, "The gold trees must be complete.")


def require_some_head(corpus: Corpus, head: NDArray[np.int32]) -> None:
    """Raise if no word has a head in its sentence."""
    if len(head) and (head == NOWHERE).all():
        raise InputError.at(corpus.source, 0, NO_HEADS, "For parts of speech say --task tags.")


def _no_head(corpus: Corpus, token: int) -> str:
    given = corpus.layers[HEAD][token]
    if given == _NOTHING:
        return "the word has no head"
    sentence = corpus.sentence_of(token)
    length = int(corpus.offsets[sentence + 1] - corpus.offsets[sentence])
    return f"the head {given} lies outside of the sentence, which has {length} words"


def faults(corpus: Corpus, head: NDArray[np.int32] | None = None) -> tuple[str, ...]:
    """What is wrong with trees, as sentences for people: roots, cycles, heads that lead nowhere."""
    return tuple(_faults(corpus, heads(corpus) if head is None else head))


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


def sentence_faults(corpus: Corpus) -> list[tuple[int, str]]:
    """Every fault of every sentence: the token where it shows, and what is wrong.

    >>> text, relations = [["old", "dogs", "bark"]], [["amod", "nsubj", "root"]]
    >>> sentence_faults(Corpus.of(text, head=[["2", "3", "2"]], deprel=relations))
    [(0, 'the sentence has no root'), (1, 'a cycle: 2 -> 3 -> 2')]
    """
    head, sentence = heads(corpus), corpus.sentence_of_tokens()
    if len(head) and (head == NOWHERE).all():
        return [(0, NO_HEADS)]
    nowhere = np.flatnonzero(head == NOWHERE).tolist()
    found = [(token, _no_head(corpus, token)) for token in nowhere]
    is_root = np.flatnonzero(head == ROOT)
    bounds = np.searchsorted(is_root, corpus.offsets).tolist()
    for number, (begin, end) in enumerate(pairwise(bounds)):
        first = int(corpus.offsets[number])
        if begin == end:
            found.append((first, "the sentence has no root"))
        if end - begin > 1:
            said = ", ".join(str(token - first + 1) for token in is_root[begin:end].tolist())
            what = f"the sentence has {end - begin} roots: {said}"
            found.append((int(is_root[begin + 1]), what))
    lost = np.flatnonzero(~reach_root(head))
    for cycle in _cycles(head, lost.tolist()):
        first = int(corpus.offsets[sentence[cycle[0]]])
        said = " -> ".join(str(token - first + 1) for token in cycle)
        found.append((cycle[0], f"a cycle: {said}"))
    return sorted(found)


def _cycles(head: NDArray[np.int32], lost: Iterable[int]) -> Iterator[list[int]]:
    """Every cycle that the tokens come to, once."""
    seen: set[int] = set()
    for token in lost:
        cycle = [] if token in seen else _cycle(head, token, seen)
        if cycle:
            yield cycle


def _cycle(head: NDArray[np.int32], token: int, seen: set[int]) -> list[int]:
    """The cycle that one comes to from a token: its first word, the others, and the first again.

    Empty if the way leads to a token that was ``seen`` before; those on the way are added.
    """
    way: list[int] = []
    while token not in seen:
        seen.add(token)
        way.append(token)
        token = int(head[token])
    if token not in way:
        return []
    around = way[way.index(token) :]
    first = around.index(min(around))
    return [*around[first:], *around[:first], min(around)]


def reach_root(head: NDArray[np.int32]) -> NDArray[np.bool_]:
    """``[token]`` whether going from head to head comes to an end; it does not in a cycle.

    >>> reach_root(np.array([1, -1, 3, 2, 3], np.int32)).tolist()
    [True, True, False, False, False]
    """
    size = len(head)
    up = np.append(head, -1).astype(np.int64)
    up[up < 0] = size
    arrived = -1
    while arrived < (now := int(np.count_nonzero(up == size))) <= size:
        arrived = now
        up = up.take(up)  # twice as far in every round; if nobody new arrives, nobody will
    found: NDArray[np.bool_] = up[:-1] == size
    return found


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
