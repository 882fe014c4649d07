"""GraphQL at a local graph: the schema that is made of it, and what queries get."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.graph.engine import LocalGraph
from groundwire.graph.stores import build_store
from groundwire.sparql.graphql import fetching, schema
from groundwire.sparql.graphql.runner import GraphqlRunner
from groundwire.sparql.outcome import Outcome, Request

pytestmark = pytest.mark.anyio

DATA = """
@prefix e: <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:golf a e:Car ; rdfs:label "Golf"@en, "Golf VW"@de ; e:doors 5 ; e:length 4.28 ;
    e:power-kw 1.1e2 ; e:electric false ; e:madeBy e:vw ; e:seeAlso e:vw, <http://x/golf> ;
    e:mixed "a text", e:vw ; e:label "a sign" .
e:polo a e:Car ; rdfs:label "Polo" ; e:doors 3 ; e:madeBy e:vw ; e:limit "INF"^^xsd:double .
e:up a e:Car ; e:madeBy e:vw, e:seat .
e:vw a e:Maker ; rdfs:label "Volkswagen" ; e:country e:de ; e:makes e:golf, e:polo, e:up .
e:seat a e:Maker ; rdfs:label "Seat" .
e:de a e:FAQPage, e:Thing ; rdfs:label "Germany" .
e:other a e:Thing ; rdfs:label "quote \\" and \\\\ back" .
[] a e:Car ; rdfs:label "nobody" .
<http://f/Car> a <http://f/Car> .
e:s1 a e:Shop ; rdfs:label "Golf shop"@en ; e:sells e:golf .
e:s2 a e:Shop ; rdfs:label "The Golf shop"@en, "Golfladen"@de ; e:sells e:polo, e:unknown ;
    e:slogan "Drive"@en, "Fahr"@de-AT, "VROOM" .
