"""Units in context: which are shown, what is told about them, how they are drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus import Corpus, Spans
from finegrain.testing import small_corpora
from finegrain.views.instances import shown_as_text
from finegrain.views.text_formats import as_json
from finegrain.views.unit_records import as_jsonl, as_tsv
from tests.schema import is_refused, require_schema

SPANS = fg.align(*small_corpora("spans"))
TAGS = fg.align(*small_corpora("tags"))


def texts(shown: object) -> list[str]:
    return [unit.text for unit in shown.units()]  # type: ignore[attr-defined]


def test_every_unit_stands_once_with_all_answers() -> None:
    """`short` cuts London Bridge to Bridge, `mixed` has it right."""
    (unit,) = fg.show(SPANS, "text='London Bridge'").units()
    told = unit.to_json()
    assert told["systems"]["short"] == {
        "outcome": "BES",
        "gold": {"label": "LOC", "tokens": [1, 2]},
        "answer": {"label": "LOC", "tokens": [2]},
    }
    assert told["systems"]["mixed"]["answer"] == {"label": "LOC", "tokens": [1, 2]}
    assert (told["document"], told["sentence"], told["line"], told["gold"]) == (2, 4, None, "LOC")


def test_units_that_no_shown_system_has_are_not_shown() -> None:
    assert texts(fg.show(SPANS, "gold=none and text=She")) == ["She"]
    assert texts(fg.show(SPANS, "gold=none and text=She", systems=["mixed"])) == []
    everything = fg.show(SPANS, systems=["short"])
    assert everything.found == SPANS.n_gold + 3  # She, Society of London, Bridge


def test_the_selection_may_speak_of_systems_that_are_not_shown() -> None:
    shown = fg.show(SPANS, "outcome[mixed]=FN", systems=["short"])
    assert texts(shown) == ["Ada Lovelace"]
    assert [answer.system for unit in shown.units() for answer in unit.answers] == ["short"]


def test_a_limit_says_how_many_there_are() -> None:
    shown = fg.show(SPANS, "gold!=none", limit=2)
    assert (shown.found, texts(shown)) == (7, ["Ada Lovelace", "Charles Babbage"])
    assert shown_as_text(shown).startswith("7 units where gold!=none; the first 2\n")
    with pytest.raises(fg.UsageError, match="negative"):
        fg.show(SPANS, limit=-1)


def test_a_label_that_no_unit_has_is_noted() -> None:
    shown = fg.show(SPANS, "gold=PERS or answer[short] in (LOC, GPE, none)")
    assert "no unit has the label 'PERS'; labels: LOC, ORG, PER" in shown.notes
    assert "no unit has the label 'GPE'; labels: LOC, ORG, PER" in shown.notes
    assert not any("'LOC'" in note for note in shown.notes)


def test_unknown_systems_are_refused() -> None:
    with pytest.raises(fg.UsageError, match="Did you mean 'short'"):
        fg.show(SPANS, systems=["shrt"])


def test_gold_and_answers_are_drawn_under_the_words() -> None:
    drawn = shown_as_text(fg.show(SPANS, "text=She or text='London Bridge'"))
    assert drawn.splitlines()[2:14] == [
        "She  document 1, sentence 2",
        "       She wrote notes .",
        "gold   nothing",
        "short  ━━━ PER  FP",
        "mixed  nothing  ABSENT",
        "",
        "London Bridge  document 2, sentence 4",
        "       London Bridge is not Tower Bridge .",
        "gold   ━━━━━━━━━━━━━ LOC",
        "short         ━━━━━━ LOC  BES",
        "mixed  ━━━━━━━━━━━━━ LOC  TP",
        "",
    ]


def test_wide_characters_keep_their_place() -> None:
    """Each of the ideographs takes two columns of the terminal."""
    text = [["私", "は", "東京", "に"]]
    gold = Corpus.of(text, tags=[["O", "O", "B-LOC", "O"]])
    lines = shown_as_text(fg.show(fg.align(gold, {"名前": gold}))).splitlines()
    assert lines[3:6] == [
        "      私 は 東京 に",
        "gold        ━━━━ LOC",
        "名前        ━━━━ LOC  TP",
    ]


def test_an_invented_span_shows_the_gold_that_it_was_charged_to() -> None:
    drawn = shown_as_text(fg.show(SPANS, "outcome[short]=USED and text=Bridge"))
    assert "gold   ━━━━━━━━━━━━━ LOC\nshort         ━━━━━━ LOC  USED\n" in drawn


def test_corpora_without_text_show_token_numbers() -> None:
    gold = Corpus("gold", np.array([0, 9]), spans=Spans.of([(0, 1, 3, "A")]))
    drawn = shown_as_text(fg.show(fg.align(gold, {"s": gold}, task="spans")))
    assert "A  sentence 1\n      1 2 3 4\ngold    ━━━ A\ns       ━━━ A  TP\n" in drawn


def test_hostile_text_is_harmless() -> None:
    evil = "\x1b[31m\u202eevil"
    gold = Corpus.of([[evil, "=cmd()", 'a"b\tc', "\u2028"]], tags=[["A", "A", "A", "A"]])
    shown = fg.show(fg.align(gold, {"\x1b]0;x": gold}, task="tags"), "gold=A")
    drawn, tsv, jsonl = (
        shown_as_text(shown), "".join(as_tsv(shown)), "".join(as_jsonl(shown)),
    )  # fmt: skip
    assert not {"\x1b", "\u202e"} & set(drawn + tsv)
    assert "'=cmd()" in tsv
    assert len(tsv.splitlines()) == 5
    assert len(jsonl.splitlines()) == 4
    assert json.loads(jsonl.splitlines()[0])["text"] == evil


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
def test_json_keeps_to_its_schema(table: fg.OutcomeTable) -> None:
    document = json.loads(as_json(fg.show(table, "correct=no"), command="finegrain show"))
    require_schema(document, "shown")
    assert document["result"]["found"] == len(document["result"]["units"]) > 0
    document["result"]["units"][0]["systems"]["mixed"].pop("outcome")
    assert is_refused(document)


def test_adding_a_system_changes_nothing_for_the_others() -> None:
    gold, systems = small_corpora("spans")
    alone = fg.show(fg.align(gold, {"short": systems["short"]}), "correct[short]=no")
    both = fg.show(SPANS, "correct[short]=no", systems=["short"])
    assert [unit.to_json() for unit in alone.units()] == [unit.to_json() for unit in both.units()]


def test_lines_at_once_are_lines_one_by_one(tmp_path: Path) -> None:
    """Lines 1, 2, then a blank line and line 4; a corpus in memory has none."""
    path = tmp_path / "gold.tsv"
    path.write_text("a\tX\nb\tY\n\nc\tX\n")
    corpus = fg.read(str(path))
    tokens = np.array([2, 0, 1])
    assert corpus.lines(tokens).tolist() == [corpus.line(int(one)) for one in tokens] == [4, 1, 2]
    assert SPANS.corpus.lines(tokens).tolist() == [0, 0, 0]


def test_a_head_in_another_sentence_is_told_with_its_sentence() -> None:
    """The system makes one sentence of two: the head of d, b, is the second word of the first."""
    relations = ["dep", "root", "dep", "root"]
    gold = Corpus.of(
        [["a", "b"], ["c", "d"]],
        head=[["2", "0"], ["2", "0"]],
        deprel=[relations[:2], relations[2:]],
    )
    joined = Corpus.of([["a", "b", "c", "d"]], head=[["2", "0", "2", "2"]], deprel=[relations])
    table = fg.align(gold, {"joined": joined}, task="dependencies")
    shown = fg.show(table, where="outcome[joined]!=CORRECT")
    document = json.loads(as_json(shown, command="finegrain show"))
    require_schema(document, "shown")
    units = document["result"]["units"]
    told = [unit["systems"]["joined"]["answer"]["head"] for unit in units]
    assert told == [{"token": 2, "text": "b", "sentence": 1}] * 2
    assert "dep(b-2, sentence 1)" in shown_as_text(shown)
