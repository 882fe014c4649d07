"""Label matches by the text indexes of engines other than Virtuoso.

Each is a query that our own code makes: words of letters and digits in small letters, so that no
operator of a search language can stand among them. Sources of the forms:
Jena text (https://jena.apache.org/documentation/query/text-query.html), the Lucene connectors of
GraphDB (https://graphdb.ontotext.com/documentation/), the LuceneSail of RDF4J
(https://rdf4j.org/documentation/programming/lucene/), SPARQL+Text of QLever
(https://github.com/ad-freiburg/qlever/tree/master/docs), FullTextSearch of Blazegraph's wiki, and
MWAPI of the Wikidata Query Service's user manual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from groundwire.errors import InputError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri, literal
from groundwire.sparql.label_queries import MOST_WORDS, TermMode, labels_select

EngineSearch = Literal["jena", "lucene_connector", "lucene_sail", "qlever", "bds", "wikibase"]

_WORD = re.compile(r"[^\W_]+")
_JENA = "http://jena.apache.org/text#query"
_CONNECTOR = "http://www.ontotext.com/connectors/lucene"
_SAIL = "http://www.openrdf.org/contrib/lucenesail#"
_QLEVER = "http://qlever.cs.uni-freiburg.de/builtin-functions/"
_BDS = "http://www.bigdata.com/rdf/search#"
# An index gives entities or values whose labels may yet say something else.
_MORE, _MOST = 5, 500


class ServiceQuery(CompiledQuery):
    """A query of ours with a SERVICE that the server itself offers; it needs no gate.

    Nothing that came from elsewhere stands in it but words, as a literal.
    """

    __slots__ = ()


class Wish(NamedTuple):
    """The words, types and limit of a search.

    Attributes:
        words: in small letters, letters and digits only.
        mode: whether a text has all or some of them.
        limit: most rows.
        properties: IRIs of the properties that may say it; empty for any.
        types: IRIs of types, of which an entity has one; empty for any.
        named: the name of the index, or of the wiki, where the engine wants one.
        language: the language of a wiki's labels.
    """

    words: tuple[str, ...]
    mode: TermMode
    limit: int
    properties: tuple[str, ...]
    types: tuple[str, ...]
    named: str
    language: str = "en"

    @property
    def lucene(self) -> str:
        """The words as Lucene's classic query parser takes them."""
        sign = "+" if self.mode == "and" else ""
        return " ".join(f"{sign}{word}" for word in self.words)

    @property
    def most(self) -> int:
        """How many the index is asked for, of which some are left out."""
        return min(_MOST, self.limit * _MORE)


def engine_query(
    kind: EngineSearch,
    terms: Sequence[str],
    mode: TermMode = "and",
    types: Collection[str] = (),
    limit: int = 10,
    *,
    properties: Collection[str] = (),
    preferred: Collection[str] = (),
    index: str = "",
) -> CompiledQuery:
    """A label match by the text index of an engine, with the columns of `regex_query`.

    Args:
        kind: which index.
        terms: what to look for.
        mode: whether a text has all of them or some.
        types: IRIs of types, of which an entity has one; empty for any.
        limit: most rows.
        properties: IRIs of the properties that may say it; empty for any.
        preferred: IRIs of types of which an entity comes before others.
        index: the name of GraphDB's connector, or the host of the wiki.

    Raises:
        InputError: no word is given to look for, or the limit is below 1.
    """
    found = [word.lower() for term in terms for word in _WORD.findall(term)]
    words = tuple(dict.fromkeys(found))[:MOST_WORDS]
    if not words:
        raise InputError("There is no word to look for: send text with letters or digits.")
    wish = Wish(words, mode, limit, tuple(properties), tuple(types), index)
    lines = [*_LINES[kind](wish)]
    if types:
        lines += [f"VALUES ?type {{ {_iris(types)} }}", "?entity a ?type ."]
    order = "DESC(?sc) STRLEN(STR(?value)) STR(?entity)"
    query = labels_select(order, lines, limit, preferred)
    return ServiceQuery(query) if kind == "wikibase" else query


