"""Which answer belongs to which text: by id, by number, or by order; run by run.

>>> texts = [SourceText("d1", "I met Ada."), SourceText("d2", "Oh!")]
>>> matched(texts, [Answer("[]", "d2"), Answer("[1]", "d1")], "a.jsonl").runs[""][0].text
'[1]'
>>> matched(texts, [Answer("[]", "d2")], "a.jsonl")
Traceback (most recent call last):
finegrain.errors.InputError: a.jsonl: no answer for 'd1'. Give all answers, or say --missing count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from finegrain.corpus.notes import Information
from finegrain.errors import Collector, InputError
from finegrain.grounding.records import Answer
from finegrain.grounding.source_texts import SourceText
from finegrain.sizes import sized

Missing = Literal["error", "count"]
MISSING = ("error", "count")
NO_ANSWER = "no answer"
_MEND = "Give all answers, or say --missing count."


class Matched(NamedTuple):
    """The answers of every run, one for each text; the name of a single run is empty."""

    runs: Mapping[str, list[Answer]]
    notes: tuple[str, ...] = ()


def matched(
    texts: Sequence[SourceText],
    answers: Sequence[Answer],
    source: str,
    *,
    missing: Missing = "error",
    repeats: bool = False,
) -> Matched:
    """Every answer at its text. ``repeats``: a text answered again starts a further run."""
    problems = Collector(source)
    places, by_order = _places(texts, answers, source, problems)
    runs: dict[str, dict[int, Answer]] = {}
    counts: Counter[int] = Counter()
    for answer, place in zip(answers, places, strict=True):
        if place < 0:
            continue
        counts[place] += 1
        name = answer.run or (str(counts[place]) if repeats else "")
        other = runs.setdefault(name, {}).setdefault(place, answer)
        if other is not answer:
            what = f"a second answer for {_name(texts, place)}"
            problems.add(answer.line, what + (f" (the first is on line {other.line})" if other.line
                         else ""), "Say --repeats yes if these are several answers.")  # fmt: skip
    if not answers:
        raise InputError.at(source, 0, "there are no answers in it", _MEND)
    counted = 0
    full: dict[str, list[Answer]] = {}
    for name, run in runs.items():
        for place in range(len(texts)):
            failed = run[place].failed if place in run else NO_ANSWER
            if failed:
                counted += 1
                if missing == "error":
                    what = f"no answer for {_name(texts, place)}"
                    what += f" in run {name}" if name else ""
                    what += f" ({failed})" if place in run else ""
                    problems.add(run[place].line if place in run else 0, what, _MEND)
        absent = Answer("", failed=NO_ANSWER)
        full[name] = [run.get(place, absent) for place in range(len(texts))]
    problems.raise_any()
    have = "has" if counted == 1 else "have"
    notes = [f"{sized(counted, 'text')} {have} no answer: unparseable"] if counted else []
    if by_order and len(texts) > 1:
        notes.append(Information("answers have no ids: matched with the texts by order"))
    if len(full) == 1:
        full = {"": next(iter(full.values()))}
    return Matched(full, tuple(notes))


def _places(
    texts: Sequence[SourceText], answers: Sequence[Answer], source: str, problems: Collector
) -> tuple[list[int], bool]:
    """The text of every answer, -1 for none; and whether it is only the order that says so."""
    numbers = {one.id: number for number, one in enumerate(texts) if one.id}
    if answers and all(answer.number >= 0 and answer.id not in numbers for answer in answers):
        for answer in answers:
            if answer.number >= len(texts):
                what = (
                    f"the answer is to text {answer.number}, counted from 0; there are {len(texts)}"
                )
                problems.add(answer.line, what, "Give the texts that the model was given.")
        return [one.number if one.number < len(texts) else -1 for one in answers], False
    named = bool(numbers) and any(answer.id for answer in answers)
    if not named:
        return _by_order(texts, answers, source), True
    by_text = {} if all(answer.id in numbers for answer in answers) else _by_text(texts)
    found: list[int] = []
    for answer in answers:
        place = numbers.get(answer.id, by_text.get(answer.about, -1))
        if place < 0:
            what = f"the text {answer.id!r} is not there" if answer.id else "an answer without id"
            problems.add(answer.line, what, "Ids of answers are those of the texts.")
        found.append(place)
    return found, False


def _by_text(texts: Sequence[SourceText]) -> dict[str, int]:
    """The place of every text that there is once, for answers whose id a tool made up."""
    counts = Counter(one.text for one in texts)
    alone = [place for place, one in enumerate(texts) if one.text and counts[one.text] == 1]
    return {texts[place].text: place for place in alone}


def _by_order(texts: Sequence[SourceText], answers: Sequence[Answer], source: str) -> list[int]:
    """The place of every answer in its run."""
    counts: Counter[str] = Counter()
    found: list[int] = []
    for answer in answers:
        found.append(counts[answer.run])
        counts[answer.run] += 1
    for run, number in counts.items():
        if number != len(texts):
            which = f" in run {run}" if run else ""
            what = f"{number} answers{which} for {len(texts)} texts, and no ids that say which"
            raise InputError.at(source, 0, what, 'Write {"id": "d1", "answer": "..."}.')
    return found


def _name(texts: Sequence[SourceText], place: int) -> str:
    return repr(texts[place].id) if texts[place].id else f"text {place + 1}"
