"""Calls that no host would send, to every tool of every server, and many calls one after another.

Run: python tests/evals/fuzzed_calls.py [--fraction 0.1] [--seed 7] [--update]

- Fuzzed calls: the arguments of a right call with one to three places changed to something else of
  any kind and length, or arguments drawn at random. Each must be answered or refused in one line:
  counted are failures inside the server, answers without a sentence, and answers that tell a path
  of the machine or a secret that the server was given.
- Endurance: right calls, again and again; counted is by how many MB memory grew after the first
  1,500, in which caches fill.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from groundwire.cli.registry import SERVERS, build  # noqa: E402
from groundwire.config import Settings  # noqa: E402
from groundwire.serving import GroundwireServer  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

FUZZED, REPEATED = 22_500, 50_000
SECRETS = ("0123456789abcdeffedcba9876543210", "hunter2-of-the-endpoint")
INSIDE = "inside the server"
PATHS = re.compile(
    r"(?<![\w.:/-])/(?:home|root|usr|tmp|work|var|opt|Users)/[\w./-]+|File \"|Traceback"
)
SERVED = [name for name in SERVERS if name != "all"]
# One right call of tools whose arguments are best not made up.
RIGHT: dict[str, dict[str, Any]] = {
    "submit_slots": {
        "slots": {
            "domains": ["hdmap"],
            "filters": {"country": "DE"},
            "ranges": {"length": {"min": 1}},
        },
        "interpretation": "German maps",
    },
    "query_metric": {"metric": "population", "entity": "China", "period": "2010"},
    "query_metric_grid": {
        "metrics": ["population"],
        "entities": ["China", "India"],
        "periods": ["2010", "2011"],
        "derive": ["delta"],
    },
    "execute_query": {"query_language": "sparql", "query_string": "SELECT * {?s ?p ?o} LIMIT 2"},
    "run_kg_workflow": {"prompt": "What is SPARQL?"},
    "compute_journey_plans": {"starting_point": "Brixton", "destination": "Bank"},
    "get_line_status": {"lines": ["victoria"]},
    "find_stops": {"query": "Bank"},
    "verify_answer": {"draft": "China had 1,337,705,000 people in 2010."},
    "clarify_question": {"question": "How many people live in China?"},
    "search_narrative": {"query": "outlook"},
    "discover_values": {"property": "country"},
}
STEADY = ("submit_slots", "query_metric", "execute_query", "discover_values")
# Calls in which caches and worker processes come to their full size.
FIRST = 1_500
WORDS = [
    *["", " ", "null", "[]", "{}", '{"a": ', "[" * 3_000, "NaN", "1e999", "-0", "\x00", "\x1b[2J"],
    *["\ud800", "größer", "大連", "شمال", "\u202egnp", "a" * 5_000, "'; DROP TABLE facts; --"],
    *["../../etc/passwd", "{{7*7}}", "%s%n", "<script>", "![x](http://e/)", "urn:graph:schema"],
    *["http://127.0.0.1:1/", "file:///etc", "by_name", "latest", "2010", "Q3", "one and a half"],
    *["SERVICE <http://e/> {}", "0x41", "1_000"],
]  # fmt: skip


def anything(chance: random.Random, depth: int = 0) -> Any:
    """Draw a value of any kind."""
    kind = chance.randrange(10 if depth < 4 else 7)
    if kind < 4:
        return chance.choice(WORDS)
    if kind < 7:
        return chance.choice([None, True, False, 0, 1, -1, 7, 10**30, 1.5, -1e308, 10**400])
    if kind < 8:
        return [anything(chance, depth + 1) for _ in range(chance.randrange(5))]
    return {
        str(chance.choice(WORDS)): anything(chance, depth + 1) for _ in range(chance.randrange(4))
    }


def changed(chance: random.Random, value: Any) -> Any:
    """Change one place of a value, at any depth."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(list(value))
        return {**value, name: changed(chance, value[name])}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        return [*value[:at], changed(chance, value[at]), *value[at + 1 :]]
    return anything(chance)


