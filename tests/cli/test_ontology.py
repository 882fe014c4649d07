"""`groundwire ontology lint|index|infer`."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PREFIXES = """
@prefix : <https://example.org/h/> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
SHAPES = f"""{PREFIXES}
:S a sh:NodeShape ; sh:targetClass :Ship ; sh:property [ sh:path :weather ;
  sh:in ( "fog" "rain" ) ] , [ sh:path :crew ; sh:datatype xsd:integer ] .
"""
ASSETS = f"""{PREFIXES}
:a a :Ship ; :weather "foggy" ; :crew 5 ; :colour "red" . :b a :Ship ; :weather "hail" .
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "shapes.ttl").write_text(SHAPES, "utf-8")
    (tmp_path / "assets.ttl").write_text(ASSETS, "utf-8")
    monkeypatch.setenv("GROUNDWIRE_SHAPES", str(tmp_path / "shapes.ttl"))
    monkeypatch.setenv("GROUNDWIRE_ASSETS", str(tmp_path / "assets.ttl"))
    return tmp_path


# index


def test_index_reads_the_embedded_catalogue(run: Callable[..., Any]) -> None:
    ran = run("ontology", "index")
    assert (ran.code, ran.err) == (0, "")
    assert "hdmap 110" in ran.out
    assert "scenario 90" in ran.out


def test_index_names_what_it_left_out(
    run: Callable[..., Any], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "assets.ttl").write_text(f"{ASSETS}\n:c a :Ship ; ; .\n:d :x", "utf-8")
    (files / "more.ttl").write_text(ASSETS, "utf-8")
    both = os.pathsep.join([str(files / "assets.ttl"), str(files / "more.ttl")])
    monkeypatch.setenv("GROUNDWIRE_ASSETS", both)
    ran = run("ontology", "index")
    assert ran.code == 0
    assert "Ship 2" in ran.out
    assert f"not read: {files / 'assets.ttl'}:" in ran.out


def test_a_missing_file_is_one_line_with_the_way_out(run: Callable[..., Any], files: Path) -> None:
    (files / "assets.ttl").unlink()
    ran = run("ontology", "index")
    assert ran.code in (2, 3)
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "assets.ttl" in ran.err


@pytest.mark.parametrize("text", ["", "this is no Turtle {"])
def test_shapes_that_declare_no_class_are_an_error_with_the_way_out(
    run: Callable[..., Any], files: Path, text: str
) -> None:
    (files / "shapes.ttl").write_text(text, "utf-8")
    ran = run("ontology", "index")
    assert ran.code == 3
    assert "`groundwire ontology infer DATA`" in ran.err
    assert ("not read: " in ran.out) == bool(text)


def test_assets_of_no_declared_class_are_told(run: Callable[..., Any], files: Path) -> None:
    (files / "assets.ttl").write_text(f"{PREFIXES} :a a :Lorry .", "utf-8")
    ran = run("ontology", "index")
    assert ran.code == 0
    assert "no asset is of a class that the shapes declare" in ran.out


# lint


def test_lint_reports_what_an_owner_must_know(run: Callable[..., Any], files: Path) -> None:
    ran = run("ontology", "lint")
    assert ran.code == 0
    for text in ("foggy", "fog", "hail", "rain", "colour"):
        assert text in ran.out, text


def test_lint_as_json(run: Callable[..., Any], files: Path) -> None:
    ran = run("ontology", "lint", "--json")
    tree = json.loads(ran.out)
    assert "hail" in json.dumps(tree)
    assert isinstance(tree, dict)


def test_lint_strict_exits_with_1_where_something_was_found(
    run: Callable[..., Any], files: Path
) -> None:
    assert run("ontology", "lint", "--strict").code == 1
    (files / "assets.ttl").write_text(
        f'{PREFIXES} :a a :Ship ; :weather "fog" ; :crew 5 . :b a :Ship ; :weather "rain" .',
        "utf-8",
    )
    ran = run("ontology", "lint", "--strict")
    assert ran.code == 0, ran.out


def test_an_endpoint_cannot_be_linted(
    run: Callable[..., Any], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDWIRE_ASSETS", "http://127.0.0.1:1/sparql")
    ran = run("ontology", "lint")
    assert ran.code in (2, 4)
    assert ran.err.count("\n") == 1


def test_lint_offers_drafted_shapes_where_little_is_declared(
    run: Callable[..., Any], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(files)
    ran = run("ontology", "lint")
    # One statement of four has a colour, which no shape knows.
    assert "The shapes declare 75 % of what is stored (3 of 4 statements)" in ran.out
    drafting, serving = (shlex.split(line) for line in ran.out.splitlines()[-2:])
    assert drafting[:3] == ["groundwire", "ontology", "infer"]
    checked = run("doctor").out
    assert "the shapes declare 75 %" in checked
    assert f"`{shlex.join(drafting)}`" in checked
    assert run(*drafting[1:]).code == 0
    monkeypatch.setenv("GROUNDWIRE_SHAPES", serving[1].partition("=")[2])
    again = run("ontology", "lint").out
    assert "The shapes declare 100 % of what is stored (4 of 4 statements)" in again
    assert "groundwire ontology infer" not in again


def test_lint_offers_nothing_where_all_is_declared(run: Callable[..., Any]) -> None:
    assert "ontology infer" not in run("ontology", "lint").out


# infer


def test_infer_drafts_shapes_that_the_catalogue_can_be_searched_by(
    run: Callable[..., Any], files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafted = files / "drafted.ttl"
    ran = run("ontology", "infer", str(files / "assets.ttl"), "-o", str(drafted))
    assert (ran.code, ran.out) == (0, "")
    exported = dict(
        shlex.split(line)[1].split("=", 1)
        for line in ran.err.splitlines()
        if line.startswith("  export ")
    )
    assert exported == {
        "GROUNDWIRE_SHAPES": os.pathsep.join([str(files / "shapes.ttl"), str(drafted)]),
        "GROUNDWIRE_ASSETS": str(files / "assets.ttl"),
    }
    for name, value in exported.items():
        monkeypatch.setenv(name, value)
    assert "Ship 2" in run("ontology", "index").out


def test_infer_prints_to_standard_output(run: Callable[..., Any], files: Path) -> None:
    ran = run("ontology", "infer", str(files / "assets.ttl"))
    assert ran.code == 0
    assert "sh:targetClass" in ran.out
    assert "weather" in ran.out


def test_infer_refuses_what_it_cannot_read_or_write(run: Callable[..., Any], files: Path) -> None:
    missing = run("ontology", "infer", str(files / "gone.ttl"))
    assert missing.code in (2, 3)
    assert "gone.ttl" in missing.err
    nowhere = run("ontology", "infer", str(files / "assets.ttl"), "-o", str(files / "no" / "x.ttl"))
    assert nowhere.code == 4
    assert "name another file" in nowhere.err
