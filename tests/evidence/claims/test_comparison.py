"""Superlatives, comparisons and denied changes are claims where the records say otherwise."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Record, Value
from tests.evidence.drafts import record

LAND = (("Atlantis", "10", "30"), ("Lemuria", "40", "42"), ("Thule", "20", "19"))


def lands() -> Record:
    values = [
        Value("population", number, "number", "people", land, None, ("人口",), year, "atlas")
        for land, *numbers in LAND
        for year, number in zip(("2010", "2020"), numbers, strict=True)
    ]
    return record(values, tool="query_metric_grid")


def contradicted(text: str) -> list[str]:
    return [one.text for one in check(text, [lands()]).claims if one.status == "contradicted"]


@pytest.mark.parametrize(
    "text",
    [
        "In 2020 Lemuria had the largest population, ahead of Atlantis.",
        "Lemuria is the largest of the three, and Thule the smallest in 2020.",
        "Atlantis grew fastest between 2010 and 2020.",
        "In 2020 Atlantis had more inhabitants than Thule.",
        "In 2010 Atlantis had fewer inhabitants than Thule.",
        "The population of Thule did not grow between 2010 and 2020.",
        "2020 was the strongest year of Atlantis.",
        "In 2020 Atlantis was the second largest.",
        "In 2020 Atlantis was not the largest.",
        "In 2020 Thule was one of the largest.",
        "Of Atlantis and Thule, Atlantis had the largest population in 2020.",
        "Most of Thule is ice.",
    ],
)
def test_true_comparisons_are_not_contradicted(text: str) -> None:
    assert contradicted(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "In 2020 Thule had the largest population.",
        "In 2020 Lemuria was the smallest of the three.",
        "Lemuria grew fastest between 2010 and 2020.",
        "In 2020 Thule had more inhabitants than Atlantis.",
        "In 2010 Thule had fewer people than Atlantis.",
        "The population of Atlantis did not grow between 2010 and 2020.",
        "Atlantis's population remained unchanged between 2010 and 2020.",
        "2020 was the weakest year of Atlantis.",
        "2020年Thule人口最多。",
    ],
)
def test_false_comparisons_are_contradicted(text: str) -> None:
    assert check(text, [lands()]).verdict == "contradicted"
    assert contradicted(text) == [text]


def test_what_contradicts_is_told() -> None:
    (claim,) = (
        one
        for one in check("In 2020 Thule was the largest.", [lands()]).claims
        if one.status == "contradicted"
    )
    assert "Lemuria (2020) 42 people" in claim.detail


def test_a_denied_change_is_told_with_both_values() -> None:
    draft = "The population of Atlantis did not grow between 2010 and 2020."
    (claim,) = (one for one in check(draft, [lands()]).claims if one.status == "contradicted")
    assert "Atlantis (2020) 30 people" in claim.detail
    assert "Atlantis (2010) 10 people" in claim.detail
