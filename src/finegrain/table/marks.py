"""What the gold standard has and what a system has, as labelled stretches of a sentence.

Words have their heads with them, mentions their antecedents.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple


class Head(NamedTuple):
    """The word that another depends on: its number in the sentence (0: the root), and its text.

    It has no number where it is not a word of the gold text. ``sentence``: the number of its
    sentence, from 1, where that is another one than the sentence of the word.
    """

    token: int | None
    text: str
    sentence: int | None = None

    @property
    def told(self) -> str:
        """Text and number, and the sentence if it is another one.

        >>> Head(2, "saw").told, Head(2, "saw", sentence=7).told
        ('saw-2', 'saw-2, sentence 7')
        """
        told = self.text if self.token is None else f"{self.text}-{self.token}"
        return told if self.sentence is None else f"{told}, sentence {self.sentence}"

    def to_json(self) -> dict[str, Any]:
        more = {} if self.sentence is None else {"sentence": self.sentence}
        return {"token": self.token, "text": self.text, **more}


class Antecedent(NamedTuple):
    """The mention that another goes back to: where it stands, from 1, and its words."""

    sentence: int
    tokens: tuple[int, ...]
    text: str


class Mark(NamedTuple):
    """A labelled stretch of a sentence; ``tokens`` count from 0.

    One without words stands before the token ``before``.
    """

    label: str
    tokens: tuple[int, ...]

    head: Head | None = None
    antecedent: Antecedent | None = None
    before: int = -1

    @property
    def told(self) -> str:
        """Its label and the word it depends on, ``obj(saw-2)``, or the mention it goes back to.

        >>> Mark("pronoun", (0,), antecedent=Antecedent(1, (4, 5), "the queen")).told
        'pronoun → the queen'
        """
        if self.antecedent is not None:
            return f"{self.label} → {self.antecedent.text}"
        return self.label if self.head is None else f"{self.label}({self.head.told})"

    def to_json(self) -> dict[str, Any]:
        more: dict[str, Any] = {} if self.head is None else {"head": self.head.to_json()}
        if self.antecedent is not None:
            more["antecedent"] = self.antecedent._asdict()
        return {"label": self.label, "tokens": [token + 1 for token in self.tokens], **more}


class Excerpt(NamedTuple):
    """A part of a long text of an item, such as the context of a question, and what is marked."""

    name: str
    before: str
    marked: str
    after: str


class Piece(NamedTuple):
    """A stretch of a text beside another one: shared, or what it has more, or lacks."""

    kind: Literal["same", "inserted", "deleted"]
    text: str

    @property
    def told(self) -> str:
        """As wdiff marks it.

        >>> Piece("same", "the").told, Piece("inserted", "cat").told, Piece("deleted", "dog").told
        ('the', '{+cat+}', '[-dog-]')
        """
        opens, closes = {"inserted": ("{+", "+}"), "deleted": ("[-", "-]")}.get(self.kind, ("", ""))
        return f"{opens}{self.text}{closes}"


class Lists(NamedTuple):
    """What systems list for a unit, side by side: columns with their names, cells in rows."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "columns": list(self.columns),
            "rows": [[one or None for one in row] for row in self.rows],
        }


class Pair(NamedTuple):
    """What the gold standard has and what a system has; either may have nothing."""

    gold: Mark | None
    answer: Mark | None
