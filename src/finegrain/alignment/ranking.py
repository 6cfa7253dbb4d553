"""One row per query: where every system ranks its judged documents.

>>> from finegrain.formats.source import source_of
>>> from finegrain.formats.trec import read
>>> from finegrain.tasks.ranking import RANKING
>>> qrels = read(source_of("qrels", b"1 0 d7 2\\n1 0 d9 0\\n2 0 d7 1\\n"))
>>> run = read(source_of("run", b"1 Q0 d9 1 0.5 mine\\n1 Q0 d7 2 0.4 mine\\n"))
>>> table = align(RANKING, qrels, {"mine": run})
>>> documents = table.parts["documents"]
>>> list(documents.fields["document"]), documents.fields["grade"].tolist()
(['d9', 'd7', 'd7'], [0.0, 2.0, 1.0])
>>> documents.by_system["rank"].T.tolist(), table.notes
([[1.0, 2.0, nan]], ('mine: 1 of 2 queries is not in the run and counts 0',))

The documents of a query are its parts: all judged ones, and those among the ten best of some system
that nobody judged. No measure asks for others, of which the table keeps the number (``retrieved``).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from finegrain.alignment.document_ranks import Judged, hashed, names_of, repeated
from finegrain.alignment.item_tables import Met, Missing, item_ids, item_table, without_missing
from finegrain.alignment.query_measures import first_relevant, ndcg, per_query
from finegrain.alignment.run_documents import (
    DOCUMENTS,
    GRADE,
    RETRIEVED,
    SCORE,
    TOP,
    documents_of,
    retrieved,
    run_of,
)
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.items import LINE, line_of, numbers
from finegrain.corpus.notes import Information, told_of
from finegrain.corpus.text_order import joined
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale, Value

MAIN = "nDCG@10"
"""Of ``table.values``: what queries are graded by."""
GAIN = Scale(shown="number")
FOUND, LOW, NONE, UNRANKED = range(4)
_SHOWN = 20  # problems that are told at once
_TIES = "score32,document-descending"


def align(
    task: Task, gold: Corpus, systems: Systems, *, missing: Missing = "wrong"
) -> OutcomeTable:
    """One row per query of the gold file; a query that a run does not have counts 0.

    missing: what becomes of such queries: ``wrong``, they count 0; ``skip``, they are left out for
        all systems; ``error``
    """
    if missing not in ("error", "wrong", "skip"):
        raise UsageError.unknown("missing", missing, ("error", "wrong", "skip"))
    queries = _ids(gold)
    grades = _graded(gold)
    judged = Judged.of(grades)
    names, corpora, rows, runs = [], [], [], []
    notes = [*gold.notes, *_without_relevant(gold, grades)]
    for name, corpus in named(systems):
        place, own = _met(queries, corpus)
        names.append(name)
        corpora.append(replace(corpus, parts={}, fields={}))
        rows.append(place)
        runs.append(run_of(_rows(corpus, SCORE, "run"), own, judged))
        notes += told_of(name, corpus.notes)
        notes += _lacking(gold, name, corpus, place, own, missing)
    size = gold.n_sentences
    stacked = np.array(rows, np.int64).reshape(len(rows), size).T
    met = Met(gold, tuple(names), tuple(corpora), stacked, tuple(notes))
    documents = documents_of(grades, judged, runs)
    table = item_table(
        task, met, outcome=np.zeros(stacked.shape, np.uint8), parts={DOCUMENTS: documents},
        details={RETRIEVED: retrieved(runs, size)}, settings={
            "ties": _TIES, **({} if missing == "wrong" else {"missing": missing})
        },
    )  # fmt: skip
    return without_missing(_graded_table(table, grades, stacked), met, missing)


def _graded_table(table: OutcomeTable, grades: Rows, rows: IntArray) -> OutcomeTable:
    """The table with its values, its outcomes, and how many documents are judged and relevant."""
    relevant = np.asarray(grades.fields[GRADE]) > 0
    columns = {
        "relevant": np.bincount(grades.parent[relevant], minlength=len(table)).astype(float),
        "judged": np.bincount(grades.parent, minlength=len(table)).astype(float),
    }
    table = replace(table, columns={**columns, **table.columns})
    depth = per_query(table, first_relevant)
    outcome = np.select([rows < 0, depth <= TOP, ~np.isnan(depth)], [UNRANKED, FOUND, LOW], NONE)
    values = {MAIN: Value(GAIN, per_query(table, partial(ndcg, cutoff=TOP)))}
    return replace(table, outcome=outcome.astype(np.uint8), values=values)


def _ids(corpus: Corpus) -> Texts:
    ids = item_ids(corpus)
    if ids is None:
        raise InputError.at(corpus.source, 1, "queries have no ids", 'Give every query an "id".')
    if ids.repeated():
        said = "two queries have the same id"
        raise InputError.at(corpus.source, 0, said, "Write the documents of a query together.")
    return ids


def _rows(corpus: Corpus, column: str, what: str) -> Rows:
    """The documents of queries, with an id and a number each."""
    rows = corpus.parts.get(DOCUMENTS)
    if rows is None or not {"id", column} <= set(rows.fields):
        raise InputError.at(
            corpus.source, 1, f"no {what} here: documents with an id and a {column}",
            "Give judgements (query 0 document grade) first, then runs (query Q0 document rank "
            "score tag).",
        )  # fmt: skip
    number = numbers(rows.fields[column])
    if number is None or np.isnan(number).any():
        raise InputError.at(
            corpus.source, 0, f"a {column} is missing or no number", "Every document has one."
        )
    found = hashed(Rows(rows.parent, {**rows.fields, column: number}))
    _require_distinct(corpus, found)
    return found


def _require_distinct(corpus: Corpus, rows: Rows) -> None:
    names = names_of(rows)
    problems = [
        Problem(corpus.source, _line(corpus, rows, row), "a document has no id", "Name every one.")
        for row in np.flatnonzero(names.lengths == 0)[:_SHOWN].tolist()
    ]
    if problems:
        raise InputError(problems)
    twice = repeated(rows)
    if not twice:
        return
    for row, first in twice[:_SHOWN]:
        query = corpus.fields["id"][int(rows.parent[row])]
        what = f"the document {names[row][:40]!r} occurs twice in the query {query[:40]!r}"
        if LINE in rows.fields:
            what += f" (line {int(np.asarray(rows.fields[LINE])[first])})"
        problems.append(
            Problem(corpus.source, _line(corpus, rows, row), what, "Keep one of the lines.")
        )
    raise InputError(problems, unlisted=max(0, len(twice) - _SHOWN))


def _line(corpus: Corpus, rows: Rows, row: int) -> int:
    if LINE in rows.fields:
        return int(np.asarray(rows.fields[LINE])[row])
    return line_of(corpus, int(rows.parent[row]))


def _graded(gold: Corpus) -> Rows:
    rows = _rows(gold, GRADE, "judgements")
    grade = np.asarray(rows.fields[GRADE])
    broken = np.flatnonzero(grade % 1 != 0)[:_SHOWN].tolist()
    if broken:
        mend = "Grades are integers: 0 for not relevant, 1 and more for relevant."
        raise InputError([
            Problem(
                gold.source,
                _line(gold, rows, row),
                f"the grade {grade[row]} is not an integer",
                mend,
            )
            for row in broken
        ])  # fmt: skip
    return rows


def _met(queries: Texts, corpus: Corpus) -> tuple[IntArray, IntArray]:
    """``[query]`` its place in the run, and ``[query of the run]`` its place in gold; -1: none."""
    own = _ids(corpus)
    every = joined([queries, own]).coded().codes
    of_gold, of_run = every[: len(queries)], every[len(queries) :]
    number = np.full(int(every.max(initial=0)) + 1, -1, np.int64)
    number[of_gold] = np.arange(len(queries))
    found = number[of_run]
    place = np.full(len(queries), -1, np.int64)
    place[found[found >= 0]] = np.flatnonzero(found >= 0)
    return place, found


def _lacking(
    gold: Corpus, name: str, corpus: Corpus, place: IntArray, own: IntArray, missing: Missing
) -> list[str]:
    """What is said of queries that only the gold file has, or only the run."""
    absent, foreign = np.flatnonzero(place < 0), np.flatnonzero(own < 0)
    size = gold.n_sentences
    if len(absent) == size:
        raise AlignmentError([
            Problem(corpus.source, 0, f"no query of the run is in {gold.source}",
                    "Queries are matched by their ids, to the letter.")
        ])  # fmt: skip
    if len(absent) and missing == "error":
        shown = ", ".join(repr(gold.fields["id"][row][:40]) for row in absent[:3].tolist())
        what = f"{len(absent):,} of {size:,} queries are not in the run: {shown}"
        mend = "Add them, or say --missing wrong or --missing skip."
        raise AlignmentError([Problem(corpus.source, 0, what + "..." * (len(absent) > 3), mend)])
    found = []
    if len(absent):
        verb = "is" if len(absent) == 1 else "are"
        counts = "" if missing == "skip" else f" and count{'s' * (len(absent) == 1)} 0"
        found.append(f"{name}: {len(absent):,} of {size:,} queries {verb} not in the run{counts}")
    if len(foreign):
        queries = "query is" if len(foreign) == 1 else "queries are"
        first = int(foreign[0])
        at = f" ({corpus.fields['id'][first][:40]!r}, line {line_of(corpus, first)})"
        found.append(
            f"{name}: {len(foreign):,} {queries} not in {gold.source} and left out"
            f"{at if len(foreign) == 1 else ', the first' + at}"
        )
    return found


def _without_relevant(gold: Corpus, grades: Rows) -> list[str]:
    known = np.unique(grades.parent[np.asarray(grades.fields[GRADE]) > 0])
    lacking = gold.n_sentences - len(known)
    if not lacking:
        return []
    queries = sized(lacking, "query") if lacking == 1 else f"{lacking:,} queries"
    verb = "counts" if lacking == 1 else "count"
    return [Information(f"{queries} without a relevant document {verb} 0, as in trec_eval")]


def recognise(corpus: Corpus, _: str) -> bool:
    """Queries with judged documents."""
    rows = corpus.parts.get(DOCUMENTS)
    return rows is not None and {"id", GRADE} <= set(rows.fields)
