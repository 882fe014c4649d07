"""Variables that were probably meant otherwise: misspelt names, and paths where nothing is.

A server starts all the same, since whoever set them may know better. They are told on stderr when
it starts, and by `groundwire doctor`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path

from groundwire.config import Settings, is_named_secret

PREFIX = "GROUNDWIRE_"
VARIABLES = frozenset(
    PREFIX + name
    for name in (
        "ASSETS",
        "ENDPOINTS",
        "FACTS",
        "FACTS_PASSWORD",
        "HOME",
        "HTTP_AUDIENCE",
        "HTTP_BODY_BYTES",
        "HTTP_CALLS_AT_ONCE",
        "HTTP_CALLS_PER_MINUTE",
        "HTTP_ISSUERS",
        "HTTP_JWKS",
        "HTTP_LINK_SECONDS",
        "HTTP_ORIGINS",
        "HTTP_STATELESS",
        "HTTP_TOKEN",
        "HTTP_UI",
        "JOURNEYS",
        "LOG_FORMAT",
        "LOG_LEVEL",
        "LOG_QUESTIONS",
        "MODELS",
        "NARRATIVE_KEY",
        "PROFILE",
        "READ_ONLY",
        "SHAPES",
        "STATE",
        "STATE_PASSWORD",
        "TOOLS",
        "TOOLSETS",
        "WAREHOUSE",
        "WAREHOUSE_PASSWORD",
        "WAREHOUSE_USER",
    )
)
"""Every variable of Groundwire's own; docs/variables.md says what each means."""

# Of tests and evals, which start servers with their own environment.
_OF_TESTS = (f"{PREFIX}TEST_", f"{PREFIX}INJECTION_")
# What `groundwire serve` is told by flags alone.
_FLAGS = ("host", "port", "transport")
_SHIPPED_REGISTRY = "openlink"


def oddities(environ: Mapping[str, str], settings: Settings) -> list[str]:
    """Return a sentence for each variable that is misspelt, and for each path where nothing is.

    Args:
        environ: the environment of the process.
        settings: what was read of it.
    """
    return [*misspelt(environ), *_missing(settings)]


def misspelt(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each variable of this prefix that Groundwire does not know."""
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX) or name in VARIABLES:
            continue
        if name.startswith(_OF_TESTS) or is_named_secret(name):
            continue
        close = difflib.get_close_matches(name.upper(), VARIABLES, n=1, cutoff=0.8)
        flag = name.lower().removeprefix(PREFIX.lower()).removeprefix("http_")
        if flag in _FLAGS:
            hint = f": `groundwire serve` takes it as --{flag}."
        elif close:
            hint = f": did you mean {close[0]}?"
        else:
            hint = "; docs/variables.md has all that are."
        yield f"{name} is set, and Groundwire has no such variable{hint}"


def _missing(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each file or folder that a variable names and that is not there."""
    named: list[tuple[str, str | Path | None]] = [
        *(("SHAPES", one) for one in settings.shapes),
        *(("ASSETS", one) for one in settings.assets),
        ("PROFILE", settings.profile),
        *(("MODELS", one) for one in settings.models),
        ("ENDPOINTS", settings.endpoints),
    ]
    for variable, place in named:
        if place is None or "://" in str(place):
            continue
        if variable == "ENDPOINTS" and Path(place).name == _SHIPPED_REGISTRY:
            continue
        if not Path(place).expanduser().exists():
            yield f"{PREFIX}{variable} names {place}, where there is nothing: correct the path."
    if settings.facts is not None and not settings.facts.exists():
        yield (
            f"{PREFIX}FACTS names {settings.facts}, which is not there yet: `groundwire metrics "
            "import` makes it, or correct the path."
        )
