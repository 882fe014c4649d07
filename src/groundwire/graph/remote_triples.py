"""The triples in an answer to CONSTRUCT or DESCRIBE, read within bounds."""

from __future__ import annotations

from groundwire.errors import InputError, LimitError
from groundwire.graph.results import received, unusable
from groundwire.graph.terms import Term
from groundwire.transport.messages import Response

Triple = tuple[Term, Term, Term]

# N-Triples first: every server writes it without prefixes to expand, and it breaks at lines.
ACCEPT_TRIPLES = "application/n-triples, text/turtle;q=0.9"
# What one answer may hold. Prefixes make a few bytes of Turtle into many of text.
MAX_TRIPLES = 500_000
MAX_TEXT = 64 << 20

_NTRIPLES = frozenset({"application/n-triples", "text/ntriples"})
_TURTLE = frozenset({"text/turtle", "application/turtle", "application/x-turtle"})


def read_triples(response: Response, authority: str, most: int | None) -> tuple[list[Triple], bool]:
    """The distinct triples, at most `most` of them, and whether those are all.

    Raises:
        UnavailableError: the answer is neither N-Triples nor Turtle, or is not well formed.
        LimitError: there is more in it than can be held.
        InputError: it holds RDF 1.2 triple terms.
    """
    from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, parse

    kind = response.content_type
    if kind not in _NTRIPLES and kind not in _TURTLE:
        raise unusable(authority, f"is {kind or 'of no type'} instead of N-Triples or Turtle")
    form = RdfFormat.N_TRIPLES if kind in _NTRIPLES else RdfFormat.TURTLE

    def plain(term: object) -> Term:
        if isinstance(term, NamedNode):
            return Term("iri", term.value)
        if isinstance(term, Literal):
            return Term("literal", term.value, term.datatype.value, term.language or "")
        if isinstance(term, BlankNode):
            return Term("bnode", term.value)
        raise InputError("The answer holds RDF 1.2 triple terms: select their parts instead.")

    found: dict[Triple, None] = {}
    text = 0
    try:
        # Lenient of odd IRIs, which real data is full of; terms are escaped when written again.
        for quad in parse(received(response, "turtle"), form, lenient=True):
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


def _too_large(authority: str) -> LimitError:
    return LimitError(
        f"The answer of {authority} is too large to hold: set a LIMIT, or describe fewer things."
    )
