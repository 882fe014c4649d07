"""The other ways in which one text can be read.

They are: decoded, without markup, in the order of display, with symbols or invisible tags as
letters, and with stretched letters made short.
A reading is made only when the text shows a sign of it. Each keeps, for all of its characters,
the span of the original that they stand for.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from groundwire.metrics.gate.letters import read_table


class Reading(NamedTuple):
    """One way to read a text.

    Attributes:
        text: what is read, character by character.
        written: what stands there; it differs from the text where a symbol is read as a letter.
        starts: for each character, where in the original it starts.
        ends: for each character, where in the original it ends.
    """

    text: str
    written: str
    starts: range | list[int]
    ends: range | list[int]


# Encoded twice or thrice is still found; each round costs time in the length of the text.
_MOST_ROUNDS = 3
_ENCODED = re.compile(
    r"(?P<percent>(?:%[0-9A-Fa-f]{2})+)|(?P<quoted>(?:=[0-9A-F]{2})+)"
    r"|(?P<entity>&(?:#[0-9]{1,8}|#[xX][0-9A-Fa-f]{1,7}|[A-Za-z][A-Za-z0-9]{1,30});?)"
    r"|(?P<utf16>(?:\\u[0-9A-Fa-f]{4})+)"
    r"|\\u\{(?P<braced>[0-9A-Fa-f]{1,6})\}|\\U(?P<utf32>[0-9A-Fa-f]{8})"
    r"|\b[uU]\+(?P<notation>[0-9A-Fa-f]{4,6})\b"
    r"|(?P<bytes>(?:\\x[0-9A-Fa-f]{2})+)"
)
# One of these stands in every match of the above, and in few texts.
_SIGN = re.compile(r"[%=&\\]|[uU]\+")
# A tag or comment of HTML or XML, of bounded length so that a text of "<" stays cheap.
_TAG = re.compile(r"<(?:!--[^<>]{0,300}--|[/!?]?[A-Za-z][^<>]{0,300})>")
# An escaped line break; a backslash between letters may as well be no more than punctuation.
_BREAK = re.compile(r"\\[nrt]")
_RIGHT_TO_LEFT = re.compile("\u202e([^\u202c\n\u2029]*)")
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]")
# Symbols in the place of letters, beside letters: "$", "@" and their like.
_PLAIN_SYMBOLS = {"@": "a", "$": "s", "€": "e", "£": "l", "!": "i", "|": "l", "+": "t", "¡": "i"}
_TAG_BASE = 0xE0000
# A letter three times or more is one that was stretched.
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}", re.IGNORECASE)


def readings(text: str) -> Iterator[Reading]:
    """The text itself, then every other reading that it shows a sign of."""
    plain = Reading(text, text, range(len(text)), range(1, len(text) + 1))
    yield plain
    decoded = plain
    for _ in range(_MOST_ROUNDS if _SIGN.search(text) else 0):
        again = _replaced(decoded, _ENCODED, _decoded)
        if again is None:
            break
        decoded = again
        yield decoded
    for reading in (plain,) if decoded is plain else (plain, decoded):
        yield from _rarer(reading)
        for pattern in (_TAG, _BREAK):
            parted = _replaced(reading, pattern, lambda match: [(" ", len(match[0]))])
            if parted is not None:
                yield parted
                yield from _rarer(parted)


def _rarer(reading: Reading) -> Iterator[Reading]:
    text = reading.text
    if not text.isascii():
        if "\u202e" in text:
            yield _reversed(reading)
        if _TAG_LETTERS.search(text):
            shown = _TAG_LETTERS.sub(lambda match: chr(ord(match[0]) - _TAG_BASE), text)
            yield reading._replace(text=shown, written=shown)
    for kept in (1, 2) if _STRETCHED.search(text) else ():
        shortened = _replaced(reading, _STRETCHED, partial(_shortened, kept))
        if shortened is not None:
            yield shortened
    symbols, beside = _symbols()
    if beside.search(text):
        yield reading._replace(text=text.translate(symbols))


@cache
def _symbols() -> tuple[dict[int, str], re.Pattern[str]]:
    """Symbols to letters, and a pattern of one beside a letter."""
    table = _PLAIN_SYMBOLS | {
        symbol: letter
        for symbol, letter in read_table("lookalike_symbols").items()
        if len(letter) == 1
    }
    group = f"[{re.escape(''.join(table))}]"
    return str.maketrans(table), re.compile(rf"{group}\s?[^\W_]|[^\W_]\s?(?!!){group}")


def _replaced(
    reading: Reading,
    pattern: re.Pattern[str],
    replace: Callable[[re.Match[str]], list[tuple[str, int]]],
) -> Reading | None:
    """A reading with matches replaced by (character, length of what it stands for) pairs."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    last = 0
    for match in pattern.finditer(reading.text):
        at = match.start()
        pieces = replace(match)
        if not pieces:
            continue
        text.append(reading.text[last:at])
        starts += reading.starts[last:at]
        ends += reading.ends[last:at]
        for char, length in pieces:
            text.append(char)
            starts.append(reading.starts[at])
            ends.append(reading.ends[at + length - 1])
            at += length
        last = match.end()
    if not last:
        return None
    text.append(reading.text[last:])
    starts += reading.starts[last:]
    ends += reading.ends[last:]
    joined = "".join(text)
    return Reading(joined, joined, starts, ends)


