"""What the guard costs: the guarded client beside bare httpx2, on one loopback server.

    python tests/benchmarks/transport.py [--requests 300] [--rounds 7]

Both send the same POST and read the same body over connections that are kept. Prints a table
and exits with 1 where the guard adds more than the target.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import sys
import time
from statistics import median

import httpx2

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.remote import RemoteGraph
from groundwire.transport.client import GuardedClient
from groundwire.transport.targets import RequestPolicy

TARGET_MS = 5.0
ROW = '{"s":{"type":"uri","value":"http://example.org/item/%d"}}'
SIZES = {"1 row": 1, "1,000 rows": 1000, "20,000 rows": 20_000}
QUERY = CompiledQuery("SELECT ?s WHERE { ?s ?p ?o }")


@functools.cache
def body(rows: int) -> bytes:
    bindings = ",".join(ROW % n for n in range(rows))
    return f'{{"head":{{"vars":["s"]}},"results":{{"bindings":[{bindings}]}}}}'.encode()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = next(
                int(line.split(b":")[1])
                for line in head.lower().split(b"\r\n")
                if line.startswith(b"content-length")
            )
            await reader.readexactly(length)
            content = body(int(head.split(b" ")[1].strip(b"/")))
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(content) + content
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def per_call(call, times: int) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    for _ in range(times):
        await call()
    return (time.perf_counter() - started) * 1000 / times


async def measure(requests: int, rounds: int) -> bool:
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    guarded = GuardedClient(RequestPolicy.naming(base))
    bare = httpx2.AsyncClient(trust_env=False)
    form = {"query": str(QUERY)}
    print(f"{'answer':>12} {'bare ms':>9} {'guarded':>9} {'ratio':>6} {'added':>8} {'as rows':>9}")
    held = True
    for name, rows in SIZES.items():
        url = f"{base}/{rows}"
        graph = RemoteGraph(url, guarded)
        times = max(5, requests // (1 + rows // 100))
        columns: list[tuple[float, float, float]] = []
        for _ in range(rounds):
            columns.append(
                (
                    await per_call(lambda u=url: bare.post(u, data=form), times),
                    await per_call(lambda u=url: guarded.request("POST", u, data=form), times),
                    await per_call(lambda g=graph: g.select(QUERY), times),
                )
            )
        plain, safe, read = (median(column) for column in zip(*columns, strict=True))
        held = held and safe - plain <= TARGET_MS
        print(
            f"{name:>12} {plain:9.2f} {safe:9.2f} {safe / plain:6.2f} {safe - plain:8.2f}"
            f" {read:9.2f}"
        )
    await guarded.aclose()
    await bare.aclose()
    server.close()
    # The handlers see the end of their connections.
    await asyncio.sleep(0.1)
    print(f"target: the guard adds {TARGET_MS:g} ms or less: {'held' if held else 'MISSED'}")
    return held


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--requests", type=int, default=300, help="calls a round, for one row")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    sys.exit(0 if asyncio.run(measure(options.requests, options.rounds)) else 1)
