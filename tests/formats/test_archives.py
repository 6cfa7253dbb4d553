"""Archives are read to their very end, within limits, or refused, by every way of reading."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import random
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zstandard

import finegrain as fg
from finegrain.errors import FinegrainError, InputError, UsageError
from finegrain.formats import FORMATS, archives, matrix, source
from finegrain.formats.archives import blocks, compressed
from finegrain.formats.source import open_source, source_of
from finegrain.formats.stream import beginning, whole_lines
from tests.conftest import Run

Compress = Callable[[bytes], bytes]


def _streamed(data: bytes) -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    return packer.compress(data) + packer.flush()


COMPRESSORS: dict[str, Compress] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor(write_checksum=True).compress,
    "zst without checksum": zstandard.ZstdCompressor().compress,
    "zst of unknown size": _streamed,
}
KINDS = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
compressed_any_way = pytest.mark.parametrize("way", COMPRESSORS)


def _texts() -> dict[str, bytes]:
    """A file of every format that is a file, large enough to have blocks of its own."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefgh", k=5)) for _ in range(400)]
    pairs = "".join(f"{word} {draw.choice(['O', 'B-PER', 'B-LOC'])}\n\n" for word in words)
    conllu = "".join(f"1\t{word}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for word in words)
    begin = "#begin document (d); part 000\n"
    return {
        "clusters": b'{"doc_key": "a", "sentences": [["Ada"]], "clusters": [[[0, 0]]]}\n'
        + b"".join(
            b'{"doc_key": "%d", "sentences": [["%s"]], "clusters": []}\n' % (at, word.encode())
            for at, word in enumerate(words)
        ),
        "items": "".join(
            f'{{"id": "{at}", "label": "{word}"}}\n' for at, word in enumerate(words)
        ).encode(),
        "squad": _squad(words).encode(),
        "lm_eval": "".join(
            f'{{"doc_id": {at}, "doc": {{"x": "{word}"}}, "filtered_resps": [[-1.5], [-2]]}}\n'
            for at, word in enumerate(words)
        ).encode(),
        "answers": json.dumps({f"q{at}": word for at, word in enumerate(words)}).encode(),
        "trec": "".join(f"q{at} 0 {word} 1\n" for at, word in enumerate(words)).encode(),
        "csv": "".join(f"{at},{word}\n" for at, word in enumerate(words)).encode(),
        "jsonl": "".join(f'{{"tokens": ["{word}"], "tags": ["O"]}}\n' for word in words).encode(),
        "matrix": "".join(f"{word}{at} {at % 2} 0\n" for at, word in enumerate(words)).encode(),
        "spans": "".join(f"{word}\t1\t1\t1\n\n" for word in words).encode(),
        "conll2012": (
            begin
            + "".join(f"d 0 0 {word} X * - - - - * -\n\n" for word in words)
            + "#end document\n"
        ).encode(),
        "corefud": conllu.replace("root\t_\t_", "root\t_\tEntity=(e1)", 1).encode(),
        "conllu": conllu.encode(),
        "segmented": "".join(f"{word} 北京\n" for word in words).encode(),
        "boundaries": "".join(f"{at % 2}{at % 3 // 2}0\n" for at, _ in enumerate(words)).encode(),
        "sgm": _segments(words, '<tstset><doc docid="d" sysid="s">', "</doc></tstset>\n"),
        "wmt": _segments(
            words, '<dataset><doc id="d"><hyp system="s"><p>', "</p></hyp></doc></dataset>\n"
        ),
        "segments": b"source\thypothesis\n"
        + "".join(f"{word}\t{word} it\n" for word in words).encode(),
        "lines": "".join(f"{word} it\n" for word in words).encode(),
        "text": "".join(f"{word} it\n" for word in words).encode(),
        "vectors": "".join(f"{word} 0.5 {at}\n" for at, word in enumerate(words)).encode(),
        "logprobs": "".join(f"{word}\t-{at}.5\n\n" for at, word in enumerate(words)).encode(),
        "conll": pairs.encode(),
    }


def _squad(words: list[str]) -> str:
    questions = [
        {"id": str(at), "question": word, "answers": [{"text": word}]}
        for at, word in enumerate(words)
    ]
    return json.dumps({"data": [{"paragraphs": [{"context": "", "qas": questions}]}]})


def _segments(words: list[str], before: str, after: str) -> bytes:
    segments = (f'<seg id="{at}">{word}</seg>\n' for at, word in enumerate(words))
    return (before + "".join(segments) + after).encode()


TEXTS = _texts()
every_format = pytest.mark.parametrize("name", TEXTS)


def offsets(size: int) -> Iterator[int]:
    """Where to cut: at both ends, and at some places between."""
    yield from sorted({*range(6, 12), *range(12, size, max(size // 8, 1)), *range(size - 6, size)})


def test_every_format_of_files_is_tried() -> None:
    assert set(TEXTS) == {name for name, one in FORMATS.items() if one.files is None}


@compressed_any_way
@every_format
def test_a_truncated_archive_is_refused_by_every_reader(
    name: str, way: str, tmp_path: Path
) -> None:
    whole, path = COMPRESSORS[way](TEXTS[name]), tmp_path / "a"
    path.write_bytes(whole)
    assert fg.read(str(path), format=name).n_sentences >= 400
    for cut in offsets(len(whole)):
        path.write_bytes(whole[:cut])
        with pytest.raises(InputError, match=f"a: damaged {KINDS[way[:3].strip()]} file \\("):
            fg.read(str(path), format=name)


@compressed_any_way
def test_a_truncated_table_is_refused_in_blocks_too(way: str, tmp_path: Path) -> None:
    whole, path = COMPRESSORS[way](TEXTS["matrix"]), tmp_path / "a"
    path.write_bytes(whole)
    assert matrix.read_file(str(path)).n_sentences == 400
    for cut in offsets(len(whole)):
        path.write_bytes(whole[:cut])
        with pytest.raises(InputError, match=f"a: damaged {KINDS[way[:3].strip()]} file \\("):
            matrix.read_file(str(path))


def test_every_cut_of_a_small_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for way, compress in COMPRESSORS.items():
        whole = compress(b"q1 1 0\nq2 0 1\n" * 2)
        for cut in range(len(whole)):
            path.write_bytes(whole[:cut])
            for read in (matrix.read_file, lambda name: fg.read(name, format="matrix")):
                with pytest.raises(InputError):
                    print(way, cut, read(str(path)))


def test_half_a_table_gets_no_score(run: Run, tmp_path: Path) -> None:
    """A table of many rows, cut in half: the first half would have another score."""
    draw = random.Random(1)
    rows = b"".join(b"%d 1\n" % draw.randint(0, 1) for _ in range(40_000))
    whole = zstandard.ZstdCompressor().compress(rows)
    (tmp_path / "table.zst").write_bytes(whole)
    assert run("score", "table.zst", cwd=tmp_path).returncode == 0
    (tmp_path / "table.zst").write_bytes(whole[: len(whole) // 2])
    done = run("score", "table.zst", "--input", "matrix", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "table.zst: damaged zstd file (it ends too early)" in done.stderr


@compressed_any_way
@pytest.mark.parametrize("junk", [b"junk", b"\0junk", b"\n", b"1 0\n", b"\x1f", bytes(5) + b"x"])
def test_what_follows_the_end_of_an_archive_is_refused(
    way: str, junk: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "a"
    path.write_bytes(COMPRESSORS[way](b"1 0\n0 1\n") + junk)
    for read in (matrix.read_file, open_source, lambda name: list(whole_lines(name))):
        with pytest.raises(InputError, match="a: damaged"):
            read(str(path))


@pytest.mark.parametrize("way", ["gz", "xz"])
def test_zeros_that_fill_up_an_archive_are_no_junk(way: str) -> None:
    # gzip files on tape, and xz files by their standard, may be filled up with zeros
    compress = COMPRESSORS[way]
    data = compress(b"a O\n") + bytes(70_000) + compress(b"b O\n") + bytes(4)
    assert source_of("f", data).lines() == ["a O", "b O"]


@compressed_any_way
def test_members_follow_each_other(way: str, tmp_path: Path) -> None:
    compress = COMPRESSORS[way]
    (tmp_path / "a").write_bytes(b"".join(compress(b"1 %d\n" % (at % 2)) for at in range(9)))
    assert b"".join(whole_lines(str(tmp_path / "a"))) == b"1 0\n1 1\n" * 4 + b"1 0\n"
    assert len(open_source(str(tmp_path / "a")).lines()) == 9


def test_skipped_frames_of_zstd_are_skipped() -> None:
    frame = COMPRESSORS["zst"](b"a O\n")
    skipped = struct.pack("<II", 0x184D2A50, 4) + b"size"  # as pzstd writes them
    assert source_of("f", frame + skipped + frame + skipped).lines() == ["a O", "a O"]
    with pytest.raises(InputError, match="it ends too early"):
        source_of("f", frame + skipped[:-1])


@compressed_any_way
def test_large_content_comes_whole_and_in_blocks(way: str, tmp_path: Path) -> None:
    text = random.Random(2).randbytes(300_000).hex().encode() + b"\n" + b"0" * 3_000_000 + b"\n"
    path = tmp_path / "a"
    path.write_bytes(COMPRESSORS[way](text))
    assert b"".join(whole_lines(str(path))) == text
    whole = open_source(str(path))
    assert whole.buffer[: whole.end] == text


@compressed_any_way
def test_a_compressed_table_on_standard_input_is_recognised(way: str, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(COMPRESSORS[way](b"1 0\n0 1\n" * 200_000))
    start = beginning(str(path))
    assert start is not None
    assert matrix.looks_like(start)


# ------------------------------------------------------------------------------------- limits


@pytest.fixture
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGE", 1 << 20)
    monkeypatch.setattr(archives, "SIZE", 4 << 20)


@pytest.mark.usefixtures("small_limits")
@compressed_any_way
def test_an_archive_that_holds_too_much_is_refused(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(COMPRESSORS[way](b"1 0\n" * (3 << 19)))
    for read in (open_source, matrix.read_file):
        with pytest.raises(InputError, match=r"a: it holds more than .* MiB.*MAX_INPUT_SIZE="):
            read(str(path))
    monkeypatch.setenv(archives.VARIABLE, "20M")
    assert open_source(str(path)).end == 6 << 20
    assert matrix.read_file(str(path)).n_sentences == 3 << 19


@pytest.mark.usefixtures("small_limits")
def test_text_may_be_as_large_as_the_limit(tmp_path: Path) -> None:
    text = random.Random(1).randbytes(1 << 20).hex().encode()  # 2 MiB, half of it when compressed
    (tmp_path / "a").write_bytes(gzip.compress(text))
    assert open_source(str(tmp_path / "a")).end == (2 << 20) + 1


def test_no_more_is_decompressed_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(archives.VARIABLE, "1M")
    for compress in COMPRESSORS.values():
        packed = io.BytesIO(compress(b"0" * (4 << 20)))
        with pytest.raises(InputError, match="it holds more than 1 MiB"):
            list(blocks("a", io.BufferedReader(packed)))


@pytest.mark.parametrize("size", ["", "much", "-1", "1.5G", "1 2", "G"])
def test_a_limit_that_is_no_size_is_refused(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(archives.VARIABLE, size)
    with pytest.raises(UsageError, match=f"{archives.VARIABLE}: .* is not a size"):
        source_of("f", gzip.compress(b"a O\n"))


@pytest.mark.parametrize(("size", "expected"), [("20G", 20 << 30), ("7", 7), ("3 kib", 3 << 10)])
def test_sizes(size: str, expected: int) -> None:
    assert archives._size(size) == expected


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
@pytest.mark.parametrize(
    ("device", "what"),
    [
        ("/dev/zero", "/dev/zero: a line of more than"),
        ("/dev/urandom", "/dev/urandom:"),
    ],
)
def test_devices_without_an_end_are_refused(
    device: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_LONGEST", 1 << 21)
    monkeypatch.setenv(archives.VARIABLE, "100M")
    for read in (open_source, matrix.read_file, fg.read, fg.read_ratings):
        with pytest.raises(InputError, match=what):
            read(device)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.usefixtures("small_limits")
def test_a_pipe_without_an_end_is_refused(tmp_path: Path) -> None:
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write() -> None:
        try:
            with pipe.open("wb") as file:
                while True:
                    file.write(b"1 0\n" * 10_000)
        except BrokenPipeError:
            pass

    for read in (open_source, matrix.read_file):
        thread = threading.Thread(target=write)
        thread.start()
        with pytest.raises(InputError, match="pipe: it holds more than 4 MiB"):
            read(str(pipe))
        thread.join()


# ------------------------------------------------------------------------------------ writing


@pytest.mark.parametrize("suffix", archives.SUFFIXES)
def test_what_is_written_is_read_and_always_the_same(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"Ada B-PER\n" * 1000
    packed = compressed(text, suffix)
    assert len(packed) < 300
    assert source_of("f", packed).lines() == ["Ada B-PER"] * 1000
    monkeypatch.setattr("time.time", lambda: 2e9)
    assert compressed(text, suffix) == packed


def test_zstd_gets_a_checksum() -> None:
    packed = compressed(b"Ada B-PER\n", ".zst")
    assert zstandard.get_frame_parameters(packed).has_checksum


def test_other_suffixes_are_not_compressed() -> None:
    assert compressed(b"Ada\n", ".tsv") == b"Ada\n"


@pytest.mark.parametrize("suffix", archives.SUFFIXES)
def test_convert_writes_archives_that_are_always_the_same(
    suffix: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.conll").write_bytes(TEXTS["conll"])
    made = []
    for name in ("one", "two"):
        done = run("convert", "a.conll", f"{name}.jsonl{suffix}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        made.append((tmp_path / f"{name}.jsonl{suffix}").read_bytes())
    assert made[0] == made[1]
    assert fg.read(str(tmp_path / f"one.jsonl{suffix}")).n_sentences == 400


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(FinegrainError, match="writing zstd files needs"):
        compressed(b"", ".zst")
