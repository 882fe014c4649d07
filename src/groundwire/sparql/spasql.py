"""Runs SPARQL within SQL: each block at a graph, the query around them in DuckDB.

Rules: the lexical structure of PostgreSQL's SQL, which DuckDB's parser shares; SPARQL 1.1 Query
Language, section 19.8.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from groundwire.errors import GroundwireError, InputError, LimitError
from groundwire.safe_text import without_passwords
from groundwire.sparql.outcome import Language, Outcome, QueryAudit, Request, Runner, timestamp
from groundwire.sparql.sql.files import DuckRunner
from groundwire.sparql.sql.relations import Relation, relation
from groundwire.tables.bounds import MAX_QUERY

MAX_BLOCKS = 4
"""Blocks of one text."""

# What a query or an update begins with; `(sparql)` and `(sparql + 1)` are a column of that name.
_STARTS = (
    "SELECT|ASK|CONSTRUCT|DESCRIBE|PREFIX|BASE|DEFINE|VERSION"
    "|INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|COPY|MOVE|ADD|WITH|MODIFY"
)
# Comments before it are read so far and no farther, or a text full of them would take for ever.
_OPENING = re.compile(
    rf"SPARQL(?=(?>\s|\#[^\n\r]{{0,500}}+)++(?:{_STARTS})(?![A-Za-z0-9_]))", re.IGNORECASE
)
_SQL_SKIPPED = re.compile(
    r"""
    --[^\n]*
    | (?<![A-Za-z0-9_$])[eE]'(?:[^'\\]|''|\\.)*'
    | '(?:[^']|'')*'
    | "(?:[^"]|"")*"
    """,
    re.VERBOSE | re.DOTALL,
)
_SQL_DOLLARS = re.compile(r"(?<![A-Za-z0-9_$])\$(?:[^\W\d]\w*)?\$")
_SQL_COMMENT_MARK = re.compile(r"/\*|\*/")
_SQL_SPACE = re.compile(r"\s+")
_SPARQL_SKIPPED = re.compile(
    r'''
    \#[^\n\r]*
    | <[^<>"{}|^`\\\x00-\x20]*>
    | """(?:"{0,2}(?:[^"\\]|\\.))*"""
    | \'\'\'(?:'{0,2}(?:[^'\\]|\\.))*\'\'\'
    | "(?:[^"\\\n\r]|\\.)*"
    | '(?:[^'\\\n\r]|\\.)*'
    | \\.
    ''',
    re.VERBOSE | re.DOTALL,
)
_CODEPOINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
# A gate decodes these before it looks for strings and brackets.
_STRUCTURE = frozenset(map(ord, "()<>\"'\\#\r\n"))


class Block(NamedTuple):
    """One block.

    Attributes:
        text: the SPARQL in it.
        relation: the name under which the outer query finds its rows.
    """

    text: str
    relation: str


@dataclass(frozen=True, slots=True)
class Parts:
    """A text taken apart.

    Attributes:
        blocks: the blocks, in order; of a text that is SPARQL after its first word, that one.
        outer: the SQL around them, each block a subquery on its relation; "" where there is none.
    """

    blocks: tuple[Block, ...]
    outer: str


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


def split(text: str) -> Parts:
    """Take a text apart.

    Raises:
        InputError: a string, comment or block does not end, or none begins.
        LimitError: there are more than MAX_BLOCKS.
    """
    whole = _whole(text)
    if whole is not None:
        return Parts((Block(whole, ""),), "")
    stem = _unused(text)
    blocks: list[Block] = []
    outer: list[str] = []
    position = kept = 0
    while position < len(text):
        skipped = _skipped(text, position)
        if skipped > position:
            position = skipped
            continue
        start = _block_start(text, position) if text[position] == "(" else None
        if start is None:
            position += 1
            continue
        if len(blocks) == MAX_BLOCKS:
            raise LimitError(f"There are more than {MAX_BLOCKS} SPARQL blocks: join them in one.")
        end = _block_end(text, start, len(blocks) + 1)
        relation = f"{stem}_{len(blocks) + 1}"
        blocks.append(Block(_checked(text[start:end].strip(), len(blocks) + 1), relation))
        outer += (text[kept:position], f"(FROM {relation})")
        position = kept = end + 1
    if not blocks:
        raise InputError(
            "There is no SPARQL in this SQL: write (SPARQL SELECT ...) AS name where a table may"
            " stand, or send it as sql."
        )
    return Parts(tuple(blocks), "".join((*outer, text[kept:])))


def _whole(text: str) -> str | None:
    """The query of a text that is SPARQL after that word, which is how Virtuoso's tools send it."""
    start = _without_space(text, 0)
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    query = text[opening.end() :].strip()
    # Command lines end a statement so.
    return _checked(query.removesuffix(";").rstrip(), 1)


def _block_start(text: str, bracket: int) -> int | None:
    """Where the SPARQL of a block begins, if the bracket opens one."""
    opening = _OPENING.match(text, _without_space(text, bracket + 1))
    return None if opening is None else opening.end()


def _without_space(text: str, position: int) -> int:
    """The first place from `position` that is neither space nor a comment of SQL."""
    while position < len(text):
        space = _SQL_SPACE.match(text, position)
        if space is not None:
            position = space.end()
        elif text.startswith(("--", "/*"), position):
            position = _skipped(text, position)
        else:
            break
    return position


def _skipped(text: str, position: int) -> int:
    """The place after the string, quoted name or comment of SQL that begins here, or `position`.

    Raises:
        InputError: it does not end.
    """
    if text.startswith("/*", position):
        return _comment_end(text, position)
    match = _SQL_SKIPPED.match(text, position)
    if match is not None:
        return match.end()
    dollars = _SQL_DOLLARS.match(text, position)
    if dollars is not None:
        closing = text.find(dollars.group(), dollars.end())
        if closing >= 0:
            return closing + len(dollars.group())
    if dollars is not None or text[position] in "'\"":
        raise InputError("A string or quoted name in the SQL does not end: close it.")
    return position


def _comment_end(text: str, position: int) -> int:
    """The place after a comment, which may hold others."""
    depth = 0
    for mark in _SQL_COMMENT_MARK.finditer(text, position):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    raise InputError("A comment in the SQL does not end: close it.")


def _block_end(text: str, position: int, number: int) -> int:
    """The bracket that closes a block, read by the rules of SPARQL."""
    depth = 1
    while position < len(text):
        match = _SPARQL_SKIPPED.match(text, position)
        if match is not None:
            position = match.end()
            continue
        character = text[position]
        if character in "'\"":
            raise InputError(f"A string in SPARQL block {number} does not end: close it.")
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position
        position += 1
    raise InputError(f"SPARQL block {number} does not end: close its bracket.")


def _checked(query: str, number: int) -> str:
    """A query whose escapes hide none of the marks that it was cut out by."""
    for escape in _CODEPOINT.finditer(query):
        if int(escape.group(1) or escape.group(2), 16) in _STRUCTURE:
            raise InputError(
                f"{escape.group()} in SPARQL block {number} hides a mark: write the mark itself."
            )
    return query


def _unused(text: str) -> str:
    """A stem of names for relations that the text does not hold."""
    folded, stem = text.casefold(), "sparql_block"
    while stem in folded:
        stem += "_x"
    return stem
