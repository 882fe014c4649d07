"""Small catalogues whose shapes and data disagree, each property in a way of its own.

The generator knows what every asset holds, under which name, and where it stands, so that what a
search should find needs no reading of the graph.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.evals.ontology_asking import Field

PREFIXES = """@prefix {prefix}: <{ns}> .
@prefix {other_prefix}: <{other}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <https://schema.org/> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
UNITS = {"m": "metres", "g": "grams", "kg": "kilograms"}
NAMES = ("rdfs:label", "skos:prefLabel", "dct:title", "foaf:name", "schema:name")
CODES = ("DE", "FR", "NL", "IT", "PL")
# Countries that no asset has, as code and in words.
ABSENT_CODES = ("CH", "AU", "CL", "FI", "Switzerland", "Australien", "Chile", "Finland")


@dataclass
class Held:
    """What assets hold of one property.

    Attributes:
        way: of disagreement, the class that cases are counted by.
        name: local name of the property.
        sort: word, number, date, flag or name.
        values: what each asset holds, as one who reads the shapes would ask for it.
        stored: what is written in the data, where it is written otherwise.
        kinds: kinds that it can be asked of.
        places: words of which an answer has one when it says where the values stand.
        declared: values that the shapes list.
        unit: symbol of the unit that the shapes say numbers are in.
        own: writer of a statement as the shapes declare it.
    """

    way: str
    name: str
    sort: str
    values: dict[str, str] = field(default_factory=dict)
    stored: dict[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    unit: str = ""
    own: Callable[[str], str] | None = None


class World:
    """One catalogue: shapes and assets as Turtle, and what the assets hold."""

    def __init__(self, about: Field, rng: random.Random, ways: Sequence[str], size: int = 8):
        self.about = about
        self.rng = rng
        self.held: list[Held] = []
        self.main, self.other, self.third, self.sub = (kind[0] for kind in about["kinds"])
        self._p, self._o = about["prefix"] + ":", about["other_prefix"] + ":"
        self.assets = [f"{about['stem']}{n}" for n in range(size)]
        self.others = [f"{about['stem']}x{n}" for n in range(4)]
        self.thirds = [f"{about['stem']}y{n}" for n in range(4)]
        self._shapes: dict[str, list[str]] = {self.main: [], self.other: [], "part": []}
        self._schema: list[str] = []
        self._data: list[str] = []
        self.types = {asset: [self.main] for asset in self.assets}
        self.links: dict[str, str] = {}
        # Assets of the main kind, in the other namespace.
        self.foreign: set[str] = set()
        self._words = list(about["words"])
        self._numbers = list(about["numbers"])
        self._dates = list(about["dates"])
        self._flags = list(about["flags"])
        for names in (self._words, self._numbers, self._dates, self._flags):
            rng.shuffle(names)
        self._kinds()
        for way in ways:
            _WAYS[way.removeprefix(MIXED)](self, way)
            if way.startswith(MIXED):
                self._mix(self.held[-1])

    # What a world is written of.

    def _kinds(self) -> None:
        p = self._p
        for name, en, de, zh in self.about["kinds"]:
            self._schema.append(
                f'{p}{name} a owl:Class ; rdfs:label "{en}"@en , "{de}"@de , "{zh}"@zh .'
            )
        self._schema.append(f"{p}{self.sub} rdfs:subClassOf {p}{self.main} .")
        link = self.about["link"]
        self._schema.append(
            f"{p}{self.third}Shape a sh:NodeShape ; sh:targetClass {p}{self.third} ; "
            f"sh:property [ sh:path {p}{link} ; sh:class {p}{self.main} ] ."
        )
        for other in self.others:
            self.put(other, f"a {p}{self.other}")
        for third in self.thirds:
            self.links[third] = self.rng.choice(self.assets)
            self.put(third, f"a {p}{self.third} ; {p}{link} {p}{self.links[third]}")

    def put(self, asset: str, text: str) -> None:
        """Write a statement about an asset."""
        self._data.append(f"{self._p}{asset} {text} .")

    def declare(self, kind: str, name: str, text: str = "", prefix: str | None = None) -> None:
        """Write a property shape of a kind, or of the part."""
        path = f"{self._p if prefix is None else prefix}{name}"
        self._shapes[kind].append(f"[ sh:path {path} {'; ' + text if text else ''} ]")

    def _mix(self, held: Held) -> None:
        """Let the assets that have no value yet have one where the shapes declare it."""
        others = [asset for asset in self.assets if asset not in held.values]
        if held.own and others:
            self.fill(held, held.own, others)

    @property
    def shapes(self) -> str:
        """The shapes and classes, as Turtle."""
        p = self._p
        lines = [PREFIXES.format(**self.about), *self._schema]
        main = list(self._shapes[self.main])
        if self._shapes["part"]:
            main.append(f"[ sh:path {p}{self.about['part']} ; sh:node {p}PartShape ]")
        for name, held in (
            (self.main, main),
            (self.other, self._shapes[self.other]),
            ("Part", self._shapes["part"]),
        ):
            target = "" if name == "Part" else f" ; sh:targetClass {p}{name}"
            inner = f" ; sh:property {' , '.join(held)}" if held else ""
            if held or target:
                lines.append(f"{p}{name}Shape a sh:NodeShape{target}{inner} .")
        return "\n".join(lines) + "\n"

    @property
    def turtle(self) -> str:
        """The assets, as Turtle."""
        types = [
            f"{self._p}{asset} a "
            + " , ".join((self._o if asset in self.foreign else self._p) + kind for kind in kinds)
            + " ."
            for asset, kinds in self.types.items()
        ]
        return "\n".join([PREFIXES.format(**self.about), *types, *self._data]) + "\n"

    def forms(self, held: Held, asset: str) -> tuple[str, ...]:
        """Return the forms that an asset's value has: as it is asked for, as it is stored."""
        value = held.values[asset]
        name = f"{held.name}_{_local(value)}"
        return value, held.stored.get(asset, value), self._p + name, self.about["ns"] + name

    def iri(self, asset: str) -> str:
        """Return the IRI of an asset."""
        return self.about["ns"] + asset

    # Drawing names and values.

    def draw(self, way: str, *sorts: str) -> Held:
        """Return an unused property of one of these sorts, held by nothing yet."""
        pools = {
            "word": self._words,
            "number": self._numbers,
            "date": self._dates,
            "flag": self._flags,
        }
        sort = self.rng.choice([sort for sort in sorts if pools[sort]] or ["word"])
        name = pools[sort].pop()
        held = Held(way, name, sort, kinds=(self.main,))
        if sort == "word":
            held.declared = tuple(self.about["words"][name])
        if sort == "number":
            held.unit = self.about["numbers"][name]
        self.held.append(held)
        return held

    def value(self, held: Held) -> str:
        """Return a value for an asset."""
        if held.sort == "word":
            return self.rng.choice(held.declared)
        if held.sort == "number":
            return str(self.rng.randrange(2, 400))
        if held.sort == "date":
            month, day = self.rng.randrange(1, 13), self.rng.randrange(1, 28)
            return f"20{self.rng.randrange(10, 25)}-{month:02}-{day:02}"
        return self.rng.choice(("true", "false"))

    def literal(self, held: Held, value: str) -> str:
        """Return a value as Turtle, of the datatype that is usual for its sort."""
        kind = {"word": "", "number": "", "date": "^^xsd:date", "flag": ""}[held.sort]
        return value if held.sort in ("number", "flag") else f'"{value}"{kind}'

    def datatype(self, held: Held) -> str:
        """Return what a property shape says of the datatype and the unit."""
        name = {"word": "string", "number": "integer", "date": "date", "flag": "boolean"}
        said = f"sh:datatype xsd:{name[held.sort]}"
        if held.unit:
            said += f' ; sh:description "Measured in {UNITS[held.unit]}."@en'
        return said

    def some(self) -> list[str]:
        """Return some of the assets, two at least and rarely all."""
        return self.rng.sample(self.assets, self.rng.randrange(2, len(self.assets)))

    def in_part(self, held: Held) -> Callable[[str], str]:
        """Return a writer of statements about the part."""
        part = self._p + self.about["part"]
        return lambda value: f"{part} [ {self.same(held)(value)} ]"

    def fill(self, held: Held, write: Callable[[str], str], assets: Sequence[str] = ()) -> None:
        """Give assets a value each; `write` makes a statement of the value."""
        for asset in assets or self.some():
            value = self.value(held)
            held.values[asset] = value
            self.put(asset, write(value))

    def same(self, held: Held, prefix: str = "") -> Callable[[str], str]:
        """Return a writer of plain statements under a namespace."""
        return lambda value: f"{prefix or self._p}{held.name} {self.literal(held, value)}"


ANY = ("word", "word", "number", "date", "flag")


def _declared(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    world.fill(held, world.same(held))


def _undeclared(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.fill(held, world.same(held, world.rng.choice((world._p, world._o))))


def _other_namespace(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    world.fill(held, world.same(held, world._o))
    held.own = world.same(held)
    held.places = (world._o, world.about["other"])


def _deeper(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    part, inner = world._p + world.about["part"], world._p + world.about["inner"]
    plain = world.same(held)
    if world.rng.random() < 0.5:
        world.declare(world.main, held.name, world.datatype(held))
        before, after = ("", "") if world.rng.random() < 0.5 else (f"{inner} [ ", " ]")
        world.fill(held, lambda v: f"{part} [ {before}{plain(v)}{after} ]")
        held.own = plain
    else:
        world.declare("part", held.name, world.datatype(held))
        world.fill(held, lambda v: f"{part} [ {inner} [ {plain(v)} ] ]")
        held.own = world.in_part(held)
    held.places = (world.about["part"], world.about["inner"])


def _shallower(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare("part", held.name, world.datatype(held))
    world.fill(held, world.same(held))
    held.own = world.in_part(held)
    held.places = (held.name,)


def _inverse(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare("part", held.name, world.datatype(held))
    back = world._p + world.about["back"]
    for asset in world.some():
        value = world.value(held)
        held.values[asset] = value
        world._data.append(f"[] {back} {world._p}{asset} ; {world.same(held)(value)} .")
    held.own = world.in_part(held)
    held.places = (world.about["back"],)


def _language_tagged(world: World, way: str) -> None:
    held = world.draw(way, "word")
    tag = world.rng.choice(("@de", "@en", "@zh-Hans", ""))
    world.declare(
        world.main, held.name, "sh:datatype " + ("xsd:string" if tag else "rdf:langString")
    )
    world.fill(held, lambda v: f'{world._p}{held.name} "{v}"{tag}')
    held.own = world.same(held) if tag else (lambda v: f'{world._p}{held.name} "{v}"@en')
    held.places = (held.name,)


def _local(value: str) -> str:
    return re.sub(r"\W+(\w?)", lambda match: match[1].upper(), value)


def _iri_with_label(world: World, way: str) -> None:
    held = world.draw(way, "word")
    world.declare(world.main, held.name, "sh:nodeKind sh:IRI")
    into = world._schema if world.rng.random() < 0.5 else world._data
    for value in held.declared:
        into.append(
            f'{world._p}{held.name}_{_local(value)} rdfs:label "{value}"'
            f"{world.rng.choice(('', '@en', '@de'))} ."
        )
    world.fill(held, lambda v: f"{world._p}{held.name} {world._p}{held.name}_{_local(v)}")
    held.places = (held.name,)


def _stored_as_iri(world: World, way: str) -> None:
    held = world.draw(way, "word")
    world.declare(world.main, held.name, world.datatype(held))
    world.fill(held, lambda v: f"{world._p}{held.name} {world._p}{_local(v)}")
    held.own = world.same(held)
    held.places = tuple(map(_local, held.declared))


def _stored_as_literal(world: World, way: str) -> None:
    held = world.draw(way, "word")
    world.declare(world.main, held.name, f"sh:nodeKind sh:IRI ; sh:class {world._p}Choice")
    for value in held.declared:
        world._schema.append(
            f'{world._p}{held.name}_{_local(value)} a {world._p}Choice ; rdfs:label "{value}"@en .'
        )
    world.fill(held, world.same(held))
    held.own = lambda v: f"{world._p}{held.name} {world._p}{held.name}_{_local(v)}"
    held.places = (held.name,)


def _blank_nodes(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    inner = world._p + world.about["inner"]
    world.fill(held, lambda v: f"{inner} [ {world.same(held)(v)} ]")
    held.places = (world.about["inner"],)


def _multi_typed(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.other, held.name, world.datatype(held))
    chosen = world.some()
    for asset in chosen:
        if world.other not in world.types[asset]:
            world.types[asset].append(world.other)
    world.fill(held, world.same(held), chosen)
    held.kinds = (world.main, world.other)
    held.places = (world.other, world.main)


def _unlike_enumeration(world: World, way: str) -> None:
    held = world.draw(way, "word")
    listed = " ".join(f'"{value}"' for value in held.declared[:1])
    world.declare(world.main, held.name, f"sh:in ( {listed} )")
    world.fill(held, world.same(held))
    held.places = (held.name,)


def _variant(world: World, way: str) -> None:
    held = world.draw(way, "word")
    change = world.rng.choice(
        (
            str.title,
            str.upper,
            lambda v: v.replace(" ", "_") if " " in v else v[:-1] if v[-1] == "s" else f"{v}s",
            lambda v: _local(v)[0].upper() + _local(v)[1:],
            lambda v: v.replace(" ", "-").capitalize(),
        )
    )
    listed = " ".join(f'"{value}"' for value in held.declared)
    world.declare(world.main, held.name, f"sh:in ( {listed} )")
    world.fill(held, lambda v: f'{world._p}{held.name} "{change(v)}"')
    held.stored = {asset: change(value) for asset, value in held.values.items()}
    held.own = world.same(held)
    held.places = tuple(map(change, held.declared))


def _datatype_unlike(world: World, way: str) -> None:
    held = world.draw(way, "number", "date", "flag", "number")
    held.own = world.same(held)
    if held.sort == "flag":
        world.declare(world.main, held.name, world.datatype(held))
        yes, no = world.rng.choice((("true", "false"), ("yes", "no"), ("1", "0"), ("ja", "nein")))
        said = {"true": yes, "false": no}
        world.fill(held, lambda v: f'{world._p}{held.name} "{said[v]}"')
        held.stored = {asset: said[value] for asset, value in held.values.items()}
    elif held.sort == "date":
        world.declare(world.main, held.name, world.datatype(held))
        ending = world.rng.choice(('"', 'T00:00:00Z"^^xsd:dateTime'))
        world.fill(held, lambda v: f'{world._p}{held.name} "{v}{ending}')
        if ending != '"':
            held.stored = {a: f"{v}T00:00:00Z" for a, v in held.values.items()}
    elif world.rng.random() < 0.5:
        world.declare(world.main, held.name, "sh:datatype xsd:string")
        world.fill(held, world.same(held))
        held.own = lambda v: f'{world._p}{held.name} "{v}"'
    else:
        world.declare(world.main, held.name, world.datatype(held))
        world.fill(held, lambda v: f'{world._p}{held.name} "{v}"')
    held.places = (held.name,)


def _subclass(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    chosen = world.some()
    for asset in chosen:
        world.types[asset] = [
            world.sub if kind == world.main else kind for kind in world.types[asset]
        ]
    world.fill(held, world.same(held), chosen)
    held.kinds = (world.main, world.sub)


def _names(world: World, way: str) -> None:
    curie = world.rng.choice(NAMES)
    held = Held(way, curie.partition(":")[2], "name", kinds=(world.main,))
    if any(one.name == held.name for one in world.held):
        return
    world.held.append(held)
    titles = list(world.about["titles"])
    world.rng.shuffle(titles)
    tag = world.rng.choice(("", "@en", "@de", "@zh"))
    for asset, title in zip(world.some(), titles, strict=False):
        held.values[asset] = title
        world.put(asset, f'{curie} "{title}"{tag}')
    held.places = ("label", "name", "title")


def _another_kind(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    for other in world.others:
        value = world.value(held)
        held.stored[other] = value
        world.put(other, world.same(held)(value))
    held.places = (world.other, *(kind[1] for kind in world.about["kinds"][1:2]))


def _recursive(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    part, inner = world._p + world.about["part"], world._p + world.about["inner"]
    world.declare("part", held.name, world.datatype(held))
    loop = f"sh:node {world._p}PartShape"
    if not any(world.about["inner"] + " ;" in one for one in world._shapes["part"]):
        world.declare("part", world.about["inner"], loop)
    depth = world.rng.randrange(2, 4)
    world.fill(
        held,
        lambda v: f"{part} [ " + f"{inner} [ " * depth + world.same(held)(v) + " ]" * depth + " ]",
    )
    held.own = world.in_part(held)
    held.places = (world.about["inner"],)


def _units(world: World, way: str) -> None:
    held = world.draw(way, "number")
    held.unit = held.unit or "m"
    held.own = world.same(held)
    world.declare(world.main, held.name, world.datatype(held))
    if world.rng.random() < 0.5:
        world.fill(held, lambda v: f'{world._p}{held.name} "{v} {held.unit}"')
        held.stored = {asset: f"{value} {held.unit}" for asset, value in held.values.items()}
    else:
        name = {"m": "M", "g": "GM", "kg": "KiloGM"}[held.unit]
        world.fill(
            held,
            lambda v: f"{world._p}{held.name} [ qudt:numericValue {v} ; qudt:unit unit:{name} ]",
        )
    held.places = (held.name,)


def _country(world: World, way: str) -> None:
    held = Held(way, world.about["country"], "code", kinds=(world.main,), declared=CODES)
    world.held.append(held)
    world.declare(
        world.main,
        held.name,
        'sh:datatype xsd:string ; sh:description "The country, as its code of ISO 3166-1."@en',
    )
    for asset in world.assets:
        held.values[asset] = world.rng.choice(CODES[:3])
        world.put(asset, f'{world._p}{held.name} "{held.values[asset]}"')


def _spelled_otherwise(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", held.name).lower()
    name = world.rng.choice((snake if "_" in snake else f"has_{snake}", f"has{held.name.title()}"))
    if snake == held.name:
        name = held.name.upper()
    world.fill(held, lambda v: f"{world._p}{name} {world.literal(held, v)}")
    held.places = (name,)


def _structured(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    inner = world.rng.choice(("rdf:value", "schema:value", "rdfs:label"))
    world.fill(held, lambda v: f"{world._p}{held.name} [ {inner} {world.literal(held, v)} ]")
    held.places = (inner.partition(":")[2], held.name)


def _in_a_list(world: World, way: str) -> None:
    held = world.draw(way, "word", "date", "number")
    world.declare(world.main, held.name, world.datatype(held))
    world.fill(held, lambda v: f"{world._p}{held.name} ( {world.literal(held, v)} )")
    held.places = ("first", "list", held.name)


def _written_otherwise(world: World, way: str) -> None:
    held = world.draw(way, "word", "word", "number", "date")
    world.declare(world.main, held.name, world.datatype(held))
    if held.sort == "word":
        change = world.rng.choice((lambda v: v + " ", str.upper, lambda v: v.replace(" ", "  ")))
    elif held.sort == "number":
        change = world.rng.choice((lambda v: f"{v}.0", lambda v: f"{v} ", lambda v: f"0{v}"))
    else:
        change = world.rng.choice(
            (lambda v: f"{v[8:]}.{v[5:7]}.{v[:4]}", lambda v: v.replace("-", "/"))
        )
    world.fill(held, lambda v: f'{world._p}{held.name} "{change(v)}"')
    held.stored = {asset: change(value) for asset, value in held.values.items()}
    held.places = tuple(held.stored.values())


def _kind_of_another_namespace(world: World, way: str) -> None:
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    for number in range(3):
        asset = f"{world.about['stem']}z{number}"
        world.types[asset] = [world.main]
        world.foreign.add(asset)
        value = world.value(held)
        held.values[asset] = value
        world.put(asset, world.same(held)(value))
    held.places = (world._o, world.about["other"])


def _two_at_once(world: World, way: str) -> None:
    """Another namespace and another depth, side or datatype."""
    held = world.draw(way, *ANY)
    world.declare(world.main, held.name, world.datatype(held))
    there = world.same(held, world._o)
    part, back = world._p + world.about["part"], world._o + world.about["back"]
    how = world.rng.randrange(3)
    if how == 0:
        world.fill(held, lambda v: f"{part} [ {there(v)} ]")
    elif how == 1:
        for asset in world.some():
            held.values[asset] = world.value(held)
            line = f"[] {back} {world._p}{asset} ; {there(held.values[asset])} ."
            world._data.append(line)
    else:
        world.fill(held, lambda v: f'{world._o}{held.name} "{v}"')
    held.places = (world._o, world.about["other"], world.about["part"], world.about["back"])


_WAYS: dict[str, Callable[[World, str], Any]] = {
    "declared": _declared,
    "undeclared": _undeclared,
    "other namespace": _other_namespace,
    "deeper": _deeper,
    "shallower": _shallower,
    "inverse": _inverse,
    "language-tagged": _language_tagged,
    "IRI with label": _iri_with_label,
    "literal stored as IRI": _stored_as_iri,
    "IRI stored as literal": _stored_as_literal,
    "blank nodes": _blank_nodes,
    "multi-typed": _multi_typed,
    "value unlike the enumeration": _unlike_enumeration,
    "variant of an enumerated value": _variant,
    "datatype unlike the shape": _datatype_unlike,
    "subclass without shape": _subclass,
    "names and labels": _names,
    "another kind": _another_kind,
    "recursive shape": _recursive,
    "units": _units,
    "codes": _country,
    "name spelled otherwise": _spelled_otherwise,
    "value in a node": _structured,
    "value in a list": _in_a_list,
    "value written otherwise": _written_otherwise,
    "kind of another namespace": _kind_of_another_namespace,
    "two disagreements at once": _two_at_once,
}
# Ways that zeros are judged by, and leaf statements are not.
OF_ZEROS = tuple(_WAYS)[-6:]
MIXED = "mixed, "
# Ways of which some assets hold the property as it is declared and the others do not.
WAYS = (*(way for way in _WAYS if way not in OF_ZEROS), *(MIXED + way for way in (
    "other namespace", "deeper", "shallower", "inverse", "language-tagged",
    "literal stored as IRI", "IRI stored as literal", "variant of an enumerated value",
    "datatype unlike the shape", "recursive shape", "units",
)))  # fmt: skip
