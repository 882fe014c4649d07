"""What the fields of records are called in three languages."""

from __future__ import annotations

import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from groundwire.language.field_names import names_of_field


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("fileSize", "Dateigröße"),
        ("VISITORS", "到店人次"),
        ("containsPII", "个人信息"),
        ("speedLimitMax", "最高限速"),
        ("GDP_PER_CAPITA", "BIP je Kopf"),
        ("SALES_PER_VISITOR", "Umsatz je Besucher"),
        ("sales per visitor", "每位访客的销售额"),
        ("numberTrafficSigns", "Anzahl der Verkehrszeichen"),
        ("average salary", "Durchschnittsgehalt"),
        ("Anschaffungspreis", "采购价"),
    ],
)
def test_a_field_has_its_usual_names(field: str, name: str) -> None:
    assert name in names_of_field(field)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ("NET_PROFIT", "Umsatz"),
        ("NET_PROFIT", "毛利"),
        ("revenue", "利润"),
        ("GROSS_MARGIN", "净利率"),
        ("length", "宽度"),
        ("GDP", "人均GDP"),
        ("GDP_PER_CAPITA", "BIP"),
        ("population", "Stadtbevölkerung"),
        ("speedLimitMin", "最高限速"),
    ],
)
def test_a_field_has_no_name_of_another(field: str, name: str) -> None:
    assert name not in names_of_field(field)


def test_a_field_of_which_one_word_is_not_known_has_no_other_names() -> None:
    assert names_of_field("frobnication speed") == ()


def test_two_notions_share_no_name_but_that_of_what_is_sold() -> None:
    text = (files("groundwire.language") / "field_names.toml").read_text("utf-8")
    terms = tomllib.loads(text)["terms"]
    count = Counter(
        name
        for notion, names in terms.items()
        for name in {one.lower() for one in (notion, *names)}
    )
    assert [name for name, times in count.items() if times > 1] == ["umsatz"]
