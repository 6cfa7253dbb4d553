"""Names that look the same, and names that only resemble each other."""

from __future__ import annotations

import pytest

from finegrain.corpus.names import misnamed, seen

ALIKE = {
    "a blank at the end": "crf ",
    "a blank that does not break": "\u00a0crf",
    "a joiner": "c\u200drf",
    "a mark of direction": "crf\u200e",
    "a soft hyphen": "c\u00adrf",
    "a byte order mark": "\ufeffcrf",
    "a variation selector": "crf\ufe0f",
    "a filler": "crf\u3164",
    "wide letters": "\uff43\uff52\uff46",
}


@pytest.mark.parametrize("name", ALIKE.values(), ids=ALIKE)
def test_what_is_not_seen_does_not_tell_names_apart(name: str) -> None:
    assert name != "crf"
    assert seen(name) == "crf"
    assert misnamed(["crf", "neural", name], "system") == (
        f"two systems look the same: 'crf' and {name!a}"
    )


@pytest.mark.parametrize("other", ["CRF", "crf2", "c rf", "crf-", "c\x00rf", "ćrf", "сrf-1"])
def test_what_is_seen_tells_names_apart(other: str) -> None:
    assert misnamed(["crf", other], "system") == ""


@pytest.mark.parametrize("name", ["", " ", "\t\n", "\u200b", "\u2800", "\u115f\u1160"])
def test_a_name_has_something_to_see(name: str) -> None:
    assert misnamed([name], "annotator") == "an annotator without a name"
