"""How people write the same name and the same period, and how they misspell them."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from groundwire.metrics.gate.readings import read_table
from groundwire.metrics.profile import Profile
from groundwire.vocabulary.fold import CJK_RUN
from tests.evals.metrics_truth import Key

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_ORDINALS = ("first", "second", "third", "fourth")
_HAN = "零一二三四五六七八九"
_WIDE = {ord(char): ord(char) + 0xFEE0 for char in string.ascii_letters + string.digits}
_CYRILLIC = dict(zip("aceopxyiBMHKTAEOPC", "асеорхуіВМНКТАЕОРС", strict=True))


@cache
def _traditional() -> frozenset[str]:
    return frozenset(read_table("han"))


def is_chinese(name: str) -> bool:
    return bool(CJK_RUN.search(name))


def is_traditional(name: str) -> bool:
    """Whether a name has a character that has a simplified form."""
    return is_chinese(name) and any(char in _traditional() for char in name)


def wide(text: str) -> str:
    """Letters and digits in full width."""
    return text.translate(_WIDE)


def folded_names(name: str, plural: bool) -> Iterator[str]:
    """Spellings of a name that fold like it: case, width, separators, plural."""
    yield name.upper()
    yield name.lower()
    yield wide(name)
    yield f"  {name} "
    words = name.split()
    if len(words) > 1 and name.replace(" ", "").isalnum():
        yield "-".join(words)
        yield "_".join(words)
        yield "   ".join(words)
    if plural and name.isascii() and words[-1].isalpha() and words[-1].islower():
        last = words[-1]
        if len(last) > 3 and not last.endswith(("s", "x", "sh", "ch", "y", "people")):
            yield f"{name}s"


def one_edit(name: str, rng: random.Random) -> str:
    """A name with one letter left out, put in, changed or swapped."""
    places = [at for at, char in enumerate(name) if char.isalpha() and at]
    at = rng.choice(places)
    if is_chinese(name):
        other = rng.choice("安宏远达盛兴泰隆昌")
        return name[:at] + rng.choice((other, "", other + name[at])) + name[at + 1 :]
    letter = rng.choice(string.ascii_lowercase)
    match rng.choice("dist"):
        case "d":
            return name[:at] + name[at + 1 :]
        case "i":
            return name[:at] + letter + name[at:]
        case "s":
            return name[:at] + letter + name[at + 1 :]
        case _:
            return name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]


def lookalike(name: str, rng: random.Random) -> str | None:
    """A name with one or all of its letters from another alphabet."""
    places = [at for at, char in enumerate(name) if char in _CYRILLIC]
    if not places:
        return None
    chosen = set(places) if rng.random() < 0.3 else {rng.choice(places)}
    return "".join(_CYRILLIC[char] if at in chosen else char for at, char in enumerate(name))


def period_names(profile: Profile, key: Key, chinese: bool) -> list[str]:
    """How people name the days of a fact; the canonical form first. Empty for odd intervals."""
    calendar = profile.calendar_of[key.entity]
    first, start, end = (calendar.month, calendar.day), key.start, key.end
    names: list[str] = []
    stock = profile.metric_by_code[key.metric].measure == "stock"
    if start == end and not stock:
        return _days(end, chinese)
    spans = [(start, end)]
    if start == end:
        # A value at the last day of a period is the period's.
        names += _days(end, chinese)
        spans = [(_back(end, months), end) for months in (12, 3)]
    for begin, last in spans:
        if begin.day != 1 or (last + timedelta(days=1)).day != 1:
            continue
        months = (last.year - begin.year) * 12 + last.month - begin.month + 1
        if calendar.day == 1:
            skipped = (begin.month - calendar.month) % 12
            year = (begin.year if begin.month >= calendar.month else begin.year - 1) + (
                calendar.named_by == "end" and first != (1, 1)
            )
            names += _parts(year, skipped, months, chinese, fiscal=True)
        names += _parts(begin.year, begin.month - 1, months, chinese, fiscal=False)
        if months == 1:
            names += _month(begin, chinese)
    return names


def _back(end: date, months: int) -> date:
    month = end.year * 12 + end.month - months
    return date(month // 12, month % 12 + 1, 1)


def _parts(year: int, skipped: int, months: int, chinese: bool, *, fiscal: bool) -> list[str]:
    """Names of a year, half or quarter; of a fiscal year they say so."""
    label = f"FY{year}" if fiscal else f"{year}"
    if months == 12 and skipped == 0:
        if chinese:
            han = "".join(_HAN[int(digit)] for digit in str(year))
            if fiscal:
                return [label, f"{year}财年", *_short(year)]
            return [f"{year}年", label, f"{year}年度", f"{han}年", wide(f"{year}年")]
        if fiscal:
            return [label, f"fiscal year {year}", f"FY {year}", f"fiscal {year}", *_short(year)]
        return [label, f"the year {year}", f"calendar year {year}"]
    if months == 6 and skipped % 6 == 0:
        half = skipped // 6
        if chinese:
            name = "上下"[half] + "半年"
            return [f"{label}H{half + 1}", f"{year}{'财年' if fiscal else '年'}{name}"]
        word = f"the {_ORDINALS[half]} half of "
        return [f"{label}H{half + 1}", f"H{half + 1} {label}", word + label]
    if months == 3 and skipped % 3 == 0:
        quarter = skipped // 3
        number = "一二三四"[quarter]
        if chinese:
            year_word = f"{year}{'财年' if fiscal else '年'}"
            return [
                f"{label}Q{quarter + 1}", f"{year_word}第{number}季度", f"{year_word}{number}季度",
                f"{year_word}Q{quarter + 1}",
            ]  # fmt: skip
        word = f"the {_ORDINALS[quarter]} quarter of "
        return [f"{label}Q{quarter + 1}", f"Q{quarter + 1} {label}", word + label]
    return []


def _short(year: int) -> list[str]:
    """FY24; two digits are of this century."""
    return [f"FY{year % 100:02}"] if 2000 <= year < 2050 else []


def _month(day: date, chinese: bool) -> list[str]:
    if chinese:
        return [f"{day:%Y-%m}", f"{day.year}年{day.month}月"]
    return [f"{day:%Y-%m}", f"{MONTHS[day.month - 1]} {day.year}"]


def _days(day: date, chinese: bool) -> list[str]:
    if chinese:
        return [day.isoformat(), f"{day.year}年{day.month}月{day.day}日"]
    month = MONTHS[day.month - 1]
    return [day.isoformat(), f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}"]
