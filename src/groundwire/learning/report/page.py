"""The report as a page that needs nothing but itself, and the page of the MCP App."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from groundwire.apps import bridge
from groundwire.errors import InputError
from groundwire.learning.report.figures import Figures
from groundwire.learning.report.sections import Section, sections, summary

VIEW_KEY = "groundwire/learning_report"
"""Where the result of a tool carries what the app shows: beside what the model reads."""

_MARK = '<meta name="generator" content="groundwire learning report">'
_MOST_READ = 1_000


def report_page(found: Figures) -> str:
    """Return the report as an HTML document without any script."""
    parts = "".join(map(_section, sections(found)))
    return _document(
        "Learning report",
        f"<header><h1>Learning report</h1><p>{escape(found.made)}. {escape(summary(found))}</p>"
        f"</header><main>{parts}</main><footer><p>{escape(_FOOT)}</p></footer>",
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
    return _document(
        "Learning",
        '<header><h1>Learning</h1><p id="status" role="status">The figures are on their way.</p>'
        "</header><main></main><footer></footer>",
        bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY),
    )


def write_report(path: Path, page: str) -> None:
    """Write a report, in place of an earlier one.

    Raises:
        InputError: there is another file, or none can be written there.
    """
    try:
        if path.exists() and not _is_report(path):
            raise InputError(f"{path} is there already and is no report: name another file.")
        new = path.with_name(f".{path.name}.new")
        new.write_text(page, "utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): name a file in a folder of yours."
        ) from error


def _is_report(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _MARK.encode() in file.read(_MOST_READ)


_FOOT = (
    "Estimates rest on reviews that a comparison, the learner or an imported log rated; what the "
    "model alone rated counts for none. Intervals hold 95 % (Wilson for shares). Where there are "
    "too few reviews there is no number."
)


def _section(one: Section) -> str:
    said = "".join(f"<p>{escape(line)}</p>" for line in one.says)
    drawn = "".join(f'<div class="chart">{svg}</div>' for svg in one.drawings)
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


def _document(title: str, body: str, script: str = "") -> str:
    allowed = "'none'"
    if script:
        allowed = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    policy = (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    run = f"<script>{script}</script>" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en-GB"><head><meta charset="utf-8">'
        f'{_MARK}<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{_asset('report.css')}</style></head>"
        f"<body>{body}{run}</body></html>\n"
    )


@cache
def _asset(name: str) -> str:
    return files("groundwire.learning.report").joinpath(name).read_text("utf-8")
