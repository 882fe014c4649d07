"""`groundwire serve`."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace

from groundwire.cli.registry import build
from groundwire.cli.start_checks import told_at_start
from groundwire.config import Settings, load_settings, names
from groundwire.errors import InputError, UnavailableError
from groundwire.safe_text import safe_line
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
    for line in (*told, *_shared_state(settings)):
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
