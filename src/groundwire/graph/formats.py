"""RDF files: which there are, in what format, and what is wrong with one that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from groundwire.errors import ConfigurationError

# Suffix to the name of the constant in `pyoxigraph.RdfFormat`.
FORMATS = {
    ".ttl": "TURTLE",
    ".nt": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".trig": "TRIG",
    ".n3": "N3",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".xml": "RDF_XML",
    ".jsonld": "JSON_LD",
    ".json": "JSON_LD",
}
_COMPRESSED = ".gz"

# The name of the default graph, as a place to put triples into.
DEFAULT_GRAPH = ""


class Source(NamedTuple):
    """A file or folder, and the graph that its triples belong in.

    Attributes:
        path: a file, or a folder that is read whole.
        graph: the graph that every triple is put into: an IRI, or `DEFAULT_GRAPH`. None keeps
            the graphs that the file names.
    """

    path: Path
    graph: str | None = None


class Problem(NamedTuple):
    """Why a file was left out.

    Attributes:
        file: the file as it was named.
        line: the line of the first error, from 1; 0 where the format does not tell.
        column: the column in that line, from 1, where it is known.
        message: what the parser says.
    """

    file: str
    line: int
    column: int | None
    message: str

    def __str__(self) -> str:
        """One line that says where to look."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


def format_name(path: Path) -> str | None:
    """The format of a file by its suffix, `.gz` aside; None for what is no RDF."""
    name = path.name.lower().removesuffix(_COMPRESSED)
    return FORMATS.get(Path(name).suffix)


def is_compressed(path: Path) -> bool:
    """Whether the file is gzip-compressed, by its suffix."""
    return path.suffix.lower() == _COMPRESSED


def find_files(sources: Sequence[Path | Source], graph: str | None = None) -> list[Source]:
    """Every RDF file of `sources`, folders expanded in sorted order, hidden ones left out.

    Args:
        sources: files and folders; a bare path belongs in `graph`.
        graph: the graph of bare paths.

    Raises:
        ConfigurationError: a path does not exist, a file named by itself has no known suffix,
            or there is no file at all.
    """
    found: dict[Source, None] = {}
    for source in sources:
        path, target = source if isinstance(source, Source) else (source, graph)
        if path.is_dir():
            found.update((Source(file, target), None) for file in _files_of(path))
        elif not path.exists():
            raise ConfigurationError(f"{path} does not exist: name RDF files or a folder of them.")
        elif format_name(path) is None:
            known = ", ".join(sorted(FORMATS))
            raise ConfigurationError(f"{path} is no RDF file by its suffix: it may be {known}.")
        else:
            found[Source(path, target)] = None
    if not found:
        places = ", ".join(str(s.path if isinstance(s, Source) else s) for s in sources)
        raise ConfigurationError(
            f"There is no RDF file in {places or 'an empty list'}: name a folder that holds some "
            f"({', '.join(sorted(FORMATS))})."
        )
    return list(found)


def _files_of(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if not hidden and path.is_file() and format_name(path) is not None:
            yield path
