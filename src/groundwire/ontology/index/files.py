"""The files that a shape index is made of, and the hash that tells whether one has changed."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import InputError

SUFFIXES = (".ttl", ".jsonld", ".rdf", ".owl", ".nt")


class ShapeFile(NamedTuple):
    """One file: where it is, how it is named in messages, and its bytes."""

    path: Path
    name: str
    data: bytes


def shape_files(sources: Sequence[Path]) -> list[ShapeFile]:
    """The files of folders (whole, every known suffix, sorted) and single files, read.

    Raises:
        InputError: a source does not exist, or none of them holds a shape file.
    """
    found: dict[Path, ShapeFile] = {}
    for source in sources:
        if source.is_dir():
            paths = sorted(
                path
                for path in source.rglob("*")
                if path.suffix in SUFFIXES and path.is_file() and not _is_hidden(path, source)
            )
        elif source.is_file():
            paths = [source]
        else:
            raise InputError(f"{source} does not exist: name a folder or file of SHACL shapes")
        root = source if source.is_dir() else source.parent
        for path in paths:
            real = path.resolve()
            if real not in found and not path.name.endswith(".context.jsonld"):
                name = path.relative_to(root).as_posix()
                found[real] = ShapeFile(path, name, path.read_bytes().removeprefix(codecs.BOM_UTF8))
    if not found:
        names = ", ".join(str(source) for source in sources)
        raise InputError(f"no shapes in {names}: put .ttl, .jsonld or .rdf files there")
    return list(found.values())


def _is_hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def digest_of(files: Sequence[ShapeFile]) -> str:
    """One hash over the names and contents of files."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + hashlib.sha256(file.data).digest())
    return total.hexdigest()
