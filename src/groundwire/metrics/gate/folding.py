"""Folding characters and texts so that each spelling of a name reads alike, with the way back.

Compatibility forms, case, marks, lookalikes of Latin letters and forms of Chinese characters are
folded here; the tables stand beside this module, each with its source.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """For each folded character, the span that it came from."""
        return list(zip(self.starts, self.ends, strict=True))

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
