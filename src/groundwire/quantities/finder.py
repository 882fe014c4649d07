"""Every quantity in a text, with its unit, its noun, and how precisely it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache

from groundwire.quantities.amounts import Unread, parse_number, read_amount
from groundwire.quantities.clock import hour_by_article, with_hours
from groundwire.quantities.dates import DateMention, find_partial_dates
from groundwire.quantities.number_pieces import SIGNS_OF_FRACTIONS
from groundwire.quantities.number_runs import (
    CLASSIFIER,
    Bound,
    before,
    bound_of,
    is_accounting,
    late_scale,
    noun_after,
    unit_after,
)
from groundwire.quantities.numerals import EXACT, Numeral, any_of, number_words, plain, tables
from groundwire.quantities.period_grammar import find_dates
from groundwire.quantities.units import SIGNS, Unit, names, resolve_unit

_REST = re.compile(r"[0-9]++(?:[.,'_/-]?[0-9A-Za-z]+)*+")


# Numbers of clauses of a law.
_CLAUSE_BEFORE = re.compile(r"(?:§|\b(?:Abs|Art)\.) ?$")
_HAN_IDIOM = re.compile(
    "一[些样般直定旦起致切并下共边方面旁]|十分(?!钟|之)|万一|千万别|三[者角维]|四[周处轮]|二[维手者]"
    "|两[者侧旁]"
)
_HAN_WORD_STARTS = frozenset("统第唯单同")
_HAN_COPULAS = frozenset("为是：: |达")
_HAN_DETERMINERS = frozenset("每这那某任")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as it stands in a text.

    Attributes:
        value: the exact number, sign and scale words applied; of "12%" it is 12.
        unit: symbol of the unit, or None for a bare number or a count.
        unit_text: the unit as it was written ("$", "kilometres"), or "".
        noun: what is counted or described, as the words that follow ("matching assets"), or "".
        span: where number, sign, scale and unit stand, end exclusive.
        raw: as it was written.
        decimals: digits after the decimal mark.
        significant: digits that carry meaning, trailing zeros of whole numbers not counted.
        scale: product of the scale words, 1 without any.
        bound: what a qualifier before it says: "about", "over" (at least, more than), "under" or
            "nearly" (under, and not by much).
        words: whether it was written in words or characters, not digits.
        parts: into how many parts one is divided by the fraction that was written: 4 of "2¼".
    """

    value: Decimal
    unit: str | None
    unit_text: str
    noun: str
    span: tuple[int, int]
    raw: str
    decimals: int
    significant: int
    scale: Decimal
    bound: Bound | None = None
    words: bool = False
    parts: int = 1

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.unit == "%"

    @property
    def step(self) -> Decimal:
        """Worth of the last place that was written, in the unit: 0.1 million for "3.6 million"."""
        return self.scale.scaleb(-self.decimals)


_NOT_IN_WORD = "(?<![A-Za-z0-9_ÄÖÜäöüß-])"


@cache
def _starts() -> re.Pattern[str]:
    """The pattern of what begins a number, made from the word files for the first text."""
    en, de, zh = (number_words(language) for language in ("en", "de", "zh"))
    # German words stand in texts with umlauts, and are compared without.
    german = {
        word
        for kind in ("ones", "tens", "mixed", "fraction_prefixes", "scales", "fractions")
        for word in (*getattr(de, kind), *tables("de")["numbers"][kind])
    }
    begins = (
        german
        - {"ein", *de.fractions}
        - {w for w, v in de.scales.items() if v not in (100, 1000, 100_000)}
    )
    english = any_of([*en.ones, *en.tens])
    after_article = any_of([*en.scales, *en.fractions])
    after_german_article = any_of(german - {*de.ones, *de.tens})
    han = "".join([*zh.ones, *zh.tens, *zh.scales])
    signs = "".join(SIGNS_OF_FRACTIONS)
    return re.compile(
        rf"[0-9]|[{signs}]|{_NOT_IN_WORD}(?:(?:{english}|half)\b"
        rf"|an?[ \u00a0-](?={after_article})|(?:an|einer?) (?=(?:hour|stunde)\b)"
        rf"|(?:{any_of(de.articles)}) (?=(?:und|bis|{after_german_article}|{english}))"
        rf"|ein(?=(?:und|ein|drei|hundert|tausend|viertel))[a-zäöüß]{{0,60}}"
        rf"|(?:{any_of({w for w in german if w.startswith('halb')})})[ -](?=[mbtd])"
        rf"|(?:{any_of(begins)})[a-zäöüß]{{0,60}})"
        rf"|(?<![第{han}])[{han}]|半(?=[个個万萬亿億小公英])",
        re.IGNORECASE,
    )


