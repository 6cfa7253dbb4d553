"""Readers and writers: one file per format, one line in ``FORMATS``.

>>> sorted(FORMATS)
['answers', 'boundaries', 'brat', 'clusters', 'conll', 'conll2012', 'conllu', 'corefud', 'csv', \
'items', 'jsonl', 'lines', 'lm_eval', 'logprobs', 'matrix', 'segmented', 'segments', 'sgm', \
'spans', 'squad', 'text', 'trec', 'vectors', 'wmt']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from finegrain.corpus import Corpus
from finegrain.corpus.notes import doubts, refuse
from finegrain.errors import InputError
from finegrain.files_read import FilePath
from finegrain.formats.source import Source, open_source, require_lines
from finegrain.plugins import Late, find, plugins

Annotation = Literal["spans", "tags"]
_WAY_OUT = (
    "If every line is the label of an item, say --task classification; a number, --task "
    "regression; whether a system is right, --input matrix."
)
_FIRST = re.compile(rb"\s*([!-~])")
_JSON = re.compile(rb'\s*(\[\s*)?\{\s*"')


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how to recognise, read and write it.

    ``read`` takes a ``Source`` and the format's own keyword options; ``write`` gives the content
    of a file. ``files`` is for formats that can also be a folder: file name -> content.
    ``annotation``: the form that the annotation of text has in it, if it is always the same.
    ``options``: which options of reading it takes: ``columns``, ``header``, ``comment``, ``keys``,
    ``tag_names``; ``gold``, the corpus beside which a system is read.
    ``guessed``: whether a file can be known to have it; else a task takes it, or it is named.
    ``binary``: whether it reads arrays of numbers, which are no text.
    """

    name: str
    summary: str
    suffixes: tuple[str, ...]
    looks_like: Callable[[Source], bool]
    read: Callable[..., Corpus]
    write: Callable[..., str]
    files: Callable[[Corpus], dict[str, str]] | None = None
    annotation: Annotation | None = None
    options: frozenset[str] = frozenset()
    guessed: bool = True
    binary: bool = False


def _built_in(
    name: str,
    summary: str,
    suffixes: tuple[str, ...],
    home: str,
    *,
    begins: str = "",
    files: Callable[[Corpus], dict[str, str]] | None = None,
    annotation: Annotation | None = None,
    options: frozenset[str] = frozenset(),
    guessed: bool = True,
    binary: bool = False,
) -> Format:
    """A format whose module ``home`` is imported when it is needed.

    ``begins``: the characters with which text in it can begin; other text does not import it.
    """
    looks_like, read, write = (
        Late(f"finegrain.formats.{home}:{function}") for function in ("looks_like", "read", "write")
    )
    return Format(
        name, summary, suffixes, partial(_begun, begins.encode(), looks_like) if begins
        else looks_like, read, write, files, annotation, options, guessed, binary,
    )  # fmt: skip


def _begun(begins: bytes, looks_like: Late, source: Source) -> bool:
    """Whether a file looks like a format; its module is asked only if the beginning may be its.

    Characters that are not printable ASCII leave that open: some of them are white space.
    """
    first = _FIRST.match(source.buffer, source.begin)
    if first is not None and first[1] not in begins:
        return False
    return bool(looks_like(source))


# Recognition goes through them in this order: the stricter one first.
FORMATS: dict[str, Format] = {
    format_.name: format_
    for format_ in (
        _built_in(
            "brat",
            "text with standoff spans beside it (.txt, .ann), or a folder of such pairs",
            (".ann",),
            "brat",
            files=Late("finegrain.formats.brat:files"),
            annotation="spans",
        ),
        _built_in(
            "clusters",
            "coreference as JSON lines: sentences, and chains as lists of mentions",
            (".jsonlines",),
            "cluster_lines",
            begins="{[",
        ),
        _built_in(
            "sgm",
            "sources, references or outputs of segments as SGML (NIST, WMT up to 2020)",
            (".sgm", ".sgml"),
            "sgm",
            begins="<",
        ),
        _built_in(
            "wmt",
            "sources, references and outputs of segments in one XML file (WMT since 2021)",
            (".xml",),
            "wmt_xml",
            begins="<",
        ),
        _built_in(
            "vectors",
            "vectors of words or stimuli: npy, npz, safetensors, Parquet, word2vec text",
            (".npy", ".npz", ".safetensors", ".vec"),
            "vectors",
            binary=True,
        ),
        _built_in(
            "squad",
            "questions about passages with their references as JSON (SQuAD 1.1 and 2.0)",
            (),
            "squad",
            begins="{[",
        ),
        _built_in(
            "lm_eval",
            "samples of lm-evaluation-harness: log-probabilities of texts, or of pairs",
            (),
            "lm_eval",
            begins="{[",
        ),
        _built_in(
            "logprobs",
            "tokens with their log-probabilities: token and number in lines, or JSON lines",
            (),
            "log_probabilities",
        ),
        _built_in(
            "items",
            "one JSON object per item, in lines or an array: fields and lists of what is judged",
            (),
            "items",
            begins="{[",
            options=frozenset(("columns",)),
        ),
        _built_in(
            "answers",
            "one JSON object of ids and answers, as predictions for SQuAD",
            (),
            "answer_map",
            begins="{[",
        ),
        _built_in(
            "jsonl",
            "one JSON object per line: text with character spans, or tokens with tags",
            (".jsonl", ".ndjson", ".json"),
            "jsonl",
            begins="{[",
            options=frozenset(("keys", "tag_names", "gold")),
        ),
        _built_in(
            "matrix",
            "a bare 0/1 table: units in lines, systems in columns",
            (),
            "matrix",
        ),
        _built_in(
            "boundaries",
            "a 0 or 1 for each place where a segment can end, a text in each line",
            (),
            "boundary_strings",
            begins="01",
            annotation="spans",
        ),
        _built_in(
            "trec",
            "judged documents of queries (qrels) and ranked ones (runs), as trec_eval reads them",
            (".qrels", ".qrel", ".run"),
            "trec",
        ),
        _built_in(
            "spans",
            "one labelled span per line: label, begin, end, tokens (nested, crossing, with gaps)",
            (".csv", ".spans"),
            "span_lines",
            annotation="spans",
        ),
        _built_in(
            "conll2012",
            "coreference in columns: chains of mentions in brackets (CoNLL 2012)",
            (".v4_gold_conll", ".v4_auto_conll"),
            "conll2012",
            begins="#",
        ),
        _built_in(
            "corefud",
            "Universal Dependencies with chains of mentions (Entity=), empty nodes and gaps",
            (),
            "corefud",
            begins="#0123456789",
        ),
        _built_in(
            "conllu",
            "Universal Dependencies: lemmas, parts of speech and features of words",
            (".conllu",),
            "conllu",
            begins="#0123456789",
            annotation="tags",
            options=frozenset(("gold",)),
        ),
        _built_in(
            "segmented",
            "words separated by blanks, one sentence per line: word segmentation",
            (".seg",),
            "segmented",
            annotation="spans",
        ),
        _built_in(
            "csv",
            "one item per line: cells separated by commas or tabs, header or not; or labels alone",
            (),
            "delimited",
            options=frozenset(("columns", "header")),
        ),
        _built_in(
            "segments",
            "segments in columns between tabs, with a header: source, reference, hypothesis ...",
            (),
            "parallel_text",
            options=frozenset(("columns", "header")),
            guessed=False,
        ),
        _built_in(
            "lines",
            "plain text, one segment per line: translations, summaries, transcripts",
            (),
            "lines",
            guessed=False,
        ),
        _built_in(
            "conll",
            "one token per line in columns; tags or BIO annotation, also stacked (B-S|B-NP)",
            (".conll", ".tsv", ".txt"),
            "conll",
            annotation="tags",
            options=frozenset(("columns", "header", "comment")),
        ),
        _built_in(
            "text",
            "plain text, a sentence or paragraph in each line, documents between blank lines",
            (),
            "plain_text",
        ),
    )
}


