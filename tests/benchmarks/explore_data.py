"""A generated shop for the benchmark of explore queries: about a million triples of N-Triples.

Its proportions follow the data set of the Berlin SPARQL Benchmark (Bizer and Schultz, BSBM 3.1):
twenty offers and ten reviews for a product, kinds in a tree, features that belong to kinds. Names
and texts are our own. The same number of products gives the same shop.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

VOCABULARY = "https://example.org/shop/v1/"
THING = "https://example.org/shop/thing/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
COMMENT = "http://www.w3.org/2000/01/rdf-schema#comment"
XSD = "http://www.w3.org/2001/XMLSchema#"

PRODUCTS = 2_830
OFFERS, REVIEWS = 20, 10
COUNTRIES = ("AT", "CN", "DE", "ES", "FR", "GB", "JP", "KR", "RU", "US")
LANGUAGES = ("en", "de", "fr", "ja", "zh")
TODAY = date(2024, 6, 1)
# How many kinds one kind has below it, level by level: 1 + 6 + 36 + 108 kinds.
_BRANCHES = (6, 6, 3)
_FEATURES_OF_A_KIND = 30
_SYLLABLES = ("ba", "den", "fi", "gor", "hul", "ka", "lem", "mi", "nor", "pas", "ri", "so", "tun")


class Kind(NamedTuple):
    """A kind of product: its number, the kinds above it from the nearest on, its features."""

    number: int
    above: tuple[int, ...]
    features: range
    leaf: bool


class Product(NamedTuple):
    """What queries need to know of a product."""

    number: int
    label: str
    kinds: tuple[int, ...]
    features: tuple[int, ...]
    numbers: tuple[int, ...]


class Shop(NamedTuple):
    """What was written, as far as queries choose their parameters from it.

    Attributes:
        products: every product.
        offers: how many offers there are; they are numbered from 0.
        reviews: the same for reviews.
        words: the words of all labels and texts, the frequent ones first.
        triples: how many triples were written.
    """

    products: list[Product]
    offers: int
    reviews: int
    words: Sequence[str]
    triples: int


def write_shop(path: Path, products: int = PRODUCTS) -> Shop:
    """Write a shop of `products` products to `path`; 2,830 make about a million triples."""
    writer = _Writer(random.Random(20_240_601))
    triples = 0
    with path.open("w", encoding="ascii") as file:
        for lines in writer.parts(products):
            file.writelines(lines)
            triples += len(lines)
    made = writer.products
    return Shop(made, products * OFFERS, products * REVIEWS, writer.words, triples)


def thing(sort: str, number: int) -> str:
    """IRI of something: `thing("offer", 7)`."""
    return f"<{THING}{sort}{number}>"


def _typed(value: object, datatype: str) -> str:
    return f'"{value}"^^<{XSD}{datatype}>'


class _Writer:
    """Makes one thing after another, each as the lines of its triples."""

    def __init__(self, choose: random.Random) -> None:
        self.choose = choose
        self.words = self._make_words()
        self.kinds = self._make_kinds()
        self.products: list[Product] = []

    def parts(self, products: int) -> Iterator[list[str]]:
        for kind in self.kinds:
            yield self._kind(kind)
        for number in range(len(self.kinds) * _FEATURES_OF_A_KIND):
            yield self._described("feature", number, "Feature", 1, 20)
        producers, vendors = products // 50 + 1, products // 100 + 1
        persons = products * REVIEWS // 20 + 1
        for sort, count in (("producer", producers), ("vendor", vendors)):
            for number in range(count):
                yield self._company(sort, number)
        for number in range(persons):
            yield self._person(number)
        leaves = [kind for kind in self.kinds if kind.leaf]
        for number in range(products):
            yield self._product(number, self.choose.choice(leaves), producers)
        for number in range(products * OFFERS):
            yield self._offer(number, self.choose.randrange(products), vendors)
        for number in range(products * REVIEWS):
            yield self._review(number, self.choose.randrange(products), persons)

    def _make_words(self) -> list[str]:
        made = {"".join(self.choose.choices(_SYLLABLES, k=2 + n % 3)): None for n in range(4_000)}
        return list(made)

    def _make_kinds(self) -> list[Kind]:
        kinds: list[Kind] = []

        def add(above: tuple[int, ...]) -> None:
            number, level = len(kinds), len(above)
            first = number * _FEATURES_OF_A_KIND
            features = range(first, first + _FEATURES_OF_A_KIND)
            kinds.append(Kind(number, above, features, level == len(_BRANCHES)))
            for _ in range(_BRANCHES[level] if level < len(_BRANCHES) else 0):
                add((number, *above))

        add(())
        return kinds

    def _text(self, fewest: int, most: int) -> str:
        choose = self.choose
        count = choose.randint(fewest, most)
        # A product of two evenly spread numbers: some words are frequent, most are rare.
        size = len(self.words)
        return " ".join(
            self.words[int(size * choose.random() * choose.random())] for _ in range(count)
        )

    def _day(self, first: int, last: int) -> str:
        return _typed(TODAY + timedelta(self.choose.randint(first, last)), "date")

    def _triples(self, subject: str, values: Sequence[tuple[str, str]]) -> list[str]:
        return [
            f"{subject} <{name if ':' in name else VOCABULARY + name}> {value} .\n"
            for name, value in values
        ]

    def _described(self, sort: str, number: int, kind: str, label: int, text: int) -> list[str]:
        return self._triples(
            thing(sort, number),
            [
                (RDF_TYPE, f"<{VOCABULARY}{kind}>"),
                (LABEL, f'"{self._text(label, label + 2)}"'),
                (COMMENT, f'"{self._text(text, text + 30)}"'),
            ],
        )

    def _kind(self, kind: Kind) -> list[str]:
        lines = self._described("kind", kind.number, "Kind", 1, 20)
        above = [("narrowerThan", thing("kind", kind.above[0]))] if kind.above else []
        return lines + self._triples(thing("kind", kind.number), above)

    def _company(self, sort: str, number: int) -> list[str]:
        subject = thing(sort, number)
        rest = [
            ("homepage", f"<https://{sort}{number}.example/>"),
            ("country", f'"{self.choose.choice(COUNTRIES)}"'),
            ("published", self._day(-900, -700)),
        ]
        lines = self._described(sort, number, sort.capitalize(), 1, 20)
        return lines + self._triples(subject, rest)

    def _person(self, number: int) -> list[str]:
        values = [
            (RDF_TYPE, f"<{VOCABULARY}Person>"),
            ("name", f'"{self._text(2, 2)}"'),
            ("mail", f'"person{number}@example.org"'),
            ("country", f'"{self.choose.choice(COUNTRIES)}"'),
            ("published", self._day(-900, -700)),
        ]
        return self._triples(thing("person", number), values)

    def _product(self, number: int, leaf: Kind, producers: int) -> list[str]:
        choose = self.choose
        kinds = (leaf.number, *leaf.above)
        # From every kind that it is of, and fewer from the wider ones.
        features = [
            feature
            for place, kind in enumerate(kinds)
            for feature in choose.sample(self.kinds[kind].features, 8 - 2 * place)
        ]
        label, numbers = self._text(1, 3), [choose.randint(1, 2_000) for _ in range(6)]
        kept = [n for n in range(6) if n < 3 or choose.random() < 0.5]
        texts = [n for n in range(6) if n < 3 or choose.random() < 0.5]
        values = [
            (RDF_TYPE, f"<{VOCABULARY}Product>"),
            (LABEL, f'"{label}"'),
            (COMMENT, f'"{self._text(50, 150)}"'),
            ("producer", thing("producer", choose.randrange(producers))),
            ("published", self._day(-700, -400)),
            *((RDF_TYPE, thing("kind", kind)) for kind in kinds),
            *(("feature", thing("feature", feature)) for feature in features),
            *((f"number{n + 1}", _typed(numbers[n], "integer")) for n in kept),
            *((f"text{n + 1}", f'"{self._text(3, 15)}"') for n in texts),
        ]
        self.products.append(Product(number, label, kinds, tuple(features), tuple(numbers)))
        return self._triples(thing("product", number), values)

    def _offer(self, number: int, product: int, vendors: int) -> list[str]:
        choose = self.choose
        begin = choose.randint(-90, 20)
        values = [
            (RDF_TYPE, f"<{VOCABULARY}Offer>"),
            ("offers", thing("product", product)),
            ("vendor", thing("vendor", choose.randrange(vendors))),
            ("price", _typed(f"{choose.uniform(5, 10_000):.2f}", "decimal")),
            ("validFrom", _typed(TODAY + timedelta(begin), "date")),
            ("validTo", _typed(TODAY + timedelta(begin + choose.randint(14, 90)), "date")),
            ("deliveryDays", _typed(choose.choice((1, 2, 3, 3, 5, 7, 14, 21)), "integer")),
            ("page", f"<https://offers.example/{number}>"),
            ("publisher", thing("vendor", choose.randrange(vendors))),
            ("published", self._day(-90, 0)),
        ]
        return self._triples(thing("offer", number), values)

    def _review(self, number: int, product: int, persons: int) -> list[str]:
        choose = self.choose
        language = choose.choices(LANGUAGES, (6, 2, 2, 1, 1))[0]
        person = thing("person", choose.randrange(persons))
        ratings = [n for n in range(1, 5) if choose.random() < 0.7]
        values = [
            (RDF_TYPE, f"<{VOCABULARY}Review>"),
            ("reviewOf", thing("product", product)),
            ("reviewer", person),
            ("title", f'"{self._text(4, 12)}"'),
            ("body", f'"{self._text(50, 150)}"@{language}'),
            ("reviewedOn", self._day(-400, 0)),
            ("publisher", person),
            ("published", self._day(-400, 0)),
            *((f"rating{n}", _typed(choose.randint(1, 10), "integer")) for n in ratings),
        ]
        return self._triples(thing("review", number), values)
