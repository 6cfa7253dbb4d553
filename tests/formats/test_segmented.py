"""Segmented text is characters with words as spans, and its scores are those of segmentation."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain import cli
from finegrain.analyses.explain.novelty import novelty
from finegrain.corpus import Corpus
from finegrain.errors import AlignmentError, InputError, UsageError
from finegrain.formats import conll, recognise, segmented
from finegrain.formats.source import source_of

METRICS = ("traditional_precision", "traditional_recall", "traditional_f1")


def read(text: str, name: str = "f") -> Corpus:
    return segmented.read(source_of(name, text.encode()))


def scores(gold: Corpus, system: Corpus) -> list[float]:
    found = fg.score(fg.align(gold, {"s": system}), METRICS)
    return [found.value(name, "s") for name in METRICS]


def test_scores_by_hand() -> None:
    # gold has the words 01 2 34 | 0 1 2, the system 0 1 2 34 | 0 12:
    # 2, 34 and 0 are right: 3 of 6 words found, 3 of 6 gold words
    gold, system = read("我们 爱 北京\n他 来 了\n"), read("我 们 爱 北京\n他 来了\n")
    assert scores(gold, system) == [0.5, 0.5, 0.5]
    # training has 北京, 他, 来 and 爱 as words, and 我们 not: of the four known words 爱, 北京 and
    # 他 are right; of the unknown 我们 and 了 none is
    train = read("他 爱 北京 我 们\n他 来\n")
    found = novelty(fg.align(gold, {"s": system}), train).to_json()["s"]["recall"]
    assert (found["seen"]["units"], found["seen"]["recall"]) == (4, 0.75)
    assert (found["unseen"]["units"], found["unseen"]["recall"]) == (2, 0.0)


def test_perfect_segmentation_is_perfect() -> None:
    gold = read("我们 爱 北京\n他 来 了\n")
    assert scores(gold, gold) == [1.0, 1.0, 1.0]


sentence = st.lists(
    st.tuples(st.sampled_from("我们爱北京a1"), st.booleans(), st.booleans()), min_size=1, max_size=9
)


def words_of(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def places(words: list[str]) -> list[tuple[int, int]]:
    """Where words begin and end in the text without blanks."""
    found, at = [], 0
    for word in words:
        found.append((at, at + len(word)))
        at += len(word)
    return found


@settings(deadline=None, max_examples=100)
@given(st.lists(sentence, min_size=1, max_size=4), st.lists(st.text("我们爱北京a1", min_size=1)))
def test_scores_and_oov_recall_equal_plain_counting(text: list, lexicon: list[str]) -> None:
    one, two = (
        "".join("".join(char + " " * row[side] for char, *row in line) + "\n" for line in text)
        for side in (0, 1)
    )
    gold, system = words_of(one), words_of(two)
    hits = words = found = 0
    by_class = {"seen": [0, 0], "unseen": [0, 0]}
    for line, answer in zip(gold, system, strict=True):
        right = set(places(line)) & set(places(answer))
        hits, words, found = hits + len(right), words + len(line), found + len(answer)
        for word, place in zip(line, places(line), strict=True):
            cell = by_class["seen" if word in lexicon else "unseen"]
            cell[0] += 1
            cell[1] += place in right
    assert scores(read(one), read(two)) == pytest.approx(
        [hits / found, hits / words, 2 * hits / (found + words)]
    )
    if lexicon:
        table = fg.align(read(one), {"s": read(two)})
        result = novelty(table, read("\n".join(lexicon)), fold_case=False).to_json()["s"]["recall"]
        for name, (units, correct) in by_class.items():
            assert (result[name]["units"], result[name]["correct"]) == (units, correct)


def test_the_same_words_as_tags_of_characters() -> None:
    text = "我们 爱 北京人\n他 来 了\n"
    tags = "我 B\n们 E\n爱 S\n北 B\n京 M\n人 E\n\n他 S\n来 S\n了 S\n"
    other = "我 们 爱 北京人\n他 来了\n"
    tagged = conll.read(source_of("t", tags.encode()))
    assert scores(read(text), tagged) == [1.0, 1.0, 1.0]
    assert scores(tagged, read(other)) == scores(read(text), read(other))


@pytest.mark.parametrize(
    "text",
    [
        "我们  爱  北京\n他  来\n",
        " 我们 爱\t北京 \n\n \n他 来",  # blanks at the ends, blank lines, no last newline
        "\ufeff我们\u3000爱\u3000\u3000北京\r\n他 来\r\n",  # wide blanks
    ],
)
def test_the_same_words_in_many_disguises(text: str) -> None:
    corpus = read(text)
    assert [corpus.sentence(0), corpus.sentence(1)] == [list("我们爱北京"), list("他来")]
    assert segmented.write(corpus) == "我们 爱 北京\n他 来\n"


def test_characters_of_all_lengths_keep_their_lines() -> None:
    corpus = read("aé 字\n\n\U00020000b\n")
    assert [corpus.sentence(0), corpus.sentence(1)] == [["a", "é", "字"], ["\U00020000", "b"]]
    assert [corpus.line(token) for token in range(5)] == [1, 1, 1, 3, 3]


@pytest.mark.parametrize(
    ("system", "where"),
    [
        ("我们 爱 南京\n他 来\n", "s:1: '南' where the gold has '北'"),
        ("我们 爱 北京\n他\n", "s:2: the file ends after 2 sentences and 6 tokens"),
        ("我们 爱 北京 他 来\n", "s:1: sentence 1 continues with '他'"),
    ],
)
def test_other_characters_are_refused_with_the_line(system: str, where: str) -> None:
    with pytest.raises(AlignmentError) as caught:
        fg.align(read("我们 爱 北京\n他 来\n"), {"s": read(system, "s")})
    assert str(caught.value).startswith(where)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我们 爱 北京\n他 来\n", "segmented"),
        ("我 爱 北京 天安门\n他 来\n你 好 吗\n", "segmented"),
        ("北 B\n京 E\n\n我 S\n", "conll"),
        ("北京 NR B-LOC\n我 PN\n爱 VV O\n", "conll"),  # one column is missing, and will be told
        ("New York sleeps\nYes\n", "conll"),  # to be named where words have blanks anyway
        ("我 爱 你\n你 爱 我\n他 来 了 吗\n", "segmented"),  # no tags stand last
        ("我 B O\n你 S O\n他 S\n", "conll"),
        ("我们 爱 北京\n", "conll"),  # one line could be three columns
    ],
)
def test_recognition_is_certain(text: str, name: str) -> None:
    assert recognise(source_of("f", text.encode())).name == name


def test_only_blanks_are_no_text() -> None:
    with pytest.raises(InputError, match="f: the file is empty"):
        read("\u3000\n.\n".replace(".", "\u3000"))


def test_what_is_not_all_words_cannot_be_written() -> None:
    corpus = Corpus.of([["a", "b"]], tags=[["B", "O"]])
    with pytest.raises(UsageError, match="token 2 is in no word"):
        fg.write(corpus, "-", format="segmented")


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold.seg").write_text("我们 爱 IBM\n他 来 了 吗\n", encoding="utf-8")
    Path("crf.seg").write_text("我 们 爱 IBM\n他 来了 吗\n", encoding="utf-8")
    Path("train.seg").write_text("他 爱 ibm\n来\n", encoding="utf-8")

    def run(*arguments: str) -> Any:
        monkeypatch.setattr(sys, "argv", ["finegrain", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        assert not ended.value.code
        return capsys.readouterr()

    score = ("score", "gold.seg", "crf.seg", "--train", "train.seg", "--format", "json")
    folded, exact = (run(*score, *more) for more in ((), ("--case-sensitive",)))
    assert "format segmented; task spans (recognised)" in folded.err
    # IBM is a word of training only if case does not count; of the known words 来 is not found
    recall = [json.loads(one.out)["result"]["crf"]["novelty"]["recall"] for one in (folded, exact)]
    assert [one["seen"]["units"] for one in recall] == [4, 3]
    assert [one["unseen"]["correct"] for one in recall] == [1, 2]
    assert "case:kept" in json.loads(exact.out)["signature"]
    run("convert", "gold.seg", "gold.conll", "--scheme", "bmes")
    assert (
        Path("gold.conll").read_text(encoding="utf-8").startswith("我\tB-span\n们\tE-span\n爱\tS")
    )
    run("convert", "gold.conll", "again.seg")
    assert Path("again.seg").read_text(encoding="utf-8") == Path("gold.seg").read_text(
        encoding="utf-8"
    )
