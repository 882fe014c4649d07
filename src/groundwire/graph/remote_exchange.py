"""Requests to an endpoint with its answers, kept for whoever has to prove a query; triples in them.

Answers to CONSTRUCT and DESCRIBE in RDF/XML and JSON-LD are looked through before a parser goes
down into them. pyoxigraph reads both without fetching anything, but deep nesting costs it more than
its square or ends the process, and the contexts of JSON-LD may make it do the same work for every
node. What servers write of triples is shallow and has one context at most.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl, quote, quote_plus, urlsplit

from groundwire.errors import LimitError
from groundwire.graph.dialects import Reply
from groundwire.graph.results import unusable
from groundwire.graph.terms import Term
from groundwire.graph.terms import triple as triple_term
from groundwire.safe_text import HIDDEN, shown_url
from groundwire.transport.messages import Auth, Response

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat

# Bytes of a body that an exchange keeps.
KEPT_BYTES = 5_242_880
# A shorter secret is no secret, and would be found in every other word.
_LEAST_SECRET = 4


@dataclass(frozen=True, slots=True)
class Exchange:
    """One query and the HTTP answer to it, before anybody judged that answer.

    Attributes:
        query: the text as it was sent.
        status: the HTTP status.
        content_type: the media type of the body.
        body: the body, credentials of the endpoint hidden; at most `KEPT_BYTES` of it.
        size: bytes of the whole body, as many as are known of.
        cut: whether `body` is only the beginning.
        out_of_time: whether its time ended before the answer was whole, as far as that is known.
        row_limit: the server's own row limit, where it says that it applied it.
    """

    query: str
    status: int
    content_type: str
    body: bytes = field(repr=False)
    size: int
    cut: bool
    out_of_time: bool
    row_limit: int | None


Observer = Callable[[Exchange], None]
"""Is told of an exchange as soon as it is over, whether or not its answer can be used."""


def exchange_of(query: str, reply: Reply) -> Exchange:
    """The record of what `query` was answered with."""
    response = reply.response
    body = response.body
    announced = response.headers.get("content-length", "").strip()
    packed = response.headers.get("content-encoding", "identity") != "identity"
    size = len(body)
    if response.cut and not packed and announced.isascii() and announced.isdigit():
        size = max(size, int(announced[:18]))
    return Exchange(
        query=query,
        status=response.status,
        content_type=response.content_type,
        body=body[:KEPT_BYTES],
        size=size,
        cut=bool(response.cut) or len(body) > KEPT_BYTES,
        out_of_time=reply.out_of_time,
        row_limit=reply.row_limit,
    )


def secrets_of(url: str, credentials: Auth | None) -> tuple[bytes, ...]:
    """Return what must not come back in an answer: credentials, and keys in the URL, as sent."""
    found: set[str] = set()
    for name, value in parse_qsl(urlsplit(url).query):
        parameter = f"?{name}={value}"
        if shown_url(parameter) != parameter:
            found.add(value)
    if isinstance(credentials, str):
        found.add(credentials)
    elif credentials is not None:
        user, password = credentials
        found |= {password, base64.b64encode(f"{user}:{password}".encode()).decode("ascii")}
    spelled = {form for text in found for form in (text, quote(text, ""), quote_plus(text))}
    long_enough = (text.encode() for text in spelled if len(text) >= _LEAST_SECRET)
    return tuple(sorted(long_enough, key=len, reverse=True))


def without(secrets: Sequence[bytes], body: bytes) -> bytes:
    """`body` with every one of `secrets` hidden."""
    for secret in secrets:
        if secret in body:
            body = body.replace(secret, HIDDEN.encode())
    return body


_MAX_DEPTH = 64
_CONTEXT = "@context"


def _look_through_xml(body: bytes) -> None:
    """Check the structure of an XML document.

    Raises:
        ValueError: it is not well formed, has a document type, or nests too deeply.
    """
    from xml.parsers import expat

    depth = 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise ValueError("is XML that nests too deeply")

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def declared(*_: object) -> None:
        # It can define entities that grow without bound, or stand elsewhere.
        raise ValueError("is XML with a document type")

    parser = expat.ParserCreate()
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = declared
    try:
        parser.Parse(body, True)
    except expat.ExpatError:
        raise ValueError("is cut off or malformed") from None


def _look_through_json_ld(body: bytes) -> None:
    """Check the structure of a JSON-LD document.

    Raises:
        ValueError: it is not JSON, nests too deeply, or has contexts that stand elsewhere or within
            it.
    """
    try:
        document: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("is cut off or malformed") from None
    if not isinstance(document, (dict, list)):
        raise ValueError("is JSON that is no JSON-LD")
    top = cast("dict[str, Any] | list[Any]", document)
    if isinstance(top, dict):
        _check_context(top.get(_CONTEXT))
    level: list[Any] = [*top.values()] if isinstance(top, dict) else top
    for _ in range(_MAX_DEPTH):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                inside = cast("dict[str, Any]", value)
                if _CONTEXT in inside:
                    raise ValueError("is JSON-LD with contexts within it, which are not read")
                inner += inside.values()
            elif isinstance(value, list):
                inner += cast("list[Any]", value)
        if not inner:
            return
        level = inner
    raise ValueError("is JSON-LD that nests too deeply")


def _check_context(context: object) -> None:
    parts = cast("list[object]", context) if isinstance(context, list) else [context]
    if any(isinstance(one, str) for one in parts) or any(
        isinstance(one, dict) and "@import" in one for one in parts
    ):
        raise ValueError("is JSON-LD with a context elsewhere, which is not fetched")


Triple = tuple[Term, Term, Term]

# N-Triples first: every server writes it without prefixes to expand, and it breaks at lines.
ACCEPT_TRIPLES = (
    "application/n-triples, text/turtle;q=0.9, application/n-quads;q=0.7, application/trig;q=0.6, "
    "application/rdf+xml;q=0.5, application/ld+json;q=0.4, text/n3;q=0.3"
)
# What one answer may hold. Prefixes make a few bytes of Turtle into many of text.
MAX_TRIPLES = 500_000
MAX_TEXT = 64 << 20

# Media types to the names of constants in `pyoxigraph.RdfFormat`.
_FORMATS = {
    "application/n-triples": "N_TRIPLES",
    "text/ntriples": "N_TRIPLES",
    "text/turtle": "TURTLE",
    "application/turtle": "TURTLE",
    "application/x-turtle": "TURTLE",
    "application/rdf+xml": "RDF_XML",
    "application/xml": "RDF_XML",
    "text/xml": "RDF_XML",
    "application/ld+json": "JSON_LD",
    "application/json": "JSON_LD",
    "application/n-quads": "N_QUADS",
    "text/x-nquads": "N_QUADS",
    "application/trig": "TRIG",
    "application/x-trig": "TRIG",
    "text/n3": "N3",
    "text/rdf+n3": "N3",
}
# Types that say nothing of the format, which then shows by how the answer begins.
_SAYS_NOTHING = frozenset(("", "text/plain", "application/octet-stream"))
_BOM = b"\xef\xbb\xbf"
_LOOKED_THROUGH = {"RDF_XML": _look_through_xml, "JSON_LD": _look_through_json_ld}


def read_triples(response: Response, authority: str, most: int | None) -> tuple[list[Triple], bool]:
    """The distinct triples, at most `most` of them, and whether those are all.

    Raises:
        UnavailableError: the answer is neither N-Triples, Turtle, RDF/XML nor JSON-LD, or is not
            well formed; nothing that it names is fetched.
        LimitError: there is more in it than can be held.
    """
    from pyoxigraph import parse

    body, form = _judged(response, authority)
    plain = _reader()
    found: dict[Triple, None] = {}
    text = 0
    try:
        # Lenient of odd IRIs, which real data is full of; terms are escaped when written again.
        for quad in parse(body, form, lenient=True):
            triple = plain(quad.subject), plain(quad.predicate), plain(quad.object)
            # Those that come again are counted: expanding them takes the time.
            text += sum(len(term.value) + len(term.datatype) for term in triple)
            if text > MAX_TEXT:
                raise _too_large(authority)
            if triple in found:
                continue
            if len(found) == most:
                return list(found), False
            if len(found) == MAX_TRIPLES:
                raise _too_large(authority)
            found[triple] = None
    except (SyntaxError, ValueError):
        raise unusable(authority, "is cut off or malformed") from None
    return list(found), True


def _judged(response: Response, authority: str) -> tuple[bytes, RdfFormat]:
    """The body, of which nothing is dangerous to read, and what it is.

    Raises:
        UnavailableError: it is in no format that is read, or something in it is dangerous.
    """
    from pyoxigraph import RdfFormat

    body = response.body.removeprefix(_BOM)
    named = _FORMATS.get(response.content_type)
    if response.content_type in _SAYS_NOTHING:
        named = _format_of(body)
    if response.content_type == "application/json" and b'"@' not in body:
        # A result of SPARQL is no graph.
        named = None
    if named is None:
        what = response.content_type or "of no type"
        raise unusable(
            authority, f"is {what} instead of N-Triples, Turtle, TriG, N3, RDF/XML or JSON-LD"
        )
    form: RdfFormat = getattr(RdfFormat, named)
    if named not in _LOOKED_THROUGH:
        # Turtle and what is like it is UTF-8 and refers to nothing that a reader would fetch.
        return body, form
    try:
        _LOOKED_THROUGH[named](body)
    except ValueError as error:
        raise unusable(authority, str(error)) from None
    return body, form


def _format_of(body: bytes) -> str | None:
    """The format of an answer whose type says nothing, by its first characters.

    N-Triples and N-Quads are read as TriG, of which they are parts.
    """
    begin = body[:200].lstrip()
    if begin.startswith((b"<?xml", b"<rdf:RDF", b"<RDF")):
        return "RDF_XML"
    if begin.startswith((b"{", b"[")):
        return "JSON_LD"
    if not begin or begin.startswith((b"<", b"_:", b"@prefix", b"@base", b"#")):
        return "TRIG" if not begin.lower().startswith((b"<!doctype", b"<html")) else None
    return "TRIG" if begin[:6].upper() in (b"PREFIX", b"BASE <", b"VERSIO") else None


def _reader() -> Callable[[object], Term]:
    """Return the function that makes plain values of terms."""
    from pyoxigraph import BlankNode, Literal, NamedNode
    from pyoxigraph import Triple as OxTriple

    def plain(term: object) -> Term:
        if isinstance(term, NamedNode):
            return Term("iri", term.value)
        if isinstance(term, Literal):
            language = term.language or ""
            if term.direction is not None:
                language += f"--{term.direction}"
            return Term("literal", term.value, term.datatype.value, language)
        if isinstance(term, BlankNode):
            return Term("bnode", term.value)
        if isinstance(term, OxTriple):
            return triple_term(plain(term.subject), plain(term.predicate), plain(term.object))
        raise TypeError("not an RDF term")

    return plain


def _too_large(authority: str) -> LimitError:
    return LimitError(
        f"The answer of {authority} is too large to hold: set a LIMIT, or describe fewer things."
    )
