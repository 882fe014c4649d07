"""The harbour on real servers: what each call answers there is what a local store answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.ontology.conftest import ASSETS
from tests.ontology.test_endpoint import EVERY_CALL, asks, same_as_local
from tests.sparql.conftest import (
    VIRTUOSO,
    Isql,
    free_port,
    loading,
    oxigraph_of,
    program,
    running,
)


@pytest.fixture(scope="module")
def harbour_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("harbour-file") / "harbour.ttl"
    file.write_text(ASSETS, "utf-8")
    return file


@pytest.fixture(scope="module")
def virtuoso_url(harbour_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server, isql = program("virtuoso-t"), program("isql-vt", "isql-v", "isql")
    if server is None or isql is None:
        pytest.skip("Virtuoso is not here (apt-get install virtuoso-opensource-7-bin)")
    folder = tmp_path_factory.mktemp("virtuoso")
    sql, http = free_port(), free_port()
    ini = folder / "virtuoso.ini"
    allowed = harbour_file.parent
    text = VIRTUOSO.format(folder=folder, sql=sql, http=http, rows=10_000, allowed=allowed)
    ini.write_text(text, "utf-8")
    with running([server, "+foreground", "+configfile", str(ini)], http, folder):
        Isql(isql, sql).run(loading(harbour_file, "urn:test:harbour"))
        yield f"http://127.0.0.1:{http}/sparql?default-graph-uri=urn%3Atest%3Aharbour"


def test_virtuoso(virtuoso_url: str, harbour: Any, tmp_path: Path) -> None:
    same_as_local(asks(tmp_path, virtuoso_url)(*EVERY_CALL), harbour)


def test_oxigraph(harbour_file: Path, harbour: Any, tmp_path: Path) -> None:
    folder = tmp_path / "oxigraph"
    folder.mkdir()
    with oxigraph_of([harbour_file], folder) as server:
        same_as_local(asks(tmp_path, server.url)(*EVERY_CALL), harbour)
