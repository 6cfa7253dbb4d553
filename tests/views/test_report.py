"""The report: what it finds, what its page holds, and that its numbers are the commands'."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.evidence import Evidence, has_label, outcomes
from finegrain.analyses.reports.embedded_units import cells, covering, embedded_units
from finegrain.analyses.reports.report import Report
from finegrain.analyses.selection.json_form import read
from finegrain.corpus import Corpus
from finegrain.errors import UsageError
from finegrain.testing import small_corpora
from finegrain.views.charts import chart_of, charts_of
from finegrain.views.charts.palette import ERRORS, EVERY, SEQUENTIAL
from finegrain.views.html.embedding import as_data
from finegrain.views.html.modules import joined
from finegrain.views.html.payload import payload
from finegrain.views.text_formats import as_json
from tests.conftest import Run
from tests.views.page_tables import files_of, same_numbers


@pytest.fixture(scope="module")
def demo() -> Report:
    play = fg.simulate(tokens=20_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems), train=play.train, title="Demo")


# --- findings ---------------------------------------------------------------------------------


def test_the_findings_tell_the_planted_weaknesses(demo: Report) -> None:
    """baseline: rare words, too short, spurious; crf: long, ORG as LOC; neural: WORK, sentences."""
    told = " / ".join(finding.text for finding in demo.findings)
    for part in (
        r"crf is weak at entity length 4 to \d+",
        r"crf takes \d+ of \d+ ORG for LOC",
        r"neural is weak at WORK",
        r"neural is weak at sentence length 25 to \d+",
        r"baseline is weak at entity consistency 0",
        r"baseline makes more .*too short.*invented",
    ):
        assert re.search(part, told), part
    assert 5 <= len(demo.findings) <= 10


def test_a_system_without_weaknesses_is_not_blamed(demo: Report) -> None:
    blamed = [one.text for one in demo.findings if one.rule in ("weakness", "profile")]
    assert not [text for text in blamed if text.startswith("uniform")]


def test_findings_do_not_depend_on_the_order_of_systems() -> None:
    play = fg.simulate(tokens=3_000, seed=1)
    told = []
    for names in (list(play.systems), list(reversed(play.systems))):
        table = fg.align(play.gold, {name: play.systems[name] for name in names})
        told.append([finding.text for finding in fg.report(table).findings])
    assert told[0] == told[1]


def test_evidence_is_an_address() -> None:
    behind = Evidence.of(3, has_label("A&B=C"), outcomes('the "crf"', ["FN", "FP"]))
    query = dict(parse_qsl(behind.fragment.partition("?")[2]))
    assert read(query["where"]) == behind.where
    assert query["n"] == "3"
    assert behind.to_json()["where"] == """label="A&B=C" and outcome["the \\"crf\\""] in (FN, FP)"""


# --- which units a page holds -----------------------------------------------------------------


@given(
    columns=st.lists(st.lists(st.integers(0, 5), min_size=40, max_size=40), min_size=1, max_size=4),
    most=st.integers(24, 45),
)
@settings(max_examples=60, deadline=None)
def test_chosen_units_cover_every_cell(columns: list[list[int]], most: int) -> None:
    """4 columns of at most 6 values have at most 24 cells, so 24 units can cover them."""
    given_columns = [np.array(column) for column in columns]
    chosen = covering(iter(given_columns), 40, most)
    assert len(chosen) == min(most, 40)
    assert len(set(chosen.tolist())) == len(chosen)
    for column in given_columns:
        assert set(column[chosen]) == set(column)


def test_a_cut_page_has_units_in_every_cell() -> None:
    play = fg.simulate(tokens=5_000, seed=1)
    table = fg.align(play.gold, play.systems)
    units = embedded_units(table, most=300)
    solved = np.where(table.is_gold, np.zeros(len(table), np.int64), -1)
    for codes in cells(table, solved, {}):
        assert set(codes[units.chosen]) == set(codes)


def test_a_cut_page_has_what_few_systems_agree_on() -> None:
    """Two systems invent a span in every sentence, in one of them the same."""
    text = [[f"w{place}", "a", "b"] for place in range(80)]
    gold = fg.Corpus.of(text, tags=[["B-X", "O", "O"]] * 80)
    one = fg.Corpus.of(text, tags=[["B-X", "B-X", "O"]] * 80)
    other = fg.Corpus.of(text, tags=[*[["B-X", "O", "B-X"]] * 40, *[["B-X", "B-X", "O"]],
                                     *[["B-X", "O", "B-X"]] * 39])  # fmt: skip
    table = fg.align(gold, {"one": one, "other": other}, task="spans")
    units = embedded_units(table, most=12)
    assert len(units.chosen) == 12
    assert set(units.agree.tolist()) == {-1, 1, 2}
    many = np.full(len(table), 5)  # all units have tokens in buckets 0 and 2, but one
    many[7] = 2
    assert 7 in embedded_units(table, most=12, masks={"tokens": many}).chosen


def test_all_spans_of_a_chosen_sentence_are_there_to_be_drawn() -> None:
    play = fg.simulate(tokens=3_000, seed=1)
    table = fg.align(play.gold, play.systems)
    units = embedded_units(table, most=10)
    sentences = set(table.sentence[units.chosen].tolist())
    expected = [row for row in range(len(table)) if int(table.sentence[row]) in sentences]
    assert units.rows.tolist() == expected


# --- the numbers of the page --------------------------------------------------------------------

COMMANDS = {
    "score": ["score"],
    "significance": ["significance"],
    "errors": ["errors"],
    "confusion": ["confusion"],
    "differences": ["difference"],
    "difficulty": ["difficulty"],
    "features": ["features"],
    "words": ["words", "--limit", "12"],
    "invented": ["invented"],
    "triage": ["triage", "--limit", "20"],
    "oracle": ["oracle"],
    "buckets": ["buckets"],
    "diagnose": ["diagnose"],
}


@pytest.fixture(scope="module")
def page_data(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("report")
    play = fg.simulate(tokens=3_000, seed=1)
    fg.write(play.gold, str(folder / "gold.conll"))
    for name, corpus in play.systems.items():
        fg.write(corpus, str(folder / f"{name}.conll"))
    systems = {name: fg.read(str(folder / f"{name}.conll")) for name in play.systems}
    table = fg.align(fg.read(str(folder / "gold.conll")), systems)
    return folder, json.loads(as_data(payload(fg.report(table))))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_result_is_that_of_its_command(
    name: str, page_data: tuple[Path, dict[str, Any]], run: Run
) -> None:
    folder, data = page_data
    files = ["gold.conll", *(f"{system}.conll" for system in data["systems"])]
    done = run(*COMMANDS[name], *files, "--format", "json", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    taken = files_of(data)[name]
    assert same_numbers(taken["result"], printed["result"])
    assert taken.keys() == printed.keys()
    assert taken["finegrain"] == printed["finegrain"]
    assert taken["signature"].startswith("task:spans|scheme:iob2|")  # of the page: with intervals


def test_what_scripts_draw_is_what_commands_print(
    page_data: tuple[Path, dict[str, Any]],
) -> None:
    """Confusions without zeros; of pairs the ten commonest changes."""
    data = page_data[1]
    files = files_of(data)
    assert data["results"].keys() == {"confusion", "differences"}
    for place, system in enumerate(data["systems"]):
        drawn = data["results"]["confusion"][place]
        names = [*data["labels"], "_"]
        cells = zip(drawn["gold"], drawn["answer"], drawn["count"], strict=True)
        assert {(names[gold], names[answer]): count for gold, answer, count in cells} == {
            (gold, answer): count
            for gold, row in files["confusion"]["result"][system].items()
            for answer, count in row.items()
            if count
        }
    for name, pair in files["differences"]["result"]["pairs"].items():
        drawn = data["results"]["differences"][name]
        for key in ("a", "b", "units", "changed", "score", "accuracy", "intervals"):
            assert drawn[key] == pair[key]
        for kind in ("correction", "new_error", "changed_error"):
            assert drawn[kind] == pair[f"{kind}s"]["count"]
        every = [
            {"label": one["label"], **move} for one in pair["labels"] for move in one["changes"]
        ]
        counts = sorted((one["count"] for one in every), reverse=True)
        assert [one["count"] for one in drawn["commonest"]] == counts[:10]
        assert drawn["further"] == len(counts) - 10 > 0
        for one in drawn["commonest"]:
            told = {key: value for key, value in one.items() if key != "kind"}
            assert told in every


def test_the_json_of_a_report_keeps_to_the_schema(demo: Report) -> None:
    schema = json.loads((resources.files("finegrain.views") / "schema.json").read_text())
    document = json.loads(as_json(demo, command="finegrain report"))
    jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)
    evidence = document["result"]["findings"][0]["evidence"]
    assert evidence[1]["count"] == int(re.sub(r"\D", "", re.findall(
        r"disagree on ([\d,]+)", document["result"]["findings"][0]["text"])[0]))  # fmt: skip


# --- the page ----------------------------------------------------------------------------------


def test_the_page_names_its_scripts_by_hash_and_loads_nothing(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    path = tmp_path / "report.html"
    fg.report(fg.align(*small_corpora("spans"))).save(str(path))
    text = path.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    told = policy.group(1).replace("&#39;", "'")
    assert told.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in told
    own = text.replace(_vega(text), "")
    assert not re.search(r"<(?:link|img|iframe|script[^>]+src)|@import|url\(|style=\"", own)


def _vega(text: str) -> str:
    return max(re.findall(r"<script>(.*?)</script>", text, re.DOTALL), key=len)


@given(st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_data_cannot_end_its_element(text: str) -> None:
    written = as_data({"text": text, "more": "</script><!--\u2028"})
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written)["text"] == text or "\ud800" <= max(text) <= "\udfff"


def test_the_scripts_are_modules_that_run_as_one(tmp_path: Path) -> None:
    folder = resources.files("finegrain.views.html") / "assets"
    modules = {
        one.name: one.read_text("utf-8") for one in folder.iterdir() if one.name[-3:] == ".js"
    }
    assert not [name for name, text in modules.items() if "innerHTML" in text or "eval(" in text]
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node to check scripts")
    for name, text in {**modules, "joined": joined(modules)}.items():
        path = tmp_path / (f"{name}.mjs" if name != "joined" else "joined.js")
        path.write_text(text)
        done = subprocess.run(
            [node, "--check", str(path)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_modules_in_a_circle_are_an_error() -> None:
    with pytest.raises(ValueError, match="cycle"):
        joined({"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'})


def test_colours_are_told_apart_by_their_role() -> None:
    lights = [one.light for one in EVERY]
    assert len(lights) == len(set(lights))
    assert len({one.light for one in ERRORS.values()}) == len(ERRORS)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["light", "dark"])
def test_text_has_contrast(ground: str) -> None:
    colours = {one.role: getattr(one, ground) for one in EVERY}
    for role in ("ink", "second", "third", "accent"):
        assert _contrast(colours[role], colours["paper"]) >= 4.5
    on = ["on-low"] * 4 + ["on-middle"] * 2 + ["on-high"] * 3
    for step, role in zip(SEQUENTIAL, on, strict=True):
        assert _contrast(getattr(step, ground), colours[role]) >= 4.5


# --- figures, notebooks, command line -----------------------------------------------------------


def test_figures_are_drawn_without_a_browser(demo: Report, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    for name, chart in charts_of(demo).items():
        chart.save(str(tmp_path / f"{name}.svg"))
        assert (tmp_path / f"{name}.svg").read_text().startswith("<svg")
    chart_of(demo.results["oracle"]).save(str(tmp_path / "oracle.png"))
    assert (tmp_path / "oracle.png").read_bytes()[:4] == b"\x89PNG"
    demo.results["errors"].chart().save(str(tmp_path / "errors.pdf"))  # type: ignore[attr-defined]
    assert (tmp_path / "errors.pdf").read_bytes()[:4] == b"%PDF"
    with pytest.raises(UsageError, match=r"unknown suffix of a figure '\.gif'"):
        chart_of(demo.results["oracle"]).save(str(tmp_path / "oracle.gif"))
    with pytest.raises(UsageError, match="there is no figure for Triage"):
        chart_of(demo.results["triage"])


def test_notebooks_show_tables_with_everything_escaped() -> None:
    table = fg.from_matrix([[1, 0], [1, 1]], systems=["<script>", "b"])
    for shown in (fg.difficulty(table)._repr_html_(), table._repr_html_()):
        assert "<script>" not in shown
        assert "&lt;script&gt;" in shown


def test_the_command_writes_a_page_and_figures(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra report")
    assert run("simulate", "play", "--tokens", "1500").returncode == 0
    systems = [f"play/{name}.conll" for name in ("crf", "neural")]
    done = run("report", "play/gold.conll", *systems, "--train", "play/train.conll", "-o",
               "report.html", "--figures", "figures", "--title", "Two <systems>")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "wrote report.html" in done.stderr
    text = (tmp_path / "report.html").read_text()
    assert "<h1>Two &lt;systems&gt;</h1>" in text
    assert {"errors.svg", "difficulty.svg"} <= {
        one.name for one in (tmp_path / "figures").iterdir()
    }
    told = run("report", "play/gold.conll", *systems, "--quiet")
    assert "neural" in told.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--figures", "f", "--figure-format", "gif"], "unknown figure format 'gif'"),
        (["-o", "report.html", "--format", "json"], "ends in .html, but --format says json"),
        (["-o", "report.docx"], "no form goes with '.docx'"),
    ],
)
def test_wrong_options_are_told(run: Run, options: list[str], message: str) -> None:
    run("simulate", "play", "--tokens", "1000")
    done = run("report", "play/gold.conll", "play/crf.conll", "--quiet", *options)
    assert done.returncode == 2
    assert message in done.stderr


def test_bad_calls_are_told() -> None:
    with pytest.raises(UsageError, match="report: table takes an outcome table"):
        fg.report("gold.conll")  # type: ignore[arg-type]
    table = fg.align(*small_corpora("spans"))
    with pytest.raises(UsageError, match="at least one instance"):
        fg.report(table, instances=0)


def test_a_gold_standard_without_units_has_a_report() -> None:
    text = [["a", "b"]]
    gold = Corpus.of(text, tags=[["O", "O"]])
    some = Corpus.of(text, tags=[["B-PER", "O"]])
    report = fg.report(fg.align(gold, {"none": gold, "some": some}, task="spans", scheme="iob2"))
    assert "difficulty" not in report.results


def test_a_big_table_is_not_searched_for_slices_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = fg.simulate(tokens=2_000, seed=3)
    table = fg.align(made.gold, made.systems)
    assert "slices" in fg.report(table).results
    monkeypatch.setattr("finegrain.analyses.reports.facts.SLICED", table.n_gold - 1)
    found = fg.report(table)
    assert not {"slices", "pair_slices"} & set(found.results)
    found.save(str(tmp_path / "big.html"))
    assert "finegrain slices searches more" in (tmp_path / "big.html").read_text()
