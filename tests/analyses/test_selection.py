"""Selections: what they mean on corpora worked by hand, how they read, what they refuse."""

from __future__ import annotations

import contextlib
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import finegrain as fg
from finegrain.analyses.selection.evaluation import evaluate
from finegrain.analyses.selection.expressions import (
    And,
    Comparison,
    Expression,
    Field,
    Holds,
    Literal,
    Membership,
    Not,
    Or,
    written,
)
from finegrain.analyses.selection.json_form import as_text, compact
from finegrain.analyses.selection.parsing import DEEPEST, LONGEST, parse
from finegrain.analyses.selection.selecting import selected
from finegrain.corpus import Corpus, Spans
from finegrain.testing import small_corpora

# Rows of the table of spans, as (sentence, begin, end, label); gold unless said otherwise:
#  0 Ada Lovelace PER   1 Charles Babbage PER   2 London LOC   3 London ORG (mixed)
#  4 She PER (short)    5 Royal Society of ORG (mixed)         6 Royal Society of London ORG
#  7 Society of London ORG (short)              8 London LOC (mixed)   9 Ada PER
# 10 London Bridge LOC 11 Bridge LOC (short)   12 Tower LOC (mixed)   13 Tower Bridge LOC
# 14 Bridge ORG (mixed: its ill-formed I-ORG begins a span)
SPANS = fg.align(*small_corpora("spans"))
TAGS = fg.align(*small_corpora("tags"))


def rows(where: str, table: fg.OutcomeTable = SPANS) -> list[int]:
    return np.flatnonzero(selected(table, where)).tolist()


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("gold=LOC", [2, 10, 13]),
        ("gold = LOC and outcome[short] != TP", [10]),
        ("gold=none", [3, 4, 5, 7, 8, 11, 12, 14]),
        ("gold!=none and gold!=PER", [2, 6, 10, 13]),
        ("label=ORG", [3, 5, 6, 7, 14]),
        ("text=London", [2, 3, 8]),
        ('text="London Bridge"', [10]),
        ("text~^London", [2, 3, 8, 10]),
        (r"text~'^\w+ \w+$' and gold=PER", [0, 1]),
        ("length>=3", [5, 6, 7]),
        ("length=4 or length = 1 and gold=PER", [6, 9]),
        ("sentence=2", [4]),
        ("document=1 and gold!=none", [0, 1, 2]),
        # short: BES on 6 and 10, FP on 4; 7 and 11 are USED and are not errors of their own
        ("correct[short]=no", [4, 6, 10]),
        ("outcome[short]~^BE", [6, 10]),
        ("outcome[short]=USED", [7, 11]),
        # some system: FN is only mixed's Ada Lovelace, FP is only short's She
        ("outcome=FN", [0]),
        ("outcome=FP", [4]),
        # on gold rows a system's answer is the label of what was matched
        ("gold!=none and answer[mixed]!=gold[mixed]", None),
        ("gold=LOC and answer[mixed]=ORG", [2]),
        ("answer[mixed]=none and gold!=none", [0]),
        # on the others it is the unit's own label, or none where the system does not have it
        ("gold=none and answer[short]!=none", [4, 7, 11]),
        ("gold!=none and answer[short]!=answer[mixed]", [0, 2]),
        ("systems_correct=2", [1, 9]),
        ("gold!=none and systems_correct=0", [6]),
        ("gold in (PER, ORG) and sentence=3", [6, 9]),
        ("gold not in (PER, ORG, none)", [2, 10, 13]),
        ("not (gold=none or gold=LOC)", [0, 1, 6, 9]),
        ("correct[short] and not correct[mixed] and gold!=none", [0, 2, 13]),
        ("correct[short]=true and correct[mixed]=false", [0, 2, 13]),
        ("tags='B-LOC I-LOC'", [10, 13]),
        ("layer[tags]='B-LOC I-LOC'", [10, 13]),
    ],
)
def test_selections_of_spans(where: str, expected: list[int] | None) -> None:
    if expected is None:
        with pytest.raises(fg.UsageError, match="'gold' is the same for all systems"):
            rows(where)
    else:
        assert rows(where) == expected