_JOINT = re.compile(
    r" ?(?:[-–—~～至到,、，]|,? ?(?:to|and|or|und|oder|bis|和|或)"
    r"|against|versus|vs\.?|instead of|rather than|compared (?:to|with)"
    r"|gegenüber|statt|auf"
    r"|升至|增至|降至|减至|升到|降到|而不是) ?"
)
# "3.9 of 4.8 million" is one unit; "3 of 5 million" may be three.
_PARTS = frozenset((" of ", " von "))
_PREFIXED = frozenset(SIGNS)


def find_quantities(text: str, dates: Sequence[DateMention] | None = None) -> list[Quantity]:
    """Find every quantity, in order, without overlap.

    Dates, ordinals ("2nd", 第三), times of day, versions ("1.2.3"), fractions and digits that are
    part of a name ("A3", "CC-BY-4.0", "#7") are none. Of a range ("10-12 km") both ends are
    found, in the unit of the second. Parentheses make a number negative only where they hold it
    with a currency, or stand alone in a table cell.

    Args:
        text: any text.
        dates: what `find_dates` finds in it, where that is known already.
    """
    flat = plain(text)
    mentions = find_dates(flat) if dates is None else dates
    phones = [match.span() for match in _PHONE.finditer(flat)]
    skips = sorted([mention.span for mention in mentions] + find_partial_dates(flat) + phones)
    found: list[Quantity] = []
    spoken: list[Decimal] = []
    position = skip = 0
    starts = _starts()
    while match := starts.search(flat, position):
        start = match.start()
        while skip < len(skips) and skips[skip][1] <= start:
            skip += 1
        if skip < len(skips) and skips[skip][0] <= start:
            position = skips[skip][1]
            continue
        limit = skips[skip][0] if skip < len(skips) else len(flat)
        if flat.startswith("百分之", start):
            position = start + 3
            continue
        if _CLOCK.search(flat, max(0, start - 16), start) is not None:
            position = _past(flat, start) if flat[start].isdigit() else match.end()
            continue
        numeral = hour_by_article(flat, start) or read_amount(flat, start)
        if isinstance(numeral, Unread):
            position = max(_past(flat, start), min(numeral.end, limit))
            continue
        if numeral is None or numeral.end > limit:
            position = max(_past(flat, start), match.end() if flat[start].isalpha() else 0)
            continue
        if _is_label(flat, start, numeral):
            position = max(_past(flat, start), numeral.end)
            continue
        quantity = _quantity(flat, text, start, numeral)
        if found and (whole := with_hours(flat, text, found[-1], quantity)) is not None:
            found[-1] = whole
            position = whole.span[1]
            continue
        found.append(quantity)
        spoken.append(max(numeral.spoken, quantity.scale))
        _share_unit(flat, found, spoken)
        position = max(quantity.span[1], start + 1)
    return found


