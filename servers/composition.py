"""Parts of every server beside its own toolsets: ledger, handles, evidence tools."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from groundwire.config import HttpSettings, Settings, read_toml
from groundwire.errors import ConfigurationError
from groundwire.evidence import Ledger, Record, environment_secrets
from groundwire.private_files import close_folder
from groundwire.servers.every_tool import TOOLSETS
from groundwire.serving import GroundwireServer, Toolset, build_server
from groundwire.serving.evidence_tools import EvidenceTools
from groundwire.serving.handles import Handles
from groundwire.state import StatePlace, shared_database

if TYPE_CHECKING:
    from groundwire.evidence.page.rendering import ShownChart

EVIDENCE_FILE = "evidence.sqlite"
HANDLES_FILE = "handles.sqlite"


@dataclass(frozen=True, slots=True)
class State:
    """The parts that the servers of one process share.

    Attributes:
        ledger: where answers are recorded.
        handles: the store of cursors.
    """

    ledger: Ledger
    handles: Handles


def state(settings: Settings) -> State:
    """Ledger and handles where the settings say; nothing is opened before it is needed.

    The variables that the endpoint registry names as holding secrets are known from here on.
    """
    if settings.endpoints is not None:
        # Whoever uses the registry tells what is wrong with it.
        with suppress(ConfigurationError):
            read_toml(settings.endpoints, "endpoint registry", "")
    if (settings.home / EVIDENCE_FILE).is_file():
        close_folder(settings.home)
    return State(
        Ledger(evidence_place(settings), environment_secrets(os.environ)),
        Handles(shared_database(settings) or settings.home / HANDLES_FILE),
    )


def evidence_place(settings: Settings) -> StatePlace:
    """Where the ledger of these settings is."""
    return shared_database(settings) or settings.home / EVIDENCE_FILE


def compose(
    name: str,
    toolsets: Sequence[Toolset],
    settings: Settings,
    *,
    title: str,
    shared: State | None = None,
    instructions: str | None = None,
    default_tools: Sequence[str] = (),
) -> GroundwireServer:
    """A server of `toolsets` and the evidence tools, with its state below `settings.home`.

    Args:
        name: server id.
        toolsets: what it offers beside the evidence tools.
        settings: which of it to offer, and where its state is.
        title: name for people.
        shared: state that other servers of this process use as well; default: of its own.
        instructions: when and how a model uses it; default: those of its toolsets.
        default_tools: tools offered without being asked for; default: all.

    Raises:
        ConfigurationError: the settings ask for an unknown toolset or tool.
    """
    held = shared or state(settings)
    return build_server(
        name,
        [*toolsets, EvidenceTools(held.ledger, held.handles, charts)],
        settings=settings,
        handles=held.handles,
        ledger=held.ledger,
        title=title,
        instructions=instructions,
        default_tools=default_tools,
        known_tools=[tool for tools in TOOLSETS.values() for tool in tools],
    )


def charts(record: Record) -> tuple[ShownChart, ...]:
    """Return the chart of a recorded table; none of any other record."""
    if "chart" not in record.draft.audit:
        return ()
    from groundwire.metrics.table.page import charts_of

    return charts_of(record)


def below(name: str, toolset: Toolset, settings: Settings, shared: State) -> GroundwireServer:
    """A server of one toolset for the agents of this process: every tool, whatever hosts get.

    Only `--read-only` holds for agents as it does for hosts.
    """
    whole = replace(settings, toolsets=(), tools=(), http_token=None, http=HttpSettings())
    return compose(name, [toolset], whole, title=toolset.title, shared=shared)
