"""Markdown on a terminal."""

from __future__ import annotations

import pytest

from groundwire.cli.terminal import plain


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (
            r"- [What is not\_found?](https://a.example/x#y)",
            "- What is not_found? <https://a.example/x#y>",
        ),
        (
            r"[L](https://a.example/#x) [https://a.example/\#x](https://a.example/#x)",
            "L <https://a.example/#x>",
        ),
        (r"[https://a.example/\#x](https://a.example/#x)", "<https://a.example/#x>"),
        (r"call execute\_query \{x\}", "call execute_query {x}"),
        (r"\[no link\](https://a.example)", "[no link](https://a.example)"),
        (r"1. `SELECT ?a WHERE \{ [x](y) }` \*", r"1. `SELECT ?a WHERE \{ [x](y) }` *"),
        ("什么是 SPARQL？\n\n- a", "什么是 SPARQL？\n\n- a"),
    ],
)
def test_markdown_is_shown_without_its_marks(markdown: str, shown: str) -> None:
    assert plain(markdown) == shown
