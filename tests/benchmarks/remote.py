"""What an honest answer costs: the sparql runner beside a bare httpx2 request, on loopback.

    python tests/benchmarks/remote.py [--requests 60] [--rounds 7]

Both ask one small endpoint over connections that are kept, in turns. Ours passes the gate, goes
through the guarded client, reads the terms and writes the audit; the bare request reads the JSON
or the text. A query that the gate has not seen is parsed twice, which has a line of its own.
Exits with 1 where ours takes more than 5 ms longer.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median

import httpx2
from _table import Measured, report

from groundwire.graph.gate_policy import REMOTE_POLICY
from groundwire.graph.remote import RemoteGraph
from groundwire.sparql.outcome import Request
from groundwire.sparql.sparql_runner import SparqlRunner

ADDED = 0.005
JSON, NT = b"application/sparql-results+json", b"application/n-triples"
BINDING = (
    '{"s":{"type":"uri","value":"http://example.org/item/%d"},"n":{"type":"literal","value":"%d"}}'
)


def table(rows: int) -> bytes:
    bindings = ",".join(BINDING % (n, n) for n in range(rows))
    return f'{{"head":{{"vars":["s","n"]}},"results":{{"bindings":[{bindings}]}}}}'.encode()


LINES = b"".join(
    b'<http://example.org/%d> <http://example.org/p> "%d" .\n' % (n, n) for n in range(10)
)
ANSWERS = {
    "/ask": (JSON, b'{"head":{},"boolean":true}'),
    "/10": (JSON, table(10)),
    "/1000": (JSON, table(1000)),
    "/describe": (NT, LINES),
}
CASES = {
    "ASK": ("/ask", "ASK { ?s ?p ?o }"),
    "SELECT, 10 rows": ("/10", "SELECT ?s ?n { ?s <http://example.org/p> ?n }"),
    "SELECT, 1,000 rows": ("/1000", "SELECT ?s ?n { ?s <http://example.org/p> ?n }"),
    "DESCRIBE, 10 triples": ("/describe", "DESCRIBE <http://example.org/1>"),
}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length")
            )
            await reader.readexactly(length)
            kind, content = ANSWERS[head.split(b" ")[1].decode()]
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
                % (kind, len(content))
                + content
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def per_call(call: Callable[[], Awaitable[None]], times: int) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    for _ in range(times):
        await call()
    return (time.perf_counter() - started) / times


async def compare(
    name: str, base: str, path: str, texts: Callable[[], str], times: int, rounds: int
) -> Measured:
    runner = SparqlRunner(RemoteGraph.configured(base + path, dialect="oxigraph"), REMOTE_POLICY)
    is_json = ANSWERS[path][0] == JSON
    async with httpx2.AsyncClient(trust_env=False) as client:

        async def bare() -> None:
            response = await client.post(base + path, data={"query": texts()})
            assert response.json() if is_json else response.text

        async def ours() -> None:
            outcome = await runner.run(Request("sparql", texts(), limit=1000))
            assert outcome.status == "complete", outcome

        pairs: list[tuple[float, float]] = []
        await per_call(bare, 3)
        await per_call(ours, 3)
        for _ in range(rounds):
            pairs.append((await per_call(bare, times), await per_call(ours, times)))
    await runner.close()
    plain, honest = (median(column) for column in zip(*pairs, strict=True))
    return Measured(name, plain, honest, seconds=plain + ADDED)


async def measure(times: int, rounds: int) -> int:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    lines: list[Measured] = []
    for name, (path, text) in CASES.items():
        lines.append(await compare(name, base, path, lambda t=text: t, times, rounds))
    numbers = itertools.count()
    unseen = await compare(
        "SELECT not seen before",
        base,
        "/10",
        lambda: f"SELECT ?s ?n {{ ?s <http://example.org/p{next(numbers)}> ?n }}",
        max(5, times // 4),
        rounds,
    )
    server.close()
    # The handlers see the end of their connections.
    await asyncio.sleep(0.1)
    # The gate's two parsers have targets of their own.
    return report([*lines, unseen._replace(seconds=None)])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=60, help="calls a round")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    sys.exit(asyncio.run(measure(options.requests, options.rounds)))
