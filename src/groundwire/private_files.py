"""Files and folders of state that are their user's alone, and a temporary one of this process.

What is derived of files (stores, indexes, samples) is kept in `GROUNDWIRE_HOME`. Where that is
read-only or full, it is made here, and goes with the process.
"""

from __future__ import annotations

import atexit
import errno
import functools
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from groundwire.errors import UnavailableError


def private_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing, for its user alone.

    Raises:
        OSError: it cannot be made.
    """
    if not path.is_dir():
        private_folder(path.parent)
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        if not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))


def private_file(path: Path) -> None:
    """Make a file of state with its folder for its user alone; one of theirs is closed to others.

    SQLite gives its other files the mode of this one.

    Raises:
        OSError: it cannot be made or written.
    """
    private_folder(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        found = os.fstat(descriptor)
        if stat.S_IMODE(found.st_mode) & 0o077 and _is_ours(found):
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def close_folder(path: Path) -> None:
    """Close a folder of state to other users, if it is this user's and no folder that many share.

    Where it cannot be closed, it stays as it is.
    """
    with suppress(OSError):
        found = path.stat()
        mode = stat.S_IMODE(found.st_mode)
        if mode & 0o077 and not mode & stat.S_ISVTX and _is_ours(found):
            path.chmod(0o700)


def _is_ours(found: os.stat_result) -> bool:
    return hasattr(os, "geteuid") and found.st_uid == os.geteuid()


def writable(home: Path) -> Path:
    """Return the state folder, or where it is not there yet the folder to make it in.

    Something is written to see, since rights tell nothing of a full disk and little to root.

    Raises:
        UnavailableError: nothing can be written there.
    """
    try:
        place = next((one for one in (home, *home.parents) if one.exists()), home)
        with TemporaryDirectory(dir=place) as folder:
            (Path(folder) / "file").write_bytes(b"x")
    except OSError as error:
        raise UnavailableError(
            f"{home} cannot be written ({error.strerror}): set GROUNDWIRE_HOME to a folder that "
            "can."
        ) from error
    return place


_Made = TypeVar("_Made")
_log = logging.getLogger(__name__)


class NoRoomError(UnavailableError):
    """A file that is to be kept cannot be written where it belongs."""


def kept_or_scratch(make: Callable[[Path], _Made], root: Path) -> _Made:
    """Return what `make` makes below `root`, or in this process's folder if it has no room there.

    Raises:
        NoRoomError: it has no room in either; what is told is of `root`.
    """
    try:
        return make(root)
    except NoRoomError as error:
        try:
            made = make(_folder() / root.name)
        except (NoRoomError, OSError):
            raise error from None
        _log.warning("made for this process only: %s", error)
        return made


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="groundwire-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
