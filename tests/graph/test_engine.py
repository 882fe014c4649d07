"""Queries in worker processes: answers, limits, deadlines, and processes that end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from groundwire.errors import DeadlineError, InputError, LimitError, UnavailableError
from groundwire.graph.engine import LocalGraph
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri, literal

EX = "http://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def compiled(text: str) -> CompiledQuery:
    return CompiledQuery(f"PREFIX : <{EX}> {text}")


ENDLESS = compiled("SELECT (COUNT(*) AS ?x) { ?a :n ?b . ?c :n ?d . ?e :n ?f }")
GREEDY = compiled("SELECT * { ?a :n ?b . ?c :n ?d . ?e :n ?f } ORDER BY ?b ?d ?f")
FLOWING = compiled("SELECT * { ?a :n ?b . ?c :n ?d . ?e :n ?f }")
QUICK = compiled("SELECT ?o { :bob :name ?o }")


async def test_rows_carry_every_kind_of_term(people: LocalGraph) -> None:
    found = await people.select(compiled("SELECT ?p ?o ?none { :ada ?p ?o }"))
    assert found.columns == ("p", "o", "none")
    assert found.complete
    objects = {row[1] for row in found.rows}
    assert all(row[2] is None for row in found.rows)
    assert {
        iri(EX + "Person"),
        iri(EX + "bob"),
        literal("Ada"),
        literal("Ada", language="fr"),
        literal("36", XSD + "integer"),
    } <= objects
    assert sum(term is not None and term.kind == "bnode" for term in objects) == 1


async def test_select_without_columns_counts_its_solutions(people: LocalGraph) -> None:
    found = await people.select(CompiledQuery(f"SELECT * {{ <{EX}ada> a <{EX}Person> }}"))
    assert (found.columns, found.rows) == ((), [()])


async def test_a_row_limit_says_whether_there_was_more(people: LocalGraph) -> None:
    names = compiled("SELECT ?o { ?s :name ?o }")
    assert len((await people.select(names, max_rows=2)).rows) == 2
    assert not (await people.select(names, max_rows=2)).complete
    exactly = await people.select(names, max_rows=4)
    assert (len(exactly.rows), exactly.complete) == (4, True)


async def test_ask_count_and_triples(people: LocalGraph) -> None:
    assert await people.ask(compiled("ASK { :ada :knows :bob }")) is True
    assert await people.ask(compiled("ASK { :bob :knows :ada }")) is False
    assert await people.count(compiled("SELECT * { ?s :n ?o }")) == (3000, True)
    found = await people.triples(compiled("DESCRIBE :bob"))
    assert (iri(EX + "bob"), iri(EX + "name"), Term("literal", "Bob", XSD + "string")) in (
        found.triples
    )
    assert len(found.triples) == 3
    made = await people.triples(compiled("CONSTRUCT { ?o :isNameOf ?s } { ?s :name ?o }"))
    assert made.triples == []  # literals cannot be subjects


async def test_bare_text_is_refused(people: LocalGraph) -> None:
    with pytest.raises(TypeError):
        await people.select("SELECT * { ?s ?p ?o }")  # type: ignore[arg-type]


async def test_what_is_no_sparql_is_an_input_error(people: LocalGraph) -> None:
    with pytest.raises(InputError, match="well-formed"):
        await people.select(CompiledQuery("SELECT * { ?s ?p }"))


async def test_a_deadline_kills_the_query_and_the_next_is_answered(
    people: LocalGraph, on_time
) -> None:
    await people.warm()
    for _ in on_time(1.0, least=0.3):
        with pytest.raises(DeadlineError):
            await people.select(ENDLESS, timeout=0.3)
    # While the one that was killed is being replaced.
    for _ in on_time(1.0):
        assert (await people.select(QUICK)).rows == [(literal("Bob"),)]


async def test_a_count_that_takes_long_is_a_lower_bound(people: LocalGraph, on_time) -> None:
    for _ in on_time(2.0):
        flowing = await people.count(FLOWING, soft_timeout=0.3)
        assert not flowing.exact
        assert flowing.value > 0
        stuck = await people.count(ENDLESS, soft_timeout=0.1)
        assert stuck == (0, False)
    assert (await people.select(QUICK)).rows == [(literal("Bob"),)]


async def test_a_soft_limit_gives_what_was_found(people: LocalGraph) -> None:
    found = await people.select(FLOWING, soft_timeout=0.3)
    assert not found.complete
    assert found.rows
    assert all(len(row) == 6 and None not in row for row in found.rows)


async def test_a_slow_query_does_not_hold_up_a_quick_one(people: LocalGraph) -> None:
    async with anyio.create_task_group() as group:

        async def slow() -> None:
            with anyio.CancelScope() as scope:
                cancel.append(scope.cancel)
                await people.select(ENDLESS, timeout=120)
            assert scope.cancelled_caught

        cancel: list = []
        group.start_soon(slow)
        await anyio.sleep(0.2)
        # The slow one is still under way when the quick one has been answered.
        assert (await people.select(QUICK, timeout=60)).rows == [(literal("Bob"),)]
        cancel[0]()


async def test_cancelling_the_task_ends_the_query(people: LocalGraph, on_time) -> None:
    # More often than there are workers.
    for _ in on_time(3.0):
        for _ in range(3):
            with anyio.move_on_after(0.3) as scope:
                await people.select(ENDLESS, timeout=120)
            assert scope.cancelled_caught
    assert (await people.select(QUICK)).rows == [(literal("Bob"),)]


async def test_an_answer_too_large_is_refused(people: LocalGraph) -> None:
    with pytest.raises(LimitError, match="too large"):
        await people.select(FLOWING, timeout=30)
    assert (await people.select(QUICK)).rows == [(literal("Bob"),)]


async def test_a_query_that_needs_too_much_memory_fails_alone(people_store: Path) -> None:
    graph = LocalGraph(people_store, memory=128 << 20)
    try:
        with pytest.raises(LimitError, match="128 MB"):
            await graph.select(GREEDY, timeout=30)
        assert (await graph.select(QUICK)).rows == [(literal("Bob"),)]
    finally:
        await graph.close()


async def test_a_closed_graph_says_so(people_store: Path) -> None:
    graph = LocalGraph(people_store)
    await graph.select(QUICK)
    await graph.close()
    with pytest.raises(UnavailableError, match="closed"):
        await graph.select(QUICK)


def test_the_same_graph_serves_several_event_loops(people: LocalGraph) -> None:
    async def once() -> int:
        return len((await people.select(QUICK)).rows)

    assert [anyio.run(once), anyio.run(once)] == [1, 1]


PARENT = """
import sys, anyio
from pathlib import Path
from groundwire.graph.engine import LocalGraph
from groundwire.graph.queries import CompiledQuery
graph = LocalGraph(Path(sys.argv[1]))
async def main():
    await graph.warm()
    print(*(child.pid for child in graph._pool._all), flush=True)
    await graph.select(CompiledQuery(sys.argv[2]), timeout=60)
