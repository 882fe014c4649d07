"""The worlds of the claim check: what tools answered before a draft was written.

A world is a list of calls in `claim_check/worlds*.toml`. The servers of this process make them over
the embedded data, without network, and each draft is checked by the tool `verify_answer` of the
server that was called last, with the evidence ids of its world: what is measured is what a user
meets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mcp import Client

from groundwire.config import Settings
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.learning.importing import Places, load_sample
from groundwire.learning.learner import LearningBase
from groundwire.profiles import learning_sample
from groundwire.servers import agents, journeys, learning, metrics, ontology, sparql
from groundwire.servers.composition import compose, state
from groundwire.serving.tools import GroundedTool

FOLDER = Path(__file__).parent / "claim_check"
NOW = datetime(2026, 11, 23, 8, 0, tzinfo=LONDON)
PATIENCE = 600.0
MOST_RECORDS = 50
# "{0.journey_id}" is the journey id that the first call of the world answered.
_PLACEHOLDER = re.compile(r"\{(\d+)((?:\.\w+)+)\}")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool.

    Attributes:
        server: the server that offers the tool.
        tool: its name.
        arguments: what is sent; strings may hold placeholders for earlier results.
    """

    server: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class World:
    """What was asked before drafts are written.

    Attributes:
        name: how drafts name it.
        calls: the calls, in order.
        only_drafts: only drafts written by hand are about it; none are made of its answers.
    """

    name: str
    calls: Sequence[Call]
    only_drafts: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A world whose calls were made.

    Attributes:
        server: the server that was called last.
        results: the structured content of each answer.
        evidence_ids: the records of all answers.
    """

    server: str
    results: Sequence[Mapping[str, Any]]
    evidence_ids: Sequence[str]


def worlds(folder: Path = FOLDER) -> dict[str, World]:
    """Read the worlds of all files `worlds*.toml`, by name.

    Raises:
        ValueError: a name stands twice, or a world has no call.
    """
    found: dict[str, World] = {}
    for path in sorted(folder.glob("worlds*.toml")):
        read = tomllib.loads(path.read_text("utf-8"))
        for one in read["world"]:
            calls = [Call(it["server"], it["tool"], it.get("arguments", {})) for it in one["call"]]
            if one["name"] in found or not calls:
                raise ValueError(f"{path.name}: {one['name']} stands twice or calls nothing")
            found[one["name"]] = World(one["name"], calls, read.get("only_drafts", False))
    return found


def worlds_of_templates() -> dict[str, World]:
    """Read the worlds of whose answers drafts are made, by name."""
    return {name: one for name, one in worlds().items() if not one.only_drafts}


class House:
    """The servers of this process, each with an open client, and the worlds made so far."""

    def __init__(self, clients: Mapping[str, Client], known: Mapping[str, World]) -> None:
        self._clients = clients
        self._known = known
        self._answered: dict[str, Answered] = {}

    async def answered(self, name: str) -> Answered:
        """Return the world of this name; its calls are made once.

        Raises:
            RuntimeError: a tool refused its call, or an answer was not recorded.
        """
        if name not in self._answered:
            self._answered[name] = await self._make(self._known[name])
        return self._answered[name]

    async def check(self, name: str, draft: str) -> Mapping[str, Any]:
        """Return what `verify_answer` says of a draft about the world of this name."""
        world = await self.answered(name)
        sent = {"draft": draft, "evidence_ids": list(world.evidence_ids)}
        return await self.call(Call(world.server, "verify_answer", sent))

    async def check_all(self, drafts: Sequence[tuple[str, str]]) -> list[Mapping[str, Any]]:
        """Return what `verify_answer` says of drafts, each with the name of its world, in order.

        The worlds are made as they come. Those of one world are checked one after the other, since
        the last records that a check was made with are known to it still.
        """
        for name, _ in drafts:
            await self.answered(name)
        by_world = sorted(range(len(drafts)), key=lambda place: drafts[place][0])
        answers = {place: await self.check(*drafts[place]) for place in by_world}
        return [answers[place] for place in range(len(drafts))]

    async def call(self, call: Call) -> Mapping[str, Any]:
        """Return the structured content of one answer.

        Raises:
            RuntimeError: the tool refused.
        """
        result = await self._clients[call.server].call_tool(call.tool, dict(call.arguments))
        if result.is_error or result.structured_content is None:
            raise RuntimeError(f"{call.tool} refused {call.arguments}: {result.content}")
        return result.structured_content

    async def _make(self, world: World) -> Answered:
        results: list[Mapping[str, Any]] = []
        ids: list[str] = []
        for call in world.calls:
            filled = Call(call.server, call.tool, _filled(call.arguments, results))
            results.append(await self.call(filled))
            ids += _evidence(results[-1])
        if not ids or len(ids) > MOST_RECORDS:
            raise RuntimeError(f"{world.name} has {len(ids)} records, at least 1 are needed")
        return Answered(world.calls[-1].server, results, ids)


@asynccontextmanager
async def opened(
    home: Path,
    known: Mapping[str, World] | None = None,
    settings: Settings | None = None,
) -> AsyncIterator[House]:
    """Open the servers on an empty state folder; clocks of journeys and learning stand at `NOW`.

    The learner has the embedded sample of cards and reviews.

    Args:
        home: where the servers keep their state.
        known: the worlds that can be asked for; default: those of the folder.
        settings: what the servers are set to; default: the embedded data, without network.
    """
    settings = settings or Settings(home=home, tfl_base_url="offline")
    shared = state(settings)
    planner = journeys.JourneysTools(London(journeys.supplies(settings), now=lambda: NOW))
    learners = learning.LearningTools(_sample_learners(home))
    made = cache(
        lambda: agents.desk(
            settings,
            shared,
            lambda: agents.servers_below(
                settings, shared, {"journeys": planner, "learning": learners}
            ),
        )
    )
    toolsets = {
        "ontology": ontology.toolset(settings),
        "metrics": metrics.toolset(settings),
        "sparql": sparql.toolset(settings),
        "journeys": planner,
        "learning": learners,
        "agents": agents.agents_toolset(made, shared),
    }
    beside = {"agents": [agents.learning_toolset(made, shared, with_runs=False)]}
    async with AsyncExitStack() as stack:
        stack.enter_context(_patient())
        stack.enter_context(patch("groundwire.agents.journey_requests.times.datetime", _AtNow))
        clients: dict[str, Client] = {}
        for name, toolset in toolsets.items():
            some = [toolset, *beside.get(name, ())]
            server = compose(name, some, settings, title=toolset.title, shared=shared)
            stack.callback(server.close)
            clients[name] = await stack.enter_async_context(Client(server))
        yield House(clients, known or worlds())


def _sample_learners(home: Path) -> LearningBase:
    """Return the learners of a state folder; the local one has the sample."""
    base = LearningBase(home, lambda: int(NOW.timestamp() * 1000))
    load_sample(base.learner("local"), Places(*learning_sample()))
    return base


class _AtNow(datetime):
    """The clock of the agents, which is that of the planner."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # a plain datetime
        """Return the present of the worlds."""
        return NOW.astimezone(tz)


