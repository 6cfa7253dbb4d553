"""Gold and system must hold the same text; the message says where they part."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.same_text import named, require_same_text
from finegrain.corpus import Corpus
from finegrain.errors import AlignmentError, InputError
from finegrain.formats import conll, jsonl, span_lines
from finegrain.formats.source import source_of

GOLD = "New O\nYork O\n\nsleeps O\nnow O\n"  # lines 1, 2, 4, 5
MEND = "Gold and system must have the same tokens in the same sentences."


def columns(text: str, name: str) -> Corpus:
    return conll.read(source_of(name, text.encode()))


def spans(text: str, name: str) -> Corpus:
    return span_lines.read(source_of(name, text.encode()))


def parting(gold: Corpus, system: Corpus) -> str:
    with pytest.raises(AlignmentError) as caught:
        require_same_text(gold, system)
    message = str(caught.value)
    assert message.endswith(f". {MEND}")
    return message.removesuffix(f". {MEND}")


@pytest.mark.parametrize(
    ("system", "message"),
    [
        # a word differs
        (
            "New O\nYark O\n\nsleeps O\nnow O\n",
            "s:2: 'Yark' where the gold has 'York' (sentence 1, token 2; g:2)",
        ),
        (
            "# with a comment in it\nNew O\nYork O\n\nsleeps O\nNow O\n",
            "s:6: 'Now' where the gold has 'now' (sentence 2, token 2; g:5)",
        ),
        # a word is missing: the next one stands in its place
        (
            "New O\n\nsleeps O\nnow O\n",
            "s:3: 'sleeps' where the gold has 'York' (sentence 2, token 1; g:2)",
        ),
        # a word too many
        (
            "New O\nYork O\nCity O\n\nsleeps O\nnow O\n",
            "s:3: 'City' where the gold has 'sleeps' (sentence 1, token 3; g:4)",
        ),
        # one sentence is cut in two
        (
            "New O\n\nYork O\n\nsleeps O\nnow O\n",
            "s:3: sentence 1 ends before 'York'; in the gold it continues (g:2)",
        ),
        (
            "New O\nYork O\n\nsleeps O\n\nnow O\n",
            "s:6: sentence 2 ends before 'now'; in the gold it continues (g:5)",
        ),
        # two sentences are run together
        (
            "New O\nYork O\nsleeps O\nnow O\n",
            "s:3: sentence 1 continues with 'sleeps'; in the gold it ends (g:4)",
        ),
        # boundaries in other places, though there are as many sentences and tokens
        (
            "New O\n\nYork O\nsleeps O\nnow O\n",
            "s:3: sentence 1 ends before 'York'; in the gold it continues (g:2)",
        ),
        (
            "New O\nYork O\nsleeps O\n\nnow O\n",
            "s:3: sentence 1 continues with 'sleeps'; in the gold it ends (g:4)",
        ),
        # cut short, behind a sentence and inside of one
        (
            "New O\nYork O\n",
            (
                "s:2: the file ends after 1 sentence and 2 tokens; the gold has 2 and 4 "
                "(it continues at g:4)"
            ),
        ),
        (
            "New O\nYork O\n\nsleeps O\n",
            (
                "s:4: the file ends after 2 sentences and 3 tokens; the gold has 2 and 4 "
                "(it continues at g:5)"
            ),
        ),
        # too long, by a sentence and by a word
        (
            GOLD + "\nWell O\n",
            (
                "s:7: the file continues with 'Well' after the gold's last token; "
                "it has 5 tokens in 3 sentences, the gold 4 in 2"
            ),
        ),
        (
            GOLD + "well O\n",
            (
                "s:6: the file continues with 'well' after the gold's last token; "
                "it has 5 tokens in 2 sentences, the gold 4 in 2"
            ),
        ),
    ],
)
def test_every_way_to_part(system: str, message: str) -> None:
    assert parting(columns(GOLD, "g"), columns(system, "s")) == message


def test_the_first_place_is_told_when_there_are_several() -> None:
    # words differ on line 2, then sentences on line 4, and then the file ends
    system = columns("New O\nYark O\nsleeps O\n", "s")
    assert parting(columns(GOLD, "g"), system).startswith("s:2: 'Yark' where")
    # a sentence ends before its second word, which is another word too: the words come first
    system = columns("New O\n\nYark O\n", "s")
    assert parting(columns(GOLD, "g"), system).startswith("s:3: 'Yark' where")
    # the boundary on line 3 comes before the word on line 5
    system = columns("New O\n\nYork O\n\nslept O\nnow O\n", "s")
    assert parting(columns(GOLD, "g"), system).startswith("s:3: sentence 1 ends before 'York'")


@pytest.mark.parametrize(
    "system",
    [
        GOLD,
        "\n\nNew\tX\nYork\tX\n\n\n\nsleeps\tX\nnow\tX\n\n",
        "New NNP O\nYork NNP O\n\nsleeps VBZ O\nnow RB O",
    ],
)
def test_the_same_words_in_the_same_sentences_are_enough(system: str) -> None:
    require_same_text(columns(GOLD, "g"), columns(system, "s"))


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("cafe\u0301 O\n", "caf\u00e9 O\n"),  # decomposed and composed
        ("New\u00a0York O\n", "New-York O\n"),
        ("12345678a O\n", "12345678b O\n"),
    ],
)
def test_words_are_compared_to_the_last_byte(gold: str, system: str) -> None:
    parting(columns(gold, "g"), columns(system, "s"))


def test_long_words_are_shortened_in_the_message() -> None:
    one, two = columns(f"{'a' * 60} O\n", "g"), columns(f"{'b' * 60} O\n", "s")
    assert parting(one, two).startswith(f"s:1: '{'b' * 40}...' where the gold has '{'a' * 40}...'")


def test_corpora_in_memory_have_no_lines() -> None:
    gold = Corpus.of([["a"]], source="gold", tags=[["O"]])
    system = Corpus.of([["b"]], source="system", tags=[["O"]])
    message = "system: 'b' where the gold has 'a' (sentence 1, token 1; gold)"
    assert parting(gold, system) == message


def test_documents_are_no_part_of_the_text() -> None:
    require_same_text(columns("-DOCSTART- O\n\na O\n", "g"), columns("a O\n", "s"))


def test_span_files_must_have_as_many_sentences() -> None:
    one = spans("A\t1\t1\t1\n\nA\t1\t1\t1\n", "g")
    assert parting(one, spans("A\t1\t1\t1\n", "s")) == "s: 1 sentence, but the gold (g) has 2"
    require_same_text(one, spans("NONE\t1\t1\t1\n\nA\t7\t7\t7\n", "s"))


def test_a_span_file_must_fit_the_words_of_the_gold() -> None:
    gold = columns("a O\nb O\n\nc O\n", "g")
    require_same_text(gold, spans("A\t1\t2\t1, 2\n\nA\t1\t1\t1\n", "s"))
    beyond = spans("A\t1\t2\t1, 2\n\nA\t1\t2\t1, 2\n", "s")
    assert parting(gold, beyond) == "s: sentence 2 has a span beyond its last token in the gold"


def test_the_words_of_a_system_must_reach_as_far_as_the_gold_spans() -> None:
    gold = spans("A\t1\t2\t1, 2\n\nA\t1\t3\t1, 2, 3\n", "g")
    require_same_text(gold, columns("a O\nb O\nc O\n\nd O\ne O\nf O\n", "s"))
    cut = columns("a O\nb O\nc O\n\nd O\ne O\n", "s")
    message = "s:6: sentence 2 has 2 tokens, but a gold span goes to token 3 (g)"
    assert parting(gold, cut) == message


def test_two_systems_of_one_name_are_refused() -> None:
    one = Corpus.of([["a"]], source="x/run.tsv", tags=[["O"]])
    two = Corpus.of([["a"]], source="y/run.tsv", tags=[["O"]])
    with pytest.raises(InputError) as caught:
        list(named([("run", one), ("run", two)]))
    assert str(caught.value) == (
        "y/run.tsv: two systems are called 'run' (the other is x/run.tsv). "
        "Name them apart: name=path."
    )


def test_systems_come_one_at_a_time() -> None:
    corpus = Corpus.of([["a"]], tags=[["O"]])
    asked = []

    def systems() -> Iterator[tuple[str, Corpus]]:
        for name in ("one", "two"):
            asked.append(name)
            yield name, corpus

    given = named(systems())
    assert (next(given)[0], asked) == ("one", ["one"])
    assert [name for name, _ in given] == ["two"]
    assert [name for name, _ in named({"three": corpus})] == ["three"]


@pytest.mark.parametrize("task", ["spans", "tags"])
def test_every_task_refuses_another_text(task: str) -> None:
    gold, system = columns(GOLD, "g"), columns(GOLD.replace("York", "Yark"), "s")
    with pytest.raises(AlignmentError, match="'Yark' where the gold has 'York'"):
        fg.align(gold, {"fine": gold, "other": system}, task=task)


texts = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=3), min_size=1, max_size=4)


@given(texts, texts)
def test_only_equal_texts_pass(one: list[list[str]], two: list[list[str]]) -> None:
    gold, system = Corpus.of(one), Corpus.of(two)
    if one == two:
        require_same_text(gold, system)
    else:
        parting(gold, system)


@given(texts, st.data())
def test_no_truncated_text_passes(sentences: list[list[str]], data: st.DataObject) -> None:
    # cut behind any token but the last
    total = sum(map(len, sentences))
    left = data.draw(st.integers(0, total - 1))
    cut = []
    for sentence in sentences:
        if left:
            cut.append(sentence[:left])
        left = max(0, left - len(sentence))
    message = parting(Corpus.of(sentences), Corpus.of(cut))
    assert "the file ends after" in message


def test_a_system_without_any_word_is_refused() -> None:
    lines = ('{"text": "Ada", "spans": []}', '{"text": "", "spans": []}')
    gold, empty = (jsonl.read(source_of("s.jsonl", line.encode())) for line in lines)
    assert parting(gold, empty).startswith("s.jsonl: the file ends after")
