"""One row per word of the text: its surprisal for every system, whatever tokens these have.

>>> from finegrain.formats.log_probabilities import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.perplexity import PERPLEXITY
>>> whole = read(source_of("a.tsv", b"so\\t-1\\nis\\t-2\\n"))
>>> lines = b'{"tokens": ["s", "o", " is"], "logprobs": [-0.5, -1, -4]}'
>>> table = align(PERPLEXITY, whole, {"a": whole, "b": read(source_of("b", lines))}, base="2")
>>> table.text(1), table.values[SURPRISAL].matrix.tolist()
('is', [[1.0, 1.5], [2.0, 4.0]])

A word's surprisal is the sum of its tokens'. A token of white space belongs to the word behind it,
the last ones of a document to its last word; a token that covers several words is shared among them
by their bytes. Words with a token that has no log-probability are left out for all systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.laid_tokens import Laid, Placed, lay, placed, summed
from finegrain.alignment.same_text import Systems, named
from finegrain.alignment.scored_text import Text
from finegrain.alignment.scored_tokens import Base, Missing, Scored, in_order, scored
from finegrain.alignment.special_tokens import Special
from finegrain.alignment.token_text import text_of
from finegrain.corpus import Corpus, IntArray, Texts
from finegrain.corpus.columns import Rows
from finegrain.corpus.notes import Information, told_of
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.formats.log_probabilities import LOGPROB, TOKENS
from finegrain.sizes import sized
from finegrain.table import OutcomeTable, Task
from finegrain.table.scale import Scale, Value
from finegrain.table.task import Contents, Words

Unit = Literal["auto", "word", "token", "character", "document"]
SURPRISAL = "surprisal"
"""Of ``table.values``, in bits."""
WORDS, CHARACTERS, BYTES, TOKENS_OF = "words", "text_characters", "text_bytes", "tokens"
"""Of ``table.columns``: what is in each unit; tokens only where all systems have the same."""
OWN_TOKENS, POSITION = "own_tokens", "document_position"
"""Of ``table.details``: tokens of systems whose tokens differ; of ``table.columns``: which word."""
BITS = Scale(higher=False, best=0.0, worst=None, shown="number")
_NOUNS = {
    "token": Words("token", "tokens", "token", context="document"),
    "character": Words("character", "characters", "character", context="document"),
    "document": Words("document", "documents", "document", context=""),
}
_APART = Information(
    "systems have other tokens, so that perplexities per token are not compared: see bits_per_byte "
    "and word_perplexity"
)
Floats = NDArray[np.float64]


class _Column(NamedTuple):
    """What a system adds to the table, and whether it has the tokens of the first one."""

    name: str
    bits: Floats
    tokens: NDArray[Any]
    same: bool


class _First(NamedTuple):
    """The tokens of the first system; ``begin``: of units, ``shown``: these, if no words."""

    tokens: Texts
    parent: IntArray
    laid: Laid
    begin: IntArray
    shown: Texts | None
    places: Placed

    def has_tokens_of(self, other: Scored) -> bool:
        """Whether another system has them to the letter."""
        mine, theirs = self.tokens, other.tokens
        if len(mine) != len(theirs) or not np.array_equal(self.parent, other.parent):
            return False
        if mine is theirs:
            return True
        if mine.buffer == theirs.buffer and np.array_equal(mine.starts, theirs.starts):
            return np.array_equal(mine.lengths, theirs.lengths)
        return mine.first_difference(theirs) is None


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    unit: Unit = "auto",
    base: Base = "e",
    marks: str = "auto",
    special: Special = "skip",
    missing: Missing = "error",
) -> OutcomeTable:
    """One row per word of the gold text.

    unit: what rows are: a ``word``, a ``character``, a ``document``, or a ``token``, if systems
        have the same; ``auto``: words, unless whole documents have one log-probability each
    base: of the logarithm: ``e``, ``2`` or ``10``
    marks: how tokens mark white space: ``byte-level`` (Ġ), ``sentencepiece`` (▁), ``wordpiece``
        (##), ``subword-nmt`` (@@), ``none``; ``auto``: as they look
    special: what becomes of tokens such as ``<s>`` at the ends of documents: ``skip``, they are
        left out; ``count``, they belong to the last word; ``text``, they are text
    missing: whether tokens without a finite log-probability, first ones aside, are an
        ``error``, or their words are left out for all systems (``skip``)
    """
    if unit not in get_args(Unit):
        raise UsageError.unknown("unit", unit, get_args(Unit))
    text = text_of(gold, special=special, marks=marks)
    columns: list[_Column] = []
    first: _First | None = None
    notes = list(gold.notes)
    for name, corpus in named(systems):
        found = scored(in_order(text.corpus, corpus), base=base, missing=missing, special=special)
        if first is None:
            unit = _coarse(text, found) if unit == "auto" else unit
            first = _laid_first(text, found, lay(text, found, marks), unit)
        alike = first.has_tokens_of(found)
        laid = first.laid if alike else lay(text, found, marks)
        same = alike or laid.same(first.laid)
        if unit == "token" and not same:
            raise _other_tokens(corpus, columns[0].name)
        places = first.places if same else placed(first.begin, len(text.ink), laid)
        columns.append(
            _Column(name, summed(places, found.number, found.factor), places.tokens, same)
        )
        notes += told_of(name, (*corpus.notes, *found.notes, *laid.notes))
        del corpus, found, laid, places  # before the next file is read
    begin, shown = (text.begin, None) if first is None else (first.begin, first.shown)
    settings: dict[str, str] = {"base": base, "unit": "word" if unit == "auto" else unit}
    settings |= {} if missing == "error" else {"missing": missing}
    settings |= {} if special == "skip" else {"special": special}
    table = _table(task, text, begin, shown, columns, settings)
    return _complete(replace(table, notes=(*notes, *table.notes)))


def _coarse(text: Text, found: Scored) -> Unit:
    """Documents where there are no more numbers than these, else words."""
    documents = text.corpus.n_documents
    return "document" if len(found.number) <= documents < len(text.begin) else "word"


def _laid_first(text: Text, found: Scored, laid: Laid, unit: Unit) -> _First:
    begin, shown = _units(text, found, laid, unit)
    places = placed(begin, len(text.ink), laid)
    return _First(found.tokens, found.parent, laid, begin, shown, places)


def _units(text: Text, found: Scored, laid: Laid, unit: Unit) -> tuple[IntArray, Texts | None]:
    """Where units begin in the ink, and what they look like if they are not words."""
    if unit == "word":
        return text.begin, None
    if unit == "document":
        documents = text.corpus.documents
        first = text.corpus.offsets[:-1]
        if documents is not None:
            first = first[np.diff(documents, prepend=-1) != 0]
        return text.begin[first], None
    if unit == "token":
        own = np.flatnonzero(np.diff(laid.begin, prepend=-1) > 0)
        return laid.begin[own], found.tokens.take(own)
    begin = np.flatnonzero(text.ink & 0xC0 != 0x80)
    lengths = np.diff(np.append(begin, len(text.ink))).astype(np.int32)
    return begin, Texts(text.buffer, begin, lengths)


def _other_tokens(corpus: Corpus, first: str) -> AlignmentError:
    what = f"the tokens are not those of {first}, so that their perplexities cannot be compared"
    mend = (
        "Fewer and longer tokens are harder to predict. Compare systems by bits_per_byte, which "
        "does not depend on tokens: leave out --set unit=token."
    )
    return AlignmentError([Problem(corpus.source, 0, what, mend)])


def _corpus(text: Text, begin: IntArray, shown: Texts | None, unit: str) -> Corpus:
    """The text with the units as tokens, of documents as sentences."""
    corpus = text.corpus
    if unit == "word":
        return corpus
    documents = corpus.documents
    opening = corpus.offsets[:-1]
    if unit == "document" and documents is not None:
        heads = np.diff(documents, prepend=-1) != 0
        kept = np.flatnonzero(heads)
        fields = {name: column for name, column in corpus.fields.items() if len(kept) == len(heads)}
        return replace(
            corpus, offsets=np.append(opening[heads], corpus.offsets[-1]), fields=fields,
            documents=np.arange(len(kept), dtype=np.int32),
        )  # fmt: skip
    full = opening < len(text.begin)
    places = np.where(full, text.begin[np.minimum(opening, len(text.begin) - 1)], len(text.ink))
    offsets = np.append(np.searchsorted(begin, places), len(begin))
    return replace(corpus, offsets=offsets, tokens=shown, layers={}, further=None, multiword=None)


def _table(
    task: Task, text: Text, begin: IntArray, shown: Texts | None, columns: list[_Column],
    settings: Mapping[str, str],
) -> OutcomeTable:  # fmt: skip
    unit, size = settings["unit"], len(begin)
    corpus = _corpus(text, begin, shown, unit)
    units = text.divided(begin)
    if unit in _NOUNS:
        task = replace(task, words=_NOUNS[unit])
    first: IntArray = _same(0, size, np.int32)
    sentence: IntArray = np.arange(size, dtype=np.int32)
    lengths: IntArray | int = np.diff(corpus.offsets)
    if unit != "document":
        sentence, lengths = corpus.sentence_of_tokens(), 1
        first = np.arange(size, dtype=np.int32)
        first -= np.repeat(corpus.offsets[:-1].astype(np.int32), np.diff(corpus.offsets))
    shape = size, len(columns)
    matrix = np.empty(shape, order="F")  # systems are summed one by one
    for place, column in enumerate(columns):
        matrix[:, place] = column.bits
    known: dict[str, NDArray[Any]] = {BYTES: units.bytes, CHARACTERS: units.characters}
    if unit != "word":
        known[WORDS] = units.words
    if unit != "document":
        known[POSITION] = _position(corpus)
    details: dict[str, NDArray[Any]] = {}
    shared = all(one.same for one in columns)
    if columns and shared:
        known[TOKENS_OF] = columns[0].tokens.astype(np.float64)
    elif columns:
        details[OWN_TOKENS] = np.stack([one.tokens for one in columns], axis=1)
    return OutcomeTable(
        task=task,
        systems=tuple(one.name for one in columns),
        labels=("",),
        sentence=sentence,
        begin=first,
        end=(first + lengths).astype(np.int32),
        label=_same(0, size, np.int32),
        is_gold=_same(1, size, np.bool_),
        outcome=_same(0, shape, np.uint8),
        answer=_same(-1, shape, np.int32),
        corpus=corpus,
        token_set=_same(0, size, np.int8),
        settings=dict(settings),
        notes=() if shared else (_APART,),
        columns=known,
        details=details,
        values={SURPRISAL: Value(BITS, matrix)},
    )


def _same(value: int, shape: int | tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
    """A column with one value, which takes no memory."""
    return np.broadcast_to(kind(value), shape)


def _position(corpus: Corpus) -> Floats:
    """``[unit]`` which unit of its document it is, from 1."""
    sizes = np.diff(corpus.offsets)
    before = corpus.offsets[:-1]
    if corpus.documents is not None:
        heads = np.diff(corpus.documents, prepend=-1) != 0
        before = before[heads][np.cumsum(heads) - 1]
    found = np.arange(1.0, corpus.n_tokens + 1)
    found -= np.repeat(before.astype(np.float64), sizes)
    return found


def _complete(table: OutcomeTable) -> OutcomeTable:
    """The table without units that some system has no log-probability for."""
    lacking = np.isnan(table.values[SURPRISAL].matrix)
    if not lacking.any():
        return table
    left: NDArray[np.bool_] = np.logical_or.reduce(lacking, axis=1)
    if left.all():
        what = f"no {table.task.words.unit} has a log-probability of every system"
        mend = "Score systems apart, or give their first tokens numbers, too."
        raise InputError.at(table.corpus.source, 0, what, mend)
    counts = zip(table.systems, lacking.sum(axis=0).tolist(), strict=True)
    said = ", ".join(f"{name} {count:,}" for name, count in counts if count)
    words = table.task.words
    verb = "is" if left.sum() == 1 else "are"
    note = (
        f"{int(left.sum()):,} of {sized(len(table), words.unit)} {verb} left out for all systems, "
        f"as a token has no log-probability ({said})"
    )
    return replace(table, notes=(*table.notes, note)).where(~left)


def recognise(corpus: Corpus, _: str) -> bool:
    """Tokens with log-probabilities."""
    rows: Rows | None = corpus.parts.get(TOKENS)
    return corpus.format in ("logprobs", "lm_eval") and rows is not None and LOGPROB in rows.fields


def contents(corpus: Corpus, model: Corpus, **_: Any) -> Contents:  # noqa: ARG001
    """How many words a text has, or how many tokens have log-probabilities."""
    if TOKENS in corpus.parts:
        found = scored(corpus)
        return Contents(f"log-probabilities of {sized(len(found.number), 'token')}")
    return Contents(f"a text of {sized(len(text_of(corpus).begin), 'word')}")
