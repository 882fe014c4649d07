"""What a prompt asks, and when an entity's text is that and nothing else."""

from __future__ import annotations

import re

import pytest

from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.workflow.model import Hit, Row, Steps
from groundwire.sparql.workflow.questions import (
    Question,
    answering,
    answers,
    asks_the_same,
    is_called,
    may_answer,
    read_question,
    read_questions,
)

ENDPOINT = Endpoint(name="a", url="https://a.example/sparql")


@pytest.mark.parametrize(
    ("prompt", "kind", "subject"),
    [
        ("What is SPARQL?", "definition", "SPARQL"),
        ("what's a tri-state", "definition", "tri-state"),
        ("Could you please tell me what SPARQL is?", "definition", "SPARQL"),
        ("Hello, can you explain to me what a graph is, please?", "definition", "graph"),
        ("What does as_of mean?", "definition", "as_of"),
        ("Tell me about the audit block.", "description", "audit block"),
        ("Explain provenance", "definition", "provenance"),
        ("the definition of water", "definition", "water"),
        ("请问三态是什么意思呢？", "definition", "三态"),
        ("什么是SPARQL？", "definition", "SPARQL"),
        ("How do I connect Claude Desktop?", "how", "connect Claude Desktop"),
        ("Explain how to set an endpoint", "how", "set an endpoint"),
        ("怎么连接主机", "how", "连接主机"),
        # Of what is asked beside, nothing is left out.
        ("What is SPARQL used for in hospitals?", "definition", "SPARQL used for in hospitals"),
        ("What is not SPARQL?", "definition", "not SPARQL"),
        ("Who invented SPARQL?", "sentence", "Who invented SPARQL"),
        ("How many terms are narrower than water?", "sentence", None),
        ("narrower terms of Water", "name", "narrower terms of Water"),
        ("SPARQL", "name", "SPARQL"),
    ],
)
def test_a_sentence_is_read_from_its_beginning_to_its_end(
    prompt: str, kind: str, subject: str | None
) -> None:
    found = read_question(prompt)
    assert found.kind == kind
    assert found.subject == (subject or found.text)


def test_every_sentence_of_a_prompt_has_to_be_answered() -> None:
    readings = read_questions("What is SPARQL? And who invented it?")
    assert [[one.kind for one in reading] for reading in readings] == [
        ["definition"], ["definition", "sentence"]
    ]  # fmt: skip
    # But for those that ask nothing.
    [_, reading] = read_questions("What is SPARQL? Ask the graph, and give me the links. Thanks!")
    assert [(one.kind, one.subject) for one in reading] == [("definition", "SPARQL")]
    assert read_questions("???") == ()


@pytest.mark.parametrize(
    ("name", "subject", "same"),
    [
        ("SPARQL", "sparql", True),
        ("The Beatles", "Beatles", True),
        ("tri-state", "tri state", True),
        ("Sea water", "water", False),
        ("water", "waters", True),
        ("IT", "it", False),
        ("IT", "IT", True),
        ("C++", "C", False),
        ("", "", False),
    ],
)
def test_a_name_is_the_same_but_for_spelling(name: str, subject: str, same: bool) -> None:
    assert is_called(name, subject) is same


def test_a_title_asks_the_same_in_other_words() -> None:
    how_to = "How to connect Claude Desktop"
    assert asks_the_same(how_to, read_question("How can we connect Claude Desktop?"))
    assert asks_the_same(how_to, read_question("connect Claude Desktop"))
    assert not asks_the_same(how_to, read_question("What is connect Claude Desktop?"))
    assert not asks_the_same(how_to, read_question("How do I not connect Claude Desktop?"))
    assert asks_the_same("What is SPARQL?", read_question("Tell me what SPARQL is"))
    # A name is no question.
    assert not asks_the_same("What is SPARQL?", read_question("SPARQL"))


def row(label: str, **more: object) -> Row:
    made = {"iri": f"urn:{label}", "label": label, "text": "t", "score": 1.0, "endpoint": ENDPOINT}
    return Row(**{"names": (label,), "source": "text", **made, **more})


BOUND = [
    ("What is water?", row("Water"), True),
    ("What is water?", row("Sea water"), False),
    ("What is water?", row("Water", source=""), False),
    ("What is water?", row("Eau", names=("Eau", "water")), True),
    ("water", row("Water"), False),
    ("narrower terms of Water", row("Water"), False),
    ("Who discovered water?", row("Water"), False),
    ("What is the boiling point of water?", row("Water"), False),
    ("What is water?", row("What is water?", source="answer", kind="question"), True),
    # The text of a question is no answer to it.
    ("What is water?", row("What is water?", kind="question"), False),
    ("What is ice?", row("What is water?", source="answer", kind="question"), False),
    ("Why is the sky blue?", row("Why is the sky blue?"), True),
    ("How do I boil water?", row("How to boil water", kind="how_to"), False),
    ("How do I boil water?", row("How to boil water", steps=Steps(("boil",), (1,))), True),
    ("How do I boil water?", row("Boil water", steps=Steps(("boil",), (1,))), True),
    ("How do I boil water?", row("How to boil water", steps=Steps()), False),
    ("How do I boil water?", row("How to boil sea water", steps=Steps(("boil",), (1,))), False),
    ("How do I boil water?", row("boil water"), False),
    ("What is boil water?", row("How to boil water", steps=Steps(("boil",), (1,))), False),
]


@pytest.mark.parametrize(("prompt", "found", "bound"), BOUND)
def test_only_what_is_asked_answers(prompt: str, found: Row, bound: bool) -> None:
    assert answers(found, read_question(prompt)) is bound
    assert answering([found], read_questions(prompt))[1] is bound


def test_of_two_questions_both_have_to_be_bound() -> None:
    rows = [row("SPARQL"), row("RDF")]
    readings = read_questions("What is SPARQL? What is RDF?")
    assert answering(rows, readings) == (rows, True)
    assert answering(rows[:1], readings) == (rows[:1], False)


def test_a_text_that_is_no_name_names_nothing() -> None:
    readings = read_questions("What is water?")
    assert may_answer(Hit("urn:x", "x", "Water", 1.0, is_name=True), readings)
    assert not may_answer(Hit("urn:x", "x", "Water", 1.0), readings)


def test_long_and_adversarial_prompts_are_read_in_time() -> None:
    for text in ("what is " * 20_000, "tell me " * 500, "? " * 40_000, "the " * 70 + "x is"):
        read_questions(text)
    assert read_question("what is " + "x" * 1000) == Question(
        "sentence", "what is " + "x" * 1000, "what is " + "x" * 1000
    )
    assert re.fullmatch(r"\w+", read_question("please " * 6 + "x").kind)
