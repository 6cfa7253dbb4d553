"""A package with entry points extends finegrain; here a real one, made on the spot."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

import finegrain as fg
from finegrain import attributes, formats, metrics
from finegrain.plugins import plugins
from finegrain.testing import check_attribute, check_metric, small_corpora

CODE = """
from dataclasses import replace
from finegrain.attributes import ATTRIBUTES
from finegrain.formats import FORMATS
from finegrain.metrics import METRICS

LOUDNESS = replace(ATTRIBUTES["capital_share"], name="loudness", summary="how loud it is")
ERROR_RATE = replace(
    METRICS["accuracy"], name="twice_right", summary="accuracy by another name", short="twice_right"
)
SHOUTED = replace(
    FORMATS["conll"], name="shouted", summary="columns that begin with !",
    looks_like=lambda source: source.head(1)[0].startswith("!"),
)
"""
ENTRIES = """
[finegrain.metrics]
twice_right = shouting:ERROR_RATE

[finegrain.attributes]
loudness = shouting:LOUDNESS

[finegrain.formats]
shouted = shouting:SHOUTED
"""


@pytest.fixture
def shouting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package called shouting."""
    (tmp_path / "shouting.py").write_text(CODE)
    info = tmp_path / "shouting-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shouting", raising=False)


@pytest.mark.usefixtures("shouting")
def test_a_metric_of_another_package_is_found_and_keeps_the_promises() -> None:
    metric = metrics.by_name("twice_right")
    gold, systems = small_corpora("tags")
    check_metric(metric, gold, systems)
    scores = fg.score(fg.align(gold, systems), "twice_right")
    assert scores.value("twice_right", "nouns") == 26 / 30


@pytest.mark.usefixtures("shouting")
def test_an_attribute_of_another_package_is_found_and_used() -> None:
    gold, systems = small_corpora("spans")
    check_attribute(attributes.by_name("loudness"), gold, systems, task="spans")
    found = fg.features(fg.align(gold, systems))
    assert "loudness" in [one.name for one in found.numbers]


@pytest.mark.usefixtures("shouting")
def test_a_format_of_another_package_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "loud.txt").write_text("!one\n")  # one column: no built-in format
    source = formats.open_source(str(tmp_path / "loud.txt"))
    assert formats.recognise(source).name == "shouted"


def test_without_the_package_the_name_is_unknown() -> None:
    with pytest.raises(fg.UsageError, match="unknown metric 'twice_right'"):
        metrics.by_name("twice_right")


def test_without_plugins_nothing_slow_is_loaded_to_look_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    monkeypatch.setitem(sys.modules, "importlib.metadata", None)  # importing it is an error
    assert plugins("metrics") == {}


def test_packages_in_an_archive_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "shouting.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("shouting-1.0.dist-info/METADATA", "Name: shouting\nVersion: 1.0\n")
        file.writestr("shouting-1.0.dist-info/entry_points.txt", ENTRIES)
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert list(plugins("metrics")) == ["twice_right"]
