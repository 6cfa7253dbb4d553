"""Simulated text looks like text: its sizes, its words, its entities."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from finegrain.simulation import Simulation, simulate
from tests.simulation.judging import entities, surfaces, words


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return simulate(tokens=60_000, seed=5, systems={})


def test_same_seed_gives_the_same_corpora_and_another_seed_others() -> None:
    one, two, other = (simulate(tokens=3_000, seed=seed, systems={}) for seed in (3, 3, 4))
    for mine, same, different in (
        (one.gold, two.gold, other.gold),
        (one.train, two.train, other.train),
    ):
        assert words(mine) == words(same)
        assert list(mine.layers["tags"]) == list(same.layers["tags"])
        assert list(mine.layers["pos"]) == list(same.layers["pos"])
        assert words(mine) != words(different)


def test_longer_corpus_begins_like_a_shorter_one() -> None:
    short = simulate(tokens=2_000, systems={}, train_tokens=100).gold
    long = simulate(tokens=60_000, systems={}, train_tokens=5_000).gold
    size = short.n_tokens
    assert words(short) == words(long)[:size]
    assert list(short.layers["tags"]) == list(long.layers["tags"])[:size]


@pytest.mark.parametrize("tokens", [1, 500, 20_000])
def test_corpus_ends_with_the_sentence_that_reaches_the_size(tokens: int) -> None:
    gold = simulate(tokens=tokens, systems={}, train_tokens=1).gold
    assert gold.offsets[-2] < tokens <= gold.n_tokens


def test_sentences_and_documents_have_natural_sizes(simulation: Simulation) -> None:
    gold = simulation.gold
    lengths = np.diff(gold.offsets)
    assert (lengths.min(), lengths.max()) == (3, 45)
    assert 16 < lengths.mean() < 24
    assert gold.documents is not None
    sizes = np.bincount(gold.documents)[:-1]  # the last document may be cut
    assert sizes.min() >= 4
    assert sizes.max() <= 20
    assert np.all(np.diff(gold.documents) >= 0)


def test_entities_have_natural_shares_lengths_and_labels(simulation: Simulation) -> None:
    gold = simulation.gold
    found = entities(gold)
    assert 0.12 < found.length.sum() / gold.n_tokens < 0.18
    assert found.length.max() >= 7
    assert 0.5 < np.mean(found.length == 1) < 0.6
    without = 1 - len(set(found.sentence.tolist())) / gold.n_sentences
    assert 0.15 < without < 0.35
    shares = Counter(found.label.tolist())
    assert set(shares) == {"PER", "LOC", "ORG", "DATE", "WORK"}
    assert max(shares.values()) > 5 * min(shares.values())


def test_entities_recur_within_their_document_and_not_in_the_next(simulation: Simulation) -> None:
    gold = simulation.gold
    assert gold.documents is not None
    documents = gold.documents[entities(gold).sentence].tolist()
    people: dict[int, Counter[str]] = defaultdict(Counter)
    for document, surface, label in zip(
        documents, surfaces(gold), entities(gold).label, strict=True
    ):
        if label == "PER":
            people[document][surface.split()[-1]] += 1  # a surname stands for the person
    recurring = elsewhere = total = 0
    for document, counts in people.items():
        for surname, count in counts.items():
            total += count
            recurring += count * (count > 1)
            elsewhere += count * (surname in people[document + 1] if document + 1 in people else 0)
    assert recurring > 0.5 * total
    assert elsewhere < 0.1 * total


def test_some_entity_texts_have_several_labels(simulation: Simulation) -> None:
    labels = defaultdict(set)
    for corpus in (simulation.gold, simulation.train):
        for surface, label in zip(surfaces(corpus), entities(corpus).label, strict=True):
            labels[surface].add(str(label))
    assert any({"PER", "LOC"} <= found for found in labels.values())
    assert any({"PER", "ORG"} <= found for found in labels.values())
    assert any({"LOC", "ORG"} <= found for found in labels.values())
    ambiguous = [len(labels[surface]) > 1 for surface in surfaces(simulation.gold)]
    assert 0.02 < np.mean(ambiguous) < 0.3


def test_some_entities_are_unseen_in_training(simulation: Simulation) -> None:
    seen = set(surfaces(simulation.train))
    unseen = [surface not in seen for surface in surfaces(simulation.gold)]
    assert 0.2 < np.mean(unseen) < 0.6
    assert words(simulation.train)[:500] != words(simulation.gold)[:500]


def test_vocabulary_grows_with_the_corpus_and_has_many_hapaxes(simulation: Simulation) -> None:
    text = words(simulation.train)
    quarter, whole = len(set(text[: len(text) // 4])), len(set(text))
    assert whole > 1.5 * quarter
    counts = Counter(text)
    assert sum(count == 1 for count in counts.values()) > 0.3 * len(counts)
    ranked = sorted(counts.values(), reverse=True)
    assert ranked[0] > 5 * ranked[20] > 20 * ranked[200]  # Zipf: a few words make most of the text


def test_million_tokens_have_tens_of_thousands_of_words() -> None:
    gold = simulate(tokens=1_000_000, systems={}, train_tokens=1).gold
    assert gold.tokens is not None
    assert len(gold.tokens.coded().names) > 15_000


def test_text_has_quotes_punctuation_and_letters_beyond_ascii(simulation: Simulation) -> None:
    text = words(simulation.gold)
    assert {'"', ",", ".", ";", "(", ")", "%"} <= set(text)
    assert sum(not word.isascii() for word in text) > 0.005 * len(text)
    everything = "".join(text)
    assert re.search("[\u4e00-\u9fff]", everything)  # Han
    assert re.search("[α-ω]", everything)


def test_sentences_begin_with_a_capital_letter(simulation: Simulation) -> None:
    gold = simulation.gold
    for number in range(1_000):
        first, second, *_ = gold.sentence(number)
        word = second if first == '"' else first
        assert word[:1] == word[:1].upper(), gold.sentence(number)


def test_articles_fit_the_word_that_follows(simulation: Simulation) -> None:
    text = words(simulation.gold)
    for article, word in pairwise(text):
        if article in {"a", "A"}:
            assert not re.match(r"[aio]|e(?!u)|u(?!ni|s)|honest|hour", word), word
        if article in {"an", "An"}:
            assert re.match(r"(?i)[aeiouáéíóöüøå]|h|8|1[18]|[FHLMNRSX][A-Z]", word), word


def test_parts_of_speech_are_universal_and_fit_the_words(simulation: Simulation) -> None:
    tags = simulation.gold.layers["pos"]
    assert set(tags.names) <= {
        "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN",
        "PUNCT", "SCONJ", "SYM", "VERB", "X",
    }  # fmt: skip
    pairs = Counter(zip(words(simulation.gold), tags, strict=True))
    for word, tag in (
        ("the", "DET"),
        (".", "PUNCT"),
        ('"', "PUNCT"),
        ("and", "CCONJ"),
        ("was", "AUX"),
    ):
        assert {kind for found, kind in pairs if found == word} == {tag}


def test_no_empty_or_broken_words(simulation: Simulation) -> None:
    for word in set(words(simulation.gold)) | set(words(simulation.train)):
        assert word
        assert not re.search(r"[\s{}<>_/\\]", word), word
