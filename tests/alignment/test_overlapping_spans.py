"""Spans that overlap are compared by their tokens; where too many do, that is said."""

from __future__ import annotations

import time
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.span_sides import Side, Span
from finegrain.corpus import Corpus, Spans
from finegrain.errors import InputError
from tests.conftest import Run

ENDS = st.tuples(st.integers(0, 8), st.integers(1, 6)).map(lambda one: (one[0], one[0] + one[1]))


def spans_with(ends: list[tuple[int, int]], gaps: list[bool]) -> list[Span]:
    """Spans over some tokens; with a gap only the first and last token of them."""
    first, past = (np.array(one) for one in zip(*ends, strict=True))
    sets = tuple(tuple(sorted({begin, end - 1})) for begin, end in ends)
    codes = np.array([at + 1 if gap else 0 for at, gap in enumerate(gaps)])
    none = np.zeros(len(ends), np.int64)
    side = Side(first, past, none, none, codes, sets, none, first, past)
    return [Span(side, row) for row in range(len(ends))]


@given(st.lists(st.tuples(ENDS, st.booleans()), min_size=1, max_size=4), st.booleans())
def test_shared_tokens_are_those_of_both(
    rows: list[tuple[tuple[int, int], bool]], use: bool
) -> None:
    spans = spans_with([ends for ends, _ in rows], [gap for _, gap in rows])
    tokens = [
        {ends[0], ends[1] - 1} if gap else set(range(*ends)) for ends, gap in rows
    ]  # fmt: skip
    if use:  # the first span loses the tokens that the last one has
        shared, start = spans[0].shared(spans[-1]), max(spans[0].start, spans[-1].start)
        spans[0].use_up(shared, start)
        tokens[0] -= tokens[-1] if len(rows) > 1 else tokens[0]
    for (one, ours), (two, theirs) in product(zip(spans, tokens, strict=True), repeat=2):
        assert one.n_shared(two) == len(ours & theirs)
        assert one.n_tokens == len(ours)


def nested(n: int, shift: int, length: int | None = None) -> Corpus:
    """One sentence of spans inside of each other."""
    length = length or 4 * n
    rows = [(0, at + shift, length - at, "X") for at in range(n)]
    return Corpus("gold.spans", np.array([0, length]), spans=Spans.of(rows))


def test_too_many_overlaps_are_refused() -> None:
    begin = time.process_time()
    with pytest.raises(InputError) as caught:
        fg.align(nested(8000, 0), {"crf": nested(8000, 1)}, task="spans")
    assert str(caught.value) == (
        "gold.spans: X at token 1 of sentence 1 overlaps 8,000 spans of crf, and others do so, "
        "too: there are too many to compare. Check the boundaries of both, or divide the sentence."
    )
    assert time.process_time() - begin < 3


@pytest.mark.parametrize("system", [nested(8000, 0), nested(3, 1, 32_000)], ids=["equal", "few"])
def test_many_nested_spans_are_fine_if_few_are_to_be_compared(system: Corpus) -> None:
    table = fg.align(nested(8000, 0), {"crf": system}, task="spans")
    assert table.is_gold.sum() == 8000


def test_a_span_over_a_whole_document_is_fine() -> None:
    """One long span over many short ones, each of which overlaps it: no span has many others."""
    n = 20_000
    short = [(0, 3 * at, 3 * at + 2, "X") for at in range(n)]
    moved = [(0, 3 * at, 3 * at + 3, "X") for at in range(n)]
    sides = [
        Corpus("f", np.array([0, 3 * n]), spans=Spans.of([(0, 0, 3 * n - at, "DOC"), *rows]))
        for at, rows in enumerate((short, moved))
    ]
    table = fg.align(sides[0], {"crf": sides[1]}, task="spans")
    assert table.outcomes.names[table.outcome[table.is_gold, 0].max()] == "BEL"


def test_the_command_says_so(run: Run, tmp_path: Path) -> None:
    for shift in (0, 1):
        lines = (f"X\t{1 + at + shift}\t{24_000 - at}\n" for at in range(6000))
        (tmp_path / f"{shift}.spans").write_text("".join(lines), encoding="utf-8")
    done = run("score", str(tmp_path / "0.spans"), str(tmp_path / "1.spans"))
    assert (done.returncode, done.stdout) == (3, "")
    assert "there are too many to compare" in done.stderr
