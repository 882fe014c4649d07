from __future__ import annotations

import zipfile
from argparse import Namespace
from datetime import date
from pathlib import Path

import pytest
from timetable_feeds import Feed, small_city, times_of, written

from groundwire.cli.journeys import import_
from groundwire.errors import InputError, LimitError, NotFoundError
from groundwire.journeys.timetable import feed_reading, feed_tables
from groundwire.journeys.timetable.importing import check_feed, import_feed
from groundwire.journeys.timetable.model import FeedInfo, Timetable, feed_folder, imported_feeds

TODAY = date(2026, 6, 22)


def silent(what: str, done: int, total: int) -> None:
    del what, done, total


def checked(feed: Feed, tmp_path: Path) -> FeedInfo:
    return check_feed(feed.write(tmp_path / "feed.zip"), silent, TODAY)


def test_a_feed_is_imported_and_listed(tmp_path: Path) -> None:
    import_feed(small_city().write(tmp_path / "feed.zip"), "lake", tmp_path, silent, TODAY)

    ((info, size),) = imported_feeds(tmp_path)
    assert isinstance(info, FeedInfo)
    assert (info.name, info.publisher, info.zone) == (
        "lake",
        "Lake City Transit",
        "Europe/Berlin",
    )
    assert (info.first_day, info.last_day) == (date(2026, 6, 1), date(2026, 8, 31))
    assert info.problems == ()
    assert size > 0
    assert not list((tmp_path / "feeds").glob(".*"))


def test_a_frequency_is_run_as_often_as_it_says(tmp_path: Path) -> None:
    info = import_feed(small_city().write(tmp_path / "feed.zip"), "lake", tmp_path, silent, TODAY)

    # 114 departures of the underground each way, 56 trams, 4 buses, 20 ferries.
    assert info.trips == 2 * 114 + 56 + 4 + 20


def test_an_import_takes_the_place_of_the_feed_of_its_name(tmp_path: Path) -> None:
    small = small_city()
    import_feed(small.write(tmp_path / "one.zip"), "lake", tmp_path, silent, TODAY)
    small.add("feed_info", "feed_publisher_name,feed_end_date", [("Other", "20260630")])
    import_feed(small.write(tmp_path / "two.zip"), "lake", tmp_path, silent, TODAY)

    table = Timetable(feed_folder(tmp_path, "lake"))
    assert (table.info.publisher, table.info.last_day) == ("Other", date(2026, 6, 30))


def test_two_feeds_with_the_same_ids_stay_apart(tmp_path: Path) -> None:
    import_feed(small_city().write(tmp_path / "one.zip"), "one", tmp_path, silent, TODAY)
    other = small_city()
    stops = other.tables["stops"][1]
    stops[:] = [(one[0], "Gallery", *one[2:]) if one[0] == "MUS" else one for one in stops]
    import_feed(other.write(tmp_path / "two.zip"), "two", tmp_path, silent, TODAY)

    names = [set(Timetable(feed_folder(tmp_path, one)).stop_names.all()) for one in ("one", "two")]
    assert [names[0] - names[1], names[1] - names[0]] == [{"Museum"}, {"Gallery"}]
    assert [one.name for one, _ in imported_feeds(tmp_path) if isinstance(one, FeedInfo)] == [
        "one",
        "two",
    ]


def test_an_import_that_fails_leaves_the_old_feed(tmp_path: Path) -> None:
    import_feed(small_city().write(tmp_path / "one.zip"), "lake", tmp_path, silent, TODAY)
    broken = small_city().write(tmp_path / "two.zip", without=["stops"])

    with pytest.raises(InputError, match=r"stops\.txt is missing"):
        import_feed(broken, "lake", tmp_path, silent, TODAY)
    assert Timetable(feed_folder(tmp_path, "lake")).info.stops == 9
    assert not list((tmp_path / "feeds").glob(".*"))