def test_selections_of_tags() -> None:
    """nouns: Ada, notes, Royal and the first Bridge are wrong; mixed: in, said, not."""
    wrong = fg.select(TAGS, "correct[nouns]=no")
    assert [wrong.text(row) for row in range(len(wrong))] == ["Ada", "notes", "Royal", "Bridge"]
    assert rows("gold=answer[nouns]", TAGS) == rows("correct[nouns]", TAGS)
    assert rows("answer=X", TAGS) == rows("text=said", TAGS)
    assert rows("systems_correct=0", TAGS) == []


def test_an_any_condition_holds_where_some_system_fulfils_it() -> None:
    """`outcome!=TP` is some system's error, `not outcome=TP` is an error of all."""
    assert rows("gold!=none and outcome!=TP") == [0, 2, 6, 10, 13]
    assert rows("gold!=none and not outcome=TP") == [6]


def test_columns_of_the_table_are_fields() -> None:
    table = SPANS.with_column("frequency", np.where(SPANS.label == 0, np.nan, 3.5))
    table = table.with_column("seen", SPANS.begin == 0)
    table = table.with_column("topic", np.array(["a b"] * 14 + [None], object))
    assert rows("frequency>3 and gold=PER", table) == rows("gold=PER")
    assert rows("frequency=none", table) == rows("frequency!=3.5", table) == rows("label=LOC")
    assert rows("seen and gold!=none", table) == [0, 10]
    assert rows("topic='a b'", table) == list(range(14))
    assert rows("column[topic]=none", table) == [14]
    assert rows("layer[tags]=column[topic]", table) == []


def test_documents_go_by_name_where_they_have_one() -> None:
    from dataclasses import replace

    table = replace(SPANS, corpus=replace(SPANS.corpus, document_ids=("news-1", "news-2")))
    assert rows("document=news-2 and gold=PER", table) == [9]
    assert rows("document=none", table) == []


def test_without_documents_the_document_is_none() -> None:
    table = fg.align(Corpus.of([["a"]], tags=[["X"]]), {"s": Corpus.of([["a"]], tags=[["Y"]])})
    assert rows("document=none", table) == [0]
    assert rows("document<1000", table) == []


def test_a_span_with_gaps_has_the_words_it_covers() -> None:
    spans = Spans.of([(0, 0, 4, "A", (0, 3))])
    text = Corpus.of([["take", "the", "cat", "along"]])
    gold = Corpus("gold", text.offsets, text.tokens, spans=spans)
    table = fg.align(gold, {"s": gold}, task="spans")
    assert rows('text="take along" and length=2', table) == [0]


def test_odd_system_names_are_quoted() -> None:
    gold, systems = small_corpora("tags")
    table = fg.align(gold, {'my "best" system]': systems["nouns"]})
    assert rows(r'correct["my \"best\" system]"]=no', table) == rows("correct[nouns]=no", TAGS)


def test_select_gives_a_table() -> None:
    table = fg.select(SPANS, "gold=LOC")
    assert [table.text(row) for row in range(3)] == ["London", "London Bridge", "Tower Bridge"]
    assert fg.error_types(table).to_json()["short"]["counts"]["BES"] == 1


