"""Whatever file a command reads: a cut archive of it is refused, and nothing is written."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard

from tests.conftest import Run

GOLD = "".join(f"w{at} {tag}\n\n" for at, tag in enumerate(["O", "B-PER", "B-LOC", "O"] * 25))
ROWS = range(100)
TEXTS = {
    "gold": GOLD,
    "labels": "item\tr1\tr2\n" + "".join(f"i{at}\t{at % 2}a\t{at % 3}a\n" for at in ROWS),
    "counts": "\tyes\tno\nyes\t46\t6\nno\t2\t46\n",
    "crowd": "item\tworker\tlabel\n" + "".join(f"i{at // 5}\tw{at % 5}\tx\n" for at in ROWS),
    "domains": "sentence\tdomain\n" + "".join(f"{at + 1}\td{at % 2}\n" for at in ROWS),
    "pairs": "word1,word2,score\n" + "".join(f"w{at},w{at + 1},{at % 10}.5\n" for at in ROWS),
    "vectors": "".join(f"w{at} " + "0.5 1 " * 6 + f"{at}\n" for at in ROWS),
    "table": "item\ta\tb\n" + "".join(f"q{at}\t1\t{at % 2}\n" for at in ROWS),
}
COMMANDS = [
    ("gold", "score", "gold.conll", "CUT"),
    ("gold", "score", "CUT", "gold.conll"),
    ("gold", "score", "gold.conll", "gold.conll", "--train", "CUT"),
    ("gold", "score", "gold.conll", "gold.conll", "--also-gold", "CUT"),
    ("gold", "check", "gold.conll", "--against", "CUT"),
    ("gold", "describe", "CUT"),
    ("gold", "split", "CUT", "-o", "out"),
    ("gold", "convert", "CUT", "out.jsonl"),
    ("gold", "align", "gold.conll", "CUT", "-o", "out.parquet"),
    ("gold", "report", "gold.conll", "CUT", "-o", "out.html"),
    ("domains", "buckets", "gold.conll", "gold.conll", "--attribute", "domain=CUT"),
    ("labels", "agreement", "CUT"),
    ("counts", "agreement", "CUT", "--counts"),
    ("crowd", "crowd", "CUT"),
    ("pairs", "vectors", "CUT", "glove=vectors.txt", "-p", "out"),
    ("vectors", "vectors", "pairs.csv", "glove=CUT", "-p", "out"),
    ("table", "difficulty", "CUT"),
]


@pytest.mark.parametrize("suffix", ["gz", "zst"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_cut_archive_is_refused(
    run: Run, tmp_path: Path, command: tuple[str, ...], suffix: str
) -> None:
    (tmp_path / "gold.conll").write_text(GOLD)
    (tmp_path / "pairs.csv").write_text(TEXTS["pairs"])
    (tmp_path / "vectors.txt").write_text(TEXTS["vectors"])
    text = TEXTS[command[0]].encode()
    whole = gzip.compress(text) if suffix == "gz" else zstandard.compress(text)
    cut = f"cut.{suffix}"
    (tmp_path / cut).write_bytes(whole[: len(whole) * 2 // 3])
    before = {path.name for path in tmp_path.iterdir()}
    done = run(*(one.replace("CUT", cut) for one in command[1:]), cwd=tmp_path)
    kind = {"gz": "gzip", "zst": "zstd"}[suffix]
    assert done.returncode == 3
    assert f"{cut}: damaged {kind} file (" in done.stdout + done.stderr
    assert {path.name for path in tmp_path.iterdir()} == before
