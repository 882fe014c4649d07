"""The graphs that the workflow asks, each with the way of searching texts that its engine has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.graph.terms import Term
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.label_queries import (
    PhraseMode,
    bif_contains_query,
    regex_query,
    search_terms,
)
from groundwire.sparql.labels import LabelIndex, LabelMatch
from groundwire.sparql.outcome import Cell, Outcome, QueryAudit, Request, Runner, timestamp
from groundwire.sparql.workflow.model import Hit
from groundwire.sparql.workflow.queries import LABEL_PATHS, TEXT_PROPERTIES

# Labels that hold all words of a prompt, or hold it whole; less is a likeness, not a match.
MATCHES_FROM = 0.6
_MODES: tuple[PhraseMode, ...] = ("phrase", "and")


@dataclass(frozen=True, slots=True)
class QueriedSource:
    """An endpoint whose texts are searched by queries: full-text where it has an index, or REGEX.

    Attributes:
        endpoint: the endpoint.
        runner: what runs SPARQL there.
    """

    endpoint: Endpoint
    runner: Runner

    def searches(self, text: str) -> int:
        """How many queries a search for a text may take at most."""
        by_index = self.endpoint.text_search == "bif_contains"
        return len(_MODES) if by_index and len(search_terms(text)) > 1 else 1

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float, attempt: int
    ) -> tuple[list[Hit], Outcome]:
        """As a phrase first, then all its words; without an index, all its words."""
        if self.endpoint.text_search == "bif_contains":
            mode = _MODES[min(attempt, len(_MODES) - 1)]
            query = bif_contains_query(text, mode, types, limit)
        else:
            query = regex_query(search_terms(text), "and", types, limit, properties=LABEL_PATHS)
        outcome = await self.select(query, limit, timeout)
        return _hits(outcome, text), outcome

    async def widen(
        self, terms: Sequence[str], types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """Texts and labels that say some of the terms, those that say most of them first."""
        if self.endpoint.text_search == "bif_contains":
            query = bif_contains_query(" ".join(terms), "or", types, limit)
        else:
            said = (*LABEL_PATHS, *TEXT_PROPERTIES)
            query = regex_query(terms, "or", types, limit, properties=said)
        outcome = await self.select(query, limit, timeout)
        return _enough(_hits(outcome, " ".join(terms)), terms), outcome

    async def select(self, query: str, limit: int, timeout: float) -> Outcome:
        """One query that this project composed; it passes the gate like any other."""
        return await self.runner.run(Request("sparql", query, limit, timeout))


@dataclass(frozen=True, slots=True)
class IndexedSource(QueriedSource):
    """A local graph with an index of its labels.

    Attributes:
        labels: the index.
    """

    labels: LabelIndex

    def searches(self, text: str) -> int:
        """One look at the index."""
        return 1

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float, attempt: int
    ) -> tuple[list[Hit], Outcome]:
        """Labels that are the text, hold it, or hold all its words."""
        started = timestamp()
        look = partial(self.labels.match, text, types=types, limit=limit)
        try:
            with anyio.fail_after(timeout):
                found = await anyio.to_thread.run_sync(look, abandon_on_cancel=True)
        except GroundwireError as error:
            return [], self._outcome(text, started, [], str(error))
        except TimeoutError:
            return [], self._outcome(text, started, [], f"no answer within {timeout:g} s")
        kept = [one for one in found if one.score >= MATCHES_FROM]
        hits = [Hit(one.iri, one.label, one.value, one.score) for one in kept]
        return hits, self._outcome(text, started, kept, "")

    def _outcome(
        self, text: str, started: str, found: Sequence[LabelMatch], failure: str
    ) -> Outcome:
        """A look at the index, with an audit like that of a query."""
        rows = tuple((Term("iri", one.iri), one.value, one.score) for one in found)
        raw = json.dumps(
            [[one.iri, one.value, round(one.score, 3)] for one in found], ensure_ascii=False
        ).encode()
        status = "error" if failure else "complete" if rows else "empty"
        audit = QueryAudit(
            "sparql", f"LABEL INDEX MATCH {json.dumps(text, ensure_ascii=False)}",
            self.endpoint.name, self.endpoint.shown, started, timestamp(), None,
            f"{status}: {failure}" if failure else status, f"{len(rows)} labels", raw, len(raw),
        )  # fmt: skip
        return Outcome(status, ("entity", "value", "score"), rows, failure, audit)


def _hits(outcome: Outcome, text: str) -> list[Hit]:
    """Rows of a label query as entities, the best row of each."""
    best: dict[str, Hit] = {}
    wanted = " ".join(text.casefold().split())
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        entity, value = cells.get("entity"), text_of(cells.get("value"))
        if not isinstance(entity, Term) or entity.kind != "iri" or entity.value in best:
            continue
        said = " ".join(value.casefold().split())
        # A value that is the text and nothing else is the best match; the longer, the less.
        share = min(1.0, len(wanted) / max(len(said), 1))
        score = 1.0 if said == wanted else MATCHES_FROM + 0.3 * share
        best[entity.value] = Hit(entity.value, value, value, round(score, 3))
    return sorted(best.values(), key=lambda hit: -hit.score)


def _enough(hits: Sequence[Hit], terms: Sequence[str]) -> list[Hit]:
    """Hits whose text holds half of the terms or more, those with most of them first."""
    kept: list[Hit] = []
    for hit in hits:
        said = hit.value.casefold()
        share = sum(term.casefold() in said for term in terms) / max(len(terms), 1)
        if share >= 0.5:
            kept.append(Hit(hit.iri, hit.label, hit.value, round(0.6 * share, 3)))
    return sorted(kept, key=lambda hit: -hit.score)


def text_of(cell: Cell) -> str:
    """A cell as text."""
    if isinstance(cell, Term):
        return cell.value
    return "" if cell is None else str(cell)
