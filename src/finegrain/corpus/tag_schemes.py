"""From tags such as ``B-PER`` to labelled spans, and back.

A scheme says which prefixes exist and which chunks are well-formed; a policy says what happens to
a chunk that is not.

>>> from finegrain.corpus import Corpus
>>> corpus = Corpus.of([["New", "York", "is", "Big"]], tags=[["I-LOC", "I-LOC", "O", "B-PER"]])
>>> decoded = decode(corpus.layers["tags"], corpus.offsets, SCHEMES["iob2"])
>>> [(int(b), int(e), decoded.spans.labels[k])
...  for b, e, k in zip(decoded.spans.begin, decoded.spans.end, decoded.spans.label)]
[(0, 2, 'LOC'), (3, 4, 'PER')]
>>> decoded.repairs                   # the I-LOC that opens a span
1

Whatever the scheme, a token continues the chunk before it if its prefix is inside or last, the
token before is first or inside, and both have one label (the rule of conlleval, Tjong Kim Sang
and Buchholz 2000). Schemes differ only in what they call well-formed:

=======  ==========  ===============================================================
scheme   prefixes    well-formed chunks
=======  ==========  ===============================================================
iob1     B I O       I...I; B...I only right behind a chunk of the same label
iob2     B I O       B I...I
bioes    B I E S O   S, or B I...I E
bilou    B I L U O   U, or B I...I L
io       I O         I...I
=======  ==========  ===============================================================

Stacked tags (``B-S|B-NP``) hold one tag per level; a span of an inner level ends where a span of
an outer level begins or ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.corpus.spans import Spans
from finegrain.corpus.texts import Coded, IntArray, smallest_type
from finegrain.errors import UsageError

Policy = Literal["conlleval", "discard", "error"]
POLICIES: dict[Policy, str] = {
    "conlleval": "an I- that does not continue opens a span",
    "discard": "drop chunks that the scheme does not allow, as seqeval's strict mode",
    "error": "stop at the first ill-formed tag",
}

OUTSIDE = frozenset({"O", "_", ""})  # "_" and the empty level close, as in CoNLL-2000 stacks
UNTYPED = "span"  # label of bare B, I, O tags
_ROLES = "OBIES"  # role codes: outside, first, inside, last, single
_OUT, _FIRST, _INSIDE, _LAST, _SINGLE = range(5)
_TAG = re.compile(r"([A-NP-Z])(?:-(.+))?\Z", re.DOTALL)  # O has no label


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way to write spans as tags: its name, and the role of each prefix."""

    name: str
    prefixes: str
    roles: str
    summary: str

    def role(self, prefix: str) -> int | None:
        """The role of a prefix; ``None`` if the scheme does not have it."""
        place = self.prefixes.find(prefix)
        return None if place < 0 else _ROLES.index(self.roles[place])


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme("iob1", "BI", "BI", "I- inside; B- only between neighbours of one label"),
        Scheme("iob2", "BI", "BI", "B- begins every span, I- continues it (also called BIO)"),
        Scheme("bioes", "BIES", "BIES", "B- begins, I- inside, E- ends, S- single token"),
        Scheme("bilou", "BILU", "BIES", "B- begins, I- inside, L- last, U- unit of one token"),
        Scheme("io", "I", "I", "I- on every token of a span; neighbours of one label merge"),
    )
}


def by_name(name: str) -> Scheme:
    """A scheme by its name, in any case."""
    if name.lower() not in SCHEMES:
        raise UsageError.unknown("scheme", name, SCHEMES)
    return SCHEMES[name.lower()]


class Tag(NamedTuple):
    """One tag taken apart; ``prefix`` is "O" outside of spans."""

    prefix: str
    label: str


def parse(tag: str) -> Tag | None:
    """Take a tag apart; ``None`` if it has no prefix.

    >>> parse("B-NP-SBJ"), parse("I"), parse("NN")
    (Tag(prefix='B', label='NP-SBJ'), Tag(prefix='I', label='span'), None)
    """
    if tag in OUTSIDE:
        return Tag("O", "")
    match = _TAG.match(tag)
    return Tag(match[1], match[2] or UNTYPED) if match else None


def levels(tag: str) -> list[str]:
    """The levels of a stacked tag, outermost first: ``levels("B-S|B-NP") == ["B-S", "B-NP"]``."""
    return tag.split("|")


def looks_like_spans(names: tuple[str, ...]) -> bool:
    """True if every tag is O or has a prefix of some scheme."""
    prefixes = set("OBIESLU")
    parsed = [parse(part) for name in names for part in levels(name)]
    return all(tag is not None and tag.prefix in prefixes for tag in parsed)


