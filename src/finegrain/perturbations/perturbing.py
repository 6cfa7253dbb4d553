"""A perturbation of a whole corpus: texts changed, annotation where it belongs, changes recorded.

>>> import finegrain as fg
>>> gold = fg.Corpus.of([["Ada", "met", "Grace"]], tags=[["B-PER", "O", "B-PER"]])
>>> found = fg.perturb(gold, "upper")
>>> found.corpus.sentence(0), list(found.corpus.layers["tags"]), len(found.changes)
(['ADA', 'MET', 'GRACE'], ['B-PER', 'O', 'B-PER'], 3)
>>> fg.perturb(gold, "typos", rate=1.0, seed=7).corpus.sentence(0)
['Sda', 'mett', 'Gracee']

A text is changed in the same way wherever it stands: everything that is drawn comes from the seed,
the perturbation and the text itself, so that the order of documents and what else is in the file
are irrelevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from finegrain.corpus import LAYER, Corpus
from finegrain.corpus.cells import Cells
from finegrain.corpus.trees import HEAD, with_trees
from finegrain.errors import UsageError
from finegrain.formats import conllu
from finegrain.formats.source import source_of
from finegrain.perturbations import by_name
from finegrain.perturbations.bounds import Bounds
from finegrain.perturbations.item_fields import (
    is_items,
    text_columns,
    texts_of,
    with_options,
    with_texts,
    words_of,
)
from finegrain.perturbations.perturbation import Draw, Edit, Perturbation, Text, require_rate
from finegrain.perturbations.rewriting import Change, Rewritten, rewritten


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Perturbed:
    """A perturbed corpus.

    ``changes`` say what became of which words; ``refused`` edits would have cut through annotation
    and were left out.
    """

    corpus: Corpus
    perturbation: Perturbation
    rate: float
    seed: int
    changes: tuple[Change, ...]
    refused: int

    def __repr__(self) -> str:
        size = f"{len(self.changes)} changes in {self.texts_changed} texts"
        return f"<Perturbed {self.corpus.source!r} by {self.perturbation.name}: {size}>"

    @property
    def texts_changed(self) -> int:
        return len({change.sentence for change in self.changes})


def perturb(
    corpus: Corpus,
    perturbation: str | Perturbation,
    *,
    rate: float | None = None,
    seed: int = 1,
    fields: Sequence[str] = (),
) -> Perturbed:
    """A corpus with changed texts and the annotation that belongs to them.

    Parameters
    ----------
    perturbation: its name (``finegrain list perturbations``), or a ``Perturbation``
    rate: how strong it is, from 0 to 1; by default as strong as the perturbation says
    seed: the same seed gives the same texts
    fields: of items, the columns to change; by default those that are known to be texts
    """
    chosen = by_name(perturbation) if isinstance(perturbation, str) else perturbation
    strength = chosen.rate if rate is None else rate
    require_rate(strength)
    if chosen.items_only and not is_items(corpus):
        raise UsageError(
            f"the perturbation {chosen.name} is for items: what it adds has no annotation"
        )
    if not is_items(corpus):
        found = _of_sentences(corpus, chosen, strength, seed)
    elif chosen.options is not None:
        found = _of_options(corpus, chosen, strength, seed)
    else:
        found = _of_texts(corpus, chosen, strength, seed, fields)
    return Perturbed(found.corpus, chosen, strength, seed, found.changes, found.refused)


def _edits(perturbation: Perturbation, text: Text, rate: float, seed: int) -> list[Edit]:
    """The edits of a text, which are in order and do not overlap."""
    if perturbation.words is None:
        return []
    draw = Draw(rate, seed, perturbation.name, " ".join(text.words), text.document)
    found = list(perturbation.words(text, draw))
    before = 0
    for begin, end, new in found:
        if not before <= begin <= end <= len(text.words):
            raise UsageError(
                f"the perturbation {perturbation.name} gave edits out of order, or outside of the "
                f"text: words {begin} to {end} of {len(text.words)}"
            )
        had = "".join(text.words[begin:end])
        bad = next((word for word in new if not word or _has_new_blanks(word, had)), None)
        if bad is not None:
            raise UsageError(
                f"the perturbation {perturbation.name} made {bad!r}, which is not a word"
            )
        before = end
    return found


def _has_new_blanks(word: str, had: str) -> bool:
    return any(char.isspace() and char not in had for char in word)


def _of_sentences(corpus: Corpus, chosen: Perturbation, rate: float, seed: int) -> Rewritten:
    bounds = Bounds.of(corpus)
    labels = _labels(corpus)
    edits = []
    for sentence, (begin, end) in enumerate(pairwise(corpus.offsets.tolist())):
        places = range(begin, end)
        cuts = frozenset(token - begin for token in places if bounds.cuttable[token])
        document = corpus.document_of(sentence)
        text = Text(
            tuple(corpus.sentence(sentence)),
            tuple(labels[begin:end]) if labels else (),
            "" if document is None else str(document),
            cuts,
            corpus.running_text,
        )
        edits.append(_edits(chosen, text, rate, seed))
    found = rewritten(corpus, edits, bounds)
    return replace(found, corpus=_refreshed(corpus, found.corpus))


def _labels(corpus: Corpus) -> list[tuple[str, ...]]:
    """``[token]`` the labels of each token: of the spans around it, or its tag; empty for none."""
    if corpus.spans is None:
        tags = corpus.layers.get(LAYER)
        return [] if tags is None else [() if tag == "O" else tuple(tag.split("|")) for tag in tags]
    found: list[list[str]] = [[] for _ in range(corpus.n_tokens)]
    spans = corpus.spans
    for row in range(len(spans)):
        base = int(corpus.offsets[spans.sentence[row]])
        for token in spans.tokens(row):
            found[base + token].append(spans.labels[int(spans.label[row])])
    return [tuple(own) for own in found]


def _of_texts(
    corpus: Corpus, chosen: Perturbation, rate: float, seed: int, fields: Sequence[str]
) -> Rewritten:
    changes: list[Change] = []
    refused = 0
    for name in text_columns(corpus, fields):
        documents = [corpus.document_of(row) for row in range(corpus.n_sentences)]
        edits = [
            _edits(chosen, Text(words_of(text), (), str(document or "")), rate, seed)
            for text, document in zip(texts_of(corpus, name), documents, strict=True)
        ]
        found = with_texts(corpus, name, edits)
        corpus, changes, refused = found.corpus, [*changes, *found.changes], refused + found.refused
    return Rewritten(corpus, tuple(sorted(changes, key=lambda one: one.sentence)), refused)


def _of_options(corpus: Corpus, chosen: Perturbation, rate: float, seed: int) -> Rewritten:
    order = chosen.options
    if order is None:
        raise TypeError("it has no options")
    texts = texts_of(corpus, text_columns(corpus)[0])

    def of_item(row: int, size: int) -> Sequence[int]:
        way = order(size, Draw(rate, seed, chosen.name, texts[row]))
        if sorted(way) != list(range(size)):
            raise UsageError(f"the perturbation {chosen.name} gave {list(way)} for {size} options")
        return way

    return with_options(corpus, of_item)


def _refreshed(old: Corpus, new: Corpus) -> Corpus:
    """CoNLL-U read again: comments with the text of a sentence go, and lines behind a cut."""
    if not isinstance(old.further, Cells):
        return new
    lengths = (new.offsets[1:] - new.offsets[:-1]).tolist()
    blocks = conllu.write(new).removesuffix("\n\n").split("\n\n")
    kept = [
        "\n".join(line for line in block.split("\n") if _stays(line, size))
        for block, size in zip(blocks, lengths, strict=True)
    ]
    read = conllu.read(source_of(old.source, ("\n\n".join(kept) + "\n\n").encode()))
    if HEAD in new.layers:
        read = with_trees(read)
    return replace(new, further=read.further, multiword=read.multiword)


def _stays(line: str, size: int) -> bool:
    if line.startswith("#"):
        return not line.startswith(("# text =", "# text=", "#text"))
    number = line.partition("\t")[0].partition("-")[0].partition(".")[0]
    return not number.isdecimal() or int(number) <= size
