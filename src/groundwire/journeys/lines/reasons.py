"""The operators' reasons, shortened for a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

_END = re.compile(r"[.!?](?=\s+[A-Z0-9]|$)")
# A full stop after these ends no sentence: "between St. Pancras and Euston Rd. North".
_SHORT = frozenset({"st", "sts", "rd", "ave", "sq", "stn", "stns", "jn", "approx", "no", "e.g"})


def without_name(reason: str, names: Iterable[str]) -> str:
    """A reason without the name of the line or stop that it often begins with.

    >>> without_name("Jubilee Line: Minor delays.", ["Jubilee line"])
    'Minor delays.'
    """
    name, colon, rest = reason.partition(":")
    known = {_folded(one) for one in names}
    return rest.strip() if colon and rest.strip() and _folded(name) in known else reason


def first_sentence(text: str) -> str:
    """The first sentence of a text, without its full stop."""
    for end in _END.finditer(text):
        before = text[: end.start()].rsplit(maxsplit=1)
        word = before[-1].casefold() if before else ""
        if end[0] != "." or (word not in _SHORT and len(word) > 1):
            return text[: end.start() + (end[0] != ".")].strip()
    return text.strip().rstrip(".")


def _folded(name: str) -> str:
    """Operators write `Waterloo and City Line` for what TfL calls `Waterloo & City`."""
    return " ".join(name.replace("&", " and ").casefold().split())
