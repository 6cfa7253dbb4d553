"""Labels that look alike are refused, and labels that never meet are told loudly."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import finegrain as fg
from finegrain import cli
from finegrain.corpus import Corpus, Spans
from finegrain.corpus.label_rules import LabelRules
from finegrain.errors import InputError
from finegrain.formats import span_lines
from finegrain.formats.source import source_of

TEXT = [["New", "York", "sleeps"]]


def corpus_of(*tags: str, source: str = "f") -> Corpus:
    return Corpus.of(TEXT, source=source, tags=[list(tags)])


GOLD = corpus_of("B-LOC", "I-LOC", "O", source="gold.conll")


@pytest.mark.parametrize("task", ["spans", "tags"])
@pytest.mark.parametrize("label", ["LOC\u200b", "LOC ", "\ufeffLOC", "LO\u00adC", "ＬＯＣ"])
def test_labels_that_look_alike_are_refused_with_their_files(task: str, label: str) -> None:
    system = corpus_of(f"B-{label}", "O", "O", source="crf.conll")
    with pytest.raises(InputError) as caught:
        fg.align(GOLD, {"crf": system}, task=task)
    message = str(caught.value)
    assert message.startswith("crf.conll: two labels look the same: ")
    assert message.isascii()  # what is not seen is written out
    assert "(the other is in gold.conll)" in message
    assert "--map OLD=NEW" in message


def test_renaming_mends_labels_that_look_alike() -> None:
    system = corpus_of("B-LOC\u200b", "I-LOC\u200b", "O")
    rules = LabelRules(rename={"LOC\u200b": "LOC"})
    table = fg.align(GOLD, {"crf": system}, rules=rules)
    assert fg.score(table, "traditional_f1").value("traditional_f1", "crf") == 1.0


def test_labels_within_one_file_and_invisible_ones() -> None:
    with pytest.raises(InputError, match=r"f: two labels look the same: 'X' and 'X\\u200d'\. "):
        fg.align(corpus_of("B-X", "B-X\u200d", "O"), {"crf": GOLD})
    with pytest.raises(InputError, match="f: a label without a name"):
        fg.align(corpus_of("B-\u200b", "O", "O"), {"crf": GOLD})


def test_case_tells_labels_apart() -> None:
    table = fg.align(GOLD, {"crf": corpus_of("B-loc", "I-loc", "B-LOC")})
    assert table.labels == ("LOC", "loc")


def test_lemmas_may_differ_in_what_is_not_seen() -> None:
    words = [f"w{number}" for number in range(1001)]
    gold = Corpus.of([words], tags=[words])
    system = Corpus.of([words], tags=[[word + "\u200c" for word in words]])
    assert len(fg.align(gold, {"crf": system}, task="tags")) == 1001


@pytest.mark.parametrize(
    ("task", "gold", "system"),
    [("spans", "LOC", "place"), ("tags", "B-LOC, I-LOC", "B-place, I-place, other")],
)
def test_no_label_in_common_names_both_sets(task: str, gold: str, system: str) -> None:
    tags = ("B-place", "I-place", "other" if task == "tags" else "O")
    expected = GOLD if task == "spans" else corpus_of("B-LOC", "I-LOC", "I-LOC")
    table = fg.align(expected, {"crf": corpus_of(*tags)}, task=task)
    first = gold.split(", ", maxsplit=1)[0]
    assert (
        "crf: no label in common with the gold, so nothing can be right: the gold has "
        f"{gold}, the system {system}. If they mean the same, rename them: "
        f"--map {system.split(', ', maxsplit=1)[0]}={first}"
    ) in table.notes


def test_nothing_is_said_of_systems_without_labels_or_with_some() -> None:
    systems = {"none": corpus_of("O", "O", "O"), "some": corpus_of("B-LOC", "O", "B-X")}
    assert not [note for note in fg.align(GOLD, systems).notes if "in common" in note]


def test_long_label_sets_are_cut() -> None:
    words = [f"w{number:02}" for number in range(20)]
    gold = Corpus.of([words], tags=[words])
    system = Corpus.of([words], tags=[["x"] * 20])
    (note,) = [n for n in fg.align(gold, {"a": system}, task="tags").notes if "in common" in n]
    assert "w07 and 12 more, the system x." in note


def test_it_is_said_on_standard_error_and_in_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gold").write_text("New B-LOC\nYork I-LOC\n")
    Path("crf").write_text("New B-place\nYork I-place\n")
    monkeypatch.setattr(sys, "argv", ["finegrain", "score", "gold", "crf"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code
    out, err = capsys.readouterr()
    assert "warning: crf: no label in common with the gold" in err
    assert "crf: no label in common with the gold" in out


TWICE = "PER\t1\t2\nLOC\t1\t2\nPER\t1\t2\n\nPER\t1\t2\n"


def test_spans_listed_twice_are_counted_in_a_note() -> None:
    gold = span_lines.read(source_of("gold", b"PER\t1\t2\n\nPER\t1\t2\n"))
    system = span_lines.read(source_of("crf", TWICE.encode()))
    assert system.spans.n_repeated == 1
    table = fg.align(gold, {"crf": system})
    assert "crf: spans listed twice: 1; every copy counts" in table.notes
    assert "gold: spans listed twice: 1; every copy counts" in fg.align(system, {"a": gold}).notes
    assert not [note for note in fg.align(gold, {"a": gold}).notes if "twice" in note]


def test_stacked_tags_may_say_a_span_twice() -> None:
    found = fg.align(GOLD, {"a": corpus_of("B-LOC|B-LOC", "I-LOC|I-LOC", "O")})
    assert "a: spans listed twice: 1; every copy counts" in found.notes


def test_spans_are_equal_only_in_all_their_tokens() -> None:
    assert Spans.of([(0, 0, 3, "A"), (0, 0, 3, "A", (0, 2)), (1, 0, 3, "A")]).n_repeated == 0
    assert Spans.of([(0, 0, 3, "A", (0, 2)), (0, 0, 3, "A", (0, 2))]).n_repeated == 1
    assert Spans.of([]).n_repeated == 0


def test_check_warns_of_spans_listed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("crf.spans").write_text(TWICE)
    monkeypatch.setattr(sys, "argv", ["finegrain", "check", "crf.spans"])
    with pytest.raises(SystemExit):
        cli.main()
    assert "warning: crf.spans: spans listed twice: 1" in capsys.readouterr().out
