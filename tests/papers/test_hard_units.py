"""Hard units of BC5 chemical, 12 systems: Gianola et al. (2021), and what they left for later.

Golden values: reference/differential_evaluation.json, bc5_chemical.extras. Systems stand in the
alphabetical order of the files, which is the reference's.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import finegrain as fg
from finegrain.analyses.compare.difficulty import bins
from finegrain.attributes import by_name
from finegrain.corpus import Corpus
from finegrain.table.outside import within_spans

COLUMNS = {"token": 1, "gold": 2, "answer": 3}


class Read(NamedTuple):
    gold: Corpus
    systems: dict[str, Corpus]


@pytest.fixture(scope="module")
def read(shared: Path) -> Read:
    folder = shared / "data" / "ner" / "bc5-chemical"
    paths = [path for path in sorted(folder.glob("*.tsv.gz")) if not path.name.startswith("item-")]
    files = {path.name: fg.read(str(path), columns=COLUMNS) for path in paths}
    assert len(files) == 12
    first = next(iter(files.values()))
    gold = Corpus("gold", first.offsets, first.tokens, {"tags": first.layers["gold"]})
    return Read(gold, {
        name: Corpus(name, one.offsets, one.tokens, {"tags": one.layers["answer"]})
        for name, one in files.items()
    })  # fmt: skip


@pytest.fixture(scope="module")
def tags(read: Read) -> fg.OutcomeTable:
    return fg.align(*read, task="tags")


@pytest.fixture(scope="module")
def tokens(tags: fg.OutcomeTable) -> fg.OutcomeTable:
    return within_spans(tags)


@pytest.fixture(scope="module")
def spans(read: Read) -> fg.OutcomeTable:
    return fg.align(*read)


@pytest.fixture(scope="module")
def extras(reference: Callable[[str], Any]) -> dict[str, Any]:
    found: dict[str, Any] = reference("differential_evaluation.json")["bc5_chemical"]["extras"]
    return found


def test_features_by_bin(tokens: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    golden = extras["bin_features_token_level"]
    found = fg.features(tokens)
    assert found.sizes.tolist() == [one["n"] for one in golden]
    means = dict(zip((one.name for one in found.numbers), found.means, strict=True))

    def of(key: str) -> Any:
        return pytest.approx([one[key] for one in golden], abs=1e-12)

    assert means["sentence_length"].tolist() == of("mean_sentence_length")
    assert means["characters_per_token"].tolist() == of("mean_chars_per_token")
    assert (means["hapax"] * found.sizes).tolist() == of("n_hapax_in_test_data")
    [mix] = found.mixes
    assert (100 * mix.shares[mix.values.index("I-chem")]).tolist() == of("pct_I_tag")


def test_tokens_that_are_punctuation(tokens: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    """The reference counts tokens without letters and digits: here, those of punctuation only."""
    share = by_name("punctuation_share").values(tokens)
    found = np.bincount(bins(tokens)[np.asarray(share) == 1], minlength=13)
    golden = [one["n_punct(no alnum char)"] for one in extras["bin_features_token_level"]]
    assert found.tolist() == golden


def test_entities_by_length(spans: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    golden = extras["entity_level_lenient"]["bins_by_entity_length(4=>=4)"]
    length = np.asarray(by_name("entity_length").values(spans))[spans.is_gold]
    bin_of = bins(spans)[spans.is_gold]
    for name, sizes in golden.items():
        rows = length == int(name) if int(name) < 4 else length >= 4
        assert np.bincount(bin_of[rows], minlength=13).tolist() == sizes


def test_calcium_is_table_7(tokens: fg.OutcomeTable) -> None:
    found = fg.words(tokens, "calcium")
    assert found.counts[0].tolist() == [0, 1, 0, 0, 1, 1, 0, 0, 0, 2, 1, 0, 29]
    assert found.occurrences.tolist() == [35]
    assert [one.bin for one in found.mentions][:6] == [1, 4, 5, 9, 9, 10]


def test_words_across_bins(tokens: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    assert len(extras["word_distribution"]) == 24
    for word, golden in extras["word_distribution"].items():
        found = fg.words(tokens, word)
        assert found.counts[0].tolist() == golden["bins"], word
        assert int(found.counts.sum()) == golden["gold_occurrences"], word
        assert found.occurrences.tolist() == [golden["corpus_occurrences"]], word


def test_most_spread_words(tokens: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    """The reference leaves open which of two equally spread and frequent words comes first."""
    golden = extras["most_spread_words"]
    found = fg.words(tokens, limit=len(golden))
    ours = dict(zip(found.words, found.counts.tolist(), strict=True))
    assert ours == {one["word"]: one["bins"] for one in golden}
    ranks = [(one["n_distinct_bins"], one["n_gold"]) for one in golden]
    assert list(zip(found.spread.tolist(), found.counts.sum(axis=1).tolist(), strict=True)) == ranks


def test_number_of_distinct_gold_words(
    read: Read, tokens: fg.OutcomeTable, extras: dict[str, Any]
) -> None:
    """1,122, not the reference's 1,129.

    Counted here from the file itself. The reference has seven words more: as many as it lists in
    word_distribution without a single gold mention.
    """
    words = read.gold.tokens
    assert words is not None
    gold = zip(words.slice(0, len(words)), read.gold.layers["tags"], strict=True)
    distinct = {word.lower() for word, tag in gold if tag != "O"}
    assert fg.words(tokens).found == len(distinct) == 1122
    never = [one for one in extras["word_distribution"].values() if not one["gold_occurrences"]]
    assert extras["n_distinct_gold_words"] == 1122 + len(never)


def test_invented_tokens(tags: fg.OutcomeTable, extras: dict[str, Any]) -> None:
    found = fg.invented(tags)
    golden = "token_fp_bins(gold O tokens by number of systems predicting non-O)"
    assert found.sizes.tolist() == extras[golden]
    assert found.by_system.tolist() == list(extras["token_fp_per_system_per_bin"].values())


@pytest.mark.parametrize(
    ("policy", "level"),
    [("conlleval", "entity_level_lenient"), ("discard", "entity_level_strict_iob2")],
)
def test_invented_spans(read: Read, extras: dict[str, Any], policy: str, level: str) -> None:
    golden = extras[level]
    found = fg.invented(fg.align(*read, policy=policy))
    sizes = golden["fp_span_bins(distinct FP spans by number of systems producing exactly it)"]
    assert found.sizes.tolist() == [0, *(sizes.get(str(one), 0) for one in range(1, 13))]
    systems = golden["per_system"].values()
    assert found.by_system.sum(axis=1).tolist() == [one["FP"] for one in systems]
    assert found.gold_by_system.sum(axis=1).tolist() == [one["TP"] for one in systems]


def test_gold_errors_come_first(spans: fg.OutcomeTable) -> None:
    """All 12 find two mentions of cocaine that the gold standard, which has 98 others, lacks."""
    found = fg.triage(spans, at_least=12)
    invented = [one for one in found.units() if one.gold is None and one.text == "cocaine"]
    assert [(one.agree, one.elsewhere) for one in invented] == [(12, 98), (12, 98)]
    sizes = fg.invented(spans).sizes
    assert sum(one.gold is None for one in found.units()) <= sizes[12] == 40
