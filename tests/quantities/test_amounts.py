"""A number is read with every piece that belongs to it, or marked as unread."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.quantities import find_quantities, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1½ trillion", "1500000000000"),
        ("1 1/2 trillion", "1500000000000"),
        ("one and a half million", "1500000"),
        ("two and three quarter million", "2750000"),
        ("a million and a half", "1500000"),
        ("three quarters of a million", "750000"),
        ("**1½** trillion", "1500000000000"),
        ("anderthalb Millionen", "1500000"),
        ("zweieinhalb Mio.", "2500000"),
        ("eine halbe Billion Euro", "500000000000"),
        ("dreiviertel Million", "750000"),
        ("zweihunderttausend", "200000"),
        ("1.500 Millionen Euro", "1500000000"),
        ("Es waren 1.500 Einwohner", "1500"),
        ("1.5万亿", "1500000000000"),
        ("两亿半", "250000000"),
        ("3千5百万", "35000000"),
        ("一亿零五百万", "105000000"),
        ("四分之三", "0.75"),
        ("half an hour", "0.5"),
    ],
)
def test_all_pieces_are_read(text: str, value: str) -> None:
    (found,) = find_quantities(text)
    assert found.value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "1½ zillion",
        "1½½ million",
        "1&frac12; trillion",
        "11⁄2 trillion",
        "half of 3 million",
        "two thirds of 9 million",
        "a couple of million",
        "tens of millions",
        "one and a half and a third million",
        "1.5 (and a half) million",
        "3 hundred and 21",
        "twenty-three fifths",
        "ein paar hundert Millionen",
        "anderthalb Zillionen",
        "数百万",
        "几十万",
        "1.5兆",
        "两亿半半",
        "3亿的一半",
        "7万 5千",
    ],
)
def test_what_cannot_be_joined_is_not_read(text: str) -> None:
    assert find_quantities(text) == []
    assert parse_number(text) is None


@given(
    st.integers(1, 40),
    st.sampled_from([("½", "1/2", "0.5"), ("¼", "1/4", "0.25"), ("¾", "3/4", "0.75")]),
    st.sampled_from([("thousand", 3), ("million", 6), ("billion", 9), ("trillion", 12)]),
    st.sampled_from(["{n}{sign} {scale}", "{n} {sign} {scale}", "{n} {slashed} {scale}"]),
)
def test_mixed_fractions_keep_their_scale(
    whole: int, fraction: tuple[str, str, str], scale: tuple[str, int], form: str
) -> None:
    sign, slashed, value = fraction
    text = form.format(n=whole, sign=sign, slashed=slashed, scale=scale[0])
    (found,) = find_quantities(f"It came to {text} in all.")
    assert found.value == (whole + Decimal(value)) * 10 ** scale[1]


def test_the_language_decides_what_a_mark_between_digits_is() -> None:
    assert parse_number("1,500") == 1500
    assert parse_number("1.500") == Decimal("1.5")
    assert find_quantities("the figure is 1,500")[0].value == 1500
    assert find_quantities("die Zahl der Einwohner ist 1.500")[0].value == 1500
    assert find_quantities("die Zahl der Einwohner ist 1,500") == []
    lengths = find_quantities("Frankreich 11,075 km, Spanien 6,75 km")
    assert [one.value for one in lengths] == [Decimal("11.075"), Decimal("6.75")]
    assert find_quantities("Frankreich 11,075 km, Spanien 6.75 km")[0].value == 11075
    assert find_quantities("between 11,075 km and 6,75 km of the road")[0].value == 11075


@given(st.text("0123456789½¼/ .,and halfquartermillionMioeinzwei万亿半两百分之-", max_size=60))
def test_any_text_is_read_without_overlap(text: str) -> None:
    spans = [one.span for one in find_quantities(text)]
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    parse_number(text)


@pytest.mark.parametrize(
    ("text", "value", "step", "parts"),
    [
        ("2¼ billion", "2250000000", "10000000", 4),
        ("eineinhalb Milliarden", "1500000000", "100000000", 2),
        ("dreidreiviertel Milliarden", "3750000000", "10000000", 4),
        ("十二亿半", "1250000000", "10000000", 2),
        ("八点八亿", "880000000", "10000000", 1),
        ("8.8 million", "8800000", "100000", 1),
    ],
)
def test_a_fraction_says_into_how_many_parts_one_is_divided(
    text: str, value: str, step: str, parts: int
) -> None:
    (found,) = find_quantities(text)
    assert (found.value, found.step, found.parts) == (Decimal(value), Decimal(step), parts)
