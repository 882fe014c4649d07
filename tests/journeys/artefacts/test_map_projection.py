"""Web Mercator, views and lines in pixels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.journeys.artefacts.map_projection import (
    Box,
    along,
    dots,
    fit,
    length,
    mercator,
    nearest,
    path_data,
    scale_bar,
    simplify,
)
from groundwire.journeys.itinerary import Point, metres_between

FRAME = Box(24, 80, 778, 600)
LONDON_POINTS = st.builds(Point, st.floats(51.28, 51.7), st.floats(-0.55, 0.3))
PIXELS = st.tuples(st.floats(0, 1000), st.floats(0, 1000))


def test_the_projection_is_web_mercator() -> None:
    assert mercator(Point(0, 0)) == (0.5, 0.5)
    assert mercator(Point(0, 180)) == (1.0, 0.5)
    # The tile of zoom 14 that has Trafalgar Square, by the numbering of slippy maps.
    x, y = mercator(Point(51.508, -0.128))
    assert (int(x * 2**14), int(y * 2**14)) == (8186, 5448)
    # The edge of the square world.
    assert mercator(Point(85.0511287798066, 0))[1] == pytest.approx(0, abs=1e-9)


@given(st.lists(LONDON_POINTS, min_size=1, max_size=8))
def test_a_view_shows_every_point_inside_its_padding(points: list[Point]) -> None:
    view = fit(points, FRAME, 80)
    inner = FRAME.grown(-80 + 0.01)
    assert all(inner.has(view.pixel(point)) for point in points)


@given(LONDON_POINTS, LONDON_POINTS)
def test_pixels_are_as_far_apart_as_the_ground_says(one: Point, other: Point) -> None:
    view = fit([one, other], FRAME, 80)
    metres = metres_between(one, other)
    measured = math.dist(view.pixel(one), view.pixel(other)) * view.metres
    assert measured == pytest.approx(metres, rel=0.01, abs=1)


def test_north_is_up() -> None:
    view = fit([Point(51.5, -0.1), Point(51.6, 0.0)], FRAME, 80)
    (x, y), (to_x, to_y) = view.pixels([Point(51.5, -0.1), Point(51.6, 0.0)])
    assert to_x > x and to_y < y


def test_one_point_is_shown_at_a_scale_that_has_streets() -> None:
    view = fit([Point(51.5, -0.1)], FRAME, 80)
    assert 1 < view.metres < 3
    assert view.pixel(Point(51.5, -0.1)) == pytest.approx((24 + 389, 80 + 300))


@given(st.lists(PIXELS, min_size=2, max_size=40))
def test_a_simpler_line_keeps_its_ends_and_its_course(line: list[tuple[float, float]]) -> None:
    simple = simplify(line, 0.5)
    assert simple[0] == line[0] and simple[-1] == line[-1]
    assert set(simple) <= set(line)
    for pixel in line:
        assert math.dist(nearest(simple, pixel), pixel) <= 0.51


def test_points_on_a_straight_line_are_left_out() -> None:
    assert simplify([(0, 0), (1, 1), (2, 2), (9, 9)]) == [(0, 0), (9, 9)]


def test_measures_along_a_line() -> None:
    corner = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)]
    assert length(corner) == 20
    assert along(corner, 0.75) == (10.0, 5.0)
    assert along([(3.0, 4.0)], 0.5) == (3.0, 4.0)
    assert len(dots(corner, 5)) == 5
    assert nearest(corner, (20.0, 4.0)) == (10.0, 4.0)
    assert path_data(corner) == "M0.0 0.0L10.0 0.0L10.0 10.0"


def test_the_scale_bar_is_a_round_distance() -> None:
    view = fit([Point(51.45, -0.2), Point(51.55, 0.0)], FRAME, 80)
    pixels, name = scale_bar(view, 150)
    assert name == "2 km"
    assert pixels * view.metres == pytest.approx(2000)
    assert pixels <= 150


def test_boxes() -> None:
    box = Box(0, 0, 10, 10)
    assert box.overlaps(Box(9, 9, 5, 5)) and not box.overlaps(Box(10, 0, 5, 5))
    assert box.grown(1).holds(box) and not box.holds(box.grown(1))
    assert box.joined((20, 5), 2) == Box(0, 0, 22, 10)
