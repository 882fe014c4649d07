"""Tables in flat files and documents: CSV, whatever wrote it, Parquet, DOCX, HTML and PDF.

CSV and Parquet are read by DuckDB, the rest locked.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TextIO

from groundwire.documents.bounds import HIGH_RUN, NOT_WESTERN
from groundwire.documents.tables import DocumentTable, read_tables
from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.importing.mapping import Format, Layout, Mapping
from groundwire.metrics.importing.table import (
    Table,
    Unreadable,
    arranged,
    headings_of,
    open_xlsx,
    template,
)

LONGEST_LINE = 1_000_000
"""Characters of one line; more is no table."""

_CHUNK = 1 << 20
_NO_CELLS: list[str] = []
DELIMITERS = (",", ";", "\t", "|")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class LineReader(Protocol):
    """The type of the object that `csv.reader` returns."""

    @property
    def line_num(self) -> int:
        """Lines that were read so far."""
        ...

    def __iter__(self) -> Iterator[list[str]]: ...


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file whose encoding is known to decode all of it.

    Attributes:
        encoding: its encoding.
        sha256: hash of its bytes, hexadecimal.
        size: its bytes.
        note: how the encoding was found, where that needs saying.
    """

    encoding: str
    sha256: str
    size: int
    note: str = ""


def inspect_text(path: Path, encoding: str, western: bool = False) -> TextFile:
    """Read a file once for its hash, and to see that its encoding fits every byte.

    Without a declared encoding a byte order mark decides, then UTF-8, then GB18030, which is
    taken only where its bytes stand in pairs as those of Chinese text do.

    Args:
        path: the file.
        encoding: its encoding, if it is declared.
        western: whether cp1252 may be guessed as well; any bytes are text in it, so that only a
            draft, which a person reads, guesses it.

    Raises:
        InputError: it is empty, no text, or in another encoding.
    """
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        head = file.read(_CHUNK)
        chosen, sure = (encoding, True) if encoding else _by_head(head, path)
        decoders = {chosen: codecs.getincrementaldecoder(chosen)()}
        if not sure:
            decoders["gb18030"] = codecs.getincrementaldecoder("gb18030")()
        pairs = runs = 0
        for chunk in itertools.chain((head,), iter(lambda: file.read(_CHUNK), b"")):
            digest.update(chunk)
            size += len(chunk)
            for name in [name for name in decoders if not _decodes(decoders[name], chunk)]:
                del decoders[name]
            if chosen not in decoders and not sure:
                high = HIGH_RUN.findall(chunk)
                runs += len(high)
                pairs += sum(len(run) % 2 == 0 for run in high)
    for name in [name for name in decoders if not _decodes(decoders[name], b"", final=True)]:
        del decoders[name]
    if chosen in decoders:
        return TextFile(chosen, digest.hexdigest(), size)
    if encoding:
        raise InputError(f"{path.name} is not in the encoding {encoding!r}: set layout.encoding")
    if "gb18030" in decoders and pairs >= 0.9 * runs:
        note = "read as GB18030, since it is no UTF-8: set layout.encoding if names look wrong"
        return TextFile("gb18030", digest.hexdigest(), size, note)
    if western and not sure and _is_western(path):
        note = (
            "read as cp1252 (Western Europe), since it is no UTF-8: set layout.encoding if names "
            "look wrong"
        )
        return TextFile("cp1252", digest.hexdigest(), size, note)
    raise InputError(
        f"The encoding of {path.name} is not known, it is neither UTF-8, UTF-16 nor GB18030: "
        'set layout.encoding, such as "cp1252", or give --encoding to init'
    )


def _is_western(path: Path) -> bool:
    """Whether the bytes that are no ASCII are letters and signs of cp1252, all of them.

    Unused bytes and control characters are of another encoding; so are long runs, which Greek and
    Cyrillic text has and Western text has not.
    """
    high = long_runs = 0
    with path.open("rb") as file:
        for chunk in iter(lambda: file.read(_CHUNK), b""):
            if chunk.translate(None, NOT_WESTERN) != chunk:
                return False
            runs = HIGH_RUN.findall(chunk)
            high += len(runs)
            long_runs += sum(len(run) > 2 for run in runs)
    return high > 0 and long_runs <= 0.05 * high


