"""A case from its seed: what is written, how it is damaged, and what should come of it.

>>> case = made(3)
>>> case.recipe in RECIPES, sorted(case.paths)[0].startswith("gold")
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fuzz import (
    brat,
    chains,
    clusters,
    conll,
    conll2012,
    conllu,
    corefud,
    item_cases,
    jsonl,
    matrix,
    scores,
    segmented,
    span_lines,
    text_cases,
    trees,
)
from tests.fuzz.corpora import (
    Corpus,
    Invalid,
    changed,
    in_gold_order,
    labels_of,
    looks,
    nested,
    random_corpus,
    require_same_text,
    retokenised,
)
from tests.fuzz.mutators import damaged_archive, mutated
from tests.fuzz.plain_text import COMPRESS, lines_of, text_of
from tests.fuzz.scores import Values

COLUMNS = {"token": 1, "gold": 2, "answer": 3}
Reader = Callable[[list[str]], Corpus]
READERS: dict[str, Reader] = {
    "conll": lambda lines: conll.read(lines, {}),
    "conllu": conllu.read,
    "jsonl": jsonl.read,
    "spans": span_lines.read,
    "segmented": segmented.read,
    "conll2012": conll2012.read,
    "corefud": corefud.read,
    "clusters": clusters.read,
    "matrix": matrix.read,
}
# recipe -> formats that gold and systems may be written in, task
RECIPES: dict[str, tuple[tuple[str, ...], str]] = {
    "conll, spans as tags": (("conll",), "spans"),
    "conll, plain tags": (("conll",), "tags"),
    "conll, gold and answer": (("conll",), "spans"),
    "conllu, tags": (("conllu",), "tags"),
    "conllu, trees": (("conllu",), "dependencies"),
    "jsonl, tokens": (("jsonl",), "spans"),
    "jsonl, text": (("jsonl",), "spans"),
    "conll and jsonl": (("conll", "jsonl"), "spans"),
    "spans": (("spans",), "spans"),
    "brat": (("brat",), "spans"),
    "segmented": (("segmented",), "spans"),
    "conll2012": (("conll2012",), "coreference"),
    "corefud": (("corefud",), "coreference"),
    "clusters": (("clusters",), "coreference"),
    "conll2012 and clusters": (("conll2012", "clusters"), "coreference"),
    "matrix": (("matrix",), "items"),
    **item_cases.RECIPES,
    **text_cases.RECIPES,
}


@dataclass
class Case:
    """Files by path, what is given on the command line, and the options."""

    seed: int
    recipe: str
    task: str
    files: dict[str, bytes] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    formats: dict[str, str] = field(default_factory=dict)  # of each path
    options: dict[str, Any] = field(default_factory=dict)
    damaged: int = 0  # files

    def command(self) -> list[str]:
        """What a user would type."""
        found = ["finegrain", "score", *self.paths]
        for name, value in self.options.items():
            for one in value if isinstance(value, list) else [value]:
                found += [f"--{name}", str(one)]
        return found


def made(seed: int, *, damage: bool = True) -> Case:
    """The case of a seed, damaged or as it was written; all recipes take turns."""
    rng = Random(seed)
    recipe = list(RECIPES)[seed % len(RECIPES)]
    formats, task = RECIPES[recipe]
    case = Case(seed, recipe, task, options={"task": task})
    if recipe in item_cases.RECIPES or recipe in text_cases.RECIPES:
        of_text = recipe in text_cases.RECIPES
        files, options = (text_cases if of_text else item_cases).written(rng, recipe)
        for name, (format_, data) in files.items():
            _add(case, name, format_, data)
        case.options |= options
    else:
        _write_corpora(case, rng, formats)
    if damage:
        _damage(case, rng)
    return case


def _write_corpora(case: Case, rng: Random, formats: tuple[str, ...]) -> None:
    recipe, task, seed = case.recipe, case.task, case.seed
    gold = random_corpus(rng)
    systems = [changed(rng, gold) for _ in range(rng.choice((1, 1, 2)))]
    if recipe in ("spans", "brat", "jsonl, text"):
        gold, *systems = (nested(rng, one, gaps=recipe == "spans") for one in (gold, *systems))
    if task == "dependencies":
        systems = [retokenised(rng, one) if rng.random() < 0.3 else one for one in systems]
    scheme = rng.choice(list(conll.SCHEMES))
    if recipe == "matrix":
        _add(case, "gold", "matrix", matrix.write(rng, gold))
    elif recipe == "conll, gold and answer":
        wanted = conll.tags_of(gold, scheme)
        for at, one in enumerate(systems):
            columns = [wanted, conll.tags_of(one, scheme)]
            _add(case, f"gold{at}", "conll", conll.write(Random(seed), one, columns))
        case.options["columns"] = ",".join(f"{name}={at}" for name, at in COLUMNS.items())
    else:
        for name, corpus in (("gold", gold), *((f"s{at}", one) for at, one in enumerate(systems))):
            _write(case, name, rng.choice(formats), corpus, rng, scheme)
    _choose_options(case, rng, formats, scheme)


def _choose_options(case: Case, rng: Random, formats: tuple[str, ...], scheme: str) -> None:
    if case.recipe == "segmented" or (len(formats) == 1 and rng.random() < 0.7):
        case.options["input"] = formats[0]
    if case.recipe == "conll, spans as tags" and rng.random() < 0.5:
        case.options["scheme"] = scheme
    if "corefud" in formats:
        case.options["set"] = ["zeros=linear"]


def _write(case: Case, name: str, format_: str, corpus: Corpus, rng: Random, scheme: str) -> None:
    if format_ == "brat":
        found = brat.write(rng, corpus)
        for file, data in found.items():
            case.files[f"{name}/{file}"] = data
        case.paths.append(name)
        case.formats[name] = "brat"
        return
    tags = corpus.tags if case.task == "tags" else conll.tags_of(corpus, scheme)
    plain = corpus.tags
    writers: dict[str, Callable[[], bytes]] = {
        "conll": lambda: conll.write(rng, corpus, rng.choice(([tags], [tags], [plain, tags]))
                                     if case.task == "spans" else [tags]),
        "conllu": lambda: conllu.write(rng, corpus),
        "jsonl": lambda: (jsonl.write_text(rng, corpus) if case.recipe == "jsonl, text"
                          else jsonl.write_tokens(rng, corpus, tags)),
        "spans": lambda: span_lines.write(rng, corpus),
        "segmented": lambda: segmented.write(rng, corpus),
        "conll2012": lambda: conll2012.write(rng, corpus),
        "corefud": lambda: corefud.write(rng, corpus),
        "clusters": lambda: clusters.write(rng, corpus),
    }  # fmt: skip
    _add(case, name, format_, writers[format_]())


def _add(case: Case, name: str, format_: str, data: bytes) -> None:
    suffix = {"conllu": ".conllu", "corefud": ".conllu", "jsonl": ".jsonl", "items": ".jsonl"}.get(
        format_, ".dat"
    )
    case.files[name + suffix] = data
    case.paths.append(name + suffix)
    case.formats[name + suffix] = format_


def _damage(case: Case, rng: Random) -> None:
    """Change one file or all in the same way, or none; then compress, and damage archives."""
    names = list(case.files)
    chosen = rng.choice((*([rng.choice(names)],) * 5, *(names,) * 4, []))
    same = rng.random()
    hurt = set()
    for name in chosen:
        own = Random(same) if len(chosen) > 1 and case.seed % 2 else rng
        before = case.files[name]
        case.files[name] = mutated(own, before, own.choice((1, 1, 1, 2, 3)))
        hurt |= {name} if case.files[name] != before else set()
    case.damaged = len(hurt)
    if "brat" in case.formats.values():
        return
    for name in names:
        if rng.random() < 0.25:
            suffix = rng.choice(list(COMPRESS))
            data = COMPRESS[suffix](case.files.pop(name))
            worse = damaged_archive(rng, data) if rng.random() < 0.5 else data
            case.files[name + suffix] = worse
            case.damaged += worse != data and name not in hurt
            case.paths[case.paths.index(name)] = name + suffix
            case.formats[name + suffix] = case.formats.pop(name)


def expected(case: Case, formats: Mapping[str, str]) -> tuple[dict[str, Values], set[str]]:
    """The scores of every system and what may be refused; raises ``Invalid``."""
    doubts: set[str] = set()
    if case.recipe in item_cases.RECIPES or case.recipe in text_cases.RECIPES:
        texts = {path: text_of(case.files[path], doubts).split("\n") for path in case.paths}
        if case.recipe in text_cases.RECIPES:
            return text_cases.expected(case.task, texts, formats, doubts), doubts
        return item_cases.expected(case.task, texts, formats, case.options, doubts), doubts
    corpora: list[Corpus] = []
    for path in case.paths:
        first = corpora[0] if corpora and "columns" not in case.options else None
        corpora.append(_read(case, path, formats[path], doubts, first))
    for one in corpora:
        doubts |= one.doubts
    if case.task == "items":
        return scores.item_scores(corpora[0]), doubts
    if "columns" in case.options:
        gold = Corpus(corpora[0].words, tags=corpora[0].relations)
        if any(one.relations != gold.tags for one in corpora):
            raise Invalid("files with different gold tags")
        systems = corpora
    else:
        gold, *systems = corpora
        if gold.empty_cells:
            raise Invalid("an empty cell in the gold file")
    names = case.paths if "columns" in case.options else case.paths[1:]
    found = {}
    for path, system in zip(names, systems, strict=True):
        found[path] = _scored(case, gold, system)
    labels = {label for one in (gold, *systems) for label in labels_of(one, case.task)}
    if len({looks(label) for label in labels}) < len(labels):
        doubts.add("labels that look alike")
    return found, doubts | gold.doubts


def _read(
    case: Case, path: str, format_: str, doubts: set[str], gold: Corpus | None = None
) -> Corpus:
    if format_ == "brat":
        inside = {name.partition("/")[2]: data for name, data in case.files.items()
                  if name.startswith(path + "/")}  # fmt: skip
        return brat.read(inside)
    data = case.files[path]
    if "columns" in case.options:
        return conll.read(lines_of(data, doubts), COLUMNS)
    lines = text_of(data, doubts).split("\n")
    return jsonl.read(lines, gold) if format_ == "jsonl" else READERS[format_](lines)


def _scored(case: Case, gold: Corpus, system: Corpus) -> Values:
    if case.task == "dependencies":
        if gold.names and system.names and sorted(gold.names) == sorted(system.names):
            system = in_gold_order(gold, system)
        return trees.tree_scores(gold, system)
    system = in_gold_order(gold, system)
    require_same_text(gold, system)
    if case.task == "tags":
        return scores.tag_scores(gold, system)
    if case.task == "coreference":
        return chains.coreference_scores(gold, system)
    scheme = case.options.get("scheme") or conll.scheme_of(gold if gold.tags else system)
    sides = (conll.decoded(one, scheme) if one.tags else one.spans for one in (gold, system))
    return scores.span_scores(*sides)
