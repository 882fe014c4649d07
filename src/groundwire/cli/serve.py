"""`groundwire serve`."""

from __future__ import annotations

import argparse
from dataclasses import replace

from groundwire.cli.registry import build
from groundwire.config import load_settings, names


def serve(arguments: argparse.Namespace) -> int:
    """Serve until the host leaves; flags go before variables."""
    settings = load_settings()
    if arguments.toolsets is not None:
        settings = replace(settings, toolsets=names(arguments.toolsets))
    if arguments.tools is not None:
        settings = replace(settings, tools=names(arguments.tools))
    if arguments.read_only:
        settings = replace(settings, read_only=True)
    from groundwire.serving.collector import paused_collector

    with paused_collector(lasting=True):
        server = build(arguments.server, settings)
        from groundwire.serving import run

    run(
        server,
        arguments.transport,
        host=arguments.host,
        port=arguments.port,
        audience=arguments.audience,
    )
    return 0
