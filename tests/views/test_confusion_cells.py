"""Every cell of a confusion matrix leads to as many units as it counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.evidence import answers, has_label, outcomes
from finegrain.analyses.reports.embedded_units import embedded_units
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.expressions import Expression, Field
from finegrain.corpus import Corpus, Spans
from finegrain.table import OutcomeTable
from finegrain.testing import small_corpora

PAIRED = ("LE", "LBE", "BES", "BEL", "BEO")  # errors with a gold label and an answer


def _search(table: OutcomeTable) -> UnitSearch:
    return UnitSearch.of(embedded_units(table, most=len(table)))


def _conditions(table: OutcomeTable, system: int, gold: int, answer: int) -> list[str | Expression]:
    """Those of a cell, as assets/confusion.js has them."""
    names, name = (*table.labels, ""), table.systems[system]
    if table.task.name != "spans":
        return [has_label(names[gold]), answers(name, names[answer])]
    if answer == table.n_labels:
        return [has_label(names[gold]), outcomes(name, ["FN"])]
    if gold == table.n_labels:
        return [has_label(names[answer]), outcomes(name, ["FP"])]
    sides = Field("mistaken", name), Field("mistaken_for", name)
    return [sides[0].equals(names[gold]), sides[1].equals(names[answer])]


def _check(table: OutcomeTable) -> None:
    search, counts = _search(table), fg.confusion(table).counts
    for system, gold, answer in np.ndindex(counts.shape):
        if gold == answer == table.n_labels:
            continue
        found = search.rows(_conditions(table, system, gold, answer))
        assert len(found) == counts[system, gold, answer], (table.systems[system], gold, answer)


def _of_system(table: OutcomeTable) -> int:
    """Errors with two labels that stand at spans that are not gold."""
    return int((table.is_outcome(*PAIRED) & ~table.is_gold[:, None]).sum())


def _played() -> OutcomeTable:
    play = fg.simulate(tokens=6_000, seed=1)
    return fg.align(play.gold, play.systems)


def test_cells_of_a_simulated_corpus_lead_to_their_counts() -> None:
    table = _played()
    assert _of_system(table) > 0
    _check(table)


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies"])
def test_cells_of_every_task_do(task: str) -> None:
    _check(fg.align(*small_corpora(task), task=task))


def test_cells_of_wnut16_do(shared: Path) -> None:
    folder = shared / "data" / "ner" / "wnut16"
    systems = {one: fg.read(str(folder / f"system-{one}.txt.gz")) for one in ("elmo", "flair")}
    table = fg.align(fg.read(str(folder / "test.txt.gz")), systems)
    assert _of_system(table) > 100
    _check(table)


def _spans(*spans: tuple[int, int, str]) -> Corpus:
    text = [["a", "b", "c", "d"]]
    return replace(Corpus.of(text), spans=Spans.of([(0, *one) for one in spans]))


def test_a_second_piece_is_an_error_about_the_same_gold_label() -> None:
    """Gold ORG a to d; the pieces a b and c d are both taken for LOC.

    The first is what the gold span is taken for, the second is charged to the gold span, too.
    """
    table = fg.align(_spans((0, 4, "ORG")), {"s": _spans((0, 2, "LOC"), (2, 4, "LOC"))})
    org, loc = table.labels.index("ORG"), table.labels.index("LOC")
    assert fg.confusion(table).counts[0, org, loc] == 2
    search = _search(table)
    both = ["mistaken[s]=ORG", "mistaken_for[s]=LOC"]
    assert [table.text(row) for row in search.rows(both)] == ["a b c d", "c d"]
    assert [table.text(row) for row in search.rows([*both, "gold!=none"])] == ["a b c d"]


def test_right_tokens_are_no_mistakes() -> None:
    """One N is right, one is taken for V; a V is taken for N."""
    text = [["a", "b", "c"]]
    gold = Corpus.of(text, tags=[["N", "N", "V"]])
    table = fg.align(gold, {"s": Corpus.of(text, tags=[["N", "V", "N"]])}, task="tags")
    search = _search(table)
    assert search.rows(["mistaken[s]=N"]).tolist() == [1]
    assert search.rows(["mistaken_for[s]=N"]).tolist() == [2]
    assert search.rows(["mistaken[s]=N", "mistaken_for[s]=N"]).tolist() == []


def test_a_finding_counts_gold_units_and_no_second_pieces() -> None:
    """Of 60 ORG, 20 are split into two LOC: 40 errors, 20 gold units.

    It is the largest share of all pairs of labels, so that the interval of one would mislead.
    """
    text = [["a", "b", "c", "d"]] * 60
    whole = ["B-ORG", "I-ORG", "I-ORG", "I-ORG"]
    split = ["B-LOC", "I-LOC", "B-LOC", "I-LOC"]
    gold = Corpus.of(text, tags=[whole] * 60)
    systems = {
        "apart": Corpus.of(text, tags=[split] * 20 + [whole] * 40),
        "same": gold,
    }
    table = fg.align(gold, systems, task="spans")
    org, loc = table.labels.index("ORG"), table.labels.index("LOC")
    assert fg.confusion(table).counts[:, org, loc].tolist() == [40, 0]
    (told,) = [one for one in fg.report(table).findings if one.rule == "confusion"]
    assert told.text.startswith("apart takes 20 of 60 ORG for LOC (33 %); same 0")
    search = _search(table)
    behind = [part.evidence for part in told.parts if part.evidence is not None]
    assert behind
    for one in behind:
        assert len(search.rows([one.where])) == one.count


def test_a_page_with_few_units_has_one_of_every_cell() -> None:
    """Gold spans are cut in two, the second piece being LOC; of 41 one is charged to PER.

    Label, outcome and answer of all these pieces are the same.
    """
    text = [["a", "b", "c", "d"]] * 41
    whole = [[f"B-{one}", *[f"I-{one}"] * 3] for one in ["ORG"] * 40 + ["PER"]]
    split = [[f"B-{one}", f"I-{one}", "B-LOC", "I-LOC"] for one in ["ORG"] * 40 + ["PER"]]
    table = fg.align(Corpus.of(text, tags=whole), {"s": Corpus.of(text, tags=split)}, task="spans")
    per, loc = table.labels.index("PER"), table.labels.index("LOC")
    assert fg.confusion(table).counts[0, per, loc] == 1
    chosen = embedded_units(table, most=12).chosen
    assert len(chosen) == 12
    (row,) = _search(table).rows(["mistaken[s]=PER", "mistaken_for[s]=LOC"])
    assert row in chosen
