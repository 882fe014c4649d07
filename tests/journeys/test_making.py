"""Trips of one request, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opened import asked_for, done, opened

from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.evidence.records import Draft
from groundwire.journeys.london import London
from groundwire.journeys.making import make_journeys, unclear_places
from groundwire.journeys.preferences import named_place
from groundwire.journeys.request import Request, Trip
from groundwire.journeys.results import ComputedJourneys


@pytest.fixture
def london(tmp_path: Path) -> Iterator[London]:
    london = opened(tmp_path)
    yield london
    london.close()


def made(london: London, request: Request) -> ComputedJourneys:
    result, draft = done(london, make_journeys, "ada", request)
    assert isinstance(draft, Draft)
    return result


def day(*trips: tuple[str, str] | tuple[str, str, dict[str, Any]], **more: Any) -> Request:
    return Request(
        tuple(Trip(one[0], one[1], "", one[2] if len(one) > 2 else {}) for one in trips), **more
    )


def test_one_trip(london: London) -> None:
    result = made(london, asked_for("Bank", "Angel", walking_speed="slow"))
    assert result.effective_preferences == {"walking_speed": "Slow"}
    assert result.corrections is None
    assert result.assumptions is None
    assert result.journeys[0].notes is None
    assert len(result.notes or []) == 1
    kept = london.journeys.get("ada", result.journey_id or "")
    assert len(kept) == 1


def test_corrections_are_what_was_read_as_something_else(london: London) -> None:
    request = asked_for("Padington", "angel", mode=["underground"], avoid_lines=["JUBILEE"])
    told = {(one.param, one.raw, one.resolved) for one in made(london, request).corrections or []}
    assert ("starting_point", "Padington", "Paddington") in told
    assert ("mode", "underground", "tube") in told
    assert all(raw.casefold() != resolved.casefold() for _, raw, resolved in told)


@pytest.mark.parametrize("words", ["", "there", "from there", "The same place"])
def test_the_next_trip_begins_where_the_one_before_ends(london: London, words: str) -> None:
    result = made(london, day(("Bank", "Angel"), (words, "Brixton")))
    assert [one.from_ for one in result.journeys] == ["Bank", "Angel"]
    assert result.journeys[1].plans[0].start == result.journeys[0].plans[0].arrival


def test_home_is_where_a_day_begins(london: London) -> None:
    with pytest.raises(InputError, match="starting_point is missing"):
        made(london, asked_for("", "Angel"))
    london.preferences.merge("ada", places=[named_place("Home", "Brixton")])
    result = made(london, asked_for("", "Angel"))
    assert result.journeys[0].from_ == "Brixton"
    assert "It begins at home, since no starting point was sent." in (result.assumptions or [])


def test_defaults_of_the_owner_are_laid_under_what_is_asked(london: London) -> None:
    london.preferences.merge("ada", {"walking_speed": "Slow", "avoid_lines": ("jubilee",)})
    slow = made(london, asked_for("Bank", "Waterloo"))
    fast = made(london, asked_for("Bank", "Waterloo", walking_speed="Fast"))
    assert slow.effective_preferences["walking_speed"] == "Slow"
    assert fast.effective_preferences == {"walking_speed": "Fast", "avoid_lines": ["jubilee"]}
    others, _ = done(london, make_journeys, "eve", asked_for("Bank", "Waterloo"))
    assert others.effective_preferences == {}


def test_a_trip_that_would_begin_too_early_begins_when_it_can(london: London) -> None:
    far = ("Upminster", "Heathrow Terminal 5", {"time": "10:00", "date": "tomorrow"})
    for wishes in ({"time": "10:30"}, {"time": "10:45", "time_is": "arriving"}):
        result = made(london, day(far, ("", "Bank", {"date": "tomorrow", **wishes})))
        first, second = (one.plans[0] for one in result.journeys)
        assert second.start == first.arrival
        assert any("cannot be made as asked" in one for one in result.assumptions or [])


def test_a_chain_of_times(london: London) -> None:
    result = made(
        london,
        day(
            ("Bank", "Angel", {"date": "tomorrow", "time": "by 10"}),
            ("", "Brixton", {"time": "noon"}),
            ("", "Bank", {"time": "five"}),
        ),
    )
    starts = [one.plans[0].start[:13] for one in result.journeys]
    assert result.journeys[0].plans[0].arrival.startswith("2026-11-22T10:00")
    assert starts[1:] == ["2026-11-22T12", "2026-11-22T17"]


def test_a_trip_that_fails_among_several(london: London) -> None:
    result = made(london, day(("Bank", "Brighton"), ("Bank", "Angel"), ("Bank", "")))
    assert [bool(one.plans) for one in result.journeys] == [False, True, False]
    assert "destination is missing" in (result.journeys[2].error or "")
    with pytest.raises(InputError, match="Brighton is a real place"):
        made(london, asked_for("Bank", "Brighton"))


def test_a_trip_follows_one_that_failed(london: London) -> None:
    tube = {"mode": ["river-bus"]}
    result = made(
        london,
        day(
            ("Bank", "Angel", {"time": "10:00", "date": "tomorrow"}),
            ("", "Brixton", tube),
            ("", "Waterloo"),
        ),
    )
    first, second, third = result.journeys
    assert second.plans == [] and "only these modes are known" in (second.error or "")
    assert third.from_ == "Brixton"
    assert third.plans[0].start == first.plans[0].arrival
    assert "no plan. Without a connection only" in result.answer


def test_nothing_is_kept_where_there_is_no_plan(london: London) -> None:
    result = made(london, day(("Bank", "Brighton"), ("Bank", "Nowhere at all")))
    assert result.journey_id is None
    assert result.answer.count("no plan.") == 2


def test_journeys_are_added_to_a_handle_of_the_owner(london: London) -> None:
    first = made(london, asked_for("Bank", "Angel"))
    handle = first.journey_id or ""
    second = made(london, day(("", "Brixton"), journey_id=handle))
    assert (second.journey_id, second.journeys[0].journey_index) == (handle, 1)
    assert second.journeys[0].from_ == "Angel"
    with pytest.raises(NotFoundError, match="unknown or has expired"):
        done(london, make_journeys, "eve", day(("", "Brixton"), journey_id=handle))
    with pytest.raises(LimitError, match="leave journey_id out"):
        for _ in range(20):
            made(london, day(*(("Bank", "Angel"),) * 12, journey_id=handle))


def test_unclear_places_with_what_they_stand_for(london: London) -> None:
    found = done(
        london, unclear_places, "ada", day(("Bank", "Ealing"), ("", "Heathrow"), ("", "Bank"))
    )
    assert list(found) == ["Ealing", "Heathrow"]
    south = london.places.read("South Ealing").place
    assert south is not None
    assert found["Ealing"][south.ics] == "South Ealing (tube: Piccadilly)"
    assert done(london, unclear_places, "ada", asked_for("Bank", "Angel")) == {}
    chosen = Request((Trip("Bank", "Ealing"),), chosen={"Ealing": south.ics})
    assert made(london, chosen).journeys[0].to == "South Ealing"


def test_what_was_taken_for_granted_names_what_it_is_about(london: London) -> None:
    result = made(london, asked_for("Bank", "Kew Gardens"))
    assert (result.assumptions or [""])[0].startswith("Kew Gardens: read as the station")


def test_a_long_day_keeps_to_its_characters(london: London) -> None:
    trips = [("Upminster", "Heathrow Terminal 5"), ("Uxbridge", "Cockfosters")] * 6
    result = made(london, day(*trips))
    assert len(result.journeys) == 12
    assert len(result.model_dump_json(exclude_none=True)) < 19_000
    if result.left_out:
        assert "get_computed_journey tells more of one journey" in result.left_out


def test_a_trip_that_cannot_be_read_is_told_as_a_sentence(offline: London) -> None:
    trips = Trip("Brixton", "Bank"), Trip("Narnia", "Angel")
    result, _ = done(offline, make_journeys, "ada", Request(trips))
    assert "Narnia to Angel: no plan. No station or well-known place" in result.answer
    assert (result.journeys[1].error or "").startswith("starting_point: no station")
