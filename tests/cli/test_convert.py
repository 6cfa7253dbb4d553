"""``convert``: formats by suffix or name, nothing lost in silence, nothing half written."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

import finegrain as fg
from finegrain import cli, read
from finegrain.formats.same_annotation import first_difference
from tests.cli.test_bad_input import Ran, contents
from tests.conftest import Run

BIO = "-DOCSTART-\tO\n\nNew\tB-LOC\nYörk\tI-LOC\n\n-DOCSTART-\tO\n\nAda\tB-PER\nמ\U0001f600\tO\n"
NESTED = (
    '{"id": "a", "text": "New York City", "spans": [{"start": 0, "end": 13, "label": "ORG"}, '
    '{"start": 0, "end": 8, "label": "LOC"}]}\n'
)
CONLLU = "# newdoc id = a\n1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t_\t_\t_\t_\n\n"


Call = Callable[..., Ran]


@pytest.fixture
def call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """Run ``finegrain convert`` in this process, in a folder with a few files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bio.conll").write_text(BIO, encoding="utf-8")
    (tmp_path / "nested.jsonl").write_text(NESTED, encoding="utf-8")
    (tmp_path / "ud.conllu").write_text(CONLLU, encoding="utf-8")

    def convert(*arguments: str) -> Ran:
        monkeypatch.setattr(sys, "argv", ["finegrain", "convert", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        out, err = capsys.readouterr()
        return Ran(ended.value.code or 0, out, err)

    return convert


def test_tags_become_tokens_with_tags_or_text_with_spans(call: Call, tmp_path: Path) -> None:
    ran = call("bio.conll", "tokens.jsonl")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "wrote tokens.jsonl (format jsonl)\n"
    assert json.loads((tmp_path / "tokens.jsonl").read_text().splitlines()[0]) == {
        "tokens": [["New", "Yörk"]],
        "tags": [["B-LOC", "I-LOC"]],
    }
    ran = call("bio.conll", "text.jsonl", "--annotation", "spans")
    assert ran.err == "2 spans, scheme iob2\nwrote text.jsonl (format jsonl)\n"
    assert json.loads((tmp_path / "text.jsonl").read_text().splitlines()[0]) == {
        "text": "New Yörk",
        "spans": [{"start": 0, "end": 8, "label": "LOC"}],
    }


def test_there_and_back_through_all_formats_is_the_same(call: Call) -> None:
    steps = ["a.jsonl --annotation spans", "b --to brat", "c.ndjson", "d.conll", "e.json",
             "f.jsonl --annotation spans", "g.tsv"]  # fmt: skip
    last = "bio.conll"
    for step in steps:
        assert call(last, *step.split()).code == 0, step
        last = step.split()[0]
    assert first_difference(read("bio.conll"), read("g.tsv")) is None
    assert Path("g.tsv").read_text() == BIO


def test_what_is_left_out_is_said(call: Call) -> None:
    assert call("bio.conll", "b", "--to", "brat").code == 0
    assert "conll holds no document ids: they are left out" in call("b", "x.conll").err
    err = call("bio.conll", "x.spans").err
    assert "spans holds no text: the tokens are left out" in err
    assert "spans holds no documents: their boundaries are left out" in err


def test_sentences_without_documents_become_documents_and_that_is_said(
    call: Call, tmp_path: Path
) -> None:
    (tmp_path / "plain.conll").write_text("a B-X\n\nb O\n")
    said = "there are no documents in it: every sentence is one of its own"
    assert said in call("plain.conll", "x.jsonl", "--annotation", "spans").err
    assert said not in call("plain.conll", "y.jsonl").err


def test_words_of_universal_dependencies_keep_their_layers(call: Call) -> None:
    assert call("ud.conllu", "ud.jsonl").code == 0
    assert call("ud.jsonl", "again.conllu").code == 0
    assert Path("again.conllu").read_text() == CONLLU
    ran = call("ud.conllu", "ud.tsv")
    assert "columns: token, lemma, xpos, feats, tags" in ran.err
    assert Path("ud.tsv").read_text().splitlines()[-1] == "dogs\tdog\tNNS\tNumber=Plur\tNOUN"
    assert call("ud.conllu", "xpos.tsv", "--layer", "xpos").code == 0
    assert Path("xpos.tsv").read_text().splitlines()[-1] == "dogs\tNNS"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nested.jsonl x.conll", "tags cannot hold LOC 'New York' in sentence 1: it overlaps"),
        ("nested.jsonl x.conllu", "conllu has no column for spans"),
        ("bio.conll x.conllu", "conllu has no column for spans (B-LOC)"),
        ("ud.conllu x.spans", "the tag 'NOUN' is not a span (as B-PER is), so spans has no place"),
        ("ud.conllu x --to brat", "the tag 'NOUN' is not a span"),
        ("bio.conll x.ann", "brat holds one document per file: write this corpus to a folder"),
        ("bio.conll - --to brat", "brat is two files or more"),
        ("bio.conll x", "x: say which format to write: --to brat|clusters|"),
        ("bio.conll x.jsonl --to nope", "unknown format 'nope'"),
        ("bio.conll x.jsonl --from nope", "unknown format 'nope'"),
        ("bio.conll x.jsonl --annotation nope", "unknown annotation 'nope'"),
        ("bio.conll x.conll --annotation spans", "the format conll holds tags"),
        ("bio.conll x.jsonl --layer nope", "unknown layer 'nope'"),
        ("bio.conll x.jsonl --policy nope", "unknown policy 'nope'"),
        ("nested.jsonl x.jsonl --columns token=1,tags=2 --from jsonl", "jsonl has no columns"),
        ("cut.jsonl x.conll", "tags cannot hold X 'ab.' in sentence 1: it begins or ends inside"),
        ("cut.jsonl x.spans", "spans cannot hold this corpus: the span X 1-1 inside of a token"),
        ("gap x.conll", "tags cannot hold X 'a c' in sentence 1: it has a gap"),
        ("gap x.jsonl", "jsonl cannot hold spans with gaps (X 'a c')"),
        ("dummy.jsonl x.spans", "spans cannot hold this corpus: 1 spans become 0"),
        ("two.jsonl x.conll --scheme io", "io tags cannot hold X (sentence 1, tokens 1 to 1)"),
        ("stack.jsonl x.conll", "tags cannot hold a label as in 'B-A|x'"),
        ("tab.jsonl x.conll", "conll cannot hold this corpus: "),
        ("tab.jsonl x.jsonl --annotation spans", "the token 'a\\tb' has white space in it"),
        ("pos.jsonl x.jsonl --annotation spans", "not the layers pos_tags; --layer tags leaves"),
        ("x.spans y.conll", "no text, so there are no tokens to write tags for"),
        ("bio.conll full --to brat", "full: it is not an empty folder; name another one"),
    ],
)  # fmt: skip
def test_what_cannot_be_expressed_is_an_error_and_nothing_is_written(
    arguments: str, message: str, call: Call, tmp_path: Path
) -> None:
    def text(string: str, *spans: tuple[int, int, str]) -> str:
        listed = [{"start": begin, "end": end, "label": label} for begin, end, label in spans]
        return json.dumps({"text": string, "spans": listed}) + "\n"

    for name, content in {
        "cut.jsonl": text("ab.", (0, 2, "X")),
        "dummy.jsonl": text("a", (0, 1, "NONE")),
        "two.jsonl": text("a b", (0, 1, "X"), (2, 3, "X")),
        "stack.jsonl": text("a b", (0, 3, "A|x")),
        "tab.jsonl": '{"tokens": ["a\\tb"], "tags": ["B-X"]}\n',
        "pos.jsonl": '{"tokens": ["a"], "ner_tags": ["B-X"], "pos_tags": ["N"]}\n',
        "x.spans": "X\t1\t1\t1\n",
        "gap/d.txt": "a b c\n",
        "gap/d.ann": "T1\tX 0 1;4 5\ta c\n",
        "full/d.txt": "a b c\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    before = contents(tmp_path)
    ran = call(*arguments.split())
    assert (ran.code, ran.out) == (2, ""), ran.err
    assert message in ran.err
    assert contents(tmp_path) == before


def test_bad_input_is_told_as_everywhere(call: Call, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "a", "spans": [3]}\n')
    before = contents(tmp_path)
    ran = call("bad.jsonl", "x.conll")
    assert (ran.code, ran.out) == (3, "")
    assert "error: bad.jsonl:1: span 1 is a number" in ran.err
    assert contents(tmp_path) == before


def test_ill_formed_tags_are_counted(call: Call, tmp_path: Path) -> None:
    (tmp_path / "ill.conll").write_text("a O\nb I-X\nc B-Y\nd B-Y\n")
    assert "1 ill-formed tag repaired (--policy conlleval)" in call("ill.conll", "x.spans").err
    assert "1 ill-formed tag dropped (--policy discard)" in call(
        "ill.conll", "x.spans", "--policy", "discard"
    ).err  # fmt: skip
    assert call("ill.conll", "y.spans", "--policy", "error").code == 3
    assert not (tmp_path / "y.spans").exists()


def test_columns_can_be_chosen(call: Call, tmp_path: Path) -> None:
    (tmp_path / "wide.tsv").write_text("1\tAda\tB-PER\t_\n")
    assert call("wide.tsv", "x.jsonl", "--columns", "token=2,tags=3").code == 0
    assert json.loads((tmp_path / "x.jsonl").read_text()) == {"tokens": ["Ada"], "tags": ["B-PER"]}


@pytest.mark.parametrize(
    ("suffix", "unpack"),
    [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress),
     (".zst", zstandard.decompress)],
)  # fmt: skip
def test_the_target_is_compressed_as_its_suffix_says(
    suffix: str, unpack: Callable[[bytes], bytes], call: Call, tmp_path: Path
) -> None:
    assert call("bio.conll", f"x.tsv{suffix}").code == 0
    assert unpack((tmp_path / f"x.tsv{suffix}").read_bytes()).decode() == BIO


