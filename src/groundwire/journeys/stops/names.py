"""Names of stations, and stations as people know them.

A name is shortened on signs, in messages and in the API. It is brought to one spelling
(`expanded`), and what only says which of the stations of a name is meant (a mode, a line,
"station") is taken off its end (`split_name`).

A network knows stops, one for each operator and sometimes for each line: Canary Wharf has three.
People know stations. Stops of one hub are one station; without a hub, the stop is a station.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from groundwire.journeys.itinerary import Place, Point, metres_between

if TYPE_CHECKING:
    from groundwire.journeys.network.model import Network, Stop

_SAID = tomllib.loads((files(__package__ or "") / "nicknames.toml").read_text("utf-8"))
# By the public name of the station.
NICKNAMES: Mapping[str, tuple[str, ...]] = {
    name: tuple(said) for name, said in _SAID["nicknames"].items()
}
CHINESE_NAMES: Mapping[str, tuple[str, ...]] = {
    name: tuple(said) for name, said in _SAID["chinese"].items()
}
# Of stations and sights, for sentences about plans.
NAMES_ABROAD: Mapping[str, tuple[str, ...]] = {
    **CHINESE_NAMES,
    **{name: tuple(said) for name, said in _SAID["sights"].items()},
}
FAR_TOWNS = frozenset(_SAID["far_towns"])
# They are never taken for a misspelling of another name.
REAL_BUT_ABSENT: tuple[str, ...] = (*_SAID["real_but_absent"], *FAR_TOWNS)


_WORD = re.compile(r"[^\W_]+|[&+()]")
_MARKS = re.compile("['\u2019\u2018\u02bc`.]")
# What the API adds to names: the kind of stop, and the town that tells two stations apart.
_KIND = re.compile(
    r"(?:(?<![\s-])[\s-]+(?:underground|dlr|rail|tram))?(?<!power)(?<!\s)\s+"
    r"(?:station|stop|interchange)$"
    r"|-underground$",
    re.IGNORECASE,
)
_TOWN = re.compile(r"(?<!\s)\s*\((?:london|berks|for [^()]*)\)", re.IGNORECASE)
# Termini of London are told with the town in timetables; London Bridge has it in its name.
_TERMINI = (
    "blackfriars|cannon|charing|euston|fenchurch|kings|liverpool|maryle|padd|saint|st p|vic|water"
)
_TERMINUS = re.compile(rf"^London (?={_TERMINI})", re.IGNORECASE)
_OF_LONDON = re.compile(rf"^london (?={_TERMINI})")


_TABLES = tomllib.loads((files(__package__ or "") / "names.toml").read_text("utf-8"))
_SHORT: dict[str, str] = _TABLES["short"]
_COMPASS: dict[str, str] = _TABLES["compass"]
_SAINTS = {"james", "jamess", "johns", "john", "pancras", "pauls", "paul"}
_COUNTED = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_TERMINAL = re.compile(r"t([1-5])")

_MODES: dict[str, frozenset[str]] = {
    said: frozenset(modes) for said, modes in _TABLES["modes"].items()
}
_NOISE: tuple[str, ...] = tuple(_TABLES["noise"])
# Lines whose names are no other words: they need no "line" behind them to be read as one.
_PLAIN_LINES: dict[str, str] = _TABLES["plain_lines"]
_LINES: dict[str, str] = {**_PLAIN_LINES, **_TABLES["lines"]}
_IN_PARENTHESES = re.compile(r"\(([^()]*)\)\s*$")


class NameParts(NamedTuple):
    """A name as it was asked for.

    Attributes:
        core: the name itself, expanded.
        modes: modes it was asked with ("tube"), any of them; empty for none.
        lines: ids of lines it was asked with.
    """

    core: str
    modes: frozenset[str]
    lines: frozenset[str]


def public_name(name: str) -> str:
    """The name of a stop without its kind: "Bank DLR Station" is "Bank".

    >>> public_name("Custom House (for ExCel) DLR Station")
    'Custom House'
    """
    plain = _TOWN.sub("", _KIND.sub("", name.strip())).strip()
    return _TERMINUS.sub("", plain).removesuffix(" ELL")


def expanded(text: str) -> str:
    """A name in lower case without marks, its short words written out.

    >>> expanded("Tottenham Ct. Rd")
    'tottenham court road'
    >>> expanded("St Paul's"), expanded("High St Ken"), expanded("Heathrow T5")
    ('saint pauls', 'high street kensington', 'heathrow terminal 5')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    words = _WORD.findall(_MARKS.sub("", plain))
    words = [word for word in words if word not in "()"]
    if len(words) > 1 and words[0] == "the":
        words = words[1:]
    return " ".join(_written_out(words, index) for index in range(len(words)))


