"""Trips of one request, one after the other."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from opened import asked_for, done, opened
from plans import london as at
from plans import made as made_plan
from plans import record, ride

from groundwire.errors import InputError, LimitError, NotFoundError, UnavailableError
from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Draft
from groundwire.journeys.answering import Made, in_position
from groundwire.journeys.computed_journeys import (
    Which,
    get_computed_journey,
    get_computed_journey_plan,
    kept_plan,
)
from groundwire.journeys.drawing import create_calendar, draw_map
from groundwire.journeys.itinerary import Journey, Place
from groundwire.journeys.london import PREFERENCES_FILE, London
from groundwire.journeys.making import Request, Trip, make_journeys, unclear_places
from groundwire.journeys.preferences import named_place
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
    notes = [one.split(":")[0] for one in result.notes or []]
    # At a weekend one more note says what is not known.
    assert [one for one in notes if not one.startswith("Engineering works")] == [
        "The embedded network does not know National Rail, buses, boats, the cable car or coaches",
        "Times are estimates",
    ]
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
    assert second.plans == [] and "boats cannot be planned" in (second.error or "")
    assert third.from_ == "Brixton"
    assert third.plans[0].start == first.plans[0].arrival
    assert "no plan. Without a connection boats" in result.answer


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


def test_journeys_stay_in_the_positions_of_their_trips(london: London) -> None:
    result = made(london, day(("Bank", "Brighton"), ("Bank", "Ealing"), ("Bank", "Angel")))
    assert [one.journey_index for one in result.journeys] == list(range(len(result.journeys)))
    assert [one.trip for one in result.journeys[:3]] == [1, 2, 3]
    # The other places that Ealing may be come after the last trip.
    assert {one.trip for one in result.journeys[3:]} == {2}
    assert result.journeys[0].error and not result.journeys[0].plans
    assert result.journeys[2].to == "Angel"
    assert "Bank to Brighton: no plan." in result.answer
    kept = london.journeys.get("ada", result.journey_id or "")
    assert [one.destination.name for one in kept] == [one.to for one in result.journeys]
    for verb in (kept_plan, create_calendar, draw_map):
        with pytest.raises(InputError, match=r"Bank to Brighton \(journey_index 0\).*has no plan"):
            verb(london, "ada", Which(result.journey_id or "", 0))


def test_a_reading_with_plans_stands_for_an_ambiguous_trip() -> None:
    way = Journey(
        Place("Bank"), Place("North Ealing"), made_plan(ride(at(2026, 11, 23, 9)))[1].plans, "tfl"
    )
    none = Journey(Place("Bank"), Place("Ealing Road"), (), "tfl", error="No way.")
    after = Journey(Place("Bank"), Place("Angel"), (), "tfl", error="No way.")
    placed = in_position([Made((none, way)), Made((after,))])
    assert [(one.trip, one.journey) for one in placed] == [(1, way), (2, after), (1, none)]


def test_trips_that_all_fail_keep_their_positions_under_a_handle(london: London) -> None:
    first = made(london, asked_for("Bank", "Angel"))
    handle = first.journey_id or ""
    failed = made(london, day(("Bank", "Brighton"), ("Bank", ""), journey_id=handle))
    assert [one.journey_index for one in failed.journeys] == [1, 2]
    with pytest.raises(InputError, match=r"has no plan: .*Brighton is a real place"):
        kept_plan(london, "ada", Which(handle, 1))
    third = made(london, day(("Angel", "Brixton"), journey_id=handle))
    assert [one.journey_index for one in third.journeys] == [3]


@pytest.mark.parametrize("wrong", ["folder", "full", "readonly"])
def test_journeys_that_cannot_be_kept_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    london = opened(tmp_path / "home")
    if wrong == "folder":
        (tmp_path / "home").write_text("a file where the folder should be")
    else:
        code = sqlite3.SQLITE_FULL if wrong == "full" else sqlite3.SQLITE_READONLY

        def fail(*_: object) -> None:
            error = sqlite3.OperationalError(f"the disk is {wrong}")
            error.sqlite_errorcode = code  # as SQLite sets it
            raise error

        monkeypatch.setattr("groundwire.statefile.begin_immediate", fail)
    result = made(london, asked_for("Bank", "Angel"))
    assert result.journey_id is None
    assert "file of journeys" in (result.not_kept or "")
    assert len(result.journeys[0].plans) >= 1
    assert "The plans are not kept" in result.answer
    london.close()


def test_a_handle_that_cannot_be_added_to_answers_without_one(
    london: London, monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = made(london, asked_for("Bank", "Angel")).journey_id or ""

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("groundwire.statefile.begin_immediate", fail)
    result = made(london, day(("", "Brixton"), journey_id=handle))
    assert result.journey_id is None and result.not_kept
    assert result.journeys[0].from_ == "Angel" and result.journeys[0].plans


def test_what_expired_and_cannot_be_removed_does_not_lose_an_answer(
    london: London, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: London) -> None:
        raise UnavailableError("The file of journeys cannot be used: try again.")

    monkeypatch.setattr(London, "tidy", fail)
    result = made(london, asked_for("Bank", "Angel"))
    assert result.journey_id and result.not_kept is None


UNKNOWN = "National Rail, buses, boats, the cable car and coaches"


def test_what_the_network_does_not_know_is_told_wherever_a_plan_is(london: London) -> None:
    result = made(london, asked_for("Clapham Junction", "Victoria"))
    assert f"Not known offline, and perhaps quicker: {UNKNOWN}." in result.answer
    which = Which(result.journey_id or "", 0)
    told, _ = get_computed_journey_plan(london, "ada", which, "brief")
    whole, _ = get_computed_journey(london, "ada", which)
    drawn = draw_map(london, "ada", which)
    calendar = create_calendar(london, "ada", which)
    for answer in (told.answer, whole.answer, drawn.result.answer, calendar.answer):
        assert f"Not known offline, and perhaps quicker: {UNKNOWN}." in answer
    per_leg = create_calendar(london, "ada", which, per_leg=True)
    page = Path(drawn.result.path).read_text("utf-8")
    unfolded = [one.ics.replace("\r\n ", "").replace("\\", "") for one in (calendar, per_leg)]
    for text in (told.text, page, *unfolded):
        assert "does not know National Rail, buses, boats, the cable car or coaches" in text
    assert "does not know National Rail" in re.sub(r"<[^>]*>", " ", drawn.svg)
    assert unfolded[1].count("does not know National Rail") == per_leg.events


@pytest.mark.parametrize(
    ("wishes", "unknown"),
    [
        ({"mode": ["tube", "walking"]}, ""),
        ({"mode": ["tube", "train", "walking"]}, "National Rail"),
        ({"mode": ["tube", "bike hire", "walking"]}, "hire cycles"),
        ({"avoid_modes": ["bus", "train"]}, "boats, the cable car and coaches"),
    ],
)
def test_only_modes_that_might_be_used_are_told_as_unknown(
    london: London, wishes: dict[str, Any], unknown: str
) -> None:
    answer = made(london, asked_for("Bank", "Victoria", **wishes)).answer
    assert ("Not known offline" in answer) == bool(unknown)
    assert (
        not unknown
        or f"Not known offline, and perhaps quicker: {unknown}. Times are estimates." in answer
    )


def test_no_way_is_said_of_the_known_network_only(london: London) -> None:
    trips = day(
        ("Brixton", "Uxbridge", {"avoid_modes": ["tube"], "max_walking_minutes": 5}),
        ("Bank", "Angel"),
        ("Bank", "51.30,0.40"),
    )
    result = made(london, trips)
    assert "The embedded network has no way from Brixton to Uxbridge" in result.answer
    assert "it does not know National Rail, buses, boats" in (result.journeys[0].error or "")
    assert "any stop of the embedded network (DLR, Elizabeth line" in (
        result.journeys[2].error or ""
    )


def test_an_answer_over_the_network_holds_against_its_record(london: London) -> None:
    result, draft = done(london, make_journeys, "ada", asked_for("Clapham Junction", "Victoria"))
    assert result.answer
    bare = check(result.answer, [record(draft)])
    assert bare.verdict in ("supported", "supported_in_part"), bare.claims
    # As the tool is recorded, with the sentences of its answer.
    found = check(result.answer, [record(replace(draft, answer=result.answer))])
    assert found.verdict == "supported", [one for one in found.claims if one.status != "supported"]


def test_a_corrected_place_is_told_in_the_answer(london: London) -> None:
    result, draft = done(london, make_journeys, "ada", asked_for("Padington", "kings x"))
    assert " Padington is read as Paddington." in result.answer
    assert "kings x is read" not in result.answer
    answered = replace(draft, answer=result.answer)
    assert check(result.answer, [record(answered)]).verdict == "supported"


def test_what_is_kept_and_cannot_be_read_is_told(tmp_path: Path) -> None:
    london = opened(tmp_path)
    (tmp_path / PREFERENCES_FILE).mkdir()
    result = made(london, asked_for("Bank", "Angel"))
    assert result.journeys[0].plans and result.journey_id
    assert "defaults, places and earlier trips are left out" in result.answer
    assert any("file of journey preferences" in one for one in result.assumptions or [])
    with pytest.raises(InputError, match=r"'home'.*What is kept could not be read: The file"):
        made(london, asked_for("Bank", "home"))
    london.close()


def test_figures_of_another_trip_are_not_those_of_one_that_failed(london: London) -> None:
    trips = day(("Bank", "Brighton"), ("Bank", "Angel", {"time": "10:00"}))
    _, draft = done(london, make_journeys, "ada", trips)

    def verdict(text: str) -> str:
        return check(text, [record(draft)]).verdict

    assert verdict("The second trip leaves at 10:00.") == "supported"
    assert verdict("The first trip leaves at 10:00.") != "supported"
    assert verdict("Bank to Brighton leaves at 10:00.") != "supported"


def test_an_answered_question_takes_the_place_of_its_guesses(london: London) -> None:
    guessed = made(london, day(("Angel", "Heathrow")))
    assert len(guessed.journeys) == 3
    [terminal] = [one.value for one in guessed.options or [] if one.name.endswith("Terminal 4")]
    answered = made(london, day(("Angel", terminal), journey_id=guessed.journey_id))
    [one] = answered.journeys
    assert one.plans[0].start == guessed.journeys[0].plans[0].start
    onward = made(london, day(("", "Bank"), journey_id=guessed.journey_id))
    assert onward.journeys[0].from_ == "Heathrow Terminal 4"
    assert onward.journeys[0].plans[0].start == one.plans[0].arrival


def test_a_kind_of_place_is_read_beside_its_name_and_only_there(london: London) -> None:
    result = made(london, day(("Angel", "the Tate Modern museum")))
    assert result.journeys[0].to == "Tate Modern"
    with pytest.raises(InputError, match="Oval museum"):
        made(london, day(("Angel", "Oval museum")))
