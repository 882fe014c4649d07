"""Clauses that tell a recorded text in its words are supported; those that change it are not."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Statement, Value
from tests.evidence.drafts import record

PLACE = (
    "A place that answers queries, under one name: a block in parentheses that begins with a key "
    "stands where a row could, or a table."
)
NOTE = (
    "The query language of RDF graphs, a standard of the W3C. A timeout is never reported as empty."
)
STEPS = (
    ("Run the new installer; it prints the path.", "Das Installationsprogramm ausführen."),
    ("Open Settings and put the key into settings.json, under servers.",),
    ("Quit the editor and start it again.", "退出编辑器并重新启动。"),
)
RECORDS = [
    record(
        [
            Value("description", NOTE, "text"),
            Value("description", PLACE, "text", entity="endpoint"),
            *(Value("text", step[0], "text", entity="How to connect the editor") for step in STEPS),
        ],
        statements=[
            Statement("relation", ("SPARQL",), ("name",), (("SPARQL",),)),
            Statement(
                "order",
                ("How to connect the editor",),
                ("step", "steps", "Schritt", "步骤", "一步"),
                STEPS,
                complete="all_listed",
            ),
        ],
    )
]


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("SPARQL is the query language for RDF graphs and a standard of the W3C.", True),
        ("SPARQL is the query language of RDF graphs.", True),
        ("SPARQL is the query language for tables.", False),
        ("SPARQL is not the query language for RDF graphs.", False),
        ("RDF graphs are the query language of SPARQL.", False),
        ("A timeout is never reported as empty.", True),
        ("A timeout is reported as empty.", False),
        ("A failure is never reported as empty.", False),
        ("First run the new installer, then put the key into settings.json under servers.", True),
        ("First put the key into settings.json under servers, then run the new installer.", False),
        ("Finally quit the editor and start it again.", True),
        ("First quit the editor and start it again.", False),
        ("Second, quit the editor and start it again.", False),
        ("Run the new installer after you put the key into settings.json under servers.", False),
        ("1. Put the key into settings.json under servers.", False),
        ("2. Put the key into settings.json under servers.", True),
        ("Then put the key under servers in settings.json.", True),
        ("Then put the key under settings.json in servers.", False),
        ("Quit and restart the editor.", True),
        ("Start the editor and quit it again.", False),
        ("Quit the editor after you put the key into settings.json under servers.", True),
        ("Put the key into settings.json under servers once you have quit the editor.", False),
        ("Before you quit the editor, put the key into settings.json under servers.", True),
        ("Where a row could, a key stands that begins with a block in parentheses.", False),
        ("An endpoint is a place that answers queries, under one name.", True),
        ("SPARQL is a place that answers queries, under one name.", False),
        ("最后一步是退出并重新启动编辑器。", True),
        ("第二步是退出并重新启动编辑器。", False),
        ("第一步是退出并重新启动编辑器。", False),
    ],
)
def test_a_recorded_text_may_be_told_in_its_own_words(draft: str, held: bool) -> None:
    assert (check(draft, RECORDS).verdict == "supported") == held


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Run the new installer first, then add the key to settings.json, under servers.", True),
        ("Open Settings and add the key under servers.", True),
        ("Starten Sie zuletzt den Editor neu.", True),
        ("Open the key under servers.", False),
        ("Add the editor under servers.", False),
        ("Add the key under servers first, then run the new installer.", False),
    ],
)
def test_steps_may_be_told_with_other_verbs_for_the_same_act(draft: str, held: bool) -> None:
    assert (check(draft, RECORDS).verdict == "supported") is held