def _patient() -> Any:
    """Keep a slow machine from stopping tools."""
    equipped: Callable[..., Any] = GroundedTool.equipped

    def patiently(tool: Any, arguments: Any, delivery: Any, _: Any, **more: Any) -> Any:
        return equipped(tool, arguments, delivery, PATIENCE, **more)

    return patch.object(GroundedTool, "equipped", patiently)


def _evidence(result: Mapping[str, Any]) -> list[str]:
    """Return the evidence ids of an answer: its own, its cells' and its run's."""
    ids = [result["evidence_id"]] if result.get("evidence_id") else []
    for cell in result.get("cells", ()):
        ids += _evidence(cell)
    ids += result.get("evidence_ids", ())
    return list(dict.fromkeys(ids))


def _filled(value: Any, results: Sequence[Mapping[str, Any]]) -> Any:
    """Return the arguments with every placeholder replaced."""
    if isinstance(value, Mapping):
        return {key: _filled(one, results) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, results) for one in value]
    if not isinstance(value, str):
        return value
    whole = _PLACEHOLDER.fullmatch(value)
    if whole:
        return _at(whole, results)
    return _PLACEHOLDER.sub(lambda found: str(_at(found, results)), value)


def _at(found: re.Match[str], results: Sequence[Mapping[str, Any]]) -> Any:
    at: Any = results[int(found[1])]
    for key in found[2].strip(".").split("."):
        at = at[int(key)] if isinstance(at, list) else at[key]
    return at


async def wrongly_judged(drafts: Sequence[Mapping[str, Any]], home: Path) -> list[str]:
    """Return the drafts that are not judged as they hold: true ones supported, false ones not."""
    async with opened(home) as house:
        answers = await house.check_all([(one["world"], one["text"]) for one in drafts])
    return [
        f"{one['world']}: {one['text']}"
        for one, answer in zip(drafts, answers, strict=True)
        if (answer["verdict"] == "supported") != one["holds"]
    ]
