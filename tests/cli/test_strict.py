"""--strict: what was repaired, skipped or guessed ends with exit code 3, on every command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.cli.options import STRICT
from finegrain.cli.parser import every_command
from finegrain.corpus.notes import Doubt, Information, doubts, told_of
from finegrain.perturbed_copies import File, Wanted, write_copies
from tests.conftest import Run

GOOD = "Ada B-PER\nslept O\n\n" * 6
ILL_FORMED = "Ada I-PER\nslept O\n\n" * 6
OPEN = GOOD.rstrip("\n")  # no last newline
ANSWERS = '{"answer": "[]"}\n' * 6
READING = (
    "report", "score", "errors", "confusion", "difference", "oracle", "difficulty", "features",
    "words", "invented", "triage", "buckets", "diagnose", "significance", "seeds", "slices",
    "gate", "robustness", "agreement", "show", "align", "explore", "study", "repeats",
)  # fmt: skip
ALONE = (
    "describe", "convert", "split", "check", "suite", "crowd", "validate", "perturb", "ground",
    "rsa", "probe", "vectors",
)  # fmt: skip
NOTHING_TO_READ = ("behave", "list", "simulate", "demo")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    for name, text in (("gold", GOOD), ("good", GOOD), ("ill", ILL_FORMED), ("open", OPEN)):
        (tmp_path / f"{name}.conll").write_text(text)
        (tmp_path / f"{name}.toml").write_text(
            f'[datasets.one]\ngold = "gold.conll"\nsystems = {{ a = "{name}.conll" }}\n'
        )
    rows = [(f"w{at}", f"q{one}", "ab"[at % 2]) for at in range(3) for one in range(8)]
    workers = "annotator\titem\tlabel\n" + "".join("\t".join(row) + "\n" for row in rows)
    values = [(f"q{one}", name, str(one)) for name in ("one", "two") for one in range(8)]
    metric = "item,system,value\n" + "".join(",".join(row) + "\n" for row in values)
    rated = "rater,item,system,score\n" + "".join(f"w,{','.join(row)}\n" for row in values)
    (tmp_path / "ratings.csv").write_text(rated)
    vectors = "".join(f"q{at} {at / 2} {at % 3}.5 {at % 5}\n" for at in range(12))
    kinds = "id,label\n" + "".join(f"q{at},{'ab'[at % 2]}\n" for at in range(12))
    (tmp_path / "pairs.csv").write_text("q1,q2,1\nq2,q3,5\nq3,q4,2\n")
    (tmp_path / "kinds.csv").write_text(kinds)
    (tmp_path / "gold.vec").write_text(vectors)
    for name, end in (("good", "\n"), ("open", "")):
        (tmp_path / f"{name}.vec").write_text(vectors.rstrip("\n") + end)
        (tmp_path / f"{name}.tsv").write_text(workers.rstrip("\n") + end)
        (tmp_path / f"{name}.answers").write_text(ANSWERS.rstrip("\n") + end)
        (tmp_path / f"{name}.csv").write_text(metric.rstrip("\n") + end)
    write_copies(File.of(str(tmp_path / "gold.conll")), str(tmp_path / "copies"), [Wanted("upper")])
    for name, text in (("good", GOOD), ("open", OPEN)):
        upper = text.replace("Ada", "ADA").replace("slept", "SLEPT")
        (tmp_path / "copies" / "upper" / f"{name}.conll").write_text(upper)
    return tmp_path


def _arguments(command: str, name: str) -> list[str]:
    """A call of a command whose system, or only file, is the one that is named."""
    alone = {
        "convert": [f"{name}.conll", f"out-{name}.jsonl"],
        "split": [f"{name}.conll", "-o", f"parts-{name}"],
        "perturb": [f"{name}.conll", "-o", f"copies-{name}"],
        "describe": [f"{name}.conll"],
        "check": [f"{name}.conll"],
        "suite": [f"{name}.toml", "--no-intervals"],
        "crowd": [f"{name}.tsv", "-q"],
        "ground": [f"{name}.answers", "--text", "gold.conll", "-o", f"out-{name}.jsonl"],
        "rsa": ["gold.vec", f"a={name}.vec", "-q", "--no-intervals"],
        "probe": ["kinds.csv", f"a={name}.vec", "-q", "--no-intervals", "--folds", "2"],
        "vectors": ["pairs.csv", f"a={name}.vec", "-p", f"similar-{name}"],
        "validate": ["ratings.csv", f"bleu={name}.csv", "-q"],
    }
    if command in alone:
        return [command, *alone[command]]
    own = {
        "align": ["-o", f"{name}.parquet"],
        "robustness": ["--copies", "copies"],
        "gate": ["--fail-if", "new_errors > 99"],
        "explore": ["--port", "1"],  # never got: data are refused before
    }
    systems = [f"a@1={name}.conll", "a@2=good.conll"] if command == "seeds" else []
    systems = systems or [f"a={name}.conll", "b=good.conll"]
    return [command, "gold.conll", *systems, "-q", *own.get(command, [])]


def test_every_command_that_reads_data_is_strict() -> None:
    commands = every_command()
    assert {one.name for one in commands} == {*READING, *ALONE, *NOTHING_TO_READ}
    assert {one.name for one in commands if STRICT in one.options} == {*READING, *ALONE}


@pytest.mark.parametrize("command", [*READING, *ALONE])
def test_doubtful_data_end_with_exit_code_3(run: Run, folder: Path, command: str) -> None:
    before = sorted(one.name for one in folder.iterdir())
    done = run(*_arguments(command, "open"), "--strict")
    assert done.returncode == 3, done.stderr
    said = done.stderr + (done.stdout if command == "check" else "")
    assert re.search(r"open\.\w+: the last line has no newline: is it complete\?", said)
    assert "--strict takes no data that had to be repaired, skipped or guessed." in said
    assert sorted(one.name for one in folder.iterdir()) == before


@pytest.mark.parametrize("command", ["score", "describe", "align", "convert", "split", "suite"])
def test_clean_data_are_the_same_with_and_without(run: Run, folder: Path, command: str) -> None:
    arguments = _arguments(command, "good")
    arguments[1:] = [one.replace("b=good.conll", "b=ill2.conll") for one in arguments[1:]]
    (folder / "ill2.conll").write_text(GOOD.replace("B-PER", "O", 1))
    lax = run(*arguments)
    for made in ("parts-good", "out-good.jsonl"):
        (folder / made).rename(folder / f"{made}-lax") if (folder / made).exists() else None
    strict = run(*arguments, "--strict")
    assert (strict.returncode, strict.stdout) == (0, lax.stdout), strict.stderr


@pytest.mark.parametrize("policy", ["conlleval", "discard"])
def test_repaired_tags_are_refused(run: Run, policy: str) -> None:
    done = run("score", "gold.conll", "ill.conll", "-q", "--policy", policy, "--scheme", "iob2",
               "--strict")  # fmt: skip
    assert done.returncode == 3
    verb = "dropped" if policy == "discard" else "repaired"
    assert f"ill: 6 ill-formed tags {verb} (--policy error says where)" in done.stderr
    assert run("score", "gold.conll", "ill.conll", "-q").returncode == 0


def test_training_data_are_data(run: Run) -> None:
    files = ("buckets", "gold.conll", "good.conll", "-q", "--train", "ill.conll")
    options = ("--scheme", "iob2", "--by", "entity_frequency", "--no-intervals")
    assert run(*files, *options).returncode == 0
    done = run(*files, *options, "--strict")
    assert done.returncode == 3
    assert "--train: training data: 6 ill-formed tags" in done.stderr


def test_one_file_as_two_systems_is_refused(run: Run) -> None:
    done = run("score", "gold.conll", "a=good.conll", "b=good.conll", "-q", "--strict")
    assert done.returncode == 3
    assert "a and b are one file: good.conll" in done.stderr


def test_warnings_of_check_are_problems(run: Run) -> None:
    lax = run("check", "ill.conll", "--scheme", "iob2")
    assert (lax.returncode, lax.stdout.count("warning: ")) == (0, 6)
    strict = run("check", "ill.conll", "--scheme", "iob2", "--strict")
    assert strict.returncode == 3
    assert "6 problems" in strict.stderr


def test_information_is_no_doubt(run: Run, folder: Path) -> None:
    """A header, comments, labels that only a system uses: all is as it should be."""
    text = "token\ttags\n# a comment\nAda\tB-PER\nslept\tO\nBo\tB-PER\n"
    (folder / "h.tsv").write_text(text)
    (folder / "s.tsv").write_text(text.replace("B-PER", "B-LOC", 1))
    call = ("score", "h.tsv", "s.tsv", "--comment", "# ", "--no-intervals", "--format", "json")
    done = run(*call, "--strict")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["notes"][:3] == [
        "header line: token, tags",
        "1 comment lines passed over",
        "labels that only systems use: LOC",
    ]


def test_a_saved_table_remembers_the_kind_of_its_notes(run: Run, folder: Path) -> None:
    (folder / "h.tsv").write_text("token\ttags\nAda\tB-PER\nslept\tO\n")
    assert run("align", "h.tsv", "h2=h.tsv", "-o", "fine.parquet").returncode == 0
    assert run("score", "fine.parquet", "-q", "--strict").returncode == 0
    assert run("align", "gold.conll", "open.conll", "-o", "open.parquet").returncode == 0
    done = run("score", "open.parquet", "-q", "--strict")
    assert done.returncode == 3
    assert "open: the last line has no newline" in done.stderr


def test_python_is_strict_where_it_reads_and_aligns(folder: Path) -> None:
    with pytest.raises(fg.InputError, match="the last line has no newline"):
        fg.read(str(folder / "open.conll"), strict=True)
    gold, ill = (fg.read(str(folder / f"{name}.conll"), strict=True) for name in ("gold", "ill"))
    with pytest.raises(fg.InputError, match=r"ill: 6 ill-formed tags repaired"):
        fg.align(gold, {"ill": ill}, scheme="iob2", strict=True)
    assert len(fg.align(gold, {"good": gold}, strict=True)) == 6
    with pytest.raises(fg.InputError, match="1 ill-formed tag repaired"):
        fg.from_lists([["B-A", "O"]], [["I-A", "O"]], scheme="iob2", strict=True)
    assert len(fg.from_lists([["B-A", -100]], [["B-A", "O"]], strict=True)) == 1
    with pytest.raises(fg.InputError, match="the last line has no newline"):
        fg.Suite.read(str(folder / "open.toml"), strict=True).run()


def test_a_note_keeps_its_kind_with_a_name() -> None:
    told = told_of("crf", ["a", Information("b"), Doubt("c")])
    assert told == ["crf: a", "crf: b", "crf: c"]
    assert [type(one) for one in told] == [str, Information, Doubt]
    assert doubts(told) == ["crf: a", "crf: c"]
