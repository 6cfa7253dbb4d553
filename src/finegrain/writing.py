"""A corpus as a file: its annotation is brought into the form that the format has, tags or spans.

What is written is read back and compared before it takes its place, so that nothing is lost in
silence.

>>> import tempfile, finegrain as fg
>>> corpus = fg.simulate(tokens=500, seed=1).gold
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = write(corpus, f"{folder}/gold.jsonl", annotation="spans", layer="tags")
...     print(fg.read(f"{folder}/gold.jsonl").n_sentences == corpus.n_sentences)
True
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from finegrain.alignment.spans import Decoded, decoded_spans
from finegrain.complete_file import complete_file
from finegrain.corpus import LAYER, Clusters, Corpus, Spans
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.trees import HEAD, RELATION, with_trees
from finegrain.errors import FinegrainError, InputError, UsageError
from finegrain.files_read import FilePath
from finegrain.formats import (
    FORMATS,
    Annotation,
    Format,
    brat,
    by_name,
    conll2012,
    conllu,
    jsonl,
    read_source,
)
from finegrain.formats.archives import SUFFIXES, compressed
from finegrain.formats.same_annotation import first_difference
from finegrain.formats.source import Source, open_source, source_of
from finegrain.sizes import sized

_SPANS, _TAGS = get_args(Annotation)
_KNOWN_LAYERS = {"conllu": (LAYER, *conllu.COLUMNS, HEAD, RELATION), "jsonl": jsonl.LAYERS}


@dataclass(frozen=True, slots=True)
class Form:
    """How annotation is written."""

    annotation: str | None = None
    scheme: str | None = None
    policy: str = "conlleval"


def write(
    corpus: Corpus,
    path: FilePath,
    *,
    format: str | None = None,  # noqa: A002 - the thing's name
    annotation: Annotation | None = None,
    layer: str | None = None,
    scheme: str | None = None,
    policy: schemes.Policy = "conlleval",
) -> tuple[str, ...]:
    """Write a corpus to a file and return what one should know of it.

    What the format cannot hold (nested spans in tags) is an error, and nothing is written then.

    Parameters
    ----------
    path: the file, for brat a folder; ``-`` is standard output
    format: its name; by default that of the file's suffix
    annotation: for jsonl: text with ``spans`` or tokens with ``tags``; by default what there is
    layer: write this layer as the tags, and no other layer
    scheme: how tags are written (default iob2 for spans; tags stay as they are), or, where spans
        are written, how tags are read
    policy: what happens to ill-formed tags of spans that are written anew
    """
    path = os.fspath(path)
    if annotation not in (None, _SPANS, _TAGS):
        raise UsageError.unknown("annotation", annotation or "", (_SPANS, _TAGS))
    if policy not in schemes.POLICIES:
        raise UsageError.unknown("policy", policy, schemes.POLICIES)
    format_ = target_format(path, format)
    if format_.name == "conllu" and corpus.clusters is not None:
        format_ = by_name("corefud")  # CoNLL-U with chains
    if layer is not None:
        if layer not in corpus.layers:
            raise UsageError.unknown("layer", layer, corpus.layers)
        corpus = replace(corpus, layers={LAYER: corpus.layers[layer]})
    corpus, said = _in_form(corpus, format_, Form(annotation, scheme, policy))
    written = _write(corpus, path, format_)
    return (*said, *_left_out(corpus, written), f"wrote {path} (format {format_.name})")


def target_format(target: str, name: str | None) -> Format:
    """The format to write: by its name or by the suffix of the file."""
    if name is not None:
        return by_name(name)
    path = Path(target)
    suffix = Path(path.stem).suffix if path.suffix in SUFFIXES else path.suffix
    found = [one for one in FORMATS.values() if suffix in one.suffixes]
    if not found:
        raise UsageError(f"{target}: say which format to write: --to {'|'.join(FORMATS)}")
    return found[0]


def _in_form(corpus: Corpus, format_: Format, wanted: Form) -> tuple[Corpus, list[str]]:
    """The corpus with its annotation as tags or as spans, as the format needs it."""
    form = format_.annotation or wanted.annotation
    if wanted.annotation not in (None, form):
        raise UsageError(f"--annotation: the format {format_.name} holds {form}")
    if form == _SPANS and corpus.spans is None:
        corpus, said = _as_spans(corpus, format_, wanted)
        return corpus, said
    if form == _TAGS and corpus.spans is not None:
        if format_.name == "conllu":
            raise UsageError("conllu has no column for spans; write conll, jsonl or brat")
        return _as_tags(corpus, wanted), []
    _require_known_layers(corpus, format_)
    return _as_other_tags(corpus, wanted) if wanted.scheme else (corpus, [])


def _as_spans(corpus: Corpus, format_: Format, wanted: Form) -> tuple[Corpus, list[str]]:
    tags = corpus.layers.get(LAYER)
    if tags is None:
        raise UsageError("there are no tags in it; --layer or --columns says where they are")
    plain = next((name for name in tags.names if not schemes.looks_like_spans((name,))), None)
    if plain is not None:
        raise UsageError(f"the tag {plain!r} is not a span (as B-PER is), so {format_.name} has no "
                         "place for it; write conll, conllu or jsonl")  # fmt: skip
    others = [name for name, column in corpus.layers.items() if column is not tags]
    if others:
        raise UsageError(f"{format_.name} holds spans and not the layers {', '.join(others)}; "
                         "--layer tags leaves them out")  # fmt: skip
    scheme = schemes.by_name(wanted.scheme) if wanted.scheme else None
    policy: schemes.Policy = next(one for one in schemes.POLICIES if one == wanted.policy)
    found = decoded_spans(corpus, scheme=scheme, policy=policy)
    return replace(corpus, layers={}, spans=found.spans), _said_of(found, policy)


def _said_of(found: Decoded, policy: schemes.Policy) -> list[str]:
    said = (
        [f"{sized(len(found.spans), 'span')}, scheme {found.scheme.name}"] if found.scheme else []
    )
    if found.repairs:
        verb = "dropped" if policy == "discard" else "repaired"
        said.append(f"{sized(found.repairs, 'ill-formed tag')} {verb} (--policy {policy})")
    return said


def _as_other_tags(corpus: Corpus, wanted: Form) -> tuple[Corpus, list[str]]:
    """Tags of spans in another scheme; all other layers stay."""
    tags = corpus.layers.get(LAYER)
    if tags is None or corpus.spans is not None or not schemes.looks_like_spans(tags.names):
        raise UsageError("--scheme: what is written has no tags of spans, such as B-PER")
    policy: schemes.Policy = next(one for one in schemes.POLICIES if one == wanted.policy)
    found = decoded_spans(corpus, scheme=None, policy=policy)
    new = _as_tags(replace(corpus, spans=found.spans), wanted).layers[LAYER]
    layers = {name: new if column is tags else column for name, column in corpus.layers.items()}
    return replace(corpus, layers=layers), _said_of(found, policy)


def _as_tags(corpus: Corpus, wanted: Form) -> Corpus:
    spans = corpus.spans or Spans.of([])
    if corpus.tokens is None:
        raise UsageError(f"{corpus.source} has no text, so there are no tokens to write tags for")
    row, why = _no_tag(spans, corpus)
    if row is not None:
        sentence = int(spans.sentence[row])
        words = " ".join(corpus.sentence(sentence)[token] for token in spans.tokens(row))
        label = spans.labels[int(spans.label[row])]
        raise UsageError(
            f"tags cannot hold {label} {words[:60]!r} in sentence {sentence + 1}: {why}; "
            "write jsonl, spans or brat"
        )
    scheme = schemes.by_name(wanted.scheme or "iob2")
    tags = schemes.encode(spans, corpus.offsets, scheme)
    try:
        decoded = schemes.decode(tags, corpus.offsets, scheme).spans
    except schemes.UnknownPrefix as fault:
        raise UsageError(f"tags cannot hold a label as in {fault.tag!r}") from None
    if _as_set(decoded) != _as_set(spans):  # io joins neighbours; | in a label means a stack
        lost = min(_as_set(spans) - _as_set(decoded))
        place = f"sentence {lost.sentence + 1}, tokens {lost.begin + 1} to {lost.end}"
        raise UsageError(
            f"{scheme.name} tags cannot hold {lost.label} ({place}); choose another --scheme"
        )
    return replace(corpus, layers={LAYER: tags}, spans=None)


class _Flat(NamedTuple):
    """A span without gaps."""

    sentence: int
    begin: int
    end: int
    label: str


def _as_set(spans: Spans) -> set[_Flat]:
    columns = (spans.sentence, spans.begin, spans.end, spans.label)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return {_Flat(at, begin, end, spans.labels[code]) for at, begin, end, code in rows}


def _no_tag(spans: Spans, corpus: Corpus) -> tuple[int | None, str]:
    """The first span that flat tags cannot hold, and why."""
    begin_cut, end_cut = spans.cuts()
    cut = np.flatnonzero((begin_cut > 0) | (end_cut > 0))
    if len(cut):
        return int(cut[0]), "it begins or ends inside of a token"
    gaps = np.flatnonzero(spans.token_set)
    if len(gaps):
        return int(gaps[0]), "it has a gap"
    base = corpus.offsets[spans.sentence]
    order = np.lexsort((-spans.end, base + spans.begin))
    begin, end = (base + spans.begin)[order], (base + spans.end)[order]
    reach = np.maximum.accumulate(np.append(0, end[:-1])) if len(end) else end
    overlap = np.flatnonzero(begin < reach)
    return (int(order[overlap[0]]), "it overlaps another span") if len(overlap) else (None, "")


def _require_known_layers(corpus: Corpus, format_: Format) -> None:
    known = _KNOWN_LAYERS.get(format_.name)
    foreign = [name for name in corpus.layers if known is not None and name not in known]
    if foreign:
        raise UsageError(f"{format_.name} has no place for the layers {', '.join(foreign)}; "
                         "--layer NAME writes one layer as the tags")  # fmt: skip
    names = corpus.layers[LAYER].names if LAYER in corpus.layers else ()
    if format_.name == "conllu" and "upos" not in corpus.layers:
        spans = [name for name in names if name[1:2] == "-" and schemes.looks_like_spans((name,))]
        if spans and schemes.looks_like_spans(names):
            raise UsageError(f"conllu has no column for spans ({spans[0]}); write jsonl or brat")


def _write(corpus: Corpus, target: str, format_: Format) -> Corpus:
    """Write a corpus and return what is read back from it, which is the same."""
    pair = format_.files is not None and Path(target).suffix in (brat.TEXT, brat.STANDOFF)
    if format_.files is not None and target != "-":
        with folder_beside(target) as folder:
            for name, text in format_.files(corpus).items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="")
            read = _read_back(corpus, open_source(str(folder)), format_)
            if pair:
                format_.write(corpus)  # refuses several documents
                _put_pair(folder, target)
            else:
                put_folder(folder, target)
        return read
    if format_.files is not None:
        raise UsageError(f"{format_.name} is two files or more, so it needs a file or folder name")
    text = as_text(corpus, format_)
    read = _read_back(corpus, source_of("what is written", text.encode()), format_)
    if target == "-":
        sys.stdout.write(text)
    else:
        data = compressed(text.encode(), Path(target).suffix)
        with complete_file(target) as temporary:
            Path(temporary).write_bytes(data)
    return read


def _layer_names(corpus: Corpus) -> list[str]:
    """Layers, each once, the tags last."""
    tags = corpus.layers.get(LAYER)
    return [name for name, column in corpus.layers.items() if column is not tags] + [LAYER]


def as_text(corpus: Corpus, format_: Format) -> str:
    """The corpus in a format; as columns, with all its layers."""
    if format_.name != "conll":
        return format_.write(corpus)
    if LAYER not in corpus.layers:
        raise UsageError("there are no tags in it; --layer says which layer to write")
    return format_.write(corpus, layers=_layer_names(corpus))


def _read_back(corpus: Corpus, source: Source, format_: Format) -> Corpus:
    """What was written, as it will be read; an error if that is not the same."""
    options: dict[str, Any] = {}
    if format_.name == "conll":
        names = ["token", *_layer_names(corpus)]
        options["columns"] = {name: place for place, name in enumerate(names, 1)}
    try:
        read = read_source(source, format_, **options)
    except InputError as error:
        raise UsageError(f"{format_.name} cannot hold this corpus: {error.problems[0]}") from None
    if HEAD in corpus.layers and read.further is not None:
        read = with_trees(read)
    different = first_difference(corpus, read)
    if different is not None:
        raise UsageError(f"{format_.name} cannot hold this corpus: {different}")
    return read


def _left_out(corpus: Corpus, written: Corpus) -> list[str]:
    """What is no annotation and has no place in the format."""
    said = []
    if corpus.tokens is not None and written.tokens is None:
        said.append(f"{written.format} holds no text: the tokens are left out")
    if corpus.documents is not None and written.documents is None and corpus.n_documents > 1:
        said.append(f"{written.format} holds no documents: their boundaries are left out")
    elif corpus.document_ids is not None and written.document_ids is None:
        said.append(f"{written.format} holds no document ids: they are left out")
    parts = [name for name in corpus.parts if name not in written.parts]
    if parts:
        said.append(f"{written.format} is written without {', '.join(parts)}")
    if corpus.further is not None and written.further is None:
        said.append(f"{written.format} holds no trees, comments and empty nodes: they are left out")
    if corpus.clusters is not None and written.clusters is not None:
        lost = _lost_of_mentions(corpus.clusters, written.clusters)
        said += [f"{written.format} holds no {lost} of mentions: they are left out"] if lost else []
    if corpus.format == "conll2012" and conll2012.has_more_columns(corpus):
        said.append("columns of conll2012 beside words, parts of speech, lemmas and chains "
                    "are left out")  # fmt: skip
    if corpus.documents is None and written.n_documents > 1:
        said.append("there are no documents in it: every sentence is one of its own")
    if corpus.layers and written.format == "conll":
        names = ", ".join(["token", *_layer_names(corpus)])
        said.append(f"columns: {names}")
    return said


def _lost_of_mentions(one: Clusters, two: Clusters) -> str:
    """What mentions had and have no more, in words."""
    lost = {
        "heads": np.count_nonzero(two.head) < np.count_nonzero(one.head),
        "types": any(one.spans.labels) and not any(two.spans.labels),
    }
    return " and ".join(name for name, is_lost in lost.items() if is_lost)


@contextmanager
def folder_beside(target: str) -> Iterator[Path]:
    """A temporary folder beside a target; failures of the file system are told."""
    path = Path(target)
    try:
        folder = tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        try:
            yield Path(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise FinegrainError(f"{target}: cannot be written ({error.strerror or error})") from None


def _put_pair(folder: Path, target: str) -> None:
    made = [path for path in folder.rglob("*") if path.is_file()]
    for path in sorted(made, reverse=True):  # the text, then the annotation
        with complete_file(str(Path(target).with_suffix(path.suffix))) as temporary:
            Path(temporary).write_bytes(path.read_bytes())


def put_folder(folder: Path, target: str) -> None:
    path = Path(target)
    if path.is_file() or (path.is_dir() and any(path.iterdir())):
        raise UsageError(f"{target}: it is not an empty folder; name another one")
    folder.chmod(0o755)
    folder.replace(path)
