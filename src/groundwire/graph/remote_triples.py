"""The triples in an answer to CONSTRUCT or DESCRIBE, read within bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from groundwire.errors import InputError, LimitError
from groundwire.graph.remote_nesting import look_through_json_ld, look_through_xml
from groundwire.graph.results import received, unusable
from groundwire.graph.terms import Term
from groundwire.transport.messages import Response

if TYPE_CHECKING:
    from pyoxigraph import RdfFormat

Triple = tuple[Term, Term, Term]

# N-Triples first: every server writes it without prefixes to expand, and it breaks at lines.
ACCEPT_TRIPLES = (
    "application/n-triples, text/turtle;q=0.9, application/rdf+xml;q=0.5, application/ld+json;q=0.4"
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
    "application/ld+json": "JSON_LD",
}
_LOOKED_THROUGH = {"RDF_XML": look_through_xml, "JSON_LD": look_through_json_ld}


def read_triples(response: Response, authority: str, most: int | None) -> tuple[list[Triple], bool]:
    """The distinct triples, at most `most` of them, and whether those are all.

    Raises:
        UnavailableError: the answer is neither N-Triples, Turtle, RDF/XML nor JSON-LD, or is not
            well formed; nothing that it names is fetched.
        LimitError: there is more in it than can be held.
        InputError: it holds RDF 1.2 triple terms.
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

    named = _FORMATS.get(response.content_type)
    if named is None:
        what = response.content_type or "of no type"
        raise unusable(authority, f"is {what} instead of N-Triples, Turtle, RDF/XML or JSON-LD")
    form: RdfFormat = getattr(RdfFormat, named)
    if named not in _LOOKED_THROUGH:
        return received(response, "turtle"), form
    try:
        _LOOKED_THROUGH[named](response.body)
    except ValueError as error:
        raise unusable(authority, str(error)) from None
    return response.body, form


def _reader() -> Callable[[object], Term]:
    """Return the function that makes plain values of terms."""
    from pyoxigraph import BlankNode, Literal, NamedNode

    def plain(term: object) -> Term:
        if isinstance(term, NamedNode):
            return Term("iri", term.value)
        if isinstance(term, Literal):
            return Term("literal", term.value, term.datatype.value, term.language or "")
        if isinstance(term, BlankNode):
            return Term("bnode", term.value)
        raise InputError("The answer holds RDF 1.2 triple terms: select their parts instead.")

    return plain


def _too_large(authority: str) -> LimitError:
    return LimitError(
        f"The answer of {authority} is too large to hold: set a LIMIT, or describe fewer things."
    )