# What makes a time of day of the number after it.
_CLOCK = re.compile(
    r"\b(?:half past|quarter past|quarter to|halb|dreiviertel|viertel (?:nach|vor)) $",
    re.IGNORECASE,
)
# Telephone numbers, and codes of three groups or more: 978-3-16-148410-0.
_PHONE = re.compile(
    r"\+[0-9]{1,3}(?:[ /-]\(?[0-9]{1,5}\)?)(?:[ /-][0-9]{2,9}){1,5}"
    r"|(?<![0-9A-Za-z.,-])[0-9]{1,12}(?:-[0-9]{1,12}){2,8}(?![0-9A-Za-z]|[.,][0-9])"
)
# Chinese tells a speed as a way of an hour: 每小时100公里.
_PER_HOUR = re.compile("(?:每小时|时速)$")
_SO_MUCH = re.compile(r"(?<=mal) so\b", re.IGNORECASE)


def parse_quantity(text: str) -> Quantity | None:
    """Read a text that is one quantity and nothing else ("12.5 km", "$3.6 billion", "12%")."""
    stripped = text.strip()
    found = find_quantities(stripped)
    if len(found) == 1 and found[0].span == (0, len(stripped)):
        return found[0]
    value = parse_number(stripped)
    if value is None:
        return None
    body = plain(stripped).strip("()-+ ")
    numeral = read_amount(body, 0) if body else None
    if not isinstance(numeral, Numeral):
        return None
    span = (0, len(stripped))
    return Quantity(
        value, None, "", "", span, stripped, numeral.decimals, numeral.significant,
        numeral.scale, None, numeral.words, numeral.parts,
    )  # fmt: skip


def _is_code(word: str) -> bool:
    """Whether a word is the code of a currency."""
    unit = resolve_unit(word)
    return unit is not None and unit.symbol == word and unit.dimension.startswith("currency")


@lru_cache(maxsize=1_024)
def find_units_of_head(written: str) -> Sequence[Quantity]:
    """Return one of each unit or scale that the head of a column may be read as: "US$ billion".

    Args:
        written: the head, or what stands in its brackets.
    """
    words = [word.rstrip(".") for word in written.split()]
    if any(word in SIGNS for word in words) or any(map(_is_code, words)):
        short = {"m": "million", **{sign: own[0] for sign, own in SIGNS.items()}}
        words = [short.get(word, word) for word in words]
    reads = (parse_quantity(" ".join(["1", *own])) for own in (words, words[::-1]))
    return [read for read in reads if read is not None]


def _quantity(flat: str, text: str, start: int, numeral: Numeral) -> Quantity:
    """The quantity around a number: its sign, unit, noun and bound."""
    value, end = numeral.value, numeral.end
    unit: Unit | None = None
    unit_text = ""
    first = start
    begin, prefix_unit, negative = before(flat, start)
    percent = flat[max(0, start - 3) : start] == "百分之"
    if percent:
        first, unit, unit_text = start - 3, names()["%"], "百分之"
        begin, _, negative = before(flat, first)
    if begin is not None:
        first = begin
    if prefix_unit:
        unit_text = prefix_unit
        unit = resolve_unit(prefix_unit)
    scale, value, end = late_scale(flat, numeral, prefix_unit)
    if not percent:
        after = unit_after(flat, end)
        if after is not None and (unit is None or after[0].symbol == unit.symbol):
            unit, unit_text, end = after[0], unit_text or after[1], after[2]
    if is_accounting(flat, first, end, prefix_unit):
        negative, first, end = True, first - 1, end + 1
    per_hour = _PER_HOUR.search(flat, max(0, first - 3), first)
    if per_hour is not None and unit is not None and unit.symbol == "km":
        first, unit = per_hour.start(), names()["km/h"]
    if unit is None and numeral.words and _SO_MUCH.match(flat, end):
        unit, unit_text = names()["×"], "mal"  # "siebenmal so hoch"
    noun = noun_after(flat, end) if unit is None else ""
    bound = bound_of(flat, first, end)
    return Quantity(
        -value if negative else value, unit.symbol if unit else None, unit_text, noun,
        (first, end), text[first:end], numeral.decimals, numeral.significant, scale, bound,
        numeral.words, numeral.parts,
    )  # fmt: skip


