"""The operators' reasons, shortened for a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FIRST_SENTENCE = re.compile(r"(.+?[.!?])(?=\s+[A-Z]|$)")


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
    first = _FIRST_SENTENCE.match(text)
    return (first[1] if first else text).strip().rstrip(".")


def _folded(name: str) -> str:
    """Operators write `Waterloo and City Line` for what TfL calls `Waterloo & City`."""
    return " ".join(name.replace("&", " and ").casefold().split())
