"""Replies that say only what is to be otherwise, or ask about the journeys at hand.

"an hour later", "make it 6", "the second one", "what are the alternatives?": each is read as a
whole or not at all, so that a reply with a trip of its own stays one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from groundwire.agents.journey_requests.limits import DURATION, minutes_of
from groundwire.journeys.times.reading import find_times

_LONGEST = 80
# Minutes of "earlier" and "later" alone.
_UNSAID = 30
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_LEAD = (
    r"(?:(?:and|but|no|ok(?:ay)?|oh|actually|sorry|please|then|hm+|well|so|instead|rather|"
    r"how\s+about|what\s+about|what\s+if|if|can|could|would|should|shall|let['’]?s|i|we|you|it|me|mean(?:t)?|"
    r"['’]?d|i['’]d|we['’]d|like|want|need|prefer|to|"
    r"make|do|say|try|move|push|shift|bring|change|leave|leaving|left|go|going|went|set\s+off|depart|start|"
    r"arriv(?:e|ing|al)|be\s+there|get\s+there|that|this|them|everything|for|is|be|only|better|"
    r"nein|doch|meinte|lieber|besser|erst|schon|dann|bitte|ich|wir|es|will|möchte|mag)\b[\s,]*|[不别还是就吧那还请]+[\s,，]*)*"
)
_TAIL = (
    r"(?:[\s,]+(?:please|instead|then|thanks|thank\s+you|if\s+possible|"
    r"than\s+(?:(?:it|that|this|the\s+first)(?:\s+(?:plan|one|trip|journey))?|(?:the|my)\s+plan|planned)|ok(?:ay)?|los|"
    r"fahren|losfahren|hin|再?(?:走|出发|去)|吧))*[\s.!?。]*"
)
_TRIP = (
    rf"(?:the\s+|my\s+)?(?P<{{}}>(?:{'|'.join(ORDINALS)}|last)(?=\s+(?:trip|journey|one|leg))|"
    r"way\s+back|return)(?:\s+(?:trip|journey|one|leg))?"
)
_SHIFT = re.compile(
    rf"{_LEAD}(?:{_TRIP.format('trip')}[\s,]+{_LEAD})?(?P<length>{DURATION}|a\s+(?:bit|little)|much|any|something|)"
    rf"\s*(?P<way>later|earlier|sooner)(?:\s+for\s+{_TRIP.format('of')})?{_TAIL}",
    re.IGNORECASE,
)
_TIME = re.compile(rf"(?P<lead>{_LEAD})(?P<time>[\w:. ]{{1,30}}?){_TAIL}", re.IGNORECASE)
_LED_BY = re.compile(r"(?:at|by|around|about)\s", re.IGNORECASE)
_ARRIVES = re.compile(r"\b(?:arriv(?:e|ing|al)|be\s+there|get\s+there)\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(?:(?:i['’]?ll\s+take|take|show(?:\s+me)?|give\s+me|i\s+want|let['’]?s\s+take|and)\s+)?"
    rf"(?:the\s+)?(?P<which>{'|'.join(ORDINALS)}|last)(?:\s+(?:one|option|plan|trip|journey))?"
    rf"(?:\s+(?:with|and)\s+(?:every|all(?:\s+the)?|its)\s+(?:stop|station|detail)s?)?{_TAIL}",
    re.IGNORECASE,
)
_NEIGHBOUR = re.compile(
    rf"{_LEAD}(?:(?:what|when|which)(?:\s+time)?(?:['’]s|\s+is|\s+does)?\s+)?(?:the\s+)?"
    r"(?:(?:next|following|one|train|bus|tram|boat|service)\s*)+"
    r"(?P<way>after|before|leave|go)?(?:\s+(?:that|it|this|one))*"
    rf"{_TAIL}",
    re.IGNORECASE,
)
_RECOUNT = re.compile(
    rf"{_LEAD}(?:(?:show|list|tell|give)\s+(?:me\s+)?|what\s+are\s+|are\s+there\s+|any\s+)+"
    r"(?:(?:the|all|any|my|some)\s+)*(?:other\s+|different\s+)?"
    r"(?:alternatives?|options|plans|routes|ways|choices)(?:\s+(?:there|again))?[\s.!?]*"
    rf"|{_LEAD}(?:which|what)\s+(?:lines?|trains?|tubes?)\s+(?:(?:is|are|does|do|would|will|should)\s+)?"
    r"(?:it|that|this|they|those|i|we)?\s*(?:take|use|need|go\s+by|have\s+to\s+take)?[\s.!?]*"
    rf"|{_LEAD}(?:is\s+)?there\s+(?:anything|something|a)\s+(?:quicker|faster|better|else|cheaper)"
    r"(?:\s+(?:way|one|option|route))?[\s.!?]*"
    rf"|{_LEAD}(?:how\s+(?:long|far|quick|fast)|how\s+(?:many|often)(?:\s+(?:changes|minutes|times))?|how\s+much|what\s+(?:does|will)|"
    r"(?:when|what\s+time))\s*(?:(?:does|will|is|do|would|should|must|are|there)\b\s*)*"
    r"(?:(?:it|that|this|i|we)\b\s*)?(?:have\s+to\s+|need\s+to\s+)?"
    r"(?:change|take|last|cost|arrive|get\s+there|be\s+there|leave|set\s+off|depart|start)?[\s.!?]*",
    re.IGNORECASE,
)
_FARE = re.compile(r"\b(?:cost|how\s+much)\b", re.IGNORECASE)
# A reply asks for the cost of a trip, and for whom or when; no fare of a plan is told for these.
_COSTS = re.compile(
    rf"{_LEAD}(?:(?:what|how\s+much)\s*(?:['’]s|(?:does|will|would|do|did|is|are|it|that|this|i|we|have\s+to|be)\b|\s)*"
    r"(?:cost|pay)(?:\s+(?:me|us|for\s+(?:it|that|this)))?|"
    r"(?:and\s+)?(?:(?:what|how\s+much|how\s+high)(?:['’]s|\s+(?:is|are|would\s+be|will\s+be))\s+)?(?:the\s+|it\s+)?(?:fares?|price|cost)|"
    r"how\s+(?:much|expensive|dear|pricey)\s+(?:is|was|would|will)\s+(?:it|that|this)(?:\s+be)?|"
    r"(?:is|was|would|will)(?:n['’]t)?\s+(?:it|that|this)\s+(?:be\s+)?(?P<less>cheaper))"
    r"(?P<beside>[\s,]+(?:in\s+|at\s+|during\s+|outside\s+(?:of\s+)?)?(?:the\s+)?(?:off[\s-]?)?(?:peak|rush)(?:[\s-](?:times?|hours?))?|"
    r"[\s,]+(?:with|on|by|using)\s+(?:an?\s+|my\s+|the\s+)?(?:oyster|contactless|railcard)(?:\s+card)?|"
    r"[\s,]+for\s+(?:an?|two|the|my)\s+\w+(?:\s+\w+)?|[\s,]+as\s+an?\s+\w+)?[\s.!?]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A reply's wishes about the journeys at hand.

    Attributes:
        shift: minutes by which a trip is to be later, or earlier below 0.
        vague: whether it does not say how much later or earlier, so that half an hour is meant.
        neighbour: whether the service after or before the one that was told is meant.
        time: another time of the trip, in its words.
        arriving: whether that time is the arrival.
        which: the trip or plan that is meant, from 0 (-1: the last), or None.
        recount: what the plans are to be told again for, or empty.
        beside: words of a fare that none of the plans' is told for: "off peak".
    """

    shift: int = 0
    vague: bool = False
    neighbour: bool = False
    time: str = ""
    arriving: bool = False
    which: int | None = None
    recount: Literal["", "plans", "fares"] = ""
    beside: str = ""


