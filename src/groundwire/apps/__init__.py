"""What the pages of all MCP Apps share: their talk with the host, and what they may run."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files


@cache
def bridge() -> str:
    """Return the script that every app begins with: gwApp, gwAdopt, gwMake and gwWords."""
    return files(__package__ or "").joinpath("bridge.js").read_text("utf-8")


def policy(script: str) -> str:
    """Return the Content-Security-Policy of a page that runs one script and fetches nothing."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
