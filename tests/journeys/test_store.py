"""Computed journeys are there later, for their owner, until they expire."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from state_places import ask

from groundwire.errors import LimitError, NotFoundError, UnavailableError
from groundwire.journeys import computed_journeys
from groundwire.journeys.computed_journeys import JourneyStore
from groundwire.journeys.itinerary import LONDON, Fare, Journey, Leg, Place, Plan, Point
from groundwire.state import StatePlace

UNKNOWN = "This journey_id is unknown or has expired: compute it again"


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.now = 1_795_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journeys.sqlite"


@pytest.fixture
def store(place: StatePlace, clock: Clock) -> Iterator[JourneyStore]:
    with JourneyStore(place, clock) as made:
        yield made


def journey(name: str = "Tate Modern", day: int = 22) -> Journey:
    start = datetime(2026, 11, day, 9, 12, tzinfo=LONDON)
    home = Place("Angel", Point(51.5322, -0.1058), "stop", "940GZZLUAGL", "1000007")
    there = Place(name, Point(51.5076, -0.0994))
    leg = Leg(
        "tube",
        home,
        there,
        start,
        start + timedelta(minutes=11),
        line_id="northern",
        line="Northern",
        path=(Point(51.5322, -0.1058), Point(51.5076, -0.0994)),
    )
    plan = Plan(start, leg.arrival, (leg,), Fare(290, "Peak", "1"), step_free=False)
    return Journey(home, there, (plan,), "tfl", notes=("Café · 环路",))


def test_journeys_come_back_as_they_were_by_their_index(store: JourneyStore) -> None:
    journey_id = store.create("local", [journey(), journey("Kew Gardens")])
    assert re.fullmatch(r"jo_[0-9a-z]{13}", journey_id)
    assert store.get("local", journey_id) == (journey(), journey("Kew Gardens"))


def test_what_is_added_follows_what_is_there(store: JourneyStore) -> None:
    journey_id = store.create("local", [journey("A")])
    assert store.add("local", journey_id, [journey("B"), journey("C")]) == 1
    assert store.add("local", journey_id, [journey("D")]) == 3
    names = [one.destination.name for one in store.get("local", journey_id)]
    assert names == ["A", "B", "C", "D"]


def test_both_offsets_of_an_hour_that_comes_twice_come_back(store: JourneyStore) -> None:
    moments = [datetime(2026, 10, 25, 1, 30, tzinfo=LONDON, fold=fold) for fold in (0, 1)]
    legs = tuple(Leg("walking", Place("A"), Place("B"), at, at) for at in moments)
    sent = Journey(Place("A"), Place("B"), (Plan(moments[0], moments[1], legs),), "tfl")
    found = store.get("local", store.create("local", [sent]))[0]
    assert [leg.departure.utcoffset() for leg in found.plans[0].legs] == [
        timedelta(hours=1),
        timedelta(0),
    ]
    assert found.plans[0].duration_minutes == 60


def test_an_id_outlives_its_store(store: JourneyStore, place: StatePlace, clock: Clock) -> None:
    journey_id = store.create("local", [journey()])
    store.close()
    with JourneyStore(place, clock) as again:
        assert again.get("local", journey_id) == (journey(),)
        assert again.add("local", journey_id, [journey("B")]) == 1
    assert len(store.get("local", journey_id)) == 2


def test_what_may_not_be_read_looks_like_what_is_not_there(
    store: JourneyStore, clock: Clock
) -> None:
    with pytest.raises(NotFoundError, match=UNKNOWN):  # before there is a file
        store.get("anna", "jo_0000000000000")
    journey_id = store.create("anna", [journey()])
    sent = ["", "jo_0000000000000", "../../etc/passwd", "\ud800", "jo_" + "9" * 500, "環"]
    said: set[str] = set()
    for owner, handle in [("ben", journey_id), *(("anna", wrong) for wrong in sent)]:
        for attempt in (
            lambda owner=owner, handle=handle: store.get(owner, handle),
            lambda owner=owner, handle=handle: store.add(owner, handle, [journey()]),
        ):
            with pytest.raises(NotFoundError) as caught:
                attempt()
            said.add(str(caught.value))
    clock.now += 31 * 86_400
    with pytest.raises(NotFoundError) as caught:
        store.get("anna", journey_id)
    said.add(str(caught.value))
    assert len(said) == 1
    assert "\n" not in said.pop()


def test_an_id_expires_after_thirty_days_without_addition(
    store: JourneyStore, clock: Clock
) -> None:
    journey_id = store.create("local", [journey()])
    clock.now += 29 * 86_400
    store.add("local", journey_id, [journey("B")])
    clock.now += 29 * 86_400
    assert len(store.get("local", journey_id)) == 2
    clock.now += 2 * 86_400
    with pytest.raises(NotFoundError, match=UNKNOWN):
        store.get("local", journey_id)


def test_what_has_expired_is_removed(store: JourneyStore, clock: Clock, place: StatePlace) -> None:
    for _ in range(5):
        store.create("local", [journey()])
    clock.now += 31 * 86_400
    store.create("local", [journey()])
    assert ask(place, "journeys", "SELECT count(*) FROM journeys") == [(1,)]
    assert ask(place, "journeys", "SELECT count(*) FROM ids") == [(1,)]


def test_journeys_of_one_id_are_bounded(
    store: JourneyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computed_journeys, "MOST_JOURNEYS", 3)
    with pytest.raises(LimitError, match="at most 3 journeys: leave journey_id out"):
        store.create("local", [journey()] * 4)
    journey_id = store.create("local", [journey()] * 2)
    with pytest.raises(LimitError):
        store.add("local", journey_id, [journey()] * 2)
    assert len(store.get("local", journey_id)) == 2
    monkeypatch.setattr(computed_journeys, "MOST_BYTES", 100)
    with pytest.raises(LimitError, match="at most 100 bytes"):
        store.add("local", journey_id, [journey()])


def test_of_too_many_ids_the_oldest_of_that_owner_go(
    store: JourneyStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computed_journeys, "MOST_IDS", 2)
    others = store.create("ben", [journey()])
    ids: list[str] = []
    for _ in range(3):
        clock.now += 1
        ids.append(store.create("anna", [journey()]))
    with pytest.raises(NotFoundError):
        store.get("anna", ids[0])
    assert all(store.get("anna", kept) for kept in ids[1:])
    assert store.get("ben", others)


def test_of_too_many_bytes_the_oldest_go_but_never_the_newest(
    store: JourneyStore, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store.create("anna", [journey()])
    monkeypatch.setattr(computed_journeys, "MOST_BYTES_OF_OWNER", 1)
    clock.now += 1
    second = store.create("anna", [journey()])
    assert store.get("anna", second)
    with pytest.raises(NotFoundError):
        store.get("anna", first)


def test_what_was_spoilt_asks_to_compute_again(store: JourneyStore, place: StatePlace) -> None:
    journey_id = store.create("local", [journey()])
    ask(place, "journeys", "UPDATE journeys SET data = x'00ff'")
    with pytest.raises(NotFoundError, match="compute it again"):
        store.get("local", journey_id)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    store = JourneyStore(tmp_path / "file" / "journeys.sqlite")
    with pytest.raises(UnavailableError, match="set GROUNDWIRE_HOME") as caught:
        store.create("local", [journey()])
    assert "\n" not in str(caught.value)


WRITER = """
import sys
from pathlib import Path
from groundwire.journeys.itinerary import Journey, Place
from groundwire.journeys.computed_journeys import JourneyStore
path, journey_id, name = sys.argv[1:]
with JourneyStore(Path(path)) as store:
    for turn in range(20):
        store.add("local", journey_id, [Journey(Place(name), Place(str(turn)), (), "tfl")])
"""


def test_processes_add_to_one_id(path: Path) -> None:
    with JourneyStore(path) as store:
        journey_id = store.create("local", [])
        children = [
            subprocess.Popen(
                [sys.executable, "-c", WRITER, str(path), journey_id, f"child{n}"],
                stderr=subprocess.PIPE,
                text=True,
            )
            for n in range(2)
        ]
        for child in children:
            _, said = child.communicate(timeout=240)
            assert (child.returncode, said) == (0, "")
        found = store.get("local", journey_id)
    assert len(found) == 40
    for n in range(2):
        turns = [one.destination.name for one in found if one.origin.name == f"child{n}"]
        assert turns == [str(turn) for turn in range(20)]


def test_threads_add_to_one_id(store: JourneyStore) -> None:
    journey_id = store.create("local", [])
    firsts: list[int] = []

    def work() -> None:
        firsts.extend(store.add("local", journey_id, [journey(), journey()]) for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert sorted(firsts) == list(range(0, 60, 2))