def _by_head(head: bytes, path: Path) -> tuple[str, bool]:
    """The encoding that the first bytes tell, and whether they leave no doubt."""
    if not head.strip():
        raise InputError(f"{path.name} is empty: send a file with a row of headings")
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name, True
    start = head[:4096]
    if b"\0" in start:
        odd, even = start[1::2].count(0), start[::2].count(0)
        if min(odd, even) <= 0.05 * len(start) and max(odd, even) >= 0.3 * len(start):
            return ("utf-16-le" if odd > even else "utf-16-be"), True
        raise InputError(f"{path.name} is no text file: name its format in layout.format")
    return "utf-8", False


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeError:  # of UTF-16 without its mark, too
        return False
    return True


def open_csv(path: Path, layout: Layout, known: TextFile) -> Table:
    """Open a CSV file as a table. The file stays open until the last record was read.

    Raises:
        InputError: it has no heading, or a line is too long for a table.
    """
    binary = path.open("rb")
    text = io.TextIOWrapper(binary, known.encoding, newline="")
    try:
        for _ in range(layout.header_row - 1):
            next(_lines(text, path), None)
        first = next(_lines(text, path), "")
        is_tabbed = path.suffix.lower() == ".tsv" and "\t" in first
        delimiter = layout.delimiter or ("\t" if is_tabbed else find_delimiter(first))
        lines = itertools.chain((first,), _lines(text, path))
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            headings = headings_of(next(reader, _NO_CELLS), path.name)
        except csv.Error as error:
            raise InputError(f"The headings of {path.name} cannot be read: {error}") from error
    except BaseException:
        text.close()
        raise
    notes = (known.note,) if known.note else ()
    records = _records(reader, text, layout.header_row - 1)
    return Table(
        headings, records, lambda index: f"row {{}}, column {template(headings[index])}",
        lambda: _position(binary, known.size), known.size, text.close, notes,
    )  # fmt: skip


def _position(binary: BinaryIO, size: int) -> int:
    return size if binary.closed else binary.tell()


def _lines(text: TextIO, path: Path) -> Iterator[str]:
    """The lines of a file, none longer than a line of a table may be."""
    read = text.readline
    while line := read(LONGEST_LINE):
        if len(line) == LONGEST_LINE and line[-1] not in "\r\n":
            raise InputError(
                f"{path.name} has a line of more than {LONGEST_LINE:,} characters: it is no table"
            )
        yield line


def _records(
    reader: LineReader, text: TextIO, skipped: int
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    """Every record with the line that it begins in."""
    with text:
        lines = reader.line_num
        while True:
            try:
                for cells in reader:
                    number = skipped + lines + 1
                    lines = reader.line_num
                    if cells:
                        yield number, cells
                return
            except csv.Error as error:
                number = skipped + lines + 1
                lines = reader.line_num
                yield number, Unreadable(f"the row cannot be read: {error}")


def find_delimiter(line: str) -> str:
    """The delimiter that splits a header line into the most cells, quotes respected."""

    def cells(delimiter: str) -> int:
        try:
            return len(next(csv.reader([line], delimiter=delimiter), _NO_CELLS))
        except csv.Error:
            return 0

    return max(DELIMITERS, key=cells)


_BATCH = 4096
_MAGIC = b"PAR1"
_GLOB = frozenset("*?[]{}")
_MIDNIGHT = "'^(....-..-..) 00:00:00([+]00)?$'"
_NESTED = ("STRUCT", "MAP", "LIST", "UNION", "BLOB", "[]", "BIT")


def open_parquet(path: Path) -> Table:
    """Open a Parquet file as a table, row by row.

    Every cell is written as text by DuckDB: decimals with all their digits, floats as the shortest
    digits that are the same float, dates as ISO days.

    Raises:
        ConfigurationError: duckdb is not installed.
        InputError: it is not a Parquet file, or its name could be taken for several files.
    """
    try:
        import duckdb
    except ImportError as error:
        raise ConfigurationError(
            "Reading Parquet files needs duckdb: install groundwire[import]"
        ) from error
    name = str(path.resolve())
    if _GLOB & set(name):
        raise InputError(f"{name} holds one of * ? [ ] {{ }}: rename the file or its folder")
    with path.open("rb") as file:
        if file.read(4) != _MAGIC:
            raise InputError(f"{path.name} is no Parquet file: it does not begin with PAR1")
    connection: Any = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "threads": "1",
            "memory_limit": "1GB",
        },
    )
    # The statements are constants of this module; the file's name is a parameter.
    source = "read_parquet(?, hive_partitioning = false, union_by_name = false)"
    try:
        connection.execute("SET allowed_paths = [$path]", {"path": name})
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        described = connection.execute(f"DESCRIBE SELECT * FROM {source}", [name]).fetchall()  # noqa: S608 - constants, see above
        total = connection.execute(f"SELECT count(*) FROM {source}", [name]).fetchone()[0]  # noqa: S608 - constants, see above
        headings = headings_of([str(row[0]) for row in described], path.name)
        for heading, kind in ((str(row[0]), str(row[1])) for row in described):
            if any(word in kind for word in _NESTED):
                raise InputError(
                    f"column {heading!r} of {path.name} holds {kind}: a cell is one value"
                )
        # A cell as text; a time of midnight is a day.
        rows = connection.execute(
            f"SELECT regexp_replace(COLUMNS(*)::VARCHAR, {_MIDNIGHT}, '\\1') FROM {source}",  # noqa: S608 - constants, see above
            [name],
        )
    except duckdb.Error as error:
        connection.close()
        raise InputError(f"{path.name} cannot be read as Parquet: {_line(error)}") from error
    except BaseException:
        connection.close()
        raise
    reached = [0]
    return Table(
        headings,
        _rows_of(connection, rows, reached, path),
        lambda index: f"row {{}}, column {template(headings[index])}",
        lambda: reached[0],
        int(total),
        connection.close,
    )


