"""Asks a graph on behalf of a pattern: its schema, entities by name, and audited queries."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from weakref import WeakKeyDictionary

import anyio.to_thread

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term
from groundwire.sparql.label_file import label_key
from groundwire.sparql.labels import LabelIndex
from groundwire.sparql.outcome import Cell, Outcome
from groundwire.sparql.patterns.answers import key_of
from groundwire.sparql.patterns.compiling import (
    MOST_ROWS,
    called_query,
    count_of,
    listed_query,
    stated_query,
    used_query,
)
from groundwire.sparql.patterns.reading import Option, Span, spans_to_look_up
from groundwire.sparql.patterns.schema import Schema, read_schema
from groundwire.sparql.patterns.words import LANGUAGES, tokens
from groundwire.sparql.schema.names import (
    MOST_NAMES,
    SUBCLASS_OF,
    Named,
    Use,
    names_query,
    read_uses,
    subclasses_query,
    uses_query,
)
from groundwire.sparql.statements import Labels, labels_in, labels_needed, labels_query
from groundwire.sparql.workflow.model import Source, StepName
from groundwire.sparql.workflow.sources import IndexedSource
from groundwire.sparql.workflow.trail import Inquiry, Trail

_KEPT_SECONDS = 600.0
# Pieces of a prompt that an endpoint without an index is asked for.
_MOST_PIECES = 60
# Labels among which a misspelt one is looked for.
_MOST_ALIKE = 20_000
# Rows that are listed to be counted, where an endpoint cannot count.
_MOST_LISTED = 5_000
_OF_INDEX: WeakKeyDictionary[LabelIndex, Schema] = WeakKeyDictionary()
_OF_ENDPOINT: dict[str, tuple[float, Schema]] = {}


class NotAskedError(Exception):
    """A query of a pattern could not be asked, or was not answered whole: nothing is known."""


class Asking:
    """One graph that a pattern is asked of, within the budget of a run."""

    def __init__(self, source: Source, trail: Trail) -> None:
        """Ask nothing yet."""
        self.source = source
        self._trail = trail
        self._held: dict[str, Mapping[str, Sequence[Option]]] = {}

    @property
    def is_indexed(self) -> bool:
        """Whether entities are found by name without a query."""
        return isinstance(self.source, IndexedSource)

    async def select(
        self, query: CompiledQuery, what: str, *, step: StepName = "query", limit: int = MOST_ROWS
    ) -> Outcome:
        """Run one query.

        Raises:
            NotAskedError: no budget is left for it, or it was not answered.
        """
        name = self.source.endpoint.name
        inquiry = Inquiry(
            step, self.source, f"{what} at {name}", is_kept=self.is_indexed and step == "explore"
        )

        async def work(timeout: float) -> tuple[None, Outcome]:
            return None, await self.source.select(query, limit, timeout)

        done = await self._trail.ask(inquiry, work, None)
        if done is None:
            self._trail.graphs[name] = "no query was left for it"
            raise NotAskedError
        outcome = done[1]
        if not outcome.answered:
            self._trail.conclude(inquiry, outcome, "")
            self._trail.graphs[name] = outcome.reason
            raise NotAskedError
        self._trail.note(step, "done", f"{inquiry.what}: {len(outcome.rows)} rows")
        return outcome

    async def schema(self) -> Schema:
        """Return the properties and classes of the graph, asked once and kept.

        Raises:
            NotAskedError: they could not be asked.
        """
        source = self.source
        if isinstance(source, IndexedSource):
            if source.labels not in _OF_INDEX:
                _OF_INDEX[source.labels] = await self._read_schema()
            return _OF_INDEX[source.labels]
        kept = _OF_ENDPOINT.get(source.endpoint.key)
        if kept is None or time.monotonic() - kept[0] > _KEPT_SECONDS:
            kept = (time.monotonic(), await self._read_schema())
            _OF_ENDPOINT[source.endpoint.key] = kept
        return kept[1]

    async def _read_schema(self) -> Schema:
        most = 8 * MOST_NAMES
        what = "properties and classes"
        try:
            outcome = await self.select(names_query(), what, step="explore", limit=most)
        except NotAskedError:
            # An endpoint that cannot count lists them.
            self._forgive()
            outcome = await self.select(
                names_query(counted=False), what, step="explore", limit=most
            )
        schema = read_schema(outcome)
        if SUBCLASS_OF in schema.properties:
            what = "classes below classes"
            below = await self.select(subclasses_query(), what, step="explore", limit=most)
            schema = read_schema(outcome, below)
        return schema

    async def count(self, query: CompiledQuery, what: str) -> int:
        """Return the number that a query counts; where an endpoint cannot count, list and count.

        Raises:
            NotAskedError: neither could be asked, or the list is cut.
        """
        schema, name = await self.schema(), self.source.endpoint.name
        if schema.can_count:
            try:
                return count_of(await self.select(query, what))
            except NotAskedError:
                if name not in self._trail.down:
                    raise
                self._forgive()
                schema.can_count = False
        listed = await self.select(listed_query(query, _MOST_LISTED + 1), what, limit=_MOST_LISTED)
        if listed.status not in ("complete", "empty"):
            self._trail.graphs[name] = "it cannot count, and the list to count is cut"
            raise NotAskedError
        return len(listed.rows)

    def _forgive(self) -> None:
        """Ask the endpoint again in this run, though it refused a query: that could not count."""
        name = self.source.endpoint.name
        self._trail.down.discard(name)
        self._trail.doubts.pop(name, None)
        self._trail.graphs[name] = ""

    async def add_named(self, schema: Schema, held: Mapping[str, Sequence[Option]]) -> None:
        """Add the properties that a prompt names and the schema, which is read in part, lacks.

        Raises:
            NotAskedError: that could not be asked.
        """
        self._trail.graphs[self.source.endpoint.name] = (
            f"only its {len(schema.properties):,} most used properties are known"
        )
        labels = {
            one.iri: one.label
            for options in held.values()
            for one in options
            if not one.types and one.iri not in schema.properties
        }
        if labels:
            query = used_query(sorted(labels))
            outcome = await self.select(query, "properties by name", step="explore")
            for row in outcome.rows:
                iri = row[0].value if isinstance(row[0], Term) else ""
                schema.add_property(Named(iri, labels[iri], 0, ((labels[iri], ""),)))

    async def uses(self, properties: Sequence[str]) -> Mapping[str, Use]:
        """Return how some properties are used.

        Raises:
            NotAskedError: that could not be asked.
        """
        schema = await self.schema()
        unknown = [one for one in dict.fromkeys(properties) if one not in schema.uses]
        if unknown:
            query = uses_query(unknown)
            outcome = await self.select(query, "use of properties", step="explore", limit=4_000)
            schema.uses.update(read_uses(outcome, unknown))
        return schema.uses

    async def entities(self, prompt: str) -> Mapping[str, Sequence[Option]]:
        """Return the entities of the graph whose labels stand in a prompt, by the piece of it.

        Raises:
            NotAskedError: they could not be asked.
        """
        if prompt not in self._held:
            self._held[prompt] = await self._entities(prompt)
        return self._held[prompt]

    async def _entities(self, prompt: str) -> Mapping[str, Sequence[Option]]:
        pieces = spans_to_look_up(prompt)
        if isinstance(self.source, IndexedSource):
            self._trail.graphs.setdefault(self.source.endpoint.name, "")
            find = partial(self.source.labels.called, pieces)
            matches = await anyio.to_thread.run_sync(find)
            return {
                piece: tuple(
                    Option(one.iri, one.label, one.types, one.value == piece) for one in found
                )
                for piece, found in matches.items()
            }
        asked = [one for one in pieces if one.isprintable()][-_MOST_PIECES:]
        if not asked:
            return {}
        outcome = await self.select(
            called_query(asked, LANGUAGES), "entities by name", step="label_match"
        )
        return _options(outcome, asked)

    async def stated(
        self, prompt: str, schema: Schema, left: Sequence[Span]
    ) -> Mapping[str, Sequence[Option]]:
        """Return the values of properties that stand in a prompt, where words of it are left over.

        Raises:
            NotAskedError: they could not be asked.
        """
        words = tokens(prompt)
        places = [(words[one.first].start, words[one.last - 1].end) for one in left]
        texts = [prompt[start:end] for start, end in places]
        pieces = [
            one for one in spans_to_look_up(prompt)
            if one.isprintable() and any(one in text or text in one for text in texts)
        ][:_MOST_PIECES]  # fmt: skip
        outcome = await self.select(
            stated_query(pieces, LANGUAGES), "values by their text", step="explore"
        )
        found: dict[str, list[Option]] = {}
        for row in cells_of(outcome):
            p, value = key_of(row["p"]), row["v"]
            if p in schema.properties and isinstance(value, Term):
                option = Option(value.n3(), value.value, (), True, p)
                found.setdefault(value.value, []).append(option)
        return found

    async def alike(self, text: str, limit: int = 3) -> list[Option]:
        """Return entities whose label is a text but for a slip of the pen; only ever candidates."""
        if not isinstance(self.source, IndexedSource) or len(text) < 4:
            return []
        index = self.source.labels
        if len(index) > _MOST_ALIKE:
            return []
        return await anyio.to_thread.run_sync(partial(_alike, index, text, limit))

    async def labels(self, names: Sequence[str]) -> Labels:
        """Return the labels of some IRIs; none where they cannot be asked."""
        wanted = labels_needed(names)
        if not wanted:
            return {}
        query, most = labels_query(wanted)
        try:
            return labels_in(await self.select(query, "labels", limit=most))
        except NotAskedError:
            return {}


def _options(outcome: Outcome, asked: Sequence[str]) -> dict[str, tuple[Option, ...]]:
    types: dict[str, list[str]] = {}
    called: dict[str, dict[str, str]] = {}
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        name, label, kind = cells.get("x"), cells.get("label"), cells.get("type")
        if isinstance(name, Term) and name.kind == "iri" and isinstance(label, Term):
            called.setdefault(label.value, {})[name.value] = label.value
            if isinstance(kind, Term):
                types.setdefault(name.value, []).append(kind.value)
    return {
        text: tuple(
            Option(name, label, tuple(dict.fromkeys(types.get(name, ()))), True)
            for name, label in called.get(text, {}).items()
        )
        for text in asked
        if text in called
    }


_VOCABULARIES: WeakKeyDictionary[LabelIndex, object] = WeakKeyDictionary()


def _alike(index: LabelIndex, text: str, limit: int) -> list[Option]:
    from rapidfuzz.distance import OSA

    from groundwire.vocabulary.terms import Term as Word
    from groundwire.vocabulary.vocabulary import Vocabulary

    vocabulary = _VOCABULARIES.get(index)
    if not isinstance(vocabulary, Vocabulary):
        vocabulary = Vocabulary(Word(value, value) for value in index.values(_MOST_ALIKE))
        _VOCABULARIES[index] = vocabulary
    near = [
        one.label_matched
        for one in vocabulary.suggest(text, limit=12)
        if label_key(one.label_matched) != label_key(text)
        and OSA.distance(one.label_matched.casefold(), text.casefold()) <= max(1, len(text) // 4)
        and OSA.distance(one.label_matched.casefold(), text.casefold()) <= 3
    ]
    found = index.called(near[:limit])
    options = [
        Option(one.iri, form, one.types, True) for form in near for one in found.get(form, ())
    ]
    return list({one.iri: one for one in options}.values())[:limit]


def cells_of(outcome: Outcome) -> list[dict[str, Cell]]:
    """Return the rows of an outcome by column."""
    return [dict(zip(outcome.columns, row, strict=False)) for row in outcome.rows]
