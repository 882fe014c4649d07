"""Names, IRIs and quotations of drafts against records, and what is not judged."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.evidence.claims.check import MAX_CHARACTERS, MAX_CLAIMS, check
from groundwire.evidence.records import Statement, Value
from tests.evidence.drafts import BERLIN, MUNICH, catalogue, record, statistics


@pytest.mark.parametrize(
    ("draft", "text", "status", "says"),
    [
        ("Munich Ring is licensed under CC-BY-4.0.", "CC-BY-4.0", "supported", "license of Munich"),
        ("Munich Ring is licensed under cc by 4.0.", "cc by 4.0", "supported", "license of Munich"),
        ("Munich Ring is licensed under MIT.", "MIT", "contradicted", "CC-BY-4.0"),
        ("Munich Ring has license CC-BY-SA-4.0.", "CC-BY-SA-4.0", "contradicted", "CC-BY-4.0"),
        ("Munich Ring has motorway roads.", "motorway", "supported", "roadTypes"),
        ("Munich Ring has rural roads.", "rural", "contradicted", "roadTypes of Berlin Map"),
        ("Munich Ring has motorway roads, the Berlin one rural.", "rural", "supported", "Berlin"),
        ("Munich Ring has motorway roads, Berlin rural.", "rural", "unsupported", "Berlin"),
        ("Munich Ring has urban roads.", "urban", "unsupported", "no record has it"),
        (f"Munich Ring: {MUNICH}.", MUNICH, "supported", "recorded with"),
        (f"[Munich Ring]({BERLIN})", BERLIN, "contradicted", "Berlin Map"),
        (f"Munich Ring: {MUNICH}x", f"{MUNICH}x", "contradicted", MUNICH),
        (
            "See https://example.org/nothing.",
            "https://example.org/nothing",
            "unsupported",
            "no record",
        ),
        ("Munich Ring is licensed “CC-BY-4.0”.", "CC-BY-4.0", "supported", "license"),
        ("Munich Ring is tagged “CC-BY-4.0”.", "CC-BY-4.0", "not_judged", "'tagged'"),
        ("It is called “Munich Circle”.", "Munich Circle", "unsupported", "no record holds"),
        ("许可证是「Apache」。", "Apache", "unsupported", "no record holds"),
    ],
)
def test_names_and_iris_must_belong_to_what_the_sentence_names(
    draft: str, text: str, status: str, says: str
) -> None:
    found = [claim for claim in check(draft, catalogue()).claims if claim.text == text]
    assert [claim.status for claim in found] == [status], found
    assert says in found[0].detail


@pytest.mark.parametrize(("iri", "status"), [(MUNICH, "supported"), (BERLIN, "contradicted")])
def test_iris_that_are_the_text_of_a_markdown_link_are_read_without_its_marks(
    iri: str, status: str
) -> None:
    escaped = re.sub(r"([-_#.~])", r"\\\1", iri)
    result = check(f"Munich Ring: [{escaped}]({iri}) [data]({iri}).", catalogue())
    found = [(one.text, one.status) for one in result.claims if one.kind == "iri"]
    assert set(found) == {(escaped, status), (iri, status)}


@pytest.mark.parametrize(
    "draft",
    [
        "Hamburg Loop is 12.5 km long.",
        "Munich Circle is licensed under MIT.",
        "- Hamburg Loop: 12.5 km, created 2024-03-05",
        f"See Hamburg Loop ({MUNICH}).",
        "汉堡环线的长度为12.5公里。",
    ],
)
def test_a_right_value_beside_an_unknown_name_is_not_supported(draft: str) -> None:
    assert check(draft, catalogue()).verdict == "unsupported"


def test_a_controlled_term_that_no_record_has_is_unsupported() -> None:
    result = check("Italy's GDP was 4.53 trillion USD in 2023.", statistics())
    statuses = {claim.text: claim.status for claim in result.claims}
    assert statuses["Italy"] == "unsupported"
    assert statuses["4.53 trillion USD"] == "not_judged"
    assert result.verdict == "unsupported"
    assert check("意大利2023年国内生产总值为4.53万亿美元。", statistics()).verdict == "unsupported"


def test_common_words_that_are_terms_are_no_claims() -> None:
    assert check("Let me know if you need other help.", catalogue()).verdict == "nothing_to_judge"


def test_a_number_in_a_known_name_is_part_of_the_name() -> None:
    values = [
        Value("formatVersion", "OpenDRIVE 1.7", "name", None, "Ingolstadt A9", "urn:x:a9"),
        Value("length", "3", "number", "km", "Ingolstadt A9", "urn:x:a9"),
    ]
    kind = Statement("relation", ("Ingolstadt A9", "urn:x:a9"), ("type",), (("HD map", "map"),))
    held = record(values, statements=[kind])
    result = check("Ingolstadt A9 is an OpenDRIVE 1.7 map of 3 km.", [held])
    assert [claim.kind for claim in result.claims] == ["name", "name", "number"]
    assert result.verdict == "supported"
    wrong = check("Ingolstadt A9 is an OpenDRIVE 1.6 map of 3 km.", [held])
    assert wrong.verdict in ("contradicted", "unsupported")


def test_numbers_in_recorded_texts_are_supported() -> None:
    text = "A loop of 14 km with 3 tunnels."
    values = [Value("description", text, "text", None, "Munich Ring", MUNICH)]
    loop = "Munich Ring is a loop of 14 km with 3 tunnels."
    assert check(loop, [record(values)]).verdict == "supported"
    other = "Munich Ring is a loop of 3 km with 14 tunnels."
    assert check(other, [record(values)]).verdict != "supported"
    assert check("Munich Ring has 3 tunnels.", [record(values)]).verdict == "unsupported"
    assert check(f'Munich Ring: "{text}"', [record(values)]).verdict == "supported"
    assert check("Munich Ring has 5 tunnels.", [record(values)]).verdict == "unsupported"


def test_the_conditions_of_a_set_may_be_repeated() -> None:
    result = check("Of the hdmap assets in DE longer than 5 km, 12 match.", catalogue())
    assert result.verdict == "supported", result.claims


def test_what_was_only_asked_is_no_evidence() -> None:
    asked = {"filters": {"country": "DE"}, "ranges": {"length": {"min": 5}}, "limit": 20}
    records = [record([Value("total", "12")], arguments=asked)]
    for draft in (
        "Of the assets in DE longer than 5 km, 12 match.",
        "There are more than 20 assets.",
        "12 assets are longer than 5 km.",
    ):
        assert check(draft, records).verdict != "supported", draft


def test_a_negated_name_is_not_judged() -> None:
    result = check("Munich Ring has no rural roads.", catalogue())
    assert [(claim.text, claim.status) for claim in result.claims] == [
        ("Munich Ring", "not_judged")
    ]
    assert "'no', 'rural'" in result.claims[0].detail


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        ("Munich Ring is the best choice.", ("best", "choice")),
        ("Sales fell because of the weather.", ("Sales", "because of", "weather")),
        ("It will grow again.", ("will", "grow")),
        ("Munich Ring has a tunnel.", ("tunnel",)),
        ("Die Umsätze sanken wegen des Wetters.", ("Umsätze", "wegen", "Wetters")),
        ("德国的增长是由于出口。", ("由于", "出口")),
    ],
)
def test_what_is_not_judged_is_said(draft: str, words: tuple[str, ...]) -> None:
    result = check(draft, catalogue())
    assert result.verdict not in ("supported", "supported_in_part")
    said = " ".join(result.not_judged)
    assert [word for word in words if f"'{word}'" not in said] == [], said


def test_a_draft_without_claims_has_nothing_to_judge() -> None:
    for draft in ("", "   \n", "Hello!", "…", "\x00\x01"):
        result = check(draft, catalogue())
        assert result.verdict == "nothing_to_judge"
        assert result.claims == ()


def test_claims_stand_where_they_are_written() -> None:
    draft = "共找到１２个资产。\n\x00Munich Ring：12.5\u00a0km"
    for claim in check(draft, catalogue()).claims:
        assert draft[claim.start : claim.end] == claim.text
    assert check(draft, catalogue()).verdict == "supported"


@pytest.mark.parametrize(
    "unit",
    ["12.5 km, ", "Munich Ring is 12.5 km. ", "| a | 1 ", "“12” ", "`12 km` ", "(",
     "慕尼黑的长度为", "- 12 km\n", "\x00", "1", "Abc ", "**", "http://a.b/c ", "| 12 |\n|--|\n"],
)  # fmt: skip
def test_a_megabyte_is_read_in_bounded_time(unit: str) -> None:
    draft = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    start = time.process_time()
    result = check(draft, [*catalogue(), *statistics()])
    assert time.process_time() - start < 20
    assert result.not_judged[0] == f"the text past its first {MAX_CHARACTERS:,} characters"
    assert len(result.claims) <= MAX_CLAIMS * 2


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("Munich Ring ist 12,5 km lang, mit 4 Fahrspuren.", "supported"),
        ("Berlin Map hat die Lizenz MIT.", "supported"),
        ("Munich Ring hat die Lizenz MIT.", "contradicted"),
    ],
)
def test_a_small_function_word_names_no_licence(draft: str, verdict: str) -> None:
    assert check(draft, catalogue()).verdict == verdict
