"""Reviews with a sentiment, and classifiers with known weaknesses and miscalibrated probabilities.

>>> simulation = simulate_reviews(tokens=400, seed=2, systems={"brisk": ["negation"]}, noise=0.0)
>>> gold, system = simulation.gold, simulation.systems["brisk"]
>>> rows = zip(gold.fields["text"], gold.fields["label"], system.fields["label"], strict=True)
>>> [row for row in rows if row[1] != row[2]][0]
('this pace was not dull , the pace was fine', 'positive', 'negative')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column
from finegrain.corpus.items import coded, of_fields
from finegrain.errors import UsageError
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

LABELS = ("negative", "neutral", "positive")
DOMAINS: Mapping[str, tuple[str, ...]] = {
    "books": ("plot", "style", "hero", "ending", "dialogue"),
    "films": ("script", "cast", "score", "ending", "pace"),
    "food": ("soup", "service", "bread", "menu", "coffee"),
    "hotels": ("room", "view", "staff", "breakfast", "bed"),
}
_ADJECTIVES: Mapping[str, tuple[str, ...]] = {
    "negative": ("dull", "clumsy", "poor", "stale", "rude", "dreary", "grim"),
    "neutral": ("plain", "usual", "average", "ordinary", "so-so"),
    "positive": ("fine", "bright", "warm", "superb", "charming", "fresh", "moving"),
}
_OPPOSITE = {"negative": "positive", "positive": "negative", "neutral": "neutral"}
_OPENINGS = ("the", "its", "their", "this")
_ASIDES = (
    "as far as I can tell", "after all these years", "in spite of the weather",
    "which I did not expect", "whatever the others may say", "and I have seen a few",
)  # fmt: skip
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "lexicon": ("negation", "overconfident"),
    "embedder": ("domain=food",),
    "finetuned": ("long-texts",),
}
REVIEW_WEAKNESSES: Mapping[str, str] = {
    "negation": "misreads texts with a negation",
    "long-texts": "often misses the sentiment of texts of 14 or more words",
    "overconfident": "gives its answers too high a probability",
    "underconfident": "gives its answers too low a probability",
    "silent": "leaves out one item in twenty",
    **{f"label={label}": f"often misses {label} texts" for label in LABELS},
    **{f"domain={name}": f"often errs on texts about {name}" for name in DOMAINS},
}
_OFTEN = 0.45  # the share of errors where a weakness strikes
_LONG = 14  # words


class Reviews(NamedTuple):
    """Reviews: their texts, sentiments (places in ``LABELS``), domains, and who has a negation."""

    text: list[str]
    label: NDArray[np.int64]
    domain: list[str]
    negated: NDArray[np.bool_]


def simulate_reviews(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
    label_noise: float = 0.0,
    runs: int = 1,
) -> Simulation:
    """Make reviews and the answers and probabilities of classifiers with known weaknesses.

    Parameters
    ----------
    tokens, seed, noise, train_tokens: as for ``simulate``; noise is the share of items that any
        system gets wrong
    systems: weaknesses (see ``REVIEW_WEAKNESSES``) by system; a showcase of three without it
    label_noise: the share of gold labels that are wrong
    runs: how often systems answer every item, in a column ``run`` if it is more than once
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (weakness for names in asked.values() for weakness in names):
        if name not in REVIEW_WEAKNESSES:
            raise UsageError.unknown("weakness", name, REVIEW_WEAKNESSES)
    draw = np.random.default_rng([seed, 1])
    made = write_reviews(draw, tokens)
    label = made.label.copy()
    wrong = draw.random(len(label)) < label_noise
    label[wrong] = (label[wrong] + draw.integers(1, len(LABELS), int(wrong.sum()))) % len(LABELS)
    training = write_reviews(np.random.default_rng([seed, 2]), training_size(tokens, train_tokens))
    return Simulation(
        _corpus("gold", made, label),
        _corpus("train", training, training.label, prefix="t"),
        {
            name: _runs(
                [
                    _answers(
                        name, made, names, noise, np.random.default_rng([seed, 3 + place, *more])
                    )
                    for more in ([] if run == 1 else [run] for run in range(1, runs + 1))
                ]
            )
            for place, (name, names) in enumerate(asked.items())
        },
        {name: tuple(REVIEW_WEAKNESSES[one] for one in names) for name, names in asked.items()},
        format="csv",
        suffix=".csv",
    )


