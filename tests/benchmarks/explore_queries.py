"""Twelve queries with which somebody explores a shop before buying, with seeded parameters.

What each asks for follows the explore use case of the Berlin SPARQL Benchmark; the texts are ours.
A query without a LIMIT leaves it to the endpoint, which then has to find out what it cut.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import NamedTuple

from explore_data import COUNTRIES, RDF_TYPE, TODAY, VOCABULARY, XSD, Product, Shop, thing

PREFIXES = f"""PREFIX s: <{VOCABULARY}>
PREFIX rdf: <{RDF_TYPE.partition("#")[0]}#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <{XSD}>
"""


class Chosen(NamedTuple):
    """One choice of parameters."""

    shop: Shop
    random: random.Random
    product: Product

    @property
    def it(self) -> str:
        return thing("product", self.product.number)

    @property
    def kind(self) -> str:
        """The product's own kind or the next wider one."""
        return thing("kind", self.random.choice(self.product.kinds[:2]))

    @property
    def wide(self) -> str:
        return thing("kind", self.product.kinds[2])

    def features(self, count: int) -> list[str]:
        return [
            thing("feature", one) for one in self.random.sample(self.product.features[-12:], count)
        ]

    def below(self, number: int) -> int:
        return max(0, self.product.numbers[number] - self.random.randint(50, 600))


class Query(NamedTuple):
    """A query: what it asks for, and its text for one choice of parameters."""

    name: str
    text: Callable[[Chosen], str]


def _matching(c: Chosen) -> str:
    one, two = c.features(2)
    return f"""SELECT DISTINCT ?product ?label WHERE {{
      ?product rdfs:label ?label ; a {c.kind} ; s:feature {one} , {two} ; s:number1 ?number .
      FILTER(?number > {c.below(0)})
    }} ORDER BY ?label ?product LIMIT 10"""


def _details(c: Chosen) -> str:
    return f"""SELECT ?label ?comment ?maker ?feature ?t1 ?t2 ?t3 ?n1 ?n2 ?t4 ?t5 ?n4 WHERE {{
      {c.it} rdfs:label ?label ; rdfs:comment ?comment ; s:producer/rdfs:label ?maker ;
        s:feature/rdfs:label ?feature ; s:text1 ?t1 ; s:text2 ?t2 ; s:text3 ?t3 ;
        s:number1 ?n1 ; s:number2 ?n2 .
      OPTIONAL {{ {c.it} s:text4 ?t4 }}
      OPTIONAL {{ {c.it} s:text5 ?t5 }}
      OPTIONAL {{ {c.it} s:number4 ?n4 }}
    }}"""


def _without(c: Chosen) -> str:
    wanted, unwanted = c.features(2)
    return f"""SELECT ?product ?label WHERE {{
      ?product rdfs:label ?label ; a {c.kind} ; s:feature {wanted} ; s:number1 ?n1 ; s:number3 ?n3 .
      FILTER(?n1 > {c.below(0)} && ?n3 < {c.product.numbers[2] + 500})
      OPTIONAL {{ ?product s:feature {unwanted} ; rdfs:label ?other }}
      FILTER(!BOUND(?other))
    }} ORDER BY ?label ?product LIMIT 10"""


def _either(c: Chosen) -> str:
    one, two, three = c.features(3)
    return f"""SELECT DISTINCT ?product ?label ?text WHERE {{
      {{ ?product rdfs:label ?label ; a {c.wide} ; s:feature {one} , {two} ; s:text1 ?text ;
           s:number1 ?n1 . FILTER(?n1 > {c.below(0)}) }}
      UNION
      {{ ?product rdfs:label ?label ; a {c.wide} ; s:feature {one} , {three} ; s:text1 ?text ;
           s:number2 ?n2 . FILTER(?n2 > {c.below(1)}) }}
    }} ORDER BY ?label ?product ?text OFFSET 2 LIMIT 10"""


def _similar(c: Chosen) -> str:
    return f"""SELECT DISTINCT ?product ?label WHERE {{
      {c.it} s:feature ?shared ; s:number1 ?own1 ; s:number2 ?own2 .
      ?product s:feature ?shared ; rdfs:label ?label ; s:number1 ?n1 ; s:number2 ?n2 .
      FILTER(?product != {c.it})
      FILTER(?n1 < ?own1 + 120 && ?n1 > ?own1 - 120)
      FILTER(?n2 < ?own2 + 170 && ?n2 > ?own2 - 170)
    }} ORDER BY ?label ?product LIMIT 5"""


