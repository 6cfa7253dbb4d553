"""Simulated documents with chains: plausible, repeatable, and weak where it was planted."""

from __future__ import annotations

import numpy as np
import pytest

import finegrain as fg
from finegrain.errors import UsageError
from finegrain.formats.conll2012 import read, write
from finegrain.formats.source import source_of
from finegrain.simulation.chains import CHAIN_WEAKNESSES, simulate_chains
from finegrain.table import OutcomeTable

TOKENS = 8_000


def _table(*, noise: float = 0.0, **systems: list[str]) -> OutcomeTable:
    made = simulate_chains(tokens=TOKENS, systems=systems, noise=noise, train_tokens=100)
    return fg.align(made.gold, made.systems, task="coreference")


def _wrong(table: OutcomeTable, system: int = 0) -> dict[str, int]:
    names = table.outcomes.names
    outcome = table.outcome[:, system]
    return {name: int((outcome == names.index(name)).sum()) for name in ("WL", "FN", "FP")}


def test_the_same_seed_gives_the_same_files_and_a_longer_corpus_begins_alike() -> None:
    one, again, longer, other = (
        write(simulate_chains(tokens=tokens, seed=seed, train_tokens=100).systems["rules"])
        for tokens, seed in ((900, 1), (900, 1), (2_000, 1), (900, 2))
    )
    assert one == again
    assert one != other
    documents = one.split("#end document\n")
    assert longer.startswith("#end document\n".join(documents[:-2]))


def test_names_shorter_names_and_pronouns_share_chains() -> None:
    gold = simulate_chains(tokens=TOKENS, train_tokens=100).gold
    table = fg.align(gold, {"s": gold}, task="coreference")
    assert table.labels == ("noun", "possessive", "pronoun")
    units = np.bincount(table.label[table.is_gold], minlength=3)
    assert (units > 30).all()
    different, same = fg.buckets(table, ["antecedent_match"])["antecedent_match"].gold[:2]
    assert min(different, same) > 50


def test_without_noise_and_weakness_nothing_is_wrong() -> None:
    assert _wrong(_table(perfect=[])) == {"WL": 0, "FN": 0, "FP": 0}


def test_what_is_written_is_read_again() -> None:
    made = simulate_chains(tokens=500, train_tokens=100)
    for corpus in (made.gold, *made.systems.values()):
        again = read(source_of("again", write(corpus).encode()))
        assert write(again) == write(corpus)


def test_every_weakness_shows_where_it_was_planted() -> None:
    """Errors of a kind on mentions of a kind, and no other errors but such as follow from them."""
    pronouns = _table(s=["pronouns"])
    label = pronouns.labels.index("pronoun")
    wrong = pronouns.is_outcome("WL")[:, 0]
    assert wrong.sum() > 20
    assert (pronouns.label[wrong] == label).mean() > 0.9
    found = {name: _wrong(_table(s=[name])) for name in CHAIN_WEAKNESSES}
    assert found["possessives"]["WL"] > 10
    assert found["over-merging"]["FP"] > 30
    assert found["over-merging"]["FN"] == found["name-variants"]["FP"] == 0
    for name in ("far-antecedents", "name-variants"):
        assert found[name]["FN"] > 30
        assert found[name]["WL"] == 0
    assert found["long-mentions"]["FN"] > 5


def test_far_antecedents_are_found_by_the_diagnosis() -> None:
    table = _table(noise=0.05, far=["far-antecedents"], plain=[])
    found = fg.buckets(table, ["antecedent_sentences"], metric="arcs_recall")
    far, plain = found["antecedent_sentences"].scores["arcs_recall"][:-1].T  # not n/a: new mentions
    assert far[0] > 0.9
    assert far[-1] < 0.6
    assert plain.min() > 0.85


def test_noise_hits_about_the_share_that_is_asked_for() -> None:
    table = _table(noise=0.2, s=[])
    wrong = _wrong(table)
    assert 0.1 < (wrong["WL"] + wrong["FN"]) / table.n_gold < 0.3


def test_unknown_weaknesses_and_impossible_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean 'pronouns'"):
        simulate_chains(tokens=100, systems={"s": ["pronoun"]})
    with pytest.raises(UsageError, match="at least 1 token"):
        simulate_chains(tokens=0)
    with pytest.raises(UsageError, match="noise"):
        simulate_chains(tokens=100, noise=2)
