"""Files of a page: written once, and only as far as a page has room for them."""

from __future__ import annotations

import base64
import gzip
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import finegrain as fg
from finegrain.analyses.compare.difference_matrix import Differences
from finegrain.views.charts import charts_of
from finegrain.views.html import payload as page_data
from finegrain.views.html.downloads import files
from finegrain.views.html.embedding import packed
from finegrain.views.html.payload import payload
from finegrain.views.text_formats import as_csv, as_json, as_latex, as_markdown


@pytest.fixture(scope="module")
def report() -> Any:
    play = fg.simulate(tokens=2_000, seed=1)
    return fg.report(fg.align(play.gold, play.systems))


def test_no_part_is_asked_for_beyond_what_fits() -> None:
    asked = 0
    noise = random.Random(1)

    def parts() -> Iterator[str]:
        nonlocal asked
        for _ in range(1_000):
            asked += 1
            yield noise.randbytes(50_000).hex()

    assert packed(parts(), largest=1_000_000) is None
    assert asked < 50


@pytest.mark.parametrize("size", [10, 300_000])  # short and long texts are compressed alike
def test_a_file_that_fits_is_whole(size: int) -> None:
    parts = ["abcdefghij" * (size // 20)] * 2
    found = packed(parts, largest=1_000_000)
    assert found is not None
    assert gzip.decompress(base64.b64decode(found)).decode() == "".join(parts)


def test_files_are_what_commands_write(report: Any) -> None:
    for result in report.results.values():
        found = files(result, command="finegrain report")
        unpacked = {name: gzip.decompress(base64.b64decode(one)) for name, one in found.items()}
        assert unpacked == {
            "csv": as_csv(result).encode(),
            "tex": as_latex(result).encode(),
            "md": as_markdown(result).encode(),
            "json": as_json(result, command="finegrain report").encode(),
        }


def test_a_page_writes_every_result_out_once(report: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    for result in report.results.values():
        kind = type(result)
        if kind.__name__ in calls:
            continue
        calls[kind.__name__] = 0

        def counted(self: Any, real: Any = kind.to_json, name: str = kind.__name__) -> Any:
            calls[name] += 1
            return real(self)

        monkeypatch.setattr(kind, "to_json", counted)
    payload(report)
    assert isinstance(report.results["differences"], Differences)
    assert calls["Differences"] == 1
    expected = Counter(type(one).__name__ for one in report.results.values())
    assert calls == expected


def test_only_figures_of_the_page_are_drawn(report: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def noting(report: Any, names: Any = None) -> Any:
        asked.append(names)
        return charts_of(report, names)

    monkeypatch.setattr(page_data, "charts_of", noting)
    assert set(payload(report)["charts"]) == set(charts_of(report)) & set(page_data.IN_PAGE)
    assert asked == [page_data.IN_PAGE]
    assert "confusion" not in charts_of(report, page_data.IN_PAGE)
    assert "confusion" in charts_of(report)
