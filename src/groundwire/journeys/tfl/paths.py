"""Paths of the API out of what people type: no text can lead to another path."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from groundwire.errors import InputError

LONGEST_SEGMENT = 200
MOST_IDS = 40


def path_of(*segments: str) -> str:
    """`/a/b` of segments, each percent-encoded as a whole (RFC 3986 section 3.3).

    Raises:
        InputError: a segment is empty, too long, only dots, or no text.
    """
    return "/" + "/".join(map(segment, segments))


def segment(text: str) -> str:
    """One segment of a path; commas stay, since coordinates and lists hold them.

    Raises:
        InputError: see `path_of`.
    """
    shown = " ".join(text.split())
    if not shown.strip("."):
        # Two dots lead to the path above, encoded or not.
        raise InputError(
            "A place, stop or line has no name: give a name, a postcode or coordinates."
        )
    if len(shown) > LONGEST_SEGMENT:
        raise InputError(
            f"A name of {len(shown)} characters is too long, {LONGEST_SEGMENT} is the most:"
            " shorten it."
        )
    if not shown.isprintable():
        raise InputError("A name holds control characters: type it anew.")
    return quote(shown, safe=",")


def ids_of(ids: Iterable[str]) -> str:
    """Ids of lines or modes as one segment, each once, separated by commas.

    Raises:
        InputError: there are none or too many.
    """
    found = list(dict.fromkeys(one.strip() for one in ids if one.strip()))
    if not 0 < len(found) <= MOST_IDS:
        raise InputError(f"Name 1 to {MOST_IDS} lines or modes, not {len(found)}.")
    return ",".join(found)
