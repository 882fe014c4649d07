"""Two catalogues of the web, made here: open data in DCAT, books in schema.org."""

from __future__ import annotations

from collections.abc import Iterator

CITIES = ("Bonn", "Ghent", "Porto", "Turku", "Zadar")
THEMES = ("transport", "environment", "health", "education")
FORMATS = ("CSV", "GeoJSON", "XML")
GENRES = ("crime", "poetry", "travel")
LANGUAGES = ("de", "en", "pt")

_DCAT = """@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix vcard: <http://www.w3.org/2006/vcard/ns#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix data: <https://example.org/open-data/> .

"""
_SCHEMA = """@prefix schema: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix shop: <https://example.org/bookshop/> .

"""


def dcat_turtle(datasets: int = 60) -> str:
    """A catalogue of datasets with publishers, themes, periods, contacts and distributions."""
    return _DCAT + "\n".join(_dcat(datasets))


def _dcat(datasets: int) -> Iterator[str]:
    every = ", ".join(f"data:dataset-{n}" for n in range(datasets))
    yield f'data:catalogue a dcat:Catalog ; dct:title "Open data"@en ; dcat:dataset {every} .'
    for city in CITIES:
        yield f'data:{city} a foaf:Agent ; foaf:name "City of {city}"@en .'
    for theme in THEMES:
        yield f'data:{theme} a skos:Concept ; skos:prefLabel "{theme.capitalize()}"@en .'
    for n in range(datasets):
        city, theme = CITIES[n % len(CITIES)], THEMES[n % len(THEMES)]
        form = FORMATS[n % len(FORMATS)]
        year = 2010 + n % 12
        yield f"""data:dataset-{n} a dcat:Dataset ;
  dct:title "{theme.capitalize()} in {city}, part {n}"@en ;
  dct:description "Figures of {city} about {theme}."@en ;
  dct:identifier "ds-{n:04}" ;
  dct:issued "{year}-03-{1 + n % 28:02}"^^xsd:date ;
  dct:publisher data:{city} ;
  dcat:theme data:{theme} ;
  dcat:keyword "{theme}"@en , "{city.lower()}"@en ;
  dct:temporal [ a dct:PeriodOfTime ; dcat:startDate "{year - 1}-01-01"^^xsd:date ;
    dcat:endDate "{year - 1}-12-31"^^xsd:date ] ;
  dcat:contactPoint [ a vcard:Kind ; vcard:fn "Desk {n % 3}" ] ;
  dcat:distribution data:file-{n} .
data:file-{n} a dcat:Distribution ;
  dct:title "File {n}"@en ;
  dct:format "{form}" ;
  dcat:byteSize "{(n + 1) * 1000}"^^xsd:decimal ;
  dcat:accessURL <https://example.org/open-data/files/{n}> ."""


def schema_turtle(books: int = 45) -> str:
    """A bookshop: books with authors, prices, ratings and languages."""
    return _SCHEMA + "\n".join(_schema(books))


def _schema(books: int) -> Iterator[str]:
    for city in CITIES:
        yield f'shop:author-{city} a schema:Person ; schema:name "Ada {city}" .'
    for n in range(books):
        author, genre = CITIES[n % len(CITIES)], GENRES[n % len(GENRES)]
        yield f"""shop:book-{n} a schema:Book ;
  schema:name "Volume {n} of {genre}" ;
  schema:genre "{genre}" ;
  schema:inLanguage "{LANGUAGES[n // 3 % len(LANGUAGES)]}" ;
  schema:numberOfPages {100 + 7 * n} ;
  schema:author shop:author-{author} ;
  schema:datePublished "{2000 + n % 20}-05-01"^^xsd:date ;
  schema:offers [ a schema:Offer ; schema:price {5 + n % 30}.50 ; schema:priceCurrency "EUR" ;
    schema:availability schema:{"InStock" if n % 4 else "OutOfStock"} ] ;
  schema:aggregateRating [ a schema:AggregateRating ; schema:ratingValue {1 + n % 5}.0 ] ."""
