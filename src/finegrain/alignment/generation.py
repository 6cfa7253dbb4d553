"""One row per segment: its references beside the output of every system.

>>> from finegrain.formats.lines import read
>>> from finegrain.formats.source import source_of
>>> from finegrain.tasks.generation import GENERATION
>>> gold = read(source_of("gold", b"The cat sat on the mat.\\nIt slept.\\n"))
>>> mine = read(source_of("mine", b"The cat sat on the mat.\\nIt it it it it.\\n"))
>>> table = align(GENERATION, gold, {"mine": mine})
>>> [table.outcomes.names[code] for code in table.outcome[:, 0]]
['SOUND', 'LOOP']
>>> table.values[CHRF].matrix.round(2).tolist()
[[100.0], [12.14]]

Segments are matched by their ids, or, of files of lines, by their places: these must then be as
many. Units are graded by chrF of the segment, which no optional package is needed for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.bleu import CASE, DEFAULT_TOKENIZER, TOKENIZE
from finegrain.alignment.chrf import f_score
from finegrain.alignment.error_rates import NORMALISE
from finegrain.alignment.item_tables import Met, Missing, item_table, meet, without_missing
from finegrain.alignment.meteor import WORDNET
from finegrain.alignment.rouge import STEM, WORDS
from finegrain.alignment.same_text import Systems, named
from finegrain.alignment.segment_columns import outputs
from finegrain.alignment.segment_faults import Vocabulary, fault
from finegrain.alignment.segment_gold import Files, gold_of, opened, with_ids
from finegrain.alignment.segment_measures import per_segment
from finegrain.alignment.segment_notes import sanity_notes
from finegrain.alignment.segment_scores import asked, values_of
from finegrain.alignment.segment_texts import OUTPUT, REFERENCES, of_table, references_of
from finegrain.alignment.token_labels import TOKEN_LABELS, labelled_words
from finegrain.alignment.word_lists import FREQUENCIES, LABELS
from finegrain.alignment.word_lists import frequencies as read_frequencies
from finegrain.alignment.word_lists import word_labels as read_labels
from finegrain.alignment.wordnet import WordNet
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Rows, cell
from finegrain.corpus.item_faults import item_faults
from finegrain.corpus.items import coded
from finegrain.errors import UsageError
from finegrain.table import OutcomeTable, Task
from finegrain.table.marks import Mark, Pair
from finegrain.table.scale import SCORES, Scale, Value

CHRF = "chrf"
"""Of ``table.values``, chrF of every segment."""
POINTS = Scale(best=100.0, shown="number")
Case = Literal["mixed", "lower"]
Stem = Literal["no", "porter"]
_USUAL = {
    "missing": "error", TOKENIZE: DEFAULT_TOKENIZER, CASE: "mixed", WORDS: "unicode", STEM: "no",
    WORDNET: "", NORMALISE: "no", FREQUENCIES: "", LABELS: "", TOKEN_LABELS: "",
}  # fmt: skip


def align(
    task: Task,
    gold: Corpus,
    systems: Systems,
    *,
    missing: Missing = "error",
    source: Files = "",
    references: Files = "",
    tokenize: str = DEFAULT_TOKENIZER,
    case: Case = "mixed",
    words: Literal["unicode", "ascii"] = "unicode",
    stem: Stem = "no",
    wordnet: str = "",
    normalise: Literal["no", "yes"] = "no",
    frequencies: str = "",
    word_labels: str = "",
    token_labels: str = "",
    scores: str = "",
) -> OutcomeTable:
    """One row per segment, graded by chrF; outcomes are faults that no score is needed to see.

    source: a file of the sources, where the gold file has none
    references: files of further references
    tokenize: the tokenizer of sacrebleu for BLEU
    case: whether BLEU and chrF tell capitals apart
    words: of ROUGE, in any script or those of rouge-score
    stem: whether ROUGE compares stems of words
    wordnet: the folder of WordNet's files, for the synonyms of METEOR
    normalise: whether error rates leave out case and punctuation
    frequencies: a file of training text, or of words with counts, for buckets of words
    word_labels: a file of words with labels, for the same
    token_labels: a file with a label for each token of the first reference, for the same
    scores: files of scores of segments (``segment_scores``), each a metric of its own
    """
    settings = _settings(
        missing=missing, tokenize=tokenize, case=case, words=words, stem=stem, wordnet=wordnet,
        normalise=normalise, frequencies=frequencies, word_labels=word_labels,
        token_labels=token_labels,
    )  # fmt: skip
    pairs = tuple(named(systems))
    further = (opened(files, formats=task.formats) for files in (references, source))
    prepared = gold_of(gold, *further)
    pairs = tuple((name, with_ids(prepared.corpus, corpus)) for name, corpus in pairs)
    met = meet(prepared.corpus, pairs, missing=missing)
    given = np.full(met.rows.shape, None, object)
    for system, (name, corpus) in enumerate(pairs):
        given[:, system] = _outputs(met, system, outputs(corpus, name), missing)
    own = [(name, corpus, met.rows[:, at]) for at, (name, corpus) in enumerate(pairs)]
    values = values_of(asked(scores), prepared.corpus, own)
    if values:
        settings[SCORES] = ",".join(values)
    table = item_table(
        task, met, values=values, outcome=np.zeros(given.shape, np.uint8), details={OUTPUT: given},
        parts=_parts(prepared.corpus, token_labels), used=prepared.used, settings=settings,
    )  # fmt: skip
    table = without_missing(table, met, missing, answered=given != None)  # noqa: E711 - each
    graded = Value(POINTS, f_score(per_segment(table, CHRF)))
    table = replace(table, outcome=_outcomes(task, table), values={CHRF: graded, **table.values})
    return replace(table, notes=(*table.notes, *sanity_notes(table)))


def _parts(gold: Corpus, token_labels: str) -> dict[str, Rows]:
    """References, and the words of the first ones with their labels."""
    rows = gold.parts[REFERENCES]
    if not token_labels:
        return {REFERENCES: rows}
    first = [texts[0] for texts in references_of(rows, np.arange(gold.n_sentences))]
    return {REFERENCES: rows, TOKEN_LABELS: labelled_words(token_labels, first)}


def _settings(**chosen: str) -> dict[str, str]:
    """What is chosen that is not usual."""
    known = {
        CASE: get_args(Case), STEM: get_args(Stem), NORMALISE: ("no", "yes"),
        WORDS: ("unicode", "ascii"),
    }  # fmt: skip
    for name, values in known.items():
        if chosen[name] not in values:
            raise UsageError.unknown(name, chosen[name], values)
    readers: dict[str, Callable[[str], object]] = {
        WORDNET: WordNet.read, FREQUENCIES: read_frequencies, LABELS: read_labels,
    }  # fmt: skip
    for name, read in readers.items():
        if chosen[name]:
            read(chosen[name])
    return {name: value for name, value in chosen.items() if value != _USUAL[name]}


def _outputs(met: Met, system: int, own: list[str | None], missing: Missing) -> NDArray[np.object_]:
    """``[segment]`` the output of a system, ``None`` where it has none."""
    corpus = met.corpora[system]
    nothing = [item for item, text in enumerate(own) if text is None]
    if nothing and missing == "error":
        mend = 'Write an output ("" for an empty one), or say --missing wrong or --missing skip.'
        raise item_faults(corpus, nothing, "no output", mend)
    found = np.empty(len(own) + 1, object)
    found[:-1] = own
    return found[met.rows[:, system]]


def _outcomes(task: Task, table: OutcomeTable) -> NDArray[np.uint8]:
    """The fault of every output."""
    texts = of_table(table)
    vocabulary = Vocabulary.of(texts)
    found = np.empty((len(table), table.n_systems), np.uint8)
    codes = {name: task.outcomes.code(name) for name in task.outcomes.names}
    sources = texts.sources or (None,) * len(table)
    for system, own in enumerate(texts.outputs):
        found[:, system] = [
            codes[fault(output, references, source, vocabulary)]
            for output, references, source in zip(own, texts.references, sources, strict=True)
        ]
    found[table.details[OUTPUT] == None] = codes["UNANSWERED"]  # noqa: E711 - of every element
    return found


def replies(table: OutcomeTable, rows: slice) -> NDArray[np.int32]:
    """Codes of outputs: equal codes, equal texts; -1 for none."""
    given = table.details[OUTPUT][rows]
    flat = ["" if one is None else f"={one}" for one in given.reshape(-1).tolist()]
    codes = coded(Texts.of(flat), missing="").codes.astype(np.int32).reshape(given.shape)
    return np.where(given == None, -1, codes).astype(np.int32)  # noqa: E711 - of every element


def mark(table: OutcomeTable, row: int) -> Mark:
    """A segment with its references."""
    parts = table.parts[REFERENCES]
    first, last = np.searchsorted(parts.parent, [row, row + 1]).tolist()
    texts = dict.fromkeys(str(cell(parts.fields["text"], place)) for place in range(first, last))
    return Mark(" | ".join(texts), table.tokens(row))


def pair(table: OutcomeTable, row: int, system: int) -> Pair:
    """References, and what a system wrote."""
    text = table.details[OUTPUT][row, system]
    answer = None if text is None else Mark(text or EMPTY_TOLD, table.tokens(row))
    return Pair(mark(table, row), answer)


EMPTY_TOLD = "(empty)"


def recognise(corpus: Corpus, _: str) -> bool:
    """Files of shared tasks, or sources with references; lines could be anything."""
    if corpus.format in ("sgm", "wmt"):
        return True
    if corpus.format not in ("csv", "items", "parquet") or "question" in corpus.fields:
        return False
    has_source = "source" in corpus.fields or "src" in corpus.fields
    listed = any(name in corpus.parts for name in ("references", "refs"))
    single = any(name in corpus.fields for name in ("reference", "ref", "target"))
    return has_source and (listed or single)
