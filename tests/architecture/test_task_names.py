"""Nobody above the tasks knows one by name: neither a task nor an outcome is written out there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from finegrain.table.task import Task
from finegrain.tasks import TASKS
from tests.architecture.test_layers import PACKAGE

# Here a task is at home: its value, its alignment, its metrics, its files, its simulated data.
HOMES = {"tasks", "alignment", "metrics", "formats", "simulation", "corpus", "testing"}
NAMES = {*TASKS, *(name for task in TASKS.values() for name in task.outcomes.names)}

# Words that are spelt as the name of a task and mean something else. A line more is a decision.
EXEMPT = {
    ("analyses/compare/difficulty.py", "tags"): "what a table has (Task.has): a row per token",
    ("attributes/__init__.py", "spans"): "what an attribute needs of a table (Task.has)",
    ("attributes/__init__.py", "tags"): "what an attribute needs of a table (Task.has)",
    ("analyses/trust/seeds.py", "items"): "a key of the JSON: how much the choice of items varies",
    ("analyses/trust/repeats.py", "items"): "a key of the JSON: how many items there are",
    ("cli/options.py", "tags"): "the layer of that name, as in finegrain.corpus",
    ("behaviour/predictions.py", "spans"): "a key of predictions, as in the format jsonl",
    ("item_lists.py", "items"): "the format of that name",
    ("cli/record_keys.py", "spans"): "a key of records, as in the format jsonl",
    ("span_lists.py", "spans"): "a key of records, as in the format jsonl",
    ("__init__.py", "ratings"): "the function fg.ratings, labels of annotators",
    ("analyses/studies/raters.py", "ratings"): "a key of the JSON: how many ratings a rater gave",
    ("analyses/trust/crowd_listings.py", "items"): "a key of the JSON: how many items there are",
}


def _literals(path: Path) -> Iterator[str]:
    """Names that are written as a string: compared, looked up, or kept in a dictionary."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.keyword) and node.arg and node.arg.isupper():
            yield node.arg  # dict(TP=...)


def _leaks(suffix: str) -> set[tuple[str, str]]:
    found = set()
    for path in sorted(PACKAGE.rglob(f"*{suffix}")):
        name = path.relative_to(PACKAGE)
        if name.parts[0] not in HOMES:
            written = _literals(path) if suffix == ".py" else _quoted(path)
            found |= {(name.as_posix(), one) for one in NAMES.intersection(written)}
    return found


def _quoted(path: Path) -> list[str]:
    """Strings of a script or a template, and the keys of objects in capitals."""
    text = path.read_text(encoding="utf-8")
    strings = [found[2] for found in re.finditer(r"([\"'`])(\w+)\1", text)]
    return strings + re.findall(r"\b([A-Z_]{2,})\s*:", text) + re.findall(r"\.([A-Z_]{2,})\b", text)


def test_no_task_and_no_outcome_is_known_by_name() -> None:
    assert _leaks(".py") - set(EXEMPT) == set(), "ask the table's task: add a field to Task"


def test_what_is_exempt_still_occurs() -> None:
    """The list only gets shorter by itself."""
    assert set(EXEMPT) - _leaks(".py") == set()


# What makes a table of a task by itself, whatever files hold. A line more is a decision.
MAKERS = {
    ("__init__.py", "items"): "fg.from_matrix, a table of 0 and 1",
    ("seqeval.py", "spans"): "seqeval scores spans",
    ("seqeval.py", "tags"): "seqeval's accuracy is that of tags",
    ("span_lists.py", "spans"): "spans of texts, and the entities of spaCy",
    ("trainer_metrics.py", "spans"): "tags in a scheme are spans",
    ("trainer_metrics.py", "tags"): "the accuracy of tags",
    ("analyses/studies/probing.py", "classification"): "a probe answers with a label for each item",
    ("analyses/studies/word_benchmarks.py", "classification"): "an analogy is answered by a word",
    ("analyses/studies/word_benchmarks.py", "regression"): "pairs of words have numbers",
    (
        "analyses/studies/similarity.py",
        "representations",
    ): "vectors of more stimuli than fit in one",
}


