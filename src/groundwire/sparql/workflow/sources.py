"""The graphs that the workflow asks, opened in time, each with its way of searching texts.

Opening may take long: a local graph is loaded, and its labels are indexed. What a run has no time
to wait for goes on behind it, so that the next run finds it open.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import anyio.to_thread

from groundwire.errors import DeadlineError, GroundwireError, InputError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term
from groundwire.sparql.endpoint import ENGINE_SEARCHES, Endpoint
from groundwire.sparql.execution import failed
from groundwire.sparql.label_file import label_key, mentions
from groundwire.sparql.label_queries import (
    FIT,
    EngineSearch,
    TermMode,
    bif_contains_query,
    engine_query,
    regex_query,
    search_terms,
)
from groundwire.sparql.label_store import LabelMirror
from groundwire.sparql.labels import LabelIndex, LabelMatch
from groundwire.sparql.outcome import Outcome, QueryAudit, Request, Runner, text_of, timestamp
from groundwire.sparql.workflow.model import Hit, Source, Wanted
from groundwire.sparql.workflow.queries import LABEL_PATHS, OTHER_NAMES, TEXT_PROPERTIES
from groundwire.sparql.workflow.questions import best_types

# Labels that hold all words of a prompt, or hold it whole; less is a likeness, not a match.
MATCHES_FROM = 0.6
# A label that is the text, and one that holds it; see `LabelIndex.match`.
_TIERS = (1.0, 0.8)
_GRACE = 2.0
# How a server's refusal of a query is told; see `groundwire.graph.dialects`.
_REFUSED = "refused the query"
_LETTER = re.compile("[0-9A-Za-z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W_]+")
_MORE, _MOST = 5, 100
_NAMES = frozenset((*LABEL_PATHS, *OTHER_NAMES))


@dataclass(slots=True)
class TextIndex:
    """Whether an endpoint's own text index has proved useful.

    Attributes:
        has_answered: it has found something.
        is_useless: it found nothing that regular expressions did find, or failed.
    """

    has_answered: bool = False
    is_useless: bool = False


@dataclass(frozen=True, slots=True)
class QueriedSource:
    """An endpoint whose texts are searched by queries: full-text where it has an index, or REGEX.

    Attributes:
        endpoint: the endpoint.
        runner: what runs SPARQL there.
        text_index: what is known of the engine's own text index.
    """

    endpoint: Endpoint
    runner: Runner
    text_index: TextIndex = field(default_factory=TextIndex, kw_only=True)

    def label_key(self, text: str) -> str:
        """The words in a row, or those that are joined."""
        if self.endpoint.text_search == "bif_contains":
            return f"phrase {_flat(text)}"
        return f"words {' '.join(search_terms(text)).casefold()}"

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """Search a text as a phrase, or by all its words where no value holds the phrase.

        Entities of the type that fits the text best come first, where the caller names none.
        """
        terms = search_terms(text)
        if not terms:
            raise InputError("the text has no letter or digit to look for")
        preferred = () if types else sorted(best_types(text))
        if self.endpoint.text_search == "bif_contains":
            # The order of the server is not ours, so more is asked for than is shown.
            most = min(_MORE * limit, max(limit, _MOST))
            query = bif_contains_query(text, "either", types, most, preferred=preferred)
            started = time.monotonic()
            outcome = await self.select(query, most, timeout)
            left = timeout - (time.monotonic() - started)
            if outcome.status == "error" and _REFUSED in outcome.reason and left > 0:
                # It is no Virtuoso, or has no text index.
                found, second = await self._by_expressions(terms, text, types, limit, left)
                return found, _both(outcome, second)
            hits = _hits(outcome, text)
            held = [hit for hit in hits if hit.score >= _TIERS[1]]
            return (held or hits)[:limit], outcome
        if self._asks_engine:
            return await self._by_engine(text, types, limit, timeout)
        return await self._by_expressions(terms, text, types, limit, timeout)

    async def _by_expressions(
        self, terms: Sequence[str], text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        preferred = () if types else sorted(best_types(text))
        query = regex_query(terms, "and", types, limit, properties=LABEL_PATHS, preferred=preferred)
        outcome = await self.select(query, limit, timeout)
        return _with_all(terms, _hits(outcome, text)), outcome

    @property
    def _asks_engine(self) -> bool:
        return self.endpoint.text_search in ENGINE_SEARCHES and not self.text_index.is_useless

    async def _by_engine(
        self, text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """Search by the engine's text index, or by regular expressions where that finds nothing.

        An engine without such an index finds nothing, or fails. So as long as it never found
        anything, its silence proves nothing.
        """
        started = time.monotonic()
        most = min(_MORE * limit, max(limit, _MOST))
        preferred = () if types else sorted(best_types(text))
        terms = search_terms(text)
        query = self._engine_query(terms, "and", types, most, preferred=preferred)
        outcome = await self.select(query, most, timeout)
        hits = _with_all(terms, _hits(outcome, text))
        if hits:
            self.text_index.has_answered = True
        left = timeout - (time.monotonic() - started)
        if hits or (self.text_index.has_answered and outcome.answered) or left <= 0:
            return hits[:limit], outcome
        found, second = await self._by_expressions(terms, text, types, limit, left)
        self.text_index.is_useless = bool(found) or not outcome.answered
        return found, _both(outcome, second)

    def _engine_query(
        self,
        terms: Sequence[str],
        mode: TermMode,
        types: Sequence[str],
        limit: int,
        *,
        properties: Sequence[str] = LABEL_PATHS,
        preferred: Sequence[str] = (),
    ) -> CompiledQuery:
        kind = cast("EngineSearch", self.endpoint.text_search)
        index = self.endpoint.text_index
        return engine_query(
            kind, terms, mode, types, limit,
            properties=properties, preferred=preferred, index=index,
        )  # fmt: skip

    def matching(self, wanted: Wanted) -> CompiledQuery:
        """Texts and labels that say all or some terms."""
        if self.endpoint.text_search == "bif_contains":
            text = " ".join(wanted.terms)
            return bif_contains_query(text, wanted.mode, wanted.types, wanted.limit)
        known = (*LABEL_PATHS, *TEXT_PROPERTIES, *wanted.properties)
        said = () if wanted.anywhere else dict.fromkeys(known)
        if self._asks_engine and self.text_index.has_answered:
            most = min(_MORE * wanted.limit, max(wanted.limit, _MOST))
            return self._engine_query(
                wanted.terms, wanted.mode, wanted.types, most, properties=tuple(said)
            )
        return regex_query(
            wanted.terms, wanted.mode, wanted.types, wanted.limit, properties=tuple(said)
        )

    async def select(self, query: CompiledQuery, limit: int, timeout: float) -> Outcome:
        """One query that this project composed; it passes the gate like any other."""
        request = Request("sparql", query, limit, timeout)
        try:
            # A runner keeps to its time by itself; a run has to end even if one does not.
            with anyio.fail_after(timeout + _GRACE):
                return await self.runner.run(request)
        except TimeoutError:
            return failed(request, self.endpoint, f"no answer within {timeout:g} s")


@dataclass(frozen=True, slots=True)
class IndexedSource(QueriedSource):
    """A local graph with an index of its labels.

    Attributes:
        labels: the index.
        made: when it was made, where its graph may have changed since.
    """

    labels: LabelIndex
    made: str = ""

    def label_key(self, text: str) -> str:
        """The text."""
        return f"index {' '.join(text.casefold().split())}"

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """Labels that are the text, hold it, or hold all its words; of equals the fitting type.

        Where there is none, those that stand in the text whole, with a score below `MATCHES_FROM`.
        """
        started = timestamp()
        fitting: frozenset[str] = frozenset() if types else best_types(text)

        def look() -> list[LabelMatch]:
            first = self.labels.match(text, types=fitting, limit=limit) if fitting else []
            others = self.labels.match(text, types=types, limit=limit)
            return list({one.iri: one for one in (*first, *others)}.values())

        try:
            with anyio.fail_after(timeout):
                found = await anyio.to_thread.run_sync(look, abandon_on_cancel=True)
        except GroundwireError as error:
            return [], self._outcome(text, started, [], str(error))
        except TimeoutError:
            return [], self._outcome(text, started, [], f"no answer within {timeout:g} s")
        kept = [one for one in found if one.score >= MATCHES_FROM] or _named_in(text, found)
        hits = [Hit(one.iri, one.label, one.value, one.score, one.types, True) for one in kept]
        hits.sort(key=lambda hit: _order(hit, fitting))
        return hits[:limit], self._outcome(text, started, kept, "")

    def _outcome(
        self, text: str, started: str, found: Sequence[LabelMatch], failure: str
    ) -> Outcome:
        """A look at the index, with an audit like that of a query."""
        rows = tuple((Term("iri", one.iri), one.value, one.score) for one in found)
        raw = json.dumps(
            [[one.iri, one.value, round(one.score, 3)] for one in found], ensure_ascii=False
        ).encode()
        since = f" (labels as of {self.made})" if self.made else ""
        status = "error" if failure else "complete" if rows else "empty"
        audit = QueryAudit(
            "sparql", f"LABEL INDEX MATCH {json.dumps(text, ensure_ascii=False)}{since}",
            self.endpoint.name, self.endpoint.shown, started, timestamp(), None,
            f"{status}: {failure}" if failure else status, f"{len(rows)} labels", raw, len(raw),
        )  # fmt: skip
        return Outcome(status, ("entity", "value", "score"), rows, failure, audit)


@dataclass(frozen=True, slots=True)
class MirroredSource(QueriedSource):
    """A remote graph with an index of its labels beside it, once that is made.

    Attributes:
        mirror: the index, or what makes it.
    """

    mirror: LabelMirror | None = None

    def label_key(self, text: str) -> str:
        """Return the text, or its words while no index is built."""
        indexed = self._indexed()
        return (
            super(MirroredSource, self).label_key(text)
            if indexed is None
            else (indexed.label_key(text))
        )

    async def search(
        self, text: str, types: Sequence[str], limit: int, timeout: float
    ) -> tuple[list[Hit], Outcome]:
        """Search the index, or by regular expressions while the index is being made."""
        indexed = self._indexed()
        if indexed is None:
            return await super(MirroredSource, self).search(text, types, limit, timeout)
        return await indexed.search(text, types, limit, timeout)

    def _indexed(self) -> IndexedSource | None:
        index = self.mirror.current() if self.mirror is not None else None
        made = self.mirror.made if self.mirror is not None else None
        if index is None or made is None:
            return None
        return IndexedSource(self.endpoint, self.runner, labels=index, made=made.at)


def _with_all(terms: Sequence[str], hits: Sequence[Hit]) -> list[Hit]:
    """The hits whose value has all terms as words: engines find "art" in "partial"."""
    whole = [_pattern(term, whole=True) for term in terms]
    return [hit for hit in hits if all(one.search(hit.value) for one in whole)]


def _both(first: Outcome, second: Outcome) -> Outcome:
    """The second outcome, whose audit tells of the first query too."""
    audit = replace(
        second.audit,
        query_text=(
            f"{first.audit.query_text}\n# {first.audit.per_query_status_and_error}; then:\n"
            f"{second.audit.query_text}"
        ),
        start_timestamp=first.audit.start_timestamp,
    )
    return replace(second, audit=audit)


def _named_in(text: str, found: Sequence[LabelMatch]) -> list[LabelMatch]:
    """The matches whose label stands in a text whole, and in no longer one of them."""
    spans = mentions(text)
    named = [(spans[key], one) for one in found if (key := label_key(one.value)) in spans]
    rows = [f" {' '.join(words)} " for words, _ in named]
    return [
        one
        for (_, one), row in zip(named, rows, strict=True)
        if not any(row != other and row in other for other in rows)
    ]


def _hits(outcome: Outcome, text: str) -> list[Hit]:
    """Return rows of a label query as entities, the best row of each."""
    best: dict[str, Hit] = {}
    wanted = _flat(text)
    fits = _fitting(outcome)
    for iri, value, is_name in _values(outcome):
        said = _flat(value)
        # A value that is the text and nothing else is the best match; then one that holds it. The
        # longer, the less.
        share = min(1.0, len(wanted) / max(len(said), 1))
        held = _TIERS[1] if f" {wanted} " in f" {said} " else MATCHES_FROM
        score = 1.0 if said == wanted else held + 0.15 * share
        types = (fits[iri],) if iri in fits else ()
        _better(best, Hit(iri, value, value, round(score, 3), types, is_name))
    return sorted(best.values(), key=lambda hit: _order(hit, frozenset(hit.types)))


def _flat(text: str) -> str:
    """The words of a text in a row."""
    return " ".join(_WORD.findall(text.casefold()))


def _order(hit: Hit, fitting: frozenset[str]) -> tuple[int, bool, float]:
    """Rank a hit: labels that are the text, then those that hold it, then those with its words.

    Within each, entities of the type that fits best come first.
    """
    tier = sum(hit.score < least for least in _TIERS)
    return tier, not fitting.intersection(hit.types), -hit.score


def _fitting(outcome: Outcome) -> dict[str, str]:
    """The entities that have one of the types that were preferred, with that type."""
    found: dict[str, str] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        fit = cells.get(FIT)
        if fit is not None:
            found[text_of(cells.get("entity"))] = text_of(fit)
    return found


def hits_by_terms(outcome: Outcome, wanted: Wanted, *, stems: bool = False) -> list[Hit]:
    """Return rows of a query for terms as entities, those with most of the terms first.

    Of texts that have some terms, those count that have more than half of them.

    Args:
        outcome: what the query came to.
        wanted: what it asked for.
        stems: whether the engine looks words up in an index that knows other forms of them.
    """
    best: dict[str, Hit] = {}
    begins = [_pattern(term, whole=False) for term in wanted.terms]
    enough = 1.0 if wanted.mode == "and" else 0.51
    for iri, value, _ in _values(outcome):
        share = sum(bool(one.search(value)) for one in begins) / max(len(begins), 1)
        if stems and wanted.mode == "and":
            share = 1.0
        if share >= enough:
            _better(best, Hit(iri, value, value, round(MATCHES_FROM * share, 3)))
    return sorted(best.values(), key=lambda hit: -hit.score)[: wanted.limit]


def _pattern(term: str, *, whole: bool) -> re.Pattern[str]:
    """A term as a word, or at the beginning of one; in Chinese, which parts no words, anywhere.

    Regular expressions of engines find "art" in "partial".
    """
    text = re.escape(term)
    if _LETTER.match(term):
        text = rf"(?<!{_LETTER.pattern}){text}"
    if whole and _LETTER.match(term[-1:]):
        text = rf"{text}(?:e?s)?(?!{_LETTER.pattern})"
    return re.compile(text, re.IGNORECASE)


def _values(outcome: Outcome) -> Iterator[tuple[str, str, bool]]:
    """The entities of an outcome with the text of each row, and whether it is a name."""
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        entity, attribute = cells.get("entity"), text_of(cells.get("attribute"))
        if isinstance(entity, Term) and entity.kind == "iri":
            # A query that names no attribute asks for labels alone.
            yield entity.value, text_of(cells.get("value")), not attribute or attribute in _NAMES


def _better(best: dict[str, Hit], hit: Hit) -> None:
    kept = best.get(hit.iri)
    if kept is None or (kept.score, kept.is_name) < (hit.score, hit.is_name):
        best[hit.iri] = hit


@dataclass(frozen=True, slots=True)
class Unopened:
    """An endpoint that is opened when it is first asked.

    Attributes:
        endpoint: the endpoint.
        open: opens it; raises a `GroundwireError` where that cannot be done.
    """

    endpoint: Endpoint
    open: Callable[[], Awaitable[Source]]


async def opened(source: Source | Unopened, seconds: float) -> Source:
    """A source that can be asked.

    Raises:
        DeadlineError: it is not open after so many seconds.
        GroundwireError: it cannot be opened.
    """
    if not isinstance(source, Unopened):
        return source
    opening = asyncio.ensure_future(source.open())
    done, _ = await asyncio.wait({opening}, timeout=max(0.0, seconds))
    if done:
        return opening.result()
    opening.add_done_callback(_seen)
    raise DeadlineError(
        f"Endpoint {source.endpoint.name} was not open within the time of the run; it is being "
        "opened, so ask again in a while."
    )


def _seen(opening: asyncio.Future[Source]) -> None:
    """Why it could not be opened is told to whoever asks next."""
    if not opening.cancelled():
        opening.exception()
