"""The page of a suite: its sections, its files, and that its numbers are those of the command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.explain.many_data_sets import ManyDataSets
from finegrain.analyses.p_values import told_p, written_p
from finegrain.table import OutcomeTable
from finegrain.views.html.pages import page_of
from finegrain.views.html.suite_page import suite_as_html
from finegrain.views.text_formats import as_json
from tests.conftest import Run
from tests.views.page_tables import files_of, tables_of

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

BY = ("entity_length", "sentence_length", "label")
HOSTILE = '"><script>window.hacked=1</script>'


def _suite(names: tuple[str, ...], **choices: Any) -> fg.Suite:
    tables = {}
    for seed, name in enumerate(names, 1):
        made = fg.simulate(
            tokens=2_000, seed=seed,
            systems={"crf": ("long-entities",), "neural": ("long-sentences",), "gru": ()},
        )  # fmt: skip
        tables[name] = fg.align(made.gold, made.systems)
    return fg.Suite.of(tables, **{"by": list(BY), **choices})


@pytest.fixture(scope="module")
def found() -> ManyDataSets:
    return _suite(("news", "chat", "law"), baseline="crf").run(intervals=100)


@pytest.fixture(scope="module")
def page(found: ManyDataSets) -> str:
    return suite_as_html(found)


def _data(page: str) -> dict[str, Any]:
    text = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    read: dict[str, Any] = json.loads(text[1])
    return read


def test_sections_stand_in_order(page: str) -> None:
    sections = re.findall(r'<section id="(\w+)"', page)
    assert sections == ["findings", "scores", "attributes", "improvement", "method"]
    assert re.findall(r'<a href="#(\w+)" data-section="\1">', page)[:5] == sections


def test_every_table_has_a_name_and_every_button_a_file(page: str) -> None:
    assert tables_of(page).nameless == 0
    buttons = set(re.findall(r'data-download="(\w+)\.(\w+)"', page))
    assert buttons == {("suite", suffix) for suffix in ("csv", "tex", "md", "json")}
    assert _data(page)["downloads"]["suite"].keys() == {"csv", "tex", "md", "json"}
    figures = re.findall(r'data-chart="([\w-]+)"', page)
    assert figures == list(_data(page)["charts"]) == ["attributes", "improvement-1",
                                                     "improvement-2"]  # fmt: skip


def test_the_file_is_what_the_command_writes(page: str, found: ManyDataSets) -> None:
    written = json.loads(as_json(found, command="finegrain suite"))
    assert files_of(_data(page)) == {"suite": written}


# --- numbers ----------------------------------------------------------------------------------


def _points(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{100 * value:.{digits}f}".replace("-", "−")


def _signed(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:+.2f}".replace("-", "−")


def _p(value: float | None) -> str:
    return "–" if value is None else written_p(value)


@pytest.fixture(scope="module")
def told(page: str) -> dict[str, Any]:
    result: dict[str, Any] = files_of(_data(page))["suite"]["result"]
    return result


@pytest.fixture(scope="module")
def rows(page: str) -> dict[str, list[list[str]]]:
    return tables_of(page).rows


def test_averages_ranks_and_groups(told: dict[str, Any], rows: dict[str, list[list[str]]]) -> None:
    order = sorted(told["systems"], key=lambda name: -told["systems"][name]["average"])
    expected = []
    for rank, name in enumerate(order, 1):
        one = told["systems"][name]
        ends = f"[{', '.join(map(_points, one['interval']))}]"
        expected.append([str(rank), name, _points(one["average"]), "", ends,
                         f"{one['rank']:.2f}", "", one["group"]])  # fmt: skip
    assert rows["averages"] == expected
    assert rows["scores"][:-1] == [
        [name, *(_points(one["overall"][name]) for one in told["data_sets"].values())]
        for name in order
    ]
    sizes = [f"{one['units']:,}" for one in told["data_sets"].values()]
    assert rows["scores"][-1] == ["gold units", *sizes]


def test_the_critical_difference_is_told(page: str, told: dict[str, Any]) -> None:
    ranks = told["ranks"]
    text = " ".join(re.sub("<[^>]+>", "", page[page.index('id="scores"') :]).split())
    told_of_ranks = f"critical difference (Nemenyi, .05) {ranks['critical_difference']:.2f}"
    assert f"Friedman {told_p(ranks['p'])}; {told_of_ranks}: systems" in text


def test_measures_of_attributes(told: dict[str, Any], rows: dict[str, list[list[str]]]) -> None:
    systems, sets = told["systems"], told["data_sets"]
    assert rows["model_wise"] == [
        [name, _points(one["average"]),
         *(_points(one["attributes"][by]["spearman"], 0) for by in BY),
         *(_points(one["attributes"][by]["std"]) for by in BY)]
        for name, one in systems.items()
    ]  # fmt: skip
    for by, row in zip(BY, rows["attribute_wise"], strict=True):
        zeta = [one["attributes"][by]["zeta"] for one in sets.values()]
        largest = max((abs(value) for value in zeta if value is not None), default=1.0)
        shares = [None if value is None else value / largest for value in zeta]
        rho = [one["attributes"][by]["rho"] for one in sets.values()]
        none = [one["attributes"][by]["rho_without_trend"] for one in sets.values()]
        assert row == [by.replace("_", " "), *(_points(one, 0) for one in (*shares, *rho, *none))]
    assert rows["by_system"] == [
        [name, *(_p(one["attributes"][by]["friedman"]["p"]) for by in BY)]
        for name, one in systems.items()
    ]


def test_fewer_systems_than_attributes_are_columns() -> None:
    found = _suite(("news", "chat"), by=[*BY, "entity_density"]).run()
    told, rows = found.to_json(), tables_of(suite_as_html(found)).rows
    assert [row[0] for row in rows["model_wise"]] == [*(by.replace("_", " ") for by in BY),
                                                      "entity density"]  # fmt: skip
    assert rows["model_wise"][0][1:] == [
        *(_points(one["attributes"]["entity_length"]["spearman"], 0)
          for one in told["systems"].values()),
        *(_points(one["attributes"]["entity_length"]["std"]) for one in told["systems"].values()),
    ]  # fmt: skip


def test_improvements(told: dict[str, Any], rows: dict[str, list[list[str]]]) -> None:
    assert len(told["improvements"]) == 2
    for place, one in enumerate(told["improvements"], 1):
        expected = []
        for by, buckets in one["attributes"].items():
            for bucket in buckets:
                relative = list(bucket["relative"].values())
                known = [value for value in relative if value is not None]
                mean = sum(known) / len(known) if known else None
                expected.append([by.replace("_", " "), bucket["bucket"], *map(_signed, relative),
                                 _signed(mean), _p(bucket["wilcoxon"]["p"])])  # fmt: skip
        assert rows[f"improvement_{place}"] == expected
    assert rows["average_changes"] == [
        [one["system"], one["baseline"], _signed(one["average"]["change"]),
         f"[{', '.join(map(_signed, one['average']['interval']))}]", _p(one["average"]["p"]),
         f"{one['average']['better_on']} of {len(told['data_sets'])}",
         f"[{', '.join(map(_signed, one['average']['random_effects']['prediction']))}]"]
        for one in told["improvements"]
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["average_changes", "by_system", "improvement_1"])
def test_numbers_and_intervals_stand_right_in_one_line(page: str, name: str) -> None:
    """``r`` is the class of columns that are aligned right and never broken."""
    table = page[page.index(f'data-table="{name}"') :]
    body = table[table.index("<tbody>") : table.index("</table>")]
    cells = re.findall(r"<td([^>]*)>([^<]*)<", body)
    numbers = [style for style, text in cells if re.search(r"\d", text)]
    assert numbers
    assert set(numbers) == {' class="r"'}


def test_findings_have_numbers_of_the_result(page: str, told: dict[str, Any]) -> None:
    leader = max(told["systems"], key=lambda name: told["systems"][name]["average"])
    first, *others = tables_of(page).findings
    one = told["systems"][leader]
    low, high = (100 * end for end in one["interval"])
    assert first.startswith(f"{leader} has {100 * one['average']:.2f} F1 [{low:.2f}, ")
    assert f"{high:.2f}] on average over 3 data sets" in first
    assert len(others) <= 4


# --- other suites -----------------------------------------------------------------------------


def test_hostile_names_are_only_text() -> None:
    made = fg.simulate(tokens=1_000, seed=1, systems={"a": (), "b": ("long-entities",)})
    systems = {HOSTILE: made.systems["a"], "a\u202eb": made.systems["b"]}
    tables = {name: fg.align(made.gold, systems) for name in (HOSTILE, "</script><!--", "x_y-z")}
    page = suite_as_html(fg.Suite.of(tables, by=list(BY), baseline="a\u202eb").run())
    assert "<script>window" not in page
    assert page.count("<script") == page.count("</script>") == 3
    assert "\u202e" not in page[: page.index('id="data"')]
    assert tables_of(page).rows["scores"][0][0] == HOSTILE
    assert "-o script-window.hacked-1-script.html" in page  # nothing that a shell would run


def test_sections_without_results_are_left_out() -> None:
    """One data set, one attribute, nothing compared: no improvement, no profiles, no ranks."""
    made = fg.simulate(tokens=1_000, seed=1, systems={"crf": ()})
    alone = fg.Suite.of({"news": fg.align(made.gold, made.systems)}, by="entity_length").run()
    page = suite_as_html(alone)
    assert re.findall(r'<section id="(\w+)"', page) == ["scores", "attributes", "method"]
    assert _data(page)["charts"] == {}
    assert "<figure" not in page[page.index("<body>") : page.index('id="data"')]
    (row,) = tables_of(page).rows["averages"]
    assert row[:3] == ["1", "crf", _points(alone.to_json()["systems"]["crf"]["average"])]


def test_where_there_are_no_intervals_none_is_spoken_of() -> None:
    """A data set of one document is too small for any, although they were asked for."""
    made = fg.simulate(tokens=300, seed=1, systems={"crf": (), "gru": ()})
    table = fg.align(made.gold, made.systems)
    page = suite_as_html(fg.Suite.of({"a": table, "b": table}, by="label").run(intervals=50))
    assert "too few" in page
    scores = page[page.index('<section id="scores"') : page.index('<section id="attributes"')]
    assert "interval" not in scores


def test_a_system_that_is_missing_has_a_dash(found: ManyDataSets) -> None:
    made = fg.simulate(tokens=1_000, seed=1, systems={"crf": (), "gru": ()})
    both = fg.align(made.gold, made.systems)
    one = fg.align(made.gold, {"crf": made.systems["crf"]})
    page = suite_as_html(fg.Suite.of({"news": both, "chat": one}, by=list(BY)).run(intervals=50))
    cells = {row[0]: row[1:] for row in tables_of(page).rows["scores"]}
    assert cells["gru"][1] == "–"
    assert "gru has no score on chat" in page
    assert "Averages over 1 of 2 data sets, those that all systems have." in page


def _tags(right: dict[str, int]) -> OutcomeTable:
    """So many of ten sentences of two tokens are right."""
    text = [["a", "b"]] * 10
    return fg.align(
        fg.Corpus.of(text, tags=[["N", "V"]] * 10),
        {
            name: fg.Corpus.of(text, tags=[["N", "V"]] * good + [["N", "N"]] * (10 - good))
            for name, good in right.items()
        },
        task="tags",
    )


def test_unlike_scores_are_not_ranked_by_an_average() -> None:
    """Of different metrics there are mean ranks: b is better on two data sets, a on one."""
    made = fg.simulate(tokens=1_000, seed=1, systems={"a": (), "b": ("long-entities",)})
    tables = {"spans": fg.align(made.gold, made.systems)}
    tables |= {name: _tags({"a": 5, "b": 9}) for name in ("tags", "more tags")}
    page = suite_as_html(fg.Suite.of(tables, by="sentence_length").run(intervals=50))
    first, second = tables_of(page).rows["averages"]
    assert first[:4] == ["1", "b", "–", "1.33"]
    assert second[:4] == ["2", "a", "–", "1.67"]
    scores = page[page.index('<section id="scores"') : page.index('<section id="attributes"')]
    assert "No averages: scores of different metrics (traditional f1 and accuracy)" in scores
    assert "averaged" not in scores
    assert "interval" not in scores


def test_systems_without_a_common_data_set_are_listed_by_name() -> None:
    page = suite_as_html(fg.Suite.of({"x": _tags({"b": 5}), "y": _tags({"a": 9})}).run())
    listed = tables_of(page).rows["averages"]
    assert listed == [["–", "a", "–", "–", "–"], ["–", "b", "–", "–", "–"]]
    assert "No averages, ranks and groups: there is no data set that all systems have." in page
    assert "Ranks over" not in page


def test_tasks_may_be_mixed() -> None:
    """Every data set has its own metric, which stands above its scores and in the method."""
    trees = fg.simulate_trees(tokens=800, train_tokens=100, seed=1)
    made = fg.simulate(tokens=1_000, seed=1)
    name = next(iter(trees.systems))
    tables = {
        "trees": fg.align(trees.gold, {name: trees.systems[name]}, task="dependencies"),
        "spans": fg.align(made.gold, {name: next(iter(made.systems.values()))}),
    }
    page = suite_as_html(fg.Suite.of(tables).run())
    described = {row[0]: row[1:3] for row in tables_of(page).rows["data_sets"]}
    assert described == {"trees": ["dependencies", "LAS"], "spans": ["spans", "traditional F1"]}
    assert {"LAS", "Traditional F1"} <= {row[0] for row in tables_of(page).rows["definitions"]}
    assert "--task dependencies -o trees.html" in page
    assert "--task spans -o spans.html" in page


# --- writing it -------------------------------------------------------------------------------


def test_a_result_saves_its_page(found: ManyDataSets, page: str, tmp_path: Path) -> None:
    found.save(str(tmp_path / "suite.HTML"))
    assert (tmp_path / "suite.HTML").read_text() == page == page_of(found)
    with pytest.raises(
        fg.UsageError, match="no page for Scores; there are for: Behaviour, ManyDataSets, Re"
    ):
        fg.score(fg.from_matrix([[1, 0]])).save(str(tmp_path / "score.html"))
    assert not (tmp_path / "score.html").exists()


def test_the_command_writes_it(run: Run, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        systems = ("--system", "crf=long-entities", "--system", "neural=")
        run("simulate", f"d{seed}", "--tokens", "1000", "--seed", seed, *systems)
    run("suite", "suite.toml", "--start", "d1", "--start", "d2")
    chosen = ("suite", "suite.toml", "--by", "entity_length,label", "--baseline", "crf",
              "--intervals", "100")  # fmt: skip
    done = run(*chosen, "-o", "suite.html")
    assert done.returncode == 0, done.stderr
    assert "wrote suite.html" in done.stderr
    printed = json.loads(run(*chosen, "--format", "json").stdout)
    (file,) = files_of(_data((tmp_path / "suite.html").read_text())).values()
    assert file["result"] == printed["result"]
    wrong = run(*chosen, "-o", "other.html", "--format", "json")
    assert wrong.returncode == 2
    assert "ends in .html, but --format says json" in wrong.stderr
    assert not (tmp_path / "other.html").exists()


def test_other_commands_say_that_they_have_no_page(run: Run, tmp_path: Path) -> None:
    run("simulate", "made", "--tokens", "500")
    files = ("made/gold.conll", "made/crf.conll")
    done = run("errors", *files, "-o", "errors.html")
    assert done.returncode == 2
    assert (
        "there is no page for ErrorTypes; there are for: Behaviour, ManyDataSets, Report"
        in done.stderr
    )
    assert not (tmp_path / "errors.html").exists()
