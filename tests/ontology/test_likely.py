"""Codes are suggested only where they, or a name of theirs, are much alike what was sent."""

from __future__ import annotations

import pytest

from groundwire.ontology.results import likely
from groundwire.vocabulary import Policy, Term, Vocabulary

COUNTRIES = Vocabulary(
    [
        Term("NL", "NL", ("Netherlands", "Holandia", "Holland")),
        Term("DE", "DE", ("Germany", "Deutschland")),
        Term("CZ", "CZ", ("Czech Republic",)),
        Term("DK", "DK", ("Dania",)),
    ]
)
ROADS = Vocabulary([Term("1", "motorway"), Term("2", "country road")])


def suggested(vocabulary: Vocabulary, raw: str) -> list[str]:
    resolution = vocabulary.resolve(raw, Policy.CANDIDATES_ONLY)
    assert resolution.candidates, "something is alike, so that there is something to leave out"
    return [one.term.label for one in likely(resolution.candidates)]


@pytest.mark.parametrize("raw", ["Atlantis", "Narnia", "ZZ", "Ireland"])
def test_a_code_is_not_suggested_for_a_few_shared_letters(raw: str) -> None:
    assert suggested(COUNTRIES, raw) == []


@pytest.mark.parametrize(
    ("raw", "code"),
    [("DEU", "DE"), ("NLD", "NL"), ("Germny", "DE"), ("Duetschland", "DE"), ("Republic", "CZ")],
)
def test_a_code_is_suggested_where_it_was_likely_meant(raw: str, code: str) -> None:
    assert suggested(COUNTRIES, raw)[0] == code


def test_a_word_that_shows_why_is_suggested_for_less() -> None:
    assert suggested(ROADS, "motor road") == ["motorway", "country road"]
