"""A registry with its endpoints open, the policies of its users, and what of it answers now.

Hosts run for days, so a registry that changes is noticed and read anew; a query that has begun ends
at the endpoints that it began with.

What a user set by /kg-on, /kg-off and /limit holds for this and later prompts, in every process of
one state folder (seed 003, "The Control Panel").
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import anyio

from groundwire.errors import GroundwireError, InputError
from groundwire.safe_text import safe_name
from groundwire.sparql.endpoint import MAX_LIMIT, Endpoint
from groundwire.sparql.execution import Endpoints
from groundwire.sparql.opening import Opener, Supplies
from groundwire.sparql.outcome import Request
from groundwire.sparql.registry import Mode, Registry, load_registry
from groundwire.sparql.results import EndpointItem, EndpointList
from groundwire.sparql.runs import KgRunStore
from groundwire.sparql.schema.model import Schemas
from groundwire.state import Connection, Layout, StatePlace, Store, opened
from groundwire.statefile import Kept

_TABLES = (
    """CREATE TABLE policies (
        owner TEXT PRIMARY KEY,
        mode TEXT NOT NULL CHECK (mode IN ('off', 'classes', 'strict')),
        result_limit INTEGER
    ) STRICT, WITHOUT ROWID""",
)
_BUSY_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class KgPolicy:
    """The settings of one user.

    Attributes:
        mode: `strict` after /kg-on, else `off`.
        limit: results by default, or None where /limit was never used.
    """

    mode: Mode = "off"
    limit: int | None = None


class KgPolicies(Kept[Store]):
    """The settings of users at a place; nothing is opened before it is needed.

    Its methods may be called from any thread, and several processes may share the place.
    """

    def __init__(self, place: StatePlace) -> None:
        """Take the file or the database; it is laid out when something is first set."""
        layout = Layout(
            "kg_policies",
            "file of KG policies",
            application=0x47574B47,  # "GWKG"
            version=1,
            tables=_TABLES,
            busy_seconds=_BUSY_SECONDS,
        )
        self._state = opened(place, layout)

    def stored(self, owner: str) -> KgPolicy:
        """Return what a user set; of one who set nothing, the policy that demands nothing.

        Raises:
            UnavailableError: the file is there and cannot be read.
        """
        with self._state.reading() as connection:
            return KgPolicy() if connection is None else _read(connection, owner)

    def change(
        self,
        owner: str,
        *,
        mode: Mode | None = None,
        limit: int | None = None,
        reset: bool = False,
    ) -> KgPolicy:
        """Change what a user set; what is None stays as it was, or with `reset` as at first.

        Raises:
            UnavailableError: the file cannot be written; nothing is changed.
        """
        with self._state.writing() as connection:
            before = KgPolicy() if reset else _read(connection, owner)
            after = replace(
                before,
                mode=before.mode if mode is None else mode,
                limit=before.limit if limit is None else limit,
            )
            connection.execute(
                "INSERT INTO policies (owner, mode, result_limit) VALUES (?, ?, ?) "
                "ON CONFLICT (owner) DO UPDATE SET mode = excluded.mode, "
                "result_limit = excluded.result_limit",
                (owner, after.mode, after.limit),
            )
            return after


def _read(connection: Connection, owner: str) -> KgPolicy:
    row = connection.execute(
        "SELECT mode, result_limit FROM policies WHERE owner = ?", (owner,)
    ).fetchone()
    return KgPolicy() if row is None else KgPolicy(*row)


_STRICTNESS: dict[Mode, int] = {"off": 0, "classes": 1, "strict": 2}
_IN_WORDS: dict[Mode, str] = {
    "off": "not demanded",
    "classes": "mandatory for some classes of prompts",
    "strict": "mandatory for every prompt",
}


@dataclass(frozen=True, slots=True)
class InForce:
    """The policy in force for one user.

    Attributes:
        mode: for which prompts the workflow is mandatory.
        limit: results of a query that names no limit, at an endpoint that has none of its own.
        demanded: what the registry demands of everyone; `mode` is never less.
        classes: classes of prompts that `classes` is about.
        answer: all of it in one or two sentences, with what could not be done.
    """

    mode: Mode
    limit: int
    demanded: Mode
    classes: tuple[str, ...]
    answer: str


def effective(registry: Registry, stored: KgPolicy, enforce: Mode | None = None) -> Mode:
    """The strictest of what the registry demands, the user set and a call asks for."""
    asked = (registry.enforcement.mode, stored.mode, enforce or "off")
    return max(asked, key=_STRICTNESS.__getitem__)


def result_limit(
    registry: Registry, endpoint: Endpoint, stored: KgPolicy, asked: int | None = None
) -> int:
    """How many results: as the call asks, else the user's /limit, the endpoint's, the registry's.

    Raises:
        InputError: the call asks for fewer than 1 or more than 1,000.
    """
    if asked is not None:
        return _checked(asked)
    return stored.limit or registry.limit(endpoint)


def set_kg_policy(
    policies: KgPolicies,
    registry: Registry,
    owner: str,
    *,
    kg: Literal["on", "off"] | None = None,
    limit: int | None = None,
    reset: bool = False,
) -> InForce:
    """Change what holds for this and later prompts of one user; without a change, show it.

    Args:
        policies: where it is kept.
        registry: what is demanded of everyone; it is never weakened.
        owner: whose policy it is.
        kg: `on` makes the workflow mandatory for every prompt, `off` takes that back.
        limit: results by default from now on, 1 to 1,000.
        reset: forget what was set before; what this call sets is set.

    Raises:
        InputError: the limit is out of bounds; nothing is changed.
        UnavailableError: the policy cannot be kept or read.
    """
    if limit is not None:
        _checked(limit)
    if kg is None and limit is None and not reset:
        stored = policies.stored(owner)
    else:
        stored = policies.change(
            owner, mode=None if kg is None else _mode(kg), limit=limit, reset=reset
        )
    return in_force(registry, stored, lifting=kg == "off" or (reset and kg is None))


def in_force(registry: Registry, stored: KgPolicy, *, lifting: bool = False) -> InForce:
    """The policy that results from the registry and what a user set.

    Args:
        registry: what is demanded of everyone.
        stored: what the user set.
        lifting: the user has just asked for less, so the answer says what they cannot lift.
    """
    mode = effective(registry, stored)
    demanded = registry.enforcement.mode
    classes = registry.enforcement.classes
    limit = stored.limit or registry.limits.result_limit_default
    said = f"The KG workflow is {_IN_WORDS[mode]}"
    if mode == "classes":
        said += f" ({', '.join(classes)})"
    if demanded == mode != "off":
        said += ", as the registry demands"
        said += ": only its administrator can lift that" if lifting else ""
    said += f". Results are limited to {limit}."
    return InForce(mode=mode, limit=limit, demanded=demanded, classes=classes, answer=said)


def _mode(kg: Literal["on", "off"]) -> Mode:
    return "strict" if kg == "on" else "off"


def _checked(limit: int) -> int:
    """The limit, if it is one.

    Raises:
        InputError: it is out of bounds.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise InputError(
            f"A result limit is from 1 to {MAX_LIMIT:,}, not {limit:,}: send such one."
        )
    return limit


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
