"""Days on which the services of a feed run."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from groundwire.errors import InputError
from groundwire.journeys.timetable.tables import FeedTables

MOST_DAYS = 1_500
"""Days that a timetable may span; of one that spans more, those from a year ago on count."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ADDED, _REMOVED = "1", "2"


class ServiceDays(NamedTuple):
    """Which services run on which days.

    Attributes:
        first: the day of the first row.
        active: days by kinds of services: 1 where one runs.
        kind: by service, its column: services that run on the same days share one.
    """

    first: date
    active: npt.NDArray[Any]
    kind: npt.NDArray[Any]


def read_service_days(tables: FeedTables, today: date, problems: list[str]) -> ServiceDays:
    """Read calendar and calendar_dates.

    Raises:
        InputError: no day can be read.
    """
    services = {name: number for number, name in tables.rows("SELECT n, id FROM services")}
    weeks = tables.rows(
        f"SELECT trim(service_id), {', '.join(_WEEKDAYS)}, start_date, end_date FROM raw_calendar"  # noqa: S608 - names of ours, no value of a caller
    )
    dates = tables.rows("SELECT trim(service_id), date, exception_type FROM raw_calendar_dates")
    spans, changes = _spans(weeks, services), _changes(dates, services)
    unread = sum(one is None for one in (*spans, *changes))
    spans = [one for one in spans if one is not None and one[0] >= 0]
    changes = [one for one in changes if one is not None and one[0] >= 0]
    if unread:
        problems.append(f"{unread} rows of calendar or calendar_dates cannot be read: left out.")
    every = [*(day for _, one, other, _ in spans for day in (one, other))]
    every += [day for _, day, added in changes if added]
    if not every:
        raise InputError("No trip of this feed runs on any day: its calendars are empty.")
    first, last = _window(min(every), max(every), today, problems)
    active = np.zeros(((last - first).days + 1, max(len(services), 1)), np.uint8)
    for service, begins, ends, days in spans:
        low, high = max((begins - first).days, 0), (min(ends, last) - first).days + 1
        for weekday, runs in enumerate(days):
            ahead = (weekday - (first + timedelta(days=low)).weekday()) % 7
            if runs and low + ahead < high:
                active[low + ahead : high : 7, service] = 1
    for service, day, added in changes:
        if first <= day <= last:
            active[(day - first).days, service] = added
    return _shared(first, active)


def _spans(
    rows: list[tuple[Any, ...]], services: dict[str, int]
) -> list[tuple[int, date, date, tuple[bool, ...]] | None]:
    """Spans of calendar by service (-1 for one without trips), None for a row without days."""
    found: list[tuple[int, date, date, tuple[bool, ...]] | None] = []
    for name, *days, start, end in rows:
        begins, ends = _day(start), _day(end)
        if begins is None or ends is None or ends < begins:
            found.append(None)
        else:
            found.append((services.get(name, -1), begins, ends, tuple(map(_one, days))))
    return found


def _changes(
    rows: list[tuple[Any, ...]], services: dict[str, int]
) -> list[tuple[int, date, bool] | None]:
    """Days of calendar_dates by service, and whether they are added; None for a bad row."""
    found: list[tuple[int, date, bool] | None] = []
    for name, day, kind in rows:
        when, said = _day(day), str(kind).strip()
        known = when is not None and said in (_ADDED, _REMOVED)
        found.append((services.get(name, -1), when, said == _ADDED) if known and when else None)
    return found


def _shared(first: date, active: npt.NDArray[Any]) -> ServiceDays:
    """Services that run on the same days put together: a feed may have one for each trip."""
    _, columns, kind = np.unique(
        np.packbits(active, axis=0), axis=1, return_index=True, return_inverse=True
    )
    return ServiceDays(first, np.ascontiguousarray(active[:, columns]), kind.reshape(-1))


def _window(first: date, last: date, today: date, problems: list[str]) -> tuple[date, date]:
    if (last - first).days < MOST_DAYS:
        return first, last
    start = max(first, min(today - timedelta(days=366), last - timedelta(days=MOST_DAYS - 1)))
    end = min(last, start + timedelta(days=MOST_DAYS - 1))
    problems.append(f"The calendars span {first} to {last}: only {start} to {end} was taken.")
    return start, end


def _one(value: Any) -> bool:
    return str(value).strip() == "1"


def _day(value: Any) -> date | None:
    try:
        return datetime.strptime(str(value).strip(), "%Y%m%d").date()
    except ValueError:
        return None
