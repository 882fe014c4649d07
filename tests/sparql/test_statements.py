"""What answers about graphs and databases state: triples, matches, steps, counts, absence."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from statements import condition, first_names, of_kind, said, unproven

from groundwire.evidence.records import Draft
from groundwire.graph.terms import Term
from groundwire.profiles import sparql_help, sparql_sample
from groundwire.sparql.answering import execute_query
from groundwire.sparql.execution import Execution
from groundwire.sparql.looking import Search, describe_entity, explore_types, match_label
from groundwire.sparql.opening import Supplies
from groundwire.sparql.outcome import Outcome, QueryAudit
from groundwire.sparql.running import WorkflowRequest, run_kg_workflow
from groundwire.sparql.runs import Runs
from groundwire.sparql.statements import inverse_names, predicate_names, same_labels_in
from groundwire.sparql.workspace import Workspace

pytestmark = pytest.mark.anyio
HELP = "https://groundwire.example/help#"
SKOS = "http://www.w3.org/2004/02/skos/core#"

THESAURUS = """
@prefix : <https://example.org/water/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix schema: <http://schema.org/> .
:water a skos:Concept ; skos:prefLabel "Water"@en , "Wasser"@de , "水"@zh .
:sea a skos:Concept ; skos:prefLabel "Sea water"@en , "Meerwasser"@de ; skos:broader :water .
:ice a skos:Concept ; skos:prefLabel "Ice"@en ; skos:broader :water ; :density 0.917 .
:filter a schema:HowTo ; schema:name "How to filter water"@en ; schema:step :f1 , :f3 .
:f1 a schema:HowToStep ; schema:position 1 ; schema:text "Take a jug."@en .
:f3 a schema:HowToStep ; schema:position 3 ; schema:text "Drink."@en .
"""

REGISTRY = """
default_endpoint = "default"
[[endpoints]]
name = "default"
url = "local:help"
[[endpoints]]
name = "sample"
kind = "sql"
url = "local:sample"
[[endpoints]]
name = "thesaurus"
files = ["water.ttl"]
"""


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def workspace(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Workspace]:
    folder = tmp_path_factory.mktemp("statements")
    (folder / "water.ttl").write_text(THESAURUS, "utf-8")
    (folder / "endpoints.toml").write_text(REGISTRY, "utf-8")
    supplies = Supplies(folder / "home", sparql_help(), sparql_sample())
    opened = Workspace(folder / "endpoints.toml", supplies)
    yield opened
    await opened.close()


async def run(workspace: Workspace, prompt: str, endpoint: str = "") -> tuple[Any, Draft]:
    runs = Runs()
    result, draft = await run_kg_workflow(
        workspace, runs, "local", WorkflowRequest(prompt, endpoint=endpoint)
    )
    assert draft is not None
    return result, draft


async def query(
    workspace: Workspace, text: str, language: str = "sparql", endpoint: str = "thesaurus"
) -> tuple[Any, Draft]:
    return await execute_query(workspace, Execution(language, text, endpoint), "local")


def _found(*rows: tuple[Term, ...]) -> Outcome:
    audit = QueryAudit("sparql", "", "thesaurus", "local:thesaurus", "", "", None, "complete", "")
    return Outcome("complete", ("text", "iri", "label"), rows, "", audit)


# Predicates


def test_a_predicate_has_the_names_of_its_inverse() -> None:
    broader = predicate_names(f"{SKOS}broader", {})
    assert broader[0] == "broader"
    assert {"broader term", "Oberbegriff", "narrower term of", "Unterbegriff von"} <= set(broader)
    narrower = inverse_names(f"{SKOS}broader", {})
    assert {"narrower", "narrower term", "broader term of", "Oberbegriff von"} <= set(narrower)
    assert not {"narrower term", "broader term of"} & set(broader)


def test_a_predicate_that_nobody_knows_is_turned_by_its_noun() -> None:
    iri = "http://e/hasCapital"
    labels = {iri: [("capital", "en"), ("Hauptstadt", "de")]}
    names = predicate_names(iri, labels)
    assert names[:2] == ("hasCapital", "has capital") and {"capital", "Hauptstadt"} <= set(names)
    assert set(inverse_names(iri, labels)) == {"capital of", "Hauptstadt von"}


# describe_entity


async def test_triples_are_relations_with_every_label(workspace: Workspace) -> None:
    found, draft = await describe_entity(workspace, "https://example.org/water/sea", "thesaurus")
    (broader,) = [one for one in of_kind(draft, "relation") if one.predicate[0] == "broader"]
    assert broader.subject[:2] == ("Sea water", "Meerwasser")
    assert set(broader.objects[0]) == {"Water", "Wasser", "水", "https://example.org/water/water"}
    assert broader.complete == "all_listed"
    assert unproven(found.answer, draft) == []
    assert len(found.audits) == 2


async def test_triples_to_an_entity_are_relations_of_the_inverse(workspace: Workspace) -> None:
    _, draft = await describe_entity(workspace, "https://example.org/water/water", "thesaurus")
    (narrower,) = [one for one in of_kind(draft, "relation") if "narrower term" in one.predicate]
    assert narrower.subject[0] == "Water"
    assert set(first_names(narrower.objects)) == {"Sea water", "Ice"}


async def test_an_entity_of_which_nothing_is_said_is_an_absence(workspace: Workspace) -> None:
    _, draft = await describe_entity(workspace, "https://example.org/water/Dry_Land", "thesaurus")
    (absence,) = of_kind(draft, "absence")
    assert {"Dry Land", "https://example.org/water/Dry_Land"} <= set(absence.subject)
    assert ("statement" in absence.predicate, absence.source) == (True, "thesaurus")


# match_label


async def test_matches_are_a_set_and_an_order(workspace: Workspace) -> None:
    found, draft = await match_label(workspace, Search("SPARQL"))
    (scope,) = of_kind(draft, "scope")
    assert draft.values[scope.value].value == str(len(found.matches))
    assert scope.complete == "all_listed"
    assert condition(scope, "text").objects == (("SPARQL",),)
    (order,) = of_kind(draft, "order")
    assert [names[-1] for names in order.objects] == [one.iri for one in found.matches]
    _, some = await match_label(workspace, Search("SPARQL", limit=1))
    assert of_kind(some, "scope")[0].complete == "page"
    assert unproven(found.answer, draft) == []


async def test_no_match_is_an_absence_of_what_was_looked_for(workspace: Workspace) -> None:
    found, draft = await match_label(workspace, Search("zzyzx", variants=("quux",)))
    assert not found.matches
    (absence,) = of_kind(draft, "absence")
    assert "match" in absence.predicate and absence.source == "default"
    assert condition(absence, "text").objects == (("zzyzx",), ("quux",))


# explore_types


async def test_each_type_is_a_counted_set(workspace: Workspace) -> None:
    found, draft = await explore_types(workspace, ("Question", "urn:nothing"), "", 10)
    (scope,) = of_kind(draft, "scope")
    assert {"question", "Question", "http://schema.org/Question"} <= set(scope.subject)
    assert draft.values[scope.value].value == str(found.types[0].count)
    (absence,) = of_kind(draft, "absence")
    assert "urn:nothing" in condition(absence, "type").objects[0]
    (kinds,) = of_kind(draft, "relation")
    assert kinds.complete == ""
    _, every = await explore_types(workspace, (), "thesaurus", 20)
    (kinds,) = of_kind(every, "relation")
    assert kinds.complete == "all_listed"
    assert unproven(found.answer, draft) == []


# run_kg_workflow


async def test_steps_are_an_order_that_says_whether_they_are_all(workspace: Workspace) -> None:
    result, draft = await run(workspace, "How to connect Claude Code")
    assert result.status == "answered"
    (order,) = of_kind(draft, "order")
    assert first_names(order.objects) == result.rows[0]["steps"]
    assert (order.complete, "step" in order.predicate) == ("all_listed", True)
    assert {"How to connect Claude Code", f"{HELP}connect-claude-code"} <= set(order.subject)


async def test_steps_with_a_gap_are_parts_with_their_numbers(workspace: Workspace) -> None:
    _, draft = await run(workspace, "How to filter water", "thesaurus")
    assert of_kind(draft, "order") == []
    parts = [(one.position, one.objects[0][0]) for one in of_kind(draft, "part")]
    assert parts == [(1, "Take a jug."), (3, "Drink.")]


async def test_a_row_binds_the_names_of_its_entity(workspace: Workspace) -> None:
    _, draft = await run(workspace, "What is SPARQL?")
    (row,) = of_kind(draft, "relation")
    assert {"What is SPARQL?", "什么是SPARQL？", f"{HELP}what-is-sparql"} <= set(row.subject)
    assert "question" in row.objects[0]


async def test_what_the_graph_does_not_answer_is_an_absence(workspace: Workspace) -> None:
    prompt = "What is the capital of Chile?"
    result, draft = await run(workspace, prompt)
    assert result.status == "needs_decision"
    (absence,) = of_kind(draft, "absence")
    assert (absence.subject, absence.source) == ((prompt,), "default")
    looked = condition(absence, "looked for")
    assert all(names[0] in result.answer for names in looked.objects)
    assert unproven(result.answer.partition(" Looked for ")[0], draft) == []


# execute_query


async def test_rows_relate_the_things_that_their_columns_name(workspace: Workspace) -> None:
    _, draft = await query(
        workspace,
        f"SELECT ?concept ?conceptLabel ?parent WHERE {{ ?concept <{SKOS}broader> ?parent ; "
        f"<{SKOS}prefLabel> ?conceptLabel FILTER(LANG(?conceptLabel) = 'en') }}",
    )
    stated = {one.subject[0]: one for one in of_kind(draft, "relation")}
    assert set(stated) == {"Sea water", "Ice"}
    assert stated["Ice"].predicate[:2] == ("parent", "broader")
    assert {"Water", "Wasser"} <= set(stated["Ice"].objects[0])
    (rows,) = of_kind(draft, "scope")
    assert (draft.values[rows.value].value, rows.complete) == ("2", "all_counted")


async def test_labels_in_rows_are_known_in_every_language(workspace: Workspace) -> None:
    _, draft = await query(
        workspace,
        f"SELECT ?name ?parent WHERE {{ ?x <{SKOS}broader> ?of ; <{SKOS}prefLabel> ?name . "
        f"?of <{SKOS}prefLabel> ?parent FILTER(LANG(?name) = 'en' && LANG(?parent) = 'en') }}",
    )
    stated = {one.subject: one.objects[0] for one in of_kind(draft, "relation")}
    assert stated[("Sea water", "Meerwasser")] == ("Water", "Wasser", "水")


def test_a_label_that_several_things_have_is_of_none_of_them() -> None:
    def row(iri: str, label: str) -> tuple[Term, ...]:
        written = Term("literal", "Spring", language="en")
        return written, Term("iri", iri), Term("literal", label, language="de")

    one = _found(row("urn:season", "Frühling"))
    assert same_labels_in(one) == {'"Spring"@en': [("Frühling", "de")]}
    assert same_labels_in(_found(row("urn:season", "Frühling"), row("urn:water", "Quelle"))) == {}


async def test_rows_of_triples_have_the_names_of_the_predicate(workspace: Workspace) -> None:
    _, draft = await query(
        workspace, f"SELECT ?s ?p ?o {{ ?s ?p ?o FILTER(?p = <{SKOS}broader>) }}"
    )
    stated = [one for one in of_kind(draft, "relation") if "broader term" in one.predicate]
    assert {one.subject[0] for one in stated} == {"Sea water", "Ice"}


async def test_columns_of_one_thing_are_names_of_it(workspace: Workspace) -> None:
    text = "SELECT * FROM country WHERE country_code = 'AGO'"
    _, draft = await query(workspace, text, "sql", "sample")
    (stated,) = of_kind(draft, "relation")
    assert stated.subject == ("Angola", "安哥拉", "AGO")


async def test_figures_are_values_and_no_relations(workspace: Workspace) -> None:
    text = "SELECT ?x ?density WHERE { ?x <https://example.org/water/density> ?density }"
    _, draft = await query(workspace, text)
    assert not [one for one in of_kind(draft, "relation") if "density" in one.predicate]
    assert "0.917" in {one.value for one in draft.values}


async def test_an_empty_query_is_an_absence_of_its_names(workspace: Workspace) -> None:
    text = f"SELECT ?x WHERE {{ ?x <{SKOS}prefLabel> 'Steam'@en }}"
    result, draft = await query(workspace, text)
    assert result.status == "empty"
    (absence,) = of_kind(draft, "absence")
    looked = {name for names in condition(absence, "pattern").objects for name in names}
    assert {"Steam", f"{SKOS}prefLabel"} <= looked


@pytest.mark.parametrize(
    ("text", "absences"),
    [
        ("SELECT ?x WHERE { ?x ?p ?o } LIMIT 0", 0),
        ("SELECT ?x WHERE { ?x ?p ?o } OFFSET 1000", 0),
        ("SELECT ?x WHERE { SERVICE <http://e/> { ?x ?p ?o } }", 0),
        ("ASK { <urn:nobody> ?p ?o }", 1),
        ("ASK { ?s ?p ?o }", 0),
    ],
)
async def test_only_what_was_looked_at_whole_is_absent(
    workspace: Workspace, text: str, absences: int
) -> None:
    _, draft = await query(workspace, text)
    assert len(of_kind(draft, "absence")) == absences


async def test_a_limit_is_no_evidence(workspace: Workspace) -> None:
    _, draft = await query(workspace, "SELECT ?x WHERE { ?x ?p ?o } LIMIT 731")
    assert "731" not in said(draft)


# Sources


async def test_every_answer_names_its_endpoint(workspace: Workspace) -> None:
    drafts = [
        (await describe_entity(workspace, f"{HELP}sparql", "default"))[1],
        (await match_label(workspace, Search("zzyzx")))[1],
        (await explore_types(workspace, (), "default", 3))[1],
        (await query(workspace, "SELECT ?s { ?s ?p ?o }", endpoint="default"))[1],
        (await query(workspace, "broken", endpoint="default"))[1],
        (await run(workspace, "What is SPARQL?"))[1],
    ]
    for draft in drafts:
        (source,) = of_kind(draft, "source")
        assert {"default", "knowledge graph", "知识图谱"} <= set(source.subject)
