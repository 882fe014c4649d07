"""The lines that TfL's rail, tram, river and cable car services have, by their names.

Ids and names are those of TfL's `Line/Mode/{modes}`; the Overground's six lines have had names of
their own since November 2024. Bus routes are not listed: a route number is its own id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from groundwire.vocabulary import KnownWords, Term, Vocabulary

# A route number as TfL writes it: 73, N73, H91, SL1, X26, RA1.
_ROUTE = re.compile(r"(?:bus |route |bus route )?([a-z]{0,2}\d{1,3}[a-z]?)(?: bus)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line by its id, its name, its mode and the other names that people have for it."""

    id: str
    name: str
    mode: str
    aliases: tuple[str, ...] = ()

    @property
    def full_name(self) -> str:
        """The name as it stands in a sentence: "Victoria line", "DLR", "bus 73"."""
        return service_name(self.mode, self.name)


LINES: tuple[Line, ...] = (
    Line("bakerloo", "Bakerloo", "tube"),
    Line("central", "Central", "tube"),
    Line("circle", "Circle", "tube"),
    Line("district", "District", "tube"),
    Line(
        "hammersmith-city",
        "Hammersmith & City",
        "tube",
        ("Hammersmith and City", "H&C", "Ham & City", "Hammersmith", "City"),
    ),
    Line("jubilee", "Jubilee", "tube", ("Jub",)),
    Line("metropolitan", "Metropolitan", "tube", ("Met",)),
    Line("northern", "Northern", "tube"),
    # One of its misspellings is so common that word lists know it.
    Line("piccadilly", "Piccadilly", "tube", ("Picc", "Pic", "Picadilly")),
    Line("victoria", "Victoria", "tube", ("Vic",)),
    Line(
        "waterloo-city",
        "Waterloo & City",
        "tube",
        ("Waterloo and City", "W&C", "The Drain", "Drain", "City"),
    ),
    Line("dlr", "DLR", "dlr", ("Docklands Light Railway", "Docklands")),
    Line(
        "elizabeth",
        "Elizabeth line",
        "elizabeth-line",
        ("Elizabeth", "Lizzie", "Crossrail", "TfL Rail", "elizabeth-line"),
    ),
    Line("liberty", "Liberty", "overground", ("Romford to Upminster", "Romford - Upminster")),
    Line("lioness", "Lioness", "overground", ("Watford DC", "Euston to Watford Junction")),
    Line("mildmay", "Mildmay", "overground", ("North London", "West London")),
    Line(
        "suffragette",
        "Suffragette",
        "overground",
        ("Gospel Oak to Barking", "Gospel Oak to Barking Riverside", "Goblin"),
    ),
    Line("weaver", "Weaver", "overground", ("Lea Valley",)),
    Line("windrush", "Windrush", "overground", ("East London",)),
    Line("tram", "Tram", "tram", ("London Trams", "Croydon Tram", "Tramlink", "Croydon Tramlink")),
    Line(
        "london-cable-car",
        "London Cable Car",
        "cable-car",
        ("Cable Car", "IFS Cloud Cable Car", "Emirates Air Line", "Emirates Airline"),
    ),
    Line("rb1", "RB1", "river-bus", ("Boat RB1",)),
    Line("rb2", "RB2", "river-bus", ("Boat RB2",)),
    Line("rb4", "RB4", "river-bus", ("Boat RB4",)),
    Line("rb6", "RB6", "river-bus", ("Boat RB6",)),
    Line("woolwich-ferry", "Woolwich Ferry", "river-bus"),
)
LINE_BY_ID = {line.id: line for line in LINES}

