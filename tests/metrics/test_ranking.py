"""Measures of rankings: worked by hand, equal to trec_eval's on random sets, and their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.alignment.query_measures import interpolated_precision, per_query
from finegrain.errors import UsageError
from finegrain.formats.source import source_of
from finegrain.formats.trec import read
from finegrain.metrics.choosing import chosen
from finegrain.metrics.ranking import parse
from finegrain.table.samples import sentences
from finegrain.tasks import TASKS

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def _table(qrels: Qrels, run: Run) -> fg.OutcomeTable:
    judged = [f"{q} 0 {d} {g}" for q, own in qrels.items() for d, g in own.items()]
    ranked = [f"{q} Q0 {d} 1 {s!r} x" for q, own in run.items() for d, s in own.items()]
    gold = read(source_of("qrels", "\n".join(judged).encode()))
    return fg.align(gold, {"run": read(source_of("run", "\n".join(ranked).encode()))})


def _by_query(table: fg.OutcomeTable, name: str) -> dict[str, float]:
    metric = parse(name)
    assert metric is not None
    values = metric.score(metric.statistics(table, sentences(table)))[:, 0]
    return dict(zip(table.corpus.fields["id"], values.tolist(), strict=True))


# Ranking of q1: a(2) b(0) x(unjudged) c(1) d(0); e(3) is relevant and missed; f(0) is not found.
WORKED = {
    "P@5": 2 / 5,
    "P(rel=2)@5": 1 / 5,
    "R@2": 1 / 3,
    "Success@1": 1.0,
    "Success(rel=3)@5": 0.0,
    "RR": 1.0,
    "RR(rel=3)": 0.0,
    # precisions 1 and 2 / 4, of three
    "AP": 0.5,
    "AP@3": 1 / 3,
    # the first three hold one of three
    "Rprec": 1 / 3,
    # a has none above it, c has b: 1 - min(1, 3) / min(3, 3); R = 3
    "bpref": (1 + 2 / 3) / 3,
    # 2 / log2(2) + 1 / log2(5), by 3 / log2(2) + 2 / log2(3) + 1 / log2(4)
    "nDCG": (2 + 1 / np.log2(5)) / (3 + 2 / np.log2(3) + 0.5),
    "nDCG@1": 2 / 3,
    # all but x; five documents
    "Judged@10": 4 / 5,
    "Judged@3": 2 / 3,
    # 3/16 + (1 - 3/16) * 1/16 / 4 = 0.2001953
    "ERR@20": 0.20020,
    "ERR@1": 0.1875,
    # half of 1 and 1 / 8
    "RBP(p=0.5)": 0.5625,
    "RBP(p=0.5)@3": 0.5,
}


@pytest.mark.parametrize("name", WORKED)
def test_a_ranking_worked_by_hand(name: str) -> None:
    qrels = {"q1": {"a": 2, "b": 0, "c": 1, "d": 0, "e": 3, "f": 0}}
    run = {"q1": {"a": 5.0, "b": 4.0, "x": 3.0, "c": 2.0, "d": 1.0}}
    assert _by_query(_table(qrels, run), name)["q1"] == pytest.approx(WORKED[name], abs=1e-12)


def test_equal_scores_rank_by_document_from_the_end() -> None:
    """d9 stands before d10 as a string; 1.00000001 is 1 as a 32-bit number."""
    run = {"q": {"d10": 1.0, "d9": 1.00000001, "d1": 1.0}}
    table = _table({"q": {"d9": 1}}, run)
    assert _by_query(table, "RR") == {"q": 1.0}
    assert _by_query(_table({"q": {"d10": 1}}, run), "RR") == {"q": 0.5}
    assert "ties:score32,document-descending" in fg.score(table).signature


def test_queries_count_0_if_a_run_has_them_not_or_nothing_is_relevant() -> None:
    table = _table(
        {"a": {"d": 1}, "b": {"d": 1}, "c": {"d": 0}}, {"a": {"d": 1.0}, "c": {"d": 1.0}}
    )
    assert _by_query(table, "AP") == {"a": 1.0, "b": 0.0, "c": 0.0}
    assert fg.score(table, "AP").value("AP", "run") == pytest.approx(1 / 3)
    assert [table.outcomes.names[code] for code in table.outcome[:, 0]] == [
        "FOUND", "UNRANKED", "NONE",
    ]  # fmt: skip
    assert table.notes == (
        "1 query without a relevant document counts 0, as in trec_eval",
        "run: 1 of 3 queries is not in the run and counts 0",
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ndcg@10", "nDCG@10"), ("NDCG", "nDCG"), ("MAP", "AP"), ("mrr@10", "RR@10"),
        ("Bpref", "bpref"), ("AP(rel=1)", "AP"), ("AP( rel = 2 )@100", "AP(rel=2)@100"),
        ("RBP", "RBP(p=0.8)"), ("RBP(p=0.5, rel=2)", "RBP(p=0.5,rel=2)"), ("err@20", "ERR@20"),
    ],
)  # fmt: skip
def test_names_of_measures_parse(text: str, name: str) -> None:
    found = parse(text)
    assert found is not None
    assert found.name == name
    assert parse(name) == found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P", "needs a cutoff"), ("P@0", "cutoff of 'P@0' is 0"), ("Rprec@5", "takes no cutoff"),
        ("AP(p=0.5)", "unknown parameter of AP 'p'"), ("AP(rel=x)", "'rel=x' is not a number"),
        ("RBP(p=1)", "p is between 0 and 1"), ("AP(rel=0)", "rel is 1 or more"),
    ],
)  # fmt: skip
def test_names_that_are_written_badly_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(text)


def test_a_name_of_no_measure_is_unknown() -> None:
    task = TASKS["ranking"]
    with pytest.raises(UsageError, match=r"unknown metric 'nDGC@10'\. Did you mean 'nDCG@10'"):
        chosen(task, "nDGC@10")


def test_grades_above_4_have_no_err() -> None:
    table = _table({"q": {"d": 5}}, {"q": {"d": 1.0}})
    with pytest.raises(
        UsageError, match="ERR is for grades up to 4, and there are documents with 5"
    ):
        fg.score(table, "ERR@20")


_DOCUMENTS = [f"d{number}" for number in range(12)] + ["é", "z" * 20, "z" * 20 + "a"]
_SCORES = st.sampled_from([0.0, 1.0, 1.00000001, 0.99999999, -2.5, 3.25, 1e-50, 1e10, 7.0])
_MEASURES = {
    "AP": "map", "AP@5": "map_cut_5", "RR": "recip_rank", "P@5": "P_5", "P@10": "P_10",
    "R@5": "recall_5", "R@100": "recall_100", "Rprec": "Rprec", "bpref": "bpref",
    "Success@1": "success_1", "Success@5": "success_5", "nDCG": "ndcg", "nDCG@10": "ndcg_cut_10",
    "nDCG@5": "ndcg_cut_5",
}  # fmt: skip


def _sets(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, dict[str, Any]]]:
    documents = st.dictionaries(st.sampled_from(_DOCUMENTS), values, min_size=1, max_size=12)
    return st.dictionaries(st.sampled_from(["1", "2", "3", "10"]), documents, min_size=1)


@settings(max_examples=500)
@given(_sets(st.integers(-2, 3)), _sets(_SCORES), st.integers(1, 3))
def test_equal_to_trec_eval_on_random_sets(qrels: Qrels, run: Run, rel: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="needs pytrec_eval-terrier")
    for own in qrels.values():
        if max(own.values()) < 0:  # pytrec_eval does not survive a query without any other grade
            own["never"] = 0
    if not set(qrels) & set(run):
        run = {next(iter(qrels)): next(iter(run.values()))}
    wanted = {*_MEASURES.values(), "iprec_at_recall"}
    known = pytrec_eval.RelevanceEvaluator(qrels, wanted, relevance_level=rel).evaluate(run)
    table = _table(qrels, run)
    for name, theirs in _MEASURES.items():
        ours = name if rel == 1 or name.startswith("nDCG") else _with_rel(name, rel)
        for query, value in _by_query(table, ours).items():
            expected = known[query][theirs] if query in known else 0.0
            assert value == pytest.approx(expected, abs=1e-12), (ours, query)
    for place in range(11):
        found = per_query(
            table, lambda one, at=place: interpolated_precision(one, recall=at / 10, rel=rel)
        )
        for query, value in zip(table.corpus.fields["id"], found[:, 0], strict=True):
            level = f"iprec_at_recall_{place / 10:.2f}"
            assert value == pytest.approx(known.get(query, {}).get(level, 0.0), abs=1e-12)


def _with_rel(name: str, rel: int) -> str:
    kind, at, cutoff = name.partition("@")
    return f"{kind}(rel={rel}){at}{cutoff}"


def test_judged_and_err_equal_those_of_ir_measures_on_500_random_queries() -> None:
    """Without ties, which ir_measures breaks in another way for Judged; gdeval is a program."""
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures")
    draw = np.random.default_rng(2)
    qrels: Qrels = {}
    run: Run = {}
    for query in map(str, range(500)):
        judged, ranked = (
            draw.permutation(_DOCUMENTS)[: draw.integers(1, len(_DOCUMENTS))].tolist()
            for _ in range(2)
        )
        lowest, highest = draw.integers(-2, 2), draw.integers(1, 5)  # also: only relevant ones
        grades = draw.integers(min(lowest, highest), highest, len(judged), endpoint=True).tolist()
        qrels[query] = dict(zip(judged, grades, strict=True))
        run[query] = {name: float(-at) for at, name in enumerate(ranked)}
    table = _table(qrels, run)
    names = ["Judged@3", "Judged@10", "RR@3"]
    if ir_measures.providers.registry["gdeval"].is_available():
        names += ["ERR@5", "ERR@20"]
    asked = [ir_measures.parse_measure(name) for name in names]
    found = {str(measure): _by_query(table, str(measure)) for measure in asked}
    compared = list(ir_measures.iter_calc(asked, qrels, run))
    assert len(compared) == 500 * len(names)
    for one in compared:
        own = found[str(one.measure)][one.query_id]
        assert own == pytest.approx(one.value, abs=1e-12), (one.measure, one.query_id)


def test_measures_of_aggregates_equal_those_of_ir_measures() -> None:
    """Means are over the queries of the judgements, as in ir_measures."""
    ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures")
    pytest.importorskip("pytrec_eval", reason="needs pytrec_eval-terrier")
    draw = np.random.default_rng(3)
    documents = [f"doc{number}" for number in range(60)]
    qrels = {
        str(q): {d: int(draw.integers(-1, 4)) for d in draw.choice(documents, 20, replace=False)}
        for q in range(30)
    }
    run = {str(q): {d: float(draw.integers(0, 9)) for d in documents[:40]} for q in range(5, 35)}
    table = _table(qrels, run)
    names = ["nDCG@10", "AP", "AP(rel=2)", "RR", "P@5", "R@10", "Rprec", "Success@1", "Bpref"]
    expected = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(one) for one in names], qrels, run
    )
    for measure, value in expected.items():
        metric = parse(str(measure))
        assert metric is not None
        assert fg.score(table, metric).value(metric.name, "run") == pytest.approx(value, abs=1e-12)
