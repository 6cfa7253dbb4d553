"""Words, heads and relations: every outcome by hand, other tokenisations, options, bad trees."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.word_alignment import align_words
from finegrain.corpus import Corpus
from finegrain.corpus.surface import first_words, surface
from finegrain.corpus.trees import with_trees
from finegrain.errors import AlignmentError, InputError
from finegrain.formats import conllu
from finegrain.formats.source import source_of
from finegrain.metrics import METRICS
from finegrain.table.samples import sentences, whole


def parsed(*lines: str, name: str = "f") -> Corpus:
    """``1 form lemma upos head relation``, with blanks between them; "" ends a sentence."""
    text = ""
    for line in lines:
        if not line:
            text += "\n"
            continue
        number, form, *rest = line.split()
        lemma, upos, head, relation = rest or ["_"] * 4
        text += "\t".join([number, form, lemma, upos, upos, "_", head, relation, "_", "_"]) + "\n"
    return conllu.read(source_of(name, text.encode()))


GOLD = (
    "1 She she PRON 2 nsubj",
    "2 saw see VERB 0 root",
    "3 old old ADJ 4 amod",
    "4 dogs dog NOUN 2 obj",
    "5 . . PUNCT 2 punct",
)


def aligned(gold: Corpus, *systems: Corpus, **options: bool) -> fg.OutcomeTable:
    return fg.align(
        gold,
        {f"s{at}": one for at, one in enumerate(systems)},
        task="dependencies",
        **options,
    )


def outcomes(table: fg.OutcomeTable, system: int = 0) -> list[str]:
    return [table.outcomes.names[code] for code in table.outcome[:, system]]


def scores(table: fg.OutcomeTable, *names: str) -> list[float]:
    found = fg.score(table, list(names)).overall
    return [float(found[name][0]) for name in names]


def test_every_outcome_by_hand() -> None:
    system = parsed(
        "1 She she PRON 2 nsubj",  # right
        "2 saw see VERB 0 dep",  # wrong relation
        "3 old old ADJ 2 amod",  # wrong head
        "4 dogs dog NOUN 3 nsubj",  # both wrong
        "5 . . PUNCT 2 punct",
    )
    table = aligned(parsed(*GOLD), system)
    assert outcomes(table) == ["CORRECT", "LABEL", "HEAD", "BOTH", "CORRECT"]
    # right: 2 of 5; heads: 3 of 5; relations: 3 of 5
    assert scores(table, "las", "uas", "ls") == [0.4, 0.6, 0.6]
    # content words of the gold: nsubj, root, amod, obj; of them nsubj is right; the system has 4
    assert scores(table, "clas", "clas_precision", "clas_recall") == [0.25, 0.25, 0.25]
    assert scores(table, "sentence_las", "upos", "words", "tokens") == [0, 1, 1, 1]


def test_a_change_of_the_head_alone_is_a_change() -> None:
    """Both are wrong about the head of old, in different ways: amod -> amod."""
    near = parsed(*GOLD[:2], "3 old old ADJ 2 amod", *GOLD[3:])
    far = parsed(*GOLD[:2], "3 old old ADJ 1 amod", *GOLD[3:])
    found = fg.difference(aligned(parsed(*GOLD), near, far)).to_json()
    assert found["changed_errors"]["pairs"][0]["gold"] == "amod"
    assert [found[kind]["count"] for kind in ("corrections", "new_errors", "changed_errors")] == [
        0, 0, 1,
    ]  # fmt: skip
    same = fg.difference(aligned(parsed(*GOLD), near, near)).to_json()
    assert same["changed"] == 0


def test_words_of_another_tokenisation_are_aligned_or_counted() -> None:
    """Old dogs in one word: the gold words old and dogs are not there, and one word is new."""
    system = parsed(
        "1 She she PRON 2 nsubj",
        "2 saw see VERB 0 root",
        "3 olddogs dog NOUN 2 obj",
        "4 . . PUNCT 2 punct",
    )
    table = aligned(parsed(*GOLD), system)
    assert outcomes(table) == ["CORRECT", "CORRECT", "NO_WORD", "NO_WORD", "CORRECT"]
    assert table.details["more"][:, 0].tolist() == [0, 0, 1, 0, 0]
    # 3 right of 5 gold words and 4 of the system: F1 = 2 * 3 / 9; of those aligned all are right
    assert scores(table, "las_precision", "las_recall", "las", "las_aligned_accuracy") == [
        3 / 4, 3 / 5, 6 / 9, 1,
    ]  # fmt: skip
    # content words: gold nsubj, root, amod, obj; system nsubj, root, obj
    assert scores(table, "clas_precision", "clas_recall") == [2 / 3, 2 / 4]
    assert (
        "s0: tokenised differently: 2 gold words it does not have, 1 words of its own"
        in table.notes
    )


def test_las_stands_beside_accuracy_where_words_differ() -> None:
    """Of 5 words one system has all right; the other 3, with 4 words of its own: F1 = 6 / 9."""
    merged = parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    gold = parsed(*GOLD)
    found = fg.difference(aligned(gold, gold, merged)).to_json()
    assert found["score"]["metric"] == "las"
    assert (found["score"]["a"], found["score"]["b"]) == (1, 6 / 9)
    assert (found["accuracy"]["a"], found["accuracy"]["b"]) == (1, 3 / 5)
    assert fg.difference(aligned(gold, gold, gold)).to_json()["score"] is None


def test_a_head_that_is_no_gold_word_is_wrong() -> None:
    gold = parsed("1 ab a X 2 dep", "2 c c X 0 root")
    system = parsed("1 a a X 0 root", "2 b b X 1 dep", "3 c c X 2 root")
    table = aligned(gold, system)
    assert outcomes(table) == ["NO_WORD", "HEAD"]
    assert table.details["head"][:, 0].tolist() == [-3, -2]


def test_words_of_multi_word_tokens_are_aligned_by_their_forms() -> None:
    """The gold has vámonos as vamos + nos, the system as one word more: vamos + os + nos."""
    gold = parsed(
        "1-2 vámonos", "1 Vamos ir VERB 0 root", "2 nos nos PRON 1 obj", "3 ya ya ADV 1 advmod"
    )
    system = parsed(
        "1-3 vámonos", "1 vamos ir VERB 0 root", "2 os os PRON 1 obj", "3 nos nos PRON 1 obj",
        "4 ya ya ADV 1 advmod",
    )  # fmt: skip
    found = align_words(gold, system)
    assert found.to_system.tolist() == [0, 2, 3]
    assert found.tokens.same.tolist() == [True, False, True]
    table = aligned(gold, system)
    assert outcomes(table) == ["CORRECT"] * 3
    assert scores(table, "tokens", "words_precision", "words_recall") == [1, 3 / 4, 1]


def test_other_characters_are_an_error_with_the_line() -> None:
    with pytest.raises(AlignmentError, match="parts from the gold text at character 5"):
        aligned(parsed(*GOLD), parsed("1 She s X 0 root", "2 sow s X 1 dep", name="system"))


def test_sentences_may_be_split_differently() -> None:
    gold = parsed("1 a a X 2 dep", "2 b b X 0 root", "", "1 c c X 0 root")
    system = parsed("1 a a X 2 dep", "2 b b X 0 root", "3 c c X 2 dep")
    table = aligned(gold, system)
    assert outcomes(table) == ["CORRECT", "CORRECT", "BOTH"]
    assert table.details["head"][2, 0] == 1  # a word of the sentence before
    assert scores(table, "sentences_precision", "sentences_recall") == [0, 0]


def test_options_of_relations() -> None:
    gold = parsed("1 a a X 2 acl:relcl", "2 b b X 0 root", "3 . . X 2 punct")
    system = parsed("1 a a X 2 ACL", "2 b b X 0 root", "3 . . X 1 punct")
    assert outcomes(aligned(gold, system)) == ["LABEL", "CORRECT", "HEAD"]
    assert outcomes(aligned(gold, system, case="fold")) == ["CORRECT", "CORRECT", "HEAD"]
    both = {"case": "fold", "subtypes": "keep", "punctuation": "remove"}
    assert outcomes(aligned(gold, system, **both)) == ["LABEL", "CORRECT"]


def test_bad_trees_of_systems_are_told_and_scored() -> None:
    system = parsed(
        "1 She she PRON 2 nsubj", "2 saw see VERB 1 root", "3 old old ADJ 9 amod",
        "4 dogs dog NOUN 0 obj", "5 . . PUNCT 0 punct",
    )  # fmt: skip
    table = aligned(parsed(*GOLD), system)
    assert outcomes(table) == ["CORRECT", "HEAD", "HEAD", "HEAD", "HEAD"]
    assert [note for note in table.notes if note.startswith("s0")] == [
        "s0: 1 word has no head in the sentence, the first: line 3",
        "s0: 1 sentence with several roots, the first: sentence 1",
        "s0: 1 sentence with a cycle, the first: sentence 1",
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "3 old old ADJ 9 amod",
            "f:3: the head 9 lies outside of the sentence, which has 5 words.",
        ),
        ("3 old old ADJ _ amod", "f:3: the word has no head."),
        ("3 old old ADJ x amod", "f:3: 'x' is not a head."),
    ],
)
def test_the_gold_must_have_heads(line: str, said: str) -> None:
    gold = parsed(*GOLD[:2], line, *GOLD[3:])
    with pytest.raises(InputError) as caught:
        aligned(gold, parsed(*GOLD))
    assert str(caught.value).startswith(said)


def test_a_gold_without_any_heads_says_which_task_there_is() -> None:
    with pytest.raises(InputError, match=r"no word has a head.*--task tags"):
        aligned(parsed("1 a a X _ _"))
    tags = Corpus.of([["a"]], tags=[["X"]])
    with pytest.raises(InputError, match="--columns token=2,head=7,deprel=8"):
        aligned(tags)


def test_mlas_needs_the_functional_children() -> None:
    """The determiner hangs elsewhere: dogs has another child set, and is wrong for MLAS only."""
    gold = parsed("1 the the DET 2 det", "2 dogs dog NOUN 3 nsubj", "3 bark bark VERB 0 root")
    other = parsed("1 the the DET 3 det", "2 dogs dog NOUN 3 nsubj", "3 bark bark VERB 0 root")
    table = aligned(gold, other)
    assert scores(table, "las", "clas") == [2 / 3, 1]
    assert scores(table, "mlas", "blex") == [0, 1]  # bark has a child too many


def test_the_table_survives_saving(tmp_path) -> None:  # type: ignore[no-untyped-def]  # pytest's
    pytest.importorskip("pyarrow")
    table = aligned(
        parsed(*GOLD), parsed(*GOLD[:2], "3 olddogs dog NOUN 2 obj", "4 . . PUNCT 2 punct")
    )
    table.save(str(tmp_path / "t.parquet"))
    again = fg.load(str(tmp_path / "t.parquet"))
    assert fg.score(again).to_json() == fg.score(table).to_json()


# ---- properties ------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn, words: int | None = None) -> list[tuple[int, str]]:
    """A random tree: words in random order hang on one of those before them."""
    size = words or draw(st.integers(1, 6))
    order = draw(st.permutations(range(1, size + 1)))
    heads = {order[0]: 0}
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    relation = st.sampled_from(["nsubj", "obj", "det", "case", "punct"])
    return [
        (heads[word], "root" if heads[word] == 0 else draw(relation)) for word in range(1, size + 1)
    ]


@st.composite
def cuttings(draw: st.DrawFn) -> Corpus:
    """The same text cut into words and sentences in some way, with trees on them."""
    text, lines = "ababcabdabca", list[str]()
    cuts = sorted({0, len(text), *draw(st.sets(st.integers(1, len(text) - 1)))})
    words = [text[begin:end] for begin, end in pairwise(cuts)]
    at = 0
    while at < len(words):
        size = draw(st.integers(1, len(words) - at))
        joined = draw(st.booleans()) and size > 1
        if joined:
            last = draw(st.integers(2, size))
            lines.append(f"1-{last} {''.join(words[at : at + last])}")
        for place, (head, relation) in enumerate(draw(trees(size)), 1):
            lines.append(f"{place} {words[at + place - 1]} l X {head} {relation}")
        lines.append("")
        at += size
    return parsed(*lines)


def naive(gold: Corpus, system: Corpus) -> dict[int, int]:
    """Word by word through both files, as the shared task describes it."""
    ours, theirs = ([*_spans(corpus)] for corpus in (gold, system))
    found, g, s = dict[int, int](), 0, 0
    while g < len(ours) and s < len(theirs):
        one, two = ours[g], theirs[s]
        if not one[3] and not two[3]:
            if one[:2] == two[:2]:
                found[g] = s
                g, s = g + 1, s + 1
            elif one[0] <= two[0]:
                g += 1
            else:
                s += 1
            continue
        end = one[1] if one[3] else two[1]
        if one[3] and not two[3] and two[0] < one[0]:
            s += 1
        elif two[3] and not one[3] and one[0] < two[0]:
            g += 1
        first, second = g, s
        while True:
            inside = [
                at < len(side) and (side[at][0] < end if side[at][3] else side[at][1] <= end)
                for side, at in ((ours, g), (theirs, s))
            ]
            if not any(inside):
                break
            if g < len(ours) and (s >= len(theirs) or ours[g][0] <= theirs[s][0]):
                end, g = max(end, ours[g][1] if ours[g][3] else 0), g + 1
            else:
                end, s = max(end, theirs[s][1] if theirs[s][3] else 0), s + 1
        found |= _longest(ours, theirs, range(first, g), range(second, s))
    return found


Span = tuple[int, int, str, bool]


def _spans(corpus: Corpus) -> list[Span]:
    """Where the token of each word begins and ends, its form, whether the token has more words."""
    tokens = surface(corpus)
    begins = [*tokens.first_word.tolist(), corpus.n_tokens]
    found, at = list[Span](), 0
    for number, (first, past) in enumerate(pairwise(begins)):
        form = tokens.corpus.tokens[number]  # type: ignore[index]  # it has text
        for word in range(first, past):
            text = corpus.tokens[word].lower()  # type: ignore[index]
            found.append((at, at + len(form), text, past - first > 1))
        at += len(form)
    return found


def _longest(ours: list[Span], theirs: list[Span], left: range, right: range) -> dict[int, int]:
    """Of the longest common subsequences of forms, the one found first."""
    if not left or not right:
        return {}
    if ours[left[0]][2] == theirs[right[0]][2]:
        return {left[0]: right[0], **_longest(ours, theirs, left[1:], right[1:])}
    without_ours = _longest(ours, theirs, left[1:], right)
    without_theirs = _longest(ours, theirs, left, right[1:])
    return without_ours if len(without_ours) >= len(without_theirs) else without_theirs


@given(cuttings(), cuttings())
@settings(max_examples=80, deadline=None)
def test_counts_hold_for_any_two_tokenisations(gold: Corpus, system: Corpus) -> None:
    table = aligned(gold, system)
    found = align_words(gold, system)
    there = found.to_system >= 0
    back = found.to_gold[found.to_system[there]]
    assert (back == np.flatnonzero(there)).all()  # one to one
    assert (np.diff(found.to_system[there]) > 0).all()  # in order
    counts = METRICS["words"].statistics(table, whole(table))[0, 0]
    assert counts[:3].tolist() == [there.sum(), gold.n_tokens, system.n_tokens]
    tokens = METRICS["tokens"].statistics(table, whole(table))[0, 0]
    assert tokens[2] == len(first_words(system))
    expected = naive(gold, system)
    assert found.to_system.tolist() == [expected.get(word, -1) for word in range(gold.n_tokens)]
    for name in ("las", "uas", "ls", "clas", "mlas", "sentences"):
        metric = METRICS[name]
        parts = metric.statistics(table, sentences(table)).sum(axis=0)
        assert np.allclose(parts, metric.statistics(table, whole(table))[0])


@given(cuttings())
@settings(max_examples=50, deadline=None)
def test_gold_against_itself_is_right_everywhere(gold: Corpus) -> None:
    table = aligned(gold, gold)
    assert set(outcomes(table)) == {"CORRECT"}
    assert not [note for note in table.notes if note.startswith("gold")]
    found = fg.score(table, ["las", "uas", "ls", "mlas", "words", "tokens", "sentences"]).overall
    assert all(float(one[0]) == 1 for one in found.values())


@given(trees(6), trees(6), trees(6))
@settings(max_examples=50, deadline=None)
def test_systems_do_not_touch_each_other_and_the_oracle_is_the_best(
    gold_tree: list[tuple[int, str]],
    one_tree: list[tuple[int, str]],
    two_tree: list[tuple[int, str]],
) -> None:
    gold, one, two = (
        parsed(*(f"{at} w l X {head} {label}" for at, (head, label) in enumerate(tree, 1)))
        for tree in (gold_tree, one_tree, two_tree)
    )
    both = aligned(gold, one, two)
    assert outcomes(both, 1) == outcomes(aligned(gold, two))
    there, back = (fg.difference(both, a, b).to_json() for a, b in (("s0", "s1"), ("s1", "s0")))
    assert there["corrections"]["count"] == back["new_errors"]["count"]
    assert there["changed"] == back["changed"]
    overall = fg.oracle(both).to_json()["overall"]
    assert overall["oracle"] >= max(overall["systems"].values())


def _eager(corpus: Corpus) -> Corpus:
    """The same corpus with every layer coded."""
    trees_of = with_trees(corpus)
    return replace(trees_of, layers=dict(trees_of.layers), further=None)


@st.composite
def annotated(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    """Two annotations of the same words: any lemmas, tags, features, heads and relations."""
    size = draw(st.integers(1, 5))
    cell = st.sampled_from(["_", "a", "A", "Case=Nom", "Odd=1|Case=Nom", "Case=Nom|Odd=2"])
    files = []
    for _ in range(2):
        rows = zip(draw(trees(size)), draw(st.lists(st.tuples(*[cell] * 4), min_size=size,
                   max_size=size)), strict=True)  # fmt: skip
        lines = (
            "\t".join([str(at), "w", *cells, str(head), relation, "_", "_"])
            for at, ((head, relation), cells) in enumerate(rows, 1)
        )
        files.append(conllu.read(source_of("f", ("\n".join(lines) + "\n").encode())))
    return files[0], files[1]


@given(annotated())
@settings(max_examples=100, deadline=None)
def test_comparing_bytes_and_comparing_names_give_the_same_table(
    pair: tuple[Corpus, Corpus],
) -> None:
    late, eager = aligned(*pair), aligned(*map(_eager, pair))
    assert (late.outcome == eager.outcome).all()
    for name, column in late.details.items():
        assert (column == eager.details[name]).all(), name


@given(cuttings(), cuttings())
@settings(max_examples=40, deadline=None)
def test_the_same_holds_for_other_tokenisations(gold: Corpus, system: Corpus) -> None:
    late, eager = aligned(gold, system), aligned(_eager(gold), _eager(system))
    for name, column in late.details.items():
        assert (column == eager.details[name]).all(), name
