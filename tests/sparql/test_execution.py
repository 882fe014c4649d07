"""Which endpoint and runner a query goes to, and what its audit says of it."""

from __future__ import annotations

import anyio
import pytest

from groundwire.errors import (
    ConfigurationError,
    ForbiddenError,
    InputError,
    NotFoundError,
)
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import (
    MOST_ADMITTED,
    Endpoints,
    Execution,
    failed,
    read_language,
)
from groundwire.sparql.outcome import Language, Outcome, QueryAudit, Request, Runner
from groundwire.sparql.registry import Limits, Registry

HELP = Endpoint(name="help", url="local:help", limit=7, timeout=3)
SAMPLE = Endpoint(name="sample", kind="sql", url="local:sample")
FILE = Endpoint(name="file", kind="sql", url="sqlite:////somewhere/secret/data.db")
GONE = Endpoint(name="gone", kind="sql", url="duckdb:/somewhere/secret/gone.db")


class Recording:
    """A runner that keeps what it was asked, and says too much."""

    def __init__(self, language: Language) -> None:
        self.languages: frozenset[Language] = frozenset((language,))
        self.asked: list[Request] = []
        self.closed = 0

    async def run(self, request: Request) -> Outcome:
        self.asked.append(request)
        why = "x" * 5_000
        audit = QueryAudit(
            request.language, request.text, "?", "sqlite:/somewhere/secret", "", "", None,
            f"error: {why}", "", raw=b"0123456789", raw_size=30,
        )  # fmt: skip
        return Outcome("error", (), (), why, audit)

    async def close(self) -> None:
        self.closed += 1

    def close_now(self) -> None:
        self.closed += 1


def endpoints(**rest) -> tuple[Endpoints, list[Recording]]:
    made: list[Recording] = []

    async def make(endpoint: Endpoint, language: Language) -> Runner:
        await anyio.sleep(0.01)
        if endpoint.name == "gone":
            raise ConfigurationError("No DuckDB\nfile.")
        made.append(Recording(language))
        return made[-1]

    registry = Registry(endpoints=(HELP, SAMPLE, FILE, GONE), default="help", **rest)
    return Endpoints(registry, make), made


def execute(asked: Execution, **rest) -> tuple[Outcome, list[Recording]]:
    held, made = endpoints(**rest)
    return anyio.run(held.execute, asked), made


@pytest.mark.parametrize(
    ("sent", "language"),
    [
        ("sparql", "sparql"),
        (" SPARQL 1.1 ", "sparql"),
        ("SPARQL within SQL", "spasql"),
        ("PostgreSQL", "sql"),
        ("GraphQL", "graphql"),
    ],
)
def test_languages_as_models_send_them(sent: str, language: str) -> None:
    assert read_language(sent) == language


@pytest.mark.parametrize("sent", ["", "cypher", "sparq", "x" * 1_000_000])
def test_a_language_that_is_none_is_refused_in_one_line(sent: str) -> None:
    with pytest.raises(InputError, match="send sparql, sql, spasql, graphql") as raised:
        read_language(sent)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize(
    ("language", "name", "endpoint"),
    [
        ("sparql", "default", "help"),
        ("sparql", "", "help"),
        ("sql", "default", "sample"),
        ("sql", "Default", "sample"),
        ("sql", "file", "file"),
        ("spasql", "default", "help"),
        ("sparql", "HELP", "help"),
    ],
)
def test_the_default_is_the_first_that_takes_the_language(
    language: str, name: str, endpoint: str
) -> None:
    held, _ = endpoints()
    assert held.taking(language, name).name == endpoint


@pytest.mark.parametrize(
    ("asked", "error", "says"),
    [
        (Execution("sparql", "x", "sample"), InputError, "takes sql, spasql, not sparql: use help"),
        (Execution("sparql", "x", "hepl"), NotFoundError, "nearest is help"),
        (Execution("sparql", "x", "http://127.0.0.1/"), ForbiddenError, "send a name, help"),
    ],
)
def test_what_cannot_be_asked_is_told_before_anything_is_opened(
    asked: Execution, error: type[Exception], says: str
) -> None:
    held, made = endpoints()
    with pytest.raises(error, match=says):
        anyio.run(held.execute, asked)
    assert made == []


