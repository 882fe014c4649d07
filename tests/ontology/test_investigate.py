"""One SELECT on the schema graph, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.errors import ForbiddenError, GroundwireError, InputError
from groundwire.ontology.schema_texts import MAX_ROWS, investigate_schema

PREFIX = "PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX : <https://example.org/harbour/> "


def test_the_shapes_are_the_default_graph_and_a_named_one(harbour: Any) -> None:
    bare = harbour.call(
        investigate_schema, f"{PREFIX} SELECT ?c WHERE {{ :ShipShape sh:targetClass ?c }}"
    )
    assert bare.rows == [{"c": "https://example.org/harbour/Ship"}]
    named = harbour.call(
        investigate_schema,
        f"{PREFIX} SELECT ?c WHERE {{ GRAPH <urn:graph:schema> "
        "{ :ShipShape sh:targetClass ?c } }",
    )
    assert named.rows == bare.rows
    assert bare.columns == ["c"]


def test_prefixes_of_the_catalogue_need_not_be_declared(harbour: Any, sample: Any) -> None:
    query = "SELECT ?c WHERE { <https://example.org/harbour/ShipShape> sh:targetClass ?c }"
    assert harbour.call(investigate_schema, query).rows
    listed = sample.call(investigate_schema, "SELECT ?s WHERE { ?s a sh:NodeShape } LIMIT 1")
    (shape,) = listed.rows[0].values()
    again = sample.call(investigate_schema, f"SELECT ?t WHERE {{ {shape} a ?t }}")
    assert again.rows
    # What the query itself declares stands.
    other = "prefix sh: <urn:other#> SELECT ?s WHERE { ?s a sh:NodeShape }"
    assert sample.call(investigate_schema, other).rows == []
    with pytest.raises(InputError, match="The prefix of zeppelin:x is not declared"):
        sample.call(investigate_schema, "SELECT * WHERE { zeppelin:x ?p ?o }")


def test_the_assets_are_out_of_reach(harbour: Any) -> None:
    query = "SELECT ?s WHERE { ?s a <https://example.org/harbour/Ship> }"
    assert harbour.call(investigate_schema, query).rows == []


def test_languages_are_shown(harbour: Any) -> None:
    query = f"{PREFIX} SELECT ?l WHERE {{ :Ship ?p ?l FILTER(LANG(?l) = 'zh') }}"
    assert harbour.call(investigate_schema, query).rows == [{"l": "船@zh"}]


def test_rows_are_cut_at_fifty_and_it_is_said(harbour: Any) -> None:
    found = harbour.call(investigate_schema, "SELECT * WHERE { ?s ?p ?o }")
    assert (len(found.rows), found.truncated) == (MAX_ROWS, True)
    assert f"cut at {MAX_ROWS}" in found.answer
    few = harbour.call(investigate_schema, "SELECT * WHERE { ?s ?p ?o } LIMIT 3")
    assert (len(few.rows), few.truncated) == (3, False)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * WHERE { ?s ?p ?o FILTER EXISTS { SERVICE ?s { ?a ?b ?c } } }",
        "SELECT * WHERE { \\u0053ERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * FROM <urn:other> WHERE { ?s ?p ?o }",
        "SELECT * FROM NAMED <urn:other> WHERE { GRAPH ?g { ?s ?p ?o } }",
        "SELECT * WHERE { GRAPH <urn:other> { ?s ?p ?o } }",
        "ASK { ?s ?p ?o }",
        "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "DESCRIBE <urn:x>",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "DROP ALL",
        "SELECT ?s WHERE { ?s ?p ?o } ; DROP ALL",
        "LOAD <http://127.0.0.1:1/>",
        "SELECT ?s WHERE { ?s ?p",
        "",
        "what properties are there?",
    ],
)
def test_anything_else_is_refused_in_one_line(harbour: Any, query: str) -> None:
    with pytest.raises((InputError, ForbiddenError)) as caught:
        harbour.call(investigate_schema, query)
    assert "\n" not in str(caught.value)


def test_a_query_that_takes_too_long_is_stopped(
    harbour: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from groundwire.ontology import schema_texts

    slow = (
        "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . "
        "FILTER(STRLEN(CONCAT(STR(?a), STR(?d), STR(?g), STR(?j))) > 5) }"
    )
    with monkeypatch.context() as brief:
        brief.setattr(schema_texts, "_QUERY_TIMEOUT", 0.3)
        with pytest.raises(GroundwireError, match="time limit"):
            harbour.call(investigate_schema, slow)
    assert harbour.call(investigate_schema, "SELECT * WHERE { ?s ?p ?o } LIMIT 1").rows
