"""Generated shapes of the size of building ontologies: deep trees of classes, each a node shape.

Brick, RealEstateCore and ASHRAE 223P are made so: a few families of classes (equipment, points,
locations), each family a deep tree; every class is its own node shape; properties are declared
on the upper classes and inherited; properties of one family refer to whole other families; rules
infer tags. The same arguments give the same text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

NAMESPACE = "https://example.org/building/"
FAMILIES = ("Equipment", "Point", "Location", "System")
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "zh")
BRICK_KINDS = 1_014
_OWN_EVERY = 4
_PREFIXES = f"""@prefix : <{NAMESPACE}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix unit: <http://qudt.org/vocab/unit/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
_COMMON = """
:Thing a owl:Class , sh:NodeShape ; rdfs:label "Thing"@en ;
  sh:property [ sh:path :name ; sh:datatype xsd:string ] ,
    [ sh:path :installed ; sh:datatype xsd:date ] ,
    [ sh:path :hasTag ; sh:class :Tag ] .
:Tag a owl:Class , sh:NodeShape .
:Quantity a sh:NodeShape ;
  sh:property [ sh:path :value ; sh:datatype xsd:decimal ] ,
    [ sh:path :hasUnit ; sh:nodeKind sh:IRI ; sh:in ( unit:KiloW unit:DEG_C unit:M2 ) ] .
"""
# What the first class of each family declares beside its measures and relations.
_ROOTS = {
    "Equipment": """
  sh:property [ sh:path :hasPart ; sh:class :Equipment ] ,
    [ sh:path :hasPoint ; sh:class :Point ] ,
    [ sh:path :feeds ; sh:or ( [ sh:class :Equipment ] [ sh:class :Location ] ) ] ,
    [ sh:path :hasLocation ; sh:class :Location ] ,
    [ sh:path [ sh:inversePath :hasPart ] ; sh:class :Equipment ] ;""",
    "Point": """
  sh:property [ sh:path :isPointOf ;
    sh:or ( [ sh:class :Equipment ] [ sh:class :Location ] [ sh:class :System ] ) ] ,
    [ sh:path :reading ; sh:datatype xsd:decimal ; qudt:hasUnit unit:KiloW ] ;""",
    "Location": """
  sh:property [ sh:path :hasPart ; sh:class :Location ] ,
    [ sh:path :storey ; sh:datatype xsd:integer ] ;""",
    "System": """
  sh:property [ sh:path :hasPart ; sh:or ( [ sh:class :System ] [ sh:class :Equipment ] ) ] ,
    [ sh:path :serves ; sh:class :Location ] ;""",
}


class Tree(NamedTuple):
    """The classes of a generated schema.

    Attributes:
        parents: the class above each class, by local name; families stand below Thing.
        family: the family of each class.
    """

    parents: dict[str, str]
    family: dict[str, str]

    def above(self, name: str) -> Iterator[str]:
        """The class itself and all above it, Thing left out."""
        while name in self.parents:
            yield name
            name = self.parents[name]


def tree(kinds: int = BRICK_KINDS, seed: int = 1) -> Tree:
    """Draw a tree of so many classes: most hang below one of the last, so it grows deep."""
    draw = random.Random(seed)
    parents = dict.fromkeys(FAMILIES, "Thing")
    family = {name: name for name in FAMILIES}
    members: dict[str, list[str]] = {name: [name] for name in FAMILIES}
    for number in range(len(FAMILIES) + 2, kinds):
        root = draw.choices(FAMILIES, (4, 4, 1, 1))[0]
        known = members[root]
        late = draw.random() < 0.66
        parent = draw.choice(known[-12:] if late else known)
        name = f"{root}_{number}"
        parents[name], family[name] = parent, root
        known.append(name)
    return Tree(parents, family)


def shapes(
    kinds: int = BRICK_KINDS, *, measures: int = 24, relations: int = 8, seed: int = 1
) -> str:
    """Turtle of so many classes, each a node shape that inherits up to fifty properties.

    Args:
        kinds: how many classes.
        measures: how many quantities the first class of each family declares.
        relations: how many more properties of it lead to the assets of each family.
        seed: of the tree.
    """
    found = tree(kinds, seed)
    parts = [_PREFIXES, _COMMON]
    for position, (name, parent) in enumerate(found.parents.items()):
        labels = " , ".join(
            f'"{name.replace("_", " ")}{"" if code == "en" else " " + code}"@{code}'
            for code in LANGUAGES
        )
        own = _ROOTS.get(name, "")
        if name in FAMILIES:
            own += "".join(
                f"\n  sh:property [ sh:path :{name.lower()}Measure{number} ; sh:node :Quantity ] ;"
                for number in range(measures)
            )
            own += "".join(
                f"\n  sh:property [ sh:path :{name.lower()}To{family}{number} ;"
                f" sh:class :{family} ] ;"
                for number in range(relations)
                for family in FAMILIES[:2]
            )
        elif position % _OWN_EVERY == 0:
            own = (
                f"\n  sh:property [ sh:path :own{position} ; sh:datatype xsd:string ;"
                f'\n    sh:in ( "low{position}" "high{position}" ) ] ;'
            )
        rules = "".join(
            f"\n  sh:rule [ a sh:TripleRule ; sh:subject sh:this ; sh:predicate :hasTag ;"
            f" sh:object :tag_{tag} ] ;"
            for tag in name.split("_")
        )
        parts.append(
            f":{name} a owl:Class , sh:NodeShape ; rdfs:subClassOf :{parent} ;"
            f"\n  rdfs:label {labels} ;{own}{rules}\n  :hasAssociatedTag :tag_{position % 50} .\n"
        )
    return "".join(parts)


def assets(number: int, kinds: int = BRICK_KINDS, seed: int = 1) -> str:
    """Turtle of so many assets, of two thirds of the classes, with links between families."""
    found = tree(kinds, seed)
    draw = random.Random(seed)
    names = list(found.parents)
    used = FAMILIES + tuple(draw.sample(names, max(1, 2 * len(names) // 3)))
    placed: dict[str, list[int]] = {name: [] for name in FAMILIES}
    lines = [_PREFIXES]
    for at in range(number):
        kind = used[at] if at < len(FAMILIES) else draw.choice(used)
        family = found.family[kind]
        statements = [f"a :{kind}", f':name "{family} {at}"']
        if family == "Equipment":
            statements += _links(draw, placed, hasPoint="Point", hasLocation="Location")
            statements.append(
                f":equipmentMeasure0 [ :value {draw.randrange(100)}.5 ; :hasUnit unit:KiloW ]"
            )
        elif family == "Point":
            statements += _links(draw, placed, isPointOf="Equipment")
            statements.append(f":reading {draw.randrange(1000) / 10}")
        elif family == "Location":
            statements.append(f":storey {draw.randrange(9)}")
        else:
            statements += _links(draw, placed, serves="Location")
        for above in found.above(kind):
            position = names.index(above)
            if position % _OWN_EVERY == 0 and above not in FAMILIES:
                statements.append(f':own{position} "{draw.choice(("low", "high"))}{position}"')
        placed[family].append(at)
        lines.append(f":a{at} {' ; '.join(statements)} .\n")
    return "".join(lines)


def _links(draw: random.Random, placed: dict[str, list[int]], **links: str) -> list[str]:
    return [
        f":{predicate} :a{draw.choice(placed[family])}"
        for predicate, family in links.items()
        if placed[family]
    ]
