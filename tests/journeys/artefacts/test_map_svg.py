"""The map as an SVG: complete, harmless, and the same for the same plan."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from drawn_plans import journey, on_foot, one_line_twice, plan, ride, stop, to_tate_modern
from map_reading import SVG, legs, read, words
from recorded import recorded

from groundwire.errors import InputError
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg
from groundwire.journeys.itinerary import Disruption, Journey, Leg, Place, Point
from groundwire.journeys.tfl.journey_payload import read_itinerary

RECORDED = [
    "ridgeview_journeyByBike",
    "ridgeview_journeyByBoat",
    "ridgeview_journeyByBusLong",
    "ridgeview_journeyByBusShort",
    "ridgeview_journeyByCableCar",
    "ridgeview_journeyByNationalRail",
    "ridgeview_journeyByOverground",
    "ridgeview_journeyByTube",
    "ridgeview_journeyByWalking",
    "ridgeview_journeyResultsKingsXToWaterlooEarlier",
    "ridgeview_journeyResultsKingsXToWaterlooLater",
    "ridgeview_journeyResultsKingsXToWaterlooNow",
    "ridgeview_journeyWithLongDisruptionMessage",
    "ridgeview_journeyWithLongTitleName",
]


def tfl_journey(name: str) -> Journey:
    payload = recorded(f"journey/{name}.json")
    plans = read_itinerary(payload if "journeys" in payload else {"journeys": [payload]}).plans
    return journey(*plans, estimated=False)


def test_every_leg_is_on_the_map_and_in_the_legend(network) -> None:
    told = to_tate_modern(network)
    svg = draw_svg(MapRequest(told, network=network))
    assert [leg.number for leg in legs(svg)] == [1, 2, 3, 4]
    written = words(svg)
    for line in ("Circle line", "Northern line", "Jubilee line", "Walk"):
        assert line in written
    for row in (
        "King's Cross St. Pancras → Moorgate",
        "Moorgate → London Bridge",
        "09:12 – 09:17",
        "9 min · 900 m",
    ):
        assert row in written
    assert written.count("1") == 2  # on the map and in the legend
    for name in ("King's Cross St. Pancras", "Tate Modern", "London Bridge", "Southwark"):
        assert name in written
    for moment in ("leave 09:00", "change 09:08–09:12", "off 09:22", "arrive 09:31"):
        assert moment in written


def test_title_credit_scale_and_mark(network) -> None:
    told = to_tate_modern(network)
    written = words(draw_svg(MapRequest(told, network=network)))
    assert written[0] == "King's Cross St. Pancras to Tate Modern"
    assert "Mon 23 Nov 2026 · 09:00–09:31 · 31 min · 2 changes · £3.10" in written
    assert "Powered by TfL Open Data" in written
    assert "Estimated times, embedded network" in written
    assert any(re.fullmatch(r"\d+ k?m", text) for text in written)
    from_tfl = words(draw_svg(MapRequest(replace(told, source="tfl"), network=network)))
    assert "Estimated times, embedded network" not in from_tfl
    named = words(draw_svg(MapRequest(told, network=network, title="To the museum")))
    assert named[0] == "To the museum"


def test_a_long_credit_stands_in_two_lines(network) -> None:
    credit = "Timetable of Kilbrae Transit (feed kilbrae, holds until Sunday 13 December 2026)"
    told = replace(to_tate_modern(network), credit=credit)
    narrow = words(draw_svg(MapRequest(told, network=network, width=390)))
    lines = [one for one in narrow if len(one) > 2 and one in credit]
    assert " ".join(reversed(lines)) == credit
    assert len(lines) == 2
    assert credit in words(draw_svg(MapRequest(told, network=network)))


def test_a_place_of_two_changes_has_one_mark(network) -> None:
    there = one_line_twice(network).plans[0].legs
    back = ride(network, "northern", ["King's Cross St. Pancras", "Euston", "Camden Town"], 20, 5)
    on = ride(network, "northern", ["Camden Town", "Kentish Town"], 30, 3)
    written = words(draw_svg(MapRequest(journey(plan(*there, back, on)), network=network)))
    assert written.count("Camden Town") == 1
    assert "change 09:06–09:09, 09:25–09:30" in written


def test_it_says_in_words_what_it_shows(network) -> None:
    root = read(draw_svg(MapRequest(to_tate_modern(network), network=network)))
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and description is not None
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == [title.get("id"), description.get("id")]
    assert "1. Circle line from King's Cross St. Pancras to Moorgate, 09:00 to 09:08" in (
        description.text or ""
    )


def test_walks_are_dashed_and_rides_are_not(network) -> None:
    svg = draw_svg(MapRequest(to_tate_modern(network), network=network))
    assert legs(svg)[3].classes == ("walk",)
    assert re.search(r"\.walk\{[^}]*stroke-dasharray", svg)
    assert not re.search(r"\.way\{[^}]*stroke-dasharray", svg)


def test_legs_of_one_line_are_told_apart(network) -> None:
    first, second = legs(draw_svg(MapRequest(one_line_twice(network), network=network)))
    assert first.classes[:2] == ("case e0", "way s0")
    assert second.classes[:3] == ("case e0", "way s0", "stripe k0")
    assert not any("stripe" in name for name in first.classes)


def test_a_change_of_platform_is_drawn_out_to_where_one_goes_on(network) -> None:
    ends = Point(51.5115, -0.1276), Point(51.5120, -0.1280)
    arriving = ride(network, "piccadilly", ["Holborn", "Covent Garden", "Leicester Square"], 0, 4)
    leaving = ride(network, "northern", ["Leicester Square", "Charing Cross"], 8, 2)
    arriving = replace(arriving, path=(*arriving.path[:-1], ends[0]))
    leaving = replace(leaving, path=(ends[1], *leaving.path[1:]))
    svg = draw_svg(MapRequest(journey(plan(arriving, leaving)), network=network))
    [ring] = re.findall(r'class="ring" stroke-width="16" d="M([\d. ]+)L([\d. ]+)"', svg)
    assert ring[0] != ring[1]


def test_nothing_is_fetched_and_nothing_runs(network) -> None:
    svg = draw_svg(MapRequest(to_tate_modern(network), network=network))
    assert re.findall(r"https?:[^\"' ]+", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"<(script|image|use|foreignObject|a)\b|\son\w+=|@import|url\((?!#)", svg)


HOSTILE = [
    "<script>alert(1)</script>",
    '"><image href="http://evil.example/x.png"/>',
    "' onload='alert(1)",
    "]]><!-- & &amp; \x00\x08\ud800",
    "\u202eknaB\u2066",
    "</style><style>*{fill:red}",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_only_ever_text(name: str, network) -> None:
    told = to_tate_modern(network)
    legs_of = told.plans[0].legs
    hostile = tuple(
        replace(
            leg,
            origin=replace(leg.origin, name=name),
            destination=replace(leg.destination, name=name + "2"),
            line=name,
            line_id=name,
            direction=name,
            stops=tuple(replace(place, name=name) for place in leg.stops),
            disruptions=(Disruption(name, name),),
        )
        for leg in legs_of
    )
    place = Place(name, legs_of[0].origin.point)
    made = replace(told, origin=place, destination=place, notes=(name,))
    made = replace(made, plans=(replace(told.plans[0], legs=hostile),))
    svg = draw_svg(MapRequest(made, network=network, title=name))
    plain = draw_svg(MapRequest(told, network=network))
    tags = {element.tag for element in read(svg).iter()}
    assert tags <= {element.tag for element in read(plain).iter()} | {f"{SVG}g"}
    attributes = {key for element in read(svg).iter() for key in element.keys()}  # noqa: SIM118
    assert attributes <= {key for one in read(plain).iter() for key in one.keys()}  # noqa: SIM118
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", svg)
    assert len(list(read(svg).iter(f"{SVG}style"))) == 1


def test_a_mode_that_nobody_knows_is_drawn_too(network) -> None:
    ends = stop(network, "Bank"), stop(network, "Moorgate")
    strange = replace(on_foot(*ends, 0, 5), mode='hover"board', line="Ω")
    svg = draw_svg(MapRequest(journey(plan(strange)), network=network))
    assert [leg.number for leg in legs(svg)] == [1]


def three_ways(network) -> Journey:
    start, end = stop(network, "King's Cross St. Pancras"), stop(network, "Moorgate")
    circle = ["King's Cross St. Pancras", "Farringdon", "Barbican", "Moorgate"]
    northern = ["King's Cross St. Pancras", "Angel", "Old Street", "Moorgate"]
    return journey(
        plan(ride(network, "circle", circle, 0, 8)),
        plan(ride(network, "northern", northern, 0, 7)),
        plan(on_foot(start, end, 0, 40), fare=0),
    )


@pytest.mark.parametrize("compare", [(1,), (1, 2), (2, 0, 1)])
def test_plans_are_compared_side_by_side(compare: tuple[int, ...], network) -> None:
    svg = draw_svg(MapRequest(three_ways(network), 0, compare, network))
    shown = {0, *compare}
    written = words(svg)
    assert [text for text in written if text.startswith("Plan ")] == [
        f"Plan {index + 1}" for index in dict.fromkeys((0, *compare))
    ]
    assert len(legs(svg)) == len(shown)
    frames = [rect for rect in read(svg).iter(f"{SVG}rect") if rect.get("class") == "land"]
    assert len(frames) == len(shown)
    assert len({frame.get("width") for frame in frames}) == 1
    # All have the same ground and scale: the same start is equally far from each frame's corner.
    offsets = {
        tuple(
            round(value - float(frame.get(edge) or 0), 1)
            for value, edge in zip(leg.corners[0], ("x", "y"), strict=True)
        )
        for leg, frame in zip(_in_panels(svg), frames, strict=True)
    }
    assert len(offsets) == 1


def _in_panels(svg: str):
    return sorted(legs(svg), key=lambda leg: leg.corners[0])


def test_six_plans_stand_in_two_rows(network) -> None:
    told = three_ways(network)
    many = replace(told, plans=told.plans * 3)
    svg = draw_svg(MapRequest(many, 0, tuple(range(1, 6)), network))
    tops = [rect.get("y") for rect in read(svg).iter(f"{SVG}rect") if rect.get("class") == "land"]
    assert len(tops) == 6 and len(set(tops)) == 2
    with pytest.raises(InputError, match="at most 6 plans"):
        draw_svg(MapRequest(many, 0, tuple(range(1, 9)), network))


@pytest.mark.parametrize(("index", "compare"), [(3, ()), (-1, ()), (0, (7,))])
def test_an_index_of_no_plan_is_refused(index: int, compare: tuple[int, ...], network) -> None:
    with pytest.raises(InputError, match="send an index from 0 to 2"):
        draw_svg(MapRequest(three_ways(network), index, compare, network))


def test_without_plans_or_positions_there_is_no_map(network) -> None:
    with pytest.raises(InputError, match="no plans"):
        draw_svg(MapRequest(replace(three_ways(network), plans=()), network=network))
    nowhere = Leg("bus", Place("A"), Place("B"), *_times(network))
    with pytest.raises(InputError, match="nobody knows where"):
        draw_svg(MapRequest(journey(plan(nowhere)), network=network))


def _times(network):
    only = ride(network, "jubilee", ["London Bridge", "Southwark"], 0, 2)
    return only.departure, only.arrival


def test_a_leg_without_a_path_goes_straight_between_stops_that_are_known(network) -> None:
    leg = ride(network, "jubilee", ["London Bridge", "Southwark"], 0, 2)
    bare = replace(
        leg,
        path=(),
        origin=replace(leg.origin, point=None),
        destination=replace(leg.destination, point=None),
    )
    [drawn] = legs(draw_svg(MapRequest(journey(plan(bare)), network=network)))
    [same] = legs(draw_svg(MapRequest(journey(plan(leg)), network=network)))
    assert drawn.corners == same.corners


def test_a_leg_that_goes_nowhere_is_only_in_the_legend(network) -> None:
    here = stop(network, "Bank")
    svg = draw_svg(MapRequest(journey(plan(on_foot(here, here, 0, 5))), network=network))
    assert "within Bank" in words(svg)


def test_a_way_between_stops_that_no_leg_tells_is_dotted(network) -> None:
    one = ride(network, "jubilee", ["London Bridge", "Southwark"], 0, 2)
    other = ride(network, "northern", ["Bank", "Moorgate"], 9, 2)
    apart = draw_svg(MapRequest(journey(plan(one, other)), network=network))
    assert apart.count('class="walk link"') == 1
    assert 'class="walk link"' not in draw_svg(MapRequest(to_tate_modern(network)))


@pytest.mark.parametrize("point", [Point(0, 0), Point(float("nan"), 0.1), Point(51.5, 500)])
def test_a_position_that_is_none_does_not_stretch_the_map(point: Point, network) -> None:
    leg = ride(network, "jubilee", ["London Bridge", "Southwark"], 0, 2)
    odd = replace(leg, path=(point, *leg.path, point), origin=replace(leg.origin, point=point))
    [drawn] = legs(draw_svg(MapRequest(journey(plan(odd)), network=network)))
    [same] = legs(draw_svg(MapRequest(journey(plan(leg)), network=network)))
    assert drawn.corners == same.corners


def test_several_maps_of_one_page_have_ids_of_their_own(network) -> None:
    maps = [
        draw_svg(MapRequest(sample(network), network=network))
        for sample in (to_tate_modern, one_line_twice)
    ]
    ids = [re.findall(r'\bid="([^"]+)"', svg) for svg in maps]
    assert len({*ids[0], *ids[1]}) == len(ids[0]) + len(ids[1]) == 6


def test_it_is_drawn_without_the_network_too(network) -> None:
    svg = draw_svg(MapRequest(to_tate_modern(network)))
    assert 'class="net' not in svg
    assert [leg.number for leg in legs(svg)] == [1, 2, 3, 4]


def test_the_network_is_behind(network) -> None:
    svg = draw_svg(MapRequest(to_tate_modern(network), network=network))
    assert svg.count('class="net ') >= 8
    assert svg.index('class="net ') < svg.index('class="leg"')
    assert svg.index('class="river"') < svg.index('class="net ')


def test_the_same_plan_gives_the_same_map(network) -> None:
    request = MapRequest(to_tate_modern(network), network=network)
    assert draw_svg(request) == draw_svg(request)


def test_what_the_traveller_has_to_know_is_on_it(network) -> None:
    told = replace(to_tate_modern(network), notes=("TfL did not answer, so this is an estimate.",))
    written = " ".join(words(draw_svg(MapRequest(told, network=network))))
    assert "TfL did not answer, so this is an estimate." in written
    leg = told.plans[0].legs[0]
    hindered = replace(leg, disruptions=(Disruption("Circle", "Severe delays."),))
    made = journey(plan(hindered))
    assert "Severe delays." in words(draw_svg(MapRequest(made, network=network)))


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_journey_is_drawn(name: str, network) -> None:
    told = tfl_journey(name)
    for index, one in enumerate(told.plans):
        svg = draw_svg(MapRequest(told, index, network=network))
        assert len(svg) < 80_000
        drawn = {leg.number for leg in legs(svg)}
        assert drawn <= set(range(1, len(one.legs) + 1))
        assert drawn >= {number for number, leg in enumerate(one.legs, 1) if leg.is_ride}
    if len(told.plans) > 1:
        draw_svg(MapRequest(told, 0, tuple(range(1, min(6, len(told.plans)))), network))
