"""The steps of a how-to in order, however a graph writes them down, or what is missing."""

from __future__ import annotations

import pytest

from groundwire.graph.terms import Term
from groundwire.sparql.outcome import Outcome, QueryAudit, Status
from groundwire.sparql.workflow.model import Steps
from groundwire.sparql.workflow.queries import steps_query
from groundwire.sparql.workflow.texts import read_steps

pyoxigraph = pytest.importorskip("pyoxigraph")
AUDIT = QueryAudit("sparql", "Q", "a", "u", "then", "later", 200, "complete", "said")
PREFIXES = (
    "@prefix s: <https://schema.org/> . @prefix h: <http://schema.org/> . @prefix : <urn:t:> ."
)


def term(found: object) -> Term:
    if isinstance(found, pyoxigraph.NamedNode):
        return Term("iri", found.value)
    if isinstance(found, pyoxigraph.BlankNode):
        return Term("bnode", found.value)
    return Term("literal", found.value, found.datatype.value, found.language or "")


def steps(
    turtle: str, status: Status = "complete", reason: str = "", language: str = "en"
) -> Steps:
    store = pyoxigraph.Store()
    store.load(f"{PREFIXES}\n{turtle}".encode(), pyoxigraph.RdfFormat.TURTLE)
    found = store.query(steps_query("urn:t:h", 2000))
    rows = tuple(tuple(map(term, row)) for row in found)
    outcome = Outcome(status, ("node", "property", "value"), rows, reason, AUDIT)
    return read_steps("urn:t:h", outcome, language)


WHOLE = {
    "positions": """
        :h s:step :c , :a , :b .
        :a s:position 1 ; s:text "one" . :b s:position "02" ; s:text "two" .
        :c s:position 3.0 ; s:text "three" .
    """,
    "a list": ':h h:step ( [ h:text "one" ] [ h:text "two" ] [ h:name "three" ] ) .',
    "texts in a list": ':h s:step ( "one" "two" "three" ) .',
    "an item list": """
        :h s:step [ a s:ItemList ; s:numberOfItems 3 ; s:itemListElement
            [ s:position 3 ; s:item [ s:text "three" ] ] ,
            [ s:position 1 ; s:item [ s:text "one" ] ] ,
            [ s:position 2 ; s:item [ s:text "two" ] ] ] .
    """,
    "a chain": """
        :h s:step :b , :c , :a .
        :a s:text "one" ; s:nextItem :b . :b s:text "two" ; s:nextItem :c . :c s:text "three" .
    """,
    "parts": """
        :h s:hasPart :a , :b , :c , :image .
        :a a s:HowToStep ; s:position 1 ; s:text "one" ; s:hasPart :a .
        :b a s:HowToStep ; s:position 2 ; s:text "two" . :c a s:HowToStep ; s:position "3" ;
        s:text "three" . :image s:name "an image" ; s:position 4 .
    """,
}


@pytest.mark.parametrize("name", WHOLE)
def test_steps_stand_in_the_order_of_the_graph(name: str) -> None:
    found = steps(WHOLE[name])
    assert found == Steps(("one", "two", "three"), (1, 2, 3))


def test_steps_keep_their_numbers_where_some_are_missing() -> None:
    found = steps(':h s:step [ s:position 10 ; s:text "b" ] , [ s:position 2 ; s:text "a" ] .')
    assert (found.texts, found.numbers) == (("a", "b"), (2, 10))
    assert len(found.missing) == 8


def test_steps_of_sections_are_numbered_through() -> None:
    found = steps("""
        :h s:step :t , :u .
        :t a s:HowToSection ; s:name "Dough" ; s:position 1 ;
           s:itemListElement [ s:position 2 ; s:text "knead" ] , [ s:position 1 ; s:text "mix" ] .
        :u a s:HowToSection ; s:name "Oven" ; s:position 2 ; s:step ( "heat" "bake" ) .
    """)
    assert found.texts == ("Dough: mix", "Dough: knead", "Oven: heat", "Oven: bake")
    assert (found.numbers, found.missing) == ((1, 2, 3, 4), ())


def test_directions_belong_to_their_step() -> None:
    found = steps("""
        :h s:step :a . :a s:text "Make tea." ; s:itemListElement
            [ s:position 2 ; s:text "Wait." ] , [ s:position 1 ; s:text "Pour." ] .
    """)
    assert found.texts == ("Make tea. Pour. Wait.",)
    assert found.missing == ()


def test_texts_are_in_the_language_of_the_prompt() -> None:
    turtle = ':h s:step [ s:position 1 ; s:text "one"@en , "一"@zh ] .'
    assert (steps(turtle).texts, steps(turtle, language="zh").texts) == (("one",), ("一",))


MISSING = {
    "a gap": (
        ':h s:step [ s:position 1 ; s:text "one" ] , [ s:position 3 ; s:text "three" ] .',
        "step 2 is missing",
    ),
    "the first": (
        ':h s:step [ s:position 2 ; s:text "two" ] , [ s:position 3 ; s:text "three" ] .',
        "step 1 is missing",
    ),
    "a number twice": (
        ':h s:step [ s:position 1 ; s:text "one" ] , [ s:position 1 ; s:text "too" ] .',
        "more than one step has the number 1",
    ),
    "no text": (
        ':h s:step [ s:position 1 ; s:text "one" ] , [ s:position 2 ] .',
        "step 2 has no text",
    ),
    "no order": (
        ':h s:step [ s:text "one" ] , [ s:text "two" ] .',
        "the graph does not say in which order its steps are",
    ),
    "an order of some": (
        ':h s:step [ s:position 1 ; s:text "one" ] , [ s:text "two" ] .',
        "the graph does not say in which order its steps are",
    ),
    "a broken list": (
        """:h s:step :l . :l <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> "one" .""",
        "the list of its steps breaks off after step 1",
    ),
    "fewer than it says": (
        ':h s:step [ s:numberOfItems 3 ; s:itemListElement [ s:position 1 ; s:text "one" ] ] .',
        "1 of 3 steps are held",
    ),
    "none": (':h s:name "How to" .', "the graph holds no steps of it"),
}


@pytest.mark.parametrize("name", MISSING)
def test_what_keeps_steps_from_being_whole_is_said(name: str) -> None:
    turtle, why = MISSING[name]
    assert why in steps(turtle).missing


def test_a_list_that_bites_its_tail_ends() -> None:
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    found = steps(f':h s:step :l . :l <{rdf}first> "one" ; <{rdf}rest> :l .')
    assert found.texts == ("one",) and "breaks off" in found.missing[0]
    assert steps(":h s:step :h .").texts == ()


def test_steps_that_could_not_all_be_read_are_not_whole() -> None:
    found = steps(':h s:step "one" .', "truncated", "its time ended")
    assert found.missing == ("they could not all be read (its time ended)",)
