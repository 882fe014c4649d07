"""A package of Anki: its collection, brought out within limits, and its media, kept and written.

A package is a zip file. `collection.anki21b` is compressed by zstd, `collection.anki21` and
`collection.anki2` are SQLite files as they are; where a newer one is there the older one only says
that the program is too old. No member is ever written under a name from the package.

A package of Anki names its media in a member `media`: JSON in older packages, in newer ones a
message of protocol buffers that is compressed by zstd, as are the files. The files themselves are
members called by numbers. No name is ever a path here: one that is none of a plain file is left
out.

Source of the wire format: protobuf.dev, "Encoding": a message is a row of fields, each a number and
a value.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any, cast
from urllib.parse import unquote

from groundwire.errors import ConfigurationError, InputError, LimitError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10


def message_fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield number and value of each field.

    Raises:
        ValueError: the message is cut off, or of another format.
    """
    position = 0
    while position < len(message):
        key, position = _varint(message, position)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, position = _varint(message, position)
            yield number, value
            continue
        if wire == _BYTES:
            size, position = _varint(message, position)
        elif wire in (_FIXED32, _FIXED64):
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError("a field of an unknown kind")
        if position + size > len(message):
            raise ValueError("a message that is cut off")
        yield number, message[position : position + size]
        position += size


def first_int(message: bytes, number: int) -> int:
    """Return the last whole number of a field, as the format has it, or 0."""
    found = 0
    for one, value in message_fields(message):
        if one == number and isinstance(value, int):
            found = value
    return found


def first_text(message: bytes, number: int) -> str:
    """Return the last text of a field, or ""."""
    found = b""
    for one, value in message_fields(message):
        if one == number and isinstance(value, bytes):
            found = value
    return found.decode("utf-8", "replace")


def _varint(message: bytes, position: int) -> tuple[int, int]:
    value = 0
    for place in range(_LONGEST_VARINT):
        if position >= len(message):
            raise ValueError("a number that is cut off")
        byte = message[position]
        position += 1
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, position
    raise ValueError("a number that is too long")


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
            version = first_int(file.read(_LONGEST_META), 1)
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


MOST_FILE_BYTES = 100 * 1024**2
"""Bytes of one file of media, once it is unpacked."""

MOST_MEDIA_BYTES = 1024**3
"""Bytes of all media of a package, once they are unpacked."""

_MOST_LIST_BYTES = 64 * 1024**2
_LONGEST_NAME = 255
_ZSTD = b"\x28\xb5\x2f\xfd"
_ENTRY, _NAME = 1, 1
_NAMED = re.compile(
    r"\[sound:([^\[\]]{1,300})\]|(?:src|data)\s{0,3}=\s{0,3}(?:\"([^\"<>]{1,300})\""
    r"|'([^'<>]{1,300})'|([^\s\"'<>]{1,300}))|url\(\s{0,3}[\"']?([^\"'()]{1,300})",
    re.IGNORECASE,
)


def stored_media(archive: zipfile.ZipFile, path: Path) -> Generator[tuple[str, bytes]]:
    """Yield name and bytes of each file of media in a package.

    Raises:
        InputError: the list of media, or a file, cannot be read.
        LimitError: a file, or all together, are larger than the limits of this module.
        ConfigurationError: they are compressed by zstd, and zstandard is not installed.
    """
    members = {one.filename: one for one in archive.infolist()}
    left = MOST_MEDIA_BYTES
    try:
        for member, name in _listed(archive, members, path):
            data = _read(archive, members[member], path, min(left, MOST_FILE_BYTES))
            left -= len(data)
            yield name, data
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError) as error:
        said = " ".join(str(error).split())[:200]
        raise InputError(f"The media of {path.name} cannot be read: {said}") from error


