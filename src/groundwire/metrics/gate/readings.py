"""Folding of characters, names to look for, and the ways in which a text can be read.

Compatibility forms, case, marks, lookalikes of Latin letters and forms of Chinese characters are
folded so that each spelling of a name reads alike; the tables stand beside this module, each with
its source. A text is also read decoded, without markup, in the order of display, with symbols or
invisible tags as letters, and with stretched letters made short, where it shows a sign of it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from itertools import combinations
from typing import NamedTuple

from groundwire.errors import ConfigurationError
from groundwire.vocabulary import KnownWords

GAP = " "
# Drawn as nothing although they are letters or symbols: Hangul fillers, Khmer inherent vowels,
# the empty Braille pattern.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u2800")
# Signs after a name, which compatibility folding would make letters of it.
_TRADE_SIGNS = frozenset("\u2120\u2122")
# Voicing marks tell kana apart: か is not が.
_VOICING = frozenset("\u3099\u309a")
_WHITESPACE = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85")
_JONGSEONG = range(0x11A8, 0x1200)
# Scripts written without spaces between words, or with particles joined to the name.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x2E80, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)


@cache
def read_table(name: str) -> dict[str, str]:
    """A table of the package: lookalike or variant to what it folds to.

    A line is a target, a space, and every character that folds to it.
    """
    content = files("groundwire.metrics.gate").joinpath(f"{name}.txt").read_text("utf-8")
    table: dict[str, str] = {}
    for line in content.split("\n"):
        if line and not line.startswith("# "):
            target, _, sources = line.partition(" ")
            table.update(dict.fromkeys(sources, target))
    return table


class _Folds(dict[str, str]):
    """Folds of characters, worked out on first need."""

    def __missing__(self, char: str) -> str:
        # Most code points are unassigned or private: they are not worth keeping.
        if unicodedata.category(char) in ("Cn", "Co", "Cs"):
            return ""
        self[char] = folded = _fold(char)
        return folded


def _fold(char: str) -> str:
    if char in _TRADE_SIGNS:
        return GAP
    # Shape goes before meaning: U+03F2, a form of sigma, looks like c.
    shape = read_table("lookalike_letters").get(char)
    if shape is not None:
        return shape
    parts = "".join(map(_fold_simple, unicodedata.normalize("NFKD", char)))
    letters = parts.replace(GAP, "")
    return letters or parts[:1]


def _fold_simple(char: str) -> str:
    """Fold a character that has no decomposition."""
    if char in _INVISIBLE:
        return ""
    if unicodedata.category(char) in ("Mn", "Me"):
        # Before case folding, which makes a letter of U+0345.
        return char if char in _VOICING else ""
    latin = read_table("lookalike_letters")
    if char in latin:
        return latin[char]
    folded = "".join(
        latin.get(one) or read_table("han").get(one, one)
        for part in char.casefold()
        for one in unicodedata.normalize("NFKD", part)
    )
    return "".join(map(_kept, folded))


def _kept(char: str) -> str:
    """A letter or digit as itself, a space for what stands between, nothing for the unseen."""
    category = unicodedata.category(char)
    if category in ("Mn", "Me"):
        return ""
    if category[0] in "LN":
        # Modifier letters such as the apostrophe U+02BC; those that are letters decompose.
        return GAP if category == "Lm" and 0x02B0 <= ord(char) <= 0x02FF else _initial(char)
    if category == "Mc":
        return char
    if category[0] == "C" and char not in _WHITESPACE:
        return ""
    return GAP


def _initial(char: str) -> str:
    """A final consonant of Hangul as the initial one, which is how a lone letter is typed."""
    if ord(char) not in _JONGSEONG:
        return char
    try:
        return unicodedata.lookup(unicodedata.name(char).replace("JONGSEONG", "CHOSEONG"))
    except (KeyError, ValueError):
        return char


FOLDS = _Folds()


@cache
def is_unspaced(letter: str) -> bool:
    """Whether names in the script of a letter stand without spaces around them."""
    return any(first <= ord(letter) <= last for first, last in _UNSPACED)


@dataclass(frozen=True, slots=True)
class Folded:
    """The letters and digits of a text, folded; everything between them is left out.

    Attributes:
        text: the folded letters and digits.
        starts: for each of them, where the character that it came from starts.
        ends: for each of them, where that character ends, its combining marks included.
        words: for each of them, a number that letters share when only invisible characters
            stand between them.
    """

    text: str
    starts: list[int]
    ends: list[int]
    words: list[int]

    def joined(self, at: int) -> bool:
        """Whether a letter stands in one word with the letter before it."""
        return 0 < at < len(self.words) and self.words[at] == self.words[at - 1]

    def whole(self, start: int, end: int) -> bool:
        """Whether letters from `start` to before `end` are all that their characters fold to."""
        starts = self.starts
        return (start == 0 or starts[start] != starts[start - 1]) and (
            end == len(starts) or starts[end] != starts[end - 1]
        )


def fold_with_offsets(text: str) -> Folded:
    """Fold a text; one character may fold to several ("ﬁ") or to none (a zero-width space).

    >>> fold_with_offsets("Ｈé-й").text
    'heu'
    """
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    words: list[int] = []
    word = 0
    for at, piece in enumerate(map(FOLDS.__getitem__, text)):
        if piece == GAP:
            word += 1
        elif piece:
            for letter in piece:
                letters.append(letter)
                starts.append(at)
                ends.append(at + 1)
                words.append(word)
        elif ends and ends[-1] == at and unicodedata.category(text[at])[0] == "M":
            ends[-1] = at + 1
    return Folded("".join(letters), starts, ends, words)


# Its list is read when a text first holds what only a dictionary can tell from a name.
_ENGLISH = KnownWords(languages=("en",))


@cache
def read_words(name: str) -> frozenset[str]:
    """The words of a list of the package: `common_words` or `function_words`."""
    content = files("groundwire.metrics.gate").joinpath(f"{name}.txt").read_text("utf-8")
    lines = content.split("\n")
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@lru_cache(maxsize=4096)
def is_english(word: str) -> bool:
    """Whether a lower-case word, or its singular, is one of the English language."""
    return _ENGLISH.of_language(word)


# Letters and digits that stand for each other in "T1tan" and "TitaIn".
_SKELETON = str.maketrans("l102354789", "iiozesatbg")
_AND = re.compile(r"(?<=\w)\s*&\s*(?=\w)|(?<!\s)\s+and\s+", re.IGNORECASE)
# Pairs of letters that look like one. "cl" and "d" are told apart by few readers.
_PAIRS = (("m", "rn"), ("w", "vv"), ("d", "cl"))
# Up to so many letters a name is a code: it is found only as it is written, or with full stops.
SHORT = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """One spelling of one name.

    Attributes:
        name: display name of what it names; empty for a protected name.
        alias: the name as it was given.
        letters: its folded letters and digits.
        gaps: before which of them something stands in the name itself.
        symbols: for a short name with symbols ("A&B"), its letters and symbols; else empty.
        capitals: whether it counts only in the capitals in which it was given.
        lookalike: whether the letters already hold a lookalike pair ("rn" for "m").
    """

    name: str
    alias: str
    letters: str
    gaps: frozenset[int]
    symbols: str = ""
    capitals: bool = False
    lookalike: bool = False

    @property
    def short(self) -> bool:
        """Whether it is a code of one or two letters or digits of a script with spaces."""
        return len(self.letters) <= SHORT and not is_unspaced(self.letters[0])


def skeleton(letters: str) -> str:
    """Folded letters with those that look alike made one, at equal length."""
    return letters.translate(_SKELETON)


def with_symbols(text: str) -> str:
    """The folded letters and the symbols of a text, without spaces and the invisible."""
    return "".join(
        unicodedata.normalize("NFKC", char) if piece == GAP else piece
        for char, piece in zip(text, map(FOLDS.__getitem__, text), strict=True)
        if not char.isspace()
    )


@lru_cache(maxsize=8_192)
def compile_patterns(name: str, alias: str, *, pairs: bool = True) -> tuple[Pattern, ...]:
    """Every pattern by which an alias is found.

    Args:
        name: what is named.
        alias: how it is written.
        pairs: whether it is also found where letters are written as pairs that look like them.

    Raises:
        ConfigurationError: the alias holds no letter and no digit.
    """
    seen: set[str] = set()
    found: list[Pattern] = []
    # Small and capital letters of Greek and Cyrillic can look like different Latin ones.
    spellings = [alias] if alias.isascii() else [alias, alias.lower(), alias.upper()]
    spellings += [_AND.sub(" and " if "&" in one else " & ", one) for one in spellings]
    for spelling in spellings:
        folded = fold_with_offsets(spelling)
        letters = folded.text
        if not letters:
            raise ConfigurationError(
                f"The external name {alias!r} has no letter and no digit, so nothing could match "
                "it: leave it out, or write it in letters."
            )
        if letters in seen:
            continue
        seen.add(letters)
        gaps = frozenset(at for at in range(1, len(letters)) if not folded.joined(at))
        symbols = with_symbols(spelling)
        short = symbols if len(letters) <= SHORT and symbols != letters else ""
        capitals = alias.isupper() and letters in read_words("function_words")
        found.append(Pattern(name, alias, letters, gaps, symbols=short, capitals=capitals))
        if pairs and len(letters) > SHORT + 1:
            found += _with_pairs(Pattern(name, alias, letters, gaps))
    return tuple(found)


def _with_pairs(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern with letters replaced by pairs that look like them, and the reverse."""
    swaps = [
        swap
        for one, two in _PAIRS
        for swap in ((one, two), (two, one))
        if swap[0] in pattern.letters
    ]
    parted = "".join(
        (GAP if at in pattern.gaps else "") + letter for at, letter in enumerate(pattern.letters)
    )
    for count in (1, 2):
        for chosen in combinations(swaps, count):
            text = parted
            for before, after in chosen:
                text = text.replace(before, after)
            folded = fold_with_offsets(text)
            if folded.text != pattern.letters:
                gaps = (at for at in range(1, len(folded.text)) if not folded.joined(at))
                yield Pattern(
                    pattern.name, pattern.alias, folded.text, frozenset(gaps), lookalike=True
                )


class Reading(NamedTuple):
    """One way to read a text; all of its characters keep the span that they stand for.

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
    starts, ends = ([own[at] for at in order] for own in (reading.starts, reading.ends))
    return Reading(shown, shown, starts, ends)