def error(where: str, table: fg.OutcomeTable = SPANS) -> list[str]:
    with pytest.raises(fg.UsageError) as caught:
        selected(table, where)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("where", "column", "said"),
    [
        ("", 0, "expected a field such as gold or outcome[system], found the end"),
        ("gold=", 5, "expected a value after '=', found the end"),
        ("gold==PER", 5, "expected a value after '=', found '='"),
        ("gold=and", 5, "found 'and'; write \"and\" for the word"),
        ("gold", 0, "'gold' is not yes or no"),
        ("gold PER", 5, "expected =, !=, <, <=, >, >=, ~, contains or in, found 'PER'"),
        ("gold=PER gold=LOC", 9, "expected and, or or the end, found 'gold'"),
        ("(gold=PER", 9, "expected ')', found the end"),
        ("gold=PER)", 8, "expected and, or or the end, found ')'"),
        ("gold in PER", 8, "expected '(', found 'PER'"),
        ("gold in ()", 9, "expected a value after 'in', found ')'"),
        ("gold='PER", 5, "the quote that opens here is not closed"),
        ("! gold=PER", 0, "a lone '!'; write != or not"),
        ("outcome[short=TP", 13, "expected ']', found '='"),
        ("lenght>3", 0, "unknown field 'lenght'. Did you mean 'length'? Known: gold, label"),
        ("lenght[a]>3", 0, "unknown field 'lenght'"),
        ("outcome[shrt]=TP", 8, "unknown system 'shrt'. Did you mean 'short'?"),
        ("outcome[short]=BESS", 15, "unknown outcome 'BESS'. Did you mean 'BES'?"),
        ("correct[short]=maybe", 15, "unknown correct 'maybe'. Known: no, yes"),
        ("gold[short]=PER", 5, "'gold' is the same for all systems"),
        ("layer[pos]=X", 6, "unknown layer 'pos'"),
        ("column[x]=X", 7, "unknown column 'x'"),
        ("length=two", 7, "'length' is a number, and 'two' is not"),
        ("length<none", 7, "nothing is < none"),
        ("text<b", 4, "< is for numbers, and 'text' is not one"),
        ("length~2", 6, "~ is for words, and 'length' is a number"),
        ("text~'('", 5, "not a regular expression: missing )"),
        ("text~none", 5, "none is no regular expression"),
        ("text~(a)", 5, "expected a value after '~', in quotes if it has blanks or signs"),
        ("text~" + "a" * 501, 5, "a regular expression has at most 500 characters, not 501"),
        ("text~'a{99999999999999}'", 5, "not a regular expression"),
        ("answer[short]<answer[mixed]", 13, "two fields compare with = and !="),
        ("length=answer[mixed]", 6, "a number and a word are never equal"),
        ("text=東京 and x=1", 14, "unknown field 'x'"),  # two wide characters
    ],
)
def test_errors_point_at_the_place(where: str, column: int, said: str) -> None:
    lines = error(where)
    assert said in lines[0]
    assert lines[1] == f"  {where}"
    assert lines[2] == " " * (column + 2) + "^"


def test_a_regular_expression_that_never_ends_is_stopped() -> None:
    """Tried in all ways, two hundred letters take longer than a life."""
    word = "x" * 200 + "!"
    table = fg.align(Corpus.of([[word]], tags=[["N"]]), {"a": Corpus.of([[word]], tags=[["N"]])})
    with pytest.raises(fg.UsageError, match="too many ways to match") as raised:
        fg.select(table, 'text~"(x|xx)+$"')
    assert str(raised.value).splitlines()[1:] == ['  text~"(x|xx)+$"', " " * 7 + "^"]


def test_endless_selections_are_refused() -> None:
    assert "more than" in error("(" * 10_000)[0]
    assert "more than" in error("not " * (DEEPEST + 1) + "correct")[0]
    assert "at most" in error("x" * (LONGEST + 1))[0]


def test_many_groups_in_a_row_are_not_deep() -> None:
    assert rows(" and ".join(["(gold=LOC)"] * (DEEPEST + 50))) == rows("gold=LOC")


def test_odd_but_valid_patterns_do_not_warn() -> None:
    assert rows("text~'[[a]lready'") == []  # Python warns of a possible nested set


def test_text_needs_words() -> None:
    gold = Corpus("gold", np.array([0, 4]), spans=Spans.of([(0, 0, 2, "A")]))
    table = fg.align(gold, {"s": gold}, task="spans")
    assert error("text=x", table)[0] == "there is no text: the files hold no words"
    assert rows("gold=A and length=2", table) == [0]


# -- any expression ------------------------------------------------------------------------------

NAMES = st.one_of(
    st.sampled_from(["gold", "a-b", "none", "and", "x y", "", '"', "\\d", "=", "日本"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
)
LITERALS = st.builds(Literal, st.none() | NAMES)
FIELDS = st.builds(Field, NAMES, st.none() | NAMES) | st.builds(
    lambda name, of, other: Field(name, of, other=other), NAMES, NAMES, NAMES
)
OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">=", "~", "contains"])


