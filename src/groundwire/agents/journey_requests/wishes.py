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

from groundwire.journeys.line_names import LINES, bus_route
from groundwire.journeys.modes import mode_vocabulary
from groundwire.journeys.wish_values import CHOICES
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


# Words of modes that mean something else in most sentences.
_UNCLEAR = frozenset({"air", "flight", "river", "rail", "foot", "feet", "ship", "lu", "walk"})
# What says of options nothing when it stands alone.
_WEAK = frozenset({"fast", "quick", "direct", "none", "no requirement", "not needed", "slow"})
# fmt: off
_NUMBERS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "ten": "10", "fifteen": "15", "twenty": "20", "thirty": "30",
}
# fmt: on
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(_NUMBERS)})"
_MOST = (
    r"(?:max(?:imum)?(?:\s+of)?|at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|under|"
    r"less\s+than|no\s+longer\s+than)"
)
_MINUTES = r"[\s-]*min(?:ute)?s?['’]?"
_NOT = (
    r"(?:no|not|without|avoid(?:ing|s)?|except|but\s+not|anything\s+but|skip(?:ping)?|"
    r"never(?:\s+(?:take|put)\s+me)?|(?:do\s*n['’]?o?t|doesn['’]t|can\s*(?:no|['’])t|won['’]t|"
    r"rather\s+not|hate|dislike|afraid\s+of)(?:\s+(?:want|like|wish)(?:\s+to)?)?)"
)
_BETWEEN = (
    r"(?:(?:to|taking|take|use|using|go|going|travel|travell?ing|by|on|the|any|a|my|with|all)\s+)*"
)
_WITH = (
    r"(?:by|on|using|uses?|takes?|taking|prefer(?:ring|s)?|rid(?:e|ing)|only|just|with|via|"
    r"instead\s+by|stick(?:ing)?\s+to|in)"
)
_JOIN = r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|/|\+|\bnor\b)\s*(?:by\s+|on\s+|the\s+|a\s+)*"


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


def _spaced(names: Iterable[str]) -> str:
    """A pattern of any of some names, the longest first; spaces may be hyphens."""
    longest = sorted(set(names), key=lambda name: (-len(name), name))
    return "|".join(
        re.escape(name).replace(r"\ ", r"[\s-]+").replace(r"\-", r"[\s-]") for name in longest
    )


@cache
def modes_pattern() -> str:
    """A pattern of the name of a mode."""
    names = [
        name
        for term in mode_vocabulary()
        for name in (term.id, *term.aliases)
        if name.lower() not in _UNCLEAR and not name.lower().startswith(("by ", "on "))
    ]
    return rf"(?:{_spaced(names)})(?:e?s)?"


@cache
def lines_pattern() -> str:
    """A pattern of the name of a line, without the word line."""
    names = [name for line in LINES for name in (line.name, *line.aliases) if name != "City"]
    bare = [name.removesuffix(" line") for name in names]
    return rf"(?:{_spaced(bare)})"


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Wish | None]], ...]:
    mode, line = modes_pattern(), lines_pattern()
    a_line = rf"(?:(?:the\s+)?(?:{line})(?:\s+lines?)?|(?:bus\s+|route\s+)[a-z]{{0,2}}\d{{1,3}})"
    listed = rf"(?:{mode}|{a_line})(?:{_JOIN}(?:{mode}|{a_line}))*"
    modes = rf"(?:the\s+|a\s+|an\s+|any\s+|my\s+)*(?:{mode})(?:{_JOIN}(?:{mode}))*"
    some_lines = rf"(?:the\s+)?{line}(?:{_JOIN}{line})*\s+lines?"
    by = r"(?:\s+(?:route|way|journey|trip|option|possible|connection))*"

    def rule(
        pattern: str, build: Callable[[re.Match[str]], Wish | None]
    ) -> tuple[re.Pattern[str], Callable[[re.Match[str]], Wish | None]]:
        return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), build

    access = CHOICES["accessibility_preference"].items()
    faster = CHOICES["journey_preference"].items()
    return (
        rule(
            rf"(?:walk(?:ing)?\s+(?:for\s+)?{_MOST}\s+{_NUMBER}{_MINUTES}(?:\s+walk(?:ing)?)?|"
            rf"{_MOST}\s+(?:a\s+)?{_NUMBER.replace('number', 'other')}{_MINUTES}\s+"
            r"(?:of\s+)?(?:walk(?:ing)?|on\s+foot))",
            _walking_limit,
        ),
        *(
            rule(rf"(?:(?:i|we)\s+)?(?:can\s+only\s+)?(?:{_spaced(words)})", _fixed(name, value))
            for name, value, words in _SPEEDS
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
                rf"(?:{_spaced((_apart(value), *words))})"
                r"(?:\s+(?:access|routes?|only|please|user|journey|stations?|all\s+the\s+way))*",
                _listed("accessibility_preference", value),
            )
            for value, words in access
            if value != "NoRequirements"
        ),
        *(
            rule(
                rf"(?:(?:with|and|by|is|as|prefer(?:ably)?|want|take|find(?:\s+me)?|the)\s+)*"
                rf"(?:{_spaced(_strong((*words, *_MORE.get(value, ()))))})"
                rf"{by}",
                _fixed("journey_preference", value),
            )
            for value, words in faster
        ),
        rule(rf"(?:and\s+)?{_NOT}\s+{_BETWEEN}(?P<what>{listed})", _avoided),
        rule(rf"{_WITH}\s+(?:only\s+|just\s+)?{_BETWEEN}(?P<what>{some_lines})", _no_choice),
        rule(
            rf"(?:(?:and|but|go|going|travel|instead)\s+)?{_WITH}\s+(?:only\s+|just\s+)?"
            rf"(?P<what>{modes})(?:\s+(?:only|instead|all\s+the\s+way|if\s+possible))?",
            _used,
        ),
        rule(rf"(?P<what>{mode}(?:{_JOIN}{mode})*)\s+only", _used),
        rule(r"on\s+foot|by\s+foot", _many({"mode": ["walking"]})),
        rule(
            r"walk(?:ing)?(?:\s+all\s+the\s+way|\s+the\s+whole\s+way|\s+only|"
            r"(?=\s+(?:from|to|there|home|back)))",
            _many({"mode": ["walking"]}),
        ),
    )


