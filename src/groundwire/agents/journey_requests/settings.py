"""Statements of a request that hold for good: places by name, habits, what to forget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import Settings
from groundwire.agents.journey_requests.settings_languages import OF_TRAVELLER, said_elsewhere
from groundwire.agents.journey_requests.wishes import find_wishes, merged
from groundwire.agents.journey_requests.words import content
from groundwire.journeys.times.reading import find_times
from groundwire.journeys.wishes.readers import OF_A_TRIP, OPTION_KINDS

# Where a sentence ends: not after "St.", not within "10.30".
_SENTENCE = re.compile(
    r"(?<!\bSt)(?<!\bRd)(?<!\bSq)(?<![.!?;\n])[.!?;\n]+(?=\s|$)|[。！？；]+", re.IGNORECASE
)
_NAMES = (
    r"home|house|flat|work|workplace|office|school|gym|uni|university|college|parents?|mum|dad|"
    r"hotel|studio|club|church|nursery|doctor|dentist|girlfriend|boyfriend|partner|place"
)
_END = (
    r"(?P<value>[^,;!?]{1,120}?)(?=\s*(?:[,;!?]|\.(?:\s|$)|$)|\s+and\s+(?:my|i|we|the|then|always|please|"
    rf"(?:the\s+)?(?:{_NAMES})\s*(?:is|are|as|=|:)|"
    r"never|take|get|go|remember|work|live|study|walk|prefer|need|hate|avoid|want|don['’]t)\b|\s+from\s+now\s+on\b|\s+please\b)"
)
_IS = (
    r"\s*(?:['’]s)?(?:\s+(?:address|place|house|postcode))?\s*(?:is|are|=|:)\s*"
    r"(?:now\s+)?(?:at|in|on|near)?\s+"
)
_AS = _IS.replace("is|are", "is|are|as|to")
# How a place of the user's own is named.
_OWN = (
    r"(?:(?:my|our)\s+(?:(?:new|own|current)\s+)?(?P<name>[a-z][a-z' ]{1,30}?)|"
    rf"(?:the\s+)?(?P<known>{_NAMES}))"
)
_PLACE = (
    re.compile(
        rf"\b(?:my|our)\s+(?:(?:new|own|current)\s+)?(?P<name>{_NAMES}|address){_IS}{_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<name>home|work|office|school|gym)\s*(?:is|=|:)\s*(?:at|in|on|near)?\s*{_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:remember|save|store|note|set|keep|call|add)\s+(?:that\s+)?{_OWN}{_AS}{_END}",
        re.IGNORECASE,
    ),
    # "save gym as Angel and office as Bank"
    re.compile(
        rf"\band\s+(?:(?:my|our|the)\s+)?(?P<name>{_NAMES})\s+as\s+(?:at\s+)?{_END}", re.IGNORECASE
    ),
    re.compile(
        rf"\b(?:change|update|move|switch)\s+(?:my|our)\s+(?P<name>{_NAMES})(?:\s+address)?\s+"
        rf"(?:to|=)\s+{_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:remember|save|store|set|keep)\s+(?P<value>[^,;.!?]{{1,80}}?)\s+as\s+{_OWN}"
        r"(?=\s*(?:[,;.!?]|$)|\s+and\b)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:(?:i|we)(?:['’]m)?|and)\s+(?:now\s+)?(?P<verb>live|living|work|working|study)\s+"
        rf"(?:at|in|near|on|by)\s+{_END}",
        re.IGNORECASE,
    ),
)
_WHERE = re.compile(r"\bwhere\s+(?:i|we)\s+(live|work|study)\b", re.IGNORECASE)
_VERBS = {"live": "home", "living": "home", "work": "work", "working": "work", "study": "school"}
# What says that something holds for good, whatever day is named beside it.
_FOR_GOOD = (
    r"remember|always|from\s+now\s+on|by\s+default|as\s+(?:a|my|the)\s+default|"
    r"in\s+(?:the\s+)?future|keep\s+in\s+mind|save|store|(?:set|change|switch|update)\s+my|"
    r"my\s+(?:default|preference)s?|"
    r"every\s+(?:trip|journey)|all\s+(?:my\s+)?(?:trips|journeys)"
)
_STRONG = re.compile(rf"\b(?:{_FOR_GOOD})\b", re.IGNORECASE)
_KEEP = re.compile(
    rf"\b(?:{_FOR_GOOD}|never(?!\s*mind)|generally|usually|i\s+prefer|we\s+prefer)\b",
    re.IGNORECASE,
)
# "step-free today" is said of one trip.
_THIS_TRIP = re.compile(
    r"\b(?:this|that|the\s+next)\s+(?:time|trip|journey|ride|one|way)\b|\b(?:just|only)\s+(?:for\s+)?"
    r"(?:this|once|now)\b|\b(?:my|the|our)\s+(?:usual\s+|daily\s+)?(?:trip|journey|commute|route|way)\b|"
    r"\b(?:route|way|trip|journey|train|tube|bus|get|go|travel)\s+(?:back\s+)?(?:to|from)\b|"
    r"\bfor\s+once\b|\b(?:right\s+)?now\b(?<!from now)",
    re.IGNORECASE,
)
# "I never said that I avoid buses"
_NOT_SAID = re.compile(
    r"(?:n['’]t|\bnot|\bnever)\s+(?:say|said|tell|told|ask(?:ed)?|mean|meant)\b", re.IGNORECASE
)
_SOME_DAYS = re.compile(
    r"\b(?:on|at|during)\s+(?:\w+days|(?:the\s+)?weekends?)\b|\bevery\s+\w+day\b|"
    r"\bin\s+(?:the\s+)?(?:mornings|evenings|afternoons|winter|summer)\b",
    re.IGNORECASE,
)
# What people say of themselves and not of a trip: "I hate buses", "don't ever put me on one".
_TRAIT = re.compile(
    r"\b(?:ever|hates?|dislikes?|afraid|scared|can['’]?t|cannot|unable|don['’]?t\s+like|"
    r"prefers?|wheelchair)\b",
    re.IGNORECASE,
)
_BEFORE = 120
# "by bus instead" is said of a trip, "I prefer buses" of its user.
_OF_ONE = re.compile(r"\b(?:i|we|my|me)\b", re.IGNORECASE)
# Words that may stand before an order: "please", "can you", "I would like you to".
_TOLD = re.compile(
    r"\s*(?:(?:and|so|ok(?:ay)?|oh|hey|hi|hello|now|then|also|please|just|kindly|actually|sorry|well|"
    r"no|yes|thanks|(?:can|could|would|will)\s+you|would\s+you\s+mind|let['’]?s|go\s+ahead\s+and|"
    r"(?:i|we)(?:['’]d|\s+would)?\s+(?:like|want|need)(?:\s+you)?\s+to|you\s+(?:can|may|should))"
    r"\b[\s,]*)*",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,;]\s|\band\s|\bthen\s", re.IGNORECASE)
_FORGET = re.compile(
    r"\b(?P<verb>forget|reset|clear|delete|remove|erase|stop\s+(?:avoiding|remembering))\b"
    r"(?P<what>[^.!?]*)",
    re.IGNORECASE,
)
# Where what is to be forgotten ends, and something else is said.
# Settings of one trip, which are never kept for later trips.
_OF_A_TRIP = OF_A_TRIP | {"adjustment"}
_NEXT_CLAUSE = re.compile(
    r"(?:,\s*|\s)(?:(?:and|then|but|so|because)\s+)?\b(?:i|i['’]ll|i['’]d|i['’]m|we|we['’]ll|you|"
    r"then|take|get|go|bring|plan|show|tell|give|draw|make|use|let['’]?s|from|to|instead|remember|"
    r"keep|save|set|it['’]?s|please)\b(?<!that i)(?<!what i)(?<!where i)(?<!lines i)(?<!modes i)"
    r"(?<!fast i)",
    re.IGNORECASE,
)
_OF_USER = re.compile(
    r"\b(?:my|our|me|default|preference|setting|saved|stored|remembered|everything|option)s?\b|"
    r"\b(?:that|what|where|which|lines|modes|fast)\s+(?:i|we)\b",
    re.IGNORECASE,
)
_NO_TRIP = (
    r"(?!\s+(?:trip|journey|train|bus|tube|commute|leg|visit|meeting|plan|route|time|way|map)s?\b)"
)
_ALL = re.compile(
    r"\b(?:everything(?!\s+(?:i|we|you|about\s+(?:the|that|this|it)|that\s+(?:i|we|you))\b)|"
    r"all(?!\s+(?:that|this|of\s+(?:that|this|it)|about\s+(?:the|that|this|it))\b)|"
    r"preferences|settings|defaults|about\s+me)\b",
    re.IGNORECASE,
)
# A sentence that asks or supposes changes nothing: "How do I reset my defaults?"
_ASKING = re.compile(
    r"\s*(?:(?:and|so|but|ok(?:ay)?|oh|hey|hi|well|also|then|please|sorry|now)\b[\s,]*)*"
    r"(?:what|which|who|whose|how|when|where|why|is|are|am|was|were|do|does|did|has|have|should|shall|"
    r"may|might|must|if|suppose|supposing|imagine|unless|whether|(?:can|could|would|will)\s+(?!you\b)\w+|"
    r"(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:tell|explain|show|say|advise|describe)\b)\b"
    r"(?!\s*:)",
    re.IGNORECASE,
)
_ASKED_OF_YOU = re.compile(
    r"\b(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+|just\s+|also\s+|mind\s+)*"
    r"(?:remember|save|store|note|set|keep|add|forget|reset|clear|delete|remove|erase|always|never|stop)",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"\b(?:(?:what|which|show|list|tell|see|display)\b[^.!?]*\b(?:preferences?|settings|defaults|"
    r"know\s+about\s+me|remember(?:ed)?\s+about\s+me|(?:have\s+you\s+)?(?:saved|stored|remembered?)|"
    r"my\s+(?:saved\s+)?places)|(?:what|where)\s+is\s+my\s+(?:home|work|office))\b",
    re.IGNORECASE,
)
# "remember to take me to Bank" names no place.
_ORDER = re.compile(r"(?:to|take|that|i|we|you|and|an?|from|me|get|go)\b")
_PRONOUNS = frozenset({"it", "this", "that", "them", "there", "here", "him", "her"})
_LATELY = re.compile(
    r"(?<!\s)\s+(?:these\s+days|nowadays|now|currently|at\s+the\s+moment|for\s+now|at\s+present|instead)$",
    re.IGNORECASE,
)
_SAME = {"house": "home", "flat": "home", "address": "home", "workplace": "work"}
_NO_NAMES = """
it this them name meeting train flight that budget appointment default defaults preferences
preference settings setting trip trips journey journeys time money route way plan plans alarm
reminder walking walk speed pace changes map calendar stop day date bus tube ticket seat
"""
_NO_NAME = frozenset(_NO_NAMES.split())
# Words that describe a place and do not name one.
_NO_VALUE = re.compile(
    r"(?:\w+(?:est|ed|ful|ous|less|ly)|closed|shut|open|busy|far|away|late|empty|full|fine|nice|lovely|"
    r"nearby|close|clear|clean|safe|gone|not|no|never|too|very|so|really|where|why|how|when|what|in|"
    r"on|it|that|this|the\s+(?:best|same|one|only|next|problem|place|way)|a|an)\b",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\b(?:but|so|because|when|where|which|while|if|than)\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"(?:['’]s|\b(?:his|her|their|your|whose))\s+$", re.IGNORECASE)
_WRITES_CAPITALS = re.compile(r"(?<=[a-z,;] )(?!I\b)[A-Z]")
_REMEMBERED = re.compile(r"\b(?:remember|save|store|note|set|keep|add)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SettingsRead:
    """The settings of a request, and the spans of its text that said them."""

    settings: Settings
    spans: tuple[tuple[int, int], ...]


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in (*_SENTENCE.finditer(text), None):
        end = match.start() if match else len(text)
        if text[start:end].strip():
            found.append((start, end))
        start = match.end() if match else end
    return found


def read_settings(text: str, *, alone: bool) -> SettingsRead:
    """The settings that a request states.

    Args:
        text: the request.
        alone: whether the request has no trip, so that "I walk slowly" is meant for good.
    """
    places: dict[str, str] = {}
    options: dict[str, JsonValue] = {}
    forget: list[str] = []
    show = False
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text):
        said = text[start:end]
        elsewhere = said_elsewhere(text[start : end + 1])
        if elsewhere:
            places |= elsewhere.places
            options |= elsewhere.options
            forget += elsewhere.forget
            spans.append((start, end))
            continue
        if _SHOW.search(said):
            show = True
            spans.append((start, end))
            continue
        if _asks(said, text[end : end + 1]):
            continue
        forgotten = _FORGET.search(said)
        if forgotten is not None and _is_order(said[: forgotten.start()]):
            names = _forgotten(forgotten["verb"], forgotten["what"])
            if names:
                forget += names
                spans.append((start, end))
                continue
        for name, value, span in _places(said, text):
            places[name] = value
            spans.append((start + span[0], start + span[1]))
        kept = _said_for_good(said, alone=alone)
        if kept is None:
            continue
        # What no option grants is told by whoever reads the trips.
        usable = [
            one
            for one in find_wishes(said)
            if one.values and not one.note and _OF_A_TRIP.isdisjoint(one.values)
            if kept or _TRAIT.search(said) or set(one.values) <= OF_TRAVELLER
        ]
        options |= merged(usable)
        if usable:
            spans += [(start + one.start, start + one.end) for one in usable]
            spans += [(start + one.start(), start + one.end()) for one in kept]
    made = Settings(places, options, tuple(dict.fromkeys(forget)), show)
    return SettingsRead(made, tuple(sorted(spans)))


def _asks(said: str, mark: str) -> bool:
    """Whether a sentence asks or supposes something, and tells nobody to keep or forget it."""
    if _ASKED_OF_YOU.search(said):
        return False
    return mark == "?" or _ASKING.match(said) is not None


def _is_order(before: str) -> bool:
    """Whether what follows is said to be done: not of "don't forget" or "is it clear"."""
    clause = _CLAUSE_END.split(before[-_BEFORE:])[-1]
    return _TOLD.fullmatch(clause) is not None


def _said_for_good(said: str, *, alone: bool) -> list[re.Match[str]] | None:
    """The words that say of a sentence that it holds for good; None where it does not."""
    kept = list(_KEEP.finditer(said))
    if not kept and not (alone and _OF_ONE.search(said)):
        return None
    of_one_trip = _THIS_TRIP.search(said) or any(
        one.expression.day is not None for one in find_times(said)
    )
    # What holds on some days only is no default either.
    denied = _SOME_DAYS.search(said) or _NOT_SAID.search(said)
    never = denied or (of_one_trip and not _STRONG.search(said))
    return None if never else kept


def _places(said: str, text: str) -> list[tuple[str, str, tuple[int, int]]]:
    found: list[tuple[str, str, tuple[int, int]]] = []
    for pattern in _PLACE:
        for match in pattern.finditer(said):
            if any(match.start() < span[1] and span[0] < match.end() for _, _, span in found):
                continue
            groups = match.groupdict()
            named = groups.get("name") or groups.get("known") or ""
            name = _VERBS.get((groups.get("verb") or "").lower()) or " ".join(named.lower().split())
            name = name.removesuffix(" place").removesuffix(" address").removesuffix("'s")
            value = _LATELY.sub("", match["value"].strip(" .'\""))
            if (
                _ORDER.match(name)
                or name.rpartition(" ")[2] in _NO_NAME
                or not value
                or _is_time(value)
                or len(name.split()) > 3
                or _OF_ANOTHER.search(said[max(0, match.start() - _BEFORE) : match.start()])
                or not (
                    value.lower() in _PRONOUNS
                    or _may_be_place(value, "" if _REMEMBERED.search(match[0]) else text)
                )
            ):
                continue
            name = _SAME.get(name, name)
            if value.lower() in _PRONOUNS:
                # "My address is SE10 9NN, save it as home"
                if len(found) == 1:
                    found = [(name, found[0][1], (found[0][2][0], match.end()))]
                continue
            found.append((name, value, match.span()))
    return found


def _is_time(value: str) -> bool:
    times = find_times(f"at {value}") or find_times(value)
    return len(times) == 1 and times[0].span[1] >= len(value)


def _may_be_place(value: str, text: str) -> bool:
    """Whether what is said of "my home" names a place: "Angel", and not "far away"."""
    is_said = (value[:1].islower() and _NO_VALUE.match(value)) or _GOES_ON.search(value)
    if any(letter.isdigit() or letter.isupper() for letter in value):
        return not is_said
    # Who writes other names with capitals would write this one so.
    return not _WRITES_CAPITALS.search(text) and not is_said


def _forgotten(verb: str, words: str) -> list[str]:
    """Names of what is to be forgotten; none where it is not said to be the user's own."""
    if verb.lower().endswith("avoiding"):
        return _no_more_avoided(f"{verb}{words}")
    following = _NEXT_CLAUSE.search(words)
    what = words[: following.start()] if following else words
    names: list[str] = re.findall(rf"\b(?:{_NAMES})\b{_NO_TRIP}", what, re.IGNORECASE)
    bare = following is None and " ".join(names).casefold() == content(what).casefold()
    if not _OF_USER.search(what) and not (names and bare) and verb.lower() != "reset":
        return ["all"] if _ALL.search(what) else []
    found = [_SAME.get(name.lower(), name.lower()) for name in names]
    found += [_VERBS[verb.lower()] for verb in _WHERE.findall(what)]
    lowered = what.lower()
    found += [name for name in OPTION_KINDS if name.replace("_", " ") in lowered]
    found += [name for wish in find_wishes(what) for name in wish.values if name not in found]
    found += [name for word, name in _SPOKEN.items() if word in lowered and name not in found]
    if not found and _ALL.search(what):
        return ["all"]
    return found


def _no_more_avoided(words: str) -> list[str]:
    """Return the modes that "stop avoiding buses" takes back."""
    avoiding = re.sub(r"^\s*stop\s+", "", words, flags=re.IGNORECASE)
    return list(dict.fromkeys(name for wish in find_wishes(avoiding) for name in wish.values))


_SPOKEN = {
    "how fast i walk": "walking_speed",
    "step free": "accessibility_preference",
    "step-free": "accessibility_preference",
    "walking pace": "walking_speed",
    "modes": "mode",
    "lines": "avoid_lines",
}


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text in which spans are blanks, so that all else keeps its place."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return "".join(letters)
