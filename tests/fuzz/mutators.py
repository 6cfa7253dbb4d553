"""Ways to damage a file: its bytes, lines, fields and numbers, brackets and JSON, its archive.

Each takes a generator of random numbers and the bytes of a file and gives other bytes.

>>> mutated(Random(4), b"Ada\\tB-PER\\n", 1)
b'Ada\\tda\\tB-PER\\nB-PER\\n'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

Mutator = Callable[[Random, bytes], bytes]
Change = Callable[[Random, list[bytes]], None]
_TELLING = [bytes([one]) for one in b"\t\n\r #{}[]()\"',:;0129-.|\\_/=OBIESX*T\x00\x1b\x7f\xff"]
_ODD = [
    one.encode()
    for one in (
        *"\u00a0\u2028\u2029\u0085\u200b\u200d\ufeff\u3000\u00ad\u0301\u202e\x1c\x0b\x0c",
        "\r\n", "\\ud800", "\\u0000", "null", "-1", "1.5", "NaN", "99999999999999999999", "١", "²",
    )
]  # fmt: skip
_VALUES = (
    b"null",
    b"true",
    b"NaN",
    b"-Infinity",
    b"-1",
    b"1.0",
    b'""',
    b"[]",
    b"{}",
    b'"x"',
    b"1e999",
)
_NUMBER = re.compile(rb"[0-9]+")
_VALUE = re.compile(rb'(?<=[:\[,]) ?("[^"\n]*"|-?[0-9.]+|\[[^\[\]\n]*\])')
_MEMBER = re.compile(rb'"\w+": ?("[^"\n]*"|[0-9]+|\[[^\[\]\n]*\])')


def _at(rng: Random, data: Sequence[object]) -> int:
    return rng.randrange(len(data) + 1)


def insert(rng: Random, data: bytes) -> bytes:
    at = _at(rng, data)
    return data[:at] + rng.choice(_TELLING) + data[at:]


def insert_odd(rng: Random, data: bytes) -> bytes:
    at = _at(rng, data)
    return data[:at] + rng.choice(_ODD) + data[at:]


def delete(rng: Random, data: bytes) -> bytes:
    at = _at(rng, data)
    return data[:at] + data[at + rng.randint(1, 6) :]


def replace_byte(rng: Random, data: bytes) -> bytes:
    at = _at(rng, data)
    return data[:at] + rng.choice(_TELLING) + data[at + 1 :]


def flip_bit(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def truncate(rng: Random, data: bytes) -> bytes:
    return data[: _at(rng, data)]


def repeat(rng: Random, data: bytes) -> bytes:
    begin, end = sorted((_at(rng, data), _at(rng, data)))
    return data[:end] + data[begin : begin + 40] + data[end:]


def line_ends(rng: Random, data: bytes) -> bytes:
    ends = rng.choice((b"\r\n", b"\r", b"\n\n", b" \n", b"\t\n", b"\n \n"))
    return data.replace(b"\n", ends, rng.choice((-1, 1, 2)))


def byte_order_mark(rng: Random, data: bytes) -> bytes:
    return rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf" * 2)) + data


def no_last_newline(rng: Random, data: bytes) -> bytes:
    return data.rstrip(b"\n") + b"\n" * rng.choice((0, 0, 3))


def _lines(change: Change) -> Mutator:
    def mutator(rng: Random, data: bytes) -> bytes:
        lines = data.split(b"\n")
        change(rng, lines)
        return b"\n".join(lines)

    return mutator


def _delete_line(rng: Random, lines: list[bytes]) -> None:
    del lines[rng.randrange(len(lines))]


def _repeat_line(rng: Random, lines: list[bytes]) -> None:
    lines.insert(_at(rng, lines), rng.choice(lines))


def _swap_lines(rng: Random, lines: list[bytes]) -> None:
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _join_lines(rng: Random, lines: list[bytes]) -> None:
    at = rng.randrange(len(lines))
    lines[at : at + 2] = [rng.choice((b"", b" ", b"\t")).join(lines[at : at + 2])]


def _split_line(rng: Random, lines: list[bytes]) -> None:
    at = rng.randrange(len(lines))
    cut = _at(rng, lines[at])
    lines[at : at + 1] = [lines[at][:cut], lines[at][cut:]]


def _odd_line(rng: Random, lines: list[bytes]) -> None:
    odd = (b"", b"#", b"# x", b"#begin document (x); part 000", b"#end document", b"-DOCSTART-\tO",
           b" ", b"\t", b"0", b"{}", b"[]", b"# newdoc", b"# newdoc id = d0")  # fmt: skip
    lines.insert(_at(rng, lines), rng.choice(odd))


def _fields(change: Change) -> Mutator:
    """Change the fields of one line, whatever stands between them."""

    def change_line(rng: Random, lines: list[bytes]) -> None:
        at = rng.choice([at for at, line in enumerate(lines) if line.strip()] or [0])
        parts = re.split(rb"([\t ,|]+)", lines[at])
        change(rng, parts)
        lines[at] = b"".join(parts)

    return _lines(change_line)


def _field(rng: Random, parts: list[bytes]) -> int:
    return 2 * rng.randrange((len(parts) + 1) // 2)


def _delete_field(rng: Random, parts: list[bytes]) -> None:
    at = _field(rng, parts)
    del parts[at : at + 2]


def _repeat_field(rng: Random, parts: list[bytes]) -> None:
    at = _field(rng, parts)
    parts[at:at] = [parts[at], b"\t"]


def _swap_fields(rng: Random, parts: list[bytes]) -> None:
    one, two = _field(rng, parts), _field(rng, parts)
    parts[one], parts[two] = parts[two], parts[one]


def _change_field(rng: Random, parts: list[bytes]) -> None:
    values = (b"", b"_", b"O", b"-", b"B-X", b"I-PER", b"E-PER", b"|", b"(1)", b"1)", b"(1", b"0",
              b"1", b"x" * 3000, b"B-", b"-PER", b"b-PER", b"PER", b"M-PER", b"O ")  # fmt: skip
    parts[_field(rng, parts)] = rng.choice(values)


def _change_separator(rng: Random, parts: list[bytes]) -> None:
    if len(parts) > 1:
        new = rng.choice((b"\t", b" ", b"  ", b",", b"|", b"\xc2\xa0", b";", b""))
        parts[rng.randrange(1, len(parts), 2)] = new


def separators(rng: Random, data: bytes) -> bytes:
    return data.replace(b"\t", rng.choice((b" ", b"  ", b"\t\t", b",")))


def number(rng: Random, data: bytes) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return insert(rng, data)
    one = rng.choice(found)
    value = int(one[0][:18])
    new = rng.choice(
        (
            value + 1,
            value - 1,
            -value,
            value * 10,
            0,
            2**31,
            2**63,
            f"0{value}",
            f"{value}.0",
            "9" * 5000,
        )
    )
    return data[: one.start()] + str(new).encode() + data[one.end() :]


def swap_numbers(rng: Random, data: bytes) -> bytes:
    found = list(_NUMBER.finditer(data))
    if len(found) < 2:
        return insert(rng, data)
    one, two = sorted(rng.sample(range(len(found)), 2))
    first, second = found[one], found[two]
    return b"".join((data[: first.start()], second[0], data[first.end() : second.start()], first[0],
                     data[second.end() :]))  # fmt: skip


def json_value(rng: Random, data: bytes) -> bytes:
    found = list(_VALUE.finditer(data))
    if not found:
        return number(rng, data)
    one = rng.choice(found)
    return data[: one.start()] + rng.choice(_VALUES) + data[one.end() :]


def json_key(rng: Random, data: bytes) -> bytes:
    """A key once more, with the same or another value, or under another name."""
    found = list(_MEMBER.finditer(data))
    if not found:
        return number(rng, data)
    one = rng.choice(found)
    key, _, value = one[0].partition(b":")
    new = rng.choice((one[0] + b", " + one[0], one[0] + b", " + key + b": []", b'"x":' + value,
                      key + b": " + rng.choice(_VALUES) + b", " + one[0]))  # fmt: skip
    return data[: one.start()] + new + data[one.end() :]


def letter_case(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at : at + 3].swapcase() + data[at + 3 :]


MUTATORS: tuple[Mutator, ...] = (
    insert, insert_odd, insert_odd, delete, replace_byte, flip_bit, truncate, repeat, line_ends,
    byte_order_mark, no_last_newline, separators, number, number, swap_numbers, json_value,
    json_key, letter_case,
    *map(_lines, (_delete_line, _repeat_line, _swap_lines, _join_lines, _split_line, _odd_line)),
    *map(_fields, (_delete_field, _repeat_field, _swap_fields, _change_field, _change_field,
                   _change_separator)),
)  # fmt: skip


def mutated(rng: Random, data: bytes, times: int) -> bytes:
    """A file after some changes."""
    for _ in range(times):
        data = rng.choice(MUTATORS)(rng, data) if data else b"\n"
    return data


def damaged_archive(rng: Random, data: bytes) -> bytes:
    """A compressed file that was cut, damaged, or has something behind it."""
    changes: tuple[Mutator, ...] = (truncate, truncate, flip_bit, delete, _junk, _zeros, _twice)
    change = rng.choice(changes)
    return change(rng, data) or b"\n"


def _junk(rng: Random, data: bytes) -> bytes:
    return data + rng.randbytes(rng.randint(1, 30))


def _zeros(rng: Random, data: bytes) -> bytes:
    return data + bytes(rng.choice((1, 4, 512)))


def _twice(rng: Random, data: bytes) -> bytes:
    return data + data[: _at(rng, data)]
