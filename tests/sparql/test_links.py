"""Links to entities: whose describe service, and Markdown that no label or IRI can break."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from groundwire.safe_text import inert_line, safe_line
from groundwire.sparql.endpoint import (
    Endpoint,
    describe_url,
    followed_url,
    markdown_link,
    markdown_text,
    markdown_url,
    shown_iri,
)

URIBURNER = Endpoint(
    name="uriburner",
    url="https://linkeddata.uriburner.com/sparql",
    describe_template="https://linkeddata.uriburner.com/describe/?uri={iri}",
)
KINGSLEY = Endpoint(
    name="kingsley",
    url="https://kingsley.idehen.net/sparql",
    describe_template="https://kingsley.idehen.net/describe/?uri={iri}",
)
PLAIN = Endpoint(name="plain", url="https://example.org/sparql")

QUESTION = "https://example.org/sparql-101#q1"


def test_the_endpoint_that_answered_describes() -> None:
    encoded = "https%3A%2F%2Fexample.org%2Fsparql-101%23q1"
    assert describe_url(URIBURNER, QUESTION) == (
        f"https://linkeddata.uriburner.com/describe/?uri={encoded}"
    )
    assert describe_url(KINGSLEY, QUESTION) == (
        f"https://kingsley.idehen.net/describe/?uri={encoded}"
    )
    assert describe_url(PLAIN, QUESTION) == QUESTION


@pytest.mark.parametrize(
    ("iri", "encoded"),
    [
        ("http://a.example/?x=1&y=2", "http%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2"),
        ("http://a.example/100%25", "http%3A%2F%2Fa.example%2F100%2525"),
        ("http://a.example/A_(b)", "http%3A%2F%2Fa.example%2FA_%28b%29"),
        ("http://a.example/é", "http%3A%2F%2Fa.example%2F%C3%A9"),
        ("http://a.example/{iri}", "http%3A%2F%2Fa.example%2F%7Biri%7D"),
        ("urn:graph:help", "urn%3Agraph%3Ahelp"),
    ],
)
def test_an_iri_is_one_parameter(iri: str, encoded: str) -> None:
    assert describe_url(KINGSLEY, iri) == f"https://kingsley.idehen.net/describe/?uri={encoded}"


def test_a_link_as_the_seed_shows_it() -> None:
    assert markdown_link("What is SPARQL?", QUESTION, URIBURNER) == (
        "[What is SPARQL?](https://linkeddata.uriburner.com/describe/"
        "?uri=https%3A%2F%2Fexample.org%2Fsparql-101%23q1)"
    )
    assert markdown_link("What is SPARQL?", QUESTION, PLAIN) == f"[What is SPARQL?]({QUESTION})"


def test_an_entity_without_a_label_shows_its_iri() -> None:
    assert markdown_link("", "https://example.org/a_b", PLAIN) == (
        r"[https://example.org/a\_b](https://example.org/a_b)"
    )


@pytest.mark.parametrize(
    "iri",
    [
        "urn:graph:help",
        "javascript:alert(1)",
        "data:text/html,x",
        "mailto:me@example.org",
        "file:///etc/passwd",
        "_:b0",
        "https://",
        "https://bank.example@evil.example/",
        "",
    ],
)
def test_what_cannot_be_followed_is_no_link(iri: str) -> None:
    assert markdown_link("Label", iri, PLAIN) == "Label"


def test_an_entity_of_another_scheme_is_described_by_its_endpoint_only() -> None:
    assert markdown_link("Help", "urn:graph:help", KINGSLEY) == (
        "[Help](https://kingsley.idehen.net/describe/?uri=urn%3Agraph%3Ahelp)"
    )
    assert markdown_link("A blank node", "_:b0", KINGSLEY) == "A blank node"


def test_text_of_a_graph_is_one_line_that_shows_itself() -> None:
    assert markdown_text("a\r\n\tb  c") == "a b c"
    assert markdown_text("x | y") == r"x \| y"
    assert markdown_text("![a](b)") == r"!\[a\]\(b)"
    assert markdown_text("<script>") == r"\<script\>"
    assert markdown_text("\u202egnp.exe") == "gnp.exe"
    assert markdown_text("什么是 SPARQL？") == "什么是 SPARQL？"


def test_a_target_keeps_its_meaning() -> None:
    assert markdown_url("http://a.example/A_(b)?x=1&y=2") == "http://a.example/A_%28b%29?x=1&y=2"
    assert markdown_url("http://a.example/?a&lt;=1") == "http://a.example/?a&amp;lt;=1"
    assert markdown_url("http://a.example/知识") == "http://a.example/知识"


COMMONMARK = MarkdownIt("commonmark").enable("table").enable("strikethrough")


def unmarked(label: str) -> str:
    """Return what a reader sees of a label behind another word."""
    return safe_line(f"L{label}")[1:]


def shown(children: list[Token]) -> str:
    return "".join(one.content for one in children if one.type in ("text", "text_special"))


@given(label=st.text(max_size=40), path=st.text(max_size=40))
@example("a](http://evil.example) [b", "x) [evil](http://evil.example")
@example("`a` *b* _c_ ~~d~~ <b> &amp; \\", "a|b\\`")
@example("\\", "\\")
@example("a\n\n# b", "a\nb")
@example("[x]: http://evil.example", '"> "title')
def test_no_label_and_no_iri_breaks_out(label: str, path: str) -> None:
    link = markdown_link(f"L{label}", f"https://example.org/{path}", PLAIN)
    (inline,) = COMMONMARK.parseInline(f"See {link} and more")
    assert inline.children is not None
    kinds = [one.type for one in inline.children if not one.type.startswith("text")]
    assert kinds == ["link_open", "link_close"]
    (opening,) = [one for one in inline.children if one.type == "link_open"]
    assert set(opening.attrs) == {"href"}
    assert str(opening.attrs["href"]).startswith("https://example.org/")
    assert shown(inline.children) == f"See L{unmarked(label)} and more"


@given(label=st.text(max_size=40), path=st.text(max_size=40))
@example("a | b", "c|d")
def test_a_table_keeps_its_cells(label: str, path: str) -> None:
    link = markdown_link(f"L{label}", f"https://example.org/{path}", PLAIN)
    tokens = COMMONMARK.parse(f"| a | b |\n|---|---|\n| {link} | 1 |\n")
    cells = [one.content for one in tokens if one.type == "inline"]
    assert len(cells) == 4
    assert cells[3] == "1"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Cut-in [fog], 3.5 m (a_b)", "Cut-in [fog], 3.5 m (a_b)"),
        ("a](javascript:x)", r"a]\(javascript:x)"),
        ("![p](https://e.example)", r"![p]\(https://e.example)"),
        ("[a][b] [b]: https://e.example", r"[a]\[b] [b]\: https://e.example"),
        ("<b>x</b> <javascript:x> 1 < 2", r"\<b>x\</b> \<javascript:x> 1 < 2"),
        ("one\n# two\u202e", "one # two"),
    ],
)
def test_a_text_for_answers_reads_as_it_is_and_makes_no_link(said: str, shown: str) -> None:
    assert inert_line(said) == shown


@pytest.mark.parametrize("iri", ["javascript:x", "JavaScript:x", " data:text/html,x", "file:///x"])
def test_an_iri_that_runs_something_is_no_address(iri: str) -> None:
    plain = Endpoint(name="a", url="https://a.example/sparql")
    assert (describe_url(plain, iri), followed_url(plain, iri)) == ("", "")
    assert shown_iri(iri) == " ".join(iri.split())
    assert shown_iri("https://e.example/a>b") == "<https://e.example/a%3Eb>"
