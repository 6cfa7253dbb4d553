"""Task `spans`: labelled spans, flat or nested (NER, chunks, topological fields).

Rows are every distinct span (sentence, label, boundaries, tokens; equal copies numbered) that is
gold or that some system has, in the order of sentence, begin, end, label. Gold rows hold TP, LE,
BES, BEL, BEO, LBE or FN; other rows FP, an error charged to an answered gold span, USED or ABSENT.
Adding a system never changes another system's column.

>>> from finegrain.corpus import Corpus
>>> text = [["in", "New", "York", "City"]]
>>> gold = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "I-LOC"]])
>>> short = Corpus.of(text, tags=[["O", "B-LOC", "I-LOC", "O"]])
>>> table = align(gold, {"short": short})
>>> [(table.text(row), table.inventory.names[table.outcome[row, 0]]) for row in range(len(table))]
[('New York', 'USED'), ('New York City', 'BES')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus import Corpus, IntArray, Spans
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.errors import Collector, InputError, UsageError
from finegrain.table import SPAN_OUTCOMES, OutcomeTable
from finegrain.tasks.fair_matching import ABSENT, TP, Side, match
from finegrain.tasks.same_text import Systems, named, require_same_text


def align(
    gold: Corpus,
    systems: Systems,
    *,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    layer: str = "tags",
) -> OutcomeTable:
    """Match every system's spans with the gold spans.

    Parameters
    ----------
    scheme: how tags are written; detected from the gold tags if not given
    policy: what happens to ill-formed tags
    layer: the layer that holds the tags, for corpora that come as tags
    """
    if policy not in schemes.POLICIES:
        raise UsageError.unknown("policy", policy, schemes.POLICIES)
    chosen = _scheme(gold, scheme, layer)
    notes = list(gold.notes)
    expected = decoded_spans(gold, chosen, policy, layer=layer)
    names: list[str] = []
    predicted: list[Decoded] = []
    lengths = np.diff(gold.offsets)
    for name, corpus in named(systems):
        require_same_text(gold, corpus)
        names.append(name)
        predicted.append(decoded_spans(corpus, chosen, policy, layer=layer))
        notes += (f"{name}: {note}" for note in corpus.notes if note not in gold.notes)
        lengths = np.maximum(lengths, np.diff(corpus.offsets))
        del corpus  # before the next file is read
    if not len(expected.spans):
        notes.append("the gold standard has no spans")
    table = _table(gold, names, expected.spans, [one.spans for one in predicted], lengths)
    invented = sorted(set(table.labels) - set(_used(expected.spans)))
    if invented and len(expected.spans):
        notes.append("labels that only systems use: " + ", ".join(invented))
    decoded = [one for one in (expected, *predicted) if one.scheme is not None]
    settings = {}
    if decoded:
        used = sorted({one.scheme.name for one in decoded if one.scheme is not None})
        repairs = sum(one.repairs for one in decoded)
        settings = {"scheme": ",".join(used), "policy": policy, "repairs": str(repairs)}
    return replace(
        table,
        settings=settings,
        gold_repairs=expected.repairs,
        repairs={name: one.repairs for name, one in zip(names, predicted, strict=True)},
        notes=tuple(notes),
    )


class Decoded(NamedTuple):
    """Spans of a corpus; if they come from tags, the scheme and the number of ill-formed chunks."""

    spans: Spans
    scheme: Scheme | None
    repairs: int


def decoded_spans(
    corpus: Corpus, scheme: Scheme | None, policy: Policy, *, layer: str = "tags", limit: int = 20
) -> Decoded:
    """The spans of a corpus: its own, or decoded from its tags.

    Without a scheme (the gold has no tags) that of the tags themselves is detected. Under the
    policy ``error`` up to ``limit`` ill-formed tags are listed in the error.
    """
    if corpus.spans is not None:
        return Decoded(corpus.spans, None, 0)
    tags = corpus.layers.get(layer)
    if tags is None:
        have = ", ".join(corpus.layers) or "none"
        raise InputError.at(
            corpus.source, 0, f"no spans and no layer {layer!r} with tags (layers: {have})"
        )
    scheme = scheme or schemes.detect(tags, corpus.offsets)
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
        for token in decoded.ill_formed.tolist():
            mend = "Mend the tag, or choose --policy conlleval or discard."
            problems.add(corpus.line(token), ill_formed(tags[token], scheme), mend)
        problems.raise_any()
    return Decoded(decoded.spans, scheme, decoded.repairs)


def ill_formed(tag: str, scheme: Scheme) -> str:
    """What is wrong with a tag that its scheme does not allow where it stands."""
    return f"tag {tag!r} is ill-formed in the scheme {scheme.name}"


def _scheme(gold: Corpus, scheme: str | Scheme | None, layer: str) -> Scheme | None:
    if isinstance(scheme, str):
        return schemes.by_name(scheme)
    if scheme is None and layer in gold.layers and gold.spans is None:
        return schemes.detect(gold.layers[layer], gold.offsets)
    return scheme


def _used(spans: Spans) -> list[str]:
    return [spans.labels[code] for code in np.unique(spans.label).tolist()]


def _table(
    gold: Corpus,
    names: Sequence[str],
    expected: Spans,
    predicted: Sequence[Spans],
    lengths: IntArray,
) -> OutcomeTable:
    """Build the rows and fill in what each system did with them."""
    everything = [expected, *predicted]
    labels = tuple(sorted({name for spans in everything for name in _used(spans)}))
    sets, set_codes = _token_sets(everything)
    base = np.concatenate([[0], np.cumsum(lengths)])
    sides = [
        _side(spans, labels, base, sets, codes)
        for spans, codes in zip(everything, set_codes, strict=True)
    ]
    identity, first = _identities(everything, sides)
    sides = [side._replace(identity=codes) for side, codes in zip(sides, identity, strict=True)]
    rows = len(first)
    outcome = np.full((rows, len(names)), ABSENT, np.uint8)
    answer = np.full((rows, len(names)), -1, np.int32)
    is_gold = np.zeros(rows, bool)
    is_gold[sides[0].identity] = True
    for column, system in enumerate(sides[1:]):
        found = match(sides[0], system)
        outcome[sides[0].identity, column] = found.gold
        partner = found.gold_partner
        has = partner >= 0
        answer[sides[0].identity[has], column] = system.identity[partner[has]]
        other = found.system != TP
        outcome[system.identity[other], column] = found.system[other]
        back = found.system_partner[other]
        answer[system.identity[other], column] = np.where(
            back >= 0, sides[0].identity[back] if len(sides[0].identity) else -1, -1
        )
    source = np.concatenate([spans.sentence for spans in everything])[first]
    side_of = [
        np.concatenate([getattr(side, column) for side in sides])[first]
        for column in ("begin", "end")
    ]
    return OutcomeTable(
        task="spans",
        inventory=SPAN_OUTCOMES,
        systems=tuple(names),
        labels=labels,
        sentence=source,
        begin=(side_of[0] - base[source]).astype(np.int32),
        end=(side_of[1] - base[source]).astype(np.int32),
        label=np.concatenate([side.label for side in sides])[first],
        is_gold=is_gold,
        outcome=outcome,
        answer=answer,
        corpus=gold,
        token_set=np.concatenate([side.token_set for side in sides])[first],
        token_sets=sets,
    )


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
) -> Side:
    number = {name: code for code, name in enumerate(labels)}
    recoded = np.array([number.get(name, -1) for name in spans.labels] or [0], np.int32)
    start = base[spans.sentence]
    return Side(
        begin=start + spans.begin,
        end=start + spans.end,
        label=recoded[spans.label],
        identity=np.empty(0, np.int64),
        token_set=set_codes,
        token_sets=sets,
        base=start,
    )


def _identities(
    everything: Sequence[Spans], sides: Sequence[Side]
) -> tuple[list[IntArray], IntArray]:
    """Row number of every span, equal for equal spans; and for each row one span that has it."""
    stacked = [
        np.concatenate([spans.sentence for spans in everything]),
        *(
            np.concatenate([getattr(side, name) for side in sides])
            for name in ("begin", "end", "label", "token_set")
        ),
    ]
    key = _dense(stacked)
    sizes = [len(spans) for spans in everything]
    copies = np.concatenate([_copy_numbers(part) for part in np.split(key, np.cumsum(sizes)[:-1])])
    if copies.any():
        key = _dense([key, copies])
    order = np.argsort(key, kind="stable")  # the sides are nearly sorted runs: merging is linear
    new = np.ones(len(key), bool)
    new[1:] = key[order][1:] != key[order][:-1]
    row = np.empty(len(key), np.int64)
    row[order] = np.cumsum(new) - 1
    return np.split(row, np.cumsum(sizes)[:-1]), order[new]


def _dense(columns: Sequence[IntArray]) -> NDArray[np.int64]:
    """One integer per row that orders rows as the columns do, first column first."""
    key = columns[0].astype(np.int64)
    for column in columns[1:]:
        size = int(column.max(initial=0)) + 1
        if int(key.max(initial=0)) > (2**62) // size:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
        key = key * size + column
    return key


def _copy_numbers(key: IntArray) -> NDArray[np.int64]:
    """0 for the first of equal keys, 1 for the second, ..."""
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    new = np.ones(len(key), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    start = np.maximum.accumulate(np.where(new, np.arange(len(key)), 0))
    number = np.empty(len(key), np.int64)
    number[order] = np.arange(len(key)) - start
    return number
