"""Scores of trees after the CoNLL 2018 shared task, also of systems with other words.

>>> gold = Corpus([["a", "b"]], heads=[["2", "0"]], relations=[["nsubj", "root"]], ranges=[[]])
>>> wrong = Corpus([["a", "b"]], heads=[["0", "1"]], relations=[["nsubj", "root"]], ranges=[[]])
>>> tree_scores(gold, wrong)
{'uas': 0.0, 'las': 0.0, 'words': 1.0}
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.fuzz.corpora import Corpus, Invalid
from tests.fuzz.scores import Values, ratio


class Word(NamedTuple):
    """A word by the characters it covers; words of a multi-word token share theirs."""

    begin: int
    end: int
    form: str
    joined: bool
    head: int  # number of the word; -1 for the root, -2 for none
    relation: str


def words_of(corpus: Corpus, *, is_gold: bool) -> tuple[str, list[Word]]:
    """The characters of a corpus without white space, and its words."""
    text, words = "", list[Word]()
    for at, sentence in enumerate(corpus.words):
        first, covered = len(words), 0
        ranges = {begin: (end, form) for begin, end, form in corpus.ranges[at]}
        for number, form in enumerate(sentence, 1):
            if number in ranges:
                covered, surface = ranges[number]
                begin, text = len(text), text + _bare(surface)
            elif number > covered:
                begin, text = len(text), text + _bare(form)
            head = corpus.heads[at][number - 1]
            if not re.fullmatch("_|[0-9]{1,9}", head):
                raise Invalid(f"{head[:20]!r} is not a head")
            where = -2 if head == "_" or int(head) > len(sentence) else first + int(head) - 1
            if is_gold and where == -2:
                raise Invalid("a gold word without a head")
            where = -1 if head.strip("0") == "" else where
            relation = corpus.relations[at][number - 1].split(":")[0]
            words.append(Word(begin, len(text), form, number <= covered, where, relation))
    return text, words


def _bare(form: str) -> str:
    return "".join(form.split())


def tree_scores(gold: Corpus, system: Corpus) -> Values:
    """F1 of words with the right head, and with the right head and relation."""
    (ours, gold_words), (theirs, system_words) = (
        words_of(gold, is_gold=True),
        words_of(system, is_gold=False),
    )
    if [one.form for one in gold_words] == [one.form for one in system_words]:
        pairs = [(at, at) for at, _ in enumerate(gold_words)]  # whatever multi-word tokens say
    elif ours != theirs:
        raise Invalid("another text than the gold")
    else:
        pairs = _aligned(gold_words, system_words)
    to_gold = {-1: -1, **{two: one for one, two in pairs}}
    attached = labelled = 0
    for one, two in pairs:
        right = to_gold.get(system_words[two].head) == gold_words[one].head
        attached += right
        labelled += right and system_words[two].relation == gold_words[one].relation
    size = len(gold_words) + len(system_words)
    return {"uas": ratio(2 * attached, size), "las": ratio(2 * labelled, size),
            "words": ratio(2 * len(pairs), size)}  # fmt: skip


def _aligned(gold: list[Word], system: list[Word]) -> list[tuple[int, int]]:
    """Pairs of words that cover the same characters; within multi-word tokens, by their forms."""
    pairs: list[tuple[int, int]] = []
    one = two = 0
    while one < len(gold) and two < len(system):
        if not gold[one].joined and not system[two].joined:
            a, b = gold[one], system[two]
            if (a.begin, a.end) == (b.begin, b.end):
                pairs.append((one, two))
                one, two = one + 1, two + 1
            elif a.begin <= b.begin:
                one += 1
            else:
                two += 1
            continue
        first, second = one, two
        one, two = _stretch(gold, system, one, two)
        pairs += _common(gold[first:one], system[second:two], first, second)
    return pairs


def _stretch(gold: list[Word], system: list[Word], one: int, two: int) -> tuple[int, int]:
    """The words behind those of multi-word tokens that overlap."""
    end = gold[one].end if gold[one].joined else system[two].end
    while True:
        if one < len(gold) and gold[one].begin < end:
            end = max(end, gold[one].end) if gold[one].joined else end
            one += 1
        elif two < len(system) and system[two].begin < end:
            end = max(end, system[two].end) if system[two].joined else end
            two += 1
        else:
            return one, two


def _common(gold: list[Word], system: list[Word], one: int, two: int) -> list[tuple[int, int]]:
    """The longest common subsequence of forms, letter case aside."""
    longest = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    same = [[a.form.lower() == b.form.lower() for b in system] for a in gold]
    for at in reversed(range(len(gold))):
        for to in reversed(range(len(system))):
            longest[at][to] = (1 + longest[at + 1][to + 1] if same[at][to]
                               else max(longest[at + 1][to], longest[at][to + 1]))  # fmt: skip
    pairs, at, to = [], 0, 0
    while at < len(gold) and to < len(system):
        if same[at][to]:
            pairs.append((one + at, two + to))
            at, to = at + 1, to + 1
        elif longest[at][to] == longest[at + 1][to]:
            at += 1
        else:
            to += 1
    return pairs
