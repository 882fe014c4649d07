"""Words that bind a count to the set that was told last, or end what was narrowed before.

"Lane change is the most common among these eight" is not proven by the counts of all ninety, and
"in total, 23 traces hold no personal data" not by those of one format alone. Counts that are added
to one told before ("another 13", weitere 26, 另有9) are of other things only where the records show
that nothing is in both sets.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import OUT_OF
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import Word as Read
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import Named
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import cue_tables, key_of
from groundwire.evidence.records import Condition, Statement
from groundwire.language import Span as Word

_WHOLE_OF = re.compile(
    r"\b(?:consists?|comprises?|composed|made up|bestehen|besteht|umfassen|umfasst)\b|组成|构成",
    re.IGNORECASE,
)
OF_THEM = re.compile(
    r"\b(?:of|among|out of) (?:them|these|those|which)\b|其中|这些[^，。；、]{0,8}[中里]"
    r"|\b(?:davon|darunter|hiervon|(?:von|unter) (?:ihnen|denen|diesen))\b",
    re.IGNORECASE,
)
"""Words that speak of a set that was told before: "among these"."""


# The longest words that lead to the number of a whole, and those from "these" to their number.
_LED, _NEXT_WORD = 24, 4
# From such a word to its figure, or from the figure to it: "another 13", "13 weitere".
_BESIDE = 2
# The number of a part stands at most so far before its whole: "twelve of them".
_BEFORE = 12
# From "all" to its figure.
_TO_FIGURE = 8
_ALL = frozenset[str](cue_tables()["all_members"])
_EACH = frozenset[str](cue_tables()["each_member"])


def begin_of_scope(
    small: str, context: PassageContext, one: Statement, own: Sequence[Named], *, denies: bool
) -> int:
    """Return from where on the conditions of a set may be told: "in total" ends those before.

    "In total there are eight" goes on about what was told, since it names no condition itself.

    Args:
        small: the draft in small letters.
        context: the passage with the count.
        one: the set.
        own: where the passage names anything of the set.
        denies: whether the passage denies a condition of the set.
    """
    start, end = context.passage.start, context.passage.end
    named = denies or any(
        term.slot == "condition" and "domain" not in one.conditions[term.place].predicate
        for _, term in own
    )
    is_whole = named and vocabulary("journey_cues")["in_all"].search(small, start, end)
    return start if is_whole and OF_THEM.search(small, start, end) is None else 0


def counts_of_sets(claims: Sequence[Claim], text: str) -> list[Claim]:
    """Return the claims that tell how many there are of a set or of a group, in order.

    The number of a whole of which some are told comes before theirs: "eight of the 90".
    """
    held = [c for c in claims if c.kind == "number" and c.status == "supported" and c.facts]
    held = sorted((c for c in held if c.facts[0].value.unit == ASSETS), key=lambda one: one.start)
    wholes = [one for one in held if is_whole(one, text)]
    return [*wholes, *(c for c in held if c not in wholes)]


def is_whole(count: Claim, text: str) -> bool:
    """Whether a count is of the whole of which a part is told: "eight of the 90"."""
    return OUT_OF.search(text, max(0, count.start - _LED), count.start) is not None


def counted_of_others(
    words: Sequence[Word],
    claims: Sequence[Claim],
    used: Sequence[Fact],
    told: Sequence[Claim],
    context: PassageContext,
    judged_by: str | None,
) -> Iterator[Span]:
    """Yield "among these" where a passage goes on with the counts of a wider set.

    And what only another answer was asked for: "16 lane changes in snow", where 16 are of all.

    Args:
        words: the words of the passage.
        claims: its claims.
        used: the values by which its words were judged.
        told: the counts of sets that the draft tells, in order.
        context: the passage.
        judged_by: the record by which the passage is proven as a whole: it may tell of the members
            of the set that this record counts, if that was told last.
    """
    known, passage, text = context.contexts.known, context.passage, context.contexts.reading.text
    counted = counts_of_sets(claims, text)
    yield from _met_by_others(claims, counted, context)
    said = OF_THEM.search(text, passage.start, passage.end)
    until = said.start() if said is not None else 0
    before = [c for c in told if c.end <= until and text[c.end : until].strip()]  # not "23 of them"
    if said is None or not before or _names_whole(words, said.start()):
        return
    own = {c.facts[0].number for c in counted if 0 < c.start - said.end() <= _NEXT_WORD}
    count = next((c for c in reversed(before) if c.facts[0].number in own), before[-1]).facts[0]
    if judged_by is not None and count.evidence_id == judged_by and not count.entities:
        return
    leads = text[passage.start : passage.end].rstrip(" *_").endswith((":", "："))
    # The lead of a list counts the items of the list.
    kept = set[tuple[int, str]]() if leads else {(c.start, c.detail) for c in claims}
    part = [c for c in told if until - _BEFORE <= c.start < until and c not in before]
    facts = [
        *(c.facts[0] for c in counted if c not in before and not (leads and c.end <= until)),
        *(c.facts[0] for c in part if (c.start, c.detail) in kept),
        *(f for f in used if f.value.unit == ASSETS),
    ]
    wider = [f for f in facts if f.number != count.number and not _lies_within(f, count, known)]
    yield from ((w.start, w.end) for w in words if wider and said.start() <= w.start < said.end())


def _names_whole(words: Sequence[Word], until: int) -> bool:
    """Whether a count tells how many of what it stands behind: "most scenarios, 49 of them"."""
    before = [word for word in words if word.start < until]
    named = before[-3:]
    if len(named) <= _BESIDE or not _is_sign(named[1]) or named[2].quantity is None:
        return False
    senses = {word.role.sense for word in before[:-3] if word.role is not None}
    return "most" in senses and any(token.tag == "noun" for token in named[0].tokens)


def _is_sign(word: Word) -> bool:
    return any(token.tag == "sign" for token in word.tokens)


def _met_by_others(
    claims: Sequence[Claim], counted: Sequence[Claim], context: PassageContext
) -> Iterator[Span]:
    """Yield the values that no answer has of which a count stands in the same clause."""
    text = context.contexts.reading.text
    for claim in claims:
        if claim.kind != "name" or not claim.facts:
            continue
        start, end = context.clause(claim.start)
        here = [c for c in counted if start <= c.start < end and not is_whole(c, text)]
        beside = {c.facts[0].evidence_id for c in here}
        if beside and beside.isdisjoint(fact.evidence_id for fact in claim.facts):
            yield claim.start, claim.end


def _lies_within(fact: Fact, count: Fact, known: Knowledge) -> bool:
    """Whether all that the answer of a fact counts is of the set or the group of another count."""
    numbers = known.scopes_of_fact.get(id(fact), ())  # a group is no other of the same answer
    own = {
        key_of(name)
        for number in numbers or known.by_kind.get("scope", ())
        if known.statements[number].evidence_id == fact.evidence_id
        for condition in known.statements[number].statement.conditions
        for names in condition.objects
        for name in names
    }
    meant = [
        frozenset(map(key_of, names))
        for number in known.scopes_of_fact.get(id(count), ())
        for condition in known.statements[number].statement.conditions
        for names in condition.objects
        if "domain" not in condition.predicate
    ]
    return all(map(own.intersection, [*meant, count.entities] if count.entities else meant))


def _is_all(word: Word) -> bool:
    """Whether a word says something of all members; "in all" sums up a number instead."""
    if vocabulary("journey_cues")["in_all"].fullmatch(word.text.lower()):
        return False
    return any(token.key in _ALL for token in word.tokens)


def wholes_told(context: PassageContext, listed: Iterable[Stated]) -> Iterator[Span]:
    """Yield "consists of" where fewer are counted than an answer lists of what there is."""
    passage, text = context.passage, context.contexts.reading.text
    said = _WHOLE_OF.search(text, passage.start, passage.end)
    counts = [q.value for q in context.quantities if said and q.unit is None and q.value > 0]
    for one in listed if counts else ():
        if one.statement.complete == "all_listed" and min(counts) < len(one.members):
            yield said.span() if said else (0, 0)


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
    near = [c for c in counts if 0 <= c.start - words[place].end <= _TO_FIGURE]
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


@cache
def _further() -> re.Pattern[str]:
    return re.compile("|".join(cue_tables()["adds_count"]), re.IGNORECASE)


def _adds(text: str, start: int, end: int) -> bool:
    """Whether a word adds a count to one told before."""
    return _further().fullmatch(text, start, end) is not None


def told_further(
    words: Sequence[Read], text: str
) -> Iterator[tuple[Sequence[Read], Sequence[Span]]]:
    """Yield the words as which a sentence may be read, and what was left out of them.

    "Another three are icy" tells of no rest, which would be of what the sentence itself tells.
    """
    further = [w for w in words if w.kind == "other" and _adds(text, w.start, w.end)]
    leads = bool(further) and words[0] is further[0] and all(w.kind != "each" for w in words)
    before = [w.kind for w in words if further and w.start < further[0].start]
    if further and not leads and "number" not in before:
        return  # "of the 90, another 49 are at night"
    if not leads:
        yield words, ()
    if further:
        yield [w for w in words if w not in further], [(w.start, w.end) for w in further]


def counted_besides(
    words: Sequence[Word], counts: Sequence[Claim], text: str, known: Knowledge
) -> Iterator[Span]:
    """Yield the words that add a count to that of a set which shares nothing with its own.

    Args:
        words: the words of a passage.
        counts: the counts of sets that the draft tells.
        text: the draft.
        known: what the records hold.
    """
    for word in words:
        if not _adds(text, word.start, word.end):
            continue
        near = [
            one
            for one in counts
            if 0 <= one.start - word.end < _BESIDE or 0 <= word.start - one.end < _BESIDE
        ]
        told = [one for one in counts if near and one.end <= min(word.start, near[0].start)]
        told = [one for one in told if not is_whole(one, text)]
        last = max(told, key=lambda one: one.start, default=None)
        if last is not None and _apart(near[0].facts[0], last.facts[0], known):
            yield word.start, word.end


def _apart(one: Fact, other: Fact, known: Knowledge) -> bool:
    """Whether nothing is in both sets that two values count."""
    parted = known.once(_parted)
    own, others = (_conditions(fact, known) for fact in (one, other))
    return any(
        a.predicate[0] == b.predicate[0]
        and (
            _denies(a, b)
            or _denies(b, a)
            or (
                _values(a).isdisjoint(_values(b))
                and any(
                    a.predicate[0] == name and base <= _keys(own) & _keys(others)
                    for name, base in parted
                )
            )
        )
        for a in own
        for b in others
    )


def _denies(one: Condition, other: Condition) -> bool:
    """Whether one condition asks for none of what another one asks for."""
    alike = not one.objects or not _values(one).isdisjoint(_values(other))
    return one.operator == "missing" and other.operator in ("is", "exists") and alike


def _conditions(fact: Fact, known: Knowledge) -> tuple[Condition, ...]:
    numbers = known.scopes_of_fact.get(id(fact), ())[:1]
    return tuple(one for number in numbers for one in known.statements[number].statement.conditions)


def _values(one: Condition) -> frozenset[str]:
    return frozenset(name for names in one.objects for name in names)


_Key = tuple[str, str, frozenset[str]]


def _keys(conditions: Sequence[Condition]) -> frozenset[_Key]:
    return frozenset(
        (c.predicate[0], c.operator, frozenset(n[0] for n in c.objects if n)) for c in conditions
    )


def _parted(known: Knowledge) -> Sequence[tuple[str, frozenset[_Key]]]:
    """Return the properties of which each thing has one value, with what these things are.

    The counts of all values add up to that of the whole.
    """
    wholes: dict[tuple[str, frozenset[_Key]], int] = {}
    sums: dict[tuple[str, str, frozenset[_Key]], int] = {}
    for number in known.by_kind.get("scope", ()):
        stated = known.statements[number]
        fact, of = stated.fact, stated.statement.conditions
        if fact is None or fact.number is None:
            continue
        wholes[stated.evidence_id, _keys(of)] = int(fact.number)
        if of and fact.value.entity is not None and of[-1].operator == "is":
            key = stated.evidence_id, of[-1].predicate[0], _keys(of[:-1])
            sums[key] = sums.get(key, 0) + int(fact.number)
    return [
        (name, base) for (record, name, base), n in sums.items() if wholes.get((record, base)) == n
    ]
