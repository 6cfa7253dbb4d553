"""METEOR with synonyms is that of nltk, which reads the same files of WordNet by itself.

Nltk looks up the stems of words that have no partner yet (``happi``), finegrain the words: so both
agree on words that are their own stems, and on all words where nltk is given no stemmer and no two
words have one stem.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import nltk.data
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.translate.meteor_score import meteor_score

import finegrain as fg
from finegrain.alignment.meteor import score
from finegrain.alignment.porter import stem
from finegrain.alignment.wordnet import PARTS, WordNet
from tests.metrics.test_generation import lines

DEBIAN = Path("/usr/share/wordnet")
LETTERS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
SYNSETS = {
    "noun": (
        ("car", "auto", "automobile", "motor_vehicle"),
        ("railway_car", "car", "carriage"),
        ("child", "kid", "youngster"),
        ("kid", "goat"),
        ("wolf", "canid"),
        ("box", "crate"),
    ),
    "verb": (("buy", "purchase"), ("run", "operate"), ("sit", "perch"), ("study", "learn")),
    "adj": (("big", "large"), ("happy", "glad"), ("fast", "quick")),
    "adv": (("fast", "quickly"), ("gladly", "happily")),
}
EXCEPTIONS = {
    "noun": "children child\nwolves wolf\n", "verb": "bought buy\nran run\nsat sit\n",
    "adj": "bigger big\nbiggest big\n", "adv": "",
}  # fmt: skip
WORDS = (
    "car cars auto autos automobile carriage child children kid kids youngster goat wolf wolves "
    "canid box boxes crate buy buys bought purchase purchased purchasing run ran running operates "
    "sit sat perch perched studies study learned big bigger largest large happy happier glad "
    "gladly happily fast faster quick quickly the a of it"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny WordNet, in which every synset begins at the byte that its number says."""
    place = tmp_path_factory.mktemp("wordnet")
    for name, synsets in SYNSETS.items():
        letter, text = LETTERS[name], "  1 no licence is needed\n"
        index: dict[str, list[int]] = {}
        for words in synsets:
            at = len(text)
            said = " ".join(f"{word} 0" for word in words)
            text += f"{at:08d} 03 {letter} {len(words):02x} {said} 000 | a meaning\n"
            for word in words:
                index.setdefault(word, []).append(at)
        (place / f"data.{name}").write_text(text)
        (place / f"index.{name}").write_text(
            "".join(
                f"{word} {letter} {len(at)} 0 {len(at)} 0 {' '.join(f'{one:08d}' for one in at)}\n"
                for word, at in sorted(index.items())
            )
        )
        (place / f"{name}.exc").write_text(EXCEPTIONS[name])
    (place / "lexnames").write_text("".join(f"{row:02d}\tname.{row}\t1\n" for row in range(5)))
    for name in ("index.sense", "cntlist.rev"):
        (place / name).write_text("")
    return place


class Reader(WordNetCorpusReader):
    """Nltk's reader of a folder, without the numbers that other versions of WordNet have."""

    def map_wn(self, version: str = "wordnet") -> None:
        """There is no other version."""


def _nltk(folder: Path) -> Iterator[Reader]:
    """Nltk opens files below the folders that it knows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [str(folder)])
        reader = Reader(str(folder), omw_reader=object())
        yield reader
        for file in reader._data_file_map.values():  # which it leaves open
            file.close()


@pytest.fixture(scope="module")
def theirs(folder: Path) -> Iterator[Reader]:
    """What nltk reads."""
    yield from _nltk(folder)


class NoStems:
    """What nltk asks for stems, without any."""

    def stem(self, word: str) -> str:
        return word


Texts = list[tuple[list[str], list[str]]]


def _texts(seed: int, size: int, words: list[str]) -> Texts:
    draw = random.Random(seed)
    return [
        ([draw.choice(words) for _ in range(draw.randint(1, 12))],
         [draw.choice(words) for _ in range(draw.randint(1, 12))])
        for _ in range(size)
    ]  # fmt: skip


def _own_stems() -> list[str]:
    return [word for word in WORDS.split() if stem(word) == word]


def _require_equal(ours: WordNet, theirs: Reader, texts: Texts) -> list[float]:
    found = [score(reference, output, ours.synonyms) for reference, output in texts]
    expected = [meteor_score([reference], output, wordnet=theirs) for reference, output in texts]
    assert found == pytest.approx(expected, abs=1e-12)
    return found


def test_meteor_with_synonyms_is_that_of_nltk(folder: Path, theirs: Reader) -> None:
    ours, texts = WordNet.read(str(folder)), _texts(1, 400, _own_stems())
    found = _require_equal(ours, theirs, texts)
    without = [score(reference, output) for reference, output in texts]
    assert sum(one > other for one, other in zip(found, without, strict=True)) > 150
    gold, mine = zip(*((" ".join(one), " ".join(two)) for one, two in texts), strict=True)
    table = fg.align(
        lines("gold", list(gold)), {"mine": lines("mine", list(mine))}, task="generation",
        wordnet=str(folder),
    )  # fmt: skip
    scores = fg.score(table, "meteor")
    assert scores.value("meteor", "mine") == pytest.approx(sum(found) / len(found))
    assert "synonym" in scores.signatures["meteor"]


def test_inflected_words_have_synonyms(folder: Path, theirs: Reader) -> None:
    ours, texts = WordNet.read(str(folder)), []
    for reference, output in _texts(3, 2000, WORDS.split()):
        alike = {stem(word): word for word in reference}
        if all(alike.get(stem(word), word) == word for word in output):
            texts.append((reference, output))
    assert len(texts) > 100
    found = [score(reference, output, ours.synonyms) for reference, output in texts]
    assert found == pytest.approx(
        [meteor_score([one], two, stemmer=NoStems(), wordnet=theirs) for one, two in texts]
    )
    # bought -> buy, which purchase is a synonym of; nltk would look up "bought" and "purchas"
    assert score(["purchase"], ["bought"], ours.synonyms) == 0.5


@pytest.mark.parametrize("word", WORDS.split())
def test_synonyms_of_a_word_are_those_of_nltk(word: str, folder: Path, theirs: Reader) -> None:
    names = {name for one in theirs.synsets(word) for name in one.lemma_names()}
    assert WordNet.read(str(folder)).synonyms(word) == {name for name in names if "_" not in name}


@pytest.mark.skipif(not DEBIAN.is_dir(), reason="needs Debian's wordnet-base")
def test_meteor_with_all_of_wordnet(tmp_path: Path) -> None:
    for kind in PARTS:
        for name in (f"index.{kind}", f"data.{kind}", f"{kind}.exc"):
            (tmp_path / name).write_bytes((DEBIAN / name).read_bytes())
    (tmp_path / "lexnames").write_text("".join(f"{row:02d}\tname.{row}\t1\n" for row in range(45)))
    for name in ("index.sense", "cntlist.rev"):
        (tmp_path / name).write_text("")
    for reader in _nltk(tmp_path):
        _require_equal(WordNet.read(str(DEBIAN)), reader, _texts(2, 200, _own_stems()))
