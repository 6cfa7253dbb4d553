"""Cases about items: what is written for each recipe, and what should come of it.

>>> files, options = written(Random(1), "trec")
>>> [format_ for format_, _ in files.values()][:2], options
(['trec', 'trec'], {'input': 'trec'})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.fuzz import delimited, item_records, item_scores, squad, trec
from tests.fuzz.corpora import Invalid, looks
from tests.fuzz.items import (
    CLASSES,
    Items,
    answered,
    first,
    named,
    random_items,
    system_columns,
)
from tests.fuzz.scores import Values

# recipe -> formats that gold and systems may be written in, task
RECIPES: dict[str, tuple[tuple[str, ...], str]] = {
    "csv": (("csv",), "classification"),
    "tsv": (("csv",), "classification"),
    "items": (("items",), "classification"),
    "csv and items": (("csv", "items"), "classification"),
    "csv and items, numbers": (("csv", "items"), "regression"),
    "trec": (("trec",), "ranking"),
    "trec and items": (("trec", "items"), "ranking"),
    "squad": (("answers", "items"), "qa"),
}
NUMBERS = ("0", "1.5", "-2", "3", "1e1", "4.25", ".5")
Files = dict[str, tuple[str, bytes]]


def written(rng: Random, recipe: str) -> tuple[Files, dict[str, Any]]:
    """Files by name, each with its format, and options; the gold file is the first."""
    formats, task = RECIPES[recipe]
    names = [f"s{at}" for at in range(rng.choice((1, 1, 2)))]
    options = {"input": formats[0]} if len(formats) == 1 and rng.random() < 0.7 else {}
    if task == "qa":
        questions = squad.random_questions(rng)
        files = {"gold": ("squad", squad.write(rng, questions))}
        for name in names:
            answers = squad.random_answers(rng, questions)
            files[name] = _answers(rng, rng.choice(formats), answers)
        return files, options
    if task == "ranking":
        queries = trec.random_queries(rng)
        files = {"gold": _queries(rng, rng.choice(formats), queries, judged=True)}
        for name in names:
            run = trec.random_run(rng, queries)
            files[name] = _queries(rng, rng.choice(formats), run, judged=False)
        return files, options
    return _items(rng, recipe, names, options)


def _items(
    rng: Random, recipe: str, names: Sequence[str], options: dict[str, Any]
) -> tuple[Files, dict[str, Any]]:
    formats, task = RECIPES[recipe]
    labels = rng.choice(CLASSES) if task == "classification" else NUMBERS
    made = random_items(rng, labels)
    separator = "\t" if recipe == "tsv" else rng.choice(",,;")
    header = len(formats) > 1 or rng.random() < 0.7
    options |= {"header": rng.choice(("auto", "yes" if header else "no"))}
    if task == "classification" and rng.random() < 0.3:
        options["missing"] = "wrong"
    texts = [text.replace(",", "").strip() or "x" for text in made.texts]
    gold: dict[str, Any] = {"id": made.ids} if made.ids else {}
    gold |= {"text": texts} if rng.random() < 0.5 else {}
    gold |= {rng.choice(("label", "gold")): made.gold}
    gold |= {"domain": rng.choices(("films", "books"), k=len(texts))} if header else {}
    columns = {"gold": gold}
    for name in names:
        answers = answered(rng, made, labels)
        key = rng.choice(("label", "answer", "prediction"))
        columns[name] = system_columns(rng, made, answers, key)
    files = {}
    for name, chosen in columns.items():
        format_ = rng.choice(formats)
        if format_ == "items":
            files[name] = (format_, item_records.write(rng, _of_json(rng, chosen, labels)))
        else:
            files[name] = (format_, delimited.write(rng, chosen, separator, header=header))
    return files, options


def _of_json(
    rng: Random, columns: Mapping[str, Sequence[str]], labels: Sequence[str]
) -> dict[str, Any]:
    """The same columns, with numbers as such in some files."""
    as_numbers = rng.random() < 0.6 and set(labels) <= {"0", "1", *NUMBERS}
    return {
        name: [float(cell) if "." in cell or "e" in cell else int(cell) for cell in cells]
        if as_numbers and name not in ("id", "text", "domain") else cells
        for name, cells in columns.items()
    }  # fmt: skip


def _queries(rng: Random, format_: str, queries: trec.Ranked, *, judged: bool) -> tuple[str, bytes]:
    if format_ == "trec":
        return format_, trec.write(rng, queries, judged=judged)
    value = "grade" if judged else "score"
    lists = [[{"id": name, value: amount} for name, amount in documents]
             for documents in queries.values()]  # fmt: skip
    return format_, item_records.write(rng, {"id": [*queries], "documents": lists})


def _answers(rng: Random, format_: str, answers: dict[str, str]) -> tuple[str, bytes]:
    if format_ == "answers":
        return format_, squad.write_answers(rng, answers)
    key = rng.choice(("answer", "prediction_text"))
    return format_, item_records.write(rng, {"id": [*answers], key: [*answers.values()]})


def expected(
    task: str,
    texts: Mapping[str, list[str]],
    formats: Mapping[str, str],
    options: Mapping[str, Any],
    doubts: set[str],
) -> dict[str, Values]:
    """The scores of every system; raises ``Invalid``, and adds what may be refused to doubts."""
    gold_path, *systems = texts
    if task == "qa":
        if formats[gold_path] != "squad":
            raise Invalid("no questions with references")
        questions = squad.read(texts[gold_path])
        return {
            path: item_scores.answered(
                questions, _read(texts[path], formats[path], options, doubts)
            )
            for path in systems
        }
    read = {path: _read(lines, formats[path], options, doubts) for path, lines in texts.items()}
    gold = read[gold_path]
    if task == "ranking":
        return {path: item_scores.ranked(gold, read[path]) for path in systems}
    if task == "regression":
        return {path: item_scores.predicted(gold, read[path]) for path in systems}
    missing = options.get("missing", "error")
    found = {path: item_scores.classified(gold, read[path], missing=missing) for path in systems}
    labels = {named(cell) for cell in first(gold, item_scores.GOLD_LABEL)}
    for path in systems:
        labels |= {named(cell) for cell in first(read[path], item_scores.LABEL)}
    if any(label and not looks(label) for label in labels):
        raise Invalid("a label that cannot be seen")
    if len({looks(label) for label in labels}) < len(labels):
        doubts.add("labels that look alike")
    return found


def _read(lines: list[str], format_: str, options: Mapping[str, Any], doubts: set[str]) -> Items:
    if format_ == "squad":
        raise Invalid("references in place of answers")
    if format_ == "csv":
        return delimited.read(lines, options.get("header", "auto"))
    readers = {"items": item_records.read, "trec": trec.read, "answers": squad.read_answers}
    items = readers[format_](lines)
    doubts |= items.doubts
    return items
