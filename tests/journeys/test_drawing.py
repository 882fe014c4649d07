"""Files of computed plans: whole, in the state folder, named by the handle alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from opened import opened
from plans import london as at
from plans import made, ride, sent

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.journeys.computed_journeys import Which, get_computed_journey_plan
from groundwire.journeys.drawing import MOST_COMPARED, calendar_record, create_calendar, draw_map
from groundwire.journeys.itinerary import Disruption
from groundwire.journeys.london import London


@pytest.fixture
def london(tmp_path: Path) -> Iterator[London]:
    london = opened(tmp_path / "home")
    yield london
    london.close()


@pytest.fixture
def which(london: London) -> Which:
    _, journey = sent("journeyResultsKingsXToWaterlooNow")
    return Which(london.journeys.create("ada", [journey]), 0)


def files(london: London) -> set[str]:
    folder = london.supplies.home / "journeys"
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_map_is_written_as_html_and_svg(london: London, which: Which) -> None:
    drawn = draw_map(london, "ada", which)
    assert files(london) == {
        f"{which.journey_id}/journey-1-plan-1.{kind}" for kind in ("html", "svg")
    }
    assert Path(drawn.result.svg_path or "").read_text("utf-8") == drawn.svg
    assert drawn.png.startswith(b"\x89PNG")
    assert drawn.result.shown_in_browser is None
    assert drawn.result.legend[0].startswith("take the Victoria line towards Brixton")
    mode = Path(drawn.result.path or "").stat().st_mode & 0o777
    assert mode == 0o600


def test_the_file_is_shown_by_what_is_handed_in(london: London, which: Which) -> None:
    shown: list[Path] = []

    def show(path: Path) -> bool:
        shown.append(path)
        return False

    drawn = draw_map(london, "ada", which, show=show)
    assert shown == [Path(drawn.result.path or "")]
    assert drawn.result.shown_in_browser is False


def test_a_machine_without_fonts_is_told_of(
    london: London, which: Which, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.journeys.drawing.fonts_missing", lambda: "install a font")
    assert draw_map(london, "ada", which).result.notes == ["install a font"]


def test_plans_side_by_side(london: London, which: Which) -> None:
    drawn = draw_map(london, "ada", which, (2, 1, 2, 0))
    assert "beside 2 other plans is at" in drawn.result.answer
    assert Path(drawn.result.path or "").name == "journey-1-plan-1-with-3-2.html"
    with pytest.raises(InputError, match="There is no plan_index 9"):
        draw_map(london, "ada", which, (9,))
    with pytest.raises(InputError, match=f"send {MOST_COMPARED} at most"):
        draw_map(london, "ada", which, range(10))


def test_a_calendar_with_its_map_attached_once_it_is_drawn(london: London, which: Which) -> None:
    assert "ATTACH" not in create_calendar(london, "ada", which).ics
    drawn = draw_map(london, "ada", which)
    calendar = create_calendar(london, "ada", which, alarm_minutes=15)
    unfolded = calendar.ics.replace("\r\n ", "")
    assert Path(drawn.result.path or "").as_uri() in unfolded
    assert "TRIGGER:-PT15M" in unfolded
    legs = create_calendar(london, "ada", which, per_leg=True)
    assert (calendar.events, legs.events) == (1, 2)
    values = {one.name: one.value for one in calendar_record(london, "ada", which, legs).values}
    assert values["calendar events"] == "2"
    assert "departure" in values
    assert legs.answer.startswith("2 events from King's Cross St. Pancras to Waterloo")
    assert Path(legs.path or "").name == "journey-1-plan-1-legs.ics"


def test_a_calendar_too_long_for_an_answer_is_in_its_file(london: London) -> None:
    works = Disruption("Victoria", "Trains do not stop here while works go on. " * 20, "victoria")
    legs = tuple(
        ride(at(2026, 11, 23, 9 + n // 4, n % 4 * 15), planned_works=(works,)) for n in range(40)
    )
    handle = london.journeys.create("ada", [made(*legs)[1]])
    calendar = create_calendar(london, "ada", Which(handle, 0), per_leg=True)
    assert calendar.ics == ""
    assert calendar.events == 40
    assert str(calendar.path) in (calendar.left_out or "")
    assert Path(calendar.path or "").read_text("utf-8").count("BEGIN:VEVENT") == 40


def test_what_is_in_no_file_and_no_answer_is_refused(
    london: London, which: Which, monkeypatch: pytest.MonkeyPatch
) -> None:
    (london.supplies.home / "journeys").write_text("no folder")
    monkeypatch.setattr("groundwire.journeys.drawing.draw_png", lambda svg: b"")
    monkeypatch.setattr("groundwire.journeys.drawing._LONGEST_CALENDAR", 10)
    for verb in (draw_map, create_calendar):
        with pytest.raises(UnavailableError, match="cannot be written"):
            verb(london, "ada", which)


def test_a_page_is_told_where_its_drawing_could_not_be_written(
    london: London, which: Which
) -> None:
    (london.supplies.home / "journeys" / which.journey_id / "journey-1-plan-1.svg").mkdir(
        parents=True
    )
    drawn = draw_map(london, "ada", which).result
    assert drawn.path is not None and drawn.path in drawn.answer
    assert drawn.svg_path is None
    assert "journey-1-plan-1.svg cannot be written" in (drawn.path_error or "")


@pytest.mark.parametrize("journey_id", ["../..", "/etc", "", "jo_nobody", "jo_\x00"])
def test_a_handle_that_is_not_kept_writes_nothing(
    london: London, which: Which, journey_id: str
) -> None:
    for verb in (draw_map, create_calendar):
        with pytest.raises(NotFoundError):
            verb(london, "ada", Which(journey_id, 0))
        with pytest.raises(NotFoundError):
            verb(london, "eve", which)
    assert not (london.supplies.home / "journeys").exists()


def test_notices_and_planned_works_are_not_told_as_disruptions(london: London) -> None:
    crowded = Disruption("Victoria", "Stations are busier than usual.", "victoria", "Crowding")
    works = Disruption("Victoria", "No service after 22:00.", "victoria", planned=True)
    journey = made(ride(at(2026, 11, 23, 9), notices=(crowded,), planned_works=(works,)))[1]
    which = Which(london.journeys.create("ada", [journey]), 0)
    drawn = draw_map(london, "ada", which)
    page = Path(drawn.result.path or "").read_text("utf-8")
    assert "<p>Notice: Victoria: Stations are busier than usual.</p>" in page
    assert "Planned works: Victoria: No service after 22:00." in page
    assert "Planned works: No service after 22:00." in drawn.svg
    assert "busier" not in drawn.svg
    for per_leg in (False, True):
        ics = create_calendar(london, "ada", which, per_leg=per_leg).ics.replace("\r\n ", "")
        assert "Notice: " in ics and "Planned works: " in ics
        assert "Disruption" not in ics
    told, draft = get_computed_journey_plan(london, "ada", which, "full")
    assert told.disruptions is None
    assert [one.reason for one in told.notices or []] == [crowded.reason]
    assert [one.reason for one in told.planned_works or []] == [works.reason]
    assert "Disruption" not in told.text
    assert not [one for one in draft.values if "disruption" in one.name]


def test_a_day_is_one_map_and_one_calendar(london: London) -> None:
    morning = ride(at(2026, 11, 23, 9, 0))
    evening = ride(at(2026, 11, 23, 18, 0), origin=morning.destination, destination=morning.origin)
    (_, there), (_, back) = made(morning), made(evening)
    back = replace(back, origin=there.destination, destination=there.origin)
    nowhere = replace(there, plans=(), error="nobody goes there")
    handle = london.journeys.create("ada", [back, there, nowhere])
    drawn = draw_map(london, "ada", Which(handle, 0), whole_day=True)
    assert Path(drawn.result.path or "").name == "day-2-trips-plans-1-1.html"
    assert drawn.result.answer.startswith("The map of the 2 trips of Monday 23 November")
    assert "has no plan and is left out" in drawn.result.answer
    assert len(drawn.result.legend) == 2
    assert "2 trips: 09:00–09:10, 18:00–18:10" in drawn.svg
    calendar = create_calendar(london, "ada", Which(handle, 0), whole_day=True, alarm_minutes=15)
    assert (calendar.events, calendar.ics.count("BEGIN:VTIMEZONE")) == (2, 1)
    assert calendar.ics.count("BEGIN:VALARM") == 2
    assert "day-2-trips" in calendar.ics.replace("\r\n ", "")
    with pytest.raises(InputError, match="compares no plans"):
        draw_map(london, "ada", Which(handle, 0), (1,), whole_day=True)


def test_trips_of_several_days_are_no_day(london: London) -> None:
    trips = [made(ride(at(2026, 11, day, 9, 0)))[1] for day in (23, 24)]
    handle = london.journeys.create("ada", trips)
    with pytest.raises(InputError, match="several days"):
        create_calendar(london, "ada", Which(handle, 0), whole_day=True)
