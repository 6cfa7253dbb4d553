"""The texts of the gold corpus, for outputs that have spans and no text.

A record with an id has the text of the gold document of that id. Records without ids, such as the
outputs of a pipeline, are in the order of the gold documents, or of its sentences.

>>> from finegrain.formats.jsonl import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "d1", "text": "I met Ada.", "spans": []}'))
>>> GoldTexts(gold).next("d1")
'I met Ada.'
"""

from __future__ import annotations

from collections.abc import Iterator

from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats.running_text import original_texts


class NoText(ValueError):
    """Why there is no text, and how to fix it."""


class GoldTexts:
    """Texts by id or, for records without an id, in order."""

    def __init__(self, gold: Corpus) -> None:
        self.gold = gold
        self.by_order = 0  # texts that were taken in order
        self.by_id = 0
        self._named: dict[str, str] | None = None
        self._listed: list[str] | None = None

    def next(self, name: object) -> str:
        """The text of a document by its id, or the next one."""
        if name is None:
            if self.by_id:
                raise NoText("this record has no id, but others have one", "Name all or none.")
            listed = self._texts()
            self.by_order += 1
            if self.by_order <= len(listed):
                return listed[self.by_order - 1]
            raise NoText(f"more records than the {len(listed):,} texts of {self.gold.source}",
                         "Write one record for each text, in the same order.")  # fmt: skip
        if self._named is None:
            self._named = {own: text for own, text in original_texts(self.gold) if own is not None}
        self.by_id += 1
        if str(name) not in self._named:
            what = f"no text of {self.gold.source} has the id {str(name)[:60]!r}"
            raise NoText(what, 'Write "text": "...", or the ids of the gold file.')
        return self._named[str(name)]

    def _texts(self) -> list[str]:
        if self._listed is None:
            self._listed = [text for _, text in original_texts(self.gold)]
        return self._listed

    def require_all(self, source: str) -> None:
        """Refuse records in order that are fewer than the texts."""
        if self.by_order and self.by_order < len(self._texts()):
            what = f"{self.by_order:,} records for {len(self._texts()):,} texts"
            mend = f"Write one for each text of {self.gold.source}, [] where nothing is found."
            raise InputError.at(source, 0, what, mend)

    def notes(self) -> Iterator[str]:
        """How texts were found."""
        if self.by_order:
            yield f"texts are those of {self.gold.source}, in order"
