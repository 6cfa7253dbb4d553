"""Synonyms from the files of WordNet: ``index.noun``, ``data.noun`` and so on, in one folder.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = Path(folder, "index.noun").write_text(
...         "car n 1 0 1 0 00000000  \\nauto n 1 0 1 0 00000000  \\n")
...     _ = Path(folder, "data.noun").write_text("00000000 06 n 02 car 0 auto 0 000 | a vehicle\\n")
...     sorted(WordNet.read(folder).synonyms("cars"))
['auto', 'car']

Debian has them as wordnet-base (/usr/share/wordnet). A word is looked up as it is and in its base
forms, by the rules of WordNet's morphology and its lists of exceptions (``noun.exc``). Of the
lemmas of all its synsets those of one word count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from finegrain.errors import InputError, UsageError

PARTS = ("noun", "verb", "adj", "adv")
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "noun": (("s", ""), ("ses", "s"), ("ves", "f"), ("xes", "x"), ("zes", "z"), ("ches", "ch"),
             ("shes", "sh"), ("men", "man"), ("ies", "y")),
    "verb": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""),
             ("ing", "e"), ("ing", "")),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class WordNet:
    """By part of speech: lemma -> synsets, synset -> words, irregular form -> lemmas."""

    folder: str
    index: dict[str, dict[str, tuple[int, ...]]]
    words: dict[str, dict[int, tuple[str, ...]]]
    irregular: dict[str, dict[str, tuple[str, ...]]]
    known: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: str) -> WordNet:
        """All parts of speech that the folder has files of."""
        return _read(folder)

    def synonyms(self, word: str) -> frozenset[str]:
        """The single words of all synsets of a word; itself only if it has one."""
        if word not in self.known:
            self.known[word] = frozenset(
                other
                for part in self.index
                for form in self._forms(word, part)
                for synset in self.index[part][form]
                for other in self.words[part].get(synset, ())
                if "_" not in other
            )
        return self.known[word]

    def _forms(self, word: str, part: str) -> list[str]:
        """The base forms of a word that WordNet has."""
        known, irregular = self.index[part], self.irregular.get(part, {})
        if word in irregular:
            return [form for form in dict.fromkeys((word, *irregular[word])) if form in known]
        forms = _shortened([word], part)
        found = [form for form in dict.fromkeys((word, *forms)) if form in known]
        while forms and not found:
            forms = _shortened(forms, part)
            found = [form for form in dict.fromkeys(forms) if form in known]
        return found


def _shortened(forms: list[str], part: str) -> list[str]:
    return [
        form[: len(form) - len(ending)] + other
        for form in forms
        for ending, other in _ENDINGS[part]
        if form.endswith(ending)
    ]


@lru_cache(4)
def _read(folder: str) -> WordNet:
    place = Path(folder)
    if not place.is_dir():
        raise UsageError(f"wordnet: {folder} is not a folder with index.noun, data.noun ...")
    parts = [part for part in PARTS if (place / f"index.{part}").is_file()]
    if not parts:
        mend = "Give the folder of index.noun and data.noun, as of Debian's wordnet-base."
        raise InputError.at(folder, 0, "there are no files of WordNet", mend)
    return WordNet(
        folder,
        {part: dict(_index(place / f"index.{part}")) for part in parts},
        {part: dict(_data(place / f"data.{part}")) for part in parts},
        {part: dict(_exceptions(place / f"{part}.exc")) for part in parts},
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines that are no licence text, which is indented."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(str(path), 0, f"cannot be read ({error})") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("  "):
            yield number, line


def _index(path: Path) -> Iterator[tuple[str, tuple[int, ...]]]:
    """``lemma pos synset_cnt p_cnt [ptr...] sense_cnt tagsense_cnt synset...``."""
    for number, line in _lines(path):
        try:
            fields = line.split()
            synsets = int(fields[2])
            yield fields[0], tuple(map(int, fields[len(fields) - synsets :]))
        except (ValueError, IndexError):
            raise InputError.at(str(path), number, "no line of an index of WordNet") from None


def _data(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """``synset lex_filenum ss_type w_cnt word lex_id [word lex_id...] ...``; w_cnt is hexadecimal.

    The mark of position behind an adjective, as of ``galore(ip)``, is no part of it.
    """
    for number, line in _lines(path):
        try:
            fields = line.split(" ")
            size = int(fields[3], 16)
            words = fields[4 : 4 + 2 * size : 2]
            if len(words) != size:
                raise ValueError
            yield int(fields[0]), tuple(word.partition("(")[0] for word in words)
        except (ValueError, IndexError):
            raise InputError.at(str(path), number, "no line of data of WordNet") from None


def _exceptions(path: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    if path.is_file():
        for _, line in _lines(path):
            form, *lemmas = line.split()
            yield form, tuple(lemmas)
