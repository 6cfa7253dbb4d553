"""Names that options list: ``A,B``, with quotes around a name that has a comma itself.

>>> names_in("PER, ORG", '"art, music",LOC')
['PER', 'ORG', 'art, music', 'LOC']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from finegrain.table import OutcomeTable

_NAME = re.compile(r'\s*"(?P<quoted>[^"]+)"\s*(?:,|$)|(?P<plain>[^,]*)(?:,|$)')


def names_in(*given: str) -> list[str]:
    """The names in some values of an option, in their order; nothing between commas is not a name.

    >>> names_in('",``', "")
    ['"', '``']
    """
    found = (one["quoted"] or one["plain"] for text in given for one in _NAME.finditer(text))
    return [name.strip() for name in found if name.strip()]


def chosen_systems(table: OutcomeTable, given: list[str] | None) -> list[str] | None:
    """The systems of ``--systems``; one name that has commas may stand alone without quotes."""
    if given is None:
        return None
    listed = ([one] if one in table.systems else names_in(one) for one in given)
    return [name for names in listed for name in names]