def _written_out(words: list[str], index: int) -> str:
    word = words[index]
    first, last = index == 0, index == len(words) - 1
    found = word
    if len(words) == 1:
        terminal = _TERMINAL.fullmatch(word)
        found = f"terminal {terminal[1]}" if terminal else word
    elif word == "st":
        saint = not last and (first or words[index + 1] in _SAINTS)
        found = "saint" if saint else "street"
    elif word in _COMPASS and (first or last):
        found = _COMPASS[word]
    elif word == "ken" and not first:
        found = "kensington"
    elif word in _COUNTED and any(other.startswith("terminal") for other in words[:index]):
        found = _COUNTED[word]
    elif _TERMINAL.fullmatch(word):
        found = f"terminal {word[1]}"
    elif not first or word == "gt":
        found = _SHORT.get(word, word)
    return found


def split_name(text: str) -> NameParts:
    """A name and what was said with it of modes and lines.

    >>> split_name("Edgware Rd (Bakerloo)")
    NameParts(core='edgware road', modes=frozenset(), lines=frozenset({'bakerloo'}))
    >>> split_name("bethnal green tube station").core
    'bethnal green'
    """
    modes: set[str] = set()
    lines: set[str] = set()
    inside = _IN_PARENTHESES.search(_KIND.sub("", text.strip()))
    if inside is not None:
        told = expanded(inside[1]).removesuffix(" line")
        named = [told] if told in _LINES else told.split(" and ")
        if all(word in _LINES for word in named) or told in _MODES or told in _NOISE:
            lines |= {_LINES[word] for word in named if word in _LINES}
            modes |= _MODES.get(told, frozenset())
            text = text[: inside.start()]
    core = _OF_LONDON.sub("", expanded(text))
    while True:
        rest, more_modes, more_lines = _without_last(core)
        if rest == core:
            return NameParts(core, frozenset(modes), frozenset(lines))
        core = rest
        modes |= more_modes
        lines |= more_lines