def expressions(conditions: st.SearchStrategy[Any]) -> st.SearchStrategy[Expression]:
    def larger(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        several = st.lists(parts, min_size=2, max_size=3).map(tuple)
        return st.one_of(st.builds(Not, parts), st.builds(And, several), st.builds(Or, several))

    return st.recursive(conditions, larger, max_leaves=8)


ANY = st.one_of(
    st.builds(Comparison, FIELDS, OPERATORS, LITERALS | st.builds(Field, NAMES, NAMES)),
    st.builds(Membership, FIELDS, st.lists(LITERALS, min_size=1, max_size=3).map(tuple)),
    st.builds(Holds, FIELDS),
)


@settings(max_examples=100)
@given(expressions(ANY))
def test_what_is_written_reads_back(expression: Expression) -> None:
    assert parse(written(expression)) == expression


@settings(max_examples=100)
@given(st.text(st.sampled_from("gold outcme[]()=!~<>\"'\\,12PERand ") | st.characters()))
def test_any_text_is_a_selection_or_an_error_of_usage(text: str) -> None:
    with contextlib.suppress(fg.UsageError):
        assert len(selected(SPANS, text)) == len(SPANS)


# -- row by row, as a reader of the documentation would do it ------------------------------------


def _value(table: fg.OutcomeTable, row: int, field: Field) -> list[str | float | None]:
    """The values of a field on one row: one, or one per system."""
    if field.name in ("outcome", "answer", "correct"):
        names = table.systems if field.of is None else (field.of,)
        return [_of_system(table, row, field.name, table.systems.index(name)) for name in names]
    label = table.labels[table.label[row]]
    simple: dict[str, str | float | None] = {
        "gold": label if table.is_gold[row] else None,
        "label": label,
        "text": table.text(row),
        "length": len(table.tokens(row)),
        "sentence": int(table.sentence[row]) + 1,
        "systems_correct": sum(
            table.outcomes.names[code] == table.outcomes.correct.name for code in table.outcome[row]
        ),
    }
    return [simple[field.name]]


def _of_system(table: fg.OutcomeTable, row: int, name: str, system: int) -> str | None:
    outcome = table.outcomes.names[table.outcome[row, system]]
    if name == "outcome":
        return outcome
    if name == "correct":
        return {table.outcomes.correct.name: "yes", "USED": None, "ABSENT": None}.get(outcome, "no")
    answer = int(table.answer[row, system])
    if table.task.name == "tags":
        return table.labels[answer]
    own = table.labels[table.label[row]]
    if not table.is_gold[row]:
        return None if outcome == "ABSENT" else own
    if outcome == "TP":
        return own
    return None if answer < 0 else table.labels[table.label[answer]]


def _holds(value: Any, operator: str, other: Any) -> bool:
    if isinstance(value, int) and isinstance(other, str):
        other = float(other)
    if operator in ("=", "!="):
        return (value == other) == (operator == "=")
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return False
    if operator == "~":
        return re.search(other, value) is not None
    return {"<": value < other, "<=": value <= other, ">": value > other, ">=": value >= other}[
        operator
    ]


def naive(expression: Expression, table: fg.OutcomeTable, row: int) -> bool:  # noqa: PLR0911
    match expression:
        case Not(part):
            return not naive(part, table, row)
        case And(parts):
            return all(naive(part, table, row) for part in parts)
        case Or(parts):
            return any(naive(part, table, row) for part in parts)
        case Holds(field):
            return "yes" in _value(table, row, field)
        case Membership(field, values):
            return any(one.text == value for value in _value(table, row, field) for one in values)
        case Comparison(field, operator, Literal(text)):
            return any(_holds(value, operator, text) for value in _value(table, row, field))
        case Comparison(field, operator, Field() as other):
            theirs = _value(table, row, other)[0]
            return any(_holds(value, operator, theirs) for value in _value(table, row, field))
    raise AssertionError(expression)


SYSTEMS = st.sampled_from([None, "mixed"])
LABELS = st.builds(
    Literal, st.sampled_from(["PER", "LOC", "ORG", "NOUN", "PROPN", "VERB", "NONE", None])
)
WORDS = st.builds(Literal, st.sampled_from(["London", "Bridge", "Ada", "London Bridge", "x", None]))
BY_LABEL = st.one_of(
    st.builds(Field, st.sampled_from(["gold", "label"])),
    st.builds(Field, st.just("answer"), SYSTEMS),
)
EQUALITY = st.sampled_from(["=", "!="])
NUMBER_FIELDS = st.builds(Field, st.sampled_from(["length", "sentence", "systems_correct"]))
CORRECT = st.builds(Field, st.just("correct"), SYSTEMS)
MEANINGFUL = st.one_of(
    st.builds(Comparison, BY_LABEL, EQUALITY, LABELS),
    st.builds(Comparison, BY_LABEL, EQUALITY, st.just(Field("answer", "mixed"))),
    st.builds(Membership, BY_LABEL, st.lists(LABELS, min_size=1, max_size=3).map(tuple)),
    st.builds(Comparison, st.just(Field("text")), EQUALITY, WORDS),
    st.builds(
        Comparison, BY_LABEL | st.just(Field("text")), st.just("~"),
        st.builds(Literal, st.sampled_from(["^L", "o", "R$", "."])),
    ),
    st.builds(
        Comparison, NUMBER_FIELDS, st.sampled_from(["=", "!=", "<", "<=", ">", ">="]),
        st.builds(Literal, st.sampled_from(["0", "1", "2", "3.5"])),
    ),
    st.builds(Holds, CORRECT),
    st.builds(
        Comparison, CORRECT, EQUALITY,
        st.builds(Literal, st.sampled_from(["yes", "no", None])),
    ),
    st.builds(
        Comparison, st.builds(Field, st.just("outcome"), SYSTEMS), st.just("~"),
        st.builds(Literal, st.sampled_from(["^BE", "T", "WRONG", "A"])),
    ),
)  # fmt: skip


@pytest.mark.parametrize("table", [SPANS, TAGS], ids=["spans", "tags"])
@settings(max_examples=100, deadline=None)  # the first regular expression loads a module
@given(expression=expressions(MEANINGFUL))
def test_all_units_at_once_as_one_by_one(table: fg.OutcomeTable, expression: Expression) -> None:
    expected = [naive(expression, table, row) for row in range(len(table))]
    assert evaluate(expression, table).tolist() == expected


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("change[short,mixed]=correction", [4, 10]),  # short invents She and cuts London Bridge
        ("change[mixed,short]=new_error", [4, 10]),
        ("change=correction", [4, 10]),  # there are only two systems
        ('changed["short",mixed] and gold=ORG', [6]),
        ("changed[short,mixed]=no", [1, 9]),
        ("change[short,short]!=none", []),
    ],
)
def test_changes_are_of_two_systems(where: str, expected: list[int]) -> None:
    assert rows(where) == expected
    assert parse(written(parse(where))) == parse(where)


