"""CorefUD is written as it was read; chains of another origin are put into the lines there are."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import finegrain as fg
from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.clusters import WORD, ClustersBuilder
from finegrain.corpus.parts import part
from finegrain.errors import UsageError
from finegrain.formats import conll2012, conllu, corefud
from finegrain.formats.same_annotation import same_mentions
from finegrain.formats.source import source_of
from tests.conftest import Run

FILE = """# newdoc id = a
# global.Entity = eid-etype-head-other
# sent_id = 1
# text = Ada didn't see her
1	Ada	Ada	PROPN	NNP	Number=Sing	4	nsubj	4:nsubj	Entity=(e1-person-1-x:1)
2-3	didn't	_	_	_	_	_	_	_	_
2	did	do	AUX	VBD	_	4	aux	4:aux	_
3	n't	not	PART	RB	_	4	advmod	4:advmod	_
4	see	see	VERB	VB	_	0	root	0:root	_
5	her	her	PRON	PRP	_	4	obj	4:obj	SpaceAfter=No|Entity=(e1-person-1-)

# sent_id = 2
1	Left	leave	VERB	VBD	_	0	root	0:root	_
1.1	_	_	PRON	_	_	_	_	1:nsubj	Bridge=e2<e1|Entity=(e1-person-1-)

# newdoc id = b
# sent_id = 3
1	Old	old	ADJ	JJ	_	2	amod	2:amod	Entity=(e1-person-2-
2	Eve	Eve	PROPN	NNP	_	3	nsubj	3:nsubj	Entity=e1)
3	ran	run	VERB	VBD	_	0	root	0:root	_

