"""ROUGE, METEOR and error rates: against rouge-score, nltk and jiwer, on texts and on TED talks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jiwer
import pytest
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score
from rouge_score.rouge_scorer import RougeScorer

import finegrain as fg
from finegrain.alignment import porter
from finegrain.alignment.kept_words import counts, names, numbers
from finegrain.alignment.meteor import score
from finegrain.alignment.segment_measures import per_segment
from finegrain.alignment.segment_texts import SegmentTexts
from finegrain.alignment.segment_words import split
from finegrain.alignment.word_edits import common_length, distance, edits
from finegrain.alignment.wordnet import WordNet
from finegrain.errors import InputError, UsageError
from finegrain.formats import read
from finegrain.table import OutcomeTable
from tests.metrics.test_generation import lines

VOCABULARY = [
    *("the", "cat", "cats", "sat", "sitting", "on", "a", "mat", "mats", "relational", "relation"),
    *("hopping", "hopped", "happily", "happy", "dies", "died", "tried", "skies", "flies"),
    *("analysing", "generously", "national", "rationalize", "conditional", "agreed", "plastered"),
]


class NoSynonyms:
    """What nltk asks for synonyms, without any."""

    def synsets(self, word: str) -> list[Any]:
        return []


def _pairs(seed: int, size: int = 60) -> list[tuple[str, str]]:
    draw = random.Random(seed)
    found = []
    for _ in range(size):
        words = [draw.choice(VOCABULARY) for _ in range(draw.randint(1, 14))]
        other = [draw.choice(VOCABULARY) if draw.random() < 0.3 else word for word in words]
        if draw.random() < 0.5:
            draw.shuffle(other)
        found.append((" ".join(words), " ".join(other[: draw.randint(0, 14)])))
    return found


def _table(pairs: list[tuple[str, str]], **options: Any) -> OutcomeTable:
    gold, mine = zip(*pairs, strict=True)
    systems = {"mine": lines("mine", list(mine))}
    return fg.align(lines("gold", list(gold)), systems, task="generation", **options)


@pytest.mark.parametrize("stem", ["no", "porter"])
def test_rouge_is_that_of_rouge_score(stem: str) -> None:
    pairs = _pairs(1)
    kinds = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
    scorer = RougeScorer(kinds, use_stemmer=stem == "porter")
    every = [scorer.score(reference, output) for reference, output in pairs]
    found = fg.score(_table(pairs, stem=stem), kinds)
    for kind in kinds:
        expected = sum(one[kind].fmeasure for one in every) / len(every)
        assert found.value(kind, "mine") == pytest.approx(expected)


def test_rouge_of_several_lines_and_references() -> None:
    from finegrain.formats import items
    from finegrain.formats.source import source_of

    first, second = "the cat sat\non a mat\nit was so", "a cat was sitting\nthere"
    output = "a cat sat there\nit sat on mats"
    gold = {"id": "x", "references": [first, second]}
    table = fg.align(
        items.read(source_of("gold", json.dumps(gold).encode())),
        {"mine": items.read(source_of("m", json.dumps({"id": "x", "output": output}).encode()))},
        task="generation",
    )
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    expected = scorer.score_multi([first, second], output)
    found = fg.score(table, list(expected))
    for kind, one in expected.items():
        assert found.value(kind, "mine") == pytest.approx(one.fmeasure)


@pytest.mark.parametrize("text", ["мама мыла раму", "我们爱北京", "ภาษาไทย", "हिन्दी में है"])
def test_the_same_text_in_any_script_is_perfect(text: str) -> None:
    """Rouge-score's own words are ASCII: it gives 0 here."""
    assert RougeScorer(["rouge1"]).score(text, text)["rouge1"].fmeasure == 0
    with pytest.raises(UsageError, match="words=ascii: nothing is left"):
        fg.score(_table([(text, text)], words="ascii"), "rouge1")
    found = fg.score(_table([(text, text)]), ["rouge1", "rouge2", "rougeL"])
    assert [found.value(kind, "mine") for kind in ("rouge1", "rouge2", "rougeL")] == [1, 1, 1]


