"""Members of a listed set that a passage counts by words of their names.

"Two of them are lane changes (near Suzhou and near Erfurt)" is proven where just two of the listed
members have "lane change" in their names, one of them Suzhou and the other Erfurt: all words count,
and every member that they fit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import BOUNDS
from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.narrowing import THERE_ARE
from groundwire.evidence.claims.passage_statements import COUNT_OF_SET, DraftStatements, Found
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import cue_tables, key_of
from groundwire.language import NameIndex, lexicon
from groundwire.language import Span as Word
from groundwire.language.glossary import other_words
from groundwire.language.places import forms_of_place
from groundwire.vocabulary.fold import fold_word

_LONGEST_PHRASE = 8
_MOST_MEMBERS = 60
# From "all" to its figure.
_NEXT_WORD = 8
# Right before the number of a whole, of some of which a passage tells: "of the three".
_OF_WHOLE = re.compile(
    r"\b(?:of|among|von|unter)\s(?:the|these|those|den|diesen)\s$", re.IGNORECASE
)
_LED = 24
_ALL = frozenset[str](cue_tables()["all_members"])
_EACH = frozenset[str](cue_tables()["each_member"])
_WORD = re.compile(r"[^\W_]+")
# What speaks of a set that was told before: "of them", and "of the 13" without what they are.
_POINTS = re.compile(
    r"\b(?:of|among) (?:them|these|those|which)\b|其中"
    r"|\b(?:davon|darunter|von (?:ihnen|denen|diesen))\b",
    re.IGNORECASE,
)
_OF_COUNT = re.compile(
    r"\b(?:of the|von den|der) ([\w-]{1,12})(?=:|：| (?:is|are|were|sind|liegen)\b)",
    re.IGNORECASE,
)
_WHOLES = frozenset[str](cue_tables()["any_source"])
_CALLED = frozenset[str](cue_tables()["called"])
_NEAR = 3
_ITEM = re.compile(r"\s*\n[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+[^\n]*")

_HOLDS = ("is", "all_of", "contains")

Members = frozenset[int]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words of names, or a value, with the members that have it."""

    start: int
    end: int
    members: Members


