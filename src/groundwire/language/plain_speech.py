"""Short and spoken forms of words written out: "whats", "pls", "w/", "half an hour".

Who reads questions reads the text that these functions return; what is shown to a user is what
they wrote.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files

from groundwire.quantities.units import resolve_unit

_HAN = re.compile(r"[\u3400-\u9fff]")
_NO_NUMBER = r"(?<!\d )"
_HALF = re.compile(r"(?<!\w)half (?:an?|1) (?=\w)", re.IGNORECASE)
_POINT = re.compile(r"(?<![\w.,])\.(?=\d+(?!\w))")
_GLUED = re.compile(r"(?<![\w.,])(?P<number>\d+(?:[.,]\d+)?)(?P<unit>[a-zµ]{1,3}[²³23]?)(?!\w)")
_THOUSANDS = re.compile(r"(?<![\w.,])(\d{2,3}|\d+[.,]\d+)k(?![\w])", re.IGNORECASE)


def plain_speech(text: str) -> str:
    """Return a text with short and spoken forms written out; thanks and greetings are left out."""
    return _replaced(text, "forms")


def plain_adjectives(text: str) -> str:
    """Return a text with the adjective of a continent as its name: "Africa country"."""
    return _replaced(text, "adjectives")


def plain_amounts(text: str) -> str:
    """Return a text with a time in words as a figure: "half an hour" is "30 minutes"."""
    return _HALF.sub("0.5 ", _replaced(text, "amounts"))


def plain_numbers(text: str) -> str:
    """Return a text with short numbers written out: ".3" is 0.3, "50k" is 50000, "5kg" is 5 kg.

    One figure before a k is left: "4k" is what a picture is called.
    """
    text = _GLUED.sub(_apart, _POINT.sub("0.", text))
    return _THOUSANDS.sub(lambda found: f"{Decimal(found[1].replace(',', '.')) * 1000:.0f}", text)


def _apart(found: re.Match[str]) -> str:
    """Return a number and its unit with a space between them; anything else as it is written."""
    unit = found["unit"]
    # "1990s", "3d" and "2x" are no figures in a unit.
    is_unit = resolve_unit(unit) is not None and (len(unit) > 1 or unit in "mhtg")
    return f"{found['number']} {unit}" if is_unit else found[0]


def _replaced(text: str, table: str) -> str:
    words, pattern = _table(table)
    made = pattern.sub(lambda found: words[found[0].casefold()], text)
    if made == text:
        return text
    made = re.sub(r"(?<!\s)\s+(?=[?.!,，。？！]|$)", "", re.sub(r"[ \t]{2,}", " ", made))
    # Who only says thanks asks nothing, and is left as they are.
    return made.strip(" ,，、") or text


@cache
def _table(name: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    tree = tomllib.loads((files(__package__ or "") / "plain_speech.toml").read_text("utf-8"))
    words = {form.casefold(): word for word, forms in tree[name].items() for form in forms}
    # One letter behind a number is a unit: "300 w".
    parts = [
        re.escape(one)
        if _HAN.search(one)
        else rf"(?<![\w'’]){_NO_NUMBER if len(one) == 1 else ''}{re.escape(one)}(?![\w'’/&])"
        for one in sorted(words, key=len, reverse=True)
    ]
    return words, re.compile("|".join(parts), re.IGNORECASE)