@pytest.mark.parametrize(
    ("where", "what", "caret"),
    [
        ("changed[short]", "'changed' is of two systems", 0),
        ("change[short,long]=correction", "unknown system 'long'", 13),
        ("outcome[short,mixed]=TP", "'outcome' does not take two names", 14),
        ("change[short,mixed]=fix", "unknown change 'fix'. Known: correction, new_error", 20),
        ("change[short,]=correction", "expected a name", 13),
        ("change[short,mixed,x]=correction", "expected ']'", 18),
    ],
)
def test_misfits_of_changes_point_at_the_place(where: str, what: str, caret: int) -> None:
    with pytest.raises(fg.UsageError) as caught:
        fg.select(SPANS, where)
    message, _, arrow = str(caught.value).split("\n")
    assert what in message
    assert arrow.index("^") == caret + 2


# -- the JSON form -------------------------------------------------------------------------------


@settings(max_examples=100)
@given(expressions(ANY))
def test_both_forms_say_the_same(expression: Expression) -> None:
    assert parse(as_text(compact(expression))) == expression


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('["=","gold"', "not JSON: Expecting ',' delimiter"),
        ('["=","gold"]', 'expected a selection in its JSON form, found ["=", "gold"]'),
        ('["and",["holds","correct"]]', "expected a selection in its JSON form"),
        ('["==","gold","PER"]', "expected a selection in its JSON form"),
        ('["=",["a","b","c","d"],"x"]', "expected a field in its JSON form"),
        ('["=","gold",["label"]]', "expected a field with brackets in its JSON form"),
        ('["=","gold",true]', "expected a value in its JSON form, found true"),
        ("[" * 9_000, "too large or too deep"),
        ('["not",' * 200 + '["holds","correct"]' + "]" * 200, "expected a selection"),
        ('["=","gold","' + "x" * LONGEST + '"]', "at most 100,000 characters"),
    ],
)
def test_what_is_wrong_with_json_is_told(source: str, what: str) -> None:
    assert what in error(source)[0]