def _listed(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], path: Path
) -> Iterator[tuple[str, str]]:
    """Yield member and name of each file that is there and has a name that can be kept."""
    if "media" not in members:
        return
    listed = _read(archive, members["media"], path, _MOST_LIST_BYTES)
    names: list[tuple[str, str]] = []
    if listed.lstrip()[:1] == b"{":
        read: Any = json.loads(listed)
        names = [(str(key), str(name)) for key, name in cast("dict[str, Any]", read).items()]
    else:
        entries = (one for number, one in message_fields(listed) if number == _ENTRY)
        names = [
            (str(place), first_text(one, _NAME))
            for place, one in enumerate(entries)
            if isinstance(one, bytes)
        ]
    for member, name in names:
        if member in members and is_plain(name):
            yield member, name


def is_plain(name: str) -> bool:
    """Return whether a name is that of a file in no folder, on any system."""
    return (
        0 < len(name) <= _LONGEST_NAME
        and name not in (".", "..")
        and not any(char in '/\\:*?"<>|' or ord(char) < 32 for char in name)
    )


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, most: int) -> bytes:
    with archive.open(member) as packed:
        begins = packed.read(len(_ZSTD))
    with archive.open(member) as packed:
        reader: IO[bytes] = zstd_reader(packed, path) if begins == _ZSTD else packed
        parts: list[bytes] = []
        size = 0
        while part := reader.read(_STEP):
            size += len(part)
            if size > most:
                raise LimitError(
                    f"The media of {path.name} are larger than is read: "
                    f"{MOST_FILE_BYTES // 1024**2:,} MB a file, {MOST_MEDIA_BYTES // 1024**2:,} MB "
                    "in all"
                )
            parts.append(part)
    return b"".join(parts)


def keep_media(
    connection: sqlite3.Connection, owner: str, archive: zipfile.ZipFile, path: Path
) -> tuple[int, int]:
    """Keep the media of a package; a file of the same name and other content takes its place.

    Returns:
        how many files are new or changed, and how many were here already.

    Raises:
        InputError, LimitError, ConfigurationError: see `stored_media`.
    """
    held = dict(connection.execute("SELECT name, hash FROM media WHERE owner = ?", (owner,)))
    new = known = 0
    for name, data in stored_media(archive, path):
        digest = hashlib.sha256(data).hexdigest()
        if held.get(name) == digest:
            known += 1
            continue
        new += 1
        connection.execute(
            "INSERT OR REPLACE INTO media (owner, name, hash, data) VALUES (?, ?, ?, ?)",
            (owner, name, digest, data),
        )
    return new, known


def named_in(collection: sqlite3.Connection) -> frozenset[str]:
    """Return the names of media that the notes and the types of notes of a collection name."""
    found: set[str] = set()
    rows = collection.execute("SELECT flds FROM notes UNION ALL SELECT models FROM col")
    for (text,) in rows:
        for match in _NAMED.finditer(text.replace('\\"', '"')):
            name = next(one for one in match.groups() if one is not None).strip()
            found |= {name, html.unescape(name), unquote(html.unescape(name))}
    return frozenset(found)


def write_media(
    archive: zipfile.ZipFile,
    connection: sqlite3.Connection,
    owner: str,
    named: frozenset[str] | None,
) -> int:
    """Write an owner's media into a package in the form that every version of Anki reads.

    Args:
        archive: the package.
        connection: the file of learning.
        owner: whose media.
        named: the names that are written, with those that begin with "_", which templates and
            styles name in ways of their own; None for all.

    Returns:
        how many files were written.
    """
    names: dict[str, str] = {}
    rows = connection.execute("SELECT name FROM media WHERE owner = ? ORDER BY name", (owner,))
    for (name,) in rows.fetchall():
        if named is not None and name not in named and not name.startswith("_"):
            continue
        number = str(len(names))
        (data,) = connection.execute(
            "SELECT data FROM media WHERE owner = ? AND name = ?", (owner, name)
        ).fetchone()
        archive.writestr(number, data)
        names[number] = name
    archive.writestr("media", json.dumps(names, ensure_ascii=False))
    return len(names)
