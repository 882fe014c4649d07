"""`list_endpoints`: what the registry names, and what of it answers now."""

from __future__ import annotations

import anyio

from groundwire.errors import GroundwireError
from groundwire.safe_text import safe_name
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Request
from groundwire.sparql.results import EndpointItem, EndpointList
from groundwire.sparql.workspace import Desk, Workspace

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
