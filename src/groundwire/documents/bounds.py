"""How large a document may be, and the errors of one that cannot be read."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from groundwire.errors import ConfigurationError, InputError, LimitError

MOST_BYTES = 100 * 1024 * 1024
MOST_PAGES = 5_000
MOST_UNPACKED_BYTES = 400 * 1024 * 1024
MOST_PARTS = 10_000


def read_bytes(path: Path) -> bytes:
    """The content of a document.

    Raises:
        InputError: the file does not exist or cannot be read.
        LimitError: it is larger than `MOST_BYTES`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(
            f"The document {path} cannot be read ({error.strerror or error}): check its path"
        ) from error
    if len(data) > MOST_BYTES:
        raise LimitError(
            f"The document {path.name} is larger than {MOST_BYTES // 1024**2} MB: split it"
        )
    return data


def require(package: str, path: Path) -> ModuleType:
    """Import the package that reads a format, when it is first needed.

    Raises:
        ConfigurationError: it is not installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise ConfigurationError(
            f"Reading {path.name} needs a package that is not here: install groundwire[import]"
        ) from error


def broken(path: Path, what: str, error: BaseException) -> InputError:
    """The error for a file that its format's reader does not take."""
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return InputError(f"The document {path.name} cannot be read as {what}: {reason}")
