"""Robustness: planted weaknesses are found, and nobody is accused without reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import finegrain as fg
from finegrain.adversarial_pairs import Pair, Sides, align_pairs
from finegrain.corpus import Corpus, Spans
from finegrain.errors import UsageError
from finegrain.formats import by_name
from finegrain.formats.source import source_of
from finegrain.perturbations.restoring import restored
from finegrain.tasks import TASKS, align
from finegrain.testing import small_corpora
from tests.schema import require_schema

Tagger = Callable[[list[str]], list[str]]
NAMES = {
    "Ada": "PER",
    "Grace": "PER",
    "Alan": "PER",
    "London": "LOC",
    "Paris": "LOC",
    "Oslo": "LOC",
}
FILLERS = ("met", "visited", "often", "liked", "wrote", "about", "the", "quiet", "garden", "in")


def _corpus(documents: int, seed: int) -> Corpus:
    """Documents of three sentences with names of persons and places."""
    random = np.random.default_rng(seed)
    names, text, tags = list(NAMES), [], []
    for _ in range(documents * 3):
        words = [str(one) for one in random.choice(FILLERS, 9)]
        for place in random.choice(9, 3, replace=False):
            words[place] = str(random.choice(names))
        text.append(words)
        tags.append([f"B-{NAMES[word]}" if word in NAMES else "O" for word in words])
    of_sentence = [at // 3 for at in range(documents * 3)]
    return Corpus.of(text, documents=of_sentence, tags=tags)


def _tagged(corpus: Corpus, tagger: Tagger) -> Corpus:
    text = [corpus.sentence(at) for at in range(corpus.n_sentences)]
    documents = None if corpus.documents is None else corpus.documents.tolist()
    return Corpus.of(text, documents=documents, tags=[tagger(words) for words in text])


def _by_list(words: list[str]) -> list[str]:
    """Knows names as they are written in its list, and nothing else."""
    return [f"B-{NAMES[word]}" if word in NAMES else "O" for word in words]


def _noisy(corpus: Corpus, random: np.random.Generator) -> Corpus:
    """The gold tags with errors that depend on nothing, different ones each time."""
    tags = list(corpus.layers["tags"])
    for at in np.flatnonzero(random.random(len(tags)) < 0.06).tolist():
        tags[at] = "O" if tags[at] != "O" else "B-PER"
    text = [corpus.sentence(at) for at in range(corpus.n_sentences)]
    ends = corpus.offsets.tolist()
    rows = [tags[ends[at] : ends[at + 1]] for at in range(corpus.n_sentences)]
    assert corpus.documents is not None
    return Corpus.of(text, documents=corpus.documents.tolist(), tags=rows)


CONDITIONS = {"lower": 1.0, "typos": 0.3, "synonyms": 1.0, "no-punctuation": 1.0}


def test_a_fragile_tagger_is_found_with_the_right_perturbation_first() -> None:
    gold = _corpus(40, 1)
    copies = {}
    for name, rate in CONDITIONS.items():
        copy = fg.perturb(gold, name, rate=rate)
        copies[name] = copy, {"list": _tagged(copy.corpus, _by_list)}
    table = fg.align_perturbed(gold, {"list": _tagged(gold, _by_list)}, copies)
    found = fg.robustness(table, resamples=1000, intervals=200)
    assert [drop.condition for drop in found.drops][:2] == ["lower", "typos"]
    assert [drop.hurts for drop in found.drops] == [True, True, False, False]
    lower = found.drops[0]
    assert (lower.original, lower.value) == (1.0, 0.0)
    assert lower.broken == lower.n == sum(tag != "O" for tag in gold.layers["tags"])
    assert (found.worst[0].original, found.worst[0].value) == (1.0, 0.0)
    assert {one.condition for one in found.weak} == {"lower", "typos"}
    assert {one.condition for one in found.shown} == {"lower", "typos"}


def test_a_robust_tagger_is_accused_in_few_runs() -> None:
    """Its errors are other ones on every copy, and just as frequent: at most 5 % of runs."""
    accused = 0
    for run in range(40):
        random = np.random.default_rng(run)
        gold = _corpus(15, run)
        copies = {}
        for name, rate in CONDITIONS.items():
            copy = fg.perturb(gold, name, rate=rate, seed=run)
            copies[name] = copy, {"robust": _noisy(copy.corpus, random)}
        table = fg.align_perturbed(gold, {"robust": _noisy(gold, random)}, copies)
        found = fg.robustness(table, resamples=400, intervals=50, seed=run)
        accused += any(drop.hurts for drop in found.drops)
        assert found.weak == () or any(drop.hurts for drop in found.drops)
    assert accused <= 4  # more than 4 of 40 have a probability below 5 % where 5 % are allowed


@pytest.mark.parametrize("task", ["spans", "tags", "dependencies"])
@pytest.mark.parametrize("name", ["typos", "upper", "truncation", "split-words", "join-words"])
def test_a_system_that_stands_everything_loses_nothing(task: str, name: str) -> None:
    """Its output on the copy is what became of its output on the original."""
    gold, systems = small_corpora(task)
    copy = fg.perturb(gold, name, rate=0.6)
    outputs = {one: fg.perturb(own, name, rate=0.6).corpus for one, own in systems.items()}
    if name in ("split-words", "join-words", "truncation") and task == "spans":
        outputs = {"gold": copy.corpus}
        systems = {"gold": gold}
    elif name == "truncation":
        systems, outputs = {"gold": gold}, {"gold": copy.corpus}
    table = fg.align_perturbed(gold, systems, {name: (copy, outputs)}, task=task)
    found = fg.robustness(table, resamples=50, intervals=50, by=["label"])
    for drop in found.drops:
        assert drop.comparison.difference == 0
        assert drop.flips.broken == drop.flips.fixed == 0
        assert drop.flips.consistent == drop.flips.n


def test_a_wrong_span_in_the_copy_is_wrong_in_the_original() -> None:
    gold = replace(Corpus.of([["visit", "Vienna"]]), spans=Spans.of([(0, 1, 2, "LOC")]))
    copy = fg.perturb(gold, "split-words", rate=1.0)
    half = replace(copy.corpus, spans=Spans.of([(0, 3, 4, "LOC")]))
    back = restored(half, gold, copy.changes)
    table = align(gold, {"half": back})
    assert not table.outcomes.codes(lambda one: one.right)[table.outcome[table.is_gold]].any()


def test_units_that_were_cut_off_are_compared_nowhere() -> None:
    text = [["Ada", "met", "Alan", "in", "London", "today"]]
    gold = Corpus.of(text * 8, tags=[["B-PER", "O", "B-PER", "O", "B-LOC", "O"]] * 8)
    copy = fg.perturb(gold, "truncation", rate=0.5)  # three words stay: two of three spans
    output = copy.corpus
    table = fg.align_perturbed(gold, {"s": gold}, {"truncation": (copy, {"s": output})})
    (drop,) = fg.robustness(table, resamples=50, intervals=50).drops
    assert (drop.n, drop.value, drop.broken) == (16, 1.0, 0)


def _items(text: str) -> Corpus:
    return by_name("items").read(source_of("items", text.encode()))


def test_pairs_of_contrast_sets() -> None:
    """q1: the answer should change and does; q2: it should change and does not; q3: the same."""
    rows = {
        "q1": ("fine film", "pos"), "q1c": ("no fine film", "neg"),
        "q2": ("dull film", "neg"), "q2c": ("no dull film", "pos"),
        "q3": ("fine plot", "pos"), "q3t": ("fien plot", "pos"),
    }  # fmt: skip
    gold = _items("".join(
        json.dumps({"id": one, "text": text, "label": label}) + "\n"
        for one, (text, label) in rows.items()
    ))  # fmt: skip
    answers = {"q1": "pos", "q1c": "neg", "q2": "neg", "q2c": "neg", "q3": "pos", "q3t": "neg"}
    system = _items(
        "".join(json.dumps({"id": one, "label": label}) + "\n" for one, label in answers.items())
    )
    pairs = [
        Pair("q1", "q1c", "negation", "changes"), Pair("q2", "q2c", "negation", "changes"),
        Pair("q3", "q3t", "typo", "same"),
    ]  # fmt: skip
    table = align_pairs(
        Sides(gold, gold), {"s": Sides(system, system)}, pairs, TASKS["classification"],
        lambda one, outputs, task: align(one, outputs, task=task),
    )  # fmt: skip
    found = fg.robustness(table, resamples=50, intervals=50)
    drops = {drop.condition: drop for drop in found.drops}
    assert (drops["negation"].n, drops["negation"].flips) == (2, (1, 0, 1, 2))
    assert (drops["typo"].n, drops["typo"].flips) == (1, (1, 0, 0, 1))
    assert found.worst[0].value == pytest.approx(1 / 3)
    changed = table.corpus.parts["changes"]
    assert [changed.fields["new"][at] for at in range(changed.size)] == ["no", "no", "fien"]


def test_answers_follow_options_that_were_moved() -> None:
    lines = [
        {"id": f"q{at}", "question": f"what is {at}?", "choices": [f"a{at}", f"b{at}", f"c{at}"],
         "label": "ABC"[at % 3]} for at in range(12)
    ]  # fmt: skip
    gold = _items("".join(json.dumps(one) + "\n" for one in lines))
    copy = fg.perturb(gold, "options")
    right = [copy.corpus.fields["label"][at] for at in range(12)]

    def output(answers: list[str]) -> Corpus:
        rows = [json.dumps({"id": f"q{at}", "label": one}) for at, one in enumerate(answers)]
        return _items("\n".join(rows) + "\n")

    original = output([line["label"] for line in lines])
    given = {"options": (copy, {"right": output(right), "first": output(["A"] * 12)})}
    systems = {"right": original, "first": output(["A"] * 12)}
    table = fg.align_perturbed(gold, systems, given, task="classification")
    found = fg.robustness(table, resamples=50, intervals=50)
    assert (found.of("right")[0].value, found.of("right")[0].broken) == (1.0, 0)
    assert found.of("right")[0].flips.consistent == 12
    assert found.of("first")[0].value == right.count("A") / 12


def test_probabilities_go_where_their_options_were() -> None:
    questions = [
        {"id": f"q{at}", "question": f"what is {at}?", "choices": [f"a{at}", f"b{at}", f"c{at}"],
         "label": "ABC"[at % 3]} for at in range(12)
    ]  # fmt: skip
    gold = _items("".join(json.dumps(one) + "\n" for one in questions))
    copy = fg.perturb(gold, "options")

    def output(corpus: Corpus, letters: str = "ABC") -> Corpus:
        """A system that goes by the texts of options: 0.6 for those with a, 0.3 with b."""
        rows = corpus.parts["choices"].fields["value"]
        chance = {"a": 0.6, "b": 0.3, "c": 0.1}
        lines = []
        for at in range(12):
            own = [chance[rows[3 * at + place][0]] for place in range(3)]
            told = {f"probabilities.{name}": one for name, one in zip("ABC", own, strict=True)}
            told = {name: one for name, one in told.items() if name[-1] in letters}
            best = "ABC"[own.index(max(own))]
            lines.append(json.dumps({"id": f"q{at}", "label": best, "confidence": 0.6, **told}))
        return _items("\n".join(lines) + "\n")

    table = fg.align_perturbed(
        gold, {"s": output(gold)}, {"options": (copy, {"s": output(copy.corpus)})},
        task="classification",
    )  # fmt: skip
    chances = table.details["probability"]
    assert (chances[:, 1] == chances[:, 0]).all()
    assert (table.answer[:, 1] == table.answer[:, 0]).all()
    # a system that gives the most likely option only: where that was moved, there is no column
    lines = [f'{{"id": "q{at}", "label": "A", "probabilities.A": 1.0}}' for at in range(12)]
    alone = _items("\n".join(lines) + "\n")
    partial = fg.align_perturbed(
        gold, {"s": alone}, {"options": (copy, {"s": alone})}, task="classification"
    )
    assert np.isnan(partial.details["probability"][:, 1]).all()
    (note,) = (one for one in partial.notes if "left out" in one)
    moved = sum(one.new[0] != one.old[0] for one in copy.changes)
    assert note.startswith(f"s@options: probabilities of {moved} questions have no column")


def test_chains_of_a_text_that_was_cut_off_are_not_compared() -> None:
    gold, _ = small_corpora("coreference")
    copy = fg.perturb(gold, "truncation", rate=0.6)
    assert copy.changes
    with pytest.raises(UsageError, match="depends on every mention of the text"):
        fg.align_perturbed(
            gold, {"s": gold}, {"cut": (copy, {"s": copy.corpus})}, task="coreference"
        )


def test_json_keeps_to_the_schema() -> None:
    from finegrain.views.text_formats import as_json

    gold = _corpus(10, 3)
    copy = fg.perturb(gold, "lower")
    outputs = {"list": _tagged(copy.corpus, _by_list)}
    table = fg.align_perturbed(gold, {"list": _tagged(gold, _by_list)}, {"lower": (copy, outputs)})
    result = fg.robustness(table, resamples=1000, intervals=100)
    document = json.loads(as_json(result, command="finegrain robustness"))
    require_schema(document, "robustness")
    assert document["result"]["systems"]["list"]["drops"][0]["hurts"] is True
    assert document["result"]["units"][0]["segments"]
    assert "[" in str(result)


def test_a_table_with_conditions_is_saved_and_analysed_like_any_other(tmp_path: object) -> None:
    gold = _corpus(10, 3)
    copy = fg.perturb(gold, "truncation")
    outputs = {"list": _tagged(copy.corpus, _by_list)}
    table = fg.align_perturbed(gold, {"list": gold}, {"truncation": (copy, outputs)})
    path = f"{tmp_path}/table.parquet"
    table.save(path)
    again = fg.load(path)
    one, two = (fg.robustness(each, resamples=50, intervals=50) for each in (table, again))
    assert str(one) == str(two)
    assert fg.score(again).systems == ("list", "list@truncation")


def test_tables_without_conditions_are_refused() -> None:
    gold, systems = small_corpora("tags")
    with pytest.raises(fg.UsageError, match="no conditions"):
        fg.robustness(align(gold, systems))
