"""Quantities in sentences: value, unit, noun and precision."""

from __future__ import annotations

import time
from decimal import Decimal

import pytest

from groundwire.quantities import find_quantities, parse_quantity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 assets", [("12", None, "assets")]),
        ("12 hdmap assets in Germany", [("12", None, "hdmap assets")]),
        ("about 12.5 km long", [("12.5", "km", "")]),
        ("12km", [("12", "km", "")]),
        ("12 000 km", [("12000", "km", "")]),
        ("180 km/h", [("180", "km/h", "")]),
        ("12 square kilometres", [("12", "km²", "")]),
        ("120公里/小时", [("120", "km/h", "")]),
        ("5千米", [("5", "km", "")]),
        ("5千", [("5000", None, "")]),
        ("十二公里", [("12", "km", "")]),
        ("约3.5万平方公里", [("35000", "km²", "")]),
        ("$3.6 billion", [("3600000000", "USD", "")]),
        ("US$ 3.6bn", [("3600000000", "USD", "")]),
        ("€12m", [("12000000", "EUR", "")]),
        ("USD 1,234.5", [("1234.5", "USD", "")]),
        ("3.6 billion US dollars", [("3600000000", "USD", "")]),
        ("人民币3亿元", [("300000000", "CNY", "")]),
        ("4.5万亿美元", [("4500000000000", "USD", "")]),
        ("-$3.2 million", [("-3200000", "USD", "")]),
        ("($1,234)", [("-1234", "USD", "")]),
        ("| (1,234) |", [("-1234", None, "")]),
        ("Berlin (12) and Ulm", [("12", None, "")]),
        ("−3.2%", [("-3.2", "%", "")]),
        ("minus 5 °C", [("-5", "°C", "")]),
        ("零下5摄氏度", [("-5", "°C", "")]),
        ("负5", [("-5", None, "")]),
        ("百分之十二", [("12", "%", "")]),
        ("５０％", [("50", "%", "")]),
        ("1.2 percentage points", [("1.2", "pp", "")]),
        ("1.2个百分点", [("1.2", "pp", "")]),
        ("3倍", [("3", "×", "")]),
        ("1.5x", [("1.5", "×", "")]),
        ("共有12个资产", [("12", None, "资产")]),
        ("三个资产", [("3", None, "资产")]),
        ("两条道路", [("2", None, "道路")]),
        ("1亿2000万人口", [("120000000", None, "")]),
        ("twelve assets and twenty-one maps", [("12", None, "assets"), ("21", None, "maps")]),
        ("a dozen assets", [("12", None, "assets")]),
        ("12-lane road", [("12", None, "lane road")]),
        ("10-12 km", [("10", "km", ""), ("12", "km", "")]),
        ("3-4 million USD", [("3000000", "USD", ""), ("4000000", "USD", "")]),
        (
            "4.09 and 4.53 trillion USD",
            [("4090000000000", "USD", ""), ("4530000000000", "USD", "")],
        ),
        ("12, 13 and 14 km", [("12", "km", ""), ("13", "km", ""), ("14", "km", "")]),
        ("$12 and 14 km", [("12", "USD", ""), ("14", "km", "")]),
        ("in 2024 there were 2024 assets", [("2024", None, "assets")]),
        ("长度：12.5公里，3条车道", [("12.5", "km", ""), ("3", None, "车道")]),
        ("12个月", [("12", "month", "")]),
        ("300K people at 300 K", [("300000", None, "people at"), ("300", "K", "")]),
        ("12.", [("12", None, "")]),
    ],
)
def test_a_quantity_is_found_with_its_unit_or_noun(
    text: str, expected: list[tuple[str, str | None, str]]
) -> None:
    expected = [(v, u, n.removesuffix(" at")) for v, u, n in expected]
    found = [(q.value, q.unit, q.noun) for q in find_quantities(text)]
    assert found == [(Decimal(value), unit, noun) for value, unit, noun in expected]
    for quantity in find_quantities(text):
        assert text[slice(*quantity.span)] == quantity.raw


