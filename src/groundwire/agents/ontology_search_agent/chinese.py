"""Chinese questions in the English that the rules read, word for word.

The longest word that is known counts: kinds, counting words and words of `chinese.toml`, and names
of countries and cities. What nobody knows stays as it is written, and is left over as in any other
language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from groundwire.language.places import english_names

_HAN = re.compile(r"[\u3400-\u9fff]")
_OTHER = re.compile(r"[^\u3400-\u9fff]+")
_MARKS = re.compile(r"[?？。！!；;：:]")
_LONGEST = 10
# Figures that are made of many, those without their property too.
_PLAIN = frozenset(("average", "total"))
_FIGURES = _PLAIN | {"average length", "total length"}

Table = Literal["kinds", "counts", "words"]


class _Word(NamedTuple):
    """A word in English, with the table that it stands in; of "left" nobody knows it."""

    table: Table | Literal["left", "other"]
    english: str


def is_chinese(text: str) -> bool:
    """Whether a question is asked in Chinese."""
    han = len(_HAN.findall(text))
    latin = len(re.findall(r"[A-Za-z]+", text))
    return han > 0 and han >= latin


def in_english(text: str) -> str:
    """Return a Chinese question in English words: how many, the kind, then what narrows it.

    Chinese has what narrows a kind before it. The kind that is searched is the last one that is
    named, and it is put first.
    """
    words = list(_words(_MARKS.sub(" ", text.replace("，", ",").replace("、", " 和 "))))
    kinds = [at for at, one in enumerate(words) if one.table == "kinds"]
    first = [one.english for one in words if one.table == "counts"][:1]
    if kinds:
        first.append(words[kinds[-1]].english)
    taken = set(kinds[-1:])
    spans = [at for at, one in enumerate(words) if one.english in _FIGURES]
    for at in spans[:1]:
        # "Average length of maps": what a figure is of stands before the kind.
        size = 2 if words[at].english in _PLAIN and at + 1 < len(words) else 1
        said = " ".join(one.english for one in words[at : at + size])
        first.insert(0, f"{said} of")
        taken.update(range(at, at + size))
    rest = [
        one.english for at, one in enumerate(words) if one.table != "counts" and at not in taken
    ]
    return " ".join(filter(None, (*first, *rest)))


def _words(text: str) -> Iterator[_Word]:
    known = _known()
    left = ""
    at = 0
    while at < len(text):
        other = _OTHER.match(text, at)
        size = 0
        if other is None or other[0].strip():
            sizes = range(min(_LONGEST, len(text) - at), 0, -1)
            size = next((one for one in sizes if text[at : at + one] in known), 0)
        if (size or other) and left:
            yield _Word("left", left)
            left = ""
        if size:
            yield known[text[at : at + size]]
            at += size
        elif other is not None:
            yield _Word("other", other[0].strip())
            at = other.end()
        else:
            left += text[at]
            at += 1
    if left:
        yield _Word("left", left)


@cache
def _known() -> Mapping[str, _Word]:
    tree = tomllib.loads((files(__package__ or "") / "chinese.toml").read_text("utf-8"))
    found = {
        name: _Word("words", english)
        for name, english in english_names().items()
        if _HAN.search(name)
    }
    tables: tuple[Table, ...] = ("words", "counts", "kinds")
    for table in tables:
        for english, names in tree[table].items():
            found |= {name: _Word(table, english) for name in names}
    return found
