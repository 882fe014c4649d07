"""Numbers, scale words, units and dates, in English and Chinese."""

from groundwire.quantities.dates import DateMention, Grain, find_dates, find_partial_dates
from groundwire.quantities.finder import Quantity, find_quantities, parse_quantity
from groundwire.quantities.numerals import parse_number, plain
from groundwire.quantities.units import Unit, convert, resolve_unit, sign_currencies

__all__ = [
    "DateMention",
    "Grain",
    "Quantity",
    "Unit",
    "convert",
    "find_dates",
    "find_partial_dates",
    "find_quantities",
    "parse_number",
    "parse_quantity",
    "plain",
    "resolve_unit",
    "sign_currencies",
]
