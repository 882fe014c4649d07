"""Times that people write in several words: "an hour", "1 hour 10 minutes", 一小时10分钟."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from groundwire.quantities.numerals import Numeral

if TYPE_CHECKING:
    from groundwire.quantities.finder import Quantity

# An article before an hour is a number where it is not a rate ("60 km an hour"): behind a bound or
# a word of lasting, or before its minutes.
_AN_HOUR = re.compile(
    r"(?:an|einer?) (?=hour\b|Stunde\b)(?!\w+ (?:and|und) (?:an?|eine?) )", re.IGNORECASE
)
_LEADS = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|over|under|below|above|than|least|most"
    r"|exactly|just|only|takes?|took|taking|lasts?|lasted|in|within|for|to|of|is|was|be"
    r"|rund|etwa|ungefähr|knapp|gut|fast|nahezu|über|unter|als|genau|nur|dauert|dauerte|braucht"
    r"|brauchst|brauchen|in|von|um)|[~≈(:]) ?$",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"(?:hour|Stunde)(?:,? (?:and|und))? (?:[0-9]{1,2}|[a-zäöü]{3,24})[ -]min", re.IGNORECASE
)
_BETWEEN = re.compile(r"\.?,? ?(?:(?:and|und) |又|零)?")
_LEAD = 18
_SIXTY = Decimal(60)


def hour_by_article(flat: str, start: int) -> Numeral | None:
    """Read an article before "hour" as one, where it tells how long something takes."""
    match = _AN_HOUR.match(flat, start)
    if match is None or (start and flat[start - 1].isalnum()):
        return None
    led = _LEADS.search(flat, max(0, start - _LEAD), start) is not None
    if not led and _FOLLOWS.match(flat, match.end()) is None:
        return None
    return Numeral(Decimal(1), match.end() - 1, 0, 1, Decimal(1), words=True)


def with_hours(flat: str, text: str, hours: Quantity, minutes: Quantity) -> Quantity | None:
    """Return hours and the minutes right behind them as minutes; None where they are two times."""
    if (hours.unit, minutes.unit) != ("h", "min") or minutes.bound or hours.decimals:
        return None
    whole = hours.value >= 0 and hours.value == hours.value.to_integral_value()
    if not whole or not 0 < minutes.value < _SIXTY:
        return None
    if _BETWEEN.fullmatch(flat, hours.span[1], minutes.span[0]) is None:
        return None
    span = (hours.span[0], minutes.span[1])
    value = hours.value * _SIXTY + minutes.value
    return replace(
        minutes,
        value=value,
        span=span,
        raw=text[slice(*span)],
        significant=len(str(value.to_integral_value())) + minutes.decimals,
        bound=hours.bound,
    )
