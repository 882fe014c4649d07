"""Facts of several things that a passage tells as one: each is recorded, and the whole is not.

"From Brixton to Kew Gardens in 31 minutes" has the start of one trip and the time of another; "the
map of Lyon was drawn from aerial imagery" the city of one map and the source of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import Contexts, PassageContext
from groundwire.evidence.claims.direction import direction
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Span

_FIGURES = ("number", "percent", "time")
_HOLDS = ("supported", "derived")
# The whole that a part belongs to: "of the 28", "von den 28".
_OF_WHOLE = re.compile(
    r"\b(?:of|among|from|out of|von|unter|aus)"
    r"(?: (?:the|these|those|all|its|your|den|diesen|allen|deinen|ihren))* $",
    re.IGNORECASE,
)
_AMONG = re.compile(r"[^，。；,;]{0,12}?[中里]")
_OF_THEM = re.compile(r" of (?:them|these|those|which)\b", re.IGNORECASE)
_OF_THEM_BEFORE = re.compile(r"\b(?:davon|darunter)\b|其中", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:or|other|others|another|alternatively|second|third|plans|oder|andere[nrs]?|zweite[nrs]?)\b"
    r"|或|其他|另|第[二三]",
    re.IGNORECASE,
)

_STOP = "stop of the plan"
_FROM = re.compile(r"(?:\b(?:from|leave|leaving|von|ab) |[从自由]) ?$", re.IGNORECASE)
# By these words a sentence speaks of every plan of a trip.
_EVERY_PLAN = re.compile(
    r"\b(?:all|both|each|every)(?: of)?(?: the| these)?(?: (?:two|three|four|\d))?"
    r" (?:plans?|options?|routes?|connections?)\b"
    r"|\b(?:alle|beide|jede[rs]?)(?: (?:zwei|drei|vier|\d))?"
    r" (?:pläne?|option(?:en)?|routen?|verbindung(?:en)?)\b"
    r"|(?:所有|全部|每[个条]|[两三四]个)(?:方案|路线|选项)",
    re.IGNORECASE,
)


def foreign_ends(context: PassageContext, claims: Sequence[Claim]) -> list[Span]:
    """Return the names of places at which only other trips begin or end than the figures are of."""
    items = {
        fact.value.item.names
        for claim in claims
        if claim.kind in _FIGURES and claim.status in _HOLDS
        for fact in claim.facts
        if fact.value.item is not None
    }
    found: list[Span] = []
    for mention in context.mentions if items else ():
        ends = [fact for fact in mention.named.values if _is_end(fact)]
        own = {fact.value.item.names for fact in mention.named.values if fact.value.item}
        if ends and not own & items:
            found.append((mention.start, mention.end))
    return [*found, *_led_by_others(context, claims)]


def _led_by_others(context: PassageContext, claims: Sequence[Claim]) -> Iterator[Span]:
    """Yield stops on the way from which a trip is told to leave at the time of its start."""
    text = context.contexts.reading.text
    times = [c for c in claims if c.kind == "time" and c.status in _HOLDS]
    starts = [c for c in times if all(f.value.name == "departure" for f in c.facts)]
    wholes = [c for c in starts if not any(f.value.item and f.value.item.pieces for f in c.facts)]
    for mention in context.mentions if len(wholes) == len(times) == 1 else ():
        values = mention.named.values
        led = _FROM.search(text, context.clause(mention.start)[0], mention.start)
        on_way = bool(values) and all(fact.value.name == _STOP for fact in values)
        if led is not None and on_way:
            yield mention.start, mention.end


def _is_end(fact: Fact) -> bool:
    return fact.value.item is not None and fact.value.name.endswith("of the journey")


def not_merged(context: PassageContext, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims; those are not judged that hold only of different things."""
    held = any(claim.status in _HOLDS and claim.facts for claim in claims)
    reason = _merged(context, claims) if held else ""
    if not reason:
        return list(claims)
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; {reason}")
        if claim.status in _HOLDS and claim.kind in ("name", *_FIGURES)
        else claim
        for claim in claims
    ]


