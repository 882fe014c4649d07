"""Rows of ClickHouse as text, one JSON array a line, and their values. Standard library only."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from groundwire.tables.engine import Column, Value, parsed

FORMAT = "JSONCompactEachRowWithNamesAndTypes"
"""The format of answers: the names of the columns, their types, then the rows."""

SETTINGS = {
    "readonly": "1",
    "output_format_json_quote_decimals": "1",
    "output_format_decimal_trailing_zeros": "1",
    "output_format_json_quote_denormals": "1",
    "output_format_json_quote_64bit_integers": "0",
    "output_format_json_named_tuples_as_objects": "1",
    "date_time_output_format": "iso",
    "session_timezone": "UTC",
    # What a join does not find is empty, as SQL has it, and not 0.
    "join_use_nulls": "1",
}
"""The settings under which a query is read-only and its rows are exact."""

_WRAPPERS = ("Nullable(", "LowCardinality(")
_FLOATS = ("Float32", "Float64", "BFloat16")


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of an answer that comes in chunks."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
    if rest:
        yield rest


def columns(names: bytes, types: bytes) -> tuple[Column, ...]:
    """The columns, of the first two lines of an answer."""
    return tuple(
        Column(name, type_, nullable="Nullable(" in type_)
        for name, type_ in zip(json.loads(names), json.loads(types), strict=True)
    )


def typed(row: str, readers: list[Callable[[Any], Value] | None]) -> tuple[Value, ...]:
    """The values of one line.

    NaN and the infinities are None, as nothing may read them as numbers; instants are in UTC;
    arrays, maps and tuples are JSON; bytes that are no UTF-8 are replaced.
    """
    return tuple(
        value if reader is None or value is None else reader(value)
        for reader, value in zip(readers, json.loads(row), strict=True)
    )


def reader(type_: str) -> Callable[[Any], Value] | None:
    """Return the reader of the values of a type; None where JSON has them already."""
    for wrapper in (*_WRAPPERS, *_WRAPPERS):
        if type_.startswith(wrapper):
            type_ = type_.removeprefix(wrapper).removesuffix(")")
    if type_.startswith("Decimal"):
        return Decimal
    if type_ in _FLOATS:
        return _finite
    if type_.startswith("DateTime"):
        return lambda text: parsed(text, datetime.fromisoformat)
    if type_.startswith("Date"):
        return lambda text: parsed(text, date.fromisoformat)
    return _plain


def _finite(value: Any) -> Value:
    return None if isinstance(value, str) else float(value)


def _plain(value: Any) -> Value:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value
