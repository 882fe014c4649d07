"""The process that runs queries: one store, one query at a time, until its parent is gone.

It imports pyoxigraph and the standard library only, opens its store read-only, and gives up the
network, and files too where it can. The parent ends it with SIGKILL when a query
passes its deadline; pyoxigraph itself cannot be interrupted.

Soft limits in a worker: whoever is first answers, the query or the clock. Most queries end long
before their limit. So one thread watches for all of them, and it is neither woken nor replaced when
a query ends in time: it sleeps on until that query's limit, and looks.
"""

from __future__ import annotations

import io
import math
import threading
import time
from array import array
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from groundwire.graph.child import (
    Parent,
    hold_lock,
    limit_memory,
    open_nothing_more,
    refuse_sockets,
)
from groundwire.graph.layout import DATABASE, META, QUADS
from groundwire.graph.terms import Term
from groundwire.graph.terms import triple as triple_term

# How long a query that passed its soft limit may take to notice before it is called stuck.
_GRACE = 0.02

Reply = tuple[Any, ...]


class Answer:
    """The one reply to a request, sent by whoever is first: the query or its soft limit.

    Attributes:
        expired: whether the soft limit has passed, for the query to notice.
        partial: makes a reply of what was found until now; None where nothing can be said.
    """

    def __init__(self, send: Callable[[Reply], None]) -> None:
        self._send = send
        self._lock = threading.Lock()
        self._sent = False
        self.expired = False
        self.partial: Callable[[], Reply] | None = None

    def expire(self) -> None:
        """Tell the query that its time is up; answer for it where it is stuck."""
        self.expired = True
        time.sleep(_GRACE)
        if self.partial is not None:
            self._give((*self.partial(), True))

    def finish(self, reply: Reply) -> None:
        """Send `reply` unless the soft limit has answered already."""
        self._give((*reply, False))

    def _give(self, reply: Reply) -> None:
        with self._lock:
            if not self._sent:
                self._sent = True
                self._send(reply)


