"""Rows of spans, and what every system did with them.

Rows are every distinct span (sentence, label, boundaries, tokens; equal copies numbered) that is
gold or that some system has, in the order of sentence, begin, end, label. Gold rows hold TP, LE,
BES, BEL, BEO, LBE or FN; other rows FP, an error charged to an answered gold span, USED or ABSENT.
Adding a system never changes another system's column.

>>> from finegrain.corpus import Corpus
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> from finegrain.tasks.spans import SPANS
>>> table = align(SPANS, gold, {"short": short})
>>> [(table.text(row), table.outcomes.names[table.outcome[row, 0]]) for row in range(len(table))]
[('New York', 'USED'), ('New York City', 'BES')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.fair_matching import ABSENT, TP, TooManyOverlaps, match
from finegrain.alignment.label_sets import nothing_in_common, require_distinct, used_by_systems_only
from finegrain.alignment.projection import on_tokens_of
from finegrain.alignment.same_text import Systems, by_document_id, named, require_same_text
from finegrain.alignment.side_by_side import decided, require_decided
from finegrain.alignment.span_sides import Side, identities
from finegrain.corpus import Corpus, IntArray, Spans
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.characters import token_characters
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.notes import told_of
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.errors import Collector, InputError, UsageError
from finegrain.table import OutcomeTable, Task

Text = Literal["tokens", "characters"]


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    layer: str = "tags",
    rules: LabelRules = ALL_LABELS,
    text: Text = "tokens",
) -> OutcomeTable:
    """Match every system's spans with the gold spans.

    Parameters
    ----------
    scheme: how tags are written; detected from the gold tags if not given
    policy: what happens to ill-formed tags
    layer: the layer that holds the tags, for corpora that come as tags
    rules: labels to rename, keep or leave out
    text: ``tokens``: gold and systems must have the same tokens; ``characters``: they may be
        tokenised differently, and spans are put on the gold tokens character by character.
        Running text (JSON lines with offsets, brat) is always compared by characters.
    """
    if policy not in schemes.POLICIES:
        raise UsageError.unknown("policy", policy, schemes.POLICIES)
    decode = partial(decoded_spans, scheme=_scheme(gold, scheme, layer), policy=policy, layer=layer)
    expected = decode(gold)
    labels = set(expected.spans.labels)
    expected = expected._replace(spans=rules.on_spans(expected.spans) if rules else expected.spans)
    predicted: dict[str, Decoded] = {}
    notes = list(gold.notes)
    lengths = np.diff(gold.offsets)
    for name, given in named(systems):
        corpus = decided(gold, by_document_id(gold, given), layer)
        characters = by_characters(gold, corpus, text)
        if not characters:
            require_same_text(gold, corpus)
            lengths = np.maximum(lengths, np.diff(corpus.offsets))
        found = decode(corpus)
        labels.update(found.spans.labels)
        spans = rules.on_spans(found.spans) if rules else found.spans
        if characters:
            spans = on_tokens_of(gold, corpus, spans)
        predicted[name] = found._replace(spans=spans)
        notes += told_of(name, (note for note in corpus.notes if note not in gold.notes))
        del corpus, given  # before the next file is read
    everything = [expected, *predicted.values()]
    require_distinct((one.source, labels_used(one.spans)) for one in everything)
    table = _table(task, gold, list(predicted), [one.spans for one in everything], lengths)
    notes += _observations(table, expected.spans, predicted)
    notes = [f"the label {label!r} occurs nowhere" for label in rules.unused(labels)] + notes
    said = {"text": text} if text == "characters" else {}
    settings = rules.signature() | said | ({} if layer == "tags" else {"layer": layer})
    return replace(
        table,
        settings=settings | _decoding(policy, everything),
        gold_repairs=expected.repairs,
        repairs={name: one.repairs for name, one in predicted.items()},
        notes=tuple(notes),
    )


def _decoding(policy: Policy, files: Sequence[Decoded]) -> dict[str, str]:
    """What the signature says of tags; nothing if no file came as tags."""
    used = sorted({one.scheme.name for one in files if one.scheme is not None})
    if not used:
        return {}
    repairs = sum(one.repairs for one in files)
    return {"scheme": ",".join(used), "policy": policy, "repairs": str(repairs)}


def _observations(table: OutcomeTable, expected: Spans, predicted: dict[str, Decoded]) -> list[str]:
    """What a user should know of the spans."""
    notes = nothing_in_common(
        labels_used(expected), {name: labels_used(one.spans) for name, one in predicted.items()}
    )
    if len(expected):
        notes += used_by_systems_only(labels_used(expected), [table.labels])
    else:
        notes.append("the gold standard has no spans")
    spans = {"gold": expected, **{name: one.spans for name, one in predicted.items()}}
    for name, one in spans.items():
        if one.n_cut:
            notes.append(f"{name}: spans that do not fit the gold tokens: {one.n_cut:,}")
        if repeated := one.n_repeated:
            notes.append(f"{name}: spans listed twice: {repeated:,}; every copy counts")
    return notes


def by_characters(gold: Corpus, system: Corpus, text: Text) -> bool:
    """Whether spans go over by characters: if that is asked for, or for running text."""
    if gold.tokens is None or system.tokens is None:
        return False
    return text == "characters" or gold.running_text != system.running_text


class Decoded(NamedTuple):
    """Spans of a corpus; if they come from tags, the scheme and the number of ill-formed chunks."""

    spans: Spans
    scheme: Scheme | None
    repairs: int
    source: str


def decoded_spans(
    corpus: Corpus, *, scheme: Scheme | None, policy: Policy, layer: str = "tags", limit: int = 20
) -> Decoded:
    """The spans of a corpus: its own, or decoded from its tags.

    Without a scheme (the gold has no tags) that of the tags themselves is detected. Under the
    policy ``error`` up to ``limit`` ill-formed tags are listed in the error.
    """
    if corpus.spans is not None:
        return Decoded(corpus.spans, None, 0, corpus.source)
    require_decided(corpus, layer)
    tags = corpus.layers.get(layer)
    if tags is None:
        have = ", ".join(corpus.layers) or "none"
        raise InputError.at(
            corpus.source, 0, f"no spans and no layer {layer!r} with tags (layers: {have})"
        )
    scheme = scheme or detect(tags, corpus.offsets)
    try:
        decoded = schemes.decode(tags, corpus.offsets, scheme, policy)
    except schemes.UnknownPrefix as fault:
        first = int(np.argmax(tags.codes == fault.code))
        known = ", ".join(f"{prefix}-" for prefix in scheme.prefixes)
        raise InputError.at(
            corpus.source, corpus.line(first),
            f"tag {fault.tag!r} has no prefix of the scheme {scheme.name} ({known} or O)",
            "Give the right --scheme or column, or use --task tags for plain labels.",
        ) from None  # fmt: skip
    if policy == "error":
        problems = Collector(corpus.source, limit=limit)
        lines = corpus.lines(decoded.ill_formed).tolist()
        for token, line in zip(decoded.ill_formed.tolist(), lines, strict=True):
            mend = "Fix the tag, or choose --policy conlleval or discard."
            problems.add(line, ill_formed(tags[token], scheme), mend)
        problems.raise_any()
    return Decoded(decoded.spans, scheme, decoded.repairs, corpus.source)


def ill_formed(tag: str, scheme: Scheme) -> str:
    """What is wrong with a tag that its scheme does not allow where it stands."""
    return f"tag {tag!r} is ill-formed in the scheme {scheme.name}"


def _scheme(gold: Corpus, scheme: str | Scheme | None, layer: str) -> Scheme | None:
    if isinstance(scheme, str):
        return schemes.by_name(scheme)
    if scheme is None and layer in gold.layers and gold.spans is None:
        return detect(gold.layers[layer], gold.offsets)
    return scheme


def labels_used(spans: Spans) -> list[str]:
    """The labels that some span has."""
    return [spans.labels[code] for code in np.flatnonzero(np.bincount(spans.label)).tolist()]


def _table(
    task: Task,
    gold: Corpus,
    names: Sequence[str],
    everything: Sequence[Spans],
    lengths: IntArray,
) -> OutcomeTable:
    """Build the rows of the gold spans and all others, and fill in what each system did."""
    labels = tuple(sorted({name for spans in everything for name in labels_used(spans)}))
    sets, set_codes = _token_sets(everything)
    base = np.concatenate([[0], np.cumsum(lengths)])
    # positions of tokens serve, unless some spans do not fit them
    bounds = token_characters(gold) if any(spans.n_cut for spans in everything) else None
    sides = [
        _side(spans, labels, base, sets, codes, bounds)
        for spans, codes in zip(everything, set_codes, strict=True)
    ]
    identity, first = identities(everything, sides)
    sides = [side._replace(identity=codes) for side, codes in zip(sides, identity, strict=True)]
    rows = len(first)
    outcome = np.full((rows, len(names)), ABSENT, np.uint8)
    answer = np.full((rows, len(names)), -1, np.int32)
    is_gold = np.zeros(rows, bool)
    is_gold[sides[0].identity] = True
    for column, system in enumerate(sides[1:]):
        try:
            _fill(outcome[:, column], answer[:, column], sides[0], system)
        except TooManyOverlaps as error:
            raise _tangled(gold, everything[0], names[column], error) from None

    def column_of(name: str, values: Sequence[Any]) -> IntArray:
        stacked: IntArray = np.concatenate([getattr(one, name) for one in values])
        return stacked[first]

    columns = {}
    if bounds is not None:
        cuts = [spans.cuts() for spans in everything]
        columns["begin_cut"] = np.concatenate([begin for begin, _ in cuts])[first]
        columns["end_cut"] = np.concatenate([end for _, end in cuts])[first]
    return OutcomeTable(
        task=task,
        systems=tuple(names),
        labels=labels,
        sentence=column_of("sentence", everything),
        begin=column_of("begin", everything),
        end=column_of("end", everything),
        label=column_of("label", sides),
        is_gold=is_gold,
        outcome=outcome,
        answer=answer,
        corpus=gold,
        token_set=column_of("token_set", sides),
        token_sets=sets,
        columns=columns,
    )


def _tangled(gold: Corpus, spans: Spans, system: str, error: TooManyOverlaps) -> InputError:
    sentence, begin = int(spans.sentence[error.row]), int(spans.begin[error.row])
    line = gold.line(int(gold.offsets[sentence]) + begin)
    label = spans.labels[int(spans.label[error.row])]
    return InputError.at(
        gold.source, line,
        f"{label} at token {begin + 1} of sentence {sentence + 1} overlaps {error.pairs:,} spans "
        f"of {system}, and others do so, too: there are too many to compare",
        "Check the boundaries of both, or divide the sentence.",
    )  # fmt: skip


def _fill(outcome: NDArray[np.uint8], answer: NDArray[np.int32], gold: Side, system: Side) -> None:
    """Enter what one system did with the rows into its columns."""
    found = match(gold, system)
    outcome[gold.identity] = found.gold
    has = found.gold_partner >= 0
    answer[gold.identity[has]] = system.identity[found.gold_partner[has]]
    other = found.system != TP
    outcome[system.identity[other]] = found.system[other]
    rows = np.append(gold.identity, -1)  # the last place serves -1
    answer[system.identity[other]] = rows[found.system_partner[other]]


def matched_rows(
    table: OutcomeTable, has: NDArray[np.bool_]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Outcome and answer ``[unit]`` of a system whose spans are the rows for which ``has`` is true.

    Where the order of spans matters, it is that of the rows.
    """
    outcome = np.full(len(table), ABSENT, np.uint8)
    answer = np.full(len(table), -1, np.int32)
    lengths = np.diff(table.corpus.offsets)
    np.maximum.at(lengths, table.sentence, table.end)  # without text, sentences may be longer
    base = np.concatenate([[0], np.cumsum(lengths)])
    bounds = token_characters(table.corpus) if "begin_cut" in table.columns else None

    def side(rows: IntArray) -> Side:
        cuts = {
            name: table.columns[name][rows]
            for name in ("begin_cut", "end_cut")
            if bounds is not None
        }
        spans = Spans(
            table.sentence[rows], table.begin[rows], table.end[rows], table.label[rows],
            table.labels, table.token_set[rows], table.token_sets, **cuts,
        )  # fmt: skip
        made = _side(spans, table.labels, base, table.token_sets, spans.token_set, bounds)
        return made._replace(identity=rows)

    _fill(outcome, answer, side(np.flatnonzero(table.is_gold)), side(np.flatnonzero(has)))
    return outcome, answer


