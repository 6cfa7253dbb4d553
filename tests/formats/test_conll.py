"""Column files are read as they come, to the last character, and nothing is guessed silently."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finegrain.corpus import Corpus
from finegrain.errors import InputError, UsageError
from finegrain.formats import conll, recognise
from finegrain.formats.source import source_of

Tagged = list[list[tuple[str, str]]]


def read(text: str | bytes, **options: object) -> Corpus:
    data = text if isinstance(text, bytes) else text.encode()
    return conll.read(source_of("f", data), **options)


def pairs(corpus: Corpus, layer: str = "tags") -> Tagged:
    """Sentences of (token, tag)."""
    tags = list(corpus.layers[layer])
    words = corpus.tokens.slice(0, corpus.n_tokens)
    return [
        list(zip(words[begin:end], tags[begin:end], strict=True))
        for begin, end in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    ]


TWO = [[("New", "B-LOC"), ("York", "I-LOC")], [("sleeps", "O")]]


@pytest.mark.parametrize(
    "text",
    [
        "New\tB-LOC\nYork\tI-LOC\n\nsleeps\tO\n",
        "New B-LOC\nYork I-LOC\n\nsleeps O\n",
        "New    B-LOC\nYork \t I-LOC\n\n  sleeps O  \n",  # runs of spaces, also at the ends
        "New B-LOC\nYork I-LOC\n\nsleeps O",  # no final newline
        "New B-LOC\r\nYork I-LOC\r\n\r\nsleeps O\r\n",
        "New B-LOC\r\nYork I-LOC\r\n\r\nsleeps O\r",  # cut between CR and LF
        "\ufeffNew B-LOC\nYork I-LOC\n\nsleeps O\n",
        "\n\n\nNew B-LOC\nYork I-LOC\n\n\n \n\nsleeps O\n\n\n",  # blank lines anywhere
        "New B-LOC\nYork I-LOC\n \t \nsleeps O\n",
        "New\tB-LOC\nYork\tI-LOC\n \nsleeps\tO\n",
        "New\tB-LOC\nYork\tI-LOC\n\t\nsleeps\tO\n",  # white space with the number of columns
        "New\tB-LOC\nYork\tI-LOC\n \t \nsleeps\tO\n",
        "New\tB-LOC\nYork\tI-LOC\n\t\t\t\nsleeps\tO\n",
        "# a comment in front\nNew B-LOC\nYork I-LOC\n\n# one more comment\nsleeps O\n",
        "#1\n# a comment in front\n\n# text = New York\nNew B-LOC\nYork I-LOC\n\nsleeps O\n",
    ],
)
def test_the_same_corpus_in_many_disguises(text: str) -> None:
    assert pairs(read(text)) == TWO


@pytest.mark.parametrize(
    ("line", "token"),
    [
        ('"\tO', '"'),
        ("'\tO", "'"),
        ('a"b\tO', 'a"b'),
        ("\\\tO", "\\"),
        (",\tO", ","),
        ("New\u00a0York\tO", "New\u00a0York"),  # a no-break space separates nothing
        ("New\u00a0York O", "New\u00a0York"),
        ("New York\tO", "New York"),  # in a file with tabs a space separates nothing
        (" New\tO", " New"),
        (" \tO", " "),
        ("\u2028\tO", "\u2028"),  # nor do other characters that Python counts as line ends
        ("a\x0cb\tO", "a\x0cb"),
        ("a\x85b O", "a\x85b"),
        ("日本語 O", "日本語"),
        ("a\0b O", "a\0b"),
    ],
)
def test_every_character_of_a_token_survives(line: str, token: str) -> None:
    assert pairs(read(f"x\tB-X\n{line}\n" if "\t" in line else f"x B-X\n{line}\n")) == [
        [("x", "B-X"), (token, "O")]
    ]


def test_a_hashtag_with_all_columns_is_a_token() -> None:
    text = "#foo O\nbar O\n\n# O\n## B-X\n"
    assert pairs(read(text)) == [[("#foo", "O"), ("bar", "O")], [("#", "O"), ("##", "B-X")]]
    assert read(text).notes == ()


def test_a_file_of_hashtags_has_no_comments() -> None:
    assert pairs(read("#foo O\n#bar O\n")) == [[("#foo", "O"), ("#bar", "O")]]


def test_comments_are_counted_and_said() -> None:
    assert read("# two comment lines\n# here they are\na O\n").notes == (
        "2 comment lines passed over",
    )


def test_a_comment_inside_a_sentence_is_a_fault() -> None:
    with pytest.raises(InputError, match=r"f:2: expected 2 space-separated columns, found 3"):
        read("a O\n# a comment\nb O\n")


def test_a_comment_may_follow_a_document_line() -> None:
    corpus = read("-DOCSTART- O\n# a comment here\na O\n")
    assert pairs(corpus) == [[("a", "O")]]


def test_a_given_comment_prefix_is_a_comment_whatever_its_columns_and_place() -> None:
    text = "% note\na O\n%% O\nb O\n#x O\n"
    assert pairs(read(text, comment="%")) == [[("a", "O"), ("b", "O"), ("#x", "O")]]
    assert pairs(read("## x\n# O\n", comment="##")) == [[("#", "O")]]


def test_an_empty_comment_prefix_means_that_nothing_is_a_comment() -> None:
    assert pairs(read("#a O\nb O\n", comment="")) == [[("#a", "O"), ("b", "O")]]
    with pytest.raises(InputError, match="f:3: expected 2"):
        read("a O\n\n# a comment\nb O\n", comment="")


def test_only_comments_are_no_corpus() -> None:
    with pytest.raises(InputError, match=r"f:1: no line with tokens. Check the comment prefix"):
        read("% a\n% b\n", comment="%")


@pytest.mark.parametrize(
    "start",
    ["-DOCSTART- -X- O", "-DOCSTART-", "-DOCSTART- (1 EU)", "-DOCSTART- -X- -X- -X- O"],
)
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_documents_begin_at_docstart_lines(start: str, gap: str) -> None:
    one, two = "a NN B-X\nb NN I-X\n\nc NN O\n", "d NN O\n"
    corpus = read(f"{start}{gap}{one}\n{start}{gap}{two}")
    assert pairs(corpus) == [[("a", "B-X"), ("b", "I-X")], [("c", "O")], [("d", "O")]]
    assert corpus.documents.tolist() == [0, 0, 1]
    assert corpus.n_documents == 2


def test_a_docstart_line_ends_the_sentence_before_it() -> None:
    corpus = read("a O\n-DOCSTART- O\nb O\n")
    assert pairs(corpus) == [[("a", "O")], [("b", "O")]]
    assert corpus.documents.tolist() == [0, 1]  # what stands before the first mark is a document


def test_an_empty_document_does_not_count() -> None:
    assert read("-DOCSTART- O\n\n-DOCSTART- O\n\na O\n").documents.tolist() == [0]


def test_documents_in_a_file_with_tabs() -> None:
    corpus = read("-DOCSTART- (1 EU)\na\tO\n\n-DOCSTART-\tO\nb\tO\n")
    assert (pairs(corpus), corpus.n_documents) == ([[("a", "O")], [("b", "O")]], 2)


def test_a_corpus_without_docstart_has_no_documents() -> None:
    assert read("a O\n\nb O\n").documents is None
    assert read("a O\n\nb O\n").n_documents == 0


HEADED = "Token\tPOS\tTrue Label\nNew\tNNP\tB-LOC\nYork\tNNP\tI-LOC\n"


def test_a_usual_header_is_recognised_and_said() -> None:
    corpus = read(HEADED)
    assert pairs(corpus) == [TWO[0]]
    assert corpus.notes == ("header line: Token, POS, True Label",)


@pytest.mark.parametrize("word", ["token", "TOKENS", "Word", "words", "FORM"])
def test_usual_header_words(word: str) -> None:
    assert pairs(read(f"{word} tag\na O\n")) == [[("a", "O")]]


def test_a_first_token_that_says_word_is_no_header_if_its_tag_occurs_again() -> None:
    assert pairs(read("Word O\nis O\n")) == [[("Word", "O"), ("is", "O")]]


def test_a_word_that_only_begins_like_a_header_is_a_token() -> None:
    assert pairs(read("Tokenization B-X\nis O\n")) == [[("Tokenization", "B-X"), ("is", "O")]]


def test_header_no_keeps_the_first_line() -> None:
    assert pairs(read("token tag\na O\n", header="no")) == [[("token", "tag"), ("a", "O")]]


def test_header_yes_drops_any_first_line_behind_comments() -> None:
    assert pairs(read("# a comment line\n\nx y\na O\n", header="yes")) == [[("a", "O")]]


def test_columns_by_header_name() -> None:
    corpus = read(HEADED, columns={"token": "Token", "tags": "True Label", "pos": "POS"})
    assert pairs(corpus) == [TWO[0]]
    assert pairs(corpus, "pos") == [[("New", "NNP"), ("York", "NNP")]]


def test_a_column_name_makes_any_first_line_a_header() -> None:
    assert pairs(read("x y\na O\n", columns={"tags": "y"})) == [[("a", "O")]]


def test_an_unknown_column_name_lists_the_header() -> None:
    message = r"f:1: no column is called 'Gold'. The header has: 'Token', 'POS', 'True Label'."
    with pytest.raises(InputError, match=message):
        read(HEADED, columns={"tags": "Gold"})


def test_columns_by_number_count_from_one() -> None:
    corpus = read("1 New B-LOC NNP\n2 York I-LOC NNP\n", columns={"token": 2, "tags": 3, "pos": 4})
    assert pairs(corpus) == [TWO[0]]
    assert list(corpus.layers["pos"]) == ["NNP", "NNP"]


def test_the_token_is_the_first_column_unless_said() -> None:
    assert pairs(read("a X O\n", columns={"tags": 2})) == [[("a", "X")]]


@pytest.mark.parametrize("column", [0, 4])
def test_a_column_that_is_not_there_is_an_error(column: int) -> None:
    with pytest.raises(
        InputError, match=rf"f:1: there is no column {column} \(tags\): lines have 3"
    ):
        read("a X O\n", columns={"tags": column})


def test_gold_in_four_columns_and_system_in_two_hold_the_same() -> None:
    gold = read("U.N. NNP I-NP I-ORG\nofficial NN I-NP O\n")
    system = read("U.N.\tI-ORG\nofficial\tO\n")
    assert pairs(gold) == pairs(system) == [[("U.N.", "I-ORG"), ("official", "O")]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tO\nb\nc\tO\n", "f:2: expected 2 tab-separated columns, found 1."),
        ("a\tO\nb\tX\tO\n", "f:2: expected 2 tab-separated columns, found 3."),
        ("a O\n\nb X O\n", "f:3: expected 2 space-separated columns, found 3."),
        ("a\tO\nb O\n", "f:2: expected 2 tab-separated columns, found 1."),
        ("a\tO\n\tO\n", "f:2: the token is empty."),
        ("a\tO\nb\t\n", "f:2: column 2 (tags) is empty."),
        ("one\ntwo\n", "f:1: only one column, so no annotation."),
        ("# c\n\none\ntwo\n", "f:3: only one column, so no annotation."),
        ("# c c c\n\nword tag\n", "f: the file has no tokens."),
        ("-DOCSTART- O\n\n", "f: the file has no tokens."),
        ("\ufeffa O\nb\n", "f:2: expected 2 space-separated columns, found 1."),
    ],
)
def test_faults_are_named_with_their_line(text: str, message: str) -> None:
    header = "yes" if "word tag" in text else "auto"
    with pytest.raises(InputError) as caught:
        read(text, header=header)
    assert str(caught.value).startswith(message)


def test_blanks_around_annotation_are_taken_away_and_counted() -> None:
    text = "New York\tB-LOC \nis\t O\n big \tO\n\nAda\tB-LOC\n"
    corpus = read(text)
    assert pairs(corpus) == [
        [("New York", "B-LOC"), ("is", "O"), (" big ", "O")],  # tokens stay as they are
        [("Ada", "B-LOC")],
    ]
    assert corpus.layers["tags"].names == ("B-LOC", "O")
    assert corpus.notes == ("blanks around 2 values of the layer 'tags' taken away",)
    with pytest.raises(InputError, match=r"f:2: column 2 \(tags\) is blank. Write O or _"):
        read("a\tO\nb\t  \n")


@pytest.mark.parametrize(
    "header",
    [
        "id\tprediction", "id\tdomain\tsentence1\tsentence2\tgold", "item label", "idx\tTrue Label",
        "text\tlabels", "sentence_id y", "\tscore", "pair similarity",
    ],
)  # fmt: skip
def test_headers_of_label_files_are_recognised(header: str) -> None:
    separator = "\t" if "\t" in header else " "
    width = len(header.split(separator))
    rows = [
        separator.join([f"d{number}", *["x"] * (width - 2), f"{number}.5"]) for number in (1, 2)
    ]
    corpus = read("\n".join([header, *rows]) + "\n")
    assert corpus.sentence(0) == ["d1", "d2"]
    assert corpus.notes == (f"header line: {', '.join(header.split(separator))}",)


@pytest.mark.parametrize(
    "text",
    [
        "id NN\nx NN\n",
        "text B-X\nis O\n",
        "name O\nlabel O\n",
        "item label\nx label\n",
        "a 1\nb 2\n",
    ],
)
def test_tokens_that_say_id_or_text_are_no_header(text: str) -> None:
    assert read(text).n_tokens == 2


def test_many_faults_are_reported_together() -> None:
    lines = [f"w{number} O" if number % 2 else f"w{number}" for number in range(1, 61)]
    with pytest.raises(InputError) as caught:
        read("\n".join(lines))
    # lines 2, 4, ..., 60 are short: 30 faults, of which 20 are listed
    assert [problem.line for problem in caught.value.problems] == list(range(2, 41, 2))
    assert str(caught.value).endswith("... and 10 more problems in this file")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_token_knows_its_line(newline: str) -> None:
    text = newline.join(["# a comment line", "a O", "b O", "", " ", "-DOCSTART- O", "", "c O"])
    corpus = read(text)
    assert [corpus.line(token) for token in range(3)] == [2, 3, 8]


def test_recognition_by_content() -> None:
    assert recognise(source_of("f", b"a O\n")).name == "conll"


@pytest.mark.parametrize("text", [b"pos\nneg\n", b"score\n0.5\n", b"0.5\n0.25\n"])
def test_for_a_label_or_number_per_line_the_task_is_asked(text: bytes) -> None:
    with pytest.raises(InputError, match=r"not recognised.*--task classification.*--task regress"):
        recognise(source_of("f", text))


def test_a_corpus_without_text_cannot_be_written() -> None:
    with pytest.raises(UsageError, match="no text"):
        conll.write(Corpus("f", read("a O\n").offsets))


def test_writing_by_hand() -> None:
    corpus = Corpus.of(
        [["a", "b"], ["c"]], documents=[0, 1], tags=[["B-X", "O"], ["O"]], pos=[["N", "V"], ["N"]]
    )
    assert conll.write(corpus, layers=("pos", "tags")) == (
        "-DOCSTART-\tO\tO\n\na\tN\tB-X\nb\tV\tO\n\n-DOCSTART-\tO\tO\n\nc\tN\tO\n"
    )


# Anything but tabs, line ends and surrogates (which have no UTF-8).
cells = st.one_of(
    st.sampled_from(['"', "#", "#foo", " ", "  a ", "\u00a0", "-", "\\t", "日本", "token"]),
    st.text(
        alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"), min_size=1
    ),
).filter(lambda cell: not cell.startswith("-DOCSTART-"))
tagged_sentences = st.lists(
    st.lists(st.tuples(cells, st.sampled_from(["O", "B-X", "I-X", "NN", "_"])), min_size=1),
    min_size=1,
    max_size=6,
)


@given(tagged_sentences, st.data())
def test_reading_undoes_writing(sentences: Tagged, data: st.DataObject) -> None:
    numbers = st.lists(st.booleans(), min_size=len(sentences), max_size=len(sentences))
    steps = data.draw(st.none() | numbers)
    documents = None
    if steps is not None:  # 0 for the first sentence, then one more at every True
        documents = [sum(steps[1 : number + 1]) for number in range(len(sentences))]
    corpus = Corpus.of(
        [[token for token, _ in sentence] for sentence in sentences],
        documents=documents,
        tags=[[tag for _, tag in sentence] for sentence in sentences],
    )
    # the header is not left to chance: a first token may well be "token"
    again = read(conll.write(corpus), header="no")
    assert pairs(again) == sentences
    found = None if again.documents is None else again.documents.tolist()
    assert found == documents


class Written(NamedTuple):
    """A file, and what it holds by construction."""

    text: str
    sentences: Tagged
    lines: list[int]
    documents: list[int] | None
    comments: int


@st.composite
def files(draw: st.DrawFn) -> Written:
    """Column files line by line, in every variant that the reader accepts.

    The last token is no hashtag: where every line begins with #, comments and tokens look alike.
    """
    separator = draw(st.sampled_from(["\t", " ", "   "]))
    kinds = st.sampled_from(["token"] * 5 + ["blank", "comment", "document"])
    words = st.sampled_from(["a", "be", "#x", "longer-than-eight", "ä", '"'])
    lines: list[str] = []
    sentences: Tagged = []
    numbers: list[int] = []
    marks: list[int] = []
    comments = documents = 0
    inside = False
    for kind in [*draw(st.lists(kinds, max_size=20)), "end"]:
        if kind in ("token", "end"):
            if not inside:
                sentences.append([])
                marks.append(documents)
            word = draw(words) if kind == "token" else "end"
            pair = word, draw(st.sampled_from(["O", "B-X", "I-longlabel"]))
            sentences[-1].append(pair)
            lines.append(separator.join(pair))
            numbers.append(len(lines))
        elif kind == "blank":
            lines.append(draw(st.sampled_from(["", " ", "\t", "\t\t", " \t "])))
        elif kind == "comment":
            if inside:
                lines.append("")
            lines.append(draw(st.sampled_from(["#", "# a comment with words", "#\ta\tb\tc"])))
            comments += 1
        else:
            lines.append(draw(st.sampled_from([f"-DOCSTART-{separator}O", "-DOCSTART-"])))
            documents += 1
        inside = kind == "token"
    distinct = sorted(set(marks))
    text = draw(st.sampled_from(["", "\ufeff"]))
    text += draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))
    numbered = [distinct.index(mark) for mark in marks] if documents else None
    return Written(text, sentences, numbers, numbered, comments)


@given(files(), st.sampled_from([1, 7, 16, 64, conll._BLOCK]))
def test_every_variant_is_read_as_written_wherever_blocks_end(written: Written, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll, "_BLOCK", block)
        corpus = read(written.text, header="no")
    assert pairs(corpus) == written.sentences
    assert [corpus.line(token) for token in range(corpus.n_tokens)] == written.lines
    found = None if corpus.documents is None else corpus.documents.tolist()
    assert found == written.documents
    said = f"{written.comments} comment lines passed over"
    assert corpus.notes == ((said,) if written.comments else ())


@given(st.integers(1, 40), st.sampled_from(["\t", " "]))
def test_faults_have_the_same_line_wherever_blocks_end(block: int, separator: str) -> None:
    # a comment may stand before a sentence (line 1) but not in it (line 7)
    comment = ["#", "a", "comment"]
    lines = [comment, ["a", "O"], [], ["c"], ["d", "X", "O"], ["e", "O"], comment, ["f", "O"]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(conll, "_BLOCK", block)
        with pytest.raises(InputError) as caught:
            read("\n".join(separator.join(line) for line in lines))
    assert [problem.line for problem in caught.value.problems] == [4, 5, 7]


def test_a_header_that_names_gold_and_prediction_is_not_guessed_at() -> None:
    text = b"Token\tTrue Label\tPredicted Label\nAda\tB-PER\tO\n"
    with pytest.raises(
        InputError, match=r"names gold \('True Label'\) and prediction .*gold=2,answer=3"
    ):
        conll.read(source_of("both.tsv", text))
    chosen = conll.read(source_of("both.tsv", text), columns={"token": 1, "tags": 3})
    assert list(chosen.layers["tags"]) == ["O"]
