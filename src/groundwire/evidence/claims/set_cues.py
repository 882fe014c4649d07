"""Words about sets of recorded values: half, each, the next, or none of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from decimal import Decimal

from groundwire.evidence.claims.attachment import is_before_it
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Named
from groundwire.evidence.claims.proof import Outcome, Proof
from groundwire.evidence.claims.qualities import quality_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import (
    alike,
    stated_facts,
)
from groundwire.evidence.claims.statement_index import Term
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.evidence.records import Condition
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called
from groundwire.language.ordinals import place_at, ranked_place
from groundwire.quantities import Quantity

_DISTRIBUTES = frozenset(("each", "both", "every"))
_DISTRIBUTIVE = frozenset(("je", "jeweils", "均", "都", "各", "均为", "各有", "both", "apiece"))
_SHARING = frozenset(("share", "shared", "teilen", "geteilt", "equal", "gleich", "同为", "并列"))
_NEITHER = frozenset(("neither",))
_HELD = frozenset[str](cue_tables()["holding"])
_NEAR, _RIGHT_BEHIND = 4, 1
_NEGATIVE = ("none_of", "missing")


def judge_sequence(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Then, followed by: whether the things of a passage stand in the order of their values.

    Nothing that is recorded may lie between two of them, and what comes before the first of them
    must be named shortly before.
    """
    named = list(dict.fromkeys(a.keys for a in proof.context.entities))
    if proof.found.ordered is not None:
        proof.used.extend(one for keys in named if (one := _value_of(proof, keys)) is not None)
        return proof.found.ordered and not _leaves_out(proof, named)
    first = next((one for keys in named if (one := _value_of(proof, keys)) is not None), None)
    if first is None:
        return None
    every_fact = alike(proof.known, first, first.evidence_id)
    places = {fact.entities: fact.number for fact in every_fact if fact.number is not None}
    held = [next((one for one in every_fact if one.entities & keys), None) for keys in named]
    numbers = [one.number for one in held if one is not None and one.number is not None]
    if len(numbers) != len(named) or len(places) < 3:
        return None
    rising = _is_rising(words)
    ordered = sorted(numbers, reverse=not rising)
    if numbers != ordered:
        return None
    every = sorted((n for n in places.values()), reverse=not rising)
    at = every.index(numbers[0])
    if every[at : at + len(numbers)] != numbers:
        return None
    before = {fact.entities for fact in every_fact if at and fact.number == every[at - 1]}
    if at and not any(
        keys & anchor.keys
        for keys in before
        for scope in proof.context.passage.scopes
        for anchor in proof.context.contexts.entities(scope.span)
    ):
        return None
    proof.used.extend(one for one in held if one is not None)
    return True if at or len(numbers) > 1 else None


def _leaves_out(proof: Proof, named: Sequence[frozenset[str]]) -> bool:
    """Whether every order by value that has all of some things has others between them."""
    every = ([one.place_of(keys) for keys in named] for one in proof.known.rankings)
    orders = [one for one in every if set(one) - {None}]  # an order of other things says nothing
    if any(one[-1] is None and len(set(one) - {None}) > 1 for one in orders):
        return all(one[-1] is None for one in orders)  # the last one named has no place
    places = [sorted(p for p in one if p is not None) for one in orders if None not in one]
    return bool(places) and not any(one[-1] - one[0] == len(one) - 1 for one in places if one)


def _is_rising(words: Sequence[Word]) -> bool:
    """Whether a passage tells things from the smallest on."""
    return any(w.role and (w.role.role, w.role.sense) == ("superlative", "least") for w in words)