def detect(tags: Coded, offsets: IntArray) -> Scheme:
    """The scheme of a column of tags.

    L- or U- means BILOU and E- or S- means BIOES; otherwise IOB2, unless chunks that begin
    with I- outnumber B- tags: then IOB1.
    """
    names = [parse(levels(name)[0]) for name in tags.names]
    present = {tag.prefix for tag in names if tag}
    if present & {"L", "U"}:
        return SCHEMES["bilou"]
    if present & {"E", "S"}:
        return SCHEMES["bioes"]
    role_of = np.array([max(_ROLES.find(tag.prefix), 0) if tag else 0 for tag in names], np.int8)
    label_of = Coded.of(tag.label if tag else "" for tag in names).codes
    outer = _Level(tags.codes, role_of, label_of.astype(np.int32))
    begins, _ = _chunks(outer, _boundaries(offsets))
    first = outer.role(begins)  # a B- always begins a chunk
    initial_inside, firsts = np.count_nonzero(first == _INSIDE), np.count_nonzero(first == _FIRST)
    return SCHEMES["iob1" if initial_inside > firsts else "iob2"]


class Decoded(NamedTuple):
    """Spans of a tag column, the number of ill-formed chunks, and the tokens where they begin."""

    spans: Spans
    repairs: int
    ill_formed: IntArray


class UnknownPrefix(ValueError):
    """A tag has a prefix that its scheme does not have."""

    def __init__(self, tag: str, code: int) -> None:
        super().__init__(tag)
        self.tag = tag
        self.code = code


def decode(tags: Coded, offsets: IntArray, scheme: Scheme, policy: Policy = "conlleval") -> Decoded:
    """The spans that a column of tags describes.

    Under ``error`` the spans are those of ``conlleval``; the caller stops if ``repairs`` is not 0,
    because only the caller knows the file and the line.
    """
    role_of, label_of, labels = _tables(tags, scheme)
    found: list[tuple[IntArray, IntArray, IntArray]] = []
    broken: list[IntArray] = []
    fence = _boundaries(offsets)
    for level in range(role_of.shape[1]):
        column = _Level(tags.codes, role_of[:, level], label_of[:, level])
        begins, ends = _chunks(column, fence)
        bad = _ill_formed(scheme, column, begins, ends, fence)
        broken.append(begins[bad])
        kept: tuple[IntArray, IntArray] = begins, ends
        if policy == "discard":
            kept = _discard(scheme, column, begins, ends, bad, fence)
        found.append((*kept, column.label(kept[0])))
        fence[begins] = True  # nothing deeper runs on where a span of this level begins
        fence[ends] = True  # or ends
    begin, end, label = _in_reading_order(found)
    sentence = np.searchsorted(offsets, begin, side="right").astype(np.int32) - 1
    base = offsets[sentence]  # where the sentence begins
    spans = Spans.contiguous(
        sentence, (begin - base).astype(np.int32), (end - base).astype(np.int32), label, labels
    )
    ill_formed = np.sort(np.concatenate(broken))
    return Decoded(spans, len(ill_formed), ill_formed)


