"""Tags become spans by the rules of their scheme, and ill-formed chunks by the policy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finegrain.corpus import Coded, Corpus, Spans
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.tag_schemes import (
    SCHEMES,
    Decoded,
    Policy,
    Tag,
    UnknownPrefix,
    decode,
    encode,
    looks_like_spans,
    parse,
)

Span = tuple[int, int, int, str]


def corpus_of(*sentences: str) -> Corpus:
    """Sentences given as tags with spaces between them."""
    rows = [sentence.split() for sentence in sentences]
    return Corpus.of(rows, tags=rows)


def decoded(sentences: tuple[str, ...], scheme: str, policy: Policy = "conlleval") -> Decoded:
    corpus = corpus_of(*sentences)
    return decode(corpus.layers["tags"], corpus.offsets, SCHEMES[scheme], policy)


def listed(spans: Spans) -> list[Span]:
    columns = (spans.sentence, spans.begin, spans.end, spans.label)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(sentence, begin, end, spans.labels[label]) for sentence, begin, end, label in rows]


def in_one_sentence(tags: str, scheme: str, policy: Policy = "conlleval") -> list[str]:
    """Spans as "begin-end label", with the end excluded."""
    spans = listed(decoded((tags,), scheme, policy).spans)
    return [f"{begin}-{end} {label}" for _, begin, end, label in spans]


# scheme, tags, spans under conlleval, spans under discard, number of repairs
BY_HAND = [
    ("iob2", "B-PER I-PER O B-LOC", ["0-2 PER", "3-4 LOC"], ["0-2 PER", "3-4 LOC"], 0),
    ("iob2", "B-PER B-PER I-PER", ["0-1 PER", "1-3 PER"], ["0-1 PER", "1-3 PER"], 0),
    ("iob2", "I-PER I-PER O", ["0-2 PER"], [], 1),  # chunk-initial I-
    ("iob2", "B-PER I-LOC", ["0-1 PER", "1-2 LOC"], ["0-1 PER"], 1),  # I- of another label
    ("iob2", "O I-PER B-PER", ["1-2 PER", "2-3 PER"], ["2-3 PER"], 1),
    ("iob2", "B-PER O I-PER", ["0-1 PER", "2-3 PER"], ["0-1 PER"], 1),  # a gap ends the chunk
    ("ioe2", "I-PER E-PER O E-LOC", ["0-2 PER", "3-4 LOC"], ["0-2 PER", "3-4 LOC"], 0),
    ("ioe2", "I-PER E-PER E-PER", ["0-2 PER", "2-3 PER"], ["0-2 PER", "2-3 PER"], 0),
    ("ioe2", "I-PER I-PER O", ["0-2 PER"], [], 1),  # no E- at its end
    ("ioe2", "I-PER E-LOC", ["0-1 PER", "1-2 LOC"], ["1-2 LOC"], 1),  # E- of another label
    ("ioe1", "I-PER I-PER O I-LOC", ["0-2 PER", "3-4 LOC"], ["0-2 PER", "3-4 LOC"], 0),
    ("ioe1", "I-PER E-PER I-PER", ["0-2 PER", "2-3 PER"], ["0-2 PER", "2-3 PER"], 0),
    ("ioe1", "E-PER I-PER O", ["0-1 PER", "1-2 PER"], ["0-1 PER", "1-2 PER"], 0),
    ("ioe1", "I-PER E-PER O", ["0-2 PER"], [], 1),  # E- without a neighbour
    ("ioe1", "I-PER E-PER I-LOC", ["0-2 PER", "2-3 LOC"], ["2-3 LOC"], 1),  # of this label
    ("bmes", "B-PER M-PER E-PER S-LOC", ["0-3 PER", "3-4 LOC"], ["0-3 PER", "3-4 LOC"], 0),
    ("bmes", "B-PER M-PER O M-LOC", ["0-2 PER", "3-4 LOC"], [], 2),
    ("bmewo", "B-PER E-PER W-PER O", ["0-2 PER", "2-3 PER"], ["0-2 PER", "2-3 PER"], 0),
    ("iob1", "I-PER I-PER O I-LOC", ["0-2 PER", "3-4 LOC"], ["0-2 PER", "3-4 LOC"], 0),
    ("iob1", "I-PER B-PER I-PER", ["0-1 PER", "1-3 PER"], ["0-1 PER", "1-3 PER"], 0),
    ("iob1", "I-PER I-LOC", ["0-1 PER", "1-2 LOC"], ["0-1 PER", "1-2 LOC"], 0),
    # a B- without a neighbour of its label is lost, what follows it is not (as in seqeval)
    ("iob1", "B-PER I-PER", ["0-2 PER"], ["1-2 PER"], 1),
    ("iob1", "I-LOC B-PER", ["0-1 LOC", "1-2 PER"], ["0-1 LOC"], 1),
    ("iob1", "O B-PER B-PER", ["1-2 PER", "2-3 PER"], ["2-3 PER"], 1),
    # and a lone B- goes when a B- of another label follows at once
    ("iob1", "I-PER B-PER B-LOC", ["0-1 PER", "1-2 PER", "2-3 LOC"], ["0-1 PER"], 1),
    ("bioes", "S-PER O B-LOC I-LOC E-LOC", ["0-1 PER", "2-5 LOC"], ["0-1 PER", "2-5 LOC"], 0),
    ("bioes", "B-PER E-PER S-PER", ["0-2 PER", "2-3 PER"], ["0-2 PER", "2-3 PER"], 0),
    ("bioes", "B-PER I-PER O", ["0-2 PER"], [], 1),  # never ended
    ("bioes", "I-PER E-PER", ["0-2 PER"], [], 1),  # never begun
    ("bioes", "B-PER", ["0-1 PER"], [], 1),
    ("bioes", "E-PER", ["0-1 PER"], [], 1),
    ("bioes", "B-PER E-LOC", ["0-1 PER", "1-2 LOC"], [], 2),
    ("bioes", "S-PER I-PER", ["0-1 PER", "1-2 PER"], ["0-1 PER"], 1),  # S- cannot go on
    ("bioes", "B-PER S-PER", ["0-1 PER", "1-2 PER"], ["1-2 PER"], 1),
    ("bioes", "B-PER E-PER E-PER", ["0-2 PER", "2-3 PER"], ["0-2 PER"], 1),
    ("bilou", "U-PER O B-LOC I-LOC L-LOC", ["0-1 PER", "2-5 LOC"], ["0-1 PER", "2-5 LOC"], 0),
    ("bilou", "B-PER I-PER O", ["0-2 PER"], [], 1),
    ("bilou", "L-PER U-PER", ["0-1 PER", "1-2 PER"], ["1-2 PER"], 1),
    ("io", "I-PER I-PER I-LOC O I-LOC", ["0-2 PER", "2-3 LOC", "4-5 LOC"],
     ["0-2 PER", "2-3 LOC", "4-5 LOC"], 0),
    ("iob2", "O O O", [], [], 0),
]  # fmt: skip


@pytest.mark.parametrize(("scheme", "tags", "conlleval", "discard", "repairs"), BY_HAND)
def test_decoding_by_hand(
    scheme: str, tags: str, conlleval: list[str], discard: list[str], repairs: int
) -> None:
    assert in_one_sentence(tags, scheme, "conlleval") == conlleval
    assert in_one_sentence(tags, scheme, "discard") == discard
    # the number of ill-formed chunks is the same, whatever happens to them
    for policy in ("conlleval", "discard", "error"):
        assert decoded((tags,), scheme, policy).repairs == repairs


@pytest.mark.parametrize(("scheme", "tags", "conlleval", "discard", "repairs"), BY_HAND)
def test_the_policy_error_leaves_the_spans_of_conlleval(
    scheme: str, tags: str, conlleval: list[str], discard: list[str], repairs: int
) -> None:
    assert in_one_sentence(tags, scheme, "error") == conlleval


@pytest.mark.parametrize("scheme", ["iob1", "iob2", "io"])
def test_no_span_runs_across_a_sentence_boundary(scheme: str) -> None:
    spans = decoded(("I-PER I-PER", "I-PER"), scheme).spans
    assert listed(spans) == [(0, 0, 2, "PER"), (1, 0, 1, "PER")]


def test_a_b_of_iob1_has_no_neighbour_across_a_sentence_boundary() -> None:
    # the first token of the corpus must not take the last one for its neighbour either
    found = decoded(("B-PER", "B-PER"), "iob1")
    assert (found.repairs, found.ill_formed.tolist()) == (2, [0, 1])
    assert listed(decoded(("B-PER", "B-PER"), "iob1", "discard").spans) == []


def test_a_lone_b_of_iob1_does_not_clash_with_the_next_sentence() -> None:
    spans = decoded(("I-PER B-PER", "B-LOC"), "iob1", "discard").spans
    assert listed(spans) == [(0, 0, 1, "PER"), (0, 1, 2, "PER")]


def test_ill_formed_names_the_tokens_where_broken_chunks_begin() -> None:
    # tokens 0 1 2 | 3 4: I-PER at 0 and I-LOC at 2 open chunks, and so does I-LOC at 3
    found = decoded(("I-PER I-PER I-LOC", "I-LOC B-LOC"), "iob2")
    assert found.ill_formed.tolist() == [0, 2, 3]
    assert found.repairs == 3


def test_a_corpus_without_tokens_has_no_spans() -> None:
    found = decode(Coded.of([]), np.array([0]), SCHEMES["iob2"])
    assert (len(found.spans), found.repairs) == (0, 0)


@pytest.mark.parametrize(
    ("tags", "spans", "repairs"),
    [
        # Ortmann's README: levels by position, spans by beginning, longer and outer ones first
        (
            "B-S|B-NP I-S|B-VP I-S|I-VP|B-NP I-S|I-VP|I-NP|B-AP I-S|I-VP|I-NP I-S|",
            ["0-6 S", "0-1 NP", "1-5 VP", "2-5 NP", "3-4 AP"],
            0,
        ),
        ("B-ORG I-ORG|B-LOC", ["0-2 ORG", "1-2 LOC"], 0),
        ("B-NP|B-S I-NP|I-S", ["0-2 NP", "0-2 S"], 0),  # of equal spans the outer one first
        # O closes all levels, so both I- behind it open spans
        ("B-S|B-NP O I-S|I-NP", ["0-1 S", "0-1 NP", "2-3 S", "2-3 NP"], 2),
        ("B-S|B-NP _ B-S", ["0-1 S", "0-1 NP", "2-3 S"], 0),
        ("B-S|B-NP O|I-NP", ["0-1 S", "0-1 NP", "1-2 NP"], 1),  # no inner span outlives its outer
        # B- at level 0 closes the inner span
        ("B-S|B-NP B-S|I-NP", ["0-1 S", "0-1 NP", "1-2 S", "1-2 NP"], 1),
        ("O|B-NP B-S|I-NP", ["0-1 NP", "1-2 S", "1-2 NP"], 1),
        # and so does an I- that opens a span
        ("B-S|B-NP I-T|I-NP", ["0-1 S", "0-1 NP", "1-2 T", "1-2 NP"], 2),
        # B- in the middle closes what is deeper, not what is outside
        (
            "B-A|B-B|B-C I-A|B-B|I-C",
            ["0-2 A", "0-1 B", "0-1 C", "1-2 B", "1-2 C"],
            1,
        ),
        # a shorter stack closes the deeper levels
        ("B-S|B-NP I-S I-S|B-NP", ["0-3 S", "0-1 NP", "2-3 NP"], 0),
        ("B-S|B-NP I-S I-S|I-NP", ["0-3 S", "0-1 NP", "2-3 NP"], 1),
        # an empty level too: from this case of faireval_cases.json, called pipe_empty_then_I,
        # the original silently builds a discontinuous NP
        ("B-S|B-NP I-S| I-S|I-NP", ["0-3 S", "0-1 NP", "2-3 NP"], 1),
        # levels without anything outside of them are levels all the same
        ("O|B-NP O|I-NP", ["0-2 NP"], 0),
    ],
)
def test_stacked_tags_by_hand(tags: str, spans: list[str], repairs: int) -> None:
    assert in_one_sentence(tags, "iob2") == spans
    assert decoded((tags,), "iob2").repairs == repairs


def test_discarding_works_level_by_level() -> None:
    assert in_one_sentence("B-S|I-NP I-S|B-NP", "iob2", "discard") == ["0-2 S", "1-2 NP"]


def test_stacked_spans_end_with_their_sentence() -> None:
    spans = decoded(("B-S|B-NP", "I-S|I-NP"), "iob2", "discard").spans
    assert listed(spans) == [(0, 0, 1, "S"), (0, 0, 1, "NP")]


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("B-PER I-PER O", "iob2"),
        ("O O", "iob2"),
        ("I-PER O I-LOC", "iob1"),  # two chunks begin with I-, none with B-
        ("B-PER O I-PER", "iob2"),  # one against one: not more
        ("B-PER O I-PER O I-LOC", "iob1"),  # two against one
        ("B-PER I-PER I-PER I-PER", "iob2"),  # an I- that continues says nothing
        ("I-PER B-PER I-PER O B-LOC", "iob2"),  # one against two
        ("I-PER S-PER", "bioes"),
        ("B-PER E-PER", "bioes"),
        ("B-PER L-PER", "bilou"),
        ("U-PER I-PER", "bilou"),
        ("B-S|I-NP I-S|B-NP", "iob2"),  # the outermost level decides
        ("B I O", "iob2"),
        ("I O I", "iob1"),
        ("I-PER E-PER O E-LOC", "ioe2"),  # every chunk ends with E-
        ("E-PER O", "ioe2"),
        ("I-PER E-PER I-PER O I-LOC O", "ioe1"),  # one chunk ends with E-, two with I-
        ("I-PER E-PER O I-LOC", "ioe2"),  # one against one: not more
        ("B-PER M-PER E-PER S-PER", "bmes"),
        ("B M E S", "bmes"),
        ("M E", "bmes"),
        ("B-PER E-PER W-PER", "bmewo"),
        ("B-PER M-PER E-PER W-LOC O", "bmewo"),
        ("B E S", "bioes"),  # as good as bmes: no token is inside
        ("B-S|B-NP I-S|M-NP", "bmes"),  # letters of all levels count
    ],
)
def test_the_scheme_is_detected(tags: str, scheme: str) -> None:
    corpus = corpus_of(tags)
    assert detect(corpus.layers["tags"], corpus.offsets).name == scheme


def test_detection_counts_beginnings_of_sentences() -> None:
    # three chunks begin with I-, because no chunk runs across a sentence boundary
    corpus = corpus_of("B-PER", "B-PER", "I-PER", "I-PER", "I-PER")
    assert detect(corpus.layers["tags"], corpus.offsets).name == "iob1"


def test_bare_tags_are_spans_of_one_label() -> None:
    assert in_one_sentence("B I O B", "iob2") == ["0-2 span", "3-4 span"]
    assert in_one_sentence("S O B E", "bioes") == ["0-1 span", "2-4 span"]


def test_labels_keep_their_hyphens() -> None:
    assert in_one_sentence("B-NP-SBJ I-NP-SBJ I-NP", "iob2") == ["0-2 NP-SBJ", "2-3 NP"]
    assert parse("B--") == Tag("B", "-")


@pytest.mark.parametrize("tag", ["NN", "b-PER", "B-", "-PER", "BB-PER", "B_PER", "O-PER", "o"])
def test_what_has_no_prefix_does_not_parse(tag: str) -> None:
    assert parse(tag) is None


@pytest.mark.parametrize(
    ("tags", "scheme", "culprit"),
    [
        ("O E-PER", "iob2", "E-PER"),
        ("O L-PER", "bioes", "L-PER"),
        ("O S-PER", "bilou", "S-PER"),
        ("O B-PER", "io", "B-PER"),
        ("O X-PER", "iob2", "X-PER"),
        ("O W-PER", "bmes", "W-PER"),
        ("O B-PER", "ioe2", "B-PER"),
        ("O |", "iob2", "|"),  # no tag at all, and not O
        ("O ||", "iob2", "||"),
        ("O NN", "iob2", "NN"),
        ("O B-", "iob2", "B-"),
        ("O O-PER", "iob2", "O-PER"),
        ("O B-S|Q-NP", "iob2", "B-S|Q-NP"),
    ],
)
def test_a_prefix_that_the_scheme_does_not_have_is_named(
    tags: str, scheme: str, culprit: str
) -> None:
    with pytest.raises(UnknownPrefix) as caught:
        decoded((tags,), scheme)
    assert caught.value.tag == culprit
    names = corpus_of(tags).layers["tags"].names
    assert names[caught.value.code] == culprit


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("O", "B-PER", "I-PER|B-LOC", "U-X", ""), True),
        (("O", "NN"), False),
        (("O", "X-PER"), False),
        (("B-S|NN",), False),
        (("O", "M-PER", "W-X"), True),
        (("O", "B-PER", "|"), False),
        (("I-S|", "O|B-NP"), True),
        ((), True),
    ],
)
def test_tags_look_like_spans_if_all_have_prefixes(names: tuple[str, ...], expected: bool) -> None:
    assert looks_like_spans(names) is expected


# spans of one corpus with sentences of 6 and 2 tokens
FLAT = Spans.of([(0, 0, 3, "PER"), (0, 3, 4, "PER"), (0, 4, 6, "LOC"), (1, 0, 1, "LOC")])


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [
        ("iob2", "B-PER I-PER I-PER B-PER B-LOC I-LOC B-LOC O"),
        # only the second PER has a neighbour of its label in its sentence
        ("iob1", "I-PER I-PER I-PER B-PER I-LOC I-LOC I-LOC O"),
        ("bioes", "B-PER I-PER E-PER S-PER B-LOC E-LOC S-LOC O"),
        ("bilou", "B-PER I-PER L-PER U-PER B-LOC L-LOC U-LOC O"),
        ("bmes", "B-PER M-PER E-PER S-PER B-LOC E-LOC S-LOC O"),
        ("bmewo", "B-PER M-PER E-PER W-PER B-LOC E-LOC W-LOC O"),
        ("ioe2", "I-PER I-PER E-PER E-PER I-LOC E-LOC E-LOC O"),
        # only the first PER has a neighbour of its label behind it
        ("ioe1", "I-PER I-PER E-PER I-PER I-LOC I-LOC I-LOC O"),
        ("io", "I-PER I-PER I-PER I-PER I-LOC I-LOC I-LOC O"),
    ],
)
def test_encoding_by_hand(scheme: str, tags: str) -> None:
    encoded = encode(FLAT, np.array([0, 6, 8]), SCHEMES[scheme])
    assert list(encoded) == tags.split()
    assert encoded.names == tuple(sorted(set(tags.split())))


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 0, 3, "A"), (0, 1, 2, "B")],  # nested
        [(0, 0, 2, "A"), (0, 1, 3, "B")],  # crossing
        [(0, 0, 2, "A"), (0, 0, 2, "B")],  # equal
        [(0, 0, 3, "A", (0, 2))],  # with a gap
    ],
)
def test_flat_tags_cannot_hold_other_than_flat_spans(rows: list[tuple]) -> None:
    with pytest.raises(ValueError, match="cannot be written as flat tags"):
        encode(Spans.of(rows), np.array([0, 4]))


LABELS = ["PER", "LOC", "NP-SBJ"]


@st.composite
def flat_spans(draw: st.DrawFn, *, apart: bool) -> tuple[list[Span], np.ndarray]:
    """Flat spans of some sentences; ``apart`` keeps neighbours of one label from touching."""
    piece = st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(LABELS))
    rows: list[Span] = []
    lengths = []
    for sentence, pieces in enumerate(draw(st.lists(st.lists(piece, max_size=4), max_size=4))):
        at = 0
        for gap, length, label in pieces:
            touches = bool(rows) and rows[-1][0] == sentence and not gap
            at += gap + (apart and touches and rows[-1][3] == label)
            rows.append((sentence, at, at + length, label))
            at += length
        lengths.append(at + draw(st.integers(0, 2)))
    return rows, np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


@pytest.mark.parametrize("scheme", [name for name in SCHEMES if name != "io"])
@settings(deadline=None, max_examples=50)
@given(corpus=flat_spans(apart=False))
def test_decoding_undoes_encoding(scheme: str, corpus: tuple[list[Span], np.ndarray]) -> None:
    rows, offsets = corpus
    found = decode(encode(Spans.of(rows), offsets, SCHEMES[scheme]), offsets, SCHEMES[scheme])
    assert listed(found.spans) == rows
    assert found.repairs == 0


@given(corpus=flat_spans(apart=True))
def test_decoding_undoes_encoding_in_io_where_no_neighbours_touch(
    corpus: tuple[list[Span], np.ndarray],
) -> None:
    rows, offsets = corpus
    found = decode(encode(Spans.of(rows), offsets, SCHEMES["io"]), offsets, SCHEMES["io"])
    assert listed(found.spans) == rows


@given(
    st.lists(
        st.lists(
            st.sampled_from([f"{prefix}-{label}" for prefix in "BIES" for label in "XY"] + ["O"]),
            max_size=6,
        ),
        max_size=4,
    ),
    st.sampled_from([name for name in SCHEMES if name != "io"]),
)
def test_a_repaired_corpus_needs_no_second_repair(tags: list[list[str]], scheme: str) -> None:
    corpus = Corpus.of(tags, tags=tags)
    repaired = decode(corpus.layers["tags"], corpus.offsets, SCHEMES["bioes"]).spans
    rewritten = encode(repaired, corpus.offsets, SCHEMES[scheme])
    again = decode(rewritten, corpus.offsets, SCHEMES[scheme])
    assert listed(again.spans) == listed(repaired)
    assert again.repairs == 0


TAGS_OF_IOB = [f"{prefix}-{label}" for prefix in "BI" for label in "XY"] + ["O"]


@pytest.mark.parametrize("version", [1, 2])
@given(st.lists(st.lists(st.sampled_from(TAGS_OF_IOB), max_size=6), max_size=4))
def test_ioe_is_iob_read_from_the_end(version: int, tags: list[list[str]]) -> None:
    turned = [[tag.replace("B-", "E-") for tag in row[::-1]] for row in tags[::-1]]
    forth, back = (Corpus.of(rows, tags=rows) for rows in (tags, turned))
    iob = decode(forth.layers["tags"], forth.offsets, SCHEMES[f"iob{version}"])
    ioe = decode(back.layers["tags"], back.offsets, SCHEMES[f"ioe{version}"])
    lengths = [len(row) for row in tags]
    mirrored = [
        (len(tags) - 1 - sentence, lengths[sentence] - end, lengths[sentence] - begin, label)
        for sentence, begin, end, label in listed(iob.spans)[::-1]
    ]
    assert listed(ioe.spans) == mirrored
    assert ioe.repairs == iob.repairs


@pytest.mark.parametrize(("scheme", "letters"), [("bmes", "BMES"), ("bmewo", "BMEW")])
@pytest.mark.parametrize("policy", ["conlleval", "discard"])
@settings(deadline=None, max_examples=50)
@given(
    tags=st.lists(
        st.lists(
            st.sampled_from([f"{prefix}-{label}" for prefix in "BIES" for label in "XY"] + ["O"]),
            max_size=6,
        ),
        max_size=4,
    )
)
def test_bmes_and_bmewo_are_bioes_with_other_letters(
    scheme: str, letters: str, policy: Policy, tags: list[list[str]]
) -> None:
    letter = dict(zip("BIES", letters, strict=True))
    other = [[tag if tag == "O" else letter[tag[0]] + tag[1:] for tag in row] for row in tags]
    one, two = (Corpus.of(rows, tags=rows) for rows in (tags, other))
    wanted = decode(one.layers["tags"], one.offsets, SCHEMES["bioes"], policy)
    found = decode(two.layers["tags"], two.offsets, SCHEMES[scheme], policy)
    assert listed(found.spans) == listed(wanted.spans)
    assert found.repairs == wanted.repairs
