"""Drafts of a profile and a mapping for a file that nothing is known of."""

from __future__ import annotations

import codecs
import tomllib
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import InputError
from groundwire.metrics.importing.draft_sec import draft_sec
from groundwire.metrics.importing.draft_table import draft_table
from groundwire.metrics.importing.draft_terms import gathered
from groundwire.metrics.importing.draft_writing import profile_toml
from groundwire.metrics.importing.load import format_of
from groundwire.metrics.importing.mapping import Layout, parse_mapping
from groundwire.metrics.importing.toml_text import Block, toml
from groundwire.metrics.profile import parse_profile


def _told(encoding: str, sheet: str, header: int) -> Layout:
    """Return the layout that a person told of the file.

    Raises:
        InputError: no such encoding is known, or the row is none.
    """
    if not 0 <= header <= 1000:
        raise InputError(f"the row of the headings is from 1 to 1000, not {header}")
    try:
        codecs.lookup(encoding or "utf-8")
    except LookupError:
        raise InputError(f"no encoding is called {encoding!r}: try cp1252 or utf-16") from None
    return Layout(encoding=encoding, sheet=sheet)


@dataclass(frozen=True, slots=True)
class Draft:
    """A profile and a mapping that import a file, and answer once a person has looked at them.

    Attributes:
        profile_toml: the profile.
        mapping_toml: the mapping.
        notes: guesses to look at, one line each; they stand in the profile too.
    """

    profile_toml: str
    mapping_toml: str
    notes: tuple[str, ...]


def draft(path: Path, encoding: str = "", sheet: str = "", header: int = 0) -> Draft:
    """Draft a profile and a mapping for a file of facts, or a document with a table.

    Headings in English, German and Chinese and the cells themselves say what a column is.

    Args:
        path: a CSV, XLSX, Parquet, DOCX, HTML, PDF or SEC company facts file.
        encoding: of a CSV; empty finds it.
        sheet: of an XLSX; empty takes the one with the most rows of numbers.
        header: row of the headings, counted from 1; 0 finds it.

    Raises:
        ConfigurationError: its format is not known, or a package to read it is missing.
        InputError: it cannot be read, or no column holds values beside periods.
    """
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to draft for")
    form = format_of(path, None)
    parts, blocks, notes = (
        draft_sec(path)
        if form == "sec_company_facts"
        else draft_table(path, form, _told(encoding, sheet, header), header)
    )
    document = Block(
        "[document]",
        {},
        ("name = what answers call the file, if not by its own name.",
         "publisher = who issued the file; a later file of one publisher restates an earlier one.",
         "date = the day from which its facts were known, such as 2024-12-31."),
    )  # fmt: skip
    notes = gathered(notes)
    profile = profile_toml(parts, notes)
    described = [document, *blocks] if form != "sec_company_facts" else blocks
    mapping = toml(described, [f"How {path.name} is read: look at every column."])
    parse_profile(tomllib.loads(profile), "that was drafted")
    parse_mapping(tomllib.loads(mapping), "that was drafted")
    return Draft(profile, mapping, tuple(notes))
