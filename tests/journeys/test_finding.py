"""Stops found by name."""

from __future__ import annotations

import pytest
from opened import done
from replay import Replay

from groundwire.errors import InputError
from groundwire.journeys.london import London, find_stops
from groundwire.journeys.results import FoundStops
from groundwire.journeys.tfl.outcomes import KeyRefusedError

SEARCH = "/StopPoint/Search"


def found(london: London, query: str, *modes: str, offset: int = 0) -> FoundStops:
    return done(london, find_stops, query, modes, offset)[0]


def test_a_station_is_found_without_asking(online: London, replay: Replay) -> None:
    result = found(online, "Archway")
    assert result.answer == (
        "1 stop for 'Archway': Archway. Archway is served by the Northern line; its fare zone is "
        "not held here."
    )
    assert (result.stops[0].id, result.stops[0].lines) == ("940GZZLUACY", ["northern"])
    assert replay.requests == []


def test_offline_says_what_was_not_searched(offline: London) -> None:
    result = found(offline, "Kings X")
    assert result.stops[0].id == "HUBKGX"
    assert "no bus stops" in (result.notes or [""])[0]


def test_modes_narrow_the_search(offline: London) -> None:
    assert all("dlr" in one.modes for one in found(offline, "Bank", "dlr").stops)
    with pytest.raises(InputError):
        found(offline, "Bank", "hovercraft")


def test_tfl_is_asked_about_what_is_not_known_here(online: London, replay: Replay) -> None:
    match = {"id": "490000999Z", "name": "Zorblax Road", "modes": ["bus"], "lat": 51.5, "lon": 0.1}
    replay.answer(SEARCH, {"matches": [match]})
    result = found(online, "Zorblax Road", "bus")
    assert result.source == "tfl"
    assert [one.id for one in result.stops] == ["490000999Z"]
    assert replay.requests[-1].query["modes"] == "bus"


def test_nothing_is_found(online: London, replay: Replay) -> None:
    replay.answer(SEARCH, {"matches": []})
    result = found(online, "Zorblax Road")
    assert result.stops == []
    assert result.answer == (
        "No stop is called 'Zorblax Road': send another spelling, or a station near it."
    )


@pytest.mark.parametrize("status", [429, 503])
def test_what_is_known_here_is_told_whatever_tfl_says(
    online: London, replay: Replay, status: int
) -> None:
    replay.answer(SEARCH, {"message": "synthetic"}, status=status)
    result = found(online, "Tate Modern")
    assert result.stops
    assert "Only stations of the embedded network were searched." in (result.notes or [""])[0]
    unknown = found(online, "Zorblax Road")
    assert (unknown.stops, unknown.source) == ([], "offline_estimate")
    assert unknown.answer.startswith("No station of the embedded network is called 'Zorblax Road'")
    assert "try again in a minute" in (unknown.notes or [""])[0]


def test_a_search_that_tfl_refuses_is_told(online: London, replay: Replay) -> None:
    replay.answer(SEARCH, {"message": "synthetic"}, status=403)
    with pytest.raises(KeyRefusedError):
        found(online, "Zorblax Road")


def test_pages(online: London, replay: Replay) -> None:
    matches = [
        {"id": f"49000{n:04}Z", "name": f"Zorblax {n}", "modes": ["bus"], "lat": 51.5, "lon": 0.1}
        for n in range(25)
    ]
    replay.answer(SEARCH, {"matches": matches})
    first = found(online, "Zorblax")
    assert (len(first.stops), first.next_offset) == (20, 20)
    rest = found(online, "Zorblax", offset=20)
    assert [one.id for one in first.stops + rest.stops] == [one["id"] for one in matches]
    assert rest.next_offset is None