def has_place(proof: Proof, words: Sequence[Word], at: int) -> bool:
    """Whether a thing may have the place that an ordinal gives it: "France comes third".

    Its place is that by its values, among all of the answer or among those that the passage and
    what it goes on with name; from the smallest on where a word says so. True where the word names
    no place, or no value of the thing is told.
    """
    place, context = place_at(words[at].text.split()[0]), proof.context
    named = [one for one in context.entities if not is_before_it(proof.text, one.start)]
    before = [one for one in named if one.end <= words[at].start]
    near = before[-1:] or list(context.entities[:1])
    own = _value_of(proof, near[0].keys) if near else None
    ranked = {one.place_of(near[0].keys) for one in proof.known.rankings if near} - {None}
    if place < 2 or own is None or own.number is None:
        return not ranks_by(words, at) and (place < 2 or not ranked or place in ranked)
    said = quality_of(words[at]._replace(text=ranked_place(words[at].text)[1]))
    if said.is_measured and not said.fits(proof)(own):
        return False  # the second largest by area is not the second longest
    scopes = (
        anchor for s in context.passage.scopes for anchor in context.contexts.entities(s.span)
    )
    named = {key for anchor in (*context.entities, *scopes) for key in anchor.keys}
    every = alike(proof.known, own, own.evidence_id)
    rising = said.way == "least" or _is_rising(words)
    if ranked and not rising and not any(q.unit is None for q in context.quantities):
        return place in ranked  # "of these three" ranks others than all
    for group in (every, [fact for fact in every if fact.entities & named]):
        numbers = [fact.number or Decimal(0) for fact in group]
        if place == 1 + sum(one < own.number if rising else one > own.number for one in numbers):
            return True
    return False


def ranks_by(words: Sequence[Word], at: int) -> bool:
    """Whether a word of order says by what it gives a place: "the second largest"."""
    roles = [word.role.role for word in words[at : at + 2] if word.role is not None]
    behind = words[at + 1].text if at + 1 < len(words) else ""
    return "superlative" in roles or (place_at(words[at].text) > 1 and behind.endswith("est"))


def judge_listing(proof: Proof, way: str) -> Outcome:
    """Whether a list tells its things by their values: descending, ascending, or sorted either way.

    The things are those that the passage names, else those whose values stand under it. Where
    several values are told of each, the first one orders them.
    """
    named = list(dict.fromkeys(a.keys for a in proof.context.entities))
    facts = [_value_of(proof, keys) for keys in named] if len(named) > 2 else list(proof.plain)
    told: dict[object, dict[frozenset[str], Decimal]] = {}
    for fact in facts:
        if fact is None or fact.number is None:
            return None
        if fact.entities and not fact.operands:
            kind = fact.names, fact.value.unit, fact.periods
            told.setdefault(kind, {}).setdefault(fact.entities, fact.number)
    listed = [[*own.values()] for own in told.values() if len(own) > 1]
    if not listed or len(listed[0]) < len({keys for own in told.values() for keys in own}):
        return None
    ways = {"descending": (True,), "ascending": (False,)}.get(way, (True, False))
    is_so = any(listed[0] == sorted(listed[0], reverse=falls) for falls in ways)
    return is_so if len(listed) == 1 else is_so or None


def _value_of(proof: Proof, keys: frozenset[str]) -> Fact | None:
    """Return the one value that a passage speaks of for a thing, or None."""
    facts = [f for f in stated_facts(proof) if f.entities & keys and f.number is not None]
    kinds = {(f.names, f.value.unit, f.periods) for f in facts}
    return facts[0] if len(kinds) == 1 and len({f.number for f in facts}) == 1 else None


def distributed(
    claims: Sequence[Claim], context: PassageContext, words: Sequence[Word], known: Knowledge
) -> tuple[list[Fact], list[Span]]:
    """Return the values of all things that share one figure: "five each in A, B and C".

    Returns:
        The values, and where the word stands that gives them to each; nothing where one differs.
    """
    figures = [c for c in claims if c.kind in ("number", "percent") and c.status == "supported"]
    facts, taken = list[Fact](), list[Span]()
    for cue in (word for word in words if figures and _gives_to_each(word)):
        behind = [c for c in figures if cue.end <= c.start <= cue.end + _RIGHT_BEHIND]
        behind += [c for c in figures if c.end <= cue.start][-1:]
        figure = (*behind, *figures)[0]
        if not figure.facts:
            continue
        low = max((c.end for c in figures if c.end <= figure.start), default=0)
        high = min((c.start for c in figures if c.start >= cue.end), default=words[-1].end)
        every = len(figures) == 1
        near = [a.keys for a in context.entities if every or low <= a.start < figure.start]
        ahead = [a.keys for a in context.entities if figure.end <= cue.start < a.start < high]
        # "A and B have five each", "and five each in A and B"
        held = _of_each(figure.facts[0], near, known) or _of_each(figure.facts[0], ahead, known)
        facts += held
        is_most = cue.role is not None and cue.role.role == "superlative"  # judged elsewhere
        taken += [(cue.start, cue.end)] if held and not is_most else []
    return facts, taken


