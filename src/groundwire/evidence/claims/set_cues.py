"""Words about sets of recorded values: half, each, the next, or none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from decimal import Decimal
from itertools import permutations

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.fact_index import Fact, distinct
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.proof import Outcome, Proof, limit_before, sense_of
from groundwire.evidence.claims.quotients import share_of_named_part
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import (
    alike,
    computed_sides,
    pairs_of,
    stated_facts,
)
from groundwire.evidence.claims.words import words_of
from groundwire.evidence.records import Condition
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called
from groundwire.quantities import Quantity

_FRACTIONS = {
    word: Decimal(above) / Decimal(below)
    for (above, below), words in {
        (1, 2): "half|half of|one half|hälfte|die hälfte|die hälfte von|halb|一半|半数|半",
        (1, 3): "third of|one third|a third|a third of|drittel|ein drittel|三分之一",
        (2, 3): "two thirds|two-thirds|zwei drittel|三分之二",
        (1, 4): "quarter of|one quarter|a quarter|a quarter of|viertel|ein viertel|四分之一",
        (3, 4): "three quarters|drei viertel|dreiviertel|四分之三",
        (1, 5): "a fifth|fünftel|ein fünftel|五分之一",
        (1, 10): "a tenth|zehntel|ein zehntel|十分之一",
        **{(tenths, 10): f"{han}成" for tenths, han in zip((2, 3, 4, 6, 7, 8, 9), "两三四六七八九")},
    }.items()
    for word in words.split("|")
}
# How far a share may lie from what such a word says: as it stands, with "about", with "nearly".
_EXACT, _ABOUT, _NEARLY = Decimal("0.006"), Decimal("0.04"), Decimal("0.9")
_MORE = frozenset(("more_than", "at_least", "more"))
_LESS = frozenset(("less_than", "at_most", "less"))
_DISTRIBUTES = frozenset(("each", "both", "every"))
_DISTRIBUTIVE = frozenset(("je", "jeweils", "均", "都", "各", "均为", "各有", "both", "apiece"))
_NEITHER = frozenset(("neither",))
_NEAR = 4
# From a fraction to what it is of: "half of China's", "half that of China", "halb so groß wie China".
_OF_BASE_IN_HAN = re.compile("(?:的?[^，。；的]{1,4})?的?[约近]?(?:将近|接近|大约)?")
_OF_BASE = re.compile(
    r"\s*(?:the size )?(?:(?:that )?(?:of|von)|as \w+ as|so \w+ wie|der von|die von)?\s*(?:the )?", re.I
)
_SIZES = frozenset(
    ("many", "much", "large", "big", "high", "great", "long", "viel", "viele", "groß", "hoch")
)


def judge_fraction(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Half, a third: by the share that a recorded part has of its recorded whole."""
    wanted = _FRACTIONS.get(words[place].text.casefold().strip())
    if wanted is None:
        return None
    shares = [a / b for a, b in computed_sides(proof, words[place]) if b]
    shares = shares or list(dict.fromkeys(a / b for a, b in _sides_of_base(proof, words[place]) if b))
    shares = shares or list(dict.fromkeys(_shares(proof, words[place])))
    if len(shares) != 1:
        return None
    behind = _bound_behind(words, place)
    sense = limit_before(words, place) or (sense_of(behind) if behind is not None else "")
    share = shares[0]
    if sense in _MORE:
        return share > wanted
    if sense in _LESS:
        return share < wanted
    if sense == "nearly":
        return wanted * _NEARLY <= share < wanted
    reach = _ABOUT if sense == "about" else _EXACT
    return abs(share - wanted) <= reach


