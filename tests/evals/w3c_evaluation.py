"""W3C's query evaluation tests through the gate and the runner, beside the bare engine.

    GROUNDWIRE_W3C_TESTS=.../rdf-tests/sparql python tests/evals/w3c_evaluation.py

The folder is `sparql` of a checkout of github.com/w3c/rdf-tests (sparql10, sparql11 and sparql12);
without the variable it is `data/sparql/w3c-rdf-tests` of the real data, and where that holds no
evaluation tests the eval is skipped. Every query is asked twice over the same store: as
`execute_query` does it, and of pyoxigraph alone. What is measured is that the gate changes no
answer, and which queries it refuses; how well pyoxigraph does is not. Rows of queries that draw
(RAND, NOW, UUID) are counted, and blank nodes are alike.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlparse

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import pyoxigraph as ox  # noqa: E402
from shared_data import shared_folder  # noqa: E402

from groundwire.graph.engine import LocalGraph  # noqa: E402
from groundwire.graph.gate_policy import Policy  # noqa: E402
from groundwire.graph.stores import build_store  # noqa: E402
from groundwire.graph.terms import Term  # noqa: E402
from groundwire.sparql.outcome import Outcome, Request  # noqa: E402
from groundwire.sparql.sparql_runner import SparqlRunner  # noqa: E402
from tests.evals._report import Ratchet, arguments, table  # noqa: E402

VARIABLE = "GROUNDWIRE_W3C_TESTS"
_MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
_QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
_FORMATS = {
    ".ttl": ox.RdfFormat.TURTLE, ".nt": ox.RdfFormat.N_TRIPLES, ".rdf": ox.RdfFormat.RDF_XML,
    ".trig": ox.RdfFormat.TRIG, ".nq": ox.RdfFormat.N_QUADS,
}  # fmt: skip
_DRAWS = re.compile(r"\b(?:rand|now|uuid|struuid)\s*\(", re.IGNORECASE)
_FROM = re.compile(r"\bFROM\s+(?:NAMED\s+)?<([^>]*)>", re.IGNORECASE)
# The local endpoint's policy, with whatever graph the tests name.
_POLICY = Policy(allowed_graphs=None)


class Test(NamedTuple):
    """One evaluation test: its version of SPARQL, its query, and the files of its data."""

    version: str
    name: str
    text: str
    data: tuple[str, ...]
    graphs: tuple[str, ...]


def tests(folder: Path) -> Iterator[Test]:
    """The query evaluation tests of all manifests whose files are there."""
    for manifest in sorted(folder.glob("sparql1[012]/**/*manifest.ttl")):
        store = ox.Store()
        store.load(manifest.read_bytes(), ox.RdfFormat.TURTLE, base_iri=manifest.as_uri())
        wanted = ox.NamedNode(f"{_MF}QueryEvaluationTest")
        for quad in sorted(store.quads_for_pattern(None, _TYPE, wanted), key=str):
            for action in _objects(store, quad.subject, f"{_MF}action"):
                query = next(_objects(store, action, f"{_QT}query"), None)
                if query is None:
                    continue
                data = tuple(one.value for one in _objects(store, action, f"{_QT}data"))
                graphs = tuple(
                    next((g.value for g in _objects(store, one, f"{_QT}graph")), one.value)
                    for one in _objects(store, action, f"{_QT}graphData")
                )
                path = _path(query.value)
                if not path.is_file():
                    continue
                text = path.read_text("utf-8")
                named = tuple(urljoin(query.value, one) for one in _FROM.findall(text))
                yield Test(
                    manifest.relative_to(folder).parts[0], f"{path.parent.name}/{path.stem}",
                    f"BASE <{query.value}>\n{text}", data, tuple(dict.fromkeys((*graphs, *named))),
                )  # fmt: skip


def _objects(store: ox.Store, subject: Any, name: str) -> Iterator[Any]:
    for quad in store.quads_for_pattern(subject, ox.NamedNode(name), None):
        yield quad.object


def _path(url: str) -> Path:
    return Path(unquote(urlparse(url).path))


def _load(test: Test) -> ox.Store:
    """The data of a test; a file that is not there holds nothing."""
    store = ox.Store()
    for url, graph in (*((one, None) for one in test.data), *((g, g) for g in test.graphs)):
        path = _path(url)
        if path.suffix in _FORMATS and path.is_file():
            to = ox.NamedNode(graph) if graph else None
            kind = _FORMATS[path.suffix]
            takes_graph = kind not in (ox.RdfFormat.TRIG, ox.RdfFormat.N_QUADS)
            store.load(path.read_bytes(), kind, base_iri=url, to_graph=to if takes_graph else None)
    return store


def _of_engine(store: ox.Store, text: str) -> Counter[tuple[str, ...]] | bool | None:
    """What pyoxigraph answers; None where it refuses."""
    try:
        found = store.query(text)
        if isinstance(found, ox.QueryBoolean):
            return bool(found)
        if isinstance(found, ox.QueryTriples):
            rows = ((t.subject, t.predicate, t.object) for t in found)
            return Counter(tuple(map(_plain, row)) for row in rows)
        return Counter(tuple(map(_plain, row)) for row in found)
    except (SyntaxError, ValueError, OSError, RuntimeError):
        return None


def _plain(term: Any) -> str:
    if term is None:
        return ""
    if isinstance(term, ox.BlankNode):
        return "_:"
    if isinstance(term, ox.Literal):
        language = term.language or ""
        direction = f"--{term.direction}" if getattr(term, "direction", None) else ""
        return f'"{term.value}"@{language}{direction}^{term.datatype.value}'
    if isinstance(term, ox.Triple):
        return "<<( " + " ".join(map(_plain, (term.subject, term.predicate, term.object))) + " )>>"
    return str(term.value)


def _of_runner(outcome: Outcome) -> Counter[tuple[str, ...]] | bool:
    if outcome.columns == ("result",):
        return outcome.rows[0][0] is True
    return Counter(tuple(map(_cell, row)) for row in outcome.rows)


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Term):
        if cell.kind == "bnode":
            return "_:"
        if cell.kind == "literal":
            return f'"{cell.value}"@{cell.language}^{cell.datatype}'
        return "triple" if cell.kind == "triple" else cell.value
    return str(cell)


def _same(one: Any, other: Any, text: str) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if _DRAWS.search(text):
        return one.total() == other.total()

    def plainer(rows: Counter[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
        # Triple terms are written by either side in its own way: that they stand there counts.
        found: Counter[tuple[str, ...]] = Counter()
        for row, number in rows.items():
            found[tuple("triple" if c.startswith("<<") else c for c in row)] += number
        return found

    return plainer(one) == plainer(other)


async def _judge(test: Test, folder: Path) -> tuple[str, str]:
    """equal, different, refused or unread (by the engine too), with the reason."""
    bare = _load(test)
    expected = _of_engine(bare, test.text)
    bare.dump((data := folder / "data.nq").open("wb"), ox.RdfFormat.N_QUADS)
    graph = LocalGraph(build_store([data], folder / "stores").path, workers=1)
    try:
        request = Request("sparql", test.text, _POLICY.max_rows, 60.0)
        outcome = await SparqlRunner(graph, _POLICY).run(request)
    finally:
        graph.close_now()
    if not outcome.answered:
        return ("unread" if expected is None else "refused"), outcome.reason
    if expected is None:
        return "different", "the engine alone refuses it"
    return ("equal" if _same(_of_runner(outcome), expected, test.text) else "different"), ""


def main(argv: Sequence[str] | None = None) -> int:
    options = arguments(__doc__, argv, show=(0, "print so many that are not equal"))
    named = os.environ.get(VARIABLE)
    folder = Path(named) if named else shared_folder("data", "sparql", "w3c-rdf-tests")
    asked = list(tests(folder.resolve())) if folder.is_dir() else []
    if not asked:
        print(f"skipped: set {VARIABLE} to the folder sparql of a checkout of w3c/rdf-tests")
        return 0
    rng = random.Random(options.seed)
    asked = [one for one in asked if rng.random() < options.fraction]
    counts: dict[str, Counter[str]] = {}
    for test in asked:
        with tempfile.TemporaryDirectory() as name:
            judged, reason = asyncio.run(_judge(test, Path(name)))
        count = counts.setdefault(test.version, Counter())
        count["tests"] += 1
        count[judged] += 1
        if judged != "equal" and (options.show > 0 or judged == "different"):
            options.show -= 1
            print(f"{judged}: {test.version} {test.name}: {reason[:160]}")
    names = ("tests", "equal", "refused", "unread", "different")
    print(table(("", *names), [(v, *(c[n] for n in names)) for v, c in sorted(counts.items())]))
    figures = {v: {n: c[n] for n in ("refused", "different")} for v, c in counts.items()}
    return Ratchet(__file__, lower={"refused", "different"}).settle(figures, options)


if __name__ == "__main__":
    sys.exit(main())
