"""Places that may be meant; every payload here is synthetic, in the shape that TfL describes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import UnavailableError
from groundwire.journeys.itinerary import Place, Point
from groundwire.journeys.tfl.stop_payload import PlaceOption, read_disambiguation

DATA = Path(__file__).parents[1] / "data"


def side(status: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"matchStatus": status, "disambiguationOptions": list(options)}


def option(send: str, name: str, quality: int, **place: Any) -> dict[str, Any]:
    return {
        "parameterValue": send,
        "matchQuality": quality,
        "place": {"commonName": name, "placeType": "StopPoint", **place},
    }


def test_options_with_what_to_send_back() -> None:
    value = json.loads((DATA / "synthetic_disambiguation.json").read_text("utf-8"))
    found = read_disambiguation(value)
    assert found.origin == found.via == found.unknown == ()
    station, pond = found.destination
    assert station == PlaceOption(
        Place(
            "Hampstead Underground Station",
            Point(51.5569, -0.1779),
            "stop",
            "940GZZLUHTD",
            "1000098",
        ),
        "1000098",
        1000,
        ("tube",),
        "StopPoint",
    )
    assert pond.send == "51.5561,-0.1742"
    assert pond.place.name == 'synthetic: Hampstead, a "Pond"'
    assert (pond.place.kind, pond.place_type) == ("point_of_interest", "PointOfInterest")


def test_best_match_first_and_each_once() -> None:
    found = read_disambiguation(
        {
            "fromLocationDisambiguation": side(
                "list", option("2", "B", 500), option("1", "A", 900), option("2", "B again", 500)
            ),
            "viaLocationDisambiguation": side("list", option("3", "C", 1)),
        }
    )
    assert [(one.send, one.place.name) for one in found.origin] == [("1", "A"), ("2", "B")]
    assert [one.send for one in found.via] == ["3"]


def test_without_a_value_the_place_says_what_to_send() -> None:
    options = [
        option("", "Stop", 3, icsCode="1000254", naptanId="940GZZLUWLO"),
        option("", "Only an id", 2, naptanId="940GZZLUHTD"),
        option("", "Only a point", 1, lat=51.5, lon=-0.1),
        option("", "Nothing", 0),
        option("5", "", 0),
    ]
    found = read_disambiguation({"toLocationDisambiguation": side("list", *options)})
    assert [one.send for one in found.destination] == ["1000254", "940GZZLUHTD", "51.5,-0.1"]


def test_a_place_that_tfl_does_not_know_is_told_by_side() -> None:
    found = read_disambiguation(
        {
            "fromLocationDisambiguation": {"matchStatus": "notidentified"},
            "toLocationDisambiguation": {"matchStatus": "identified"},
            "viaLocationDisambiguation": {"matchStatus": "empty"},
        }
    )
    assert found.unknown == ("origin",)


@pytest.mark.parametrize(
    "value", [None, [], {}, {"fromLocationDisambiguation": {"matchStatus": "identified"}}]
)
def test_what_offers_nothing_is_refused(value: Any) -> None:
    with pytest.raises(UnavailableError):
        read_disambiguation(value)
