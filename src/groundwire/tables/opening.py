"""Engines by URL."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.errors import ConfigurationError
from groundwire.tables.credentials import refuse_password

if TYPE_CHECKING:
    from groundwire.tables.engine import Engine

_IN_FILES = ("duckdb", "sqlite", "chdb")

FORMS = (
    "duckdb:PATH",
    "sqlite:PATH",
    "chdb:PATH",
    "postgresql://HOST/DATABASE",
    "clickhouse://HOST/DATABASE",
    "trino://HOST/CATALOG/SCHEMA",
    "sc://HOST",
)
"""The URLs that there are, as people write them."""


def open_engine(url: str, environ: Mapping[str, str] | None = None) -> Engine:
    """The engine that a URL names. Nothing is sent to a server yet.

    Args:
        url: one of `FORMS`. A path of DuckDB is a database file, a Parquet or CSV file, or a folder
            in which each data file and each folder of Parquet files is a table.
        environ: the environment, of which GROUNDWIRE_WAREHOUSE_USER and
            GROUNDWIRE_WAREHOUSE_PASSWORD are the credentials; default: the process's own.

    Raises:
        ConfigurationError: the kind of engine or the file does not exist, or the URL holds a
            password.
    """
    environ = os.environ if environ is None else environ
    scheme, mark, rest = url.strip().partition(":")
    scheme = scheme.lower()
    if mark and scheme in _IN_FILES:
        return _in_files(scheme, _path(scheme, rest))
    refuse_password(url)
    if mark and scheme in ("postgresql", "postgres"):
        from groundwire.tables.postgres.engine import PostgresEngine

        return PostgresEngine(url.strip(), environ)
    if mark and scheme == "clickhouse":
        from groundwire.tables.clickhouse.server import open_server

        return open_server(url.strip(), environ)
    if mark and scheme == "trino":
        from groundwire.tables.trino.engine import TrinoEngine

        return TrinoEngine(url.strip(), environ)
    if mark and scheme in ("spark", "sc"):
        from groundwire.tables.spark.engine import SparkEngine

        return SparkEngine(url.strip(), environ)
    raise ConfigurationError(
        f"The warehouse {scheme[:20] + ':' if mark else 'without a scheme'} is of no known kind: "
        f"write {', '.join(FORMS[:-1])} or {FORMS[-1]}."
    )


def absolute(url: str) -> str:
    """The URL with its path absolute, for whoever starts elsewhere.

    Raises:
        ConfigurationError: it holds a secret, or names a file that is not there.
    """
    scheme, mark, rest = url.strip().partition(":")
    if mark and scheme.lower() in _IN_FILES:
        return f"{scheme.lower()}:{_path(scheme.lower(), rest)}"
    refuse_password(url)
    return url.strip()


def _in_files(scheme: str, path: Path) -> Engine:
    if scheme == "duckdb":
        from groundwire.tables.duckdb.engine import open_duckdb

        return open_duckdb(path)
    if scheme == "chdb":
        from groundwire.tables.clickhouse.engine import open_folder

        return open_folder(path)
    from groundwire.tables.sqlite.engine import open_sqlite

    if path.is_dir():
        raise ConfigurationError(f"The warehouse {path.name} is a folder: name a SQLite file.")
    return open_sqlite(path)


def _path(scheme: str, rest: str) -> Path:
    """The path of `duckdb:PATH`, also written `duckdb:///PATH`."""
    if rest.startswith("//"):
        if not rest.startswith("///"):
            raise ConfigurationError(
                f"{scheme}://{rest[2:].partition('/')[0]} names another machine: write "
                f"{scheme}:PATH."
            )
        rest = rest[2:]
    if not rest.strip() or rest.strip() == ":memory:":
        raise ConfigurationError(f"{scheme}: names no file: write {scheme}:PATH.")
    path = Path(rest.strip()).expanduser().absolute()
    if not path.exists():
        raise ConfigurationError(
            f"The warehouse {path.name} is not there: set GROUNDWIRE_WAREHOUSE to the path of a "
            "file that exists."
        )
    return path
