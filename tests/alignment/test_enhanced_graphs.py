"""Enhanced dependencies by hand, and against the definition of the shared tasks step by step."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.formats.conllu import read
from finegrain.formats.source import source_of
from tests.conftest import Run

Words = list[tuple[str, str]]  # form and DEPS
Way = tuple[str, tuple[str, ...], tuple[str, ...], str]  # from, labels, empty nodes on it, to


def _corpus(*sentences: Words, nodes: dict[int, str] | None = None) -> fg.Corpus:
    """``nodes``: DEPS of an empty node behind the word of this number, in every sentence."""
    lines = []
    for words in sentences:
        for number, (form, deps) in enumerate(words, 1):
            head = 0 if number == 1 else 1
            lines.append(f"{number}\t{form}\t_\t_\t_\t_\t{head}\tdep\t{deps}\t_")
            if nodes and number in nodes:
                lines.append(f"{number}.1\t_\t_\t_\t_\t_\t_\t_\t{nodes[number]}\t_")
        lines.append("")
    return read(source_of("memory", ("\n".join(lines) + "\n").encode()))


def _scores(gold: fg.Corpus, **systems: fg.Corpus) -> dict[str, dict[str, float | None]]:
    table = fg.align(gold, systems, task="dependencies")
    found = fg.score(table, ["elas", "elas_precision", "elas_recall", "eulas"]).to_json()
    return {
        name: {
            "elas": one["overall"]["elas"]["f1"], "p": one["overall"]["elas"]["precision"],
            "r": one["overall"]["elas"]["recall"], "eulas": one["overall"]["eulas"]["f1"],
        }
        for name, one in found.items()
    }  # fmt: skip


GOLD = [("she", "2:nsubj|4:nsubj:pass"), ("ran", "0:root"), ("and", "4:cc"), ("won", "2:conj:and")]


def test_arcs_by_hand() -> None:
    # gold has 5 arcs. The system has 4: 2:nsubj and 0:root are right; 4:nsubj is so but for its
    # subtype; 2:cc has another head, and won has none
    system = [("she", "2:nsubj|4:nsubj"), ("ran", "0:root"), ("and", "2:cc"), ("won", "_")]
    found = _scores(_corpus(GOLD), one=_corpus(system))["one"]
    assert found == pytest.approx({"elas": 4 / 9, "p": 2 / 4, "r": 2 / 5, "eulas": 6 / 9})


def test_paths_through_empty_nodes() -> None:
    # "coffee" hangs on the empty node 2.1, which is conj:and of word 1: the arc 1:conj:and>obj
    words = [("drank", "0:root"), ("tea", "1:obj"), ("coffee", "2.1:obj")]
    gold = _corpus(words, nodes={2: "1:conj:and"})
    other = _corpus(words, nodes={2: "1:conj:or"})
    flat = _corpus([*words[:2], ("coffee", "1:conj:and>obj")])
    found = _scores(gold, same=gold, other=other, flat=flat)
    assert found["same"]["elas"] == found["flat"]["elas"] == 1.0
    assert found["other"] == pytest.approx({"elas": 2 / 3, "p": 2 / 3, "r": 2 / 3, "eulas": 1.0})


def test_a_circle_of_empty_nodes_is_gone_through_once() -> None:
    # "b" hangs on 1.1, which hangs on itself and on "a": one path, 1:dep>obj
    words = [("a", "0:root"), ("b", "1.1:obj")]
    gold = _corpus(words, nodes={1: "1.1:dep|1:dep"})
    assert _scores(gold, same=gold)["same"]["elas"] == 1.0
    other = _corpus([("a", "0:root"), ("b", "1:obj")])
    assert _scores(gold, one=other)["one"] == {"elas": 0.5, "p": 0.5, "r": 0.5, "eulas": 0.5}


def test_an_arc_counts_once_however_often_it_is_written() -> None:
    # two ways through empty nodes with the same labels are one arc, as collapsing makes of them
    twice = [("a", "0:root"), ("b", "1.1:obj|2.1:obj|1:x|1:x")]
    once = [("a", "0:root"), ("b", "1.1:obj|1:x")]
    nodes = {1: "1:conj", 2: "1:conj"}
    found = _scores(_corpus(once, nodes=nodes), one=_corpus(twice, nodes=nodes))["one"]
    assert found == {"elas": 1.0, "p": 1.0, "r": 1.0, "eulas": 1.0}


def test_other_tokens_and_sentences() -> None:
    # "won't" is one word for the system: its arc is one too many, and an arc to it is wrong
    gold = _corpus([("she", "2:nsubj"), ("wo", "0:root"), ("n't", "2:advmod")])
    system = _corpus([("she", "2:nsubj"), ("won't", "0:root")])
    assert _scores(gold, one=system)["one"] == {"elas": 0.0, "p": 0.0, "r": 0.0, "eulas": 0.0}
    # the same numbers in other sentences are other words
    joined = _corpus([("a", "0:root"), ("b", "1:x"), ("c", "1:x"), ("d", "1:x")])
    apart = _corpus([("a", "0:root"), ("b", "1:x")], [("c", "1:x"), ("d", "1:x")])
    assert _scores(joined, one=apart)["one"]["elas"] == pytest.approx(2 / 4)


def test_without_the_column_there_is_no_score(run: Run, tmp_path: Path) -> None:
    without = _corpus([(form, "_") for form, _ in GOLD])
    assert set(_scores(_corpus(GOLD), none=without)["none"].values()) == {None}
    assert set(_scores(without, same=without)["same"].values()) == {None}
    fg.write(_corpus(GOLD), str(tmp_path / "g.conllu"))
    fg.write(without, str(tmp_path / "s.conllu"))
    asked = ("--task", "dependencies", "--metric", "elas", "--no-intervals")
    done = run("score", "g.conllu", "g=g.conllu", "s.conllu", *asked)
    assert done.returncode == 0, done.stderr
    assert "elas is undefined for some systems: no enhanced arcs" in done.stdout + done.stderr


class Graph(NamedTuple):
    """A sentence: forms, and the arcs of words (``1``) and empty nodes (``1.1``)."""

    forms: tuple[str, ...]
    arcs: dict[str, list[tuple[str, str]]]

    def lines(self) -> str:
        told = []
        for node in sorted(self.arcs, key=lambda one: [*map(int, one.split(".")), 0][:2]):
            form = "_" if "." in node else self.forms[int(node) - 1]
            head = "_\t_" if "." in node else "0\troot" if node == "1" else "1\tdep"
            deps = "|".join(f"{above}:{label}" for above, label in self.arcs[node]) or "_"
            told.append(f"{node}\t{form}\t_\t_\t_\t_\t{head}\t{deps}\t_\n")
        return "".join(told) + "\n"


def collapsed(graph: Graph) -> dict[int, set[tuple[int, str]]]:
    """What ``enhanced_collapse_empty_nodes.pl`` of the shared task makes of a graph.

    Step by step: an arc from an empty node is put together with every arc to that node, until no
    arc begins at an empty node; a way that passes an empty node twice is not followed.
    """
    edges: set[Way] = {
        (above, (label,), (), node) for node, arcs in graph.arcs.items() for above, label in arcs
    }
    done: set[Way] = set()
    waiting = {edge for edge in edges if "." not in edge[3]}
    while waiting:
        edge = above, labels, passed, word = waiting.pop()
        if "." not in above:
            done.add(edge)
        elif above not in passed:
            waiting |= {
                (over, (*more, *labels), (*passed, above), word)
                for over, more, _, node in edges
                if node == above
            }
    found: dict[int, set[tuple[int, str]]] = {
        int(node): set() for node in graph.arcs if "." not in node
    }
    for above, labels, _, word in done:
        found[int(word)].add((int(above), ">".join(labels)))
    return found


def naive(gold: Graph, system: Graph) -> dict[str, float]:
    """ELAS and EULAS as they are defined: words with the same characters, then arc by arc."""
    places = []
    for graph in (gold, system):
        ends = list(accumulate(map(len, graph.forms)))
        places.append(list(zip([0, *ends[:-1]], ends, strict=True)))
    same = {places[1].index(one) + 1: at for at, one in enumerate(places[0], 1) if one in places[1]}
    same[0] = 0  # the root
    ours, theirs = collapsed(gold), collapsed(system)
    right = {"elas": 0, "eulas": 0}
    for word, at in same.items():
        if not word:
            continue
        moved = [(same.get(head, -1), label) for head, label in sorted(theirs[word])]
        for name, said in (("elas", str), ("eulas", _universal)):
            left = [(head, said(label)) for head, label in ours[at]]
            for head, label in moved:
                if (head, said(label)) in left:  # every arc is right once
                    left.remove((head, said(label)))
                    right[name] += 1
    total = sum(len(arcs) for graph in (ours, theirs) for arcs in graph.values())
    return {name: 2 * count / total for name, count in right.items()}


def _universal(label: str) -> str:
    return ">".join(part.split(":")[0] for part in label.split(">"))


labels = st.sampled_from(["a", "a:x", "a:y", "b", "a>b:x"])


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A text of six letters in words of any length, with up to three empty nodes."""
    cuts = sorted(draw(st.sets(st.integers(1, 5))))
    forms = tuple("uvwxyz"[i:j] for i, j in zip([0, *cuts], [*cuts, 6], strict=True))
    empty = draw(st.sets(st.sampled_from(["1.1", "1.2", f"{len(forms)}.3"])))
    words = [str(number) for number in range(1, len(forms) + 1)]
    heads = st.sampled_from(["0", *words, *sorted(empty)])
    arcs = st.lists(st.tuples(heads, labels), max_size=3)
    return Graph(forms, {node: draw(arcs) for node in (*words, *sorted(empty))})


