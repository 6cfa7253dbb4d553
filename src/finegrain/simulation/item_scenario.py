"""A scenario of items: what is asked, what systems answer, and which weaknesses are planted.

>>> from finegrain.simulation.questions import QUESTION_WEAKNESSES, simulate_questions
>>> simulate_questions(tokens=50, systems={"mine": ()}).planted
{'mine': ()}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.simulation.scenario import Simulation

Written = Callable[[np.random.Generator, int], Any]
Answered = Callable[[str, Any, Sequence[str], np.random.Generator], Corpus]


def of_items(
    systems: Mapping[str, Sequence[str]],
    weaknesses: Mapping[str, str],
    sizes: tuple[int, int],
    seed: int,
    *,
    write: Written,
    corpus: Callable[[str, Any, str], Corpus],
    answer: Answered,
) -> Simulation:
    """Gold and training items, and the answers of systems.

    Parameters
    ----------
    systems: names of weaknesses by system
    weaknesses: what each is, by name
    sizes: words of the gold and of the training items
    write: random numbers and words -> what is asked
    corpus: name, what is asked and prefix of ids -> the corpus of it
    answer: name of a system, what is asked, its weaknesses, random numbers -> its answers
    """
    for name in (weakness for names in systems.values() for weakness in names):
        if name not in weaknesses:
            raise UsageError.unknown("weakness", name, weaknesses)
    made, training = (
        write(np.random.default_rng([seed, place]), size) for place, size in enumerate(sizes, 1)
    )
    return Simulation(
        corpus("gold", made, "q"),
        corpus("train", training, "t"),
        {
            name: answer(name, made, names, np.random.default_rng([seed, 3 + place]))
            for place, (name, names) in enumerate(systems.items())
        },
        {name: tuple(weaknesses[one] for one in names) for name, names in systems.items()},
        format="items",
        suffix=".jsonl",
    )
