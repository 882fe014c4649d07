"""Which GraphQL texts are within the bounds, and what is said of those that are not."""

from __future__ import annotations

import time

import pytest

from groundwire.errors import GroundwireError
from groundwire.sparql.graphql.document import (
    MAX_ALIASES,
    MAX_DEPTH,
    MAX_FIELDS,
    MAX_TEXT,
    read_document,
)


def nested(depth: int) -> str:
    return "{ a " * depth + "}" * depth


def spread(levels: int) -> str:
    """Fragments that each hold the next one ten times."""
    parts = [f"fragment f{n} on T {{ {f'...f{n + 1} ' * 10} }}" for n in range(levels)]
    return "{ ...f0 } " + " ".join(parts) + f" fragment f{levels} on T {{ a }}"


@pytest.mark.parametrize(
    "text",
    [
        "{ cars { iri } }",
        'query Q { cars(limit: 3, label: "x") { label } }  # a comment',
        "{ cars { ...F } } fragment F on Car { iri ... on Car { label } }",
        "{ cars @skip(if: false) { iri @include(if: true) } }",
        '{ __typename __type(name: "Car") { fields { name type { name ofType { name } } } } }',
        nested(MAX_DEPTH),
        "{ " + " ".join(f"a{n}: a" for n in range(MAX_ALIASES)) + " }",
        "{ " + " ".join(f"a{n}" for n in range(MAX_FIELDS)) + " }",
    ],
)
def test_a_query_is_read(text: str) -> None:
    document = read_document(text)
    assert document.operation.operation.value == "query"
    assert read_document(document.text).text == document.text
    assert "#" not in document.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("{ a", "no GraphQL"),
        ("{ a \u0000 }", "no GraphQL"),
        ("SELECT * WHERE { ?s ?p ?o }", "no GraphQL"),
        ("{}", "no GraphQL"),
        ("mutation { a }", "A mutation is refused"),
        ("subscription { a }", "A subscription is refused"),
        ("{ a } mutation M { b }", "2 operations"),
        ("query A { a } query B { b }", "2 operations"),
        ("fragment F on T { a }", "0 operations"),
        ("type T { a: Int } { a }", "defines types"),
        ("extend type T { a: Int } { a }", "defines types"),
        ("{ a @skip(if: $s) }", "s is not declared"),
        ("query ($s: Boolean) { a @skip(if: $s) }", "Write @skip"),
        (nested(MAX_DEPTH + 1), "deeper than 8"),
        (nested(20), "deeper than 8"),
        (nested(30), "brackets 24 deep"),
        (nested(900), "brackets 24 deep"),
        ("{ a(x: " + "[" * 5000 + ") }", "brackets 24 deep"),
        ("{ a(x: " + "{y:" * 900 + "1", "brackets 24 deep"),
        ("{ " + " ".join(f"a{n}: a" for n in range(MAX_ALIASES + 1)) + " }", "30 aliases"),
        ("{ " + " ".join(f"a{n}" for n in range(MAX_FIELDS + 1)) + " }", "200 fields"),
        ("{ " + "a " * 3000 + "}", "2000 words and signs"),
        ("{ a } #" + "x" * MAX_TEXT, "shorten it to 20000"),
        (spread(1) + " ", ""),
        (spread(9), "200 fields"),
        (spread(20), "200 fields"),
        ("{ ...F } fragment F on T { ...F }", "F holds itself"),
        ("{ ...F } fragment F on T { a ...G } fragment G on T { b ...F }", "F holds itself"),
        ("{ ...F } fragment F on T { a { ...F } }", "F holds itself"),
        ("{ ...F }", "no fragment F"),
        ("{ a } fragment F on T { a }", "F is not used"),
        ("{ ...F } fragment F on T { a } fragment F on T { b }", "Two fragments"),
        ("{ " + "... { " * 23 + "a" + " }" * 23 + " }", ""),
        ("{ a @defer }", "@defer is refused"),
        ("{ ...F @stream } fragment F on T { a }", "@stream is refused"),
        ("query @live { a }", "@live is refused"),
        ("{ ...F } fragment F on T @export { a }", "@export is refused"),
        ("{ a @skip(if: true) @skip(if: false) }", "once in a place"),
        ('{ a @include(if: "true") }', "Write @include"),
        ("{ a @skip }", "Write @skip"),
        ("{ __schema { types { fields { type { fields { name } } } } } }", "fields within fields"),
        ("{ __type(name: \"T\") { interfaces { possibleTypes { interfaces { name }}}} }", "within"),
        ("{ a: __schema { types { name } } }", "alias of __schema"),
        ("{ __schema { types { a: name } } }", "alias of name"),
        ("{ __schema { types { ...F } } } fragment F on T { fields { type { ...G } } } "
         "fragment G on T { fields { name } }", "fields within fields"),
        ("{ __schema { types { " + "name " * 40 + "} } }", "40 fields of introspection"),
        ("{ __service { sdl } }", "__service is refused"),
    ],
)  # fmt: skip
def test_a_text_is_refused_with_the_reason(text: str, why: str) -> None:
    start = time.process_time()
    if why:
        with pytest.raises(GroundwireError, match=why) as caught:
            read_document(text)
        assert "\n" not in str(caught.value)
    else:
        read_document(text)
    assert time.process_time() - start < 0.5


def test_a_chain_of_fragments_ends() -> None:
    chain = [f"fragment f{n} on T {{ ...f{n + 1} }}" for n in range(60)]
    with pytest.raises(GroundwireError, match="nest deeper than 24"):
        read_document("{ ...f0 } " + " ".join(chain) + " fragment f60 on T { a }")
