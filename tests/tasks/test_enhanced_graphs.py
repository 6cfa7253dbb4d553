"""Enhanced dependencies by hand, through empty nodes, and against a loop over all pairs of arcs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.formats.conllu import read
from finegrain.formats.source import source_of
from tests.conftest import Run

Words = list[tuple[str, str]]  # form and DEPS


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


def test_a_circle_of_empty_nodes_ends() -> None:
    words = [("a", "0:root"), ("b", "1.1:obj")]
    gold = _corpus(words, nodes={1: "1.1:dep|1:dep"})
    assert _scores(gold, same=gold)["same"]["elas"] == 1.0


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


labels = st.sampled_from(["a", "a:x", "a:y", "b"])
deps = st.lists(st.tuples(st.integers(0, 4), labels), max_size=3, unique=True)
sentences = st.lists(deps, min_size=4, max_size=4)


@settings(max_examples=60, deadline=None)
@given(sentences, sentences)
def test_against_a_loop_over_pairs_of_arcs(
    ours: list[list[tuple[int, str]]], theirs: list[list[tuple[int, str]]]
) -> None:
    def corpus(rows: list[list[tuple[int, str]]]) -> fg.Corpus:
        told = ["|".join(f"{head}:{label}" for head, label in row) or "_" for row in rows]
        return _corpus(list(zip("wxyz", told, strict=True)))

    right = sum(len({*one} & {*other}) for one, other in zip(ours, theirs, strict=True))
    total = sum(map(len, ours)) + sum(map(len, theirs))
    found = _scores(corpus(ours), one=corpus(theirs))["one"]["elas"]
    some = all(sum(map(len, rows)) for rows in (ours, theirs))
    assert found == (pytest.approx(2 * right / total) if some else None)


def test_the_gold_of_ewt_is_its_own_best_answer(shared: Path) -> None:
    gold = fg.read(str(shared / "data/dependency/ewt/gold.conllu.gz"))
    found = _scores(gold, same=gold)["same"]
    assert set(found.values()) == {1.0}
