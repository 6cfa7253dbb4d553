"""Ratings by people: systems of known quality, and raters who are severe, generous or careless.

>>> made = simulate_ratings(tokens=400, seed=2, systems={"good": ["quality=4"], "weak": []})
>>> sorted(made.gold.fields)
['domain', 'item', 'rater', 'score', 'system', 'text']
>>> made.planted["rater-2"], made.planted["good"]
(('gives a point less than others, and worse labels',), ('has the quality 4',))

A score is the quality of the system and how good it is on this item, less how severe the rater is,
rounded to 1 to 5. The file holds all systems, and there is none beside it.

The same people say which sentiment the texts have (``further``): a severe one takes some texts for
a step worse than they are, a generous one for a step better, a careless one says anything.

>>> made.further["labels.csv"].splitlines()[:2]
['annotator,item,label,gold', 'rater-1,r1,negative,negative']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.errors import UsageError
from finegrain.simulation.reviews import DOMAINS, LABELS, Reviews, is_long, write_reviews
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

LOWEST, HIGHEST, MIDDLE = 1, 5, 3.0
RATING_WEAKNESSES: Mapping[str, str] = {
    **{f"quality={grade}": f"has the quality {grade}" for grade in range(LOWEST, HIGHEST + 1)},
    "long-texts": "is a point worse on texts of 14 or more words",
    **{f"domain={name}": f"is a point worse on texts about {name}" for name in DOMAINS},
}
RATERS: Mapping[str, str] = {
    **{f"rater-{number}": "" for number in range(1, 9)},
    "rater-2": "gives a point less than others, and worse labels",
    "rater-5": "gives half a point more than others, and better labels",
    "rater-7": "gives any score and any label",
}
"""Who rates, and what is planted in them."""
_SEVERE = {"rater-2": 1.0, "rater-5": -0.5}
_CARELESS = ("rater-7",)
_OF_ITEM, _OF_RATER = 0.6, 0.5  # how far items of a system, and raters of an item, differ
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "large": ("quality=4",),
    "small": ("domain=food",),
    "rules": ("quality=2", "long-texts"),
}


def simulate_ratings(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make the ratings that eight people give systems, with known qualities and raters.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``
    systems: weaknesses (see ``RATING_WEAKNESSES``) by system; a showcase of three without it; the
        quality is 3 unless it is named
    noise: share of ratings that are drawn from all scores alike
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    if not asked:
        raise UsageError("ratings are of systems: name some")
    if taken := [name for name in asked if name in RATERS]:
        raise UsageError(f"a system cannot be called {taken[0]!r}: a rater is")
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in RATING_WEAKNESSES:
            raise UsageError.unknown("weakness", name, RATING_WEAKNESSES)
    draw, other = (np.random.default_rng([seed, 31 + at]) for at in range(2))
    made = write_reviews(draw, tokens)
    training = write_reviews(other, training_size(tokens, train_tokens))
    gold = _rated("gold", made, asked, noise, draw)
    train = _rated("train", training, asked, noise, other)
    planted = {name: tuple(RATING_WEAKNESSES[one] for one in own) for name, own in asked.items()}
    planted |= {name: (what,) for name, what in RATERS.items() if what}
    further = {"labels.csv": _labels(made, noise, np.random.default_rng([seed, 33]))}
    return Simulation(gold, train, {}, planted, format="csv", suffix=".csv", further=further)


def _rated(
    source: str,
    made: Reviews,
    systems: Mapping[str, Sequence[str]],
    noise: float,
    draw: np.random.Generator,
) -> Corpus:
    """A row for every item, system and rater."""
    mean = np.column_stack([_quality(made, own, draw) for own in systems.values()])
    severe = np.array([_SEVERE.get(name, 0.0) for name in RATERS])
    shape = (*mean.shape, len(RATERS))
    told = mean[:, :, None] - severe + draw.normal(0, _OF_RATER, shape)
    score = np.clip(np.round(told), LOWEST, HIGHEST).astype(np.int64)
    at_random = draw.random(shape) < noise
    at_random |= np.isin(list(RATERS), _CARELESS)
    score = np.where(at_random, draw.integers(LOWEST, HIGHEST, shape, endpoint=True), score)
    item, system, rater = (one.ravel().tolist() for one in np.indices(shape))
    names, raters = list(systems), list(RATERS)
    fields: dict[str, Column] = {
        "rater": Texts.of(raters[one] for one in rater),
        "item": Texts.of(f"r{one + 1}" for one in item),
        "system": Texts.of(names[one] for one in system),
        "score": score.ravel(),
        "domain": Texts.of(made.domain[one] for one in item),
        "text": Texts.of(made.text[one] for one in item),
    }
    return of_fields(source, fields, format="csv")


def _labels(made: Reviews, noise: float, draw: np.random.Generator) -> str:
    """What raters say about the sentiment of every text, as a table with gold."""
    shape = (len(made.label), len(RATERS))
    leaning = np.array([_SEVERE.get(name, 0.0) for name in RATERS])
    steps = np.sign(leaning) * (draw.random(shape) < np.abs(leaning) / 2)
    told = np.clip(made.label[:, None] - steps, 0, len(LABELS) - 1).astype(np.int64)
    at_random = (draw.random(shape) < noise) | np.isin(list(RATERS), _CARELESS)
    told = np.where(at_random, draw.integers(0, len(LABELS), shape), told)
    lines = ["annotator,item,label,gold"]
    for item, (own, gold) in enumerate(zip(told.tolist(), made.label.tolist(), strict=True), 1):
        lines += (
            f"{rater},r{item},{LABELS[label]},{LABELS[gold]}"
            for rater, label in zip(RATERS, own, strict=True)
        )
    return "\n".join(lines) + "\n"


def _quality(
    made: Reviews, weaknesses: Sequence[str], draw: np.random.Generator
) -> NDArray[np.float64]:
    """``[item]`` how good a system is on every item."""
    grades = [float(one.partition("=")[2]) for one in weaknesses if one.startswith("quality=")]
    mean = np.full(len(made.label), grades[-1] if grades else MIDDLE)
    worse = {f"domain={one}": np.array([about == one for about in made.domain]) for one in DOMAINS}
    worse["long-texts"] = is_long(made)
    for weakness in weaknesses:
        if weakness in worse:
            mean = mean - worse[weakness]
    found: NDArray[np.float64] = mean + draw.normal(0, _OF_ITEM, len(mean))
    return found
