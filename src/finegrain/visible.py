"""Text of which everything can be seen: control and direction characters are written out.

>>> visible("a\\x1b[31mb\\u202ec")
'a\\\\x1b[31mb\\\\u202ec'
>>> searched("E\\u0301t\\xc9")
'été'
"""

from __future__ import annotations

import unicodedata

# control, format (bidirectional overrides, zero width), surrogate, line and paragraph separators
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}  # needed to write Persian, Hindi and many emoji


def visible(text: str) -> str:
    """Control and direction characters written out, so that a terminal cannot act on them."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(written_out(char) if is_hidden(char) else char for char in text)


def is_hidden(char: str) -> bool:
    """Whether a character does something and shows nothing."""
    return unicodedata.category(char) in _HIDDEN and char not in _JOINERS


def written_out(char: str) -> str:
    """The escape that stands for a character."""
    code = ord(char)
    return (
        f"\\x{code:02x}"
        if code < 0x100
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def searched(text: str) -> str:
    """Text as others are looked for in it: visible, composed (é is one letter), in lower case."""
    return unicodedata.normalize("NFC", visible(text)).lower()
