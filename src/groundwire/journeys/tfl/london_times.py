"""TfL's journey times, which are London's wall clock without a zone.

At the end of summer time one hour of the wall clock comes twice; which of the two is meant is
told by the durations that TfL gives, as far as they tell it.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache

from groundwire.journeys.itinerary import LONDON


@lru_cache(maxsize=4096)
def london_time(text: str) -> datetime | None:
    """A time of a journey in Europe/London, the first of two that it may be; None for none.

    `0001-01-01T00:00:00` stands for none. One that the clocks leave out is moved on, as they are.
    """
    if text.startswith("0001"):
        return None
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=LONDON)
        return moment.astimezone(UTC).astimezone(LONDON)
    except (ValueError, OverflowError):
        return None


def settled(
    start: datetime, end: datetime, minutes: int | None, after: datetime | None = None
) -> tuple[datetime, datetime]:
    """Start and end, each the one of its two meanings that fits.

    Args:
        start: as `london_time` gives it.
        end: the same.
        minutes: how long it takes, by TfL.
        after: when what comes before has ended.
    """
    starts, ends = _meanings(start), _meanings(end)
    if len(starts) == len(ends) == 1:
        return start, end

    def misfit(pair: tuple[datetime, datetime]) -> tuple[bool, bool, float]:
        taken = (pair[1].timestamp() - pair[0].timestamp()) / 60
        early = after is not None and pair[0].timestamp() < after.timestamp()
        return taken < 0, early, abs(taken - (minutes or 0))

    return min(((first, last) for first in starts for last in ends), key=misfit)


def _meanings(moment: datetime) -> list[datetime]:
    if moment.month != 10:
        # Summer time ends on the last Sunday of October (The Summer Time Order 2002).
        return [moment]
    later = moment.replace(fold=1)
    return [moment, later] if later.utcoffset() != moment.utcoffset() else [moment]
