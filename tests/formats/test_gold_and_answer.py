"""Gold and answer side by side are never taken for one annotation, nor two layers for both."""

from __future__ import annotations

from pathlib import Path

import pytest

import finegrain as fg
from finegrain.analyses.explain.novelty import novelty
from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import conll
from finegrain.formats.source import source_of

CRF = "New B-LOC B-LOC\nYork I-LOC I-LOC\n\nsleeps O O\n"
NEURAL = "New B-LOC B-LOC\nYork I-LOC O\n\nsleeps O O\n"
GOLD = "New B-LOC\nYork I-LOC\n\nsleeps O\n"
WHICH = "hold tags of one label set, as gold and answer do. Say which columns: --columns"


def read(text: str, **options: object) -> Corpus:
    return conll.read(source_of("f", text.encode()), **options)


@pytest.mark.parametrize(
    "text",
    [
        CRF,
        CRF.replace(" ", "\t"),
        "New NNP B-LOC B-LOC\nYork NNP I-LOC O\n",  # conlleval files may have more columns
        "New B-LOC I-LOC\n",  # other schemes of the same labels
        "New B-LOC O\nYork I-LOC O\n",  # a system that finds nothing
        "New O B-LOC\nYork O I-LOC\n",  # or there is nothing to find
        "New O O\nYork O O\n",
        "time NN NN\nflies VB NN\n",  # parts of speech
        "time positive negative\nflies negative negative\n",
        "a yes no\nb yes no\nc no no\n",  # always the same answer
        # the first 400 lines do not tell, later ones do
        "a O B-PER\n" + "a O O\n" * 500 + "a B-PER O\n",
        "a O O\n" * 500 + "a B-PER I-PER\n",
    ],
)
def test_two_columns_of_one_label_set_are_gold_and_answer(text: str) -> None:
    corpus = read(text)
    assert list(corpus.layers) == ["gold", "answer"]
    last = len(text.split("\n", maxsplit=1)[0].split())
    assert f"columns {last - 1} and {last} {WHICH}" in str(corpus.undecided)


@pytest.mark.parametrize(
    "text",
    [
        "EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n",  # parts of speech, chunks and entities
        "EU NNP I-NP I-ORG\nrejects VBZ I-VP O\n",
        "EU NNP B-NP\nrejects VBZ B-VP\n",
        "EU PROPN NNP\nrejects VERB VBZ\n. PUNCT .\n",  # two tag sets
        "EU _ _ B-ORG\nrejects _ _ O\n",  # columns without annotation
        "EU -X- B-ORG\nrejects -X- O\n",
        "EU EU NNP\nrejects reject VBZ\n",  # a lemma
        "EU eu B-ORG\nno no O\n",
        "ein ADV ADV\nist VERB VAFIN\nHaus NOUN NN\nda ADV ADV\nund CCONJ KON\n",
        # B-NP and B-ORG have no label in common in 1,000 lines
        "EU B-NP O\n" * 500 + "EU B-NP B-ORG\n" * 500,
    ],
)
def test_several_layers_are_read_by_the_last_column(text: str) -> None:
    corpus = read(text)
    assert list(corpus.layers) == ["tags"]
    assert corpus.undecided is None
    assert list(corpus.layers["tags"]) == [line.split()[-1] for line in text.splitlines()]


def test_what_is_said_about_columns_counts() -> None:
    assert list(read(CRF, columns={"tags": 3}).layers) == ["tags"]
    assert list(read(CRF, columns={"gold": 2, "answer": 3}).layers) == ["gold", "answer"]
    assert read(CRF, columns={"gold": 2, "answer": 3}).undecided is None


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("New B-LOC B-LOC O\n", "2, 3 and 4"),  # the gold and two systems
        ("New B-LOC NNP B-LOC\nYork I-LOC NN O\n", "2 and 4"),
    ],
)
def test_other_arrangements_are_refused(text: str, columns: str) -> None:
    with pytest.raises(InputError, match=f"f:1: columns {columns} hold tags of one label set"):
        read(text)


def test_no_such_file_is_a_gold_standard() -> None:
    with pytest.raises(InputError, match="f:1: columns 2 and 3 hold"):
        fg.align(read(CRF), {"neural": read(NEURAL)})
    for task in ("spans", "tags"):
        with pytest.raises(InputError, match="f:1: columns 2 and 3 hold"):
            fg.align(read(CRF), {"neural": read(NEURAL)}, task=task)


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_the_answer_counts_where_the_gold_beside_it_is_the_gold(task: str) -> None:
    table = fg.align(read(GOLD), {"neural": read(NEURAL)}, task=task)
    apart = fg.align(read(GOLD), {"neural": read(NEURAL, columns={"tags": 3})}, task=task)
    assert table.outcome.tolist() == apart.outcome.tolist()
    assert (
        "neural: columns 2 and 3 hold tags of one label set, as gold and answer do: the first is "
        "the gold, so the second counts"
    ) in table.notes


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_another_gold_beside_the_answer_is_refused(task: str) -> None:
    other = read(NEURAL.replace("York I-LOC", "York O"))
    with pytest.raises(InputError, match=r"f:2: .* but the first of them is not that of f"):
        fg.align(read(GOLD), {"neural": other}, task=task)


def test_training_data_need_one_annotation() -> None:
    table = fg.align(read(GOLD), {"neural": read(NEURAL)})
    with pytest.raises(InputError, match="columns 2 and 3 hold"):
        novelty(table, read(CRF))
    tags = fg.align(read(GOLD), {"neural": read(NEURAL)}, task="tags")
    with pytest.raises(InputError, match="columns 2 and 3 hold"):
        novelty(tags, read(CRF))


def test_wnut16(shared: Path) -> None:
    folder = shared / "data" / "ner" / "wnut16"
    elmo, flair = (fg.read(str(folder / f"system-{name}.txt.gz")) for name in ("elmo", "flair"))
    with pytest.raises(InputError, match="columns 2 and 3 hold tags of one label set"):
        fg.align(elmo, {"flair": flair})
    table = fg.align(fg.read(str(folder / "test.txt.gz")), {"elmo": elmo, "flair": flair})
    scores = fg.score(table, "traditional_f1")
    found = [round(100 * scores.value("traditional_f1", name), 2) for name in table.systems]
    assert found == [45.33, 45.96]  # seqeval and conlleval.pl
