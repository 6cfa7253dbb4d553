"""What can be wrong with a simulated system.

A system without weaknesses errs independently of everything that can be known about an entity. A
*weakness* adds errors to some entities, on top of that:

>>> WEAKNESSES["long-entities"].summary
'cuts or misses entities of 4 or more tokens'
>>> weakness("label=WORK").summary
'misses or mislabels WORK entities'
>>> weakness("long-entitys")
Traceback (most recent call last):
finegrain.errors.UsageError: unknown weakness 'long-entitys'. Did you mean 'long-entities'? ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import UsageError
from finegrain.simulation.entities import LABELS
from finegrain.simulation.world import POS

Error = Literal["missed", "label", "shorter", "longer", "shifted", "split"]
ERRORS: tuple[Error, ...] = get_args(Error)
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Entities:
    """What weaknesses can see of the gold entities; columns ``[entity]``.

    Parameters
    ----------
    length: in tokens
    label: place in ``LABELS``
    sentence_length: in tokens
    rarest: how often the rarest word of the entity occurs in the training data
    """

    length: NDArray[np.int64]
    label: NDArray[np.uint8]
    sentence_length: NDArray[np.int64]
    rarest: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """What weaknesses can see of the tokens; columns ``[token]``.

    Parameters
    ----------
    pos: place in ``POS``
    capital: true for words that begin with a capital letter
    rare: true for words that occur at most once in the training data
    """

    pos: NDArray[np.uint8]
    capital: BoolArray
    rare: BoolArray


def _nowhere(entities: Entities) -> BoolArray:
    return np.zeros(len(entities.length), bool)


@dataclass(frozen=True, slots=True)
class Weakness:
    """Where a system errs more often than elsewhere, and how.

    Parameters
    ----------
    name: as it is asked for
    summary: what the system does wrong, as a clause without a subject
    where: the gold entities that it strikes
    rate: the probability that it strikes such an entity
    errors: what it does then, with weights
    label: the label that it gives instead; any other one without it
    invents: the tokens outside of entities where it invents one, with probability ``invention``
    mistags: the tokens whose part of speech it gets wrong, with probability ``mistagging``
    tag: the part of speech that it gives instead; any other one without it
    """

    name: str
    summary: str
    where: Callable[[Entities], BoolArray] = _nowhere
    rate: float = 0.0
    errors: Mapping[Error, float] = field(default_factory=dict)
    label: str | None = None
    invents: Callable[[Tokens], BoolArray] | None = None
    invention: float = 0.0
    mistags: Callable[[Tokens], BoolArray] | None = None
    mistagging: float = 0.0
    tag: str | None = None


# what a system without weaknesses does, and how often it invents an entity per error
ANY_ERROR: Mapping[Error, float] = {
    "missed": 0.34, "label": 0.22, "shorter": 0.14, "longer": 0.14, "shifted": 0.06, "split": 0.10,
}  # fmt: skip
INVENTED_PER_ERROR = 0.35


def _long(entities: Entities) -> BoolArray:
    return entities.length >= 4


def _longer_than_one(entities: Entities) -> BoolArray:
    return entities.length >= 2


def _longer_than_two(entities: Entities) -> BoolArray:
    return entities.length >= 3


def _rare(entities: Entities) -> BoolArray:
    return entities.rarest <= 1


def _in_long_sentence(entities: Entities) -> BoolArray:
    return entities.sentence_length >= 25


def _everywhere(entities: Entities) -> BoolArray:
    return ~_nowhere(entities)


def _rare_or_capital(tokens: Tokens) -> BoolArray:
    ordinary = [POS.index(pos) for pos in ("NOUN", "ADJ", "VERB", "ADV", "PROPN")]
    return np.isin(tokens.pos, ordinary) & (tokens.capital | tokens.rare)


def _rare_token(tokens: Tokens) -> BoolArray:
    return tokens.rare


def _of_label(name: str) -> Callable[[Entities], BoolArray]:
    code = LABELS.index(name)
    return lambda entities: entities.label == code


def _of_pos(name: str) -> Callable[[Tokens], BoolArray]:
    code = POS.index(name)
    return lambda tokens: tokens.pos == code


def evenly(rate: float) -> Weakness:
    """What every system has: errors of all kinds, independent of what the entity is like."""
    return Weakness("", "", where=_everywhere, rate=rate, errors=ANY_ERROR)


def _label(name: str) -> Weakness:
    return Weakness(
        f"label={name}", f"misses or mislabels {name} entities",
        where=_of_label(name), rate=0.35, errors={"missed": 0.5, "label": 0.5},
    )  # fmt: skip


def _confusion(gold: str, other: str) -> Weakness:
    return Weakness(
        f"confuses-{gold}-{other}", f"labels {gold} entities as {other}",
        where=_of_label(gold), rate=0.35, errors={"label": 1.0}, label=other,
    )  # fmt: skip


WEAKNESSES: dict[str, Weakness] = {
    weakness.name: weakness
    for weakness in (
        Weakness(
            "long-entities", "cuts or misses entities of 4 or more tokens",
            where=_long, rate=0.60, errors={"shorter": 0.6, "missed": 0.4},
        ),
        Weakness(
            "rare-words", "misses entities with a word that is unseen or seen once in training, "
            "and mistags such words",
            where=_rare, rate=0.40, errors={"missed": 0.8, "label": 0.2},
            mistags=_rare_token, mistagging=0.25,
        ),
        Weakness(
            "long-sentences", "misses or mislabels entities in sentences of 25 or more tokens",
            where=_in_long_sentence, rate=0.25, errors={"missed": 0.6, "label": 0.4},
        ),
        Weakness(
            "too-short", "leaves out words at the edge of entities of 2 or more tokens",
            where=_longer_than_one, rate=0.25, errors={"shorter": 1.0},
        ),
        Weakness(
            "too-long", "includes a word next to the entity, mostly the one before it",
            where=_everywhere, rate=0.18, errors={"longer": 1.0},
        ),
        Weakness(
            "splits", "splits entities of 3 or more tokens in two",
            where=_longer_than_two, rate=0.45, errors={"split": 1.0},
        ),
        Weakness(
            "spurious", "invents entities on capitalised and rare ordinary words",
            invents=_rare_or_capital, invention=0.35,
        ),
        Weakness(
            "noisy", "errs more often, everywhere alike",
            where=_everywhere, rate=0.12, errors=ANY_ERROR,
        ),
        *map(_label, LABELS),
        *(_confusion(gold, other) for gold, other in permutations(("PER", "LOC", "ORG"), 2)),
        _confusion("WORK", "PER"),
        Weakness(
            "confuses-PROPN-NOUN", "tags proper nouns as nouns",
            mistags=_of_pos("PROPN"), mistagging=0.15, tag="NOUN",
        ),
    )
}  # fmt: skip


def weakness(name: str) -> Weakness:
    """The weakness of a name."""
    if name not in WEAKNESSES:
        raise UsageError.unknown("weakness", name, WEAKNESSES)
    return WEAKNESSES[name]
