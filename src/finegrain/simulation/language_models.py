"""A text, and the log-probabilities of language models with known weaknesses.

>>> made = simulate_language_models(tokens=300, seed=2, systems={"short": ["pieces"]}, noise=0.0)
>>> rows = made.systems["short"].parts["tokens"]
>>> [rows.fields["token"][row] for row in range(6)], made.planted["short"]
(['▁Clar', 'a', '▁Zabb', 'ridg', 'e', '▁,'], ('has other tokens: pieces of four letters',))

A word is as probable as it is frequent in the training text, more so where the model knows what
comes. Tokens have the marks of sentencepiece.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.errors import UsageError
from finegrain.simulation.prose import Text, write
from finegrain.simulation.scenario import Simulation, require_sizes, training_size
from finegrain.simulation.world import World

LANGUAGE_MODEL_WEAKNESSES: Mapping[str, str] = {
    "rare-words": "gives words that the training text has once at most far too little",
    "long-documents": "gets worse from the hundredth word of a document on",
    "weak": "gives every word less",
    "pieces": "has other tokens: pieces of four letters",
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "forgetful": ("long-documents",),
    "narrow": ("rare-words", "pieces"),
    "large": (),
}
_LONG = 100  # words
_PIECE = 4  # letters
_CONTEXT = 0.6  # what is left of the surprisal of a word by itself
Floats = NDArray[np.float64]


class _Written(NamedTuple):
    """The gold words, with ``[word]`` surprisals by frequency and places in their documents."""

    corpus: Corpus
    words: list[str]
    surprisal: Floats
    rare: NDArray[np.bool_]
    place: IntArray


def simulate_language_models(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make a text, and what language models with known weaknesses think of it.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``; tokens are words
    systems: weaknesses (see ``LANGUAGE_MODEL_WEAKNESSES``) by system; a showcase of three without
        it
    noise: how much surprisals of any model differ from those of the others, as a share of these
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in LANGUAGE_MODEL_WEAKNESSES:
            raise UsageError.unknown("weakness", name, LANGUAGE_MODEL_WEAKNESSES)
    world = World(seed)
    text = write(world, tokens=tokens, seed=seed, name="gold")
    training = write(world, tokens=training_size(tokens, train_tokens), seed=seed, name="train")
    made = _written(world, text, training)
    return Simulation(
        made.corpus,
        _corpus(world, training, "train"),
        {
            name: _model(name, made, names, noise, np.random.default_rng([seed, 31 + place]))
            for place, (name, names) in enumerate(asked.items())
        },
        {
            name: tuple(LANGUAGE_MODEL_WEAKNESSES[one] for one in names)
            for name, names in asked.items()
        },
        format="logprobs",
        suffix=".jsonl",
        of_text=("text", ".txt"),
    )


def _corpus(world: World, text: Text, source: str) -> Corpus:
    tokens = world.vocabulary.texts(text.words)
    return Corpus(source, text.offsets, tokens, documents=text.documents, format="text")


def _written(world: World, text: Text, training: Text) -> _Written:
    counts = np.bincount(training.words, minlength=len(world.vocabulary))[text.words]
    share = (counts + 0.5) / (len(training.words) + 0.5 * len(world.vocabulary))
    sizes = np.bincount(text.documents, np.diff(text.offsets)).astype(np.int64)
    place = np.arange(len(text.words)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return _Written(
        _corpus(world, text, "gold"), world.vocabulary.strings(text.words),
        -np.log(share) * _CONTEXT, counts <= 1, place,
    )  # fmt: skip


def _model(
    name: str, made: _Written, weaknesses: Sequence[str], noise: float, draw: np.random.Generator
) -> Corpus:
    surprisal = made.surprisal * np.exp(noise * draw.normal(0, 1, len(made.words)))
    surprisal *= 1.5 if "rare-words" in weaknesses else 1.0
    surprisal[~made.rare] /= 1.5 if "rare-words" in weaknesses else 1.0
    surprisal[made.place >= _LONG] *= 1.2 if "long-documents" in weaknesses else 1.0
    surprisal *= 1.1 if "weak" in weaknesses else 1.0
    longest = _PIECE if "pieces" in weaknesses else None
    tokens, numbers, parent = [], [], []
    documents = np.repeat(made.corpus.documents, np.diff(made.corpus.offsets)).tolist()  # type: ignore[arg-type]
    for word, bits, document in zip(made.words, surprisal.tolist(), documents, strict=True):
        step = longest or len(word)
        pieces = [word[at : at + step] for at in range(0, len(word), step)]
        tokens += ["▁" + pieces[0], *pieces[1:]]
        # the first piece says most about the word
        left = bits * 0.5 ** np.arange(1, len(pieces) + 1)
        left[-1] = bits - left[:-1].sum()
        numbers += (-left).round(4).tolist()
        parent += [document] * len(pieces)
    columns: dict[str, Column] = {"token": Texts.of(tokens), "logprob": np.array(numbers)}
    fields: dict[str, Column] = {"number": np.arange(1.0, made.corpus.n_documents + 1)}
    parts = {"tokens": Rows(np.array(parent), columns)}
    return of_fields(name, fields, parts=parts, format="logprobs")
