"""Texts of items are edited, and what points into them goes along.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("m", b'{"id": "a", "text": "so  it is", "label": "pos"}'))
>>> found = with_texts(corpus, "text", [[Edit.word(1, "IT")]])
>>> found.corpus.fields["text"][0], found.changes[0].new
('so  IT is', ('IT',))

White space between words stays as it is, but where words are joined. References that stand in a
context (answers to questions) are not touched, and ``answer_start`` moves with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from finegrain.alignment.classification import ANSWER, GOLD, chances
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import Column, Rows, cell
from finegrain.corpus.items import LINE, TEXT, of_fields, text_field
from finegrain.errors import UsageError
from finegrain.perturbations.perturbation import Edit
from finegrain.perturbations.rewriting import Change, Rewritten

TEXTS = (*TEXT, "hypothesis", "sentence2", "text2", "title")
"""Columns that hold texts, which are changed if nobody names others."""
CONTEXT = "context"
REFERENCES = "answers"
OPTIONS = ("options", "choices", "endings")
_WORD = re.compile(r"\S+")
_COLUMNS = OPTIONS[0]  # what changes of options in columns of their own are called
_LETTERS = tuple("ABCDEFGHIJ")


def text_columns(corpus: Corpus, fields: Sequence[str] = ()) -> list[str]:
    """The columns whose texts are changed: the given ones, or those that are known to be texts."""
    for name in fields:
        if name not in corpus.fields:
            have = [one for one in corpus.fields if not one.startswith("@")]
            raise UsageError.unknown("column", name, have)
    known = [name for name in TEXTS if name in corpus.fields]
    own = text_field(corpus.fields)
    found = list(fields) or known + [name for name in (own,) if name and name not in known]
    if not found:
        names = ", ".join(one for one in corpus.fields if not one.startswith("@"))
        raise UsageError(
            f"{corpus.source}: no column is known to hold texts: name it with --field "
            f"(columns: {names})"
        )
    return found


def texts_of(corpus: Corpus, name: str) -> list[str]:
    """A column of texts; what is missing is empty."""
    return [str(cell(corpus.fields[name], row) or "") for row in range(corpus.n_sentences)]


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text))


class _Stretch(NamedTuple):
    """Characters of a text, and what is put there."""

    begin: int
    end: int
    new: str


def _stretch(text: str, places: list[tuple[int, int]], edit: Edit) -> _Stretch:
    """An edit of words as one of characters; blanks are added and go with words."""
    if edit.begin == edit.end:  # words are added
        at = places[edit.begin - 1][1] if edit.begin else 0
        return _Stretch(
            at, at, " " + " ".join(edit.new) if edit.begin else " ".join(edit.new) + " "
        )
    begin, end = places[edit.begin][0], places[edit.end - 1][1]
    if not edit.new:
        return _Stretch(places[edit.begin - 1][1] if edit.begin else begin, len(text), "")
    if len(edit.new) == edit.end - edit.begin:  # blanks between them stay
        gaps = [
            text[one[1] : two[0]]
            for one, two in zip(
                places[edit.begin :], places[edit.begin + 1 : edit.end], strict=False
            )
        ]
        pairs = zip(edit.new, [*gaps, ""], strict=True)
        return _Stretch(begin, end, "".join(word + gap for word, gap in pairs))
    return _Stretch(begin, end, " ".join(edit.new))


def with_texts(corpus: Corpus, name: str, edits: Sequence[Sequence[Edit]]) -> Rewritten:
    """The corpus after the edits of one column."""
    texts, refused = texts_of(corpus, name), 0
    changes: list[Change] = []
    kept = _protected(corpus, texts) if name == CONTEXT else {}
    moves: list[list[_Stretch]] = []
    made = []
    for row, (text, own) in enumerate(zip(texts, edits, strict=True)):
        places = [one.span() for one in _WORD.finditer(text)]
        stretches = []
        for edit in own:
            one = _stretch(text, places, edit)
            if text[one.begin : one.end] == one.new:
                continue
            if any(one.begin < end and begin < one.end for begin, end in kept.get(text, ())):
                refused += 1
                continue
            stretches.append(one)
            old = tuple(text[slice(*place)] for place in places[edit.begin : edit.end])
            changes.append(Change(row, edit.begin, old, edit.new, name))
        made.append(_applied(text, stretches))
        moves.append(stretches)
    column = corpus.fields[name]
    missing = [cell(column, row) is None for row in range(corpus.n_sentences)]
    fields = {**corpus.fields, name: _like(column, made, missing)}
    parts = dict(corpus.parts)
    if name == CONTEXT and REFERENCES in parts:
        parts[REFERENCES] = _with_starts(parts[REFERENCES], moves)
    return Rewritten(_rebuilt(corpus, fields, parts), tuple(changes), refused)


def rewritten_text(text: str, edits: Sequence[Edit]) -> str:
    """A text after edits of its words.

    >>> rewritten_text("so  it is", [Edit.word(1, "IT")])
    'so  IT is'
    """
    places = [one.span() for one in _WORD.finditer(text)]
    return _applied(text, [_stretch(text, places, edit) for edit in edits])


def _applied(text: str, stretches: Sequence[_Stretch]) -> str:
    found, at = [], 0
    for begin, end, new in stretches:
        found += [text[at:begin], new]
        at = end
    return "".join(found) + text[at:]


def _like(column: Column, texts: list[str], missing: list[bool]) -> Column:
    if isinstance(column, np.ndarray):
        found = np.empty(len(texts), object)
        found[:] = [None if none else text for text, none in zip(texts, missing, strict=True)]
        return found
    return Texts.of(texts)


def _rebuilt(corpus: Corpus, fields: dict[str, Column], parts: dict[str, Rows]) -> Corpus:
    made = of_fields(corpus.source, fields, parts=parts, notes=corpus.notes, format=corpus.format)
    return replace(made, documents=corpus.documents, document_ids=corpus.document_ids)


def _protected(corpus: Corpus, texts: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Context -> where references of any of its questions stand in it."""
    found: dict[str, list[tuple[int, int]]] = {}
    for row, text, start in _references(corpus):
        context = texts[row]
        begins = (
            [start]
            if start >= 0
            else [one.start() for one in re.finditer(re.escape(text), context)]
        )
        found.setdefault(context, []).extend((at, at + len(text)) for at in begins if text)
    return found


