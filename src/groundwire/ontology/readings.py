"""Reading a sent value as a value of a property: by datatype, declared and observed.

Source: specs/ontology.md, "Slots to answer", 2 and 5.
"""

from __future__ import annotations

import json
import re
from datetime import date
from decimal import Context, Decimal
from typing import Literal, NamedTuple

from groundwire.errors import InputError
from groundwire.graph.terms import XSD
from groundwire.ontology.conditions import Range, Scalar
from groundwire.ontology.index.model import Property
from groundwire.ontology.observed import NUMERIC, TEMPORAL, Kind, ObservedValues
from groundwire.ontology.plan import Bounds
from groundwire.quantities import Quantity, convert, find_dates, parse_quantity, resolve_unit
from groundwire.quantities.units import Unit

_MAX_DIGITS = 40
# Digits of a converted number: more than any amount is measured with.
_CONVERTED = Context(prec=18)
# The first and the last moment of a day: a bound there is a bound of the day.
_MIDNIGHT = re.compile(r"[T ]00:00(:00(\.0+)?)?(Z|[+-]\d\d:?\d\d)?")
_DAYS_END = re.compile(r"[T ]23:59(:59(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")


class Unreadable(NamedTuple):
    """A value that is none of the property's datatype.

    Attributes:
        reason: why, in the words of a gap.
        detail: one line that says what to send instead.
        suggestions: values that may be sent in its place.
    """

    reason: Literal["unmapped", "unsupported"]
    detail: str
    suggestions: tuple[str, ...] = ()


class Reading(NamedTuple):
    """A value or range that was read.

    Attributes:
        bounds: its limits; equal ones for a single value.
        converted: what was used, where a unit or a form was changed; else None.
        replaced: the one bound that was converted as it was sent, or None where both or none were.
    """

    bounds: Bounds
    converted: str | None = None
    replaced: str | None = None


def kind_of_range(kind: Kind, observed: ObservedValues) -> Kind:
    """How bounds are compared: where texts are declared and numbers or dates stored, as those."""
    stored = set(observed.datatypes)
    if kind == "term" and stored & NUMERIC and not stored & TEMPORAL:
        return "number"
    return "date" if kind == "term" and stored & TEMPORAL and not stored & NUMERIC else kind


def read_range(
    sent: Range, kind: Kind, prop: Property, observed: ObservedValues
) -> Reading | Unreadable:
    """Read bounds for a property of kind number or date; a suggestion is a range as JSON."""
    readings: list[Reading | Unreadable | None] = []
    sent_bounds = (sent.lower, sent.upper)
    if kind == "date":
        sent_bounds = (
            _of_day(sent.lower, _DAYS_END if sent.lower_open else _MIDNIGHT),
            _of_day(sent.upper, _MIDNIGHT if sent.upper_open else _DAYS_END),
        )
    for bound in sent_bounds:
        readings.append(None if bound is None else read_scalar(bound, kind, prop, observed))
    lower, upper = readings
    if isinstance(lower, Unreadable) or isinstance(upper, Unreadable):
        return _unreadable_range(sent, lower, upper)
    # A date such as "2024" is an interval: above it means after its end.
    low = lower and (lower.bounds.upper if sent.lower_open else lower.bounds.lower)
    high = upper and (upper.bounds.lower if sent.upper_open else upper.bounds.upper)
    temporal = kind == "date"
    if low and high and (low > high if temporal else Decimal(low) > Decimal(high)):
        return Unreadable("unsupported", f"{low} is above {high}: send the lower bound as min")
    bounds = Bounds(
        low or None,
        high or None,
        sent.lower_open and low is not None,
        sent.upper_open and high is not None,
        temporal,
        _needs_cast(kind, observed),
    )
    changed = [
        (str(bound), used)
        for bound, reading, used in ((sent.lower, lower, low), (sent.upper, upper, high))
        if reading and reading.converted
    ]
    if len(set(changed)) == 1:
        return Reading(bounds, changed[0][1], changed[0][0])
    return Reading(bounds, str(bounds) if changed else None)


def bounds_of(sent: Range, kind: Kind, unit: str | None = None) -> Bounds | Unreadable:
    """Bounds as numbers in a unit, or as dates, of a property of which no more is known."""
    prop = Property("", "", "", (), unit=unit)
    read = read_range(sent, kind, prop, ObservedValues())
    return read if isinstance(read, Unreadable) else read.bounds


def _unreadable_range(
    sent: Range, lower: Reading | Unreadable | None, upper: Reading | Unreadable | None
) -> Unreadable:
    """The problem of a bound; its suggestion is the whole range, lest the other bound be lost."""
    names = ("gt" if sent.lower_open else "min", "lt" if sent.upper_open else "max")
    problems: list[Unreadable] = []
    mended: dict[str, Scalar] = {}
    for name, bound, reading in zip(names, (sent.lower, sent.upper), (lower, upper), strict=True):
        if isinstance(reading, Unreadable):
            problems.append(reading)
            # Of the day of a moment only what is surely beyond the moment is offered.
            beyond = {"min": "gt", "max": "lt"}.get(name, name)
            mended[beyond] = next(iter(reading.suggestions), "")
        elif bound is not None:
            mended[name] = bound
    is_moment = sent.lower == sent.upper and not (sent.lower_open or sent.upper_open)
    whole = all(problem.suggestions for problem in problems) and not is_moment
    suggestions = (json.dumps(mended, ensure_ascii=False),) if whole else ()
    return problems[0]._replace(suggestions=suggestions)


