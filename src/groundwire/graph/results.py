"""SPARQL requests built, and SPARQL results read, with SPARQLWrapper.

It builds and reads only. Its own transport is never used: it would follow redirects with
credentials, read files, and take answers of any size. It would also guess the query form by a
regular expression that backtracks without bound, and convert by whatever content type a server
claims; so the form is set here, and the content type is judged before anything is converted.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from xml.parsers.expat import ExpatError

from groundwire.errors import ForbiddenError, UnavailableError
from groundwire.graph.queries import GatedQuery, Query
from groundwire.graph.terms import RDF_LANG_STRING, XSD_STRING, Row, Term, triple
from groundwire.transport.messages import Response

if TYPE_CHECKING:
    from xml.dom.minidom import Document, Element

ACCEPT = "application/sparql-results+json, application/sparql-results+xml;q=0.5"

_JSON_TYPES = frozenset({"application/sparql-results+json", "application/json"})
_XML_TYPES = frozenset({"application/sparql-results+xml", "application/xml"})
# The types under which SPARQLWrapper knows what it converts.
_CONVERTED = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "turtle": "text/turtle",
}
_RESULTS = "http://www.w3.org/2005/sparql-results#"


WireForm = Literal["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"]


class EndpointRequest(NamedTuple):
    """A query as SPARQL 1.1 Protocol, section 2.1.2, sends it: a form in a POST."""

    url: str
    headers: dict[str, str]
    content: bytes


class Table(NamedTuple):
    """The solutions in one answer, in the order of the projection."""

    columns: tuple[str, ...]
    rows: list[Row]


def build_request(
    url: str,
    query: str,
    form: WireForm,
    parameters: Mapping[str, list[str]],
    accept: str,
) -> EndpointRequest:
    """The request that asks `query`, whose form is known, at the endpoint `url`."""
    from SPARQLWrapper import JSON, POST, TURTLE, SPARQLWrapper

    wrapped = JSON if form in ("SELECT", "ASK") else TURTLE
    wrapper = SPARQLWrapper(url, returnFormat=wrapped, agent="groundwire")
    wrapper.setMethod(POST)
    wrapper.setOnlyConneg(True)
    wrapper.queryString = query
    wrapper.queryType = form
    for name, values in parameters.items():
        for value in values:
            wrapper.addParameter(name, value)
    wrapper.addCustomHttpHeader("Accept", accept)
    # Private, but the only part of it that builds without sending; the release is pinned.
    request = wrapper._createRequest()  # pyright: ignore[reportPrivateUsage]
    content = request.data
    assert isinstance(content, bytes)
    return EndpointRequest(request.full_url, dict(request.header_items()), content)


def dataset_parameters(query: Query) -> dict[str, list[str]]:
    """The graphs of a gated query as SPARQL 1.1 Protocol, section 2.1.4, names them.

    Raises:
        ForbiddenError: the choice of graphs cannot be put to an endpoint.
    """
    if not isinstance(query, GatedQuery):
        return {}
    default, named = query.verdict.default_graphs, query.verdict.named_graphs
    if named is None and default in (None, ("",)):
        return {}
    if default is None or "" in default or not (default or named):
        # There a data set is given whole or not at all.
        raise ForbiddenError(
            "An endpoint cannot be asked for this choice of graphs: name every graph in FROM and"
            " FROM NAMED, or none."
        )
    parameters = {"default-graph-uri": list(default), "named-graph-uri": list(named or ())}
    return {name: values for name, values in parameters.items() if values}


def read_table(response: Response, authority: str) -> Table:
    """The solutions of a SELECT.

    Raises:
        UnavailableError: the answer cannot be read as a SPARQL result.
    """
    document = _converted(response, authority)
    with _Malformed(authority):
        if isinstance(document, dict):
            columns = tuple(_strings(document["head"]["vars"]))
            bindings = document["results"]["bindings"]
            solutions = [
                {name: _json_term(value) for name, value in binding.items()}
                for binding in _list(bindings)
            ]
        else:
            columns, solutions = _dom_table(document)
        known = set(columns)
        if any(not known.issuperset(solution) for solution in solutions):
            raise ValueError("a binding of a variable that is not in the head")
        return Table(columns, [tuple(map(s.get, columns)) for s in solutions])


def read_boolean(response: Response, authority: str) -> bool:
    """The answer to an ASK.

    Raises:
        UnavailableError: the answer cannot be read as a SPARQL result.
    """
    document = _converted(response, authority)
    with _Malformed(authority):
        if isinstance(document, dict):
            value = document["boolean"]
        else:
            [element] = document.getElementsByTagNameNS(_RESULTS, "boolean")
            value = {"true": True, "false": False}[_text(element).strip()]
        if not isinstance(value, bool):
            raise TypeError("not a boolean")
        return value


class _Malformed:
    """Makes every failure to find one's way in a document the server's fault."""

    def __init__(self, authority: str) -> None:
        self._authority = authority

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is not None and issubclass(
            kind, (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
        ):
            raise unusable(self._authority, "is not what a SPARQL result looks like") from None


def unusable(authority: str, why: str) -> UnavailableError:
    """The error for an answer that cannot be used."""
    return UnavailableError(
        f"The answer of {authority} {why}, so nothing of it is used:"
        " check that the URL is a SPARQL endpoint, or try again."
    )


class _Answer(io.BytesIO):
    """An answer that SPARQLWrapper reads in place of a connection: bytes that are here already."""

    def __init__(self, body: bytes, content_type: str) -> None:
        super().__init__(body)
        self._content_type = content_type

    def info(self) -> dict[str, str]:
        """Headers."""
        return {"content-type": self._content_type}


def received(response: Response, form: Literal["json", "xml", "turtle"]) -> Any:
    """The body of `response`, whose content type was judged, as SPARQLWrapper converts `form`.

    Turtle, of which N-Triples is a part, stays text.
    """
    from SPARQLWrapper.Wrapper import QueryResult

    answer: Any = _Answer(response.body, _CONVERTED[form])
    return QueryResult((answer, form)).convert()


def _converted(response: Response, authority: str) -> dict[str, Any] | Document:
    kind = response.content_type
    body = response.body
    if kind in _JSON_TYPES:
        requested = "json"
    elif kind in _XML_TYPES:
        # A document type can define entities that grow without bound.
        # The zero byte tells UTF-16, in which the words would not be found.
        if b"<!DOCTYPE" in body or b"\0" in body:
            raise unusable(authority, "is XML with a document type")
        requested = "xml"
    else:
        raise unusable(authority, f"is {kind or 'of no type'} instead of a SPARQL result")
    try:
        document = received(response, requested)
    except (json.JSONDecodeError, UnicodeError, ExpatError, ValueError, TypeError, RecursionError):
        raise unusable(authority, "is cut off or malformed") from None
    if requested == "json" and ("error" in document or "exception" in document):
        raise unusable(authority, "carries an error")
    return document


def _list(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value  # pyright: ignore[reportUnknownVariableType]


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):  # pyright: ignore[reportUnknownVariableType]
        raise TypeError("not a list of names")
    return value  # pyright: ignore[reportUnknownVariableType]


def _json_term(value: dict[str, str]) -> Term:
    """SPARQL 1.1 Query Results JSON Format, section 3.2.2; `typed-literal` is older servers'."""
    kind, text = value["type"], value["value"]
    if kind == "triple":
        # SPARQL 1.2 Query Results JSON Format, section 3.2.2.
        parts: Any = text
        subject, predicate, held = (
            _json_term(parts[name]) for name in ("subject", "predicate", "object")
        )
        return triple(subject, predicate, held)
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("not a string")
    if kind in ("literal", "typed-literal"):
        language = value.get("xml:lang", "")
        if language and value.get("its:dir") in ("ltr", "rtl"):
            language = f"{language}--{value['its:dir']}"
        return _literal(text, language, value.get("datatype", ""))
    return _resource(kind, text)


