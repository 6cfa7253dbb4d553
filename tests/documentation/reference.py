"""The reference pages, made from the registries and docstrings so that they cannot go stale.

``python -m tests.documentation.reference`` writes them into docs/reference/; ``make docs`` does so
before it builds the site, and a test fails when a page is not what this module makes.
"""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import finegrain as fg
from finegrain import testing
from finegrain.attributes import ATTRIBUTES
from finegrain.attributes.attribute import Attribute
from finegrain.attributes.bucketing import in_words
from finegrain.formats import FORMATS, Format
from finegrain.metrics.label_counts import documented
from finegrain.metrics.metric import Metric
from finegrain.tasks import TASKS, Task
from finegrain.views import literature
from tests.documentation.console import ROOT
from tests.documentation.docstrings import first_paragraph, markdown, prose, table
from tests.documentation.options import command_line_page
from tests.documentation.signatures import fields, members, reading_call, signature

FOLDER = ROOT / "docs" / "reference"
_MADE = "<!-- made by `make docs` from the code: change the docstrings, not this page -->"


def pages() -> dict[str, str]:
    """Place below docs/reference -> text of every page that is made.

    One page per format, task and metric, and for each kind one that lists them.
    """
    metrics = every_metric()
    made = {
        "formats/index.md": formats_page(FORMATS.values()),
        **{f"formats/{one.name}.md": format_page(one) for one in FORMATS.values()},
        "tasks/index.md": tasks_page(TASKS.values()),
        **{f"tasks/{one.name}.md": task_page(one) for one in TASKS.values()},
        "metrics/index.md": metrics_page(metrics),
        **{f"metrics/{page_of(one)}.md": metric_page(one) for one in metrics},
        "attributes.md": attributes_page(ATTRIBUTES.values()),
        "python.md": python_page(),
        "command_line.md": command_line_page(),
        "literature.md": literature.text(),
    }
    return {name: f"{_MADE}\n\n{text.strip()}\n" for name, text in made.items()}


def formats_page(formats: Iterable[Format]) -> str:
    """All formats."""
    rows = [
        [f"[{one.name}]({one.name}.md)", _code(one.suffixes), prose(one.summary)] for one in formats
    ]
    intro = (
        "`--input NAME` or `fg.read(path, format=NAME)` fixes the format; without it, a file's "
        "content decides. What all formats share stands in [Formats and tag schemes]"
        "(../../formats.md)."
    )
    return _page("Formats", intro, table(["name", "usual suffixes", "what it holds"], rows))


def format_page(one: Format) -> str:
    """A format with its options, and an example of reading it."""
    read, write = inspect.unwrap(one.read), inspect.unwrap(one.write)
    home = _module(write).__name__
    return _page(
        one.name,
        _module_text(read),
        *_call("Reading", read, reading_call(read, one.name)),
        *_call("Writing", write, signature(write, f"{home}.write")),
    )


def tasks_page(tasks: Iterable[Task]) -> str:
    """All tasks."""
    rows = [[f"[{one.name}]({one.name}.md)", prose(one.unit), prose(one.summary)] for one in tasks]
    intro = (
        "`--task NAME` or `fg.align(gold, systems, task=NAME)` fixes the task; without it, the "
        "gold annotation decides ([how](../../tasks.md))."
    )
    return _page(
        "Tasks", intro, table(["name", "one row of the table per", "what it is for"], rows)
    )


def task_page(one: Task) -> str:
    """A task with its unit, outcomes, options and metrics."""
    outcomes = zip(one.outcomes.names, one.outcomes.meanings, strict=True)
    metrics = [metric for metric in every_metric() if one.name in tasks_of(metric)]
    align = inspect.unwrap(one.aligner or one.align)
    call = signature(align, f"{_module(align).__name__}.align")
    return _page(
        one.name,
        _module_text(align),
        "## Outcomes",
        table(["outcome", "meaning"], [[f"`{name}`", meaning] for name, meaning in outcomes]),
        "## Metrics",
        ", ".join(f"[{m.name}](../metrics/{page_of(m)}.md)" for m in metrics),
        *_call("Alignment", align, call),
    )


def page_of(metric: Metric) -> str:
    """The name of the page of a metric: that of chrF++ is not that of chrF."""
    return anchor(metric.name.replace("++", "-plus-plus"))


def metrics_page(metrics: Iterable[Metric]) -> str:
    """All metrics."""
    rows = [
        [f"[{one.name}]({page_of(one)}.md)", ", ".join(tasks_of(one)), prose(one.summary),
         citation(one.reference)]
        for one in metrics
    ]  # fmt: skip
    intro = (
        "`--metric NAME` or `fg.score(table, NAME)` chooses metrics; without it, `score` "
        "computes the usual ones of the task. Proportions lie between 0 and 1; undefined is "
        "nan, and each page says when. In the equations TP, FP and FN are what outcomes weigh "
        "([spans](../../spans.md)), and an index is a label."
    )
    return _page("Metrics", intro, table(["name", "task", "what it is", "reference"], rows))


