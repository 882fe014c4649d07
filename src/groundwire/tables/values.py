"""Values of engines as Python's types."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from groundwire.tables.engine import Value


def parsed(text: str, parser: Callable[[str], Value]) -> Value:
    """What `parser` reads in `text`; the text itself where Python has no such value."""
    try:
        value = parser(text)
    except ValueError:
        return text
    return in_utc(value) if isinstance(value, datetime) else value


def in_utc(value: datetime) -> datetime:
    """An instant in UTC; a time without a zone stays as it is."""
    return value if value.tzinfo is None else value.astimezone(UTC)
