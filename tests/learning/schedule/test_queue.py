"""Which cards come next."""

from __future__ import annotations

import random

import pytest
from learning_worlds import DAY_MS, World

from groundwire.learning.reviews.store import rebuild
from groundwire.learning.schedule.policy import Policy, day_of
from groundwire.learning.schedule.queue import Scope, counts, listed
from groundwire.learning.schedule.state import fsrs

UTC = Policy(zone="UTC", day_ends="00:00", new_per_day=3)
ALL = Scope()


def ids(world: World, policy: Policy = UTC, scope: Scope = ALL, **more: object) -> list[str]:
    with world.learner.reading() as connection:
        found = listed(connection, "local", policy, scope, world.now_ms, **more)
    return [one.card_id for one in found]


def counted(world: World, scope: Scope = ALL, policy: Policy = UTC):
    with world.learner.reading() as connection:
        return counts(connection, "local", policy, scope, world.now_ms)


def test_without_cards_there_is_nothing(world: World) -> None:
    assert ids(world) == []
    found = counted(world)
    assert (found.due, found.new, found.new_today, found.next_due_ms) == (0, 0, 0, None)


def test_new_cards_come_by_age_and_so_many_a_day(world: World) -> None:
    for number in (3, 1, 2, 5, 4):
        world.card(f"c{number}")
        world.wait(minutes=1)
    world.card("off", state="suspended")
    world.card("draft", state="draft")
    assert ids(world) == ["c3", "c1", "c2"]
    assert ids(world, state="new") == ["c3", "c1", "c2", "c5", "c4"]
    assert ids(world, state="draft") == ["draft"]
    world.review("c3")
    found = counted(world)
    assert (found.due, found.new, found.begun, found.new_today) == (0, 4, 1, 2)
    assert found.next_due_ms == world.now_ms + 600_000
    assert ids(world) == ["c1", "c2"]
    world.wait(days=1)
    assert ids(world) == ["c3", "c1", "c2", "c5"]


def test_review_cards_are_due_all_day_and_learning_ones_to_the_minute(world: World) -> None:
    world.card("days")
    world.card("minutes")
    world.review("days", None, rating="easy")
    world.wait(days=1)
    world.review("minutes")
    (due,) = world.rows("SELECT due_ms FROM schedule WHERE card_id = 'days'")[0]
    # An hour before, on the same day.
    world.now_ms = due - 3_600_000
    assert ids(world, state="due") == ["minutes", "days"]
    world.now_ms = day_of(UTC, due).start_ms - 1
    assert ids(world, state="due") == ["minutes"]
    assert counted(world).next_due_ms == due


def test_suspended_cards_leave_the_queue_and_come_back(world: World) -> None:
    world.card("c1")
    world.review("c1")
    world.wait(days=2)
    assert ids(world, state="due") == ["c1"]
    world.state("c1", "suspended")
    assert ids(world) == [] and counted(world).due == 0
    world.state("c1", "active")
    assert ids(world, state="due") == ["c1"]


def test_a_scope_is_a_deck_or_a_concept(world: World) -> None:
    world.card("s1", deck="Spanish", concepts=["verbs"])
    world.card("g1", deck="German", concepts=["verbs", "cases"])
    world.card("g2", deck="German")
    assert ids(world, scope=Scope("deck_german"), state="new") == ["g1", "g2"]
    assert ids(world, scope=Scope(node_id="node_verb"), state="all") == ["g1", "s1"]
    for card in ("s1", "g1", "g2"):
        world.review(card)
    world.wait(days=1)
    assert counted(world, Scope("deck_german")).due == 2
    assert counted(world, Scope("deck_german", "node_case")).due == 1
    assert ids(world, scope=Scope("deck_german", "node_case")) == ["g1"]


