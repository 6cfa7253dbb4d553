"""`corefud`: CoNLL-U with coreference, mentions in brackets in ``Entity=`` of the last column.

    # newdoc id = letters
    # global.Entity = eid-etype-head
    1    Ada     Ada      PROPN   ...   Entity=(e1-person-1
    2    King    King     PROPN   ...   Entity=e1)
    3    left    leave    VERB    ...   _
    3.1  _       _        PRON    ...   Entity=(e1-person-1)

All that `conllu` reads is read; besides, mentions with their chain (``eid``, or ``GRP`` as in GUM),
the type of entity and the head, which is counted among the words of the mention. Empty nodes belong
to mentions as words do. Mentions with gaps have parts: ``(e1[1/2]-person-1`` and ``(e1[2/2]``. A
closing bracket closes the mention of its chain that was opened last. Split antecedents and bridging
are not read; neither is ``Entity=`` in any other column than MISC, the last one.

>>> from finegrain.formats.source import source_of
>>> def word(number: str, form: str, entity: str = "_") -> str:
...     return "\\t".join([number, form, *"_______", entity]) + "\\n"
>>> lines = "# newdoc id = a\\n# global.Entity = eid-etype-head\\n"
>>> lines += word("1", "Ada", "Entity=(e1-p-2") + word("2", "King", "Entity=e1)")
>>> lines += word("3", "left") + word("3.1", "_", "Entity=(e1-p-1)")
>>> clusters = read(source_of("memory", lines.encode() + b"\\n")).clusters
>>> [clusters.nodes(row) for row in range(2)], clusters.head.tolist(), clusters.is_zero.tolist()
([(1000, 2000), (3001,)], [2000, 3001], [False, True])
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from finegrain.corpus import Clusters, Corpus
from finegrain.corpus.clusters import WORD, ClustersBuilder, Parent
from finegrain.errors import Collector, InputError
from finegrain.formats import conllu
from finegrain.formats.brackets import brackets
from finegrain.formats.chain_limits import chains_of
from finegrain.formats.corefud_writing import FIELDS, as_read, node_of, written_anew
from finegrain.formats.same_annotation import same_mentions
from finegrain.formats.source import Source, source_of

_ENTITY = "Entity="
_PART = re.compile(r"(.+)\[([0-9]+)/([0-9]+)\]$")
_DEPS = 8
_ARC = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?):(.+)")
_DIGITS = 9  # no sentence is longer


def looks_like(source: Source) -> bool:
    """True for CoNLL-U that says how it writes entities."""
    said = any(FIELDS.match(line) for line in source.head(400))
    return said and conllu.looks_like(source)


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read a CorefUD file; up to ``limit`` problems are gathered before giving up."""
    corpus = conllu.read(source, limit=limit)
    reader = _Reader(corpus, Collector(source.name, limit=limit))
    for number, line in enumerate(source.lines(), 1):
        reader.line(line, number)
    reader.end_of_sentence()
    reader.problems.raise_any()
    notes = tuple(note for note in corpus.notes if not note.endswith("empty nodes passed over"))
    return replace(corpus, clusters=reader.builder.clusters(), notes=notes)


class _Opened(NamedTuple):
    """A mention, or a part of one, whose end is not known yet."""

    order: int
    name: str
    fields: tuple[str, ...]
    begin: int  # place among the nodes of the sentence
    line: int


class _Part(NamedTuple):
    """A mention of which some parts are known."""

    first: _Opened
    nodes: tuple[int, ...]
    parts: int


