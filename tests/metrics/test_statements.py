"""What records of metrics state beside their values: scope, absence, sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest

from groundwire.evidence.canonical import encode
from groundwire.evidence.records import Condition, Draft, Names, Statement
from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import State
from groundwire.metrics.grid import GridRequest, query_grid
from groundwire.metrics.profile import Profile
from groundwire.metrics.query import query_metric
from groundwire.metrics.quoting import PassageRequest, search_narrative
from groundwire.metrics.terms import Arguments
from groundwire.metrics.wording import source_names
from groundwire.vocabulary import fold

TODAY = date(2026, 11, 21)
FOUND = ("population", "China", "2020", "TOTAL")


def asked(state: State, *sent: str) -> tuple[str, Draft]:
    result, draft = query_metric(state, Arguments(*sent), TODAY)
    return result.answer, draft


def grid(state: State, metrics: list[str], entities: list[str], periods: list[str]) -> Draft:
    return query_grid(state, GridRequest(metrics, entities, periods), TODAY)[1]


def of_kind(draft: Draft, kind: str) -> list[Statement]:
    return [one for one in draft.statements if one.kind == kind]


def objects(statement: Statement, predicate: str) -> tuple[Names, ...]:
    """The objects of the one condition of a predicate."""
    (found,) = [one for one in statement.conditions if predicate in one.predicate]
    return found.objects


def words(draft: Draft) -> Iterator[str]:
    """Every text that a record's statements hold."""

    def of(condition: Condition) -> Iterator[str]:
        yield from condition.predicate
        for names in condition.objects:
            yield from names

    for one in draft.statements:
        yield from (*one.subject, *one.predicate, one.source or "")
        for names in one.objects:
            yield from names
        for condition in one.conditions:
            yield from of(condition)


def test_a_value_has_its_qualifiers(state: State) -> None:
    _, draft = asked(state, "revenue", "HK", "FY2024", "stores")
    first, second = of_kind(draft, "scope")
    assert first.subject[:2] == ("Revenue", "REVENUE")
    assert objects(first, "entity")[0][:2] == ("Tolvarne Hong Kong", "HK")
    assert {"company"} <= set(first.conditions[0].predicate)
    assert objects(first, "period") == (("FY2024", "2024"),)
    assert objects(first, "grain")[0][0] == "year"
    assert objects(first, "channel")[0][:3] == ("Retail", "RETAIL", "retail channel")
    assert objects(first, "as of") == (("2026-03-24",),)
    assert (first.value, second.value) == (0, 1)
    assert draft.values[second.value or 0].value == "219700000"
    assert second.source == "Retail sales survey 2024"


def test_the_total_is_a_channel_too(state: State) -> None:
    (scope,) = of_kind(asked(state, *FOUND)[1], "scope")
    assert objects(scope, "channel")[0][:2] == ("Total", "TOTAL")


def test_the_grain_is_that_of_the_period_and_of_the_days_that_are_held(state: State) -> None:
    (quarter,) = of_kind(asked(state, "revenue", "HK", "2026Q3", "online")[1], "scope")
    assert [names[0] for names in objects(quarter, "grain")] == ["quarter"]


def test_a_thing_has_all_its_names_where_it_is_first_named(state: State) -> None:
    draft = grid(state, ["population"], ["China", "India"], ["2010", "2020"])
    scopes = [one for one in of_kind(draft, "scope") if one.value is not None]
    assert "中国" in objects(scopes[0], "entity")[0]
    assert objects(scopes[1], "entity") == (("China", "CHN"),)
    assert scopes[1].subject == ("Population", "POPULATION")
    assert [one.value for one in scopes] == [0, 1, 2, 3]
    assert [draft.values[one.value or 0].entity for one in scopes] == [
        objects(one, "entity")[0][0] for one in scopes
    ]


def test_a_grid_says_what_was_asked_about_and_whether_that_is_all(state: State) -> None:
    draft = grid(state, ["population"], ["China", "India", "Germany"], ["2020", "1850"])
    sets = [one for one in of_kind(draft, "scope") if one.value is None]
    about = {one.subject[0]: one for one in sets if one.conditions[0].predicate == ("asked about",)}
    assert [names[0] for names in about["entity"].objects] == ["China", "India", "Germany"]
    assert about["period"].objects == (("2020",), ("1850",))
    assert {one.complete for one in about.values()} == {"all_listed"}
    misread = grid(state, ["population"], ["China", "Atlantis"], ["2020"])
    (entities,) = [one for one in of_kind(misread, "scope") if one.objects][1:2]
    assert (entities.subject[0], entities.complete) == ("entity", "page")


