"""Real SPARQL servers on loopback: started once, when first asked for, and ended with the tests."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from shared_data import shared_folder

PATIENCE = 180.0


@dataclass(frozen=True)
class Server:
    """A server with graphs in it: its SPARQL endpoint, and the most rows that it gives."""

    url: str
    most_rows: int | None = None


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def program(*names: str) -> str | None:
    """The first of some programs, beside this Python or on the path."""
    beside = Path(sys.executable).parent
    found = (shutil.which(name, path=str(beside)) or shutil.which(name) for name in names)
    return next((path for path in found if path), None)


@contextlib.contextmanager
def running(command: list[str], port: int, folder: Path, grace: float = 30.0) -> Iterator[None]:
    """Around the life of a server that listens on `port`."""
    with (folder / "said.txt").open("wb") as said:
        server = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > end:
                    told = (folder / "said.txt").read_text("utf-8", "replace")
                    raise RuntimeError(f"{command[0]} does not start: {told[-500:]}") from None
                time.sleep(0.05)
        yield
    finally:
        server.terminate()
        try:
            server.wait(grace)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(grace)


@pytest.fixture(scope="session")
def graph_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What both servers hold in `urn:test:items`: 300 items with a number and a label."""
    file = tmp_path_factory.mktemp("items") / "items.ttl"
    items = (
        f'<http://e/s{n}> <http://e/p> {n} ; <http://e/label> "label number {n}"@en .\n'
        for n in range(300)
    )
    file.write_text("".join(items), "utf-8")
    return file


@pytest.fixture(scope="session")
def faq_files() -> list[Path]:
    """Graphs of questions and answers: those that were published, or one of our own."""
    published = sorted(shared_folder("data", "sparql", "faq-graphs").glob("*.ttl"))
    return published or [Path(__file__).parent / "faq.ttl"]


@pytest.fixture(scope="session")
def serve_oxigraph(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[Sequence[Path]], Server]]:
    """Starts an Oxigraph server of some files; all of them end with the session."""
    with contextlib.ExitStack() as servers:
        yield lambda files: servers.enter_context(
            oxigraph_of(files, tmp_path_factory.mktemp("oxigraph"))
        )


@contextlib.contextmanager
def oxigraph_of(files: Sequence[Path], folder: Path) -> Iterator[Server]:
    """Around the life of an Oxigraph server of some files."""
    oxigraph_program = program("oxigraph")
    if oxigraph_program is None:
        pytest.skip("the program oxigraph is not here (pip install oxigraph)")
    store = ["--location", str(folder / "store")]
    for file in files:
        load = [oxigraph_program, "load", *store, "--file", str(file)]
        subprocess.run(load, check=True, capture_output=True, timeout=PATIENCE)
    port = free_port()
    bounds = ["--timeout-s", "2", "--bind", f"127.0.0.1:{port}"]
    command = [oxigraph_program, "serve-read-only", *store, *bounds]
    with running(command, port, folder):
        yield Server(f"http://127.0.0.1:{port}/query")


@pytest.fixture
def brief_oxigraph(graph_file: Path, tmp_path: Path) -> Iterator[Server]:
    """A server for one test: Oxigraph goes on with a query whose client has left."""
    with oxigraph_of([graph_file], tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def oxigraph(graph_file: Path, serve_oxigraph: Callable[[Sequence[Path]], Server]) -> Server:
    return serve_oxigraph([graph_file])


VIRTUOSO = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/temporary.db
TransactionFile = {folder}/temporary.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
# As in the configuration that Virtuoso is packaged with; another changes what ASK answers.
CaseMode = 2
NumberOfBuffers = 4000
MaxDirtyBuffers = 3000
DirsAllowed = {allowed}
ThreadsPerQuery = 2
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerRoot = {folder}
ServerThreads = 4
[SPARQL]
ResultSetMaxRows = {rows}
"""


@dataclass(frozen=True)
class Isql:
    """Virtuoso's own command line, which loads what a test needs."""

    program: str
    port: int

    def run(self, *statements: str) -> None:
        done = subprocess.run(
            [self.program, f"127.0.0.1:{self.port}", "dba", "dba", "ERRORS=STDOUT"],
            input="".join(f"{statement};\n" for statement in statements).encode(),
            capture_output=True,
            timeout=PATIENCE,
            check=True,
        )
        said = done.stdout.decode("utf-8", "replace")
        assert "*** Error" not in said, said[-1000:]


@pytest.fixture(scope="session")
def isql_virtuoso(
    graph_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Isql]]:
    server, isql = program("virtuoso-t"), program("isql-vt", "isql-v", "isql")
    if server is None or isql is None:
        pytest.skip("Virtuoso is not here (apt-get install virtuoso-opensource-7-bin)")
    folder = tmp_path_factory.mktemp("virtuoso")
    sql, http, rows = free_port(), free_port(), 200
    allowed = f"{graph_file.parent}, {Path(__file__).parent}, {shared_folder()}"
    ini = folder / "virtuoso.ini"
    text = VIRTUOSO.format(folder=folder, sql=sql, http=http, rows=rows, allowed=allowed)
    ini.write_text(text, "utf-8")
    with running([server, "+foreground", "+configfile", str(ini)], http, folder):
        line = Isql(isql, sql)
        line.run(
            "DB.DBA.RDF_OBJ_FT_RULE_ADD (null, null, 'All')",
            loading(graph_file, "urn:test:items"),
            "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ()",
        )
        yield Server(f"http://127.0.0.1:{http}/sparql", rows), line


def loading(file: Path, graph: str) -> str:
    """The statement that reads a Turtle file; 255 forgives what published files get wrong."""
    return f"DB.DBA.TTLP (file_to_string_output ('{file}'), '', '{graph}', 255)"


@pytest.fixture(scope="session")
def virtuoso(isql_virtuoso: tuple[Server, Isql]) -> Server:
    return isql_virtuoso[0]


@pytest.fixture(scope="session")
def virtuoso_faq(isql_virtuoso: tuple[Server, Isql], faq_files: list[Path]) -> Server:
    """Virtuoso with the published graphs, each in a graph `urn:faq:NAME`, and indexed."""
    server, line = isql_virtuoso
    statements = [loading(file, f"urn:faq:{file.stem}") for file in faq_files]
    line.run(*statements, "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ()")
    return server
