"""SPARQL at one endpoint: through the gate, into a local graph or over the wire, with audit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from groundwire.errors import ForbiddenError, GroundwireError, InputError
from groundwire.graph.engine import LocalGraph, Triples
from groundwire.graph.gate import check
from groundwire.graph.gate_policy import Policy
from groundwire.graph.lexer import Token, tokenize, write
from groundwire.graph.queries import GatedQuery, Verdict
from groundwire.graph.remote import RemoteGraph
from groundwire.graph.remote_exchange import KEPT_BYTES, Exchange
from groundwire.graph.terms import RDF_LANG_STRING, XSD_STRING, Rows, Term, iri_n3
from groundwire.safe_text import without_passwords
from groundwire.sparql.label_queries import COLUMNS, ServiceQuery
from groundwire.sparql.outcome import (
    Cell,
    Language,
    Outcome,
    QueryAudit,
    Request,
    Status,
    timestamp,
)

_SOLUTION = "groundwire_solution"

_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

TRIPLE_COLUMNS = ("subject", "predicate", "object")
RESULT_COLUMN = "result"
# Characters of a query that an audit keeps; the gate lets none through that is longer.
KEPT_QUERY = 20_000
MOST_EXPORTED = 100_000_000
"""Rows of an export; its bytes are bounded long before."""
# Graphs in FROM that are asked for, one by one.
_MOST_GRAPHS = 8
# A local graph is asked for what it has found after this share of the time.
_LOCAL_SHARE = 0.9


class _Answer(NamedTuple):
    """The answer to one query."""

    status: Status
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    reason: str = ""
    summary: str = ""
    raw: bytes = b""


@dataclass(slots=True)
class _Trace:
    """One query under way, as far as it is known."""

    request: Request
    text: str
    end: float
    gated: bool = False
    exchanges: list[Exchange] = field(default_factory=list[Exchange])

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self.end - time.monotonic()

    @property
    def exchange(self) -> Exchange | None:
        """Return what went over the wire for the query itself, if anything did."""
        return self.exchanges[0] if self.exchanges else None


class SparqlRunner:
    """Runs SPARQL queries at one graph; see `groundwire.sparql.outcome.Runner`.

    SELECT gives its own columns; ASK one row of one column, `result`; CONSTRUCT and DESCRIBE the
    columns `subject`, `predicate` and `object`.
    """

    languages: frozenset[Language] = frozenset(("sparql",))

    def __init__(
        self, graph: LocalGraph | RemoteGraph, policy: Policy, *, endpoint: str = "default"
    ) -> None:
        """Describe the endpoint; nothing is sent.

        Args:
            graph: what is asked; it is closed with the runner.
            policy: what queries may do; its `max_rows` bounds every request's limit.
            endpoint: name in the registry.
        """
        self._graph = graph
        self._policy = policy
        self._endpoint = endpoint
        self._held = set[str]()
        self._url = graph.url if isinstance(graph, RemoteGraph) else f"local:{endpoint}"

    async def run(self, request: Request) -> Outcome:
        """Run one query; what goes wrong with it is an outcome, never an exception."""
        started = timestamp()
        trace = _Trace(request, request.text, time.monotonic() + request.timeout)
        try:
            answer = await self._answer(trace)
        except GroundwireError as error:
            stopped = not trace.gated or (isinstance(error, ForbiddenError) and not trace.exchange)
            status: Status = "refused" if stopped else "error"
            answer = _Answer(status, reason=str(error), summary="not run" if stopped else "")
        return Outcome(
            answer.status, answer.columns, answer.rows, answer.reason,
            self._audit(answer, trace, started),
        )  # fmt: skip

    async def close(self) -> None:
        """Close the graph."""
        await self._graph.close()

    async def _answer(self, trace: _Trace) -> _Answer:
        request = trace.request
        if request.language not in self.languages:
            raise ForbiddenError(f"This endpoint runs SPARQL, not {request.language}.")
        policy = self._limited(request.limit)
        query = await self._gated(policy, trace)
        trace.text, trace.gated = str(query), True
        form = query.verdict.form
        if form == "ask":
            value = await self._ask(query, trace)
            summary = f"ASK: {'true' if value else 'false'}"
            return _Answer(
                "complete", (RESULT_COLUMN,), ((value,),), "", summary, _boolean_json(value)
            )
        if form == "select":
            rows = await self._select(query, trace)
            status, reason = _wholeness(rows.complete, len(rows.rows), policy, trace.exchange)
            return self._table(status, reason, rows.columns, rows.rows)
        found = await self._triples(query, trace)
        status, reason = _wholeness(
            found.complete, len(found.triples), policy, trace.exchange, "triples"
        )
        if status in ("complete", "empty"):
            status, reason = await self._counted(query, policy, trace, status)
        return self._table(status, reason, TRIPLE_COLUMNS, found.triples)

    @property
    def streams(self) -> bool:
        """Whether answers can be exported whole: the graph is on this machine."""
        return isinstance(self._graph, LocalGraph)

    async def export(
        self, request: Request, format: Literal["csv", "ntriples"], take: Callable[[bytes], bool]
    ) -> bool:
        """Hand on all of an answer in chunks, whatever the limit of the request.

        Args:
            request: the query: a SELECT for csv, a CONSTRUCT or DESCRIBE for ntriples.
            format: how it is written.
            take: is given each chunk, in a thread; False ends the query.

        Returns:
            whether the answer was written to its end.

        Raises:
            GroundwireError: the gate refuses the query, or the graph does not answer it whole.
        """
        assert isinstance(self._graph, LocalGraph)
        query = check(request.text, self._policy._replace(max_rows=MOST_EXPORTED))
        is_rows = query.verdict.form == "select"
        if is_rows != (format == "csv"):
            raise InputError(
                "N-Triples hold triples: export the rows of this query as csv or parquet."
                if is_rows
                else "This query has triples: export them as ntriples."
            )
        return await self._graph.export(query, format, take, timeout=request.timeout)

    async def _gated(self, policy: Policy, trace: _Trace) -> GatedQuery:
        """The query as the gate lets it through; FROM may name graphs that the endpoint holds.

        A server may fetch a graph that it does not hold, so each is asked for first.

        Raises:
            GroundwireError: the gate refuses it, or a graph of it is not held here.
        """
        text = trace.request.text
        if isinstance(text, ServiceQuery) and isinstance(self._graph, RemoteGraph):
            # Our own code made it, for a service that the server itself offers.
            limit = policy.max_rows + 1
            return GatedQuery(text, Verdict("select", COLUMNS, policy.max_rows, limit, None, None))
        try:
            return check(text, policy)
        except ForbiddenError:
            if policy.sources is None:
                raise
            try:
                query = check(text, policy._replace(sources=None))
            except GroundwireError:
                query = None
            if query is None:
                raise
        named = {*(query.verdict.default_graphs or ()), *(query.verdict.named_graphs or ())}
        unknown = sorted(named.difference(policy.sources))
        if len(unknown) > _MOST_GRAPHS:
            raise ForbiddenError(f"FROM names {len(unknown)} graphs: name {_MOST_GRAPHS} at most.")
        for graph in unknown:
            if not await self._holds(graph, policy, trace):
                raise ForbiddenError(
                    f"The graph <{graph}> is refused: this endpoint does not hold it, and none is "
                    "fetched. Ask for GRAPH ?g to see those that there are, or leave FROM out."
                )
        return query

    async def _holds(self, graph: str, policy: Policy, trace: _Trace) -> bool:
        """Whether a graph has a triple; what is held is remembered."""
        if graph not in self._held:
            asked = check(f"ASK {{ GRAPH {iri_n3(graph)} {{ ?s ?p ?o }} }}", policy)
            if not await self._graph.ask(asked, timeout=trace.left):
                return False
            self._held.add(graph)
        return True

    def _limited(self, limit: int) -> Policy:
        return self._policy._replace(max_rows=max(0, min(limit, self._policy.max_rows)))

    async def _ask(self, query: GatedQuery, trace: _Trace) -> bool:
        if isinstance(self._graph, RemoteGraph):
            seen = trace.exchanges.append
            return await self._graph.ask(query, timeout=trace.left, observer=seen)
        return await self._graph.ask(query, timeout=trace.left)

    async def _select(self, query: GatedQuery, trace: _Trace) -> Rows:
        left = trace.left
        if isinstance(self._graph, RemoteGraph):
            seen = trace.exchanges.append
            return await self._graph.select(query, timeout=left, observer=seen)
        return await self._graph.select(query, timeout=left, soft_timeout=left * _LOCAL_SHARE)

    async def _triples(self, query: GatedQuery, trace: _Trace) -> Triples:
        left = trace.left
        if isinstance(self._graph, RemoteGraph):
            seen = trace.exchanges.append
            return await self._graph.triples(query, timeout=left, observer=seen)
        return await self._graph.triples(query, timeout=left, soft_timeout=left * _LOCAL_SHARE)

    async def _counted(
        self, query: GatedQuery, policy: Policy, trace: _Trace, status: Status
    ) -> tuple[Status, str]:
        """`status`, or what it is instead where a LIMIT may have cut the solutions of a graph.

        That is asked of the endpoint, since no answer says it. A local graph has no row limit of
        its own, so there it is asked only where the gate set the LIMIT.
        """
        limit = query.verdict.limit
        cut_here = limit == policy.max_rows + 1
        if not (cut_here or isinstance(self._graph, RemoteGraph)):
            return status, ""
        text = solutions_query(str(query))
        if text is None:
            return status, ""
        try:
            counting = policy._replace(
                forms=policy.forms | {"select"}, max_rows=policy.max_rows + 1
            )
            solutions = await self._select(check(text, counting), trace)
        except GroundwireError as error:
            return "partial", f"Whether these are all triples could not be found out: {error}"
        count = len(solutions.rows)
        last = trace.exchanges[-1] if trace.exchanges else None
        whole, why = _wholeness(solutions.complete, count, counting, last, "solutions")
        if whole == "partial":
            return "partial", f"Whether these are all triples could not be found out: {why}"
        if whole == "truncated" or (cut_here and count == limit):
            return "truncated", (
                f"These triples are made from {count:,} solutions of the query, and there are"
                " more: raise the limit, or match less."
            )
        return status, ""

    def _table(
        self,
        status: Status,
        reason: str,
        columns: tuple[str, ...],
        rows: Sequence[tuple[Term | None, ...]],
    ) -> _Answer:
        many = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        summary = f"{many} of {len(columns)} column{'' if len(columns) == 1 else 's'}"
        # What an endpoint sent is its own raw response.
        raw = table_json(columns, rows) if isinstance(self._graph, LocalGraph) else b""
        return _Answer(status, columns, tuple(rows), reason, summary, raw)

    def _audit(self, answer: _Answer, trace: _Trace, started: str) -> QueryAudit:
        exchange = trace.exchange
        raw, size = answer.raw, len(answer.raw)
        summary = answer.summary or "no answer"
        text = trace.text
        if exchange is not None:
            raw, size, text = exchange.body, exchange.size, exchange.query
            if not answer.summary:
                summary = "an answer that could not be used"
        if len(raw) < size or len(raw) > KEPT_BYTES or (exchange is not None and exchange.cut):
            raw = raw[:KEPT_BYTES]
            summary += f"; the raw response was cut at {len(raw):,} bytes"
        what = f"{answer.status}: {answer.reason}" if answer.reason else answer.status
        return QueryAudit(
            query_language=trace.request.language,
            query_text=_shown(text),
            endpoint=self._endpoint,
            endpoint_url=self._url,
            start_timestamp=started,
            end_timestamp=timestamp(),
            status_code=None if exchange is None else exchange.status,
            per_query_status_and_error=what,
            result_summary=summary,
            raw=raw,
            raw_size=size,
        )


def _wholeness(
    complete: bool, count: int, policy: Policy, exchange: Exchange | None, unit: str = "rows"
) -> tuple[Status, str]:
    """How whole an answer with `count` rows or triples is, and why it is not."""
    if complete:
        return ("complete" if count else "empty"), ""
    if exchange is not None and exchange.out_of_time:
        return "partial", _out_of_time("The endpoint", count, unit)
    if count >= policy.max_rows:
        return "truncated", (
            f"There are more than these {count:,} {unit}: raise the limit, or narrow the query."
        )
    if exchange is not None and exchange.row_limit is not None:
        return "truncated", (
            f"The endpoint gives at most {exchange.row_limit:,} rows: narrow the query, or page"
            " with OFFSET."
        )
    return "partial", _out_of_time("The query", count, unit)


def _out_of_time(who: str, count: int, unit: str) -> str:
    if not count:
        return (
            f"{who} ran out of time before it had anything, which does not mean that there is"
            " nothing: ask for less, or allow more time."
        )
    return (
        f"{who} ran out of time: these {unit} are what was found until then, and sums, counts and"
        " orders over them are not those of the whole."
    )


def _shown(text: str) -> str:
    """A query for an audit: no passwords, and no book."""
    return without_passwords(text[:KEPT_QUERY]) + (" ..." if len(text) > KEPT_QUERY else "")


@lru_cache(maxsize=256)
def solutions_query(text: str) -> str | None:
    """A SELECT with one row for every solution that a CONSTRUCT or DESCRIBE is made from.

    LIMIT and a server's row limit count solutions, of which many can make one triple: a graph
    with few triples may well be cut. The rules are [10] and [11] of SPARQL 1.1, section 19.8.

    Args:
        text: a query as the gate writes it.

    Returns:
        the query; None for a DESCRIBE that names what it describes and matches nothing.
    """
    tokens = tokenize(text)
    start = next((at for at, one in enumerate(tokens) if _is_form(tokens, at, one)), len(tokens))
    if start == len(tokens):
        return None
    after = start + 1
    if tokens[start].is_word("CONSTRUCT"):
        if after < len(tokens) and tokens[after].text == "{":
            after = _closing(tokens, after) + 1
    else:
        while after < len(tokens) and not _begins_body(tokens[after]):
            after += 1
        if not any(token.text == "{" for token in tokens[after:]):
            return None
    if after >= len(tokens):
        return None
    rest = [tokens[after]._replace(spaced=True), *tokens[after + 1 :]]
    return f"{write(tokens[:start])} SELECT (1 AS ?{_SOLUTION}) {write(rest)}".strip()


def _is_form(tokens: Sequence[Token], at: int, token: Token) -> bool:
    # A pragma's name may be any word; it has DEFINE before it.
    return token.is_word("CONSTRUCT", "DESCRIBE") and not (at and tokens[at - 1].is_word("DEFINE"))


def _begins_body(token: Token) -> bool:
    return token.text == "{" or token.is_word("FROM", "WHERE")


def _closing(tokens: Sequence[Token], opening: int) -> int:
    depth = 0
    for place in range(opening, len(tokens)):
        if tokens[place].kind != "mark":
            continue
        depth += (tokens[place].text == "{") - (tokens[place].text == "}")
        if depth == 0:
            return place
    return len(tokens)


def table_json(columns: Sequence[str], rows: Iterable[Sequence[Term | None]]) -> bytes:
    """Rows as compact SPARQL 1.1 Query Results JSON."""
    # An answer repeats its terms: each is written once.
    written: dict[Term, str] = {}
    names = [_text(name) for name in columns]
    bindings: list[str] = []
    for row in rows:
        cells: list[str] = []
        for name, term in zip(names, row, strict=True):
            if term is None:
                continue
            cell = written.get(term)
            if cell is None:
                cell = written[term] = _text(_cell(term))
            cells.append(f"{name}:{cell}")
        bindings.append(f"{{{','.join(cells)}}}")
    head = _text({"vars": list(columns)})
    document = f'{{"head":{head},"results":{{"bindings":[{",".join(bindings)}]}}}}'
    return document.encode("utf-8", "replace")


def _boolean_json(value: bool) -> bytes:
    """The answer to an ASK as compact SPARQL 1.1 Query Results JSON."""
    return _text({"head": {}, "boolean": value}).encode()


def _cell(term: Term) -> dict[str, str]:
    if term.kind == "iri":
        return {"type": "uri", "value": term.value}
    if term.kind == "bnode":
        return {"type": "bnode", "value": term.value}
    cell = {"type": "literal", "value": term.value}
    if term.language:
        cell["xml:lang"] = term.language
    elif term.datatype not in ("", XSD_STRING, RDF_LANG_STRING):
        cell["datatype"] = term.datatype
    return cell