def _share_unit(flat: str, found: list[Quantity], spoken: list[Decimal]) -> None:
    """Give what ends a range or list to its earlier members: "3, 4 and 5 km", "3-4 million"."""
    last, said = found[-1], spoken[-1]
    if last.unit_text in _PREFIXED or (last.unit is None and said == 1):
        return
    following = last
    for i in range(len(found) - 2, max(-1, len(found) - 13), -1):
        member = found[i]
        joint = flat[member.span[1] : following.span[0]]
        is_part = member.decimals and last.decimals and joint in _PARTS
        priced = member.unit_text in _PREFIXED or member.raw.startswith(member.unit_text)
        shares = priced and last.unit is None and not last.noun
        if member.noun or (member.unit is not None and not shares):
            return
        if not is_part and not _JOINT.fullmatch(joint):
            return
        scale, value = member.scale, member.value
        if spoken[i] == 1 and said > 1:
            scale = scale if member.words else said
            value = EXACT.multiply(value, said)
            spoken[i] = said
        found[i] = following = replace(
            member,
            value=value,
            scale=scale,
            unit=last.unit or member.unit,
            unit_text=last.unit_text or member.unit_text,
        )


def _past(flat: str, start: int) -> int:
    """Position after the token that begins at a place where no quantity does."""
    rest = _REST.match(flat, start)
    return rest.end() if rest is not None else start + 1


_HAN_SCALED = re.compile("[0-9][0-9.,]*[万萬亿億]")


def _is_label(flat: str, start: int, numeral: Numeral) -> bool:
    """Whether the digits are part of a name, a time, an ordinal, a fraction or a version."""
    end = numeral.end
    before, after = flat[start - 1 : start], flat[end : end + 1]
    if numeral.words:
        return _is_no_han_number(flat, start, end) if not flat[start].isascii() else False
    if before.isascii() and before.isalpha() and _HAN_SCALED.match(flat, start):
        return False  # GDP1.58万亿
    if before and ((before.isascii() and before.isalpha()) or before in "_#@.\\第"):
        code = flat[max(0, start - 3) : start]
        return not (len(code) == 3 and code.isupper() and resolve_unit(code) is not None)
    if before in ("-", "/", ":", "'") and flat[max(0, start - 2) : start - 1].isalnum():
        # "10-12 km" is a range and "长度:12" a value; "BY-4.0", "1/2", "12:30" are neither.
        earlier = flat[start - 2]
        if before in "/'" or (before == "-" and earlier.isascii() and earlier.isalpha()):
            return True
        if before == ":" and earlier.isdigit():
            return True
    if _CLAUSE_BEFORE.search(flat, max(0, start - 6), start) is not None:
        return True
    if after in ("/", ":", ".", ",", "_") and flat[end + 1 : end + 2].isdigit():
        return True
    if after == "'" and flat[end + 1 : end + 2].isalnum():
        return True
    return after.isascii() and after.isalpha() and unit_after(flat, end) is None


def _is_no_han_number(flat: str, start: int, end: int) -> bool:
    """Whether characters that could be a number are part of a word ("统一", "一些", "十分")."""
    if _HAN_IDIOM.match(flat, start) or flat[start - 1 : start] == "双":
        return True
    if end - start > 1:
        return False
    previous = flat[start - 1 : start]
    if previous in _HAN_WORD_STARTS:
        return True
    if CLASSIFIER.match(flat, end) or flat.startswith(("成", "个百分点", "个月"), end):
        return previous in _HAN_DETERMINERS
    if unit_after(flat, end) is not None:
        return False
    # "车道数为四。": alone after the word that says what it is.
    return not (previous in _HAN_COPULAS and not flat[end : end + 1].isalnum())