def test_modes_differ_in_order_and_in_new_cards(world: World) -> None:
    for number in range(4):
        world.card(f"d{number}", deck=("Spanish", "German")[number % 2])
    for number, gap in ((3, 1), (1, 2), (0, 1), (2, 3)):
        world.review(f"d{number}", None, rating="easy" if number < 2 else "again")
        world.wait(days=gap)
    world.wait(days=30)
    world.card("new", deck="Spanish")
    with world.learner.reading() as connection:
        recall = {
            one.card_id: one.retrievability
            for one in listed(connection, "local", UTC, ALL, world.now_ms, state="due")
        }
    exam = ids(world, mode="exam")
    assert exam == sorted(recall, key=lambda one: recall[one]) and "new" not in exam
    assert ids(world, mode="exploration")[0] == "new"
    assert ids(world)[-1] == "new"
    decks = ["Spanish" if one == "new" else ("Spanish", "German")[int(one[1]) % 2]
             for one in ids(world, mode="synthesis")]  # fmt: skip
    assert decks[:4] in (["Spanish", "German"] * 2, ["German", "Spanish"] * 2)


def test_leeches_come_by_their_lapses(world: World) -> None:
    world.card("bad")
    world.card("good")
    for _ in range(9):
        world.review("bad", None, rating="easy")
        world.review("good", None, rating="easy")
        world.wait(days=3)
        world.review("bad", None, rating="again")
        world.wait(minutes=20)
    assert ids(world, state="leech") == ["bad"]


@pytest.mark.parametrize("mode", ["goal-driven", "exploration", "exam", "synthesis"])
def test_pages_are_the_whole_list(world: World, mode: str) -> None:
    chance = random.Random(5)
    for number in range(25):
        world.card(f"c{number:02}", deck=chance.choice(("a", "b", "c")))
    for number in chance.sample(range(25), 15):
        world.review(f"c{number:02}")
        world.wait(minutes=chance.randrange(300))
    world.wait(days=2)
    policy = Policy(zone="UTC", new_per_day=8)
    whole = ids(world, policy, mode=mode, limit=100)
    paged: list[str] = []
    while page := ids(world, policy, mode=mode, limit=4, offset=len(paged)):
        paged += page
    assert paged == whole and len(set(whole)) == len(whole)
    assert len(whole) == (15 if mode == "exam" else 23)


def test_the_queue_is_what_the_rules_say_of_every_card(world: World) -> None:
    chance = random.Random(11)
    for number in range(60):
        world.card(f"c{number:02}")
    for _ in range(150):
        card = f"c{chance.randrange(60):02}"
        world.review(card, None, rating=chance.choice(("again", "good", "easy")))
        world.wait(minutes=chance.randrange(900))
    day = day_of(UTC, world.now_ms)
    expected = [
        card_id
        for card_id, phase, due in world.rows(
            "SELECT card_id, phase, due_ms FROM schedule ORDER BY due_ms, card_id"
        )
        if (due <= world.now_ms if phase != "review" else due < day.end_ms)
    ]
    assert ids(world, state="due", limit=1000) == expected
    found = counted(world)
    assert found.due == len(expected)
    assert fsrs((), 0.9).desired_retention == 0.9 and DAY_MS > 0


def test_a_schedule_that_came_without_a_log_is_listed_and_stays(world: World) -> None:
    world.card("old")
    with world.learner.writing() as connection:
        connection.execute(
            "INSERT INTO schedule (owner, card_id, deck_id, phase, stability, due_ms, reviews, "
            "lapses, parameters_id, how) VALUES ('local', 'old', 'deck_spanish', 'review', 12.0, "
            "?, 4, 0, '', 'sm-2')",
            (world.now_ms - DAY_MS,),
        )
    with world.learner.reading() as connection:
        (found,) = listed(connection, "local", UTC, ALL, world.now_ms, state="due")
    assert (found.card_id, found.retrievability) == ("old", None)
    held = world.schedule()
    with world.learner.writing() as connection:
        assert rebuild(connection, "local") == 0
    assert world.schedule() == held
    # With its first review here, the log takes over.
    world.review("old")
    assert world.rows("SELECT how, reviews FROM schedule") == [("fsrs-6", 1)]
