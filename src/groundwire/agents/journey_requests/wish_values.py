"""Values of the wishes of a request, by the words that were found."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.journey_requests.fillers import content
from groundwire.agents.journey_requests.wish_words import JOIN, NUMBERS, OBSTACLES, TRAINS, any_of
from groundwire.journeys.lines.names import bus_route
from groundwire.journeys.wishes.modes import mode_vocabulary
from groundwire.vocabulary import Policy

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


def spared(match: re.Match[str]) -> Wish:
    """Stairs, escalators and lifts that one cannot or will not use."""
    named = re.findall(any_of(OBSTACLES), match["what"], re.IGNORECASE)
    spared = dict.fromkeys(OBSTACLES[one.lower()] for one in named)
    return Wish(match.start(), match.end(), {"accessibility_preference": list(spared)})


def fixed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    """One value of one option."""
    return many({name: value})


def listed(name: str, value: str) -> Callable[[re.Match[str]], Wish]:
    """One value of an option that takes several."""
    return many({name: [value]})


def many(values: Mapping[str, JsonValue]) -> Callable[[re.Match[str]], Wish]:
    """Values of several options."""
    return lambda match: Wish(match.start(), match.end(), values)


def walked(match: re.Match[str]) -> Wish | None:
    """Return the wish to go on foot, or None where "walk" ends a name ("Belgrave Walk")."""
    before = re.search(r"(?<![\w'])([\w']+)\s+$", match.string[: match.start()])
    if before is not None and content(before[1]):
        return None
    return Wish(match.start(), match.end(), {"mode": ["walking"]})


def walking_limit(match: re.Match[str]) -> Wish:
    """The minutes that one walks at most."""
    said = (match["number"] or match["other"] or match["third"]).lower()
    return Wish(match.start(), match.end(), {"max_walking_minutes": int(NUMBERS.get(said, said))})


def transfer_limit(match: re.Match[str]) -> Wish:
    """The minutes that a change takes at most."""
    said = match["number"].lower()
    return Wish(match.start(), match.end(), {"max_transfer_minutes": int(NUMBERS.get(said, said))})


def used(match: re.Match[str]) -> Wish | None:
    """The modes to travel by; those to avoid, where it is said of what one does not want."""
    if _DENIED.search(match.string[: match.start()]):
        # "I do not ever want to go by bus"
        return avoided(match)
    words = _parts(match["what"])
    if any(not _mode(word) for word in words):
        return None
    modes = [mode for word in words for mode in _modes(word)]
    if _PREFERRED.search(match[0]):
        said, only = " ".join(match[0].split()), " or ".join(dict.fromkeys(map(_mode, words)))
        note = f"“{said}” is not taken into account: {_NO_RANKING}; say “only by {only}” for that."
        return Wish(match.start(), match.end(), {}, note)
    return Wish(match.start(), match.end(), {"mode": list(dict.fromkeys(modes))})


def avoided(match: re.Match[str]) -> Wish | None:
    """The modes and lines to avoid."""
    modes: list[JsonValue] = []
    lines: list[JsonValue] = []
    for word in _parts(match["what"]):
        found = _mode(word)
        if found and not word.lower().endswith((" line", " lines")):
            modes.append(found)
        else:
            lines.append(re.sub(r"^the\s+|(?<!\s)\s+lines?$", "", word, flags=re.IGNORECASE))
    values: dict[str, JsonValue] = {}
    if modes:
        values["avoid_modes"] = modes
    if lines:
        values["avoid_lines"] = lines
    return Wish(match.start(), match.end(), values)


def no_choice(match: re.Match[str]) -> Wish:
    """A line to travel by, which no option can ask for."""
    said = " ".join(match[0].split())
    note = f"“{said}” is not taken into account: a line can be avoided, but not asked for."
    return Wish(match.start(), match.end(), {}, note)


def _parts(listed: str) -> list[str]:
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