def _references(corpus: Corpus) -> Iterator[tuple[int, str, int]]:
    """Item, text and place of each reference; -1 where nobody says."""
    rows = corpus.parts.get(REFERENCES)
    if rows is None:
        return
    text = rows.fields.get("text", rows.fields.get("value"))
    starts = rows.fields.get("answer_start")
    for at, parent in enumerate(rows.parent.tolist()):
        start = None if starts is None else cell(starts, at)
        told = None if text is None else cell(text, at)
        yield parent, str(told or ""), -1 if start is None else int(start)


def _with_starts(rows: Rows, moves: Sequence[Sequence[_Stretch]]) -> Rows:
    if "answer_start" not in rows.fields:
        return rows
    starts = np.asarray(rows.fields["answer_start"], np.float64).copy()
    for at, parent in enumerate(rows.parent.tolist()):
        before = [one for one in moves[parent] if one.end <= starts[at]]
        starts[at] += sum(len(one.new) - (one.end - one.begin) for one in before)
    return replace(rows, fields={**rows.fields, "answer_start": starts})


def with_options(corpus: Corpus, order: Callable[[int, int], Sequence[int]]) -> Rewritten:
    """The items with their options in another order; ``order``: item and number of options."""
    listed = next((name for name in OPTIONS if name in corpus.parts), None)
    columns = [letter for letter in _LETTERS if letter in corpus.fields]
    if listed is None and len(columns) < 2:
        raise UsageError(
            f"{corpus.source}: there are no options of multiple choice: a list "
            f"{' or '.join(OPTIONS)}, or columns A, B, ..."
        )
    options = _options(corpus, listed, columns)
    label = next((name for name in GOLD if name in corpus.fields), None)
    gold = [
        None if label is None else cell(corpus.fields[label], row) for row in range(len(options))
    ]
    base = _counted_from(corpus, gold, options)
    changes, answers = [], list(gold)
    for row, own in enumerate(options):
        way = list(order(row, len(own)))
        moved = [own[at] for at in way]
        if moved != own:
            answers[row] = _moved_answer(gold[row], own, way, base)
            changes.append(Change(row, 0, tuple(own), tuple(moved), listed or _COLUMNS))
            options[row] = moved
    fields, parts = dict(corpus.fields), dict(corpus.parts)
    if listed is not None:
        flat = np.empty(len(parts[listed].parent), object)
        flat[:] = [one for own in options for one in own]
        (name,) = parts[listed].fields
        parts[listed] = replace(parts[listed], fields={name: flat})
    for at, name in enumerate(columns if listed is None else ()):
        fields[name] = Texts.of(own[at] if at < len(own) else "" for own in options)
    if label is not None:
        fields[label] = _answers_like(corpus.fields[label], answers)
    return Rewritten(_rebuilt(corpus, fields, parts), tuple(changes), 0)


