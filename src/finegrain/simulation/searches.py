"""Queries with judged documents, and search systems with known weaknesses.

>>> simulation = simulate_searches(tokens=200, seed=2, systems={"brief": ["long-queries"]})
>>> simulation.gold.fields["query"][0], simulation.planted["brief"]
('safe diet without a doctor', ('ranks badly for queries of 5 or more words',))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.simulation.item_scenario import of_items
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

DOMAINS: Mapping[str, tuple[str, ...]] = {
    "health": ("fever", "diet", "sleep", "vaccine", "pulse"),
    "law": ("contract", "tenant", "patent", "divorce", "licence"),
    "travel": ("flat", "ferry", "visa", "hostel", "museum"),
}
_KINDS = ("cheap", "old", "new", "common", "early", "safe")
_PLACES = ("in the centre", "for children", "by the sea", "after ten years", "without a doctor")
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "lexical": ("domain=law",),
    "dense": ("long-queries",),
    "hybrid": (),
}
SEARCH_WEAKNESSES: Mapping[str, str] = {
    "long-queries": "ranks badly for queries of 5 or more words",
    "shallow": "retrieves ten documents only",
    "silent": "leaves out one query in twenty",
    **{f"domain={name}": f"ranks badly for queries about {name}" for name in DOMAINS},
}
_LONG = 5  # words
_RETRIEVED, _JUDGED = 40, 20  # documents of a query
_GOOD, _BAD = 2.0, 0.2  # how much a grade adds to a score, which is drawn beside it
_POOL = 100_000


class Searches(NamedTuple):
    """Queries with their domains; ``names`` ``[query, document]``, ``grades`` 0 for not judged."""

    query: list[str]
    domain: list[str]
    names: NDArray[np.int64]
    grades: NDArray[np.int64]


def simulate_searches(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make queries with judged documents, and the scores of systems with known weaknesses.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``; tokens are the words of all queries
    noise: the share of queries for which any system ranks badly
    systems: weaknesses (see ``SEARCH_WEAKNESSES``) by system; a showcase of three without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    return of_items(
        SHOWCASE if systems is None else systems,
        SEARCH_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_judged,
        answer=partial(_ranked, noise=noise),
    )


def _write(draw: np.random.Generator, tokens: int) -> Searches:
    query, domain, words = [], [], 0
    while words < tokens:
        about = str(draw.choice(list(DOMAINS)))
        text = f"{draw.choice(_KINDS)} {draw.choice(DOMAINS[about])}"
        text += f" {draw.choice(_PLACES)}" if draw.random() < 0.5 else ""
        query.append(text)
        domain.append(about)
        words += len(text.split())
    size = (len(query), _RETRIEVED)
    start = draw.integers(0, _POOL, (len(query), 1))
    names = (start + 37 * np.arange(_RETRIEVED)) % _POOL
    relevant = np.arange(_RETRIEVED) < draw.integers(1, 9, (len(query), 1))
    grades = np.where(relevant, draw.choice(3, size, p=(0.1, 0.6, 0.3)), 0)
    return Searches(query, domain, names, grades)


def _judged(source: str, made: Searches, prefix: str) -> Corpus:
    size = len(made.query)
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, size + 1)),
        "query": Texts.of(made.query),
        "domain": Texts.of(made.domain),
    }
    documents: dict[str, Column] = {
        "id": _named(made.names[:, :_JUDGED].reshape(-1)),
        "grade": made.grades[:, :_JUDGED].reshape(-1).astype(float),
    }
    rows = Rows(np.repeat(np.arange(size), _JUDGED), documents)
    return of_fields(source, fields, parts={"documents": rows}, format="items")


def _named(numbers: NDArray[np.int64]) -> Texts:
    return Texts.of(f"doc{number:05}" for number in numbers.tolist())


def _ranked(
    name: str, made: Searches, weaknesses: Sequence[str], draw: np.random.Generator, *, noise: float
) -> Corpus:
    size = len(made.query)
    struck = {
        "long-queries": np.array([len(text.split()) >= _LONG for text in made.query]),
        **{f"domain={one}": np.array([about == one for about in made.domain]) for one in DOMAINS},
    }
    bad = draw.random(size) < noise
    for weakness in weaknesses:
        bad |= struck.get(weakness, False)
    gain = np.where(bad, _BAD, _GOOD)[:, None] * made.grades
    score = np.round(gain + draw.normal(0, 1, gain.shape), 4)
    depth = 10 if "shallow" in weaknesses else _RETRIEVED
    best = np.argsort(-score, axis=1, kind="stable")[:, :depth]
    kept = np.flatnonzero(draw.random(size) >= 0.05) if "silent" in weaknesses else np.arange(size)
    best = best[kept]
    fields: dict[str, Column] = {"id": Texts.of(f"q{row + 1}" for row in kept.tolist())}
    documents: dict[str, Column] = {
        "id": _named(np.take_along_axis(made.names[kept], best, axis=1).reshape(-1)),
        "score": np.take_along_axis(score[kept], best, axis=1).reshape(-1),
    }
    rows = Rows(np.repeat(np.arange(len(kept)), depth), documents)
    return of_fields(name, fields, parts={"documents": rows}, format="items")
