"""Cases of time and knowledge: words that are no period, days of knowledge, and conflicts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from groundwire.metrics.terms import Arguments
from tests.evals.metrics_drawing import Draw
from tests.evals.metrics_judging import FOUND, NO_VALUE, NOT_HELD, NOT_READ, UNREAD, Case
from tests.evals.metrics_spelling import is_chinese, period_names
from tests.evals.metrics_truth import Key

_FOUND, _UNREAD, _NOT_HELD = frozenset((FOUND,)), frozenset((UNREAD,)), frozenset((NOT_HELD,))

ROLLING = ("TTM", "trailing twelve months", "the last twelve months", "LTM", "YTD", "year to date",
           "rolling 12 months", "the past 12 months")  # fmt: skip
ROLLING_CHINESE = ("过去十二个月", "近12个月", "最近十二个月", "年初至今", "今年以来", "滚动12个月")
UNREADABLE = (
    "the nineties", "the Tang dynasty", "Lent", "a while ago", "Q5 2024", "FY20245", "the 1990s",
    "the 13th month of 2024", "2024-13", "the summer of 2023", "wartime", "Ramadan 2022",
    "the day after tomorrow week", "20244", "the Year of the Dragon", "the pandemic",
    "before 2020", "circa 2015", "mid-2020", "the early 2000s", "H3 2024",
    "two thousand and plenty", "the 20th century",
)  # fmt: skip
UNREADABLE_CHINESE = (
    "2024年第五季度", "2024年13月", "春节期间", "五代十国时期", "九十年代", "去年底左右",
    "疫情期间", "2020年以前", "2024年中", "上世纪末", "唐朝", "2024年下旬", "那几年",
    "2020年前后", "双十一期间",
)  # fmt: skip
# Words that make another period of a year, or none.
ALTERED = (
    "not {}", "except {}", "early {}", "late {}", "the summer of {}", "until {}", "half year {}",
    "the {} quarter", "the first week of {}", "Christmas {}", "all years but {}", "{} BC",
    "pre-{}", "the years before {}", "the winter of {}", "the quarter {}", "month {}",
    "the first days of {}", "half {}", "{} minus one", "the middle of {}", "the eve of {}",
    "up to {}", "the spring {}", "each quarter of {}", "the weekend of {}", "a quarter of {}",
)  # fmt: skip
ALTERED_CHINESE = (
    "{}年初", "{}年春", "除{}年外", "非{}年", "{}年前", "{}年以前", "{}年第五季度", "公元前{}年",
    "{}年夏季", "{}年头两个月", "{}年某季度", "{}年中旬", "{}年各季度", "{}年春节", "{}年每月",
    "{}年底前", "{}年之前", "{}年半", "{}年首周",
)  # fmt: skip
EACH = ("each quarter", "各季度")
QUARTERS = ("Q3", "the third quarter", "Q1", "quarter 2", "H1", "the first half")
QUARTERS_CHINESE = ("第三季度", "三季度", "上半年", "一季度", "第四季度")


def _words_of_time(
    draw: Draw, kind: str, english: tuple[str, ...], chinese: tuple[str, ...], count: int
) -> Iterator[Case]:
    pool = (*english, *chinese) if draw.world.chinese else english
    for number in range(count):
        word = draw.rng.choice(pool)
        key = draw.key(channel=False)
        if number % 3 == 0:
            sent = Arguments(key.metric, key.entity, word, key.channel)
            yield Case(kind, draw.world, sent, _UNREAD)
            continue
        asked = draw.question(key, is_chinese(word), p=word)
        yield Case(kind, draw.world, asked.text, NOT_READ, held_out=asked.held_out)


def rolling(draw: Draw, count: int) -> Iterator[Case]:
    """Periods that move with the day, which no fact has."""
    return _words_of_time(draw, "rolling period", ROLLING, ROLLING_CHINESE, count)


def unreadable(draw: Draw, count: int) -> Iterator[Case]:
    """Words of time that are no period: they block every default."""
    return _words_of_time(draw, "unreadable time", UNREADABLE, UNREADABLE_CHINESE, count)


def altered(draw: Draw, count: int) -> Iterator[Case]:
    """A year that is held, with a word that makes something else of it."""
    for number in range(count):
        key = draw.key(channel=False)
        if not 360 <= (key.end - key.start).days <= 366:
            continue
        chinese = draw.world.chinese and draw.rng.random() < 0.4
        word = draw.rng.choice(ALTERED_CHINESE if chinese else ALTERED).format(key.end.year)
        if number % 3 == 0:
            sent = Arguments(key.metric, key.entity, word, key.channel)
            yield Case("year altered by a word", draw.world, sent, NO_VALUE)
            continue
        asked = draw.question(key, chinese, p=word)
        # A question for each quarter may be answered by a table of just the quarters.
        rows = _quarters(draw, key) if any(one in word for one in EACH) else None
        yield Case(
            "year altered by a word", draw.world, asked.text, NO_VALUE, rows=rows,
            held_out=asked.held_out,
        )  # fmt: skip


def _quarters(draw: Draw, key: Key) -> tuple[Decimal, ...]:
    """The values of the quarters of a year, in order."""
    within = [
        one
        for one in draw.world.truth.versions
        if one.series == key.series and key.start <= one.start and one.end <= key.end
        and 88 <= (one.end - one.start).days <= 92
    ]  # fmt: skip
    return tuple(draw.truth(one).value for one in sorted(within))


def quarter_alone(draw: Draw, count: int) -> Iterator[Case]:
    """A part of a year without the year."""
    return _words_of_time(draw, "part without year", QUARTERS, QUARTERS_CHINESE, count)


def before_known(draw: Draw, count: int) -> Iterator[Case]:
    """Facts asked as of a day before any document said them."""
    for _ in range(count):
        key = draw.key()
        first = draw.world.truth.versions[key][0].as_of
        day = first - timedelta(days=draw.rng.choice((1, 2, 30, 400)))
        sent = Arguments(key.metric, key.entity, draw.period(key), key.channel, day.isoformat())
        value = draw.truth(key).value
        yield Case("before it was known", draw.world, sent, _NOT_HELD, withheld=value)


def restated(draw: Draw, count: int) -> Iterator[Case]:
    """Facts that were said anew, as known on a day before or after that."""
    versions = draw.world.truth.versions
    changed = [
        key
        for key, said in versions.items()
        if len({one.value for one in said}) > 1
        and len({one.as_of for one in said}) > 1
        and key.entity in draw.world.profile.entity_by_code
        and period_names(draw.world.profile, key, chinese=False)
    ]
    for _ in range(count if changed else 0):
        key = draw.rng.choice(changed)
        version = draw.rng.choice(versions[key])
        later = [one.as_of for one in versions[key] if one.as_of > version.as_of]
        last = (later[0] if later else version.as_of + timedelta(days=60)) - timedelta(days=1)
        day = draw.rng.choice((version.as_of, last))
        answer = draw.world.truth.answer(key, day)
        assert answer is not None
        sent = Arguments(key.metric, key.entity, draw.period(key), key.channel, day.isoformat())
        yield Case("restated, as of a day", draw.world, sent, _FOUND, (answer,))


def conflicting(draw: Draw, count: int) -> Iterator[Case]:
    """Facts of which two publishers say different values; and facts of which none disagrees."""
    truth = draw.world.truth
    odd = [key for key in truth.keys if truth.conflicts(key)]
    for number in range(count if odd else 0):
        key = draw.rng.choice(odd) if number % 2 else draw.key()
        sent = Arguments(key.metric, key.entity, draw.period(key), key.channel)
        conflicts = truth.conflicts(key)
        kind = "publishers disagree" if conflicts else "publishers agree"
        yield Case(kind, draw.world, sent, _FOUND, (draw.truth(key),), conflicts=conflicts)
