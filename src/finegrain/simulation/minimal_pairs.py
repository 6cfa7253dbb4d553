"""Pairs of a grammatical and an ungrammatical sentence, and models with known weaknesses.

>>> made = simulate_minimal_pairs(tokens=60, seed=2, systems={"near": ["attractors"]}, noise=0.0)
>>> [made.gold.fields[name][1] for name in ("sentence_good", "sentence_bad", "phenomenon")]
['The child that the authors admire waits.', 'The child that the authors admire wait.', \
'agreement across a clause']
>>> (made.systems["near"].fields["good"] < made.systems["near"].fields["bad"])[:3].tolist()
[False, True, False]

Sentences of a pair differ by one word, so that their log-probabilities differ by what a model knows
of a phenomenon alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import of_fields
from finegrain.simulation.item_scenario import of_items
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

_NOUNS = (
    ("author", "authors"), ("senator", "senators"), ("doctor", "doctors"), ("child", "children"),
    ("pilot", "pilots"), ("neighbour", "neighbours"), ("teacher", "teachers"), ("guest", "guests"),
)  # fmt: skip
_VERBS = (
    ("smiles", "smile"),
    ("works", "work"),
    ("sleeps", "sleep"),
    ("waits", "wait"),
    ("is", "are"),
)
_OBJECTS = (("book", "books"), ("letter", "letters"), ("garden", "gardens"), ("map", "maps"))
_TRANSITIVE = (("admires", "admire"), ("knows", "know"), ("helps", "help"))
_PAST = ("described", "praised", "hid", "painted", "trusted")
_BEFORE = ("Yesterday", "Last week", "To our surprise", "After the long winter")


class _Pair(NamedTuple):
    """``nearest``: whether the noun next to the verb asks for the other form."""

    good: str
    bad: str
    phenomenon: str
    nearest: bool = False


class _Words(NamedTuple):
    """A subject, another noun, an object and verbs; ``number`` and ``other``: 0, or 1 for many."""

    subject: tuple[str, str]
    second: tuple[str, str]
    thing: tuple[str, str]
    verb: tuple[str, str]
    knows: tuple[str, str]
    past: str
    before: str
    number: int
    other: int


def _agreement(of: _Words) -> tuple[str, str, str]:
    own = f"The {of.subject[of.number]}"
    return f"{own} {{}}.", of.verb[of.number], of.verb[1 - of.number]


def _across_phrase(of: _Words) -> tuple[str, str, str]:
    own = f"The {of.subject[of.number]} near the {of.second[of.other]}"
    return f"{own} {{}}.", of.verb[of.number], of.verb[1 - of.number]


def _across_clause(of: _Words) -> tuple[str, str, str]:
    own = f"The {of.subject[of.number]} that the {of.second[of.other]} {of.knows[of.other]}"
    return f"{own} {{}}.", of.verb[of.number], of.verb[1 - of.number]


def _determiner(of: _Words) -> tuple[str, str, str]:
    that = ("this", "these")
    frame = f"The {of.subject[of.other]} {of.past} {{}} {of.thing[of.number]}."
    return frame, that[of.number], that[1 - of.number]


def _reflexive(of: _Words) -> tuple[str, str, str]:
    selves = ("herself", "themselves")
    own = f"{of.before} the {of.subject[of.number]} near the {of.second[of.other]} {of.past}"
    return f"{own} {{}}.", selves[of.number], selves[1 - of.number]


def _polarity(of: _Words) -> tuple[str, str, str]:
    frame = f"{of.before} {{}} {of.subject[1]} {of.past} any {of.thing[1]}."
    return frame, "no", "most"


_PHENOMENA: Mapping[str, tuple[Callable[[_Words], tuple[str, str, str]], bool]] = {
    "agreement": (_agreement, False),
    "agreement across a phrase": (_across_phrase, True),
    "agreement across a clause": (_across_clause, True),
    "determiner and noun": (_determiner, False),
    "reflexive": (_reflexive, True),
    "negative polarity": (_polarity, False),
}
"""By phenomenon, what it makes of words, and whether another noun stands between."""
_LONG = 8  # words
MINIMAL_PAIR_WEAKNESSES: Mapping[str, str] = {
    "attractors": "goes by the nearest noun where it is not the subject",
    "long-sentences": f"guesses in sentences of {_LONG} or more words",
    "silent": "leaves out one pair in twenty",
    **{f"phenomenon={name}": f"guesses in pairs of: {name}" for name in _PHENOMENA},
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "bigram": ("attractors", "phenomenon=negative polarity"),
    "small": ("long-sentences",),
    "large": (),
}
_MOSTLY, _GUESS, _TWENTIETH = 0.85, 0.5, 0.05


def simulate_minimal_pairs(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make minimal pairs, and what language models with known weaknesses think of them.

    Parameters
    ----------
    tokens, seed, train_tokens: as for ``simulate``; tokens are words of good sentences
    systems: weaknesses (see ``MINIMAL_PAIR_WEAKNESSES``) by system; a showcase of three without it
    noise: the share of pairs whose bad sentence any model prefers
    """
    require_sizes(tokens, seed, noise, train_tokens)
    made = of_items(
        SHOWCASE if systems is None else systems,
        MINIMAL_PAIR_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_corpus,
        answer=partial(_scores, noise=noise),
    )
    return replace(made, format="csv", suffix=".csv")


