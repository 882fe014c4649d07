"""The KG agent on facts: relations, counts, comparisons and superlatives in three languages."""

from __future__ import annotations

import pytest
from agent_host import Host, answer

NAME = "kg_agent"
COUNTRIES = "https://groundwire.example/countries#"

FACTS = {
    "What is the capital of Mongolia?": ("Ulaanbaatar", "capital-MNG"),
    "Was ist die Hauptstadt von Kanada?": ("Ottawa", "capital-CAN"),
    "蒙古的首都是哪里？": ("乌兰巴托", "capital-MNG"),
    "How many countries border Germany?": ("Germany borders: 9", "POL"),
    "Wie viele Länder grenzen an China?": ("China grenzt an: 14", "IND"),
    "有多少个国家与巴西接壤？": ("与巴西接壤：9", "ARG"),
    "Which has a larger population, France or Italy?": (
        "France has the greater population of the two",
        "FRA",
    ),
    "Wer hat mehr Einwohner, Spanien oder Polen?": (
        "Einwohnerzahl: Spanien hat den größeren Wert",
        "ESP",
    ),
    "德国和法国哪个国家人口更多？": ("德国的人口较大", "DEU"),
    "Which country has the largest population?": ("India (1,450,935,791)", "IND"),
    "Welches Land hat die größte Fläche?": ("Russland (17.100.000)", "RUS"),
    "非洲人口最多的国家是哪个？": ("尼日利亚 (232,679,478)", "NGA"),
}


@pytest.mark.parametrize("question", FACTS)
def test_facts_are_told_with_their_links_and_the_confidence_of_the_pattern(
    host: Host, question: str
) -> None:
    says, name = FACTS[question]
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["status"] == "answered"
    assert says in answer(output).replace("\\", "")
    assert COUNTRIES + name in {one["iri"] for one in output.result["sources"]}
    # Two countries state no population, and the Vatican none: a superlative over all is medium.
    pattern = output.result["confidence"]
    assert pattern == ("medium" if "population?" in question and "largest p" in question
                       and "country" in question else "high")  # fmt: skip
    assert output.reasoning.confidence == {"high": 0.9, "medium": 0.6}[pattern]
    assert output.evidence_ids


def test_what_is_not_stated_is_no_answer(host: Host) -> None:
    output = host.ask(NAME, "Who is the president of France?")
    assert output.result is not None
    assert output.result["status"] != "answered"
    assert output.reasoning.confidence <= 0.3
