"""Building stores: every format, broken files, two builders at once, damage and pruning."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyoxigraph as ox
import pytest

from groundwire import shapes as embedded
from groundwire.errors import ConfigurationError, DeadlineError, UnavailableError
from groundwire.graph import builder
from groundwire.graph.engine import LocalGraph
from groundwire.graph.formats import DEFAULT_GRAPH, Problem, Source, find_files
from groundwire.graph.layout import DATABASE, QUADS
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.statistics import read_statistics
from groundwire.graph.stores import Loading, Store, build_store, open_graph, prune
from groundwire.graph.terms import Row, iri, literal
from groundwire.graph.worker import open_store

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "stores"


async def rows(store: Store, query: str) -> list[Row]:
    graph = LocalGraph(store.path)
    try:
        return (await graph.select(CompiledQuery(query))).rows
    finally:
        await graph.close()


RDF_XML = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:e="urn:e:"><rdf:Description rdf:about="urn:xml"><e:p>1</e:p></rdf:Description></rdf:RDF>"""
FILES = {
    "a.ttl": "<urn:ttl> <urn:e:p> '1' .",
    "b.nt": '<urn:nt> <urn:e:p> "1" .',
    "c.nq": '<urn:nq> <urn:e:p> "1" <urn:graph> .',
    "d.trig": "<urn:graph> { <urn:trig> <urn:e:p> '1' }",
    "e.n3": "<urn:n3> <urn:e:p> '1' .",
    "f.rdf": RDF_XML,
    "g.owl": RDF_XML.replace("urn:xml", "urn:owl"),
    "sub/h.jsonld": '{"@id": "urn:jsonld", "urn:e:p": "1"}',
    "sub/i.json": '{"@id": "urn:json", "urn:e:p": "1"}',
    "sub/ignored.txt": "not RDF",
    ".hidden/j.ttl": "<urn:hidden> <urn:e:p> '1' .",
}


@pytest.fixture
def every_format(files: Path) -> Path:
    for name, text in FILES.items():
        (files / name).parent.mkdir(exist_ok=True)
        (files / name).write_text(text)
    with gzip.open(files / "k.ttl.gz", "wt") as file:
        file.write("<urn:gz> <urn:e:p> '1' .")
    return files


async def test_a_folder_is_read_whole(every_format: Path, root: Path) -> None:
    store = build_store([every_format], root)
    assert store.problems == ()
    inside = {"ttl", "nt", "n3", "xml", "owl", "jsonld", "json", "gz"}
    found = await rows(store, "SELECT ?s { ?s ?p '1' }")
    assert set(found) == {(iri(f"urn:{name}"),) for name in inside}
    named = await rows(store, "SELECT ?g ?s { GRAPH ?g { ?s ?p '1' } }")
    assert set(named) == {(iri("urn:graph"), iri(f"urn:{name}")) for name in ("nq", "trig")}
    assert store.triples == 10


async def test_all_triples_can_be_put_into_one_graph(every_format: Path, root: Path) -> None:
    flat = build_store([every_format], root, graph=DEFAULT_GRAPH)
    assert len(await rows(flat, "SELECT ?s { ?s ?p '1' }")) == 10
    named = build_store([every_format], root, graph="urn:mine")
    assert len(await rows(named, "SELECT ?s { GRAPH <urn:mine> { ?s ?p '1' } }")) == 10
    assert await rows(named, "SELECT ?s { ?s ?p '1' }") == []
    assert read_statistics(named.path)["urn:mine"].triples == 10
    assert len({flat.digest, named.digest, build_store([every_format], root).digest}) == 3


