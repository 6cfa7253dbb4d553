"""Perplexity and bits per byte: worked examples, plain definitions, and comparisons."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.formats import FORMATS
from finegrain.formats.source import source_of
from finegrain.table import OutcomeTable
from finegrain.tasks.perplexity import align


def _table(text: str, tokens: list[str], numbers: list[float], **options: str) -> OutcomeTable:
    gold = FORMATS["items"].read(source_of("g", json.dumps({"id": "d", "text": text}).encode()))
    record = {"id": "d", "tokens": tokens, "logprobs": numbers}
    model = FORMATS["logprobs"].read(source_of("m", json.dumps(record).encode()))
    return align(gold, {"m": model}, **options)


def _scores(table: OutcomeTable) -> dict[str, float]:
    found = fg.score(table)
    return {name: found.value(name, "m") for name in found.overall}


@given(st.integers(2, 50_000), st.integers(1, 40))
def test_a_uniform_model_over_v_tokens_has_perplexity_v(size: int, length: int) -> None:
    tokens = [f" w{at}" for at in range(length)]
    found = _scores(_table("".join(tokens), tokens, [-math.log(size)] * length))
    assert found["token_perplexity"] == pytest.approx(size)
    assert found["word_perplexity"] == pytest.approx(size)


def test_all_units_by_hand() -> None:
    """``héllo world``: 2 words, 11 characters, 12 bytes; 4 tokens with 24 bits in all."""
    tokens, numbers = ["hé", "llo", " wor", "ld"], [-4.0, -8.0, -10.0, -2.0]
    found = _scores(_table("héllo world", tokens, numbers, base="2", unit="word"))
    assert found == pytest.approx({
        "bits_per_byte": 24 / 12, "bits_per_character": 24 / 11, "bits_per_word": 24 / 2,
        "word_perplexity": 2**12, "token_perplexity": 2**6,
    })  # fmt: skip


@pytest.mark.parametrize("unit", ["word", "token", "character", "document"])
def test_rows_of_any_unit_have_the_same_scores(unit: str) -> None:
    """As exp of the mean negative log-likelihood, the definition of the field's toolkits."""
    tokens, numbers = ["so", " it", " is", ",", " is", " it"], [-1.5, -2.0, -0.25, -3.0, -1.0, -4.0]
    found = _scores(_table("so it is, is it", tokens, numbers, unit=unit))
    loss = -sum(numbers)
    assert found["token_perplexity"] == pytest.approx(math.exp(loss / 6))
    assert found["word_perplexity"] == pytest.approx(math.exp(loss / 5))
    assert found["bits_per_byte"] == pytest.approx(loss / 15 / math.log(2))


def test_a_perplexity_too_large_for_a_number_is_infinite() -> None:
    found = _scores(_table("so", ["so"], [-2000.0]))
    assert found["word_perplexity"] == math.inf
    assert found["bits_per_byte"] == pytest.approx(1000 / math.log(2))


def test_models_with_other_tokens_are_compared_by_the_text() -> None:
    gold = FORMATS["text"].read(source_of("t", b"so it is\n" * 30))
    whole = b"so\t-1.0\nit\t-2.0\nis\t-3.0\n\n" * 30
    parts = b"s\t-0.5\no\t-0.75\nit\t-2.5\nis\t-3.0\n\n" * 30
    systems = {
        "whole": FORMATS["logprobs"].read(source_of("w", whole)),
        "parts": FORMATS["logprobs"].read(source_of("p", parts)),
    }
    table = align(gold, systems, base="2")
    assert fg.score(table).value("bits_per_word", "whole") == pytest.approx(2.0)
    assert fg.score(table).value("bits_per_word", "parts") == pytest.approx(2.25)
    found = fg.difference(table, "whole", "parts")
    assert found.gains is not None
    assert found.gains.gain == pytest.approx(-0.25)
