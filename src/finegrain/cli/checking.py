"""What ``finegrain check`` looks at, and what it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from finegrain import tasks
from finegrain.alignment.mention_policy import repeated, require_clusters
from finegrain.alignment.same_text import require_same_text
from finegrain.alignment.spans import decoded_spans, ill_formed
from finegrain.alignment.word_alignment import align_words
from finegrain.cli.inputs import layer_as_tags, parse_columns, read_one
from finegrain.cli.matrix_table import FORMAT, is_faulty_table, say_read_as_table
from finegrain.cli.options import Inputs
from finegrain.cli.standard_streams import lines_of, say, tell
from finegrain.corpus import Corpus
from finegrain.corpus import tag_schemes as schemes
from finegrain.corpus.scheme_detection import detect
from finegrain.corpus.tag_schemes import by_name
from finegrain.corpus.trees import RELATION, sentence_faults, with_trees
from finegrain.errors import TOO_MANY, InputError, Problem, UsageError
from finegrain.sizes import sized


def check_files(inputs: Inputs, against: str | None) -> int:
    """Check every file, alone and against the gold file; return the number of problems."""
    if inputs.policy not in schemes.POLICIES:
        raise UsageError.unknown("policy", inputs.policy, schemes.POLICIES)
    if [*inputs.files, against].count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    scheme = by_name(inputs.scheme) if inputs.scheme else None
    columns = parse_columns(inputs.columns)
    gold = read_one(against, inputs, columns) if against is not None else None
    total, more = 0, ""
    for path in inputs.files:
        try:
            corpus = _read(path, inputs, columns)
            if gold is not None:
                _require_text_of(gold, corpus, inputs)
            said = "; ".join(
                _annotation(layer, inputs, scheme, gold) for layer in _annotated(corpus)
            )
        except InputError as error:
            total += len(error.problems) + error.unlisted
            more = " or more" if error.stopped else more
            tell(*lines_of(error))
        else:
            tell(f"{path}: ok, {_size(corpus)}, {said}")
    if total:
        say(f"{total}{more} problem{'s' if total > 1 else ''}")
    return total


def _read(path: str, inputs: Inputs, columns: dict[str, int | str] | None) -> Corpus:
    """A file, as the options say or as it is meant."""
    if inputs.input is None and columns is None and is_faulty_table(path):
        say_read_as_table(path)
        inputs = replace(inputs, input=FORMAT)
    return read_one(path, inputs, columns, limit=TOO_MANY)


def _require_text_of(gold: Corpus, corpus: Corpus, inputs: Inputs) -> None:
    """Trees may be on other words of the same text."""
    if inputs.task == "dependencies":
        align_words(gold, corpus)
    else:
        require_same_text(gold, corpus)


def _warn(inputs: Inputs, found: list[Problem], *, unlisted: int = 0) -> None:
    """Tell what is no problem yet; where one is strict, it is one."""
    if found and inputs.strict:
        raise InputError(found, unlisted=unlisted)
    told = [f"warning: {one}" for one in found]
    if unlisted:
        told.append(f"... and {unlisted} more warnings of this kind")
    if told:
        tell(*told)


def _warn_of_tokens(inputs: Inputs, corpus: Corpus, tokens: list[int], what: list[str]) -> None:
    """Tell what is odd about some tokens, with their lines; not more than anybody reads."""
    listed = tokens[:TOO_MANY]
    lines = corpus.lines(np.array(listed, np.int64)).tolist()
    pairs = zip(lines, what[: len(listed)], strict=True)
    found = [Problem(corpus.source, line, one) for line, one in pairs]
    _warn(inputs, found, unlisted=len(tokens) - len(listed))


def _trees(corpus: Corpus, inputs: Inputs) -> str:
    """How many relations there are; trees that are none are printed as warnings."""
    trees = with_trees(corpus)
    broken = sentence_faults(trees)
    _warn_of_tokens(inputs, corpus, [token for token, _ in broken], [what for _, what in broken])
    valid = "valid trees" if not broken else "trees that are not all valid"
    return f"{valid} with {len(trees.layers[RELATION].names)} relations"


def _chains(corpus: Corpus, inputs: Inputs) -> str:
    """How many mentions and chains there are; mentions that stand twice are warnings."""
    clusters = require_clusters(corpus)
    _warn(inputs, [Problem(corpus.source, 0, what) for what in repeated(clusters).said()])
    return f"{sized(len(clusters), 'mention')} in {sized(clusters.n_chains, 'chain')}"


def _annotated(corpus: Corpus) -> list[Corpus]:
    """The corpus with its tags; for gold and answer side by side, one with each of them."""
    if "answer" in corpus.layers:
        return [layer_as_tags(corpus, "gold"), layer_as_tags(corpus, "answer")]
    return [corpus]


def _size(corpus: Corpus) -> str:
    if corpus.holds_items:
        return f"format {corpus.format}, {sized(corpus.n_sentences, 'item')}"
    words = f", {sized(corpus.n_tokens, 'token')}" if corpus.tokens is not None else ""
    return f"format {corpus.format}, {sized(corpus.n_sentences, 'sentence')}{words}"


def _annotation(
    corpus: Corpus, inputs: Inputs, scheme: schemes.Scheme | None, gold: Corpus | None
) -> str:
    """What the file holds; ill-formed tags are printed as warnings."""
    model = corpus if gold is None else _annotated(gold)[0]
    task = tasks.by_name(inputs.task) if inputs.task else tasks.guess(model)
    if task.name == "items":
        return f"0 and 1 of {len(corpus.layers)} systems"
    if task.name == "dependencies":
        return _trees(corpus, inputs)
    if task.name == "coreference":
        return _chains(corpus, inputs)
    if task.name == "tags":
        return f"tags with {len(corpus.layers['tags'].names)} labels"
    if scheme is None and model.spans is None:
        scheme = detect(model.layers["tags"], model.offsets)
    policy: schemes.Policy = "error" if inputs.policy == "error" else "conlleval"
    found = decoded_spans(corpus, scheme=scheme, policy=policy, limit=TOO_MANY)
    if copies := found.spans.n_repeated:
        _warn(inputs, [Problem(corpus.source, 0, f"spans listed twice: {copies:,}")])
    if found.scheme is None:
        return sized(len(found.spans), "span")
    tags = corpus.layers["tags"]
    broken = schemes.decode(tags, corpus.offsets, found.scheme).ill_formed.tolist()
    what = [ill_formed(tags[token], found.scheme) for token in broken[:TOO_MANY]]
    _warn_of_tokens(inputs, corpus, broken, what)
    spans, ill = sized(len(found.spans), "span"), sized(len(broken), "ill-formed tag")
    return f"{spans}, scheme {found.scheme.name}, {ill}"
