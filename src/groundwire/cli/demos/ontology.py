"""The exchanges of `groundwire demo ontology`."""

from __future__ import annotations

from typing import Any

from groundwire.cli.demo import Answer, Exchange


def _a_claim(answers: list[Answer]) -> dict[str, Any]:
    """A draft with one true count and one invented one, checked against the first search."""
    first = answers[1]
    return {
        "draft": f"The catalogue has {first['total']} HD maps of motorways in Germany. "
        f"{first['total'] * 3 + 1} HD maps of motorways in Germany can be used at once.",
        "evidence_ids": [first["evidence_id"]],
    }


def _first_asset(answers: list[Answer]) -> dict[str, Any]:
    return {"iri": answers[1]["results"][0]["iri"]}


# Ten questions of someone who looks after a catalogue, and what becomes of mistakes.
SCRIPT = [
    Exchange("What do we have?", "discover_domains", {}),
    Exchange(
        "Which HD maps of motorways in Germany? (sent with a typo, a plural and a country's name)",
        "submit_slots",
        {
            "slots": {
                "domains": "HD maps",
                "filters": {"roadTypes": "motorwy", "country": "Germany"},
            },
            "interpretation": "HD maps of motorways in Germany",
            "limit": 3,
        },
        ("confidence", "corrections", "results"),
    ),
    Exchange(
        "Which of our maps does no scenario use?",
        "submit_slots",
        {
            "slots": {
                "domains": ["hdmap"],
                "references": {"domain": "scenario", "none": True},
            },
            "limit": 3,
        },
        ("applied", "results"),
    ),
    Exchange(
        "Which German maps are used by a scenario in fog? (fog is stored in two forms)",
        "submit_slots",
        {
            "slots": {
                "domains": ["hdmap"],
                "filters": {"country": "DE"},
                "references": {"domain": "scenario", "filters": {"weather": "fog"}},
            },
            "limit": 3,
        },
        ("corrections", "results"),
    ),
    Exchange(
        "How many kilometres of road have we mapped, country by country?",
        "submit_slots",
        {
            "slots": {"domains": ["hdmap"]},
            "aggregate": {"property": "length", "function": "sum"},
            "count_by": "country",
        },
        ("counts",),
    ),
    Exchange(
        "How many assets are there under each licence?",
        "submit_slots",
        {"slots": {"domains": ["hdmap", "scenario"]}, "count_by": "license"},
        ("counts",),
    ),
    Exchange(
        "Which MCAP traces made in 2024 or later hold personal data? (a boolean and a date)",
        "submit_slots",
        {
            "slots": {
                "domains": ["ositrace"],
                "filters": {"containsPII": "yes", "fileFormat": "MCAP"},
                "ranges": {"created": {"from": "2024"}},
            },
            "limit": 2,
        },
        ("applied", "results"),
    ),
    Exchange(
        "What is called Karlsruhe?",
        "submit_slots",
        {
            "slots": {"domains": ["hdmap"], "filters": {"name": {"contains": "Karlsruhe"}}},
            "limit": 3,
        },
        ("results",),
    ),
    Exchange(
        "Have we anything in Switzerland? (a country that the shapes allow and no asset has)",
        "submit_slots",
        {"slots": {"domains": ["hdmap"], "filters": {"country": "Switzerland"}}},
        ("status", "explanation_of_empty"),
    ),
    Exchange("What is known of the first map?", "get_asset", _first_asset, ("values",)),
    Exchange(
        "Maps with motorways and with country roads (all of them, not any), the longest first",
        "submit_slots",
        {
            "slots": {
                "domains": ["hdmap"],
                "filters": {"roadTypes": {"all": ["motorway", "rural"]}},
                "ranges": {"length": "more than 20 km"},
            },
            "sort": "-length",
            "limit": 3,
        },
        ("corrections", "results"),
    ),
    Exchange(
        "Scenarios that run on a map which a surface model of asphalt lies on: nested references",
        "submit_slots",
        {
            "slots": {
                "domains": ["scenario"],
                "references": {
                    "domain": "hdmap",
                    "references": {"domain": "surface models", "filters": {"pavement": "asphalt"}},
                },
            },
            "limit": 2,
        },
        ("applied", "results"),
    ),
    Exchange(
        "Nothing matches, and the answer says what each condition costs",
        "submit_slots",
        {
            "slots": {
                "domains": ["hdmap"],
                "filters": {"country": "France", "license": "MIT"},
                "ranges": {"length": {"gte": 40}},
            }
        },
        ("explanation_of_empty",),
    ),
    Exchange(
        "Suburban roads: near to urban, but another word, so nothing is guessed",
        "submit_slots",
        {"slots": {"domains": ["hdmap"], "filters": {"roadTypes": "suburban"}}},
        ("status", "gaps"),
    ),
    Exchange(
        "A key that stands for two properties is asked back, with both names",
        "submit_slots",
        {"slots": {"domains": ["ositrace"], "filters": {"version": "1.0.0"}}},
        ("status", "gaps"),
    ),
    Exchange(
        "A misspelt argument is refused with the nearest name, not dropped",
        "submit_slots",
        {"slot": {"domains": ["hdmap"]}},
    ),
    Exchange(
        "Before a user sees a draft, it is checked: one count in it is invented",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