def encode(spans: Spans, offsets: IntArray, scheme: Scheme = SCHEMES["iob2"]) -> Coded:
    """Flat, contiguous spans as a column of tags: the inverse of ``decode``."""
    first = offsets[spans.sentence] + spans.begin
    last = offsets[spans.sentence] + spans.end - 1
    prefixes = dict(zip(scheme.roles, scheme.prefixes, strict=True))
    names = ["O"] + [
        f"{prefixes.get(role, 'I')}-{label}" for label in spans.labels for role in "BIES"
    ]
    codes = np.zeros(int(offsets[-1]), np.int32)
    base = 1 + 4 * spans.label.astype(np.int32)
    counts = last - first + 1
    inside = np.repeat(first, counts) + ramp(counts)
    if np.any(np.bincount(inside, minlength=1) > 1) or np.any(spans.token_set):
        raise ValueError("nested, crossing or discontinuous spans cannot be written as flat tags")
    codes[inside] = np.repeat(base + 1, counts)
    if scheme.name in {"bioes", "bilou"}:
        codes[last] = base + 2
    if scheme.name == "iob1":
        taken = codes[first - 1] * (first > offsets[spans.sentence])
        neighbour = (taken > 0) & ((taken - 1) // 4 == spans.label)
        codes[first] = np.where(neighbour, base, base + 1)
    elif scheme.name != "io":
        codes[first] = base
    if scheme.name in {"bioes", "bilou"}:
        codes[first[counts == 1]] = base[counts == 1] + 3
    used = np.flatnonzero(np.bincount(codes, minlength=len(names)))
    order = sorted(used.tolist(), key=names.__getitem__)
    rank: IntArray = np.zeros(len(names), smallest_type(len(order)))
    rank[order] = np.arange(len(order))
    return Coded(rank[codes], tuple(names[code] for code in order))


def _tables(tags: Coded, scheme: Scheme) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Role and label code of every distinct tag at every level, ``[tag, level]``."""
    stacks = [levels(name) for name in tags.names]
    depth = max(map(len, stacks), default=1)
    parsed: list[list[tuple[int, str]]] = []
    for code, (name, stack) in enumerate(zip(tags.names, stacks, strict=True)):
        row = []
        for part in stack + ["O"] * (depth - len(stack)):
            tag = parse(part)
            role = None if tag is None else _OUT if tag.prefix == "O" else scheme.role(tag.prefix)
            if tag is None or role is None:
                raise UnknownPrefix(name, code)
            row.append((role, tag.label))
        parsed.append(row)
    labels = tuple(sorted({label for row in parsed for role, label in row if role != _OUT}))
    number = {label: code for code, label in enumerate(labels)}
    shape = (len(parsed), depth)
    roles = np.array([[role for role, _ in row] for row in parsed], np.int8).reshape(shape)
    codes = [[number[label] if role != _OUT else -1 for role, label in row] for row in parsed]
    return roles, np.array(codes, np.int32).reshape(shape), labels


def _boundaries(offsets: IntArray) -> NDArray[np.bool_]:
    """``[token + 1]`` true where a sentence begins, and behind the last token."""
    fence = np.zeros(int(offsets[-1]) + 1, bool)
    fence[offsets] = True
    return fence


class _Level(NamedTuple):
    """One level of a tag column: codes of tokens, role and label of each code.

    Roles and labels are looked up only where they are needed: most tokens are outside.
    """

    codes: IntArray
    role_of: IntArray
    label_of: IntArray

    def role(self, tokens: IntArray) -> IntArray:
        return self.role_of[self.codes[tokens]]

    def label(self, tokens: IntArray) -> IntArray:
        return self.label_of[self.codes[tokens]]

    def inside(self) -> NDArray[np.int64]:
        """Tokens that are not outside."""
        outside = np.flatnonzero(self.role_of == _OUT)
        if len(outside) == 1:
            return np.flatnonzero(self.codes != outside[0])
        return np.flatnonzero(self.role_of[self.codes] != _OUT)


def _chunks(
    column: _Level, fence: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where chunks begin, and one past where they end."""
    inside = column.inside()
    before = inside - 1  # -1 for the first token, which the fence keeps apart
    now, then = column.role(inside), column.role(before)
    joins = (now == _INSIDE) | (now == _LAST)
    joins &= (then == _FIRST) | (then == _INSIDE)
    joins &= column.label(inside) == column.label(before)
    joins &= ~fence[inside]
    first = np.flatnonzero(~joins)
    begins = inside[first]
    # all inside tokens up to the next beginning belong to the chunk, without a gap
    return begins, begins + np.diff(first, append=len(inside))


def _ill_formed(
    scheme: Scheme, column: _Level, begins: IntArray, ends: IntArray, fence: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which chunks the scheme does not allow."""
    first = column.role(begins)
    bad = np.zeros(len(begins), bool)
    if scheme.name == "iob2":
        bad |= first != _FIRST
    elif scheme.name == "iob1":
        neighbour = column.role(begins - 1) != _OUT
        neighbour &= column.label(begins - 1) == column.label(begins)
        bad |= (first == _FIRST) & ~(neighbour & ~fence[begins])
    elif scheme.name != "io":  # bioes, bilou
        whole = (first == _FIRST) & (column.role(ends - 1) == _LAST)
        bad |= ~(whole | (first == _SINGLE))
    return bad


def _discard(
    scheme: Scheme,
    column: _Level,
    begins: IntArray,
    ends: IntArray,
    bad: NDArray[np.bool_],
    fence: NDArray[np.bool_],
) -> tuple[IntArray, IntArray]:
    """What is left when ill-formed chunks are dropped, as seqeval's strict mode does.

    IOB1 is special there: of an ill-formed chunk only the B- token is lost, and a lone B- chunk
    goes if a B- of another label follows at once.
    """
    if scheme.name != "iob1":
        return begins[~bad], ends[~bad]
    kept = begins + bad
    after = np.minimum(ends, len(column.codes) - 1)
    clash = (column.role(after) == _FIRST) & (column.label(after) != column.label(begins))
    lone = (column.role(ends - 1) == _FIRST) & clash & ~fence[ends]
    keep = (kept < ends) & ~lone
    return kept[keep], ends[keep]


def _in_reading_order(
    found: list[tuple[IntArray, IntArray, IntArray]],
) -> tuple[IntArray, IntArray, IntArray]:
    """Spans of all levels by beginning, longer first, outer level first."""
    begin, end, label = (np.concatenate(column) for column in zip(*found, strict=True))
    if len(found) == 1:
        return begin, end, label
    level = np.repeat(np.arange(len(found)), [len(begins) for begins, _, _ in found])
    order = np.lexsort((level, -end, begin))
    return begin[order], end[order], label[order]


def ramp(counts: IntArray) -> IntArray:
    """0 .. n-1 for every n of ``counts``, in one array."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
