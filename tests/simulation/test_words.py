"""Forms of words, made words, names and templates."""

from __future__ import annotations

from collections import Counter

import pytest

from finegrain.simulation.coinage import COINED, coined_company, names_available, surname, town
from finegrain.simulation.entities import LABELS, Names, entity_types
from finegrain.simulation.lexicon import FORMS
from finegrain.simulation.sections import sections
from finegrain.simulation.templates import KINDS, template_bank
from finegrain.simulation.vocabulary import Vocabulary


@pytest.mark.parametrize(
    ("entry", "form", "expected"),
    [
        ("law", "pl", "laws"),
        ("treaty", "pl", "treaties"),
        ("church", "pl", "churches"),
        ("crisis/crises", "pl", "crises"),
        ("announce", "past", "announced"),
        ("buy/bought/bought", "past", "bought"),
        ("rise/rose/risen", "part", "risen"),
        ("study/studied", "part", "studied"),
        ("study/studied", "ing", "studying"),
        ("plan/planned/planned", "ing", "planning"),
        ("improve", "ing", "improving"),
        ("supply/supplied", "s", "supplies"),
        ("renew", "base", "renew"),
    ],
)
def test_inflection(entry: str, form: str, expected: str) -> None:
    assert FORMS[form](entry) == expected


@pytest.mark.parametrize("kind", ["trade", "goods", "quality", "prefixed", "substance", "genus"])
def test_made_words_are_all_different(kind: str) -> None:
    coined = COINED[kind]
    words = {coined.word(number) for number in range(min(coined.size, 3_000))}
    assert len(words) > 0.98 * min(coined.size, 3_000)


def test_names_do_not_run_out_and_some_are_surname_and_town() -> None:
    size = 30_000
    assert names_available() > size
    surnames, towns = ({name(n) for n in range(size)} for name in (surname, town))
    assert min(len(surnames), len(towns)) > 0.9 * size
    assert len(surnames & towns) > 0.2 * size
    assert len({coined_company(n) for n in range(size)}) > 0.9 * size


@pytest.mark.parametrize(
    ("word", "article"),
    [
        ("old", "an"), ("union", "a"), ("hour", "an"), ("house", "a"), ("European", "a"),
        ("MRI", "an"), ("8", "an"), ("18", "an"), ("1,800", "a"), ("Émile", "an"),
        ("unusual", "an"), ("one-way", "a"), ("useful", "a"), ("UN", "a"), ("ombudsman", "an"),
    ],
)  # fmt: skip
def test_articles(word: str, article: str) -> None:
    vocabulary = Vocabulary()
    assert bool(vocabulary.takes_an(vocabulary.codes([word]))[0]) == (article == "an")


def test_names_depend_on_the_seed_and_the_number_only() -> None:
    one, two, other = Names(1), Names(1), Names(2)
    two.entity("CITY", 5)
    assert one.entity("PER", 7) == two.entity("PER", 7)
    assert [one.entity("PER", n) for n in range(9)] != [other.entity("PER", n) for n in range(9)]


@pytest.mark.parametrize("type_", entity_types())
def test_names_mark_what_belongs_to_them(type_: str) -> None:
    names = Names(3)
    for number in range(50):
        entity = names.entity(type_, number)
        assert entity.label in LABELS
        for mention in entity.mentions:
            inner = mention.words[mention.begin : mention.end]
            outer = mention.words[: mention.begin] + mention.words[mention.end :]
            assert inner
            assert set(outer) <= {"the", '"', "Mr", "Ms", "Dr", "Professor"}
            assert len(mention.pos) == len(mention.words)


def test_acronym_takes_the_capitals_of_the_name() -> None:
    names = Names(1)
    pairs = [names.entity("SOCIETY", number).mentions[:2] for number in range(200)]
    short = [(full, later) for full, *rest in pairs for later in rest if later.words[-1].isupper()]
    assert short
    for full, later in short:
        inner = full.words[full.begin : full.end]
        assert later.words[-1] == "".join(word[0] for word in inner if word[0].isupper())


def test_grammar_has_many_lines_for_every_kind_of_document() -> None:
    lines = Counter(
        {
            kind: len(texts)
            for kind, texts in sections("grammar.txt").items()
            if "phrase" not in kind
        }
    )
    assert set(lines) == {*KINDS, "any"}
    assert sum(lines.values()) > 200
    assert min(lines[kind] for kind in KINDS) > 21  # a document has up to 20 sentences


def test_templates_resolve_all_phrases() -> None:
    phrases = {
        "{" + name.removeprefix("phrase ") + "}"
        for name in sections("grammar.txt")
        if name.startswith("phrase ")
    }
    assert not phrases & set(template_bank().symbols)
