"""The KG-first workflow as a state machine: every step is taken, or reported as skipped.

Label match, semantic breakdown, exploration, one query, links; then the fallbacks in order, and if
all of them fail the final report. Source: seed 003, "The Core Machinery" and "The Fallback
Protocol".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import anyio

from groundwire.sparql.outcome import Outcome, QueryAudit
from groundwire.sparql.registry import Registry
from groundwire.sparql.workflow.breakdown import break_down, terms_of, variants_of
from groundwire.sparql.workflow.budget import Budget
from groundwire.sparql.workflow.exploring import Exploration, explore
from groundwire.sparql.workflow.markdown import answer_text, final_report
from groundwire.sparql.workflow.model import (
    EXIT_MESSAGE,
    QUESTION,
    Asked,
    Hit,
    Report,
    Row,
    Source,
    Step,
    StepName,
    StepStatus,
)
from groundwire.sparql.workflow.texts import read_texts

_MOST_VARIANTS = 3


@dataclass(slots=True)
class Run:
    """One run of the workflow, as far as it has come.

    Attributes:
        asked: what it was asked.
        registry: limits and demands.
        sources: the endpoints, the default one first; `None` for one that cannot be opened.
        budget: what may be spent.
        failures: why endpoints could not be opened, by name.
        steps, audits: what was done so far.
    """

    asked: Asked
    registry: Registry
    sources: Sequence[Source]
    budget: Budget
    failures: dict[str, str] = field(default_factory=dict[str, str])
    steps: list[Step] = field(default_factory=list[Step])
    audits: list[QueryAudit] = field(default_factory=list[QueryAudit])
    attempted: dict[str, str] = field(default_factory=dict[str, str])

    async def report(self) -> Report:
        """Go through all steps until there is an answer, or nothing more to try."""
        for name, why in self.failures.items():
            self.attempted[name] = why
        if self.asked.decision == "synthesize":
            return self._synthesize()
        found = await self._label_match()
        if found is not None:
            self._skip("breakdown", "a label answers the prompt")
            self._skip("explore", "a label answers the prompt")
            return await self._answer(*found)
        for source in self.sources:
            rows = await self._by_meaning(source)
            if rows:
                return self._answered(rows)
        return self._failed()

    # Step 0

    async def _label_match(self) -> tuple[Source, list[Hit]] | None:
        """Text by text on the first endpoint, then on the next ones, some of them side by side."""
        texts = self._texts()
        types = self.asked.entity_types
        waiting = list(self.sources)
        together = 1
        while waiting:
            group, waiting = waiting[:together], waiting[together:]
            found: dict[int, list[Hit]] = {}

            async def look(place: int, source: Source, found: dict[int, list[Hit]] = found) -> None:
                found[place] = await self._match_at(source, texts, types)

            async with anyio.create_task_group() as tasks:
                for place, source in enumerate(group):
                    tasks.start_soon(look, place, source)
            for place, source in enumerate(group):
                if found.get(place):
                    return source, found[place]
            # Beyond the first endpoint, order of preference matters less than time.
            together = self.registry.limits.max_parallel_endpoint_queries
        return None

    def _texts(self) -> list[str]:
        """The prompt, then its variants, as many as the limits allow."""
        most = min(self.registry.limits.semantic_variant_retries, _MOST_VARIANTS)
        variants = self.asked.variants or variants_of(self.asked.prompt)
        return list(dict.fromkeys((self.asked.prompt, *variants[:most])))

    async def _match_at(
        self, source: Source, texts: Sequence[str], types: Sequence[str]
    ) -> list[Hit]:
        name = source.endpoint.name
        for text in texts:
            for attempt in range(source.searches(text)):
                what = f"label match of {text[:60]!r} at {name}"
                if not self.budget.take(what):
                    self._note("label_match", "skipped", self.budget.left_out[-1])
                    return []
                await self._pause(source)
                hits, outcome = await source.search(
                    text, types, self.asked.limit, self._timeout(source), attempt
                )
                self._keep(source, outcome)
                if hits:
                    self._note("label_match", "done", f"{len(hits)} entities: {what}")
                    return hits
                self._note("label_match", _status(outcome), f"{what}: {_said(outcome)}")
                if not outcome.answered:
                    return []
        return []

    # Steps 1 to 3

    async def _by_meaning(self, source: Source) -> list[Row]:
        """Breakdown, exploration and one query at an endpoint; then the same by inference."""
        triples = self.asked.triples or break_down(self.asked.prompt)
        terms = terms_of(triples)
        said = "; ".join(" - ".join(part or "?" for part in one) for one in triples)
        self._note("breakdown", "done" if terms else "empty", said or "no word says anything")
        if not terms:
            self._skip("explore", "there is nothing to look for")
            self._skip("query", "there is nothing to look for")
            return []
        explored = await self._explore(source)
        hits = await self._query(source, terms, explored)
        return (await self._answer_rows(source, hits)) if hits else []

    async def _explore(self, source: Source) -> Exploration:
        what = f"types at {source.endpoint.name}"
        cached = explore.cached(source, self.asked.entity_types)
        if cached is not None:
            self._note("explore", "done", f"{what}: {cached.said} (known from before)")
            return cached
        if not self.budget.take(what, reserved=True):
            self._note("explore", "skipped", self.budget.left_out[-1])
            return Exploration()
        await self._pause(source)
        explored, outcome = await explore(source, self.asked.entity_types, self._timeout(source))
        self._keep(source, outcome)
        self._note("explore", _status(outcome), f"{what}: {explored.said or _said(outcome)}")
        return explored

    async def _query(
        self, source: Source, terms: Sequence[str], explored: Exploration
    ) -> list[Hit]:
        types = self.asked.entity_types or explored.types
        what = f"texts with {', '.join(terms[:6])} at {source.endpoint.name}"
        if not self.budget.take(what, reserved=True):
            self._note("query", "skipped", self.budget.left_out[-1])
            return []
        await self._pause(source)
        hits, outcome = await source.widen(terms, types, self.asked.limit, self._timeout(source))
        self._keep(source, outcome)
        found = f"{len(hits)} entities" if hits else _said(outcome)
        self._note("query", "done" if hits else _status(outcome), f"{what}: {found}")
        return hits

    # Step 4

    async def _answer(self, source: Source, hits: Sequence[Hit]) -> Report:
        return self._answered(await self._answer_rows(source, hits))

    async def _answer_rows(self, source: Source, hits: Sequence[Hit]) -> list[Row]:
        """What the graph says of the entities, or what was found where no query is left."""
        what = f"texts of {len(hits)} entities at {source.endpoint.name}"
        if not self.budget.take(what, reserved=True):
            self._note("query", "skipped", self.budget.left_out[-1])
            return [_row(source, hit) for hit in hits]
        await self._pause(source)
        rows, outcome = await read_texts(source, hits, self.asked.prompt, self._timeout(source))
        self._keep(source, outcome)
        self._note("query", "done" if outcome.answered else "failed", f"{what}: {_said(outcome)}")
        return rows

    def _answered(self, rows: Sequence[Row]) -> Report:
        shown = tuple(rows[: self.asked.limit])
        self._note("format", "done", f"{len(shown)} rows with links")
        markdown = answer_text(self.asked.prompt, shown)
        return Report("answered", markdown, shown, tuple(self.steps), tuple(self.audits))

    # Nothing was found

    def _failed(self) -> Report:
        """The final report; where the workflow is mandatory, the end."""
        for left in self.budget.left_out:
            self._note("fallback", "skipped", left)
        strict = self.asked.mode == "strict"
        markdown = final_report(self.asked.prompt, self.audits, self.attempted, self.steps)
        self._note("report", "done", "aborted" if strict else "the user decides")
        return Report(
            "aborted" if strict else "needs_decision",
            markdown,
            (),
            tuple(self.steps),
            tuple(self.audits),
            "" if strict else QUESTION,
            EXIT_MESSAGE if strict else "",
        )

    def _synthesize(self) -> Report:
        """What the user decided: an answer without the graph, which strict mode does not allow."""
        if self.asked.mode == "strict":
            self._note("policy", "failed", "strict mode allows no answer without the graph")
            return self._failed()
        self._note("policy", "done", "the user chose an answer without KG backing")
        text = "The graph has no answer. What follows is not backed by it: say so."
        return Report("answered", text, (), tuple(self.steps), tuple(self.audits))

    # What every step does

    async def _pause(self, source: Source) -> None:
        if source.endpoint.place == "remote":
            await self.budget.pause(source.endpoint.name)

    def _timeout(self, source: Source) -> float:
        return self.budget.timeout(self.registry.timeout(source.endpoint))

    def _keep(self, source: Source, outcome: Outcome) -> None:
        most = self.registry.limits.max_stored_raw_payload_size_bytes
        audit = outcome.audit
        if len(audit.raw) > most:
            audit = replace(audit, raw=audit.raw[:most], raw_size=audit.raw_size or len(audit.raw))
        self.audits.append(audit)
        self.attempted[source.endpoint.name] = _said(outcome)

    def _note(self, step: StepName, status: StepStatus, detail: str) -> None:
        self.steps.append(Step(step, status, detail))

    def _skip(self, step: StepName, why: str) -> None:
        self._note(step, "skipped", why)


def _row(source: Source, hit: Hit) -> Row:
    return Row(hit.iri, hit.label, hit.value, hit.score, source.endpoint)


def _status(outcome: Outcome) -> StepStatus:
    if not outcome.answered:
        return "failed"
    return "done" if outcome.rows else "empty"


def _said(outcome: Outcome) -> str:
    """How an outcome reads in a report: partial answers are never called empty."""
    if outcome.status in ("complete", "empty"):
        return outcome.audit.result_summary or outcome.status
    return f"{outcome.status}, {outcome.reason}" if outcome.reason else outcome.status
