"""Every item of an answer ends in one class: how it was grounded, or why it was not.

============= =============================================================================
grounded
------------- -----------------------------------------------------------------------------
exact         the text has these words (at the offsets, if there are any)
normalised    it has them with other case, white space, quotation marks, hyphens, composition
fuzzy         it has words that are similar enough, with the same numbers and negations
moved         the offsets were wrong: the nearest place of its words
ambiguous     the text has its words several times, and nothing says which are meant
------------- -----------------------------------------------------------------------------
not grounded
------------- -----------------------------------------------------------------------------
hallucinated  the text does not have its words
undecided     the text has them several times (policy ``unique``)
out-of-schema the label is not in the schema
duplicate     every place of its words is taken by an item with this label
unparseable   not an item, or the whole answer cannot be read
refused       the model declined to answer
============= =============================================================================

>>> rules = Rules(Schema.of(["PER", "LOC"]))
>>> placed = place(Place("Ada met Bob in Ghent."), '[["ada", "PER"], ["Rome", "LOC"]]', rules)
>>> [(one.kind, one.words, one.span) for one in placed.items]
[('normalised', 'ada', (0, 3)), ('hallucinated', 'Rome', None)]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

from finegrain.formats.grounded_items import NOT_GROUNDED
from finegrain.grounding.assignment import Choice, Mention, first, in_order, nearest
from finegrain.grounding.copies import same_places
from finegrain.grounding.folding import fold
from finegrain.grounding.listed import Item, Schema
from finegrain.grounding.occurrences import Place, Span
from finegrain.grounding.parsing import Form, Parsed, parsed

Policy = Literal["order", "first", "all", "unique", "nearest"]
POLICIES: tuple[str, ...] = get_args(Policy)
GROUNDED = ("exact", "normalised", "fuzzy", "moved", "ambiguous")
CLASSES = (*GROUNDED, *NOT_GROUNDED)
THRESHOLD = 0.85


class Rules(NamedTuple):
    """What is chosen about grounding; ``fuzzy``: the least similarity, ``None`` for none."""

    schema: Schema = Schema()
    policy: Policy = "order"
    fuzzy: float | None = THRESHOLD
    repair: bool = False


class Placed(NamedTuple):
    """An item of an answer: its class, and where it stands if it is grounded."""

    kind: str
    words: str
    label: str
    span: Span | None = None


class PlacedAnswer(NamedTuple):
    """All items of an answer, in its order, and how the answer was read.

    ``relabelled``: labels that are written in another way than in the schema.
    """

    items: list[Placed]
    form: Form
    repairs: Sequence[str] = ()
    fault: str = ""
    relabelled: int = 0


class _Candidate(NamedTuple):
    """An item, where it can stand, and what each place would make of it."""

    item: Item
    label: str
    places: list[Span]
    kinds: dict[Span, str]
    fixed: bool = False


def place(text: Place, answer: str, rules: Rules) -> PlacedAnswer:
    """Read an answer and ground its items in a text."""
    return place_parsed(text, parsed(answer, rules.schema, repair=rules.repair), answer, rules)


def place_parsed(text: Place, read: Parsed, answer: str, rules: Rules) -> PlacedAnswer:
    """Ground the items of an answer that has been read."""
    if read.form in ("refused", "unparseable"):
        whole = Placed(read.form, answer.strip(), "")
        return PlacedAnswer([whole], read.form, fault=read.fault)
    anchors: Sequence[Span | None] = [None] * len(read.items)
    if read.copy:
        spans = [(item.begin, item.end) for item in read.items]
        anchors = same_places(read.copy, text.text, spans)
    mentions = Counter((item.words, item.label) for item in read.items)
    items: list[Placed | _Candidate] = []
    for item, anchor in zip(read.items, anchors, strict=True):
        number = mentions[item.words, item.label]
        items.append(_candidate(text, item, anchor, number, rules, copied=bool(read.copy)))
    placed = _settled(items, rules)
    placed += [Placed("unparseable", one, "") for one in read.faulty]
    labels = rules.schema.labels
    other = sum(item.label not in labels for item in read.items if labels)
    other -= sum(one.kind == "out-of-schema" for one in placed)
    return PlacedAnswer(placed, read.form, read.repairs, relabelled=max(other, 0))


def _candidate(
    text: Place, item: Item, anchor: Span | None, number: int, rules: Rules, *, copied: bool
) -> Placed | _Candidate:
    """Where one item can stand; or what it is, if that is clear without."""
    if not item.label:
        return Placed("unparseable", item.words, "")
    label = rules.schema.label(item.label)
    words = item.words
    given = (item.begin, item.end) if item.has_offsets and not copied else None
    if not words and given:
        words = text.text[slice(*given)] if 0 <= given[0] < given[1] <= len(text.text) else ""
    if label is None:
        return Placed("out-of-schema", words, item.label)
    if not words.strip():
        return Placed("hallucinated", words, label)
    item = item._replace(words=words)
    for fixed in (anchor, given):
        kind = "" if fixed is None else _same(text.text[slice(*fixed)], words)
        if fixed is not None and kind and 0 <= fixed[0] < fixed[1] <= len(text.text):
            return _Candidate(item, label, [fixed], {fixed: kind}, fixed=True)
    kinds = _places(text, words, number, rules)
    if not kinds:
        return Placed("hallucinated", words, label)
    if given is None:
        item = item._replace(begin=-1)
    return _Candidate(item, label, sorted(kinds), kinds)


def _same(found: str, words: str) -> str:
    """How the text at some place agrees with words; empty if it does not."""
    if found == words:
        return "exact"
    one, two = fold(found).text, fold(words).text
    return "normalised" if one == two or one.replace(" ", "") == two.replace(" ", "") else ""


def _places(text: Place, words: str, number: int, rules: Rules) -> dict[Span, str]:
    """Where the text has words, by how exactly; looser ones only as far as they are needed."""
    kinds = dict.fromkeys(text.exact(words), "exact")
    if len(kinds) < number or rules.policy == "all":
        kinds = dict.fromkeys(text.folded(words), "normalised") | kinds
    if not kinds and rules.fuzzy is not None:
        kinds = dict.fromkeys(text.nearly(words, rules.fuzzy), "fuzzy")
    return kinds


def _settled(items: Sequence[Placed | _Candidate], rules: Rules) -> list[Placed]:
    """The place of every item under the policy."""
    open_ones = [one for one in items if isinstance(one, _Candidate)]
    if rules.policy == "all":
        settled = _everywhere(open_ones)
    elif rules.policy == "unique":
        settled = _only_unique(open_ones)
    else:
        settled = [[one] for one in _chosen(open_ones, rules.policy)]
    following = iter(settled)
    found: list[Placed] = []
    for one in items:
        found += [one] if isinstance(one, Placed) else next(following)
    return found


def _chosen(candidates: list[_Candidate], policy: Policy) -> list[Placed]:
    hinted = [one.item.has_offsets and not one.fixed for one in candidates]
    if policy == "nearest" or any(hinted):
        choices = nearest([_mention(one) for one in candidates])
        if policy != "nearest":
            choices = _with_order(candidates, hinted, choices, policy)
    else:
        choices = _ways(policy)([_mention(one) for one in candidates])
    return [_placed(*both) for both in zip(candidates, choices, strict=True)]


def _with_order(
    candidates: list[_Candidate], hinted: list[bool], near: list[Choice], policy: Policy
) -> list[Choice]:
    """Items with offsets where those say, the others by the policy, with the former as anchors."""
    mentions = [
        _mention(one)._replace(places=[choice.span]) if hint and choice.span else _mention(one)
        for one, hint, choice in zip(candidates, hinted, near, strict=True)
    ]
    decided = _ways(policy)(mentions)
    return [
        choice if hint else other for hint, choice, other in zip(hinted, near, decided, strict=True)
    ]


def _ways(policy: Policy) -> Callable[[Sequence[Mention]], list[Choice]]:
    return first if policy == "first" else in_order


def _mention(one: _Candidate) -> Mention:
    item = one.item
    hint = -1 if one.fixed else item.begin
    return Mention(item.words, one.label, one.places, item.group, hint)


def _placed(one: _Candidate, choice: Choice) -> Placed:
    if choice.span is None:
        return Placed("duplicate", one.item.words, one.label)
    kind = one.kinds[choice.span]
    if one.item.has_offsets and not one.fixed:
        kind = "moved"
    elif choice.ambiguous:
        kind = "ambiguous"
    return Placed(kind, one.item.words, one.label, choice.span)


def _everywhere(candidates: list[_Candidate]) -> list[list[Placed]]:
    """Every item at all places of its words."""
    taken: set[tuple[Span, str]] = set()
    found = []
    for one in candidates:
        free = [span for span in one.places if (span, one.label) not in taken]
        taken.update((span, one.label) for span in free)
        placed = [Placed(one.kinds[span], one.item.words, one.label, span) for span in free]
        found.append(placed or [Placed("duplicate", one.item.words, one.label)])
    return found


def _only_unique(candidates: list[_Candidate]) -> list[list[Placed]]:
    """Items whose words the text has once."""
    taken: set[tuple[Span, str]] = set()
    found = []
    for one in candidates:
        if len(one.places) > 1:
            found.append([Placed("undecided", one.item.words, one.label)])
            continue
        choice = Choice(None if (one.places[0], one.label) in taken else one.places[0])
        taken.add((one.places[0], one.label))
        found.append([_placed(one, choice)])
    return found
