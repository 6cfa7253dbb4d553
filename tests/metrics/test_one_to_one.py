"""One-to-one pairs: hand-worked ties, the slow definition on any corpus, crowded text."""

from __future__ import annotations

import random
import time
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.metrics import one_to_one
from finegrain.metrics.one_to_one import pair_up
from finegrain.table import OutcomeTable
from tests.metrics.test_span_scores import corpora


def _spans(*rows: Any) -> Corpus:
    length = max([row[2] for row in rows], default=0)
    return Corpus("spans", np.array([0, length]), spans=Spans.of(rows))


def _sides(table: OutcomeTable) -> tuple[Any, Any]:
    """Gold rows, and rows that the only system has, without the hits."""
    gold = table.is_gold & ~table.is_outcome("TP")[:, 0]
    return np.flatnonzero(gold), np.flatnonzero(~table.is_gold)


def _slow(table: OutcomeTable, labels: str) -> list[tuple[int, int]]:
    """The definition, word by word."""
    gold, system = _sides(table)
    pairs = []
    for one in gold.tolist():
        for two in system.tolist():
            here, there = set(table.tokens(one)), set(table.tokens(two))
            alike = table.label[one] == table.label[two]
            if (
                table.sentence[one] == table.sentence[two]
                and here & there
                and (alike or labels == "any")
            ):
                pairs.append((-len(here & there) / len(here | there), not alike, one, two))
    taken: list[tuple[int, int]] = []
    for *_, one, two in sorted(pairs):
        if one not in {pair[0] for pair in taken} and two not in {pair[1] for pair in taken}:
            taken.append((one, two))
    return sorted(taken)


@pytest.mark.parametrize("crowded", [0, 16])
@given(gold=corpora, system=corpora, labels=st.sampled_from(["any", "same"]))
@settings(max_examples=100, deadline=None)
def test_pairs_are_those_of_the_definition(
    crowded: int, gold: Corpus, system: Corpus, labels: Any
) -> None:
    """With levels (crowded at once) and without."""
    table = fg.align(gold, {"s": system})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_to_one, "_CROWDED", crowded)
        found = pair_up(table, *_sides(table), labels=labels)
    pairs = zip(found.gold.tolist(), found.system.tolist(), strict=True)
    assert sorted(pairs) == _slow(table, labels)


def test_deep_nests_are_those_of_the_definition() -> None:
    made = random.Random(3)
    rows = [(0, made.randrange(60), made.randrange(61, 160), made.choice("AB")) for _ in range(160)]
    table = fg.align(_spans(*rows[:80]), {"s": _spans(*rows[80:])})
    found = pair_up(table, *_sides(table))
    assert sorted(zip(found.gold.tolist(), found.system.tolist(), strict=True)) == _slow(
        table, "any"
    )


def test_among_equal_overlaps_the_same_label_comes_first() -> None:
    """Gold Z 0-2; A 0-3 and Z 0-3 overlap it 2/3 each, and A has the earlier row."""
    table = fg.align(_spans((0, 0, 2, "Z")), {"s": _spans((0, 0, 3, "A"), (0, 0, 3, "Z"))})
    found = pair_up(table, *_sides(table))
    assert [table.labels[table.label[row]] for row in found.system] == ["Z"]


def test_gaps_count_by_tokens() -> None:
    """Gold {0, 4}; B 0-5 has 2/5 of its tokens, C {0} 1/2, though its end is far away."""
    gold = _spans((0, 0, 5, "A", (0, 4)))
    table = fg.align(gold, {"s": _spans((0, 0, 5, "B"), (0, 0, 1, "C"))})
    found = pair_up(table, *_sides(table))
    assert found.overlap.tolist() == [0.5]
    assert [table.labels[table.label[row]] for row in found.system] == ["C"]


@pytest.mark.parametrize("shape", ["flat", "crossing", "under one cover"])
def test_time_grows_with_size_not_with_its_square(shape: str) -> None:
    def table(size: int) -> OutcomeTable:
        width = 20 if shape == "crossing" else 3
        gold = [(0, 4 * at, 4 * at + width, "AB"[at % 2]) for at in range(size)]
        system = [(0, 4 * at + 1, 4 * at + 1 + width, "A") for at in range(size)]
        if shape == "under one cover":
            gold[0], system[-1] = (0, 0, 4 * size, "A"), (0, 1, 4 * size, "A")
        rows = Spans.of([*gold, *system])
        return _unaligned(rows, size)

    def seconds(size: int) -> float:
        made = table(size)
        begin = time.process_time()
        pair_up(made, *_sides(made))
        return time.process_time() - begin

    seconds(1_000)
    small, large = (min(seconds(size) for _ in range(3)) for size in (4_000, 32_000))
    assert large < 24 * small + 0.05  # 8 times the size; 64 would be the square


def _unaligned(rows: Spans, gold: int) -> OutcomeTable:
    """A table of gold spans and predicted ones that are no hits, without alignment."""
    table = fg.align(_spans((0, 0, 1, "A")), {"s": _spans((0, 1, 2, "A"))})
    size = len(rows)
    from dataclasses import replace

    order = np.lexsort((rows.label, rows.end, rows.begin))
    is_gold = (np.arange(size) < gold)[order]
    rows = rows.take(order)
    code = table.outcomes.code
    outcome = np.where(is_gold, code("FN"), code("FP")).astype(np.uint8)[:, None]
    return replace(
        table,
        labels=rows.labels,
        sentence=rows.sentence,
        begin=rows.begin,
        end=rows.end,
        label=rows.label,
        token_set=rows.token_set,
        is_gold=is_gold,
        outcome=outcome,
        answer=np.full((size, 1), -1, np.int32),
    )


def test_five_thousand_nested_spans_are_quick() -> None:
    """Each span lies inside the one before it; no two are equal, all overlap: 25 million pairs."""
    size = 5_000
    gold = [(0, 2 * at, 8 * size - 2 * at, "A") for at in range(size)]
    system = [(0, 2 * at + 1, 8 * size - 2 * at, "B") for at in range(size)]
    table = _unaligned(Spans.of([*gold, *system]), size)
    begin = time.process_time()
    found = pair_up(table, *_sides(table))
    assert time.process_time() - begin < 5
    assert len(found.gold) == size
    assert (table.end[found.gold] == table.end[found.system]).all()