def _merged(context: PassageContext, claims: Sequence[Claim]) -> str:
    """Return why the claims of a passage do not hold together, or ""."""
    held = [claim for claim in claims if claim.status in _HOLDS and claim.facts]
    figures = [
        claim
        for claim in held
        if claim.kind in ("number", "percent") and claim.status == "supported"
    ]
    if any(_is_part_of_other(context, a, b) for a in figures for b in figures if a is not b):
        return "what is told as a part of a group is recorded of another group"
    if any(_is_part_of_all(context, a, b) for a, b in pairwise(figures)):
        return "what is told as a part of a group is recorded of all"
    if not context.periods and len(_periods(figures)) > 1 and not _is_in_time(context, figures):
        return "the figures are recorded of different times, and the text names none"
    if len(context.quantities) == 1 and any(_is_bare_money(context, c) for c in figures):
        return "neither a unit nor a measure is told"
    if _mixes_plans(context, held):
        return "no one plan, or not every one that is meant, has all of these"
    if context.entities or any(
        context.contexts.entities(scope.span) for scope in context.passage.scopes
    ):
        return ""
    if len(set(_bearers(figures))) > 1:
        return "the figures are recorded of different things, and the text names none"
    values = [claim for claim in held if claim.kind == "name" and _plain(claim)]
    common: frozenset[str] | None = None
    of: dict[frozenset[str], set[str]] = {}
    for claim in values:
        for fact in claim.facts:
            of.setdefault(fact.names, set()).update(fact.entities)
    for entities in of.values():
        common = frozenset(entities) if common is None else common & entities
    if len(of) > 1 and not common:
        return "no one thing has all of these"
    return ""


def _is_bare_money(context: PassageContext, claim: Claim) -> bool:
    """Whether money is told in a sentence as a mere number of a thing: "A was 277,499"."""
    fact = claim.facts[0]
    if context.passage.kind != "sentence" or context.passage.scopes or context.names:
        return False
    called = context.contexts.known.words_about(fact)
    if any(token.lemma in called for word in context.words for token in word.tokens):
        return False  # "costs 75,200 a year" of a yearly cost
    is_money = fact.unit is not None and fact.unit.dimension.startswith("currency")
    return is_money and "unit not stated" in claim.detail and claim.text[-1:].isdigit()


def _is_part_of_all(context: PassageContext, whole: Claim, part: Claim) -> bool:
    """Whether a count of a whole answer is told as a part of a group: "28, 12 of them"."""
    text = context.contexts.reading.text
    behind = _OF_THEM.search(text, part.start, part.end + 12)
    if not behind and not _OF_THEM_BEFORE.search(text, max(whole.end, part.start - 12), part.start):
        return False
    ours, theirs = part.facts[0], whole.facts[0]
    if context.contexts.known.is_counted_under(ours, theirs.entities):
        return False
    return bool(theirs.entities) and not ours.entities and ours.value.unit == ASSETS


def _periods(figures: Sequence[Claim]) -> set[frozenset[object]]:
    """The periods of figures that are of one thing and of one property or another."""
    return {
        frozenset[object](claim.facts[0].periods)
        for claim in figures
        if claim.facts[0].periods and not claim.facts[0].operands
    }


def _is_in_time(context: PassageContext, figures: Sequence[Claim]) -> bool:
    """Whether figures of several times are told in their order, or beside what names times."""
    ordered = sorted(figures, key=lambda claim: claim.start)
    for first, last in pairwise(ordered):
        a, b = first.facts[0], last.facts[0]
        if context.is_left(first.start) and a.entities == b.entities and a.names == b.names:
            return sorted(map(str, a.periods)) < sorted(map(str, b.periods))
    return _is_over_time(context)


