"""What a request says of its user for good: places by name, habits, what to forget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import Settings
from groundwire.agents.journey_requests.wishes import find_wishes, merged
from groundwire.journeys.times.reading import find_times
from groundwire.journeys.wishes.values import OPTION_KINDS

# Where a sentence ends: not after "St.", not within "10.30".
_SENTENCE = re.compile(r"(?<!\bSt)(?<!\bRd)(?<!\bSq)(?<![.!?;\n])[.!?;\n]+(?=\s|$)", re.IGNORECASE)
_NAMES = (
    r"home|house|flat|work|workplace|office|school|gym|uni|university|college|parents?|mum|dad|"
    r"hotel|studio|club|church|nursery|doctor|dentist|girlfriend|boyfriend|partner|place"
)
_END = (
    r"(?P<value>[^,;!?]+?)(?=\s*(?:[,;!?]|\.(?:\s|$)|$)|\s+and\s+(?:my|i|we|the|then|always|please|"
    r"never|take|get|go|remember|work|live|study|walk|prefer|need|hate|avoid|want|don['’]t)\b|\s+from\s+now\s+on\b|\s+please\b)"
)
_IS = (
    r"\s*(?:['’]s)?(?:\s+(?:address|place|house|postcode))?\s*(?:is|are|=|:)\s*"
    r"(?:now\s+)?(?:at|in|on|near)?\s+"
)
_AS = _IS.replace("is|are", "is|are|as|to")
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
        rf"\b(?:remember|save|store|note|set|keep|call|add)\s+(?:that\s+)?(?:my\s+|the\s+)?"
        rf"(?P<name>[a-z][a-z' ]{{1,30}}?){_AS}{_END}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:remember|save|store|set|keep)\s+(?P<value>[^,;.!?]+?)\s+as\s+(?:my\s+)?"
        r"(?P<name>[a-z][a-z' ]{1,30}?)(?=\s*(?:[,;.!?]|$)|\s+and\b)",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:(?:i|we)(?:['’]m)?|and)\s+(?:now\s+)?(?P<verb>live|living|work|working|study)\s+"
        rf"(?:at|in|near|on|by)\s+{_END}",
        re.IGNORECASE,
    ),
)
_VERBS = {"live": "home", "living": "home", "work": "work", "working": "work", "study": "school"}
_KEEP = re.compile(
    r"\b(?:remember|always|from\s+now\s+on|by\s+default|as\s+(?:a|my|the)\s+default|in\s+(?:the\s+)?future|never|"
    r"keep\s+in\s+mind|generally|usually|save|store|set\s+my|my\s+(?:default|preference)s?|"
    r"every\s+(?:trip|journey)|all\s+(?:my\s+)?(?:trips|journeys)|i\s+prefer|we\s+prefer)\b",
    re.IGNORECASE,
)
# "by bus instead" is said of a trip, "I prefer buses" of its user.
_OF_ONE = re.compile(r"\b(?:i|we|my|me)\b", re.IGNORECASE)
_FORGET = re.compile(
    r"\b(?:forget|reset|clear|delete|remove|erase|stop\s+(?:avoiding|remembering))\b(?P<what>[^.!?]*)",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:everything|all|preferences|settings|defaults|about\s+me)\b", re.IGNORECASE)
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
_NO_NAME = frozenset(
    {
        "it",
        "this",
        "them",
        "name",
        "meeting",
        "train",
        "flight",
        "that",
        "budget",
        "appointment",
        "default",
    }
)


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
        alone: whether there is no trip in it, so that "I walk slowly" is meant for good.
    """
    places: dict[str, str] = {}
    options: dict[str, JsonValue] = {}
    forget: list[str] = []
    show = False
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text):
        said = text[start:end]
        forgotten = _FORGET.search(said)
        if forgotten is not None:
            names = _forgotten(forgotten["what"]) or _no_more_avoided(forgotten[0])
            if names:
                forget += names
                spans.append((start, end))
                continue
        if _SHOW.search(said):
            show = True
            spans.append((start, end))
            continue
        for name, value, span in _places(said):
            places[name] = value
            spans.append((start + span[0], start + span[1]))
        kept = list(_KEEP.finditer(said))
        if kept or (alone and _OF_ONE.search(said)):
            wishes = find_wishes(said)
            # What no option grants is told by whoever reads the trips.
            usable = [
                one
                for one in wishes
                if one.values and not one.note and "adjustment" not in one.values
            ]
            options |= merged(usable)
            if usable:
                spans += [(start + one.start, start + one.end) for one in usable]
                spans += [(start + one.start(), start + one.end()) for one in kept]
    made = Settings(places, options, tuple(dict.fromkeys(forget)), show)
    return SettingsRead(made, tuple(sorted(spans)))


def _places(said: str) -> list[tuple[str, str, tuple[int, int]]]:
    found: list[tuple[str, str, tuple[int, int]]] = []
    for pattern in _PLACE:
        for match in pattern.finditer(said):
            if any(match.start() < span[1] and span[0] < match.end() for _, _, span in found):
                continue
            groups = match.groupdict()
            name = _VERBS.get((groups.get("verb") or "").lower()) or " ".join(
                groups["name"].lower().split()
            )
            name = name.removesuffix(" place").removesuffix(" address").removesuffix("'s")
            value = match["value"].strip(" .'\"")
            if (
                _ORDER.match(name)
                or name in _NO_NAME
                or not value
                or _is_time(value)
                or len(name.split()) > 3
            ):
                continue
            name = _SAME.get(name, name)
            value = _LATELY.sub("", value)
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


def _forgotten(words: str) -> list[str]:
    """Names of what is to be forgotten."""
    names: list[str] = re.findall(rf"\b(?:{_NAMES})\b", words, re.IGNORECASE)
    found = [_SAME.get(name.lower(), name.lower()) for name in names]
    lowered = words.lower()
    found += [name for name in OPTION_KINDS if name.replace("_", " ") in lowered]
    found += [name for wish in find_wishes(words) for name in wish.values if name not in found]
    found += [name for word, name in _SPOKEN.items() if word in lowered and name not in found]
    if not found and _ALL.search(words):
        return ["all"]
    return found


def _no_more_avoided(words: str) -> list[str]:
    """What "stop avoiding buses" takes back."""
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
