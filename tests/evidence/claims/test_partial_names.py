"""Things that are called by the first word of their name, and places that are called so too."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Statement, Value
from groundwire.language.places import adjective_names
from tests.evidence.drafts import record

MAPS = ("hdmap", "HD map", "HD-Karte", "Karte", "高精地图", "地图")


def asset(label: str, city: str, length: str, license: str, pii: str) -> list[Value]:
    return [
        Value("city", city, "name", entity=label),
        Value("length", length, unit="km", entity=label),
        Value("license", license, "name", entity=label),
        Value("containsPII", pii, "boolean", entity=label),
    ]


LABELS = ("Lyon city centre", "Coventry country roads")
RECORDS = [
    record(
        [
            *asset(LABELS[0], "Lyon", "8.9", "CC-BY-4.0", "true"),
            *asset(LABELS[1], "Coventry", "22.2", "MIT", "false"),
        ],
        tool="get_asset",
        statements=[Statement("relation", (label,), ("type",), (MAPS,)) for label in LABELS],
    )
]


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("The Coventry map is 22.2 km long, the Lyon one 8.9 km.", True),
        ("The Coventry map is 8.9 km long, the Lyon one 22.2 km.", False),
        ("The Coventry map is 22.2 km long, the Lyon one has 8.9 km.", True),
        ("The Coventry map is 22.2 km long, the Lyon one has 22.2 km.", False),
        ("The Lyon map is 8.9 km long, Coventry has 22.2 km.", True),
        ("The Lyon map is 22.2 km long, Coventry has 8.9 km.", False),
        ("里昂的地图长8.9公里，考文垂为22.2公里。", True),
        ("里昂的地图长22.2公里，考文垂为8.9公里。", False),
        ("里昂那张长8.9公里。", True),
        ("里昂那张长22.2公里。", False),
        ("Die Karte von Lyon ist 8,9 km lang, die von Coventry 22,2 km.", True),
        ("Die Karte von Lyon ist 22,2 km lang, die von Coventry 8,9 km.", False),
        ("里昂地图长8.9公里。", True),
        ("里昂地图长22.2公里。", False),
        ("The Coventry map contains no personal data.", True),
        ("The Lyon map contains no personal data.", False),
        ("Die Coventry-Karte enthält keine personenbezogenen Daten.", True),
        ("Die Karte von Lyon enthält keine personenbezogenen Daten.", False),
        ("The Lyon map is in Coventry.", False),
    ],
)
def test_a_thing_may_be_called_by_the_first_word_of_its_name(draft: str, held: bool) -> None:
    result = check(draft, RECORDS)
    assert (result.verdict == "supported") == held, result.claims


def test_german_adjectives_of_places_call_their_things() -> None:
    assert "Münchner Autobahnkreuzes" in list(adjective_names("München, Autobahnkreuz"))
    assert not list(adjective_names("Lyon city centre"))
