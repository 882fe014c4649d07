"""What a learner may choose, and when their day ends."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from learning_worlds import World

from groundwire.errors import InputError
from groundwire.learning.reviews.store import move_due_dates, rebuild
from groundwire.learning.schedule.policy import (
    Change,
    Policy,
    changed,
    day_of,
    loadouts,
    read_policy,
    write_policy,
)
from groundwire.learning.schedule.simulate import simulate

BERLIN = Policy(zone="Europe/Berlin", day_ends="04:00")


def ms(text: str, zone: str = "Europe/Berlin") -> int:
    return round(dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("at", "date"),
    [
        ("2026-03-02T03:59", "2026-03-01"),
        ("2026-03-02T04:00", "2026-03-02"),
        ("2026-03-02T23:59", "2026-03-02"),
        # The nights on which the clocks change, of 23 and of 25 hours.
        ("2026-03-29T03:30", "2026-03-28"),
        ("2026-10-25T02:30", "2026-10-24"),
    ],
)
def test_the_day_ends_by_the_clock_of_the_learner(at: str, date: str) -> None:
    day = day_of(BERLIN, ms(at))
    assert day.date.isoformat() == date
    assert day.start_ms <= ms(at) < day.end_ms
    assert day_of(BERLIN, day.end_ms).start_ms == day.end_ms


def test_days_with_a_change_of_clocks_are_shorter_and_longer() -> None:
    hours = [
        (day.end_ms - day.start_ms) // 3_600_000
        for day in (day_of(BERLIN, ms(at)) for at in ("2026-03-28T12:00", "2026-10-24T12:00"))
    ]
    assert hours == [23, 25]


def test_a_change_is_made_of_loadout_and_single_values() -> None:
    light = changed(Policy(), Change(loadout="light"))
    assert (light.loadout, light.desired_retention, light.new_per_day) == ("light", 0.8, 10)
    own = changed(light, Change(desired_retention=0.9, day_ends="3:30 Asia/Tokyo"))
    assert (own.loadout, own.day_ends, own.zone) == ("", "03:30", "Asia/Tokyo")
    assert changed(own, Change(reset=True)) == Policy()
    assert changed(own, Change()) == own
    assert all(changed(Policy(), Change(loadout=name)).loadout == name for name in loadouts())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(loadout="beast"), "steady, light"),
        (Change(desired_retention=0.99), "0.70 to 0.97"),
        (Change(desired_retention=90), r"send 0\.9 for 90 %"),
        (Change(desired_retention=float("nan")), "0.70 to 0.97"),
        (Change(new_per_day=-1), "0 to 9,999"),
        (Change(day_ends="25:00"), "04:00"),
        (Change(day_ends="04:00 Mars/Base"), "IANA"),
        (Change(day_ends="04:00 ../../etc/passwd"), "04:00 Europe/Berlin"),
    ],
)
def test_what_cannot_be_chosen_is_refused(change: Change, said: str) -> None:
    with pytest.raises(InputError, match=said):
        changed(Policy(), change)


def test_another_retention_moves_due_dates_as_a_rebuild_does(world: World) -> None:
    for number in range(20):
        world.card(f"c{number:02}")
    for _ in range(4):
        for number in range(0, 20, 2):
            world.review(f"c{number:02}", "answer" if number % 3 else "no idea")
        world.wait(days=3)
    with world.learner.writing() as connection:
        policy = changed(read_policy(connection, "local"), Change(desired_retention=0.8))
        write_policy(connection, "local", policy, world.now_ms)
        assert move_due_dates(connection, "local") > 0
    moved = world.schedule()
    with world.learner.writing() as connection:
        rebuild(connection, "local")
    assert world.schedule() == moved


def test_a_higher_retention_is_more_work(world: World) -> None:
    for number in range(30):
        world.card(f"c{number:02}")
    for _ in range(3):
        for number in range(20):
            world.review(f"c{number:02}")
        world.wait(days=2)
    with world.learner.reading() as connection:
        low, high = (
            simulate(connection, "local", Policy(desired_retention=one, zone="UTC"), world.now_ms)
            for one in (0.75, 0.95)
        )
        same = Policy(desired_retention=0.95, zone="UTC")
        again = simulate(connection, "local", same, world.now_ms)
    assert again == high
    assert low.reviews < high.reviews
    assert low.recall < high.recall
    assert low.begun == high.begun == 10
