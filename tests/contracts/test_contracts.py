"""Every built-in keeps the promises of ``finegrain.testing``; and the checks can fail."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from finegrain.corpus import Corpus, Spans
from finegrain.errors import UsageError
from finegrain.formats import FORMATS
from finegrain.formats.segment_sets import Gathered, Kind, Segment
from finegrain.formats.source import source_of
from finegrain.metrics import METRICS, built_in
from finegrain.table import OutcomeTable
from finegrain.table.samples import Samples
from finegrain.tasks import TASKS
from finegrain.testing import check_format, check_metric, check_task, small_corpora


# those of repeated answers need several lines per item: tests/analyses/test_repeats.py
@pytest.mark.parametrize(
    "name", [one for one in METRICS if "consistency" not in METRICS[one].needs]
)
def test_metric(name: str) -> None:
    check_metric(METRICS[name])


def test_no_two_metrics_have_one_name() -> None:
    assert len(METRICS) == len(built_in())


@pytest.mark.parametrize("name", TASKS)
def test_task(name: str) -> None:
    check_task(TASKS[name])


_UNITS = ("mention", "segment", "span")  # words for units that mean nothing else in prose


@pytest.mark.parametrize("name", TASKS)
def test_a_task_speaks_of_its_own_units(name: str) -> None:
    """Also where it shares outcomes with another task."""
    task = TASKS[name]
    said = [task.counting, task.words.gold, *task.notes.values()]
    said += [text for one in task.outcomes for text in (one.wording, one.meaning, one.phrase)]
    others = "|".join(one for one in _UNITS if one != task.words.unit)
    assert [text for text in said if re.search(rf"\b({others})s?\b", text)] == []


def test_the_f1_of_answers() -> None:
    check_metric(TASKS["qa"].all_metrics()["f1"])


ANSWERS = [{"text": "71 %", "answer_start": 13}, {"text": "71", "answer_start": 13}]
QUESTIONS = [
    {"id": "q1", "question": "How much ?", "is_impossible": False, "answers": ANSWERS},
    {"id": "q2", "question": "Who ?", "is_impossible": True, "answers": []},
]
SQUAD = {"data": [{"title": "t", "paragraphs": [
    {"context": "Oceans cover 71 % of it .", "qas": QUESTIONS},
    {"context": "No .", "qas": [{**QUESTIONS[1], "id": "q3"}]},
]}, {"title": "u", "paragraphs": [
    {"context": "No .", "qas": [{**QUESTIONS[1], "id": "q4"}]},
]}]}  # fmt: skip


CONTENTS = {
    "squad": json.dumps(SQUAD).encode(),
    "answers": b'{"q1": "a \\"b\\"", "q2": ""}',
    "trec": b"q1 0 d1 2\nq1 0 d2 0\nq2\t0\td1  -1\n",
    "csv": b'id,text,label\na,"so, so",x\nb,,y\n',
    "logprobs": b'{"id": "a", "tokens": ["<s>", " so"], "logprobs": [null, -1.5]}\n'
    b'{"id": "b", "tokens": [], "logprobs": []}\n',
    "lm_eval": b'{"doc_id": 0, "doc": {"x": "a b"}, "filtered_resps": [[-1.5], [-2]]}\n',
    "boundaries": b"01001\n0001\n",
    "text": b"so it is\nno .\n\nyes\n",
    "lines": "So it is.\n\n\u2028 Ein Satz\n".encode(),
    "segments": b'id\tref\tdomain\na\t"so\tx\nb\t\ty\n',
    "vectors": b"2 3\ncat 1 0.5 -2\ndog 0 1e-3 4\n",
}


def _items() -> Corpus:
    columns = {"one": [["1"], ["0"], ["0"]], "two": [["1"], ["1"], ["0"]]}
    return Corpus.of([["q1"], ["q2"], ["q3"]], **columns)


def test_items() -> None:
    """A 0/1 table has no gold and no other systems: its cells are the outcomes."""
    table = TASKS["items"].align(_items(), {})
    assert table.outcomes == TASKS["items"].outcomes
    assert table.outcome.tolist() == [[1, 1], [0, 1], [0, 0]]
    assert table.is_gold.all()
    with pytest.raises(UsageError, match="holds its systems itself"):
        TASKS["items"].align(_items(), {"more": _items()})


def test_a_task_that_does_not_say_its_options_is_caught() -> None:
    with pytest.raises(AssertionError, match="align takes"):
        check_task(replace(TASKS["tags"], options=("layer",)))


def test_a_task_without_an_example_is_checked_with_other_corpora() -> None:
    task = replace(TASKS["tags"], example=None)
    check_task(task, *small_corpora("tags"))
    with pytest.raises(UsageError, match="has no example"):
        check_task(task)


def _segments(name: str) -> Corpus:
    """References of two writers; of all that XML can hold, sources and two systems, too."""
    texts = {"reference": ("A", "B"), "hypothesis": ("one", "two"), "source": ("",)}
    found = Gathered("gold", limit=1)
    for kind in ("reference",) if name == "sgm" else get_args(Kind):
        for writer in texts[kind]:
            for at in ("1", "2"):
                found.add(kind, Segment("d<1>", at, writer, f"a & b < {at}", 1))
    return found.corpus(name)


@pytest.mark.parametrize("name", FORMATS)
def test_format(name: str) -> None:
    gold, _ = small_corpora("spans")
    if name == "spans":
        spans = Spans.of([(0, 0, 2, "PER"), (0, 0, 5, "LOC", (0, 4)), (2, 1, 2, "ORG")])
        gold = Corpus("nested", np.array([0, 5, 5, 7]), spans=spans)
    elif name == "brat":
        spans = Spans.of([(0, 0, 2, "PER"), (0, 0, 5, "LOC", (0, 4)), (2, 1, 2, "ORG")])
        gold = replace(gold, layers={}, spans=spans)
    elif name == "segmented":
        text = [list("我们爱北京"), list("他来了"), list("好")]
        words = Spans.of([(0, 0, 2, "span"), (0, 2, 3, "span"), (0, 3, 5, "span"),
                          (1, 0, 1, "span"), (1, 1, 3, "span"), (2, 0, 1, "span")])  # fmt: skip
        gold = replace(Corpus.of(text), spans=words)
    elif name == "conllu":
        tags, _ = small_corpora("tags")
        upos = tags.layers["tags"]
        gold = replace(tags, layers={"tags": upos, "lemma": upos, "upos": upos, "xpos": upos,
                                     "feats": upos})  # fmt: skip
    elif name == "matrix":
        gold = _items()
    elif name == "items":
        lines = (
            b'{"id": "a", "text": "so so", "grade": 2.5, "of": {"x": "y"}, "all": [{"n": 1}, {}]}\n'
        )
        gold = FORMATS[name].read(
            source_of("gold", lines + b'{"id": "b", "text": null, "all": []}')
        )
    elif name in CONTENTS:
        gold = FORMATS[name].read(source_of("gold", CONTENTS[name]))
    elif name in ("sgm", "wmt"):
        gold = _segments(name)
    elif name in ("clusters", "conll2012", "corefud"):
        gold, _ = small_corpora("coreference")
        upos = gold.layers["upos"]
        layers = {"xpos": upos}
        if name == "corefud":
            layers = dict.fromkeys(("tags", "lemma", "upos", "xpos", "feats"), upos)
        gold = replace(gold, layers=layers, document_ids=("one", "two"))
    check_format(FORMATS[name], gold)


def test_a_metric_whose_statistics_do_not_add_up_is_caught() -> None:
    def doubled(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        return METRICS["accuracy"].statistics(table, samples) * (1 + (samples.size > 1))

    broken = replace(METRICS["accuracy"], statistics=doubled)
    with pytest.raises(AssertionError, match="do not add up"):
        check_metric(broken, *small_corpora("tags"))


def test_a_metric_that_depends_on_other_systems_is_caught() -> None:
    def relative(table: OutcomeTable, samples: Samples) -> NDArray[np.float64]:
        counts = METRICS["accuracy"].statistics(table, samples)
        return counts / counts.max(axis=1, keepdims=True).clip(1)

    broken = replace(METRICS["accuracy"], statistics=relative)
    with pytest.raises(AssertionError, match="another system changes"):
        check_metric(broken, *small_corpora("tags"))


def test_a_format_that_loses_a_token_is_caught() -> None:
    lossy = replace(
        FORMATS["conll"],
        write=lambda corpus: FORMATS["conll"].write(corpus).replace("notes", "note"),
    )
    with pytest.raises(AssertionError, match="sentence 2 differs"):
        check_format(lossy, small_corpora("spans")[0])
