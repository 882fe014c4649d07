"""A page of evidence in HTML: a file that needs nothing but itself, and the page of the MCP App."""

from __future__ import annotations

from functools import cache

from groundwire.apps import asset, bridge, document, template
from groundwire.evidence.page.sheet import Sheet

VIEW_KEY = "groundwire/evidence"
"""Where the result of a tool carries the fragment for the app: beside what the model reads."""

MARK = "groundwire evidence"
"""The generator that a written page names, so that a later one may take its place."""


def evidence_page(sheet: Sheet) -> str:
    """Return the evidence as an HTML document without any script."""
    return document(sheet.heading, f"<main>{fragment(sheet)}</main>", style(), MARK)


def style() -> str:
    """Return the style sheet of the page."""
    return _asset("page.css")


def fragment(sheet: Sheet) -> str:
    """Return the body of the page, as the file and the app show it; no text can act."""
    return template(__package__ or "", "evidence.html.jinja").render(sheet=sheet)


@cache
def app_page() -> str:
    """Return the page of the MCP App, which shows what the result of a tool carries.

    It comes in the result's `_meta` under `VIEW_KEY`; without it the text of the result is shown.
    Light and dark follow the host.
    """
    return document(
        "Evidence",
        '<p id="status" role="status">The evidence is on its way.</p><main></main>',
        _asset("page.css"),
        MARK,
        bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY),
    )


def _asset(name: str) -> str:
    return asset(__package__ or "", name)
