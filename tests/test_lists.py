"""From nested lists to tables, and the report that people know."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import classification_report as seqeval_report
from seqeval.metrics import f1_score
from seqeval.metrics.sequence_labeling import get_entities
from seqeval.scheme import BILOU, IOB2, Entities
from sklearn.metrics import classification_report as sklearn_report

import finegrain as fg
from finegrain.corpus import Corpus

NAMES = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
hundred = settings(max_examples=100, deadline=None)


def sentences(tags: list[str]) -> st.SearchStrategy[list[list[tuple[str, str]]]]:
    """Sentences of (gold tag, system tag), half of them equal."""
    pair = st.tuples(st.sampled_from(tags), st.sampled_from(tags))
    same = st.sampled_from(tags).map(lambda tag: (tag, tag))
    sentence = st.lists(same | pair, min_size=1, max_size=12)
    return st.lists(sentence, min_size=1, max_size=4)


def sides(pairs: list[list[tuple[str, str]]]) -> tuple[list[list[str]], list[list[str]]]:
    return (
        [[one for one, _ in sentence] for sentence in pairs],
        [[two for _, two in sentence] for sentence in pairs],
    )


class Tensor:
    """What matters of a tensor here: it is not a list, but can become one."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def tolist(self) -> Any:
        return self._rows


def test_lists_are_the_same_table_as_corpora() -> None:
    words = [["Ada", "met", "Bob"], ["No"]]
    gold = [["B-PER", "O", "B-PER"], ["O"]]
    answers = [["B-PER", "O", "O"], ["B-PER"]]
    table = fg.from_lists(gold, {"s": answers}, tokens=words)
    expected = fg.align(Corpus.of(words, tags=gold), {"s": Corpus.of(words, tags=answers)})
    assert table.outcome.tolist() == expected.outcome.tolist()
    assert table.settings == expected.settings
    assert [table.text(row) for row in range(len(table))] == ["Ada", "Bob", "No"]


def test_several_systems_keep_their_names() -> None:
    table = fg.from_lists([["N", "V"]], {"good": [["N", "V"]], "bad": [["N", "N"]]})
    assert (table.task.name, table.systems) == ("tags", ("good", "bad"))
    assert fg.score(table).overall["accuracy"].tolist() == [1.0, 0.5]


def test_numbers_are_named_and_ignored_positions_dropped_on_both_sides() -> None:
    """[CLS] Ada Love ##lace [SEP]: the first, fourth and fifth position do not count.

    Kept: gold PER PER(I), answer PER PER(I): one span, right. The answer's B-LOC on the dropped
    fourth position is gone.
    """
    table = fg.from_lists([[-100, 1, 2, -100, -100]], [[0, 1, 2, 3, 4]], names=NAMES)
    assert table.labels == ("PER",)
    assert [table.outcomes.names[code] for code in table.outcome[:, 0]] == ["TP"]
    assert table.notes == ("3 of 5 positions ignored: -100",)
    assert (table.begin.tolist(), table.end.tolist()) == ([0], [2])


def test_a_chosen_tag_can_be_ignored() -> None:
    table = fg.from_lists([["N", "PAD"], ["PAD", "PAD"]], [["N", "V"], ["N", "N"]], ignore=["PAD"])
    assert len(table) == 1
    assert table.corpus.n_sentences == 2
    assert table.notes == ("3 of 4 positions ignored: PAD",)


@pytest.mark.parametrize(
    "wrap", [np.array, Tensor, tuple, lambda rows: [np.array(r) for r in rows]]
)
def test_arrays_tensors_and_tuples_are_lists_too(wrap: Any) -> None:
    gold, answers = [[1, 2, 0], [-100, 3, -100]], [[1, 2, 0], [0, 1, 0]]
    table = fg.from_lists(wrap(gold), wrap(answers), names=NAMES)
    plain = fg.from_lists(gold, answers, names=NAMES)
    assert table.outcome.tolist() == plain.outcome.tolist()
    assert table.notes == plain.notes


def test_words_of_ignored_positions_are_dropped_too() -> None:
    table = fg.from_lists([[-100, 1]], [[0, 1]], names=NAMES, tokens=[["[CLS]", "Ada"]])
    assert table.corpus.sentence(0) == ["Ada"]