def test_a_pair_of_brat_files(call: Call, tmp_path: Path) -> None:
    (tmp_path / "one.conll").write_text("Ada\tB-PER\n\nsleeps\tO\n")
    assert call("one.conll", "out.v1.ann").code == 0
    assert (tmp_path / "out.v1.txt").read_text() == "Ada\nsleeps\n"
    assert (tmp_path / "out.v1.ann").read_text() == "T1\tPER 0 3\tAda\n"
    assert call("out.v1.txt", "again.conll").code == 0
    assert (tmp_path / "again.conll").read_text() == "Ada\tB-PER\n\nsleeps\tO\n"


def test_an_empty_folder_may_be_filled(call: Call, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert call("bio.conll", "empty", "--to", "brat").code == 0
    names = sorted(path.name for path in (tmp_path / "empty").iterdir())
    assert names == ["1.ann", "1.txt", "2.ann", "2.txt"]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("target", ["no/x.jsonl", "no/x.ann"])
def test_a_target_that_cannot_be_written_is_told(target: str, call: Call, tmp_path: Path) -> None:
    before = contents(tmp_path)
    ran = call("nested.jsonl", target)
    assert ran.code == 3
    assert f"error: {target}: cannot be written (" in ran.err
    assert contents(tmp_path) == before


def test_a_failure_while_writing_leaves_the_old_file(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "x.jsonl").write_text("old")
    before = contents(tmp_path)
    monkeypatch.setattr(Path, "replace", full)
    for target in ("x.jsonl", "folder"):
        ran = call("bio.conll", target, "--to", "jsonl" if target == "x.jsonl" else "brat")
        assert ran.code == 3
        assert f"{target}: cannot be written (No space left on device)" in ran.err
        assert contents(tmp_path) == before


def test_standard_input_to_standard_output(run: Run) -> None:
    done = run("convert", "-", "-", "--to", "jsonl", stdin="Ada B-PER\n")
    assert done.returncode == 0
    assert done.stdout == '{"tokens": ["Ada"], "tags": ["B-PER"]}\n'


def test_scores_do_not_depend_on_the_format_of_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.conll").write_text(BIO, encoding="utf-8")
    (tmp_path / "s.conll").write_text(BIO.replace("I-LOC", "O"), encoding="utf-8")
    for name in ("g", "s"):
        done = run("convert", f"{name}.conll", f"{name}.jsonl", "--annotation", "spans")
        assert done.returncode == 0
        assert run("convert", f"{name}.conll", f"{name}.d", "--to", "brat").returncode == 0
    results = []
    for gold in ("g.conll", "g.jsonl", "g.d"):
        done = run("score", gold, "a=s.conll", "b=s.jsonl", "c=s.d", "--format", "json")
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)["result"]
        assert result["a"] == result["b"] == result["c"]
        results.append(result)
    assert results[0] == results[1] == results[2]


