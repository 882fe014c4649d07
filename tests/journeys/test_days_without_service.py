"""Days without service in answers, days of trips, line status and calendar files, offline."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from opened import asked_for, done, opened

from groundwire.agents.journey_router_agent.telling import WORDING
from groundwire.agents.runtime.prompts import worded
from groundwire.journeys.artefacts.calendar import Recurrence
from groundwire.journeys.computed_journeys import Which
from groundwire.journeys.drawing import create_calendar
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.london import London
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.reporting import line_status
from groundwire.journeys.results import ComputedJourneys
from groundwire.language.lexicon import Language

WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday")


@pytest.fixture
def london(tmp_path: Path) -> Iterator[London]:
    london = opened(tmp_path, now=datetime(2026, 11, 27, 9, 0, tzinfo=LONDON))
    yield london
    london.close()


def made(london: London, one: str, other: str, when: str) -> ComputedJourneys:
    request = asked_for(one, other, date=when, time="10:00")
    result, _ = done(london, make_journeys, "ada", request)
    return result


def test_an_answer_says_what_is_left_out(london: London) -> None:
    result = made(london, "Waterloo", "Bank", "2026-11-29")
    said = "Left out, without service that day (Sunday 29 November): Waterloo & City line."
    assert said in result.answer
    assert said in (result.notes or [])
    assert "Waterloo & City" not in [line for one in result.journeys[0].plans for line in one.lines]
    assert "Waterloo & City" in made(london, "Waterloo", "Bank", "2026-11-30").answer


def test_a_day_without_service_is_answered_so(london: London) -> None:
    result = made(london, "Euston", "Oxford Circus", "2026-12-25")
    assert result.journeys[0].plans == []
    assert "On Friday 25 December 2026 TfL runs no Tube, DLR" in result.answer


def test_a_day_of_trips_on_christmas_day_has_none(london: London) -> None:
    wishes = {"date": "2026-12-25", "time": "10:00"}
    trips = (Trip("Euston", "Bank", "", wishes), Trip("Bank", "Angel", "", wishes))
    result, _ = done(london, make_journeys, "ada", Request(trips))
    assert [one.plans for one in result.journeys] == [[], []]


@pytest.mark.parametrize(
    ("lines", "modes", "date", "told"),
    [
        (("Waterloo & City",), (), "2026-11-29", "No service on Sunday 29 November: Waterloo"),
        (("Waterloo & City",), (), "", ""),
        (("Victoria",), (), "2026-11-29", ""),
        ((), ("bus",), "2026-12-25", "No service on Friday 25 December: buses."),
        ((), (), "2026-12-25", "No service on Friday 25 December: Tube, DLR"),
    ],
)
def test_lines_are_told_to_rest(
    london: London, lines: tuple[str, ...], modes: tuple[str, ...], date: str, told: str
) -> None:
    result, draft = done(london, line_status, lines, modes, 0, date)
    assert ("No service" in result.answer) == bool(told)
    assert result.answer.startswith(told)
    assert draft is not None and [one.value in result.answer for one in draft.values] == (
        [True] if told else []
    )


@pytest.mark.parametrize(
    ("until", "left_out", "unseen"),
    [
        ("8 January 2027", ["20261225"], False),
        ("18 December 2026", [], False),
        (None, ["20261225"], True),
    ],
)
def test_a_series_leaves_christmas_day_out(
    london: London, until: str | None, left_out: list[str], unseen: bool
) -> None:
    handle = made(london, "Brixton", "Green Park", "2026-12-04").journey_id or ""
    file = create_calendar(
        london, "ada", Which(handle, 0, 0), recurrence=Recurrence(("friday",)), until=until
    )
    assert [one for one in left_out if f"{one}T100000" in file.ics] == left_out
    assert ("EXDATE" in file.ics) == bool(left_out)
    said = "These services do not run on Friday 25 December 2026: the entry leaves that out."
    assert (said in file.answer) == bool(left_out)
    assert ("are not looked at" in file.answer) == unseen


def test_a_series_of_a_line_of_weekdays_leaves_bank_holidays_out(london: London) -> None:
    handle = made(london, "Waterloo", "Bank", "2026-12-21").journey_id or ""
    file = create_calendar(
        london, "ada", Which(handle, 0, 0), recurrence=Recurrence(WEEK), until="8 January 2027"
    )
    days = ("20261225", "20261228", "20270101")
    assert [day for day in days if f"{day}T100000" in file.ics] == list(days)
    assert "20261224T100000" not in file.ics


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["ausgelassen: Waterloo", "am Freitag", "fährt TfL anders"]),
        ("zh", ["停运", "TfL 的运行与平日不同"]),
    ],
)
def test_other_languages_have_sentences_for_it(
    london: London, language: Language, said: list[str]
) -> None:
    english = "\n".join(
        [
            made(london, "Waterloo", "Bank", "2026-11-29").answer,
            made(london, "Victoria", "Stratford", "2026-12-26").answer,
            made(london, "Euston", "Bank", "2026-12-25").answer,
        ]
    )
    told = worded(english, language, WORDING)
    assert "englisch" not in told and "英文" not in told
    assert all(one.casefold() in told.casefold() for one in said)
