"""Line status and arrivals as the tools answer them, with their records."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from opened import done, opened
from replay import Replay

from groundwire.errors import InputError
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.journeys.reporting import arrivals, line_status

EVENING = datetime(2024, 11, 26, 18, 0, tzinfo=LONDON)


@pytest.fixture
def online(tmp_path: Path, replay: Replay) -> Iterator[London]:
    london = opened(tmp_path / "online", replay.url, EVENING)
    yield london
    london.close()


def test_lines_worst_first_with_reasons_and_a_record(online: London) -> None:
    result, draft = done(online, line_status, (), (), 0)
    standings = [line.standing for line in result.lines]
    assert standings == sorted(standings, key=["disrupted", "planned", "good"].index)
    worst = result.lines[0]
    assert worst.statuses[0].reason
    assert draft is not None
    assert any(value.value == worst.description for value in draft.values)
    assert "Victoria" in draft.vocabulary


def test_a_line_by_another_name_is_corrected_but_not_for_its_case(online: London) -> None:
    result, _ = done(online, line_status, ("JUBILEE", "the Victora line"), (), 0)
    assert {line.line_id for line in result.lines} == {"jubilee", "victoria"}
    raws = [one.raw for one in result.corrections or []]
    assert "JUBILEE" not in raws


def test_without_tfl_nothing_is_presumed(offline: London) -> None:
    result, draft = done(offline, line_status, (), (), 0)
    assert result.lines == [] and draft is not None and draft.values == ()
    assert {one.kind for one in draft.statements} == {"absence"}
    assert "cannot be known without TfL's live service" in result.answer
    board, draft = done(offline, arrivals, "ada", "Bank", (), 12)
    assert board.arrivals == [] and draft is not None and draft.values == ()
    assert {one.kind for one in draft.statements} == {"absence"}
    assert board.reason


def test_an_ambiguous_stop_is_asked_about(online: London, replay: Replay) -> None:
    result, draft = done(online, arrivals, "ada", "Ealing", (), 12)
    assert draft is None
    assert result.answer.startswith("Ealing may be Ealing Broadway")
    assert {one.param for one in result.options or []} == {"stop"}
    assert replay.requests == []


@pytest.mark.parametrize(
    ("stop", "first"),
    [
        ("Edgware Road", "Edgware Road (Circle Line)"),
        ("Tate Modern", "Blackfriars"),
        ("51.5035,-0.1048", "Southwark"),
    ],
)
def test_stops_are_offered_for_what_is_no_stop_by_itself(
    online: London, replay: Replay, stop: str, first: str
) -> None:
    result, draft = done(online, arrivals, "ada", stop, (), 12)
    assert draft is None and result.arrivals == [] and result.total == 0
    assert result.answer.startswith(f"{stop} is no one stop; there, or near it, are {first}")
    best = (result.options or [])[0]
    assert (best.name, best.param, best.raw) == (first, "stop", stop)
    assert replay.requests == []


@pytest.mark.parametrize(
    ("stop", "says"),
    [
        ("home", "stop: no place is stored"),
        ("48.85,2.35", "stop: "),
        ("  ", "stop: a place is missing"),
    ],
)
def test_what_is_no_stop_is_refused(online: London, stop: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        done(online, arrivals, "ada", stop, (), 12)


def _match(number: int, name: str) -> dict[str, object]:
    return {"id": f"49000000{number}Z", "name": name, "modes": ["bus"], "lat": 51.5, "lon": 0.1}


def test_a_stop_that_only_tfl_knows(online: London, replay: Replay) -> None:
    replay.answer("/StopPoint/Search", {"matches": [_match(1, "Zorblax Road")]})
    replay.answer("/StopPoint/490000001Z", {"id": "490000001Z", "commonName": "Zorblax Road"})
    replay.answer("/StopPoint/490000001Z/Arrivals", [])
    result, _ = done(online, arrivals, "ada", "Zorblax Road", (), 12)
    assert result.stop == "Zorblax Road"
    assert result.reason


def test_several_stops_that_only_tfl_knows(online: London, replay: Replay) -> None:
    matches = [_match(1, "Zorblax Road"), _match(2, "Zorblax Lane")]
    replay.answer("/StopPoint/Search", {"matches": matches})
    with pytest.raises(InputError, match=r"may be Zorblax Road \(490000001Z\) or Zorblax Lane"):
        done(online, arrivals, "ada", "Zorblax", (), 12)


def test_a_stop_that_nobody_knows(online: London, replay: Replay) -> None:
    replay.answer("/StopPoint/Search", {"matches": []})
    with pytest.raises(InputError, match="TfL knows no stop called 'Zorblax'"):
        done(online, arrivals, "ada", "Zorblax", (), 12)