def test_meteor_is_that_of_nltk_without_synonyms() -> None:
    pairs = [(reference, output) for reference, output in _pairs(2, 300) if output]
    for reference, output in pairs:
        expected = meteor_score([reference.split()], output.split(), wordnet=NoSynonyms())
        assert score(reference.split(), output.split()) == pytest.approx(expected)
    table = _table(pairs)
    expected = sum(
        meteor_score([one.split()], two.split(), wordnet=NoSynonyms()) for one, two in pairs
    )
    found = fg.score(table, "meteor")
    assert found.value("meteor", "mine") == pytest.approx(expected / len(pairs))
    assert found.signatures["meteor"].startswith("match:exact+stem|")


def test_meteor_by_hand() -> None:
    # 6 matches in 3 chunks (on the mat | sat | the cat): P = R = 1, 1 - 0.5 (3/6)^3 = 0.9375;
    # matched from the end, the second "the" of the output goes to the last one of the reference
    words = ["the", "cat", "sat", "on", "the", "mat"]
    assert score(words, ["on", "the", "mat", "sat", "the", "cat"]) <= 0.9375
    assert score(words, words) == pytest.approx(1 - 0.5 / 6**3)
    assert score(words, ["dog"]) == 0.0


def _wordnet(folder: Path) -> str:
    """Two synsets of nouns and one of verbs, as WordNet writes them."""
    licence = "  1 This software and database is being provided to you, the LICENSEE\n"
    (folder / "index.noun").write_text(
        f"{licence}car n 1 1 @ 1 1 00001740  \nautomobile n 1 1 @ 1 0 00001740  \n"
        "motor_vehicle n 1 0 1 0 00001740  \nmouse n 1 0 1 0 00002000  \n"
    )
    (folder / "data.noun").write_text(
        f"{licence}00001740 06 n 03 car 0 automobile 0 motor_vehicle 0 001 @ 00002000 n 0000 | it\n"
        "00002000 05 n 01 mouse 0 000 | small\n"
    )
    (folder / "index.verb").write_text("run v 1 0 1 0 00000300  \nhurry v 1 0 1 0 00000300  \n")
    (folder / "data.verb").write_text("00000300 38 v 02 run 0 hurry(p) 0 000 00 | fast\n")
    (folder / "noun.exc").write_text("mice mouse\n")
    return str(folder)


def test_synonyms_come_from_the_files_of_wordnet(tmp_path: Path) -> None:
    known = WordNet.read(_wordnet(tmp_path))
    assert known.synonyms("cars") == {"car", "automobile"}
    assert known.synonyms("mice") == {"mouse"}
    assert known.synonyms("running") == frozenset()  # not by the rules: it needs verb.exc
    assert known.synonyms("hurries") == {"run", "hurry"}
    table = _table([("an automobile", "an auto"), ("two car", "two automobile")])
    with_synonyms = _table(
        [("an automobile", "an auto"), ("two car", "two automobile")], wordnet=str(tmp_path)
    )
    before, after = (fg.score(one, "meteor") for one in (table, with_synonyms))
    assert per_segment(table, "meteor")[:, 0, 0].tolist() != [0, 0]
    assert after.value("meteor", "mine") > before.value("meteor", "mine")
    assert "exact+stem+synonym" in after.signatures["meteor"]
    assert f"wordnet:{tmp_path}" in after.signature


