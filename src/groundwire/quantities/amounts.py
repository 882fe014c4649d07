"""Numbers read from all of their pieces: digits, fractions, words and scales of en, de and zh.

The pieces that stand beside each other are one run: "two and three quarter million", "1 1/2
trillion", "zweieinhalb Mio.", "1.5万亿". A run is read as a whole, or it is unread as a whole: a
fraction or a scale that cannot be joined to the number beside it never leaves a part to be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from groundwire.quantities.chinese import read_han_run
from groundwire.quantities.numerals import EXACT, Numeral, digits_at, plain, significant_digits
from groundwire.quantities.surroundings import noun_after
from groundwire.quantities.units import names
from groundwire.quantities.words import (
    NumberWords,
    any_of,
    language_of,
    number_words,
    spelling,
)


class Unread(NamedTuple):
    """A span in which a number stands that cannot be read as a whole."""

    start: int
    end: int


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


_VULGAR = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒",
        map(
            Fraction,
            "1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/7 1/8 3/8 5/8 7/8 1/9 1/10".split(),
        ),
        strict=True,
    )
)
SIGNS_OF_FRACTIONS = "".join(_VULGAR)
_SLASHED = re.compile(r"([0-9]{1,3})/([0-9]{1,3})(?![0-9])(?!/|[.,][0-9])")
_SLASHES = re.compile(r"[0-9]{1,9}(?: ?/ ?[0-9]{1,9})+")
# Fractions in the writing of HTML, LaTeX and superscripts.
_MARKUP = re.compile(
    r"&frac[0-9]{2};?|\\[dt]?frac(?:\{[0-9]{1,3}\}){0,2}"
    r"|<sup>[0-9]{1,3}</sup> ?[/⁄] ?(?:<sub>[0-9]{1,3}</sub>|[0-9]{0,3})"
    r"|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}[/⁄][₀₁₂₃₄₅₆₇₈₉0-9]{0,3}"
)
_WORD = re.compile(r"[A-Za-zÄÖÜäöüß]{1,60}")
_TIGHT = re.compile(r"[ \u00a0\u2009\u202f]{0,3}(?:-|\n|\*{1,3})?[ \u00a0\u2009\u202f]?")
_LOOSE = re.compile(r"[ \u00a0\u2009\u202f\n,;.(+_*~\"'\u00ad-]{0,4}")
_MOST_PIECES = 24
_MOST_SCALES = 3
_SHORT_SCALE = 1_000
_LARGEST = Fraction(10**40)


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


def _word_piece(word: str, words: NumberWords) -> tuple[Kind, Fraction, bool] | None:
    """What a word is in one language."""
    folded = spelling(word)
    one = Fraction(1)
    for kind, table in (("one", words.ones), ("ten", words.tens), ("scale", words.scales)):
        if folded in table and not (words.language == "de" and kind == "one" and folded == "ein"):
            return kind, Fraction(table[folded]), False  # type: ignore[return-value]
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
    for kind, known in (
        ("article", words.articles), ("joint", words.joints), ("of", words.of),
        ("point", words.point), ("vague", words.vague), ("tied", words.vague_after),
    ):  # fmt: skip
        if folded in known:
            return kind, one, False
    unclear = word in words.unclear_scales or (len(word) > 2 and folded in words.unclear_scales)
    if unclear or folded.endswith(words.scale_endings):
        return "unknown", one, False
    return _german_word(folded) if words.language == "de" else None


_SPACES = "[ \u00a0\u2009\u202f]"


def _piece(text: str, at: int, language: str, before: Piece | None) -> Piece | None:
    """The piece that begins at a place, or None."""
    character = text[at : at + 1]
    if not character or (before is not None and before.kind == "unknown"):
        return None
    if character in _VULGAR:
        end = at + 1
        while text[end : end + 1] in _VULGAR and end < len(text):
            end += 1
        tied = text[end : end + 1].isalpha() and text[end : end + 1].isascii()
        kind: Kind = "unknown" if end > at + 1 else "sign"
        if tied and _word_after(text, end) in number_words(language).vague_after:
            kind = "unknown"
        return Piece(kind, _VULGAR[character], at, end)
    if character.isascii() and character.isdigit():
        return _digit_piece(text, at)
    suffix = _SUFFIX.match(text, at) if before is not None else None
    if suffix is not None and before is not None and before.kind in ("digits", "sign"):
        spaced = suffix[0] == "k" and text[before.end : at] in (" ", "\u00a0", "  ")
        plan = text[before.start : before.end] in _PLANS
        if (at == before.end or spaced) and not plan:
            value = Fraction(_SUFFIXES[suffix[0]])
            return Piece("scale", value, at, suffix.end(), fractioned=True)
    markup = _MARKUP.match(text, at) if character in "&\\<⁰¹²³⁴⁵⁶⁷⁸⁹" else None
    if markup is not None:
        return Piece("unknown", Fraction(1), at, markup.end())
    if character == "&" and text[at + 1 : at + 2] == " ":
        return Piece("joint", Fraction(1), at, at + 1)
    word = _WORD.match(text, at)
    if word is None:
        return None
    read = _word_piece(word[0], number_words(language))
    if read is None:
        return None
    kind, value, fractioned = read
    end = word.end()
    if kind == "unknown" and word[0] in _MONEY_SCALES and before is not None:
        if _MONEY_BEFORE.search(text, max(0, before.start - 6), before.start) is not None:
            kind, value = "scale", Fraction(_MONEY_SCALES[word[0]])
    if kind == "scale" and word[0].lower() == "bio":
        if re.compile(r"\. ?[A-Za-z€$£¥]").match(text, end) is None:
            kind = "unknown"
    if kind == "scale" and fractioned and text[end : end + 1] == ".":
        # A short form ends in a dot, which ends no sentence where a unit follows.
        end += _SHORT_END.match(text, end) is not None
    return Piece(kind, value, at, end, language=language, fractioned=fractioned)


_SUFFIX = re.compile(r"(?:[kKM](?![A-Za-z0-9²³])|B(?![A-Za-z0-9]))(?! (?:[a-z]{1,8} )?gold)")
# Names of plans that end in k and are no thousands: 401(k).
_PLANS = frozenset(("401",))
_SUFFIXES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9}
_MONEY_SCALES = {"M": 10**6, "MM": 10**6, "B": 10**9, "T": 10**12}
_MONEY_BEFORE = re.compile(r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)) ?-?$")
_SHORT_END = re.compile(r"\.(?= ?[A-Za-z0-9€$£¥%])")


def _word_after(text: str, at: int) -> str:
    word = _WORD.match(text, at)
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


_LATE = frozenset(("scale", "sign", "unknown"))


def _pieces(text: str, position: int, language: str) -> list[Piece]:
    """The pieces that stand beside each other from a position on, in one language.

    The last may be apart from the others by a comma or bracket, where it is a scale or a sign.
    """
    found: list[Piece] = []
    at = position
    while len(found) < _MOST_PIECES:
        before = found[-1] if found else None
        tight = _TIGHT.match(text, at) if before else None
        piece = _piece(text, tight.end() if tight else at, language, before)
        if piece is None and before is not None and before.kind == "scale":
            listed = _COMMA.match(text, at)
            piece = _piece(text, listed.end(), language, before) if listed else None
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
        loose = _LOOSE.match(text, at) if before is not None else None
        late = _piece(text, loose.end(), language, before) if loose else None
        if late is not None and late.kind in _LATE and before and before.kind in _CAN_TAKE:
            found.append(replace(late, tight=False))
        return found
    return found


_COMMA = re.compile(r", ")
_CAN_TAKE = frozenset(("digits", "one", "ten", "compound", "sign", "mixed", "words", "plural"))


class _Part(NamedTuple):
    """A coefficient: its value, the piece after it, and what it is made of."""

    value: Fraction
    after: int
    fraction: Fraction = Fraction(0)
    whole: bool = True


class _Run:
    """One run of pieces in one language."""

    def __init__(self, text: str, pieces: Sequence[Piece], language: str) -> None:
        self.text, self.pieces, self.language = text, pieces, language

    def kind(self, i: int) -> Kind | Literal[""]:
        """The kind of a piece that joins the one before it, or ""."""
        if not 0 <= i < len(self.pieces) or not self.pieces[i].tight:
            return ""
        return self.pieces[i].kind

    def value(self, i: int) -> Fraction:
        return self.pieces[i].value

    def cardinal(self, i: int) -> _Part | None:
        """A whole number below a thousand in words, one in digits, or a German word."""
        kind = self.kind(i)
        if kind in ("digits", "compound"):
            piece = self.pieces[i]
            return self.after_point(_Part(piece.value, i + 1, whole=piece.value.denominator == 1))
        if kind == "article" and self.kind(i + 1) == "scale" and self.value(i + 1) == 100:
            return self.tens_of_hundred(_Part(Fraction(100), i + 2))
        if self.language == "de" and kind == "scale" and self.value(i) in (100, 1000, 100_000):
            if self.pieces[i].fractioned:
                return None
            return _Part(self.value(i), i + 1)
        low = self.below_hundred(i)
        if low is None:
            return None
        if self.kind(low.after) == "scale" and self.value(low.after) == 100 and low.value:
            return self.tens_of_hundred(_Part(low.value * 100, low.after + 1))
        return self.after_point(low)

    def below_hundred(self, i: int) -> _Part | None:
        if self.kind(i) == "ten":
            joined = self.kind(i + 1) == "one" and 0 < self.value(i + 1) < 10
            ones = self.value(i + 1) if joined else Fraction(0)
            return _Part(self.value(i) + ones, i + 1 + joined)
        return _Part(self.value(i), i + 1) if self.kind(i) == "one" else None

    def tens_of_hundred(self, hundred: _Part) -> _Part:
        joint = self.kind(hundred.after) == "joint"
        low = self.below_hundred(hundred.after + joint)
        if low is None or not low.value or self.kind(low.after) in ("words", "plural"):
            return self.after_point(hundred)
        return self.after_point(_Part(hundred.value + low.value, low.after))

    def after_point(self, part: _Part) -> _Part:
        """Digits in words after "point"."""
        if self.kind(part.after) != "point":
            return part
        digits = ""
        i = part.after + 1
        while self.kind(i) == "one" and self.value(i) < 10:
            digits, i = digits + str(self.value(i)), i + 1
        if not digits:
            return part
        return _Part(part.value + Fraction(int(digits), 10 ** len(digits)), i, whole=False)

    def fraction(self, i: int) -> _Part | None:
        """A fraction by itself: ½, 3/4, three quarters, a third, half, anderthalb."""
        kind = self.kind(i)
        if kind in ("sign", "mixed"):
            return _Part(self.value(i), i + 1, self.value(i), whole=False)
        if kind == "words":
            half = self.value(i) == Fraction(1, 2)
            return _Part(self.value(i), i + 1, self.value(i), whole=False) if half else None
        if kind == "article" and self.kind(i + 1) in ("words", "mixed"):
            return _Part(self.value(i + 1), i + 2, self.value(i + 1), whole=False)
        count = self.cardinal(i)
        if count is None or not count.whole or self.pieces[i].kind == "digits":
            return None
        if self.kind(count.after) not in ("words", "plural"):
            return None
        value = count.value * self.value(count.after)
        if not 0 < value < 1:
            return None
        if self.kind(count.after) == "words" and count.value != 1 and self.language != "de":
            # "three quarter million", but "three quarter finals".
            if self.kind(count.after + 1) != "scale":
                return None
        return _Part(value, count.after + 1, value, whole=False)

    def coefficient(self, i: int) -> _Part | None:
        """A number with its fraction, before any scale."""
        alone = self.fraction(i)
        if alone is not None:
            return alone
        base = self.cardinal(i)
        if base is None and self.kind(i) == "article" and self.kind(i + 1) == "joint":
            base = _Part(Fraction(1), i + 1) if self.language == "de" else None
            if base is not None and self.fraction(i + 2) is None:
                return None
        if base is None or not base.whole or self.pieces[i].fractioned:
            return base
        j = base.after
        if self.kind(j) in ("sign", "mixed") and 0 < self.value(j) < 1:
            return _Part(base.value + self.value(j), j + 1, self.value(j), whole=False)
        if self.kind(j) == "joint":
            more = self.fraction(j + 1)
            if more is not None and 0 < more.value < 1 and self.pieces[j + 1].kind != "mixed":
                return _Part(base.value + more.value, more.after, more.value, whole=False)
            tail = self.joined_count(j + 1)
            if tail is not None:
                return _Part(base.value + tail.value, tail.after, tail.value, whole=False)
        return base

    def joined_count(self, i: int) -> _Part | None:
        """ "Three quarter" of "two and three quarter million", whatever follows it."""
        count = self.below_hundred(i)
        if count is None or self.kind(count.after) not in ("words", "plural"):
            return None
        value = count.value * self.value(count.after)
        return _Part(value, count.after + 1, value, whole=False) if 0 < value < 1 else None

    def scales(self, part: _Part) -> tuple[Fraction, int]:
        """Product of the scales after a coefficient, and the piece after them."""
        i = part.after
        if part.fraction:
            i += self.kind(i) == "of"
            one = self.kind(i) == "one" and self.value(i) == 1
            i += self.kind(i) == "article" or one
            if self.kind(i) != "scale":
                return Fraction(1), part.after
        product, count = Fraction(1), 0
        while self.kind(i) == "scale" and count < _MOST_SCALES:
            product, i, count = product * self.value(i), i + 1, count + 1
        return product, i

    def group(self, i: int) -> tuple[_Part, Fraction, int] | None:
        """A coefficient with its scales, or an article with a scale."""
        if self.kind(i) == "article" and self.kind(i + 1) == "scale" and self.value(i + 1) != 100:
            part = _Part(Fraction(1), i + 1)
        else:
            read = self.coefficient(i)
            if read is None:
                return None
            part = read
        scale, after = self.scales(part)
        return part, scale, after

    def whole_run(self) -> tuple[Fraction, Fraction, Fraction, int] | None:
        """Value, fraction, scale and the piece after it, of the longest number that begins."""
        first = self.group(0)
        if first is None:
            return None
        part, scale, i = first
        value, fraction = part.value * scale, part.fraction
        if part.whole and (scale >= _SHORT_SCALE or scale == 12):
            j = i + (self.kind(i) == "joint")
            tail = self.fraction(j) if j > i and self.kind(j) == "article" else None
            if tail is not None and self.kind(tail.after) not in ("of", "scale"):
                return (part.value + tail.value) * scale, tail.value, scale, tail.after
        if part.fraction:
            return value, fraction, scale, i
        lowest = scale if scale > 1 else Fraction(1)
        while lowest >= 1000 or (lowest == 100 and self.pieces[0].kind == "digits"):
            j = i + (self.kind(i) == "joint")
            lower = self.group(j)
            if lower is None or (j > i and "digits" in (self.kind(j), self.pieces[0].kind)):
                break
            low, low_scale, after = lower
            plain_digits = self.kind(j) == "digits" and low_scale == 1
            if plain_digits or low.fraction or low.value * low_scale >= lowest:
                break
            value, scale, i = value + low.value * low_scale, low_scale, after
            lowest = low_scale
        return value, fraction, scale, i

    def left_over(self, i: int) -> bool:
        """Whether what follows belongs to the number and was not joined to it."""
        if i >= len(self.pieces):
            return False
        piece = self.pieces[i]
        kind = piece.kind
        if kind in ("scale", "sign", "mixed", "unknown", "tied"):
            return True
        following = self.kind(i + 1)
        if kind in ("words", "plural"):
            return self.is_fraction_word(i)
        if kind in ("article", "of"):
            j = i + 1 + (following == "article")
            return self.kind(j) in ("vague", "scale") or (
                kind == "article" and following in ("words", "mixed")
            )
        if kind == "joint":
            j = i + 1 + (following == "article")
            if self.kind(j) == "vague":
                bit = self.text[self.pieces[j].start : self.pieces[j].end].lower() == "bit"
                ends = _FOLLOWED.match(self.text, self.pieces[j].end) is None
                return bit or ends or self.kind(j + 1) == "scale"
            if self.kind(j) == "scale":
                return following != "article"
            if self.ordered(j) or self.adds_below(i):
                return True
            return self.kind(j) in ("words", "sign", "mixed", "unknown") or (
                self.joined_count(i + 1) is not None
            )
        if kind == "vague":
            return following == "scale"
        if kind == "point":
            return following in ("one", "ten", "digits")
        if kind == "digits" and self.pieces[i - 1].kind == "scale":
            return not noun_after(self.text, piece.end) and not _unit_at(self.text, piece.end)
        return False

    def ordered(self, i: int) -> bool:
        """Whether a number follows that ends as an ordinal: "fifty-four hundredths"."""
        part = self.cardinal(i) if self.kind(i) else None
        end = self.pieces[i - 1].end if part is None else self.pieces[part.after - 1].end
        unknown = part is not None and self.kind(part.after) in ("unknown", "plural")
        return unknown or _ordinal_at(self.text, end)

    def adds_below(self, i: int) -> bool:
        """Whether "and" adds to digits with a scale: "3 hundred and 21", "3 hundred and one"."""
        if self.pieces[0].kind != "digits" or self.pieces[i - 1].kind != "scale":
            return False
        lowest = self.value(i - 1)
        if self.kind(i + 1) == "digits":
            return lowest == 100 and self.value(i + 1) < 100
        part = self.cardinal(i + 1)
        return part is not None and part.value < lowest and self.scales(part)[0] < lowest

    def is_fraction_word(self, i: int) -> bool:
        """Whether a word beside a number is a fraction of it, and not part of a name."""
        piece = self.pieces[i]
        named = _NAME_GOES_ON.match(self.text, piece.end) is not None
        if piece.kind == "plural":
            return piece.value != Fraction(1, 4)
        if piece.value == Fraction(1, 2):
            return not (named and self.text[piece.end] == "-")
        return not named


_FOLLOWED = re.compile(r"[ -]?[A-Za-zÄÖÜäöü%€$£¥]|[.,:/-][0-9]")
_NAME_GOES_ON = re.compile(r"[ -](?!of\b)[A-Za-zÄÖÜäöü]")
_OR_SO = re.compile(r" or so ([a-z]{1,12})", re.IGNORECASE)
_APART = re.compile(r" [A-Z][A-Za-z.]{0,9} ([a-z]{4,12})")
_TIMES = re.compile(r" ?(?:times|mal) (?:[0-9]|a |one|two|three)", re.IGNORECASE)
_OF_WHAT = re.compile(r" of (?:an?|the|all|its|our|their|his|her|these|those|total|every)\b")
_WHOLE_WORD = re.compile(r"(?!-?[A-Za-z])(?! (?!of\b|and\b|or\b|to\b|in\b|is\b|was\b)[A-Za-z])")
_UNIT_WORDS = re.compile(r"[ -]([A-Za-z%°]{1,14})(?: ([a-z]{1,14}))?")
_POWERED = re.compile(
    r"(?:\^|\*\*)[+-]{0,2}[0-9]{1,6}|，[0-9]{3}(?![0-9])"
    r"| over (?:[0-9]{1,3}(?![0-9])|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty)\b)"
)
_ORDINAL_GAP = re.compile(r"[ -]([a-z]{5,12})(?![A-Za-z])", re.IGNORECASE)


def _ordinal_at(text: str, end: int) -> bool:
    match = _ORDINAL_GAP.match(text, end)
    return match is not None and match[1].lower() in number_words("en").ordinals


_BRACKETED = re.compile(r" ?\((?:and|und|plus) [a-z0-9 ]{1,24}\)", re.IGNORECASE)
_UNIT_ARTICLE = re.compile(r"(?: of)? an?(?=[ -])", re.IGNORECASE)


def _unit_at(text: str, end: int) -> bool:
    """Whether the name of a unit stands after a place."""
    match = _UNIT_WORDS.match(text, end)
    if match is None:
        return False
    known = names()
    pair = f"{match[1]} {match[2]}".lower() if match[2] else ""
    return match[1].lower() in known or match[1] in known or pair in known


_OF_NUMBER = re.compile(
    r" (?:of|von)(?: (?:about|around|some|nearly|rund|etwa))? (?=[$€£¥]?([0-9]|[A-Za-zäöüß]{2,20}))"
)


def _of_number(text: str, end: int) -> bool:
    """Whether a fraction is one of the number that follows: "two thirds of 9 million"."""
    match = _OF_NUMBER.match(text, end)
    if match is None or match[1].isdigit():
        return match is not None
    return any(
        (piece := _word_piece(match[1], number_words(language))) is not None
        and piece[0] in ("one", "ten", "compound", "mixed")
        for language in ("en", "de")
    )


def _fraction_end(text: str, run: _Run, end: int) -> int | None:
    """Where a fraction without a scale ends, or None where it is no number by itself."""
    article = _UNIT_ARTICLE.match(text, end)
    first, last = run.pieces[0], run.pieces[-1]
    if article is not None and _unit_at(text, article.end()):
        return article.end()
    if first.kind == "words":
        return None
    if len(run.pieces) == 1 and first.kind == "sign" and end - first.start == 1:
        return end
    if _unit_at(text, end) or text[end : end + 1] == "%":
        return end
    if first.kind == "sign":
        return end if _OF_WHAT.match(text, end) else None
    if first.kind == "mixed":
        return end if first.value >= 1 else None
    if first.kind == "article" and last.kind == "words":
        german = run.language == "de" and last.value < Fraction(1, 2)
        of = _OF_WHAT.match(text, end) is not None
        return end if german or of else None
    if run.language == "en" and last.value == Fraction(1, 4) and last.kind == "plural":
        return end if _OF_WHAT.match(text, end) else None
    return end if run.language == "de" or _WHOLE_WORD.match(text, end) else None


def _decimal(value: Fraction) -> Decimal:
    """A fraction as a decimal: exact where it ends, else to 28 digits."""
    bottom = value.denominator
    for prime in (2, 5):
        while bottom % prime == 0:
            bottom //= prime
    context = EXACT if bottom == 1 else Context(prec=28)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def _numeral(run: _Run, value: Fraction, fraction: Fraction, scale: Fraction, end: int) -> Numeral:
    first = run.pieces[0]
    digits = first.numeral
    exact = _decimal(value)
    if digits is not None and not fraction:
        power = EXACT.multiply(digits.scale, _decimal(scale))
        return Numeral(exact, end, digits.decimals, digits.significant, power, False, power)
    words = first.kind != "digits" and not (first.kind == "sign" and not first.language)
    if not fraction:
        return Numeral(
            exact, end, 0, significant_digits(exact, 0), Decimal(1), words, _decimal(scale)
        )
    decimals = {1: 0, 2: 1, 4: 2}.get(fraction.denominator, 1)
    coefficient = _decimal(value / scale)
    significant = len(str(int(coefficient * 10**decimals)))
    return Numeral(exact, end, decimals, significant, _decimal(scale), words, _decimal(scale))


def _read_in(text: str, position: int, language: str) -> Numeral | Unread | None:
    """Read the number that begins at a position in one language."""
    pieces = _pieces(text, position, language)
    if not pieces:
        return None
    run = _Run(text, pieces, language)
    read = run.whole_run()
    number_like = any(piece.kind in _LATE or piece.kind == "mixed" for piece in pieces[1:])
    begins = pieces[0].kind not in ("joint", "of", "vague", "point", "scale", "tied")
    if read is None:
        chained = begins and (number_like or pieces[0].kind == "unknown")
        return Unread(position, pieces[-1].end) if chained else None
    value, fraction, scale, after = read
    end = pieces[after - 1].end
    if value >= _LARGEST:
        return None
    beside = _beside(text, end, pieces, after)
    if beside or run.left_over(after):
        return Unread(position, max(beside, pieces[-1].end))
    if fraction and value < 1 and scale == 1:
        if _of_number(text, end):
            return Unread(position, end)
        alone = _fraction_end(text, _Run(text, pieces[:after], language), end)
        if alone is None:
            sign = pieces[0].kind == "sign"
            return Unread(position, end) if sign else None
        end = alone
    if pieces[0].kind == "scale" and after == 1 and position and text[position].isupper():
        return None  # a name
    if pieces[0].kind in ("one", "compound", "scale") and after == 1:
        word = spelling(text[position:end])
        if word in number_words(language).doubtful and language_of(text, position) != language:
            return None
    return _numeral(run, value, fraction, scale, end)


def _beside(text: str, end: int, pieces: Sequence[Piece], after: int) -> int:
    """Where the words end that take a number into an amount that is not read, or 0."""
    scales = number_words("en").scales
    for pattern in (_OR_SO, _APART):
        found = pattern.match(text, end)
        if found is not None and found[1].lower() in scales:
            return found.end()
    if pieces[after - 1].kind in ("one", "ten", "scale") and _ordinal_at(text, end):
        return _ORDINAL_GAP.match(text, end).end()  # type: ignore[union-attr]
    times = _POWERED.match(text, end) or _TIMES.match(text, end) or _BRACKETED.match(text, end)
    if times is not None:
        return times.end()
    lower = _LOWER.match(text, end) if pieces[after - 1].kind == "scale" else None
    if lower is None or pieces[0].kind != "digits":
        return 0
    smaller = 0 < scales.get(lower[1].lower(), 0) < pieces[after - 1].value
    return lower.end() if smaller else 0  # "3 million, 500 thousand"


_LOWER = re.compile(r", [0-9]{1,3} ([A-Za-z]{4,12})(?![A-Za-z])")


def _takes_part(text: str, position: int) -> bool:
    """Whether words before a number say a part or a multiple of it: "half of 3 million"."""
    before = text[max(0, position - 16) : position].lower().rstrip("$€£¥")
    if not before.endswith((" ", "之")) or before.endswith("  "):
        return False
    words = before.rstrip()
    if _word_after(text, position) in number_words("de").scales:
        if words.rpartition(" ")[2] in number_words("de").vague:
            return True
    for language in ("en", "de"):
        for phrase in number_words(language).parts:
            if words.endswith(phrase) and not words[: -len(phrase)][-1:].isalnum():
                return True
    return False


def read_amount(text: str, position: int) -> Numeral | Unread | None:
    """Read the whole number that begins at a position of a text that went through `plain`.

    Sign, currency and unit are not read.

    Returns:
        The number; the span of one that cannot be read as a whole; or None where none begins.
    """
    character = text[position : position + 1]
    if not character.isascii() and character not in _VULGAR and not character.isalpha():
        return None
    han = read_han_run(text, position, _VULGAR)
    if han is not None:
        if isinstance(han, tuple):
            return Unread(*han)
        return han
    if not character.isascii() and character not in _VULGAR:
        return None
    if character.isdigit() and _stands_alone(text, position):
        alone = digits_at(text, position)
        if alone is None:
            return None
        return _checked(text, position, alone)
    read = _read_latin(text, position)
    return Unread(position, _chain_end(text, read.end)) if isinstance(read, Unread) else read


_DIGIT_RUN = re.compile(r"[0-9]+(?:[.,'][0-9]+)*+(?![0-9eE/])(?![ \u00a0\u2009\u202f][0-9x×·*])")


@lru_cache(maxsize=4096)
def _number_like(word: str) -> bool:
    """Whether a word may belong to a number beside it, in any language."""
    return (
        len(word) == 1
        or word[0].isupper()
        or word.lower() in ("or", "over", "times", "mal")
        or word.lower() in number_words("en").ordinals
        or any(_word_piece(word, number_words(language)) for language in ("en", "de"))
    )


def _stands_alone(text: str, position: int) -> bool:
    """Whether nothing beside digits can belong to their number: most digits, told fast."""
    run = _DIGIT_RUN.match(text, position)
    return run is not None and _nothing_follows(text, run.end())


def _nothing_follows(text: str, end: int) -> bool:
    """Whether no piece of a number can stand after a place."""
    loose = _LOOSE.match(text, end)
    if loose is None or "(" in loose[0]:
        return False
    following = text[loose.end() : loose.end() + 1]
    if not following or following in ")|]:%$!?>=#@{}":
        return True
    if not following.isalpha() or ord(following) > 0x24F:
        return following in "€£¥°"
    word = _WORD.match(text, loose.end())
    return word is not None and not _number_like(word[0])


_CHAINED = frozenset(("scale", "sign", "unknown", "words", "plural", "mixed", "vague"))


def _chain_end(text: str, end: int) -> int:
    """Where the pieces end that stand beside an unread number."""
    for _ in range(_MOST_PIECES):
        tight, loose = _TIGHT.match(text, end), _LOOSE.match(text, end)
        following = [
            piece
            for glue in (tight, loose)
            for language in ("en", "de")
            if glue and (piece := _piece(text, glue.end(), language, None)) is not None
            if piece.kind in _CHAINED
        ]
        if not following:
            return end
        end = max(piece.end for piece in following)
    return end


def _read_latin(text: str, position: int) -> Numeral | Unread | None:
    """Read a number in digits or words, in the language that reads more of it."""
    english = _read_in(text, position, "en")
    if isinstance(english, Numeral) and _nothing_follows(text, english.end):
        words = text[position : english.end].lower()
        if "illion" not in words or words.endswith(("million", "millions")):
            return _checked(text, position, english)
    return _chosen(text, position, english, _read_in(text, position, "de"))


def _chosen(
    text: str, position: int, english: Numeral | Unread | None, german: Numeral | Unread | None
) -> Numeral | Unread | None:
    """Of two readings the one that reads more; of two values that of the text's language."""
    if english is None or german is None:
        chosen = english or german
    elif english.end != german.end:
        chosen = max(english, german, key=lambda one: one.end)
    elif isinstance(english, Unread) or isinstance(german, Unread):
        chosen = english if isinstance(german, Unread) else german
    elif english.value != german.value:
        word = _WORD.search(text, position)
        if word is not None and word[0].islower():
            chosen = english
        else:
            language = language_of(text, position)
            both = Unread(position, english.end)
            chosen = {"de": german, "both": both}.get(language, english)
    else:
        chosen = english
    return _checked(text, position, chosen) if isinstance(chosen, Numeral) else chosen