def test_a_system_may_be_called_gold() -> None:
    assert fg.from_lists([["N"]], {"gold": [["N"]]}).systems == ("gold",)


def test_empty_sentences_stay() -> None:
    assert fg.from_lists([[], ["B-A"]], [[], ["B-A"]]).corpus.n_sentences == 2


def test_a_sentence_of_another_length_is_named_with_both_lengths() -> None:
    with pytest.raises(
        fg.AlignmentError, match="crf: sentence 2 has 1 positions, but the gold has"
    ):
        fg.from_lists([["O"], ["O", "O"]], {"crf": [["O"], ["O"]]})
    with pytest.raises(fg.AlignmentError, match="1 sentence, but the gold has 2"):
        fg.from_lists([["O"], ["O"]], [["O"]])
    with pytest.raises(fg.AlignmentError, match="tokens: sentence 1 has 2 positions"):
        fg.from_lists([["O"]], [["O"]], tokens=[["a", "b"]])


@pytest.mark.parametrize(
    ("gold", "answers", "message"),
    [
        ([[1]], [[7]], r"system: sentence 1, position 1: 7 is not a tag. Give names="),
        ([[1, -1]], [[1, 1]], r"gold: sentence 1, position 2: -1 is not a tag"),
        ([[1]], [[0.5]], r"0.5 is not a tag. Tags are strings"),
        ([[1]], [[[0.1, 0.9]]], r"\[0.1, 0.9\] is not a tag. If these are scores"),
        ([[[1]]], [[1]], r"gold: sentence 1, position 1: \[1\] is not a tag"),
        ([[None]], [["O"]], r"None is not a tag"),
    ],
)
def test_what_is_no_tag_is_shown_with_its_place(gold: Any, answers: Any, message: str) -> None:
    with pytest.raises(fg.InputError, match=message):
        fg.from_lists(gold, answers, names=NAMES)


@pytest.mark.parametrize(
    ("tags", "default", "ours"),  # as docs/training_loop.md has them; the last token is included
    [
        ("B-PER L-PER U-PER", [(0, 2)], [(0, 1), (2, 2)]),
        ("U-PER U-PER", [(0, 1)], [(0, 0), (1, 1)]),
        ("U-PER B-PER L-PER", [(1, 2)], [(0, 0), (1, 2)]),
    ],
)
def test_bilou_is_read_as_the_strict_mode_of_seqeval_reads_it(
    tags: str, default: list[tuple[int, int]], ours: list[tuple[int, int]]
) -> None:
    row = tags.split()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains about L and U
        assert [(begin, end) for _, begin, end in get_entities([row])] == default
    strict = Entities([row], BILOU).entities[0]
    assert [(one.start, one.end - 1) for one in strict] == ours
    table = fg.from_lists([row], [row])
    assert table.settings["scheme"] == "bilou"
    assert [
        (begin, end - 1)
        for begin, end in zip(table.begin.tolist(), table.end.tolist(), strict=True)
    ] == ours


