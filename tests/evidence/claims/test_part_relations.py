"""Parts and wholes, and what comes before what, are read in the direction that is said."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Statement
from tests.evidence.drafts import record

PART = Statement("relation", ("Wheel", "Rad"), ("part of", "Teil von"), (("Bicycle", "Fahrrad"),))
NEEDS = Statement("relation", ("Integral",), ("prerequisite", "Voraussetzung"), (("Limit",),))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Wheel is a part of Bicycle.", "supported"),
        ("Bicycle is a part of Wheel.", "contradicted"),
        ("Bicycle consists of Wheel.", "supported"),
        ("Wheel consists of Bicycle.", "contradicted"),
        ("Das Rad ist ein Teil von Fahrrad.", "supported"),
        ("Fahrrad ist ein Teil von Rad.", "contradicted"),
        ("Limit is a prerequisite of Integral.", "supported"),
        ("Integral is a prerequisite of Limit.", "contradicted"),
        ("Limit ist eine Voraussetzung für Integral.", "supported"),
        ("Integral ist eine Voraussetzung für Limit.", "contradicted"),
    ],
)
def test_a_relation_holds_one_way_round(text: str, verdict: str) -> None:
    assert check(text, [record([], statements=[PART, NEEDS])]).verdict == verdict
