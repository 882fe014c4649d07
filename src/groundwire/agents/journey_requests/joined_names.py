"""Names that begin with a word of another meaning: May Street, Two Bridges, Am Markt, The Green.

A reader that knows no names takes such a word for a month, a number or an article. Where capitals
show that it begins a name, both words are joined by letters that stand in no request, and parted
again in what was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

T = TypeVar("T")
_JOINT = "qxq"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Noon|Midnight|Midday|Morning|Evening"
_COUNT = (
    "One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Twelve|First|Second|Third|Last|Next|Zwei|Drei|"
    "Vier|Fünf|Sechs|Sieben|Acht|Neun|Zehn"
)
_MONTH = r"May|March|April|June|July|August|Mai|März"
_SMALL = (
    r"Am|Im|An der|An den|Auf der|Auf dem|Zum|Zur|Beim|By the|Over|Under|To|Unter den|Vor dem|The"
)
# What no name begins with behind them: other times, and what is counted.
_OTHER = (
    rf"(?:{_DAY}|{_MONTH}|Bank\s+Holiday|Uhr|January|February|September|October|November|December|"
    r"Trains?|Tubes?|Bus(?:es)?|Trams?|Day|Days|Week|Januar|Februar|Juni|Juli|Oktober|Dezember|"
    r"\w+(?:tag|abend|morgen|line)s?|Mittwochs?)\b"
)
_NAME = rf"(?!{_OTHER})[A-ZÄÖÜ][\w’'&-]*"
_WAYS = ("from", "to", "via", "at", "von", "vom", "nach", "zum", "zur", "zu", "über")
_LEADS = "|".join(rf"(?<={one}\s)" for one in _WAYS)
_BEFORE_END = r"(?=(?:\s[A-ZÄÖÜ][\w’'&-]*){0,3}\s+(?:to|nach|zum|zur|zu|→|->|[-–])\s)"
_JOINS = (
    re.compile(
        rf"(?:{_LEADS}|(?<=[从到去经在]))(?P<a>{_DAY}|{_COUNT}|{_MONTH}|{_SMALL})\s(?P<b>{_NAME})"
    ),
    re.compile(rf"(?<![\w’'])(?P<a>{_COUNT}|{_MONTH}|{_SMALL})\s(?P<b>{_NAME}){_BEFORE_END}"),
)


def with_joined_names(text: str) -> str:
    """Return a request in which no name begins with a word that means something else."""
    for pattern in _JOINS:
        text = pattern.sub(lambda m: f"{m['a'].replace(' ', _JOINT)}{_JOINT}{m['b']}", text)
    return text


def parted(read: T) -> T:
    """Return what was read with its names as they were written, whatever it is made of."""
    one: Any = read
    if isinstance(one, str):
        return cast("T", one.replace(_JOINT, " "))
    if is_dataclass(one) and not isinstance(one, type):
        return cast(
            "T", replace(one, **{f.name: parted(getattr(one, f.name)) for f in fields(one)})
        )
    if isinstance(one, Mapping):
        items = cast("Mapping[Any, Any]", one).items()
        return cast("T", {key: parted(value) for key, value in items})
    if isinstance(one, Sequence):
        each = [parted(it) for it in cast("Sequence[Any]", one)]
        return cast("T", tuple(each) if isinstance(one, tuple) else each)
    return read
