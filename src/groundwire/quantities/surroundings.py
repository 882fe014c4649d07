"""The surroundings of a number: sign, currency, unit, noun, and words such as "about"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from groundwire.quantities.numerals import EXACT, Numeral
from groundwire.quantities.units import SIGNS, Unit, names, resolve_unit
from groundwire.quantities.words import words_beside

Bound = Literal["about", "over", "under", "nearly"]

_NOT_BEFORE_MINUS = frozenset(")]}%'")
_CURRENCY_ENDS = frozenset("$€£¥₩₹₽币")
_SIGNS = "|".join(re.escape(s) for s in sorted(SIGNS, key=len, reverse=True) if s[-1] in "$€£¥₩₹₽")
_PREFIX = re.compile(
    rf"(?:(?P<sign>{_SIGNS})|(?<![A-Za-z])(?P<code>[A-Z]{{3}})|(?P<han>人民币))[ \u00a0]?"
    r"(?P<minus>-)?$"
)
_BOUNDS: tuple[tuple[str, Bound], ...] = (
    ("nearly", "nearly"),  # before "under" and "below"
    ("not_under", "over"),
    ("under", "under"),  # before "over": 不超过 ends in 超过
    ("over", "over"),
    ("about", "about"),
)
_AFTER_BOUND = re.compile(
    r" ?(?:(左右|上下|or so\b)|(以上|or more\b|多(?=[个家条元]|$|[，。,])|余)"
    r"|(以下|or less\b|or fewer\b))"
)

# A unit is a whole word: no "l" of "ländlich".
_LATIN_UNIT = re.compile(
    r"[ \u00a0\u202f-]?((?:p\.p\.|[°A-Za-zµμ℃℉%‰$€£¥₩₹₽×][A-Za-z0-9²³/^]*)"
    r"(?![A-Za-zÀ-ÖØ-öø-ž])(?:[ -][A-Za-z]{1,12}(?![A-Za-z0-9À-ÖØ-öø-ž])){0,3})"
)
# Names that are read as units only where they touch the number: "1.5x", not "3 x 4".
_ONLY_GLUED = frozenset({"x", "B", "won", "rand", "码", "节"})
# 升 is a litre, and rises in 升至.
_HAN_UNIT = re.compile(r" ?(?!升[至到了为幅高])([\u4e00-\u9fff][\u4e00-\u9fff/]{0,7})")
CLASSIFIER = re.compile(
    r" ?人次| ?[个條条项項份种種家名位次张張座辆台件幅段组組款篇处笔套人](?!百分点|基点|月|口|均)"
    r"| ?步(?!行)| ?站(?![台点長长])| ?道(?![路德理])| ?本(?![月年季周日身地期人])"
    r"| ?部(?![分门門位委队隊])| ?首(?![个先次都席])| ?架(?!构)| ?门(?![店口户])| ?[枚册冊艘棵颗顆]"
)
_HAN_NOUN = re.compile(
    r" ?((?![到在从至往])[\u4e00-\u9fffA-Za-z]{1,8}?)"
    r"(?=[的在于为是有含包共，。、；：（）,.;:()\s]|$)"
)
_WORD = r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'_-]{1,30}"
_NOUN = re.compile(rf"[ \u00a0-]((?:{_WORD})(?: {_WORD}){{0,2}})")


# A dash that touches its number and nothing before it, and is no range.
_DASH_IS_MINUS = re.compile(r"(?:(?<![0-9])[ \u00a0]|[(|:\n])–$")


def before(flat: str, start: int) -> tuple[int | None, str, bool]:
    """Read what stands before a number: its start, the currency, whether it is negative."""
    window = flat[max(0, start - 12) : start]
    offset = start - len(window)
    unit_text, negative, begin = "", False, None
    last = window.rstrip(" \u00a0-")[-1:]
    prefix = _PREFIX.search(window) if last in _CURRENCY_ENDS or last.isupper() else None
    if prefix is not None:
        written = prefix["sign"] or prefix["code"] or prefix["han"]
        if prefix["code"] is None or resolve_unit(written) is not None:
            unit_text, begin = written, offset + prefix.start()
            negative = prefix["minus"] is not None
            window = window[: prefix.start()]
    if window.endswith("-") and not negative:
        lead = window[-2:-1]
        if not ((lead.isascii() and lead.isalnum()) or lead in _NOT_BEFORE_MINUS):
            negative, begin = True, offset + len(window) - 1
    elif window.endswith("–") and (len(window) == 1 or _DASH_IS_MINUS.search(window)):
        negative, begin = True, offset + len(window) - 1
    elif window.lower().endswith(words_beside("minus")):
        word = next(w for w in words_beside("minus") if window.lower().endswith(w))
        negative, begin = True, offset + len(window) - len(word)
    return begin, unit_text, negative


_LATE_MILLION = re.compile(r" ?m(?![A-Za-z0-9²³/])")


def late_scale(flat: str, numeral: Numeral, prefix: str) -> tuple[Decimal, Decimal, int]:
    """Scale letters that only a currency makes unambiguous: "$12m", "£3 M", "€1.2 bn"."""
    letter = _LATE_MILLION.match(flat, numeral.end)
    if prefix and numeral.scale == 1 and letter is not None:
        million = Decimal(10**6)
        return million, EXACT.multiply(numeral.value, million), letter.end()
    return numeral.scale, numeral.value, numeral.end


def is_accounting(flat: str, first: int, end: int, currency: str) -> bool:
    """Whether parentheses around a number say that it is negative."""
    if flat[first - 1 : first] != "(" or first == 0 or flat[end : end + 1] != ")":
        return False
    left, right = flat[: first - 1][-2:].strip(), flat[end + 1 : end + 3].strip()
    return bool(currency) or ((not left or left[-1] == "|") and (not right or right[0] == "|"))


def unit_after(flat: str, end: int) -> tuple[Unit, str, int] | None:
    """The unit that follows a number: longest name first."""
    known = names()
    latin = _LATIN_UNIT.match(flat, end)
    if latin is not None:
        spaced = latin.start(1) > end
        words = latin[1]
        while words:
            unit = known.get(words) or (known.get(words.lower()) if len(words) > 2 else None)
            if unit is not None and not (spaced and words in _ONLY_GLUED):
                return unit, words, latin.start(1) + len(words)
            shorter = max(words.rfind(" "), words.rfind("-"))
            if shorter < 0 and words[0] in "%‰$€£¥₩₹₽°" and len(words) > 1:
                words = words[0]
                continue
            words = words[: max(shorter, 0)]
        return None
    han = _HAN_UNIT.match(flat, end)
    if han is None:
        return None
    for length in range(len(han[1]), 0, -1):
        unit = known.get(han[1][:length])
        if unit is not None:
            return unit, han[1][:length], han.start(1) + length
    return None


def noun_after(flat: str, end: int) -> str:
    """The words that say what a bare number counts, or ""."""
    classifier = CLASSIFIER.match(flat, end)
    if classifier is not None:
        han = _HAN_NOUN.match(flat, classifier.end())
        return han[1] if han is not None else classifier[0].strip()
    words = _NOUN.match(flat, end)
    if words is None:
        return ""
    kept: list[str] = []
    for word in words[1].split(" "):
        if word.lower() in words_beside("noun_ends"):
            break
        kept.append(word)
    return " ".join(kept)


def bound_of(flat: str, first: int, end: int) -> Bound | None:
    """Return how exact the words around a quantity make it."""
    window = flat[max(0, first - 24) : first].lower().rstrip()
    window = window.removesuffix(" a").removesuffix(" an")
    for kind, bound in _BOUNDS:
        words = words_beside(kind)
        if window.endswith(words):
            lead = window[: -max(len(w) for w in words if window.endswith(w))][-1:]
            if not (lead.isascii() and lead.isalpha() and window[-1].isascii()):
                return bound
    after = _AFTER_BOUND.match(flat, end)
    if after is None:
        return None
    return "about" if after[1] else "over" if after[2] else "under"
