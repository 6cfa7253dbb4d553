"""Reviews about several aspects, and taggers of aspects with known weaknesses.

>>> made = simulate_aspects(tokens=100, seed=2, systems={"hasty": ["several"]}, noise=0.0)
>>> gold, system = (one.parts["labels"] for one in (made.gold, made.systems["hasty"]))
>>> made.gold.fields["text"][0], list(gold.fields["value"])[:2], list(system.fields["value"])[:1]
('the desk was rude , the soup was fresh , the station was far', ['food', 'service'], ['service'])
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

ASPECTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "food": (("soup", "bread", "menu", "coffee"), ("cold", "fresh", "bland", "superb")),
    "price": (("bill", "rate", "deposit"), ("high", "fair", "hidden", "low")),
    "room": (("bed", "bath", "view", "carpet"), ("stale", "bright", "small", "spotless")),
    "service": (("waiter", "porter", "desk"), ("rude", "warm", "slow", "helpful")),
    "transport": (("tram", "station", "taxi"), ("far", "near", "noisy", "late")),
}
_SHARES = (0.3, 0.12, 0.3, 0.22, 0.06)  # of aspects
_GUESTS = ("couples", "families", "travellers")
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "keywords": ("several", "confuses-service"),
    "cautious": ("misses-rare",),
    "finetuned": (),
}
ASPECT_WEAKNESSES: Mapping[str, str] = {
    "several": "finds only the first aspect of texts about several",
    "misses-rare": "often misses aspects that few texts are about (price, transport)",
    "confuses-service": "often answers service for food",
    "eager": "adds an aspect to one text in four",
    "silent": "leaves out one item in twenty",
    **{f"guests={name}": f"often misses aspects in texts by {name}" for name in _GUESTS},
}
_OFTEN = 0.45  # the share of errors where a weakness strikes
_RARE = ("price", "transport")


class Reviews(NamedTuple):
    """Texts, their guests, and ``[review, aspect]`` what they are about; ``first`` aspect."""

    text: list[str]
    guests: list[str]
    about: NDArray[np.bool_]
    first: NDArray[np.int64]


def simulate_aspects(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make reviews about one to three aspects, and the aspects that systems find.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``
    noise: the share of labels that any system misses, and of items to which it adds one
    systems: weaknesses (see ``ASPECT_WEAKNESSES``) by system; a showcase of three without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    return of_items(
        SHOWCASE if systems is None else systems,
        ASPECT_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_labelled,
        answer=partial(_tagged, noise=noise),
    )


def _write(draw: np.random.Generator, tokens: int) -> Reviews:
    names = list(ASPECTS)
    text, guests, about, first, words = [], [], [], [], 0
    while words < tokens:
        number = int(draw.choice((1, 2, 3), p=(0.5, 0.35, 0.15)))
        aspects = draw.choice(len(names), number, replace=False, p=_SHARES).tolist()
        nouns = [ASPECTS[names[at]] for at in aspects]
        clauses = [f"the {draw.choice(one)} was {draw.choice(two)}" for one, two in nouns]
        text.append(" , ".join(clauses))
        words += len(text[-1].split())
        guests.append(str(draw.choice(_GUESTS)))
        about.append(np.isin(np.arange(len(names)), aspects))
        first.append(aspects[0])
    return Reviews(text, guests, np.array(about), np.array(first))


def _labelled(source: str, made: Reviews, prefix: str) -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(made.text) + 1)),
        "text": Texts.of(made.text),
        "guests": Texts.of(made.guests),
    }
    return of_fields(source, fields, parts=_lists(made.about), format="items")


def _lists(about: NDArray[np.bool_]) -> dict[str, Rows]:
    item, label = np.nonzero(about)
    names = list(ASPECTS)
    return {"labels": Rows(item, {"value": Texts.of(names[code] for code in label.tolist())})}


def _tagged(
    name: str, made: Reviews, weaknesses: Sequence[str], draw: np.random.Generator, *, noise: float
) -> Corpus:
    names, (size, number) = list(ASPECTS), made.about.shape
    risk = np.full(made.about.shape, noise)
    rare = np.isin(names, _RARE)[None, :]
    for weakness in weaknesses:
        whom = np.array([f"guests={one}" == weakness for one in made.guests])[:, None]
        struck = whom | (rare & (weakness == "misses-rare"))
        risk = np.where(struck, np.maximum(risk, _OFTEN), risk)
    found = made.about & (draw.random(made.about.shape) >= risk)
    if "several" in weaknesses:
        found &= np.arange(number) == made.first[:, None]
    taken = found[:, names.index("food")] & (draw.random(size) < _OFTEN)
    if "confuses-service" in weaknesses:
        found[taken, names.index("food")] = False
        found[taken, names.index("service")] = True
    adding = draw.random(size) < (0.25 if "eager" in weaknesses else noise)
    added = draw.integers(0, number, (size,))
    found[np.flatnonzero(adding), added[adding]] = True
    kept = np.flatnonzero(draw.random(size) >= 0.05) if "silent" in weaknesses else np.arange(size)
    fields: dict[str, Column] = {"id": Texts.of(f"q{row + 1}" for row in kept.tolist())}
    return of_fields(name, fields, parts=_lists(found[kept]), format="items")
