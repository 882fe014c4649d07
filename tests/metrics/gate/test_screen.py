"""What the gate finds, what it leaves alone, and what it says."""

from __future__ import annotations

import time

import pytest

from groundwire.errors import ConfigurationError
from groundwire.metrics.gate.screen import SecurityGate
from groundwire.metrics.profile import External

# Invented companies all.
ORVEX = External(name="Orvex Group", aliases=("Orvex", "奥维集团", "竞安"))
HOME = "Acme Holdings"


def gate(*aliases: str, protected: tuple[str, ...] = ()) -> SecurityGate:
    return SecurityGate([External(name=alias) for alias in aliases], [HOME], protected)


# Characters that are never drawn, one for each character of ASCII.
TAGGED = "".join(chr(0xE0000 + ord(char)) for char in "Orvex")
ORVEX_GATE = SecurityGate([ORVEX], [HOME])


def test_a_name_is_found_masked_and_refused() -> None:
    text = "What was the revenue of Orvex in 2024?"
    screen = ORVEX_GATE.screen(text)
    assert screen.refused
    (hit,) = screen.hits
    assert (hit.name, hit.alias, hit.raw, hit.how) == ("Orvex Group", "Orvex", "Orvex", "written")
    assert text[slice(*hit.span)] == "Orvex"
    assert screen.masked == "What was the revenue of       in 2024?"
    assert ORVEX_GATE.refusal(hit) == (
        "Orvex Group is outside the scope of this server; ask about Acme Holdings instead."
    )


def test_a_text_without_such_names_passes_unchanged() -> None:
    text = "中国内地FY2024的REVENUE是多少"
    screen = ORVEX_GATE.screen(text)
    assert not screen.refused
    assert screen.hits == ()
    assert screen.masked == text


def test_a_refusal_offers_every_home_or_none() -> None:
    (hit,) = ORVEX_GATE.screen("竞安").hits
    assert (
        SecurityGate([ORVEX], ["A", "B", "C"]).refusal(hit).endswith("ask about A, B or C instead.")
    )
    assert "one of the entities" in SecurityGate([ORVEX], []).refusal(hit)


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("revenue of ORVEX", "ORVEX"),
        ("revenue of o r v e x", "o r v e x"),
        ("revenue of O.R.V.E.X.", "O.R.V.E.X"),
        ("revenue of or-\nvex", "or-\nvex"),
        ("revenue of Or vex", "Or vex"),
        ("Ｏｒｖｅｘ", "Ｏｒｖｅｘ"),
        ("Orv\u200bex", "Orv\u200bex"),
        ("Orv\u00adex", "Orv\u00adex"),
        ("O\u2066rvex", "O\u2066rvex"),
        ("Orv\u3164ex", "Orv\u3164ex"),
        ("Orv\U000e0041ex", "Orv\U000e0041ex"),
        ("Órvé\u0301x\u0302 profit", "Órvé\u0301x\u0302"),
        ("Оrvех", "Оrvех"),
        ("𝐎𝐫𝐯𝐞𝐱", "𝐎𝐫𝐯𝐞𝐱"),
        ("ⓄⓇⓋⒺⓍ", "ⓄⓇⓋⒺⓍ"),
        ("🄾🅁🅅🄴🅇", "🄾🅁🅅🄴🅇"),
        ("🅾🆁🆅🅴🆇", "🅾🆁🆅🅴🆇"),
        ("🇴🇷🇻🇪🇽", "🇴🇷🇻🇪🇽"),
        ("0rvex", "0rvex"),
        ("0rv3x", "0rv3x"),
        ("orv€x", "orv€x"),
        ("0r vex", "0r vex"),
        ("Orrrrvex", "Orrrrvex"),
        ("выручкаOrvexи", "Orvex"),
        ("=4Frvex", "=4Frvex"),
        ("竞竞竞安", "竞竞竞安"),
        ("orvex™", "orvex"),
        ("Orvex's", "Orvex"),
        ("Orvexs", "Orvexs"),
        ("OrvexRevenue", "Orvex"),
        ("revenue_of_orvex_2024", "orvex"),
        ("Orvex2024", "Orvex"),
        ("&#79;rvex", "&#79;rvex"),
        ("&#x4F;rvex", "&#x4F;rvex"),
        ("%4Frvex", "%4Frvex"),
        ("%254Frvex", "%254Frvex"),
        ("\\u004frvex", "\\u004frvex"),
        ("\\x4frvex", "\\x4frvex"),
        ("\\u{4f}rvex", "\\u{4f}rvex"),
        ("U+004F rvex", "U+004F rvex"),
        ("<b>Or</b>vex", "Or</b>vex"),
        ("Or<!-- - -->vex", "Or<!-- - -->vex"),
        ("\u202exevro\u202c", "xevro"),
        (TAGGED, TAGGED),
        ("orvex group", "orvex group"),
        ("竞 安", "竞 安"),
        ("竞-安的收入", "竞-安"),
        ("請問競安的收入", "競安"),
        ("竞\n\n安", "竞\n\n安"),
        ("竞\u200d安", "竞\u200d安"),
        ("竞<b>安</b>", "竞<b>安"),
        ("%E7%AB%9E%E5%AE%89", "%E7%AB%9E%E5%AE%89"),
        ("%BE%BA%B0%B2", "%BE%BA%B0%B2"),
        ("&#31454;安", "&#31454;安"),
        ("\\u7ade\\u5b89", "\\u7ade\\u5b89"),
        ("奧維集團", "奧維集團"),
    ],
)
def test_a_disguise_is_seen_through(text: str, raw: str) -> None:
    screen = ORVEX_GATE.screen(text)
    (hit,) = screen.hits
    assert hit.raw == raw
    assert hit.name == "Orvex Group"
    assert len(screen.masked) == len(text)
    first, last = hit.span
    assert screen.masked == text[:first] + " " * (last - first) + text[last:]


