"""Names that a passage puts in a pair, or in the places of a relation, must be recorded so.

"Ember (The Forge)", a row of a table of names, "Leeds is in The Forge" and "Two Larks is the
director of Boris Lund" name what records know, and say of it what no record has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Here, Hit
from groundwire.evidence.claims.relation_cues import RELATIVE, overlaps, senses_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import alike
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.words import key_of, words_of

_MARKS = " \t*_`\"“”„»«'"
_SIGNS = frozenset((":", "：", "–", "—", "-", "→", "(", "（", "|", "/"))
_ARTICLE = r"(?: (?:the|an?|der|die|das|dem|den|des|eine?[rmns]?))?"
_BEING = r"(?:is|are|was|were|ist|sind|war|waren)"
_IS = re.compile(rf"{_BEING}{_ARTICLE}|[是为]")
_OF = re.compile(rf"(?:of|for|von|vom|für|des|der){_ARTICLE}")
_THE = re.compile(r"(?:the|der|die|das|den|dem)?", re.IGNORECASE)
_HAS = re.compile(r"['’]s|的")
# "A is based in B", "A lies on B": what stands behind is where A is, or who did it.
_IN = re.compile(
    rf"(?:{_BEING}|lies?|sits?|stands?|liegt|liegen|wird|werden|wurden?|steht|stehen)"
    rf"(?: \w+){{0,2}} (?:in|on|at|by|im|am|auf|bei|von|vom){_ARTICLE}"
)
# "A is spoken in B" may tell what B has.
_DONE_IN = re.compile(
    rf"(?:{_BEING} \w+|wird|werden|wurden?)(?: \w+)? (?:in|on|at|im|am|auf|bei){_ARTICLE}"
)
_BY_HAN = re.compile(r"[ \w]{0,6}[由被]")
_HAD = re.compile(r"(?:has|have|hat|haben) (?:an?|eine?n?)|有")
_FAR = 60
# Places of a statement that holds of the one what the other is.
_ENDS = defaultdict[str, tuple[str, str]](
    lambda: ("", ""), relation=("subject", "object"), scope=("object", "condition")
)


def _is_of_thing(known: Knowledge, terms: Sequence[Term]) -> bool:
    """Whether some place of a statement that a name stands in holds a thing it relates or lists."""
    for term in terms:
        one = known.statements[term.stated].statement
        is_related = one.kind == "relation" and "read as" not in one.predicate
        if is_related and term.slot in ("subject", "object"):
            return True
        if one.kind == "scope" and term.slot in ("object", "condition"):
            return True
    return False


class Pairs:
    """The pairs that one draft makes of recorded names."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._statements = draft.known.statements

    def unrecorded(
        self, context: PassageContext, here: Here, claims: Sequence[Claim]
    ) -> Iterator[Span]:
        """Yield the names of a passage that stand in a pair or a place that no record has.

        Args:
            context: the passage.
            here: the names of statements that stand in it.
            claims: its claims.
        """
        passage = context.passage
        things = [hit for hit in here.hits if self._draft.of_name(_is_of_thing, hit)]
        if passage.kind == "cell":
            heads = [
                hit
                for scope in passage.scopes
                if scope.hard
                for hit in self._draft.within(*scope.span)
            ]
            for hit in things:
                if any(self._is_crossed(head, hit) for head in heads):
                    yield hit.start, hit.end
        for first, second in pairwise(things):
            between = self._between(first, second)
            if between.strip(_MARKS) in _SIGNS:
                if self._is_crossed(first, second):
                    yield second.start, second.end
            elif len(between) <= _FAR and (
                (_BY_HAN.fullmatch(between) and self._is_related(second))
                or (_IN.fullmatch(between) and not (self._is_kind(first) or self._is_kind(second)))
            ):
                if not self._is_placed(first, second, things, between):
                    yield second.start, second.end
            elif _HAD.fullmatch(between) and self._is_had(first, second):
                yield second.start, second.end
        for owner, within, behind in zip(things, things[1:], things[2:], strict=False):
            text = self._draft.text
            goes_on = text[within.end : behind.start].lstrip().startswith((",", "，"))
            if RELATIVE.match(text, owner.end) and goes_on and not self._are_bound(owner, behind):
                yield behind.start, behind.end
        yield from self._of_roles(here.hits)
        yield from self._of_others(context, here, claims)

    def _of_others(
        self, context: PassageContext, here: Here, claims: Sequence[Claim]
    ) -> Iterator[Span]:
        """Yield figures of a row that are told of what only stands in the row: its venue's price.

        A passage may name the kind of what has them, where all that have what it names agree:
        "the play by Pell costs 48".
        """
        claims = [
            one
            for one in claims
            if one.status == "supported"
            and one.kind in ("number", "name", "date")
            and any(fact.entities for fact in one.facts)
        ]
        if not claims:
            return
        named = {key for anchor in context.entities for key in anchor.keys} | context.pointed_at()
        for scope in context.passage.scopes:
            named |= {k for anchor in context.contexts.entities(scope.span) for k in anchor.keys}
            named |= {key for hit in self._draft.within(*scope.span) for key in self._told(hit)}
        text = context.contexts.reading.text
        said = set(words_of(text[context.passage.start : context.passage.end]))
        for claim in claims:
            owners = {key for fact in claim.facts for key in fact.entities}
            if owners & named:
                if self._is_misread(context, claim):
                    yield claim.start, claim.end
                continue
            if context.passage.kind == "item" and self._is_of_any(context, claim):
                yield claim.start, claim.end
                continue
            span = claim.start, claim.end
            apart = (h for h in here.hits if not (overlaps(h, (span,)) or self._is_condition(h)))
            held = [own for hit in apart if (own := self._owners(hit)) & owners]
            if held and not (said & self._kinds(owners) and self._agree(claim, held)):
                yield claim.start, claim.end

    def _is_misread(self, context: PassageContext, claim: Claim) -> bool:
        """Whether a mean is told as a count, or a year as the value of another property."""
        text = context.contexts.reading.text
        own = {key for fact in claim.facts for key in fact.entities}
        if claim.kind == "number":
            part = any(f.number is not None and f.number % 1 for f in claim.facts)
            unit = any(f.unit is not None for f in claim.facts)
            after = (a for a in context.entities if text[claim.end : a.start] == " ")
            return part and not unit and any(a.keys & own for a in after)
        names = {key for fact in claim.facts for key in fact.names}
        return claim.kind == "date" and any(
            text[a.end : claim.start] == " " and not a.keys & names
            for a in context.names
            if a.keys & self._draft.known.numeric_names
        )

    def _is_of_any(self, context: PassageContext, claim: Claim) -> bool:
        """Whether a figure of a list may be that of several things, of which none is named."""
        named = context.contexts.entities((0, context.passage.end))
        if named or context.passage.scopes or claim.kind != "number":
            return False
        return any(
            other.number != fact.number
            for fact in claim.facts
            for other in alike(self._draft.known, fact)
        )

    def _agree(self, claim: Claim, held: Sequence[frozenset[str]]) -> bool:
        """Whether all that have what a passage names have the value of its figure."""
        bearers = set(held[0]).intersection(*held[1:])
        names = {fact.names for fact in claim.facts}
        every = (
            f for f in self._draft.known.facts.all if f.entities & bearers and f.names in names
        )
        return claim.kind == "name" or len({fact.value.value for fact in every}) == 1

    def _is_condition(self, hit: Hit) -> bool:
        return any(term.slot == "condition" for term in hit.terms)

    def _is_kind(self, hit: Hit) -> bool:
        """Whether a name is that of a class of things, of which something else is told."""
        for term in hit.terms:
            one = self._statements[term.stated].statement
            if one.kind == "scope" and term.slot == "subject":
                return True
            if one.kind == "relation" and term.slot == "object" and "type" in one.predicate:
                return True
        return False

    def _is_placed(self, first: Hit, second: Hit, things: Sequence[Hit], between: str) -> bool:
        """Whether a record has what a preposition says: "A is in B", "A is directed by B".

        "Dutch is spoken in Belgium" tells what Belgium has.
        """
        if any(self._binds(one, second) for one in things if one is not second):
            return True
        if not (self._is_related(second) or self._is_listed(first) or self._is_listed(second)):
            return True
        if any(map(senses_of, self._ends(first, "object") & self._ends(second, "subject"))):
            return True  # "A is a part of B" is read by its sense
        is_relation = bool(self._ends(first, "object") & self._ends(second, "subject"))
        return bool(_DONE_IN.fullmatch(between)) and is_relation and self._binds(second, first)

    def _told(self, hit: Hit) -> Iterator[str]:
        """Yield the keys of what a name is the subject of a relation as."""
        for term in hit.terms:
            one = self._statements[term.stated].statement
            if term.slot == "subject" and one.kind == "relation":
                yield key_of(one.subject[0])

    def _owners(self, hit: Hit) -> frozenset[str]:
        """Return the keys of what has a thing of another kind: a column of a row, a reference."""
        found: set[str] = set()
        for term in hit.terms:
            one = self._statements[term.stated].statement
            if one.kind != "relation" or term.slot != "object" or "type" in one.predicate:
                continue
            names = one.objects[term.place]
            is_thing = names[0][:1].isupper() and any("://" in name for name in names)
            if not one.complete or is_thing:
                found.add(key_of(one.subject[0]))
        return frozenset(found)

    def _kinds(self, owners: Collection[str]) -> set[str]:
        """Return words for what things are: the column that names them, their class."""
        return {
            word
            for fact in self._draft.known.facts.all
            if fact.entities & set(owners)
            and key_of(fact.value.value) in owners
            for word in words_of(fact.value.name)
        } | {
            word
            for stated in self._draft.known.statements
            if self._is_kind_of(stated, owners)
            for text in (
                *stated.statement.subject, *(n for one in stated.statement.objects for n in one)
            )
            for word in words_of(text)
        }  # fmt: skip

    def _is_kind_of(self, stated: Stated, owners: Collection[str]) -> bool:
        """Whether a statement tells the class of some things, or the set that they are of."""
        one = stated.statement
        if one.kind == "scope":
            return any(keys & set(owners) for keys in stated.members)
        is_type = one.kind == "relation" and "type" in one.predicate
        return is_type and key_of(one.subject[0]) in owners

    def _between(self, one: Hit, other: Hit) -> str:
        return " ".join(self._draft.text[one.end : other.start].split())

    def _of_roles(self, hits: Sequence[Hit]) -> Iterator[Span]:
        """Yield two names of which one is told as what the other has: "A is the home port of B"."""
        for first, second, third in zip(hits, hits[1:], hits[2:], strict=False):
            gaps = self._between(first, second), self._between(second, third)
            if max(map(len, gaps)) > _FAR:
                continue
            is_of, has = (pattern.fullmatch(gaps[1]) for pattern in (_OF, _HAS))
            told: tuple[Hit, Hit, Hit] | None = None
            if not gaps[0] and _THE.fullmatch(gaps[1]) and self._is_turned(first, second, third):
                told = first, second, third  # "A follows B" where B follows A
            elif _IS.fullmatch(gaps[0]) and is_of:
                told = third, second, first  # "A is the port of B"
            elif _IS.fullmatch(gaps[0]) and has:
                told = second, third, first  # "A is B's port", "A是B的港口"
            elif _HAS.fullmatch(gaps[0]) and _IS.fullmatch(gaps[1]):
                told = first, second, third  # "A's port is B"
            elif _OF.fullmatch(gaps[0]) and _IS.fullmatch(gaps[1]):
                told = second, first, third  # "the port of A is B"
            if told is None:
                continue
            subject, role, value = told
            numbers = {term.stated for term in role.terms if self._is_role(term)}
            if any(senses_of(self._statements[n].statement.predicate) for n in numbers):
                continue  # such relations are read by their sense
            ends = (subject, value)
            if not numbers or not all(self._draft.of_name(_is_of_thing, hit) for hit in ends):
                continue
            held = {t.stated for t in subject.terms if t.slot == "subject"}
            if not numbers & held & {t.stated for t in value.terms if t.slot == "object"}:
                yield from ((hit.start, hit.end) for hit in ends)

    def _is_turned(self, first: Hit, role: Hit, third: Hit) -> bool:
        """Whether a relation of two names is recorded the other way round."""
        numbers = {term.stated for term in role.terms if self._is_role(term)}
        held = {t.stated for t in third.terms if t.slot == "subject"}
        return bool(numbers & held & {t.stated for t in first.terms if t.slot == "object"})

    def _is_role(self, term: Term) -> bool:
        one = self._statements[term.stated].statement
        return term.slot == "predicate" and one.kind == "relation" and "type" not in one.predicate

    def _is_related(self, hit: Hit) -> bool:
        return bool(self._ends(hit, "subject") | self._ends(hit, "object"))

    def _is_listed(self, hit: Hit) -> bool:
        """Whether a name is that of a listed thing, and not of a time or a group."""
        return any(
            any("://" in name for name in one.objects[term.place])
            for term in hit.terms
            if (one := self._statements[term.stated].statement).kind == "scope"
            and term.slot == "object"
        )

    def _binds(self, subject: Hit, target: Hit) -> bool:
        """Whether a record relates one name to another, or lists it under it as a condition."""
        held = {(t.stated, t.slot) for t in target.terms}
        return any(
            (term.stated, end) in held
            for term in subject.terms
            for slot, end in (_ENDS[self._statements[term.stated].statement.kind],)
            if term.slot == slot
        )

    def _are_bound(self, one: Hit, other: Hit) -> bool:
        return self._binds(one, other) or self._binds(other, one)

    def _is_had(self, first: Hit, second: Hit) -> bool:
        """Whether a name that nothing is said of is one that the other has: equipment of a boat."""
        said_of = any(t.slot == "subject" for t in first.terms)
        return self._binds(second, first) and not said_of and not self._binds(first, second)

    def _is_crossed(self, one: Hit, other: Hit) -> bool:
        """Whether a relation has the one of its subjects and the other of its objects, not both."""
        if self._are_bound(one, other):
            return False
        return self._ends(one, "subject") & self._ends(other, "object") != set() or (
            self._ends(one, "object") & self._ends(other, "subject") != set()
        )

    def _ends(self, hit: Hit, slot: str) -> set[tuple[str, ...]]:
        """Return what the relations are called at whose one end a name stands."""
        return {
            one.predicate
            for term in hit.terms
            if term.slot == slot
            and (one := self._statements[term.stated].statement).kind == "relation"
        }
