"""How a draft counts, lists and names members of the sets that recorded relations make.

Everything that such a sentence names must be in the set: who is not, is left over. A sentence may
speak of the set before by a pronoun: "Austria has eight neighbours. Their capitals are ...".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.needed import says_direct
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.pointed_things import bearer_meant
from groundwire.evidence.claims.relation_cues import LISTED, cues_of
from groundwire.evidence.claims.relation_sets import ANY, RelationSet
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.evidence.claims.words import key_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity

_THE = re.compile(r"(?:^|[.;:]\s+|\n)(?:the|die|das|der)\s+$", re.IGNORECASE)
_LONGEST_ARTICLE, _NEAR = 12, 8
# Signs and words that divide a figure from the rest of its sentence.
_PARTS = re.compile(
    r"[,;:()|，；：（）—–\n]|\b(?:and|but|which|whose|who|while|und|aber|deren?|dessen)\b|并|而|且|和"
)
# From a count to the thing of which it counts something.
_OF = re.compile(r"\b(?:of|to|von|des|der)\b|[的与和]", re.IGNORECASE)
# The signs between a name and its address: "Munich <https://...>", "[Munich](https://...)".
_OPENS = re.compile(r"\]?[ \t]?[<(]")


@dataclass(slots=True)
class _Use:
    """How a passage speaks of a set: what of it stands where."""

    of: RelationSet
    cues: list[Span]
    anchors: list[Hit]
    members: list[Hit]
    counts: list[Quantity] = field(default_factory=list[Quantity])

    @property
    def spans(self) -> list[Span]:
        """Where the set, its thing and its members are named."""
        hits = [*self.anchors, *self.members]
        return [*self.cues, *((hit.start, hit.end) for hit in hits)]


class SetReader:
    """Reads one draft against the sets that relations make."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._sets = draft.known.relation_sets
        self._last: tuple[str, ...] = ()
        self._told: list[str] = []

    def read(
        self,
        context: PassageContext,
        here: Here,
        words: Sequence[Word],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        """Judge how a passage counts, lists or names members of sets.

        Args:
            context: the passage.
            here: the names of statements that stand in it.
            words: its words.
            claims: its claims.
            found: what statements say of it, to which this adds.
        """
        before, self._last = self._last, ()
        told, self._told = self._told, self._named(here)
        if not any(self._things(h) for h in here.hits) and not any(
            self._is_meant(one, context) for one in self._sets
        ):
            return
        if any(c.status == "contradicted" for c in found.claims):
            return
        found.foreign += self._strangers(context, here)
        things = [(hit, self._things(hit)) for hit in here.hits]
        named = {ANY}.union(*(keys for _, keys in things))
        uses = [
            use
            for one in self._sets
            if (is_named := one.anchor in named) or self._is_meant(one, context)
            if (use := self._used(one, things, words, context)) and (is_named or use.counts)
        ]
        denied = {context.clause(word.start) for word in words if _denies(word)}
        if denied:  # "it has five neighbours, and Slovenia is none of them"
            apart = [u for u in uses if denied.isdisjoint(context.clause(at) for at, _ in u.cues)]
            uses = [use for use in apart if use.counts]
        if not uses:
            return
        stands_for = any(_is_anaphor(word) for word in words)
        own = [use for use in uses if use.of.anchor != ANY]
        kept = [use for use in own if use.members or use.counts]
        for use in uses:
            if use.of.anchor == ANY:
                followed = [other for other in own if self._follows(use, other)]
                owners = self._owners(use)
                back = stands_for and bool(owners) and owners <= set(before)
                back = back or self._repeats(use, before, told)
                kept += [use, *followed] if followed else [use] if back else []
        if kept:
            self._tell(kept, context, here, words, claims, found)

    def _is_meant(self, one: RelationSet, context: PassageContext) -> bool:
        """Whether "it" can only be the thing of a set: no other is named or has such a set."""
        if one.anchor == ANY or context.pointer()[1] == (context.passage.start,) * 2:
            return False
        return one.anchor in bearer_meant(self._draft, context, one.predicate[0])

    def _used(
        self,
        one: RelationSet,
        things: Sequence[tuple[Hit, frozenset[str]]],
        words: Sequence[Word],
        context: PassageContext,
    ) -> _Use | None:
        """How a passage speaks of a set, by the things that it names, or None where it does not."""
        anchors = [hit for hit, keys in things if one.anchor in keys]
        members = [hit for hit, keys in things if not one.members.keys().isdisjoint(keys)]
        if not members and one.anchor == ANY:
            return None
        cues = _cues_beside(one, words, things, context.forms)
        if one.predicate[0] == "prerequisite":
            cues += [(word.start, word.end) for word in words if says_direct(word)]
        if not cues:
            return None
        use = _Use(one, cues, anchors, [hit for hit in members if hit not in anchors])
        use.counts = [
            q
            for q in context.quantities
            if q.unit is None and q.value == len(one.members) and one.anchor != ANY and one.is_whole
        ]
        return use if use.counts or use.members or one.anchor != ANY else None

    def _strangers(self, context: PassageContext, here: Here) -> Iterator[Span]:
        """Yield the first name of an item or a cell under a set that has none of its names.

        "Germany borders nine countries:" says of each thing below that Germany borders it, and
        each of them stands there once. A list without any lead is of one set, or of none.
        """
        if context.passage.kind == "sentence":
            return
        named = frozenset[str]().union(*map(self._things, here.hits))
        leads = [scope.span for scope in context.passage.scopes] or _sentence_before(context)
        if not leads and self._lists_others(context):
            yield from ((hit.start, hit.end) for hit in here.hits[:1])
        for lead in leads:
            things = [(hit, self._things(hit)) for hit in self._draft.within(*lead)]
            over = frozenset[str]().union(*(keys for _, keys in things))
            words = context.contexts.annotated.within(*lead)
            told = [
                one.members.keys()
                for one in self._sets
                if one.anchor in over and _cues_beside(one, words, things)
            ]
            is_of = not named.isdisjoint(frozenset[str]().union(*told))
            if told and not (is_of and self._stands_once(context, lead)):
                yield from ((hit.start, hit.end) for hit in here.hits[:1])
                return

    def _lists_others(self, context: PassageContext) -> bool:
        """Whether a draft lists members of a set, and beside them things that are none of it."""
        items = context.contexts.reading.passages
        if context.passage is not items[0] or any(one.kind != "item" for one in items):
            return False
        told = [
            frozenset[str]().union(*map(self._things, self._draft.within(one.start, one.end)))
            for one in items
        ]
        met = [sum(not one.members.keys().isdisjoint(own) for own in told) for one in self._sets]
        return all(told) and 1 < max(met, default=0) < len(told)

    def _stands_once(self, context: PassageContext, lead: Span) -> bool:
        """Whether no item before one, under the same lead, says the same."""
        said = self._draft.text[context.passage.start : context.passage.end].strip()
        return all(
            self._draft.text[other.start : other.end].strip() != said
            for other in context.contexts.reading.passages
            if lead[1] <= other.start < context.passage.start and other.kind == "item"
        )

    def _things(self, hit: Hit) -> frozenset[str]:
        """Keys of the things that a name may name."""
        return self._draft.of_name(things_of, hit)

    def _owners(self, use: _Use) -> set[str]:
        """Keys of the things that the members which a passage names are related to."""
        return {
            use.of.members[key]
            for hit in use.members
            for key in self._things(hit) & use.of.members.keys()
        }

    def _named(self, here: Here) -> list[str]:
        """Return the keys of the things that a passage names, in their order."""
        return [key for hit in here.hits for key in sorted(self._things(hit))]

    def _repeats(self, use: _Use, before: Sequence[str], told: Sequence[str]) -> bool:
        """Whether "the capitals are ..." tells those of all that was listed, in its order."""
        owners = [
            use.of.members[key]
            for hit in use.members
            for key in sorted(self._things(hit) & use.of.members.keys())
        ]
        first = min(start for start, _ in use.cues)
        if not _THE.search(self._draft.text, max(0, first - _LONGEST_ARTICLE), first):
            return False
        listed = [key for key in told if key in before]
        return len(before) > 1 and set(owners) == set(before) and owners == listed

    def _follows(self, use: _Use, other: _Use) -> bool:
        """Whether what has the members is itself of a set that the passage speaks of."""
        owners = self._owners(use)
        named = {key for hit in other.members for key in self._things(hit)}
        named &= other.of.members.keys()
        if named:
            return owners == named  # "its neighbour Hungary has the capital Prague"
        return bool(owners) and owners <= other.of.members.keys()

    def _tell(
        self,
        uses: Sequence[_Use],
        context: PassageContext,
        here: Here,
        words: Sequence[Word],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        explained = {*found.taken, *found.met, *(span for use in uses for span in use.spans)}
        strange = [
            (hit.start, hit.end)
            for hit in here.hits
            if self._things(hit) and not any(s < hit.end and hit.start < e for s, e in explained)
        ]
        # A name proves no figure, nor does what is recorded in place of one.
        told = [c for c in claims if c.kind != "name" and c.status in ("supported", "derived")]
        of_facts = {key for claim in told for fact in claim.facts for key in fact.entities}
        strange += [
            (anchor.start, anchor.end)
            for anchor in context.entities
            if not anchor.keys & of_facts
            and not any(s < anchor.end and anchor.start < e for s, e in explained)
        ]
        strange += self._beside(uses, here)
        strange += self._of_figures(uses, claims)
        strange += self._counted_of_others(uses)
        only = any(_is_only(word) for word in words)
        whole = any(
            u.of.is_whole and len({*map(self._things, u.members)}) == len(u.of.members)
            for u in uses
        )
        if strange or (only and not whole):
            found.foreign += strange
            return
        counted = {q.span[0]: use for use in uses for q in use.counts}
        judged = found.counted or claims
        found.counted = [
            replace(claim, status="derived", detail=_counts(use), evidence_id=use.of.evidence_id)
            if claim.status in ("unsupported", "contradicted") and use is not None
            else claim
            for claim in judged
            for use in (counted.get(claim.start),)
        ]
        spans = sorted({s for use in uses for s in (*use.spans, *(q.span for q in use.counts))})
        start, end = spans[0][0], max(end for _, end in spans)
        detail = f"the record has {'; '.join(dict.fromkeys(_counts(use) for use in uses))}"
        text, evidence_id = self._draft.text[start:end], uses[0].of.evidence_id
        found.claims.append(Claim(text, "statement", "supported", evidence_id, detail, start, end))
        found.taken += spans
        both = any(len({*map(self._things, use.members)}) == 2 for use in uses)
        found.taken += [
            (word.start, word.end)
            for word in words
            if _is_class(word) or _is_only(word) or (both and _roles(word)[1] == "both")
        ]
        self._last = tuple(key for use in uses if use.of.anchor != ANY for key in use.of.members)

    def _beside(self, uses: Sequence[_Use], here: Here) -> list[Span]:
        """Members that are named twice, or listed with the thing of the set as its like.

        "Austria and Hungary border Italy" says it of Hungary too, and "Austria borders Hungary and
        Hungary Italy" of Hungary again.
        """
        strange: list[Span] = []
        for use in uses:
            seen: set[frozenset[str]] = set()
            for hit in use.members:
                things = self._things(hit)
                if self._is_address_of(use.members, hit):
                    continue
                strange += [(hit.start, hit.end)] if things in seen else []
                seen.add(things)
            alike = [m for m in use.members if self._is_listed_with(m, use.anchors, here)]
            if any(self._lists(other, [*use.anchors, *alike], here) for other in uses):
                continue  # both are members of a third thing's set: "A and B are parts of C"
            if len(alike) < len(use.members):
                strange += [(hit.start, hit.end) for hit in alike]
        return strange

    def _of_figures(self, uses: Sequence[_Use], claims: Sequence[Claim]) -> Iterator[Span]:
        """Yield the words of a relation that say of what is counted how it is related.

        "Belgium has 11.9 million Dutch speakers" does not say what is recorded of all in Belgium.
        """
        counted = {q.span[0] for use in uses for q in use.counts}
        for claim in claims:
            of_thing = any(fact.entities for fact in claim.facts)
            if claim.kind != "number" or not of_thing or claim.start in counted:
                continue
            for use in uses:
                for cue in use.cues:
                    low, high = sorted(((claim.start, claim.end), cue))
                    if not _PARTS.search(self._draft.text, low[1], high[0]):
                        yield cue
                        yield from ((hit.start, hit.end) for hit in use.anchors)

    def _counted_of_others(self, uses: Sequence[_Use]) -> Iterator[Span]:
        """Yield the thing of a set behind a count that is told of another thing before it.

        "Austria borders five countries, among them Switzerland" counts none of Switzerland's.
        """
        for use in uses:
            for count in use.counts:
                end = count.span[1]
                before = self._draft.text[: count.span[0]]
                led = any(hit.end <= count.span[0] for hit in (*use.members, *use.anchors))
                led = led and _OF.search(before[-_NEAR:]) is None  # "one of the five countries"
                behind = [hit for hit in use.anchors if hit.start >= end]
                if led and len(behind) == len(use.anchors):
                    between = (self._draft.text[end : hit.start] for hit in behind)
                    if not any(map(_OF.search, between)):
                        yield from ((hit.start, hit.end) for hit in behind)

    def _is_address_of(self, members: Sequence[Hit], hit: Hit) -> bool:
        """Whether a name is the address that stands in brackets right behind what it locates."""
        text, things = self._draft.text, self._things(hit)
        return "://" in text[hit.start : hit.end] and any(
            _OPENS.fullmatch(text, one.end, hit.start) and self._things(one) == things
            for one in members
        )

    def _lists(self, use: _Use, hits: Sequence[Hit], here: Here) -> bool:
        """Whether all of some names are members of a set, and none is listed with its thing."""
        if use.of.anchor == ANY:
            return False
        members = [m for m in use.members if not self._is_listed_with(m, use.anchors, here)]
        return all(hit in members for hit in hits)

    def _is_listed_with(self, member: Hit, anchors: Sequence[Hit], here: Here) -> bool:
        """Whether only listed names stand between a member and the thing of the set."""
        for anchor in anchors:
            low, high = sorted((member.end, anchor.end))
            between = [h for h in here.hits if low < h.end <= high and self._things(h)]
            first = member if member.start < anchor.start else anchor
            chain = [first, *between]
            if all(
                LISTED.fullmatch(self._draft.text, one.end, other.start)
                for one, other in pairwise(chain)
            ):
                return True
        return False


def _sentence_before(context: PassageContext) -> list[Span]:
    """Return where the sentence stands that a list without a lead follows; nothing for none."""
    before = context.contexts.reading.passages
    place = bisect_left(before, context.passage.start, key=lambda one: one.start)
    sentence = next((p for p in reversed(before[:place]) if p.kind == "sentence"), None)
    return [(sentence.start, sentence.end)] if sentence else []


def _cues_beside(
    of: RelationSet,
    words: Sequence[Word],
    things: Sequence[tuple[Hit, frozenset[str]]],
    forms: frozenset[str] | None = None,
) -> list[Span]:
    """Return where words speak of a set: "roads" in the name of a map speaks of no roads."""
    names = [(hit.start, hit.end) for hit, keys in things if keys]
    return [
        cue
        for cue in cues_of(of.predicate, words, forms)
        if not any(start <= cue[0] and cue[1] <= end for start, end in names)
    ]


def _counts(use: _Use) -> str:
    of = f" of {use.of.anchor}" if use.of.anchor else ""
    return f"{len(use.of.members)} for {use.of.predicate[0]}{of}"


def _roles(word: Word) -> tuple[str, str]:
    return (word.role.role, word.role.sense) if word.role is not None else ("", "")


def _denies(word: Word) -> bool:
    role, sense = _roles(word)
    return role == "negation" or (role == "quantifier" and sense == "none") or role == "forecast"


def _is_only(word: Word) -> bool:
    return _roles(word) == ("quantifier", "only")


def _is_class(word: Word) -> bool:
    """Whether a word is what members of sets are called: countries, Länder."""
    return _roles(word) == ("set_noun", "member")


def _is_anaphor(word: Word) -> bool:
    return _roles(word) == ("function", "pronoun") or word.text.casefold() == "whose"


def things_of(known: Knowledge, terms: Sequence[Term]) -> frozenset[str]:
    """Return the keys of the things that relations have at some places."""
    keys: set[str] = set()
    for term in terms:
        one = known.statements[term.stated].statement
        is_kind = one.predicate[:1] == ("type",) and term.slot == "object"  # "three concepts"
        if one.kind == "relation" and term.slot in ("subject", "object") and not is_kind:
            names = one.subject if term.slot == "subject" else one.objects[term.place]
            keys.add(key_of(names[0]))
    return frozenset(keys)
