"""Names of places: those that hold words of another meaning, those that mean one place; spellings.

May Street, Two Bridges, Am Markt, Bus Station and 三点桥 hold such words; positions hold numbers of
another meaning: 51.51,-0.09. A reader that knows no names takes such a word for a month, a number
or a service. Names that the tools know stand in marks (`with_marked_names` of a toolset), and
capitals show others. Each is written as one word of letters that stands in no request, and is
itself again in what was read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache, lru_cache
from typing import Any, TypeVar, cast

from groundwire.agents.journey_requests.words import WORDS
from groundwire.journeys.stops.names import NICKNAMES, expanded, public_name, split_name

T = TypeVar("T")
# "51.51,-0.09": no two times of the day, by a minus, a number above 24 or many decimals.
_POSITION = re.compile(
    r"(?<![\d.,:A-Za-z-])(?P<open>\()?(?P<at>(?:(?:2[5-9]|[3-9]\d)\.\d+|[-−]\d{1,3}\.\d+|\d{1,3}\.\d{3,})"
    r"\s?[,，]\s?[-−]?\d{1,3}\.\d+)(?(open)\))(?![\d:]|\.\d)"
)
# The full stop of "St. Pancras" ends no sentence; that of "Liverpool St. Then" does.
_SAINT = re.compile(
    r"\bSt[.。]\s?(?P<name>(?:James|John|Pancras|Paul|Mary|Martin|Thomas|George|Bart|Kath|Giles|Mark|"
    r"Marg|Helier|Alban|Anne|Luke)[a-z]*(?:[’']?s\b)?)"
)
_AS_ASCII = str.maketrans({"−": "-", "，": ",", " ": ""})
_OPENS, _CLOSES = "「", "」"
_MARKED = re.compile(rf"{_OPENS}([^{_OPENS}{_CLOSES}\n]{{1,120}}){_CLOSES}")
_LETTERS = "abcdefghijklmnop"
_WORD = re.compile(r"Qx([a-p]+)xq", re.IGNORECASE)
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
_NAME = rf"(?!{_OTHER})[A-ZÄÖÜ](?:[’'&-]|[^\W\u4e00-\u9fff])*"
_WAYS = ("from", "to", "via", "at", "von", "vom", "nach", "zum", "zur", "zu", "über")
_LEADS = "|".join(rf"(?<={one}\s)" for one in _WAYS)
_BEFORE_END = r"(?=(?:\s[A-ZÄÖÜ][\w’'&-]*){0,3}\s+(?:to|nach|zum|zur|zu|→|->|[-–])\s)"
_JOINS = (
    re.compile(
        rf"(?:{_LEADS}|(?<=[从到去经在]))(?P<a>{_DAY}|{_COUNT}|{_MONTH}|{_SMALL})\s(?P<b>{_NAME})"
    ),
    re.compile(rf"(?<![\w’'])(?P<a>{_COUNT}|{_MONTH}|{_SMALL})\s(?P<b>{_NAME}){_BEFORE_END}"),
)
# Shorter names that differ by one letter are as often two names.
_SHORTEST_MISSPELT = 5
_UMLAUTS: Mapping[str, str] = WORDS["umlauts"]
# A word that begins like one of those, and is in no name that stands in marks.
_AS_TWO = re.compile(
    rf"(?<![\w’'-])(?:{'|'.join(sorted(_UMLAUTS, key=len, reverse=True))})(?![^「」]{{0,80}}」)",
    re.IGNORECASE,
)
_DIGITS = "零一二三四五六七八九"
_DAY_OF_MONTH = re.compile(
    r"([一二三四五六七八九十]{1,2}|\d{1,2})\s?月\s?([一二三四五六七八九十]{1,3}|\d{1,2})\s?([日号])"
)


def with_joined_names(text: str) -> str:
    """Return a request in which every name that was found is one word without any meaning."""
    text = _MARKED.sub(lambda name: _as_word(name[1]), text)
    text = _POSITION.sub(lambda at: _as_word(at["at"].translate(_AS_ASCII)), text)
    text = _SAINT.sub(lambda saint: _as_word(f"St. {saint['name']}"), text)
    for pattern in _JOINS:
        text = pattern.sub(lambda name: _as_word(name[0]), text)
    return text


def without_marks(text: str) -> str:
    """Return a request as its user wrote it."""
    return _MARKED.sub(r"\1", text)


def without_names(text: str) -> str:
    """Return a request without the names that tools know, whose language need not be its own."""
    bare = _MARKED.sub(" ", text)
    return bare if any(one.isalpha() for one in bare) else text


def _as_word(name: str) -> str:
    letters = (_LETTERS[half] for one in name.encode() for half in divmod(one, 16))
    return f"Qx{''.join(letters)}xq"


def _as_name(word: re.Match[str]) -> str:
    halves = [_LETTERS.index(one) for one in word[1].lower()]
    whole = bytes(first * 16 + last for first, last in zip(halves[::2], halves[1::2], strict=False))
    return whole.decode(errors="replace")


def parted(read: T) -> T:
    """Return what was read with its names as they were written, whatever it is made of."""
    one: Any = read
    if isinstance(one, str):
        return cast("T", _WORD.sub(_as_name, one))
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


def is_same_place(asked: str, *names: str) -> bool:
    """Whether a name that was asked for is one of some others.

    Args:
        asked: as the request has it.
        names: as it was sent, and as the planner read it; empty ones do not count.
    """
    return any(_alike(_core(asked), _core(name)) for name in names if name)


def may_be(asked: str, *names: str) -> bool:
    """Whether a name that several stations share is used for one of others: "Heathrow"."""
    meant = _stations().get(_core(asked), frozenset[str]())
    return any(_core(name) in meant for name in names if name)


def stands_in(name: str, text: str) -> bool:
    """Whether a text names a place, in this spelling or by a nickname."""
    said = expanded(text)
    forms = [_core(name), *(nick for nick, of in _stations().items() if _core(name) in of)]
    # Words of other scripts may stand right beside a name.
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])", said) for form in forms if form
    )


@lru_cache(maxsize=512)
def _core(name: str) -> str:
    """A name without its kind, written out."""
    return split_name(public_name(name)).core or expanded(name)


def _alike(asked: str, name: str) -> bool:
    one, other = _station(asked), _station(name)
    return one.replace(" ", "") == other.replace(" ", "") or _is_misspelt(one, other)


def _station(core: str) -> str:
    """The one station that a nickname is used for, or the name itself."""
    meant = _stations().get(core, frozenset[str]())
    return next(iter(meant)) if len(meant) == 1 else core


def _is_misspelt(asked: str, name: str) -> bool:
    """Whether two words differ by one letter; digits never count as misspelt."""
    from rapidfuzz.distance import OSA

    if min(len(asked), len(name)) < _SHORTEST_MISSPELT:
        return False
    if [one for one in asked if one.isdigit()] != [one for one in name if one.isdigit()]:
        return False
    return OSA.distance(asked, name, score_cutoff=1) <= 1


@cache
def _stations() -> dict[str, frozenset[str]]:
    """The stations that each nickname is used for."""
    found: dict[str, set[str]] = {}
    for station, nicknames in NICKNAMES.items():
        for one in nicknames:
            found.setdefault(_core(one), set()).add(_core(station))
    return {nickname: frozenset(stations) for nickname, stations in found.items()}


def plainly_spelled(text: str) -> str:
    """Return a request with umlauts and with days of a month in digits."""
    text = _AS_TWO.sub(lambda match: _with_umlaut(match[0]), text)
    return _DAY_OF_MONTH.sub(
        lambda match: f"{_number(match[1])}月{_number(match[2])}{match[3]}", text
    )


def _with_umlaut(word: str) -> str:
    said = _UMLAUTS[word.lower()]
    return said[0].upper() + said[1:] if word[0].isupper() else said


def _number(words: str) -> int:
    """A number below 100: "二十六" or "26"."""
    if words.isdecimal() and words.isascii():
        return int(words)
    tens, ten, ones = words.rpartition("十")
    return (_DIGITS.index(tens) if tens else 1) * bool(ten) * 10 + (
        _DIGITS.index(ones) if ones else 0
    )