def _checked(text: str, position: int, numeral: Numeral) -> Numeral | Unread:
    """A number as the language beside it has it, unless a part or multiple of it is meant."""
    read = _in_convention(text, position, numeral)
    if isinstance(read, Numeral) and _takes_part(text, position):
        return Unread(position, read.end)
    return read


_ONE_MARK = re.compile(r"[1-9][0-9]{0,2}([.,])[0-9]{3}(?![0-9])(?![.,'][0-9])")
_NEXT_WORD = re.compile(r"[ \u00a0]?([A-Za-z€]+)")
_EURO = frozenset(("euro", "eur", "€", "franken"))


def _in_convention(text: str, position: int, numeral: Numeral) -> Numeral | Unread:
    """Read one mark before three digits as the language beside it has it.

    "1.500" is 1.5 in English and 1500 in German, "1,500" the other way round. What no language
    decides is English, and of euros unread.
    """
    mark = _ONE_MARK.match(text, position)
    if mark is None:
        return numeral
    word = _NEXT_WORD.match(text, mark.end())
    folded = spelling(word[1]) if word is not None else ""
    de, en = number_words("de"), number_words("en")
    scaled = folded in {*de.scales, *de.digit_scales} - {*en.scales, *en.digit_scales}
    language = language_of(text, position)
    if mark[1] == ",":
        if scaled:
            value = EXACT.divide(numeral.value, Decimal(1000))
            return replace(numeral, value=value, decimals=3)
        return Unread(position, numeral.end) if language == "de" else numeral
    if scaled or language == "de":
        value = EXACT.multiply(numeral.value, Decimal(1000))
        return replace(numeral, value=value, decimals=0)
    doubtful = language == "umlaut" or (folded in _EURO and language != "en")
    return Unread(position, numeral.end) if doubtful else numeral


