"""Which chain a mention counts in, what type it has, and when two systems invent the same one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.alignment.mention_policy import repeated
from finegrain.analyses.scores.score import score
from finegrain.analyses.units.instances import pair
from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.formats.conll2012 import read as read_conll2012
from finegrain.formats.corefud import read as read_corefud
from finegrain.formats.source import source_of
from finegrain.metrics import METRICS
from finegrain.table import OutcomeTable
from finegrain.table.verdicts import changed
from finegrain.tasks.coreference import align
from tests.conftest import Run


def chained(*lines: str) -> Corpus:
    """A CorefUD document of one sentence; a line: form lemma upos xpos feats entity."""
    told = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
    for number, line in enumerate(lines, 1):
        form, lemma, upos, xpos, feats, entity = line.split()
        cell = entity if entity == "_" else f"Entity={entity}"
        told.append("\t".join([str(number), form, lemma, upos, xpos, feats, *"0_", "_", cell]))
    return read_corefud(source_of("memory", "\n".join([*told, "", ""]).encode()))


def labels(table: OutcomeTable) -> list[str]:
    return [table.labels[code] for code in table.label.tolist()]


@pytest.mark.parametrize("cell", ["(1)|(0)", "(0)|(1)"])
def test_a_mention_of_two_chains_counts_in_the_one_that_was_opened_first(cell: str) -> None:
    """Chain 0 opens at Ada, chain 1 at Eve, so She is in chain 0, as in the key."""
    text = "#begin document (d); part 000\nd 0 0 Ada (0)\nd 0 1 Eve (1)\nd 0 2 She {}\n\n"
    gold, given = (
        read_conll2012(source_of("memory", f"{text.format(one)}#end document\n".encode()))
        for one in ("(0)", cell)
    )
    table = align(gold, {"s": given})
    assert score(table, [METRICS["conll_f1"]]).value("conll_f1", "s") == 1.0
    assert "s: 1 mention is in several chains (line 4); only the first counts" in table.notes


def test_the_chain_that_is_kept_does_not_depend_on_the_order_in_a_cell() -> None:
    rows = [(0, 0, 1, "a"), (0, 1, 2, "b"), (0, 2, 3, "b"), (0, 2, 3, "a"), (0, 2, 3, "a")]
    found = repeated(Clusters.of(rows, documents=[0]))
    assert found.kept.tolist() == [0, 1, 3]
    assert (len(found.again), len(found.elsewhere)) == (1, 1)


POLISH = (
    "Kot kot NOUN subst:sg _ (e1-x-1)", "spał spać VERB praet:sg _ _",
    "On on PRON ppron3:sg PronType=Prs (e1-x-1)", "swój swój DET adj:sg Poss=Yes (e1-x-1)",
)  # fmt: skip


def test_types_go_by_upos_where_xpos_has_tags_of_another_inventory() -> None:
    corpus = chained(*POLISH)
    assert labels(align(corpus, {"s": corpus})) == ["noun", "pronoun", "possessive"]
    nominal = align(corpus, {"s": corpus}, antecedent="nominal")
    assert nominal.is_gold.tolist() == [False, True, True]


def test_types_go_by_xpos_where_its_tags_are_known() -> None:
    """UD English has its and this as PRON; Penn tells them apart."""
    corpus = chained(
        "Ada Ada PROPN NNP _ (e1-x-1)", "its its PRON PRP$ Poss=Yes (e1-x-1)",
        "this this PRON DT _ (e1-x-1)", "she she X ??? _ (e1-x-1)",
    )  # fmt: skip
    assert labels(align(corpus, {"s": corpus})) == ["noun", "possessive", "other", "other"]


def test_every_pronoun_goes_by_its_lemma_where_there_is_one() -> None:
    corpus = chained(
        "Ada Ada PROPN NNP _ (e1-x-1)", "Him He PRON PRP _ (e1-x-1)", "her _ PRON PRP _ (e1-x-1)"
    )
    table = align(corpus, {"s": corpus}, pronouns="apart")
    assert labels(table) == ["noun", "pronoun he", "pronoun her"]


def test_columns_without_anything_in_them_are_read() -> None:
    corpus = chained("Ada _ _ _ _ (e1-x-1)")
    assert set(corpus.layers["feats"].names) == {"_"}
    assert labels(align(corpus, {"s": corpus})) == ["mention"]


def test_trees_have_the_same_scores_whatever_the_format_is_called(run: Run, tmp_path: Path) -> None:
    """FEATS differ at one of two words, and those of the system are all empty: UFeats 1/2."""
    text = (
        "# newdoc id = d\n# global.Entity = eid-etype-head\n"
        "1\tShe\tshe\tPRON\tPRP\t{}\t2\tnsubj\t_\tEntity=(e1-x-1)\n"
        "2\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\t_\n\n"
    )
    (tmp_path / "gold.conllu").write_text(text.format("Case=Nom"), encoding="utf-8")
    (tmp_path / "s.conllu").write_text(text.format("_"), encoding="utf-8")
    for files in (("gold.conllu", "s.conllu"), ("s.conllu", "gold.conllu")):
        done = run("score", *files, "-t", "dependencies", "--metric", "ufeats", "--no-intervals")
        assert "50.00" in done.stdout, done.stdout + done.stderr


def invention(*entities: str) -> Corpus:
    """Ada saw the car She, with one entity each."""
    words = ("Ada", "saw", "the", "car", "She")
    lines = (f"{one} _ NOUN NN _ {entity}" for one, entity in zip(words, entities, strict=True))
    return chained(*lines)


GOLD = invention("(e1-x-1)", "_", "_", "_", "(e1-x-1)")
SHORT = invention("(e1-x-1)", "_", "_", "(e1-x-1)", "(e1-x-1)")
LONG = invention("(e1-x-1)", "_", "(e1-x-2", "e1)", "(e1-x-1)")


def test_an_invention_with_the_same_head_is_one_unit_under_match_head() -> None:
    """Both link "car" and "the car" to Ada, which the key does not: FP in one row, no change."""
    table = align(GOLD, {"short": SHORT, "long": LONG}, match="head")
    names = {
        table.text(row): [table.outcomes.names[code] for code in table.outcome[row]]
        for row in range(len(table))
    }
    assert names["the car"] == ["FP", "FP"]
    assert names["car"] == ["USED", "ABSENT"]
    assert not changed(table, 0, 1).any()
    row = [table.text(at) for at in range(len(table))].index("the car")
    told = pair(table, row, 0)
    assert told.gold is None
    assert told.answer is not None
    assert (told.answer.tokens, told.answer.antecedent and told.answer.antecedent.text) == (
        (3,), "Ada",
    )  # fmt: skip
    exact = align(GOLD, {"short": SHORT, "long": LONG})
    assert np.count_nonzero(changed(exact, 0, 1)) == 2


mentions = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from("ab"), st.integers(0, 2)),
    max_size=6,
)


def drawn(rows: list[tuple[int, int, str, int]]) -> Corpus:
    builder = ClustersBuilder()
    for begin, length, chain, place in sorted(rows):
        nodes = tuple(word * WORD for word in range(begin + 1, min(6, begin + length + 1)))
        builder.add(0, nodes, (0, chain), head=nodes[place % len(nodes)])
    text = Corpus.of([["v", "w", "x", "y", "z"]], documents=[0])
    return replace(text, clusters=builder.clusters())


@settings(max_examples=100, deadline=None)
@given(mentions, mentions, mentions, mentions)
def test_another_system_changes_neither_outcomes_nor_changes_of_a_pair(
    key: Any, one: Any, two: Any, other: Any
) -> None:
    gold, systems = drawn(key), {"one": drawn(one), "two": drawn(two)}
    alone = align(gold, systems, match="head")
    joined = align(gold, {"other": drawn(other), **systems}, match="head")
    for kind in ("TP", "WL", "FN", "FP"):
        counts = alone.is_outcome(kind).sum(axis=0).tolist()
        assert joined.is_outcome(kind).sum(axis=0).tolist()[1:] == counts
    assert changed(alone, 0, 1).sum() == changed(joined, 1, 2).sum()


def test_reasons_of_undefined_scores_say_what_is_missing() -> None:
    """One chain of one mention: there is a mention, but no link, no pair and no antecedent."""
    single = chained("Ada _ NOUN NN _ (e1-x-1)")
    missing = {
        "conll_f1": "neither the gold standard nor the system has links between mentions",
        "muc_recall": "the gold standard has no links between mentions",
        "blanc_f1": "the gold standard has no pairs of mentions",
        "arcs_precision": "the system has no mentions with an antecedent",
    }
    found = score(align(single, {"s": single}), [METRICS[name] for name in missing])
    assert found.notes == tuple(
        f"{name} is undefined for some systems: {why}" for name, why in missing.items()
    )


def test_one_note_tells_all_scores_that_are_undefined_for_one_reason() -> None:
    single = chained("Ada _ NOUN NN _ (e1-x-1)")
    found = score(align(single, {"s": single}), [METRICS["muc_f1"], METRICS["conll_f1"]])
    assert len(found.notes) == 1
    assert found.notes[0].startswith("muc_f1, conll_f1 are undefined")
