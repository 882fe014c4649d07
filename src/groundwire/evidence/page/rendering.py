"""A page of evidence in HTML: a file that needs nothing but itself, and the page of the MCP App."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from groundwire.apps import bridge, document
from groundwire.evidence.page.sheet import Sheet
from groundwire.safe_text import safe_characters

if TYPE_CHECKING:
    from jinja2 import Template

VIEW_KEY = "groundwire/evidence"
"""Where the result of a tool carries the fragment for the app: beside what the model reads."""

MARK = "groundwire evidence"
"""The generator that a written page names, so that a later one may take its place."""


def evidence_page(sheet: Sheet) -> str:
    """Return the evidence as an HTML document without any script."""
    return document(sheet.heading, f"<main>{fragment(sheet)}</main>", _asset("page.css"), MARK)


def fragment(sheet: Sheet) -> str:
    """Return the body of the page, as the file and the app show it; no text can act."""
    return _template().render(sheet=sheet)


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


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_safe,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["words"] = lambda text: str(text).replace("_", " ")
    return environment.from_string(_asset("evidence.html.jinja"))


def _safe(shown: object) -> object:
    return safe_characters(shown) if isinstance(shown, str) else shown


@cache
def _asset(name: str) -> str:
    return files(__package__ or "").joinpath(name).read_text("utf-8")
