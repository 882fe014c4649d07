"""Names of stops as people write them, with and without the small words of a sentence."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from own_towns import port_marrow, waldstaett

from groundwire.journeys.timetable.city import City
from groundwire.journeys.timetable.importing import import_feed

_TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("town", "raw", "name"),
    [
        ("marrow", "the Hospital", "Hospital"),
        ("marrow", "The Green", "The Green"),
        ("marrow", "green", "The Green"),
        ("marrow", "two bridges", "Two Bridges"),
        ("waldstaett", "Markt", "Am Markt"),
        ("waldstaett", "Am Markt", "Am Markt"),
        ("waldstaett", "der Universität", "Universität"),
        ("waldstaett", "Schloss", "Schloß"),
        ("waldstaett", "the Krankenhaus", "Krankenhaus"),
    ],
)
def test_small_words_are_no_part_of_a_name(tmp_path: Path, town: str, raw: str, name: str) -> None:
    feed = {"marrow": port_marrow, "waldstaett": waldstaett}[town]()
    import_feed(feed.write(tmp_path / "feed.zip"), town, tmp_path, lambda *_: None, _TODAY)
    place = City(town, tmp_path).places.read(raw, {}).place
    assert place is not None
    assert place.name == name


def test_names_that_hold_other_words_are_marked(tmp_path: Path) -> None:
    made = port_marrow().write(tmp_path / "feed.zip")
    import_feed(made, "town", tmp_path, lambda *_: None, _TODAY)
    city = City("town", tmp_path)
    for text, marked in (
        ("two bridges to the green at 9", "「two bridges」 to 「the green」 at 9"),
        ("by the Coast Line to May Street, May 3", "by the Coast Line to 「May Street」, May 3"),
        ("from Market to Change", "from Market to Change"),
        ("Change to Market at 9", "「Change」 to Market at 9"),
    ):
        assert city.with_marked_names(text) == marked


def test_the_stops_of_a_line_are_in_its_order(tmp_path: Path) -> None:
    made = port_marrow().write(tmp_path / "feed.zip")
    import_feed(made, "town", tmp_path, lambda *_: None, _TODAY)
    city = City("town", tmp_path)
    for query in ("Coast line", "line 5", "5 line"):
        names = [city.places.place(one.number).name for one in city.stops_on(query)]
        ends = ["Central", "Airport", "Whitesand"]
        ends = (
            ends
            if query == "Coast line"
            else ["May Street", "Market", "University", "Two Bridges", "Airport"]
        )
        assert names in (ends, ends[::-1])
    assert city.stops_on("Market") == []


def test_a_part_of_several_names_is_asked_about(tmp_path: Path) -> None:
    made = waldstaett().write(tmp_path / "feed.zip")
    import_feed(made, "town", tmp_path, lambda *_: None, _TODAY)
    read = City("town", tmp_path).places.read("Hbf", {})
    assert read.place is None
    assert {one.name for one in read.options} == {"Hbf Vorplatz", "Waldstätt Hbf"}