def _said(wish: Wish) -> list[str]:
    """The text of an entity that an index found."""
    among = [f"VALUES ?attribute {{ {_iris(wish.properties)} }}"] if wish.properties else []
    return [*among, "?entity ?attribute ?value .", "FILTER(isLITERAL(?value))"]


def _jena(wish: Wish) -> list[str]:
    arguments = f"{literal(wish.lucene).n3()} {wish.most}"
    return [f"(?entity ?sc) {iri(_JENA).n3()} ({arguments}) .", *_said(wish)]


def _connector(wish: Wish) -> list[str]:
    if not wish.named:
        raise InputError("GraphDB's connector has a name: set text_index of the endpoint.")
    instance = iri(f"{_CONNECTOR}/instance#{wish.named}").n3()
    query, entities, score = (iri(f"{_CONNECTOR}#{one}").n3() for one in _PARTS_OF_CONNECTOR)
    return [
        f"?search a {instance} ; {query} {literal(wish.lucene).n3()} ; {entities} ?entity .",
        f"?entity {score} ?sc .",
        *_said(wish),
    ]


_PARTS_OF_CONNECTOR = ("query", "entities", "score")


def _sail(wish: Wish) -> list[str]:
    matches, query, score = (iri(f"{_SAIL}{one}").n3() for one in ("matches", "query", "score"))
    return [
        f"?entity {matches} ?match .",
        f"?match {query} {literal(wish.lucene).n3()} ; {score} ?sc .",
        *_said(wish),
    ]


def _qlever(wish: Wish) -> list[str]:
    word, entity = (iri(f"{_QLEVER}contains-{one}").n3() for one in ("word", "entity"))
    if wish.mode == "and":
        texts = [f"?text {word} {literal(' '.join(wish.words)).n3()} ."]
    else:
        each = (f"{{ ?text {word} {literal(one).n3()} . }}" for one in wish.words)
        texts = [" UNION ".join(each)]
    return [*texts, f"?text {entity} ?value .", *_said(wish), "BIND(1 AS ?sc)"]


def _bds(wish: Wish) -> list[str]:
    search, every, relevance, rank = (
        iri(f"{_BDS}{one}").n3() for one in ("search", "matchAllTerms", "relevance", "maxRank")
    )
    return [
        f"?value {search} {literal(' '.join(wish.words)).n3()} .",
        f'?value {every} "{"true" if wish.mode == "and" else "false"}" .',
        f"?value {relevance} ?sc .",
        f'?value {rank} "{wish.most}" .',
        *_said(wish),
    ]


def _wikibase(wish: Wish) -> list[str]:
    wiki = wish.named or "www.wikidata.org"
    ontology, api = "http://wikiba.se/ontology#", "https://www.mediawiki.org/ontology#API/"
    given = (
        (f"{ontology}api", "EntitySearch"),
        (f"{ontology}endpoint", wiki),
        (f"{api}search", " ".join(wish.words)),
        (f"{api}language", wish.language),
        (f"{ontology}limit", str(min(50, wish.limit))),
    )
    subject = iri("http://www.bigdata.com/rdf#serviceParam").n3()
    told = " ".join(f"{subject} {iri(name).n3()} {literal(value).n3()} ." for name, value in given)
    item = iri(f"{ontology}apiOutputItem").n3()
    return [
        f"SERVICE {iri(f'{ontology}mwapi').n3()} {{ {told} "
        f"?entity {item} {iri(f'{api}item').n3()} . "
        f"?place {iri(f'{ontology}apiOrdinal').n3()} true . }}",
        "BIND(0 - ?place AS ?sc)",
        *_said(wish),
        f'FILTER(LANG(?value) IN ("{wish.language}", "mul"))',
    ]


_LINES: dict[EngineSearch, Callable[[Wish], list[str]]] = {
    "jena": _jena,
    "lucene_connector": _connector,
    "lucene_sail": _sail,
    "qlever": _qlever,
    "bds": _bds,
    "wikibase": _wikibase,
}


def _iris(names: Collection[str]) -> str:
    return " ".join(iri(name).n3() for name in names)
