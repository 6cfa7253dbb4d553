"""Perplexity with intervals: ``python -m benchmarks.perplexity``, shorter with ``--quick``.

A text of 10 million tokens in 3 files of tokens and log-probabilities (``--quick``: 1 million), two
with the same tokens, one with others: ``finegrain score`` with intervals against a loop in plain
Python that computes the same scores from tokens, both from lines of text and from Parquet. Whole
processes, CPU time
(user + system) and peak memory, contestants in turn in one run. Exits with 1 if a target is missed,
or a number differs.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.many_labels import _elsewhere
from benchmarks.measuring import Contestant, Targets, race
from benchmarks.run import BIN, DATA

SYSTEMS = ("small", "large", "other")
WORDS = 40_000
LENGTH = 500  # words of a document
_LETTERS = "etaoinshrdlucmfwypvbgkqjxz"


def generated(tokens: int) -> tuple[str, list[str], list[str]]:
    """The text, and the systems' files as lines and as Parquet; made once."""
    folder = DATA / f"perplexity{tokens}"
    text = folder / "text.txt"
    lines = [folder / f"{name}.tsv" for name in SYSTEMS]
    columns = [folder / f"{name}.parquet" for name in SYSTEMS]
    if not all(file.exists() for file in (text, *lines, *columns)):
        _elsewhere(_write, folder, tokens)
    return str(text), [*map(str, lines)], [*map(str, columns)]


def _vocabulary(draw: np.random.Generator) -> list[str]:
    lengths = draw.poisson(4, WORDS) + 2
    shares = np.linspace(2, 0.1, len(_LETTERS))
    letters = draw.choice(list(_LETTERS), lengths.sum(), p=shares / shares.sum())
    ends = np.cumsum(lengths)
    return ["".join(letters[end - size : end]) for end, size in zip(ends, lengths, strict=True)]


def _pieces(word: str, longest: int) -> list[str]:
    """A word in pieces of so many letters, the first of which has the mark of a blank."""
    parts = [word[at : at + longest] for at in range(0, len(word), longest)]
    return ["Ġ" + parts[0], *parts[1:]]


def _write(folder: Path, tokens: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(1)
    words = _vocabulary(draw)
    shares = 1 / np.arange(1, WORDS + 1)
    divided = {7: [_pieces(word, 7) for word in words], 5: [_pieces(word, 5) for word in words]}
    sizes = np.array([len(parts) for parts in divided[7]])
    drawn = draw.choice(WORDS, tokens, p=shares / shares.sum())
    drawn = drawn[: int(np.searchsorted(np.cumsum(sizes[drawn]), tokens)) + 1]
    documents = [drawn[at : at + LENGTH].tolist() for at in range(0, len(drawn), LENGTH)]
    (folder / "text.txt").write_text(
        "".join(" ".join(words[word] for word in document) + "\n" for document in documents)
    )
    for name, longest, scale in zip(SYSTEMS, (7, 7, 5), (3.0, 2.5, 2.2), strict=True):
        lists = [[piece for word in document for piece in divided[longest][word]]
                 for document in documents]  # fmt: skip
        numbers = [np.round(-draw.exponential(scale, len(one)), 5) for one in lists]
        with (folder / f"{name}.tsv").open("w") as file:
            for own, scores in zip(lists, numbers, strict=True):
                rows = zip(own, scores.tolist(), strict=True)
                file.write("".join(f"{piece}\t{score:.5f}\n" for piece, score in rows) + "\n")
        columns = {"tokens": lists, "logprobs": [one.tolist() for one in numbers]}
        parquet.write_table(pa.table(columns), folder / f"{name}.parquet")


def main() -> None:
    """Print a table of costs and the promises with what was measured."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    text, lines, columns = generated(1_000_000 if quick else 10_000_000)
    loop = [sys.executable, "-m", "benchmarks.contestants.plain_perplexity"]
    contestants = [
        Contestant("finegrain score, lines", _command(text, lines)),
        Contestant("finegrain score, Parquet", _command(text, columns)),
        Contestant("plain loop, lines", [*loop, *lines]),
        Contestant("plain loop, Parquet", [*loop, *columns]),
        Contestant("plain loop, lines, the sum alone", [*loop, "--sum", *lines]),
    ]
    race(contestants, rounds=1 if quick else 2)
    ours, ours_parquet, plain, plain_parquet, _ = contestants
    _require_equal(text, lines[0], plain.output.split()[0])
    print("| contestant | CPU s | peak MB |\n|:--|--:|--:|")
    for one in contestants:
        print(f"| {one.name} | {one.seconds:.2f} | {one.megabytes:.0f} |")
    targets = Targets()
    targets.check("times a plain loop, lines", plain.seconds / ours.seconds, at_least=2)
    targets.check(
        "times a plain loop, Parquet", plain_parquet.seconds / ours_parquet.seconds, at_least=5
    )
    print(f"\nPython {platform.python_version()}, numpy {version('numpy')}, "
          f"pyarrow {version('pyarrow')}")  # fmt: skip
    print("\n" + targets.table())
    sys.exit(targets.missed and not quick)


def _command(text: str, files: list[str]) -> list[str]:
    return [str(BIN / "finegrain"), "score", text, *files, "--task", "perplexity", "--quiet",
            "--format", "json"]  # fmt: skip


def _require_equal(text: str, file: str, theirs: str) -> None:
    single = Contestant("one system", [*_command(text, [file]), "--no-intervals"])
    race([single], rounds=1)
    found = json.loads(single.output)["result"][SYSTEMS[0]]["overall"]["token_perplexity"]
    if f"{found:.6f}" != theirs:
        sys.exit(f"{found:.6f} is not {theirs}")


if __name__ == "__main__":
    main()
