"""RDF files: which there are, in what format, and what is wrong with one that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from groundwire.errors import ConfigurationError

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat

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
_ENDS = "it ends in the middle of a statement"

# The name of the default graph, as a place to put triples into.
DEFAULT_GRAPH = ""


class Source(NamedTuple):
    """A file or folder, and the graph that its triples belong in.

    Attributes:
        path: a file, or a folder that is read whole.
        graph: the graph that every triple is put into: an IRI, or `DEFAULT_GRAPH`. None keeps
            the graphs that the file names.
        lenient: read malformed IRIs and language tags as they stand, and a file without a known
            suffix as Turtle.
    """

    path: Path
    graph: str | None = None
    lenient: bool = False


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
    """Return the format of a file by its suffix, `.gz` aside; None for other files than RDF."""
    name = path.name.lower().removesuffix(_COMPRESSED)
    return FORMATS.get(Path(name).suffix)


def rdf_format(path: Path) -> RdfFormat:
    """The parser's name of a file's format; Turtle where the suffix does not tell."""
    from pyoxigraph import RdfFormat

    return getattr(RdfFormat, format_name(path) or "TURTLE")


def base_iri(path: Path) -> str:
    """Return the base of a file's relative IRIs: its bare name.

    No machine's folders get into data. Source: RFC 3986, section 5.1.4.
    """
    from urllib.parse import quote

    return f"file:///{quote(path.name)}"


def reason(error: Exception) -> str:
    """Why a file cannot be read, in one line without the place."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    text = " ".join(str(text).split()) or type(error).__name__
    if "LoadDocumentCallback" in text:
        return "it names a remote JSON-LD context, which is never fetched: put it in the file"
    text = re.sub(r"^Parser error at line \d+ (column|between columns) [\d and]*\d: ", "", text)
    text = re.sub(r" \(line \d+\)$", "", text)
    if text.startswith("Unexpected end"):
        return _ENDS
    return text


def check_xml(chunks: Iterable[bytes]) -> None:
    """Refuse an XML document that is not well formed.

    The parser of RDF/XML takes a document that ends in the middle for one that is whole.

    Raises:
        SyntaxError: says where and why.
    """
    from xml.parsers import expat

    parser = expat.ParserCreate()
    # Entities are neither expanded nor fetched: only the position of an error is wanted.
    parser.UseForeignDTD(False)
    try:
        for chunk in chunks:
            parser.Parse(chunk)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        said = expat.ErrorString(error.code)
        if said in ("no element found", "unclosed token", "unclosed CDATA section"):
            said = _ENDS
        raise SyntaxError(said, ("", error.lineno, error.offset + 1, "")) from None


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
            or no file is found at all.
    """
    found: dict[Source, None] = {}
    for source in sources:
        path, target, lenient = source if isinstance(source, Source) else Source(source, graph)
        if path.is_dir():
            found.update((Source(file, target, lenient), None) for file in _files_of(path))
        elif not path.exists():
            raise ConfigurationError(f"{path} does not exist: name RDF files or a folder of them.")
        elif format_name(path) is None and not (isinstance(source, Source) and source.lenient):
            known = ", ".join(sorted(FORMATS))
            raise ConfigurationError(f"{path} is no RDF file by its suffix: it may be {known}.")
        else:
            found[Source(path, target, lenient)] = None
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
