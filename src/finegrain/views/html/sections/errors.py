"""Errors: kinds of mistakes of every system, and which label is taken for which."""

from __future__ import annotations

from finegrain.analyses.evidence import Evidence, answers, has_label, is_wrong
from finegrain.analyses.listing import Cell, Column, Linked, Listing
from finegrain.analyses.reports.error_kinds import ErrorKinds, error_kinds
from finegrain.analyses.reports.report import Report
from finegrain.analyses.scores.error_types import ErrorTypes
from finegrain.analyses.scores.score import Scores
from finegrain.table.verdicts import right, right_or_wrong
from finegrain.views.charts.error_bars import Piece, pieces, traditional
from finegrain.views.html.listing_table import Look, Table, table_of
from finegrain.views.html.sections.section import Context
from finegrain.views.html.wording import a, first_upper


def context(report: Report) -> Context | None:
    """Nothing for a task without labels, without any error, or if all graded ones are answered."""
    errors = report.results.get("errors")
    if not isinstance(errors, ErrorTypes):
        return None
    if not right_or_wrong(report.table) and right(report.table).all():
        return None
    plain, every, kinds = _traditional(report, errors), pieces(errors), error_kinds(errors)
    if not any(map(any, (piece.counts for piece in (*plain, *every)))):
        return None
    return {
        "lead": report.task.counting or _lead(report, kinds),
        "by_answer": kinds.by_answer,
        "counts": table_of(
            "answers" if kinds.by_answer else "errors", _counts(report, plain, every)
        ),
        "meanings": [] if kinds.by_answer or plain else _meanings(kinds),
        "confusions": _confusions(report, errors) if kinds.by_answer else None,
        "order": [(place, report.systems[place]) for place in report.order],
        "confused": "confusion" in report.results and len(errors.labels) > 1,
        "diagonal": _diagonal(report),
    }


def _lead(report: Report, kinds: ErrorKinds) -> str:
    """How errors are counted."""
    if not kinds.by_answer:
        return "Every error is counted once, by its kind."
    words, silent = report.task.words, [one.said for one in kinds.every if one.answer is None]
    what = "has one kind of error, a wrong label"
    if silent:
        what = f"has a wrong label or is {' or '.join(silent)}"
    told = f"what {words.units} are taken for tells errors apart."
    return f"{first_upper(a(words.unit))} {what}: {told}"


def _diagonal(report: Report) -> str:
    """What the diagonal of the table of labels holds."""
    words = report.task.words
    if report.task.answers == "unit":  # its cells are errors
        return f"The framed diagonal holds boundary errors; correct {words.units} are not entered."
    if words.also:
        right = f"{words.units} with the right {words.label}"
        return f"The diagonal holds {right}, whatever their {words.also}."
    return "The diagonal holds what is right."


def _meanings(kinds: ErrorKinds) -> list[tuple[str, str]]:
    """What kinds of errors are called and what they mean."""
    return [(one.said, one.outcomes[0].meaning) for one in kinds.every]


def _counts(report: Report, plain: tuple[Piece, ...], every: tuple[Piece, ...]) -> Listing:
    """Counts of every kind by system; before them what traditional scores count."""
    fair = "fair" if plain else ""
    columns = [Column("system"), *(Column(one.said, "count", group="traditional") for one in plain)]
    columns += (Column(name, "count", group=fair) for name in ("all", *(one.said for one in every)))
    rows: list[tuple[Cell, ...]] = []
    for place in report.order:
        total = sum(piece.counts[place] for piece in every)
        rows.append((
            report.systems[place], *(_cell(piece, place) for piece in plain),
            Linked(total, Evidence.of(total, is_wrong(report.systems[place]))),
            *(_cell(piece, place) for piece in every),
        ))  # fmt: skip
    return Listing("", tuple(columns), tuple(rows))


def _cell(piece: Piece, place: int) -> Linked:
    return Linked(piece.counts[place], Evidence.of(piece.counts[place], piece.behind[place]))


def _traditional(report: Report, errors: ErrorTypes) -> tuple[Piece, ...]:
    """What traditional scores count, where a near miss counts twice."""
    scores = report.results["score"]
    if not report.task.outcomes.near or not isinstance(scores, Scores):
        return ()
    return traditional(errors, scores.predicted.sum(axis=0))


def _confusions(report: Report, errors: ErrorTypes, most: int = 12) -> Table:
    """The most frequent confusions of labels over all systems, with the count of each."""
    counts = errors.counts[..., : len(errors.labels)].copy()
    for code in range(len(errors.labels)):
        counts[code, :, code] = 0
    total = counts.sum(axis=1)
    order = (-total).argsort(axis=None, kind="stable")[:most]
    rows: list[tuple[Cell, ...]] = []
    for gold, answer in (divmod(place, len(errors.labels)) for place in order.tolist()):
        if total[gold, answer]:
            names = (errors.labels[gold], errors.labels[answer])
            cells = (
                _confused(names, int(counts[gold, at, answer]), report.systems[at])
                for at in report.order
            )
            rows.append((*names, *cells))
    systems = [report.systems[place] for place in report.order]
    columns = (Column("gold"), Column("answer"), *(Column(name, "count") for name in systems))
    title = "The most frequent confusions over all systems"
    return table_of("errors", Listing(title, columns, tuple(rows)), Look(systems=systems))


def _confused(names: tuple[str, str], count: int, system: str) -> Linked:
    gold, answer = names
    return Linked(count, Evidence.of(count, has_label(gold), answers(system, answer)))
