"""Outcome of one query: its rows, how whole they are, and the audit block.

A query never raises for what it or its endpoint did wrong: that is an outcome too, refused or
error, and it has an audit block like any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal, Protocol

from groundwire.graph.terms import Term

Language = Literal["sparql", "sql", "spasql", "graphql"]
Status = Literal["complete", "partial", "truncated", "empty", "refused", "error"]
Cell = Term | str | int | float | Decimal | bool | None

RAW_SHOWN = 2_000
"""Characters of a raw response that an audit block shows; the ledger keeps more of it."""


@dataclass(frozen=True, slots=True)
class QueryAudit:
    """The proof of one query (seed 003, "Audit Block Contents"). It holds no secret.

    Attributes:
        query_language: language of the query.
        query_text: the text that was run; of a refused query, as it was sent.
        endpoint: name of the endpoint in the registry.
        endpoint_url: its URL without credentials, or `local:NAME` for an embedded one.
        start_timestamp: ISO 8601 in UTC, with milliseconds.
        end_timestamp: the same.
        status_code: HTTP status, or None where no HTTP answer came.
        per_query_status_and_error: the status, and after ": " the error if there is one.
        result_summary: what came back, in a few words ("12 rows of 3 columns").
        raw: the raw response, or as much of it as may be kept.
        raw_size: bytes of the raw response before it was cut.
    """

    query_language: Language
    query_text: str
    endpoint: str
    endpoint_url: str
    start_timestamp: str
    end_timestamp: str
    status_code: int | None
    per_query_status_and_error: str
    result_summary: str
    raw: bytes = field(default=b"", repr=False)
    raw_size: int = 0

    def block(self, raw_shown: int = RAW_SHOWN) -> dict[str, Any]:
        """The audit block as answers and the ledger show it.

        Args:
            raw_shown: characters of the raw response in it.
        """
        text = self.raw.decode("utf-8", "replace")
        return {
            "query_language": self.query_language,
            "query_text": self.query_text,
            "endpoint": self.endpoint,
            "endpoint_url": self.endpoint_url,
            "start_timestamp": self.start_timestamp,
            "end_timestamp": self.end_timestamp,
            "status_code": self.status_code or self._word_for_status(),
            "per_query_status_and_error": self.per_query_status_and_error,
            "result_summary": self.result_summary,
            "raw_response": {
                "text": text[:raw_shown],
                "length": self.raw_size or len(self.raw),
                "sha256": hashlib.sha256(self.raw).hexdigest() if self.raw else None,
            },
        }

    def _word_for_status(self) -> str:
        """Return a word in place of an HTTP status: of an embedded engine, or without an answer.

        The field is of every audit block, so a word stands in it where the engine gave no number.
        """
        status = self.per_query_status_and_error.partition(":")[0]
        return status if status in ("refused", "error") else "ok"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one query.

    Attributes:
        status: `complete` has every row; `partial` is what the endpoint had when its time or
            quota ended; `truncated` was cut at the row limit; `empty` is a complete answer
            without a row; `refused` was not run; `error` failed.
        columns: names, in order.
        rows: one tuple a row, a cell a column.
        reason: why it is not complete, or was refused or failed; else "".
        audit: the audit block.
    """

    status: Status
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    reason: str
    audit: QueryAudit

    @property
    def answered(self) -> bool:
        """Whether the endpoint answered, if only with nothing."""
        return self.status not in ("refused", "error")


@dataclass(frozen=True, slots=True)
class Request:
    """One query to run.

    Attributes:
        language: language of the text.
        text: the query as it was sent.
        limit: most rows to return; the runner finds out whether there are more.
        timeout: seconds for all of it.
        variables: of a GraphQL query.
    """

    language: Language
    text: str
    limit: int = 10
    timeout: float = 30.0
    variables: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Runner(Protocol):
    """Runs queries of some languages at one endpoint."""

    languages: frozenset[Language]

    async def run(self, request: Request) -> Outcome:
        """Run one query; what goes wrong is an outcome, never an exception."""
        ...

    async def close(self) -> None:
        """Give back processes and connections."""
        ...


def timestamp() -> str:
    """Now, as audit blocks write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def text_of(cell: Cell) -> str:
    """Return a cell as text."""
    if isinstance(cell, Term):
        return cell.value
    return "" if cell is None else str(cell)
