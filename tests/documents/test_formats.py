"""What each format keeps, joins and leaves out."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.documents.reading import read, read_document
from groundwire.errors import InputError

Texts = Callable[..., list[str]]


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    """The texts of a document of some content."""

    def found(content: str | bytes, ending: str) -> list[str]:
        path = tmp_path / f"document{ending}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return [block.text for block in read_document(path)]

    return found


CHINESE = "营业收入同比增长百分之九。"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk"]
)
@pytest.mark.parametrize("ending", [".txt", ".md", ".html"])
def test_encodings(texts: Texts, encoding: str, ending: str) -> None:
    assert texts(f"{CHINESE} Freight rose.".encode(encoding), ending) == [
        f"{CHINESE} Freight rose."
    ]


def test_a_page_may_declare_its_encoding(texts: Texts) -> None:
    page = '<meta charset="windows-1252"><p>Café au lait</p>'
    assert texts(page.encode("windows-1252"), ".html") == ["Café au lait"]
    assert texts(page.replace("windows-1252", "no-such").encode(), ".html") == ["Café au lait"]


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"caf\xe9 au lait \xff", bytes(200)])
def test_bytes_that_are_no_text(texts: Texts, data: bytes) -> None:
    with pytest.raises(InputError, match="save it as UTF-8"):
        texts(data, ".txt")


def test_paragraphs_of_text(texts: Texts) -> None:
    assert texts("One line\nand one more.\r\n \r\n\r\nTwo.", ".txt") == [
        "One line and one more.",
        "Two.",
    ]
    assert texts("第一行\n第二行。\n\n三", ".txt") == ["第一行第二行。", "三"]
    # Without an empty line, lines that end a sentence end a paragraph.
    assert texts("第一段。\n第二段开始\n并结束。\n", ".txt") == ["第一段。", "第二段开始并结束。"]


def test_marks_of_markdown_are_taken_away(texts: Texts) -> None:
    source = (
        "Freight **rose** by *9 %* (> 8) in [Hong Kong](https://example.org/hk) and `code_name`, "
        "2 * 3 * 4, snake_case_name, ![a ship](ship.png), ~~old~~ \\*not\\* <b>bold</b>."
    )
    assert texts(source, ".md") == [
        "Freight rose by 9 % (> 8) in Hong Kong and code_name, 2 * 3 * 4, snake_case_name, a ship, "
        "old *not* bold."
    ]


def test_blocks_of_markdown(tmp_path: Path) -> None:
    source = """Before.

# First #
One
line.
- item one
  goes on
- item two
1. numbered
> quoted

| a | b |
|---|:--|
| 1 | 2 |
after

