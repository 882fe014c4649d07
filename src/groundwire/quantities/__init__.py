"""Numbers, scale words, units, dates and periods, in English, German and Chinese."""

from groundwire.quantities.amounts import parse_number
from groundwire.quantities.clock import ClockTime, find_clock_times, find_spoken_times
from groundwire.quantities.dates import DateMention, Grain, find_partial_dates
from groundwire.quantities.finder import (
    Quantity,
    find_quantities,
    find_units_of_head,
    parse_quantity,
)
from groundwire.quantities.number_runs import CLASSIFIER
from groundwire.quantities.numerals import plain, small_letters
from groundwire.quantities.period_grammar import (
    PeriodExpression,
    find_dates,
    find_periods,
    find_undated,
    read_day,
    read_period,
)
from groundwire.quantities.period_leftovers import find_time_words
from groundwire.quantities.period_meaning import PeriodReading
from groundwire.quantities.periods import (
    CALENDAR_YEAR,
    FiscalCalendar,
    Period,
    PeriodGrain,
    interval_period,
)
from groundwire.quantities.units import Unit, convert, resolve_unit, sign_currencies

__all__ = [
    "CALENDAR_YEAR",
    "CLASSIFIER",
    "ClockTime",
    "DateMention",
    "FiscalCalendar",
    "Grain",
    "Period",
    "PeriodExpression",
    "PeriodGrain",
    "PeriodReading",
    "Quantity",
    "Unit",
    "convert",
    "find_clock_times",
    "find_dates",
    "find_partial_dates",
    "find_periods",
    "find_quantities",
    "find_spoken_times",
    "find_time_words",
    "find_undated",
    "find_units_of_head",
    "interval_period",
    "parse_number",
    "parse_quantity",
    "plain",
    "read_day",
    "read_period",
    "resolve_unit",
    "sign_currencies",
    "small_letters",
]
