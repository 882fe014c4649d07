"""Drafts of a profile and a mapping for a file that nothing is known of."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import InputError
from groundwire.metrics.importing.draft_sec import draft_sec
from groundwire.metrics.importing.draft_table import draft_table
from groundwire.metrics.importing.draft_writing import profile_toml
from groundwire.metrics.importing.load import format_of
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.importing.toml_text import Block, toml
from groundwire.metrics.profile import parse_profile


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


def draft(path: Path) -> Draft:
    """Draft a profile and a mapping for a CSV, XLSX, Parquet or SEC company facts file.

    Headings in English and Chinese and the cells themselves say what a column is.

    Raises:
        ConfigurationError: its format is not known, or a package to read it is missing.
        InputError: it cannot be read, or no column holds values beside periods.
    """
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to draft for")
    form = format_of(path, None)
    parts, blocks, notes = (
        draft_sec(path) if form == "sec_company_facts" else draft_table(path, form)
    )
    document = Block(
        "[document]",
        {},
        ("name = what answers call the file, if not by its own name.",
         "publisher = who issued the file; a later file of one publisher restates an earlier one.",
         "date = the day from which its facts were known, such as 2024-12-31."),
    )  # fmt: skip
    profile = profile_toml(parts, notes)
    described = [document, *blocks] if form != "sec_company_facts" else blocks
    mapping = toml(described, [f"How {path.name} is read: look at every column."])
    parse_profile(tomllib.loads(profile), "that was drafted")
    parse_mapping(tomllib.loads(mapping), "that was drafted")
    return Draft(profile, mapping, tuple(notes))