def _of_each(base: Fact, named: Sequence[frozenset[str]], known: Knowledge) -> list[Fact]:
    """Return the values of several things that are that of one of them; nothing if one differs."""
    if len({*named}) < 2 or len(base.entities) != 1:
        return []
    same = [f for f in alike(known, base) if f.number == base.number]
    held = [[f for f in same if f.entities & keys] for keys in dict.fromkeys(named)]
    return [fact for facts in held for fact in facts] if all(held) else []


def _gives_to_each(word: Word) -> bool:
    role, said = word.role, word.text.casefold()
    senses = _DISTRIBUTES if role is not None and role.role == "quantifier" else {"most", "least"}
    return said in _DISTRIBUTIVE | _SHARING or (role is not None and role.sense in senses)


def denied_values(
    context: PassageContext, words: Sequence[Word], known: Knowledge, starts: Sequence[int]
) -> tuple[list[Fact], list[Span]]:
    """Return counts of zero and attributes that do not hold, where a passage denies them.

    "Without a change" is a count of no changes; "contains no personal data" an attribute that is
    false. Every value of the thing that is spoken of must be so.
    """
    facts, taken = list[Fact](), list[Span]()
    for place, word in enumerate(words if context.denies else ()):
        if not denies(word):
            continue
        if word.text.casefold() in _NEITHER:  # "neither of them contains personal data"
            has = next((i for i in range(place, len(words)) if _has(words[i])), place)
            behind = _behind(words, has)
            if behind and (held := list(_denied(context, behind, known, word.start, starts, 2))):
                facts += held
                taken += [(w.start, w.end) for w in words[place:has] if denies(w)]
                taken.append((behind[0].start, behind[-1].end))
                continue
        if not (behind := _behind(words, place)):
            before = _before(words, place)
            if before and (held := list(_denied(context, before, known, word.start, starts))):
                facts += held
                taken.append((before[0].start, word.end))
            continue
        held = list(_denied(context, behind, known, word.start, starts))
        if not held:  # "no personal data": the noun of the phrase may add nothing by itself
            for phrase in _phrases(words, place, behind):
                held = held or list(_denied(context, phrase, known, word.start, starts))
        if held:
            facts += held
            taken.append((word.start, behind[-1].end))
    return facts, taken


def affirmed_condition(words: Sequence[Word], condition: Condition) -> list[Span]:
    """Return where words call what a condition says is so; nothing where anything is denied."""
    if any(map(denies, words)):
        return []
    called = frozenset(one for name in condition.predicate for one in words_of(name))
    telling = [word for word in words if not word.is_silent and word.kind != "sign"]
    for place in range(len(telling)):
        for size in (2, 1):
            phrase = telling[place : place + size]
            if len(phrase) == size and _names_all(phrase, called):
                return [(word.start, word.end) for word in phrase]
    return []


def denied_condition(words: Sequence[Word], condition: Condition) -> list[Span]:
    """Return where words deny what a condition says is not so: "no personal data", 不含个人信息."""
    called = frozenset(one for name in condition.predicate for one in words_of(name))
    for place, word in enumerate(words):
        behind = _behind(words, place) if denies(word) else []
        for named in (*_phrases(words, place, behind), behind) if behind else ():
            if _names_all(named, called):
                return [(word.start, named[-1].end)]
    return []


