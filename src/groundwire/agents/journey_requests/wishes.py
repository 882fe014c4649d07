"""The wishes of a request: modes, lines to avoid, steps, changes, walking, bicycles.

Each is found where it stands, so that its words are not taken for a place. The words are those of
the vocabularies of journeys; what they mean is decided there, when the tool is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from pydantic import JsonValue

from groundwire.agents.journey_requests.fillers import content
from groundwire.agents.journey_requests.wish_words import (
    BETWEEN,
    JOIN,
    MINUTES,
    MOST,
    NOT,
    NUMBER,
    NUMBERS,
    SPEEDS,
    TRAINS,
    WITH,
    any_of,
    apart,
    lines_pattern,
    modes_pattern,
    ways_of,
)
from groundwire.journeys.lines.names import bus_route
from groundwire.journeys.wishes.modes import mode_vocabulary
from groundwire.journeys.wishes.values import CHOICES
from groundwire.vocabulary import Policy


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish of a request.

    Attributes:
        start, end: where it stands.
        values: options by name; empty where no option grants it.
        refused: why nothing was made of it, or empty.
    """

    start: int
    end: int
    values: Mapping[str, JsonValue]
    refused: str = ""


def find_wishes(text: str) -> list[Wish]:
    """The wishes of a text, in order and without overlap; those tried first win."""
    found: list[Wish] = []
    for pattern, build in _rules():
        for match in pattern.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            wish = build(match)
            if wish is not None:
                found.append(wish)
    return sorted(found, key=lambda one: one.start)


def merged(wishes: Iterable[Wish]) -> dict[str, JsonValue]:
    """The options of several wishes; lists are joined, and of two single values the last counts."""
    values: dict[str, JsonValue] = {}
    for wish in wishes:
        for name, value in wish.values.items():
            before = values.get(name)
            if isinstance(before, list) and isinstance(value, list):
                value = [*before, *(one for one in value if one not in before)]
            values[name] = value
    return values


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Wish | None]], ...]:
    mode, line = modes_pattern(), lines_pattern()
    a_line = rf"(?:(?:the\s+)?(?:{line})(?:\s+lines?)?|(?:bus\s+|route\s+)[a-z]{{0,2}}\d{{1,3}})"
    listed = rf"(?:{mode}|{a_line})(?:{JOIN}(?:{mode}|{a_line}))*"
    modes = rf"(?:the\s+|a\s+|an\s+|any\s+|my\s+)*(?:{mode})(?:{JOIN}(?:{mode}))*"
    some_lines = rf"(?:the\s+)?{line}(?:{JOIN}{line})*\s+lines?"
    by = r"(?:\s+(?:route|way|journey|trip|option|possible|connection))*"

    def rule(
        pattern: str, build: Callable[[re.Match[str]], Wish | None]
    ) -> tuple[re.Pattern[str], Callable[[re.Match[str]], Wish | None]]:
        return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), build

    access = CHOICES["accessibility_preference"].items()
    return (
        rule(
            rf"(?:walk(?:ing)?\s+(?:for\s+)?{MOST}\s+{NUMBER}{MINUTES}(?:\s+walk(?:ing)?)?|"
            rf"{MOST}\s+(?:a\s+)?{NUMBER.replace('number', 'other')}{MINUTES}\s+"
            r"(?:of\s+)?(?:walk(?:ing)?|on\s+foot))",
            _walking_limit,
        ),
        *(
            rule(rf"(?:(?:i|we)\s+)?(?:{any_of(words)})", _fixed("walking_speed", value))
            for value, words in SPEEDS.items()
        ),
        rule(
            r"(?:leav(?:e|ing)|park(?:ing)?)\s+(?:my|the|a)\s+(?:bike|bicycle|cycle)\s+at\s+"
            r"(?:the|a)\s+station",
            _fixed("cycle_preference", "LeaveAtStation"),
        ),
        rule(
            r"(?:with|tak(?:e|ing)|bring(?:ing)?|carry(?:ing)?)\s+(?:my|a|our|the)\s+"
            r"(?:own\s+)?(?:bikes?|bicycles?)(?:\s+(?:on\s+(?:board|the\s+(?:train|tube))|along|with\s+me))?",
            _fixed("cycle_preference", "TakeOnTransport"),
        ),
        rule(
            r"(?:cycl(?:e|ing)|bik(?:e|ing))(?:\s+(?:all\s+the|the\s+whole)\s+way)?"
            r"(?=\s+(?:from|to|there|home|back|into|all))",
            _many({"mode": ["cycle"], "cycle_preference": "AllTheWay"}),
        ),
        rule(
            r"(?:the\s+)?last\s+(?:train|tube|bus|tram|service|boat)",
            _fixed("adjustment", "TripLast"),
        ),
        rule(
            r"(?:the\s+)?first\s+(?:train|tube|bus|tram|service|boat)",
            _fixed("adjustment", "TripFirst"),
        ),
        *(
            rule(
                rf"(?:(?:with|and|be|is|it\s+to\s+be|needs?(?:\s+to\s+be)?|must\s+be|i['’]?m\s+in\s+a|"
                rf"in\s+a|for\s+a|requires?|want)\s+)?(?:an?\s+)?"
                rf"(?:{any_of((apart(value), *words))})"
                r"(?:\s+(?:access|routes?|only|please|user|journey|stations?|all\s+the\s+way))*",
                _listed("accessibility_preference", value),
            )
            for value, words in access
            if value != "NoRequirements"
        ),
        *(
            rule(
                rf"(?:(?:with|and|by|is|as|prefer(?:ably)?|want|take|find(?:\s+me)?|the)\s+)*"
                rf"(?:{any_of(ways_of(value))})"
                rf"{by}",
                _fixed("journey_preference", value),
            )
            for value in CHOICES["journey_preference"]
        ),
        rule(rf"(?:and\s+)?{NOT}\s+{BETWEEN}(?P<what>{listed})", _avoided),
        rule(rf"{WITH}\s+(?:only\s+|just\s+)?{BETWEEN}(?P<what>{some_lines})", _no_choice),
        rule(
            rf"(?:(?:and|but|go|going|travel|instead)\s+)?{WITH}\s+(?:only\s+|just\s+)?"
            rf"(?P<what>{modes})(?:\s+(?:only|instead|all\s+the\s+way|if\s+possible))?",
            _used,
        ),
        rule(rf"(?P<what>{mode}(?:{JOIN}{mode})*)\s+only", _used),
        rule(r"on\s+foot|by\s+foot", _many({"mode": ["walking"]})),
        rule(
            r"walk(?:ing)?(?:\s+all\s+the\s+way|\s+the\s+whole\s+way|\s+only|"
            r"(?=\s+(?:from|to|there|home|back)))",
            _walked,
        ),
    )


