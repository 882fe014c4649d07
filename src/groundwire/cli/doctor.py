"""`groundwire doctor`: what the servers need, checked one by one, with the way out."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.config import Settings, load_settings
from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    from groundwire.journeys.london import Supplies

_PACKAGES = ("mcp", "pydantic", "pyoxigraph", "rdflib", "rapidfuzz", "httpx2", "babel", "icalendar")
_LEAST_FREE = 500 << 20
# Seconds that TfL may take for one small answer.
_PATIENCE = 6.0


def doctor(arguments: argparse.Namespace) -> int:
    """Print one line a check; 1 if one failed."""
    failed = 0
    settings: Settings | None = None
    for name, check in _checks():
        try:
            if name == "settings":
                settings = load_settings()
                said = f"home {settings.home}"
            else:
                said = check(settings) if settings is not None else "skipped: see settings"
            mark = "ok"
        except GroundwireError as error:
            mark, said = "FAIL", " ".join(str(error).split())
            failed += 1
        sys.stdout.write(f"{mark:5} {name:12} {said}\n")
    sys.stdout.write("Everything works.\n" if not failed else f"{failed} failed.\n")
    return 1 if failed else 0


def _checks() -> Iterator[tuple[str, Callable[[Settings], str]]]:
    yield "settings", _python
    yield "python", _python
    yield "packages", _packages
    yield "state", _state
    yield "evidence", _evidence
    yield "catalogue", _catalogue
    yield "facts", _facts
    yield "endpoints", _endpoints
    yield "journeys", _journeys
    yield "agents", _agents
    yield "http", _http


def _python(_: Settings) -> str:
    return f"{sys.version.split()[0]} at {sys.executable}"


def _packages(_: Settings) -> str:
    from groundwire.errors import ConfigurationError

    try:
        found = [f"{name} {version(name)}" for name in _PACKAGES]
    except PackageNotFoundError as error:
        raise ConfigurationError(
            f"The package {error.name} is missing: install groundwire anew with pip."
        ) from error
    return ", ".join(found)


def _state(settings: Settings) -> str:
    from groundwire.errors import UnavailableError

    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.home) as file:
            file.write(b"x")
        free = shutil.disk_usage(settings.home).free
    except OSError as error:
        raise UnavailableError(
            f"{settings.home} cannot be written ({error.strerror}): set GROUNDWIRE_HOME to a "
            "folder that can."
        ) from error
    if free < _LEAST_FREE:
        raise UnavailableError(
            f"{settings.home} has {free >> 20} MB left: free some, or set GROUNDWIRE_HOME."
        )
    return f"{settings.home} can be written, {free >> 30} GB free"


def _evidence(settings: Settings) -> str:
    from groundwire.evidence import Ledger, report
    from groundwire.servers.composition import EVIDENCE_FILE

    path = settings.home / EVIDENCE_FILE
    if not path.exists():
        return f"no answer recorded yet ({path})"
    from groundwire.errors import UnavailableError

    with Ledger(path) as ledger:
        ok, lines = report.verify(ledger)
    if not ok:
        raise UnavailableError(f"{lines[0]} Keep a copy of {path} and start a new one.")
    return lines[0]


def _catalogue(settings: Settings) -> str:
    import anyio

    from groundwire.ontology.catalogue import Catalogue
    from groundwire.servers.ontology import locations

    shapes, assets = locations(settings)

    async def look(home: Path) -> str:
        catalogue = Catalogue(shapes, assets, home)
        try:
            state = await catalogue.state()
            kinds = ", ".join(f"{one.name} {state.count(one):,}" for one in state.assets[:6])
            more = f" (and {len(state.problems) - 2} more)" if len(state.problems) > 2 else ""
            noted = f"; not read: {'; '.join(state.problems[:2])}{more}" if state.problems else ""
            return f"{len(state.index.domains)} domains; assets: {kinds or 'none'}{noted}"
        finally:
            await catalogue.close()

    return anyio.run(look, settings.home)


def _facts(settings: Settings) -> str:
    from groundwire.errors import UnavailableError
    from groundwire.metrics.factbase import FactBase
    from groundwire.metrics.lint import lint
    from groundwire.servers.metrics import places

    facts = FactBase(places(settings))
    try:
        state = facts.state()
        errors = [one.message for one in lint(state.profile) if one.level == "error"]
        if errors:
            raise UnavailableError(f"{errors[0]} (`groundwire metrics lint` shows all)")
        broken = state.store.check()
        if broken:
            raise UnavailableError(f"{broken}: import the facts anew into another file.")
        noted = f"; not read: {'; '.join(state.problems[:2])}" if state.problems else ""
        return (
            f"profile {state.profile.profile.name}: {len(state.profile.metrics)} metrics, "
            f"{len(state.profile.entities)} entities, {state.store.count():,} facts, "
            f"{len(state.narrative.documents())} documents{noted}"
        )
    finally:
        facts.close()


def _endpoints(settings: Settings) -> str:
    import anyio

    from groundwire.errors import UnavailableError
    from groundwire.servers.sparql import workspace
    from groundwire.sparql.listing import list_endpoints
    from groundwire.sparql.results import EndpointItem

    async def look() -> list[EndpointItem]:
        space = workspace(settings)
        try:
            return (await list_endpoints(space)).endpoints
        finally:
            await space.close()

    listed = anyio.run(look)
    down = [f"{one.name}: {one.detail}" for one in listed if not one.reachable]
    if down:
        raise UnavailableError("; ".join(down))
    return ", ".join(f"{one.name} ({', '.join(one.languages)})" for one in listed)


def _journeys(settings: Settings) -> str:
    from groundwire.journeys.network.load import load_network
    from groundwire.journeys.places.landmarks import read_landmarks
    from groundwire.servers.journeys import supplies

    found = supplies(settings)
    network, landmarks = load_network(found.network), read_landmarks(found.landmarks)
    held = f"{len(network.stops)} stops, {len(network.lines)} lines, {len(landmarks)} landmarks"
    return f"{held}; {_tfl(found)}"


def _tfl(supplies: Supplies) -> str:
    """What is known of TfL's service, by one request at most.

    That it does not answer is no fault of the installation: journeys are estimated until it does.

    Raises:
        ConfigurationError: TFL_BASE_URL or TFL_APP_KEY cannot be used.
        UnavailableError: what answers is not TfL's API.
    """
    import anyio

    from groundwire.errors import LimitError
    from groundwire.journeys.tfl.client import TflClient
    from groundwire.journeys.tfl.outcomes import TflDownError

    if not supplies.online:
        return "TfL is not asked (TFL_BASE_URL=offline), times are estimates"

    async def ask() -> None:
        client = TflClient(supplies.base_url, supplies.key or "", deadline=_PATIENCE)
        try:
            await client.line_status(["victoria"])
        finally:
            await client.aclose()

    keyed = "with the key" if supplies.key else "without a key (50 requests a minute, not 500)"
    try:
        anyio.run(ask)
    except (TflDownError, LimitError) as error:
        said = " ".join(str(error).split())
        return (
            f"TfL is asked {keyed}, and does not answer now: {said} Until it does, times are "
            "estimates (TFL_BASE_URL=offline never asks it)"
        )
    return f"TfL answers {keyed}"


def _agents(settings: Settings) -> str:
    """Which model agents think with; it is not asked, since that may cost money."""
    from groundwire.agents.models.choose import choose_model
    from groundwire.agents.models.wishes import wishes_of

    provider = wishes_of(settings.ai).provider
    if provider == "rules":
        return "by rules, without key or network (AI_PROVIDER names a model instead)"
    return f"{provider}: {choose_model(settings.ai).name}, which is not asked now"


def _http(settings: Settings) -> str:
    if settings.http_token:
        return "GROUNDWIRE_HTTP_TOKEN is set: HTTP asks for it"
    proxies = [name for name in ("HTTP_PROXY", "HTTPS_PROXY") if os.environ.get(name)]
    note = f"; {', '.join(proxies)} is set and not used" if proxies else ""
    return f"no token: HTTP serves this machine only{note}"