def _phrases(words: Sequence[Word], place: int, behind: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words behind a negation with the next one, and without the noun of a set."""
    yield list(words[place + 1 : place + 2 + len(behind)])
    if len(behind) > 1 and behind[-1].role is not None:
        yield list(behind[:-1])


def denies(word: Word) -> bool:
    """Whether a word denies something, or says that there is none."""
    role = (word.role.role, word.role.sense) if word.role is not None else ("", "")
    return role[0] == "negation" or role == ("quantifier", "none")


def _behind(words: Sequence[Word], place: int) -> list[Word]:
    """The words right behind a negation that say what there is none of."""
    found: list[Word] = []
    for word in words[place + 1 : place + 1 + _NEAR]:
        if word.kind in ("sign", "quantity", "iri") or word.period is not None:
            break
        if word.is_silent and found:
            break
        if not found and word.tokens[-1].tag == "noun" and word.tokens[-1].lemma in _HELD:
            return []  # "no information on traffic lights" does not say that there are none
        if not word.is_silent:
            found.append(word)
    return found


def _has(word: Word) -> bool:
    return word.role is not None and word.role.role == "having"


def _before(words: Sequence[Word], place: int) -> list[Word]:
    """The words that a colon parts from a negation that ends an item: "Ampeln: keine"."""
    if place + 1 < len(words) or place < 2 or words[place - 1].text not in (":", "："):
        return []
    return [word for word in words[: place - 1] if not word.is_silent]


def _denied(
    context: PassageContext,
    behind: Sequence[Word],
    known: Knowledge,
    position: int,
    starts: Sequence[int],
    count: int = 1,
) -> Iterator[Fact]:
    """Yield the values of what is denied, where every thing that has one has none of it.

    Where nothing is named, just so many things may have one.
    """
    if all(word.role is not None and word.role.role == "bound" for word in behind):
        return  # "never below 3" denies nothing that is had
    names, (every, properties) = _naming(behind), known.once(_words_of_values)
    called = {*filter(names, properties)} if names(every) else None  # more words call no less
    if not called:
        return
    own = {key for anchor in context.entities for key in anchor.keys}
    text = context.contexts.reading.text
    own |= known.once(_related) & {key_of(text[m.start : m.end]) for m in context.mentions}
    if not own and context.passage.kind == "item":  # an item speaks of what stands over it
        own = {k for span in context.above for a in context.contexts.entities(span) for k in a.keys}
    items = context.items(position, starts)
    of: dict[frozenset[str], list[Fact]] = {}
    for fact in known.facts.all:
        about = not fact.entities or not own or fact.entities & own
        if fact.operands or not about or known.words_about(fact) not in called:
            continue
        if (fact.value.item or fact.entities) and items.allows(fact):
            of.setdefault(fact.names, []).append(fact)
    if not all(_is_none(fact) for facts in of.values() for fact in facts):
        return  # "no prerequisites" is not "no prerequisites below the mark"
    for facts in of.values():
        things = {min(fact.entities) for fact in facts if fact.entities}
        if count > 1 and len(things) != count:
            continue
        if len(things) <= max(count, len(context.entities)):
            yield from facts


def _related(known: Knowledge) -> frozenset[str]:
    """Return the keys of the things of which relations are recorded."""
    numbers = known.by_kind.get("relation", ())
    return frozenset[str]().union(*(known.statements[number].subjects for number in numbers))


def _words_of_values(known: Knowledge) -> tuple[frozenset[str], frozenset[frozenset[str]]]:
    """Return the words by which the properties of recorded values are called, all and of each."""
    own = frozenset(known.words_about(fact) for fact in known.facts.all if not fact.operands)
    return frozenset[str]().union(*own), own


def _names_all(behind: Sequence[Word], called: frozenset[str]) -> bool:
    """Whether some words call a property, each of them, or all as one phrase."""
    return _naming(behind)(called)


def _naming(behind: Sequence[Word]) -> Callable[[frozenset[str]], bool]:
    """Return a test whether words call a property, for the words by which it is called."""
    every = [token for word in behind for token in word.tokens]
    phrases = {" ".join(token.lemma for token in every), " ".join(token.key for token in every)}
    tokens = [token for token in every if token.tag not in ("function", "sign")]

    def names(called: frozenset[str]) -> bool:
        return any(is_called(phrase, called) for phrase in phrases) or all(
            called.issuperset(words_of(token.text))
            or called.issuperset(words_of(token.lemma))
            or is_called(token.lemma, called)
            or is_called(token.key, called)
            for token in tokens
        )

    return names


def _is_none(fact: Fact) -> bool:
    return fact.number == 0 if fact.number is not None else fact.value.value == "false"


def is_total(claims: Sequence[Claim], known: Knowledge) -> bool:
    """Whether a figure counts a whole answer, was summed up, or is the whole of recorded parts."""
    wholes = {id(known.whole_of(part)) for parts in known.parts.values() for part in parts}
    return any(
        fact.names & TOTALS or fact.operation == "sum" or id(fact) in wholes
        for claim in claims
        if claim.kind == "number" and claim.status in ("supported", "derived")
        for fact in claim.facts
    )


def holds_for_all(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """All three, in every country: by the number of things whose values a change is judged by."""
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.facts]
    moves = any(w.role is not None and w.role.role == "direction" for w in words)
    if figures or not moves or proof.context.entities:
        return None
    entities = {key for fact in stated_facts(proof) for key in fact.entities}
    counted = {int(q.value) for q in proof.context.quantities if q.unit is None and q.value < 100}
    return True if len(entities) > 1 and (not counted or counted == {len(entities)}) else None


def holds_for_each(proof: Proof) -> Outcome:
    """Whether a figure that is the value of one thing is that of all such things; None if none is.

    "Every unit has a margin above 40 %" is not proven by the margin of one of them.
    """
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.facts]
    of_things = [c for c in figures if len(c.facts[0].entities) == 1 and not c.facts[0].operands]
    if not of_things:
        return None
    by_start = {quantity.span[0]: quantity for quantity in proof.context.quantities}
    return all(_is_of_each(c, by_start.get(c.start), proof.known) for c in of_things)


def is_of_whole_journey(fact: Fact) -> bool:
    """Return whether a value is the time that a whole journey takes, and not one of its legs."""
    item = fact.value.item
    return item is not None and fact.value.name == "duration" and not item.pieces


def are_values_of_all(proof: Proof, both: Collection[str] = ()) -> bool:
    """Return whether every named value is one of all things that have a value of its property.

    "All of these have rural roads" is not proven by the six of 13 that have.

    Args:
        proof: the passage.
        both: keys of the things that it speaks of, where it says of which.
    """
    for claim in proof.claims:
        if claim.kind != "name" or not claim.facts or (claim.start, claim.end) in proof.found.met:
            continue
        names, value = claim.facts[0].names, claim.facts[0].value.value
        of = [f for f in proof.known.facts.all if f.names == names and f.entities]
        having = {key for f in of if f.value.value == value for key in f.entities}
        if not having.issuperset(both) if both else any(not f.entities & having for f in of):
            return False
    return True


def _is_of_each(claim: Claim, quantity: Quantity | None, known: Knowledge) -> bool:
    numbers = [fact.number for fact in alike(known, claim.facts[0]) if fact.number is not None]
    if quantity is None or len(numbers) < 2:
        return False
    if quantity.bound == "over":
        return all(number >= quantity.value for number in numbers)
    if quantity.bound == "under":
        return all(number <= quantity.value for number in numbers)
    return len(set(numbers)) == 1


def may_take(conditions: Sequence[Condition], term: Term, negations: Sequence[Word]) -> bool:
    """Whether a name of a condition is explained: of a negative one only beside a negation."""
    if term.slot not in ("condition", "property"):
        return False
    return bool(negations) or not _is_negative(conditions[term.place])


def denied_by(
    negations: Sequence[Word], conditions: Sequence[Condition], own: Sequence[Named]
) -> Iterator[tuple[int, int]]:
    """Yield where a negation stands before a condition that says that something is not there.

    What is said of a connected asset that is not there keeps its own negations: "no scenario
    without fog" is not "no scenario with fog".
    """
    places = sorted(
        (hit.start, term.place) for hit, term in own if term.slot in ("condition", "property")
    )
    for word in negations:
        place = next((place for start, place in places if start >= word.end), None)
        if place is None:
            continue
        condition = conditions[place]
        inside = condition.predicate[0].startswith("references/")
        if _is_negative(condition) and not inside:
            yield word.start, word.end


def judged_so(words: Sequence[Word], condition: Condition) -> list[tuple[int, int]]:
    """Return where words say of a property that is so or not what a condition says of it."""
    is_so = condition.objects == (("true",),)
    return (affirmed_condition if is_so else denied_condition)(words, condition)


def _is_negative(condition: Condition) -> bool:
    """Whether a condition says that something is not there, or is not so."""
    return condition.operator in _NEGATIVE or condition.objects == (("false",),)


def is_denied(conditions: Sequence[Condition], term: Term) -> bool:
    """Whether a term names the property that a condition says is not so."""
    return term.slot == "property" and conditions[term.place].objects == (("false",),)
