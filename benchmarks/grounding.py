"""Answers of language models with known truth: ``python -m benchmarks.grounding``.

20,000 answers in all forms to texts of 2 kB (``simulation.model_answers``): how many items get
their class, how many are put at a wrong place, and how many megabytes of answers are read in a
minute of one processor. Then 10,000 answers that were damaged at random.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from finegrain.grounding import CLASSES, Place, PlacedAnswer, Rules, Schema, place
from finegrain.simulation.model_answers import LABELS, Given, Truth, Written, answer_to, write_text

ANSWERS, DAMAGED, SIZE = 20_000, 10_000, 2_000
RULES = Rules(Schema.of(LABELS), repair=True)
_EACH = 4  # answers to one text
_PIECES = ('"', "'", "[", "]", "{", "}", ",", ":", "\\", "\n", "```", "<PER>", "</PER>", "@@", "##",
           "\ud800", "\x00", "😀", "null", "1e999", "\\u12", "O\n")  # fmt: skip


class Outcome(NamedTuple):
    """What became of all items."""

    items: int
    right: int
    placed: int
    wrong: int
    megabytes: float
    seconds: float
    confusion: Counter[tuple[str, str]]

    @property
    def speed(self) -> float:
        """Megabytes of answers per minute of CPU time."""
        return self.megabytes / self.seconds * 60


def measured(answers: int, *, size: int = SIZE, seed: int = 1) -> Outcome:
    """Ground answers with known truth."""
    data = list(_data(answers, size, seed))
    begin = time.process_time()
    placed = [place(Place(made.text), given.text, RULES) for made, given in data]
    seconds = time.process_time() - begin
    pairs = [
        pair for (_, given), one in zip(data, placed, strict=True) for pair in paired(given, one)
    ]
    megabytes = sum(len(given.text.encode()) for _, given in data) / 1e6
    wrong = sum(span is not None and span not in truth.spans for truth, _, span in pairs)
    return Outcome(
        len(pairs),
        sum(truth.kind == kind for truth, kind, _ in pairs),
        sum(span is not None for _, _, span in pairs),
        wrong,
        megabytes,
        seconds,
        Counter((truth.kind, kind) for truth, kind, _ in pairs),
    )


def _data(answers: int, size: int, seed: int) -> Iterator[tuple[Written, Given]]:
    rng = random.Random(seed)
    for number in range(answers):
        if number % _EACH == 0:
            made = write_text(rng, size)
        yield made, answer_to(made, rng)


def paired(
    given: Given, placed: PlacedAnswer
) -> Iterator[tuple[Truth, str, tuple[int, int] | None]]:
    """The truth about each item, its class and place; what is no item stands last."""
    truth = sorted(given.truth, key=lambda one: one.kind == "unparseable")
    items = sorted(placed.items, key=lambda one: one.kind == "unparseable")
    for number in range(max(len(truth), len(items))):
        said = truth[number] if number < len(truth) else Truth("not an item")
        if number < len(items):
            yield said, items[number].kind, items[number].span
        else:
            yield said, "lost", None


def damaged(answers: int, *, size: int = 300, seed: int = 2) -> Counter[str]:
    """Ground damaged answers; how many items are in which class. Nothing may be raised."""
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    for made, given in _data(answers, size, seed):
        text = damage(given.text, rng)
        for repair in (False, True):
            placed = place(Place(made.text), text, RULES._replace(repair=repair))
            counts.update(one.kind for one in placed.items)
            _require_sound(made, placed)
    return counts


def damage(text: str, rng: random.Random) -> str:
    """An answer with pieces cut out, put in, doubled or moved."""
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randint(0, len(text)), rng.choice((0, 0, 1, 1, 2, 5, 40))
        piece = rng.choice((*_PIECES, "", "", text[at : at + 30]))
        text = text[:at] + piece + text[at + size :]
    return text[: rng.randint(0, len(text))] if rng.random() < 0.2 else text


def _require_sound(made: Written, placed: PlacedAnswer) -> None:
    taken: set[tuple[tuple[int, int], str]] = set()
    for one in placed.items:
        if one.kind not in CLASSES:
            raise ValueError(f"no class: {one.kind}")
        if one.span is not None:
            begin, end = one.span
            if not 0 <= begin < end <= len(made.text) or (one.span, one.label) in taken:
                raise ValueError(f"a wrong place: {one}")
            taken.add((one.span, one.label))


def main(arguments: Sequence[str]) -> None:
    """Print what was measured."""
    number = int(arguments[0]) if arguments else ANSWERS
    outcome = measured(number)
    print(f"{number:,} answers, {outcome.items:,} items, {outcome.megabytes:.1f} MB")
    print(f"class accuracy {100 * outcome.right / outcome.items:.3f} %")
    print(f"wrong places {100 * outcome.wrong / outcome.placed:.4f} %")
    print(f"{outcome.speed:.0f} MB of answers per minute of CPU time")
    for (truth, kind), count in outcome.confusion.most_common():
        print(f"{truth:14} {kind:14} {count:,}")
    counts = damaged(DAMAGED if not arguments else number // 2)
    print(f"damaged: {sum(counts.values()):,} items, no traceback")


if __name__ == "__main__":
    main(sys.argv[1:])
