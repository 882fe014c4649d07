"""Names of fields in three languages: the "file size" of a record is its Dateigröße, 文件大小.

A record calls a field in its own words, `speedLimitMax` or NET_PROFIT. What else the same field is
called comes from a list of notions; a name of several known parts is put together from theirs:
"sales per visitor" is "Umsatz je Besucher". A name of which one word is not known has no others.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from groundwire.language.detection import HAN_CHARACTER
from groundwire.vocabulary.fold import fold_word, singular

_WORD = re.compile(r"[A-Z]+(?![a-zß-ÿ])|[A-ZÄÖÜ]?[a-zß-ÿ]+|[\u3400-\u9fff]+|\d+")
_UNIT = re.compile(r"[(（][^()（）]*[)）]$")
_FILLING = frozenset(("has", "the", "a"))
_COUNTS = frozenset(("number", "num", "count"))
_ENDINGS = ("", "s", "es", "n", "en", "e")
_JOINTS = ("", "s", "n", "-")
# What "per" and "number of" are in each language, with what stands beside them.
_PER = {
    "en": ("{0} per {1}",),
    "de": ("{0} je {1}", "{0} pro {1}", "Pro-{1}-{0}"),
    "zh": tuple(f"每{one}{{1}}{of}{{0}}" for one in ("", "位", "名", "个") for of in ("", "的")),
}
_PER_PERSON = {"zh": ("人均{0}",)}
_NUMBER = {
    "en": ("number of {0}s", "{0} count"),
    "de": (
        "{0}zahl",
        "{0}anzahl",
        *(f"{one} der {{0}}{end}" for one in ("Anzahl", "Zahl") for end in ("", "n", "en", "e")),
    ),
    "zh": ("{0}数", "{0}数量", "{0}总数"),
}
_PERSON = "person"


@lru_cache(maxsize=4_096)
def names_of_field(name: str) -> tuple[str, ...]:
    """Return what a field is called in three languages, German nouns in their other forms too.

    Args:
        name: as a record has it: a label, a code or the end of an IRI.

    >>> "文件大小" in names_of_field("fileSize"), names_of_field("frobnication")
    (True, ())
    """
    own = listed_names(name) or tuple(_composed(_telling(name)))
    return tuple(dict.fromkeys(form for one in own for form in _forms(one)))


def listed_names(name: str) -> tuple[str, ...]:
    """Return the names of the notion that a name of a field stands for as a whole, if it does."""
    return _notions().get(_telling(name), ())


def every_name() -> tuple[str, ...]:
    """Return every listed name of a notion, in all languages."""
    return tuple(dict.fromkeys(one for names in _notions().values() for one in names))


def _telling(name: str) -> tuple[str, ...]:
    """Return the words of a name that tell what is meant."""
    return tuple(word for word in _words(name) if word not in _FILLING)


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in their dictionary form: speed, limit, max of speedLimitMax."""
    return tuple(singular(fold_word(word)) for word in _WORD.findall(_UNIT.sub("", name)))


def _forms(name: str) -> Iterator[str]:
    """Yield a name; a German noun with the endings of its cases."""
    is_german = name[:1].isupper() and " " not in name
    yield from (f"{name}{ending}" for ending in (_ENDINGS if is_german else ("",)))


@cache
def _notions(*tables: str) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return the names of every notion of some tables, by the words of each of them."""
    text = (files("groundwire.language") / "field_names.toml").read_text("utf-8")
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for table in tables or ("terms",):
        for notion, others in tomllib.loads(text)[table].items():
            names = (notion, *others)
            for words in dict.fromkeys(map(_telling, names)):
                found[words] = (*found.get(words, ()), *names)
    return found


def _composed(words: tuple[str, ...]) -> Iterator[str]:
    """Yield the names of a field that is called by several known words."""
    if "per" in words[1:-1]:
        at = words.index("per")
        yield from _quotients(_known(words[:at]), words[at + 1 :])
    elif words and (words[0] in _COUNTS or words[-1] in _COUNTS):
        counted = tuple(word for word in words if word not in {*_COUNTS, "of"})
        yield from _written(_NUMBER, [(one,) for one in _known(counted)])
    elif "of" in words[1:-1]:
        at = words.index("of")
        yield from _joined((*words[at + 1 :], *words[:at]))
    else:
        yield from _joined(words)


def _known(words: tuple[str, ...]) -> Sequence[str]:
    """Return the names of a notion that is listed or put together."""
    return _notions("terms", "parts").get(words, ()) or tuple(_joined(words))


def _quotients(told: Sequence[str], per: tuple[str, ...]) -> Iterator[str]:
    divisors = _known(per)
    parts = list(itertools.product(told, divisors))
    yield from _written(_PER, parts)
    if _PERSON in divisors:
        yield from _written(_PER_PERSON, parts)


def _written(
    patterns: Mapping[str, Sequence[str]], parts: Sequence[tuple[str, ...]]
) -> Iterator[str]:
    """Yield the patterns of a language with parts of it in place of the numbers."""
    for own in parts:
        languages = set(map(_language, own))
        for pattern in patterns.get(languages.pop(), ()) if len(languages) == 1 else ():
            yield pattern.format(*own)


def _joined(words: tuple[str, ...]) -> Iterator[str]:
    """Yield compounds of known parts: Höchst|preis, 最高|价格; "max" may stand at the end."""
    pieces = _pieces(words)
    if len(pieces) < 2:
        return
    if pieces[-1] not in _notions():
        pieces = [pieces[-1], *pieces[:-1]]
    if pieces[-1] not in _notions():
        return
    of = _notions("terms", "parts")
    for parts in itertools.product(*(of[piece] for piece in pieces)):
        languages = {_language(part) for part in parts}
        if languages == {"en"}:
            yield " ".join(parts)
        elif languages == {"zh"}:
            yield from ("".join(parts), "的".join(parts))
        elif languages == {"de"} and not any(" " in part for part in parts):
            first, *others = parts
            for joint in _JOINTS:
                yield first + "".join(
                    joint + (part if joint == "-" else part.lower()) for part in others
                )


def _pieces(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Cut words into the longest known notions; nothing where one is not known."""
    of = _notions("terms", "parts")
    found: list[tuple[str, ...]] = []
    at = 0
    while at < len(words):
        ends = range(len(words), at, -1)
        last = next((end for end in ends if words[at:end] in of), 0)
        if not last:
            return []
        found.append(words[at:last])
        at = last
    return found


def _language(name: str) -> str:
    """Return the language of a name: Chinese signs, German nouns with a capital, else English."""
    if HAN_CHARACTER.search(name):
        return "zh"
    return "de" if any(map(str.isupper, name)) else "en"