def attributes_page(attributes: Iterable[Attribute]) -> str:
    """All attributes with their meaning, equation and buckets."""
    rows = [
        [f"`{one.name}`", _for_tasks(one), prose(one.summary), f"`{one.equation}`",
         "yes" if one.needs_training else "", prose(in_words(one.default_bucketing))]
        for one in attributes
    ]  # fmt: skip
    intro = (
        "`finegrain buckets --by NAME` or `fg.buckets(table, NAME)` groups units by an attribute; "
        "`finegrain list attributes NAME` says more. x is a unit, s its sentence, case is folded. "
        "How they are used stands in [Attributes and buckets](../attributes.md)."
    )
    header = ["name", "task", "what it is", "equation", "training data", "buckets"]
    return _page("Attributes", intro, table(header, rows))


def _for_tasks(one: Attribute) -> str:
    fitting = (task.name for task in TASKS.values() if one.applies_to(task))
    return ", ".join(fitting) if one.needs else "all"


def metric_page(metric: Metric) -> str:
    """A metric with its equation, citation and example, and what it counts."""
    chosen = getattr(metric.statistics, "keywords", {}).get("weights")
    weights = [f"What outcomes weigh: `{chosen.formula}`."] if chosen is not None else []
    counted = getattr(metric.statistics, "count", metric.statistics)  # what sums over words count
    return _page(
        metric.name, *_metric(metric), "## What is counted", *weights, _module_text(counted),
        *_namesakes(metric),
    )  # fmt: skip


def _namesakes(metric: Metric) -> Iterator[str]:
    """Metrics of the same name that grade the units of another task."""
    for task in TASKS.values():
        other = task.all_metrics().get(metric.name)
        if other is not None and other.value != metric.value:
            yield f"## In the task {task.name}"
            yield from _metric(other)


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *parts])


def every_metric() -> list[Metric]:
    """By task: first the metrics that ``score`` computes, then those that must be asked for."""
    found: dict[str, Metric] = {}
    for task in TASKS.values():
        for name, metric in task.all_metrics().items():
            found.setdefault(name, metric)
    return list(found.values())


def tasks_of(metric: Metric) -> list[str]:
    """The names of the tasks that have a metric."""
    return [task.name for task in TASKS.values() if metric.name in task.all_metrics()]


def _metric(metric: Metric) -> Iterator[str]:
    main, others = definition(metric)
    yield _sentence(metric.summary)
    yield markdown(inspect.getdoc(main) or "", module=_module(main))
    for function in others:
        role = "Overall" if metric.label_score else f"The score s is `{function.__name__}`"
        yield f"{role}: {_lower(first_paragraph(inspect.getdoc(function)))}"
    yield f"Reference: {citation(metric.reference)}."
    yield f"```sh\nfinegrain score GOLD SYSTEM... --metric {metric.name}\n```"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


class Definition(NamedTuple):
    """The function that says what a metric is, and the other functions it is made of."""

    main: Callable[..., Any]
    others: tuple[Callable[..., Any], ...]


def definition(metric: Metric) -> Definition:
    """The documented functions that a score is made of.

    ``micro(f1)`` is a function inside ``micro`` that knows ``f1``: both are documented.

    >>> from finegrain.metrics import METRICS
    >>> [function.__name__ for function in definition(METRICS["fair_macro_f1"]).others]
    ['f1']
    """
    if metric.definition is not None:
        return Definition(metric.definition, ())
    made_of = list(dict.fromkeys(_documented(metric.score)))
    main = list(_documented(metric.label_score))[-1] if metric.label_score else made_of[-1]
    return Definition(main, tuple(one for one in made_of if one is not main))


def _documented(function: Any) -> Iterator[Callable[..., Any]]:
    """Documented functions, the inmost first."""
    while isinstance(function, partial):
        function = function.func
    function = documented(function)
    closure = [part.cell_contents for part in getattr(function, "__closure__", None) or ()]
    inner = [found for part in closure if callable(part) for found in _documented(part)]
    yield from inner
    outer = function.__qualname__.split(".<locals>")[0]
    maker = getattr(inspect.getmodule(function), outer, function)
    if ".. math::" in (maker.__doc__ or "") or not inner:  # others hand on what they were given
        yield maker


def citation(reference: str) -> str:
    """A reference with links to the literature list, where the works are cited in full.

    >>> citation("Ortmann (2022), table 4")
    '[Ortmann (2022)](../literature.md#ortmann-2022), table 4'
    """
    for work in literature.works():
        place = f"../literature.md#{anchor(work.name)}"
        reference = reference.replace(work.name, f"[{work.name}]({place})")
    return reference


