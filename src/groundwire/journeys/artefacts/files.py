"""The files of plans: a folder for each journey_id, which goes when the journey_id does."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from groundwire.errors import UnavailableError
from groundwire.evidence.handle import is_handle

FOLDER = "journeys"
"""The folder of the folders, in the state folder."""
HANDLE = "jo"
"""How a journey_id begins."""


def folder_of(home: Path, journey_id: str) -> Path:
    """Where the files of a journey_id are, or would be."""
    return home / FOLDER / journey_id


def sweep(home: Path, living: Callable[[Collection[str]], Collection[str]]) -> int:
    """Remove the folders of every journey_id that has expired; what is no such folder stays.

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


def write(folder: Path, name: str, content: bytes) -> Path:
    """Write a file of the state folder; it is whole, or as it was before.

    Raises:
        UnavailableError: it cannot be written.
    """
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
        raise UnavailableError(
            f"{path} cannot be written ({error.strerror}): make its folder writable, or set "
            "GROUNDWIRE_HOME to one that is."
        ) from error
    return path


def _for_its_owner(path: str, flags: int) -> int:
    """Open a new file that nobody else may read, on systems without `fchmod` too."""
    return os.open(path, flags, 0o600)
