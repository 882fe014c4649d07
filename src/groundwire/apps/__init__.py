"""Pages of HTML: what every one may run and fetch, how it is written, and how an app talks."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from groundwire.errors import InputError
from groundwire.safe_text import safe_characters

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

_MOST_READ = 1_000
_SHAPES = frozenset(("svg", "g", "path", "rect", "line", "circle", "text", "tspan"))
_LOOKS = frozenset(
    (
        *("width", "height", "viewBox", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "d"),
        *("transform", "fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "display"),
        *("fill-opacity", "stroke-opacity", "stroke-miterlimit", "dx", "dy", "text-anchor"),
        *("font-family", "font-size", "font-weight", "font-style", "aria-label", "aria-hidden"),
    )
)


@cache
def bridge() -> str:
    """Return the script that every app begins with: gwApp, gwAdopt, gwMake and gwWords."""
    return asset(__package__ or "", "bridge.js")


@cache
def asset(package: str, name: str) -> str:
    """Return a text file that stands beside the modules of a package."""
    return files(package).joinpath(name).read_text("utf-8")


@cache
def template(package: str, name: str) -> Template:
    """Return a template of HTML, in which every text is escaped and no character is invisible."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_safe,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["words"] = lambda text: str(text).replace("_", " ")
    environment.filters["moment"] = _moment
    return environment.from_string(asset(package, name))


def _moment(seconds: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _safe(shown: object) -> object:
    # Markup was made here; any other text is data.
    return safe_characters(shown) if type(shown) is str else shown


def drawing(svg: str) -> Markup:
    """Return an SVG as part of a page: its shapes and words, and nothing that acts or fetches.

    Its words can be selected. A text that cannot be read as SVG gives an empty drawing.
    """
    from markupsafe import Markup

    if "<!" in svg:
        return Markup()
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError:
        return Markup()
    # Every name is of a list, and every value is escaped.
    return Markup("".join(_drawn(root)))


def _drawn(one: ElementTree.Element) -> Iterator[str]:
    name = one.tag.rpartition("}")[2]
    if name not in _SHAPES:
        return
    told = "".join(
        f' {key}="{escape(value)}"'
        for key, value in one.attrib.items()
        if key in _LOOKS and "url" not in value.lower()
    )
    yield f"<{name}{told}>{escape(safe_characters(one.text or ''))}"
    for inner in one:
        yield from _drawn(inner)
        yield escape(safe_characters(inner.tail or ""))
    yield f"</{name}>"


def policy(script: str = "") -> str:
    """Return the Content-Security-Policy of a page that runs this script and fetches nothing."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    allowed = f"'sha256-{digest}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def document(title: str, body: str, css: str, generator: str, script: str = "") -> str:
    """Return a whole page that needs nothing but itself.

    Args:
        title: its title, as plain text.
        body: its body, as HTML.
        css: its style sheet.
        generator: what made it; `write_page` replaces only files of the same generator.
        script: the one script that it runs, or "".
    """
    run = f"<script>{script}</script>" if script else ""
    return (
        '<!DOCTYPE html>\n<html lang="en-GB"><head><meta charset="utf-8">'
        f'{_mark(generator)}<meta http-equiv="Content-Security-Policy" content="{policy(script)}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">'
        f"<title>{escape(title)}</title><style>{css}</style></head><body>{body}{run}</body></html>\n"
    )


def write_page(path: Path, page: str, generator: str) -> None:
    """Write a page, in place of an earlier one of the same generator.

    Raises:
        InputError: another file is there, or none can be written there.
    """
    try:
        if path.exists() and not _is_made_by(path, generator):
            raise InputError(
                f"{path} is there already and is no page of {generator}: name another file."
            )
        new = path.with_name(f".{path.name}.new")
        new.write_text(page, "utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror}): name a file in a folder of yours."
        ) from error


def _mark(generator: str) -> str:
    return f'<meta name="generator" content="{escape(generator)}">'


def _is_made_by(path: Path, generator: str) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _mark(generator).encode() in file.read(_MOST_READ)