def answers_restored(output: Corpus, original: Corpus, changes: Sequence[Change]) -> Corpus:
    """Answers to questions whose options were moved, as answers to the original questions.

    Probabilities of options go where their options were. Where an output has none for the place of
    some option, all of them are left out, which a note says.
    """
    label = next((name for name in ANSWER if name in output.fields), None)
    probabilities = chances(output)
    if label is None and not probabilities:
        raise UsageError(f"{output.source}: there is no column with the answer to each question")
    gold_label = next((name for name in GOLD if name in original.fields), None)
    gold = [
        None if gold_label is None else cell(original.fields[gold_label], row)
        for row in range(original.n_sentences)
    ]
    options: list[Sequence[str]] = [()] * len(gold)
    for change in changes:
        options[change.sentence] = change.old
    base = _counted_from(original, gold, options)
    rows = _rows_by_id(output, original)
    fields = dict(output.fields)
    moved = [
        (row, change.new, _way(change.new, change.old))
        for change in changes
        if change.field in OPTIONS
        if (row := rows.get(change.sentence)) is not None
    ]
    if label is not None:
        answers = [cell(output.fields[label], row) for row in range(output.n_sentences)]
        for row, new, way in moved:
            if answers[row] is not None:
                answers[row] = _moved_answer(answers[row], new, way, base)
        fields[label] = _answers_like(output.fields[label], answers)
    back, lost = _probabilities_back(probabilities, moved, base)
    if lost:
        fields = {name: column for name, column in fields.items() if name not in back}
        what = f"probabilities of {lost:,} {'question' if lost == 1 else 'questions'}"
        where = "have no column for the place of some option: probabilities are left out"
        output = replace(output, notes=(*output.notes, f"{what} {where}"))
    else:
        fields |= back
    return _rebuilt(output, fields, {})


def _probabilities_back(
    given: Mapping[str, tuple[str, NDArray[np.float64]]],
    moved: Sequence[tuple[int, Sequence[str], Sequence[int]]],
    base: int,
) -> tuple[dict[str, Column], int]:
    """Columns with the probabilities of the original options; how many questions lack some.

    >>> given = {"A": ("p(A)", np.array([0.7])), "B": ("p(B)", np.array([0.3]))}
    >>> _probabilities_back(given, [(0, ["no", "yes"], [1, 0])], 0)[0]["p(A)"].tolist()
    [0.3]
    """
    back = {name: values.copy() for name, values in given.values()}
    lost = 0
    for row, new, way in moved:
        known = {label: values[row] for label, (_, values) in given.items() if values[row] > 0}
        to = {label: str(_place_of(label, new, way, base)) for label in known}
        if not all(one in given for one in to.values()):
            lost += 1
            continue
        empty = 0.0 if known else np.nan
        for values in back.values():
            values[row] = empty
        for label, value in known.items():
            back[given[to[label]][0]][row] = value
    return {**back}, lost


