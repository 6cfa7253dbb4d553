"""Reviews with a grade from 0 to 5, and systems that grade them with known weaknesses.

>>> made = simulate_grades(tokens=400, seed=2, systems={"mild": ["compressed"]}, noise=0.0)
>>> pairs = zip(made.gold.fields["score"], made.systems["mild"].fields["score"], strict=True)
>>> [(float(gold), float(grade)) for gold, grade in pairs][:2]
[(0.98, 1.74), (1.4, 1.95)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.errors import UsageError
from finegrain.simulation.reviews import DOMAINS, Reviews, is_long, write_reviews
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

LOWEST, HIGHEST = 0.0, 5.0
_MEANS = np.array([1.0, 2.5, 4.0])  # by sentiment
_SPREAD = 0.5
GRADE_WEAKNESSES: Mapping[str, str] = {
    "negation": "takes texts with a negation for their opposite",
    "long-texts": "is far off on texts of 14 or more words",
    "compressed": "grades too near to the middle",
    "generous": "grades half a point too high",
    "silent": "leaves out one item in twenty",
    **{f"domain={name}": f"is far off on texts about {name}" for name in DOMAINS},
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "lexicon": ("negation", "compressed"),
    "embedder": ("domain=food",),
    "finetuned": ("long-texts",),
}


def simulate_grades(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make reviews with grades, and the grades of systems with known weaknesses.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``
    systems: weaknesses (see ``GRADE_WEAKNESSES``) by system; a showcase of three without it
    noise: of all grades of systems: its standard deviation, as a share of the range
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in GRADE_WEAKNESSES:
            raise UsageError.unknown("weakness", name, GRADE_WEAKNESSES)
    draw = np.random.default_rng([seed, 11])
    made = write_reviews(draw, tokens)
    grades = _grades(made, draw)
    other = np.random.default_rng([seed, 12])
    training = write_reviews(other, training_size(tokens, train_tokens))
    return Simulation(
        _corpus("gold", made, grades),
        _corpus("train", training, _grades(training, other), prefix="t"),
        {
            name: _answers(name, made, grades, names, noise, np.random.default_rng([seed, 13 + at]))
            for at, (name, names) in enumerate(asked.items())
        },
        {name: tuple(GRADE_WEAKNESSES[one] for one in names) for name, names in asked.items()},
        format="csv",
        suffix=".csv",
    )


def _grades(made: Reviews, draw: np.random.Generator) -> NDArray[np.float64]:
    return _rounded(_MEANS[made.label] + draw.normal(0, _SPREAD, len(made.label)))


def _rounded(grades: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.round(np.clip(grades, LOWEST, HIGHEST), 2).astype(np.float64)


def _corpus(source: str, made: Reviews, grades: NDArray[np.float64], prefix: str = "r") -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(grades) + 1)),
        "text": Texts.of(made.text),
        "score": grades,
        "domain": Texts.of(made.domain),
    }
    return of_fields(source, fields, format="csv")


def _answers(
    name: str,
    made: Reviews,
    grades: NDArray[np.float64],
    weaknesses: Sequence[str],
    noise: float,
    draw: np.random.Generator,
) -> Corpus:
    size, middle = len(grades), (LOWEST + HIGHEST) / 2
    spread = np.full(size, noise * (HIGHEST - LOWEST))
    off = {f"domain={one}": np.array([about == one for about in made.domain]) for one in DOMAINS}
    off["long-texts"] = is_long(made)
    for weakness in weaknesses:
        if weakness in off:
            spread = np.where(off[weakness], spread + 1.5, spread)
    turned = made.negated & ("negation" in weaknesses)
    told = np.where(turned, HIGHEST + LOWEST - grades, grades) + draw.normal(0, 1, size) * spread
    told = middle + (told - middle) / 2 if "compressed" in weaknesses else told
    told = told + 0.5 * ("generous" in weaknesses)
    said = np.flatnonzero(draw.random(size) >= 0.05) if "silent" in weaknesses else np.arange(size)
    fields: dict[str, Column] = {
        "id": Texts.of(f"r{row + 1}" for row in said.tolist()),
        "score": _rounded(told)[said],
    }
    return of_fields(name, fields, format="csv")
