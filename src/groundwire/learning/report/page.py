"""The report as a page that needs nothing but itself, and the page of the MCP App."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from groundwire.apps import bridge, document
from groundwire.learning.report.figures import Figures
from groundwire.learning.report.sections import Section, sections, summary

VIEW_KEY = "groundwire/learning_report"
"""Where the result of a tool carries what the app shows: beside what the model reads."""

MARK = "groundwire learning report"
"""The generator that a written report names, so that a later one may take its place."""


def report_page(found: Figures) -> str:
    """Return the report as an HTML document without any script."""
    parts = "".join(map(_section, sections(found)))
    return document(
        "Learning report",
        f"<header><h1>Learning report</h1><p>{escape(found.made)}. {escape(summary(found))}</p>"
        f"</header><main>{parts}</main><footer><p>{escape(_FOOT)}</p></footer>",
        _asset("report.css"),
        MARK,
    )


def report_view(found: Figures) -> dict[str, Any]:
    """Return what the app is handed: the same sections, as data."""
    return {
        "made": found.made,
        "summary": summary(found),
        "sections": [asdict(one) for one in sections(found)],
        "foot": _FOOT,
    }


@cache
def app_page() -> str:
    """Return the page of the MCP App, which shows what the result of a tool carries.

    It comes in the result's `_meta` under `VIEW_KEY`; without it the text of the result is shown.
    Light and dark follow the host.
    """
    return document(
        "Learning",
        '<header><h1>Learning</h1><p id="status" role="status">The figures are on their way.</p>'
        "</header><main></main><footer></footer>",
        _asset("report.css"),
        MARK,
        bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY),
    )


_FOOT = (
    "Estimates rest on reviews that a comparison, the learner or an imported log rated; what the "
    "model alone rated counts for none. Intervals hold 95 % (Wilson for shares). Where there are "
    "too few reviews there is no number."
)


def _section(one: Section) -> str:
    said = "".join(f"<p>{escape(line)}</p>" for line in one.says)
    drawn = "".join(f'<div class="chart" tabindex="0">{svg}</div>' for svg in one.drawings)
    return (
        f'<section id="{one.key}"><h2>{escape(one.heading)}</h2>{said}'
        f'<div class="charts">{drawn}</div>{_table(one.columns, one.rows)}</section>'
    )


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return (
        "<details><summary>The numbers</summary><table><thead><tr>"
        f"{head}</tr></thead><tbody>{body}</tbody></table></details>"
    )


@cache
def _asset(name: str) -> str:
    return files("groundwire.learning.report").joinpath(name).read_text("utf-8")
