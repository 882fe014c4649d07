"""Faults of a value that pydantic refused, in words for who sent or wrote it.

A phrase says what the value has to be ("must be a whole number"), after the place that the caller
names. Pydantic's own messages speak of inputs, tuples and validation, which nobody sends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Context = Mapping[str, Any]

_OBJECT = "must be an object"
_LIST = 'must be a list, such as ["a", "b"]'
_TEXT = "must be a text"
_WHOLE = "must be a whole number"
_NUMBER = "must be a number"
_SWITCH = "must be true or false"
_DATE = "must be a date such as 2024-03-31"
_MOMENT = "must be a date and time such as 2024-03-31T08:00:00"
_TIME = "must be a time such as 08:30"
_DURATION = "must be a duration such as PT30M"
_URL = "must be a URL such as https://example.org/"
_UNFIT = "is nothing that can be used here"

# By the kind of the problem, as pydantic_core names it.
_PHRASES: Mapping[str, str] = {
    "missing": "is missing",
    "missing_argument": "is missing",
    "extra_forbidden": "is no name that is known here",
    "unexpected_keyword_argument": "is no name that is known here",
    "invalid_key": "must have texts as its names",
    "none_required": "must be left out",
    "finite_number": "must be a finite number",
    "int_parsing_size": "must be a whole number of fewer digits",
    "int_from_float": _WHOLE,
    "string_unicode": "must be plain text: it holds half of a character",
    "string_not_ascii": "must be of plain Latin letters, digits and signs",
    "json_invalid": "must be valid JSON",
    "json_type": "must be a JSON text",
    "recursion_loop": "must not hold itself",
    "recursion_depth_exceeded": "lies in too many levels",
    "model_attributes_type": _OBJECT,
    "dataclass_exact_type": _OBJECT,
    "iteration_error": _LIST,
    "set_item_not_hashable": "must hold texts and numbers alone",
    "complex_str_parsing": _NUMBER,
    "bytes_invalid_encoding": "must be encoded as base64",
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": f"{_DATE}, without a time",
    "date_past": "must be a date in the past",
    "date_future": "must be a date in the future",
    "datetime_from_date_parsing": _MOMENT,
    "datetime_object_invalid": _MOMENT,
    "datetime_past": "must be a date and time in the past",
    "datetime_future": "must be a date and time in the future",
    "timezone_naive": "must be without a time zone",
    "timezone_aware": f"{_MOMENT}Z, with a time zone",
    "timezone_offset": "must have the time zone that is asked for",
    "url_syntax_violation": _URL,
    "uuid_version": "must be a UUID of the version that is asked for",
    "union_tag_not_found": "must say which kind it is of",
}

# What a value of a kind is called; problems of kind "int_type" and "int_parsing" speak of "int".
_WANTED: Mapping[str, str] = {
    "bool": _SWITCH,
    "bytes": _TEXT,
    "complex": _NUMBER,
    "counter": _OBJECT,
    "dataclass": _OBJECT,
    "date": _DATE,
    "datetime": _MOMENT,
    "decimal": _NUMBER,
    "deque": _LIST,
    "dict": _OBJECT,
    "float": _NUMBER,
    "fraction": _NUMBER,
    "frozen_dict": _OBJECT,
    "frozen_set": _LIST,
    "int": _WHOLE,
    "iterable": _LIST,
    "list": _LIST,
    "mapping": _OBJECT,
    "model": _OBJECT,
    "named_tuple": _LIST,
    "ordered_dict": _OBJECT,
    "set": _LIST,
    "string": _TEXT,
    "time": _TIME,
    "time_delta": _DURATION,
    "tuple": _LIST,
    "url": _URL,
    "uuid": "must be a UUID",
}

_BOUNDS: Mapping[str, Callable[[Context], str]] = {
    "greater_than": lambda ctx: f"must be more than {_number(ctx['gt'])}",
    "greater_than_equal": lambda ctx: f"must be at least {_number(ctx['ge'])}",
    "less_than": lambda ctx: f"must be less than {_number(ctx['lt'])}",
    "less_than_equal": lambda ctx: f"must be at most {_number(ctx['le'])}",
    "multiple_of": lambda ctx: f"must be a multiple of {_number(ctx['multiple_of'])}",
    "too_short": lambda ctx: f"must have at least {_entries(ctx, 'min_length')}",
    "too_long": lambda ctx: f"must have at most {_entries(ctx, 'max_length')}",
    "string_too_short": lambda ctx: f"must have at least {_characters(ctx['min_length'])}",
    "string_too_long": lambda ctx: f"must have at most {_characters(ctx['max_length'])}",
    "bytes_too_short": lambda ctx: f"must have at least {_counted(ctx['min_length'], 'byte')}",
    "bytes_too_long": lambda ctx: f"must have at most {_counted(ctx['max_length'], 'byte')}",
    "url_too_long": lambda ctx: f"must have at most {_characters(ctx['max_length'])}",
    "string_pattern_mismatch": lambda ctx: f"must have the form {ctx['pattern']}",
    "url_scheme": lambda ctx: f"must be a URL that begins with {ctx['expected_schemes']}",
    "literal_error": lambda ctx: f"must be {ctx['expected']}",
    "enum": lambda ctx: f"must be {ctx['expected']}",
    "union_tag_invalid": lambda ctx: f"must be of one of the kinds {ctx['expected_tags']}",
    "decimal_max_digits": lambda ctx: f"must have at most {_digits(ctx['max_digits'])}",
    "decimal_max_places": lambda ctx: (
        f"must have at most {_digits(ctx['decimal_places'])} after the point"
    ),
    "decimal_whole_digits": lambda ctx: (
        f"must have at most {_digits(ctx['whole_digits'])} before the point"
    ),
}


def phrase(problem: ErrorDetails) -> str:
    """Say what is wrong with a value; a check of our own gives its own reason.

    Args:
        problem: one of `ValidationError.errors()`.
    """
    kind = problem["type"]
    if kind in ("value_error", "assertion_error"):
        said = " ".join(problem["msg"].split())
        return said.partition(", ")[2] or said
    bounds = _BOUNDS.get(kind)
    if bounds is not None and "ctx" in problem:
        return bounds(problem["ctx"])
    wanted = _WANTED.get(kind.removesuffix("_type").removesuffix("_parsing"))
    return _PHRASES.get(kind) or wanted or _UNFIT


def _number(value: object) -> str:
    """A bound as a person writes it: without the zero that a whole number has as a float."""
    return f"{value:,.15g}" if isinstance(value, int | float) else str(value)


def _counted(number: int, word: str, plural: str = "") -> str:
    return f"{number:,} {word if number == 1 else plural or word + 's'}"


def _entries(ctx: Context, bound: str) -> str:
    sent = ctx.get("actual_length")
    return _counted(ctx[bound], "entry", "entries") + ("" if sent is None else f", not {sent:,}")


def _characters(number: int) -> str:
    return _counted(number, "character")


def _digits(number: int) -> str:
    return _counted(number, "digit")
