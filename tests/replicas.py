"""Servers that share one database, a proxy that goes round them, clients, the loss of a server."""

from __future__ import annotations

import asyncio
import atexit
import itertools
import json
import os
import random
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import start_blocking_portal
from postgres_cluster import free_port
from warm_servers import WarmServers

from groundwire.errors import GroundwireError
from groundwire.evidence import Ledger
from groundwire.learning.learner import LearningBase
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.load import take_in_facts
from groundwire.metrics.profile import load_profile
from groundwire.metrics.sources import Owner
from groundwire.profiles import metrics_profile
from groundwire.state import Database

ERAS = ("2025-11-25", "2026-07-28")
TOOLSETS = "metrics,journeys,learning,sparql,evidence"
TOOLS = (
    "query_metric,get_evidence,compute_journey_plans,get_computed_journey,record_review,list_cards,"
    "run_kg_workflow"
)
CARDS = 20
QUESTIONS = [
    {"metric": metric, "entity": "中国内地", "period": period}
    for metric in ("revenue", "gross profit")
    for period in ("FY2022", "FY2023", "FY2024")
]
RIDE = {"starting_point": "Euston", "destination": "Victoria", "time": "09:00"}
_META = "io.modelcontextprotocol/"


class Refusal(Exception):
    """The server answered that it could not do what was asked."""


class Replica:
    """One server process over HTTP, with a folder of its own."""

    def __init__(self, state: str, home: Path, facts: str) -> None:
        self._warm = _warm_servers()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")
        } | {
            "GROUNDWIRE_STATE": state,
            "GROUNDWIRE_FACTS": facts,
            "GROUNDWIRE_HOME": str(home),
            "GROUNDWIRE_HTTP_CALLS_PER_MINUTE": "0",
            "GROUNDWIRE_HTTP_CALLS_AT_ONCE": "0",
            "TFL_BASE_URL": "offline",
        }
        self._log = home.with_suffix(".log")
        self.start()

    def start(self) -> None:
        self._log.write_bytes(b"")
        self._process = self._warm.start(
            ["--transport", "http", "--port", str(self.port), "--stateless",
             "--toolsets", TOOLSETS, "--tools", TOOLS],
            self._environment, self._log,
        )  # fmt: skip

    def wait(self) -> None:
        """Wait until it listens."""
        while self.url not in self.said:
            assert self._warm.runs(self._process), self.said
            time.sleep(0.05)

    @property
    def said(self) -> str:
        return self._log.read_text("utf-8")

    def kill(self) -> None:
        self._warm.kill(self._process)


@cache
def _warm_servers() -> WarmServers:
    """What the servers of all tests of this process are forked from, begun with the first."""
    servers = WarmServers(
        [
            ("query_metric", QUESTIONS[0]),
            ("compute_journey_plans", RIDE),
            ("record_review", {"card_id": "none", "response": "answer", "review_id": "none"}),
            ("run_kg_workflow", {"prompt": "Who founded Qwertzuiop?"}),
        ]
    )
    atexit.register(servers.close)
    return servers


@contextmanager
def replicas(
    state: str, folder: Path, count: int = 3, *, facts: str | None = None
) -> Iterator[list[Replica]]:
    """Servers whose facts are in the same database, or where `facts` says."""
    started: list[Replica] = []
    try:
        for number in range(count):
            started.append(
                Replica(state, folder / f"home{number}", state if facts is None else facts)
            )
        for one in started:
            one.wait()
        yield started
    finally:
        for one in started:
            one.kill()