def test_a_wrong_name_in_json_is_pointed_at_in_the_text() -> None:
    lines = error('["and",["=","gold","PER"],["=",["outcome","shrt"],"TP"]]')
    assert lines[0].startswith("unknown system 'shrt'. Did you mean 'short'?")
    assert lines[1:] == ["  gold=PER and outcome[shrt]=TP", " " * 23 + "^"]


def test_numbers_of_json_are_numbers() -> None:
    assert rows('[">=","length",3]') == rows("length>=3")


# -- further fields ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("row=3", [2]),
        ("hurts[short]", [4, 6, 7, 10, 11]),  # BES of 6 and 10, FP, and both USED
        ("hurts[short] and gold=none", [4, 7, 11]),
        ("mistaken[short]=LOC", [10]),
        ("mistaken[mixed]=LOC and mistaken_for[mixed]=ORG", [2, 14]),  # LE, and LBE for 13
        ("systems_agreeing>=1", [3, 4, 5, 7, 8, 11, 12, 14]),
        ("systems_agreeing=none", [0, 1, 2, 6, 9, 10, 13]),
        ("folded_text=LONDON", []),  # as the words of the unit, folded: london
        ("folded_text=london", [2, 3, 8]),
        ("text contains BRIDGE", [10, 11, 13, 14]),
        ('context_text contains "LONDON Bridge"', [10, 11, 12, 13, 14]),
    ],
)
def test_further_fields(where: str, expected: list[int]) -> None:
    assert rows(where) == expected


@pytest.mark.parametrize("wanted", ["\u00c9t", "e\u0301t", "x\u200by", "X\\u200bY"])
def test_text_is_found_however_it_is_written(wanted: str) -> None:
    """Accents composed or not, in any case; characters that are written out, as they are or so."""
    text = [["e\u0301te\u0301", "x\u200by"], ["ete", "xy"]]
    gold = Corpus.of(text, tags=[["B-A", "O"], ["B-A", "O"]])
    table = fg.align(gold, {"same": gold}, task="spans")
    found = Comparison(Field("context_text"), "contains", Literal(wanted))
    assert rows(written(found), table) == [0]


def test_a_table_lists_the_rows_of_a_selection() -> None:
    assert SPANS.select("gold=LOC and outcome[short]!=TP").tolist() == [10]
    with pytest.raises(fg.UsageError, match=r"table.select\('gold=LOC'\) lists such rows"):
        SPANS.where("gold=LOC")  # type: ignore[arg-type]  # what is tried


@pytest.mark.parametrize(
    ("where", "column", "said"),
    [
        ("length=1_0", 7, "'length' is a number, and '1_0' is not"),
        ("length contains 1", 7, "contains is for words, and 'length' is a number"),
        ("text contains none", 14, "nothing contains none"),
        ("bucket[length]=1", 0, "buckets have numbers in a report only"),
        ("lowers[short]", 0, "'lowers' is of a system and a score"),
        ("lowers[short,las]", 13, "unknown score 'las'"),
    ],
)
def test_errors_of_further_fields_point_at_the_place(where: str, column: int, said: str) -> None:
    lines = error(where)
    assert said in lines[0]
    assert lines[2] == " " * (column + 2) + "^"
