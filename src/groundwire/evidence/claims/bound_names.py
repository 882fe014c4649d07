"""Names that the records have, told of another property or set, or in the place of a thing.

"Licensed under lidar" is not proven by the sensors of a map, "aerial imagery covers 22 km" not by
the length of the map that was made of it, and "none from Germany, 17 from Italy" not by those 17.

Signs between names say which is greater or first: "A > B by population", "A → B".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor, Slot
from groundwire.evidence.claims.claim import Claim, is_value
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.figure_cues import RELATIVE
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.name_claims import called_properties
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.rides import LINE_OF_PLAN
from groundwire.evidence.claims.rounding import agrees_scaled
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.table_heads import names_kind
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity, resolve_unit

_HOLDS = ("supported", "derived")
# What an aside stands between.
_ASIDES = frozenset((",,", "()", "，，", "（）", "––", "——"))
# Before the unit that something is measured in.
_MEASURED_IN = frozenset(("in", "以", "按"))
_QUOTES = frozenset("\"“”„«»'")
_PARTS = frozenset(",;，；、")
_SHORTEST = 5
_NEAR_PROPERTY = 24
_OWN = frozenset(("'s", "’s", "的"))
_NAMING = frozenset[str](cue_tables()["naming"])


def without_unbound(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, those not judged whose names stand where others belong."""
    values = _values(context, claims)
    told = "its clause names another set"
    wrong = {(one.start, one.end): told for one in _of_other_sets(context, claims)}
    told = "it is of what the text names beside its subject"
    wrong |= {(one.start, one.end): told for one in _of_asides(context, claims)}
    told = "the clause tells it of the thing right before it"
    wrong |= {(one.start, one.end): told for one in _of_clauses_behind(context, claims)}
    told = "the value beside it is of another thing"
    wrong |= {(one.start, one.end): told for one in _beside_others(context, claims)}
    told = "it compares changes in a currency, and tells no amount in it"
    wrong |= {(one.start, one.end): told for one in claims if _is_measured_otherwise(context)}
    told = "it is a value, and the text tells it as a thing"
    wrong |= dict.fromkeys(_told_as_things(context, claims), told)
    wrong |= dict.fromkeys(_headed_by_values(context, claims), told)
    told = "the text tells it of another property"
    wrong |= {(one.start, one.end): told for one in _of_others(context, values)}
    return [
        replace(one, status="not_judged", detail=f"{one.detail}; {wrong[one.start, one.end]}")
        if (one.start, one.end) in wrong and one.status in _HOLDS
        else one
        for one in claims
    ]


