"""Names stand inside the frame, over no other and over no marker."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.journeys.artefacts.map_projection import Box, dots
from groundwire.journeys.artefacts.map_scene import Caption, Placed, baselines, free, place
from groundwire.journeys.artefacts.map_words import Words

FRAME = Box(0, 0, 700, 500)
CAPTIONS = st.builds(
    lambda text, x, y, must: Caption(
        (Words(text, 14, True), Words("09:00", 12)), (x, y), 8, "ink", must
    ),
    st.text("abcdefgh WM", min_size=1, max_size=24),
    st.floats(0, 700),
    st.floats(0, 500),
    st.booleans(),
)


def caption(text: str, x: float, y: float, must: bool = True) -> Caption:
    return Caption((Words(text, 14),), (x, y), 8, "ink", must)


@given(st.lists(CAPTIONS, max_size=25), st.lists(st.tuples(st.floats(0, 690), st.floats(0, 490))))
def test_nothing_overlaps(captions: list[Caption], corners: list[tuple[float, float]]) -> None:
    taken = [Box(x, y, 20, 20) for x, y in corners[:10]]
    placed = place(captions, FRAME, taken, [])
    assert all(FRAME.holds(one.box) for one in placed)
    assert not any(one.box.overlaps(other.box) for one, other in combinations(placed, 2))
    assert not any(one.box.overlaps(box) for one in placed for box in taken)


def _leads_through(one: Placed, box: Box) -> bool:
    return one.leader is not None and any(
        box.has(pixel) for pixel in dots([one.caption.point, one.leader], 1)
    )


@given(st.lists(CAPTIONS, max_size=25))
def test_no_line_to_a_point_goes_through_a_name(captions: list[Caption]) -> None:
    placed = place(captions, FRAME, [], [])
    for one, other in permutations(placed, 2):
        assert not _leads_through(one, other.box.grown(-1))


def test_a_name_stands_to_the_right_of_its_point_where_it_can() -> None:
    [placed] = place([caption("Bank", 300, 200)], FRAME, [], [])
    assert placed.align == "start" and placed.leader is None
    assert 308 < placed.box.left < 320 and placed.box.has((placed.box.left, 200))
    [(words, (x, y))] = baselines(placed)
    assert words.text == "Bank" and x == placed.box.left and 200 < y < 210


def test_a_name_keeps_off_the_line() -> None:
    line = dots([(300, 200), (600, 200)], 6)
    [placed] = place([caption("Bank", 300, 200)], FRAME, [], line)
    assert not any(placed.box.has(pixel) for pixel in line)


def test_what_must_be_seen_goes_farther_away_with_a_line_to_its_point() -> None:
    crowd = [Box(240, 140, 120, 120)]
    [placed] = place([caption("Bank", 300, 200)], FRAME, crowd, [])
    assert placed.leader is not None
    assert not placed.box.overlaps(crowd[0])
    assert place([caption("Bank", 300, 200, must=False)], FRAME, crowd, []) == []


def test_the_more_important_name_comes_first() -> None:
    narrow = Box(250, 180, 130, 40)
    placed = place(
        [caption("London Bridge", 260, 200), caption("Monument", 262, 200)], narrow, [], []
    )
    assert [one.caption.lines[0].text for one in placed] == ["London Bridge"]


def test_a_number_takes_the_first_free_place() -> None:
    frame = Box(0, 0, 100, 100)
    assert free([(50, 50), (20, 20)], 10, [Box(45, 45, 10, 10)], frame) == (20, 20)
    assert free([(5, 5)], 10, [], frame) is None
