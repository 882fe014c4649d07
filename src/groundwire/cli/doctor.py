"""`groundwire doctor`: what the servers need, checked one by one, with the way out."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from groundwire.config import Settings, load_settings
from groundwire.errors import ConfigurationError, GroundwireError

_PACKAGES = ("mcp", "pydantic", "pyoxigraph", "rdflib", "rapidfuzz", "httpx2", "babel", "icalendar")
_LEAST_FREE = 500 << 20


def doctor(_: argparse.Namespace) -> int:
    """Print one line a check; 1 if one failed."""
    settings: Settings | None = None
    failed = 0
    try:
        settings = load_settings()
        _print("ok", "settings", f"home {settings.home}")
    except GroundwireError as error:
        failed += 1
        _print("FAIL", "settings", str(error))
    for name, check in _OF_THE_MACHINE:
        failed += not _checked(name, check)
    for name, module in _OF_THE_SETTINGS:
        if settings is None:
            _print("-", name, "skipped: see settings")
        else:
            failed += not _checked(name, partial(_run, module, name, settings))
    sys.stdout.write("Everything works.\n" if not failed else f"{failed} failed.\n")
    return 1 if failed else 0


def _run(module: str, name: str, settings: Settings) -> str:
    return getattr(import_module(f"groundwire.cli.{module}"), name)(settings)


def _checked(name: str, check: Callable[[], str]) -> bool:
    """Run one check and print its line; whether it passed.

    What nobody expected is a finding as well: the checks after it are still of use.
    """
    try:
        _print("ok", name, check())
    except GroundwireError as error:
        _print("FAIL", name, str(error))
    except Exception as error:
        _print(
            "FAIL",
            name,
            f"{type(error).__name__}: {error}: the installation is not whole, install groundwire "
            "anew with pip.",
        )
    else:
        return True
    return False


def _print(mark: str, name: str, said: str) -> None:
    sys.stdout.write(f"{mark:5} {name:12} {' '.join(said.split())}\n")


def _python() -> str:
    return f"{sys.version.split()[0]} at {sys.executable}"


def _packages() -> str:
    try:
        found = [f"{name} {version(name)}" for name in _PACKAGES]
    except PackageNotFoundError as error:
        raise ConfigurationError(
            f"The package {error.name} is missing: install groundwire anew with pip."
        ) from error
    return ", ".join(found)


def variables(_: Settings) -> str:
    """Return how many variables of Groundwire are set, where each means something.

    Raises:
        ConfigurationError: one is misspelt. The checks of their domains tell wrong paths.
    """
    from groundwire.variables import VARIABLES, misspelt

    if found := list(misspelt(os.environ)):
        raise ConfigurationError(" ".join(found))
    return f"{len(VARIABLES & os.environ.keys())} set, each known"


def state(settings: Settings) -> str:
    """The state folder: writable, with room."""
    from groundwire.errors import UnavailableError

    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.home) as file:
            file.write(b"x")
        free = shutil.disk_usage(settings.home).free
    except OSError as error:
        raise UnavailableError(
            f"{settings.home} cannot be written ({error.strerror}): set GROUNDWIRE_HOME to a "
            "folder that can."
        ) from error
    if free < _LEAST_FREE:
        raise UnavailableError(
            f"{settings.home} has {free >> 20} MB left: free some, or set GROUNDWIRE_HOME."
        )
    folder = f"{settings.home} can be written, {free >> 30} GB free"
    return "; ".join([folder, *shared_state(settings)])


def shared_state(settings: Settings) -> list[str]:
    """Return where state is shared and what is not; nothing where all of it is in files.

    Raises:
        ConfigurationError: psycopg is not installed.
        UnavailableError: the database cannot be used.
    """
    from groundwire.evidence import Ledger
    from groundwire.state import KEPT_HERE, shared_database

    database = shared_database(settings)
    if database is None:
        return []
    with Ledger(database) as ledger:
        ledger.head()
    return [
        f"state is shared in {database.shown}; on this machine alone stay {', '.join(KEPT_HERE)}"
    ]


def evidence(settings: Settings) -> str:
    """The ledger of answers: as it was written."""
    from groundwire.evidence import Ledger, report
    from groundwire.servers.composition import evidence_place

    place = evidence_place(settings)
    if isinstance(place, Path) and not place.exists():
        return f"no answer recorded yet ({place})"
    from groundwire.errors import UnavailableError

    with Ledger(place) as ledger:
        ok, lines = report.verify(ledger)
    if not ok:
        where = place if isinstance(place, Path) else place.shown
        raise UnavailableError(f"{lines[0]} Keep a copy of {where} and start a new one.")
    return lines[0]


def servers(settings: Settings) -> str:
    """Every server, composed as a host would have it, with the tools that it offers.

    Toolsets and tools that are named in variables are of one server: that the others do not know
    them is told, and no fault.

    Raises:
        ConfigurationError: no server can offer what the variables name, or one does not start for
            another reason.
    """
    import anyio

    from groundwire.cli.registry import SERVERS, build

    offered: list[str] = []
    refused: dict[str, GroundwireError] = {}
    for name in SERVERS:
        try:
            server = build(name, settings)
        except GroundwireError as error:
            refused[name] = error
            continue
        try:
            offered.append(f"{name} {len(anyio.run(server.list_tools))} tools")
        finally:
            server.close()
    if not offered:
        raise refused["all"]
    named = [name for name in ("GROUNDWIRE_TOOLSETS", "GROUNDWIRE_TOOLS") if os.environ.get(name)]
    if refused and not named:
        raise ConfigurationError(
            f"not started would be {', '.join(refused)}: {next(iter(refused.values()))}"
        )
    left = f"; not as {' and '.join(named)} says: {', '.join(refused)}" if refused else ""
    return f"{', '.join(offered)}{left}"


def http(settings: Settings) -> str:
    """Say what HTTP would ask for."""
    from groundwire.serving.exposure import MIN_TOKEN_BYTES

    if settings.http_token:
        short = len(settings.http_token.encode()) < MIN_TOKEN_BYTES
        least = f", on this machine only: other addresses need {MIN_TOKEN_BYTES} characters"
        return f"GROUNDWIRE_HTTP_TOKEN is set: HTTP asks for it{least if short else ''}"
    proxies = [name for name in ("HTTP_PROXY", "HTTPS_PROXY") if os.environ.get(name)]
    note = f"; {', '.join(proxies)} is set and not used" if proxies else ""
    return f"no token: HTTP serves this machine only{note}"


_OF_THE_MACHINE: tuple[tuple[str, Callable[[], str]], ...] = (
    ("python", _python),
    ("packages", _packages),
)
# Checks by their names, and the modules that hold them.
_OF_THE_SETTINGS = (
    ("variables", "doctor"),
    ("state", "doctor"),
    ("evidence", "doctor"),
    ("catalogue", "doctor_domains"),
    ("facts", "doctor_domains"),
    ("warehouse", "doctor_domains"),
    ("endpoints", "doctor_domains"),
    ("journeys", "doctor_domains"),
    ("learning", "doctor_domains"),
    ("agents", "doctor_domains"),
    ("servers", "doctor"),
    ("http", "doctor"),
)