def _is_over_time(context: PassageContext) -> bool:
    """Whether what stands over a passage names times, or it tells a change."""
    text, passage = context.contexts.reading.text, context.passage
    if direction(text[passage.start : passage.end]):
        return True
    return any(context.contexts.dated(scope.span) for scope in passage.scopes)


def _mixes_plans(context: PassageContext, held: Sequence[Claim]) -> bool:
    """Whether lines and stops of a passage without figures belong to no one plan.

    Or those beside a time of a board to no one departure, or the time of one plan to all.
    """
    times = [one for one in held if one.kind == "time"]
    if any(_mixes_departures(context, held, t) or _is_of_some_plans(context, t) for t in times):
        return True
    names = [claim for claim in held if claim.kind == "name"]
    if any(claim.kind in _FIGURES for claim in held):
        return False
    text, passage = context.contexts.reading.text, context.passage
    if _SEVERAL.search(text, passage.start, passage.end):
        return False
    common: set[int] | None = None
    for claim in names:
        options = {o for f in claim.facts if f.value.item for o in f.value.item.options}
        if options and not any(_is_end(fact) for fact in claim.facts):
            common = options if common is None else common & options
    return common is not None and not common


def _is_of_some_plans(context: PassageContext, time: Claim) -> bool:
    """Whether a time that some plans of a trip have is told of all: "all three leave at 09:30"."""
    text, item = context.contexts.reading.text, time.facts[0].value.item
    said = _EVERY_PLAN.search(text, context.passage.start, time.start)
    if said is None or item is None:
        return False
    every = {
        option
        for fact in context.contexts.known.facts.all
        if fact.value.item is not None and fact.value.item.names == item.names
        for option in fact.value.item.options
    }
    own = {option for f in time.facts if f.value.item for option in f.value.item.options}
    return bool(own) and not every <= own


def _mixes_departures(context: PassageContext, held: Sequence[Claim], time: Claim) -> bool:
    """Whether the clause of a time of a board names the line or end of another departure."""
    start, end = context.clause(time.start)
    common: set[int] | None = None
    for claim in (one for one in held if start <= one.start < end):
        rows = {o for f in claim.facts if f.value.item and f.entities for o in f.value.item.options}
        if rows:
            common = rows if common is None else common & rows
    return common is not None and not common


def _bearers(figures: Sequence[Claim]) -> Iterator[frozenset[str]]:
    """Yield the entities of each figure; counts of whole answers have none."""
    for claim in figures:
        fact = claim.facts[0]
        if fact.entities and not fact.operands and fact.value.item is None:
            yield fact.entities


def _plain(claim: Claim) -> bool:
    return all(fact.entities and fact.value.item is None for fact in claim.facts)


def _is_part_of_other(context: PassageContext, whole: Claim, part: Claim) -> bool:
    """Whether a figure of one group is told as a part of another group of the same division."""
    text = context.contexts.reading.text
    first, second = whole.facts[0], part.facts[0]
    if part.status == "derived":
        return False
    is_of_assets = ASSETS in (first.value.unit, second.value.unit)
    is_other_answer = first.evidence_id != second.evidence_id and not is_of_assets
    if first.names != second.names and is_other_answer:
        # "Three of your 68 reviews failed" takes the failures of one answer for those of another.
        led = _OF_WHOLE.search(text, part.end, whole.start)
        return led is not None and not text[part.end : led.start()].strip()
    if not _is_other_group(first, second, context.contexts.known):
        return False
    if first.names != second.names or first.value.unit != second.value.unit:
        return False
    if first.periods != second.periods or first.value.unit != ASSETS:
        return False
    led = _OF_WHOLE.search(text, max(0, whole.start - 24), whole.start)
    return led is not None or (
        whole.start < part.start and bool(_AMONG.match(text, whole.end, part.start))
    )


