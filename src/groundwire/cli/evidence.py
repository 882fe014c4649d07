"""`groundwire evidence show|verify|head`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from groundwire.cli.progress import bar
from groundwire.config import load_settings
from groundwire.errors import InputError, NotFoundError
from groundwire.evidence import Ledger, report

MOST_PATH = 1_000


def _path() -> Path:
    from groundwire.servers.composition import EVIDENCE_FILE

    return load_settings().home / EVIDENCE_FILE


def _ledger() -> Ledger:
    return Ledger(_path())


def show(arguments: argparse.Namespace) -> int:
    """Print one record."""
    with _ledger() as ledger:
        handle, _, seal = arguments.evidence_id.partition(":")
        _print(report.show(ledger, handle, arguments.seal or seal or None))
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
        ok, lines = report.verify(ledger, _kept(arguments.kept), told)
    _print(lines)
    return 0 if ok else 1


def _kept(given: Sequence[str]) -> str | None:
    """The heads and seals that were given, those in files too; None without any.

    Raises:
        InputError: a file cannot be read.
    """
    texts: list[str] = []
    for one in given:
        path = Path(one)
        if len(one) > MOST_PATH or not path.is_file():
            texts.append(one)
            continue
        try:
            texts.append(path.read_text("utf-8", errors="replace"))
        except OSError as error:
            raise InputError(f"{one} cannot be read ({error.strerror}).") from error
    return "\n".join(texts) if texts else None


def head(arguments: argparse.Namespace) -> int:
    """Print the number of records and the hash of the last one."""
    with _ledger() as ledger:
        _print(report.head(ledger))
    return 0


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