class _Reader:
    """Gathers mentions sentence by sentence."""

    def __init__(self, corpus: Corpus, problems: Collector) -> None:
        self.documents = None if corpus.documents is None else corpus.documents.tolist()
        self.problems = problems
        self.builder = ClustersBuilder()
        self.places = {"head": -1, "etype": -1}
        self.sentence = -1
        self._start()

    def _start(self) -> None:
        self.nodes: list[int] = []
        self.deps: dict[int, str] = {}  # of empty nodes
        self.open: dict[str, list[_Opened]] = {}
        self.parts: dict[tuple[str, int], list[_Part]] = {}  # by chain and number of parts
        self.found: list[tuple[_Opened, tuple[int, ...]]] = []
        self.opened = 0

    def line(self, line: str, number: int) -> None:
        """Take in one line."""
        if line.startswith("#"):
            said = FIELDS.match(line)
            if said:
                names = said[1].split("-")
                self.places = {
                    one: names.index(one) if one in names else -1 for one in ("head", "etype")
                }
            return
        if not line.strip():
            self.end_of_sentence()
            return
        identifier = line.split("\t", 1)[0]
        entity = self._entity_of(line, number) if _ENTITY in line else None
        if "-" in identifier:
            if entity is not None:
                what = f"{_ENTITY}{entity[:40]} on the line of a multi-word token"
                self.problems.add(
                    number, what, "Entities belong to words: write it on their lines."
                )
            return
        if not self.nodes:
            self.sentence += 1
        self.nodes.append(node_of(identifier))
        if "." in identifier:
            self.deps[self.nodes[-1]] = line.split("\t")[_DEPS]
        if entity is not None:
            self._entity(entity, number)

    def _entity_of(self, line: str, number: int) -> str | None:
        """The brackets in the last column, MISC; elsewhere ``Entity=`` is a word like any other."""
        misc = line.rpartition("\t")[2]
        found = [one for one in misc.split("|") if one.startswith(_ENTITY)]
        if len(found) > 1:
            self.problems.add(
                number, f"{_ENTITY} occurs twice in MISC", "Write all brackets in one."
            )
        return found[0].removeprefix(_ENTITY) if found else None

    def _entity(self, cell: str, line: int) -> None:
        found = brackets(cell)
        if found is None:
            what = f"Entity={cell[:40]} opens or closes nothing"
            self.problems.add(line, what, "Write (e1-type-1, e1) or (e1-type-1).")
            return
        for bracket in found:
            name, *fields = bracket.name.split("-")
            if bracket.opens:
                one = _Opened(self.opened, name, tuple(fields), len(self.nodes) - 1, line)
                self.open.setdefault(name, []).append(one)
                self.opened += 1
            if bracket.closes:
                self._close(name, line)

    def _close(self, name: str, line: int) -> None:
        waiting = self.open.get(name)
        if not waiting:
            what = f"{name}) closes a mention that was not opened here"
            self.problems.add(line, what, "A mention ends in its own sentence.")
            return
        one = waiting.pop()
        nodes = tuple(self.nodes[one.begin :])
        part = _PART.match(name)
        if part is None:
            self.found.append((one, nodes))
            return
        number, of = (int(digits[:_DIGITS]) for digits in part.groups()[1:])
        self._add_part(one, nodes, part[1], number, of)

    def _add_part(
        self, one: _Opened, nodes: tuple[int, ...], name: str, number: int, of: int
    ) -> None:
        """Join a part to those before it; with the last one the mention is complete."""
        pending = self.parts.setdefault((name, of), [])
        known = next(
            (at for at in reversed(range(len(pending))) if pending[at].parts == number - 1), -1
        )
        if number > 1 and known < 0:
            what = (
                f"part {number} of {of} of a mention of {name}, but part {number - 1} is not there"
            )
            self.problems.add(one.line, what, "Write the parts in order, in one sentence.")
            return
        before = pending.pop(known) if number > 1 else _Part(one._replace(name=name), (), 0)
        joined = _Part(before.first, (*before.nodes, *nodes), number)
        if number == of:
            self.found.append((joined.first, tuple(sorted(joined.nodes))))
        else:
            pending.append(joined)

    def end_of_sentence(self) -> None:
        """Take in the mentions of a sentence in the order in which they were opened."""
        left = [one for waiting in self.open.values() for one in waiting]
        left += [part.first for waiting in self.parts.values() for part in waiting]
        for one in left:
            what = f"({one.name} opens a mention that its sentence does not close"
            self.problems.add(one.line, what, f"Write Entity={one.name}) at its last word.")
        for one, nodes in sorted(self.found, key=lambda pair: pair[0].order):
            self._mention(one, nodes)
        self._start()

    def _mention(self, one: _Opened, nodes: tuple[int, ...]) -> None:
        document = 0 if self.documents is None else self.documents[self.sentence]
        head = self._head(one, nodes)
        self.builder.add(
            self.sentence,
            nodes,
            (document, one.name),
            kind=self._field(one, "etype"),
            head=head,
            parents=self._parents(head, one.line),
            line=one.line,
        )

    def _parents(self, head: int, line: int) -> tuple[Parent, ...]:
        """The parents of an empty node in the enhanced graph."""
        deps = self.deps.get(head, "_")
        arcs = [_ARC.fullmatch(one) for one in deps.split("|")] if deps != "_" else []
        found = tuple((node_of(arc[1]), arc[2]) for arc in arcs if arc)
        if len(found) < len(arcs):
            what = f"the empty node depends on {deps[:40]!r}, which is not all nodes and relations"
            self.problems.add(line, what, "Write DEPS as 13:nsubj|9.2:obj, or _.")
        return found

    def _field(self, one: _Opened, name: str) -> str:
        """A field of a mention; the first one, its chain, was taken off."""
        place = self.places[name] - 1
        return one.fields[place] if 0 <= place < len(one.fields) else ""

    def _head(self, one: _Opened, nodes: tuple[int, ...]) -> int:
        said = self._field(one, "head")
        if not said:
            return nodes[0] if all(node % WORD for node in nodes) or self.places["head"] > 0 else 0
        if not (said.isdecimal() and 0 < int(said[:_DIGITS]) <= len(nodes)):
            what = (
                f"the head of ({one.name} is {said[:20]!r}, but the mention has {len(nodes)} words"
            )
            self.problems.add(one.line, what, "Count the head from 1 among its words.")
            return 0
        return nodes[int(said) - 1]


def write(corpus: Corpus) -> str:
    """The corpus as CoNLL-U with ``Entity=``.

    Lines of CoNLL-U are written as they were read; if the chains are others than in these lines,
    the cells ``Entity=`` are made anew.
    """
    clusters = chains_of(corpus, "corefud")
    lines = "" if corpus.further is None else as_read(corpus)
    return lines if lines and _holds(lines, clusters) else written_anew(corpus, clusters)


def _holds(lines: str, clusters: Clusters) -> bool:
    """Whether these chains are read from these lines."""
    try:
        found = read(source_of("memory", lines.encode())).clusters
    except InputError:  # chains of another origin, on lines that hold faulty ones
        return False
    return found is not None and same_mentions(clusters, found)
