"""Virtuoso's extensions through the gate: what passes, and how it is written."""

from __future__ import annotations

import pytest

from groundwire.errors import ForbiddenError, InputError
from groundwire.graph.gate import REMOTE_POLICY, SCHEMA_POLICY, VIRTUOSO_POLICY, check
from groundwire.graph.virtuoso_extensions import check_text_expression

# What is sent, and what the server gets.
ACCEPTED = {
    "label match": (
        """SELECT DISTINCT ?entity ?value WHERE {
             ?entity ?attribute ?value. # the prompt as a phrase
             ?value bif:contains "'what is sparql'" option (score ?sc)
           } ORDER BY DESC(?sc) LIMIT 10""",
        """SELECT DISTINCT ?entity ?value WHERE { ?entity ?attribute ?value . """
        """?value bif:contains "'what is sparql'" option ( score ?sc ) } """
        """ORDER BY DESC ( ?sc ) LIMIT 10""",
    ),
    "terms joined": (
        'SELECT * { ?s ?p ?o . ?o bif:contains \'"graph" AND (query OR "quer*" AND NOT sql)\' }',
        'SELECT * { ?s ?p ?o . ?o bif:contains "\\"graph\\" AND (query OR \\"quer*\\" AND NOT sql)"'
        " } LIMIT 5001",
    ),
    "two texts": (
        "SELECT * { ?o bif:contains \"'a'\" , 'b' ; <urn:p> 1.?x <urn:q> -1 }",
        'SELECT * { ?o bif:contains "\'a\'" , "b" ; <urn:p> 1 . ?x <urn:q> -1 } LIMIT 5001',
    ),
    "contains by its IRI": (
        'SELECT * { ?o <bif:contains> "a" }',
        'SELECT * { ?o <bif:contains> "a" } LIMIT 5001',
    ),
    "contains with its prefix declared": (
        'PREFIX bif: <bif:> SELECT * { ?o bif:contains "a" }',
        'PREFIX bif: <bif:> SELECT * { ?o bif:contains "a" } LIMIT 5001',
    ),
    "inference": (
        "define input:inference 'http://e/rules' DEFINE input:same-as \"yes\" ASK{?s ?p ?o}",
        'define input:inference "http://e/rules" DEFINE input:same-as "yes" ASK { ?s ?p ?o }',
    ),
    "transitivity of a triple": (
        "SELECT * { ?s <urn:p> ?o OPTION(TRANSITIVE, t_distinct, t_in(?s), t_out(?o), t_max(3)) }",
        "SELECT * { ?s <urn:p> ?o OPTION ( TRANSITIVE , t_distinct , t_in ( ?s ) , t_out ( ?o ) ,"
        " t_max ( 3 ) ) } LIMIT 5001",
    ),
    "options of other triples": (
        "PREFIX e: <http://e/> ASK { ?s e:knows ?o OPTION (transitive) ; ?p 1 "
        "OPTION (inference <urn:r>), [ e:q 'x' OPTION (t_distinct) ] }",
        "PREFIX e: <http://e/> ASK { ?s e:knows ?o OPTION ( transitive ) ; ?p 1 "
        'OPTION ( inference <urn:r> ) , [ e:q "x" OPTION ( t_distinct ) ] }',
    ),
    "transitivity of a group": (
        "SELECT * { { SELECT ?s ?o { ?s <urn:p> ?o } } OPTION (transitive, t_in (?s), t_out (?o), "
        "t_min 1, t_step('step_no') AS ?d) FILTER(?s = <urn:a>) }",
        "SELECT * { { SELECT ?s ?o { ?s <urn:p> ?o } } OPTION ( transitive , t_in ( ?s ) , "
        't_out ( ?o ) , t_min 1 , t_step ( "step_no" ) AS ?d ) FILTER ( ?s = <urn:a> ) } '
        "LIMIT 5001",
    ),
    "what it splits otherwise": (
        'SELECT*{?s <urn:p>??o;<urn:q>*"x"@en,"y"^^<urn:d>.FILTER(?s>1&&-1<?o-1)}LIMIT 5',
        'SELECT* { ?s <urn:p>? ?o ; <urn:q>* "x"@en , "y"^^<urn:d> . '
        "FILTER ( ?s > 1 && -1 < ?o -1 ) } LIMIT 5",
    ),
    "words of Virtuoso as names": (
        "PREFIX define: <http://e/> SELECT ?option { ?option define:bif ?score . ?s ?p 'OPTION' }",
        "PREFIX define: <http://e/> SELECT ?option { ?option define:bif ?score . "
        '?s ?p "OPTION" } LIMIT 5001',
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_allowed_comes_through_in_its_place(name: str) -> None:
    sent, received = ACCEPTED[name]
    query = check(sent, VIRTUOSO_POLICY)
    assert query == received
    assert check(query, VIRTUOSO_POLICY) == query, "the result passes as it is"


def test_other_endpoints_and_local_graphs_have_no_extensions() -> None:
    for text in (ACCEPTED["label match"][0], ACCEPTED["inference"][0]):
        for policy in (REMOTE_POLICY, SCHEMA_POLICY):
            with pytest.raises((ForbiddenError, InputError)):
                check(text, policy)


def test_a_policy_can_add_functions_and_pragmas() -> None:
    policy = VIRTUOSO_POLICY._replace(
        built_ins=VIRTUOSO_POLICY.built_ins | {"bif:st_intersects"},
        defines=frozenset(("sql:signal-void-variables",)),
    )
    text = (
        'DEFINE sql:signal-void-variables "1" '
        "SELECT * { ?s ?p ?g FILTER ( bif:st_intersects ( ?g , ?h , 5 ) ) } LIMIT 5001"
    )
    assert check(text, policy) == text
    with pytest.raises(ForbiddenError, match="bif:http_get"):
        check(text.replace("bif:st_intersects", "bif:http_get"), policy)
    with pytest.raises(ForbiddenError, match="allowed are sql:signal-void-variables"):
        check('DEFINE input:same-as "yes" ASK { }', policy)
    with pytest.raises(InputError, match="as a function"):
        check("ASK { ?s bif:st_intersects ?o }", policy)


def test_what_is_known_of_a_query_with_extensions() -> None:
    verdict = check(ACCEPTED["label match"][0], VIRTUOSO_POLICY).verdict
    assert (verdict.form, verdict.columns, verdict.limit) == ("select", ("entity", "value"), 10)
    assert (verdict.default_graphs, verdict.named_graphs) == (None, None)


def test_casts_and_geometry_are_computed_by_any_endpoint() -> None:
    geo = "PREFIX geof: <http://www.opengis.net/def/function/geosparql/> "
    for policy in (REMOTE_POLICY, VIRTUOSO_POLICY):
        check(geo + "ASK { ?a ?b ?c FILTER (geof:sfWithin(?a, ?c)) }", policy)
        check("ASK { FILTER (<http://www.w3.org/2001/XMLSchema#integer>('1') = 1) }", policy)
        with pytest.raises(ForbiddenError, match="geosparql/anything"):
            check(geo + "ASK { FILTER (geof:anything(1)) }", policy)


def test_graphs_are_read_but_not_chosen_by_from() -> None:
    check("SELECT * { GRAPH <urn:g> { ?s ?p ?o } GRAPH ?g { ?o ?q ?r } }", VIRTUOSO_POLICY)
    listed = VIRTUOSO_POLICY._replace(sources=("urn:g",))
    verdict = check("SELECT * FROM <urn:g> { GRAPH <urn:h> { ?s ?p ?o } }", listed).verdict
    assert verdict.default_graphs == ("urn:g",)


@pytest.mark.parametrize(
    "text",
    [
        "sparql",
        "'knowledge graph'",
        '"knowledge graph" NEAR query',
        "a and b Or c",
        "a AND NOT b",
        "((a OR b) AND (c OR 'd e'))",
        "'quer*'",
        "'quer* gra ph'",
        "'知识' AND '图谱'",
        '"it\'s a graph"',
        "_label-2",
        "'what is C++?'",
    ],
)
def test_free_text_that_is_well_formed(text: str) -> None:
    check_text_expression(text)
