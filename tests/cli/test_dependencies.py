"""Every analysis on dependency trees, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.schema import require_schema

FILES = ("gold.conllu", "near.conllu", "careful.conllu")
KINDS = {"show": "shown", "score": "tag_scores"}  # command -> kind of result
TREES = ("--task", "dependencies", "--quiet")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    from finegrain.formats import conllu
    from finegrain.simulation import simulate_trees

    made = simulate_trees(tokens=1_500, systems={"near": ["long-arcs"], "careful": []})
    corpora = {"gold": made.gold, **made.systems}
    return {f"{name}.conllu": conllu.write(corpus) for name, corpus in corpora.items()}


@pytest.fixture
def folder(tmp_path: Path, simulated: dict[str, str]) -> Path:
    for name, text in simulated.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def result(run: Run, *arguments: str) -> Any:
    done = run(*arguments, *TREES, "--format", "json")
    assert done.returncode == 0, done.stderr
    parsed = json.loads(done.stdout)
    require_schema(parsed, KINDS.get(arguments[0], arguments[0]))
    return parsed["result"]


def test_the_simulation_is_written_as_trees(run: Run, tmp_path: Path) -> None:
    done = run("simulate", "play", "--task", "dependencies", "--tokens", "300", "-s", "a=long-arcs")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "play" / "a.conllu").read_text().startswith("# newdoc\n1\t")
    refused = run("simulate", "play", "-t", "dependencies", "--ill-formed", "0.5")
    assert refused.returncode == 2
    assert run("simulate", "play", "-t", "trees").returncode == 2


def test_score_and_errors(run: Run, folder: Path) -> None:
    scores = result(run, "score", *FILES, "--no-intervals")
    assert scores["near"]["overall"]["las"]["f1"] < scores["careful"]["overall"]["las"]["f1"]
    errors = result(run, "errors", *FILES)
    counts = errors["near"]["counts"]
    assert errors["near"]["heads"]["wrong"] == counts["HEAD"] + counts["BOTH"]
    assert "attached to" in run("errors", *FILES, *TREES).stdout


def test_difference_oracle_and_difficulty(run: Run, folder: Path) -> None:
    change = result(run, "difference", *FILES)
    gained = change["corrections"]["count"] - change["new_errors"]["count"]
    scores = result(run, "score", *FILES, "--no-intervals")
    delta = scores["careful"]["overall"]["las"]["f1"] - scores["near"]["overall"]["las"]["f1"]
    assert gained / change["units"] == pytest.approx(delta, abs=1e-12)
    oracle = result(run, "oracle", *FILES)
    best = max(one["overall"]["las"]["f1"] for one in scores.values())
    assert oracle["overall"]["correct"] / oracle["overall"]["units"] >= best
    whole = max(one["overall"]["sentence_las"] for one in scores.values())
    assert oracle["sentences"]["every_unit_covered"] >= whole  # the paper's table 10
    assert result(run, "difficulty", *FILES)


def test_buckets_significance_and_gate(run: Run, folder: Path) -> None:
    assert result(run, "buckets", *FILES, "--by", "arc_length", "--metric", "uas")
    tests = result(run, "significance", *FILES, "--metric", "las", "--seed", "1")
    assert tests["pairs"]
    for rule, code in (("las drops 0.1", 0), ("new_errors > 0", 1)):  # careful is better than near
        kept = run("gate", *FILES, *TREES, "--fail-if", rule)
        assert kept.returncode == code, (rule, kept.stdout, kept.stderr)


def test_show_finds_what_errors_count(run: Run, folder: Path) -> None:
    heads = result(run, "errors", *FILES)["near"]["heads"]["attached"]
    for place in ("grandparent", "sibling"):
        shown = result(run, "show", *FILES, "--where", f"attached[near]={place}")
        assert shown["found"] == heads[place] > 0
    moved = result(run, "errors", *FILES, "--moved", "3")["near"]["heads"]["moved"]
    assert list(moved) == ["1-3", "4+"]
    assert moved["4+"] == result(run, "show", *FILES, "--where", "moved[near] > 3")["found"] > 0
    wrong = run("show", *FILES, *TREES, "--where", "attached[near]=uncle")
    assert wrong.returncode == 2
    tags = run("show", *FILES, "--task", "tags", "--quiet", "--where", "attached=sibling")
    assert (tags.returncode, "is for dependencies" in tags.stderr) == (2, True)


def test_a_saved_table_knows_the_same(run: Run, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    assert run("align", *FILES, *TREES, "-o", "t.parquet").returncode == 0
    for command in ("errors", "difference"):
        done = run(command, "t.parquet", "--quiet", "--format", "json")
        assert json.loads(done.stdout)["result"] == result(run, command, *FILES)


BAD = """# sent_id = s1
1	a	a	X	_	_	2	dep	_	_
2	b	b	X	_	_	1	dep	_	_
3	c	c	X	_	_	0	root	_	_

1	d	d	X	_	_	0	root	_	_
2	e	e	X	_	_	0	root	_	_
3	f	f	X	_	_	9	dep	_	_
4	g	g	X	_	_	_	dep	_	_

