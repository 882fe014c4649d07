"""Runs SPARQL within SQL: each block at a graph, the query around them in DuckDB."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from groundwire.errors import GroundwireError
from groundwire.sparql.outcome import Language, Outcome, QueryAudit, Request, Runner, timestamp
from groundwire.sparql.spasql.splitting import Block, split
from groundwire.sparql.spasql.typed_rows import relation
from groundwire.sparql.sql.duck import DuckRunner
from groundwire.sparql.sql.relations import Relation
from groundwire.tables.bounds import MAX_QUERY
from groundwire.transport.redaction import without_passwords

MAX_BLOCK_ROWS = 10_000
"""Rows of one block; of a block that has more, the answer is partial."""

# A block leaves this share of the time to what comes after it.
_LEFT_OVER = 0.2
_LEAST_SECONDS = 0.02


@dataclass(slots=True)
class _Run:
    """One text under way.

    Attributes:
        request: the text.
        end: when its time is over, by the monotonic clock.
        start: when it came.
        blocks: what became of its blocks so far.
    """

    request: Request
    end: float
    start: str = field(default_factory=timestamp)
    blocks: list[Outcome] = field(default_factory=list[Outcome])

    @property
    def left(self) -> float:
        return self.end - time.monotonic()


class SpasqlRunner:
    """Runs SQL that holds `(SPARQL ...) AS name` blocks, or one SPARQL query after `SPARQL`.

    See `groundwire.sparql.outcome.Runner`.

    Args:
        sparql: runs the blocks, each through its gate; its composer closes it.
        sql: runs the SQL around them, beside its own tables; its composer closes it. None is an
            empty database, which is closed with this runner.
        endpoint: name of the endpoint in the registry.
        block_rows: most rows of one block.
    """

    languages: frozenset[Language] = frozenset(("spasql",))

    def __init__(
        self,
        sparql: Runner,
        sql: DuckRunner | None = None,
        *,
        endpoint: str = "default",
        block_rows: int = MAX_BLOCK_ROWS,
    ) -> None:
        self._sparql = sparql
        self._sql = DuckRunner(None, endpoint) if sql is None else sql
        self._owns_sql = sql is None
        self._endpoint = endpoint
        self._block_rows = block_rows

    async def run(self, request: Request) -> Outcome:
        """Run one text; what goes wrong with it is an outcome, never an exception.

        A block that is refused refuses the whole, and one that is not whole makes the answer
        partial: sums and joins over some of the rows are not those of all.
        """
        run = _Run(request, time.monotonic() + request.timeout)
        if request.language not in self.languages:
            return self._ended(run, _unanswered("refused", "This runs SPARQL within SQL only."))
        if len(request.text) > MAX_QUERY:
            long = f"The text has {len(request.text)} characters: shorten it to {MAX_QUERY}."
            return self._ended(run, _unanswered("refused", long))
        try:
            parts = split(request.text)
        except GroundwireError as error:
            return self._ended(run, _unanswered("refused", str(error)))
        if not parts.outer:
            block = Request("sparql", parts.blocks[0].text, request.limit, request.timeout)
            run.blocks.append(await self._sparql.run(block))
            return self._ended(run, run.blocks[0])
        relations: dict[str, Relation] = {}
        for block in parts.blocks:
            failed = await self._block(run, block, relations)
            if failed is not None:
                return self._ended(run, failed)
        outer = Request("sql", parts.outer, request.limit, max(run.left, _LEAST_SECONDS))
        answer = await self._sql.run(outer, relations)
        return self._ended(run, _judged(answer, run, parts.blocks))

    async def close(self) -> None:
        """Close what this runner opened itself."""
        if self._owns_sql:
            await self._sql.close()

    async def _block(
        self, run: _Run, block: Block, relations: dict[str, Relation]
    ) -> Outcome | None:
        """Run one block into `relations`; what stops the whole, if it does."""
        number = len(run.blocks) + 1
        seconds = run.left * (1 - _LEFT_OVER)
        if seconds < _LEAST_SECONDS:
            return _unanswered(
                "error", f"The time was over before SPARQL block {number}: ask for less."
            )
        outcome = await self._sparql.run(Request("sparql", block.text, self._block_rows, seconds))
        run.blocks.append(outcome)
        reason = f"SPARQL block {number}: {outcome.reason}"
        if not outcome.answered:
            return replace(outcome, reason=reason)
        if outcome.status == "partial" and not outcome.columns:
            # It ran out of time before it had so much as a header.
            return replace(outcome, status="error", reason=reason)
        relations[block.relation] = relation(outcome.columns, outcome.rows)
        return None

    def _ended(self, run: _Run, answer: Outcome) -> Outcome:
        what = [f"{answer.status}: {answer.reason}" if answer.reason else answer.status]
        for number, block in enumerate(run.blocks, 1):
            about = block.audit.per_query_status_and_error
            what.append(f"block {number}: {about} ({block.audit.result_summary})")
        codes = [block.audit.status_code for block in run.blocks]
        audit = QueryAudit(
            query_language="spasql",
            query_text=without_passwords(run.request.text[:MAX_QUERY]),
            endpoint=self._endpoint,
            endpoint_url=run.blocks[0].audit.endpoint_url if run.blocks else self._sql.url,
            start_timestamp=run.start,
            end_timestamp=timestamp(),
            status_code=codes[-1] if codes else None,
            per_query_status_and_error=without_passwords("; ".join(what)[:MAX_QUERY]),
            result_summary=answer.audit.result_summary,
            raw=answer.audit.raw,
            raw_size=answer.audit.raw_size,
        )
        return replace(answer, reason=without_passwords(answer.reason[:MAX_QUERY]), audit=audit)


def _judged(answer: Outcome, run: _Run, blocks: tuple[Block, ...]) -> Outcome:
    """The answer of the outer query, in the light of its blocks."""
    reason = answer.reason
    for number, block in enumerate(blocks, 1):
        reason = reason.replace(block.relation, f"SPARQL block {number}")
    answer = replace(answer, reason=reason)
    numbered = list(enumerate(run.blocks, 1))
    if not answer.answered:
        empty = [str(number) for number, block in numbered if not block.rows]
        if empty:
            note = f" SPARQL block {' and '.join(empty)} has no rows, so its columns are text."
            answer = replace(answer, reason=reason + note)
        return answer
    missing = [
        f"SPARQL block {number} is {block.status}: {block.reason}"
        for number, block in numbered
        if block.status in ("partial", "truncated")
    ]
    if not missing:
        return answer
    reasons = [*missing, answer.reason] if answer.reason else missing
    return replace(answer, status="partial", reason=" ".join(reasons))


def _unanswered(status: str, reason: str) -> Outcome:
    """Return the outcome of a query that did not end; its audit is written by the runner."""
    summary = "not run" if status == "refused" else "no answer"
    now = timestamp()
    audit = QueryAudit("spasql", "", "", "", now, now, None, "", summary)
    return Outcome("refused" if status == "refused" else "error", (), (), reason, audit)
