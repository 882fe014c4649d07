"""The agent of preferences: what it keeps, forgets and tells."""

from __future__ import annotations

import pytest
from journey_host import JourneyHost, result, used

NAME = "journey_preferences_agent"


def kept(host: JourneyHost, prompt: str) -> dict[str, object]:
    (made,) = result(host.ask(prompt, agent=NAME))["outputs"]
    places = {one["name"]: one["value"] for one in made["places"]}
    return {**made["effective"], "places": places}


def test_places_and_habits_are_kept_and_forgotten(host: JourneyHost) -> None:
    made = kept(host, "My home is N1 9AG and I walk slowly. I work at Bank.")
    assert made["walking_speed"] == "Slow"
    assert made["places"] == {"home": "N1 9AG", "work": "Bank"}
    after = kept(host, "Forget my work and my walking speed.")
    assert "walking_speed" not in after
    assert after["places"] == {"home": "N1 9AG"}
    assert kept(host, "What do you know about me?") == after
    assert kept(host, "Forget everything.")["places"] == {}


@pytest.mark.parametrize(
    ("prompt", "option", "value"),
    [
        ("Remember that I always need step-free routes.", "accessibility_preference", None),
        ("From now on avoid the Northern and Central lines.", "avoid_lines", None),
        ("I prefer the fewest changes.", "journey_preference", "LeastInterchange"),
        ("Never take me by bus.", "avoid_modes", ["bus"]),
        ("I don't want to walk more than anyone: at most 10 minutes walking", None, None),
    ],
)
def test_habits_are_read_as_options(
    host: JourneyHost, prompt: str, option: str | None, value: object
) -> None:
    made = kept(host, prompt)
    name = option or "max_walking_minutes"
    assert name in made
    if value is not None:
        assert made[name] == value


def test_a_question_changes_nothing(host: JourneyHost) -> None:
    output = host.ask("What are my preferences?", agent=NAME)
    assert used(output) == ["get_default_journey_parameters"]