def anchor(title: str) -> str:
    """Where a heading can be linked to, on the site and in the repository alike.

    >>> anchor("Manning, Raghavan and Schütze (2008)")
    'manning-raghavan-and-schütze-2008'
    """
    return re.sub(r"[^\w\s-]", "", title).strip().lower().replace(" ", "-")


def python_page() -> str:
    """Every public name, what functions return, and the checks for plug-ins."""
    values = {name: getattr(fg, name) for name in fg.__all__ if name != "__version__"}
    functions = {name: value for name, value in values.items() if not inspect.isclass(value)}
    errors = {name: value for name, value in values.items() if _is_error(value)}
    classes = {name: value for name, value in values.items() if name not in functions | errors}
    returned = {one.__name__: one for one in _returned(functions.values())}
    results = {name: value for name, value in returned.items() if name not in classes}
    shown: set[ModuleType] = set()
    parts = [
        "# Python",
        (
            "`import finegrain as fg` makes these names available; they are loaded when they are "
            "first used. Nothing changes its arguments, and what a function returns never "
            "depends on the value of an argument. `fg.__version__` is the version as a string."
        ),
        _index({"function": functions, "class": classes, "result": results, "error": errors}),
    ]
    for title, things in (("Functions", functions), ("Classes", classes), ("Results", results)):
        parts.append(f"## {title}")
        for name, value in things.items():
            describe = _class if inspect.isclass(value) else _function
            parts += [describe(name, value, _new_module_text(value, shown))]
    parts += ["## Errors", *_new_module_text(fg.FinegrainError, shown)]
    parts += [_class(name, value, []) for name, value in errors.items()]
    parts += ["## finegrain.testing", markdown(testing.__doc__ or "", module=testing)]
    parts += [_function(name, getattr(testing, name), [], prefix="") for name in testing.__all__]
    return "\n\n".join(parts)


def _is_error(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Exception)


def _index(kinds: dict[str, dict[str, Any]]) -> str:
    rows = [
        [f"[{name}](#{anchor(name)})", kind, first_paragraph(value.__doc__)]
        for kind, values in kinds.items()
        for name, value in values.items()
    ]
    return table(["name", "kind", "what it is"], rows)


def _returned(functions: Iterable[Callable[..., Any]]) -> Iterator[type]:
    for function in functions:
        value = typing.get_type_hints(function, globalns=_known_names(function)).get("return")
        if inspect.isclass(value) and value.__module__.startswith("finegrain"):
            yield value


def _imported(module: str, name: str) -> Any:
    """What ``from module import name`` gives: also a module that nobody has loaded yet."""
    home = import_module(module)
    return getattr(home, name) if hasattr(home, name) else import_module(f"{module}.{name}")


def _known_names(function: Callable[..., Any]) -> dict[str, Any]:
    """The names of a function's module, and those it imports for its annotations only."""
    module = _module(function)
    names = dict(vars(module))
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                if (one.asname or one.name) not in names:
                    names[one.asname or one.name] = _imported(node.module, one.name)
    return names


def _function(
    name: str, function: Callable[..., Any], idea: list[str], *, prefix: str = "fg."
) -> str:
    call = f"```py\n{signature(function, f'{prefix}{name}')}\n```"
    text = markdown(inspect.getdoc(function) or "", module=_module(function))
    return "\n\n".join([f"### {name}", call, text, *idea])


def _class(name: str, class_: type, idea: list[str]) -> str:
    parts = [f"### {name}", *idea, markdown(class_.__doc__ or "", module=_module(class_))]
    own = [[f"`{field}`", f"`{kind}`"] for field, kind in fields(class_)]
    if own:
        parts += ["**Fields**", table(["field", "type"], own)]
    methods = [one for one in members(class_) if one.docstring]
    if methods:
        rows = [[f"`{one.call}`", first_paragraph(one.docstring)] for one in methods]
        parts += ["**Methods**", table(["call", "what it does"], rows)]
    return "\n\n".join(parts)


def _call(title: str, function: Callable[..., Any], call: str) -> list[str]:
    text = markdown(inspect.getdoc(function) or "", module=_module(function))
    return [f"## {title}", f"```py\n{call}\n```", text]


def _module(thing: Any) -> ModuleType:
    while isinstance(thing, partial):
        thing = thing.func
    module = inspect.getmodule(thing)
    if module is None:
        raise TypeError(f"{thing} stands in no module")
    return module


def _module_text(thing: Any) -> str:
    return markdown(_module(thing).__doc__ or "", module=_module(thing))


def _new_module_text(thing: Any, shown: set[ModuleType]) -> list[str]:
    """What a module says about itself, the first time one of its things comes up."""
    module = _module(thing)
    if module in shown:
        return []
    shown.add(module)
    return [_module_text(thing)]


def _sentence(summary: str) -> str:
    return prose(summary[0].upper() + summary[1:] + ".")


def _code(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def write(folder: Path = FOLDER) -> None:
    """Write all pages."""
    for name, text in pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
