r"""A corpus as CoNLL-U: what its layers hold, and all else as it stood in the file it came from.

>>> from finegrain.formats.conllu import read
>>> from finegrain.formats.source import source_of
>>> lines = "# sent_id = a\n1-2\tdon't" + "\t_" * 8 + "\n1\tdo\tdo\tAUX" + "\t_" * 6 + "\n"
>>> lines += "2\tn't\tnot\tPART" + "\t_" * 6 + "\n2.1\tgo" + "\t_" * 8 + "\n\n"
>>> write(read(source_of("memory", lines.encode()))) == lines
True

Comments, multi-word tokens and empty nodes are lines between the words of a sentence; a corpus that
was not read from CoNLL-U has none but its multi-word tokens. A document begins with a comment.
"""

from __future__ import annotations

from itertools import pairwise

from finegrain.corpus import Corpus, IntArray
from finegrain.corpus.cells import Cells, sentence_lines
from finegrain.errors import UsageError
from finegrain.formats.conllu_lines import CELLS, COLUMNS, NEW_DOCUMENT

_NOTHING = "_"


def write(corpus: Corpus) -> str:
    """The corpus as CoNLL-U; without a layer ``upos`` the layer ``tags`` is written there."""
    if corpus.tokens is None:
        raise UsageError("this corpus has no text, so it cannot be written as conllu")
    rows = list(zip(corpus.tokens.slice(0, corpus.n_tokens), *_columns(corpus), strict=True))
    joined = {} if corpus.further is not None else _multiword(corpus)
    lines: list[str] = []
    for sentence, (begin, end) in enumerate(pairwise(corpus.offsets.tolist())):
        opening = _document_line(corpus, sentence)
        between = _between(corpus.further, begin, end) if corpus.further is not None else {}
        if opening and not any(NEW_DOCUMENT.match(line) for line in between.get(0, ())):
            lines.append(opening)
        for place, word in enumerate(range(begin, end)):
            if place in between:
                lines += between[place]
            if word in joined:
                lines.append(joined[word])
            lines.append(f"{place + 1}\t" + "\t".join(rows[word]))
        lines += between.get(end - begin, ())
        lines.append("")
    return "\n".join(lines) + "\n"


def _columns(corpus: Corpus) -> list[list[str]]:
    """All columns behind FORM: layers, else (from HEAD on) what the file has, else nothing."""
    found = []
    for name in CELLS[1:]:
        layer = "tags" if name == "upos" and "upos" not in corpus.layers else name
        if layer in corpus.layers:
            found.append(list(corpus.layers[layer]))
        elif corpus.further is not None and name not in COLUMNS:
            found.append(list(corpus.further.texts(name).coded()))
        else:
            found.append([_NOTHING] * corpus.n_tokens)
    return found


def _between(cells: Cells, begin: int, end: int) -> dict[int, list[str]]:
    """Lines of a sentence that are not words, by the place of the word they stand before."""
    found: dict[int, list[str]] = {}
    place = 0
    for line in sentence_lines(cells, begin, end):
        if line.partition("\t")[0].isdecimal():
            place += 1
        else:
            found.setdefault(place, []).append(line)
    return found


def _multiword(corpus: Corpus) -> dict[int, str]:
    """Lines of multi-word tokens by the word they stand before."""
    spans = corpus.multiword
    if spans is None:
        return {}
    word = (corpus.offsets[spans.sentence] + spans.begin).tolist()
    rows = zip(word, spans.begin.tolist(), spans.end.tolist(), spans.label.tolist(), strict=True)
    rest = "\t".join([_NOTHING] * (len(CELLS) - 1))
    return {at: f"{begin + 1}-{end}\t{spans.labels[form]}\t{rest}" for at, begin, end, form in rows}


def _document_line(corpus: Corpus, sentence: int) -> str:
    """The comment with which a document begins; "" inside of one."""
    documents: IntArray | None = corpus.documents
    if documents is None or (sentence and documents[sentence] == documents[sentence - 1]):
        return ""
    if corpus.document_ids is None:
        return "# newdoc"
    return f"# newdoc id = {corpus.document_ids[int(documents[sentence])]}"
