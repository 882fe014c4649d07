"""The whole that a sentence gives for a percentage: "of EU GDP", "of the combined GDP".

A share of one whole says nothing of another, so a whole that no record knows supports nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from groundwire.evidence.claims.attachment import is_base
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.derivation import SUM
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.words import cue_tables

# Where the words begin that say of what.
_OF = re.compile(
    r"\b(?:share|proportion|percentage|fraction|part)s? (?:of|in)\b"
    r"|(?:%|\bper ?cent) (?:of|in)\b|\b(?:half|third|quarter)s? of\b"
    r"|\b(?:hälfte|drittel|viertel) (?:der|des|vom|von)\b|(?:^|(?<=[.:;] ))of\b"
    r"|\banteile? (?:am|an|der|des)\b|(?:%|\bprozent) (?:der|des|vom|von)\b"
    r"|[占佔](?!比)|在(?=[^，。；]{0,40}?[中里内的]{1,2}(?:占|份额|比))",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,;:!?()]|\.(?!\d)|\b(?:was|is|were|are|amount\w*|stood|came|come|reached|rose|fell|grew|"
    r"went|increased|decreased|declined|dropped|climbed|slipped|shrank|sank|stieg|fiel|wuchs|ging|"
    r"accounts?|accounted|ma[dk]es?|betrug|beträgt|war|ist|lag|liegt|kam(?:en)?|stamm(?:t|en|te|ten)|entf(?:iel(?:en)?|ällt|allen)|wurden?)\b|[，。；：（）]|[中里内](?=的?[占份比])"
    r"|[占佔为是达约]"
)
_PART_OF = re.compile(
    r"\s*(?:\b(?:of|von|vom|der|des)\b|的)\s*(?:the\s|your\s|its\s|their\s|seines\s|ihres\s|seiner\s|ihrer\s)?[\"'“„*]*",
    re.I,
)
# Between a count and the one that it is out of; before that one, and between the two where it is
# told first: "Of 68 reviews, 3 failed", "68次复习中有3次".
_LED_OUT_OF = (
    r"\b(?:in|of|out of|from|von|bei|aus|unter)\W+"
    r"(?:(?:all|the|these|those|your|den|allen|diesen|Ihren)\W+){0,2}"
)
_OUT_OF = re.compile(rf"\W+(?:[^\W\d]+\W+){{0,2}}?{_LED_OUT_OF}", re.IGNORECASE)
_BEFORE_WHOLE = re.compile(rf"{_LED_OUT_OF}$", re.IGNORECASE)
_TO_PART = re.compile(r"[^\d，。；]{0,8}[中里]，?(?:只|仅|共)?有?")
_WORDS_TO_PART = re.compile(r"(?:\W+[^\W\d]+){1,4},?\W+")
_OWNS = re.compile(r"[\"'”“*]*(?:['’]s\b|的)")
_SHARE = re.compile(r"share|proportion|percent of|% of|anteil|quote|占比|比重|份额", re.IGNORECASE)
_SUMMED = re.compile(
    r"\bof (?:the |these |those |all )(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b"
    r"|\bof (?:these|those|all)\b|\blisted\b|两者|三者|上述|所列|\+ ?(?!\d)",
    re.IGNORECASE,
)
_RESULTS = frozenset[str]((*cue_tables()["results"], "profits", "gewinns"))
_CHANCE = re.compile(
    r"probabilit|likel|chance|wahrscheinlich|概率|几率|average|\bmean\b|durchschnitt|mittel|平均",
    re.I,
)
SHARE_NOUN = re.compile(r"anteile?s?\b|占比|比重|份额", re.IGNORECASE)
"""Nouns that call a percentage a part of a whole: that of the part named, if of no other."""
# "90 % of the time" tells a probability.
_OFTEN = frozenset(("time", "times", "cases", "zeit", "fälle", "情况"))
_NEAR = Decimal("0.00001")
_CURRENCY = re.compile(r"[A-Z]{3}")
_MASK = "\x00"
_WORD = re.compile(r"[^\W\d_\x00]+")
_HAN = re.compile("[\u3400-\u9fff]")
_SAYS_NOTHING = frozenset[str](cue_tables()["of_shares"])
_HAN_SAYS_NOTHING = re.compile(
    "比重|占比|份额|比例|百分比|[的之总全部合计和与及年度约整体当同期所列上述两三者个国家地区]"
)


def told_as_parts(
    text: str, context: PassageContext, claims: Sequence[Claim]
) -> Iterator[tuple[int, int]]:
    """Yield that of which a percentage or count is told to be a part, where it is none of it.

    The same for a share of which an amount of money is told: it grows by percentage points.
    A probability of 99.9 % that "navigation" is known is not "99.9 % of navigation", and one of
    94.5 % that a card is recalled is not "94.5 % of the cards".
    """
    for share in SHARE_NOUN.finditer(text, context.passage.start, context.passage.end):
        behind = (q for q in context.quantities if share.end() <= q.span[0])
        first = next((q for q in behind if q.percent or q.unit), None)
        if first and not first.percent and _CURRENCY.fullmatch(first.unit or ""):
            yield share.span()
    for claim in claims:
        if claim.kind not in ("number", "percent") or not claim.facts:
            continue
        if any(f.value.unit != "%" or f.operands or _SHARE.search(f.about) for f in claim.facts):
            continue
        for anchor in context.entities:
            is_whole = _PART_OF.fullmatch(text, claim.end, max(anchor.start, claim.end))
            if is_whole and not _OWNS.match(text, anchor.end):
                yield anchor.start, anchor.end
        led = _PART_OF.match(text, claim.end)
        noun = _WORD.match(text, led.end()) if led else None
        of = noun[0].casefold() if noun else ""
        # "kept 41.4 % of its profit"
        if noun and (of in _RESULTS or (of not in _OFTEN and _is_only_chance(claim, context))):
            yield noun.span()
    yield from _counted_out_of_others(text, context, claims)


def _counted_out_of_others(
    text: str, context: PassageContext, claims: Sequence[Claim]
) -> Iterator[tuple[int, int]]:
    """Yield the count that another is told to be a part of, where no answer holds both.

    "3 failures in 68 reviews" of an answer about 36 reviews, and of one about 68.
    """
    scopes = context.contexts.known.scopes_of_fact
    counts = [
        claim
        for claim in sorted(claims, key=lambda one: one.start)
        if claim.kind == "number" and claim.status in ("supported", "derived") and claim.facts
    ]
    for first, other in pairwise(counts):
        between = first.end, other.start
        if _OUT_OF.fullmatch(text, *between):
            whole = other
        elif _TO_PART.fullmatch(text, *between) or (
            _WORDS_TO_PART.fullmatch(text, *between)
            and _BEFORE_WHOLE.search(text, context.passage.start, first.start)
        ):
            whole = first
        else:
            continue
        facts = [*first.facts, *other.facts]
        are_sets = all(any(id(f) in scopes for f in one.facts) for one in (first, other))
        if are_sets or any(f.operands or f.value.unit or f.value.item for f in facts):
            continue
        if {f.evidence_id for f in first.facts}.isdisjoint(f.evidence_id for f in other.facts):
            yield whole.start, whole.end


def _is_only_chance(claim: Claim, context: PassageContext) -> bool:
    """Whether a percentage is recorded as a probability alone, and its clause does not say so."""
    names = (" ".join((f.value.name, *f.value.labels)) for f in claim.facts)
    said = context.contexts.reading.text[slice(*context.clause(claim.start))]
    return all(map(_CHANCE.search, names)) and not _CHANCE.search(said)


@dataclass(frozen=True, slots=True)
class SaidWhole:
    """The whole that a sentence names for a share.

    Attributes:
        entities: keys of the entities that it is said to be of; none where none is named.
        strange: whether it is said to be of what no record knows.
        summed: whether it is said to be of several together.
    """

    entities: frozenset[str]
    strange: bool
    summed: bool

    def may_be(self, whole: Sequence[Fact]) -> bool:
        """Whether it may be some values: one of an entity, or the sum of several."""
        if self.strange:
            return False
        entities = frozenset(key for fact in whole for key in fact.entities)
        if len(whole) == 1:
            return not self.entities or bool(entities & self.entities)
        return self.summed and (not self.entities or entities <= self.entities)


def is_share(share: Fact, part: Fact, whole: Fact) -> bool:
    """Whether a recorded share is of one value, and not of the sum of it and the part."""
    if share.number is None or part.number is None or not whole.number:
        return False
    return abs(part.number / whole.number * 100 - share.number) < _NEAR


def said_whole(passage: PassageContext, position: int) -> SaidWhole | None:
    """Find what a percentage is said to be a share of.

    Args:
        passage: its passage.
        position: where the number begins.

    Returns:
        None where the passage does not say "of" anything.
    """
    first, last = passage.passage.start, passage.passage.end
    text = passage.contexts.reading.text
    line = text[first:last]
    dated = {start - first for start, _ in (one.span for one in passage.dates)}
    cues = [one for one in _OF.finditer(line) if one.end() + 1 not in dated]  # "48 % in 2025"
    if not cues:
        return None
    masked = list(line)
    spans = [(one.start, one.end) for one in passage.mentions]
    spans += [one.span for one in passage.dates] + [one.span for one in passage.quantities]
    for start, end in spans:
        start, end = max(start, first), min(end, last)
        masked[start - first : end - first] = _MASK * (end - start)
    cue = min(cues, key=lambda one: abs(one.end() + first - position))
    hidden = "".join(masked)
    stop = _END.search(hidden, cue.end())
    end = stop.start() if stop else len(line)
    said = hidden[cue.end() : end]
    words = [one for one in _WORD.findall(said) if not _HAN.search(one)]
    strange = any(one.lower() not in _SAYS_NOTHING for one in words)
    strange = strange or bool(_HAN.search(_HAN_SAYS_NOTHING.sub("", said)))
    entities = frozenset(
        key
        for one in passage.entities
        if first + cue.end() <= one.start < first + end
        for key in one.keys
    )
    parts = passage.contexts.known.parts.keys()
    named = (one for one in passage.names if first + cue.end() <= one.start < first + end)
    if not entities and any(one.keys & parts for one in named):
        return None  # "the share of online sales" names the part
    around = line[cue.start() : end]
    return SaidWhole(entities, strange, bool(SUM.search(around) or _SUMMED.search(line)))


def has_order_of(fact: Fact, passage: PassageContext, position: int) -> bool:
    """Whether a recorded ratio of two things has the one first that its clause names first.

    Args:
        fact: a recorded value; one that is not such a ratio has its order.
        passage: the passage.
        position: where its figure begins.
    """
    if fact.operation != "ratio" or fact.operands[0].entities == fact.operands[-1].entities:
        return True
    start, end = passage.clause(position)
    here = [anchor for anchor in passage.entities if start <= anchor.start < end]
    over, under = fact.operands[0].entities, fact.operands[-1].entities
    if not all(any(anchor.keys & keys for anchor in here) for keys in (over, under)):
        return True
    text = passage.contexts.reading.text
    first = next((anchor for anchor in here if not is_base(text, anchor.start)), here[0])
    return not first.keys & under
