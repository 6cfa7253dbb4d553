"""Questions about made-up towns, and readers that answer them with known weaknesses.

>>> made = simulate_questions(tokens=300, seed=1, systems={"windy": ["long-answers"]}, noise=0)
>>> rows = zip(made.gold.fields["question"], made.systems["windy"].fields["answer"], strict=True)
>>> next((question, answer) for question, answer in rows if "people live there" in answer)
('How many people live in Branburg ?', 'About 15,902 people live there')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows
from finegrain.corpus.items import of_fields
from finegrain.simulation.item_scenario import of_items
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

_BEGINNINGS = ("Pel", "Mor", "Tar", "Wes", "Ing", "Bran", "Kol", "Sel", "Dun", "Har")
_ENDINGS = ("den", "wick", "burg", "ford", "stead", "mouth", "by", "holm")
_FIRST = ("Odo", "Ada", "Ruth", "Karl", "Ivo", "Mina", "Hugo", "Elsa")
_LAST = ("Hale", "Brandt", "Oakes", "Lind", "Moss", "Stern", "Vane")
_GOODS = ("salt", "blue glass", "clocks", "rye bread", "wool", "paper", "church bells")
_RIVERS = ("Elda", "Norn", "Isk", "Varra", "Olm")
# The sentence of a fact, its question, the reference, another one, and what a windy reader adds.
_FACTS = (
    ("{town} was founded by {founder} in {year} .", "Who founded {town} ?", "{founder}", "",
     "founded by {founder} in {year}"),
    ("{town} was founded by {founder} in {year} .", "When was {town} founded ?", "{year}",
     "in {year}", "by {founder} in {year}"),
    ("It lies on the river {river} , {distance} km from the sea .", "Where does {town} lie ?",
     "on the river {river}", "the river {river}", "lies on the river {river} , {distance} km"),
    ("It lies on the river {river} , {distance} km from the sea .",
     "How far from the sea is {town} ?", "{distance} km", "",
     "{river} , {distance} km from the sea"),
    ("About {people} people live there .", "How many people live in {town} ?", "{people}",
     "about {people}", "About {people} people live there"),
    ("The town is known for its {goods} .", "What is {town} known for ?", "its {goods}", "{goods}",
     "known for its {goods}"),
)  # fmt: skip
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "lookup": ("long-answers", "never-abstains"),
    "reader": ("numbers",),
    "pruner": ("short-answers", "timid"),
}
QUESTION_WEAKNESSES: Mapping[str, str] = {
    "long-answers": "often says more than was asked for",
    "short-answers": "often leaves out a part of the answer",
    "numbers": "often errs on questions that ask how many or how far",
    "late-answers": "often errs on answers in the second half of the passage",
    "never-abstains": "answers questions that have no answer",
    "timid": "often leaves questions unanswered",
}
_OFTEN = 0.5  # the share of errors where a weakness strikes
_UNANSWERABLE = 0.2


class _Question(NamedTuple):
    passage: int
    context: str
    town: str
    text: str
    references: tuple[str, ...]
    windy: str
    other: str

    @property
    def late(self) -> bool:
        found = self.context.find(self.references[0]) if self.references else -1
        return 2 * found > len(self.context)


def simulate_questions(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = 0.08,
    train_tokens: int | None = None,
) -> Simulation:
    """Make questions about passages, and the answers of systems with known weaknesses.

    Parameters
    ----------
    tokens, seed, noise, train_tokens: as for ``simulate``; tokens are words of questions; noise is
        the share of questions that any system gets wrong
    systems: weaknesses (see ``QUESTION_WEAKNESSES``) by system; a showcase of three without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    return of_items(
        SHOWCASE if systems is None else systems,
        QUESTION_WEAKNESSES,
        (tokens, training_size(tokens, train_tokens)),
        seed,
        write=_write,
        corpus=_corpus,
        answer=partial(_answers, noise=noise),
    )


def _write(draw: np.random.Generator, tokens: int) -> list[_Question]:
    made: list[_Question] = []
    words = passage = 0
    while words < tokens:
        passage += 1
        known = _town(draw)
        kept = draw.random(len(_FACTS)) >= _UNANSWERABLE
        kept[1], kept[3] = kept[0], kept[2]  # two facts of one sentence
        kept[0] |= not kept.any()
        told = dict.fromkeys(
            fact[0].format(**known)
            for fact, there in zip(_FACTS, kept.tolist(), strict=True)
            if there
        )
        context = " ".join(told)
        for (_, question, one, other, windy), there in zip(_FACTS, kept.tolist(), strict=True):
            if draw.random() < 0.3:
                continue
            texts = [text.format(**known) for text in (one, other) if text]
            wrong = str(draw.choice([known["founder"], known["river"], known["goods"]]))
            made.append(_Question(
                passage, context, known["town"], question.format(**known),
                tuple(texts) if there else (), windy.format(**known), wrong,
            ))  # fmt: skip
            words += len(made[-1].text.split())
    return made


def _town(draw: np.random.Generator) -> dict[str, str]:
    return {
        "town": f"{draw.choice(_BEGINNINGS)}{draw.choice(_ENDINGS)}",
        "founder": f"{draw.choice(_FIRST)} {draw.choice(_LAST)}",
        "year": str(draw.integers(900, 1900)),
        "river": str(draw.choice(_RIVERS)),
        "distance": str(draw.integers(3, 400)),
        "people": f"{draw.integers(2, 90)},{draw.integers(100, 999)}",
        "goods": str(draw.choice(_GOODS)),
    }


def _corpus(source: str, made: Sequence[_Question], prefix: str) -> Corpus:
    fields: dict[str, Column] = {
        "id": Texts.of(f"{prefix}{place}" for place in range(1, len(made) + 1)),
        "question": Texts.of(one.text for one in made),
        "context": Texts.of(one.context for one in made),
        "document": Texts.of(f"{one.town} {one.passage}" for one in made),
        "is_impossible": np.array([float(not one.references) for one in made]),
    }
    parent = [place for place, one in enumerate(made) for _ in one.references]
    texts = Texts.of(text for one in made for text in one.references)
    parts = {"answers": Rows(np.array(parent, np.int64), {"value": texts})}
    return of_fields(source, fields, parts=parts, format="items")


def _answers(
    name: str,
    made: Sequence[_Question],
    weaknesses: Sequence[str],
    draw: np.random.Generator,
    *,
    noise: float,
) -> Corpus:
    chances = draw.random((len(made), 2)).tolist()
    given = [
        _answer(one, weaknesses, struck=struck < _OFTEN, wrong=wrong < noise)
        for one, (struck, wrong) in zip(made, chances, strict=True)
    ]
    ids = Texts.of(f"q{place}" for place in range(1, len(made) + 1))
    return of_fields(name, {"id": ids, "answer": Texts.of(given)}, format="items")


def _answer(one: _Question, weaknesses: Sequence[str], *, struck: bool, wrong: bool) -> str:
    if not one.references:
        return one.other if wrong or "never-abstains" in weaknesses else ""
    right = one.references[0]
    number = one.text.startswith(("How many", "How far"))
    strikes = {
        "numbers": (number, one.other),
        "late-answers": (one.late, one.other),
        "timid": (number, ""),
        "long-answers": (True, one.windy),
        "short-answers": (" " in right, right.partition(" ")[2]),
    }
    if wrong:
        return one.other
    told = (answer for name, (here, answer) in strikes.items() if here and name in weaknesses)
    return next(told, right) if struck else right