_IN_PLACE = frozenset[str](cue_tables()["in_place"])
_WHOLE_OF = re.compile(
    r"\b(?:consists?|comprises?|composed|made up|bestehen|besteht|umfassen|umfasst)\b|组成|构成",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Part:
    """A number of members that a passage tells of, from one offset to the next."""

    start: int
    end: int
    count: int


class MemberReader:
    """Reads one draft against the names of the members of listed sets."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft

    def read(
        self,
        passage: Passage,
        context: PassageContext,
        words: Sequence[Word],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        """Support what a passage counts and names, where the names of members say the same.

        Args:
            passage: the passage.
            context: its names and quantities.
            words: its words.
            claims: its claims.
            found: what statements say of it, to which this adds.
        """
        known = self._draft.known
        listed = known.once(_listed_sets)
        if not listed or context.denies or any(q.bound in BOUNDS for q in context.quantities):
            return  # which of them lie within a bound, their names do not say
        may_be = not _ALL.isdisjoint(context.forms)
        every = [place for place, word in enumerate(words) if may_be and _is_all(word)]
        if any(splits_set(words, place, claims, found.met) for place in every):
            return
        until = _end_of_subject(words, every, claims, passage.end)
        for number, index in listed.items():
            stated = known.statements[number]
            size = len(stated.members)
            if every and any(q.value > size for q in context.quantities):
                continue  # all of more than are members
            parts = _parts(passage, context, [(words[at].start, size) for at in every], size)
            if any(_is_led_in(part.start, words) for part in parts):
                return
            if any(part.count < size for part in parts) and (whole := self._tells_whole(passage)):
                found.foreign.append(whole.span())
                continue
            if parts and self._speaks_of(number, stated, passage, until, sole=len(listed) == 1):
                phrases = self._phrases(passage, context, stated, index)
                items = self._items(passage, stated, index)
                if not phrases and any(self._counts_all(part, size, passage) for part in parts):
                    continue
                chosen = [_chosen(part, phrases, len(stated.members), items) for part in parts]
                if None not in chosen and (not items or len(parts) == 1):
                    found.counted = found.counted or claims
                    fitting = [phrase for some in chosen for phrase in some or ()]
                    self._take(parts, fitting, stated, passage, words, found)
                    self._take_set(number, stated, passage, words, found)
                    return

    def _counts_all(self, part: _Part, size: int, passage: Passage) -> bool:
        """Whether "there are two French maps" counts fewer than there are."""
        return part.count < size and bool(
            THERE_ARE.search(self._draft.text, passage.start, part.start)
        )

    def _tells_whole(self, passage: Passage) -> re.Match[str] | None:
        """Return where a passage says that it names a whole: "consists of four", or None."""
        return _WHOLE_OF.search(self._draft.text, passage.start, passage.end)

    def _speaks_of(
        self, number: int, stated: Stated, passage: Passage, until: int, *, sole: bool
    ) -> bool:
        """Whether a draft has told what is in a set, or points back at the only one."""
        span = (passage.start, passage.end)
        counted = _OF_COUNT.search(self._draft.text, *span)
        if sole and counted is not None and counted[1].casefold() in _WHOLES:
            return False  # "all scenarios of the catalogue" are more than those of a set
        if sole and (counted is not None or _POINTS.search(self._draft.text, *span)):
            return True
        earlier = self._draft.between(number, 0, until)
        said = {term.place for _, term in earlier if term.slot == "condition"}
        return all(
            place in said or "domain" in one.predicate or not one.objects
            for place, one in enumerate(stated.statement.conditions)
        )

    def _phrases(
        self, passage: Passage, context: PassageContext, stated: Stated, index: NameIndex
    ) -> list[_Phrase]:
        """Return the words of names and the values of members that stand in a passage, in order."""
        annotated = self._draft.annotated
        tokens = [t for t in annotated.tokens if passage.start <= t.start < passage.end]
        found = [
            _Phrase(hit.start, hit.end, frozenset(one for one in hit.terms if isinstance(one, int)))
            for hit in index.find(annotated.text, tokens)
        ]
        for mention in context.mentions:
            named = mention.named
            facts = [*named.values]
            if named.entities:
                facts += [
                    fact
                    for fact in self._draft.known.facts.all
                    if fact.value.kind == "name" and key_of(fact.value.value) in named.entities
                ]
            keys = {key for fact in facts for key in fact.entities}
            own = frozenset(i for i, names in enumerate(stated.members) if names & keys)
            if own:
                found.append(_Phrase(mention.start, mention.end, own))
        taken = [q.span for q in context.quantities]
        kept: list[_Phrase] = []
        for phrase in sorted(found, key=lambda one: one.start - one.end):
            if not any(a < phrase.end and phrase.start < b for a, b in taken):
                taken.append((phrase.start, phrase.end))
                kept.append(phrase)
        return sorted(kept, key=lambda phrase: phrase.start)

    def _items(self, passage: Passage, stated: Stated, index: NameIndex) -> list[Members]:
        """Return the member that each item of a list under a passage names."""
        text, at = self._draft.text, passage.end
        if not text[passage.start : at].rstrip(" *_").endswith((":", "：")):
            return []
        found: list[Members] = []
        while (item := _ITEM.match(text, at)) is not None:
            hits = self._draft.within(item.start(), item.end())
            keys = {key_of(text[hit.start : hit.end]) for hit in hits}
            found.append(frozenset(i for i, names in enumerate(stated.members) if names & keys))
            at = item.end()
        return found

    def _take(
        self,
        parts: Sequence[_Part],
        phrases: Sequence[_Phrase],
        stated: Stated,
        passage: Passage,
        words: Sequence[Word],
        found: Found,
    ) -> None:
        starts = {part.start for part in parts}
        detail = f"members of the set by their names, of {len(stated.members)}"
        found.counted = [
            replace(claim, status="derived", detail=detail, evidence_id=stated.evidence_id)
            if claim.start in starts and claim.kind == "number"
            else claim
            for claim in found.counted
        ]
        spans = [(phrase.start, phrase.end) for phrase in phrases]
        found.counted = [
            replace(claim, status="supported", detail=detail)
            if claim.kind == "name" and (claim.start, claim.end) in spans
            else claim
            for claim in found.counted
        ]
        found.taken += spans
        found.foreign = [
            (start, end)
            for start, end in found.foreign
            if not any(one.start <= start and end <= one.end for one in phrases)
        ]
        found.taken += [
            (word.start, word.end)
            for word in words
            if word.text.casefold() in _CALLED
            if any(0 < phrase.start - word.end <= _NEAR for phrase in phrases)
        ]
        if _OF_COUNT.search(self._draft.text, passage.start, passage.end):
            found.claims = [c for c in found.claims if not c.detail.startswith(COUNT_OF_SET)]
        found.is_complete = True

    def _take_set(
        self, number: int, stated: Stated, passage: Passage, words: Sequence[Word], found: Found
    ) -> None:
        """Take what the set is called, and "all" of it, and state that the members are these."""
        conditions = stated.statement.conditions
        found.taken += [
            (hit.start, hit.end)
            for hit, term in self._draft.between(number, passage.start, passage.end)
            if term.slot == "subject"
            or (term.slot == "condition" and conditions[term.place].operator in _HOLDS)
        ]
        found.taken += [(word.start, word.end) for word in words if _is_all(word)]
        found.facts += [stated.fact] if stated.fact is not None else []
        start, end = passage.start, passage.end
        text = self._draft.text[start:end].strip()
        detail = f"the names of the {len(stated.members)} members that are listed"
        found.claims.append(
            Claim(text, "statement", "supported", stated.evidence_id, detail, start, end)
        )


def _listed_sets(known: Knowledge) -> dict[int, NameIndex]:
    """Return an index of the words of the names of its members, for every set that is listed."""
    found: dict[int, NameIndex] = {}
    for number in known.by_kind.get("scope", ()):
        stated = known.statements[number]
        if stated.statement.complete == "all_listed" and 2 <= len(stated.members) <= _MOST_MEMBERS:
            index = found[number] = NameIndex()
            for member, names in enumerate(stated.statement.objects):
                for name in names:
                    if "://" not in name:
                        for phrase in set(phrases_of(name)):
                            index.add(phrase, member)
    return found


def phrases_of(name: str) -> Iterator[str]:
    """Yield the words of a name and its runs of words, as other languages call them too."""
    words = [match.span() for match in _WORD.finditer(name)]
    for at, (start, _) in enumerate(words):
        for _, end in words[at : at + _LONGEST_PHRASE]:
            phrase = name[start:end]
            ends = (_WORD.match(phrase), _WORD.search(name, name.rfind(" ", start, end) + 1))
            if any(one is not None and _is_small(one[0]) for one in ends):
                continue
            yield phrase
            yield from other_words(phrase)
            yield from forms_of_place(phrase)


def _is_small(word: str) -> bool:
    """Whether a word means something of its own beside names: near, in, and."""
    entry = lexicon("en").entries.get(fold_word(word))
    return len(word) < 2 or (
        entry is not None and entry.role in ("function", "being", "quantifier")
    )


def _parts(
    passage: Passage, context: PassageContext, every: Sequence[tuple[int, int]], total: int
) -> list[_Part]:
    """Return the numbers of members that a passage tells of; a number of all is of no part.

    "Two of them: one near Lyon and one near Cologne" tells of two.
    """
    text = context.contexts.reading.text
    marks = [
        *every,
        *(
            (q.span[0], int(q.value))
            for q in context.quantities
            if q.unit is None and q.value == int(q.value) and 0 < q.value < total
            if not _OF_WHOLE.search(text, max(0, q.span[0] - _LED), q.span[0])
        ),
    ]
    kept: list[tuple[int, int]] = []
    ones = 0
    for start, count in sorted(marks):
        if count == 1 and ones:
            ones -= 1
            continue
        ones = count if count > 1 else 0
        kept.append((start, count))
    ends = [*(start for start, _ in kept[1:]), passage.end] if kept else []
    return [_Part(start, end, count) for (start, count), end in zip(kept, ends, strict=True)]


def _is_led_in(start: int, words: Sequence[Word]) -> bool:
    """Whether a number counts where members are, and not them: "seven maps in two cities"."""
    before = next((word for word in reversed(words) if word.end <= start), None)
    if before is None or before.role is None:
        return False
    return before.text.casefold() in _IN_PLACE or before.role.sense in ("from", "to")


def _chosen(
    part: _Part, phrases: Sequence[_Phrase], total: int, items: Sequence[Members]
) -> list[_Phrase] | None:
    """Return the phrases of a part where they fit just as many members as it says, else None."""
    own = [p for p in phrases if part.start <= p.start < part.end]
    every = frozenset(range(total))
    if items:
        named = frozenset[int]().union(*items)
        told = len(items) == part.count == len(named) and all(len(one) == 1 for one in items)
        return own if told and (not own or _common(own, every) == named) else None
    if not own:
        return None
    if len(_common(own, every)) == part.count:
        return own
    for at in range(len(own) - part.count + 1):
        rest, others = own[at : at + part.count], [*own[:at], *own[at + part.count :]]
        base = _common(others, every)
        within = [p.members & base for p in rest]
        reached = frozenset[int]().union(*within)
        fits = len(rest) == part.count == len(reached) and (not others or base == reached)
        if fits and apart(within):
            return own
    return None


def _common(phrases: Sequence[_Phrase], every: Members) -> Members:
    found = every
    for phrase in phrases:
        found &= phrase.members
    return found


def apart(choices: Sequence[Members]) -> bool:
    """Whether each of some phrases can mean a member of its own."""
    taken: dict[int, int] = {}

    def finds(place: int, tried: set[int]) -> bool:
        for member in sorted(choices[place] - tried):
            tried.add(member)
            if member not in taken or finds(taken[member], tried):
                taken[member] = place
                return True
        return False

    return all(finds(place, set()) for place in range(len(choices)))


def _is_all(word: Word) -> bool:
    return any(token.key in _ALL for token in word.tokens)


def _end_of_subject(
    words: Sequence[Word], every: Sequence[int], claims: Sequence[Claim], end: int
) -> int:
    """Return where what "all" speaks of ends, where no number counts it: before its verb."""
    if not every or any(claim.kind == "number" for claim in claims):
        return end
    return next((word.start for word in words[every[0] + 1 :] if _is_predicate(word)), end)


def splits_set(
    words: Sequence[Word], place: int, claims: Sequence[Claim], met: Collection[Span]
) -> bool:
    """Whether "all 13 maps of Germany have motorways" says of a set what makes it one.

    The 13 are counted of what is in Germany and has motorways: they are not all maps of Germany.

    Args:
        words: the words of a passage.
        place: where "all" stands among them.
        claims: its claims.
        met: where it names what every member of a set is.
    """
    if not (_is_all(words[place]) or _is_each(words[place])):
        return False
    counts = [claim for claim in claims if claim.kind == "number"]
    near = [c for c in counts if 0 <= c.start - words[place].end <= _NEXT_WORD]
    before = words[place - 1] if place else None
    is_being = before is not None and before.role is not None and before.role.role == "being"
    floats = before is not None and is_being and words[place].start - before.end <= 1
    behind = (w.start for w in words[place + 1 :] if _is_predicate(w))
    verb = before.start if floats and before is not None else next(behind, None)  # "are all"
    if verb is None:
        return False
    if near:
        of_set = any(fact.value.unit == ASSETS for fact in near[0].facts)
        met = [span for span in met if span[0] > near[0].end or span[0] < near[0].start]
        told = {start > verb for start, _ in met}
        return of_set and len(counts) == 1 and told == {True, False}
    if any(c.start < words[place].start for c in counts):
        return False  # "13 maps match: all of them are in Germany"
    if floats:
        return {start > verb for start, _ in met} == {True, False}
    if place + 1 < len(words) and not _points(words[place + 1]) and words[place + 1].start != verb:
        # "All maps of the catalogue are in France": what is so of a set is not so of all.
        return any(start > verb for start, _ in met)
    return False


def end_of_count(words: Sequence[Word], claims: Sequence[Claim], end: int) -> int:
    """Return where a passage that counts goes on to tell what all members are, else its end.

    "13 maps, all of German motorways" counts maps: that only such were counted, it does not say.
    """
    counts = [claim.end for claim in claims if claim.kind == "number"]
    behind = (word for word in words if counts and word.start >= counts[0] and word.tokens)
    return next((w.start for w in behind if _is_all(w) or _is_each(w)), end)


def speaks_of_every(context: PassageContext) -> bool:
    """Whether a passage says something of each member of a set: all, every, always."""
    is_each = not _EACH.isdisjoint(context.forms)
    return is_each or (not _ALL.isdisjoint(context.forms) and any(map(_is_all, context.words)))


def _is_each(word: Word) -> bool:
    return any(token.key in _EACH or token.lemma in _EACH for token in word.tokens)


def _points(word: Word) -> bool:
    return word.role is not None and (
        word.role.role == "function" and word.role.sense in ("pronoun", "preposition")
    )


def _is_predicate(word: Word) -> bool:
    role = word.role.role if word.role is not None else ""
    return role in ("being", "having", "counting") or any(t.tag == "verb" for t in word.tokens)
