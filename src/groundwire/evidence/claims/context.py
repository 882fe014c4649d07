"""The entity, period and property of a claim, from its sentence, row, list or those before."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TypeVar

from groundwire.evidence.claims.attachment import (
    Anchor,
    Slot,
    are_names,
    bind,
    clause_breaks,
    joined,
    led_back,
    subjects,
)
from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.extraction import Ordered, Reading
from groundwire.evidence.claims.fact_index import ASSETS, Fact, PeriodKey, period_key
from groundwire.evidence.claims.items import Items, Meant, meant, since
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.options import Options
from groundwire.evidence.claims.period_ends import days_of, joined_dates
from groundwire.evidence.claims.period_references import (
    LATER,
    by_order,
    parts_of,
    referred_from,
    referred_periods,
    with_parts_of_years,
    with_their_years,
    year_before,
)
from groundwire.evidence.claims.rounding import find_fits
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.language import Reading as Annotated
from groundwire.language import Span as Word
from groundwire.language import annotate
from groundwire.quantities import DateMention, Quantity

Key = TypeVar("Key", bound=Hashable)
# A pronoun at the beginning of a sentence, which speaks of what was named before.
_POINTS = re.compile(
    r"(?:It|Its|He|She|They|Their|Es|Sein|Seine|Ihr|Ihre|Dort|The capital|Die Hauptstadt"
    r"|(?:The|This) (?:country|nation|state)|(?:Das|Dieses) Land|(?:Der|Dieser) Staat)\b"
    r"|它的?|其|[该这]个?国家?|首都[是为]"
)
_NEARLY = r"\s*(?:[A-Z]{3} |[$€£¥约近]|(?:about|around|roughly|nearly|rund|etwa|knapp) ){0,2}$"
_FROM = re.compile(
    rf"(?:\b(?:from|von)(?: (?:an?|einer?|einem)(?: \w{{1,16}}){{1,3}} (?:of|von))?|从|由){_NEARLY}"
)
_LEAD = 64
_REPORT_BEFORE = re.compile(
    r"(?:\b(?:annual|quarterly) report(?: for| of)?|geschäftsbericht|jahresbericht) $",
    re.IGNORECASE,
)
# Right before a day on which something was known.
_AS_OF = re.compile(
    r"(?:\b(?:as of|as known (?:on|at|in)|as reported (?:on|at|in)|stand|per)"
    r"(?: (?P<end>(?:the )?end of|ende))?(?: dem| vom)?|截[至止]到?)\s*(?:$|(?=[0-9]))",
    re.IGNORECASE,
)
_END_OF_MONTH = timedelta(days=7)
_DENYING = ("negation", "quantifier none")
_REPORT_BEHIND = re.compile(
    r" (?:annual|quarterly) report|年?(?:年度)?报告|年?年报|年展望", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Context:
    """The entity, period and property that one claim is about."""

    entity: Slot[str]
    period: Slot[PeriodKey]
    name: Slot[str]

    def allows(self, fact: Fact, *, soft: bool = True) -> bool:
        """Whether a fact is about what the claim is about.

        Args:
            fact: the fact.
            soft: whether what was said shortly before counts too.
        """
        # 55 HD maps of a country are HD maps, as all of them are.
        names = fact.names if fact.value.unit != ASSETS else frozenset[str]()
        for slot, keys in (
            (self.entity, fact.entities),
            (self.period, fact.periods),
            (self.name, names),
        ):
            own, force = slot
            binds = own and keys and (force if soft else force in ("own", "hard"))
            if binds and own.isdisjoint(keys):
                return False
        return True

    def names_operands(
        self, fact: Fact, periods: Sequence[Anchor[PeriodKey]], known: Collection[PeriodKey]
    ) -> bool:
        """Whether a sentence that names two periods or more names those of a derivation.

        It names those of a sum by the whole that they are parts of.
        """
        if not fact.operands or len(periods) < 2:
            return True
        named = frozenset(key for anchor in periods for key in anchor.keys)
        if all(not one.periods or one.periods & named for one in fact.operands):
            return True
        wholes = [set(parts_of(anchor.keys, known)) for anchor in periods]
        return fact.operation == "sum" and any(
            all(one.periods & parts for one in fact.operands) for parts in wholes
        )

    @property
    def anchored(self) -> bool:
        """Whether anything says what the claim is about."""
        return self.entity.binding or self.period.binding or self.name.binding


class Contexts:
    """The anchors of every passage of a draft, found once."""

    def __init__(self, reading: Reading, known: Knowledge) -> None:
        self.reading = reading
        self.known = known
        self._made: dict[Span, PassageContext] = {}
        dates = tuple(joined_dates(reading.text, reading.dates.items, known))
        self.dates = Ordered((date.span[0], date) for date in dates)
        mentions = reading.mentions.items
        entities = [
            Anchor(m.start, m.end, frozenset(m.named.entities))
            for m in mentions
            if m.named.entities
        ]
        entities += [
            Anchor(iri.start, iri.end, known.entities_of(iri.raw))
            for iri in reading.iris.items
            if known.entities_of(iri.raw)
        ]
        self._entities = Ordered((anchor.start, anchor) for anchor in entities)
        self._names = Ordered(
            (m.start, Anchor(m.start, m.end, frozenset(m.named.names)))
            for m in mentions
            if m.named.names and not m.named.entities
        )
        periods = [
            Anchor(d.span[0], d.span[1], self._periods_of(d)) for d in dates if self._is_period(d)
        ]
        periods += [
            Anchor(m.start, m.end, frozenset[PeriodKey](m.named.periods))
            for m in mentions
            if m.named.periods
        ]
        referred = list(
            referred_periods(
                reading.text, periods, reading.figures.periods, reading.passages, known.periods
            )
        )
        periods = with_parts_of_years(
            list(with_their_years(reading.text, periods, referred)),
            reading.figures.periods,
            reading.passages,
            known.periods,
        )
        self.referred = tuple((anchor.start, anchor.end) for anchor in referred)
        self._periods = Ordered((anchor.start, anchor) for anchor in periods)
        self.annotated: Annotated = annotate(reading.text, figures=reading.figures)
        self.items = Items(reading, known)
        self.options = Options(reading, known)

    def entities(self, span: Span) -> list[Anchor[str]]:
        """Entities named in a span."""
        return self._entities.within(span)

    def names(self, span: Span) -> list[Anchor[str]]:
        """Properties and metrics named in a span."""
        return self._names.within(span)

    def dated(self, span: Span) -> list[Anchor[PeriodKey]]:
        """Periods named in a span."""
        return self._periods.within(span)

    def _is_period(self, mention: DateMention) -> bool:
        """Whether a date says when values hold, rather than being a recorded date of something."""
        if not self.known.periods or self.is_of_report(mention):
            return False
        if self.day_of_knowledge(mention):
            return False
        if period_key(mention) in self.known.periods or self.known.ending(mention):
            return True
        if any(fact.date and mention.covers(fact.date) for fact in self.known.facts.dates):
            return False
        return not (mention.grain == "day" and mention.start.isoformat() in self.known.made)

    def day_of_knowledge(self, mention: DateMention) -> Span | None:
        """Return where a text says as of when something was asked: "as of June 2025"; else None."""
        start, end = mention.span
        before = self.reading.text[max(0, start - 24) : start]
        said = _AS_OF.search(before)
        if said is None and not _AS_OF.match(mention.raw):
            return None
        first, last = mention.start, mention.end
        if said is not None and said["end"]:
            first = max(first, last - _END_OF_MONTH)
        days = (record.arguments.get("as_of") for record in self.known.records)
        if not any(isinstance(d, str) and first.isoformat() <= d <= last.isoformat() for d in days):
            return None
        return (start - len(before) + said.start() if said is not None else start, end)

    def is_of_report(self, mention: DateMention) -> bool:
        """Whether a year is part of the name of a report: "the annual report 2025"."""
        text, (start, end) = self.reading.text, mention.span
        return bool(
            _REPORT_BEFORE.search(text, max(0, start - 24), start)
            or _REPORT_BEHIND.match(text, end)
        )

    def _periods_of(self, mention: DateMention) -> frozenset[PeriodKey]:
        """The period of a mention, and single recorded days within it."""
        start, end, fiscal = mention.start.isoformat(), mention.end.isoformat(), mention.fiscal
        recorded = self.known.once(days_of)
        within = slice(bisect_left(recorded, (start,)), bisect_right(recorded, (end, "~")))
        return frozenset(((start, end, fiscal), *recorded[within], *self.known.ending(mention)))

    def mentions(self, span: Span) -> list[Mention]:
        """Known names in a span."""
        return self.reading.mentions.within(span)

    def of(self, passage: Passage) -> PassageContext:
        """The context of one passage, made once."""
        key = (passage.start, passage.end)
        if key not in self._made:
            self._made[key] = PassageContext(self, passage)
        return self._made[key]


class PassageContext:
    """The entities, periods and properties that one passage names for its claims."""

    def __init__(self, contexts: Contexts, passage: Passage) -> None:
        self.contexts = contexts
        self.passage = passage
        span = (passage.start, passage.end)
        reading = contexts.reading
        self.mentions = contexts.mentions(span)
        self.quantities = [
            q
            for q in reading.quantities.within(span)
            if not any(start <= q.span[0] < end for start, end in contexts.referred)
        ]
        self.pointers = reading.pointers.within(span)
        self.dates = contexts.dates.within(span)
        self.clocks = reading.clocks.within(span)
        self.entities = contexts.entities(span)
        self.names = contexts.names(span)
        self.periods = contexts.dated(span)
        kept = [(m.start, m.end) for m in self.mentions]
        things = (*self.quantities, *self.dates, *self.clocks)
        self.ends = {thing.span[0]: thing.span[1] for thing in things}
        kept += [q.span for q in self.quantities] + [d.span for d in self.dates]
        kept += [clock.span for clock in self.clocks]
        self.breaks = clause_breaks(reading.text, passage.start, passage.end, kept)

    @cached_property
    def listed(self) -> list[Anchor[str]]:
        """Return what a list names that stands under the passage; none where no list does."""
        text = self.contexts.reading.text
        if not text[self.passage.start : self.passage.end].rstrip(" *_").endswith((":", "：")):
            return []
        begin = len(text) - len(text[self.passage.end :].lstrip())
        end = text.find("\n\n", begin)
        return self.contexts.entities((begin, end if end >= 0 else len(text)))

    @cached_property
    def recorded(self) -> list[tuple[Quantity, Fact]]:
        """Its numbers, each with every recorded one that it agrees with."""
        facts = self.contexts.known.facts
        return [(q, fit.fact) for q in self.quantities for fit in find_fits(q, facts, falls=False)]

    @cached_property
    def words(self) -> Sequence[Word]:
        """The words of the passage."""
        return self.contexts.annotated.within(self.passage.start, self.passage.end)

    @cached_property
    def forms(self) -> frozenset[str]:
        """Its words, folded, as they stand there and in their dictionary form."""
        forms: list[str] = []
        for word in self.words:
            for token in word.tokens:
                forms += token.key, token.lemma
        return frozenset(forms)

    @cached_property
    def roles(self) -> frozenset[str]:
        """The roles of its words, with and without their senses: "order" and "order first"."""
        entries = {word.role for word in self.words if word.role is not None}
        every = [(one.role, f"{one.role} {one.sense}") for one in entries]
        return frozenset(one for both in every for one in both)

    @cached_property
    def denies(self) -> bool:
        """Whether one of its words denies something, or says that there is none."""
        return not self.roles.isdisjoint(_DENYING)

    @property
    def names_nothing(self) -> bool:
        """Whether neither the passage nor what stands over it names anything that is recorded."""
        spans = ((self.passage.start, self.passage.end), *self.above)
        return not any(self.contexts.mentions(span) for span in spans)

    def may_count(self, quantity: Quantity) -> bool:
        """Whether a number without a noun may count what is recorded: a word, or beside a name."""
        return quantity.words or not self.names_nothing

    @property
    def above(self) -> tuple[Span, ...]:
        """Where what stands over the passage, or right before it, stands."""
        return tuple(scope.span for scope in self.passage.scopes)

    def pointed_at(self) -> frozenset[str]:
        """Return what a passage that begins with "it" or "its" speaks of; none for others."""
        return self.pointer()[0]

    def pointer(self) -> tuple[frozenset[str], Span]:
        """Return what such a passage speaks of, which the one before names first; these words."""
        passage = self.passage
        points = _POINTS.match(self.contexts.reading.text, passage.start, passage.end)
        before = [scope.span for scope in passage.scopes if scope.earlier] if points else []
        named = self.contexts.entities(before[0]) if before else []
        span = points.span() if points else (passage.start, passage.start)
        return named[0].keys if named else frozenset[str](), span

    def clause(self, position: int) -> Span:
        """The clause around a position."""
        start, end = self.passage.start, self.passage.end
        for cut in self.breaks:
            if cut <= position:
                start = cut
            else:
                end = cut
                break
        return start, end

    def names_only_later(self, position: int) -> bool:
        """Return whether all things that a passage names stand in later clauses than a place."""
        _, end = self.clause(position)
        return bool(self.entities) and all(anchor.start >= end for anchor in self.entities)

    def tells_value_of_another(self, fact: Fact, position: int) -> bool:
        """Return whether a clause names a value that what a fact is of does not have.

        "Lyon's map has 24 intersections" is not proven by those of the map of Coventry.
        """
        spans = [self.clause(position)]
        spans += [scope.span for scope in self.passage.scopes if self.passage.kind == "cell"]
        mentions = (one for span in spans for one in self.contexts.mentions(span))
        for mention in mentions if fact.entities else ():
            values = [f for f in mention.named.values if f.entities and f.value.kind == "name"]
            if mention.named.entities or not values:
                continue
            names = frozenset(name for value in values for name in value.names)
            bearers = frozenset(key for value in values for key in value.entities)
            if bearers.isdisjoint(fact.entities) and any(
                other.names & names and other.entities & fact.entities
                for other in self.contexts.known.facts.all
            ):
                return True
        return False

    def entity(self, claim: int, claims: Sequence[int]) -> Slot[str]:
        """The entity that a claim is about."""
        return self._slot(claim, claims, self.entities, self.contexts.entities)

    def period(self, claim: int, claims: Sequence[int]) -> Slot[PeriodKey]:
        """The period that a claim is about, where records have it as a period.

        "In 2025 it fell from 79.1 to 77.8" tells the value of the year before as well.
        """
        if own := by_order(self, claim):
            return Slot(own, "own")
        slot = self._slot(claim, claims, self._single_periods, self.contexts.dated)
        if slot.keys and len(self.periods) == 1 and self.is_left(claim):
            return Slot(slot.keys | year_before(slot.keys, self.contexts.known.periods), slot.force)
        own = referred_from(self, claim, claims)
        return Slot(own, "own") if own else slot

    @cached_property
    def _single_periods(self) -> list[Anchor[PeriodKey]]:
        """The periods that are named, without those that only say of which year another one is.

        "The best quarter of 2022 was the fourth": no value is of 2022 where none is recorded.
        """
        held = self.contexts.known.periods
        return [
            one
            for one in self.periods
            if one.keys & held
            or not (parts := set(parts_of(one.keys, held)))
            or not any(other.keys & parts for other in self.periods)
        ]

    def is_left(self, claim: int) -> bool:
        """Whether a figure is the first of "from 79.1 to 77.8"."""
        text = self.contexts.reading.text
        if not _FROM.search(text, max(0, claim - _LEAD), claim):
            return False
        starts = [quantity.span for quantity in self.quantities]
        end = next((end for start, end in starts if start == claim), claim)
        behind = min((start for start, _ in starts if start >= end), default=-1)
        return behind >= 0 and LATER.search(text, end, behind) is not None

    def name(
        self,
        claim: int,
        claims: Sequence[int],
        without: Sequence[Span] = (),
        called: Sequence[Anchor[str]] = (),
    ) -> Slot[str]:
        """The property or metric that a claim is a value of, named outside of some spans.

        Other words may call one as well.
        """
        names = [a for a in self.names if not any(s <= a.start < e for s, e in without)]
        names = sorted((*names, *called), key=lambda anchor: anchor.start)
        names = [a for a in names if not self._of_later(a.start, claim, claims)]
        return self._slot(claim, claims, names, self.contexts.names, earlier=False)

    def _of_later(self, place: int, claim: int, claims: Sequence[int]) -> bool:
        """Whether a place is in a later clause than a claim, which makes claims of its own."""
        if place < self.clause(claim)[1]:
            return False
        start, end = self.clause(place)
        return any(start <= other < end for other in claims)

    def items(self, claim: int, claims: Sequence[int], *, figure: bool = True) -> Meant:
        """The items that a claim may be about, and their options.

        Args:
            claim: where the claim begins.
            claims: where the claims of its sort begin.
            figure: whether it is a figure, which names of a plan's parts may tell of.
        """
        place, items = self.clause(claim), self.contexts.items
        names = meant(items, self.passage, claim, place, claims, self.mentions)
        begins = since(items, self.passage, claim)
        option = self.contexts.options.meant(
            self.passage, claim, place, begins, self.mentions if figure else ()
        )
        return Meant(names, option, self.contexts.options)

    def _bound(
        self, claim: int, claims: Sequence[int], anchors: Sequence[Anchor[Key]]
    ) -> frozenset[Key]:
        """Keys of the anchors of the passage that a claim belongs to."""
        text = self.contexts.reading.text
        held = joined(text, claims, self.ends, anchors)
        several = len({a.keys for a in anchors}) == len(anchors) == len(claims) > 1
        back = led_back(text, [(start, self.ends.get(start, start)) for start in claims])
        apart = anchors[-1].start < claims[0] or claims[-1] < anchors[0].start
        if several and apart and claim in claims:
            return anchors[:: -1 if back else 1][list(claims).index(claim)].keys
        if claim in held and len(claims) > 1:
            return held[claim].keys
        free = [a for a in anchors if not any(a is other for other in held.values())] or anchors
        if self.clause(claim)[0] > free[0].start:
            free = subjects(text, self.clause(claim)[0], free)
        return bind(claim, free, claims, self.breaks, back=back is not None)

    def _slot(
        self,
        claim: int,
        claims: Sequence[int],
        anchors: Sequence[Anchor[Key]],
        find: Callable[[Span], list[Anchor[Key]]],
        *,
        earlier: bool = True,
    ) -> Slot[Key]:
        anchors = [a for a in anchors if not a.start <= claim < a.end]
        if anchors:
            keys = self._bound(claim, claims, anchors)
            if keys:
                return Slot(keys, "own")
        for scope in self.passage.scopes:
            if scope.earlier and not earlier:
                continue
            if above := find(scope.span):
                keys = frozenset[Key]().union(*(anchor.keys for anchor in above))
                words = self.contexts.annotated.within(*scope.span)
                is_head = are_names(words, self.contexts.mentions(scope.span))
                return Slot(keys, "hard" if scope.hard or is_head else "soft")
        return Slot(frozenset(), "")
