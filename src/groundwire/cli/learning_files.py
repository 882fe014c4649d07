"""`groundwire learning import|export`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.cli.progress import labelled_bar
from groundwire.config import load_settings

if TYPE_CHECKING:
    from groundwire.learning.cards.sources import SourceReport
    from groundwire.learning.packages.apkg_reading import PackageReport
    from groundwire.learning.packages.csv_reading import TableReport


def import_files(arguments: argparse.Namespace) -> int:
    """Take in packages, tables and documents, each of them all or nothing."""
    from groundwire.learning.packages.importing import import_file
    from groundwire.learning.tables import learning_file

    state = learning_file(load_settings().home)
    try:
        for file in arguments.files:
            path = Path(file)
            with labelled_bar() as told:
                report = import_file(
                    state,
                    arguments.owner,
                    path,
                    now_ms=time.time_ns() // 1_000_000,
                    deck=arguments.deck,
                    title=arguments.title,
                    progress=told,
                )
            for line in _lines(path.name, report):
                sys.stdout.write(f"{line}\n")
    finally:
        state.close()
    return 0


def export(arguments: argparse.Namespace) -> int:
    """Write cards as a package of Anki, or as a table, by the ending of the file."""
    from groundwire.learning.packages.apkg_writing import export_package
    from groundwire.learning.packages.csv_writing import export_table
    from groundwire.learning.packages.importing import PACKAGES, TABLES
    from groundwire.learning.tables import learning_file

    path = Path(arguments.file)
    ending = path.suffix.lower()
    if ending not in (PACKAGES[0], *TABLES):
        sys.stderr.write(f"{path.name}: call it .apkg, .csv or .tsv\n")
        return 2
    state = learning_file(load_settings().home)
    try:
        if ending in TABLES:
            rows = export_table(state, arguments.owner, path, deck=arguments.deck)
            sys.stdout.write(f"{path.name}: {_of(rows, 'row')}\n")
            return 0
        with labelled_bar() as told:
            report = export_package(
                state,
                arguments.owner,
                path,
                now_ms=time.time_ns() // 1_000_000,
                deck=arguments.deck,
                progress=told,
            )
    finally:
        state.close()
    sys.stdout.write(
        f"{path.name}: {_of(report.cards, 'card')} of {_of(report.notes, 'note')}, "
        f"{_of(report.reviews, 'review')} and changes in the log\n"
    )
    if report.left_out:
        sys.stdout.write(f"  left out: {report.left_out:,} that are drafts or archived\n")
    return 0


def _lines(name: str, report: PackageReport | TableReport | SourceReport) -> Iterator[str]:
    """Tell a person in lines how the import of a file went."""
    from groundwire.learning.cards.sources import SourceReport
    from groundwire.learning.packages.csv_reading import TableReport

    if isinstance(report, SourceReport):
        yield f"{name}: {_of(report.passages, 'passage')} of {report.title!r}"
        yield from (f"  note: {note}" for note in report.notes)
        return
    log = f"{_of(report.reviews, 'review')}, {report.reviews_known:,} were there"
    if isinstance(report, TableReport):
        if report.columns.kind == "reviews":
            yield f"{name}: {log}"
        else:
            yield (
                f"{name}: {_of(report.cards, 'card')}, {report.quoted:,} of them proven by a "
                f"quote; {report.known:,} were there"
            )
        yield from (f"  note: {note}" for note in report.columns.notes)
    else:
        yield (
            f"{name}: {_of(report.cards, 'card')} of {_of(report.notes, 'note')} in "
            f"{_of(len(report.decks), 'deck')}, {report.known:,} were there; {log}"
        )
        if report.schedules:
            yield f"  {_of(report.schedules, 'schedule')} of SM-2, whose log is not in the package"
    yield from (f"  left out: {count:,} {what}" for what, count in report.left_out.items())


def _of(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
