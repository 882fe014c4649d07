"""The queries of the workflow pass the gate, and find in a graph what they are for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from groundwire.graph.gate import check
from groundwire.graph.gate_policy import REMOTE_POLICY, VIRTUOSO_POLICY, Policy
from groundwire.graph.queries import CompiledQuery
from groundwire.sparql.label_queries import bif_contains_query, regex_query
from groundwire.sparql.workflow.queries import (
    LABEL_PATHS,
    TEXT_PROPERTIES,
    USUAL_TYPES,
    description_query,
    meaning_query,
    predicates_query,
    texts_query,
    type_labels_query,
    types_query,
    with_members,
)

LOCAL_POLICY = Policy(allowed_graphs=None, sources=())
MANY = [f"word{number}" for number in range(32)]
HOSTILE = 'urn:x> } UNION { SERVICE <http://evil> { ?s ?p ?o } } # " \\ \n'


def queries() -> Iterator[CompiledQuery]:
    iris = [HOSTILE, "urn:a", "urn:b"]
    yield types_query((), 20)
    yield types_query(iris, 20, iris, [HOSTILE, *MANY])
    yield types_query(USUAL_TYPES, 20, [f"urn:o{n}" for n in range(12)], MANY)
    yield predicates_query(with_members(USUAL_TYPES), 20)
    yield texts_query([HOSTILE, *(f"http://example.org/{n}" for n in range(50))], 200)
    yield description_query(HOSTILE, 200)
    yield type_labels_query(iris, 50)
    said = (*LABEL_PATHS, *TEXT_PROPERTIES, *(f"urn:p{n}" for n in range(20)))
    types = with_members(USUAL_TYPES)
    yield meaning_query(regex_query(MANY, "and", types, 10, properties=said), 120)
    yield meaning_query(regex_query([HOSTILE], "or", types, 10, properties=said), 120)


@pytest.mark.parametrize("policy", [LOCAL_POLICY, REMOTE_POLICY, VIRTUOSO_POLICY])
@pytest.mark.parametrize("query", list(queries()))
def test_every_query_passes_the_gate_whatever_stands_in_it(query, policy: Policy) -> None:
    assert check(query, policy).verdict.form == "select"


def test_full_text_and_inference_pass_the_gate_of_virtuoso() -> None:
    for mode in ("phrase", "and", "or"):
        match = bif_contains_query(" ".join([HOSTILE, *MANY]), mode, USUAL_TYPES, 10)
        query = meaning_query(match, 120, "urn:rules")
        assert query.startswith('DEFINE input:inference "urn:rules"')
        assert check(query, VIRTUOSO_POLICY).verdict.form == "select"


GRAPH = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix schema: <http://schema.org/> .
@prefix : <urn:t:> .
:Sub rdfs:subClassOf :Mid . :Mid rdfs:subClassOf :Top .
:Same owl:equivalentClass :Top . :Top owl:equivalentClass :Other .
:Named rdfs:label "Copper Ridge"@en .
:a a :Top . :b a :Sub . :c a :Same . :d a :Other . :e a :Named . :f a :Foreign .
:g a :Far .
:q a schema:Question ; schema:name "Why?"@en ; schema:acceptedAnswer :ans .
:ans a schema:Answer ; schema:text "because"@en .
:how a schema:HowTo ; rdfs:label "How to go" ; schema:step :s1 .
:s1 a schema:HowToStep ; schema:text "walk along" .
"""
NAMED = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<urn:t:Far> rdfs:subClassOf <urn:t:Top> .
"""


@pytest.fixture(scope="module")
def store():
    pyoxigraph = pytest.importorskip("pyoxigraph")
    made = pyoxigraph.Store()
    made.load(GRAPH.encode(), pyoxigraph.RdfFormat.TURTLE)
    made.load(
        NAMED.encode(), pyoxigraph.RdfFormat.TURTLE, to_graph=pyoxigraph.NamedNode("urn:onto")
    )
    return made


def rows(store, query: CompiledQuery) -> list[tuple[str, ...]]:
    found = store.query(query)
    return [tuple("" if cell is None else cell.value for cell in row) for row in found]


def test_without_an_ontology_only_the_types_themselves_count(store) -> None:
    assert rows(store, types_query(["urn:t:Top"], 20)) == [("urn:t:Top", "1")]


def test_with_one_subclasses_equivalents_and_named_classes_count_too(store) -> None:
    found = rows(store, types_query(["urn:t:Top"], 20, ["urn:onto"], ["copper ridge"]))
    names = {iri.removeprefix("urn:t:") for iri, _ in found}
    assert names == {"Top", "Sub", "Same", "Other", "Named", "Far"}
    assert {count for _, count in found} == {"1"}


def test_predicates_are_those_that_say_texts(store) -> None:
    found = rows(store, predicates_query(["http://schema.org/Question"], 20))
    assert found == [("http://schema.org/name", "1")]


def test_an_answer_and_a_step_are_found_with_what_they_belong_to(store) -> None:
    for word, owner, label in (("because", "q", "Why?"), ("along", "how", "How to go")):
        match = regex_query([word], "and", (), 10, properties=TEXT_PROPERTIES)
        [row] = rows(store, meaning_query(match, 20))
        assert (row[1], row[5], row[6]) == (
            {"because": "because", "along": "walk along"}[word], f"urn:t:{owner}", label
        )  # fmt: skip


def test_members_are_where_the_texts_are() -> None:
    assert with_members(["http://schema.org/Question", "urn:x"]) == (
        "http://schema.org/Question", "urn:x", "http://schema.org/Answer"
    )  # fmt: skip
