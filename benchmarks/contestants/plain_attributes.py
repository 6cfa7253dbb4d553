"""The eight attributes, their buckets and F1 in plain Python: entity by entity, with dictionaries.

Arguments: gold, training file, systems. Prints, per attribute, the gold sizes of its buckets and
the F1 of every system, as one line of JSON.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

Sentence = tuple[list[str], list[str]]  # words, case folded, and tags
Value = Callable[["Unit"], float]


class Unit(NamedTuple):
    """An entity, or a token of one."""

    sentence: int
    begin: int
    end: int
    label: str


def read(path: str) -> list[Sentence]:
    """Words and tags of a file, sentence by sentence."""
    sentences: list[Sentence] = [([], [])]
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - the plainest way
        for line in file:
            cells = line.split()
            if not cells:
                if sentences[-1][0]:
                    sentences.append(([], []))
            elif cells[0] != "-DOCSTART-":
                sentences[-1][0].append(cells[0].casefold())
                sentences[-1][1].append(cells[-1])
    return sentences if sentences[-1][0] else sentences[:-1]


def entities(sentences: list[Sentence]) -> Iterator[Unit]:
    """The spans of IOB2 tags."""
    for number, (_, tags) in enumerate(sentences):
        begin = -1
        for at, tag in enumerate([*tags, "O"]):
            if begin >= 0 and not (tag[0] == "I" and tag[2:] == tags[begin][2:]):
                yield Unit(number, begin, at, tags[begin][2:])
                begin = -1
            if begin < 0 and tag != "O":
                begin = at


def tokens(sentences: list[Sentence]) -> Iterator[Unit]:
    """The tokens in spans."""
    for number, (_, tags) in enumerate(sentences):
        for at, tag in enumerate(tags):
            if tag != "O":
                yield Unit(number, at, at + 1, tag[2:])


def occurrences(train: list[Sentence], wanted: set[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    """How often the training text has the wanted surfaces, and all its words."""
    lengths: dict[str, set[int]] = {}
    for surface in wanted:
        if len(surface) > 1:
            lengths.setdefault(surface[0], set()).add(len(surface))
    grams: Counter[tuple[str, ...]] = Counter()
    for line, _ in train:
        for begin, word in enumerate(line):
            grams[word,] += 1
            for length in lengths.get(word, ()):
                gram = tuple(line[begin : begin + length])
                if len(gram) == length and gram in wanted:
                    grams[gram] += 1
    return grams


def of_training(
    train: list[Sentence], text: list[Sentence], units: set[Unit]
) -> tuple[dict[str, Value], dict[str, Value]]:
    """The attributes of entities and of tokens that the training data decide."""

    def words(unit: Unit) -> tuple[str, ...]:
        return tuple(text[unit.sentence][0][unit.begin : unit.end])

    grams = occurrences(train, {words(unit) for unit in units})
    found: Counter[tuple[str, ...]] = Counter()
    labelled: Counter[tuple[tuple[str, ...], str]] = Counter()
    for unit in entities(train):
        surface = tuple(train[unit.sentence][0][unit.begin : unit.end])
        found[surface] += 1
        labelled[surface, unit.label] += 1
    tagged = Counter(
        (word, tag[2:]) for line, tags in train for word, tag in zip(line, tags, strict=True)
    )
    size, n_units = sum(len(line) for line, _ in train), found.total()
    unknown = [sum((word,) not in grams for word in line) / len(line) for line, _ in text]

    def consistency(unit: Unit) -> float:
        surface = words(unit)
        return labelled[surface, unit.label] / grams[surface] if surface in grams else 0.0

    def token_consistency(unit: Unit) -> float:
        (word,) = words(unit)
        return tagged[word, unit.label] / grams[word,] if (word,) in grams else 0.0

    return {
        "oov_density": lambda unit: unknown[unit.sentence],
        "entity_frequency": lambda unit: found[words(unit)] / n_units,
        "entity_consistency": consistency,
    }, {
        "token_frequency": lambda unit: grams[words(unit)] / size,
        "token_consistency": token_consistency,
    }


RESERVED: dict[str, tuple[float, ...]] = {
    "entity_length": (1, 2, 3),
    "oov_density": (0,),
    "entity_frequency": (0,),
    "token_frequency": (0,),
    "entity_consistency": (0, 1),
    "token_consistency": (0, 1),
}


def buckets(name: str, gold: list[float]) -> Callable[[float], float]:
    """Which bucket a value falls into, told by its upper border or reserved value."""
    reserved = RESERVED.get(name, ())
    kept = {value for value in reserved if value in gold}
    rest = sorted(value for value in gold if value not in kept)
    parts = max(1, 4 - len(reserved))
    cuts = sorted({rest[-(-len(rest) * k // parts) - 1] for k in range(1, parts)} - {rest[-1]})

    def bucket(value: float) -> float:
        if value in kept:
            return value - 1e-9  # apart from the interval that ends in it
        return next((cut for cut in cuts if value <= cut), rest[-1])

    return bucket


def scores(name: str, value: Value, gold: set[Unit], systems: list[set[Unit]]) -> dict[str, object]:
    """Sizes and F1 of every bucket."""
    values = {unit: value(unit) for unit in gold.union(*systems)}
    bucket = buckets(name, [values[unit] for unit in gold])
    of = {unit: bucket(found) for unit, found in values.items()}
    expected = Counter(of[unit] for unit in gold)
    found = []
    for system in systems:
        made = Counter(of[unit] for unit in system)
        hits = Counter(of[unit] for unit in system & gold)
        found.append([2 * hits[one] / (expected[one] + made[one]) for one in sorted(expected)])
    return {"gold": [expected[one] for one in sorted(expected)], "f1": found}


def main() -> None:
    """All eight attributes."""
    text, train = read(sys.argv[1]), read(sys.argv[2])
    outputs = [read(path) for path in sys.argv[3:]]
    spans = [set(entities(one)) for one in (text, *outputs)]
    parts = [set(tokens(one)) for one in (text, *outputs)]
    by_entity, by_token = of_training(train, text, set().union(*spans))
    inside = Counter(unit.sentence for unit in parts[0])
    by_entity |= {
        "entity_length": lambda unit: unit.end - unit.begin,
        "sentence_length": lambda unit: len(text[unit.sentence][0]),
        "entity_density": lambda unit: inside[unit.sentence] / len(text[unit.sentence][0]),
    }
    found = {name: scores(name, value, spans[0], spans[1:]) for name, value in by_entity.items()}
    found |= {name: scores(name, value, parts[0], parts[1:]) for name, value in by_token.items()}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