def test_letters_joined_to_a_name_make_another_word() -> None:
    ana = gate("Ana", "Titan", "Apex")
    for text in ("analysis", "banana", "titanium", "apexes", "an apex-like", "multi tan"):
        found = [hit.raw for hit in ana.screen(text).hits]
        assert found == (["apex"] if text.startswith("an ") else []), text


def test_a_long_name_is_found_in_front_of_a_word() -> None:
    names = gate("Orvex", "Titan", "Vexo")
    for text in ("orvexrevenue2024", "PROFITORVEX", "0rvexrevenue"):
        assert names.screen(text).refused, text
    assert not gate("Blue Harbor").screen("blue harborside").refused
    for text in ("theorvex", "dirtyti tan", "titanium", "titanic", "orvexqq", "vexorevenue"):
        assert not names.screen(text).refused, text


def test_prose_is_not_read_across_its_words() -> None:
    names = gate("Mayor", "Together", "Inform", "Anapex", "Meta")
    for text in (
        "it may or may not",
        "to get her",
        "in form",
        "an apex",
        "we met a client",
        "may, or",
    ):
        assert not names.screen(text).refused, text
    for text in ("Inf orm", "may-or", "to.get.her", "Met A revenue"):
        assert names.screen(text).refused, text


def test_addresses_are_not_read_with_their_signs_as_letters() -> None:
    names = gate("Jana", "Costa")
    assert not names.screen("jan@apex.example, cost+ax").refused
    assert names.screen("cost@").refused
    assert names.screen("c0$t@").hits == ()  # Three letters of five are not its own.
    assert names.screen("co$t@").refused


def test_two_words_of_a_name_in_one_are_that_name() -> None:
    assert gate("Northwind").screen("north wind revenue").refused
    assert gate("Blue Harbor").screen("blueharbor, and blue-harbor").hits[1].raw == "blue-harbor"


def test_lookalikes_are_not_read_into_words_and_numbers() -> None:
    names = gate("Alibi", "Modem", "Sole", "Isis", "Appie")
    for text in ("modern", "5013", "1515", "apple", "50l3 15", "5 ole"):
        assert not names.screen(text).refused, text
    assert gate("Mirvex").screen("rnirvex").refused
    assert gate("Helios").screen("HeIios").refused
    assert gate("Helios").screen("heli0s").refused


