"""Reviews are recorded once, as they were heard, and never from what cannot be."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import pytest
from learning_worlds import DAY_MS, World

from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.learning.reviewing import undo
from groundwire.learning.reviews.recording import Recorded, Sent, Undecided, record, to_be_asked
from groundwire.learning.reviews.store import Imported, add_imported, rebuild


def test_a_typed_response_is_graded_and_scheduled(world: World) -> None:
    world.card("c1", "Capital of France?", "Paris")
    done = world.review("c1", "paris", confidence=0.8)
    assert (done.rated_by, done.grade.how, done.rating_name) == ("server", "folded", "good")
    assert done.before is None and done.after is not None and done.predicted is None
    assert done.after.due_ms == world.now_ms + 600_000
    world.wait(days=1)
    later = world.review("c1", "no idea")
    assert (later.rating, later.grade.how) == (1, "gave_up")
    assert later.before == done.after and 0.9 < (later.predicted or 0) < 1


def test_an_undecided_response_is_not_recorded_until_the_learner_says(world: World) -> None:
    world.card("c1", "Why is the sky blue?", "Rayleigh scattering")
    sent = Sent("c1", "air scatters short waves more")
    assert isinstance(to_be_asked(world.learner, sent), Undecided)
    assert isinstance(record(world.learner, sent), Undecided)
    assert world.rows("SELECT * FROM reviews") == []
    done = record(world.learner, sent, "hard")
    assert isinstance(done, Recorded)
    assert (done.rated_by, done.rating, done.grade.outcome) == ("learner", 2, "right")


def test_a_rating_that_nobody_was_asked_for_is_the_hosts(world: World) -> None:
    world.card("c1")
    assert world.review("c1", None, rating="easy").rated_by == "host"
    assert to_be_asked(world.learner, Sent("c1", None, "good", "host")) is None
    assert to_be_asked(world.learner, Sent("c1", None, "good")) is not None


def test_a_host_cannot_overrule_the_comparison(world: World) -> None:
    world.card("c1", back="42")
    done = world.review("c1", "41", rating="easy", rated_by="host")
    assert (done.rated_by, done.rating) == ("server", 1)


@pytest.mark.parametrize(
    "sent",
    [
        Sent("c1"),
        Sent("c1", "x", confidence=85),
        Sent("c1", "x", confidence=math.nan),
        Sent("c1", "x", confidence=-0.1),
        Sent("c1", None, "0"),
        Sent("c1", None, "5"),
        Sent("c1", "x", duration_ms=-1),
        Sent("c1", "x" * 10_001),
        Sent("c1", "answer", review_id=""),
        Sent("c1", "answer", review_id="x" * 201),
        Sent("c1", "answer", at_ms=-1),
    ],
)
def test_what_cannot_be_a_review_is_refused(world: World, sent: Sent) -> None:
    world.card("c1")
    with pytest.raises(InputError) as refusal:
        record(world.learner, sent)
    assert "\n" not in str(refusal.value)
    assert world.rows("SELECT * FROM reviews") == []


def test_a_confidence_in_percent_is_told_how_to_be_sent(world: World) -> None:
    world.card("c1")
    with pytest.raises(InputError, match=r"send 0\.85 for 85 %"):
        record(world.learner, Sent("c1", "answer", confidence=85))


def test_a_review_in_the_future_is_refused(world: World) -> None:
    world.card("c1")
    with pytest.raises(InputError, match="between 1970 and now"):
        world.review("c1", at_ms=world.now_ms + DAY_MS)
    # A clock that is a minute ahead is no reason to lose a review.
    assert world.review("c1", at_ms=world.now_ms + 60_000).at_ms == world.now_ms


def test_a_clock_that_was_set_back_is_noticed(world: World) -> None:
    world.card("c1")
    first = world.review("c1")
    world.wait(minutes=-1)
    assert world.review("c1").at_ms == first.at_ms
    world.wait(days=-3)
    with pytest.raises(InputError, match="clock of this machine"):
        world.review("c1")


def test_a_late_review_takes_its_place(world: World) -> None:
    world.card("c1")
    world.card("c2")
    times = [world.now_ms + n * DAY_MS for n in range(4)]
    world.wait(days=10)
    for at in times:
        world.review("c1", at_ms=at)
    for at in (times[0], times[2], times[3], times[1]):
        world.review("c2", at_ms=at)
    one, other = (row[3:-1] for row in world.schedule())
    assert one == other


def test_one_review_id_is_one_review(world: World) -> None:
    world.card("c1")
    world.card("c2")
    first = world.review("c1", review_id="r1")
    world.wait(days=1)
    second = world.review("c1", review_id="r1")
    assert second.again and second.after == first.after and second.before is None
    assert len(world.rows("SELECT * FROM reviews")) == 1
    for other in (
        Sent("c2", "answer", review_id="r1"),
        Sent("c1", "another", review_id="r1"),
        Sent("c1", "answer", confidence=0.5, review_id="r1"),
    ):
        with pytest.raises(InputError, match="Another review"):
            record(world.learner, other)
    # Another owner's ids are their own.
    world.card("c1", owner="eve")
    assert isinstance(record(world.other("eve"), Sent("c1", "answer", review_id="r1")), Recorded)


def test_cards_that_are_gone_or_of_others_are_not_found(world: World) -> None:
    world.card("mine")
    world.card("hers", owner="eve")
    with world.learner.writing() as connection:
        connection.execute("DELETE FROM cards WHERE card_id = 'mine'")
    messages = set()
    for card_id in ("mine", "hers", "none", "' OR 1=1 --"):
        with pytest.raises(NotFoundError) as refusal:
            world.review(card_id)
        messages.add(str(refusal.value))
    assert len(messages) == 1


@pytest.mark.parametrize("state", ["draft", "suspended", "archived"])
def test_only_an_active_card_is_reviewed(world: World, state: str) -> None:
    world.card("c1", state=state)
    with pytest.raises(InputError, match=state):
        world.review("c1")


def test_undo_takes_a_review_back_and_back_again(world: World) -> None:
    world.card("c1")
    world.review("c1", review_id="r1")
    before = world.schedule()
    world.wait(days=5)
    world.review("c1", "no idea", review_id="r2")
    done = undo(world.learner, "c1")
    assert done.review_id == "r2" and not done.again
    assert world.schedule() == before
    assert undo(world.learner, "c1", "r2").again
    assert undo(world.learner, "c1").after is None
    assert world.schedule() == []
    assert world.rows("SELECT card_id FROM new_cards") == [("c1",)]
    with pytest.raises(InputError, match="no review"):
        undo(world.learner, "c1")
    with pytest.raises(InputError, match="undone since"):
        world.review("c1", "no idea", review_id="r2")
    # The log has it all.
    assert [row[0] for row in world.rows("SELECT kind FROM reviews")] == [
        "review", "review", "undo", "undo",
    ]  # fmt: skip


def test_undo_of_what_is_not_there(world: World) -> None:
    world.card("c1")
    world.card("c2")
    world.review("c1", review_id="r1")
    for card, review in (("c2", "r1"), ("c1", "r9")):
        with pytest.raises(NotFoundError):
            undo(world.learner, card, review)
    with pytest.raises(NotFoundError):
        undo(world.other("eve"), "c1", "r1")


def test_the_log_cannot_be_changed(world: World) -> None:
    world.card("c1")
    world.review("c1")
    with pytest.raises(UnavailableError, match="never changed"), world.learner.writing() as file:
        file.execute("UPDATE reviews SET rating = 4")


def test_two_devices_at_once_lose_nothing(tmp_path: Path) -> None:
    worlds = [World(tmp_path), World(tmp_path)]
    worlds[0].card("c1")

    def reviewed(which: int) -> None:
        for number in range(20):
            worlds[which].review("c1", review_id=f"{which}:{number}")

    threads = [threading.Thread(target=reviewed, args=(which,)) for which in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = worlds[0].schedule()
    assert held[0][9] == 40
    with worlds[0].learner.writing() as connection:
        assert rebuild(connection, "local") == 1
    assert worlds[0].schedule() == held
    for one in worlds:
        one.base.close()


def test_an_import_is_forecast_checked_and_can_be_repeated(world: World) -> None:
    world.card("c1")
    world.wait(days=30)
    start = world.now_ms - 20 * DAY_MS
    log = [Imported(f"i{n}", "c1", 3, start + n * DAY_MS) for n in range(5)]
    log.append(Imported("m", "c1", None, start, "manual"))
    with world.learner.writing() as connection:
        assert add_imported(connection, "local", log[::-1], world.now_ms) == (6, 0)
        assert add_imported(connection, "local", log, world.now_ms) == (0, 6)
    predicted = [
        row[0] for row in world.rows("SELECT predicted FROM reviews WHERE kind = 'review'")
    ]
    assert predicted[0] is None and all(0.5 < one < 1 for one in predicted[1:])
    held = world.schedule()
    assert held[0][9] == 5
    with world.learner.writing() as connection:
        rebuild(connection, "local")
    assert world.schedule() == held
    for wrong in (
        Imported("x", "c1", 0, start),
        Imported("x", "c1", 5, start),
        Imported("x", "c1", None, start),
        Imported("x", "c1", 3, start, "manual"),
        Imported("x", "c1", 3, start, "filtered"),
        Imported("x", "c1", 3, world.now_ms + 1),
        Imported("x", "c9", 3, start),
    ):
        with pytest.raises(InputError), world.learner.writing() as connection:
            add_imported(connection, "local", [wrong], world.now_ms)
    assert world.schedule() == held
