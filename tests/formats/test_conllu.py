"""Words, their four layers and their documents are read; everything else is counted or refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain import align, evaluate
from finegrain.corpus import Corpus
from finegrain.corpus.trees import with_trees
from finegrain.errors import InputError, UsageError
from finegrain.formats import conllu, fields, read, recognise, span_lines
from finegrain.formats.source import source_of


def word(number: object, form: str, upos: str = "X", lemma: str = "_") -> str:
    return f"{number}\t{form}\t{lemma}\t{upos}\t_\t_\t_\t_\t_\t_\n"


def parsed(text: str) -> Corpus:
    return conllu.read(source_of("f", text.encode()))


def message(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parsed(text)
    return str(caught.value)


def test_columns_become_layers_and_tags_are_upos() -> None:
    corpus = parsed("1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\t_\n")
    assert corpus.sentence(0) == ["dogs"]
    assert {name: list(column) for name, column in corpus.layers.items()} == {
        "tags": ["NOUN"], "lemma": ["dog"], "upos": ["NOUN"], "xpos": ["NNS"],
        "feats": ["Number=Plur"],
    }  # fmt: skip


def test_words_count_and_not_multi_word_tokens_or_empty_nodes() -> None:
    text = (
        word("1-2", "don't") + word(1, "do") + word("1.1", "E") + word(2, "n't") + word("2.1", "E")
    )
    corpus = parsed(text)
    assert corpus.sentence(0) == ["do", "n't"]
    assert corpus.notes == (
        "1 multi-word tokens: their words are what counts",
        "2 empty nodes passed over",
    )


def test_an_empty_node_may_stand_first() -> None:
    assert parsed(word("0.1", "E") + word(1, "a")).sentence(0) == ["a"]


def test_documents_have_the_ids_of_their_comments() -> None:
    text = (
        "# newdoc id = a b\n# sent_id = 1\n" + word(1, "x") + "\n" + word(1, "y")
        + "\n# newdoc id = c\n# text = z\n" + word(1, "z")
    )  # fmt: skip
    corpus = parsed(text)
    assert corpus.document_ids == ("a b", "c")
    assert corpus.documents.tolist() == [0, 0, 1]


def test_a_document_without_sentences_is_none() -> None:
    corpus = parsed("# newdoc id = a\n\n# newdoc id = b\n" + word(1, "x"))
    assert (corpus.document_ids, corpus.documents.tolist()) == (("b",), [0])


@pytest.mark.parametrize(
    "text",
    [
        word(1, "x") + "\n# newdoc id = a\n" + word(1, "y"),  # the first has no id
        "# newdoc id = a\n" + word(1, "x") + "\n# newdoc\n" + word(1, "y"),
        "# newdoc id = a\n" + word(1, "x") + "\n# newdoc id = a\n" + word(1, "y"),
    ],
)
def test_ids_that_do_not_tell_documents_apart_are_not_used_and_that_is_said(text: str) -> None:
    corpus = parsed(text)
    assert (corpus.n_documents, corpus.document_ids) == (2, None)
    assert corpus.notes == (
        "document ids are not used: some documents have none, or one id occurs twice",
    )


@pytest.mark.parametrize("line", ["# newdoc id = a", "#newdoc id = a", "#\t newdoc id=a"])
def test_documents_begin_however_their_comment_is_spaced(line: str) -> None:
    others = "# newpar id = p\n# text = newdoc\n#\n# n\n"
    corpus = parsed(f"{others}{line}\n{others}" + word(1, "x"))
    assert (corpus.document_ids, corpus.documents.tolist()) == (("a",), [0])


def test_documents_need_no_ids() -> None:
    corpus = parsed("# newdoc\n" + word(1, "x") + "\n# newdoc\n" + word(1, "y"))
    assert (corpus.n_documents, corpus.document_ids, corpus.notes) == (2, None, ())


def test_a_form_may_hold_spaces_and_begin_with_a_hash() -> None:
    assert parsed(word(1, "10 000") + word(2, "#x")).sentence(0) == ["10 000", "#x"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (word(1, "a") + "2\tb\n", "f:2: expected 10 tab-separated columns, found 2."),
        (word(1, "a") + word(3, "c") + word(4, "d"), "f:2: the word's ID is 3 where 2 comes next."),
        # a lost blank line
        (word(1, "a") + word(1, "b"), "f:2: the word's ID is 1 where 2 comes next."),
        (word(1, "a") + word("x", "b"), "f:2: 'x' is no ID of a word."),
        (word(1, "a") + word("", "b"), "f:2: '' is no ID of a word."),
        (word(0, "a"), "f:1: the word's ID is 0 where 1 comes next."),
        ("# c\n" + word(1, ""), "f:2: column 2 (form) is empty."),
        (word(1, "a", ""), "f:1: column 4 (upos) is empty."),
        (word(1, "a") + "# newdoc\n" + word(2, "b"), "f:2: a document begins inside of a"),
        ("# nothing here\n", "f: the file has no words."),
    ],
)  # fmt: skip
def test_faults_have_their_line(text: str, expected: str) -> None:
    said = message(text)
    assert said.startswith(expected)
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("column", range(1, 10))
def test_no_column_is_empty(column: int) -> None:
    cells = word(1, "a").rstrip().split("\t")
    cells[column] = ""
    assert f"f:1: column {column + 1} (" in message("\t".join(cells) + "\n")


@pytest.mark.parametrize("name", ["parser.conllu", "parser.conllu.gz"])
@pytest.mark.parametrize("separator", ["\t", " "])
def test_a_file_called_conllu_is_told_that_columns_are_missing(name: str, separator: str) -> None:
    """The first word has nine columns, the second ten: the first is at fault."""
    nine = "1\ta" + "\t_" * 7 + "\n"
    source = source_of(name, ("# c\n" + nine.replace("\t", separator) + word(2, "b")).encode())
    assert recognise(source).name == "conllu"
    with pytest.raises(InputError, match=r"parser.*:2: expected 10 tab-separated columns.*has ten"):
        conllu.read(source)
    tagged = source_of(name, b"Ada\tB-PER\nwrote\tO\n")
    assert recognise(tagged).name == "conll"  # no word's number: it is only called so


def test_a_document_does_not_begin_behind_a_multi_word_token() -> None:
    text = word("1-2", "don't") + "# newdoc id = a\n" + word(1, "do") + word(2, "n't")
    assert "f:2: a document begins inside of a sentence" in message(text)


def test_a_number_has_no_zero_in_front() -> None:
    text = "".join(word(number, "a") for number in (1, "02", 3))
    assert "f:2: '02' is no ID of a word" in message(text)


@pytest.mark.parametrize("block", [1, 1 << 18])
@pytest.mark.parametrize("number", ["1-2", "0.1", "1.1"])
def test_a_sentence_has_words(number: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "_BLOCK", block)
    sentence = word(1, "do") + word(2, "n't") + "\n"
    wordless = "no word in this sentence, only other lines"
    assert f"f:4: {wordless}" in message(sentence + word(number, "don't") + "\n" + sentence)
    assert f"f:4: {wordless}" in message(sentence + word(number, "don't"))
    whole = parsed(word("1-2", "don't") + sentence + word("0.1", "x") + sentence)
    assert whole.n_sentences == 2


def test_a_fault_names_its_sentence() -> None:
    text = (
        "# sent_id = s1\n" + word(1, "a") + "\n# sent_id = s 2\n# text = b\n" + word(1, "b") + "2\n"
    )
    expected = "f:7: expected 10 tab-separated columns, found 1 (sentence s 2). Write _"
    assert message(text).startswith(expected)
    assert "(sentence" not in message("# sent_id = s1\n" + word(1, "a") + "\n2\n")


def test_numbers_go_on_from_block_to_block(monkeypatch: pytest.MonkeyPatch) -> None:
    text = ""
    for name in "abc":
        words = (word(number, f"w{number}", name) for number in range(1, 8))
        text += f"# newdoc id = {name}\n# c\n{''.join(words)}\n"
    whole = parsed(text)
    for size in range(1, 200, 7):
        monkeypatch.setattr(fields, "_BLOCK", size)
        corpus = parsed(text)
        assert corpus.offsets.tolist() == whole.offsets.tolist() == [0, 7, 14, 21]
        assert corpus.document_ids == ("a", "b", "c")
        assert corpus.tokens.slice(0, 21) == whole.tokens.slice(0, 21)
        assert list(corpus.layers["tags"]) == ["a"] * 7 + ["b"] * 7 + ["c"] * 7
        broken = text.replace("3\tw3", "4\tw3", 1)
        assert message(broken).splitlines()[0].startswith("f:5: the word's ID is 4 where 3 comes")


def test_it_is_recognised_by_content() -> None:
    assert recognise(source_of("f", ("# c\n" + word(1, "a")).encode())).name == "conllu"
    assert recognise(source_of("f", word("1-2", "a").encode())).name == "conllu"
    assert recognise(source_of("f", b"1\ta\tB-X\n")).name == "conll"


def test_a_corpus_without_text_cannot_be_written() -> None:
    spans = span_lines.read(source_of("f", b"A\t1\t1\t1\n"))
    with pytest.raises(UsageError, match="no text"):
        conllu.write(spans)


cell = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r"), min_size=1, max_size=4
)
rows = st.lists(st.tuples(cell, cell, cell, cell, cell), min_size=1, max_size=4)


@given(st.lists(rows, min_size=1, max_size=4))
def test_reading_undoes_writing(sentences: list[list[tuple[str, ...]]]) -> None:
    names = ("lemma", "upos", "xpos", "feats")
    layers = {
        name: [[row[at] for row in sentence] for sentence in sentences]
        for at, name in enumerate(names, 1)
    }
    corpus = Corpus.of([[row[0] for row in one] for one in sentences], **layers)
    again = parsed(conllu.write(corpus))
    assert again.offsets.tolist() == corpus.offsets.tolist()
    assert again.tokens.slice(0, again.n_tokens) == corpus.tokens.slice(0, corpus.n_tokens)
    for name in names:
        assert list(again.layers[name]) == list(corpus.layers[name])


def test_accuracy_on_ewt_is_that_of_the_conll_2018_scorer(shared: Path) -> None:
    """UniversalDependencies/tools eval.py, see reference.json; gold has 354 multi-word tokens."""
    folder = shared / "data" / "pos" / "ewt"
    expected = json.loads((folder / "reference.json").read_text())
    gold = read(str(folder / "gold.conllu.gz"))
    assert gold.n_sentences == expected["sizes"]["sentences"]
    assert gold.n_tokens == expected["sizes"]["words"]
    assert gold.notes == (
        "354 multi-word tokens: their words are what counts",
        "2 empty nodes passed over",
    )
    names = list(expected["systems"])
    assert len(names) == 6
    systems = {name: read(str(folder / f"system-{name}.conllu.gz")) for name in names}
    table = align(gold, systems)
    assert table.task.name == "tags"
    for name in names:
        upos = expected["systems"][name]["UPOS"]
        right = int((table.outcome[:, table.system(name)] == 0).sum())
        assert (right, len(table)) == (upos["correct"], upos["gold_total"])


def test_multi_word_tokens_keep_their_form_and_words() -> None:
    text = (
        word(1, "I") + word("2-3", "don't") + word(2, "do") + word(3, "n't") + "\n" + word(1, "a")
    )
    joined = parsed(text).multiword
    assert joined is not None
    assert (joined.sentence.tolist(), joined.begin.tolist(), joined.end.tolist()) == ([0], [1], [3])
    assert joined.labels == ("don't",)


@pytest.mark.parametrize(
    "text",
    [
        word("1-2", "ab") + word(1, "a"),  # one word only
        word(1, "a") + word("1-2", "ab") + word(2, "b"),  # behind its first word
        word("1-2", "ab") + word(1, "a") + word("2-3", "bc") + word(2, "b") + word(3, "c"),
        word(1, "a") + word("2-3", "bc"),
    ],
)
def test_a_multi_word_token_must_fit_its_words(text: str) -> None:
    assert "does not fit the words behind it" in message(text)


def test_heads_and_relations_are_decoded_when_asked_for() -> None:
    corpus = parsed(
        "1\tdogs\t_\tX\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tX\t_\t_\t0\troot\t0:root\t_\n"
    )
    assert "head" not in corpus.layers
    trees = with_trees(corpus)
    assert list(trees.layers["head"]) == ["2", "0"]
    assert list(trees.layers["deprel"]) == ["nsubj", "root"]


EMPTY = "1\tAda\tAda\tPROPN\t\t_\t0\troot\t_\t\n"


def test_empty_cells_of_a_system_are_read_as_nothing_and_counted() -> None:
    gold = parsed(word(1, "Ada", "PROPN"))
    text = f"# a\t\tb\n{EMPTY}2\tslept\t\t\t_\t_\t1\tdep\t_\t_\n"
    corpus = conllu.read(source_of("crf.conllu", text.encode()), gold=gold)
    assert list(corpus.layers["upos"]) == ["PROPN", "_"]
    assert list(corpus.layers["xpos"]) == ["_", "_"]
    assert corpus.notes == ("4 empty cells read as _",)


@pytest.mark.parametrize("line", ["1\t\ta\tX\t_\t_\t0\troot\t_\t_\n", "1\ta\t\t\n"])
def test_words_without_a_form_and_lines_that_end_early_stay_faults(line: str) -> None:
    with pytest.raises(InputError):
        conllu.read(source_of("f", line.encode()), gold=parsed(word(1, "a")))


def test_empty_cells_of_the_gold_standard_are_refused(tmp_path: Path) -> None:
    gold, crf = tmp_path / "gold.conllu", tmp_path / "crf.conllu"
    gold.write_text(word(1, "Ada", "PROPN"))
    crf.write_text(EMPTY)
    table = evaluate(gold, {"crf": crf})
    assert "crf: 2 empty cells read as _" in table.notes
    with pytest.raises(InputError, match=r"column 5 \(xpos\) is empty"):
        evaluate(crf, {"gold": gold})
    with pytest.raises(InputError, match="2 empty cells"):
        evaluate(gold, {"crf": crf}, strict=True)
