"""Templates of wrong submissions: JSON of another shape than the schema asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.evals.ontology_drawing import Case, Draw, Ref, Sub, corrected
from tests.evals.ontology_templates import Template

# Of one value or two: the JSON that is sent in the place of a list, and whether it is held out.
_VALUES: list[tuple[str, Callable[[list[str]], Any], int, bool]] = [
    ("list as JSON text", json.dumps, 2, False),
    ("list of one", lambda v: v, 1, False),
    ("operator as JSON text", lambda v: json.dumps({"any_of": v}), 2, False),
    ("scalar for any_of", lambda v: {"any_of": v[0]}, 1, False),
    ("object with value", lambda v: {"value": v[0]}, 1, False),
    ("list in JSON text in any_of", lambda v: {"any_of": json.dumps(v)}, 2, True),
    ("blanks around", lambda v: f"  {v[0]} ", 1, True),
    ("list of objects", lambda v: [{"value": each} for each in v], 2, True),
]
# Of whole slots: how a submission is sent.
_WHOLE: list[tuple[str, Callable[[dict[str, Any]], dict[str, Any]], bool]] = [
    ("bare domain", lambda s: s | {"domains": s["domains"][0]}, False),
    ("domains as JSON text", lambda s: s | {"domains": json.dumps(s["domains"])}, False),
    ("filters as JSON text", lambda s: _texted(s, "filters"), False),
    ("ranges as JSON text", lambda s: _texted(s, "ranges"), False),
    ("one reference", lambda s: s | {"references": s["references"][0]}, False),
    ("blank slots", lambda s: {"filters": {}, "ranges": "", "references": []} | s, False),
    ("references as JSON text", lambda s: _texted(s, "references"), True),
    ("nulls", lambda s: {"filters": None, "ranges": None, "references": None} | s, True),
]


def arrays() -> list[Template]:
    """Arrays and objects as text, single values for arrays and the other way round."""
    kind = "arrays as strings"
    found = [
        Template(kind, name, lambda d, s=send, n=n: _array(d, s, n), held, 30)
        for name, send, n, held in _VALUES
    ]
    found += [
        Template(kind, name, lambda d, s=send: _slots(d, s), held, 30)
        for name, send, held in _WHOLE
    ]
    found.append(Template(kind, "values between commas", _commas, False, 40))
    return found


def _texted(slots: dict[str, Any], part: str) -> dict[str, Any]:
    return slots | {part: json.dumps(slots[part])}


def _array(draw: Draw, send: Callable[[list[str]], Any], count: int) -> Case | None:
    place = draw.place("term", at_least=count)
    if place is None:
        return None
    concepts = draw.rng.sample(place.concepts, count)
    main = draw.of_concepts(place, *concepts)
    return draw.in_other_words(
        main, send([concept.label for concept in concepts]), form=("any_of",)
    )


def _slots(draw: Draw, send: Callable[[dict[str, Any]], dict[str, Any]]) -> Case | None:
    domain = draw.domain()
    first, targets = draw.another(domain), draw.connected(domain)
    target = draw.rng.choice(targets) if targets else None
    inner = target and draw.another(target)
    refs = (Ref(target, target.name, (inner,)),) if target and inner else ()
    sub = Sub(domain, domain.name, (first,) if first else (), refs)
    case = corrected(sub, sub.meaning())
    try:
        case.slots = send(case.slots)
    except KeyError:
        return None
    return case


def _commas(draw: Draw) -> Case | None:
    """Two values in one text: any of them, or a question."""
    place = draw.place("term", at_least=2)
    if place is None:
        return None
    pair = draw.rng.sample(place.concepts, 2)
    if any("," in concept.label for concept in pair):
        return None
    main = draw.of_concepts(place, *pair)
    every = replace(main, atoms=tuple(draw.of_concepts(place, c).atoms[0] for c in pair))
    case = draw.in_other_words(main, ", ".join(concept.label for concept in pair), form=("any_of",))
    case.must = False
    case.repaired |= {Sub(place.domain, place.domain.name, (every,)).meaning()}
    return case
