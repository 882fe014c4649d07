"""The gates of ClickHouse, Trino and Spark: attacks refused, honest queries passed."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.tables.bounds import Refused

HERE = Path(__file__).parent / "statements"
DIALECTS = ("clickhouse", "trino", "spark")


def statements(name: str) -> list[str]:
    text = (HERE / f"{name}.txt").read_text("utf-8")
    for mark, value in (("{port}", "9"), ("{secret}", "/etc/passwd"), ("{written}", "/tmp/gw-w")):
        text = text.replace(mark, value)
    return text.splitlines()


def gate(dialect: str) -> Callable[[str], str]:
    return importlib.import_module(f"groundwire.tables.{dialect}.engine").check


def every(kind: str) -> list[tuple[str, str]]:
    return [(dialect, one) for dialect in DIALECTS for one in statements(f"{dialect}_{kind}")]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_tables_are_as_long_as_they_should_be(dialect: str) -> None:
    assert len(set(statements(f"{dialect}_attacks"))) >= 80
    assert len(set(statements(f"{dialect}_honest"))) >= 60


@pytest.mark.parametrize(("dialect", "statement"), every("attacks"))
def test_an_attack_is_refused_with_a_reason(dialect: str, statement: str) -> None:
    with pytest.raises(Refused) as refused:
        gate(dialect)(statement)
    assert "\n" not in str(refused.value)
    assert str(refused.value).rstrip().endswith((".", "?")), str(refused.value)


@pytest.mark.parametrize(("dialect", "statement"), every("honest"))
def test_an_honest_query_passes_and_passes_again(dialect: str, statement: str) -> None:
    passed = gate(dialect)(statement)
    assert gate(dialect)(passed) == passed


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_cannot_be_read_is_refused(dialect: str) -> None:
    for text in ("", "  ", "-- nothing", "SELECT", "SELECT (", "SELECT 1 FROM", "\0", "x" * 60_000,
                 "SELECT " + "(" * 300 + "1" + ")" * 300, "SELECT " + "-" * 20_000 + "1",
                 "SELECT '" , "WITH", "((", "SELECT \ud800"):  # fmt: skip
        with pytest.raises(Refused):
            gate(dialect)(text)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_long_sum_is_answered_or_refused_and_never_a_crash(dialect: str) -> None:
    text = "SELECT " + "+".join(["1"] * 5_000)
    try:
        assert gate(dialect)(text).count("1") == 5_000
    except Refused as refused:
        assert "deeply" in str(refused)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_comments_do_not_reach_the_engine(dialect: str) -> None:
    passed = gate(dialect)("SELECT /* a */ 1 -- b\n, 2")
    assert "a */" not in passed and "--" not in passed


def test_a_wrong_function_is_told_with_a_near_one() -> None:
    with pytest.raises(Refused, match=r"did you mean .*date_trunc"):
        gate("trino")("SELECT date_trunk('day', x) FROM t")


def test_combinators_of_aggregates_are_read_and_of_others_are_not() -> None:
    assert gate("clickhouse")("SELECT sumIf(a, b), uniqExactArrayIf(c, d) FROM t")
    with pytest.raises(Refused):
        gate("clickhouse")("SELECT fileIf('x', 1)")
