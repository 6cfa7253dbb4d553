"""The gold that files with gold and answer side by side carry must be the same in all of them."""

from __future__ import annotations

from finegrain.alignment.item_tables import require_same_gold
from finegrain.alignment.same_text import require_same_text
from finegrain.corpus import Corpus
from finegrain.errors import InputError


def require_same_side(first: Corpus, corpus: Corpus) -> None:
    """Raise unless two files with gold and answer side by side have the same words and gold."""
    if not first.layers:
        require_same_gold(first, corpus)
        return
    require_same_text(first, corpus)
    mine, theirs = first.layers["gold"], corpus.layers["gold"]
    if mine.names != theirs.names or (mine.codes != theirs.codes).any():
        pairs = enumerate(zip(mine, theirs, strict=True))
        token = next(at for at, (one, two) in pairs if one != two)
        raise InputError.at(
            corpus.source, corpus.line(token),
            f"gold {theirs[token]!r} where {first.source} has {mine[token]!r} "
            f"(line {first.line(token)})",
            "All files must carry the same gold annotation.",
        )  # fmt: skip
