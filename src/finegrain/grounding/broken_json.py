"""JSON as language models break it, read as far as it is beyond doubt; every repair is named.

Repaired are trailing and missing commas, comments, single and typographic quotation marks, bare
keys, the constants of Python, line ends in strings and, of what is cut off, missing brackets. A
string, a number or an object that is cut off is left out: nobody knows how it goes on.

>>> read('[{"text": "Ada", "type": "PER",}, {"text": "Bo')
([{'text': 'Ada', 'type': 'PER'}], ['trailing comma', 'cut off'])
>>> read("{'PER': ['Ada', 'Bob'], 'LOC': [")
({'PER': ['Ada', 'Bob'], 'LOC': []}, ['quotation marks', 'cut off'])
"""

from __future__ import annotations

import re
from typing import Any

_BLANK = re.compile(r"\s+|//[^\n]*|/\*.*?(?:\*/|\Z)|#[^\n]*", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?(?![\w.])")
_BARE = re.compile(r"[A-Za-z_][\w.-]*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False,
              "None": None}  # fmt: skip
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_STOPS = ",]}:"
_DEEPEST = 60


class Hopeless(ValueError):
    """What cannot be read even so."""


class _CutOff(Exception):
    """The text ends inside of a value; ``value``: what of it is complete."""

    def __init__(self, value: Any = None, *, whole: bool = False) -> None:
        self.value = value
        self.whole = whole  # whether there is such a value
        super().__init__()


def read(text: str) -> tuple[Any, list[str]]:
    """The value that a text begins with, and the kinds of repairs, in their order."""
    value, _, repairs = read_from(text, 0)
    return value, repairs


def read_from(text: str, at: int) -> tuple[Any, int, list[str]]:
    """The value that begins at a character, where it ends, and the kinds of repairs."""
    reader = _Reader(text, at)
    try:
        value = reader.value(0)
    except _CutOff as cut:
        if not cut.whole:
            raise Hopeless("nothing complete") from None
        value = cut.value
        reader.repair("cut off")
    return value, reader.at, list(reader.repairs)


class _Reader:
    """Goes through the text from left to right."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.repairs: dict[str, None] = {}

    def repair(self, kind: str) -> None:
        self.repairs.setdefault(kind)

    def peek(self) -> str:
        """The next character that is not blank."""
        while match := _BLANK.match(self.text, self.at):
            if match[0][0] in "/#":
                self.repair("comment")
            self.at = match.end()
        if self.at >= len(self.text):
            raise _CutOff
        return self.text[self.at]

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise Hopeless("nested too deeply")
        character = self.peek()
        if character == "{":
            return self.container({}, "}", depth)
        if character == "[":
            return self.container([], "]", depth)
        if character in _QUOTES:
            return self.string()
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            if self.at == len(self.text):  # digits may be missing
                raise _CutOff
            digits = number[0]
            return (
                int(digits) if digits.lstrip("-").isdigit() and len(digits) < 19 else float(digits)
            )
        bare = _BARE.match(self.text, self.at)
        if bare is None or bare[0] not in _CONSTANTS:
            raise Hopeless(f"no value at character {self.at + 1}")
        self.at = bare.end()
        if bare[0] in ("True", "False", "None"):
            self.repair("constants of Python")
        return _CONSTANTS[bare[0]]

    def container(self, made: Any, closing: str, depth: int) -> Any:
        """An object or an array; if it is cut off, what is complete of it."""
        self.at += 1
        comma = True
        try:
            while (character := self.peek()) != closing:
                if character == ",":
                    if comma:
                        raise Hopeless(f"a comma too many at character {self.at + 1}")
                    self.at += 1
                    comma = True
                    if self.peek() == closing:
                        self.repair("trailing comma")
                    continue
                if not comma:
                    if character in "]}":
                        raise Hopeless(f"the wrong bracket at character {self.at + 1}")
                    self.repair("missing comma")
                self.element(made, depth)
                comma = False
        except _CutOff as cut:
            inner = any(isinstance(one, dict | list) for one in _values(made))
            whole = isinstance(made, list) or inner or depth == 0
            raise _CutOff(made, whole=cut.whole or whole) from None
        self.at += 1
        return made

    def element(self, made: Any, depth: int) -> None:
        """One more element of a container."""
        if isinstance(made, list):
            try:
                made.append(self.value(depth + 1))
            except _CutOff as cut:
                if cut.whole:
                    made.append(cut.value)
                raise
            return
        key = self.key()
        if self.peek() != ":":
            raise Hopeless(f"no colon at character {self.at + 1}")
        self.at += 1
        try:
            self.enter(made, key, self.value(depth + 1))
        except _CutOff as cut:
            if cut.whole:
                self.enter(made, key, cut.value)
            raise

    def enter(self, made: dict[str, Any], key: str, value: Any) -> None:
        """A key that occurs twice: its lists are one list, anything else is beyond repair."""
        if key in made:
            if not (isinstance(made[key], list) and isinstance(value, list)):
                raise Hopeless(f"the key {key[:40]!r} occurs twice")
            self.repair("repeated key")
            value = made[key] + value
        made[key] = value

    def key(self) -> str:
        if self.peek() in _QUOTES:
            return self.string()
        bare = _BARE.match(self.text, self.at)
        if bare is None:
            raise Hopeless(f"no key at character {self.at + 1}")
        self.at = bare.end()
        self.repair("bare key")
        return bare[0]

    def string(self) -> str:
        """A string; a quotation mark inside of one may be a part of it."""
        opening = self.text[self.at]
        closing = _QUOTES[opening]
        if opening != '"':
            self.repair("quotation marks")
        made: list[str] = []
        at = self.at + 1
        while at < len(self.text):
            character = self.text[at]
            if character == "\\" and at + 1 < len(self.text):
                escaped, at = self.escape(at + 1)
                made.append(escaped)
                continue
            if character == closing:
                if self.closes(at + 1):
                    self.at = at + 1
                    return "".join(made)
                self.repair("quotation marks")
            if character in "\n\r\t":
                self.repair("line end in a string")
            made.append(character)
            at += 1
        self.at = at
        raise _CutOff

    def escape(self, at: int) -> tuple[str, int]:
        """What an escape stands for, and where the text goes on."""
        character = self.text[at]
        digits = self.text[at + 1 : at + 5]
        if character == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            code = int(digits, 16)
            if 0xD800 <= code < 0xDC00 and self.text[at + 5 : at + 7] == "\\u":
                low = self.text[at + 7 : at + 11]
                if re.fullmatch(r"[dD][c-fC-F][0-9a-fA-F]{2}", low):
                    return chr(0x10000 + ((code - 0xD800) << 10) + int(low, 16) - 0xDC00), at + 11
            return ("\ufffd" if 0xD800 <= code < 0xE000 else chr(code)), at + 5
        return _ESCAPES.get(character, character), at + 1

    def closes(self, at: int) -> bool:
        """Whether a quotation mark before this place ends its string: something else follows."""
        rest = self.text[at : at + 40].lstrip()
        return not rest or rest[0] in _STOPS or rest.startswith(("//", "/*", "#"))


def _values(made: Any) -> list[Any]:
    return list(made.values()) if isinstance(made, dict) else made
