"""Scores of files of tokens and log-probabilities by a loop in plain Python.

Lines of token and number, or Parquet with lists of them; tokens have the marks of byte-level
tokenisers. Bits per byte, perplexity per word and per token; after ``--sum`` perplexity per token
alone. Nothing is checked, there are no intervals, and the text is not looked at.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path


def _rows(path: str) -> Iterator[tuple[str, float]]:
    if path.endswith(".parquet"):
        from pyarrow import parquet

        for batch in parquet.ParquetFile(path).iter_batches(1_000):
            for row in batch.to_pylist():
                yield from zip(row["tokens"], row["logprobs"], strict=True)
        return
    with Path(path).open(encoding="utf-8") as lines:
        for line in lines:
            if line != "\n":
                token, number = line.split("\t")
                yield token, float(number)


def _perplexity(path: str) -> str:
    total, count = 0.0, 0
    for _, number in _rows(path):
        total += number
        count += 1
    return f"{math.exp(-total / count):.6f}"


def _scores(path: str) -> str:
    total, tokens, words, size = 0.0, 0, 0, 0
    for token, number in _rows(path):
        total += number
        tokens += 1
        words += token.startswith("Ġ")
        size += len(token.replace("Ġ", " ").encode())
    bits = -total / math.log(2)
    scores = (math.exp(-total / tokens), math.exp(-total / words), bits / size)
    return " ".join(f"{score:.6f}" for score in scores)


def main() -> None:
    """Print a line for every file."""
    scored = _perplexity if sys.argv[1] == "--sum" else _scores
    for path in sys.argv[1 + (sys.argv[1] == "--sum") :]:
        print(scored(path))


if __name__ == "__main__":
    main()
