"""What the workflow is asked, what it does step by step, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.outcome import Outcome, QueryAudit
from groundwire.sparql.registry import Mode

Ending = Literal["answered", "needs_decision", "aborted"]
StepName = Literal[
    "policy", "label_match", "breakdown", "explore", "query", "fallback", "format", "report"
]
StepStatus = Literal["done", "empty", "skipped", "failed"]
Decision = Literal["synthesize", "continue", "variants"]

QUESTION = "Synthesize an answer without KG backing or continue probing?"
"""Seed 003, "Final Failure Report"."""

EXIT_MESSAGE = (
    "KG workflow required but could not be completed. See audit block for executed queries and "
    "errors."
)
"""Seed 003, "Enforcement Violation Box"."""


class Triple(NamedTuple):
    """One statement that a prompt asks about; an empty part is what it asks for."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What the workflow is asked.

    Attributes:
        prompt: the whole prompt.
        variants: other ways to say it, best first.
        triples: its meaning as statements; empty has it split by rules.
        entity_types: IRIs of types that the answer may be of; empty for the usual ones.
        limit: most rows of the answer.
        mode: the policy in force; `strict` aborts where the graph has no answer.
        decision: what the caller decided after an earlier run found nothing, or None.
    """

    prompt: str
    variants: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    entity_types: tuple[str, ...] = ()
    limit: int = 10
    mode: Mode = "off"
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """An entity whose label or text fits.

    Attributes:
        iri: the entity.
        label: what it is called, or its IRI where nothing says it.
        value: the text that was found.
        score: 0 to 1, greater is better; only good for ordering.
    """

    iri: str
    label: str
    value: str
    score: float


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the answer: a text with the entity that it is from.

    Attributes:
        iri: the entity.
        label: what it is called.
        text: what the graph says of it, or "".
        score: see `Hit`.
        endpoint: the endpoint that answered.
    """

    iri: str
    label: str
    text: str
    score: float
    endpoint: Endpoint


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: what it did, or why it was skipped."""

    step: StepName
    status: StepStatus
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """What a run came to.

    Attributes:
        ending: how it ended.
        markdown: the answer with links, or the final report.
        rows: the answer.
        steps: every step, those skipped too.
        audits: every query, in order.
        question: what to ask the user, or "".
        exit_message: why it was aborted, or "".
    """

    ending: Ending
    markdown: str
    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    audits: tuple[QueryAudit, ...]
    question: str = ""
    exit_message: str = ""


class Found(NamedTuple):
    """What a search for labels came to: entities, and whether the endpoint answered at all."""

    hits: Sequence[Hit]
    answered: bool


class Source(Protocol):
    """A graph that the workflow asks, with its way to search texts."""

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint that is asked."""
        ...

    def searches(self, text: str) -> int:
        """How many queries a search for a text may take at most."""
        ...

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float, attempt: int
    ) -> tuple[list[Hit], Outcome]:
        """One query for entities whose label fits a text; `attempt` counts from 0."""
        ...

    async def widen(
        self, terms: Sequence[str], types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """One query for entities that some text says some of the terms of."""
        ...

    async def select(self, query: str, limit: int, timeout: float) -> Outcome:
        """One query that this project composed."""
        ...