def _sides_of_base(proof: Proof, word: Word) -> list[tuple[Decimal, Decimal]]:
    """Return the values of a thing and of the one that a fraction is of: "half of China's"."""
    text, entities = proof.text, proof.context.entities
    behind = next((a for a in entities if a.start >= word.end), None)
    before = next((a for a in reversed(entities) if a.end <= word.start), None)
    if behind is not None and _OF_BASE.fullmatch(text, word.end, behind.start):
        base, end = behind, word.start
    elif before is not None and _OF_BASE_IN_HAN.fullmatch(text, before.end, word.start):
        base, end = before, before.start
    else:
        return []
    subject = next((a for a in reversed(entities) if a.end <= end and a.keys != base.keys), None)
    if subject is None:
        return []
    kinds = {(f.names, f.value.unit, f.periods) for f in stated_facts(proof) if not f.operands}
    held = distinct(
        f for f in proof.known.facts.numbers()
        if not f.operands and (f.names, f.value.unit, f.periods) in kinds
        if f.entities & (subject.keys | base.keys)
    )  # fmt: skip
    proof.used.extend(held)
    return list(pairs_of(held, (subject.keys, base.keys), "entity"))


def _bound_behind(words: Sequence[Word], place: int) -> Word | None:
    """Return the bound right behind a fraction, as Chinese puts it: 一半以上."""
    behind = words[place + 1] if place + 1 < len(words) else None
    is_bound = behind is not None and behind.role is not None and behind.role.role == "bound"
    return behind if is_bound and behind is not None and behind.start == words[place].end else None


def limits_of_fractions(words: Sequence[Word], proven: Sequence[Span]) -> Iterator[Span]:
    """Where a proven fraction or multiple is bounded, rounded or said to be of a size.

    These are the "fewer than" of "fewer than half" and the "many" of "twice as many".
    """
    starts = {span[0] for span in proven}
    for place, word in enumerate(words):
        if word.start not in starts or word.role is None:
            continue
        if word.role.sense in ("half", "times"):
            before = words[place - 1].role if place else None
            if before is not None and before.role in ("bound", "approximation", "comparison"):
                yield words[place - 1].start, words[place - 1].end
            if (bound := _bound_behind(words, place)) is not None:
                yield bound.start, bound.end
        if word.role.sense == "times":
            behind = next((w for w in words[place + 1 : place + 3] if not w.is_silent), None)
            role = (behind.role.role, behind.role.sense) if behind and behind.role else ("", "")
            same = role == ("comparison", "equal")  # "twice as many as"
            if behind is not None and (same or behind.text.casefold() in _SIZES):
                yield behind.start, behind.end


def _shares(proof: Proof, word: Word) -> Iterator[Decimal]:
    """The shares that the things which a clause, or its passage, speaks of have of their whole."""
    if not proof.plain and (named := list(share_of_named_part(proof))):
        yield from named
        return
    start, end = proof.context.clause(word.start)
    counts = distinct(f for f in proof.known.totals if f.number)
    anchors = [a for a in proof.context.entities if start <= a.start < end]
    own = {key for anchor in anchors or proof.context.entities for key in anchor.keys}
    here = [f for c in proof.claims if start <= c.start < end for f in c.facts if f in proof.plain]
    here = here or [f for f in proof.plain if anchors and f.entities & own]
    parts = [f for f in here or proof.plain if f.number and not f.names & TOTALS]
    if not proof.plain:
        parts = [f for f in stated_facts(proof) if f.number and f.entities and f.entities & own]
    said = [f for f in proof.plain if f.names & TOTALS and f.number]
    wholes = said or (counts if len(counts) == 1 else [])
    first = parts[:1]
    if said and not first:
        first = distinct(
            f
            for f in proof.known.facts.numbers()
            if f.entities & own and f.value.unit == said[0].value.unit and f.number
        )
        first = first if len(first) == 1 else []
    proof.used.extend(first)
    yield from _of_said_whole(proof)
    for part in first:
        for whole in wholes:
            if whole.value.unit == part.value.unit and part.number and whole.number:
                yield part.number / whole.number
    for fact in proof.known.facts.numbers():
        is_share = fact.operation == "share" and fact.operands and fact.operands[0] in first
        if is_share and fact.number is not None:
            yield (fact.number / 100).quantize(Decimal("0.000001"))


