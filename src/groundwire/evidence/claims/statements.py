"""Recorded statements held against a passage: scope, sources, absence and recorded texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from groundwire.evidence.claims.absences import AbsenceReader
from groundwire.evidence.claims.bare_names import judge_bare
from groundwire.evidence.claims.change_claims import judge_changes
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.denials import judge_yes_or_no
from groundwire.evidence.claims.extraction import Ordered, Reading
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.held_bounds import BoundsReader
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.narrowing import is_of_others, narrowing_places, said_of
from groundwire.evidence.claims.operators import right_before
from groundwire.evidence.claims.pairs import Pairs
from groundwire.evidence.claims.passage_statements import (
    COUNT_OF_GROUPS,
    COUNT_OF_SET,
    LEADS_ON,
    POINTS_BACK,
    DraftStatements,
    Found,
    Here,
    Hit,
    Named,
    is_of_unnamed,
    narrows_figure,
)
from groundwire.evidence.claims.plan_claims import PlanReader
from groundwire.evidence.claims.plan_comparison import PlanComparer
from groundwire.evidence.claims.proof import negations_in
from groundwire.evidence.claims.rank_claims import judge_ranks
from groundwire.evidence.claims.recorded_texts import (
    is_cut,
    keys_of_sentences,
    keys_of_texts,
    things_told_of,
)
from groundwire.evidence.claims.relation_claims import RelationReader
from groundwire.evidence.claims.relation_cues import of_another, pair_in_order
from groundwire.evidence.claims.ride_details import RideDetails
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.set_cues import denied_by, is_denied, judged_so, may_take
from groundwire.evidence.claims.set_members import SetReader
from groundwire.evidence.claims.set_sentences import SetSentenceReader
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.status_claims import SourceReader, judge_status, judge_vehicles
from groundwire.evidence.claims.stop_sentences import StopOrderReader, StopReader
from groundwire.evidence.claims.timetable_sentences import TimetableReader
from groundwire.evidence.claims.told_functions import is_told_as_sum, sums_in
from groundwire.evidence.claims.told_properties import tells_of_language
from groundwire.evidence.claims.told_sets import (
    begin_of_scope,
    end_of_count,
    speaks_of_every,
    wholes_told,
)
from groundwire.evidence.claims.told_texts import TextReader
from groundwire.evidence.claims.value_sentences import ValueSentenceReader
from groundwire.evidence.claims.values_of_others import not_shared
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.evidence.records import Statement
from groundwire.language import Reading as Annotated
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called
from groundwire.language.places import tells_language
from groundwire.quantities import parse_number

_TIMES = frozenset(("time", "zeit", "zeiten", "时", "间", "的"))
_ALL = frozenset(("all", "alle", "所", "有", "全", "部"))
_SHORTEST_RUN = 5
_OUTSIDE = right_before("outside", "beside_by")  # a map "near motorways" shows none
# "The World Bank puts it at 83 million."
_PUTS = re.compile(r"\s+(?:puts?|beziffert|nennt|gives?)\b|给出")
_NOT_BEFORE = re.compile(r"(?:\b(?:not|no|never|nicht|keine?)\s+|不是|并非|非)$", re.IGNORECASE)
_BY_SOURCE = re.compile(
    r"(?:\b(?:from|by|of|per|via|in|aus|von|vom|nach|laut|(?:zahlen|daten|angaben) (?:der|des))"
    r"|据|来自|由)\s*(?:the\s+|der\s+|dem\s+)?$",
    re.IGNORECASE,
)


def _member(one: Statement, term: Term) -> frozenset[str]:
    """The keys of the member of a set that a name stands for."""
    return frozenset(map(key_of, one.objects[term.place]))


class StatementReader:
    """Reads one draft against the statements of its records."""

    def __init__(self, annotated: Annotated, known: Knowledge, reading: Reading) -> None:
        self._draft = DraftStatements(annotated, known, reading.figures.dates)
        self._words = Ordered((start, word) for start, _, word in reading.words)
        self._relations = RelationReader(self._draft)
        self._plans = PlanReader(self._draft)
        self._compared = PlanComparer(self._draft)
        self._stops = StopReader(self._draft)
        self._stop_order = StopOrderReader(self._draft)
        self._timetable = TimetableReader(self._draft)
        self._sources_told = SourceReader(self._draft)
        self._told = TextReader(self._draft)
        self._sets = SetReader(self._draft)
        self._absences = AbsenceReader(self._draft)
        self._set_sentences = SetSentenceReader(self._draft)
        self._value_sentences = ValueSentenceReader(self._draft)
        self._details = RideDetails(self._draft)
        self._bounds = BoundsReader(self._draft)
        self._pairs = Pairs(self._draft)
        self._token_starts = [token.start for token in annotated.tokens]

    def read(
        self,
        passage: Passage,
        context: PassageContext,
        facts: Sequence[Fact],
        claims: Sequence[Claim],
    ) -> Found:
        """Return what the statements say of one passage.

        Args:
            passage: the passage.
            context: its names, quantities and dates.
            facts: the recorded values that support its claims.
            claims: its claims.
        """
        found = Found(quantities=context.quantities)
        found.counted = self._groups(passage, claims, found) if self._draft.known.groups else claims
        self._texts(passage, facts, found)
        self._told.read(context, found)
        judge_bare(self._draft, context, found)
        if not self._draft.known.statements:
            self._value_sentences.read(context, claims, found)
            return found
        here = self._draft.here(passage)
        facts = self._of_counts(facts, claims)
        words = context.words
        narrows_own = partial(
            narrows_figure,
            text=self._draft.text,
            context=context,
            claims=claims,
            is_best="superlative" in context.roles,
        )
        self._scopes(context, here, facts, claims, narrows_own, found)
        self._sources(passage, here, facts, found)
        self._absences.read(context, here, facts, found)
        row = self._in_row(passage)
        pointed, pointer = context.pointer()
        pointed = pointed.union(*row.values())
        self._relations.relate(here, context, pointed, found, self._lead(passage))
        if found.claims or any(fact.entities & pointed for fact in facts):
            found.taken.append(pointer)
        if any(claim.status == "supported" for claim in found.claims):
            found.above += row
        pair_in_order(self._draft, here, words, found)
        named = frozenset(key for anchor in context.entities for key in anchor.keys)
        self._relations.attribute(
            here,
            words,
            facts,
            named,
            found,
            lambda hit, one: "type" not in one.predicate and narrows_own(hit),
        )
        self._sets.read(context, here, words, claims, found)
        found.foreign += of_another(self._draft, here)
        scopes = self._draft.known.by_kind.get("scope", ())
        found.foreign += wholes_told(context, map(self._draft.known.statements.__getitem__, scopes))
        self._plans.read(passage, context, here, found)
        judge_status(self._draft, here, found)
        judge_changes(self._draft, context, here.hits, words, found)
        judge_ranks(context, self._draft.known, self._draft.known.rankings, found)
        found.foreign += not_shared(self._draft.text, context, here, self._draft.known)
        judge_yes_or_no(self._draft.text, context, words, self._draft.known, found)
        self._compared.read(context, claims, found, self._plans.option)
        self._stops.read(context, claims, found)
        self._stop_order.read(context, claims, found)
        self._timetable.read(context, claims, found)
        self._sources_told.read(context, claims, found)
        self._set_sentences.read(context, claims, found)
        self._value_sentences.read(context, claims, found)
        self._bounds.read(context, claims, found)
        self._details.read(context, here, found)
        judge_vehicles(self._draft, passage, found)
        if self._draft.text[: passage.end].rstrip().endswith(("?", "？")):
            # A question may offer any set that was asked for: "the other maps of over 30 km?"
            every = (self._draft.known.statements[n].statement for n in here.terms)
            found.conditions += [one for stated in every for one in stated.conditions]
        found.foreign += self._pairs.unrecorded(context, here, claims)
        return found

    def pass_by(self, context: PassageContext) -> None:
        """Keep what later passages may refer to of one that is not read itself."""
        if self._draft.known.statements:
            self._compared.read(context, (), Found())

    def _in_row(self, passage: Passage) -> dict[Span, frozenset[str]]:
        """Return where the row of a cell names what relations are stated of, with its keys."""
        spans = [scope.span for scope in passage.scopes if scope.hard and passage.kind == "cell"]
        statements = self._draft.known.statements
        return {
            (hit.start, hit.end): keys
            for span in spans
            for hit in self._draft.within(*span)
            if (
                keys := frozenset(
                    key_of(statements[term.stated].statement.subject[0])
                    for term in hit.terms
                    if term.slot == "subject"
                    and statements[term.stated].statement.kind == "relation"
                )
            )
        }

    def _lead(self, passage: Passage) -> Sequence[Word]:
        """Return the words over an item of a list that end in a colon, or of the head of a cell."""
        if passage.kind == "cell":
            over = [self._draft.annotated.within(*s.span) for s in passage.scopes if s.hard]
            return sorted(chain.from_iterable(over), key=lambda word: word.start)
        for scope in passage.scopes if passage.kind == "item" else ():
            if self._draft.text[slice(*scope.span)].rstrip(" *_").endswith((":", "：")):
                return self._draft.annotated.within(*scope.span)
        return ()

    def _of_counts(self, facts: Sequence[Fact], claims: Sequence[Claim]) -> Sequence[Fact]:
        """Return the facts that a passage speaks of: a count is of its own set.

        "All 90 are in fog" is not proven by the eleven that are.
        """
        counted = (f for c in claims if c.kind == "number" for f in c.facts if not f.entities)
        if self._draft.known.scopes_of_fact.keys().isdisjoint(map(id, counted)):
            return facts
        figured = {id(f) for c in claims if c.kind in ("number", "percent") for f in c.facts}
        return [fact for fact in facts if id(fact) in figured]

    def _scopes(
        self,
        context: PassageContext,
        here: Here,
        facts: Sequence[Fact],
        claims: Sequence[Claim],
        narrows_own: Callable[[Hit], bool],
        found: Found,
    ) -> None:
        known, passage = self._draft.known, context.passage
        narrowing = known.once(narrowing_places)
        ids = {fact.evidence_id for fact in facts}
        counting = {n for fact in facts for n in known.scopes_of_fact.get(id(fact), ())}
        listing = {
            n
            for fact in facts
            for key in fact.entities
            for n in known.scopes_of_member.get(key, ())
            # What one answer counts is not of the set of another answer.
            if fact.value.unit != ASSETS or known.statements[n].evidence_id == fact.evidence_id
        }
        listing |= {n for id_ in ids for n in known.scopes_of_rows.get(id_, ())}
        words, negations = context.words, [*negations_in(context.words)] if context.denies else []
        every = bool(counting) and speaks_of_every(context)
        # That two things stand in one answer says nothing of the values of one of them.
        valued = {key for fact in facts if fact.number is not None for key in fact.entities}
        for number in sorted(counting | listing):
            one = known.statements[number].statement
            counts = number in counting
            own = here.terms.get(number, ())
            if not counts and not own:
                found.is_complete |= one.complete in ("all_listed", "all_counted")
                found.conditions += one.conditions
                continue
            called = any(term.slot == "subject" for _, term in own)
            if counts and one.complete and not called and any(q.noun for q in found.quantities):
                continue  # "129 HD maps" counts no statements about HD maps
            found.is_complete |= one.complete in ("all_listed", "all_counted")
            members = {term.place for _, term in own if term.slot == "object"}
            one_for_all = counts and every and len(members) < len(one.objects)  # as if it were each
            found.taken += [
                (hit.start, hit.end)
                for hit, term in own
                if (
                    term.slot == "object"
                    and not one_for_all
                    and (counts or not valued or valued & _member(one, term))
                )
                or term.slot == "subject"
                or (
                    may_take(one.conditions, term, negations)
                    and not self._draft.ranks(hit)
                    and not self._is_outside(passage, hit, one, term)
                    and (counts or not narrows_own(hit))
                    and not is_of_unnamed(one.conditions, term.place, own)
                    and not is_of_others(one.conditions[term.place], counting, known)
                )
            ]
            found.taken += denied_by(negations, one.conditions, own)
            denied = [
                (place, judged_so(words, condition))
                for place, condition in enumerate(one.conditions)
                if counts and condition.objects in ((("false",),), (("true",),))
            ]
            found.taken += [span for _, spans in denied for span in spans]
            found.met |= {
                (hit.start, hit.end)
                for hit, term in own
                if term.slot == "condition"
                and not self._is_outside(passage, hit, one, term)
                and not is_of_unnamed(one.conditions, term.place, own)
            }
            found.conditions += one.conditions
            if counts and (one.complete or narrowing[number]):
                until = end_of_count(words, claims, passage.end) if every else passage.end
                denies = any(spans for _, spans in denied)
                since = begin_of_scope(self._draft.small, context, one, own, denies=denies)
                earlier = self._draft.between(number, since, until)
                said = {
                    term.place
                    for _, term in earlier
                    if term.slot == "condition" or is_denied(one.conditions, term)
                } | {place for place, spans in denied if any(end <= until for _, end in spans)}
                before = self._draft.annotated.within(since, passage.start)
                said |= {place for place, _ in denied if judged_so(before, one.conditions[place])}
                if is_told_as_sum(context, known.statements[number], until):
                    said |= sums_in(one.conditions)
                self._dropped((passage.start, until), number, said, claims, found)

    def _is_outside(self, passage: Passage, hit: Hit, one: Statement, term: Term) -> bool:
        """Whether a condition of a set is told as another one: near it, in its language."""
        if term.slot != "condition" or "domain" in one.conditions[term.place].predicate:
            return False
        text = self._draft.text
        before = _OUTSIDE.search(text, passage.start, hit.start)
        if before is None:
            told = tells_language(text, hit.start, hit.end)
            return told and not tells_of_language(*one.conditions[term.place].predicate)
        said = key_of(text[before.start() : hit.end])  # "in fog near Munich" is a name
        return not any(said in name for name in self._draft.known.entities)

    def _groups(self, passage: Passage, claims: Sequence[Claim], found: Found) -> list[Claim]:
        """Numbers that count the groups of an answer: 14 countries of a count by country."""
        judged: list[Claim] = []
        numbers = {q.span[0]: q for q in found.quantities if q.unit is None and q.noun}
        for claim in claims:
            quantity = numbers.get(claim.start)
            if quantity is not None and claim.status in ("unsupported", "contradicted"):
                noun = set(words_of(quantity.noun))
                for key, (names, count, evidence_id) in self._draft.known.groups.items():
                    heads = (name.partition(" of ")[0] for name in names)  # "type of boat"
                    called = frozenset(word for name in heads for word in words_of(name))
                    called_so = noun <= called or all(is_called(one, called) for one in noun)
                    if noun and called_so and quantity.value == count:
                        told = {"detail": f"{COUNT_OF_GROUPS} {key[1]}", "evidence_id": evidence_id}
                        claim = replace(claim, status="derived", **told)
            judged.append(claim)
        return judged

    def _dropped(
        self,
        span: Span,
        number: int,
        said: set[int],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        """A figure without the conditions of its set is of something wider: it is not judged."""
        stated = self._draft.known.statements[number]
        narrowing = self._draft.known.once(narrowing_places)[number]
        left = [
            condition
            for place, condition in enumerate(stated.statement.conditions)
            if place not in said
            and condition.objects
            and "domain" not in condition.predicate
            and (stated.statement.complete or place in narrowing)
        ]
        is_count = stated.fact is None or not stated.fact.entities
        if not left or (is_count and POINTS_BACK.search(self._draft.text, *span)):
            return
        numbers = {parse_number(names[0]) for one in left for names in one.objects if names}
        if not is_count:  # "the lowest of the three shops" is of those that were answered
            totals = self._draft.known.totals
            numbers |= {one.number for one in totals if one.evidence_id == stated.evidence_id}
        if numbers & {q.value for q in found.quantities if q.span[0] < span[1]}:
            return
        missing = "; ".join(said_of(condition) for condition in left[:3])
        for claim in claims:
            if claim.status in ("supported", "derived") and stated.fact in claim.facts:
                detail = f"{COUNT_OF_SET} {missing}, which the text does not say"
                found.claims.append(
                    replace(claim, status="not_judged", detail=detail, kind="statement")
                )

    def _sources(self, passage: Passage, here: Here, facts: Sequence[Fact], found: Found) -> None:
        """Names of recorded sources, beside a word that speaks of a source or in brackets."""
        ids = {fact.evidence_id for fact in facts}
        sources = [
            (number, stated)
            for number, stated in self._draft.naming(here, "source")
            if stated.evidence_id in ids or not ids
        ]
        cued = bool(sources) and any(
            word.role is not None and word.role.role in ("source", "saying")
            for word in self._draft.annotated.within(passage.start, passage.end)
        )
        before = len(found.taken)
        for source in {fact.value.source for fact in facts if fact.value.source}:
            # A source that stands in the draft as it is recorded, with its place in the document.
            at = self._draft.text.find(source, max(0, passage.start - len(source)), passage.end)
            if at >= 0:
                found.taken.append((at, at + len(source)))
        for number, stated in sources:
            found.taken += [
                (hit.start, hit.end)
                for hit, term in here.terms[number]
                if term.slot == "condition"
                or (
                    term.slot == "subject"
                    and (
                        (cued and not LEADS_ON.search(self._draft.text, passage.start, hit.start))
                        or _BY_SOURCE.search(self._draft.text, max(0, hit.start - 20), hit.start)
                        or self._draft.text.endswith(("(", "（"), 0, hit.start)
                        or _PUTS.match(self._draft.text, hit.end)
                    )
                )
            ]
            self._estimated(stated, here.terms[number], found)
        found.is_sourced = len(found.taken) > before

    def _estimated(self, stated: Stated, own: Sequence[Named], found: Found) -> None:
        """Support "the times are estimates", where the source is one of estimates."""
        for hit, term in own:
            denied = _NOT_BEFORE.search(self._draft.text, max(0, hit.start - 12), hit.start)
            if term.slot == "condition" and not found.claims and not denied:
                found.words |= _TIMES | self._draft.known.once(_all_estimated)
                text = self._draft.text[hit.start : hit.end]
                detail = f"the source is told as {text}"
                evidence_id, start, end = stated.evidence_id, hit.start, hit.end
                found.claims.append(
                    Claim(text, "statement", "supported", evidence_id, detail, start, end)
                )

    def _texts(self, passage: Passage, facts: Sequence[Fact], found: Found) -> None:
        """Take runs of words that a recorded text of what the passage names has in that order."""
        low = bisect_left(self._token_starts, passage.start)
        high = bisect_left(self._token_starts, passage.end)
        tokens = [token for token in self._draft.annotated.tokens[low:high] if token.tag != "sign"]
        if len(tokens) < _SHORTEST_RUN or not self._draft.known.long_texts:
            return
        is_count = any(f.number is not None and not f.entities and not f.operands for f in facts)
        said = key_of(self._draft.text[passage.start : passage.end])
        entities = {key for key in self._draft.known.once(things_told_of) if key in said}
        if not is_count:  # one member's name is not said of all that count
            entities |= {key for fact in facts for key in fact.entities}
        starts, folded = self._words.starts, self._words.items
        begins = [bisect_left(starts, token.start) for token in tokens]
        ends = [bisect_left(starts, token.end) for token in tokens[_SHORTEST_RUN - 1 :]]
        runs = ["".join(folded[a:b]) for a, b in zip(begins, ends, strict=False)]
        every = self._draft.known.once(keys_of_texts)
        if not any(run in every for run in runs):
            return
        for fact, keys in self._draft.known.once(keys_of_sentences):
            if fact.entities and fact.entities.isdisjoint(entities):
                continue
            end, last = 0, None
            for at, run in enumerate(runs):
                # What else it tells is of the same sentence, or of the next one.
                some = range(len(keys)) if last is None else range(last, min(last + 2, len(keys)))
                number = next((one for one in some if run in keys[one]), None)
                if at < end or number is None or is_cut(keys[number], run, tokens[at]):
                    continue
                key, last, end = keys[number], number, at + _SHORTEST_RUN
                while end < len(tokens) and (
                    "".join(self._words.within((tokens[at].start, tokens[end].end))) in key
                ):
                    end += 1
                found.taken.append((tokens[at].start, tokens[end - 1].end))
                found.runs.append((tokens[at].start, tokens[end - 1].end))
                found.facts.append(fact)
                # "The members of a graph" ends otherwise than the text.
                behind = tokens[end : end + 1] if tokens[end - 1].tag == "function" else []
                found.foreign += [(one.start, one.end) for one in behind if one.tag == "noun"]


def _all_estimated(known: Knowledge) -> frozenset[str]:
    """Return words for all of some, where every recorded source is one of estimates."""
    sources = [known.statements[number].statement for number in known.by_kind.get("source", ())]
    kinds = [
        name for one in sources for c in one.conditions for names in c.objects for name in names
    ]
    every = all(one.conditions for one in sources) and kinds.count("estimate") == len(sources)
    return _ALL if every else frozenset()
