"""The collection within a package of Anki, brought out within limits.

A package is a zip file. `collection.anki21b` is compressed by zstd, `collection.anki21` and
`collection.anki2` are SQLite files as they are; where a newer one is there the older one only says
that the program is too old. No member is ever written under a name from the package.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any

from groundwire.errors import ConfigurationError, InputError, LimitError
from groundwire.learning.packages import protobuf_wire

MOST_BYTES = 2 * 1024**3
"""Bytes of a package, media and all."""

MOST_MEMBERS = 100_000
MOST_COLLECTION_BYTES = 1024**3
"""Bytes of the collection once it is unpacked."""

MOST_RATIO = 250
"""How many times its packed size a collection may have; smaller ones than `FREE_BYTES` any."""

FREE_BYTES = 16 * 1024**2

_COLLECTIONS = ("collection.anki21b", "collection.anki21", "collection.anki2")
_NEWEST_META = 3
_STEP = 1024**2
_LONGEST_META = 1_024


@contextmanager
def unpacked(path: Path) -> Generator[Path]:
    """Yield the SQLite file of a package's collection; it is removed at the end.

    Raises:
        InputError: it cannot be opened as a package: broken, encrypted or of an unknown version.
        LimitError: it is larger than the limits of this module.
        ConfigurationError: it is compressed by zstd, and zstandard is not installed.
    """
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(
            f"The package {path} cannot be read ({error.strerror}): check its path"
        ) from error
    if size > MOST_BYTES:
        raise LimitError(f"The package {path.name} is larger than {MOST_BYTES // 1024**2:,} MB")
    folder = Path(tempfile.mkdtemp(prefix="groundwire-"))
    try:
        target = folder / "collection.db"
        try:
            with zipfile.ZipFile(path) as archive:
                _bring_out(archive, path, target)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
            raise InputError(f"The package {path.name} cannot be read: {_line(error)}") from error
        yield target
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _bring_out(archive: zipfile.ZipFile, path: Path, target: Path) -> None:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise LimitError(f"The package {path.name} has more than {MOST_MEMBERS:,} members")
    for member in members:
        name = PurePosixPath(member.filename.replace("\\", "/"))
        drive = PureWindowsPath(member.filename).drive
        if name.is_absolute() or ".." in name.parts or drive:
            raise InputError(
                f"The package {path.name} names a member outside of itself: it is not read"
            )
    named = {member.filename: member for member in members}
    if len(named) != len(members):
        raise InputError(f"The package {path.name} has two members of one name: it is not read")
    _check_version(archive, named, path)
    chosen = next((name for name in _COLLECTIONS if name in named), None)
    if chosen is None:
        raise InputError(f"The package {path.name} holds no collection of Anki")
    member = named[chosen]
    if member.flag_bits & 1:
        raise InputError(f"The package {path.name} is encrypted: save it without a password")
    with archive.open(member) as packed, target.open("xb") as out:
        reader = zstd_reader(packed, path) if chosen.endswith("b") else packed
        _copy(reader, out, member.compress_size, path)


def _check_version(archive: zipfile.ZipFile, named: dict[str, zipfile.ZipInfo], path: Path) -> None:
    member = named.get("meta")
    if member is None:
        return
    try:
        with archive.open(member) as file:
            version = protobuf_wire.first_int(file.read(_LONGEST_META), 1)
    except ValueError as error:
        raise InputError(f"The package {path.name} has a broken header: {error}") from error
    if version > _NEWEST_META:
        raise InputError(
            f"The package {path.name} has version {version}, versions up to {_NEWEST_META} are "
            "read: export it again for older versions of Anki"
        )


def zstd_reader(packed: IO[bytes], path: Path) -> IO[bytes]:
    """Return a reader of what is packed by zstd.

    Raises:
        ConfigurationError: zstandard is not installed.
    """
    try:
        import zstandard
    except ImportError as error:
        raise ConfigurationError(
            f"Reading {path.name} needs a package that is not here: install groundwire[learning], "
            "or export it again for older versions of Anki"
        ) from error
    reader: Any = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(packed)
    return reader


def _copy(reader: IO[bytes], out: IO[bytes], packed: int, path: Path) -> None:
    """Copy what is read, as long as its size stays within the limits."""
    most = min(MOST_COLLECTION_BYTES, max(FREE_BYTES, MOST_RATIO * packed))
    size = 0
    try:
        while part := reader.read(_STEP):
            size += len(part)
            if size > most:
                raise LimitError(
                    f"The collection of {path.name} unpacks to more than {most // 1024**2:,} MB"
                )
            out.write(part)
    except (LimitError, zlib.error, EOFError, OSError, zipfile.BadZipFile):
        raise
    except Exception as error:  # zstandard has one error of its own
        raise InputError(f"The package {path.name} cannot be read: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
