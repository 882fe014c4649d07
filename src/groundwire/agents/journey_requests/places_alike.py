"""Whether two names of places mean one place, by their words alone.

A name of a request may come back in another spelling: written out, corrected by one letter, by a
nickname, or with the kind of its station. Any other name is taken for another place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from groundwire.agents.journey_requests.outputs import Row, rows
from groundwire.journeys.stops.names import NICKNAMES, expanded, public_name, split_name

# Shorter names that differ by one letter are as often two names.
_SHORTEST_MISSPELT = 5


def is_same_place(asked: str, *names: str) -> bool:
    """Whether a name that was asked for is one of some others.

    Args:
        asked: as the request has it.
        names: as it was sent, and as the planner read it; empty ones do not count.
    """
    return any(_alike(_core(asked), _core(name)) for name in names if name)


def may_be(asked: str, *names: str) -> bool:
    """Whether a name that several stations share is used for one of others: "Heathrow"."""
    meant = _stations().get(_core(asked), frozenset[str]())
    return any(_core(name) in meant for name in names if name)


def stands_in(name: str, text: str) -> bool:
    """Whether a text names a place, in this spelling or by a nickname."""
    said = expanded(text)
    forms = [_core(name), *(nick for nick, of in _stations().items() if _core(name) in of)]
    # Words of other scripts may stand right beside a name.
    return any(
        re.search(rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])", said) for form in forms if form
    )


def own_places(outputs: Iterable[Row]) -> dict[str, str]:
    """The places that a user has named, as far as outputs tell them: name and value."""
    found: dict[str, str] = {}
    for output in outputs:
        found |= {str(one.get("name")): str(one.get("value")) for one in rows(output, "places")}
        named = (one for one in rows(output, "corrections") if one.get("how") == "named")
        found |= {str(one.get("raw")): str(one.get("resolved")) for one in named}
    return found


@lru_cache(maxsize=512)
def _core(name: str) -> str:
    """A name without its kind, written out."""
    return split_name(public_name(name)).core or expanded(name)


def _alike(asked: str, name: str) -> bool:
    one, other = _station(asked), _station(name)
    return one.replace(" ", "") == other.replace(" ", "") or _is_misspelt(one, other)


def _station(core: str) -> str:
    """The one station that a nickname is used for, or the name itself."""
    meant = _stations().get(core, frozenset[str]())
    return next(iter(meant)) if len(meant) == 1 else core


def _is_misspelt(asked: str, name: str) -> bool:
    """Whether two words differ by one letter; digits never count as misspelt."""
    from rapidfuzz.distance import OSA

    if min(len(asked), len(name)) < _SHORTEST_MISSPELT:
        return False
    if [one for one in asked if one.isdigit()] != [one for one in name if one.isdigit()]:
        return False
    return OSA.distance(asked, name, score_cutoff=1) <= 1


@cache
def _stations() -> dict[str, frozenset[str]]:
    """The stations that each nickname is used for."""
    found: dict[str, set[str]] = {}
    for station, nicknames in NICKNAMES.items():
        for one in nicknames:
            found.setdefault(_core(one), set()).add(_core(station))
    return {nickname: frozenset(stations) for nickname, stations in found.items()}
