"""Defaults and named places as the tools set and show them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opened import opened

from groundwire.errors import GroundwireError, InputError, NotFoundError
from groundwire.journeys.defaults import get_defaults, set_defaults
from groundwire.journeys.london import London
from groundwire.journeys.results import DefaultParameters


@pytest.fixture
def london(tmp_path: Path) -> Iterator[London]:
    london = opened(tmp_path)
    yield london
    london.close()


def setting(
    london: London,
    sent: dict[str, Any] | None = None,
    places: dict[str, str] | None = None,
    reset: tuple[str, ...] = (),
) -> DefaultParameters:
    return set_defaults(london, "ada", sent or {}, places or {}, reset)


def test_nothing_is_set_at_first(london: London) -> None:
    assert get_defaults(london, "ada").answer == "No defaults are set."
    assert not (london.supplies.home / "journey_preferences.sqlite").exists()


def test_what_is_set_is_merged_and_told(london: London) -> None:
    setting(london, {"walking_speed": "slow"})
    told = setting(london, {"mode": ["underground", "bus"]}, {"home": "Brixton"})
    assert told.effective == {"mode": ["tube", "bus"], "walking_speed": "Slow"}
    assert told.answer == "3 defaults: mode tube, bus; walking_speed Slow; home is Brixton."
    assert [(one.raw, one.resolved) for one in told.corrections or []] == [("underground", "tube")]
    assert get_defaults(london, "ada").answer == told.answer
    assert get_defaults(london, "eve").answer == "No defaults are set."


@pytest.mark.parametrize(
    ("reset", "left"),
    [
        (("walking_speed",), "home is Brixton"),
        (("Home",), "walking_speed Slow"),
        (("options",), "home is Brixton"),
        (("places",), "walking_speed Slow"),
        (("all",), ""),
        (("Everything",), ""),
    ],
)
def test_what_is_reset_is_forgotten(london: London, reset: tuple[str, ...], left: str) -> None:
    setting(london, {"walking_speed": "slow"}, {"home": "Brixton"})
    told = setting(london, reset=reset)
    assert told.answer == (f"1 default: {left}." if left else "No defaults are set.")


def test_reset_comes_before_what_is_set(london: London) -> None:
    setting(london, {"walking_speed": "slow"}, {"home": "Brixton"})
    told = setting(london, {"walking_speed": "fast"}, {"work": "Bank"}, ("all",))
    assert told.answer == "2 defaults: walking_speed Fast; work is Bank."


@pytest.mark.parametrize(
    ("sent", "places", "reset", "error"),
    [
        ({"walking_speed": "sloow"}, {}, ("home",), None),
        ({"walking_speed": "purple"}, {"gym": "Angel"}, ("home",), InputError),
        ({"mode": ["tube"], "avoid_modes": ["tube"]}, {}, ("all",), InputError),
        ({}, {"x" * 100: "Bank"}, ("home",), InputError),
        ({"walking_speed": "fast"}, {}, ("gym",), NotFoundError),
        ({"date": "tomorrow"}, {}, ("home",), InputError),
    ],
)
def test_what_cannot_be_set_changes_nothing(
    london: London,
    sent: dict[str, Any],
    places: dict[str, str],
    reset: tuple[str, ...],
    error: type[GroundwireError] | None,
) -> None:
    before = setting(london, {"walking_speed": "slow"}, {"home": "Brixton"})
    if error is None:
        told = setting(london, sent, places, reset)
        assert [(one.raw, one.resolved) for one in told.corrections or []] == [("sloow", "Slow")]
        return
    with pytest.raises(error):
        setting(london, sent, places, reset)
    assert get_defaults(london, "ada").answer == before.answer


def test_an_ambiguous_or_unknown_place_is_told(london: London) -> None:
    told = setting(london, {}, {"aunt": "Ealing", "uncle": "Zorblax Road", "flat": "N1 9AG"})
    notes = "\n".join(told.notes or [])
    assert "aunt: 'Ealing' may be Ealing Broadway" in notes
    assert "uncle: no station or well-known place here is called 'Zorblax Road'" in notes
    assert "flat" not in notes
