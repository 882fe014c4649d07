"""Tables of documents come cell by cell, and what is no table, or too much of one, is refused."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import pypdf
import pytest

from groundwire.documents import bounds, tables
from groundwire.documents.tables import read_tables
from groundwire.errors import InputError, LimitError
from tests.evals.import_writing import printed, word

ROWS = [["Country", "2022", "2023"], ["Chile", "1,205", "(12)"], ["Peru", "8", "9"]]


def page(tmp_path: Path, html: str) -> Path:
    path = tmp_path / "page.html"
    path.write_text(html, "utf-8")
    return path


def test_a_word_table_with_what_stands_above(tmp_path: Path) -> None:
    path = word("a.docx", ["Annual report", "in thousands of EUR", ROWS, "after"])(tmp_path)
    (table,) = read_tables(path)
    assert [list(row) for row in table.rows] == ROWS
    assert table.above == ("Annual report", "in thousands of EUR")
    assert not table.is_guess


def test_merged_cells_of_a_word_table(tmp_path: Path) -> None:
    rows = [["Company", "Revenue", None], ["", "2022", "2023"], ["Alba", "1", "2"]]
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text is None:
                table.cell(r, c - 1).merge(table.cell(r, c))
            elif text:
                table.cell(r, c).text = text
    table.cell(0, 0).merge(table.cell(1, 0))
    document.save(str(tmp_path / "m.docx"))
    (found,) = read_tables(tmp_path / "m.docx")
    assert [list(row) for row in found.rows] == [
        ["Company", "Revenue", ""], ["Company", "2022", "2023"], ["Alba", "1", "2"]
    ]  # fmt: skip


def test_a_table_within_a_cell_is_a_table_of_its_own(tmp_path: Path) -> None:
    document = docx.Document()
    outer = document.add_table(rows=2, cols=2)
    outer.cell(0, 0).text, outer.cell(0, 1).text = "Outer", "Value"
    outer.cell(1, 0).text = "row"
    inner = outer.cell(1, 1).add_table(rows=2, cols=2)
    for at, text in enumerate(("Inner", "Number", "one", "1")):
        inner.cell(at // 2, at % 2).text = text
    document.save(str(tmp_path / "nested.docx"))
    first, second = read_tables(tmp_path / "nested.docx")
    assert first.rows == (("Outer", "Value"), ("row", ""))
    assert second.rows == (("Inner", "Number"), ("one", "1"))


def test_spans_and_footnotes_of_a_page(tmp_path: Path) -> None:
    path = page(
        tmp_path,
        "<h2>Area (km<sup>2</sup>)</h2><table><caption>in km<sup>2</sup></caption>"
        "<tr><th rowspan=2>Land<sup>[1]</sup></th><th colspan=2>Area km<sup>2</sup></th></tr>"
        "<tr><th>2022</th><th>2023</th></tr><tr><td>Chile<sup>a</sup></td><td>1</td><td>2</td>"
        "</tr><tr style='display:none'><td>hidden</td><td>9</td><td>9</td></tr></table>",
    )
    (table,) = read_tables(path)
    assert table.rows == (
        ("Land", "Area km 2", ""), ("Land", "2022", "2023"), ("Chile", "1", "2")
    )  # fmt: skip
    assert table.above[-1] == "in km 2"


def test_tags_that_nobody_closed(tmp_path: Path) -> None:
    path = page(tmp_path, "<table><tr><th>Port<th>2022<tr><td>Kiel<td>1.210,5<tr><td>Emden<td>8")
    (table,) = read_tables(path)
    assert table.rows == (("Port", "2022"), ("Kiel", "1.210,5"), ("Emden", "8"))


@pytest.mark.parametrize("ruled", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_a_printed_table(tmp_path: Path, ruled: bool, right: bool) -> None:
    rows = [["", "2023", "2022"], ["Net income", "1,310", "1,205"], ["Costs", "(1,100)", "(9)"]]
    write = printed("p.pdf", ["Alba Group", "EUR million", rows, "Unaudited."], ruled, right)
    (table,) = read_tables(write(tmp_path))
    assert [list(row) for row in table.rows] == rows
    assert table.above == ("Alba Group", "EUR million")
    assert table.is_guess


def test_prose_is_no_table(tmp_path: Path) -> None:
    path = printed("prose.pdf", ["One line of prose.", "Another line that says more."])(tmp_path)
    with pytest.raises(InputError, match="holds no table"):
        read_tables(path)


def test_an_encrypted_pdf_is_refused(tmp_path: Path) -> None:
    path = printed("a.pdf", [ROWS])(tmp_path)
    writer = pypdf.PdfWriter(clone_from=path)
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(tmp_path / "locked.pdf")
    with pytest.raises(InputError, match="is encrypted"):
        read_tables(tmp_path / "locked.pdf")


def test_a_document_that_unpacks_without_end_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = word("a.docx", [ROWS])(tmp_path)
    packed = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/zeros.bin", b"\0" * 3_000_000)
    path.write_bytes(packed.getvalue())
    monkeypatch.setattr("groundwire.documents.docx.MOST_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(LimitError, match="unpacks to more than"):
        read_tables(path)


def test_spans_cannot_make_cells_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_CELLS", 10_000)
    rows = "<tr><td rowspan=99999 colspan=99999>x</td></tr>" * 40
    with pytest.raises(LimitError, match="more than 10,000 cells"):
        read_tables(page(tmp_path, f"<table>{rows}</table>"))


def test_a_large_document_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 100)
    with pytest.raises(LimitError, match="larger than"):
        read_tables(page(tmp_path, "<table>" + "<tr><td>1</td><td>2</td></tr>" * 20))


@pytest.mark.parametrize("name", ["a.docx", "a.pdf"])
def test_what_is_no_document_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"Country,Year\nChile,2022\n")
    with pytest.raises(InputError, match="cannot be read as"):
        read_tables(tmp_path / name)


def test_other_formats_have_no_tables(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no document with tables"):
        read_tables(tmp_path / "a.txt")