def test_names_with_digits_and_symbols() -> None:
    names = gate("A&B", "3i", "Q+", "Route 66")
    for text in ("A&B", "a & b", "Ａ＆Ｂ", "3i", "3I", "q+", "route66", "Route-66"):
        assert names.screen(text).refused, text
    for text in ("AB", "a b", "A/B", "13i", "3 i", "3i5", "q", "Q-", "route 666", "A&Beta"):
        assert not names.screen(text).refused, text


def test_the_sign_for_and_is_the_word() -> None:
    names = gate("Thornwick & Sons", "Vell and Brack", "A&B")
    for text in (
        "Thornwick and Sons",
        "thornwick&sons",
        "Vell & Brack",
        "vell AND brack",
        "a and b",
    ):
        assert names.screen(text).refused, text
    assert not names.screen("a band").refused


def test_a_number_is_no_part_of_a_longer_one() -> None:
    names = gate("360")
    assert names.screen("360 revenue").refused
    for text in ("1,360", "360.5", "3 60", "3600"):
        assert not names.screen(text).refused, text


def test_a_code_that_is_a_word_counts_in_capitals_only() -> None:
    names = gate("US", "ORV")
    assert names.screen("US revenue").refused
    assert not names.screen("tell us the revenue").refused
    assert names.screen("orv revenue").refused
    assert names.screen("U.S. revenue").refused


def test_a_single_letter_counts_alone() -> None:
    names = gate("X", "恒")
    assert names.screen("revenue of X in 2024").refused
    assert names.screen("恒 2024").refused
    for text in ("x2", "Xs", "永恒", "恒生"):
        assert not names.screen(text).refused, text


def test_a_longer_name_in_scope_protects_its_parts() -> None:
    names = gate("平安", "Apex", protected=("平安夜市场", "Apex ratio"))
    for text in ("平安夜市场的收入", "平安夜市場", "the apex ratio of 2024"):
        screen = names.screen(text)
        assert not screen.refused, text
        assert screen.masked == text
    for text in ("平安的收入", "平-安夜市场", "Apex market", "Apex-X ratio", "Ap-ex ratio"):
        assert names.screen(text).refused, text


def test_a_longer_name_out_of_scope_leaves_no_part_in_scope() -> None:
    screen = gate("中国恒启", protected=("中国",)).screen("中国 恒启的收入")
    assert screen.masked == "     的收入"


def test_the_longest_name_is_the_hit() -> None:
    (hit,) = SecurityGate([ORVEX, External(name="Group")], [HOME]).screen("orvex group").hits
    assert hit.alias == "Orvex Group"


def test_several_hits_come_in_order() -> None:
    text = "竞安 vs Orvex vs Acme"
    screen = ORVEX_GATE.screen(text)
    assert [hit.raw for hit in screen.hits] == ["竞安", "Orvex"]
    assert screen.masked == "   vs       vs Acme"


def test_names_in_other_scripts() -> None:
    names = gate("Орвекс", "한빛전자", "オルベ")
    for text in ("выручка ОРВЕКС", "орвекс", "한빛전자의 매출", "한 빛 전 자", "ｵﾙﾍﾞの売上"):
        assert names.screen(text).refused, text
    assert not names.screen("オルヘ").refused


def test_a_name_without_letters_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="no letter and no digit"):
        gate("!?")


@pytest.mark.parametrize(
    "text",
    [
        "revenue of Orvex " * 20_000,
        "竞 安" * 40_000,
        "<a" * 100_000,
        "&" * 200_000,
        "%E7" * 70_000,
        "\u202e" * 200_000,
        "orve" * 50_000,
        "o r v e " * 30_000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_a_long_text_takes_linear_time(text: str) -> None:
    started = time.process_time()
    assert len(ORVEX_GATE.screen(text).masked) == len(text)
    assert time.process_time() - started < 20