@pytest.mark.parametrize(
    ("name", "text", "line", "part"),
    [
        ("x.ttl", "<urn:a> <urn:b> 1 .\n<urn:a> <urn:b> .\n", 2, "not a valid RDF object"),
        ("x.nt", '<urn:a> <urn:b> "1" .\n\n<urn:a> nonsense\n', 3, ""),
        ("x.rdf", '<rdf:RDF xmlns:rdf="urn:x">\n<a>\n</b></rdf:RDF>', 3, ""),
        ("x.jsonld", '{"@context": {"a": "urn:a"},\n "a": 1,,}', 2, ""),
        ("x.jsonld", '{"@context": "http://127.0.0.1:9/c", "a": 1}', 0, "never fetched"),
        ("x.ttl", "<urn:a> <urn:b> <not an iri> .", 1, ""),
        ("x.ttl", "\x00\x01\x02", 1, ""),
        ("x.ttl.gz", "not compressed", 0, "gzip"),
    ],
)
@pytest.mark.parametrize("on_disk", [False, True])
async def test_a_broken_file_is_named_and_the_rest_served(
    files: Path,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    text: str,
    line: int,
    part: str,
    on_disk: bool,
) -> None:
    # How large a compressed file is, is not known before.
    on_disk = on_disk or name.endswith(".gz")
    (files / name).write_text(text)
    (files / "a.ttl").write_text("<urn:good> <urn:e:p> 1 .")
    (files / "z.ttl").write_text("<urn:too> <urn:e:p> 1 .")
    if on_disk:
        monkeypatch.setattr(builder, "IN_MEMORY", 0)
    root.mkdir()
    triples, (problem,) = builder.build(root, find_files([files]), lambda *_: None)
    assert (problem.file, problem.line) == (str(files / name), line)
    assert part in problem.message
    assert "\n" not in str(problem)
    assert (root / (DATABASE if on_disk else QUADS)).exists()
    # Nothing of the broken file, not even what stood before the error.
    store = open_store(root)
    assert {q.subject for q in store} == {ox.NamedNode("urn:good"), ox.NamedNode("urn:too")}
    assert triples == 2


async def test_problems_are_told_again_where_the_files_stand_now(
    tmp_path: Path, root: Path
) -> None:
    for place in ("one", "two"):
        folder = tmp_path / place
        folder.mkdir()
        (folder / "bad.ttl").write_text("nonsense")
        (folder / "good.ttl").write_text("<urn:a> <urn:b> 1 .")
        (problem,) = build_store([folder], root).problems
        assert problem.file == str(folder / "bad.ttl")
    assert len(list(root.iterdir())) == 1


async def test_blank_nodes_of_two_files_never_meet(files: Path, root: Path) -> None:
    for name in ("a.ttl", "b.ttl", "c.nt", "d.nq"):
        (files / name).write_text("_:x <urn:p> _:x .")
    (files / "e.jsonld").write_text('{"@id": "_:x", "urn:p": {"@id": "_:x"}}')
    store = build_store([files], root)
    assert await rows(store, "SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s <urn:p> ?s }") == [
        (literal("5", "http://www.w3.org/2001/XMLSchema#integer"),)
    ]


