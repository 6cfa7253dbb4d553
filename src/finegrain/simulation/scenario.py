"""Gold, training data and systems from one seed.

>>> simulation = simulate(tokens=1000, seed=1, systems={"baseline": ["too-short"]}, noise=0.0)
>>> gold, system = simulation.gold, simulation.systems["baseline"]
>>> words = gold.tokens.slice(0, gold.n_tokens)
>>> rows = zip(words, gold.layers["tags"], system.layers["tags"], strict=True)
>>> [row for row in rows if row[1] != row[2]][:2]
[('van', 'B-PER', 'O'), ('der', 'I-PER', 'B-PER')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.simulation.output import Gold, iob2, parts_of_speech, predict
from finegrain.simulation.prose import Text, positions, write
from finegrain.simulation.weaknesses import Entities, Tokens, weakness
from finegrain.simulation.world import World

SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "baseline": ("rare-words", "too-short", "spurious"),
    "crf": ("long-entities", "confuses-ORG-LOC"),
    "neural": ("label=WORK", "long-sentences"),
    "uniform": (),
}
_MOST_TRAINING = 1_000_000  # tokens, unless more are asked for


@dataclass(frozen=True, slots=True, eq=False)
class Simulation:
    """A gold corpus, training data, system outputs, and what was planted in them.

    Parameters
    ----------
    gold: tokens with the layers "tags" (IOB2) and "pos" (universal parts of speech), in documents
    train: other text of the same world; some entities of the gold do not occur in it
    systems: the gold text with the system's layers, by name
    planted: the weaknesses of each system in words; none for a system that errs everywhere alike
    format, suffix: of the files that it is written to
    further: what systems gave where that is not a corpus, by the name of the file
    of_text: format and suffix of gold and training files, if they are others
    """

    gold: Corpus
    train: Corpus
    systems: dict[str, Corpus]
    planted: dict[str, tuple[str, ...]]
    format: str = "conll"
    suffix: str = ".conll"
    further: Mapping[str, str] = field(default_factory=dict)
    of_text: tuple[str, str] | None = None


def simulate(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
    ill_formed: float = 0.0,
) -> Simulation:
    """Make a corpus and the outputs of systems with known weaknesses.

    Parameters
    ----------
    tokens: the gold ends with the first sentence that reaches this number
    seed: the same seed gives the same corpora; a longer corpus begins like a shorter one
    systems: names of weaknesses (see ``WEAKNESSES``) by system; a showcase of four without it
    noise: the share of entities that any system gets wrong, whatever they are like; for each 100
        of them, 35 entities are invented, and half this share of parts of speech is wrong
    train_tokens: four times the gold, but a million at most, without it
    ill_formed: the share of predicted entities that begin with I- instead of B-
    """
    require_sizes(tokens, seed, noise, train_tokens)
    _require_share("ill_formed", ill_formed)
    asked = SHOWCASE if systems is None else systems
    planted = {name: tuple(map(weakness, names)) for name, names in asked.items()}
    world = World(seed)
    text = write(world, tokens=tokens, seed=seed, name="gold")
    corpus = _corpus(world, text, "gold")
    training = write(world, tokens=training_size(tokens, train_tokens), seed=seed, name="train")
    gold = _facts(world, text, training)
    return Simulation(
        corpus,
        _corpus(world, training, "train"),
        {
            name: Corpus(
                name, corpus.offsets, corpus.tokens,
                predict(
                    gold, name=name, seed=seed, weaknesses=weaknesses, noise=noise,
                    ill_formed=ill_formed,
                ),
                documents=corpus.documents,
            )
            for name, weaknesses in planted.items()
        },
        {name: tuple(each.summary for each in weaknesses) for name, weaknesses in planted.items()},
    )  # fmt: skip


def require_sizes(tokens: int, seed: int, noise: float, train_tokens: int | None) -> None:
    """Raise unless a corpus can be made of these."""
    if tokens < 1 or (train_tokens is not None and train_tokens < 1):
        raise UsageError("a simulated corpus has at least 1 token")
    if seed < 0:
        raise UsageError(f"a seed is 0 or greater, not {seed}")
    _require_share("noise", noise)


def _require_share(name: str, share: float) -> None:
    if not 0.0 <= share <= 1.0:
        raise UsageError(f"{name} is a share from 0 to 1, not {share}")


def training_size(tokens: int, wanted: int | None) -> int:
    """How many tokens training data have, unless it is said."""
    return min(4 * tokens, _MOST_TRAINING) if wanted is None else wanted


def _corpus(world: World, text: Text, source: str) -> Corpus:
    layers = {
        "tags": iob2(text.offsets, text.begin, text.end, text.label),
        "pos": parts_of_speech(text.pos),
    }
    tokens = world.vocabulary.texts(text.words)
    return Corpus(source, text.offsets, tokens, layers, documents=text.documents)


def _facts(world: World, text: Text, training: Text) -> Gold:
    """What weaknesses can see of the gold."""
    seen = np.bincount(training.words, minlength=len(world.vocabulary))
    sentence = np.searchsorted(text.offsets, text.begin, side="right") - 1
    length = text.end - text.begin
    rarest = np.empty(0, np.int64)
    if len(length):
        inside = positions(text.begin, length)
        rarest = np.minimum.reduceat(seen[text.words[inside]], np.cumsum(length) - length)
    return Gold(
        text,
        Entities(length, text.label, np.diff(text.offsets)[sentence], rarest),
        Tokens(text.pos, world.vocabulary.capital()[text.words], (seen <= 1)[text.words]),
    )