@contextmanager
def proxied(servers: Sequence[Replica]) -> Iterator[str]:
    """The URL of a proxy: each connection goes to the next server that takes it."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_listening(servers)) as port,
    ):
        yield f"http://127.0.0.1:{port}/mcp"


@asynccontextmanager
async def _listening(servers: Sequence[Replica]) -> AsyncIterator[int]:
    turns = itertools.cycle(servers)

    async def hand_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await source.read(65_536):
                target.write(piece)
                await target.drain()
        target.close()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for server in itertools.islice(turns, len(servers)):
            with suppress(OSError):
                source, target = await asyncio.open_connection("127.0.0.1", server.port)
                await asyncio.gather(hand_on(reader, target), hand_on(source, writer))
                return
        writer.close()

    async with await asyncio.start_server(connected, "127.0.0.1", 0, backlog=1_024) as listener:
        yield listener.sockets[0].getsockname()[1]


def plain_client(**more: Any) -> httpx2.Client:
    """A client of servers on loopback, which reads no certificates: that takes 30 ms."""
    return httpx2.Client(timeout=120, verify=False, **more)


def call(http: httpx2.Client, url: str, era: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured content of one call.

    Raises:
        Refusal: the answer is an error.
        httpx2.HTTPError: there is no answer.
    """
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": era,
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    if era == ERAS[1]:
        params["_meta"] = {
            f"{_META}protocolVersion": era,
            f"{_META}clientInfo": {"name": "load", "version": "1"},
            f"{_META}clientCapabilities": {},
        }
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = http.post(url, json=body, headers=headers)
    if not answer.is_success:
        raise Refusal(f"{answer.status_code} {answer.text[:200]}")
    text = answer.text
    if "event-stream" in answer.headers["content-type"]:
        text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
    told = json.loads(text)
    result = told.get("result", {})
    if "error" in told or result.get("isError"):
        raise Refusal(str(told.get("error") or result["content"][0]["text"]))
    return result["structuredContent"]


@dataclass
class Outcome:
    """What clients saw.

    Attributes:
        calls: calls by their tool.
        acknowledged: seals of records by their evidence ids.
        told: calls that failed and were told so, by why.
        reviewed: ids of reviews that were acknowledged.
        sent_again: ids of reviews that were sent once more, since no answer came.
        wrong: answers that are not those of a server that nobody disturbs.
        seconds: how long it took.
        times: seconds of each call that was answered.
        kills: how many replicas were killed.
    """

    calls: Counter[str] = field(default_factory=Counter)
    acknowledged: dict[str, str] = field(default_factory=dict)
    reviewed: set[str] = field(default_factory=set)
    sent_again: set[str] = field(default_factory=set)
    told: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    kills: int = 0

    def lost(self, ledger: Ledger) -> list[str]:
        """Acknowledged records that are not there as they were told."""
        gone: list[str] = []
        for handle, seal in self.acknowledged.items():
            try:
                if not ledger.inspect(handle).hash.startswith(seal):
                    gone.append(handle)
            except GroundwireError as error:
                gone.append(f"{handle}: {error}")
        return gone

    def reviews_lost(self, database: Database) -> list[str]:
        """Acknowledged reviews that are not in the log, and any that stands there twice."""
        with LearningBase(database) as base, base.learner("local").reading() as connection:
            found = Counter(one for (one,) in connection.execute("SELECT review_id FROM reviews"))
        return [
            *(f"{one}: lost" for one in self.reviewed if not found[one]),
            *(f"{one}: {count} times" for one, count in found.items() if count > 1),
        ]


def keep_facts(database: Database) -> None:
    """Import the facts of the embedded profile, which servers answer from."""
    path = metrics_profile()
    owner = Owner(load_profile(path), path.parent, "")
    with SqliteFacts(database) as store:
        with store.writer():
            pass
        assert take_in_facts(owner, store, date.today(), None) == ()


def keep_cards(database: Database) -> None:
    """Make the cards that clients review."""
    with LearningBase(database) as base, base.learner("local").writing() as connection:
        connection.execute("INSERT INTO decks VALUES ('local', 'deck_x', 'X', 'x', 0)")
        connection.executemany(
            "INSERT INTO cards (owner, card_id, note_id, deck_id, ordinal, type, front, back, "
            "state, proof, created_ms) VALUES ('local', ?, ?, 'deck_x', 0, 'atomic', ?, 'answer', "
            "'active', 'imported', 0)",
            [(f"card_{one}", f"note_{one}", f"front {one}") for one in range(CARDS)],
        )


