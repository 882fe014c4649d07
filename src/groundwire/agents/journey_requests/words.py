"""Words of a request: those that ask for nothing, and those of wishes, as patterns."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from groundwire.journeys.lines.names import LINES, bus_route
from groundwire.journeys.wishes.readers import CHOICES, mode_vocabulary
from groundwire.vocabulary import Policy

WORDS: Mapping[str, Any] = tomllib.loads(
    (files(__package__ or "") / "words.toml").read_text("utf-8")
)
"""The word lists of requests, by name."""
_FILLERS = frozenset[str](WORDS["fillers"])
BEGIN_NAMES = frozenset({"london", "city", "new", "all", "long", "old", "sir"})
"""Words that say nothing unless a name begins with them: London Bridge, New Cross, Old Street."""
_MOTION = re.compile(
    r"\b(?:go|going|get|getting|travel\w*|trip|journey|route|way|head\w*|commut\w*|leav\w+|arriv\w+|"
    r"reach|visit\w*|take me|bring me|directions?|tube|bus|train|station|be at|be in|return\w*|"
    r"home|plan|meeting|ride|drive|transport|walk|cycle|depart\w*|quickest|fastest|start\w*|"
    r"how long|how far|meet)\b",
    re.IGNORECASE,
)
COORDINATES = r"-?\d{1,3}\.\d+\s*,\s*-?\d{1,3}\.\d+"
_WORD = re.compile(rf"{COORDINATES}|[\w’'&-]+")


def content(words: str) -> str:
    """Return some words without those at their ends and in them that say nothing."""
    return " ".join(word for word in _WORD.findall(words) if not _is_filler(word))


def trailing_name(words: str) -> str:
    """The name that some words end with: "show me the way Angel" is "Angel"."""
    found = _WORD.findall(words)
    for index, word in enumerate(found):
        if not _is_filler(word):
            begins = index
            while begins and _belongs(found[begins - 1], first=begins == 1):
                begins -= 1
            return " ".join(found[begins:])
    return ""


def _belongs(word: str, *, first: bool) -> bool:
    """Whether a word that says nothing is part of the name after it: "London Transport Museum"."""
    return word.lower() in BEGIN_NAMES or (word[0].isupper() and not first)


def _is_filler(word: str) -> bool:
    return word.lower().replace("’", "'") in _FILLERS


def is_motion(text: str) -> bool:
    """Whether a text speaks of travelling."""
    return _MOTION.search(text) is not None


# Words of modes that mean something else in most sentences.
_UNCLEAR = frozenset({"air", "flight", "river", "rail", "foot", "feet", "ship", "lu", "walk"})
# What says of options nothing when it stands alone.
_WEAK = frozenset({"fast", "quick", "direct", "none", "no requirement", "not needed", "slow"})
NUMBERS: Mapping[str, str] = WORDS["numbers"]
NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)})"
NUMBERED = (
    r"(?:(?:the|line|route|number|bus|tram)\s+)+(?:\d{1,3}(?-i:[A-Z]?)|(?-i:[A-Z]))(?![\w:.,]*\d|\w)"
    r"(?!\s?(?:am|pm|a\.m|p\.m|of|uhr|o['’]?clock|%|min|hours?|h\b|days?|weeks?|stops?|stations?|"
    r"changes?|plans?|options?|trips?|ways?|people|trains?|legs?|minutes?|Januar|Febru|Apri|Ma[ry])|"
    r"\s(?-i:[A-Z][a-z]+))(?:\s+(?:bus|tram|ferry)\b)?"
)
"""A line that is called by a number or letter: "the 5", "bus A"; no day of a month, no count."""
MOST = (
    r"(?:max(?:imum)?(?:\s+of)?|at\s+most|no\s+more\s+than|not\s+more\s+than|up\s+to|under|"
    r"less\s+than|no\s+longer\s+than)"
)
MINUTES = r"[\s-]*min(?:ute)?s?['’]?"
NOT = (
    r"(?:no|not|without|avoid(?:ing|s)?|except|but\s+not|skip(?:ping)?|"
    r"(?:any|every)(?:thing|\s+lines?|\s+way)?\s+(?:but|except|other\s+than|apart\s+from)|"
    r"(?:stay|keep|steer)(?:ing)?\s+(?:well\s+)?(?:off|clear\s+of|away\s+from|out\s+of)|"
    r"instead\s+of|rather\s+than|"
    r"never(?:\s+(?:take|put)\s+me|\s+(?:ever\s+)?(?:want|wish|like)(?:\s+to)?)?|(?:do\s*n['’]?o?t|doesn['’]t|can\s*(?:no|['’])t|won['’]t|"
    r"rather\s+not|hate|dislike|afraid\s+of)(?:\s+(?:want|like|wish)(?:\s+to)?)?)"
)
BETWEEN = (
    r"(?:(?:to|taking|take|use|using|go|going|travel|travell?ing|by|on|the|any|a|my|with|all)\s+)*"
)
WITH = (
    r"(?:by|on|using|uses?|takes?|taking|prefer(?:ring|s)?|rid(?:e|ing)|only|just|with|via|"
    r"instead\s+by|stick(?:ing)?\s+to|in)"
)
# "Tube or bus?" leaves the choice; "the bus or tube station" is a place.
OR = r"(?:or\b|/)\s*(?:(?:by|on|take|taking|just|rather|the|an?)\s+)*"
STATION = r"(?!\s*(?:stations?|stops?|lane|museum)\b)"
JOIN = r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|/|\+|\bnor\b)\s*(?:by\s+|on\s+|the\s+|a\s+)*"
_MORE: Mapping[str, Sequence[str]] = WORDS["preferences"]
UNABLE = (
    r"(?:can['’]?t|cannot|can\s+not|(?:don['’]?t|do\s+not)\s+(?:want|like|wish)\s+to|"
    r"(?:am|are)\s+(?:unable|not\s+able)\s+to|struggle\s+(?:with|to)|would\s+rather\s+not)"
)
USE = r"(?:(?:do|manage|use|climb|take|handle|cope\s+with|get\s+(?:up|down)|any|many|the)\s+)*"
IF_POSSIBLE = r"(?:\s+if\s+(?:at\s+all\s+)?possible)?"
TOWARDS = r"(?=\s+(?:on\s+)?(?:from|to|between)\b)"
BEGINS = r"(?:(?<![\w'’] )|(?<=\bthen ))(?<![\w'’])"
"""Where a part of a request begins: "tube to Oval", "then tube to Oval"."""
OBSTACLES: Mapping[str, str] = WORDS["obstacles"]
"""What people cannot or will not use in a station, with the value that spares them."""
TRAINS = ("tube", "dlr", "overground", "elizabeth-line", "national-rail")
_AT = ("walk at", "walk at an", "walk at a", "walking at", "walking at a")
_SPEED_IS = tuple(
    f"walking {noun} {link}".rstrip()
    for noun in ("speed", "pace")
    for link in ("to", "is", "as", "to be", "")
)
_AVERAGE = ("average", "normal", "medium", "moderate", "usual")
SPEEDS: Mapping[str, tuple[str, ...]] = {
    "Average": (
        *(
            f"{lead} {word} {noun}"
            for lead in _AT
            for word in _AVERAGE
            for noun in ("speed", "pace")
        ),
        *(f"{lead} {word}" for lead in _SPEED_IS for word in _AVERAGE),
    ),
    "Slow": (
        *("walk slowly", "walking slowly", "am a slow walker", "slow walker", "walk slow"),
        *("walking slow", "cannot walk fast", "can't walk fast", "walk at a slow pace"),
        *("walk rather slowly", "walk very slowly", "walk quite slowly"),
        *(f"{lead} slow" for lead in _SPEED_IS),
    ),
    "Fast": (
        *("walk fast", "walk quickly", "walk briskly", "am a fast walker", "fast walker"),
        *("brisk walker", "walking fast", "walk very fast", "walk quite fast"),
        *(f"{lead} {word}" for lead in _SPEED_IS for word in ("fast", "quick", "brisk")),
    ),
}
"""Walking speeds by what people say of themselves."""


FIRST_AND_LAST = (
    ("(?:train|service|connection|departure|metro|subway)s?", ""),
    ("tubes?", "tube"),
    ("bus(?:es)?", "bus"),
    ("trams?", "tram"),
    ("boats?|ferry|ferries", "river-bus"),
    ("cable\\s+cars?|gondolas?|funiculars?", "cable-car"),
)
"""What first and last are said of, and the mode that it names."""


_NOT_ON_FOOT = (
    *("no", "not", "less", "much", "little", "least", "without", "avoid", "avoiding", "of", "and"),
    *("any", "some", "more", "min", "mins", "minute", "minutes", "minimal", "minimum", "hate"),
    *("like", "for", "by"),
)
WALKING_BEHIND = (
    "".join(rf"(?<!\b{word}\s)" for word in _NOT_ON_FOOT)
    + r"walking(?=\s*(?:please\s*)?(?:[.,;?!]|$))"
    r"|how\s+long\s+(?:would|does|will|is)\s+(?:it|that)\s+(?:take\s+)?(?:(?:me|us)\s+)?to\s+walk"
    r"(?:\s+(?:it|there|that))?(?=\s*[?.!]*$)"
)
"""Behind a trip: "from Oval to Bank walking", not "no walking" or "10 minutes walking"."""
_PART = r"(?:part(?:ly|ially)?|bit|some|half|stretch|first|begin\w*)"
_RIDES = r"(?:cycl(?:e|ing)|bik(?:e|ing)|rid(?:e|ing))"
CYCLES_A_PART = re.compile(
    rf"\b{_RIDES}\b[^,.;:!?]{{0,12}}\b{_PART}\b|\b{_PART}\b[^,.;:!?]{{0,24}}\b{_RIDES}\b",
    re.IGNORECASE,
)
"""A part of the way by bike, which leaves open what becomes of the bike."""


def any_of(names: Iterable[str]) -> str:
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
    return rf"(?:{any_of(names)})(?:e?s)?"


@cache
def lines_pattern() -> str:
    """A pattern of the name of a line, without the word line."""
    names = [name for line in LINES for name in (line.name, *line.aliases) if name != "City"]
    bare = [name.removesuffix(" line") for name in names]
    return rf"(?:{any_of(bare)})"


def ways_of(preference: str) -> list[str]:
    """List what people say for a preference among ways: "fewest changes", "as fast as possible"."""
    words = (*CHOICES["journey_preference"][preference], *_MORE.get(preference, ()))
    return [word for word in words if word not in _WEAK]


def apart(value: str) -> str:
    """A value of the API as words: StepFreeToVehicle is "Step Free To Vehicle"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", value)