def test_folders_without_wordnet(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are no files of WordNet"):
        _table([("a", "a")], wordnet=str(tmp_path))
    with pytest.raises(UsageError, match="is not a folder"):
        _table([("a", "a")], wordnet=str(tmp_path / "none"))
    _wordnet(tmp_path)
    (tmp_path / "data.noun").write_text("00001740 06 n zz car 0\n")
    with pytest.raises(InputError, match=r"data.noun:1: no line of data of WordNet"):
        WordNet.read(str(tmp_path) + "/")


def test_stems_are_those_of_nltk() -> None:
    draw, stemmer = random.Random(4), PorterStemmer()
    endings = [suffix for suffix, _ in porter._SECOND + porter._THIRD] + list(porter._FOURTH)
    endings += ["ies", "ied", "eed", "ed", "ing", "logi", "y", "e", "ll", "alli", "s", ""]
    for _ in range(4000):
        word = "".join(draw.choice("abdelostyiw") for _ in range(draw.randint(0, 5)))
        word += draw.choice(endings) + draw.choice(["", "", draw.choice(endings)])
        assert porter.stem(word) == stemmer.stem(word), word


@pytest.mark.parametrize("seed", range(3))
def test_error_rates_are_those_of_jiwer(seed: int) -> None:
    pairs = _pairs(seed, 40)
    references, outputs = (list(side) for side in zip(*pairs, strict=True))
    found = fg.score(_table(pairs), ["wer", "cer"])
    assert found.value("wer", "mine") == pytest.approx(jiwer.wer(references, outputs))
    assert found.value("cer", "mine") == pytest.approx(jiwer.cer(references, outputs))
    measured = per_segment(_table(pairs), "wer")[:, 0].sum(axis=0)
    theirs = jiwer.process_words(references, outputs)
    every = theirs.substitutions + theirs.deletions + theirs.insertions
    assert measured[:3].sum() == every
    assert measured[1] - measured[2] == theirs.deletions - theirs.insertions


def test_error_rates_without_case_and_punctuation() -> None:
    pairs = [("So it is.", "so it's"), ("No!", "no")]
    assert fg.score(_table(pairs), "wer").value("wer", "mine") == 1.0
    # so it is / so it s; no / no: 1 of 4 words
    table = _table(pairs, normalise="yes")
    assert fg.score(table, "wer").value("wer", "mine") == 0.25


def test_edits_against_a_table_of_distances() -> None:
    draw = random.Random(9)
    for _ in range(400):
        one = [draw.randrange(4) for _ in range(draw.randint(0, 9))]
        two = [draw.randrange(4) for _ in range(draw.randint(0, 9))]
        least, common = _by_table(one, two)
        assert (distance(one, two), common_length(one, two)) == (least, common)
        steps = edits(one, two)
        assert sum(step.kind != "same" for step in steps) == least
        assert [step.reference for step in steps if step.kind != "inserted"] == [*range(len(one))]
        assert [step.output for step in steps if step.kind != "deleted"] == [*range(len(two))]
        same = [(one[step.reference], two[step.output]) for step in steps if step.kind == "same"]
        assert all(mine == theirs for mine, theirs in same)


def _by_table(one: list[int], two: list[int]) -> tuple[int, int]:
    least = [[row + column for column in range(len(two) + 1)] for row in range(len(one) + 1)]
    common = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for row in range(1, len(one) + 1):
        for column in range(1, len(two) + 1):
            same = one[row - 1] == two[column - 1]
            least[row][column] = min(
                least[row - 1][column] + 1, least[row][column - 1] + 1,
                least[row - 1][column - 1] + (not same),
            )  # fmt: skip
            common[row][column] = (
                common[row - 1][column - 1] + 1
                if same
                else max(common[row - 1][column], common[row][column - 1])
            )
    return least[-1][-1], common[-1][-1]


def test_numbers_and_names_that_are_lost() -> None:
    assert numbers("3.5 to 1 234,50 or -7") == ["35", "1", "23450", "7"]
    told = names("The UN met. Ada O'Neil and I saw Québec-Ville: It rained, I'll say")
    assert told == ["UN", "O'Neil", "Québec-Ville"]
    texts = SegmentTexts(
        (("It has 12 cats", "bonn is old"),),
        (("Ada has 12 cats and 3 dogs", "Ada has 12 cats"), ("Now Bonn is old",)),
        None,
    )
    assert counts(texts, {})[:, 0].tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]


@pytest.fixture(scope="module")
def ted(shared: Path) -> tuple[dict[str, Any], Path]:
    folder = shared / "data" / "generation" / "ted-slk-eng"
    golden = json.loads((folder / "reference.json").read_text())
    return golden["detokenised (ted.*.detok.eng)"]["systems"], folder


@pytest.mark.parametrize("stem", ["no", "porter"])
def test_rouge_of_ted(ted: tuple[dict[str, Any], Path], stem: str) -> None:
    """With the words of rouge-score; with those of Unicode letters like é make a difference."""
    golden, folder = ted
    gold = read(str(folder / "ted.ref.detok.eng"), format="lines")
    mine = read(str(folder / "ted.sys2.detok.eng"), format="lines")
    table = fg.align(gold, {"nmt": mine}, task="generation", stem=stem, words="ascii")
    key = "rouge (no stemmer), mean over segments"
    key = key if stem == "no" else "rouge (Porter stemmer), mean over segments"
    found = fg.score(table, ["rouge1", "rouge2", "rougeL"])
    for kind in ("rouge1", "rouge2", "rougeL"):
        expected = golden["sys2-nmt"][key][kind]["f"]
        assert found.value(kind, "nmt") == pytest.approx(expected, abs=1e-12)
    assert split("é") == ("é",)
