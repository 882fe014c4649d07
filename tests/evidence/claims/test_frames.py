"""Speech about the answer itself around a true sentence, and what looks like it and is a claim."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Value
from tests.evidence.drafts import record

CASES = tomllib.loads(Path(__file__).with_name("frames.toml").read_text("utf-8"))
SENTENCES = {
    "en": (
        "In 2020 Avalon had about 5.1 million inhabitants.",
        "in 2020 Avalon had about 5.1 million inhabitants.",
    ),
    "de": ("2020 hatte Avalon rund 5,1 Millionen Einwohner.",) * 2,
    "zh": ("2020年Avalon人口约为510万。",) * 2,
}  # fmt: skip
LAND = record(
    [Value("population", "5099870", "number", "people", "Avalon", period="2020", source="atlas")],
    tool="query_metric",
)


def around(frame: str, language: str) -> str:
    opening, within = SENTENCES[language]
    return frame.replace("{C}", opening).replace("{c}", within)


@pytest.mark.parametrize("language", CASES)
def test_a_frame_leaves_a_true_sentence_supported(language: str) -> None:
    refused = {
        frame: answer.not_judged or answer.verdict
        for frame in CASES[language]["frames"]
        if (answer := check(around(frame, language), [LAND])).verdict != "supported"
    }
    assert not refused


@pytest.mark.parametrize("language", CASES)
def test_a_frame_that_claims_something_is_not_supported(language: str) -> None:
    passed = [
        frame
        for frame in CASES[language]["claims"]
        if check(around(frame, language), [LAND]).verdict == "supported"
    ]
    assert not passed


@pytest.mark.parametrize(
    "text",
    [
        "Our answer, the US and Avalon had about 5.1 million inhabitants in 2020.",
        "The figure is up: in 2020 Avalon had about 5.1 million inhabitants.",
        "The record is a lie: in 2020 Avalon had about 5.1 million inhabitants.",
        "In 2020 the population of Avalon (5.1 million) was above that of Thule.",
    ],
)
def test_words_of_frames_that_claim_something(text: str) -> None:
    assert check(text, [LAND]).verdict != "supported"
