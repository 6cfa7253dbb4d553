"""Every number of a page is that of the matching command.

The page is parsed, and every cell of every table in it is compared with what the JSON of the
command says; nothing of the code that makes pages is used for it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

import finegrain as fg
from tests.command_line import run_finegrain
from tests.views.page_tables import files_of, same_numbers, tables_of

pytest.importorskip("vl_convert", reason="needs the extra report")
pytest.importorskip("jinja2", reason="needs the extra report")

KINDS = ("FN", "FP", "BES", "BEL", "BEO", "LE", "LBE")


class Checked:
    """A page, and the commands that its numbers are compared with."""

    def __init__(self, folder: Path, files: list[str], train: str | None) -> None:
        self.folder, self.files = folder, files
        self.train = [] if train is None else ["--train", train]
        done = run_finegrain(
            "report", *files, *self.train, "-o", "page.html", "--quiet", cwd=folder
        )
        assert done.returncode == 0, done.stderr
        self.page = (folder / "page.html").read_text()
        self.tables = tables_of(self.page)
        self._documents: dict[str, Any] = {}

    def document(self, name: str, *command: str) -> dict[str, Any]:
        """What a command prints, once."""
        if name not in self._documents:
            given = command or COMMANDS[name]
            learns = self.train if name in LEARNT else []
            done = run_finegrain(
                *given, *self.files, *learns, "--format", "json", "--quiet", cwd=self.folder
            )
            assert done.returncode == 0, done.stderr
            self._documents[name] = json.loads(done.stdout)
        found: dict[str, Any] = self._documents[name]
        return found

    def result(self, name: str) -> Any:
        if name == "slices":
            return self.document(name, "slices", "--system", self.order[0])["result"]
        if name == "pair_slices":
            return self.document(name, "slices", "--pair", ",".join(self.order[:2]))["result"]
        found = self.document(name)["result"]
        if name == "differences" and "pairs" not in found:  # of two systems it is the pair itself
            return {"pairs": {f"{found['a']}|{found['b']}": found}}
        return found

    @cached_property
    def order(self) -> list[str]:
        """Systems by F1, equals by name."""
        scores = self.result("score")
        return sorted(scores, key=lambda one: (-scores[one]["overall"]["traditional"]["f1"], one))


COMMANDS: dict[str, tuple[str, ...]] = {
    "score": ("score",), "significance": ("significance",), "errors": ("errors",),
    "confusion": ("confusion",), "differences": ("difference",), "difficulty": ("difficulty",),
    "features": ("features",), "words": ("words", "--limit", "12"), "invented": ("invented",),
    "triage": ("triage", "--limit", "20"), "oracle": ("oracle",), "buckets": ("buckets",),
    "diagnose": ("diagnose",),
}  # fmt: skip
LEARNT = ("buckets", "diagnose", "slices", "pair_slices", "report")


def _points(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{100 * value:z.{digits}f}".replace("-", "−")


def _signed(value: float | None, digits: int = 1) -> str:
    """What rounds to nothing has no minus."""
    if value is None:
        return "–"
    return f"{round(100 * value, digits) + 0.0:+.{digits}f}".replace("-", "−")


def _errors(counts: dict[str, int]) -> int:
    return sum(counts[kind] for kind in KINDS)


def _scores(of: Checked) -> list[list[str]]:
    scores, tested = of.result("score"), of.result("significance")["systems"]
    errors = of.result("errors")
    rows = []
    for rank, name in enumerate(of.order, 1):
        one, test = scores[name]["overall"], tested[name]
        low, high = test["interval"]
        plain, fair = one["traditional"], one["fair"]
        rows.append([
            str(rank), name, _points(plain["f1"]), "",
            f"[{_points(low, 1)}, {_points(high, 1)}]", test["group"],
            _points(plain["precision"]), _points(plain["recall"]),
            *(_points(fair[one]) for one in ("precision", "recall", "f1")),
            f"{_errors(errors[name]['counts']):,}",
        ])  # fmt: skip
    return rows


def _gold_of_label(of: Checked, label: str) -> int:
    return int(of.result("difficulty")["labels"][label]["units"])


def _labels(of: Checked) -> list[list[str]]:
    scores = of.result("score")
    names = list(scores[of.order[0]]["labels"])
    if len(names) < 2:
        return []
    names.sort(key=lambda one: -_gold_of_label(of, one))
    return [
        [label, f"{_gold_of_label(of, label):,}",
         *(_points(scores[name]["labels"][label]["traditional"]["f1"], 1) for name in of.order)]
        for label in names
    ]  # fmt: skip


def _fair_labels(of: Checked) -> list[list[str]]:
    names = [row[0] for row in _labels(of)]
    scores = of.result("score")
    return [
        [label, f"{_gold_of_label(of, label):,}",
         *(_points(scores[name]["labels"][label]["fair"]["f1"], 1) for name in of.order)]
        for label in names
    ]  # fmt: skip


def _kinds(of: Checked) -> list[list[str]]:
    rows = []
    for name in of.order:
        counts = of.result("errors")[name]["counts"]
        strict = of.result("score")[name]["schemes"]["strict"]
        missed = strict["missed"] + strict["incorrect"]
        invented = strict["spurious"] + strict["incorrect"]
        found = [missed, invented, _errors(counts), *(counts[kind] for kind in KINDS)]
        rows.append([name, *(f"{number:,}" for number in found)])
    return rows


def _differences(of: Checked) -> list[list[str]]:
    """Above the diagonal how far the better system is ahead, with the interval of that."""
    scores, pairs = of.result("score"), of.result("differences")["pairs"].values()
    f1 = {name: scores[name]["overall"]["traditional"]["f1"] for name in of.order}
    known = {frozenset((one["a"], one["b"])): one for one in pairs}

    def ahead(name: str, other: str) -> str:
        pair = known[frozenset((name, other))]
        low, high = pair["intervals"]["score"]
        if pair["a"] == name:  # the command compares b with a
            low, high = -high, -low
        assert f1[name] - f1[other] == pytest.approx(abs(pair["score"]["delta"]), abs=1e-15)
        return f"{_points(f1[name] - f1[other], 1)} [{_points(low, 1)}, {_points(high, 1)}]"

    rows = []
    for row, name in enumerate(of.order):
        cells = [
            "" if row == column
            else ahead(name, other) if column > row
            else _points(known[frozenset((name, other))]["diff"], 0)
            for column, other in enumerate(of.order)
        ]  # fmt: skip
        rows.append([f"{row + 1} {name}", *cells])
    return rows


def _alike(one: dict[str, Any]) -> tuple[str, bool, str]:
    return one["text"].casefold(), bool(one["gold"]), (one["gold"] or one["answer"])["label"]


def _triage(of: Checked) -> list[list[str]]:
    """Units with the same words and label are one line, which tells of the first of them."""
    counts = Counter(map(_alike, of.document("all suspects", "triage")["result"]["units"]))
    first: dict[tuple[str, bool, str], dict[str, Any]] = {}
    for one in of.result("triage")["units"]:
        first.setdefault(_alike(one), one)
    return [
        [
            one["text"][:60],
            one["gold"]["label"] if one["gold"] else "nothing",
            "nothing" if not one["answer"] else one["answer"]["label"] + (
                f" {one['answer_text'][:40]}" if one["answer_text"] != one["text"] else ""),
            str(one["agree"]),
            f"{counts[alike]:,}",
        ]
        for alike, one in list(first.items())[:14]
    ]  # fmt: skip


def _oracle(of: Checked) -> list[list[str]]:
    found = of.result("oracle")
    total, solved, rows = found["overall"]["units"], 0, []
    for place, step in enumerate(found["greedy"], 1):
        new, solved = step["correct"] - solved, step["correct"]
        unique = found["contributions"][step["system"]]["unique"]
        rows.append([
            str(place), step["system"], f"{new:,}", "", _points(solved / total, 1),
            f"{unique:,}",
        ])  # fmt: skip
    return rows


def _gains(of: Checked) -> list[list[str]]:
    found = of.result("oracle")
    if len(found["labels"]) < 2:
        return []
    rows = [
        [label, f"{one['units']:,}", one["best_system"] or "–",
         _points(one["best"], 1), _points(one["oracle"], 1), _signed(one["gain"])]
        for label, one in found["labels"].items()
    ]  # fmt: skip
    return sorted(rows)


def _ranges(one: dict[str, Any]) -> list[str]:
    return [_held(bucket) for bucket in one["buckets"]]


def _held(bucket: dict[str, Any]) -> str:
    """What a bucket holds: a value, or the smallest and the largest of its gold units."""
    if bucket["kind"] == "value":
        return f"{bucket['value']:.4g}"
    if bucket["kind"] != "interval":
        return str(bucket["name"])
    low, high = (f"{bucket[end]:.4g}" for end in ("gold_min", "gold_max"))
    return low if low == high else f"{low} to {high}"


def _buckets(of: Checked) -> list[list[str]]:
    rows = []
    for name, one in of.result("buckets").items():
        first = True
        for at, (held, size) in enumerate(zip(_ranges(one), one["gold_sizes"], strict=True)):
            if size:
                values = (_points(one["systems"][each]["f1"][at], 1) for each in of.order)
                rows.append([name.replace("_", " ") if first else "", held, f"{size:,}", *values])
                first = False
    return rows


def _variation(of: Checked) -> list[list[str]]:
    rows = []
    for name, one in of.result("diagnose")["attributes"].items():
        cells = [name.replace("_", " "), f"{one['zeta']:.3g}", f"{one['rho']:.2f}"]
        for each in (one["systems"][system] for system in of.order):
            trend = "–"
            if each["spearman"] is not None:
                trend = f"{each['spearman']:+z.2f}".replace("-", "−")
            cells.append(f"{trend} {_points(each['std'], 1)}")
        rows.append(cells)
    return rows


def _diagnose(of: Checked) -> list[list[str]]:
    found, buckets = of.result("diagnose"), of.result("buckets")
    several = [one for one in found["comparisons"] if one["system"] == of.order[0]]
    compared = (several or found["comparisons"])[0]["attributes"]
    ends, sign = ("largest", "smallest"), 1
    if not several:  # of two, the page looks from the better one
        ends, sign = ("smallest", "largest"), -1
    rows = []
    for name, one in found["attributes"].items():
        told = [f"{held} (n = {size:,})" for held, size in
                zip(_ranges(buckets[name]), buckets[name]["gold_sizes"], strict=True)]  # fmt: skip
        held = dict(zip(one["names"], told, strict=True))
        cells: list[str] = []
        for system in of.order[:2]:
            own = one["self_diagnosis"][system]
            for end in ("best", "worst"):
                cells += [held[own[end]], _points(own[f"{end}_score"], 1)]
        for end in ends:
            gap = compared[name]
            cells += [held[gap[end]], _signed(sign * gap[f"{end}_difference"])]
        rows.append([name.replace("_", " "), *cells])
    return rows


def _slices(name: str) -> Callable[[Checked], list[list[str]]]:
    def rows(of: Checked) -> list[list[str]]:
        (search,) = of.result(name)["searches"]
        found = []
        for one in search["findings"][:10]:
            values = [_points(one["values"][system], 1) for system in search["systems"]]
            rest = [_points(one["rest"], 1)] if len(values) == 1 else []
            ends = ", ".join(_signed(end) for end in one["interval"])
            p = f"{one['p']:.3f}".removeprefix("0") if one["p"] >= 0.001 else "< .001"
            title = re.search(r" on (.*): recall ", one["sentence"])
            assert title is not None
            words = title.group(1)
            for attribute in of.result("buckets"):
                words = words.replace(f"{attribute} ", f"{attribute.replace('_', ' ')} ")
            found.append([words, f"{one['n']:,}", *values, *rest,
                          f"{_signed(one['effect'])} [{ends}]", p])  # fmt: skip
        return found

    return rows


TABLES: dict[str, Callable[[Checked], list[list[str]]]] = {
    "scores": _scores, "labels": _labels, "fair_labels": _fair_labels,
    "errors": _kinds, "differences": _differences, "triage": _triage, "oracle": _oracle,
    "gains": _gains, "buckets": _buckets, "variation": _variation, "diagnose": _diagnose,
    "slices": _slices("slices"), "pair_slices": _slices("pair_slices"),
}  # fmt: skip
LISTINGS = {"difficulty", "features", "words"}  # those of the command itself
OTHERS = {"definitions", "counts", "options", "signatures", "files", *LISTINGS}
_COUNT = re.compile(r'<a class="n" href="[^"]*" data-n="([0-9]+)">([0-9,]+)</a>')


def wrong_numbers(of: Checked) -> list[str]:
    """What a page has that its commands have not."""
    found = []
    if of.tables.nameless:
        found.append(f"{of.tables.nameless} tables that nobody checks")
    found += [f"unknown table {name}" for name in of.tables.rows if name not in {*TABLES, *OTHERS}]
    for name, expected in TABLES.items():
        shown, told = of.tables.rows.get(name, []), expected(of)
        if name == "gains":
            shown = sorted(shown)
        if len(shown) != len(told):
            found.append(f"{name}: {len(shown)} rows, not {len(told)}")
        for one, other in zip(shown, told, strict=False):
            if one != other:
                found.append(f"{name}: {one}, not {other}")
    return found


def check(of: Checked) -> None:
    """All tables, the data of the scripts, the signatures, the counts."""
    assert wrong_numbers(of) == []
    data = json.loads(re.search(r'id="data">(.*?)</script>', of.page, re.DOTALL)[1])  # type: ignore[index]
    files = files_of(data)
    assert files.keys() == data["downloads"].keys()
    for name, document in files.items():
        found, command = document["result"], of.result(name)
        if name == "differences":
            found, command = found["pairs"], command["pairs"]
        assert same_numbers(found, command), name
    signatures = {row[0]: row[1] for row in of.tables.rows["signatures"]}
    for name in ("score", "significance", "buckets", "slices", "triage"):
        assert signatures[name] == of.document(name)["signature"], name
    read = {one["sha256"] for one in of.document("buckets")["inputs"]}
    assert {row[-1].split()[-1] for row in of.tables.rows["files"]} == read
    counts = {row[0]: row[1] for row in of.tables.rows["counts"]}
    assert counts["gold spans"] == f"{of.result('difficulty')['units']:,}"


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    folder = tmp_path_factory.mktemp("numbers")
    play = fg.simulate(tokens=6_000, seed=1)
    fg.write(play.gold, str(folder / "gold.conll"))
    fg.write(play.train, str(folder / "train.conll"))
    names = [name for name in play.systems if name != "uniform"]  # it has no weak slices
    for name in names:
        fg.write(play.systems[name], str(folder / f"{name}.conll"))
    files = ["gold.conll", *(f"{name}.conll" for name in names)]
    return Checked(folder, files, "train.conll")


def test_simulated_data(simulated: Checked) -> None:
    check(simulated)


def test_counts_lead_to_as_many_units_as_they_say(simulated: Checked) -> None:
    """All that have no words about which units these are; but how many systems agree is no unit."""
    text = re.sub(r'data-table="triage".*?</table>', "", simulated.page, flags=re.DOTALL)
    counts = _COUNT.findall(text)
    assert len(counts) > 150
    assert [shown for leads, shown in counts if shown != f"{int(leads):,}"] == []


def test_the_findings_are_those_of_the_command(simulated: Checked) -> None:
    report = simulated.document("report", "report")["result"]
    told = [" ".join(one["text"].replace("[-", "[−").split()) for one in report["findings"]]
    assert simulated.tables.findings == told != []


@pytest.mark.parametrize("name", [one for one in TABLES if one != "fair_labels"])
def test_a_changed_number_is_found(simulated: Checked, name: str) -> None:
    """The last digit of every table, so that this test can fail."""
    rows = simulated.tables.rows[name]
    row = next(one for one in reversed(rows) if any(char.isdigit() for char in one[-1]))
    kept = row[-1]
    at = max(place for place, char in enumerate(kept) if char.isdigit())
    row[-1] = f"{kept[:at]}{(int(kept[at]) + 1) % 10}{kept[at + 1 :]}"
    try:
        assert len(wrong_numbers(simulated)) >= 1
    finally:
        row[-1] = kept


def test_many_systems_have_fair_scores_of_labels(tmp_path: Path) -> None:
    play = fg.simulate(tokens=2_000, seed=1)
    names = [f"{name}{copy}" for copy in (1, 2) for name in play.systems][:7]
    fg.write(play.gold, str(tmp_path / "gold.conll"))
    for name in names:
        fg.write(play.systems[name[:-1]], str(tmp_path / f"{name}.conll"))
    of = Checked(tmp_path, ["gold.conll", *(f"{name}.conll" for name in names)], None)
    assert len(of.tables.rows["fair_labels"]) == len(of.tables.rows["labels"]) == 4
    for name in ("labels", "fair_labels"):
        assert of.tables.rows[name] == TABLES[name](of)


def test_bc5_with_twelve_systems(shared: Path, tmp_path: Path) -> None:
    files = sorted(map(str, (shared / "data/ner/bc5-chemical").glob("*s1.tsv.gz")))
    files += ["--columns", "token=1,gold=2,answer=3"]
    found = Checked(tmp_path, files, None)
    check(found)
    assert ["units in this page", "5,000", "of 8,869"] in found.tables.rows["counts"]
    assert len(found.page.encode()) < 6_000_000


def test_wnut16_with_training_data(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data/ner/wnut16"
    names = ("test.txt.gz", "system-flair.txt.gz", "system-elmo.txt.gz")
    files = [str(folder / name) for name in names]
    check(Checked(tmp_path, files, str(folder / "train.txt.gz")))