# A negation earlier in the clause turns what follows; "why not" and "not only" are none.
_DENIED = re.compile(
    r"(?<!why\s)\b(?:(?:do|does|did|ca|wo|would|should|must)n['’]?t|dont|cannot|not(?!\s+only)|never|"
    r"hate|avoid|refuse)\b[^,.;:!?]*$",
    re.IGNORECASE,
)


def _fixed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    return _many({name: value})


def _listed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    return _many({name: [value]})


def _many(values: Mapping[str, JsonValue]) -> Callable[[re.Match[str]], Wish]:
    return lambda match: Wish(match.start(), match.end(), values)


def _walked(match: re.Match[str]) -> Wish | None:
    before = re.search(r"([\w']+)\s+$", match.string[: match.start()])
    if before is not None and content(before[1]):
        # "Belgrave Walk" is a name.
        return None
    return Wish(match.start(), match.end(), {"mode": ["walking"]})


def _walking_limit(match: re.Match[str]) -> Wish:
    said = (match["number"] or match["other"]).lower()
    return Wish(match.start(), match.end(), {"max_walking_minutes": int(NUMBERS.get(said, said))})


def _used(match: re.Match[str]) -> Wish | None:
    if _DENIED.search(match.string[: match.start()]):
        # "I do not ever want to go by bus"
        return _avoided(match)
    words = _parts(match["what"])
    if any(not _mode(word) for word in words):
        return None
    modes = [mode for word in words for mode in _modes(word)]
    return Wish(match.start(), match.end(), {"mode": list(dict.fromkeys(modes))})


def _avoided(match: re.Match[str]) -> Wish | None:
    modes: list[JsonValue] = []
    lines: list[JsonValue] = []
    for word in _parts(match["what"]):
        found = _mode(word)
        if found and not word.lower().endswith((" line", " lines")):
            modes.append(found)
        else:
            lines.append(re.sub(r"^the\s+|\s+lines?$", "", word, flags=re.IGNORECASE))
    values: dict[str, JsonValue] = {}
    if modes:
        values["avoid_modes"] = modes
    if lines:
        values["avoid_lines"] = lines
    return Wish(match.start(), match.end(), values)


def _no_choice(match: re.Match[str]) -> Wish:
    return Wish(match.start(), match.end(), {}, "a line can be avoided, but not asked for")


def _parts(listed: str) -> list[str]:
    """The names of a list; a line whose own name holds "and" stays whole."""
    kept = re.sub(
        r"(hammersmith|waterloo|h|w)\s*(?:and|&)\s*(city|c)\b", r"\1 & \2", listed, flags=re.I
    )
    kept = re.sub(r"\s*&\s*(?=city|c\b)", "\0", kept, flags=re.IGNORECASE)
    found = [
        re.sub(r"^(?:(?:by|on|the|an?|any|my)\s+)+", "", one.strip(), flags=re.IGNORECASE)
        for one in re.split(JOIN, kept, flags=re.IGNORECASE)
    ]
    return [one.replace("\0", " & ") for one in found if one]


def _modes(word: str) -> tuple[str, ...]:
    """The modes that a name stands for: in London, a train may run on any rail."""
    return TRAINS if word.lower() in ("train", "trains") else (_mode(word),)


def _mode(word: str) -> str:
    """The id of a mode by any of its names, in the plural too; empty if it is none."""
    if bus_route(word) and any(letter.isdigit() for letter in word):
        return ""
    for tried in (word, word.removesuffix("s"), word.removesuffix("es")):
        found = mode_vocabulary().resolve(tried, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found.term.id
    return ""