@settings(max_examples=200, deadline=None)
@given(graphs(), graphs() | st.none())
def test_against_the_definition_step_by_step(gold: Graph, system: Graph | None) -> None:
    """Other words, empty nodes on other empty nodes and in circles, arcs that are written twice."""
    other = system or gold._replace(arcs={**gold.arcs, "1": [("0", "root")]})
    key, answer = (read(source_of("memory", one.lines().encode())) for one in (gold, other))
    written = [
        {
            line.split("\t")[8]
            for line in one.lines().splitlines()
            if line and "." not in line.split("\t")[0]
        }
        for one in (gold, other)
    ]
    found = _scores(key, one=answer)["one"]
    if {"_"} in written:  # no word has an arc: there is no score
        assert found["elas"] is None
        return
    if any(not any(collapsed(one).values()) for one in (gold, other)):
        return  # all arcs lead to empty nodes without a head
    expected = naive(gold, other)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize("name", ["dependency/ewt", "coreference/corefud-gum"])
def test_treebanks_with_planted_errors_against_the_definition(shared: Path, name: str) -> None:
    """Real graphs, of which some lose arcs, heads or the parts of labels behind colons."""
    text = gzip.decompress((shared / "data" / name / "gold.conllu.gz").read_bytes()).decode()
    random = Random(7)
    changed = re.sub(
        r"(?m)^(\d+(?:\.\d+)?\t(?:[^\t\n]*\t){7})([^\t_]+)",
        lambda one: one[1] + _spoilt(one[2], random),
        text,
    )
    gold, system = _sentences(text), _sentences(changed)
    assert sum("." in node for graph in gold for node in graph.arcs) > 1
    right, total = Counter[str](), 0
    for one, other in zip(gold, system, strict=True):
        size = sum(len(arcs) for side in (one, other) for arcs in collapsed(side).values())
        right.update({kind: round(f1 * size / 2) for kind, f1 in naive(one, other).items()})
        total += size
    key, answer = (read(source_of("memory", one.encode())) for one in (text, changed))
    found = _scores(key, one=answer)["one"]
    for kind in ("elas", "eulas"):
        assert found[kind] == pytest.approx(2 * right[kind] / total)
        assert 0.5 < 2 * right[kind] / total < 0.95


def _spoilt(deps: str, random: Random) -> str:
    arcs = deps.split("|")
    how = random.random()
    if how < 0.1:
        return "0:root"
    if how < 0.2 and len(arcs) > 1:
        return "|".join(arcs[1:])
    if how < 0.4:
        return re.sub(r"(\d:\w+):[^|]*", r"\1", deps)
    return deps


def _sentences(text: str) -> list[Graph]:
    found = []
    for block in text.strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line[0].isdigit()]
        nodes = [row for row in rows if "-" not in row[0]]
        arcs = {
            row[0]: [(arc.partition(":")[0], arc.partition(":")[2]) for arc in row[8].split("|")]
            for row in nodes
        }
        forms = tuple(row[0] + "x" for row in nodes if "." not in row[0])  # words are the same
        found.append(Graph(forms, arcs))
    return found


def test_the_gold_of_ewt_is_its_own_best_answer(shared: Path) -> None:
    gold = fg.read(str(shared / "data/dependency/ewt/gold.conllu.gz"))
    found = _scores(gold, same=gold)["same"]
    assert set(found.values()) == {1.0}
