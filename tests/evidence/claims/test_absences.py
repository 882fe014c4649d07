"""What is not known is not the same as what is not there."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Statement
from tests.evidence.drafts import record

SOURCE = Statement("source", ("the network",))
FARES = Statement("absence", ("the network",), ("live data",), (("fare", "Fahrpreis", "票价"),))
BUSES = Statement("absence", ("buses", "Busse", "公交车"), ("live data",))
PAIR = Statement(
    "absence", ("Avia",), ("borders", "grenzt an"),
    conditions=(Condition(("object",), "is", (("Dorvia",),)),),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_supported"),
    [
        ("No fares are known.", True),
        ("Nothing is known about buses.", True),
        ("Busse sind nicht berücksichtigt.", True),
        ("没有票价信息。", True),
        ("There are no fares.", False),
        ("There are no buses.", False),
        ("Busse fahren nicht.", False),
        ("Fares are known.", False),
        ("Avia does not border Dorvia.", True),
        ("Avia and Dorvia are not neighbours.", True),
        ("Avia does not border Alba.", False),
        ("Avia has no neighbours.", False),
        ("Avia is not in Dorvia.", False),
    ],
)
def test_only_what_was_looked_for_is_absent(text: str, is_supported: bool) -> None:
    found = check(text, [record([], statements=[SOURCE, FARES, BUSES, PAIR])])
    assert (found.verdict == "supported") == is_supported, found
