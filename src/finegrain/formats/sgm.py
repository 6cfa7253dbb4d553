"""`sgm`: segments as the evaluation scripts of NIST and WMT had them (SGML).

    <refset setid="news" srclang="any" trglang="en">
    <doc docid="d1" sysid="ref"><seg id="1">Good day.</seg></doc>
    </refset>

``srcset`` holds sources, ``refset`` references, ``tstset`` the output of systems; several
references or systems of one document differ in ``sysid``. Segments are known by document and
number, so that files may have different orders. The entities of XML and numbered ones are read as
the characters that they stand for; white space in a segment is one blank.

>>> from finegrain.formats.source import source_of
>>> text = b'<refset><doc docid="d1" sysid="r"><seg id=1>Salt &amp; wool</seg></doc></refset>'
>>> corpus = read(source_of("memory", text))
>>> list(corpus.fields["id"]), list(corpus.parts["references"].fields["text"])
(['d1:1'], ['Salt & wool'])
"""

from __future__ import annotations

import re
from html import escape

from finegrain.corpus import Corpus
from finegrain.corpus.columns import cell
from finegrain.errors import UsageError
from finegrain.formats.segment_sets import HYPOTHESES, REFERENCES, SOURCE, Gathered, Kind, Segment
from finegrain.formats.source import Source

_SETS: dict[str, Kind] = {"srcset": "source", "refset": "reference", "tstset": "hypothesis"}
_OPENING = re.compile(r"\s*(<[?!][^>]*>\s*)*<(mteval|srcset|refset|tstset)\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)([^<>]*)>")
_ATTRIBUTE = re.compile(r"""([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_PEEK = 1 << 14
_LAST = 0x10FFFF  # of the characters that there are
_SURROGATES = range(0xD800, 0xE000)


def looks_like(source: Source) -> bool:
    """True if the first element is a set of segments."""
    if source.folder:
        return False
    text = source.buffer[source.begin : source.begin + _PEEK].decode(errors="ignore")
    return _OPENING.match(text) is not None


def read(source: Source, *, limit: int = 20) -> Corpus:
    """Read segments; up to ``limit`` problems are gathered before giving up."""
    text = source.buffer[source.begin : source.end].decode()
    found = Gathered(source.name, limit=limit)
    kind: Kind | None = None
    of_set, document, line, before = "", {}, 1, 0
    segment: tuple[dict[str, str], int, int] | None = None  # attributes, where it begins, its line
    for tag in _TAG.finditer(text):
        line += text.count("\n", before, tag.start())
        before = tag.start()
        closes, name = bool(tag[1]), tag[2].lower()
        if name in _SETS and not closes:
            kind, of_set = _SETS[name], _attributes(tag[3]).get("sysid", "")
        elif name == "doc" and not closes:
            document = _attributes(tag[3])
        elif name == "seg":
            if closes == (segment is None):
                what = "</seg> without <seg>" if closes else "<seg> inside of another"
                found.problems.add(line, what, "Every <seg> is closed before the next begins.")
            if not closes:
                segment = (_attributes(tag[3]), tag.end(), line)
                if kind is None:
                    mend = "Put documents into <srcset>, <refset> or <tstset>."
                    found.problems.add(line, "a segment outside of a set", mend)
            elif segment is not None and kind is not None:
                own, begin, at = segment
                who = document.get("sysid", of_set)
                told = Segment(
                    document.get("docid", ""), own.get("id", ""), "" if kind == "source" else who,
                    plain(text[begin : tag.start()]), at,
                )  # fmt: skip
                found.add(kind, told)
                segment = None
    if segment is not None:
        found.problems.add(segment[2], "<seg> without </seg>", "The file may be cut off.")
    if kind is not None and not re.search(r"</(srcset|refset|tstset|mteval)\s*>\s*\Z", text, re.I):
        found.problems.add(line, "the set of segments does not end", "The file may be cut off.")
    return found.corpus("sgm")


def _attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): plain(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(text)
    }


def plain(text: str) -> str:
    """The characters that entities stand for, blanks as one.

    >>> plain("a&lt;b &amp;amp; &#228;  &bogus;")
    'a<b &amp; ä &bogus;'
    """
    return " ".join(_ENTITY.sub(_character, text).split())


def _character(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    code = int(match[2]) if match[2] else int(match[3], 16)
    known = 0 < code <= _LAST and code not in _SURROGATES
    return chr(code) if known else match[0]


def write(corpus: Corpus) -> str:
    """References, the output of systems, or sources, whichever there are first."""
    rows, kind = corpus.parts.get(REFERENCES), "refset"
    if rows is None:
        rows, kind = corpus.parts.get(HYPOTHESES), "tstset"
    documents = [cell(corpus.fields["document"], row) for row in range(corpus.n_sentences)]
    ids = [cell(corpus.fields["id"], row) for row in range(corpus.n_sentences)]
    if rows is not None:
        names = rows.fields["name"]
        texts = [
            (cell(names, place), parent, cell(rows.fields["text"], place))
            for place, parent in enumerate(rows.parent.tolist())
        ]
    elif SOURCE in corpus.fields:
        kind, texts = (
            "srcset",
            [("", row, cell(corpus.fields[SOURCE], row)) for row in range(len(ids))],
        )
    else:
        raise UsageError("sgm: there are neither references nor hypotheses nor sources")
    lines = [f'<{kind} setid="segments" srclang="any" trglang="any">']
    opened: tuple[str, str] | None = None
    for name, row, text in texts:
        if opened != (name, documents[row]):
            lines += ["</doc>"] * (opened is not None)
            lines.append(f'<doc docid="{escape(documents[row])}" sysid="{escape(name)}">')
            opened = (name, documents[row])
        number = ids[row].removeprefix(f"{documents[row]}:")
        lines.append(f'<seg id="{escape(number)}">{escape(text, quote=False)}</seg>')
    return "\n".join([*lines, "</doc>", f"</{kind}>\n"])
