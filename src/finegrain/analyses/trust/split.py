"""A corpus in parts for training and testing: at random, in proportion, in folds.

>>> from finegrain.corpus import Corpus
>>> text = [[f"w{number}"] for number in range(10)]
>>> corpus = Corpus.of(text, tags=[["A"]] * 8 + [["B"]] * 2)
>>> found = split(corpus, {"train": 0.5, "test": 0.5}, stratify="tags", seed=1)
>>> [(part.name, part.corpus.n_sentences, part.counts) for part in found.parts]
[('train', 5, {'A': 4, 'B': 1}), ('test', 5, {'A': 4, 'B': 1})]

What is dealt out are *groups* of sentences that stay together: documents, where there are any, so
that no document is on both sides; or sentences, sentences with the same words, or what a column
says. Groups are first put into an order that depends on the seed and on their words alone, so the
order of documents in the file decides nothing. Then each goes to the part that lacks most of what
the group has: sentences, and with ``stratify`` the values of a column or labels, groups with rare
ones first (after the iterative stratification of Sechidis, Tsoumakas and Vlahavas 2011). In the end
single groups change their part as long as that brings the parts nearer to their shares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.side_by_side import require_decided
from finegrain.alignment.spans import decoded_spans
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.analyses.result import Printed
from finegrain.corpus import LAYER, Coded, Corpus, IntArray
from finegrain.corpus.parts import part as part_of
from finegrain.corpus.tag_schemes import looks_like_spans
from finegrain.errors import InputError, UsageError
from finegrain.version import __version__

FRACTIONS = {"train": 0.8, "dev": 0.1, "test": 0.1}
LABELS = "labels"
_MANY_GROUPS, _MOST_MOVES = 2_000, 200


class Part(NamedTuple):
    """A part by its name: its sentences in the whole, itself, what it has of each value."""

    name: str
    sentences: NDArray[np.int64]
    corpus: Corpus
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Split(Printed):
    """The parts of a corpus; of folds, ``parts`` are the held-out ones.

    ``by`` says what stays together, ``counted`` what parts have in proportion.
    """

    source: str
    parts: tuple[Part, ...]
    folds: int
    by: str
    groups: int
    counted: str
    signature: str
    notes: tuple[str, ...]

    @property
    def task(self) -> str:
        """No task: a corpus is divided, not judged."""
        return "corpus"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the parts."""
        return tuple(part.name for part in self.parts)

    def __getitem__(self, name: str) -> Corpus:
        for part in self.parts:
            if part.name == name:
                return part.corpus
        raise UsageError.unknown("part", name, self.systems)

    def others(self, name: str) -> NDArray[np.int64]:
        """The sentences outside of a part: what a fold is trained on."""
        if name not in self.systems:
            raise UsageError.unknown("part", name, self.systems)
        return np.sort(np.concatenate([one.sentences for one in self.parts if one.name != name]))

    def to_json(self) -> dict[str, Any]:
        return {
            "groups": self.groups,
            "by": self.by,
            "folds": self.folds or None,
            "counted": self.counted,
            "parts": {
                part.name: {
                    "sentences": part.corpus.n_sentences,
                    "tokens": part.corpus.n_tokens,
                    "documents": part.corpus.n_documents or None,
                    "counts": part.counts,
                }
                for part in self.parts
            },
        }

    def listings(self) -> tuple[Listing, ...]:
        names = _frequent(self.parts)
        has_documents = any(part.corpus.n_documents for part in self.parts)
        columns = [Column("part"), *([Column("documents", "count")] if has_documents else [])]
        columns += [Column("sentences", "count"), Column("share", "score")]
        columns += [Column("tokens", "count")]
        columns += [Column(name, "score", group=f"{self.counted}, %") for name in names]
        total = sum(part.corpus.n_sentences for part in self.parts)
        rows: list[tuple[Cell, ...]] = []
        for part in self.parts:
            row: list[Cell] = [part.name]
            row += [part.corpus.n_documents] if has_documents else []
            size = part.corpus.n_sentences
            row += [size, size / total if total else None, part.corpus.n_tokens]
            sum_ = sum(part.counts.values())
            row += [part.counts.get(name, 0) / sum_ if sum_ else None for name in names]
            rows.append(tuple(row))
        note = f"{self.groups:,} groups were dealt out: {self.by}"
        return (Listing(f"Parts of {self.source}", tuple(columns), tuple(rows), note),)

    def records(self) -> Listing:
        columns = (Column("part"), Column("counted"), Column("value"), Column("count", "count"))
        rows: list[tuple[Cell, ...]] = []
        for part in self.parts:
            rows.append((part.name, "sentences", "", part.corpus.n_sentences))
            rows.append((part.name, "tokens", "", part.corpus.n_tokens))
            rows += ((part.name, self.counted, name, count) for name, count in part.counts.items())
        return Listing("split", columns, tuple(rows))


def _frequent(parts: Sequence[Part], most: int = 8) -> list[str]:
    """The most frequent values."""
    sums: dict[str, int] = {}
    for part in parts:
        for name, count in part.counts.items():
            sums[name] = sums.get(name, 0) + count
    return sorted(sums, key=lambda name: (-sums[name], name))[:most]


