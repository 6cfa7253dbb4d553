"""Texts, and what language models answer who are asked for the names in them.

>>> made = simulate_answers(tokens=300, seed=1, systems={"terse": ["hallucinates"]}, noise=0.0)
>>> made.gold.n_documents, sorted(made.further)
(3, ['terse.answers.jsonl'])
>>> made.further["terse.answers.jsonl"][:22]
'{"id": "d1", "answer":'
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence

from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.formats.running_text import Builder, Marked
from finegrain.simulation.model_answers import FAULTS, FORMS, Written, answer_to, write_text
from finegrain.simulation.scenario import Simulation, require_sizes, training_size

ANSWER_WEAKNESSES: Mapping[str, str] = {
    "hallucinates": "lists names that the text does not have",
    "typos": "misspells names, and writes them in another way",
    "invents-labels": "has labels outside of the schema",
    "forgets": "leaves out many names",
    "refuses": "declines to answer",
    "broken-json": "writes JSON with faults, or breaks off",
}
SHOWCASE: Mapping[str, tuple[str, ...]] = {
    "terse": ("forgets",),
    "chatty": ("hallucinates", "refuses"),
    "hasty": ("typos", "broken-json", "invents-labels"),
}
_CHANGED: Mapping[str, Mapping[str, float]] = {
    "hallucinates": {"hallucinated": 0.2, "changed number": 0.8},
    "typos": {"fuzzy": 0.2, "normalised": 0.2},
    "invents-labels": {"out-of-schema": 0.2},
    "forgets": {"left out": 0.3},
}
_FORMS: Mapping[str, Mapping[str, float]] = {
    "refuses": {"refused": 0.25},
    "broken-json": {"broken": 0.4, "cut": 0.2},
}
_SIZE, _TOKENS = 600, 100  # characters and about so many tokens of a text
_USUAL = 0.08  # the noise at which faults are as frequent as usual


def simulate_answers(
    *,
    tokens: int = 20_000,
    seed: int = 1,
    systems: Mapping[str, Sequence[str]] | None = None,
    noise: float = _USUAL,
    train_tokens: int | None = None,
) -> Simulation:
    """Make texts with names, and answers of models with known weaknesses.

    Parameters
    ----------
    tokens: about so many; a text has a hundred
    seed: the same seed gives the same texts and answers
    systems: names of weaknesses (see ``ANSWER_WEAKNESSES``) by model; a showcase of three without
    noise: how frequent faults are that no weakness is about, 0.08 as usual
    train_tokens: four times the gold, but a million at most, without it
    """
    require_sizes(tokens, seed, noise, train_tokens)
    asked = SHOWCASE if systems is None else systems
    for name in (one for names in asked.values() for one in names):
        if name not in ANSWER_WEAKNESSES:
            raise UsageError.unknown("weakness", name, ANSWER_WEAKNESSES)
    texts = _texts(tokens, seed, "gold")
    answers = {
        f"{model}.answers.jsonl": _answers(texts, f"{seed} {model}", names, noise)
        for model, names in asked.items()
    }
    planted = {
        model: tuple(ANSWER_WEAKNESSES[name] for name in names) for model, names in asked.items()
    }
    training = _texts(training_size(tokens, train_tokens), seed, "train")
    return Simulation(
        _corpus("gold", texts), _corpus("train", training), {}, planted, "jsonl", ".jsonl", answers
    )


def _texts(tokens: int, seed: int, name: str) -> list[Written]:
    rng = random.Random(f"{seed} {name}")
    return [write_text(rng, _SIZE) for _ in range(max(tokens // _TOKENS, 1))]


def _corpus(name: str, texts: Sequence[Written]) -> Corpus:
    builder = Builder()
    for one in texts:
        marked = [Marked(label, ((begin, end),)) for begin, end, label in one.mentions]
        builder.add_text(one.text, marked)
    ids = [f"d{number}" for number in range(1, len(texts) + 1)]
    return builder.corpus(name, ids=ids, running_text=True)


def _answers(texts: Sequence[Written], seed: str, names: Sequence[str], noise: float) -> str:
    """A file of answers, with the time and the tokens that each took."""
    rng = random.Random(seed)
    faults = {kind: share * noise / _USUAL for kind, share in FAULTS.items()}
    forms = dict(FORMS)
    for name in names:
        faults |= _CHANGED.get(name, {})
        forms |= _FORMS.get(name, {})
    lines = []
    for number, one in enumerate(texts, 1):
        form = rng.choices(list(forms), list(forms.values()))[0]
        given = answer_to(one, rng, form=form, faults=faults)
        written = len(given.text) // 4 + 1
        record = {
            "id": f"d{number}",
            "answer": given.text,
            "latency": round(0.2 + written / 90, 3),
            "usage": {"input_tokens": len(one.text) // 4 + 60, "output_tokens": written},
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines)