def read_follow_up(text: str) -> FollowUp | None:
    """A reply that is nothing but a change or a question about the journeys at hand."""
    said = " ".join(text.split())
    if len(said) > _LONGEST:
        return None
    shifted = _SHIFT.fullmatch(said)
    if shifted is not None:
        minutes = minutes_of(shifted["length"]) if shifted["length"] else 0
        vague = not minutes
        minutes = minutes or _UNSAID
        named = shifted["trip"] or shifted["of"]
        sign = 1 if shifted["way"].lower() == "later" else -1
        return FollowUp(sign * minutes, vague, which=_position(named) if named else None)
    neighbour = _NEIGHBOUR.fullmatch(said)
    if neighbour is not None and ("next" in said.lower() or neighbour["way"]):
        before = (neighbour["way"] or "").lower() == "before"
        return FollowUp(-1 if before else 1, neighbour=True)
    ordinal = _ORDINAL.fullmatch(said)
    if ordinal is not None:
        return FollowUp(which=_position(ordinal["which"]))
    if _RECOUNT.fullmatch(said) is not None:
        return FollowUp(recount="fares" if _FARE.search(said) else "plans")
    costs = _COSTS.fullmatch(said)
    if costs is not None:
        beside = " ".join(filter(None, (costs["less"], (costs["beside"] or "").strip(" ,"))))
        return FollowUp(recount="fares", beside=beside)
    return _timed(said)


def _timed(said: str) -> FollowUp | None:
    """A reply that is another time: "make it 6", "what about half past nine?"."""
    match = _TIME.fullmatch(said)
    if match is None or not (match["lead"] or _LED_BY.match(said)):
        return None
    words = f"at {match['time']}" if match["time"][0].isalnum() else match["time"]
    for tried in (match["time"], words):
        found = find_times(tried)
        whole = len(found) == 1 and found[0].span == (0, len(tried))
        if whole and found[0].expression.clock is not None:
            return FollowUp(time=tried, arriving=_ARRIVES.search(match["lead"]) is not None)
    return None


def _position(word: str) -> int:
    return ORDINALS.index(word.lower()) if word.lower() in ORDINALS else -1
