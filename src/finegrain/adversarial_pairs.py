"""Items in pairs: the original and what somebody made of it, such as contrast sets.

A pairs file says which item is a perturbed version of which, of what kind, and whether the right
answer stays the same or changes::

    original	perturbed	kind	expected
    q1	q1-neg	negation	changes
    q1	q1-typo	typos	same

>>> import finegrain as fg
>>> gold = fg.from_items({"q1": "pos", "n1": "neg"}, {"s": {"q1": "pos", "n1": "pos"}}).corpus
>>> pairs = [Pair("q1", "n1", "negation", "changes")]
>>> kinds(pairs)
{'negation': {'q1': Pair(original='q1', perturbed='n1', kind='negation', expected='changes')}}

The original items are the rows of the table. What a system says of a perturbed item stands beside
what it says of the original; where the gold label changes, labels are exchanged so that right stays
right (gold of the perturbed item becomes gold of the original, and the other way round).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain import strict_json
from finegrain.alignment.classification import ANSWER, GOLD
from finegrain.conditions import Aligner, with_changes, with_conditions, with_present
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import cell
from finegrain.corpus.items import coded, of_rows
from finegrain.errors import Collector, InputError, UsageError
from finegrain.formats.source import open_source
from finegrain.perturbations.item_fields import text_columns, texts_of, words_of
from finegrain.perturbations.rewriting import Change
from finegrain.table import OutcomeTable
from finegrain.table.conditions import CHANGING, EXPECTED, ORIGINAL, SAME, column_name
from finegrain.table.task import Task

_NAMES = ("original", "perturbed", "kind", "expected")


class Pair(NamedTuple):
    """A perturbed item and the original it was made from, by their ids."""

    original: str
    perturbed: str
    kind: str
    expected: str


Kinds = Mapping[str, Mapping[str, Pair]]


def read_pairs(path: str) -> list[Pair]:
    """The pairs of a file: TSV or CSV with a header, or JSON lines."""
    source = open_source(path)
    problems = Collector(source.name)
    found = []
    for number, row in _rows(source.lines(), problems):
        values = [str(row.get(name) or "").strip() for name in _NAMES]
        pair = Pair(values[0], values[1], values[2] or "perturbed", values[3] or SAME)
        if not pair.original or not pair.perturbed:
            problems.add(number, "a pair needs an original and a perturbed item",
                         "Give their ids in the columns original and perturbed.")  # fmt: skip
        elif pair.expected not in (SAME, CHANGING):
            problems.add(number, f"expected is {pair.expected!r}", f"Write {SAME} or {CHANGING}.")
        elif "@" in pair.kind or pair.kind == ORIGINAL:
            problems.add(number, f"a kind cannot be called {pair.kind!r}", "Name it otherwise.")
        else:
            found.append(pair)
    problems.raise_any()
    if not found:
        raise InputError.at(source.name, 0, "there are no pairs in it")
    return found


def _rows(lines: list[str], problems: Collector) -> Iterator[tuple[int, Mapping[str, Any]]]:
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("{"):
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    row = strict_json.parse(line)
                except strict_json.BadJson as fault:
                    problems.add(number, str(fault))
                    continue
                if isinstance(row, dict):
                    yield number, row
                else:
                    problems.add(number, "expected a JSON object")
        return
    separator = "\t" if "\t" in first else ","
    reader = csv.DictReader(lines, delimiter=separator)
    if not {"original", "perturbed"} <= {*(reader.fieldnames or ())}:
        problems.add(1, "the columns original and perturbed are not named",
                     f"The first line names the columns: {', '.join(_NAMES)}.")  # fmt: skip
        return
    for row in reader:
        yield reader.line_num, row


def kinds(pairs: Sequence[Pair]) -> Kinds:
    """Kind -> original -> its pair; a second one of a kind gets a kind of its own."""
    found: dict[str, dict[str, Pair]] = {}
    for pair in pairs:
        name, again = pair.kind, 1
        if pair.expected != next(iter(found.get(name, {"": pair}).values())).expected:
            name = f"{pair.kind} ({pair.expected})"
        while pair.original in found.get(name, {}):
            again += 1
            name = f"{pair.kind} {again}"
        found.setdefault(name, {})[pair.original] = pair
    return found


class Sides(NamedTuple):
    """A corpus of items by id; perturbed items may stand in another file."""

    original: Corpus
    perturbed: Corpus


def align_pairs(
    gold: Sides, systems: Mapping[str, Sides], pairs: Sequence[Pair], task: Task, aligner: Aligner
) -> OutcomeTable:
    """One table of the original items, with a column for each system and kind."""
    by_kind = kinds(pairs)
    known, perturbed = (_by_id(one) for one in gold)
    _require_known(pairs, known, perturbed, gold)
    originals = list(dict.fromkeys(pair.original for pair in pairs))
    rows = np.array([known[name] for name in originals])
    base = of_rows(gold.original, rows)
    changes = {kind: _changes(gold, base, own, known, perturbed) for kind, own in by_kind.items()}
    columns = [(name, kind) for kind in (ORIGINAL, *by_kind) for name in systems]

    def outputs() -> Iterator[tuple[str, Corpus]]:
        for name, kind in columns:
            own = _only(systems[name].original, originals)
            if kind == ORIGINAL:
                yield name, own
            else:
                yield column_name(name, kind), _answers(gold, systems[name], own, by_kind[kind])

    table = aligner(with_changes(base, changes), outputs(), task)
    table = with_conditions(table, columns)
    expected = [_expected(by_kind.get(kind, {})) for _, kind in columns]
    table = replace(table, facets={**table.facets, EXPECTED: tuple(expected)})
    ids = [str(cell(table.corpus.fields["id"], int(at))) for at in table.sentence]
    present: NDArray[np.bool_] = np.array(
        [[kind == ORIGINAL or one in by_kind[kind] for _, kind in columns] for one in ids]
    )
    return with_present(table, present)


def _expected(own: Mapping[str, Pair]) -> str:
    return next((pair.expected for pair in own.values()), SAME)


def _by_id(corpus: Corpus) -> dict[str, int]:
    if "id" not in corpus.fields:
        raise InputError.at(corpus.source, 0, "items have no ids, which pairs need")
    ids = coded(corpus.fields["id"], missing="")
    return {name: row for row, name in enumerate(ids)}


def _require_known(
    pairs: Sequence[Pair], known: Mapping[str, int], perturbed: Mapping[str, int], gold: Sides
) -> None:
    for pair in pairs:
        if pair.original not in known:
            raise UsageError(f"--pairs: {gold.original.source} has no item {pair.original!r}")
        if pair.perturbed not in perturbed:
            raise UsageError(f"--pairs: {gold.perturbed.source} has no item {pair.perturbed!r}")


def _only(corpus: Corpus, ids: Sequence[str]) -> Corpus:
    """The items of a system with these ids; what it lacks, alignment reports."""
    known = _by_id(corpus)
    return of_rows(corpus, np.array([known[name] for name in ids if name in known], np.int64))


def _column(corpus: Corpus, names: Sequence[str]) -> str:
    return next((name for name in names if name in corpus.fields), "")


def _answers(gold: Sides, system: Sides, own: Corpus, pairs: Mapping[str, Pair]) -> Corpus:
    """What a system says of perturbed items, as answers to the originals.

    Items without a perturbed version keep their own answer, and are compared nowhere.
    """
    ids = list(coded(own.fields["id"], missing=""))
    label, of_gold = _column(own, ANSWER), _column(gold.original, GOLD)
    if not label or not of_gold:
        raise UsageError(f"{own.source}: pairs need a column with the label of each item")
    theirs = _by_id(system.perturbed)
    answers = list(coded(own.fields[label], missing=""))
    labels = coded(system.perturbed.fields[label], missing="")
    right = [coded(side.fields[of_gold], missing="") for side in gold]
    places = [_by_id(side) for side in gold]
    for row, name in enumerate(ids):
        if name not in pairs:
            continue
        pair = pairs[name]
        if pair.perturbed not in theirs:
            raise InputError.at(
                system.perturbed.source, 0, f"there is no answer to {pair.perturbed!r}",
                "Every item of the pairs file needs an answer.",
            )  # fmt: skip
        before, after = (
            one[place[item]]
            for one, place, item in zip(right, places, (name, pair.perturbed), strict=True)
        )
        swapped = {before: after, after: before}
        answer = labels[theirs[pair.perturbed]]
        answers[row] = swapped.get(answer, answer)
    fields = {"id": Texts.of(ids), label: Texts.of(answers)}
    return replace(own, fields=fields, parts={})


def _changes(
    gold: Sides,
    base: Corpus,
    own: Mapping[str, Pair],
    known: Mapping[str, int],
    perturbed: Mapping[str, int],
) -> list[Change]:
    """Which words differ in the texts of pairs."""
    try:
        fields = [name for name in text_columns(gold.original) if name in gold.perturbed.fields]
    except UsageError:  # labels alone
        return []
    ids = list(coded(base.fields["id"], missing=""))
    found = []
    for name in fields:
        texts = [texts_of(side, name) for side in gold]
        for row, item in enumerate(ids):
            if item not in own:
                continue
            old = words_of(texts[0][known[item]])
            new = words_of(texts[1][perturbed[own[item].perturbed]])
            for kind, begin, end, first, last in SequenceMatcher(
                None, old, new, autojunk=False
            ).get_opcodes():
                if kind != "equal":
                    found.append(Change(row, begin, old[begin:end], new[first:last], name))
    return found
