"""Rows of mentions, and what every system links them to.

Rows are every distinct mention of the gold standard or of a system, in the order of the text. Gold
units are the gold mentions that have an antecedent; a system has them

- TP, if it links them to an antecedent (to any; or, ``antecedent="nominal"``, the closest noun
  before the mention in the system's chain is one),
- WL (wrong linkage), if it links them to something else,
- FN, if it gives them no antecedent.

Any other mention that a system gives an antecedent is FP, and ABSENT where it gives none (tn in
Tuggener 2017). With ``match`` other than exact, a mention that stands for a gold mention has a row
of its own, USED: what it does counts in the row of the gold mention, so that systems with other
boundaries are compared on one unit; and so (``head``) in one of the rows of mentions that systems
invent with one head. ``answer`` is the row of the mention that stands for another
one, and of USED that other one. Chains are columns: ``chain`` of the gold standard, and
``chain of NAME`` of systems.

>>> from finegrain.corpus import Clusters, Corpus
>>> text, here = [["Ada", "met", "Eve", "."], ["She", "smiled", "."]], [0, 0]
>>> mentions = [(0, 0, 1), (0, 2, 3), (1, 0, 1)]
>>> def corpus(*chains: str) -> Corpus:
...     clusters = [(*where, chain) for where, chain in zip(mentions, chains)]
...     found = Clusters.of(clusters, documents=here)
...     return replace(Corpus.of(text, documents=here), clusters=found)
>>> systems = {"near": corpus("a", "e", "e"), "none": corpus("a", "e", "s")}
>>> from finegrain.tasks.coreference import COREFERENCE
>>> table = align(COREFERENCE, corpus("a", "e", "a"), systems)
>>> [(table.text(row), *(table.outcomes.names[code] for code in table.outcome[row]))
...  for row in range(len(table))]
[('Ada', 'ABSENT', 'ABSENT'), ('Eve', 'ABSENT', 'ABSENT'), ('She', 'WL', 'FN')]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.antecedents import (
    ANTECEDENTS,
    NOUN,
    PRONOUNS,
    UNKNOWN,
    Antecedent,
    Pronouns,
    antecedents,
    mention_labels,
)
from finegrain.alignment.mention_matching import (
    MATCHES,
    ZEROS,
    Match,
    Zeros,
    dense,
    identities,
    inventions_by_head,
    partners,
)
from finegrain.alignment.mention_policy import (
    DUPLICATES,
    SINGLETONS,
    Duplicates,
    Options,
    Singletons,
    prepared,
)
from finegrain.alignment.same_text import Systems, by_document_id, named, require_same_text
from finegrain.corpus import Clusters, Corpus, IntArray
from finegrain.corpus.notes import told_of
from finegrain.errors import InputError, UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.outcome_table import EMPTY_NODES

TP, WL, FN, FP, USED, ABSENT = range(6)  # as in the outcomes of the task


def holds_chains(gold: Corpus, layer: str) -> bool:
    """Whether it has chains of mentions, and no tags beside them."""
    if gold.clusters is None or gold.spans is not None or gold.holds_items:
        return False
    if layer in gold.layers and set(gold.layers[layer].names) != {"_"}:
        raise InputError.at(
            gold.source, 0, "the task is not certain: there are tags and chains of mentions",
            "Say --task coreference, --task tags or, for trees, --task dependencies.",
        )  # fmt: skip
    return True


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    match: Match = "exact",
    singletons: Singletons = "keep",
    zeros: Zeros = "dependent",
    antecedent: Antecedent = "any",
    duplicates: Duplicates = "first",
    pronouns: Pronouns = "together",
) -> OutcomeTable:
    """Find the mentions of the gold standard in every system, and what they are linked to.

    Parameters
    ----------
    match: when two mentions are the same: ``exact``, ``partial`` or ``head``
    singletons: whether chains of one mention are kept
    zeros: empty nodes are matched by what they are ``dependent`` on, by place (``linear``), or not
        looked at (``remove``)
    antecedent: what a mention is to be linked with: ``any`` mention before it, the closest
        ``nominal`` one, or the ``first-nominal`` one of its chain
    duplicates: of a mention that occurs twice only the ``first`` counts, or it is an ``error``
    pronouns: the labels of pronouns: ``pronoun`` and ``possessive`` (``together``), or every lemma
        ``apart``: ``pronoun he``, ``possessive his``; without lemmas, every word
    """
    for name, value, known in (
        ("match", match, MATCHES), ("singletons", singletons, SINGLETONS),
        ("zeros", zeros, ZEROS), ("antecedent", antecedent, ANTECEDENTS),
        ("duplicates", duplicates, DUPLICATES), ("pronouns", pronouns, PRONOUNS),
    ):  # fmt: skip
        if value not in known:
            raise UsageError.unknown(name, value, known)
    options = Options(match, singletons, zeros, antecedent, duplicates, pronouns)
    notes = list(gold.notes)
    expected = prepared(gold, options, "gold", notes)
    names: list[str] = []
    found: list[Clusters] = []
    for name, given in named(systems):
        corpus = by_document_id(gold, given)
        require_same_text(gold, corpus)
        names.append(name)
        notes += told_of(name, (note for note in corpus.notes if note not in gold.notes))
        found.append(prepared(corpus, options, name, notes))
        del corpus, given  # before the next file is read
    if not len(expected):
        notes.append("the gold standard has no mentions")
    table = _table(task, gold, names, expected, found, options)
    return replace(table, notes=tuple(notes))


class _Rows(NamedTuple):
    """``first``: a mention of every row, counted over all sides; ``of``: the rows of every side."""

    first: IntArray
    of: list[IntArray]


def _rows(sides: Sequence[Clusters], pairs: Sequence[IntArray], options: Options) -> _Rows:
    """Number all distinct mentions in the order of the text.

    A mention that equals a gold mention but was paired with another one (zeros) is a row apart.
    """
    same = identities(sides, with_head=options.match == "head")
    number = np.full(max(int(one.max(initial=-1)) for one in same) + 2, -1, np.int64)
    number[same[0]] = np.arange(len(sides[0]))
    apart = [np.zeros(len(sides[0]), np.int64)]
    for key, partner in zip(same[1:], pairs, strict=True):
        apart.append(((number[key] >= 0) & (number[key] != partner)).astype(np.int64))
    row = dense([np.concatenate(same), np.concatenate(apart)])
    first = np.unique(row, return_index=True)[1]
    return _Rows(first, np.split(row, np.cumsum([len(side) for side in sides])[:-1]))


def _table(
    task: Task,
    gold: Corpus,
    names: Sequence[str],
    expected: Clusters,
    found: Sequence[Clusters],
    options: Options,
) -> OutcomeTable:
    sides = [expected, *found]
    pairs = [partners(expected, one, match=options.match, zeros=options.zeros) for one in found]
    rows = _rows(sides, pairs, options)
    size = len(rows.first)

    def column(name: str) -> IntArray:
        every: IntArray = np.concatenate([getattr(side.spans, name) for side in sides])
        return every[rows.first]

    sets = tuple(sorted({one for side in sides for one in side.spans.token_sets}))
    words = np.concatenate([_words(side) for side in sides])[rows.first]
    kinds, used = mention_labels(
        gold, column("sentence"), column("begin"), words, pronouns=options.pronouns
    )
    nominal = kinds == (used.index(NOUN) if NOUN in used else -1)
    if options.antecedent != "any" and UNKNOWN in used:
        what = f"antecedent {options.antecedent!r} needs parts of speech to know nouns by"
        raise InputError.at(gold.source, 0, what, "Use antecedent=any.")
    chain = np.full(size, -1, np.int64)
    chain[rows.of[0]] = expected.chain
    key = antecedents(chain, nominal, options.antecedent)
    outcome = np.full((size, len(names)), ABSENT, np.uint8)
    answer = np.full((size, len(names)), -1, np.int32)
    columns: dict[str, NDArray[Any]] = {"chain": chain.astype(np.int32)}
    if any(side.empty_set.any() for side in sides):
        columns[EMPTY_NODES] = np.concatenate([side.empty_nodes() for side in sides])[rows.first]
    compared = _compared(found, pairs, rows.of[1:], nominal, options)
    for place, (name, side, partner) in enumerate(zip(names, found, pairs, strict=True)):
        response = _response(side, rows.of[place + 1], partner, rows.of[0], compared[place], size)
        _fill(outcome[:, place], answer[:, place], chain, key, response, nominal, options)
        columns[chain_column(name)] = response.chain.astype(np.int32)
        if options.match != "exact" or side.is_zero.any():
            met = np.append(chain, -1)[response.match]  # the last place serves -1
            columns[met_column(name)] = met.astype(np.int32)
    return OutcomeTable(
        task=task,
        systems=tuple(names),
        labels=used,
        sentence=column("sentence"),
        begin=column("begin"),
        end=column("end"),
        label=kinds,
        is_gold=key >= 0,
        outcome=outcome,
        answer=answer,
        corpus=gold,
        token_set=_set_codes(sides, sets)[rows.first],
        token_sets=sets,
        columns=columns,
        settings=_said(options),
    )


def _said(options: Options) -> dict[str, str]:
    """What belongs to the signature; labels of pronouns only where they are not the usual ones."""
    said: dict[str, str] = dict(zip(options._fields, options, strict=True))
    del said["duplicates"]  # it decides whether there are numbers, not what they are
    if options.pronouns == "together":
        del said["pronouns"]
    return said


def chain_column(system: str) -> str:
    """The column that holds the chains of a system."""
    return f"chain of {system}"


def met_column(system: str) -> str:
    """The column with the gold chains of the mentions that a system's mentions stand for.

    It is there only where mentions can stand for mentions of other rows.
    """
    return f"gold chain of {system}"


def predicted(table: OutcomeTable) -> NDArray[np.bool_]:
    """``[unit, system]`` whether a system has the mention, with or without an antecedent."""
    chains = [table.columns[chain_column(name)] >= 0 for name in table.systems]
    return np.array(chains, bool).reshape(table.n_systems, len(table)).T


def replies(table: OutcomeTable, rows: slice) -> NDArray[np.int32]:
    """``[unit, system]`` a system's mention and its antecedent as one code; -1 without a mention.

    Systems that link a mention with different ones do not answer alike.
    """
    own = [mentions_of(table, system) for system in range(table.n_systems)]
    mention = np.array(own, np.int64).reshape(table.n_systems, len(table)).T
    whole = mention * (len(table) + 1) + links(table) + 1
    codes = np.unique(whole, return_inverse=True)[1].reshape(whole.shape)
    return np.where(mention < 0, -1, codes).astype(np.int32)[rows]


def links(table: OutcomeTable) -> NDArray[np.int64]:
    """``[unit, system]`` the row of the antecedent that a system gives a mention; -1 for none."""
    which: Any = table.settings.get("antecedent", "any")
    nominal = np.array([label == NOUN for label in table.labels], bool)[table.label]
    found = np.full(table.answer.shape, -1, np.int64)
    for place, name in enumerate(table.systems):
        own = antecedents(table.columns[chain_column(name)], nominal, which)
        found[:, place] = np.append(own, -1)[mentions_of(table, place)]
    return found


def mentions_of(table: OutcomeTable, system: int) -> NDArray[np.int64]:
    """``[unit]`` the row of a system's own mention: of a gold mention, the one that stands for it.

    -1 for none.
    """
    answer, outcome = table.answer[:, system], table.outcome[:, system]
    itself = ~table.is_gold & ((answer < 0) | (outcome == USED))
    return np.where(itself, np.arange(len(table)), answer)


def _set_codes(sides: Sequence[Clusters], sets: tuple[tuple[int, ...], ...]) -> IntArray:
    number = {one: code for code, one in enumerate(sets, 1)}
    return np.concatenate([
        np.array([0, *(number[one] for one in side.spans.token_sets)], np.int32)[
            side.spans.token_set
        ]
        for side in sides
    ])  # fmt: skip


def _words(side: Clusters) -> IntArray:
    """``[mention]`` how many words it has."""
    sizes = np.array([0, *map(len, side.spans.token_sets)], np.int64)
    spans = side.spans
    return np.where(spans.token_set > 0, sizes[spans.token_set], spans.end - spans.begin)


def _compared(
    found: Sequence[Clusters],
    pairs: Sequence[IntArray],
    rows: list[IntArray],
    nominal: NDArray[np.bool_],
    options: Options,
) -> list[IntArray]:
    """``[mention]`` of every system: the row in which it is compared if it is an invention."""
    if options.match != "head" or not found:
        return rows
    linked = []
    for side, of in zip(found, rows, strict=True):
        chain = np.full(len(nominal), -1, np.int64)
        chain[of] = side.chain
        linked.append(antecedents(chain, nominal, options.antecedent)[of] >= 0)
    return inventions_by_head(found, pairs, rows, linked)


class _Response(NamedTuple):
    """``[row]`` the chain of a system's mention, and the row of the gold mention that it is.

    ``stands``: ``[row]`` of a gold mention, the row of the mention that stands for it; -1 for none.
    ``compared``: ``[row]`` of an invention, the row in which it is compared; -1 of other mentions.
    """

    chain: IntArray
    match: IntArray
    stands: IntArray
    compared: IntArray


def _response(
    side: Clusters,
    rows: IntArray,
    partner: IntArray,
    gold_rows: IntArray,
    compared_rows: IntArray,
    size: int,
) -> _Response:
    chain, match, stands, compared = (np.full(size, -1, np.int64) for _ in range(4))
    chain[rows] = side.chain
    paired = partner >= 0
    match[rows[paired]] = gold_rows[partner[paired]]
    stands[gold_rows[partner[paired]]] = rows[paired]
    compared[rows[~paired]] = compared_rows[~paired]
    return _Response(chain, match, stands, compared)


def _fill(
    outcome: NDArray[np.uint8],
    answer: NDArray[np.int32],
    chain: IntArray,
    key: IntArray,
    response: _Response,
    nominal: NDArray[np.bool_],
    options: Options,
) -> None:
    """Enter what one system did into its columns; ``key``: the antecedents in the gold standard."""
    found = antecedents(response.chain, nominal, options.antecedent)
    units = np.flatnonzero(key >= 0)
    mention = response.stands[units]
    linked = (mention >= 0) & (found[mention] >= 0)
    if options.antecedent == "any":
        right = _together_before(chain, response)[units]
    else:
        goal = response.match[found[mention]]
        right = (goal >= 0) & (chain[goal] == chain[units]) & (goal < units)
    outcome[units] = np.where(linked, np.where(right, TP, WL), FN)
    answer[units[linked]] = mention[linked]
    first = (chain >= 0) & (antecedents(chain, nominal, "any") < 0)
    elsewhere = (response.match >= 0) & (response.match != np.arange(len(chain)))
    outcome[elsewhere] = USED
    answer[elsewhere] = response.match[elsewhere]
    outcome[(found >= 0) & (response.match < 0)] = FP
    own = np.flatnonzero(response.compared >= 0)
    there = response.compared[own]
    told = outcome[own]
    outcome[own], answer[own] = USED, there
    outcome[there], answer[there] = told, np.where(there == own, -1, own)
    stands = np.flatnonzero(first & (response.stands >= 0))
    stands = stands[found[response.stands[stands]] >= 0]
    outcome[stands] = FP
    answer[stands] = response.stands[stands]


def _together_before(chain: IntArray, response: _Response) -> NDArray[np.bool_]:
    """``[row]`` whether a gold mention before it shares its chain here and its chain there."""
    rows = np.flatnonzero((chain >= 0) & (response.stands >= 0))
    there = response.chain[response.stands[rows]]
    cells = chain[rows] * (int(there.max(initial=0)) + 1) + there
    later = np.ones(len(rows), bool)
    later[np.unique(cells, return_index=True)[1]] = False
    together = np.zeros(len(chain), bool)
    together[rows[later]] = True
    return together
