"""The demo of the server of all toolsets: one process, one ledger."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.cli.demo import Exchange


def _claims(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return one draft of what the answers of three toolsets say."""
    return {
        "draft": " ".join(str(one.get("answer", "")) for one in answers[:3]),
        "evidence_ids": [one["evidence_id"] for one in answers[:3] if one.get("evidence_id")],
    }


def _a_claim(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the same draft with one more sentence, in which two digits changed places."""
    told = _claims(answers)
    wrong = "Population of China in 2010 was 1,337,750,000 people."
    return told | {"draft": f"{told['draft']} {wrong}"}


SCRIPT = [
    Exchange(
        "Assets of a catalogue, with a typo",
        "submit_slots",
        {
            "slots": {
                "domains": ["hdmap"],
                "filters": {"country": "Germany", "roadTypes": "motorwy"},
            },
            "limit": 2,
        },
        ("total", "corrections"),
    ),
    Exchange(
        "A figure with its source",
        "query_metric",
        {"metric": "population", "entity": "China", "period": "2010"},
        ("value_text", "source"),
    ),
    Exchange(
        "A way through London",
        "compute_journey_plans",
        {"starting_point": "Paddington", "destination": "Tate Modern", "time": "9am"},
        ("source", "journey_id"),
    ),
    Exchange(
        "One text of all three, and a sentence in which two digits of the figure changed places",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
    Exchange(
        "The same text without it, against the one ledger",
        "verify_answer",
        _claims,
        ("verdict",),
    ),
]
