"""The well-known places, and that each of them lies where one would look for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from places_known import place_reader

from groundwire.errors import ConfigurationError
from groundwire.journeys.itinerary import metres_between
from groundwire.journeys.places.landmarks import read_landmarks
from groundwire.journeys.places.positions import is_near_london

# Parks and grounds whose nearest station is far, with the kilometres allowed.
FAR = {"Hampton Court Palace": 10.0}
USUAL = 3.2


def test_each_lies_near_the_station_that_is_named_with_it() -> None:
    places = place_reader()
    by_name = {station.name: station for station in places.stations}
    for landmark in places.landmarks.values():
        station = by_name[landmark.station]
        away = metres_between(landmark.point, station.point)
        nearest = places.stations.nearest(landmark.point, 1)[0][0]
        assert away <= 1000 * FAR.get(landmark.name, USUAL), landmark
        assert away <= nearest + (1500 if nearest < 2000 else 2500), (landmark, away, nearest)
        assert is_near_london(landmark.point)


def test_there_are_some_two_hundred_and_fifty() -> None:
    assert 200 <= len(place_reader().landmarks) <= 320


def test_each_is_found_by_its_name_and_its_other_names() -> None:
    places = place_reader()
    for landmark in places.landmarks.values():
        reading = places.read(landmark.name)
        assert reading.place == landmark.place, landmark.name
        for alias in landmark.aliases:
            reading = places.read(alias)
            assert reading.place is not None, alias
            # A station of the same name comes first, and the landmark is told.
            assert reading.place == landmark.place or landmark.name in reading.note, alias


@pytest.mark.parametrize(
    "text", ["", "a,b\n1,2\n", "name,kind,lat,lon,station,aliases\nA,b,x,0,C,\n"]
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "places.csv"
    file.write_text(text, "utf-8")
    if text:
        with pytest.raises(ConfigurationError, match="places"):
            read_landmarks(file)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_landmarks(tmp_path / "none.csv")
