"""Whether, when and how often lines run on a day, and which services go to a stop."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from own_towns import four_isles
from own_valley import gamstal

from groundwire.errors import InputError
from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import import_feed
from groundwire.journeys.timetable.services import line_status

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=ZoneInfo("Europe/Berlin"))


@pytest.fixture(scope="module")
def isles(tmp_path_factory: pytest.TempPathFactory) -> City:
    home = tmp_path_factory.mktemp("isles")
    import_feed(four_isles().write(home / "feed.zip"), "isles", home, lambda *_: None, NOW.date())
    return City("isles", home, lambda: NOW)


@pytest.mark.parametrize(
    ("line", "day", "told"),
    [
        ("12", "", "every 30 minutes, 20 services"),
        ("F3", "Wednesday", "no service of F3 runs on Wednesday 25 November 2026"),
        ("F3", "Wednesday", "it runs on Friday 27 November and Tuesday 1 December."),
        ("boat to Lüttöe Anleger", "Wednesday", "no service of boat to Lüttöe Anleger"),
        ("ferry to Sandöe Hafen", "Friday", "to Sandöe Hafen: 08:10, 13:10 and 17:40."),
        ("boat from Sandöe Hafen", "Sunday", "to Grootöe Hafen: 11:00, 16:00 and 19:00."),
    ],
)
def test_services_of_a_day_are_told(isles: City, line: str, day: str, told: str) -> None:
    assert told in line_status(isles, [line], [], day)[0].answer


def test_a_stop_of_unread_words_is_not_known(isles: City) -> None:
    with pytest.raises(InputError, match="No stop"):
        line_status(isles, ["boat from Grootöe aufs Festland"], [])


def test_a_line_is_called_by_the_word_of_its_long_name_alone(tmp_path: Path) -> None:
    import_feed(gamstal().write(tmp_path / "feed.zip"), "valley", tmp_path, lambda *_: None)
    valley = City("valley", tmp_path, lambda: NOW)
    for called in ("Zahnradbahn", "rack railway"):
        told = line_status(valley, [called], [], "20 December")[0].answer
        assert "every 30 minutes, 21 services" in told
    with pytest.raises(InputError, match="send T, Z"):
        line_status(valley, ["monorail"], [])
