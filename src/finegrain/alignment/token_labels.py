"""Labels of the words of references, such as parts of speech: a file with one for each token.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "pos").write_text("PRON AUX ADJ\\nINTJ\\n")
...     found = labelled_words(f"{folder}/pos", ["It was late.", "Yes!"])
>>> [list(found.fields[name]) for name in (WORD, LABEL)], found.parent.tolist()
([['it', 'was', 'late', 'yes'], ['PRON', 'AUX', 'ADJ', 'INTJ']], [0, 0, 0, 1])

The file has as many lines as there are segments, with a label for each word between blanks, or it
is a corpus of tokens and labels (CoNLL, CoNLL-U ...) with as many sentences. Its tokens may be
divided in another way than the words that are counted: a word has the label of the token that its
first character is in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from finegrain.alignment.segment_words import split
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.surface import surface
from finegrain.errors import Collector, InputError
from finegrain.files_read import called
from finegrain.formats import read_source, recognise
from finegrain.formats.source import Source, open_source
from finegrain.sizes import sized

TOKEN_LABELS = "token_labels"  # noqa: S105 - not a password
"""The setting, and the words of ``table.parts``; their columns:"""
WORD, LABEL = "word", "label"
_FORMATS = ("conllu", "jsonl", "conll")
_LAYERS = ("upos", "tags")  # the first one that there is
_MEND = (
    "Write one line for each segment with a label for each word, or a file of tokens and labels "
    "with one sentence for each segment."
)
Pairs = list[tuple[str, str]]


def labelled_words(told: str, references: Sequence[str]) -> Rows:
    """The words of references with the labels of a file; ``told``: ``path`` or ``path:layer``."""
    path, _, layer = told.partition(":")
    source = open_source(path)
    called(path, "labels of tokens")
    problems = Collector(source.name)
    lines = [] if source.folder else source.lines()
    if lines and len(lines) == len(references):
        every = _of_lines(lines, references, problems)
    else:
        every = _of_corpus(source, layer, references, problems)
    problems.raise_any()
    parent = np.repeat(np.arange(len(every)), [len(one) for one in every])
    words, labels = ([pair[at] for one in every for pair in one] for at in (0, 1))
    return Rows(parent, {WORD: Texts.of(words), LABEL: Texts.of(labels)})


def _of_lines(lines: Sequence[str], references: Sequence[str], problems: Collector) -> list[Pairs]:
    found: list[Pairs] = []
    for number, (line, text) in enumerate(zip(lines, references, strict=True), 1):
        tokens, labels = text.split(), line.split()
        if len(tokens) != len(labels):
            what = (
                f"{sized(len(labels), 'label')}, but the reference has {sized(len(tokens), 'word')}"
            )
            problems.add(number, what, "Write a label for each word between blanks.")
            continue
        found.append(laid(zip(tokens, labels, strict=True), text) or [])
    return found


def _of_corpus(
    source: Source, layer: str, references: Sequence[str], problems: Collector
) -> list[Pairs]:
    corpus = read_source(source, recognise(source, _FORMATS))
    if corpus.n_sentences != len(references):
        what = f"{sized(corpus.n_sentences, 'sentence')} for {sized(len(references), 'segment')}"
        raise InputError.at(source.name, 0, what, _MEND)
    name = layer or next((one for one in _LAYERS if one in corpus.layers), "")
    if name not in corpus.layers:
        known = ", ".join(sorted(corpus.layers)) or "none"
        what = f"there is no layer {layer!r}" if layer else "there are no labels"
        raise InputError.at(source.name, 0, what, f"Its layers: {known}.")
    found: list[Pairs] = []
    for at, (own, text) in enumerate(zip(_sentences(corpus, name), references, strict=True)):
        pairs = laid(own, text)
        if pairs is None:
            line = corpus.line(int(corpus.offsets[at]))
            what = f"the tokens of sentence {at + 1:,} are not the words of its reference"
            problems.add(line, what, f"The reference is {text[:60]!r}.")
        found.append(pairs or [])
    return found


def _sentences(corpus: Corpus, layer: str) -> list[Pairs]:
    """The tokens of each sentence with their labels, those of several words joined by ``+``."""
    tokens, first = surface(corpus)
    labels = list(corpus.layers[layer])
    ends = np.append(first[1:], corpus.n_tokens).tolist()
    own = ["+".join(labels[at:end]) for at, end in zip(first.tolist(), ends, strict=True)]
    bounds = tokens.offsets.tolist()
    return [
        list(zip(tokens.sentence(at), own[begin:end], strict=True))
        for at, (begin, end) in enumerate(pairwise(bounds))
    ]


def laid(tokens: Iterable[tuple[str, str]], text: str) -> Pairs | None:
    """The words of a text with the labels of its tokens; ``None`` if these are not of the text.

    >>> laid([("Is", "AUX"), ("n't", "PART"), ("it", "PRON"), ("?", "PUNCT")], "Isn't it?")
    [('isn', 'AUX'), ('t', 'PART'), ('it', 'PRON')]
    >>> laid([("Was", "AUX")], "Is") is None
    True
    """
    inked = [("".join(split(token)), label) for token, label in tokens]
    words = split(text)
    if "".join(ink for ink, _ in inked) != "".join(words):
        return None
    labels = [label for ink, label in inked for _ in ink]
    begins = np.cumsum([0, *map(len, words)])
    return [(word, labels[begin]) for word, begin in zip(words, begins.tolist(), strict=False)]
