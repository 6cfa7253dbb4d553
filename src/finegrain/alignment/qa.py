"""One row per question: the answer of every system beside the references.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.qa import QA
>>> gold = read(source_of("gold", b'{"id": "a", "question": "where?", "answers": ["in Rome"]}'))
>>> mine = read(source_of("mine", b'{"id": "a", "prediction": "Rome"}'))
>>> table = align(QA, gold, {"mine": mine})
>>> table.outcomes.names[table.outcome[0, 0]], table.values["f1"].matrix.round(3).tolist()
('SHORT', [[0.667]])

A question is solved by an exact match. Its kind of error is told by the reference with the highest
token F1; of several, by the one that differs least (too long, too short, in part, not at all).
Questions without a reference are unanswerable, which a note counts: right is an empty answer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.answer_texts import (
    EXACT,
    LONG,
    PARTIAL,
    SHORT,
    Version,
    coded,
    compared,
    normalised,
)
from finegrain.alignment.item_tables import (
    Met,
    Missing,
    item_table,
    meet,
    plain_cell,
    without_missing,
)
from finegrain.alignment.majority_vote import Vote, elected, ranks
from finegrain.alignment.references import ANSWER, References, answers, references, strings
from finegrain.alignment.same_text import Systems, named
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import line_of, numbers
from finegrain.corpus.notes import Information
from finegrain.errors import InputError, UsageError
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.marks import Excerpt, Mark, Pair
from finegrain.table.scale import RIGHT_OR_WRONG, Value

F1, EXACT_MATCH = "f1", "exact_match"
"""Of ``table.values``; those below are of questions with and without an answer alone."""
HAS_ANSWER_F1, HAS_ANSWER_EXACT = "has_answer_f1", "has_answer_exact_match"
NO_ANSWER = "no_answer_accuracy"
ANSWER_TEXT, REPLY = "answer_text", "reply"
"""Of ``table.details``: what systems answered, and codes of that when it is normalised."""
NO_ANSWER_TOLD = "(no answer)"
REFERENCES, CONTEXT, ANSWERABLE = "references", "context", "answerable"
Squad = Literal["auto", "1.1", "2.0"]
_OUTCOMES = {EXACT: "EXACT", LONG: "LONG", SHORT: "SHORT", PARTIAL: "PARTIAL"}
_AROUND = 160  # characters of the context on either side of the reference


class _Best(NamedTuple):
    """``[question]`` of one system: the best of all references."""

    exact: NDArray[np.bool_]
    f1: NDArray[np.float64]
    kind: NDArray[np.int8]


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    missing: Missing = "error",
    squad: Squad = "auto",
) -> OutcomeTable:
    """One row per question with references, or of which it is known that it has no answer.

    squad: whose rules for texts without a word hold; ``auto``: 2.0 where questions may have no
        answer, else 1.1
    """
    if squad not in get_args(Squad):
        raise UsageError.unknown("squad", squad, get_args(Squad))
    pairs = tuple(named(systems))
    if all(_one_id(corpus) for corpus in (gold, *(corpus for _, corpus in pairs))):
        gold = _without_id(gold)
        pairs = tuple((name, _without_id(corpus)) for name, corpus in pairs)
    found = references(gold)
    version: Version = ("2.0" if found.unanswerable.any() else "1.1") if squad == "auto" else squad
    if version == "1.1" and found.unanswerable.any():
        raise UsageError(
            "--set squad=1.1: there are questions without an answer, which it does not have"
        )
    met = meet(gold, pairs, missing=missing, unit="question")
    shape = met.rows.shape
    outcome = np.zeros(shape, np.uint8)
    f1, exact, reply = np.zeros(shape), np.zeros(shape), np.full(shape, -1, np.int32)
    texts = np.full(shape, None, object)
    for system in range(shape[1]):
        texts[:, system] = _answers(met, system, missing)
        best = _best(texts[:, system], found, version)
        f1[:, system], exact[:, system] = best.f1, best.exact
        outcome[:, system] = _outcomes(task, texts[:, system], best, found.unanswerable)
    given = texts != None  # noqa: E711 - of every element
    reply[given] = coded(texts[given].tolist())[0]
    also = [name for name in ANSWER if name in gold.fields and name not in found.used]
    table = item_table(
        task, met, outcome=outcome, values=_values(f1, exact, found.unanswerable, version),
        details={ANSWER_TEXT: texts, REPLY: reply}, parts={REFERENCES: _parts(gold, found)},
        used=(*found.used, *also), notes=_notes(gold, found, also),
        settings={"squad": version, **({} if missing == "error" else {"missing": missing})},
    )  # fmt: skip
    if found.unanswerable.any():
        said = np.where(found.unanswerable, "no", "yes").astype(object)
        table = replace(table, columns={ANSWERABLE: said, **table.columns})
    kept = found.known if missing != "skip" else found.known[met.complete]
    return _known(without_missing(table, met, missing), kept, gold)


def _one_id(corpus: Corpus) -> bool:
    """Whether all of several questions have the same id, which tells nothing apart."""
    several = "id" in corpus.fields and corpus.n_sentences > 1
    return several and len(set(strings(corpus.fields["id"]))) == 1


def _without_id(corpus: Corpus) -> Corpus:
    fields = {name: column for name, column in corpus.fields.items() if name != "id"}
    shown = str(plain_cell(corpus.fields["id"], 0))[:40]
    note = f"all questions have the id {shown!r}, which is ignored"
    return replace(corpus, fields=fields, notes=(*corpus.notes, note))


def _answers(met: Met, system: int, missing: Missing) -> NDArray[np.object_]:
    """``[question]`` the answer of a system, ``None`` where it has none."""
    corpus, rows = met.corpora[system], met.rows[:, system]
    _require_same_questions(met, system)
    own = answers(corpus)
    nothing = [item for item, text in enumerate(own) if text is None]
    if nothing and missing == "error":
        mend = 'Write an answer ("" for none), or say --missing wrong or --missing skip.'
        raise item_faults(corpus, nothing, "no answer", mend)
    found = np.empty(len(own) + 1, object)
    found[:-1] = own
    return found[rows]


def _require_same_questions(met: Met, system: int) -> None:
    """Refuse a file that has the questions, too, but others: ids or order are wrong then."""
    gold, corpus = met.gold, met.corpora[system]
    if "question" not in gold.fields or "question" not in corpus.fields or corpus is gold:
        return
    mine, theirs = strings(gold.fields["question"]), strings(corpus.fields["question"])
    for item, row in enumerate(met.rows[:, system].tolist()):
        if row >= 0 and mine[item] != theirs[row]:
            what = f"the question is {(theirs[row] or '')[:40]!r}, in {gold.source} "
            what += f"(line {line_of(gold, item)}) it is {(mine[item] or '')[:40]!r}"
            mend = "Gold and systems must hold the same questions under the same ids."
            raise InputError.at(corpus.source, line_of(corpus, row), what, mend)


def _best(texts: NDArray[np.object_], found: References, version: Version) -> _Best:
    """The best score of every question over its references; no words are the one of none."""
    size = len(texts)
    parent, listed = found.parent, found.texts
    if version == "2.0":
        worded = np.array([bool(normalised(one)) for one in listed], bool)
        parent = parent[worded]
        listed = [one for one, kept in zip(listed, worded.tolist(), strict=True) if kept]
    without = np.flatnonzero(np.bincount(parent, minlength=size) == 0)
    parent, listed = np.append(parent, without), [*listed, *[""] * len(without)]
    given = np.array([one is not None for one in texts], bool)
    chosen = np.flatnonzero(given[parent])
    pairs = compared(["" if one is None else one for one in texts], listed, parent[chosen], chosen,
                     version)  # fmt: skip
    question = parent[chosen]
    exact, f1 = np.zeros(size, bool), np.zeros(size)
    np.logical_or.at(exact, question, pairs.exact)
    np.maximum.at(f1, question, pairs.f1)
    kind = np.full(size, np.iinfo(np.int8).max, np.int8)
    top = pairs.f1 == f1[question]
    np.minimum.at(kind, question[top], pairs.kind[top])
    return _Best(exact, f1, np.where(exact, EXACT, kind).astype(np.int8))


def _outcomes(
    task: Task, texts: NDArray[np.object_], best: _Best, unanswerable: NDArray[np.bool_]
) -> NDArray[np.uint8]:
    code = task.outcomes.code
    found = np.full(len(texts), code("WRONG"), np.uint8)
    for kind, name in _OUTCOMES.items():
        found[best.kind == kind] = code(name)
    empty = np.array([one is not None and not one.strip() for one in texts], bool)
    found[empty & ~best.exact] = code("ABSTAINED")
    found[unanswerable & ~best.exact] = code("INVENTED")
    found[np.array([one is None for one in texts], bool)] = code("UNANSWERED")
    return found


def _values(
    f1: NDArray[np.float64],
    exact: NDArray[np.float64],
    unanswerable: NDArray[np.bool_],
    version: Version,
) -> dict[str, Value]:
    found = {F1: f1, EXACT_MATCH: exact}
    if version == "2.0":
        has = ~unanswerable[:, None]
        found[HAS_ANSWER_EXACT] = np.where(has, exact, np.nan)
        found[HAS_ANSWER_F1] = np.where(has, f1, np.nan)
        found[NO_ANSWER] = np.where(has, np.nan, exact)
    return {name: Value(RIGHT_OR_WRONG, matrix) for name, matrix in found.items()}


def _parts(gold: Corpus, found: References) -> Rows:
    """References as parts of questions, with the character of the context where each begins."""
    at = np.full(len(found.texts), np.nan)
    if CONTEXT in gold.fields:
        contexts = strings(gold.fields[CONTEXT])
        for place, (item, text, start) in enumerate(
            zip(found.parent.tolist(), found.texts, found.start.tolist(), strict=True)
        ):
            context = contexts[item] or ""
            begin = start if start >= 0 and context.startswith(text, start) else context.find(text)
            at[place] = begin if begin >= 0 and text else np.nan
    begins = {"begin": at} if CONTEXT in gold.fields else {}
    return Rows(found.parent, {"text": Texts.of(found.texts), **begins})


def _notes(gold: Corpus, found: References, also: list[str]) -> list[str]:
    notes: list[str] = []
    none = int(found.unanswerable.sum())
    if none:
        of = sized(gold.n_sentences, "question")
        notes.append(Information(f"{none:,} of {of} have no answer: right is an empty one"))
    if also:
        told = f"{gold.source} holds answers, too ({also[0]}): here it is the gold file"
        notes.append(Information(told))
    if CONTEXT in gold.fields:
        contexts = strings(gold.fields[CONTEXT])
        told_of = zip(found.parent.tolist(), found.texts, found.start.tolist(), strict=True)
        astray = sum(
            start >= 0 and not (contexts[item] or "").startswith(text, start)
            for item, text, start in told_of
        )
        if astray:
            notes.append(f"{sized(astray, 'reference')} not where answer_start says, searched for")
    return notes


def _known(table: OutcomeTable, known: NDArray[np.bool_], gold: Corpus) -> OutcomeTable:
    """The table without questions of which nothing says what the answer is."""
    if not known.any():
        raise InputError.at(gold.source, 0, "no question has a reference")
    if known.all():
        return table
    left = f"{sized(int((~known).sum()), 'question')} without a reference left out"
    left += " (is_impossible=1 says that there is no answer)"
    return replace(table, notes=(*table.notes, left)).where(known)


def replies(table: OutcomeTable, rows: slice) -> NDArray[np.int32]:
    """Codes of normalised answers: equal codes, equal answers."""
    found: NDArray[np.int32] = table.details[REPLY][rows]
    return found


def vote(table: OutcomeTable) -> Vote:
    """The normalised answer that most systems give, as one of them writes it.

    Among equally many, the one that is more frequent in all outputs, then the first in the
    alphabet; of spellings of the same answer, the first in the alphabet.
    """
    texts = table.details[ANSWER_TEXT]
    given = texts != None  # noqa: E711 - of every element
    order = {text: code for code, text in enumerate(sorted(set(texts[given].tolist())))}
    spelling = np.full(texts.shape, -1, np.int32)
    spelling[given] = [order[text] for text in texts[given].tolist()]
    codes, distinct = coded(list(order))
    place = np.argsort(np.argsort(np.array(distinct, object), kind="stable"), kind="stable")
    reply = np.append(place[codes], -1)[spelling].astype(np.int32)
    winner = reply[np.arange(len(table)), elected(reply, given, ranks(reply))]
    same = given & (reply == winner[:, None])
    return Vote.of(table, np.where(same, spelling, len(order)).argmin(axis=1))


def mark(table: OutcomeTable, row: int) -> Mark:
    """A question with its references."""
    parts = table.parts[REFERENCES]
    first, last = np.searchsorted(parts.parent, [row, row + 1]).tolist()
    texts = dict.fromkeys(str(cell(parts.fields["text"], place)) for place in range(first, last))
    return Mark(" | ".join(texts) or NO_ANSWER_TOLD, table.tokens(row))


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """References, and what a system answered."""
    text = table.details[ANSWER_TEXT][row, system]
    answer = None if text is None else Mark(text or NO_ANSWER_TOLD, table.tokens(row))
    return Pair(mark(table, row), answer)


def excerpt(table: OutcomeTable, row: int) -> Excerpt | None:
    """The context around the first reference that stands in it; its beginning, if none does."""
    if CONTEXT not in table.columns:
        return None
    context = table.columns[CONTEXT][row] or ""
    parts = table.parts[REFERENCES]
    first, last = np.searchsorted(parts.parent, [row, row + 1]).tolist()
    for place in range(first, last):
        at = cell(parts.fields["begin"], place)
        if at is not None:
            begin, end = int(at), int(at) + len(str(cell(parts.fields["text"], place)))
            return _around(context, begin, end)
    return _around(context, 0, 0)


def _around(context: str, begin: int, end: int) -> Excerpt:
    """What is marked and some words on both sides of it."""
    left, right = max(0, begin - _AROUND), min(len(context), end + _AROUND)
    if left:
        left = context.find(" ", left, begin) + 1 or left
    if right < len(context):
        cut = context.rfind(" ", end, right)
        right = cut if cut > end else right
    before = "… " * (left > 0) + context[left:begin]
    return Excerpt(
        CONTEXT, before, context[begin:end], context[end:right] + " …" * (right < len(context))
    )


def recognise(corpus: Corpus, _: str) -> bool:
    """Questions with lists of references, or with a reference that stands in the context."""
    if corpus.format == "squad":
        return True
    if "question" not in corpus.fields or corpus.format not in ("csv", "items", "parquet"):
        return False
    if "answers" in corpus.parts or "answers.text" in corpus.parts:
        return True
    name = next((one for one in ("answer", "answers", "answers.text") if one in corpus.fields), "")
    if not name or CONTEXT not in corpus.fields or numbers(corpus.fields[name]) is not None:
        return False
    pairs = zip(strings(corpus.fields[name]), strings(corpus.fields[CONTEXT]), strict=True)
    inside = [bool(text) and text in (context or "") for text, context in pairs if text]
    return len(inside) > 0 and 2 * sum(inside) > len(inside)