class Load:
    """Clients of a proxy before replicas, with mixed calls in both eras; replicas are killed."""

    def __init__(self, servers: list[Replica], url: str, seed: int = 7) -> None:
        self._servers = servers
        self._url = url
        self._turn = itertools.count()
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.outcome = Outcome()
        with self._connected() as http:
            self._truth = [self._question(http, number) for number in range(len(QUESTIONS))]
            self._ride = self._journey(http)

    def run(self, clients: int, calls: int, kill_every: float) -> Outcome:
        began = time.monotonic()
        left = iter(range(calls))
        threads = [threading.Thread(target=self._client, args=(left,)) for _ in range(clients)]
        killer = threading.Thread(target=self._kill, args=(kill_every,))
        for thread in (*threads, killer):
            thread.start()
        for thread in threads:
            thread.join()
        self._ended.set()
        killer.join()
        self.outcome.seconds = time.monotonic() - began
        return self.outcome

    def _connected(self) -> httpx2.Client:
        """A client that makes a connection for each call, so that calls go round."""
        return plain_client(limits=httpx2.Limits(max_keepalive_connections=0))

    def _client(self, left: Iterator[int]) -> None:
        with self._connected() as http:
            while True:
                with self._lock:
                    if next(left, None) is None:
                        return
                    dice, number = self._chance.random(), self._chance.randrange(len(QUESTIONS))
                try:
                    if dice < 0.65:
                        self._expect(self._question(http, number), self._truth[number])
                    elif dice < 0.85:
                        self._evidence(http)
                    elif dice < 0.95:
                        self._review(http, f"review_{self._chance.getrandbits(64):x}", number)
                    else:
                        self._expect(self._journey(http), self._ride)
                except Refusal as error:
                    self._note(str(error))
                except httpx2.HTTPError as error:
                    self._note(type(error).__name__)

    def _ask(self, http: httpx2.Client, tool: str, **arguments: Any) -> dict[str, Any]:
        era = ERAS[next(self._turn) % 2]
        began = time.monotonic()
        answer = call(http, self._url, era, tool, **arguments)
        with self._lock:
            self.outcome.calls[tool] += 1
            self.outcome.times.append(time.monotonic() - began)
            if answer.get("evidence_id") and "evidence_seal" in answer:
                self.outcome.acknowledged[answer["evidence_id"]] = answer["evidence_seal"]
            elif "evidence_error" in answer:
                self.outcome.told[f"not recorded: {answer['evidence_error']}"] += 1
        return answer

    def _question(self, http: httpx2.Client, number: int) -> object:
        answer = self._ask(http, "query_metric", **QUESTIONS[number])
        return answer["status"], answer.get("value_text"), answer.get("unit")

    def _evidence(self, http: httpx2.Client) -> None:
        with self._lock:
            handle = self._chance.choice([*self.outcome.acknowledged][-200:])
        found = self._ask(http, "get_evidence", evidence_id=handle)
        self._expect(found["evidence_id"], handle)

    def _review(self, http: httpx2.Client, review_id: str, number: int) -> None:
        """A review, which is sent again where no answer came, as a proxy that retries does."""
        sent = {"card_id": f"card_{number}", "response": "answer", "review_id": review_id}
        expected = {"recorded"}
        for _ in range(3):
            try:
                found = self._ask(http, "record_review", **sent)
            except httpx2.HTTPError:
                expected.add("already_recorded")
                with self._lock:
                    self.outcome.sent_again.add(review_id)
                continue
            with self._lock:
                self.outcome.reviewed.add(review_id)
            if found["status"] not in expected:
                self._expect(found["status"], expected)
            return
        self._note("a review was sent three times, and no answer came")

    def _journey(self, http: httpx2.Client) -> object:
        """A journey that one replica computes and the next one tells."""
        made = self._ask(http, "compute_journey_plans", **RIDE)
        told = self._ask(
            http, "get_computed_journey", journey_id=made["journey_id"], journey_index=0
        )
        return [one["duration_minutes"] for one in told["plans"]]

    def _expect(self, found: object, truth: object) -> None:
        if found != truth:
            with self._lock:
                self.outcome.wrong.append(f"{found!r} instead of {truth!r}")

    def _note(self, why: str) -> None:
        with self._lock:
            self.outcome.told[why[:160]] += 1

    def _kill(self, every: float) -> None:
        """Kill one replica after the other, and start each again."""
        for server in itertools.cycle(self._servers):
            if self._ended.wait(every):
                return
            server.kill()
            self.outcome.kills += 1
            self._ended.wait(every / 4)
            server.start()
            server.wait()
