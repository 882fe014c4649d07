"""What a prompt is about, by rules, in English and Chinese."""

from __future__ import annotations

import pytest

from groundwire.sparql.workflow.model import Triple
from groundwire.sparql.workflow.questions import (
    best_types,
    break_down,
    names_of,
    terms_of,
    variants_of,
)


@pytest.mark.parametrize(
    ("prompt", "subject", "predicate"),
    [
        ("What is SPARQL?", "SPARQL", "definition"),
        ("what's a tri-state", "tri-state", "definition"),
        ("What are the eight commands?", "eight commands", "definition"),
        ("Who is Ada Lovelace?", "Ada Lovelace", "definition"),
        ("What is the capital of France?", "France", "capital"),
        ("Who was the founder of the Acme Corp.?", "Acme Corp", "founder"),
        ("Who founded Acme?", "Acme", "founded"),
        ("When was Acme founded?", "Acme", "founded"),
        ("Where is Rome located?", "Rome", "located"),
        ("How do I connect Claude Desktop?", "connect Claude Desktop", "how"),
        ("How to read a describe link?", "read a describe link", "how"),
        ("Explain the audit block.", "audit block", "definition"),
        ("Define version 2.5 of it", "version 2.5 of it", "definition"),
        ("What does partial mean?", "partial", "definition"),
        ("什么是SPARQL？", "SPARQL", "definition"),
        ("知识图谱是什么？", "知识图谱", "definition"),
        ("法国的首都是什么？", "法国", "首都"),
        ("如何连接Claude Desktop？", "连接Claude Desktop", "how"),
        ("解释一下审计块。", "审计块", "definition"),
    ],
)
def test_a_question_is_split(prompt: str, subject: str, predicate: str) -> None:
    assert break_down(prompt) == (Triple(subject, predicate, ""),)


def test_two_questions_are_two_statements() -> None:
    found = break_down("What is SPARQL? Who founded Acme?")
    assert set(found) == {Triple("SPARQL", "definition", ""), Triple("Acme", "founded", "")}


def test_of_anything_else_the_words_are_left() -> None:
    assert break_down("graphs with lineage") == (Triple("graphs lineage", "", ""),)
    assert break_down("???") == ()


def test_terms_are_what_texts_say() -> None:
    assert terms_of(break_down("What is the capital of France?")) == ("France", "capital")
    # "how" and "definition" are words of the rules.
    assert terms_of(break_down("What is SPARQL?")) == ("SPARQL",)
    assert terms_of(break_down("如何连接Claude Desktop？"))[-2:] == ("Claude", "Desktop")
    assert terms_of(()) == ()


def test_names_are_in_lower_case() -> None:
    assert names_of((Triple("Mountain Range", "Height", ""),)) == (
        "mountain range", "height", "mountain", "range"
    )  # fmt: skip


def test_variants_are_other_texts_than_the_prompt() -> None:
    assert variants_of("What is the capital of France?") == ("France", "capital France")
    assert variants_of("France?") == ()


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("How do I connect a host?", "HowTo"),
        ("如何连接主机", "HowTo"),
        ("What is SPARQL?", "Question"),
        ("什么是SPARQL", "Question"),
        ("knowledge graph", "DefinedTerm"),
    ],
)
def test_a_prompt_has_a_type_that_fits_it_best(prompt: str, name: str) -> None:
    assert f"http://schema.org/{name}" in best_types(prompt)


def test_a_long_prompt_takes_no_time() -> None:
    import time

    begun = time.process_time()
    for hostile in (
        "what is " * 1000,
        "的" * 8000,
        "how to " + "a " * 4000,
        "who " * 2000,
        "是什么" * 2000,
    ):
        break_down(hostile)
    assert time.process_time() - begun < 5
