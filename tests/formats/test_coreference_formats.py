"""CoNLL 2012 and CorefUD: brackets, gaps, empty nodes, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Clusters, Corpus, Texts
from finegrain.errors import AlignmentError, Collector, InputError, UsageError
from finegrain.formats import cluster_lines, conll2012, conllu, corefud, fields
from finegrain.formats.bracket_columns import _brackets
from finegrain.formats.brackets import brackets
from finegrain.formats.source import source_of
from finegrain.tasks.coreference import align
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


def test_entities_are_read_from_misc_only() -> None:
    """A token, a lemma or a feature may be called Entity=, too."""
    line = "1\tEntity=(e9-x-1)\tEntity=(e9-x-1)\t_\t_\tA=1|Entity=(e9-x-1)\t0\troot\t_\t{}\n"
    head = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    assert mentions(read_ud(head + line.format("_") + "\n")) == []
    found = read_ud(head + line.format("A=1|Entity=(e1-x-1)|SpaceAfter=No") + "\n")
    assert mentions(found) == [((0,), "e1")]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("1\tw{}\tEntity=(a-x-1)|Entity=(b-x-1)", "file:3: Entity= occurs twice in MISC"),
        ("1-2\tw{}\tEntity=(a-x-1)", "file:3: Entity=(a-x-1) on the line of a multi-word token"),
    ],
)
def test_entities_that_would_get_lost_are_refused(line: str, what: str) -> None:
    words = "".join(f"{number}\tw{chr(9)}{chr(9).join('_______')}\t_\n" for number in (1, 2))
    text = line.format("\t" + "\t".join("_______")) + "\n"
    rest = words if line.startswith("1-2") else words.partition("\n")[2]
    with pytest.raises(InputError) as caught:
        read_ud(f"# newdoc id = d\n# global.Entity = eid-etype-head\n{text}{rest}\n")
    assert what in str(caught.value)


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
        (read2012, "d 0 0 w NN -\n" + columns("-"), "file:1: a word precedes the first"),
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
        ('"clusters": [[[0, 0]]], "clusters": []', 'the key "clusters" occurs twice'),
        ('"clusters": [], "score": NaN', "not JSON: NaN is not a number"),
        ('"clusters": [], "id": "\\ud800"', "half of a surrogate pair"),
    ],
)
def test_doubtful_json_is_refused(rest: str, what: str) -> None:
    line = f'{{"sentences": [["w"]], {rest}}}'
    with pytest.raises(InputError, match=what):
        cluster_lines.read(source_of("f", line.encode()))


def test_a_line_with_other_columns_is_refused() -> None:
    """One line without its part of speech: its words would not have been compared."""
    lines = columns("(0)", "-", "-").split("\n")
    for missing in ("d\t0\t1\t-", "d\t0\t1\tw1\tNN\t-\t-"):
        found = len(missing.split())
        told = rf"^file:3: expected 6 columns, found {found}\."
        with pytest.raises(InputError, match=told):
            read2012("\n".join([*lines[:2], missing, *lines[3:]]))


def predicates(*widths: int) -> str:
    """Sentences of one word in so many columns, the first twelve of which are the usual ones."""
    lines = (" ".join([*f"d 0 0 w{at} NN * lemma".split(), *"-" * (width - 7)])
             for at, width in enumerate(widths))  # fmt: skip
    return "#begin document (d)\n" + "\n\n".join(lines) + "\n\n#end document\n"


def test_only_columns_of_predicates_differ_between_sentences() -> None:
    corpus = read2012(predicates(12, 14, 13))
    assert corpus.n_sentences == 3
    assert list(corpus.layers["lemma"]) == ["lemma"] * 3
    with pytest.raises(InputError, match="file:4: expected 12 columns, found 11"):
        read2012(predicates(12, 11))
    with pytest.raises(InputError, match="file:4: expected 11 columns, found 12"):
        read2012(predicates(11, 12))
    with pytest.raises(InputError, match="file:3: expected 12 columns, found 13"):
        read2012(predicates(12, 13).replace("\n\n", "\n", 1))


SEMEVAL = """#begin document ES_1
1 Ada ada ada NNP NNP _ _ 2 2 sbj sbj _ _ _ _ (0)
2 left leave leave VBD VBD _ _ 0 0 root root _ _ leave leave _

1 She she she PRP PRP _ _ 2 2 sbj sbj _ _ _ _ sbj (0)
2 2 2 2 CD CD _ _ 0 0 root root _ _ _ _ _ _

