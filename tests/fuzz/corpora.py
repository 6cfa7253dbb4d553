"""A corpus as plain lists, small random ones, and when two of them hold the same text.

>>> gold = random_corpus(Random(1))
>>> gold.words[0]
['U.S.', 'met', 'old', '3.5', ',', 'and', 'of']
>>> require_same_text(gold, changed(Random(2), gold)) is None
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple
from unicodedata import category, normalize

WORDS = (
    "Ada", "met", "the", "old", "king", "of", "Ulm", "in", "Zürich", "and", "slept", ".", ",", "'",
    '"', "北京", "naïve", "\U0001f600", "x-ray", "3.5", "U.S.", "I", "rock'n'roll", "É", "१२",
    "don't",
)  # fmt: skip
LABELS, TAGS = ("PER", "LOC", "MISC-x"), ("NOUN", "VERB", "ADJ", "X")
RELATIONS = ("nsubj", "obj", "acl:relcl", "punct", "aux")


class Invalid(Exception):
    """A file that breaks the rules of its format, or does not hold the gold text; says why."""


class Span(NamedTuple):
    """Tokens ``begin .. end - 1`` of a sentence, or only ``some`` of them.

    ``cuts`` are characters left out at its ends.
    """

    sentence: int
    label: str
    begin: int
    end: int
    some: frozenset[int] = frozenset()
    cuts: tuple[int, int] = (0, 0)

    @property
    def tokens(self) -> frozenset[int]:
        return self.some or frozenset(range(self.begin, self.end))


def with_gaps(sentence: int, label: str, tokens: list[int], cuts: tuple[int, int] = (0, 0)) -> Span:
    """A span of some tokens, in order."""
    begin, end = tokens[0], tokens[-1] + 1
    some = frozenset(tokens) if len(tokens) < end - begin else frozenset()
    return Span(sentence, label, begin, end, some, cuts)


class Mention(NamedTuple):
    """Words (n, 0) and empty nodes (n, k) of a sentence, counted from 1, and their chain."""

    sentence: int
    nodes: tuple[tuple[int, int], ...]
    chain: str


@dataclass
class Corpus:
    """What a file holds; ``doubts`` are reasons for which a reader may refuse it."""

    words: list[Any]  # of every sentence a list of words, or a range
    tags: list[list[str]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    heads: list[list[str]] = field(default_factory=list)
    relations: list[list[str]] = field(default_factory=list)
    ranges: list[list[tuple[int, int, str]]] = field(default_factory=list)  # multi-word tokens
    mentions: list[Mention] = field(default_factory=list)
    items: dict[str, list[int]] = field(default_factory=dict)
    documents: list[int] = field(default_factory=list)  # of every sentence, if there are some
    names: list[str] = field(default_factory=list)  # of documents, if they have some
    texts: list[str] = field(default_factory=list)  # of documents, as they were written
    text: bool = True  # whether words are known, or only their number
    empty_cells: int = 0  # which only systems may have
    exact: bool = True  # without text, whether their number is that of the sentence
    doubts: set[str] = field(default_factory=set)


def random_corpus(rng: Random) -> Corpus:
    """One to three documents, annotated for every task."""
    sizes = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
    documents = [at for at, size in enumerate(sizes) for _ in range(size)]
    words = [rng.choices(WORDS, k=rng.randint(1, 7)) for _ in documents]
    corpus = Corpus(words, documents=documents, names=[f"d{at}" for at in range(len(sizes))])
    corpus.tags = [rng.choices(TAGS, k=len(one)) for one in words]
    corpus.heads = [_heads(rng, len(one)) for one in words]
    corpus.relations = [_relations(rng, one) for one in corpus.heads]
    corpus.spans = [one for at, _ in enumerate(words) for one in _spans(rng, at, words[at])]
    corpus.mentions = _mentions(rng, corpus)
    return corpus


def changed(rng: Random, gold: Corpus) -> Corpus:
    """The same text, annotated with some errors."""
    tags = [[rng.choice(TAGS) if rng.random() < 0.2 else tag for tag in one] for one in gold.tags]
    heads = [one if rng.random() < 0.5 else _heads(rng, len(one)) for one in gold.heads]
    spans = [one for one in gold.spans if rng.random() < 0.8]
    if rng.random() < 0.7:
        redone = {at for at, _ in enumerate(gold.words) if rng.random() < 0.4}
        fresh = [one for at in redone for one in _spans(rng, at, gold.words[at])]
        spans = sorted([one for one in spans if one.sentence not in redone] + fresh)
        spans.sort(key=lambda one: one.sentence)
    mentions = [one for one in gold.mentions if rng.random() < 0.8]
    mentions = [
        one._replace(chain=rng.choice(mentions).chain) if rng.random() < 0.3 else one
        for one in mentions
    ]
    found = replace(gold, tags=tags, heads=heads, spans=spans, mentions=mentions)
    found.relations = [_relations(rng, one) if rng.random() < 0.3 else old
                       for one, old in zip(heads, gold.relations, strict=True)]  # fmt: skip
    return found


def _heads(rng: Random, size: int) -> list[str]:
    """A tree: every word but the root hangs on one that was placed before it."""
    order = rng.sample(range(1, size + 1), size)
    head = {order[0]: 0, **{order[at]: rng.choice(order[:at]) for at in range(1, size)}}
    return [str(head[word]) for word in range(1, size + 1)]


def _relations(rng: Random, heads: list[str]) -> list[str]:
    return ["root" if head == "0" else rng.choice(RELATIONS) for head in heads]


def _spans(rng: Random, sentence: int, words: list[str]) -> list[Span]:
    """Spans side by side."""
    cuts = sorted(rng.sample(range(len(words) + 1), rng.randint(0, min(4, len(words)))))
    return [
        Span(sentence, rng.choice(LABELS), begin, end)
        for begin, end in pairwise(cuts)
        if rng.random() < 0.7
    ]


def _mentions(rng: Random, corpus: Corpus) -> list[Mention]:
    """Distinct mentions, nested or apart, in a few chains per document."""
    found = {}
    for sentence, words in enumerate(corpus.words):
        for _ in range(rng.randint(0, 4)):
            begin = rng.randint(1, len(words))
            end = min(len(words), begin + rng.choice((0, 0, 1, 2)))
            nodes = tuple((word, 0) for word in range(begin, end + 1))
            found[sentence, nodes] = str(rng.randint(1, 3))
    listed = [Mention(*where, chain) for where, chain in found.items()]
    return sorted(one for one in listed if not any(_cross(one, two) for two in listed))


def _cross(one: Mention, two: Mention) -> bool:
    """Whether the second of two mentions of a chain begins inside of the first and ends outside."""
    same = (one.sentence, one.chain) == (two.sentence, two.chain)
    return same and one.nodes[0] < two.nodes[0] <= one.nodes[-1] < two.nodes[-1]


def nested(rng: Random, corpus: Corpus, *, gaps: bool) -> Corpus:
    """The same corpus with spans that nest, cross, occur twice or have gaps."""
    spans = list(corpus.spans)
    for sentence, words in enumerate(corpus.words):
        for _ in range(rng.choice((0, 0, 1, 3))):
            begin, end = sorted(rng.sample(range(len(words) + 1), 2))
            tokens = [at for at in range(begin, end)
                      if at in (begin, end - 1) or not gaps or rng.random() < 0.7]  # fmt: skip
            spans.append(with_gaps(sentence, rng.choice(LABELS), tokens))
    rng.shuffle(spans)
    return replace(corpus, spans=sorted(spans, key=lambda one: one.sentence))


def retokenised(rng: Random, corpus: Corpus) -> Corpus:
    """The same trees, but one word is two."""
    at = rng.randrange(len(corpus.words))
    place = rng.randrange(len(corpus.words[at]))
    word = corpus.words[at][place]
    if len(word) < 2:
        return corpus
    found = _per_sentence(corpus, lambda column: [list(one) for one in column])
    found.words[at][place : place + 1] = [word[:1], word[1:]]
    found.tags[at].insert(place, "X")
    found.relations[at].insert(place, "dep")
    moved = [str(int(one) + (int(one) > place)) for one in found.heads[at]]
    found.heads[at] = [*moved[:place], str(place + 2), *moved[place:]]
    return found


def in_gold_order(gold: Corpus, system: Corpus) -> Corpus:
    """The system's documents in the order of the gold's, where both have names."""
    if not gold.names or not system.names or gold.names == system.names:
        return system
    if sorted(gold.names) != sorted(system.names):
        raise Invalid("other documents than the gold")
    place = [gold.names.index(name) for name in system.names]
    order = sorted(range(len(system.words)), key=lambda at: place[system.documents[at]])
    number = {old: new for new, old in enumerate(order)}
    moved = _per_sentence(system, lambda column: [column[at] for at in order] if column else [])
    moved.names, moved.documents = gold.names, sorted(place[one] for one in system.documents)
    moved.spans = [one._replace(sentence=number[one.sentence]) for one in system.spans]
    moved.spans.sort(key=lambda one: one.sentence)
    moved.mentions = [one._replace(sentence=number[one.sentence]) for one in system.mentions]
    return moved


def _per_sentence(corpus: Corpus, change: Callable[[list[Any]], list[Any]]) -> Corpus:
    """A copy, all of whose columns with a value for every sentence are changed."""
    names = ("words", "tags", "heads", "relations", "ranges")
    changed: dict[str, Any] = {name: change(getattr(corpus, name)) for name in names}
    return replace(corpus, **changed)


def labels_of(corpus: Corpus, task: str) -> set[str]:
    """The labels of tags or spans, without prefixes; relations without subtypes."""
    if task == "dependencies":
        return {label.partition(":")[0] for one in corpus.relations for label in one}
    if task == "tags":
        return {tag for one in corpus.tags for tag in one}
    levels = {level for one in corpus.tags for tag in one for level in tag.split("|")}
    return {level.partition("-")[2] for level in levels} | {one.label for one in corpus.spans}


def looks(label: str) -> str:
    """What is seen of a label.

    >>> looks("PE\\u200bR\\u00a0") == looks("PER")
    True
    """
    plain = normalize("NFKC", label)
    return " ".join("".join(one for one in plain if category(one) != "Cf").split())


def require_same_text(gold: Corpus, system: Corpus) -> None:
    """Raise if two corpora are not the same sentences of the same words."""
    if gold.text and system.text:
        if gold.words != system.words:
            raise Invalid("another text than the gold")
        return
    ours, theirs = ([len(one) for one in side.words] for side in (gold, system))
    if len(ours) != len(theirs):
        raise Invalid("another number of sentences than the gold")
    if gold.exact and system.exact and ours != theirs:
        raise Invalid("another number of words than the gold")
    if not gold.exact and system.exact and any(a > b for a, b in zip(ours, theirs, strict=True)):
        raise Invalid("a gold span beyond the sentence")
    if gold.exact and not system.exact and any(a < b for a, b in zip(ours, theirs, strict=True)):
        raise Invalid("a span beyond the sentence")