def _token_sets(
    everything: Sequence[Spans],
) -> tuple[tuple[tuple[int, ...], ...], list[IntArray]]:
    """One list of token sets for all sides, and each side's codes into it."""
    known: dict[tuple[int, ...], int] = {}
    for tokens in sorted({tokens for spans in everything for tokens in spans.token_sets}):
        known[tokens] = len(known) + 1
    codes: list[IntArray] = [
        np.array([0, *(known[tokens] for tokens in spans.token_sets)], np.int32)[spans.token_set]
        for spans in everything
    ]
    return tuple(known), codes


def _side(
    spans: Spans,
    labels: tuple[str, ...],
    base: IntArray,
    sets: tuple[tuple[int, ...], ...],
    set_codes: IntArray,
    bounds: IntArray | None,
) -> Side:
    number = {name: code for code, name in enumerate(labels)}
    recoded = np.array([number.get(name, -1) for name in spans.labels] or [0], np.int32)
    start = base[spans.sentence]
    first, past = start + spans.begin, start + spans.end
    begin, end = first, past
    if bounds is not None:  # in characters; two more per token keep all tokens apart
        begin_cut, end_cut = spans.cuts()
        begin = bounds[first] + 2 * first + begin_cut
        end = bounds[past] + 2 * past - 1 - end_cut - (end_cut > 0)
    return Side(
        begin=begin,
        end=end,
        label=recoded[spans.label],
        identity=np.empty(0, np.int64),
        token_set=set_codes,
        token_sets=sets,
        base=start,
        first=first,
        past=past,
    )
