"""Units of measure and currencies: their names, and exact conversion within one dimension.

The units that are known are in `unit_table.toml`, one line each: `symbol; factor; names` in
English, Chinese and German. The factor leads to the base unit of the dimension and is exact; bases
are chosen so that every factor is a finite decimal (speed in km/h, temperature in degrees Rankine).
Names are singular; regular plurals are understood.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from importlib.resources import files

from groundwire.errors import InputError
from groundwire.quantities.numerals import EXACT, plain

_TABLES = tomllib.loads((files(__package__ or "") / "unit_table.toml").read_text("utf-8"))
_LINES: dict[str, list[str]] = _TABLES["lines"]
# A scale whose zero lies elsewhere adds this to a value before its factor.
_OFFSETS: dict[str, str] = _TABLES["offsets"]
_CURRENCIES: dict[str, str] = _TABLES["currencies"]
SIGNS: dict[str, tuple[str, ...]] = {sign: tuple(codes) for sign, codes in _TABLES["signs"].items()}
"""The currencies that a sign or short name may stand for, the likeliest first."""
_PENCE: str = _TABLES["parts"]["pence"]
_RESULT = Context(prec=28)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measure.

    Attributes:
        symbol: the canonical symbol: "km", "%", "USD".
        dimension: what it measures; units convert within it. Each currency is its own.
        factor: one of this unit in the dimension's base unit.
        offset: what is added to a value before the factor applies (temperatures).
    """

    symbol: str
    dimension: str
    factor: Decimal
    offset: Decimal = Decimal(0)

    def to_base(self, value: Decimal) -> Decimal:
        """Express a value of this unit in the dimension's base unit, exactly."""
        if self.offset:
            value = EXACT.add(value, self.offset)
        return EXACT.multiply(value, self.factor)


@cache
def _symbols() -> dict[str, Unit]:
    """Units by canonical symbol."""
    units: dict[str, Unit] = {}
    for dimension, lines in _LINES.items():
        for line in lines:
            symbol, factor, _ = (part.strip() for part in line.split(";"))
            offset = Decimal(_OFFSETS.get(symbol, 0))
            units[symbol] = Unit(symbol, dimension, Decimal(factor), offset)
    for code in _CURRENCIES:
        units[code] = Unit(code, f"currency {code}", Decimal(1))
    units["pence"] = Unit("pence", "currency GBP", Decimal("0.01"))
    return units


@cache
def names() -> dict[str, Unit]:
    """Units by every name: symbols as they are, words of three letters or more in lower case."""
    units = _symbols()
    named: dict[str, Unit] = dict(units)
    listed = [
        (line.partition(";")[0].strip(), line.rpartition(";")[2])
        for lines in _LINES.values()
        for line in lines
    ]
    listed += [*_CURRENCIES.items(), ("pence", _PENCE)]
    for symbol, aliases in listed:
        for alias in (name.strip() for name in aliases.split(",")):
            for name in _forms(alias):
                named.setdefault(name, units[symbol])
    for sign, codes in SIGNS.items():
        named.setdefault(sign, units[codes[0]])
    for symbol, unit in units.items():
        if len(symbol) > 1:
            named.setdefault(symbol.lower(), unit)
    del named["try"]  # the verb; the lira is written TRY
    return named


def _forms(alias: str) -> tuple[str, ...]:
    """A name with its regular plurals ("kilometre per hour", "kilometres per hour").

    A German adjective in it has its other endings, too: "australischen Dollar".
    """
    if "ische " in alias:
        return tuple(alias.replace("ische ", f"{end} ") for end in ("ische", "ischen", "ischer"))
    if not alias.isascii() or len(alias) < 3 or not alias.replace(" ", "").isalpha():
        return (alias,)
    head, joint, tail = alias.lower().partition(" per ")
    if head.endswith("s"):
        return (alias, alias.lower())
    return (alias, alias.lower(), f"{head}s{joint}{tail}")


def resolve_unit(text: str) -> Unit | None:
    """Find the unit that a symbol, word, currency code or sign names.

    Symbols are read as they are written ("MB" is megabyte, "Mb" megabit), words in any case and
    number. A sign that several currencies share stands for the likeliest; `sign_currencies`
    gives all.

    Returns:
        The unit, or None where the text names none.
    """
    name = " ".join(plain(text).split())
    return names().get(name) or names().get(name.lower())


def sign_currencies(text: str) -> tuple[str, ...]:
    """The currency codes that a written sign or short name may stand for, or none."""
    sign = plain(text).strip()
    return SIGNS.get(sign) or SIGNS.get(sign.lower().removesuffix("s"), ())


def convert(value: Decimal, from_unit: str | Unit, to_unit: str | Unit) -> Decimal:
    """Convert a value between two units of one dimension.

    Args:
        value: the value in the first unit.
        from_unit: unit, or any of its names.
        to_unit: unit, or any of its names.

    Returns:
        The exact value where it is a finite decimal of 28 digits or fewer, else rounded to 28.

    Raises:
        InputError: a unit is unknown, or the two measure different things; two currencies
            always do.
    """
    source, target = _known(from_unit), _known(to_unit)
    if source.dimension != target.dimension:
        raise InputError(
            f"{source.symbol} ({source.dimension}) does not convert to {target.symbol} "
            f"({target.dimension}): ask in a unit of the same dimension"
        )
    if source == target:
        return value
    scaled = _RESULT.divide(source.to_base(value), target.factor)
    result = _RESULT.subtract(scaled, target.offset)
    return result if not result else _RESULT.create_decimal(format(result.normalize(), "f"))


def _known(unit: str | Unit) -> Unit:
    if isinstance(unit, Unit):
        return unit
    found = resolve_unit(unit)
    if found is None:
        raise InputError(f"unknown unit {unit!r}: send a symbol or name such as km, kg, % or USD")
    return found
