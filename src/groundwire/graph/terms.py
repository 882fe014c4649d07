"""RDF terms and result rows as plain values that cross process borders.

Source of the term kinds: RDF 1.1 Concepts, section 3; RDF 1.2 Concepts, section 3, for triple
terms and base directions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

XSD = "http://www.w3.org/2001/XMLSchema#"
XSD_STRING = XSD + "string"
RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"


class Term(NamedTuple):
    """One RDF term.

    Attributes:
        kind: what the term is.
        value: the IRI, the blank node's label, the literal's lexical form, or the whole triple term
            as Turtle writes it.
        datatype: IRI of a literal's datatype; `xsd:string` and `rdf:langString` included,
            empty for other terms.
        language: a literal's language tag, with `--ltr` or `--rtl` where it has a base direction;
            else empty.
    """

    kind: Literal["iri", "bnode", "literal", "triple"]
    value: str
    datatype: str = ""
    language: str = ""

    def n3(self) -> str:
        """The term in SPARQL and Turtle syntax, escaped so that it can stand in any query."""
        if self.kind == "iri":
            return iri_n3(self.value)
        if self.kind == "bnode":
            return f"_:{self.value}"
        if self.kind == "triple":
            return self.value
        text = literal_n3(self.value)
        if self.language:
            return f"{text}@{self.language}"
        if self.datatype and self.datatype != XSD_STRING:
            return f"{text}^^{iri_n3(self.datatype)}"
        return text


def iri(value: str) -> Term:
    """An IRI term."""
    return Term("iri", value)


def literal(value: str, datatype: str = XSD_STRING, language: str = "") -> Term:
    """A literal term; a language tag makes it an `rdf:langString`."""
    return Term("literal", value, RDF_LANG_STRING if language else datatype, language)


def triple(subject: Term, predicate: Term, value: Term) -> Term:
    """A triple term."""
    return Term("triple", f"<<( {subject.n3()} {predicate.n3()} {value.n3()} )>>")


# SPARQL 1.1, rule [139] IRIREF: these characters may not stand in an IRI reference.
_IRI_FORBIDDEN = {ord(c): f"%{ord(c):02X}" for c in '<>"{}|^`\\'} | {
    code: f"%{code:02X}" for code in range(0x21)
}
_LITERAL_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {chr(code): f"\\u{code:04X}" for code in (*range(9), 11, 12, *range(14, 32), 127)}
)


def iri_n3(value: str) -> str:
    """`<value>` with every character that could end the IRI percent-encoded."""
    return f"<{value.translate(_IRI_FORBIDDEN)}>"


def literal_n3(value: str) -> str:
    """`"value"` with every character that could end or break the literal escaped."""
    return f'"{value.translate(_LITERAL_ESCAPES)}"'


# Engines keep decimals and integers of so many digits, and compare nothing with longer ones.
_MOST_DIGITS = 18


def number_n3(text: str) -> str:
    """A number in digits as a literal: an integer, a decimal, or a double where it is long."""
    whole, _, fraction = text.lstrip("-").partition(".")
    kind = "decimal" if fraction else "integer"
    if max(len(whole), len(fraction)) > _MOST_DIGITS:
        kind = "double"
    return f"{literal_n3(text)}^^<{XSD}{kind}>"


def contains(text: str, variable: str) -> str:
    """An expression: the variable holds a text, in capitals or not."""
    return f"CONTAINS(LCASE(STR({variable})), {literal_n3(text.lower())})"


def is_one_of(variable: str, terms: Sequence[str], same_term: bool = False) -> str:
    """An expression: the variable is one of these terms; of literals the very term if told so."""
    if not same_term:
        return f"{variable} IN ({', '.join(terms)})"
    return " || ".join(f"sameTerm({variable}, {term})" for term in terms)


Row = tuple[Term | None, ...]


class Rows(NamedTuple):
    """The rows of one SELECT.

    Attributes:
        columns: variable names, in the order of the projection.
        rows: one tuple a solution; None where a variable is unbound.
        complete: False where a row limit or a soft time limit ended the reading early.
        elapsed_ms: wall clock of the execution, in milliseconds.
    """

    columns: tuple[str, ...]
    rows: list[Row]
    complete: bool
    elapsed_ms: float


class Count(NamedTuple):
    """A number of solutions: exact, or a lower bound where the time limit came first."""

    value: int
    exact: bool
