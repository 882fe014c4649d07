"""A run of pieces read as one number, by the grammar of numbers in words; what stands around one.

Around a number stand its sign, currency, unit and noun, and words such as "about".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

from groundwire.quantities.number_pieces import Kind, Piece
from groundwire.quantities.numerals import EXACT, Numeral, number_words, words_beside
from groundwire.quantities.units import SIGNS, Unit, names, resolve_unit

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
    r" ?人次"
    r"| ?[个條条项項份种種家名位次张張座辆台件幅段组組款篇处笔套人](?!百分点|基点|[月口均居列于])"
    r"| ?步(?!行)| ?站(?![台点長长])| ?道(?![路德理])| ?本(?![月年季周日身地期人])"
    r"| ?部(?![分门門位委队隊])| ?首(?![个先次都席])| ?架(?!构)| ?门(?![店口户])| ?[枚册冊艘棵颗顆]"
)
_HAN_NOUN = re.compile(
    r" ?((?![到在从至往居])[\u4e00-\u9fffA-Za-z]{1,8}?)"
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


_MOST_SCALES = 3
_SHORT_SCALE = 1_000
_FOLLOWED = re.compile(r"[ -]?[A-Za-zÄÖÜäöü%€$£¥]|[.,:/-][0-9]")
_NAME_GOES_ON = re.compile(r"[ -](?!of\b)[A-Za-zÄÖÜäöü]")
_UNIT_WORDS = re.compile(r"[ -]([A-Za-z%°]{1,14})(?: ([a-z]{1,14}))?")
ORDINAL_GAP = re.compile(r"[ -]([a-z]{5,12})(?![A-Za-z])", re.IGNORECASE)


class Part(NamedTuple):
    """A coefficient: its value, the piece after it, and what it is made of."""

    value: Fraction
    after: int
    fraction: Fraction = Fraction(0)
    whole: bool = True


class Run:
    """One run of pieces in one language."""

    def __init__(self, text: str, pieces: Sequence[Piece], language: str) -> None:
        self.text, self.pieces, self.language = text, pieces, language

    def kind(self, i: int) -> Kind | Literal[""]:
        """The kind of a piece that joins the one before it, or ""."""
        if not 0 <= i < len(self.pieces) or not self.pieces[i].tight:
            return ""
        return self.pieces[i].kind

    def value(self, i: int) -> Fraction:
        """Return the value of a piece."""
        return self.pieces[i].value

    def cardinal(self, i: int) -> Part | None:
        """A whole number below a thousand in words, one in digits, or a German word."""
        kind = self.kind(i)
        if kind in ("digits", "compound"):
            piece = self.pieces[i]
            return self.after_point(Part(piece.value, i + 1, whole=piece.value.denominator == 1))
        if kind == "article" and self.kind(i + 1) == "scale" and self.value(i + 1) == 100:
            return self.tens_of_hundred(Part(Fraction(100), i + 2))
        if self.language == "de" and kind == "scale" and self.value(i) in (100, 1000, 100_000):
            if self.pieces[i].fractioned:
                return None
            return Part(self.value(i), i + 1)
        low = self.below_hundred(i)
        if low is None:
            return None
        if self.kind(low.after) == "scale" and self.value(low.after) == 100 and low.value:
            return self.tens_of_hundred(Part(low.value * 100, low.after + 1))
        return self.after_point(low)

    def below_hundred(self, i: int) -> Part | None:
        """A number below a hundred in words."""
        if self.kind(i) == "ten":
            joined = self.kind(i + 1) == "one" and 0 < self.value(i + 1) < 10
            ones = self.value(i + 1) if joined else Fraction(0)
            return Part(self.value(i) + ones, i + 1 + joined)
        return Part(self.value(i), i + 1) if self.kind(i) == "one" else None

    def tens_of_hundred(self, hundred: Part) -> Part:
        """Hundreds with the number below a hundred that follows."""
        joint = self.kind(hundred.after) == "joint"
        low = self.below_hundred(hundred.after + joint)
        if low is None or not low.value or self.kind(low.after) in ("words", "plural"):
            return self.after_point(hundred)
        return self.after_point(Part(hundred.value + low.value, low.after))

    def after_point(self, part: Part) -> Part:
        """Digits in words after "point"."""
        if self.kind(part.after) != "point":
            return part
        digits = ""
        i = part.after + 1
        while self.kind(i) == "one" and self.value(i) < 10:
            digits, i = digits + str(self.value(i)), i + 1
        if not digits:
            return part
        return Part(part.value + Fraction(int(digits), 10 ** len(digits)), i, whole=False)

    def fraction(self, i: int) -> Part | None:
        """A fraction by itself: ½, 3/4, three quarters, a third, half, anderthalb."""
        kind = self.kind(i)
        if kind in ("sign", "mixed"):
            return Part(self.value(i), i + 1, self.value(i), whole=False)
        if kind == "words":
            half = self.value(i) == Fraction(1, 2)
            return Part(self.value(i), i + 1, self.value(i), whole=False) if half else None
        if kind == "article" and self.kind(i + 1) in ("words", "mixed"):
            return Part(self.value(i + 1), i + 2, self.value(i + 1), whole=False)
        count = self.cardinal(i)
        if count is None or not count.whole or self.pieces[i].kind == "digits":
            return None
        if self.kind(count.after) not in ("words", "plural"):
            return None
        value = count.value * self.value(count.after)
        if not 0 < value < 1:
            return None
        # "three quarter million", but "three quarter finals".
        singular = self.kind(count.after) == "words" and count.value != 1 and self.language != "de"
        if singular and self.kind(count.after + 1) != "scale":
            return None
        return Part(value, count.after + 1, value, whole=False)

    def coefficient(self, i: int) -> Part | None:
        """A number with its fraction, before any scale."""
        alone = self.fraction(i)
        if alone is not None:
            return alone
        base = self.cardinal(i)
        if base is None and self.kind(i) == "article" and self.kind(i + 1) == "joint":
            base = Part(Fraction(1), i + 1) if self.language == "de" else None
            if base is not None and self.fraction(i + 2) is None:
                return None
        if base is None or not base.whole or self.pieces[i].fractioned:
            return base
        j = base.after
        if self.kind(j) in ("sign", "mixed") and 0 < self.value(j) < 1:
            return Part(base.value + self.value(j), j + 1, self.value(j), whole=False)
        if self.kind(j) == "joint":
            more = self.fraction(j + 1)
            if more is not None and 0 < more.value < 1 and self.pieces[j + 1].kind != "mixed":
                return Part(base.value + more.value, more.after, more.value, whole=False)
            tail = self.joined_count(j + 1)
            if tail is not None:
                return Part(base.value + tail.value, tail.after, tail.value, whole=False)
        return base

    def joined_count(self, i: int) -> Part | None:
        """Read "three quarter" of "two and three quarter million", whatever follows it."""
        count = self.below_hundred(i)
        if count is None or self.kind(count.after) not in ("words", "plural"):
            return None
        value = count.value * self.value(count.after)
        return Part(value, count.after + 1, value, whole=False) if 0 < value < 1 else None

    def scales(self, part: Part) -> tuple[Fraction, int]:
        """Product of the scales after a coefficient, and the piece after them."""
        i = part.after
        if part.fraction:
            i += self.kind(i) == "of"
            one = self.kind(i) == "one" and self.value(i) == 1
            i += self.kind(i) == "article" or one
            if self.kind(i) != "scale":
                return Fraction(1), part.after
        product, count = Fraction(1), 0
        while self.kind(i) == "scale" and count < _MOST_SCALES:
            product, i, count = product * self.value(i), i + 1, count + 1
        return product, i

    def group(self, i: int) -> tuple[Part, Fraction, int] | None:
        """A coefficient with its scales, or an article with a scale."""
        if self.kind(i) == "article" and self.kind(i + 1) == "scale" and self.value(i + 1) != 100:
            part = Part(Fraction(1), i + 1)
        else:
            read = self.coefficient(i)
            if read is None:
                return None
            part = read
        scale, after = self.scales(part)
        return part, scale, after

    def whole_run(self) -> tuple[Fraction, Fraction, Fraction, int] | None:
        """Value, fraction, scale and the piece after it, of the longest number that begins."""
        first = self.group(0)
        if first is None:
            return None
        part, scale, i = first
        value, fraction = part.value * scale, part.fraction
        if part.whole and (scale >= _SHORT_SCALE or scale == 12):
            j = i + (self.kind(i) == "joint")
            tail = self.fraction(j) if j > i and self.kind(j) == "article" else None
            if tail is not None and self.kind(tail.after) not in ("of", "scale"):
                return (part.value + tail.value) * scale, tail.value, scale, tail.after
        if part.fraction:
            return value, fraction, scale, i
        lowest = scale if scale > 1 else Fraction(1)
        while lowest >= 1000 or (lowest == 100 and self.pieces[0].kind == "digits"):
            j = i + (self.kind(i) == "joint")
            lower = self.group(j)
            if lower is None or (j > i and "digits" in (self.kind(j), self.pieces[0].kind)):
                break
            low, low_scale, after = lower
            plain_digits = self.kind(j) == "digits" and low_scale == 1
            if plain_digits or low.fraction or low.value * low_scale >= lowest:
                break
            value, scale, i = value + low.value * low_scale, low_scale, after
            lowest = low_scale
        return value, fraction, scale, i

    def left_over(self, i: int) -> bool:
        """Whether what follows belongs to the number and was not joined to it."""
        if i >= len(self.pieces):
            return False
        piece = self.pieces[i]
        kind = piece.kind
        if kind in ("scale", "sign", "mixed", "unknown", "tied"):
            return True
        following = self.kind(i + 1)
        if kind in ("words", "plural"):
            return self.is_fraction_word(i)
        if kind in ("article", "of"):
            j = i + 1 + (following == "article")
            return self.kind(j) in ("vague", "scale") or (
                kind == "article" and following in ("words", "mixed")
            )
        if kind == "joint":
            return self.joined_to(i)
        if kind == "vague":
            return following == "scale"
        if kind in ("one", "ten"):
            return self.ordered(i)
        if kind == "point":
            return following in ("one", "ten", "digits")
        if kind == "digits" and self.pieces[i - 1].kind == "scale":
            return not noun_after(self.text, piece.end) and not unit_at(self.text, piece.end)
        return False

    def joined_to(self, i: int) -> bool:
        """Whether "and" joins a fraction or a vague amount that was not read."""
        following = self.kind(i + 1)
        j = i + 1 + (following == "article")
        if self.kind(j) == "vague":
            bit = self.text[self.pieces[j].start : self.pieces[j].end].lower() == "bit"
            ends = _FOLLOWED.match(self.text, self.pieces[j].end) is None
            return bit or ends or self.kind(j + 1) == "scale"
        if self.kind(j) == "scale":
            return following != "article"
        if self.ordered(j) or self.adds_below(i):
            return True
        return self.kind(j) in ("words", "sign", "mixed", "unknown") or (
            self.joined_count(i + 1) is not None
        )

    def ordered(self, i: int) -> bool:
        """Whether a number follows that ends as an ordinal: "fifty-four hundredths"."""
        part = self.cardinal(i) if self.kind(i) else None
        end = (
            self.pieces[min(i, len(self.pieces)) - 1].end
            if part is None
            else self.pieces[part.after - 1].end
        )
        unknown = part is not None and self.kind(part.after) in ("unknown", "plural")
        return unknown or ordinal_at(self.text, end)

    def adds_below(self, i: int) -> bool:
        """Whether "and" adds to digits with a scale: "3 hundred and 21", "3 hundred and one"."""
        if self.pieces[0].kind != "digits" or self.pieces[i - 1].kind != "scale":
            return False
        lowest = self.value(i - 1)
        if self.kind(i + 1) == "digits":
            return lowest == 100 and self.value(i + 1) < 100
        part = self.cardinal(i + 1)
        return part is not None and part.value < lowest and self.scales(part)[0] < lowest

    def is_fraction_word(self, i: int) -> bool:
        """Whether a word beside a number is a fraction of it, and not part of a name."""
        piece = self.pieces[i]
        named = _NAME_GOES_ON.match(self.text, piece.end) is not None
        if piece.kind == "plural":
            return piece.value != Fraction(1, 4)
        if piece.value == Fraction(1, 2):
            return not (named and self.text[piece.end] == "-")
        return not named


def unit_at(text: str, end: int) -> bool:
    """Whether the name of a unit stands after a place."""
    match = _UNIT_WORDS.match(text, end)
    if match is None:
        return False
    known = names()
    pair = f"{match[1]} {match[2]}".lower() if match[2] else ""
    return match[1].lower() in known or match[1] in known or pair in known


def ordinal_at(text: str, end: int) -> bool:
    """Whether a word of order follows a number: "twenty-first"."""
    match = ORDINAL_GAP.match(text, end)
    return match is not None and match[1].lower() in number_words("en").ordinals
