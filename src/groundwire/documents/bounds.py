"""How large a document may be, how its bytes become text, and the errors of one that cannot."""

from __future__ import annotations

import codecs
import re
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


_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4_096
HIGH_RUN = re.compile(rb"[\x80-\xff]+")
NOT_WESTERN = bytes([0x81, 0x8D, 0x8F, 0x90, 0x9D, *range(9), *range(14, 32)])
"""Bytes that cp1252 leaves free, and controls that no table has."""


def decoded(data: bytes, path: Path, declared: str = "") -> str:
    """The characters of a text file.

    A byte order mark decides; then what the file declares; then UTF-8, and GB 18030 for older
    Chinese files, whose bytes stand in pairs. UTF-16 without its mark is known by its zeros.

    Raises:
        InputError: none of them fits.
    """
    for encoding in _candidates(data, declared):
        try:
            text = data.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        if "\x00" not in text:
            return text
    raise InputError(
        f"The document {path.name} is no text in UTF-8, UTF-16 or GB 18030: save it as UTF-8"
    )


def _candidates(data: bytes, declared: str) -> tuple[str, ...]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return (encoding,)
    sample = data[:_SAMPLE]
    if b"\x00" in sample:
        little = sample[1::2].count(0) > sample[::2].count(0)
        return ("utf-16-le" if little else "utf-16-be",)
    return tuple(filter(None, (declared, "utf-8", "gb18030" if in_pairs(data) else "")))


def in_pairs(data: bytes) -> bool:
    """Whether the bytes beyond ASCII stand in pairs, as those of Chinese text in GB 18030 do."""
    runs = HIGH_RUN.findall(data)
    return sum(len(run) % 2 == 0 for run in runs) >= 0.9 * len(runs)


def is_western(data: bytes) -> bool:
    """Whether the bytes beyond ASCII are letters and signs of cp1252, and stand as those do."""
    runs = HIGH_RUN.findall(data)
    long_runs = sum(len(run) > 2 for run in runs)
    return data.translate(None, NOT_WESTERN) == data and long_runs <= 0.05 * len(runs)
