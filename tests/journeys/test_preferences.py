"""Defaults and named places: merged, kept, forgotten, each owner's own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from state_places import ask

from groundwire.errors import InputError, LimitError, NotFoundError, UnavailableError
from groundwire.journeys import preferences as preferences_module
from groundwire.journeys.itinerary import LONDON
from groundwire.journeys.preferences import Preferences, PreferenceStore, named_place
from groundwire.journeys.wishes.reading import read_wishes
from groundwire.state import StatePlace

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=LONDON)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journey_preferences.sqlite"


@pytest.fixture
def store(place: StatePlace) -> Iterator[PreferenceStore]:
    with PreferenceStore(place) as made:
        yield made


def defaults(**sent: object) -> dict[str, object]:
    return dict(read_wishes(sent, NOW, defaults=True).given)


def test_nothing_is_set_at_first_and_reading_makes_no_file(
    store: PreferenceStore, path: Path
) -> None:
    assert store.get("local") == Preferences()
    assert not path.parent.exists()


def test_defaults_merge_and_are_there_for_another(
    store: PreferenceStore, place: StatePlace
) -> None:
    store.merge("local", defaults(mode="tube, bus", walking_speed="slow", national_search=False))
    merged = store.merge("local", defaults(walking_speed="fast", max_walking_minutes=10))
    assert merged.options == {
        "mode": ("tube", "bus"),
        "walking_speed": "Fast",
        "national_search": False,
        "max_walking_minutes": 10,
    }
    with PreferenceStore(place) as another:
        assert another.get("local") == merged


def test_a_place_comes_back_as_it_was_kept(store: PreferenceStore, place: StatePlace) -> None:
    store.merge("local", places=[named_place("Home", "Angel"), named_place("work", "E14")])
    with PreferenceStore(place) as another:
        found = another.get("local")
    assert found.places == {"Home": "Angel", "work": "E14"}
    place = found.place("home")
    assert place is not None
    assert (place.name, place.value) == ("Home", "Angel")


@pytest.mark.parametrize("asked", ["home", "Home", "my home", " HOME ", "our  home", "hôme"])
def test_a_place_is_known_whatever_its_spelling(store: PreferenceStore, asked: str) -> None:
    found = store.merge("local", places=[named_place("home", "N1 9LQ")])
    place = found.place(asked)
    assert place is not None
    assert place.value == "N1 9LQ"
    assert found.place("homestead") is None


def test_a_place_of_a_known_name_replaces_it(store: PreferenceStore) -> None:
    store.merge("local", places=[named_place("home", "N1 9LQ"), named_place("work", "E14")])
    found = store.merge("local", places=[named_place("My Home", "SE1 9TG")])
    assert found.places == {"My Home": "SE1 9TG", "work": "E14"}


def test_what_was_set_is_shown_as_json(store: PreferenceStore) -> None:
    assert store.get("local").shown() == {}
    found = store.merge("local", defaults(mode="tube"), [named_place("home", "N1 9LQ")])
    assert json.loads(json.dumps(found.shown())) == {
        "mode": ["tube"],
        "places": {"home": "N1 9LQ"},
    }


def test_a_trip_counts_over_the_defaults(store: PreferenceStore) -> None:
    kept = store.merge("local", defaults(mode="tube, bus", walking_speed="slow"))
    trip = read_wishes({"walking_speed": "fast"}, NOW, base=kept.options)
    assert (trip.options.mode, trip.options.walking_speed) == (("tube", "bus"), "Fast")
    assert store.get("local") == kept


def test_defaults_that_do_not_go_together_are_refused(store: PreferenceStore) -> None:
    store.merge("local", defaults(mode="tube"))
    with pytest.raises(InputError, match="needs the mode cycle-hire"):
        store.merge("local", defaults(cycle_preference="CycleHire"))
    assert store.get("local").options == {"mode": ("tube",)}


def test_one_default_or_place_is_forgotten_or_all(store: PreferenceStore) -> None:
    options = defaults(mode="tube", walking_speed="slow", max_walking_minutes=5)
    places = [named_place("home", "N1"), named_place("work", "E14"), named_place("gym", "SE1")]
    store.merge("local", options, places)
    found = store.reset("local", ["mode", "maxWalkingMinutes", "my home", "adjustment"])
    assert found.shown() == {"walking_speed": "Slow", "places": {"work": "E14", "gym": "SE1"}}
    assert store.reset("local", ["options"]).shown() == {"places": {"work": "E14", "gym": "SE1"}}
    assert store.reset("local", ["places"]) == Preferences()
    store.merge("local", options, places)
    assert store.reset("local") == Preferences()
    assert store.get("local") == Preferences()


def test_forgetting_what_is_not_set_names_what_is(store: PreferenceStore) -> None:
    with pytest.raises(NotFoundError, match="nothing is set"):
        store.reset("local", ["grandma"])
    store.merge("local", defaults(mode="tube"), [named_place("home", "N1")])
    with pytest.raises(NotFoundError, match="under 'grandma': send reset with names among mode, h"):
        store.reset("local", ["home", "grandma"])
    assert store.get("local").place("home") is not None


def test_each_owner_has_their_own(store: PreferenceStore) -> None:
    store.merge("anna", defaults(mode="tube"), [named_place("home", "N1")])
    assert store.get("ben") == Preferences()
    store.reset("ben")
    assert store.get("anna").place("home") is not None
    assert store.get("anna'; DROP TABLE preferences") == Preferences()


@pytest.mark.parametrize(
    ("name", "value"),
    [("", "N1"), ("home", ""), ("  ", "N1"), ("x" * 61, "N1"), ("home", "x" * 301), ("...", "N1")],
)
def test_a_place_has_a_name_and_a_value(name: str, value: str) -> None:
    with pytest.raises(InputError, match="send places such as") as caught:
        named_place(name, value)
    assert "\n" not in str(caught.value)


def test_a_place_is_one_line() -> None:
    made = named_place("grandma's\nhouse", "10\tDowning Street\x00")
    assert (made.name, made.value) == ("grandma's house", "10 Downing Street")


def test_places_are_bounded(store: PreferenceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences_module, "MOST_PLACES", 2)
    store.merge("local", places=[named_place("a", "1"), named_place("b", "2")])
    with pytest.raises(LimitError, match="At most 2 places have names: reset one"):
        store.merge("local", places=[named_place("c", "3")])
    assert len(store.merge("local", places=[named_place("b", "3")]).places) == 2


def test_options_that_are_no_more_are_left_out(store: PreferenceStore, place: StatePlace) -> None:
    store.merge("local", defaults(mode="tube"))
    changed = """UPDATE preferences SET options = '{"mode": ["tube"], "hover": true}'"""
    ask(place, "journey_preferences", changed)
    assert store.get("local").options == {"mode": ("tube",)}


def test_what_was_spoilt_is_one_line(store: PreferenceStore, place: StatePlace) -> None:
    store.merge("local", defaults(mode="tube"))
    ask(place, "journey_preferences", "UPDATE preferences SET options = '{'")
    with pytest.raises(UnavailableError, match="move it away") as caught:
        store.get("local")
    assert "\n" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    store = PreferenceStore(tmp_path / "file" / "preferences.sqlite")
    with pytest.raises(UnavailableError, match="set GROUNDWIRE_HOME"):
        store.merge("local", defaults(mode="tube"))
    assert store.get("local") == Preferences()


WRITER = """
import sys
from pathlib import Path
from groundwire.journeys.preferences import PreferenceStore, named_place
with PreferenceStore(Path(sys.argv[1])) as store:
    for turn in range(15):
        store.merge("all", places=[named_place(f"{sys.argv[2]} {turn}", "N1")])
"""


def test_processes_merge_into_one_owner(store: PreferenceStore, path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), name], stderr=subprocess.PIPE, text=True
        )
        for name in ("first", "second")
    ]
    for child in children:
        _, said = child.communicate(timeout=240)
        assert (child.returncode, said) == (0, "")
    assert len(store.get("all").places) == 30


def test_threads_merge_into_one_owner(store: PreferenceStore) -> None:
    def work(name: str) -> None:
        for turn in range(10):
            store.merge("all", places=[named_place(f"{name} {turn}", "N1")])

    threads = [threading.Thread(target=work, args=(f"thread{n}",)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(store.get("all").places) == 30
