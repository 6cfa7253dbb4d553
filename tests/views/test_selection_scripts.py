"""The scripts of a page select the same units as Python does, whatever is asked."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.reports.report import Report
from finegrain.analyses.reports.unit_search import UnitSearch
from finegrain.analyses.selection.expressions import (
    And,
    Comparison,
    Expression,
    Field,
    Holds,
    Literal,
    Membership,
    Not,
    Operator,
    Or,
)
from finegrain.analyses.selection.json_form import as_json
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.testing import small_corpora
from finegrain.views.html.embedding import as_data
from finegrain.views.html.payload import payload
from tests.plugin_tasks.postedits import POSTEDITS, example
from tests.views.topics import topics

pytest.importorskip("vl_convert", reason="needs the extra report")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node runs the scripts of a page; none here")
GENERATED = 1_000  # selections, over all tables
_RUN = """
globalThis.document = { getElementById: () => ({ textContent: DATA }) };
const { select } = await import("./selection.js");
const { translated } = await import("./saved_links.js");
const { units } = await import("./data.js");
const rows = (asked) => {
  try {
    return select(asked()).map((row) => units.row[row] - 1);
  } catch (error) {
    return String(error.message);
  }
};
const saved = (query) => query.map(([key, value]) => translated(key, value));
const told = ASKED.map((one) => rows(() => (one.saved ? saved(one.saved) : [one.where])));
console.log(JSON.stringify(told));
"""


def _hostile() -> fg.OutcomeTable:
    """Words that fold, compose and hide in their own ways; labels and systems with signs."""
    words = [
        "STRASSE",
        "Straße",
        "e\u0301te",
        "ΟΔΟΣ",
        "İzmir",
        "x\u200by",
        "new york",
        '"q"',
        "a,b",
    ]
    text = [[word] for word in words]
    gold = Corpus.of(text, tags=[["B-a,b" if at % 2 else "B-none"] for at in range(len(words))])
    one = Corpus.of(text, tags=[["B-a,b" if at % 3 else "O"] for at in range(len(words))])
    return fg.align(gold, {'the "one"': one, "t,w]o": gold}, task="spans")


def _graded() -> fg.OutcomeTable:
    from finegrain.formats.items import read
    from finegrain.formats.source import source_of

    sources = {name: source_of(f"{name}.jsonl", text.encode()) for name, text in example().items()}
    corpora = {name: read(source) for name, source in sources.items()}
    return POSTEDITS.align(corpora.pop("gold"), corpora)


def _small(task: str) -> fg.OutcomeTable:
    return fg.align(*small_corpora(task), task=task)


def _played() -> fg.OutcomeTable:
    play = fg.simulate(tokens=1_500, seed=3)
    return fg.align(play.gold, play.systems)


TABLES = {
    "played": _played, "hostile": _hostile, "graded": _graded, "topics": topics,
    **{task: (lambda task=task: _small(task)) for task in (  # type: ignore[misc]  # bound early
        "tags", "dependencies", "coreference", "generation",
    )},
}  # fmt: skip


@cache
def _report(name: str) -> Report:
    table = TABLES[name]()
    return fg.report(table, instances=len(table))


class _Maker:
    """Selections that are drawn from what a table has."""

    def __init__(self, report: Report, seed: int) -> None:
        self.table, self.draw = report.table, random.Random(seed)
        self.search = UnitSearch.of(report.units)
        self.lowered = report.units.lowered.names

    def selection(self, depth: int = 3) -> Expression:
        kind = self.draw.random()
        if depth and kind < 0.2:
            return Not(self.selection(depth - 1))
        if depth and kind < 0.6:
            parts = tuple(self.selection(depth - 1) for _ in range(self.draw.choice((2, 2, 3))))
            return And(parts) if kind < 0.4 else Or(parts)
        return self.condition()

    def condition(self) -> Expression:
        pick = self.draw.choice
        labels, systems = (*self.table.labels, None), self.table.systems
        system, pair = pick((*systems, None)), self.draw.sample(systems, k=min(2, len(systems)))
        label_field = pick([
            Field("gold"), Field("label"), Field("answer", system), Field("mistaken", system),
            Field("mistaken_for", system),
        ])  # fmt: skip
        number = pick(["systems_correct", "systems_agreeing", "row", "sentence", "length"])
        if self.table.task.value and self.draw.random() < 0.5:
            number = self.table.task.value
        of = system if number == self.table.task.value else None
        made: list[Expression] = [
            Comparison(label_field, self.equality(), Literal(pick(labels))),
            Membership(label_field, tuple(Literal(pick(labels)) for _ in range(2))),
            Comparison(label_field, self.equality(), Field("answer", pick(systems))),
            Comparison(
                Field("outcome", system), self.equality(), Literal(pick(self.table.outcomes.names))
            ),
            Comparison(
                Field("correct", system), self.equality(), Literal(pick(["no", "yes", None]))
            ),
            Holds(Field(pick(["correct", "produced", "hurts"]), system)),
            Comparison(Field(number, of), self.operator(), Literal(self.number(number))),
            Comparison(Field(number, of), self.equality(), Literal(None)),
            self.text(),
        ]
        if len(pair) == 2:
            one, two = pair
            made += [
                Comparison(
                    Field("change", one, other=two), self.equality(),
                    Literal(pick(["correction", "new_error", "changed_error", None])),
                ),
                Comparison(
                    Field("changed", one, other=two), self.equality(),
                    Literal(pick(["yes", "no", None])),
                ),
                Comparison(
                    Field("gain", one, other=two), self.operator(),
                    Literal(pick(["0", "-1", "0.5"])),
                ),
            ]  # fmt: skip
        for name, column in self.search.buckets.items():
            codes = (*column.names, None)  # type: ignore[union-attr]  # they have names
            made.append(Comparison(Field("bucket", name), self.equality(), Literal(pick(codes))))
        made += [Holds(Field("lowers", pick(systems), other=name)) for name in self.lowered[:3]]
        return pick(made)

    def equality(self) -> Operator:
        return self.draw.choice(("=", "!="))

    def operator(self) -> Operator:
        return self.draw.choice(("=", "!=", "<", "<=", ">", ">="))

    def number(self, field: str) -> str:
        most = {"row": len(self.table), "sentence": self.table.corpus.n_sentences}.get(field, 4)
        return self.draw.choice([str(self.draw.randint(0, most)), "1e0", "+.5", "-inf", "2."])

    def text(self) -> Expression:
        row = self.draw.randrange(len(self.table))
        words = self.table.text(row)
        part = words[: self.draw.randint(1, 6)] or "x"
        if self.draw.random() < 0.5:
            operator = self.draw.choice(("=", "!="))
            return Comparison(Field("folded_text"), operator, Literal(words.casefold() or None))
        return Comparison(Field("context_text"), "contains", Literal(part.swapcase()))


def _by_scripts(report: Report, asked: list[dict[str, Any]], folder: Path) -> list[Any]:
    """What node makes of the scripts of the page."""
    for script in resources.files("finegrain.views.html").joinpath("assets").iterdir():
        if script.name.endswith(".js"):
            (folder / script.name).write_text(script.read_text("utf-8"), "utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    data = (
        f"const DATA = {json.dumps(as_data(payload(report)))};\nconst ASKED = {json.dumps(asked)};"
    )
    (folder / "run.js").write_text(data + _RUN, "utf-8")
    assert NODE is not None
    done = subprocess.run([NODE, "run.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout)
    return told


def _by_python(search: UnitSearch, where: Expression) -> list[int] | None:
    try:
        return sorted(search.rows([where]).tolist())
    except UsageError:
        return None


@needs_node
@pytest.mark.parametrize("name", TABLES)
def test_generated_selections_select_the_same_units(name: str, tmp_path: Path) -> None:
    report = _report(name)
    maker = _Maker(report, seed=len(name))
    selections = [maker.selection() for _ in range(GENERATED // len(TABLES))]
    told = _by_scripts(report, [{"where": as_json(where)} for where in selections], tmp_path)
    some = 0
    for where, rows in zip(selections, told, strict=True):
        expected = _by_python(maker.search, where)
        found = sorted(rows) if isinstance(rows, list) else None
        assert found == expected, (as_json(where), rows)
        some += bool(expected) and len(expected or ()) < len(report.units.chosen)
    assert some > len(selections) // 4  # most are neither all units nor none


SAVED = {  # an address as it was saved before, and the same selection
    "unit=gold": "gold!=none",
    "unit=not-gold&label=PER": "gold=none and label=PER",
    "outcome.0=FN,FP": "outcome[crf] in (FN, FP)",
    "answer.1=LOC": "answer[gru]=LOC",
    "answered.0=no": "answer[crf]=none",
    "other_than.0=PER,LOC": "not answer[crf] in (none, PER, LOC)",
    "mistaken.0=PER&mistaken_for.0=ORG": "mistaken[crf]=PER and mistaken_for[crf]=ORG",
    "verdict.0=wrong&verdict.1=right": "correct[crf]=no and correct[gru]!=no",
    "has.0=yes&costs.1=yes": "produced[crf] and hurts[gru]",
    "about.0=PER": "label=PER or answer[crf]=PER",
    "bin=1": "gold!=none and systems_correct=1",
    "bin=1-2": "gold!=none and systems_correct>=1 and systems_correct<=2",
    "agree=1-2": "systems_agreeing>=1 and systems_agreeing<=2",
    "change.0.1=any": "changed[crf,gru]",
    "change.0.1=correction": "change[crf,gru]=correction",
    "bucket.entity_length=1": "bucket[entity_length]=1",
    "not=label%3DPER%26bin%3D0": "not (label=PER and gold!=none and systems_correct=0)",
    "row=7": "row=7",
}


@needs_node
def test_addresses_saved_before_lead_to_the_same_units(tmp_path: Path) -> None:
    from urllib.parse import parse_qsl

    report = _report("played")
    first, second = report.systems[:2]
    asked = [{"saved": parse_qsl(query)} for query in SAVED]
    told = _by_scripts(report, asked, tmp_path)
    search = UnitSearch.of(report.units)
    for query, rows, where in zip(SAVED, told, SAVED.values(), strict=True):
        named = where.replace("crf", first).replace("gru", second)
        expected = search.rows([named])
        assert sorted(rows) == np.sort(expected).tolist(), (query, rows)
