"""Columns of trees with nothing in them: scores as the official scorer has them, told as absent."""

from __future__ import annotations

import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.corpus import Corpus
from finegrain.formats import conllu
from finegrain.formats.source import source_of
from tests.views.page_tables import tables_of

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")
from finegrain.views.html.page import as_html

ROWS = (
    ("She", "she", "PRON", "PRP", "Case=Nom", "2", "nsubj"),
    ("saw", "see", "VERB", "VBD", "Tense=Past", "0", "root"),
    ("dogs", "dog", "NOUN", "NNS", "Number=Plur", "2", "obj"),
)
COLUMNS = ("lemma", "upos", "xpos", "feats")


def _file(*empty: str) -> Corpus:
    """The sentence with ``_`` in some columns."""
    text = ""
    for place, (form, *cells, head, relation) in enumerate(ROWS, 1):
        told = ["_" if name in empty else cell for name, cell in zip(COLUMNS, cells, strict=True)]
        text += "\t".join([str(place), form, *told, head, relation, "_", "_"]) + "\n"
    return conllu.read(source_of("f", f"{text}\n".encode()))


def _report(gold: Corpus, **systems: Corpus) -> Report:
    return fg.report(fg.align(gold, systems, task="dependencies"))


def _shown(report: Report) -> tuple[list[str], dict[str, list[str]]]:
    """The heads of the columns behind LAS, and their cells by system."""
    page = as_html(report)
    head = page[page.index('data-table="scores"') :]
    heads = head[: head.index("</thead>")].split('<th class="r hide second">')[1:]
    rows = {row[1]: row[-1 - len(heads) : -1] for row in tables_of(page).rows["scores"]}
    return [one.partition("<")[0] for one in heads], rows


def test_a_system_without_tags_has_no_score_for_them_in_the_page() -> None:
    """Nothing is an answer to the official scorer: 0 of 3 tags are right, and MLAS is 0."""
    report = _report(_file(), full=_file(), bare=_file("xpos", "feats"))
    names = ["upos", "xpos", "ufeats", "mlas"]
    scores = fg.score(report.table, names).overall
    assert [scores[name].tolist() for name in names] == [[1, 1], [1, 0], [1, 0], [1, 0]]
    heads, rows = _shown(report)
    assert heads == ["UAS", "LS", "CLAS", "MLAS", "BLEX", "UPOS", "XPOS", "UFeats"]
    assert rows["full"] == ["100.00"] * 8
    assert rows["bare"] == [
        "100.00", "100.00", "100.00", "–", "100.00", "100.00", "–", "–",
    ]  # fmt: skip
    assert "has nothing in this column of the file" in as_html(report)


def test_columns_that_are_empty_in_the_gold_standard_are_left_out() -> None:
    """Whatever systems have there; both with nothing would be all the same, and so 100."""
    report = _report(_file("xpos", "lemma"), tagged=_file(), bare=_file("xpos", "lemma"))
    assert fg.score(report.table, ["xpos"]).overall["xpos"].tolist() == [0, 1]
    heads, _ = _shown(report)
    assert heads == ["UAS", "LS", "CLAS", "MLAS", "UPOS", "UFeats", "words", "tokens"]
    assert "has nothing in this column" not in as_html(report)


def test_one_filled_cell_is_enough() -> None:
    """Two of three words have no features, the third has: it is a column with an answer."""
    full = _file()
    lines = "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n"
    last = "3\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tobj\t_\t_\n\n"
    some = conllu.read(source_of("f", (lines + last).encode()))
    heads, rows = _shown(_report(full, some=some))
    assert rows["some"][heads.index("UFeats")] == "33.33"
