"""`lines`: plain text, one segment a line: translations, summaries, transcripts.

    The quick brown fox.
    It jumps.

Every line is a segment as it stands, also an empty one; blanks at its ends are left out, as
sacrebleu does. Lines end at a newline alone: other characters that break lines in print stand
inside of a segment.

>>> from finegrain.formats.source import source_of
>>> corpus = read(source_of("memory", b"The quick brown fox.\\n\\nIt jumps.\\n"))
>>> list(corpus.fields["text"])
['The quick brown fox.', '', 'It jumps.']

Any text could be read so: a file has this format where a task takes it and no other fits, or where
it is named.
"""

from __future__ import annotations

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.columns import cell
from finegrain.corpus.items import of_fields
from finegrain.errors import UsageError
from finegrain.formats.source import Source

TEXT = "text"


def looks_like(source: Source) -> bool:
    """True for any text."""
    return not source.folder


def read(source: Source, *, limit: int = 20) -> Corpus:  # noqa: ARG001 - nothing can be wrong
    """Read segments."""
    lines = [line.strip() for line in source.lines()]
    return of_fields(
        source.name, {TEXT: Texts.of(lines)}, lines=np.arange(1, len(lines) + 1), format="lines"
    )


def write(corpus: Corpus) -> str:
    """The text of every item in a line; one with a line end inside is refused."""
    column = corpus.fields.get(TEXT)
    if column is None:
        raise UsageError("lines are the texts of items: there is no column 'text'")
    cells = [cell(column, row) for row in range(len(column))]
    texts = ["" if one is None else str(one) for one in cells]
    for place, text in enumerate(texts, 1):
        if "\n" in text or "\r" in text:
            raise UsageError(f"lines: the text of item {place} has a line end inside")
    return "".join(f"{text}\n" for text in texts)