def parts_of(listed: str) -> list[str]:
    """The names of a list; a line whose own name holds "and" stays whole."""
    kept = re.sub(
        r"(hammersmith|waterloo|h|w)\s*(?:and|&)\s*(city|c)\b", r"\1 & \2", listed, flags=re.I
    )
    kept = re.sub(r"(?<!\s)\s*&\s*(?=city|c\b)", "\0", kept, flags=re.IGNORECASE)
    found = [
        re.sub(
            r"^(?:(?:by|on|just|take|taking|the|an?|any|my)\s+)+",
            "",
            one.strip(),
            flags=re.IGNORECASE,
        )
        for one in re.split(JOIN, kept, flags=re.IGNORECASE)
    ]
    return [one.replace("\0", " & ") for one in found if one]


def modes_named(word: str) -> tuple[str, ...]:
    """The modes that a name stands for: in London, a train may run on any rail."""
    return TRAINS if word.lower() in ("train", "trains") else (mode_named(word),)


def mode_named(word: str) -> str:
    """The id of a mode by any of its names, in the plural too; empty if it is none."""
    if bus_route(word) and any(letter.isdigit() for letter in word):
        return ""
    for tried in (word, word.removesuffix("s"), word.removesuffix("es")):
        found = mode_vocabulary().resolve(tried, Policy.CANDIDATES_ONLY)
        if found.term is not None:
            return found.term.id
    return ""
