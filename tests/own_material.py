"""A table and a catalogue of a user's own, set up by the commands of the documents."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def groundwire(folder: Path, environ: Mapping[str, str], *command: str) -> None:
    """Run a command in a folder, as a user would.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    subprocess.run(
        [sys.executable, "-m", "groundwire", *command],
        cwd=folder,
        env=os.environ | environ,
        check=True,
        capture_output=True,
        timeout=120,
    )


def prepared(folder: Path, table: str, catalogue: str) -> dict[str, str]:
    """Import a table and infer the shapes of a catalogue; return the variables that name them.

    Args:
        folder: where all files are written.
        table: the text of the table, as CSV.
        catalogue: the text of the catalogue, as Turtle.

    Raises:
        subprocess.CalledProcessError: a command failed.
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
