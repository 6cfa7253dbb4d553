"""Whoever is cited on a page is cited in full, and the project can be cited."""

from __future__ import annotations

import re

import pytest

import finegrain as fg
from finegrain.metrics import METRICS
from finegrain.tasks import TASKS
from finegrain.testing import small_corpora
from finegrain.version import BIBTEX, __version__
from finegrain.views.html.page import as_html
from finegrain.views.literature import cited, works
from tests.documentation.console import ROOT

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")


def _sources() -> set[str]:
    """All works that definitions name."""
    text = (ROOT / "src/finegrain/views/html/definitions.py").read_text(encoding="utf-8")
    named = re.findall(r'"([^"]*\b\d{4})",?\s*\)', text)
    named += [one.source for task in TASKS.values() for one in task.definitions if one.source]
    return {one for source in named for one in source.split("; ")}


def test_all_sources_of_definitions_are_known() -> None:
    sources = _sources()
    assert {"Ortmann 2022", "Tuggener 2017", "Gianola et al. 2021"} <= sources
    assert len(cited(sources)) == len(sources)


def test_works_are_whole() -> None:
    names = [work.name for work in works()]
    assert len(names) == len(set(names))
    for work in works():
        surname = re.split(r" and | et al|,| \(", work.name)[0]
        assert surname in work.authors
        assert re.search(r"\((\d{4})\)$", work.name)
        assert work.title.endswith((".", "?"))
        assert work.place


def test_the_reference_of_a_metric_is_cited() -> None:
    found = cited(re.sub(r"\((\d{4})\).*", r"\1", one.reference) for one in METRICS.values())
    assert "Zeman et al. (2018)" in [work.name for work in found]


@pytest.mark.parametrize("task", ["spans", "coreference"])
def test_pages_have_the_sources_in_full(task: str) -> None:
    gold, systems = small_corpora(task)
    page = as_html(fg.report(fg.align(gold, systems, task=task)))
    assert "<cite>Differential Evaluation: a Qualitative Analysis" in page
    assert ("<cite>Fine-Grained Error Analysis" in page) == (task == "spans")
    assert "{The finegrain developers}" in page


def test_the_citation_file_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in text
    title = re.search(r"\{(finegrain: .*)\}", BIBTEX)
    assert title is not None
    plain = title[1].replace("{", "").replace("}", "")
    assert f'\ntitle: "{plain}"\n' in text
