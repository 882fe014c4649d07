"""Outcome of a GraphQL query, with its audit block."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from groundwire.safe_text import without_passwords
from groundwire.sparql.graphql.document import MAX_TEXT
from groundwire.sparql.outcome import Outcome, QueryAudit, Request, Status, timestamp

COLUMN = "data"
"""The one column of an answer: the data as compact JSON."""

MAX_DATA = 1_000_000
"""Characters of the data of one answer."""


@dataclass(slots=True)
class Report:
    """One query under way.

    Attributes:
        request: the query.
        endpoint: name of the endpoint in the registry.
        url: what the audit shows as its URL.
        start: when the query came.
        code: HTTP status, once there is one.
        raw: the raw answer, once there is one.
        raw_size: bytes of all of it, if `raw` was cut.
    """

    request: Request
    endpoint: str
    url: str
    start: str = field(default_factory=timestamp)
    code: int | None = None
    raw: bytes = b""
    raw_size: int = 0

    def refused(self, reason: str) -> Outcome:
        """Return the outcome of a query that was not run."""
        return self._ended("refused", (), (), reason, "not run")

    def failed(self, reason: str) -> Outcome:
        """Return the outcome of a query that was run and not answered."""
        return self._ended("error", (), (), reason, "no answer")

    def answered(self, status: Status, data: Any, reason: str, summary: str) -> Outcome:
        """Return the outcome of a query that was answered with `data`; an empty one has no row."""
        text = compact(data)
        if len(text) > MAX_DATA:
            return self.failed(
                f"The answer has {len(text):,} characters and at most {MAX_DATA:,} are given:"
                " ask for less."
            )
        self.raw = self.raw or text.encode()
        rows = () if status == "empty" else ((text,),)
        return self._ended(status, (COLUMN,), rows, reason, summary)

    def _text(self) -> str:
        """Return the query as it was sent, with its variables in a comment."""
        if not self.request.variables:
            return self.request.text
        return f"{self.request.text}\n# variables: {compact(dict(self.request.variables))}"

    def _ended(
        self,
        status: Status,
        columns: tuple[str, ...],
        rows: tuple[tuple[str], ...],
        reason: str,
        summary: str,
    ) -> Outcome:
        reason = without_passwords(reason)
        audit = QueryAudit(
            query_language=self.request.language,
            query_text=without_passwords(self._text()[:MAX_TEXT]),
            endpoint=self.endpoint,
            endpoint_url=self.url,
            start_timestamp=self.start,
            end_timestamp=timestamp(),
            status_code=self.code,
            per_query_status_and_error=f"{status}: {reason}" if reason else status,
            result_summary=summary,
            raw=self.raw,
            raw_size=self.raw_size or len(self.raw),
        )
        return Outcome(status, columns, rows, reason, audit)


def compact(data: Any) -> str:
    """Return data as JSON without a superfluous space, and without half characters."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()
