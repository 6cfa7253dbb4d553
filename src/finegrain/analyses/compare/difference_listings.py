"""The tables of a comparison: what people read and paste, and all its numbers for CSV.

The headline comes first, then scores, the changes of every kind (Tuggener 2017, table 4), what the
two agree on (tables 1 and 2) and the labels (table 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from finegrain.analyses.compare import gain_listings
from finegrain.analyses.compare.difference_parts import Change, Transition
from finegrain.analyses.compare.transition_listing import transitions
from finegrain.analyses.interval_cells import Signed, bracketed, interval_heading
from finegrain.analyses.listing import Cell, Column, Listing
from finegrain.table.scale import PROPORTION, Scale
from finegrain.table.verdicts import CHANGES

if TYPE_CHECKING:
    from finegrain.analyses.compare.difference import Difference

SHOWN = 10  # rows of changes and of labels in the printed tables; JSON and CSV have all
NOUNS = {kind: f"{kind.replace('_', ' ')}s" for kind in CHANGES}
_MEANINGS = (
    "corrections: only {b} is right; new errors: only {a} is right; changed errors: both are wrong "
    "in different ways"
)


def headline(found: Difference) -> str:
    """The difference in a sentence."""
    one, other = found.systems
    if found.gains is not None and not found.judged:
        return gain_listings.headline(found.gains, found.unit)
    if not found.changed:
        return f"{one} and {other} answer all {found.units:,} {found.unit} alike"
    scores = ", ".join(
        f"{score.name} {score.scale.written(score.delta, signed='+')}"
        for score in found.moved().values()
    )
    fixed, broken = found.total("correction"), found.total("new_error")
    return (
        f"{other} corrects {fixed:,} and breaks {broken:,} of {found.units:,} {found.unit}: "
        f"{scores}; they differ on {100 * found.diff:.2f} %"
    )


def listings(found: Difference) -> tuple[Listing, ...]:
    """All tables, without empty ones."""
    graded: Iterable[Listing] = ()
    if found.gains is not None:
        graded = gain_listings.listings(found.gains, found.intervals, found.unit)
    if not found.judged:
        return (*graded, *([_scores(found)] if found.score else []))
    kinds = (change_listing(found, kind) for kind in CHANGES if found.total(kind))
    overall = (*graded, _overview(found), _scores(found), *kinds, *_by_label(found))
    return (*overall, _agreement(found), *([_labels(found)] if any(found.labels) else []))


def _by_label(found: Difference) -> list[Listing]:
    """Changes by label, where answers are outcomes: labels tell more."""
    if found.field != "outcome" or not found.changed:
        return []
    if found.task.compared == "outcome":
        return [transitions(found)]
    return [_changed_labels(found)] if len(found.by_label()) > 1 else []


def _overview(found: Difference) -> Listing:
    columns = (
        Column("change"), Column("n", "count"), Column("% of changes", "score"),
        Column(f"% of {found.unit}", "score"), *_percent(found),
    )  # fmt: skip
    totals = {kind: found.total(kind) for kind in CHANGES} | {"diff": found.changed}
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            NOUNS.get(kind, "all"),
            count,
            _part(count, found.changed),
            _part(count, found.units),
            *_ends(found, kind),
        )
        for kind, count in totals.items()
    )
    note = _MEANINGS.format(a=found.systems[0], b=found.systems[1])
    return Listing(headline(found), columns, rows, note)


def _scores(found: Difference) -> Listing:
    sentences = found.counts.sentences
    rows: list[tuple[Cell, ...]] = [
        (moved.name, *moved.cells(), *_ends(found, what, signed="+", scale=moved.scale))
        for what, moved in found.moved().items()
        if what != "gain"  # it has a table of its own
    ]
    columns = (Column("score"), *_both(found), *_percent(found))
    contexts = found.task.words.contexts
    alone = not contexts or sentences.all == found.units
    if alone or not found.judged:
        return Listing("Scores", columns, tuple(rows))
    one, other = (count / sentences.all for count in sentences[1:3])
    rows.append((f"{contexts} right", one, other, other - one, *("" for _ in _percent(found))))
    note = (
        f"{sentences.fixed:,} of {sentences.all:,} {contexts} fixed, {sentences.broken:,} broken, "
        f"{sentences.changed:,} changed"
    )
    return Listing("Scores", columns, tuple(rows), note)


def change_listing(found: Difference, kind: str) -> Listing:
    """The most frequent changes of a kind."""
    changes = found.changes(kind)
    split = kind == "changed_error"
    columns = (
        *([Column("gold")] if split else []),
        *(Column(name) for name in found.systems),
        Column("n", "count"),
        Column(f"% of {NOUNS[kind]}", "score"),
        Column("% of changes", "score"),
    )
    rows = tuple(
        (
            *([change.gold] if split else []),
            found.told(change.before),
            found.told(change.after),
            change.count,
            change.share_of_class,
            change.share_of_changes,
        )
        for change in changes[:SHOWN]
    )
    total = found.total(kind)
    title = f"{NOUNS[kind].capitalize()}: {total:,}, {100 * total / found.changed:.2f} % of changes"
    rest = changes[SHOWN:]
    units = sum(change.count for change in rest)
    more = f"and {len(rest):,} more, {units:,} {found.unit}" if rest else ""
    return Listing(title, columns, rows, more)


def _changed_labels(found: Difference) -> Listing:
    """The most frequent changes of spans, by label."""
    every = [(one.label, move) for one in found.by_label() for move in one.transitions or ()]
    every.sort(key=lambda one: (-one[1].times, one[0]))
    columns = (
        Column("label"), *map(Column, found.systems), Column("n", "count"),
        Column("% of changes", "score"),
    )  # fmt: skip
    rows = tuple(
        (label, *answers(found, label, move), move.times, _part(move.times, found.changed))
        for label, move in every[:SHOWN]
    )
    units = sum(move.times for _, move in every[SHOWN:])
    more = f"and {len(every) - SHOWN:,} more, {units:,} {found.unit}" if units else ""
    return Listing("Changes by label", columns, rows, more)


def answers(found: Difference, label: str, move: Transition) -> tuple[str, str]:
    """Both outcomes of a unit of a label, with the label that was given where it is another."""
    given = move.given or (None, None)
    one, other = (
        found.told(outcome) + ("" if own in (None, label) else f" {own}")
        for outcome, own in zip((move.before, move.after), given, strict=True)
    )
    return one, other


def _agreement(found: Difference) -> Listing:
    columns = (
        Column("answers"), *(Column(name, "count") for name in found.systems),
        Column("shared", "count"), Column("%", "score"),
    )  # fmt: skip
    right, wrong = found.right_answers, found.wrong_answers
    same = found.units - found.changed
    rows: tuple[tuple[Cell, ...], ...] = (
        ("all", found.units, found.units, same, 1 - found.diff),
        ("right", *right, right.share),
        ("wrong", *wrong, wrong.share),
    )
    note = "%: twice the shared answers by the answers of both; wrong answers are shared if equal"
    return Listing("Agreement", columns, rows, note)


def _labels(found: Difference) -> Listing:
    labels = found.by_label()
    order = "the largest changes" if found.sort == "size" else "the most frequent labels"
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (one.label, one.units, one.accuracy.one, one.accuracy.other, one.accuracy.delta)
        for one in labels[:SHOWN]
    )
    more = f"and {len(labels) - SHOWN:,} more labels" if len(labels) > SHOWN else ""
    columns = (Column("label"), Column(found.unit, "count"), *_both(found))
    return Listing(f"Accuracy by label, {order} first", columns, rows, more)


def _both(found: Difference) -> tuple[Column, ...]:
    names = (Column(name, "score", best="row") for name in found.systems)
    return (*names, Column("change", "change"))


def _percent(found: Difference) -> list[Column]:
    """A column for intervals, if there are any."""
    return [] if found.intervals is None else [Column(interval_heading(found.intervals.confidence))]


def _ends(
    found: Difference, name: str, *, signed: Signed = "", scale: Scale = PROPORTION
) -> list[str]:
    """The interval of a share or of a change."""
    if found.intervals is None:
        return []
    return [bracketed(*found.intervals.ends(name), signed=signed, scale=scale)]


def _part(count: int, whole: int) -> float | None:
    return count / whole if whole else None


def records(pairs: Iterable[Difference]) -> Listing:
    """Every number of every pair on a line: what it is of, what it measures, its value."""
    columns = ("a", "b", "part", "gold", "from", "to", "measure")
    every = list(pairs)
    rows = tuple(row for found in every for row in _records(found))
    heads = (*map(Column, columns), Column("value", "score"))
    if all(found.intervals is None for found in every):
        return Listing("difference", heads, rows)
    ends = {found.systems: _interval_records(found) for found in every}
    rows = tuple(
        (*row, *ends[str(row[0]), str(row[1])].get((row[2], row[6]), (None, None)))
        if row[3:6] == (None, None, None) else (*row, None, None)
        for row in rows
    )  # fmt: skip
    return Listing("difference", (*heads, Column("low", "score"), Column("high", "score")), rows)


def _interval_records(found: Difference) -> dict[tuple[Cell, Cell], tuple[float, float]]:
    """Intervals by part and measure; those of kinds of changes are shares of all units."""
    if found.intervals is None:
        return {}
    ends = found.intervals.ends
    told: dict[tuple[Cell, Cell], tuple[float, float]] = {
        (kind, "share_of_units"): ends(kind) for kind in CHANGES if found.judged
    }
    told["all", "diff"] = ends("diff")
    for what, moved in found.moved().items():
        place = ("gains", "gain") if what == "gain" else ("all", f"{moved.name}_delta")
        told[place] = ends(what)
    return told


def _records(found: Difference) -> Iterator[tuple[Cell, ...]]:
    pair = found.systems
    whole = (*pair, "all", None, None, None)
    yield from _measured(whole, {
        "units": found.units, "changed": found.changed, "diff": found.diff,
    })  # fmt: skip
    for what, moved in found.moved().items():
        if what != "gain":
            values = (moved.one, moved.other, moved.delta)
            names = (f"{moved.name}_{which}" for which in ("a", "b", "delta"))
            yield from _measured(whole, dict(zip(names, values, strict=True)))
    if found.gains is not None:
        yield from _measured((*pair, "gains", None, None, None), gain_listings.records(found.gains))
    if found.judged:
        yield from _verdict_records(found)


def _verdict_records(found: Difference) -> Iterator[tuple[Cell, ...]]:
    """What is right and wrong: changes, labels, agreement, sentences."""
    pair = found.systems
    for kind in CHANGES:
        of_kind = (*pair, kind, None, None, None)
        count = found.total(kind)
        share = _part(count, found.changed)
        yield from _measured(of_kind, {"count": count, "share_of_changes": share})
        if found.intervals is not None:
            yield from _measured(of_kind, {"share_of_units": _part(count, found.units)})
        for change in found.changes(kind):
            yield from _measured(
                (*pair, kind, change.gold, change.before, change.after), _of_change(change)
            )
    for one in found.by_label():
        yield from _measured(
            (*pair, "label", one.label, None, None),
            {"units": one.units, "accuracy_a": one.accuracy.one, "accuracy_b": one.accuracy.other,
             "accuracy_delta": one.accuracy.delta},
        )  # fmt: skip
        for move in one.transitions or ():
            yield (*pair, "label", one.label, *answers(found, one.label, move), "count", move.times)
    for name, shared in (("right", found.right_answers), ("wrong", found.wrong_answers)):
        values_of = {"a": shared.one, "b": shared.other, "both": shared.both, "share": shared.share}
        yield from _measured((*pair, f"{name} answers", None, None, None), values_of)
    sentences = (*pair, "sentences", None, None, None)
    yield from _measured(sentences, found.counts.sentences._asdict())


def _of_change(change: Change) -> dict[str, Cell]:
    return {
        "count": change.count,
        "share_of_class": change.share_of_class,
        "share_of_changes": change.share_of_changes,
    }


def _measured(
    place: Sequence[Cell], values: Mapping[str, Cell]
) -> Iterator[tuple[Cell, ...]]:  # fmt: skip
    yield from ((*place, name, value) for name, value in values.items())
