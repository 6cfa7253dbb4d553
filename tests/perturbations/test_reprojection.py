"""Annotation of perturbed texts is exact: every annotation covers what its words became."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain import align, perturb
from finegrain.corpus import Clusters, Corpus, Spans
from finegrain.corpus.tag_schemes import SCHEMES, decode, encode
from finegrain.corpus.trees import heads
from finegrain.formats import by_name, conllu, read_source
from finegrain.formats.source import source_of
from finegrain.perturbations import PERTURBATIONS
from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text
from finegrain.perturbations.perturbing import Perturbed
from finegrain.perturbations.restoring import restored, way_of
from finegrain.perturbations.rewriting import Change, moved_within
from finegrain.tasks import guess
from finegrain.testing import small_corpora

WORDS = (
    "Maria", "Schmidt", "London", "big", "movie", "do", "not", "don't", "n't", "café", "1984",
    "Rome,", "(he", "3.5%", "it", "is", "together", "Straße", "ß", ".", "a", "wo", "-", "日本", "…",
)  # fmt: skip
OF_TEXT = [name for name, one in PERTURBATIONS.items() if not one.items_only]
words = st.sampled_from(WORDS)
sentences = st.lists(words, min_size=1, max_size=7)
labels = st.sampled_from(["PER", "LOC"])
texts = st.lists(sentences, min_size=1, max_size=4)
few = settings(max_examples=6, deadline=None)


@st.composite
def with_spans(draw: st.DrawFn) -> Corpus:
    """Running text with spans that nest, cross, have gaps, and begin or end inside of words."""
    corpus = replace(Corpus.of(draw(texts)), running_text=True)
    rows, cuts = [], []
    for sentence, length in enumerate(np.diff(corpus.offsets).tolist()):
        for _ in range(draw(st.integers(0, 4))):
            begin = draw(st.integers(0, length - 1))
            end = draw(st.integers(begin + 1, length))
            inner = [at for at in range(begin + 1, end - 1) if draw(st.booleans())]
            tokens = (begin, *inner, end - 1) if end - begin > 1 else (begin,)
            rows.append((sentence, begin, end, draw(labels), tokens))
            own = corpus.sentence(sentence)
            room = len(own[begin]) - 1 if end - begin > 1 else (len(own[begin]) - 1) // 2
            last = len(own[end - 1]) - 1 if end - begin > 1 else (len(own[begin]) - 1) // 2
            cuts.append((draw(st.integers(0, room)), draw(st.integers(0, last))))
    spans = Spans.of(rows)
    begin_cut, end_cut = np.array(cuts, np.int32).reshape(-1, 2).T
    some = draw(st.booleans()) and len(rows)
    cut = {"begin_cut": begin_cut, "end_cut": end_cut} if some else {}
    return replace(corpus, spans=replace(spans, **cut))


def projected(old: Corpus, found: Perturbed) -> list[list[tuple[str, ...]]]:
    """What became of each word: sentence -> old token -> new tokens, from the record alone."""
    made = [[(word,) for word in old.sentence(at)] for at in range(old.n_sentences)]
    for change in found.changes:
        own, begin = made[change.sentence], change.begin
        assert tuple(word for (word,) in own[begin : begin + len(change.old)]) == change.old
        if len(change.new) == len(change.old):
            own[begin : begin + len(change.new)] = [(word,) for word in change.new]
        else:  # all in place of the first
            own[begin : begin + len(change.old)] = [change.new, *[()] * (len(change.old) - 1)]
    return made


def surface(corpus: Corpus, row: int, spans: Spans) -> str:
    """The text of a span: its words, without what it leaves out of the first and last."""
    own = corpus.sentence(int(spans.sentence[row]))
    text = " ".join(own[token] for token in spans.tokens(row))
    begin, end = spans.cuts()
    return text[int(begin[row]) : len(text) - int(end[row])]


def expected(row: int, spans: Spans, made: list[list[tuple[str, ...]]]) -> str:
    own = made[int(spans.sentence[row])]
    return " ".join(word for token in spans.tokens(row) for word in own[token])


@pytest.mark.parametrize("name", OF_TEXT)
@given(corpus=with_spans(), seed=st.integers(0, 3), rate=st.sampled_from([0.4, 1.0]))
@few
def test_spans_cover_what_their_words_became(
    name: str, corpus: Corpus, seed: int, rate: float
) -> None:
    found = perturb(corpus, name, rate=rate, seed=seed)
    made = projected(corpus, found)
    for at, own in enumerate(made):
        assert found.corpus.sentence(at) == [word for token in own for word in token]
    old, new = corpus.spans, found.corpus.spans
    assert old is not None
    assert new is not None
    kept = [row for row in range(len(old)) if expected(row, old, made)]
    assert len(new) == len(kept)
    for place, row in enumerate(kept):
        assert new.labels[new.label[place]] == old.labels[old.label[row]]
        whole = replace(new, begin_cut=None, end_cut=None)
        assert surface(found.corpus, place, whole) == expected(row, old, made)
        if surface(found.corpus, place, whole) == surface(
            corpus, row, replace(old, begin_cut=None, end_cut=None)
        ):
            assert surface(found.corpus, place, new) == surface(corpus, row, old)
    assert min(*(cut.min(initial=0) for cut in new.cuts())) == 0


@pytest.mark.parametrize("name", OF_TEXT)
@given(text=texts, data=st.data(), scheme=st.sampled_from(["iob2", "bioes", "bilou", "bmes"]))
@few
def test_tags_of_spans_are_well_formed_and_the_same_spans(
    name: str, text: list[list[str]], data: st.DataObject, scheme: str
) -> None:
    corpus = Corpus.of(text)
    rows, at = [], 0
    for sentence, length in enumerate(np.diff(corpus.offsets).tolist()):
        at = data.draw(st.integers(0, length))
        while at < length:
            end = data.draw(st.integers(at + 1, length))
            rows.append((sentence, at, end, data.draw(labels)))
            at = data.draw(st.integers(end, length))
    tags = encode(Spans.of(rows), corpus.offsets, SCHEMES[scheme])
    corpus = replace(corpus, layers={"tags": tags})
    found = perturb(corpus, name, rate=0.7)
    made = projected(corpus, found)
    decoded = decode(found.corpus.layers["tags"], found.corpus.offsets, SCHEMES[scheme])
    assert decoded.repairs == 0
    given = Spans.of(rows)
    kept = [row for row in range(len(given)) if expected(row, given, made)]
    assert [
        (decoded.spans.labels[decoded.spans.label[row]], surface(found.corpus, row, decoded.spans))
        for row in range(len(decoded.spans))
    ] == [(given.labels[given.label[row]], expected(row, given, made)) for row in kept]


@st.composite
def with_trees(draw: st.DrawFn) -> Corpus:
    """CoNLL-U with trees, multi-word tokens and comments."""
    lines = []
    for number, own in enumerate(draw(texts)):
        lines += [f"# sent_id = s{number}", f"# text = {' '.join(own)}"]
        root = draw(st.integers(1, len(own)))
        joined = draw(st.integers(0, len(own) - 1))
        for at, word in enumerate(own, 1):
            free = [head for head in range(1, len(own) + 1) if head != at]
            # words left of the root hang on words to their right, others on words to their left
            free = [head for head in free if (at < head <= root) or (root <= head < at)]
            head = 0 if at == root else draw(st.sampled_from(free))
            if at == joined:
                lines.append(f"{at}-{at + 1}\tjoined" + "\t_" * 8)
            relation = "root" if head == 0 else "dep"
            lines.append(f"{at}\t{word}\t{word}\tX\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return conllu.read(source_of("trees", ("\n".join(lines) + "\n").encode()))


@pytest.mark.parametrize("name", OF_TEXT)
@given(corpus=with_trees())
@few
def test_words_keep_their_heads(name: str, corpus: Corpus) -> None:
    from finegrain.corpus.trees import with_trees as layered

    found = perturb(corpus, name, rate=0.6)
    written = by_name("conllu").write(found.corpus)
    assert "# text" not in written
    assert "# sent_id = s0" in written
    read = layered(read_source(source_of("written", written.encode()), by_name("conllu")))
    before, after = heads(layered(corpus)), heads(read)
    assert [read.sentence(at) for at in range(read.n_sentences)] == [
        found.corpus.sentence(at) for at in range(read.n_sentences)
    ]
    for (begin, _), (first, last) in zip(
        pairwise(corpus.offsets.tolist()), pairwise(read.offsets.tolist()), strict=True
    ):
        own = before[begin : begin + last - first]
        assert np.where(own < 0, own, own - begin).tolist() == [
            head if head < 0 else head - first for head in after[first:last].tolist()
        ]


@pytest.mark.parametrize("name", OF_TEXT)
@given(text=texts, data=st.data())
@few
def test_mentions_keep_their_words_and_chains(
    name: str, text: list[list[str]], data: st.DataObject
) -> None:
    corpus = Corpus.of(text, documents=[0] * len(text))
    rows = set()
    for sentence, length in enumerate(np.diff(corpus.offsets).tolist()):
        for _ in range(data.draw(st.integers(0, 3))):
            begin = data.draw(st.integers(0, length - 1))
            end = data.draw(st.integers(begin + 1, length))
            rows.add((sentence, begin, end, data.draw(st.sampled_from("ab"))))
    clusters = Clusters.of(sorted(rows), documents=[0] * len(text))
    found = perturb(replace(corpus, clusters=clusters), name, rate=0.6)
    made = projected(corpus, found)
    new = found.corpus.clusters
    assert new is not None
    old = [
        (expected(row, clusters.spans, made), clusters.names[clusters.chain[row]])
        for row in range(len(clusters))
        if expected(row, clusters.spans, made)
    ]
    assert old == [
        (surface(found.corpus, row, new.spans), new.names[new.chain[row]])
        for row in range(len(new))
    ]


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies", "coreference"])
@pytest.mark.parametrize("name", OF_TEXT)
def test_gold_is_perfect_against_itself(task: str, name: str) -> None:
    gold = perturb(small_corpora(task)[0], name, rate=0.8).corpus
    table = align(gold, {"gold": gold}, task=task)
    assert table.outcomes.codes(lambda one: one.right)[table.outcome].all()


@pytest.mark.parametrize("task", ["classification", "qa", "regression", "multilabel"])
@pytest.mark.parametrize("name", [name for name in PERTURBATIONS if name != "options"])
def test_items_keep_everything_but_their_texts(task: str, name: str) -> None:
    gold = small_corpora(task)[0]
    if not {"text", "question"} & {*gold.fields}:
        pytest.skip("its example has no texts")
    found = perturb(gold, name, rate=0.8)
    changed = {change.field for change in found.changes}
    for field, column in gold.fields.items():
        if field not in changed:
            new = found.corpus.fields[field]
            assert [column[at] for at in range(len(column))] == [new[at] for at in range(len(new))]
    assert guess(found.corpus).name == guess(gold).name


def test_the_same_seed_gives_the_same_text_wherever_it_stands() -> None:
    one = Corpus.of([["So", "it", "is", "together"], ["nothing", "else", "matters"]])
    other = Corpus.of([["nothing", "else", "matters"], ["So", "it", "is", "together"]])
    for name in OF_TEXT:
        first, second = (perturb(corpus, name, rate=0.7, seed=5).corpus for corpus in (one, other))
        assert first.sentence(0) == second.sentence(1)
        assert first.sentence(1) == second.sentence(0)
    assert any(
        perturb(one, "typos", rate=0.7, seed=seed).corpus.sentence(0)
        != perturb(one, "typos", rate=0.7, seed=5).corpus.sentence(0)
        for seed in range(3)
    )


def test_rate_is_the_share_of_words_that_are_hit() -> None:
    corpus = Corpus.of([["abcdefgh"] * 50 + [f"word{at}"] for at in range(100)])
    for rate in (0.0, 0.1, 0.5):
        changed = len(perturb(corpus, "typos", rate=rate).changes)
        assert abs(changed / 5100 - rate) < 0.03


def test_a_perturbation_of_ones_own_is_one_function() -> None:
    def shout(text: Text, draw: Draw) -> Iterator[Edit]:
        return (Edit.word(at, text.words[at] + "!") for at in draw.hits(range(len(text.words))))

    loud = Perturbation("loud", "adds marks", shout, rate=1.0)
    found = perturb(Corpus.of([["so", "it"]]), loud)
    assert found.corpus.sentence(0) == ["so!", "it!"]
    assert found.changes == (Change(0, 0, ("so",), ("so!",)), Change(0, 1, ("it",), ("it!",)))


def test_names_agree_in_gender_and_are_the_same_in_a_document() -> None:
    from finegrain.perturbations.lexicons import names

    text = ["Maria", "Schmidt", "saw", "Tom", ".", "Maria", "smiled", "."]
    corpus = Corpus.of([text, text], documents=[0, 1])
    found = perturb(corpus, "names", seed=3).corpus
    for at in range(2):
        own = found.sentence(at)
        assert own[0] == own[5] != "Maria"
        assert names()[("first", own[0].lower())][0].gender == "f"
        assert names()[("first", own[3].lower())][0].gender == "m"
        assert names()[("last", own[1].lower())]
        assert own[2] == "saw"


def test_options_are_shuffled_with_their_answer() -> None:
    lines = "\n".join(
        f'{{"id": "q{at}", "question": "what is {at}?", "choices": ["a{at}", "b{at}", "c{at}"], '
        f'"label": "{"ABC"[at % 3]}"}}' for at in range(12)
    )  # fmt: skip
    gold = by_name("items").read(source_of("gold", lines.encode()))
    found = perturb(gold, "options").corpus
    rows = found.parts["choices"]
    moved = Counter()
    for item in range(12):
        own = [rows.fields["value"][at] for at in np.flatnonzero(rows.parent == item)]
        answer = own["ABC".index(found.fields["label"][item])]
        assert answer == f"{'abc'[item % 3]}{item}"
        moved[found.fields["label"][item]] += 1
    assert len(moved) == 3
    assert sorted(own) == ["a11", "b11", "c11"]


def test_references_stay_where_answer_start_says() -> None:
    text = (
        '{"data": [{"paragraphs": [{"context": "Maria Schmidt lives in London, not in Rome.", '
        '"qas": [{"id": "a", "question": "Where does she live?", "answers": '
        '[{"text": "London", "answer_start": 23}]}, {"id": "b", "question": "Who?", "answers": '
        '[{"text": "Maria Schmidt", "answer_start": 0}]}]}]}]}'
    )
    gold = by_name("squad").read(source_of("gold", text.encode()))
    for name in ("typos", "upper", "join-words", "split-words", "contractions", "truncation"):
        found = perturb(gold, name, rate=0.9, fields=["context"]).corpus
        rows = found.parts["answers"]
        assert found.fields["context"][0] == found.fields["context"][1]
        for at, parent in enumerate(rows.parent.tolist()):
            begin = int(rows.fields["answer_start"][at])
            assert found.fields["context"][parent].startswith(rows.fields["text"][at], begin)


letters = st.text("aB,'é", min_size=2, max_size=6)


@given(old=letters, new=letters, data=st.data())
@settings(max_examples=200, deadline=None)
def test_places_within_a_word_keep_what_is_before_or_behind_them(
    old: str, new: str, data: st.DataObject
) -> None:
    """Where a span begins inside of a word, it begins behind, or before, the same characters."""
    place = data.draw(st.integers(1, len(old) - 1))
    found = moved_within(old, new, frozenset([place]))
    if found is None:
        return
    moved = found[place]
    assert 0 <= moved <= len(new)
    same_before = old[:place] == new[:moved]
    same_behind = old[place:] == new[moved:]
    assert same_before or same_behind or (len(old) == len(new) and moved == place)


def _places(found: Perturbed, size: int) -> list[tuple[object, ...]]:
    """The spans of a copy as places."""
    spans = found.corpus.spans
    assert spans is not None
    assert len(spans) == size
    begin, end = spans.cuts()
    return [
        (int(spans.sentence[row]), spans.tokens(row), spans.labels[spans.label[row]],
         int(begin[row]), int(end[row]))
        for row in range(size)
    ]  # fmt: skip


@given(corpus=with_spans(), seed=st.integers(0, 3), name=st.sampled_from(OF_TEXT))
@settings(max_examples=100, deadline=None)
def test_gold_comes_back_as_it_was(corpus: Corpus, seed: int, name: str) -> None:
    """What went to the copy by way of words comes back from it, but for what was cut off."""
    found = perturb(corpus, name, rate=0.7, seed=seed)
    back = restored(found.corpus, corpus, found.changes).spans
    kept = way_of(corpus, found.changes).kept
    gold = corpus.spans
    assert gold is not None
    assert back is not None
    rows = [row for row in range(len(gold)) if gold.begin[row] < kept[gold.sentence[row]]]

    def listed(spans: Spans, row: int) -> tuple[object, ...]:
        cuts = [int(cut[row]) for cut in spans.cuts()]
        return int(spans.sentence[row]), spans.tokens(row), spans.labels[spans.label[row]], *cuts

    told = [listed(gold, row) for row in rows]
    assert len(back) == len(rows)
    # two spans of gold can become one and the same; then either of them comes back
    there = {place: {told[at] for at, one in enumerate(_places(found, len(rows))) if one == place}
             for place in _places(found, len(rows))}  # fmt: skip
    for at, place in enumerate(_places(found, len(rows))):
        assert listed(back, at) in there[place]
