"""Results as terminal tables, JSON, CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json
import math
from importlib import resources
from typing import Any

import jsonschema
import pytest
from rich.console import Console

import finegrain as fg
from finegrain.analyses.gold_change import gold_change
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.novelty import novelty
from finegrain.analyses.result import Result
from finegrain.analyses.seen_and_unseen import SeenAndUnseen
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from finegrain.views import terminal
from finegrain.views.numbers import best_cells, written
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown

HOSTILE = "<b>\x1b[31m=cmd|%_{}\u202e"


def _results(task: str) -> list[Result]:
    gold, systems = small_corpora(task)
    table = fg.align(gold, systems)
    scores = fg.score(table)
    name, corpus = next(iter(systems.items()))
    second, between = fg.align(corpus, systems), fg.align(gold, {name: corpus})
    return [
        scores,
        fg.error_types(table, examples=2),
        fg.confusion(table),
        SeenAndUnseen(scores, novelty(table, corpus)),
        gold_change(table, second, between, scores.metrics),
    ]


@pytest.fixture(params=[(task, at) for task in ("spans", "tags") for at in range(5)], ids=str)
def result(request: pytest.FixtureRequest) -> Result:
    task, at = request.param
    return _results(task)[at]


def test_json_keeps_to_its_schema(result: Result) -> None:
    schema = json.loads((resources.files("finegrain.views") / "schema.json").read_text())
    document = json.loads(as_json(result, command="finegrain test"))
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)
    assert document["systems"] == list(document["result"])


def test_the_schema_refuses_what_is_wrong() -> None:
    schema = json.loads((resources.files("finegrain.views") / "schema.json").read_text())
    document = json.loads(as_json(_results("spans")[0], command="x"))
    document["result"]["short"]["overall"]["fair"]["f1"] = 101.5
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)


def test_csv_is_one_tidy_table(result: Result) -> None:
    rows = list(csv.reader(io.StringIO(as_csv(result))))
    assert rows[0][0] == "system"
    assert len(rows) > 3
    assert {len(row) for row in rows} == {len(rows[0])}


def test_csv_holds_unrounded_proportions() -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(_results("tags")[0]))))
    found = [row for row in rows if row["metric"] == "accuracy" and row["system"] == "nouns"]
    assert [float(row["value"]) for row in found] == [26 / 30]


def test_latex_tables_are_balanced(result: Result) -> None:
    text = as_latex(result)
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") >= 1
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert body
    assert result.signature in text


def test_markdown_rows_have_the_same_number_of_cells(result: Result) -> None:
    for block in as_markdown(result).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.replace(r"\|", "").count("|") for line in rows}) <= 1


def test_terminal_shows_signature_and_aligned_decimals() -> None:
    text = terminal.as_text(_results("spans")[0])
    assert "task:spans|scheme:iob2" in text
    tables = [
        [line.index(".") for line in table.splitlines() if line.startswith(("short", "mixed"))]
        for table in text.split("\n\n")
    ]
    assert len(tables[0]) == 2
    assert all(len(set(places)) <= 1 for places in tables)


def test_plain_text_marks_the_best_with_a_star_and_a_terminal_with_bold() -> None:
    scores = _results("tags")[0]
    assert "*" in terminal.as_text(scores)
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=120, color_system="standard", markup=False
    )
    terminal._print_listing(console, scores.listings()[0])
    assert "\x1b[1;36m" in out.getvalue()
    assert "*" not in out.getvalue()


def test_examples_draw_gold_and_answer_under_the_words() -> None:
    text = terminal.as_text(_results("spans")[1])
    lines = text.splitlines()
    at = next(place for place, line in enumerate(lines) if line.startswith("BES"))
    words, gold, answer = lines[at + 1 : at + 4]
    assert gold.rstrip().endswith("ORG")
    assert gold.index("━") == words.index("Royal")
    assert answer.index("━") == words.index("Society")


def _hostile(label: str) -> Corpus:
    return Corpus.of([[HOSTILE, "b"]], source=HOSTILE, tags=[[f"B-{label}", "O"]])


def test_hostile_labels_and_words_do_no_harm() -> None:
    table = fg.align(_hostile(HOSTILE), {HOSTILE: _hostile("X")})
    for one in (fg.score(table), fg.error_types(table, examples=1), fg.confusion(table)):
        for text in (terminal.as_text(one), as_latex(one), as_markdown(one)):
            assert "\x1b" not in text
            assert "\u202e" not in text
        assert "<b>" not in as_markdown(one).replace(r"\<b\>", "")
        assert json.loads(as_json(one, command=HOSTILE))["systems"] == [HOSTILE]


def test_cells() -> None:
    assert written(float("nan"), "score") == "n/a"
    assert written(0.99999, "score") == "100.00"
    assert written(1234567, "count") == "1,234,567"


def _listing(*rows: Any, best: Any = "max") -> Listing:
    return Listing("t", (Column("s"), Column("a", "score", best), Column("b", "score", best)), rows)


def test_ties_as_printed_are_all_best() -> None:
    """.50001 and .50002 both print as 50.00."""
    assert best_cells(_listing(("x", 0.50001, 0.1), ("y", 0.50002, 0.2))) == {(1, 2)}
    assert best_cells(_listing(("x", 0.5, 0.1), ("y", 0.5001, math.nan))) == {(1, 1)}


def test_best_of_a_row() -> None:
    assert best_cells(_listing(("x", 0.5, 0.6), best="row")) == {(0, 2)}
