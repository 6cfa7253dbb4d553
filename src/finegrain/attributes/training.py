"""What the training data show of every unit of a table, counted once for all attributes.

A unit is looked up by its words, whatever corpus they stand in; words that differ in case only are
the same unless asked otherwise. Training and gold share one vocabulary, the words of all units make
one trie, and the training text runs through it once.

>>> from finegrain.corpus import Corpus
>>> from finegrain.tasks.spans import align
>>> train = Corpus.of(
...     [["in", "New", "York"], ["New", "York", "Times"], ["new", "york"]],
...     tags=[["O", "B-LOC", "I-LOC"], ["B-ORG", "I-ORG", "I-ORG"], ["O", "O"]],
... )
>>> gold = Corpus.of([["New", "York"]], tags=[["B-LOC", "I-LOC"]])
>>> table = align(gold, {"same": gold})
>>> found = prepare(train, table).counts(table)
>>> {name: int(column[0]) for name, column in found._asdict().items()}
{'occurrences': 3, 'annotated': 1, 'same_label': 1, 'labels': 1}
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.baselines import training_layer
from finegrain.alignment.spans import decoded_spans
from finegrain.corpus import LAYER, Corpus, IntArray, Spans
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.label_rules import ALL_LABELS, LabelRules
from finegrain.corpus.notes import Doubt
from finegrain.corpus.phrases import SharedWords, Trie, phrases, shared_words, span_tokens
from finegrain.corpus.tag_schemes import Policy, Scheme
from finegrain.table import OutcomeTable
from finegrain.table.unit_spans import unit_spans

Counts = NDArray[np.int64]


class UnitCounts(NamedTuple):
    """``[unit]`` what training shows of the words of each unit.

    ``occurrences``: how often its text has them, annotated or not, within sentences, overlapping
    ones too; ``annotated``: how many of its units have exactly these words; ``same_label``: how
    many of those have this label; ``labels``: how many different labels those have. Where labels
    cannot be looked up, whatever occurs counts as a unit with this label.
    """

    occurrences: Counts
    annotated: Counts
    same_label: Counts
    labels: Counts


class Labelled(NamedTuple):
    """Annotated tokens of the training data: the word of each and its label."""

    word: IntArray
    label: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """A training corpus made ready for the tables of one gold corpus.

    ``spans`` is ``None`` where every token has a label of its own; ``tokens`` are all labelled
    tokens. Labels are codes of the table; the one behind the last stands for all other labels.
    ``labelled``: whether labels can be looked up; else only words can.
    """

    corpus: Corpus
    words: SharedWords
    spans: Spans | None
    tokens: Labelled
    labels: tuple[str, ...]
    fold_case: bool
    notes: tuple[str, ...] = ()
    labelled: bool = True

    @property
    def n_units(self) -> int:
        """Annotated units: spans, or labelled tokens; without labels, all tokens."""
        if not self.labelled:
            return self.corpus.n_tokens
        return len(self.tokens.word) if self.spans is None else len(self.spans)

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """``[token]`` which tokens of the gold text are not words of the training text."""
        return self.words.gold >= self.words.known

    def counts(self, table: OutcomeTable) -> UnitCounts:
        """What the training data show of the units of a table."""
        if not self.labelled:
            occurrences = _occurrences(self, *_unit_trie(self, table))
            seen = (occurrences > 0).astype(np.int64)
            return UnitCounts(occurrences, occurrences, occurrences, seen)
        by_token = self.spans is None or table.settings.get("level") == "token"
        return _token_counts(self, table) if by_token else _phrase_counts(self, table)


class Reading(TypedDict, total=False):
    """How the annotation of training data is read.

    ``scheme``: how its tags are written; detected from its own tags if not given; ``policy``: what
    happens to its ill-formed tags; ``layer``: the layer that holds its tags; ``rules``: labels to
    rename, keep or leave out, as in ``align``.
    """

    scheme: str | Scheme | None
    policy: Policy
    layer: str
    rules: LabelRules


def learnt_from(
    train: Corpus | None,
    table: OutcomeTable,
    *,
    needed: bool,
    fold_case: bool = True,
    **reading: Unpack[Reading],
) -> TrainingData | None:
    """The training data, if there are any and an attribute needs them."""
    if train is None:
        return None
    return prepare(train, table, fold_case=fold_case, **reading) if needed else None


def prepare(
    train: Corpus,
    table: OutcomeTable,
    *,
    scheme: str | Scheme | None = None,
    policy: Policy = "conlleval",
    fold_case: bool = True,
    layer: str = LAYER,
    rules: LabelRules = ALL_LABELS,
) -> TrainingData:
    """Make a training corpus ready for a table and for others of the same gold corpus.

    Parameters
    ----------
    scheme, policy, layer, rules: see ``Reading``
    fold_case: whether words that differ in case only are the same
    """
    words = shared_words(train, table.corpus, fold_case=fold_case)
    if "training" not in table.task.has:
        none = Labelled(words.train[:0], words.train[:0])
        return TrainingData(train, words, None, none, table.labels, fold_case, labelled=False)
    if not table.task.open:  # every token has an answer, so it has a label
        tags = rules.on_tags(training_layer(train, layer))
        tokens = Labelled(words.train, _recoded(tags.names, table)[tags.codes])
        return TrainingData(train, words, None, tokens, table.labels, fold_case)
    chosen = schemes.by_name(scheme) if isinstance(scheme, str) else scheme
    decoded = decoded_spans(train, scheme=chosen, policy=policy, layer=layer)
    spans = rules.on_spans(decoded.spans)
    label = _recoded(spans.labels, table)[spans.label]
    spans = Spans(
        spans.sentence, spans.begin, spans.end, label, (*table.labels, ""),
        spans.token_set, spans.token_sets, spans.begin_cut, spans.end_cut,
    )  # fmt: skip
    notes = [f"training data: {decoded.repairs} ill-formed tags"] if decoded.repairs else []
    if train.running_text != table.corpus.running_text:
        notes.append("training and gold are tokenised differently: seen surfaces may look unseen")
    tokens = _labelled_tokens(spans, train, words.train)
    return TrainingData(
        train, words, spans, tokens, table.labels, fold_case, tuple(map(Doubt, notes))
    )


def _recoded(names: tuple[str, ...], table: OutcomeTable) -> IntArray:
    """The table's code of each label of the training data; the last code for all other labels."""
    code = {label: place for place, label in enumerate(table.labels)}
    return np.array([code.get(name, table.n_labels) for name in names] or [0], np.int64)


