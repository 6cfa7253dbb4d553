"""Sentences as they stand in a file, with what has to go with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

import finegrain as fg
from finegrain.formats.source import source_of
from finegrain.formats.verbatim import copied, pieces
from tests.conftest import Run

ENTITY = "# global.Entity = eid-etype-head\n"
OTHER = "#global.Entity=eid-head\n"
COLUMNS = "# global.columns = ID FORM\n"


def _sentence(name: str) -> str:
    return f"# text = {name}\n1\t{name}\t_\tX\t_\t_\t0\troot\t_\tEntity=(e1-person-1)\n\n"


ADA, BOB, EVE = map(_sentence, ("Ada", "Bob", "Eve"))
TWO = f"# newdoc id = a\n{ENTITY}{ADA}{BOB}# newdoc id = b\n{EVE}"


def _copy(text: str, sentences: Sequence[int]) -> str:
    found = pieces(source_of("a.conllu", text.encode()), "conllu")
    assert found is not None
    return copied(found, sentences)


def test_all_sentences_are_the_file() -> None:
    again = TWO.replace("id = b\n", f"id = b\n{ENTITY}")
    assert _copy(TWO, [0, 1, 2]) == TWO
    assert _copy(again, [0, 1, 2]) == again


def test_what_is_said_of_all_lines_goes_with_the_first_that_is_copied() -> None:
    assert _copy(TWO, [1]) == f"# newdoc id = a\n{ENTITY}{BOB}"
    assert _copy(TWO, [2]) == f"# newdoc id = b\n{ENTITY}{EVE}"
    assert _copy(TWO, [1, 2]) == f"# newdoc id = a\n{ENTITY}{BOB}# newdoc id = b\n{EVE}"


def test_the_last_that_was_said_holds() -> None:
    text = f"{COLUMNS}{ENTITY}{ADA}{BOB}{OTHER}{EVE}"
    assert _copy(text, [2]) == f"{COLUMNS}{OTHER}{EVE}"
    assert _copy(text, [1, 2]) == f"{COLUMNS}{ENTITY}{BOB}{OTHER}{EVE}"
    assert _copy(text, [2, 1]) == f"{COLUMNS}{OTHER}{EVE}{ENTITY}{BOB}"


@pytest.mark.parametrize("options", [(), ("--input", "conllu")])
def test_every_part_can_be_read_as_coreference(
    run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    documents = (f"# newdoc id = d{number}\n{ADA}{BOB}" for number in range(6))
    text = "".join(documents).replace("d0\n", f"d0\n{ENTITY}")
    (tmp_path / "all.conllu").write_text(text)
    done = run("split", "all.conllu", "-o", "parts", "--fractions", "one=0.5,two=0.5", *options)
    assert done.returncode == 0, done.stderr
    for name in ("one", "two"):
        part = tmp_path / "parts" / f"{name}.conllu"
        assert part.read_text().count(ENTITY) == 1
        clusters = fg.read(str(part)).clusters
        assert clusters is not None
        assert len(clusters) == 6
        assert set(clusters.spans.labels) == {"person"}
