"""What is true of a question that joins, ranks, compares or denies, by plain Python over a world.

A condition is `[property, value]`, `[property, "not", value]`, `[property, "none"]` or
`[property, sign, number]`. `none` and `not` are what the graph states: a country that no border is
stated of has none there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tests.evals.sparql_patterns_truth import _BOUNDS, Truth, _of, truth
from tests.evals.sparql_patterns_worlds import Lit, World


@dataclass(frozen=True)
class Shape:
    """A truth, and whether a refusal is as fair as an answer."""

    truth: Truth
    may_refuse: bool = False


def shape(world: World, spec: list[Any]) -> Shape:
    """Work out a truth that is written as a verb and its arguments."""
    if spec[0] == "refused or":
        return Shape(_truth(world, spec[1:]), may_refuse=True)
    return Shape(_truth(world, spec))


def members(world: World, kind: str, conditions: list[list[str]]) -> list[str]:
    """The members of a kind that meet all conditions."""
    return [m for m in world.members(kind) if all(_meets(world, m, c) for c in conditions)]


def _meets(world: World, name: str, condition: list[str]) -> bool:
    p, *rest = condition
    held = world.objects(name, p)
    if rest == ["none"]:
        return not held
    if len(rest) == 1:
        return rest[0] in held
    sign, value = rest
    if sign == "not":
        # Nobody asks whether Brazil borders Brazil.
        return value not in (*held, name)
    return any(_BOUNDS[sign](float(one.text), float(value)) for one in held)


def _texts(world: World, one: Any) -> tuple[str, ...]:
    if isinstance(one, Lit):
        return (one.text,)
    return tuple(text.text for text in world.labels(one))


def _ranked(world: World, kind: str, p: str, way: str, place: int, conditions: Any) -> str:
    held = [m for m in members(world, kind, conditions) if world.objects(m, p)]
    held.sort(key=lambda m: world.one(m, p), reverse=way == "max")
    values = [world.one(m, p) for m in held]
    if values.count(values[place - 1]) > 1:
        raise ValueError("two share the place")
    return held[place - 1]


def _truth(world: World, spec: list[Any]) -> Truth:
    verb, *rest = spec
    if verb == "set":
        # The text of a country that is named in the question may stand in the answer.
        return _of(world, members(world, rest[0], rest[1:]))
    if verb == "total":
        number = len(members(world, rest[0], rest[1:]))
        # That nothing of the kind is stated is what an open graph can say of zero.
        return Truth("number", number=str(number)) if number else truth(world, ["unstated"])
    if verb == "rank":
        kind, p, way, place, *conditions = rest
        return _of(world, [_ranked(world, kind, p, way, place, conditions)])
    if verb == "of rank":
        wanted, kind, p, way, place, *conditions = rest
        found = world.objects(_ranked(world, kind, p, way, place, conditions), wanted)
        return _of(world, found)
    if verb == "values":
        start, *steps = rest
        found = [o for p in steps for o in world.objects(start, p)]
        return Truth("values", tuple(map(str, found)), tuple(_texts(world, o) for o in found))
    if verb == "each":
        p, *starts = rest
        found = [o for start in starts for o in world.objects(start, p)]
        return Truth("values", tuple(map(str, found)), tuple(_texts(world, o) for o in found))
    if verb == "shared":
        p, one, other = rest
        held = [o for o in world.objects(one, p) if o in world.objects(other, p)]
        return _of(world, held)
    if verb == "either":
        p, *others = rest
        held = {m for other in others for m in world.subjects(p, other)}
        return _of(world, [m for m in world.members("Country") if m in held])
    if verb == "compare":
        p, way, *names = rest
        held = sorted(names, key=lambda m: world.one(m, p), reverse=way == "max")
        pool = tuple(t for m in held[1:] for t in _texts(world, m))
        return replace(Truth("compare", (held[0],), (_texts(world, held[0]),)), pool=pool)
    return truth(world, spec)
