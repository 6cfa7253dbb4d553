"""Results as terminal tables, JSON, CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from typing import Any

import jsonschema
import pytest
from rich.console import Console

import finegrain as fg
from finegrain.analyses.explain.novelty import novelty
from finegrain.analyses.explain.seen_and_unseen import SeenAndUnseen
from finegrain.analyses.listing import Column, Listing
from finegrain.analyses.result import Result
from finegrain.analyses.scores.gold_change import gold_change
from finegrain.corpus import Corpus
from finegrain.testing import small_corpora
from finegrain.views import terminal
from finegrain.views.numbers import marks, written
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown
from tests.schema import SCHEMA, is_refused, require_schema

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
        gold_change(table, second, between, (scores, fg.score(second))),
    ]


CASES = [(task, at) for task in ("spans", "tags") for at in range(5)]


@pytest.fixture(params=CASES, ids=str)
def result(request: pytest.FixtureRequest) -> Result:
    task, at = request.param
    return _results(task)[at]


@pytest.mark.parametrize(("task", "at"), CASES)
def test_json_keeps_to_its_schema(task: str, at: int) -> None:
    result = _results(task)[at]
    scores = "span_scores" if task == "spans" else "tag_scores"
    kind = (scores, "errors", "confusion", scores, "gold_change")[at]
    document = json.loads(as_json(result, command="finegrain test"))
    require_schema(document, kind)
    assert document["systems"] == list(document["result"])


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_refuses_what_is_wrong() -> None:
    document = json.loads(as_json(_results("spans")[0], command="x"))
    document["result"]["short"]["overall"]["fair"]["f1"] = 101.5
    assert is_refused(document)


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
    assert marks(_listing(("x", 0.50001, 0.1), ("y", 0.50002, 0.2))).best == {(1, 2)}
    assert marks(_listing(("x", 0.5, 0.1), ("y", 0.5001, math.nan))).best == {(1, 1)}


def test_best_of_a_row() -> None:
    assert marks(_listing(("x", 0.5, 0.6), best="row")).best == {(0, 2)}


def _compared(*rows: Any, footer: Any = ()) -> Listing:
    columns = (Column("s"), Column("1", "percent", "max", "n", worst=True, shade=True))
    return Listing("t", columns, rows, footer=footer)


def _on_terminal(listing: Listing, *, width: int = 120) -> str:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=width, color_system="truecolor", markup=False,
        no_color=False,
    )  # fmt: skip
    terminal._print_listing(console, listing)
    return out.getvalue()


class _Result:
    """As much of a result as views look at."""

    task, systems, notes, signature = "tags", ("x",), (), "task:tags"

    def __init__(self, *listings: Listing) -> None:
        self._listings = listings

    def listings(self) -> tuple[Listing, ...]:
        return self._listings

    def records(self) -> Listing:
        return self._listings[0]

    def to_json(self) -> dict[str, Any]:
        return {}


def test_best_and_worst_are_marked_and_a_footer_is_not() -> None:
    """30.4 and 30.2 both print as 30: both are worst."""
    listing = _compared(("x", 0.302), ("y", 0.304), ("z", 0.9), footer=(("all", 0.1),))
    assert marks(listing) == ({(2, 1)}, {(0, 1), (1, 1)})
    text = terminal.as_text(_Result(listing))
    assert [line.split()[-1] for line in text.splitlines()[3:7]] == ["30_", "30_", "90*", "10"]
    assert "* best, _ worst" in text
    table = as_latex(_Result(listing))
    assert r"z & \textbf{90} \\" in table
    assert r"x & \underline{30} \\" in table
    assert table.index(r"\midrule" + "\nall & 10") > table.index("textbf")
    assert "Best in bold, worst underlined." in table
    shown = as_markdown(_Result(listing))
    assert "| *30* |" in shown
    assert "| **90** |" in shown


def test_shading_goes_by_value_and_leaves_the_text_readable() -> None:
    text = _on_terminal(_compared(("x", 0.0), ("y", 1.0), ("z", math.nan)))
    assert "48;2;247;251;255m" in text  # 0: nearly white
    assert "48;2;107;174;214m" in text  # 1: blue
    assert "n/a" in text
    assert "\x1b[" not in terminal.as_text(_Result(_compared(("x", 0.0))))


def test_a_table_that_is_too_wide_goes_on_below() -> None:
    columns = (Column("system"), *(Column(f"c{place}", "count") for place in range(30)))
    listing = Listing("t", columns, (("first", *range(30)), ("second", *range(30))))
    lines = re.sub("\x1b\\[[0-9;]*m", "", _on_terminal(listing, width=40)).splitlines()
    assert max(map(len, lines)) <= 40
    assert sum("first" in line for line in lines) > 1
    assert terminal.as_text(_Result(listing)).count("first") == 1


def test_latex_rows_are_no_arguments_of_the_line_before() -> None:
    listing = _compared(("[PAD]", 0.3), ("*", 0.4), ('"', 0.5), footer=(("[all]", 0.1),))
    text = as_latex(_Result(listing))
    assert re.search(r"^\s*[\[*]", text, re.MULTILINE) is None
    assert "{[}PAD] & " in text
    assert "{*} & " in text
    assert "{[}all] & " in text
    assert r"\char34{} & " in text  # in every encoding of LaTeX's fonts


def test_names_of_columns_are_harmless_in_csv() -> None:
    listing = Listing("t", (Column("outcome[\x1b[31m]"),), ())
    assert "\x1b" not in as_csv(_Result(listing))


def test_latex_groups_labels_and_wide_tables() -> None:
    narrow = Listing("A & B", (Column("s"), Column("1", "count", group="n")), (("x", 1),))
    text = as_latex(_Result(narrow, narrow))
    assert r"\cmidrule(lr){2-2}" in text
    assert r"\label{tab:a-b}" in text
    assert r"\label{tab:a-b+2}" in text
    assert "graphicx" not in text
    columns = (Column("s"), *(Column(str(place), "count") for place in range(20)))
    wide = as_latex(_Result(Listing("w", columns, (("x", *range(20)),))))
    assert r"\usepackage{booktabs,graphicx}" in wide
    assert r"\end{tabular}}" in wide


def test_markdown_shows_examples_as_block_quotes() -> None:
    text = as_markdown(_results("spans")[1])
    assert "> **BES** right label, too short (short, sentence 3)  \n" in text
    assert "> gold: Royal Society of London ORG; answer: Society of London ORG  \n" in text