"""
FIELDS = "# global.Entity = eid-etype-head-other\n"


def parsed(text: str) -> Corpus:
    return corefud.read(source_of("f", text.encode()))


def clusters_of(corpus: Corpus) -> Clusters:
    assert corpus.clusters is not None
    return corpus.clusters


def test_a_file_is_written_as_it_was_read() -> None:
    assert corefud.write(parsed(FILE)) == FILE
    assert corefud.write(parsed("\ufeff" + FILE)) == FILE


def test_sentences_taken_out_of_a_file_keep_their_lines_and_what_fields_entities_have() -> None:
    first, second, third = (sentence + "\n" for sentence in FILE.split("\n\n")[:-1])
    taken = part(parsed(FILE), np.array([2, 1]))
    # the fields were said at the top of the file; they go behind what begins the first document
    expected = third.replace("# newdoc id = b\n", f"# newdoc id = b\n{FIELDS}")
    assert corefud.write(taken) == f"{expected}\n# newdoc id = a\n{second}\n"
    assert same_mentions(clusters_of(taken), clusters_of(parsed(corefud.write(taken))))
    assert first in corefud.write(part(parsed(FILE), np.array([0])))


def test_fields_that_change_inside_of_a_file_are_said_again_where_they_hold() -> None:
    other = FILE.replace("# newdoc id = b\n", "# newdoc id = b\n# global.Entity = eid-head\n")
    other = other.replace("(e1-person-2-\n", "(e1-2\n")
    assert corefud.write(parsed(other)) == other
    turned = parsed(other).with_documents([1, 0])
    written = corefud.write(turned)
    assert written.count("# global.Entity") == 2
    assert same_mentions(clusters_of(turned), clusters_of(parsed(written)))


def test_changed_chains_are_written_anew_and_all_else_stays() -> None:
    corpus = parsed(FILE)
    found = clusters_of(corpus)
    changed = replace(found, names=("x", "y"))  # the first chain is that of document a
    apart = replace(changed, chain=np.array([0, 1, 0, 1]), head=found.head)
    written = corefud.write(replace(corpus, clusters=apart))
    # her (row 1) goes to chain y, the zero stays with Ada in x, Old Eve in y
    assert same_mentions(
        clusters_of(parsed(written)), replace(apart, names=(), chain=np.array([0, 1, 0, 2]))
    )
    assert "SpaceAfter=No|Entity=(y-person-1)" in written
    assert "1.1\t_\t_\tPRON\t_\t_\t_\t_\t1:nsubj\tBridge=e2<e1|Entity=(x-person-1)" in written
    assert "2-3\tdidn't" in written
    assert written.count("# global.Entity") == 1
    kept = [line.partition("Entity=")[0].rstrip("|") for line in written.split("\n")]
    before = [line.partition("Entity=")[0].rstrip("|") for line in FILE.split("\n")]
    assert [one for one in kept if not one.startswith("# global")] == [
        one for one in before if not one.startswith("# global")
    ]


def test_no_head_is_invented() -> None:
    lines = "#begin document (d); part 000\nd 0 0 old JJ (0\nd 0 1 Eve NNP 0)\n\n#end document\n"
    corpus = conll2012.read(source_of("f", lines.encode()))
    written = corefud.write(corpus)
    assert "# global.Entity = eid-etype\n" in written
    again = parsed(written)
    assert clusters_of(again).head.tolist() == [0]
    with pytest.raises(fg.FinegrainError, match="needs the heads of mentions"):
        fg.align(again, {"s": again}, task="coreference", match="head")


def test_a_zero_needs_a_line() -> None:
    corpus = parsed(FILE)
    with pytest.raises(UsageError, match=r"^f:14: .*empty node that has no line"):
        corefud.write(replace(corpus, further=None))


def node_rows(draw: st.DrawFn, nodes: list[int], chains: str) -> list[tuple[tuple[int, ...], str]]:
    """Mentions of any nodes, of which each chain has one: nothing of one chain crosses."""
    sets = st.lists(st.sampled_from(nodes), min_size=1, unique=True).map(sorted).map(tuple)
    return [(draw(sets), name) for name in chains]


@given(st.data())
def test_any_mentions_come_back_from_lines_with_empty_nodes(data: st.DataObject) -> None:
    lines = [f"{one}\tw" + "\t_" * 8 for one in ("1", "1.1", "2", "3", "3.1", "3.2", "4")]
    corpus = conllu.read(source_of("f", ("\n".join(lines) + "\n\n").encode()))
    nodes = [1000, 1001, 2000, 3000, 3001, 3002, 4000]
    builder = ClustersBuilder()
    drawn = data.draw(st.composite(node_rows)(nodes, "abcd"))
    for mention, name in sorted(drawn, key=lambda row: (row[0][0], -row[0][-1])):
        head = data.draw(st.sampled_from(mention))
        builder.add(0, mention, (0, name), kind="k", head=head)
    clusters = builder.clusters()
    again = clusters_of(parsed(corefud.write(replace(corpus, clusters=clusters))))
    told = {
        (one.nodes(row), one.names[one.chain[row]], int(one.head[row]))
        for one in (clusters, again)
        for row in range(len(one))
    }
    assert len(again) == len(clusters) == len(told)
    assert {node % WORD for row in range(len(again)) for node in again.nodes(row)} <= {0, 1, 2}


def test_convert_and_split_lose_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "u.conllu").write_text(FILE)
    for more in (("--to", "corefud"), ("--to", "conllu"), ()):
        done = run("convert", "u.conllu", "out.conllu", *more)
        assert done.returncode == 0, done.stderr
        assert "left out" not in done.stderr
        assert (tmp_path / "out.conllu").read_text() == FILE
    done = run("split", "u.conllu", "-o", "parts", "--by", "document", "--fractions", "x=.6,y=.4")
    assert done.returncode == 0, done.stderr
    both = {(tmp_path / "parts" / f"{name}.conllu").read_text() for name in "xy"}
    a, b = FILE.split("# newdoc id = b\n")
    assert both == {a, f"# newdoc id = b\n{FIELDS}{b}"}


def test_what_another_format_cannot_hold_is_told(run: Run, tmp_path: Path) -> None:
    word = "1\tAda\t_\t_\tNNP\t_\t0\troot\t_\tEntity=(e1-person-1)\n\n"
    fields = "# global.Entity = eid-etype-head\n"
    (tmp_path / "u.conllu").write_text(f"# newdoc id = a\n{fields}{word}")
    for target, format_ in (("u.jsonlines", "clusters"), ("u.conll", "conll2012")):
        done = run("convert", "u.conllu", target, "--to", format_)
        assert done.returncode == 0, done.stderr
        assert f"{format_} holds no heads and types of mentions: they are left" in done.stderr
        assert f"{format_} holds no trees, comments and empty nodes: they are left" in done.stderr


def test_heads_that_only_some_mentions_have_are_left_out_and_told(tmp_path: Path) -> None:
    corpus = parsed(FILE)
    found = clusters_of(corpus)
    some = replace(corpus, clusters=replace(found, head=found.head * np.array([1, 0, 1, 1])))
    said = fg.write(some, str(tmp_path / "x.conllu"))
    assert said[0] == "corefud holds no heads of mentions: they are left out"
    # but for the zero, which is its own head
    assert clusters_of(fg.read(str(tmp_path / "x.conllu"))).head.tolist() == [0, 0, 1001, 0]


def test_the_gum_gold_comes_back_byte_for_byte_whole_and_in_parts(shared: Path) -> None:
    for name in ("gold", "gold-gum-native"):
        path = shared / "data" / "coreference" / "corefud-gum" / f"{name}.conllu.gz"
        text = gzip.decompress(path.read_bytes()).decode()
        corpus = fg.read(str(path))
        assert corefud.write(corpus) == text
        assert corpus.documents is not None
        parts = [
            corefud.write(part(corpus, np.flatnonzero(corpus.documents == number)))
            for number in range(corpus.n_documents)
        ]
        assert "".join(parts) == text
