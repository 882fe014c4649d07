"""One cell of a table as an exact number with what the cell itself says of its unit.

Grouping and decimal marks are read in one way per file, never guessed cell by cell: "1,234" is
1234 unless the mapping says that the comma is the decimal mark, and "12,5" is then no number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from groundwire.metrics.importing.unit_text import UnitText, read_scale, read_unit
from groundwire.quantities import parse_quantity, plain, sign_currencies

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
