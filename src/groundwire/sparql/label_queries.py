"""Label matches at engines that have no index of ours, by text indexes where they have one.

Virtuoso has a full-text index (`bif:contains`); for any other engine REGEX is what the standard
offers. What a prompt says gets into a query as words of letters and digits, or as a literal that
`Term.n3` writes; nothing in it can end a string, a filter or a query.

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
from groundwire.textindex.index import CHINESE_RUN, ENGLISH
from groundwire.vocabulary.fold import CJK_RUN

PhraseMode = Literal["phrase", "and", "or", "either"]
TermMode = Literal["and", "or"]

COLUMNS = ("entity", "value", "attribute", "sc")
"""What each of these queries returns; a greater ?sc fits better."""
FIT = "fit"
"""What they return beside it where types are preferred: the one that an entity has, if any."""

MOST_WORDS = 32
MOST_LIMIT = 10_000
# The engines split words at anything else; an underscore is a letter to some of them.
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"(?<=\w)['\u2019]s\b")
_SCRIPTS = re.compile(f"({CJK_RUN.pattern})")
# XPath and XQuery Functions 3.1, section 5.6.1: what is escaped in a regular expression by "\".
_PATTERN_SIGNS = re.compile(r"[\\.?*+{}()|\[\]^$-]")


def search_terms(text: str) -> tuple[str, ...]:
    """The words of a text that say what it is about, as written; all if none does.

    A run of CJK is parted at words such as 什么 and 的.
    """
    found: dict[str, None] = {}
    for word in _WORD.findall(_POSSESSIVE.sub("", text)):
        for piece in _SCRIPTS.split(word):
            if CJK_RUN.fullmatch(piece):
                found.update(dict.fromkeys(filter(None, CHINESE_RUN.split(piece))))
            elif piece and piece.casefold() not in ENGLISH:
                found[piece] = None
    return tuple(found or dict.fromkeys(_WORD.findall(text)))[:MOST_WORDS]


def bif_contains_query(
    text: str,
    mode: PhraseMode = "phrase",
    types: Collection[str] = (),
    limit: int = 10,
    *,
    preferred: Collection[str] = (),
) -> CompiledQuery:
    """A label match by Virtuoso's full-text index.

    Args:
        text: a prompt.
        mode: as a `phrase` all its words stand in a row, quoted; by `and` and `or` the words that
            say something are joined; `either` takes the phrase, whose score is far greater, or
            all of these words, within one clause.
        types: IRIs of types, of which an entity has one; empty for any.
        limit: most rows.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: the text has no letter or digit, or the limit is below 1.
    """
    row = _WORD.findall(text)[:MOST_WORDS]
    words = [word for term in search_terms(text) for word in _WORD.findall(term)]
    if not words:
        raise InputError("There is no word to look for: send text with letters or digits.")
    phrase = f"'{' '.join(row)}'"
    joined = f" {'OR' if mode == 'or' else 'AND'} ".join(f"'{word}'" for word in words)
    if mode == "phrase" or joined == phrase:
        expression = phrase
    else:
        expression = f"{phrase} OR ({joined})" if mode == "either" else joined
    lines = (
        "?entity ?attribute ?value .",
        f"?value bif:contains {literal(expression).n3()} option (score ?sc) .",
        *_among("type", types, "?entity a ?type ."),
    )
    return labels_select("DESC(?sc)", lines, limit, preferred)


def regex_query(
    terms: Sequence[str],
    mode: TermMode = "and",
    types: Collection[str] = (),
    limit: int = 10,
    *,
    properties: Collection[str] = (),
    preferred: Collection[str] = (),
) -> CompiledQuery:
    """A label match by regular expressions, for engines without a text index.

    The score is the number of terms that a value holds; among equals the shorter value is first.

    Args:
        terms: what to look for, each as it stands, whatever its case.
        mode: whether a value holds all of them (`&&`) or one of them (`||`).
        types: IRIs of types, of which an entity has one; empty for any.
        limit: most rows.
        properties: IRIs of the properties that may say it; empty for any, which is slow.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: no term is given, or the limit is below 1.
    """
    wanted = [term for term in dict.fromkeys(map(_clean, terms)) if term][:MOST_WORDS]
    if not wanted:
        raise InputError("There is no term to look for: send at least one.")
    tests = [f'REGEX(STR(?value), {literal(_pattern(term)).n3()}, "i")' for term in wanted]
    joined = (" && " if mode == "and" else " || ").join(tests)
    score = " + ".join(f"IF({test}, 1, 0)" for test in tests) if mode == "or" else str(len(wanted))
    lines = (
        *_among("attribute", properties),
        *_among("type", types, "?entity a ?type ."),
        "?entity ?attribute ?value .",
        # Engines differ in the datatype that a text with a language has, so numbers are left out.
        f"FILTER(isLITERAL(?value) && !isNUMERIC(?value) && ({joined}))",
        f"BIND(({score}) AS ?sc)",
    )
    return labels_select("DESC(?sc) STRLEN(STR(?value)) STR(?entity)", lines, limit, preferred)


def labels_select(
    order: str, lines: Sequence[str], limit: int, preferred: Collection[str]
) -> CompiledQuery:
    """A SELECT of `COLUMNS` whose patterns are `lines`.

    Args:
        order: what the rows are ordered by.
        lines: patterns that bind the columns; every part of them is a constant or written by
            `Term.n3`.
        limit: most rows.
        preferred: IRIs of types of which an entity comes before others.

    Raises:
        InputError: the limit is below 1.
    """
    if not 1 <= limit <= MOST_LIMIT:
        raise InputError(f"The limit is {limit}: send a number from 1 to {MOST_LIMIT:,}.")
    names = COLUMNS
    if preferred:
        among = ", ".join(iri(one).n3() for one in preferred)
        lines = (*lines, f"OPTIONAL {{ ?entity a ?{FIT} . FILTER(?{FIT} IN ({among})) }}")
        order = f"DESC(BOUND(?{FIT})) {order}"
        names = (*COLUMNS, FIT)
    columns = " ".join(f"?{name}" for name in names)
    body = "\n  ".join(lines)
    return CompiledQuery(
        f"SELECT DISTINCT {columns}\nWHERE {{\n  {body}\n}}\nORDER BY {order}\nLIMIT {int(limit)}"
    )


def _among(name: str, iris: Collection[str], pattern: str = "") -> list[str]:
    """A variable that is one of some IRIs, with what it is used in; nothing for no IRI."""
    if not iris:
        return []
    values = f"VALUES ?{name} {{ {' '.join(iri(one).n3() for one in iris)} }}"
    return [values, pattern] if pattern else [values]


def _clean(term: str) -> str:
    """A term without blanks around it, and without halves of characters, which nothing carries."""
    return term.encode("utf-8", "ignore").decode().strip()


def _pattern(term: str) -> str:
    """A regular expression that finds a term as it stands."""
    return _PATTERN_SIGNS.sub(lambda sign: "\\" + sign.group(), term)


EngineSearch = Literal["jena", "lucene_connector", "lucene_sail", "qlever", "bds", "wikibase"]

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