anyio.run(main)
"""


def test_workers_end_when_their_parent_is_killed_within_a_query(people_store: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(people_store), str(ENDLESS)], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    with parent.stdout:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
    assert pids
    time.sleep(0.2)
    assert all(map(alive, pids))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    until = time.monotonic() + 30
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(map(alive, pids))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan that nobody has reaped yet has ended too.
    stat = Path(f"/proc/{pid}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


STDIO_SERVER = """
import sys
from pathlib import Path
from mcp.server import MCPServer
from groundwire.graph.engine import LocalGraph
from groundwire.graph.queries import CompiledQuery
graph = LocalGraph(Path(sys.argv[1]))
server = MCPServer("graph")

@server.tool()
async def names() -> str:
    found = await graph.select(CompiledQuery("SELECT ?o { ?s <http://example.org/name> ?o }"))
    return " ".join(sorted(term.value for (term,) in found.rows))

server.run("stdio")
"""


async def test_workers_leave_the_protocol_of_a_stdio_server_alone(people_store: Path) -> None:
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(
        command=sys.executable, args=["-c", STDIO_SERVER, str(people_store)]
    )
    async with Client(stdio_client(parameters)) as client:
        for _ in range(3):
            answer = await client.call_tool("names", {})
            assert getattr(answer.content[0], "text", None) == "Ada Ada Bob nobody"
