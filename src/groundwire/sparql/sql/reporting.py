"""Outcome of a SQL query, with its audit block."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from groundwire.sparql.outcome import Cell, Outcome, QueryAudit, Request, Status, timestamp
from groundwire.tables.bounds import MAX_CELL, MAX_RAW, unfit

_LINE = 600


@dataclass(frozen=True, slots=True)
class Report:
    """One query under way; each method ends it with an outcome.

    Attributes:
        request: the query.
        endpoint: name of the endpoint in the registry.
        url: what the audit shows as its URL; it holds no credentials and no folder.
        start: when the query came.
    """

    request: Request
    endpoint: str
    url: str
    start: str = field(default_factory=timestamp)

    def unfit(self) -> Outcome | None:
        """Return the refusal of a text that no parser need see, or None where one should."""
        reason = unfit(self.request.text)
        return self.refused(reason) if reason else None

    def refused(self, reason: str) -> Outcome:
        """Return the outcome of a query that was not run."""
        return self._ended("refused", (), (), _line(reason))

    def failed(self, reason: str) -> Outcome:
        """Return the outcome of a query that failed, or could not be run."""
        return self._ended("error", (), (), _line(reason))

    def timed_out(self) -> Outcome:
        """Return the outcome of a query that was stopped at its time limit without an answer."""
        return self.failed(
            f"The query passed its time limit of {self.request.timeout:g} s and was stopped, so "
            "nothing is known about its rows: narrow it, or aggregate less."
        )

    def answered(
        self,
        columns: Sequence[str],
        rows: Sequence[tuple[Cell, ...]],
        *,
        more: bool,
        cut: int = 0,
    ) -> Outcome:
        """Return the outcome of a query that was answered.

        Args:
            columns: names, in order.
            rows: what was read; of those past the limit none is kept.
            more: whether the answer goes on behind `rows`.
            cut: how many cells were cut at MAX_CELL characters.
        """
        limit = max(0, self.request.limit)
        kept = tuple(rows[:limit])
        reasons: list[str] = []
        if len(rows) > limit:
            reasons.append(f"only the first {limit} rows are here, the query has more")
        elif more:
            reasons.append(f"only the first {len(kept)} rows are here, the answer was too large")
        if cut:
            reasons.append(f"{cut} cells were cut at {MAX_CELL} characters")
        status: Status = "truncated" if reasons else "complete" if kept else "empty"
        reason = "; ".join(reasons)
        return self._ended(status, tuple(columns), kept, reason[:1].upper() + reason[1:])

    def _ended(
        self,
        status: Status,
        columns: tuple[str, ...],
        rows: tuple[tuple[Cell, ...], ...],
        reason: str,
    ) -> Outcome:
        answered = status not in ("refused", "error")
        raw = _raw(columns, rows) if answered else b""
        audit = QueryAudit(
            query_language=self.request.language,
            query_text=self.request.text,
            endpoint=self.endpoint,
            endpoint_url=self.url,
            start_timestamp=self.start,
            end_timestamp=timestamp(),
            status_code=None,
            per_query_status_and_error=f"{status}: {reason}" if reason else status,
            result_summary=_summary(len(columns), len(rows)) if answered else "no answer",
            raw=raw[:MAX_RAW],
            raw_size=len(raw),
        )
        return Outcome(status, columns, rows, reason, audit)


def _raw(columns: tuple[str, ...], rows: tuple[tuple[Cell, ...], ...]) -> bytes:
    """Return the answer as compact JSON; a decimal is a text there, so that no digit is lost."""
    body = {"columns": columns, "rows": rows}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=_plain)
    return text.encode("utf-8", "replace")


def _plain(value: object) -> str:
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _summary(columns: int, rows: int) -> str:
    return f"{rows} row{'' if rows == 1 else 's'} of {columns} column{'' if columns == 1 else 's'}"


def _line(text: str) -> str:
    """Return a text as one line of bounded length."""
    line = " ".join(text.split())
    return line if len(line) <= _LINE else line[: _LINE - 1] + "…"