def test_the_library_writes_what_it_has_read(tmp_path: Path) -> None:
    corpus = fg.simulate(tokens=300, seed=2).gold
    said = fg.write(corpus, str(tmp_path / "gold.spans.gz"), layer="tags", format="spans")
    assert said[-1].startswith("wrote ")
    table = fg.align(corpus, {"same": fg.read(str(tmp_path / "gold.spans.gz"))})
    assert (table.outcome == table.outcomes.code("TP")).all()
    with pytest.raises(fg.UsageError, match="layer"):
        fg.write(corpus, str(tmp_path / "x.jsonl"), layer="none")
    assert not (tmp_path / "x.jsonl").exists()


def test_how_answers_were_grounded_is_not_dropped_in_silence(tmp_path: Path) -> None:
    record = {
        "id": "d1",
        "text": "I met Ada.",
        "spans": [{"start": 6, "end": 9, "label": "PER", "grounding": "exact"}],
        "unplaced": [{"class": "hallucinated", "label": "LOC", "answer": "Rome"}],
    }
    (tmp_path / "model.jsonl").write_text(json.dumps(record) + "\n")
    said = fg.write(read(tmp_path / "model.jsonl"), tmp_path / "out.jsonl")
    assert "jsonl is written without grounding, unplaced" in said
