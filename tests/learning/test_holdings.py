"""The sample, what is held, and what is left when a learner is forgotten."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from learning_worlds import DAY_MS, World

from groundwire import profiles
from groundwire.errors import ConfigurationError
from groundwire.learning.estimating import query_calibration, query_mastery
from groundwire.learning.holdings import forget, holdings, lint, rebuild_schedule
from groundwire.learning.importing import Places, load_sample
from groundwire.learning.listing import ListRequest, list_cards

PLACES = Places(*profiles.learning_sample())


def test_the_sample_can_be_asked_about_at_once(world: World) -> None:
    assert load_sample(world.learner, PLACES) == 22
    assert load_sample(world.learner, PLACES) == 0
    listed, _ = list_cards(world.learner, ListRequest(deck="Tides and harbours"))
    assert listed.status == "found" and (listed.due_count or 0) > 0
    assert query_mastery(world.learner, "tides")[0].status == "estimated"
    assert query_calibration(world.learner)[0].status == "estimated"
    assert lint(world.learner) == []


def test_what_is_counted_as_due_is_due_on_the_day_of_the_learner(world: World) -> None:
    load_sample(world.learner, PLACES)
    for _ in range(4):
        listed, _ = list_cards(world.learner, ListRequest(state="all", limit=50))
        whys = [str(one.why) for one in listed.cards]
        today = [one for one in whys if one.startswith(("due today", "overdue")) or one == "due"]
        assert len(today) == listed.due_count
        assert f"{listed.due_count} card" in listed.answer and "due today" in listed.answer
        day = date.fromtimestamp(world.learner.clock() / 1_000)
        ahead = [one for one in listed.cards if one.why and one.why.startswith("due in ")]
        for one in ahead:
            days = (date.fromisoformat(str(one.due)[:10]) - day).days
            assert abs(int(str(one.why).split()[2]) - days) <= (str(one.due)[11:] < "04:00")
        world.wait(days=1)


def test_a_sample_whose_quote_is_in_no_text_is_refused(world: World, tmp_path: Path) -> None:
    text = tmp_path / "text.md"
    text.write_text("# Nothing of it\n\nAt all.\n", "utf-8")
    with pytest.raises(ConfigurationError, match="in no text"):
        load_sample(world.learner, replace(PLACES, text=text))
    assert holdings(world.learner).cards == 0


def test_a_forgotten_learner_leaves_nothing_and_others_stay(world: World) -> None:
    load_sample(world.learner, PLACES)
    world.card("hers", owner="eve")
    before = holdings(world.other("eve"))
    assert forget(world.learner) > 200
    assert holdings(world.learner).said.startswith("0 decks, 0 cards, 0 rows")
    assert holdings(world.other("eve")) == before
    world.base.close()
    for path in world.learner.file.path.parent.iterdir():
        assert b"nautical" not in path.read_bytes()


def test_a_rebuild_mends_what_was_changed_behind_it(world: World) -> None:
    load_sample(world.learner, PLACES)
    held = world.schedule()
    with sqlite3.connect(world.learner.file.path) as file:
        file.execute("UPDATE schedule SET due_ms = due_ms + 1 WHERE card_id = 'nav_mile'")
        file.execute("DELETE FROM schedule WHERE card_id = 'nav_knot'")
    file.close()
    assert [one.kind for one in lint(world.learner)] == ["stale"]
    assert rebuild_schedule(world.learner) == (len(held), 2)
    assert world.schedule() == held
    assert rebuild_schedule(world.learner) == (len(held), 0)


def test_lint_names_what_does_not_fit(world: World) -> None:
    world.card("gone")
    world.card("rated")
    world.review("gone")
    world.review("rated", None, rating="good")
    world.wait(days=-400)
    with world.learner.writing() as connection:
        connection.execute("DELETE FROM cards WHERE card_id = 'gone'")
        connection.execute("UPDATE cards SET deck_id = 'none', proof = 'unproven'")
    found = {one.kind: one.message for one in lint(world.learner)}
    assert found.keys() == {"unproven", "gone", "future", "no_deck", "host"}
    assert found["gone"].endswith(": gone")
    assert DAY_MS == 86_400_000