def write_reviews(draw: np.random.Generator, tokens: int) -> Reviews:
    """So many words of reviews."""
    text, label, domain, negated = [], [], [], []
    words = 0
    while words < tokens:
        sentiment = str(draw.choice(LABELS, p=(0.35, 0.25, 0.4)))
        about = str(draw.choice(list(DOMAINS)))
        no = bool(draw.random() < 0.25) and sentiment != "neutral"
        clauses = [_clause(draw, about, sentiment, negated=no)]
        clauses += [_clause(draw, about, sentiment, negated=False)] * int(draw.random() < 0.3)
        if draw.random() < 0.4:
            clauses.insert(1, str(draw.choice(_ASIDES)))
        text.append(" , ".join(clauses))
        words += len(text[-1].split())
        label.append(LABELS.index(sentiment))
        domain.append(about)
        negated.append(no)
    return Reviews(text, np.array(label), domain, np.array(negated))


def is_long(made: Reviews) -> NDArray[np.bool_]:
    """``[review]`` whether it has 14 words or more."""
    return np.array([len(text.split()) >= _LONG for text in made.text])


def _clause(draw: np.random.Generator, about: str, sentiment: str, *, negated: bool) -> str:
    said = _OPPOSITE[sentiment] if negated else sentiment
    noun, adjective = draw.choice(DOMAINS[about]), draw.choice(_ADJECTIVES[said])
    return f"{draw.choice(_OPENINGS)} {noun} was {'not ' * negated}{adjective}"


def _corpus(source: str, made: Reviews, label: NDArray[np.int64], prefix: str = "r") -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(label) + 1)),
        "text": Texts.of(made.text),
        "label": Texts.of(LABELS[code] for code in label.tolist()),
        "domain": Texts.of(made.domain),
    }
    return of_fields(source, fields, format="csv")


def _answers(
    name: str, made: Reviews, weaknesses: Sequence[str], noise: float, draw: np.random.Generator
) -> Corpus:
    size, number = len(made.label), len(LABELS)
    risk = np.full(size, noise)
    struck = {
        "negation": made.negated,
        "long-texts": is_long(made),
        **{f"label={label}": made.label == code for code, label in enumerate(LABELS)},
        **{f"domain={one}": np.array([about == one for about in made.domain]) for one in DOMAINS},
    }
    for weakness in weaknesses:
        if weakness in struck:
            risk = np.where(struck[weakness], np.maximum(risk, _OFTEN), risk)
    if "negation" in weaknesses:
        risk = np.where(made.negated, 0.8, risk)
    wrong = draw.random(size) < risk
    other = (made.label + draw.integers(1, number, size)) % number
    flipped = number - 1 - made.label
    mistaken = np.where(made.negated & ("negation" in weaknesses), flipped, other)
    answer = np.where(wrong, mistaken, made.label)
    sure = _confidence(draw, risk, weaknesses)
    chances = np.empty((size, number))
    chances[:] = ((1 - sure) / (number - 1))[:, None]
    chances[np.arange(size), answer] = sure
    said = np.flatnonzero(draw.random(size) >= 0.05) if "silent" in weaknesses else np.arange(size)
    fields: dict[str, Column] = {
        "id": Texts.of(f"r{row + 1}" for row in said.tolist()),
        "label": Texts.of(LABELS[code] for code in answer[said].tolist()),
        **{f"prob_{label}": np.round(chances[said, code], 6) for code, label in enumerate(LABELS)},
    }
    return of_fields(name, fields, format="csv")


def _runs(answers: Sequence[Corpus]) -> Corpus:
    """The answers of all runs below each other."""
    first, *others = answers
    if not others:
        return first
    fields: dict[str, Column] = {
        "id": Texts.of(one for corpus in answers for one in coded(corpus.fields["id"], missing="")),
        "run": np.repeat(np.arange(1.0, len(answers) + 1), [one.n_sentences for one in answers]),
        "label": Texts.of(
            one for corpus in answers for one in coded(corpus.fields["label"], missing="")
        ),
    }
    for name in (f"prob_{label}" for label in LABELS):
        fields[name] = np.concatenate([np.asarray(one.fields[name]) for one in answers])
    return of_fields(first.source, fields, format="csv")


def _confidence(
    draw: np.random.Generator, risk: NDArray[np.float64], weaknesses: Sequence[str]
) -> NDArray[np.float64]:
    """Probabilities of answers, above 1 / 3: right on the whole, too high or too low."""
    told = np.clip(1 - risk + draw.normal(0, 0.08, len(risk)), 0.36, 0.99)
    if "overconfident" in weaknesses:
        told = 1 - (1 - told) / 3
    return 0.36 + (told - 0.36) / 2 if "underconfident" in weaknesses else told
