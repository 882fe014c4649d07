"""The map as a page: nothing but itself, everything in words too."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

from drawn_plans import to_tate_modern

from groundwire.journeys.artefacts.map_html import app_page, draw_html
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg
from groundwire.journeys.itinerary import Disruption, Place


class Outline(HTMLParser):
    """Tags with their attributes, and the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def policy(page: str) -> str:
    [content] = [
        given["content"] or ""
        for tag, given in Outline(page).tags
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy"
    ]
    return content


def assert_its_script_is_the_one_allowed(page: str) -> None:
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    rules = policy(page)
    assert rules.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}';" in rules
    assert "unsafe-eval" not in rules and "script-src 'unsafe-inline'" not in rules


def test_the_policy_lets_nothing_be_fetched_and_one_script_run(network) -> None:
    assert_its_script_is_the_one_allowed(draw_html(MapRequest(to_tate_modern(network))))
    assert_its_script_is_the_one_allowed(app_page())


def test_nothing_in_the_pages_points_outside(network) -> None:
    for page in (draw_html(MapRequest(to_tate_modern(network), network=network)), app_page()):
        assert set(re.findall(r"https?://[^\s\"']+", page)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|sendBeacon|eval)\b", page)


def test_the_legs_are_there_in_words(network) -> None:
    outline = Outline(draw_html(MapRequest(to_tate_modern(network), network=network)))
    cells = outline.text
    for cell in ("Circle line towards Moorgate", "Tate Modern", "09:31", "9 min"):
        assert cell in cells
    assert [tag for tag, _ in outline.tags].count("tr") == 5


def test_a_drawing_at_hand_is_not_drawn_again(network) -> None:
    request = MapRequest(to_tate_modern(network), network=network)
    svg = draw_svg(request)
    assert svg.partition("<title")[2] in draw_html(request, svg)
    assert draw_html(request) == draw_html(request, svg)


def test_the_keyboard_can_do_what_the_mouse_can(network) -> None:
    tags = Outline(draw_html(MapRequest(to_tate_modern(network)))).tags
    assert [given["data-key"] for tag, given in tags if tag == "button"] == ["+", "-", "0"]
    [stage] = [given for _, given in tags if given.get("id") == "stage"]
    assert stage["tabindex"] == "0" and stage["aria-label"]
    assert ("html", {"lang": "en-GB"}) in tags


def test_names_are_only_ever_text(network) -> None:
    told = to_tate_modern(network)
    evil = '<script>alert(1)</script><img src=x onerror="alert(1)">'
    leg = replace(
        told.plans[0].legs[0],
        origin=Place(evil, told.plans[0].legs[0].origin.point),
        direction=evil,
        disruptions=(Disruption(evil, evil),),
    )
    made = replace(told, origin=Place(evil), plans=(replace(told.plans[0], legs=(leg,)),))
    made = replace(made, notes=(evil,))
    tags = [tag for tag, _ in Outline(draw_html(MapRequest(made, network=network))).tags]
    assert tags.count("script") == 1 and "img" not in tags


def test_plans_that_are_compared_have_a_table_each(network) -> None:
    told = to_tate_modern(network)
    twice = replace(told, plans=told.plans * 2)
    page = draw_html(MapRequest(twice, 0, (1,), network))
    captions = [text for text in Outline(page).text if text.startswith("Plan 2: Mon 23 Nov")]
    assert len(captions) == 1