def test_what_is_not_held_is_an_absence_with_its_qualifiers(state: State) -> None:
    answer, draft = asked(state, "GDP", "Germany", "2024Q3", "TOTAL")
    (absence,) = of_kind(draft, "absence")
    assert absence.subject[:3] == ("Germany", "DEU", "德国")
    assert absence.predicate[0] == "fact"
    assert {"GDP (current US$)", "GDP"} <= set(absence.predicate)
    assert objects(absence, "period") == (("2024Q3", "FY2024Q3"),)
    assert objects(absence, "grain")[0][0] == "quarter"
    assert objects(absence, "metric")[0][0] == "GDP (current US$)"
    assert objects(absence, "channel")[0][0] == "Total"
    assert not any(one.value is not None for one in draft.statements)
    held = {one.subject[0]: one for one in of_kind(draft, "scope")}
    assert "held by year" in answer
    assert (held["grain"].objects[0][0], held["grain"].complete) == ("year", "all_listed")
    assert held["period"].objects[0] == ("2023",)
    assert (len(held["period"].objects), held["period"].complete) == (24, "page")


def test_channels_that_hold_a_fact_are_all_listed(state: State) -> None:
    _, draft = asked(state, "gross margin", "HK", "FY2024", "online")
    channels = [one for one in of_kind(draft, "scope") if "channel" in one.subject]
    assert [[names[0] for names in one.objects] for one in channels] == [["Total"]]
    assert channels[0].complete == "all_listed"


def test_an_absence_on_a_day_says_since_when_it_is_known(state: State) -> None:
    _, draft = asked(state, "GDP", "Germany", "2020", "TOTAL", "2001-01-01")
    (absence,) = of_kind(draft, "absence")
    assert objects(absence, "as of") == (("2001-01-01",),)
    (known,) = of_kind(draft, "relation")
    assert (known.predicate[0], known.objects) == ("known from", (("2024-10-21",),))


@pytest.mark.parametrize(
    ("sent", "subject", "predicate", "candidate"),
    [
        (("populaton", "Germany", "2020", "TOTAL"), "populaton", "metric", "Population"),
        (("population", "Irelant", "2020", "TOTAL"), "Irelant", "country", "Ireland"),
        (("revenue", "HK", "2020", "telesales"), "telesales", "channel", "Wholesale"),
        (("revenue per employee", "HK", "2020", "TOTAL"), "revenue per employee", "metric",
         "Revenue"),
        (("revenue", "HK", "last 12 months", "TOTAL"), "last 12 months", "period", None),
    ],
)  # fmt: skip
def test_a_term_that_no_vocabulary_has_is_an_absence_with_its_candidates(
    state: State, sent: tuple[str, ...], subject: str, predicate: str, candidate: str | None
) -> None:
    _, draft = asked(state, *sent)
    absence = of_kind(draft, "absence")[0]
    assert absence.subject == (subject,)
    assert predicate in absence.predicate
    assert (absence.objects[0][0] if absence.objects else None) == candidate
    assert draft.values == ()


def test_an_entity_of_another_kind_is_known_and_has_no_such_metric(state: State) -> None:
    _, draft = asked(state, "revenue", "Germany", "2020", "TOTAL")
    (absence,) = of_kind(draft, "absence")
    assert "company" in absence.predicate and "entity" not in absence.predicate
    is_a, held_of = of_kind(draft, "relation")
    assert (is_a.subject[0], is_a.objects[0][1]) == ("Germany", "country")
    assert (held_of.subject[0], held_of.objects[0][0]) == ("Revenue", "company")
    assert held_of.complete == "all_listed"


def test_an_ambiguous_term_may_be_each_of_its_candidates(shop_state, written) -> None:
    state = shop_state(written("SALES", "A", "2024-01-01", "2024-12-31", "5"))
    _, draft = asked(state, "takings", "A", "2024", "TOTAL")
    (one,) = draft.statements
    assert (one.kind, one.subject, one.predicate[0]) == ("relation", ("takings",), "may be")
    assert {names[0] for names in one.objects} == {"Sales", "Stock on hand"}
    assert one.complete == "all_listed"


def test_a_range_is_no_one_period(state: State) -> None:
    (one,) = asked(state, "population", "China", "2019-2021", "TOTAL")[1].statements
    assert one.predicate[0] == "more than one period"
    assert one.objects == (("2019",), ("2020",), ("2021",))


def test_a_source_has_the_names_that_sentences_use(state: State) -> None:
    (world_bank,) = of_kind(asked(state, *FOUND)[1], "source")
    assert world_bank.subject[:2] == (
        "World Bank SP.POP.TOTL: Population, total",
        "World Bank SP.POP.TOTL",
    )
    assert {"World Bank", "世界银行", "Weltbank", "World Development Indicators"} <= set(
        world_bank.subject
    )
    report, _ = of_kind(asked(state, "revenue", "HK", "FY2024", "stores")[1], "source")
    assert {"annual report 2025", "annual report", "Tolvarne Group"} <= set(report.subject)