# What people call a whole mode, by the mode's id. TfL's own ids are names of it too.
MODE_NAMES: dict[str, tuple[str, ...]] = {
    "tube": ("Tube", "Underground", "London Underground", "LU", "Tube lines", "Subway", "Metro"),
    "dlr": ("DLR", "Docklands Light Railway", "Docklands"),
    "overground": ("Overground", "London Overground"),
    "elizabeth-line": ("Elizabeth line", "Elizabeth", "Crossrail", "TfL Rail", "tflrail"),
    "tram": ("Tram", "London Trams", "Tramlink"),
    "cable-car": ("Cable car", "IFS Cloud Cable Car", "Emirates Air Line"),
    "river-bus": ("River bus", "Boat", "Thames Clippers", "Uber Boat", "Ferry"),
    "river-tour": ("River tour",),
    "bus": ("Bus", "London Buses"),
    "replacement-bus": ("Replacement bus", "Rail replacement bus"),
    "national-rail": ("National Rail", "Train", "Mainline"),
    "international-rail": ("International Rail", "Eurostar"),
    "coach": ("Coach",),
}
# How a sentence calls the services of a mode, where it has no name of its own.
_SERVICES = {
    "bus": "buses",
    "cable-car": "the cable car",
    "coach": "coaches",
    "cycle": "cycling",
    "cycle-hire": "hire cycles",
    "international-rail": "international trains",
    "plane": "planes",
    "replacement-bus": "replacement buses",
    "river-bus": "boats",
    "river-tour": "river tours",
    "taxi": "taxis",
    "tram": "trams",
    "walking": "walking",
}
# What is asked for when nothing is named: the rail lines that TfL runs.
RAIL_MODES = ("tube", "dlr", "overground", "elizabeth-line", "tram")


def lines_of(mode: str) -> tuple[Line, ...]:
    """The listed lines of a mode; none for modes whose lines are not listed, such as buses."""
    return tuple(line for line in LINES if line.mode == mode)


def services_of(mode: str) -> str:
    """The services of a mode as a sentence calls them: "buses", "National Rail"."""
    return _SERVICES.get(mode) or MODE_NAMES.get(mode, (mode,))[0]


def bus_route(text: str) -> str | None:
    """The id of the bus route that a text names by its number ("73", "bus N8"), else None."""
    found = _ROUTE.fullmatch(" ".join(text.casefold().split()))
    return found[1] if found and found[1] not in LINE_BY_ID else None


def service_name(mode: str, line: str) -> str:
    """A line as it stands in a sentence: "Victoria line", "bus 73", "Boat RB6", "DLR"."""
    if not line:
        return mode.replace("-", " ")
    if mode in ("tube", "overground") and not line.casefold().endswith(("line", "overground")):
        return f"{line} line"
    if mode in ("bus", "replacement-bus") and not line.casefold().startswith("bus"):
        return f"bus {line}"
    if mode == "river-bus" and re.fullmatch(r"RB\d", line):
        return f"boat {line}"
    return line


@cache
def line_vocabulary() -> Vocabulary:
    """The lines by every name that they have, each also as "... line" and "the ... line"."""
    return Vocabulary(
        Term(line.id, line.name, _spoken((line.name, *line.aliases))) for line in LINES
    )


@cache
def mode_vocabulary() -> Vocabulary:
    """The modes that lines have, by the names that people have for them."""
    return Vocabulary(
        (Term(mode, names[0], names[1:]) for mode, names in MODE_NAMES.items()),
        known_words=_shared_words(),
    )


def _shared_words() -> KnownWords:
    """The words of the lines are no misspelling of a mode."""
    return line_vocabulary().known_words


def _spoken(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names with the words that people put around them."""
    spoken = list(names[1:])
    for name in names:
        spoken.append(f"the {name}")
        if not name.casefold().endswith("line"):
            spoken += [f"{name} line", f"the {name} line"]
    return tuple(spoken)


_END = re.compile(r"[.!?](?=\s+[A-Z0-9]|$)")
# A full stop after these ends no sentence: "between St. Pancras and Euston Rd. North".
_SHORT = frozenset({"st", "sts", "rd", "ave", "sq", "stn", "stns", "jn", "approx", "no", "e.g"})


def without_name(reason: str, names: Iterable[str]) -> str:
    """A reason without the name of the line or stop that it often begins with.

    >>> without_name("Jubilee Line: Minor delays.", ["Jubilee line"])
    'Minor delays.'
    """
    name, colon, rest = reason.partition(":")
    known = {_folded(one) for one in names}
    return rest.strip() if colon and rest.strip() and _folded(name) in known else reason


def first_sentence(text: str) -> str:
    """The first sentence of a text, without its full stop."""
    for end in _END.finditer(text):
        before = text[: end.start()].rsplit(maxsplit=1)
        word = before[-1].casefold() if before else ""
        if end[0] != "." or (word not in _SHORT and len(word) > 1):
            return text[: end.start() + (end[0] != ".")].strip()
    return text.strip().rstrip(".")


def _folded(name: str) -> str:
    """Operators write `Waterloo and City Line` for what TfL calls `Waterloo & City`."""
    return " ".join(name.replace("&", " and ").casefold().split())