"""


def test_check_tells_every_fault_of_a_tree_with_its_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_text(BAD)
    done = run("check", "bad.conllu", "--task", "dependencies")
    warned = [line for line in done.stdout.splitlines() if line.startswith("warning")]
    assert warned == [
        "warning: bad.conllu:2: a cycle: 1 -> 2 -> 1.",
        "warning: bad.conllu:7: the sentence has 2 roots: 1, 2.",
        "warning: bad.conllu:8: the head 9 lies outside of the sentence, which has 4 words.",
        "warning: bad.conllu:9: the word has no head.",
    ]
    assert "trees that are not all valid with 2 relations" in done.stdout


def test_check_says_once_that_no_word_has_a_head(run: Run, tmp_path: Path) -> None:
    lines = [line.split("\t") for line in BAD.splitlines()]
    bare = ["\t".join([*line[:6], "_", *line[7:]] if len(line) > 6 else line) for line in lines]
    (tmp_path / "bare.conllu").write_text("\n".join(bare) + "\n\n")
    done = run("check", "bare.conllu", "--task", "dependencies")
    warned = [line for line in done.stdout.splitlines() if line.startswith("warning")]
    assert warned == ["warning: bare.conllu:2: no word has a head."]


def test_metrics_asked_for_by_name_are_all_shown(run: Run, folder: Path) -> None:
    asked = "clas_precision,las_aligned_accuracy,elas,upos_recall"  # there are no enhanced arcs
    done = run("score", *FILES, *TREES, "--metric", asked)
    shown = [line.split() for line in done.stdout.splitlines()]
    assert shown[1][1:] == ["CLAS", "precision", "LAS", "aligned", "accuracy", "ELAS"]
    assert [line[3] for line in shown[2:4]] == ["n/a", "n/a"]
    assert ["system", "UPOS", "recall"] in shown


def test_a_misspelt_label_is_told_first_and_fills_no_table(run: Run, folder: Path) -> None:
    done = run("score", *FILES, *TREES, "--labels", "nsbj")
    notes = [line for line in done.stdout.splitlines() if line.startswith("note:")]
    assert notes[0] == "note: the label 'nsbj' occurs nowhere"
    assert sum("undefined: there is no unit" in note for note in notes) == 1
    assert len(notes) < 6
    assert "n/a" not in done.stdout


def test_titles_write_las_in_capitals(run: Run, folder: Path) -> None:
    assert "\nLAS F1 by label\n" in run("score", *FILES, *TREES).stdout


def test_agreement_on_heads_and_relations_is_las(run: Run, folder: Path) -> None:
    found = result(run, "agreement", *FILES)["views"]["heads and relations"]
    scores = result(run, "score", *FILES)
    agreed = {(two["first"], two["second"]): two["measures"] for two in found["pairs"]}
    for name in ("near", "careful"):
        assert agreed["gold", name]["percent"]["value"] == scores[name]["overall"]["las"]["f1"]
    assert list(found["together"]) == list(agreed["near", "careful"]) == ["percent"]
    told = run("agreement", *FILES, *TREES).stdout
    assert "heads and relations: agreement" in told
    assert "note: units: relations only" in told


WHOLE = BAD.replace("1\tdep", "3\tdep").replace("9\tdep", "1\tdep").replace("_\tdep", "1\tdep")


def test_no_annotator_of_trees_is_the_gold_standard(run: Run, tmp_path: Path) -> None:
    """The first may have words without a head, as the others, and is not called gold."""
    (tmp_path / "ann.conllu").write_text(BAD)
    (tmp_path / "ben.conllu").write_text(WHOLE)
    (tmp_path / "cho.conllu").write_text(BAD)
    agreed, notes = [], []
    for files in (("ann", "ben"), ("ben", "ann"), ("ann", "cho")):
        names = [f"{name}.conllu" for name in files]
        done = run("agreement", *names, *TREES, "--no-intervals", "--format", "json")
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        trees = document["result"]["views"]["heads and relations"]
        agreed.append(trees["together"]["percent"]["value"])
        notes.append({note for note in document["notes"] if note.startswith(("ann", "gold"))})
    # of 7 words the heads of b, f and g differ; the two without a head have not the same one
    assert agreed == [4 / 7, 4 / 7, 5 / 7]
    assert notes[0] == notes[1] == notes[2]
    assert "ann: 2 words have no head in the sentence, the first: line 8" in notes[0]
    scored = run("score", "ann.conllu", "ben.conllu", *TREES)
    assert (scored.returncode, "must be complete" in scored.stderr) == (3, True)


def test_the_task_of_chains_with_trees_is_asked_for_with_all_there_are(
    run: Run, tmp_path: Path
) -> None:
    lines = [
        "# global.Entity = eid-etype-head-other",
        "1\ta\ta\tX\t_\t_\t0\troot\t_\tEntity=(e1--1)",
    ]
    (tmp_path / "g.conllu").write_text("\n".join(lines) + "\n\n")
    done = run("score", "g.conllu", "g.conllu")
    assert done.returncode == 3
    assert "--task coreference, --task tags or, for trees, --task dependencies" in done.stderr


TOKENS = "1\t{}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("documents", [("", ""), ("# newdoc id = a\n", "# newdoc id = b\n")])
def test_other_words_without_a_task_name_the_task_of_trees(
    run: Run, tmp_path: Path, documents: tuple[str, str]
) -> None:
    for name, start, word in zip("gs", documents, ("wi-fi", "wifi"), strict=True):
        (tmp_path / name).write_text(start + TOKENS.format(word))
    done = run("score", "g", "s")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.endswith(" Of trees, words may differ: --task dependencies.\n")
    for name, word in zip("gs", ("wi-fi", "wifi"), strict=True):  # words that are no trees
        (tmp_path / name).write_text(f"{word}\tX\n")
    assert "--task" not in run("score", "g", "s").stderr


@pytest.mark.parametrize("treebank", ["conll17-en", "conll17-en_pud"])
def test_submissions_to_a_shared_task_are_told_of_the_task(
    run: Run, shared: Path, treebank: str
) -> None:
    gold, *systems = sorted((shared / "data" / "dependency" / treebank).glob("*.conllu.gz"))
    assert len(systems) >= 3
    for system in systems:
        done = run("score", str(gold), str(system))
        assert done.returncode == 3
        assert "--task dependencies" in done.stderr