def test_blank_nodes_of_two_files_never_meet_on_disk(
    files: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.ttl", "b.ttl", "c.nt", "d.nq"):
        (files / name).write_text("_:x <urn:p> _:x .")
    monkeypatch.setattr(builder, "IN_MEMORY", 0)
    root.mkdir()
    builder.build(root, find_files([files]), lambda *_: None)
    assert len({quad.subject for quad in open_store(root)}) == 4


async def test_relative_iris_hold_no_folder_of_this_machine(files: Path, root: Path) -> None:
    (files / "a file.ttl").write_text("<> <urn:p> <#x> .")
    store = build_store([files], root)
    assert await rows(store, "SELECT ?s ?o { ?s ?p ?o }") == [
        (iri("file:///a%20file.ttl"), iri("file:///a%20file.ttl#x"))
    ]


def test_nothing_to_read_is_said(files: Path, root: Path) -> None:
    with pytest.raises(ConfigurationError, match="no RDF file in"):
        build_store([files], root)
    with pytest.raises(ConfigurationError, match="does not exist"):
        build_store([files / "gone.ttl"], root)
    (files / "notes.txt").write_text("x")
    with pytest.raises(ConfigurationError, match="no RDF file by its suffix"):
        build_store([files / "notes.txt"], root)
    (files / "bad.ttl").write_text("nonsense")
    with pytest.raises(ConfigurationError, match=r"bad\.ttl:1"):
        build_store([files], root)
    with pytest.raises(ConfigurationError, match="empty list"):
        build_store([], root)


def test_a_store_is_built_once_and_a_change_makes_another(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    first = build_store([files], root)
    stamp = (first.path / QUADS).stat().st_mtime_ns
    assert build_store([files], root) == first
    assert (first.path / QUADS).stat().st_mtime_ns == stamp
    (files / "a.ttl").write_text("<urn:a> <urn:b> 2 .")
    second = build_store([files], root)
    assert second.digest != first.digest
    assert sorted(root.iterdir()) == sorted([first.path, second.path])


def test_a_damaged_store_is_built_again(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    store = build_store([files], root)
    (store.path / "store.json").write_text("{")
    assert build_store([files], root) == store


def test_two_processes_build_the_same_store_at_once(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("".join(f"<urn:a{n}> <urn:b> {n} .\n" for n in range(20_000)))
    code = (
        "import sys; from pathlib import Path; from groundwire.graph.stores import build_store;"
        "print(build_store([Path(sys.argv[1])], Path(sys.argv[2])).triples)"
    )
    command = [sys.executable, "-c", code, str(files), str(root)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[0] for process in running] == [b"20000\n"] * 3
    assert [process.returncode for process in running] == [0] * 3
    assert [path.name for path in root.iterdir()] == [build_store([files], root).digest]


def test_progress_and_deadline_of_a_build(files: Path, root: Path) -> None:
    lines = "".join(f"<urn:a{n}> <urn:b> {n} .\n" for n in range(400_000))
    (files / "a.ttl").write_text(lines)
    seen: list[Loading] = []
    # On a slow machine it takes longer until something can be told.
    for seconds in (0.3, 0.6, 1.2, 2.4, 4.8, 9.6):
        with pytest.raises(DeadlineError, match="load fewer"):
            build_store([files], root, progress=seen.append, timeout=seconds)
        assert list(root.iterdir()) == [], "nothing half-built stays"
        if seen:
            break
    assert seen
    assert all(step.file == "a.ttl" and 0 < step.done <= step.total for step in seen)
    assert seen == sorted(seen)
    assert seen[0].total == len(lines)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to(files: Path, tmp_path: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    tmp_path.chmod(0o500)
    with pytest.raises(UnavailableError, match="GROUNDWIRE_HOME"):
        build_store([files], tmp_path / "stores")


def test_a_root_that_is_a_file(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    root.write_text("")
    store = build_store([files], root)
    # It is made for this process, in a temporary folder.
    assert store.triples == 1
    assert root.parent not in store.path.parents


def test_no_room_anywhere_is_told(files: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    root.write_text("")
    monkeypatch.setattr("groundwire.private_files._folder", lambda: root)
    with pytest.raises(UnavailableError, match="GROUNDWIRE_HOME"):
        build_store([files], root)


def test_a_part_that_was_changed_is_built_anew(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 12 .")
    store = build_store([files], root)
    quads = store.path / "quads.nq"
    good = quads.read_bytes()
    quads.write_bytes(good.replace(b"12", b"99"))
    assert build_store([files], root) == store
    assert quads.read_bytes() == good
    (store.path / "extra.txt").write_text("more")
    assert build_store([files], root) == store
    assert not (store.path / "extra.txt").exists()


async def test_a_store_on_disk_answers_like_one_in_memory(
    files: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 'x'@en , 1.5 , <urn:c> .")
    (files / "b.trig").write_text("<urn:g> { <urn:d> <urn:b> true }")
    for number, limit in enumerate((0, 1 << 20)):
        monkeypatch.setattr(builder, "IN_MEMORY", limit)
        folder = root / str(number)
        folder.mkdir(parents=True)
        builder.build(folder, find_files([files], DEFAULT_GRAPH), lambda *_: None)
        graph = LocalGraph(folder)
        try:
            found = await graph.select(CompiledQuery("SELECT * { ?s ?p ?o } ORDER BY ?o"))
            assert len(found.rows) == 4
            assert {row[found.columns.index("o")] for row in found.rows} == {
                literal("x", language="en"),
                literal("1.5", "http://www.w3.org/2001/XMLSchema#decimal"),
                iri("urn:c"),
                literal("true", "http://www.w3.org/2001/XMLSchema#boolean"),
            }
        finally:
            await graph.close()


async def test_open_graph_builds_and_opens(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    graph, store = await open_graph([files], root)
    assert await graph.ask(CompiledQuery("ASK { <urn:a> <urn:b> 1 }"))
    assert store.triples == 1
    await graph.close()


async def test_a_missing_store_is_unavailable(tmp_path: Path) -> None:
    graph = LocalGraph(tmp_path / "nowhere")
    with pytest.raises(UnavailableError, match="cannot be opened"):
        await graph.ask(CompiledQuery("ASK { }"))
    await graph.close()


def test_old_stores_are_pruned_and_those_in_use_kept(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    old = build_store([files], root)
    (files / "a.ttl").write_text("<urn:a> <urn:b> 2 .")
    new = build_store([files], root)
    leftover = root / ".building-1"
    leftover.mkdir()
    month = time.time() - 40 * 86_400
    for path in (old.path, new.path, leftover):
        os.utime(path, (month, month))
    build_store([files], root)  # touches the new one
    assert sorted(prune(root)) == sorted([leftover, old.path])
    assert [path.name for path in root.iterdir()] == [new.digest]
    assert prune(root / "nowhere") == []


async def test_a_store_that_a_worker_has_open_is_not_pruned(files: Path, root: Path) -> None:
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    graph, store = await open_graph([files], root)
    await graph.warm()
    month = time.time() - 40 * 86_400
    os.utime(store.path, (month, month))
    assert prune(root) == []
    await graph.close()
    assert prune(root) == [store.path]


def test_a_build_leaves_no_thread_and_no_process(files: Path, root: Path) -> None:
    before = set(threading.enumerate())
    (files / "a.ttl").write_text("<urn:a> <urn:b> 1 .")
    build_store([files], root)
    # A thread of another test may end meanwhile; none may be new.
    assert set(threading.enumerate()) <= before


def test_a_problem_reads_as_one_line() -> None:
    assert str(Problem("x.ttl", 3, 4, "no dot")) == "x.ttl:3: no dot"
    assert str(Problem("x.ttl", 0, None, "gone")) == "x.ttl: gone"


async def test_the_embedded_catalogue(root: Path) -> None:
    files = [embedded.catalogue_file(), *embedded.shape_files()]
    store = build_store([Source(path) for path in files], root)
    assert store.problems == ()
    plain = ox.Store()
    for path in files:
        plain.bulk_load(path=str(path), format=ox.RdfFormat.TURTLE)
    assert store.triples == len(plain) > 10_000
    statistics = read_statistics(store.path)[DEFAULT_GRAPH]
    assert statistics.triples == store.triples
    assert statistics.complete


async def test_the_real_catalogue(shared: Path, root: Path) -> None:
    catalogue = sorted((shared / "data/ontology/catalogue").glob("*.jsonld"))
    assert len(catalogue) == 5
    store = build_store([Source(path) for path in catalogue], root)
    assert store.problems == ()
    assert store.triples == 23_306
    statistics = read_statistics(store.path)[DEFAULT_GRAPH]
    assert statistics.triples == store.triples
    assert statistics.complete
