"""Task `qa`: an answer in words to each question, one or several references, or none.

>>> from finegrain.formats.items import read
>>> from finegrain.formats.source import source_of
>>> gold = read(source_of("gold", b'{"id": "a", "question": "where?", "answers": ["in Rome"]}'))
>>> table = align(gold, {"mine": read(source_of("mine", b'{"id": "a", "answer": "Rome, Italy"}'))})
>>> table.outcomes.names[table.outcome[0, 0]], table.values["f1"].matrix.tolist()
('PARTIAL', [[0.5]])
"""

from __future__ import annotations

from finegrain.plugins import Late
from finegrain.table.outcomes import Outcome, Outcomes
from finegrain.table.task import Definition, Task, Words

QA = Task(
    "qa",
    "an answer in words to each question, as in SQuAD 1.1 and 2.0",
    "every question",
    Outcomes((
        Outcome("EXACT", "exact", "the answer is a reference, or rightly none", role="right",
                right=True),
        Outcome("SHORT", "too short", "the answer is a part of a reference",
                "answers that are too short", "short"),
        Outcome("LONG", "too long", "the answer contains a reference",
                "answers that are too long", "long"),
        Outcome("PARTIAL", "partly right", "the answer shares words with a reference",
                "answers that are right in part", "crossing"),
        Outcome("WRONG", "no overlap", "the answer shares no word with a reference",
                "answers without a right word", "label"),
        Outcome("INVENTED", "should abstain", "the system answers an unanswerable question",
                "answers to unanswerable questions", "invented"),
        Outcome("ABSTAINED", "abstained", "the system gives no answer, and there is one",
                "answerable questions left unanswered", "missed"),
        Outcome("UNANSWERED", "not answered", "the system's file lacks the question",
                "questions that are missing", "unanswered", produced="never"),
    )),
    Words("question", "questions", "question", context=""),
    answers="text",
    answer_column="answer_text",
    labels_answered=False,
    value="f1",
    aligner=Late("finegrain.alignment.qa:align"),
    options=("missing", "squad"),
    formats=("squad", "items", "answers", "csv"),
    recognise=Late("finegrain.alignment.qa:recognise"),
    replies=Late("finegrain.alignment.qa:replies"),
    mark=Late("finegrain.alignment.qa:mark"),
    pair=Late("finegrain.alignment.qa:pair"),
    excerpt=Late("finegrain.alignment.qa:excerpt"),
    vote=Late("finegrain.alignment.qa:vote"),
    metrics=Late("finegrain.metrics.qa:default_metrics"),
    main="f1",
    studies={"answer_lengths": Late("finegrain.analyses.studies.answer_lengths:answer_lengths")},
    attributes=(
        "question_word", "text_length", "context_length", "answer_length", "answer_position",
    ),
    has=frozenset(("words", "texts", "references")),
    definitions=(
        Definition("Exact match", "The share of questions whose answer is a reference, without "
                   "case, ASCII punctuation and the words a, an, the.", "Rajpurkar et al. 2016"),
        Definition("F1", "Of the words of answer and reference, the best over references; the mean "
                   "over questions.", "Rajpurkar et al. 2016"),
        Definition("Unanswerable questions", "Right is an empty answer.",
                   "Rajpurkar, Jia and Liang 2018"),
    ),
    drawing="item",
    example=Late("finegrain.tasks.item_examples:qa"),
    simulate=Late("finegrain.simulation:simulate_questions"),
)  # fmt: skip
align = QA.align