def split(
    corpus: Corpus,
    fractions: Mapping[str, float] | None = None,
    *,
    folds: int = 0,
    by: str | None = None,
    stratify: str | None = None,
    seed: int = 1,
) -> Split:
    """Divide a corpus into parts.

    Parameters
    ----------
    fractions: name of a part -> its share; default: train 0.8, dev 0.1, test 0.1
    folds: number of parts of the same size instead, for cross-validation
    by: what stays together: ``document`` (default, where there are documents), ``sentence``,
        ``text`` (sentences with the same words), or a layer with one value in each sentence, such
        as an author
    stratify: ``labels`` (of spans or tags) or a layer, whose values all parts get in proportion
    seed: the same seed gives the same parts, whatever the order of documents
    """
    shares = _shares(fractions, folds)
    kind, group = _groups(corpus, by)
    counted = _counted(corpus, stratify)
    n_groups = int(group.max(initial=-1)) + 1
    if n_groups < len(shares):
        raise InputError.at(
            corpus.source, 0, f"{n_groups} {kind}s cannot be dealt out to {len(shares)} parts",
            "Let smaller groups stay together, e.g. --by sentence, or ask for fewer parts.",
        )  # fmt: skip
    sizes = np.bincount(group, minlength=n_groups).astype(float)
    needs = sizes[:, None] if stratify is None else _by_group(counted, group, n_groups, sizes)
    wanted, order = np.array(list(shares.values())), _order(corpus, group, n_groups, seed)
    part = _evened(_deal(needs, wanted, order), needs, wanted, order)
    parts = []
    for place, name in enumerate(shares):
        sentences = np.flatnonzero(part[group] == place)
        own = counted.codes[np.isin(counted.sentence, sentences)]
        counts = np.bincount(own, minlength=len(counted.names)).tolist()
        used = {name: count for name, count in zip(counted.names, counts, strict=True) if count}
        parts.append(Part(name, sentences, part_of(corpus, sentences), used))
    said = {"split": "folds" if folds else "fractions", "by": kind, "stratify": stratify or "none"}
    said |= {"seed": str(seed), "sentences": str(corpus.n_sentences), "v": __version__}
    empty = [one.name for one in parts if not one.corpus.n_sentences]
    notes = (f"parts without a sentence: {', '.join(empty)}",) if empty else ()
    return Split(
        corpus.source, tuple(parts), folds, kind, n_groups, counted.what,
        "|".join(f"{name}:{value.replace('|', '/')}" for name, value in said.items()), notes,
    )  # fmt: skip


def _shares(fractions: Mapping[str, float] | None, folds: int) -> dict[str, float]:
    if folds:
        if fractions is not None or folds < 2:
            raise UsageError("folds: two or more, and no fractions beside them")
        return {f"fold{number}": 1 / folds for number in range(1, folds + 1)}
    given = dict(fractions or FRACTIONS)
    wrong = [name for name, share in given.items() if not 0 < share < 1 or not name]
    if len(given) < 2 or wrong or abs(sum(given.values()) - 1) > 1e-6:
        raise UsageError(
            "fractions: two parts or more whose shares are above 0 and sum up to 1, as in "
            f"train=0.8,dev=0.1,test=0.1 (they sum up to {sum(given.values()):g})"
        )
    return given


def _groups(corpus: Corpus, by: str | None) -> tuple[str, IntArray]:
    """What stays together, and ``[sentence]`` its number."""
    kind = by or ("sentence" if corpus.documents is None else "document")
    if kind == "sentence":
        return kind, np.arange(corpus.n_sentences)
    if kind == "document":
        if corpus.documents is None:
            raise InputError.at(
                corpus.source, 0, "there are no documents in it", "Use --by sentence or --by text."
            )
        return kind, np.unique(corpus.documents, return_inverse=True)[1].ravel()
    if kind == "text":
        texts = Coded.of(_words(corpus, at) for at in range(corpus.n_sentences))
        return kind, texts.codes.astype(np.int64)
    if kind not in corpus.layers:
        raise UsageError.unknown("group", kind, ("document", "sentence", "text", *corpus.layers))
    return kind, _one_value(corpus, kind)


def _one_value(corpus: Corpus, layer: str) -> IntArray:
    """``[sentence]`` the value of a layer, which must be the same in all of a sentence's tokens."""
    codes = corpus.layers[layer].codes
    first = codes[corpus.offsets[:-1]]
    other = np.flatnonzero(codes != np.repeat(first, np.diff(corpus.offsets)))
    if len(other):
        token, column = int(other[0]), corpus.layers[layer]
        before = column[int(corpus.offsets[corpus.sentence_of(token)])]
        raise InputError.at(
            corpus.source, corpus.line(token),
            f"{layer} is {column[token]!r} here and {before!r} before in the sentence",
            "A column that keeps sentences together has one value in each sentence.",
        )  # fmt: skip
    return np.unique(first, return_inverse=True)[1].ravel()


