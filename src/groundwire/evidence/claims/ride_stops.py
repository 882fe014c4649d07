"""How many stops a line is ridden: a count of stops is of the ride that its sentence names.

"The Elizabeth line for five stops" is not proven by the five stops of another ride of the plan.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.proof import Proof
from groundwire.evidence.claims.ride_frames import cues
from groundwire.evidence.claims.rides import LINE_OF_PLAN, chains_of, legs_of, names_at
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Names
from groundwire.language import Span as Word
from groundwire.quantities import parse_number

_STOPS, _RIDDEN = key_of("stops"), key_of("stops ridden")
_OF_STOPS = {_STOPS, _RIDDEN, key_of("number of stops")}
_NOUN_OF_STOPS = re.compile(r"\s?(?:stops?|stations?|stationen|haltestellen|halte?)\b|站", re.I)
_END = re.compile(r"[.;!?。；](?:\s|$)|[。；]")
_IN_NAME = re.compile(r"(?:^|[\W_])(?:stops?|stations?|stationen|haltestellen)(?:[\W_]|$)|站", re.I)
_MORE = re.compile(r"\s*\w")
_LENGTHS = ("duration", "stops", "stops ridden")
_END_OF_PART = re.compile(r"[.;:。；：]")
_TO_CHANGE = re.compile(r"\s?(?:to (?:change|transfer)|zum umsteigen|用?来?换乘)")
# From "after" to its figure.
_NEXT = 8
# From a figure to "later".
_NOUN = 14
_PLAN = re.compile(
    r"\b(?:plans?|options?|routes?|alternatives?|trips?|verbindung|route|variante|fahrt)\b|方案|全程",
    re.IGNORECASE,
)
# From a count of stops to the line behind it: "five stops on the DLR".
_BEHIND = re.compile(r"[^,;.，；。\d]{0,40}$")


def of_named_rides(
    claims: Sequence[Claim], context: PassageContext, known: Knowledge
) -> list[Claim]:
    """Return the claims; a count of stops that no ride by the named line has is unsupported."""
    claims = _of_stops_between(claims, context, known)
    held = [c for c in claims if c.kind == "number" and c.status == "supported"]
    text = context.contexts.reading.text
    others = {c.start for c in held if _NOUN_OF_STOPS.match(text, c.end) and not _counts_stops(c)}
    counts = [c for c in held if any(key_of(f.value.name) == _STOPS for f in c.facts)]
    wholes = [c for c in held if any(key_of(f.value.name) == _RIDDEN for f in c.facts)]
    if not counts and not wholes and not others:
        return list(claims)
    lines = list(_named_lines(context, known.once(_stops_by_line)))
    wrong = {claim.start for claim in counts if not _is_of_line(claim, lines, context)} | others
    wrong |= {claim.start for claim in wholes if not _is_of_plan(claim, context, known)}
    wrong |= {claim.start for claim in (*counts, *wholes) if _is_walked(claim, lines, context)}
    told = [
        replace(
            claim,
            status="unsupported",
            detail=f"{claim.detail}; the ride by the named line has other stops",
        )
        if claim.start in wrong
        else claim
        for claim in claims
    ]
    for quantity in (*context.quantities, *context.pointers) if counts else ():
        start, end = quantity.span
        # "The DLR is two stops, the Central line three."
        own = [stops for _, last, stops in lines if text[last:start] == " "]
        bare = own and quantity.unit is None and not _MORE.match(text, end)
        if bare and not any(str(quantity.value) in stops for stops in own):
            detail = "the ride by the named line has other stops"
            told.append(Claim(quantity.raw, "number", "unsupported", None, detail, start, end))
    return told


def _of_stops_between(
    claims: Sequence[Claim], context: PassageContext, known: Knowledge
) -> list[Claim]:
    """Return the claims; a count of the stops between two of a ride is without these two."""
    text, passage = context.contexts.reading.text, context.passage
    ways = known.once(_ways)
    pattern = known.once(_between_two)
    named = [*pattern.finditer(text, passage.start, passage.end)] if pattern else []
    numbers = {one.span[0]: one.value for one in (*context.quantities, *context.pointers)}
    told: list[Claim] = []
    for claim in claims:
        near = [one for one in named if not _END.search(text, *_gap(claim, one))]
        if claim.kind == "number" and near and _NOUN_OF_STOPS.match(text, claim.end):
            ends = [one.casefold() for one in near[0].groups() if one]
            said = numbers.get(claim.start) or parse_number(claim.text)
            held = said in {*_apart(ways, *ends)}
            status = "supported" if held else "unsupported"
            detail = f"stops between {' and '.join(ends)}" if held else "another number is between"
            claim = replace(claim, status=status, detail=detail)
        told.append(claim)
    return told


def _gap(claim: Claim, match: re.Match[str]) -> tuple[int, int]:
    return min(claim.end, match.end()), max(claim.start, match.start())


def _apart(ways: Sequence[Sequence[frozenset[str]]], one: str, other: str) -> Iterator[int]:
    """Yield how many stops are between two stops on each way that has both."""
    for way in ways:
        first = next((at for at, names in enumerate(way) if one in names), None)
        last = next((at for at, names in enumerate(way) if other in names), None)
        if first is not None and last is not None:
            yield abs(last - first) - 1


def _ways(known: Knowledge) -> Sequence[Sequence[frozenset[str]]]:
    """Return the stops of every recorded ride and of every plan, by their names in lower case."""
    found: list[list[frozenset[str]]] = []
    for chain in known.once(chains_of):
        whole: list[frozenset[str]] = []
        for ride in (one for one in chain.rides if one.calls):
            terms = ride.terms.get("from", ())
            begin = frozenset(name.casefold() for one in terms for name in names_at(known, one))
            found.append([begin, *ride.calls])
            whole += found[-1] if not whole or whole[-1].isdisjoint(begin) else ride.calls
        found.append(whole)
    return found


def _between_two(known: Knowledge) -> re.Pattern[str] | None:
    """Return what finds two stops of a recorded ride that something is said to be between."""
    names = {name for way in known.once(_ways) for stop in way for name in stop}
    if not names:
        return None
    stop = "|".join(re.escape(one) for one in sorted(names, key=lambda one: (-len(one), one)))
    return re.compile(
        rf"\b(?:between|zwischen)\s+(?:the\s+)?({stop})\s+(?:and|und)\s+({stop})(?!\w)|"
        rf"({stop})\s*站?\s*[和与及]\s*({stop})\s*站?\s*之间",
        re.IGNORECASE,
    )


def _is_walked(
    claim: Claim, lines: Sequence[tuple[int, int, frozenset[str]]], context: PassageContext
) -> bool:
    """Whether stops are said to be walked, or to be how long a change takes."""
    text, begin = context.contexts.reading.small, context.passage.start
    noun = _NOUN_OF_STOPS.match(text, claim.end)
    if noun is None:
        return False
    words = vocabulary("ride_details")
    if words["walked_behind"].match(text, noun.end(), context.passage.end):
        return True
    last = max((end for _, end, _ in lines if end <= claim.start), default=begin)
    rides = cues("boards").search(text, last, claim.start) or last > begin
    if _TO_CHANGE.match(text, noun.end()) and not rides:
        return True
    led = [*words["walked"].finditer(text, last, claim.start)]
    gap = text[led[-1].end() : claim.start] if led else "."
    behind = any(
        start >= claim.end and _BEHIND.fullmatch(text[claim.end : start]) for start, _, _ in lines
    )
    ridden = cues("boards").search(gap) or cues("then").search(gap) or cues("aboard").search(gap)
    return not (behind or ridden or _END_OF_PART.search(gap))


def _counts_stops(claim: Claim) -> bool:
    """Whether a figure is one of stops that are ridden, called at or found, or judged already.

    A figure that is recorded by the noun itself counts them too: a metric "number of stations".
    """
    names = {key_of(fact.value.name) for fact in claim.facts}
    counted = any(_IN_NAME.search(fact.value.name) for fact in claim.facts)
    return not names or counted or not names.isdisjoint(_OF_STOPS)


def _is_of_plan(claim: Claim, context: PassageContext, known: Knowledge) -> bool:
    """Whether the lines named beside the stops of a whole plan are all of its lines.

    The 17 stops of a plan are not those of one of its lines; a clause that names none, or speaks
    of a plan, tells those of the plan.
    """
    start, end = context.clause(claim.start)
    text = context.contexts.reading.text
    if _PLAN.search(text, start, end):
        return True
    plans = known.once(_lines_of_plans)
    every = frozenset[str]().union(*plans.values())
    named = {line for line in every if _called(line).search(text, start, end)}
    own = [plans[plan] for fact in claim.facts for plan in _plans(fact)]
    return not named or any(named >= lines for lines in own)


@cache
def _called(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", re.IGNORECASE)


def is_after_ride(proof: Proof, word: Word) -> bool:
    """Whether a figure beside "after" or "later" is how long or far a ride or trip goes.

    The rides that the passage tells must be recorded so: where one is then is read with them.
    """
    ahead = (c for c in proof.claims if 0 < c.start - word.end <= _NEXT)
    behind = (c for c in proof.claims if 0 < word.start - c.end <= _NOUN)
    figure = next(ahead, None) or next(behind, None)
    if figure is None or figure.status != "supported" or figure.kind != "number":
        return False
    lengths = all(fact.value.item and fact.value.name in _LENGTHS for fact in figure.facts)
    whole = not any(fact.value.item and fact.value.item.pieces for fact in figure.facts)
    return lengths and bool(proof.found.ordered or (whole and not proof.context.entities))


def _plans(fact: Fact) -> Iterator[tuple[str, Names, int]]:
    """Yield the plans that a value is of, each by its record, its trip and its number."""
    if fact.value.item is not None:
        for option in fact.value.item.options:
            yield fact.evidence_id, fact.value.item.names, option


def _lines_of_plans(known: Knowledge) -> Mapping[tuple[str, Names, int], set[str]]:
    """Return the lines of each plan, without "line"."""
    found: dict[tuple[str, Names, int], set[str]] = defaultdict(set)
    for fact in known.facts.all:
        if fact.value.name == LINE_OF_PLAN:
            for plan in _plans(fact):
                found[plan].add(fact.value.value.removesuffix(" line"))
    return found


def _is_of_line(
    claim: Claim, lines: Sequence[tuple[int, int, frozenset[str]]], context: PassageContext
) -> bool:
    """Whether the line named last before a count, or right behind it, is ridden so many stops."""
    text = context.contexts.reading.text
    near = [one for one in lines if one[1] <= claim.start][-1:]
    near += [
        one for one in lines if one[0] >= claim.end and _BEHIND.fullmatch(text[claim.end : one[0]])
    ][:1]
    numbers = {fact.value.value for fact in claim.facts}
    return not near or any(numbers & stops for _, _, stops in near)


def _named_lines(
    context: PassageContext, lines: Mapping[str, frozenset[str]]
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Yield where a passage names a line of a plan, with the numbers of stops that it is ridden."""
    text, passage = context.contexts.reading.text, context.passage
    found: dict[int, tuple[int, frozenset[str]]] = {}
    for name, stops in lines.items():
        for match in _called(name).finditer(text, passage.start, passage.end):
            if match.end() > found.get(match.start(), (0, stops))[0]:
                found[match.start()] = (match.end(), stops)
    for start, (end, stops) in sorted(found.items()):
        yield start, end, stops


def _stops_by_line(known: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return how many stops each line is ridden in the recorded plans, by each of its names."""
    found: dict[str, set[str]] = {}
    for ride in known.once(legs_of):
        for name in (name for names in ride.cells.get("line", ()) for name in names):
            if len(name) > 2 and parse_number(name) is None:
                found.setdefault(name, set()).update(ride.named("stops"))
    return {name: frozenset(stops) for name, stops in found.items()}
