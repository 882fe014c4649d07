"""Statistics of a store: exact where they say so, bounded where there is much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pyoxigraph as ox
import pytest
from shared_data import need, shared_folder

from groundwire import shapes as embedded
from groundwire.errors import UnavailableError
from groundwire.graph import statistics
from groundwire.graph.statistics import (
    PredicateStatistics,
    collect,
    read_statistics,
    write_statistics,
)
from groundwire.graph.terms import Term, iri, literal

XSD = "http://www.w3.org/2001/XMLSchema#"
DATA = """
@prefix : <urn:e:> .
:a a :C , :D ; :p "x" , "x"@en , "x"@en-GB , 1 , 1.0 , true ; :q :b , [ :p "x" ] .
:b a :C ; :p "x" , 1 ; :long "%s" .
[] a :C .
:c :q [] , [] .
""" % ("y" * 1001)


def loaded(text: str) -> ox.Store:
    store = ox.Store()
    store.load(text.encode(), ox.RdfFormat.TURTLE)
    return store


def test_every_number_of_a_small_graph() -> None:
    found = collect(loaded(DATA), ox.DefaultGraph())
    assert (found.triples, found.complete) == (18, True)
    assert found.classes == {"urn:e:C": 3, "urn:e:D": 1}
    assert found.named_instances == {"urn:e:C": 2, "urn:e:D": 1}
    p = found.predicates["urn:e:p"]
    assert p == PredicateStatistics(
        triples=9,
        values=p.values,
        values_complete=True,
        datatypes={
            XSD + "string": 3,
            XSD + "integer": 2,
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString": 2,
            XSD + "decimal": 1,
            XSD + "boolean": 1,
        },
        languages={"en": 1, "en-gb": 1},
        iris=0,
        bnodes=0,
        subjects=3,
    )
    assert dict(p.values) == {
        literal("x"): 3,
        literal("x", language="en"): 1,
        literal("x", language="en-gb"): 1,
        literal("1", XSD + "integer"): 2,
        literal("1", XSD + "decimal"): 1,  # the engine stores numbers in canonical form
        literal("true", XSD + "boolean"): 1,
    }
    assert [count for _, count in p.values] == sorted(dict(p.values).values(), reverse=True)
    q = found.predicates["urn:e:q"]
    assert (q.values, q.values_complete, q.iris, q.bnodes) == (((iri("urn:e:b"), 1),), True, 1, 3)
    long = found.predicates["urn:e:long"]
    assert (long.values, long.values_complete) == ((), False)
    assert long.datatypes == {XSD + "string": 1}


def test_one_graph_is_counted_and_not_the_others() -> None:
    store = loaded(DATA)
    graph = ox.NamedNode("urn:g")
    store.add(ox.Quad(graph, graph, graph, graph))
    assert collect(store, ox.DefaultGraph()).triples == 18
    assert collect(store, graph).triples == 1
    assert collect(store, ox.NamedNode("urn:none")) == statistics.EMPTY


def test_many_values_are_cut_the_frequent_ones_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "VALUE_CAP", 50)
    lines = [f"<urn:s{n}> <urn:p> 'rare {n}' ." for n in range(300)]
    lines += [f"<urn:t{n}> <urn:p> 'often {n % 3}' ." for n in range(60)]
    lines += [f"<urn:u{n}> <urn:p> [] ." for n in range(300)]
    found = collect(loaded("\n".join(lines)), ox.DefaultGraph()).predicates["urn:p"]
    assert (found.triples, len(found.values), found.values_complete) == (660, 50, False)
    assert dict(found.values[:3]) == {literal(f"often {n}"): 20 for n in range(3)}
    assert {count for _, count in found.values[3:]} == {1}
    assert (found.datatypes, found.bnodes, found.iris) == ({XSD + "string": 360}, 300, 0)


def test_limits_of_names_and_time_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    store = loaded(DATA)
    late = collect(store, ox.DefaultGraph(), seconds=-1)
    assert not late.complete
    assert late.predicates["urn:e:p"].triples == 9
    assert not late.predicates["urn:e:p"].values_complete
    monkeypatch.setattr(statistics, "NAME_CAP", 2)
    few = collect(store, ox.DefaultGraph())
    assert (len(few.predicates), few.complete, few.triples) == (2, False, 18)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    graphs = {"": collect(loaded(DATA), ox.DefaultGraph()), "urn:g": statistics.EMPTY}
    write_statistics(tmp_path, graphs)
    assert read_statistics(tmp_path) == graphs
    (tmp_path / "statistics.json").write_text("{}}")
    with pytest.raises(UnavailableError, match="delete"):
        read_statistics(tmp_path)


def _real_shapes() -> list[Path]:
    return sorted(need(shared_folder("data", "ontology", "envited")).glob("*/*.ttl"))[:12]


@pytest.mark.parametrize("files", [_real_shapes, embedded.shape_files])
def test_against_a_plain_count_of_shapes(files: Callable[[], Sequence[Path]]) -> None:
    store = ox.Store()
    for path in files():
        store.load(path.read_bytes(), ox.RdfFormat.TURTLE, base_iri="urn:x:")
    found = collect(store, ox.DefaultGraph())
    quads = list(store)
    assert found.triples == len(quads)
    counts = Counter(quad.predicate.value for quad in quads)
    assert {iri: entry.triples for iri, entry in found.predicates.items()} == counts
    for name, entry in found.predicates.items():
        objects = [quad.object for quad in quads if quad.predicate.value == name]
        assert entry.bnodes == sum(isinstance(value, ox.BlankNode) for value in objects)
        assert entry.iris == sum(isinstance(value, ox.NamedNode) for value in objects)
        plain = Counter(map(as_term, objects))
        if entry.values_complete:
            assert dict(entry.values) == {term: n for term, n in plain.items() if term}


def as_term(value: object) -> Term | None:
    if isinstance(value, ox.NamedNode):
        return iri(value.value)
    if isinstance(value, ox.Literal):
        return literal(value.value, value.datatype.value, value.language or "")
    return None
