"""Drawings within pages: shapes and words, and nothing that acts or fetches."""

from __future__ import annotations

import pytest

from groundwire.apps import drawing

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"{}>{}</svg>'
)


def test_shapes_and_words_stay() -> None:
    made = drawing(
        SVG.format(
            ' width="9" viewBox="0 0 9 9"',
            '<g transform="translate(1,1)"><path d="M0,0h9" stroke="#ddd"/>'
            '<text font-size="12px" pointer-events="none" class="x">a &lt; "b"</text></g>',
        )
    )
    assert made == (
        '<svg width="9" viewBox="0 0 9 9"><g transform="translate(1,1)">'
        '<path d="M0,0h9" stroke="#ddd"></path>'
        '<text font-size="12px">a &lt; &quot;b&quot;</text></g></svg>'
    )


@pytest.mark.parametrize(
    "inner",
    [
        "<script>x()</script>",
        "<style>*{background:url(http://x)}</style>",
        '<image href="http://x"/>',
        '<use xlink:href="http://x#a"/>',
        '<a href="javascript:x()"/>',
        '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="http://x"/></foreignObject>',
        '<animate attributeName="href" to="javascript:x()"/>',
    ],
)
def test_what_could_act_goes(inner: str) -> None:
    assert drawing(SVG.format("", inner)) == "<svg></svg>"


def test_attributes_that_could_act_go() -> None:
    made = drawing(
        SVG.format(' onload="x()"', '<text style="a" onclick="x()" fill="URL(http://x)">a</text>')
    )
    assert made == "<svg><text>a</text></svg>"


@pytest.mark.parametrize("text", ["", "<svg", '<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>'])
def test_what_is_no_drawing_is_left_out(text: str) -> None:
    assert drawing(text) == ""
