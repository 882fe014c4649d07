"""The files of plans: a folder for each journey_id, which goes when the journey_id does."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from groundwire.safe_text import is_handle

FOLDER = "journeys"
"""The folder of the folders, in the state folder."""
HANDLE = "jo"
"""How a journey_id begins."""


def folder_of(home: Path, journey_id: str) -> Path:
    """Where the files of a journey_id are, or would be."""
    return home / FOLDER / journey_id


def sweep(home: Path, living: Callable[[Collection[str]], Collection[str]]) -> int:
    """Remove the folders of every journey_id that has expired; anything else stays.

    Args:
        home: the state folder.
        living: those of some ids that have not expired.

    Returns:
        how many folders were removed; one that cannot be is left for the next time.
    """
    try:
        folders = {
            one.name: one
            for one in (home / FOLDER).iterdir()
            if is_handle(one.name, HANDLE) and one.is_dir() and not one.is_symlink()
        }
    except OSError:
        return 0
    gone = folders.keys() - set(living(folders.keys())) if folders else set[str]()
    for name in gone:
        shutil.rmtree(folders[name], ignore_errors=True)
    return sum(not folders[name].exists() for name in gone)


@dataclass(frozen=True, slots=True)
class Written:
    """Where a file is, or why there is none.

    Attributes:
        path: the file; None where it could not be written.
        error: why it could not be written, without its path; None where it was.
    """

    path: Path | None = None
    error: str | None = None


def write(folder: Path, name: str, content: bytes) -> Written:
    """Write a file of the state folder; it is whole, or as it was before."""
    path = folder / name
    draft = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with open(draft, "xb", opener=_for_its_owner) as file:
            file.write(content)
        draft.replace(path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        reason = error.strerror or type(error).__name__
        return Written(
            error=f"{name} cannot be written ({reason}): make room in the state folder and make it "
            "writable, or set GROUNDWIRE_HOME to one that is."
        )
    return Written(path)


def _for_its_owner(path: str, flags: int) -> int:
    """Open a new file that nobody else may read, on systems without `fchmod` too."""
    return os.open(path, flags, 0o600)
