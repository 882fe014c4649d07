"""Trail and budget of a run: steps and queries, what endpoints said, and the time that is left.

Every query of a run goes through `Trail.ask`, so none is sent without a budget, a pause and an
audit, and none is left out without a word.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from groundwire.errors import GroundwireError, InputError
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import failed
from groundwire.sparql.outcome import Outcome, QueryAudit, Request
from groundwire.sparql.registry import Limits, Registry
from groundwire.sparql.workflow.model import Hit, Source, Step, StepName, StepStatus

# Queries that are always kept for exploring types and for the query that returns texts.
RESERVED = 2


class Budget:
    """Counts the queries and the time of one run. What it refuses is reported, never forgotten."""

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:
        """Start the clock.

        Args:
            limits: of the registry.
            clock: seconds.
            sleep: waits; None is the event loop's.
        """
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._end = clock() + limits.maximum_total_kg_time_seconds
        self.used = 0
        self.left_out: list[str] = []
        self._last: dict[str, float] = {}

    @property
    def queries_left(self) -> int:
        """How many queries may still be sent."""
        return max(0, self.limits.max_queries_per_prompt - self.used)

    @property
    def seconds_left(self) -> float:
        """How much of the whole time is left."""
        return self._end - self._clock()

    def timeout(self, seconds: float) -> float:
        """Seconds for the next query, of `seconds` that its endpoint has."""
        limit = self.limits.per_query_timeout_seconds
        return max(0.05, min(seconds, limit, self.seconds_left))

    def take(self, what: str, endpoint: str = "", *, keep: int = RESERVED, costs: int = 1) -> bool:
        """Spend a query, or note that it was left out.

        Args:
            what: what the query is for, as the report says it.
            endpoint: name of a remote endpoint, whose pause has to fit into the time too.
            keep: how many queries have to be left for what comes later.
            costs: how many queries it is; 0 for one that only needs time.
        """
        if self.seconds_left <= self._waiting(endpoint):
            self.left_out.append(f"{what}: no time was left")
            return False
        if costs and self.queries_left <= keep:
            self.left_out.append(f"{what}: no query was left")
            return False
        self.used += costs
        return True

    async def pause(self, endpoint: str) -> None:
        """Wait between two queries to one remote endpoint, as the limits say."""
        wait = self._waiting(endpoint)
        if wait > 0:
            await self._wait(wait)

    def ended(self, endpoint: str) -> None:
        """A query to an endpoint has ended: the pause before the next one begins."""
        self._last[endpoint] = self._clock()

    def _waiting(self, endpoint: str) -> float:
        last = self._last.get(endpoint)
        if last is None:
            return 0.0
        return max(0.0, self.limits.seconds_between_retries - (self._clock() - last))

    async def _wait(self, seconds: float) -> None:
        if self._sleep is not None:
            await self._sleep(seconds)
            return
        import anyio

        await anyio.sleep(seconds)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Inquiry:
    """One query that a run wants to send.

    Attributes:
        step: the step that it belongs to.
        source: the endpoint.
        what: what it is for, as the report says it.
        key: what tells it from others, so that a later run does not send it again; "" for none.
        keep: how many queries have to be left for what comes later.
        about: what it looks for, where finding nothing says something of the graph; else "".
        is_kept: its answer describes the graph and is kept for later runs. At a local graph it is
            read once, as the index of its labels is, and costs no query of a prompt.
    """

    step: StepName
    source: Source
    what: str
    key: str = ""
    keep: int = 0
    about: str = ""
    is_kept: bool = False


@dataclass(slots=True)
class Trail:
    """The steps and queries of one run.

    Attributes:
        registry: limits.
        budget: what may be spent.
        tried: keys of the queries of this run and of those before it that were answered.
        steps, audits: what was done, in order.
        purposes: what the queries were for, the last ones of the audits.
        said: what each endpoint said, by name.
        looked: what was looked for and not found, by the name of the endpoint.
        named: entities whose name stands in the prompt, where no label fits the prompt.
        doubts: endpoints whose "nothing" proves nothing, with the reason: they failed or answered
            in part.
        unread: what a pattern says of words that it did not understand, or "".
        graphs: the endpoints that were looked at, by name, with why not in full, or "".
        names: of all graphs on offer.
        down: remote endpoints that failed in this run, which are not asked again in it; of a local
            one the graph may answer where the index of labels does not.
    """

    registry: Registry
    budget: Budget
    tried: set[str] = field(default_factory=set[str])
    steps: list[Step] = field(default_factory=list[Step])
    audits: list[QueryAudit] = field(default_factory=list[QueryAudit])
    purposes: list[str] = field(default_factory=list[str])
    said: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    looked: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    named: list[Hit] = field(default_factory=list[Hit])
    doubts: dict[str, str] = field(default_factory=dict[str, str])
    down: set[str] = field(default_factory=set[str])
    unread: str = ""
    graphs: dict[str, str] = field(default_factory=dict[str, str])
    names: tuple[str, ...] = ()

    async def ask(
        self,
        inquiry: Inquiry,
        work: Callable[[float], Awaitable[tuple[T, Outcome]]],
        nothing: T,
    ) -> tuple[T, Outcome] | None:
        """Send a query, if there is a budget for it; None where it was left out.

        Args:
            inquiry: what it is for.
            work: sends it; it is given the seconds that it has.
            nothing: what is found where it fails.
        """
        endpoint = inquiry.source.endpoint
        if inquiry.key and inquiry.key in self.tried:
            return None
        if endpoint.name in self.down:
            self.note(inquiry.step, "skipped", f"{inquiry.what}: the endpoint has failed before")
            return None
        paused = endpoint.name if endpoint.place == "remote" else ""
        costs = 0 if inquiry.is_kept and endpoint.place != "remote" else 1
        if not self.budget.take(inquiry.what, paused, keep=inquiry.keep, costs=costs):
            self.note(inquiry.step, "skipped", self.budget.left_out[-1])
            return None
        await self.budget.pause(paused)
        try:
            found, outcome = await work(self.budget.timeout(self.registry.timeout(endpoint)))
        except GroundwireError as error:
            found = nothing
            outcome = failed(Request("sparql", inquiry.what), endpoint, str(error))
            if isinstance(error, InputError):
                # The endpoint has nothing to do with it.
                outcome = replace(outcome, status="refused")
        if paused:
            self.budget.ended(paused)
            if outcome.status == "error":
                self.down.add(paused)
        if inquiry.key and outcome.status in ("complete", "truncated", "empty"):
            self.tried.add(inquiry.key)
        self._keep(endpoint.name, outcome, inquiry.what)
        return found, outcome

    @property
    def looked_at(self) -> tuple[str, ...]:
        """The graphs that were looked at, as far as the run needed it."""
        return tuple(name for name, why in self.graphs.items() if not why)

    @property
    def not_looked_at(self) -> tuple[str, ...]:
        """The graphs that were not looked at, or not in full, with why where that is known."""
        left = (name for name in self.names if self.graphs.get(name, "not") != "")
        return tuple(
            f"{name} ({why})" if (why := " ".join(self.graphs.get(name, "").split())) else name
            for name in dict.fromkeys(left)
        )

    def note(self, step: StepName, status: StepStatus, detail: str) -> None:
        """Write down a step."""
        self.steps.append(Step(step, status, detail))

    def conclude(self, inquiry: Inquiry, outcome: Outcome, found: str) -> None:
        """Write down what a query came to.

        Args:
            inquiry: the query.
            outcome: what became of it.
            found: what was found, in a few words, or "" for nothing.
        """
        whole = outcome.status in ("complete", "empty")
        if found:
            how = "" if whole else f" ({outcome.status})"
            self.note(inquiry.step, "done", f"{inquiry.what}: {found}{how}")
            return
        said = _said(outcome) + (", of which none fits" if outcome.rows else "")
        self.note(inquiry.step, "empty" if whole else "failed", f"{inquiry.what}: {said}")
        if whole and inquiry.about:
            self.looked.setdefault(inquiry.source.endpoint.name, []).append(inquiry.about)
        if not whole:
            self.doubts[inquiry.source.endpoint.name] = _said(outcome)

    def unopened(self, endpoint: Endpoint, why: str) -> None:
        """An endpoint could not be opened: it has an audit all the same."""
        outcome = failed(Request("sparql", ""), endpoint, why)
        self.note("label_match", "failed", f"{endpoint.name}: {outcome.reason}")
        self.doubts[endpoint.name] = self.graphs[endpoint.name] = outcome.reason
        self._keep(endpoint.name, outcome, f"opening {endpoint.name}")

    def _keep(self, name: str, outcome: Outcome, what: str) -> None:
        most = self.registry.limits.max_stored_raw_payload_size_bytes
        audit = outcome.audit
        if len(audit.raw) > most:
            audit = replace(audit, raw=audit.raw[:most], raw_size=audit.raw_size or len(audit.raw))
        self.audits.append(audit)
        if not outcome.answered:
            self.graphs.setdefault(name, outcome.reason or outcome.status)
        self.graphs.setdefault(name, "")
        self.purposes.append(what)
        counts = self.said.setdefault(name, {})
        counts[_said(outcome)] = counts.get(_said(outcome), 0) + 1


def _said(outcome: Outcome) -> str:
    """How an outcome reads in a report: partial answers are never called empty."""
    if outcome.status == "empty":
        return "nothing"
    if outcome.status == "complete":
        return outcome.audit.result_summary or outcome.status
    return f"{outcome.status}, {outcome.reason}" if outcome.reason else outcome.status
