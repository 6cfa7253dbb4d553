"""Simulated systems err where they should, and only there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from finegrain.corpus import Corpus
from finegrain.corpus.tag_schemes import SCHEMES, decode
from finegrain.errors import UsageError
from finegrain.simulation import SHOWCASE, WEAKNESSES, Simulation, simulate
from tests.simulation.judging import Entities, entities, right, words

Attribute = Callable[[Simulation], NDArray[np.bool_]]


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    """Every weakness on its own, without noise, and a system with noise only."""
    systems = {name: [name] for name in WEAKNESSES}
    return simulate(tokens=40_000, seed=2, systems=systems, noise=0.0)


@pytest.fixture(scope="module")
def large() -> Simulation:
    return simulate(tokens=200_000, seed=7, systems={"uniform": []}, train_tokens=200_000)


def rarest(simulation: Simulation) -> NDArray[np.int64]:
    """``[gold entity]`` how often its rarest word occurs in training."""
    text = np.array(words(simulation.gold))
    known, counts = np.unique(words(simulation.train), return_counts=True)
    seen = dict(zip(known.tolist(), counts.tolist(), strict=True))
    return np.array(
        [
            min(seen.get(word, 0) for word in text[begin:end].tolist())
            for begin, end, _ in entities(simulation.gold).rows()
        ]
    )


def sentence_length(simulation: Simulation) -> NDArray[np.int64]:
    return np.diff(simulation.gold.offsets)[entities(simulation.gold).sentence]


def long(simulation: Simulation) -> NDArray[np.bool_]:
    return entities(simulation.gold).length >= 4


def several(simulation: Simulation) -> NDArray[np.bool_]:
    return entities(simulation.gold).length >= 2


def three(simulation: Simulation) -> NDArray[np.bool_]:
    return entities(simulation.gold).length >= 3


def rare(simulation: Simulation) -> NDArray[np.bool_]:
    return rarest(simulation) <= 1


def in_long_sentence(simulation: Simulation) -> NDArray[np.bool_]:
    return sentence_length(simulation) >= 25


def labelled(name: str) -> Attribute:
    return lambda simulation: entities(simulation.gold).label == name


def tags(corpus: Corpus) -> list[str]:
    return list(corpus.layers["tags"])


def test_systems_share_the_text_of_the_gold(simulation: Simulation) -> None:
    for name, system in simulation.systems.items():
        assert system.source == name
        assert system.tokens is simulation.gold.tokens
        assert system.offsets is simulation.gold.offsets
        assert system.documents is simulation.gold.documents
        assert [len(layer) for layer in system.layers.values()] == [simulation.gold.n_tokens] * 2


def test_a_system_and_the_gold_do_not_depend_on_other_systems() -> None:
    alone = simulate(tokens=3_000, systems={"b": ["too-long"]})
    among = simulate(tokens=3_000, systems={"a": [], "b": ["too-long"], "c": ["spurious"]})
    assert words(alone.gold) == words(among.gold)
    assert tags(alone.gold) == tags(among.gold)
    for layer in ("tags", "pos"):
        assert list(alone.systems["b"].layers[layer]) == list(among.systems["b"].layers[layer])


def test_systems_of_one_kind_and_different_names_err_differently() -> None:
    systems = simulate(tokens=3_000, systems={"a": [], "b": []}).systems
    assert tags(systems["a"]) != tags(systems["b"])


def test_weakness_leaves_the_noise_of_a_system_as_it_was() -> None:
    """Entities that the weakness does not strike get the same noise as without it."""
    plain = simulate(tokens=20_000, systems={"a": []})
    weak = simulate(tokens=20_000, systems={"a": ["label=WORK"]})
    other = entities(plain.gold).label != "WORK"
    assert np.array_equal(
        right(plain.gold, plain.systems["a"])[other], right(weak.gold, weak.systems["a"])[other]
    )


def test_without_noise_and_weaknesses_a_system_is_perfect_and_with_all_noise_always_wrong() -> None:
    perfect = simulate(tokens=3_000, systems={"a": []}, noise=0.0)
    assert tags(perfect.systems["a"]) == tags(perfect.gold)
    assert list(perfect.systems["a"].layers["pos"]) == list(perfect.gold.layers["pos"])
    hopeless = simulate(tokens=3_000, systems={"a": []}, noise=1.0)
    assert not right(hopeless.gold, hopeless.systems["a"]).any()


@pytest.mark.parametrize("noise", [0.05, 0.3])
def test_noise_is_the_share_of_wrong_entities(noise: float) -> None:
    simulation = simulate(tokens=100_000, systems={"a": []}, noise=noise, train_tokens=1)
    hits = right(simulation.gold, simulation.systems["a"])
    error = (noise * (1 - noise) / len(hits)) ** 0.5
    assert abs(1 - hits.mean() - noise) < 4 * error


@pytest.mark.parametrize("name", WEAKNESSES)
def test_predictions_are_well_formed(simulation: Simulation, name: str) -> None:
    system = simulation.systems[name]
    assert decode(system.layers["tags"], system.offsets, SCHEMES["iob2"]).repairs == 0


def test_ill_formed_spans_are_repaired_to_the_well_formed_output() -> None:
    good = simulate(tokens=30_000, systems={"a": ["spurious"]}).systems["a"]
    bad = simulate(tokens=30_000, systems={"a": ["spurious"]}, ill_formed=0.25).systems["a"]
    decoded = decode(bad.layers["tags"], bad.offsets, SCHEMES["iob2"])
    assert entities(bad).rows() == entities(good).rows()
    assert 0.22 < decoded.repairs / len(decoded.spans) < 0.28


@pytest.mark.parametrize(
    ("name", "struck", "rate"),
    [
        ("long-entities", long, 0.60),
        ("rare-words", rare, 0.40),
        ("long-sentences", in_long_sentence, 0.25),
        ("too-short", several, 0.25),
        ("splits", three, 0.45),
        ("label=ORG", labelled("ORG"), 0.35),
        ("label=WORK", labelled("WORK"), 0.35),
        ("confuses-ORG-LOC", labelled("ORG"), 0.35),
        ("confuses-PER-ORG", labelled("PER"), 0.35),
    ],
)
def test_weakness_strikes_its_entities_and_no_others(
    simulation: Simulation, name: str, struck: Attribute, rate: float
) -> None:
    hits, where = right(simulation.gold, simulation.systems[name]), struck(simulation)
    assert hits[~where].all()
    error = (rate * (1 - rate) / where.sum()) ** 0.5
    assert abs(1 - hits[where].mean() - rate) < 4 * error


def overlapping(gold: Entities, system: Entities) -> list[tuple[int, int, int, int]]:
    """Pairs of a gold entity and a prediction that share a token, as boundaries."""
    first = np.searchsorted(system.end, gold.begin, side="right")
    last = np.searchsorted(system.begin, gold.end, side="left")
    return [
        (int(gold.begin[row]), int(gold.end[row]), int(system.begin[at]), int(system.end[at]))
        for row in range(len(gold.begin))
        for at in range(first[row], last[row])
    ]


def test_boundary_weaknesses_err_in_their_direction(simulation: Simulation) -> None:
    gold = entities(simulation.gold)
    pairs = overlapping(gold, entities(simulation.systems["too-short"]))
    assert all(begin <= mine and yours <= end for begin, end, mine, yours in pairs)
    pairs = overlapping(gold, entities(simulation.systems["too-long"]))
    assert all(mine <= begin and end <= yours for begin, end, mine, yours in pairs)
    left = sum(mine < begin for begin, _, mine, _ in pairs)
    rightward = sum(yours > end for _, end, _, yours in pairs)
    assert left > 1.5 * rightward > 0


def test_too_long_often_takes_in_the_determiner(simulation: Simulation) -> None:
    text = words(simulation.gold)
    found = entities(simulation.systems["too-long"]).begin
    assert sum(text[at] == "the" for at in found) > 20
    assert not any(text[at] == "the" for at in entities(simulation.gold).begin)


def test_splits_make_two_neighbours_of_one_label(simulation: Simulation) -> None:
    system = entities(simulation.systems["splits"])
    gold = {(begin, end): label for begin, end, label in entities(simulation.gold).rows()}
    extra = len(system.begin) - len(gold)
    joined = [
        (int(one), int(two))
        for one, middle, start, two in zip(
            system.begin, system.end, system.begin[1:], system.end[1:], strict=False
        )
        if middle == start and (int(one), int(two)) in gold
    ]
    assert extra == len(joined) > 50


def test_spurious_invents_on_capitalised_and_rare_words_only(simulation: Simulation) -> None:
    system = simulation.systems["spurious"]
    assert right(simulation.gold, system).all()
    text, train = words(simulation.gold), words(simulation.train)
    known, counts = np.unique(train, return_counts=True)
    common = set(known[counts > 1].tolist())
    gold = set(entities(simulation.gold).begin.tolist())
    invented = [at for at in entities(system).begin.tolist() if at not in gold]
    assert len(invented) > 100
    assert all(text[at][0].isupper() or text[at] not in common for at in invented)


def test_confusion_gives_the_label_that_its_name_says(simulation: Simulation) -> None:
    for name in ("confuses-ORG-LOC", "confuses-LOC-PER", "confuses-WORK-PER"):
        _, label, other = name.split("-")
        system = simulation.systems[name]
        missing = set(entities(simulation.gold).rows()) - set(entities(system).rows())
        wrong = set(entities(system).rows()) - set(entities(simulation.gold).rows())
        assert {found for _, _, found in missing} == {label}
        assert {found for _, _, found in wrong} == {other}


def test_without_weaknesses_errors_are_independent_of_every_attribute(large: Simulation) -> None:
    hits = right(large.gold, large.systems["uniform"])
    found = entities(large.gold)
    attributes = {
        "long": found.length >= 4,
        "single": found.length == 1,
        "rare": rarest(large) <= 1,
        "frequent": rarest(large) > 50,
        "long sentence": sentence_length(large) >= 25,
        "sentence start": found.begin == large.gold.offsets[found.sentence],
        **{label: found.label == label for label in np.unique(found.label).tolist()},
    }
    for name, here in attributes.items():
        rate = hits.mean()
        error = (rate * (1 - rate) * (1 / here.sum() + 1 / (~here).sum())) ** 0.5
        assert abs(hits[here].mean() - hits[~here].mean()) < 3 * error, name


def test_without_weaknesses_all_kinds_of_errors_occur(large: Simulation) -> None:
    gold, system = entities(large.gold), entities(large.systems["uniform"])
    pairs = overlapping(gold, system)
    spans = set(zip(gold.begin.tolist(), gold.end.tolist(), strict=True))
    label = {(begin, end): name for begin, end, name in gold.rows()}
    count = {
        "label": sum(label.get((b, e), name) != name for b, e, name in system.rows()),
        "shorter": sum(b <= x and y <= e and (x, y) != (b, e) for b, e, x, y in pairs),
        "longer": sum(x <= b and e <= y and (x, y) != (b, e) for b, e, x, y in pairs),
        "shifted": sum((x < b and y < e) or (x > b and y > e) for b, e, x, y in pairs),
        "missed": len(spans - {(b, e) for b, e, _, _ in pairs}),
        "spurious": len(system.begin) - len({(x, y) for _, _, x, y in pairs}),
    }
    assert min(count.values()) > 20, count
    parts = [(b, e) for b, e, x, y in pairs if b <= x and y <= e and (x, y) != (b, e)]
    assert len(parts) - len(set(parts)) > 20  # two predictions within one entity: split


def test_parts_of_speech_have_uniform_noise_and_planted_errors(simulation: Simulation) -> None:
    noisy = simulate(tokens=40_000, systems={"a": []}, noise=0.08, train_tokens=1)
    gold = np.array(list(noisy.gold.layers["pos"]))
    wrong = np.array(list(noisy.systems["a"].layers["pos"])) != gold
    assert abs(wrong.mean() - 0.04) < 0.005
    noun = gold == "NOUN"
    assert abs(wrong[noun].mean() - wrong[~noun].mean()) < 0.01

    gold = np.array(list(simulation.gold.layers["pos"]))
    tagged = np.array(list(simulation.systems["confuses-PROPN-NOUN"].layers["pos"]))
    assert set(gold[tagged != gold]) == {"PROPN"}
    assert set(tagged[tagged != gold]) == {"NOUN"}
    tagged = np.array(list(simulation.systems["rare-words"].layers["pos"]))
    seen, counts = np.unique(words(simulation.train), return_counts=True)
    common = np.isin(words(simulation.gold), seen[counts > 1])
    assert (tagged == gold)[common].all()
    assert abs((tagged != gold)[~common].mean() - 0.25) < 0.03


def test_showcase_has_systems_of_different_quality_and_says_what_is_planted() -> None:
    simulation = simulate()
    assert list(simulation.systems) == list(SHOWCASE)
    assert simulation.planted["uniform"] == ()
    assert simulation.planted["crf"][0] == "cuts or misses entities of 4 or more tokens"
    rates = sorted(right(simulation.gold, each).mean() for each in simulation.systems.values())
    assert all(high - low > 0.01 for low, high in pairwise(rates))
    assert 0.5 < rates[0] < rates[-1] < 0.95


def test_every_weakness_changes_something_and_has_a_summary(simulation: Simulation) -> None:
    for name, weakness in WEAKNESSES.items():
        system = simulation.systems[name]
        assert any(
            list(system.layers[layer]) != list(simulation.gold.layers[layer])
            for layer in ("tags", "pos")
        ), name
        assert weakness.name == name
        assert weakness.summary[0].islower()
        assert not weakness.summary.endswith(".")


def test_unknown_weakness_names_the_closest_one() -> None:
    with pytest.raises(UsageError, match="Did you mean 'rare-words'"):
        simulate(tokens=100, systems={"a": ["rare-word"]})


@pytest.mark.parametrize(
    "options",
    [{"tokens": 0}, {"seed": -1}, {"noise": 1.5}, {"ill_formed": -0.1}, {"train_tokens": 0}],
)
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        simulate(**options)  # type: ignore[arg-type]  # the point of the test
