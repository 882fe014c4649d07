"""What is true of a case of the pattern eval, by plain Python over the triples of its world."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from typing import Any

from tests.evals.sparql_patterns_worlds import Lit, World

_BOUNDS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}


@dataclass(frozen=True)
class Truth:
    """What a fair answer holds.

    Attributes:
        kind: set, list, number, yes, no, unstated, asked, refused.
        items: entities (short names) or texts that have to be told.
        texts: the texts that stand for each item, any of which will do.
        pool: texts that must not be told.
        number: of a count or a value.
    """

    kind: str
    items: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()
    pool: tuple[str, ...] = ()
    number: str = ""
    answerable: bool = field(default=True)


def truth(world: World, spec: list[Any]) -> Truth:
    """Work out a truth that is written as a verb and its arguments."""
    verb, *rest = spec
    return _VERBS[verb](world, *rest)


def _of(world: World, found: list[Any], kind: str = "set") -> Truth:
    """Entities or literals as a set (or list), with their like as what must not be told."""
    if not found:
        raise ValueError("a case without an answer is written as unstated or refused")
    if isinstance(found[0], Lit):
        texts = tuple((one.text,) for one in found)
        return Truth(kind, tuple(one.text for one in found), texts)
    names = [str(one) for one in found]
    texts = tuple(tuple(one.text for one in world.labels(name)) for name in names)
    kinds = {k for name in names for k in world.objects(name, "rdf:type")}
    like = {m for k in kinds for m in world.members(k)} - set(names)
    pool = tuple({one.text for name in like for one in world.labels(name)})
    return Truth(kind, tuple(names), texts, pool)


def _path(world: World, start: str, *steps: str) -> list[Any]:
    """Follow properties, `^p` against its direction."""
    at: list[Any] = [start]
    for step in steps:
        if step.startswith("^"):
            at = [s for one in at for s in world.subjects(step[1:], one)]
        else:
            at = [o for one in at for o in world.objects(one, step)]
    return list(dict.fromkeys(at))


def _number(value: float | str) -> Truth:
    text = str(value)
    return Truth("number", number=text.removesuffix(".0"))


def _most(world: World, kind: str, p: str, way: str, many: int = 1, *where: str) -> Truth:
    held = [m for m in world.members(kind) if world.objects(m, p)]
    if where:
        held = [m for m in held if where[1] in world.objects(m, where[0])]
    held.sort(key=lambda m: world.objects(m, p)[0].text.zfill(20), reverse=way == "max")
    return _of(world, held[:many])


def _where(world: World, kind: str, p: str, sign: str, value: str) -> Truth:
    def met(m: str) -> bool:
        return any(_BOUNDS[sign](o.text.zfill(20), value.zfill(20)) for o in world.objects(m, p))

    return _of(world, [m for m in world.members(kind) if met(m)])


def _compare(world: World, p: str, way: str, one: str, other: str) -> Truth:
    held = sorted((one, other), key=lambda m: world.objects(m, p)[0].text.zfill(20))
    found = held[-1] if way == "max" else held[0]
    return Truth("compare", (found,), (tuple(o.text for o in world.labels(found)),))


def _census(world: World, country: str, year: str) -> Truth:
    held = [c for c in world.subjects("censusOf", country)
            if world.objects(c, "year")[0].text == year]  # fmt: skip
    return _number(world.objects(held[0], "population")[0].text)


def _filled(world: World, start: str, *steps: str) -> Truth:
    found = _of(world, _path(world, start, *steps))
    # An answer may call what was asked about by its preferred name.
    own = {one.text for one in world.labels(start)}
    return replace(found, pool=tuple(one for one in found.pool if one not in own))


def _asked(world: World, *names: str) -> Truth:
    texts = tuple(tuple(o.text for o in world.labels(n)) or (n,) for n in names)
    return Truth("asked", names, texts, answerable=False)


_VERBS: dict[str, Any] = {
    "path": _filled,
    "count": lambda w, s, *p: _number(len(_path(w, s, *p))),
    "members": lambda w, kind: _number(len(w.members(kind))),
    "value": lambda w, s, p: _number(w.objects(s, p)[0].text),
    "census": _census,
    "most": _most,
    "where": _where,
    "compare": _compare,
    "list": lambda w, s, p: _of(w, w.items(s, p), "list"),
    "stages": lambda w, s: _of(
        w, sorted(w.objects(s, "hasStage"), key=lambda x: w.one(x, "schema:position")), "list"
    ),
    "label": lambda w, s, lang: Truth("set", (s,), ((w.label(s, lang),),)),
    "text": lambda w, *texts: Truth("set", texts, tuple((t,) for t in texts)),
    "steps": lambda w, *texts: Truth("list", texts, tuple((t,) for t in texts)),
    "yes": lambda w: Truth("yes"),
    "no": lambda w: Truth("no"),
    "unstated": lambda w: Truth("unstated", answerable=False),
    "asked": _asked,
    "refused": lambda w: Truth("refused", answerable=False),
}
