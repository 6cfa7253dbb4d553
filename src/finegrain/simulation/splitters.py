"""A text in sentences, and sentence splitters with known weaknesses.

>>> made = simulate_splitters(tokens=100, seed=1, systems={"eager": ["brackets"]}, noise=0.0)
>>> made.systems["eager"].sentence(0)
['Henrik', 'van', 'der', 'Berg', '(']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.simulation.prose import Text, write
from finegrain.simulation.scenario import Simulation, require_sizes, training_size
from finegrain.simulation.world import World

SPLITTER_WEAKNESSES: Mapping[str, str] = {
    "brackets": "takes opening brackets for the end of a sentence",
    "commas": "takes one comma in four for the end of a sentence",
    "short-sentences": "joins sentences of less than 10 words with the one behind them",
    "late": "ends one sentence in five a word too late",
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "eager": ("brackets", "commas"),
    "lazy": ("short-sentences",),
    "careful": (),
}
_SHORT = 10  # words
Flags = NDArray[np.bool_]


def simulate_splitters(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make a text in sentences, and the sentences of splitters with known weaknesses.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``; tokens are words
    systems: weaknesses (see ``SPLITTER_WEAKNESSES``) by system; a showcase of three without it
    noise: the share of sentences whose end any system misses
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in SPLITTER_WEAKNESSES:
            raise UsageError.unknown("weakness", name, SPLITTER_WEAKNESSES)
    world = World(seed)
    text = write(world, tokens=tokens, seed=seed, name="gold")
    training = write(world, tokens=training_size(tokens, train_tokens), seed=seed, name="train")
    words = np.array(world.vocabulary.strings(text.words), object)
    return Simulation(
        _corpus(world, text, "gold", text.offsets),
        _corpus(world, training, "train", training.offsets),
        {
            name: _corpus(
                world, text, name,
                _split(text, words, names, noise, np.random.default_rng([seed, 41 + place])),
            )
            for place, (name, names) in enumerate(asked.items())
        },
        {name: tuple(SPLITTER_WEAKNESSES[one] for one in names) for name, names in asked.items()},
        format="text",
        suffix=".txt",
    )  # fmt: skip


def _corpus(world: World, text: Text, source: str, offsets: NDArray[np.int64]) -> Corpus:
    opening = np.searchsorted(text.offsets, offsets[:-1], "right") - 1
    return Corpus(
        source, offsets, world.vocabulary.texts(text.words), documents=text.documents[opening],
        format="text",
    )  # fmt: skip


def _split(
    text: Text, words: NDArray[np.object_], weaknesses: Sequence[str], noise: float,
    draw: np.random.Generator,
) -> NDArray[np.int64]:  # fmt: skip
    """Where sentences begin, and the end of the text; documents always begin one."""
    begins = np.zeros(len(words) + 1, bool)
    begins[text.offsets] = True
    last = text.offsets[1:-1]  # where the next sentence of the text begins
    if "late" in weaknesses:
        moved = last[draw.random(len(last)) < 0.2]
        begins[moved] = False
        begins[moved + 1] = True
    if "short-sentences" in weaknesses:
        begins[last[np.diff(text.offsets)[:-1] < _SHORT]] = False
    begins[last[draw.random(len(last)) < noise]] = False
    luck = draw.random(len(words))
    if "brackets" in weaknesses:
        begins[1:] |= words == "("
    if "commas" in weaknesses:
        begins[1:] |= (words == ",") & (luck < 0.25)
    heads = np.diff(text.documents, prepend=-1) != 0
    begins[text.offsets[:-1][heads]] = begins[-1] = True
    return np.flatnonzero(begins)