def _is_other_group(whole: Fact, part: Fact, known: Knowledge) -> bool:
    """Whether a whole and its part are of other things, or of sets that do not lie in each other.

    "Seven of the 26 maps" is false where the 26 are those without what the seven have.
    """
    if whole.entities and part.entities:
        return not whole.entities & part.entities
    if whole.entities or part.entities:
        return False
    wholes, parts = (
        [known.statements[n].statement.conditions for n in known.scopes_of_fact.get(id(one), ())]
        for one in (whole, part)
    )
    lies_within = (all(c in narrow for c in wide) for wide in wholes for narrow in parts)
    return bool(wholes) and bool(parts) and not any(lies_within)


def of_one_option(claims: Sequence[Claim], context: PassageContext) -> list[Claim]:
    """Claims about one thing that has options, such as plans, must all hold for one of them.

    Claims that a passage makes of different options, as of the first and the second plan, were
    each judged by their own.
    """
    held: dict[tuple[object, ...], set[int]] = {}
    mixed: set[tuple[object, ...]] = set()
    starts = [claim.start for claim in claims if claim.kind in ("number", "time")]
    of: dict[int, object] = {}
    for claim in claims:
        items = [f.value.item for f in claim.facts if f.value.item and f.value.item.options]
        if not items or claim.kind not in ("number", "time"):
            continue
        if claim.status not in ("supported", "derived"):
            continue
        of[claim.start] = option = context.items(claim.start, starts).option
        for names in {item.names for item in items}:
            options = {o for item in items if item.names == names for o in item.options}
            key = (names, option)
            held[key] = held.get(key, options) & options
            if not held[key]:
                mixed.add(key)
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; no one plan has all of these")
        if claim.status == "supported"
        and claim.start in of
        and any(
            f.value.item and (f.value.item.names, of[claim.start]) in mixed for f in claim.facts
        )
        else claim
        for claim in claims
    ]


# What a draft about one plan of a trip tells once.
_OF_PLAN = ("duration", "departure", "arrival", "interchanges")
_LINE = "line of the plan"


def of_one_plan(claims: Sequence[Claim], contexts: Contexts) -> list[Claim]:
    """Return the claims of a draft, those of a trip not judged that no one plan of it has.

    A draft that names no plan and tells each value once tells of one: "48 minutes. Change once."
    """
    text = contexts.reading.text
    if _SEVERAL.search(text) or any(contexts.options.named_within((0, len(text)))):
        return list(claims)
    told: dict[tuple[str, ...], dict[str, list[Claim]]] = {}
    for claim in claims:
        items = {f.value.item.names for f in claim.facts if f.value.item and f.value.item.options}
        names = {f.value.name for f in claim.facts if f.value.item and not f.value.item.pieces}
        if claim.kind in ("number", "time"):
            names &= {*_OF_PLAN}
        elif {f.value.name for f in claim.facts} != {_LINE}:
            continue
        if claim.status == "supported" and len(items) == len(names) == 1:
            told.setdefault(items.pop(), {}).setdefault(names.pop(), []).append(claim)
    mixed = [claim for own in told.values() for claim in _of_no_plan(own, contexts)]
    return [
        replace(claim, status="not_judged", detail=f"{claim.detail}; no one plan has all of these")
        if claim in mixed
        else claim
        for claim in claims
    ]


def _of_no_plan(told: dict[str, list[Claim]], contexts: Contexts) -> list[Claim]:
    """Return the figures of a trip that no one of its plans has, with the lines beside them."""
    lines = told.pop(_LINE, [])
    figures = [claim for own in told.values() for claim in own]
    if any(len({claim.facts[0].value.value for claim in own}) > 1 for own in told.values()):
        return []
    spans = [(p.start, p.end) for p in contexts.reading.passages]
    beside = {span for span in spans for one in figures if span[0] <= one.start < span[1]}
    figures += [c for c in lines if any(a <= c.start < b for a, b in beside)]
    common: set[int] | None = None
    for claim in figures:
        own = {o for f in claim.facts if f.value.item for o in f.value.item.options}
        common = own if common is None else common & own
    return figures if common is not None and not common else []
