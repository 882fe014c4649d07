"""The wishes of a request: modes, lines and stops to avoid, steps, changes, walking, bicycles.

Each is found where it stands, so that its words are not taken for a place. The words are those of
the vocabularies of journeys; what they mean is decided there, when the tool is called. The name of
a stop begins with a capital letter; whether it is that of a stop, the planner knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from pydantic import JsonValue

from groundwire.agents.journey_requests.words import (
    BEGINS,
    BETWEEN,
    FIRST_AND_LAST,
    IF_POSSIBLE,
    JOIN,
    MINUTES,
    MOST,
    NOT,
    NUMBER,
    NUMBERED,
    NUMBERS,
    OBSTACLES,
    OR,
    SPEEDS,
    STATION,
    TOWARDS,
    UNABLE,
    USE,
    WALKING_BEHIND,
    WITH,
    any_of,
    apart,
    content,
    lines_pattern,
    mode_named,
    modes_named,
    modes_pattern,
    parts_of,
    ways_of,
)
from groundwire.journeys.wishes.readers import CHOICES

# "on the", "of" and "&" stand within names: Harrow on the Hill, Elephant & Castle.
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_WORD = r"(?:St\.|(?-i:[A-ZÄÖÜ])[\w’'&-]*+)"
_NAME = rf"{_WORD}(?:\s(?:&\s|on\sthe\s|of\s)?(?!{_DAY}){_WORD})*+"
_NO_STOP = (
    r"(?!(?:Zones?|Central\s+London|Inner\s+London|London(?!\s+\w)|Oyster|Uber|TfL|Wi-?Fi|Rush|Peak|I|"
    rf"Christmas|Easter|{_DAY})(?!\w))"
)
_ALSO = r",?\s(?:and|or|nor)\s(?:(?:the|via|through|at)\s)?"
_NAMES = (
    rf"(?:the\s+)?(?P<stops>{_NO_STOP}{_NAME}(?:(?:,\s{_NAME})*{_ALSO}{_NAME}(?!\s+to\b))?)"
    r"(?:\s+(?:tube\s+)?stations?)?"
)
_SAID = (
    r"(?:(?:and|but|please)\s+)*(?:(?:i|we)(?:['’]d)?\s+"
    r"(?:(?:would\s+)?(?:want|need|like|rather|prefer|have)\s+(?:to\s+)?)?)?"
)
_PASSING = (
    r"(?:(?:(?:go(?:ing)?|travel(?:l?ing)?|rid(?:e|ing)|com(?:e|ing)|(?:rout|tak|send)(?:e|ing)?\s+me|"
    r"be(?:ing)?\s+(?:sent|routed))\s+)?(?:via|through|thru|by\s+way\s+of|past)|"
    r"pass(?:ing)?(?:\s+(?:through|by))?|(?:stop(?:ping)?|call(?:ing)?)\s+at)"
)
_CHANGING = (
    r"(?:chang(?:e|es|ing)|transfer(?:s|ring)?|interchang(?:e|es|ing)|switch(?:ing)?)"
    r"(?:\s+(?:trains?|lines?|tubes?))?\s+(?:at|in)"
)
_KEEPING = (
    r"(?:avoid(?:ing|s)?|(?:steer|keep|stay)(?:ing)?\s+(?:well\s+)?(?:clear\s+of|away\s+from|out\s+of)|"
    r"bypass(?:ing)?|skip(?:ping|s)?|leav(?:e|ing)\s+out|without|"
    r"any(?:thing|where|\s+way|\s+route)\s+(?:but|except|other\s+than))"
)
BESIDE_LINES = (
    rf"(?:\s(?:and|or|nor)\s(?:the\s)?(?P<stops>{_NO_STOP}{_NAME})(?!\s+(?:to\b|lines?\b)))?"
)
"""A stop that is named after lines: "avoiding the Central line and Oxford Circus"."""
CHANGES_AVOIDED = rf"{_SAID}{NOT}\s+(?:(?:to|have|any)\s+)*{_CHANGING}\s+{_NAMES}"
STOPS_PASSED = rf"{_SAID}{NOT}\s+(?:to\s+)?{_PASSING}\s+{_NAMES}"
# "dont go thru bank": who writes without capitals names stops so too.
_LOWER = r"(?P<stops>[a-z'’]+(?:\s[a-z'’]+){0,2})(?=\s*(?:[,.;:!?]|$))"
LOWER_PASSED = rf"{_SAID}{NOT}\s+(?:to\s+)?{_PASSING}\s+{_LOWER}"
LOWER_CHANGES = rf"{_SAID}{NOT}\s+(?:(?:to|have|any)\s+)*{_CHANGING}\s+{_LOWER}"
STATIONS_AVOIDED = rf"{_SAID}{_KEEPING}\s+(?:both\s+)?{_NAMES.removesuffix('?')}"
STOPS_AVOIDED = rf"{_SAID}{_KEEPING}\s+{_NAMES}"


def stop_names(match: re.Match[str]) -> list[str]:
    """Return the names of the stops; two that "and" joins stay together, as one name may be."""
    return re.split(r",\s(?!and\s|or\s|nor\s)", match["stops"])


__all__ = ["Wish", "find_wishes", "lines_pattern", "merged", "modes_pattern"]

_NO_RANKING = "ways of travelling can be asked for or avoided, but not ranked"


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish of a request.

    Attributes:
        start, end: where it stands.
        values: options by name; empty where no option grants it.
        note: what of it no option grants, as a sentence, or empty.
        leg: the trip of the request that it is said of, from 0 (-1: the last); None for all.
        words: what was said, where it is of one trip.
    """

    start: int
    end: int
    values: Mapping[str, JsonValue]
    note: str = ""
    leg: int | None = None
    words: str = ""


