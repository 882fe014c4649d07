"""The page of the MCP App that shows a table in a host."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files

from groundwire.apps import bridge, policy

VIEW_KEY = "groundwire/table"
"""Where the result of a tool carries the drawing for the app: beside what the model reads."""


@cache
def app_page() -> str:
    """Return the page; rows come with the result of the tool, the drawing in its `_meta`."""
    script = bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy(script))}">'
        f"<title>Table</title><style>{_asset('app.css')}</style></head><body>"
        '<p id="status" role="status">The table is on its way.</p><main></main>'
        f"<script>{script}</script></body></html>"
    )


def _asset(name: str) -> str:
    return files(__package__ or "").joinpath(name).read_text("utf-8")