def _words(corpus: Corpus, sentence: int) -> str:
    if corpus.tokens is None:
        raise InputError.at(corpus.source, 0, "there is no text in it", "Use --by sentence.")
    return "\t".join(corpus.sentence(sentence))


class _Counted(NamedTuple):
    """Values that sentences have: one row each."""

    what: str
    sentence: IntArray
    codes: IntArray
    names: tuple[str, ...]


def _counted(corpus: Corpus, stratify: str | None) -> _Counted:
    """The labels of spans or tags, or the values of a layer."""
    layer = LAYER if stratify in (None, LABELS) else str(stratify)
    require_decided(corpus, layer)
    if corpus.spans is None and layer not in corpus.layers:
        if stratify is not None:
            raise UsageError.unknown("column", layer, (LABELS, *corpus.layers))
        return _Counted(LABELS, np.empty(0, np.int64), np.empty(0, np.int64), ())
    whole = LAYER == layer != stratify
    tags = corpus.layers.get(LAYER)
    if whole and (corpus.spans is not None or (tags and looks_like_spans(tags.names))):
        spans = decoded_spans(corpus, scheme=None, policy="conlleval").spans
        return _Counted(LABELS, spans.sentence, spans.label, spans.labels)
    column = corpus.layers[layer]
    return _Counted(layer, corpus.sentence_of_tokens(), column.codes, column.names)


def _by_group(
    counted: _Counted, group: IntArray, n_groups: int, sizes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``[group, value]`` how often a group has a value; its sentences last, to settle the rest."""
    values = len(counted.names)
    key = group[counted.sentence].astype(np.int64) * values + counted.codes
    counts = np.bincount(key, minlength=n_groups * values).reshape(n_groups, values)
    return np.column_stack([counts, sizes])


def _order(corpus: Corpus, group: IntArray, n_groups: int, seed: int) -> IntArray:
    """Groups in an order that depends on the seed and their words, not on where they stand."""
    by_group = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=n_groups))
    digests = []
    for begin, end in zip(np.append(0, ends[:-1]), ends, strict=True):
        digest = hashlib.sha256(str(seed).encode())
        for sentence in by_group[begin:end].tolist():
            digest.update("\t".join(corpus.sentence(sentence)).encode() + b"\n")
        digests.append(digest.digest())
    return np.array(sorted(range(n_groups), key=digests.__getitem__), np.int64)


def _deal(
    needs: NDArray[np.float64], shares: NDArray[np.float64], order: IntArray
) -> NDArray[np.int64]:
    """``[group]`` its part: groups with the value that is rarest among those left come first.

    A group goes to the part that still lacks the largest share of what the group has. Sentences are
    the last column.
    """
    total = needs.sum(axis=0)
    has = needs / np.where(total > 0, total, 1)  # [group, value] its share of all
    lacks = np.ones((len(shares), needs.shape[1]))  # [part, value] of what it should get
    part = np.full(len(needs), -1, np.int64)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    left, remaining = np.ones(len(needs), bool), total.copy()
    while left.any():
        present = np.flatnonzero(remaining > 0)
        value = int(present[np.argmin(remaining[present])]) if len(present) else -1
        having = np.flatnonzero(left & (needs[:, value] > 0) if len(present) else left)
        for one in having[np.argsort(rank[having])].tolist():
            best = int(np.argmax(np.round(lacks @ has[one], 12)))
            part[one] = best
            lacks[best] -= has[one] / shares[best]
        left[having] = False
        remaining = remaining - needs[having].sum(axis=0)
        remaining[value] = 0
    return part


def _evened(
    part: NDArray[np.int64],
    needs: NDArray[np.float64],
    shares: NDArray[np.float64],
    order: IntArray,
) -> NDArray[np.int64]:
    """``[group]`` its part, after moves of single groups, each time the one that helps most.

    What is to fall is the distance of the parts from their shares, summed over values. No move
    leaves a part empty. Many groups need no moves: they are small beside the parts.
    """
    if len(part) > _MANY_GROUPS:
        return part
    total = needs.sum(axis=0)
    has = (needs / np.where(total > 0, total, 1))[order]  # [group, value] its share of all
    part = part[order]
    for _ in range(_MOST_MOVES):
        far = np.stack([has[part == place].sum(axis=0) - own for place, own in enumerate(shares)])
        now = np.abs(far)
        leaves = (now[part] - np.abs(far[part] - has)).sum(axis=1)
        comes = np.stack(
            [
                (gap - np.abs(beyond + has)).sum(axis=1)
                for gap, beyond in zip(now, far, strict=True)
            ],
            axis=1,
        )
        gain = leaves[:, None] + comes
        gain[np.arange(len(part)), part] = 0
        gain[np.bincount(part, minlength=len(shares))[part] == 1] = 0
        one, to = np.unravel_index(int(np.argmax(np.round(gain, 12))), gain.shape)
        if gain[one, to] < 1e-9:
            break
        part[one] = to
    back = np.empty_like(part)
    back[order] = part
    return back