def recognise(source: Source, among: Sequence[str] = ()) -> Format:
    """The format of a file, by its content; formats of other packages are asked last.

    among: the names of formats that it can have; the last one is taken if no other looks like it,
        unless it is JSON
    """
    if source.binary:
        return _of_arrays(source)
    if among:
        formats = [by_name(name) for name in among]
        found = next((one for one in formats[:-1] if one.looks_like(source)), formats[-1])
        return by_name("items") if "items" in among and _misread(found, source) else found
    for format_ in _candidates():
        if format_.guessed and format_.looks_like(source):
            return format_
    if source.folder:
        raise _is_a_directory(source)
    raise InputError.at(source.name, 1, "the format is not recognised", _WAY_OUT)


def _of_arrays(source: Source) -> Format:
    """The format of a file that is not text."""
    found = next((one for one in _candidates() if one.binary and one.looks_like(source)), None)
    if found is None:
        raise InputError.at(source.name, 0, "the format is not recognised")
    return found


def _misread(found: Format, source: Source) -> bool:
    """Whether JSON would be taken for cells between commas."""
    return found.name == "csv" and _JSON.match(source.buffer, source.begin) is not None


def _is_a_directory(source: Source) -> InputError:
    return InputError.at(source.name, 0, "this is a directory", "Name a file in it.")


def _candidates() -> Iterator[Format]:
    yield from FORMATS.values()
    yield from (find("formats", name, FORMATS) for name in plugins("formats"))


def by_name(name: str) -> Format:
    """A format by its name."""
    found: Format = find("formats", name, FORMATS)
    return found


def read(
    path: FilePath,
    *,
    format: str | Format | None = None,  # noqa: A002 - the thing's name
    strict: bool = False,
    **options: Any,
) -> Corpus:
    """Read a file (plain, .gz, .bz2, .xz, .zst; ``-`` is standard input) or folder into a corpus.

    Parameters
    ----------
    format: the format or its name; recognised by content if not given
    strict: refuse data that had to be repaired, skipped or guessed
    options: options of the format, e.g. ``columns={"token": 1, "tags": 4}`` for ``conll``
    """
    source = open_source(path)
    format_ = by_name(format) if isinstance(format, str) else format or recognise(source)
    return read_source(source, format_, strict=strict, **options)


_OF_JSON = ("items", "squad", "answers")


def _is_document(source: Source) -> bool:
    """Whether a file of JSON is one array or object, which a cut would have left open."""
    first, *further = source.head(2) or [""]
    return first.startswith("[") or not further or not first.rstrip().endswith("}")


def read_source(source: Source, format_: Format, *, strict: bool = False, **options: Any) -> Corpus:
    """Read a source that is known to be in a format; ``strict`` refuses what is in doubt."""
    if source.folder and format_.files is None:
        raise _is_a_directory(source)
    if source.binary and not format_.binary:
        what = f"this holds arrays of numbers, which the format {format_.name} does not"
        raise InputError.at(source.name, 0, what, "Arrays are vectors: --input vectors.")
    if format_.files is None:  # others read their files themselves, to the last character
        require_lines(source)
    corpus = replace(format_.read(source, **options), format=format_.name)
    document = format_.name in _OF_JSON and _is_document(source)
    notes = (*corpus.notes, *(source.notes if document else source.remarks))
    if strict:
        refuse(source.name, doubts(notes))
    return replace(corpus, notes=notes)
