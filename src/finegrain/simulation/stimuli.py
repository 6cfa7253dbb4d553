"""Words with a geometry: what people think is near, and models that lack something of it.

>>> made = simulate_vectors(tokens=4000, seed=2, systems={"blind": ["number"]}, noise=0.1)
>>> gold, blind = made.gold, made.systems["blind"]
>>> list(gold.fields["id"].slice(0, 3)), gold.fields["number"].slice(0, 2)
(['cats', 'cat', 'cars'], ['plural', 'singular'])
>>> [name for name in gold.fields if name.startswith("person")]
['person1', 'person2', 'person3', 'person4']
>>> blind.fields["layer0"].shape
(40, 32)

A word is of a kind (animal, vehicle ...), singular or plural, and itself: each adds to its vector.
The gold file holds four people, who see it with noise of their own. A model has six layers, each of
them turned: the lower ones hold mostly what has no meaning, number is clearest in the third, kinds
in the fifth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.vectors import of_vectors
from finegrain.errors import UsageError
from finegrain.simulation.scenario import Simulation, require_sizes

Floats = NDArray[np.float64]
_NOUNS = {
    "animal": """
        cat dog cow horse goat rabbit tiger lion bear eagle shark snake frog beetle
        spider camel otter parrot turtle badger
    """,
    "vehicle": """
        car bus van truck train tram boat ferry canoe plane rocket tractor taxi scooter
        lorry wagon yacht glider bicycle barge
    """,
    "food": """
        apple pear lemon carrot onion turnip cake pizza sandwich burger olive plum melon
        biscuit noodle sausage pancake almond walnut bean
    """,
    "tool": """
        hammer drill saw spoon fork ladder shovel needle razor bucket pencil ruler broom
        anvil chisel wrench lantern kettle pulley lever
    """,
    "person": """
        doctor teacher farmer singer lawyer painter sailor baker tailor pilot nurse
        author driver gardener banker jeweller butcher plumber miner weaver
    """,
}
KINDS: Mapping[str, tuple[str, ...]] = {
    kind: tuple(nouns.split()) for kind, nouns in _NOUNS.items()
}
VECTOR_WEAKNESSES: Mapping[str, str] = {
    "number": "does not know singular from plural in any layer",
    "kinds": "does not know what kind of thing a word is",
    "static": "has a single layer",
    **{f"kind={name}": f"scatters words of the kind {name}" for name in KINDS},
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "encoder": (),
    "static": ("static", "number"),
    "narrow": ("kind=animal",),
}
_PEOPLE = 4
_LAYERS = 6
_DIMENSIONS = (24, 32)  # of people, of models
_KIND, _NUMBER, _OWN = 1.0, 1.6, 0.7  # the lengths of what adds up
_TOKENS = 100  # of a corpus, for a word
_FEWEST, _MOST = 12, 160
# by layer: how much of kind, of number and of the word itself there is, and of what has no meaning
_MIXTURES = (
    (0.2, 0.1, 0.3, 2.0), (0.4, 0.6, 0.6, 1.4), (0.6, 1.2, 0.8, 0.8),
    (0.9, 0.8, 1.0, 0.6), (1.2, 0.4, 1.0, 0.5), (0.9, 0.2, 0.8, 0.9),
)  # fmt: skip


class _Words(NamedTuple):
    """``[word]`` each."""

    form: tuple[str, ...]
    lemma: tuple[str, ...]
    kind: tuple[str, ...]
    number: tuple[str, ...]


class _Meaning(NamedTuple):
    """``[word, dimension]`` what adds up to vectors."""

    kind: Floats
    number: Floats
    own: Floats

    def mixed(self, kind: float, number: float, own: float) -> Floats:
        return kind * self.kind + number * self.number + own * self.own


def simulate_vectors(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make words with vectors of people, and of models with known weaknesses.

    Parameters
    ----------
    tokens: a word for each 100 of them, from 12 to 160: two forms of a noun each
    seed: the same seed gives the same vectors
    systems: weaknesses (see ``VECTOR_WEAKNESSES``) by system; a showcase of three without it
    noise: of people and models: its standard deviation in each dimension
    train_tokens: other words, a quarter of the gold ones if not given
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in VECTOR_WEAKNESSES:
            raise UsageError.unknown("weakness", name, VECTOR_WEAKNESSES)
    size = min(_MOST, max(_FEWEST, tokens // _TOKENS)) // 2
    more = size // 4 if train_tokens is None else max(1, train_tokens // _TOKENS // 2)
    every = _words(size + min(more, 100 - size))
    meaning = _meaning(every, np.random.default_rng([seed, 31]))
    gold, train = np.arange(2 * size), np.arange(2 * size, len(every.form))
    people = _people(meaning, noise, np.random.default_rng([seed, 32]))
    return Simulation(
        _corpus("gold", every, people, gold, described=True),
        _corpus("train", every, people, train, described=True),
        {
            name: _corpus(
                name, every,
                _model(every, meaning, names, noise, np.random.default_rng([seed, 33 + at])), gold,
            )
            for at, (name, names) in enumerate(asked.items())
        },
        {name: tuple(VECTOR_WEAKNESSES[one] for one in names) for name, names in asked.items()},
        format="vectors",
        suffix=".jsonl",
    )  # fmt: skip


def _words(size: int) -> _Words:
    """Nouns of all kinds in turn, plural and singular."""
    rows = [
        (form, lemma, kind, number)
        for turn in zip(*KINDS.values(), strict=True)
        for kind, lemma in zip(KINDS, turn, strict=True)
        for form, number in ((_plural(lemma), "plural"), (lemma, "singular"))
    ]
    return _Words(*zip(*rows[: 2 * size], strict=True))


def _plural(noun: str) -> str:
    if noun.endswith(("s", "sh", "ch", "x")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith(("ry", "dy")) else f"{noun}s"


def _meaning(words: _Words, draw: np.random.Generator) -> _Meaning:
    width = _DIMENSIONS[0]
    centres = {kind: draw.normal(size=width) for kind in KINDS}
    direction = draw.normal(size=width)
    lemmas = list(dict.fromkeys(words.lemma))
    own = {lemma: draw.normal(size=width) for lemma in lemmas}
    signs = np.array([1.0 if one == "plural" else -1.0 for one in words.number])
    return _Meaning(
        _KIND * np.array([centres[kind] for kind in words.kind]),
        _NUMBER * signs[:, None] * direction / 2,
        _OWN * np.array([own[lemma] for lemma in words.lemma]),
    )


def _people(meaning: _Meaning, noise: float, draw: np.random.Generator) -> dict[str, Floats]:
    truth = meaning.mixed(1, 0.6, 1)
    return {
        f"person{at}": truth + draw.normal(0, 0.5 + 2 * noise, truth.shape)
        for at in range(1, _PEOPLE + 1)
    }


def _model(
    words: _Words,
    meaning: _Meaning,
    weaknesses: Sequence[str],
    noise: float,
    draw: np.random.Generator,
) -> dict[str, Floats]:
    layers = (_MIXTURES[4],) if "static" in weaknesses else _MIXTURES
    scattered = np.array([f"kind={kind}" in weaknesses for kind in words.kind])
    found = {}
    for place, (kind, number, own, other) in enumerate(layers):
        known = meaning.mixed(
            0.0 if "kinds" in weaknesses else kind, 0.0 if "number" in weaknesses else number, own
        )
        apart = draw.normal(0, float(known.std()), known.shape)
        known = np.where(scattered[:, None], apart, known)
        turn, _ = np.linalg.qr(draw.normal(size=(_DIMENSIONS[1], _DIMENSIONS[1])))
        mixed = known @ turn[: _DIMENSIONS[0]]
        mixed += draw.normal(0, 0.4 * other + noise, mixed.shape)
        found["embedding" if len(layers) == 1 else f"layer{place}"] = mixed
    return found


def _corpus(
    source: str,
    words: _Words,
    columns: Mapping[str, Floats],
    rows: NDArray[np.int64],
    *,
    described: bool = False,
) -> Corpus:
    def texts(column: Sequence[str]) -> Texts:
        return Texts.of(column[row] for row in rows.tolist())

    fields: dict[str, Column] = {"id": texts(words.form)}
    if described:
        fields |= {"lemma": texts(words.lemma), "kind": texts(words.kind),
                   "number": texts(words.number)}  # fmt: skip
    vectors = {name: np.round(column[rows], 4) for name, column in columns.items()}
    return of_vectors(source, vectors, fields, format="vectors")
