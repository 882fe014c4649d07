"""The parts of the MCP SDK that every server needs."""

from groundwire.serving.collector import paused_collector

with paused_collector(lasting=True):
    from groundwire.serving.arguments import SPREAD
    from groundwire.serving.evidence_tools import EvidenceTools
    from groundwire.serving.exposure import http_app
    from groundwire.serving.factory import GroundwireServer, build_server, definitions_size
    from groundwire.serving.handles import START, Cursor, HandleStore
    from groundwire.serving.results import Grounded, Illustration, Picture
    from groundwire.serving.tools import LOCAL, acting_for, current_owner, current_site
    from groundwire.serving.toolsets import (
        APP_PAGE,
        Check,
        Sample,
        Toolset,
        completion,
        prompt,
        resource,
        select_tools,
        tool,
    )
    from groundwire.serving.transports import Transport, run

__all__ = [
    "APP_PAGE",
    "LOCAL",
    "SPREAD",
    "START",
    "Check",
    "Cursor",
    "EvidenceTools",
    "Grounded",
    "GroundwireServer",
    "HandleStore",
    "Illustration",
    "Picture",
    "Sample",
    "Toolset",
    "Transport",
    "acting_for",
    "build_server",
    "completion",
    "current_owner",
    "current_site",
    "definitions_size",
    "http_app",
    "paused_collector",
    "prompt",
    "resource",
    "run",
    "select_tools",
    "tool",
]
