"""Text of data loses what acts and keeps what is read."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from groundwire.safe_text import (
    LONGEST_NAME,
    inert,
    is_safe_json,
    safe_characters,
    safe_line,
    safe_name,
    safe_tree,
)

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
