"""Unit texts of files: "million USD", "US$ bn", 万元, '000, people.

A unit text is a power of ten and a symbol. Values are moved by the power, so that a scale word is
applied exactly and never leaves the store as a part of a unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from groundwire.quantities import plain, resolve_unit, sign_currencies
from groundwire.vocabulary import fold


@dataclass(frozen=True, slots=True)
class UnitText:
    """A unit as a file writes it.

    Attributes:
        exponent: power of ten of its scale word, 0 without one.
        symbol: canonical symbol, a folded word where no unit is known by it, or "".
        currencies: the currencies that its sign or short name may stand for, when several.
        raw: as it was written.
    """

    exponent: int
    symbol: str
    currencies: tuple[str, ...]
    raw: str


class UnitConflict(ValueError):
    """Two statements of one value's unit or scale contradict each other; the message says how."""


# Scale words of file headings and unit columns; the powers of ten are those of
# `quantities.numerals` and `quantities.chinese`, with the short forms of financial tables.
_LATIN_SCALES = {
    **dict.fromkeys(("hundred", "hundreds"), 2),
    **dict.fromkeys(
        (
            "thousand",
            "thousands",
            "k",
            "000",
            "000s",
            "'000",
            "'000s",
            "tsd",
            "tsd.",
            "tausend",
        ),
        3,
    ),
    **dict.fromkeys(("lakh", "lakhs"), 5),
    **dict.fromkeys(("million", "millions", "mn", "mln", "mio", "mio.", "mm", "millionen"), 6),
    **dict.fromkeys(("crore", "crores"), 7),
    **dict.fromkeys(("billion", "billions", "bn", "bln", "mrd", "mrd.", "milliarden"), 9),
    **dict.fromkeys(("trillion", "trillions", "tn", "trn"), 12),
}
_AFTER_CURRENCY = {"m": 6, "b": 9}
_HAN_SCALES = {
    "十": 1, "百": 2, "千": 3, "万": 4, "萬": 4, "十万": 5, "百万": 6, "百萬": 6, "千万": 7,
    "千萬": 7, "亿": 8, "億": 8, "十亿": 9, "十億": 9, "百亿": 10, "千亿": 11, "万亿": 12,
    "萬億": 12, "兆": 12,
}  # fmt: skip
_HAN_PREFIX = re.compile("|".join(sorted(_HAN_SCALES, key=len, reverse=True)))
_GLUED = re.compile(
    r"([^\sA-Za-z0-9']*[$€£¥₩₹₽]|[A-Za-z]{0,2}\$|[A-Z]{3})[ ]?('?[A-Za-z0-9.]{1,9})"
)
_FILLER = re.compile(r"^(?:in|unit|units|单位)\b[:：]? *|^(?:单位)[:：]? *|^of +", re.IGNORECASE)

# Words for things that are counted, which are no units of measure but name one another.
_COUNTED = {
    fold(word): name
    for name, words in {
        "people": "people person persons inhabitants residents 人 名 口 人口",
        "shares": "shares share 股",
        "households": "households household 户",
        "employees": "employees employee 员工 mitarbeiter mitarbeitende",
    }.items()
    for word in words.split()
}


# A scale in digits: "in 1.000", "1,000,000".
_WRITTEN_SCALE = re.compile(r"1(?:[.,' ]?000){1,3}")

# Words for bare numbers.
_BARE = frozenset(("pure", "anzahl", "stück", "#"))


def read_scale(text: str) -> int | None:
    """The power of ten that a scale word names ("thousand", "mn", 万), or None."""
    word = plain(text).strip()
    if word in _HAN_SCALES:
        return _HAN_SCALES[word]
    return _LATIN_SCALES.get(word.lower(), _AFTER_CURRENCY.get(word.lower()))


@lru_cache(4096)
def read_unit(text: str) -> UnitText:
    """Read a unit text. What names no known unit is a unit of its own, by its folded words."""
    flat = unit_words(text)
    if not flat:
        return UnitText(0, "", (), text)
    written = _WRITTEN_SCALE.fullmatch(flat)
    if written is not None:
        return UnitText(sum(digit == "0" for digit in flat), "", (), text)
    if resolve_unit(flat) is None:
        scaled = _scaled(flat)
        if scaled is not None:
            exponent, rest = scaled
            return UnitText(exponent, _symbol(rest), _several(rest), text)
    return UnitText(0, _symbol(flat), _several(flat), text)


