"""A question about what meets several conditions: a class, its links, its bounds and an order.

"Which neighbours of Germany have fewer than 10 million inhabitants?" names a link and a bound; "the
second largest country in Africa" takes one place of an order; "both", "or" and "not" say
how links are joined. A word order that may be read in two ways is refused and never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groundwire.graph.terms import XSD, literal
from groundwire.sparql.patterns.answers import PatternAnswer, key_of
from groundwire.sparql.patterns.asking import Asking, cells_of
from groundwire.sparql.patterns.binding import Binding, UnansweredError
from groundwire.sparql.patterns.compiling import (
    Bound,
    Link,
    Step,
    Way,
    gap_between,
    is_true,
    joining_query,
    several_query,
)
from groundwire.sparql.patterns.reading import Option, Reading, Span
from groundwire.sparql.patterns.schema import Schema
from groundwire.sparql.patterns.selected import SUMS, Selected
from groundwire.sparql.patterns.selections import (
    SIGNS,
    Meant,
    Selection,
    SelectionTelling,
    bounds_of,
    stands_in,
    truth_asked,
    value_named,
)
from groundwire.sparql.patterns.several import Several, counted_bound, counted_order, values_asked
from groundwire.sparql.schema.names import Use
from groundwire.sparql.workflow.queries import RDF_TYPE
from groundwire.sparql.workflow.trail import Trail

_CUES = frozenset(
    ("most", "least", "count", "both", "not", "or", "between", "each", "except", *SUMS, *SIGNS)
)
# Properties that may join two classes, the most used first.
_MOST_JOINING = 60


class Selecting(Binding):
    """One prompt at one graph, read as a selection."""

    def __init__(
        self, asking: Asking, schema: Schema, reading: Reading, limit: int, trail: Trail
    ) -> None:
        super().__init__(asking, schema, reading, limit, trail)
        self.telling = SelectionTelling(asking.source.endpoint, schema, reading, limit)
        self._lacked: Span | None = None

    def is_selection(self, uses: Mapping[str, Use]) -> bool:
        """Whether a prompt names more than one entity and what is asked of it."""
        kinds = ("both", "not", "between", "each", "most", "least", "except", *SUMS, *SIGNS)
        return bool(
            self.reading.has(*kinds)
            or len(self.reading.entities) > 1
            or any(one.property for span in self.reading.entities for one in span.options)
            or value_named(self.reading, uses) is not None
            or (truth_asked(self.reading, uses) is not None and not self.reading.numbers)
            or values_asked(self.reading, uses) is not None
            or counted_bound(self.reading, uses) is not None
        )

    async def answer(self, uses: Mapping[str, Use]) -> PatternAnswer:
        """Answer what is selected.

        Args:
            uses: of the properties that the prompt names.

        Raises:
            UnansweredError: it cannot be read so, or nothing of it is held.
        """
        reading = self.reading
        if any(one.cue not in _CUES for one in reading.cues):
            raise UnansweredError
        if (asked := values_asked(self.reading, uses)) is not None:
            several = Several(self.asking, self.schema, reading, self.limit, self.trail)
            return await several.answer(*asked, uses)
        selection = await self._read(uses)
        answering = Selected(self.asking, self.schema, self.reading, self.limit, self.trail)
        told = await answering.answer(selection)
        return replace(told, confidence="medium") if self.is_concluded else told

    # Reading a selection

    async def _read(self, uses: Mapping[str, Use]) -> Selection:
        beside = [*self._counts_beside(uses), *await self._days_beside(uses)]
        beside += await self._bounds_beside(uses)
        reading = self.reading
        way = reading.has("most", "least")
        signs = [one for one in reading.cues if one.cue in (*SIGNS, "between")]
        if len([one for one in reading.cues if one.cue in ("most", "least")]) > 1:
            raise self._refused()
        named = value_named(reading, uses)
        ordering = None if any(one.kind == "many" and not one.bounds for one in beside) else way
        bounding = ordering or next(iter(signs), reading.has(*SUMS) or named)
        value = await self._value(uses, bounding) if bounding else None
        truth = truth_asked(reading, uses) if bounding or not reading.numbers else None
        if truth:
            value = value or truth[:3]
            kept = tuple(one for one in reading.cues if one is not truth[4])
            reading = self.reading = self.told.reading = replace(reading, cues=kept)
        told = {one[1] for one in (value, truth) if one}
        links = [
            one for one in reading.relations if one.properties and told.isdisjoint(one.properties)
        ]
        head, links = self._head(links, value, uses)
        bounds = bounds_of(reading, signs, *value[1:]) if value and signs else ()
        if bounds is None:
            raise self._refused()
        if named and value:
            bounds = (Bound("=", reading.numbers[0].number, value[2].is_date),)
        bounds = (truth[3],) if truth and not bounding else bounds
        selection = Selection(
            head, head.classes, value=value[1:] if value else None, way=way, bounds=bounds
        )
        selection.links += [(one, ()) for one in beside]
        if not bounds and len(reading.numbers) > bool(way):
            raise self._refused()
        if truth and bounding:
            if truth[4] and truth[4].last != truth[0].first:
                raise self._refused()
            said = truth[3].number
            stated = Option(literal(said, XSD + "boolean").n3(), said, (), True, truth[1])
            selection.add(Link("is", (Way(truth[1], True),)), [Meant(truth[0], stated, None, ())])
        meant = [await self._meant(span, links, selection, uses) for span in reading.entities]
        meant = self._without_exceptions(meant, selection)
        nones = self._deny(meant, links, head)
        await self._link(selection, meant, nones, links, uses)
        if not selection.classes and not any(
            link.kind in ("is", "any") for link in selection.plain_links
        ):
            self._take_class(selection, uses)
        return selection

    def _take_class(self, selection: Selection, uses: Mapping[str, Use]) -> None:
        """Select of the one class that has the relation which is denied: "who is not trained by X".

        Raises:
            UnansweredError: there is none, or several are.
        """
        ends = {
            one
            for link in selection.plain_links if link.kind in ("not", "none")
            for way in link.step if way.property in uses
            for one in (uses[way.property].domain if way.inverse else uses[way.property].range)
        }  # fmt: skip
        if len(ends) != 1:
            raise self._refused()
        selection.classes = tuple(ends)
        selection.of = replace(selection.of, classes=selection.classes)

    def _counts_beside(self, uses: Mapping[str, Use]) -> list[Link]:
        """Take a number of things out of the prompt: "more than 8 neighbours", "the most"."""
        found = counted_bound(self.reading, uses) or counted_order(self.reading, uses)
        if found is None:
            return []
        kept = {
            name: tuple(one for one in getattr(self.reading, name) if one not in found.spans)
            for name in ("relations", "cues", "numbers")
        }
        self.reading = self.told.reading = replace(self.reading, **kept)
        return [Link("many", (found.way,), (), (found.bound,) if found.bound else ())]

    async def _days_beside(self, uses: Mapping[str, Use]) -> list[Link]:
        """Take the day of what is added up or ordered out of the prompt: "total cost in October".

        It is of the one date that is stated of what is selected.
        """
        reading = self.reading
        days = [one for one in reading.numbers if one.is_day]
        if len(days) != 1 or reading.has(*SIGNS, "between") or not reading.has(
            "most", "least", *SUMS
        ):  # fmt: skip
            return []
        named = {p for one in reading.relations for p in one.properties if uses[p].is_number}
        classes = {one for span in reading.relations for one in span.classes}
        classes = classes or {one for p in named for one in uses[p].domain}
        known = list(self.schema.properties)
        used = await self.asking.uses(known if len(known) <= _MOST_JOINING else [])
        dates = [p for p, use in used.items() if use.is_date and use.domain & classes]
        if len(dates) != 1:
            return []
        left = tuple(one for one in reading.numbers if one is not days[0])
        self.reading = self.told.reading = replace(reading, numbers=left)
        bound = Bound("=", days[0].number, True)
        return [Link("bound", (Way(dates[0], False),), (), (bound,))]

    async def _bounds_beside(self, uses: Mapping[str, Use]) -> list[Link]:
        """Take the bounds of other values than the first one out of the prompt, as conditions.

        "More than 50 million people and less than 1 million km2" bounds two values; so does "the
        average area of those with more than 50 million people". A bound is of the value whose unit
        stands behind its number; others are of the values that are named, in their order.
        """
        reading = self.reading
        ordered = [
            one for one in reading.cues if one.cue in ("most", "least", *SUMS, *SIGNS)
        ]  # fmt: skip
        signs = [one for one in ordered if one.cue in SIGNS]
        if len(ordered) < 2 or len(reading.numbers) != len(signs) or reading.has("between"):
            return []
        numbers = dict(zip(signs, reading.numbers, strict=True))
        of = {one: n.properties[0] for one, n in numbers.items() if len(n.properties) == 1}
        valued = [
            (one, fit) for one in reading.relations
            if (fit := [p for p in one.properties if uses[p].is_number or uses[p].is_date])
            and not set(fit) & set(of.values())
        ]  # fmt: skip
        still = [one for one in ordered if one not in of]
        if not valued and len(still) == 1 and still[0] in numbers and numbers[still[0]].is_day:
            # A day is of the one date that is stated.
            of[still[0]], still = next(iter(await self._by_word(numbers[still[0]]))), []
        if len(valued) != len(still) or any(len(fit) != 1 for _, fit in valued):
            return []
        of |= {one: fit[0] for one, (_, fit) in zip(still, valued, strict=True)}
        main = of[ordered[0] if len(signs) == len(ordered) else next(
            one for one in ordered if one not in numbers
        )]  # fmt: skip
        beside = [one for one in signs if of[one] != main]
        links: list[Link] = []
        for one in beside:
            alone = replace(reading, numbers=(numbers[one],))
            if (bounds := bounds_of(alone, [one], of[one], uses[of[one]])) is None:
                raise self._refused()
            links.append(Link("bound", (Way(of[one], False),), (), bounds))
        taken = {of[one] for one in beside}
        self.reading = self.told.reading = replace(
            reading,
            cues=tuple(one for one in reading.cues if one not in beside),
            numbers=tuple(n for one, n in numbers.items() if one not in beside),
            relations=tuple(
                replace(one, properties=()) if taken & set(one.properties) else one
                for one in reading.relations
                if one.classes or not taken & set(one.properties)
            ),
            unit=main if beside else reading.unit,
        )
        return links

    def _head(
        self, links: list[Span], value: tuple[Span, str, Use] | None, uses: Mapping[str, Use]
    ) -> tuple[Span, list[Span]]:
        """Return what says what is selected, and the relations that may be links."""
        named: dict[tuple[str, ...], Span] = {}
        for one in self.reading.relations:
            if one.classes and not (value and value[1] in one.properties):
                named.setdefault(one.classes, one)
        if not named and value is not None and value[0].classes:
            # 配送 names the deliveries and is a part of 配送日期.
            named[value[0].classes] = replace(value[0], properties=())
        heads = list(named.values())
        if value is not None and value[2].domain:
            heads = [one for one in heads if not value[2].domain.isdisjoint(one.classes)]
        ends = [one.last for one in self.reading.cues if one.cue == "not"]
        lacked = [one for one in heads if one.first in ends]
        if len(heads) == 2 and len(lacked) == len(ends) == 1:
            # "Museums without paintings": nothing of the second class is joined with them.
            self._lacked = lacked[0]
            heads.remove(lacked[0])
            links = [one for one in links if one is not lacked[0]]
        heads = [one for one in heads if not one.properties] or heads
        if len(heads) > 1:
            raise self._refused()
        if heads:
            return heads[0], links
        if value is not None and self.reading.has(*SUMS) and len(value[2].domain) == 1:
            return replace(value[0], properties=(), classes=tuple(value[2].domain)), links
        values = [one for one in self.reading.entities if one.options[0].property]
        nouns = [one for one in links if not one.is_act] or values[:1]
        if len(nouns) != 1:
            raise self._refused()
        return Span(nouns[0].first, nouns[0].last, nouns[0].text), links

    async def _meant(
        self, span: Span, links: Sequence[Span], selection: Selection, uses: Mapping[str, Use]
    ) -> Meant:
        """Return an entity with the link that names it; the nearest of several that may."""
        if any(option.property for option in span.options):
            option = self._one(span)
            named = [link for link in links if option.property in link.properties]
            step = (Way(option.property, True),)
            return Meant(span, option, next(iter(named), None), step)
        found: list[Meant] = []
        for link in links:
            for option in span.options:
                found += [
                    Meant(span, option, link, step)
                    for step in await self._steps(link, option, span, uses, selection.classes)
                ]
        if not found:
            return Meant(span, self._one(span), None, ())
        nearest = min(gap_between(one.link, span) for one in found if one.link)
        found = [one for one in found if one.link and gap_between(one.link, span) == nearest]
        options = {one.option.iri: one.option for one in found}
        if len(options) > 1:
            self._one(span, tuple(options.values()))
        if len({one.step for one in found}) > 1:
            raise UnansweredError(self.told.direction(found[0].option, found[0].link or span))
        return found[0]

    def _without_exceptions(self, meant: list[Meant], selection: Selection) -> list[Meant]:
        """Leave out what is selected but for "except X", or deny what X is not one of."""
        reading = self.reading
        cues = [one for one in reading.cues if one.cue == "except"]
        if not cues:
            return meant
        after = [one for one in meant if one.span.first >= cues[0].last]
        if len(cues) > 1 or len(after) != 1 or (len(meant) == 1 and not selection.classes):
            raise UnansweredError(self.told.left(cues))
        if set(after[0].option.types).isdisjoint(selection.classes):
            after[0].is_denied = True
            return meant
        selection.add(Link("except", ()), after)
        return [one for one in meant if one is not after[0]]

    def _deny(self, meant: Sequence[Meant], links: Sequence[Span], head: Span) -> list[Span]:
        """Mark the entities that are denied; return the relations that are denied altogether.

        A denial holds for what follows it: the next entity, else the nearest relation that has no
        entity of its own. "Which ports have no ship?" asks for ports, and not for ships.
        """
        reading = self.reading
        nones: list[Span] = []
        for cue in [one for one in reading.cues if one.cue == "not"]:
            if self._lacked is not None:
                continue
            after = [one for one in meant if one.span.first >= cue.last]
            target = min(after, key=lambda one: one.span.first, default=None)
            ordering = [
                one for one in (*reading.cues, *reading.numbers)
                if one.cue in ("most", "least", *SIGNS) or one.number
            ]  # fmt: skip
            if target is None:
                used = {id(one.link) for one in meant}
                free = [one for one in links if id(one) not in used and one not in nones]
                if len(free) != 1 or any(one.first == cue.last for one in ordering):
                    raise self._refused()
                if free[0].last <= cue.first <= head.first:
                    raise self._refused()
                nones.append(free[0])
                continue
            if any(cue.last <= one.first < target.span.first for one in ordering):
                raise self._refused()
            target.is_denied = True
        return nones

    async def _link(
        self,
        selection: Selection,
        meant: Sequence[Meant],
        nones: Sequence[Span],
        links: Sequence[Span],
        uses: Mapping[str, Use],
    ) -> None:
        """Make the links of a selection of its entities."""
        groups: dict[int, list[Meant]] = {}
        for one in meant:
            if one.link is not None:
                groups.setdefault(id(one.link), []).append(one)
        ors = [one for one in self.reading.cues if one.cue == "or"]
        for group in groups.values():
            await self._group(selection, group, ors)
        if ors:
            raise self._refused()
        for span in nones:
            steps = {
                tuple(way) for p in span.properties for way in [(Way(p, True),)]
                if not selection.classes or not uses[p].domain
                or not uses[p].domain.isdisjoint(selection.classes)
            }  # fmt: skip
            if len(steps) != 1:
                raise self._refused()
            step = next(iter(steps))
            if await self._is_symmetric((step[0].property,), uses):
                step = (*step, Way(step[0].property, False))
            selection.add(Link("none", step), ())
        if self._lacked is not None:
            selection.add(Link("none", await self._lacking(selection, self._lacked)), ())
        await self._link_beside(selection, [one for one in meant if one.link is None])
        used = {id(one.link) for one in meant} | {id(one) for one in nones}
        rest = [
            one for one in links
            if id(one) not in used and not (one.classes and one.classes == selection.classes)
        ]  # fmt: skip
        if not rest:
            return
        if len(rest) > 1 or selection.way is None:
            raise self._refused()
        steps = [
            step for step in self._ways(rest[0], selection.classes, uses)
            if not step[0].inverse
        ]  # fmt: skip
        if len(steps) != 1:
            raise self._refused()
        selection.projected = steps[0]

    async def _link_beside(self, selection: Selection, meant: Sequence[Meant]) -> None:
        """Add the links of entities that no relation names."""
        denials = {one.last for one in self.reading.cues if one.cue == "not"}
        for one in meant:
            if one.span.first in denials and set(one.option.types) & set(selection.classes):
                # "Countries that are not Norway" are all others.
                selection.add(Link("except", ()), [one])
                continue
            step = one.step or await self._joining(selection, one)
            selection.add(Link("not" if one.is_denied else "is", step), [one])

    async def _group(self, selection: Selection, group: list[Meant], ors: list[Span]) -> None:
        """Add the link of the entities that one relation names."""
        reading = self.reading
        yes = [one for one in group if not one.is_denied]
        no = [one for one in group if one.is_denied]
        between = [
            cue
            for cue in ors
            if group[0].span.last <= cue.first and cue.last <= group[-1].span.first
        ]
        for cue in between:
            ors.remove(cue)
        if between and len(no) == 1 and group[0] is no[0]:
            # "Not A or B" denies both.
            no, yes = group, []
        elif between and no:
            raise self._refused()
        if no and any(one.span.first > no[0].span.first for one in yes):
            # "Not A and B" may deny one or both.
            raise self._refused()
        if len({one.step for one in group}) > 1:
            raise self._refused()
        step = group[0].step
        is_head = not selection.classes and group[0].link is not None and (
            group[0].link.first == selection.of.first
        )  # fmt: skip
        if len(yes) > 1 and not between:
            if is_head and not reading.has("both"):
                raise self._refused()
            ways = [way for way in step if way.inverse]
            if ways and not (await self.asking.select(
                several_query(ways[0].property), "one or several"
            )).rows:  # fmt: skip
                # Nothing has two of them, so that "and" means something else.
                raise self._refused()
        for kind, ones in (("any" if between else "is", yes), ("not", no)):
            if ones:
                names = tuple(one.option.iri for one in ones)
                link = Link(
                    "any" if kind == "any" else "not" if kind == "not" else "is", step, names
                )
                selection.links.append((link, tuple(one.option for one in ones)))

    async def _lacking(self, selection: Selection, span: Span) -> Step:
        """Return the one step from entities of a class to what is selected."""
        own, others = frozenset(selection.classes), frozenset(span.classes)
        by_use = sorted(self.schema.properties.values(), key=lambda one: -one.count)
        uses = await self.asking.uses([one.iri for one in by_use[:_MOST_JOINING]])
        ways = [
            Way(p, inverse)
            for p, use in uses.items()
            for inverse, here, there in ((False, use.domain, use.range),
                                         (True, use.range, use.domain))
            if here and here <= others and not there.isdisjoint(own)
        ]  # fmt: skip
        if len(ways) != 1:
            raise self._refused()
        return (ways[0],)

    async def _joining(self, selection: Selection, one: Meant) -> Step:
        """Return the one property that joins what is selected with an entity that is "in" it."""
        if not stands_in(self.reading, selection, one.span):
            raise self._refused()
        positive = [link for link in selection.plain_links if link.kind in ("is", "any")]
        query = joining_query(
            selection.classes, () if selection.classes else positive, one.option.iri
        )
        rows = cells_of(await self.asking.select(query, "what joins them"))
        ways = {
            Way(key_of(row["p"]), not is_true(row["out"]))
            for row in rows if key_of(row["p"]) != RDF_TYPE
        }  # fmt: skip
        if len(ways) > 1:
            named = sorted({way.property for way in ways})
            raise UnansweredError(self.told.properties(one.option.label, named))
        if not ways:
            raise UnansweredError(
                self.told.none("unstated", [one.option], e=one.option.label, p=selection.of.text)
            )
        return (ways.pop(),)
