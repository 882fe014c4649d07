"""A document is imported with a level, entity and period of its profile, or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.metrics.narrative.ingest import (
    DocumentReport,
    import_document,
    stricter,
)
from groundwire.metrics.narrative.store import NarrativeStore, Scope
from groundwire.metrics.profile import Profile, Sensitivity, parse_profile

TODAY = date(2026, 11, 21)
Import = Callable[..., DocumentReport]


@pytest.fixture
def profile() -> Profile:
    return parse_profile(
        {
            "profile": {"name": "test"},
            "kinds": {"company": {"label": "Company", "fiscal_year_start": "04-01"}},
            "entities": [
                {"code": "HK", "kind": "company", "name": "Hong Kong"},
                {"code": "CN", "kind": "company", "name": "China", "fiscal_year_start": "01-01"},
            ],
            "metrics": [],
        },
        "test",
    )


@pytest.fixture
def take(tmp_path: Path, store: NarrativeStore, profile: Profile) -> Import:
    """Imports a text as a file of a name."""

    def taken(text: str, file: str = "note.md", **more: str) -> DocumentReport:
        (tmp_path / file).write_text(text, "utf-8")
        return import_document(tmp_path / file, store, profile, today=TODAY, **more)

    return taken


def found(store: NarrativeStore, profile: Profile, query: str) -> list[str]:
    allowed = profile.sensitivity.quotable
    return [passage.doc for passage in store.find(query, Scope(allowed))]


def test_a_document_is_taken_in(take: Import, store: NarrativeStore, profile: Profile) -> None:
    text = "# Outlook\n\nFreight will grow.\n\nFuel will not."
    report = take(text, title="The outlook", entity="hk", sensitivity="public")
    assert (report.chunks, report.characters, report.notes) == (1, 32, ())
    document = report.document
    assert (document.name, document.title, document.entity) == ("note.md", "The outlook", "HK")
    assert (document.sensitivity, document.period) == ("PUBLIC", None)
    assert document.sha256 == hashlib.sha256(text.encode()).hexdigest()
    [held] = store.documents()
    assert (held.imported, held.chunks) == (TODAY, 1)
    assert found(store, profile, "freight") == ["note.md"]


def test_the_same_file_again_is_nothing_new(take: Import) -> None:
    assert take("Freight.").chunks == 1
    assert take("Freight.").chunks == 0
    assert take("Freight and fuel.").chunks == 1


def test_what_is_not_said_takes_the_default(take: Import) -> None:
    document = take("Freight.", "plain.txt").document
    assert (document.sensitivity, document.entity, document.title) == ("INTERNAL", "", "plain.txt")


@pytest.mark.parametrize("level", ["SECRET", "RESTRICTED ' OR 1=1", "RESTRICT", "\x00"])
def test_an_unknown_level_is_refused(take: Import, store: NarrativeStore, level: str) -> None:
    with pytest.raises(InputError, match="use one of PUBLIC, INTERNAL, RESTRICTED"):
        take("Freight.", sensitivity=level)
    assert store.documents() == []


def test_an_unknown_entity_is_refused(take: Import, store: NarrativeStore) -> None:
    with pytest.raises(InputError, match="such as HK, CN, or none"):
        take("Freight.", entity="Macau")
    assert store.documents() == []


@pytest.mark.parametrize(
    ("text", "entity", "days"),
    [
        ("2024", "", (date(2024, 1, 1), date(2024, 12, 31))),
        ("FY2024", "CN", (date(2024, 1, 1), date(2024, 12, 31))),
        ("FY2024", "HK", (date(2023, 4, 1), date(2024, 3, 31))),
        ("2024Q3", "", (date(2024, 7, 1), date(2024, 9, 30))),
        ("2022-2024", "", (date(2022, 1, 1), date(2024, 12, 31))),
        ("2024年3月", "", (date(2024, 3, 1), date(2024, 3, 31))),
    ],
)
def test_periods_are_read_on_the_calendar_of_the_entity(
    take: Import, text: str, entity: str, days: tuple[date, date]
) -> None:
    assert take("Freight.", entity=entity, period_text=text).document.period == days


@pytest.mark.parametrize("text", ["since 2021", "latest", "soon", "TTM"])
def test_a_period_that_is_none_is_refused(take: Import, store: NarrativeStore, text: str) -> None:
    with pytest.raises(InputError, match="cannot be read: write a year"):
        take("Freight.", period_text=text)
    assert store.documents() == []


def test_front_matter_says_what_was_not_given(
    take: Import, store: NarrativeStore, profile: Profile
) -> None:
    front = "---\ntitle: 'Merger'\nsensitivity: restricted\nentity: HK\nperiod: 2024\n---\n"
    document = take(front + "Freight merger.").document
    assert (document.title, document.sensitivity, document.entity) == ("Merger", "RESTRICTED", "HK")
    assert document.period == (date(2024, 1, 1), date(2024, 12, 31))
    assert found(store, profile, "merger") == []


@pytest.mark.parametrize(
    ("given", "own", "holds"),
    [
        ("PUBLIC", "RESTRICTED", "RESTRICTED"),
        ("RESTRICTED", "PUBLIC", "RESTRICTED"),
        ("INTERNAL", "PUBLIC", "INTERNAL"),
    ],
)
def test_of_two_levels_the_stricter_one_holds(
    take: Import, given: str, own: str, holds: str
) -> None:
    report = take(f"---\nsensitivity: {own}\n---\nFreight.", sensitivity=given)
    assert report.document.sensitivity == holds
    assert report.notes == (f"its front matter says {own}, {given} was given: {holds} holds",)


@pytest.mark.parametrize(
    "front",
    [
        "---\nsensitivity: TOP SECRET\n---\n",
        "---\nsensitivity:\n---\n",
        "---\nsensitivity RESTRICTED\n---\n",
        "---\n - sensitivity: RESTRICTED\n---\n",
        "---\nsensitivity: PUBLIC\nsensitivity: RESTRICTED\n---\n",
        "---\nsensitivity: [RESTRICTED]\n---\n",
        "---\nsensitivity: RESTRICTED\n\n",
    ],
)
def test_a_level_that_cannot_be_read_is_no_default(
    take: Import, store: NarrativeStore, front: str
) -> None:
    with pytest.raises(InputError, match="front matter"):
        take(front + "Freight.")
    assert store.documents() == []


def test_a_file_at_two_levels_is_noted(take: Import) -> None:
    take("Freight.", "one.md", sensitivity="RESTRICTED")
    report = take("Freight.", "two.md", sensitivity="PUBLIC")
    assert report.notes == ("the same file is held as one.md with sensitivity RESTRICTED",)


def test_files_of_one_name_may_have_names_of_their_own(take: Import, store: NarrativeStore) -> None:
    take("Freight one.", name="2023/note.md")
    take("Freight two.", name="2024/note.md")
    assert [document.name for document in store.documents()] == ["2023/note.md", "2024/note.md"]


def test_a_withheld_level_is_the_strictest_wherever_it_stands() -> None:
    odd = Sensitivity(levels=("SECRET", "PUBLIC"), default="PUBLIC", withheld=("SECRET",))
    assert stricter("SECRET", "PUBLIC", odd) == stricter("PUBLIC", "SECRET", odd) == "SECRET"
    assert odd.quotable == {"PUBLIC"}
