"""The cases of the pattern eval: templates over the worlds, and questions written by hand."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import pyoxigraph

from groundwire.profiles import sparql_help
from tests.evals.sparql_patterns_truth import Truth, truth
from tests.evals.sparql_patterns_worlds import COUNTRIES, LANGUAGES, World

HAND = Path(__file__).parent / "sparql_patterns"
_SCHEMA = "http://schema.org/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@dataclass(frozen=True)
class Case:
    """One question at one world.

    Attributes:
        held_out: in the half that is not looked at before the end.
    """

    world: str
    kind: str
    language: str
    prompt: str
    truth: Truth
    triples: tuple[dict[str, str], ...] = ()
    by_hand: bool = False
    held_out: bool = False


# kind, verb with {s} for the entity, questions in en, de, zh; entities are named by a world's type.
_ONE = "{0}"
GEO: tuple[tuple[str, list[Any], tuple[str, ...]], ...] = (
    ("one hop", ["path", _ONE, "capital"],
     ("What is the capital of {n}?", "Was ist die Hauptstadt von {n}?", "{n}的首都是什么？")),
    ("one hop", ["path", _ONE, "currency"],
     ("Which currency does {n} use?", "Welche Währung hat {n}?", "{n}使用什么货币？")),
    ("one hop", ["value", _ONE, "area"],
     ("What is the area of {n}?", "Wie groß ist die Fläche von {n}?", "{n}的面积是多少？")),
    ("inverse", ["path", "city-{0}", "^capital"],
     ("Which country has the capital {c}?", "Welches Land hat die Hauptstadt {c}?",
      "哪个国家的首都是{c}？")),
    ("inverse", ["path", "city-{0}", "inCountry"],
     ("In which country is {c}?", "In welchem Land liegt {c}?", "{c}在哪个国家？")),
    ("two hops", ["path", "city-{0}", "inCountry", "currency"],
     ("What is the currency of the country of {c}?", "Welche Währung hat das Land von {c}?",
      "{c}所在国家的货币是什么？")),
    ("two hops", ["path", _ONE, "borders", "capital"],
     ("What are the capitals of the countries that border {n}?",
      "Was sind die Hauptstädte der Länder, die an {n} grenzen?", "与{n}接壤的国家的首都是什么？")),
    ("two hops", ["census", _ONE, "2010"],
     ("What was the population of {n} in 2010?", "Wie war die Einwohnerzahl von {n} im Jahr 2010?",
      "2010年{n}的人口是多少？")),
    ("count", ["count", _ONE, "borders"],
     ("How many countries border {n}?", "Wie viele Länder grenzen an {n}?",
      "有多少个国家与{n}接壤？")),
)  # fmt: skip
THESAURUS: tuple[tuple[str, list[Any], tuple[str, ...]], ...] = (
    ("narrower terms", ["path", _ONE, "^skos:broader"],
     ("What are the narrower terms of {n}?", "Was sind die Unterbegriffe von {n}?",
      "{n}的下位词有哪些？")),
    ("count", ["count", _ONE, "^skos:broader"],
     ("How many narrower terms does {n} have?", "Wie viele Unterbegriffe hat {n}?",
      "{n}有多少个下位词？")),
)  # fmt: skip
BROADER = ("one hop", ["path", _ONE, "skos:broader"],
           ("What is the broader term of {n}?", "Was ist der Oberbegriff von {n}?",
            "{n}的上位词是什么？"))  # fmt: skip
LABELS = {
    "de": ("What is {n} called in German?", "Wie heißt {n} auf Deutsch?", "{n}的德语叫什么？"),
    "zh": ("What is {n} in Chinese?", "Wie heißt {n} auf Chinesisch?", "{n}的中文名称是什么？"),
}
ORG: tuple[tuple[str, list[Any], tuple[str, ...]], ...] = (
    ("inverse", ["path", _ONE, "^chairOf"], ("Who is the chair of {n}?",)),
    ("one hop", ["value", _ONE, "foundingDate"], ("When was {n} founded?",)),
    ("one hop", ["value", _ONE, "numberOfEmployees"], ("How many employees does {n} have?",)),
    ("inverse", ["path", _ONE, "^worksFor"], ("Who works for {n}?",)),
    ("count", ["count", _ONE, "^worksFor"], ("How many people work for {n}?",)),
)
UNKNOWN = (
    ("unknown entity", ["refused"], "geography",
     ("What is the capital of Zembla?", "Was ist die Hauptstadt von Ruritanien?",
      "赞布拉的首都是什么？")),
    ("unknown relation", ["refused"], "geography",
     ("What is the anthem of Velmora?", "Was ist die Hymne von Welmora?",
      "维尔莫拉的国歌是什么？")),
    ("unknown relation", ["refused"], "geography",
     ("Who painted Tarsonia?", "Wer malte Tarsonien?", "谁画了塔索尼亚？")),
    ("unknown relation", ["refused"], "organisations",
     ("What is the share price of Halden Foods?",)),
    ("ambiguous entity", ["asked", "ellis-velmora"], "geography",
     ("What is the population of Port Ellis?", "Wie ist die Einwohnerzahl von Ellishafen?",
      "埃利斯港的人口是多少？")),
    ("typo", ["asked", "velmora"], "geography",
     ("What is the capital of Velmroa?", "Was ist die Hauptstadt von Welmroa?")),
    ("typo", ["asked", "drinking-water"], "thesaurus",
     ("What is the broader term of Drinkng water?", "Was ist der Oberbegriff von Trinkwaser?")),
    ("typo", ["asked", "kestrel-rail"], "organisations", ("Who is the chair of Kestral Rail?",)),
    ("false premise", ["unstated"], "geography",
     ("What is the capital of Northern Marches?", "Was ist die Hauptstadt der Nordmarken?",
      "北境的首都是什么？")),
    ("false premise", ["unstated"], "thesaurus",
     ("What are the narrower terms of Compost?", "Was sind die Unterbegriffe von Kompost?",
      "堆肥的下位词有哪些？")),
    ("false premise", ["refused"], "geography",
     ("Why did Velmora leave Quendal?", "Warum verließ Welmora Quendal?",
      "维尔莫拉为什么离开昆达尔？")),
    ("leftover word", ["refused"], "geography",
     ("What was the former capital of Velmora?", "Was war die frühere Hauptstadt von Welmora?",
      "维尔莫拉以前的首都是什么？")),
    ("leftover word", ["refused"], "geography",
     ("What is the capital of East Velmora?", "Was ist die Hauptstadt von Ostwelmora?",
      "东维尔莫拉的首都是什么？")),
    ("leftover word", ["refused"], "organisations", ("Who works for Orbis Freight in Lisbon?",)),
    ("holed list", ["refused"], "organisations", ("What are the stages of Valve drill in order?",)),
    ("cyclic list", ["refused"], "organisations",
     ("Who is on the board members of Halden Dairy, in order?",)),
)  # fmt: skip
MORE = (
    ("ask", ["yes"], "geography",
     ("Is Aldenport the capital of Velmora?", "Ist Aldenhafen die Hauptstadt von Welmora?",
      "奥尔登港是维尔莫拉的首都吗？")),
    ("ask", ["no"], "geography",
     ("Is Kessing the capital of Velmora?", "Ist Kessing die Hauptstadt von Welmora?",
      "凯辛是维尔莫拉的首都吗？")),
    ("ask", ["yes"], "geography",
     ("Does Velmora border Tarsonia?", "Grenzt Welmora an Tarsonien?",
      "维尔莫拉与塔索尼亚接壤吗？")),
    ("ask", ["unstated"], "geography",
     ("Does Velmora border Dravik?", "Grenzt Welmora an Drawik?", "维尔莫拉与德拉维克接壤吗？")),
    ("ask", ["yes"], "organisations", ("Does Gora{x} Lisk work for Kestrel Works?",)),
    ("ask", ["yes"], "thesaurus",
     ("Is Peat a narrower term of Soil?", "Ist Torf ein Unterbegriff von Boden?",
      "泥炭是土壤的下位词吗？")),
    ("compare", ["compare", "area", "max", "velmora", "morvania"], "geography",
     ("Which has the larger area, Velmora or Morvania?",
      "Wer hat die größere Fläche, Welmora oder Morwanien?", "维尔莫拉和莫尔瓦尼亚哪个面积更大？")),
    ("compare", ["compare", "area", "min", "dravik", "pelluria"], "geography",
     ("Which has the smaller area, Dravik or Pelluria?",
      "Was hat die kleinere Fläche, Drawik oder Pellurien?", "德拉维克和佩卢里亚哪个面积更小？")),
    ("compare", ["compare", "numberOfEmployees", "max", "orbis", "halden"], "organisations",
     ("Which has more employees, Orbis Freight or Halden Foods?",)),
    ("compare", ["compare", "foundingDate", "min", "kestrel-rail", "halden"], "organisations",
     ("Which was founded earlier, Kestrel Rail or Halden Foods?",)),
    ("superlative", ["most", "Country", "area", "max"], "geography",
     ("Which country has the largest area?", "Welches Land hat die größte Fläche?",
      "哪个国家的面积最大？")),
    ("superlative", ["most", "Country", "area", "min"], "geography",
     ("Which country has the smallest area?", "Welches Land hat die kleinste Fläche?",
      "哪个国家的面积最小？")),
    ("superlative", ["most", "Country", "area", "max", 3], "geography",
     ("Which three countries have the largest area?",
      "Welche drei Länder haben die größte Fläche?", "面积最大的三个国家是哪些？")),
    ("superlative", ["most", "Country", "area", "max", 1, "region", "north"], "geography",
     ("Which country in Northern Marches has the largest area?",
      "Welches Land in Nordmarken hat die größte Fläche?", "北境哪个国家的面积最大？")),
    ("superlative", ["most", "Company", "numberOfEmployees", "max", 2], "organisations",
     ("Which two companies have the most employees?",)),
    ("superlative", ["most", "Company", "foundingDate", "min"], "organisations",
     ("Which company was founded first?", "What is the oldest company by founding date?")),
    ("filter", ["where", "Country", "area", ">", "100000"], "geography",
     ("Which countries have an area of more than 100,000?",
      "Welche Länder haben eine Fläche von mehr als 100.000?", "哪些国家的面积大于100000？")),
    ("filter", ["where", "Country", "area", "<", "10000"], "geography",
     ("Which countries have an area below 10000?",
      "Welche Länder haben eine Fläche unter 10000?", "哪些国家的面积小于1万？")),
    ("filter", ["where", "Company", "foundingDate", "<", "1950-01-01"], "organisations",
     ("Which companies were founded before 1950?",)),
    ("filter", ["where", "Company", "numberOfEmployees", ">", "1000"], "organisations",
     ("Which companies have more than 1000 employees?",)),
    ("count", ["members", "Country"], "geography",
     ("How many countries are there?", "Wie viele Länder gibt es?", "有多少个国家？")),
    ("list", ["list", "kestrel", "boardMembers"], "organisations",
     ("Who are the board members of Kestrel Works, in order?",
      "List the board members of Kestrel Works.")),
    ("list", ["list", "halden", "boardMembers"], "organisations",
     ("Who are the board members of Halden Foods, in order?",)),
    ("list", ["stages", "plan"], "organisations",
     ("What are the stages of Northern line plan in order?",)),
    ("narrower terms", ["path", "waste-water", "skos:broader"], "thesaurus",
     ("What is the broader term of Sewage?", "Was ist der Oberbegriff von Schmutzwasser?")),
    ("one hop", ["text", "Power that is taken from moving air."], "thesaurus",
     ("What is the definition of Wind power?",)),
    ("one hop", ["path", "water-pollution", "skos:related"], "thesaurus",
     ("Which term is related to Water pollution?",
      "Welcher Begriff ist mit Wasserverschmutzung verwandt?")),
    ("inverse", ["path", "kestrel", "^subsidiaryOf"], "organisations",
     ("What are the subsidiaries of Kestrel Works?",)),
    ("two hops", ["path", "kestrel", "^subsidiaryOf", "^chairOf"], "organisations",
     ("Who are the chairs of the subsidiaries of Kestrel Works?",)),
)  # fmt: skip


def cases(held: dict[str, World]) -> list[Case]:
    """All cases; half of them are held out, by their own words."""
    return [*_over(held), *_fixed(held), *_with_triples(held), *_howtos(), *_by_hand(held)]


def _held_out(prompt: str) -> bool:
    return crc32(prompt.encode()) % 2 == 0


def _made(
    world: World, kind: str, language: str, prompt: str, spec: list[Any], **rest: Any
) -> Case:
    return Case(
        world.name, kind, language, prompt, truth(world, spec), held_out=_held_out(prompt), **rest
    )


def _over(held: dict[str, World]) -> Iterator[Case]:
    yield from _over_countries(held["geography"])
    yield from _over_concepts(held["thesaurus"])
    yield from _over_companies(held["organisations"])


def _over_countries(geography: World) -> Iterator[Case]:
    names = [line.split("|")[0] for line in COUNTRIES.split("\n") if line]
    for name in names:
        for kind, spec, wordings in GEO:
            filled = [part.format(name) for part in spec]
            if "borders" in filled and not geography.objects(name, "borders"):
                continue
            for language, wording in zip(LANGUAGES, wordings, strict=True):
                prompt = wording.format(
                    n=geography.label(name, language), c=geography.label(f"city-{name}", language)
                )
                yield _made(geography, kind, language, prompt, filled)


def _over_concepts(thesaurus: World) -> Iterator[Case]:
    for name in thesaurus.members("skos:Concept"):
        plans = [BROADER] if thesaurus.objects(name, "skos:broader") else []
        plans += THESAURUS if thesaurus.subjects("skos:broader", name) else []
        for kind, spec, wordings in plans:
            for language, wording in zip(LANGUAGES, wordings, strict=True):
                prompt = wording.format(n=thesaurus.label(name, language))
                yield _made(thesaurus, kind, language, prompt, [p.format(name) for p in spec])
        for target, wordings in LABELS.items():
            for language, wording in zip(LANGUAGES, wordings, strict=True):
                if language != target:
                    prompt = wording.format(n=thesaurus.label(name, language))
                    yield _made(thesaurus, "label in a language", language, prompt,
                                ["label", name, target])  # fmt: skip


def _over_companies(world: World) -> Iterator[Case]:
    for name in world.members("Company"):
        if name == "noise":
            continue
        for kind, spec, (wording,) in ORG:
            prompt = wording.format(n=world.label(name, "en"))
            yield _made(world, kind, "en", prompt, [p.format(name) for p in spec])


def _fixed(held: dict[str, World]) -> Iterator[Case]:
    for kind, spec, world, wordings in (*UNKNOWN, *MORE):
        same = len(wordings) == 3
        for at, wording in enumerate(wordings):
            german = any(
                w in wording.split()[0] for w in ("Was", "Wer", "Wie", "Wel", "War", "Ist", "Gre")
            )
            language = LANGUAGES[at] if same else ("de" if at and german else "en")
            prompt = wording
            if "{x}" in prompt:
                employees = held[world].subjects("worksFor", "kestrel")
                prompt = f"Does {held[world].label(employees[0], 'en')} work for Kestrel Works?"
            yield _made(held[world], kind, language, prompt, spec)


def _with_triples(held: dict[str, World]) -> Iterator[Case]:
    """The same meaning, given as `triples` by a host's model."""
    world = held["geography"]
    for name in ("velmora", "morvania", "quendal", "pelluria"):
        label = world.label(name, "en")
        for predicate, spec in (
            ("capital", ["path", name, "capital"]),
            ("has capital", ["path", name, "capital"]),
            ("located in region", ["path", name, "region"]),
            ("shares a border with", ["path", name, "borders"]),
        ):
            stated = ({"subject": label, "predicate": predicate, "object": "?x"},)
            yield _made(world, "triples", "en", f"Tell me about {predicate}: {label}", spec,
                        triples=stated)  # fmt: skip


