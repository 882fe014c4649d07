"""Patterns for the words of `figure_cues.toml`, beside figures and names or between two of them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files

_TABLES = tomllib.loads(
    (files("groundwire.evidence.claims") / "figure_cues.toml").read_text("utf-8")
)


def _any(key: str, languages: Sequence[str] = ("en", "de")) -> str:
    """Return a pattern for the words of a key, those of Latin letters unless told otherwise."""
    return "|".join(word for one in languages for word in _TABLES[one][key]) or "(?!)"


def _han(key: str) -> str:
    return _any(key, ("zh",))


_QUOTED = r"[\s\"'“”„«»‘’]"
_NEARLY = rf"(?: (?:{_any('nearly')}|[A-Z]{{3}}))* ?(?:[$€£¥]|{_han('nearly')})?$"
LEVEL = re.compile(
    rf"(?:^\W*(?:{_any('at')})|\b(?:{_any('from')})|{_han('from')}){_NEARLY}", re.IGNORECASE
)
"""Right before a value that something has, whatever is compared besides."""
WITH = re.compile(rf"\b(?:{_any('with')})(?: (?:{_any('hedges')}))?{_NEARLY}", re.IGNORECASE)
"""Right before a figure of what is named before: "A is first, with 12"."""
COMPARED_WITH = re.compile(
    rf"[^.;:,0-9]{{0,24}}\b(?:{_any('compared')})(?!\w){_NEARLY}"
    rf"|[^。；：，0-9]{{0,6}}(?:{_han('compared')})约?$",
    re.IGNORECASE,
)
"""Between a value of one thing and that of the other with which it is compared."""
HAS = re.compile(
    rf"(?:{_any('of_it')}) |(?<=[\u3400-\u9fff])(?:{_han('has')}){{0,3}}$"
    rf"|\s?[(（](?:(?:{_any('nearly')}) |{_han('nearly')})?$"
)
"""Between a name and its figure: "Kenya's 12 million", 德国55幅, "Kenya (about 12 million)"."""
OWNS = re.compile(rf"(?:{_any('of_it')}) |{_han('of_it')}")
"""Between a name and a figure of it, where nothing else stands."""
# Between two names of a list.
_COMMA = re.compile(rf"{_QUOTED[:-1]}(（]*[,、]{_QUOTED}*(?:(?:{_any('articles')}) )?")
# Between the last two names of a list.
_JOINS = re.compile(
    rf"{_QUOTED[:-1]},、]*(?:\b(?:{_any('joins')})\b|{_han('joins')}){_QUOTED}*"
    rf"(?:(?:{_any('before_names')}) )*",
    re.IGNORECASE,
)
OUT_OF_WHOLE = re.compile(
    rf" (?:{_any('whole')}) (?:(?:{_any('whole_articles')}) )*", re.IGNORECASE
)
"""Between the number of a part and that of its whole."""
ARE_THE = re.compile(rf"\b(?:{_any('are_the')}) $|(?:{_han('are_the')})[这那]?$", re.IGNORECASE)
"""Right before a count of those that are said to be the same as others."""
RELATIVE = re.compile(
    rf"{_QUOTED}{{0,2}}, (?:(?:{_any('before_relative')}) )?(?:{_any('relative')})\b"
    rf"|，(?:{_han('relative')})",
    re.IGNORECASE,
)
"""Behind a name of which the clause that begins there tells more: "India, which"."""
AND_OWN = re.compile(rf" (?:{_any('joins')}) (?:{_any('own')}) |(?:{_han('own')})", re.IGNORECASE)
"""Behind a name, before others that are told with it: "Austria and its neighbours"."""
ANOTHER = re.compile(
    rf"(?:[:：–—|(（]|\b(?:{_any('with')}|{_any('articles')})|{_han('with')})[\s*]*"
    rf"(?P<cue>\b(?:{_any('another')})\b|{_han('another')})[\s*]*$",
    re.IGNORECASE,
)
"""Before a figure that is all of something, of which "another" makes a part: ": another 6"."""
MULTIPLIES = re.compile(rf"\b(?:{_any('multiplies')}) $|(?:{_han('multiplies')})$", re.IGNORECASE)
"""Right before a figure of which it makes another: "twice 83 million"."""
ADDS = re.compile(rf"\b(?:{_any('adds')}) (?:about )?$|(?:{_han('adds')})约?$", re.IGNORECASE)
"""Right before a figure that is added to what was told before."""
FIRST_OF = re.compile(rf"(?:{_any('first_of', ('zh',))})$")
"""Right before a number of things that are first in an order."""
LEVEL_BEHIND = re.compile(rf" (?:{_any('level')})\b|(?:{_han('level')})", re.IGNORECASE)
"""Behind a time, of which a value is told to have the level: 2023年的水平."""
LEVEL_BEFORE = re.compile(rf"\b(?:{_any('level')}) (?:{_any('of_level')}) $", re.IGNORECASE)
"""Right before such a time: "the level of 2023"."""
BETWEEN = re.compile(
    rf"\b(?:{_any('between')}) (?:about |etwa )?$|(?:{_han('between')})约?$", re.IGNORECASE
)
"""Right before the first end of a range."""
AND = re.compile(rf" (?:{_any('and')}) |(?:{_han('and')})", re.IGNORECASE)
"""Between the ends of a range behind "between"."""
TO_END = re.compile(rf" ?(?:{_any('to_end')}|–|-) ?|(?:{_han('to_end')})", re.IGNORECASE)
"""Between the ends of a range."""
AT_MOST = frozenset(_TABLES["zh"]["most"])
"""Signs before 多 and 少 that make a bound of them."""
FROM_BASE = re.compile(rf"\b(?:{_any('from_base')}) (?:{_any('articles')})\b", re.IGNORECASE)
"""Right before what a change is counted from."""
DAY = re.compile(_han("day"))
"""Behind the number of a day."""
ONWARD = re.compile(rf" ?(?:{_any('onward')})\b|\s?(?:{_han('onward')})", re.IGNORECASE)
"""Behind a name that begins the next pair: "A to B and B to C"."""
OF_BASE = re.compile(rf" (?:{_any('of')}) (?:[\w'’]+ ){{0,2}}?(?:{_any('base')})\b", re.IGNORECASE)
"""Behind a share of what something was: "185 % of the value"."""
IS_BASE = re.compile(rf"(?:{_han('is_base')})[^，。；增减升降涨跌]{{2,16}}的(?:约|大约|将近)?$")
"""Before a share of what something was."""
PER = tuple(f"{word} " for word in (*_TABLES["en"]["per"], *_TABLES["de"]["per"]))
"""How words begin that make a rate of a value."""
RATES = frozenset(word for one in _TABLES.values() for word in one["rates"])
"""Words before a figure that make a rate of it."""


def is_comma(text: str, start: int, end: int) -> bool:
    """Whether a comma alone stands between two names of a list."""
    return _COMMA.fullmatch(text, start, end) is not None


def joins_last(text: str, start: int, end: int) -> bool:
    """Whether an "and" stands there, before the last name of a list."""
    return _JOINS.fullmatch(text, start, end) is not None