def _of_other_sets(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield counts in whose clause the set is narrowed by another value than theirs."""
    known = context.contexts.known
    for claim in claims:
        facts = [f for f in claim.facts if f.value.unit == ASSETS and not f.entities]
        if claim.kind != "number" or claim.status not in _HOLDS or not facts:
            continue
        start, end = context.clause(claim.start)
        named = (m for m in context.mentions if start <= m.start < end)
        values = [fact for mention in named for fact in mention.named.values]
        if values and all(_is_narrowed_otherwise(fact, values, known) for fact in facts):
            yield claim


def _of_asides(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield figures that are not of the subject but of a thing in an aside behind it.

    "Gaborone, the capital of Botswana, has 2.5 million inhabitants" tells that figure of Gaborone.
    """
    text, start = context.contexts.reading.text, context.passage.start
    for subject, aside in pairwise(sorted(context.entities, key=lambda one: one.start)):
        before = [w for w in context.words if start <= w.start < subject.start]
        leads = any(t.tag not in ("function", "sign") for w in before for t in w.tokens)
        opens = text[subject.end : aside.start].strip()[:1]
        closes = text[aside.end :].lstrip()[:1]
        if opens + closes not in _ASIDES or leads:
            continue
        for claim in claims:
            verbs = (w for w in context.words if aside.end <= w.start < claim.start)
            later = any(aside.end <= one.start < claim.start for one in context.entities)
            of = frozenset(key for fact in claim.facts for key in fact.entities)
            is_its = of and of <= aside.keys and of.isdisjoint(subject.keys)
            if claim.kind == "number" and is_its and not later and any(map(_is_verb, verbs)):
                yield claim


def _of_clauses_behind(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the first figure of a clause that is not of the thing of which the clause tells more.

    "China is larger than India, which has 9,596,960" tells the area of China of India.
    """
    text = context.contexts.reading.text
    for thing in context.entities:
        if (led := RELATIVE.match(text, thing.end)) is None:
            continue
        figure = next((q for q in context.quantities if q.span[0] >= led.end()), None)
        others = [one for one in context.entities if one.start < thing.start]
        if figure is None or _is_named_within(context, led.end(), figure.span[0]):
            continue
        for claim in claims:
            is_told = claim.start == figure.span[0] and claim.status == "supported"
            if is_told and _has(others, figure, context) and not _has([thing], figure, context):
                yield claim


def _beside_others(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield figures of another thing than the value beside them, where nothing names any thing.

    A row with "Canberra" and 10,576,502 tells that figure of what has Canberra.
    """
    spans = [(context.passage.start, context.passage.end)]
    spans += [scope.span for scope in context.passage.scopes]
    if any(context.contexts.entities(span) for span in spans):
        return
    named = [one.named for span in spans for one in context.contexts.mentions(span)]
    values = [fact for one in named if not one.entities for fact in one.values]
    bearers = frozenset(key for fact in values for key in fact.entities)
    for claim in claims:
        of = frozenset(key for fact in claim.facts for key in fact.entities)
        if claim.kind == "number" and is_value(claim) and bearers and of and bearers.isdisjoint(of):
            yield claim


def _is_named_within(context: PassageContext, start: int, end: int) -> bool:
    """Whether a thing is named in a range."""
    return any(start <= one.start < end for one in context.entities)


def _has(things: Sequence[Anchor[str]], figure: Quantity, context: PassageContext) -> bool:
    """Whether a figure is a recorded value of one of some things."""
    keys = frozenset[str]().union(*(one.keys for one in things))
    held = (fact.number for fact in context.contexts.known.about(keys) if not fact.operands)
    return any(agrees_scaled(figure, abs(one)) for one in held if one is not None)


def _is_measured_otherwise(context: PassageContext) -> bool:
    """Whether changes are ranked in a currency that no figure has: "the greatest fall in CNY"."""
    if "direction" not in context.roles or context.roles.isdisjoint(("superlative", "comparison")):
        return False
    figures = [q.span for q in context.quantities if q.unit and not q.percent]
    for lead, word in pairwise(w for w in context.words if w.kind != "sign"):
        unit = resolve_unit(word.text) if lead.text.casefold() in _MEASURED_IN else None
        if unit is not None and unit.dimension.startswith("currency"):
            return not any(start <= word.start < end for start, end in figures)
    return False


def _is_narrowed_otherwise(count: Fact, values: Sequence[Fact], known: Knowledge) -> bool:
    """Whether values are told of a property by which a set is narrowed, and none is the set's."""
    for number in known.scopes_of_fact.get(id(count), ()):
        for condition in known.statements[number].statement.conditions:
            called = {key_of(name) for name in condition.predicate}
            held = {key_of(name) for names in condition.objects for name in names}
            own = {key_of(f.value.value) for f in values if not f.names.isdisjoint(called)}
            if own and held and "domain" not in condition.predicate and own.isdisjoint(held):
                return True
    return False


def _of_others(context: PassageContext, values: Sequence[Claim]) -> Iterator[Claim]:
    """Yield values beside a word that calls another property: "licensed under lidar".

    What is joined with a value is of the same property: "the data sources camera and exit". So is
    what stands behind the same word: "A is licensed under MIT, B under lidar".
    """
    before: Claim | None = None
    led, called = "", frozenset[str]()
    for claim in values:
        own = _called_beside(context, claim)
        lead = _lead(context, claim.start)
        if not own and before is not None:
            between = [w for w in context.words if before.end <= w.start < claim.start]
            joins = [w for w in between if w.kind != "sign"]
            if len(joins) == 1 and sense_of(joins[0]) == "conjunction":
                own = called or before.facts[0].names
            elif lead == led and not any(map(_is_verb, between)):
                own = called
        bearers = frozenset(key for fact in claim.facts for key in fact.entities)
        held = (f for f in context.contexts.known.about(bearers) if f.value.kind == "name")
        has = any(not fact.names.isdisjoint(own) for fact in held)
        if has and all(fact.names.isdisjoint(own) for fact in claim.facts):
            yield claim
        before, led, called = claim, lead, own


def _values(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims that tell a recorded value of a thing by its name, in order.

    Each has the values that are called so; what a thing itself is called is none.
    """
    told = {(c.start, c.end): c for c in claims if c.kind == "name" and c.status == "supported"}
    named = ((m.start, m.end, m.named) for m in context.mentions)
    return [
        replace(told[start, end], facts=tuple(one.values))
        for start, end, one in named
        if (start, end) in told and told[start, end].facts and one.values and not one.entities
        if all(f.entities and f.number is None and f.value.name != "label" for f in one.values)
    ]


def _called_beside(context: PassageContext, claim: Claim) -> frozenset[str]:
    """Return the properties that a word right before a value calls, or else right behind it."""
    known = context.contexts.known
    anchors = [*called_properties(context, Slot(frozenset(), ""), dated=False)]
    anchors += [one for one in context.names if one.keys & known.wordy_names]
    anchors += [
        Anchor(word.start, word.end, frozenset((name,)))
        for word in context.words
        for name in known.wordy_names
        if len(name) >= _SHORTEST and word.text.casefold() in (name, f"{name}d", f"{name}ed")
    ]
    anchors.sort(key=lambda one: one.start)
    if context.passage.kind == "cell":
        scopes = [scope.span for scope in context.passage.scopes[:2] if scope.hard]
        anchors += [one for span in scopes for one in context.contexts.names(span)]
        heads = [one.keys & known.wordy_names for one in anchors]
        return frozenset[str]().union(*heads)
    before = [one for one in anchors if one.end <= claim.start]
    behind = [one for one in anchors if one.start >= claim.end]
    names = frozenset[str]().union(*(fact.names for fact in claim.facts))
    if behind and behind[0].start - claim.end < 2 and behind[0].keys & names:
        return behind[0].keys & names  # "in the format A under the MIT licence"
    for near, span in (
        (before[-1:], (before[-1].end if before else 0, claim.start)),
        (behind[:1], (claim.end, behind[0].start if behind else 0)),
    ):
        words = context.contexts.annotated.within(*span) if near else ()
        if near and all(map(_is_glue, words)) and (near is not behind or not words):
            return near[0].keys & known.wordy_names
    return frozenset()


def _told_as_things(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield values that stand where the name of what has them belongs.

    They begin a clause as what its figures, dates and other values are of, or stand quoted beside
    a word for things: "the map “lidar”". A part of its name may stand for a thing.
    """
    text, passage = context.contexts.reading.text, context.passage
    told = [c.start for c in claims if c.kind in ("number", "percent", "date", "name")]
    for mention in context.mentions:
        start, end = mention.start, mention.end
        called = _properties_alone(mention, text)
        first, last = context.clause(start)
        low = min(first, start - _NEAR_PROPERTY)
        near = [one for one in context.names if low <= one.start < last]
        if not called or any(not called.isdisjoint(anchor.keys) for anchor in near):
            continue
        quoted = text[start - 1 : start] in _QUOTES and start > 0
        lead = [w for w in context.words if w.end <= start and w.text not in _QUOTES]
        behind = [w for w in context.words if w.start >= end and w.text not in _QUOTES]
        is_named = _tells_name(lead, behind, quoted=quoted)
        if lead and behind[1:] and _is_one_of_kind(behind[0], context.contexts.known):
            behind = behind[1:]  # "the lidar map has"
        begins = [w for w in lead if w.kind != "sign" and w.start >= first]
        is_first = all(sense_of(w) == "determiner" for w in begins[:1]) and bool(behind)
        if not is_first or len(begins) > 1 + quoted:
            goes_on = False
        elif quoted:
            goes_on = _is_verb(behind[0]) or behind[0].kind == "being" or behind[0].text in _OWN
        else:
            alone = not any(first <= one.start < last for one in context.entities)
            goes_on = alone and (_is_verb(behind[0]) or behind[0].text in _OWN - {"的"})
        if is_named or (goes_on and any(end <= one < passage.end for one in told)):
            yield start, end


def _headed_by_values(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield values of a thing below or beside which a table has its figures: "| sidewalk |"."""
    text, passage = context.contexts.reading.text, context.passage
    heads = [scope.span for scope in passage.scopes[:2] if scope.hard]
    corner = context.contexts.names(passage.corner) if passage.corner else ()
    for span in heads if passage.kind == "cell" else ():
        for mention in context.contexts.mentions(span):
            called = _properties_alone(mention, text)
            is_whole = text[slice(*span)].strip(" *_|") == text[mention.start : mention.end]
            if called and is_whole and all(called.isdisjoint(one.keys) for one in corner):
                yield from ((c.start, c.end) for c in claims if c.kind == "number" and c.facts)


def _properties_alone(mention: Mention, text: str) -> frozenset[str]:
    """Return what a name is a value of that is neither a thing nor a part of a thing's name."""
    facts = mention.named.values
    texts = [f for f in facts if f.entities and f.number is None and f.value.name != "label"]
    if mention.named.entities or not facts or len(texts) < len(facts):
        return frozenset()
    said = text[mention.start : mention.end]
    for fact in facts:
        own = {*words_of(fact.value.entity or fact.about)}
        if {*words_of(said)} <= own or {*words_of(fact.value.value)} <= own:
            return frozenset()
    return frozenset[str]().union(*(fact.names for fact in facts))


def _tells_name(lead: Sequence[Word], behind: Sequence[Word], *, quoted: bool) -> bool:
    """Whether the words beside a name say that a thing is called so: "the map “A”", A这张地图."""
    if quoted and lead and _NAMING & {token.lemma for token in lead[-1].tokens}:
        return True
    points = bool(behind) and sense_of(behind[0]) == "determiner"  # 这张
    rest = behind[points : points + 1]
    return any((quoted or points) and not w.text.isascii() and w.text in _NAMING for w in rest)


def _lead(context: PassageContext, start: int) -> str:
    """Return the word that stands right before a place."""
    words = [w for w in context.words if w.end <= start and w.text not in _QUOTES]
    return words[-1].text.casefold() if words else ""


def _is_verb(word: Word) -> bool:
    return any(token.tag == "verb" for token in word.tokens)


def _is_one_of_kind(word: Word, known: Knowledge) -> bool:
    """Whether a word says of what kind one recorded thing is: "map", and not "maps"."""
    is_one = any(token.lemma == word.text.casefold() for token in word.tokens)
    return is_one and word.kind != "sign" and names_kind(word, known)


def _is_glue(word: Word) -> bool:
    """Whether a word may stand between a property and its value: "licensed under the"."""
    if word.kind == "sign":
        return word.text not in _PARTS
    if word.role is not None and word.role.role == "being":
        return True
    return sense_of(word) != "conjunction" and all(t.tag == "function" for t in word.tokens)


_GREATER = {">": 1, "≥": 1, "≫": 1, "<": -1, "≤": -1, "≪": -1}
_THEN = frozenset(("→", "->", "-->", "=>", "➔", "➜", "⇒"))
_SIGNS = "*_` "
_WHOLE = ("start of the journey", "end of the journey")
_TO = " to "


def without_unproven_signs(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return claims, those not judged of a passage with a sign that is not proven."""
    if all(_so(context)):
        return list(claims)
    reason = "the order that a sign between names tells is not proven"
    return [
        replace(one, status="not_judged", detail=f"{one.detail}; {reason}")
        if one.status in _HOLDS
        else one
        for one in claims
    ]


def _so(context: PassageContext) -> Iterator[bool]:
    """Yield for each sign between two names whether it is proven."""
    text = context.contexts.reading.text
    things = sorted(context.entities, key=lambda one: one.start)
    for one, other in pairwise(things):
        way = _GREATER.get(text[one.end : other.start].strip(_SIGNS))
        is_address = "://" in text[one.start : one.end] or "://" in text[other.start : other.end]
        if way is not None and not is_address:  # "Munich <https://...>"
            first, second = _value(context, one.keys), _value(context, other.keys)
            if first is None or second is None:
                yield False
            else:
                yield (first - second) * way > 0
    for ride, then in pairwise(context.mentions):
        if text[ride.end : then.start].strip(_SIGNS) in _THEN:
            yield not _is_turned(_rides(ride), _rides(then), context)


def _value(context: PassageContext, thing: frozenset[str]) -> float | None:
    """Return the one value of a thing of the property and time that a passage names."""
    called = frozenset(key for anchor in context.names for key in anchor.keys)
    times = frozenset(key for anchor in context.periods for key in anchor.keys)
    found = {
        fact.number
        for fact in context.contexts.known.facts.numbers()
        if fact.entities & thing
        and fact.names & called
        and not fact.operands
        and (not times or fact.periods & times)
    }
    return float(value) if len(found) == 1 and (value := found.pop()) is not None else None


def _is_turned(
    before: Sequence[tuple[str, str]], behind: Sequence[tuple[str, str]], context: PassageContext
) -> bool:
    """Whether the rides by the line told first only come behind those by the other one."""
    ends, starts = {end for _, end in before}, {start for start, _ in before}
    if not before or any(start in ends for start, _ in behind):
        return False
    trips = context.contexts.known.facts.all
    first, last = ({f.value.value for f in trips if f.value.name == one} for one in _WHOLE)
    opens = any(start in first for start, _ in behind) and starts.isdisjoint(first)
    closes = bool(behind) and ends <= last
    return opens or closes or any(end in starts for _, end in behind)


def _rides(line: Mention) -> list[tuple[str, str]]:
    """Return the ends of the rides by a line."""
    facts = [f for f in line.named.values if f.value.name == LINE_OF_PLAN and _pieces(f)]
    ways = (piece.partition(_TO) for fact in facts for piece in _pieces(fact))
    return [(start, end) for start, joint, end in ways if joint]


def _pieces(fact: Fact) -> Sequence[str]:
    return fact.value.item.pieces if fact.value.item is not None else ()
