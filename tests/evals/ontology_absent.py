"""Cases of real terms that this catalogue lacks: each is left out in turn and asked for.

Only asking is right; whatever is answered is the answer to another question.
"""

from __future__ import annotations

import random
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator

from groundwire.ontology.concepts import unstored_code
from groundwire.vocabulary import fold
from tests.evals.ontology_drawing import Case, Draw, Sub, asked
from tests.evals.ontology_worlds import Lacking, Place, World

# Lists up to this length lose one term at a time; of longer ones this many are left out at once,
# far apart in the list, so that their neighbours stay.
ALONE_UP_TO = 60

LEFT_OUT_VALUE = "absent value"
LEFT_OUT_PROPERTY = "absent property"
LEFT_OUT_DOMAIN = "absent domain"
ELSEWHERE = "value of another catalogue"
OTHER_NUMBER = "another number in a name"

# A class, the template's name, whether it is held out, and the case.
Made = tuple[str, str, bool, Case]


def absent(world: World, others: list[World], seed: int) -> Iterator[Made]:
    """All cases of one world, in an order that a seed decides."""
    rng = random.Random(f"{seed} absent {world.name}")
    cases = [
        *_values(world, rng),
        *_properties(world, rng),
        *_domains(world),
        *_of_others(world, others),
        *_numbers(world, rng),
    ]
    rng.shuffle(cases)
    yield from cases


def _lists(world: World) -> Iterator[Place]:
    """Each list of values once, from one of the domains that have it."""
    seen: dict[object, list[Place]] = {}
    for place in world.places:
        if place.kind == "term" and place.values.closed and len(place.concepts) > 1:
            seen.setdefault((place.prop.key, frozenset(place.forms.of_term)), []).append(place)
    for places in seen.values():
        name = f"{places[0].prop.key}"
        yield places[zlib.crc32(name.encode()) % len(places)]


def _values(world: World, rng: random.Random) -> Iterator[Made]:
    for place in _lists(world):
        concepts = list(place.concepts)
        if len(concepts) > ALONE_UP_TO:
            step = len(concepts) / ALONE_UP_TO
            concepts = [concepts[int(at * step)] for at in range(ALONE_UP_TO)]
            blocks = [frozenset(concept.key for concept in concepts)]
        else:
            blocks = [frozenset({concept.key}) for concept in concepts]
        by_key = {concept.key: concept for concept in concepts}
        for block in blocks:
            lacking = _once(lambda p=place, b=block: Lacking(world, values=(p, b)))
            for key in sorted(block):
                forms = place.forms.of_term[key]
                spoken = [form for form in forms if "://" not in form and len(form) < 100]
                names = [("by its label", False, by_key[key].label)]
                names += [("by another name", True, rng.choice(spoken[1:]))] if spoken[1:] else []
                names += [("in lower case", False, by_key[key].label.lower())]
                for name, held, text in {each[2]: each for each in names}.values():
                    left = [one.label for one in place.concepts if one.key not in block]
                    if place.forms.owners(text) - block or unstored_code(place.prop, left, text):
                        # A country that is not stored is a valid one: an honest zero.
                        continue
                    sub = _asking(world, place, text)
                    case = asked(sub)
                    case.lacking, case.hidden = lacking, world.words_of_its_own(forms)
                    yield LEFT_OUT_VALUE, name, held, case


def _properties(world: World, rng: random.Random) -> Iterator[Made]:
    draw = Draw(world, rng)
    for place in world.places:
        if place.kind == "term" and not place.concepts:
            continue
        main = draw.cond(place)
        names = [("by its name", False, place.prop.local_name)]
        labels = [label.value for label in place.prop.labels]
        names += [("by its label", True, rng.choice(labels))] if labels else []
        for name, held, text in names:
            gone = frozenset((domain.name, key) for domain, key in world.owners(text, world.assets))
            forms = [form for domain, key in gone for form in world.properties[domain].of_term[key]]
            sub = Sub(place.domain, place.domain.name, (main,))
            case = asked(sub)
            case.slots = {"domains": [place.domain.name], main.part: {text: main.sent}}
            case.lacking = lambda g=gone: Lacking(world, properties=g)
            case.hidden = world.words_of_its_own(forms)
            yield LEFT_OUT_PROPERTY, name, held, case


def _domains(world: World) -> Iterator[Made]:
    for domain in world.assets:
        names = [("by its name", False, domain.name)]
        names += [("by its label", True, label.value) for label in domain.labels]
        for name, held, text in names:
            if world.domains.owners(text) - {domain.name}:
                continue
            case = asked(Sub(domain, text))
            case.lacking = lambda n=domain.name: Lacking(world, domain=n)
            case.hidden = world.words_of_its_own(world.domains.of_term[domain.name])
            yield LEFT_OUT_DOMAIN, name, held, case


def _of_others(world: World, others: list[World]) -> Iterator[Made]:
    """Values that a property of the same name has in another catalogue."""
    for place in _lists(world):
        known = {_bare(form) for forms in place.forms.of_term.values() for form in forms}
        for other in others:
            for there in _lists(other):
                if fold(there.prop.local_name) != fold(place.prop.local_name):
                    continue
                for concept in there.concepts[:ALONE_UP_TO]:
                    if place.forms.owners(concept.label) or _bare(concept.label) in known:
                        continue
                    labels = [one.label for one in place.concepts]
                    if unstored_code(place.prop, labels, concept.label):
                        continue
                    held = zlib.crc32(there.prop.key.encode()) % 3 == 0
                    case = asked(_asking(world, place, concept.label))
                    yield ELSEWHERE, "held out" if held else "development", held, case


def _bare(text: str) -> str:
    """A name without accents, however they are written: ü is u or ue."""
    text = text.casefold().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    text = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return re.sub(r"[\W_]+", "", text)


def _numbers(world: World, rng: random.Random) -> Iterator[Made]:
    """A name with another digit is another name."""
    for place in _lists(world):
        for concept in place.concepts[:ALONE_UP_TO]:
            digits = [at for at, char in enumerate(concept.label) if char.isdigit()]
            if not digits:
                continue
            at = rng.choice(digits)
            other = rng.choice([d for d in "0123456789" if d != concept.label[at]])
            text = concept.label[:at] + other + concept.label[at + 1 :]
            if place.forms.owners(text):
                continue
            yield OTHER_NUMBER, "a digit", False, asked(_asking(world, place, text))


def _asking(world: World, place: Place, text: str) -> Sub:
    draw = Draw(world, random.Random(0))
    main = draw.of_concepts(place, place.concepts[0], sent=text)
    return Sub(place.domain, place.domain.name, (main,))


def _once(make: Callable[[], Lacking]) -> Callable[[], Lacking]:
    """Made by the first case that needs it, for all that share it."""
    made: list[Lacking] = []

    def get() -> Lacking:
        if not made:
            made.append(make())
        return made[0]

    return get