# A negation earlier in the clause turns what follows; "why not" and "not only" are none.
_DENIED = re.compile(
    r"(?<!why\s)\b(?:(?:do|does|did|ca|wo|would|should|must)n['’]?t|dont|cannot|not(?!\s+only)|never|"
    r"hate|avoid|refuse)\b[^,.;:!?]*$|\b(?:rather|sooner)\b[^,.;:!?]*\bthan\s+$",
    re.IGNORECASE,
)
_PREFERRED = re.compile(r"\b(?:prefer|ideally|if\s+(?:at\s+all\s+)?possible)", re.IGNORECASE)


def find_wishes(text: str) -> list[Wish]:
    """The wishes of a text, in order and without overlap; those tried first win."""
    found: list[Wish] = []
    for pattern, build in _rules():
        for match in pattern.finditer(text):
            if any(match.start() < one.end and one.start < match.end() for one in found):
                continue
            wish = build(match)
            if wish is not None and _is_unneeded(wish, text[: match.start()]):
                wish = replace(wish, values={}, note=_UNNEEDED.format(match[0].strip()))
            if wish is not None:
                found.append(_of_one_leg(text, wish))
    return sorted(found, key=lambda one: one.start)


# "I no longer need step-free" asks for nothing.
_NOT_NEEDED = re.compile(
    r"(?:\bno\s+longer|n['’]t|\bnot|\bhardly|\bnever|\bwithout)(?:\s+(?:really|always|usually|"
    r"generally|ever|necessarily))?(?:\s+(?:need(?:ing)?|want|require|prefer|like|have|be))?"
    r"(?:\s+(?:to|a|an|the|it|my|be|always))*\s*$",
    re.IGNORECASE,
)
_UNNEEDED = "That “{}” is not needed changes nothing: a default is dropped with “forget my ...”."
_BEFORE = 80


