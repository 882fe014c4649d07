"""The same document in every format gives the same sentences."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from groundwire.documents import bounds
from groundwire.documents.reading import read, read_document
from groundwire.errors import ConfigurationError, InputError, LimitError

FORMATS = [".txt", ".md", ".html", ".docx", ".pdf"]
Write = Callable[[Path], Path]
WritePdf = Callable[[Path, Sequence[Sequence[str]]], None]


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("ending", FORMATS)
def test_no_sentence_is_missed(
    tmp_path: Path, write: Write, report_sentences: list[str], ending: str
) -> None:
    blocks = read_document(write(tmp_path / f"report{ending}"))
    texts = [flat(block.text) for block in blocks]
    missed = [one for one in report_sentences if not any(one in text for text in texts)]
    assert len(report_sentences) == 9
    assert missed == []


@pytest.mark.parametrize("ending", FORMATS)
def test_sentences_stand_in_their_order(
    tmp_path: Path, write: Write, report_sentences: list[str], ending: str
) -> None:
    whole = flat(" ".join(b.text for b in read_document(write(tmp_path / f"report{ending}"))))
    places = [whole.index(one) for one in report_sentences]
    assert places == sorted(places)


@pytest.mark.parametrize("ending", [".md", ".html", ".docx"])
def test_headings_are_places(tmp_path: Path, write: Write, ending: str) -> None:
    blocks = read_document(write(tmp_path / f"report{ending}"))
    assert [block.locator for block in blocks] == [
        "section 'Results', paragraph 1",
        "section 'Results', paragraph 2",
        "section 'Outlook', paragraph 1",
        "section 'Outlook', paragraph 2",
    ]
    assert blocks[2].heading == "Outlook"


def test_pages_are_places(tmp_path: Path, write: Write) -> None:
    blocks = read_document(write(tmp_path / "report.pdf"))
    assert [block.locator for block in blocks][-3:] == [
        "page 2, paragraph 1",
        "page 2, paragraph 2",
        "page 2, paragraph 3",
    ]


def test_a_format_that_is_not_read_says_which_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"use one of \.txt, \.md"):
        read_document(tmp_path / "report.rtf")


@pytest.mark.parametrize("ending", [*FORMATS, ".htm", ".markdown"])
def test_a_file_that_is_not_there(tmp_path: Path, ending: str) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_document(tmp_path / f"none{ending}")


@pytest.mark.parametrize("ending", FORMATS)
def test_an_empty_file_holds_no_text(tmp_path: Path, ending: str) -> None:
    (tmp_path / f"empty{ending}").write_bytes(b"")
    with pytest.raises(InputError) as caught:
        read_document(tmp_path / f"empty{ending}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending", [".docx", ".pdf"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_cut_short_is_one_line(
    tmp_path: Path, write: Write, ending: str, share: float
) -> None:
    path = write(tmp_path / f"report{ending}")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    try:
        blocks = read_document(path)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert blocks  # pypdf finds the objects of a PDF without its table


@pytest.mark.parametrize("ending", FORMATS)
def test_other_content_under_the_ending_is_one_line(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"picture{ending}"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40)
    with pytest.raises(InputError) as caught:
        read_document(path)
    assert "\n" not in str(caught.value)


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 1000)
    (tmp_path / "long.txt").write_text("word " * 201, "utf-8")
    with pytest.raises(LimitError, match="larger"):
        read_document(tmp_path / "long.txt")


@pytest.mark.parametrize(
    ("ending", "package"), [(".html", "bs4"), (".docx", "docx"), (".pdf", "pypdf")]
)
def test_a_package_that_is_not_there_is_named(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch, ending: str, package: str
) -> None:
    def missing(name: str) -> object:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(bounds, "import_module", missing)
    with pytest.raises(ConfigurationError, match=r"install groundwire\[import\]"):
        read_document(write(tmp_path / f"report{ending}"))


def test_progress_tells_of_pages(tmp_path: Path, write: Write) -> None:
    told: list[tuple[str, int, int]] = []
    read(write(tmp_path / "report.pdf"), lambda *step: told.append(step))
    assert told == [("report.pdf", 1, 2), ("report.pdf", 2, 2)]


def test_a_page_without_text_is_noted(tmp_path: Path, pdf_of: WritePdf) -> None:
    pdf_of(tmp_path / "scan.pdf", [["The first page has words."], [], ["So has the third."]])
    reading = read(tmp_path / "scan.pdf")
    assert len(reading.blocks) == 2
    assert reading.notes == ("page 2 without text: scanned pages need text recognition first",)


def test_a_pdf_of_pictures_holds_no_text(tmp_path: Path, pdf_of: WritePdf) -> None:
    pdf_of(tmp_path / "scan.pdf", [[], []])
    with pytest.raises(InputError, match="text recognition"):
        read(tmp_path / "scan.pdf")


def test_a_pdf_with_too_many_pages_is_refused(
    tmp_path: Path, pdf_of: WritePdf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.documents.pdf.MOST_PAGES", 3)
    pdf_of(tmp_path / "long.pdf", [["Some words."]] * 4)
    with pytest.raises(LimitError, match="4 pages"):
        read(tmp_path / "long.pdf")


@pytest.mark.parametrize(("password", "readable"), [("", True), ("secret", False)])
def test_an_encrypted_pdf(
    tmp_path: Path, write: Write, report_sentences: list[str], password: str, readable: bool
) -> None:
    import pypdf

    writer = pypdf.PdfWriter(clone_from=str(write(tmp_path / "plain.pdf")))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="RC4-128")
    path = tmp_path / "locked.pdf"
    with path.open("wb") as file:
        writer.write(file)
    if readable:
        whole = flat(" ".join(block.text for block in read_document(path)))
        assert all(one in whole for one in report_sentences)
    else:
        with pytest.raises(InputError, match="encrypted"):
            read_document(path)


def test_lines_that_a_hyphen_ends_are_joined(tmp_path: Path, pdf_of: WritePdf) -> None:
    lines = ["The forecast of reve-", "nue growth is year-on-", "year, between Asia-", "Pacific"]
    pdf_of(tmp_path / "cut.pdf", [lines])
    [block] = read_document(tmp_path / "cut.pdf")
    assert block.text == "The forecast of revenue growth is year-on-year, between Asia-Pacific"


def test_a_package_that_unpacks_to_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.documents.docx.MOST_UNPACKED_BYTES", 40 * 1024**2)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(5):
            archive.writestr(f"word/part{number}.xml", bytes(10 * 1024**2))
    (tmp_path / "bomb.docx").write_bytes(bomb.getvalue())
    assert len(bomb.getvalue()) < 100_000
    with pytest.raises(LimitError, match="unpacks to more than 40 MB"):
        read_document(tmp_path / "bomb.docx")


def test_packages_are_imported_when_needed() -> None:
    """The readers of formats that nobody asks for are not loaded."""
    import subprocess
    import sys

    program = (
        "import sys, groundwire.documents.reading\n"
        "print(sorted({'bs4', 'docx', 'pypdf', 'lxml'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
