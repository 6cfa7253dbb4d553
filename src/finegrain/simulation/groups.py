"""Messages of four topics, and clusterings of them with known weaknesses.

>>> made = simulate_groups(tokens=200, seed=2, systems={"coarse": ["merges"]}, noise=0.0)
>>> rows = zip(made.gold.fields["label"], made.systems["coarse"].fields["cluster"], strict=True)
>>> sorted(set(rows))
[('billing', 'c0'), ('delivery', 'c1'), ('login', 'c0'), ('returns', 'c2')]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.simulation.item_scenario import of_items
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

TOPICS: Mapping[str, tuple[str, ...]] = {
    "billing": ("invoice", "refund", "card", "receipt"),
    "delivery": ("parcel", "courier", "address", "tracking"),
    "login": ("password", "account", "code", "profile"),
    "returns": ("label", "exchange", "size", "box"),
}
_OPENINGS = ("where is my", "I cannot find the", "there is a problem with the", "please check my")
_CHANNELS = ("mail", "chat", "phone")
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "kmeans": ("merges",),
    "leader": ("splits",),
    "spectral": ("channel=chat",),
}
GROUP_WEAKNESSES: Mapping[str, str] = {
    "merges": "puts billing and login into one cluster",
    "splits": "has five clusters for every topic",
    "silent": "leaves out one item in twenty",
    **{f"channel={name}": f"often misplaces messages by {name}" for name in _CHANNELS},
}
_OFTEN = 0.45  # the share of errors where a weakness strikes


class Messages(NamedTuple):
    """Texts, topics (places in ``TOPICS``) and channels."""

    text: list[str]
    topic: NDArray[np.int64]
    channel: list[str]


def simulate_groups(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make messages with topics, and clusterings of them with known weaknesses.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``
    noise: the share of messages that any system puts into a cluster of another topic
    systems: weaknesses (see ``GROUP_WEAKNESSES``) by system; a showcase of three without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    return of_items(
        SHOWCASE if systems is None else systems,
        GROUP_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_of_topics,
        answer=partial(_clustered, noise=noise),
    )


def _write(draw: np.random.Generator, tokens: int) -> Messages:
    names = list(TOPICS)
    text, topic, channel, words = [], [], [], 0
    while words < tokens:
        topic.append(int(draw.choice(len(names), p=(0.35, 0.3, 0.2, 0.15))))
        text.append(f"{draw.choice(_OPENINGS)} {draw.choice(TOPICS[names[topic[-1]]])}")
        words += len(text[-1].split())
        channel.append(str(draw.choice(_CHANNELS)))
    return Messages(text, np.array(topic), channel)


def _of_topics(source: str, made: Messages, prefix: str) -> Corpus:
    names = list(TOPICS)
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(made.text) + 1)),
        "text": Texts.of(made.text),
        "label": Texts.of(names[code] for code in made.topic.tolist()),
        "channel": Texts.of(made.channel),
    }
    return of_fields(source, fields, format="items")


def _clustered(
    name: str, made: Messages, weaknesses: Sequence[str], draw: np.random.Generator, *, noise: float
) -> Corpus:
    size, number = len(made.text), len(TOPICS)
    risk = np.full(size, noise)
    for weakness in weaknesses:
        by = np.array([f"channel={one}" == weakness for one in made.channel])
        risk = np.where(by, np.maximum(risk, _OFTEN), risk)
    wrong = draw.random(size) < risk
    topic = np.where(wrong, (made.topic + draw.integers(1, number, size)) % number, made.topic)
    cluster = np.array([0, 1, 0, 2])[topic] if "merges" in weaknesses else topic
    cluster = 5 * cluster + draw.integers(0, 5, size) if "splits" in weaknesses else cluster
    kept = np.flatnonzero(draw.random(size) >= 0.05) if "silent" in weaknesses else np.arange(size)
    fields: dict[str, Column] = {
        "id": Texts.of(f"q{row + 1}" for row in kept.tolist()),
        "cluster": Texts.of(f"c{code}" for code in cluster[kept].tolist()),
    }
    return of_fields(name, fields, format="items")