_MORE: Mapping[str, tuple[str, ...]] = {
    "LeastInterchange": (
        *("fewest number of changes", "as few changes as possible", "without changing"),
        *("without changes", "without any changes", "a direct", "direct train", "direct route"),
        *("direct bus", "direct line", "direct service", "without interchange", "not changing"),
    ),
    "LeastTime": ("as fast as possible", "as quickly as possible", "asap", "soonest"),
    "LeastWalking": (
        "as little walking as possible",
        "without walking",
        "least amount of walking",
        "least walking",
        "not much walking",
        "without much walking",
    ),
}
_SPEEDS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "walking_speed",
        "Slow",
        (
            "walk slowly",
            "walking slowly",
            "am a slow walker",
            "slow walker",
            "walk slow",
            "walking slow",
            "cannot walk fast",
            "can't walk fast",
            "walk at a slow pace",
            "walk rather slowly",
            "walk very slowly",
            "walk quite slowly",
        ),
    ),
    (
        "walking_speed",
        "Fast",
        (
            "walk fast",
            "walk quickly",
            "walk briskly",
            "am a fast walker",
            "fast walker",
            "brisk walker",
            "walking fast",
            "walk very fast",
            "walk quite fast",
        ),
    ),
)


# A negation earlier in the clause turns what follows; "why not" and "not only" are none.
_DENIED = re.compile(
    r"(?<!why\s)\b(?:(?:do|does|did|ca|wo|would|should|must)n['’]?t|dont|cannot|not(?!\s+only)|never|"
    r"hate|avoid|refuse)\b[^,.;:!?]*$",
    re.IGNORECASE,
)


def _strong(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _WEAK]


def _apart(value: str) -> str:
    """A value of the API as words: StepFreeToVehicle is "Step Free To Vehicle"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", value)


def _fixed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    return _many({name: value})


def _listed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    return _many({name: [value]})


def _many(values: Mapping[str, JsonValue]) -> Callable[[re.Match[str]], Wish]:
    return lambda match: Wish(match.start(), match.end(), values)


def _walking_limit(match: re.Match[str]) -> Wish:
    said = (match["number"] or match["other"]).lower()
    return Wish(match.start(), match.end(), {"max_walking_minutes": int(_NUMBERS.get(said, said))})


def _used(match: re.Match[str]) -> Wish | None:
    if _DENIED.search(match.string[: match.start()]):
        # "I do not ever want to go by bus"
        return _avoided(match)
    words = _parts(match["what"])
    modes = [found for word in words if (found := _mode(word))]
    if len(modes) < len(words):
        return None
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
        for one in re.split(_JOIN, kept, flags=re.IGNORECASE)
    ]
    return [one.replace("\0", " & ") for one in found if one]


def _mode(word: str) -> str:
    """The id of a mode by any of its names, in the plural too; empty if it is none."""
    if bus_route(word) and any(letter.isdigit() for letter in word):
        return ""
    for tried in (word, word.removesuffix("s"), word.removesuffix("es")):
        found = mode_vocabulary().resolve(tried, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found.term.id
    return ""