def test_limit_and_time_are_the_endpoints_where_nobody_says() -> None:
    _, (runner,) = execute(Execution("sparql", "ASK {}"))
    assert (runner.asked[0].limit, runner.asked[0].timeout) == (7, 3)
    _, (runner,) = execute(Execution("sql", "SELECT 1", limit=3))
    assert (runner.asked[0].limit, runner.asked[0].timeout) == (3, 30)


def test_every_audit_names_its_endpoint_alike_and_keeps_what_it_may() -> None:
    limits = Limits(max_stored_raw_payload_size_bytes=4)
    outcome, _ = execute(Execution("sql", "SELECT 1", "file"), limits=limits)
    audit = outcome.audit
    assert (audit.endpoint, audit.endpoint_url) == ("file", "sqlite:data.db")
    assert (audit.raw, audit.raw_size) == (b"0123", 30)
    assert len(outcome.reason) == len(audit.per_query_status_and_error) == 1_000
    assert outcome.reason.endswith("…")


def test_what_cannot_be_opened_is_an_outcome_with_an_audit() -> None:
    outcome, made = execute(Execution("sql", "SELECT 1", "gone"))
    assert (outcome.status, outcome.reason) == ("error", "No DuckDB file.")
    assert outcome.audit.endpoint_url == "duckdb:gone.db"
    assert outcome.audit.result_summary == "nothing was run"
    assert made == []


def test_a_runner_is_opened_once_however_many_ask_at_once_and_closed_once() -> None:
    held, made = endpoints()

    async def ask() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(10):
                group.start_soon(held.execute, Execution("sparql", "ASK {}"))
        await held.close()
        await held.close()

    anyio.run(ask)
    assert [len(one.asked) for one in made] == [10]
    assert made[0].closed == 1
    anyio.run(held.execute, Execution("sparql", "ASK {}"))
    held.close_now()
    assert [one.closed for one in made] == [1, 1]


def admitted(number: int) -> str:
    return f"https://e{number}.example/sparql"


def test_of_urls_that_callers_sent_a_few_stay_open() -> None:
    async def ask() -> tuple[list[Recording], list[str]]:
        held, made = endpoints(allow_urls=True)
        forgotten: list[str] = []

        async def forget(endpoint: Endpoint) -> None:
            forgotten.append(endpoint.url)

        held.forget = forget
        await held.execute(Execution("sparql", "x"))
        for number in range(MOST_ADMITTED):
            await held.execute(Execution("sparql", "x", admitted(number)))
        # The first is asked again, so the second has been at rest for the longest.
        await held.execute(Execution("graphql", "x", admitted(0)))
        await held.execute(Execution("sparql", "x", admitted(100)))
        await held.execute(Execution("sparql", "x", admitted(1)))
        return made, forgotten

    made, forgotten = anyio.run(ask)
    assert forgotten == [admitted(1), admitted(2)]
    # That of the registry stays; one that was closed is opened anew.
    assert [one.closed for one in made] == [0, 0, 1, 1, *[0] * (MOST_ADMITTED - 3), 0, 0, 0]


def test_what_is_asked_now_is_not_closed() -> None:
    async def ask() -> list[Recording]:
        held, made = endpoints(allow_urls=True)
        wait = anyio.Event()

        async def run(request: Request) -> Outcome:
            await wait.wait()
            return failed(request, HELP, "no")

        runner = await held.runner(held.endpoint(admitted(0)), "sparql")
        made[0].run = run
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(runner.run, Request("sparql", "x"))
            await anyio.sleep(0)
            for number in range(1, 2 * MOST_ADMITTED):
                await held.execute(Execution("sparql", "x", admitted(number)))
            assert made[0].closed == 0
            wait.set()
        await held.execute(Execution("sparql", "x", admitted(200)))
        return made

    made = anyio.run(ask)
    assert made[0].closed == 1
    assert sum(not one.closed for one in made) == MOST_ADMITTED