def _howtos() -> Iterator[Case]:
    """Every how-to of the embedded graph, by its label in each language."""
    graph = pyoxigraph.Store()
    for file in sparql_help():
        graph.load(path=str(file), format=pyoxigraph.RdfFormat.TURTLE)
    node = pyoxigraph.NamedNode

    def objects(s: Any, p: str) -> list[Any]:
        return [quad.object for quad in graph.quads_for_pattern(s, node(p), None)]

    rdf_type = node("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    for quad in graph.quads_for_pattern(None, rdf_type, node(_SCHEMA + "HowTo")):
        steps = objects(quad.subject, _SCHEMA + "step")
        steps.sort(key=lambda s: int(objects(s, _SCHEMA + "position")[0].value))
        said = [{o.language: o.value for o in objects(s, _SCHEMA + "text")} for s in steps]
        for label in objects(quad.subject, _LABEL):
            # In the language of the question where the graph has it.
            texts = [one.get(label.language, one["en"]) for one in said]
            expected = truth(World("default"), ["steps", *texts])
            yield Case("default", "how-to", label.language, label.value, expected,
                       held_out=_held_out(label.value))  # fmt: skip


def _by_hand(held: dict[str, World]) -> Iterator[Case]:
    for half in ("seen", "held_out"):
        for one in tomllib.loads((HAND / f"{half}.toml").read_text("utf-8"))["case"]:
            world = held.get(one["world"], World("default"))
            found = truth(world, one["truth"])
            yield Case(one["world"], one["kind"], one["language"], one["prompt"], found,
                       by_hand=True, held_out=half == "held_out")  # fmt: skip