def _literal(text: str, language: str, datatype: str) -> Term:
    if language:
        return Term("literal", text, RDF_LANG_STRING, language)
    return Term("literal", text, datatype or XSD_STRING)


def _resource(kind: str, text: str) -> Term:
    if kind == "uri":
        return Term("iri", text)
    if kind == "bnode":
        return Term("bnode", text)
    raise ValueError("a term of a kind that cannot be held")


def _dom_table(document: Document) -> tuple[tuple[str, ...], list[dict[str, Term]]]:
    """SPARQL Query Results XML Format, sections 2.2 and 2.3."""
    root = document.documentElement
    if root is None or root.namespaceURI != _RESULTS or root.localName != "sparql":
        raise ValueError("another document")
    [head] = _children(root, "head")
    [results] = _children(root, "results")
    columns = tuple(variable.getAttribute("name") for variable in _children(head, "variable"))
    solutions: list[dict[str, Term]] = []
    for result in _children(results, "result"):
        solution: dict[str, Term] = {}
        for binding in _children(result, "binding"):
            [value] = _children(binding, None)
            solution[binding.getAttribute("name")] = _dom_term(value)
        solutions.append(solution)
    document.unlink()
    return columns, solutions


def _dom_term(value: Element) -> Term:
    if value.localName == "triple":
        # SPARQL 1.2 Query Results XML Format, section 2.3.1.
        subject, predicate, held = (
            _dom_term(child)
            for name in ("subject", "predicate", "object")
            for part in _children(value, name)
            for child in _children(part, None)
        )
        return triple(subject, predicate, held)
    if value.localName == "literal":
        return _literal(
            _text(value), value.getAttribute("xml:lang"), value.getAttribute("datatype")
        )
    return _resource(value.localName or "", _text(value))


def _children(parent: Element, name: str | None) -> list[Element]:
    return [
        child
        for child in parent.childNodes
        if child.nodeType == child.ELEMENT_NODE and (name is None or child.localName == name)
    ]  # pyright: ignore[reportReturnType]


def _text(element: Element) -> str:
    return "".join(child.data for child in element.childNodes if child.nodeType == child.TEXT_NODE)  # pyright: ignore