def _rows_of(
    connection: Any, rows: Any, reached: list[int], path: Path
) -> Iterator[tuple[int, Sequence[str] | Unreadable]]:
    import duckdb

    number = 0
    try:
        while batch := rows.fetchmany(_BATCH):
            for cells in batch:
                number += 1
                if any(cell is not None for cell in cells):
                    yield number, ["" if cell is None else cell for cell in cells]
            reached[0] = number
    except duckdb.Error as error:
        raise InputError(f"{path.name} is damaged after row {number}: {_line(error)}") from error
    finally:
        connection.close()


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def open_document(path: Path, layout: Layout) -> Table:
    """Open one table of a document, named by `layout.table`.

    Raises:
        ConfigurationError: it has no such table, or a package is missing.
        InputError: it cannot be read, or has no headings.
        LimitError: it is too large.
    """
    tables = read_tables(path)
    if layout.table > len(tables):
        raise ConfigurationError(
            f"{path.name} has no table {layout.table}: it has {len(tables)}; set layout.table"
        )
    chosen = tables[layout.table - 1]
    if layout.header_row > len(chosen.rows):
        raise InputError(
            f"{chosen.place} of {path.name} has no headings in row {layout.header_row}: "
            "set layout.header_row"
        )
    headings = headings_of(chosen.rows[layout.header_row - 1], f"{chosen.place} of {path.name}")
    records = (
        (number, row)
        for number, row in enumerate(chosen.rows, start=1)
        if number > layout.header_row and any(row)
    )
    return Table(
        headings, records,
        lambda index: f"{chosen.place}, row {{}}, column {template(headings[index])}",
        lambda: len(chosen.rows), len(chosen.rows), lambda: None, notes_of(chosen),
    )  # fmt: skip


def notes_of(table: DocumentTable) -> tuple[str, ...]:
    """Return notes for a person on how a table was found."""
    if not table.is_guess:
        return ()
    return ("the columns were found by where words stand on the page: compare a few rows",)


_SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".parquet": "parquet",
    ".json": "sec_company_facts",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
}


def format_of(path: Path, mapping: Mapping | None) -> Format:
    """The format that a mapping declares, or that the suffix names.

    Raises:
        ConfigurationError: the suffix names none.
    """
    declared = mapping.layout.format if mapping is not None else None
    found = declared or _SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise ConfigurationError(
            f"The format of {path.name} is not known by its suffix: set layout.format to csv, "
            "xlsx, parquet, docx, html, pdf or sec_company_facts"
        )
    return found


def open_table(path: Path, form: Format, layout: Layout) -> tuple[Table, str]:
    """Open a file as a table; its hash, hexadecimal.

    Raises:
        ConfigurationError, InputError, LimitError: as the readers do.
    """
    if form == "csv":
        known = inspect_text(path, layout.encoding)
        return arranged(open_csv(path, layout, known), layout), known.sha256
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if form == "xlsx":
        return arranged(open_xlsx(path, layout), layout), sha256
    if form == "parquet":
        return arranged(open_parquet(path), layout), sha256
    return arranged(open_document(path, layout), layout), sha256