def _named(c: Chosen) -> str:
    word = c.product.label.split()[0]
    return f"""SELECT ?product ?label WHERE {{
      ?product a s:Product ; rdfs:label ?label . FILTER(REGEX(?label, "{word}"))
    }} ORDER BY ?product LIMIT 100"""


def _in_depth(c: Chosen) -> str:
    return f"""SELECT ?label ?offer ?price ?vendor ?vendorName ?review ?title ?by ?name ?r1 ?r2 {{
      {c.it} rdfs:label ?label .
      OPTIONAL {{
        ?offer s:offers {c.it} ; s:price ?price ; s:vendor ?vendor ; s:validTo ?until .
        ?vendor rdfs:label ?vendorName ; s:country "{c.random.choice(COUNTRIES)}" .
        FILTER(?until > "{TODAY}"^^xsd:date)
      }}
      OPTIONAL {{
        ?review s:reviewOf {c.it} ; s:reviewer ?by ; s:title ?title .
        ?by s:name ?name .
        OPTIONAL {{ ?review s:rating1 ?r1 }}
        OPTIONAL {{ ?review s:rating2 ?r2 }}
      }}
    }}"""


def _recent_reviews(c: Chosen) -> str:
    return f"""SELECT ?title ?body ?day ?by ?name ?r1 ?r2 ?r3 ?r4 WHERE {{
      ?review s:reviewOf {c.it} ; s:title ?title ; s:body ?body ; s:reviewedOn ?day ;
        s:reviewer ?by .
      ?by s:name ?name .
      FILTER(LANGMATCHES(LANG(?body), "en"))
      OPTIONAL {{ ?review s:rating1 ?r1 }}
      OPTIONAL {{ ?review s:rating2 ?r2 }}
      OPTIONAL {{ ?review s:rating3 ?r3 }}
      OPTIONAL {{ ?review s:rating4 ?r4 }}
    }} ORDER BY DESC(?day) ?title LIMIT 20"""


def _reviewer(c: Chosen) -> str:
    review = thing("review", c.random.randrange(c.shop.reviews))
    return f"DESCRIBE ?person WHERE {{ {review} s:reviewer ?person }}"


def _cheap(c: Chosen) -> str:
    until = TODAY + timedelta(c.random.randint(0, 30))
    return f"""SELECT DISTINCT ?offer ?price WHERE {{
      ?offer s:offers {c.it} ; s:vendor ?vendor ; s:deliveryDays ?days ; s:price ?price ;
        s:validTo ?until .
      ?vendor s:country ?country .
      FILTER(?country IN ("{'", "'.join(c.random.sample(COUNTRIES, 4))}"))
      FILTER(?days <= 3 && ?until > "{until}"^^xsd:date)
    }} ORDER BY ?price ?offer LIMIT 10"""


def _all_of_an_offer(c: Chosen) -> str:
    offer = thing("offer", c.random.randrange(c.shop.offers))
    return f"""SELECT ?property ?value ?from WHERE {{
      {{ {offer} ?property ?value }} UNION {{ ?from ?property {offer} }}
    }}"""


def _export(c: Chosen) -> str:
    offer = thing("offer", c.random.randrange(c.shop.offers))
    return f"""CONSTRUCT {{
      {offer} s:product ?label ; s:soldBy ?name ; s:soldFrom ?home ; s:costs ?price ;
        s:arrivesIn ?days ; s:until ?until .
    }} WHERE {{
      {offer} s:offers/rdfs:label ?label ; s:vendor ?vendor ; s:price ?price ;
        s:deliveryDays ?days ; s:validTo ?until .
      ?vendor rdfs:label ?name ; s:homepage ?home .
    }}"""


QUERIES = (
    Query("1 products of a kind with features", _matching),
    Query("2 details of a product", _details),
    Query("3 products with one feature, not another", _without),
    Query("4 products with either feature", _either),
    Query("5 products like this one", _similar),
    Query("6 products with a word in the name", _named),
    Query("7 offers and reviews of a product", _in_depth),
    Query("8 recent reviews in English", _recent_reviews),
    Query("9 who wrote a review (DESCRIBE)", _reviewer),
    Query("10 cheap offers that come soon", _cheap),
    Query("11 everything about an offer", _all_of_an_offer),
    Query("12 an offer for another system (CONSTRUCT)", _export),
)


def texts(query: Query, shop: Shop, seed: str) -> Iterator[str]:
    """Texts of a query without end, no two alike; the same seed gives the same ones."""
    choose = random.Random(f"{seed} {query.name}")
    seen: set[str] = set()
    while True:
        chosen = Chosen(shop, choose, choose.choice(shop.products))
        text = PREFIXES + query.text(chosen)
        if text not in seen:
            seen.add(text)
            yield text
