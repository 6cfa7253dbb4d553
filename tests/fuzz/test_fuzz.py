"""2,000 damaged cases with fixed seeds, and what the second reader and scorer is worth."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fuzz.cases import RECIPES, Case, made
from tests.fuzz.run import Counts, kept, markdown, outcomes
from tests.fuzz.verdicts import BAD, VERDICTS, Judged, judged

CASES, BLOCK = 2_000, 100


@pytest.mark.parametrize("first", range(0, CASES, BLOCK))
def test_a_damaged_file_is_scored_right_or_refused_clearly(first: int) -> None:
    found = Counts.of(outcomes(first, BLOCK, jobs=1))
    told = [
        f"python -m tests.fuzz.run 1 --seed {seed} --show: {recipe}: {': '.join(verdict)}"
        for seed, recipe, _, verdict in found.failures
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_is_not_damaged_is_scored(recipe: str) -> None:
    cases = [_undamaged(recipe, number) for number in range(8)]
    found = Counter(judged(case).verdict for case in cases)
    # gold without spans has no tag scheme, and a text with a word in each line looks like no text
    assert set(found) <= {"same score", "clear error", "accepted oddity"}
    assert found["same score"] > 5


def _undamaged(recipe: str, number: int = 0) -> Case:
    return made(list(RECIPES).index(recipe) + number * len(RECIPES), damage=False)


def test_a_wrong_score_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = _undamaged("conll, plain tags")
    wrong = {path: {"accuracy": 0.123} for path in case.paths[1:]}
    monkeypatch.setattr("tests.fuzz.verdicts._scored", lambda _: wrong)
    assert judged(case).verdict == "silent difference"


def test_a_crash_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_: Case) -> None:
        raise IndexError("out of range")

    monkeypatch.setattr("tests.fuzz.verdicts._scored", crash)
    verdict, why = judged(_undamaged("spans"))
    assert verdict == "traceback"
    assert "out of range" in why


def test_a_score_of_an_invalid_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = _undamaged("conll, plain tags")
    case.files[case.paths[1]] += b"one column\n\nx\n"
    monkeypatch.setattr("tests.fuzz.verdicts._scored", lambda _: {})
    assert judged(case).verdict == "scored though invalid"


def test_failing_cases_are_kept_with_their_command(tmp_path: Path) -> None:
    case = _undamaged("brat")
    folder = kept(case, Judged("traceback", "why"), tmp_path)
    assert (folder / "gold" / "d0.txt").read_bytes() == case.files["gold/d0.txt"]
    assert f"--seed {case.seed}" in (folder / "case.json").read_text()


def test_the_documented_run_has_no_failures() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reliability.md").read_text()
    lines = [line for line in page.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    header = next(row for row in rows if row[0] == "format")
    counted = {
        row[0]: {
            name: int(cell.replace(",", "")) for name, cell in zip(header[1:], row[1:], strict=True)
        }
        for row in rows
        if row[0] in (*RECIPES, "all") and len(row) == len(header)
    }
    assert list(counted) == [*RECIPES, "all"]
    assert counted["all"]["cases"] >= 100_000
    assert not any(counted[recipe][verdict] for recipe in counted for verdict in BAD)


def test_the_table_has_all_verdicts() -> None:
    counts = Counts.of([(1, "brat", 4, Judged("same score")), (2, "spans", 2, Judged(BAD[0], "x"))])
    table = markdown(counts).splitlines()
    assert all(verdict in table[0] for verdict in VERDICTS)
    assert table[2 + len(RECIPES)].startswith("| all | 2 | 6 | 1 | 0 | 0 | 1 |")
    assert [seed for seed, *_ in counts.failures] == [2]
