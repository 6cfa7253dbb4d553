"""Units in their sentence, with gold and answers drawn below the words they cover.

    in New York City
gold       ━━━━━━━━━━━━━ LOC
short      ━━━━━━━━ LOC  BES

Colour tells gold, right and wrong apart on a terminal; piped, the same lines come as plain text.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import IO, TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from finegrain.table import Task
from finegrain.table.outcome_table import ZERO
from finegrain.views.escape import harmless, visible

if TYPE_CHECKING:  # most results are printed without units
    from finegrain.analyses.units.instances import Instance
    from finegrain.analyses.units.show import Answer, Shown, Unit
    from finegrain.table.marks import Lists, Mark, Piece

ACCENT = "cyan"
_WIDEST = 48  # cells of a list; longer ones have a line of their own
_RIGHT, _WRONG = "green", "red"
_PIECES = {"same": "bold", "inserted": "green", "deleted": "red strike"}


class Line(NamedTuple):
    """What stands under the words: whose it is, what it marks, and what to say about it."""

    name: str
    mark: Mark | None
    style: str
    remark: str = ""
    unmarked: str = "nothing"


def print_shown(shown: Shown, console: Console) -> None:
    """All units that are shown, then notes and the signature."""
    _say(console, Text(visible(_headline(shown)), style="bold"))
    _say(console, Text())
    for unit in shown.units():
        print_unit(console, unit, shown.task)
    for note in shown.notes:
        _say(console, Text(f"note: {visible(note)}", style="dim"))
    _say(console, Text(visible(shown.signature), style="dim"))


class _Console(Console):
    """Whatever is printed, a terminal acts on nothing but the styles that were chosen here."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The same, with what is hidden in texts written out."""
        for segment in super().render(renderable, options):
            text = harmless(segment.text)
            kept = segment.control or text == segment.text
            yield segment if kept else Segment(text, segment.style)

    def on_broken_pipe(self) -> None:
        """It is left to the caller what to do when nobody reads any more."""
        raise BrokenPipeError


def console_on(file: IO[str], *, terminal: bool | None = None) -> Console:
    """A console that prints corpus text as it is; ``terminal``: whether colour is understood."""
    return _Console(
        file=file, highlight=False, emoji=False, markup=False, soft_wrap=True,
        force_terminal=terminal,
    )  # fmt: skip


def _say(console: Console, line: Text) -> None:
    """Print a line; where there is no style to show, without the cost of styling."""
    if console.is_terminal:
        console.print(line)
    else:
        console.file.write(harmless(line.plain) + "\n")


def shown_as_text(shown: Shown) -> str:
    """The same as plain text."""
    out = io.StringIO()
    print_shown(shown, console_on(out, terminal=False))
    return out.getvalue()


def _headline(shown: Shown) -> str:
    units = f"{shown.found:,} {'unit' if shown.found == 1 else 'units'}"
    where = f" where {shown.where}" if shown.where else ""
    rows = len(shown.rows)
    return f"{units}{where}" + (f"; the first {rows:,}" if rows < shown.found else "")


def print_unit(console: Console, unit: Unit, task: Task) -> None:
    """A unit with gold and all answers below it."""
    if not task.words.context:
        print_item(console, unit, task)
        return
    head = Text()
    head.append(visible(unit.text) or visible(unit.mark.label), f"bold {ACCENT}")
    head.append(f"  {_place(unit, task.words.place)}", "dim")
    _say(console, head)
    golds = dict.fromkeys(answer.pair.gold for answer in unit.answers if answer.pair.gold)
    if unit.is_gold:
        golds = {unit.mark: None}
    lines = [Line("gold", gold, ACCENT) for gold in golds] or [Line("gold", None, ACCENT)]
    lines += map(_answer_line, unit.answers)
    _print_lines(console, unit.words, lines)


def print_item(console: Console, unit: Unit, task: Task) -> None:
    """An item: its text, what it is about, gold, and the answer and outcome of every system."""
    head = Text()
    head.append(visible(unit.text) or visible(unit.mark.label), f"bold {ACCENT}")
    head.append(f"  {_place(unit, task.words.unit)}", "dim")
    _say(console, head)
    if unit.lists is not None:
        _print_lists(console, unit.lists, unit.answers)
        return
    answers = unit.answers
    names = ["gold", *(answer.system for answer in answers)]
    names += [unit.excerpt.name] if unit.excerpt else []
    margin = max(cell_len(visible(name)) for name in names) + 2
    if unit.excerpt:
        line = _named(unit.excerpt.name, margin).append(visible(unit.excerpt.before))
        marked = visible(unit.excerpt.marked)
        line.append(f"[{marked}]" if marked else "", ACCENT)
        _say(console, line.append(visible(unit.excerpt.after)))
    if unit.mark.told:
        _say(console, _named("gold", margin).append(visible(unit.mark.told), "bold"))
    for answer in answers:
        line = _named(answer.system, margin)
        if answer.pieces:
            _append_pieces(line, answer.pieces)
        elif answer.pair.answer is not None:
            line.append(f"{visible(answer.pair.answer.told)}  ", "bold")
        line.append(answer.outcome, _RIGHT if answer.correct else _WRONG)
        _say(console, line.append(f"  {task.value} {answer.written}" if answer.written else ""))
    if unit.between and any(one.kind != "same" for one in unit.between):
        line = _named("", margin).append(
            f"{visible(answers[1].system)} beside {visible(answers[0].system)}: ", "dim"
        )
        _append_pieces(line, unit.between)
        _say(console, line)
    _say(console, Text())