def _is_unneeded(wish: Wish, before: str) -> bool:
    """Whether a wish is said not to be one."""
    needs = {"accessibility_preference", "journey_preference", "walking_speed"}
    return (
        bool(wish.values)
        and set(wish.values) <= needs
        and bool(_NOT_NEEDED.search(before[-_BEFORE:]))
    )


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
    a_line = (
        rf"(?:(?:the\s+)?(?:{line})(?!\s+london)(?:\s+lines?)?|"
        r"(?:bus\s+|route\s+)[a-z]{0,2}\d{1,3}|"
        # "U2", "M10", "S41": lines of other cities go by their codes.
        r"(?:the\s+)?(?:(?:line|tram)\s+)?(?-i:[A-Z]{1,3})\s?\d{1,3}(?:\s+line)?|"
        rf"{NUMBERED})"
    )
    ways = rf"(?:{mode}|{a_line})(?:{JOIN}(?:{mode}|{a_line}))*"
    modes = rf"(?:the\s+|a\s+|an\s+|any\s+|my\s+)*(?:{mode})(?:{JOIN}(?:{mode}))*"
    is_there = r"(?:is|are)\s+there(?:\s+still)?"
    code = r"(?:(?:line|tram)\s+)?(?-i:[A-Z]{1,3})\s?\d{1,3}"
    named = rf"(?:the\s+)?(?:{line}(?:{JOIN}{line})*\s+lines?|{code}(?:{JOIN}{code})*)"
    some_lines = rf"(?:{named}|{NUMBERED})"
    runs = r"(?:trains?|tubes?|services?|trams?|bus(?:es)?|metros?)"
    # "the last Victoria line tube", "the first M10", "the last train of the U2", "the first A from"
    of_line = (
        rf"(?P<line>{line}\s+(?:lines?(?:\s+{runs})?|{runs})|{code}(?:\s+{runs})?|"
        rf"(?:bus|tram|line|route)\s+\d{{1,3}}(?-i:[A-Z]?)(?![\w:.])|\d{{1,3}}\s+(?:bus|tram)|"
        rf"\d{{1,3}}(?-i:[A-Z]?)(?=\s+(?:from|out|leav|to|on|off|at)|\s*[?.,]|\s*$)(?:\s+out)?|"
        rf"(?-i:[A-Z][\w-]*(?:\s[A-Z][\w-]*){{0,2}})\s{runs}(?=\s+(?:from|leaves?)\b)|"
        rf"{runs}\s+(?:on|of)\s+(?:the\s+)?(?:{line}(?:\s+lines?)?|{code})|"
        r"(?-i:[A-Z][\w-]*(?:\s[A-Z][\w-]*){0,2})(?=\s+(?:from|leaves?)\b))"
    )
    one_obstacle = any_of(OBSTACLES)
    obstacles = rf"(?:{one_obstacle})(?:{JOIN}(?:{one_obstacle}))*"
    either = rf"(?:{mode}|walk|cycle)"
    by = r"(?:\s+(?:route|way|journey|trip|option|possible|connection))*"

    def rule(
        pattern: str, build: Callable[[re.Match[str]], Wish | None]
    ) -> tuple[re.Pattern[str], Callable[[re.Match[str]], Wish | None]]:
        return re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), build

    access = CHOICES["accessibility_preference"].items()
    return (
        rule(CHANGES_AVOIDED, _stops("avoid_changes")),
        rule(STOPS_PASSED, _stops("avoid_stops")),
        rule(LOWER_PASSED, _in_lower_case("avoid_stops")),
        rule(LOWER_CHANGES, _in_lower_case("avoid_changes")),
        rule(rf"{STATIONS_AVOIDED}(?:\s+(?:and|or|nor)\s+(?P<what>{some_lines}))?", _kept_off),
        rule(
            rf"(?:walk(?:ing)?\s+(?:for\s+)?{MOST}\s+{NUMBER}{MINUTES}(?:\s+walk(?:ing)?)?|"
            rf"{MOST}\s+(?:a\s+)?{NUMBER.replace('number', 'other')}{MINUTES}\s+"
            r"(?:of\s+)?(?:walk(?:ing)?|on\s+foot)|"
            rf"(?:(?:i|we)\s+)?{UNABLE}\s+walk\s+(?:for\s+)?(?:more|longer|further)\s+than\s+"
            rf"{NUMBER.replace('number', 'third')}{MINUTES}|"
            rf"(?:no|not)\s+walk(?:ing|s)?\s+(?:for\s+|of\s+)?(?:more|longer|over|above)\s+(?:than\s+)?"
            rf"{NUMBER.replace('number', 'fourth')}{MINUTES})",
            _minutes("max_walking_minutes"),
        ),
        rule(
            rf"{MOST}\s+{NUMBER}{MINUTES}\s+(?:between\s+(?:trains|lines|services|connections|legs)|"
            r"(?:to|for)\s+(?:chang(?:e|es|ing)|interchang(?:e|es|ing)|transfers?|connections?)|"
            r"(?:of\s+)?(?:transfer|interchange|changing)(?:\s+time)?)",
            _minutes("max_transfer_minutes"),
        ),
        rule(
            rf"(?:{NOT}|(?:so\s+)?(?:i|we)\s+{UNABLE})\s+{BETWEEN}{USE}(?P<what>{obstacles})",
            spared,
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
            r"(?:own\s+)?(?:bikes?|bicycles?)(?:\s+(?:on\s+(?:board|the\s+(?:train|tube))|along|with\s+me))*",
            _fixed("cycle_preference", "TakeOnTransport"),
        ),
        rule(
            r"(?<!hire )(?<!hired )(?<!rental )(?<!rented )(?<!shared )(?<!santander )(?<!boris )"
            r"(?:cycl(?:e|ing)|bik(?:e|ing))(?:\s+(?:all\s+the|the\s+whole)\s+way)?"
            r"(?=\s+(?:from|to|there|home|back|into|all))",
            _many({"mode": ["cycle"], "cycle_preference": "AllTheWay"}),
        ),
        *(
            rule(
                rf"(?:when(?:['’]s|\s+is)\s+)?(?:the\s+)?(?:very\s+)?(?:{which})\s+(?:possible\s+)?"
                rf"(?:{vehicle})",
                _first_or_last({"adjustment": value, **({"mode": [mode]} if mode else {})}),
            )
            for which, value in (("last|latest|final", "TripLast"), ("first|earliest", "TripFirst"))
            for vehicle, mode in ((of_line, ""), *FIRST_AND_LAST)
        ),
        *(
            rule(
                rf"(?:(?:with|and|be|is|it\s+to\s+be|needs?(?:\s+to\s+be)?|must\s+be|i['’]?m\s+in\s+a|"
                rf"in\s+a|for\s+a|requires?|want)\s+)?(?:an?\s+)?"
                rf"(?:{any_of((apart(value), *words))})"
                r"(?:\s+(?:access|routes?|only|please|user|journey|stations?|all\s+the\s+way))*",
                listed("accessibility_preference", value),
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
        rule(rf"(?:and\s+)?{NOT}\s+{BETWEEN}(?P<what>{ways}){BESIDE_LINES}", _avoided),
        rule(STOPS_AVOIDED, _stops("avoid_stops")),
        rule(
            rf"{WITH}\s+(?:only\s+|just\s+)?{BETWEEN}(?P<what>{some_lines})(?:\s+only)?", _by_line
        ),
        rule(
            rf"(?:(?:only|just)\s+)?(?:{WITH}|get|catch)\s+(?:the\s+)?(?:number\s+|bus\s+|route\s+)*"
            r"(?:[a-z]{0,2}\d{1,3}\s+(?:bus|tram)|(?<=bus\s)[a-z]{0,2}\d{1,3})",
            _by_line,
        ),
        rule(
            r"(?:(?:preferably|ideally|prefer|by|the|an?)\s+)*"
            rf"(?P<what>{either}(?:\s*,?\s*{OR}{either})+){IF_POSSIBLE}{STATION}",
            _used,
        ),
        rule(
            rf"(?:(?:and|but|go|going|travel|instead|preferably|ideally)\s+)*{WITH}\s+"
            rf"(?:only\s+|just\s+)?(?P<what>{modes})"
            r"(?:\s+(?:only|instead|all\s+the\s+way|if\s+(?:at\s+all\s+)?possible))?",
            _used,
        ),
        # "Which bus goes to Bank", "get a boat from Bank", "tube to Oval"
        rule(
            rf"(?:which|what)\s+(?P<what>{mode})(?=\s+(?:do|does|should|can|could|will|would|to|goes|takes)\b)",
            _used,
        ),
        rule(
            rf"(?:get|catch|catching|getting|find|{is_there})\s+(?:me\s+)?(?P<what>{modes}){TOWARDS}",
            _used,
        ),
        rule(
            rf"(?:{is_there}\s+(?:an?|any)|(?:the\s+)?next)\s+(?P<what>{some_lines}){TOWARDS}",
            _by_line,
        ),
        rule(rf"{BEGINS}(?:(?:the|a|any)\s+)?(?P<what>{mode}){IF_POSSIBLE}{TOWARDS}", _used),
        rule(rf"{BEGINS}(?P<what>{named}){TOWARDS}", _by_line),
        rule(rf"(?P<what>{mode}(?:{JOIN}{mode})*)\s+only", _used),
        # "the tube from Angel to Bank, or the bus?"
        rule(rf"{OR}(?P<what>{either})(?=\s*(?:[.,;?!]|$))", _used),
        rule(
            rf"(?:{NOT}|(?:i|we)\s+{UNABLE})\s+(?:to\s+)?chang(?:e|ing)(?:\s+(?:trains?|lines?|tubes?))?"
            r"(?!\s+(?:at|my|our|your|the|any\s+(?:of|settings?|defaults?)|anything|it|that|this))",
            _fixed("journey_preference", "LeastInterchange"),
        ),
        rule(rf"on\s+foot|by\s+foot|{WALKING_BEHIND}", _many({"mode": ["walking"]})),
        rule(
            r"walk(?:ing)?(?:\s+all\s+the\s+way|\s+the\s+whole\s+way|\s+only|"
            r"(?=\s+(?:from|to|there|home|back|than)))",
            _walked,
        ),
    )


_LINE_ALONE = re.compile(
    r"\b(?:the|lines?|trains?|tubes?|services?|trams?|bus(?:es)?|metros?|on|of|out|route|number|by|take)\b",
    re.IGNORECASE,
)
_LINE_NAME = re.compile(r"[A-Z][\w-]*(?:\s(?!Line)[A-Z][\w-]*)*")
_LINE_NOUN = re.compile(r"^the\s+|^(?:line|number)\s+(?=\d)|(?<!\s)\s+lines?$", re.IGNORECASE)
_LEADS_TO_LINE = re.compile(rf"^(?:(?:{WITH}|get|catch|the|number|line|bus)\s+)+", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:only|there|next)\b", re.IGNORECASE)
_OF_A_DAY = re.compile(
    r"\b(?:first|last|earliest|latest)\s+(?:train|tube|service|tram|bus|connection|departure|metro)\b",
    re.IGNORECASE,
)


# fmt: off
_LEGS: Mapping[str, int] = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "last": -1, "final": -1, "back": -1, "home": -1, "return": -1, "there": 0, "out": 0,
    "outward": 0, "outbound": 0,
}
# fmt: on
_OF_LEG = re.compile(
    rf"\s+(?:on|for|during|in)\s+the\s+(?:(?:way|journey|trip|leg)\s+(?P<way>back|home|there|out)|"
    rf"(?P<which>{any_of(_LEGS)})(?:\s+(?:leg|trip|journey|part|stretch|one|way))|(?P<back>return))\b",
    re.IGNORECASE,
)


def _of_one_leg(text: str, wish: Wish) -> Wish:
    """A wish with the trip that is named after it: "no tube on the way back"."""
    said = _OF_LEG.match(text, wish.end)
    if said is None:
        return wish
    leg = _LEGS[(said["way"] or said["which"] or said["back"]).lower()]
    return replace(wish, end=said.end(), leg=leg, words=text[wish.start : said.end()])


def spared(match: re.Match[str]) -> Wish:
    """Stairs, escalators and lifts that one cannot or will not use."""
    named = re.findall(any_of(OBSTACLES), match["what"], re.IGNORECASE)
    spared = dict.fromkeys(OBSTACLES[one.lower()] for one in named)
    return Wish(match.start(), match.end(), {"accessibility_preference": list(spared)})


def _fixed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    """One value of one option."""
    return _many({name: value})


def listed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    """One value of an option that takes several."""
    return _many({name: [value]})


def _stops(name: str) -> Callable[[re.Match[str]], Wish]:
    """Stops to keep clear of, or not to change at."""
    return lambda match: Wish(match.start(), match.end(), {name: list(stop_names(match))})


def _kept_off(match: re.Match[str]) -> Wish:
    """Stations to keep clear of, and lines beside them."""
    wish = _stops("avoid_stops")(match)
    lines = _LINE_NOUN.sub("", match["what"] or "")
    named = {"avoid_lines": list(parts_of(lines))} if lines else {}
    return replace(wish, values={**wish.values, **named})


def _first_or_last(values: Mapping[str, JsonValue]) -> Callable[[re.Match[str]], Wish]:
    """The first or last service of a day, of one line where it is named."""

    def made(match: re.Match[str]) -> Wish:
        said = match.groupdict().get("line")
        if not said:
            return Wish(match.start(), match.end(), values)
        named = _LINE_NAME.fullmatch(said)
        only: list[JsonValue] = [said if named else _LINE_ALONE.sub("", said).strip()]
        return Wish(match.start(), match.end(), {**values, "only_lines": only})

    return made


def _in_lower_case(name: str) -> Callable[[re.Match[str]], Wish | None]:
    """Stops of an option in a text without capital letters; None in any other."""
    made = _stops(name)
    return lambda match: made(match) if match.string == match.string.lower() else None


def _many(values: Mapping[str, JsonValue]) -> Callable[[re.Match[str]], Wish]:
    """Values of several options."""
    return lambda match: Wish(match.start(), match.end(), values)


def _walked(match: re.Match[str]) -> Wish | None:
    """Return the wish to go on foot, or None where "walk" ends a name ("Belgrave Walk")."""
    before = re.search(r"(?<![\w'])([\w']+)\s+$", match.string[: match.start()])
    named = before is not None and content(before[1])
    return None if named else Wish(match.start(), match.end(), {"mode": ["walking"]})


def _minutes(name: str) -> Callable[[re.Match[str]], Wish]:
    """The minutes of an option, whichever of the ways to say them is meant."""

    def made(match: re.Match[str]) -> Wish:
        said = next(filter(None, match.groupdict().values())).lower()
        return Wish(match.start(), match.end(), {name: int(NUMBERS.get(said, said))})

    return made


def _used(match: re.Match[str]) -> Wish | None:
    """The modes to travel by; those to avoid, where it is said of what one does not want."""
    if _DENIED.search(match.string[: match.start()]):
        # "I do not ever want to go by bus"
        return _avoided(match)
    words = parts_of(match["what"])
    if any(not mode_named(word) for word in words):
        return None
    modes = [mode for word in words for mode in modes_named(word)]
    if _PREFERRED.search(match[0]):
        said, only = " ".join(match[0].split()), " or ".join(dict.fromkeys(map(mode_named, words)))
        note = f"“{said}” is not taken into account: {_NO_RANKING}; say “only by {only}” for that."
        return Wish(match.start(), match.end(), {}, note)
    return Wish(match.start(), match.end(), {"mode": list(dict.fromkeys(modes))})


def _avoided(match: re.Match[str]) -> Wish | None:
    """The modes and lines to avoid."""
    modes: list[JsonValue] = []
    lines: list[JsonValue] = []
    for word in parts_of(match["what"]):
        found = mode_named(word)
        if found and not word.lower().endswith((" line", " lines")):
            modes.append(found)
        else:
            lines.append(_LINE_NOUN.sub("", word))
    values: dict[str, JsonValue] = {}
    if modes:
        values["avoid_modes"] = modes
    if lines:
        values["avoid_lines"] = lines
    if match.groupdict().get("stops"):
        values["avoid_stops"] = list(stop_names(match))
    return Wish(match.start(), match.end(), values)


def _by_line(match: re.Match[str]) -> Wish:
    """Lines to travel by: alone where that is said, or of the first or last of a day."""
    what = " ".join((match.groupdict().get("what") or match[0]).split())
    if _ALONE.search(match[0]) or _OF_A_DAY.search(match.string):
        lines = [_LINE_ALONE.sub("", one).strip() for one in parts_of(what)]
        return Wish(match.start(), match.end(), {"only_lines": list(lines)})
    said, only = " ".join(match[0].split()), _LEADS_TO_LINE.sub("", what)
    note = f"“{said}” is not taken into account: say “only by the {only}” for that."
    return Wish(match.start(), match.end(), {}, note)
