"""Imports point one way; nothing heavy loads early; names and sizes keep to the house style."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src"
PACKAGE = SRC / "finegrain"

# Highest first; a layer may import from layers below it and from itself.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("cli", "__main__"),
    ("testing",),
    ("explorer",),
    (
        "adversarial_pairs",
        "behavioural_tests",
        "conditions",
        "data_frames",
        "evaluating",
        "item_lists",
        "lists",
        "perturbed_copies",
        "seqeval",
        "span_lists",
        "suites",
        "trainer_metrics",
        "writing",
    ),
    ("views",),
    ("analyses",),
    ("tasks",),
    ("resampling",),
    ("metrics", "attributes"),
    ("behaviour",),
    ("perturbations",),
    ("alignment", "formats", "grounding", "simulation"),
    ("table",),
    ("corpus",),
    ("plugins", "complete_file", "files_read"),
    ("arguments",),
    ("errors", "sizes", "strict_json", "version", "visible"),
)
# The table's methods save, load, select, ... import what knows the table when they are called.
# A result prints and saves itself with the views: the one upward step (and, by import_module, the
# table in a notebook, which shows its units).
WHEN_CALLED = {
    "finegrain.table.outcome_table": {"finegrain.table", "finegrain.analyses.selection.selecting"},
    "finegrain.analyses.result": {
        "finegrain.views.charts",
        "finegrain.views.html.notebook",
        "finegrain.views.saving",
        "finegrain.views.terminal",
    },
}
# The same within the analyses: modules that stand beside these folders are below them all, and the
# language of selections below these.
ANALYSES = (
    "reports", "studies", "trust", "explain", "compare", "scores", "units", "restricting", "",
    "selection",
)  # fmt: skip
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
ONLY_ON_TOP = {"rich", "click", "jinja2", "starlette", "uvicorn"}
SAYS_NOTHING = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "misc",
    "base",
    "manager",
    "processor",
}


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _layer(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "finegrain"


def _name(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def _imports(path: Path) -> frozenset[str]:
    """Modules that a file imports, ``from finegrain import tasks`` as finegrain.tasks."""
    return frozenset(_imported(_parsed(path)))


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module == "finegrain":
                yield from (f"finegrain.{alias.name}" for alias in node.names)
            else:
                yield node.module


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_imports_point_downwards(path: Path) -> None:
    layer = _layer(_name(path))
    if layer == "finegrain":  # the package itself only names things
        return
    assert layer in RANK, f"say in LAYERS where {layer} belongs"
    allowed = WHEN_CALLED.get(_name(path), set())
    for imported in _imports(path) - allowed:
        if imported.startswith("finegrain.") and _layer(imported) in RANK:
            assert RANK[_layer(imported)] >= RANK[layer], f"{_name(path)} imports {imported}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "analyses").rglob("*.py")), ids=_name)
def test_analyses_build_on_each_other_one_way(path: Path) -> None:
    def rank(module: str) -> int:
        folder = module.split(".")[2]
        return ANALYSES.index(folder if folder in ANALYSES else "")

    for imported in _imports(path):
        if imported.startswith("finegrain.analyses."):
            assert rank(imported) >= rank(_name(path)), f"{_name(path)} imports {imported}"


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_only_views_and_the_command_line_know_about_screens(path: Path) -> None:
    if _layer(_name(path)) in {"views", "explorer", "cli"}:
        return
    assert not {name.split(".")[0] for name in _imports(path)} & ONLY_ON_TOP


def test_no_import_cycles() -> None:
    """Sibling modules of one layer must not import each other in a circle."""
    graph = {_name(path): set(_imports(path)) for path in _modules()}
    for module, imported in WHEN_CALLED.items():
        graph[module] -= imported
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join([*trail, module])
        if module in done:
            return
        for imported in graph.get(module, ()):
            if imported in graph and imported != module:
                visit(imported, (*trail, module))
        done.add(module)

    for module in graph:
        if module not in {"finegrain"}:
            visit(module, ("",))


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_modules_are_small_named_and_explained(path: Path) -> None:
    assert path.stem not in SAYS_NOTHING
    assert len(path.read_text().splitlines()) <= 400, "is a concept missing its name?"
    assert ast.get_docstring(_parsed(path)), "a module opens with its idea"


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_functions_fit_a_screen(path: Path) -> None:
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.FunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= 60, f"{node.name} has {length} lines"


def _modules_loaded(code: str) -> set[str]:
    shown = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sorted(sys.modules))"],
        capture_output=True, text=True, check=True, env={"PYTHONPATH": str(SRC)},
    ).stdout  # fmt: skip
    return set(shown.splitlines()[-1].split())


def _loaded(code: str) -> set[str]:
    return {name.split(".")[0] for name in _modules_loaded(code)}


def test_help_starts_without_numpy() -> None:
    code = "import finegrain.cli, contextlib, io\n"
    code += "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
    code += "    finegrain.cli.run(['--help'])"
    assert "numpy" not in _loaded(code)


def test_the_library_loads_numpy_and_the_standard_library_only() -> None:
    known = set(sys.stdlib_module_names) | {"finegrain", "numpy", "__main__"}
    code = "import finegrain as fg\n[getattr(fg, name) for name in fg.__all__]"
    extra = {name for name in _loaded(code) - known if not name.startswith("_")}
    assert extra <= {"sitecustomize", "usercustomize", "google", "cython_runtime"}


def test_scores_of_tags_come_without_trees_chains_and_attributes() -> None:
    """Nor does a selection load attributes that it does not ask for."""
    code = "import finegrain as fg\n"
    code += "gold = fg.Corpus.of([['a', 'b']], tags=[['N', 'V']])\n"
    code += "table = fg.align(gold, {'s': gold})\n"
    code += "str(fg.score(table, where='gold=N', intervals=10)), str(fg.error_types(table))\n"
    code += "str(fg.confusion(table)), str(fg.show(table))\n"
    loaded = _modules_loaded(code)
    late = ("alignment.coreference", "alignment.dependencies", "attributes", "metrics.coreference")
    assert not loaded & {f"finegrain.{name}" for name in late}


# What `finegrain score` of spans in columns needs of these packages; recognition asks the formats
# whose text can begin as a word does.
NEEDED: dict[str, set[str]] = {
    "alignment": {
        "answer_usage", "fair_matching", "grounded_spans", "item_tables", "kind_of_tags",
        "label_sets", "majority_vote", "projection", "repeated_answers", "same_text",
        "side_by_side", "span_sides", "spans", "task_options",
    },
    "attributes": set(),
    "formats": {
        "archives", "brat", "chosen_columns", "column_layout", "conll", "decimals", "delimited",
        "fields", "gold_and_answer", "grounded_items", "log_probabilities", "matrix",
        "matrix_layout", "number_arrays", "running_text", "safetensors", "segmented", "source",
        "span_lines", "standard_input", "stream", "token_records", "trec", "vectors",
    },
    "metrics": {
        "choosing", "chosen_units", "document_scores", "given_scores", "label_counts",
        "label_statistics", "match_schemes", "metric", "one_to_one", "options", "span_scores",
        "values", "weighing",
    },
}  # fmt: skip
FOREIGN = {"html", "pyarrow", "pyexpat", "xml", "zipfile"}


def test_scores_of_spans_load_no_other_formats_tasks_and_attributes(tmp_path: Path) -> None:
    """Start-up does not grow with what there is besides."""
    for name in ("gold", "system"):
        (tmp_path / f"{name}.conll").write_text("Ann B-PER\nsings O\n\nin O\nRome B-LOC\n")
    files = [str(tmp_path / f"{name}.conll") for name in ("gold", "system")]
    code = "import finegrain.cli, contextlib, io\n"
    code += "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
    code += f"    finegrain.cli.run(['score', *{files}, '--format', 'json', '--quiet'])"
    loaded = _modules_loaded(code)
    assert "finegrain.analyses.scores.score" in loaded, "the command ran"
    for package, needed in NEEDED.items():
        home = f"finegrain.{package}."
        modules = {name.removeprefix(home) for name in loaded if name.startswith(home)}
        assert modules <= needed, f"does a score of spans need {modules - needed}?"
    assert not {name.split(".")[0] for name in loaded} & (FOREIGN | ONLY_ON_TOP - {"click"})