def _append_pieces(line: Text, pieces: Sequence[Piece]) -> None:
    """A text beside another one: what it has more, and what it lacks, in brackets and colours."""
    for one in pieces:
        line.append(visible(one.told), _PIECES[one.kind]).append(" ")
    line.append(" ")


def _named(name: str, margin: int) -> Text:
    told = visible(name)
    return Text().append(told + " " * (margin - cell_len(told)), "dim")


def _print_lists(console: Console, lists: Lists, answers: Sequence[Answer]) -> None:
    """What systems list, in columns below their names and outcomes."""
    first, *names = lists.columns
    told = {answer.system: answer.outcome for answer in answers}
    head = (first, *(f"{name}  {told.get(name, '')}".rstrip() for name in names))
    short = [row for row in (head, *lists.rows) if max(map(cell_len, row)) <= _WIDEST]
    widths = [max(cell_len(visible(row[at])) for row in short) for at in range(len(head))]
    for row in (head, *lists.rows):
        cells = [visible(one) for one in row]
        if row in short:
            padded = (
                one + " " * (width - cell_len(one))
                for one, width in zip(cells, widths, strict=True)
            )
            _say(console, Text("  ".join(padded).rstrip(), style="bold" if row is head else ""))
            continue
        for name, one in zip(names, cells[1:], strict=True):
            if one:
                _say(console, Text(f"{cells[0]} by {visible(name)}: {one}"))
    _say(console, Text())


def _place(unit: Unit, context: str = "sentence") -> str:
    parts = [f"{context} {unit.sentence + 1}"]
    if unit.document is not None:
        parts.insert(0, f"document {visible(str(unit.document))}")
    if unit.line:
        parts.append(f"line {unit.line}")
    return ", ".join(parts)


def _answer_line(answer: Answer) -> Line:
    style = _RIGHT if answer.correct else _WRONG
    if answer.value is not None:
        return Line(answer.system, None, style, answer.outcome, answer.told)
    return Line(answer.system, answer.pair.answer, style, answer.outcome)


def print_instance(console: Console, example: Instance, task: Task) -> None:
    """One system's outcome on one unit."""
    place = f"{task.words.place} {example.sentence + 1}" + (
        f", line {example.line}" if example.line else ""
    )
    head = Text()
    head.append(f"{example.outcome:<4}", f"bold {ACCENT}")
    head.append(f" {task.outcomes[example.outcome].meaning}  ", "")
    head.append(f"{visible(example.system)}, {place}", "dim")
    _say(console, head)
    if not task.words.context:
        _print_answers(console, example)
        return
    lines = [Line("gold", example.gold, ACCENT), Line(example.system, example.answer, ACCENT)]
    _print_lines(console, example.words, lines)


def _print_answers(console: Console, example: Instance) -> None:
    """An item with gold and answer below it."""
    margin = max(4, cell_len(visible(example.system))) + 2
    if example.words:
        _say(console, Text(" " * margin + visible(" ".join(example.words))))
    for name, one in (("gold", example.gold), (example.system, example.answer)):
        if one is not None and one.told:
            _say(console, _named(name, margin).append(visible(one.told), "bold"))
    _say(console, Text())


def _print_lines(console: Console, given: Sequence[str], lines: Sequence[Line]) -> None:
    """The words around what is marked, and the lines below them."""
    marks = [line.mark for line in lines if line.mark]
    covered = [token for mark in marks for token in mark.tokens or (mark.before,)]
    words = [visible(word) for word in given] or _numbers(max(covered))
    begin, end = _window(covered, len(words))
    margin = max(cell_len(visible(line.name)) for line in lines) + 2
    lead = "... " if begin else ""
    tail = " ..." if end < len(words) else ""
    _say(console, Text(" " * margin + lead + " ".join(words[begin:end]) + tail))
    starts = _columns(words[begin:end], margin + cell_len(lead))
    for line in lines:
        _say(console, _drawn(line, words, begin, starts, margin))
    _say(console, Text())


def _numbers(last: int) -> list[str]:
    """Token numbers in place of words, for corpora without text."""
    return [str(token + 1) for token in range(last + 2)]


def _window(covered: Sequence[int], size: int, around: int = 8) -> tuple[int, int]:
    return max(0, min(covered) - around), min(size, max(covered) + around + 1)


def _columns(words: Sequence[str], at: int) -> list[int]:
    starts = []
    for word in words:
        starts.append(at)
        at += cell_len(word) + 1
    return starts


def _drawn(
    line: Line, words: Sequence[str], begin: int, starts: Sequence[int], margin: int
) -> Text:
    name = visible(line.name)
    drawn = Text().append(name + " " * (margin - cell_len(name)), "dim")
    remark = f"  {line.remark}" if line.remark else ""
    if line.mark is None:
        return drawn.append(line.unmarked, "dim").append(remark, line.style)
    if not line.mark.tokens:
        behind = starts[-1] + cell_len(words[begin + len(starts) - 1]) + 1
        at = [*starts, behind][line.mark.before - begin] - 1  # between two words
        drawn.append(" " * max(0, at - cell_len(drawn.plain))).append(ZERO, line.style)
    for run in _runs(line.mark.tokens):
        left = starts[run[0] - begin]
        right = starts[run[-1] - begin] + cell_len(words[run[-1]])
        drawn.append(" " * max(0, left - cell_len(drawn.plain)))
        drawn.append("━" * max(1, right - left), line.style)
    return drawn.append(f" {visible(line.mark.told)}", "bold").append(remark, line.style)


def _runs(tokens: Sequence[int]) -> list[list[int]]:
    """Tokens in a row, as one list each."""
    runs: list[list[int]] = []
    for token in tokens:
        if runs and token == runs[-1][-1] + 1:
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs
