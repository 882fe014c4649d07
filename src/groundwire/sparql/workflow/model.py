"""Model of the workflow: what it is asked, what it does step by step, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from groundwire.evidence.records import Statement, Value
from groundwire.graph.queries import CompiledQuery
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.label_queries import TermMode
from groundwire.sparql.outcome import Outcome, QueryAudit
from groundwire.sparql.registry import Mode

Ending = Literal["answered", "entity_found", "needs_decision", "aborted"]
StepName = Literal[
    "policy", "label_match", "breakdown", "explore", "query", "fallback", "format", "report"
]
StepStatus = Literal["done", "empty", "skipped", "failed"]
Decision = Literal["synthesize", "continue", "variants"]
Match = Literal["name", "label", "text", "similar", "pattern"]
"""A label is the text; holds it or its words; a text has the words; has most; statements say it."""

QUESTION = "Synthesize an answer without KG backing or continue probing?"
"""Seed 003, "Final Failure Report"."""

MANDATE_QUESTION = "Shall the KG workflow be mandatory for this prompt?"

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
    """The question of the workflow.

    Attributes:
        prompt: the whole prompt.
        variants: other ways to say it, best first.
        triples: its meaning as statements; empty has it split by rules.
        entity_types: IRIs of types that the answer may be of; empty for the usual ones.
        limit: most rows of the answer.
        mode: the policy in force; `strict` aborts where the graph has no answer.
        decision: what the caller decided after an earlier run found nothing, or None.
        unsure: why nobody can be sure whether the workflow is mandatory for the prompt, or "".
        tried: keys of the queries that earlier runs sent; they are not sent again.
        before: audits of the run before, for an ending that asks nothing.
    """

    prompt: str
    variants: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    entity_types: tuple[str, ...] = ()
    limit: int = 10
    mode: Mode = "off"
    decision: Decision | None = None
    unsure: str = ""
    tried: frozenset[str] = frozenset()
    before: tuple[QueryAudit, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """An entity whose label or text fits.

    Attributes:
        iri: the entity.
        label: what it is called, or its IRI where nothing says it.
        value: the text that was found.
        score: 0 to 1, greater is better; only good for ordering.
        types: IRIs of its types, where they are known.
        is_name: the text that was found is a name of the entity, and not another text of it.
    """

    iri: str
    label: str
    value: str
    score: float
    types: tuple[str, ...] = ()
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a how-to.

    Attributes:
        texts: what each says, in order.
        numbers: the number of each, as the graph has it; empty where it does not say the order.
        missing: what keeps them from being whole, as in "step 3 is missing"; empty if nothing does.
        others: what each says in other languages, as many as `texts`; empty where none is read.
    """

    texts: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()


class StatedTriple(NamedTuple):
    """A statement of the graph that proves a row.

    Attributes:
        subject, predicate, object: IRIs, or the text of a literal.
        said: the same by names, for a reader.
    """

    subject: str
    predicate: str
    object: str
    said: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the answer: a text with the entity that it is from.

    Attributes:
        iri: the entity.
        label: what it is called.
        text: what the graph says of it, or "".
        score: see `Hit`.
        endpoint: the endpoint that answered.
        match: how it was found.
        looked_for: the text or the words that it was found by.
        names: all its names that were read.
        kind: whether it is a question or a how-to; "" for anything else.
        source: whether the text is the answer of a question, a text about the entity, or only
            what was found of it ("").
        steps: those of a how-to, if they were read.
        triples: the statements that prove it.
    """

    iri: str
    label: str
    text: str
    score: float
    endpoint: Endpoint
    match: Match = "label"
    looked_for: str = ""
    names: tuple[str, ...] = ()
    kind: Literal["question", "how_to", ""] = ""
    source: Literal["answer", "text", ""] = ""
    steps: Steps | None = None
    triples: tuple[StatedTriple, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run: what it did, or why it was skipped."""

    step: StepName
    status: StepStatus
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """The report of a run.

    Attributes:
        ending: how it ended.
        markdown: the answer with links, or the final report.
        rows: the answer.
        steps: every step, those skipped too.
        audits: every query, in order.
        question: what to ask the user, or "".
        exit_message: why it was aborted, or "".
        finding: what can be said of the graph where it has no answer: what was looked for, what
            was not, and what is in doubt.
        tried: keys of all queries that were sent, for a run that goes on.
        looked: what was looked for at each endpoint by name, where the graph has no answer.
        is_doubtful: not every endpoint could be asked in full, so that nothing is known to be
            missing.
        named: entities that the prompt names, where the graph has no answer.
        confidence: of the pattern that ran, in a word, or "".
        said: the sentence of a pattern, or "" where no pattern was run.
        values, statements: what the rows of a pattern state.
        looked_at: names of the graphs that were looked at.
        not_looked_at: names of those that were not, or not in full, with why where it is known.
        unread: that words of the prompt were not understood, or "".
    """

    ending: Ending
    markdown: str
    rows: tuple[Row, ...]
    steps: tuple[Step, ...]
    audits: tuple[QueryAudit, ...]
    question: str = ""
    exit_message: str = ""
    finding: str = ""
    tried: frozenset[str] = frozenset()
    looked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    is_doubtful: bool = False
    named: tuple[Hit, ...] = ()
    said: str = ""
    confidence: str = ""
    values: tuple[Value, ...] = ()
    statements: tuple[Statement, ...] = ()
    looked_at: tuple[str, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    unread: str = ""


class Wanted(NamedTuple):
    """The names that the texts are searched for in step 3.

    Attributes:
        terms: the words.
        mode: whether a text has all of them, or some.
        types: IRIs of types that the entity may have; empty for any.
        properties: IRIs of properties that may say it beside the usual ones, where the engine has
            no text index.
        limit: most entities.
        anywhere: any property may say it.
    """

    terms: tuple[str, ...]
    mode: TermMode
    types: tuple[str, ...]
    properties: tuple[str, ...]
    limit: int
    anywhere: bool = False


class Source(Protocol):
    """A graph that the workflow asks, with its way to search texts."""

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint that is asked."""
        ...

    def label_key(self, text: str) -> str:
        """Return the key of a query for a label: texts of one key are asked the same."""
        ...

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """One query for entities whose label fits a text."""
        ...

    def matching(self, wanted: Wanted) -> CompiledQuery:
        """The query for entities that a text says terms of: ?entity, ?value and ?sc."""
        ...

    async def select(self, query: CompiledQuery, limit: int, timeout: float) -> Outcome:
        """One query that this project composed."""
        ...