@pytest.mark.parametrize("name", ["", "London", "london", "../up", "a b", "x" * 41, ".hidden"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no name for a feed"):
        import_feed(tmp_path / "feed.zip", name, tmp_path, silent)


def test_a_feed_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    import_feed(small_city().write(tmp_path / "one.zip"), "lake", tmp_path, silent, TODAY)

    with pytest.raises(NotFoundError, match=r"No feed 'sea' is imported.*Imported are lake"):
        feed_folder(tmp_path, "sea")


@pytest.mark.parametrize("table", ["agency", "stops", "routes", "trips", "stop_times"])
def test_a_missing_table_is_named(table: str, tmp_path: Path) -> None:
    path = small_city().write(tmp_path / "feed.zip", without=[table])

    with pytest.raises(InputError, match=rf"{table}\.txt is missing"):
        check_feed(path, silent, TODAY)


def test_a_feed_without_calendars_is_refused(tmp_path: Path) -> None:
    path = small_city().write(tmp_path / "feed.zip", without=["calendar", "calendar_dates"])

    with pytest.raises(InputError, match="neither calendar"):
        check_feed(path, silent, TODAY)


def test_what_is_no_zip_is_told(tmp_path: Path) -> None:
    path = tmp_path / "feed.zip"
    path.write_bytes(b"no zip at all")

    with pytest.raises(InputError, match="damaged or no zip"):
        check_feed(path, silent, TODAY)
    with pytest.raises(InputError, match="There is no file"):
        check_feed(tmp_path / "none.zip", silent, TODAY)


def test_a_zip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_tables, "_HARMLESS", 100_000)
    small = small_city()
    path = small.write(tmp_path / "feed.zip", without=["transfers"])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("transfers.txt", b"from_stop_id,to_stop_id\n" + b"0" * 30_000_000)

    with pytest.raises(LimitError, match="zip bomb"):
        check_feed(path, silent, TODAY)


def test_another_encoding_is_told_and_read(tmp_path: Path) -> None:
    path = small_city().write(tmp_path / "feed.zip", encoding="cp1252")
    info = import_feed(path, "lake", tmp_path, silent, TODAY)

    assert any("stops.txt is not UTF-8" in one for one in info.problems)
    assert "Seestraße" in Timetable(feed_folder(tmp_path, "lake")).stop_names.all()


def test_ended_calendars_are_told_with_their_date(tmp_path: Path) -> None:
    path = small_city().write(tmp_path / "feed.zip")
    info = check_feed(path, silent, date(2026, 9, 2))

    assert "The calendars have ended on 2026-08-31: nothing can be planned after it." in (
        info.problems
    )


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([("HBF1", "08:00:00"), ("MUS", "07:50:00")], "1 trips have times that go back"),
        ([("HBF1", "08:00:00")], "1 trips call at one stop only"),
        ([("HBF1", ""), ("MUS", "08:05:00")], "1 trips begin or end without a time"),
        ([("HBF1", "8 o'clock"), ("MUS", "08:05:00")], "1 calls have a time that cannot be read"),
        ([("HBF1", "08:00:00"), ("NIX", "08:05:00")], "1 calls are at an unknown stop"),
    ],
)
def test_a_trip_that_cannot_be_ridden_is_left_out_and_told(
    calls: list[tuple[str, str]], told: str, tmp_path: Path
) -> None:
    small = small_city()
    small.tables["trips"][1].append(["bad", "U2", "daily", "Nowhere", 0])
    small.tables["stop_times"][1].extend(times_of("bad", calls))
    info = checked(small, tmp_path)

    assert any(one.startswith(told) for one in info.problems), info.problems
    assert info.trips == 2 * 114 + 56 + 4 + 20


def test_times_between_are_spread_and_told(tmp_path: Path) -> None:
    small = small_city()
    small.tables["trips"][1].append(["gap", "U2", "daily", "Alexplatz", 0])
    calls = [("HBF1", "30:00:00"), ("MUS", ""), ("ALX", "30:10:00")]
    small.tables["stop_times"][1].extend(times_of("gap", calls))
    import_feed(small.write(tmp_path / "feed.zip"), "lake", tmp_path, silent, TODAY)

    table = Timetable(feed_folder(tmp_path, "lake"))
    assert 30 * 3600 + 300 in table.arrivals
    assert "1 calls have no time: spread evenly between the others." in table.info.problems


@pytest.mark.parametrize(
    ("table", "row", "told"),
    [
        ("stops", ["MUS", "Again", 52, 13, 0, "", "", 0], "1 rows of stops.txt have an id twice"),
        ("stops", ["X", "Nowhere", "", "", 0, "", "", 0], "1 stops have no position"),
        ("stops", ["Y", "Loop", 52, 13, 0, "Y", "", 0], "1 stops are the station of themselves"),
        ("routes", ["Z", "Z", "Zeppelin", 4711], "1 routes have an unknown type"),
        ("trips", ["t", "NIX", "daily", "", 0], "1 trips are of an unknown route or service"),
        ("calendar_dates", ["daily", "2026-06-01", 1], "1 rows of calendar or calendar_dates"),
        ("frequencies", ["f", "09:00:00", "10:00:00", 600, 0], "1 rows of frequencies.txt overlap"),
        ("frequencies", ["f", "19:00:00", "20:00:00", 0, 0], "1 rows of frequencies.txt cannot"),
    ],
)
def test_a_row_that_cannot_be_used_is_told(
    table: str, row: list[object], told: str, tmp_path: Path
) -> None:
    small = small_city()
    small.tables[table][1].append(row)
    info = checked(small, tmp_path)

    assert any(one.startswith(told) for one in info.problems), info.problems