_SIGN = re.compile(r"(?:([+-])|(minus|negative) |([负負]))", re.IGNORECASE)


def parse_number(text: str) -> Decimal | None:
    """Read a text that is one number and nothing else.

    Accepted are grouped digits, decimal marks, exponents, scale words and suffixes ("1.2
    million", "3k", "1.2万"), English words, Chinese numerals, full-width digits, minus signs of
    every kind, and accounting parentheses. A percent sign divides by 100.

    Returns:
        The exact value, or None where the text is something else: a unit or a noun beside the
        number, an ordinal, a version, or a mark that could be read in two ways and is not.
    """
    if len(text) > 200:
        return None
    rest = plain(text).strip()
    negative = False
    if rest.startswith("(") and rest.endswith(")"):
        negative, rest = True, rest[1:-1].strip()
    sign = _SIGN.match(rest)
    if sign is not None:
        if negative:
            return None
        negative = sign[1] != "+"
        rest = rest[sign.end() :].lstrip()
    percent = rest.startswith("百分之")
    if percent:
        rest = rest[3:]
    elif rest.endswith("%") or rest.lower().endswith((" percent", " per cent")):
        percent = True
        rest = rest.removesuffix("%") if rest.endswith("%") else rest[: rest.lower().rfind(" per")]
        rest = rest.rstrip()
    numeral = read_amount(rest, 0) if rest else None
    if not isinstance(numeral, Numeral) or numeral.end != len(rest):
        return None
    value = EXACT.divide(numeral.value, Decimal(100)) if percent else numeral.value
    return -value if negative else value
