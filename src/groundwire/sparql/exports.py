"""Rows as a file: CSV (RFC 4180), Parquet or N-Triples, readable by its owner alone.

What a graph of this machine answers is streamed from its engine into the file and never held.

Spreadsheets run a cell that begins like a formula, and cells come from strangers: such a cell gets
an apostrophe in front, which spreadsheets take for "this is text". Numbers are left as they are.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import os
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, Literal

from groundwire.errors import InputError, LimitError, UnavailableError
from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell, Outcome, Request
from groundwire.sparql.results import CellValue
from groundwire.sparql.sparql_runner import RESULT_COLUMN, TRIPLE_COLUMNS, SparqlRunner

# What spreadsheets take for the beginning of a formula, its full-width forms among them.
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")
_CELL_MAY_BE_FORMULA = (
    rb"(?:\"\s|\"?(?:[ \t\x0b\x0c\x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe3\x80\x80"
    rb"|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]|\xe2\x81\x9f)*+"
    rb"(?:[=@]|\xef\xbc[\x9d\x8b\x8d\xa0]|(?<=[\" \t\x0b\x0c\x1c-\x1f\x80-\xaf])[+\-]"
    rb"|[+\-](?!\d++(?:\.\d*+)?(?:[eE][+-]?\d++)?(?:[,\r\n]|\Z)))"
    rb"|\"?\t)"
)
_MAY_BE_FORMULA = re.compile(rb"(?:\A|[,\n])" + _CELL_MAY_BE_FORMULA)
_FIRST_MAY_BE_FORMULA = re.compile(_CELL_MAY_BE_FORMULA)
# Looks for the signs of formulas, which are rare, before it looks at what stands before them: six
# times as quick as looking at the beginning of every cell, and wherever a cell may begin like a
# formula this matches too.
_HAS_FORMULA_SIGN = re.compile(
    rb"[=@+\-\t\xef\r\n](?<=[,\n\r\" \t\x0b\x0c\x1c-\x1f\x80-\xaf].)"
    rb"(?:(?<![\r\n])|(?<=[,\n]\".))",
    re.DOTALL,
)
_QUOTED = re.compile(rb'"[^"]*+"')
MOST_BYTES = 1 << 30
"""Bytes of one exported file; what a query answers beyond them is left out, and that is told."""
MOST_SHARED = 1 << 30
"""Bytes that one caller on another machine may have of exports that are kept."""
Format = Literal["csv", "parquet", "ntriples"]
# Types of columns of Parquet, with how a value of each is written that keeps its digits.
_PARQUET_TYPES = {
    "BIGINT": "[+-]?(0|[1-9][0-9]{0,17})",
    "DOUBLE": "[+-]?(0|[1-9][0-9]{0,14})([.][0-9]{1,6})?([eE][+-]?[0-9]{1,2})?",
    "DATE": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "TIMESTAMPTZ": "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]{1,6})?(Z|[+-][0-9]{2}:[0-9]{2})",
}
_NUMBER = re.compile(r"[+-]?(\d++(?:\.\d*+)?|\.\d++)([eE][+-]?\d++)?")


@dataclass(frozen=True, slots=True)
class Export:
    """A file that was written.

    Attributes:
        path: where it is.
        rows: how many rows or triples it has beside the header.
        prefixed: cells that begin with an apostrophe now.
        size: bytes.
        is_whole: whether all rows are in it; False where it was cut at MOST_BYTES.
    """

    path: Path
    rows: int
    prefixed: int
    size: int = 0
    is_whole: bool = True


class Sink:
    """A new file that takes the chunks of an export as an engine writes them.

    Cells that begin like a formula get their apostrophe on the way. Only chunks in which some cell
    may begin so are taken apart; all others are written as they are.
    """

    def __init__(self, folder: Path, format: Format, most_bytes: int = MOST_BYTES) -> None:
        """Make the file.

        Raises:
            UnavailableError: it cannot be made.
        """
        self.rows = 0
        self.prefixed = 0
        self.size = 0
        self.is_whole = True
        self._is_csv = format != "ntriples"
        # A spreadsheet opens CSV files, and no others.
        self._is_guarded = format == "csv"
        self._most = most_bytes
        self._rest = b""
        self._path, self._file = _open(folder, ".csv" if self._is_csv else ".nt")

    def take(self, chunk: bytes) -> bool:
        """Take the next chunk; False where the file has reached its most bytes."""
        data = self._rest + chunk
        end = _end_of_rows(data) if self._is_csv else data.rfind(b"\n") + 1
        data, self._rest = data[:end], data[end:]
        if self.size + len(data) > self._most:
            # Whole rows only.
            last = data.rfind(b"\n", 0, self._most - self.size) + 1
            while last and self._is_csv and data.count(b'"', 0, last) % 2:
                last = data.rfind(b"\n", 0, last - 1) + 1
            data, self.is_whole = data[:last], False
        self._write(data)
        return self.is_whole

    def _write(self, data: bytes) -> None:
        if not self._is_csv:
            self.rows += data.count(b"\n")
        else:
            plain = _QUOTED.sub(b"", data) if b'"' in data else data
            self.rows += plain.count(b"\n")
            if self._is_guarded and _may_hold_formula(data):
                text = io.StringIO(newline="")
                rows = csv.reader(io.StringIO(data.decode("utf-8", "replace"), newline=""))
                _, prefixed = _write(text, (), rows, has_header=False)
                self.prefixed += prefixed
                data = text.getvalue().encode("utf-8", "replace")
        self._file.write(data)
        self.size += len(data)

    def close(self) -> Export:
        """Write what is left, close the file and return what it holds.

        Raises:
            UnavailableError: it cannot be written.
        """
        try:
            if self.is_whole and self._rest:
                self._write(self._rest)
            self._file.close()
        except OSError as error:
            self.drop()
            raise _unwritten(self._path.parent, error) from error
        rows = max(0, self.rows - 1) if self._is_csv else self.rows
        return Export(self._path, rows, self.prefixed, self.size, self.is_whole)

    def drop(self) -> None:
        """Close the file and remove it."""
        with contextlib.suppress(OSError):
            self._file.close()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def _may_hold_formula(data: bytes) -> bool:
    """Return whether some cell of whole rows of CSV may begin like a formula."""
    if _FIRST_MAY_BE_FORMULA.match(data):
        return True
    return bool(_HAS_FORMULA_SIGN.search(data) and _MAY_BE_FORMULA.search(data))


def _end_of_rows(data: bytes) -> int:
    """Return where the last whole row of some CSV ends; a line break within quotes ends none."""
    end = data.rfind(b"\n") + 1
    while end and data.count(b'"', 0, end) % 2:
        end = data.rfind(b"\n", 0, end - 1) + 1
    return end


def write_csv(
    folder: Path,
    columns: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    *,
    guarded: bool = True,
) -> Export:
    """Write a new file of a random name into `folder`; nothing that is there is changed.

    Args:
        folder: made where it is not there, for its owner alone.
        columns: the header.
        rows: one sequence a row, a cell a column; None is an empty field.
        guarded: cells that begin like a formula get an apostrophe.

    Raises:
        UnavailableError: it cannot be written.
    """
    path, opened = _open(folder, ".csv")
    try:
        with io.TextIOWrapper(opened, "utf-8", errors="replace", newline="") as file:
            written, prefixed = _write(file, columns, rows, guarded=guarded)
    except OSError as error:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        raise _unwritten(folder, error) from error
    return Export(path, written, prefixed, path.stat().st_size)


def write_triples(folder: Path, triples: Iterable[Sequence[Term]]) -> Export:
    """Write triples into a new file as N-Triples; errors as of `write_csv`."""
    sink = Sink(folder, "ntriples")
    sink.take("".join(f"{' '.join(one.n3() for one in row)} .\n" for row in triples).encode())
    return sink.close()


def shared_folder(exports: Path, owner: str, seconds: float) -> Path:
    """Return the folder of exports of a caller on another machine, without what is old.

    Args:
        exports: the folder of all.
        owner: the caller, of whose name no part of a path is made.
        seconds: how long an export is kept.

    Raises:
        LimitError: what is there is as much as one may have.
    """
    shared = exports / "shared"
    folder = shared / hashlib.sha256(owner.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    held = 0
    for path in shared.glob("*/rows_*"):
        with contextlib.suppress(OSError):
            found = path.stat()
            if found.st_mtime < time.time() - seconds:
                path.unlink()
            elif path.parent == folder:
                held += found.st_size
    if held >= MOST_SHARED:
        raise LimitError(
            f"Exports of yours hold {held:,} bytes, and {MOST_SHARED:,} are kept at most, each for "
            f"{seconds / 60:,.0f} minutes: try again later, or read the rows with cursor."
        )
    return folder


async def export_outcome(
    folder: Path, format: Format, runner: object, request: Request, outcome: Outcome
) -> Export:
    """Write the answer to a query into a new file.

    Args:
        folder: made where it is not there.
        format: csv, parquet, or ntriples for a CONSTRUCT or DESCRIBE.
        runner: what ran it; a graph of this machine is asked again and streams all rows.
        request: the query, with the seconds that it may take.
        outcome: the rows that are there already.

    Raises:
        InputError: the format does not fit the query.
        GroundwireError: it cannot be written, or not be answered whole.
    """
    from anyio.to_thread import run_sync

    is_triples = outcome.columns == TRIPLE_COLUMNS and request.language == "sparql"
    streams = isinstance(runner, SparqlRunner) and runner.streams
    if streams and isinstance(runner, SparqlRunner) and outcome.columns != (RESULT_COLUMN,):
        sink = await run_sync(Sink, folder, format)
        try:
            await runner.export(request, "ntriples" if format == "ntriples" else "csv", sink.take)
            export = await run_sync(sink.close)
        except BaseException:
            sink.drop()
            raise
    elif format == "ntriples":
        if not is_triples:
            raise InputError("N-Triples hold triples: export these rows as csv or parquet.")
        rows = [tuple(cell for cell in row if isinstance(cell, Term)) for row in outcome.rows]
        export = await run_sync(write_triples, folder, rows)
    else:
        cells = [[shown(cell) for cell in row] for row in outcome.rows]
        write = partial(write_csv, guarded=format == "csv")
        export = await run_sync(write, folder, outcome.columns, cells)
        export = replace(export, is_whole=outcome.status in ("complete", "empty"))
    return await run_sync(as_parquet, export) if format == "parquet" else export


def shown(cell: Cell) -> CellValue:
    """A cell as JSON has it: IRIs as they are, literals as their text, numbers exactly."""
    if isinstance(cell, Term):
        return f"_:{cell.value}" if cell.kind == "bnode" else cell.value
    return str(cell) if isinstance(cell, Decimal) else cell


def as_parquet(export: Export) -> Export:
    """Write a CSV file that was exported as Parquet, and remove the CSV file.

    Columns in which every value is a whole number, a number, a date or a time with its zone are of
    such a type, as long as that keeps every digit; all others are texts.

    Raises:
        UnavailableError: it cannot be written.
    """
    import duckdb

    path = export.path.with_suffix(".parquet")
    with duckdb.connect(config={"memory_limit": "128MB", "threads": 1}) as database:
        try:
            held = database.read_csv(
                str(export.path), all_varchar=True, header=True, delimiter=",", quotechar='"',
                escapechar='"',
            )  # fmt: skip
            names = [f'"{name.replace(chr(34), chr(34) * 2)}"' for name in held.columns]
            fits = held.aggregate(
                ", ".join(_fit(n, kind) for n in names for kind in _PARQUET_TYPES)
            )
            tested = fits.fetchall()[0]
            columns: list[str] = []
            for at, name in enumerate(names):
                own = tested[at * len(_PARQUET_TYPES) :]
                kind = next((k for k, fit in zip(_PARQUET_TYPES, own, strict=False) if fit), "")
                columns.append(f"CAST({name} AS {kind}) AS {name}" if kind else name)
            held.project(", ".join(columns)).write_parquet(str(path))
        except duckdb.Error as error:
            path.unlink(missing_ok=True)
            raise UnavailableError(
                f"The rows cannot be written as Parquet ({str(error)[:200]}): export csv."
            ) from error
        finally:
            export.path.unlink(missing_ok=True)
    path.chmod(0o600)
    return replace(export, path=path, size=path.stat().st_size)


def _fit(name: str, kind: str) -> str:
    """Return the test whether all values of a column are of a type; "007" is none."""
    return (
        f"count({name}) > 0 AND count({name}) = count(TRY_CAST({name} AS {kind}))"
        f" AND bool_and(regexp_full_match({name}, '{_PARQUET_TYPES[kind]}'))"
    )


def _open(folder: Path, suffix: str) -> tuple[Path, BinaryIO]:
    """Make a new file of a random name, for its owner alone.

    Raises:
        UnavailableError: it cannot be made.
    """
    path = folder / f"rows_{secrets.token_urlsafe(12)}{suffix}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        return path, os.fdopen(opened, "wb")
    except OSError as error:
        raise _unwritten(folder, error) from error


def _unwritten(folder: Path, error: OSError) -> UnavailableError:
    return UnavailableError(
        f"The rows cannot be exported to {folder} ({error.strerror}): send the query without "
        "export, or set GROUNDWIRE_HOME to a folder that can be written."
    )


def _write(
    file: IO[str],
    columns: Sequence[str],
    rows: Iterable[Sequence[CellValue]],
    *,
    has_header: bool = True,
    guarded: bool = True,
) -> tuple[int, int]:
    """Rows and prefixed cells that were written."""
    # RFC 4180 ends lines by CR LF and doubles quotation marks, as this writer does.
    writer = csv.writer(file, lineterminator="\r\n")
    count = prefixed = 0
    for row in (columns, *rows) if has_header else rows:
        fields = [_field(cell, guarded) for cell in row]
        prefixed += sum(
            isinstance(cell, str) and field != cell for cell, field in zip(row, fields, strict=True)
        )
        writer.writerow(fields)
        count += 1
    return count - 1, prefixed


def _field(cell: CellValue, guarded: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return str(cell)
    begins = guarded and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if begins else cell
