r"""Segments with references and outputs: lines, columns with tabs, SGML and XML.

>>> read(["Good day.", "", "No."], "lines")
[('', 'Good day.'), ('', ''), ('', 'No.')]
>>> read(['<tstset><doc docid="d" sysid="x"><seg id="1">a &lt; b</seg></doc></tstset>'], "sgm")
[('d:1', 'a < b')]
>>> round(translation_scores([("", "so it is")], [("", "so is")])["wer"], 3)
0.333
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from random import Random
from xml.etree import ElementTree

from tests.fuzz.corpora import WORDS, Invalid
from tests.fuzz.scores import Values, ratio

Texts = list[tuple[str, str]]
"""Ids (nothing where there are none) and texts."""
FORMATS = ("lines", "segments", "sgm", "wmt")
COLUMNS = {"reference": ("reference", "ref"), "output": ("hypothesis", "output", "system")}
_SET = re.compile(r"<(/?)(srcset|refset|tstset)\b([^<>]*)>", re.IGNORECASE)
_PIECE = re.compile(r"<(/?)(mteval|srcset|refset|tstset|doc|seg)((?![\w.-])[^<>]*)>", re.IGNORECASE)
_ELEMENT = re.compile(r"</?[A-Za-z][\w.-]*[^<>]*>")
_VALUE = re.compile(r"""([\w.-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+)""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
EXPANDED = "an entity that the document type declares"


def random_texts(rng: Random) -> list[str]:
    """Segments of some words."""
    return [_sentence(rng) for _ in range(rng.randint(2, 6))]


def _sentence(rng: Random) -> str:
    return " ".join(rng.choices((*WORDS, "&", "<b", "3", "a>b"), k=rng.randint(1, 7)))


def rewritten(rng: Random, texts: Sequence[str]) -> list[str]:
    """Texts in which words are left out, doubled or replaced."""
    found = []
    for text in texts:
        words = []
        for word in text.split():
            words += rng.choice(([word],) * 5 + ([], [word, word], [rng.choice(WORDS)]))
        found.append(" ".join(words))
    return found


def write(rng: Random, texts: Sequence[str], format_: str, *, gold: bool) -> bytes:
    """A file of references or of outputs."""
    if format_ == "lines":
        return ("\n".join(texts) + "\n").encode()
    if format_ == "segments":
        name = rng.choice(COLUMNS["reference" if gold else "output"])
        rows = [("id", name), *((f"q{at}", text) for at, text in enumerate(texts))]
        return "".join(f"{first}\t{second}\n" for first, second in rows).encode()
    half = (len(texts) + 1) // 2
    documents = {"d1": texts[:half], "d2": texts[half:]}
    segments = {
        name: "".join(
            f'<seg id="{at}">{escape(text, quote=False)}</seg>\n' for at, text in enumerate(own, 1)
        )
        for name, own in documents.items()
        if own
    }
    if format_ == "sgm":
        of = "refset" if gold else "tstset"
        who = "ref" if gold else "mine"
        body = "".join(
            f'<doc docid="{name}" sysid="{who}">\n{own}</doc>\n' for name, own in segments.items()
        )
        return f'<{of} setid="news" srclang="any" trglang="en">\n{body}</{of}>\n'.encode()
    opening, closing = ('<ref translator="A">', "ref") if gold else ('<hyp system="m">', "hyp")
    body = "".join(
        f'<doc id="{name}">\n{opening}\n{own}</{closing}>\n</doc>\n'
        for name, own in segments.items()
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<dataset>\n{body}</dataset>\n'.encode()


def read(lines: Sequence[str], format_: str, doubts: set[str] | None = None) -> Texts:
    """The texts of one writer; raises ``Invalid``."""
    if format_ == "lines":
        own = lines[:-1] if lines and not lines[-1] else lines
        return [("", line.strip()) for line in own]
    if format_ == "segments":
        return _of_columns(lines)
    text = "\n".join(lines)
    found = (
        _of_sgm(text) if format_ == "sgm" else _of_xml(text, set() if doubts is None else doubts)
    )
    kinds = {kind.lower() for kind, *_ in found}
    if len(kinds) != 1:
        raise Invalid("no segments, or sets of several kinds")
    if kinds <= {"tstset", "hyp"} and len({writer for _, _, writer, _ in found}) > 1:
        raise Invalid("the outputs of several systems")
    known = [(name, writer) for _, name, writer, _ in found]
    if len(set(known)) < len(known):
        raise Invalid("a segment twice")
    return [(name, text) for _, name, _, text in found]


def _of_columns(lines: Sequence[str]) -> Texts:
    own = lines[:-1] if lines and not lines[-1] else lines
    rows = [line.split("\t") for line in own]
    names = [name.strip() for name in rows[0]]
    if any(len(row) != len(names) for row in rows) or len(set(names)) < len(names):
        raise Invalid("other numbers of cells, or a name twice")
    if not rows[1:]:
        raise Invalid("no segments")
    known = [*COLUMNS["reference"], *COLUMNS["output"]]
    name = next((one for one in known if one in names), None)
    if name is None:
        raise Invalid("no texts")
    ids = [row[names.index("id")].strip() if "id" in names else "" for row in rows[1:]]
    texts = [row[names.index(name)].strip() for row in rows[1:]]
    if "id" in names and not all(ids):
        raise Invalid("a segment without an id")
    if "id" in names and len(set(ids)) < len(ids):
        raise Invalid("an id twice")
    return list(zip(ids, texts, strict=True))


Found = list[tuple[str, str, str, str]]
"""Kinds of sets, ids, writers, texts."""


def _of_sgm(text: str) -> Found:
    found: Found = []
    kind = writer = of_set = document = ""
    opened: tuple[str, int] | None = None
    for piece in _ELEMENT.finditer(text):
        match = _PIECE.fullmatch(piece[0])
        if match is None:
            continue
        closes, name = bool(match[1]), match[2].lower()
        told = {key.lower(): _plain(value.strip("\"'")) for key, value in _VALUE.findall(match[3])}
        if name == "seg":
            if closes == (opened is None):
                raise Invalid("segments that do not open and close")
            if closes and opened is not None:
                number, begin = opened
                if not number:
                    raise Invalid("a segment without an id")
                who = "" if kind == "srcset" else writer
                found.append(
                    (kind, f"{document}:{number}", who, _plain(text[begin : piece.start()]))
                )
                opened = None
                continue
            if not kind:
                raise Invalid("a segment outside of a set")
            opened = told.get("id", ""), piece.end()
        elif name == "doc" and not closes:
            document, writer = told.get("docid", ""), told.get("sysid", of_set)
        elif name != "mteval" and not closes:
            kind, of_set = name, told.get("sysid", "")
            writer = of_set if not document else writer
    if opened or not re.search(r"</(srcset|refset|tstset|mteval)\s*>\s*\Z", text, re.IGNORECASE):
        raise Invalid("a set or segment that does not end")
    return found


def _plain(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[1]:
            return _NAMED[match[1]]
        code = int(match[2]) if match[2] else int(match[3], 16)
        fit = 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF
        return chr(code) if fit else match[0]

    return " ".join(_ENTITY.sub(character, text).split())


def _of_xml(text: str, doubts: set[str]) -> Found:
    if "<!ENTITY" in text:
        doubts.add(EXPANDED)
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 - what the tests themselves have written
    except ElementTree.ParseError as error:
        raise Invalid(f"not XML: {error}") from None
    found: Found = []
    if any(one.tag == "seg" for one in root.iter()) and root.tag not in ("dataset", "collection"):
        raise Invalid("another document")
    if any(one is not document for document in root.iter("doc") for one in document.iter("doc")):
        raise Invalid("a document inside of another")
    for document in root.iter("doc"):
        for part in document:
            if part.tag not in ("src", "ref", "hyp"):
                continue
            key = {"src": "", "ref": "translator", "hyp": "system"}[part.tag]
            for segment in part.iter("seg"):
                number = segment.get("id", "")
                if not number:
                    raise Invalid("a segment without an id")
                told = " ".join("".join(segment.itertext()).split())
                name = f"{document.get('id', '')}:{number}"
                found.append((part.tag, name, part.get(key, ""), told))
    if len(found) < len(list(root.iter("seg"))):
        raise Invalid("a segment outside of a set")
    return found


def translation_scores(gold: Texts, system: Texts) -> Values:
    """Word and character error rates and chrF; raises ``Invalid`` for other segments."""
    if any(name for name, _ in gold) != any(name for name, _ in system):
        raise Invalid("ids on one side only")
    if any(name for name, _ in gold):
        references: dict[str, list[str]] = {}
        for name, text in gold:
            references.setdefault(name, []).append(text)
        own = dict(reversed(system))  # of several references that stand as a system, the first
        if set(references) != set(own) or not all(references):
            raise Invalid("other segments")
        pairs = [(texts, own[name]) for name, texts in references.items()]
    elif len(gold) != len(system):
        raise Invalid("another number of segments")
    else:
        pairs = [([text], mine) for (_, text), (_, mine) in zip(gold, system, strict=True)]
    edits = words = 0
    counts = [[0, 0, 0] for _ in range(6)]
    for texts, mine in pairs:
        rates = [(_edits(text.split(), mine.split()), len(text.split())) for text in texts]
        nearest = min(rates, key=lambda one: one[0] / max(one[1], 1))
        edits, words = edits + nearest[0], words + nearest[1]
        best = max((_shared(text, mine) for text in texts), key=_f2)
        counts = [[sum(both) for both in zip(*rows, strict=True)]
                  for rows in zip(counts, best, strict=True)]  # fmt: skip
    return {"units": float(len(pairs)), "wer": ratio(edits, words), "chrf": _f2(counts)}


def _shared(text: str, mine: str) -> list[list[int]]:
    """Of 1 to 6 characters, n-grams of the output, of the reference, and of both."""
    sides = ["".join(one.split()) for one in (mine, text)]
    found = []
    for n in range(1, 7):
        grams = [Counter(one[at : at + n] for at in range(len(one) - n + 1)) for one in sides]
        given, wanted = (one.total() for one in grams)
        found.append([given if wanted else 0, wanted, (grams[0] & grams[1]).total()])
    return found


def _f2(counts: Sequence[Sequence[int]]) -> float:
    shares = [(both / mine, both / wanted) for mine, wanted, both in counts if mine and wanted]
    if not shares:
        return 0.0
    precision, recall = (sum(one) / len(shares) for one in zip(*shares, strict=True))
    return 100 * ratio(5 * precision * recall, 4 * precision + recall)


def _edits(wanted: Sequence[str], given: Sequence[str]) -> int:
    row = [*range(len(given) + 1)]
    for at, word in enumerate(wanted, 1):
        before, row = row, [at]
        for place, other in enumerate(given, 1):
            row.append(min(before[place] + 1, row[-1] + 1, before[place - 1] + (word != other)))
    return row[-1]
