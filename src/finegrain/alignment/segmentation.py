"""Segments of a text as spans on its words, whatever white space stands at their ends.

>>> from finegrain.formats.plain_text import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.segmentation import SEGMENTATION
>>> gold = read(source_of("gold", b"So it is.\\nNo.\\nYes.\\n"))
>>> mine = read(source_of("mine", b"So it is.No.\\nYes.\\n"))
>>> table = align(SEGMENTATION, gold, {"mine": mine})
>>> [(table.text(row), table.outcomes.names[table.outcome[row, 0]]) for row in range(len(table))]
[('So it is.', 'BEL'), ('So it is. No.', 'USED'), ('No.', 'BEL'), ('Yes.', 'TP')]
>>> table.columns[END].tolist()
[7, 10, 10, 14]

Gold and systems have the same characters, white space aside; a text is compared with the text of
its number, or id. Texts are separated by blank lines; segments are lines, or words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.inked_bytes import inked
from finegrain.alignment.same_text import Systems, by_document_id, named
from finegrain.alignment.scored_text import within
from finegrain.alignment.spans import align as align_spans
from finegrain.corpus import Corpus, IntArray, Spans, Texts
from finegrain.corpus.tag_schemes import UNTYPED
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.table import OutcomeTable, Task

Kind = Literal["lines", "words"]
END, WINDOW = "segment_end", "window"
"""Of ``table.columns``: the character behind a segment, counted in all texts; of settings: k."""
_AROUND = 24  # characters that are quoted


class Segments(NamedTuple):
    """Segments of texts by characters that are no white space, counted in all texts.

    ``codes``: the characters; ``texts`` ``[text + 1]`` where each begins; ``ends`` of segments.
    ``words``: with ``begin``, the pieces between white space.
    """

    codes: NDArray[np.uint32]
    texts: IntArray
    ends: IntArray
    words: Texts
    begin: IntArray


def align(
    task: Task, gold: Corpus, systems: Systems, *, segments: Kind = "lines", window: str = ""
) -> OutcomeTable:
    """Match segments, which cover the text.

    segments: of plain text, whether ``lines`` or ``words`` are segments
    window: k of WindowDiff and Pk; default: half the mean length of a gold segment, at least 2
    """
    if segments not in get_args(Kind):
        raise UsageError.unknown("segments", segments, get_args(Kind))
    expected = segments_of(gold, segments)
    size = _window(window, expected)
    text = _corpus(gold, expected, expected)

    def predicted() -> Iterator[tuple[str, Corpus]]:
        for name, given in named(systems):
            corpus = by_document_id(gold, given)
            found = segments_of(corpus, segments)
            _require_same(gold, expected, corpus, found)
            yield name, _corpus(corpus, expected, found, text)

    table = align_spans(task, text, predicted())
    settings = {**table.settings, WINDOW: str(size)}
    settings |= {} if segments == "lines" else {"segments": segments}
    table = table.with_column(END, _ends(table, expected))
    return replace(table, settings=settings, repairs={})  # no segment is ill-formed


def _window(given: str, expected: Segments) -> int:
    """k, from the mean length of gold segments unless it is given."""
    if not given:
        return max(2, round(len(expected.codes) / (2 * len(expected.ends))))
    if not (given.isdecimal() and int(given) > 0):
        raise UsageError(f"window is a number from 1, not {given!r}")
    return int(given)


def segments_of(corpus: Corpus, kind: Kind = "lines") -> Segments:
    """The segments of a corpus: its spans, or its lines or words."""
    tokens = corpus.tokens
    if tokens is None or not len(tokens):
        raise InputError.at(corpus.source, 0, "there is no text", "Write a segment in each line.")
    ink = inked(tokens)
    codes = np.frombuffer(ink.data.tobytes().decode().encode("utf-32-le"), np.uint32)
    lead = np.cumsum(ink.data & 0xC0 != 0x80)
    stop = np.cumsum(ink.sizes, dtype=np.int64)
    stops = np.where(stop > 0, lead[np.maximum(stop - 1, 0)], 0)  # of tokens, in characters
    begin = np.concatenate([[0], stops[:-1]])
    bounds = np.append(begin, len(codes))
    heads = _heads(corpus, kind)
    texts = bounds[np.append(corpus.offsets[:-1][heads], len(tokens))]
    if corpus.spans is not None:
        ends = _span_ends(corpus, corpus.spans, begin, stops, bounds)
    elif kind == "lines":
        ends = bounds[corpus.offsets[1:]]
    else:
        ends = stops
    return Segments(codes, texts, np.unique(ends), tokens, begin)


def _heads(corpus: Corpus, kind: Kind) -> IntArray:
    """The sentences that texts begin with.

    Plain text whose segments are lines is one text unless blank lines divide it; where segments are
    words, lines are texts.
    """
    documents, full = corpus.documents, np.flatnonzero(np.diff(corpus.offsets))
    if corpus.spans is None and kind == "words":
        return full
    if documents is None:
        return full[:1] if corpus.spans is None else full
    first: NDArray[np.bool_] = np.diff(documents[full], prepend=-1) != 0
    found: IntArray = full[first]
    return found


def _span_ends(
    corpus: Corpus, spans: Spans, begin: IntArray, stops: IntArray, bounds: IntArray
) -> IntArray:
    """The ends of spans that cover the text one by one."""
    base = corpus.offsets[spans.sentence]
    before, behind = spans.cuts()
    first = begin[base + spans.begin] + before
    last = stops[base + spans.end - 1] - behind
    order = np.argsort(first, kind="stable")
    first, last = first[order], last[order]
    gaps = np.flatnonzero(first != np.append(0, last[:-1]))
    if not len(first) or len(gaps) or last[-1] != bounds[-1]:
        at = int(first[gaps[0]]) if len(gaps) else int(last[-1]) if len(last) else 0
        token = min(int(np.searchsorted(begin, at, "right")) - 1, len(begin) - 1)
        what = "segments do not cover the text one by one"
        mend = "Every character that is no white space is in one segment."
        raise InputError.at(corpus.source, corpus.line(max(token, 0)), what, mend)
    found: IntArray = last
    return found


def _require_same(gold: Corpus, expected: Segments, corpus: Corpus, found: Segments) -> None:
    one, two = expected.codes, found.codes
    size = min(len(one), len(two))
    differ = np.flatnonzero(one[:size] != two[:size])
    mend = "Gold and systems have the same characters, white space aside."
    if len(differ) or len(one) != len(two):
        at = int(differ[0]) if len(differ) else size
        token = min(int(np.searchsorted(found.begin, at, "right")) - 1, len(found.begin) - 1)
        what = f"{_quoted(two[at:])} where {gold.source} has {_quoted(one[at:])}"
        raise AlignmentError([Problem(corpus.source, corpus.line(token), what, mend)])
    if not np.array_equal(expected.texts, found.texts):
        what = f"{len(found.texts) - 1:,} texts, but {len(expected.texts) - 1:,} in {gold.source}"
        if len(found.texts) == len(expected.texts):
            what = f"texts begin elsewhere than in {gold.source}"
        mend = "Blank lines separate texts, and are the same in all files."
        raise AlignmentError([Problem(corpus.source, 0, what, mend)])


def _quoted(codes: NDArray[np.uint32]) -> str:
    text = codes[:_AROUND].tobytes().decode("utf-32-le")
    return repr(text + "..." * (len(codes) > _AROUND)) if text else "the end"


def _corpus(
    corpus: Corpus, expected: Segments, found: Segments, text: Corpus | None = None
) -> Corpus:
    """Segments as spans on the words of the gold text, a text being a sentence."""
    offsets = np.searchsorted(expected.begin, expected.texts)
    offsets[-1] = len(expected.begin)
    stops = np.append(expected.begin[1:], len(expected.codes))
    begin = np.append(0, found.ends[:-1])
    first, last = within(expected.begin, begin), within(expected.begin, found.ends - 1)
    sentence = within(offsets, first)
    spans = Spans(
        sentence, (first - offsets[sentence]).astype(np.int32),
        (last + 1 - offsets[sentence]).astype(np.int32), np.zeros(len(begin), np.uint8),
        (UNTYPED,), np.zeros(len(begin), np.int32),
        begin_cut=(begin - expected.begin[first]).astype(np.int32),
        end_cut=(stops[last] - found.ends).astype(np.int32),
    )  # fmt: skip
    documents = np.arange(len(offsets) - 1, dtype=np.int32)
    return Corpus(
        corpus.source, offsets, expected.words if text is None else text.tokens, spans=spans,
        documents=documents, document_ids=corpus.document_ids, notes=corpus.notes,
        format=corpus.format,
    )  # fmt: skip


def _ends(table: OutcomeTable, expected: Segments) -> NDArray[np.int64]:
    """``[unit]`` the character behind it."""
    stops = np.append(expected.begin[1:], len(expected.codes))
    last = table.corpus.offsets[table.sentence] + table.end - 1
    cut = table.columns.get("end_cut", np.zeros(len(table), np.int64))
    found: NDArray[np.int64] = stops[last] - cut
    return found