def _labelled_tokens(spans: Spans, train: Corpus, words: IntArray) -> Labelled:
    """The tokens in spans; a token that several spans of one label share counts once."""
    tokens, _, lengths = span_tokens(spans, train.offsets)
    label = np.repeat(spans.label, lengths)
    if len(tokens) and (np.diff(tokens) <= 0).any():
        size = len(spans.labels)
        distinct = np.unique(tokens * size + label)
        tokens, label = distinct // size, distinct % size
    return Labelled(words[tokens], label)


def _phrase_counts(data: TrainingData, table: OutcomeTable) -> UnitCounts:
    """Counts for units of any number of words."""
    spans = data.spans
    if spans is None:
        raise ValueError("phrases are looked up among spans")
    trie, surface = _unit_trie(data, table)
    known = phrases(spans, data.corpus, data.words.train, vocabulary=data.words.vocabulary)
    learnt = trie.find(known)
    some = learnt > 0
    return UnitCounts(
        _occurrences(data, trie, surface),
        *_label_counts(
            (learnt[some], spans.label[some]), (surface, table.label), len(spans.labels)
        ),
    )


def _unit_trie(data: TrainingData, table: OutcomeTable) -> tuple[Trie, IntArray]:
    """The words of all units, and ``[unit]`` where they lead."""
    vocabulary = data.words.vocabulary
    units = phrases(unit_spans(table), table.corpus, data.words.gold, vocabulary=vocabulary)
    trie = Trie.of(units)
    return trie, trie.find(units)


def _occurrences(data: TrainingData, trie: Trie, surface: IntArray) -> Counts:
    """``[unit]`` how often the training text has its words; 0 for a unit without any."""
    every = trie.occurrences(data.words.train, data.corpus.offsets)
    every[0] = 0
    found: Counts = every[surface]
    return found


def _token_counts(data: TrainingData, table: OutcomeTable) -> UnitCounts:
    """Counts for units of one token."""
    word = data.words.gold[table.corpus.offsets[table.sentence] + table.begin]
    occurrences = np.bincount(data.words.train, minlength=len(data.words.vocabulary))
    return UnitCounts(
        occurrences[word], *_label_counts(data.tokens, (word, table.label), len(data.labels) + 1)
    )


def _label_counts(
    learnt: tuple[IntArray, IntArray], units: tuple[IntArray, IntArray], n_labels: int
) -> tuple[Counts, Counts, Counts]:
    """``annotated``, ``same_label`` and ``labels`` by (surface, label) of training and of units."""
    surface, label = units
    size = int(max(learnt[0].max(initial=0), surface.max(initial=0))) + 1
    annotated = np.bincount(learnt[0], minlength=size)
    pairs, counts = np.unique(learnt[0].astype(np.int64) * n_labels + learnt[1], return_counts=True)
    labels = np.bincount(pairs // n_labels, minlength=size)
    if not len(pairs):
        nothing = np.zeros(len(surface), np.int64)
        return nothing, nothing, nothing
    wanted = surface.astype(np.int64) * n_labels + label
    place = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    same = np.where(pairs[place] == wanted, counts[place], 0)
    return annotated[surface], same, labels[surface]
