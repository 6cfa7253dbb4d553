"""Small texts, two systems each: the ``example`` of tasks of running text.

>>> gold, systems = segmentation()
>>> gold.sentence(1), list(systems)
(['Why', '?', 'So', '.'], ['split', 'merged'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from finegrain.corpus import Corpus, Spans, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.corpus.tag_schemes import UNTYPED

Example = tuple[Corpus, dict[str, Corpus]]
_LINES = ("the cat sat .", "a dog ran to the cat .", "nobody saw the bird", "so it was .")
_WHOLE = [-1.5, -4.0, -3.0, -0.5, -2.0, -4.5, -3.5, -1.5, -1.0, -3.0, -0.5, -6.0, -3.0, -1.0, -7.5,
          -4.0, -2.0, -2.5, -0.25]  # fmt: skip
_PIECES = (
    ["the", " cat", " sat", " ."],
    ["a", " dog", " r", "an", " to", " the", " cat", " ."],
    ["no", "body", " saw", " the", " bird"],
    ["so it", " was", " ."],
)
_OF_PIECES = (
    [-1.0, -5.0, -2.5, -0.5],
    [-2.5, -4.0, -3.0, -1.0, -1.0, -1.5, -3.5, -0.25],
    [-3.0, -1.0, -3.5, -0.5, -6.5],
    [-5.0, -2.0, -0.5],
)


def perplexity() -> Example:
    """Four lines of text; one model has words as tokens, the other one pieces."""
    gold = Corpus.of([line.split() for line in _LINES], documents=range(len(_LINES)))
    whole = _model("whole", [line.split() for line in _LINES], _WHOLE)
    numbers = [number for line in _OF_PIECES for number in line]
    return gold, {"whole": whole, "pieces": _model("pieces", _PIECES, numbers)}


def _model(name: str, lines: Sequence[Sequence[str]], numbers: Sequence[float]) -> Corpus:
    parent = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    tokens: dict[str, Column] = {
        "token": Texts.of(token for line in lines for token in line),
        "logprob": np.array(numbers),
    }
    fields: dict[str, Column] = {"number": np.arange(1.0, len(lines) + 1)}
    return of_fields(name, fields, parts={"tokens": Rows(parent, tokens)}, format="logprobs")


_SENTENCES = (("It is so .", "Is it ?", "No , it is not .", "Mr. A. left ."), ("Why ?", "So ."))
_SPLIT = (("It is so .", "Is it ?", "No ,", "it is not .", "Mr.", "A. left ."), ("Why ?", "So ."))
_MERGED = (("It is so . Is it ?", "No , it is", "not . Mr. A. left ."), ("Why ? So .",))


def segmentation() -> Example:
    """Two texts in sentences; one system divides too much, the other one too little."""
    found = {"split": _segmented("split", _SPLIT), "merged": _segmented("merged", _MERGED)}
    return _segmented("gold", _SENTENCES), found


def _segmented(name: str, texts: Sequence[Sequence[str]]) -> Corpus:
    words = [[word for segment in text for word in segment.split()] for text in texts]
    rows = []
    for place, text in enumerate(texts):
        at = 0
        for segment in text:
            rows.append((place, at, at + len(segment.split()), UNTYPED))
            at += len(segment.split())
    corpus = Corpus.of(words, source=name, documents=range(len(texts)))
    return replace(corpus, spans=Spans.of(rows))


_PAIRS = [
    ("p1", "the cats sleep", "the cats sleeps", "agreement"),
    ("p2", "the dog near the cars barks", "the dog near the cars bark", "agreement"),
    ("p3", "nobody has ever left", "somebody has ever left", "polarity"),
    ("p4", "she saw herself", "she saw himself", "binding"),
]
_SURE = [(-10.0, -13.0), (-20.0, -18.5), (-14.0, -17.5), (-9.0, -10.0)]
_UNSURE = [(-11.0, -12.0), (-21.0, -21.0), (-16.0, -15.0), (-9.5, -10.5)]


def minimal_pairs() -> Example:
    """Four pairs of three phenomena; one model has no preference for one."""
    names = ("id", "sentence_good", "sentence_bad", "phenomenon")
    columns = zip(*_PAIRS, strict=True)
    fields: dict[str, Column] = dict(zip(names, map(Texts.of, columns), strict=True))
    gold = of_fields("gold", fields, format="items")
    return gold, {name: _scored(name, own) for name, own in
                  (("sure", _SURE), ("unsure", _UNSURE))}  # fmt: skip


def _scored(name: str, numbers: Sequence[tuple[float, float]]) -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(pair for pair, *_ in _PAIRS),
        "good": np.array([good for good, _ in numbers]),
        "bad": np.array([bad for _, bad in numbers]),
    }
    return of_fields(name, fields, format="items")
