"""`groundwire evidence show|verify|head`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from groundwire.cli.progress import bar
from groundwire.config import load_settings
from groundwire.errors import NotFoundError
from groundwire.evidence import Ledger, report


def _path() -> Path:
    from groundwire.servers.composition import EVIDENCE_FILE

    return load_settings().home / EVIDENCE_FILE


def _ledger() -> Ledger:
    return Ledger(_path())


def show(arguments: argparse.Namespace) -> int:
    """Print one record."""
    with _ledger() as ledger:
        _print(report.show(ledger, arguments.evidence_id))
    return 0


def verify(arguments: argparse.Namespace) -> int:
    """Check the chain; 1 if it is not as it was written.

    Raises:
        NotFoundError: there is no ledger, so that nothing can be said of it.
    """
    path = _path()
    if not path.exists():
        raise NotFoundError(
            f"There is no ledger {path}: no answer was recorded there, it was removed, or "
            "GROUNDWIRE_HOME names another folder than that of the servers."
        )
    with _ledger() as ledger, bar("verifying") as told:
        ok, lines = report.verify(ledger, arguments.head, told)
    _print(lines)
    return 0 if ok else 1


def head(arguments: argparse.Namespace) -> int:
    """Print the hash of the last record."""
    with _ledger() as ledger:
        _print(report.head(ledger))
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