def test_transfers_that_go_in_a_circle_are_no_trouble(tmp_path: Path) -> None:
    small = small_city()
    rows = [
        ("ALX", "PAR", 2, 60),
        ("PAR", "ALX", 2, 60),
        ("ALX", "ALX", 2, 30),
        ("NIX", "ALX", 0, ""),
    ]
    small.add("transfers", "from_stop_id,to_stop_id,transfer_type,min_transfer_time", rows)
    info = import_feed(small.write(tmp_path / "feed.zip"), "lake", tmp_path, silent, TODAY)

    assert info.problems == ("1 transfers are of an unknown stop: left out.",)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (
            [("HBF", "MUS", 2, 60), ("MUS", "HBF", 2, 900)],
            "1 transfers are faster than anybody walks, such as Hauptbahnhof to Museum (60 s over "
            "2.0 km): believed all the same.",
        ),
        ([("HBF", "MUS", 1, "")], "1 transfers are faster than anybody walks"),
        ([("ALX", "PAR", 2, -60)], "1 transfers take less than no time: taken for none."),
        (
            [("ALX", "PAR", 2, 120), ("ALX", "PAR", 2, 240), ("PAR", "ALX", 2, 240)],
            "1 transfers are told with different times: the last counts.",
        ),
        ([("ALX", "PAR", 2, 120), ("ALX", "PAR", 2, 120), ("HBF", "MUS", 3, "")], ""),
    ],
)
def test_doubtful_transfers_are_told(
    rows: list[tuple[object, ...]], told: str, tmp_path: Path
) -> None:
    small = small_city()
    small.add("transfers", "from_stop_id,to_stop_id,transfer_type,min_transfer_time", rows)
    problems = checked(small, tmp_path).problems
    assert [one for one in problems if one.startswith(told)] if told else problems == ()


def test_a_transfer_of_a_stop_without_position_is_not_doubted(tmp_path: Path) -> None:
    small = small_city()
    stops = small.tables["stops"][1]
    stops[:] = [[one[0], one[1], "", "", *one[4:]] if one[0] == "MUS" else one for one in stops]
    rows = [("HBF", "MUS", 2, 60)]
    small.add("transfers", "from_stop_id,to_stop_id,transfer_type,min_transfer_time", rows)
    assert not any("faster" in one for one in checked(small, tmp_path).problems)


def test_a_stop_of_an_unknown_station_is_told(tmp_path: Path) -> None:
    small = small_city()
    stops = small.tables["stops"][1]
    stops[:] = [[*one[:5], "GONE", *one[6:]] if one[0] == "MUS" else one for one in stops]
    assert checked(small, tmp_path).problems == (
        "1 stops are of an unknown station: taken by themselves.",
    )


def test_frequencies_without_end_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_reading, "MOST_RUNS_OF_FREQUENCIES", 100)
    small = small_city()
    small.add(
        "frequencies",
        "trip_id,start_time,end_time,headway_secs",
        [("f", "00:00:00", "999:00:00", 1)],
    )

    with pytest.raises(LimitError, match="more than 100 runs"):
        checked(small, tmp_path)


def test_a_feed_without_a_known_zone_is_refused(tmp_path: Path) -> None:
    small = small_city().add("agency", "agency_name,agency_timezone", [("A", "Mars/Base")])

    with pytest.raises(InputError, match="time zone 'Mars/Base'"):
        checked(small, tmp_path)


def test_a_header_with_blanks_and_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        {
            "agency": "\ufeffagency_name, agency_timezone\nA,Europe/Berlin\n",
            "stops": 'stop_id ,stop_name\na,A\nb,"B, with a comma\nand a line"\n',
            "routes": "route_id,route_type\nr,3\n",
            "trips": "trip_id,route_id,service_id\nt,r,c\n",
            "stop_times": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"
            "t,a,1,8:00:00,8:00:00\nt,b,2,8:10:00,8:10:00\n",
            "calendar_dates": "service_id,date,exception_type\nc,20260622,1\n",
        },
    )
    info = check_feed(path, silent, TODAY)

    assert (info.trips, info.stop_times, info.first_day) == (1, 2, TODAY)
    assert info.problems == ("2 stops have no position: no walk to or from them is known.",)


def test_a_feed_that_stands_in_place_of_another_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path / "home"))
    path = small_city().write(tmp_path / "feed.zip")
    sent = Namespace(feed=str(path), name="lake")

    assert import_(sent) == 0
    assert "in place of" not in capsys.readouterr().out
    assert import_(sent) == 0
    told = capsys.readouterr().out
    assert "in place of the feed of Lake City Transit, 2026-06-01 to 2026-08-31" in told