@pytest.mark.parametrize(
    ("name", "title", "publisher", "short"),
    [
        ("ONS: GDP", "", "ONS", {"ONS"}),
        ("House outlook for 2026", "", "House", {"outlook for 2026", "outlook"}),
        ("memo.md", "House: review (2024)", "", {"review (2024)", "review", "House"}),
        ("Report", "", "", set[str]()),
    ],
)
def test_short_names_of_documents(
    state: State, name: str, title: str, publisher: str, short: set[str]
) -> None:
    names = source_names(state.profile, name, title, publisher)
    assert set(names) - {name, title, publisher} == short - {publisher}
    assert len(set(names)) == len(names)


def test_a_publisher_that_is_an_entity_has_its_aliases(state: State) -> None:
    profile: Profile = state.profile
    assert "托瓦恩" in source_names(profile, "Note", "", "Tolvarne Group")


CALLS = [
    FOUND,
    ("revenue", "HK", "FY2024", "stores"),
    ("GDP", "Germany", "2024Q3", "TOTAL"),
    ("revenue", "Germany", "2020", "TOTAL"),
    ("headcount", "Japan", "2024", "TOTAL"),
    ("net profit", "香港", "FY2024", "TOTAL", "2025-06-30"),
]


@pytest.mark.parametrize("sent", CALLS, ids=" ".join)
def test_no_statement_holds_a_locator(state: State, sent: tuple[str, ...]) -> None:
    _, draft = asked(state, *sent)
    assert draft.statements
    assert not any(re.search(r"\b(row|column|cell|page) ", text) for text in words(draft))


@pytest.mark.parametrize("sent", CALLS, ids=" ".join)
def test_every_name_of_an_answer_stands_in_its_record(state: State, sent: tuple[str, ...]) -> None:
    answer, draft = asked(state, *sent)
    # "World" in the name of a document is no entity.
    bare = re.sub(r" \([^()]*, row \d+, column [^)]*\)", "", answer)
    held = {fold(text).strip("()") for text in words(draft)}
    found = state.mentions.find(bare)
    named = {fold(one.raw).strip("()") for one in found if one.kind != "period"}
    assert named and named <= held


def test_passages_have_their_documents_as_sources(state: State) -> None:
    _, draft = search_narrative(
        state, PassageRequest("why did online revenue fall in China"), TODAY
    )
    assert draft is not None
    sources = of_kind(draft, "source")
    assert "Tolvarne Group: discussion of the year 2024" in sources[0].subject
    assert not any("paragraph" in text for text in words(draft))


def test_a_search_that_finds_nothing_says_where_it_looked(state: State) -> None:
    _, draft = search_narrative(state, PassageRequest("zxcvb qwerty", "HK", "2024"), TODAY)
    assert draft is not None
    (absence,) = draft.statements
    assert (absence.subject[0], absence.predicate[0]) == ("documents", "passage")
    assert absence.conditions[0].operator == "any_of"
    assert objects(absence, "period") == (("2024",),)
    _, draft = search_narrative(state, PassageRequest("sales", entity="Atlantis"), TODAY)
    assert draft is not None
    assert draft.statements[0].subject == ("Atlantis",)


def test_a_premise_is_shown_with_its_difference(state: State) -> None:
    answered = ask(state, "Why did revenue of Hong Kong fall in FY2024?", TODAY)
    assert "did not fall" in answered.text
    (difference,) = answered.draft.derivations
    values = [answered.draft.values[at].value for at in difference.operands]
    assert (difference.operation, difference.value) == ("difference", "8600000")
    assert values == ["384100000", "375500000"]


def test_what_is_assumed_is_stated(state: State) -> None:
    answered = ask(state, "What was the revenue?", TODAY)
    assumed = [one for one in answered.draft.statements if "assumed" in one.predicate]
    assert [one.objects[0][0] for one in assumed] == ["Tolvarne Group", "FY2025"]


def test_a_large_grid_keeps_its_record_small(state: State) -> None:
    draft = grid(state, ["population", "GDP"], ["China", "India", "Germany"], ["2005-2020"])
    _, facts = encode("t", {}, draft, payload_cut=False)
    bare = Draft(draft.values, draft.derivations, {}, None, draft.vocabulary, draft.overlaps)
    _, without = encode("t", {}, bare, payload_cut=False)
    assert len(facts) < 2 * len(without)
