"""A table and a catalogue of a user's own, set up by the commands of the documents."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from unittest.mock import patch

# Takes hold of standard error when it is imported, which nothing must have replaced by then.
import mcp.client.stdio  # noqa: F401

from groundwire.cli import main


def groundwire(folder: Path, environ: Mapping[str, str], *command: str) -> None:
    """Run a command in a folder, as a user would, but in this process.

    Raises:
        AssertionError: it failed.
    """
    said = StringIO()
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, environ),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        code = main(command)
    assert code == 0, said.getvalue()


def prepared(folder: Path, table: str, catalogue: str) -> dict[str, str]:
    """Import a table and infer the shapes of a catalogue; return the variables that name them.

    Args:
        folder: where all files are written.
        table: the text of the table, as CSV.
        catalogue: the text of the catalogue, as Turtle.

    Raises:
        AssertionError: a command failed.
    """
    (folder / "table.csv").write_text(table.lstrip(), "utf-8")
    (folder / "catalogue.ttl").write_text(catalogue, "utf-8")
    environ = {
        "GROUNDWIRE_HOME": str(folder / "home"),
        "GROUNDWIRE_PROFILE": str(folder / "drafted/profile.toml"),
        "GROUNDWIRE_SHAPES": str(folder / "drafted.ttl"),
        "GROUNDWIRE_ASSETS": str(folder / "catalogue.ttl"),
    }
    commands = (
        ("metrics", "init", "table.csv", "-o", "drafted/"),
        ("metrics", "import", "table.csv", "--mapping", "drafted/mapping.toml"),
        ("ontology", "infer", "catalogue.ttl", "-o", "drafted.ttl"),
    )
    for place, command in enumerate(commands):
        own = environ if place == 1 else {"GROUNDWIRE_HOME": environ["GROUNDWIRE_HOME"]}
        groundwire(folder, own, *command)
    return environ