def unit_words(text: str) -> str:
    """A unit text without brackets and without "in", "units" or 单位 in front of it."""
    flat = " ".join(plain(text).split()).strip("()[]（） ")
    return _FILLER.sub("", flat)


def _scaled(flat: str) -> tuple[int, str] | None:
    """The power of ten of a scale word at either end, and what is left."""
    first, _, after = flat.partition(" ")
    before, _, last = flat.rpartition(" ")
    if first.lower() in _LATIN_SCALES:
        return _LATIN_SCALES[first.lower()], _FILLER.sub("", after.strip())
    if before and last.lower() in _LATIN_SCALES:
        return _LATIN_SCALES[last.lower()], before.strip(" ,in")
    han = _HAN_PREFIX.match(flat)
    if han is not None:
        return _HAN_SCALES[han[0]], flat[han.end() :].strip()
    before_sign = _SCALED_CURRENCY.fullmatch(flat)
    if before_sign is not None:
        return _BEFORE_CURRENCY[before_sign[1]], before_sign[2]
    glued = _GLUED.fullmatch(flat)
    if glued is not None:
        exponent = read_scale(glued[2])
        if exponent is not None and resolve_unit(glued[1]) is not None:
            return exponent, glued[1]
    return None


# k€, TEUR, M$: a scale before the sign or code of a currency.
_SCALED_CURRENCY = re.compile(r"([kKTMm])([€$£¥]|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK)")
_BEFORE_CURRENCY = {"k": 3, "K": 3, "T": 3, "M": 6, "m": 6}


def _symbol(text: str) -> str:
    if not text or text.lower() in _BARE:
        return ""
    unit = resolve_unit(text) or resolve_unit(
        " ".join(word.removesuffix("s") for word in text.split())  # pounds sterling, Swiss francs
    )
    if unit is not None:
        return unit.symbol
    return _COUNTED.get(fold(text), text)


def _several(text: str) -> tuple[str, ...]:
    currencies = sign_currencies(text)
    return currencies if len(currencies) > 1 else ()


def same_unit(one: UnitText, other: UnitText) -> bool:
    """Whether two unit texts may name one unit, their scale words aside."""
    if one.symbol == other.symbol or fold(one.symbol) == fold(other.symbol):
        return True
    return other.symbol in one.currencies or one.symbol in other.currencies


def settle(wanted: str, stated: Sequence[UnitText]) -> tuple[int, str]:
    """Bring the statements on a value's unit together with the unit of its metric.

    Args:
        wanted: unit of the metric in the profile, or "".
        stated: everything that the file and its mapping say of the value's unit and scale.

    Returns:
        The power of ten that brings the number into the unit, and the unit.

    Raises:
        UnitConflict: two statements contradict each other, a sign may stand for several
            currencies, or the conversion is not a power of ten.
    """
    target = read_unit(wanted)
    said = [one for one in stated if one.symbol or one.exponent]
    scales = {one.exponent for one in said if one.exponent}
    if len(scales) > 1:
        shown = " and ".join(repr(one.raw) for one in said if one.exponent)
        raise UnitConflict(f"two scales for one value, {shown}: keep one of them")
    exponent = scales.pop() if scales else 0
    named = [one for one in said if one.symbol]
    if not named:
        return (exponent if said else target.exponent), target.symbol
    certain = next((one for one in named if not one.currencies), named[0])
    for one in named:
        if not same_unit(one, certain):
            raise UnitConflict(f"two units for one value, {certain.raw!r} and {one.raw!r}")
    if not target.symbol:
        if certain.currencies:
            known = ", ".join(certain.currencies)
            raise UnitConflict(
                f"{certain.raw!r} may stand for {known}: name the unit of the metric in the profile"
            )
        return exponent, certain.symbol
    if same_unit(certain, target):
        return exponent, target.symbol
    return exponent + _power(certain, target), target.symbol


def _power(source: UnitText, target: UnitText) -> int:
    """The power of ten between two units of one dimension."""
    one, other = resolve_unit(source.symbol), resolve_unit(target.symbol)
    if one is not None and other is not None and one.dimension == other.dimension:
        factor = (one.factor / other.factor).normalize() if not one.offset else Decimal(0)
        if not other.offset and factor.as_tuple().digits == (1,):
            return factor.adjusted()
    raise UnitConflict(
        f"the unit is {source.raw!r}, that of the metric is {target.raw!r}: "
        "change the unit in the profile, or convert the file"
    )
