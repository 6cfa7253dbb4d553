"""Exports of annotation tools and pipelines: each layout as its tool writes it, and its faults."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import finegrain as fg
from finegrain.corpus import Corpus
from finegrain.errors import InputError
from finegrain.formats import items, jsonl, recognise
from finegrain.formats.source import source_of

TEXT = "I  met Ada Lovelace.\nShe slept in Bern."
GOLD = [
    {"id": "d1", "text": TEXT, "spans": [
        {"start": 7, "end": 19, "label": "PER"}, {"start": 34, "end": 38, "label": "LOC"}]},
    {"id": "d2", "text": "No.", "spans": []},
]  # fmt: skip
REGION = {"start": 7, "end": 19, "text": "Ada Lovelace", "labels": ["PER"]}
BERN = {"start": 34, "end": 38, "text": "Bern", "labels": ["LOC"]}


def in_lines(records: list[Any]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def in_array(records: list[Any]) -> bytes:
    return json.dumps(records, indent=2).encode()


def _result(region: dict[str, Any]) -> dict[str, Any]:
    return {"value": region, "from_name": "label", "to_name": "text", "type": "labels"}


def studio(spans: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    annotation = {"id": 3, "was_cancelled": False, "result": [_result(one) for one in spans]}
    return {"annotations": [annotation], "predictions": [], **more}


# how each tool writes the two texts of GOLD
EXPORTS: dict[str, list[Any]] = {
    "training examples of spaCy": [
        [TEXT, {"entities": [[7, 19, "PER"], [34, 38, "LOC"]]}], ["No.", {"entities": []}],
    ],
    "documents of spaCy": [  # doc.to_json()
        {"text": TEXT, "ents": [{"start": 7, "end": 19, "label": "PER"},
                                {"start": 34, "end": 38, "label": "LOC"}],
         "sents": [{"start": 0, "end": 38}], "tokens": [{"id": 0, "start": 0, "end": 1}]},
        {"text": "No.", "ents": [], "tokens": [{"id": 0, "start": 0, "end": 3}]},
    ],
    "groups of spans of spaCy": [
        {"text": TEXT, "spans": {"sc": [{"start": 7, "end": 19, "label": "PER", "kb_id": ""},
                                        {"start": 34, "end": 38, "label": "LOC", "kb_id": ""}]}},
        {"text": "No.", "spans": {"sc": []}},
    ],
    "Prodigy": [
        {"text": TEXT, "_input_hash": 1, "_task_hash": 2, "answer": "accept", "spans": [
            {"start": 7, "end": 19, "label": "PER", "token_start": 2, "token_end": 3},
            {"start": 34, "end": 38, "label": "LOC", "token_start": 9, "token_end": 9}]},
        {"text": "No.", "_input_hash": 1, "_task_hash": 3, "answer": "accept"},
    ],
    "doccano": [
        {"id": "d1", "text": TEXT, "label": [[7, 19, "PER"], [34, 38, "LOC"]], "Comments": []},
        {"id": "d2", "text": "No.", "label": [], "Comments": []},
    ],
    "doccano, with relations": [
        {"id": "d1", "text": TEXT, "relations": [], "entities": [
            {"id": 1, "label": "PER", "start_offset": 7, "end_offset": 19},
            {"id": 2, "label": "LOC", "start_offset": 34, "end_offset": 38}]},
        {"id": "d2", "text": "No.", "relations": [], "entities": []},
    ],
    "Label Studio (JSON)": [
        studio([REGION, BERN], id="d1", data={"text": TEXT}),
        studio([], id="d2", data={"text": "No."}),
    ],
    "Label Studio (JSON-MIN)": [
        {"id": "d1", "text": TEXT, "label": [REGION, BERN], "annotator": 1, "annotation_id": 3},
        {"id": "d2", "text": "No.", "annotator": 1, "annotation_id": 4},
    ],
    "entities": [
        {"id": "d1", "text": TEXT, "entities": [[7, 19, "PER"], [34, 38, "LOC"]]},
        {"id": "d2", "text": "No.", "entities": []},
    ],
    "pipelines of Hugging Face": [
        [{"entity_group": "PER", "score": 0.9, "word": "ada lovelace", "start": 7, "end": 19},
         {"entity_group": "LOC", "score": 0.8, "word": "bern", "start": 34, "end": 38}], [],
    ],
}  # fmt: skip


def read(data: bytes, **options: Any) -> Corpus:
    source = source_of("export", data)
    assert recognise(source).name == "jsonl"
    return jsonl.read(source, **options)


def spans(corpus: Corpus) -> list[tuple[int, tuple[int, ...], str]]:
    own = corpus.spans
    assert own is not None
    return [
        (int(own.sentence[row]), own.tokens(row), own.labels[own.label[row]])
        for row in range(len(own))
    ]


@pytest.fixture(scope="module")
def gold() -> Corpus:
    return jsonl.read(source_of("gold", in_lines(GOLD)))


@pytest.mark.parametrize("form", [in_lines, in_array])
@pytest.mark.parametrize("tool", EXPORTS)
def test_every_tool_writes_the_same_spans(tool: str, form: Any, gold: Corpus) -> None:
    corpus = read(form(EXPORTS[tool]), gold=gold)
    assert spans(corpus) == spans(gold)
    assert np.array_equal(corpus.offsets, gold.offsets)
    assert corpus.notes[0].startswith(f"layout of {tool.partition(',')[0]}")


@pytest.mark.parametrize("tool", EXPORTS)
def test_no_export_is_read_as_items(tool: str) -> None:
    assert not items.looks_like(source_of("export", in_lines(EXPORTS[tool])))
    assert not items.looks_like(source_of("export", in_array(EXPORTS[tool])))


def test_the_first_records_may_have_no_span() -> None:
    turned = EXPORTS["doccano"][::-1]
    assert len(spans(read(in_lines(turned)))) == 2


def test_what_an_annotator_rejected_is_left_out_and_counted() -> None:
    rejected = [{"text": "odd", "spans": [], "answer": answer} for answer in ("reject", "ignore")]
    corpus = read(in_lines([*EXPORTS["Prodigy"], *rejected]))
    assert corpus.n_documents == 2
    assert '2 records with "answer": "reject" or "ignore" left out' in corpus.notes
    with pytest.raises(InputError, match="2 records with"):
        fg.formats.read_source(  # type: ignore[attr-defined]  # what --strict does
            source_of("f", in_lines([*EXPORTS["Prodigy"], *rejected])),
            fg.formats.by_name("jsonl"),  # type: ignore[attr-defined]
            strict=True,
        )


def test_predictions_serve_where_nobody_annotated() -> None:
    predicted = {"result": [_result(REGION)], "model_version": "v1"}
    cancelled = {"was_cancelled": True, "result": []}
    task = {"id": 1, "data": {"text": TEXT}, "annotations": [cancelled], "predictions": [predicted]}
    assert [label for _, _, label in spans(read(in_array([task])))] == ["PER"]


def test_a_region_with_two_labels_is_two_spans() -> None:
    both = REGION | {"labels": ["PER", "POET"]}
    corpus = read(in_array([studio([both], id=1, data={"text": TEXT})]))
    assert [label for _, _, label in spans(corpus)] == ["PER", "POET"]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([[{"entity": "B-PER", "word": "Ada", "start": 7, "end": 10}]],
         "export:1: entity 1 is a piece of a word, not an entity. Give the pipeline aggregation"),
        ([[{"entity_group": "PER", "word": "Ada", "start": None, "end": None}]],
         "export:1: entity 1 has no offsets. Give the pipeline a fast tokenizer."),
        ([*EXPORTS["doccano"], {"text": "a", "label": [[0, 1]]}],
         "export:3: span 1 has 2 parts, not 3."),
        ([*EXPORTS["doccano"], {"text": "a", "label": [[0, 9, "X"]]}],
         "export:3: span 1 ends at 9, but the text has 1 characters."),
        ([studio([REGION], id=1, data={"text": TEXT}) | {"annotations": [{"result": []}] * 2}],
         "export:1: 2 annotations of one text. Export one annotation of each text"),
        ([studio([REGION | {"text": "Ada"}], id=1, data={"text": TEXT})],
         'export:1: span 1 is "Ada Lovelace", but its text says "Ada".'),
        ([studio([{"start": "/p[1]", "end": "/p[1]", "hypertextlabels": ["X"]}],
                 id=1, data={"text": TEXT})],
         "export:1: region 1 does not count characters."),
        ([{"text": "a", "spans": {"sc": [], "ner": []}}],
         "export:1: spans are in 2 groups: sc, ner. Choose one: --spans-key NAME."),
        ([*EXPORTS["Prodigy"], {"text": "a", "spans": [], "answer": "maybe"}],
         "export:3: the \"answer\" is 'maybe'. It is accept, reject or ignore."),
    ],
)  # fmt: skip
def test_faults_of_exports_have_their_line(records: list[Any], message: str, gold: Corpus) -> None:
    with pytest.raises(InputError) as caught:
        jsonl.read(source_of("export", in_lines(records)), gold=gold)
    assert str(caught.value).startswith(message)


def test_a_record_of_an_array_has_the_line_where_it_begins() -> None:
    bad = [*EXPORTS["doccano"], {"text": "a", "label": [[0, 1]]}]
    lines = in_array(bad).decode().split("\n")
    with pytest.raises(InputError) as caught:
        read(in_array(bad))
    line = int(str(caught.value).split(":")[1])
    assert lines[line - 1].strip() == "{"
    assert '"text": "a"' in lines[line]


# --- outputs without text ---


def without_text(*records: Any) -> bytes:
    return in_lines(list(records))


def test_spans_without_text_have_that_of_the_gold_document_of_their_id(gold: Corpus) -> None:
    first = {"id": "d1", "spans": GOLD[0]["spans"]}
    corpus = jsonl.read(source_of("f", without_text({"id": "d2", "spans": []}, first)), gold=gold)
    assert corpus.document_ids == ("d2", "d1")
    assert [(tokens, label) for _, tokens, label in spans(corpus)] == [
        ((2, 3), "PER"),
        ((3,), "LOC"),
    ]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([{"id": "d9", "spans": []}], "f:1: no text of gold has the id 'd9'."),
        ([{"spans": []}], "f: 1 records for 2 texts. Write one for each text of gold"),
        ([{"spans": []}] * 3, "f:3: more records than the 2 texts of gold."),
        ([{"id": "d1", "spans": []}, {"spans": []}], "f:2: this record has no id, but others have"),
        ([{"id": "d1", "spans": [{"start": 7, "end": 10, "label": "PER", "text": "Bob"}]}],
         'f:1: span 1 is "Ada", but its text says "Bob".'),
    ],
)  # fmt: skip
def test_texts_that_are_not_there_are_told(records: list[Any], message: str, gold: Corpus) -> None:
    with pytest.raises(InputError) as caught:
        jsonl.read(source_of("f", without_text(*records)), gold=gold)
    assert str(caught.value).startswith(message)


def test_outputs_without_text_are_scored_as_those_with_text(tmp_path: Any) -> None:
    (tmp_path / "gold.jsonl").write_bytes(in_lines(GOLD))
    (tmp_path / "with.jsonl").write_bytes(in_lines(GOLD[::-1]))
    bare = [{"id": one["id"], "spans": one["spans"]} for one in GOLD]
    (tmp_path / "bare.jsonl").write_bytes(in_lines(bare))
    (tmp_path / "pipeline.json").write_bytes(in_array(EXPORTS["pipelines of Hugging Face"]))
    names = ["with.jsonl", "bare.jsonl", "pipeline.json"]
    table = fg.evaluate(tmp_path / "gold.jsonl", [str(tmp_path / name) for name in names])
    assert [fg.score(table)[name].f1 for name in table.systems] == [1, 1, 1]
    assert any("pipeline: texts are those of" in note for note in table.notes)


# --- keys and names that the user gives ---


def test_keys_may_be_named() -> None:
    record = {
        "data": {"body": TEXT},
        "marks": [{"from": 0}],
        "kind": [{"start": 7, "end": 19, "c": "PER"}],
    }
    keys = {"text": "data.body", "spans": "kind", "label": "c"}
    corpus = jsonl.read(source_of("f", in_lines([record])), keys=keys)
    assert [label for _, _, label in spans(corpus)] == ["PER"]
    with pytest.raises(InputError, match=r"f:1: no key 'body' \(keys: data, marks, kind\)"):
        jsonl.read(
            source_of("f", in_lines([record])), keys={"text": "body", "spans": "kind", "label": "c"}
        )
    groups = {"text": "a b", "spans": {"sc": [], "ner": [[0, 1, "X"]]}}
    chosen = jsonl.read(source_of("f", in_lines([groups])), keys={"spans": "ner"})
    assert [label for _, _, label in spans(chosen)] == ["X"]


def test_numbers_of_tags_need_their_names() -> None:
    data = in_lines([{"tokens": ["Ada", "sleeps"], "ner_tags": [1, 0]}])
    corpus = jsonl.read(source_of("f", data), tag_names=["O", "B-PER"])
    assert list(corpus.layers["tags"]) == ["B-PER", "O"]
    with pytest.raises(InputError, match=r"f:1: ner_tags are integers.*--tag-names"):
        jsonl.read(source_of("f", data))
    with pytest.raises(InputError, match="f:1: 1 in ner_tags has no name among 1"):
        jsonl.read(source_of("f", data), tag_names=["O"])


def test_parquet_of_a_data_set_names_its_classes(tmp_path: Any) -> None:
    pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    features = {
        "ner_tags": {"feature": {"names": ["O", "B-PER"], "_type": "ClassLabel"}, "_type": "List"}
    }
    footer = {"huggingface": json.dumps({"info": {"features": features}})}

    def written(tags: list[list[int]]) -> str:
        columns = {"tokens": [["Ada", "sleeps"], ["Yes"]], "ner_tags": tags}
        table = pa.table(columns).replace_schema_metadata(footer)
        parquet.write_table(table, tmp_path / "part.parquet")
        return str(tmp_path / "part.parquet")

    assert list(fg.read(written([[1, 0], [0]])).layers["tags"]) == ["B-PER", "O", "O"]
    with pytest.raises(InputError, match=r":2: a cell holds 7, which is none of the 2 classes"):
        fg.read(written([[1, 0], [7]]))