class Watch:
    """The soft limit of one query at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition(threading.Lock())
        self._answer: Answer | None = None
        self._due = math.inf
        # When the thread looks again by itself; 0 while it is awake.
        self._wakes = 0.0
        self._thread: threading.Thread | None = None

    def start(self, answer: Answer, seconds: float) -> None:
        """Have `answer` expire in `seconds`, unless `stop` comes first."""
        with self._changed:
            self._answer, self._due = answer, time.monotonic() + seconds
            if self._thread is None or not self._thread.is_alive():
                self._wakes = 0.0
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            elif self._due < self._wakes:
                self._changed.notify()

    def stop(self) -> None:
        """The query has ended: its answer does not expire any more."""
        with self._changed:
            self._answer, self._due = None, math.inf

    def _run(self) -> None:
        while True:
            self._next().expire()

    def _next(self) -> Answer:
        """The answer whose limit has passed, once one has."""
        with self._changed:
            while (left := self._due - time.monotonic()) > 0 or self._answer is None:
                self._wakes = self._due
                self._changed.wait(min(left, threading.TIMEOUT_MAX) if left < math.inf else None)
            found, self._answer = self._answer, None
            self._due, self._wakes = math.inf, 0.0
            return found


# What one answer may hold before the worker refuses to build more of it.
MAX_TEXT = 64 << 20
MAX_CELLS = 4_000_000
# Bytes of an export that are sent at a time.
CHUNK = 1 << 18


class _Table:
    """Rows as indexes into the list of their distinct terms; -1 is unbound."""

    def __init__(self) -> None:
        self._index: dict[object, int] = {}
        self.terms: list[tuple[str, str, str, str]] = []
        self.cells = array("i")
        self.text = 0

    def add(self, row: Iterable[object]) -> None:
        index = self._index
        encoded: list[int] = []
        for term in row:
            if term is None:
                encoded.append(-1)
                continue
            position = index.get(term)
            if position is None:
                plain = _plain(term)
                position = len(self.terms)
                self.terms.append(plain)
                self.text += len(plain[1])
                index[term] = position
            encoded.append(position)
        # In one step, so that a reader in another thread sees whole rows only.
        self.cells.extend(encoded)
        if self.text > MAX_TEXT or len(self.cells) > MAX_CELLS:
            raise _TooLarge

    def reply(
        self, columns: list[str], width: int, started: float, complete: bool, bare: int = 0
    ) -> Reply:
        """Return what was read until now; `bare` counts the rows of an answer without columns."""
        cells = self.cells[: len(self.cells)]
        rows = len(cells) // width if width else bare
        elapsed = (time.perf_counter() - started) * 1000
        terms = self.terms[: len(self.terms)]
        return ("rows", columns, terms, cells.tobytes(), rows, complete, elapsed)


class _TooLarge(Exception):
    """The answer passed MAX_TEXT or MAX_CELLS."""


def _plain(term: object) -> tuple[str, str, str, str]:
    if isinstance(term, ox.NamedNode):
        return ("iri", term.value, "", "")
    if isinstance(term, ox.Literal):
        language = term.language or ""
        if term.direction is not None:
            language += f"--{term.direction}"
        return ("literal", term.value, term.datatype.value, language)
    if isinstance(term, ox.BlankNode):
        return ("bnode", term.value, "", "")
    if isinstance(term, ox.Triple):
        parts = (Term._make(_plain(part)) for part in (term.subject, term.predicate, term.object))
        return ("triple", triple_term(*parts).value, "", "")
    raise TypeError(f"{type(term).__name__} is no RDF term")


class _Asked(NamedTuple):
    """One query.

    Attributes:
        text: the query.
        default: names of the graphs that are the default graph; None: the store's own.
        named: IRIs of the graphs that `GRAPH` reaches; None: all.
        max_rows: most rows to read; None: all.
        format: of an export: csv or ntriples.
    """

    text: str
    default: list[str] | None
    named: list[str] | None
    max_rows: int | None
    format: str = ""


class _Chunks(io.RawIOBase):
    """Sends what is written to the parent, chunk by chunk."""

    def __init__(self, tell: Callable[..., None]) -> None:
        self._tell = tell

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        self._tell("chunk", bytes(data))
        return len(data)


class _Queries:
    """The requests, by name. Each ends in exactly one reply."""

    def __init__(self, store: ox.Store, tell: Callable[..., None]) -> None:
        self._store = store
        self._tell = tell

    def export(self, answer: Answer, asked: _Asked) -> Reply:
        """Send all of an answer as the engine writes it, in chunks, and then the reply."""
        start = time.perf_counter()
        found = self._evaluate(asked)
        with io.BufferedWriter(_Chunks(self._tell), CHUNK) as output:
            if isinstance(found, ox.QuerySolutions) and asked.format == "csv":
                found.serialize(output, format=ox.QueryResultsFormat.CSV)
            elif isinstance(found, ox.QueryTriples) and asked.format == "ntriples":
                found.serialize(output, format=ox.RdfFormat.N_TRIPLES)
            else:
                raise TypeError("rows are exported as CSV, triples as N-Triples")
        return ("exported", (time.perf_counter() - start) * 1000)

    def _evaluate(self, asked: _Asked) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        default, named = asked.default, asked.named
        if default is None and named is None:
            return self._store.query(asked.text)
        # These override any FROM in the text; an empty list is a dataset without graphs.
        return self._store.query(
            asked.text,
            default_graph=None if default is None else [_graph(name) for name in default],
            named_graphs=None if named is None else [ox.NamedNode(name) for name in named],
        )

    def select(self, answer: Answer, asked: _Asked) -> Reply:
        start = time.perf_counter()
        table = _Table()
        columns: list[str] = []
        bare = 0

        def reply(complete: bool) -> Reply:
            return table.reply(columns, len(columns), start, complete, bare)

        answer.partial = lambda: reply(False)
        solutions = self._evaluate(asked)
        if not isinstance(solutions, ox.QuerySolutions):
            raise TypeError("a SELECT was expected")
        columns = [variable.value for variable in solutions.variables]
        complete = True
        for count, solution in enumerate(solutions):
            if answer.expired or count == asked.max_rows:
                complete = False
                break
            if columns:
                table.add(solution)
            else:
                bare += 1
        return reply(complete)

    def triples(self, answer: Answer, asked: _Asked) -> Reply:
        start = time.perf_counter()
        table = _Table()

        answer.partial = lambda: table.reply([], 3, start, False)
        found = self._evaluate(asked)
        if not isinstance(found, ox.QueryTriples):
            raise TypeError("a CONSTRUCT or DESCRIBE was expected")
        complete = True
        for count, triple in enumerate(found):
            if answer.expired or count == asked.max_rows:
                complete = False
                break
            table.add((triple.subject, triple.predicate, triple.object))
        return table.reply([], 3, start, complete)

    def count(self, answer: Answer, asked: _Asked) -> Reply:
        count = 0
        answer.partial = lambda: ("count", count, False)
        solutions = self._evaluate(asked)
        if not isinstance(solutions, ox.QuerySolutions):
            raise TypeError("a SELECT was expected")
        for _ in solutions:
            if answer.expired or count == asked.max_rows:
                return ("count", count, False)
            count += 1
        return ("count", count, True)

    def ask(self, answer: Answer, asked: _Asked) -> Reply:
        found = self._evaluate(asked)
        if not isinstance(found, ox.QueryBoolean):
            raise TypeError("an ASK was expected")
        return ("ask", bool(found))


def _graph(name: str) -> ox.NamedNode | ox.DefaultGraph:
    return ox.NamedNode(name) if name else ox.DefaultGraph()


def open_store(folder: Path) -> ox.Store:
    """The store in `folder`: a database opened read-only, or quads read into memory."""
    database = folder / DATABASE
    if database.is_dir():
        return ox.Store.read_only(str(database))
    store = ox.Store()
    # Written by our own builder from terms that were validated when they were parsed.
    store.bulk_load(path=str(folder / QUADS), format=ox.RdfFormat.N_QUADS, lenient=True)
    return store


def main() -> None:
    """Open the store named by the first message, then answer until the parent is gone."""
    parent = Parent()
    opening = parent.hear()
    if opening is None:
        return
    folder, memory = opening
    refuse_sockets()
    # Kept for life: a store whose lock is held is not pruned.
    hold_lock(Path(folder) / META)
    try:
        store = open_store(Path(folder))
    except (OSError, SyntaxError, ValueError) as error:
        parent.tell("failed", str(error), False)
        return
    limit_memory(memory)
    if not (Path(folder) / DATABASE).exists():
        open_nothing_more()
    parent.tell("ready", False)
    queries, watch = _Queries(store, parent.tell), Watch()
    while (request := parent.hear()) is not None:
        name, soft, *arguments = request
        answer = Answer(lambda reply: parent.tell(*reply))
        if soft is not None:
            watch.start(answer, soft)
        try:
            reply = getattr(queries, name)(answer, _Asked(*arguments))
        except SyntaxError as error:
            reply = ("syntax", str(error.msg))
        except _TooLarge:
            reply = ("large",)
        except (OSError, RuntimeError, TypeError, ValueError) as error:
            reply = ("failed", str(error))
        watch.stop()
        answer.finish(reply)
