"""Numbers read from all of their pieces: digits, fractions, words and scales of en, de and zh.

The pieces that stand beside each other are one run: "two and three quarter million", "1 1/2
trillion", "zweieinhalb Mio.", "1.5万亿". A run is read as a whole, or it is unread as a whole: a
fraction or a scale that cannot be joined to the number beside it never leaves a part to be read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.quantities.chinese import read_han_run
from groundwire.quantities.number_pieces import (
    LATE,
    LOOSE,
    MOST_PIECES,
    TIGHT,
    VULGAR,
    WORD,
    Piece,
    piece_at,
    pieces_from,
    word_after,
    word_piece,
)
from groundwire.quantities.number_runs import ORDINAL_GAP, Run, ordinal_at, unit_at
from groundwire.quantities.numerals import (
    EXACT,
    Numeral,
    digits_at,
    exact_decimal,
    language_of,
    number_words,
    plain,
    significant_digits,
    spelling,
)


class Unread(NamedTuple):
    """A span in which a number stands that cannot be read as a whole."""

    start: int
    end: int


_LARGEST = Fraction(10**40)
_OR_SO = re.compile(r" or so ([a-z]{1,12})", re.IGNORECASE)
_APART = re.compile(r" [A-Z][A-Za-z.]{0,9} ([a-z]{4,12})")
_TIMES = re.compile(r" ?(?:times|mal) (?:[0-9]|a |one|two|three)", re.IGNORECASE)
_OF_WHAT = re.compile(r" of (?:an?|the|all|its|our|their|his|her|these|those|total|every)\b")
_WHOLE_WORD = re.compile(r"(?!-?[A-Za-z])(?! (?!of\b|and\b|or\b|to\b|in\b|is\b|was\b)[A-Za-z])")
_POWERED = re.compile(
    r"(?:\^|\*\*)[+-]{0,2}[0-9]{1,6}|，[0-9]{3}(?![0-9])"
    r"| over (?:[0-9]{1,3}(?![0-9])|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty)\b)"
)


_BRACKETED = re.compile(r" ?\((?:and|und|plus) [a-z0-9 ]{1,24}\)", re.IGNORECASE)
_UNIT_ARTICLE = re.compile(r"(?: of)? an?(?=[ -])", re.IGNORECASE)


_OF_NUMBER = re.compile(
    r" (?:of|von)(?: (?:about|around|some|nearly|rund|etwa))? (?=[$€£¥]?([0-9]|[A-Za-zäöüß]{2,20}))"
)


def _of_number(text: str, end: int) -> bool:
    """Whether a fraction is one of the number that follows: "two thirds of 9 million"."""
    match = _OF_NUMBER.match(text, end)
    if match is None or match[1].isdigit():
        return match is not None
    return any(
        (piece := word_piece(match[1], language)) is not None
        and piece[0] in ("one", "ten", "compound", "mixed")
        for language in ("en", "de")
    )


def _fraction_end(text: str, run: Run, end: int) -> int | None:
    """Return where a fraction without a scale ends, or None where it is not a number by itself."""
    article = _UNIT_ARTICLE.match(text, end)
    first, last = run.pieces[0], run.pieces[-1]
    if article is not None and unit_at(text, article.end()):
        return article.end()
    if first.kind == "words":
        return None
    if len(run.pieces) == 1 and first.kind == "sign" and end - first.start == 1:
        return end
    if unit_at(text, end) or text[end : end + 1] == "%":
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


def _numeral(run: Run, value: Fraction, fraction: Fraction, scale: Fraction, end: int) -> Numeral:
    first = run.pieces[0]
    digits = first.numeral
    exact = exact_decimal(value)
    if digits is not None and not fraction:
        power = EXACT.multiply(digits.scale, exact_decimal(scale))
        return Numeral(exact, end, digits.decimals, digits.significant, power, False, power)
    words = first.kind != "digits" and not (first.kind == "sign" and not first.language)
    if first.kind == "compound" and not fraction:
        fraction = first.value % 1
    if not fraction:
        return Numeral(
            exact, end, 0, significant_digits(exact, 0), Decimal(1), words, exact_decimal(scale)
        )
    decimals = {1: 0, 2: 1, 4: 2}.get(fraction.denominator, 1)
    coefficient = exact_decimal(value / scale)
    significant = len(str(int(coefficient * 10**decimals)))
    return Numeral(
        exact, end, decimals, significant, exact_decimal(scale), words, exact_decimal(scale),
        fraction.denominator,
    )  # fmt: skip


def _read_in(text: str, position: int, language: str) -> Numeral | Unread | None:
    """Read the number that begins at a position in one language."""
    pieces = pieces_from(text, position, language)
    if not pieces:
        return None
    run = Run(text, pieces, language)
    read = run.whole_run()
    number_like = any(piece.kind in LATE or piece.kind == "mixed" for piece in pieces[1:])
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
        alone = _fraction_end(text, Run(text, pieces[:after], language), end)
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
    order = ORDINAL_GAP.match(text, end)
    if order and pieces[after - 1].kind in ("one", "ten", "scale") and ordinal_at(text, end):
        return order.end()
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
    scale = word_after(text, position) in number_words("de").scales
    if scale and words.rpartition(" ")[2] in number_words("de").vague:
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
    if not character.isascii() and character not in VULGAR and not character.isalpha():
        return None
    han = read_han_run(text, position, VULGAR)
    if han is not None:
        if isinstance(han, tuple):
            return Unread(*han)
        return han
    if not character.isascii() and character not in VULGAR:
        return None
    if character.isdigit() and _stands_alone(text, position):
        alone = digits_at(text, position)
        if alone is None:
            return None
        return _checked(text, position, alone)
    read = _read_latin(text, position)
    return Unread(position, _chain_end(text, read.end)) if isinstance(read, Unread) else read


_DIGIT_RUN = re.compile(
    r"[0-9]+(?:[.,'][0-9]+)*+(?![0-9eE/])"
    r"(?![ \u00a0\u2009\u202f]{1,3}(?:[x×·*]|[0-9]{3}(?![0-9])|[0-9]{1,9} ?/))"
)
_DIGIT_APART = re.compile(r"[ \u00a0\u2009\u202f,;(-]{1,4}[0-9]{1,9}(?![0-9/]| /)")


@lru_cache(maxsize=4096)
def _number_like(word: str) -> bool:
    """Whether a word may belong to a number beside it, in any language."""
    return (
        len(word) == 1
        or word[0].isupper()
        or word.lower() in ("or", "over", "times", "mal")
        or word.lower() in number_words("en").ordinals
        or any(word_piece(word, language) for language in ("en", "de"))
    )


def _stands_alone(text: str, position: int) -> bool:
    """Whether nothing beside digits can belong to their number: most digits, told fast."""
    run = _DIGIT_RUN.match(text, position)
    if run is None:
        return False
    end = run.end()
    return _DIGIT_APART.match(text, end) is not None or _nothing_follows(text, end)


def _nothing_follows(text: str, end: int) -> bool:
    """Whether no piece of a number can stand after a place."""
    loose = LOOSE.match(text, end)
    if loose is None or "(" in loose[0]:
        return False
    following = text[loose.end() : loose.end() + 1]
    if not following or following in ")|]:%$!?>=#@{}":
        return True
    if not following.isalpha() or ord(following) > 0x24F:
        return following in "€£¥°"
    word = WORD.match(text, loose.end())
    return word is not None and not _number_like(word[0])


_CHAINED = frozenset(
    ("one", "ten", "compound", "scale", "sign", "unknown", "words", "plural", "mixed", "vague")
)


def _chain_end(text: str, end: int) -> int:
    """Where the pieces end that stand beside an unread number."""
    for _ in range(MOST_PIECES):
        tight, loose = TIGHT.match(text, end), LOOSE.match(text, end)
        following = [
            piece
            for glue in (tight, loose)
            for language in ("en", "de")
            if glue and (piece := piece_at(text, glue.end(), language, None)) is not None
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
        word = WORD.search(text, position)
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
    decides is English, and of euros unread. A comma is decimal where the other figures of the
    text have decimal commas: "11,075 km und 6,75 km".
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
        if scaled or (language != "en" and _has_decimal_commas(text)):
            value = EXACT.divide(numeral.value, Decimal(1000))
            return replace(numeral, value=value, decimals=3)
        return Unread(position, numeral.end) if language == "de" else numeral
    if scaled or language == "de":
        value = EXACT.multiply(numeral.value, Decimal(1000))
        return replace(numeral, value=value, decimals=0)
    doubtful = language == "umlaut" or (folded in _EURO and language != "en")
    return Unread(position, numeral.end) if doubtful else numeral


_HAN = re.compile("[\u3400-\u9fff]")
_DECIMAL_COMMA = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,3},[0-9]{1,2}(?![0-9,])(?!\.[0-9])|[0-9]{1,3}(?:\.[0-9]{3}){2})"
)
_DECIMAL_POINT = re.compile(
    r"(?<![0-9.,])(?:[0-9]{1,3}\.[0-9]{1,2}(?![0-9.])(?!,[0-9])|[0-9]{1,3}(?:,[0-9]{3}){2})"
)


@lru_cache(maxsize=8)
def _has_decimal_commas(text: str) -> bool:
    """Whether figures of a text have decimal commas, and none has a decimal point."""
    shown = _DECIMAL_COMMA.search(text)
    return shown is not None and not _DECIMAL_POINT.search(text) and not _HAN.search(text)


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
