"""`groundwire doctor`: what the servers need, checked one by one, with the way out."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.config import Settings, load_settings
from groundwire.errors import ConfigurationError, GroundwireError

if TYPE_CHECKING:
    from groundwire.journeys.london import Supplies
    from groundwire.ontology.catalogue import State
    from groundwire.sparql.endpoint import Endpoint
    from groundwire.tables.engine import Check


_PACKAGES = ("mcp", "pydantic", "pyoxigraph", "rdflib", "rapidfuzz", "httpx2", "babel", "icalendar")
_LEAST_FREE = 500 << 20


def doctor(_: argparse.Namespace) -> int:
    """Print one line a check; 1 if one failed."""
    settings: Settings | None = None
    failed = 0
    try:
        settings = load_settings()
        _print("ok", "settings", f"home {settings.home}")
    except GroundwireError as error:
        failed += 1
        _print("FAIL", "settings", str(error))
    for name, check in _OF_THE_MACHINE:
        failed += not _checked(name, check)
    for check in _OF_THE_SETTINGS:
        if settings is None:
            _print("-", check.__name__, "skipped: see settings")
        else:
            failed += not _checked(check.__name__, partial(check, settings))
    sys.stdout.write("Everything works.\n" if not failed else f"{failed} failed.\n")
    return 1 if failed else 0


def _checked(name: str, check: Callable[[], str]) -> bool:
    """Run one check and print its line; whether it passed.

    What nobody expected is a finding as well: the checks after it are still of use.
    """
    try:
        _print("ok", name, check())
    except GroundwireError as error:
        _print("FAIL", name, str(error))
    except Exception as error:
        _print(
            "FAIL",
            name,
            f"{type(error).__name__}: {error}: the installation is not whole, install groundwire "
            "anew with pip.",
        )
    else:
        return True
    return False


def _print(mark: str, name: str, said: str) -> None:
    sys.stdout.write(f"{mark:5} {name:12} {' '.join(said.split())}\n")


def _python() -> str:
    return f"{sys.version.split()[0]} at {sys.executable}"


def _packages() -> str:
    try:
        found = [f"{name} {version(name)}" for name in _PACKAGES]
    except PackageNotFoundError as error:
        raise ConfigurationError(
            f"The package {error.name} is missing: install groundwire anew with pip."
        ) from error
    return ", ".join(found)


def variables(_: Settings) -> str:
    """Return how many variables of Groundwire are set, where each means something.

    Raises:
        ConfigurationError: one is misspelt. The checks of their domains tell wrong paths.
    """
    from groundwire.variables import VARIABLES, misspelt

    if found := list(misspelt(os.environ)):
        raise ConfigurationError(" ".join(found))
    return f"{len(VARIABLES & os.environ.keys())} set, each known"


def state(settings: Settings) -> str:
    """The state folder: writable, with room."""
    from groundwire.errors import UnavailableError
    from groundwire.private_files import writable

    free = shutil.disk_usage(writable(settings.home)).free
    if free < _LEAST_FREE:
        raise UnavailableError(
            f"{settings.home} has {free >> 20} MB left: free some, or set GROUNDWIRE_HOME."
        )
    folder = f"{settings.home} can be written, {free >> 30} GB free"
    return "; ".join([folder, *shared_state(settings)])


def shared_state(settings: Settings) -> list[str]:
    """Return where state is shared and what is not; nothing where all of it is in files.

    Raises:
        ConfigurationError: psycopg is not installed.
        UnavailableError: the database cannot be used.
    """
    from groundwire.evidence import Ledger
    from groundwire.state import KEPT_HERE, shared_database

    database = shared_database(settings)
    if database is None:
        return []
    with Ledger(database) as ledger:
        ledger.head()
    return [
        f"state is shared in {database.shown}; on this machine alone stay {', '.join(KEPT_HERE)}"
    ]


def evidence(settings: Settings) -> str:
    """The ledger of answers: as it was written."""
    from groundwire.evidence import Ledger, report
    from groundwire.servers.composition import evidence_place

    place = evidence_place(settings)
    if isinstance(place, Path) and not place.exists():
        return f"no answer recorded yet ({place})"
    from groundwire.errors import UnavailableError

    with Ledger(place) as ledger:
        ok, lines = report.verify(ledger)
    if not ok:
        where = place if isinstance(place, Path) else place.shown
        raise UnavailableError(f"{lines[0]} Keep a copy of {where} and start a new one.")
    return lines[0]


def servers(settings: Settings) -> str:
    """Every server, composed as a host would have it, with the tools that it offers.

    Toolsets and tools that are named in variables are of one server: that the others do not know
    them is told, and no fault.

    Raises:
        ConfigurationError: no server can offer what the variables name, or one does not start for
            another reason.
    """
    import anyio

    from groundwire.cli.registry import SERVERS, build

    offered: list[str] = []
    refused: dict[str, GroundwireError] = {}
    for name in SERVERS:
        try:
            server = build(name, settings)
        except GroundwireError as error:
            refused[name] = error
            continue
        try:
            offered.append(f"{name} {len(anyio.run(server.list_tools))} tools")
        finally:
            server.close()
    if not offered:
        raise refused["all"]
    named = [name for name in ("GROUNDWIRE_TOOLSETS", "GROUNDWIRE_TOOLS") if os.environ.get(name)]
    if refused and not named:
        raise ConfigurationError(
            f"not started would be {', '.join(refused)}: {next(iter(refused.values()))}"
        )
    left = f"; not as {' and '.join(named)} says: {', '.join(refused)}" if refused else ""
    return f"{', '.join(offered)}{left}"


def http(settings: Settings) -> str:
    """Say what HTTP would ask for.

    Raises:
        ConfigurationError: issuers or places of their keys cannot be used.
        UnavailableError: the keys of an issuer cannot be read.
    """
    import anyio

    from groundwire.serving.exposure import MIN_TOKEN_BYTES
    from groundwire.serving.issuers import Issuers

    if settings.http.issuers:
        issuers = Issuers(settings.http.issuers, settings.http.jwks)
        anyio.run(issuers.look)
        audience = settings.http.audience or "the address that is listened on"
        plain = ", and GROUNDWIRE_HTTP_TOKEN" if settings.http_token else ""
        return f"HTTP asks for a token of {', '.join(issuers.urls)} for {audience}{plain}"
    if settings.http_token:
        short = len(settings.http_token.encode()) < MIN_TOKEN_BYTES
        least = f", on this machine only: other addresses need {MIN_TOKEN_BYTES} characters"
        return f"GROUNDWIRE_HTTP_TOKEN is set: HTTP asks for it{least if short else ''}"
    proxies = [name for name in ("HTTP_PROXY", "HTTPS_PROXY") if os.environ.get(name)]
    note = f"; {', '.join(proxies)} is set and not used" if proxies else ""
    return f"no token: HTTP serves this machine only{note}"


# Seconds that TfL may take for one small answer.
_PATIENCE = 6.0


def catalogue(settings: Settings) -> str:
    """Shapes and assets, read as the servers read them."""
    import anyio

    from groundwire.ontology.catalogue import Catalogue
    from groundwire.servers.ontology import locations

    shapes, assets = locations(settings)

    async def look(home: Path) -> str:
        catalogue = Catalogue(shapes, assets, home)
        try:
            state = await catalogue.state()
            kinds = ", ".join(f"{one.name} {state.count_in_words(one)}" for one in state.assets[:6])
            more = f" (and {len(state.problems) - 2} more)" if len(state.problems) > 2 else ""
            noted = f"; not read: {'; '.join(state.problems[:2])}{more}" if state.problems else ""
            rest = _undeclared(state, shapes, assets)
            return f"{len(state.index.domains)} domains; assets: {kinds or 'none'}{noted}{rest}"
        finally:
            await catalogue.close()

    return anyio.run(look, settings.home)


def _undeclared(state: State, shapes: list[str], assets: list[str]) -> str:
    """How much the shapes declare, and what to do about it, where that is little."""
    from groundwire.ontology.connections import coverage, measured, offer

    if state.statistics is None:
        return ""
    found = coverage(state.assets, state.statistics)
    commands = ", then ".join(f"`{command}`" for command in offer(found, shapes, assets))
    said = measured(found)
    return f"; {said[:1].lower()}{said[1:]}: draft the rest by {commands}" if commands else ""


def facts(settings: Settings) -> str:
    """The profile, and the facts and documents that are held for it."""
    from groundwire.errors import UnavailableError
    from groundwire.metrics.factbase import FactBase
    from groundwire.metrics.lint import lint
    from groundwire.servers.metrics import places

    base = FactBase(places(settings))
    try:
        state = base.state()
        errors = [one.message for one in lint(state.profile) if one.level == "error"]
        if errors:
            raise UnavailableError(f"{errors[0]} (`groundwire metrics lint` shows all)")
        broken = state.store.check()
        if broken:
            raise UnavailableError(broken)
        noted = f"; not read: {'; '.join(state.problems[:2])}" if state.problems else ""
        return (
            f"profile {state.profile.profile.name}: {len(state.profile.metrics)} metrics, "
            f"{len(state.profile.entities)} entities, {state.store.count():,} facts, "
            f"{len(state.narrative.documents())} documents{noted}"
        )
    finally:
        base.close()


def endpoints(settings: Settings) -> str:
    """Every endpoint of the registry, each asked once."""
    import anyio

    from groundwire.errors import UnavailableError
    from groundwire.servers.sparql import workspace
    from groundwire.sparql.results import EndpointItem
    from groundwire.sparql.workspace import list_endpoints

    async def look() -> tuple[list[EndpointItem], tuple[Endpoint, ...]]:
        space = workspace(settings)
        try:
            listed = (await list_endpoints(space)).endpoints
            return listed, (await space.desk()).registry.endpoints
        finally:
            await space.close()

    listed, named = anyio.run(look)
    down = [f"{one.name}: {(one.detail or '').rstrip('.')}" for one in listed if not one.reachable]
    if down:
        raise UnavailableError(f"{'; '.join(down)}.")
    shown = ", ".join(f"{one.name} ({', '.join(one.languages)})" for one in listed)
    return "; ".join((shown, *lakes(named)))


def journeys(settings: Settings) -> str:
    """The region that journeys are planned in: London with TfL, a timetable, or a planner."""
    if settings.journeys.lower() not in ("", "london"):
        return _region(settings)
    from groundwire.journeys.network.load import load_network
    from groundwire.journeys.places.landmarks import read_landmarks
    from groundwire.servers.journeys import supplies

    found = supplies(settings)
    network, landmarks = load_network(found.network), read_landmarks(found.landmarks)
    held = f"{len(network.stops)} stops, {len(network.lines)} lines, {len(landmarks)} landmarks"
    return f"{held}; {_tfl(found)}"


def _region(settings: Settings) -> str:
    """Say what is known of an imported timetable or a remote planner.

    Raises:
        NotFoundError: no feed of that name is imported, or it cannot be read.
        UnavailableError: the timetable has ended, or the planner does not answer.
    """
    from datetime import UTC, datetime

    from groundwire.errors import UnavailableError
    from groundwire.journeys.timetable.city import City
    from groundwire.servers.journeys import region

    found = region(settings)
    if not isinstance(found, City):
        return f"journeys are planned by {found.planned_by()}"
    info = found.timetable.info
    held = f"{info.stops:,} stops, {info.routes:,} lines, {info.trips:,} trips"
    if datetime.now(UTC).date() > info.last_day:
        raise UnavailableError(
            f"The timetable {info.name} ended on {info.last_day}: import a newer feed "
            f"(groundwire journeys import FEED.zip --name {info.name})."
        )
    return f"{found.planned_by()}; {held}"


def _tfl(supplies: Supplies) -> str:
    """Say what is known of TfL's service, by one request at most.

    An installation is sound without its answer: journeys are then estimated.

    Raises:
        ConfigurationError: TFL_BASE_URL or TFL_APP_KEY cannot be used.
        UnavailableError: what answers is another service than TfL's API.
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


