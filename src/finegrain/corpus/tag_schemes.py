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
ioe1     I E O       I...I; I...E only right in front of a chunk of the same label
ioe2     I E O       I...I E
bioes    B I E S O   S, or B I...I E
bilou    B I L U O   U, or B I...I L
bmes     B M E S O   S, or B M...M E
bmewo    B M E W O   W, or B M...M E
io       I O         I...I
=======  ==========  ===============================================================

Stacked tags (``B-S|B-NP``) hold one tag per level; a span of an inner level ends where a span of
an outer level begins or ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
OUT, FIRST, INSIDE, LAST, SINGLE = range(5)
_TAG = re.compile(r"([A-NP-Z])(?:-(.+))?\Z", re.DOTALL)  # O has no label


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way to write spans as tags: its name, and the role of each prefix.

    ``between``: B- or E- stand only where spans of one label touch, not at every span.
    """

    name: str
    prefixes: str
    roles: str
    summary: str
    between: bool = False

    def role(self, prefix: str) -> int | None:
        """The role of a prefix; ``None`` if the scheme does not have it."""
        place = self.prefixes.find(prefix)
        return None if place < 0 else _ROLES.index(self.roles[place])


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "iob1", "BI", "BI", "I- inside; B- only between neighbours of one label", between=True
        ),
        Scheme("iob2", "BI", "BI", "B- begins every span, I- continues it (also called BIO)"),
        Scheme(
            "ioe1", "IE", "IE", "I- inside; E- only between neighbours of one label", between=True
        ),
        Scheme("ioe2", "IE", "IE", "E- ends every span, I- stands before it"),
        Scheme("bioes", "BIES", "BIES", "B- begins, I- inside, E- ends, S- single token"),
        Scheme("bilou", "BILU", "BIES", "B- begins, I- inside, L- last, U- unit of one token"),
        Scheme("bmes", "BMES", "BIES", "B- begins, M- middle, E- ends, S- single token"),
        Scheme("bmewo", "BMEW", "BIES", "B- begins, M- middle, E- ends, W- whole token"),
        Scheme("io", "I", "I", "I- on every token of a span; neighbours of one label merge"),
    )
}


PREFIXES = frozenset("O").union(*(scheme.prefixes for scheme in SCHEMES.values()))


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
    return all(levels_of(name) is not None for name in names)


def levels_of(tag: str) -> list[Tag] | None:
    """The levels of a tag taken apart; ``None`` if one has no prefix of any scheme.

    A level may be empty, but not all of them: ``|`` is not a tag.

    >>> levels_of("I-S|"), levels_of("|"), levels_of("NN|B-NP")
    ([Tag(prefix='I', label='S'), Tag(prefix='O', label='')], None, None)
    """
    parts = levels(tag)
    parsed = [parse(part) for part in parts]
    known = [one for one in parsed if one is not None and one.prefix in PREFIXES]
    return None if len(known) < len(parts) or (tag and not any(parts)) else known


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
    begins, ends = _marked_edges(codes, spans, offsets, scheme)
    codes[last[ends]] = base[ends] + 2
    codes[first[begins]] = base[begins]
    single = (counts == 1) & ("S" in scheme.roles)
    codes[first[single]] = base[single] + 3
    used = np.flatnonzero(np.bincount(codes, minlength=len(names)))
    order = sorted(used.tolist(), key=names.__getitem__)
    rank: IntArray = np.zeros(len(names), smallest_type(len(order)))
    rank[order] = np.arange(len(order))
    return Coded(rank[codes], tuple(names[code] for code in order))


def _marked_edges(
    codes: IntArray, spans: Spans, offsets: IntArray, scheme: Scheme
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which spans have a tag of their own where they begin, and where they end."""
    start, stop = offsets[spans.sentence], offsets[spans.sentence + 1]
    sides = []
    for role, beside in (("B", start + spans.begin - 1), ("E", start + spans.end)):
        marked = np.full(len(spans), role in scheme.roles)
        if scheme.between:
            taken = codes[np.clip(beside, 0, max(len(codes) - 1, 0))]
            taken = taken * ((beside >= start) & (beside < stop))
            marked &= (taken > 0) & ((taken - 1) // 4 == spans.label)
        sides.append(marked)
    return sides[0], sides[1]


def _tables(tags: Coded, scheme: Scheme) -> tuple[IntArray, IntArray, tuple[str, ...]]:
    """Role and label code of every distinct tag at every level, ``[tag, level]``."""
    stacks = [levels_of(name) for name in tags.names]
    depth = max((len(stack) for stack in stacks if stack), default=1)
    parsed: list[list[tuple[int, str]]] = []
    for code, (name, stack) in enumerate(zip(tags.names, stacks, strict=True)):
        row = []
        for tag in (stack or []) + [Tag("O", "")] * (depth - len(stack or [])):
            role = OUT if tag.prefix == "O" else scheme.role(tag.prefix)
            if stack is None or role is None:
                raise UnknownPrefix(name, code)
            row.append((role, tag.label))
        parsed.append(row)
    labels = tuple(sorted({label for row in parsed for role, label in row if role != OUT}))
    number = {label: code for code, label in enumerate(labels)}
    shape = (len(parsed), depth)
    roles = np.array([[role for role, _ in row] for row in parsed], np.int8).reshape(shape)
    codes = [[number[label] if role != OUT else -1 for role, label in row] for row in parsed]
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
        outside = np.flatnonzero(self.role_of == OUT)
        if len(outside) == 1:
            return np.flatnonzero(self.codes != outside[0])
        return np.flatnonzero(self.role_of[self.codes] != OUT)


def _chunks(
    column: _Level, fence: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where chunks begin, and one past where they end."""
    inside = column.inside()
    before = inside - 1  # -1 for the first token, which the fence keeps apart
    now, then = column.role(inside), column.role(before)
    joins = (now == INSIDE) | (now == LAST)
    joins &= (then == FIRST) | (then == INSIDE)
    joins &= column.label(inside) == column.label(before)
    joins &= ~fence[inside]
    first = np.flatnonzero(~joins)
    begins = inside[first]
    # all inside tokens up to the next beginning belong to the chunk, without a gap
    return begins, begins + np.diff(first, append=len(inside))


def chunk_edges(
    codes: IntArray, tag_of: Sequence[Tag], offsets: IntArray
) -> tuple[IntArray, IntArray]:
    """The roles with which chunks begin and end; ``tag_of``: the tag of each code."""
    role_of = np.array([max(_ROLES.find(tag.prefix), OUT) for tag in tag_of], np.int8)
    label_of = Coded.of(tag.label for tag in tag_of).codes.astype(np.int32)
    column = _Level(codes, role_of, label_of)
    begins, ends = _chunks(column, _boundaries(offsets))
    return column.role(begins), column.role(ends - 1)


def _ill_formed(
    scheme: Scheme, column: _Level, begins: IntArray, ends: IntArray, fence: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which chunks the scheme does not allow."""
    first, last = column.role(begins), column.role(ends - 1)
    if scheme.between:
        at_begin = "B" in scheme.roles
        beside = begins - 1 if at_begin else np.minimum(ends, len(column.codes) - 1)
        neighbour = column.role(beside) != OUT
        neighbour &= column.label(beside) == column.label(begins)
        neighbour &= ~fence[begins if at_begin else ends]
        marked: NDArray[np.bool_] = first == FIRST if at_begin else last == LAST
        marked &= ~neighbour
        return marked
    whole: NDArray[np.bool_] = np.ones(len(begins), bool)
    if "B" in scheme.roles:
        whole &= first == FIRST
    if "E" in scheme.roles:
        whole &= last == LAST
    whole |= first == SINGLE
    return ~whole


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
    clash = (column.role(after) == FIRST) & (column.label(after) != column.label(begins))
    lone = (column.role(ends - 1) == FIRST) & clash & ~fence[ends]
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