def _place_of(label: str, new: Sequence[str], way: Sequence[int], base: int) -> Any:
    """What a label is called among the original options; one that is no option stays."""
    try:
        return _moved_answer(label, new, way, base)
    except UsageError:
        return label


def _rows_by_id(output: Corpus, original: Corpus) -> dict[int, int]:
    """Row of the original -> that of an output; by order where there are no ids."""
    if "id" not in output.fields or "id" not in original.fields:
        return {row: row for row in range(output.n_sentences)}
    known = {str(cell(output.fields["id"], row)): row for row in range(output.n_sentences)}
    ids = (str(cell(original.fields["id"], row)) for row in range(original.n_sentences))
    return {row: known[name] for row, name in enumerate(ids) if name in known}


def _way(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Where each of the new options was; of equal ones, in their order."""
    left = list(range(len(old)))
    found = []
    for text in new:
        place = next(at for at in left if old[at] == text)
        left.remove(place)
        found.append(place)
    return found


def _options(corpus: Corpus, listed: str | None, columns: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(corpus.n_sentences)]
    if listed is None:
        for row, own in enumerate(found):
            own += [str(one) for name in columns if (one := cell(corpus.fields[name], row))]
        return found
    rows = corpus.parts[listed]
    if len(rows.fields) != 1:
        raise UsageError(f"{corpus.source}: options in {listed} are plain texts, not objects")
    (column,) = rows.fields.values()
    for at, parent in enumerate(rows.parent.tolist()):
        found[parent].append(str(cell(column, at)))
    return found


def _counted_from(corpus: Corpus, gold: Sequence[Any], options: Sequence[Sequence[str]]) -> int:
    """From which number gold answers count, where they are numbers."""
    numbers = [(int(float(one)), len(own)) for one, own in zip(gold, options, strict=True)
               if str(one).replace(".0", "").isdecimal() and str(one) not in own]  # fmt: skip
    if any(one == 0 for one, _ in numbers) or not numbers:
        return 0
    if any(one == size for one, size in numbers):
        return 1
    raise UsageError(
        f"{corpus.source}: gold answers are numbers of options, but whether they count from 0 or 1 "
        "is not certain: no answer is the first, or the last; write letters"
    )


def _moved_answer(gold: Any, own: Sequence[str], way: Sequence[int], base: int) -> Any:
    """What the gold answer is called when options stand in this order."""
    if gold is None or str(gold) in own:
        return gold
    told = str(gold).replace(".0", "")
    if told.isdecimal() and 0 <= int(told) - base < len(own):
        return way.index(int(told) - base) + base
    place = _LETTERS.index(told.upper()) if told.upper() in _LETTERS else -1
    if not 0 <= place < len(own):
        raise UsageError(f"the gold answer {told!r} is none of {len(own)} options")
    letter = _LETTERS[way.index(place)]
    return letter if told.isupper() else letter.lower()


def _answers_like(column: Column, answers: list[Any]) -> Column:
    if isinstance(column, np.ndarray) and column.dtype.kind != "O":
        return np.array([np.nan if one is None else float(one) for one in answers])
    if isinstance(column, np.ndarray):
        found = np.empty(len(answers), object)
        found[:] = answers
        return found
    return Texts.of("" if one is None else str(one) for one in answers)


def is_items(corpus: Corpus) -> bool:
    """Whether it holds items, which have columns."""
    return any(name != LINE for name in corpus.fields)