def test_f1_of_bilou_under_both_modes_of_seqeval() -> None:
    gold, answers = [["B-PER", "L-PER", "U-PER"]], [["B-PER", "L-PER", "O"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert f1_score(gold, answers) == 0
    assert f1_score(gold, answers, mode="strict", scheme=BILOU) == pytest.approx(2 / 3)
    scores = fg.score(fg.from_lists(gold, answers), "traditional_f1")
    assert float(scores.overall["traditional_f1"][0]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "names",
    [
        dict(enumerate(NAMES)),
        dict(reversed(list(enumerate(NAMES)))),
        {name: number for number, name in enumerate(NAMES)},
        {str(number): name for number, name in enumerate(NAMES)},  # as JSON has it
        {np.int64(number): name for number, name in enumerate(NAMES)},
    ],
)
def test_names_may_be_a_dictionary_of_a_model(names: Any) -> None:
    gold, answers = [[0, 1, 2, 0], [1, 0]], [[0, 1, 0, 0], [1, 1]]
    table = fg.from_lists(gold, answers, names=names)
    listed = fg.from_lists(gold, answers, names=NAMES)
    assert table.labels == listed.labels
    assert table.outcome.tolist() == listed.outcome.tolist()
    assert fg.classification_report(gold, answers, names=names) == fg.classification_report(
        gold, answers, names=NAMES
    )


def test_a_dictionary_of_names_may_have_gaps() -> None:
    assert fg.from_lists([[7, 3]], [[7, 7]], names={3: "X", 7: "Y"}).labels == ("X", "Y")


@pytest.mark.parametrize(
    ("names", "what"),
    [
        ({"O": 0, "X": 0}, "0 has two names, 'O' and 'X'"),
        ({0: "O", "0": "X"}, "0 has two names"),
        ({"O": "B-PER"}, "'O': 'B-PER' does not say what a number stands for"),
        ({0: ["O"]}, "does not say what a number stands for"),
        ("OX", r"names takes .* not 'OX' \(str\)"),
        (3, r"names takes .* not 3 \(int\)"),
    ],
)
def test_names_that_name_nothing_are_refused(names: Any, what: str) -> None:
    with pytest.raises(fg.UsageError, match=what):
        fg.from_lists([[0, 0]], [[0, 0]], names=names)


def test_numbers_without_names_are_an_error() -> None:
    with pytest.raises(fg.InputError, match="Give names="):
        fg.from_lists([[1, 2]], [[1, 2]])


@pytest.mark.parametrize("gold", [["B-PER", "O"], "O", 3, {"a": 1}])
def test_flat_lists_are_an_error(gold: Any) -> None:
    with pytest.raises(fg.UsageError, match="Give nested lists"):
        fg.from_lists(gold, [["O"]])


def test_a_scheme_for_plain_tags_is_an_error() -> None:
    with pytest.raises(fg.UsageError, match="a scheme is for spans"):
        fg.from_lists([["NOUN"]], [["NOUN"]], scheme="iob2")


def _seqeval(gold: Any, answers: Any, **options: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(seqeval_report(gold, answers, zero_division=0, **options))


def _has_spans(gold: list[list[str]], answers: list[list[str]]) -> bool:
    return any(tag != "O" for side in (gold, answers) for row in side for tag in row)


@pytest.mark.parametrize("digits", [2, 4, 20])
@hundred
@given(pairs=sentences([*NAMES, "B-a-very-long-label", "I-a-very-long-label"]))
def test_the_report_is_the_text_of_seqeval(digits: int, pairs: Any) -> None:
    gold, answers = sides(pairs)
    if _has_spans(gold, answers):  # seqeval fails without any
        ours = fg.classification_report(gold, answers, digits=digits)
        assert ours == _seqeval(gold, answers, digits=digits)


@hundred
@given(pairs=sentences(NAMES))
def test_the_report_is_the_text_of_seqeval_in_strict_mode(pairs: Any) -> None:
    gold, answers = sides(pairs)
    ours = fg.classification_report(gold, answers, scheme="iob2", policy="discard")
    if ours.count("\n") > 6:  # seqeval fails without spans
        assert ours == _seqeval(gold, answers, mode="strict", scheme=IOB2)


@pytest.mark.parametrize("digits", [2, 3])
@hundred
@given(pairs=sentences(["NOUN", "VERB", "ADJ", "X", "DET"]))
def test_the_report_of_tags_is_the_text_of_scikit_learn(digits: int, pairs: Any) -> None:
    gold, answers = sides(pairs)
    if not any(one == two for row in pairs for one, two in row):
        return  # without a hit, scikit-learn 1.9 prints support as 1.0
    flat = [[tag for row in side for tag in row] for side in (gold, answers)]
    ours = fg.classification_report(gold, answers, digits=digits)
    assert ours == sklearn_report(*flat, digits=digits, zero_division=0)


def test_without_spans_the_report_is_zeros_not_an_error() -> None:
    lines = fg.classification_report([["O"]], [["O"]]).splitlines()
    assert lines[-1].split() == ["weighted", "avg", "0.00", "0.00", "0.00", "0"]


def test_several_systems_get_a_report_each() -> None:
    gold = [["B-PER", "O"]]
    one = fg.classification_report(gold, gold)
    two = fg.classification_report(gold, {"a": gold, "b": [["O", "B-LOC"]]})
    assert two.startswith(f"a\n\n{one}\nb\n\n")
    assert "LOC" not in two.split("\nb\n")[0]  # a label of b only


def test_control_characters_of_labels_cannot_reach_the_terminal() -> None:
    assert "\x1b" not in fg.classification_report([["B-\x1b[31m"]], {"\x1b[0m": [["O"]]})
