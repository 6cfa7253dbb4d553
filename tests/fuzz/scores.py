"""Scores of tags, 0/1 tables and spans, by their definitions.

>>> fair([Span(0, "PER", 0, 2)], [Span(0, "PER", 0, 1)])
Counter({'BES': 1})
"""

from __future__ import annotations

from collections import Counter, defaultdict
from math import nan

from tests.fuzz.corpora import Corpus, Span

Values = dict[str, float]
LONG = 10_000
OUTCOMES = ("TP", "LE", "BES", "BEL", "BEO", "LBE", "FN", "FP")


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan


def tag_scores(gold: Corpus, system: Corpus) -> Values:
    """Accuracy; tags are the same to the letter."""
    pairs = [pair for one, two in zip(gold.tags, system.tags, strict=True)
             for pair in zip(one, two, strict=True)]  # fmt: skip
    return {
        "accuracy": ratio(sum(one == two for one, two in pairs), len(pairs)),
        "units": len(pairs),
    }


def item_scores(corpus: Corpus) -> dict[str, Values]:
    """The share of 1 in every column."""
    return {name: {"accuracy": ratio(sum(cells), len(cells)), "units": len(cells)}
            for name, cells in corpus.items.items()}  # fmt: skip


def span_scores(gold: list[Span], system: list[Span]) -> Values:
    """Precision, recall and F1 of equal spans, copy by copy, and the counts of fair evaluation."""
    equal = sum((Counter(gold) & Counter(system)).values())
    values = {
        "traditional_precision": ratio(equal, len(system)),
        "traditional_recall": ratio(equal, len(gold)),
        "traditional_f1": ratio(2 * equal, len(gold) + len(system)),
        "gold": len(gold), "predicted": len(system),
    }  # fmt: skip
    if any(one.cuts != (0, 0) or one.end - one.begin > LONG for one in (*gold, *system)):
        return values  # overlaps would be those of characters, or take too long
    counts: Counter[str] = Counter(dict.fromkeys(OUTCOMES, 0))
    sentences: dict[int, tuple[list[Span], list[Span]]] = defaultdict(lambda: ([], []))
    for side, spans in enumerate((gold, system)):
        for one in spans:
            sentences[one.sentence][side].append(one)
    for pair in sentences.values():
        counts.update(fair(*pair))
    return values | dict(counts)


class _Rest:
    """A span that is not matched exactly, and its tokens that are not used up."""

    def __init__(self, span: Span) -> None:
        self.span, self.tokens = span, set(span.tokens)
        self.bounds = span.begin, span.end


def fair(gold: list[Span], system: list[Span]) -> Counter[str]:
    """How often each outcome occurs in a sentence (Ortmann 2022)."""
    counts: Counter[str] = Counter()
    ours, theirs = list(gold), list(system)
    for label_error in (False, True):
        for one in list(ours):
            same = [other for other in theirs if (one == other if not label_error else
                    one[2:4] == other[2:4] and one.label != other.label)]  # fmt: skip
            if same:
                counts["LE" if label_error else "TP"] += 1
                ours.remove(one)
                theirs.remove(same[0])
    free = [[_Rest(one) for one in sorted(side, key=lambda one: one.end - one.begin)]
            for side in (ours, theirs)]  # fmt: skip
    used: list[list[_Rest]] = [[], []]
    for other_label in (False, True):
        _boundary_errors(free, used, counts, other_label=other_label)
    return +(counts + Counter(FN=len(free[0]), FP=len(free[1])))


def _boundary_errors(
    free: list[list[_Rest]], used: list[list[_Rest]], counts: Counter[str], *, other_label: bool
) -> None:
    for phase, (side, partners) in enumerate(((0, free[1]), (0, used[1]), (1, used[0]))):
        for one in list(free[side]):
            candidates = [
                two for two in partners
                if (one.span.label != two.span.label) == other_label and one.bounds != two.bounds
                and (one.tokens & two.tokens if phase else
                     one.span.begin < two.span.end and two.span.begin < one.span.end)
            ]  # fmt: skip
            if not candidates:
                continue
            best = _most_similar(one, candidates)
            target, answer = (one, best) if side == 0 else (best, one)
            counts["LBE" if other_label else _kind(target.span, answer.span)] += 1
            free[side].remove(one)
            used[side].append(one)
            if not phase:
                free[1].remove(best)
                used[1].append(best)
            shared = one.tokens & best.tokens
            one.tokens -= shared
            best.tokens -= shared


def _most_similar(one: _Rest, candidates: list[_Rest]) -> _Rest:
    def distance(two: _Rest) -> tuple[int, int, int]:
        shared, extra = len(one.tokens & two.tokens), len(two.tokens - one.tokens)
        return -shared, extra, two.span.end - two.span.begin

    return min(candidates, key=distance)


def _kind(target: Span, answer: Span) -> str:
    if target.begin <= answer.begin and answer.end <= target.end:
        return "BES"
    return "BEL" if answer.begin <= target.begin and target.end <= answer.end else "BEO"
