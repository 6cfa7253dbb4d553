"""What a system says of a perturbed text, on the words of the original.

The annotation of the original went to the copy by way of its words; that of a system goes back in
the same way. So a gold annotation that a system finds in the copy is found in the original, and all
outputs, on whatever copy, can be compared on the units of the original.

>>> from dataclasses import replace
>>> from finegrain.corpus import Corpus, Spans
>>> from finegrain.perturbations.perturbing import perturb
>>> gold = replace(Corpus.of([["visit", "Vienna"]]), spans=Spans.of([(0, 1, 2, "LOC")]))
>>> copy = perturb(gold, "split-words", rate=1.0)
>>> copy.corpus.sentence(0)
['v', 'isit', 'Vie', 'nna']
>>> output = replace(copy.corpus, spans=Spans.of([(0, 2, 4, "LOC"), (0, 3, 4, "LOC")]))
>>> back = restored(output, gold, copy.changes)
>>> back.spans.begin.tolist(), back.spans.begin_cut.tolist()      # the second is not a span of gold
([1, 1], [0, 3])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import LAYER, Clusters, Coded, Corpus, Spans
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.tag_schemes import decode, looks_like_spans
from finegrain.errors import UsageError
from finegrain.perturbations.item_fields import OPTIONS, answers_restored, is_items
from finegrain.perturbations.rewriting import Change, moved_within


class Way(NamedTuple):
    """How words of the original and of the copy correspond, in the whole corpus.

    A group of old words became a group of new ones; ``of_new`` ``[new word]`` its group, of which
    the others are the bounds. ``kept`` ``[sentence]`` how many old words were not cut off.
    """

    of_new: NDArray[np.int64]
    old_begin: NDArray[np.int64]
    old_end: NDArray[np.int64]
    new_begin: NDArray[np.int64]
    new_end: NDArray[np.int64]
    kept: NDArray[np.int64]
    same: bool

    @property
    def whole(self) -> bool:
        """Whether nothing was cut off."""
        return bool((self.new_end > self.new_begin).all())


def way_of(original: Corpus, changes: Sequence[Change]) -> Way:
    """The correspondence that changes tell."""
    sizes = np.ones((original.n_tokens, 2), np.int64)  # of the group that begins here: old, new
    cut = np.diff(original.offsets).astype(np.int64)
    for change in changes:
        at = int(original.offsets[change.sentence]) + change.begin
        old, new = len(change.old), len(change.new)
        if old == new:
            continue
        if not new:
            cut[change.sentence] = change.begin
        sizes[at + 1 : at + old] = 0
        sizes[at] = (old, new)
    groups = sizes[sizes[:, 0] > 0]
    old_end, new_end = np.cumsum(groups[:, 0]), np.cumsum(groups[:, 1])
    of_new = np.repeat(np.arange(len(groups)), groups[:, 1])
    same = bool((groups == 1).all())
    return Way(of_new, old_end - groups[:, 0], old_end, new_end - groups[:, 1], new_end, cut, same)


def restored(output: Corpus, original: Corpus, changes: Sequence[Change]) -> Corpus:
    """The output of a system on a copy, on the words of the original.

    Words that were cut off have the annotation of the original: they are compared nowhere.
    """
    if is_items(original) and any(change.field in OPTIONS for change in changes):
        return answers_restored(output, original, changes)
    if is_items(original) or original.tokens is None:
        return output
    way = way_of(original, changes)
    if len(way.of_new) != output.n_tokens:
        raise UsageError(f"{output.source}: it does not have the words of the copy")
    if not way.same and output.spans is None and _has_span_tags(output):
        output = _decoded(output)
    back = _Back(output, original, way)
    offsets = output.offsets if way.same else original.offsets
    return replace(
        output,
        tokens=original.tokens if output.tokens is not None else None,
        offsets=offsets,
        layers=output.layers if way.same else back.layers(),
        spans=None if output.spans is None else back.spans(output.spans),
        clusters=None if output.clusters is None else back.clusters(output.clusters),
        further=output.further if way.same else None,
        multiword=output.multiword if way.same else None,
    )


def _has_span_tags(corpus: Corpus) -> bool:
    tags = corpus.layers.get(LAYER)
    return tags is not None and looks_like_spans(tags.names)


def _decoded(corpus: Corpus) -> Corpus:
    """Tags of spans as spans."""
    tags = corpus.layers[LAYER]
    scheme = detect(tags, corpus.offsets)
    return replace(corpus, layers={}, spans=decode(tags, corpus.offsets, scheme).spans)


class _Back(NamedTuple):
    output: Corpus
    original: Corpus
    way: Way

    def layers(self) -> dict[str, Coded]:
        """Each old word has what the first of its new words has."""
        way, found = self.way, {}
        groups = np.repeat(np.arange(len(way.old_end)), way.old_end - way.old_begin)
        gone = (way.new_end == way.new_begin)[groups]
        first = np.minimum(way.new_begin[groups], max(0, len(way.of_new) - 1))
        for name, column in self.output.layers.items():
            values = np.array(column.names, object)[column.codes[first]]
            if gone.any() and name in self.original.layers:
                other = self.original.layers[name]
                values[gone] = np.array(other.names, object)[other.codes[gone]]
            found[name] = Coded.of(values.tolist())
        return found

    def spans(self, spans: Spans) -> Spans:
        """Spans on old words; one that begins inside of a word that was split leaves a part out."""
        way, new_base = self.way, np.asarray(self.output.offsets, np.int64)[spans.sentence]
        old_base = np.asarray(self.original.offsets, np.int64)[spans.sentence]
        if not len(spans):
            return spans
        first = new_base + spans.begin
        last = np.maximum(first, new_base + spans.end - 1)
        begin_group, end_group = way.of_new[first], way.of_new[last]
        begin = (way.old_begin[begin_group] - old_base).astype(np.int32)
        end = (way.old_end[end_group] - old_base).astype(np.int32)
        begin_cut, end_cut = (cut.astype(np.int32) for cut in spans.cuts())
        split_begin = np.flatnonzero(first > way.new_begin[begin_group])
        split_end = np.flatnonzero(last + 1 < way.new_end[end_group])
        for row in split_begin.tolist():
            begin_cut[row] = self._before(int(first[row]), int(begin_group[row]))
        for row in split_end.tolist():
            end_cut[row] = self._behind(int(last[row]), int(end_group[row]))
        self._change_cuts(spans, first, last, begin_cut, end_cut)
        sets = np.zeros(len(spans), np.int32)
        known: dict[tuple[int, ...], int] = {}
        for row in np.flatnonzero(spans.token_set).tolist():
            groups = dict.fromkeys(way.of_new[new_base[row] + one] for one in spans.tokens(row))
            tokens = tuple(
                int(token - old_base[row])
                for group in groups
                for token in range(way.old_begin[group], way.old_end[group])
            )
            if tokens != tuple(range(tokens[0], tokens[-1] + 1)):
                sets[row] = known.setdefault(tokens, len(known) + 1)
        cut = bool(begin_cut.any() or end_cut.any())
        return Spans(
            spans.sentence, begin, end, spans.label, spans.labels, sets, tuple(known),
            begin_cut if cut else None, end_cut if cut else None,
        )  # fmt: skip

    def _before(self, word: int, group: int) -> int:
        """How many characters of the old word stand before a new one, within the old word."""
        tokens, begin = self.output.tokens, int(self.way.new_begin[group])
        size = self._old_size(group)
        gone = 1 if tokens is None else sum(map(len, tokens.slice(begin, word)))
        return max(1, min(gone, size - 1))

    def _behind(self, word: int, group: int) -> int:
        tokens, end = self.output.tokens, int(self.way.new_end[group])
        size = self._old_size(group)
        gone = 1 if tokens is None else sum(map(len, tokens.slice(word + 1, end)))
        return max(1, min(gone, size - 1))

    def _old_size(self, group: int) -> int:
        words = self.original.tokens
        return 2 if words is None else max(2, len(words[int(self.way.old_begin[group])]))

    def _change_cuts(
        self,
        spans: Spans,
        first: NDArray[np.int64],
        last: NDArray[np.int64],
        begin_cut: NDArray[np.int32],
        end_cut: NDArray[np.int32],
    ) -> None:
        """What spans leave out of words that were changed.

        A place within a new word can come from several of the old one, as at the end of a word that
        lost its comma: one where gold has a span is taken, since gold went there from it.
        """
        words, tokens, way = self.original.tokens, self.output.tokens, self.way
        gold = self.original.spans
        if (
            words is None
            or tokens is None
            or (spans.n_cut == 0 and (gold is None or not gold.n_cut))
        ):
            return
        begins, ends = _gold_cuts(self.original)
        for row in range(len(spans)):
            for word, cut, known, behind in (
                (int(first[row]), begin_cut, begins, False),
                (int(last[row]), end_cut, ends, True),
            ):
                group = way.of_new[word]
                old, size = int(way.old_begin[group]), way.new_end[group] - way.new_begin[group]
                if size != 1 or way.old_end[group] - old != 1 or tokens[word] == words[old]:
                    continue
                label = spans.labels[int(spans.label[row])]
                own = known.get((old, label)) or known.get((old, ANY), frozenset())
                cut[row] = _old_cut(words[old], tokens[word], int(cut[row]), own, behind=behind)

    def clusters(self, clusters: Clusters) -> Clusters:
        """Mentions on old words; of a word that was split, only what has all of it."""
        if self.way.same:
            return clusters
        if not self.way.whole:
            raise UsageError(
                f"{self.output.source}: this copy was cut off, and chains of a part of a text "
                "cannot be compared with those of all of it: whether a mention has an antecedent, "
                "and what a chain scores, depends on every mention of the text. Score the copy by "
                "itself (finegrain score with the gold file beside it) and remove its folder here."
            )
        way, spans = self.way, clusters.spans
        new_base = np.asarray(self.output.offsets, np.int64)[spans.sentence]
        old_base = np.asarray(self.original.offsets, np.int64)[spans.sentence]
        first = new_base + spans.begin
        last = np.maximum(first, new_base + spans.end - 1)
        begin, end = way.of_new[first], way.of_new[last]
        begin_word = np.where(
            first > way.new_begin[begin], way.old_end[begin], way.old_begin[begin]
        )
        end_word = np.where(last + 1 < way.new_end[end], way.old_begin[end], way.old_end[end])
        kept = np.flatnonzero(end_word > begin_word)
        left = clusters.take(kept)
        none = np.zeros(len(kept), np.int32)
        moved = replace(
            left.spans,
            begin=(begin_word - old_base)[kept].astype(np.int32),
            end=(end_word - old_base)[kept].astype(np.int32),
            token_set=none,
            token_sets=(),
        )
        return replace(left, spans=moved, head=none)


Cuts = dict[tuple[int, str], frozenset[int]]  # by token and label
ANY = ""  # of spans with whatever label


def _gold_cuts(corpus: Corpus) -> tuple[Cuts, Cuts]:
    """First token of spans -> what they leave out of it, and the same for their last tokens."""
    begins: dict[tuple[int, str], set[int]] = {}
    ends: dict[tuple[int, str], set[int]] = {}
    spans = corpus.spans
    if spans is None:
        return {}, {}
    base = np.asarray(corpus.offsets, np.int64)[spans.sentence]
    begin_cut, end_cut = spans.cuts()
    for row in range(len(spans)):
        first, last = int(base[row] + spans.begin[row]), int(base[row] + spans.end[row]) - 1
        for label in (spans.labels[int(spans.label[row])], ANY):
            begins.setdefault((first, label), set()).add(int(begin_cut[row]))
            ends.setdefault((last, label), set()).add(int(end_cut[row]))
    return (
        {token: frozenset(own) for token, own in begins.items()},
        {token: frozenset(own) for token, own in ends.items()},
    )


def _old_cut(was: str, now: str, cut: int, known: frozenset[int], *, behind: bool) -> int:
    """What is left out of the old word where so much is left out of the new one.

    known: what gold spans leave out there

    >>> _old_cut("Rome,", "Rome", 0, frozenset([1]), behind=True)      # gold leaves the comma out
    1
    >>> _old_cut("Rome,", "ROME,", 1, frozenset(), behind=True)
    1
    """
    of_gold = []
    for own in sorted(known):
        place = len(was) - own if behind else own
        moved = moved_within(was, now, frozenset([place])) if own else None
        there = {0: 0}.get(own, -1) if moved is None else moved[place]
        left = there if moved is None or not behind else len(now) - there
        if left == cut:
            of_gold.append(own)
    if of_gold:
        return cut if cut in of_gold else of_gold[0]
    if not cut:
        return 0
    at = len(now) - cut if behind else cut
    places = moved_within(now, was, frozenset([at]))
    place = min(max(1, at), len(was) - 1) if places is None else places[at]
    return len(was) - place if behind else place