def read_scalar(
    value: Scalar, kind: Kind, prop: Property, observed: ObservedValues
) -> Reading | Unreadable:
    """Read one number or date; a date of a coarser grain becomes the interval it names."""
    return (
        _read_date(value, prop, observed) if kind == "date" else _read_number(value, prop, observed)
    )


def _read_number(value: Scalar, prop: Property, observed: ObservedValues) -> Reading | Unreadable:
    cast = _needs_cast("number", observed)
    if isinstance(value, bool):
        return Unreadable("unmapped", f"{prop.local_name} is a number, not a boolean")
    if isinstance(value, (int, float)):
        text = _plain(Decimal(repr(value)))
        if text is None:
            return Unreadable("unmapped", f"{prop.local_name} takes a finite number")
        return Reading(Bounds(text, text, cast=cast))
    own = _in_own_unit(value, prop.unit)
    found = own or parse_quantity(value)
    if found is None or found.noun:
        return Unreadable(
            "unmapped",
            f"{prop.local_name} is a number{_in_unit(prop)}: {value!r} is none, send one such as "
            f"12.5, or bounds (min, max, gt, lt) under ranges",
        )
    number, unit = found.value, prop.unit if own else found.unit
    if unit is not None and own is None:
        scale = _scale_of(prop)
        if scale is None:
            return Unreadable(
                "unsupported",
                f"the shapes state no unit for {prop.local_name}, so {value.strip()!r} cannot be "
                "compared with its numbers: send a number in the unit that they are in",
            )
        try:
            number = _CONVERTED.create_decimal(convert(number, unit, scale))
        except InputError:
            return Unreadable(
                "unsupported",
                f"{prop.local_name} is measured in {prop.unit}, which {unit} does not convert to",
            )
    text = _plain(number)
    if text is None:
        return Unreadable("unmapped", f"{prop.local_name} takes a number of fewer digits")
    shown = f"{text} {prop.unit}" if unit is not None else text
    return Reading(Bounds(text, text, cast=cast), None if text == value.strip() else shown)


def _scale_of(prop: Property) -> Unit | None:
    """The unit of a property, by the scale that the files give it or by its symbol."""
    if prop.unit is None:
        return None
    if prop.measure is None:
        return resolve_unit(prop.unit)
    dimension, factor, offset = prop.measure
    return Unit(prop.unit, dimension, Decimal(factor), Decimal(offset))


def _in_own_unit(text: str, unit: str | None) -> Quantity | None:
    """A bare number before the property's own unit: 310B of a size in bytes are no billions."""
    stripped = text.strip()
    if not unit or not stripped.endswith(unit):
        return None
    found = parse_quantity(stripped[: -len(unit)])
    if found is None or found.noun or found.unit is not None or found.scale != 1:
        return None
    return found


def _read_date(value: Scalar, prop: Property, observed: ObservedValues) -> Reading | Unreadable:
    text = str(value).strip()
    if re.match(r"\d{4}-\d\d-\d\d[T ]\d", text) and not (
        _MIDNIGHT.fullmatch(text[10:]) and prop.datatypes == (XSD + "date",)
    ):
        return Unreadable(
            "unsupported",
            f"times of day cannot be compared: send a day, such as {text[:10]}",
            (text[:10],),
        )
    start, end = _interval(text)
    if start is None or end is None:
        return Unreadable(
            "unmapped",
            f"{prop.local_name} is a date: {text!r} is none, send one such as 2024-03-31, or "
            "bounds (min, max, gt, lt) under ranges",
        )
    bounds = Bounds(start, end, temporal=True, cast=_needs_cast("date", observed))
    if text in (start, end) and start == end:
        return Reading(bounds)
    return Reading(bounds, start if start == end else f"{start} to {end}")


def _of_day(bound: Scalar | None, moment: re.Pattern[str]) -> Scalar | None:
    """A bound at this moment of a day, as the day; any other as it is."""
    if isinstance(bound, str) and moment.fullmatch(bound.strip()[10:]):
        return bound.strip()[:10]
    return bound


def _interval(text: str) -> tuple[str | None, str | None]:
    try:
        day = date.fromisoformat(text[:10]) if len(text) >= 10 else None
    except ValueError:
        day = None
    if day is not None and (len(text) == 10 or text[10] in "T "):
        return day.isoformat(), day.isoformat()
    if text.isdigit() and len(text) == 4:
        return f"{text}-01-01", f"{text}-12-31"
    found = find_dates(text)
    if len(found) == 1 and found[0].raw.strip() == text:
        return found[0].start.isoformat(), found[0].end.isoformat()
    return None, None


def _needs_cast(kind: Kind, observed: ObservedValues) -> bool:
    """Stored literals of another datatype (a number kept as text) are compared by their text."""
    native = NUMERIC if kind == "number" else frozenset({XSD + "date"})
    return bool(observed.datatypes) and not set(observed.datatypes) <= native


def _plain(number: Decimal) -> str | None:
    """Decimal digits without an exponent, or None where they would be too many or infinite."""
    if not number.is_finite() or abs(number.adjusted()) > _MAX_DIGITS:
        return None
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _in_unit(prop: Property) -> str:
    return f" in {prop.unit}" if prop.unit else ""
