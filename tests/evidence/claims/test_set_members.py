"""Sets that relations make are counted, listed and named, and nothing else is taken with them."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Statement
from tests.evidence.drafts import record

BORDERS, CAPITAL = ("borders", "grenzt an", "接壤"), ("capital", "Hauptstadt", "首都")
PEOPLE = (("Alba",), ("Borna",), ("Corva",))
STATEMENTS = [
    Statement("relation", ("Avia",), BORDERS, PEOPLE),
    Statement("relation", ("Alba",), CAPITAL, (("Alston",),)),
    Statement("relation", ("Borna",), CAPITAL, (("Bexley",),)),
    Statement("relation", ("Corva",), CAPITAL, (("Corwell",),)),
    Statement("relation", ("Dorvia",), CAPITAL, (("Dunmore",),)),
]


@pytest.mark.parametrize(
    ("text", "is_supported"),
    [
        ("Avia has three neighbours.", True),
        ("Avia has four neighbours.", False),
        ("Avia borders Alba, Borna and Corva.", True),
        ("Avia borders Alba, Borna and Dorvia.", False),
        ("Avia's only neighbours are Alba and Borna.", False),
        ("Both Alba and Borna share a border with Avia.", True),
        ("Avia and Alba border Corva.", False),
        ("Avia borders Alba and Alba Corva.", False),
        ("Avia has three neighbours. Their capitals are Alston, Bexley and Corwell.", True),
        ("Avia has three neighbours. Their capitals are Alston, Bexley and Dunmore.", False),
        ("Avia's neighbour Borna has the capital Alston.", False),
        ("Avia does not border Alba.", False),
        ("Avia hat drei Nachbarn.", True),
        ("Avia hat zwei Nachbarn.", False),
    ],
)
def test_what_a_set_has_not_is_left_over(text: str, is_supported: bool) -> None:
    found = check(text, [record([], statements=STATEMENTS)])
    assert (found.verdict == "supported") == is_supported, found
