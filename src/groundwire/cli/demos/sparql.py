"""The demo of the sparql server, on the embedded registry."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from groundwire.cli.demo import Exchange

_LABELS = (
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    "SELECT ?label WHERE { ?s rdfs:label ?label }"
)
_BORDERS = (
    "PREFIX c: <https://groundwire.example/countries#> "
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    "SELECT ?country ?name ?people WHERE { ?country a c:Country ; rdfs:label ?name ; "
    "c:population ?people . FILTER(LANG(?name) = 'en') } ORDER BY DESC(?people)"
)


def _undecided(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The user's decision after a run that found nothing."""
    run = next(one for one in reversed(answers) if one.get("status") == "needs_decision")
    return {"run_id": run["run_id"], "decision": "synthesize"}


def _a_claim(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A draft of which one figure is invented."""
    sql = next(one for one in answers if one.get("columns") == ["country", "value"])
    return {
        "draft": "China had 1,337,705,000 people in 2010, and India 1,500,000,000.",
        "evidence_ids": [sql["evidence_id"]],
    }


# A kind of question, and the question. None names an endpoint: the graph that holds it is found.
_KINDS = (
    ("A relation", "What is the capital of Mongolia?"),
    ("The same relation the other way round", "In welchen Ländern wird Portugiesisch gesprochen?"),
    ("Two hops", "What are the capitals of the countries that border Austria?"),
    ("A count", "有多少个国家与巴西接壤？"),
    ("Yes, no, or not stated", "Does Portugal border France?"),
    ("A comparison", "Wer hat mehr Einwohner, Spanien oder Polen?"),
    ("A superlative, within a continent", "非洲人口最多的国家是哪个？"),
    ("A superlative of links", "Which country has the most neighbours?"),
    ("A bound, with the unit that the graph states",
     "Which countries in Asia have an area of more than 3 million square kilometres?"),
    ("A value in a year", "Wie viele Einwohner hatte Österreich im Jahr 1970?"),
    ("A list", "List the countries of South America"),
    ("A name in a language", "What is Austria called in Chinese?"),
    ("Two conditions at once", "Which countries border both France and Spain?"),
    ("One or the other", "Which countries border Portugal or Andorra?"),
    ("A denial, and what the graph does not state",
     "Welche Länder in Südamerika grenzen nicht an Brasilien?"),
    ("What is stated of nothing", "Which countries in Africa have no neighbours?"),
    ("Several properties of one", "智利的首都和人口是什么？"),
    ("One property of several", "What are the capitals of Kenya, Uganda and Tanzania?"),
    ("A place in an order", "Welches Land hat die zweitgrößte Fläche?"),
    ("The first few", "What are the three largest countries in South America by area?"),
    ("A superlative among neighbours", "Which neighbour of Germany has the most inhabitants?"),
    ("A relation of what is first",
     "What is the capital of the largest country in Africa by area?"),
    ("A comparison of three", "法国、意大利和西班牙哪个国家面积最大？"),
    ("Two bounds, within a group",
     "Which European countries have between 10 and 12 million inhabitants?"),
    ("A count of what meets several conditions",
     "How many countries in South America border Brazil?"),
    ("What two have in common", "Which languages are spoken in both Belgium and Switzerland?"),
    ("A question that may mean two things is asked back", "Which is bigger, France or Germany?"),
    ("What the graph does not state is not answered", "Who is the president of France?"),
)  # fmt: skip


_SHORTER = re.compile(r"<[^<>\s]+[#/]([^<>#/\s]+)>")
# Queries that patterns need beside their own: the properties of the graph, their use and names,
# what joins two entities, and how many state no value.
_BEFORE = (
    "SELECT ?kind ", "SELECT DISTINCT ?p ?sc ", "LABEL INDEX", "SELECT DISTINCT ?iri ?label",
    "SELECT DISTINCT ?p ?unit", "SELECT ?a ?b ", "SELECT DISTINCT ?p ?out WHERE",
    "SELECT (COUNT(DISTINCT ?x) AS ?count)",
)  # fmt: skip


def _query(answer: Mapping[str, Any]) -> tuple[str, Any]:
    """The queries of the pattern itself, with the last part of each IRI alone."""
    queries = (str(one["query_text"]) for one in answer.get("audits") or ())
    texts = [_SHORTER.sub(r"\1", " ".join(one.split())) for one in queries]
    return "query", [one for one in texts if not one.startswith(_BEFORE)]


def _ended(answer: Mapping[str, Any]) -> tuple[str, str]:
    """How it ended, and how sure the pattern is that ran."""
    sure = f", confidence {answer['confidence']}" if answer.get("confidence") else ""
    return "status", f"{answer['status']}{sure}"


SCRIPT = [
    Exchange(
        "Which endpoints are there, and do they answer?", "list_endpoints", {}, ("endpoints",)
    ),
    Exchange(
        "What is SPARQL? The graph is asked first, and every entity links to its IRI",
        "run_kg_workflow",
        {"prompt": "What is SPARQL?"},
        ("status", "markdown", "steps"),
    ),
    Exchange(
        "The same in Chinese",
        "run_kg_workflow",
        {"prompt": "什么是SPARQL？"},
        ("status",),
    ),
    Exchange(
        "A question that the graph cannot answer: the user decides, nobody guesses",
        "run_kg_workflow",
        {"prompt": "Who won the chess match yesterday?"},
        ("status", "question", "steps"),
    ),
    Exchange(
        "... and where the workflow is mandatory it is aborted, with its audit",
        "run_kg_workflow",
        {"prompt": "Who won the chess match yesterday?", "enforce": "strict"},
        ("status", "exit_message"),
    ),
    Exchange("The user decides", "run_kg_workflow", _undecided, ("status", "steps")),
    *(
        Exchange(
            f"{kind}: {prompt}",
            "run_kg_workflow",
            {"prompt": prompt},
            (_ended, _query),
        )
        for kind, prompt in _KINDS
    ),
    Exchange(
        "A query of one's own: each column says what its cells are, and the file has all rows",
        "execute_query",
        {
            "query_language": "sparql",
            "query_string": _BORDERS,
            "endpoint": "countries",
            "limit": 3,
            "export": "parquet",
        },
        ("status", "rows", "column_kinds", "export_path"),
    ),
    Exchange(
        "GraphQL with a variable and a language",
        "execute_query",
        {
            "query_language": "graphql",
            "query_string": "query ($name: String!) { country(label: $name, limit: 1) "
            '{ label(language: "zh") capital { label(language: "zh") } borders { label } } }',
            "variables": {"name": "Austria"},
            "endpoint": "countries",
        },
        ("status", "rows"),
    ),
    Exchange(
        "SPARQL, cut at the limit: it says so",
        "execute_query",
        {"query_language": "sparql", "query_string": _LABELS, "limit": 3},
        ("status", "rows", "reason"),
    ),
    Exchange(
        "SQL on the sample facts",
        "execute_query",
        {
            "query_language": "sql",
            "query_string": "SELECT country, value FROM population "
            "WHERE year = 2010 AND country IN ('China', 'India') ORDER BY value DESC",
        },
        ("status", "rows"),
    ),
    Exchange(
        "SPARQL within SQL",
        "execute_query",
        {
            "query_language": "spasql",
            "query_string": "SELECT count(*) AS terms FROM (SPARQL SELECT ?t WHERE "
            "{ ?t a <http://schema.org/DefinedTerm> }) AS g",
        },
        ("status", "rows"),
    ),
    Exchange(
        "A way out of the graph is refused before anything is run",
        "execute_query",
        {
            "query_language": "sparql",
            "query_string": "SELECT * { \\u0053ERVICE <http://169.254.169.254/> { ?s ?p ?o } }",
        },
        ("status", "audit"),
    ),
    Exchange(
        "So is reading files by SQL",
        "execute_query",
        {"query_language": "sql", "query_string": "SELECT * FROM read_text('/etc/hostname')"},
        ("status",),
    ),
    Exchange(
        "Entities by their label",
        "match_label",
        {"text": "tri-state", "limit": 3},
        ("matches",),
    ),
    Exchange(
        "A misspelt endpoint is refused with the nearest name",
        "execute_query",
        {"query_language": "sql", "query_string": "SELECT 1", "endpoint": "sampel"},
    ),
    Exchange(
        "Before a user sees a draft, it is checked: one figure in it is invented",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
