r"""The file that lists data sets, systems and training files: TOML, checked key by key.

    metric = "traditional_f1"            # all of these are optional
    by = ["entity_length", "label"]
    baseline = "crf"                     # or: compare = [["neural", "crf"]]

    [defaults]                           # for every data set that does not say otherwise
    columns = { token = 1, tags = 3 }

    [datasets.news]
    gold = "news/gold.conll"
    train = "news/train.conll"
    task = "spans"

    [datasets.news.systems]
    crf = "news/crf.conll"
    neural = ["news/seed1.conll", "news/seed2.conll"]    # runs of one system

Paths are relative to the file. Everything that is wrong is told at once, with its key:

>>> parse('by = "label"\n[datasets.news]\ngold = 3\n', "suite.toml")
Traceback (most recent call last):
finegrain.errors.InputError: suite.toml: datasets.news.gold: a file name is expected, not 3.
suite.toml: datasets.news.systems: is missing. Name at least one system: crf = "crf.conll".
"""

from __future__ import annotations

import difflib
import os.path
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from finegrain.attributes.bucketing import STRATEGIES
from finegrain.attributes.presets import PRESETS
from finegrain.corpus.names import misnamed
from finegrain.corpus.tag_schemes import POLICIES
from finegrain.errors import Collector, InputError
from finegrain.files_read import opened
from finegrain.tasks import known


@dataclass(frozen=True, slots=True)
class ListedSet:
    """A data set as the file has it; paths lead from where the program runs.

    ``systems``: name -> files of its runs; ``reading``: how files are read and aligned;
    ``choices``: of ``buckets``
    """

    name: str
    gold: str
    systems: Mapping[str, tuple[str, ...]]
    train: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout:
    """What the file says."""

    source: str
    data_sets: tuple[ListedSet, ...]
    baseline: str | None = None
    compare: tuple[tuple[str, str], ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)


Check = Callable[[Any], str]  # what is expected, or nothing where the value is fine


def _text(value: Any) -> str:
    return "" if isinstance(value, str) and value else "a text is expected"


def _file(value: Any) -> str:
    return "" if isinstance(value, str) and value else "a file name is expected"


def _texts(value: Any) -> str:
    fine = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    return "" if isinstance(value, str) or fine else "a text or a list of texts is expected"


def _columns(value: Any) -> str:
    fine = isinstance(value, dict) and all(
        isinstance(one, str) or (isinstance(one, int) and not isinstance(one, bool) and one > 0)
        for one in value.values()
    )
    return "" if fine and value else "columns from 1 or their names are expected: { token = 1 }"


def _renamed(value: Any) -> str:
    fine = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    return "" if fine else "new names are expected: { OLD = 'NEW' }"


def _settings(value: Any) -> str:
    fine = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    return "" if fine else "options of the task are expected: { match = 'head' }"


def _number(value: Any) -> str:
    fine = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return "" if fine else "a number from 1 is expected"


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else "true or false is expected"


def _one_of(known: Callable[[], list[str]]) -> Check:
    def check(value: Any) -> str:
        names = known()
        return "" if value in names else f"one of {', '.join(names)} is expected"

    return check


READING: dict[str, Check] = {
    "task": _one_of(lambda: sorted(known())),
    "input": _text,
    "columns": _columns,
    "gold_columns": _columns,
    "header": _one_of(lambda: ["auto", "yes", "no"]),
    "comment": _text,
    "scheme": _text,
    "policy": _one_of(lambda: list(POLICIES)),
    "layer": _text,
    "map": _renamed,
    "labels": _texts,
    "exclude": _texts,
    "set": _settings,
}
CHOICES: dict[str, Check] = {
    "metric": _text,
    "by": _texts,
    "buckets": _number,
    "strategy": _one_of(lambda: list(STRATEGIES)),
    "preset": _one_of(lambda: list(PRESETS)),
    "fold_case": _flag,
}
_FILES = ("gold", "train", "systems")
_TOP = ("datasets", "defaults", "baseline", "compare")


