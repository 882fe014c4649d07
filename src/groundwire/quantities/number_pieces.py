"""The pieces that numbers are made of: digits, fractions, words and scales, as they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from groundwire.quantities.numerals import Numeral, any_of, digits_at, number_words, spelling

Kind = Literal[
    "digits", "one", "ten", "compound", "scale", "sign", "words", "plural", "mixed", "article",
    "joint", "of", "point", "vague", "tied", "unknown",
]  # fmt: skip
"""Kinds of piece: `sign` is ½ or 1/2, `words` and `plural` are half and halves, `mixed` is a
mixed number or fraction in one word, `unknown` looks like a scale or fraction and is neither."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a number at its place.

    Attributes:
        kind: what it is.
        value: what it is worth; of digits their value.
        start, end: where it stands.
        tight: whether it joins the piece before it: by nothing, a space, a hyphen or emphasis.
        language: of its word; "" of digits and signs.
        numeral: of digits how they were written.
        fractioned: whether a fraction is within its word.
    """

    kind: Kind
    value: Fraction
    start: int
    end: int
    tight: bool = True
    language: str = ""
    numeral: Numeral | None = None
    fractioned: bool = False


_SIGNS, _VALUES = (
    "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒",
    ("1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/7 1/8 3/8 5/8 7/8 1/9 1/10"),
)
VULGAR = {sign: Fraction(value) for sign, value in zip(_SIGNS, _VALUES.split(), strict=True)}
SIGNS_OF_FRACTIONS = "".join(VULGAR)
_SLASHED = re.compile(r"([0-9]{1,3})/([0-9]{1,3})(?![0-9])(?!/|[.,][0-9])")
_SLASHES = re.compile(r"[0-9]{1,9}(?: ?/ ?[0-9]{1,9})+")
# Fractions in the writing of HTML, LaTeX and superscripts.
_MARKUP = re.compile(
    r"&frac[0-9]{2};?|\\[dt]?frac(?:\{[0-9]{1,3}\}){0,2}"
    r"|<sup>[0-9]{1,3}</sup> ?[/⁄] ?(?:<sub>[0-9]{1,3}</sub>|[0-9]{0,3})"
    r"|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}[/⁄][₀₁₂₃₄₅₆₇₈₉0-9]{0,3}"
)
WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{1,60}")
TIGHT = re.compile(r"[ \u00a0\u2009\u202f]{0,3}(?:-|\n|\*{1,3})?[ \u00a0\u2009\u202f]?")
LOOSE = re.compile(r"[ \u00a0\u2009\u202f\n,;.(+_*~\"'\u00ad-]{0,4}")
MOST_PIECES = 24


@cache
def _compound() -> re.Pattern[str]:
    """A German number in one word, by its thousands, its rest and its fraction."""
    de = number_words("de")
    units = any_of(word for word, value in de.ones.items() if 0 < value < 10)
    teens = any_of(word for word, value in de.ones.items() if value >= 10)
    tens = any_of(de.tens)

    def below_thousand(name: str) -> str:
        return (
            rf"(?:(?P<{name}h>(?:{units}|{teens})?)(?P<{name}hundred>hundert)(?:und)?)?"
            rf"(?:(?P<{name}u>{units})und(?P<{name}t>{tens})|(?P<{name}x>{teens}|{tens}|{units}))?"
        )

    return re.compile(
        rf"(?:{below_thousand('k')}(?P<thousand>tausend)(?:und)?)?{below_thousand('r')}"
        rf"(?:(?:und)?(?P<ending>{any_of(de.fraction_endings)}))?(?P<late>tausend)?(?:mal|fach)?"
    )


@cache
def _prefixed() -> re.Pattern[str]:
    de = number_words("de")
    return re.compile(rf"({any_of(de.fraction_prefixes)})({any_of(de.scales)})")


def _below_thousand(match: re.Match[str], name: str) -> int | None:
    """The value of one part of a German word; None where it is not there."""
    de = number_words("de")

    def worth(raw: str | None) -> int:
        return de.ones.get(raw or "", de.tens.get(raw or "", 0))

    hundred = match[f"{name}hundred"] is not None
    rest = worth(match[f"{name}u"]) + worth(match[f"{name}t"]) + worth(match[f"{name}x"])
    if not hundred and not rest:
        return None
    return (worth(match[f"{name}h"]) or 1) * 100 + rest if hundred else rest


def _german_word(word: str) -> tuple[Kind, Fraction, bool] | None:
    """A German word that is a number of several parts: "zweieinhalb", "dreihunderttausend"."""
    prefixed = _prefixed().fullmatch(word)
    de = number_words("de")
    if prefixed is not None:
        return "mixed", de.fraction_prefixes[prefixed[1]] * de.scales[prefixed[2]], True
    stem = next((word.removesuffix(s) for s in ("tausend", "mal", "fach") if word.endswith(s)), "")
    if stem in de.mixed:
        return "mixed", de.mixed[stem] * (1000 if word.endswith("tausend") else 1), True
    match = _compound().fullmatch(word)
    if match is None:
        return None
    rest, ending = _below_thousand(match, "r"), match["ending"]
    value = Fraction(rest or 0)
    if match["thousand"]:
        value += 1000 * (_below_thousand(match, "k") or 1)
    elif rest is None:
        return None
    if ending:
        value += de.fraction_endings[ending]
    if match["late"]:
        if not ending:
            return None
        value *= 1000
    return "compound", value, bool(ending)


@lru_cache(maxsize=16_384)
def word_piece(word: str, language: str) -> tuple[Kind, Fraction, bool] | None:
    """Return the kind of a word in one language."""
    words = number_words(language)
    folded = spelling(word)
    one = Fraction(1)
    tables: tuple[tuple[Kind, Mapping[str, int]], ...] = (
        ("one", words.ones),
        ("ten", words.tens),
        ("scale", words.scales),
    )
    for kind, table in tables:
        if folded in table and not (words.language == "de" and kind == "one" and folded == "ein"):
            return kind, Fraction(table[folded]), False
    if folded in words.fraction_endings and folded not in words.mixed:
        return "sign", words.fraction_endings[folded], True
    if folded in words.digit_scales:
        return "scale", Fraction(words.digit_scales[folded]), True
    if folded in words.mixed:
        return "mixed", words.mixed[folded], True
    if folded in words.fractions:
        return "words", words.fractions[folded], True
    if folded in words.plurals:
        return "plural", words.plurals[folded], True
    marks: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("article", words.articles), ("joint", words.joints), ("of", words.of),
        ("point", words.point), ("vague", words.vague), ("tied", words.vague_after),
    )  # fmt: skip
    for kind, known in marks:
        if folded in known:
            return kind, one, False
    unclear = word in words.unclear_scales or (len(word) > 2 and folded in words.unclear_scales)
    if unclear or folded.endswith(words.scale_endings):
        return "unknown", one, False
    return _german_word(folded) if words.language == "de" else None


def piece_at(text: str, at: int, language: str, before: Piece | None) -> Piece | None:
    """The piece that begins at a place, or None."""
    character = text[at : at + 1]
    if not character or (before is not None and before.kind == "unknown"):
        return None
    if character in VULGAR:
        return _sign_piece(text, at, language)
    if character.isascii() and character.isdigit():
        return _digit_piece(text, at)
    if before is not None and before.kind in ("digits", "sign"):
        suffix = _suffix_piece(text, at, before)
        if suffix is not None:
            return suffix
    markup = _MARKUP.match(text, at) if character in "&\\<⁰¹²³⁴⁵⁶⁷⁸⁹" else None
    if markup is not None:
        return Piece("unknown", Fraction(1), at, markup.end())
    if character == "&" and text[at + 1 : at + 2] == " ":
        return Piece("joint", Fraction(1), at, at + 1)
    return _latin_piece(text, at, language, before)


def _sign_piece(text: str, at: int, language: str) -> Piece:
    """A sign such as ½; two side by side, or one that an ending makes vague, are unknown."""
    end = at + 1
    while end < len(text) and text[end] in VULGAR:
        end += 1
    tied = word_after(text, end) in number_words(language).vague_after
    return Piece("unknown" if tied or end > at + 1 else "sign", VULGAR[text[at]], at, end)


def _suffix_piece(text: str, at: int, before: Piece) -> Piece | None:
    """A letter that scales the digits before it: 5k, 1½M, "5 k"."""
    suffix = _SUFFIX.match(text, at)
    if suffix is None or text[before.start : before.end] in _PLANS:
        return None
    spaced = suffix[0] == "k" and text[before.end : at] in (" ", "\u00a0", "  ")
    if at != before.end and not spaced:
        return None
    value = Fraction(_SUFFIXES[suffix[0]])
    return Piece("scale", value, at, suffix.end(), fractioned=True)


def _latin_piece(text: str, at: int, language: str, before: Piece | None) -> Piece | None:
    """A word that is a piece of a number in one language."""
    word = WORD.match(text, at)
    read = word_piece(word[0], language) if word is not None else None
    if word is None or read is None:
        return None
    kind, value, fractioned = read
    end = word.end()
    money = kind == "unknown" and before is not None and word[0] in _MONEY_SCALES
    if money and before and _MONEY_BEFORE.search(text, max(0, before.start - 6), before.start):
        kind, value = "scale", Fraction(_MONEY_SCALES[word[0]])
    if kind == "scale" and word[0].lower() == "bio" and not _BIO_END.match(text, end):
        kind = "unknown"
    if kind == "scale" and fractioned and text[end : end + 1] == ".":
        # A short form ends in a dot, which ends no sentence where a unit follows.
        end += _SHORT_END.match(text, end) is not None
    return Piece(kind, value, at, end, language=language, fractioned=fractioned)


_BIO_END = re.compile(r"\. ?[A-Za-z€$£¥]")
_SUFFIX = re.compile(r"(?:[kKM](?![A-Za-z0-9²³])|B(?![A-Za-z0-9]))(?! (?:[a-z]{1,8} )?gold)")
# Names of plans that end in k and are no thousands: 401(k).
_PLANS = frozenset(("401",))
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_MONEY_SCALES = {"M": 10**6, "MM": 10**6, "B": 10**9, "T": 10**12}
_MONEY_BEFORE = re.compile(r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)) ?-?$")
_SHORT_END = re.compile(r"\.(?= ?[A-Za-z0-9€$£¥%])")


def word_after(text: str, at: int) -> str:
    """The word that begins at a place, as the tables spell it, or ""."""
    word = WORD.match(text, at)
    return spelling(word[0]) if word is not None else ""


def _digit_piece(text: str, at: int) -> Piece | None:
    slashes = _SLASHES.match(text, at)
    if slashes is not None:
        slashed = _SLASHED.fullmatch(text, at, slashes.end())
        proper = slashed is not None and 0 < int(slashed[1]) < int(slashed[2])
        if slashed is None or not proper or _SLASHED.match(text, at) is None:
            return Piece("unknown", Fraction(1), at, slashes.end())
        return Piece("sign", Fraction(int(slashed[1]), int(slashed[2])), at, slashes.end())
    numeral = digits_at(text, at)
    if numeral is None:
        return None
    return Piece("digits", Fraction(numeral.value), at, numeral.end, numeral=numeral)


LATE = frozenset(("scale", "sign", "unknown"))


def pieces_from(text: str, position: int, language: str) -> list[Piece]:
    """The pieces that stand beside each other from a position on, in one language.

    The last may be apart from the others by a comma or bracket, where it is a scale or a sign.
    """
    found: list[Piece] = []
    at = position
    while len(found) < MOST_PIECES:
        before = found[-1] if found else None
        tight = TIGHT.match(text, at) if before else None
        piece = piece_at(text, tight.end() if tight else at, language, before)
        if piece is None and before is not None and before.kind == "scale":
            listed = _COMMA.match(text, at)
            piece = piece_at(text, listed.end(), language, before) if listed else None
            if piece is not None and piece.kind not in ("one", "ten", "compound"):
                piece = None
        if piece is not None:
            if piece.kind == "tied" and piece.start > at and text[piece.start - 1] != "-":
                return found  # "12 odd numbers"
            found.append(piece)
            at = piece.end
            if piece.kind == "digits" and before is not None and before.kind in ("digits", "sign"):
                return found  # a list or a range
            continue
        loose = LOOSE.match(text, at) if before is not None else None
        late = piece_at(text, loose.end(), language, before) if loose else None
        if late is not None and late.kind in LATE and before and before.kind in _CAN_TAKE:
            found.append(replace(late, tight=False))
        return found
    return found


_COMMA = re.compile(r", ")
_CAN_TAKE = frozenset(("digits", "one", "ten", "compound", "sign", "mixed", "words", "plural"))
