"""Numbers as people and models write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from groundwire.quantities import parse_number, plain


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", "12"),
        ("1,234.5", "1234.5"),
        ("1 234", "1234"),
        ("1\u202f234\u202f567", "1234567"),
        ("1'234", "1234"),
        ("1’234’567.5", "1234567.5"),
        ("12,34,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234,5", "1234.5"),
        ("12,5", "12.5"),
        ("0,123", "0.123"),
        ("1.234", "1.234"),
        ("1,234", "1234"),
        ("007", "7"),
        ("1e9", "1000000000"),
        ("1.2×10^6", "1200000"),
        ("1.2 x 10⁶", "1200000"),
        ("3.5e-3", "0.0035"),
        ("1.2 million", "1200000"),
        ("3k", "3000"),
        ("1.5M", "1500000"),
        ("3.6bn", "3600000000"),
        ("2.5 hundred thousand", "250000"),
        ("12%", "0.12"),
        ("12.5 per cent", "0.125"),
        ("百分之十二", "0.12"),
        ("-12", "-12"),
        ("−12", "-12"),
        ("－12", "-12"),
        ("minus 12", "-12"),
        ("+12", "12"),
        ("(1,234)", "-1234"),
        ("负三", "-3"),
        ("１２，３".replace("，", ","), "12.3"),
        ("１２３", "123"),
        ("1.2万", "12000"),
        ("３亿", "300000000"),
        ("5千", "5000"),
        ("3百万", "3000000"),
        ("1.2万亿", "1200000000000"),
        ("1亿2000万", "120000000"),
        ("一百二十三", "123"),
        ("两", "2"),
        ("两万三千", "23000"),
        ("一万零五", "10005"),
        ("十", "10"),
        ("十二", "12"),
        ("二十", "20"),
        ("三点一四", "3.14"),
        ("二〇二四", "2024"),
        ("一亿二千万", "120000000"),
        ("壹仟贰佰", "1200"),
        ("二百五十万亿", "250000000000000"),
        ("twelve", "12"),
        ("Twenty-one", "21"),
        ("a dozen", "12"),
        ("half a million", "500000"),
        ("two hundred and five", "205"),
        ("three thousand and one", "3001"),
        ("one million two hundred thousand", "1200000"),
        ("zero", "0"),
    ],
)
def test_a_number_is_read_exactly(text: str, value: str) -> None:
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "1.2.3",  # a version
        "1,2,3",  # a list
        "12,345,67",
        "1,234,5",
        "2nd",
        "third",
        "第三",
        "12 km",
        "12 assets",
        "million",
        "百",
        "万",
        "三四",  # three or four
        "二三十",
        "dozens",
        "--12",
        "(-12)",
        "1e99999",
        "9" * 41,
        "NaN",
        "Infinity",
        "0x10",
        "١٢٣",  # digits of a script that is not read
        "1" * 1000,
    ],
)
def test_what_is_no_number_or_is_ambiguous_is_not_read(text: str) -> None:
    assert parse_number(text) is None


def test_plain_text_keeps_every_offset() -> None:
    text = "１２，３４５公里（约）\x00−5\u200b％"
    assert len(plain(text)) == len(text)
    assert plain(text).startswith("12，345公里(约) -5 %")


def test_every_integer_in_chinese_reads_back() -> None:
    digits, places = "零一二三四五六七八九", ["", "十", "百", "千"]

    def spell(number: int) -> str:
        if number >= 10_000:
            high, low = divmod(number, 10_000)
            return (
                spell(high) + "万" + ("零" if 0 < low < 1_000 else "") + (spell(low) if low else "")
            )
        text, zero = "", False
        for place in (3, 2, 1, 0):
            digit = number // 10**place % 10
            if digit:
                text += ("零" if zero and text else "") + digits[digit] + places[place]
                zero = False
            else:
                zero = True
        return text

    for number in [
        *range(1, 1_200),
        *range(9_990, 10_030),
        *range(20_000, 99_999, 977),
        30_405_060,
    ]:
        assert parse_number(spell(number)) == number, spell(number)
