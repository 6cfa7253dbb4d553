"""Bad input ends with exit code 3 and a message that says where, what and how to fix it.

Nothing appears on standard output, no file is touched or left behind, no traceback is shown; and
no truncated file ever gets a score.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from finegrain import cli
from tests.conftest import Run

GOLD = b"New B-LOC\nYork I-LOC\n\nsleeps O\nnow O\n"  # lines 1, 2, 4, 5
SPANS = b"LOC\t1\t2\t1, 2\n\nPER\t1\t3\t1, 2, 3\n"
MEND_TEXT = "Gold and system must have the same tokens in the same sentences."
MEND_COLUMNS = "Columns must not be empty; a blank line ends a sentence."
MEND_PREFIX = "Give the right --scheme or column, or use --task tags for plain labels."


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @classmethod
    def of(cls, done: subprocess.CompletedProcess[str]) -> Ran:
        return cls(done.returncode, done.stdout, done.stderr)


class Case(NamedTuple):
    """A faulty system ``s``, or a faulty gold ``g``, and what is said about it."""

    message: str
    mend: str
    system: bytes = GOLD
    gold: bytes = GOLD
    options: tuple[str, ...] = ()
    files: tuple[str, ...] = ("g", "s")


CASES = {
    "fewer sentences": Case(
        "s:2: the file ends after 1 sentence and 2 tokens; the gold has 2 and 4 "
        "(it continues at g:4).",
        MEND_TEXT,
        b"New B-LOC\nYork I-LOC\n",
    ),
    "more sentences": Case(
        "s:7: the file continues with 'Well' after the gold's last token; "
        "it has 5 tokens in 3 sentences, the gold 4 in 2.",
        MEND_TEXT,
        GOLD + b"\nWell O\n",
    ),
    "fewer sentences in span lines": Case(
        "s: 1 sentence, but the gold (g) has 2.", MEND_TEXT, b"LOC\t1\t2\t1, 2\n", SPANS
    ),
    "fewer tokens": Case("s:4: the file ends after 2 sentences", MEND_TEXT, GOLD[:-6]),
    "a sentence cut in two": Case(
        "s:3: sentence 1 ends before 'York'; in the gold it continues (g:2).",
        MEND_TEXT,
        GOLD.replace(b"York", b"\nYork"),
    ),
    "a token mismatch": Case(
        "s:4: 'slept' where the gold has 'sleeps' (sentence 2, token 1; g:4).",
        MEND_TEXT,
        GOLD.replace(b"sleeps", b"slept"),
    ),
    "a missing column": Case(
        "s:4: expected 2 space-separated columns, found 1.",
        MEND_COLUMNS,
        GOLD.replace(b"sleeps O", b"sleeps"),
    ),
    "an extra column": Case(
        "s:2: expected 2 space-separated columns, found 3.",
        MEND_COLUMNS,
        GOLD.replace(b"York", b"York NNP"),
    ),
    "an empty column": Case(
        "s:2: column 2 (tags) is empty.", "Write O", b"New\tB-LOC\nYork\t\n\nsleeps\tO\nnow\tO\n"
    ),
    "a missing column in span lines": Case(
        "s:3: expected 4 tab-separated columns, found 3.",
        "Write: label, first token, last token, token list.",
        SPANS.replace(b"\t1, 2, 3", b""),
        SPANS,
    ),
    "an unknown prefix": Case(
        "s:2: tag 'X-LOC' has no prefix of the scheme iob2 (B-, I- or O).",
        MEND_PREFIX,
        GOLD.replace(b"I-LOC", b"X-LOC"),
    ),
    "a prefix of another scheme": Case(
        "s:1: tag 'B-LOC' has no prefix of the scheme io (I- or O).",
        MEND_PREFIX,
        GOLD,
        GOLD.replace(b"B-", b"I-"),
        ("--scheme", "io"),
    ),
    "ill-formed tags in a system": Case(
        "s:1: tag 'I-LOC' is ill-formed in the scheme iob2.",
        "Fix the tag, or choose --policy conlleval or discard.",
        GOLD.replace(b"B-", b"I-"),
        GOLD,
        ("--policy", "error"),
    ),
    "ill-formed tags in the gold": Case(
        "g:2: tag 'I-PER' is ill-formed in the scheme iob2.",
        "Fix the tag, or choose --policy conlleval or discard.",
        GOLD,
        GOLD.replace(b"I-LOC", b"I-PER"),
        ("--policy", "error"),
    ),
    "end before begin": Case(
        "s:3: the span ends (1) before it begins (3).",
        "Swap the two columns?",
        SPANS.replace(b"1\t3", b"3\t1"),
        SPANS,
    ),
    "not UTF-8": Case(
        # b"New B-LOC\n" are 10 bytes, and "Y" is one more
        "s:2: not UTF-8: byte 0xf6 at byte offset 11.",
        "Convert the file, e.g. iconv",
        GOLD.replace(b"York", b"Y\xf6rk"),
    ),
    "an empty system": Case("s: the file is empty.", "Check how it was written.", b""),
    "an empty gold": Case("g: the file is empty.", "Check how it was written.", GOLD, b" \n\n"),
    "a directory": Case("d: this is a directory.", "Name a file in it.", files=("g", "d")),
    "no such file": Case("no: no such file.", "Check the path.", files=("g", "no")),
    "a truncated gz": Case(
        "s: damaged gzip file", "Copy or compress it again.", gzip.compress(GOLD)[:-5]
    ),
    "a damaged gz": Case(
        "s: damaged gzip file", "Copy or compress it again.", b"\x1f\x8b and so on"
    ),
    "two systems with one name": Case(
        "d/s: two systems are called 's' (the other is s).",
        "Name them apart: name=path.",
        files=("g", "s", "d/s"),
    ),
    "two systems given one name": Case(
        "d/s: two systems are called 'crf' (the other is s).",
        "Name them apart: name=path.",
        files=("g", "crf=s", "crf=d/s"),
    ),
    "two systems whose names look the same": Case(
        "d/s: two systems look the same: 'crf' and 'crf\\u200b ' (the other is s).",
        "Name them apart: name=path.",
        files=("g", "crf=s", "crf\u200b =d/s"),
    ),
    "of two systems one without a name": Case(
        "s: a system without a name.", "Name it: name=path.", files=("g", "s", " =s")
    ),
}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Caller:
    """Runs the same ``main`` in this process, where many runs are wanted."""

    def __init__(self, patch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[str]) -> None:
        self.patch = patch
        self.capture = capture

    def __call__(self, *arguments: str) -> Ran:
        self.patch.setattr(sys, "argv", ["finegrain", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = self.capture.readouterr()
        return Ran(ended.value.code or 0, out, err)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Caller:
    return Caller(monkeypatch, capsys)


def lay_out(folder: Path, case: Case) -> None:
    (folder / "g").write_bytes(case.gold)
    (folder / "s").write_bytes(case.system)
    (folder / "d").mkdir()
    (folder / "d" / "s").write_bytes(case.system)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def assert_refused(ran: Ran, case: Case) -> None:
    assert ran.code == 3, ran
    assert ran.out == ""
    assert f"error: {case.message}" in ran.err
    assert case.mend in ran.err
    assert "Traceback" not in ran.err


@every_case
def test_bad_input_is_refused_with_place_fault_and_cure(
    case: Case, run: Run, tmp_path: Path
) -> None:
    lay_out(tmp_path, case)
    (tmp_path / "out.json").write_bytes(b"from an earlier run")
    before = contents(tmp_path)
    done = run("score", *case.files, *case.options, "--output", "out.json")
    assert_refused(Ran.of(done), case)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("command", ["score", "errors", "confusion"])
@every_case
def test_every_analysis_refuses_it(case: Case, command: str, folder: Path, call: Caller) -> None:
    lay_out(folder, case)
    before = contents(folder)
    assert_refused(call(command, *case.files, *case.options, "--format", "json"), case)
    assert contents(folder) == before


def test_nothing_is_written_where_nothing_was(folder: Path, call: Caller) -> None:
    lay_out(folder, CASES["a token mismatch"])
    before = contents(folder)
    assert call("score", "g", "s", "-o", "new.json").code == 3
    assert contents(folder) == before


def test_the_faulty_system_is_found_among_others(folder: Path, call: Caller) -> None:
    case = CASES["a token mismatch"]
    lay_out(folder, case)
    assert_refused(call("score", "g", "fine=g", "bad=s", "last=g"), case)


def test_many_faults_of_one_file_are_told_at_once(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(GOLD)
    (folder / "s").write_bytes(b"New B-LOC\nYork\n\nsleeps V O\nnow O\n")
    ran = call("score", "g", "s")
    assert (ran.code, ran.out) == (3, "")
    assert "s:2: expected 2 space-separated columns, found 1." in ran.err
    assert "s:4: expected 2 space-separated columns, found 3." in ran.err


def test_all_ill_formed_tags_are_told_under_the_policy_error(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(b"a B-X\nb O\n\nc O\nd O\n")
    (folder / "s").write_bytes(b"a I-X\nb I-Y\n\nc O\nd I-X\n")
    ran = call("score", "g", "s", "--policy", "error")
    assert (ran.code, ran.out) == (3, "")
    assert [line.split(": ")[-2] for line in ran.err.splitlines()] == ["s:1", "s:2", "s:5"]


def test_standard_input_is_checked_like_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(GOLD)
    ran = Ran.of(run("score", "g", "-", stdin=GOLD.decode().replace("York", "Yark")))
    assert (ran.code, ran.out) == (3, "")
    assert "error: standard input:2: 'Yark' where the gold has 'York'" in ran.err
    ran = Ran.of(run("score", "g", "-", stdin=""))
    assert (ran.code, ran.out) == (3, "")
    assert "error: standard input: the file is empty." in ran.err


# check looks at files one by one, and trusts the gold
CHECKED = {
    name: case
    for name, case in CASES.items()
    if "two systems" not in name and not case.message.startswith("g:")
}


@pytest.mark.parametrize("case", CHECKED.values(), ids=CHECKED)
def test_check_finds_it_too(case: Case, folder: Path, call: Caller) -> None:
    lay_out(folder, case)
    ran = call("check", case.files[1], "--against", "g", "--task", "spans", *case.options)
    assert ran.code == 3
    assert case.message in ran.out + ran.err
    assert "Traceback" not in ran.err


# A corpus of 20 sentences whose last tag is O: every proper beginning of the file lacks something.
SENTENCE = "In\tO\nNew\tB-LOC\nYork\tI-LOC\nAda\tB-PER\n#sleeps\tO\n.\tO\n"
LONG = "\n".join([SENTENCE] * 20).encode()


def test_no_truncated_system_gets_a_score(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(LONG)
    lines = LONG.decode().splitlines(keepends=True)
    assert len(lines) == 139
    cuts = []
    for count in range(10, len(lines), 10):
        whole = sum(len(line) for line in lines[:count])
        half = len(lines[count]) // 2
        cuts += [whole, whole - 1, whole + half, whole + half - 1]
    for cut in cuts:
        (folder / "s").write_bytes(LONG[:cut])
        ran = call("score", "g", "s")
        assert (ran.code, ran.out) == (3, ""), cut
        assert "error: s:" in ran.err, cut


def test_not_even_one_byte_may_be_missing(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(LONG)
    body = LONG.rstrip(b"\n")  # the last newline may be missing
    (folder / "s").write_bytes(body)
    assert call("score", "g", "s").code == 0
    for cut in range(len(body) - len(SENTENCE), len(body)):
        (folder / "s").write_bytes(body[:cut])
        ran = call("score", "g", "s", "--task", "tags")
        assert (ran.code, ran.out) == (3, ""), body[cut - 20 : cut]


def test_no_truncated_span_lines_get_a_score(folder: Path, call: Caller) -> None:
    whole = b"LOC\t1\t2\t1, 2\nPER\t2\t2\t2\n\nNONE\t999\t999\t999\n\nPER\t1\t12\t1, 2, 12\n"
    (folder / "g").write_bytes(whole)
    for cut in range(1, len(whole) - 1):
        (folder / "s").write_bytes(whole[:cut])
        ran = call("score", "g", "s", "--input", "spans")
        assert (ran.code, ran.out) == (3, ""), whole[:cut]


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_a_truncated_system_is_refused_by_the_real_command(
    compress: Callable[[bytes], bytes], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "g").write_bytes(LONG)
    data = compress(LONG)
    (tmp_path / "s").write_bytes(data[: len(data) // 2])
    ran = Ran.of(run("score", "g", "s"))
    assert (ran.code, ran.out) == (3, "")
    assert "error: s:" in ran.err
    assert "Traceback" not in ran.err


class Allowed(NamedTuple):
    note: str
    gold: bytes
    system: bytes
    files: tuple[str, ...] = ("g", "s")


ALLOWED = {
    "a label only a system uses": Allowed(
        "labels that only systems use: PER", GOLD, GOLD.replace(b"sleeps O", b"sleeps B-PER")
    ),
    "all-O gold": Allowed(
        "the gold standard has no spans",
        GOLD.replace(b"B-LOC", b"O").replace(b"I-LOC", b"O"),
        GOLD,
    ),
    "one path under two names": Allowed(
        "one and two are one file: s", GOLD, GOLD, ("g", "one=s", "two=s")
    ),
}


@pytest.mark.parametrize("case", ALLOWED.values(), ids=ALLOWED)
def test_what_is_odd_but_allowed_is_noted(case: Allowed, run: Run, tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(case.gold)
    (tmp_path / "s").write_bytes(case.system)
    ran = Ran.of(run("score", *case.files))
    assert ran.code == 0, ran.err
    assert f"note: {case.note}" in ran.out.splitlines()


@pytest.mark.parametrize("command", ["score", "errors", "confusion"])
@pytest.mark.parametrize("case", ALLOWED.values(), ids=ALLOWED)
def test_notes_are_part_of_the_json(
    case: Allowed, command: str, folder: Path, call: Caller
) -> None:
    (folder / "g").write_bytes(case.gold)
    (folder / "s").write_bytes(case.system)
    ran = call(command, *case.files, "--format", "json")
    assert ran.code == 0, ran.err
    assert case.note in json.loads(ran.out)["notes"]


def test_a_label_only_a_system_uses_is_noted_for_tags_too(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(b"a NN\nb VB\n")
    (folder / "s").write_bytes(b"a NN\nb XX\n")
    ran = call("score", "g", "s", "--format", "json")
    assert "labels that only systems use: XX" in json.loads(ran.out)["notes"]


def test_a_result_replaces_the_old_file_and_leaves_nothing_else(folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(GOLD)
    (folder / "out.json").write_bytes(b"old")
    assert call("score", "g", "s=g", "--output", "out.json").code == 0
    assert set(contents(folder)) == {"g", "out.json"}
    assert json.loads((folder / "out.json").read_text(encoding="utf-8"))["systems"] == ["s"]


@pytest.mark.parametrize("target", ["no/out.json", "d"])
def test_an_output_that_cannot_be_written_is_told(target: str, folder: Path, call: Caller) -> None:
    (folder / "g").write_bytes(GOLD)
    (folder / "d").mkdir()
    before = contents(folder)
    ran = call("score", "g", "s=g", "--output", target)
    assert (ran.code, ran.out) == (3, "")
    assert f"error: {target}: cannot be written (" in ran.err
    assert contents(folder) == before


def test_a_failure_while_writing_leaves_the_old_file(
    folder: Path, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "g").write_bytes(GOLD)
    (folder / "out.json").write_bytes(b"old")
    before = contents(folder)
    monkeypatch.setattr(Path, "replace", full)
    ran = call("score", "g", "s=g", "--output", "out.json")
    assert (ran.code, ran.out) == (3, "")
    assert "out.json: cannot be written (No space left on device)" in ran.err
    assert contents(folder) == before


def test_a_damaged_file_that_is_alone_is_told_as_such(run: Run, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(b"item,a,b\nq1,1\xac0\n")
    done = run("score", "table.csv")
    assert done.returncode == 3
    assert "table.csv:2: not UTF-8" in done.stderr
    (tmp_path / "tags.txt").write_text("Ada B-PER\n")
    done = run("score", "tags.txt")
    assert done.returncode == 2
    assert "tags.txt is the only file: give the gold file and at least one system" in done.stderr


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("item\ta\tb\nq\t1\t0\nr\t1\t" + "0" * 5_000 + "\n", "table:3: cell 3 is '000"),
        ("Ada\tB-PER\nmet\tX-" + "x" * 5_000 + "\n", "tag 'B-PER' has a prefix, 'X-xxx"),
        ("Ada " * 5_000 + "\n\nAda B-PER\n", "table:"),
    ],
    ids=["cell", "tag", "columns"],
)
def test_no_message_is_as_long_as_the_file(run: Run, tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "table").write_text(text)
    done = run("check", "table", cwd=tmp_path)
    assert done.returncode == 3
    assert what in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 1_000
