"""A profile of countries and an invented group, and lists of phrasings; read once."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.metrics.gate.screen import SecurityGate
from groundwire.metrics.intent.clarify import Clarification, clarify
from groundwire.metrics.intent.mentions import Mentions
from groundwire.metrics.intent.parsed import ParsedIntent
from groundwire.metrics.intent.parser import RuleIntentParser
from groundwire.metrics.names import Names
from groundwire.metrics.profile import load_profile

TODAY = date(2026, 11, 21)
HERE = Path(__file__).parent


class Desk:
    """What a question goes through, with a fixed day."""

    today = TODAY

    def __init__(self, path: Path) -> None:
        self.profile = load_profile(path)
        self.names = Names(self.profile)
        names = [written for one in self.profile.entities for written in (one.name, *one.aliases)]
        homes = [kind.home for kind in self.profile.kinds.values() if kind.home]
        offered = [self.profile.entity_by_code[code].name for code in homes]
        self.gate = SecurityGate(self.profile.external, offered, names)
        self.mentions = Mentions(self.names)
        self.parser = RuleIntentParser(self.names, self.gate)

    def parse(self, question: str) -> ParsedIntent:
        return self.parser.parse(question)

    def clarify(self, question: str) -> Clarification:
        return self.judge(self.parse(question))

    def judge(self, intent: ParsedIntent) -> Clarification:
        return clarify(intent, self.names, self.gate, TODAY)


class Answerable(NamedTuple):
    """A question, the codes that it must be read to, and how many periods it names."""

    question: str
    metrics: tuple[str, ...]
    entities: tuple[str, ...]
    periods: int

    @property
    def mode(self) -> str:
        return "none" if self.entities and self.periods else "answer_with_assumptions"


class Trap(NamedTuple):
    """A question, and the code that it must never be read to ("*": nothing at all)."""

    question: str
    never: str


def rows(name: str) -> list[list[str]]:
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="session")
def desk() -> Desk:
    return Desk(HERE / "profile.toml")


@pytest.fixture(scope="session")
def embedded() -> Desk:
    return Desk(HERE.parents[2] / "profiles" / "metrics.toml")


@pytest.fixture(scope="session")
def answerable() -> list[Answerable]:
    return [
        Answerable(
            question, tuple(metrics.split()), tuple(entities.replace("-", "").split()), int(periods)
        )
        for question, metrics, entities, periods in rows("answerable.tsv")
    ]


@pytest.fixture(scope="session")
def traps() -> list[Trap]:
    return [Trap(question, never) for question, never in rows("traps.tsv")]
