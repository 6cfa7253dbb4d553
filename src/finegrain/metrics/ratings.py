"""The mean rating that people gave to a system.

>>> from finegrain.table.samples import whole
>>> from finegrain.tasks import TASKS
>>> gold, _ = TASKS["ratings"].example()
>>> table = TASKS["ratings"].align(gold, {})
>>> RATING.score(RATING.statistics(table, whole(table))).round(3).tolist()
[[3.5, 2.688]]
"""

from __future__ import annotations

import re
from dataclasses import replace

from finegrain.alignment.ratings import OPEN, PARTS
from finegrain.alignment.ratings import RATING as VALUE
from finegrain.errors import UsageError
from finegrain.metrics.metric import Metric
from finegrain.metrics.options import MetricOptions
from finegrain.metrics.values import OfParts, mean, mean_of
from finegrain.metrics.weighing import Floats

_NAMED = re.compile(r"rating\((?P<criterion>.*)\)\Z", re.DOTALL)


def mean_rating(sums: Floats) -> Floats:
    r"""Mean rating.

    .. math:: \bar r = \frac{1}{|I|} \sum_{i \in I} \frac{1}{|R_i|} \sum_{r \in R_i} s_{ir}

    where I are the items on which the system was rated and :math:`s_{ir}` is what rater r of item i
    gave it: every item counts the same, however many people rated it. For intervals, items and
    raters are drawn at once, each as often as there are (Owen 2007); where there are fewer than 6
    raters, items alone are.

    >>> import numpy as np
    >>> mean_rating(np.array([9.0, 2.0]))                       # items with means 4 and 5
    array(4.5)
    """
    return mean(sums)


def of_criterion(value: str, name: str) -> Metric:
    """The mean of the ratings by a criterion."""
    return replace(
        mean_of(value, OPEN, name=name, summary="mean of what people gave to items"),
        statistics=OfParts(value, PARTS),
        definition=mean_rating,
        reference="Owen (2007)",
        undefined="nobody rated the system",
    )


RATING = of_criterion(VALUE, "rating")
RATING_METRICS: tuple[Metric, ...] = (RATING,)


def default_metrics(options: MetricOptions | None = None) -> tuple[Metric, ...]:  # noqa: ARG001
    """The mean rating."""
    return RATING_METRICS


def parse(name: str) -> Metric | None:
    """``rating(fluency)``: the mean by one of several criteria.

    >>> parse("rating(fluency)").value, parse("accuracy")
    ('fluency', None)
    """
    found = _NAMED.match(name)
    if found is None:
        return None
    if not found["criterion"]:
        raise UsageError("name the criterion, as in rating(fluency)")
    return of_criterion(found["criterion"], name)
