"""Names, labels and tokens that would move a terminal: no command lets them through."""

from __future__ import annotations

import gc
import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from finegrain.behaviour import cases_of, read_suite
from finegrain.cli import main
from finegrain.cli.parser import every_command
from finegrain.cli.standard_streams import tell
from finegrain.perturbed_copies import File, Wanted, write_copies

ESCAPE = "\x1b]0;title\x07\x1b[2J"  # sets the title, clears the screen
NASTY = f"{ESCAPE}\x9b31m\u202e\u2066\x7f\r\b\u2028"
NAME = f"a{NASTY}\nINJECTED"
OTHER = f"b{NASTY}\nINJECTED"
HIDDEN = {"Cc", "Cf", "Zl", "Zp"}
STYLE = re.compile(r"\x1b\[[0-9;]*m")  # colours and bold, which are ours
WORDS = [f"Ada{NASTY}", "saw", f"\u202eBo{ESCAPE}", "."]
PER, LOC = f"PER{NASTY}", f"LOC{ESCAPE}"
GOLD = [f"B-{PER}", "O", f"B-{LOC}", "O"]
FIRST = [f"B-{PER}", "O", f"B-{PER}", f"B-{LOC}"]
SECOND = ["O", "O", f"B-{LOC}", f"B-{LOC}"]
TABLE = ("table", "csv", "latex", "markdown", "json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files whose names, words and labels are nasty."""
    made = tmp_path_factory.mktemp("hostile")
    for name, tags in (("gold", GOLD), ("first", FIRST), ("second", SECOND)):
        lines = [json.dumps({"id": f"d{NASTY}{one}", "tokens": WORDS, "tags": tags})
                 for one in range(8)]  # fmt: skip
        (made / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (made / f"{name}{NASTY}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (made / f"bad{NASTY}.jsonl").write_text(f'{{"tokens": ["{NASTY[-1]}"], "tags": 3}}\n')
    (made / "labels.tsv").write_text(f"item\tann{ESCAPE}\tben\n1\tx{ESCAPE}\ty\n2\ty\ty\n")
    (made / "meta.tsv").write_text(f"sentence\tdomain\n1\tnews{ESCAPE}\n2\tchat\n")
    (made / "crowd.tsv").write_text(
        "annotator\titem\tlabel\n"
        + "".join(f"w{at}{ESCAPE}\tq{one}\tx{ESCAPE}\n" for at in range(3) for one in range(8))
    )
    ratings = "".join(f"w\tq{at}{ESCAPE}\tone{ESCAPE}\t{at}\n" for at in range(8))
    more = "".join(f"w\tq{at}{ESCAPE}\ttwo\t{at % 3}\n" for at in range(8))
    (made / "ratings.tsv").write_text(f"rater\titem\tsystem\tscore\n{ratings}{more}")
    both = (ratings + more).replace("w\t", "")
    (made / "bleu.tsv").write_text(f"item\tsystem\tvalue\n{both}")
    write_copies(File.of(str(made / "gold.jsonl")), str(made / "copies"), [Wanted("upper")])
    copy = made / "copies" / "upper"
    for name, tags in (("first", GOLD), ("second", FIRST)):
        text = (copy / "gold.jsonl").read_text(encoding="utf-8")
        changed = text.replace(json.dumps(GOLD, ensure_ascii=False), json.dumps(tags))
        (copy / f"{name}.jsonl").write_text(changed, encoding="utf-8")
    (made / "behave.toml").write_text(
        f"labels = ['a', {json.dumps(NASTY)}]\n[lexicons]\nword = [{json.dumps(NAME)}, 'x']\n"
        f"[[tests]]\nname = {json.dumps(NAME)}\ncapability = {json.dumps(ESCAPE)}\n"
        "kind = 'mft'\ntemplate = 'is {word} so'\nexpect = 'a'\n"
    )
    inputs = [one.id for case in cases_of(read_suite(str(made / "behave.toml")))
              for one in case.inputs]  # fmt: skip
    (made / "predictions.jsonl").write_text(
        "".join(json.dumps({"id": one, "label": NASTY}) + "\n" for one in inputs)
    )
    for name in ("labels", "answers"):
        rows = [f"q{at},{run},x{ESCAPE}\n" for at in range(8) for run in range(3)]
        once = [f"q{at},x{ESCAPE if at % 2 else ''}\n" for at in range(8)]
        repeated = ["id,run,label\n", *rows] if name == "answers" else ["id,label\n", *once]
        (made / f"{name}.csv").write_text("".join(repeated))
    (made / "plain.jsonl").write_text(
        json.dumps({"id": f"d{NASTY}", "text": " ".join(WORDS)}) + "\n"
    )
    answer = json.dumps([{"text": f"Ada{NASTY}", "type": PER}, {"text": NAME, "type": LOC}]) + ","
    (made / "said.jsonl").write_text(json.dumps({"id": f"d{NASTY}", "answer": answer}) + "\n")
    (made / "bad.jsonl").write_text(json.dumps({"id": NAME, "answer": answer}) + "\n")
    numbers = "".join(f"q{at},{at / 2}\n" for at in range(8))
    vectors = [json.dumps({"id": f"q{at}{NASTY}", "vector": [at, 1.5, at * at]})
               for at in range(12)]  # fmt: skip
    (made / "vectors.jsonl").write_text("\n".join(vectors) + "\n")
    kinds = [json.dumps({"id": f"q{at}{NASTY}", "label": f"{'ab'[at % 2]}{ESCAPE}"})
             for at in range(12)]  # fmt: skip
    (made / "words.csv").write_text(f"a{ESCAPE},b{ESCAPE},1\nb{ESCAPE},c{ESCAPE},2\n")
    (made / "words.vec").write_text(
        "".join(f"{word}{ESCAPE} 1 {at}.5 2\n" for at, word in enumerate("abc"))
    )
    (made / "kinds.jsonl").write_text("\n".join(kinds) + "\n")
    (made / "numbers.csv").write_text(f"id,score\n{numbers}")
    (made / "suite.toml").write_text(
        "".join(
            f"[datasets.{json.dumps(name)}]\ngold = 'gold.jsonl'\n"
            f"[datasets.{json.dumps(name)}.systems]\n"
            f"{json.dumps(NAME)} = 'first.jsonl'\n{json.dumps(OTHER)} = 'second.jsonl'\n"
            for name in ("news\x1b[2J", "chat\u202e")
        )
    )
    return made


FILES = ("gold.jsonl", f"{NAME}=first.jsonl", f"{OTHER}=second.jsonl")
AGAIN = (f"gold{NASTY}.jsonl", f"first{NASTY}.jsonl")
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "report": [(*FILES, "--title", NAME)],
    "explore": [("no.parquet",)],  # a server: tests/explorer
    "score": [FILES, (*FILES, "--by", "document"), ("--schemes", "all", *FILES), AGAIN],
    "errors": [(*FILES, "--examples", "2")],
    "confusion": [FILES],
    "difference": [(*FILES, "--examples", "2"), (*FILES, "third=gold.jsonl")],
    "oracle": [FILES],
    "difficulty": [FILES],
    "features": [(*FILES, "--attribute", "domain=meta.tsv")],
    "words": [FILES, (*FILES, "--word", f"Ada{NASTY}")],
    "invented": [FILES],
    "triage": [FILES],
    "buckets": [(*FILES, "--attribute", "domain=meta.tsv", "--by", "label", "--train", FILES[0])],
    "diagnose": [(*FILES, "--train", FILES[0]), (*FILES, "--system", NAME)],
    "suite": [("suite.toml",)],
    "describe": [("gold.jsonl", "--train", "first.jsonl"), (f"gold{NASTY}.jsonl",)],
    "study": [("numbers.csv", f"{NAME}=numbers.csv", "--of", "residuals"),
              ("ratings.tsv", "--of", "raters")],
    "repeats": [("labels.csv", f"{NAME}=answers.csv")],
    "validate": [("ratings.tsv", f"{NAME}=bleu.tsv", f"{OTHER}=bleu.tsv")],
    "crowd": [("crowd.tsv",)],
    "rsa": [("vectors.jsonl", f"{NAME}=vectors.jsonl", "--intervals", "20")],
    "vectors": [("words.csv", f"{NAME}=words.vec")],
    "probe": [("kinds.jsonl", f"{NAME}=vectors.jsonl", "--folds", "2", "--seeds", "1",
               "--intervals", "20")],
    "significance": [(*FILES, "--resamples", "100")],
    "seeds": [("gold.jsonl", f"{NAME}@1=first.jsonl", f"{NAME}@2=second.jsonl")],
    "slices": [(*FILES, "--resamples", "100")],
    "robustness": [(*FILES, "--copies", "copies", "--resamples", "100")],
    "behave": [("score", "behave.toml", f"{NAME}=predictions.jsonl")],
    "gate": [(*FILES, "--fail-if", "new_errors > 0"), (*FILES, "--fail-if", NAME)],
    "agreement": [FILES, ("labels.tsv",)],
    "show": [FILES, (*FILES, "--where", f"gold={NASTY}")],
    "align": [(*FILES, "-o", f"table{NASTY}.parquet")],
    "check": [AGAIN, (f"bad{NASTY}.jsonl",), (f"nosuch{NASTY}.jsonl",)],
    "convert": [(f"gold{NASTY}.jsonl", f"out{NASTY}.conll")],
    "ground": [("said.jsonl", "--text", "plain.jsonl", "-o", f"model{NASTY}.jsonl", "--repair"),
               ("bad.jsonl", "--text", "plain.jsonl", "-o", "m.jsonl")],
    "split": [("--check", *AGAIN), (f"gold{NASTY}.jsonl", "-o", f"parts{NASTY}")],
    "perturb": [(f"gold{NASTY}.jsonl", "-o", f"copies{NASTY}")],
    "list": [("metrics", NASTY), (NASTY,)],
    "simulate": [(f"play{NASTY}", "--tokens", "100", "--system", f"x{ESCAPE}=")],
    "demo": [("--directory", f"demo{NASTY}", "--tokens", "1000")],
}  # fmt: skip
NO_FORMATS = (
    "vectors",
    "explore",
    "align",
    "check",
    "convert",
    "list",
    "perturb",
    "simulate",
    "demo",
)
FURTHER = {"show": ("table", "json", "csv", "jsonl", "tsv"), "triage": (*TABLE, "jsonl", "tsv")}


class _Terminal(io.StringIO):
    """A standard output that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    streams = sys.stdout, sys.stderr
    yield
    sys.stdout, sys.stderr = streams
    gc.enable()


def _printed(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str, terminal: bool = False
) -> tuple[str, str]:
    """What a command writes to both streams."""
    out, err = _Terminal() if terminal else io.StringIO(), io.StringIO()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PAGER", "no-such-pager")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys, "argv", ["finegrain", *arguments])
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    try:
        main()
    except SystemExit as end:
        assert end.code in (None, 0, 1, 2, 3), arguments  # noqa: PT017 - how a command ends
    return out.getvalue(), err.getvalue()


def _require_harmless(text: str, *, allowed: str = "\n") -> None:
    hidden = {char for char in text if unicodedata.category(char) in HIDDEN} - set(allowed)
    assert not hidden, repr(text)
    assert not any(line.startswith("INJECTED") for line in text.split("\n")), text


def test_every_command_is_driven() -> None:
    assert set(COMMANDS) == {one.name for one in every_command()}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_hidden_reaches_the_terminal(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, arguments in enumerate(COMMANDS[command]):
        forms = () if command in NO_FORMATS or place else FURTHER.get(command, TABLE)
        for form in forms or ("",):
            chosen = ("--format", form) if form else ()
            out, err = _printed(monkeypatch, folder, command, *arguments, *chosen)
            _require_harmless(out, allowed="\n\t" if form == "tsv" else "\n")
            _require_harmless(err)
            assert out if forms else out or err, err
            assert "Traceback" not in err
            if form == "json":
                json.loads(out)


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in NO_FORMATS])
def test_styles_are_all_that_a_terminal_acts_on(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = _printed(monkeypatch, folder, command, *COMMANDS[command][0], terminal=True)
    assert STYLE.search(out)
    _require_harmless(STYLE.sub("", out))
    _require_harmless(err)


@pytest.mark.parametrize(
    "arguments",
    [
        (NAME,),
        ("score", f"--{NAME}"),
        ("score", *FILES, "--intervals", NAME),
        ("score", *FILES, "--metric", NAME),
        ("score", *FILES, "--format", NAME),
        ("score", *FILES, "--task", NAME),
        ("score", *FILES, "--columns", NAME),
        ("score", *FILES, "-o", f"no/{NAME}.json"),
        ("show", *FILES, "--where", f"({NAME}"),
        ("buckets", *FILES, "--by", NAME),
        ("suite", f"{NAME}.toml"),
    ],
)
def test_complaints_are_harmless(
    arguments: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = _printed(monkeypatch, folder, *arguments)
    assert not out
    assert err
    _require_harmless(STYLE.sub("", err) if not err.startswith("Usage") else err)


def test_lines_are_told_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    tell("a\nb", "c\x1b")
    assert capsys.readouterr().out == "a\\x0ab\nc\\x1b\n"
