"""Many labels, systems and tokens: ``python -m benchmarks.many_labels``, shorter with ``--quick``.

Whole processes from files, CPU time (user + system) and peak memory, contestants in turn in one
run. Exits with 1 if a target is missed.

- ``score`` of 200,000 tokens with 5 to 5,000 labels, with intervals against ``--no-intervals``;
- ``significance``, ``difference``, ``buckets`` and ``seeds`` by macro F1 with 500 labels and 10,000
  sentences without documents;
- ``significance`` and ``difference`` of 12 and 50 systems (``--quick``: 12), per pair of systems,
  and against the first version of finegrain;
- ``oracle`` of 500 to 4,000 systems;
- ``slices`` of 1 and 10 million tokens (``--quick``: 1) against ``score --no-intervals``, with
  documents and without.

Labels are drawn with frequencies of 1 / rank; of the spans 5 % are missed, 5 % get another label,
4 % are too long, and a few are invented.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.measuring import FIRST, Contestant, Targets, earlier, race
from benchmarks.run import BIN, DATA, _data

LABELS = (5, 50, 500, 5_000)
TOKENS = 200_000
LENGTH = 20  # tokens of a sentence, with up to four spans
PLACES = (1, 6, 11, 16)
DOCUMENT = 25  # sentences


def _elsewhere(make: Callable[..., None], *arguments: object) -> None:
    """Make files in another process: what a process has taken counts for those that it starts."""
    with ProcessPoolExecutor(1) as pool:
        pool.submit(make, *arguments).result()


def generated(folder: Path, *, tokens: int, labels: int, systems: int) -> list[str]:
    """Gold and systems with so many labels, as files; made once."""
    names = ["gold", *(f"s{number}" for number in range(1, systems + 1))]
    files = [folder / f"{name}.conll" for name in names]
    if not all(file.exists() for file in files):
        _elsewhere(_write, files, tokens, labels, systems)
    return [str(file) for file in files]


def _write(files: list[Path], tokens: int, labels: int, systems: int) -> None:
    files[0].parent.mkdir(parents=True, exist_ok=True)
    for file, tags in zip(files, _tags(tokens, labels, systems), strict=True):
        file.write_text("".join(_lines(tags)))


def _tags(tokens: int, labels: int, systems: int) -> list[np.ndarray]:
    """``[sentence, token]`` of gold and of each system."""
    generator = np.random.default_rng([labels, systems])
    shape = (tokens // LENGTH, len(PLACES))
    shares = 1 / np.arange(1, labels + 1)
    shares /= shares.sum()
    label = generator.choice(labels, shape, p=shares)
    length = generator.integers(1, 4, shape)
    there = generator.random(shape) < 0.4
    found = [_written(there, label, length)]
    for _ in range(systems):
        luck = generator.random(shape)
        other = generator.choice(labels, shape, p=shares)
        answered = np.where(there, luck >= 0.05, luck < 0.03)
        changed = np.where(there & (luck >= 0.1), label, other)
        longer = length + (there & (luck >= 0.1) & (luck < 0.14))
        found.append(_written(answered, changed, longer))
    return found


def _written(there: np.ndarray, label: np.ndarray, length: np.ndarray) -> np.ndarray:
    tags = np.full((len(there), LENGTH), "O", object)
    for column, begin in enumerate(PLACES):
        for offset in range(int(length.max())):
            rows = np.flatnonzero(there[:, column] & (length[:, column] > offset))
            part = "I" if offset else "B"
            tags[rows, begin + offset] = [f"{part}-L{code:04}" for code in label[rows, column]]
    return tags


def _lines(tags: np.ndarray) -> list[str]:
    found = []
    for number, sentence in enumerate(tags.tolist()):
        if number % DOCUMENT == 0:
            found.append("-DOCSTART-\tO\n\n")
        words = (f"w{number * LENGTH + at}\t{tag}\n" for at, tag in enumerate(sentence))
        found.append("".join(words) + "\n")
    return found


def _matrix(systems: int) -> str:
    """A 0/1 table of 1,000 items, of which every system solves 7 of 10; made once."""
    file = DATA / "systems" / f"{systems}.tsv"
    if not file.exists():
        _elsewhere(_write_matrix, file, systems)
    return str(file)


def _write_matrix(file: Path, systems: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    solved = np.random.default_rng(systems).random((1000, systems)) < 0.7
    rows = ["\t".join(f"s{number}" for number in range(systems))]
    rows += ("\t".join("1" if cell else "0" for cell in row) for row in solved.tolist())
    file.write_text("\n".join(rows) + "\n")


def _command(name: str, *arguments: str) -> Contestant:
    return Contestant(name, [str(BIN / "finegrain"), name, *arguments, "--quiet"])


def _labels(targets: Targets, rounds: int) -> None:
    print("| labels | score --no-intervals s | score s | ratio | peak MB | significance s |")
    print("|--:|--:|--:|--:|--:|--:|")
    for labels in LABELS:
        files = generated(DATA / f"labels{labels}", tokens=TOKENS, labels=labels, systems=2)
        without = _command("score", *files, "--no-intervals")
        scored, tested = _command("score", *files), _command("significance", *files)
        race([without, scored, tested], rounds=rounds)
        ratio = scored.seconds / without.seconds
        print(
            f"| {labels:,} | {without.seconds:.2f} | {scored.seconds:.2f} | {ratio:.2f} "
            f"| {scored.megabytes:.0f} | {tested.seconds:.2f} |",
            flush=True,
        )
        if labels == 500:
            targets.check("500 labels: score, times --no-intervals", ratio, at_most=2)
            ratio = tested.seconds / without.seconds
            targets.check("500 labels: significance, times --no-intervals", ratio, at_most=2)
        if labels == 5_000:
            targets.check("5,000 labels: score, MB", scored.megabytes, at_most=1_000)
            targets.check("5,000 labels: significance, MB", tested.megabytes, at_most=1_000)


def _macro(targets: Targets) -> None:
    """By a score that needs the counts of every label, where samples are sentences."""
    folder = DATA / "labels500"
    files = generated(folder, tokens=TOKENS, labels=500, systems=2)
    bare = folder / "bare"
    bare.mkdir(exist_ok=True)
    for file in map(Path, files):
        if not (bare / file.name).exists():
            _elsewhere(_write_bare, file, bare / file.name)
    gold, one, other = (str(bare / Path(file).name) for file in files)
    scored = _command("score", gold, one, other, "--no-intervals")
    by = ("--metric", "traditional_macro_f1")
    told = [
        _command("significance", gold, one, other, *by),
        _command("difference", gold, one, other, *by),
        _command("buckets", gold, one, other, *by, "--by", "entity_length"),
        _command("seeds", gold, f"s@1={one}", f"s@2={other}", *by),
    ]
    race([scored, *told], rounds=1)
    print("\n| 500 labels, 10,000 sentences, macro F1 | CPU s | peak MB |\n|:--|--:|--:|")
    for command in (scored, *told):
        print(f"| {command.name} | {command.seconds:.2f} | {command.megabytes:.0f} |", flush=True)
    most = max(command.seconds for command in told) / scored.seconds
    targets.check("500 labels, macro F1: times score --no-intervals", most, at_most=4)
    memory = max(command.megabytes for command in told)
    targets.check("500 labels, macro F1: MB", memory, at_most=400)


def _pairs(targets: Targets, counts: tuple[int, ...]) -> None:
    told = "score s | significance s | ms a pair | difference s | ms a pair"
    print(f"\n| systems | pairs | clusters | {told} |\n|--:|--:|:--|--:|--:|--:|--:|--:|")
    for systems, kind in product(counts, ("documents", "sentences")):
        folder = DATA / f"pairs{systems}"
        files = generated(folder, tokens=50_000, labels=5, systems=systems)
        if kind == "sentences":
            names = [Path(file).stem for file in files]
            bare = _without_documents(folder, names)
            files = [str(bare / f"{name}.conll") for name in names]
        scored = _command("score", *files, "--no-intervals")
        tested, compared = _command("significance", *files), _command("difference", *files)
        race([scored, tested, compared], rounds=1)
        pairs = math.comb(systems, 2)
        each = [1000 * (one.seconds - scored.seconds) / pairs for one in (tested, compared)]
        print(
            f"| {systems} | {pairs:,} | {kind} | {scored.seconds:.2f} | {tested.seconds:.2f} "
            f"| {each[0]:.1f} | {compared.seconds:.2f} | {each[1]:.1f} |",
            flush=True,
        )
        if systems == 50:
            _against_first(targets, f"{systems} systems, {kind}", tested)


def _against_first(targets: Targets, what: str, tested: Contestant) -> None:
    """How many times faster than the first version the same ``significance`` is."""
    environment = earlier(FIRST)
    if environment is None:
        return
    command = [sys.executable, "-m", "finegrain", *tested.command[1:]]
    first = Contestant(FIRST, command, environment=environment)
    race([first], rounds=1)
    ratio = first.seconds / tested.seconds
    targets.check(f"{what}: significance, times faster than {FIRST}", ratio, at_least=4)


def _oracles(targets: Targets) -> None:
    print("\n| systems | oracle s | peak MB |\n|--:|--:|--:|")
    seconds = {}
    for systems in (500, 1_000, 2_000, 4_000):
        told = _command("oracle", _matrix(systems), "--input", "matrix", "--format", "json")
        race([told], rounds=1)
        seconds[systems] = told.seconds
        print(f"| {systems:,} | {told.seconds:.2f} | {told.megabytes:.0f} |", flush=True)
    growth = seconds[4_000] / seconds[1_000]
    targets.check("oracle: 4,000 against 1,000 systems", growth, at_most=4 * math.log(4e3, 1e3))


def _without_documents(folder: Path, names: Sequence[str]) -> Path:
    """The same files with no document boundaries; made once."""
    bare = folder / "bare"
    bare.mkdir(exist_ok=True)
    for name in names:
        if not (bare / f"{name}.conll").exists():
            _elsewhere(_write_bare, folder / f"{name}.conll", bare / f"{name}.conll")
    return bare


def _write_bare(source: Path, target: Path) -> None:
    target.write_text(re.sub("-DOCSTART-.*\n\n", "", source.read_text()))


def _slices(targets: Targets, sizes: tuple[int, ...]) -> None:
    print("\n| tokens | clusters | searched | score s | slices s | MB more than score |")
    print("|--:|:--|:--|--:|--:|--:|")
    for tokens in sizes:
        folder = _data(tokens)
        names = ("gold", "hasty", "careful")
        for kind, place in (
            ("documents", folder),
            ("sentences", _without_documents(folder, names)),
        ):
            files = [str(place / f"{name}.conll") for name in names]
            scored = _command("score", *files, "--no-intervals")
            pair = _command("slices", *files, "--pair", "hasty,careful")
            single = _command("slices", *files, "--system", "careful")
            race([scored, pair, single], rounds=1)
            for what, one in (("a pair", pair), ("one system", single)):
                more = one.megabytes - scored.megabytes
                print(
                    f"| {tokens:,} | {kind} | {what} | {scored.seconds:.2f} | {one.seconds:.2f} "
                    f"| {more:.0f} |",
                    flush=True,
                )
                if tokens == 10_000_000:
                    name = f"10M tokens, {kind}, {what}"
                    targets.check(f"{name}: s", one.seconds, at_most=15)
                    targets.check(f"{name}: MB more than score", more, at_most=400)


def measure(targets: Targets, *, quick: bool) -> None:
    """Print the measurements and note the targets."""
    _labels(targets, rounds=1 if quick else 3)
    _macro(targets)
    _pairs(targets, (12,) if quick else (12, 50))
    _oracles(targets)
    _slices(targets, (1_000_000,) if quick else (1_000_000, 10_000_000))


def main() -> None:
    """Print the measurements and the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one round, and no large inputs")
    targets = Targets()
    measure(targets, quick=parser.parse_args().quick)
    print("\n" + targets.table())
    sys.exit(1 if targets.missed else 0)


if __name__ == "__main__":
    main()
