"""What ``finegrain check`` looks at, and what it says."""

from __future__ import annotations

import sys

import typer

from finegrain.cli.inputs import parse_columns, read_one
from finegrain.cli.options import Inputs
from finegrain.corpus import Corpus
from finegrain.corpus import tag_schemes as schemes
from finegrain.errors import InputError, Problem
from finegrain.tasks import guess
from finegrain.tasks.same_text import require_same_text
from finegrain.tasks.spans import spans_of

NO_LIMIT = sys.maxsize


def check_files(inputs: Inputs, against: str | None) -> int:
    """Check every file, alone and against the gold file; return the number of problems."""
    gold = None
    if against is not None:
        gold = read_one(against, inputs, parse_columns(inputs.columns))
    total = 0
    for path in inputs.files:
        try:
            corpus = read_one(path, inputs, parse_columns(inputs.columns), limit=NO_LIMIT)
            if gold is not None:
                require_same_text(gold, corpus)
            said = _annotation(corpus, inputs, gold)
        except InputError as error:
            total += len(error.problems) + error.unlisted
            typer.echo(str(error))
        else:
            typer.echo(f"{path}: ok, {said}")
    if total:
        typer.echo(f"{total} problem{'s' if total > 1 else ''}", err=True)
    return total


def _annotation(corpus: Corpus, inputs: Inputs, gold: Corpus | None) -> str:
    """What the file holds; ill-formed tags are printed as warnings."""
    size = f"{corpus.n_sentences:,} sentences"
    if corpus.tokens is not None:
        size += f", {corpus.n_tokens:,} tokens"
    task = inputs.task or guess(corpus).name
    if task == "tags":
        return f"{size}, tags with {len(corpus.layers['tags'].names)} labels"
    scheme = schemes.SCHEMES.get((inputs.scheme or "").lower())
    if scheme is None and corpus.spans is None:
        base = gold if gold is not None and gold.spans is None else corpus
        scheme = schemes.detect(base.layers["tags"], base.offsets)
    policy: schemes.Policy = "error" if inputs.policy == "error" else "conlleval"
    found = spans_of(corpus, scheme, policy, "tags", repairs={}, name=corpus.source, limit=NO_LIMIT)
    if scheme is None:
        return f"{size}, {len(found):,} spans"
    tags = corpus.layers["tags"]
    broken = schemes.decode(tags, corpus.offsets, scheme).ill_formed.tolist()
    for token in broken:
        what = f"tag {tags[token]!r} is ill-formed in the scheme {scheme.name}"
        typer.echo(f"warning: {Problem(corpus.source, corpus.line(token), what)}")
    return f"{size}, {len(found):,} spans, scheme {scheme.name}, {len(broken)} ill-formed tags"
