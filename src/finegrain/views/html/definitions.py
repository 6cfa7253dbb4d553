"""What the numbers of a page mean, and who defined them.

>>> from finegrain.tasks import TASKS
>>> [one.name for one in definitions(TASKS["items"], ["score", "oracle"])]
['Accuracy', 'Oracle', 'Alone']
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from finegrain.sizes import plural
from finegrain.table.task import Definition, Task
from finegrain.views.html.wording import a, first_upper, gold_unit

_OF_RESULT: dict[str, tuple[Definition, ...]] = {
    "significance": (
        Definition(
            "Interval",
            "Percentile interval of resampled {samples}, widened for few of them.",
            "Hesterberg 2015",
        ),
        Definition(
            "Group",
            "Systems that share a letter cannot be told apart on this test set: paired "
            "randomisation test, Holm's correction over all pairs.",
            "Yeh 2000; Holm 1979",
        ),
    ),
    "differences": (
        Definition(
            "Correction, new error, changed error",
            "A wrong and B right; A right and B wrong; both wrong, in different ways.",
            "Tuggener 2017",
        ),
        Definition(
            "Accuracy of a pair",
            "The share of the units of a pair, those that are gold or in the output of either of "
            "the two systems, that one of them is right about. With another partner there are "
            "other units, unless every system answers all of them.",
            "",
        ),
    ),
    "difficulty": (
        Definition(
            "Bin",
            "The number of systems that are right about {a gold unit}; bin 0 is hardest.",
            "Gianola et al. 2021",
        ),
    ),
    "features": (
        Definition(
            "What hard units are like",
            "The mean of an attribute over the {gold units} of a bin.",
            "Gianola et al. 2021",
        ),
    ),
    "words": (
        Definition(
            "Words across bins",
            "How often the same words, in any case, stand in each bin.",
            "Gianola et al. 2021",
        ),
    ),
    "invented": (
        Definition(
            "Not gold, invented",
            "What systems have and the gold standard does not have exactly, by how many have it; "
            "invented is what of it is matched with no gold unit.",
            "",
        ),
    ),
    "triage": (
        Definition(
            "Check the gold standard",
            "Units that most systems answer in one way that is not gold: first by how many agree, "
            "then by how few are right, then by how often the gold standard has that answer for "
            "the same words elsewhere.",
            "",
        ),
    ),
    "oracle": (
        Definition(
            "Oracle", "{A unit} counts as solved if some system solves it.", "Tuggener 2017"
        ),
        Definition("Alone", "Solved by one system and by no other.", "Gianola et al. 2021"),
    ),
    "buckets": (
        Definition(
            "Mean, matters, trend, spread",
            "The mean value of gold units (ζ); the mean size of the trends of all systems (ρ); "
            "Spearman's correlation of score and bucket; the standard deviation of the scores of "
            "buckets.",
            "Fu, Liu and Neubig 2020",
        ),
    ),
    "diagnose": (
        Definition(
            "Best and worst bucket, ahead and behind",
            "Self-diagnosis: the buckets in which a system scores most and least. Comparative "
            "diagnosis: those in which it is farthest ahead of another and farthest behind.",
            "Fu, Liu and Neubig 2020",
        ),
    ),
    "slices": (
        Definition(
            "Slice",
            "A bucket, or two that are crossed, with 30 units or more, in which a system is worse "
            "than elsewhere, or two systems differ, beyond chance; all are tested together.",
            "Westfall and Young 1993",
        ),
    ),
}
# where all that is known of an answer is whether it is right
_OF_VERDICTS: dict[str, tuple[Definition, ...]] = {
    "differences": (
        Definition(
            "Correction, new error",
            "A wrong and B right; A right and B wrong.",
            "Tuggener 2017",
        ),
    ),
    "triage": (
        Definition(
            "Check these {units}",
            "{Units} that most systems get wrong, those that most get wrong first. They need not "
            "be wrong in the same way.",
            "",
        ),
    ),
}
# where units have a value and are not right or wrong
_OF_GRADED: dict[str, tuple[Definition, ...]] = {
    "differences": (
        Definition(
            "Better, worse, tie",
            "Where the value of B is better than that of A, worse, or equal up to what counts as a "
            "tie; the gain is positive where B is better.",
            "",
        ),
    ),
    "difficulty": (
        Definition(
            "Quarters",
            "{Units} by the mean value of all systems, in four parts of nearly the same size.",
            "",
        ),
    ),
    "features": (),
    "words": (),
    "triage": (
        Definition(
            "Gap",
            "How far the systems that are counted are at least from the value that the note names: "
            "where it is large, all of them are far off.",
            "",
        ),
    ),
    "oracle": (Definition("Oracle", "The best value that any system has, {unit} by {unit}.", ""),),
}
_OF_SUITE: dict[str, tuple[Definition, ...]] = {
    "intervals": (
        Definition(
            "Interval",
            "Of the mean over these data sets: each is drawn from within itself, by document or "
            "sentence (and run), and the variances are added, with Satterthwaite's degrees of "
            "freedom. It tells how the mean would move with other texts, not with other data sets.",
            "Satterthwaite 1946",
        ),
    ),
    "": (
        Definition(
            "Mean rank",
            "Systems are ranked on every data set that all of them have, 1 the best; ties share "
            "the mean.",
            "Demšar 2006",
        ),
        Definition(
            "Group, critical difference",
            "Two systems differ if their mean ranks differ by q √(k (k + 1) / 6n) or more, with k "
            "systems, n data sets and q of the studentised range divided by √2, at the level .05. "
            "Systems that share a letter cannot be told apart on these data sets.",
            "Nemenyi 1963; Demšar 2006",
        ),
        Definition(
            "Spearman, std",
            "Of a system: the correlation of its score with the rank of the bucket (S_ρ), and the "
            "standard deviation of its scores over buckets (S_σ); both averaged over data sets.",
            "Fu, Liu and Neubig 2020",
        ),
        Definition(
            "ζ, ρ",
            "Of a data set: the mean of an attribute over gold units, here in per cent of the "
            "largest data set; the mean size of Spearman over systems, which tells how much the "
            "attribute matters.",
            "Fu, Liu and Neubig 2020",
        ),
        Definition(
            "Do buckets differ?",
            "Friedman's test. For a system, blocks are its runs on all data sets; for a data set, "
            "the runs of all systems. Blocks that lack a bucket are left out.",
            "Friedman 1937",
        ),
        Definition(
            "Self-diagnosis, comparative diagnosis",
            "The buckets in which a system scores most and least; those in which it is farthest "
            "ahead of its baseline and farthest behind.",
            "Fu, Liu and Neubig 2020",
        ),
    ),
    "improvements": (
        Definition(
            "Improvement",
            "(score − score of the baseline) / score of the baseline, in a bucket of a data set. "
            "p: Wilcoxon's signed-rank test over data sets, uncorrected.",
            "Fu, Liu and Neubig 2020; Wilcoxon 1945",
        ),
    ),
}


def definitions_of_suite(*parts: Literal["intervals", "improvements"]) -> list[Definition]:
    """Definitions for many data sets; what is not in ``parts`` is left out.

        >>> from finegrain.tasks import TASKS
    >>> [one.name for one in definitions_of_suite()][:2]
        ['Mean rank', 'Group, critical difference']
    """
    return [one for name, found in _OF_SUITE.items() if name in ("", *parts) for one in found]


def definitions(
    task: Task, results: Collection[str], *, sample: str = "document", graded: bool = False
) -> list[Definition]:
    """Definitions of a task, and of the results that there are.

    ``sample``: what is resampled; ``graded``: whether units have a value and nothing else.
    """
    known = _OF_RESULT if task.answers != "none" else {**_OF_RESULT, **_OF_VERDICTS}
    known = {**known, "triage": _OF_VERDICTS["triage"]} if task.value else known  # by values
    known = {**known, **_OF_GRADED} if graded else known
    of_results = [one for name, found in known.items() if name in results for one in found]
    words, one = task.words, gold_unit(task.words)
    said = {
        "{samples}": plural(sample),
        "{a gold unit}": a(one),
        "{gold units}": "gold units" if words.context else words.units,
        "{A unit}": first_upper(a("unit" if words.context else one)),
        "{unit}": words.unit,
        "{units}": words.units,
        "{Units}": first_upper(words.units),
    }
    return [_filled(one, said) for one in (*task.definitions, *of_results)]


def _filled(one: Definition, said: Mapping[str, str]) -> Definition:
    name, meaning = one.name, one.meaning
    for place, words in said.items():
        name, meaning = name.replace(place, words), meaning.replace(place, words)
    return one._replace(name=name, meaning=meaning)