def _without_last(core: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """The name without its last telling word or words, and what they told."""
    if core.endswith(" power station"):
        return core, frozenset(), frozenset()
    for phrase in _NOISE:
        if core.endswith(f" {phrase}"):
            return core[: -len(phrase) - 1], frozenset(), frozenset()
    for phrase, found in _MODES.items():
        if core.endswith(f" {phrase}"):
            return core[: -len(phrase) - 1], frozenset(found), frozenset()
    stem = core.removesuffix(" line")
    named = _PLAIN_LINES if stem == core else _LINES
    for phrase, line in named.items():
        if stem.endswith(f" {phrase}"):
            return stem[: -len(phrase) - 1], frozenset(), frozenset({line})
    return core, frozenset(), frozenset()


# As people know modes: the tube first.
_MODE_ORDER = ("tube", "elizabeth-line", "overground", "dlr", "tram")


@dataclass(frozen=True, slots=True)
class Station:
    """A station or hub as people know it.

    Attributes:
        id: the id of the hub, or of its only stop.
        name: what the signs say, without "Underground Station" and the like.
        point: where it is.
        ics: the code by which TfL's planner knows it, else empty.
        stops: its stops, by id.
        lines, modes: ids of those that call there; the tube is the first mode.
        zone: fare zone, where it is known, else empty.
        hub_name: the name of the hub, else empty.
    """

    id: str
    name: str
    point: Point
    ics: str
    stops: tuple[Stop, ...]
    lines: tuple[str, ...]
    modes: tuple[str, ...]
    zone: str = ""
    hub_name: str = ""

    def place(self, stop_id: str = "") -> Place:
        """The station, or one of its stops, as a place of a journey."""
        return Place(self.name, self.point, "stop", stop_id or self.id, self.ics)

    def serving(self, modes: Iterable[str] = (), lines: Iterable[str] = ()) -> tuple[Stop, ...]:
        """Its stops where one of the modes and one of the lines call; none given is any."""
        wanted_modes, wanted_lines = set(modes), set(lines)
        return tuple(
            stop
            for stop in self.stops
            if (not wanted_modes or wanted_modes & set(stop.modes))
            and (not wanted_lines or wanted_lines & set(stop.lines))
        )


class Stations:
    """All stations of a network, found by their ids and by where they are."""

    def __init__(self, network: Network) -> None:
        """Join the stops of the network to stations."""
        self._line_names = {line.id: line.name for line in network.lines.values()}
        self.modes = network.modes
        grouped: dict[str, list[Stop]] = {}
        for stop in network.stops.values():
            grouped.setdefault(stop.hub or stop.id, []).append(stop)
        self._by_id: dict[str, Station] = {}
        for key, stops in grouped.items():
            hub = network.hubs.get(key)
            self._by_id[key] = _station(key, stops, hub.name if hub else "")
        self._by_code: dict[str, Station] = {}
        for station in self._by_id.values():
            self._by_code[station.id.upper()] = station
            for stop in station.stops:
                self._by_code.setdefault(stop.id.upper(), station)
                if stop.ics:
                    self._by_code.setdefault(stop.ics, station)

    def __iter__(self) -> Iterator[Station]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __getitem__(self, station_id: str) -> Station:
        """The station of an id that `Station.id` gave."""
        return self._by_id[station_id]

    def by_code(self, code: str) -> Station | None:
        """The station of a NaPTAN id, a hub id or an ICS code, in any case."""
        return self._by_code.get(code.strip().upper())

    def nearest(self, point: Point, count: int = 5) -> list[tuple[int, Station]]:
        """The nearest stations with their distance in metres as the crow flies, nearest first."""
        far = [(round(metres_between(point, one.point)), one) for one in self._by_id.values()]
        far.sort(key=lambda entry: (entry[0], entry[1].name))
        return far[:count]

    def line_name(self, line_id: str) -> str:
        """The name of a line, or its id where the network has no such line."""
        return self._line_names.get(line_id, line_id)

    def about(self, station: Station) -> str:
        """Say what tells a station from others of its name: `tube: Central, Victoria`."""
        lines = ", ".join(map(self.line_name, station.lines))
        return f"{' and '.join(station.modes)}: {lines}"


def _station(key: str, stops: list[Stop], hub_name: str) -> Station:
    first = min(stops, key=lambda stop: (_rank(stop.modes), -len(stop.lines), stop.id))
    names = {public_name(stop.name) for stop in stops}
    modes = {mode for stop in stops for mode in stop.modes}
    return Station(
        key,
        names.pop() if len(names) == 1 else hub_name or public_name(first.name),
        first.point,
        next((stop.ics for stop in stops if stop.ics), ""),
        tuple(sorted(stops, key=lambda stop: stop.id)),
        tuple(dict.fromkeys(line for stop in [first, *stops] for line in stop.lines)),
        tuple(sorted(modes, key=lambda mode: (_rank((mode,)), mode))),
        next((stop.zone for stop in stops if stop.zone), ""),
        hub_name,
    )


def _rank(modes: Iterable[str]) -> int:
    """How near to the front the first of the modes is told."""
    ranks = [_MODE_ORDER.index(mode) for mode in modes if mode in _MODE_ORDER]
    return min(ranks, default=len(_MODE_ORDER))
