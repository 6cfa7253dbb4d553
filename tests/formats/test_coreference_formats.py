"""CoNLL 2012 and CorefUD: brackets, gaps, empty nodes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Clusters, Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import cluster_lines, conll2012, conllu, corefud
from finegrain.formats.source import source_of
from finegrain.testing.contracts import same_corpus


def columns(*cells: str, name: str = "(d); part 000") -> str:
    lines = [f"d\t0\t{at}\tw{at}\tNN\t{cell}" for at, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "", "#end document", ""])


def entities(*cells: str) -> str:
    lines = ["# newdoc id = d", "# global.Entity = eid-etype-head"]
    for at, cell in enumerate(cells, 1):
        misc = f"Entity={cell}|SpaceAfter=No" if cell else "_"
        lines.append("\t".join([str(at), f"w{at}", *"_______", misc]))
    return "\n".join([*lines, "", ""])


def read2012(text: str) -> Corpus:
    return conll2012.read(source_of("file", text.encode()))


def read_ud(text: str) -> Corpus:
    return corefud.read(source_of("file", text.encode()))


def mentions(corpus: Corpus) -> list[tuple[tuple[int, ...], str]]:
    found = corpus.clusters
    assert found is not None
    return [
        (found.spans.tokens(row), found.names[code])
        for row, code in enumerate(found.chain.tolist())
    ]


def test_nested_mentions_of_one_chain_are_closed_inside_out() -> None:
    expected = [((0, 1, 2, 3), "0"), ((1, 2), "0")]
    assert mentions(read2012(columns("(0", "(0", "0)", "0)"))) == expected
    assert mentions(read_ud(entities("(0-x-1", "(0-x-1", "0)", "0)"))) == expected


def test_brackets_side_by_side_and_with_bars() -> None:
    expected = [((0, 1), "1"), ((0,), "2"), ((1,), "3")]
    assert mentions(read2012(columns("(1|(2)", "(3)|1)"))) == expected
    assert mentions(read2012(columns("(1(2)", "(3)1)"))) == expected


def test_parts_are_documents_of_their_own() -> None:
    text = columns("(0)") + columns("(0)", name="(d); part 001")
    corpus = read2012(text)
    assert corpus.document_ids == ("d", "d:1")
    assert corpus.clusters is not None
    assert corpus.clusters.n_chains == 2


def test_parts_are_written_as_they_were_read() -> None:
    text = columns("(0)") + columns("(0)", name="(d); part 001").replace("d\t0\t", "d\t1\t")
    assert conll2012.write(read2012(text)) == text
    # what looks like the name of a part is one only if it is not the document's own
    named = text + columns("-", name="(d:1); part 000").replace("d\t0\t", "d:1\t0\t")
    corpus = read2012(named)
    assert corpus.document_ids == ("d", "d:1", "d:1:0")
    assert conll2012.write(corpus) == named


@given(st.lists(st.from_regex(r"[a:01]{1,5}", fullmatch=True), min_size=1, unique=True))
def test_any_ids_of_documents_come_back_from_parts(names: list[str]) -> None:
    corpus = Corpus.of([["w"]] * len(names), documents=range(len(names)))
    clusters = Clusters.of([], documents=range(len(names)))
    given_ = replace(corpus, document_ids=tuple(names), clusters=clusters)
    assert read2012(conll2012.write(given_)).document_ids == tuple(names)


def test_files_with_two_columns_have_no_words() -> None:
    corpus = read2012("#begin document (d);\nd (0)\nd -\nd (0)\n\n#end document\n")
    assert corpus.tokens is None
    assert mentions(corpus) == [((0,), "0"), ((2,), "0")]


def test_mentions_with_gaps_are_joined() -> None:
    corpus = read_ud(entities("(a[1/2]-x-3", "a[1/2])", "", "(a[2/2]-x-3)"))
    assert mentions(corpus) == [((0, 1, 3), "a")]
    assert corpus.clusters is not None
    assert corpus.clusters.head.tolist() == [4000]


def test_groups_of_gum_have_no_heads() -> None:
    text = entities("(7-person-new-1-coref)").replace(
        "eid-etype-head", "GRP-etype-infstat-minspan-link"
    )
    corpus = read_ud(text)
    assert corpus.clusters is not None
    assert corpus.clusters.head.tolist() == [0]
    assert corpus.clusters.spans.labels == ("person",)


@pytest.mark.parametrize(
    ("read", "text", "what"),
    [
        (read2012, columns("(0", "-"), "file:2: (0 opens a mention that its sentence does not"),
        (read2012, columns("-", "0)"), "file:3: 0) closes a mention that was not opened here"),
        (read2012, columns("0"), "file:2: '0' in the last column opens or closes nothing"),
        (read2012, columns("-") + columns("-"), "file:5: document 'd' begins on line 1, too"),
        (read2012, "d 0 0 w NN -\n" + columns("-"), "file:1: a word stands before the first"),
        (read_ud, entities("(a-x-1", ""), "file:3: (a opens a mention that its sentence does not"),
        (read_ud, entities("a)"), "file:3: a) closes a mention that was not opened here"),
        (read_ud, entities("(a-x-2)"), "file:3: the head of (a is '2', but the mention has 1"),
        (read_ud, entities("(a[2/2]-x-1)"), "file:3: part 2 of 2 of a mention of a, but part 1"),
        (read_ud, entities("a"), "file:3: Entity=a opens or closes nothing"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(
    read: Callable[[str], Corpus], text: str, what: str
) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert what in str(caught.value)


def test_mentions_with_gaps_come_back() -> None:
    corpus = read_ud(entities("(a[1/2]-x-3", "a[1/2])", "(b-y-1", "(a[2/2]-x-3)", "b)"))
    same_corpus(corpus, read_ud(corefud.write(corpus)))


def test_crossing_mentions_of_one_chain_cannot_be_written() -> None:
    corpus = read2012(columns("-", "-", "-", "-"))
    crossing = Clusters.of([(0, 0, 3, "a"), (0, 1, 4, "a")], documents=[0])
    with pytest.raises(UsageError, match=r"cross each other\. Write clusters"):
        conll2012.write(replace(corpus, clusters=crossing))


def test_mentions_that_cannot_be_written_are_told_with_their_line_and_what_to_do() -> None:
    gap = read_ud(entities("(a[1/2]-x-3", "a[1/2])", "(b-y-1)", "(a[2/2]-x-3)"))
    for write in (conll2012.write, cluster_lines.write):
        with pytest.raises(
            UsageError, match=r"^file:\d+: \w+ cannot hold a mention with a gap. Write"
        ):
            write(gap)
    lines = entities("(a-x-1)", "", "", "").splitlines()
    lines.insert(3, "1.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(z-x-1)")
    empty = read_ud("\n".join(lines) + "\n\n")
    for write in (conll2012.write, cluster_lines.write):
        with pytest.raises(UsageError, match=r"^file:4: .*empty node\. Only CoNLL-U has lines of"):
            write(empty)
    plain = conllu.read(source_of("file", b"1\tx" + b"\t_" * 8 + b"\n\n"))
    for write in (conll2012.write, cluster_lines.write, corefud.write):
        with pytest.raises(UsageError, match=r"^file: there are no chains of mentions in it, and"):
            write(plain)


def read_lines(text: str) -> Corpus:
    return cluster_lines.read(source_of("file", text.encode()))


def test_mentions_of_json_lines_count_words_over_the_document() -> None:
    first = '{"doc_key": "a", "sentences": [["w", "x"], ["y"]], "clusters": [[[1, 1], [2, 2]]]}'
    second = '{"doc_key": "b", "tokens": ["z", "z"], "clusters": [[[0, 1]]]}'
    corpus = read_lines(f"{first}\n{second}\n")
    assert corpus.clusters is not None
    assert corpus.clusters.spans.sentence.tolist() == [0, 1, 2]
    assert corpus.clusters.chain.tolist() == [0, 0, 1]
    assert corpus.document_ids == ("a", "b")


@pytest.mark.parametrize(
    ("clusters", "what"),
    [
        ("[[[0, 2]]]", "the mention [0, 2] goes beyond its sentence"),
        ("[[[0, 3]]]", "the mention [0, 3] is not first and last of 3 words"),
        ("[[[1, 0]]]", "the mention [1, 0] is not first and last of 3 words"),
        ('[["a"]]', 'the mention "a" is not first and last'),
        ("[3]", "a cluster is not a list"),
        ("{}", "clusters is not a list"),
    ],
)
def test_wrong_mentions_of_json_lines_are_told(clusters: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        read_lines('{"sentences": [["w", "x"], ["y"]], "clusters": ' + clusters + "}")
    assert f"file:1: {what}" in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "what"),
    [
        ('"clusters": [[[0, 0]]], "clusters": []', 'the key "clusters" stands twice'),
        ('"clusters": [], "score": NaN', "not JSON: NaN is no number"),
        ('"clusters": [], "id": "\\ud800"', "half of a surrogate pair"),
    ],
)
def test_doubtful_json_is_refused(rest: str, what: str) -> None:
    line = f'{{"sentences": [["w"]], {rest}}}'
    with pytest.raises(InputError, match=what):
        cluster_lines.read(source_of("f", line.encode()))


@pytest.mark.parametrize("name", ["null", "[]", "1.5", "{}"])
def test_a_document_is_named_by_a_text_or_a_number(name: str) -> None:
    line = f'{{"doc_key": {name}, "sentences": [["Ada"]], "clusters": []}}'
    with pytest.raises(InputError, match="f:1: the name of the document is neither"):
        cluster_lines.read(source_of("f", line.encode()))


HUGE = "9" * 5_000  # more digits than Python makes a number of


@pytest.mark.parametrize(
    ("deps", "entity", "what"),
    [
        ("1:dep", f"(e1-x-{HUGE})", "the head of (e1 is '9999"),
        ("1:dep", "(e1-x-1²)", "the head of (e1 is '1²'"),
        ("1:dep", f"(e1[1/{HUGE}]-x-1)", "does not close"),
        ("1:dep", f"(e1[{HUGE}/2]-x-1)", "part 999999999 of 2"),
        ("x:dep", "(e1-x-1)", "depends on 'x:dep'"),
        ("1:dep|2.²:obj", "(e1-x-1)", "depends on '1:dep|2.²:obj'"),
        (f"{HUGE}:dep", "(e1-x-1)", "depends on '9999"),
    ],
)
def test_numbers_that_are_none_are_told(deps: str, entity: str, what: str) -> None:
    lines = [
        "# global.Entity = eid-etype-head",
        "\t".join(["1", "Ada", *"____", "0", "root", "_", "_"]),
    ]
    lines += ["\t".join(["1.1", *"_______", deps, f"Entity={entity}"]), ""]
    with pytest.raises(InputError) as caught:
        corefud.read(source_of("f", "\n".join(lines).encode()))
    assert str(caught.value).startswith("f:3: ")
    assert what in str(caught.value)