def drawn(chance: random.Random, tool: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Draw the arguments of one call."""
    names = list(schema.get("properties", {}))
    right = RIGHT.get(tool, dict.fromkeys(schema.get("required", []), "x"))
    if chance.random() < 0.7:
        sent: Any = dict(right)
        for _ in range(chance.randrange(1, 4)):
            if names and chance.random() < 0.4:
                sent[chance.choice(names)] = anything(chance)
            else:
                sent = changed(chance, sent)
            if not isinstance(sent, dict):
                sent = dict(right)
        return sent
    return {
        chance.choice([*names, "other"]): anything(chance) for _ in range(chance.randrange(1, 5))
    }


@asynccontextmanager
async def opened(server: str, home: Path) -> AsyncIterator[tuple[GroundwireServer, Client]]:
    settings = Settings(
        home=home, tfl_base_url="offline", tfl_key=SECRETS[0], http_token=SECRETS[1]
    )
    built = build(server, settings)
    try:
        async with Client(built) as client:
            yield built, client
        await built.aclose()
    finally:
        built.close()


async def fuzz(server: str, calls: int, seed: int, home: Path) -> Counter[str]:
    """Call the tools of one server with wrong arguments; count what must not be."""
    chance = random.Random(f"{seed} {server}")
    found: Counter[str] = Counter(calls=calls, inside=0, silent=0, paths=0, secrets=0)
    async with opened(server, home) as (_, client):
        tools = [one for one in (await client.list_tools()).tools if one.name != "cancel_agent_run"]
        for _ in range(calls):
            tool = chance.choice(tools)
            sent = drawn(chance, tool.name, tool.input_schema)
            try:
                result = await client.call_tool(tool.name, sent)
            except (UnicodeEncodeError, ValueError):
                found["unsendable"] += 1
                continue
            text = "\n".join(getattr(one, "text", "") for one in result.content)
            told = text
            for place in strings(sent):
                told = told.replace(place, "").replace(json.dumps(place)[1:-1], "")
            found["refused"] += bool(result.is_error)
            found["inside"] += INSIDE in text
            found["silent"] += not text.strip()
            # A path of an answer's own file is told on stdio, below the state folder.
            found["paths"] += bool(PATHS.search(told.replace(str(home), "")))
            found["secrets"] += any(one in text for one in SECRETS)
            if INSIDE in text:
                print(f"inside: {tool.name} {json.dumps(sent, default=str)[:300]}", file=sys.stderr)
            elif PATHS.search(told.replace(str(home), "")):
                print(f"path: {tool.name} {told[:300]}", file=sys.stderr)
    return found


def strings(value: Any) -> list[str]:
    """List the longer strings that were sent: to repeat them is no leak."""
    if isinstance(value, str):
        return [value] if len(value) > 3 else []
    if isinstance(value, dict):
        return [*strings(list(value)), *strings(list(value.values()))]
    return [one for item in value for one in strings(item)] if isinstance(value, list) else []


async def endure(calls: int, home: Path) -> float:
    """Make right calls one after another; return by how many MB the process grew."""
    after_first = 0.0
    async with opened("all", home) as (_, client):
        offered = {one.name for one in (await client.list_tools()).tools}
        steady = [name for name in STEADY if name in offered]
        for number in range(calls):
            name = steady[number % len(steady)]
            result = await client.call_tool(name, RIGHT[name])
            assert not result.is_error, result.content
            if number == min(FIRST, calls // 2):
                after_first = resident()
    return resident() - after_first


def resident() -> float:
    """Return the MB of memory that this process holds."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    options = arguments(__doc__)
    logging.disable(logging.CRITICAL)
    figures: dict[str, dict[str, float]] = {}
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for server in SERVED:
            calls = round(FUZZED * options.fraction / len(SERVED))
            found = anyio.run(fuzz, server, calls, options.seed, Path(folder, server))
            bad = ("inside", "silent", "paths", "secrets")
            rows.append([server, calls, found["refused"], *(found[name] for name in bad)])
            figures[server] = {name: found[name] for name in bad}
        grown = 0.0
        if Path("/proc/self/statm").exists():
            grown = anyio.run(endure, round(REPEATED * options.fraction), Path(folder, "all"))
    print(table(("server", "calls", "refused", "inside", "silent", "paths", "secrets"), rows))
    print(f"{round(REPEATED * options.fraction):,} right calls: memory grew by {grown:.1f} MB")
    figures["endurance"] = {"grew by over 20 MB": int(grown > 20)}
    lower = {"inside", "silent", "paths", "secrets", "grew by over 20 MB"}
    return Ratchet(__file__, lower=lower).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
