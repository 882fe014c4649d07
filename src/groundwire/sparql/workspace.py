"""A registry with its endpoints open, the policies of its users, and what of it answers now.

Hosts run for days, so a registry that changes is noticed and read anew; a query that has begun ends
at the endpoints that it began with.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import anyio

from groundwire.errors import GroundwireError
from groundwire.safe_text import safe_name
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import Endpoints
from groundwire.sparql.opening import Opener, Supplies
from groundwire.sparql.outcome import Request
from groundwire.sparql.policy import KgPolicies
from groundwire.sparql.registry import Registry, load_registry
from groundwire.sparql.results import EndpointItem, EndpointList
from groundwire.sparql.runs import KgRunStore
from groundwire.sparql.schema.model import Schemas

_LOOK_AGAIN_AFTER = 1.0
# No query of a registry that was replaced is still at work then: none may take longer than 600 s.
_CLOSED_AFTER = 660.0
POLICIES_FILE = "kg_policies.sqlite"
RUNS_FILE = "kg_runs.sqlite"
SCHEMAS_FILE = "schemas.sqlite"


@dataclass(frozen=True, slots=True)
class Desk:
    """One reading of a registry, with what it opened.

    Attributes:
        registry: which endpoints there are, and the limits.
        endpoints: runs their queries.
        opener: opens graphs and databases.
    """

    registry: Registry
    endpoints: Endpoints
    opener: Opener

    async def close(self) -> None:
        """Close its endpoints, and the graphs behind them."""
        await self.endpoints.close()
        await self.opener.close()


class Workspace:
    """Opens a registry when it is first asked and keeps it current."""

    def __init__(self, registry: Path, supplies: Supplies) -> None:
        """Name a registry; nothing is read yet.

        Args:
            registry: the TOML file.
            supplies: what the embedded endpoints are made of.
        """
        self._path = registry
        self._supplies = supplies
        self._desk: Desk | None = None
        self._stamp: object = None
        self._looked = 0.0
        self._lock = anyio.Lock()
        self._replaced: list[tuple[float, Desk]] = []
        self.policies = KgPolicies(supplies.database or supplies.home / POLICIES_FILE)
        self.kept_runs = KgRunStore(supplies.database or supplies.home / RUNS_FILE)
        self.schemas = Schemas(supplies.home / SCHEMAS_FILE)

    async def desk(self) -> Desk:
        """Return the registry with its endpoints, read anew where its file changed.

        Raises:
            ConfigurationError: it cannot be read, or contradicts itself.
        """
        if self._desk is not None and time.monotonic() - self._looked < _LOOK_AGAIN_AFTER:
            return self._desk
        async with self._lock:
            stamp = _stamp(self._path)
            if self._desk is None or stamp != self._stamp:
                registry = await anyio.to_thread.run_sync(load_registry, self._path)
                if self._desk is not None:
                    self._replaced.append((time.monotonic(), self._desk))
                opener = Opener(self._supplies)
                self._desk = Desk(
                    registry, Endpoints(registry, opener.runner, opener.forget), opener
                )
                self._stamp = stamp
            self._looked = time.monotonic()
            await self._close_replaced()
            return self._desk

    async def close(self) -> None:
        """Close every endpoint."""
        for desk in self._open():
            await desk.close()
        self._replaced.clear()
        self._desk = None
        self.policies.close()
        self.schemas.close()

    def close_now(self) -> None:
        """End the processes of every graph; called when no event loop runs any more."""
        for desk in self._open():
            desk.endpoints.close_now()
            desk.opener.close_now()
        self._replaced.clear()
        self._desk = None
        self.policies.close()
        self.schemas.close()

    def _open(self) -> list[Desk]:
        return [desk for _, desk in self._replaced] + ([self._desk] if self._desk else [])

    async def _close_replaced(self) -> None:
        """Close what was replaced so long ago that no query is at work there."""
        while self._replaced and time.monotonic() - self._replaced[0][0] > _CLOSED_AFTER:
            _, desk = self._replaced.pop(0)
            await desk.close()


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size)


_PROBE_SECONDS = 5.0
_PROBES = {"sparql": "ASK {}", "sql": "SELECT 1", "graphql": "{ __typename }"}


async def list_endpoints(workspace: Workspace, probe: bool = True) -> EndpointList:
    """Every endpoint with its languages and whether it answers.

    Raises:
        ConfigurationError: the registry cannot be read.
    """
    desk = await workspace.desk()
    items: dict[str, EndpointItem] = {}

    async def look(endpoint: Endpoint) -> None:
        reachable, detail = await _probed(desk, endpoint) if probe else (None, None)
        items[endpoint.name] = EndpointItem(
            name=endpoint.name,
            url=endpoint.shown,
            kind=endpoint.kind,
            dialect=endpoint.dialect if endpoint.kind == "sparql" else None,
            languages=list(endpoint.languages),
            describe_template=endpoint.describe_template or None,
            reachable=reachable,
            detail=detail,
        )

    async with anyio.create_task_group() as tasks:
        for endpoint in desk.registry.endpoints:
            tasks.start_soon(look, endpoint)
    listed = [items[name] for name in desk.registry.names]
    down = [one.name for one in listed if one.reachable is False]
    said = f"; not answering: {', '.join(down)}" if down else ""
    return EndpointList(
        answer=f"Endpoints: {', '.join(safe_name(one.name) for one in listed)}{said}.",
        endpoints=listed,
        default=desk.registry.default,
        fallbacks=list(desk.registry.fallbacks),
    )


async def _probed(desk: Desk, endpoint: Endpoint) -> tuple[bool, str | None]:
    """Whether an endpoint answers the least query there is, and what it says otherwise."""
    language = endpoint.languages[0]
    try:
        runner = await desk.endpoints.runner(endpoint, language)
    except GroundwireError as error:
        return False, " ".join(str(error).split())
    request = Request(language, _PROBES[endpoint.kind], 1, _PROBE_SECONDS)
    outcome = await runner.run(request)
    return outcome.answered, None if outcome.answered else outcome.reason
