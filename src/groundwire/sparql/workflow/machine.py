"""The KG-first workflow as a state machine: every step is taken, or reported as skipped.

Label match, semantic breakdown, exploration, one query, links; then the fallbacks in order, and if
all of them fail the final report. Source: seed 003, "The Core Machinery" and "The Fallback
Protocol".

A run that goes on with another one sends no query again. It has a budget of its own, of which it
keeps a part for what the run before did not get to: any type, any property, and texts that say most
of the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import anyio
import anyio.to_thread

from groundwire.errors import GroundwireError
from groundwire.sparql.patterns.answers import PatternAnswer
from groundwire.sparql.patterns.asking import Asking
from groundwire.sparql.patterns.prompt import Fit, answer_by_pattern, described, fit_of
from groundwire.sparql.patterns.words import may_relate, names_language
from groundwire.sparql.registry import Registry
from groundwire.sparql.workflow.endings import (
    abandoned,
    answered,
    asked_first,
    by_pattern,
    found,
    synthesized,
)
from groundwire.sparql.workflow.model import Asked, Hit, Report, Row, Source, Steps, Wanted
from groundwire.sparql.workflow.queries import (
    Exploration,
    Explorer,
    Types,
    explore,
    local_name,
    searched,
)
from groundwire.sparql.workflow.questions import (
    ASKING,
    Question,
    answering,
    break_down,
    is_how_to,
    may_answer,
    names_of,
    read_question,
    read_questions,
    terms_of,
    wordings,
)
from groundwire.sparql.workflow.sources import MATCHES_FROM, IndexedSource, Unopened, opened
from groundwire.sparql.workflow.texts import find_steps, find_texts, like_texts, read_texts
from groundwire.sparql.workflow.trail import RESERVED, Budget, Inquiry, Trail

_MOST_VARIANTS = 3
_MOST_ALIKE = 100
# How-tos whose steps are read, each with a query.
_MOST_HOW_TOS = 2


class Run:
    """One run of the workflow."""

    def __init__(
        self,
        asked: Asked,
        registry: Registry,
        sources: Sequence[Source | Unopened],
        budget: Budget,
        explorer: Explorer = explore,
        others: Sequence[str] = (),
    ) -> None:
        """Describe a run; nothing is sent.

        Args:
            asked: what it is asked.
            registry: limits and demands.
            sources: the endpoints, the one asked first at the beginning.
            budget: what may be spent, the time to open them included.
            explorer: explores types, and knows what was found before.
            others: names of further graphs of the registry, which are not asked.
        """
        self._asked = asked
        self._registry = registry
        self._endpoints = sources
        # Those that could be opened, by their place.
        self._opened: dict[int, Source] = {}
        self._explorer = explorer
        self._trail = Trail(
            registry,
            budget,
            set(asked.tried),
            names=(*(one.endpoint.name for one in sources), *others),
        )
        self._further = asked.decision in ("continue", "variants") and bool(asked.tried)
        self._readings = _readings(asked)

    async def report(self) -> Report:
        """Go through all steps until there is an answer, or nothing more to try."""
        asked, trail = self._asked, self._trail
        if asked.unsure and asked.decision is None:
            return asked_first(asked, trail)
        if asked.decision == "synthesize":
            return synthesized(asked, trail)
        if (pattern := await self._by_pattern()) is not None:
            return by_pattern(asked, trail, pattern)
        if (told := await self._described()) is not None:
            return by_pattern(asked, trail, told)
        rows = await self._label_match()
        if rows:
            trail.note("breakdown", "skipped", "a label fits the prompt")
            trail.note("explore", "skipped", "a label fits the prompt")
        else:
            rows = await self._by_meaning()
        bound, whole = answering(rows, self._readings)
        if whole:
            return answered(asked, trail, bound)
        if rows:
            return found(asked, trail, rows, bound)
        return abandoned(asked, trail)

    async def _described(self) -> PatternAnswer | None:
        """Tell what graphs state of an entity that has no text and is asked to be told about."""
        read, asked = read_question(self._asked.prompt), self._asked
        if read.kind != "description" or self._further:
            return None
        told = [
            await described(
                Asking(source, self._trail), asked.prompt, read.subject, asked.limit, self._trail
            )
            for source in self._sources
            if isinstance(source, IndexedSource)
        ]
        return max(filter(None, told), key=lambda one: len(one.statements), default=None)

    # Patterns

    async def _by_pattern(self) -> PatternAnswer | None:
        """The prompt as a question of a known pattern; None where labels and texts answer it.

        A graph is asked last that has no name for a word of the prompt, or for the relation that
        is asked: there an entity may stand as a name only, of which another graph states more.
        What a pattern did not understand is told beside what labels and texts have.
        """
        asked = self._asked
        chosen = asked.variants if asked.decision == "variants" else ()
        said = next(iter(chosen), asked.prompt)
        if self._further and asked.decision == "continue":
            return None
        # Further endpoints are opened for a question alone, and for none that labels may answer.
        relates = may_relate(said) or any(one.predicate not in ASKING for one in asked.triples)
        asks = relates or read_question(said).kind != "name"
        found: list[PatternAnswer | None] = []

        async def is_answered(asking: Asking) -> bool:
            told = await answer_by_pattern(asking, said, asked.limit, self._trail, asked.triples)
            found.append(told)
            return told is not None and told.ending == "answered"

        later: list[tuple[Fit, int, Asking]] = []
        for place, one in enumerate(self._endpoints):
            # What costs no query is looked at for any question, a remote graph for a relation only.
            if place and not (relates or (asks and one.endpoint.place != "remote")):
                continue
            source = await self._open(place)
            if source is None:
                continue
            if await self._is_title(source, said):
                asks = relates
                continue
            asking = Asking(source, self._trail)
            fit = await fit_of(asking, said)
            if fit is not None and not fit.is_whole:
                later.append((fit, place, asking))
            elif await is_answered(asking):
                return found[-1]
        for _, _, asking in sorted(later, key=lambda one: one[:2]):
            if await is_answered(asking):
                return found[-1]
        unread = (one.sentence for one in found if one is not None and one.ending == "unread")
        self._trail.unread = next(unread, "")
        # What one graph does not state another may: that of the graph that knows most is told.
        return next((one for one in found if one is not None and one.ending != "unread"), None)

    async def _is_title(self, source: Source, said: str) -> bool:
        """Whether a whole prompt is a label, or asks what one thing is or how it is done."""
        read = read_question(said)
        if read.kind == "how" and not self._asked.triples and not names_language(said):
            return True
        if not isinstance(source, IndexedSource):
            return False
        texts = {said.strip(), read.text, read.subject}
        try:
            found = await anyio.to_thread.run_sync(source.labels.called, sorted(texts - {""}))
        except GroundwireError:
            return True
        return bool(found)

    # Step 0

    async def _label_match(self) -> list[Row]:
        """Text by text on the first endpoint, then on the next ones, some of them side by side."""
        texts = self._texts()
        rows: dict[int, list[Row]] = {}

        async def look(place: int) -> None:
            source = await self._open(place)
            rows[place] = await self._match_at(source, texts) if source is not None else []

        waiting = list(range(len(self._endpoints)))
        together = 1
        while waiting:
            group, waiting = waiting[:together], waiting[together:]
            async with anyio.create_task_group() as tasks:
                for place in group:
                    tasks.start_soon(look, place)
            best = max(group, key=lambda place: self._worth(rows[place]))
            if rows[best]:
                return rows[best]
            # Beyond the first endpoint, order of preference matters less than time.
            together = self._registry.limits.max_parallel_endpoint_queries
        return []

    def _worth(self, rows: Sequence[Row]) -> int:
        """Rank rows that answer before other rows, and those before none."""
        return 2 * answering(rows, self._readings)[1] + bool(rows)

    async def _open(self, place: int) -> Source | None:
        """Return the endpoint at a place, opened in the time that is left, or None."""
        if place in self._opened:
            return self._opened[place]
        endpoint = self._endpoints[place]
        try:
            source = await opened(endpoint, self._trail.budget.seconds_left)
        except GroundwireError as error:
            self._trail.unopened(endpoint.endpoint, str(error))
            return None
        self._opened[place] = source
        return source

    @property
    def _sources(self) -> list[Source]:
        """The endpoints that are open, in order."""
        return [source for _, source in sorted(self._opened.items(), key=lambda item: item[0])]

    def _texts(self) -> list[str]:
        """The prompt, then its variants, as many as the limits allow; going on, the next ones."""
        asked = self._asked
        most = min(self._registry.limits.semantic_variant_retries, _MOST_VARIANTS)
        longer = self._further and asked.decision == "continue"
        texts, left = wordings(asked.prompt, asked.variants, most, longer=longer)
        for one in left:
            why = f"variant {one[:60]!r}: no more than {len(texts) - 1} are tried in a run"
            self._trail.note("label_match", "skipped", why)
        return texts

    async def _match_at(self, source: Source, texts: Sequence[str]) -> list[Row]:
        """Entities by their labels, up to the text with which the prompt is answered.

        Where none is, those that the first text found.
        """
        hits: dict[str, list[Hit]] = {}
        rows: dict[str, Row] = {}
        for text in texts:
            hits[text] = await self._search(source, text)
            read = [hit for hit in hits[text] if may_answer(hit, self._readings)]
            read = [hit for hit in read if hit.iri not in rows]
            if read:
                rows |= {row.iri: row for row in await self._read(source, read, text)}
                if answering(list(rows.values()), self._readings)[1]:
                    return list(rows.values())
        first = next((text for text in texts if hits[text]), None)
        if first is None:
            return []
        rest = [hit for hit in hits[first] if hit.iri not in rows]
        others = await self._read(source, rest, first) if rest else []
        return list({row.iri: row for row in (*rows.values(), *others)}.values())

    async def _search(self, source: Source, text: str) -> list[Hit]:
        limits, asked = self._registry.limits, self._asked
        keep = max(RESERVED, limits.max_queries_per_prompt - 2) if self._further else RESERVED
        types = () if self._further else asked.entity_types
        name = source.endpoint.name
        what = f"label match of {text[:60]!r} at {name}"
        key = " ".join(("label", name, *types, "", source.label_key(text)))
        about = f"labels that are “{text[:80]}” or hold its words{_of_types(types)}"
        inquiry = Inquiry("label_match", source, what, key, keep, about)
        done = await self._trail.ask(inquiry, partial(source.search, text, types, asked.limit), [])
        if done is None:
            return []
        found, outcome = done
        hits = [hit for hit in found if hit.score >= MATCHES_FROM]
        self._trail.conclude(inquiry, outcome, f"{len(hits)} entities" if hits else "")
        if text == asked.prompt:
            self._trail.named += [hit for hit in found if hit.score < MATCHES_FROM]
        return hits

    # Steps 1 to 3, and the fallbacks

    async def _by_meaning(self) -> list[Row]:
        """Breakdown, exploration and one query at one endpoint after the other; then likeness."""
        terms, names = self._break_down()
        if not terms:
            self._trail.note("explore", "skipped", "there is nothing to look for")
            self._trail.note("query", "skipped", "there is nothing to look for")
            return []
        # A run that goes on gets to the last fallback too.
        later = 1 if self._further and len(terms) > 2 else 0
        for source in self._sources:
            types, properties = await self._where(source, names, later + 1)
            anywhere = self._further and source.endpoint.text_search != "bif_contains"
            wanted = Wanted(terms, "and", types, properties, self._asked.limit, anywhere)
            rows = await self._query(source, wanted, later)
            if not rows and source.endpoint.inference:
                rows = await self._query(source, wanted, later, source.endpoint.inference)
            if rows:
                return rows
        return await self._alike(terms)

    def _break_down(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Words to look for, and what types may be called."""
        asked = self._asked
        said = asked.prompt
        if asked.decision == "variants" and asked.variants:
            said = asked.variants[0]
        triples = asked.triples or break_down(said)
        terms = terms_of(triples)
        shown = "; ".join(" - ".join(part or "?" for part in one) for one in triples)
        status = "done" if terms else "empty"
        self._trail.note("breakdown", status, shown or "no word says anything")
        return terms, names_of(triples)

    async def _where(
        self, source: Source, names: tuple[str, ...], keep: int
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Types and properties that texts are searched in; a run that goes on takes any."""
        if self._further:
            self._trail.note("explore", "skipped", "entities of any type are searched now")
            return (), ()
        explored = await self._explore(source, names, keep)
        return searched(self._asked, explored), await self._predicates(source, explored, keep)

    async def _explore(self, source: Source, names: tuple[str, ...], keep: int) -> Exploration:
        wanted = Types(self._asked.entity_types, names if source.endpoint.ontologies else ())
        what = f"types at {source.endpoint.name}"
        known = self._explorer.known_types(source, wanted)
        if known is not None:
            found = known.said or "none of them has an entity"
            self._trail.note("explore", "done", f"{what}: {found} (known from before)")
            return known
        inquiry = Inquiry("explore", source, what, keep=keep)
        work = partial(self._explorer.types, source, wanted)
        done = await self._trail.ask(inquiry, work, Exploration())
        if done is None:
            return Exploration()
        explored, outcome = done
        self._trail.conclude(inquiry, outcome, explored.said)
        return explored

    async def _predicates(
        self, source: Source, explored: Exploration, keep: int
    ) -> tuple[str, ...]:
        """Return where texts may stand; engines with a text index find them anywhere."""
        if not explored.types or source.endpoint.text_search == "bif_contains":
            return ()
        known = self._explorer.known_predicates(source, explored.types)
        if known is not None:
            return known
        what = f"predicates at {source.endpoint.name}"
        inquiry = Inquiry("explore", source, what, keep=keep)
        work = partial(self._explorer.predicates, source, explored.types)
        nothing: tuple[str, ...] = ()
        done = await self._trail.ask(inquiry, work, nothing)
        if done is None:
            return ()
        predicates, outcome = done
        said = f"{len(predicates)} that say texts" if predicates else ""
        self._trail.conclude(inquiry, outcome, said)
        return predicates

    async def _query(
        self, source: Source, wanted: Wanted, keep: int, inference: str = ""
    ) -> list[Row]:
        """One query for text, IRI and score."""
        name = source.endpoint.name
        with_ = f" with inference {inference}" if inference else ""
        kind = "statements" if wanted.anywhere else "texts"
        what = f"{kind} with all of {', '.join(wanted.terms[:6])} at {name}{with_}"
        where = "anywhere" if wanted.anywhere else ""
        key = " ".join(("texts", name, where, inference, *wanted.types, "", *wanted.terms))
        fallback = inference or source is not self._sources[0]
        about = f"{kind} with all of {', '.join(wanted.terms[:6])}{_of_types(wanted.types)}"
        inquiry = Inquiry("fallback" if fallback else "query", source, what, key, keep, about)
        work = partial(find_texts, source, wanted, self._asked.prompt, inference=inference)
        done = await self._trail.ask(inquiry, work, [])
        if done is None:
            return []
        rows, outcome = done
        self._trail.conclude(inquiry, outcome, f"{len(rows)} entities" if rows else "")
        return rows

    async def _alike(self, terms: tuple[str, ...]) -> list[Row]:
        """Similarity refinement: texts that say most of the words, of any type."""
        if len(terms) < 3:
            why = "similarity: there are too few words for some of them to say what is meant"
            self._trail.note("fallback", "skipped", why)
            return []
        for source in self._sources:
            # The engine's order is not ours, so more is asked for than is shown.
            wanted = Wanted(terms, "or", (), (), _MOST_ALIKE)
            name = source.endpoint.name
            what = f"texts with most of {', '.join(terms[:6])} at {name}"
            about = f"texts with most of {', '.join(terms[:6])}"
            key = " ".join(("alike", name, *terms))
            inquiry = Inquiry("fallback", source, what, key, about=about)
            done = await self._trail.ask(inquiry, partial(like_texts, source, wanted), [])
            if done is None:
                continue
            hits, outcome = done
            self._trail.conclude(inquiry, outcome, f"{len(hits)} entities" if hits else "")
            if hits:
                said = ", ".join(terms)
                rows = await self._read(source, hits[: self._asked.limit], said)
                return [replace(row, match="similar") for row in rows]
        return []

    # Step 4

    async def _read(self, source: Source, hits: Sequence[Hit], text: str) -> list[Row]:
        """Return what the graph says of the entities, or what was found where no query is left."""
        what = f"texts of {len(hits)} entities at {source.endpoint.name}"
        inquiry = Inquiry("query", source, what)
        plain = [
            Row(hit.iri, hit.label, hit.value, hit.score, source.endpoint, looked_for=text)
            for hit in hits
        ]
        work = partial(read_texts, source, hits, self._asked.prompt, looked_for=text)
        done = await self._trail.ask(inquiry, work, plain)
        if done is None:
            return plain
        rows, outcome = done
        self._trail.conclude(inquiry, outcome, f"{len(rows)} rows" if outcome.rows else "")
        types = {hit.iri: hit.types for hit in hits}
        how_tos = [row for row in rows if is_how_to(row, types.get(row.iri, ()))]
        steps = {row.iri: await self._steps(source, row) for row in how_tos[:_MOST_HOW_TOS]}
        unread = Steps(missing=("its steps were not read: ask for it by its title",))
        steps |= {row.iri: unread for row in how_tos[_MOST_HOW_TOS:]}
        return [replace(row, steps=steps.get(row.iri)) for row in rows]

    async def _steps(self, source: Source, row: Row) -> Steps:
        """The steps of a how-to, or why they could not be read."""
        what = f"steps of {row.label[:60]!r} at {source.endpoint.name}"
        inquiry = Inquiry("query", source, what)
        work = partial(find_steps, source, row.iri, self._asked.prompt)
        done = await self._trail.ask(inquiry, work, Steps())
        if done is None:
            return Steps(missing=("they were not read: no query was left",))
        steps, outcome = done
        self._trail.conclude(inquiry, outcome, f"{len(steps.texts)} steps" if steps.texts else "")
        if steps.texts or steps.missing:
            return steps
        return Steps(missing=(f"they could not be read ({outcome.reason})",))


def _readings(asked: Asked) -> tuple[tuple[Question, ...], ...]:
    """Return what has to be bound: the prompt's question, or a wording that the user chose.

    Variants that come with a prompt are the caller's: they find entities, and answer nothing.
    """
    said = [asked.prompt, *(asked.variants if asked.decision == "variants" else ())]
    return tuple(dict.fromkeys(reading for one in said for reading in read_questions(one)))


def _of_types(types: Sequence[str]) -> str:
    """Return in a few words to which types a search was restricted."""
    named = dict.fromkeys(local_name(one) for one in types)
    return f", of type {', '.join(named)}" if named else ""
