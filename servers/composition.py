"""What every server is composed of beside its own toolsets: ledger, handles, evidence tools."""

from __future__ import annotations

import os
from collections.abc import Sequence

from groundwire.config import Settings
from groundwire.evidence import Ledger, environment_secrets
from groundwire.serving import GroundwireServer, Toolset, build_server
from groundwire.serving.evidence_tools import EvidenceTools
from groundwire.serving.handles import Handles

EVIDENCE_FILE = "evidence.sqlite"
HANDLES_FILE = "handles.sqlite"


def compose(
    name: str, toolsets: Sequence[Toolset], settings: Settings, *, title: str
) -> GroundwireServer:
    """A server of `toolsets` and the evidence tools, with its state below `settings.home`.

    Raises:
        ConfigurationError: the settings ask for an unknown toolset or tool.
    """
    ledger = Ledger(settings.home / EVIDENCE_FILE, environment_secrets(os.environ))
    return build_server(
        name,
        [*toolsets, EvidenceTools(ledger)],
        settings=settings,
        handles=Handles(settings.home / HANDLES_FILE),
        ledger=ledger,
        title=title,
    )
