"""The wishes of a request: modes, lines to avoid, steps, changes, walking, bicycles.

Each is found where it stands, so that its words are not taken for a place. The words are those of
the vocabularies of journeys; what they mean is decided there, when the tool is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from pydantic import JsonValue

from groundwire.agents.journey_requests.wish_values import (
    Wish,
    avoided,
    fixed,
    listed,
    many,
    no_choice,
    spared,
    transfer_limit,
    used,
    walked,
    walking_limit,
)
from groundwire.agents.journey_requests.wish_words import (
    BETWEEN,
    IF_POSSIBLE,
    JOIN,
    MINUTES,
    MOST,
    NOT,
    NUMBER,
    OBSTACLES,
    OR,
    SPEEDS,
    STATION,
    TOWARDS,
    UNABLE,
    USE,
    WITH,
    any_of,
    apart,
    lines_pattern,
    modes_pattern,
    ways_of,
)
from groundwire.journeys.wishes.values import CHOICES

__all__ = ["Wish", "find_wishes", "lines_pattern", "merged", "modes_pattern"]


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
        r"(?:the\s+)?(?:(?:line|tram)\s+)?(?-i:[A-Z]{1,3})\s?\d{1,3}(?:\s+line)?)"
    )
    ways = rf"(?:{mode}|{a_line})(?:{JOIN}(?:{mode}|{a_line}))*"
    modes = rf"(?:the\s+|a\s+|an\s+|any\s+|my\s+)*(?:{mode})(?:{JOIN}(?:{mode}))*"
    some_lines = rf"(?:the\s+)?{line}(?:{JOIN}{line})*\s+lines?"
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
        rule(
            rf"(?:walk(?:ing)?\s+(?:for\s+)?{MOST}\s+{NUMBER}{MINUTES}(?:\s+walk(?:ing)?)?|"
            rf"{MOST}\s+(?:a\s+)?{NUMBER.replace('number', 'other')}{MINUTES}\s+"
            r"(?:of\s+)?(?:walk(?:ing)?|on\s+foot)|"
            rf"(?:(?:i|we)\s+)?{UNABLE}\s+walk\s+(?:for\s+)?(?:more|longer|further)\s+than\s+"
            rf"{NUMBER.replace('number', 'third')}{MINUTES})",
            walking_limit,
        ),
        rule(
            rf"{MOST}\s+{NUMBER}{MINUTES}\s+(?:between\s+(?:trains|lines|services|connections|legs)|"
            r"(?:to|for)\s+(?:chang(?:e|es|ing)|interchang(?:e|es|ing)|transfers?|connections?)|"
            r"(?:of\s+)?(?:transfer|interchange|changing)(?:\s+time)?)",
            transfer_limit,
        ),
        rule(
            rf"(?:{NOT}|(?:so\s+)?(?:i|we)\s+{UNABLE})\s+{BETWEEN}{USE}(?P<what>{obstacles})",
            spared,
        ),
        *(
            rule(rf"(?:(?:i|we)\s+)?(?:{any_of(words)})", fixed("walking_speed", value))
            for value, words in SPEEDS.items()
        ),
        rule(
            r"(?:leav(?:e|ing)|park(?:ing)?)\s+(?:my|the|a)\s+(?:bike|bicycle|cycle)\s+at\s+"
            r"(?:the|a)\s+station",
            fixed("cycle_preference", "LeaveAtStation"),
        ),
        rule(
            r"(?:with|tak(?:e|ing)|bring(?:ing)?|carry(?:ing)?)\s+(?:my|a|our|the)\s+"
            r"(?:own\s+)?(?:bikes?|bicycles?)(?:\s+(?:on\s+(?:board|the\s+(?:train|tube))|along|with\s+me))?",
            fixed("cycle_preference", "TakeOnTransport"),
        ),
        rule(
            r"(?:cycl(?:e|ing)|bik(?:e|ing))(?:\s+(?:all\s+the|the\s+whole)\s+way)?"
            r"(?=\s+(?:from|to|there|home|back|into|all))",
            many({"mode": ["cycle"], "cycle_preference": "AllTheWay"}),
        ),
        rule(
            r"(?:the\s+)?(?:very\s+)?last\s+(?:possible\s+)?(?:train|tube|bus|tram|service|boat)",
            fixed("adjustment", "TripLast"),
        ),
        rule(
            r"(?:the\s+)?(?:very\s+)?first\s+(?:possible\s+)?(?:train|tube|bus|tram|service|boat)",
            fixed("adjustment", "TripFirst"),
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
                fixed("journey_preference", value),
            )
            for value in CHOICES["journey_preference"]
        ),
        rule(rf"(?:and\s+)?{NOT}\s+{BETWEEN}(?P<what>{ways})", avoided),
        rule(rf"{WITH}\s+(?:only\s+|just\s+)?{BETWEEN}(?P<what>{some_lines})", no_choice),
        rule(
            rf"(?:{WITH}|get|catch)\s+(?:the\s+)?(?:number\s+|bus\s+|route\s+)*"
            r"(?:[a-z]{0,2}\d{1,3}\s+(?:bus|tram)|(?<=bus\s)[a-z]{0,2}\d{1,3})",
            no_choice,
        ),
        rule(
            r"(?:(?:preferably|ideally|prefer|by|the|an?)\s+)*"
            rf"(?P<what>{either}(?:\s*,?\s*{OR}{either})+){IF_POSSIBLE}{STATION}",
            used,
        ),
        rule(
            rf"(?:(?:and|but|go|going|travel|instead|preferably|ideally)\s+)*{WITH}\s+"
            rf"(?:only\s+|just\s+)?(?P<what>{modes})"
            r"(?:\s+(?:only|instead|all\s+the\s+way|if\s+(?:at\s+all\s+)?possible))?",
            used,
        ),
        # "Which bus goes to Bank", "get a boat from Bank", "tube to Oval"
        rule(
            rf"(?:which|what)\s+(?P<what>{mode})(?=\s+(?:do|does|should|can|could|will|would|to|goes|takes)\b)",
            used,
        ),
        rule(rf"(?:get|catch|catching|getting|find)\s+(?:me\s+)?(?P<what>{modes}){TOWARDS}", used),
        rule(
            rf"(?<![\w'’] )(?<![\w'’])(?:(?:the|a|any)\s+)?(?P<what>{mode}){IF_POSSIBLE}{TOWARDS}",
            used,
        ),
        rule(rf"(?P<what>{mode}(?:{JOIN}{mode})*)\s+only", used),
        # "the tube from Angel to Bank, or the bus?"
        rule(rf"{OR}(?P<what>{either})(?=\s*(?:[.,;?!]|$))", used),
        rule(
            rf"(?:{NOT}|(?:i|we)\s+{UNABLE})\s+(?:to\s+)?chang(?:e|ing)(?:\s+(?:trains?|lines?|tubes?))?"
            r"(?!\s+(?:at|my|our|your|the|any\s+(?:of|settings?|defaults?)|anything|it|that|this))",
            fixed("journey_preference", "LeastInterchange"),
        ),
        rule(r"on\s+foot|by\s+foot", many({"mode": ["walking"]})),
        rule(
            r"walk(?:ing)?(?:\s+all\s+the\s+way|\s+the\s+whole\s+way|\s+only|"
            r"(?=\s+(?:from|to|there|home|back|than)))",
            walked,
        ),
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
