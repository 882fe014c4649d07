"""Binds the names of a prompt to a graph: entities, ways from them, lists, and proofs of rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Cell
from groundwire.sparql.patterns.answers import (
    PatternAnswer,
    Proof,
    in_places,
    in_sequence,
    key_of,
    start_term,
)
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.compiling import (
    Step,
    Way,
    is_cut_short,
    is_time,
    is_true,
    links_query,
    list_query,
    may_order,
    may_stand,
    observed_query,
    one_sided_query,
    path_query,
    placed_classes,
    places_query,
)
from groundwire.sparql.patterns.directions import direction_of, is_located, leading_word
from groundwire.sparql.patterns.reading import (
    Option,
    Reading,
    Span,
    has_phrase,
    is_dated,
)
from groundwire.sparql.patterns.schema import Schema, is_said_of, says_year
from groundwire.sparql.patterns.telling import Telling
from groundwire.sparql.patterns.words import data, written
from groundwire.sparql.schema.names import Use, local
from groundwire.sparql.workflow.queries import RDF_TYPE
from groundwire.sparql.workflow.trail import Trail

# Properties that are looked at for what a superlative without one may mean, the most used first.
MOST_ORDERS = 60
_PLACES = frozenset(("position", "order", "index", "step number", "sequence number", "rank"))
_RDF_LIST = RDF_TYPE.replace("type", "List")


class UnansweredError(Exception):
    """A pattern cannot answer; `answer` says what is asked back or not held, or is None."""

    def __init__(self, answer: PatternAnswer | None = None) -> None:
        super().__init__()
        self.answer = answer


@dataclass(frozen=True, slots=True)
class Chain:
    """A way to read relations as steps from an entity.

    Attributes:
        start: the entity.
        spans: the relations, the nearest to the entity first.
        steps: the properties of each hop.
        classes: of which the node after each hop has to be.
        ends: types of the last node; none where it is a literal or not known.
    """

    start: Option
    spans: tuple[Span, ...]
    steps: tuple[Step, ...]
    classes: tuple[tuple[str, ...], ...]
    ends: frozenset[str] = field(default=frozenset())


class Binding:
    """One prompt at one graph."""

    def __init__(
        self, asking: Asking, schema: Schema, reading: Reading, limit: int, trail: Trail
    ) -> None:
        self.asking = asking
        self.schema = schema
        self.reading = reading
        self.limit = limit
        self.trail = trail
        self.told = Telling(asking.source.endpoint, schema, reading, limit)
        # The property of an order or bound was concluded from its word: the longest by length.
        self.is_concluded = False

    def _one(self, span: Span, fits: Sequence[Option] | None = None) -> Option:
        """Return the entity of a span, or ask which one is meant."""
        options = span.options if fits is None else tuple(fits)
        if len(options) != 1:
            raise UnansweredError(
                self.told.candidates("ambiguous", span.text, options or span.options)
            )
        return options[0]

    def _of_types(self, span: Span, types: Collection[str]) -> Sequence[Option]:
        """Return the entities of a span that may have what is asked for, or all of them.

        Singapore is a country and its capital, and the country alone states an area.
        """
        fit = [one for one in span.options if not set(one.types).isdisjoint(types)]
        return fit or span.options

    def _refused(self) -> UnansweredError:
        """Return the refusal that names the words that could not be placed."""
        cues = [one for one in self.reading.cues if one.cue in ("both", "not", "or", "between")]
        places = [one for one in self.reading.cues if one.place > 1]
        spans = [*cues, *places]
        return UnansweredError(self.told.left(spans) if spans else None)

    async def _value(self, uses: Mapping[str, Use], cue: Span) -> tuple[Span, str, Use]:
        """Return the property whose values are bounded or ordered: named, or told by its unit."""
        spans = [one for one in self.reading.relations if one.properties]
        found = [
            (one, p, uses[p]) for one in spans for p in one.properties
            if uses[p].is_number or uses[p].is_date
        ]  # fmt: skip
        names = {p for _, p, _ in found}
        if self.reading.unit and self.reading.unit not in names:
            # "Orders over 100 euros" are not bounded by the day on which they were "ordered".
            found = [one for one in found if not one[0].classes]
            names = {p for _, p, _ in found}
        if len(names) > 1:
            raise UnansweredError(self.told.properties(found[0][0].text, sorted(names)))
        if not names and self.reading.unit:
            use = uses[self.reading.unit]
            if use.is_number:
                found = [(cue, self.reading.unit, use)]
        if not found:
            found = [(cue, p, use) for p, use in (await self._by_word(cue)).items()]
        is_year = found[0][2].is_number and says_year(self.schema.properties[found[0][1]])
        if cue.cue and cue.cue != "between" and not is_year and not may_order(cue, found[0][2]):
            raise UnansweredError
        return found[0]

    async def _by_word(self, cue: Span) -> dict[str, Use]:
        """Return the one property that the word of an order or bound is said of.

        Raises:
            UnansweredError: none or several may be meant, and which is asked back.
        """
        reading = self.reading
        wanted = {one for span in reading.relations for one in span.classes}
        wanted = wanted or {t for span in reading.entities for o in span.options for t in o.types}
        by_use = sorted(self.schema.properties.values(), key=lambda one: -one.count)
        names = [one.iri for one in by_use[:MOST_ORDERS]]
        uses = await self.asking.uses(names)
        of_time = bool(is_dated(cue)) or cue.is_time or any(one.is_day for one in reading.numbers)
        fit = [
            p for p in names
            if (uses[p].is_date or (uses[p].is_number and says_year(self.schema.properties[p]))
                if of_time else uses[p].is_number)
            and not uses[p].domain.isdisjoint(wanted)
        ]  # fmt: skip
        said = [p for p in fit if is_said_of(cue.text, self.schema.properties[p])]
        # "Over 40" of what states one number alone is said of that.
        is_sole = len(fit) == 1 and cue.cue in ("above", "below", "least_bound", "most_bound")
        said = said or (fit if of_time or is_sole else [])
        if len(said) == 1:
            self.is_concluded = True
            return {said[0]: uses[said[0]]}
        way = reading.has("most", "least", "more", "less", "above", "below")
        raise UnansweredError(self.told.by_what(way.text, said or fit) if way and fit else None)

    def _narrow(self, uses: Mapping[str, Use]) -> None:
        """Keep the dates where "when" is asked, of several properties that one word may name."""
        if not has_phrase(self.reading, *data()["asks"]["when"]):
            return
        relations = tuple(
            replace(one, properties=dates) if len(one.properties) > 1
            and (dates := tuple(p for p in one.properties if uses[p].is_date)) else one
            for one in self.reading.relations
        )  # fmt: skip
        self.reading = self.told.reading = replace(self.reading, relations=relations)

    def _chains(
        self, start: Option, spans: Sequence[Span], uses: Mapping[str, Use], of: Span
    ) -> list[Chain]:
        """Return the ways to read relations as steps that the use of the properties allows."""
        found: list[Chain] = []

        def grow(
            at: int,
            types: frozenset[str],
            steps: tuple[Step, ...],
            nodes: tuple[frozenset[str], ...],
            classes: tuple[Span, ...],
        ) -> None:
            if at == len(spans):
                if steps and (placed := placed_classes(nodes, classes)) is not None:
                    found.append(Chain(start, tuple(spans), steps, placed, nodes[-1]))
                return
            span = spans[at]
            if span.classes:
                grow(at + 1, types, steps, nodes, (*classes, span))
            for step in self._ways(span, tuple(types), uses):
                after = (
                    frozenset(
                        name
                        for way in step
                        for name in (
                            uses[way.property].domain if way.inverse else uses[way.property].range
                        )
                    )
                    if all(way.property in uses for way in step)
                    else frozenset[str]()
                )
                grow(at + 1, after, (*steps, step), (*nodes, after), classes)

        grow(0, frozenset(start.types), (), (), ())
        return found

    def _ways(
        self, span: Span, types: Sequence[str], uses: Mapping[str, Use], ends: Sequence[str] = ()
    ) -> list[Step]:
        """Return the steps of a relation that may go from an entity of some types.

        Properties that are called alike in several vocabularies are one step, as are a property
        and the one that says the same the other way round.
        """
        inverses = data()["inverses"]
        found: dict[tuple[str, bool], list[Way]] = {}
        for p in span.properties:
            use = uses[p]
            for inverse in (False, True):
                here, there = (use.range, use.domain) if inverse else (use.domain, use.range)
                if inverse and use.datatypes and not use.range:
                    continue
                if may_stand(here, types, use) and (not ends or may_stand(there, ends, use)):
                    ways = found.setdefault((local(p), inverse), [])
                    ways.append(Way(p, inverse))
                    other = inverses.get(p)
                    if other in self.schema.properties:
                        ways.append(Way(other, not inverse))
        return [tuple(dict.fromkeys(ways)) for ways in found.values()]

    async def _steps(
        self, span: Span, option: Option, near: Span, uses: Mapping[str, Use], ends: Sequence[str]
    ) -> list[Step]:
        """Return the steps of a relation from an entity, in the direction that the words say."""
        ways = self._ways(span, option.types, uses, ends)
        said = [one for one in ways if await self._says(span, one, near)]
        return list(dict.fromkeys(said))

    async def _chosen(self, chains: Sequence[Chain], of: Span, uses: Mapping[str, Use]) -> Chain:
        """Return the one chain that a prompt means, by the order of its words."""
        shortest = min(len(one.steps) for one in chains)
        kept: list[Chain] = []
        for one in chains:
            relations = [
                s
                for s in one.spans
                if any(w.property in s.properties for step in one.steps for w in step)
            ]
            pairs = enumerate(zip(one.steps, relations, strict=False))
            says = [
                await self._says(span, step, of, is_first=at == 0) for at, (step, span) in pairs
            ]
            if all(says):
                kept.append(one)
        if len(kept) > 1:
            kept = [one for one in kept if len(one.steps) == shortest] or kept
        names = {one.steps for one in kept}
        if len(names) == 1:
            return kept[0]
        properties = {
            way.property for one in (kept or chains) for step in one.steps for way in step
        }
        if len({local(p) for p in properties}) > 1 and kept:
            raise UnansweredError(self.told.properties(kept[0].spans[0].text, sorted(properties)))
        raise UnansweredError(self.told.direction(chains[0].start, chains[0].spans[0]))

    async def _says(self, span: Span, step: Step, of: Span, *, is_first: bool = True) -> bool:
        """Whether the words of a prompt say the direction of a step, or the use leaves no other."""
        way = step[0]
        use = self.schema.uses[way.property]
        overlap = bool(use.domain & use.range) or not (use.domain and (use.range or use.datatypes))
        if not overlap or use.is_number or use.is_date or (use.datatypes and not use.range):
            return True
        if await self._is_symmetric((way.property,), self.schema.uses):
            return not way.inverse
        said = direction_of(self.reading, span, of, way.property, self.schema, is_first=is_first)
        return said is None or said == way.inverse

    async def _is_symmetric(self, properties: Sequence[str], uses: Mapping[str, Use]) -> bool:
        """Whether each statement of a property is stated the other way round too."""
        symmetric = data()["symmetric"]["iris"]
        for p in properties:
            use = uses[p]
            if p in symmetric:
                continue
            if not use.domain & use.range:
                return False
            if p not in self.schema.symmetric:
                outcome = await self.asking.select(
                    one_sided_query(p), "whether it is mutual", step="explore"
                )
                self.schema.symmetric[p] = not outcome.rows
            if not self.schema.symmetric[p]:
                return False
        return True

    async def _observed(
        self, span: Span, spans: Sequence[Span], uses: Mapping[str, Use], year: str
    ) -> PatternAnswer:
        """A value that a node beside the entity states for a year."""
        named = [one for one in spans if one.properties]
        numeric = [(one, p) for one in named for p in one.properties if uses[p].is_number]
        entity = self._one(span, await self._with_figures(span, [p for _, p in numeric]))
        if len(spans) != 1 or len(numeric) != 1:
            # The graph has such properties, and none of them of such an entity.
            is_led = is_located(self.reading) or leading_word(self.reading) is not None
            is_of_class = len(spans) == 1 and bool(spans[0].classes) and is_led
            if year or len(named) != len(spans) or not named or is_of_class:
                return await self._linked(entity, spans)
            if spans[0].classes:
                raise UnansweredError
            raise UnansweredError(
                self.told.none(
                    "unstated", [entity], e=entity.label, p=self.told.name(named[0].properties[0])
                )
            )
        p = numeric[0][1]
        outcome = await self.asking.select(observed_query(entity.iri, p), "values by time")
        rows = [row for row in cells_of(outcome) if is_time(row["yp"], row["y"])]
        at = [row for row in rows if not year or key_of(row["y"])[:4] == year.zfill(4)]
        name = self.told.name(p)
        if not at:
            kind = "observed_none" if year else "unstated"
            raise UnansweredError(self.told.none(kind, [entity], e=entity.label, p=name, y=year))
        years = sorted({key_of(row["y"]) for row in at})
        if len({key_of(row["v"]) for row in at}) > 1 or not year:
            if len(years) == 1 and year:
                raise UnansweredError
            raise UnansweredError(self.told.years(entity, p, years))
        return self.told.observed(entity, p, at[0], year)

    async def _with_figures(self, span: Span, properties: Sequence[str]) -> Sequence[Option]:
        """Return the entities of a span beside which a value stands, or all of them."""
        if len(span.options) < 2 or len(properties) != 1:
            return span.options
        found: list[Option] = []
        for one in span.options:
            query = observed_query(one.iri, properties[0])
            rows = cells_of(await self.asking.select(query, "values by time"))
            found += [one] if any(is_time(row["yp"], row["y"]) for row in rows) else []
        return found or span.options

    async def _linked(self, entity: Option, spans: Sequence[Span]) -> PatternAnswer:
        """Entities of a class that one property joins with an entity, where the words say "in"."""
        reading = self.reading
        # 林乔导演了哪些电影: the director is a role of the one that is named.
        others = [one for one in spans if set(one.classes).isdisjoint(entity.types)]
        is_role = len(spans) == 2 and len(others) == 1 and reading.language == "zh"
        spans = others if is_role else spans
        if len(spans) != 1 or not spans[0].classes or reading.numbers:
            raise UnansweredError
        if (leading := leading_word(reading)) is None and not (is_role or is_located(reading)):
            raise UnansweredError
        outcome = await self.asking.select(
            links_query(entity.iri, spans[0].classes), "what joins them"
        )
        rows = [row for row in cells_of(outcome) if key_of(row["p"]) != RDF_TYPE]
        ways = {Way(key_of(row["p"]), is_true(row["out"]) is False) for row in rows}
        if len(ways) > 1:
            raise UnansweredError(
                self.told.properties(spans[0].text, sorted({w.property for w in ways}))
            )
        if not ways:
            raise UnansweredError(
                self.told.none("unstated", [entity], e=entity.label, p=spans[0].text)
            )
        way = ways.pop()
        labels = dict(self.schema.properties[way.property].labels) if leading else {}
        if leading and not any(leading in written(one) for one in labels):
            raise UnansweredError
        proofs = [(row["x"], [self._proof({"n1": row["x"]}, ((way,),), entity)]) for row in rows]
        if reading.has("count"):
            name = self.told.name(way.property)
            found = await self.told.counted(self.asking, entity, name, proofs, len(proofs))
        else:
            found = await self.told.path(
                self.asking, entity, ((way,),), proofs, is_cut=is_cut_short(outcome)
            )
        # The graph has one property that joins them, and the prompt does not name it.
        return replace(found, confidence="medium")

    async def _is_list(self, chain: Chain, uses: Mapping[str, Use]) -> bool:
        if len(chain.steps) != 1:
            return False
        way = chain.steps[0][0]
        use = uses[way.property]
        # The head of a list has no class of its own.
        if way.inverse or use.range or use.datatypes:
            return _RDF_LIST in use.range
        head = path_query(chain.start.iri, chain.steps, ((),), 2)
        outcome = await self.asking.select(head, "whether it is a list")
        return any(
            isinstance(value, Term) and value.kind == "bnode"
            for row in outcome.rows
            for value in row
        )

    async def _ordered(
        self, chain: Chain, uses: Mapping[str, Use], is_asked: bool
    ) -> PatternAnswer:
        if len(chain.steps) != 1:
            raise UnansweredError
        step = chain.steps[0]
        p = self.told.step_name(step)
        if await self._is_list(chain, uses):
            outcome = await self.asking.select(list_query(chain.start.iri, step), "a list in order")
            items, missing = in_sequence(cells_of(outcome))
        else:
            outcome = await self.asking.select(
                path_query(chain.start.iri, chain.steps, chain.classes), "what stands in order"
            )
            nodes = [key_of(row["n1"]) for row in cells_of(outcome)]
            places = [one for one in self.schema.properties if local(one) in _PLACES]
            if not nodes:
                raise UnansweredError(
                    self.told.none("unstated", [chain.start], e=chain.start.label, p=p)
                )
            if not places:
                raise UnansweredError(self.told.broken("unordered", chain.start, p, nodes))
            stated = await self.asking.select(places_query(nodes, places), "places in the order")
            items, missing = in_places(cells_of(outcome), cells_of(stated))
        if is_cut_short(outcome):
            missing = "the query was cut"
        if missing or not items:
            raise UnansweredError(
                self.told.broken("broken", chain.start, p, [], missing or "it is empty")
            )
        return await self.told.ordered(self.asking, chain.start, step, items)

    def _proof(self, row: dict[str, Cell], steps: Sequence[Step], start: Option) -> Proof:
        return self._proofs(row, steps, start)[-1]

    def _proofs(self, row: dict[str, Cell], steps: Sequence[Step], start: Option) -> list[Proof]:
        """Return the statements of a row, as the graph has them."""
        at: Cell = start_term(start)
        found: list[Proof] = []
        for number, step in enumerate(steps, 1):
            chosen = row.get(f"d{number}")
            way = step[int(key_of(chosen))] if chosen is not None else step[0]
            node = row[f"n{number}"]
            ends = (node, at) if way.inverse else (at, node)
            found.append(Proof(ends[0], Term("iri", way.property), ends[1]))
            at = node
        return found

    def _check_question_word(self, p: str, use: Use) -> None:
        """Refuse a date to who asks for a person, and anything but a date to who asks when."""
        for kind, is_fit in (
            ("when", use.is_date or (use.is_number and says_year(self.schema.properties[p]))),
            ("who", not (use.is_date or use.is_number)),
        ):
            # "The country whose capital is X" asks for no person.
            relative = () if self.reading.texts()[:1] == ["whose"] else ("whose",)
            said = [one for one in data()["asks"][kind] if one not in relative]
            asks = has_phrase(self.reading, *said)
            if asks and not is_fit:
                raise UnansweredError

    def _is_value(self, chain: Chain, uses: Mapping[str, Use]) -> bool:
        """Whether the last step says a number, so that the count that is asked is its value."""
        return len(chain.steps[-1]) == 1 and uses[chain.steps[-1][0].property].is_number
