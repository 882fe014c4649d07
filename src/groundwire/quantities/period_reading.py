"""A meaning read on a fiscal calendar and a reference day, with what was assumed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from groundwire.quantities.period_meaning import (
    Ended,
    Latest,
    Meaning,
    Point,
    Rolling,
    Since,
    Span,
    Unclear,
    UnreadableError,
    is_relative,
)
from groundwire.quantities.periods import FiscalCalendar, Period, PeriodGrain

ReadingKind = Literal["single", "several", "since", "latest", "rolling", "unreadable"]


@dataclass(frozen=True, slots=True)
class PeriodReading:
    """An expression of time as read on one calendar.

    Attributes:
        kind: `single`, a period; `several`, each of a range; `since`, all from a first one on;
            `latest`, the newest that there is; `rolling`, a window that ends with the newest or
            today; `unreadable`, one must ask.
        periods: of `single` the one, of `several` each, of `since` the first; else none.
        grain: of `latest` and `rolling` the length asked for, if any was.
        raw: as it was written.
        note: how a relative word was read, or why nothing was; else "".
        count: of `rolling` how many periods of the grain; else 0.
    """

    kind: ReadingKind
    periods: tuple[Period, ...]
    grain: PeriodGrain | None
    raw: str
    note: str
    count: int = 0


def read_meaning(
    meaning: Meaning, raw: str, calendar: FiscalCalendar, reference: date
) -> PeriodReading:
    """Read a meaning on a calendar and a reference day."""
    if isinstance(meaning, Latest):
        return PeriodReading("latest", (), meaning.grain, raw, "")
    if isinstance(meaning, Rolling):
        note = f"{raw} is {meaning.name}"
        return PeriodReading("rolling", (), meaning.grain, raw, note, meaning.count)
    shown = " ".join(raw.split())
    if isinstance(meaning, Unclear):
        return PeriodReading("unreadable", (), None, raw, f"{shown}: {meaning.why}")
    try:
        kind, periods = _periods(meaning, calendar, reference)
    except UnreadableError as error:
        why = str(error)
        note = f"{shown} {why}" if why.startswith("of which") else f"{shown}: {why}"
        return PeriodReading("unreadable", (), None, raw, note)
    except (ValueError, OverflowError):
        note = f"{shown}: outside the years that a date can hold"
        return PeriodReading("unreadable", (), None, raw, note)
    note = ""
    if is_relative(meaning):
        label = periods[0].label if len(periods) == 1 else _ends(periods)
        since = "from " if kind == "since" else ""
        note = f"{shown} = {since}{label} (today is {reference.isoformat()})"
    return PeriodReading(kind, periods, None, raw, note)


def _ends(periods: tuple[Period, ...]) -> str:
    return f"{periods[0].label} to {periods[-1].label}"


def _periods(
    meaning: Point | Span | Since | Ended, calendar: FiscalCalendar, reference: date
) -> tuple[ReadingKind, tuple[Period, ...]]:
    if isinstance(meaning, Span):
        return meaning.members(calendar, reference)
    if isinstance(meaning, Since):
        return "since", (meaning.first(calendar, reference),)
    return "single", (meaning.period(calendar, reference),)
