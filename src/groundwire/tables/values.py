"""Values of engines as Python's types."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, cast

from groundwire.tables.bounds import MAX_BLOB, blob
from groundwire.tables.engine import Value


def parsed(text: str, parser: Callable[[str], Value]) -> Value:
    """Return the value that `parser` reads in a text; the text where Python has no such value."""
    try:
        value = parser(text)
    except ValueError:
        return text
    return in_utc(value) if isinstance(value, datetime) else value


def in_utc(value: datetime) -> datetime:
    """An instant in UTC; a time without a zone stays as it is."""
    return value if value.tzinfo is None else value.astimezone(UTC)


def plain(value: Any) -> Value:
    """The value of a client's library as one of ours.

    NaN and the infinities are None, as nothing may read them as numbers; instants are in UTC; bytes
    are the first of them in hexadecimal; lists, maps and rows are JSON; the rest is its text.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return value if value.is_finite() else None
    if isinstance(value, datetime):
        return in_utc(value)
    if value is None or isinstance(value, str | int | date | time):
        return value
    if isinstance(value, bytes | bytearray):
        return blob(bytes(value[:MAX_BLOB]), len(value))
    if isinstance(value, dict | list | tuple):
        return json.dumps(_nested(value), ensure_ascii=False, separators=(",", ":"))
    return str(value)


def _nested(value: Any) -> Any:
    """A value within JSON; decimals are texts there, so that no digit is lost."""
    if isinstance(value, dict):
        return {str(key): _nested(one) for key, one in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_nested(one) for one in cast("list[Any]", value)]
    found = plain(value)
    return found if found is None or isinstance(found, str | int | float) else str(found)


def size(value: Value) -> int:
    """How many characters a value has as text."""
    return len(value) if isinstance(value, str) else len(str(value))
