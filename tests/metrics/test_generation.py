"""BLEU, chrF and TER equal sacrebleu's to the last digits: on made-up texts and on TED talks."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

import finegrain as fg
from finegrain.alignment.segment_measures import per_segment
from finegrain.corpus import Corpus, Texts
from finegrain.corpus.items import of_fields
from finegrain.formats import read
from finegrain.metrics.generation import bleu_of_segments
from finegrain.table import OutcomeTable

_WORDS = (
    "the cat sat on a mat .", "The Katze saß auf der Matte , ja !", "мама мыла раму .",
    "我们 爱 北京 。", "3.5 km -- (so) \"said\" he's <skipped> &amp; 1,233",
)  # fmt: skip
OURS = {"bleu": BLEU, "chrf": CHRF, "chrf++": CHRF, "ter": TER}


def lines(name: str, texts: list[str]) -> Corpus:
    return of_fields(name, {"text": Texts.of(texts)}, format="lines")


def _text(draw: random.Random) -> str:
    words = draw.choice(_WORDS).split()
    return " ".join(draw.choice(words) for _ in range(draw.choice([0, 1, 3, 8, 15])))


def _texts(seed: int, size: int = 40) -> tuple[list[list[str]], list[list[str]]]:
    """Two systems and two references, which share words."""
    draw = random.Random(seed)
    first = [_text(draw) or "so" for _ in range(size)]
    sides = []
    for _ in range(3):
        texts = []
        for text in first:
            words = text.split()
            draw.shuffle(words)
            kept = words[: draw.randint(0, len(words))] + _text(draw).split()[:2]
            texts.append(draw.choice([text, " ".join(kept), " ".join(kept).upper(), ""]))
        sides.append(texts)
    return sides[:2], [first, sides[2]]


def _oracle(metric: str, **options: Any) -> Any:
    return OURS[metric](**({"word_order": 2} if metric == "chrf++" else {}), **options)


@pytest.mark.parametrize("references", [1, 2])
@pytest.mark.parametrize("seed", range(4))
def test_scores_and_signatures_are_those_of_sacrebleu(seed: int, references: int) -> None:
    systems, gold = _texts(seed)
    table = fg.align(
        lines("gold", gold[0]),
        {name: lines(name, own) for name, own in zip("ab", systems, strict=True)},
        task="generation",
        references=[lines("further", gold[1])] if references > 1 else "",
    )
    found = fg.score(table, list(OURS))
    for metric in OURS:
        for name, own in zip("ab", systems, strict=True):
            oracle = _oracle(metric)
            expected = oracle.corpus_score(own, gold[:references])
            assert found.value(metric, name) == pytest.approx(expected.score, abs=1e-9)
            assert found.signatures[metric] == str(oracle.get_signature())


@pytest.mark.parametrize("options", [
    ({"tokenize": "char"}, {"tokenize": "char"}), ({"tokenize": "intl"}, {"tokenize": "intl"}),
    ({"tokenize": "zh"}, {"tokenize": "zh"}), ({"case": "lower"}, {"lowercase": True}),
])  # fmt: skip
def test_tokenizers_and_case(options: tuple[dict[str, str], dict[str, Any]]) -> None:
    ours, theirs = options
    systems, gold = _texts(7)
    table = fg.align(
        lines("gold", gold[0]), {"a": lines("a", systems[0])}, task="generation", **ours
    )
    found = fg.score(table, "bleu")
    oracle = BLEU(**theirs)
    assert found.value("bleu", "a") == pytest.approx(
        oracle.corpus_score(systems[0], gold[:1]).score
    )
    assert found.signatures["bleu"] == str(oracle.get_signature())


def test_segments_have_the_scores_of_sentences() -> None:
    systems, gold = _texts(3)
    table = fg.align(lines("gold", gold[0]), {"a": lines("a", systems[0])}, task="generation")
    single = bleu_of_segments(per_segment(table, "bleu"))[:, 0]
    oracle = BLEU(effective_order=True)
    for row, (output, reference) in enumerate(zip(systems[0], gold[0], strict=True)):
        assert single[row] == pytest.approx(oracle.sentence_score(output, [reference]).score)
        expected = CHRF().sentence_score(output, [reference]).score
        assert table.values["chrf"].matrix[row, 0] == pytest.approx(expected)


def test_segments_with_different_numbers_of_references() -> None:
    records = ['{"id": "a", "references": ["so it is", "it is so"]}',
               '{"id": "b", "references": ["no"]}']  # fmt: skip
    from finegrain.formats import items
    from finegrain.formats.source import source_of

    gold = items.read(source_of("gold", "\n".join(records).encode()))
    mine = items.read(source_of("m", b'{"id":"b","output":"no"}\n{"id":"a","output":"it is"}'))
    found = fg.score(fg.align(gold, {"m": mine}, task="generation"), ["bleu", "chrf", "ter"])
    for metric in ("bleu", "chrf", "ter"):
        oracle = _oracle(metric)
        expected = oracle.corpus_score(["it is", "no"], [["so it is", "no"], ["it is so", None]])
        assert found.value(metric, "m") == pytest.approx(expected.score)
        assert found.signatures[metric] == str(oracle.get_signature())


def test_parts_of_a_table_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from finegrain.alignment import segment_measures, translation_edits

    calls: list[int] = []

    def counting(texts: Any, settings: Any) -> Any:
        calls.append(texts.n_segments)
        return translation_edits.counts(texts, settings)

    monkeypatch.setitem(segment_measures.MEASURES, "ter", counting)
    systems, gold = _texts(5)
    table = fg.align(
        lines("gold", gold[0]),
        {name: lines(name, own) for name, own in zip("ab", systems, strict=True)},
        task="generation",
    )
    whole = per_segment(table, "ter")
    part = table.where(np.arange(len(table)) % 2 == 0).only([1])
    assert np.array_equal(per_segment(part, "ter")[:, 0], whole[::2, 1])
    assert calls == [40]


TED = ("sys1-pbmt", "ted.sys1"), ("sys2-nmt", "ted.sys2")


@pytest.fixture(scope="module")
def ted(shared: Path) -> tuple[dict[str, Any], dict[str, OutcomeTable]]:
    folder = shared / "data" / "generation" / "ted-slk-eng"
    golden = json.loads((folder / "reference.json").read_text())
    tables = {}
    for kind, middle in (
        ("tokenised (ted.*.eng)", ""),
        ("detokenised (ted.*.detok.eng)", ".detok"),
    ):
        gold = read(str(folder / f"ted.ref{middle}.eng"), format="lines")
        systems = {name: read(str(folder / f"{stem}{middle}.eng"), format="lines")
                   for name, stem in TED}  # fmt: skip
        tables[kind] = fg.align(gold, systems, task="generation")
    return golden, tables


@pytest.mark.parametrize("kind", ["tokenised (ted.*.eng)", "detokenised (ted.*.detok.eng)"])
def test_the_reference_values_of_ted(
    ted: tuple[dict[str, Any], dict[str, OutcomeTable]], kind: str
) -> None:
    golden, tables = ted
    found = fg.score(tables[kind], ["bleu", "chrf", "chrf++"])
    names = {"bleu": "BLEU", "chrf": "chrF2", "chrf++": "chrF2++"}
    for name, _ in TED:
        expected = golden[kind]["systems"][name]
        for metric, key in names.items():
            assert found.value(metric, name) == pytest.approx(expected[key]["score"], abs=1e-9)
            version = re.compile(r"version:.*")
            assert version.sub("", found.signatures[metric]) == version.sub(
                "", expected[key]["signature"]
            )
        first = expected["sentence_level_first5"]["BLEU(effective_order)"]
        single = bleu_of_segments(per_segment(tables[kind], "bleu")[:5])
        system = tables[kind].system(name)
        assert single[:, system].tolist() == pytest.approx(first)
        graded = tables[kind].values["chrf"].matrix[:5, system].tolist()
        assert graded == pytest.approx(expected["sentence_level_first5"]["chrF2"])


def test_ter_of_some_segments_of_ted(
    ted: tuple[dict[str, Any], dict[str, OutcomeTable]], shared: Path
) -> None:
    """All of them take sacrebleu eight seconds; the numbers come from it in any case."""
    _, tables = ted
    table = tables["detokenised (ted.*.detok.eng)"].where(np.arange(2445) < 100)
    folder = shared / "data" / "generation" / "ted-slk-eng"
    texts = [(folder / f"ted.{one}.detok.eng").read_text().splitlines()[:100]
             for one in ("sys1", "ref")]  # fmt: skip
    expected = TER().corpus_score(texts[0], [texts[1]]).score
    assert fg.score(table, "ter").value("ter", "sys1-pbmt") == pytest.approx(expected)
