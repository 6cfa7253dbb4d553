"""Parts of corpora: proportions, groups, folds, the same lines; what parts have in common."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.views.text_formats import as_csv, as_json, as_latex
from tests.conftest import Run
from tests.schema import require_schema

CONLLU = """# newdoc id = d1
# sent_id = 1
1\tAda\tAda\tPROPN\t_\t_\t2\tnsubj\t_\tSpaceAfter=No
2\tslept\tsleep\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = 2
1\tHi\thi\tINTJ\t_\t_\t0\troot\t_\t_

# newdoc id = d2
# sent_id = 3
1\tHo\tho\tINTJ\t_\t_\t0\troot\t_\t_

"""


def _corpus(sizes: list[int]) -> Corpus:
    """Documents of so many sentences, each sentence with a word of its own."""
    documents = [at for at, size in enumerate(sizes) for _ in range(size)]
    text = [[f"w{number}", "."] for number in range(len(documents))]
    tags = [["A" if number % 5 else "B", "O"] for number in range(len(documents))]
    return Corpus.of(text, documents=documents, tags=tags)


SIZES = st.lists(st.integers(1, 5), min_size=3, max_size=15)


@settings(max_examples=40, deadline=None)
@given(SIZES, st.integers(0, 3), st.sampled_from([None, "tags"]))
def test_every_sentence_is_in_one_part_and_documents_stay_whole(
    sizes: list[int], seed: int, stratify: str | None
) -> None:
    corpus = _corpus(sizes)
    found = fg.split(corpus, seed=seed, stratify=stratify)
    every = np.concatenate([part.sentences for part in found.parts])
    assert sorted(every.tolist()) == list(range(corpus.n_sentences))
    owners = [set(corpus.documents[part.sentences].tolist()) for part in found.parts]
    assert sum(map(len, owners)) == corpus.n_documents
    for part in found.parts:
        words = [corpus.sentence(at) for at in part.sentences.tolist()]
        assert [part.corpus.sentence(at) for at in range(part.corpus.n_sentences)] == words


@settings(max_examples=30, deadline=None)
@given(SIZES, st.randoms())
def test_the_order_of_documents_decides_nothing(sizes: list[int], random: object) -> None:
    corpus = _corpus(sizes)
    order = list(range(corpus.n_documents))
    random.shuffle(order)  # type: ignore[attr-defined]
    one, two = (fg.split(given) for given in (corpus, corpus.with_documents(order)))
    for name in ("train", "dev", "test"):
        texts = [
            {" ".join(part.sentence(at)) for at in range(part.n_sentences)}
            for part in (one[name], two[name])
        ]
        assert texts[0] == texts[1]


def test_random_parts_have_their_shares_and_depend_on_the_seed() -> None:
    corpus = Corpus.of([[f"w{at}"] for at in range(200)], tags=[["X"]] * 200)
    parts = [fg.split(corpus, {"train": 0.7, "test": 0.3}, seed=seed) for seed in (1, 2, 1)]
    assert [part.corpus.n_sentences for part in parts[0].parts] == [140, 60]
    sentences = [found.parts[1].sentences.tolist() for found in parts]
    assert sentences[0] == sentences[2] != sentences[1]


def test_every_sentence_comes_into_the_test_part_equally_often() -> None:
    corpus = Corpus.of([[f"w{at}"] for at in range(10)], tags=[["X"]] * 10)
    counts = Counter[int]()
    for seed in range(400):
        found = fg.split(corpus, {"train": 0.8, "test": 0.2}, seed=seed)
        counts.update(found.parts[1].sentences.tolist())
    assert all(50 <= counts[at] <= 110 for at in range(10))  # 80 each, sd 8


def test_stratified_parts_have_rare_labels_in_proportion() -> None:
    """10 of 100 sentences have the rare label: 8, 1 and 1 of them go to the parts."""
    tags = [["RARE" if at < 10 else "COMMON"] for at in range(100)]
    corpus = Corpus.of([[f"w{at}"] for at in range(100)], tags=tags)
    for seed in range(5):
        found = fg.split(corpus, stratify="labels", seed=seed)
        assert [part.counts["RARE"] for part in found.parts] == [8, 1, 1]
        assert [part.corpus.n_sentences for part in found.parts] == [80, 10, 10]


def test_folds_hold_every_sentence_once() -> None:
    corpus = _corpus([2] * 10)
    found = fg.split(corpus, folds=5)
    assert [part.corpus.n_sentences for part in found.parts] == [4] * 5
    for part in found.parts:
        both = np.concatenate([part.sentences, found.others(part.name)])
        assert sorted(both.tolist()) == list(range(20))


def test_what_stays_together() -> None:
    text = [["a"], ["b"], ["a"], ["c"], ["a"], ["b"]]
    author = [["x"], ["x"], ["y"], ["y"], ["z"], ["z"]]
    corpus = Corpus.of(text, author=author, tags=[["T"]] * 6)
    half = {"train": 0.5, "test": 0.5}
    for by, key in (("text", text), ("author", author)):
        for seed in range(4):
            found = fg.split(corpus, half, by=by, seed=seed)
            sides = [{key[at][0] for at in part.sentences.tolist()} for part in found.parts]
            assert not sides[0] & sides[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fractions": {"train": 0.8, "test": 0.1}}, "sum up to 0.9"),
        ({"fractions": {"train": 1.0}}, "two parts or more"),
        ({"folds": 1}, "two or more"),
        ({"by": "auhtor"}, "Did you mean 'author'"),
        ({"stratify": "tag"}, "Did you mean 'tags'"),
        ({"by": "document"}, "no documents"),
        ({"folds": 9}, "cannot be dealt out to 9 parts"),
        ({"by": "author"}, "author is 'y' here and 'x' before"),
    ],
)
def test_what_cannot_be_is_told(options: dict[str, object], message: str) -> None:
    corpus = Corpus.of(
        [["a", "b"], ["c", "d"]], author=[["x", "y"], ["x", "x"]], tags=[["T"] * 2] * 2
    )
    with pytest.raises(fg.FinegrainError, match=message):
        fg.split(corpus, options.pop("fractions", None), **options)  # type: ignore[arg-type]


def test_overlap_by_hand() -> None:
    """Of the test part: one of two sentences; one document by its words, the other by its id."""
    train = Corpus.of([["Ada", "slept"], ["Go"]], documents=[0, 1], tags=[["B-PER", "O"], ["O"]])
    test = Corpus.of([["Go"], ["Ben", "slept"]], documents=[0, 1], tags=[["O"], ["B-PER", "O"]])
    pair = fg.overlap({"train": train, "test": test}).pair("test", "train")
    assert (pair.sentences, pair.documents, pair.surfaces, pair.words) == (
        (1, 2),
        (1, 2),
        (0, 1),
        (2, 3),
    )
    named = [
        replace(one, document_ids=ids) for one, ids in ((train, ("a", "b")), (test, ("c", "a")))
    ]
    assert fg.overlap({"train": named[0], "test": named[1]}).pair("test", "train").documents == (
        2,
        2,
    )


ROWS = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "A", "b"]), min_size=1, max_size=3), st.integers(0, 2)
    ),
    max_size=5,
)


@settings(max_examples=80, deadline=None)
@given(ROWS, ROWS)
def test_overlaps_are_what_a_plain_program_finds(
    one: list[tuple[list[str], int]], other: list[tuple[list[str], int]]
) -> None:
    """Sentences and documents as sequences of words, first words as names; all in Python."""

    def corpus(rows: list[tuple[list[str], int]]) -> Corpus:
        tags = [["B-X", *["O"] * (len(words) - 1)] for words, _ in rows]
        documents = sorted(document for _, document in rows)
        return Corpus.of([words for words, _ in rows], documents=documents, tags=tags)

    def seen(wanted: list[Any], known: list[Any]) -> tuple[int, int]:
        return sum(each in known for each in wanted), len(wanted)

    def documents(rows: list[tuple[list[str], int]]) -> list[list[list[str]]]:
        numbers = sorted(document for _, document in rows)
        size = max(numbers, default=-1) + 1
        return [
            [words for (words, _), number in zip(rows, numbers, strict=True) if number == at]
            for at in range(size)
        ]

    pair = fg.overlap({"one": corpus(one), "other": corpus(other)}).pair("one", "other")
    texts, known = [words for words, _ in one], [words for words, _ in other]
    assert pair.sentences == seen(texts, known)
    if one and other:
        assert pair.surfaces == seen([text[0] for text in texts], [text[0] for text in known])
    assert pair.words == seen(list(chain(*texts)), list(chain(*known)))
    own, theirs = documents(one), documents(other)
    assert pair.documents == (sum(bool(text) and text in theirs for text in own), len(own))


@settings(max_examples=20, deadline=None)
@given(SIZES)
def test_parts_by_text_share_no_sentence(sizes: list[int]) -> None:
    corpus = _corpus(sizes)
    found = fg.split(corpus, {"a": 0.5, "b": 0.5}, by="text")
    pair = fg.overlap({"a": found["a"], "b": found["b"]}).pair("a", "b")
    assert pair.sentences[0] == 0


def test_json_keeps_to_its_schema() -> None:
    corpus = _corpus([2] * 10)
    found = fg.split(corpus)
    both = [(found, "split"), (fg.split(corpus, folds=3), "split")]
    both.append((fg.overlap({name: found[name] for name in found.systems}), "overlap"))
    for result, name in both:
        document = json.loads(as_json(result, command="finegrain split"))
        require_schema(document, name)
        assert as_latex(result)
        assert as_csv(result)


# on the command line


def test_lines_are_copied_as_they_are(run: Run, tmp_path: Path) -> None:
    """Heads, comments and MISC are kept, and the line that begins a document goes with it."""
    (tmp_path / "gold.conllu").write_text(CONLLU)
    done = run("split", "gold.conllu", "-o", "parts", "--fractions", "train=0.5,test=0.5")
    assert done.returncode == 0, done.stderr
    parts = [(tmp_path / "parts" / f"{name}.conllu").read_text() for name in ("train", "test")]
    assert sorted(parts, key=len)[0] == CONLLU[CONLLU.index("# newdoc id = d2") :]
    assert sorted(parts, key=len)[1] == CONLLU[: CONLLU.index("# newdoc id = d2")]
    again = run("split", "gold.conllu", "-o", "parts", "--fractions", "train=0.5,test=0.5")
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_a_document_that_is_cut_begins_anew_in_every_part(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(CONLLU)
    done = run("split", "gold.conllu", "-o", "parts", "--folds", "3", "--by", "sentence")
    assert done.returncode == 0, done.stderr
    for number in (1, 2, 3):
        text = (tmp_path / "parts" / f"fold{number}" / "test.conllu").read_text()
        assert text.startswith("# newdoc id = d")


def test_all_columns_and_the_header_are_kept(run: Run, tmp_path: Path) -> None:
    text = "Token\tPOS\tNER\n" + "".join(f"w{at}\tN{at}\tO\n\n" for at in range(10))
    (tmp_path / "gold.conll").write_text(text)
    done = run("split", "gold.conll", "-o", "parts", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["parts"]["train"]["sentences"] == 8
    for name in ("train", "dev", "test"):
        part = (tmp_path / "parts" / f"{name}.conll").read_text()
        assert part.startswith("Token\tPOS\tNER\n")
        assert all(line in text for line in part.splitlines())


@pytest.mark.parametrize("suffix", ["jsonl", "spans"])
def test_other_formats(run: Run, tmp_path: Path, suffix: str) -> None:
    gold = fg.simulate(tokens=1_000, seed=1).gold
    options = {"annotation": "spans"} if suffix == "jsonl" else {}
    fg.write(gold, str(tmp_path / f"gold.{suffix}"), layer="tags", **options)  # type: ignore[arg-type]
    done = run("split", f"gold.{suffix}", "-o", "parts", "--by", "sentence")
    assert done.returncode == 0, done.stderr
    parts = [
        fg.read(str(tmp_path / "parts" / f"{name}.{suffix}")) for name in ("train", "dev", "test")
    ]
    whole = fg.read(str(tmp_path / f"gold.{suffix}"))
    assert sum(part.n_sentences for part in parts) == whole.n_sentences
    assert sum(len(part.spans) for part in parts if part.spans) == len(whole.spans or ())


def test_a_brat_folder(run: Run, tmp_path: Path) -> None:
    gold = fg.simulate(tokens=5_000, seed=1).gold
    fg.write(gold, str(tmp_path / "gold"), format="brat", layer="tags")
    done = run("split", "gold", "-o", "parts")
    assert done.returncode == 0, done.stderr
    assert fg.read(str(tmp_path / "parts" / "dev")).n_documents >= 1


def test_check_finds_what_parts_share(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text("Ada\tB-PER\nslept\tO\n\nGo\tO\n")
    (tmp_path / "b.conll").write_text("Go\tO\n")
    done = run("split", "--check", "a.conll", "b.conll", "--format", "json")
    pairs = json.loads(done.stdout)["result"]["pairs"]
    assert [pair["sentences"]["shared"] for pair in pairs] == [1, 1]
    assert run("split", "--check", "a.conll").returncode == 2
    assert run("split", "--check", "a.conll", "b.conll", "-o", "x").returncode == 2
    assert run("split", "a.conll").returncode == 2
    assert run("split", "a.conll", "-o", "x", "--fractions", "train=x").returncode == 2


@pytest.mark.parametrize("seed", range(8))
def test_few_groups_come_near_to_the_shares(seed: int) -> None:
    """Ten authors of 38 to 47 sentences: one each for dev and test, eight for train."""
    sizes = [38, 40, 41, 42, 43, 43, 44, 45, 46, 47]
    authors = [f"author{place}" for place, size in enumerate(sizes) for _ in range(size)]
    text = [[f"w{place}"] for place in range(len(authors))]
    corpus = Corpus.of(text, tags=[["N"]] * len(text), author=[[one] for one in authors])
    found = fg.split(corpus, by="author", seed=seed)
    shares = [part.corpus.n_sentences / len(text) for part in found.parts]
    assert shares == pytest.approx([0.8, 0.1, 0.1], abs=0.02)
