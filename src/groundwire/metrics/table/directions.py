"""A column of the order of rows with its direction, in the forms in which callers send it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.metrics.reading import quoted
from groundwire.metrics.table.refusing import RefusedError, offered
from groundwire.metrics.table.words import term_of


def with_direction(sent: str | Mapping[str, Any]) -> tuple[str, str | None]:
    """Return a column and its direction, where one was sent: "-x", "x desc", {by, direction}.

    Raises:
        RefusedError: the form is unknown, or the direction.
    """
    if isinstance(sent, Mapping):
        allowed = {"by", "column", "field", "metric", "direction", "order"}
        unknown = [key for key in sent if key not in allowed]
        raw = next((sent[key] for key in ("by", "column", "field", "metric") if key in sent), None)
        way = sent.get("direction", sent.get("order", ""))
        if unknown or not isinstance(raw, str) or not isinstance(way, str):
            told = "`order_by` is a column with a direction: send {by: ..., direction: desc}."
            raise RefusedError(told, "order_by", str(sent)[:80], "unknown")
        direction = term_of("directions", way)
        if way.strip() and not direction:
            told = f"{quoted(way)} is no direction: send asc or desc."
            raise RefusedError(
                told, "order_by", way, "unknown", offered(("asc", "asc"), ("desc", "desc"))
            )
        return raw, direction or None
    text = " ".join(sent.split())
    if text[:1] in ("-", "+"):
        return text[1:].strip(), "desc" if text[0] == "-" else "asc"
    head, _, last = text.replace(":", " ").rpartition(" ")
    direction = term_of("directions", last)
    if head and direction:
        return head.strip(), direction
    return text, None
