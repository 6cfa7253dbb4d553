"""Running text and spans given by characters, as tokens and spans of tokens, and back.

Tokens are the words between white space. Sentences are the lines; a line end that lies inside of a
span ends no sentence, and a text without words is one empty sentence. A span that begins or ends
inside of a word keeps its own boundaries: ``begin_cut`` and ``end_cut`` say how much of the word
it leaves out.

>>> builder = Builder()
>>> builder.add_text("I met Ada.\\nOh!", [Marked("PER", ((6, 9),))])
>>> corpus = builder.corpus("memory", running_text=True)
>>> corpus.sentence(0), corpus.sentence(1)
(['I', 'met', 'Ada.'], ['Oh!'])
>>> spans = corpus.spans
>>> spans.tokens(0), spans.cuts()[1].tolist()     # Ada. without its last character
((2,), [1])
>>> [(text, marked) for _, text, marked in texts(corpus)]
[('I met Ada.\\nOh!', [Marked(label='PER', parts=((6, 9),))])]
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

import numpy as np

from finegrain.corpus import Coded, Corpus, IntArray, Spans, Texts
from finegrain.corpus.spans import Row
from finegrain.corpus.texts import PADDING
from finegrain.errors import UsageError

_WORD = re.compile(r"\S+")
Part = tuple[int, int]


class Marked(NamedTuple):
    """A labelled piece of text: characters ``begin .. end - 1`` of every part, in order.

    Every part holds a character that is not white space.
    """

    label: str
    parts: tuple[Part, ...]


class Document(NamedTuple):
    """A text with its name (``None`` without one) and its spans."""

    name: str | None
    text: str
    marked: list[Marked]


class Builder:
    """Gathers texts or sentences one by one and makes a corpus of them.

    The tokens' buffer has as many newlines in front of a token as the file has, where lines are
    given, so that a corpus can tell the line of a token.
    """

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._gaps: list[int] = []  # newlines in front of each token
        self._sizes: list[int] = []
        self._newlines = 0
        self._has_lines = False
        self._lengths: list[int] = []  # of sentences
        self._documents: list[int] = []  # of sentences
        self._rows: list[Row] = []
        self._cuts: list[Part] = []
        self._begins: list[int] = []  # of tokens of texts
        self.n_documents = 0
        self.trimmed = 0  # spans with white space at an end
        self.widened = 0  # parts of spans that were widened to whole words
        self.joined = 0  # line ends inside of spans

    @property
    def n_sentences(self) -> int:
        """How many sentences were added."""
        return len(self._lengths)

    def add_sentences(self, sentences: Sequence[Sequence[str]], *, line: int = 0) -> None:
        """One more document, already in tokens."""
        for sentence in sentences:
            self._sentence(sentence, line)
        self.n_documents += 1

    def add_text(
        self, text: str, marked: Sequence[Marked], *, line: int = 0, many_lines: bool = False
    ) -> None:
        """One more document as text, from the given line of its file on.

        ``many_lines``: its line ends are line ends of the file, too.
        """
        words = [match.span() for match in _WORD.finditer(text)]
        self._begins += (begin for begin, _ in words)
        breaks = self._breaks(text, marked)
        number = [bisect_right(breaks, begin) for begin, _ in words]
        firsts = [at for at in range(len(words)) if not at or number[at] != number[at - 1]]
        base = len(self._lengths)
        before = 0
        for begin, end in pairwise([*firsts, len(words)]):
            if many_lines:
                line += text.count("\n", before, words[begin][0])
                before = words[begin][0]
            self._sentence([text[slice(*word)] for word in words[begin:end]], line)
        if not words:
            self._sentence([], line)
        placed = sorted(
            (self._placed(one, words, firsts, base) for one in marked), key=lambda row: row[0][0]
        )
        self._rows += (row for row, _ in placed)
        self._cuts += (cut for _, cut in placed)
        self.n_documents += 1

    def corpus(
        self,
        source: str,
        *,
        layers: dict[str, Coded] | None = None,
        ids: Sequence[str] | None = None,
        documents: bool = True,
        running_text: bool,
    ) -> Corpus:
        """All that was added; spans if it was running text."""
        return Corpus(
            source,
            np.concatenate([[0], np.cumsum(self._lengths, dtype=np.int64)]),
            self._texts(),
            layers or {},
            spans=self._spans() if running_text else None,
            documents=np.array(self._documents, np.int32) if documents else None,
            document_ids=None if ids is None else tuple(ids),
            notes=tuple(self._notes()),
            running_text=running_text,
            begins=np.array(self._begins, np.int32) if running_text else None,
        )

    def _sentence(self, words: Sequence[str], line: int) -> None:
        self._lengths.append(len(words))
        self._documents.append(self.n_documents)
        gap = max(line - 1 - self._newlines, 0)
        self._has_lines |= line > 0
        for word in words:
            data = word.encode()
            self._chunks.append(b"\n" * gap + data)
            self._gaps.append(gap)
            self._sizes.append(len(data))
            self._newlines += gap + data.count(b"\n")
            gap = 0

    def _breaks(self, text: str, marked: Sequence[Marked]) -> list[int]:
        """Line ends that end a sentence: those outside of all spans."""
        found = [match.start() for match in re.finditer("\n", text)]
        opened = [0] * (len(found) + 1)  # spans that begin less those that end before a line end
        for _, parts in marked:
            opened[bisect_right(found, parts[0][0])] += 1
            opened[bisect_left(found, parts[-1][1])] -= 1
        depths = list(accumulate(opened))[:-1]
        self.joined += sum(depth > 0 for depth in depths)
        return [place for place, depth in zip(found, depths, strict=True) if not depth]

    def _placed(
        self, marked: Marked, words: list[Part], firsts: list[int], base: int
    ) -> tuple[Row, Part]:
        """A span as a row and its cuts."""
        runs: list[range] = []  # of tokens, one for each part
        cuts: list[Part] = []
        for begin, end in marked.parts:
            first = bisect_right(words, begin, key=lambda word: word[1])
            last = bisect_left(words, end, key=lambda word: word[0]) - 1
            cuts.append((max(begin - words[first][0], 0), max(words[last][1] - end, 0)))
            self.trimmed += begin < words[first][0] or end > words[last][1]
            runs.append(range(max(first, runs[-1].stop) if runs else first, last + 1))
        self.widened += sum(one[1] > 0 for one in cuts[:-1]) + sum(one[0] > 0 for one in cuts[1:])
        sentence = bisect_right(firsts, runs[0].start) - 1
        start = firsts[sentence]
        covered = None  # all of them: a list of each span's tokens would be long
        if len(runs) > 1:
            covered = tuple(token - start for run in runs for token in run)
        begin, end = runs[0].start - start, runs[-1].stop - start
        return (base + sentence, begin, end, marked.label, covered), (cuts[0][0], cuts[-1][1])

    def _texts(self) -> Texts:
        sizes = np.array(self._sizes, np.int64)
        ends = np.cumsum(sizes + np.array(self._gaps, np.int64))
        last = b"\n" if self._has_lines else b""
        buffer = bytearray(b"".join(self._chunks) + last + bytes(PADDING))
        return Texts(buffer, ends - sizes, sizes.astype(np.int32))

    def _spans(self) -> Spans:
        spans = Spans.of(self._rows)
        cuts = np.array(self._cuts, np.int32).reshape(-1, 2)
        if not cuts.any():
            return spans
        return replace(spans, begin_cut=cuts[:, 0].copy(), end_cut=cuts[:, 1].copy())

    def _notes(self) -> Iterator[str]:
        if self.trimmed:
            yield f"{self.trimmed} spans begin or end with white space, which is left out"
        if self.widened:
            yield f"{self.widened} inner ends of spans with gaps widened to whole words"
        if self.joined:
            yield f"{self.joined} line ends inside of spans: they end no sentence"


def texts(
    corpus: Corpus, *, undivided: Literal["sentences", "whole"] = "sentences"
) -> Iterator[Document]:
    """The documents of a corpus as running text: words joined by spaces, a line per sentence.

    ``undivided``: of a corpus without documents every sentence is a text, or the whole is one.
    """
    if corpus.tokens is None:
        raise UsageError("this corpus has no text, so it cannot be written as running text")
    spans = corpus.spans or Spans.of([])
    rows = _rows_by_sentence(spans, corpus.n_sentences)
    begin_cut, end_cut = (cut.tolist() for cut in spans.cuts())
    groups = sentences_by_document(corpus)
    if corpus.documents is None and undivided == "whole":
        groups = [range(corpus.n_sentences)]
    for sentences in groups:
        lines: list[str] = []
        marked: list[Marked] = []
        at = 0  # where the line begins
        for sentence in sentences:
            words = corpus.sentence(sentence)
            _require_words(words, alone=len(sentences) == 1)
            places = _places(words, at)
            for row in rows[sentence]:
                parts = _parts(spans, row, places)
                parts[0] = (parts[0][0] + begin_cut[row], parts[0][1])
                parts[-1] = (parts[-1][0], parts[-1][1] - end_cut[row])
                marked.append(Marked(spans.labels[int(spans.label[row])], tuple(parts)))
            lines.append(" ".join(words))
            at += len(lines[-1]) + 1
        ids, documents = corpus.document_ids, corpus.documents
        name = None if ids is None or documents is None else ids[int(documents[sentences[0]])]
        yield Document(name, "\n".join(lines), marked)


def original_texts(corpus: Corpus) -> Iterator[tuple[str | None, str]]:
    """Names and texts of documents as they were read, with spaces for all other white space.

    >>> builder = Builder()
    >>> builder.add_text("I  met\\tAda.\\n\\nOh!", [])
    >>> list(original_texts(builder.corpus("memory", running_text=True)))
    [(None, 'I  met Ada.\\n Oh!')]
    """
    if corpus.begins is None or corpus.tokens is None:
        yield from ((name, text) for name, text, _ in texts(corpus))
        return
    for sentences in sentences_by_document(corpus):
        text = ""
        for sentence in sentences:
            begins = corpus.begins[slice(*corpus.offsets[sentence : sentence + 2])].tolist()
            for place, (begin, word) in enumerate(
                zip(begins, corpus.sentence(sentence), strict=True)
            ):
                gap = begin - len(text)
                text += ("\n" if gap and text and not place else " " * min(gap, 1)).ljust(
                    gap
                ) + word
        ids, documents = corpus.document_ids, corpus.documents
        name = None if ids is None or documents is None else ids[int(documents[sentences[0]])]
        yield name, text


def sentences_by_document(corpus: Corpus) -> list[range]:
    """The sentences of every document; without documents every sentence by itself."""
    if corpus.documents is None:
        return [range(number, number + 1) for number in range(corpus.n_sentences)]
    first = np.flatnonzero(np.diff(corpus.documents, prepend=-1)).tolist()
    return [range(*pair) for pair in pairwise([*first, corpus.n_sentences])]


def _rows_by_sentence(spans: Spans, n_sentences: int) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(n_sentences)]
    for row, sentence in enumerate(spans.sentence.tolist()):
        rows[sentence].append(row)
    return rows


def _require_words(words: list[str], *, alone: bool) -> None:
    if not (words or alone):
        raise UsageError("a sentence without words cannot be written as a line of running text")
    for word in words:
        if len(word.split()) != 1 or _WORD.fullmatch(word) is None:
            raise UsageError(
                f"the token {word!r} has white space in it, which separates tokens in running text"
            )


def _places(words: list[str], at: int) -> list[Part]:
    """Where words stand that are joined by spaces."""
    sizes = np.array([len(word) for word in words], np.int64)
    ends: IntArray = np.cumsum(sizes + 1) + at - 1
    return list(zip((ends - sizes).tolist(), ends.tolist(), strict=True))


def _parts(spans: Spans, row: int, places: list[Part]) -> list[Part]:
    """The runs of neighbouring tokens of a span, in characters."""
    if not spans.token_set[row]:
        return [(places[spans.begin[row]][0], places[spans.end[row] - 1][1])]
    tokens = spans.tokens(row)
    firsts = [at for at in range(len(tokens)) if not at or tokens[at] != tokens[at - 1] + 1]
    pairs = pairwise([*firsts, len(tokens)])
    return [(places[tokens[first]][0], places[tokens[past - 1]][1]) for first, past in pairs]