Second
======
```python
# no heading
x = 1

y = 2
```
***
<!-- hidden
text --> shown
"""
    (tmp_path / "a.md").write_text(source, "utf-8")
    found = [(block.text, block.locator) for block in read_document(tmp_path / "a.md")]
    assert found == [
        ("Before.", "paragraph 1"),
        ("One line.", "section 'First', paragraph 1"),
        ("item one goes on", "section 'First', paragraph 2"),
        ("item two", "section 'First', paragraph 3"),
        ("1. numbered quoted", "section 'First', paragraph 4"),
        ("a | b\n1 | 2", "section 'First', table 5"),
        ("after", "section 'First', paragraph 6"),
        ("# no heading\nx = 1\ny = 2", "section 'Second', listing 1"),
        ("shown", "section 'Second', paragraph 2"),
    ]


def test_comments_are_hidden_and_code_is_not(texts: Texts) -> None:
    assert texts("A\n<!--\n```\nsecret\n```\n-->\nB", ".md") == ["A", "B"]
    assert texts("```\n~~~\n<!-- x -->\n```\nB <!-- secret", ".md") == ["~~~\n<!-- x -->", "B"]


@pytest.mark.parametrize(
    "mark",
    [
        "*a ",
        "**a",
        "_a ",
        "`a ",
        "~~a",
        "[",
        "[a](",
        '[a](b "',
        "<a ",
        "<!-- ",
        "# " + " " * 9,
        "|-",
        "\\",
        "> ",
        "- ",
        "a.\n",
        "```\n~~~\n",
        "a|b\n--|--\n",
    ],
)
def test_nothing_but_marks_is_read_in_time(texts: Texts, mark: str) -> None:
    started = time.process_time()
    texts(f"Freight {mark * (200_000 // len(mark))}\n\nFuel", ".md")
    assert time.process_time() - started < 5


def test_front_matter_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text('---\nTitle: "A: b" \nsensitivity: INTERNAL # for now\n---\nText.', "utf-8")
    reading = read(path)
    assert [block.text for block in reading.blocks] == ["Text."]
    assert dict(reading.front) == {"title": "A: b", "sensitivity": "INTERNAL"}


HIDDEN = [
    "<script>secret</script>",
    "<style>secret {}</style>",
    "<nav><p>secret</p></nav>",
    "<p hidden>secret</p>",
    "<div hidden><div><p>secret</p></div></div>",
    '<p style="color: red; DISPLAY : none">secret</p>',
    '<span style="visibility:hidden">secret</span>',
    '<p aria-hidden="true">secret</p>',
    "<template><p>secret</p></template>",
    "<noscript>secret</noscript>",
    "<!-- secret -->",
    "<![CDATA[secret]]>",
    "<?php secret ?>",
    "<!secret>",
    "<head><title>secret</title></head>",
    "<select><option>secret</option></select>",
    "<table><tr><td>1</td><td hidden>secret</td></tr></table>",
    "<table><tr><td>1<script>secret</script></td></tr></table>",
    "<pre>1<span hidden>secret</span></pre>",
    "<h2>1<!-- secret --></h2>",
    "<svg><text>secret</text></svg>",
]


@pytest.mark.parametrize("hidden", HIDDEN)
def test_hidden_parts_of_a_page_are_dropped(tmp_path: Path, hidden: str) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<body><p>Shown.</p>{hidden}<p>Shown too.</p></body>", "utf-8")
    blocks = read_document(path)
    assert "secret" not in repr(blocks)
    assert [b.text for b in blocks if "Shown" in b.text] == ["Shown.", "Shown too."]


def test_blocks_of_a_page(tmp_path: Path) -> None:
    (tmp_path / "a.htm").write_text(
        "Loose <b>te</b>xt<p>A &amp; b,<br>c</p><h1>Head <i>line</i></h1><ul><li>one<li>two</ul>"
        "<table><caption>T</caption><tr><th>a</th><th>b</th></tr><tr><td>1</td><td><p>2</p></td>"
        "</tr></table><pre>x\n  y</pre><div>deep<div>er</div>end</div>",
        "utf-8",
    )
    assert [(block.text, block.locator) for block in read_document(tmp_path / "a.htm")] == [
        ("Loose text", "paragraph 1"),
        ("A & b, c", "paragraph 2"),
        ("one", "section 'Head line', paragraph 1"),
        ("two", "section 'Head line', paragraph 2"),
        ("T\na | b\n1 | 2", "section 'Head line', table 3"),
        ("x\ny", "section 'Head line', listing 4"),
        ("deep", "section 'Head line', paragraph 5"),
        ("er", "section 'Head line', paragraph 6"),
        ("end", "section 'Head line', paragraph 7"),
    ]


def test_a_page_may_nest_deeply(texts: Texts) -> None:
    assert texts("<div>" * 20_000 + "deep" + "</div>" * 20_000, ".html") == ["deep"]
    assert texts('<?xml version="1.0"?><html><p>strict</p></html>', ".html") == ["strict"]


@pytest.fixture
def word(tmp_path: Path) -> Callable[[Callable[[Any], None]], list[tuple[str, str]]]:
    """The texts and places of a Word document that a function fills."""

    def made(fill: Callable[[Any], None]) -> list[tuple[str, str]]:
        import docx

        document = docx.Document()
        fill(document)
        document.save(str(tmp_path / "a.docx"))
        return [(block.text, block.locator) for block in read_document(tmp_path / "a.docx")]

    return made


def test_tables_and_headings_of_a_word_document_in_order(word: Any) -> None:
    def fill(document: Any) -> None:
        document.sections[0].header.paragraphs[0].text = "header secret"
        document.sections[0].footer.paragraphs[0].text = "footer secret"
        document.add_heading("The title", level=0)
        document.add_paragraph("First.")
        table = document.add_table(rows=2, cols=2)
        for cell, text in zip([*table.rows[0].cells, *table.rows[1].cells], "abcd", strict=True):
            cell.text = text
        document.add_paragraph("Second.", style="List Bullet")
        document.add_heading("Part", level=3)
        document.add_paragraph("Third.\tWith a tab\nand a break.")

    assert word(fill) == [
        ("First.", "section 'The title', paragraph 1"),
        ("a | b\nc | d", "section 'The title', table 2"),
        ("Second.", "section 'The title', paragraph 3"),
        ("Third. With a tab and a break.", "section 'Part', paragraph 1"),
    ]


def test_changes_and_controls_of_a_word_document(word: Any) -> None:
    namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    parts = [
        "<w:p {}><w:r><w:t>Kept</w:t></w:r><w:ins><w:r><w:t> inserted</w:t></w:r></w:ins>"
        "<w:del><w:r><w:delText> secret</w:delText></w:r></w:del></w:p>",
        "<w:sdt {}><w:sdtContent><w:p><w:r><w:t>In a control</w:t></w:r></w:p></w:sdtContent>"
        "</w:sdt>",
        "<w:p {}><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>Open</w:t></w:r>"
        "</w:p>",
        "<w:p {}><w:moveFrom><w:r><w:t>secret</w:t></w:r></w:moveFrom><w:hyperlink><w:r><w:t>Link"
        "</w:t></w:r></w:hyperlink></w:p>",
        "<w:p {}><w:pPr><w:outlineLvl w:val='1'/></w:pPr><w:r><w:t>By level</w:t></w:r></w:p>",
        "<w:p {}><w:r><w:t>Around</w:t></w:r><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>In a box"
        "</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>",
    ]

    def fill(document: Any) -> None:
        from docx.oxml import parse_xml

        for part in parts:
            document.element.body.insert_element_before(
                parse_xml(part.format(namespace)), "w:sectPr"
            )

    assert word(fill) == [
        ("Kept inserted", "paragraph 1"),
        ("In a control", "paragraph 2"),
        ("Open", "paragraph 3"),
        ("Link", "paragraph 4"),
        ("Around", "section 'By level', paragraph 1"),
        ("In a box", "section 'By level', paragraph 2"),
    ]


def test_inner_tables_of_a_word_document_are_read_once(word: Any) -> None:
    def fill(document: Any) -> None:
        table = document.add_table(rows=1, cols=2)
        table.rows[0].cells[0].text = "outer"
        inner = table.rows[0].cells[1].add_table(rows=2, cols=1)
        inner.rows[0].cells[0].text, inner.rows[1].cells[0].text = "one", "two"

    assert word(fill) == [("outer | one two", "table 1")]


def test_what_cannot_be_shown_is_left_out(texts: Texts) -> None:
    assert texts("Frei\u00adght\u200b rose\x07.", ".txt") == ["Freight rose."]
    assert texts("<p>A&#xD800;B&#0;C</p>", ".html") == ["A\ufffdB\ufffdC"]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([".txt", ".md", ".html", ".docx", ".pdf"]),
    st.one_of(
        st.binary(max_size=300), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))
    ),
)
def test_any_bytes_are_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, ending: str, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any{ending}"
    path.write_bytes(data)
    try:
        blocks = read_document(path)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert all(block.text.strip() and "\x00" not in block.text for block in blocks)
