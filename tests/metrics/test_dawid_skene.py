"""Dawid and Skene's model: by hand, against a plain EM, on simulated workers, renamed labels."""

from __future__ import annotations

import math

import numpy as np
import pytest

from finegrain.metrics.dawid_skene import CLOSE, Labels, dawid_skene, vote, winner


def _labels(rows: list[tuple[int, int, int]]) -> Labels:
    item, worker, label = (np.array(column) for column in zip(*rows, strict=True))
    return Labels(item, worker, label, (item.max() + 1, worker.max() + 1, label.max() + 1))


def test_one_round_by_hand() -> None:
    # Item 0: both workers say 0; item 1: worker 0 says 0, worker 1 says 1. Shares of votes are
    # T0 = (1, 0), T1 = (1/2, 1/2), so the prior is (3/4, 1/4). Without smoothing:
    # worker 0 says 0 for weight 1.5 of true 0 and 0.5 of true 1: always 0, either way.
    # worker 1: of true 0 (1.5) says 0 for 1, 1 for 0.5; of true 1 (0.5) always 1.
    # Item 1: true 0: 3/4 * 1 * 1/3 = 1/4; true 1: 1/4 * 1 * 1 = 1/4. So T1 = (1/2, 1/2) again,
    # and item 0: true 0: 3/4 * 1 * 2/3, true 1: 1/4 * 1 * 0 = 0.
    given = _labels([(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1)])
    with np.errstate(divide="ignore"):
        found = dawid_skene(given, smoothing=0.0, rounds=1)
    assert found.chances == pytest.approx(np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert found.confusion[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0.0, 1.0]]))
    # accuracy of worker 1: 3/4 * 2/3 + 1/4 * 1 = 3/4
    assert found.accuracy[1] == pytest.approx(0.75)


def _plain(
    rows: list[tuple[int, int, int]], items: int, workers: int, kinds: int, rounds: int
) -> list[list[float]]:
    """Expectation maximisation word for word, without arrays."""
    of_item: list[list[tuple[int, int]]] = [[] for _ in range(items)]
    for item, worker, label in rows:
        of_item[item].append((worker, label))
    chances = [
        [sum(label == kind for _, label in own) / len(own) for kind in range(kinds)]
        for own in of_item
    ]
    for _ in range(rounds):
        theta = [[[0.01] * kinds for _ in range(kinds)] for _ in range(workers)]
        for item, worker, label in rows:
            for true in range(kinds):
                theta[worker][true][label] += chances[item][true]
        for of_worker in theta:
            for row in of_worker:
                total = sum(row)
                row[:] = [value / total for value in row]
        prior = [sum(row[kind] for row in chances) / items for kind in range(kinds)]
        after = []
        for own in of_item:
            logs = [
                (math.log(prior[kind]) if prior[kind] > 0 else -math.inf)
                + sum(math.log(theta[worker][kind][label]) for worker, label in own)
                for kind in range(kinds)
            ]
            top = max(logs)
            weights = [math.exp(value - top) for value in logs]
            after.append([value / sum(weights) for value in weights])
        change = max(
            abs(one - two)
            for before, now in zip(chances, after, strict=True)
            for one, two in zip(before, now, strict=True)
        )
        chances = after
        if change < CLOSE:
            break
    return chances


@pytest.mark.parametrize("seed", range(500))
def test_probabilities_are_those_of_a_plain_implementation(seed: int) -> None:
    draw = np.random.default_rng(seed)
    items, workers, kinds = (
        int(draw.integers(2, 12)),
        int(draw.integers(2, 6)),
        int(draw.integers(2, 4)),
    )
    truth = draw.integers(0, kinds, items)
    rows = []
    for item in range(items):
        some = draw.permutation(workers)[: int(draw.integers(1, workers + 1))]
        for worker in some.tolist():
            right = draw.random() < 0.8
            rows.append((item, worker, int(truth[item] if right else draw.integers(0, kinds))))
    given = Labels(
        *(np.array(column) for column in zip(*rows, strict=True)), (items, workers, kinds)
    )  # type: ignore[arg-type]
    rounds = 1000 if dawid_skene(given).converged else 50  # a saddle is left by rounding alone
    found = dawid_skene(given, rounds=rounds)
    expected = _plain(rows, items, workers, kinds, rounds)
    np.testing.assert_allclose(found.chances, expected, atol=1e-6)


def _simulated(accuracies: list[float], items: int, seed: int) -> tuple[Labels, np.ndarray]:
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, 2, items)
    rows = [
        (item, worker, int(truth[item] if draw.random() < chance else 1 - truth[item]))
        for item in range(items)
        for worker, chance in enumerate(accuracies)
    ]
    return _labels(rows), truth


def test_good_workers_are_found_among_careless_ones() -> None:
    accuracies = [0.95, 0.9, 0.9, 0.5, 0.5, 0.5, 0.5]
    given, truth = _simulated(accuracies, 1000, seed=3)
    found = dawid_skene(given)
    assert found.converged
    assert found.accuracy == pytest.approx(accuracies, abs=0.06)
    by_model = (found.chances.argmax(axis=1) == truth).mean()
    by_vote = (vote(given).chances.argmax(axis=1) == truth).mean()
    assert by_model > by_vote + 0.05
    assert by_model > 0.93


def test_names_of_labels_are_irrelevant() -> None:
    given, _ = _simulated([0.9, 0.7, 0.6], 60, seed=4)
    turned = given._replace(label=1 - given.label)
    np.testing.assert_allclose(
        dawid_skene(turned).chances[:, ::-1], dawid_skene(given).chances, atol=1e-9
    )


def test_of_tied_labels_the_most_used_wins_then_the_first() -> None:
    chances = np.array([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4]])
    assert winner(chances, np.array([5.0, 9.0, 9.0])).tolist() == [1, 1]


def test_a_hundred_thousand_labels_take_seconds() -> None:
    draw = np.random.default_rng(1)
    size = 100_000
    given = Labels(
        np.repeat(np.arange(size // 10), 10), draw.integers(0, 500, size),
        draw.integers(0, 5, size),
        (size // 10, 500, 5),
    )  # fmt: skip
    found = dawid_skene(given, rounds=20)
    assert found.chances.sum(axis=1) == pytest.approx(np.ones(size // 10))