def _write(draw: np.random.Generator, tokens: int) -> list[_Pair]:
    made: list[_Pair] = []
    words = 0
    while words < tokens:
        name = list(_PHENOMENA)[int(draw.integers(len(_PHENOMENA)))]
        between = _PHENOMENA[name][1]
        of = _chosen(draw)
        frame, good, bad = _PHENOMENA[name][0](of)
        made.append(
            _Pair(frame.format(good), frame.format(bad), name, between and of.number != of.other)
        )
        words += len(made[-1].good.split())
    return made


def _chosen(draw: np.random.Generator) -> _Words:
    first, second = draw.choice(len(_NOUNS), 2, replace=False).tolist()
    return _Words(
        _NOUNS[first], _NOUNS[second], _OBJECTS[int(draw.integers(len(_OBJECTS)))],
        _VERBS[int(draw.integers(len(_VERBS)))], _TRANSITIVE[int(draw.integers(len(_TRANSITIVE)))],
        _PAST[int(draw.integers(len(_PAST)))], _BEFORE[int(draw.integers(len(_BEFORE)))],
        int(draw.integers(2)), int(draw.integers(2)),
    )  # fmt: skip


def _corpus(source: str, made: Sequence[_Pair], prefix: str) -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(made) + 1)),
        "sentence_good": Texts.of(one.good for one in made),
        "sentence_bad": Texts.of(one.bad for one in made),
        "phenomenon": Texts.of(one.phenomenon for one in made),
    }
    return of_fields(source, fields, format="csv")


def _scores(
    name: str,
    made: Sequence[_Pair],
    weaknesses: Sequence[str],
    draw: np.random.Generator,
    *,
    noise: float,
) -> Corpus:
    """Log-probabilities of both sentences: of about so many nats a word, and a margin."""
    chance = np.array([_chance_of_error(one, weaknesses, noise) for one in made])
    wrong = draw.random(len(made)) < chance
    sizes = np.array([len(one.good.split()) for one in made])
    good = -sizes * draw.uniform(3, 5, len(made))
    margin = np.abs(draw.normal(2.5, 1.0, len(made))) + 0.05
    bad = good - np.where(wrong, -margin / 2, margin)
    silent = "silent" in weaknesses
    said = np.flatnonzero(draw.random(len(made)) >= _TWENTIETH * silent)
    fields: dict[str, Column] = {
        "id": Texts.of(f"q{row + 1}" for row in said.tolist()),
        "good": np.round(good, 4)[said],
        "bad": np.round(bad, 4)[said],
    }
    return of_fields(name, fields, format="csv")


def _chance_of_error(one: _Pair, weaknesses: Sequence[str], noise: float) -> float:
    struck = {
        "attractors": _MOSTLY * one.nearest,
        "long-sentences": _GUESS * (len(one.good.split()) >= _LONG),
        f"phenomenon={one.phenomenon}": _GUESS,
    }
    return max([noise, *(share for name, share in struck.items() if name in weaknesses)])
