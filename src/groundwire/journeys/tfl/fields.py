"""One field of a payload, by the type it should have; what it is not counts as absent.

Texts are the operators' without their markup.
"""

from __future__ import annotations

import html
import math
import re
from typing import Any, cast

from groundwire.journeys.itinerary import Point

# What ends a line or a paragraph; everything else between angle brackets only decorates.
_BREAK = re.compile(r"<\s*(?:br|/p|/li|/div|/h\d|/tr)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<\s*/?\s*[a-zA-Z!][^<>]*>")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s+([,.;:!?])(?=\s|$)")


def plain_text(text: object) -> str:
    """A text as one line without tags, entities, repeated spaces and stray line breaks.

    Args:
        text: what the payload holds; anything but a string gives an empty text.
    """
    if not isinstance(text, str):
        return ""
    # Some texts are escaped twice: `&lt;br&gt;`.
    unescaped = html.unescape(text)
    for pattern, put in ((_BREAK, " "), (_TAG, "")):
        unescaped = pattern.sub(put, unescaped)
    unescaped = unescaped.replace("\\n", " ")
    return _SPACE_BEFORE.sub(r"\1", " ".join(unescaped.split()))


Node = dict[str, Any]

# What `plain_text` changes. Most texts are ids and names, where nothing of it is found.
_MARKS = re.compile(r"[<&\\]|[^\S ]| [ ,.;:!?]|^ | $")


def text(node: Node, name: str) -> str:
    """A text as one line without markup; empty where there is none. Numbers are texts too."""
    value = node.get(name)
    if isinstance(value, str):
        return plain_text(value) if _MARKS.search(value) else value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def whole(node: Node, name: str) -> int | None:
    """A whole number, also out of digits in a text or a fraction; None where there is none."""
    value = node.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
        return round(number) if math.isfinite(number) else None
    except ValueError:
        return None


def flag(node: Node, name: str) -> bool:
    """Whether a field is true."""
    return node.get(name) is True


def child(node: Node, name: str) -> Node:
    """An object; empty where there is none."""
    value = node.get(name)
    return cast("Node", value) if isinstance(value, dict) else {}


def children(node: Node, name: str) -> list[Node]:
    """The objects of an array."""
    value = node.get(name)
    if not isinstance(value, list):
        return []
    return [cast("Node", one) for one in cast("list[object]", value) if isinstance(one, dict)]


def texts(node: Node, name: str) -> list[str]:
    """The texts of an array, cleaned, without empty ones."""
    value = node.get(name)
    if not isinstance(value, list):
        return []
    found = (plain_text(one) for one in cast("list[object]", value))
    return [one for one in found if one]


def point(node: Node, lat: str = "lat", lon: str = "lon") -> Point | None:
    """A position; None for none, for one off the globe and for 0, 0, which stands for none."""
    return point_of(node.get(lat), node.get(lon))


def point_of(lat: object, lon: object) -> Point | None:
    """A position of two numbers, or None (see `point`)."""
    if not isinstance(lat, (int, float)) or not isinstance(lon, (int, float)):
        return None
    if not (-90 <= lat <= 90 and -180 <= lon <= 180) or (lat == 0 and lon == 0):
        return None
    return Point(float(lat), float(lon))
