"""Cases about texts: segments, tokens with log-probabilities, outputs beside references.

>>> files, options = written(Random(1), "text in segments")
>>> [name for name in files][0], options
('gold', {'input': 'text'})
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from tests.fuzz import log_probabilities, segments, translations
from tests.fuzz.corpora import Invalid
from tests.fuzz.scores import Values

RECIPES: dict[str, tuple[tuple[str, ...], str]] = {
    "text in segments": (("text",), "segmentation"),
    "text and logprobs": (("text", "logprobs"), "perplexity"),
    "lines, translations": (("lines",), "generation"),
    "columns, translations": (("segments",), "generation"),
    "SGML, translations": (("sgm",), "generation"),
    "WMT XML, translations": (("wmt",), "generation"),
}
Files = dict[str, tuple[str, bytes]]


def written(rng: Random, recipe: str) -> tuple[Files, dict[str, Any]]:
    """Files by name, each with its format, and options; the gold file is the first."""
    names = [f"s{at}" for at in range(rng.choice((1, 1, 2)))]
    if recipe == "text in segments":
        texts = segments.random_texts(rng)
        files = {"gold": ("text", segments.write(Random(1), texts))}
        for name in names:
            files[name] = ("text", segments.write(rng, segments.resegmented(rng, texts)))
        return files, {"input": "text"}
    if RECIPES[recipe][1] == "generation":
        (format_,) = RECIPES[recipe][0]
        own = translations.random_texts(rng)
        files = {"gold": (format_, translations.write(rng, own, format_, gold=True))}
        for name in names:
            data = translations.write(rng, translations.rewritten(rng, own), format_, gold=False)
            files[name] = (format_, data)
        return files, {"input": format_}
    documents = log_probabilities.random_text(rng)
    files = {"gold": ("text", log_probabilities.write_text(rng, documents))}
    for name in names:
        files[name] = ("logprobs", log_probabilities.write(rng, documents))
    return files, {"set": ["marks=none", "special=text"]}


def expected(
    task: str, texts: Mapping[str, list[str]], formats: Mapping[str, str], doubts: set[str]
) -> dict[str, Values]:
    """The scores of every system; raises ``Invalid``, and adds what may be refused to doubts."""
    gold_path, *paths = texts
    if task == "segmentation":
        gold = segments.read(texts[gold_path])
        return {path: segments.segment_scores(gold, segments.read(texts[path])) for path in paths}
    if task == "generation":
        read = {path: translations.read(lines, formats[path], doubts)
                for path, lines in texts.items()}  # fmt: skip
        gold_texts = read[gold_path]
        return {path: translations.translation_scores(gold_texts, read[path]) for path in paths}
    if formats[gold_path] != "text" or any(formats[path] != "logprobs" for path in paths):
        raise Invalid("not a text and tokens with numbers")
    text = log_probabilities.read_text(texts[gold_path])
    systems = [log_probabilities.read(texts[path], doubts) for path in paths]
    return dict(zip(paths, log_probabilities.model_scores(text, systems), strict=True))
