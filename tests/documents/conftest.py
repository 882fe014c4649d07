"""One document, written in every format that is read."""

from __future__ import annotations

import html
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest


class Section(NamedTuple):
    heading: str
    paragraphs: tuple[str, ...]


REPORT = (
    Section(
        "Results",
        (
            "Revenue rose by 12.4% to USD 318.2 million in fiscal 2024. Freight to Hong Kong "
            "carried most of the growth, as two new contracts began in April. Margins were flat.",
            "Costs grew more slowly than sales, which the board had not expected. Fuel was the "
            "largest single item; it fell in the second half.",
        ),
    ),
    Section(
        "Outlook",
        (
            "The company expects year-on-year growth to slow in 2025. It will not open a depot "
            "in Macau before permits are granted (see Dr. Chan's letter of 3 March).",
            "No dividend is planned. A decision on the Ningbo terminal is due in June!",
        ),
    ),
)


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph of `REPORT`, none of which holds a full stop but in `Dr.`."""
    marked = paragraph.replace("Dr.", "Dr\0").replace("! ", "!\n").replace(". ", ".\n")
    return [one.replace("Dr\0", "Dr.") for one in marked.split("\n")]


ALL_SENTENCES = [
    one for section in REPORT for text in section.paragraphs for one in sentences(text)
]


def write_text(path: Path, sections: Sequence[Section] = REPORT) -> None:
    parts = [part for one in sections for part in (one.heading, *one.paragraphs)]
    path.write_text("\n\n".join(parts), "utf-8")


def write_markdown(path: Path, sections: Sequence[Section] = REPORT) -> None:
    lines = [
        part
        for one in sections
        for part in (
            f"## {one.heading}",
            *(text.replace("Revenue", "**Revenue**") for text in one.paragraphs),
        )
    ]
    path.write_text("\n\n".join(lines), "utf-8")


def write_html(path: Path, sections: Sequence[Section] = REPORT) -> None:
    body = "".join(
        f"<h2>{one.heading}</h2>\n"
        + "".join(
            f"<p>{html.escape(text).replace('Revenue', '<b>Rev</b>enue')}</p>\n"
            for text in one.paragraphs
        )
        for one in sections
    )
    path.write_text(f"<!doctype html><html><body><main>{body}</main></body></html>", "utf-8")


def write_docx(path: Path, sections: Sequence[Section] = REPORT) -> None:
    import docx

    document = docx.Document()
    for one in sections:
        document.add_heading(one.heading, level=2)
        for text in one.paragraphs:
            paragraph = document.add_paragraph(text[:7])
            paragraph.add_run(text[7:]).bold = True
    document.save(str(path))


def write_pdf(path: Path, sections: Sequence[Section] = REPORT, width: int = 60) -> None:
    """A page for each section, its lines set one by one as a printer would, words cut at ends."""
    write_pdf_pages(
        path,
        [
            [
                one.heading,
                "",
                *(line for text in one.paragraphs for line in [*_set(text, width), ""]),
            ]
            for one in sections
        ],
    )


def _set(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        room = width - len(lines[-1])
        if len(word) < room:
            lines[-1] += f" {word}" if lines[-1] else word
        elif room > 5 and len(word) > 8 and word.isalpha():
            lines[-1] += f" {word[:3]}-"
            lines.append(word[3:])
        else:
            lines.append(word)
    return lines


def write_pdf_pages(path: Path, pages: Sequence[Sequence[str]]) -> None:
    """A PDF in Helvetica, object by object; an empty line is a gap."""
    objects: list[bytes] = []
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(b"<< /Type /Catalog /Pages 2 0 R >>")
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    )
    for number, lines in enumerate(pages):
        content = "BT /F1 11 Tf 14 TL 60 780 Td\n"
        for line in lines:
            escaped = line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
            content += f"({escaped}) Tj T*\n" if line else "0 -14 Td\n"
        stream = zlib.compress((content + "ET").encode("latin-1"))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    data = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n"
    end += f"<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(data)}\n%%EOF\n"
    path.write_bytes(data + end.encode())


WRITERS = {
    ".txt": write_text,
    ".md": write_markdown,
    ".html": write_html,
    ".docx": write_docx,
    ".pdf": write_pdf,
}


@pytest.fixture
def write() -> Callable[[Path], Path]:
    """Writes the report in the format that a path's ending says."""

    def written(path: Path) -> Path:
        WRITERS[path.suffix](path)
        return path

    return written


@pytest.fixture
def report_sentences() -> list[str]:
    return list(ALL_SENTENCES)


@pytest.fixture
def pdf_of() -> Callable[[Path, Sequence[Sequence[str]]], None]:
    """Writes a PDF of pages of lines."""
    return write_pdf_pages
