from __future__ import annotations

import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import anyio
import pytest

from groundwire.errors import InputError, LimitError
from groundwire.journeys.making import Request, Trip, make_journeys
from groundwire.journeys.results import PlanItem
from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import check_feed, import_feed
from groundwire.journeys.timetable.transxchange import MOST_BYTES, parsed

SAMPLE = Path(__file__).with_name("bus_line.xml")
LONDON = ZoneInfo("Europe/London")
MONDAY = date(2026, 6, 22)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    import_feed(SAMPLE, "harbour", folder, lambda *_: None, MONDAY)
    return folder


@pytest.fixture
def town(home: Path) -> Iterator[City]:
    city = City("harbour", home, lambda: datetime(2026, 6, 22, 7, 0, tzinfo=LONDON))
    yield city
    city.close()


def first_plan(city: City, day: str, time: str) -> PlanItem | None:
    request = Request((Trip("Mill Road", "Harbour", "", {"date": day, "time": time}),))
    result, _ = anyio.run(make_journeys, city, "local", request)
    return next(iter(result.journeys[0].plans), None)


@pytest.mark.parametrize(
    ("day", "time", "start", "arrival"),
    [
        ("2026-06-22", "07:30", "2026-06-22T08:00", "2026-06-22T08:14"),
        # The second journey takes ten minutes for its first link.
        ("2026-06-22", "08:30", "2026-06-22T09:00", "2026-06-22T09:19"),
        # Two days without service.
        ("2026-06-24", "12:00", "", ""),
        # On Saturdays there is one journey, past midnight.
        ("2026-06-27", "12:00", "2026-06-27T23:55", "2026-06-28T00:09"),
    ],
)
def test_a_line_runs_by_its_days_and_its_times(
    town: City, day: str, time: str, start: str, arrival: str
) -> None:
    plan = first_plan(town, day, time)
    assert (plan.start[:16] if plan else "", plan.arrival[:16] if plan else "") == (start, arrival)


def test_what_is_not_read_is_told() -> None:
    info = check_feed(SAMPLE, lambda *_: None, MONDAY)
    told = " ".join(info.problems)
    assert "bank holidays is not read (2 times)" in told
    assert "national grid alone" in told
    assert "without a service or a pattern are left out (1 times)" in told


def test_a_zip_of_files_is_one_timetable(tmp_path: Path) -> None:
    other = SAMPLE.read_text("utf-8").replace("SVC7", "SVC8").replace("LN7", "LN8")
    with zipfile.ZipFile(tmp_path / "lines.zip", "w") as zipped:
        zipped.write(SAMPLE, "a/7.xml")
        zipped.writestr("a/8.xml", other)
    info = check_feed(tmp_path / "lines.zip", lambda *_: None, MONDAY)
    assert (info.routes, info.trips) == (2, 6)


@pytest.mark.parametrize(
    ("data", "error", "told"),
    [
        (b"<a", InputError, "no XML"),
        (b"<a/>", InputError, "no TransXChange"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', InputError, "document type"),
        (b"<a>" * 100, LimitError, "nested"),
        (b" " * (MOST_BYTES + 1), LimitError, "64 MB"),
    ],
)
def test_a_file_that_harms_is_refused(data: bytes, error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        parsed("line.xml", data)
