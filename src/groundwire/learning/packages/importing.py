"""Any file that can be taken in, by its ending: packages, tables and documents."""

from __future__ import annotations

from pathlib import Path

from groundwire.documents.blocks import Progress
from groundwire.errors import InputError
from groundwire.learning.cards.sources import SourceReport, import_source
from groundwire.learning.packages.apkg_reading import PackageReport, import_package
from groundwire.learning.packages.csv_columns import is_anki_text
from groundwire.learning.packages.csv_reading import TableReport, import_table
from groundwire.statefile import StateFile

PACKAGES = (".apkg", ".colpkg")
TABLES = (".csv", ".tsv")
DOCUMENTS = (".md", ".markdown", ".txt", ".html", ".htm", ".docx", ".pdf")


def import_file(
    state: StateFile,
    owner: str,
    path: Path,
    *,
    now_ms: int,
    deck: str = "",
    title: str = "",
    progress: Progress | None = None,
) -> PackageReport | TableReport | SourceReport:
    """Take in a file, all of it or nothing: cards and reviews, or a source that cards may quote.

    Args:
        state: the file of learning.
        owner: whose it is.
        path: a package of Anki, a table, or a document.
        now_ms: the present, milliseconds since 1970 in UTC.
        deck: deck of a table's cards, where it names none.
        title: title of a document; "" takes its own.
        progress: told of the name of the file, what is done, of how much.

    Raises:
        InputError: it is not there, broken, or of no known format.
        LimitError: it is too large.
        ConfigurationError: the package that reads its format is not installed.
        UnavailableError: the file of learning cannot be written.
    """
    ending = path.suffix.lower()
    if ending in PACKAGES:
        return import_package(state, owner, path, now_ms=now_ms, progress=progress)
    if ending in TABLES or (ending == ".txt" and is_anki_text(path)):
        return import_table(state, owner, path, now_ms=now_ms, deck=deck, progress=progress)
    if ending in DOCUMENTS:
        return import_source(state, owner, path, now_ms=now_ms, title=title, progress=progress)
    raise InputError(
        f"{path.name} is of no known format: use one of "
        f"{', '.join((*PACKAGES, *TABLES, *DOCUMENTS))}"
    )