def _of_said_whole(proof: Proof) -> Iterator[Decimal]:
    """The shares of a part in the sum that a passage tells, or in the recorded whole it tells."""
    own = {key for anchor in proof.context.entities for key in anchor.keys}
    for claim in proof.claims:
        if claim.status == "derived" and " + " in claim.detail and len(claim.facts) > 2:
            parts = distinct(f for f in claim.facts if f.entities & own and f.number)
            total = sum((fact.number for fact in claim.facts if fact.number), Decimal(0))
            if len(parts) == 1 and total and parts[0].number:
                yield (parts[0].number / total).quantize(Decimal("0.000001"))
    sums = [{id(f): f for f in c.facts} for c in proof.claims if _is_sum(c)]
    for part, whole in permutations(sums, 2):
        if len(part) < len(whole) and part.keys() <= whole.keys():
            a, b = (sum((f.number or Decimal(0) for f in one.values()), Decimal(0))
                    for one in (part, whole))  # fmt: skip
            yield (a / b).quantize(Decimal("0.000001"))
    for part in proof.plain:
        whole = proof.known.whole_of(part)
        told = whole is not None and any(whole is fact for fact in proof.plain)
        if told and whole is not None and whole.number and part.number:
            yield (part.number / whole.number).quantize(Decimal("0.000001"))


def _is_sum(claim: Claim) -> bool:
    return claim.status == "derived" and " + " in claim.detail and " ÷ " not in claim.detail