def learning(settings: Settings) -> str:
    """The cards and reviews that are held, and whether parameters can be fitted."""
    from importlib.util import find_spec

    from groundwire.learning.holdings import holdings
    from groundwire.servers.learning import base

    with base(settings) as opened:
        held = holdings(opened.learner("local"))
    can = "can" if find_spec("fsrs_rs_python") else "need the extra `learning` to"
    return f"{held.said}; FSRS-6, whose parameters {can} be fitted"


def agents(settings: Settings) -> str:
    """Which model agents think with; it is not asked, since that may cost money."""
    from groundwire.agents.models.choose import choose_model
    from groundwire.agents.models.command_line import COMMAND_LINE_TOOLS
    from groundwire.agents.models.options import wishes_of
    from groundwire.errors import UnavailableError

    provider = wishes_of(settings.ai).provider
    if provider == "rules":
        return "by rules, without key or network (AI_PROVIDER names a model instead)"
    tool = COMMAND_LINE_TOOLS.get(provider)
    if tool is not None and shutil.which(tool.program, path=os.environ.get("PATH")) is None:
        raise UnavailableError(
            f"AI_PROVIDER={provider} needs the program {tool.program}: {tool.install}, or set "
            "AI_PROVIDER=rules."
        )
    return f"{provider}: {choose_model(settings.ai).name}, which is not asked now"


