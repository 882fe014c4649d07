"""What is written can be read, and what is drawn can be seen, in both themes."""

from __future__ import annotations

import pytest
from drawn_plans import NINE

from groundwire.journeys.artefacts.map_style import (
    DARK,
    LIGHT,
    READABLE,
    VISIBLE,
    Theme,
    contrast,
    ink_on,
    outline_on,
    ride_colour,
    style,
)
from groundwire.journeys.itinerary import Leg, Place

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def leg(mode: str, line_id: str = "") -> Leg:
    return Leg(mode, Place("A"), Place("B"), NINE, NINE, line_id=line_id)


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@THEMES
def test_every_text_is_readable_on_what_is_behind_it(theme: Theme) -> None:
    for ink in (theme.ink, theme.muted):
        for ground in (theme.sheet, theme.land, theme.river):
            assert contrast(ink, ground) >= READABLE, (ink, ground)
    assert contrast(theme.warning, theme.sheet) >= READABLE
    assert contrast(theme.mark_ink, theme.mark) >= READABLE
    assert contrast(ink_on(theme.path), theme.path) >= READABLE
    assert contrast(ink_on(theme.cycle), theme.cycle) >= READABLE


@THEMES
def test_ways_on_foot_and_by_cycle_stand_out(theme: Theme) -> None:
    assert contrast(theme.path, theme.land) >= 3
    assert contrast(theme.cycle, theme.land) >= 3


@THEMES
def test_every_line_stands_out_or_has_an_outline(theme: Theme, network) -> None:
    for line in network.lines.values():
        outline = outline_on(line.colour, theme)
        assert contrast(line.colour, theme.land) >= VISIBLE or contrast(outline, theme.land) >= 3
        assert contrast(ink_on(line.colour), line.colour) >= READABLE


def test_black_has_a_light_outline_in_the_dark_only(network) -> None:
    black = network.lines["northern"].colour
    assert outline_on(black, DARK) == DARK.outline
    assert outline_on(black, LIGHT) == LIGHT.land


def test_a_ride_has_the_colour_of_its_line_else_of_its_mode(network) -> None:
    for line in network.lines.values():
        assert ride_colour(leg(line.mode, line.id), network) == line.colour.upper()
    assert ride_colour(leg("bus", "73"), network) == "#DC241F"
    assert ride_colour(leg("tube", "victoria"), None) == ride_colour(leg("tube"), network)


def test_a_fixed_theme_does_not_follow_the_reader() -> None:
    assert "prefers-color-scheme" in style(["#000000"], [], "auto")
    assert "prefers-color-scheme" not in style(["#000000"], [], "light")
    assert DARK.land in style([], [], "dark") and LIGHT.land not in style([], [], "dark")
