"""The outcome table of coreference: what is a unit, and what happened to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.antecedents import antecedents
from finegrain.alignment.coreference import chain_column, mentions_of
from finegrain.analyses.compare.invented import invented
from finegrain.analyses.compare.oracle import oracle
from finegrain.analyses.scores.breakdown import breakdown
from finegrain.analyses.scores.score import score
from finegrain.analyses.units.instances import pair
from finegrain.analyses.units.show import show
from finegrain.corpus import Clusters, Coded, Corpus
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.errors import InputError, UsageError
from finegrain.formats.conll2012 import read as read_conll2012
from finegrain.formats.corefud import read as read_corefud
from finegrain.formats.source import source_of
from finegrain.metrics import METRICS
from finegrain.metrics.coreference import COREFERENCE_METRICS
from finegrain.table import OutcomeTable
from finegrain.table.samples import whole
from finegrain.table.verdicts import changed, of_pair
from finegrain.tasks import guess
from finegrain.tasks.coreference import align

TEXT = [["Ada", "met", "Eve", "."], ["She", "saw", "her", "dog", "."]]
TAGS = [["NNP", "VBD", "NNP", "."], ["PRP", "VBD", "PRP$", "NN", "."]]
ADA, EVE, SHE, HER, DOG = (0, 0, 1), (0, 2, 3), (1, 0, 1), (1, 2, 3), (1, 2, 4)


def corpus(**chains: list[tuple[int, int, int]]) -> Corpus:
    rows = [(*mention, name) for name, mentions in chains.items() for mention in mentions]
    return replace(
        Corpus.of(TEXT, documents=[0, 0], xpos=TAGS), clusters=Clusters.of(rows, documents=[0, 0])
    )


def outcomes(table: OutcomeTable, system: int = 0) -> dict[str, str]:
    return {
        table.text(row): table.outcomes.names[table.outcome[row, system]]
        for row in range(len(table))
    }


GOLD = corpus(ada=[ADA, SHE, HER], eve=[EVE], dog=[DOG])


def test_every_class() -> None:
    """Key: She and her go back to Ada. Here, She goes to Eve (WL), her to She alone.

    her: its response antecedents Eve and She; She is an antecedent in the key, too: TP.
    dog: has no antecedent in the key, but one here: FP. Ada and Eve have none: ABSENT.
    """
    found = outcomes(align(GOLD, {"s": corpus(e=[EVE, SHE, HER, DOG], a=[ADA])}))
    expected = {"Ada": "ABSENT", "Eve": "ABSENT", "She": "WL", "her": "TP", "her dog": "FP"}
    assert found == expected


def test_a_mention_without_antecedent_is_missed_whether_it_is_there_or_not() -> None:
    found = outcomes(align(GOLD, {"s": corpus(a=[ADA], s=[SHE])}))
    assert found["She"] == found["her"] == "FN"


def test_the_closest_noun_decides_and_not_the_first() -> None:
    """The response chain is Ada, Eve, She; the closest noun before She is Eve, the first Ada."""
    system = corpus(a=[ADA, EVE, SHE])
    assert outcomes(align(GOLD, {"s": system}, antecedent="nominal"))["She"] == "WL"
    assert outcomes(align(GOLD, {"s": system}, antecedent="first-nominal"))["She"] == "TP"
    assert outcomes(align(GOLD, {"s": system}, antecedent="any"))["She"] == "TP"


def test_units_are_labelled_by_type() -> None:
    table = align(GOLD, {"s": GOLD})
    kinds = {table.text(row): table.labels[table.label[row]] for row in range(len(table))}
    assert kinds == {"Ada": "noun", "Eve": "noun", "She": "pronoun", "her": "possessive",
                     "her dog": "noun"}  # fmt: skip


def test_nouns_cannot_be_known_without_parts_of_speech() -> None:
    bare = replace(GOLD, layers={})
    with pytest.raises(InputError, match="needs parts of speech"):
        align(bare, {"s": bare}, antecedent="nominal")


def test_a_third_system_changes_nothing_for_a_pair() -> None:
    one, two = corpus(e=[EVE, SHE], a=[ADA, HER]), corpus(a=[ADA, SHE, HER, DOG])
    pair = align(GOLD, {"one": one, "two": two})
    three = align(GOLD, {"one": one, "odd": corpus(a=[EVE, DOG]), "two": two})
    assert of_pair(pair, 0, 1).sum() == of_pair(three, 0, 2).sum() == 3
    assert changed(pair, 0, 1).sum() == changed(three, 0, 2).sum() == 2  # She, her dog


def test_mentions_that_stand_twice_count_once_with_a_note() -> None:
    rows = [(*ADA, "a"), (*SHE, "a"), (*SHE, "a"), (*ADA, "b"), (*DOG, "b")]
    twice = replace(GOLD, clusters=Clusters.of(rows, documents=[0, 0]))
    table = align(GOLD, {"s": twice})
    assert outcomes(table)["She"] == "TP"
    assert [note for note in table.notes if "only the first counts" in note] == [
        "s: 1 mention occurs twice in its chain; only the first counts",
        "s: 1 mention is in several chains; only the first counts",
    ]


def test_mentions_that_stand_twice_are_told_by_their_lines_or_refused() -> None:
    text = (
        "#begin document (d); part 000\nd 0 0 Ada NNP (1)|(1)\nd 0 1 met VBD -\n"
        "d 0 2 Eve NNP (1)|(2)\n\n#end document\n"
    )
    twice = read_conll2012(source_of("s.conll", text.encode()))
    table = align(twice, {})
    assert table.notes == (
        "gold: 1 mention occurs twice in its chain (line 2); only the first counts",
        "gold: 1 mention is in several chains (line 4); only the first counts",
    )
    with pytest.raises(InputError) as found:
        align(twice, {}, duplicates="error")
    mend = "Remove it, or use duplicates=first."
    assert str(found.value).splitlines() == [
        f"s.conll:2: the mention is in its chain already. {mend}",
        f"s.conll:4: the mention is in another chain already. {mend}",
    ]


def test_every_pronoun_can_have_its_own_label() -> None:
    table = align(GOLD, {"s": GOLD}, pronouns="apart")
    kinds = {table.text(row): table.labels[table.label[row]] for row in range(len(table))}
    assert kinds == {"Ada": "noun", "Eve": "noun", "She": "pronoun she", "her": "possessive her",
                     "her dog": "noun"}  # fmt: skip
    assert align(GOLD, {"s": GOLD}, antecedent="nominal", pronouns="apart").n_gold == 2


def test_wrong_links_are_one_class_wherever_they_lead() -> None:
    """She goes to Eve or to her dog instead of Ada: no change, as in the paper's classes.

    her dog: its chain is led by She only in the second system, so that it is FP there (tn -> FP).
    """
    one, two = corpus(e=[EVE, SHE]), corpus(e=[EVE, SHE, DOG])
    table = align(GOLD, {"one": one, "two": two})
    assert [outcomes(table, place)["She"] for place in (0, 1)] == ["WL", "WL"]
    assert [table.text(row) for row in np.flatnonzero(changed(table, 0, 1))] == ["her dog"]
    gold = _ud("(m-p-3", "", "m)", "(x-p-1)", "(m-p-1)")
    short, long = (
        _ud(*ends, "(m-p-1)", f"({name}-p-1)")
        for *ends, name in (("", "", "(m-p-1)", "m"), ("", "(m-p-2", "m)", "m"))
    )
    table = align(gold, {"short": short, "long": long}, match="head")
    assert not changed(table, 0, 1).any()


def test_a_wrong_link_is_an_answer_and_weighs_on_precision() -> None:
    """She is WL, her TP, her dog FP: precision 1/3, recall 1/2, F1 2/5, as ARCS says."""
    table = align(GOLD, {"s": corpus(e=[EVE, SHE, HER, DOG], a=[ADA])})
    found = oracle(table)
    measured = [found.bound(one).systems[0] for one in ("precision", "recall", "f1")]
    assert measured == pytest.approx([1 / 3, 1 / 2, 2 / 5])
    metric = METRICS["arcs_f1"]
    assert metric.score(metric.statistics(table, whole(table)))[0, 0] == pytest.approx(2 / 5)


def test_antecedents_stand_beside_mentions() -> None:
    table = align(GOLD, {"s": corpus(e=[EVE, SHE, HER, DOG], a=[ADA])})
    told = {
        unit.text: (
            unit.mark.told,
            unit.answers[0].pair.answer and unit.answers[0].pair.answer.told,
        )
        for unit in show(table).units()
    }
    assert told == {
        "She": ("pronoun → Ada", "pronoun → Eve"),
        "her": ("possessive → She", "possessive → She"),
        "her dog": ("noun", "noun → her"),
    }


def test_the_first_mentions_of_chains_are_known_when_a_corpus_is_described() -> None:
    """She is one sentence from Ada, her none from She: a mean of 1/2."""
    found = fg.describe(GOLD, by=["antecedent_sentences"])
    assert found.profile[0].zeta == pytest.approx(1 / 2)


def test_singletons_can_be_removed() -> None:
    assert len(align(GOLD, {"s": GOLD}, singletons="remove")) == 3


def test_unknown_options_and_missing_chains_are_refused() -> None:
    with pytest.raises(UsageError, match="match"):
        align(GOLD, {"s": GOLD}, match="fuzzy")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no chains of mentions"):
        align(GOLD, {"s": Corpus.of(TEXT, documents=[0, 0])})
    with pytest.raises(InputError, match="needs the heads"):
        align(GOLD, {"s": GOLD}, match="head")


def _ud(*entities: str) -> Corpus:
    """the old man saw him . he left, with heads as given"""
    words = ["the", "old", "man", "saw", "him"]
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
    for number, (word, entity) in enumerate(zip(words, entities, strict=True), 1):
        cell = f"Entity={entity}" if entity else "_"
        lines.append("\t".join([str(number), word, *"_______", cell]))
    return read_corefud(source_of("memory", "\n".join([*lines, "", ""]).encode()))


def test_heads_and_parts_of_mentions_match() -> None:
    gold = _ud("(m-p-3", "", "m)", "", "(m-p-1)")
    short = _ud("", "(x-p-2", "x)", "", "(x-p-1)")
    table = {
        match: align(gold, {"s": short}, match=match) for match in ("exact", "partial", "head")
    }  # type: ignore[arg-type]
    assert outcomes(table["exact"])["him"] == "WL"
    for match in ("partial", "head"):
        assert outcomes(table[match]) == {"the old man": "ABSENT", "old man": "USED", "him": "TP"}


@pytest.mark.parametrize("match", ["partial", "head"])
def test_an_antecedent_too_many_is_one_error_whatever_the_boundaries(match: Any) -> None:
    """Key: "him" goes back to "old man", which has no antecedent. Both systems give it "the".

    One says "man" for it, and the other "old man": the same wrong link of the same mention.
    """
    gold = _ud("(x-p-1)", "(m-p-2", "m)", "", "(m-p-1)")
    short = _ud("(m-p-1)", "", "(m-p-1)", "", "(m-p-1)")
    long = _ud("(m-p-1)", "(m-p-2", "m)", "", "(m-p-1)")
    table = align(gold, {"short": short, "long": long}, match=match)
    both = {"the": "ABSENT", "old man": "FP", "him": "TP"}
    assert outcomes(table, 0) == {**both, "man": "USED"}
    assert outcomes(table, 1) == {**both, "man": "ABSENT"}
    assert not changed(table, 0, 1).any()
    assert invented(table).sizes.tolist() == [1, 0, 1]  # "man" stands for another mention
    texts = [table.text(row) for row in range(len(table))]
    row, man = texts.index("old man"), texts.index("man")
    told = pair(table, row, 0)
    assert told.gold is not None
    assert told.gold.antecedent is None
    assert told.answer is not None
    assert told.answer.antecedent is not None
    assert (told.gold.tokens, told.answer.tokens) == ((1, 2), (2,))
    assert told.answer.antecedent.text == "the"
    assert [int(mentions_of(table, system)[row]) for system in (0, 1)] == [man, row]


@st.composite
def chains(draw: st.DrawFn) -> Corpus:
    """Chains of random mentions, with gaps, zeros and heads, of two sentences of five words."""
    builder = ClustersBuilder()
    words = st.sets(st.integers(1, 5).map(lambda word: word * WORD), min_size=1, max_size=4)
    empty = st.sets(st.sampled_from([1, 2 * WORD + 1, 2 * WORD + 2]), min_size=1, max_size=2)
    rows = st.tuples(st.integers(0, 1), words | empty, st.sampled_from("abc"), st.integers(0, 9))
    for sentence, nodes, chain, place in sorted(draw(st.lists(rows, max_size=8)), key=str):
        listed = tuple(sorted(nodes))
        head = listed[place % len(listed)]
        parents = ((place % 3 * WORD, "nsubj"),) if head % WORD else ()
        builder.add(sentence, listed, (0, chain), head=head, parents=parents)
    text = Corpus.of([["one", "two", "three", "four", "five"]] * 2, documents=[0, 0])
    return replace(text, clusters=builder.clusters())


@settings(max_examples=150, deadline=None)
@given(chains(), chains(), chains(), st.data())
def test_every_link_of_a_system_is_counted_once(
    gold: Corpus, one: Corpus, two: Corpus, data: st.DataObject
) -> None:
    """TP, WL and FP are the mentions that it gives an antecedent; TP, WL and FN the gold units."""
    options: dict[str, Any] = {
        "match": data.draw(st.sampled_from(["exact", "partial", "head"])),
        "zeros": data.draw(st.sampled_from(["dependent", "linear", "remove"])),
        "singletons": data.draw(st.sampled_from(["keep", "remove"])),
    }
    table = align(gold, {"one": one, "two": two}, **options)
    every = np.ones(len(table), bool)
    for system, name in enumerate(table.systems):
        linked = antecedents(table.columns[chain_column(name)], every, "any") >= 0
        counted = table.is_outcome("TP", "WL", "FP")[:, system]
        assert np.count_nonzero(linked) == np.count_nonzero(counted)
        mentions = mentions_of(table, system)[counted]
        assert sorted(mentions.tolist()) == np.flatnonzero(linked).tolist()
        units = table.is_outcome("TP", "WL", "FN")[:, system]
        assert (units == table.is_gold).all()
    alone = align(gold, {"two": two}, **options)
    for kind in ("TP", "WL", "FN", "FP"):
        assert table.is_outcome(kind)[:, 1].sum() == alone.is_outcome(kind).sum()


def test_the_task_is_certain_only_without_tags() -> None:
    assert guess(GOLD).name == "coreference"
    assert guess(_ud("(m-p-1)", "", "", "", "")).name == "coreference"
    tagged = replace(GOLD, layers={"tags": GOLD.layers["xpos"]})
    with pytest.raises(InputError, match="--task coreference, --task tags"):
        guess(tagged)


def test_a_table_comes_back_from_its_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    gold = _ud("(m-p-3", "", "m)", "", "(m-p-1)")
    table = align(gold, {"s": _ud("", "(x-p-2", "x)", "", "(x-p-1)")}, match="head")
    table.save(str(tmp_path / "table.parquet"))
    again = OutcomeTable.load(str(tmp_path / "table.parquet"))
    assert outcomes(again) == outcomes(table)
    assert again.corpus.clusters is not None
    metric = METRICS["conll_f1"]
    assert metric.score(metric.statistics(again, whole(again))).tolist() == [[1.0]]


TWO = replace(
    GOLD,
    documents=np.array([0, 1], np.int32),
    clusters=Clusters.of(
        [(*ADA, "a"), (*EVE, "a"), (*SHE, "b"), (*HER, "b"), (*DOG, "c")], documents=[0, 1]
    ),
)
FOUND = replace(
    TWO, clusters=Clusters.of([(*ADA, "a"), (*SHE, "b"), (*HER, "b")], documents=[0, 1])
)


def test_documents_have_all_scores_and_their_own_mentions() -> None:
    """Document 1: one of two mentions, and no link of one. Document 2: the link, but not the dog.

    B-cubed recall: 1/2 of a mention of two; two mentions of three.
    """
    table = align(TWO, {"s": FOUND})
    metrics = COREFERENCE_METRICS
    found = breakdown(table, metrics, by="document")
    assert found.names == ("1", "2")
    assert found.predicted.tolist() == [[1], [2]]
    assert found.left_out == ()
    assert set(found.values) == {metric.name for metric in metrics}
    assert found.values["mention_recall"].ravel().tolist() == [1 / 2, 2 / 3]
    assert found.values["muc_recall"].ravel().tolist() == [0, 1]
    assert found.values["b_cubed_recall"].ravel().tolist() == [1 / 4, 2 / 3]
    alone = {
        name: score(table.where(table.sentence == at), [METRICS[name]]).value(name, "s")
        for at, name in ((0, "ceaf_e_f1"), (1, "conll_f1"), (1, "lea_f1"))
    }
    for name, value in alone.items():
        assert value in found.values[name].ravel().tolist()


def test_values_that_cut_documents_leave_out_their_scores_with_a_note() -> None:
    genre = Coded.of(["x"] * 4 + ["y"] * 5)
    whole_documents, cut = (
        replace(one, layers={"genre": genre}) for one in (TWO, replace(GOLD, layers={}))
    )
    kept = score(align(whole_documents, {"s": FOUND}), COREFERENCE_METRICS, by="genre")
    assert kept.parts is not None
    assert "conll_f1" in kept.parts.values
    found = score(align(cut, {"s": GOLD}), COREFERENCE_METRICS, by="genre")
    assert found.parts is not None
    assert "conll_f1" not in found.parts.values
    families = "conll, mention, muc, b_cubed, ceaf_m, ceaf_e, blanc, lea"
    note = f"by genre: {families} are left out: they need whole documents"
    assert note in found.notes