def judge_sequence(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Then, followed by: whether the things of a passage stand in the order of their values.

    Nothing that is recorded may lie between two of them, and what comes before the first of them
    must be named shortly before.
    """
    if proof.found.ordered is not None:
        return proof.found.ordered
    named = list(dict.fromkeys(a.keys for a in proof.context.entities))
    first = next((one for keys in named if (one := _value_of(proof, keys)) is not None), None)
    if first is None:
        return None
    every_fact = alike(proof.known, first, first.evidence_id)
    places = {fact.entities: fact.number for fact in every_fact if fact.number is not None}
    held = [next((one for one in every_fact if one.entities & keys), None) for keys in named]
    numbers = [one.number for one in held if one is not None and one.number is not None]
    if len(numbers) != len(named) or len(places) < 3:
        return None
    rising = any(w.role and (w.role.role, w.role.sense) == ("superlative", "least") for w in words)
    ordered = sorted(numbers, reverse=not rising)
    if numbers != ordered:
        return None
    every = sorted((n for n in places.values()), reverse=not rising)
    at = every.index(numbers[0])
    if every[at : at + len(numbers)] != numbers:
        return None
    before = (
        {fact.entities for fact in every_fact if fact.number == every[at - 1]}
        if at
        else set[frozenset[str]]()
    )
    if at and not any(
        keys & anchor.keys
        for keys in before
        for scope in proof.context.passage.scopes
        for anchor in proof.context.contexts.entities(scope.span)
    ):
        return None
    return True if at or len(numbers) > 1 else None


def judge_listing(proof: Proof, *, falls: bool) -> Outcome:
    """Whether a list tells its things by their values, from the largest on or from the smallest.

    The things are those that the passage names, else those whose values stand under it.
    """
    named = list(dict.fromkeys(a.keys for a in proof.context.entities))
    facts = [_value_of(proof, keys) for keys in named] if len(named) > 2 else list(proof.plain)
    numbers = [fact.number for fact in facts if fact is not None and fact.number is not None]
    kinds = {(fact.names, fact.value.unit, fact.periods) for fact in facts if fact is not None}
    if len(numbers) != len(facts) or len(kinds) != 1 or len(numbers) < 3:
        return None
    return numbers == sorted(numbers, reverse=falls)


def _value_of(proof: Proof, keys: frozenset[str]) -> Fact | None:
    """Return the one value that a passage speaks of for a thing, or None."""
    facts = [f for f in stated_facts(proof) if f.entities & keys and f.number is not None]
    kinds = {(f.names, f.value.unit, f.periods) for f in facts}
    return facts[0] if len(kinds) == 1 and len({f.number for f in facts}) == 1 else None


def distributed(
    claims: Sequence[Claim], context: PassageContext, words: Sequence[Word], known: Knowledge
) -> tuple[list[Fact], list[Span]]:
    """Return the values of all things that share one figure: "A, B and C have five each".

    Returns:
        The values, and where the word stands that gives them to each; nothing where one of the
        things that the passage names has another value, or none.
    """
    figures = [c for c in claims if c.kind in ("number", "percent") and c.status == "supported"]
    facts: list[Fact] = []
    taken: list[Span] = []
    for cue in (word for word in words if figures and _gives_to_each(word)):
        before = [c for c in figures if c.end <= cue.start]
        figure = before[-1] if before else next(iter(figures), None)
        if figure is None or not figure.facts:
            continue
        low = max((c.end for c in figures if c.end <= figure.start), default=0)
        every = len(figures) == 1
        near = (a for a in context.entities if every or low <= a.start < figure.start)
        held = _of_each(figure.facts[0], list(dict.fromkeys(a.keys for a in near)), known)
        facts += held
        taken += [(cue.start, cue.end)] if held else []
    return facts, taken


def _of_each(base: Fact, named: Sequence[frozenset[str]], known: Knowledge) -> list[Fact]:
    """Return the values of several things that are that of one of them; nothing if one differs."""
    if len(named) < 2 or len(base.entities) != 1:
        return []
    same = [f for f in alike(known, base) if f.number == base.number]
    held = [[f for f in same if f.entities & keys] for keys in named]
    return [fact for facts in held for fact in facts] if all(held) else []


def _gives_to_each(word: Word) -> bool:
    if word.role is not None and word.role.role == "quantifier":
        return word.role.sense in _DISTRIBUTES or word.text.casefold() in _DISTRIBUTIVE
    return word.text.casefold() in _DISTRIBUTIVE


def denied_values(
    context: PassageContext, words: Sequence[Word], known: Knowledge, starts: Sequence[int]
) -> tuple[list[Fact], list[Span]]:
    """Return counts of zero and attributes that do not hold, where a passage denies them.

    "Without a change" is a count of no changes; "contains no personal data" an attribute that is
    false. Every value of the thing that is spoken of must be so.
    """
    facts: list[Fact] = []
    taken: list[Span] = []
    for place, word in enumerate(words if context.denies else ()):
        if not _denies(word):
            continue
        if word.text.casefold() in _NEITHER:  # "neither of them contains personal data"
            has = next((i for i in range(place, len(words)) if _has(words[i])), place)
            behind = _behind(words, has)
            if behind and (held := list(_denied(context, behind, known, word.start, starts, 2))):
                facts += held
                taken += [(word.start, word.end), (behind[0].start, behind[-1].end)]
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
    if any(map(_denies, words)):
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
        behind = _behind(words, place) if _denies(word) else []
        for named in (*_phrases(words, place, behind), behind) if behind else ():
            if _names_all(named, called):
                return [(word.start, named[-1].end)]
    return []


def _phrases(words: Sequence[Word], place: int, behind: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words behind a negation with the next one, and without the noun of a set."""
    yield list(words[place + 1 : place + 2 + len(behind)])
    if len(behind) > 1 and behind[-1].role is not None:
        yield list(behind[:-1])


def _denies(word: Word) -> bool:
    role = word.role
    return role is not None and (
        role.role == "negation" or (role.role, role.sense) == ("quantifier", "none")
    )


def _behind(words: Sequence[Word], place: int) -> list[Word]:
    """The words right behind a negation that say what there is none of."""
    found: list[Word] = []
    for word in words[place + 1 : place + 1 + _NEAR]:
        if word.kind in ("sign", "quantity", "iri") or word.period is not None:
            break
        if word.is_silent and found:
            break
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
    names, (every, properties) = _naming(behind), known.once(_words_of_values)
    called = {*filter(names, properties)} if names(every) else None  # more words call no less
    if not called:
        return
    own = {key for anchor in context.entities for key in anchor.keys}
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
    for facts in of.values():
        things = {min(fact.entities) for fact in facts if fact.entities}
        several = count > 1 and len(things) != count
        if several or not all(_is_none(fact) for fact in facts):
            continue
        if len(things) <= max(count, len(context.entities)):
            yield from facts


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
