"""One file of facts into the store, in one transaction."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.facts.reading import HeldDocument
from groundwire.metrics.facts.writing import FactWriter, SourceDocument
from groundwire.metrics.importing.arranged_table import arranged
from groundwire.metrics.importing.csv_table import inspect_text, open_csv
from groundwire.metrics.importing.document_table import open_document
from groundwire.metrics.importing.mapping import Format, Layout, Mapping
from groundwire.metrics.importing.parquet_table import open_parquet
from groundwire.metrics.importing.plan import plan
from groundwire.metrics.importing.report import BadRowsError, ImportReport
from groundwire.metrics.importing.resolving import Resolver
from groundwire.metrics.importing.sec_facts import read_company
from groundwire.metrics.importing.sec_rows import SecRows
from groundwire.metrics.importing.table import Table
from groundwire.metrics.importing.table_rows import TableRows
from groundwire.metrics.importing.tally import Progress, Tally, TooManyBadRows
from groundwire.metrics.importing.xlsx_table import open_xlsx
from groundwire.metrics.profile import Profile

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


Stamp = tuple[int, int]
"""Size and time of change of a file."""


class TakesFacts(Protocol):
    """The side of a store that an import writes to."""

    def writer(self) -> FactWriter:
        """Begin one import."""
        ...

    def documents(self) -> Sequence[HeldDocument]:
        """The documents that it has facts of."""
        ...


def import_file(
    path: Path,
    mapping: Mapping | None,
    profile: Profile,
    store: TakesFacts,
    *,
    progress: Progress | None = None,
    skip_bad: bool = False,
    today: date | None = None,
) -> ImportReport:
    """Import one file. All of it is kept, or nothing.

    Args:
        path: the file.
        mapping: where its parts stand; SEC company facts need none.
        profile: what its terms are resolved by.
        store: where the facts go.
        progress: told of (name of the file, bytes or rows done, of how many).
        skip_bad: keep the good rows of a file with bad ones.
        today: the day of the import, from which facts are known that have no other day.

    Raises:
        BadRowsError: rows are bad, and `skip_bad` is not set; nothing was kept.
        ConfigurationError: mapping and file do not fit, or a package is missing.
        InputError: the file cannot be read, or contradicts itself or the store.
    """
    began = time.perf_counter()
    day = today or date.today()
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to import")
    form = format_of(path, mapping)
    if mapping is None:
        if form != "sec_company_facts":
            raise ConfigurationError(
                f"{path.name} needs a mapping: draft one by `groundwire metrics init {path.name}`"
            )
        mapping = Mapping(layout=Layout(format=form))
    layout = mapping.layout.model_copy(update={"format": form})
    mapping = mapping.model_copy(update={"layout": layout})
    resolver = Resolver(profile, mapping, day)
    tally = Tally(path.name, skip_bad, progress)
    if form == "sec_company_facts":
        new, names, notes = _import_sec(path, resolver, store, tally)
    else:
        new, names, notes = _import_table(path, form, resolver, store, tally, day)
    known = tally.facts - new
    if known and not new:
        notes = (*notes, "nothing is new: every fact of the file was in the store already")
    return ImportReport(
        tuple(names), tally.rows, new, known, tally.missing, tally.skips(), tuple(tally.bad),
        tally.bad_total, notes, time.perf_counter() - began,
    )  # fmt: skip


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


def _import_table(
    path: Path, form: Format, resolver: Resolver, store: TakesFacts, tally: Tally, day: date
) -> tuple[int, Sequence[str], tuple[str, ...]]:
    mapping, before = resolver.mapping, _stamp(path)
    table, sha256 = open_table(path, form, mapping.layout)
    name = mapping.document.name or path.name
    dated = mapping.document.date
    as_of = dated or _first_import(store, name, sha256) or day
    source = SourceDocument(name, sha256, mapping.document.publisher or name, dated)
    with contextlib.closing(table):
        slots = plan(mapping, table)
        with store.writer() as writer:
            document = writer.document(source)
            rows = TableRows(table, slots, resolver, document, as_of.toordinal(), tally)
            new = _add(path, before, writer, rows)
    return new, (name,), table.notes


def _import_sec(
    path: Path, resolver: Resolver, store: TakesFacts, tally: Tally
) -> tuple[int, Sequence[str], tuple[str, ...]]:
    before, company = _stamp(path), read_company(path)
    with store.writer() as writer:
        rows = SecRows(company, resolver, writer, tally)
        new = _add(path, before, writer, rows)
    return new, rows.names, ()


def _add(path: Path, before: Stamp, writer: FactWriter, rows: TableRows | SecRows) -> int:
    """Hand all rows to the store; how many were new.

    Raises:
        BadRowsError: rows are bad and may not be left out.
        InputError: there are no rows, or the file changed meanwhile.
    """
    stopped, new, tally = False, 0, rows.tally
    try:
        new = writer.add(rows)
    except TooManyBadRows:
        stopped = True
    except InputError:
        if tally.skip_bad or not tally.bad_total:
            raise
    if stopped or (tally.bad_total and not tally.skip_bad):
        raise BadRowsError(tally.name, tuple(tally.bad), tally.bad_total, stopped)
    if not tally.rows:
        raise InputError(f"{path.name} has headings but no rows: nothing was imported")
    if _stamp(path) != before:
        raise InputError(f"{path.name} changed while it was read: import it again")
    return new


def _first_import(store: TakesFacts, name: str, sha256: str) -> date | None:
    """The day on which this very document was imported first, from which its facts are known."""
    for held in store.documents():
        if (held.document.name, held.document.sha256) == (name, sha256):
            return held.imported
    return None


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_size, found.st_mtime_ns
