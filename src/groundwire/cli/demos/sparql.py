"""The demo of the sparql server, on the embedded registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.cli.demo import Exchange

_LABELS = (
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    "SELECT ?label WHERE { ?s rdfs:label ?label }"
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
