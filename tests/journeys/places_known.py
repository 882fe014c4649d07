"""The places that are known without a connection, read once for all tests."""

from __future__ import annotations

from functools import cache

from groundwire import profiles
from groundwire.journeys.network.load import load_network
from groundwire.journeys.places.landmarks import read_landmarks
from groundwire.journeys.places.reading import PlaceReader
from groundwire.journeys.stops.names import Stations


@cache
def place_reader() -> PlaceReader:
    stations = Stations(load_network(profiles.london_network()))
    return PlaceReader(stations, read_landmarks(profiles.FOLDER / "london_places.csv"))
