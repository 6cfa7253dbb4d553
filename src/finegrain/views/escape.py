"""Text from corpora is not to be trusted: make it harmless for each kind of output.

>>> visible("a\\x1b[31mb\\u202ec")
'a\\\\x1b[31mb\\\\u202ec'
>>> latex("50 % of R&D_")
'50 \\\\% of R\\\\&D\\\\_'
>>> csv_cell("=cmd()")
"'=cmd()"
"""

from __future__ import annotations

from functools import lru_cache

from finegrain.visible import is_hidden, visible, written_out

__all__ = ["csv_cell", "harmless", "json_text", "latex", "markdown", "visible"]

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\char34{}",  # \textquotedbl is not there in LaTeX's first encoding, OT1
    }
)
_MARKDOWN = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>()#|!~$"} | {"&": "&amp;"})
_KEPT = 1 << 12  # texts: large tables have few different ones


def harmless(text: str) -> str:
    r"""Lines of text of which only the line ends mean anything to a terminal.

    >>> harmless("a\x1b[31m\nb\r")
    'a\\x1b[31m\nb\\x0d'
    """
    if text.isascii() and text.isprintable():
        return text
    return "\n".join(map(visible, text.split("\n")))


@lru_cache(_KEPT)
def latex(text: str) -> str:
    """Text that LaTeX prints as it is."""
    return visible(text).translate(_LATEX)


@lru_cache(_KEPT)
def markdown(text: str) -> str:
    """Text that Markdown prints as it is, also inside a table."""
    return visible(text).translate(_MARKDOWN)  # with &amp;, or &lt; would be read as <


@lru_cache(_KEPT)
def csv_cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula, with control characters written out."""
    shown = visible(text)
    return "'" + shown if text[:1] in "=+-@\t\r" and text else shown


def json_text(text: str) -> str:
    r"""JSON that is UTF-8 and that a terminal does not act on; it means what it meant.

    Hidden characters are escaped; bytes of file names that are not UTF-8, for which JSON has no
    escape, are written out as ``visible`` does.

    >>> json_text('"a\x9b\u202eb"')
    '"a\\u009b\\u202eb"'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    hidden = filter(is_hidden, set(text) - {"\n"})
    return text.translate({ord(char): _for_json(char) for char in hidden})


def _for_json(char: str) -> str:
    if "\ud800" <= char <= "\udfff":
        return "\\" + written_out(char)
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
