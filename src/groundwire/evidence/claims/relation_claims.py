"""Relations that a passage states, read in the direction that its words say.

A is a broader term of B, the mode of A is B, A is a part of B: a recorded relation proves them, and
contradicts them where it has the two the other way round or has all that there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import product

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.needed import DIRECT, says_direct, told_as_learned
from groundwire.evidence.claims.passage_statements import (
    COUNT_OF_GROUPS,
    DraftStatements,
    Found,
    Here,
    Hit,
)
from groundwire.evidence.claims.pointed_things import related_to_itself, support_pointed
from groundwire.evidence.claims.relation_cues import (
    ATTRIBUTE,
    INVERSE,
    IS,
    JOINED,
    LISTED,
    MARKS,
    acts_of,
    completes_other,
    cues_for,
    cues_near,
    is_proven_at,
    listed_behind,
    listed_in_vain,
    numbers_by_label,
    overlaps,
    reads_forward,
    recorded_senses,
    senses_of,
    stands_within,
    told_with_need,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.verb_order import (
    has_verb,
    is_said_nearer,
    is_turned,
    judge_verb,
    wrongly_attached,
)
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Names, Statement
from groundwire.language import Span as Word

_APPOSES = re.compile(r"\s?[,:(（：，]")
_IS_THE = re.compile(
    r"\s*(?:(?:is|are|was|ist|sind|war)\b|[:：是为])\s*(?:(?:the|der|die|das)\s+)?", re.IGNORECASE
)
# What repeats a relation that was named before.
_THAT_OF = re.compile(
    r"\s+(?:is\s+|ist\s+)?(?:that|the one|die|das|der|jene[rs]?)\s+(?:of|von|der|des)\s+"
    r"(?:the\s+)?",
    re.IGNORECASE,
)
# Signs that end what is said of the name before them.
_APART = re.compile(r"[:;：；]")
_THAT_OF_BEFORE = re.compile(
    r"\b(?:that|the one|die|das|der|jene[rs]?)\s+(?:of|von|der|des)\s(?:the\s)?$", re.IGNORECASE
)
_LONGEST_THAT_OF = 24
_HAS = "the record has "
_Numbered = tuple[int, Stated]
_THAN = re.compile(r"\s+(?:than|als)\b")


def _tell_direct(proven: Collection[str], words: Sequence[Word], found: Found) -> None:
    """Take the words for what is needed directly, where just such relations are proven."""
    if set(proven) == {"prerequisite"}:
        found.words |= DIRECT
    else:
        found.foreign += [(word.start, word.end) for word in words if says_direct(word)]


class RelationReader:
    """Reads one draft against the relations that records state."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft

    def relate(
        self,
        here: Here,
        context: PassageContext,
        pointed: frozenset[str],
        found: Found,
        lead: Sequence[Word] = (),
    ) -> None:
        """Judge the relations that the names of a passage stand in.

        Args:
            here: the names of statements that stand in the passage.
            context: the passage.
            pointed: keys of what it speaks of as "it" or "its".
            found: what statements say of it, to which this adds.
            lead: the words of what stands over an item of a list: "Their capitals are:".
        """
        words, relations = context.words, list(self._draft.naming(here, "relation"))
        cued = {
            names: cues_for(names, words, context.forms) or cues_for(names, lead, None)
            for names in {stated.statement.predicate for _, stated in relations}
        }
        proven: list[tuple[Names, tuple[Hit, Hit]]] = []
        apart: list[Hit] = []
        for number, stated in relations:
            own = here.terms[number]
            cues = cued[stated.statement.predicate]
            subjects = [hit for hit, term in own if term.slot == "subject"]
            objects = [hit for hit, term in own if term.slot == "object"]
            predicates = [hit for hit, term in own if term.slot == "predicate"]
            if not subjects:
                if objects and cues:
                    support_pointed(self._draft, stated, objects, cues, context, pointed, found)
                continue
            found.met |= {(hit.start, hit.end) for hit in objects}
            is_named = cues or predicates or has_verb(stated)
            if not objects or not is_named:
                continue
            rivals = self._rivals(stated, number, here.hits)
            name, pairs = stated.statement.predicate[:1], product(subjects, objects)
            for subject, target in sorted(pairs, key=lambda pair: abs(pair[0].end - pair[1].start)):
                gap, is_of_lists = self._gap(subject, target, here.hits)
                is_same = (target.start, target.end) == (subject.start, subject.end)
                both, ties = (subject, target), [one.start for one in (*cues, *predicates)]
                if is_same or is_said_nearer(self._draft.text, both, (*subjects, *objects), ties):
                    continue
                if stands_within(rivals, *gap):
                    apart += [target] if is_of_lists else []
                    continue
                told = len(found.claims)
                if judge_verb(self._draft, stated, (subject, target), here.hits, found):
                    near = cues_near(own, subject, target, cues, rivals)
                    is_told = any((name, target) == (one, pair[1]) for one, pair in proven)
                    self._pair(
                        stated, subject, target, predicates, near, cues, words, found, is_told
                    )
                if any(claim.status == "supported" for claim in found.claims[told:]):
                    proven.append((name, (subject, target)))
        found.foreign += related_to_itself(self._draft, here, cued.values())
        needs = any("prerequisite" in names[0] for names, _ in proven)
        if needs:
            _tell_direct({names[0] for names, _ in proven}, words, found)
        ends = (
            [w.end for names, _ in proven for own in cued if own[:1] == names for w in cued[own]]
            if needs
            else []
        )
        found.foreign += self._unrelated(here, proven, found, ends)
        found.foreign += listed_in_vain(self._draft, here, relations)
        found.foreign += wrongly_attached(self._draft, here, relations, found)
        if not found.claims:
            found.foreign += [(hit.start, hit.end) for hit in apart]
            self._other_objects(relations, here, words, found)

    def _pair(
        self, stated: Stated, subject: Hit, target: Hit, predicates: Sequence[Hit],
        near: Sequence[Word], cues: Sequence[Word], words: Sequence[Word], found: Found,
        is_told: bool,
    ) -> None:  # fmt: skip
        """Judge one relation of two names.

        "Chad's capital is N'Djamena, and Chad …" says it once: what is told already is not
        contradicted by what follows.
        """
        told, taken = len(found.claims), len(found.taken)
        is_proven = is_told or (subject.start > target.end and is_proven_at(target, found))
        if not self._in_brackets(subject, target):
            self._relation(stated, subject, target, predicates, near, words, found)
        if is_proven:
            new = found.claims[told:]
            found.claims[told:] = [c for c in new if c.status != "contradicted"]
            if len(found.claims) - told < len(new):
                del found.taken[taken:]  # words of its own are not proven by what was told
        self._repeated(stated, subject, target, cues, found)

    def _unrelated(
        self,
        here: Here,
        proven: Sequence[tuple[Names, tuple[Hit, Hit]]],
        found: Found,
        cues: Sequence[int],
    ) -> Iterator[Span]:
        """Yield the names that a passage puts beside a proven relation, and relates to none.

        "Paraguay borders Brazil and Chile" is not proven by the border to Brazil, nor is "A needs
        B, and B needs C" by the need of B. `cues` is where words of the relation end.
        """
        if not proven:
            return
        statements = self._draft.known.statements
        predicates = {names for names, _ in proven}
        ends = [hit for _, pair in proven for hit in pair]
        spans = [(hit.start, hit.end) for hit in ends]
        things = {term for hit in ends for term in hit.terms if term.slot != "predicate"}
        counted = {one.span[1] + 1 for one in found.quantities}
        for hit in here.hits:
            if overlaps(hit, (*spans, *found.taken)) or not things.isdisjoint(hit.terms):
                continue
            kinds = {statements[term.stated].statement.kind for term in hit.terms}
            if hit.start in counted and kinds == {"source"}:
                continue  # "three countries" does not name the graph "countries"
            alike = any(
                term.slot in ("subject", "object", "condition")
                and statements[term.stated].statement.predicate[:1] in predicates
                for term in hit.terms
            )
            beside = any(
                LISTED.fullmatch(self._draft.text, low, high)
                for span in spans
                for low, high in ((span[1], hit.start), (hit.end, span[0]))
                if low < high
            )
            told = not self._draft.text[hit.start].isdigit() and any(
                not self._draft.text[end : hit.start].strip(MARKS + " ")
                for end in cues
                if end < hit.start
            )
            if alike or beside or told:
                yield hit.start, hit.end

    def attribute(
        self,
        here: Here,
        words: Sequence[Word],
        facts: Sequence[Fact],
        named: frozenset[str],
        found: Found,
        narrows: Callable[[Hit, Statement], bool],
    ) -> None:
        """Take the kind of a thing, and the names of its properties that stand with their value.

        Args:
            here: the names of statements that stand in the passage.
            words: its words.
            facts: the values that it speaks of.
            named: keys of the things that it names, where it speaks of no values.
            found: what statements say of it, to which this adds.
            narrows: whether what a thing is narrows its figure, or stands in its place.
        """
        entities = {key for fact in facts for key in fact.entities} or named
        if not entities:
            self._kind_of_counted(here, found)
            return
        for number, stated in self._draft.naming(here, "relation"):
            one = stated.statement
            if entities.isdisjoint(stated.subjects):
                continue
            own = here.terms[number]
            valued = any(term.slot == "object" for _, term in own)
            is_kind = "type" in one.predicate or not senses_of(one.predicate)
            predicates = [hit for hit, term in own if term.slot == "predicate"]
            if is_turned(self._draft, stated, own, here.hits):
                continue
            if predicates and not valued and one.complete == "all_listed":
                self._other_value(stated, predicates[0], here.hits, entities, found)
            found.taken += [
                (hit.start, hit.end)
                for hit, term in own
                if (
                    is_kind
                    and term.slot == "object"
                    and not narrows(hit, one)
                    and not completes_other(self._draft.known, entities, one.predicate, words, hit)
                )
                or (valued and term.slot == "predicate")
            ]
            if valued and is_kind:
                found.taken += acts_of(one.predicate, words, own, here)

    def _kind_of_counted(self, here: Here, found: Found) -> None:
        """Take the kind of what has the steps that are counted: "the guide has three steps"."""
        ids = {c.evidence_id for c in found.counted if c.detail.startswith(COUNT_OF_GROUPS)}
        for number, stated in self._draft.naming(here, "relation") if ids else ():
            if stated.evidence_id in ids and "type" in stated.statement.predicate:
                own = here.terms[number]
                found.taken += [(hit.start, hit.end) for hit, term in own if term.slot == "object"]

    def _other_value(
        self,
        stated: Stated,
        predicate: Hit,
        hits: Sequence[Hit],
        entities: Collection[str],
        found: Found,
    ) -> None:
        """Contradict a property that is named with a value that only an unnamed thing has."""
        label = stated.statement.predicate[0]
        for hit in hits:
            if hit.start < predicate.end:
                continue
            for term in hit.terms:
                other = self._draft.known.statements[term.stated].statement
                if any(key_of(name) in entities for name in other.subject):
                    break
                of = [other.predicate] if term.slot == "object" else []
                if term.slot == "condition":
                    of = [other.conditions[term.place].predicate]
                if any(names and names[0] == label for names in of):
                    has = ", ".join(one[0] for one in stated.statement.objects[:5])
                    detail = f"the record has {label} {has}"
                    start, end = predicate.start, hit.end
                    text = self._draft.text[start:end]
                    found.claims.append(
                        Claim(
                            text, "statement", "contradicted", stated.evidence_id, detail,
                            start, end,
                        )
                    )  # fmt: skip
                    return

    def _gap(self, subject: Hit, target: Hit, hits: Sequence[Hit]) -> tuple[Span, bool]:
        """Return what lies between two names without what is listed beside one of them.

        "A, B and C are parts of D" names B and C beside A. Between two lists nothing is left out:
        "the capitals of A and B are D and C" does not tell whose each is.

        Returns:
            The range, and whether both names stand in lists.
        """
        first, second = sorted((subject, target), key=lambda hit: hit.start)
        low, high = first.end, second.start
        between = [one for one in hits if low <= one.start < high]
        for hit in between:
            low = hit.end if LISTED.fullmatch(self._draft.text, low, hit.start) else low
        for hit in reversed(between):
            high = hit.start if LISTED.fullmatch(self._draft.text, hit.end, high) else high
        if low > first.end and high < second.start:
            return (first.end, second.start), True
        return (low, high), False

    def _rivals(self, stated: Stated, number: int, hits: Sequence[Hit]) -> list[int]:
        """Return where names stand that another statement relates in the same way, in order.

        "Vaduz is the capital of Liechtenstein and Bern that of Switzerland" says nothing of Vaduz
        and Switzerland.
        """
        label = stated.statement.predicate[:1]
        of_label = ((hit, self._draft.of_name(numbers_by_label, hit).get(label)) for hit in hits)
        return [hit.start for hit, numbers in of_label if numbers and number not in numbers]

    def _in_brackets(self, one: Hit, other: Hit) -> bool:
        """Whether one name stands in brackets right behind another: "Bern (Switzerland)"."""
        first, second = sorted((one, other), key=lambda hit: hit.start)
        return self._draft.text[first.end : second.start].strip() in ("(", "（")

    def _repeated(
        self, stated: Stated, subject: Hit, target: Hit, cues: Sequence[Word], found: Found
    ) -> None:
        """Support "Bern is the capital of Switzerland and Vaduz that of Liechtenstein"."""
        between = self._draft.text[target.end : subject.start]
        before = [cue for cue in cues if cue.end <= target.start]
        senses = {cue.role.sense for cue in before[-1:] if cue.role}
        if not senses & recorded_senses(stated.statement.predicate):
            return
        text = self._draft.text
        that_of = text[max(0, subject.start - _LONGEST_THAT_OF) : subject.start]
        is_next = IS.fullmatch(text[subject.end : target.start].rstrip())
        if (
            self._in_brackets(subject, target)
            or _THAT_OF.fullmatch(between)
            or (is_next and _THAT_OF_BEFORE.search(that_of))
        ):
            start, end = sorted((target.start, target.end, subject.start, subject.end))[::3]
            detail = f"{_HAS}{stated.statement.subject[0]} {stated.statement.predicate[0]}"
            of = stated.evidence_id
            found.claims.append(
                Claim(text[start:end], "statement", "supported", of, detail, start, end)
            )
            found.taken.append((start, end))

    def _relation(
        self,
        stated: Stated,
        subject: Hit,
        target: Hit,
        predicates: Sequence[Hit],
        cues: Sequence[Word],
        words: Sequence[Word],
        found: Found,
    ) -> None:
        recorded = recorded_senses(stated.statement.predicate)
        for cue in cues:
            claimed = cue.role.sense if cue.role else ""
            apart = all(cue.end <= hit.start or hit.end <= cue.start for hit in (subject, target))
            if claimed == "kind_of" and "broader" in recorded:
                claimed = "broader"  # "A is a kind of B": B is the broader one
            if not apart or not recorded & {claimed, INVERSE.get(claimed, "")}:
                continue
            first, second = sorted((subject, target), key=lambda hit: hit.start)
            forward = reads_forward(self._draft.text, first, second, cue, words)
            stands_for_subject = (first is subject) == forward
            same = claimed in recorded
            symmetric = INVERSE.get(claimed) == claimed
            between = self._draft.text[first.end : second.start]
            if cue.start >= second.end and _APART.search(between):
                continue  # "A comes first: B is a part of C" says nothing of A and B
            led = cue.end <= first.start and _APART.search(self._draft.text, cue.end, first.start)
            needs = "prerequisite" in stated.statement.predicate and cue.end <= first.start
            listed = needs and JOINED.fullmatch(between.strip(MARKS + " "))
            aside = cue.start >= second.end or led or listed
            if not symmetric and aside and LISTED.fullmatch(between.strip(MARKS)):
                continue  # "A has two parts: B and C" says nothing of B and C
            right = symmetric or stands_for_subject == same
            if cue.role is ATTRIBUTE and not right:
                if not _APPOSES.match(self._draft.text, cue.end) or first is not subject:
                    continue
                right = True  # "lists two languages, English and Tswana"
            spans = [(hit.start, hit.end) for hit in (subject, target)]
            if words and cue.start < words[0].start:
                found.above.append((cue.start, cue.end))
            else:
                spans.append((cue.start, cue.end))
            spans += told_with_need(self._draft.text, first, second, cue, cues, words)
            if than := _THAN.match(self._draft.text, cue.end):
                spans.append(than.span())  # "broader than"
            start, end = min(spans)[0], max(span[1] for span in spans)
            names = stated.statement
            named = self._draft.text[target.start : target.end]
            has = f"{names.subject[0]} {names.predicate[0]} {named}"
            status = "supported" if right else "contradicted"
            found.claims.append(
                Claim(
                    self._draft.text[start:end], "statement", status, stated.evidence_id,
                    f"{_HAS}{has}", start, end,
                )
            )  # fmt: skip
            found.taken += spans
            found.taken += told_as_learned(words) if right and "prerequisite" in recorded else []
            found.words |= frozenset(("term", "concept", "begriff", "概念", "概", "念", "词", "语"))
            return
        for predicate in predicates:
            # "A uses B" and "the use of A is B", but not "B uses A".
            if predicate.start < target.start and subject.start < target.start:
                found.taken += [(hit.start, hit.end) for hit in (subject, target, predicate)]

    def _other_objects(
        self, relations: Sequence[_Numbered], here: Here, words: Sequence[Word], found: Found
    ) -> None:
        for number, stated in relations:
            for subject in [h for h, t in here.terms[number] if t.slot == "subject"]:
                if stated.statement.complete == "all_listed" and not found.claims:
                    cues = cues_for(stated.statement.predicate, words, None)
                    self._other_object(stated, number, subject, here.hits, cues, found)

    def _other_object(
        self,
        stated: Stated,
        number: int,
        subject: Hit,
        hits: Sequence[Hit],
        cues: Sequence[Word],
        found: Found,
    ) -> None:
        """Contradict a relation to something else, where a statement has all that there is."""
        recorded = recorded_senses(stated.statement.predicate)
        for cue in cues:
            claimed = cue.role.sense if cue.role else ""
            target = next((hit for hit in hits if hit.start >= cue.end), None)
            forward = claimed in recorded and claimed not in ("kind_of", "has_part", "related")
            if not forward or target is None or not subject.end <= cue.start:
                continue
            if cue.role is ATTRIBUTE and not _IS_THE.fullmatch(
                self._draft.text, cue.end, target.start
            ):
                continue
            others = [
                t
                for t in target.terms
                for one in (self._draft.known.statements[t.stated].statement,)
                if t.slot in ("subject", "object")
                and one.kind == "relation"
                and "type" not in one.predicate
            ]
            if others and not any(
                t.stated == number
                for one in listed_behind(self._draft.text, target, hits)
                for t in one.terms
            ):
                names = ", ".join(one[0] for one in stated.statement.objects[:5])
                detail = f"the record has {stated.statement.predicate[0]} {names}"
                start, end = subject.start, target.end
                text = self._draft.text[start:end]
                found.claims.append(
                    Claim(text, "statement", "contradicted", stated.evidence_id, detail, start, end)
                )
                return
