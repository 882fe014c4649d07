"""The arguments of a table query, each read to controlled terms, or refused by name.

Only exact, folded and alias matches are applied; a near miss is refused with candidates. Nothing
that was sent becomes part of a statement: stores get controlled codes and stored values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NoReturn, cast

from groundwire.evidence.answers import ResolvedItem
from groundwire.metrics.results import CandidateItem, candidates, quoted
from groundwire.metrics.table.conditions import (
    QueryDimensions,
    RefusedError,
    offered,
    read_where,
    term_of,
)
from groundwire.metrics.table.query import (
    PERIOD,
    Condition,
    Dimension,
    Order,
    TableArguments,
    TableMetric,
    TableQuery,
)
from groundwire.metrics.table.rolling import (
    MOST_WINDOW,
    Window,
    averaged,
    in_english,
    last_periods,
    read_window,
)
from groundwire.metrics.table.sorting import with_direction
from groundwire.metrics.table.stores import StoreName, Tables
from groundwire.metrics.wording import listed
from groundwire.quantities import (
    CALENDAR_YEAR,
    Period,
    PeriodGrain,
    PeriodReading,
    read_day,
    read_period,
)

MOST_METRICS = 10
MOST_BY = 5
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class Understood:
    """Arguments that were all understood.

    Attributes:
        store: the store that has the metrics.
        metrics: the metrics.
        dimensions: the dimensions of `by`, in its order.
        query: the query.
        resolved: how each argument was read.
        rolling: what each value is the average over, or None.
    """

    store: StoreName
    metrics: tuple[TableMetric, ...]
    dimensions: tuple[Dimension, ...]
    query: TableQuery
    resolved: tuple[ResolvedItem, ...]
    rolling: Window | None = None


def read_table(
    tables: Tables, sent: TableArguments, today: date, screen: Callable[[str], None]
) -> Understood:
    """Read all arguments.

    Args:
        tables: the stores.
        sent: the arguments.
        today: the day that relative periods count from.
        screen: raises RefusedError for a text that names what is out of scope; it is called for
            every text first.

    Raises:
        RefusedError: an argument cannot be used.
    """
    for text in _texts(sent):
        screen(text)
    return _Reading(tables, sent, today).read()


def _texts(sent: TableArguments) -> list[str]:
    """Every text that was sent, keys among them."""
    found: list[str] = []
    waiting: list[object] = [
        sent.metrics,
        sent.by,
        sent.where or {},
        sent.period,
        sent.grain,
        sent.order_by,
        sent.as_of,
        sent.rolling_average,
    ]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, Mapping):
            entries = cast("Mapping[object, object]", one)
            waiting += [*entries.keys(), *entries.values()]
        elif isinstance(one, (list, tuple)):
            waiting += [*cast("Sequence[object]", one)]
        if len(found) > MOST_TEXTS:
            raise RefusedError(
                f"More than {MOST_TEXTS} values were sent: send fewer, or leave the condition out.",
                "where",
                "",
                "unsupported",
            )
    return list(dict.fromkeys(found))


MOST_TEXTS = 400


class _Reading:
    """Reads one call."""

    def __init__(self, tables: Tables, sent: TableArguments, today: date) -> None:
        self._tables = tables
        self._sent = sent
        self._today = today
        self._resolved: list[ResolvedItem] = []
        self._newest: Callable[[], date | None] = lambda: None
        self._window_grain: PeriodGrain | None = None

    def read(self) -> Understood:
        """Return what was understood.

        Raises:
            RefusedError: an argument cannot be used.
        """
        sent = self._sent
        store, metrics = self._metrics()
        self._newest = lambda: self._tables.last_day(store, metrics[0])
        names = QueryDimensions(self._tables.dimensions(store, metrics), metrics)
        by, grain = self._by(names)
        where = read_where(
            sent.where or {},
            lambda raw: self._subject(names, metrics, raw),
            lambda dimension, raw: self._tables.resolve(store, metrics, dimension, raw),
            lambda dimension, key: self._tables.called(store, dimension, key),
            self._days,
        )
        self._resolved += where.resolved
        if where.periods and sent.period.strip():
            raise RefusedError(
                "The time stands twice, in `period` and in `where`: send it once.",
                "period",
                sent.period,
                "ambiguous",
            )
        periods = where.periods or self._period(by)
        if sent.grain.strip():
            grain = self._grain(sent.grain)
        elif PERIOD in by:
            grain = grain or self._window_grain
        window = self._rolling(metrics, where.having)
        if window is not None:
            by = [*by] if PERIOD in by else [*by, PERIOD]
            if grain not in (None, window.grain):
                self._refuse_rolling(f"rows are by {grain}, the average is by {window.grain}")
            grain = window.grain
        if sent.compare and PERIOD not in by and len(periods) > 1:
            raise RefusedError(
                "`compare` needs one period, or by: period: several were sent.",
                "compare",
                sent.compare,
                "unsupported",
            )
        query = TableQuery(
            tuple(one.code for one in metrics),
            tuple(by),
            where.conditions,
            periods,
            grain,
            sent.compare,
            self._order(names, metrics, by),
            sent.limit,
            sent.offset,
            self._as_of(),
            where.having,
        )
        shown = metrics if window is None else tuple(averaged(one, window) for one in metrics)
        dimensions = tuple(names.by_code[one] for one in by)
        return Understood(store, shown, dimensions, query, tuple(self._resolved), window)

    def _rolling(
        self, metrics: Sequence[TableMetric], having: Sequence[Condition]
    ) -> Window | None:
        """Return the window of the averages, or None where no average is asked for."""
        raw = self._sent.rolling_average
        if not raw.strip():
            return None
        window = read_window(raw)
        if window is None:
            self._refuse_rolling('send over how many periods, such as "3 months" or "4 quarters"')
        if self._sent.compare or having:
            what = "`compare`" if self._sent.compare else "a condition on the values"
            self._refuse_rolling(f"it cannot be sent together with {what}")
        for one in metrics:
            if window.grain not in one.grains:
                known = listed([grain.replace("_", " ") for grain in one.grains])
                self._refuse_rolling(f"{one.label} is held by {known}, not by {window.grain}")
            if not one.adds_up:
                self._refuse_rolling(
                    f"{one.label} is a rate or a count of different things, and the mean of its "
                    "values over time is not its value of that time: ask for its values by period"
                )
        self._tell("rolling_average", raw, f"{window.count} {window.grain}s", "read")
        return window

    def _refuse_rolling(self, why: str) -> NoReturn:
        raw = self._sent.rolling_average
        raise RefusedError(
            f"No rolling average is made: {why}.", "rolling_average", raw, "unsupported"
        )

    def _tell(self, param: str, raw: str, resolved: str, how: str) -> None:
        self._resolved.append(ResolvedItem(param=param, raw=raw, resolved=resolved, how=how))

    def _metrics(self) -> tuple[StoreName, tuple[TableMetric, ...]]:
        """The metrics, all of one store."""
        sent = list(dict.fromkeys(self._sent.metrics))
        if not sent or not any(one.strip() for one in sent):
            raise RefusedError("`metrics` is empty: send one or more.", "metrics", "", "unknown")
        if len(sent) > MOST_METRICS:
            told = f"`metrics` has {len(sent)} metrics: send at most {MOST_METRICS}."
            raise RefusedError(told, "metrics", "", "unsupported")
        found: dict[str, tuple[StoreName, TableMetric]] = {}
        for raw in sent:
            one = self._tables.metric(raw)
            if one.term is None:
                _refuse(
                    "metrics",
                    raw,
                    one.how,
                    candidates(one.candidates),
                    "is no metric",
                    "list_metrics has them all",
                )
                continue
            found[one.term.id] = self._tables.metrics[one.term.id]
            self._tell("metrics", raw, one.term.id, one.how)
        stores: set[StoreName] = {store for store, _ in found.values()}
        if len(stores) > 1:
            raise RefusedError(
                f"{listed(list(found))} are held in two stores, which are not joined: send the "
                "metrics of one at a time.",
                "metrics",
                listed(list(found)),
                "unsupported",
                offered(*((name, one.label) for name, (_, one) in found.items())),
            )
        return stores.pop(), tuple(one for _, one in found.values())

    def _by(self, names: QueryDimensions) -> tuple[list[str], PeriodGrain | None]:
        """The dimensions of the rows, with the grain where one was named among them."""
        found: list[str] = []
        grain: PeriodGrain | None = None
        if len(self._sent.by) > MOST_BY:
            told = f"`by` has {len(self._sent.by)} dimensions: send at most {MOST_BY}."
            raise RefusedError(told, "by", "", "unsupported")
        for raw in self._sent.by:
            code, how = names.find(raw)
            if not code and names.has_time and (named := term_of("grains", raw)):
                code, how, grain = PERIOD, "alias", cast("PeriodGrain", named)
            if not code:
                names.refuse("by", raw)
            if code not in found:
                found.append(code)
            self._tell("by", raw, f"{code} by {grain}" if code == PERIOD and grain else code, how)
        return found, grain

    def _subject(
        self, names: QueryDimensions, metrics: Sequence[TableMetric], raw: str
    ) -> tuple[Dimension | None, str]:
        """Return the dimension that a key of `where` names, or the code of a metric."""
        code, _ = names.find(raw)
        if code:
            return names.by_code[code], ""
        found = self._tables.metric(raw)
        if found.term is not None:
            _, metric = self._tables.metrics[found.term.id]
            if metric in metrics:
                return None, metric.code
            raise RefusedError(
                f"{quoted(raw)} is a metric that `metrics` does not have: send it there too.",
                f"where.{raw[:40]}",
                raw,
                "unsupported",
                offered(*((one.code, one.label) for one in metrics)),
            )
        names.refuse("where", raw, metrics)
        raise AssertionError

    def _period(self, by: Sequence[str]) -> tuple[Period, ...]:
        raw = self._sent.period
        if not raw.strip():
            return ()
        if raw.strip().casefold() == LATEST:
            if PERIOD in by:
                raise RefusedError(
                    'A table by period has every period: send a range or "since 2020" in place of '
                    "the latest.",
                    "period",
                    raw,
                    "unsupported",
                )
            self._tell("period", raw, LATEST, "latest with a value")
            return ()
        return self._days("period", raw)

    def _days(self, param: str, raw: str) -> tuple[Period, ...]:
        """The periods that a text names; one that is open has no last day."""
        expression = read_period(in_english(raw))
        if expression is None:
            raise RefusedError(
                f"{quoted(raw)} cannot be read as a period: send a year (2024, FY2024), half "
                '(2024H1), quarter (2024Q3), month (2024-03), day, a range ("2019-2023") or '
                '"since 2020".',
                param,
                raw,
                "unknown",
            )
        reading = expression.on(CALENDAR_YEAR, self._today)
        window = self._window(param, raw, reading)
        if window:
            return window
        if reading.kind in ("rolling", "latest"):
            raise RefusedError(
                f"{quoted(raw)} depends on the newest value that there is: send fixed periods, "
                'such as "2019-2023" or "since 2020".',
                param,
                raw,
                "unsupported",
            )
        if reading.kind == "unreadable" or not reading.periods:
            note = reading.note or "more than one period could be meant"
            end = "" if note.endswith("?") else "."
            raise RefusedError(f"{quoted(raw)} is not clear: {note}{end}", param, raw, "ambiguous")
        periods = reading.periods
        if reading.kind == "since":
            first = periods[0]
            label = f"since {first.label}"
            periods = (Period(first.start, date.max, "other", first.fiscal, label),)
        told = listed([one.label for one in periods], 3)
        self._tell(param, raw, told, reading.note or "read")
        return periods

    def _window(self, param: str, raw: str, reading: PeriodReading) -> tuple[Period, ...]:
        """The periods of a rolling one, up to the newest value; none of any other."""
        grain = reading.grain
        if reading.kind != "rolling" or grain is None or not 0 < reading.count <= MOST_WINDOW:
            return ()
        newest = self._newest()
        periods = last_periods(grain, reading.count, newest) if newest is not None else ()
        if periods:
            self._window_grain = grain
            told = f"{periods[0].label} to {periods[-1].label}"
            self._tell(param, raw, told, f"up to the newest value, of {newest}")
        return periods

    def _grain(self, raw: str) -> PeriodGrain:
        found = term_of("grains", raw)
        if not found:
            grains = ("day", "month", "quarter", "half", "year")
            raise RefusedError(
                f"{quoted(raw)} is no grain: send {listed(grains)}.",
                "grain",
                raw,
                "unknown",
                offered(*((one, one) for one in grains)),
            )
        return cast("PeriodGrain", found)

    def _as_of(self) -> date | None:
        raw = self._sent.as_of
        if not raw.strip():
            return None
        day = read_day(raw, self._today)
        if day is None:
            told = f"{quoted(raw)} is no day: send one as 2024-12-31."
            raise RefusedError(told, "as_of", raw, "unknown")
        self._tell("as_of", raw, day.isoformat(), "read")
        return day

    def _order(
        self, names: QueryDimensions, metrics: Sequence[TableMetric], by: Sequence[str]
    ) -> tuple[Order, ...]:
        """Return the order of the rows: else the first metric, the greatest first, or the time."""
        sent = self._sent.order_by
        each = [sent] if isinstance(sent, (str, Mapping)) else [*sent]
        found = [
            self._order_of(names, metrics, by, one)
            for one in each
            if not (isinstance(one, str) and not one.strip())
        ]
        if found:
            return tuple(found)
        if PERIOD in by:
            return tuple(Order(one, descending=False) for one in by)
        return (Order(metrics[0].code, descending=True),)

    def _order_of(
        self,
        names: QueryDimensions,
        metrics: Sequence[TableMetric],
        by: Sequence[str],
        sent: str | Mapping[str, Any],
    ) -> Order:
        raw, direction = with_direction(sent)
        code, _ = names.find(raw)
        if code not in by:
            found = self._tables.metric(raw)
            metric = self._tables.metrics[found.term.id][1] if found.term is not None else None
            code = metric.code if metric in metrics and metric is not None else ""
        if not code and (changed := self._change(metrics, raw)):
            return Order(changed, direction == "desc")
        if not code or not (code in by or any(code == one.code for one in metrics)):
            columns = [(one.code, one.label) for one in metrics]
            columns += [(one, names.by_code[one].label) for one in by]
            names_of = listed([one for one, _ in columns])
            raise RefusedError(
                f"{quoted(raw)} is no column of this table: order by {names_of}.",
                "order_by",
                raw,
                "unsupported",
                offered(*columns),
            )
        return Order(code, direction == "desc")

    def _change(self, metrics: Sequence[TableMetric], raw: str) -> str:
        """Return the column of a change of a metric that a text names, or "".

        Raises:
            RefusedError: nothing is compared, so that nothing changed.
        """
        head, _, last = raw.rpartition(".")
        what = term_of("changes", last)
        found = self._tables.metric(head) if head and what else None
        named = [one for one in metrics if not head and len(metrics) == 1]
        if found is not None and found.term is not None:
            metric = self._tables.metrics[found.term.id][1]
            named = [one for one in metrics if one == metric]
        if not what or not named:
            return ""
        if not self._sent.compare:
            raise RefusedError(
                f"{quoted(raw)} needs something to compare with: send compare as previous_period "
                "or previous_year, too.",
                "order_by",
                raw,
                "unsupported",
            )
        return f"{named[0].code}.{what}"


def _refuse(
    param: str, raw: str, how: str, near: list[CandidateItem], problem: str, way_out: str
) -> None:
    names = listed([one.label for one in near])
    if how == "ambiguous":
        answer = f"{quoted(raw)} may be any of {names}: send one of them."
        raise RefusedError(answer, param, raw, "ambiguous", near)
    hint = f"; near to it: {names}" if near else f": {way_out}"
    raise RefusedError(f"{quoted(raw)} {problem}{hint}.", param, raw, "unknown", near)
