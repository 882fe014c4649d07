"""Every quantity in a text, with its unit, its noun, and how precisely it was written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from groundwire.quantities.chinese import DIGITS as HAN_DIGITS
from groundwire.quantities.chinese import SCALES as HAN_SCALES
from groundwire.quantities.dates import DateMention, find_dates, find_partial_dates
from groundwire.quantities.english import ONES, SCALES, TENS
from groundwire.quantities.labels import is_label, past
from groundwire.quantities.numerals import EXACT, Numeral, parse_number, plain, read_numeral
from groundwire.quantities.surroundings import (
    Bound,
    before,
    bound_of,
    is_accounting,
    late_scale,
    noun_after,
    unit_after,
)
from groundwire.quantities.unit_table import SIGNS
from groundwire.quantities.units import Unit, names, resolve_unit


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

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.unit == "%"

    @property
    def step(self) -> Decimal:
        """Worth of the last place that was written, in the unit: 0.1 million for "3.6 million"."""
        return self.scale.scaleb(-self.decimals)


_WORDS = "|".join(sorted([*ONES, *TENS, *SCALES], key=len, reverse=True))
_HAN = "".join([*HAN_DIGITS, *HAN_SCALES])
_START = re.compile(
    rf"[0-9]|(?<![A-Za-z0-9_-])(?:half an? |an? (?={'|'.join(SCALES)})|)(?:{_WORDS})\b"
    rf"|(?<![第{_HAN}])[{_HAN}]",
    re.IGNORECASE,
)

_JOINT = re.compile(r" ?(?:[-–—~～至到,、，]|,? ?(?:to|and|or|和|或)) ?")
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
    skips = sorted([mention.span for mention in mentions] + find_partial_dates(flat))
    found: list[Quantity] = []
    position = skip = 0
    while match := _START.search(flat, position):
        start = match.start()
        while skip < len(skips) and skips[skip][1] <= start:
            skip += 1
        if skip < len(skips) and skips[skip][0] <= start:
            position = skips[skip][1]
            continue
        limit = skips[skip][0] if skip < len(skips) else len(flat)
        numeral = read_numeral(flat, start)
        if numeral is None or numeral.end > limit:
            position = past(flat, start)
            continue
        if is_label(flat, start, numeral):
            position = max(past(flat, start), numeral.end)
            continue
        quantity = _quantity(flat, text, start, numeral)
        if quantity is None:
            position = max(start + 1, numeral.end)
            continue
        _share_unit(flat, found, quantity)
        found.append(quantity)
        position = max(quantity.span[1], start + 1)
    return found


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
    numeral = read_numeral(body, 0)
    if numeral is None:
        return None
    span = (0, len(stripped))
    return Quantity(
        value, None, "", "", span, stripped, numeral.decimals, numeral.significant,
        numeral.scale, None, numeral.words,
    )  # fmt: skip


def _quantity(flat: str, text: str, start: int, numeral: Numeral) -> Quantity | None:
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
    noun = noun_after(flat, end) if unit is None else ""
    bound = bound_of(flat, first, end)
    return Quantity(
        -value if negative else value, unit.symbol if unit else None, unit_text, noun,
        (first, end), text[first:end], numeral.decimals, numeral.significant, scale, bound,
        numeral.words,
    )  # fmt: skip


def _share_unit(flat: str, found: list[Quantity], last: Quantity) -> None:
    """Give what ends a range or list to its earlier members: "3, 4 and 5 km", "3-4 million"."""
    if last.unit_text in _PREFIXED or (last.unit is None and last.scale == 1):
        return
    following = last
    for i in range(len(found) - 1, max(-1, len(found) - 12), -1):
        member = found[i]
        joint = flat[member.span[1] : following.span[0]]
        if member.unit is not None or member.noun or not _JOINT.fullmatch(joint):
            return
        scale, value = member.scale, member.value
        if scale == 1 and last.scale > 1:
            scale = last.scale
            value = EXACT.multiply(value, scale)
        found[i] = following = replace(
            member, value=value, scale=scale, unit=last.unit, unit_text=last.unit_text
        )
