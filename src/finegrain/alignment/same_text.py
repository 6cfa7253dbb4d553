"""Gold and system must hold the same text; if not, say where they part.

Nothing is ever cut to the shorter file: a system that lost its last sentences gets an error, not
a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from finegrain.corpus import Corpus, Texts
from finegrain.corpus.names import misnamed, seen
from finegrain.errors import AlignmentError, InputError, Problem, UsageError
from finegrain.sizes import sized

Systems = Mapping[str, Corpus] | Iterable[tuple[str, Corpus]]
_SAME = "Gold and system must have the same tokens in the same sentences."


def named(systems: Systems) -> Iterator[tuple[str, Corpus]]:
    """Pairs of name and corpus, one at a time; names that look the same are an error.

    An iterable is consumed lazily, so that only one system's file is in memory.
    """
    sources: dict[str, str] = {}
    for name, corpus in systems.items() if isinstance(systems, Mapping) else systems:
        if not isinstance(corpus, Corpus):
            raise UsageError(
                f"system {name!r} is not a corpus: read its file with fg.read(path) first"
            )
        _require_name_of_its_own(name, corpus.source, sources)
        sources[name] = corpus.source
        yield name, corpus
        del corpus  # before the next file is read


def _require_name_of_its_own(name: str, source: str, sources: Mapping[str, str]) -> None:
    """Refuse a system that cannot be told from those before it; ``sources``: their files."""
    if not isinstance(name, str):
        raise UsageError(f"names of systems are texts, not {name!r}")
    what = misnamed((*sources, name), "system")
    if what:
        other = [path for known, path in sources.items() if seen(known) == seen(name)]
        if not other:
            raise InputError.at(source, 0, what, "Name it: name=path.")
        mend = "Name them apart: name=path."
        raise InputError.at(source, 0, f"{what} (the other is {other[0]})", mend)


def by_document_id(gold: Corpus, system: Corpus) -> Corpus:
    """The system's documents in the order of the gold's, where both have ids."""
    if gold.document_ids is None or system.document_ids is None:
        return system
    if gold.document_ids == system.document_ids:
        return system
    return system.with_documents(places_of(gold, system.source, system.document_ids, "gold"))


def places_of(gold: Corpus, source: str, own: Sequence[str], whose: str) -> list[int]:
    """``[document]`` of the gold (the text): its place among the ``own`` ids of a file."""
    wanted = dict.fromkeys(gold.document_ids or ())
    place = {name: at for at, name in enumerate(own)}
    missing = [name for name in wanted if name not in place]
    extra = [name for name in place if name not in wanted]
    lacking = [
        f"{sized(len(names), 'document')} {how}, such as {names[0][:40]!r}"
        for names, how in ((missing, f"of the {whose} missing"), (extra, f"not in the {whose}"))
        if names
    ]
    if lacking or len(place) < len(own):
        what = "; ".join(lacking) or "two documents have one id"
        mend = f"Both must have the documents of {gold.source}, once each."
        raise AlignmentError([Problem(source, 0, what, mend)])
    return [place[name] for name in wanted]


def require_same_text(gold: Corpus, system: Corpus) -> None:
    """Raise an ``AlignmentError`` at the first place where two corpora part."""
    if gold.tokens is None or system.tokens is None:
        _require_same_sentences(gold, system)
    else:
        _require_same_words(gold, system, gold.tokens, system.tokens)
    if gold.clusters is not None and system.clusters is not None:
        _require_same_documents(gold, system)


def _require_same_words(gold: Corpus, system: Corpus, ours: Texts, theirs: Texts) -> None:
    token = ours.first_difference(theirs)
    shared = min(gold.n_tokens, system.n_tokens)
    boundary = _first_boundary(gold, system)
    if token is not None and token <= boundary:
        raise _error(system, token, _words_differ(gold, system, token))
    if boundary < shared:
        raise _error(system, boundary, _sentences_differ(gold, system, boundary))
    if gold.n_tokens > system.n_tokens:
        what = (
            f"the file ends after {' and '.join(_size(system))}; "
            f"the gold has {gold.n_sentences:,} and {gold.n_tokens:,}"
        )
        raise _error(system, shared - 1, f"{what} (it continues at {_place(gold, shared)})")
    if gold.n_tokens < system.n_tokens:
        what = (
            f"the file continues with {_quoted(system, shared)} after the gold's last token; "
            f"it has {' in '.join(reversed(_size(system)))}, the gold "
            f"{gold.n_tokens:,} in {gold.n_sentences:,}"
        )
        raise _error(system, shared, what)


def _size(corpus: Corpus) -> tuple[str, str]:
    return sized(corpus.n_sentences, "sentence"), sized(corpus.n_tokens, "token")


def _require_same_sentences(gold: Corpus, system: Corpus) -> None:
    if gold.n_sentences != system.n_sentences:
        what = f"{_size(system)[0]}, but the gold ({gold.source}) has {gold.n_sentences:,}"
        raise AlignmentError([Problem(system.source, 0, what, _SAME)])
    ours, theirs = np.diff(gold.offsets), np.diff(system.offsets)
    if _knows_lengths(gold) and _knows_lengths(system):
        _require_same_lengths(gold, system)
    elif _knows_lengths(gold) and (theirs > ours).any():
        sentence = int(np.argmax(theirs > ours))
        what = f"sentence {sentence + 1} has a span beyond its last token in the gold"
        raise AlignmentError([Problem(system.source, 0, what, _SAME)])
    elif _knows_lengths(system) and (ours > theirs).any():
        sentence = int(np.argmax(ours > theirs))
        what = (
            f"sentence {sentence + 1} has {theirs[sentence]} tokens, but a gold span goes to "
            f"token {ours[sentence]} ({gold.source})"
        )
        raise _error(system, int(system.offsets[sentence + 1]) - 1, what)


def _knows_lengths(corpus: Corpus) -> bool:
    return corpus.lengths_known or corpus.tokens is not None


def _require_same_lengths(gold: Corpus, system: Corpus) -> None:
    """Compare the lengths of sentences where there are no words to compare."""
    different = np.diff(gold.offsets) != np.diff(system.offsets)
    if not different.any():
        return
    sentence = int(np.argmax(different))
    theirs, ours = (sized(int(np.diff(one.offsets)[sentence]), "token") for one in (system, gold))
    what = f"sentence {sentence + 1} has {theirs}, but {ours} in the gold ({gold.source})"
    raise _error(system, int(system.offsets[sentence + 1]) - 1, what)


def _require_same_documents(gold: Corpus, system: Corpus) -> None:
    """Chains belong to a document, so both must begin documents with the same sentences."""
    ours, theirs = (
        np.zeros(one.n_sentences, np.int32) if one.documents is None else one.documents
        for one in (gold, system)
    )
    different = np.diff(ours, prepend=-1) != np.diff(theirs, prepend=-1)
    if not different.any():
        return
    sentence = int(np.argmax(different))
    begins = "begins no document here, but does in the gold"
    if sentence and theirs[sentence] != theirs[sentence - 1]:
        begins = "begins a document here, but not in the gold"
    what = f"sentence {sentence + 1} {begins} ({gold.source})"
    mend = "Chains belong to a document: both must begin documents with the same sentences."
    problem = Problem(system.source, system.line(int(system.offsets[sentence])), what, mend)
    raise AlignmentError([problem])


def _first_boundary(gold: Corpus, system: Corpus) -> int:
    """The first token that begins a sentence in one corpus only."""
    sentences = min(gold.n_sentences, system.n_sentences)
    one, two = gold.offsets[: sentences + 1], system.offsets[: sentences + 1]
    part = np.flatnonzero(one != two)
    if len(part):
        return int(min(one[part[0]], two[part[0]]))
    return int(one[-1]) if gold.n_sentences != system.n_sentences else gold.n_tokens


def _error(system: Corpus, token: int, what: str) -> AlignmentError:
    line = system.line(token) if system.n_tokens else 0
    return AlignmentError([Problem(system.source, line, what, _SAME)])


def _words_differ(gold: Corpus, system: Corpus, token: int) -> str:
    sentence = system.sentence_of(token)
    place = f"sentence {sentence + 1}, token {token - int(system.offsets[sentence]) + 1}"
    both = f"{_quoted(system, token)} where the gold has {_quoted(gold, token)}"
    return f"{both} ({place}; {_place(gold, token)})"


def _sentences_differ(gold: Corpus, system: Corpus, token: int) -> str:
    if token in system.offsets:
        return (
            f"sentence {system.sentence_of(token)} ends before {_quoted(system, token)}; "
            f"in the gold it continues ({_place(gold, token)})"
        )
    return (
        f"sentence {system.sentence_of(token) + 1} continues with {_quoted(system, token)}; "
        f"in the gold it ends ({_place(gold, token)})"
    )


def _quoted(corpus: Corpus, token: int) -> str:
    word = corpus.tokens[token] if corpus.tokens is not None else ""
    return repr(word if len(word) <= 40 else word[:40] + "...")


def _place(corpus: Corpus, token: int) -> str:
    line = corpus.line(token)
    return f"{corpus.source}:{line}" if line else corpus.source
