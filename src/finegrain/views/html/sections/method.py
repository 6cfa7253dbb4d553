"""Method: the signature, what was read and repaired, what every number means, how to cite."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

from finegrain.analyses.explain.buckets import Buckets
from finegrain.analyses.reports.report import Report
from finegrain.files_read import files_read
from finegrain.resampling.sampling import sampling_of
from finegrain.sizes import sized
from finegrain.table.task import Definition
from finegrain.table.verdicts import right_or_wrong
from finegrain.version import __version__
from finegrain.views.html.definitions import definitions
from finegrain.views.html.sections.section import Context, counted
from finegrain.views.html.wording import first_upper
from finegrain.views.literature import cited


def context(report: Report) -> Context | None:
    """Definitions of what the page has."""
    table = report.table
    corpus = table.corpus
    words = table.task.words
    facts = [counted(corpus.n_sentences, words.context)] if words.context else []
    if corpus.tokens is not None and words.context:
        facts.append(counted(corpus.n_tokens, "token"))
    if corpus.n_documents:
        facts.append(counted(corpus.n_documents, "document"))
    facts.append((table.n_gold, words.gold_of(table.n_gold)))
    counts = [(name, number, "") for number, name in facts]
    if table.repairs:
        counts.append(("gold tags repaired", table.gold_repairs, ""))
        of = f"in {sized(len(table.systems), 'system')}"
        counts.append(("system tags repaired", sum(table.repairs.values()), of))
    left_out = f"of {report.units.found:,}" if report.units.found > len(report.units.chosen) else ""
    shown = len(report.units.chosen)
    name = counted(shown, "unit")[1] if words.context else words.of(shown)
    counts.append((f"{name} in this page", shown, left_out))
    graded = not right_or_wrong(table)
    known = definitions(report.task, report.results, sample=sampling_of(table).kind, graded=graded)
    told = [*known, *_kinds(report), *_attributes(report)]
    return {
        "signature": report.signature,
        "definitions": told,
        "sources": cited(one.source for one in told),
        "facts": facts,
        "counts": counts,
        "notes": report.notes,
        "version": __version__,
        "options": _options(report),
        "made_with": versions(),
        "inputs": files_read(),
        "results": {name: result.signature for name, result in report.results.items()},
    }


def _kinds(report: Report) -> list[Definition]:
    """What the outcomes of the task mean."""
    if "errors" not in report.results:
        return []
    told = [f"{one.wording}: {one.meaning}" for one in report.task.outcomes]
    return [Definition("Outcomes", f"{first_upper('; '.join(told))}.", "")]


def _attributes(report: Report) -> list[Definition]:
    """What the attributes of the page are."""
    found = report.results.get("buckets")
    if not isinstance(found, Buckets):
        return []
    single = [one.attributes[0] for one in found.attributes if len(one.attributes) == 1]
    return [
        Definition(first_upper(one.name.replace("_", " ")), f"{first_upper(one.summary)}.", "")
        for one in single
    ]


def _options(report: Report) -> list[tuple[str, str]]:
    """How intervals were drawn, in words."""
    said = dict(part.split(":", 1) for part in report.results["score"].signature.split("|"))
    names = {"sample": "drawn for intervals", "intervals": "resamples", "confidence": "confidence",
             "seed": "seed", "scheme": "tag scheme", "policy": "reading of tags"}  # fmt: skip
    return [(words, said[name]) for name, words in names.items() if name in said]


def versions() -> list[tuple[str, str]]:
    """What the page was made with."""
    return [
        ("finegrain", __version__),
        ("Python", platform.python_version()),
        *((name, _version(name)) for name in ("numpy", "scipy", "vl-convert-python")),
    ]


def _version(package: str) -> str:
    """Of an installed package; its folder says it, which is faster than what Python has for it."""
    begin = f"{package.replace('-', '_')}-"
    for folder in sys.path:
        for one in Path(folder).glob(f"{begin}*.dist-info"):
            return one.name.removeprefix(begin).removesuffix(".dist-info")
    from importlib.metadata import version  # noqa: PLC0415 - slow

    return version(package)