def _shortened(kept: int, match: re.Match[str]) -> list[tuple[str, int]]:
    """A stretched letter, once or twice."""
    letter, length = match[1], len(match[0])
    return [(letter, length)] if kept == 1 else [(letter, 1), (letter, length - 1)]


def _decoded(match: re.Match[str]) -> list[tuple[str, int]]:
    """The characters that an escape stands for, each with the length of its part."""
    kind, raw = match.lastgroup, match[0]
    if kind in ("percent", "quoted"):
        return _of_bytes(bytes.fromhex(raw.replace(raw[0], "")), 3)
    if kind == "bytes":
        return _of_bytes(bytes.fromhex(raw.replace("\\x", "")), 4)
    if kind == "utf16":
        units = bytes.fromhex(raw.replace("\\u", ""))
        chars = units.decode("utf-16-be", "replace")
        return _spread(chars, [6 * len(char.encode("utf-16-be")) // 2 for char in chars], len(raw))
    if kind == "entity":
        chars = html.unescape(raw)
        return [] if chars == raw else _spread(chars, [0] * len(chars), len(raw))
    number = int(match[kind or 0], 16)
    return [(chr(number), len(raw))] if number <= 0x10FFFF else []


def _of_bytes(data: bytes, width: int) -> list[tuple[str, int]]:
    """Bytes in UTF-8, else in GB 18030, where each byte is written in `width` characters."""
    for encoding in ("utf-8", "gb18030", "latin-1"):
        try:
            chars = data.decode(encoding)
            return [(char, width * len(char.encode(encoding))) for char in chars]
        except UnicodeError:
            continue
    return []


def _spread(chars: str, lengths: list[int], total: int) -> list[tuple[str, int]]:
    """Characters with their lengths; the last one takes what is left of the total."""
    if sum(lengths) != total:
        lengths = [1] * (len(chars) - 1) + [total - len(chars) + 1]
    return list(zip(chars, lengths, strict=True))


def _reversed(reading: Reading) -> Reading:
    """Runs that are displayed from right to left, in the order in which they are seen."""
    text = reading.text
    order = list(range(len(text)))
    for match in _RIGHT_TO_LEFT.finditer(text):
        start, end = match.span(1)
        order[start:end] = order[start:end][::-1]
    shown = "".join(map(text.__getitem__, order))
    return Reading(
        shown,
        shown,
        [reading.starts[at] for at in order],
        [reading.ends[at] for at in order],
    )