def _imported(path: Path) -> Iterator[str]:
    """Modules of tasks that are imported, or named to be imported later."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "finegrain.tasks":
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = [getattr(node, "module", ""), *(one.name for one in node.names)]
            yield from (one[len("finegrain.tasks.") :] for one in names if one and "tasks." in one)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^finegrain\.tasks\.(\w+)", node.value)


def test_no_task_is_imported_by_what_serves_all() -> None:
    found = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in HOMES
        for name in _imported(path)
    }
    assert {one for one in found if one[1].lower() in TASKS} == set(MAKERS)


def test_an_imported_task_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "leak.py"
    path.write_text(
        "from finegrain.tasks.spans import SPANS\nfrom finegrain.tasks import tags\n"
        "import finegrain.tasks.items\nLATER = 'finegrain.tasks.qa:QA'\n"
    )
    assert sorted(_imported(path)) == ["items", "qa", "spans", "tags"]


@pytest.mark.parametrize("suffix", [".js", ".html"])
def test_neither_do_scripts_and_templates_know_one(suffix: str) -> None:
    assert _leaks(suffix) == set()


def test_a_leak_would_be_seen(tmp_path: Path) -> None:
    """Of each kind: a comparison, a dictionary, a case; prose and parts of words are none."""
    path = tmp_path / "leak.py"
    path.write_text(
        '"""About spans."""\n'
        "if task == 'spans': pass\n"
        "WORDS = {'coreference': 'mention', 'tagset': 1}\n"
        "match outcome:\n    case 'BES': pass\n"
        "weights = dict(FN=1)\n"
    )
    assert NAMES.intersection(_literals(path)) == {"spans", "coreference", "BES", "FN"}
    path.write_text("if (unit.kind === 'TP' || kinds.FN) draw({ LBE: `tags`, other: \"a span\" });")
    assert NAMES.intersection(_quoted(path)) == {"TP", "FN", "LBE", "tags"}


def _explained() -> dict[str, str]:
    """The parameters of ``Task`` and what its docstring says of each."""
    said: dict[str, str] = {}
    names: list[str] = []
    for line in (Task.__doc__ or "").splitlines():
        head = re.match(r"    (\w+(?:, \w+)*): (.*)", line)
        if head and not line.startswith("     "):
            names = head[1].split(", ")
            said |= dict.fromkeys(names, head[2])
        else:
            more = re.match(r"    .*; (\w+): (.*)", line)
            if more:
                said[more[1]] = more[2]
            said |= {name: f"{said[name]} {line.strip()}" for name in names}
    return said


def test_every_field_of_a_task_says_what_it_means() -> None:
    said = _explained()
    assert [one.name for one in fields(Task) if not said.get(one.name)] == []


def _used_by(name: str, default: object) -> list[str]:
    return [task.name for task in TASKS.values() if getattr(task, name) != default]


# What one built-in task alone makes use of. Each is a general question, as its line in the
# docstring of Task says; none of them is another way to ask for a task's name.
ONE_TASK = {
    "labels_answered", "predicted", "annotated", "compared", "score_rows",  # chains of mentions
    "rematch", "charge", "choices", "sliced", "notes",  # spans that overlap
    "beside", "fields", "sections",  # heads beside labels
    "value",  # graded units
    "factors", "holds_systems",  # people who rate systems
    "averaged", "doubted",  # probabilities of labels
    "members",  # pairs of stimuli: units that are made of what other units are made of, too
    "of_answers",  # clusterings: names of clusters are columns
    "grounded",  # answers of language models, with items that are in no text
    "lists",  # rankings: answers that are lists
    "drawn_beside",  # generated text: outputs in words that differ from references in places
    "answer_column", "excerpt",  # questions: answers are texts, and a context is long
}  # fmt: skip
UNUSED: set[str] = set()


def test_fields_that_one_task_uses_are_decided() -> None:
    alone, unused = set(), set()
    for one in fields(Task):
        if one.default is not MISSING:
            default = one.default
        elif one.default_factory is not MISSING:
            default = one.default_factory()
        else:
            continue
        users = _used_by(one.name, default)
        alone |= {one.name} if len(users) == 1 else set()
        unused |= set() if users else {one.name}
    assert alone <= ONE_TASK, "say what it means for any task, and list it"
    assert unused <= UNUSED


def test_what_one_task_alone_has_is_explained() -> None:
    """Needs of metrics and attributes, and questions about a task: each says what it means."""
    said = _explained()["has"]
    for need in set().union(*(task.has for task in TASKS.values())):
        assert f"``{need}``" in said, f"Task.has does not explain {need}"
    for name, asked in vars(Task).items():
        if isinstance(asked, property):
            assert asked.__doc__, f"Task.{name} does not say what it means"


def test_right_and_wrong_are_asked_of_one_module() -> None:
    """``table.verdicts`` says what is right: nobody above asks outcomes what holds for their codes.

    Above, an outcome is named, counted or drawn as the kind that it is.
    """
    above = ("analyses", "attributes", "cli", "explorer", "resampling", "suites", "views")
    asked = re.compile(r"correct_code|outcomes\.codes\(")
    texts = {
        path: path.read_text("utf-8") for name in above for path in (PACKAGE / name).rglob("*.py")
    }
    assert [path for path, text in texts.items() if asked.search(text)] == []
