"""Settings that a server's tools could not work with, found when it starts.

Only what is set is looked at, and nothing is asked over a network: `groundwire doctor` does that,
and a server over HTTP does it once when it has begun to listen.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from groundwire.config import Settings
from groundwire.errors import ConfigurationError, GroundwireError
from groundwire.servers.every_tool import AGENTS, EVIDENCE, LEARNING_AGENTS

_ASKING = (AGENTS, LEARNING_AGENTS)
_DOMAINS = ("ontology", "metrics", "sparql", "journeys")


def told_at_start(offered: Collection[str], settings: Settings) -> Iterator[str]:
    """Yield a sentence for each toolset that cannot work as it is set, and for the state folder.

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
    if not _can_be_written(settings.home):
        yield (
            f"{settings.home} cannot be written, so answers are given and not recorded: set "
            "GROUNDWIRE_HOME to a folder that can."
        )


def _fault(check: Callable[[Settings], object], settings: Settings) -> str:
    """The sentence that says why a check fails; empty where it does not."""
    try:
        check(settings)
    except GroundwireError as error:
        return str(error)
    return ""


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
        from groundwire.journeys.tfl.address import TFL, SecretKey, checked_base

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
        from groundwire.cli.doctor_domains import agents

        agents(settings)


# What is looked at, the toolset that needs it, and how. The profile of metrics is read when their
# server is composed, and their facts are answered from without the warehouse.
_CHECKS: tuple[tuple[str, str, Callable[[Settings], None]], ...] = (
    ("ontology", "ontology", _ontology),
    ("the warehouse", "metrics", _warehouse),
    ("sparql", "sparql", _sparql),
    ("journeys", "journeys", _journeys),
    *((name, name, _agents) for name in _ASKING),
)


def _can_be_written(home: Path) -> bool:
    """Whether a folder is one that can be written, or can be made."""
    for place in (home, *home.parents):
        if place.exists():
            return place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return False
