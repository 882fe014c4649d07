"""Texts that callers send as places, made fit to be read, shown and sent on."""

from __future__ import annotations

import re
import unicodedata

from groundwire.errors import InputError

LONGEST_PLACE = 200
# What cannot stand in a path of the API, even when it is escaped.
_UNSENDABLE = re.compile(r"[<>*%&:\\?/#\"|{}^`~\[\]]+")
# Controls part words; formatting characters (directions, zero widths) stand in no name.
_PARTING = frozenset({"Cc", "Zl", "Zp"})
_UNSEEN = frozenset({"Cf", "Cs", "Co", "Cn"})


def clean(raw: str) -> str:
    """A text without control, formatting and quoting characters, spaces made single.

    Raises:
        InputError: it is longer than `LONGEST_PLACE`, or nothing is left of it.
    """
    if len(raw) > LONGEST_PLACE:
        raise InputError(
            f"a place has at most {LONGEST_PLACE} characters, this one {len(raw):,}: "
            "send its name, its postcode or its id"
        )
    kept: list[str] = []
    for letter in unicodedata.normalize("NFKC", raw):
        category = unicodedata.category(letter)
        if category not in _UNSEEN:
            kept.append(" " if category in _PARTING else letter)
    text = " ".join("".join(kept).split()).strip('"“”‘ ')
    if not any(letter.isalnum() for letter in text):
        raise InputError(
            "a place is missing: send a stop, a postcode, latitude and longitude, or a name"
        )
    return text


def sendable(text: str) -> str:
    """A text of a caller as it can stand in a path of the API: no slash, no ampersand.

    >>> sendable("Elephant & Castle / bus")
    'Elephant and Castle bus'
    """
    return " ".join(_UNSENDABLE.sub(" ", text.replace("&", " and ")).split()).strip(". ")
