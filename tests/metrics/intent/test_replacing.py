"""A parser of others reads within bounds: the gate comes first, and codes are the profile's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from groundwire.errors import ConfigurationError
from groundwire.metrics.about import IntentChoice
from groundwire.metrics.intent import replacing
from groundwire.metrics.intent.parsed import ParsedIntent


class Other:
    """Returns what it was made with, and keeps what it was asked."""

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def parse(self, question: str) -> ParsedIntent:
        self.asked.append(question)
        return self.answer(question)


@pytest.fixture
def replaced(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    def make(answer: Callable[[str], Any]) -> tuple[replacing.ReplacedParser, Other]:
        other = Other(answer)
        entry = SimpleNamespace(name="mine", load=lambda: lambda profile: other)
        monkeypatch.setattr(
            replacing, "entry_points", lambda group, name="mine": [entry] if name == "mine" else []
        )
        profile = desk.profile.model_copy(update={"intent": IntentChoice(parser="mine")})
        return replacing.ReplacedParser(profile, desk.parser, desk.gate), other

    return make


def test_another_parser_reads(desk: Any, replaced: Callable[..., Any]) -> None:
    wanted = desk.parser.parse("revenue of HK in 2023")
    parser, other = replaced(lambda question: wanted)
    intent, note = parser.parse_noted("what did HK take in 2023")
    assert (intent.metric, intent.entity, note) == (wanted.metric, wanted.entity, "")
    assert intent.raw_question == "what did HK take in 2023"
    assert other.asked == ["what did HK take in 2023"]


def test_a_question_out_of_scope_is_not_shown_to_it(
    desk: Any, replaced: Callable[..., Any]
) -> None:
    parser, other = replaced(lambda question: ParsedIntent("harmless", "structured"))
    name = desk.profile.external[0].name
    intent, _ = parser.parse_noted(f"revenue of {name} in 2023")
    assert other.asked == []
    assert desk.gate.screen(intent.raw_question).refused


@pytest.mark.parametrize(
    "answer",
    [
        lambda question: ParsedIntent(question, "structured", metric="NO_SUCH_METRIC"),
        lambda question: ParsedIntent(question, "structured", entities=("NOBODY",)),
        lambda question: ParsedIntent(question, "structured", kind="nothing"),
        lambda question: None,
        lambda question: {}[question],
    ],
)
def test_a_reading_that_is_no_use_is_dropped_and_told(
    desk: Any, replaced: Callable[..., Any], answer: Callable[[str], Any]
) -> None:
    parser, _ = replaced(answer)
    intent, note = parser.parse_noted("revenue of HK in 2023")
    assert replace(intent) == desk.parser.parse("revenue of HK in 2023")
    assert note.endswith("so the rules read the question.")


def test_a_parser_that_nobody_declares_is_refused(desk: Any, replaced: Callable[..., Any]) -> None:
    with pytest.raises(ConfigurationError, match="No package declares the intent parser 'yours'"):
        replaced(lambda question: None)
        replacing.parser_named("yours", desk.profile)
