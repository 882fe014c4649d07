"""The router's answers in German and Chinese: no sentence of what it says often stays English."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from groundwire.agents.journey_router_agent.telling import WORDING
from groundwire.agents.runtime.prompts import worded
from groundwire.language.lexicon import Language

_ENGLISH = re.compile(
    r"\b(?:the|is|are|was|not|of|and|or|from|with|which|by|at|to|on|no|it|its|as|for|take|walk)\b"
)
SENTENCES = Path(__file__).with_name("said_sentences.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("language", ["de", "zh"])
@pytest.mark.parametrize("sentence", SENTENCES)
def test_no_sentence_stays_english(sentence: str, language: Language) -> None:
    said = worded(sentence, language, WORDING)
    assert not _ENGLISH.findall(re.sub(r"“[^”]*”|'[^'\n]*'|/\S+", "", said)), said


@pytest.mark.parametrize("language", ["de", "zh"])
def test_names_and_times_are_carried_over(language: Language) -> None:
    said = worded(next(one for one in SENTENCES if one.startswith("1. ")), language, WORDING)
    for part in ("08:01", "08:03", "Victoria line", "Brixton", "Oval", "Angel"):
        assert part in said


def test_both_languages_know_the_same_sentences() -> None:
    patterns = [
        [
            row[0]
            for row in tomllib.loads((WORDING / f"wording_{one}.toml").read_text("utf-8"))[
                "sentences"
            ]
        ]
        for one in ("de", "zh")
    ]
    assert set(patterns[0]) == set(patterns[1])
    assert all(len(one) == len(set(one)) for one in patterns)
