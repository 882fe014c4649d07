"""Records as the servers write them, for the tests of the check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from groundwire.evidence.claims.claim import Check
from groundwire.evidence.records import Condition, Derivation, Draft, Record, Statement, Value

MUNICH, BERLIN = "did:web:maps.example:munich-001", "did:web:maps.example:berlin-002"


def record(
    values: Sequence[Value],
    vocabulary: Sequence[str] = (),
    arguments: Mapping[str, Any] | None = None,
    derivations: Sequence[Derivation] = (),
    evidence_id: str = "ev_0123456789abc",
    tool: str = "submit_slots",
    statements: Sequence[Statement] = (),
) -> Record:
    draft = Draft(
        tuple(values),
        tuple(derivations),
        vocabulary=tuple(vocabulary),
        statements=tuple(statements),
    )
    return Record(
        evidence_id, 1, "local", tool, arguments or {}, "2026-11-20T02:00:00.000Z", draft,
        None, None, False, "", "",
    )  # fmt: skip


def refused(result: Check) -> list[str]:
    """The claims that a check does not hold, none where it holds all.

    Beside a wrong figure, true names and dates of its passage are not judged: they are left out.
    """
    figures = ("number", "percent", "time")
    if result.verdict == "supported":
        return []
    return [
        one.text
        for one in result.claims
        if one.status in ("contradicted", "unsupported")
        or (one.status == "not_judged" and one.kind in figures)
    ] or [result.verdict]


def asset(
    label: str, iri: str, length: str, road: str, license: str, created: str, lanes: str
) -> list[Value]:
    return [
        Value("length", length, "number", "km", label, iri),
        Value("roadTypes", road, "name", None, label, iri, ("road type", "道路类型")),
        Value("license", license, "name", None, label, iri),
        Value("created", created, "date", None, label, iri, ("创建",)),
        Value("laneCount", lanes, "number", None, label, iri, ("lanes", "车道")),
        Value("hasGeoreference", "true", "boolean", None, label, iri),
    ]


def catalogue() -> list[Record]:
    """What a search for assets leaves."""
    values = [Value("total", "12")]
    values += asset("Munich Ring", MUNICH, "12.5", "motorway", "CC-BY-4.0", "2024-03-05", "4")
    values += asset("Berlin Map", BERLIN, "8", "rural", "MIT", "2023-01-10", "2")
    vocabulary = ("motorway", "rural", "urban", "town", "CC-BY-4.0", "CC-BY-SA-4.0", "MIT", "other")
    arguments = {
        "slots": {
            "domains": ["hdmap"],
            "filters": {"country": "DE"},
            "ranges": {"length": {"min": 5}},
        }
    }
    return [record(values, vocabulary, arguments, statements=statements_of_catalogue())]


def statements_of_catalogue() -> list[Statement]:
    """What such a search states beside its values: of what it counts, and what its results are."""
    maps = ("hdmap", "HD map", "地图")
    conditions = (
        Condition(("country", "Land"), "is", (("DE", "Germany", "German", "Deutschland"),)),
        Condition(("length", "Länge"), "at_least", (("5",),), "km"),
    )
    return [
        Statement(
            "scope",
            maps,
            objects=(("Munich Ring", MUNICH), ("Berlin Map", BERLIN)),
            conditions=conditions,
            value=0,
            complete="all_counted",
        ),
        *(
            Statement("relation", (label, iri), ("type",), (maps,))
            for label, iri in (("Munich Ring", MUNICH), ("Berlin Map", BERLIN))
        ),
    ]


def metric(
    code: str, labels: tuple[str, ...], entity: str, year: str, value: str, unit: str | None
) -> Value:
    return Value(code, value, "number", unit, entity, None, labels, year, "World Bank, data.csv")


def statistics(*, derived: bool = False) -> list[Record]:
    """What a grid of metrics leaves, with or without recorded changes."""
    gdp, people = ("GDP", "国内生产总值"), ("population", "人口")
    values = [
        metric("gdp", (*gdp, "德国"), "Germany", "2022", "4085681268601.9", "USD"),
        metric("gdp", (*gdp, "德国"), "Germany", "2023", "4525703903627.5", "USD"),
        metric("gdp", (*gdp, "法国"), "France", "2023", "3051831611384.8", "USD"),
        metric("population", (*people, "德国"), "Germany", "2023", "83280000", None),
        metric("population", (*people, "法国"), "France", "2023", "68287487", None),
        metric("growth", ("GDP growth", "增长率", "德国"), "Germany", "2023", "-0.3", "%"),
        metric("growth", ("GDP growth", "增长率", "法国"), "France", "2023", "0.9", "%"),
    ]
    change = Derivation("percent_change", (1, 0), "10.7699", "%", "(4.53 − 4.09) ÷ 4.09")
    terms = ("GDP", "population", "revenue", "Germany", "France", "Italy", "意大利", "德国", "法国")
    return [
        record(
            values,
            terms,
            {"metrics": ["gdp"]},
            [change] if derived else [],
            evidence_id="ev_abcdef0123456",
            tool="query_metric_grid",
            statements=[Statement("source", ("World Bank",))],
        )
    ]
