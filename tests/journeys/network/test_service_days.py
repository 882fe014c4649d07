"""Days on which lines have no service: which they are, and what plans and answers make of them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

import pytest

from groundwire.errors import NotFoundError
from groundwire.journeys.itinerary import LONDON, Options, Place
from groundwire.journeys.network.limits import without_service
from groundwire.journeys.network.model import BANK_HOLIDAY, Network, names_of, service_day
from groundwire.journeys.network.planner import plan, service_notes

WATERLOO, BANK = "Waterloo", "Bank"
RAIL = ("tube", "dlr", "overground", "elizabeth-line", "tram")


@pytest.fixture
def at(network: Network) -> Callable[[str], Place]:
    def find(name: str) -> Place:
        return next(
            stop.place
            for stop in network.stops.values()
            if stop.name == name and stop.modes == ("tube",)
        )

    return find


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=LONDON)


@pytest.mark.parametrize(
    ("text", "holiday"),
    [
        ("2026-04-03", True),  # Good Friday
        ("2026-04-05", False),
        ("2026-04-06", True),  # Easter Monday
        ("2026-05-04", True),
        ("2026-05-25", True),
        ("2026-08-31", True),
        ("2026-08-24", False),
        ("2026-12-28", True),  # for Boxing Day, a Saturday
        ("2026-12-29", False),
        ("2027-12-27", True),  # for Christmas Day, a Saturday
        ("2027-12-28", True),  # for Boxing Day, a Sunday
        ("2022-12-27", True),  # for Christmas Day, a Sunday
        ("2022-01-03", True),
        ("2026-12-24", False),
    ],
)
def test_bank_holidays_are_computed(text: str, holiday: bool) -> None:
    assert (BANK_HOLIDAY in names_of(date.fromisoformat(text))) == holiday


def test_a_day_of_service_ends_with_its_last_trains() -> None:
    assert service_day(moment("2026-12-26T00:40")) == date(2026, 12, 25)
    assert service_day(moment("2026-12-26T06:00")) == date(2026, 12, 26)


@pytest.mark.parametrize(
    ("when", "runs"),
    [
        ("2026-11-27T10:00", True),
        ("2026-11-28T00:20", True),  # the last trains of Friday
        ("2026-11-28T10:00", False),
        ("2026-11-29T10:00", False),
        ("2026-11-30T10:00", True),
        ("2026-12-28T10:00", False),
        ("2027-03-26T10:00", False),
    ],
)
@pytest.mark.parametrize("arriving", [False, True])
def test_a_line_is_used_on_its_days_alone(
    network: Network, at: Callable[[str], Place], when: str, runs: bool, arriving: bool
) -> None:
    options = Options(when=moment(when), time_is="arriving" if arriving else "departing")
    plans = plan(network, at(WATERLOO), at(BANK), options, moment(when))
    used = {leg.line_id for one in plans for leg in one.rides}
    assert ("waterloo-city" in used) == runs
    notes = service_notes(network, at(WATERLOO), at(BANK), options, moment(when), plans)
    assert any("Waterloo & City line" in note for note in notes) != runs


def test_a_line_that_would_not_be_used_is_not_told(
    network: Network, at: Callable[[str], Place]
) -> None:
    sunday = moment("2026-11-29T10:00")
    ends = at("Brixton"), at("Oxford Circus")
    plans = plan(network, *ends, Options(), sunday)
    assert service_notes(network, *ends, Options(), sunday, plans) == ()


@pytest.mark.parametrize("when", ["2026-12-25T09:00", "2026-12-26T01:00", "2030-12-25T18:00"])
def test_nothing_is_planned_on_christmas_day(
    network: Network, at: Callable[[str], Place], when: str
) -> None:
    with pytest.raises(NotFoundError, match=r"On Tuesday|On Wednesday|On Friday") as told:
        plan(network, at("Euston"), at("Oxford Circus"), Options(), moment(when))
    assert "25 December" in str(told.value) and "buses" in str(told.value)


def test_one_may_walk_on_christmas_day(network: Network, at: Callable[[str], Place]) -> None:
    when, ends = moment("2026-12-25T09:00"), (at("Euston"), at("Camden Town"))
    (walk,) = plan(network, *ends, Options(mode=("walking",)), when)
    assert not walk.rides
    assert service_notes(network, *ends, Options(mode=("walking",)), when, (walk,)) == ()


def test_one_line_without_service_is_no_way(network: Network, at: Callable[[str], Place]) -> None:
    asked = Options(only_lines=("waterloo-city",), mode=("tube",))
    with pytest.raises(NotFoundError, match=r"No service on Sunday 29 November 2026: Waterloo"):
        plan(network, at(WATERLOO), at(BANK), asked, moment("2026-11-29T10:00"))


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ("2026-12-24T10:00", "Thursday 24 December, and how"),
        ("2026-12-26T10:00", "Saturday 26 December (a bank holiday in England), and how"),
        ("2026-12-31T10:00", "Thursday 31 December, and how"),
        ("2026-12-30T10:00", ""),
    ],
)
def test_other_services_are_said(
    network: Network, at: Callable[[str], Place], when: str, said: str
) -> None:
    ends = at("Brixton"), at("Oxford Circus")
    plans = plan(network, *ends, Options(), moment(when))
    notes = service_notes(network, *ends, Options(), moment(when), plans)
    assert (said in " ".join(notes)) if said else notes == ()


def test_lines_and_modes_without_service_are_told(network: Network) -> None:
    sunday, christmas = date(2026, 11, 29), date(2026, 12, 25)
    assert "Waterloo & City" in without_service(network, ("waterloo-city",), (), sunday)
    assert without_service(network, ("victoria",), (), sunday) == ""
    assert without_service(network, (), RAIL, date(2026, 11, 30)) == ""
    assert "buses" in without_service(network, (), ("bus",), christmas)
    assert "Victoria" in without_service(network, ("victoria",), (), christmas)