#end document ES_1
"""


def test_columns_of_semeval_2010_are_recognised() -> None:
    """Its fourth column is a lemma, not the word."""
    corpus = read2012(SEMEVAL)
    assert [corpus.sentence(at) for at in range(2)] == [["Ada", "left"], ["She", "2"]]
    assert list(corpus.layers["lemma"]) == ["ada", "leave", "she", "2"]
    assert list(corpus.layers["xpos"]) == ["NNP", "VBD", "PRP", "CD"]
    assert mentions(corpus) == [((0,), "0"), ((0,), "0")]
    assert corpus.document_ids == ("ES_1",)
    short = "#begin document (a)\n1 Ada (0)\n2 left _\n"
    assert read2012(short).sentence(0) == ["Ada", "left"]


@pytest.mark.parametrize("lines", [1, 401])
def test_other_columns_are_refused(lines: int) -> None:
    """Also where only a later line has other columns than the first ones."""
    told = rf"file:{lines + 1}: column 3 is 'NN', not the number of the word"
    good = "d 0 0 w lemma -\n" * (lines - 1)
    with pytest.raises(InputError, match=told):
        read2012(f"#begin document (d)\n{good}d w NN lemma x -\n#end document\n")


def test_without_words_the_lengths_of_sentences_are_compared() -> None:
    gold = read2012(columns("(0)", "-", "(0)"))
    same, longer, both = (
        read2012(f"#begin document (d)\n{lines}#end document\n")
        for lines in ("d (0)\nd -\nd (0)\n", "d (0)\nd -\nd -\nd (0)\n", "d (0)\n\nd -\n")
    )
    align(gold, {"s": same})
    align(same, {"s": same})
    assert "the file has no words: only the lengths of sentences" in " ".join(same.notes)
    for one, other in ((gold, longer), (same, longer)):
        with pytest.raises(AlignmentError, match="sentence 1 has 4 tokens, but 3 tokens in the"):
            align(one, {"s": other})
    with pytest.raises(AlignmentError, match="sentence 1 has 3 tokens, but 4 tokens in the gold"):
        align(longer, {"s": gold})
    with pytest.raises(AlignmentError, match="2 sentences, but the gold"):
        align(gold, {"s": both})


def test_documents_must_begin_with_the_same_sentences() -> None:
    """Chains belong to documents: with another boundary they fall apart."""
    lines = ["#begin document (a)", "a 0 0 Ada (0)", "", "#begin document (b)", "a 0 0 She (0)", ""]
    lines += ["a 0 0 It (0)", ""]
    gold = read2012("\n".join(lines))
    moved = read2012("\n".join([*lines[:3], *lines[4:6], lines[3], *lines[6:]]))
    with pytest.raises(AlignmentError, match="sentence 2 begins no document here, but does in the"):
        align(gold, {"s": moved})
    with pytest.raises(AlignmentError, match="file:5: sentence 2 begins a document here, but not"):
        align(moved, {"s": gold})


def test_blocks_of_any_size_give_the_same_mentions(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(
        columns("(0", "(1)|(0", "-", "0)0)", name=f"({name}); part 000") for name in "abc"
    )
    whole = read2012(text)
    for size in range(1, 200, 7):
        monkeypatch.setattr(fields, "_BLOCK", size)
        same_corpus(read2012(text), whole)


def one_by_one(cells: list[str]) -> list[tuple[tuple[int, ...], str]]:
    """Mentions of a sentence in the order in which they are opened, with a stack for each chain."""
    found: list[tuple[int, int, str]] = []
    waiting: dict[str, list[int]] = {}
    for word, cell in enumerate(cells):
        for bracket in brackets(cell) or ():
            if bracket.opens:
                waiting.setdefault(bracket.name, []).append(len(found))
                found.append((word, word, bracket.name))
            if bracket.closes:
                at = waiting[bracket.name].pop()
                found[at] = (found[at][0], word, bracket.name)
    return [(tuple(range(begin, end + 1)), name) for begin, end, name in found]


@st.composite
def bracket_cells(draw: st.DrawFn) -> list[str]:
    """Cells of a sentence in which every bracket has its partner."""
    size = draw(st.integers(1, 6))
    cells: list[list[str]] = [[] for _ in range(size)]
    chains: list[str] = []
    for word in range(size):
        for _ in range(draw(st.integers(0, 2))):
            chain = draw(st.sampled_from(["0", "12", "ä"]))
            cells[word].append(f"({chain})" if draw(st.booleans()) else f"({chain}")
            chains += [] if cells[word][-1].endswith(")") else [chain]
        while chains and (word == size - 1 or draw(st.booleans())):
            cells[word].append(f"{chains.pop(draw(st.integers(0, len(chains) - 1)))})")
    separator = draw(st.sampled_from(["", "|"]))
    return [separator.join(cell) or "-" for cell in cells]


@given(bracket_cells())
def test_brackets_of_columns_are_paired_as_one_by_one(cells: list[str]) -> None:
    assert mentions(read2012(columns(*cells))) == one_by_one(cells)


@given(st.text(alphabet="()|1ab", min_size=1, max_size=7))
def test_a_cell_is_refused_as_one_by_one(cell: str) -> None:
    problems = Collector("file")
    where = np.zeros(1, np.int64)
    found = _brackets(Texts.of([cell]), where + 1, problems)
    expected = brackets(cell)
    assert (not problems.problems) == (expected is not None)
    assert [found.chain[row] for row in range(len(found.cell))] == [
        bracket.name for bracket in expected or ()
    ]
    assert list(zip(found.opens.tolist(), found.closes.tolist(), strict=True)) == [
        bracket[1:] for bracket in expected or ()
    ]


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
        ("1:dep", "(e1[1/3]-x-1)(e1[2/2])", "part 2 of 2 of a mention of e1, but part 1 is not"),
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


def test_a_part_of_thousands_of_digits_is_part_of_the_name() -> None:
    lines = f"#begin document (a); part {HUGE}\na\t0\t0\tAda\tNNP\t(1)\n\n#end document\n"
    names = conll2012.read(source_of("f", lines.encode())).document_ids
    assert names is not None
    assert names[0].endswith(HUGE)
