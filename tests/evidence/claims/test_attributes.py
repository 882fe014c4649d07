"""Attributes told by ordinary words, denied of things, and counted of groups."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import record

LIGHTS = ("number of traffic lights",)
PII = ("contains personal data",)


def of_map(label: str, lights: str, license: str, pii: str = "false") -> list[Value]:
    return [
        Value("numberTrafficLights", lights, "number", None, label, None, LIGHTS),
        Value("license", license, "name", None, label),
        Value("containsPII", pii, "boolean", None, label, None, ("contains PII",)),
    ]


MAPS = [
    record(of_map("Munich Ring", "0", "MIT") + of_map("Berlin Ring", "4", "CC-BY-4.0")),
]
ONE_PRIVATE = [
    record(of_map("Munich Ring", "0", "MIT") + of_map("Berlin Ring", "4", "CC-BY-4.0", "true")),
]
COUNTS = [
    record(
        [
            Value("total", "5", unit="assets", labels=("map", "maps", "Karten")),
            Value("roadTypes", "4", unit="assets", entity="rural"),
            Value("roadTypes", "1", unit="assets", entity="urban"),
            Value("roadTypes", "1", unit="assets", entity="residential"),
        ]
    )
]
SALES = ("Units sold", "verkaufte Stück", "销售件数")
SOLD = [
    record(
        [
            Value("UNITS_SOLD", "75619", "number", "units", "Kitchen", None, SALES, "2025"),
            Value("UNITS_SOLD", "73070", "number", "units", "Storage", None, SALES, "2025"),
        ]
    )
]
UNKNOWN = [
    record(
        [Value("revenue", "5", unit="CNY", entity="Tolvarne", period="2025")],
        statements=[
            Statement(
                "absence",
                ("Mars",),
                ("entity", "company"),
                conditions=(Condition(("reason",), "is", (("unknown",),)),),
            )
        ],
    )
]


@pytest.mark.parametrize(
    ("records", "draft", "held"),
    [
        (MAPS, "Munich Ring:\n- Lizenz: MIT\n- Ampeln: keine", True),
        (MAPS, "Berlin Ring:\n- Lizenz: CC-BY-4.0\n- Ampeln: keine", False),
        (MAPS, "Berlin Ring has 4 traffic lights. Neither contains personal data.", True),
        (ONE_PRIVATE, "Berlin Ring has 4 traffic lights. Neither contains personal data.", False),
        (MAPS, "Berlin Ring has 4 traffic lights. Neither has traffic lights.", False),
        (MAPS, "Munich Ring is licensed under MIT, Berlin Ring under CC-BY-4.0.", True),
        (MAPS, "Munich Ring is licensed under CC-BY-4.0, Berlin Ring under MIT.", False),
        (MAPS, "Munich Ring is released under MIT.", True),
        (MAPS, "Munich Ring is released under CC-BY-4.0.", False),
        (COUNTS, "Three of the five maps are rural, urban and residential.", False),
        (COUNTS, "Urban und residential kommen auf je eine Karte.", False),
        (COUNTS, "Urban und residential kommen auf je zwei Karten.", False),
        (SOLD, "Küche: 75.619 verkaufte Stück im Jahr 2025.", True),
        (SOLD, "Küche: 73.070 verkaufte Stück im Jahr 2025.", False),
        (SOLD, "Aufbewahrung: 73.070 verkaufte Stück im Jahr 2025.", True),
        (SOLD, "Beleuchtung: 73.070 verkaufte Stück im Jahr 2025.", False),
        (SOLD, "厨房2025年销售件数为75619件。", True),
        (SOLD, "收纳2025年销售件数为75619件。", False),
        (UNKNOWN, "I could not find any revenue for Mars.", True),
        (UNKNOWN, "I could not find any revenue for Tolvarne.", False),
        (UNKNOWN, "I could not find any revenue for Mars or Tolvarne.", False),
        (UNKNOWN, "I could not find any revenue for Venus.", False),
    ],
)
def test_attributes_hold_of_what_they_are_told_of(
    records: list[Record], draft: str, held: bool
) -> None:
    assert (check(draft, records).verdict == "supported") is held
