"""Text of data loses what acts and keeps what is read."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from groundwire.journeys.wording import listed as places_listed
from groundwire.metrics.wording import listed
from groundwire.ontology.pages import in_a_row
from groundwire.safe_text import (
    LONGEST_NAME,
    inert,
    is_safe_json,
    safe_characters,
    safe_line,
    safe_name,
    safe_tree,
)
from tests.evals.agents_bound_judging import raw

READABLE = [
    "Hampstead Heath", "Köln–Bonn", "中国内地 FY2024", "العربية", "שלום", "5 < 6", "a[0] = b",
    "A & B",
    "👩‍👩‍👧 family", "क्‍ष", "line one\nline two\tend", "<5 km", "(see [1])", "Ça va? 100 % – “yes”",
]  # fmt: skip


@pytest.mark.parametrize("text", READABLE)
def test_what_is_read_stays(text: str) -> None:
    assert safe_characters(text) == text
    assert inert(text) == text
    assert safe_name(text) == " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\", "alink"),
        ("\x9b2Jgone", "gone"),
        ("pay\u202egnp.exe", "paygnp.exe"),
        ("a\u2066b\u2069c\u200bd\ufeffe", "abcde"),
        ("hidden\U000e0049\U000e0067", "hidden"),
        ("bell\x07 null\x00", "bell  null "),
        ("half\ud800", "half "),
    ],
)
def test_what_acts_goes(text: str, shown: str) -> None:
    assert safe_characters(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![x](http://evil/?q=1)", "![x]\\(http://evil/?q=1)"),
        ("[pay](javascript:alert(1))", "[pay]\\(javascript:alert(1))"),
        ("[a][b]", "[a]\\[b]"),
        ("[a]: http://evil", "[a]\\: http://evil"),
        ("<img src=x>", "\\<img src=x>"),
        ("</div><!-- x", "\\</div>\\<!-- x"),
    ],
)
def test_links_images_and_tags_are_made_inert(text: str, shown: str) -> None:
    assert inert(text) == shown
    assert inert(shown) == shown


def test_names_are_bounded_lines() -> None:
    assert safe_name("a\nb\r\n c") == "a b c"
    shown = safe_name("x" * 1_000_000)
    assert len(shown) == LONGEST_NAME
    assert shown.endswith("x…")


@given(st.text())
def test_nothing_that_acts_is_left(text: str) -> None:
    shown = safe_characters(text)
    assert safe_characters(shown) == shown
    for character in shown:
        kind = unicodedata.category(character)
        assert kind not in ("Cc", "Cs", "Zl", "Zp") or character in "\t\n\r"
        assert unicodedata.bidirectional(character) not in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        )  # fmt: skip
    assert "\n" not in safe_line(text)


@given(st.dictionaries(st.text(), st.lists(st.text())), st.text())
def test_a_tree_that_is_said_to_be_safe_is_not_changed(
    tree: dict[str, list[str]], answer: str
) -> None:
    whole = {**tree, "answer": answer}
    try:
        text = to_json(whole).decode()
    except ValueError:
        return
    safe = safe_tree(whole, inert_answers=True)
    if is_safe_json(text):
        assert safe == whole
    assert json.loads(to_json(safe)) == safe


def test_an_answer_may_hold_addresses_in_angle_brackets_and_a_name_may_not() -> None:
    text = "see <https://example.org/a> <img src=x>"
    assert safe_tree({"answer": text}, inert_answers=True) == {
        "answer": "see <https://example.org/a> \\<img src=x>"
    }
    assert safe_name(text) == "see \\<https://example.org/a> \\<img src=x>"
    assert safe_tree({"answer": text}, inert_answers=False) == {"answer": text}


@pytest.mark.parametrize("row", [listed, places_listed, lambda names: in_a_row(names, 6)])
def test_a_list_of_names_cuts_each_and_lets_none_act(row: Callable[[list[str]], str]) -> None:
    told = row(["x" * 5_000, "[here](javascript:alert(1))", "<b>bold\u202e\x1b[31m", "Plain"])
    assert len(told) < LONGEST_NAME + 100
    assert (
        "…" in told and "[here]\\(javascript" in told and "\\<b>bold, " not in told[:LONGEST_NAME]
    )
    assert not any(sign in told for sign in ("\u202e", "\x1b", "](")) and "Plain" in told


# Each class of text that a terminal, a page or a reader of Markdown acts on, in several forms.
ACTING = [
    *(f"{mark}gpj.eliforp{mark} name" for mark in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"),
    *(f"free{mark}way" for mark in "\u200b\u2060\ufeff\u2063\u200e"),
    "\x1b[31mred\x1b[0m", "\x1b]8;;http://a.example\x07here\x1b]8;;\x07",
    "\x9b2Jgone", "\x1bcreset",
    "![a](http://a.example/p.png)", "![a][b]", "![](data:image/png;base64,AAAA)", "!\\[a](b)",
    "[a](http://a.example)", "[a](javascript:alert(1))", "[a]( JaVaScRiPt:alert(1))",
    "[a](<data:x>)",
    "[a](vbscript:x)", "[a](\njavascript:x)", "[a][1]\n\n[1]: javascript:x", "[a]\t(javascript:x)",
    "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<!-- hidden -->", "<?xml ?>",
    "</td><td>", "<a href='javascript:x'>a</a>", "<javascript:alert(1)>", "<data:text/html,x>",
    "[a](j\u0430vascript:x)", "[a](java\u200bscript:x)", "[a](&#106;avascript:x)",
    "&lt;img src=x&gt;",
    "[a](\x01javascript:x)", "[a\u202e](javascript:x)", "[\x1b[31m](javascript:x)",
    "<\u200bimg src=x>",
    "one\r\ntwo", "one\n# two", "one\u2028two",
]  # fmt: skip


@pytest.mark.parametrize("text", ACTING)
def test_no_class_of_text_acts_as_a_label(text: str) -> None:
    shown = safe_name(text)
    assert not raw(shown, text)
    assert "\n" not in shown and not re.search(r"(?<!\\)<[A-Za-z/!?]|\][(\[:]", shown)