@pytest.mark.parametrize(
    "text",
    [
        "A3, CC-BY-4.0, v1.2, #7, SHA256, asset-001, ISO_8601",
        "1.2.3",
        "192.168.0.1",
        "the 2nd and third, 第三, 第12个",
        "at 12:30",
        "16:9",
        "3/4",
        "1,2,3",
        "on 2024-03-05 and 3 March",
        "统一的一些一般",
        "万一",
        "十分好",
        "dozens of millions",
        "someone, tension, oneness",
        "9" * 60,
        "1e500",
    ],
)
def test_other_digits_and_words_are_no_quantities(text: str) -> None:
    assert find_quantities(text) == []


@pytest.mark.parametrize(
    ("text", "decimals", "significant", "scale", "step"),
    [
        ("3.6 billion", 1, 2, "1000000000", "100000000"),
        ("3,626,396,000", 0, 7, "1", "1"),
        ("12.50 km", 2, 4, "1", "0.01"),
        ("0.050", 3, 2, "1", "0.001"),
        ("36.3亿", 1, 3, "100000000", "10000000"),
        ("400", 0, 1, "1", "1"),
    ],
)
def test_precision_is_kept(
    text: str, decimals: int, significant: int, scale: str, step: str
) -> None:
    (quantity,) = find_quantities(text)
    assert (quantity.decimals, quantity.significant) == (decimals, significant)
    assert (quantity.scale, quantity.step) == (Decimal(scale), Decimal(step))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 12 km", "about"),
        ("~12 km", "about"),
        ("约12公里", "about"),
        ("12公里左右", "about"),
        ("more than 12 km", "over"),
        ("at least a dozen", "over"),
        ("超过12公里", "over"),
        ("12 or more", "over"),
        ("不超过12公里", "under"),
        ("nearly 12 km", "nearly"),
        ("不到12公里", "under"),
        ("moreover 12 km", None),
        ("12 km", None),
    ],
)
def test_qualifiers_are_read(text: str, bound: str | None) -> None:
    assert find_quantities(text)[0].bound == bound


def test_a_whole_text_reads_as_one_quantity_or_none() -> None:
    quantity = parse_quantity(" 12.5 km ")
    assert quantity is not None
    assert (quantity.value, quantity.unit) == (Decimal("12.5"), "km")
    percent = parse_quantity("12%")
    assert percent is not None
    assert percent.percent
    assert percent.value == 12
    year = parse_quantity("2024")
    assert year is not None
    assert year.value == 2024
    assert parse_quantity("12 km and more") is None
    assert parse_quantity("fog") is None


@pytest.mark.parametrize(
    "unit",
    ["1", "1,", "1.", "1 ", "1-", "a ", "half a ", "一", "十百", "一点", "$", "(1", "1e", "2024-",
     "Mar ", "3 March ", "１", "\x00", "about ", "12 km and ", "9.9,", "'1", "twenty-"],
)  # fmt: skip
def test_long_texts_take_linear_time(unit: str) -> None:
    text = (unit * 50_000)[:50_000]
    start = time.process_time()
    find_quantities(text)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("text", "value", "unit", "bound"),
    [
        ("It takes about an hour.", "1", "h", "about"),
        ("It takes 1 hour 10 minutes.", "70", "min", None),
        ("eine Stunde und zehn Minuten", "70", "min", None),
        ("1小时10分钟", "70", "min", None),
        ("had passed 35 million", "35000000", None, "over"),
        ("just short of 36 million", "36000000", None, "nearly"),
        ("from CNY 79.1 to 77.8 million", "79100000.0", "CNY", None),
        ("fast siebenmal so hoch", "7", "×", "nearly"),
    ],
)
def test_times_of_several_words_bounds_and_multiples(
    text: str, value: str, unit: str | None, bound: str | None
) -> None:
    first = find_quantities(text)[0]
    assert (str(first.value), first.unit, first.bound) == (value, unit, bound)


def test_an_hour_that_makes_a_rate_is_no_time() -> None:
    assert [q.unit for q in find_quantities("60 km an hour")] == ["km"]
