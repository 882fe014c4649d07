"""The words of a question, with the forms by which they are compared with a vocabulary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from groundwire.vocabulary.fold import split_words

Kind = Literal["word", "number", "date", "quoted", "mark"]

_UNITS = r"km/h|m/s|mph|km|cm|mm|ms|min|GB|MB|kB|KB|Hz|m|s|h|B|%|°"
_TOKEN = re.compile(
    r"(?P<quoted>\"[^\"]{1,200}\"|„[^“”\"]{1,200}[“”\"]|“[^”]{1,200}”|«[^»]{1,200}»"
    r"|(?<!\w)'[^']{1,200}'(?!\w))"
    r"|(?P<date>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b)"
    rf"|(?P<number>(?<![\w])[-\u2212]?\d+(?:[.,]\d+)*(?=(?:{_UNITS})?(?![\w])))"
    r"|(?P<unit>km/h|m/s|(?<=\d)%|[°€£$¥])"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W\d_]+)?)"
    r"|(?P<range>(?<=\d)[-\u2013\u2014](?=\d)|(?<=\w\s)[-\u2013\u2014](?=\s\d)|\.{2,3}(?=\s?\d|$))"
    r"|(?P<without>(?<!\bund\s)(?<!\boder\s)(?<!\band\s)(?<!\bor\s)(?<=\s)-(?=[^\W\d_])|!(?=[^\W_]))"
    r"|(?P<mark>>=|<=|=>|=<|!=|==|<>|[<>=≥≤≠,;:/+|~≈±])"
)
_GERMAN_ENDINGS = ("ern", "en", "er", "es", "em", "e", "n", "s")
_LEAST_STEM = 4
# Signs by what they say: a hyphen between figures is a range, one before a word leaves it out.
_SIGNS = {"range": "..", "without": "!="}


class Token(NamedTuple):
    """One word, figure or mark.

    Attributes:
        text: as it is written.
        plain: case, accents and plural of English folded.
        stem: the ending of a German inflection cut off too.
        kind: what it is.
        start: position in the question; likewise `end`.
        split: whether it is one of the words of a compound.
    """

    text: str
    plain: str
    stem: str
    kind: Kind
    start: int
    end: int
    split: bool = False


def stemmed(plain: str) -> str:
    """A word without the endings of German inflection, as many as there are.

    A noun in "-n" loses it in every number, so that both its forms have one stem.

    >>> [stemmed(word) for word in ("karten", "karte", "szenarien", "szenario")]
    ['kart', 'kart', 'szenari', 'szenari']
    """
    if plain.endswith("io") and len(plain) > _LEAST_STEM:
        return plain[:-1]
    for ending in _GERMAN_ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _LEAST_STEM:
            return stemmed(plain[: -len(ending)])
    return plain


def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text, in order; camelCase words are several."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, raw = match.lastgroup, match[0]
        start = match.start()
        if kind == "word":
            found += _words(raw, start)
        elif kind == "quoted":
            found.append(Token(raw[1:-1].strip(), "", "", "quoted", start, match.end()))
        elif kind == "unit":
            found.append(Token(raw, raw, raw, "word", start, match.end()))
        elif kind in _SIGNS:
            found.append(Token(raw, _SIGNS[kind], _SIGNS[kind], "mark", start, match.end()))
        elif kind in ("number", "date", "mark"):
            plain = raw.replace("\u2212", "-")
            found.append(Token(raw, plain, plain, kind, start, match.end()))
    return tuple(found)


def _words(raw: str, start: int) -> list[Token]:
    words = split_words(raw)
    found: list[Token] = []
    at = 0
    if len(words.written) == 1:
        # Without its apostrophe a word is shorter than it is written.
        (single,) = words.singular
        return [Token(raw, single, stemmed(single), "word", start, start + len(raw))]
    for written, single in zip(words.written, words.singular, strict=True):
        place = raw.find(written, at)
        begin = start + (place if place >= 0 else at)
        at = place + len(written) if place >= 0 else at
        found.append(Token(written, single, stemmed(single), "word", begin, begin + len(written)))
    return found


def is_cut(tokens: Sequence[Token], at: int) -> bool:
    """Whether a position lies within one written word, as in Open|DRIVE."""
    if not 0 < at < len(tokens):
        return False
    before, after = tokens[at - 1], tokens[at]
    glued = before.kind == after.kind == "word" and before.end == after.start
    return glued and not after.split


def unparted(words: Sequence[Token]) -> Sequence[Token]:
    """The words of a name as if each were written small, and so one: "GeoTIFF" as "geotiff"."""
    found: list[Token] = []
    for at, word in enumerate(words):
        if is_cut(words, at):
            text = found[-1].text + word.text
            (whole, *_) = tokenize(text.lower())
            found[-1] = whole._replace(start=found[-1].start, end=word.end)
        else:
            found.append(word)
    return found


# A word with a capital or a figure inside is a name by itself: OpenDRIVE, Lanelet2.
_CODE = re.compile(r"^[A-Z][a-z]+(?:[A-Z]|\d)[\w-]*$")


def ends_of(text: str) -> set[str]:
    """Return what "ASAM OpenSCENARIO DSL" is called without its first word."""
    first, *rest = text.split()
    if not rest:
        return set()
    whole = [" ".join(rest)] if first.isupper() and _CODE.search(rest[0]) else []
    return {*whole, *(one for one in rest[-1:] if _CODE.search(one))}
