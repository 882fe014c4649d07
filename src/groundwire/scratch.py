"""A temporary folder of this process, for what can be made again and cannot be kept.

What is derived of files (stores, indexes, samples) is kept in `GROUNDWIRE_HOME`. Where that is
read-only or full, it is made here, and goes with the process.
"""

from __future__ import annotations

import atexit
import functools
import logging
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from groundwire.errors import UnavailableError

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