def read_layout(path: str) -> Layout:
    """Read and check the file."""
    try:
        with opened(path) as file:
            text = file.read().decode("utf-8")
    except FileNotFoundError:
        raise InputError.at(path, 0, "no such file", "Check the path.") from None
    except UnicodeDecodeError as error:
        raise InputError.at(path, 0, f"is not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise InputError.at(path, 0, f"cannot be read ({error.strerror or error})") from None
    layout = parse(text, path)
    _require_files(layout)
    return layout


def parse(text: str, source: str) -> Layout:
    """Check the text of a file; ``source`` is its name."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        what = re.sub(r" \(at .*\)$", "", str(error))
        line = int(found[1]) if found else text.count("\n") + 1  # at its end
        raise InputError.at(source, line, f"is not TOML: {what}") from None
    except RecursionError:
        what = "brackets are nested too deeply"
        raise InputError.at(source, 0, what, "A suite needs a handful of levels.") from None
    problems = Collector(source)
    defaults = _table(told, "defaults", problems)
    _known(defaults, "defaults.", [*READING, *CHOICES], problems)
    _known(told, "", [*_TOP, *CHOICES], problems)
    shared = {**_checked(told, "", CHOICES, problems)}
    shared |= _checked(defaults, "defaults.", {**READING, **CHOICES}, problems)
    listed = _table(told, "datasets", problems)
    if not listed and not problems.problems:
        problems.add(0, "datasets: is missing", "Describe a data set: [datasets.news].")
    described = [_data_set(name, given, shared, problems) for name, given in listed.items()]
    data_sets = tuple(one for one in described if one is not None)
    systems = list(dict.fromkeys(name for one in data_sets for name in one.systems))
    what = misnamed(systems, "system")
    if what:
        problems.add(0, f"datasets: {what}", "Call a system by one name in all data sets.")
    baseline = told.get("baseline")
    if "baseline" in told and not problems.problems:
        _known_system(baseline, "baseline", systems, problems)
    compare = _pairs(told.get("compare", []), systems, problems)
    problems.raise_any()
    return Layout(source, data_sets, baseline, compare, told)


def _table(told: Mapping[str, Any], key: str, problems: Collector) -> dict[str, Any]:
    given = told.get(key, {})
    if isinstance(given, dict):
        return given
    problems.add(0, f"{key}: a table is expected, not {given!r}")
    return {}


def _known(given: Mapping[str, Any], where: str, known: list[str], problems: Collector) -> None:
    for key in given:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"Did you mean {close[0]!r}? " if close else ""
            problems.add(0, f"{where}{key}: is not known", f"{hint}Known: {', '.join(known)}.")


def _checked(
    given: Mapping[str, Any], where: str, checks: Mapping[str, Check], problems: Collector
) -> dict[str, Any]:
    """The values that are fine."""
    fine = {}
    for key, check in checks.items():
        if key not in given:
            continue
        expected = check(given[key])
        if expected:
            problems.add(0, f"{where}{key}: {expected}, not {given[key]!r}")
        else:
            fine[key] = given[key]
    return fine


def _data_set(
    name: str, given: Any, shared: Mapping[str, Any], problems: Collector
) -> ListedSet | None:
    where = f"datasets.{name}"
    if not isinstance(given, dict):
        problems.add(0, f"{where}: a table is expected, not {given!r}")
        return None
    before = len(problems.problems)
    _known(given, f"{where}.", [*_FILES, *READING, *CHOICES], problems)
    own = {**shared, **_checked(given, f"{where}.", {**READING, **CHOICES}, problems)}
    if "gold" not in given:
        problems.add(0, f"{where}.gold: is missing", 'Name the gold file: gold = "gold.conll".')
    files = _checked(given, f"{where}.", {"gold": _file, "train": _file}, problems)
    systems = _systems(given.get("systems"), f"{where}.systems", problems)
    if len(problems.problems) > before:
        return None
    return ListedSet(
        name,
        _path(problems.path, files["gold"]),
        {one: tuple(_path(problems.path, run) for run in runs) for one, runs in systems.items()},
        _path(problems.path, files["train"]) if "train" in files else None,
        {key: own[key] for key in READING if key in own},
        {key: own[key] for key in CHOICES if key in own},
    )


def _systems(given: Any, where: str, problems: Collector) -> dict[str, list[str]]:
    """Files of runs by the name of the system."""
    if given is None or given == {}:
        problems.add(0, f"{where}: is missing", 'Name at least one system: crf = "crf.conll".')
        return {}
    if not isinstance(given, dict):
        problems.add(0, f"{where}: a table is expected, not {given!r}")
        return {}
    found = {}
    for name, runs in given.items():
        listed = runs if isinstance(runs, list) and runs else [runs]
        if any(_file(run) for run in listed):
            problems.add(0, f"{where}.{name}: a file name, or a list of them, is expected")
        found[name] = listed
    return found


def _known_system(name: Any, where: str, systems: list[str], problems: Collector) -> None:
    if name not in systems:
        problems.add(0, f"{where}: there is no system {name!r}", f"Known: {', '.join(systems)}.")


def _pairs(given: Any, systems: list[str], problems: Collector) -> tuple[tuple[str, str], ...]:
    fine = isinstance(given, list) and all(
        isinstance(pair, list) and len(pair) == 2 and pair[0] != pair[1] for pair in given
    )
    if not fine:
        problems.add(0, 'compare: pairs of systems are expected: [["neural", "crf"]]')
        return ()
    if not problems.problems:
        for pair in given:
            for name in pair:
                _known_system(name, "compare", systems, problems)
    return tuple((pair[0], pair[1]) for pair in given)


def _path(source: str, path: str) -> str:
    """A path of the file, which is relative to it, from where the program runs."""
    return os.path.join(os.path.dirname(source), path)  # noqa: PTH118, PTH120 - names, not files


def _require_files(layout: Layout) -> None:
    problems = Collector(layout.source)
    for one in layout.data_sets:
        where = f"datasets.{one.name}"
        named = [(f"{where}.gold", one.gold)]
        named += [(f"{where}.train", one.train)] if one.train is not None else []
        named += [
            (f"{where}.systems.{name}", run) for name, runs in one.systems.items() for run in runs
        ]
        for key, path in named:
            if not os.path.exists(path):  # noqa: PTH110 - as given
                problems.add(
                    0, f"{key}: there is no file {path}", "Paths are relative to this file."
                )
    problems.raise_any()
