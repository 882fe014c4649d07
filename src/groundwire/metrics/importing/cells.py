"""One cell of a table as an exact number with its unit, and the unit texts of files.

A unit text is a power of ten and a symbol. Values are moved by the power, so that a scale word is
applied exactly and never leaves the store as a part of a unit.

Grouping and decimal marks are read in one way per file, never guessed cell by cell: "1,234" is
1234 unless the mapping says that the comma is the decimal mark, and "12,5" is then no number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from groundwire.quantities import parse_quantity, plain, resolve_unit, sign_currencies
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


_LONGEST = 80
_MOST_DIGITS = 40
_MOST_EXPONENT = 30

PLAIN = re.compile(r"-?(?:0|[1-9][0-9]{0,39})(?:\.([0-9]{1,30}))?", re.ASCII)
"""A number as the store would print it; group 1 holds its decimals."""

_SCIENTIFIC = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?", re.ASCII)
_RUN = re.compile(r"[0-9](?:[0-9]|[.,'\u2019 \u00a0\u2009\u202f](?=[0-9]))*", re.ASCII)
_GROUP = "['\u2019 \u00a0\u2009\u202f]"
_DOT = re.compile(
    rf"(?:[0-9]+|[0-9]{{1,3}}(?:(?:,[0-9]{{3}})+|(?:{_GROUP}[0-9]{{3}})+)"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})(?:\.[0-9]+)?"
)
_COMMA = re.compile(
    rf"(?:[0-9]+|[0-9]{{1,3}}(?:(?:\.[0-9]{{3}})+|(?:{_GROUP}[0-9]{{3}})+))(?:,[0-9]+)?"
)
_MARKS = re.compile(r"[^0-9.,]")
# (1,234), $(1,234) and (12)%.
_BRACKETS = re.compile(r"([A-Z]{0,3}[$€£¥]?) ?\(([^()]+)\) ?(%?)")
_BEFORE = re.compile(r"(?:(?P<sign>[+-])|(?P<word>minus |negative |[负負])) *", re.IGNORECASE)
_ERRORS = frozenset(
    {"#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#SPILL!", "#CALC!"}
)
_NO_NUMBERS = frozenset({"nan", "inf", "infinity", "true", "false"})


class Amount(NamedTuple):
    """A cell that is a number.

    Attributes:
        mantissa, exponent: the value is mantissa * 10 ** exponent.
        unit: what the cell says of its unit, or None. Its scale word is applied already; its
            exponent is kept to be compared with what else names a scale.
        raw: the cell as it was written, where that is not the plain text of the value.
    """

    mantissa: int
    exponent: int
    unit: UnitText | None
    raw: str | None


class BadCell(ValueError):
    """A cell that cannot be used; the message says why."""


def read_amount(cell: str, decimal_comma: bool = False) -> Amount:
    """Read a cell that must be one number.

    Read are sign, accounting parentheses, grouped digits, exponents, scale words, percents,
    currencies, units and Chinese numerals.

    Args:
        cell: the text of the cell.
        decimal_comma: whether the comma is the decimal mark of the file.

    Raises:
        BadCell: it is not a number, or could be read in two ways.
    """
    text = cell.strip()
    if not decimal_comma and (match := PLAIN.fullmatch(text)) is not None:
        decimals = match[1]
        raw = None if text == cell else cell
        if decimals is None:
            return Amount(int(text), 0, None, raw)
        return Amount(int(text.replace(".", "")), -len(decimals), None, raw)
    if len(text) > _LONGEST:
        raise BadCell(f"the cell holds {len(text)} characters, no number")
    _refuse(text)
    exact = None if decimal_comma and "." in text else _SCIENTIFIC.fullmatch(text)
    if exact is not None:
        return _scientific(exact, cell)
    return _written(text, cell, decimal_comma)


def _refuse(text: str) -> None:
    """Refuse what looks like a value and is none."""
    if text.upper() in _ERRORS:
        raise BadCell(f"the cell is the spreadsheet error {text}")
    if text.startswith("=") or (text[:1] in "+-@" and any(c in text for c in "(!|")):
        raise BadCell("the cell is a formula: save the file with its values")
    if text.lower().lstrip("+-") in _NO_NUMBERS:
        raise BadCell(f"{text} is no number")


def _scientific(match: re.Match[str], cell: str) -> Amount:
    """Digits with a leading zero, a plus or an exponent, exactly."""
    sign, whole, decimals, power = match.groups()
    decimals = decimals or ""
    exponent = int(power or 0)
    if len(whole) + len(decimals) > _MOST_DIGITS or abs(exponent) > _MOST_EXPONENT:
        raise BadCell(
            f"a number has at most {_MOST_DIGITS} digits and an exponent up to {_MOST_EXPONENT}"
        )
    mantissa = int(whole + decimals)
    return Amount(-mantissa if sign == "-" else mantissa, exponent - len(decimals), None, cell)


def _written(text: str, cell: str, decimal_comma: bool) -> Amount:
    """Read a number as people write it."""
    rest = plain(text).strip()
    negative = False
    brackets = _BRACKETS.fullmatch(rest)
    if brackets is not None:
        negative, rest = True, brackets[1] + brackets[2].strip() + brackets[3]
    elif rest[-1:] in "-\u2212" and rest[-2:-1].isdigit():
        # 1,234- as accounting systems print it.
        negative, rest = True, rest[:-1]
    sign = _BEFORE.match(rest)
    if sign is not None:
        if negative:
            raise BadCell("a sign within parentheses: which of the two makes it negative?")
        negative, rest = sign["sign"] != "+", rest[sign.end() :]
    rest, is_digits = _one_mark(rest, decimal_comma)
    quantity = parse_quantity(rest)
    unit: UnitText | None = None
    if quantity is not None and not (quantity.unit is None and "%" in rest):
        value, scale = quantity.value, quantity.scale
        if quantity.unit is not None:
            sign_text = quantity.unit_text if sign_currencies(quantity.unit_text) else ""
            unit = read_unit(sign_text or quantity.unit)
    elif is_digits:
        value, scale, unit = _with_words(rest)
    else:
        raise BadCell(f"{_short(cell)} is no number")
    if value < 0 and sign is not None:
        raise BadCell(f"{_short(cell)} has two signs")
    return _amount(-value if negative else value, scale, unit, cell)


def _one_mark(rest: str, decimal_comma: bool) -> tuple[str, bool]:
    """The text with its digits ungrouped and a dot as the decimal mark; whether it has digits."""
    run = _RUN.search(rest)
    if run is None:
        return rest, False
    form = _COMMA if decimal_comma else _DOT
    if form.fullmatch(run[0]) is None:
        hint = "false" if decimal_comma else "true"
        raise BadCell(
            f"{_short(run[0])} does not group its digits in threes: is it a date or code, or "
            f"should values.decimal_comma be {hint}?"
        )
    digits = _MARKS.sub("", run[0])
    digits = digits.replace(".", "").replace(",", ".") if decimal_comma else digits.replace(",", "")
    return rest[: run.start()] + digits + rest[run.end() :], True


def _with_words(rest: str) -> tuple[Decimal, Decimal, UnitText]:
    """Read a number followed by a counted noun: "12 people", 3.5万人."""
    match = re.match(r"([0-9]+(?:\.[0-9]+)?) ?([^0-9]+)$", rest)
    if match is None:
        raise BadCell(f"{_short(rest)} is no number")
    words = match[2].strip()
    unit = read_unit(words)
    if not unit.symbol or any(c in words for c in "[]*†‡#"):
        scale = read_scale(words)
        if scale is None:
            raise BadCell(f"{_short(rest)} is no number")
    power = Decimal(1).scaleb(unit.exponent)
    return Decimal(match[1]) * power, power, unit


def _amount(value: Decimal, scale: Decimal, unit: UnitText | None, cell: str) -> Amount:
    if scale != 1:
        value = value.normalize()
        shift = scale.adjusted()
        symbol = unit.symbol if unit else ""
        currencies = unit.currencies if unit else ()
        unit = UnitText(shift, symbol, currencies, cell.strip())
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise BadCell(f"{_short(cell)} is no number")
    mantissa = int("".join(map(str, digits)))
    return Amount(-mantissa if sign else mantissa, exponent, unit, cell)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
