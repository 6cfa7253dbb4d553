r"""Tokens with log-probabilities in lines, and the text that they are laid on.

>>> text = read_text(["So it", "is.", "", "No."])
>>> [(word.size, word.gap) for word in text], text[2].document
([(2, 0), (2, 1), (3, 1), (3, 0)], 0)
>>> tokens = read(["So i\t-1.5", "t\t-0.5", "is\t-1", ".\t-2", "", "No.\tnull"], set())
>>> found = model_scores(text, [tokens])[0]
>>> {name: round(found[name], 3) for name in ("bits_per_byte", "bits_per_word", "word_perplexity")}
{'bits_per_byte': 0.801, 'bits_per_word': 2.404, 'word_perplexity': 5.294}
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf, isinf, isnan, log, nan
from random import Random
from typing import NamedTuple

from tests.fuzz.corpora import WORDS, Invalid
from tests.fuzz.scores import Values, ratio

_BLANKS = re.compile("[\t\n\x0b\x0c\r ]+")
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NONE = {"", "nan", "null", "none", "na", "n/a", "-nan", "_"}
_TOKENS = {"token", "word", "piece", "subword"}
_NUMBERS = {
    "logprob", "logprobs", "log_prob", "log_probs", "log_probability", "log_probabilities",
    "token_logprobs", "loglikelihood", "log_likelihood", "logp",
}  # fmt: skip
ROUNDING = 1e-4  # above 0
NUMBER = "a number that is written oddly"


class Word(NamedTuple):
    """Bytes and characters, bytes of white space before it, its document."""

    ink: str
    gap: int
    document: int

    @property
    def size(self) -> int:
        return len(self.ink.encode())


class Token(NamedTuple):
    """Characters without white space, -log2 p, its document."""

    ink: str
    bits: float
    document: int


def random_text(rng: Random) -> list[list[str]]:
    """By document, words."""
    return [rng.choices(WORDS, k=rng.randint(1, 8)) for _ in range(rng.randint(1, 3))]


def write_text(rng: Random, documents: Sequence[Sequence[str]]) -> bytes:
    """Words in lines, with blank lines between documents."""
    blocks = []
    for words in documents:
        text = words[0]
        for word in words[1:]:
            text += rng.choice((" ", " ", " ", "  ", "\n")) + word
        blocks.append(text + "\n")
    return "\n".join(blocks).encode()


def write(rng: Random, documents: Sequence[Sequence[str]]) -> bytes:
    """Tokens that words are divided into, or that hold several of them."""
    lines = [rng.choice(("token\tlogprob", "piece\tlogprob"))] if rng.random() < 0.3 else []
    for place, words in enumerate(documents):
        lines += [""] if place else []
        text, first = " ".join(words), True
        while text:
            size = rng.randint(1, 6)
            number = "null" if first and rng.random() < 0.3 else f"{-rng.random() * 9:.4f}"
            lines.append(f"{text[:size]}\t{number}")
            text, first = text[size:], False
    return ("\n".join(lines) + "\n").encode()


def read_text(lines: Sequence[str]) -> list[Word]:
    """Words; documents between blank lines, or in lines where there are none."""
    found: list[Word] = []
    divided = any(
        not _BLANKS.sub("", line) and any(map(_ink, lines[:at])) and any(map(_ink, lines[at:]))
        for at, line in enumerate(lines)
    )
    document, gap = -1, 0
    fresh = True
    for line in lines:
        if not _ink(line):
            fresh = True
            continue
        if fresh or not divided:
            document, gap, fresh = document + 1, 0, False
        else:
            gap += 1  # the line end
        at = 0
        for match in re.finditer("[^\t\n\x0b\x0c\r ]+", line):
            before = len(line[at : match.start()].encode())
            begins = not found or found[-1].document != document
            found.append(Word(match[0], 0 if begins else gap + before, document))
            gap, at = 0, match.end()
        gap += len(line[at:].encode())
    if not found:
        raise Invalid("no words")
    return found


def _ink(line: str) -> str:
    return _BLANKS.sub("", line)


def read(lines: Sequence[str], doubts: set[str]) -> list[Token]:
    """Tokens; raises ``Invalid`` for lines of other shapes and for what is no log-probability."""
    found: list[Token] = []
    document, opened, headed = -1, False, None
    for line in lines:
        if not line:
            opened = False
            continue
        fields = line.split("\t")
        if len(fields) != 2:
            raise Invalid("not a token and a number")
        if headed is None:
            names = [one.strip().casefold() for one in fields]
            headed = names[0] in _TOKENS and names[1] in _NUMBERS
            if headed:
                continue
        begins = not opened
        document, opened = document + begins, True
        found.append(Token(_ink(fields[0]), _bits(fields[1], begins, doubts), document))
    if all(isnan(token.bits) for token in found):
        raise Invalid("no log-probability")
    return found


def _bits(cell: str, first: bool, doubts: set[str]) -> float:
    text = cell.strip()
    if text.casefold() in _NONE:
        if not first:
            raise Invalid("no log-probability, and not the first token")
        return nan
    try:
        number = float(text)
    except ValueError:
        raise Invalid("not a number") from None
    if not _PLAIN.fullmatch(cell):
        doubts.add(NUMBER)
    if number > ROUNDING:
        raise Invalid("a positive log-probability")
    if isinf(number) or isnan(number):
        raise Invalid("no finite log-probability")
    return max(-number / log(2), 0.0)


def model_scores(text: Sequence[Word], systems: Sequence[Sequence[Token]]) -> list[Values]:
    """Bits by what they are divided by; words without a number in some system count nowhere."""
    ink = "".join(word.ink for word in text).encode()
    documents = text[-1].document + 1
    whole = len(systems[0]) <= documents < len(text)  # a number for each document
    of_systems = []
    for tokens in systems:
        if "".join(token.ink for token in tokens).encode() != ink:
            raise Invalid("not the text")
        of_systems.append(_by_word(text, _by_byte(tokens, len(ink))))
    lacking = {at for bits in of_systems for at, one in enumerate(bits) if isnan(one)}
    if whole:
        of = {text[at].document for at in lacking}
        lacking = {at for at, word in enumerate(text) if word.document in of}
    kept = [at for at in range(len(text)) if at not in lacking]
    if not kept:
        raise Invalid("no word with log-probabilities")
    sizes = sum(text[at].size + text[at].gap for at in kept)
    characters = sum(len(text[at].ink) + text[at].gap for at in kept)
    found = []
    for bits in of_systems:
        total = sum(bits[at] for at in kept)
        of_word = ratio(total, len(kept))
        found.append({
            "bits_per_byte": ratio(total, sizes),
            "bits_per_character": ratio(total, characters),
            "bits_per_word": of_word,
            "word_perplexity": 2.0**of_word if of_word < 1000 else inf,
        })  # fmt: skip
    return found


def _by_byte(tokens: Sequence[Token], size: int) -> list[float]:
    """What each byte of the text costs; a token without ink goes to the byte behind it."""
    found = [0.0] * size
    ends: dict[int, int] = {}
    at = 0
    for token in tokens:
        at += len(token.ink.encode())
        ends[token.document] = at
    at = 0
    for token in tokens:
        length = len(token.ink.encode())
        places = range(at, at + length) if length else [max(0, min(at, ends[token.document] - 1))]
        for place in places:
            found[place] += token.bits / len(places)
        at += length
    return found


def _by_word(text: Sequence[Word], of_bytes: Sequence[float]) -> list[float]:
    found, at = [], 0
    for word in text:
        found.append(sum(of_bytes[at : at + word.size]))
        at += word.size
    return found