e:s3 a e:Shop ; rdfs:label "Golf shop of the north" ; e:sells e:up .
e:unknown rdfs:label "A car without a class" .
e:odd1 a e:Odd ; e:of e:n00 .
e:odd2 a e:Odd ; e:of "nothing" .
""" + "".join(f"<http://e/n{n:02}> a e:Number ; e:value {n} ; e:of e:n00 .\n" for n in range(40))


class Counted:
    """A graph that counts what it is asked."""

    def __init__(self, graph: LocalGraph) -> None:
        self.graph = graph
        self.asked = 0

    async def select(self, *arguments: Any, **options: Any) -> Any:
        self.asked += 1
        return await self.graph.select(*arguments, **options)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGraph]:
    folder = tmp_path_factory.mktemp("local")
    (folder / "cars.ttl").write_text(DATA, "utf-8")
    graph = LocalGraph(build_store([folder], folder / "stores").path)
    yield graph
    graph.close_now()


@pytest.fixture(scope="module")
def graphql(local: LocalGraph) -> GraphqlRunner:
    return GraphqlRunner(local)


async def ask(runner: GraphqlRunner, text: str, limit: int = 10, timeout: float = 10.0) -> Outcome:
    return await runner.run(Request("graphql", text, limit, timeout))


async def data(runner: GraphqlRunner, text: str, limit: int = 10) -> Any:
    outcome = await ask(runner, text, limit)
    assert outcome.status == "complete", outcome.reason
    assert outcome.columns == ("data",)
    [[cell]] = outcome.rows
    assert isinstance(cell, str)
    assert outcome.audit.raw == cell.encode()
    return json.loads(cell)


async def test_members_of_a_class_with_their_values(graphql: GraphqlRunner) -> None:
    text = '{ car(label: "golf") { __typename iri label doors length powerKw electric mixed } }'
    found = await data(graphql, text)
    assert found == {
        "car": [
            {
                "__typename": "Car", "iri": "http://e/golf", "label": "Golf", "doors": [5],
                "length": ["4.28"], "powerKw": [110.0], "electric": [False],
                "mixed": ["http://e/vw", "a text"],
            }
        ]
    }  # fmt: skip
    assert list(found["car"][0]) == [
        "__typename", "iri", "label", "doors", "length", "powerKw", "electric", "mixed",
    ]  # fmt: skip


async def test_the_audit(graphql: GraphqlRunner) -> None:
    text = "{ maker { iri } }  # both"
    audit = (await ask(graphql, text)).audit
    assert audit.query_language == "graphql"
    assert audit.query_text == text
    assert audit.endpoint_url == "local:default"
    assert audit.per_query_status_and_error == "complete"
    assert audit.result_summary == "2 things, by 1 SPARQL query"
    assert audit.status_code is None
    assert audit.start_timestamp <= audit.end_timestamp


async def test_links_lead_on_where_they_are_of_one_class(graphql: GraphqlRunner) -> None:
    text = """{ car(iri: "http://e/up") { madeBy { label makes(limit: 2) { label: iri } }
        again: madeBy(offset: 1) { label } } }"""
    found = await data(graphql, text)
    assert found["car"] == [
        {
            "madeBy": [
                {"label": "Seat", "makes": []},
                {
                    "label": "Volkswagen",
                    "makes": [{"label": "http://e/golf"}, {"label": "http://e/polo"}],
                },
            ],
            "again": [{"label": "Volkswagen"}],
        }
    ]
    outcome = await ask(graphql, "{ car { seeAlso { iri } } }")
    assert outcome.status == "refused"
    found = await data(graphql, '{ car(iri: "http://e/golf") { seeAlso } }')
    assert found["car"][0]["seeAlso"] == ["http://e/vw", "http://x/golf"]


async def test_of_several_classes_of_a_target_the_narrowest_counts(graphql: GraphqlRunner) -> None:
    text = '{ maker(label: "VOLKS") { country { __typename label } } }'
    found = await data(graphql, text)
    assert found["maker"][0]["country"] == [{"__typename": "FAQPage", "label": "Germany"}]


async def test_names_are_unique_and_described(graphql: GraphqlRunner) -> None:
    found = await data(graphql, "{ __schema { queryType { fields { name description } } } }")
    fields = {one["name"]: one["description"] for one in found["__schema"]["queryType"]["fields"]}
    assert fields["car"] == "Things of the class http://e/Car that have an IRI."
    assert fields["car2"] == "Things of the class http://f/Car that have an IRI."
    assert set(fields) == {"car", "car2", "maker", "faqPage", "thing", "number", "odd", "shop"}
    found = await data(graphql, '{ __type(name: "Car") { fields { name description } } }')
    fields = {one["name"]: one["description"] for one in found["__type"]["fields"]}
    assert fields["powerKw"] == "http://e/power-kw"
    assert {fields[name] for name in ("labelValues", "labelValues2")} == {
        "http://e/label",
        "http://www.w3.org/2000/01/rdf-schema#label",
    }


async def test_one_query_a_level(local: LocalGraph) -> None:
    graph: Any = Counted(local)
    runner = GraphqlRunner(graph)
    text = "{ a: maker { makes { doors label madeBy { iri } } } b: car { madeBy { label } } }"
    outcome = await ask(runner, text)
    assert outcome.status == "complete"
    # Graphs, classes, predicates and their targets; then the three levels.
    assert graph.asked == 4 + 3
    assert outcome.audit.result_summary.endswith("by 3 SPARQL queries")
    await ask(runner, "{ car { iri } }")
    assert graph.asked == 8


async def test_fragments_and_directives(graphql: GraphqlRunner) -> None:
    text = """query { car(limit: 1) { ...F doors @skip(if: true) ... on Car { label } } }
        fragment F on Car { iri doors @include(if: false) label }"""
    assert await data(graphql, text) == {"car": [{"iri": "http://e/golf", "label": "Golf"}]}


async def test_lists_are_ten_long_unless_the_query_says_otherwise(graphql: GraphqlRunner) -> None:
    outcome = await ask(graphql, "{ number { value } }", limit=20)
    assert outcome.status == "truncated"
    assert outcome.reason == (
        "There are more number than the answer holds: page with limit and offset."
    )
    assert len(json.loads(str(outcome.rows[0][0]))["number"]) == 10
    found = await data(graphql, "{ number(limit: 3, offset: 5) { value } }")
    assert found["number"] == [{"value": [5]}, {"value": [6]}, {"value": [7]}]
    outcome = await ask(graphql, "{ number(limit: 30) { value } }", limit=20)
    assert outcome.status == "truncated"
    assert len(json.loads(str(outcome.rows[0][0]))["number"]) == 20
    assert len((await data(graphql, "{ number(limit: 40) { value } }", limit=50))["number"]) == 40


async def test_what_no_known_member_had_is_told(
    local: LocalGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "MAX_MEMBERS", 1)
    runner = GraphqlRunner(local)
    assert (await ask(runner, "{ number { value of { iri } } }")).status == "truncated"
    outcome = await ask(runner, "{ odd(limit: 5) { iri of { iri } } }")
    assert outcome.status == "partial"
    assert outcome.reason == ("Values of of that are no IRIs are left out: ask for them in SPARQL.")
    assert json.loads(str(outcome.rows[0][0])) == {
        "odd": [
            {"iri": "http://e/odd1", "of": [{"iri": "http://e/n00"}]},
            {"iri": "http://e/odd2", "of": []},
        ]
    }


async def test_nothing_found_is_empty(graphql: GraphqlRunner) -> None:
    outcome = await ask(graphql, '{ car(label: "zzz") { iri } }')
    assert (outcome.status, outcome.rows) == ("empty", ())
    assert outcome.audit.raw == b'{"car":[]}'
    assert (await ask(graphql, '{ car(iri: "http://e/vw") { iri } }')).status == "empty"


@pytest.mark.parametrize(
    "text",
    [
        'quote \\" and \\\\ back',
        '\\"',
        "\\\\",
    ],
)
async def test_texts_are_only_texts(graphql: GraphqlRunner, text: str) -> None:
    found = await data(graphql, f'{{ thing(label: "{text}") {{ iri }} }}')
    assert found == {"thing": [{"iri": "http://e/other"}]}


@pytest.mark.parametrize(
    "text",
    [
        '\\") } } UNION { ?s ?p ?o } #',
        "x\\n} UNION { ?s a ?c",
        "\\u0022)) } #",
    ],
)
async def test_injected_sparql_is_only_text(graphql: GraphqlRunner, text: str) -> None:
    assert (await ask(graphql, f'{{ car(label: "{text}") {{ iri }} }}')).status == "empty"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mutation { car { iri } }", "mutation is refused"),
        ("{ cars { iri } }", "Cannot query field 'cars'"),
        ("{ car { wheels } }", "Cannot query field 'wheels'"),
        ("{ zebra { iri } }", "'zebra' on type 'Query'. There are "),
        ("{ car }", "selection of subfields"),
        ('{ car(limit: "3") { iri } }', "Int cannot represent"),
        ("{ car(limit: -1) { iri } }", "limit -1"),
        ("{ car(offset: 100001) { iri } }", "offset 100001"),
        ("{ car(limit: 99999999999) { iri } }", "32-bit"),
        ("{ car { doors(offset: -1) } }", "offset -1"),
        ('{ car(iri: "e:> } #") { iri } }', "is no IRI"),
        ('{ car(iri: "golf") { iri } }', "is no IRI"),
        ('{ car(label: "") { iri } }', "0 characters"),
        ('{ car(label: "' + "x" * 300 + '") { iri } }', "300 characters"),
        ("{ car { x: doors x: iri } }", "conflict"),
        ("{ car { ... on Maker { iri } } }", "can never be of type"),
        ("query ($n: Int!) { car(limit: $n) { iri } }", "'$n' of required type 'Int!'"),
        ("query ($n: String) { car(limit: $n) { iri } }", "expecting type 'Int'"),
        ("{ car(limit: $n) { iri } }", "$n is not declared"),
        ('{ car { label(language: "d e") } }', "is no language tag"),
    ],
)
async def test_what_does_not_fit_is_refused(graphql: GraphqlRunner, text: str, why: str) -> None:
    outcome = await ask(graphql, text)
    assert outcome.status == "refused"
    assert why in outcome.reason
    assert "\n" not in outcome.reason
    assert outcome.audit.per_query_status_and_error == f"refused: {outcome.reason}"
    assert outcome.audit.result_summary == "not run"


async def test_an_answer_holds_so_many_things(
    graphql: GraphqlRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "{ maker { makes { madeBy { makes { madeBy { makes { iri } } } } } } }"
    assert (await ask(graphql, text)).status == "complete"
    monkeypatch.setattr(fetching, "MAX_NODES", 30)
    outcome = await ask(graphql, text)
    assert outcome.status == "error"
    assert "more than 30 things" in outcome.reason
    monkeypatch.setattr(fetching, "MAX_VALUES", 5)
    outcome = await ask(graphql, "{ number { value } }")
    assert outcome.status == "error"
    assert "more than 5 values" in outcome.reason


async def test_a_long_answer_is_an_error(
    graphql: GraphqlRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.sparql.graphql.reporting.MAX_DATA", 10)
    outcome = await ask(graphql, "{ car { iri } }")
    assert outcome.status == "error"
    assert "at most 10 are given" in outcome.reason


async def test_the_time_is_kept(local: LocalGraph) -> None:
    outcome = await ask(GraphqlRunner(local), "{ car { iri } }", timeout=0.0001)
    assert outcome.status == "error"
    assert "time" in outcome.reason


async def test_named_graphs_are_read_with_the_default_graph(tmp_path) -> None:
    (tmp_path / "a.trig").write_text(
        "@prefix e: <http://e/> . e:a a e:Car ; e:madeBy e:vw . "
        "e:one { e:b a e:Car ; e:madeBy e:vw . } e:two { e:vw a e:Maker ; e:name 'VW' . }",
        "utf-8",
    )
    graph = LocalGraph(build_store([tmp_path], tmp_path / "stores").path)
    try:
        found = await data(GraphqlRunner(graph), "{ car { iri madeBy { name } } }")
    finally:
        graph.close_now()
    made = [{"name": ["VW"]}]
    assert found["car"] == [
        {"iri": "http://e/a", "madeBy": made},
        {"iri": "http://e/b", "madeBy": made},
    ]


async def test_a_thing_without_an_iri_is_no_text(tmp_path) -> None:
    text = '@prefix e: <http://e/> . e:a a e:Car ; e:has [ e:size 3 ], "_:b" .'
    (tmp_path / "a.ttl").write_text(text, "utf-8")
    graph = LocalGraph(build_store([tmp_path], tmp_path / "stores").path)
    try:
        found = await data(GraphqlRunner(graph), "{ car { has } }")
    finally:
        graph.close_now()
    [without, literal] = sorted(found["car"][0]["has"], key=len, reverse=True)
    assert without.startswith("_:") and literal == "_:b"


async def test_a_graph_without_classes_says_so(tmp_path) -> None:
    (tmp_path / "plain.nt").write_text("<http://e/a> <http://e/b> <http://e/c> .\n", "utf-8")
    graph = LocalGraph(build_store([tmp_path], tmp_path / "stores").path)
    try:
        outcome = await ask(GraphqlRunner(graph), "{ car { iri } }")
    finally:
        await graph.close()
    assert outcome.status == "error"
    assert "has no GraphQL schema" in outcome.reason


async def test_another_language_is_refused(graphql: GraphqlRunner) -> None:
    assert (await graphql.run(Request("sparql", "ASK {}"))).status == "refused"


async def with_variables(runner: GraphqlRunner, text: str, **variables: Any) -> Outcome:
    return await runner.run(Request("graphql", text, 10, 10.0, variables))


async def test_variables_have_the_values_that_are_sent(graphql: GraphqlRunner) -> None:
    text = "query Q($l: String!, $n: Int = 1) { car(label: $l, limit: $n) { iri } }"
    outcome = await with_variables(graphql, text, l="o", n=2)
    assert [one["iri"] for one in json.loads(str(outcome.rows[0][0]))["car"]] == [
        "http://e/golf",
        "http://e/polo",
    ]
    assert outcome.audit.query_text.endswith('# variables: {"l":"o","n":2}')
    one = await with_variables(graphql, text, l="o")
    assert len(json.loads(str(one.rows[0][0]))["car"]) == 1


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({}, "'$l' of required type 'String!'"),
        ({"l": 5}, "String cannot represent"),
        ({"l": "x", "z": 1}, "no variable z: it declares l"),
        ({"l": '") } mutation {'}, ""),
        ({"l": "x" * 30_000}, "20000 characters"),
    ],
)
async def test_values_of_variables_are_checked(
    graphql: GraphqlRunner, variables: dict[str, Any], why: str
) -> None:
    text = "query ($l: String!) { car(label: $l) { iri } }"
    outcome = await with_variables(graphql, text, **variables)
    assert outcome.status == ("refused" if why else "empty")
    assert why in outcome.reason


async def test_one_value_without_a_class_hinders_nobody(graphql: GraphqlRunner) -> None:
    found = await data(graphql, "{ shop { sells { iri label doors } } }")
    sold = {one["iri"]: one for shop in found["shop"] for one in shop["sells"]}
    assert sold["http://e/golf"]["doors"] == [5]
    assert sold["http://e/unknown"] == {
        "iri": "http://e/unknown", "label": "A car without a class", "doors": [],
    }  # fmt: skip


async def test_exact_labels_come_first(graphql: GraphqlRunner) -> None:
    found = await data(graphql, '{ shop(label: "golf shop of the north") { iri } }')
    assert [one["iri"] for one in found["shop"]] == ["http://e/s3"]
    found = await data(graphql, '{ shop(label: "the golf shop", limit: 1) { iri } }')
    assert [one["iri"] for one in found["shop"]] == ["http://e/s2"]
    # s1 and s3 are before s2 by their IRIs, and hold the text; only s1 is called so.
    found = await data(graphql, '{ shop(label: "golf shop") { iri } }')
    assert [one["iri"] for one in found["shop"]] == ["http://e/s1", "http://e/s2", "http://e/s3"]
    found = await data(graphql, '{ shop(label: "golf", limit: 3) { iri } }')
    assert len(found["shop"]) == 3


async def test_texts_in_a_language(graphql: GraphqlRunner) -> None:
    text = """{ shop(iri: "http://e/s2") {
        label(language: "de") en: label slogan(language: "de") all: slogan } }"""
    [shop] = (await data(graphql, text))["shop"]
    assert (shop["label"], shop["en"]) == ("Golfladen", "The Golf shop")
    assert sorted(shop["slogan"]) == ["Fahr", "VROOM"]
    assert sorted(shop["all"]) == ["Drive", "Fahr", "VROOM"]
    none = await data(graphql, '{ shop(iri: "http://e/s3") { label(language: "fr") } }')
    assert none["shop"][0]["label"] == "Golf shop of the north"
