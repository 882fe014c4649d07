"""`groundwire serve`, and what it tells of its settings before it begins."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from groundwire.cli.registry import build
from groundwire.config import Settings, load_settings, names
from groundwire.errors import ConfigurationError, GroundwireError, InputError, UnavailableError
from groundwire.safe_text import safe_line
from groundwire.servers.every_tool import AGENTS, EVIDENCE, LEARNING_AGENTS
from groundwire.variables import oddities

_HTTP_ONLY = ("host", "port", "audience")


def serve(arguments: argparse.Namespace) -> int:
    """Serve until the host leaves; flags go before variables."""
    given = {name: value for name in _HTTP_ONLY if (value := getattr(arguments, name)) is not None}
    if given and arguments.transport == "stdio":
        raise InputError(
            f"--{next(iter(given))} is for HTTP: add --transport http, or leave it out."
        )
    for flag in ("stateless", "ui"):
        if getattr(arguments, flag) and arguments.transport == "stdio":
            raise InputError(f"--{flag} is for HTTP: add --transport http, or leave it out.")
    settings = _settings(arguments)
    from groundwire.serving.collector import paused_collector

    with paused_collector(lasting=True):
        server = build(arguments.server, settings)
        from groundwire.serving import run

    offered = [one.name for one in server.toolsets]
    told = (*told_at_start(offered, settings), *oddities(os.environ, settings))
    for line in (*told, *_shared_state(settings), *_shared_facts(offered, settings)):
        sys.stderr.write(f"{arguments.server}: {safe_line(line)}\n")
    if arguments.transport == "stdio" and sys.stdin.isatty():
        sys.stderr.write(
            f"{arguments.server} is served over stdio, which MCP hosts start by themselves: "
            f"`groundwire config HOST --server {arguments.server}` prints what to paste. "
            "Ctrl+C ends it.\n"
        )
        sys.stderr.flush()
    run(server, arguments.transport, **given)
    return 0


def _shared_state(settings: Settings) -> list[str]:
    """Return where state is shared and what stays here; a database that is down is told as well."""
    if not settings.state:
        return []
    from groundwire.cli.doctor import shared_state
    from groundwire.state import KEPT_HERE

    try:
        return shared_state(settings)
    except UnavailableError as error:
        return [
            f"{error} Until then answers say that they are not recorded.",
            f"on this machine alone stay {', '.join(KEPT_HERE)}",
        ]


def _shared_facts(offered: Collection[str], settings: Settings) -> list[str]:
    """Return where facts are shared, or why they cannot be read now."""
    if not settings.facts_database or not {"metrics", *_ASKING} & set(offered):
        return []
    from groundwire.metrics.facts.schema import SHARED
    from groundwire.state import Database, facts_place
    from groundwire.state.shared_file import SharedFile

    place = facts_place(settings)
    assert isinstance(place, Database)
    pages = SharedFile(place, SHARED)
    try:
        if not pages.is_blank():
            return [f"facts are shared in {place.shown}"]
        return [
            f"{place.shown} holds no facts yet: `groundwire metrics import FILE` puts them there."
        ]
    except UnavailableError as error:
        return [str(error)]
    finally:
        pages.close()


def _settings(arguments: argparse.Namespace) -> Settings:
    settings = load_settings()
    if arguments.toolsets is not None:
        settings = replace(settings, toolsets=names(arguments.toolsets))
    if arguments.tools is not None:
        settings = replace(settings, tools=names(arguments.tools))
    if arguments.stateless:
        settings = replace(settings, http=replace(settings.http, stateless=True))
    if arguments.ui:
        settings = replace(settings, http=replace(settings.http, ui=True))
    if arguments.read_only:
        settings = replace(settings, read_only=True)
    return settings


_ASKING = (AGENTS, LEARNING_AGENTS)
_DOMAINS = ("ontology", "metrics", "sparql", "journeys")


def told_at_start(offered: Collection[str], settings: Settings) -> Iterator[str]:
    """Yield a sentence for each toolset that its settings keep from working, and the state folder.

    Args:
        offered: the toolsets of which a server offers a tool.
        settings: what they are set to.

    Raises:
        ConfigurationError: none of them could work.
    """
    # Agents call the tools of every domain, whichever hosts are offered.
    needed = {*offered, *(_DOMAINS if any(one in offered for one in _ASKING) else ())}
    faults = {
        name: said
        for name, toolset, check in _CHECKS
        if toolset in needed and (said := _fault(check, settings))
    }
    useful = [one for one in offered if one != EVIDENCE]
    if useful and all(one in faults for one in useful):
        raise ConfigurationError(" ".join(dict.fromkeys(faults[one] for one in useful)))
    yield from (f"{name} cannot work as it is set: {said}" for name, said in faults.items())
    if said := _fault(_home, settings):
        yield f"{said} Until then answers are given and not recorded."


def _fault(check: Callable[[Settings], object], settings: Settings) -> str:
    """The sentence that says why a check fails; empty where it does not."""
    try:
        check(settings)
    except GroundwireError as error:
        return str(error)
    return ""


def _home(settings: Settings) -> None:
    from groundwire.private_files import writable

    writable(settings.home)


def _ontology(settings: Settings) -> None:
    for variable, places in (("SHAPES", settings.shapes), ("ASSETS", settings.assets)):
        if places and not any("://" in one or Path(one).expanduser().exists() for one in places):
            raise ConfigurationError(
                f"GROUNDWIRE_{variable} names {os.pathsep.join(places)}, where there is nothing: "
                "correct the path."
            )


def _warehouse(settings: Settings) -> None:
    if settings.warehouse:
        from groundwire.tables.opening import open_engine

        open_engine(settings.warehouse).close()


def _sparql(settings: Settings) -> None:
    if settings.endpoints is not None:
        from groundwire.servers.sparql import registry_file
        from groundwire.sparql.registry import load_registry

        load_registry(registry_file(settings))


def _journeys(settings: Settings) -> None:
    """Where journeys are planned elsewhere than in London, TfL is not asked."""
    base, key = settings.tfl_base_url, settings.tfl_key or ""
    if settings.journeys.lower() in ("", "london") and base.lower() != "offline" and (base or key):
        from groundwire.journeys.tfl.exchange import TFL, SecretKey, checked_base

        checked_base(base or TFL)
        SecretKey(key)


def _agents(settings: Settings) -> None:
    ai = settings.ai
    if any(
        (
            ai.provider,
            ai.effort,
            ai.temperature,
            ai.thinking_budget,
            ai.max_agent_steps,
            ai.base_url,
        )
    ):
        from groundwire.cli.doctor import agents

        agents(settings)


# Each row names a check, the toolset that needs it, and the function. The profile of metrics needs
# no row: it is read when their server is composed, and their facts need no warehouse.
_CHECKS: tuple[tuple[str, str, Callable[[Settings], None]], ...] = (
    ("ontology", "ontology", _ontology),
    ("the warehouse", "metrics", _warehouse),
    ("sparql", "sparql", _sparql),
    ("journeys", "journeys", _journeys),
    *((name, name, _agents) for name in _ASKING),
)
