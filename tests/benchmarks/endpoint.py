"""What the calls of the ontology server cost where the assets are at a SPARQL endpoint.

    python tests/benchmarks/endpoint.py [--assets 1000000] [--turns 5] [--server oxigraph]

An Oxigraph server holds the generated assets. Each call of the server goes through a client in
memory, beside the queries that a person would write by hand for the same answer, in turns at the
same endpoint. That both find the same is checked where the order is the same. The store is kept
in the system's temporary folder, so only the first run loads it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
from _table import Measured, report
from mcp import Client
from search_cases import COUNTED, PAGES, PREFIX, SORTED, Case
from search_data import ASSETS, VOCABULARY, assets_file, folder, shapes_file

from groundwire.config import load_settings
from groundwire.servers.ontology import build

# No call may take longer, whatever it leaves out.
MOST_SECONDS = 10.0
# Ours beside the queries by hand.
RATIO = 3.0
# Below this a call is made of round trips and the recording of evidence, not of the search.
SMALL = 0.05
PATIENCE = 15.0
OTHER = {"domains": ["Site"], "filters": {"country": "DE"}}
KINDS = ("Recording", "Simulation", "Site")


class Call(NamedTuple):
    """A call of a tool beside what a person would ask for the same.

    Attributes:
        name: what is special about it.
        tool: the name of the tool; likewise `arguments`.
        hand: SPARQL queries, sent one after the other; none where nothing comparable can be
            written, so that only the time counts.
        expects: a field that the answer must have, with what it must be (None: anything).
        paged: what is shown of the page and its total are asked for by hand too.
    """

    name: str
    tool: str
    arguments: dict[str, Any]
    hand: tuple[str, ...] = ()
    expects: tuple[str, Any] = ("answer", None)
    paged: bool = False


class Server:
    """An Oxigraph server of the generated assets; used as a context."""

    def __init__(self, assets: int) -> None:
        """Load the assets where that was not done before."""
        beside = str(Path(sys.executable).parent)
        self._program = shutil.which("oxigraph", path=beside) or "oxigraph"
        file = assets_file(assets)
        self._store = folder() / f"oxigraph-{file.stem}"
        self._running: subprocess.Popen[bytes] | None = None
        if not self._store.exists():
            aside = self._store.with_suffix(".part")
            shutil.rmtree(aside, ignore_errors=True)
            load = [self._program, "load", "--location", str(aside), "--file", str(file)]
            subprocess.run(load, check=True, capture_output=True)
            aside.rename(self._store)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]

    @property
    def url(self) -> str:
        """Where it answers queries."""
        return f"http://127.0.0.1:{self._port}/query"

    def start(self) -> None:
        """Start it, anew if it runs: it goes on with queries that nobody waits for."""
        self.stop()
        self._running = subprocess.Popen(
            [
                self._program,
                *("serve-read-only", "--location", str(self._store)),
                *("--bind", f"127.0.0.1:{self._port}"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", self._port), 0.2).close()
                return
            except OSError:
                if self._running.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def stop(self) -> None:
        """End it."""
        if self._running is not None:
            self._running.kill()
            self._running.wait(PATIENCE)
            self._running = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def shown(assets: Sequence[str]) -> str:
    """By hand: what is shown of a page."""
    paths = "|".join(f"v:hasContent/v:{name}" for name in ("mode", "batch", "length", "keyword"))
    return (
        f"{PREFIX}SELECT ?asset ?value {{ VALUES ?asset {{ {' '.join(f'<{a}>' for a in assets)} }} "
        f"?asset a|v:recordedAt|v:keyword|{paths} ?value }}"
    )


def as_far(query: str, said: dict[str, Any]) -> str:
    """By hand: the number of matching assets, as far as an answer counted them."""
    prefix, _, patterns = query.partition("WHERE ")
    body = re.split(r" (?:GROUP|ORDER) BY | LIMIT ", patterns)[0]
    far = "" if said.get("total_is_exact") else f"LIMIT {said.get('total')}"
    return (
        f"{prefix.partition('SELECT')[0]}SELECT (COUNT(*) AS ?n) {{ SELECT DISTINCT ?asset "
        f"{body} {far} }}"
    )


def counted(patterns: str) -> str:
    """By hand: the number of matching assets."""
    return f"{PREFIX}SELECT (COUNT(DISTINCT ?asset) AS ?n) {{ {patterns} }}"


def searches(cases: Sequence[Case]) -> Iterator[Call]:
    """Searches with the queries for a page, its values and the total."""
    for case in cases:
        arguments: dict[str, Any] = {"slots": case.slots}
        hand = (case.query(),)
        if case.sort:
            arguments["sort"] = case.sort
        if case.count_by:
            arguments["count_by"] = case.count_by
        expects = ("answer", None) if case.heavy else ("status", "results")
        yield Call(
            f"submit: {case.name}",
            "submit_slots",
            arguments,
            hand,
            expects,
            True,
        )


def calls() -> list[Call]:
    """Every tool, and every kind of search."""
    bench = {"domains": ["Recording"]}
    empty = {**bench, "filters": {"batch": "b-0007"}, "ranges": {"length": {"min": 1_000_000}}}
    text = {**bench, "filters": {"keyword": {"contains": "pic-07"}}}
    kinds = " ".join(f"v:{kind}" for kind in KINDS)
    return [
        Call(
            "first call: discover_domains",
            "discover_domains",
            {},
            (
                f"{PREFIX}SELECT ?kind (COUNT(*) AS ?n) {{ ?asset a ?kind "
                f"VALUES ?kind {{ {kinds} }} }} GROUP BY ?kind",
            ),
        ),
        *searches((*PAGES, *SORTED, *COUNTED)),
        Call(
            "submit: no value",
            "submit_slots",
            {"slots": {"domains": ["Recording"], "filters": {"batch": {"exists": False}}}},
            (
                f"{PREFIX}SELECT ?asset {{ ?asset a v:Recording FILTER NOT EXISTS {{ ?asset "
                "v:hasContent/v:batch ?b } } LIMIT 21",
            ),
        ),
        Call(
            "submit: a text",
            "submit_slots",
            {"slots": text},
            (
                f"{PREFIX}SELECT DISTINCT ?asset {{ ?asset a v:Recording ; v:keyword|v:hasContent/"
                'v:keyword ?k FILTER(CONTAINS(LCASE(?k), "pic-07")) } LIMIT 21',
            ),
            ("status", "results"),
        ),
        Call(
            "submit: empty, explained",
            "submit_slots",
            {"slots": empty},
            (
                f'{PREFIX}SELECT ?asset {{ ?c v:batch "b-0007" ; v:length ?l . ?asset v:hasContent '
                "?c ; a v:Recording FILTER(?l >= 1000000) } LIMIT 21",
                f"{PREFIX}SELECT (MAX(?l) AS ?most) {{ ?asset a v:Recording ; v:hasContent/"
                "v:length ?l }",
                counted('?c v:batch "b-0007" . ?asset v:hasContent ?c ; a v:Recording'),
            ),
            ("status", "empty"),
        ),
        Call(
            "submit: a misspelt value",
            "submit_slots",
            {"slots": {**bench, "filters": {"keyword": "topik-07"}}},
            (
                f"{PREFIX}SELECT DISTINCT ?k {{ ?s v:keyword ?k }}",
                f"{PREFIX}SELECT DISTINCT ?asset WHERE {{ ?asset v:keyword|v:hasContent/v:keyword "
                '"topic-07" ; a v:Recording } LIMIT 21',
            ),
        ),
        Call(
            "submit: an unknown value",
            "submit_slots",
            {"slots": {**bench, "filters": {"batch": "green pumpkins"}}},
            (f"{PREFIX}SELECT DISTINCT ?b {{ ?s v:batch ?b }}",),
            ("status", "rejected"),
        ),
        Call(
            "submit: an unknown property",
            "submit_slots",
            {"slots": {**bench, "filters": {"pumpkin": "green"}}},
            (),
            ("status", "rejected"),
        ),
        Call(
            "submit: a gap",
            "submit_slots",
            {"slots": bench, "gaps": [{"term": "b-0007", "reason": "unmapped"}], "sort": "batch"},
            (),
        ),
        Call(
            "submit: every recording",
            "submit_slots",
            {"slots": bench},
            (f"{PREFIX}SELECT ?asset WHERE {{ ?asset a v:Recording }} LIMIT 21",),
            ("status", "results"),
            True,
        ),
        Call(
            "discover_properties",
            "discover_properties",
            {"domain": "Recording"},
            tuple(
                f"{PREFIX}SELECT (COUNT(*) AS ?n) {{ ?asset a v:Recording ; v:hasContent/v:{name} "
                "?value }"
                for name in ("mode", "batch", "length", "keyword")
            ),
        ),
        *(
            Call(
                f"discover_values: {name}{' of a kind' if kind else ''}",
                "discover_values",
                {"property": name, **({"domain": kind} if kind else {})},
                (
                    f"{PREFIX}SELECT ?value (COUNT(*) AS ?n) {{ {pattern} }} GROUP BY ?value "
                    "ORDER BY DESC(?n) LIMIT 51",
                ),
            )
            for name, kind, pattern in (
                ("mode", "", "?s v:mode ?value"),
                ("batch", "", "?s v:batch ?value"),
                ("length", "", "?s v:length ?value"),
                ("country", "Site", "?s a v:Site ; v:country ?value"),
                ("mode", "Recording", "?s a v:Recording ; v:hasContent/v:mode ?value"),
                ("recordedAt", "Recording", "?s a v:Recording ; v:recordedAt ?value"),
            )
        ),
        Call("discover_connections", "discover_connections", {}),
        Call(
            "get_asset",
            "get_asset",
            {"iri": f"{ASSETS}r123456"},
            (
                f"SELECT ?p ?q ?v {{ {{ <{ASSETS}r123456> ?p ?v }} UNION {{ <{ASSETS}r123456> ?p "
                "?b . ?b ?q ?v FILTER(isBlank(?b)) } }",
            ),
        ),
        Call("get_asset: none", "get_asset", {"iri": f"{ASSETS}nothing"}),
        Call(
            "investigate_schema",
            "investigate_schema",
            {"query": f"SELECT ?s {{ ?s ?p <{VOCABULARY}Recording> }}"},
        ),
    ]


async def by_hand(client: httpx2.AsyncClient, server: Server, queries: Sequence[str]) -> float:
    """Seconds that the queries take, their answers read; `PATIENCE` where one takes longer."""
    started = time.perf_counter()
    for query in queries:
        try:
            answer = await client.post(
                server.url,
                data={"query": query},
                headers={"accept": "application/sparql-results+json"},
                timeout=PATIENCE,
            )
        except httpx2.TimeoutException:
            server.start()
            return PATIENCE
        assert answer.status_code == 200, answer.text
        json.loads(answer.content)
    return time.perf_counter() - started


async def ours(server: Server, call: Call, *, warm: bool) -> tuple[float, dict[str, Any]]:
    """Seconds of a call, and what it answered.

    Either of tools that were just started, or of such that know which kinds have assets, and
    nothing of this call.
    """
    with tempfile.TemporaryDirectory() as home:
        settings = {
            "GROUNDWIRE_HOME": home,
            "GROUNDWIRE_SHAPES": str(shapes_file()),
            "GROUNDWIRE_ASSETS": server.url,
        }
        async with Client(build(load_settings(settings))) as client:
            if warm:
                await client.call_tool("submit_slots", {"slots": OTHER})
                await client.call_tool("get_asset", {"iri": f"{ASSETS}s1"})
            started = time.perf_counter()
            result = await client.call_tool(call.tool, call.arguments)
            took = time.perf_counter() - started
    if took > 3 or result.is_error:
        server.start()
    said = result.structured_content or {"answer": str(result.content[0]), "is_error": True}
    return took, said


def beside(call: Call, said: dict[str, Any]) -> Iterator[str]:
    """By hand: what an answer shows of its page, and the total as far as it counted it."""
    found = [item["iri"] for item in said.get("results", [])]
    if found:
        yield shown(found)
    if said.get("total"):
        yield as_far(call.hand[0], said)


async def measure(server: Server, turns: int, chosen: str) -> list[Measured]:
    """A line for each call."""
    lines: list[Measured] = []
    async with httpx2.AsyncClient(trust_env=False) as client:
        for call in calls():
            if chosen not in call.name:
                continue
            first = call.name.startswith("first")
            hands: list[float] = []
            times: list[float] = []
            said: dict[str, Any] = {}
            # What is asked first is slow for either, so the first turn does not count.
            for turn in range(turns + 1):
                took, said = await ours(server, call, warm=not first)
                queries = [*call.hand, *(beside(call, said) if call.paged else ())]
                hand_took = await by_hand(client, server, queries) if queries else 0.0
                if turn or max(took, hand_took) > 3:
                    times.append(took)
                    hands += [hand_took] if queries else []
                if max(took, hand_took) > 3:
                    break
            field, wanted = call.expects
            if wanted is not None and said.get(field) != wanted:
                print(f"UNEXPECTED {call.name}: {field} is {said.get(field)!r}")
            total = said.get("total")
            print(
                f"{call.name}: {said.get('confidence', '')} "
                f"{'' if total is None else total} {said.get('total_is_exact', '')} "
                f"| {str(said.get('answer'))[:230]}"
            )
            hand = statistics.median(hands) if hands else None
            line = Measured(call.name, hand, statistics.median(times), seconds=MOST_SECONDS)
            if hand is not None and line.ours > SMALL:
                line = line._replace(ratio=RATIO)
            lines.append(line)
    return lines


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assets", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", default="", help="calls whose name holds this")
    arguments = parser.parse_args()
    with Server(arguments.assets) as server:
        return report(asyncio.run(measure(server, arguments.turns, arguments.only)))


if __name__ == "__main__":
    sys.exit(main())