def warehouse(settings: Settings) -> str:
    """The engine that GROUNDWIRE_WAREHOUSE names: its version and tables, and whether it can write.

    An account that could write is a warning and no failure: the gate lets SELECT through only.

    Raises:
        ConfigurationError: the URL is wrong.
        UnavailableError: the engine does not answer.
    """
    from groundwire.tables.opening import open_engine

    if not settings.warehouse:
        return "none: GROUNDWIRE_WAREHOUSE names one"
    engine = open_engine(settings.warehouse)
    try:
        found = engine.check()
        tables = len(engine.tables())
    finally:
        engine.close()
    return _told(f"{found.version}, {tables} table{'' if tables == 1 else 's'} to read", found)


def lakes(endpoints: Iterable[Endpoint]) -> Iterator[str]:
    """The engines behind endpoints for SQL: version, read-only mode, and whether one could write.

    Raises:
        ConfigurationError: the URL of one is wrong, or a variable that it names is not set.
        UnavailableError: one does not answer.
    """
    from groundwire.sparql.endpoint import LAKES
    from groundwire.sparql.sql.engines import open_endpoint

    for endpoint in endpoints:
        if endpoint.kind != "sql" or endpoint.place not in (*LAKES, "postgresql"):
            continue
        engine = open_endpoint(endpoint)
        try:
            found = engine.check()
        finally:
            engine.close()
        yield _told(f"{endpoint.name} is {found.version}", found)


def _told(begin: str, found: Check) -> str:
    """A check in words: what was found, and what keeps queries from writing."""
    mode = f", asked with {found.read_only}" if found.read_only else ""
    if found.can_write is False:
        return f"{begin}{mode}, nothing can be written"
    warning = "WARNING: " if found.can_write else ""
    return f"{begin}{mode}; {warning}{found.detail}"


_OF_THE_MACHINE = (("python", _python), ("packages", _packages))
# Each has the name that it is told by.
_OF_THE_SETTINGS = (
    variables,
    state,
    evidence,
    catalogue,
    facts,
    warehouse,
    endpoints,
    journeys,
    learning,
    agents,
    servers,
    http,
)
