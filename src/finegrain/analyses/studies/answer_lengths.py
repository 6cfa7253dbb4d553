"""How long answers are beside the references, and which errors questions of a kind lead to.

>>> import finegrain as fg
>>> from finegrain.testing import small_corpora
>>> found = fg.study(fg.align(*small_corpora("qa"), task="qa"), "answer_lengths")
>>> found.data["systems"]["talkative"]["ratio"]                             # 15 words for 9
1.6666666666666667

Words stand between blanks. The reference is the shortest one, as in ``answer_length``; questions
that have no answer, or are not answered, are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from finegrain.analyses.evidence import Evidence, in_bucket
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.signature import signature
from finegrain.analyses.studies.content import Axis, Floats, Plot, Series, Study
from finegrain.attributes.item_texts import question_word
from finegrain.attributes.questions import answer_length
from finegrain.attributes.units import Units
from finegrain.corpus import IntArray
from finegrain.resampling.intervals import Drawing
from finegrain.sizes import sized
from finegrain.table import OutcomeTable

_RANGES = ("shorter", "as long", "longer")
_FARTHEST = 10  # words; what is farther off is drawn there


def answer_lengths(table: OutcomeTable, drawing: Drawing) -> Study | None:
    """Lengths of answers and references; ``None`` if no answered question has a reference."""
    del drawing  # a description
    units = Units(table)
    reference = answer_length(units)
    lengths = [_words(table, system) for system in range(table.n_systems)]
    known = [~np.isnan(own) & ~np.isnan(reference) & table.is_gold for own in lengths]
    if not any(one.any() for one in known):
        return None
    columns: dict[str, IntArray] = {}
    rows, series, data = [], [], {}
    for name, own, counted in zip(table.systems, lengths, known, strict=True):
        gap = np.where(counted, own - reference, np.nan)
        codes = np.where(counted, np.nan_to_num(np.sign(gap)) + 1, -1).astype(np.int64)
        columns[_column(name)] = codes
        counts = np.bincount(codes[counted], minlength=len(_RANGES))
        size, words, wanted = int(counted.sum()), own[counted].sum(), reference[counted].sum()
        ratio = float(words / wanted) if wanted else np.nan
        means = [f"{total / size:.2f}" if size else None for total in (words, wanted)]
        told = f"{ratio:.2f}" if wanted else None
        ranges = (
            Linked(n, Evidence.of(n, in_bucket(_column(name), code)) if n else None)
            for code, n in enumerate(counts.tolist())
        )
        rows.append((name, size, *means, told, *ranges))
        data[name] = {
            "questions": size, "ratio": ratio if wanted else None,
            **dict(zip(_RANGES, counts.tolist(), strict=True)),
        }  # fmt: skip
        if size:
            series.append(_curve(name, gap[counted]))
    by_word = _by_question_word(table, units)
    listing = Listing(
        "Words of answers and references",
        (
            Column("system"), Column("questions", "count"), Column("words", "number"),
            Column("reference", "number"), Column("ratio", "number"),
            *(Column(name, "count") for name in _RANGES),
        ),
        tuple(rows),
        "answerable questions that are answered; words, reference: mean words of the answer and of "
        "the shortest reference; ratio: of all words",
    )  # fmt: skip
    plot = Plot(
        "How many words longer answers are than the shortest reference",
        Axis("words more", (-_FARTHEST, _FARTHEST)),
        Axis("share of questions", (0.0, 1.0), "percent"),
        tuple(series),
    )
    return Study(
        "answer_lengths", "Lengths of answers", "Do systems say too much or too little?",
        table.task, table.systems, (listing, by_word), {"systems": data}, signature(table),
        (plot,), (), listing, columns, dict.fromkeys(columns, _RANGES),
    )  # fmt: skip


def _column(system: str) -> str:
    return f"length of answers of {system}"


def _words(table: OutcomeTable, system: int) -> Floats:
    """``[unit]`` words of the answer; nan without one."""
    texts = table.details[table.task.answer_column][:, system].tolist()
    return np.array([float(len(text.split())) or np.nan if text else np.nan for text in texts])


def _curve(name: str, gap: Floats) -> Series:
    """The share of answers by how many words longer they are."""
    drawn = np.clip(gap, -_FARTHEST, _FARTHEST)
    x, counts = np.unique(drawn, return_counts=True)
    text = tuple(
        f"{name}: {at:+.0f} words, {sized(count, 'question')}"
        for at, count in zip(x.tolist(), counts.tolist(), strict=True)
    )
    return Series(name, x, counts / len(gap), "line", text=text)


def _by_question_word(table: OutcomeTable, units: Units) -> Listing:
    """Kinds of errors of every system by question word, the most frequent word first."""
    words = question_word(units)
    sizes = np.bincount(words.codes[table.is_gold], minlength=len(words.names))
    kinds = table.outcomes.errors
    rows: list[tuple[Cell, ...]] = []
    for code in np.argsort(-sizes, kind="stable").tolist():
        chosen = table.is_gold & (words.codes == code)
        for system, name in enumerate(table.systems):
            found = table.outcome[chosen, system]
            counts: list[Any] = [
                int((found == table.outcomes.code(one.name)).sum()) for one in kinds
            ]
            rows.append((words.names[code], int(sizes[code]), name, *counts))
    columns = (Column("question word"), Column("questions", "count"), Column("system"))
    return Listing(
        "Kinds of errors by question word",
        (*columns, *(Column(one.wording, "count") for one in kinds)),
        tuple(rows),
    )
