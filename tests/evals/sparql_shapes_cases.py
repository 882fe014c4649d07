"""Questions that join, rank, compare and deny, by hand and by template, in en, de and zh.

A template is a wording with places for what is drawn from a world; its first wordings are seen, its
last ones held out. Countries are the embedded graph; the geography of the pattern eval is invented.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.evals.sparql_patterns_worlds import World
from tests.evals.sparql_shapes_truth import Shape, shape

HAND = Path(__file__).parent / "sparql_shapes"
DRAWS = 3


@dataclass(frozen=True)
class Question:
    """One question with its truth."""

    world: str
    kind: str
    language: str
    prompt: str
    shape: Shape
    held_out: bool
    by_hand: bool = False


# kind, language, half, wording; {a} {b} {c} entities, {g} a group, {n} a number.
WORDINGS = """
both|en|seen|Which countries border both {a} and {b}?
both|en|seen|Which country borders {a} as well as {b}?
both|en|held|List all countries that border {a} and {b}.
both|de|seen|Welche Länder grenzen an {a} und an {b}?
both|de|held|Welche Länder grenzen sowohl an {a} als auch an {b}?
both|zh|seen|哪些国家与{a}和{b}都接壤？
both|zh|held|同时与{a}和{b}接壤的国家有哪些？
values|en|seen|What are the capital and the area of {a}?
values|en|held|area and capital of {a}
values|de|seen|Was sind die Hauptstadt und die Fläche von {a}?
values|de|held|Nenne Hauptstadt und Fläche von {a}.
values|zh|seen|{a}的首都和面积分别是什么？
values|zh|held|请告诉我{a}的首都和面积。
bounded|en|seen|Which countries in {g} have an area of more than {n}?
bounded|en|held|Which of the countries in {g} have an area above {n}?
bounded|de|seen|Welche Länder in {g} haben eine Fläche von mehr als {n}?
bounded|de|held|Welche Länder in {g} haben eine Fläche über {n}?
bounded|zh|seen|{g}有哪些国家的面积大于{n}？
bounded|zh|held|{g}面积超过{n}的国家有哪些？
second|en|seen|Which country in {g} has the second largest area?
second|en|held|What is the second largest country by area in {g}?
second|de|seen|Welches Land in {g} hat die zweitgrößte Fläche?
second|de|held|Was ist nach Fläche das zweitgrößte Land in {g}?
second|zh|seen|{g}面积第二大的国家是哪个？
second|zh|held|{g}哪个国家的面积第二大？
third|en|seen|Which country has the third smallest area in {g}?
third|en|held|the third-smallest country in {g} by area
third|de|seen|Welches Land in {g} hat die drittkleinste Fläche?
third|zh|held|{g}面积第三小的国家是哪个？
neighbour|en|seen|Which neighbour of {a} has the largest area?
neighbour|en|held|Which of the countries that border {a} has the largest area?
neighbour|de|seen|Welches Land, das an {a} grenzt, hat die größte Fläche?
neighbour|zh|held|{a}的邻国中面积最大的是哪个？
three|en|seen|Which is larger by area, {a}, {b} or {c}?
three|en|held|Which of {a}, {b} and {c} has the largest area?
three|de|seen|Welches Land hat die größte Fläche, {a}, {b} oder {c}?
three|de|held|Was ist nach Fläche am größten: {a}, {b} oder {c}?
three|zh|seen|{a}、{b}和{c}中哪个面积最大？
three|zh|held|{a}、{b}、{c}三国中面积最大的是哪个？
deny|en|seen|Which countries in {g} do not border {a}?
deny|en|held|Which countries in {g} are not neighbours of {a}?
deny|de|seen|Welche Länder in {g} grenzen nicht an {a}?
deny|zh|held|{g}有哪些国家不与{a}接壤？
count|en|seen|How many countries in {g} border {a}?
count|en|held|How many countries in {g} have a border with {a}?
count|de|seen|Wie viele Länder in {g} grenzen an {a}?
count|zh|held|{g}有多少个国家与{a}接壤？
capitals|en|seen|What are the capitals of {a} and {b}?
capitals|en|held|What is the capital of {a} and what is the capital of {b}?
capitals|de|held|Wie heißen die Hauptstädte von {a} und {b}?
capitals|zh|seen|{a}和{b}的首都分别是什么？
top|en|seen|What are the three largest countries in {g} by area?
top|en|held|List the three countries in {g} with the largest area.
top|de|seen|Welche drei Länder in {g} haben die größte Fläche?
top|zh|held|{g}面积最大的三个国家是哪些？
unknown|en|seen|Which countries border both {a} and Wakanda?
unknown|en|held|Which countries in {g} have more than {n} volcanoes?
unknown|de|seen|Welche Länder in {g} haben keine Armee?
unknown|de|held|Was sind die Hauptstadt und das Wappen von {a}?
unknown|zh|held|{g}哪些国家没有军队？
"""


@dataclass(frozen=True)
class _Ground:
    """A world with the names that the templates use there."""

    world: World
    group: str
    groups: tuple[str, ...]

    def countries(self) -> list[str]:
        return [m for m in self.world.members("Country") if self.world.objects(m, "area")]

    def in_group(self, group: str) -> list[str]:
        return [m for m in self.countries() if group in self.world.objects(m, self.group)]


def questions(countries: World, geography: World) -> list[Question]:
    """All questions: those by hand, then those drawn from the templates."""
    grounds = (
        _Ground(countries, "continent", tuple(f"continent-{c}" for c in ("AF", "AS", "EU", "SA"))),
        _Ground(geography, "region", ("north", "east", "south")),
    )
    found = list(_by_hand(countries))
    rng = random.Random(41)
    for line in WORDINGS.strip().splitlines():
        kind, language, half, wording = line.split("|")
        for ground in grounds:
            for _ in range(DRAWS if ground.world.name == "countries" else 1):
                drawn = _draw(rng, ground, kind, language)
                if drawn is None:
                    continue
                words, spec = drawn
                found.append(Question(
                    ground.world.name, kind, language, wording.format_map(words),
                    shape(ground.world, spec), half == "held",
                ))  # fmt: skip
    return found


def _by_hand(world: World) -> Iterator[Question]:
    for half in ("seen", "held_out"):
        for one in tomllib.loads((HAND / f"{half}.toml").read_text("utf-8"))["case"]:
            yield Question(
                "countries", one["kind"], one["language"], one["prompt"],
                shape(world, one["truth"]), half == "held_out", by_hand=True,
            )  # fmt: skip


def _draw(
    rng: random.Random, ground: _Ground, kind: str, language: str
) -> tuple[dict[str, str], list[Any]] | None:
    """Words of a wording and the spec of its truth; None where nothing fitting was drawn."""
    for _ in range(200):
        names, spec = _DRAWN[kind](rng, ground)
        if all(ground.world.label(name, language) for name in names.values() if name[0] != "="):
            try:
                shape(ground.world, spec)
            except (ValueError, IndexError):
                continue
            said = {
                place: name[1:] if name[0] == "=" else ground.world.label(name, language)
                for place, name in names.items()
            }
            return said, spec
    return None


_Drawn = tuple[dict[str, str], list[Any]]


def _both(rng: random.Random, ground: _Ground) -> _Drawn:
    between = rng.choice(ground.countries())
    beside = ground.world.objects(between, "borders")
    if len(beside) < 2:
        return {}, ["set", "Nothing"]
    a, b = rng.sample(beside, 2)
    return {"a": a, "b": b}, ["set", "Country", ["borders", a], ["borders", b]]


def _values(rng: random.Random, ground: _Ground) -> _Drawn:
    a = rng.choice(ground.countries())
    return {"a": a}, ["values", a, "capital", "area"]


def _bounded(rng: random.Random, ground: _Ground) -> _Drawn:
    g = rng.choice(ground.groups)
    areas = sorted(ground.world.one(m, "area") for m in ground.in_group(g))
    n = str(int(areas[-min(5, len(areas))]))
    return {"g": g, "n": f"={n}"}, [
        "set", "Country", [ground.group, g], ["area", ">", n],
    ]  # fmt: skip


def _ranked(way: str, place: int) -> Callable[[random.Random, _Ground], _Drawn]:
    def draw(rng: random.Random, ground: _Ground) -> _Drawn:
        g = rng.choice(ground.groups)
        return {"g": g}, ["rank", "Country", "area", way, place, [ground.group, g]]

    return draw


def _neighbour(rng: random.Random, ground: _Ground) -> _Drawn:
    a = rng.choice(ground.countries())
    return {"a": a}, ["rank", "Country", "area", "max", 1, ["borders", a]]


def _three(rng: random.Random, ground: _Ground) -> _Drawn:
    a, b, c = rng.sample(ground.countries(), 3)
    return {"a": a, "b": b, "c": c}, ["compare", "area", "max", a, b, c]


def _deny(rng: random.Random, ground: _Ground) -> _Drawn:
    g = rng.choice(ground.groups)
    a = rng.choice(ground.in_group(g))
    return {"g": g, "a": a}, ["set", "Country", [ground.group, g], ["borders", "not", a]]


def _count(rng: random.Random, ground: _Ground) -> _Drawn:
    g = rng.choice(ground.groups)
    a = rng.choice(ground.in_group(g))
    return {"g": g, "a": a}, ["total", "Country", [ground.group, g], ["borders", a]]


def _capitals(rng: random.Random, ground: _Ground) -> _Drawn:
    a, b = rng.sample(ground.countries(), 2)
    return {"a": a, "b": b}, ["each", "capital", a, b]


def _top(rng: random.Random, ground: _Ground) -> _Drawn:
    g = rng.choice(ground.groups)
    return {"g": g}, ["most", "Country", "area", "max", 3, ground.group, g]


def _unknown(rng: random.Random, ground: _Ground) -> _Drawn:
    g = rng.choice(ground.groups)
    return {"a": rng.choice(ground.countries()), "g": g, "n": "=5"}, ["refused"]


_DRAWN: dict[str, Callable[[random.Random, _Ground], _Drawn]] = {
    "both": _both,
    "values": _values,
    "bounded": _bounded,
    "second": _ranked("max", 2),
    "third": _ranked("min", 3),
    "neighbour": _neighbour,
    "three": _three,
    "deny": _deny,
    "count": _count,
    "capitals": _capitals,
    "top": _top,
    "unknown": _unknown,
}
